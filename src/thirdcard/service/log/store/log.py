"""What a store keeps of tables: their logs, and all that is found in these."""
# ruff: noqa: S608 - what is put into a statement's text are our own names

from abc import abstractmethod
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from thirdcard.service.log.store.model import (
    MANY,
    Answered,
    Append,
    BetTally,
    Checkpoint,
    Head,
    IndexRow,
    PostingRow,
    QuarterSum,
    Record,
    Result,
    ResultList,
    RoundMark,
    RoundPlayed,
    RoundRow,
    RoundsFound,
    RulebookText,
    Sought,
    Tally,
)
from thirdcard.service.log.store.reading import Changing, Reading, marks
from thirdcard.service.log.store.tables import (
    ANSWERS,
    CHECKPOINTS,
    DOCUMENTS,
    EVENT_INDEX,
    EVENTS,
    MARKS,
    POSTINGS,
    QUARTERS,
    ROUNDS,
    RULEBOOKS,
    SHOES,
    STREAMS,
    TABLES,
    TALLIES,
    Row,
)

Place = tuple[int, str, int]  # of a round: time, stream and number
END: Place = (MANY, "", 0)  # after all rounds

ROUNDS_OF = f"""SELECT stream, {ROUNDS.own} FROM round_players JOIN rounds USING (stream, number, at)
WHERE player = ? AND (at, stream, number) < (?, ?, ?) ORDER BY at DESC, stream DESC, number DESC LIMIT ?"""
# The few of a list first, and then their rounds.
RESULT_LIST = f"""SELECT stream, net, staked, {ROUNDS.own} FROM (
SELECT at, stream, number, net, staked FROM results
WHERE player = ? AND list = ? AND (at, stream, number) < (?, ?, ?)
ORDER BY at DESC, stream DESC, number DESC LIMIT ?) AS few JOIN rounds USING (stream, number, at)
ORDER BY at DESC, stream DESC, number DESC"""
BEST = f"""SELECT stream, net, staked, {ROUNDS.own} FROM (
SELECT stream, number, net, staked FROM results
WHERE player = ? AND list = 'won' ORDER BY net DESC LIMIT ?) AS few JOIN rounds USING (stream, number)
ORDER BY net DESC, at"""
BY_BET = """SELECT digest, bet, CAST(sum(staked) AS bigint), CAST(sum(net) AS bigint) FROM tallies
WHERE player = ? AND bet <> '' AND day >= ? GROUP BY digest, bet ORDER BY digest, bet"""
# The index first, and then its few events: no planner is to read a log backwards instead.
LOOKUP = """SELECT key, value, {record} FROM (
SELECT stream, key, version, value FROM event_index
WHERE stream = ? AND key IN ({keys}) AND version < ? ORDER BY version DESC LIMIT ?) AS found
JOIN events USING (stream, version) ORDER BY version DESC"""
# Rounds that have the rarest mark, so many at most, and of those the ones that have the others too.
MARKED = """SELECT at, stream, number FROM marks
WHERE mark = ? AND at >= ? AND at < ? AND (at, stream, number) < (?, ?, ?){stream}
ORDER BY at DESC, stream DESC, number DESC LIMIT ?"""
HOW_MANY = f"SELECT count(*) FROM ({MARKED}) AS few"
LAST_MARKED = f"{MARKED} OFFSET ?"
FIND = f"""SELECT m.at, m.stream, m.number FROM ({MARKED}) AS m
{{also}} ORDER BY m.at DESC, m.stream DESC, m.number DESC LIMIT ?"""
ALSO = """EXISTS (SELECT 1 FROM marks AS o
WHERE o.mark = ? AND o.at = m.at AND o.stream = m.stream AND o.number = m.number)"""
SUMS = """SELECT {by}, name, CAST(sum(value) AS bigint) FROM quarters
WHERE at >= ? AND at < ?{streams} GROUP BY {by}, name ORDER BY {by}, name"""
OUT_OF_ORDER = """SELECT stream, version FROM (SELECT stream, version, seq,
lag(seq) OVER (PARTITION BY stream ORDER BY version) AS before FROM events) AS placed
WHERE seq <= before ORDER BY stream, version"""
FORGET_ANSWERS = """DELETE FROM answers WHERE (actor, key) IN (
SELECT actor, key FROM answers WHERE until < ? ORDER BY until LIMIT ?) RETURNING key"""


class LogReading(Reading):
    """What is read of logs, in a store or in a snapshot of one."""

    def heads(self) -> dict[str, Head]:
        """Where each stream ends."""
        return {end.stream: Head(end.version, end.head) for end in self.every(STREAMS, "version > 0")}

    def streams(self) -> set[str]:
        """Every stream that any table speaks of, whether or not it is said to exist."""
        named = [table.name for table in TABLES if "stream" in table.types and self.has(table)]
        named.remove(POSTINGS.name)
        found = {row[0] for name in named for row in self._ask(f"SELECT DISTINCT stream FROM {name}")}
        return found - {end.stream for end in self.every(STREAMS, "version = 0")}

    def read(self, stream: str, *, after: int = 0, limit: int | None = None) -> Iterable[Record]:
        """Records in order of version, those with a version above `after`."""
        most = MANY if limit is None else limit
        return self.every(EVENTS, "stream = ? AND version > ? ORDER BY version LIMIT ?", stream, after, most)

    def of_round(self, stream: str, number: int, *, most: int | None = None) -> Iterable[Record]:
        """What was logged from the opening of a round to that of the next; of 0, all before the first."""
        keys = (f"round:{number + 1}", f"round:{number}")
        begins = {row.value: row.version for row, _ in self.lookup(stream, keys, limit=len(keys))}
        if number and number not in begins:
            return ()
        after = begins.get(number, 1) - 1
        limit = min(begins.get(number + 1, MANY) - 1 - after, MANY if most is None else most)
        return self.read(stream, after=after, limit=limit)

    def entries(self, stream: str, *, after: int = 0) -> Iterable[PostingRow]:
        """The postings of a stream in order of version, those of a version above `after`."""
        sql = f"SELECT {POSTINGS.own} FROM {self.dialect.POSTINGS} WHERE stream = ? AND version > ?"
        return (POSTINGS.made(row) for row in self._ask(f"{sql} ORDER BY version, n", (stream, after)))

    def rounds(self, stream: str, *, before: int | None = None, limit: int = 100) -> Iterable[RoundRow]:
        """Finished rounds, the latest first, those with a number below `before`."""
        where = "stream = ? AND number < ? ORDER BY number DESC LIMIT ?"
        return self.every(ROUNDS, where, stream, MANY if before is None else before, limit)

    def round(self, stream: str, number: int) -> RoundRow | None:
        return self.first(ROUNDS, ROUNDS.at_key, stream, number)

    def shoe(self, stream: str, number: int) -> bytes | None:
        """What is secret of a shoe, encrypted."""
        kept = self.first(SHOES, SHOES.at_key, stream, number)
        return None if kept is None else kept.sealed

    def checkpoint(self, stream: str, *, at_most: int = MANY) -> Checkpoint | None:
        """The latest at or before a version."""
        where = "stream = ? AND version <= ? ORDER BY version DESC LIMIT 1"
        return self.first(CHECKPOINTS, where, stream, at_most)

    def checkpoints(self, stream: str) -> set[int]:
        """The versions of the checkpoints of a stream."""
        sql = "SELECT version FROM checkpoints WHERE stream = ?"
        return {version for (version,) in self._ask(sql, (stream,))} if self.has(CHECKPOINTS) else set()

    def text(self, digest: str) -> bytes | None:
        """The text of a rulebook that some log names."""
        kept = self.first(RULEBOOKS, RULEBOOKS.at_key, digest)
        return None if kept is None else kept.text

    def texts(self) -> list[RulebookText]:
        """All of them."""
        return list(self.every(RULEBOOKS, "true ORDER BY digest"))

    def document(self, digest: str) -> str:
        """The house's own copy of the document that a rulebook states; empty if it has none."""
        copy = self.first(DOCUMENTS, DOCUMENTS.at_key, digest)
        return "" if copy is None else copy.text

    def lookup(
        self, stream: str, keys: Sequence[str], *, before: int = MANY, limit: int = 100
    ) -> list[tuple[IndexRow, Record]]:
        """What is indexed under these keys below a version, with its records, the latest first."""
        sql = LOOKUP.format(record=self.dialect.own(EVENTS, self.schema), keys=marks(keys))
        found = [
            (key, value, EVENTS.made(row))
            for key, value, *row in self._ask(sql, (stream, *keys, before, limit))
        ]
        return [(IndexRow(key, stored.version, value), stored) for key, value, stored in found]

    def sums(
        self, since: int, until: int, streams: Collection[str] | None = None
    ) -> list[tuple[str, str, int]]:
        """Stream, name and sum of the quarters from one time to another, of these streams or of all."""
        return self._summed("stream", since, until, streams)

    def course(
        self, since: int, until: int, streams: Collection[str] | None = None
    ) -> list[tuple[int, str, int]]:
        """Quarter, name and sum, the streams taken together."""
        return self._summed("at", since, until, streams)

    def _summed(self, by: str, since: int, until: int, streams: Collection[str] | None) -> list[Any]:
        if not self.has(QUARTERS) or (streams is not None and not streams):
            return []
        only = "" if streams is None else f" AND stream IN ({marks(streams)})"
        return [
            tuple(row)
            for row in self._ask(SUMS.format(by=by, streams=only), (since, until, *(streams or ())))
        ]

    def find(self, sought: Sought, *, limit: int, most: int) -> RoundsFound:
        """At most `limit` rounds; at most `most` rounds of the rarest mark are looked at."""
        only = "" if sought.stream is None else " AND stream = ?"

        def where(mark: str) -> Row:
            within = (sought.since, sought.until, *(sought.before or END))
            return (mark, *within, *(() if sought.stream is None else (sought.stream,)))

        counts = {
            mark: self._ask_one(HOW_MANY.format(stream=only), (*where(mark), most + 1))[0]
            for mark in dict.fromkeys(sought.marks)
        }
        rarest = min(counts, key=counts.__getitem__)
        others = [mark for mark in counts if mark != rarest]
        also = f"WHERE {' AND '.join([ALSO] * len(others))}" if others else ""
        sql = FIND.format(stream=only, also=also)
        found = [
            (at, stream, number)
            for at, stream, number in self._ask(sql, (*where(rarest), most, *others, limit + 1))
        ]
        if len(found) > limit:
            return RoundsFound(places=found[:limit], reached=found[limit - 1])
        last = None
        if counts[rarest] > most:
            last = tuple(self._ask_one(LAST_MARKED.format(stream=only), (*where(rarest), 1, most - 1)))
        return RoundsFound(places=found, reached=last)

    @abstractmethod
    def damage(self) -> Iterable[str]:
        """What is wrong with the store itself, in sentences."""

    def out_of_order(self) -> list[tuple[str, int]]:
        """Stream and version of events that the store's own sequence puts before the event before them."""
        return [(stream, version) for stream, version in self._ask(OUT_OF_ORDER)]


class LogStore(LogReading, Changing):
    """The logs of tables, and the journal of the house.

    Events, postings, answers to commands, finished rounds, sealed shoes and texts of rulebooks of a commit
    are written together or not at all.

    >>> from thirdcard.service.log.store import open_store
    >>> from thirdcard.service.log.store.model import Append, Record
    >>> store = open_store("memory:")
    >>> event = Record("salon", 1, 0, "dee", "noted", 1, 0, "", b"{}", bytes(32))
    >>> first = Append(stream="salon", expected=0, records=(event,))
    >>> store.commit([first]), store.commit([first])  # the second time the log is at version 1 already
    ([Done()], [Conflict()])
    >>> [record.name for record in store.read("salon")], store.heads()["salon"].version
    (['noted'], 1)
    >>> store.close()
    """

    @abstractmethod
    def commit(self, appends: Sequence[Append]) -> list[Result]:
        """Write all appends in one durable transaction; any result but Done concerns its own append only."""

    def index(
        self,
        stream: str,
        rows: Sequence[IndexRow],
        marks: Sequence[RoundMark],
        quarters: Sequence[QuarterSum] = (),
    ) -> None:
        """Put rows that an earlier release did not write; those that are there stay as they are.

        Sums are put where the stream has none at all.
        """
        with self._writing() as writing:
            alone = f"SELECT stream FROM streams AS kept WHERE stream = ?{self.dialect.FOR_UPDATE}"
            writing.ask(alone, (stream,))  # two that start at once add sums once
            writing.put(EVENT_INDEX, [EVENT_INDEX.values(row, stream) for row in rows])
            writing.put(MARKS, [MARKS.values(row, stream) for row in marks])
            there = "SELECT 1 FROM quarters WHERE at = ? AND stream = ? LIMIT 1"
            if quarters and not writing.ask(there, (quarters[0].at, stream)):
                writing.put(QUARTERS, [QUARTERS.values(row, stream) for row in quarters])

    def read(self, stream: str, *, after: int = 0, limit: int | None = None) -> list[Record]:
        return list(super().read(stream, after=after, limit=limit))

    def entries(self, stream: str, *, after: int = 0) -> list[PostingRow]:
        return list(super().entries(stream, after=after))

    def rounds(self, stream: str, *, before: int | None = None, limit: int = 100) -> list[RoundRow]:
        return list(super().rounds(stream, before=before, limit=limit))

    def answered(self, actor: str, key: str) -> Answered | None:
        """What a command with that key was answered."""
        found = self.first(ANSWERS, ANSWERS.at_key, actor, key)
        return found and Answered(actor=actor, key=key, digest=found.digest, answer=found.answer)

    def forget_answers(self, *, before: int, limit: int) -> int:
        """Drop answers that were to be kept until then, so many at most; how many there were."""
        return len(self._change(FORGET_ANSWERS, (before, limit)))

    def significant(self, *, before: int | None = None, limit: int = 100) -> list[tuple[int, Record]]:
        """Flagged records of all streams, the latest first, each with its place in the sequence of all."""
        sql = f"SELECT seq, {EVENTS.own} FROM {self.dialect.FLAGGED} WHERE flag <> '' AND seq < ?"
        rows = self._ask(f"{sql} ORDER BY seq DESC LIMIT ?", (MANY if before is None else before, limit))
        return [(seq, EVENTS.made(row)) for seq, *row in rows]

    # What a player finds again

    def rounds_of(
        self, player: str, *, before: Place | None = None, limit: int = 100
    ) -> list[tuple[str, RoundRow]]:
        """A player's own rounds at all tables, the latest first (by at, stream, number, all falling)."""
        rows = self._ask(ROUNDS_OF, (player, *(before or END), limit))
        return [(stream, ROUNDS.made(row)) for stream, *row in rows]

    def played(
        self, player: str, which: ResultList, *, before: Place | None = None, limit: int = 100
    ) -> list[RoundPlayed]:
        """A player's own rounds at all tables, the latest first, as `rounds_of`."""
        return [_played(row) for row in self._ask(RESULT_LIST, (player, which, *(before or END), limit))]

    def best(self, player: str, *, limit: int) -> list[RoundPlayed]:
        """The rounds in which a player has won most."""
        return [_played(row) for row in self._ask(BEST, (player, limit))]

    def by_day(self, player: str, *, since: int = 0) -> list[Tally]:
        """What all bets came to on each day played, from a day on, in order."""
        where = "player = ? AND digest = '' AND bet = '' AND day >= ? AND rounds > 0 ORDER BY day"
        return list(self.every(TALLIES, where, player, since))

    def by_bet(self, player: str, *, since: int = 0) -> list[BetTally]:
        """What was staked on each bet, from a day on."""
        return [
            BetTally(digest=digest, bet=bet, staked=staked, net=net)
            for digest, bet, staked, net in self._ask(BY_BET, (player, since))
        ]


def _played(row: Row) -> RoundPlayed:
    stream, net, staked, *rest = row
    return RoundPlayed(stream=stream, net=net, staked=staked, row=ROUNDS.made(rest))
