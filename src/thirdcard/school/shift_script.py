"""A shift from a seed: who is there, what they bet and which cards come. Pure.

The same seed on the same set-up is the same shift, whoever works it and whatever they do: each round has
draws of its own.
"""

from functools import lru_cache
from typing import Final

import msgspec

from thirdcard.cards import CARDS_IN_A_DECK, Card
from thirdcard.errors import BadInput
from thirdcard.play.settlement import DEFAULT_DECKS
from thirdcard.play.tableau import LONGEST
from thirdcard.rulebook.load import named
from thirdcard.rulebook.lookup import find_layout
from thirdcard.school.chance import SeededChance
from thirdcard.table.practice import Practice
from thirdcard.table.setup import DEFAULT_CUT, Limit, Setup
from thirdcard.table.state import HANDS, State

MOST_PATRONS: Final = 9
MOST_ROUNDS: Final = 60
SIDES: Final = 35  # percent of patrons with a side bet beside the hand
AGAINST: Final = 12  # most bets are so many minima
INSURES: Final = 60  # percent who buy what they are offered
SQUEEZES: Final = 50  # percent of rounds in which somebody asks to, where cards are dealt face down
PATRON: Final = "W-"
EARLIEST_CUT, LATEST_CUT = 40, 90  # percent of the shift's cards in front of the cut card
CARDS_A_ROUND: Final = 4  # at the least


class PatronBet(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Chips that a patron puts down."""

    player: str
    box: int
    bet: str
    cents: int


def training_setup(
    rulebook: str, layout: str = "", *, patrons: int, face_down: bool = False, cut: int = DEFAULT_CUT
) -> Setup:
    """A table as it is practised at: usual limits, the method that deals cards so, `cut` cards behind."""
    book = named(rulebook)
    letter = layout or next(iter(book.layouts))
    least, most = find_layout(book, letter).positions
    ways = [
        method.name
        for method in book.dealing
        if method.face_down == face_down and method.area != "high-limit"
    ]
    if not ways:
        raise BadInput(
            f"{book.slug} has no method that deals cards {'face down' if face_down else 'face up'}"
        )
    hands = Limit(5_000, 500_000)
    return Setup(
        rulebook=book.slug,
        layout=letter,
        positions=max(least, min(most, patrons)),
        limits={"player": hands, "banker": hands, "*": Limit(500, 50_000)},
        differential=1_000_000,
        method=ways[0],
        cut=cut,
    )


def cut_of(seed: int, rounds: int, decks: int = DEFAULT_DECKS) -> int:
    """How many cards lie behind the cut card: it comes out once most of the shift has been dealt."""
    percent = EARLIEST_CUT + SeededChance(f"shift/{seed}/cut").below(LATEST_CUT - EARLIEST_CUT)
    before = max(LONGEST, rounds * CARDS_A_ROUND * percent // 100)
    return max(DEFAULT_CUT, CARDS_IN_A_DECK * decks - before)


def patrons_of(practice: Practice) -> tuple[str, ...]:
    return tuple(f"{PATRON}{number}" for number in range(1, practice.patrons + 1))


def box_of(setup: Setup, player: str) -> int:
    """Where somebody plays; who finds no seat stands behind one."""
    return (int(player.removeprefix(PATRON)) - 1) % setup.positions + 1


def is_seated(setup: Setup, player: str) -> bool:
    return int(player.removeprefix(PATRON)) <= setup.positions


def chance_of(practice: Practice, *what: object) -> SeededChance:
    return SeededChance("/".join(map(str, ("shift", practice.seed, *what))))


def shoe_of(practice: Practice, setup: Setup, number: int) -> tuple[Card, ...]:
    """The cards of a shoe in the order in which they come out."""
    return _shuffled(practice.seed, setup.decks, number)


@lru_cache(maxsize=256)
def _shuffled(seed: int, decks: int, number: int) -> tuple[Card, ...]:
    cards = [card for card in Card for _ in range(decks)]
    return tuple(SeededChance(f"shift/{seed}/shoe/{number}").shuffled(cards))


def next_cards(practice: Practice, state: State) -> tuple[Card, ...]:
    """What is still in the shoe, in the order in which it will come."""
    shoe = state.shoe
    return shoe_of(practice, state.setup, shoe.number)[shoe.used :] if shoe is not None else ()


def card_at(practice: Practice, state: State, place: int) -> Card:
    """The card that really lies at a place of the round."""
    shoe, current = state.shoe, state.round
    assert shoe is not None and current is not None  # noqa: PT018, S101 - cards lie there
    first = shoe.used - len(shoe.waiting) - len(current.drawn)
    return shoe_of(practice, state.setup, shoe.number)[first + place - 1]


def wishes(practice: Practice, setup: Setup, number: int) -> tuple[PatronBet, ...]:
    """What the patrons bet in a round: a hand nearly always, a side bet at times."""
    wished = []
    for player in patrons_of(practice):
        chance, box = chance_of(practice, "bets", number, player), box_of(setup, player)
        if chance.below(100) < 8:  # noqa: PLR2004 - sits a round out
            continue
        hand = chance.pick(HANDS)
        wished.append(_wish(setup, chance, player, box, hand))
        sides = [bet for bet in setup.bets if bet not in HANDS]
        if sides and chance.below(100) < SIDES:
            wished.append(_wish(setup, chance, player, box, chance.pick(sides)))
    return tuple(wished)


def _wish(setup: Setup, chance: SeededChance, player: str, box: int, bet: str) -> PatronBet:
    limit, unit = setup.limit(bet), setup.chip_unit
    most = min(limit.min * AGAINST, limit.max or limit.min * AGAINST)
    cents = limit.min + chance.below((most - limit.min) // unit + 1) * unit
    return PatronBet(player=player, box=box, bet=bet, cents=cents)


def insures(practice: Practice, number: int, window: int, player: str) -> int:
    """What share of the cap somebody buys, in percent; 0 is no."""
    chance = chance_of(practice, "insurance", number, window, player)
    return chance.pick((25, 50, 100)) if chance.below(100) < INSURES else 0


def goes_on(practice: Practice, number: int, player: str) -> bool:
    """Whether somebody who is given the choice plays on."""
    return bool(chance_of(practice, "choice", number, player).below(2))


def squeezes(practice: Practice, setup: Setup, number: int) -> str:
    """Who asks to squeeze, where cards are dealt face down; nobody in many rounds."""
    chance = chance_of(practice, "squeeze", number)
    if not setup.dealing.face_down or chance.below(100) >= SQUEEZES:
        return ""
    return chance.pick([wish.player for wish in wishes(practice, setup, number) if wish.bet in HANDS] or [""])
