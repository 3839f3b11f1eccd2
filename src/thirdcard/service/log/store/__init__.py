"""Where logs are kept. `open_store` takes what people type: a file, a PostgreSQL address, or `memory:`.

`model.py` has the rows and `tables.py` describes each kind of them once: tables, their steps from release to
release, inserts, reads and back-ups follow from it. A store has three parts, `log.py`, `people.py` and
`school.py`, over `reading.py`; `commits.py` and `results.py` say what a commit writes. `sqlite.py` (a file or
memory) and `postgres.py` own their databases; nobody else asks what kind of store it is (`kinds.py`).
"""

from pathlib import Path

from thirdcard.service.log.store.kinds import Kind, Snapshot, Source, Store

__all__ = [
    "Snapshot",
    "Source",
    "Store",
    "file_of",
    "open_beside",
    "open_snapshot",
    "open_store",
    "write_file",
]


def _kind(where: str) -> Kind:
    """The only place that knows by an address what kind of store it names; only what is used is loaded."""
    if where.startswith(("postgresql://", "postgres://")):
        from thirdcard.service.log.store import postgres  # noqa: PLC0415

        return postgres
    from thirdcard.service.log.store import sqlite  # noqa: PLC0415

    return sqlite


def open_store(where: str) -> Store:
    """The store at a path or address; made if it does not exist."""
    return _kind(where).open_store(where)


def open_beside(where: str) -> Store:
    """The store for a command that changes accounts, whether or not a server runs."""
    return _kind(where).open_beside(where)


def open_snapshot(where: str) -> Snapshot:
    """What is there at this moment."""
    return _kind(where).open_snapshot(where)


def file_of(where: str) -> Path | None:
    """The file beside which the key and the anchor lie; None for a server."""
    return _kind(where).file_of(where)


def write_file(source: Source, path: Path) -> int:
    """A back-up: a new file that holds everything, whichever kind it came from; the number of events."""
    from thirdcard.service.log.store import sqlite  # noqa: PLC0415

    return sqlite.write_file(source, path)
