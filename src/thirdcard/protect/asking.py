"""Protection as one asks for it: a rulebook by any name, cuts, shoes, and what each bet comes to."""

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from thirdcard.errors import BadInput
from thirdcard.protect.conventions import CUT_CARD, NOTHING
from thirdcard.protect.measures import protection
from thirdcard.protect.preparing import Question, prepare
from thirdcard.protect.protection import Protection, Terms
from thirdcard.rulebook import Which, load
from thirdcard.simulate.session_sheet import crew_of
from thirdcard.simulate.work import execute
from thirdcard.strict import whole

T = TypeVar("T")


def protect(  # noqa: PLR0913 - what a run depends on
    rulebook: Which,
    *,
    bets: Iterable[str] = (),
    layout: str | None = None,
    decks: int | None = None,
    cuts: Iterable[int] = (),
    shoes: int | None = None,
    error: float | None = None,
    seed: int = 1,
    burn: str | int = NOTHING,
    ending: str = CUT_CARD,
    insurance: bool = False,
    terms: Terms | None = None,
    workers: int | None = None,
    checkpoint: Path | str | None = None,
) -> Protection:
    """What perfect play and simple counts win from each bet at each cut, by the cards left in the shoe.

    With `error`, shoes are dealt until perfect play on every bet at every cut is known within that standard
    error of units a shoe, and `shoes` is the most of them.

    >>> found = protect("mbs-tiger-v2", bets=["tiger-pair"], cuts=[14, 52], shoes=64)
    >>> found
    <Protection: 1 bet at 2 cuts over 64 shoes of 8 decks>
    >>> found.to_frame()["cut"].to_pylist()
    [14, 52]
    >>> protect("mbs-tiger-v2", bets=["tiger-pair"], cuts=[14], error=0.1)
    <Protection: 1 bet at 1 cut over 1,024 shoes of 8 decks>
    """
    book = load(rulebook)
    if terms is not None and not isinstance(terms, Terms):
        raise BadInput(f"terms are such as Terms(maximum=100_000), in cents: got {terms!r}")
    asked = Question(
        bets=(bets,) if isinstance(bets, str) else _several("bets", ["banker", "tie"], bets),
        layout=layout,
        decks=decks,
        cuts=tuple([whole("a cut", cut) for cut in _several("cuts", [14, 52], cuts)]),
        shoes=shoes,
        error=error,
        seed=seed,
        burn=str(burn),
        ending=ending,
        insurance=insurance,
    )
    run = prepare(book, asked)
    outcome = execute(run, crew_of(workers), checkpoint=checkpoint)
    return protection(run, outcome, terms or Terms())


def _several(what: str, such_as: object, given: Iterable[T]) -> tuple[T, ...]:
    """What was given one after the other; BadInput for what is a single thing."""
    try:
        return tuple(given)
    except TypeError:
        raise BadInput(f"{what} are given one by one, such as {such_as}: got {given!r}") from None
