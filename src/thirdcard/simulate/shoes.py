"""Shoes as the kernels take them, and their cards for whoever wants to see them."""

from thirdcard.cards import Rank
from thirdcard.play.tableau import LONGEST
from thirdcard.simulate.compiled import Integers, np
from thirdcard.simulate.kernel import LANES, U64, Room, Shoe, lay_out

SUITS = 4
BLOCK = 16  # draws are made in blocks of a vector register; the shoe is padded for the last one
PICTURE = 32  # ten, jack, queen and king are 0, 32, 64 and 96: the low bits of a card are its points
CODES = tuple(rank.points + PICTURE * max(0, rank - Rank.TEN) for rank in Rank)  # ace to king


def room_for(shoe: Shoe) -> Room:
    words = np.zeros(shoe.bounds.size // LANES, np.uint64)
    rejected = np.zeros(shoe.bounds.size, np.uint16)
    picks = np.zeros(shoe.bounds.size, np.uint16)
    cards = np.zeros((2, shoe.fresh.size), np.uint8)
    return Room(cards, words, words.view(np.uint16), picks, rejected, rejected.view(np.uint64))


def shoe_of(decks: int, cut: int) -> Shoe:
    """That many decks with the cut card that many cards from the end (at least the six of a round)."""
    fresh = np.repeat(np.array(CODES, np.uint8), SUITS * decks)
    cards = len(fresh)
    last = cards - cut
    drawn = last + LONGEST
    bounds = np.ones(-(-drawn // BLOCK) * BLOCK, np.uint16)
    bounds[:drawn] = np.arange(cards, cards - drawn, -1)
    floors = ((1 << 16) % bounds.astype(np.uint32)).astype(np.uint16)
    return Shoe(np.concatenate([fresh, np.zeros(BLOCK, np.uint8)]), bounds, floors, last, drawn)


def shoes(shoe: Shoe, *, seed: int, stream: int, first: int = 0, count: int = 1) -> Integers:
    """Ranks (1 to 13) in the order drawn of some shoes of a stream, one row each, as far as shuffled."""
    out = np.empty((count, shoe.drawn), np.uint8)
    lay_out(shoe, U64(seed), stream, first, room_for(shoe), out)
    ranks = np.zeros(256, np.int64)
    ranks[list(CODES)] = list(Rank)
    return ranks[out]
