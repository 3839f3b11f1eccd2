"""Every outcome that can be dealt, as closely as some conditions look, and the smallest round of each."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple, TypeAlias, get_args

import msgspec

from thirdcard.cards import Card, Rank
from thirdcard.rulebook.conditions import (
    BY_LETTER,
    HandWhen,
    Outcome,
    Pairs,
    Suits,
    every_part,
    hands_of,
    pairs_of,
    suits_of,
    sums_of_hand,
    sums_of_round,
)
from thirdcard.rulebook.model import TableOfPlay, When
from thirdcard.rulebook.sums import NUMBERS, Cards, Sum, by_rank, seen_alike
from thirdcard.rulebook.third_cards import every_ending, third_cards

TOTALS: Final = range(10)
SUIT_LETTERS: Final = (  # of the Player's first two cards and of the Banker's, so that one deck may do
    {None: "SC", Suits.SAME: "SS", Suits.COLOUR: "SC", Suits.MIXED: "SD"},
    {None: "HD", Suits.SAME: "HH", Suits.COLOUR: "HD", Suits.MIXED: "CH"},
)


class Looks(msgspec.Struct, frozen=True):
    """What some conditions look at: those on each hand, whether they ask for pairs, and their suits.

    `sums` are those of single cards, `by_card` whether cards of one rank are told apart by them.
    """

    hands: tuple[tuple[HandWhen, ...], tuple[HandWhen, ...]]
    pairs: bool
    pair_suits: bool
    sums: tuple[Sum, ...] = ()
    by_card: bool = False

    def at_suits(self, side: int) -> bool:
        return self.pair_suits or any(condition.suits for condition in self.hands[side])


@lru_cache(maxsize=1024)
def looks_of(whens: tuple[When, ...]) -> Looks:
    hands: tuple[dict[HandWhen, None], dict[HandWhen, None]] = ({}, {})
    whens = tuple(part for when in whens for part in every_part(when))
    asked = [sums for when in whens for sums in sums_of_round(when)]
    for when in whens:
        for side, condition in hands_of(when):
            hands[side][condition] = None
            asked += sums_of_hand(condition, side)
    return Looks(
        (tuple(hands[0]), tuple(hands[1])),
        any(
            when.pair is not None or any(condition.pair is not None for _, condition in hands_of(when))
            for when in whens
        ),
        any(when.pair_suits for when in whens),
        tuple(dict.fromkeys(one for sums in asked for both in sums.either for one in both)),
        not all(map(by_rank, seen_alike(asked))),
    )


class _Hand(NamedTuple):
    """A hand's first two cards; `kind` tells apart what conditions tell apart, but for totals and pairs."""

    kind: tuple[object, ...]
    total: int
    pair: Rank | None
    suits: Suits | None
    samples: list[tuple[Card, ...]]

    @property
    def cards(self) -> tuple[Card, ...]:
        return self.samples[0]


class Dealt(NamedTuple):
    """An outcome, and the smallest round that ends in it.

    `thirds` are the cards that each third card may be; with `by_card` their suits are told apart.
    """

    outcome: Outcome
    player: _Hand
    banker: _Hand
    thirds: tuple[tuple[Card, ...], ...]
    by_card: bool

    @property
    def cards(self) -> str:
        """As they are drawn, of cards that are not there yet, if they can be."""
        rounds = (self._with(*hands) for hands in product(self.player.samples, self.banker.samples))
        first = next(rounds)
        whole = (cards for cards in (first, *rounds) if len(set(cards)) == len(cards))
        return " ".join(next(whole, first) if self.by_card else first)

    def _with(self, player: tuple[Card, ...], banker: tuple[Card, ...]) -> list[str]:
        cards = [card.value for both in zip(player, banker, strict=True) for card in both]
        for may_be in self.thirds:
            suited = [card.value for card in may_be]
            cards.append(
                min(suited if self.by_card else [suited[0][0] + suit for suit in "DCHS"], key=cards.count)
            )
        return cards


class _End(NamedTuple):
    """How a round ends: totals and numbers of cards, and for each hand a third card as good as its own."""

    counts: tuple[int, int, int, int]
    thirds: tuple[Card | None, Card | None]


_Endings: TypeAlias = dict[tuple[int, int], dict[_End, tuple[tuple[Card, ...], ...]]]
UNKNOWN: Final[Cards] = (None,) * 6
SAMPLES: Final = 12  # of a kind of hand, so that one deck may do


@lru_cache(maxsize=1024)
def count_of(table: TableOfPlay, looks: Looks) -> int:
    """How many outcomes there are at most."""
    if table.order:
        return len(Card) ** 2
    endings = _endings(table, looks, UNKNOWN)
    every = len({end for ends in endings.values() for end in ends})
    sides = []  # how many kinds of hands have one of these totals
    for side in (0, 1):
        totals: dict[tuple[object, ...], set[int]] = {}
        for hand in _hands(looks, side, None, None):
            totals.setdefault(hand.kind, set()).add(hand.total)
        sides.append(Counter(frozenset(total) for total in totals.values()))
    count = 0
    for (players, first), (bankers, second) in product(sides[0].items(), sides[1].items()):
        count += first * second * min(every, sum(len(endings[both]) for both in product(players, bankers)))
    return count * (len(get_args(Pairs)) if looks.pairs else 1)


def of_one_card(table: TableOfPlay, player: Card, banker: Card) -> Outcome:
    """The outcome where each hand has one card, by the order of the ranks."""
    first, second = (table.order.index(card.rank.letter) + 1 for card in (player, banker))
    six = (player, None, None, banker, None, None)
    ranks = tuple([card and card.rank for card in six])
    return Outcome(first, second, 1, 1, "none", ranks, (None, None), six)


@lru_cache(maxsize=64)
def every_outcome(table: TableOfPlay, looks: Looks, known: Cards = UNKNOWN) -> tuple[Dealt, ...]:
    """One outcome of each kind that the conditions can tell apart, those of the fewest cards first.

    Where none of them asks for pairs, none is told. `known` are cards in the order drawn that are there.
    """
    if table.order:
        return tuple(_of_one_card_each(table, known))
    known = (Card(table.printed), *known[1:]) if table.printed else known
    dealt: list[Dealt] = []
    endings = _endings(table, looks, known)
    told: dict[tuple[object, ...], set[_End]] = {}
    hands = (_hands(looks, side, known[side], known[side + 2]) for side in (0, 1))
    for player, banker in product(*hands):
        pairs = pairs_of(player.pair, banker.pair)
        before = told.setdefault((player.kind, banker.kind, pairs), set())
        ends = endings[player.total, banker.total]
        for end in (end for end in ends if end not in before):
            cards = (*player.cards, end.thirds[0], *banker.cards, end.thirds[1])
            ranks = tuple([card and card.rank for card in cards])
            seen = cards if looks.sums else ()
            outcome = Outcome(*end.counts, pairs, ranks, (player.suits, banker.suits), seen)
            dealt.append(Dealt(outcome, player, banker, ends[end], looks.by_card))
        before.update(ends)
    return tuple(sorted(dealt, key=lambda one: len(one.thirds)))


def _of_one_card_each(table: TableOfPlay, known: Cards) -> Iterator[Dealt]:
    for player, banker in product(_as_known(known[0]), _as_known(known[1])):
        outcome = of_one_card(table, player, banker)
        hands = [_Hand((), 0, None, None, [(card,)]) for card in (player, banker)]
        yield Dealt(outcome, hands[0], hands[1], (), by_card=True)


@lru_cache(maxsize=128)
def _hands(looks: Looks, side: int, first: Card | None, second: Card | None) -> list[_Hand]:
    """One hand of each kind with each total, and each pair if pairs are asked for."""
    hands: dict[tuple[object, ...], _Hand] = {}
    places = 3 * side, 3 * side + 1
    for cards, suits in _two_cards(looks, side, first, second):
        ranks = cards[0].rank, cards[1].rank
        pair = ranks[0] if ranks[0] is ranks[1] else None
        kind = (
            tuple([_begins(condition, *ranks, suits) for condition in looks.hands[side]]),
            suits if looks.pair_suits and pair else None,
            tuple([one.begun(places, cards) for one in looks.sums]),
        )
        total = (ranks[0].points + ranks[1].points) % 10
        hand = _Hand(kind, total, pair if looks.pairs else None, suits, [])
        samples = hands.setdefault(hand[:3], hand).samples
        if len(samples) < (SAMPLES if looks.by_card else 1):
            samples.append(cards)
    return list(hands.values())


def _two_cards(
    looks: Looks, side: int, first: Card | None, second: Card | None
) -> Iterator[tuple[tuple[Card, Card], Suits | None]]:
    """First two cards of a hand, in suits as far as anybody looks."""
    suited = looks.at_suits(side)
    if looks.by_card or first or second:
        turned = 1 - 2 * side
        both = product(_as_known(first)[::turned], _as_known(second)[::turned])
        for cards in sorted(both, key=lambda cards: cards[0] is cards[1]):  # one deck may do
            yield cards, suits_of(*cards) if suited else None
        return
    for one, other, suits in product(Rank, Rank, tuple(Suits) if suited else (None,)):
        letters = SUIT_LETTERS[side][suits]
        yield (Card(one.letter + letters[0]), Card(other.letter + letters[1])), suits


def _as_known(card: Card | None) -> tuple[Card, ...]:
    return tuple(Card) if card is None else (card,)


def _begins(condition: HandWhen, first: Rank, second: Rank, suits: Suits | None) -> bool:
    """Whether a condition on a hand holds as far as its first two cards go, sums left out."""
    return (
        (not condition.first or _may_be(condition.first, first))
        and (not condition.second or _may_be(condition.second, second))
        and (not condition.suits or suits in condition.suits)
        and condition.pair in (None, first is second)
    )


def _may_be(names: tuple[str, ...], rank: Rank) -> bool:
    """What names suits or single cards is asked as a sum."""
    return rank.letter in names or not BY_LETTER.keys() >= set(names)


def _endings(table: TableOfPlay, looks: Looks, known: Cards) -> _Endings:
    """How rounds may end that begin with these totals, and the third cards that are drawn then."""
    return _ways_to_end(table, *(_alike(looks, side) for side in (0, 1)), *known[4:])


@lru_cache(maxsize=64)
def _ways_to_end(
    table: TableOfPlay,
    players: tuple[Card, ...],
    bankers: tuple[Card, ...],
    fifth: Card | None,
    sixth: Card | None,
) -> _Endings:
    kinds: dict[tuple[object, ...], tuple[Card, ...]] = {}
    for card in sorted(Card, key=lambda card: card.rank):
        kind = (card.points, players[NUMBERS[card]], bankers[NUMBERS[card]])
        kinds[kind] = (*kinds.get(kind, ()), card)
    either = tuple(kinds.values())
    thirds = list(product([(fifth,)] if fifth else either, [(sixth,)] if sixth else either))
    every = every_ending(table)
    endings: _Endings = {}
    for totals in product(TOTALS, TOTALS):
        ends = endings.setdefault(totals, {})
        for one, other in thirds:
            counts = every[*totals, one[0].points, other[0].points]
            player, banker = third_cards(counts, one, other)
            as_good = (
                None if player is None else players[NUMBERS[player[0]]],
                None if banker is None else bankers[NUMBERS[banker[0]]],
            )
            ends.setdefault(_End(counts, as_good), tuple(cards for cards in (player, banker) if cards))
    return endings


@lru_cache(maxsize=1024)
def _alike(looks: Looks, side: int) -> tuple[Card, ...]:
    """For each third card of a hand the first that no condition tells from it."""
    first: dict[tuple[object, ...], Card] = {}
    place, thirds = 3 * side + 2, [condition.third for condition in looks.hands[side] if condition.third]
    alike = {}
    for card in sorted(Card, key=lambda card: card.rank):
        named = tuple([_may_be(names, card.rank) for names in thirds])
        counts = tuple([one.values[place][NUMBERS[card]] for one in looks.sums])
        alike[card] = first.setdefault((named, counts), card)
    return tuple([alike[card] for card in Card])
