"""Rulebooks, rulings and remedies are what was reviewed (`make transcripts` writes it anew)."""

import pytest

from transcripts.rulebooks.scripts import HERE, everything, file_of, told


@pytest.mark.parametrize("name", list(everything()))
def test_as_reviewed(name: str) -> None:
    assert told(name).splitlines() == file_of(name).read_text(encoding="utf-8").splitlines()


def test_no_file_is_left_over() -> None:
    assert {file.stem for file in HERE.glob("*.txt")} == set(everything())
