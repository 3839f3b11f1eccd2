"""What the cards say: the outcome of a finished round, and all that a half-known one may still become."""

from functools import cache, lru_cache
from itertools import product
from typing import Literal, TypeAlias

import msgspec

from thirdcard.cards import Card, Rank
from thirdcard.play.tableau import INITIAL, Deal, play_out
from thirdcard.rulebook.model import TableOfPlay

Winner: TypeAlias = Literal["player", "banker", "tie"]
Pairs: TypeAlias = Literal["none", "player", "banker", "double", "twin"]


class Outcome(msgspec.Struct, frozen=True):
    """All that any bet depends on: totals, numbers of cards and pairs."""

    player: int
    banker: int
    player_cards: int
    banker_cards: int
    pairs: Pairs

    @property
    def winner(self) -> Winner:
        if self.player == self.banker:
            return "tie"
        return "player" if self.player > self.banker else "banker"


def pairs_of(player: Rank | None, banker: Rank | None) -> Pairs:
    """From the rank each hand's first two cards pair in, if they do."""
    if player is None:
        return "none" if banker is None else "banker"
    if banker is None:
        return "player"
    return "twin" if player is banker else "double"


def outcome_of(deal: Deal) -> Outcome:
    """The outcome of a whole round."""
    player, banker = deal.player, deal.banker
    return Outcome(
        deal.player_points,
        deal.banker_points,
        len(player),
        len(banker),
        pairs_of(
            player[0].rank if player[0].rank is player[1].rank else None,
            banker[0].rank if banker[0].rank is banker[1].rank else None,
        ),
    )


def possible(table: TableOfPlay, known: tuple[Card | None, ...]) -> frozenset[Outcome]:
    """Every outcome that the round may still have, whatever ranks come next (interpretation 24).

    `known` is the order drawn with `None` for a card nobody has seen; cards yet to come are left out.
    How many of a rank the shoe still holds is not considered.
    """
    return _possible(table, tuple(card and card.rank for card in known[:6]))


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
