"""Shell completion is Typer's own: a real bash offers commands, options and rulebooks."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

BASH = shutil.which("bash")
OFFER = 'eval "$(_THIRDCARD_COMPLETE=source_bash thirdcard)"; {}_thirdcard_completion thirdcard; printf "%s\\n" "${{COMPREPLY[@]}}"'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a program of our name, as an installation puts it on the path."""
    place = tmp_path_factory.mktemp("bin")
    program = place / "thirdcard"
    code = "import sys; sys.argv[0] = 'thirdcard'; from thirdcard.cli import main; main()"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{code}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return place


def offered(folder: Path, *words: str) -> list[str]:
    """What bash offers for the last of these words."""
    assert BASH is not None
    given = " ".join(f'"{word}"' for word in words)
    asked = OFFER.format(f"COMP_WORDS=({given}); COMP_CWORD={len(words) - 1}; ")
    done = subprocess.run(
        [BASH, "-c", asked],
        env={"PATH": f"{folder}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(BASH is None, reason="no bash here")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("thirdcard", "ru"), ["rules", "ruling", "rulebook"]),
        (("thirdcard", "settle", "mbs"), ["mbs-tiger-v2"]),
        (("thirdcard", "odds", "mbs-tiger-v2", "--comp"), ["--compare-decks"]),
        (("thirdcard", "rules", "int"), ["interpretations"]),
    ],
    ids=lambda one: one[-1],
)
def test_bash_offers_what_there_is(folder: Path, words: tuple[str, ...], expected: list[str]) -> None:
    assert sorted(offered(folder, *words)) == sorted(expected)
