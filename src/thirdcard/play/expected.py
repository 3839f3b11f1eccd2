"""Rounds that a book is expected to settle as it did: one for each result of each bet, beside its file."""

from collections.abc import Iterator
from typing import Final

import msgspec

from thirdcard.cards import format_cards, parse_cards
from thirdcard.errors import BadInput
from thirdcard.money import format_dollars
from thirdcard.play.bets import Result, result
from thirdcard.play.examples import example
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import Deal, check_whole
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.conditions import sight_of
from thirdcard.rulebook.model import Bet

STAKE: Final = 10_000  # cents


class ExpectedRound(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A round, and what a stake of 100 dollars comes to in it: a tier, a push or "lose", and net cents."""

    bet: str
    result: str
    cards: str
    net: int


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """What a round came to when it was written, and comes to now; one of the two may be missing."""

    bet: str
    cards: str
    expected: str
    found: str


def rounds_of(book: Rulebook) -> tuple[ExpectedRound, ...]:
    """One round for each result that each bet can have, as small and plain as it can be."""
    return tuple(
        ExpectedRound(bet=name, result=came, cards=cards, net=_net(bet, book, cards))
        for name, bet in book.bets.items()
        for came, cards in _examples(bet, book)
    )


def _examples(bet: Bet, book: Rulebook) -> Iterator[tuple[str, str]]:
    names = [*(tier.tier for tier in bet.pays), *(push.tier for push in bet.every_push), "lose"]
    for name in names:
        deal = example(bet, name, book.table_of_play)
        if deal is not None:
            yield name, format_cards(deal.cards)


def _net(bet: Bet, book: Rulebook, cards: str) -> int:
    return _came(bet, book, cards).net(STAKE)


def _came(bet: Bet, book: Rulebook, cards: str) -> Result:
    deal = Deal(book.table_of_play, parse_cards(cards))
    check_whole(deal)
    return result(bet, outcome_of(deal, sight_of(bet)))


def written(rounds: tuple[ExpectedRound, ...]) -> str:
    """The file of them, a line for each."""
    return "[\n{}\n]\n".format(",\n".join(msgspec.json.encode(one).decode() for one in rounds))


def read_rounds(name: str, text: bytes) -> tuple[ExpectedRound, ...]:
    """Those of a file's text; BadInput if it has none."""
    try:
        return msgspec.json.decode(text, type=tuple[ExpectedRound, ...])
    except msgspec.DecodeError as error:
        raise BadInput(f"{name} has no rounds to be expected: {error}") from error


def differences(book: Rulebook, expected: tuple[ExpectedRound, ...]) -> Iterator[Difference]:
    """Rounds that come to something else now, and results that no round expects."""
    for one in expected:
        found = _found(book, one)
        told = f"{one.result} {format_dollars(one.net, sign=True)}"
        if found != told:
            yield Difference(bet=one.bet, cards=one.cards, expected=told, found=found)
    known = {(one.bet, one.result) for one in expected}
    for one in rounds_of(book):
        if (one.bet, one.result) not in known:
            told = f"{one.result} {format_dollars(one.net, sign=True)}"
            yield Difference(bet=one.bet, cards=one.cards, expected="", found=told)


def _found(book: Rulebook, one: ExpectedRound) -> str:
    """What it comes to now, or why it comes to nothing."""
    bet = book.bets.get(one.bet)
    if bet is None:
        return ""
    try:
        came = _came(bet, book, one.cards)
    except BadInput as error:
        return str(error)
    return f"{came.name} {format_dollars(came.net(STAKE), sign=True)}"
