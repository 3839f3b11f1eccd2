"""Connections to a PostgreSQL server for reading or writing everything at once."""

from contextlib import closing
from typing import Any

import psycopg
from psycopg import IsolationLevel

from thirdcard.service.log.store.postgres import PostgresStore

Connection = psycopg.Connection[tuple[Any, ...]]


class Whole(PostgresStore):
    """Connects as the store does, and says the same when it cannot."""

    def connection(self) -> Connection:
        """For one long transaction, which may think for as long as it likes."""
        connection = self._open(autocommit=False)
        connection.execute("SET idle_in_transaction_session_timeout = 0")
        connection.commit()
        return connection


def reading(url: str) -> Connection:
    """A transaction that sees one moment and writes nothing."""
    with closing(Whole(url, read_only=True)) as server:
        connection = server.connection()
    connection.isolation_level = IsolationLevel.REPEATABLE_READ
    connection.read_only = True
    connection.execute("SELECT 1")  # the moment is now
    return connection


def writing(url: str) -> Connection:
    """A transaction that is made with `commit`, or never was."""
    with closing(Whole(url)) as server:
        return server.connection()
