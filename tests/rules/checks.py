"""Checks that the documents share; each takes the document and what its paragraph says."""

from collections.abc import Callable
from itertools import product

import pytest

from rules.helpers import POINTS, RANKS, Case, Document, dealt, every_case, every_play, ratio, start
from thirdcard.cards import Card, parse_card, parse_cards
from thirdcard.errors import BadInput
from thirdcard.play.bets import result
from thirdcard.play.outcome import outcome_of
from thirdcard.rulebook.conditions import matches
from thirdcard.rulebook.model import Side

When = Callable[[Case], bool]
STAKES = (20, 100, 12_60, 500_00)
UNIT = 20


def refusal(action: Callable[[], object]) -> str:
    """The sentence that refuses it."""
    with pytest.raises(BadInput) as caught:
        action()
    return str(caught.value)


# --- cards and the Table of Play ----------------------------------------------------------------------


def card_values(doc: Document, values: dict[str, int]) -> None:
    """Every card of these ranks is worth its value, by itself and in a hand, whatever its suit."""
    for (rank, value), suit in product(values.items(), "SHDC"):
        one = parse_card(rank + suit)
        assert one.points == value % 10, one
        hand = doc.deal(parse_cards(f"{one} KS KH KD"))
        assert (hand.player_points, hand.banker_points) == (value % 10, 0), one


def point_totals(doc: Document, values: dict[str, int]) -> None:
    """The last digit of the sum, for every hand of two and three ranks."""
    assert "".join(values) == RANKS
    for first, second in product(RANKS, RANKS):
        total = int(str(values[first] + values[second])[-1])
        hand = doc.deal(parse_cards(f"{first}S KH {second}H KD"))
        assert hand.player_points == total, hand
        hand = doc.deal(parse_cards(f"KH {first}S KD {second}H"))
        assert hand.banker_points == total, hand
        if not doc.draws.player_draws(total, 0):
            continue
        for third in RANKS:
            total = int(str(values[first] + values[second] + values[third])[-1])
            hand = doc.deal(parse_cards(f"{first}S KH {second}H KD {third}D"))
            assert hand.player_points == total, hand


def four_cards(doc: Document) -> None:
    """First and third card to the Player, second and fourth to the Banker."""
    cards = dealt("P AS 3D | B 2H 6C")
    assert " ".join(map(str, cards)) == "AS 2H 3D 6C"
    for drawn, due in enumerate((Side.PLAYER, Side.BANKER, Side.PLAYER, Side.BANKER)):
        assert doc.deal(cards[:drawn]).next is due
    deal = doc.deal(cards)
    assert " ".join(map(str, deal.player)) == "AS 3D"
    assert " ".join(map(str, deal.banker)) == "2H 6C"


def table_of_play(doc: Document) -> None:
    """Who draws, at every pair of two-card totals and against every third card."""
    for player, banker in product(POINTS, POINTS):
        four = start(player, banker)
        deal = doc.deal(four)
        draws = doc.draws.player_draws(player, banker)
        if not draws:
            due = Side.BANKER if doc.draws.banker_draws(player, banker, None) else None
            assert deal.next is due, deal
            _ends_with_banker(doc, four, due)
            continue
        assert deal.next is Side.PLAYER, deal
        for rank in RANKS:
            third = parse_card(rank + "D")
            five = (*four, third)
            deal = doc.deal(five)
            points = RANKS.index(rank) + 1 if rank in "A23456789" else 0
            due = Side.BANKER if doc.draws.banker_draws(player, banker, points) else None
            assert deal.next is due, deal
            assert deal.player[2:] == (third,)
            _ends_with_banker(doc, five, due)


def _ends_with_banker(doc: Document, cards: tuple[Card, ...], due: Side | None) -> None:
    """One more card is the Banker's third and the last, or nobody's."""
    last = parse_card("5C")
    deal = doc.deal((*cards, last))
    assert deal.next is None, deal
    assert deal.banker[2:] == ((last,) if due else ()), deal
    assert deal.left_over == (() if due else (last,)), deal


def naturals(doc: Document) -> None:
    """8 or 9 on two cards, on either hand or both, ends the round; no other total does of itself."""
    for player, banker in product(POINTS, POINTS):
        deal = doc.deal(start(player, banker))
        if player in (8, 9) or banker in (8, 9):
            assert deal.next is None, deal
            assert doc.game().settle(deal.cards, {"player": 100}).player.points == player
        elif player <= 5 or banker <= 5:
            assert deal.next is not None, deal


def winner(doc: Document) -> None:
    """The higher total wins and equal totals tie, in every round that can be dealt."""
    for play in every_play(doc.draws):
        found = outcome_of(doc.deal(play.cards))
        assert (found.player, found.banker) == (play.player, play.banker), play
        assert found.player_cards == 2 + (play.player_third is not None), play
        assert found.banker_cards == 2 + (play.banker_third is not None), play
        wins = "player" if play.player > play.banker else "banker" if play.banker > play.player else "tie"
        assert found.winner == wins, play


# --- bets ---------------------------------------------------------------------------------------------


def wins(doc: Document, bet: str, when: When) -> None:
    """The bet wins on these outcomes and loses on all others."""
    _comes_out(doc, bet, lambda case: "win" if when(case) else "lose")


def wins_or_ties(doc: Document, bet: str, when: When) -> None:
    """The same for a bet that a tie returns."""
    _comes_out(doc, bet, lambda case: "push" if case.tie else "win" if when(case) else "lose")


def _comes_out(doc: Document, bet: str, verdict: Callable[[Case], str]) -> None:
    for case, outcome in every_case():
        assert result(doc.book.bets[bet], outcome).verdict == verdict(case), (bet, case)


def tiers(doc: Document, bet: str, paid: dict[str, When]) -> None:
    """The odds paid on every outcome: one tier where its condition holds, none otherwise."""
    for case, outcome in every_case():
        expected = [odds for odds, when in paid.items() if when(case)]
        tier = result(doc.book.bets[bet], outcome).tier
        assert ([tier.odds.text] if tier else []) == expected, (bet, case)
        fitting = [one.odds.text for one in doc.book.bets[bet].pays if matches(one.when, outcome)]
        assert fitting == expected, (bet, case)


def tiers_by_cards(doc: Document, bet: str, when: When, paid: dict[int, str]) -> None:
    """The same where the tier is the number of cards in both hands."""
    for case, outcome in every_case():
        tier = result(doc.book.bets[bet], outcome).tier
        assert (tier.odds.text if tier else None) == (paid[case.cards] if when(case) else None), (bet, case)
        assert sum(matches(one.when, outcome) for one in doc.book.bets[bet].pays) == when(case), (bet, case)


def pairs(doc: Document, side: Side, bet: str) -> None:
    """The bet needs two cards of one rank in that hand; suits do not matter."""
    for first, second, suit in product(RANKS, RANKS, "SH"):
        hand, other = f"{first}S {second}{suit}", "4D 5D"  # a natural, so four cards are the round
        player, banker = (hand, other) if side is Side.PLAYER else (other, hand)
        outcome = outcome_of(doc.deal(dealt(f"P {player} | B {banker}")))
        verdict = result(doc.book.bets[bet], outcome).verdict
        assert verdict == ("win" if first == second else "lose"), (bet, hand)


def pairs_in_both_hands(doc: Document, bet: str, *, same: str, different: str) -> None:
    """The odds when both hands start with a pair, of one rank or of two."""
    for player, banker in product(RANKS, RANKS):
        four = dealt(f"P {player}S {player}H | B {banker}S {banker}H")
        tier = result(doc.book.bets[bet], outcome_of(doc.deal(four))).tier
        assert tier is not None
        assert tier.odds.text == (same if player == banker else different), (player, banker)


def pays(doc: Document, bet: str, odds: str, rounds: str | tuple[str, ...], *, by: str) -> None:
    """A winning round pays these odds to the cent on each layout that has the bet, and cites why.

    All other layouts refuse the bet.
    """
    for text, layout, stake in product(
        (rounds,) if isinstance(rounds, str) else rounds, doc.positions, STAKES
    ):
        if layout not in doc.offered[bet]:
            sentence = refusal(lambda: doc.settle(text, {bet: stake}, layout=layout, unit=UNIT))  # noqa: B023
            assert f"layout {layout} of {doc.slug} does not offer {bet}" in sentence
            continue
        statement = doc.settle(text, {bet: stake}, layout=layout, unit=UNIT)
        (line,) = statement.bets
        assert (line.bet, line.stake, line.result, line.odds) == (bet, stake, "win", odds), text
        assert line.net == statement.net == stake * ratio(odds), text
        assert by in line.rules


def layouts_named(doc: Document, bet: str, *, by: str) -> None:
    """The paragraph names the layouts that have the bet, even where they are all there are."""
    named = doc.book.bets[bet].layouts
    assert named is not None
    assert ("".join(named.value), named.rules) == (doc.offered[bet], (by,))


def not_won(doc: Document, bet: str, text: str, verdict: str, *, by: str) -> None:
    """A round that loses or returns the bet, on each layout that has it."""
    for layout in doc.offered[bet]:
        statement = doc.settle(text, {bet: 100}, layout=layout)
        (line,) = statement.bets
        assert (line.result, line.odds) == (verdict, None), text
        assert line.net == statement.net == (-100 if verdict == "lose" else 0)
        assert by in line.rules


# --- layouts and decks --------------------------------------------------------------------------------


def layouts(doc: Document) -> None:
    """Every layout with its positions and bets, and no other; what a layout lacks is refused."""
    book = doc.book
    assert {letter: one.positions for letter, one in book.layouts.items()} == doc.positions
    for letter, layout in book.layouts.items():
        offered = {bet for bet, letters in doc.offered.items() if letter in letters}
        assert set(layout.bets) == offered, letter
        assert len(layout.bets) == len(offered), letter
        for bet in doc.offered.keys() - offered:
            sentence = refusal(lambda: doc.settle("P 4C 3D | B 2S 4H", {bet: 100}, layout=letter))  # noqa: B023
            assert f"layout {letter} of {doc.slug} does not offer {bet}" in sentence
    for letter in ("", "a", chr(ord(max(doc.positions)) + 1)):
        assert "has no layout" in refusal(lambda: doc.game(letter))  # noqa: B023


def decks(doc: Document, by: str) -> None:
    """The deck counts of the document and no others; a deck has each of 52 cards once."""
    assert len(Card) == len({str(one) for one in Card}) == 52
    for count in range(-1, 14):
        if count in doc.decks:
            assert doc.game(decks=count).decks == count
        else:
            assert by in refusal(lambda: doc.game(decks=count))  # noqa: B023
    for count in doc.decks:
        game, six_aces = doc.game(decks=count), dealt("P AS AS AS | B AS AS AS")
        if count >= 6:
            assert game.settle(six_aces, {"tie": 100}).outcome == "tie"
        else:
            assert "AS comes 6 times" in refusal(lambda: game.settle(six_aces, {"tie": 100}))  # noqa: B023


def each_bet_alone(doc: Document) -> None:
    """The document's bets and no others; each of a layout's can be made alone, and all together."""
    assert set(doc.book.bets) == set(doc.offered)
    text = "P 4C 3D | B 2S 4H"
    for letter, layout in doc.book.layouts.items():
        for bet in layout.bets:
            assert [line.bet for line in doc.settle(text, {bet: 100}, layout=letter).bets] == [bet]
        together = doc.settle(text, dict.fromkeys(layout.bets, 100), layout=letter)
        assert {line.bet for line in together.bets} == set(layout.bets)
    assert "has no bet 'dragon'" in refusal(lambda: doc.settle(text, {"dragon": 100}))


def tie_returns(doc: Document, names: set[str], by: str) -> None:
    """Of all bets a tie returns these, whatever the total and the number of cards."""
    for case, outcome in every_case():
        came = {name: result(bet, outcome) for name, bet in doc.book.bets.items()}
        pushed = {name for name, one in came.items() if one.verdict == "push"}
        assert pushed == (names if case.tie else set()), case
        returned = {
            name for name, bet in doc.book.bets.items() if bet.push and matches(bet.push.when, outcome)
        }
        assert returned == pushed, case
        assert all(by in came[name].rules for name in pushed)
    for name in names:
        not_won(doc, name, "P 4C 3D | B 7S KH", "push", by=by)
