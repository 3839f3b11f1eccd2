"""A table played at random, with all that can go wrong at one, under the auditor of `audit`.

`Table` takes commands and has every event checked. `Walk` finds commands: the next step a dealer would take,
what `legal` lists, and anything at all. Cards are read wrongly, chips recorded wrongly, added late and taken
away, cards handed to the wrong person; people walk away; irregularities are reported, one while another waits,
ruled on, overridden, dismissed and chosen on; records are put right. Where a walk turns is left to a `Chance`,
so that the same walk is driven by a seed or by Hypothesis.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar, get_args

import msgspec

from table.audit import READ_EVENT, Audit, in_use, reports, total
from thirdcard.cards import Card
from thirdcard.money import LARGEST_STAKE, Odds
from thirdcard.play.tableau import INITIAL, LONGEST, next_hand
from thirdcard.rulebook import Rulebook, Which, digest_of, load
from thirdcard.rulebook.facts import every_fact
from thirdcard.rulebook.forms import canonical
from thirdcard.rulebook.load import remember
from thirdcard.rulebook.model import Procedure, Side
from thirdcard.table import (
    Refusal,
    Setup,
    State,
    commands,
    decide,
    evolve,
    legal,
    replay,
    start,
    view,
)
from thirdcard.table.commands import AnyCommand, Changes
from thirdcard.table.events import AnyEvent
from thirdcard.table.legal import Option
from thirdcard.table.limits import excess
from thirdcard.table.ranks import ranks_that_may
from thirdcard.table.refusals import Code
from thirdcard.table.reported import CARDS, DETAILS, in_question
from thirdcard.table.rights.choosing import to_choose
from thirdcard.table.rights.drawing import cards_to_come, due_hand
from thirdcard.table.rights.insurance import affected, open_windows, silent_people, windows_over
from thirdcard.table.rights.squeezing import handlers, in_line
from thirdcard.table.samples import rulings
from thirdcard.table.script import state_hash
from thirdcard.table.setup import Limit
from thirdcard.table.state import HANDS, DrawnCard, Inputs, Pending, Round, Stake

PLAYERS = ("ann", "ben", "cho", "dee")
STRANGER = "zoe"
ENCODE = msgspec.json.Encoder().encode
READ_COMMAND = msgspec.json.Decoder(AnyCommand).decode
READ_REFUSAL = msgspec.json.Decoder(Refusal).decode
CODES = frozenset(get_args(Code))
KINDS: tuple[Any, ...] = get_args(AnyCommand)
# What goes on while an irregularity holds the round up, and while an amendment waits to be confirmed.
ALWAYS = (
    commands.Join, commands.BuyIn, commands.CashOut, commands.Leave, commands.Assign, commands.ChangeSetup,
    commands.RequestNoInsurance, commands.Void,
)  # fmt: skip
HELD_UP = (
    *ALWAYS, commands.Report, commands.Rule, commands.Dismiss, commands.Choose, commands.Amend,
    commands.TakeCards, commands.LateChips, commands.RecordChips,
)  # fmt: skip
AMENDING = (*ALWAYS, commands.ConfirmAmendment, commands.DropAmendment)
CUT_SHORT = ("unknown-person", "paused")  # what everything else is refused with
ACTIONS = (
    "void", "continue", "return-stakes", "cut-to-maximum", "cut-stakes", "let-stand", "withdraw",
    "withdraw-all", "fix-order",
)  # fmt: skip
NAMED = ("return-stakes", "cut-to-maximum", "cut-stakes", "let-stand")  # actions about stakes that are named
LOW = 5  # points with which a hand is likely to draw, and insurance to be offered
T = TypeVar("T")
replace = msgspec.structs.replace


# Chance -------------------------------------------------------------------------------------------------


class Chance(Protocol):
    def below(self, end: int) -> int:
        """A number from 0 up to `end`, which is left out."""


class Seeded:
    def __init__(self, seed: int | str) -> None:
        self.random = random.Random(seed)  # noqa: S311 - sample data

    def below(self, end: int) -> int:
        return self.random.randrange(end)


def pick(chance: Chance, items: Sequence[T]) -> T:
    return items[chance.below(len(items))]


def some(chance: Chance, items: Iterable[T]) -> tuple[T, ...]:
    """Each of them or not."""
    return tuple(item for item in items if chance.below(2))


def shuffled(chance: Chance, items: Iterable[T]) -> tuple[T, ...]:
    rest = list(items)
    return tuple(rest.pop(chance.below(len(rest))) for _ in range(len(rest)))


# Set-ups ------------------------------------------------------------------------------------------------


def staff_of(rules: Rulebook) -> dict[str, str]:
    """One person for each rank, named for it."""
    return {f"the-{rank.name}": rank.name for rank in rules.ranks}


def random_setup(chance: Chance, which: Which, layout: str) -> Setup:
    rules = load(which)
    low, high = rules.layouts[layout].positions
    unit = pick(chance, (100, 20, 60, 500, 140))
    decks = rules.decks.min + chance.below(rules.decks.max - rules.decks.min + 1)
    method = pick(chance, rules.dealing)
    optional = "differential" not in rules.limits.displayed.value
    area = rules.limits.wagers_per_area
    private = chance.below(3) == 0
    return Setup(
        rulebook=rules.slug,
        digest=digest_of(rules),
        layout=layout,
        positions=pick(chance, (low, min(high, low + 1), min(high, low + 2))),
        limits=_random_limits(chance, rules.layouts[layout].bets, unit),
        differential=None if optional and chance.below(3) == 0 else unit * pick(chance, (20, 5, 50, 1)),
        decks=decks,
        chip_unit=unit,
        method=method.name if method.face_down or chance.below(2) else _default(rules),
        device="reader" if method.device == "player" or chance.below(2) else "shoe",
        insurance=not private or chance.below(2) == 0,
        private=private,
        high_limit=method.area == "high-limit" or chance.below(2) == 1,
        cut=pick(chance, (14, 52 * decks - 6, 52 * decks - 20, 52 * decks - 30)),
        wagers_per_area=None if area is None else pick(chance, (None, 1, 2, 3)),
        staff=staff_of(rules),
    )


def _default(rules: Rulebook) -> str:
    """A set-up need not name its method where cards are dealt face up."""
    return "" if any(not method.face_down for method in rules.dealing) else rules.dealing[0].name


def _random_limits(chance: Chance, bets: Sequence[str], unit: int) -> dict[str, Limit]:
    def limit() -> Limit:
        low = unit * pick(chance, (1, 2, 5))
        most = low + unit * pick(chance, (40, 9, 0))
        return Limit(low, None if chance.below(4) == 3 else most)

    named = {bet: limit() for bet in (*HANDS, bets[-1]) if chance.below(3) == 2}
    return {"*": limit(), **named}


# Views --------------------------------------------------------------------------------------------------


def unseen_cards(state: State) -> list[Card]:
    """Names on record of cards that lie face down: in the round, in reports, waiting."""
    current, shoe = state.round, state.shoe
    found = [one.name for one in (shoe.waiting if shoe else ()) if not one.face_up]
    if current is not None:
        found += [one.name for one in current.drawn if not one.face_up]
        first = len(current.drawn) + 1
        for report in reports(state):
            places = enumerate(report.drawn, start=report.first or first)
            found += [name for place, name in places if place not in report.shown]
    return [name for name in found if name is not None]


def disguised(state: State, viewer: str, chance: Chance) -> State:
    """The same table with other cards where this viewer sees none.

    Which hand a third card lies at is plain to see, so that stays as it is.
    """
    current, shoe = state.round, state.shoe
    if current is None or shoe is None:
        return state
    deck, table = tuple(Card), state.rulebook.table_of_play

    def other(card: DrawnCard) -> DrawnCard:
        hidden = card.name is not None and not card.face_up and card.holder != viewer
        return replace(card, name=pick(chance, deck)) if hidden else card

    changed = replace(current, drawn=tuple(other(card) for card in current.drawn))
    places = range(INITIAL + 1, len(current.drawn) + 1)
    if any(changed.hand(table, place) is not current.hand(table, place) for place in places):
        changed = current
    waiting = tuple(other(card) for card in shoe.waiting)
    counts = Counter(shoe.drawn)
    counts.subtract(one.name.value for one in (*current.drawn, *shoe.waiting) if one.name)
    counts.update(one.name.value for one in (*changed.drawn, *waiting) if one.name)
    return replace(state, round=changed, shoe=replace(shoe, waiting=waiting, drawn=dict(counts)))


def check_view(state: State, viewer: str, chance: Chance) -> None:
    """Face-down cards are in nobody's view but their squeezer's, and nothing shown depends on them."""
    shown = view(state, viewer)
    text = ENCODE(shown).decode()
    expected = set(state.players) if viewer in state.staff else {viewer} & set(state.players)
    assert set(shown.racks) == expected
    current, shoe = state.round, state.shoe
    if current is None:
        assert not shown.cards
        return
    assert len(shown.cards) == len(current.drawn)
    visible = (
        Counter(one.name.value for one in shoe.waiting if one.face_up and one.name) if shoe else Counter()
    )
    for seen, card in zip(shown.cards, current.drawn, strict=True):
        may_see = card.face_up or card.holder == viewer
        assert seen.card == (card.name if may_see else None), "only the squeezer sees a face-down card"
        assert seen.held_by == (card.holder or None)
        if card.name is not None:
            visible[card.name.value] += may_see
    if current.proposal is not None:
        visible.update(name.value for name in current.proposal.cards if name is not None)
    for name in unseen_cards(state):
        visible[name.value] += 0
    if not unseen_cards(state):
        return
    for value, copies in visible.items():
        assert text.count(f'"{value}"') == copies, "a hidden card is nowhere in the view"
    for side in Side:
        cards = [seen.card for seen in shown.cards if seen.hand is side]
        assert shown.points[side] is None or None not in cards, "points do not tell hidden cards"
    assert ENCODE(view(disguised(state, viewer, chance), viewer)).decode() == text


# Options and commands -----------------------------------------------------------------------------------


def covered(options: Iterable[Option], command: AnyCommand) -> list[Option]:
    """The options that a command is one of; what is free in them may hold anything.

    Cards that may be turned one by one may be turned together.
    """
    found = [option for option in options if type(option.command) is type(command)]
    direct = [option for option in found if _is_one(option, command)]
    if direct or not isinstance(command, commands.Expose) or not command.cards:
        return direct
    single = [replace(command, cards=(place,)) for place in command.cards]
    each = [[option for option in found if _is_one(option, turned)] for turned in single]
    return [option for options in each for option in options] if all(each) else []


def _is_one(option: Option, command: AnyCommand) -> bool:
    return all(name in option.free or _covers(option, command, name) for name in command.__struct_fields__)


def _covers(option: Option, command: AnyCommand, name: str) -> bool:
    listed, wanted = getattr(option.command, name), getattr(command, name)
    if name == "cents" and option.most is not None and option.step is not None:
        return wanted is not None and listed <= wanted <= option.most and (wanted - listed) % option.step == 0
    one_of = {"card": option.cards, "place": (0, *option.places)}.get(name)  # a place need not be named
    if one_of:
        return wanted in one_of
    if (name == "reason" and not listed) or (isinstance(command, commands.Dismiss) and not wanted):
        return True  # one may be given where none is needed; a report need not be named
    if name in ("cards", "silent"):  # their order says nothing
        places = set(option.places)
        return bool(wanted) and set(wanted) <= places if places else set(listed) == set(wanted)
    if name == "player" and not isinstance(command, commands.Leave):  # to name oneself is to name nobody
        return bool((listed or command.by) == (wanted or command.by))
    return bool(listed == wanted)


def variants(option: Option, chance: Chance) -> list[AnyCommand]:
    """An option as listed, at its most and at an amount, a card or places in between."""
    found = [option.command]
    change: Callable[..., Any] = replace
    if option.most is not None and option.step is not None:
        low: int = option.command.cents  # type: ignore[union-attr,assignment]
        steps = (option.most - low) // option.step
        found += [
            change(option.command, cents=option.most),
            change(option.command, cents=low + option.step * chance.below(min(steps, 10**9) + 1)),
        ]
    if option.cards:
        found += [change(option.command, card=option.cards[-1])]
        found += [change(option.command, card=pick(chance, option.cards))]
    if option.places and isinstance(option.command, commands.Draw):
        found += [change(option.command, place=option.places[0])]
    elif option.places:
        found += [change(option.command, cards=some(chance, option.places) or option.places[:1])]
    return found


def most_options(state: State) -> int:
    """So many options at most: some for each person, each box and each bet, and no combinations of them."""
    people, boxes = len(state.players) + 1, state.setup.positions
    return 100 + 20 * people + boxes + people * boxes * (10 * len(state.setup.bets) + 6)


class Anything:
    """Commands of any kind by anybody, sensible or not."""

    def __init__(self, state: State, chance: Chance) -> None:
        self.state, self.chance = state, chance

    def command(self) -> AnyCommand:
        kind = pick(self.chance, KINDS)
        fields = {
            name: getattr(self, name)() for name in kind.__struct_fields__ if name not in ("by", "names")
        }
        if kind in (commands.Correct, commands.Amend):
            fields["cards"] = self.record(kind)
        elif kind is commands.Expose:
            fields["names"] = from_shoe(self.state, self.chance, self.chance.below(4))
            fields["player"] = self.player() if self.chance.below(3) == 0 else ""
        elif kind is commands.Report:
            fields["names"] = (
                {place: self.card() for place in self.shown()} if self.chance.below(4) == 0 else {}
            )
        elif kind is commands.Assign:  # the shift stays as it is
            fields["person"] = pick(self.chance, (STRANGER, "bo", "", "a b", *self.state.players))
        elif kind is commands.LateChips:
            fields["cents"] *= pick(self.chance, (1, -1))
        return kind(by=self.person(), **fields)  # type: ignore[no-any-return]

    def record(self, kind: type) -> tuple[Card | None, ...]:
        """A whole round of other cards, the recorded ones with a change, or something short."""
        current, chance = self.state.round, self.chance
        if chance.below(2) or current is None or not current.drawn:
            return whole_round(self.state, chance) if chance.below(2) else tuple(Card)[: chance.below(6)]
        names = [one.name if one.face_up or kind is commands.Correct else None for one in current.drawn]
        names[chance.below(len(names))] = self.card()
        return tuple(name for name in names if name is not None or kind is commands.Amend)

    def person(self) -> str:
        people = (*self.state.players, *self.state.staff, STRANGER)
        return pick(self.chance, (*people, *people, "", "a b"))

    def player(self) -> str:
        return pick(self.chance, (*self.state.players, *self.state.players, "", self.person()))

    def rank(self) -> str:
        return pick(self.chance, (*(rank.name for rank in self.state.rulebook.ranks), "croupier"))

    def box(self) -> int:
        boxes = tuple(range(1, self.state.setup.positions + 1))
        return pick(self.chance, (*boxes, *boxes, 0, -1, boxes[-1] + 1))

    def bet(self) -> str:
        others = (*self.state.rulebook.bets, "insurance")
        return pick(self.chance, (*self.state.setup.bets, *HANDS, *HANDS, pick(self.chance, others)))

    def cents(self) -> int:
        setup, chance = self.state.setup, self.chance
        unit, limit = setup.chip_unit, setup.limit(pick(chance, setup.bets))
        odd = (0, 1, -unit, unit + 1, LARGEST_STAKE + unit, limit.min - unit, (limit.max or 0) + unit)
        lying = tuple(s.cents for s in self.state.round.stakes.values()) if self.state.round else ()
        even = (unit, limit.min, limit.max or limit.min, setup.differential or unit, *lying)
        choice = chance.below(6)
        if choice == 0:
            return pick(chance, odd)
        return pick(chance, even) if choice < 3 else unit * (1 + chance.below(60))

    def card(self) -> Card | None:
        if self.state.setup.unseen and self.chance.below(4):
            return None
        return pick(self.chance, tuple(Card))

    def cards(self) -> tuple[int, ...]:
        """Places in the order drawn."""
        return (*some(self.chance, range(1, 7)), *pick(self.chance, ((), (), (), (0,), (7,), (1, 1))))

    def place(self) -> int:
        """None, the one that is due, or any."""
        due = len(self.state.round.drawn) + 1 if self.state.round else 1
        return pick(self.chance, (0, 0, due, due, self.chance.below(8)))

    def silent(self) -> tuple[str, ...]:
        """Those who have yet to answer, or others."""
        current = self.state.round
        return silent_people(self.state, current) if current and self.chance.below(2) else self.players()

    def note(self) -> str:
        return pick(self.chance, ("", "the sleeve caught a card"))

    def hand(self) -> Side:
        return pick(self.chance, tuple(Side))

    def reason(self) -> str:
        return pick(self.chance, ("misdeal", "misdeal", " "))

    def case(self) -> str:
        return pick(self.chance, (*(one.case for one in self.state.rulebook.procedures), "earthquake", ""))

    def drawn(self) -> tuple[Card | None, ...]:
        """Up to three cards, mostly such as the shoe still holds."""
        if self.chance.below(2) or self.state.shoe is None:
            return ()
        if self.chance.below(8) == 0:
            return tuple(self.card() for _ in range(4))
        return from_shoe(self.state, self.chance, 1 + self.chance.below(3))

    def shown(self) -> tuple[int, ...]:
        return some(self.chance, range(1, 8)) if self.chance.below(4) == 0 else ()

    def players(self) -> tuple[str, ...]:
        return (*some(self.chance, self.state.players), *pick(self.chance, ((), (), (), (STRANGER,))))

    def order_known(self) -> bool | None:
        return pick(self.chance, (True, False, None))

    values_known = order_known

    def round(self) -> int | None:
        return pick(self.chance, (None, None, None, self.state.rounds, self.state.rounds - 1, 0))

    def window(self) -> int:
        return pick(self.chance, (0, 0, 1, 2, 3))

    def displayed(self) -> str:
        return pick(self.chance, ("", "", *(side.value for side in Side), "tie"))

    def wrongly(self) -> bool:
        return self.chance.below(3) == 0

    def choice(self) -> str:
        return pick(self.chance, ("continue", "return"))

    def wagers(self) -> tuple[tuple[int, str], ...]:
        if self.chance.below(3):
            return ()
        lying = self.state.round.stakes.values() if self.state.round else ()
        return some(self.chance, [(stake.box, stake.bet) for stake in lying])

    def inputs(self) -> Inputs:
        """Findings and decisions of any kind; few rulings ask for all of them."""
        chance, current = self.chance, self.state.round
        cards, stakes = (current.cards, current.stakes) if current else ((), {})
        named = [(stake.player, stake.box, stake.bet) for stake in stakes.values()]
        given: dict[str, Any] = {
            "reconstructable": bool(chance.below(2)),
            "order": shuffled(chance, range(1, 1 + chance.below(4))),
            "replace_cards": True,
            "action": pick(chance, ACTIONS),
            "stakes": (*some(chance, named), *pick(chance, ((), (), (), ((STRANGER, 1, "tie"),)))),
            "amounts": tuple(self.cents() for _ in range(chance.below(3))),
            "overrides": (pick(chance, range(1, 50)),),
            "intended": self.players(),
            "names": {
                str(place): pick(chance, tuple(Card)) for place in some(chance, range(1, len(cards) + 1))
            },
            "substitutes": {str(place): pick(chance, tuple(Card)) for place in some(chance, (1, 2, 3))},
            "set_aside": from_shoe(self.state, chance, 2),
            "reason": self.reason(),
        }
        return Inputs(**{name: given[name] for name in given if chance.below(3) == 0})

    def rulebook(self) -> str:
        return pick(self.chance, (self.state.setup.rulebook,) * 4 + ("earthquake",))

    def digest(self) -> str:
        """The text that is played by, the latest, or another one."""
        return pick(
            self.chance, (self.state.setup.digest, "", other_text(self.state.rulebook), "no such text")
        )

    def layout(self) -> str:
        return pick(self.chance, ("", "", *self.state.rulebook.layouts, "Z"))

    def ranks(self) -> dict[str, str]:
        rank = self.rank()
        return pick(self.chance, ({}, {}, {rank: rank}, {"croupier": rank}))

    def changes(self) -> Changes:
        chance, setup = self.chance, self.state.setup
        changed: dict[str, Any] = {
            "limits": _random_limits(chance, setup.bets, setup.chip_unit),
            "differential": setup.chip_unit * pick(chance, (10, 1, 0)),
            "method": pick(chance, (*(method.name for method in setup.book.dealing), "Z")),
            "insurance": bool(chance.below(2)),
            "wagers_per_area": pick(chance, (1, 2, 3, 4)),
            "cut": pick(chance, (14, 52 * setup.decks - 10, -1)),
            "device": pick(chance, ("shoe", "reader")),
        }
        return Changes(**{name: changed[name] for name in changed if chance.below(4) == 0})


OTHERS: dict[str, str] = {}  # by digest, the other one of two texts


def other_text(rules: Rulebook) -> str:
    """The digest of a text that pays otherwise for the last bet of the rulebook."""
    own = digest_of(rules)
    if own not in OTHERS:
        name, bet = list(rules.bets.items())[-1]
        pays = tuple(replace(one, odds=Odds(f"{one.odds.numerator + 1} to 1")) for one in bet.pays)
        changed = replace(rules, bets={**rules.bets, name: replace(bet, pays=pays)})
        other = digest_of(remember(canonical(changed)))
        OTHERS.update({own: other, other: own})
    return OTHERS[own]


def whole_round(state: State, chance: Chance) -> tuple[Card, ...]:
    """Random cards that make a whole round."""
    deck = tuple(Card)
    cards: tuple[Card, ...] = ()
    while next_hand(state.rulebook.table_of_play, cards) is not None:
        cards = (*cards, pick(chance, deck))
    return cards


def from_shoe(state: State, chance: Chance, number: int) -> tuple[Card, ...]:
    """So many cards that may come out of the shoe next; fewer if it holds no more."""
    shoe = state.shoe
    if shoe is None:
        return ()
    counts = Counter(shoe.drawn)
    found: list[Card] = []
    while len(found) < min(number, shoe.left):
        left = [card for card in Card if counts[card.value] < shoe.size // 52]
        found.append(pick(chance, left))
        counts[found[-1].value] += 1
    return tuple(found)


# The table ----------------------------------------------------------------------------------------------


class Table:
    """A log under audit."""

    def __init__(self, setup: Setup) -> None:
        opened = start(setup)
        self.log: list[AnyEvent] = [opened]
        self.state = replay(self.log)
        self.audit = Audit()

    def do(self, command: AnyCommand) -> tuple[AnyEvent, ...] | Refusal:
        """Decide and take what follows, every event checked."""
        decided, first = self.ask(command), self.state
        if isinstance(decided, Refusal):
            return decided
        for event in decided:
            before, self.state = self.state, evolve(self.state, event)
            self.log.append(event)
            self.audit.event(before, event, self.state)
        self.audit.command(command, self.state)
        assert self.state != first, "what changes nothing is refused"
        return decided

    def must(self, *wanted: AnyCommand) -> None:
        """Commands that have to be accepted."""
        for command in wanted:
            decided = self.do(command)
            assert not isinstance(decided, Refusal), (command, decided)

    def ask(self, command: AnyCommand) -> tuple[AnyEvent, ...] | Refusal:
        """Decide only; a refusal is well formed."""
        decided = decide(self.state, command)
        meanwhile = AMENDING if self.proposed else HELD_UP
        if (self.proposed or self.pending is not None) and not isinstance(command, meanwhile):
            assert isinstance(decided, Refusal), "everything else waits"
            assert decided.code in CUT_SHORT, "everything else waits"
        if isinstance(decided, Refusal):
            assert READ_REFUSAL(ENCODE(decided)) == decided
            assert decided.code in CODES
            assert decided.sentence.strip()
        else:
            assert decided, "a command that is accepted has an event"
        return decided

    @property
    def pending(self) -> Pending | None:
        return self.state.round.pending if self.state.round else None

    @property
    def proposed(self) -> bool:
        return self.state.round is not None and self.state.round.proposal is not None

    def check_replay(self) -> None:
        again = replay(READ_EVENT(ENCODE(event)) for event in self.log)
        assert again == self.state, "the log comes to the state"
        assert state_hash(again) == state_hash(self.state)

    def people(self) -> tuple[str, ...]:
        return (*self.state.players, *self.state.staff, STRANGER)


# What goes wrong ----------------------------------------------------------------------------------------


class Mishaps:
    """Reports with details that fit their case, and rulings with all that they ask for."""

    def __init__(self, state: State, chance: Chance) -> None:
        assert state.round is not None
        self.state, self.chance, self.current = state, chance, state.round

    def case(self) -> Procedure:
        """Any case; seldom one that can only void the round, often the one about insurance while it is open."""
        procedures = self.state.rulebook.procedures
        likely = set(self.likely())
        about = tuple(one for one in procedures if not likely.isdisjoint(one.about))
        if about and self.chance.below(2):
            return pick(self.chance, about)
        if self.chance.below(4):
            procedures = tuple(
                one for one in procedures if any("void" not in ruling.remedy for ruling in one.rulings)
            )
        return pick(self.chance, procedures)

    def likely(self) -> Iterable[str]:
        """What the table as it lies gives occasion for."""
        current, limit = self.current, self.state.setup.limit
        if current.late:
            yield from ("late-chips", "taken-chips")
        if current.handed:
            yield from ("absent-handler", "left-with-cards", "wrong-person")
        if current.phase == "dealing" and len(current.seen) >= INITIAL:
            yield "neglected-insurance"
        if current.phase == "dealing" and current.drawn:
            yield from ("device-reset", "drawn-together")
        if any(stake.cents < limit(stake.bet).min for stake in current.stakes.values()):
            yield "below-minimum"
        if any(stake.cents > (limit(stake.bet).max or stake.cents) for stake in current.stakes.values()):
            yield "above-maximum"
        boxes: tuple[int | None, ...] = (None, *range(1, self.state.setup.positions + 1))
        if any(excess(self.state.setup, current.stakes.values(), box) for box in boxes):
            yield "differential"

    def report(self, procedure: Procedure | None = None) -> commands.Report:
        chance, current = self.chance, self.current
        procedure = procedure or self.case()
        kinds = [DETAILS[about] for about in procedure.about] or [CARDS]
        used = frozenset().union(*kinds)
        asked = {name for every in every_fact(procedure) for name in every}
        details: dict[str, Any] = self._cards() if "drawn" in used else {}
        if "players" in used:
            bettors = sorted({*current.handed.values(), *(s.player for s in current.stakes.values())})
            details["players"] = some(chance, bettors)
        if "box" in used and chance.below(4) == 0:
            details["box"] = 1
        if "window" in used:
            details["window"] = pick(chance, (0, 1, 1, 2))
        if "displayed" in used:
            details["displayed"] = pick(chance, ("player", "banker", "tie"))
        for name in ("order_known", "values_known"):
            if name in asked:
                details[name] = bool(chance.below(2))
        earlier = "earlier-round" in procedure.about or chance.below(12) == 0
        details["round"] = max(current.number - 1, 1) if earlier else None
        by = pick(chance, [who for who, rank in self.state.staff.items() if rank])
        details = {name: value for name, value in details.items() if name in {*used, *asked, "round"}}
        return commands.Report(by=by, case=procedure.case, **details)

    def neglect(self) -> commands.Report | None:
        """Who said nothing to an offer was never made it."""
        procedure = self.state.rulebook.procedure("neglected-insurance")
        over = windows_over(self.state, self.current)
        silent = [(number, one.silent) for number, one in over.items() if one.silent]
        if procedure is None or not silent:
            return None
        number, people = pick(self.chance, silent)
        by = next(iter(self.state.staff))
        return commands.Report(by=by, case=procedure.case, window=number, players=some(self.chance, people))

    def _cards(self) -> dict[str, Any]:
        """Cards that came out, named where they were seen; places of others."""
        chance, current, shoe = self.chance, self.current, self.state.shoe
        assert shoe is not None
        reported = sum(len(report.drawn) for report in reports(self.state))
        first = len(current.drawn) + reported + 1
        number = pick(chance, (0, 1, 2, 2, 3)) if current.phase in ("dealing", "settled") else 0
        names: list[Card | None] = [one.name if one.face_up else None for one in shoe.waiting[:number]]
        unnamed = [one.name is None for one in shoe.waiting[:number]]
        names += from_shoe(self.state, chance, number - len(names))
        unnamed += [True] * (len(names) - len(unnamed))
        face_up = not self.state.setup.dealing.face_down
        seen = {first + n for n in range(len(names)) if face_up or chance.below(2)}
        seen |= {first + n for n, one in enumerate(shoe.waiting[: len(names)]) if one.face_up}
        if self.state.setup.unseen:
            names = [name if first + n in seen else None for n, name in enumerate(names)]
        known = from_shoe(self.state, chance, len(names) + LONGEST)[len(names) :]
        shown = {place for place in current.hidden if chance.below(4) == 0} if chance.below(2) else set()
        more = {p: c for p, c in zip(sorted(shown), known, strict=False) if current.drawn[p - 1].name is None}
        last = len(current.drawn)
        touched = pick(
            chance, ((), (), tuple(range(max(last - 1, 1), last + 1)), some(chance, range(1, first)))
        )
        for n, one in enumerate(shoe.waiting[: len(names)]):
            if one.name is None and first + n in seen and names[n] is None:
                names[n] = pick(chance, tuple(Card))
        return {"drawn": tuple(names), "shown": tuple(sorted(seen | shown)), "names": more, "cards": touched}

    # Rulings

    def ruling(self, pending: Pending) -> Inputs:
        """One of those that have to be accepted, with an order, findings and decisions of its own."""
        chance, state = self.chance, self.state
        procedure = next(one for one in state.rulebook.procedures if one.case == pending.case)
        inputs = pick(chance, list(rulings(state, self.current, pending, procedure)))
        spare = from_shoe(state, chance, 2 * LONGEST)
        names = dict(zip(inputs.names, spare, strict=False))
        found: dict[str, Any] = {
            "order": shuffled(chance, inputs.order),
            "names": names,
            "substitutes": dict(zip(inputs.substitutes, spare, strict=False)),
            "intended": some(chance, self._may_have_intended(pending)) if pending.window else (),
            "replace_cards": chance.below(2) == 0,
        }
        return replace(inputs, **found | (self.decision(pending) if inputs.action else {}))

    def _may_have_intended(self, pending: Pending) -> list[str]:
        """People with an Original Bet whose own answer is not on record."""
        return sorted(affected(self.state, self.current, pending.window, ()))

    def decision(self, pending: Pending) -> dict[str, Any]:
        """What the rank that decides may decide on a round as it lies."""
        current, chance = self.current, self.chance
        if pending.earlier:
            return {"action": "continue"}
        action = pick(chance, ACTIONS)
        lying = current.stakes.values()
        stakes: tuple[Stake, ...] = some(chance, lying) or tuple(lying)[:1]
        if action == "cut-to-maximum":
            stakes = tuple(s for s in lying if s.cents > (self.state.setup.limit(s.bet).max or s.cents))
        if action == "let-stand":
            stakes = tuple(s for s in lying if self._may_stand(pending, s))
        unit = self.state.setup.chip_unit
        if action == "fix-order" and in_use(self.state):
            order = shuffled(chance, range(1, len(in_question(current, pending)) + 1))
            return {"action": action, "order": order} if order else {"action": "continue"}
        if action == "fix-order" or (action in NAMED and not stakes):
            return {"action": "continue"}
        if action not in NAMED:
            return {"action": action}
        named = tuple((stake.player, stake.box, stake.bet) for stake in stakes)
        less = tuple(unit * chance.below(max(stake.cents // unit, 1)) for stake in stakes)
        return {"action": action, "stakes": named, "amounts": less if action == "cut-stakes" else ()}

    def _may_stand(self, pending: Pending, stake: Stake) -> bool:
        """Whether a limit keeps a stake from playing in full."""
        named = Inputs(action="let-stand", stakes=((stake.player, stake.box, stake.bet),), reason="so be it")
        case = next(one for one in self.state.rulebook.procedures if "uncovered" in one.about)
        top = max(
            self.state.staff,
            key=lambda who: len(ranks_that_may(self.state.rulebook, self.state.staff[who])) * -1,
        )
        alone = replace(self.current, pending=replace(pending, case=case.case, facts={}), reported=())
        asked = decide(replace(self.state, round=alone), commands.Rule(by=top, inputs=named))
        return not isinstance(asked, Refusal)

    def override(self, pending: Pending) -> Inputs | None:
        """A reading behind the case is set aside, where one is."""
        procedure = next(one for one in self.state.rulebook.procedures if one.case == pending.case)
        if not procedure.interpretations:
            return None
        number = pick(self.chance, procedure.interpretations)
        return Inputs(overrides=(number,), reason="not this time", **self.decision(pending))


# The walk -----------------------------------------------------------------------------------------------


class Walk:
    """Goes on at a table, step after step, wherever chance leads.

    `misread` are cards of the round that were recorded as others: what they really are, by place. `reported` counts
    cases by how far the round had got, so that rare ones come up.
    """

    def __init__(
        self,
        setup: Setup,
        chance: Chance,
        reported: Counter[str] | None = None,
        table: Table | None = None,
    ) -> None:
        self.table, self.chance = table or Table(setup), chance
        self.misread: dict[int, Card] = {}
        self.reported = Counter() if reported is None else reported
        self.shift = {rank: person for person, rank in setup.staff.items()}
        for player in PLAYERS[: 2 + chance.below(3)]:
            self.table.do(commands.Join(by=player))
            cents = setup.chip_unit * (20 + chance.below(400))
            self.table.do(commands.BuyIn(by=player, cents=cents))
            self.table.do(commands.Sit(by=player, box=1 + chance.below(setup.positions)))

    @property
    def state(self) -> State:
        return self.table.state

    def plays(self, number: int) -> None:
        """Only what a dealer and others would do, without looking at options and views: quick."""
        for _ in range(number):
            move = self.advance if self.chance.below(10) else self.listed
            move()
        self.table.check_replay()

    def steps(self, number: int) -> None:
        for step in range(number):
            kind = self.chance.below(10)
            move = self.advance if kind < 7 else self.listed if kind < 8 else self.anything
            move()
            if step % 6 == 0:
                self.probe()
            self.views()
        self.table.check_replay()

    # What a dealer would do next

    def advance(self) -> None:
        """The next thing in the order of a round, or something goes wrong."""
        if self.table.proposed:
            self._confirm()
            return
        if self.table.pending is not None:
            self._resolve(self.table.pending)
            return
        if self.can_go_wrong and self.chance.below(4 if self._is_delicate else 12) == 0:
            self.goes_wrong()
            return
        step = {
            "idle": self._between,
            "settled": self._settled,
            "void": self._between,
            "betting": self._betting,
            "adjusting": self._adjusting,
            "dealing": self._dealing,
        }[self.state.phase]
        step()

    def staff(self, rank: str) -> str:
        """Somebody of that rank; ranks may have been given up."""
        return next((who for who, has in self.state.staff.items() if has == rank), self.shift[rank])

    @property
    def dealer(self) -> str:
        return self.staff(self.state.rulebook.authority.deals.value)

    @property
    def supervisor(self) -> str:
        return self.staff(self.state.rulebook.authority.amends.value)

    def top(self) -> str:
        """Who decides what the rules do not cover."""
        return self.staff(self.state.rulebook.authority.decides.value)

    # What goes wrong

    @property
    def can_go_wrong(self) -> bool:
        return self.state.phase not in ("idle", "void") and not self.table.proposed

    @property
    def _is_delicate(self) -> bool:
        """Somebody has cards in hand, insurance is being offered, or chips lie where they should not."""
        current = self.state.round
        if current is None or current.phase == "settled":
            return False
        occasions = set(Mishaps(self.state, self.chance).likely()) - {"device-reset", "drawn-together"}
        return bool(occasions)

    @property
    def is_held_up(self) -> bool:
        return self.table.pending is not None or self.table.proposed

    @property
    def is_on_record(self) -> bool:
        """Whether there is something that could have been recorded wrongly."""
        return self.state.phase in ("dealing", "settled") and not self.table.proposed

    def puts_right(self) -> None:
        """Cards or chips that were recorded wrongly."""
        if self.chance.below(2):
            self._amend()
        else:
            self._put_chips_right()

    def goes_wrong(self) -> None:
        """A report of any case, rather of a rare one, mostly with details that fit it."""
        mishaps = Mishaps(self.state, self.chance)
        neglect = mishaps.neglect()
        if neglect is not None and self.chance.below(2):
            self.table.do(neglect)
            return
        assert self.state.round is not None
        stage = f"{self.state.phase}/{len(self.state.round.drawn)}"
        cases = [mishaps.case() for _ in range(3)]
        procedure = min(cases, key=lambda one: self.reported[f"{one.case}/{stage}"])
        for _ in range(3):
            if not isinstance(self.table.do(mishaps.report(procedure)), Refusal):
                self.reported[f"{procedure.case}/{stage}"] += 1
                self.misread = {}  # cards may be moved about
                return

    def _resolve(self, pending: Pending) -> None:
        """A ruling, a choice that is outstanding, a dismissal or one more report, by whoever may."""
        what = self.chance.below(16)
        if what < 2:
            self.choose(self._somebody(), commands.Rule, commands.Choose, commands.Dismiss)
        elif what == 2:
            self.goes_wrong()
        elif what == 3:
            self._put_chips_right()
        elif what == 4 and pending.inputs is None:
            case = pick(self.chance, ("", pending.case))
            self.table.must(commands.Dismiss(by=self.top(), reason="it was nothing", case=case))
        elif pending.inputs is None:
            self._rule(pending)
        else:
            self._chooses(pending)

    def _chooses(self, pending: Pending) -> None:
        assert self.state.round is not None
        asked = pick(self.chance, to_choose(self.state, self.state.round))
        by = self.dealer if self.chance.below(4) == 0 else asked
        choice = pick(self.chance, ("continue", "continue", "return"))
        wagers: tuple[tuple[int, str], ...] = ()
        if choice == "return" and pending.singly and self.chance.below(2):
            wagers = Anything(self.state, self.chance).wagers()
        named = asked if by != asked else ""
        command = commands.Choose(by=by, player=named, choice=choice, wagers=wagers)  # type: ignore[arg-type]
        chosen = self.table.do(command)
        assert wagers or not isinstance(chosen, Refusal), "who is asked may choose"

    def _rule(self, pending: Pending) -> None:
        state, chance = self.state, self.chance
        mishaps = Mishaps(state, chance)
        what = chance.below(24)
        if what < 3:
            inputs = Anything(state, chance).inputs()
            self.table.do(commands.Rule(by=pick(chance, list(state.staff)), inputs=inputs))
        elif what == 3:
            self.table.must(commands.Void(by=self.top(), reason="misdeal"))
        elif what < 7 and (override := mishaps.override(pending)) is not None:
            self.table.do(commands.Rule(by=self.top(), inputs=override))
        else:
            inputs = mishaps.ruling(pending)
            ruled = self.table.do(commands.Rule(by=self.top(), inputs=inputs))
            if (
                isinstance(ruled, Refusal) and ruled.code == "input-not-used"
            ):  # not every ruling asks for these
                inputs = replace(inputs, replace_cards=False)
                ruled = self.table.do(commands.Rule(by=self.top(), inputs=inputs))
            if isinstance(ruled, Refusal) and ruled.code == "input-not-used":
                ruled = self.table.do(commands.Rule(by=self.top(), inputs=replace(inputs, intended=())))
            if isinstance(ruled, Refusal) and ruled.said.key == "order-leaves-round-unfinished":
                # Its shoe is gone: of the orders that somebody may decide on, that in which they lie is left.
                inputs = replace(inputs, order=tuple(range(1, len(inputs.order) + 1)))
                ruled = self.table.do(commands.Rule(by=self.top(), inputs=inputs))
            assert not isinstance(ruled, Refusal), f"what was reported can be ruled on: {ruled}"

    # Records that are put right

    def _confirm(self) -> None:
        """Two people agree; now and then the record was right after all."""
        current = self.state.round
        assert current is not None
        assert current.proposal is not None
        if self.chance.below(6) == 0:
            self.table.must(commands.DropAmendment(by=current.proposal.by, reason="it was right"))
            return
        others = [who for who in (self.top(), self.supervisor, self.dealer) if who != current.proposal.by]
        by = others[0] if self.chance.below(4) else pick(self.chance, others)
        confirmed = self.table.do(commands.ConfirmAmendment(by=by))
        assert by != others[0] or not isinstance(confirmed, Refusal), "an amendment can be confirmed"
        if not isinstance(confirmed, Refusal):
            self.misread = {}

    def _amend(self) -> None:
        """What was misread is named rightly, or the record is said to be wrong somewhere."""
        current, chance = self.state.round, self.chance
        assert current is not None
        cards = [one.name if one.face_up else None for one in current.drawn]
        if self.misread:
            for place, card in self.misread.items():
                if place <= len(cards) and cards[place - 1] is not None:
                    cards[place - 1] = card
        else:
            seen = [n for n, name in enumerate(cards) if name is not None]
            if seen:
                cards[pick(chance, seen)] = (
                    from_shoe(self.state, chance, 1)[:1][0] if chance.below(8) else None
                )
            if chance.below(4) == 0:
                cards = cards[:-1]
            elif chance.below(4) == 0:
                cards += from_shoe(self.state, chance, 1)
        by = pick(chance, (self.dealer, self.supervisor, self.top()))
        self.table.do(commands.Amend(by=by, cards=tuple(cards), reason="keyed wrongly"))

    def _put_chips_right(self) -> None:
        """Chips that lay otherwise at the close, or were added or taken since."""
        state, chance, current = self.state, self.chance, self.state.round
        assert current is not None
        anything, unit = Anything(state, chance), state.setup.chip_unit
        lying = list(current.closed.values())
        one = pick(chance, lying) if lying and chance.below(4) else None
        player, box = (one.player, one.box) if one else (pick(chance, state.players), anything.box())
        bet = one.bet if one else pick(chance, (*HANDS, anything.bet()))
        if chance.below(2) and current.phase == "dealing":
            cents = unit * (1 + chance.below(20)) * pick(chance, (1, -1))
            self.table.do(commands.LateChips(by=self.dealer, player=player, box=box, bet=bet, cents=cents))
            return
        cents = unit * chance.below(60) if chance.below(4) else 0
        who = self.supervisor if chance.below(2) else self.top()
        right = commands.RecordChips(
            by=who, player=player, box=box, bet=bet, cents=cents, reason="so they lay"
        )
        self.table.do(right)

    # From round to round

    def _settled(self) -> None:
        """Until the next round a record can be put right, and the round be voided."""
        what = self.chance.below(4 if self.misread else 12)
        if what < 2:
            self._amend()
        elif what == 2:
            if self.misread:
                self._between()
            else:
                cards = whole_round(self.state, self.chance)
                self.table.do(commands.Correct(by=self.top(), cards=cards, reason="misread"))
        elif what == 3:
            self._put_chips_right()
        elif what == 4:
            self.table.must(commands.Void(by=self.top(), reason="misdeal"))
        elif what == 5:
            player = pick(self.chance, self.state.players)
            self.table.do(commands.CashOut(by=player, cents=self.state.rack(player)))
        else:
            self._between()

    def _between(self) -> None:
        shoe, chance = self.state.shoe, self.chance
        if self.state.setup.private and chance.below(6) == 0:
            self._ask_for_no_insurance()
        elif shoe is None or shoe.cut_out or shoe.to_come < LONGEST:
            self.table.must(commands.NewShoe(by=self.dealer))
        else:
            self.misread = {}
            self.table.must(commands.Open(by=self.dealer))

    def _ask_for_no_insurance(self) -> None:
        player = pick(self.chance, self.state.players)
        self.table.do(commands.RequestNoInsurance(by=player))
        changes = Changes(insurance=bool(self.chance.below(2)))
        manager = self.staff(self.state.rulebook.authority.manages.value)
        self.table.do(commands.ChangeSetup(by=manager, changes=changes))

    def _betting(self) -> None:
        what = self.chance.below(14)
        if what < 2:
            self._raised()
            self.table.must(commands.Close(by=self.dealer))
        elif what == 2:
            self.choose(pick(self.chance, self.state.players), commands.TakeBack)
        elif what == 3:
            self._record()
        elif what == 4:
            self._leave()
        elif what == 5 and self.state.setup.dealing.device == "player":
            self._give_device()
        else:
            self._place(pick(self.chance, self.state.players))

    def _raised(self) -> None:
        """Who was told to raise takes the bet back instead."""
        current = self.state.round
        assert current is not None
        for key in current.must_raise:
            stake = self.state.round.stakes.get(key) if self.state.round else None
            if stake is not None and stake.cents < self.state.setup.limit(stake.bet).min:
                self.table.do(commands.TakeBack(by=stake.player, box=stake.box, bet=stake.bet))

    def _place(self, player: str) -> None:
        """A bet by somebody who has a seat and chips, if there is a seat to be had."""
        state, unit = self.state, self.state.setup.chip_unit
        if state.rack(player) < 50 * unit:
            self.table.do(commands.BuyIn(by=player, cents=unit * 200))
        if player not in state.seats.values():
            free = [box for box in range(1, state.setup.positions + 1) if box not in state.seats]
            self.table.do(commands.Sit(by=player, box=pick(self.chance, free or [1])))
        self.choose(player, commands.Place)

    def _record(self) -> None:
        """Chips that nobody noticed, mostly on either hand, whatever the limits."""
        anything = Anything(self.state, self.chance)
        command = commands.RecordChips(
            by=self.dealer,
            player=pick(self.chance, self.state.players),
            box=anything.box(),
            bet=pick(self.chance, (*HANDS, *HANDS, anything.bet())),
            cents=self.state.setup.chip_unit * self.chance.below(pick(self.chance, (80, 5))),
        )
        self.table.do(command)

    def _adjusting(self) -> None:
        current = self.state.round
        assert current is not None
        sums = {hand: total(current.stakes.values(), hand) for hand in HANDS}
        heavier = max(HANDS, key=lambda hand: sums[hand])
        over = abs(sums["player"] - sums["banker"]) - (self.state.setup.differential or 0)
        if over <= 0:
            self._raised()
            self.table.do(commands.Close(by=self.dealer))
        elif self.chance.below(3):
            person = pick(self.chance, self.state.players)
            self.choose(person, commands.TakeBack, commands.Place)
        else:
            stake = max((s for s in current.stakes.values() if s.bet == heavier), key=lambda s: s.cents)
            left = stake.cents - over
            cents = over if left >= self.state.setup.limit(heavier).min else stake.cents
            self.table.must(
                commands.Remove(by=self.top(), player=stake.player, box=stake.box, bet=heavier, cents=cents)
            )

    # Cards

    def _dealing(self) -> None:
        state, current = self.state, self.state.round
        assert current is not None
        first = not current.drawn and current.cut_first
        insuring = open_windows(state, current)
        if self.chance.below(6) == 0:
            self._happens(current)
        elif insuring and self.chance.below(3):
            self._answer(current)
        elif insuring and self.chance.below(2):
            silent = silent_people(state, current)
            self.table.must(commands.CloseInsurance(by=self.dealer, silent=silent))
        elif self._cut_card_comes_first(current):
            self.table.do(commands.CutCard(by=self.dealer))
        elif first and self.chance.below(3):
            self.table.do(commands.AllowWithdrawal(by=self.dealer))
            self.choose(pick(self.chance, state.players), commands.TakeBack)
        elif state.setup.dealing.face_down and self.chance.below(3) == 0:
            self._squeeze(current)
        elif due_hand(state, current) is not None:
            self._draw()
        elif current.hidden:
            self._expose(current, current.hidden)
        else:
            self._settle()

    def _leave(self) -> None:
        """Somebody goes, or is stood up."""
        what = self.chance.below(4)
        if what < 2:
            player = pick(self.chance, self.state.players)
            self.table.do(
                commands.Leave(by=self.supervisor, player=player) if what else commands.Leave(by=player)
            )

    def _happens(self, current: Round) -> None:
        """What people do in between."""
        what = self.chance.below(6)
        if what < 2:
            self._put_chips_right()
        elif what == 2:
            self._leave()
        elif what == 3 and current.drawn:
            self._amend()
        elif current.handed:
            taken = some(self.chance, current.handed) or tuple(current.handed)
            self.table.must(commands.TakeCards(by=self.dealer, cards=taken, reason="does not answer"))
        elif current.hidden:
            place, player = pick(self.chance, current.hidden), pick(self.chance, self.state.players)
            wrongly = commands.HandOver(by=self.dealer, cards=(place,), player=player, wrongly=True)
            self.table.do(wrongly)

    def _settle(self) -> None:
        """The end of the round; where a decision is wanted first, it is asked for."""
        settled = self.table.do(commands.Settle(by=self.dealer))
        if isinstance(settled, Refusal):
            assert settled.code == "decision-needed", settled
            uncovered = self.state.rulebook.procedure("uncovered")
            assert uncovered is not None
            self.table.must(commands.Report(by=self.dealer, case=uncovered.case))

    def _answer(self, current: Round) -> None:
        """Somebody with a bet buys insurance if possible, or says no."""
        betting = sorted({stake.player for stake in current.stakes.values() if stake.bet in HANDS})
        player = pick(self.chance, betting or self.state.players)
        self.choose(player, *pick(self.chance, ((commands.Insure,), (commands.Insure, commands.Decline))))

    def _cut_card_comes_first(self, current: Round) -> bool:
        shoe = self.state.shoe
        assert shoe is not None
        is_next = not shoe.cut_out and not shoe.waiting and shoe.left <= self.state.setup.cut
        return is_next and not current.drawn and self.chance.below(4) > 0

    def _read(self, place: int) -> Card:
        """A card as it is recorded: sometimes another than it is; rather a low one, so that hands draw."""
        found = from_shoe(self.state, self.chance, 4)
        if self.chance.below(2):
            found = tuple(sorted(found, key=lambda card: card.points > LOW))
        if len(found) > 1 and self.chance.below(12) == 0:
            self.misread[place] = found[1]
        return found[0]

    def _draw(self) -> None:
        shoe, current = self.state.shoe, self.state.round
        assert shoe is not None
        assert current is not None
        if cards_to_come(self.state) == 0:
            self._run_out()
            return
        waits = shoe.waiting[0] if shoe.waiting else None
        named = self.state.setup.unseen or (waits is not None and waits.name is not None)
        card = None if named else self._read(len(current.drawn) + 1)
        by = self.state.device or self.dealer
        drawn = self.table.do(commands.Draw(by=by, card=card))
        if isinstance(drawn, Refusal):
            assert drawn.code == "not-allowed-here", drawn
            self._device_is_wanted()

    def _run_out(self) -> None:
        """No card is left: that is an irregularity of its own."""
        procedure = self.state.rulebook.procedure("too-few-cards")
        assert procedure is not None
        self.table.must(commands.Report(by=self.dealer, case=procedure.case))

    def _device_is_wanted(self) -> None:
        """Whoever has it may not draw, or nobody has it yet."""
        current = self.state.round
        assert current is not None
        if self.state.device is None:
            self._give_device()
        elif current.drawn or self.state.device in current.gone or self.chance.below(2):
            self.table.must(commands.TakeDevice(by=self.dealer))
        else:
            leave = commands.GiveDevice(by=self.staff("assistant-casino-manager"), player=self.state.device)
            self.table.must(leave)

    def _give_device(self) -> None:
        current = self.state.round
        assert current is not None
        there = [player for player in self.state.players if player not in current.gone]
        with_wager = [stake.player for stake in current.stakes.values() if stake.player in there]
        if with_wager and self.chance.below(4):
            self.table.do(commands.GiveDevice(by=self.dealer, player=pick(self.chance, with_wager)))
        elif there:
            manager = self.staff("assistant-casino-manager")
            self.table.do(commands.GiveDevice(by=manager, player=pick(self.chance, there)))

    def _squeeze(self, current: Round) -> None:
        """Requests, permissions and the order of the third cards, whatever can be had."""
        line = in_line(self.state, current) or list(self.state.players)
        to_come = tuple(range(len(current.drawn) + 1, LONGEST + 1))
        asked = tuple(place for place in current.requests.get(line[0], ()) if place in to_come)
        manager = self.staff(self.state.rulebook.authority.manages.value)
        first = (
            commands.RequestBankerThirdFirst(by=line[0]),
            commands.BankerThirdFirst(by=manager, player=line[0]),
            commands.PermitSqueeze(by=manager, player=line[0], cards=asked or to_come),
            commands.RequestSqueeze(by=line[0], cards=to_come),
            commands.RefuseCards(by=line[0], hand=pick(self.chance, tuple(Side))),
            commands.RevealFirst(by=self.dealer, hand=pick(self.chance, tuple(Side))),
        )
        begin = self.chance.below(len(first)) if current.drawn else 2
        for command in first[begin:] + first[:begin]:
            if not isinstance(self.table.do(command), Refusal):
                return

    def _expose(self, current: Round, hidden: tuple[int, ...]) -> None:
        """Hand a card over to whom it belongs, or turn what can be turned."""
        place = pick(self.chance, hidden)
        willing = handlers(self.state, current, place) if place not in current.handed else []
        if willing and self.chance.below(2):
            self.table.must(commands.HandOver(by=self.dealer, cards=(place,), player=willing[0]))
            return
        first = current.first_hand
        if first is not None and len(current.drawn) <= INITIAL:
            before = {2, 4} if first is Side.BANKER else {1, 3}
            hidden = tuple(sorted(before.intersection(hidden))) or hidden
        elif current.reversed:
            hidden = hidden[-1:]
        turned = [one for one in hidden if not isinstance(self.table.do(self._turning(one)), Refusal)]
        if not turned:
            self.table.must(commands.TakeCards(by=self.dealer, cards=hidden, reason="does not turn them"))

    def _turning(self, place: int) -> commands.Expose:
        """A card turned by who holds it; the dealer says what shows, where no device has read it."""
        current = self.state.round
        assert current is not None
        card = current.drawn[place - 1]
        holder = card.holder if card.holder not in current.gone else ""
        if card.name is not None:
            return commands.Expose(by=holder or self.dealer, cards=(place,))
        name = self._read(place)
        return commands.Expose(by=self.dealer, cards=(place,), names=(name,), player=holder)

    # What is listed, and what is not

    def options(self, actor: str) -> tuple[Option, ...]:
        found = legal(self.state, actor)
        assert len(found) <= most_options(self.state), "what may be done can be listed"
        return found

    def choose(self, actor: str, *kinds: type) -> None:
        """One of the listed commands of these kinds, or of any kind if none is named."""
        found: dict[type, list[Option]] = {}
        for option in self.options(actor):
            if isinstance(option.command, kinds or KINDS):
                found.setdefault(type(option.command), []).append(option)
        if not found:
            return
        options = found[pick(self.chance, list(found))]
        on_hands = [option for option in options if getattr(option.command, "bet", "") in HANDS]
        if on_hands and self.chance.below(3):
            options = on_hands
        self.table.must(self.fill(pick(self.chance, options)))

    def fill(self, option: Option) -> AnyCommand:
        """A command that the option stands for."""
        return pick(self.chance, variants(option, self.chance))

    def listed(self) -> None:
        self.choose(self._somebody())

    def _somebody(self) -> str:
        people = self.table.people() if self.chance.below(2) else self.state.players
        return pick(self.chance, people)

    def anything(self) -> None:
        self.table.do(Anything(self.state, self.chance).command())

    def probe(self) -> None:
        """Without doing anything: whatever is listed is accepted, whatever is accepted is listed."""
        before = ENCODE(self.state)
        actor = self._somebody()
        options = self.options(actor)
        for option in options if len(options) < 8 else [pick(self.chance, options) for _ in range(8)]:
            for command in variants(option, self.chance):
                asked = self.table.ask(command)
                assert not isinstance(asked, Refusal), f"what is listed is accepted: {command}, {asked}"
                assert covered([option], command)
                assert READ_COMMAND(ENCODE(command)) == command
        for _ in range(12):
            command = replace(Anything(self.state, self.chance).command(), by=actor)
            accepted = not isinstance(self.table.ask(command), Refusal)
            covering = covered(options, command)
            if accepted and not self._unlisted(command):
                assert covering, f"what is not listed is refused: {command}"
            elif covering and not accepted:
                assert all(option.free for option in covering), f"what is listed is accepted: {command}"
            self._tells_nothing(command)
        assert ENCODE(self.state) == before, "asking changes nothing"

    def _unlisted(self, command: AnyCommand) -> bool:
        """What is no part of the game and yet happens: cards go astray, records are wrong anywhere.

        Method C hands cards to anybody.
        """
        shoe = self.state.shoe
        if isinstance(command, commands.Draw) and shoe and shoe.waiting:
            return command.card is shoe.waiting[0].name  # one that all have seen may be named
        if isinstance(command, commands.Amend | commands.Correct):
            return True
        return isinstance(command, commands.HandOver) and (command.wrongly or self.state.device is not None)

    def _tells_nothing(self, command: AnyCommand) -> None:
        """A refusal does not depend on cards that its reader may not see."""
        current = self.state.round
        if current is None or not unseen_cards(self.state) or isinstance(command, commands.Rule):
            return
        decided = decide(self.state, command)
        other = decide(disguised(self.state, command.by, self.chance), command)
        codes = [one.code for one in (decided, other) if isinstance(one, Refusal)]
        if codes and "card-not-in-shoe" not in codes:  # a shoe may be known to be out of a card
            assert decided == other, f"a refusal tells nothing of hidden cards: {command}, {decided}, {other}"

    def views(self) -> None:
        """Everybody's view while a card is hidden, somebody's otherwise."""
        people = self.table.people()
        if not unseen_cards(self.state):
            people = (pick(self.chance, people),)
        for viewer in people:
            check_view(self.state, viewer, self.chance)


def walk(which: Which, layout: str, seed: int | str, steps: int, *, quick: bool = False) -> Walk:
    """A seeded walk at a random table of that layout."""
    chance = Seeded(f"{load(which).slug}/{layout}/{seed}")
    walked = Walk(random_setup(chance, which, layout), chance)
    if quick:
        walked.plays(steps)
    else:
        walked.steps(steps)
    return walked
