"""What a table's script comes to is what was reviewed (`make transcripts` writes it anew)."""

import json
from pathlib import Path

import pytest

from transcripts.table.scripts import HERE, golden, scripts, told

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("script", scripts(), ids=lambda script: script.stem)
def test_a_table_reads_as_reviewed(script: Path) -> None:
    assert told(script) == golden(script).read_text(encoding="utf-8")


def test_every_document_has_scripts_and_no_transcript_is_left_behind() -> None:
    documents = {
        json.loads(script.read_text(encoding="utf-8").splitlines()[0])["rulebook"] for script in scripts()
    }
    assert len(documents) == 5
    assert {file.stem for file in HERE.glob("*.txt")} == {script.stem for script in scripts()}
