"""What bets that look closer tell apart: ranks by place, suits of the first two cards, pairs with totals."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import product
from math import isqrt
from typing import NamedTuple, TypeAlias

import msgspec

from thirdcard.cards import Rank
from thirdcard.odds.composition import VALUES
from thirdcard.rulebook.conditions import (
    HandWhen,
    Outcome,
    Pairs,
    Ranks,
    Sight,
    Suits,
    matches,
    pairs_of,
    sight_of_whens,
)
from thirdcard.rulebook.model import Bet, Side, TableOfPlay, When
from thirdcard.rulebook.third_cards import play_out

Results: TypeAlias = tuple[str, ...]  # the result of each bet
Bits: TypeAlias = int  # one for each condition that holds, or for each way that two suits go together

WON_BY_ONE = {"player": (1, 0), "banker": (0, 1), "tie": (0, 0)}


class StartingHand(NamedTuple):
    """First two cards by letters, the smaller first; `orders` says whether they may lie either way.

    Ranks that the bets cannot tell apart share a letter.
    """

    first: int
    second: int
    suits: Bits
    orders: int


class Ends(NamedTuple):
    """The results that a class of starts may have, as numbers: by none, one or both of the next two cards."""

    cards: int
    results: tuple[int, ...]


class CloserLook(NamedTuple):
    """Everything about some bets that does not depend on the cards left."""

    letters: tuple[int, ...]  # of each rank
    kinds: tuple[int, ...]  # of third card, for each letter
    suited: bool
    players: tuple[tuple[StartingHand, ...], ...]  # by class
    bankers: tuple[tuple[StartingHand, ...], ...]
    ends: tuple[tuple[Ends, ...], ...]  # [Player's class][Banker's]
    results: tuple[Results, ...]


class SampleHand(NamedTuple):
    """First two cards as an outcome has them."""

    ranks: Ranks
    suits: Suits


class HandClass(NamedTuple):
    """Hands that are alike to the bets, counted by letters and suits; `seen` is how they are seen."""

    total: int
    pair: Rank | None
    seen: SampleHand
    hands: Counter[tuple[int, int, Bits]]


def conditions_on(side: Side, whens: Iterable[When]) -> tuple[HandWhen, ...]:
    """All that is asked of one hand, also where it is asked of the winning or the losing one."""
    asked = [
        hand
        for when in whens
        for hand in (when.player if side is Side.PLAYER else when.banker, when.winning, when.losing)
    ]
    return tuple(dict.fromkeys(hand for hand in asked if hand is not None))


def asks_for_pairs(bet: Bet) -> bool:
    hands = [hand for side in Side for hand in conditions_on(side, bet.whens)]
    return any(when.pair is not None for when in bet.whens) or any(hand.pair is not None for hand in hands)


@lru_cache(maxsize=128)
def closer_look(table: TableOfPlay, bets: tuple[Bet, ...]) -> CloserLook:
    """The classes of starts that these bets tell apart, and their results in each."""
    whens = [when for bet in bets for when in bet.whens]
    sight, paired = sight_of_whens(whens), any(map(asks_for_pairs, bets))
    asked = [conditions_on(side, whens) for side in Side]
    thirds = [hand.third for hands in asked for hand in hands]
    named = [*thirds, *(ranks for hands in asked for hand in hands for ranks in (hand.first, hand.second))]
    letters = _numbered((rank.points, paired and rank, *_among(rank, named)) for rank in Rank)
    kinds = _numbered((rank.points, *_among(rank, thirds)) for rank in Rank)
    pair_suits = [when.pair_suits for when in whens]
    players, bankers = (_classes(_samples(letters), hands, pair_suits, paired=paired) for hands in asked)
    results: dict[Results, int] = {}
    settle = _settling(table, bets, sight, _samples(kinds), results)
    by_player, lines = _merged(players, [[settle(player, other) for other in bankers] for player in players])
    by_banker, lines = _merged(bankers, list(zip(*lines, strict=True)))
    return CloserLook(
        letters,
        tuple([kinds[rank - 1] for rank in _samples(letters)]),
        any(sight.suits),
        by_player,
        by_banker,
        tuple(zip(*lines, strict=True)),
        tuple(results),
    )


def _settling(
    table: TableOfPlay, bets: tuple[Bet, ...], sight: Sight, thirds: list[Rank], results: dict[Results, int]
) -> Callable[[HandClass, HandClass], Ends]:
    """Settles classes of starts, and numbers the results as they come."""
    whens = [when for bet in bets for when in bet.whens]
    of_starts, of_ends = [_of_start(when) for when in whens], [_of_end(when) for when in whens]

    @cache
    def open_to(pairs: Pairs, player: SampleHand, banker: SampleHand) -> tuple[Bits, ...]:
        """The conditions that a start leaves open: if the Player wins, the Banker, nobody."""
        ranks, suits = (*player.ranks, None, *banker.ranks, None), (player.suits, banker.suits)
        return tuple(
            [_bits(of_starts, Outcome(*totals, 2, 2, pairs, ranks, suits)) for totals in WON_BY_ONE.values()]
        )

    @cache
    def met(outcome: Outcome) -> tuple[int, Bits]:
        """Who wins, and the conditions that such an end meets."""
        return tuple(WON_BY_ONE).index(outcome.winner), _bits(of_ends, outcome)

    @cache
    def by_thirds(player: int, banker: int) -> tuple[list[tuple[int, Bits]], list[int]]:
        """What may be met from two-card totals, and by the next two cards which of it is."""
        drawn = product(thirds, repeat=2)
        found = [met(_outcome(table, sight, (player, banker), two)) for two in drawn]
        different = list(dict.fromkeys(found))
        return different, [different.index(one) for one in found]

    @cache
    def number(held: Bits) -> int:
        return results.setdefault(tuple(_first_of_each(bets, held)), len(results))

    @cache
    def ends(player: int, banker: int, still: tuple[Bits, ...]) -> Ends:
        different, order = by_thirds(player, banker)
        numbers = [number(still[winner] & held) for winner, held in different]
        return _shortest([numbers[at] for at in order])

    return lambda player, banker: ends(
        player.total, banker.total, open_to(pairs_of(player.pair, banker.pair), player.seen, banker.seen)
    )


def _among(rank: Rank, named: Iterable[tuple[str, ...]]) -> list[bool]:
    return [rank.letter in ranks for ranks in named]


def _numbered(keys: Iterable[tuple[object, ...]]) -> tuple[int, ...]:
    """From 0, the same number for the same key."""
    numbers: dict[tuple[object, ...], int] = {}
    return tuple([numbers.setdefault(key, len(numbers)) for key in keys])


def _samples(numbers: tuple[int, ...]) -> list[Rank]:
    """The first rank that has each number."""
    return [Rank(numbers.index(number) + 1) for number in range(max(numbers) + 1)]


def _of_start(when: When) -> When:
    """What a condition asks of first two cards; with `_of_end` it is the whole condition."""
    asked = When(pair=when.pair, pair_suits=when.pair_suits)
    return msgspec.structs.replace(asked, **asked_of_hands(when, "pair", "suits", "first", "second"))


def _of_end(when: When) -> When:
    """What a condition asks of totals, numbers of cards and third cards."""
    hands = asked_of_hands(when, "total", "cards", "natural", "third")
    return msgspec.structs.replace(when, pair=None, pair_suits=(), **hands)


def asked_of_hands(when: When, *fields: str) -> dict[str, HandWhen]:
    """What a condition asks of hands, as far as these fields go."""
    asked = {name: getattr(when, name) for name in ("player", "banker", "winning", "losing")}
    return {
        name: HandWhen(**{field: getattr(hand, field) for field in fields})
        for name, hand in asked.items()
        if hand is not None
    }


def _bits(whens: list[When], outcome: Outcome) -> Bits:
    return sum([1 << number for number, when in enumerate(whens) if matches(when, outcome)])


def _first_of_each(bets: tuple[Bet, ...], held: Bits) -> Iterator[str]:
    """The result of each bet where these of all their conditions hold: the first one's, or a loss."""
    for bet in bets:
        names = [*(tier.tier for tier in bet.pays), *(push.tier for push in bet.every_push)]
        yield next((name for number, name in enumerate(names) if held >> number & 1), "lose")
        held >>= len(names)


def _classes(
    ranks: list[Rank],
    conditions: tuple[HandWhen, ...],
    pair_suits: list[tuple[Suits, ...]],
    *,
    paired: bool,
) -> list[HandClass]:
    """A hand's first two cards, sorted by their total, by pairs and by what is asked of them."""
    classes: dict[tuple[object, ...], HandClass] = {}
    samples: dict[tuple[bool, ...], SampleHand] = {}
    for (a, first), (b, second), (number, suits) in product(
        enumerate(ranks), enumerate(ranks), enumerate(Suits)
    ):
        pair = first if paired and a == b else None
        fits = [_fits(hand, first, second, pair, suits) for hand in conditions]
        fits += [suits in wanted for wanted in pair_suits if pair]
        seen = samples.setdefault((pair is not None, *fits), SampleHand((first, second), suits))
        total = (first.points + second.points) % 10
        alike = classes.setdefault((total, pair, *fits), HandClass(total, pair, seen, Counter()))
        alike.hands[min(a, b), max(a, b), 1 << number] += 1
    return list(classes.values())


def _fits(asked: HandWhen, first: Rank, second: Rank, pair: Rank | None, suits: Suits) -> bool:
    """Whether first two cards are such as a condition asks for."""
    return (
        (not asked.first or first.letter in asked.first)
        and (not asked.second or second.letter in asked.second)
        and asked.pair in (None, pair is not None)
        and (not asked.suits or suits in asked.suits)
    )


@lru_cache(maxsize=16)
def _endings(table: TableOfPlay) -> dict[tuple[int, ...], tuple[int, int, int, int]]:
    """Totals and numbers of cards, by two-card totals and points of the next two cards."""
    return {
        (player, banker, fifth, sixth): play_out(table, player, banker, (fifth, sixth))
        for player, banker, fifth, sixth in product(range(10), repeat=4)
    }


def _outcome(table: TableOfPlay, sight: Sight, totals: tuple[int, int], drawn: tuple[Rank, ...]) -> Outcome:
    """How a round ends from two-card totals and the next two cards; third cards as they are seen."""
    fifth, sixth = drawn
    ending = _endings(table)[*totals, VALUES[fifth - 1], VALUES[sixth - 1]]
    drew_player, drew_banker = ending[2] > 2, ending[3] > 2  # noqa: PLR2004 - a third card
    players = sight.of(2, fifth) if drew_player else None
    bankers = sight.of(5, sixth if drew_player else fifth) if drew_banker else None
    return Outcome(*ending, "none", (None, None, players, None, None, bankers))


def _shortest(results: list[int]) -> Ends:
    """Results by the next two cards, without the cards that do not matter."""
    if len(set(results)) == 1:
        return Ends(0, (results[0],))
    size = isqrt(len(results))
    by_first = results[::size]
    alike = all(results[second::size] == by_first for second in range(size))
    return Ends(1, tuple(by_first)) if alike else Ends(2, tuple(results))


def _merged(
    classes: Sequence[HandClass], ends: Sequence[Sequence[Ends]]
) -> tuple[tuple[tuple[StartingHand, ...], ...], list[tuple[Ends, ...]]]:
    """Classes that always end alike as one: their hands, and how they end."""
    merged: dict[tuple[Ends, ...], Counter[tuple[int, int, Bits]]] = {}
    for one, line in zip(classes, ends, strict=True):
        merged.setdefault(tuple(line), Counter()).update(one.hands)
    hands = []
    for counted in merged.values():
        ways: Counter[tuple[int, int, int]] = Counter()
        for (first, second, bit), orders in counted.items():
            ways[first, second, orders] += bit
        hands.append(tuple([StartingHand(a, b, suits, orders) for (a, b, orders), suits in ways.items()]))
    return tuple(hands), list(merged)
