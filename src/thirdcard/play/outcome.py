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
from thirdcard.rulebook.sums import NUMBERS, Cards
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
        )
        for player, banker in product(players, bankers)
    }
    endings = {}
    seen_outcomes = set()
    for player, banker, pairs, player_ranks, banker_ranks, suits in starts:
        if (player, banker) not in endings:
            endings[player, banker] = _seen_endings(table, player, banker, known[INITIAL:], sight)
        for ending, player_third, banker_third in endings[player, banker]:
            ranks = (*player_ranks, player_third, *banker_ranks, banker_third)
            seen_outcomes.add(Outcome(*ending, pairs, ranks, suits))
    return frozenset(seen_outcomes)


def _starts(first: Card | None, second: Card | None, sight: Sight, side: int) -> set[_Start]:
    def kinds() -> tuple[Suits | None, ...]:
        if not sight.suits[side]:
            return (None,)
        return tuple(Suits) if first is None or second is None else (suits_of(first, second),)

    return {
        _Start(
            (a.points + b.points) % 10,
            a if a is b else None,
            (sight.of(3 * side, a), sight.of(3 * side + 1, b)),
            suits,
        )
        for a in (Rank if first is None else (first.rank,))
        for b in (Rank if second is None else (second.rank,))
        for suits in kinds()
    }


def _seen_endings(
    table: TableOfPlay, player: int, banker: int, thirds: tuple[Card | None, ...], sight: Sight
) -> set[tuple[tuple[int, int, int, int], Rank | None, Rank | None]]:
    """Every ending from two-card totals, with the third cards of both hands as they are seen."""
    fifths, sixths = (Rank if third is None else (third.rank,) for third in thirds)
    endings = set()
    for fifth, sixth in product(fifths, sixths):
        ending = play_out(table, player, banker, (fifth.points, sixth.points))
        player_third, banker_third = third_cards(ending, fifth, sixth)
        endings.add((ending, sight.of(2, player_third), sight.of(5, banker_third)))
    return endings
