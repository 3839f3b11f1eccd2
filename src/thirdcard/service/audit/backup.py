"""Back-ups: a SQLite file that holds all of a database, whichever kind it came from and goes to.

Neither the key nor the anchor is in it: with the key a back-up would tell the cards of every shoe in use, and
an anchor in the same hands as the log would vouch for nothing.
"""
# ruff: noqa: S608 - what is put into a statement's text are our own lists of columns

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from thirdcard.errors import BadInput
from thirdcard.service.log.store import open_store
from thirdcard.service.log.store.model import StoreDown
from thirdcard.service.log.store.snapshot import COLUMNS, Snapshot, is_address
from thirdcard.service.log.store.sqlite import APPLICATION, SCHEMA, VERSION

PLAYED = "INSERT INTO round_players SELECT DISTINCT"  # who played in which round follows from the rounds


def backup(where: str, to: Path) -> int:
    """Write a back-up of all that is there at this moment, a server may run; the number of events in it.

    The file appears whole, on the disk and readable by its owner alone, or not at all.
    """
    if to.exists():
        raise BadInput(f"{to} is there already: a back-up never replaces a file")
    draft = to.with_name(f"{to.name}.part")
    with Snapshot(where) as source:
        try:
            draft.unlink(missing_ok=True)
            os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            events = write_file(source, draft)
            _sync(draft)
            to.hardlink_to(draft)  # unlike a rename this never replaces anything
            _sync(to.absolute().parent)
        except FileExistsError:
            raise BadInput(f"{to} is there already: a back-up never replaces a file") from None
        except OSError as error:
            raise BadInput(f"cannot write {to}: {error.strerror}") from None
        except sqlite3.Error as error:
            raise BadInput(f"cannot write {to}: {error}") from None
        finally:
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)
    return events


def restore(file: Path, where: str) -> int:
    """Fill an empty place from a back-up, all of it or nothing; the number of events.

    BadInput if anything is there, be it one account: a back-up is never mixed with something else.
    """
    if is_address(str(file)):
        raise BadInput("a back-up is a file")
    with Snapshot(str(file)) as source:
        store = open_store(where)  # makes what has to be there, and keeps servers out of a file
        try:
            if store.heads() or store.accounts():
                place = "that database" if is_address(where) else where
                raise BadInput(f"{place} is not empty: restore into a new one")
            return _write_server(source, where) if is_address(where) else _fill_file(source, Path(where))
        except sqlite3.Error as error:
            raise BadInput(f"cannot write {where}: {error}") from None
        finally:
            store.close()


def write_file(source: Snapshot, path: Path) -> int:
    """Fill a new file."""
    with contextlib.closing(sqlite3.connect(path)) as target:
        target.executescript(SCHEMA)
        target.execute(f"PRAGMA application_id = {APPLICATION}")
        target.execute(f"PRAGMA user_version = {VERSION}")
    return _fill_file(source, path)


def _fill_file(source: Snapshot, path: Path) -> int:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as target:
        target.execute("BEGIN IMMEDIATE")
        for table in COLUMNS:
            marks = ", ".join("?" for _ in COLUMNS[table].split(", "))
            sql = f"INSERT INTO {table} ({COLUMNS[table]}) VALUES ({marks})"
            if table == "postings":
                place = "events WHERE stream = ?1 AND version = ?2"
                sql = f"INSERT INTO postings SELECT seq, ?3, ?4, ?5 FROM {place}"
            target.executemany(sql, _for_file(source, table))
        target.execute(f"{PLAYED} value, at, stream, number FROM rounds, json_each(players)")
        (events,) = target.execute("SELECT count(*) FROM events").fetchone()
        target.execute("COMMIT")
    return int(events)


def _for_file(source: Snapshot, table: str) -> Iterator[list[Any]]:
    """Rows as SQLite keeps them; the sequence of events has no gaps there."""
    for place, row in enumerate(source.rows(table), start=1):
        if table == "events":
            row[0] = place
        elif table == "rounds":
            row[3] = msgspec.json.encode(row[3]).decode()
        yield row


def _write_server(source: Snapshot, where: str) -> int:
    import psycopg  # noqa: PLC0415 - only where there is a server

    from thirdcard.service.log.store.bulk import writing  # noqa: PLC0415

    try:
        with contextlib.closing(writing(where)) as target:
            for table, columns in COLUMNS.items():
                with target.cursor().copy(f"COPY {table} ({columns}) FROM STDIN".encode()) as copy:
                    for row in source.rows(table):
                        copy.write_row(row)
            target.execute(
                f"{PLAYED} player, at, stream, number FROM rounds, unnest(players) AS player".encode()
            )
            place = "pg_get_serial_sequence('thirdcard.events', 'seq')"
            target.execute(f"SELECT setval({place}, max(seq)) FROM events".encode())
            count = target.execute("SELECT count(*) FROM events").fetchone()
            target.commit()
    except psycopg.Error as error:
        raise StoreDown(f"the server did not take it all ({error.sqlstate}): nothing was restored") from None
    return int(count[0]) if count else 0


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
