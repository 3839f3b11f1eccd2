"""What something would mean for everybody at a table, tried out on the table itself: cents by person and box.

Never for the House: nobody rules by what it would gain. It is tried with one and the same card wherever one
lies unseen; what depends on such a card, or on the order of cards that are dealt face down, is told as open.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Literal, TypeAlias

import msgspec

from thirdcard.play.bets import open_to, standing
from thirdcard.rulebook.conditions import Outcome
from thirdcard.rulebook.model import Side
from thirdcard.service.queries.parts import Sentence, may_all, tell
from thirdcard.table import State, carry_out, commands, events, limits
from thirdcard.table.commands import AnyCommand
from thirdcard.table.established import Known, is_decided, seen_by_all
from thirdcard.table.events import AnyEvent
from thirdcard.table.refusals import Refusal
from thirdcard.table.rights.choosing import choices, to_choose
from thirdcard.table.rights.drawing import due_hand
from thirdcard.table.settling import decided_event
from thirdcard.table.state import Line, Round, Settlement, stake_key
from thirdcard.table.unseen import are_turned, masked

replace = msgspec.structs.replace
WHO = "the pit"  # by whom it is tried: nobody has such a name
Choice: TypeAlias = Literal["continue", "return"]
AtBox: TypeAlias = tuple[str, int]  # a person and a box
Lot: TypeAlias = tuple[str, int, str, int | None, bool]  # person, box, bet, insurance window, late


class StakeShown(msgspec.Struct, frozen=True, kw_only=True):
    """Chips of one bet; insurance by its window, `late` if they were put down after the close."""

    bet: str
    cents: int
    window: int | None = None
    late: bool = False


class Consequence(msgspec.Struct, frozen=True, kw_only=True):
    """What it comes to for one person in one box, if everybody who may choose goes on.

    `net` is what the round wins or loses there, None while cards or decisions to come tell (`open`);
    `certain` is what of it is certain already. `back` goes back by the decision itself. Who is `asked` may
    take `returned` back instead, which then comes to `net_returned`; `choice` is empty until it is made.
    """

    player: str
    box: int
    standing: bool
    stakes: tuple[StakeShown, ...]
    net: int | None
    certain: int
    open: bool
    back: int
    asked: bool = False
    choice: str | None = None
    returned: int | None = None
    net_returned: int | None = None


class Trial:
    """A table on which something is tried by somebody of a rank that may; the table itself stays as it is."""

    def __init__(self, state: State, needed: Iterable[str] = ()) -> None:
        wanted = (state.rulebook.authority.deals.value, *needed)
        ladder = [rank.name for rank in state.rulebook.ranks]
        rank = next((rung for rung in ladder if may_all(state.rulebook, rung, wanted)), ladder[-1])
        self.before = self.state = replace(masked(state), staff={**state.staff, WHO: rank})
        self.made: list[AnyEvent] = []
        self.asked: dict[str, None] = {}
        self.returned: Counter[AtBox] = Counter()

    @property
    def current(self) -> Round:
        assert self.state.round is not None
        return self.state.round

    # What happens -----------------------------------------------------------------------------------------

    def do(self, command: AnyCommand) -> Refusal | None:
        following = carry_out(self.state, command)
        if isinstance(following, Refusal):
            return following
        for event, after in following:
            if isinstance(event, events.ChoiceMade):
                self._take_back(event)
            self.made.append(event)
            self.state = after
        return None

    def _take_back(self, event: events.ChoiceMade) -> None:
        stakes, insured = self.current.stakes, self.current.purchases
        for key in event.returned:
            bought = [
                purchase.cents
                for purchase in insured
                if stake_key(purchase.player, purchase.box, purchase.hand) == key
            ]
            self.returned[stakes[key].player, stakes[key].box] += stakes[key].cents + sum(bought)

    def choose(self, choice: Choice) -> None:
        """Everybody who has yet to answer says the same."""
        while True:
            silent = to_choose(self.state, self.current)
            self.asked |= dict.fromkeys(silent)
            if not silent or self.do(commands.Choose(by=WHO, player=silent[0], choice=choice)):
                return

    def settle(self) -> None:
        """The round is settled if it is whole and nothing holds it up."""
        if self.current.phase == "dealing" and not self.untold:
            self.do(commands.Settle(by=WHO))

    # What it comes to -------------------------------------------------------------------------------------

    @property
    def untold(self) -> bool:
        """Whether what follows depends on cards that lie face down.

        One would be turned that nobody has seen, or a report's cards are laid where they are dealt face down.
        """
        return are_turned(self.before, self.state) or (
            self.state.setup.dealing.face_down and self._lays_reported()
        )

    def _lays_reported(self) -> bool:
        before, after = self.before.round, self.current.cards
        assert before is not None
        same = all(card in (None, now) for card, now in zip(before.cards, after, strict=False))
        return before.pending is not None and not (same and len(before.cards) == len(after))

    def _still_seen(self) -> Known:
        """The cards that everybody has seen and that stay where they are."""
        before = self.before.round
        assert before is not None
        pairs = zip(before.drawn, self.current.drawn, strict=False)
        return tuple(was.name if was.face_up and was.name is now.name else None for was, now in pairs)

    @property
    def decided(self) -> tuple[Line, ...]:
        """What was settled before the round was."""
        return tuple(
            line for event in self.made if isinstance(event, events.DecidedSettled) for line in event.lines
        )

    @property
    def settlement(self) -> Settlement | None:
        return None if self.untold else self.current.settlement

    @cached_property
    def sums(self) -> "Sums":
        """What it comes to by person and box, once all of it is done."""
        state, current, settled, decided = self.state, self.current, self.settlement, self.decided
        if settled is not None:
            lines = settled.lines
        else:
            known = self._still_seen() if self.untold else seen_by_all(current)
            lines = decided_event(state, current, dict(_fixed(state, current, known)), ()).lines
        assert self.before.round is not None
        before, after, found = _chips(self.before.round), _chips(current), Sums()
        told = {(line.player, line.box, line.bet, line.window, False) for line in (*decided, *lines)}
        found.open |= {lot[:2] for lot in after if (lot not in told and not lot[-1]) or current.pending}
        for line in (*decided, *lines):
            found.net[line.player, line.box] += line.net
        for line in settled.lines if settled else ():
            found.back[line.player, line.box] += _unplayed(line)
        gone = {(line.player, line.box, line.bet) for line in decided}
        for lot, cents in before.items():
            if lot[:3] not in gone:
                found.back[lot[:2]] += max(cents - after[lot], 0)
        return found

    @property
    def outcome(self) -> str:
        if self.current.phase == "void":
            return "void"
        return self.settlement.outcome if self.settlement else ""

    @property
    def points(self) -> dict[Side, int]:
        settled = self.settlement
        return {Side.PLAYER: settled.player, Side.BANKER: settled.banker} if settled else {}

    def notes(self) -> Iterator[Sentence]:
        """What of it is still to come, and why; which cards begin the next round."""
        current, book = self.current, self.state.rulebook
        if self.untold:
            yield tell("then_unseen", book)
            return
        if current.pending is not None:
            yield tell("then_next_case", book)
        elif current.phase in ("betting", "adjusting"):
            yield tell("then_bets_open", book)
        elif current.phase == "dealing":
            hand = due_hand(self.state, current)
            if hand is not None:
                yield tell("order_goes_on", book, book.table_of_play.rules, hand=hand.value)
            elif current.all_seen:
                yield tell("then_undecided", book)
            else:
                yield tell("then_face_down", book)
        before = self.before.shoe.waiting if self.before.shoe else ()
        for card in self.state.shoe.waiting if self.state.shoe else ():
            if card.face_up and card.name is not None and card not in before:
                yield tell("order_left", book, card=card.name.value)


def with_shown(state: State) -> State:
    """The table with those cards face up that everybody has seen in error, as the ruling begins by saying."""
    current, shoe = state.round, state.shoe
    pending = current.pending if current else None
    if current is None or shoe is None or pending is None or pending.inputs is not None:
        return state
    shown = {place for place in pending.shown if place <= len(current.drawn)}
    drawn = tuple(
        replace(card, face_up=True, holder="", name=card.name or pending.names.get(place))
        if place in shown
        else card
        for place, card in enumerate(current.drawn, start=1)
    )
    counts = Counter(shoe.drawn)
    counts.update(
        now.name.value for was, now in zip(current.drawn, drawn, strict=True) if now.name and not was.name
    )
    return replace(state, round=replace(current, drawn=drawn), shoe=replace(shoe, drawn=dict(counts)))


class Sums:
    """By person and box: won or lost for certain, what goes back unplayed, and where chips are open."""

    def __init__(self) -> None:
        self.net: Counter[AtBox] = Counter()
        self.back: Counter[AtBox] = Counter()
        self.open: set[AtBox] = set()


def consequences(going: Trial, returning: Trial | None = None) -> tuple[Consequence, ...]:
    """For everybody with chips on the layout, box by box, who sits there before who stands.

    `returning` is the same with everybody who may choose taking the bets back.
    """
    before = going.before.round
    assert before is not None
    chosen = choices(going.before, before)
    return tuple(_consequence(where, lots, going, returning, chosen) for where, lots in _boxes(before))


def _consequence(
    where: AtBox, lots: dict[Lot, int], going: Trial, returning: Trial | None, chosen: dict[str, str]
) -> Consequence:
    player, box = where
    sums, asked = going.sums, player in going.asked
    back = returning if asked and returning is not None and returning.returned[where] else None
    return Consequence(
        player=player,
        box=box,
        standing=going.before.seats.get(box) != player,
        stakes=tuple(StakeShown(bet=lot[2], cents=n, window=lot[3], late=lot[4]) for lot, n in lots.items()),
        net=None if where in sums.open else sums.net[where],
        certain=sums.net[where],
        open=where in sums.open,
        back=sums.back[where],
        asked=asked,
        choice="" if asked else chosen.get(player),
        returned=back.returned[where] if back else None,
        net_returned=None if back is None or where in back.sums.open else back.sums.net[where],
    )


def _boxes(current: Round) -> list[tuple[AtBox, dict[Lot, int]]]:
    """The chips of each person in each box, in the order in which a dealer works."""
    by_box: dict[AtBox, dict[Lot, int]] = {}
    for lot, cents in _chips(current).items():
        by_box.setdefault(lot[:2], {})[lot] = cents
    rank: dict[AtBox, tuple[bool, int]] = {}
    for stake in (*current.stakes.values(), *current.late.values()):
        own = (not stake.seated, stake.order)
        rank[stake.player, stake.box] = min(own, rank.get((stake.player, stake.box), own))
    return sorted(by_box.items(), key=lambda one: (one[0][1], *rank.get(one[0], (True, 0)), one[0][0]))


def _chips(current: Round) -> Counter[Lot]:
    """Bets, late chips and insurance as they lie."""
    chips: Counter[Lot] = Counter()
    for stake in current.stakes.values():
        chips[stake.player, stake.box, stake.bet, None, False] += stake.cents
    for late in current.late.values():
        if late.cents > 0:
            chips[late.player, late.box, late.bet, None, True] += late.cents
    for purchase in current.purchases:
        chips[purchase.player, purchase.box, f"{purchase.hand}-insurance", purchase.window, False] += (
            purchase.cents
        )
    return chips


def _unplayed(line: Line) -> int:
    """What of a stake goes back at the settlement because it did not play."""
    if line.result == "returned":
        return line.stake
    return 0 if line.played is None else line.stake - line.played


def _fixed(state: State, current: Round, known: Known) -> Iterator[tuple[str, Outcome]]:
    """Stakes that win or lose whatever comes, and at one tier, each with an outcome that is possible."""
    table = state.rulebook.table_of_play
    waits = {*current.neglected, *(stake.key for stake in limits.undecided_excess(state, current))}
    for key, stake in current.stakes.items() if current.phase in ("dealing", "settled") else ():
        bet = state.rulebook.bets[stake.bet]
        if key in waits or not is_decided(bet, table, known):
            continue
        if len(standing(bet, table, known).results) == 1:
            yield key, min(open_to(bet, table, known), key=str)
