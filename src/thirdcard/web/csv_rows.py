"""Rows as CSV for spreadsheets: no text of theirs is reckoned."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Final

Row = Sequence[object]
FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")  # a text that begins so would be


def columns(of: Iterable[object], *fields: str) -> Iterator[Row]:
    """A heading, and a row for each of them by its fields; `called=field` is headed otherwise."""
    pairs = [name.rpartition("=")[::2] for name in fields]
    read = attrgetter(*(field for _, field in pairs))
    yield tuple(heading or field for heading, field in pairs)
    yield from map(read, of)


def csv_text(rows: Iterable[Row]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows([[_cell(one) for one in row] for row in rows])
    return out.getvalue()


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULAS) else value
