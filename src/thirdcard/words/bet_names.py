"""What the bets are called, on the felt and off it; a bet without words goes by the rulebook's own name."""

import re
from collections.abc import Collection
from functools import cache, lru_cache
from itertools import chain
from string import ascii_lowercase
from typing import Final, Literal, TypeAlias

import msgspec

from thirdcard.rulebook.conditions import Pairing
from thirdcard.rulebook.load import of_package, packaged
from thirdcard.rulebook.model import Bet, Rulebook, When
from thirdcard.words.lexicon import ENGLISH, Language, words

FeltSide: TypeAlias = Literal["player", "banker", "tie"]
FeltRow: TypeAlias = Literal["main", "middle", "side", "insurance"]

FELT: Language = "zh"  # whose characters the layouts print beside the English
INSURANCE = "-insurance"
ROWS: tuple[FeltRow, ...] = ("main", "middle", "side", "insurance")
SIDES: tuple[FeltSide, ...] = ("player", "tie", "banker")
WORD: Final = re.compile(r"\w+")
LONGEST_MARK: Final = 3  # letters that stand for a bet without characters


class BetWords(msgspec.Struct, frozen=True):
    """How the felt names a bet: `short` is the English name for small cells, `zh` the characters.

    `side` is whose colour it has. `row` is a band of its own (main) or a cell of the middle or side band.
    """

    en: str
    short: str
    zh: str
    side: FeltSide
    row: FeltRow


def bet_names() -> tuple[str, ...]:
    """Every bet with words, in the order of the felt."""
    return tuple(words(ENGLISH).sections["bets"])


def bet_words(name: str, book: Rulebook | None = None) -> BetWords:
    """The words of a rulebook's bet, our own where it calls the bet as we do.

    Without a rulebook, or where it has no such bet, they are those of the documents in the package.
    """
    if book is not None and name in book.bets:
        return _of_book(book)[name]
    return _packaged().get(name) or _named(name, None, _mark(_title(name), ()))


def bet_name(name: str, language: Language, book: Rulebook | None = None) -> str:
    """What a language calls a bet."""
    en = bet_words(name, book).en
    return words(language).name_of("bets", name, en) if en == _english(name) else en


def bet_order(name: str, book: Rulebook | None = None) -> tuple[int, int, int]:
    """Where a bet comes on the felt, from the Player's side to the Banker's; one without words comes last."""
    said, known = bet_words(name, book), bet_names()
    place = known.index(name) if name in known else len(known)
    return ROWS.index(said.row), SIDES.index(said.side), place


@lru_cache(maxsize=256)
def _of_book(book: Rulebook) -> dict[str, BetWords]:
    """The bets of a rulebook, no two with the same mark."""
    named: dict[str, BetWords] = {}
    for name, bet in book.bets.items():
        taken = [one.zh for one in named.values()]
        named[name] = _named(name, bet, _mark(bet.name, taken))
    return named


@cache
def _packaged() -> dict[str, BetWords]:
    """The bets of the documents that come with the package, which all call them by the same names."""
    return {name: said for slug in packaged() for name, said in _of_book(of_package(slug)).items()}


def _named(name: str, bet: Bet | None, mark: str) -> BetWords:
    en = bet.name if bet else _title(name)
    ours = en == _english(name)
    return BetWords(
        en=en,
        short=words(ENGLISH).name_of("short", name, en) if ours else en,
        zh=words(FELT).name_of("bets", name, mark) if ours else mark,
        side=_side(name, bet),
        row=_row(name, bet),
    )


def _english(name: str) -> str:
    return words(ENGLISH).name_of("bets", name, "")


def _title(name: str) -> str:
    return _english(name) or name.replace("-", " ").title()


def _mark(title: str, taken: Collection[str]) -> str:
    """`D7` for Dragon 7, and `Di7` for Diamond 7 beside it."""
    first, *rest = WORD.findall(title) or [title]
    last = rest[-1] if rest else ""
    letters = "".join(word[0] for word in (first, *rest))[:LONGEST_MARK].upper()
    marks = [letters, first[0].upper() + last[:2], first[:2].capitalize() + last[:1]]
    if not rest and len(title) <= LONGEST_MARK:
        marks = [title]
    more = (letters[:2] + after for after in (*ascii_lowercase[1:], *map(str, range(100))))
    return next((mark for mark in chain(marks, more) if mark not in taken), letters)


def _side(name: str, bet: Bet | None) -> FeltSide:
    """The hand that a bet needs to win or to pair, or is about; the tie's colour if neither or both."""
    if bet is None:
        return next((side for side in ("player", "banker") if name == side + INSURANCE), "tie")
    hands = {_hand(tier.when) for tier in bet.pays}
    return hands.pop() if len(hands) == 1 else "tie"


def _hand(when: When) -> FeltSide:
    if when.pair in (Pairing.PLAYER, Pairing.BANKER):
        return "player" if when.pair is Pairing.PLAYER else "banker"
    if when.pair is None and when.winner in (("player",), ("banker",)):
        return when.winner[0]
    about = (when.player is not None, when.banker is not None)
    return "player" if about == (True, False) else "banker" if about == (False, True) else "tie"


def _row(name: str, bet: Bet | None) -> FeltRow:
    """The hands have a band each; what counts cards or looks into a hand lies in the side band."""
    if bet is None:
        return "insurance" if name.endswith(INSURANCE) else "side"
    if name in ("player", "banker"):
        return "main"
    closer = (
        *("cards", "cards_in_all", "player", "banker", "winning", "losing"),
        *("count", "every", "no", "compare", "any"),
    )
    counts = any(getattr(tier.when, field) for tier in bet.pays for field in closer)
    return "side" if counts else "middle"
