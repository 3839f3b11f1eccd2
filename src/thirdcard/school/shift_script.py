"""A shift from a seed: who is there, what they bet, which cards come and what goes wrong. Pure.

The same seed on the same set-up is the same shift, whoever works it and whatever they do: each round has
draws of its own.
"""

from functools import lru_cache
from typing import Final, Literal, TypeAlias

import msgspec

from thirdcard.cards import Card
from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.load import named
from thirdcard.rulebook.lookup import find_layout
from thirdcard.rulebook.model import About, Procedure
from thirdcard.school.chance import SeededChance
from thirdcard.table.setup import Limit, Setup
from thirdcard.table.state import HANDS

Post: TypeAlias = Literal["desk", "pit"]
TroubleKind: TypeAlias = Literal["late", "together", "excess", "over", "away", "asks"]

MOST_PATRONS: Final = 9
MOST_ROUNDS: Final = 60
SIDES: Final = 35  # percent of patrons with a side bet beside the hand
AGAINST: Final = 12  # most bets are so many minima
INSURES: Final = 60  # percent who buy what they are offered
SQUEEZES: Final = 50  # percent of rounds in which somebody asks to, where cards are dealt face down
TOGETHER_AT: Final = 2  # cards lie there when two come out at once
PATRON: Final = "W-"
# What a case has to be about for the trouble to be one; none is needed where the desk itself shows it.
ABOUT: Final[dict[TroubleKind, About | None]] = {
    "late": "late-chips",
    "together": "drawn-together",
    "excess": "excess-cards",
    "over": None,
    "away": "walked-away",
    "asks": None,
}
AT_PIT: Final[tuple[TroubleKind, ...]] = ("late", "together", "excess")  # what a dealer brings before the pit


class Practice(msgspec.Struct, frozen=True, gc=False, kw_only=True, forbid_unknown_fields=True):
    """A shift as it was asked for; `trouble` is the percentage of rounds in which something goes wrong."""

    trainee: str
    post: Post
    seed: int
    rounds: int
    patrons: int
    trouble: int


class Wish(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Chips that a patron puts down."""

    player: str
    box: int
    bet: str
    cents: int


class Trouble(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What goes wrong in a round, with the bet that it is about where it is about one."""

    round: int
    kind: TroubleKind
    player: str = ""
    box: int = 0
    bet: str = ""
    cents: int = 0


def training_setup(rulebook: str, layout: str = "", *, patrons: int, face_down: bool = False) -> Setup:
    """A table as it is practised at: usual limits, the method that deals cards so."""
    book = named(rulebook)
    letter = layout or next(iter(book.layouts))
    least, most = find_layout(book, letter).positions
    ways = [one.name for one in book.dealing if one.face_down == face_down and one.area != "high-limit"]
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
    )


def patrons_of(practice: Practice) -> tuple[str, ...]:
    return tuple(f"{PATRON}{number}" for number in range(1, practice.patrons + 1))


def box_of(setup: Setup, player: str) -> int:
    """Where somebody plays; who finds no seat stands behind one."""
    return (int(player.removeprefix(PATRON)) - 1) % setup.positions + 1


def is_seated(setup: Setup, player: str) -> bool:
    return int(player.removeprefix(PATRON)) <= setup.positions


def _chance(practice: Practice, *what: object) -> SeededChance:
    return SeededChance("/".join(map(str, ("shift", practice.seed, *what))))


def shoe_of(practice: Practice, setup: Setup, number: int) -> tuple[Card, ...]:
    """The cards of a shoe in the order in which they come out."""
    return _shuffled(practice.seed, setup.decks, number)


@lru_cache(maxsize=256)
def _shuffled(seed: int, decks: int, number: int) -> tuple[Card, ...]:
    cards = [card for card in Card for _ in range(decks)]
    return tuple(SeededChance(f"shift/{seed}/shoe/{number}").shuffled(cards))


def wishes(practice: Practice, setup: Setup, number: int) -> tuple[Wish, ...]:
    """What the patrons bet in a round: a hand nearly always, a side bet at times."""
    found = []
    for player in patrons_of(practice):
        chance, box = _chance(practice, "bets", number, player), box_of(setup, player)
        if chance.below(100) < 8:  # noqa: PLR2004 - sits a round out
            continue
        hand = chance.pick(HANDS)
        found.append(_wish(setup, chance, player, box, hand))
        sides = [bet for bet in setup.bets if bet not in HANDS]
        if sides and chance.below(100) < SIDES:
            found.append(_wish(setup, chance, player, box, chance.pick(sides)))
    return tuple(found)


def _wish(setup: Setup, chance: SeededChance, player: str, box: int, bet: str) -> Wish:
    limit, unit = setup.limit(bet), setup.chip_unit
    most = min(limit.min * AGAINST, limit.max or limit.min * AGAINST)
    cents = limit.min + chance.below((most - limit.min) // unit + 1) * unit
    return Wish(player=player, box=box, bet=bet, cents=cents)


def insures(practice: Practice, number: int, window: int, player: str) -> int:
    """What share of the cap somebody buys, in percent; 0 is no."""
    chance = _chance(practice, "insurance", number, window, player)
    return chance.pick((25, 50, 100)) if chance.below(100) < INSURES else 0


def goes_on(practice: Practice, number: int, player: str) -> bool:
    """Whether somebody who is given the choice plays on."""
    return bool(_chance(practice, "choice", number, player).below(2))


def squeezes(practice: Practice, setup: Setup, number: int) -> str:
    """Who asks to squeeze, where cards are dealt face down; nobody in many rounds."""
    chance = _chance(practice, "squeeze", number)
    if not setup.dealing.face_down or chance.below(100) >= SQUEEZES:
        return ""
    return chance.pick([one.player for one in wishes(practice, setup, number) if one.bet in HANDS] or [""])


def procedure_of(book: Rulebook, kind: TroubleKind) -> Procedure | None:
    """The case that the trouble is, as this rulebook knows it."""
    about = ABOUT[kind]
    return next((one for one in book.procedures if about is not None and about in one.about), None)


def kinds_at(practice: Practice, book: Rulebook, *, face_down: bool) -> tuple[TroubleKind, ...]:
    """What can go wrong at such a table."""
    found = [kind for kind, about in ABOUT.items() if about is None or procedure_of(book, kind) is not None]
    if face_down:  # whose cards nobody has read
        found = [kind for kind in found if kind not in ("together", "excess")]
    return tuple(kind for kind in found if practice.post == "desk" or kind in AT_PIT)


def trouble_in(practice: Practice, setup: Setup, number: int) -> Trouble | None:
    """What goes wrong in a round, if anything does."""
    chance = _chance(practice, "trouble", number)
    kinds = kinds_at(practice, setup.rules, face_down=setup.dealing.face_down)
    betting = [one for one in wishes(practice, setup, number) if one.bet in HANDS]
    if chance.below(100) >= practice.trouble or not kinds or not betting:
        return None
    kind, whose = chance.pick(kinds), chance.pick(betting)
    limit = setup.limit(whose.bet)
    cents = limit.min * (1 + chance.below(AGAINST))
    if kind == "over":
        cents = (limit.max or 0) + cents
    about_bet = kind in ("late", "over")
    return Trouble(
        round=number,
        kind=kind,
        player=whose.player if kind not in ("together", "excess") else "",
        box=whose.box if about_bet else 0,
        bet=whose.bet if about_bet else "",
        cents=cents if about_bet else 0,
    )
