"""Protection as one asks for it: a rulebook by any name, cuts, shoes, and what each bet comes to."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

import msgspec

from thirdcard.cards import CARDS_IN_A_DECK, Rank
from thirdcard.errors import BadInput, no_such
from thirdcard.odds import Composition, effects, fresh, values
from thirdcard.odds.bet_values import bets_on, check_bet
from thirdcard.protect.conventions import CUT_CARD, DECKS_LEFT, NOTHING, UNDIVIDED
from thirdcard.protect.measures import protection
from thirdcard.protect.protect_run import TRIGGERS, Count, ProtectRun
from thirdcard.protect.protection import Protection, Terms
from thirdcard.protect.tags import LEVELS, SIMPLE, Tags, best_tags, in_order
from thirdcard.rulebook import Rulebook, Which, load
from thirdcard.rulebook.lookup import usual_decks
from thirdcard.simulate.sheet import crew_of
from thirdcard.simulate.work import execute
from thirdcard.strict import fields_of, whole

CUTS = (14, 26, 52, 78, 104)
SHOES = 4000
MOST_FOR_AN_ERROR = 10_000_000  # shoes, unless another number is asked for


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of a rulebook; what is left out is the usual."""

    bets: tuple[str, ...] = ()
    layout: str | None = None
    decks: int | None = None
    cuts: tuple[int, ...] = ()
    shoes: int | None = None
    seed: int = 1
    levels: tuple[str, ...] = SIMPLE
    tags: Tags | None = None
    trigger: Fraction | None = None
    decks_left: str = "exact"
    together: tuple[tuple[str, ...], ...] = ()
    burn: str = NOTHING
    ending: str = CUT_CARD
    insurance: bool = False
    error: float | None = None  # the standard error to reach; `shoes` is then the most that are dealt

    @property
    def usual_shoes(self) -> int:
        """Those asked for; else enough for an overview, or to reach the error."""
        if self.shoes is not None:
            return self.shoes
        return SHOES if self.error is None else MOST_FOR_AN_ERROR


def usual_cuts(decks: int) -> tuple[int, ...]:
    """Those that are at most half the shoe."""
    return tuple([cut for cut in CUTS if cut <= CARDS_IN_A_DECK * decks // 2])


def prepare(book: Rulebook, asked: Question) -> ProtectRun:
    for name in (*asked.bets, *(name for team in asked.together for name in team)):
        check_bet(book, name)
    wanted = asked.bets or bets_on(book, asked.layout)
    named = dict.fromkeys((*wanted, *(name for team in asked.together for name in team)))
    bets = tuple([name for name in book.bets if name in named])
    decks = usual_decks(book, asked.decks)
    run = fields_of(  # refuses what cannot be played before anything is counted
        ProtectRun,
        asked,
        rulebook=book,
        decks=decks,
        shoes=asked.usual_shoes,
        cuts=asked.cuts or usual_cuts(decks),
        bets=bets,
        teams=_teams(book, bets, asked),
    )
    if asked.decks_left not in DECKS_LEFT:
        raise no_such("way to see the decks left", asked.decks_left, DECKS_LEFT)
    return msgspec.structs.replace(run, counts=tuple(_counts(book, fresh(decks), bets, asked)))


def _teams(book: Rulebook, bets: Sequence[str], asked: Question) -> dict[str, tuple[str, ...]]:
    """The bets of each layout that are followed, where that is more than one; then those named together."""
    teams = {}
    for letter, layout in book.layouts.items():
        members = tuple([name for name in layout.bets if name in bets])
        if len(members) > 1 and asked.layout in (None, letter):
            teams[letter] = members
    for together in asked.together:
        if len({*together}) < max(len(together), 2):
            raise BadInput(f"bets made at once are two or more, each once: got {', '.join(together)}")
        if not any(set(together) <= set(layout.bets) for layout in book.layouts.values()):
            raise BadInput(f"no layout of {book.slug} offers all of these together: {', '.join(together)}")
        teams["+".join(together)] = together
    return teams


def _counts(book: Rulebook, shoe: Composition, bets: Sequence[str], asked: Question) -> list[Count]:
    counts = []
    worth = values(book, shoe, bets)
    by_rank: Mapping[str, dict[Rank, Fraction]] = effects(book, shoe, bets) if asked.tags is None else {}
    for name in bets:
        for level in ("given",) if asked.tags else asked.levels:
            tags = asked.tags or best_tags(in_order(by_rank[name]), level)
            if tags is not None:
                scale = _triggers(tags, asked, pays_at_once=worth[name].ev >= 0)
                counts.append(Count(bet=name, level=level, tags=tags, decks_left=asked.decks_left, **scale))
    return counts


def _triggers(tags: Tags, asked: Question, *, pays_at_once: bool) -> dict[str, int]:
    """One trigger if it is given, else halves from a half on; of large tags multiples of that.

    A bet that favours the bettor off the top may pay below a count of 0 too. A running count that nobody
    divides is a whole number, and where tags are not balanced it may pay on either side of 0.
    """
    given = asked.trigger
    if given is not None:
        return {"begin": given.numerator, "step": 1, "per": given.denominator, "triggers": 1}
    step = -(-max(map(abs, tags)) // LEVELS["3"])
    if asked.decks_left == UNDIVIDED:
        return {"begin": step * (1 - TRIGGERS // 2), "step": step, "per": 1}
    return {"begin": step - (step * TRIGGERS // 2 if pays_at_once else 0), "step": step}


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
