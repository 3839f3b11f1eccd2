"""A language more is one file more: whatever lists, says or shows languages finds it by itself."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from thirdcard.service.tables.announce import Said
from thirdcard.web.assets import assets, version, words_json
from thirdcard.web.pages import render
from thirdcard.words import accepted, in_words, languages, lexicon, words

FILE = """
name = "Bahasa Melayu"
label = "Melayu"
html = "ms"
beside = "en"
browsers = ["ms"]
based-on = "en"
replace = "Player=Pemain Banker=Bank"

[ui.public]
nav_play = "Meja"

[cases]
drawn-together = "Dua kad serentak"
"""


@pytest.fixture
def malay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Files of the pages are made from the words: those with one language more are no other test's."""
    for one in files("thirdcard.words").iterdir():
        if one.name.endswith(".toml"):
            (tmp_path / one.name).write_bytes(one.read_bytes())
    (tmp_path / "ms.toml").write_text(FILE, encoding="utf-8")
    monkeypatch.setattr(lexicon, "FOLDER", tmp_path)
    _forget()
    yield
    _forget()


def _forget() -> None:
    assets.cache_clear()
    version.cache_clear()


@pytest.mark.usefixtures("malay")
def test_a_file_is_a_language() -> None:
    assert languages() == ("en", "ms", "zh", "zh-Hans")
    assert accepted("ms-MY, en") == "ms"
    assert words("ms").ui["nav_play"] == "Meja"
    assert words("ms").ui["nav_odds"] == words("en").ui["nav_odds"]
    said = Said("held-up", {"case": "drawn-together"})
    assert in_words(said, "ms") == "One moment, please. The round is held up: Dua kad serentak"
    assert in_words(Said("pair", {"hand": "player"}), "ms") == "Pemain pair"


@pytest.mark.usefixtures("malay")
def test_pages_and_scripts_have_it() -> None:
    page = render("interpretations.html", lang="ms", page="rules", interpretations=(), shorts={})
    assert '<html lang="ms"' in page
    assert "Meja" in page
    others = render("interpretations.html", lang="zh", page="rules", interpretations=(), shorts={})
    assert 'href="?lang=ms" lang="ms" aria-label="Bahasa Melayu"' in others
    scripts = msgspec.json.decode(words_json("ms", "lobby"))
    assert scripts["hands"] == {"player": "Pemain", "banker": "Bank"}
    assert scripts["beside"] == "en"
