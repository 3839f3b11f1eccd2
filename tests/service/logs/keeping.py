"""Logs of releases as text: every row of a database, as a release wrote it, that is to be read forever."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
# Bytes by table and place in a row; bodies are JSON and stay readable.
TEXT = {"events": (9,), "answers": (3,), "rounds": (4,), "rulebooks": (1,)}
HEX = {"events": (10, 11), "streams": (2,), "answers": (2,), "shoes": (2,)}

LAST: dict[str, Any] = {"events": b"", "answers": 0}  # columns that 0.1.0 did not have
COLUMNS = {"events": 12, "answers": 5}


def as_line(table: str, row: list[Any]) -> str:
    plain = list(row)
    for place in TEXT.get(table, ()):
        plain[place] = plain[place].decode()
    for place in HEX.get(table, ()):
        plain[place] = plain[place].hex()
    return json.dumps([table, *plain], ensure_ascii=False)


class Kept:
    """A file of such lines, read like a snapshot of a database."""

    def __init__(self, path: Path) -> None:
        self._lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    def rows(self, table: str) -> Iterator[list[Any]]:
        for name, *row in self._lines:
            if name == table:
                older = len(row) < COLUMNS.get(table, 0)
                for place in TEXT.get(table, ()):
                    row[place] = row[place].encode()
                for place in HEX.get(table, ()):
                    row[place : place + 1] = [bytes.fromhex(text) for text in row[place : place + 1]]
                yield [*row, LAST[table]] if older else row
