"""What a run may be; anything else is refused in one sentence."""

from thirdcard.cards import CARDS_IN_A_DECK
from thirdcard.errors import BadInput
from thirdcard.play.tableau import LONGEST
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.lookup import check_decks
from thirdcard.strict import whole

LARGEST_SEED = 2**64 - 1


def check_count(name: str, value: int, most: int) -> None:
    value = whole(f"the number of {name}", value)
    if value <= 0:
        raise BadInput(f"the number of {name} must be more than zero: got {value}")
    if value > most:
        raise BadInput(f"the number of {name} must be at most {most:,}: got {value:,}")


def check_seed(seed: int) -> None:
    if not 0 <= whole("a seed", seed) <= LARGEST_SEED:
        raise BadInput(f"a seed is a whole number from 0 to {LARGEST_SEED}: got {seed}")


def check_shoe(book: Rulebook, decks: int, cut: int) -> None:
    """The decks that the document allows, and a cut card with a whole round behind it."""
    check_decks(book, decks)
    cards = CARDS_IN_A_DECK * decks
    if not LONGEST <= whole("the cut", cut) <= cards:
        raise BadInput(
            f"the cut card lies {LONGEST} to {cards} cards from the end of {decks} decks, "
            f"so that a round can be completed: got {cut}"
        )
