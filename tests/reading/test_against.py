"""A book held to its document: whatever is planted in one of the two is found, with its key and line."""

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from typing import NamedTuple

import pytest

from each import each
from reading.composing import STYLES, compose
from thirdcard.reading import Reading, held, read_text
from thirdcard.reading.against import cited_of
from thirdcard.reading.sections import raw_of
from thirdcard.rulebook import load
from thirdcard.rulebook.forms import Raw, convert
from thirdcard.rulebook.load import packaged

PLANTS = 500
ODDS = ("7 to 1", "25 to 1", "3 to 2", "14 to 1", "33 to 1", "60 to 1", "9 to 2")


class Plant(NamedTuple):
    """A book's values with one wrong, and the keys that a finding may be under."""

    raw: Raw
    keys: tuple[str, ...]
    what: str


@cache
def reading(slug: str) -> Reading:
    return read_text(compose(load(slug)))


def pick(chance: random.Random, found: list[tuple[str, Raw]]) -> tuple[str, Raw]:
    return chance.choice(found)


# --- what can be wrong ------------------------------------------------------------------------------------


def other_odds(raw: Raw, chance: random.Random) -> Plant:
    """A pay of 22 for 25."""
    slug = chance.choice(list(raw["bets"]))
    tier = chance.choice(raw["bets"][slug]["pays"])
    tier["odds"] = chance.choice([one for one in ODDS if one != tier["odds"]])
    return Plant(raw, (f"bets.{slug}.",), f"{tier['tier']} at {tier['odds']}")


def other_total(raw: Raw, chance: random.Random) -> Plant:
    slug, tier = chance.choice(
        [
            (slug, one)
            for slug, bet in raw["bets"].items()
            for one in bet["pays"]
            if len(one["when"].get("total", ())) == 1
        ]
    )
    before = tier["when"]["total"][0]
    tier["when"]["total"] = [chance.choice([total for total in range(1, 10) if total != before])]
    return Plant(raw, (f"bets.{slug}.",), f"{tier['tier']} of {slug} on {tier['when']['total']}")


def other_cards(raw: Raw, chance: random.Random) -> Plant:
    slug, tier = chance.choice(
        [(slug, one) for slug, bet in raw["bets"].items() for one in bet["pays"] if "cards" in one["when"]]
    )
    tier["when"]["cards"] = 5 - tier["when"]["cards"]
    return Plant(raw, (f"bets.{slug}.",), f"{tier['tier']} of {slug} in {tier['when']['cards']} cards")


def layout_dropped(raw: Raw, chance: random.Random) -> Plant:
    named = [slug for slug, bet in raw["bets"].items() if len(bet.get("layouts", {}).get("value", ())) > 1]
    if not named:
        letter = chance.choice(list(raw["layouts"]))
        del raw["layouts"][letter]
        return Plant(raw, (f"layouts.{letter}",), f"no layout {letter}")
    slug = chance.choice(named)
    letter = chance.choice(raw["bets"][slug]["layouts"]["value"])
    paragraph = raw["bets"][slug]["layouts"]["rules"]
    for bet in raw["bets"].values():  # those that one paragraph names layouts for
        if bet.get("layouts", {}).get("rules") == paragraph:
            bet["layouts"]["value"].remove(letter)
    return Plant(raw, (f"bets.{slug}.layouts", f"layouts.{letter}"), f"{slug} not on {letter}")


def other_positions(raw: Raw, chance: random.Random) -> Plant:
    letter = chance.choice(list(raw["layouts"]))
    raw["layouts"][letter]["positions"][1] += 1
    return Plant(raw, (f"layouts.{letter}.positions",), f"{letter} has one more")


def other_decks(raw: Raw, chance: random.Random) -> Plant:
    end = chance.choice(("min", "max"))
    raw["decks"][end] += 1
    return Plant(raw, ("decks",), f"{end} is one more")


def third_card(raw: Raw, chance: random.Random) -> Plant:
    total = chance.choice(("3", "4", "5", "6"))
    cards = raw["table_of_play"]["banker_draws"][total]
    card = chance.randrange(10)
    cards.remove(card) if card in cards else cards.append(card)
    cards.sort()
    return Plant(raw, ("table_of_play",), f"Banker's {total} against {card}")


def row_shifted(raw: Raw, chance: random.Random) -> Plant:
    offer = chance.choice(raw["insurance"]["offers"])
    name = f"insurance.offers.{offer['hand']} {offer['window']}"
    points = [int(one) for one in offer["player"].split("-")]
    step = -1 if points[0] else 1
    offer["player"] = "-".join(str(one + step) for one in points)
    return Plant(raw, (name,), f"a row at Player {offer['player']}")


def other_insurance(raw: Raw, chance: random.Random) -> Plant:
    offer = chance.choice(raw["insurance"]["offers"])
    offer["odds"] = chance.choice([one for one in ODDS if one != offer["odds"]])
    return Plant(raw, (f"insurance.offers.{offer['hand']} {offer['window']}",), f"a row at {offer['odds']}")


def row_lost(raw: Raw, chance: random.Random) -> Plant:
    offer = raw["insurance"]["offers"].pop(chance.randrange(len(raw["insurance"]["offers"])))
    return Plant(
        raw, (f"insurance.offers.{offer['hand']} {offer['window']}",), f"no row at Player {offer['player']}"
    )


def other_rate(raw: Raw, chance: random.Random) -> Plant:
    raw["commission"]["rate"] = chance.choice(("1/10", "1/25", "1/50"))
    return Plant(raw, ("commission",), raw["commission"]["rate"])


ANYWHERE: tuple[Callable[[Raw, random.Random], Plant], ...] = (
    other_odds, other_odds, layout_dropped, layout_dropped, other_positions, other_decks, third_card,
)  # fmt: skip
OF_SIX = (other_total, other_cards)
INSURED = (row_shifted, other_insurance, row_lost)


def citation_moved(raw: Raw, chance: random.Random) -> Plant:
    """Any paragraph that a value cites, for any other of the document."""
    key, at = chance.choice([(one.key, number) for one in cited_of(raw) for number in range(len(one.rules))])
    rules = _rules_at(raw, key)
    rules[at] = chance.choice([one for one in raw["paragraphs"] if one not in rules])
    return Plant(raw, (key,), f"{key} cites {rules[at]}")


def _rules_at(raw: Raw, key: str) -> list[str]:
    """The list of paragraphs of the value with that key."""
    found: list[list[str]] = [rules for name, rules in _lists(raw) if name == key]
    (rules,) = found
    return rules


def _lists(value: object, key: str = "") -> Iterator[tuple[str, list[str]]]:
    from thirdcard.rulebook.extending import entry_name  # noqa: PLC0415

    if isinstance(value, dict):
        if "rules" in value:
            yield key, value["rules"]
        for name, inner in value.items():
            if name != "rules":
                yield from _lists(inner, f"{key}.{name}".lstrip("."))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            if isinstance(inner, dict):
                yield from _lists(inner, f"{key}.{entry_name(inner) or number}")


def paragraph_lost(raw: Raw, chance: random.Random) -> Plant:
    raw["paragraphs"].remove(chance.choice(raw["paragraphs"]))
    return Plant(raw, ("paragraphs",), "one paragraph is not listed")


def plants(count: int, *, of_book: bool, seed: int = 35) -> Iterator[tuple[str, Plant]]:
    chance = random.Random(seed)  # noqa: S311 - for errors, not for secrets
    slugs = packaged()
    for number in range(count):
        slug = slugs[number % len(slugs)]
        raw = deepcopy(raw_of(load(slug)))
        kinds = [
            *ANYWHERE,
            *(INSURED if "insurance" in raw else ()),
            *((other_rate,) if "commission" in raw else ()),
        ]
        kinds += OF_SIX if "big-tiger" in raw["bets"] else ()
        kinds += [citation_moved, citation_moved, citation_moved, paragraph_lost] if of_book else []
        yield slug, chance.choice(kinds)(raw, chance)


def found(slug: str, plant: Plant, *, of_book: bool) -> str:
    """Why a plant was not found; nothing if it was."""
    if of_book:
        try:
            book = convert(plant.raw)
        except ValueError as error:
            return f"{slug}: {plant.what}: {error}"
        result = held(reading(slug), book)
    else:
        result = held(read_text(compose(load(slug), raw=plant.raw)), load(slug))
    under = [one for one in result.findings if one.key.startswith(plant.keys)]
    if not under:
        return (
            f"{slug}: {plant.what}: not found under {plant.keys}: {[str(one) for one in result.findings][:3]}"
        )
    if not any(one.line for one in under):
        return f"{slug}: {plant.what}: found without a line: {under[0]}"
    return ""


@pytest.mark.slow
def test_five_hundred_errors_are_all_found_with_line_and_key() -> None:
    """Three in five are in the book, the others in the document."""
    missed = [found(slug, plant, of_book=True) for slug, plant in plants(PLANTS * 3 // 5, of_book=True)]
    missed += [found(slug, plant, of_book=False) for slug, plant in plants(PLANTS * 2 // 5, of_book=False)]
    assert [one for one in missed if one] == []
    assert len(missed) == PLANTS


@each("of_book", [True, False])
def test_a_few_of_them(of_book: bool) -> None:  # noqa: FBT001
    missed = [found(slug, plant, of_book=of_book) for slug, plant in plants(20, of_book=of_book, seed=1)]
    assert [one for one in missed if one] == []


def test_what_was_planted_is_found_at_its_line() -> None:
    book = load("rws-tiger-buffalo-commission-v2")
    raw = raw_of(book)
    raw["bets"]["small-tiger"]["pays"][0]["odds"] = "25 to 1"
    text = compose(book, STYLES["pipes"])
    (one,) = held(read_text(text), convert(raw)).findings
    assert (one.key, one.level) == ("bets.small-tiger.pays.win.odds", "fault")
    assert "22 to 1" in text.split("\n")[one.line - 1]
    assert one.finding == "is 25 to 1, where 4.1.5 says 22 to 1"


def test_a_paragraph_that_nothing_carries_is_said_not_to_be() -> None:
    """One that the document has beside those of the book; under a slug that no trace speaks of."""
    raw = raw_of(load("mbs-tiger-v2")) | {"slug": "mine"}
    text = compose(load("mbs-tiger-v2")).replace(
        "\n6. Other Matters", "5.19 Shoes are kept in a cupboard.\n\n6. Other Matters"
    )
    read = read_text(text)
    told = [one for one in held(read, convert(raw)).findings if "5.19" in one.finding]
    assert [one.finding for one in told] == ["the document has 5.19, the book does not list it"]
    raw["paragraphs"].append("5.19")
    told = [one for one in held(read, convert(raw)).findings if "5.19" in one.finding]
    assert ["not_carried" in one.finding for one in told] == [True]
    assert "cupboard" in text.split("\n")[told[0].line - 1]
    raw["not_carried"] = ["5.19"]
    assert [one for one in held(read, convert(raw)).findings if "5.19" in one.finding] == []


def test_another_book_is_another_game() -> None:
    result = held(reading("mbs-tiger-v2"), load("rws-commission-insurance-v5"))
    assert {"bets.tiger", "insurance.name", "layouts.A.positions"} & {one.key for one in result.findings}
    assert result.agree < result.compared
