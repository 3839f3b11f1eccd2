"""The kit of all drawings: elements that hold whatever they are given, and one palette."""

import re
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from thirdcard import drawing
from thirdcard.drawing import element, number, svg, text, title

SOURCE = Path(str(files("thirdcard")))
PALETTE = {
    name: value for name, value in vars(drawing).items() if isinstance(value, str) and value.startswith("#")
}
CHIPS = "chip_faces.py"  # a chip's colours are its denomination's, and nothing else's
COURTS = "court_faces.py"  # and so are the coats of kings, queens and jacks


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [(12, 1, "12"), (100, 2, "100"), (0.5, 1, "0.5"), (-0.04, 1, "0"), (1.25, 2, "1.25"), (-3.10, 2, "-3.1")],
)
def test_numbers_are_as_short_as_they_can_be(value: float, digits: int, shown: str) -> None:
    assert number(value, digits) == shown


def test_an_element_has_the_attributes_that_are_given() -> None:
    assert element("g", class_="a", stroke_width=1.50, viewBox="0 0 1 1", fill=None) == (
        '<g class="a" stroke-width="1.5" viewBox="0 0 1 1"/>'
    )
    assert element("g", "", class_="a") == '<g class="a"></g>'


@pytest.mark.parametrize("words", ["5 < 6 & 7", "\"quoted\" and 'quoted'", "</text><script>"])
def test_words_stay_words(words: str) -> None:
    root = ET.fromstring(svg(10, 10, title(words), text(words, 1, 2, 3), aria_label=words))  # noqa: S314
    assert [child.text for child in root] == [words, words]
    assert root.get("aria-label") == words


def test_colours_are_those_of_the_pages() -> None:
    css = (
        (SOURCE / "web" / "static" / "css" / "tokens.css").read_text(encoding="utf-8").partition("@media")[0]
    )
    tokens = dict(re.findall(r"--([\w-]+): (#[0-9a-f]+);", css))
    shared = {name: value for name, value in PALETTE.items() if name.lower().replace("_", "-") in tokens}
    assert len(shared) > 15
    assert shared == {name: tokens[name.lower().replace("_", "-")] for name in shared}


def test_no_colour_is_written_anywhere_else() -> None:
    others = (path for path in SOURCE.rglob("*.py") if path.name not in {"drawing.py", CHIPS, COURTS})
    found = {
        str(path): re.findall(r"#[0-9a-fA-F]{3,8}\b", path.read_text(encoding="utf-8")) for path in others
    }
    assert {path: colours for path, colours in found.items() if colours} == {}
    assert len(set(PALETTE.values())) == len(PALETTE), "one name for one colour"
