"""Rounds that were dealt under a text which was not in force, by what texts and logs say of their times."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

import msgspec

from thirdcard.rulebook import Rulebook, digest_of
from thirdcard.rulebook.load import remember, usable
from thirdcard.rulebook.versions import Version, families, shown
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.log.floor_events import Logged
from thirdcard.service.log.store.log import LogReading
from thirdcard.service.tables.live import Live
from thirdcard.table.events import BetsOpened


class OutOfForce(msgspec.Struct):
    """Rounds of a table under one text at the wrong time."""

    first: int
    last: int
    rounds: int
    why: str


class Laws:
    """All texts that are known, in the order of time."""

    def __init__(self, books: Iterable[Rulebook]) -> None:
        self._books = tuple(books)
        self._versions: dict[str, Version] = {}  # by digest

    def why_not(self, book: Rulebook, at: int) -> str:
        """Why a text was not in force at a time in microseconds; empty if it was, or says no time."""
        version = self._version(book)
        when = datetime.fromtimestamp(at / MICROSECONDS, UTC)
        if version.starts is None or version.holds(when):
            return ""
        if when < version.starts:
            return f"which is in force only from {shown(version.starts)}"
        assert version.ends is not None  # it does not hold any more
        return f"which was in force until {shown(version.ends)}"

    def _version(self, book: Rulebook) -> Version:
        """A text among the versions of its game; of others with its own name it takes the place."""
        digest = digest_of(book)
        if digest not in self._versions:
            every = families((*self._books, book)).values()
            self._versions[digest] = next(
                version for versions in every for version in versions if version.book is book
            )
        return self._versions[digest]


def laws_of(store: LogReading) -> Laws:
    """What the store keeps, and what is found here."""
    return Laws((*usable(), *_kept(store)))


def _kept(store: LogReading) -> Iterator[Rulebook]:
    for kept in store.texts():
        try:
            yield remember(kept.text)
        except Exception:  # noqa: BLE001, S112 - anything may be stored; what is wrong with it is told elsewhere
            continue


class Dealt:
    """The rounds of one table that began under a text which was not in force."""

    def __init__(self, laws: Laws) -> None:
        self.found: dict[str, OutOfForce] = {}  # by slug and why
        self._laws = laws

    def see(self, live: Live, event: Logged, at: int) -> None:
        """An event that led to this table; rounds of practice count nowhere."""
        if not isinstance(event, BetsOpened) or live.practice is not None:
            return
        book = live.table.rulebook
        why = self._laws.why_not(book, at)
        if why:
            told = f"{book.slug}, {why}"
            runs = self.found.setdefault(told, OutOfForce(event.number, event.number, 0, told))
            runs.last, runs.rounds = event.number, runs.rounds + 1

    def remarks(self, table: str) -> Iterator[str]:
        for run in self.found.values():
            if run.rounds == 1:
                yield f"{table}: round {run.first} was dealt under {run.why}"
            else:
                yield f"{table}: {run.rounds:,} rounds, {run.first} to {run.last}, were dealt under {run.why}"
