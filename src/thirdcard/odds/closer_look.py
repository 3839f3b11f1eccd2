"""What bets that look closer tell apart: cards by place, counts of cards, suits, pairs with totals."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, reduce
from itertools import product
from math import isqrt
from operator import add, or_
from typing import NamedTuple, TypeAlias

import msgspec

from thirdcard.cards import Card, Rank, Suit
from thirdcard.rulebook.conditions import (
    HandWhen,
    Outcome,
    Pairs,
    Ranks,
    Row,
    Sight,
    Suits,
    every_part,
    matches,
    pairs_of,
    rows_of,
    sight_of_whens,
)
from thirdcard.rulebook.model import Bet, Side, TableOfPlay, When
from thirdcard.rulebook.sums import DECK, NUMBERS, Sum
from thirdcard.rulebook.third_cards import every_ending, third_cards

Results: TypeAlias = tuple[str, ...]  # the result of each bet
Bits: TypeAlias = int  # one for each row that holds, or for each way that two suits go together
Added: TypeAlias = tuple[int, ...]  # what some cards count in each sum

WON_BY_ONE = {"player": (1, 0), "banker": (0, 1), "tie": (0, 0)}


class StartingHand(NamedTuple):
    """First two cards by letters, the smaller first; `orders` says whether they may lie either way.

    Cards that the bets cannot tell apart share a letter.
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

    letters: tuple[int, ...]  # of each card
    kinds: tuple[int, ...]  # of third card, for each letter
    suited: bool
    by_card: bool  # whether some suit is told from another
    printed: tuple[int, int] | None  # the letter and the suit of a card that is in no shoe
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
    added: Added
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
    whens = [part for when in bet.whens for part in every_part(when)]
    hands = [hand for side in Side for hand in conditions_on(side, whens)]
    return any(when.pair is not None for when in whens) or any(hand.pair is not None for hand in hands)


class Lines(NamedTuple):
    """Everything that wins a bet or pushes it, row by row, and the sums that rows ask for."""

    rows: tuple[Row, ...]
    results: tuple[tuple[str, ...], ...]  # of each bet: what each of its rows comes to
    sums: tuple[Sum, ...]

    @property
    def whens(self) -> list[When]:
        return [when for row in self.rows for when in row.whens]


def _lines_of(bets: tuple[Bet, ...]) -> Lines:
    rows: list[Row] = []
    results = []
    for bet in bets:
        lines = [(tier.tier, tier.when) for tier in bet.pays]
        lines += [(push.tier, push.when) for push in bet.every_push]
        own = [(name, row) for name, when in lines for row in rows_of(when)]
        results.append(tuple([name for name, _ in own]))
        rows += [row for _, row in own]
    return Lines(tuple(rows), tuple(results), tuple(dict.fromkeys(one for row in rows for one in row.sums)))


@lru_cache(maxsize=128)
def closer_look(table: TableOfPlay, bets: tuple[Bet, ...]) -> CloserLook:
    """The classes of starts that these bets tell apart, and their results in each."""
    lines = _lines_of(bets)
    whens, sums = lines.whens, lines.sums
    sight, paired = sight_of_whens(when for bet in bets for when in bet.whens), any(map(asks_for_pairs, bets))
    asked = [conditions_on(side, whens) for side in Side]
    thirds = [hand.third for hands in asked for hand in hands]
    named = [*thirds, *(ranks for hands in asked for hand in hands for ranks in (hand.first, hand.second))]
    counts = {card: tuple([values[NUMBERS[card]] for one in sums for values in one.values]) for card in DECK}
    last = {card: tuple([one.values[at][NUMBERS[card]] for one in sums for at in (2, 5)]) for card in DECK}
    letters = _numbered(
        (card.points, paired and card.rank, *_among(card.rank, named), counts[card]) for card in DECK
    )
    kinds = _numbered((card.points, *_among(card.rank, thirds), last[card]) for card in DECK)
    pair_suits = [when.pair_suits for when in whens]
    printed = Card(table.printed) if table.printed else None
    players, bankers = (
        _classes(_samples(letters), hands, pair_suits, sums, side, paired=paired, printed=first)
        for side, (hands, first) in enumerate(zip(asked, (printed, None), strict=True))
    )
    drawn = [*_samples(kinds), *([printed] if printed else [])]  # which nobody ever draws, being the last
    results: dict[Results, int] = {}
    settle = _settling(table, lines, sight, drawn, results)
    by_player, ended = _merged(players, [[settle(player, other) for other in bankers] for player in players])
    by_banker, ended = _merged(bankers, list(zip(*ended, strict=True)))
    return CloserLook(
        letters,
        (*(kinds[NUMBERS[card]] for card in _samples(letters)), *([max(kinds) + 1] if printed else [])),
        sight.suited,
        any(letters[number] != letters[number % len(Rank)] for number in range(len(DECK))),
        (max(letters) + 1, tuple(Suit).index(printed.suit)) if printed else None,
        by_player,
        by_banker,
        tuple(zip(*ended, strict=True)),
        tuple(results),
    )


def _settling(  # noqa: C901 - what each step keeps
    table: TableOfPlay, lines: Lines, sight: Sight, thirds: list[Card], results: dict[Results, int]
) -> Callable[[HandClass, HandClass], Ends]:
    """Settles classes of starts, and numbers the results as they come.

    For every row the pairs of next cards that leave it open are the bits of one number.
    """
    rows, sums = lines.rows, lines.sums
    of_starts = [tuple([_of_start(when) for when in row.whens]) for row in rows]
    of_ends = [tuple([_of_end(when) for when in row.whens]) for row in rows]
    asked = [tuple([sums.index(one) for one in row.sums]) for row in rows]
    winners, endings = tuple(WON_BY_ONE), every_ending(table)

    @cache
    def open_to(pairs: Pairs, player: SampleHand, banker: SampleHand) -> tuple[Bits, ...]:
        """The rows that a start leaves open: if the Player wins, the Banker, nobody."""
        ranks, suits = (*player.ranks, None, *banker.ranks, None), (player.suits, banker.suits)
        return tuple(
            [_bits(of_starts, Outcome(*totals, 2, 2, pairs, ranks, suits)) for totals in WON_BY_ONE.values()]
        )

    @cache
    def met(ending: tuple[int, int, int, int], *drew: Card | None) -> tuple[int, Bits, Added]:
        """Who wins, the rows that such an end meets, and what its third cards count in sums."""
        seen = [sight.of(place, card and card.rank) for place, card in zip((2, 5), drew, strict=True)]
        outcome = Outcome(*ending, "none", (None, None, seen[0], None, None, seen[1]))
        counts = tuple([one.begun((2, 5), drew) for one in sums])
        return winners.index(outcome.winner), _bits(of_ends, outcome), counts

    @cache
    def by_thirds(player: int, banker: int) -> tuple[dict[tuple[int, Bits], Bits], dict[Added, Bits]]:
        """From two-card totals: the next two cards by what they meet, and by what they count in sums."""
        meeting: dict[tuple[int, Bits], Bits] = {}
        counting: dict[Added, Bits] = {}
        for at, (fifth, sixth) in enumerate(product(thirds, repeat=2)):
            ending = endings[player, banker, fifth.points, sixth.points]
            winner, held, counts = met(ending, *third_cards(ending, fifth, sixth))
            meeting[winner, held] = meeting.get((winner, held), 0) | 1 << at
            counting[counts] = counting.get(counts, 0) | 1 << at
        return meeting, counting

    @cache
    def met_by(row: int, player: int, banker: int, open_if: tuple[bool, ...]) -> Bits:
        """The next two cards with which a row holds but for its sums; `open_if` is by winner."""
        meeting, _ = by_thirds(player, banker)
        return _any_of(at for (winner, held), at in meeting.items() if open_if[winner] and held >> row & 1)

    @cache
    def summed(row: int, player: int, banker: int, begun: Added) -> Bits:
        """Those with which its sums are right, from what the first four cards count in them."""
        _, counting = by_thirds(player, banker)
        right = [(at, one.allowed) for at, one in zip(asked[row], rows[row].sums, strict=True)]
        return _any_of(
            at
            for counts, at in counting.items()
            if all(first + counts[of] in allowed for first, (of, allowed) in zip(begun, right, strict=True))
        )

    @cache
    def ends(held: tuple[Bits, ...]) -> Ends:
        cells = zip(*(f"{bits:0{len(thirds) ** 2}b}" for bits in reversed(held)), strict=True)
        return _shortest([number(cell) for cell in reversed(list(cells))])

    @cache
    def number(cell: tuple[str, ...]) -> int:
        found = tuple(_first_of_each(lines.results, int("".join(cell), 2)))
        return results.setdefault(found, len(results))

    @cache
    def settled(player: int, banker: int, still: tuple[Bits, ...], begun: Added) -> Ends:
        held = []
        for row, of in enumerate(asked):
            bits = met_by(row, player, banker, tuple([bool(some >> row & 1) for some in still]))
            if bits and of:
                bits &= summed(row, player, banker, tuple([begun[at] for at in of]))
            held.append(bits)
        return ends(tuple(held))

    return lambda player, banker: settled(
        player.total,
        banker.total,
        open_to(pairs_of(player.pair, banker.pair), player.seen, banker.seen),
        tuple(map(add, player.added, banker.added)),
    )


def _any_of(some: Iterable[Bits]) -> Bits:
    return reduce(or_, some, 0)


def _among(rank: Rank, named: Iterable[tuple[str, ...]]) -> list[bool]:
    return [rank.letter in ranks for ranks in named]


def _numbered(keys: Iterable[tuple[object, ...]]) -> tuple[int, ...]:
    """From 0, the same number for the same key."""
    numbers: dict[tuple[object, ...], int] = {}
    return tuple([numbers.setdefault(key, len(numbers)) for key in keys])


def _samples(numbers: tuple[int, ...]) -> list[Card]:
    """The first card that has each number."""
    return [DECK[numbers.index(number)] for number in range(max(numbers) + 1)]


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


def _bits(rows: list[tuple[When, ...]], outcome: Outcome) -> Bits:
    return sum(
        [1 << number for number, row in enumerate(rows) if all(matches(when, outcome) for when in row)]
    )


def _first_of_each(results: tuple[tuple[str, ...], ...], held: Bits) -> Iterator[str]:
    """The result of each bet where these of all rows hold: the first one's, or a loss."""
    for names in results:
        yield next((name for number, name in enumerate(names) if held >> number & 1), "lose")
        held >>= len(names)


def _classes(  # noqa: PLR0913 - what hands are sorted by
    cards: list[Card],
    conditions: tuple[HandWhen, ...],
    pair_suits: list[tuple[Suits, ...]],
    sums: tuple[Sum, ...],
    side: int,
    *,
    paired: bool,
    printed: Card | None = None,
) -> list[HandClass]:
    """A hand's first two cards, sorted by their total, by pairs and by what is asked of them."""
    places = 3 * side, 3 * side + 1
    classes: dict[tuple[object, ...], HandClass] = {}
    samples: dict[tuple[bool, ...], SampleHand] = {}
    lettered = tuple(enumerate(cards))
    begins = ((len(cards), printed),) if printed else lettered
    for (a, left), (b, right), (number, suits) in product(begins, lettered, enumerate(Suits)):
        both = left, right
        first, second = left.rank, right.rank
        pair = first if paired and first is second else None
        fits = [_fits(hand, first, second, pair, suits) for hand in conditions]
        fits += [suits in wanted for wanted in pair_suits if pair]
        seen = samples.setdefault((pair is not None, *fits), SampleHand((first, second), suits))
        total = (first.points + second.points) % 10
        added = tuple([one.begun(places, both) for one in sums])
        alike = classes.setdefault(
            (total, pair, added, *fits), HandClass(total, pair, seen, added, Counter())
        )
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
