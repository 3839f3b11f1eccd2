"""Tables that the automatic dealer runs: a clock that only counts, a shuffled shoe, people who act at random."""

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache

from thirdcard.cards import Card
from thirdcard.rulebook import load
from thirdcard.rulebook.model import Side
from thirdcard.service.log.floor_events import SYSTEM, Pace
from thirdcard.service.tables import dealer, plans
from thirdcard.service.tables.dealer import Do, DrawNext, Rest, Shuffle, Timer, interruption
from thirdcard.service.tables.sealed_shoes import OpenShoe
from thirdcard.table import Refusal, Setup, Table, commands, decide
from thirdcard.table.commands import AnyCommand
from thirdcard.table.events import AnyEvent
from thirdcard.table.samples import reports, rulings
from thirdcard.table.setup import Limit
from thirdcard.table.state import HANDS, Pending, Round

TBC = "rws-tiger-buffalo-commission-v2"
V3 = "rws-tiger-buffalo-non-commission-v3"
V4 = "rws-tiger-buffalo-non-commission-v4"
CBI = "rws-commission-insurance-v5"
MBS = "mbs-tiger-v2"
PACE = Pace()


def setup_for(slug: str, layout: str = "A", **changed: object) -> Setup:
    """A table that `SYSTEM` deals at, but for what is changed; Sam is the shift manager."""
    shift = next(rank.name for rank in load(slug).ranks if rank.name.endswith("shift-manager"))
    values: dict[str, object] = {
        "rulebook": slug,
        "layout": layout,
        "positions": load(slug).layouts[layout].positions[1],
        "limits": {"*": Limit(10_00, 2_000_00)},
        "differential": 1_000_00,
        "staff": {SYSTEM: dealer.dealer_rank(load(slug)), "Sam": shift},
    }
    return Setup(**(values | changed))  # type: ignore[arg-type]


class Driven(Table):
    """A table under its driver. Every command of the dealer must be accepted; money is counted after each."""

    def __init__(self, setup: Setup, *people: str, seed: object = 0, pace: Pace = PACE) -> None:
        self.random = random.Random(str(seed))  # noqa: S311 - sample data
        self.pace = pace
        super().__init__(setup)
        self.shoe: list[Card] = []
        self.order: list[Card] = []  # as they came out
        self.now = 0
        self.ticks = 0
        self.running = ("", 0)  # the key of the timer and when it ends
        self.timers: Counter[str] = Counter()
        self.done: Counter[str] = Counter()
        for box, person in enumerate(people, start=1):
            self.do(commands.Join(by=person))
            self.do(commands.BuyIn(by=person, cents=50_000_00))
            if box <= setup.positions:
                self.do(commands.Sit(by=person, box=box))

    def do(self, *asked: AnyCommand) -> tuple[AnyEvent, ...]:
        """The events of commands that must be accepted."""
        decided = super().do(*asked)
        assert not isinstance(decided, Refusal), f"{asked}: {decided}"
        assert all(sum(posting.cents for posting in event.postings) == 0 for event in decided)
        assert sum(self.state.balances.values()) == 0
        assert all(cents >= 0 for name, cents in self.state.balances.items() if name.startswith("rack:"))
        return decided

    def tried(self, command: AnyCommand) -> tuple[AnyEvent, ...]:
        """The events of a command, none if it is refused."""
        return () if isinstance(decide(self.state, command), Refusal) else self.do(command)

    # The driver -------------------------------------------------------------------------------------------

    def next(self) -> tuple[dealer.Step, Timer | None]:
        return dealer.next_step(self.state, pace=self.pace)

    def tick(self, ms: int = 0) -> dealer.Step | None:
        """Time passes; the step that was carried out, if its time had come."""
        self.now += ms
        self.ticks += 1
        assert self.ticks < 50_000, f"stuck in {self.state.round}"
        step, timer = self.next()
        if timer is not None:
            if timer.key != self.running[0]:
                self.running = (timer.key, self.now + timer.ms)
                self.timers[timer.name] += 1
            if self.now < self.running[1]:
                return None
        self.carry_out(step)
        return step

    def carry_out(self, step: dealer.Step) -> None:
        if isinstance(step, Do):
            assert step.commands, "a step does something"
            for command in step.commands:
                for named in self.named(command):
                    self.do(named)
                self.done[type(command).__name__] += 1
        elif isinstance(step, Shuffle):
            self.do(commands.NewShoe(by=SYSTEM))
            self.shoe, self.order = list(Card) * self.state.setup.decks, []
            self.random.shuffle(self.shoe)
        elif isinstance(step, DrawNext):
            self.draw(step.by)

    def draw(self, by: str) -> None:
        """The next card, which the sealed shoe reads; one that waits has been read."""
        shoe = self.state.shoe
        assert shoe is not None
        card = None if shoe.waiting else self.shoe.pop()
        if card is not None:
            self.order.append(card)
        self.do(commands.Draw(by=by, card=None if self.state.setup.unseen else card))

    def named(self, command: AnyCommand) -> Iterator[AnyCommand]:
        """Cards that were drawn without a name get it when the dealer turns them."""
        if self.state.setup.unseen:
            yield from plans._named(self.state, OpenShoe(b"", tuple(self.order)), command)  # noqa: SLF001
        else:
            yield command

    def until(self, *phases: str) -> None:
        """Nobody does anything: the dealer goes on until the table is in such a phase."""
        for _ in range(100):
            if self.state.phase in phases:
                return
            self.tick(60_000)
        raise AssertionError(f"still {self.state.phase} after a hundred minutes")

    def stack(self, *cards: Card) -> None:
        """These cards come next, in this order."""
        for card in reversed(cards):
            self.shoe.remove(card)
            self.shoe.append(card)

    @property
    def round(self) -> Round:
        assert self.state.round is not None
        return self.state.round

    @property
    def hidden(self) -> list[int]:
        return list(self.round.hidden)


class People:
    """Players who bet, insure, squeeze, refuse, choose or say nothing, and staff who come when they must."""

    def __init__(self, table: Driven) -> None:
        self.table = table
        self.random = table.random

    def act(self) -> None:
        """Somebody tries something that the moment suggests; refusals are that person's business."""
        state = self.table.state
        who = self.random.choice(state.players)
        current = state.round
        if current is None:
            return
        wishes = list(self._wishes(current, who))
        if wishes:
            self.table.tried(self.random.choice(wishes))

    def _wishes(self, current: Round, who: str) -> Iterator[AnyCommand]:
        state, pick = self.table.state, self.random
        if current.pending is not None:
            yield commands.Choose(by=who, choice=pick.choice(("continue", "return")))
        elif current.phase in ("betting", "adjusting"):
            box = pick.randint(1, state.setup.positions)
            bet = pick.choice((*HANDS, *HANDS, *state.setup.bets))
            yield commands.Place(by=who, box=box, bet=bet, cents=pick.choice((10_00, 35_00, 400_00, 900_00)))
            yield from (
                commands.TakeBack(by=who, box=s.box, bet=s.bet)
                for s in current.stakes.values()
                if s.player == who
            )
        elif current.phase == "dealing":
            yield from self._at_the_cards(current, who)

    def _at_the_cards(self, current: Round, who: str) -> Iterator[AnyCommand]:
        pick = self.random
        yield commands.Decline(by=who)
        for stake in current.stakes.values():
            if stake.player == who and stake.bet in HANDS:
                cents = pick.choice((1_00, 5_00, 20_00))
                yield commands.Insure(by=who, box=stake.box, hand=Side(stake.bet), cents=cents)
        held = [place for place, holder in current.handed.items() if holder == who]
        if held:
            yield commands.Expose(by=who, cards=tuple(held))
            yield commands.Expose(by=who, cards=(pick.choice(held),))
            yield commands.RefuseCards(by=who, hand=pick.choice(list(Side)))
        if len(current.drawn) < 6:
            yield commands.RequestSqueeze(by=who, cards=(pick.randint(len(current.drawn) + 1, 6),))
        if current.phase == "dealing" and not current.drawn:
            yield commands.RequestSqueeze(by=who, cards=(1, 3, 5))

    def report(self) -> None:
        """Sam notices something that holds the round up; some of it goes to the players."""
        state, current = self.table.state, self.table.state.round
        procedure = self.random.choice(state.rulebook.procedures)
        if current is not None:
            said = [one for one in reports(state, current, "Sam", procedure) if not (one.drawn or one.names)]
            self.table.tried(self.random.choice(said))

    def rule(self, pending: Pending) -> None:
        """Sam rules on what the dealer may not, or finds that there is nothing to it."""
        state, current = self.table.state, self.table.round
        procedure = next(one for one in state.rulebook.procedures if one.case == pending.case)
        ways = list(rulings(state, current, pending, procedure))
        if self.random.random() < 0.2 or not self.table.tried(
            commands.Rule(by="Sam", inputs=self.random.choice(ways))
        ):
            self.table.do(commands.Dismiss(by="Sam", reason="nothing to it"))


# Whole shoes ------------------------------------------------------------------------------------------

WALKS: dict[str, tuple[str, str, dict[str, object]]] = {
    "TBC face up": (TBC, "A", {}),
    "TBC face down without insurance": (
        TBC,
        "K",
        {"method": "face-down", "insurance": False, "private": True},
    ),
    "TBC face down": (TBC, "C", {"method": "face-down", "device": "reader"}),
    "TBN3 face down": (V3, "A", {"method": "face-down"}),
    "TBN4 face up": (V4, "R", {}),
    "CBI face up": (CBI, "A", {}),
    "CBI face down": (CBI, "A", {"method": "face-down"}),
    "MBS method A": (MBS, "A", {"method": "A", "differential": 300_00}),
    "MBS method B": (MBS, "E", {"differential": 500_00, "wagers_per_area": 2}),
    "MBS method C": (
        MBS,
        "B",
        {"method": "C", "device": "reader", "high_limit": True, "differential": None},
    ),
}


@cache
def walk(name: str) -> Driven:
    """Two whole shoes with people at random: never stuck, never refused, each to its cut card."""
    slug, layout, changed = WALKS[name]
    table = Driven(setup_for(slug, layout, **changed), "Wei", "Mei", "Anwar", "Lena", seed=name)
    people, steps, rounds = People(table), 0, 0
    while table.state.shoe is None or table.state.shoe.number <= 2:
        shoe, steps = table.state.shoe, steps + 1
        if table.state.rounds != rounds:
            steps, rounds = 0, table.state.rounds
        assert steps < 300, f"stuck in {table.state.round}"
        people.act()
        chance = table.random.random()
        if chance < 0.002:
            people.report()
        elif chance < 0.004:  # sometimes nobody rules on it at once
            for command in interruption(table.state)[: table.random.choice((1, 2))]:
                table.do(command)
        step = table.tick(table.random.choice((0, 500, 3000, 9000)))
        if isinstance(step, Rest):
            pending = table.round.pending
            assert pending is not None, "the dealer rests only while staff are awaited"
            people.rule(pending)
        elif isinstance(step, Shuffle):
            assert shoe is None or shoe.cut_out
    return table
