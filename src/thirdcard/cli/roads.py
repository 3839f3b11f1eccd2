"""`thirdcard roads`: the scoreboard of a shoe."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from rich.console import Console
from rich.text import Text

from thirdcard.cli.options import Json
from thirdcard.cli.output import console, print_done, table
from thirdcard.errors import BadInput
from thirdcard.roads import DERIVED, Cell, Roads, lay, parse_results
from thirdcard.roads import roads as roads_of
from thirdcard.web.roads_svg import board_svg
from thirdcard.words import ENGLISH, words

STYLES = {"B": "bright_red", "P": "bright_blue", "T": "green", "R": "bright_red", "L": "bright_blue"}

Written: TypeAlias = tuple[int, int, str]  # column, row, what stands there


def roads(
    sequence: Annotated[str, typer.Argument(help="The results in order: B Banker, P Player, T tie.")],
    json_output: Json = False,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw them into an SVG picture.")] = None,
) -> None:
    """Bead plate, big road, the three derived roads and the ask marks.

    thirdcard roads BTBPPPBPBBPPBBBTTP
    """
    board = roads_of(parse_results(sequence))
    if svg is not None:
        _draw(board, svg)
    if json_output:
        print_done("roads", board)
    else:
        _show(board, console())


def _draw(found: Roads, file: Path) -> None:
    picture = f'<?xml version="1.0" encoding="UTF-8"?>\n{board_svg(found)}\n'
    try:
        file.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"cannot write {str(file)!r}: {error.strerror or error}") from None


def _show(found: Roads, out: Console) -> None:
    names = words(ENGLISH).sections["roads"]

    beads = [(bead.column, bead.row, _letter(bead.winner)) for bead in found.bead_plate]
    _grid(out, names["bead_plate"], beads)
    _grid(out, names["big_road"], [(cell.column, cell.row, _cell(cell)) for cell in found.big_road])
    for kind in DERIVED:
        marks = lay(getattr(found, kind))
        _grid(out, names[kind], [(mark.column, mark.row, mark.colour) for mark in marks])
    rows = table(names["ask"], *(names[kind] for kind in DERIVED))
    for name, asked in (("Player", found.ask.player), ("Banker", found.ask.banker)):
        rows.add_row(name, *(f"[{STYLES.get(mark, 'dim')}]{mark}[/]" for mark in asked))
    out.print(rows)
    out.print("B Banker, P Player, T tie; B/ has one tie on it, B2 two.", style="dim")
    out.print("R red is regular, L blue irregular; ask marks show what a win would add, - none.", style="dim")


def _letter(winner: str) -> str:
    return winner[0].upper()


def _cell(cell: Cell) -> str:
    """A big road circle: its winner, `/` for a tie on it, a number for more."""
    return _letter(cell.winner) + ("/" if cell.ties == 1 else str(cell.ties or ""))


def _grid(out: Console, title: str, written: Iterable[Written]) -> None:
    """A road as rows of text; on a terminal too narrow for it, its newest columns."""
    texts = {(column, row): text for column, row, text in written}
    last, depth = (max((place[axis] for place in texts), default=0) for axis in (0, 1))
    size = max(map(len, texts.values()), default=0) + 1
    room = max(1, (out.width - 2) // size) if out.is_terminal else last
    first = max(1, last - room + 1)
    note = f" from column {first}" if first > 1 else "" if texts else " empty"
    out.print(f"[bold]{title}[/][dim]{note}[/]")
    for row in range(1, depth + 1):
        line = Text("  ")
        for column in range(first, last + 1):
            text = texts.get((column, row), ".")
            line.append(text.ljust(size), style=STYLES.get(text[0], "dim"))
        line.rstrip()
        out.print(line, soft_wrap=True)
    out.print()
