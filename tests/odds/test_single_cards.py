"""Conditions on single cards: each alone against a reading of its own, and random books of them, in every engine."""

from collections.abc import Callable
from itertools import product
from random import Random

import pytest

from each import each
from odds import slow
from odds.random_bets import closer_bet
from odds.test_closer_look import TABLE, bet_on, check, offering
from thirdcard.cards import Card, Rank, Suit
from thirdcard.odds import fresh, plan, tallies, values
from thirdcard.odds.kernel import Kernel
from thirdcard.play.bets import result, standing
from thirdcard.play.outcome import outcome_of, possible
from thirdcard.play.tableau import Deal
from thirdcard.protect.deals import can_be_known, deal
from thirdcard.rulebook.conditions import sight_of, ways_of
from thirdcard.rulebook.forms import convert, in_full
from thirdcard.rulebook.model import Bet, When
from thirdcard.rulebook.outcomes import every_outcome, looks_of
from thirdcard.rulebook.proof import MOST_SECONDS, proving_seconds

Says = Callable[[Deal], bool]
RED = (Suit.HEARTS, Suit.DIAMONDS)


def all_cards(dealt: Deal) -> tuple[Card, ...]:
    return (*dealt.player, *dealt.banker)


def ranks(cards: tuple[Card, ...]) -> str:
    return "".join(card.rank.letter for card in cards)


def one_suit(cards: list[Card]) -> bool:
    return len({card.suit for card in cards}) <= 1


def nines(dealt: Deal) -> list[Card]:
    return [card for card in (*dealt.player[:2], *dealt.banker[:2]) if card.rank == Rank.NINE]


# What each says, read by nothing of ours but the cards of both hands.
ALONE: dict[str, tuple[dict[str, object], Says]] = {
    "count": ({"count": {"of": "7", "number": "2-3"}}, lambda d: ranks(all_cards(d)).count("7") in (2, 3)),
    "count of two": (
        {"count": {"of": ["7", "K"], "number": 4}},
        lambda d: sum(letter in "7K" for letter in ranks(all_cards(d))) == 4,
    ),
    "two counts": (
        {"count": [{"of": "9", "number": 1}, {"of": "red", "number": 3}]},
        lambda d: ranks(all_cards(d)).count("9") == 1 and sum(c.suit in RED for c in all_cards(d)) == 3,
    ),
    "initial suited": (
        {"count": {"of": "9", "number": 2, "initial": True, "suited": True}},
        lambda d: len(nines(d)) == 2 and one_suit(nines(d)),
    ),
    "count in a hand": (
        {"banker": {"count": {"of": ["A", "2", "3"], "number": 3}}},
        lambda d: sum(letter in "A23" for letter in ranks(d.banker)) == 3,
    ),
    "every": ({"every": "red"}, lambda d: all(card.suit in RED for card in all_cards(d))),
    "every of the winner": (
        {"winning": {"every": ["A", "2", "9", "K"]}},
        lambda d: (
            d.winner != "tie" and set(ranks(d.player if d.winner == "player" else d.banker)) <= set("A29K")
        ),
    ),
    "no": (
        {"no": ["7", "clubs"]},
        lambda d: not any(c.rank == 7 or c.suit is Suit.CLUBS for c in all_cards(d)),
    ),
    "ranks": (
        {"player": {"ranks": ["KQ", "77", "9A"]}},
        lambda d: "".join(sorted(ranks(d.player[:2]))) in ("KQ", "77", "9A"),
    ),
    "first two": (
        {"player": {"first_two": [5, 9]}},
        lambda d: sum(c.points for c in d.player[:2]) % 10 in (5, 9),
    ),
    "a third card by suit": (
        {"losing": {"third": ["hearts", "KS"]}},
        lambda d: (
            d.winner != "tie"
            and any(
                card.suit is Suit.HEARTS or card is Card("KS")
                for card in (d.banker if d.winner == "player" else d.player)[2:]
            )
        ),
    ),
    "compare": (
        {"compare": {"card": "player.first", "how": ["higher", "same"], "than": "banker.third"}},
        lambda d: len(d.banker) > 2 and d.player[0].rank >= d.banker[2].rank,
    ),
    "compare points": (
        {"compare": {"card": "player.second", "how": "lower", "than": "banker.first", "by": "points"}},
        lambda d: d.player[1].points < d.banker[0].points,
    ),
    "any": (
        {"winner": "tie", "any": [{"every": "black"}, {"total": 9}, {"count": {"of": "8", "number": 4}}]},
        lambda d: (
            d.winner == "tie"
            and (
                not any(card.suit in RED for card in all_cards(d))
                or d.player_points == 9
                or ranks(all_cards(d)).count("8") == 4
            )
        ),
    ),
}


def said(name: str) -> When:
    given = ALONE[name][0]
    made: When = convert(in_full(given, When), When)
    return made


@pytest.mark.slow
@each(("name", "seed"), list(product(ALONE, (1, 2, 3))))
def test_a_condition_alone_is_counted_as_it_reads(name: str, seed: int) -> None:
    shoe, book = slow.suited_shoe(seed), offering([bet_on(said(name))])
    expected = sum(ways for dealt, ways in slow.dealt(TABLE, shoe) if ALONE[name][1](dealt))
    assert tallies(book, shoe)["bet"]["win"] == expected
    assert Kernel(book).tally(shoe.by_card)["bet"]["win"] == expected


@each("name", list(ALONE))
def test_a_condition_alone_is_settled_as_it_reads(name: str) -> None:
    chance, bet = Random(name), bet_on(said(name))  # noqa: S311 - a test's own shuffling
    came = set()
    for _ in range(300):
        few = chance.sample(tuple(Card), 6)
        dealt = Deal(TABLE, tuple(chance.choices(few, k=6)))
        won = result(bet, outcome_of(dealt, sight_of(bet))).verdict == "win"
        assert won is ALONE[name][1](dealt), dealt
        came.add(won)
    assert came == {False, True} or name in ("count of two", "initial suited")


@each("name", list(ALONE))
def test_the_prover_finds_rounds_that_fit_and_rounds_that_do_not(name: str) -> None:
    bet = bet_on(said(name))
    dealt = every_outcome(TABLE, looks_of(bet.whens))
    shown = [Deal(TABLE, tuple(map(Card, one.cards.split()))) for one in dealt[:: len(dealt) // 40 + 1]]
    for one, round_ in zip(dealt[:: len(dealt) // 40 + 1], shown, strict=True):
        assert (result(bet, one.outcome).verdict == "win") is ALONE[name][1](round_), round_


@pytest.mark.slow
@each(("name", "seed"), list(product(ALONE, (1, 2))))
def test_what_is_certain_of_a_half_known_round_is_so_whatever_comes(name: str, seed: int) -> None:
    """Two cards of a round are unknown: every ending of it is dealt."""
    chance, bet = Random(seed), bet_on(said(name))  # noqa: S311 - a test's own shuffling
    known: list[Card | None] = list(chance.choices(tuple(Card), k=6))
    hidden = chance.sample(range(6), 2)
    for place in hidden:
        known[place] = None
    found = set()
    for two in product(Card, repeat=2):
        cards = list(known)
        for place, card in zip(hidden, two, strict=True):
            cards[place] = card
        whole = Deal(TABLE, tuple(card for card in cards if card))
        found.add(result(bet, outcome_of(whole, sight_of(bet))).verdict)
    assert {verdict for verdict, _ in standing(bet, TABLE, tuple(known)).results} == found
    left = possible(TABLE, tuple(known), sight_of(bet))
    assert {result(bet, outcome).verdict for outcome in left} == found


# ---- random books -----------------------------------------------------------------------------------------


def is_cheap(bet: Bet) -> bool:
    """Whether a book of it would be taken."""
    return sum(map(ways_of, bet.whens)) < 60 and proving_seconds(TABLE, bet.whens) < MOST_SECONDS


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_random_books_come_out_alike_in_every_engine(seed: int) -> None:
    made = [closer_bet(1000 * seed + number, suits=number == 3) for number in range(4)]
    check(offering(filter(is_cheap, made)), slow.suited_shoe(seed))


@pytest.mark.whole
@pytest.mark.parametrize("hundred", range(20))
def test_two_thousand_random_books_come_out_alike_in_every_engine(hundred: int) -> None:
    for seed in range(10_000 + 100 * hundred, 10_100 + 100 * hundred):
        bet = closer_bet(seed, suits=seed % 4 == 0)
        if is_cheap(bet):
            check(offering([bet]), slow.suited_shoe(seed))


@pytest.mark.slow
@pytest.mark.gate("3")
@pytest.mark.parametrize("seed", range(4))
def test_what_cards_tell_of_a_bet_adds_up_to_its_value(seed: int) -> None:
    """Protection counts by place, odds by classes of starts."""
    bet, shoe = closer_bet(seed, suits=False), slow.large_shoe(seed)
    counted = deal(TABLE, shoe, bet).known(())
    assert counted.value(()) == values(offering([bet]), shoe)[bet.name].ev


def test_suits_of_single_cards_cannot_be_counted_by_place() -> None:
    assert not can_be_known(bet_on(said("every")))
    assert can_be_known(bet_on(said("count")))


def test_a_plan_has_every_result_of_its_bets() -> None:
    book = offering([bet_on(said("count"))])
    assert plan(book, fresh(8), {"bet": 100}).rounds.keys() == {-100, 100}
