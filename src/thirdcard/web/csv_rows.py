"""Rows as CSV for spreadsheets: no text of theirs is reckoned."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

Row = Sequence[object]
FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")  # a text that begins so would be


def csv_text(rows: Iterable[Row]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows([[_cell(one) for one in row] for row in rows])
    return out.getvalue()


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULAS) else value
