"""What is wrong with a SQLite file itself: its pages, its indexes, and what is not ours in its schema."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import cache

from thirdcard.service.log.store.tables import Row

LARGE = 500_000_000  # bytes; of larger files a start leaves out what indexes hold, an audit does not

Ask = Callable[[str], Iterable[Row]]
SCHEMA = """SELECT type, name, coalesce(sql, '') FROM sqlite_schema
WHERE name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\' ORDER BY type, name"""


def damaged(ask: Ask, steps: Sequence[str], *, indexes: bool = True) -> Iterator[str]:
    """Sentences; with `indexes` also on what these hold, which takes several times longer."""
    for (told,) in ask(f"PRAGMA {'integrity' if indexes else 'quick'}_check(1)"):
        if told != "ok":
            yield f"the file is damaged: {told}"
    ((version,),) = ask("PRAGMA user_version")
    yield from _foreign(_by_name(ask(SCHEMA)), made_by(tuple(steps[:version])))


def _by_name(schema: Iterable[Row]) -> dict[tuple[str, str], str]:
    """What there is by kind and name, however its statement was laid out."""
    return {(kind, name): "".join(sql.split()) for kind, name, sql in schema}


def _foreign(found: dict[tuple[str, str], str], own: dict[tuple[str, str], str]) -> Iterator[str]:
    for kind, name in sorted(found.keys() | own.keys()):
        if (kind, name) not in own:
            yield f"the database has a {kind} that thirdcard did not make: {name}"
        elif (kind, name) not in found:
            yield f"the database lacks its {kind} {name}"
        elif found[kind, name] != own[kind, name]:
            yield f"the {kind} {name} is not as thirdcard made it"


@cache
def made_by(steps: tuple[str, ...]) -> dict[tuple[str, str], str]:
    """What the steps make, by kind and name."""
    with closing(sqlite3.connect(":memory:")) as made:
        for step in steps:
            made.executescript(step)
        return _by_name(made.execute(SCHEMA))
