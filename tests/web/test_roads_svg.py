"""Pictures of roads: well-formed, whole, readable without colour, free of outside references."""

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thirdcard.roads import DERIVED, Ask, Derived, RoadResult, parse_results, roads
from thirdcard.web.roads_svg import ask_svg, bead_plate_svg, big_road_svg, board_svg, derived_svg

SVG = "{http://www.w3.org/2000/svg}"
RESULTS = st.lists(
    st.builds(RoadResult, st.sampled_from(("player", "banker", "tie")), st.booleans(), st.booleans()),
    max_size=90,
)


def parse(picture: str) -> ET.Element:
    return ET.fromstring(picture)  # noqa: S314 - our own picture


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def texts(root: ET.Element) -> str:
    return "".join("".join(element.itertext()) for element in root.iter(f"{SVG}text"))


def described(root: ET.Element) -> str:
    return root.findtext(f"{SVG}desc", "")


@given(RESULTS)
def test_a_board_has_as_many_marks_as_cells(results: list[RoadResult]) -> None:
    found = roads(results)
    root = parse(board_svg(found))
    derived = len(found.big_eye_boy + found.small_road + found.cockroach_pig)
    assert len(of_class(root, "mark")) == len(results) + len(found.big_road) + derived
    assert len(of_class(root, "ask")) == 6
    assert len(of_class(root, "pair")) == sum(one.player_pair + one.banker_pair for one in results)


@given(RESULTS)
def test_marks_stand_inside_their_picture(results: list[RoadResult]) -> None:
    found = roads(results)
    pictures = [bead_plate_svg(found.bead_plate), big_road_svg(found.big_road)]
    pictures += [derived_svg(getattr(found, kind), kind) for kind in DERIVED]
    for root in map(parse, pictures):
        _, _, width, height = map(int, root.get("viewBox", "").split())
        for mark in of_class(root, "mark"):
            x, y = map(int, re.findall(r"\d+", mark.get("transform", "")))
            assert 0 < x < width
            assert 0 < y < height


def test_both_rows_of_a_board_end_at_the_same_edge() -> None:
    for shoe in ("", "BP" * 40, "B" * 80, "BTBPPPBPBBPPBBBTTP" * 4):
        root = parse(board_svg(roads(parse_results(shoe))))
        edges = []
        for group in root.findall(f"{SVG}g"):
            (picture,) = group.findall(f"{SVG}svg")
            left = float(re.findall(r"[\d.]+", group.get("transform", ""))[0])
            edges.append(left + float(picture.get("width", "")))
        assert edges[1] == edges[5] == float(root.get("width", "")) - 32


def test_a_board_is_whole_by_itself() -> None:
    picture = board_svg(roads(parse_results("BTBPPPBPBBPPBBBTTP")))
    assert not re.search(r"<script|<style|<image|href|url\(|\son\w+=|\sstyle=", picture)
    assert set(re.findall(r"https?://[^\"' ]+", picture)) == {"http://www.w3.org/2000/svg"}


def test_characters_carry_the_results() -> None:
    found = roads(parse_results("BPT"))
    assert texts(parse(bead_plate_svg(found.bead_plate))) == "庄閒和"
    assert texts(parse(big_road_svg(found.big_road))) == "庄閒"


@pytest.mark.parametrize("kind", DERIVED)
def test_shapes_tell_regular_from_irregular(kind: Derived) -> None:
    regular, irregular = of_class(parse(derived_svg("RL", kind)), "mark")
    assert (len(regular), len(irregular)) == (1, 2)


def test_ties_are_slashes_with_a_count_from_two() -> None:
    root = parse(big_road_svg(roads(parse_results("BTPTTT")).big_road))
    assert len(of_class(root, "tie")) == 2
    assert texts(root) == "庄閒3"
    waiting = parse(big_road_svg(roads(parse_results("TT")).big_road))
    assert texts(waiting) == "和2"
    assert not list(waiting.iter(f"{SVG}circle"))


def test_pictures_are_described_in_words() -> None:
    results = [
        RoadResult("banker"),
        RoadResult("tie"),
        RoadResult("banker", player_pair=True, banker_pair=True),
    ]
    found = roads([*results, RoadResult("player")])
    assert described(parse(bead_plate_svg(found.bead_plate))) == (
        "Banker, Tie, Banker with Banker and Player pair, Player"
    )
    assert described(parse(big_road_svg(found.big_road))) == "Banker 2 (1 tie), Player 1"
    assert described(parse(big_road_svg(roads(parse_results("TT")).big_road))) == "Tie 2, no win yet"
    assert described(parse(derived_svg("RL", "small_road"))).startswith("RL ")
    assert described(parse(derived_svg("", "small_road"))) == "empty"
    assert described(parse(ask_svg(Ask(player="RR-", banker="LL-")))).startswith("Player RR-, Banker LL-")


def test_a_narrow_picture_shows_the_newest_columns() -> None:
    found = roads(parse_results("BP" * 10))
    assert len(of_class(parse(big_road_svg(found.big_road, columns=6)), "mark")) == 6
    assert len(of_class(parse(bead_plate_svg(found.bead_plate, columns=2)), "mark")) == 6 + 2
