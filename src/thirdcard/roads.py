"""The scoreboard of a shoe: bead plate, big road, the three derived roads and the ask marks.

All of it follows from the results in order. Columns and rows count from 1, marks are `R` (red, regular)
and `L` (blue, irregular). A shoe has some 80 rounds, so a table simply computes its board anew after each.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal, TypeAlias

import msgspec

from thirdcard.drawing import BANKER_2, PAPER, PAPER_LINE, PLAYER_2, TIE_2, element, svg, text, title
from thirdcard.errors import BadInput
from thirdcard.front import callable_as
from thirdcard.notebook import html_table
from thirdcard.rulebook.conditions import Winner

ROWS = 6

Colour: TypeAlias = Literal["R", "L"]
Derived: TypeAlias = Literal["big_eye_boy", "small_road", "cockroach_pig"]

# How many streaks back each derived road compares.
DERIVED: dict[Derived, int] = {"big_eye_boy": 1, "small_road": 2, "cockroach_pig": 3}
HUES: dict[Winner, str] = {"banker": BANKER_2, "player": PLAYER_2, "tie": TIE_2}
LETTERS: dict[str, Winner] = {"B": "banker", "P": "player", "T": "tie"}


class RoadResult(msgspec.Struct, frozen=True):
    """What the scoreboard keeps of a round."""

    winner: Winner
    player_pair: bool = False
    banker_pair: bool = False


class Bead(msgspec.Struct, frozen=True):
    """A result on the bead plate."""

    column: int
    row: int
    winner: Winner
    player_pair: bool
    banker_pair: bool


class Cell(msgspec.Struct, frozen=True):
    """A win on the big road, with the ties that came after it.

    Ties before the first win sit on its cell. Until there is a win they wait at column 1, row 1 in a cell
    whose winner is `tie`: a slash without a circle.
    """

    column: int
    row: int
    winner: Winner
    ties: int


class Mark(msgspec.Struct, frozen=True):
    """A mark on a derived road."""

    column: int
    row: int
    colour: Colour


class Ask(msgspec.Struct, frozen=True):
    """The marks a win of either hand would add to the three derived roads, `-` where it adds none."""

    player: str
    banker: str


class Roads(msgspec.Struct, frozen=True):
    """The whole board. A derived road is its marks in order; `lay` says where they stand."""

    bead_plate: tuple[Bead, ...]
    big_road: tuple[Cell, ...]
    big_eye_boy: str
    small_road: str
    cockroach_pig: str
    ask: Ask

    def __repr__(self) -> str:
        return f"<Roads of {len(self.bead_plate)} results>"

    def _repr_html_(self) -> str:
        """The big road, a ring for each win and a stroke for ties after it; then the marks of the others."""
        columns = max([cell.column for cell in self.big_road], default=1)
        lines = [element("path", d=f"M0 {20 * k}H{20 * columns}", stroke=PAPER_LINE) for k in range(ROWS + 1)]
        lines += [element("path", d=f"M{20 * k} 0V120", stroke=PAPER_LINE) for k in range(columns + 1)]
        rings = [part for cell in self.big_road for part in _ring(cell)]
        wide, high, paper = 20 * columns, 20 * ROWS, f"background:{PAPER}"
        board = svg(wide, high, title("Big road"), *lines, *rings, width=wide, height=high, style=paper)
        rows = ((name.replace("_", " ").capitalize(), getattr(self, name)) for name in DERIVED)
        return board + html_table("Derived roads", ("Road", "Marks"), rows)


def _ring(cell: Cell) -> Iterator[str]:
    x, y = 20 * cell.column - 10, 20 * cell.row - 10
    if cell.winner != "tie":
        yield element("circle", cx=x, cy=y, r=7, fill="none", stroke=HUES[cell.winner], stroke_width=3)
    if cell.ties:
        yield element("path", d=f"M{x - 7} {y + 7}L{x + 7} {y - 7}", stroke=HUES["tie"], stroke_width=2)
    if cell.ties > 1:
        yield text(str(cell.ties), x, y + 4, 11, text_anchor="middle", fill=HUES["tie"])


def parse_results(letters: str) -> tuple[RoadResult, ...]:
    """Results written as letters: `BPT` is a Banker win, a Player win, a tie."""
    for place, letter in enumerate(letters, start=1):
        if letter not in LETTERS:
            hint = f"; did you mean {letter.upper()}?" if letter.upper() in LETTERS else ""
            raise BadInput(f"{letter!r} at place {place} is not a result: expected B, P or T{hint}")
    return tuple(RoadResult(LETTERS[letter]) for letter in letters)


def roads(given: str | Iterable[RoadResult | str]) -> Roads:
    """The board after these results, in time proportional to their number.

    >>> roads("BPPT").big_road[-1]
    Cell(column=2, row=2, winner='player', ties=1)
    """
    results = parse_results(given) if isinstance(given, str) else _results(given)
    wins = [result.winner for result in results if result.winner != "tie"]
    # n[j] is the full length of streak j, counted from 1 as the rules do.
    n = [0, *(len(list(streak)) for _, streak in groupby(wins))]
    last = wins[-1] if wins else None
    return Roads(
        bead_plate=_bead_plate(results),
        big_road=_big_road(results),
        big_eye_boy=_derive(n, DERIVED["big_eye_boy"]),
        small_road=_derive(n, DERIVED["small_road"]),
        cockroach_pig=_derive(n, DERIVED["cockroach_pig"]),
        ask=Ask(player=_ask(n, same=last == "player"), banker=_ask(n, same=last == "banker")),
    )


def _results(given: Iterable[RoadResult | str]) -> tuple[RoadResult, ...]:
    if not isinstance(given, Iterable):
        raise BadInput(f"results are letters such as 'BPT', or given one by one: got {given!r}")
    return tuple(one if isinstance(one, RoadResult) else parse_results(str(one))[0] for one in given)


def lay(marks: str) -> tuple[Mark, ...]:
    """A derived road's marks where they stand: laid like the big road, a new column for a new colour."""
    return tuple(
        Mark(column, row, "R" if mark == "R" else "L")
        for mark, (column, row) in zip(marks, _places(marks), strict=True)
    )


def _bead_plate(results: Sequence[RoadResult]) -> tuple[Bead, ...]:
    return tuple(
        Bead(place // ROWS + 1, place % ROWS + 1, result.winner, result.player_pair, result.banker_pair)
        for place, result in enumerate(results)
    )


def _big_road(results: Sequence[RoadResult]) -> tuple[Cell, ...]:
    wins: list[Winner] = []
    ties = [0]  # before the first win, then after each
    for result in results:
        if result.winner == "tie":
            ties[-1] += 1
        else:
            wins.append(result.winner)
            ties.append(0)
    early, *ties = ties
    if not wins:
        return (Cell(1, 1, "tie", early),) if early else ()
    ties[0] += early
    return tuple(
        Cell(column, row, winner, count)
        for winner, count, (column, row) in zip(wins, ties, _places(wins), strict=True)
    )


def _places(marks: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Column and row of each mark: equal ones go down, a change starts a new column beside the last head.

    At row 6, or above a taken cell, a streak turns right and then stays on its row. Such a tail may run
    along row 1; the next column then starts behind it.
    """
    taken: set[tuple[int, int]] = set()
    head = 1
    for _, streak in groupby(marks):
        while (head, 1) in taken:
            head += 1
        column, row = head, 0
        for _ in streak:
            if column == head and row < ROWS and (column, row + 1) not in taken:
                row += 1
            else:
                column += 1
            taken.add((column, row))
            yield column, row


def _derive(n: Sequence[int], k: int) -> str:
    return "".join(_mark(n, k, j, m) for j in range(1, len(n)) for m in range(1, n[j] + 1))


def _ask(n: Sequence[int], *, same: bool) -> str:
    """The marks of a win that continues the last streak, or starts the next one."""
    j, m = (len(n) - 1, n[-1] + 1) if same else (len(n), 1)
    return "".join(_mark(n, k, j, m) or "-" for k in DERIVED.values())


def _mark(n: Sequence[int], k: int, j: int, m: int) -> str:
    """The mark that the win at depth `m` of streak `j` adds to the road comparing `k` streaks back."""
    if m == 1:
        if j - 1 - k < 1:
            return ""
        return "R" if n[j - 1] == n[j - 1 - k] else "L"
    if j - k < 1:
        return ""
    return "L" if m == n[j - k] + 1 else "R"


callable_as(__name__, roads)
