"""A search over a million rounds of fifty tables: what a dispute, a name, a rare event and a plain list take."""

import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from report import figure
from thirdcard.cards import Card
from thirdcard.service.log.codec import record
from thirdcard.service.log.floor_events import SYSTEM
from thirdcard.service.log.store.model import GENESIS, Append, IndexRow, Record, RoundMark, RoundRow
from thirdcard.service.log.store.sqlite import SqliteStore
from thirdcard.service.queries.finding import RoundQuestion, find_rounds
from thirdcard.service.tables.live import RoundRecord, ShownCard
from thirdcard.service.tables.marks import ROUND, hand_mark, mark, stake_mark
from thirdcard.table.events import BetsOpened
from thirdcard.table.state import Line, Settlement, Stake

ROUNDS, TABLES, TOGETHER = 1_000_000, 50, 1_000
MINUTE = 60 * 1_000_000
START = 1_700_000_000_000_000
BETS = ("player", "banker", "tie", "player-pair", "banker-pair", "big-tiger", "small-tiger")
AMOUNTS = tuple(cents * 100 for cents in (10, 25, 50, 100, 200, 300, 500, 1_000, 2_000, 5_000))
PLAYERS = tuple(f"player-{n}" for n in range(5_000))
CARDS = tuple(Card)
AIM_SECONDS = 0.05
RUNS = 20
RARE = 0.001


def played(
    chance: random.Random, table: str, number: int, at: int, version: int
) -> tuple[RoundRow, list[RoundMark]]:
    """A finished round of one to five people, with the marks that its events would have left."""
    outcome = chance.choices(("player", "banker", "tie"), (446, 459, 95))[0]
    stakes = [
        Stake(
            player=chance.choice(PLAYERS), box=chance.randint(1, 9), bet=bet, cents=chance.choice(AMOUNTS), order=n,
            seated=True,
        )
        for n in range(chance.randint(1, 5))
        for bet in chance.sample(BETS, chance.randint(1, 3))
    ]  # fmt: skip
    lines = tuple(
        Line(
            player=one.player, box=one.box, bet=one.bet, stake=one.cents, result="lose", odds=None, net=-one.cents,
            rules=("4.1",),
        )
        for one in stakes
    )  # fmt: skip
    hands = {hand: chance.sample(CARDS, chance.randint(2, 3)) for hand in ("player", "banker")}
    made = RoundRecord(
        table=table, number=number, shoe=1, phase="settled", version=version, at=at, stakes=tuple(stakes), purchases=(),
        cards=tuple(ShownCard(hand=hand, card=card) for hand, own in hands.items() for card in own),  # type: ignore[arg-type]
        settlement=Settlement(outcome=outcome, player=7, banker=6, lines=lines),  # type: ignore[arg-type]
    )  # fmt: skip
    told = {ROUND, mark("outcome", outcome), *(hand_mark(hand, own) for hand, own in hands.items())}
    for one in stakes:
        told |= {
            mark("player", one.player),
            mark("box", one.box),
            mark("bet", one.bet),
            mark("amount", one.cents),
        }
    told |= {stake_mark(one.box, one.bet, one.cents) for one in stakes}
    if chance.random() < RARE:
        told |= {mark("flag", "correction"), mark("staff", "Sam"), mark("rule", "5.8.1")}
    row = RoundRow(number=number, at=at, players=(), body=msgspec.json.encode(made))
    return row, [RoundMark(text, number, at) for text in told]


def fill(store: SqliteStore, rounds: int) -> None:
    """One event a round, so that a round is found in its log; times go on evenly at every table."""
    chance = random.Random(7)  # noqa: S311 - sample data
    each = rounds // TABLES
    for first in range(0, each, TOGETHER):
        for number in range(TABLES):
            table = f"table-{number}"
            store.commit([_part(chance, store, table, range(first, min(first + TOGETHER, each)))])


def _part(chance: random.Random, store: SqliteStore, table: str, numbers: range) -> Append:
    head = store.heads().get(table)
    before, records, rows, marks = (
        head.hash if head else GENESIS,
        list[Record](),
        list[RoundRow](),
        list[RoundMark](),
    )
    for number in (n + 1 for n in numbers):
        at = START + number * MINUTE
        event = BetsOpened(number=number)
        stored = record(
            event,
            stream=table,
            version=number,
            before=before,
            at=at,
            by=SYSTEM,
            number=number,
            flag="",
            asked=b"",
        )
        row, some = played(chance, table, number, at, number)
        before = stored.hash
        records.append(stored)
        rows.append(row)
        marks += some
    index = tuple(IndexRow(f"round:{one.round}", one.version, one.round) for one in records)
    return Append(
        stream=table,
        expected=numbers[0],
        records=tuple(records),
        rounds=tuple(rows),
        index=index,
        marks=tuple(marks),
    )


def questions(rounds: int) -> Iterator[tuple[str, RoundQuestion]]:
    middle = START + rounds // TABLES // 2 * MINUTE
    around = {"since": middle - 45 * MINUTE, "until": middle + 45 * MINUTE}
    exact = {"bet": "banker", "least": 500_00, "most": 500_00}
    yield "box 3, Banker 500, about ten", RoundQuestion(box=3, **exact, **around)  # type: ignore[arg-type]
    yield "box 3, Banker 500, whenever", RoundQuestion(box=3, **exact)  # type: ignore[arg-type]
    yield "one player", RoundQuestion(player=PLAYERS[77])
    yield "one player at one table", RoundQuestion(player=PLAYERS[77], table="table-7")
    yield "what was corrected", RoundQuestion(flag="correction")
    yield "paragraph 5.8.1 by Sam, Tie", RoundQuestion(rule="5.8.1", staff="Sam", outcome="tie")
    yield "a hand", RoundQuestion(cards={"player": "9C 7D"})
    yield "one table, the latest", RoundQuestion(table="table-7")
    yield "the latest of all", RoundQuestion()


def read_through(store: SqliteStore, rounds: int) -> float:
    """Seconds that reading every round would take, by those of one table."""
    begun = time.process_time()
    for row in store.rounds("table-7", limit=rounds):
        msgspec.json.decode(row.body, type=RoundRecord)
    return (time.process_time() - begun) * TABLES


def main(rounds: int = ROUNDS) -> bool:
    good = True
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "find.db", synchronous="NORMAL")
        begun = time.process_time()
        fill(store, rounds)
        print(
            f"{rounds:,} rounds of {TABLES} tables, written in {time.process_time() - begun:,.0f} s of processor\n"
        )
        whole = read_through(store, rounds)
        for told, question in questions(rounds):
            took = []
            for _ in range(RUNS):
                begun = time.process_time()
                found = find_rounds(store, question)
                took.append(time.process_time() - begun)
            median = sorted(took)[RUNS // 2]
            good &= figure(
                f"find: {told}",
                f"{median * 1000:.1f} ms of processor, {len(found.rounds)} found",
                aim=f"{AIM_SECONDS * 1000:.0f} ms",
                compared=f"reading every round: {whole / median:,.0f} times as long",
                reached=median <= AIM_SECONDS,
            )
        store.close()
    return good
