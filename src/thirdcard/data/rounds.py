"""Millions of finished rounds as arrays: their cards read at once, and the outcome class of each.

A round that is not as it should be has class -1; what is wrong with it is for `Game.settle` to say.
"""

from typing import Any, Final, NamedTuple

from thirdcard.arrow import np, pa
from thirdcard.cards import Rank, Suit
from thirdcard.play.classes import PAIRS
from thirdcard.rulebook.conditions import pairs_of
from thirdcard.rulebook.model import Side, TableOfPlay
from thirdcard.rulebook.third_cards import next_by_points

INITIAL, LONGEST = 4, 6
WIDTH: Final = 3  # characters from one card to the next: rank, suit, a space
NOTHING: Final = 255  # in place of a card
NEXT: Final = {None: 0, Side.PLAYER: 1, Side.BANKER: 2}

_RANKS, _SUITS = (np.full(256, NOTHING, np.uint8) for _ in range(2))
for _rank in Rank:
    _RANKS[ord(_rank.letter)] = _rank.value
for _number, _suit in enumerate(Suit):
    _SUITS[ord(_suit.value)] = _number
_POINTS = np.zeros(256, np.uint8)
_POINTS[1:14] = [rank.points for rank in Rank]


class CardColumns(NamedTuple):
    """Cards of rounds in the order drawn, six to a round, `NOTHING` where there is none."""

    ranks: Any  # rounds by six
    suits: Any
    count: Any  # of cards
    read: Any  # whether the text was cards and nothing else


def read_cards_of(column: pa.ChunkedArray) -> CardColumns:
    """The cards of each round from text such as `9C KD 9H 4S`."""
    text = column.cast(pa.large_string()).combine_chunks()
    if isinstance(text, pa.ChunkedArray):
        text = pa.concat_arrays(text.chunks) if text.num_chunks else pa.array([], pa.large_string())
    rounds = len(text)
    _, offsets_buffer, data_buffer = text.buffers()
    offsets = np.frombuffer(offsets_buffer, np.int64)[text.offset : text.offset + rounds + 1]
    data = np.frombuffer(data_buffer, np.uint8) if data_buffer else np.zeros(0, np.uint8)
    data = np.concatenate([data, np.zeros(WIDTH * LONGEST, np.uint8)])
    begin, length = offsets[:-1], np.diff(offsets)
    count = (length + 1) // WIDTH
    read = (length % WIDTH == WIDTH - 1) & (count <= LONGEST) & text.is_valid().to_numpy(zero_copy_only=False)
    ranks, suits = (np.full((LONGEST, rounds), NOTHING, np.uint8) for _ in range(2))
    for place in range(LONGEST):
        here = np.minimum(begin + WIDTH * place, len(data) - WIDTH)
        there = count > place
        ranks[place] = np.where(there, _RANKS[data[here]], NOTHING)
        suits[place] = np.where(there, _SUITS[data[here + 1]], NOTHING)
        known = (ranks[place] != NOTHING) & (suits[place] != NOTHING)
        spaced = (count == place + 1) | (data[here + 2] == ord(" "))
        read &= ~there | (known & spaced)
    return CardColumns(ranks, suits, count, read)


class RoundColumns(NamedTuple):
    """What the cards came to: class -1 where they are no whole round."""

    classes: Any
    player: Any  # points
    banker: Any


def play(table: TableOfPlay, drawn: CardColumns, decks: int) -> RoundColumns:
    """The outcome class of each round by that Table of Play, from so many decks."""
    ranks, count = drawn.ranks, drawn.count
    points = _POINTS[ranks]
    first, second = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10
    fifths, sixths = _nexts(table)
    due = fifths[first, second]
    after = np.where(due == NEXT[Side.PLAYER], sixths[first, second, points[4]], 0)
    whole = drawn.read & (count == INITIAL + (due != 0) + (after != 0))
    whole &= _held(drawn, decks)
    player_third, banker_fifth, banker_sixth = due == NEXT[Side.PLAYER], due == NEXT[Side.BANKER], after != 0
    player = (first + np.where(player_third, points[4], 0)) % 10
    banker = (second + np.where(banker_fifth, points[4], 0) + np.where(banker_sixth, points[5], 0)) % 10
    pairs = _pairs(ranks)
    number = player.astype(np.int32) * 10 + banker
    number = (number * 2 + player_third) * 2 + (banker_fifth | banker_sixth)
    return RoundColumns(np.where(whole, number * len(PAIRS) + pairs, -1), player, banker)


def _nexts(table: TableOfPlay) -> tuple[Any, Any]:
    """Who draws the fifth card, by both totals, and who the sixth, by the Player's third card too."""
    fifths, sixths = np.zeros((10, 10), np.uint8), np.zeros((10, 10, 10), np.uint8)
    for player in range(10):
        for banker in range(10):
            fifths[player, banker] = NEXT[next_by_points(table, player, banker)]
            for third in range(10):
                sixths[player, banker, third] = NEXT[next_by_points(table, player, banker, (third,))]
    return fifths, sixths


def _pairs(ranks: Any) -> Any:  # noqa: ANN401 - arrays
    """The number of what the first two cards of both hands are, pairs or not."""
    kinds = np.zeros((2, 2, 2), np.int32)  # Player's pair, Banker's, of the same rank
    ace, two = Rank.ACE, Rank.TWO
    for player in (None, ace):
        for banker in (None, ace, two):
            same = player is not None and player is banker
            kinds[int(player is not None), int(banker is not None), int(same)] = PAIRS.index(
                pairs_of(player, banker)
            )
    player, banker = ranks[0] == ranks[2], ranks[1] == ranks[3]
    same = player & banker & (ranks[0] == ranks[1])
    return kinds[player.astype(np.uint8), banker.astype(np.uint8), same.astype(np.uint8)]


def _held(drawn: CardColumns, decks: int) -> Any:  # noqa: ANN401 - an array
    """Whether so many decks hold the cards of each round."""
    if decks >= LONGEST:
        return True
    cards = drawn.ranks.astype(np.uint16) * 4 + drawn.suits
    there = drawn.ranks != NOTHING
    most = np.zeros(cards.shape[1], np.uint8)
    for one in range(LONGEST):
        copies = ((cards == cards[one]) & there & there[one]).sum(axis=0, dtype=np.uint8)
        most = np.maximum(most, copies)
    return most <= decks
