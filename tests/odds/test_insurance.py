"""Insurance: every offer's chance and value, and one concrete situation."""

from collections import Counter
from fractions import Fraction
from math import perm

import pytest

from dealing import dealt
from odds import slow
from thirdcard.cards import Card, parse_cards
from thirdcard.errors import BadInput
from thirdcard.odds import Composition, fresh, offers, shoe, situation
from thirdcard.odds.insurance import OfferValue
from thirdcard.play import insurance as play
from thirdcard.play.tableau import Deal
from thirdcard.rulebook import Rulebook, load
from thirdcard.rulebook.model import Insurance

CBI = load("rws-commission-insurance-v5")
TBC = load("rws-tiger-buffalo-commission-v2")
PARAGRAPHS = {CBI.slug: "4.1.3", TBC.slug: "4.1.15"}


def insurance_of(book: Rulebook) -> Insurance:
    assert book.insurance is not None
    return book.insurance


def slow_offers(book: Rulebook, left: Composition) -> Counter[tuple[str, int, int, int, str]]:
    """Rounds by offer and result: whatever the engine offers on the way, settled by how the round ends."""
    insurance = insurance_of(book)
    counts: Counter[tuple[str, int, int, int, str]] = Counter()
    for deal, ways in slow.dealt(book.table_of_play, left):
        for drawn in range(4, len(deal.cards)):
            then = deal.after(drawn)
            for offer in play.open_offers(insurance, then):
                came = play.result(insurance, offer, deal.winner).verdict
                counts[offer.hand, offer.window, then.player_points, then.banker_points, came] += ways
    return counts


def cells(found: tuple[OfferValue, ...]) -> dict[tuple[str, int, int, int], OfferValue]:
    return {(one.offer.hand.value, one.offer.window, one.player, one.banker): one for one in found}


@pytest.mark.slow
@pytest.mark.parametrize("book", [CBI, TBC], ids=lambda book: f"{book.slug}:{PARAGRAPHS[book.slug]}")
@pytest.mark.parametrize("start", [0, 15])
def test_offers_equal_the_slow_enumeration(book: Rulebook, start: int) -> None:
    for seed in range(start, start + 15):
        left = slow.small_shoe(seed)
        expected = slow_offers(book, left)
        found = offers(book, left)
        rounds = Counter(
            {
                (*place, verdict): getattr(one, verdict)
                for place, one in cells(found).items()
                for verdict in ("win", "push", "lose")
            }
        )
        assert +rounds == expected, left
        for one in found:
            assert one.among == left.sequences
            assert (one.ev is None) == (not one.rounds)


@pytest.mark.parametrize("book", [CBI, TBC], ids=lambda book: f"{book.slug}:{PARAGRAPHS[book.slug]}")
def test_one_row_for_each_pair_of_points(book: Rulebook) -> None:
    found = offers(book, fresh())
    rows = [(o, p, b) for o in insurance_of(book).offers for p in o.player for b in o.banker]
    assert [(one.offer, one.player, one.banker) for one in found] == rows
    assert len(cells(found)) == len(rows)
    assert all(one.rounds for one in found)


# As drawn in the design of the odds page: house edges in percent, 8 decks.
DRAWN = {
    ("player", 1, 5, 4): 16.3,
    ("player", 1, 6, 0): 11.3,
    ("player", 2, 8, 0): 7.2,
    ("player", 2, 9, 6): 15.5,
    ("banker", 1, 0, 4): 2.7,
    ("banker", 1, 2, 5): 27.8,
    ("banker", 1, 5, 6): 4.0,
    ("banker", 2, 0, 5): 17.2,
    ("banker", 2, 3, 4): 11.1,
}


def test_insurance_plus_for_a_fresh_shoe_as_known() -> None:
    found = cells(offers(TBC, fresh()))
    edges = {place: round(-float(found[place].ev or 0) * 100, 1) for place in DRAWN}
    assert edges == DRAWN
    assert not any(one.favours == "player" for one in found.values())


def test_some_offers_of_commission_insurance_favour_the_player() -> None:
    found = cells(offers(CBI, fresh()))
    good = {place for place, one in found.items() if one.favours == "player"}
    assert ("banker", 1, 5, 6) in good
    assert len(good) == 12
    best = found["banker", 1, 5, 6]
    assert best.ev is not None
    assert f"{float(best.ev * 100):.4f}" == "8.4397"
    assert all((one.ev or 0) > 0 for place, one in found.items() if place in good)


def test_a_tie_is_paid_where_the_row_says_so() -> None:
    """The same points, the same cards: returned in one document (4.2.1), paid in the other (4.2.1(b))."""
    paid = cells(offers(TBC, fresh()))["banker", 2, 0, 3]
    assert (paid.push, paid.lose > 0) == (0, True)
    returned = cells(offers(TBC, fresh()))["banker", 2, 2, 3]
    assert returned.push > 0


def test_window_2_only_where_the_banker_draws() -> None:
    """Interpretation 10: Banker 6 draws against a 6 or 7 alone, and this shoe has none."""
    left = Composition((0, 0, 8, 0, 8, 0, 0, 0, 0, 0, 0, 0, 8))  # threes, fives, kings
    matched = [
        deal.after(5)
        for deal, _ in slow.dealt(TBC.table_of_play, left)
        if len(deal.player) == 3 and (deal.player_points, deal.after(5).banker_points) == (8, 6)
    ]
    assert any(play.rows(insurance_of(TBC), deal, 2) for deal in matched)
    found = cells(offers(TBC, left))
    assert found["player", 2, 8, 6].rounds == 0
    assert found["player", 2, 8, 3].rounds > 0


@pytest.mark.parametrize(
    "text", ["P 6C KH | B 3D AS", "P KC 5H | B 6D QS", "P 2C 2H | B 2D 2S", "P 7C KH | B 9D 6S"]
)
@pytest.mark.parametrize("book", [CBI, TBC], ids=lambda book: book.slug)
def test_four_cards_on_the_table(book: Rulebook, text: str) -> None:
    _check_situation(book, text, seen="9C 9C 4D 4H KS")


@pytest.mark.parametrize(
    "text", ["P 2C 2H 4S | B 2D 2S", "P KC AH 9S | B 2D AS", "P 2C KH 7S | B 6D KS", "P 5C KH 7S | B 5D QS"]
)
@pytest.mark.parametrize("book", [CBI, TBC], ids=lambda book: book.slug)
def test_five_cards_on_the_table(book: Rulebook, text: str) -> None:
    _check_situation(book, text, seen="")


def _check_situation(book: Rulebook, text: str, seen: str) -> None:
    """Against dealing every next card by hand."""
    cards, insurance = dealt(text), insurance_of(book)
    before = shoe(book, 8, parse_cards(seen))
    left = before.without(cards)
    expected: Counter[tuple[str, str]] = Counter()
    here = Deal(book.table_of_play, cards)
    for x, fifth in enumerate(slow.CARDS):
        for y, sixth in enumerate(slow.CARDS):
            ways = left.ranks[x] * (left.ranks[y] - (x == y))
            drawn: tuple[Card, ...] = (*cards, fifth, sixth)
            whole = Deal(book.table_of_play, drawn)
            needed = len(drawn) - len(whole.left_over)
            for offer in play.open_offers(insurance, here):
                winner = Deal(book.table_of_play, drawn[:needed]).winner
                expected[offer.hand, play.result(insurance, offer, winner).verdict] += ways
    found = situation(book, before, cards)
    assert [one.offer for one in found] == list(play.open_offers(insurance, here))
    for one in found:
        counts = {verdict: expected[one.offer.hand, verdict] for verdict in ("win", "push", "lose")}
        assert {"win": one.win, "push": one.push, "lose": one.lose} == counts
        assert one.among == one.rounds == perm(left.cards, 2)
        assert one.probability == 1
        gain = one.offer.odds.ratio * counts["win"] - counts["lose"]
        assert one.ev == Fraction(gain) / perm(left.cards, 2)


def test_a_fair_offer_favours_nobody() -> None:
    (one,) = situation(CBI, shoe(CBI), dealt("P 6C KH | B 3D AS"))
    assert one.ev == 0
    assert one.favours == "nobody"


def test_no_offer_where_none_is_open() -> None:
    assert situation(CBI, shoe(CBI), dealt("P 9C KH | B 3D AS")) == ()


@pytest.mark.parametrize(
    ("cards", "complaint"),
    [
        ("6C 3D KH", "expected the four or five cards on the table: got 3"),
        ("6C 3D KH AS 2C 2D", "expected the four or five cards on the table: got 6"),
        ("9C 3D KH AS 2C", "nobody draws a fifth card: Player 9, Banker 4"),
    ],
)
def test_bad_situations(cards: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        situation(CBI, shoe(CBI), parse_cards(cards))


def test_a_rulebook_without_insurance() -> None:
    with pytest.raises(BadInput, match="mbs-tiger-v2 offers no insurance"):
        offers(load("mbs-tiger-v2"), fresh())
