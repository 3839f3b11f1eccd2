"""A table played at random under an auditor who recomputes everything: money, shoe, limits, views, results.

`Table` takes commands and checks what follows from each event on its own terms. `Walk` finds commands:
the next step a dealer would take, what `legal` lists, and anything at all. Now and then something goes wrong,
is reported, ruled on and chosen on. Where a walk turns is left to a `Chance`, so that the same walk is driven
by a seed or by Hypothesis.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import compress
from typing import Any, ClassVar, Protocol, TypeVar, get_args

import msgspec

from thirdcard.cards import Card
from thirdcard.money import LARGEST_STAKE
from thirdcard.play.bets import result
from thirdcard.play.outcome import possible
from thirdcard.play.settlement import Game, Insured
from thirdcard.play.tableau import INITIAL, next_hand
from thirdcard.rulebook import Rulebook, load
from thirdcard.rulebook.model import Procedure, Side
from thirdcard.table import (
    Refusal,
    Setup,
    State,
    commands,
    decide,
    events,
    evolve,
    legal,
    replay,
    start,
    view,
)
from thirdcard.table.commands import AnyCommand, Changes
from thirdcard.table.decide.dealing import due_hand
from thirdcard.table.decide.squeezing import handlers, in_line
from thirdcard.table.events import AnyEvent
from thirdcard.table.legal import Option
from thirdcard.table.refusals import Code
from thirdcard.table.script import state_hash
from thirdcard.table.setup import Limit
from thirdcard.table.state import HANDS, Inputs, Line, Pending, Purchase, Round, Settlement, Stake, stake_key

PLAYERS = ("ann", "ben", "cho", "dee")
STRANGER = "zoe"
ENCODE = msgspec.json.Encoder().encode
READ_EVENT = msgspec.json.Decoder(AnyEvent).decode
READ_COMMAND = msgspec.json.Decoder(AnyCommand).decode
READ_REFUSAL = msgspec.json.Decoder(Refusal).decode
CODES = frozenset(get_args(Code))
KINDS: tuple[Any, ...] = (
    commands.Join, commands.BuyIn, commands.CashOut, commands.Sit, commands.Leave, commands.Assign,
    commands.ChangeSetup, commands.NewShoe, commands.Open, commands.Place, commands.TakeBack,
    commands.RecordChips, commands.RejectExcess, commands.Remove, commands.Close, commands.CutCard,
    commands.AllowWithdrawal, commands.Draw, commands.Expose, commands.RevealFirst, commands.RequestSqueeze,
    commands.PermitSqueeze, commands.HandOver, commands.RefuseCards, commands.BankerThirdFirst,
    commands.GiveDevice, commands.GiveUpDevice, commands.Insure, commands.Decline, commands.Settle,
    commands.Void, commands.Correct, commands.Report, commands.Rule, commands.Choose,
)  # fmt: skip
# What goes on while an irregularity holds the round up.
MEANWHILE = (
    commands.Join, commands.BuyIn, commands.CashOut, commands.Leave, commands.Assign, commands.ChangeSetup,
    commands.Rule, commands.Choose, commands.Void,
)  # fmt: skip
CUT_SHORT = ("unknown-person", "paused")  # what everything else is refused with
LAYS_CARDS = ("reconstruct", "decide-order")
T = TypeVar("T")


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


# Set-ups ------------------------------------------------------------------------------------------------


def staff_of(rules: Rulebook) -> dict[str, str]:
    """One person for each rank, named for it."""
    return {f"the-{rank.name}": rank.name for rank in rules.ranks}


def random_setup(chance: Chance, slug: str, layout: str) -> Setup:
    rules = load(slug)
    low, high = rules.layouts[layout].positions
    unit = pick(chance, (100, 20, 60, 500, 140))
    decks = rules.decks.min + chance.below(rules.decks.max - rules.decks.min + 1)
    method = pick(chance, rules.dealing)
    optional = "differential" not in rules.limits.displayed.value
    area = rules.limits.wagers_per_area
    return Setup(
        rulebook=slug,
        layout=layout,
        positions=pick(chance, (low, min(high, low + 1), min(high, low + 2))),
        limits=_random_limits(chance, rules.layouts[layout].bets, unit),
        differential=None if optional and chance.below(3) == 0 else unit * pick(chance, (20, 5, 50, 1)),
        decks=decks,
        chip_unit=unit,
        method=method.name if method.face_down or chance.below(2) else _default(rules),
        device="reader" if method.device == "player" or chance.below(2) else "shoe",
        insurance=chance.below(4) != 3,
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


# The auditor --------------------------------------------------------------------------------------------


@cache
def game(slug: str, layout: str, decks: int, unit: int) -> Game:
    return Game(load(slug), layout, decks=decks, unit=unit)


class Chips:
    """Every stake and every insurance from the moment it is put down: in play, settled or returned.

    Works out on its own what each event has to move. What has been returned is gone from here, so that nothing
    comes back twice; what was settled waits in `settled` for a reversal.
    """

    def __init__(self) -> None:
        self.stakes: dict[str, Stake] = {}
        self.insured: list[Purchase] = []
        self.settled: tuple[dict[str, Stake], list[Purchase], Counter[str]] | None = None

    def event(self, event: AnyEvent) -> None:
        due: Counter[str] = Counter()
        follow: Callable[..., None] | None = self.FOLLOWS.get(type(event))
        if follow is not None:
            follow(self, event, due)
        moved: Counter[str] = Counter()
        for posting in event.postings:
            moved[posting.account] += posting.cents
        assert {a: c for a, c in moved.items() if c} == {a: c for a, c in due.items() if c}, (
            "an event moves what its stakes say"
        )

    def _cash(self, event: events.BoughtIn | events.CashedOut, due: Counter[str]) -> None:
        came = event.cents if isinstance(event, events.BoughtIn) else -event.cents
        due.update({f"rack:{event.player}": came, "cash": -came})

    def _opened(self, _: events.BetsOpened, __: Counter[str]) -> None:
        assert not self.stakes, "a stake is settled or returned before the next round"
        assert not self.insured
        self.settled = None

    def _set(self, event: events.StakeSet, due: Counter[str]) -> None:
        old = self.stakes.pop(event.stake.key, None)
        assert event.before == (old.cents if old else 0), "what has gone back does not go back again"
        self._lay(due, event.stake.player, event.stake.box, event.stake.cents - event.before)
        if event.stake.cents:
            self.stakes[event.stake.key] = event.stake

    def _bought(self, event: events.InsuranceBought, due: Counter[str]) -> None:
        self.insured.append(event.purchase)
        self._lay(due, event.purchase.player, event.purchase.box, event.purchase.cents)

    def _chosen(self, event: events.ChoiceMade, due: Counter[str]) -> None:
        assert set(event.returned) <= set(self.stakes), "what has gone back does not go back again"
        self._returned(event.returned, due)

    def _voided(self, _: events.RoundVoided, due: Counter[str]) -> None:
        self._returned(tuple(self.stakes), due)
        assert not self.insured, "there is no insurance without its bet"

    def _reversed(self, _: events.SettlementReversed, due: Counter[str]) -> None:
        assert self.settled is not None, "only what is settled can be reversed"
        self.stakes, self.insured, moved = self.settled
        due.subtract(moved)
        self.settled = None

    @staticmethod
    def _lay(due: Counter[str], player: str, box: int, cents: int) -> None:
        due[f"rack:{player}"] -= cents
        due[f"box:{box}"] += cents

    def _returned(self, keys: Sequence[str], due: Counter[str]) -> None:
        for key in keys:
            stake = self.stakes.pop(key)
            self._lay(due, stake.player, stake.box, -stake.cents)
        for one in self.insured:
            if stake_key(one.player, one.box, one.hand) in keys:
                self._lay(due, one.player, one.box, -one.cents)
        self.insured = [x for x in self.insured if stake_key(x.player, x.box, x.hand) not in keys]

    def _scaled(self, event: events.PlayedChanged, due: Counter[str]) -> None:
        """Insurance is scaled down with its bet, never up; what is scaled to nothing is gone."""
        rest = list(event.purchases)
        for old in self.insured:
            new = rest[0] if rest and msgspec.structs.replace(rest[0], cents=old.cents) == old else None
            left = rest.pop(0).cents if new else 0
            assert 0 <= left <= old.cents
            self._lay(due, old.player, old.box, left - old.cents)
        assert not rest, "insurance does not come from nowhere"
        self.insured = list(event.purchases)

    def _settle(self, event: events.RoundSettled, due: Counter[str]) -> None:
        """A line for each stake and each insurance that lies there, for exactly its cents."""
        assert self.settled is None, "a round is settled once"
        lying = [(s.player, s.box, s.bet, s.cents, None) for s in self.stakes.values()]
        insured = [(p.player, p.box, f"{p.hand}-insurance", p.cents, p.window) for p in self.insured]
        lines = [(x.player, x.box, x.bet, x.stake, x.window) for x in event.settlement.lines]
        assert sorted(map(str, lines)) == sorted(map(str, [*lying, *insured])), "a stake is settled once"
        for line in event.settlement.lines:
            assert line.net >= -line.stake, "nobody loses more than was staked"
            due[f"rack:{line.player}"] += line.stake + line.net
            due["house"] -= line.net
            due[f"box:{line.box}"] -= line.stake
        self.settled = (self.stakes, self.insured, Counter(due))
        self.stakes, self.insured = {}, []

    FOLLOWS: ClassVar[dict[type, Callable[..., None]]] = {
        events.BoughtIn: _cash,
        events.CashedOut: _cash,
        events.BetsOpened: _opened,
        events.StakeSet: _set,
        events.InsuranceBought: _bought,
        events.PlayedChanged: _scaled,
        events.ChoiceMade: _chosen,
        events.RoundVoided: _voided,
        events.RoundSettled: _settle,
        events.SettlementReversed: _reversed,
    }

    def check(self, state: State) -> None:
        current = state.round
        if current is None or current.settlement is not None:
            assert not self.stakes
            return
        assert current.stakes == self.stakes, "what is in play lies there"
        assert list(current.purchases) == self.insured


class Pack:
    """Every card that has left the shoe in use, and who has seen those that wait for the next round."""

    def __init__(self) -> None:
        self.out: Counter[Card] = Counter()
        self.cards: tuple[Card, ...] = ()  # of the round
        self.drawn: tuple[Card, ...] = ()  # reported, and not laid to a hand
        self.waiting: list[tuple[Card, bool]] = []  # with whether it is public
        self.shoe_gone = False  # the round was dealt from a shoe that is no longer in use

    def event(self, before: State, event: AnyEvent) -> None:
        if isinstance(event, events.BetsOpened):
            self.cards, self.shoe_gone = (), False
        elif isinstance(event, events.ShoeStarted):
            self.out, self.waiting, self.shoe_gone = Counter(), [], True
        elif isinstance(event, events.CardDrawn):
            self._drew(event.card)
        elif isinstance(event, events.CardsCorrected):
            self._corrected(event.cards)
        elif isinstance(event, events.IrregularityReported):
            self.drawn = event.pending.drawn
            self.out.update(self.drawn)
        elif isinstance(event, events.CardsReconstructed):
            self._laid(before, event)
        elif isinstance(event, events.BetsReopened):
            self.cards = ()
        elif isinstance(event, events.IrregularityClosed):
            self.drawn = ()

    def _drew(self, card: Card) -> None:
        if self.waiting:
            assert self.waiting.pop(0)[0] is card, "cards drawn in excess come first"
        else:
            self.out[card] += 1
        self.cards = (*self.cards, card)

    def _corrected(self, cards: tuple[Card, ...]) -> None:
        if not self.shoe_gone:
            self.out = self.out - Counter(self.cards) + Counter(cards)
        self.cards = cards

    def _laid(self, before: State, event: events.CardsReconstructed) -> None:
        assert before.round is not None
        pending = before.round.pending
        assert pending is not None
        held = [card for card, _ in self.waiting]
        if pending.remedies[0] not in LAYS_CARDS:
            assert pending.inputs is not None
            put = pending.inputs.substitutes
            self.out.subtract(self.cards[int(place) - 1] for place in put)
            self.out.update((*put.values(), *pending.inputs.set_aside))
            self.waiting += [(card, False) for card in pending.inputs.set_aside]
        else:
            lay = (*self.cards, *self.drawn)
            assert Counter((*event.cards, *event.waiting)) == Counter((*lay, *held)), "no card is lost"
            assert event.cards[: len(self.cards)] == self.cards[: len(event.cards)], (
                "cards stay where they lie"
            )
            public = {*before.round.exposed, *pending.shown}
            seen = Counter(card for place, card in enumerate(lay, start=1) if place in public)
            seen.update(card for card, known in self.waiting if known)
            shown = Counter(event.cards[place - 1] for place in event.exposed)
            known = Counter(compress(event.waiting, event.seen))
            assert shown + known == seen, "a reconstruction shows nothing new"
            self.waiting = self._left_over(event, lay, public)
        self.cards, self.drawn = event.cards, ()

    def _left_over(
        self, event: events.CardsReconstructed, lay: tuple[Card, ...], public: set[int]
    ) -> list[tuple[Card, bool]]:
        """What begins the next round: in the order drawn each card is known by its place, else by its name."""
        used = len(event.cards)
        if event.waiting[: len(lay) - used] == lay[used:]:
            left = [(card, place in public) for place, card in enumerate(lay[used:], start=used + 1)]
            return left + self.waiting
        return list(zip(event.waiting, event.seen, strict=True))

    def check(self, state: State) -> None:
        if state.round is not None:
            assert state.round.cards == self.cards
        shoe = state.shoe
        if shoe is None:
            return
        assert max(self.out.values(), default=0) <= shoe.size // 52, "no card twice"
        counts = {name: n for name, n in shoe.drawn.items() if n}
        assert counts == {card.value: n for card, n in self.out.items() if n}, "the shoe counts its cards"
        assert shoe.left == shoe.size - self.out.total()
        assert list(shoe.waiting) == [card for card, _ in self.waiting], "what waits is in its order"
        assert list(shoe.waiting_seen) == [known for _, known in self.waiting], "what was seen is public"
        lying = Counter((*shoe.waiting, *self.drawn, *(() if self.shoe_gone else self.cards)))
        assert lying <= self.out, "no card is in two places"


class Audit:
    """Keeps its own books from the events alone and holds every state against them."""

    def __init__(self) -> None:
        self.balances: Counter[str] = Counter()
        self.at_open: Counter[str] = Counter()  # racks and House when the round was opened
        self.brought: Counter[str] = Counter()  # bought in less cashed out since
        self.chips = Chips()
        self.pack = Pack()
        self.recorded: set[str] = set()  # stakes that staff set, whatever the limits
        self.boxes: set[int] = set()  # where chips were recorded, or went back by a decision
        self.marks: list[str] = []  # results of the shoe in use
        self.rescaled = False  # chips were recorded or returned after the close, or cards corrected
        self.demanded: set[str] = set()  # stakes to be raised or taken back before the close
        self.to_do: list[str] = []  # what the irregularity at hand still asks for
        self.asked: set[str] = set()  # who has yet to choose

    def event(self, before: State, event: AnyEvent, after: State) -> None:
        assert READ_EVENT(ENCODE(event)) == event, "an event survives being written and read"
        if isinstance(event, events.BetsOpened):
            assert event.number == before.rounds + 1
            self.at_open, self.brought = Counter(self.balances), Counter()
            self.recorded, self.boxes, self.demanded = set(), set(), set()
            self.rescaled = False
        self._money(event, after)
        self._shoe(before, event, after)
        self._chips(event, after)
        self._held_up(before, event, after)
        if isinstance(event, events.BoughtIn | events.CashedOut):
            self.brought[event.player] += event.cents if isinstance(event, events.BoughtIn) else -event.cents
        elif isinstance(event, events.RoundSettled):
            self._settled(event.settlement, after)
        elif isinstance(event, events.RoundVoided):
            self._racks(after, {})
        elif isinstance(event, events.CardsRefused):
            self._refused(event, after)

    def _money(self, event: AnyEvent, after: State) -> None:
        assert sum(posting.cents for posting in event.postings) == 0, "an event's postings sum to zero"
        for posting in event.postings:
            self.balances[posting.account] += posting.cents
        ours, theirs = ({a: c for a, c in b.items() if c} for b in (after.balances, self.balances))
        assert ours == theirs, "balances are the sums of postings"
        assert sum(after.balances.values()) == 0, "money is neither made nor lost"
        self.chips.event(event)
        self.chips.check(after)
        boxes = dict.fromkeys(range(1, after.setup.positions + 1), 0)
        for stake in self.chips.stakes.values():
            boxes[stake.box] += stake.cents
        for purchase in self.chips.insured:
            boxes[purchase.box] += purchase.cents
        lying = {number: after.balances.get(f"box:{number}", 0) for number in boxes}
        assert lying == boxes, "a box holds the stakes and insurance that lie there"

    def _shoe(self, before: State, event: AnyEvent, after: State) -> None:
        if isinstance(event, events.ShoeStarted):
            self.marks = []
        elif isinstance(event, events.CardsCorrected):
            self.rescaled = True
        elif isinstance(event, events.RoundSettled) and not self.pack.shoe_gone:
            self.marks.append(event.settlement.outcome)
        elif isinstance(event, events.SettlementReversed) and not self.pack.shoe_gone:
            self.marks.pop()
        assert [result.winner for result in after.results] == self.marks, "a mark for each round that counts"
        self.pack.event(before, event)
        self.pack.check(after)

    def _held_up(self, before: State, event: AnyEvent, after: State) -> None:
        """A round is released when nothing is left to do and everybody asked has chosen, or it is void."""
        current = before.round
        if isinstance(event, events.IrregularityReported):
            assert current is not None
            assert current.pending is None, "one irregularity at a time"
            self.to_do, self.asked = ["rule"], set()
        elif isinstance(event, events.IrregularityRuled):
            assert self.to_do == ["rule"], "one ruling for one irregularity"
            self.to_do = list(event.remedies)
        elif isinstance(event, events.RemedyDone):
            assert not self.asked, "a round goes on when all choices are made"
            assert event.remedy == self.to_do.pop(0), "remedies are carried out in their order"
        elif isinstance(event, events.IrregularityClosed):
            assert after.phase == "void" or not (self.to_do or self.asked), "a round is released too soon"
            self.to_do, self.asked = [], set()
        elif current is not None and current.pending is not None:
            self._chooses(before, current, current.pending, event)
        held_up = after.round is not None and after.round.pending is not None
        assert held_up or not (self.to_do or self.asked), "what is not done holds the round up"

    def _chooses(self, state: State, current: Round, pending: Pending, event: AnyEvent) -> None:
        if isinstance(event, events.ChoicesOffered):
            self.asked = {player for player in state.players if open_stakes(state, current, player)}
            assert set(event.players) == self.asked, "who has an undecided bet is asked"
        elif isinstance(event, events.ChoiceMade):
            assert event.player in self.asked, "who is asked chooses once"
            self.asked.remove(event.player)
            may = open_stakes(state, current, event.player) if event.choice == "return" else []
            whole = set(may) == set(event.returned)
            assert whole or (pending.singly and set(event.returned) <= set(may)), "undecided bets go back"
        elif isinstance(event, events.LateInsuranceOpened):
            exposed = current.exposed
            assert exposed == tuple(range(1, len(exposed) + 1)), "an offer rests on cards that all have seen"

    def _exempted(self, event: AnyEvent, after: State) -> None:
        """Stakes, boxes and insurance that need no longer keep the limits."""
        if isinstance(event, events.StakeSet):
            if event.why == "recorded":
                self.recorded.add(event.stake.key)
                self.boxes.add(event.stake.box)
                self.rescaled |= after.phase == "dealing"
            elif event.stake.cents == 0:
                self.recorded.discard(event.stake.key)
            if event.why == "returned":
                self.boxes.add(event.stake.box)
                self.rescaled = True
        elif isinstance(event, events.ChoiceMade):
            self.recorded.difference_update(event.returned)
            self.boxes.update(int(key.split("/")[0]) for key in event.returned)
            self.rescaled |= bool(event.returned)
        elif isinstance(event, events.LateInsuranceOpened | events.CardsReconstructed):
            self.rescaled = True

    def _chips(self, event: AnyEvent, after: State) -> None:
        self._exempted(event, after)
        if isinstance(event, events.RaiseDemanded):
            self.demanded.update(event.stakes)
        current = after.round
        if current is None or after.phase in ("settled", "void"):
            return
        for key, stake in current.stakes.items():
            limit = after.setup.limit(stake.bet)
            if isinstance(event, events.BetsClosed) and key in self.demanded:
                assert stake.cents >= limit.min, "who was told to raise has raised"
            assert stake.cents > 0
            assert stake.cents % after.setup.chip_unit == 0
            if key not in self.recorded:
                assert limit.min <= stake.cents <= (limit.max or stake.cents), "a stake is within its limits"
        most = after.setup.most_wagers
        if most is not None:
            areas = Counter((s.box, s.bet) for s in current.stakes.values())
            assert all(n <= most for (box, _), n in areas.items() if box not in self.boxes)

    def _refused(self, event: events.CardsRefused, after: State) -> None:
        current = after.round
        assert current is not None
        for place, who in current.handed.items():
            hand = next_hand(after.rules.table_of_play, current.cards[: place - 1])
            assert (hand, who) != (event.hand, event.player), "cards that are refused go back"

    def _racks(self, after: State, won: dict[str, int]) -> None:
        """What everybody has: what they had when the round was opened, and what came since."""
        for player in after.players:
            account = f"rack:{player}"
            expected = self.at_open[account] + self.brought[player] + won.get(player, 0)
            assert self.balances[account] == expected, "a round moves what its lines say"
        assert self.balances["house"] == self.at_open["house"] - sum(won.values())

    def _settled(self, settlement: Settlement, after: State) -> None:
        won: Counter[str] = Counter()
        groups: dict[tuple[str, int], list[Line]] = {}
        for line in settlement.lines:
            won[line.player] += line.net
            groups.setdefault((line.player, line.box), []).append(line)
        self._racks(after, won)
        assert after.round is not None
        assert len(settlement.lines) == len(after.round.stakes) + len(after.round.purchases)
        for lines in groups.values():
            self._same_as_settlement(lines, settlement, after)

    def _same_as_settlement(self, lines: list[Line], settlement: Settlement, after: State) -> None:
        """One person's lines in one box are those of the single round, where the stakes play in full."""
        if any(line.played is not None or line.result == "returned" for line in lines):
            return
        compared = [line for line in lines if line.window is None or not self.rescaled]
        setup = after.setup
        statement = game(setup.rulebook, setup.layout, setup.decks, setup.chip_unit).settle(
            self.pack.cards,
            {line.bet: line.stake for line in compared if line.window is None},
            [
                Insured(hand=Side(line.bet.removesuffix("-insurance")), window=line.window, stake=line.stake)
                for line in compared
                if line.window is not None
            ],
        )
        ours = [(x.bet, x.stake, x.result, x.odds, x.net, x.rules, x.window) for x in compared]
        unnoticed = after.rules.limits.below_minimum_unnoticed.rules
        theirs = [
            (x.bet, x.stake, x.result, x.odds, x.net, (*x.rules, *unnoticed) if under else x.rules, x.window)
            for x in statement.bets
            for under in [x.window is None and x.stake < setup.limit(x.bet).min]
        ]
        assert ours == theirs, "the table settles as a single round does"
        points = (statement.outcome, statement.player.points, statement.banker.points)
        assert (settlement.outcome, settlement.player, settlement.banker) == points

    def command(self, command: AnyCommand, after: State) -> None:
        """What holds once all events of a command have happened."""
        held = [cents for account, cents in after.balances.items() if account.startswith(("rack:", "box:"))]
        assert min(held, default=0) >= 0, "no rack and no box goes below zero"
        current = after.round
        pending = current.pending if current else None
        if pending is not None and pending.inputs is not None:
            assert not all(pending.choices.values()), "what holds the round up waits for somebody"
        if current is None or current.phase in ("settled", "void"):
            return
        if isinstance(command, commands.Place | commands.TakeBack) and command.box not in self.boxes:
            self._box_differential(after.setup, current, command.box)
        if current.phase == "dealing":
            self._table_differential(after.setup, current)
            check_plays(after, current)

    def _box_differential(self, setup: Setup, current: Round, box: int) -> None:
        if setup.differential is not None and setup.rules.limits.differential.scope == "box":
            stakes = [stake for stake in current.stakes.values() if stake.box == box]
            difference = abs(_total(stakes, "player") - _total(stakes, "banker"))
            assert difference <= setup.differential, "a box keeps the differential"

    def _table_differential(self, setup: Setup, current: Round) -> None:
        """Met at the close; chips recorded or wagers withdrawn after it are another matter."""
        if setup.differential is None or setup.rules.limits.differential.scope != "table":
            return
        if not self.rescaled and not current.withdrawable and not current.cards:
            stakes = current.stakes.values()
            assert abs(_total(stakes, "player") - _total(stakes, "banker")) <= setup.differential


def _total(stakes: Iterable[Stake], bet: str) -> int:
    return sum(stake.cents for stake in stakes if stake.bet == bet)


def check_plays(state: State, current: Round) -> None:
    """What each stake plays for, from the text of interpretations 19 and 21."""
    plays = {key: stake.cents for key, stake in current.stakes.items()}
    plays |= {key: played.cents for key, played in current.played.items()}
    assert set(current.played) <= set(current.stakes)
    by_table = state.rules.limits.differential.scope == "table"
    for key, stake in current.stakes.items():
        limit = state.setup.limit(stake.bet)
        if by_table:
            expected = min(stake.cents, limit.max or stake.cents)
            if stake.cents < limit.min and stake.player in state.once:
                expected = 0
            assert plays[key] == expected, "over the maximum plays for it; under the minimum once"
        else:
            assert min(stake.cents, limit.min) <= plays[key] <= stake.cents
            assert stake.bet in HANDS or plays[key] == stake.cents, "side bets play in full"
    if by_table or state.setup.differential is None:
        return
    for box in {stake.box for stake in current.stakes.values()}:
        _check_shares(state, [s for s in current.stakes.values() if s.box == box and s.bet in HANDS], plays)


def _check_shares(state: State, stakes: list[Stake], plays: dict[str, int]) -> None:
    assert state.setup.differential is not None
    lighter, heavier = sorted(HANDS, key=lambda hand: _total(stakes, hand))
    allowed = _total(stakes, lighter) + state.setup.differential
    minimum = state.setup.limit(heavier).min
    floors = sum(min(stake.cents, minimum) for stake in stakes if stake.bet == heavier)
    expected = min(_total(stakes, heavier), max(allowed, floors))
    shares = sum(plays[stake.key] for stake in stakes if stake.bet == heavier)
    assert shares == expected, "the heavier hand plays for its share"
    assert all(plays[stake.key] == stake.cents for stake in stakes if stake.bet == lighter)


def open_stakes(state: State, current: Round, player: str) -> list[str]:
    """Stakes not yet won or lost, from the cards that everybody has seen; once settled there are none."""
    pending = current.pending
    assert pending is not None
    if current.settlement is not None:
        return []
    cards, seen = current.cards, set(current.exposed)
    if not set(LAYS_CARDS).isdisjoint(pending.remedies):  # what came out is yet to be laid
        cards, seen = cards + pending.drawn, seen.union(pending.shown)
    known = tuple(card if place in seen else None for place, card in enumerate(cards, start=1))
    outcomes = possible(state.rules.table_of_play, known)
    return [
        key
        for key, stake in current.stakes.items()
        if stake.player == player
        and {result(state.rules.bets[stake.bet], one).verdict for one in outcomes} not in ({"win"}, {"lose"})
    ]


# Views --------------------------------------------------------------------------------------------------


def hidden_places(current: Round) -> set[int]:
    return set(range(1, len(current.cards) + 1)).difference(current.exposed)


def unseen_cards(state: State) -> tuple[Card, ...]:
    """Cards out of the shoe that nobody at all has seen: reported and not yet laid, or waiting."""
    current, shoe = state.round, state.shoe
    pending = current.pending if current else None
    found: list[Card] = []
    if current is not None and pending is not None and not set(LAYS_CARDS).isdisjoint(_to_come(pending)):
        places = enumerate(pending.drawn, start=len(current.cards) + 1)
        found += [card for place, card in places if place not in pending.shown]
    if shoe is not None:
        found += [card for card, seen in zip(shoe.waiting, shoe.waiting_seen, strict=True) if not seen]
    return tuple(found)


def _to_come(pending: Pending) -> tuple[str, ...]:
    """Remedies that are yet to be carried out, whatever they will be before the ruling."""
    return LAYS_CARDS if pending.inputs is None else pending.remedies


def hides_anything(state: State) -> bool:
    return bool(unseen_cards(state) or (state.round is not None and hidden_places(state.round)))


def disguised(state: State, current: Round, viewer: str, chance: Chance) -> State:
    """The same table with other cards where this viewer sees none.

    Which hand a third card lies at is plain to see, so that stays as it is.
    """
    unseen = {place for place in hidden_places(current) if current.handed.get(place) != viewer}
    deck, table = tuple(Card), state.rules.table_of_play
    cards = tuple(
        pick(chance, deck) if place in unseen else card for place, card in enumerate(current.cards, start=1)
    )
    if any(
        next_hand(table, cards[:n]) is not next_hand(table, current.cards[:n])
        for n in range(INITIAL, len(current.cards))
    ):
        cards = current.cards
    return msgspec.structs.replace(state, round=msgspec.structs.replace(current, cards=cards))


def check_view(state: State, viewer: str, chance: Chance) -> None:
    """Face-down cards are in nobody's view but their squeezer's, and nothing shown depends on them."""
    shown = view(state, viewer)
    text = ENCODE(shown).decode()
    expected = set(state.players) if viewer in state.staff else {viewer} & set(state.players)
    assert set(shown.racks) == expected
    current = state.round
    if current is None:
        assert not shown.cards
        return
    hidden = hidden_places(current)
    assert len(shown.cards) == len(current.cards)
    shoe = state.shoe
    visible = Counter(card.value for card in compress(shoe.waiting, shoe.waiting_seen)) if shoe else Counter()
    for place, (seen, card) in enumerate(zip(shown.cards, current.cards, strict=True), start=1):
        may_see = place not in hidden or current.handed.get(place) == viewer
        assert seen.card == (card if may_see else None), "only the squeezer sees a face-down card"
        visible[card.value] += may_see
    for card in unseen_cards(state):
        visible[card.value] += 0
    if not hides_anything(state):
        return
    for name, copies in visible.items():
        assert text.count(f'"{name}"') == copies, "a hidden card is nowhere in the view"
    for side in Side:
        cards = [seen.card for seen in shown.cards if seen.hand is side]
        assert shown.points[side] is None or None not in cards, "points do not tell hidden cards"
    assert ENCODE(view(disguised(state, current, viewer, chance), viewer)).decode() == text


# Options and commands -----------------------------------------------------------------------------------


def covered(option: Option, command: AnyCommand) -> bool:
    """Whether a command is one of those an option stands for; its free fields may hold anything."""
    return type(option.command) is type(command) and all(
        name in option.free or _covers(option, command, name) for name in command.__struct_fields__
    )


def _covers(option: Option, command: AnyCommand, name: str) -> bool:
    listed, wanted = getattr(option.command, name), getattr(command, name)
    if name == "cents" and option.most is not None and option.step is not None:
        return wanted is not None and listed <= wanted <= option.most and (wanted - listed) % option.step == 0
    if name == "card" and option.cards:
        return wanted in option.cards
    if name == "cards":  # places: their order says nothing
        return set(listed) == set(wanted)
    if name == "player" and (
        hasattr(command, "cents") or isinstance(command, commands.Choose)
    ):  # to name oneself is to name nobody
        return bool((listed or command.by) == (wanted or command.by))
    return bool(listed == wanted)


def variants(option: Option, chance: Chance) -> list[AnyCommand]:
    """An option as listed, at its most and at an amount or a card in between."""
    found = [option.command]
    replace: Callable[..., Any] = msgspec.structs.replace
    if option.most is not None and option.step is not None:
        low: int = option.command.cents  # type: ignore[union-attr,assignment]
        steps = (option.most - low) // option.step
        found += [
            replace(option.command, cents=option.most),
            replace(option.command, cents=low + option.step * chance.below(min(steps, 10**9) + 1)),
        ]
    if option.cards:
        found += [replace(option.command, card=option.cards[-1])]
        found += [replace(option.command, card=pick(chance, option.cards))]
    return found


class Anything:
    """Commands of any kind by anybody, sensible or not."""

    def __init__(self, state: State, chance: Chance) -> None:
        self.state, self.chance = state, chance

    def command(self) -> AnyCommand:
        kind = pick(self.chance, KINDS)
        fields = {name: getattr(self, name)() for name in kind.__struct_fields__ if name != "by"}
        if kind is commands.Correct and self.chance.below(2):
            fields["cards"] = whole_round(self.state, self.chance)
        elif kind is commands.Correct:
            fields["cards"] = some(self.chance, tuple(Card)[:6])
        return kind(by=self.person(), **fields)  # type: ignore[no-any-return]

    def person(self) -> str:
        people = (*self.state.players, *self.state.staff, STRANGER)
        return pick(self.chance, (*people, *people, "", "a b"))

    def player(self) -> str:
        return pick(self.chance, (*self.state.players, *self.state.players, "", self.person()))

    def rank(self) -> str:
        return pick(self.chance, (*(rank.name for rank in self.state.rules.ranks), "croupier"))

    def box(self) -> int:
        boxes = tuple(range(1, self.state.setup.positions + 1))
        return pick(self.chance, (*boxes, *boxes, 0, -1, boxes[-1] + 1))

    def bet(self) -> str:
        others = (*self.state.rules.bets, "insurance")
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

    def card(self) -> Card:
        return pick(self.chance, tuple(Card))

    def cards(self) -> tuple[int, ...]:
        """Places in the order drawn."""
        return (*some(self.chance, range(1, 7)), *pick(self.chance, ((), (), (), (0,), (7,), (1, 1))))

    def hand(self) -> Side:
        return pick(self.chance, tuple(Side))

    def reason(self) -> str:
        return pick(self.chance, ("misdeal", "misdeal", " "))

    def case(self) -> str:
        return pick(self.chance, (*(one.case for one in self.state.rules.procedures), "earthquake"))

    def drawn(self) -> tuple[Card, ...]:
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

    def choice(self) -> str:
        return pick(self.chance, ("continue", "return"))

    def wagers(self) -> tuple[tuple[int, str], ...]:
        if self.chance.below(3):
            return ()
        lying = self.state.round.stakes.values() if self.state.round else ()
        return some(self.chance, [(stake.box, stake.bet) for stake in lying])

    def inputs(self) -> Inputs:
        """Findings and decisions of any kind, mostly such as somebody could have made."""
        chance, current = self.chance, self.state.round
        pending = current.pending if current else None
        cards, stakes = (current.cards, current.stakes) if current else ((), {})
        named = [(stake.player, stake.box, stake.bet) for stake in stakes.values()]
        aside = from_shoe(self.state, chance, 2) if chance.below(8) else ()
        return Inputs(
            reconstructable=pick(chance, (True, True, False, None)),
            order=shuffled(chance, pending.drawn) if pending and chance.below(8) else (),
            replace_cards=chance.below(3) == 0,
            action=pick(chance, ("continue", "return-stakes", "cut-to-maximum", "void", "")),
            stakes=(*some(chance, named), *pick(chance, ((), (), (), ((STRANGER, 1, "tie"),)))),
            intended=some(chance, self.state.players),
            substitutes={str(place): self.card() for place in some(chance, range(1, len(cards) + 1))},
            set_aside=aside,
            reason=self.reason(),
        )

    def changes(self) -> Changes:
        chance, setup = self.chance, self.state.setup
        changed: dict[str, Any] = {
            "limits": _random_limits(chance, setup.bets, setup.chip_unit),
            "differential": setup.chip_unit * pick(chance, (10, 1, 0)),
            "method": pick(chance, (*(method.name for method in setup.rules.dealing), "Z")),
            "insurance": bool(chance.below(2)),
            "wagers_per_area": pick(chance, (1, 2, 3, 4)),
            "cut": pick(chance, (14, 52 * setup.decks - 10, -1)),
        }
        return Changes(**{name: changed[name] for name in changed if chance.below(4) == 0})


def whole_round(state: State, chance: Chance) -> tuple[Card, ...]:
    """Random cards that make a whole round."""
    deck = tuple(Card)
    cards: tuple[Card, ...] = ()
    while next_hand(state.rules.table_of_play, cards) is not None:
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


def shuffled(chance: Chance, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    rest = list(cards)
    return tuple(rest.pop(chance.below(len(rest))) for _ in cards)


# The table and the walk ---------------------------------------------------------------------------------


class Table:
    """A log under audit."""

    def __init__(self, setup: Setup) -> None:
        opened = start(setup)
        self.log: list[AnyEvent] = [opened]
        self.state = replay(self.log)
        self.audit = Audit()

    def do(self, command: AnyCommand) -> tuple[AnyEvent, ...] | Refusal:
        """Decide and take what follows, every event checked."""
        decided = self.ask(command)
        if isinstance(decided, Refusal):
            return decided
        for event in decided:
            before, self.state = self.state, evolve(self.state, event)
            self.log.append(event)
            self.audit.event(before, event, self.state)
        self.audit.command(command, self.state)
        return decided

    def ask(self, command: AnyCommand) -> tuple[AnyEvent, ...] | Refusal:
        """Decide only; a refusal is well formed."""
        decided = decide(self.state, command)
        if self.pending is not None and not isinstance(command, MEANWHILE):
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

    def check_replay(self) -> None:
        again = replay(READ_EVENT(ENCODE(event)) for event in self.log)
        assert again == self.state, "the log comes to the state"
        assert state_hash(again) == state_hash(self.state)

    def people(self) -> tuple[str, ...]:
        return (*self.state.players, *self.state.staff, STRANGER)


class Walk:
    """Goes on at a table, step after step, wherever chance leads."""

    def __init__(self, setup: Setup, chance: Chance) -> None:
        self.table, self.chance = Table(setup), chance
        self.shift = {rank: person for person, rank in setup.staff.items()}
        for player in PLAYERS[: 2 + chance.below(3)]:
            self.table.do(commands.Join(by=player))
            cents = setup.chip_unit * (20 + chance.below(400))
            self.table.do(commands.BuyIn(by=player, cents=cents))
            self.table.do(commands.Sit(by=player, box=1 + chance.below(setup.positions)))

    @property
    def state(self) -> State:
        return self.table.state

    def steps(self, number: int) -> None:
        for step in range(number):
            kind = self.chance.below(10)
            move = self.advance if kind < 6 else self.listed if kind < 8 else self.anything
            move()
            if step % 4 == 0:
                self.probe()
            self.views()
        self.table.check_replay()

    # What a dealer would do next

    def advance(self) -> None:
        """The next thing in the order of a round, or something goes wrong."""
        if self.table.pending is not None:
            self._resolve(self.table.pending)
            return
        if self.can_go_wrong and self.chance.below(12) == 0:
            self.goes_wrong()
            return
        step = {
            "idle": self._between,
            "settled": self._between,
            "void": self._between,
            "betting": self._betting,
            "adjusting": self._adjusting,
            "dealing": self._dealing,
        }[self.state.phase]
        step()

    # What goes wrong

    @property
    def can_go_wrong(self) -> bool:
        return self.state.phase not in ("idle", "void") and self.table.pending is None

    def goes_wrong(self) -> None:
        """A report of any case, mostly with details that fit it."""
        chance, state, current = self.chance, self.state, self.state.round
        assert current is not None
        anything = Anything(state, chance)
        procedure = self._mishap(current)
        laid = any(remedy in LAYS_CARDS for ruling in procedure.rulings for remedy in ruling.remedy)
        drawn: tuple[Card, ...] = ()
        if laid or chance.below(6) == 0:
            drawn = from_shoe(state, chance, pick(chance, (1, 2, 2, 3)))
        places = range(1, len(current.cards) + len(drawn) + 1)
        report = commands.Report(
            by=pick(chance, list(state.staff)),
            case=procedure.case,
            drawn=drawn if current.phase in ("dealing", "settled") else (),
            shown=some(chance, places) if current.cards and chance.below(3) == 0 else (),
            players=some(chance, state.players),
            box=pick(chance, (0, 0, 1)),
            order_known=bool(chance.below(2)),
            values_known=bool(chance.below(2)),
            round=anything.round() if procedure.case == "noticed-later" or not chance.below(8) else None,
        )
        self.table.do(report)

    def _mishap(self, current: Round) -> Procedure:
        """Any case; seldom one that can only void the round, often the one about insurance while it is open."""
        rules = self.state.rules.procedures
        if current.phase == "dealing" and len(current.cards) >= INITIAL and self.chance.below(3) == 0:
            rules = tuple(one for one in rules if one.case == "neglected-insurance") or rules
        elif self.chance.below(4):
            rules = tuple(one for one in rules if any("void" not in x.remedy for x in one.rulings))
        return pick(self.chance, rules)

    def _resolve(self, pending: Pending) -> None:
        """A ruling, or a choice that is outstanding, by who may and now and then by who may not."""
        if self.chance.below(5) == 0:
            self.choose(self._somebody(), commands.Rule, commands.Choose)
        elif pending.inputs is None:
            self._rule(pending)
        else:
            self._chooses(pending)

    def _chooses(self, pending: Pending) -> None:
        asked = pick(self.chance, [player for player, choice in pending.choices.items() if not choice])
        by = self.shift["dealer"] if self.chance.below(4) == 0 else asked
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
        inputs = Anything(state, chance).inputs()
        if chance.below(5) == 0:
            self.table.do(commands.Rule(by=pick(chance, list(state.staff)), inputs=inputs))
            return
        if chance.below(12) == 0:
            self.table.do(commands.Void(by=self.top(), reason="misdeal"))
            return
        current = state.round
        assert current is not None
        valid = msgspec.structs.replace(
            inputs,
            order=shuffled(chance, pending.drawn),
            action=self._action(pending, current),
            stakes=tuple((s.player, s.box, s.bet) for s in current.stakes.values() if chance.below(2)),
            reason="as it was found",
            **self._set_aside(pending, current),
        )
        if not valid.stakes and valid.action in ("return-stakes", "cut-to-maximum"):
            valid = msgspec.structs.replace(valid, action="continue")
        ruled = self.table.do(commands.Rule(by=self.top(), inputs=valid))
        if isinstance(ruled, Refusal):
            assert ruled.code == "wrong-rank" or pending.case == "left-with-cards", ruled
            self.table.do(commands.Void(by=self.top(), reason="the cards are gone"))

    def _action(self, pending: Pending, current: Round) -> str:
        actions = ["continue"]
        if not pending.earlier:
            actions += ["void"] if current.phase == "settled" else ["void", "return-stakes", "cut-to-maximum"]
        return pick(self.chance, actions)

    def _set_aside(self, pending: Pending, current: Round) -> dict[str, Any]:
        """Somebody left with cards: such as they were take their places, two more are set aside."""
        hidden = hidden_places(current)
        if not hidden:
            return {}
        held = {place for place in hidden if current.handed.get(place) in pending.players}
        gone = held or {pick(self.chance, sorted(hidden))}
        return {
            "substitutes": {str(place): current.cards[place - 1] for place in gone},
            "set_aside": from_shoe(self.state, self.chance, 2),
        }

    # From round to round

    def _between(self) -> None:
        shoe, dealer = self.state.shoe, self.shift["dealer"]
        if self.state.phase == "settled" and self.chance.below(6) == 0:
            cards = whole_round(self.state, self.chance)
            self.table.do(commands.Correct(by=self.top(), cards=cards, reason="misread"))
        elif self.state.phase == "settled" and self.chance.below(6) == 0:
            self.table.do(commands.Void(by=self.top(), reason="misdeal"))
        elif shoe is None or shoe.cut_out or shoe.left < 6:
            self.table.do(commands.NewShoe(by=dealer))
        else:
            opened = self.table.do(commands.Open(by=dealer))
            assert not isinstance(opened, Refusal)

    def top(self) -> str:
        """Who decides what the rules do not cover; ranks may have been given up."""
        needed = next(
            procedure.rulings[0].decides
            for procedure in self.state.rules.procedures
            if procedure.case == "not-covered"
        )
        return next((who for who, rank in self.state.staff.items() if rank == needed), self.shift[needed])

    def _betting(self) -> None:
        what = self.chance.below(12)
        if what < 2:
            self._raised()
            closed = self.table.do(commands.Close(by=self.shift["dealer"]))
            assert not isinstance(closed, Refusal)
        elif what == 2:
            self.choose(pick(self.chance, self.state.players), commands.TakeBack)
        elif what == 3:
            self._record()
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
        """Chips that nobody noticed, on either hand, whatever the limits."""
        anything = Anything(self.state, self.chance)
        cents = self.state.setup.chip_unit * self.chance.below(80)
        command = commands.RecordChips(
            by=self.shift["dealer"],
            player=pick(self.chance, self.state.players),
            box=anything.box(),
            bet=pick(self.chance, HANDS),
            cents=cents,
        )
        self.table.do(command)

    def _adjusting(self) -> None:
        current = self.state.round
        assert current is not None
        sums = {hand: _total(current.stakes.values(), hand) for hand in HANDS}
        heavier = max(HANDS, key=lambda hand: sums[hand])
        excess = abs(sums["player"] - sums["banker"]) - (self.state.setup.differential or 0)
        if excess <= 0:
            closed = self.table.do(commands.Close(by=self.shift["dealer"]))
            assert not isinstance(closed, Refusal)
        elif self.chance.below(3):
            person = pick(self.chance, self.state.players)
            self.choose(person, commands.TakeBack, commands.Place)
        else:
            stake = max((s for s in current.stakes.values() if s.bet == heavier), key=lambda s: s.cents)
            left = stake.cents - excess
            cents = excess if left >= self.state.setup.limit(heavier).min else stake.cents
            command = commands.Remove(
                by=self.top(),
                player=stake.player,
                box=stake.box,
                bet=heavier,
                cents=cents,
            )
            assert not isinstance(self.table.do(command), Refusal)

    def _dealing(self) -> None:
        state, current, dealer = self.state, self.state.round, self.shift["dealer"]
        assert current is not None
        first = not current.cards and state.shoe is not None and state.shoe.cut_first
        if self.chance.below(25) == 0:
            self._record()
        elif current.window is not None and self.chance.below(3):
            self._answer(current)
        elif self._cut_card_comes_first(current):
            self.table.do(commands.CutCard(by=dealer))
        elif first and self.chance.below(3):
            self.table.do(commands.AllowWithdrawal(by=dealer))
            self.choose(pick(self.chance, state.players), commands.TakeBack)
        elif state.setup.dealing.face_down and self.chance.below(3) == 0:
            self._squeeze(current)
        elif due_hand(state, current) is not None:
            self._draw()
        elif hidden := hidden_places(current):
            self._expose(current, sorted(hidden))
        else:
            assert not isinstance(self.table.do(commands.Settle(by=dealer)), Refusal)

    def _answer(self, current: Round) -> None:
        """Somebody with a bet buys insurance if possible, or says no."""
        betting = sorted({stake.player for stake in current.stakes.values() if stake.bet in HANDS})
        player = pick(self.chance, betting or self.state.players)
        self.choose(player, *pick(self.chance, ((commands.Insure,), (commands.Insure, commands.Decline))))

    def _cut_card_comes_first(self, current: Round) -> bool:
        shoe = self.state.shoe
        assert shoe is not None
        is_next = not shoe.cut_out and not shoe.waiting and shoe.left <= self.state.setup.cut
        return is_next and not current.cards and self.chance.below(4) > 0

    def _draw(self) -> None:
        shoe = self.state.shoe
        assert shoe is not None
        if shoe.left == 0 and not shoe.waiting:
            self.table.do(commands.Void(by=self.top(), reason="the shoe is empty"))
            return
        left = [card for card in Card if shoe.drawn.get(card.value, 0) < shoe.size // 52]
        by = self.state.device or self.shift["dealer"]
        card = shoe.waiting[0] if shoe.waiting else pick(self.chance, left)
        drawn = self.table.do(commands.Draw(by=by, card=card))
        assert not isinstance(drawn, Refusal)

    def _squeeze(self, current: Round) -> None:
        """Requests, permissions, the device and the order of the third cards, whatever can be had."""
        state, shift = self.state, self.shift
        line = in_line(state, current) or list(state.players)
        to_come = tuple(range(len(current.cards) + 1, 7))
        asked = tuple(place for place in current.requests.get(line[0], ()) if place in to_come)
        first = (
            commands.GiveDevice(by=shift["dealer"], player=line[0]),
            commands.BankerThirdFirst(by=shift["pit-manager"], player=line[0]),
            commands.PermitSqueeze(by=shift["pit-manager"], player=line[0], cards=asked or to_come),
            commands.RequestSqueeze(by=line[0], cards=to_come),
            commands.RefuseCards(by=line[0], hand=pick(self.chance, tuple(Side))),
            commands.RevealFirst(by=shift["dealer"], hand=pick(self.chance, tuple(Side))),
        )
        begin = self.chance.below(len(first)) if current.cards else 0
        for command in first[begin:] + first[:begin]:
            if not isinstance(self.table.do(command), Refusal):
                return

    def _expose(self, current: Round, hidden: list[int]) -> None:
        """Hand a card over to whom it belongs, or turn what can be turned."""
        place = pick(self.chance, hidden)
        willing = handlers(self.state, current, place) if place not in current.handed else []
        if willing and self.chance.below(2):
            handed = commands.HandOver(by=self.shift["dealer"], cards=(place,), player=willing[0])
            assert not isinstance(self.table.do(handed), Refusal)
            return
        first = current.first_hand
        if first is not None and len(current.cards) <= INITIAL:
            before = {2, 4} if first is Side.BANKER else {1, 3}
            hidden = sorted(before.intersection(hidden)) or hidden
        elif current.reversed:
            hidden = hidden[-1:]
        turned = False
        for one in hidden:
            by = current.handed.get(one, self.shift["dealer"])
            turned |= not isinstance(self.table.do(commands.Expose(by=by, cards=(one,))), Refusal)
        if not turned:
            turning = commands.Expose(by=self.shift["dealer"], cards=tuple(hidden))
            assert not isinstance(self.table.do(turning), Refusal), "somebody may always turn a card"

    # What is listed, and what is not

    def options(self, actor: str) -> tuple[Option, ...]:
        return legal(self.state, actor)

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
        command = self.fill(pick(self.chance, options))
        assert not isinstance(self.table.do(command), Refusal), "what is listed is accepted"

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
                assert not isinstance(self.table.ask(command), Refusal), "what is listed is accepted"
                assert covered(option, command)
                assert READ_COMMAND(ENCODE(command)) == command
        for _ in range(12):
            command = msgspec.structs.replace(Anything(self.state, self.chance).command(), by=actor)
            accepted = not isinstance(self.table.ask(command), Refusal)
            covering = [option for option in options if covered(option, command)]
            if accepted:
                assert covering, "what is not listed is refused"
            elif covering:
                assert all(option.free for option in covering), "what is listed is accepted"
            self._tells_nothing(command)
        assert ENCODE(self.state) == before, "asking changes nothing"

    def _tells_nothing(self, command: AnyCommand) -> None:
        """A refusal does not depend on cards that its reader may not see."""
        current = self.state.round
        if current is None or not hidden_places(current) or isinstance(command, commands.Rule):
            return
        decided = decide(self.state, command)
        other = decide(disguised(self.state, current, command.by, self.chance), command)
        if isinstance(decided, Refusal) or isinstance(other, Refusal):
            assert decided == other, "a refusal tells nothing of hidden cards"

    def views(self) -> None:
        """Everybody's view while a card is hidden, somebody's otherwise."""
        people = self.table.people()
        if not hides_anything(self.state):
            people = (pick(self.chance, people),)
        for viewer in people:
            check_view(self.state, viewer, self.chance)


def walk(slug: str, layout: str, seed: int | str, steps: int) -> Walk:
    """A seeded walk at a random table of that layout."""
    chance = Seeded(f"{slug}/{layout}/{seed}")
    walked = Walk(random_setup(chance, slug, layout), chance)
    walked.steps(steps)
    return walked
