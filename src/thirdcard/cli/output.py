"""What commands print: JSON for programs, tables for people, files."""

import os
import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import typer
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from thirdcard.answers import told
from thirdcard.cli.options import INTERRUPTED
from thirdcard.cli.signs import harmless
from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.forms import encode
from thirdcard.rulebook.lookup import answered, identity


def interrupted(nothing: str = "") -> typer.Exit:
    """The end of a command that Ctrl-C broke off, with what there is nothing of."""
    if nothing:
        typer.echo(f"thirdcard: {nothing}", err=True)
    return typer.Exit(INTERRUPTED)


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
    answer: dict[str, object] = {**identity(schema, book, otherwise)}
    for one in found:
        answer |= told(one)
    return answer


def print_answer(schema: str, book: Rulebook | None, *found: msgspec.Struct) -> None:
    print_json(as_answer(schema, book, *found))


def print_done(schema: str, found: msgspec.Struct) -> None:
    """An answer that rests on no rulebook."""
    print_json(answered(schema) | told(found))


def console(usual: int = 80) -> "Screen":
    """Where all is printed that is for people."""
    return Screen(usual)


def table(*columns: str, title: str = "", right: Iterable[str] = (), whole: Iterable[str] = ()) -> Table:
    """A table in the house style; `right` names the columns of numbers, `whole` those never wrapped."""
    styled = Table(box=box.SIMPLE_HEAD, title=title or None, title_justify="left", title_style="bold")
    for name in columns:
        styled.add_column(
            name, justify="right" if name in right else "left", no_wrap=name in whole, overflow="fold"
        )
    return styled


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


# --- screens ----------------------------------------------------------------------------------------------


NAMES = 16  # columns of a narrow screen for the names of values


class Screen(Console):
    """Standard output for people: nothing that a terminal would act on, and no table wider than it is.

    Of the usual width where nobody says how wide it is.
    """

    def __init__(self, usual: int) -> None:
        super().__init__(highlight=False)
        if not _is_width_given(self):
            self.width = usual

    def render_str(self, text: str, **how: Any) -> Text:  # noqa: ANN401 - as its base takes it
        return super().render_str(harmless(text, keep="\n\t"), **how)

    def print(self, *objects: Any, **how: Any) -> None:  # noqa: ANN401 - as its base takes it
        super().print(*[fitted(self, one) if isinstance(one, Table) else one for one in objects], **how)

    def on_broken_pipe(self) -> None:
        """The reader has gone: what that means is decided in one place."""
        raise BrokenPipeError


# ---- tables ------------------------------------------------------------------------------------------------


def fitted(out: Console, rows: Table) -> Table:
    """The table with columns wide enough for their words; where there is no room, a line for each value.

    Where nobody says how wide the paper is, it is as wide as the words need.
    """
    endless = out.options.update(width=100_000, max_width=100_000)
    wanted = Measurement.get(out, endless, rows)
    least = [_least(out, rows, column) for column in range(len(rows.columns))]
    most = [_most(out, rows, column) for column in range(len(rows.columns))]
    edges = wanted.maximum - sum(most)
    if wanted.maximum <= out.width:
        return rows
    if sum(least) + edges > out.width:
        if _is_width_given(out):
            return _one_by_one(out, rows)
        out.width = sum(least) + edges
    for column, width in zip(rows.columns, _shares(least, most, out.width - edges), strict=True):
        column.width = width
    return rows


def _is_width_given(out: Console) -> bool:
    return out.is_terminal or "COLUMNS" in os.environ


def _texts(out: Console, rows: Table, number: int) -> list[Text]:
    column = rows.columns[number]
    given = ([column.header] if rows.show_header else []) + list(column.cells)
    return [out.render_str(one) if isinstance(one, str) else one for one in given]  # type: ignore[misc]


def _least(out: Console, rows: Table, number: int) -> int:
    """The width of a column's longest word, or of its longest line where it is not wrapped."""
    whole = bool(rows.columns[number].no_wrap)
    widths = [
        cell_len(word)
        for text in _texts(out, rows, number)
        for line in text.plain.splitlines()
        for word in ([line] if whole else line.split())
    ]
    return max(widths, default=1)


def _most(out: Console, rows: Table, number: int) -> int:
    lines = [line for text in _texts(out, rows, number) for line in text.plain.splitlines()]
    return max(map(cell_len, lines), default=1)


def _shares(least: Sequence[int], most: Sequence[int], room: int) -> list[int]:
    """What each column gets of the room: its words at least, and those that need little first."""
    widths, spare = list(least), room - sum(least)
    order = sorted(range(len(least)), key=lambda one: most[one] - least[one])
    for rank, one in enumerate(order):
        more = min(most[one] - least[one], spare // (len(order) - rank))
        widths[one] += more
        spare -= more
    return widths


def _one_by_one(out: Console, rows: Table) -> Table:
    """Every value on a line of its own, beside the name of its column, or below it where it is long."""
    names = min(NAMES, max(cell_len(str(column.header)) for column in rows.columns))
    beside = names + 1 + max(_least(out, rows, column) for column in range(len(rows.columns))) <= out.width
    grid = Table.grid(padding=(0, 1, 0, 0) if beside else 0)
    grid.title, grid.title_justify, grid.title_style = rows.title, rows.title_justify, rows.title_style
    grid.caption, grid.caption_justify = rows.caption, rows.caption_justify
    if beside:
        grid.add_column(style="dim", overflow="fold", width=names)
    grid.add_column(overflow="fold")
    cells = [list(column.cells) for column in rows.columns]
    for number in range(rows.row_count):
        for column, values in zip(rows.columns, cells, strict=True):
            if values[number] and beside:
                grid.add_row(column.header, values[number])
            elif values[number]:
                grid.add_row(f"[dim]{column.header}[/]")
                grid.add_row(values[number])
        grid.add_row("")
    return grid
