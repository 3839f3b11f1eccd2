"""Nothing is lost: requests, commands, options, answers and words are those that were reviewed."""

import pytest

from transcripts.face.face import WHOLE, file_of, told

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", WHOLE)
def test_nothing_is_lost(name: str) -> None:
    assert told(name).splitlines() == file_of(name).read_text(encoding="utf-8").splitlines()
