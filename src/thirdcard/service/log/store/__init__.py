"""Where logs are kept. `open_store` takes what people type: a file, a PostgreSQL address, or `memory:`."""

from thirdcard.service.log.store.model import (
    GENESIS,
    JOURNAL,
    Account,
    Answered,
    Append,
    Conflict,
    Done,
    Entry,
    Head,
    Record,
    Result,
    RoundRow,
    SealedShoe,
    Seen,
    Session,
    Store,
    StoreDown,
    StoreFull,
)

__all__ = [
    "GENESIS",
    "JOURNAL",
    "Account",
    "Answered",
    "Append",
    "Conflict",
    "Done",
    "Entry",
    "Head",
    "Record",
    "Result",
    "RoundRow",
    "SealedShoe",
    "Seen",
    "Session",
    "Store",
    "StoreDown",
    "StoreFull",
    "open_store",
]


def open_store(where: str) -> Store:
    """The store at a path or address; made if it does not exist."""
    if where == "memory:":
        from thirdcard.service.log.store.memory import MemoryStore  # noqa: PLC0415 - only what is used is loaded

        return MemoryStore()
    if where.startswith(("postgresql://", "postgres://")):
        from thirdcard.service.log.store.postgres import PostgresStore  # noqa: PLC0415

        return PostgresStore(where)
    from thirdcard.service.log.store.sqlite import SqliteStore  # noqa: PLC0415

    return SqliteStore(where)
