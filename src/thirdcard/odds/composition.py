"""What a shoe holds, by rank and where it is known by suit: all that the odds of its next round depend on."""

from math import perm

import msgspec

from thirdcard.cards import CARDS_IN_A_DECK, Card, CardsLike, Rank, Suit, cards_of, check_copies
from thirdcard.errors import BadInput
from thirdcard.play.settlement import DEFAULT_DECKS
from thirdcard.play.tableau import LONGEST
from thirdcard.rulebook import Which, load
from thirdcard.rulebook.lookup import check_decks
from thirdcard.strict import whole

SUITS = len(Suit)
NUMBERS = {card: number for number, card in enumerate(Card)}  # all spades from ace to king, then hearts
VALUES = tuple(rank.points for rank in Rank)  # the points of each rank, ace to king


class Composition(msgspec.Struct, frozen=True):
    """How many cards of each rank are left, ace to king.

    `by_card` is the same for each card in the order of `Card`, empty where suits were not followed.

    >>> Composition((32,) * 13).without("9C KD")
    <Composition: 414 cards, A 32, 2 32, 3 32, 4 32, 5 32, 6 32, 7 32, 8 32, 9 31, T 32, J 32, Q 32, K 31>
    """

    ranks: tuple[int, ...]
    by_card: tuple[int, ...] = ()

    def __repr__(self) -> str:
        counts = (f"{rank.letter} {count}" for rank, count in zip(Rank, self.ranks, strict=True))
        return f"<Composition: {self.cards} cards, {', '.join(counts)}>"

    def __post_init__(self) -> None:
        for name in ("ranks", "by_card"):
            counts = getattr(self, name)
            if type(counts) is not tuple or any(type(count) is not int for count in counts):
                exact = tuple([whole("a number of cards", count) for count in counts])
                msgspec.structs.force_setattr(self, name, exact)
        if len(self.ranks) != len(Rank) or any(count < 0 for count in self.ranks):
            raise BadInput(
                f"a composition is {len(Rank)} counts, ace to king, none below zero: got {self.ranks}"
            )
        if self.by_card and (
            len(self.by_card) != CARDS_IN_A_DECK
            or any(count < 0 for count in self.by_card)
            or tuple(map(sum, zip(*self.suits, strict=True))) != self.ranks
        ):
            raise BadInput(
                f"the {CARDS_IN_A_DECK} counts of single cards do not add up to those of their ranks: "
                f"got {self.by_card}"
            )

    @property
    def cards(self) -> int:
        return sum(self.ranks)

    @property
    def points(self) -> tuple[int, ...]:
        """How many cards of each point value 0 to 9 are left."""
        counts = [0] * 10
        for value, count in zip(VALUES, self.ranks, strict=True):
            counts[value] += count
        return tuple(counts)

    @property
    def suits(self) -> tuple[tuple[int, ...], ...]:
        """The ranks of each suit, in the order of `Suit`; evenly spread where suits were not followed."""
        if self.by_card:
            return tuple(
                self.by_card[start : start + len(Rank)] for start in range(0, CARDS_IN_A_DECK, len(Rank))
            )
        if any(count % SUITS for count in self.ranks):
            raise BadInput(
                f"a bet on suits needs {CARDS_IN_A_DECK} counts, one for each card: "
                f"{self.ranks} are not the same number of every suit"
            )
        return (tuple(count // SUITS for count in self.ranks),) * SUITS

    @property
    def sequences(self) -> int:
        """The ordered ways to draw six cards: what every count of rounds adds up to."""
        return perm(self.cards, LONGEST)

    def without(self, cards: CardsLike) -> "Composition":
        ranks, by_card = list(self.ranks), list(self.by_card)
        for card in cards_of(cards):
            ranks[card.rank - 1] -= 1
            if by_card:
                by_card[NUMBERS[card]] -= 1
            gone = card.rank.letter if ranks[card.rank - 1] < 0 else card
            if ranks[card.rank - 1] < 0 or (by_card and by_card[NUMBERS[card]] < 0):
                raise BadInput(f"no {gone} is left in the shoe, so {card} cannot be drawn from it")
        return Composition(tuple(ranks), tuple(by_card))


def fresh(decks: int = DEFAULT_DECKS) -> Composition:
    """A shoe from which nothing has been drawn.

    >>> fresh(8).cards
    416
    """
    decks = whole("the number of decks", decks)
    if decks < 1:
        raise BadInput(f"a shoe holds at least one deck: got {decks}")
    return Composition((SUITS * decks,) * len(Rank), (decks,) * CARDS_IN_A_DECK)


def shoe(rulebook: Which, decks: int = DEFAULT_DECKS, seen: CardsLike = ()) -> Composition:
    """A shoe of that rulebook without the cards already seen; there is a whole round left in it.

    >>> shoe("mbs-tiger-v2", 8, "9C KD").cards
    414
    """
    decks, gone = check_decks(load(rulebook), decks), cards_of(seen)
    check_copies(gone, decks)
    left = fresh(decks).without(gone)
    check_round(left)
    return left


def check_round(composition: Composition) -> None:
    if composition.cards < LONGEST:
        raise BadInput(f"not enough cards for a round: {composition.cards} left, {LONGEST} needed")
