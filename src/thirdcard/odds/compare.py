"""Comparisons: one card fewer, more or fewer decks, another rulebook."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain
from typing import ClassVar

import msgspec

from thirdcard.answers import Told
from thirdcard.cards import Card, CardsLike, Rank, Suit
from thirdcard.frames import Schema, Tabular
from thirdcard.notebook import html_table
from thirdcard.odds.bet_values import Value, check_bet, values
from thirdcard.odds.composition import Composition, check_round, shoe
from thirdcard.rulebook import Rulebook, Which, digest_of, load
from thirdcard.rulebook.by_bet import ByBet
from thirdcard.rulebook.conditions import sight_of


class Effects(ByBet[dict[Rank, Fraction]], Tabular):
    """For each bet, how its value changes when one card of a rank leaves the shoe."""

    COLUMNS: ClassVar[Schema] = {
        "bet": "string",
        "rank": "string",
        "effect": "double",
        "effect_exact": "string",
    }

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for bet, by_rank in self.items():
            for rank, effect in by_rank.items():
                yield bet, rank.letter, float(effect), str(effect)

    def __repr__(self) -> str:
        return f"<Effects of removing a card on {', '.join(self)}>"

    def _repr_html_(self) -> str:
        rows = (
            (bet, *(f"{float(by_rank[rank]) * 100:+.4f}" if rank in by_rank else "" for rank in Rank))
            for bet, by_rank in self.items()
        )
        caption = "Effect of removing one card, in percent of a unit"
        return html_table(caption, ("Bet", *(rank.letter for rank in Rank)), rows)


def effects(rulebook: Which, composition: Composition, names: Iterable[str] | None = None) -> Effects:
    """For each bet, how its value changes when one card of a rank leaves the shoe.

    Ranks of which none is left are left out. For a bet that looks at suits it is the mean over all cards of
    the rank that are left.

    >>> from thirdcard.odds import fresh
    >>> float(effects("mbs-tiger-v2", fresh(8), ["player"])["player"][Rank.FOUR])
    -0.0001195...
    """
    rulebook = load(rulebook)
    wanted = tuple(rulebook.bets if names is None else [check_bet(rulebook, name) for name in names])
    by_card = tuple(name for name in wanted if sight_of(rulebook.bets[name]).suited)
    by_rank = tuple(name for name in wanted if name not in by_card)
    before = values(rulebook, composition, wanted)
    changes: dict[str, dict[Rank, Fraction]] = {name: {} for name in wanted}
    for rank in Rank:
        if composition.ranks[rank - 1]:
            left = list(composition.ranks)
            left[rank - 1] -= 1
            fewer = Composition(tuple(left))
            check_round(fewer)
            after = {name: value.ev for name, value in values(rulebook, fewer, by_rank).items()}
            after |= _mean_without(rulebook, composition, rank, by_card)
            for name in wanted:
                changes[name][rank] = after[name] - before[name].ev
    return Effects(rulebook, changes)


def _mean_without(
    rulebook: Rulebook, composition: Composition, rank: Rank, names: Sequence[str]
) -> dict[str, Fraction]:
    """Values without a card of that rank, over all that there are."""
    means = dict.fromkeys(names, Fraction(0))
    if names:
        by_suit = composition.suits
        whole = Composition(composition.ranks, tuple(chain(*by_suit)))
        for suit, ranks in zip(Suit, by_suit, strict=True):
            if ranks[rank - 1]:
                fewer = whole.without((Card(rank.letter + suit.value),))
                for name, value in values(rulebook, fewer, names).items():
                    means[name] += value.ev * Fraction(ranks[rank - 1], composition.ranks[rank - 1])
    return means


def by_decks(
    rulebook: Which, names: Iterable[str] | None = None, seen: CardsLike = ()
) -> dict[int, dict[str, Value]]:
    """The bets for every number of decks that the document allows, the same cards seen.

    >>> list(by_decks("mbs-tiger-v2", ["banker"]))
    [4, 5, 6, 7, 8, 9, 10]
    """
    rulebook = load(rulebook)
    wanted = tuple(rulebook.bets if names is None else names)
    allowed = range(rulebook.decks.min, rulebook.decks.max + 1)
    return {decks: values(rulebook, shoe(rulebook, decks, seen), wanted) for decks in allowed}


class LayoutChange(msgspec.Struct, frozen=True):
    """A layout's bets in both rulebooks; `None` where one has no such layout."""

    here: tuple[str, ...] | None
    there: tuple[str, ...] | None


class EdgeThere(msgspec.Struct, frozen=True, kw_only=True):
    """The house edge of a bet, by another rulebook, and by how much that is more."""

    house_edge: Fraction
    against: Fraction
    difference: Fraction


class Comparison(msgspec.Struct, Told, frozen=True, kw_only=True):
    """Another rulebook over the same cards: bets both have, bets only one has, layouts that differ."""

    TELLS: ClassVar = (
        "slug", "digest", "common=edges", "changed", "only_here", "only_there", "layouts",
    )  # fmt: skip

    slug: str
    digest: str
    common: dict[str, tuple[Value, Value]]
    only_here: tuple[str, ...]
    only_there: tuple[str, ...]
    layouts: dict[str, LayoutChange]

    @property
    def changed(self) -> tuple[str, ...]:
        """Common bets whose value differs."""
        return tuple(name for name, (here, there) in self.common.items() if here.ev != there.ev)

    @property
    def edges(self) -> dict[str, EdgeThere]:
        """The house edges of common bets."""
        return {
            name: EdgeThere(
                house_edge=here.house_edge,
                against=there.house_edge,
                difference=there.house_edge - here.house_edge,
            )
            for name, (here, there) in self.common.items()
        }


def against(here: Which, there: Which, composition: Composition) -> Comparison:
    """Two rulebooks over the same cards.

    >>> from thirdcard.odds import fresh
    >>> against("mbs-tiger-v2", "rws-tiger-buffalo-non-commission-v4", fresh(8)).changed
    ('banker',)
    """
    here, there = load(here), load(there)
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
        slug=there.slug,
        digest=digest_of(there),
        common={name: (ours[name], theirs[name]) for name in common},
        only_here=tuple(name for name in here.bets if name not in there.bets),
        only_there=tuple(name for name in there.bets if name not in here.bets),
        layouts={letter: change for letter, change in layouts.items() if change.here != change.there},
    )
