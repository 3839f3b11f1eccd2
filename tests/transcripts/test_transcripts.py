"""What commands print for people is what was reviewed (`make transcripts` writes it anew)."""

from pathlib import Path

import pytest

from transcripts.golden import files, replay

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("file", files(), ids=lambda file: file.stem)
def test_transcript(file: Path) -> None:
    golden = file.read_text(encoding="utf-8")
    assert "$ thirdcard " in golden
    assert replay(golden) == golden
