"""What the cards say: the outcome of a finished round, and all that a half-known one may still become."""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

from thirdcard.cards import Card, Rank
from thirdcard.play.tableau import INITIAL, Deal
from thirdcard.rulebook.conditions import (
    PLAIN,
    Outcome,
    Ranks,
    Sight,
    Suits,
    pairs_of,
    suits_of,
)
from thirdcard.rulebook.model import TableOfPlay
from thirdcard.rulebook.outcomes import UNKNOWN, every_outcome, looks_of, of_one_card
from thirdcard.rulebook.sums import DECK, NUMBERS, Cards
from thirdcard.rulebook.third_cards import play_out, third_cards


def outcome_of(deal: Deal, sight: Sight = PLAIN) -> Outcome:
    """The outcome of a whole round, as closely as bets look at it."""
    player, banker = deal.player, deal.banker
    if deal.table.order:
        return of_one_card(deal.table, player[0], banker[0])
    pairs = pairs_of(
        player[0].rank if player[0].rank is player[1].rank else None,
        banker[0].rank if banker[0].rank is banker[1].rank else None,
    )
    plain = deal.player_points, deal.banker_points, len(player), len(banker), pairs
    if sight is PLAIN:
        return Outcome(*plain)
    hands = (player, banker)
    ranks: list[Rank | None] = [None] * 6
    for side, hand in enumerate(hands):
        for place, card in enumerate(hand):
            ranks[3 * side + place] = sight.of(3 * side + place, card.rank)
    suits = [
        suits_of(hand[0], hand[1]) if matter else None
        for hand, matter in zip(hands, sight.suits, strict=True)
    ]
    return Outcome(*plain, tuple(ranks), tuple(suits), seen_cards(sight, hands))


def seen_cards(sight: Sight, hands: Iterable[Sequence[Card | None]]) -> Cards:
    """The cards of both hands by place, each as it is seen."""
    if not sight.cards:
        return ()
    six = [card for hand in hands for card in (*hand, None)[:3]]
    return tuple([card and alike[NUMBERS[card]] for card, alike in zip(six, sight.cards, strict=True)])


def possible(table: TableOfPlay, known: tuple[Card | None, ...], sight: Sight = PLAIN) -> frozenset[Outcome]:
    """Every outcome that the round may still have, whatever cards come next (interpretation 24).

    `known` is the order drawn with `None` for a card nobody has seen; cards yet to come are left out.
    How many of a rank the shoe still holds is not considered.
    """
    if not table.usual:
        looks, six = looks_of(()), (*known, *UNKNOWN)[: len(UNKNOWN)]
        return frozenset(dealt.outcome for dealt in every_outcome(table, looks, six))
    if sight is PLAIN:
        return _possible(table, tuple(card and card.rank for card in known[:6]))
    return _possible_seen(table, known[:6] + (None,) * (6 - len(known)), sight)


@lru_cache(maxsize=4096)
def _possible(table: TableOfPlay, known: tuple[Rank | None, ...]) -> frozenset[Outcome]:
    ranks = known + (None,) * (6 - len(known))
    fifth, sixth = (None if rank is None else rank.points for rank in ranks[INITIAL:])
    starts = {
        (player, banker, pairs_of(player_pair, banker_pair))
        for (player, player_pair), (banker, banker_pair) in product(
            _two_cards(ranks[0], ranks[2]), _two_cards(ranks[1], ranks[3])
        )
    }
    return frozenset(
        Outcome(*ending, pairs)
        for player, banker, pairs in starts
        for ending in _endings(table, player, banker, fifth, sixth)
    )


@cache
def _two_cards(first: Rank | None, second: Rank | None) -> frozenset[tuple[int, Rank | None]]:
    """Totals of two cards, known or not, with the rank of the pair they make."""
    return frozenset(
        ((a.points + b.points) % 10, a if a is b else None)
        for a in (Rank if first is None else (first,))
        for b in (Rank if second is None else (second,))
    )


@cache
def _endings(
    table: TableOfPlay, player: int, banker: int, fifth: int | None, sixth: int | None
) -> frozenset[tuple[int, int, int, int]]:
    """Every ending from two-card totals and the third cards, known or not."""
    fifths, sixths = (range(10) if third is None else (third,) for third in (fifth, sixth))
    return frozenset(play_out(table, player, banker, thirds) for thirds in product(fifths, sixths))


class _Start(NamedTuple):
    """A hand's first two cards as far as anybody looks."""

    total: int
    pair: Rank | None
    ranks: Ranks
    suits: Suits | None
    cards: Cards


@lru_cache(maxsize=1024)
def _possible_seen(table: TableOfPlay, known: tuple[Card | None, ...], sight: Sight) -> frozenset[Outcome]:
    """The same for bets that look at ranks by place or at suits."""
    players = _starts(known[0], known[2], sight, 0)
    bankers = _starts(known[1], known[3], sight, 1)
    starts = {
        (
            player.total,
            banker.total,
            pairs_of(player.pair, banker.pair),
            player.ranks,
            banker.ranks,
            (player.suits, banker.suits),
            (player.cards, banker.cards),
        )
        for player, banker in product(players, bankers)
    }
    endings = {}
    seen_outcomes = set()
    for player, banker, pairs, player_ranks, banker_ranks, suits, cards in starts:
        if (player, banker) not in endings:
            endings[player, banker] = _seen_endings(table, player, banker, known[INITIAL:], sight)
        for ending, player_third, banker_third, thirds in endings[player, banker]:
            ranks = (*player_ranks, player_third, *banker_ranks, banker_third)
            seen = (*cards[0], thirds[0], *cards[1], thirds[1]) if sight.cards else ()
            seen_outcomes.add(Outcome(*ending, pairs, ranks, suits, seen))
    return frozenset(seen_outcomes)


def _starts(first: Card | None, second: Card | None, sight: Sight, side: int) -> set[_Start]:
    def kinds(one: Card, other: Card) -> tuple[Suits | None, ...]:
        if not sight.suits[side]:
            return (None,)
        known = sight.cards or not (first is None or second is None)
        return (suits_of(one, other),) if known else tuple(Suits)

    return {
        _Start(
            (a.points + b.points) % 10,
            a.rank if a.rank is b.rank else None,
            (sight.of(3 * side, a.rank), sight.of(3 * side + 1, b.rank)),
            suits,
            (_as_seen(a, 3 * side, sight), _as_seen(b, 3 * side + 1, sight)),
        )
        for a, b in product(_may_be(first, sight), _may_be(second, sight))
        for suits in kinds(a, b)
    }


def _may_be(card: Card | None, sight: Sight) -> Sequence[Card]:
    """What an unknown card may be: in every suit where single cards are told apart, else in one."""
    if card is not None:
        return (card,)
    return DECK if sight.cards else DECK[: len(Rank)]


def _as_seen(card: Card | None, place: int, sight: Sight) -> Card | None:
    return card and sight.cards[place][NUMBERS[card]] if sight.cards else None


def _seen_endings(
    table: TableOfPlay, player: int, banker: int, thirds: tuple[Card | None, ...], sight: Sight
) -> set[tuple[tuple[int, int, int, int], Rank | None, Rank | None, Cards]]:
    """Every ending from two-card totals, with the third cards of both hands as they are seen."""
    endings = set()
    for fifth, sixth in product(*(_may_be(third, sight) for third in thirds)):
        ending = play_out(table, player, banker, (fifth.points, sixth.points))
        drew = third_cards(ending, fifth, sixth)
        players, bankers = (
            sight.of(place, card and card.rank) for place, card in zip((2, 5), drew, strict=True)
        )
        seen = tuple([_as_seen(card, place, sight) for place, card in zip((2, 5), drew, strict=True)])
        endings.add((ending, players, bankers, seen))
    return endings
