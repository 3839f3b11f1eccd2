"""Whole rounds at a table, replay of its log, and whether a round costs more the longer a table runs."""

import gc
import random
import sys
import time
from collections.abc import Callable
from statistics import median

from report import figure, sized
from thirdcard.cards import Card
from thirdcard.play.settlement import Game, Insured
from thirdcard.play.tableau import next_hand
from thirdcard.rulebook.model import Side
from thirdcard.table import Refusal, Setup, Table, commands, replay
from thirdcard.table.commands import AnyCommand
from thirdcard.table.events import AnyEvent, CardDrawn, InsuranceBought, RoundSettled
from thirdcard.table.setup import Limit

TIMES_AIM, REPLAY_AIM, GROWTH_AIM = 2.5, 100_000, 1.2
PLAYERS = tuple(f"player{box}" for box in range(1, 8))  # seven boxes, each with its player
TABLES = {
    # slug: layout, dealing method, the three bets that everybody makes
    "rws-commission-insurance-v5": ("A", "face-up", ("player", "tie", "player-pair")),
    "mbs-tiger-v2": ("A", "B", ("banker", "tie", "tiger")),
}
STAKES = (10_000, 500, 1_000)
RUNS = sized(3, 1)
ROUNDS, EARLY, LATE = sized((5_000, (0, 500), (4_500, 5_000)), (20, (0, 5), (15, 20)))


class Bench(Table):
    """A table that is driven by commands alone, every event kept."""

    def __init__(self, slug: str) -> None:
        layout, method, self.bets = TABLES[slug]
        setup = Setup(
            rulebook=slug,
            layout=layout,
            positions=len(PLAYERS),
            limits={"*": Limit(100, 10_000_000)},
            differential=10_000_000,
            method=method,
            staff={"dealer": "dealer"},
        )
        super().__init__(setup)
        self.table_of_play = setup.book.table_of_play
        self.cards: list[Card] = []
        self.chance = random.Random(2024)  # noqa: S311 - sample data
        for box, player in enumerate(PLAYERS, start=1):
            self.do(commands.Join(by=player))
            self.do(commands.BuyIn(by=player, cents=10**12))
            self.do(commands.Sit(by=player, box=box))

    def do(self, *asked: AnyCommand) -> tuple[AnyEvent, ...]:
        decided = super().do(*asked)
        if isinstance(decided, Refusal):
            raise RuntimeError(f"{asked}: {decided.sentence}")  # noqa: TRY004 - not about types
        return decided

    def round(self) -> None:
        """A new shoe if one is due, 21 bets, the cards, insurance where it is open, settlement."""
        if self.state.shoe is None or self.state.shoe.cut_out:
            self.do(commands.NewShoe(by="dealer"))
            self.cards = [card for card in Card for _ in range(self.state.setup.decks)]
            self.chance.shuffle(self.cards)
        self.do(commands.Open(by="dealer"))
        for box, player in enumerate(PLAYERS, start=1):
            bets = zip(self.bets, STAKES, strict=True)
            self.do(*[commands.Place(by=player, box=box, bet=bet, cents=cents) for bet, cents in bets])
        self.do(commands.Close(by="dealer"))
        drawn: tuple[Card, ...] = ()
        while next_hand(self.table_of_play, drawn) is not None:
            drawn += (self.cards.pop(),)
            self.do(commands.Draw(by="dealer", card=drawn[-1]))
            self._insure()
        self.do(commands.Settle(by="dealer"))

    def _insure(self) -> None:
        """The first player buys, the second says no, the others keep silent."""
        current = self.state.round
        if current is not None and len(current.offerings) == 1 and not current.offerings[0].over:
            hand = current.offerings[0].offers[0].hand
            self.do(commands.Insure(by=PLAYERS[0], box=1, hand=hand, cents=100))
            self.do(commands.Decline(by=PLAYERS[1]))


def seconds(work: Callable[[], object]) -> float:
    """Processor time, which other programs on the machine do not lengthen by waiting."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def bare_settlement(bench: Bench) -> Callable[[], None]:
    """The same bets on the same cards, settled one statement for each player and nothing else."""
    setup = bench.state.setup
    game = Game(setup.book, setup.layout, decks=setup.decks, unit=setup.chip_unit)
    bets = dict(zip(bench.bets, STAKES, strict=True))
    rounds: list[tuple[tuple[Card, ...], list[Insured]]] = []
    cards: list[Card] = []
    bought: list[Insured] = []
    for event in bench.log:
        if isinstance(event, InsuranceBought):
            one = event.purchase
            bought.append(Insured(hand=Side(one.hand), window=one.window, stake=one.cents))
        elif isinstance(event, RoundSettled):
            rounds.append((tuple(cards), bought))
            cards, bought = [], []
        elif isinstance(event, CardDrawn) and event.card is not None:
            cards.append(event.card)

    def settle() -> None:
        for dealt, insured in rounds:
            for number in range(len(PLAYERS)):
                game.settle(dealt, bets, insured if number == 0 else ())

    return settle


def main() -> bool:
    results = [_table(slug) for slug in TABLES]  # every one runs, also after a miss
    return all(results)


def _play(slug: str) -> tuple[Bench, list[float]]:
    """One run, without what an earlier one left in memory."""
    gc.collect()
    bench = Bench(slug)
    return bench, [seconds(bench.round) for _ in range(ROUNDS)]


def _table(slug: str) -> bool:
    """Speeds are the best of three runs, growth compares median rounds; the log stays in memory and its cost counts."""
    runs = [_play(slug)[1] for _ in range(RUNS - 1)]
    bench, last = _play(slug)  # all runs are the same rounds, so any log will do for what follows
    runs = sorted([*runs, last], key=sum)
    settle = bare_settlement(bench)
    whole, bare = sum(runs[0]), min(seconds(settle) for _ in range(RUNS))
    slowest = sum(runs[-1])
    count = len(bench.log)
    setup = bench.state.setup
    what = f"{slug} layout {setup.layout}, method {setup.dealing.name}, {len(PLAYERS)} seated players with {len(STAKES)} bets each, one core"
    fast = figure(
        f"{what}: {ROUNDS:,} whole rounds, every check, event and posting included",
        f"{ROUNDS / whole:,.0f} rounds a second of processor time (best of {RUNS}, slowest {ROUNDS / slowest:,.0f}), {count / ROUNDS:.1f} events in each",
        aim=f"at most {TIMES_AIM} times as long as settling the same {len(PLAYERS) * len(STAKES)} bets alone",
        compared=f"{whole / bare:.2f} times as long ({ROUNDS / bare:,.0f} rounds a second settled alone)",
        reached=whole / bare <= TIMES_AIM,
    )
    again = min(seconds(lambda: replay(bench.log)) for _ in range(RUNS))
    if replay(bench.log) != bench.state:
        raise RuntimeError("the log does not come to the state")
    quick = figure(
        f"{what}: replay of {count:,} events",
        f"{count / again:,.0f} events a second of processor time",
        aim=f"{REPLAY_AIM:,} events a second",
        compared=f"{whole / again:.1f} times as fast as playing them",
        reached=count / again >= REPLAY_AIM,
    )
    early, late = (median(t for times in runs for t in times[slice(*part)]) for part in (EARLY, LATE))
    sums = [sum(times[slice(*LATE)]) / sum(times[slice(*EARLY)]) for times in runs]
    steady = figure(
        f"{what}: rounds {LATE[0] + 1:,} to {LATE[1]:,} of one log",
        f"{late / early:.2f} times as long as rounds {EARLY[0] + 1} to {EARLY[1]} (median round of {RUNS} runs: {late * 1e6:,.0f} and {early * 1e6:,.0f} microseconds)",
        aim=f"below {GROWTH_AIM}",
        compared=f"sums instead of medians, which memory collection and a busy machine move: {', '.join(f'{one:.2f}' for one in sums)}",
        reached=late / early < GROWTH_AIM,
    )
    return fast and quick and steady


if __name__ == "__main__":
    sys.exit(not main())
