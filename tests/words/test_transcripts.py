"""Transcripts in every language: the same lines with the same paragraphs as in English."""

import json
import re
from pathlib import Path

import pytest

from thirdcard.table.script import Script
from thirdcard.words import ENGLISH, languages

SCRIPTS = sorted((Path(__file__).parents[1] / "transcripts" / "table").glob("*.jsonl"))
OTHERS = [language for language in languages() if language != ENGLISH]
CITED = re.compile(r"  \[[^]]*\]$")
INDENTED = re.compile(r" *")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_table_is_told_in_every_language(script: Path) -> None:
    ran = Script()
    for number, line in enumerate(script.read_text(encoding="utf-8").splitlines(), start=1):
        ran.run(json.loads(line), number)
    assert ran.table is not None
    english = list(ran.table.transcript())
    for language in OTHERS:
        told = list(ran.table.transcript(language))
        assert len(told) == len(english)
        for line, said in zip(english, told, strict=True):
            assert bool(re.search(r"[\u4e00-\u9fff]", said)) == bool(line), said
            for part in (CITED, INDENTED):
                assert part.findall(said)[:1] == part.findall(line)[:1]
