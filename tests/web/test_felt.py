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

from each import each
from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.load import named, packaged
from thirdcard.web.draw import FeltStage, felt_svg, spots
from thirdcard.web.draw.plan import around, sides
from thirdcard.web.draw.shapes import ELLIPSIS, cut, text_width
from thirdcard.words import bet_words
from web.books import made

pytestmark = pytest.mark.slow

SVG = "{http://www.w3.org/2000/svg}"
PLUS, PLAIN = "rws-tiger-buffalo-commission-v2", "rws-tiger-buffalo-non-commission-v4"
SIZES = ((2, 3), (3, 60), (8, 12), (12, 60), (24, 60), (40, 3), (40, 60))  # bets, letters of their names
ROUNDING = 0.6  # units: numbers in a drawing have one decimal
USUAL = FeltStage()
STAGES = (  # 1366 x 768, the least that is a felt, 1280 x 720 beside a drawer, a tall one
    USUAL,
    FeltStage(width=1268, scale=70),
    FeltStage(width=912, scale=90, beside=True),
    FeltStage(width=1180, height=800, scale=85),
)
CENTRE = (USUAL.circle.x, USUAL.circle.y)

MADE = {f"{bets}-bets-of-{letters}": (bets, letters) for bets, letters in SIZES}

Point = tuple[float, float]


@cache
def book_of(slug: str) -> Rulebook:
    return made(*MADE[slug]) if slug in MADE else named(slug)


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
        spacing = {"main": 0.1}.get(classes(spot)[1], 0.01) if style == "en" else SPACING[style]
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
def felt(
    slug: str, layout: str, positions: int, own: int | None, taken: frozenset[int] | None = None
) -> ET.Element:
    return ET.fromstring(felt_svg(book_of(slug), layout, positions, own, taken=taken))  # noqa: S314 - our own


def felts(slug: str, layout: str) -> list[tuple[int, int | None, ET.Element]]:
    """With the fewest, the most and a middle number of positions; watched, and from the first and the last."""
    low, high = book_of(slug).layouts[layout].positions
    return [
        (count, own, felt(slug, layout, count, own))
        for count in sorted({low, (low + high) // 2, high})
        for own in dict.fromkeys((None, 1, count))
    ]


def layouts() -> list[tuple[str, str]]:
    """Those of the documents."""
    return [(slug, layout) for slug in packaged() for layout in named(slug).layouts]


def all_layouts() -> list[tuple[str, str]]:
    return [*layouts(), *((slug, "Long") for slug in MADE)]


each_layout = each(("slug", "layout"), all_layouts)
each_printed_layout = each(("slug", "layout"), layouts)


def test_there_are_63_layouts() -> None:
    assert len(layouts()) == 63


@each_layout
def test_the_spots_are_the_bets_of_the_layout_at_every_position(slug: str, layout: str) -> None:
    offered = sorted(book_of(slug).layouts[layout].bets)
    for count, own, root in felts(slug, layout):
        positions = of_class(root, "position")
        assert sorted(int(position.get("data-box", "")) for position in positions) == list(
            range(1, count + 1)
        )
        for position in positions:
            inside = of_class(position, "spot")
            assert {spot.get("data-box") for spot in inside} == {position.get("data-box")}
            assert sorted(" ".join(spot.get("data-bet", "") for spot in inside).split()) == offered
            mine = position.get("data-box") == str(own)
            assert ("own" in classes(position)) == mine
            if {"own", "middle"} & set(classes(position)):
                assert len(inside) == len(offered), "every bet has a spot of its own in the middle"
            else:
                assert len(inside) <= 4, "Player, Banker, Tie and the rest"


@each_printed_layout
def test_your_spots_print_and_say_what_the_rulebook_pays(slug: str, layout: str) -> None:
    book = book_of(slug)
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
    by_name = {spot.bet: spot for spot in spots(book_of(PLAIN), "A")}
    assert by_name["banker"].pays == "1 to 2 on 6 · 1 to 1"
    assert by_name["banker"].label == "Banker, pays 1 to 2 on 6, otherwise 1 to 1"
    assert by_name["player-char-siu"].pays == "10·15·50"
    assert by_name["player-char-siu"].label == "Player Char Siu, pays 10, 15 or 50 to 1"


@each("stage", [USUAL, FeltStage(width=1380, scale=90)], ids=["1366", "1280"])
@each_printed_layout
def test_no_name_of_the_documents_is_cut(slug: str, layout: str, stage: FeltStage) -> None:
    """However many boxes there are."""
    boxes = book_of(slug).layouts[layout].positions[1]
    assert ELLIPSIS not in felt_svg(book_of(slug), layout, boxes, 1, stage=stage)


@each("scale", [75, 85], ids=["900", "1024"])
@each_printed_layout
def test_nor_on_a_small_tablet(slug: str, layout: str, scale: int) -> None:
    """With up to ten boxes; where more lie side by side there is no room for names."""
    low, high = book_of(slug).layouts[layout].positions
    boxes, stage = min(high, max(low, 10)), FeltStage(width=1180, height=704, scale=scale)
    assert ELLIPSIS not in felt_svg(book_of(slug), layout, boxes, 1, stage=stage)


def test_a_number_that_ends_a_name_stays_when_it_is_cut() -> None:
    assert cut("ÉGALITÉ 7", 12, 50).endswith(f"{ELLIPSIS}7")


@each_layout
def test_your_labels_are_in_both_languages(slug: str, layout: str) -> None:
    root = felt(slug, layout, book_of(slug).layouts[layout].positions[1], 1)
    for spot in of_class(of_class(root, "own")[0], "spot"):
        words = bet_words(spot.get("data-bet", ""), book_of(slug))
        for english in [text.text or "" for text in of_class(spot, "en")]:
            whole = {words.en.upper(), words.short.upper()}
            assert english in whole or any(one.startswith(english.removesuffix(ELLIPSIS)) for one in whole)
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
                if spot.get("data-tag"):
                    continue  # a pill at an end, figures alone, or no figures at all
                ring = ring_of(spot)
                for middle, size in slots(spot):
                    radius, angle = polar(turn(middle, -turned_by(position), CENTRE))
                    half = 26 if {"main", "wide"} & set(classes(spot)) else size
                    assert ring.a0 <= angle - half / radius < angle + half / radius <= ring.a1
                    assert radius + size + 16 <= ring.r1 + 3, f"{classes(spot)}: the tag sticks out"


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
        edge = USUAL.circle.radius * sin(max(-spans[0][0], spans[-1][1]))
        assert edge <= USUAL.width / 2 - 12, "nobody's box leaves the screen"


@each_layout
def test_a_drawing_is_small_and_needs_no_style_or_script(slug: str, layout: str) -> None:
    for count, own, root in felts(slug, layout):
        assert len(gzip.compress(felt_svg(book_of(slug), layout, count, own).encode(), 6)) < 13_000
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
        assert sorted(int(plate.get("data-plate", "")) for plate in plates) == list(range(1, count + 1))
        assert not any(plate.text for plate in plates)
        assert max(int(plate.get("data-room", "0")) for plate in plates) >= 15


@each_layout
def test_insurance_is_there_where_the_rulebook_has_it(slug: str, layout: str) -> None:
    insurance = book_of(slug).insurance
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
            assert insurance.name.split()[0].upper() in "".join(half.itertext())
            assert all(ring.holds(middle) for middle, _ in slots(half))
            told = "".join(half.itertext())
            line = numbers(half.findall(f"{SVG}path")[1].get("d", ""))
            length = hypot(line[0] - line[-2], line[1] - line[-1])
            assert text_width(told, 12, 0.14) < length, "the title fits its line"


@pytest.mark.parametrize(
    ("boxes", "own", "left", "right"),
    [
        (6, 3, [2, 1], [4, 5, 6]),
        (6, 4, [3, 2, 1], [5, 6]),
        (6, 1, [6, 5], [2, 3, 4]),
        (6, 6, [5, 4, 3], [1, 2]),
        (16, 11, [10, 9, 8, 7, 6, 5, 4, 3], [12, 13, 14, 15, 16, 1, 2]),
        (2, 1, [], [2]),
        (1, 1, [], []),
    ],
)
def test_the_others_lie_in_the_tables_order(boxes: int, own: int, left: list[int], right: list[int]) -> None:
    assert sides(boxes, own) == (left, right)


@pytest.mark.parametrize("boxes", range(1, 17))
def test_own_box_is_in_the_middle_and_a_seam_tells_where_the_table_ends(boxes: int) -> None:
    for stage in STAGES:
        for own in range(1, boxes + 1):
            lying = around(boxes, own, frozenset({own}), stage)
            mine = next(lie for lie in lying.lies if lie.box == own)
            assert mine.a0 == -mine.a1
            assert 539 < (mine.a1 - mine.a0) * stage.circle.radius < 641
            order = [lie.box for lie in lying.lies]
            turns = [pair for pair in pairwise(order) if pair[1] != pair[0] % boxes + 1]
            assert not turns, "neighbours at the table are neighbours here"
            assert (lying.seam is not None) == ((boxes, 1) in pairwise(order) and boxes > 1)


def test_others_are_alike_and_free_ones_narrower_outlines() -> None:
    root = felt(PLUS, "A", 6, 3, frozenset({1, 2, 3, 5, 6}))
    free = of_class(root, "free")
    assert [one.get("data-box") for one in free] == ["4"]
    assert not of_class(free[0], "spot")
    lying = around(6, 3, frozenset({1, 2, 3, 5, 6}), USUAL)
    width = {lie.box: lie.a1 - lie.a0 for lie in lying.lies}
    assert width[1] == pytest.approx(width[6])
    assert width[4] == pytest.approx(0.66 * width[5])


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize(("layout", "positions"), [("A", 1), ("A", 6), ("K", 10), ("K", 16)])
def test_type_is_readable_on_every_stage(stage: FeltStage, layout: str, positions: int) -> None:
    """Nothing under 11 pixels, payouts and amounts from 12 on, whatever a unit comes to."""
    drawn = felt_svg(book_of(PLUS), layout, positions, 1, stage=stage)
    root = ET.fromstring(drawn)  # noqa: S314 - our own picture
    assert root.get("viewBox") == f"0 0 {stage.width} {stage.height}"
    for element in root.iter():
        if "font-size" in element.attrib:
            least = 12 if "pays" in classes(element) else 11
            assert float(element.get("font-size", "")) * stage.scale / 100 >= least - 0.01, classes(element)


@pytest.mark.parametrize(
    "stage",
    [
        FeltStage(width=1366),
        FeltStage(width=1176),
        FeltStage(width=1400, height=600),
        FeltStage(width=900),
        FeltStage(width=8_000),
        FeltStage(scale=97),
        FeltStage(scale=500),
    ],
)
def test_a_stage_that_no_page_has_is_refused(stage: FeltStage) -> None:
    with pytest.raises(BadInput, match="a felt is"):
        felt_svg(book_of(PLUS), "A", 6, 3, stage=stage)


@each_layout
def test_player_and_banker_of_a_position_look_alike(slug: str, layout: str) -> None:
    for _, _, root in felts(slug, layout):
        for position in of_class(root, "position"):
            player, banker, *_ = of_class(position, "spot")
            assert classes(player)[:-1] == classes(banker)[:-1]
            assert len(slots(player)) == len(slots(banker))


def test_players_bets_are_left_of_bankers() -> None:
    (position,) = of_class(felt(PLUS, "A", 6, 3), "own")
    angle = {spot.get("data-bet"): ring_of(spot).a0 for spot in of_class(position, "spot")}
    assert angle["player-pair"] < angle["tie"] < angle["banker-pair"]
    assert angle["player-char-siu"] < angle["big-buffalo"] < angle["small-tiger"] < angle["banker-char-siu"]


def test_a_stack_turns_with_its_cell() -> None:
    for spot in of_class(felt(PLUS, "A", 6, 3), "spot"):
        ((x, y), _), *_ = slots(spot)
        assert float(spot.get("data-turn", "")) == pytest.approx(-degrees(polar((x, y))[1]), abs=12)


@each_layout
def test_the_phone_has_the_same_bets_in_the_order_of_the_felt(slug: str, layout: str) -> None:
    listed = [spot.bet for spot in spots(book_of(slug), layout)]
    assert sorted(listed) == sorted(book_of(slug).layouts[layout].bets)
    assert listed[:2] == ["player", "banker"]
    (drawn,) = of_class(felt(slug, layout, book_of(slug).layouts[layout].positions[1], 1), "own")
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
        felt_svg(book_of(slug), layout, positions, own)


@pytest.mark.parametrize(
    ("language", "tie"), [("en", "Tie, pays 8 to 1"), ("zh", "賠8比1"), ("zh-Hans", "赔8比1")]
)
def test_a_felt_is_read_aloud_in_the_language_of_its_page(language: str, tie: str) -> None:
    drawn = felt_svg(book_of(PLAIN), "A", 6, 3, language)
    spoken = re.findall(r"<title>(.*?)</title>", drawn)
    assert any(tie in said for said in spoken)
    assert any(re.search("[a-z]", said) for said in spoken) == (language == "en")
