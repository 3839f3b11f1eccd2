"""Patrons with bets: tables as items need them, built as the engine has them."""

from typing import Final

from thirdcard.money import DEFAULT_CHIP_UNIT
from thirdcard.rulebook import digest_of
from thirdcard.school.item_types import BetLine
from thirdcard.school.making import Ground
from thirdcard.table.setup import EVERY_OTHER, Limit, Setup
from thirdcard.table.state import Round, Stake, State

PATRONS: Final = tuple("ABCDEFGHI")  # nobody's names


def setup_for(  # noqa: PLR0913 - the limits of a table
    ground: Ground,
    *,
    minimum: int,
    maximum: int | None,
    differential: int | None,
    method: str = "",
    high_limit: bool = False,
) -> State:
    """A table with these limits, nobody at it."""
    book = ground.book
    setup = Setup(
        rulebook=book.slug,
        digest=digest_of(book),
        layout=ground.layout,
        positions=book.layouts[ground.layout].positions[1],
        limits={EVERY_OTHER: Limit(minimum, maximum)},
        differential=differential,
        decks=ground.decks,
        chip_unit=DEFAULT_CHIP_UNIT,
        method=method,
        high_limit=high_limit,
    )
    return State(setup=setup, staff={})


def in_box(*chips: tuple[str, int]) -> tuple[BetLine, ...]:
    """Bets of a patron each, and their stakes: the first sits in box 1, the others stand behind it."""
    return tuple(
        BetLine(patron=PATRONS[number], bet=bet, stake=stake, seated=number == 0, order=number + 1)
        for number, (bet, stake) in enumerate(chips)
    )


def stake_of_line(line: BetLine) -> Stake:
    """The chips of a line as the engine has them."""
    return Stake(
        player=line.patron, box=line.box, bet=line.bet, cents=line.stake, order=line.order, seated=line.seated
    )


def closed_round(lines: tuple[BetLine, ...]) -> Round:
    """A round with these bets, just closed."""
    stakes = {stake.key: stake for stake in map(stake_of_line, lines)}
    return Round(number=1, phase="dealing", shoe=1, stakes=stakes, closed=stakes, placings=len(stakes))
