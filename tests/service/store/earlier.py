"""A database as an earlier release left it."""

import sqlite3
from contextlib import closing
from pathlib import Path

from thirdcard.service.log.store.tables import TABLES


def as_of(file: Path | str, schema: int) -> None:
    """Takes back what later schemas added: tables, indexes and columns."""
    with closing(sqlite3.connect(file)) as connection, connection:
        for table in TABLES:
            if table.since > schema:
                connection.execute(f"DROP TABLE {table.name}")
                continue
            for index in table.indexes:
                if index.since > schema:
                    connection.execute(f"DROP INDEX {index.name}")
            for column, since in table.later.items():
                if since > schema:
                    connection.execute(f"ALTER TABLE {table.name} DROP COLUMN {column}")
        connection.execute(f"PRAGMA user_version = {schema}")
