"""Cards and chips: all of them, told apart without colour, small on the wire, whole by themselves; what an edge tells."""

import gzip
import re
from importlib.resources import files
from xml.etree import ElementTree as ET

import pytest

from each import each
from thirdcard.cards import Card, Suit, parse_card
from thirdcard.money import CHIP_VALUES
from thirdcard.web.assets import facts
from thirdcard.web.draw.card_faces import MARKS, card_svg, sprite, squeeze_sprite
from thirdcard.web.draw.chip_faces import DENOMINATIONS, chip_name
from thirdcard.words import card_name

SVG = "{http://www.w3.org/2000/svg}"


def parse(picture: str) -> ET.Element:
    return ET.fromstring(picture)  # noqa: S314 - our own picture


def symbols(picture: str = "") -> dict[str, ET.Element]:
    found = parse(picture or sprite()).iterfind(f"{SVG}symbol")
    return {symbol.get("id", ""): symbol for symbol in found}


def uses(element: ET.Element) -> list[tuple[str, float, float]]:
    """What a face refers to, and the middle of where it stands."""
    found = element.iter(f"{SVG}use")
    return [(use.get("href", ""), _middle(use, "x", "width"), _middle(use, "y", "height")) for use in found]


def _middle(use: ET.Element, at: str, size: str) -> float:
    return float(use.get(at, 0)) + float(use.get(size, 0)) / 2


def printed(element: ET.Element) -> str:
    return "".join("".join(text.itertext()) for text in element.iter(f"{SVG}text"))


def test_the_sprite_has_every_card_in_two_cuts_the_back_and_every_chip_once() -> None:
    ids = [symbol.get("id") for symbol in parse(sprite()).iterfind(f"{SVG}symbol")]
    cards = [f"{cut}-{card}" for cut in ("card", "small") for card in Card]
    assert ids == [*cards, "card-back", *(f"chip-{value}" for value in DENOMINATIONS)]
    assert list(symbols(squeeze_sprite())) == [f"squeeze-{card}" for card in Card]


@each("card", Card, ids=str)
def test_a_card_shows_its_rank_and_is_named(card: Card) -> None:
    rank = str(card)[0].replace("T", "10")
    root = parse(card_svg(card))
    assert printed(root) == 2 * rank, "in both corners"
    assert root.get("aria-label") == card_name(card)
    assert card.suit.name.lower() in card_name(card)
    assert printed(symbols()[f"small-{card}"]) == rank


def test_suits_differ_in_shape_not_only_in_colour() -> None:
    assert len(set(MARKS.values())) == len(Suit)
    for card in Card:
        marks = {href for href, _, _ in uses(symbols()[f"card-{card}"]) if href.startswith("#suit-")}
        assert marks == {f"#suit-{card.suit.value}"}


@pytest.mark.parametrize("suit", Suit)
def test_a_court_card_has_a_figure_of_its_own_twice_in_the_coat_of_its_suit(suit: Suit) -> None:
    coats = {other: _coat(parse_card(f"K{other.value}")) for other in Suit}
    assert len(set(coats.values())) == len(Suit)
    for rank in "KQJ":
        card = parse_card(f"{rank}{suit.value}")
        assert [href for href, _, _ in uses(symbols()[f"card-{card}"])].count(f"#half-{rank}") == 2
        assert _coat(card) == coats[suit]


def _coat(card: Card) -> str | None:
    return next(group.get("color") for group in parse(card_svg(card)).iter(f"{SVG}g") if group.get("color"))


@each("card", Card, ids=str)
def test_the_squeeze_cut_has_as_many_pips_as_its_number_and_no_index(card: Card) -> None:
    face = symbols(squeeze_sprite())[f"squeeze-{card}"]
    assert printed(face) == ""
    pips = [href for href, _, _ in uses(face) if href.startswith("#suit-")]
    assert len(pips) == {"A": 1, "T": 10, "J": 2, "Q": 2, "K": 2}.get(str(card)[0], 0) or int(str(card)[0])


@each("card", [card for card in Card if str(card)[0] not in "JQK"], ids=str)
def test_a_long_edge_of_a_squeezed_card_tells_how_many_sides_it_has(card: Card) -> None:
    """Nothing of A 2 3, two of 4 5, three of 6 7 8, four of 9 10; the same from the left and the right."""
    sides = dict(zip("A23456789T", (0, 0, 0, 2, 2, 3, 3, 3, 4, 4), strict=True))[str(card)[0]]
    places = [(x, y) for _, x, y in uses(symbols(squeeze_sprite())[f"squeeze-{card}"])]
    assert sum(x < 34 for x, _ in places) == sum(x > 66 for x, _ in places) == sides


def test_names_are_read_as_people_say_them() -> None:
    told = {text: card_name(parse_card(text)) for text in ("9C", "TH", "AS", "KD")}
    assert told == {
        "9C": "nine of clubs",
        "TH": "ten of hearts",
        "AS": "ace of spades",
        "KD": "king of diamonds",
    }


def test_a_back_tells_nothing() -> None:
    back = parse(card_svg(None))
    assert printed(back) == ""
    assert back.get("aria-label") == "face down"


def test_the_lattice_of_a_back_stays_in_its_frame() -> None:
    drawn = (path.get("d", "") for path in symbols()["card-back"].iter(f"{SVG}path"))
    (lattice,) = (d for d in drawn if d.count("M") > 5)
    points = [tuple(map(float, pair.split())) for pair in re.findall(r"[ML]([\d.-]+ [\d.-]+)", lattice)]
    assert all(8 <= x <= 92 and 8 <= y <= 132 for x, y in points)


def test_pages_are_told_the_chips_and_cards_that_the_house_has() -> None:
    """What is drawn, what pages stack and what a payout is told in are the same chips, in cents."""
    told = facts()
    assert DENOMINATIONS == CHIP_VALUES
    assert told["chips"] == [value * 100 for value in CHIP_VALUES]
    assert [f"{rank}{suit}" for suit in told["suits"] for rank in told["ranks"]] == [
        one.value for one in Card
    ]


def test_the_shuffle_of_pages_deals_from_the_same_deck() -> None:
    source = (files("thirdcard.web") / "static" / "js" / "shuffle.js").read_text(encoding="utf-8")
    assert re.findall(r'const (?:SUITS|RANKS) = "(\w+)"', source) == [
        "".join(facts()["suits"]),
        facts()["ranks"],
    ]


def test_a_chip_says_what_it_is_worth() -> None:
    found = symbols()
    told = [printed(found[f"chip-{value}"]) for value in DENOMINATIONS]
    assert " ".join(told) == "5 10 25 50 100 500 1K 5K 10K 25K 100K"
    assert told == [chip_name(value) for value in DENOMINATIONS]


def test_no_two_chips_look_alike() -> None:
    fills = [symbol[0].get("fill") for key, symbol in symbols().items() if key.startswith("chip-")]
    assert len(set(fills)) == len(DENOMINATIONS)


def test_pictures_are_small_and_need_no_style_script_or_reference_outside() -> None:
    assert len(gzip.compress(sprite().encode(), 6)) < 6_000
    assert len(gzip.compress(squeeze_sprite().encode(), 6)) < 2_000
    for picture in (sprite(), card_svg(None), card_svg(parse_card("QH"))):
        root = parse(picture)
        ids = {f"#{element.get('id')}" for element in root.iter() if element.get("id")}
        for element in root.iter():
            assert element.tag.removeprefix(SVG) not in {"script", "style", "image"}
            assert not {"style", "onload"} & set(element.attrib)
            assert element.get("href", next(iter(ids), "")) in ids | {""}
