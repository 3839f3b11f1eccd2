"""A rulebook has one canonical text, and one digest on every machine."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import msgspec
import pytest

from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook, digest_of, load
from thirdcard.rulebook.forms import canonical, from_canonical
from thirdcard.rulebook.load import packaged, read

ROOT: Final = Path(__file__).parents[2]
EXAMPLES: Final = ROOT / "examples" / "rulebooks"
PINNED: Final = json.loads(Path(__file__).with_name("digests.json").read_text(encoding="utf-8"))
PROGRAM: Final = """
import json, sys
from thirdcard.rulebook import digest_of, load
print(json.dumps({which: digest_of(load(which)) for which in sys.argv[1:]}))
"""


def books() -> dict[str, Rulebook]:
    found = {slug: load(slug) for slug in packaged()}
    return found | {file.stem: load(file) for file in sorted(EXAMPLES.glob("*.toml"))}


def test_the_digests_are_those_that_logs_carry() -> None:
    """A change here is a change of what a document says: it is meant, or it is a mistake."""
    assert {slug: digest_of(book) for slug, book in books().items()} == PINNED


@pytest.mark.parametrize("slug", PINNED)
def test_the_canonical_text_reads_back_as_the_same_book(slug: str) -> None:
    book = books()[slug]
    text = canonical(book)
    assert hashlib.sha256(text).hexdigest() == digest_of(book)
    again = from_canonical(text)
    assert again is not book
    assert canonical(again) == text
    assert msgspec.structs.asdict(again).keys() == msgspec.structs.asdict(book).keys()
    assert b"\n" not in text


@pytest.mark.parametrize(
    "text", [b"", b"{}", b"[]", b"\xff", b'{"slug": 3}', b"null", canonical(load("mbs-tiger-v2"))[:-9]]
)
def test_what_is_no_canonical_text_is_refused(text: bytes) -> None:
    with pytest.raises(BadInput, match=r"^not the canonical text of a rulebook: "):
        from_canonical(text)


def test_how_a_file_is_written_does_not_matter() -> None:
    text = (EXAMPLES / "quik.toml").read_text(encoding="utf-8")
    head, _, bet = text.partition("[bets.quik]")
    other = f"{head.replace('# Quik', '# Another comment')}[bets]\nquik.pays = {bet.partition('pays = ')[2]}quik.name = 'Quik'"
    assert canonical(read("quik.toml", other)) == canonical(read("quik.toml", text))


@pytest.mark.parametrize(
    ("old", "new"),
    [('"50 to 1"', '"51 to 1"'), ('name = "Quik"', 'name = "Quick"'), ("sum = 18", "sum = 17"), ('title = "Quik', 'title = "Quick')],
)  # fmt: skip
def test_whatever_a_file_says_matters(old: str, new: str) -> None:
    text = (EXAMPLES / "quik.toml").read_text(encoding="utf-8").replace('"15-17"', '"15-16"')
    assert old in text
    assert digest_of(read("quik.toml", text.replace(old, new))) != digest_of(read("quik.toml", text))


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["0", "1", "4711"])
def test_a_digest_does_not_depend_on_hashing(seed: str) -> None:
    files = [str(file) for file in sorted(EXAMPLES.glob("*.toml"))]
    command = [sys.executable, "-c", PROGRAM, *packaged(), *files]
    env = os.environ | {"PYTHONHASHSEED": seed}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    assert {Path(which).stem: digest for which, digest in json.loads(done.stdout).items()} == PINNED
