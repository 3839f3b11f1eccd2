"""A table played at random under an auditor who recomputes everything: money, shoe, limits, views, results.

`Table` takes commands and checks what follows from each event on its own terms. `Walk` finds commands:
the next step a dealer would take, what `legal` lists, and anything at all. Where it turns is left to a
`Chance`, so that the same walk is driven by a seed or by Hypothesis.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, Protocol, TypeVar, get_args

import msgspec

from thirdcard.cards import Card
from thirdcard.money import LARGEST_STAKE
from thirdcard.play.settlement import Game, Insured
from thirdcard.play.tableau import next_hand
from thirdcard.rulebook import Rulebook, load
from thirdcard.rulebook.model import Side
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
from thirdcard.table.state import HANDS, Line, Round, Settlement, Stake

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
    commands.Void, commands.Correct,
)  # fmt: skip
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


class Audit:
    """Keeps its own books from the events alone and holds every state against them."""

    def __init__(self) -> None:
        self.balances: Counter[str] = Counter()
        self.at_open: Counter[str] = Counter()  # racks and House when the round was opened
        self.brought: Counter[str] = Counter()  # bought in less cashed out since
        self.drawn: Counter[Card] = Counter()
        self.cards: tuple[Card, ...] = ()
        self.recorded: set[str] = set()  # stakes that staff set, whatever the limits
        self.boxes: set[int] = set()  # where chips were recorded
        self.marks: list[str] = []  # results of the shoe in use
        self.shoe_gone = False  # the round was dealt from a shoe that is no longer in use
        self.rescaled = False  # chips were recorded after the close, or cards corrected

    def event(self, before: State, event: AnyEvent, after: State) -> None:
        assert READ_EVENT(ENCODE(event)) == event, "an event survives being written and read"
        if isinstance(event, events.BetsOpened):
            assert event.number == before.rounds + 1
            self.at_open, self.brought = Counter(self.balances), Counter()
            self.recorded, self.boxes, self.cards = set(), set(), ()
            self.rescaled = self.shoe_gone = False
        self._money(event, after)
        self._shoe(event, after)
        self._chips(event, after)
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
        boxes = dict.fromkeys(range(1, after.setup.positions + 1), 0)
        current = after.round
        if current is not None and current.settlement is None:
            for stake in current.stakes.values():
                boxes[stake.box] += stake.cents
            for purchase in current.purchases:
                boxes[purchase.box] += purchase.cents
        lying = {number: after.balances.get(f"box:{number}", 0) for number in boxes}
        assert lying == boxes, "a box holds the stakes and insurance that lie there"

    def _shoe(self, event: AnyEvent, after: State) -> None:
        if isinstance(event, events.ShoeStarted):
            self.drawn, self.marks, self.shoe_gone = Counter(), [], True
        elif isinstance(event, events.CardDrawn):
            self.drawn[event.card] += 1
            self.cards = (*self.cards, event.card)
        elif isinstance(event, events.CardsCorrected):
            if not self.shoe_gone:
                self.drawn = self.drawn - Counter(self.cards) + Counter(event.cards)
            self.cards = event.cards
            self.rescaled = True
        elif isinstance(event, events.RoundSettled) and not self.shoe_gone:
            self.marks.append(event.settlement.outcome)
        elif isinstance(event, events.SettlementReversed) and not self.shoe_gone:
            self.marks.pop()
        assert [result.winner for result in after.results] == self.marks, "a mark for each round that counts"
        if after.shoe is not None:
            assert max(self.drawn.values(), default=0) <= after.shoe.size // 52, "no card twice"
            counts = {name: n for name, n in after.shoe.drawn.items() if n}
            assert counts == {card.value: n for card, n in self.drawn.items()}, "the shoe counts its cards"
            assert after.shoe.left == after.shoe.size - self.drawn.total()
        if after.round is not None:
            assert after.round.cards == self.cards

    def _chips(self, event: AnyEvent, after: State) -> None:
        if isinstance(event, events.StakeSet):
            if event.why == "recorded":
                self.recorded.add(event.stake.key)
                self.boxes.add(event.stake.box)
                self.rescaled |= after.phase == "dealing"
            elif event.stake.cents == 0:
                self.recorded.discard(event.stake.key)
        current = after.round
        if current is None or after.phase in ("settled", "void"):
            return
        for key, stake in current.stakes.items():
            limit = after.setup.limit(stake.bet)
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
        if any(line.played is not None for line in lines):
            return
        compared = [line for line in lines if line.window is None or not self.rescaled]
        setup = after.setup
        statement = game(setup.rulebook, setup.layout, setup.decks, setup.chip_unit).settle(
            self.cards,
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


# Views --------------------------------------------------------------------------------------------------


def hidden_places(current: Round) -> set[int]:
    return set(range(1, len(current.cards) + 1)).difference(current.exposed)


def disguised(state: State, current: Round, viewer: str, chance: Chance) -> State:
    """The same table with other cards where this viewer sees none."""
    unseen = {place for place in hidden_places(current) if current.handed.get(place) != viewer}
    deck = tuple(Card)
    cards = tuple(
        pick(chance, deck) if place in unseen else card for place, card in enumerate(current.cards, start=1)
    )
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
    visible: Counter[str] = Counter()
    for place, (seen, card) in enumerate(zip(shown.cards, current.cards, strict=True), start=1):
        may_see = place not in hidden or current.handed.get(place) == viewer
        assert seen.card == (card if may_see else None), "only the squeezer sees a face-down card"
        visible[card.value] += may_see
    if not hidden:
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
    if name == "player" and hasattr(command, "cents"):  # to name oneself is to name nobody
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
        if isinstance(decided, Refusal):
            assert READ_REFUSAL(ENCODE(decided)) == decided
            assert decided.code in CODES
            assert decided.sentence.strip()
        else:
            assert decided, "a command that is accepted has an event"
        return decided

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
        """The next thing in the order of a round."""
        step = {
            "idle": self._between,
            "settled": self._between,
            "void": self._between,
            "betting": self._betting,
            "adjusting": self._adjusting,
            "dealing": self._dealing,
        }[self.state.phase]
        step()

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
        """Who decides what the rules do not cover."""
        return next(
            self.shift[procedure.rulings[0].decides]
            for procedure in self.state.rules.procedures
            if procedure.case == "not-covered"
        )

    def _betting(self) -> None:
        what = self.chance.below(12)
        if what < 2:
            closed = self.table.do(commands.Close(by=self.shift["dealer"]))
            assert not isinstance(closed, Refusal)
        elif what == 2:
            self.choose(pick(self.chance, self.state.players), commands.TakeBack)
        elif what == 3:
            self._record()
        else:
            self._place(pick(self.chance, self.state.players))

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
                by=self.shift["pit-manager"],
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
        is_next = not shoe.cut_out and shoe.left <= self.state.setup.cut
        return is_next and not current.cards and self.chance.below(4) > 0

    def _draw(self) -> None:
        shoe = self.state.shoe
        assert shoe is not None
        if shoe.left == 0:
            self.table.do(commands.Void(by=self.top(), reason="the shoe is empty"))
            return
        left = [card for card in Card if shoe.drawn.get(card.value, 0) < shoe.size // 52]
        by = self.state.device or self.shift["dealer"]
        drawn = self.table.do(commands.Draw(by=by, card=pick(self.chance, left)))
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
        if first is not None and len(hidden) > 2:
            hidden = [2, 4] if first is Side.BANKER else [1, 3]
        elif current.reversed:
            hidden = hidden[-1:]
        for one in hidden:
            by = current.handed.get(one, self.shift["dealer"])
            self.table.do(commands.Expose(by=by, cards=(one,)))

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
        if current is None or not hidden_places(current):
            return
        decided = decide(self.state, command)
        other = decide(disguised(self.state, current, command.by, self.chance), command)
        if isinstance(decided, Refusal) or isinstance(other, Refusal):
            assert decided == other, "a refusal tells nothing of hidden cards"

    def views(self) -> None:
        """Everybody's view while a card is hidden, somebody's otherwise."""
        current = self.state.round
        people = self.table.people()
        if current is None or not hidden_places(current):
            people = (pick(self.chance, people),)
        for viewer in people:
            check_view(self.state, viewer, self.chance)


def walk(slug: str, layout: str, seed: int | str, steps: int) -> Walk:
    """A seeded walk at a random table of that layout."""
    chance = Seeded(f"{slug}/{layout}/{seed}")
    walked = Walk(random_setup(chance, slug, layout), chance)
    walked.steps(steps)
    return walked
