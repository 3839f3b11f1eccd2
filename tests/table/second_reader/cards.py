"""How the cards of a round lie, what everybody knows of them, and which of them an error has put in doubt."""

from functools import lru_cache
from typing import NamedTuple

from table.second_reader.facts import Fact, Round
from thirdcard.cards import Card, parse_card
from thirdcard.play.bets import standing
from thirdcard.play.tableau import INITIAL, LONGEST, next_hand
from thirdcard.rulebook.model import Bet, TableOfPlay


class Lying(NamedTuple):
    """A card on the table: its name if it is on record, whether all see it, who has it in hand."""

    name: Card | None
    face_up: bool
    holder: str = ""


def lying(round_: Round) -> list[Lying]:
    """The cards in the order drawn."""
    found: list[Lying] = []
    for fact in round_.facts:
        tag = fact["event"]
        if tag == "card-drawn":
            found.append(Lying(_named(fact.get("card")), fact["face_up"]))
        elif tag in ("cards-laid", "cards-amended"):
            found = [
                Lying(_named(one.get("name")), one.get("face_up", False), one.get("holder", ""))
                for one in fact["cards"]
            ]
        elif tag == "bets-reopened":
            found = []
        elif tag in CHANGE_SOME:
            found = [_changed(round_, fact, place, one, found) for place, one in enumerate(found, start=1)]
    return found


CHANGE_SOME = ("cards-exposed", "cards-handed", "cards-retrieved", "cards-refused", "round-voided")


def _changed(round_: Round, fact: Fact, place: int, card: Lying, every: list[Lying]) -> Lying:
    tag, meant = fact["event"], place in fact.get("places", ())
    if tag == "cards-exposed" and meant:
        return Lying(_named(fact.get("names", {}).get(place)) or card.name, face_up=True)
    if tag == "cards-handed" and meant:
        return card._replace(holder=fact["player"])
    if tag == "cards-refused":
        mine = card.holder == fact["player"] and hand_of(round_, every, place) == fact["hand"]
        return card._replace(holder="") if mine else card
    if tag == "round-voided" or (tag == "cards-retrieved" and meant):
        return card._replace(holder="")
    return card


def _named(name: str | None) -> Card | None:
    return parse_card(name) if name else None


def hand_of(round_: Round, cards: list[Lying], place: int) -> str | None:
    """The hand of a place: first and third to the Player, second and fourth to the Banker, then as the table says."""
    if place <= INITIAL:
        return "player" if place % 2 else "banker"
    if place > INITIAL + 1:
        return "banker"
    lies = len(cards) >= place
    first = [one.name for one in cards[:INITIAL] if one.name is not None and (lies or one.face_up)]
    side = next_hand(round_.rules.table_of_play, tuple(first)) if len(first) == INITIAL else None
    return side.value if side else None


def seen(cards: list[Lying]) -> tuple[Card, ...]:
    """The cards that everybody has seen, as far as they follow one another from the first."""
    found: list[Card] = []
    for one in cards:
        if not one.face_up or one.name is None:
            break
        found.append(one.name)
    return tuple(found)


def all_seen(cards: list[Lying]) -> bool:
    return len(seen(cards)) == len(cards)


def is_complete(round_: Round) -> bool:
    """Every card that the Table of Play asks for lies there, seen by all."""
    cards = lying(round_)
    if len(cards) < INITIAL or not all_seen(cards):
        return False
    return next_hand(round_.rules.table_of_play, seen(cards)) is None


def in_doubt(round_: Round) -> set[int]:
    """Places of cards that an error touched and that could not be put in order, until it is closed (26, 46).

    The report says which they are; if it names none, all of the round so far.
    """
    reports: list[Fact] = []
    doubt: set[int] = set()
    for number, fact in enumerate(round_.facts):
        if fact["event"] == "irregularity-reported":
            reports.append(fact["pending"])
        elif fact["event"] == "report-dismissed":
            reports.pop(fact["number"])
        elif fact["event"] == "irregularity-ruled" and {"decide-order", "as-they-lie"} & set(
            fact["remedies"]
        ):
            count = len(lying(round_.until(number)))
            doubt = set(touched(reports[0], count))
        elif fact["event"] == "irregularity-closed":
            doubt = set()
            del reports[:1]
        elif fact["event"] == "round-voided":
            del reports[1:]
    return doubt


def touched(report: Fact, count: int) -> list[int]:
    """Places that a report is about, where so many cards lay on the table."""
    named = [*report.get("cards", ()), *range(count + 1, count + 1 + len(report.get("drawn", ())))]
    return named or list(range(1, count + 1))


def known(round_: Round, report: Fact | None) -> tuple[Card | None, ...]:
    """The cards beyond doubt that everybody has seen, those of a report under way that are not laid yet included (24).

    Recorded cards that it says were seen were turned when it was ruled on.
    """
    cards, doubt = lying(round_), in_doubt(round_)
    found: list[Card | None] = [
        one.name if one.face_up and place not in doubt else None for place, one in enumerate(cards, start=1)
    ]
    if report is not None:
        found += _came_out(round_, report, len(cards))
    return tuple(found[:LONGEST])


def _came_out(round_: Round, report: Fact, count: int) -> list[Card | None]:
    """Cards of a report that lie nowhere yet: those that were seen, by name."""
    if is_laid(round_):
        return []
    first = report.get("first", 0) or count + 1
    shown = set(report.get("shown", ()))
    return [
        _named(name) if first + number in shown else None
        for number, name in enumerate(report.get("drawn", ()))
    ]


def is_laid(round_: Round) -> bool:
    """Whether the cards of the report that is being carried out have been laid to their places."""
    return any(fact["event"] == "cards-laid" for fact in round_.since("irregularity-ruled"))


@lru_cache(maxsize=65536)
def is_decided(bet: Bet, table: TableOfPlay, cards: tuple[Card | None, ...]) -> bool:
    """Whether a bet is certain to win or certain to lose, whatever comes (24)."""
    return standing(bet, table, cards).decided
