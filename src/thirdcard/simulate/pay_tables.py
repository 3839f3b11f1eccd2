"""A rulebook as the kernels take it: tables that answer in one step what the play layer derives."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

import msgspec

from thirdcard.cards import Card, Rank, Suit
from thirdcard.odds.bet_values import cells_of
from thirdcard.odds.closer_look import asked_of_hands
from thirdcard.play.classes import CLASSES, PAIRS, number_of, outcomes
from thirdcard.play.tableau import INITIAL, LONGEST
from thirdcard.rulebook.conditions import (
    BY_LETTER,
    PLAIN,
    RED,
    Outcome,
    Suits,
    matches,
    rows_of,
    sight_of,
)
from thirdcard.rulebook.model import WHOLE, Bet, TableOfPlay, When
from thirdcard.rulebook.sums import DECK, MOST, PLACES, Sum
from thirdcard.rulebook.third_cards import play_out
from thirdcard.simulate.compiled import Bytes, Integers, np
from thirdcard.simulate.kernel import (
    BANKER,
    GOLDEN,
    LANES,
    NO_CARD,
    PLAYER,
    RANK,
    TIE,
    U64,
    Laid,
    Play,
    Room,
    ShoeKind,
    Tiers,
    lay_out,
)

BLOCK = 16  # draws are made in blocks of a vector register; the shoe is padded for the last one
LINE, PAGE = 64, 4096  # bytes
PICTURE = 32  # ten, jack, queen and king are 0, 32, 64 and 96: the low bits of a card are its points
CODES = tuple(rank.points + PICTURE * max(0, rank - Rank.TEN) for rank in Rank)  # ace to king
COLOUR, MAJOR = 128, 16  # the bits of a card that are its suit
SUIT_CODES = {suit: COLOUR * (suit in RED) + MAJOR * (suit in (Suit.SPADES, Suit.HEARTS)) for suit in Suit}


def room_for(shoe: ShoeKind) -> Room:
    """Room for two shoes, side by side: arrays placed by chance get into each other's way in the cache."""
    draws, places = shoe.bounds.size, shoe.last + 1
    rounds = shoe.last // INITIAL + 1  # in a shoe, if each takes four cards
    sizes = (
        shoe.fresh.size,
        *(2 * draws, 2 * draws, draws, 2 * draws),
        *(4 * places, 2 * places),
        4 * rounds,
    )  # bytes
    begins = np.cumsum([0, *(-(-size // LINE) * LINE for size in sizes)])
    whole = np.zeros(int(begins[-1]) + PAGE, np.uint8)
    page = whole[-whole.ctypes.data % PAGE :]
    cards, words, picks, rejected, dealt, keys, rests, classes = (
        page[begin : begin + size] for begin, size in zip(begins, sizes, strict=False)
    )
    return Room(
        cards,
        words.view(np.uint64),
        words.view(np.uint16),
        picks.view(np.uint16),
        picks.view(np.uint64),
        rejected,
        rejected.view(np.uint64),
        dealt.view(np.uint64).reshape(2, -1),
        dealt.reshape(2, -1),
        keys.view(np.uint16).reshape(2, -1),
        keys.reshape(2, -1),
        rests.reshape(2, -1),
        classes.view(np.uint16),
    )


def room_to_lay() -> Laid:
    return Laid(*(np.zeros(LONGEST, np.uint8) for _ in Laid._fields))


def shoe_of(decks: int, cut: int, *, suits: bool = False) -> ShoeKind:
    """That many decks with the cut card that many cards from the end (at least the six of a round).

    With `suits` or without, the same seed deals the same ranks.
    """
    fresh = np.repeat(np.array(CODES, np.uint8), len(Suit) * decks)
    if suits:
        fresh |= np.resize(np.array(list(SUIT_CODES.values()), np.uint8), len(fresh))
    cards = len(fresh)
    last = cards - cut
    drawn = last + LONGEST
    bounds = np.ones(-(-drawn // BLOCK) * BLOCK, np.uint16)
    bounds[:drawn] = np.arange(cards, cards - drawn, -1)
    floors = ((1 << 16) % bounds.astype(np.uint32)).astype(np.uint16)
    steps = np.arange(bounds.size // LANES, dtype=np.uint64) * GOLDEN
    return ShoeKind(np.concatenate([fresh, np.zeros(BLOCK, np.uint8)]), bounds, floors, steps, last, drawn)


def shoes(shoe: ShoeKind, *, seed: int, stream: int, first: int = 0, count: int = 1) -> Integers:
    """Ranks (1 to 13) in the order drawn of some shoes of a stream, one row each, as far as shuffled."""
    ranks = np.zeros(256, np.int64)
    ranks[list(CODES)] = list(Rank)
    dealt: Integers = ranks[coded(shoe, seed=seed, stream=stream, first=first, count=count) & RANK]
    return dealt


def cards_of(shoe: ShoeKind, *, seed: int, stream: int, number: int = 0) -> tuple[Card, ...]:
    """The cards of one shoe of a stream in the order drawn; of one without suits they are all of one suit."""
    cards = {
        code + suit_code: Card(rank.letter + suit.value)
        for rank, code in zip(Rank, CODES, strict=True)
        for suit, suit_code in SUIT_CODES.items()
    }
    return tuple(cards[code] for code in coded(shoe, seed=seed, stream=stream, first=number)[0].tolist())


def coded(shoe: ShoeKind, *, seed: int, stream: int, first: int = 0, count: int = 1) -> Bytes:
    """The same as kernels have them, `CODES` with those of the suits."""
    out = np.empty((count, shoe.drawn), np.uint8)
    lay_out(shoe, U64(seed), stream, first, room_for(shoe), out)
    return out


SUMS = 19  # two cards have 0 to 18 points before their total is taken
SUITS = (Suits.SAME, Suits.COLOUR, Suits.MIXED, Suits.MIXED)  # of two cards, by the bits they differ in
PUSHED, LOST = (0, 1), (-1, 1)
WINNERS = {"tie": TIE, "player": PLAYER, "banker": BANKER}


def play_of(table: TableOfPlay) -> Play:
    by_totals = np.zeros((10, 10, 10), np.uint16)
    rows: dict[tuple[int, ...], int] = {}
    for player, banker, fifth in np.ndindex(by_totals.shape):
        ends = [_ending(table, player, banker, (fifth, sixth)) for sixth in range(10)]
        row = tuple([number for number, _ in ends])
        by_totals[player, banker, fifth] = rows.setdefault(row, len(rows)) << 3 | ends[0][1]
    totals = np.arange(SUMS) % 10
    replies = np.zeros((32, 32, 16), np.uint16)
    replies[:SUMS, :SUMS, :10] = by_totals[np.ix_(totals, totals)]
    endings = np.zeros((len(rows), 16), np.uint16)
    endings[:, :10] = list(rows)
    winners = np.array([WINNERS[outcome.winner] for outcome in outcomes()], np.int64)
    return Play(replies.ravel(), endings.ravel(), winners)


def _ending(table: TableOfPlay, player: int, banker: int, thirds: tuple[int, int]) -> tuple[int, int]:
    """The class of a round and its number of cards, from two-card totals and what would be drawn next."""
    ending = play_out(table, player, banker, thirds)
    return number_of(Outcome(*ending, PAIRS[0])), sum(ending[2:])


def is_plain(bet: Bet) -> bool:
    """Whether the class of a round settles the bet: it looks at no single card, and a push returns all."""
    return sight_of(bet) is PLAIN and all(push.returned == WHOLE for push in bet.every_push)


def pays_of(bet: Bet) -> Integers:
    """What each class pays on the bet as two rows, numerators and denominators: -1/1 is lost, 0/1 a push.

    A bet that classes do not settle is lost but for its tiers.
    """
    if not is_plain(bet):
        return np.repeat(np.array([[LOST[0]], [LOST[1]]], np.int64), CLASSES, axis=1)
    ratios = {tier.tier: tier.odds.ratio.as_integer_ratio() for tier in bet.pays}
    ratios |= {push.tier: PUSHED for push in bet.every_push} | {"lose": LOST}
    needs, results = cells_of(bet)
    paid = np.array([ratios[came] for came in results], np.int64).T
    if needs == "endings":  # a cell for each class without pairs
        return np.repeat(paid, len(PAIRS), axis=1)
    return np.tile(paid, CLASSES // len(results))  # a cell for each kind of pairs, or for each class


class Pay(NamedTuple):
    """What a tier or push pays, as numerator and denominator, and on which bet."""

    bet: str
    ratio: tuple[int, int]


def tiers_of(bets: Mapping[str, Bet]) -> tuple[Tiers, tuple[Pay, ...]]:
    """The tiers and pushes of those bets that classes do not settle, in the order in which they are tried.

    One that holds in several ways is there once for each, and one that speaks of the winning or losing hand
    once for each winner, who says which hand that is.
    """
    tables, pays, sums = [], [], []
    closer = [name for name, bet in bets.items() if not is_plain(bet)]
    for name in closer:
        lines = [(tier.when, tier.odds.ratio.as_integer_ratio()) for tier in bets[name].pays]
        lines += [(push.when, (push.returned - 1).as_integer_ratio()) for push in bets[name].every_push]
        for row, ratio in ((row, ratio) for when, ratio in lines for row in rows_of(when)):
            by_winner = any(when.winning or when.losing for when in row.whens)
            for winner in ("player", "banker") if by_winner else (None,):
                fitting = (find(row.whens, winner) for find in (_endings, _pairs, _ranks))
                tables.append(tuple(fitting))
                pays.append(Pay(name, ratio))
                sums.append(row.sums)
    endings, pairs, ranks = (np.array(found, np.uint8) for found in zip(*tables, strict=True))
    every = [one for own in sums for one in own]
    tiers = Tiers(
        endings,
        pairs,
        ranks,
        np.array([closer.index(pay.bet) for pay in pays], np.int64),
        np.cumsum([0, *map(len, sums)], dtype=np.int64),
        _counts(every),
        np.array([[total in one.allowed for total in range(MOST)] for one in every], np.uint8).reshape(
            -1, MOST
        ),
    )
    return tiers, tuple(pays)


def _counts(sums: Sequence[Sum]) -> Bytes:
    """What each card counts at each place, by the code of the card."""
    counts = np.zeros((len(sums), LONGEST, 256), np.uint8)
    for number, card in enumerate(DECK):
        code = CODES[card.rank - 1] + SUIT_CODES[card.suit]
        for which, one in enumerate(sums):
            counts[which, :, code] = [values[number] for values in one.values]
    return counts


def _endings(whens: Sequence[When], winner: str | None) -> Bytes:
    """The classes without pairs that fit, as far as totals and numbers of cards go."""
    asked = [
        msgspec.structs.replace(when, pair=None, **asked_of_hands(when, "total", "cards", "natural"))
        for when in whens
    ]
    endings = outcomes()[:: len(PAIRS)]
    return np.array(
        [
            winner in (None, ending.winner) and all(matches(when, ending) for when in asked)
            for ending in endings
        ],
        np.uint8,
    )


def _pairs(whens: Sequence[When], winner: str | None) -> Bytes:
    """The kinds of pairs and of suits that fit."""
    asked = [
        msgspec.structs.replace(
            When(pair=when.pair, pair_suits=when.pair_suits), **asked_of_hands(when, "pair", "suits")
        )
        for when in whens
    ]
    hands = (int(winner == "player"), int(winner == "banker"), 2, 2)  # any that have this winner
    kinds = [Outcome(*hands, pairs, (), (p, b)) for pairs, p, b in product(PAIRS, SUITS, SUITS)]
    return np.array([all(matches(when, kind) for when in asked) for kind in kinds], np.uint8)


def _ranks(whens: Sequence[When], winner: str | None) -> Bytes:
    """The ranks that fit at each place."""
    fitting = np.ones((LONGEST, NO_CARD + 1), np.uint8)
    player_won = winner == "player"
    for when in whens:
        hands = (
            (when.player, when.winning if player_won else when.losing),
            (when.banker, when.losing if player_won else when.winning),
        )
        for place, (side, name) in enumerate(product(range(2), PLACES)):
            for hand in hands[side]:
                letters = getattr(hand, name, ())
                if letters:
                    codes = [CODES[BY_LETTER[letter] - 1] for letter in letters]
                    fitting[place, np.setdiff1d(np.arange(NO_CARD + 1), codes)] = False
    return fitting
