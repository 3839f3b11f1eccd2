"""What commands take and print: rulebooks, JSON for programs, tables for people."""

import sys
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from thirdcard.errors import BadInput

if TYPE_CHECKING:
    from fractions import Fraction

    from rich.console import Console
    from rich.table import Table

    from thirdcard.rulebook import Rulebook


def _look_there(folders: list[Path] | None) -> list[Path] | None:
    if folders:
        from thirdcard.rulebook.load import search_in

        for folder in folders:
            search_in(folder)
    return folders


Decks = Annotated[
    int | None, typer.Option(help="Decks in the shoe [8, or the nearest that the rulebook allows].")
]
Seen = Annotated[str, typer.Option(help='Cards that have left the shoe, such as "9C KD".')]


def _slugs(incomplete: str) -> list[str]:
    """What a shell offers where a rulebook is asked for; it offers files by itself where none fits."""
    from thirdcard.rulebook import slugs

    return [slug for slug in slugs() if slug.startswith(incomplete)]


Slug = Annotated[
    str,
    typer.Argument(
        metavar="RULEBOOK",
        help="A slug (`thirdcard rules list` names them) or a file.",
        autocompletion=_slugs,
    ),
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


class Commands(TyperGroup):
    """A group that tells what its commands do in whole sentences, in the order in which they were added."""

    def format_commands(self, _: Any, formatter: Any) -> None:  # noqa: ANN401 - Typer's own copy of Click
        with formatter.section("Commands"):
            formatter.write_dl(self.told())

    def told(self) -> list[tuple[str, str]]:
        """The commands, and what each does."""
        return [(name, one.get_short_help_str(limit=1000)) for name, one in self.commands.items()]


def leave_out(why: str, given: dict[str, bool]) -> None:
    """BadInput for options that were given and would change nothing here."""
    names = [name for name, is_given in given.items() if is_given]
    if names:
        raise BadInput(f"{why}: leave out {' and '.join(names)}")


def answered(schema: str) -> dict[str, object]:
    """What an answer begins with that rests on no rulebook."""
    from thirdcard.rulebook import lookup

    return {**lookup.answered(schema)}


def check_folder(file: Path | None) -> None:
    """BadInput where a file cannot be, before the work that it is to hold."""
    if file is not None and not file.parent.is_dir():
        raise BadInput(f"cannot write {file}: there is no directory {file.parent}")
    if file is not None and file.is_dir():
        raise BadInput(f"cannot write {file}: it is a directory, expected the name of a file")


def write_file(file: Path, text: str) -> None:
    """One that exists is replaced."""
    check_folder(file)
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"cannot write {file}: {error.strerror}") from error


def print_json(value: object) -> None:
    import msgspec

    from thirdcard.rulebook.forms import encode

    text = msgspec.json.format(msgspec.json.encode(value, enc_hook=encode), indent=2).decode()
    sys.stdout.buffer.write(harmless(text, keep="\n").encode() + b"\n")
    sys.stdout.buffer.flush()


def console(usual: int = 80) -> "Console":
    """Where all is printed that is for people; of the usual width where nobody says how wide it is."""
    from thirdcard.cli.screen import console as made

    return made(usual)


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
    import json

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
