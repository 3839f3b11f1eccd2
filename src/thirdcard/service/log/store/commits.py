"""What a commit comes to in every database: which of its appends are good, and what rows they write."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import msgspec

from thirdcard.service.log.store.model import (
    Answered,
    Append,
    Conflict,
    Done,
    Head,
    Overtaken,
    Result,
    Seen,
    StreamEnd,
    Wallet,
)
from thirdcard.service.log.store.results import Before, relisted
from thirdcard.service.log.store.tables import (
    ANSWERS,
    OF_APPEND,
    QUARTERS,
    ROUNDS,
    STREAMS,
    TABLES,
    WALLETS,
    Dialect,
    Row,
    Rows,
    Table,
)

ASKED_AT_ONCE = 1000  # keys in one statement

FIND_WALLETS = """WITH asked (name) AS ({asked})
SELECT kept.name, kept.version FROM asked JOIN wallets AS kept USING (name) ORDER BY kept.name{lock}"""
# Rounds that are written again, what they counted for, and when players of the others played before.
FIND_ROUNDS = f"""WITH asked (stream, number) AS ({{asked}})
SELECT stream, {ROUNDS.own} FROM asked JOIN rounds USING (stream, number)"""  # noqa: S608 - our own columns
FIND_TIMES = """WITH asked (stream, number) AS ({asked})
SELECT made.player, made.stream, made.number, made.time FROM asked JOIN rounds AS r USING (stream, number)
CROSS JOIN {played} JOIN results AS made ON made.player = played.value AND made.list = 'all'
AND made.at = r.at AND made.stream = r.stream AND made.number = r.number"""
FIND_LASTS = """WITH asked (player) AS ({asked}) SELECT player,
(SELECT max(at) FROM results AS r WHERE r.player = asked.player AND list = 'all') FROM asked"""

Ask = Callable[[str, Row], Iterable[Row]]


class Judged(msgspec.Struct, frozen=True):
    """A commit looked through: a result for each append, those to be written, and where streams then end."""

    results: list[Result]
    good: list[Append]
    heads: dict[str, Head]
    wallets: dict[str, Wallet]


def judge(
    appends: Sequence[Append],
    heads: Mapping[str, Head],
    answered: Callable[[tuple[str, str]], Answered | None],
    wallets: Mapping[str, int],
) -> Judged:
    """Look the appends through in order, each as if those before it were written.

    Answers go first: who asks again gets the answer, however far the stream has moved. `wallets` are the
    versions of those that there are.
    """
    judged = Judged([], [], {}, {})
    fresh: dict[tuple[str, str], Answered] = {}
    for append in appends:
        check(append)
        seen = []
        for answer in append.answers:
            key = answer.actor, answer.key
            found = fresh.get(key) or answered(key)
            if found is not None:
                seen.append(found)
        if seen:
            judged.results.append(Seen(tuple(seen)))
        elif append.records and append.expected != _version(append.stream, judged.heads, heads):
            judged.results.append(Conflict())
        elif append.wallets and (moved := _overtaken(append, judged.wallets, wallets)):
            judged.results.append(Overtaken(moved))
        else:
            judged.results.append(Done())
            judged.good.append(append)
            judged.wallets.update((move.after.name, move.after) for move in append.wallets)
            for answer in append.answers:
                fresh[answer.actor, answer.key] = answer
            if append.records:
                last = append.records[-1]
                judged.heads[append.stream] = Head(last.version, last.hash)
    return judged


def _overtaken(append: Append, moved: Mapping[str, Wallet], wallets: Mapping[str, int]) -> tuple[str, ...]:
    """The wallets that are not as the append expects them."""
    return tuple(
        move.after.name
        for move in append.wallets
        if move.expected
        != (moved[name].version if (name := move.after.name) in moved else wallets.get(name, 0))
    )


def check(append: Append) -> None:
    """ValueError if an append cannot be right whatever the store holds."""
    for version, record in enumerate(append.records, start=append.expected + 1):
        if record.version != version or record.stream != append.stream:
            raise ValueError(f"version {version} of {append.stream} should follow, not {record.version}")
    last = append.expected + len(append.records)
    for entry in append.entries:
        if not append.expected < entry.version <= last:
            raise ValueError(f"a posting of {append.stream} without its event, version {entry.version}")
    if len(append.answers) > 1 and len({(a.actor, a.key) for a in append.answers}) < len(append.answers):
        raise ValueError("two answers to one command")


def _version(stream: str, moved: Mapping[str, Head], heads: Mapping[str, Head]) -> int:
    head = moved.get(stream) or heads.get(stream)
    return head.version if head else 0


class Look:
    """What a commit has to know before it is judged and written: all of it is asked before any is read."""

    def __init__(self, ask: Ask, dialect: Dialect, appends: Sequence[Append]) -> None:
        def find(sql: str, kinds: Sequence[type], rows: Sequence[Row]) -> list[Iterable[Row]]:
            parts = (rows[first : first + ASKED_AT_ONCE] for first in range(0, len(rows), ASKED_AT_ONCE))
            return [ask(*dialect.asking(sql, kinds, part)) for part in parts]

        keys = [(answer.actor, answer.key) for append in appends for answer in append.answers]
        moved = sorted({(move.after.name,) for append in appends for move in append.wallets})
        places = [(append.stream, row.number) for append in appends for row in append.rounds]
        players = {(player,) for append in appends for row in append.rounds for player in row.players}
        self._answers = find(dialect.FIND_ANSWERS, (str, str), keys)
        self._wallets = find(FIND_WALLETS, (str,), moved)
        self._rounds = find(FIND_ROUNDS, (str, int), places)
        self._times = find(FIND_TIMES, (str, int), places)
        self._lasts = find(FIND_LASTS, (str,), sorted(players))

    def answers(self) -> dict[tuple[str, str], Answered]:
        """What keys of the appends were answered before."""
        return {
            (actor, key): Answered(actor=actor, key=key, digest=digest, answer=answer)
            for actor, key, digest, answer in chain.from_iterable(self._answers)
        }

    def wallets(self) -> dict[str, int]:
        """The versions of the wallets that the appends move."""
        return {name: version for name, version in chain.from_iterable(self._wallets)}  # noqa: C416

    def before(self) -> Before:
        return Before(
            rounds={(stream, row[0]): ROUNDS.made(row) for stream, *row in chain.from_iterable(self._rounds)},
            times={
                (player, stream, number): time
                for player, stream, number, time in chain.from_iterable(self._times)
            },
            lasts={player: at or 0 for player, at in chain.from_iterable(self._lasts)},
        )


def rows_of(judged: Judged, before: Before) -> tuple[Rows, Rows]:
    """What a commit drops and then writes, by table in the order of these.

    An event's place in the sequence is left open. What belongs to no stream is in one order for everybody.
    """
    written: Rows = defaultdict(list)
    for append in judged.good:
        for part, table in OF_APPEND.items():
            if rows := getattr(append, part):
                written[table] += _values(table, rows, append.stream)
    ends = (StreamEnd(stream, head.version, head.hash) for stream, head in judged.heads.items())
    written[STREAMS] = list(map(STREAMS.values, ends))
    written[WALLETS] = list(map(WALLETS.values, judged.wallets.values()))
    for table in (WALLETS, ANSWERS):
        written[table].sort(key=tuple)
    written[QUARTERS] = added_up(written[QUARTERS])
    dropped: Rows = {}
    rounds = {(append.stream, row.number): row for append in judged.good for row in append.rounds}
    for table, old, new in relisted(rounds, before) if rounds else ():
        dropped[table], written[table] = old, new
    return _in_order(dropped), _in_order(written)


def _values(table: Table[Any], rows: Iterable[Any], stream: str) -> list[Row]:
    if "n" in table.beside:
        return [table.values(row, stream, n) for n, row in enumerate(rows)]
    beside = [stream if name == "stream" else None for name in table.beside]
    return [table.values(row, *beside) for row in rows]


def _in_order(rows: Rows) -> Rows:
    return {table: rows[table] for table in TABLES if rows.get(table)}


def added_up(rows: Iterable[Row]) -> list[Row]:
    """What is added to each sum, once for each and in one order for everybody."""
    found = Counter[tuple[Any, ...]]()
    for *key, value in rows:
        found[tuple(key)] += value
    return [(*key, value) for key, value in sorted(found.items())]
