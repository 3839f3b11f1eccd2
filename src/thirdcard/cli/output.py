"""What commands take and print: rulebooks, JSON for programs, tables for people."""

import json
import sys
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thirdcard.errors import BadInput

if TYPE_CHECKING:
    from fractions import Fraction

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from thirdcard.rulebook import Rulebook


def _look_there(folders: list[Path] | None) -> list[Path] | None:
    if folders:
        from thirdcard.rulebook.load import search_in

        for folder in folders:
            search_in(folder)
    return folders


Slug = Annotated[
    str, typer.Argument(metavar="RULEBOOK", help="A slug (`thirdcard rules list` names them) or a file.")
]
Folders = Annotated[  # a parameter that no command reads: it has done its work when the command begins
    list[Path] | None,
    typer.Option(
        "--rulebooks",
        metavar="DIR",
        callback=_look_there,
        help="A folder of more rulebooks; repeatable.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON value and nothing else.")]


def identity(schema: str, book: "Rulebook | None", otherwise: str = "") -> dict[str, object]:
    """What every answer begins with."""
    from thirdcard.rulebook import lookup

    return {**lookup.identity(schema, book, otherwise)}


def write_file(file: Path, text: str) -> None:
    """One that exists is replaced."""
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        why = f"there is no directory {file.parent}" if not file.parent.is_dir() else error.strerror
        raise BadInput(f"cannot write {file}: {why}") from error


def print_json(value: object) -> None:
    import msgspec

    from thirdcard.rulebook.forms import encode

    text = msgspec.json.format(msgspec.json.encode(value, enc_hook=encode), indent=2).decode()
    sys.stdout.buffer.write(harmless(text, keep="\n").encode() + b"\n")
    sys.stdout.buffer.flush()


def console() -> "Console":
    from rich.console import Console

    class OurConsole(Console):
        """Whatever is printed passes here before it is rendered."""

        def render_str(self, text: str, **how: Any) -> "Text":  # noqa: ANN401 - as its base takes it
            return super().render_str(harmless(text, keep="\n\t"), **how)

    return OurConsole(highlight=False)


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


def harmless(text: str, keep: str = "") -> str:
    """The text with what a terminal would act on spelt out: escapes, line ends, marks that turn it round."""
    if text.isprintable():
        return text
    return "".join([one if _is_shown(one) or one in keep else json.dumps(one)[1:-1] for one in text])


def _is_shown(one: str) -> bool:
    return one.isprintable() or unicodedata.category(one) == "Zs"


def plain(text: object) -> str:
    """Text that is not ours, as it is: what looks like markup in it is none."""
    from rich.markup import escape

    return escape(harmless(str(text)))


def short(digest: str) -> str:
    """A digest as people read it."""
    return digest[:12]


def percent(value: "Fraction | None", *, sign: bool = False) -> str:
    """To four digits; nothing where there is no number."""
    if value is None:
        return ""
    return f"{float(value * 100):+.4f}" if sign and value else f"{float(value * 100):.4f}"


def cited(rules: Iterable[str]) -> str:
    """Paragraph numbers as they stand beside what rests on them."""
    numbers = plain(", ".join(rules))
    return f"[dim]{numbers}[/]" if numbers else ""
