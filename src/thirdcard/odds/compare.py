"""Comparisons: one card fewer, more or fewer decks, another rulebook."""

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from thirdcard.cards import Card, Rank
from thirdcard.odds.bet_values import Value, values
from thirdcard.odds.composition import Composition, check_round, shoe
from thirdcard.rulebook.model import Rulebook


def effects(
    rulebook: Rulebook, composition: Composition, names: Iterable[str] | None = None
) -> dict[str, dict[Rank, Fraction]]:
    """For each bet, how its value changes when one card of a rank leaves the shoe.

    Ranks of which none is left are left out.
    """
    wanted = tuple(rulebook.bets if names is None else names)
    before = values(rulebook, composition, wanted)
    changes: dict[str, dict[Rank, Fraction]] = {name: {} for name in wanted}
    for rank in Rank:
        if composition.ranks[rank - 1]:
            left = list(composition.ranks)
            left[rank - 1] -= 1
            fewer = Composition(tuple(left))
            check_round(fewer)
            for name, after in values(rulebook, fewer, wanted).items():
                changes[name][rank] = after.ev - before[name].ev
    return changes


def by_decks(
    rulebook: Rulebook, names: Iterable[str] | None = None, seen: tuple[Card, ...] = ()
) -> dict[int, dict[str, Value]]:
    """The bets for every number of decks that the document allows, the same cards seen."""
    wanted = tuple(rulebook.bets if names is None else names)
    allowed = range(rulebook.decks.min, rulebook.decks.max + 1)
    return {decks: values(rulebook, shoe(rulebook, decks, seen), wanted) for decks in allowed}


class LayoutChange(msgspec.Struct, frozen=True):
    """A layout's bets in both rulebooks; `None` where one has no such layout."""

    here: tuple[str, ...] | None
    there: tuple[str, ...] | None


class Comparison(msgspec.Struct, frozen=True):
    """Two rulebooks over the same cards: bets both have, bets only one has, layouts that differ."""

    common: dict[str, tuple[Value, Value]]
    only_here: tuple[str, ...]
    only_there: tuple[str, ...]
    layouts: dict[str, LayoutChange]

    @property
    def changed(self) -> tuple[str, ...]:
        """Common bets whose value differs."""
        return tuple(name for name, (here, there) in self.common.items() if here.ev != there.ev)


def against(here: Rulebook, there: Rulebook, composition: Composition) -> Comparison:
    common = tuple(name for name in here.bets if name in there.bets)
    ours, theirs = values(here, composition, common), values(there, composition, common)
    letters = dict.fromkeys((*here.layouts, *there.layouts))
    layouts = {
        letter: LayoutChange(
            here.layouts[letter].bets if letter in here.layouts else None,
            there.layouts[letter].bets if letter in there.layouts else None,
        )
        for letter in letters
    }
    return Comparison(
        {name: (ours[name], theirs[name]) for name in common},
        tuple(name for name in here.bets if name not in there.bets),
        tuple(name for name in there.bets if name not in here.bets),
        {letter: change for letter, change in layouts.items() if change.here != change.there},
    )
