"""What commands print: JSON for programs, tables for people, files."""

import sys
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import msgspec
from rich import box
from rich.markup import escape
from rich.table import Table

from thirdcard.answers import told
from thirdcard.cli.screen import Screen
from thirdcard.cli.signs import harmless
from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.forms import encode
from thirdcard.rulebook.lookup import answered, identity


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
    text = msgspec.json.format(msgspec.json.encode(value, enc_hook=encode), indent=2).decode()
    sys.stdout.buffer.write(harmless(text, keep="\n").encode() + b"\n")
    sys.stdout.buffer.flush()


def as_answer(
    schema: str, book: Rulebook | None, *found: msgspec.Struct, otherwise: str = ""
) -> dict[str, object]:
    """The head of an answer by a rulebook, then what was found."""
    made: dict[str, object] = {**identity(schema, book, otherwise)}
    for one in found:
        made |= told(one)
    return made


def print_answer(schema: str, book: Rulebook | None, *found: msgspec.Struct) -> None:
    print_json(as_answer(schema, book, *found))


def print_done(schema: str, found: msgspec.Struct) -> None:
    """An answer that rests on no rulebook."""
    print_json(answered(schema) | told(found))


def console(usual: int = 80) -> Screen:
    """Where all is printed that is for people."""
    return Screen(usual)


def table(*columns: str, title: str = "", right: Iterable[str] = (), whole: Iterable[str] = ()) -> Table:
    """A table in the house style; `right` names the columns of numbers, `whole` those never wrapped."""
    made = Table(box=box.SIMPLE_HEAD, title=title or None, title_justify="left", title_style="bold")
    for name in columns:
        made.add_column(
            name, justify="right" if name in right else "left", no_wrap=name in whole, overflow="fold"
        )
    return made


def plain(text: object) -> str:
    """Text that is not ours, as it is: what looks like markup in it is none."""
    return escape(harmless(str(text)))


def short(digest: str) -> str:
    """A digest as people read it."""
    return digest[:12]


def percent(value: Fraction | None, *, sign: bool = False) -> str:
    """To four digits; nothing where there is no number."""
    if value is None:
        return ""
    return f"{float(value * 100):+.4f}" if sign and value else f"{float(value * 100):.4f}"


def cited(rules: Iterable[str]) -> str:
    """Paragraph numbers as they stand beside what rests on them."""
    numbers = plain(", ".join(rules))
    return f"[dim]{numbers}[/]" if numbers else ""
