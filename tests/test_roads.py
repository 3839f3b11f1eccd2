"""The roads against their worked examples, and against a slow model that draws on squared paper."""

import json
from importlib.metadata import version
from itertools import groupby
from pathlib import Path

import msgspec
import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text
from typer.testing import CliRunner

from thirdcard.cli.roads import roads as roads_command
from thirdcard.errors import BadInput
from thirdcard.roads import DERIVED, Ask, Bead, Cell, Mark, RoadResult, Roads, lay, parse_results, roads

SHOES = st.text("BPT", max_size=120)
# Streaks long enough for tails that block each other.
DRAGONS = st.lists(st.tuples(st.sampled_from("BPT"), st.integers(1, 14)), max_size=20).map(
    lambda runs: "".join(letter * length for letter, length in runs)
)
ANY_SHOE = SHOES | DRAGONS


def board(letters: str) -> Roads:
    return roads(parse_results(letters))


def derived(found: Roads) -> tuple[str, str, str]:
    return found.big_eye_boy, found.small_road, found.cockroach_pig


def places(found: Roads) -> list[tuple[int, int]]:
    return [(cell.column, cell.row) for cell in found.big_road]


# The worked examples.


def test_first_example() -> None:
    found = board("BTBPPPBPBBPPBBBTTP")
    columns = [2, 3, 1, 1, 2, 2, 3, 1]
    assert places(found) == [(c, r) for c, length in enumerate(columns, 1) for r in range(1, length + 1)]
    winners = {cell.column: cell.winner for cell in found.big_road}
    assert winners == {c: "banker" if c % 2 else "player" for c in range(1, 9)}
    assert {(c.column, c.row): c.ties for c in found.big_road if c.ties} == {(1, 1): 1, (7, 3): 2}
    assert derived(found) == ("RLLLRLLRRRLL", "LLLLLLRLL", "LRLLLLRL")
    assert found.ask == Ask(player="RRR", banker="LLL")


def test_second_example() -> None:
    found = board("BBBBBBBBPBBBBBBBPPB")
    assert places(found) == [
        *((1, row) for row in range(1, 7)), (2, 6), (3, 6),
        (2, 1),
        *((3, row) for row in range(1, 6)), (4, 5), (5, 5),
        (4, 1), (4, 2),
        (5, 1),
    ]  # fmt: skip
    assert derived(found) == ("LLRRRRRLRL", "RRRRRRLLL", "RL")
    assert found.ask == Ask(player="LLR", banker="RRL")


# Bead plate.


def test_bead_plate_fills_down_then_right_and_keeps_pairs() -> None:
    results = [RoadResult("banker")] * 5 + [
        RoadResult("tie", player_pair=True),
        RoadResult("player", banker_pair=True),
    ]
    beads = roads(results).bead_plate
    assert [(bead.column, bead.row) for bead in beads[4:]] == [(1, 5), (1, 6), (2, 1)]
    assert beads[5] == Bead(1, 6, "tie", player_pair=True, banker_pair=False)
    assert beads[6] == Bead(2, 1, "player", player_pair=False, banker_pair=True)


# Ties.


def test_ties_before_the_first_win_sit_on_its_cell() -> None:
    assert board("TTPTB").big_road == (Cell(1, 1, "player", 3), Cell(2, 1, "banker", 0))


def test_ties_alone_wait_in_the_first_cell() -> None:
    assert board("TTT").big_road == (Cell(1, 1, "tie", 3),)


def test_an_empty_shoe_has_empty_roads() -> None:
    assert board("") == Roads((), (), "", "", "", Ask(player="---", banker="---"))


# Tails.


def test_a_tail_turns_at_row_6_and_stays_there() -> None:
    assert places(board("B" * 9))[5:] == [(1, 6), (2, 6), (3, 6), (4, 6)]


def test_a_tail_turns_above_a_taken_cell() -> None:
    """Once turned it stays on its row, though the cells below the rest of the tail are free."""
    found = places(board("B" * 7 + "P" * 8))
    assert found[7:] == [(2, 1), (2, 2), (2, 3), (2, 4), (2, 5), (3, 5), (4, 5), (5, 5)]


def test_a_column_starts_behind_a_tail_along_row_1() -> None:
    """Five tails, each a row higher, leave the sixth streak only row 1."""
    stairs = "".join(letter * length for letter, length in zip("BPBPB", (11, 9, 7, 5, 3), strict=True))
    assert places(board(stairs + "PPPBP"))[-5:] == [(6, 1), (7, 1), (8, 1), (9, 1), (10, 1)]


def test_derived_roads_are_laid_like_the_big_road() -> None:
    assert lay("LLLLLLLLRLL") == (
        *(Mark(1, row, "L") for row in range(1, 7)), Mark(2, 6, "L"), Mark(3, 6, "L"),
        Mark(2, 1, "R"),
        Mark(3, 1, "L"), Mark(3, 2, "L"),
    )  # fmt: skip


# The slow model.


def paper_road(marks: str) -> list[tuple[int, int]]:
    """Where a pen would put each mark on squared paper, looking at the paper alone."""
    rows = [[""] * (2 * len(marks) + 2) for _ in range(6)]
    pen: list[tuple[int, int]] = []
    previous, turned = "", False
    for mark in marks:
        if mark != previous:
            across, down, turned = rows[0].index(""), 0, False
        else:
            across, down = pen[-1]
            turned = turned or down == 5 or rows[down + 1][across] != ""
            across, down = (across + 1, down) if turned else (across, down + 1)
        assert rows[down][across] == ""
        rows[down][across] = previous = mark
        pen.append((across, down))
    return [(across + 1, down + 1) for across, down in pen]


def paper_derived(wins: str, k: int) -> str:
    """The casino's way: after a change compare two columns, otherwise look `k` columns to the left.

    Below the first row a mark is blue when the left neighbour ends just above it: its square is empty
    and the one over that is filled.
    """
    filled: set[tuple[int, int]] = set()
    across = down = 0
    marks, previous = "", ""
    for win in wins:
        across, down = (across, down + 1) if win == previous else (across + 1, 1)
        filled.add((across, down))
        previous = win
        if down == 1:
            if (across - 1 - k, 1) in filled:
                last, other = (sum(c == column for c, _ in filled) for column in (across - 1, across - 1 - k))
                marks += "RL"[last != other]
        elif (across - k, 1) in filled:
            ends_above = (across - k, down) not in filled and (across - k, down - 1) in filled
            marks += "RL"[ends_above]
    return marks


@given(ANY_SHOE)
def test_every_road_is_as_drawn_on_paper(shoe: str) -> None:
    found = board(shoe)
    wins = shoe.replace("T", "")
    if wins:
        assert places(found) == paper_road(wins)
        assert "".join(cell.winner[0].upper() for cell in found.big_road) == wins
    assert derived(found) == tuple(paper_derived(wins, k) for k in DERIVED.values())
    for marks in derived(found):
        assert [(mark.column, mark.row) for mark in lay(marks)] == paper_road(marks)
        assert "".join(mark.colour for mark in lay(marks)) == marks


@given(ANY_SHOE)
def test_no_tie_is_lost(shoe: str) -> None:
    cells = board(shoe).big_road
    assert sum(cell.ties for cell in cells) == shoe.count("T")
    written = "".join(cell.winner[0].upper() * (cell.winner != "tie") + "T" * cell.ties for cell in cells)
    rest = shoe.lstrip("T")
    early = shoe.removesuffix(rest)
    assert written == rest[:1] + early + rest[1:]


@given(ANY_SHOE)
def test_ask_marks_are_the_marks_a_win_adds(shoe: str) -> None:
    before = board(shoe)
    for letter, asked in (("P", before.ask.player), ("B", before.ask.banker)):
        pairs = zip(derived(before), derived(board(shoe + letter)), strict=True)
        added = [after.removeprefix(marks) for marks, after in pairs]
        assert "".join(mark or "-" for mark in added) == asked


@given(SHOES)
def test_ties_add_nothing_to_the_derived_roads(shoe: str) -> None:
    assert derived(board(shoe)) == derived(board(shoe.replace("T", "")))
    assert board(shoe).ask == board(shoe.replace("T", "")).ask


@given(ANY_SHOE)
def test_no_two_marks_share_a_cell(shoe: str) -> None:
    found = places(board(shoe))
    assert len(set(found)) == len(found)
    assert all(1 <= row <= 6 for _, row in found)


# Letters and the command.


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("BPX", "'X' at place 3 is not a result: expected B, P or T"),
        ("bP", "'b' at place 1 is not a result: expected B, P or T; did you mean B?"),
        ("B P", "' ' at place 2 is not a result: expected B, P or T"),
        ("BB\x1b", r"'\x1b' at place 3 is not a result: expected B, P or T"),
    ],
)
def test_a_bad_letter_is_named_with_its_place(text: str, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_results(text)
    assert str(caught.value) == sentence


APP = typer.Typer()
APP.command()(roads_command)


def run(*words: str, colour: str | None = None, columns: str | None = None) -> str:
    env = {"FORCE_COLOR": colour, "COLUMNS": columns}
    answer = CliRunner().invoke(APP, words, env=env, catch_exceptions=False)
    assert answer.exit_code == 0
    return answer.stdout


def test_json_of_the_command() -> None:
    found = json.loads(run("TBP", "--json"))
    bead = {"row": 1, "player_pair": False, "banker_pair": False}
    assert found == {
        "schema": "thirdcard.roads.1",
        "thirdcard": version("thirdcard"),
        "bead_plate": [
            bead | {"column": 1, "row": row, "winner": winner}
            for row, winner in enumerate(("tie", "banker", "player"), start=1)
        ],
        "big_road": [
            {"column": 1, "row": 1, "winner": "banker", "ties": 1},
            {"column": 2, "row": 1, "winner": "player", "ties": 0},
        ],
        "big_eye_boy": "",
        "small_road": "",
        "cockroach_pig": "",
        "ask": {"player": "L--", "banker": "R--"},
    }


@given(SHOES)
def test_json_carries_the_whole_board(shoe: str) -> None:
    assert msgspec.json.decode(msgspec.json.encode(board(shoe)), type=Roads) == board(shoe)


def test_text_of_the_command() -> None:
    shown = run("BTBPPPBPBBPPBBBTTP")
    titles = ["Bead plate", "Big road", "Big eye boy", "Small road", "Cockroach pig", "Ask"]
    assert sorted(titles, key=shown.index) == titles
    grids = [[line.strip() for line in grid] for _, grid in groupby(shown.splitlines(), key=bool)]
    assert grids[2] == [
        "Big road",
        "B/ P  B  P  B  P  B  P",
        "B  P  .  .  B  P  B  .",
        ".  P  .  .  .  .  B2 .",
    ]
    assert grids[4] == ["Big eye boy", "R L R L R L", ". L . L R L", ". L . . R ."]


def test_an_empty_sequence_is_shown_as_empty_roads() -> None:
    assert run("").count(" empty") == 5


def test_a_terminal_shows_the_newest_columns_that_fit() -> None:
    shown = Text.from_ansi(run("BP" * 30, colour="1", columns="40")).plain
    assert "Big road from column 42\n" in shown
    assert max(map(len, shown.splitlines())) <= 40


def test_a_pipe_gets_every_column() -> None:
    assert "  " + "B P " * 29 + "B P\n" in run("BP" * 30)


def test_svg_beside_the_other_output(tmp_path: Path) -> None:
    file = tmp_path / "shoe.svg"
    assert json.loads(run("BPT", "--json", "--svg", str(file)))["cockroach_pig"] == ""
    assert file.read_text(encoding="utf-8").startswith('<?xml version="1.0" encoding="UTF-8"?>\n<svg ')


def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"^cannot write '.*': Is a directory$"):
        run("B", "--svg", str(tmp_path))
