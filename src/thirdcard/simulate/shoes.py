"""Shoes as the kernels take them, and their cards for whoever wants to see them."""

from thirdcard.cards import Card, Rank, Suit
from thirdcard.play.tableau import INITIAL, LONGEST
from thirdcard.rulebook.conditions import RED
from thirdcard.simulate.compiled import Bytes, Integers, np
from thirdcard.simulate.kernel import GOLDEN, LANES, RANK, U64, Laid, Room, Shoe, lay_out

BLOCK = 16  # draws are made in blocks of a vector register; the shoe is padded for the last one
LINE, PAGE = 64, 4096  # bytes
PICTURE = 32  # ten, jack, queen and king are 0, 32, 64 and 96: the low bits of a card are its points
CODES = tuple(rank.points + PICTURE * max(0, rank - Rank.TEN) for rank in Rank)  # ace to king
COLOUR, MAJOR = 128, 16  # the bits of a card that are its suit
SUIT_CODES = {suit: COLOUR * (suit in RED) + MAJOR * (suit in (Suit.SPADES, Suit.HEARTS)) for suit in Suit}


def room_for(shoe: Shoe) -> Room:
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
    return Laid(np.zeros(LONGEST, np.uint8), np.zeros(LONGEST, np.uint8))


def shoe_of(decks: int, cut: int, *, suits: bool = False) -> Shoe:
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
    return Shoe(np.concatenate([fresh, np.zeros(BLOCK, np.uint8)]), bounds, floors, steps, last, drawn)


def shoes(shoe: Shoe, *, seed: int, stream: int, first: int = 0, count: int = 1) -> Integers:
    """Ranks (1 to 13) in the order drawn of some shoes of a stream, one row each, as far as shuffled."""
    ranks = np.zeros(256, np.int64)
    ranks[list(CODES)] = list(Rank)
    dealt: Integers = ranks[coded(shoe, seed=seed, stream=stream, first=first, count=count) & RANK]
    return dealt


def cards_of(shoe: Shoe, *, seed: int, stream: int, number: int = 0) -> tuple[Card, ...]:
    """The cards of one shoe of a stream in the order drawn; of one without suits they are all of one suit."""
    cards = {
        code + suit_code: Card(rank.letter + suit.value)
        for rank, code in zip(Rank, CODES, strict=True)
        for suit, suit_code in SUIT_CODES.items()
    }
    return tuple(cards[code] for code in coded(shoe, seed=seed, stream=stream, first=number)[0].tolist())


def coded(shoe: Shoe, *, seed: int, stream: int, first: int = 0, count: int = 1) -> Bytes:
    """The same as kernels have them, `CODES` with those of the suits."""
    out = np.empty((count, shoe.drawn), np.uint8)
    lay_out(shoe, U64(seed), stream, first, room_for(shoe), out)
    return out
