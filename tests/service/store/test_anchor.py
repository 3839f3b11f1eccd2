"""The anchor: what it holds is ours, and a log that was cut or rewritten does not fit it."""

import contextlib
import stat
from itertools import pairwise
from pathlib import Path

import pytest

from service.store.making import hash_of
from thirdcard.errors import BadInput
from thirdcard.service.log import anchor as anchors
from thirdcard.service.log.anchor import Anchor, read_anchor
from thirdcard.service.log.store.model import Head

KEY = bytes(range(32))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "anchor"


def head(stream: str, version: int) -> Head:
    return Head(version, hash_of(stream, version))


def written(path: Path, *versions: int, stream: str = "t") -> None:
    with contextlib.closing(Anchor(path, KEY)) as anchor:
        for version in versions:
            anchor.write({stream: head(stream, version)})


def test_it_holds_where_streams_ended(path: Path) -> None:
    with contextlib.closing(Anchor(path, KEY)) as anchor:
        assert anchor.latest() == {}
        anchor.write({"t": head("t", 1), "table 庄": head("table 庄", 4)})
        anchor.write({"t": head("t", 7)})
        expected = {"t": head("t", 7), "table 庄": head("table 庄", 4)}
        assert anchor.latest() == expected
        assert read_anchor(path, KEY).latest == expected
    with contextlib.closing(Anchor(path, KEY)) as again:
        assert again.latest() == expected
        assert again.problems == []


def test_only_its_owner_may_read_it(path: Path) -> None:
    written(path, 1)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_line_is_a_stream_a_version_a_hash_and_a_code(path: Path) -> None:
    written(path, 12)
    stream, version, digest, code = path.read_text().removesuffix("\n").split(" ")
    assert (stream, version, digest) == ("t", "12", hash_of("t", 12).hex())
    assert len(code) == 64


def test_every_changed_character_of_a_line_is_found(path: Path) -> None:
    written(path, 12, 13)
    good = path.read_bytes()
    line = good.index(b"\n")
    for place in range(line):
        changed = bytearray(good)
        changed[place] ^= 1
        path.write_bytes(changed)
        found = read_anchor(path, KEY)
        assert len(found.problems) == 1, changed[:line]
        assert found.latest == {"t": head("t", 13)}


def test_lines_written_with_another_key_are_found(path: Path) -> None:
    written(path, 1, 2)
    found = read_anchor(path, bytes(32))
    assert len(found.problems) == 2
    assert found.heads == {}


def test_a_last_line_that_a_crash_cut_short_does_not_matter(path: Path) -> None:
    written(path, 1, 2)
    whole = path.read_bytes()
    start = whole.index(b"\n") + 1
    for end in range(start, len(whole)):
        path.write_bytes(whole[:end])
        found = read_anchor(path, KEY)
        assert (found.problems, found.latest) == ([], {"t": head("t", 1)})
        written(path, 3)
        assert read_anchor(path, KEY).heads == {"t": [head("t", 1), head("t", 3)]}
        assert read_anchor(path, KEY).problems == []


def test_a_line_cut_short_in_the_middle_is_found(path: Path) -> None:
    written(path, 1, 2)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0][:-9] + b"\n" + lines[1])
    assert len(read_anchor(path, KEY).problems) == 1


def test_a_log_that_went_back_is_found_even_if_it_grew_again(path: Path) -> None:
    written(path, 9, 10)
    written(path, 5, 11)
    found = read_anchor(path, KEY)
    assert found.problems == ["t was anchored at version 10 and later at version 5"]


def test_another_hash_at_the_same_version_is_found(path: Path) -> None:
    with contextlib.closing(Anchor(path, KEY)) as anchor:
        anchor.write({"t": head("t", 4)})
        anchor.write({"t": head("t", 4)})
        assert anchor.problems == []
        anchor.write({"t": Head(4, bytes(32))})
        assert len(anchor.problems) == 1


def test_a_long_file_is_written_anew_with_what_counts(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anchors, "LIMIT", 20_000)
    written(path, 1, 9, 3)
    path.write_bytes(b"not ours\n" + path.read_bytes())
    sizes = []
    with contextlib.closing(Anchor(path, KEY)) as anchor:
        for version in range(10, 1000):
            anchor.write({"t": head("t", version), "u": head("u", version)})
            sizes.append(path.stat().st_size)
            assert anchor.latest() == {"t": head("t", version), "u": head("u", version)}
        assert max(sizes) < 21_000
        assert sum(after < before for before, after in pairwise(sizes)) > 5
        problems = anchor.problems
    assert read_anchor(path, KEY).problems == problems
    assert len(problems) == 2  # what was wrong is not tidied away
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(file.name for file in path.parent.iterdir()) == ["anchor", "anchor.lock"]


def test_two_processes_cannot_share_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anchors, "LIMIT", 1000)
    with contextlib.closing(Anchor(path, KEY)) as anchor:
        for version in range(1, 20):  # also when the file is another one by now
            with pytest.raises(BadInput, match="another process"):
                Anchor(path, KEY)
            anchor.write({"t": head("t", version)})
        assert read_anchor(path, KEY).latest == {"t": head("t", 19)}


def test_an_anchor_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No such file"):
        read_anchor(tmp_path / "anchor", KEY)
    with pytest.raises(BadInput, match="cannot open"):
        Anchor(tmp_path / "no" / "anchor", KEY)


def test_a_streams_name_is_one_line(path: Path) -> None:
    with contextlib.closing(Anchor(path, KEY)) as anchor:
        with pytest.raises(ValueError, match="one line"):
            anchor.write({"t\nu": head("t", 1)})
        anchor.write({"t": head("t", 1)})
    assert read_anchor(path, KEY).latest == {"t": head("t", 1)}
