"""What goes wrong in a shift: when it can be seen, what a report of it has to say, by which paragraphs. Pure.

One row is one kind of trouble; which of them a table can have follows from its rulebook and how it is dealt.
"""

from functools import lru_cache
from typing import Final, Literal, TypeAlias

import msgspec

from thirdcard.cards import Card
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.facts import asked_facts
from thirdcard.rulebook.model import About, Procedure, Rules
from thirdcard.school.shift_script import AGAINST, PatronBet, card_at, chance_of, next_cards, wishes
from thirdcard.table.practice import Practice
from thirdcard.table.rights.drawing import cut_card_is_next, due_hand
from thirdcard.table.rights.insurance import open_windows, windows_over
from thirdcard.table.setup import Setup
from thirdcard.table.state import HANDS, Round, State, stake_key

TroubleKind: TypeAlias = Literal[
    "late", "taken", "over", "under", "between", "misplaced", "away", "asks", "neglected",
    "together", "excess", "laid", "seen", "face-up", "altered", "power", "display",
]  # fmt: skip
OUTCOMES: Final = ("player", "banker", "tie")


class TroubleType(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of trouble.

    `about`: what a case has to be about for it to be one; none is needed where the dealer sees to it alone.
    `phase` and `cards`: when it comes, with so many cards on the layout where that matters. `faces`: how
    cards are dealt where it can come. `chips`: it is about a bet. `pit`: a dealer brings it before the pit.
    `action`: points for what is done about it.
    """

    about: About | None = None
    phase: Literal["betting", "dealing", "settled"] = "dealing"
    cards: int = 0
    faces: Literal["up", "down", ""] = ""
    chips: bool = False
    pit: bool = False
    action: int = 1


TROUBLES: Final[dict[TroubleKind, TroubleType]] = {
    "late": TroubleType(about="late-chips", chips=True, pit=True),
    "taken": TroubleType(about="taken-chips", chips=True, pit=True),
    "over": TroubleType(phase="betting", chips=True),
    "under": TroubleType(phase="betting", chips=True),
    "between": TroubleType(phase="betting", chips=True),
    "misplaced": TroubleType(about="chips-lie", chips=True),
    "away": TroubleType(about="walked-away"),
    "asks": TroubleType(),
    "neglected": TroubleType(about="neglected-insurance", pit=True, action=2),
    "together": TroubleType(about="drawn-together", cards=2, faces="up", pit=True, action=2),
    "excess": TroubleType(about="excess-cards", faces="up", pit=True, action=2),
    "laid": TroubleType(about="wrong-area", cards=3, faces="up", pit=True, action=2),
    "seen": TroubleType(about="seen-in-error", cards=2, faces="down", pit=True, action=2),
    "face-up": TroubleType(about="face-up-in-device", cards=2),
    "altered": TroubleType(about="order-altered", cards=2, pit=True),
    "power": TroubleType(about="interruption", cards=2),
    "display": TroubleType(about="display", phase="settled"),
}
NOBODYS: Final = frozenset(kind for kind, trouble_type in TROUBLES.items() if trouble_type.cards) | {
    "excess",
    "display",
}
COME_OUT: Final[dict[TroubleKind, int]] = {"together": 2, "excess": 1}  # cards that were not due
LATE_CHIPS: Final[tuple[TroubleKind, ...]] = ("late", "taken")
WRONG_CHIPS: Final[tuple[TroubleKind, ...]] = ("over", "under", "between")  # put right before the close


class Trouble(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What goes wrong in a round, with the bet that it is about where it is about one.

    `cents` of chips that were taken away are negative.
    """

    round: int
    kind: TroubleKind
    player: str = ""
    box: int = 0
    bet: str = ""
    cents: int = 0

    @property
    def type(self) -> TroubleType:
        return TROUBLES[self.kind]

    @property
    def other(self) -> str:
        """The other hand: where chips were meant, or might lie too."""
        return next(hand for hand in HANDS if hand != self.bet)

    @property
    def stake(self) -> str:
        return stake_key(self.player, self.box, self.bet)


def procedure_of(book: Rulebook, kind: TroubleKind) -> Procedure | None:
    """The case that the trouble is, as this rulebook knows it."""
    about = TROUBLES[kind].about
    return book.procedure(about) if about is not None else None


def rules_of(book: Rulebook, kind: TroubleKind) -> Rules:
    """The paragraphs that it is dealt with by."""
    procedure = procedure_of(book, kind)
    if procedure is not None:
        return procedure.rules
    lie = book.procedure("chips-lie")
    own: dict[TroubleKind, Rules] = {
        "over": book.limits.displayed.rules,
        "under": book.limits.below_minimum_noticed.rules,
        "between": lie.rules if lie is not None else book.betting.closes.rules,
    }
    return own.get(kind, ())


def kinds_at(practice: Practice, setup: Setup) -> tuple[TroubleKind, ...]:
    """What can go wrong at such a table."""
    faces = "down" if setup.dealing.face_down else "up"
    return tuple(
        kind
        for kind, trouble in TROUBLES.items()
        if trouble.faces in ("", faces)
        and (trouble.about is None or procedure_of(setup.book, kind) is not None)
        and (practice.post == "desk" or trouble.pit)
    )


def trouble_in(practice: Practice, setup: Setup, number: int) -> Trouble | None:
    """What goes wrong in a round, if anything does: every kind comes before one comes again."""
    kinds = kinds_at(practice, setup)
    betting = [wish for wish in wishes(practice, setup, number) if wish.bet in HANDS]
    if not _goes_wrong(practice, number) or not kinds or not betting:
        return None
    turn, place = divmod(sum(_goes_wrong(practice, one) for one in range(1, number)), len(kinds))
    kind = chance_of(practice, "kinds", turn).shuffled(kinds)[place]
    chance = chance_of(practice, "trouble", number)
    whose = chance.pick(betting)
    if kind in NOBODYS:
        return Trouble(round=number, kind=kind)
    if not TROUBLES[kind].chips:
        return Trouble(round=number, kind=kind, player=whose.player)
    cents = _cents(setup, kind, whose, 1 + chance.below(AGAINST))
    return Trouble(round=number, kind=kind, player=whose.player, box=whose.box, bet=whose.bet, cents=cents)


@lru_cache(maxsize=1024)
def _goes_wrong(practice: Practice, number: int) -> bool:
    return chance_of(practice, "wrong", number).below(100) < practice.trouble


def _cents(setup: Setup, kind: TroubleKind, whose: PatronBet, times: int) -> int:
    limit, unit = setup.limit(whose.bet), setup.chip_unit
    match kind:
        case "late":
            return limit.min * times
        case "over":
            return (limit.max or 0) + limit.min * times
        case "under":
            return max(unit, limit.min // 2 // unit * unit)
        case "taken":
            return -whose.cents
    return whose.cents


# When it is seen ----------------------------------------------------------------------------------------


def has_come(state: State, trouble: Trouble) -> bool:
    """Whether it is the moment for it, and nobody has reported anything in this round."""
    current, of = state.round, trouble.type
    if current is None or current.number != trouble.round or current.phase != of.phase:
        return False
    if current.pending is not None or current.irregularities or of.cards not in (0, len(current.drawn)):
        return False
    return _is_seen(state, current, trouble)


def _is_seen(state: State, current: Round, trouble: Trouble) -> bool:
    match trouble.kind:
        case "excess":
            return due_hand(state, current) is None and current.all_seen
        case "taken" | "misplaced":
            return trouble.stake in current.closed
        case "between":
            return trouble.stake not in current.stakes
        case "neglected":
            return _passed_over(state, current, trouble) != 0
    return trouble.kind not in ("over", "under")  # which the desk shows itself


def _passed_over(state: State, current: Round, trouble: Trouble) -> int:
    """The insurance window in which somebody was not asked."""
    over = windows_over(state, current)
    return next((number for number, offered in over.items() if trouble.player in offered.silent), 0)


def is_deaf(current: Round, trouble: Trouble | None, player: str) -> bool:
    """Whether somebody is passed over by the insurance on offer, and so says nothing to it."""
    passed = trouble is not None and (trouble.kind, trouble.player) == ("neglected", player)
    return passed and not current.irregularities


def cut_card_lies(state: State) -> bool:
    """Whether the cut card has come out and has not been put aside."""
    current, shoe = state.round, state.shoe
    dealing = current is not None and current.phase == "dealing" and current.pending is None
    return dealing and shoe is not None and cut_card_is_next(state, shoe) and _card_is_due(state)


def _card_is_due(state: State) -> bool:
    current = state.round
    assert current is not None  # noqa: S101 - it is dealt
    return due_hand(state, current) is not None and not open_windows(state, current)


def out_now(practice: Practice, state: State) -> tuple[Card, ...]:
    """The cards that are out of the shoe and on no place yet: as a rule the one that is drawn next."""
    current = state.round
    if current is None or current.phase != "dealing" or current.pending is not None:
        return ()
    trouble = trouble_in(practice, state.setup, current.number)
    coming = next_cards(practice, state)
    if trouble is not None and trouble.kind in COME_OUT and has_come(state, trouble):
        return coming[: COME_OUT[trouble.kind]]
    waits = state.shoe is not None and bool(state.shoe.waiting)
    return coming[:1] if _card_is_due(state) and not waits and not state.setup.unseen else ()


# What a report of it says -------------------------------------------------------------------------------


def details_of(practice: Practice, state: State, trouble: Trouble) -> dict[str, object]:
    """What a report has to say of it now, besides the case and the facts that this turns on."""
    current = state.round
    assert current is not None  # noqa: S101 - it has come in one
    place, details = trouble.type.cards, dict[str, object]()
    match trouble.kind:
        case "late" | "taken" | "misplaced":
            details = {"players": (trouble.player,), "box": trouble.box}
        case "neglected":
            details = {"players": (trouble.player,), "window": _passed_over(state, current, trouble)}
        case "together" | "excess":
            drawn = next_cards(practice, state)[: COME_OUT[trouble.kind]]
            first = len(current.drawn) + 1
            details = {"drawn": drawn, "shown": tuple(range(first, first + len(drawn)))}
        case "laid":
            details = {"cards": (place,)}
        case "seen":
            unread = current.cards[place - 1] is None
            details = {
                "shown": (place,),
                "names": {place: card_at(practice, state, place)} if unread else {},
            }
        case "display":
            details = {"displayed": displayed(current)}
    return details


def displayed(current: Round) -> str:
    """What a display shows that is wrong: never the outcome that the round really had."""
    result = current.settlement.outcome if current.settlement is not None else ""
    return next(outcome for outcome in OUTCOMES[current.number % 2 :] if outcome != result)


def facts_of(procedure: Procedure) -> dict[str, bool]:
    """The facts that a report has to say: nobody can tell an order, every card can be read."""
    known = {"order_known": False, "values_known": True}
    return {name: value for name, value in known.items() if name in asked_facts(procedure)}


def can_be_reconstructed(kind: TroubleKind) -> bool:
    """Whether it can be put right which card belongs where: not in a shoe whose cards were spilt."""
    return kind != "altered"
