"""What commands print: JSON for programs, tables for people."""

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

Json = Annotated[bool, typer.Option("--json", help="Print one JSON value and nothing else.")]


def print_json(value: object) -> None:
    import msgspec

    from thirdcard.rulebook.forms import encode

    text = msgspec.json.format(msgspec.json.encode(value, enc_hook=encode), indent=2)
    sys.stdout.buffer.write(text + b"\n")
    sys.stdout.buffer.flush()


def console() -> "Console":
    from rich.console import Console

    return Console(highlight=False)


def table(*columns: str, title: str = "", right: Iterable[str] = (), whole: Iterable[str] = ()) -> "Table":
    """A table in the house style; `right` names the columns of numbers, `whole` those never wrapped."""
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE_HEAD, title=title or None, title_justify="left", title_style="bold")
    for name in columns:
        made.add_column(
            name, justify="right" if name in right else "left", no_wrap=name in whole, overflow="fold"
        )
    return made


def cited(rules: Iterable[str]) -> str:
    """Paragraph numbers as they stand beside what rests on them."""
    numbers = ", ".join(rules)
    return f"[dim]{numbers}[/]" if numbers else ""
