"""The key file: private, whole, made once and never shown."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from thirdcard.errors import BadInput
from thirdcard.service.keys import load_key, subkey

HEX = "00112233445566778899aabbccddeeff" * 2


def kept(folder: Path, text: str, mode: int = 0o600) -> Path:
    path = folder / "key"
    path.write_text(text)
    path.chmod(mode)
    return path


def test_a_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "key"
    before = os.umask(0)
    try:
        key = load_key(path)
    finally:
        os.umask(before)
    assert len(key) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_key(path) == key
    assert load_key(tmp_path / "other") != key
    assert sorted(file.name for file in tmp_path.iterdir()) == ["key", "other"], "no draft is left behind"


def test_servers_that_start_at_once_agree(tmp_path: Path) -> None:
    for trial in range(20):
        path = tmp_path / f"key {trial}"
        with ThreadPoolExecutor(8) as pool:
            assert len(set(pool.map(load_key, [path] * 8))) == 1


def test_a_key_is_read_as_hex(tmp_path: Path) -> None:
    assert load_key(kept(tmp_path, HEX + "\n")) == bytes.fromhex(HEX)
    assert load_key(kept(tmp_path, HEX.upper())) == bytes.fromhex(HEX)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o644, 0o666])
def test_a_key_that_others_can_touch_is_refused(tmp_path: Path, mode: int) -> None:
    with pytest.raises(BadInput, match="chmod 600") as refused:
        load_key(kept(tmp_path, HEX, mode))
    assert HEX not in str(refused.value)


@pytest.mark.parametrize(
    "text", ["", "\n", HEX[:-1], HEX + "0", HEX + "\n\n", " " + HEX, "g" + HEX[1:], HEX * 2]
)
def test_what_is_no_key_is_refused_without_showing_it(tmp_path: Path, text: str) -> None:
    path = kept(tmp_path, text)
    with pytest.raises(BadInput, match="does not hold a key") as refused:
        load_key(path)
    assert HEX[:16] not in str(refused.value)
    assert path.read_text() == text


def test_a_place_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be used"):
        load_key(tmp_path / "missing" / "key")
    with pytest.raises(BadInput, match="cannot be used"):
        load_key(tmp_path)


def test_subkeys_differ_by_purpose_and_master() -> None:
    master = bytes.fromhex(HEX)
    found = [subkey(master, "shoes"), subkey(master, "anchor"), subkey(bytes(32), "shoes"), master]
    assert len(set(found)) == 4
    assert {len(key) for key in found} == {32}


def test_a_subkey_is_forever() -> None:
    """What was sealed under it must open tomorrow; by `openssl dgst -sha256 -mac HMAC -macopt hexkey:…`."""
    known = "6cc53e03daf7b3d307232ca51c43968d76b828770a48ee58125cb615435a9ced"
    assert subkey(bytes.fromhex(HEX), "shoes").hex() == known
