"""Values as notebooks show them: small tables of HTML, and no more than text where nobody asks for HTML."""

from collections.abc import Iterable
from html import escape


def html_table(caption: str, columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table with its caption; whatever looks like markup in it is text."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(one))}</td>' for one in row)}</tr>" for row in rows)
    told = f"<caption>{escape(caption)}</caption>"
    return f"<table>{told}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def percent(value: object, digits: int = 4) -> str:
    """A share as people read it; nothing where there is none."""
    return "" if value is None else f"{float(value) * 100:.{digits}f}%"  # type: ignore[arg-type]
