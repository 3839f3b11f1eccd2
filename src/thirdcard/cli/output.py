"""What commands print: JSON for programs, tables for people, files."""

import sys
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import msgspec
from rich import box
from rich.markup import escape
from rich.table import Table

from thirdcard.cli.screen import Screen
from thirdcard.cli.signs import harmless
from thirdcard.errors import BadInput
from thirdcard.rulebook.forms import encode


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
