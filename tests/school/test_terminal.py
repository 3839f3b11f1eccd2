"""`thirdcard school` at a terminal and in a pipe."""

import json
import os
import pty
import select
import sys
import time

import pytest

from cli.running import here
from thirdcard.school.items import make

MBS, TBC = "mbs-tiger-v2", "rws-tiger-buffalo-commission-v2"
PATIENCE = 120
SIGNS = {"draw": "d", "stand": "s", "natural": "n"}


def asked(count: int) -> list[str]:
    """The right keys of a drill."""
    made = (make("third-card", MBS, "x", number) for number in range(count))
    return [SIGNS[str(item.parts[0].answer)] for item in made]


def test_a_drill_in_a_pipe() -> None:
    status, out, err = here(
        "school", "drill", "third-card", "--seed", "x", "--count", "4", stdin="\n".join(asked(4))
    )
    assert (status, err) == (0, "")
    assert "4 of 4 right, 100 points on average. Seed x." in out
    wrong = ["d" if key != "d" else "s" for key in asked(1)]
    status, out, _ = here(
        "school", "drill", "third-card", "--seed", "x", "--count", "9", stdin=f"{wrong[0]}\n"
    )
    assert status == 0
    assert "Wrong. 0/100" in out
    assert "0 of 1 right" in out
    assert "3.15" in out
    assert "What you may have mixed up: " in out


def test_every_drill_can_be_answered_by_keys_alone() -> None:
    for kind in ("result", "pay", "insurance", "limits", "squeeze", "spot", "rule", "changed"):
        lines = []
        for number in range(2):
            for part in make(kind, TBC, "x", number).parts:
                keys = [choice.key for choice in part.choices]
                if isinstance(part.answer, int):
                    lines.append(f"{part.answer / 100:.2f}")
                elif isinstance(part.answer, tuple):
                    lines.append(" ".join(part.answer))
                elif all(key.isdigit() and len(key) == 1 for key in keys):
                    lines.append(part.answer)
                else:
                    letters = {"player": "p", "banker": "b", "tie": "t"}
                    by_letter = all(key in letters for key in keys)
                    lines.append(letters[part.answer] if by_letter else str(keys.index(part.answer) + 1))
        status, out, err = here(
            "school",
            "drill",
            kind,
            "--rulebook",
            TBC,
            "--seed",
            "x",
            "--count",
            "2",
            "--json",
            stdin="\n".join((*lines, "")),
        )
        assert (status, err) == (0, "")
        assert json.loads(out)["right"] == 2, kind


@pytest.mark.parametrize("language", ["en", "zh"])
def test_items_are_shown_with_answers_and_paragraphs(language: str) -> None:
    status, out, err = here("school", "items", "rule", "--rulebook", MBS, "--count", "12", "--lang", language)
    assert (status, err) == (0, "")
    assert ("Who may decide?" in out) == (language == "en")
    assert "  = " in out
    status, shown, _ = here("school", "items", "rule", "--count", "3", "--questions", "--lang", language)
    assert status == 0
    assert "  = " not in shown


def test_what_cannot_be_asked_is_one_sentence() -> None:
    for arguments, told in (
        (("drill", "insurance"), "nothing that a insurance drill could ask"),
        (("items", "bridge"), "no drill 'bridge'"),
        (("items", "pay", "--count", "1001"), "1000"),
        (("drill", "third-card", "--lang", "fr"), "got 'fr'"),
    ):
        status, out, err = here("school", *arguments)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert told in err
    status, _, err = here("school", "drill", "third-card", "--seed", "x", stdin="7\n")
    assert status == 2
    assert "'7' is no answer here: type d or s or n" in err


def test_single_keys_at_a_terminal_and_ctrl_c_ends_with_the_result() -> None:
    """A real terminal: no Enter after a key, keys typed ahead count, a wrong key is asked again, the clock runs."""
    process, screen = pty.fork()
    if not process:
        arguments = ["school", "drill", "third-card", "--seed", "x", "--count", "20"]
        os.execv(sys.executable, [sys.executable, "-m", "thirdcard", *arguments])  # noqa: S606 - ourselves
    first, second = asked(2)
    told = reading(screen, "Natural")
    os.write(screen, f"7{first}{second}".encode())
    while told.count("Natural") < 3:
        told += reading(screen, "Natural")
    os.write(screen, b"\x03")
    told += reading(screen, "")
    _, status = os.waitpid(process, 0)
    os.close(screen)
    assert os.waitstatus_to_exitcode(status) == 130
    assert "'7' is no answer here" in told
    assert "2 of 2 right" in told
    assert " s for each." in told


def reading(screen: int, until: str) -> str:
    """What a terminal shows until these words, or until the program has ended."""
    seen, late = "", time.monotonic() + PATIENCE
    while not until or until not in seen:
        ready, _, _ = select.select([screen], [], [], max(late - time.monotonic(), 0))
        assert ready, seen
        try:
            seen += os.read(screen, 4096).decode()
        except OSError:  # the other side is closed
            break
    return seen
