"""A search over a million rounds of fifty tables: what a dispute, a name, a rare event and a plain list take."""

import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from report import figure, sized
from service import postgres
from thirdcard.cards import Card
from thirdcard.service.log.codec import record
from thirdcard.service.log.floor_events import SYSTEM
from thirdcard.service.log.store import Store, open_store
from thirdcard.service.log.store.model import GENESIS, RoundMark, RoundRow
from thirdcard.service.log.store.sqlite import SqliteStore
from thirdcard.service.log.store.tables import EVENTS
from thirdcard.service.queries.finding import RoundQuestion, find_rounds
from thirdcard.service.tables.live import RoundRecord, ShownCard
from thirdcard.service.tables.marks import ROUND, hand_mark, mark, stake_mark
from thirdcard.table.events import BetsOpened
from thirdcard.table.state import Line, Settlement, Stake

ROUNDS, ON_POSTGRES, TABLES = sized((1_000_000, 200_000, 50), (80, 80, 8))
MINUTE = 60 * 1_000_000
START = 1_700_000_000_000_000
BETS = ("player", "banker", "tie", "player-pair", "banker-pair", "big-tiger", "small-tiger")
AMOUNTS = tuple(cents * 100 for cents in (10, 25, 50, 100, 200, 300, 500, 1_000, 2_000, 5_000))
PLAYERS = tuple(f"player-{n}" for n in range(5_000))
CARDS = tuple(Card)
AIM_SECONDS = 0.05
RUNS = sized(20, 1)
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


Rows = dict[str, list[Sequence[object]]]  # of the tables that a search reads, by their names


def written(rounds: int) -> Iterator[Rows]:
    """Some rows at a time: one event a round, so that a round is found in its log; times go on evenly.

    Rounds are drawn for one table; the others have the same ones at other times.
    """
    chance, each = random.Random(7), rounds // TABLES  # noqa: S311 - sample data
    drawn = [played(chance, "table-0", n, START, n) for n in range(1, each + 1)]
    for table, shift in ((f"table-{number}", number * 397) for number in range(TABLES)):
        rows: Rows = {"streams": [], "events": [], "event_index": [], "rounds": [], "marks": []}
        before = GENESIS
        for number in range(1, each + 1):
            row, told = drawn[(number + shift) % each]
            at = START + number * MINUTE
            stored = record(
                BetsOpened(number=number),
                stream=table,
                version=number,
                before=before,
                at=at,
                by=SYSTEM,
                number=number,
                flag="",
            )
            before = stored.hash
            rows["events"].append(msgspec.structs.astuple(stored))
            rows["event_index"].append((table, f"round:{number}", number, number))
            rows["rounds"].append((table, number, at, row.body))
            rows["marks"] += [(one.mark, at, table, number) for one in told]
        rows["streams"].append((table, each, before))
        rows["marks"].sort(key=tuple)
        yield rows


COLUMNS = {
    "streams": "stream, version, head",
    "events": EVENTS.own,
    "event_index": "stream, key, version, value",
    "rounds": "stream, number, at, body, players",
    "marks": "mark, at, stream, number",
}


def fill(path: Path, rounds: int) -> None:
    """A SQLite file that a store has made, in bulk."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.executescript("PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000")
        for rows in written(rounds):
            rows["rounds"] = [(*row, "[]") for row in rows["rounds"]]
            database.execute("BEGIN")
            for table, made in rows.items():
                blanks = ", ".join("?" * len(made[0]))
                database.executemany(f"INSERT INTO {table} ({COLUMNS[table]}) VALUES ({blanks})", made)  # noqa: S608 - our own names
            database.execute("COMMIT")


def fill_postgres(address: str, rounds: int) -> None:
    """The same for PostgreSQL."""
    import psycopg  # noqa: PLC0415 - an extra

    with psycopg.connect(address, options="-c search_path=thirdcard") as database:
        for rows in written(rounds):
            rows["rounds"] = [(*row, []) for row in rows["rounds"]]
            for table, made in rows.items():
                with database.cursor().copy(f"COPY {table} ({COLUMNS[table]}) FROM STDIN") as copy:
                    for row in made:
                        copy.write_row(row)
        database.commit()
        database.autocommit = True
        database.execute("ANALYZE")


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
    yield (
        "box 3, Tie 5,000 at one table",
        RoundQuestion(box=3, bet="tie", least=5_000_00, most=5_000_00, table="table-7"),
    )
    yield (
        "Banker from 400 to 600 at one table",
        RoundQuestion(bet="banker", least=400_00, most=600_00, table="table-7"),
    )
    yield "Banker over a million", RoundQuestion(bet="banker", least=1_000_000_00)
    yield "box 3 in rounds that were a Tie", RoundQuestion(box=3, outcome="tie")
    yield "one table, the latest", RoundQuestion(table="table-7")
    yield "the latest of all", RoundQuestion()


def read_through(store: Store) -> float:
    """Seconds that reading every round would take, by those of one table."""
    begun = time.process_time()
    for row in store.rounds("table-7", limit=ROUNDS):
        msgspec.json.decode(row.body, type=RoundRecord)
    return (time.process_time() - begun) * TABLES


def ask(kind: str, store: Store, rounds: int, clock: Callable[[], float]) -> bool:
    """Every question, so many times; by that clock."""
    good, whole = True, read_through(store)
    for told, question in questions(rounds):
        took = []
        for _ in range(RUNS):
            begun = clock()
            found = find_rounds(store, question)
            took.append(clock() - begun)
        median = sorted(took)[RUNS // 2]
        good &= figure(
            f"find, {kind}: {told}",
            f"{median * 1000:.1f} ms, {len(found.rounds)} found",
            aim=f"{AIM_SECONDS * 1000:.0f} ms",
            compared=f"reading every round: {whole / median:,.0f} times as long",
            reached=median <= AIM_SECONDS,
        )
    return good


def main() -> bool:
    """On SQLite in time of the processor, on PostgreSQL in time that passes: another process does the work."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "find.db"
        SqliteStore(path).close()
        begun = time.process_time()
        fill(path, ROUNDS)
        took = time.process_time() - begun
        print(f"{ROUNDS:,} rounds of {TABLES} tables, written in bulk in {took:,.0f} s of processor\n")
        with closing(SqliteStore(path)) as store:
            good = ask(f"SQLite, {ROUNDS:,} rounds", store, ROUNDS, time.process_time)
    with postgres() as server, closing(open_store(server.get_uri())) as store:
        fill_postgres(server.get_uri(), ON_POSTGRES)
        kind = f"PostgreSQL, {ON_POSTGRES:,} rounds"
        return ask(kind, store, ON_POSTGRES, time.perf_counter) and good


if __name__ == "__main__":
    sys.exit(not main())
