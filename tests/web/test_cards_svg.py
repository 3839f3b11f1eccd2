"""Cards and chips: all of them, told apart without colour, small on the wire, whole by themselves."""

import gzip
import re
from xml.etree import ElementTree as ET

import pytest

from thirdcard.cards import Card, Suit, parse_card
from thirdcard.web.draw.card_faces import card_svg, sprite
from thirdcard.web.draw.chip_faces import DENOMINATIONS, chip_name
from thirdcard.words import card_name

SVG = "{http://www.w3.org/2000/svg}"


def parse(picture: str) -> ET.Element:
    return ET.fromstring(picture)  # noqa: S314 - our own picture


def symbols() -> dict[str, ET.Element]:
    return {symbol.get("id", ""): symbol for symbol in parse(sprite()).iter(f"{SVG}symbol")}


def marks(element: ET.Element) -> set[str]:
    return {path.get("d", "") for path in element.iter(f"{SVG}path")}


def printed(element: ET.Element) -> str:
    return "".join("".join(text.itertext()) for text in element.iter(f"{SVG}text"))


def test_the_sprite_has_every_card_the_back_and_every_chip_once() -> None:
    ids = [symbol.get("id") for symbol in parse(sprite()).iter(f"{SVG}symbol")]
    expected = (
        [f"card-{card}" for card in Card] + ["card-back"] + [f"chip-{value}" for value in DENOMINATIONS]
    )
    assert ids == expected


@pytest.mark.parametrize("card", Card, ids=str)
def test_a_card_shows_its_rank_and_is_named(card: Card) -> None:
    root = parse(card_svg(card))
    assert printed(root) == str(card)[0].replace("T", "10")
    assert root.get("aria-label") == card_name(card)
    assert card.suit.name.lower() in card_name(card)


def test_suits_differ_in_shape_not_only_in_colour() -> None:
    of_suit = {suit: marks(parse(card_svg(parse_card(f"9{suit.value}")))) for suit in Suit}
    for suit, shapes in of_suit.items():
        assert len(shapes) == 1, "a number card has its suit's mark and no other"
        others = set().union(*(of_suit[other] for other in Suit if other is not suit))
        assert not shapes & others


@pytest.mark.parametrize("rank", "KQJ")
def test_a_court_card_wears_something_of_its_own_over_its_suit(rank: str) -> None:
    plain = marks(parse(card_svg(parse_card("9S"))))
    worn = marks(parse(card_svg(parse_card(f"{rank}S"))))
    assert plain < worn
    for other in set("KQJ") - {rank}:
        assert worn != marks(parse(card_svg(parse_card(f"{other}S"))))


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
    (lattice,) = (d for d in marks(symbols()["card-back"]) if d.count("M") > 5)
    points = [tuple(map(float, pair.split())) for pair in re.findall(r"[ML]([\d.-]+ [\d.-]+)", lattice)]
    assert all(10 <= x <= 90 and 10 <= y <= 130 for x, y in points)


def test_a_chip_says_what_it_is_worth() -> None:
    found = symbols()
    told = [printed(found[f"chip-{value}"]) for value in DENOMINATIONS]
    assert " ".join(told) == "5 10 25 50 100 500 1K 5K 10K 25K 100K"
    assert told == [chip_name(value) for value in DENOMINATIONS]


def test_no_two_chips_look_alike() -> None:
    fills = [symbol[0].get("fill") for key, symbol in symbols().items() if key.startswith("chip-")]
    assert len(set(fills)) == len(DENOMINATIONS)


def test_pictures_are_small_and_need_no_style_script_or_reference() -> None:
    assert len(gzip.compress(sprite().encode(), 6)) < 12_000
    for picture in (sprite(), card_svg(None), card_svg(parse_card("QH"))):
        for element in parse(picture).iter():
            assert element.tag.removeprefix(SVG) not in {"script", "style", "image", "use"}
            assert not {"style", "href", "onload"} & set(element.attrib)
