"""What the bets are called, on the felt and off it; a bet without words goes by the rulebook's own name."""

from functools import cache
from typing import Literal, TypeAlias

import msgspec

from thirdcard.rulebook import load, slugs
from thirdcard.rulebook.model import Bet, Pairing
from thirdcard.words.lexicon import ENGLISH, Language, words

Side: TypeAlias = Literal["player", "banker", "tie"]
Row: TypeAlias = Literal["main", "middle", "side", "insurance"]

FELT: Language = "zh"  # whose characters the layouts print beside the English
INSURANCE = "-insurance"
ROWS: tuple[Row, ...] = ("main", "middle", "side", "insurance")
SIDES: tuple[Side, ...] = ("player", "tie", "banker")


class BetWords(msgspec.Struct, frozen=True):
    """How the felt names a bet: `short` is the English name for small cells, `zh` the characters.

    `side` is whose colour it has. `row` is a band of its own (main) or a cell of the middle or side band.
    """

    en: str
    short: str
    zh: str
    side: Side
    row: Row


def bet_names() -> tuple[str, ...]:
    """Every bet with words, in the order of the felt, then what else the rulebooks have."""
    return tuple(words(ENGLISH).sections["bets"] | dict.fromkeys(_offered(), ""))


def bet_words(name: str, bet: Bet | None = None) -> BetWords:
    """The words of that bet, as `bet` has it or else the first rulebook that does."""
    return _named(name, bet or _offered().get(name))


@cache
def _named(name: str, bet: Bet | None) -> BetWords:
    title = bet.name if bet else name.replace("-", " ").title()
    en = words(ENGLISH).own("bets", name, title)
    return BetWords(
        en=en,
        short=words(ENGLISH).own("short", name, en),
        zh=words(FELT).own("bets", name, _letters(en)),
        side=_side(name, bet),
        row=_row(name, bet),
    )


def bet_name(name: str, language: Language) -> str:
    """What a language calls a bet."""
    return words(language).own("bets", name, bet_words(name).en)


def bet_order(name: str, bet: Bet | None = None) -> tuple[int, int, int]:
    """Where a bet comes on the felt, from the Player's side to the Banker's; one without words comes last."""
    said, known = bet_words(name, bet), bet_names()
    place = known.index(name) if name in known else len(known)
    return ROWS.index(said.row), SIDES.index(said.side), place


@cache
def _offered() -> dict[str, Bet]:
    """Every bet that a rulebook has."""
    return {name: bet for slug in reversed(slugs()) for name, bet in load(slug).bets.items()}


def _letters(title: str) -> str:
    """`D7` for Dragon 7."""
    return "".join(word[0].upper() for word in title.split())


def _side(name: str, bet: Bet | None) -> Side:
    """The hand that a bet needs to win or to pair; the tie's colour if that is neither or both."""
    if bet is None:
        return next((side for side in ("player", "banker") if name == side + INSURANCE), "tie")
    hands = {tier.when.pair or tier.when.winner for tier in bet.pays}
    if hands in ({Pairing.PLAYER}, {("player",)}):
        return "player"
    return "banker" if hands in ({Pairing.BANKER}, {("banker",)}) else "tie"


def _row(name: str, bet: Bet | None) -> Row:
    """The hands have a band each; what counts cards lies in the side band, all else in the middle."""
    if bet is None:
        return "insurance" if name.endswith(INSURANCE) else "side"
    if name in ("player", "banker"):
        return "main"
    counts = any(bool(tier.when.cards or tier.when.cards_in_all) for tier in bet.pays)
    return "side" if counts else "middle"
