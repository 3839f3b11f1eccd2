"""Values as notebooks show them: small tables of HTML, and no more than text where nobody asks for HTML."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from typing import TypeVar

T = TypeVar("T")


def html_table(caption: str, columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table with its caption; whatever looks like markup in it is text."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(one))}</td>' for one in row)}</tr>" for row in rows)
    told = f"<caption>{escape(caption)}</caption>"
    return f"<table>{told}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def percent(value: object, digits: int = 4) -> str:
    """A share as people read it; nothing where there is none."""
    return "" if value is None else f"{float(value) * 100:.{digits}f}%"  # type: ignore[arg-type]


class ByBet(Mapping[str, T]):
    """Something of each bet; one that is not there is told as everywhere, with the nearest names."""

    def __init__(self, found: dict[str, T], missing: Callable[[str], Exception]) -> None:
        self._found, self._missing = found, missing

    def __getitem__(self, bet: str) -> T:
        if bet not in self._found:
            raise self._missing(bet)
        return self._found[bet]

    def __contains__(self, bet: object) -> bool:
        return bet in self._found

    def get(self, bet: str, default: T | None = None) -> T | None:  # type: ignore[override]
        return self._found.get(bet, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)
