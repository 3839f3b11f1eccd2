"""The felt of every layout: the bets it offers and no others, each label and chip inside its own spot.

The geometry is read back from the drawing: a spot is the span of radii and angles of its outline's points.
"""

import gzip
import re
from functools import cache
from itertools import combinations, pairwise
from math import atan2, cos, degrees, hypot, radians, sin
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from thirdcard.errors import BadInput
from thirdcard.rulebook.load import named, packaged
from thirdcard.web.draw import felt_svg, spots
from thirdcard.web.draw.shapes import ELLIPSIS, text_width
from thirdcard.words import bet_words
from web.books import made

SVG = "{http://www.w3.org/2000/svg}"
CENTRE = (720.0, -622.0)
PLUS, PLAIN = "rws-tiger-buffalo-commission-v2", "rws-tiger-buffalo-non-commission-v4"
SIZES = ((2, 3), (3, 60), (8, 12), (12, 60), (24, 60), (40, 3), (40, 60))  # bets, letters of their names
BOOKS = {slug: named(slug) for slug in packaged()}
MADE = {f"{bets}-bets-of-{letters}": made(bets, letters) for bets, letters in SIZES}
LAYOUTS = [(slug, layout) for slug, book in BOOKS.items() for layout in book.layouts]
BOOKS |= MADE
ROUNDING = 0.6  # pixels: numbers in a drawing have one decimal

Point = tuple[float, float]


class Box(NamedTuple):
    """A rectangle in the frame of a label."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def corners(self) -> list[Point]:
        return [(x, y) for x in (self.left, self.right) for y in (self.top, self.bottom)]


class Ring(NamedTuple):
    """The span of radii and angles (in radians) of an outline."""

    r0: float
    r1: float
    a0: float
    a1: float

    def holds(self, point: Point) -> bool:
        radius, angle = polar(point)
        slack = ROUNDING / radius
        return (
            self.r0 - ROUNDING <= radius <= self.r1 + ROUNDING and self.a0 - slack <= angle <= self.a1 + slack
        )

    def meets(self, other: "Ring") -> bool:
        slack = ROUNDING / self.r0
        return (
            self.r0 < other.r1 - ROUNDING
            and other.r0 < self.r1 - ROUNDING
            and self.a0 < other.a1 - slack
            and other.a0 < self.a1 - slack
        )


def polar(point: Point) -> tuple[float, float]:
    x, y = point[0] - CENTRE[0], point[1] - CENTRE[1]
    return hypot(x, y), atan2(x, y)


def turn(point: Point, by: float, about: Point = (0, 0)) -> Point:
    """As SVG's rotate: clockwise on the screen, in degrees."""
    x, y, angle = point[0] - about[0], point[1] - about[1], radians(by)
    return about[0] + x * cos(angle) - y * sin(angle), about[1] + x * sin(angle) + y * cos(angle)


def numbers(text: str) -> list[float]:
    return [float(found) for found in re.findall(r"-?[\d.]+", text)]


def ring_of(spot: ET.Element) -> Ring:
    return ring(spot.findall(f"{SVG}path")[0].get("d", ""))


@cache
def ring(outline: str) -> Ring:
    """From the end and control points of the outline; the radii and flags of its arcs are left out."""
    flat = numbers(re.sub(r"A[\d.]+ [\d.]+ 0 0 [01] ", "L", outline))
    places = [polar(point) for point in zip(flat[::2], flat[1::2], strict=True)]
    radii, angles = [radius for radius, _ in places], [angle for _, angle in places]
    return Ring(min(radii), max(radii), min(angles), max(angles))


def classes(element: ET.Element) -> list[str]:
    return element.get("class", "").split()


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [element for element in root.iter() if name in classes(element)]


SPACING = {"en": 0.045, "zh": 0, "pays": 0}


def text_boxes(spot: ET.Element) -> list[Box]:
    (label,) = of_class(spot, "label")
    start = label.get("text-anchor") == "start"
    found = []
    for text in label:
        size, x, y = (float(text.get(key, "0")) for key in ("font-size", "x", "y"))
        (style,) = classes(text)
        narrow = {"narrow", "wide"} & set(classes(spot))
        spacing = 0.01 if style == "en" and narrow else SPACING[style]
        width = text_width(text.text or "", size, spacing)
        left = x if start else x - width / 2
        above, below = (0.86, 0.12) if style == "zh" else (0.74, 0.02)
        found.append(Box(left, y - above * size, left + width, y + below * size))
    return found


def label_frame(spot: ET.Element) -> tuple[Point, float]:
    (label,) = of_class(spot, "label")
    x, y, angle = numbers(label.get("transform", ""))
    return (x, y), angle


def slots(element: ET.Element) -> list[tuple[Point, float]]:
    triples = (numbers(slot) for slot in element.get("data-slots", "").split())
    return [((x, y), radius) for x, y, radius in triples]


def turned_by(position: ET.Element) -> float:
    return numbers(position.get("transform", ""))[0]


@cache
def felt(slug: str, layout: str, positions: int, own: int | None) -> ET.Element:
    return ET.fromstring(felt_svg(BOOKS[slug], layout, positions, own))  # noqa: S314 - our own picture


def felts(slug: str, layout: str) -> list[tuple[int, int | None, ET.Element]]:
    """With the fewest, the most and a middle number of positions; watched, and from the first and the last."""
    low, high = BOOKS[slug].layouts[layout].positions
    return [
        (count, own, felt(slug, layout, count, own))
        for count in sorted({low, (low + high) // 2, high})
        for own in dict.fromkeys((None, 1, count))
    ]


each_layout = pytest.mark.parametrize(("slug", "layout"), [*LAYOUTS, *((slug, "Long") for slug in MADE)])
each_printed_layout = pytest.mark.parametrize(("slug", "layout"), LAYOUTS)


def test_there_are_63_layouts() -> None:
    assert len(LAYOUTS) == 63


@each_layout
def test_the_spots_are_the_bets_of_the_layout_at_every_position(slug: str, layout: str) -> None:
    offered = sorted(BOOKS[slug].layouts[layout].bets)
    for count, own, root in felts(slug, layout):
        positions = of_class(root, "position")
        assert [position.get("data-box") for position in positions] == [str(box + 1) for box in range(count)]
        for position in positions:
            inside = of_class(position, "spot")
            assert {spot.get("data-box") for spot in inside} == {position.get("data-box")}
            assert sorted(" ".join(spot.get("data-bet", "") for spot in inside).split()) == offered
            mine = position.get("data-box") == str(own)
            assert ("own" in classes(position)) == mine
            if mine:
                assert len(inside) == len(offered), "every bet has a spot of its own at your position"


@each_printed_layout
def test_your_spots_print_and_say_what_the_rulebook_pays(slug: str, layout: str) -> None:
    book = BOOKS[slug]
    for _, own, root in felts(slug, layout):
        for spot in of_class(root, "own")[0].iter() if own else ():
            if "spot" not in classes(spot):
                continue
            name = spot.get("data-bet", "")
            odds = [tier.odds.text for tier in book.bets[name].pays]
            (printed,) = (text.text or "" for text in of_class(spot, "pays"))
            said = spot.get("aria-label", "")
            assert said.startswith(f"{bet_words(name).en}, pays ")
            assert spot.findtext(f"{SVG}title") == said
            if len(odds) == 1:
                assert printed == odds[0]
                assert said.endswith(f"pays {odds[0]}")
            elif all(text.endswith(" to 1") for text in odds) and name != "banker":
                assert printed.split("·") == [text.split()[0] for text in odds]
                assert re.findall(r"[\d.]+", said.split("pays")[1])[:-1] == printed.split("·")
            else:
                assert [line.split(" on ")[0] for line in printed.split(" · ")] == odds


def test_a_banker_that_pays_less_on_six_says_so() -> None:
    by_name = {spot.bet: spot for spot in spots(BOOKS[PLAIN], "A")}
    assert by_name["banker"].pays == "1 to 2 on 6 · 1 to 1"
    assert by_name["banker"].label == "Banker, pays 1 to 2 on 6, otherwise 1 to 1"
    assert by_name["player-char-siu"].pays == "10·15·50"
    assert by_name["player-char-siu"].label == "Player Char Siu, pays 10, 15 or 50 to 1"


@each_layout
def test_your_labels_are_in_both_languages(slug: str, layout: str) -> None:
    root = felt(slug, layout, BOOKS[slug].layouts[layout].positions[1], 1)
    for spot in of_class(of_class(root, "own")[0], "spot"):
        words = bet_words(spot.get("data-bet", ""), BOOKS[slug])
        for english in [text.text or "" for text in of_class(spot, "en")]:
            whole = {words.en.upper(), words.short.upper()}
            assert english in whole or words.en.upper().startswith(english.removesuffix(ELLIPSIS))
        assert bool(of_class(spot, "en")) != ("tiny" in classes(spot)), "the very smallest have marks alone"
        assert [text.text for text in of_class(spot, "zh")] == [words.zh]
        assert words.side[0] in classes(spot)


@each_layout
def test_labels_and_slots_stay_in_their_spot(slug: str, layout: str) -> None:
    for count, own, root in felts(slug, layout):
        for position in of_class(root, "position"):
            turned = turned_by(position)
            for spot in of_class(position, "spot"):
                where = f"{count} positions, own {own}: {spot.get('data-box')} {spot.get('data-bet')}"
                ring, (origin, angle) = ring_of(spot), label_frame(spot)
                for box in text_boxes(spot):
                    for corner in box.corners:
                        x, y = turn(corner, angle)
                        assert ring.holds((origin[0] + x, origin[1] + y)), f"{where}: a label sticks out"
                for middle, _ in slots(spot):
                    assert ring.holds(turn(middle, -turned, CENTRE)), f"{where}: a slot is outside"


@each_layout
def test_a_chip_and_its_tag_have_room_in_their_spot(slug: str, layout: str) -> None:
    for _, _, root in felts(slug, layout):
        for position in of_class(root, "position"):
            for spot in of_class(position, "spot"):
                ring = ring_of(spot)
                amount = {"mini": 42, "middle": 34}.get(classes(spot)[1], 44)  # a pill or tag of its letters
                assert (ring.a1 - ring.a0) * ring.r0 >= amount, f"{classes(spot)}: too narrow"
                for middle, size in slots(spot):
                    radius, angle = polar(turn(middle, -turned_by(position), CENTRE))
                    half = size if size < 15 else 32  # from 15 on, a tag with initials has room
                    assert ring.a0 <= angle - half / radius < angle + half / radius <= ring.a1
                    tag = 0 if spot.get("data-tag") else 15 if size < 16 else 18
                    assert radius + size + tag <= ring.r1 + ROUNDING, f"{classes(spot)}: the tag sticks out"


@each_layout
def test_the_lines_of_a_label_do_not_overlap(slug: str, layout: str) -> None:
    for _, _, root in felts(slug, layout):
        for spot in of_class(root, "spot"):
            for one, two in combinations(text_boxes(spot), 2):
                apart = (
                    one.right <= two.left
                    or two.right <= one.left
                    or one.bottom <= two.top
                    or two.bottom <= one.top
                )
                assert apart, f"{spot.get('data-box')} {spot.get('data-bet')}"


@each_layout
def test_chips_do_not_cover_labels_where_both_have_a_lane(slug: str, layout: str) -> None:
    for _, _, root in felts(slug, layout):
        for position in of_class(root, "position"):
            for spot in of_class(position, "spot"):
                if not {"main", "wide"} & set(classes(spot)):
                    continue
                origin, angle = label_frame(spot)
                for middle, radius in slots(spot):
                    local = turn(middle, -turned_by(position), CENTRE)
                    x, y = turn((local[0] - origin[0], local[1] - origin[1]), -angle)
                    for box in text_boxes(spot):
                        away = hypot(max(box.left - x, 0, x - box.right), max(box.top - y, 0, y - box.bottom))
                        assert away >= radius - ROUNDING, f"{spot.get('data-box')} {spot.get('data-bet')}"


@each_layout
def test_spots_do_not_overlap_and_positions_follow_one_another(slug: str, layout: str) -> None:
    for _, _, root in felts(slug, layout):
        spans = []
        for position in of_class(root, "position"):
            rings = [ring_of(spot) for spot in of_class(position, "spot")]
            assert not [pair for pair in combinations(rings, 2) if pair[0].meets(pair[1])]
            middle = -radians(turned_by(position))
            spans.append((middle + min(ring.a0 for ring in rings), middle + max(ring.a1 for ring in rings)))
        assert all(left[1] < right[0] for left, right in pairwise(spans))
        assert degrees(spans[-1][1] - spans[0][0]) < 70.5
        assert abs(spans[0][0] + spans[-1][1]) < 0.002, "the arc is centred"


@each_layout
def test_a_drawing_is_small_and_needs_no_style_or_script(slug: str, layout: str) -> None:
    for count, own, root in felts(slug, layout):
        assert len(gzip.compress(felt_svg(BOOKS[slug], layout, count, own).encode(), 6)) < 12_000
        ids = [element.get("id", "") for element in root.iter() if "id" in element.attrib]
        assert len(ids) == len(set(ids))
        assert all(name.startswith(f"felt-{slug}-{layout}-{count}-") for name in ids)
        for element in root.iter():
            assert element.tag.removeprefix(SVG) not in {"script", "style", "image"}
            assert "style" not in element.attrib
            assert not [key for key in element.attrib if key.startswith("on")]
            assert float(element.get("font-size", "11")) >= 11
            if "href" in element.attrib:
                assert element.get("href", "").removeprefix("#") in ids


@each_layout
def test_only_your_own_spots_are_buttons_and_none_is_a_tab_stop(slug: str, layout: str) -> None:
    for _, own, root in felts(slug, layout):
        mine = [spot for part in of_class(root, "own") for spot in of_class(part, "spot")]
        buttons = [element for element in root.iter() if element.get("role") == "button"]
        assert buttons == mine
        assert bool(buttons) == (own is not None)
        assert {button.get("tabindex") for button in buttons} <= {"-1"}
        assert not [element for element in root.iter() if element.get("tabindex") == "0"]


@each_layout
def test_what_the_page_fills_is_there(slug: str, layout: str) -> None:
    for count, _, root in felts(slug, layout):
        assert classes(root[-1]) == ["chips"]
        plates = [element for element in root.iter() if "data-plate" in element.attrib]
        assert [plate.get("data-plate") for plate in plates] == [str(box + 1) for box in range(count)]
        assert not any(plate.text for plate in plates)
        assert all(int(plate.get("data-room", "0")) >= 4 for plate in plates)


@each_layout
def test_insurance_is_there_where_the_rulebook_has_it(slug: str, layout: str) -> None:
    insurance = BOOKS[slug].insurance
    for _, _, root in felts(slug, layout):
        halves = of_class(root, "insurance")
        if insurance is None:
            assert not halves
            continue
        assert [half.get("data-bet") for half in halves] == ["player-insurance", "banker-insurance"]
        left, right = (ring_of(half) for half in halves)
        assert left.a1 < 0 < right.a0, "Player left, Banker right"
        inner = min(ring_of(spot).r0 for spot in of_class(root, "spot"))
        for half, ring in zip(halves, (left, right), strict=True):
            assert ring.r1 < inner
            assert insurance.name.upper() in "".join(half.itertext())
            assert all(ring.holds(middle) for middle, _ in slots(half))
            told = "".join(half.itertext())
            line = numbers(half.findall(f"{SVG}path")[1].get("d", ""))
            length = hypot(line[0] - line[-2], line[1] - line[-1])
            assert text_width(told, 12.5, 0.14) + 14 < length, "the title fits before the slots"


def test_your_position_is_3_3_times_as_wide_as_each_of_five_others() -> None:
    angles = []
    for position in of_class(felt(PLUS, "A", 6, 3), "position"):
        rings = [ring_of(spot) for spot in of_class(position, "spot")]
        angles.append(max(ring.a1 for ring in rings) - min(ring.a0 for ring in rings))
    mine = angles.pop(2)
    assert max(angles) - min(angles) < 0.001
    assert mine / angles[0] == pytest.approx(3.3, rel=0.03)


def test_positions_are_alike_for_somebody_who_watches() -> None:
    positions = of_class(felt(PLUS, "K", 16, None), "position")
    drawn = {position.findall(f"{SVG}g")[0].findall(f"{SVG}path")[0].get("d") for position in positions}
    assert len(drawn) == 1


@each_layout
def test_player_and_banker_of_a_position_look_alike(slug: str, layout: str) -> None:
    for _, _, root in felts(slug, layout):
        for position in of_class(root, "position"):
            player, banker, *_ = of_class(position, "spot")
            assert classes(player)[:-1] == classes(banker)[:-1]
            assert len(slots(player)) == len(slots(banker))


def test_players_bets_are_left_of_bankers() -> None:
    position = of_class(felt(PLUS, "A", 6, 3), "position")[2]
    angle = {spot.get("data-bet"): ring_of(spot).a0 for spot in of_class(position, "spot")}
    assert angle["player-pair"] < angle["tie"] < angle["banker-pair"]
    assert angle["player-char-siu"] < angle["big-buffalo"] < angle["small-tiger"] < angle["banker-char-siu"]


def test_narrow_positions_gather_their_side_bets() -> None:
    crowded = of_class(felt(PLUS, "K", 16, 1), "position")[1]
    roomy = of_class(felt(PLUS, "A", 6, 1), "position")[1]
    bets = [spot.get("data-bet") for spot in of_class(crowded, "spot")]
    assert bets[:3] == ["player", "banker", "tie"]
    assert len(bets) == 4
    assert len(of_class(roomy, "spot")) == 11


def test_a_stack_turns_with_its_cell() -> None:
    for spot in of_class(felt(PLUS, "A", 6, 3), "spot"):
        ((x, y), _), *_ = slots(spot)
        assert float(spot.get("data-turn", "")) == pytest.approx(-degrees(polar((x, y))[1]), abs=12)


@each_layout
def test_the_phone_has_the_same_bets_in_the_order_of_the_felt(slug: str, layout: str) -> None:
    listed = [spot.bet for spot in spots(BOOKS[slug], layout)]
    assert sorted(listed) == sorted(BOOKS[slug].layouts[layout].bets)
    assert listed[:2] == ["player", "banker"]
    drawn = of_class(felt(slug, layout, BOOKS[slug].layouts[layout].positions[1], 1), "position")[0]
    assert [spot.get("data-bet") for spot in of_class(drawn, "spot")] == listed


@pytest.mark.parametrize(
    ("slug", "layout", "positions", "own", "told"),
    [
        (PLUS, "Z", 6, None, "no layout 'Z'"),
        (PLUS, "A", 7, None, "1 to 6 positions: got 7"),
        (PLUS, "K", 9, None, "10 to 16 positions: got 9"),
        (PLUS, "A", 6, 7, "no position 7"),
        (PLUS, "A", 6, 0, "no position 0"),
    ],
)
def test_a_felt_that_cannot_be_is_refused(
    slug: str, layout: str, positions: int, own: int | None, told: str
) -> None:
    with pytest.raises(BadInput, match=told):
        felt_svg(BOOKS[slug], layout, positions, own)


@pytest.mark.parametrize(
    ("language", "tie"), [("en", "Tie, pays 8 to 1"), ("zh", "賠8比1"), ("zh-Hans", "赔8比1")]
)
def test_a_felt_is_read_aloud_in_the_language_of_its_page(language: str, tie: str) -> None:
    drawn = felt_svg(BOOKS[PLAIN], "A", 6, 3, language)
    spoken = re.findall(r"<title>(.*?)</title>", drawn)
    assert any(tie in said for said in spoken)
    assert any(re.search("[a-z]", said) for said in spoken) == (language == "en")
