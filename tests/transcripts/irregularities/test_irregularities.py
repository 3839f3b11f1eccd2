"""Every case of every document, played: scripts are replayed and read as they were reviewed."""

from pathlib import Path

import pytest

from each import each
from thirdcard.rulebook import load, slugs
from transcripts.irregularities.scripts import HERE, Situation, everything, file_of
from transcripts.irregularities.wording import told

pytestmark = pytest.mark.slow

SCRIPTS = sorted(HERE.glob("*/*.jsonl"))


@each("file", SCRIPTS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_transcript(file: Path) -> None:
    assert told(file.read_text(encoding="utf-8")) == file.with_suffix(".txt").read_text(encoding="utf-8")


def test_scripts_are_what_the_situations_say() -> None:
    assert {file_of(slug, one): one.script(slug) for slug, one in everything()} == {
        file: file.read_text(encoding="utf-8") for file in SCRIPTS
    }
    assert {file.with_suffix(".txt") for file in SCRIPTS} == set(HERE.glob("*/*.txt"))


@pytest.mark.parametrize("slug", slugs())
def test_every_case_has_a_transcript(slug: str) -> None:
    mine = [situation for other, situation in everything() if other == slug]
    cases = [procedure.case for procedure in load(slug).procedures]
    assert {one.case for one in mine} == set(cases)
    assert len(cases) == {"mbs-tiger-v2": 23, "rws-commission-insurance-v5": 20}.get(
        slug, 20 if slug == "rws-tiger-buffalo-commission-v2" else 19
    )


@each(("slug", "situation"), list(everything()), ids=lambda one: getattr(one, "name", one))
def test_named_by_a_paragraph_of_the_document(slug: str, situation: Situation) -> None:
    assert situation.paragraph(slug) in load(slug).paragraphs
    assert f"reports {situation.case}" in situation.sentences
