"""What a new version of a rulebook does to money: exact edges and insurance values, before and after."""

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar, TypeAlias, TypeVar

import msgspec

from thirdcard.answers import Told
from thirdcard.odds.bet_values import values
from thirdcard.odds.composition import fresh
from thirdcard.odds.insurance import OfferValue, offers
from thirdcard.rulebook.diff import Diff, Difference
from thirdcard.rulebook.forms import digest_of
from thirdcard.rulebook.model import Rulebook, Side
from thirdcard.strict import fields_of

K = TypeVar("K")
V = TypeVar("V")
OfferedAt: TypeAlias = tuple[Side, int, int, int]  # hand, window, and both hands' points

DECKS = 8


class EdgeChange(msgspec.Struct, Told, frozen=True, kw_only=True):
    """What the house keeps of a stake on average; `None` where the bet is not offered."""

    TELLS: ClassVar = ("before", "after", "change")

    bet: str
    name: str
    before: Fraction | None
    after: Fraction | None

    @property
    def change(self) -> Fraction | None:
        return None if self.before is None or self.after is None else self.after - self.before


class EdgeChanges(msgspec.Struct, Told, frozen=True, kw_only=True):
    """Bets that are offered before or after."""

    bets: tuple[EdgeChange, ...]

    @property
    def by_bet(self) -> dict[str, EdgeChange]:
        return {bet.bet: bet for bet in self.bets}


class LayoutEdges(EdgeChanges, frozen=True, kw_only=True):
    """Those of a layout."""

    TELLS: ClassVar = ("added", "removed", "bets=by_bet")

    layout: str
    added: bool
    removed: bool

    @property
    def changed(self) -> bool:
        return any(bet.change != 0 for bet in self.bets)


class OfferTerms(msgspec.Struct, frozen=True, kw_only=True):
    """What an insurance offer pays and is worth, and to whom."""

    odds: str
    ev: Fraction | None
    favours: str

    @classmethod
    def of(cls, value: OfferValue | None) -> "OfferTerms | None":
        return None if value is None else fields_of(cls, value)


class OfferChange(msgspec.Struct, Told, frozen=True, kw_only=True):
    """An insurance offer at exact points; `None` where there is none."""

    TELLS: ClassVar = (
        "hand", "window", "player", "banker", "before=terms_before", "after=terms_after", "changed",
        "begins_to_favour_player=begins", "ceases_to_favour_player=ceases",
    )  # fmt: skip

    hand: Side
    window: int
    player: int
    banker: int
    before: OfferValue | None
    after: OfferValue | None

    @property
    def terms_before(self) -> OfferTerms | None:
        return OfferTerms.of(self.before)

    @property
    def terms_after(self) -> OfferTerms | None:
        return OfferTerms.of(self.after)

    @property
    def changed(self) -> bool:
        return _terms(self.before) != _terms(self.after)

    @property
    def begins(self) -> bool:
        """To favour the player."""
        return _good(self.after) and not _good(self.before)

    @property
    def ceases(self) -> bool:
        return _good(self.before) and not _good(self.after)


class MoneyChanges(EdgeChanges, frozen=True, kw_only=True):
    """All that is offered before or after, changed or not, for a fresh shoe."""

    TELLS: ClassVar = ("decks", "bets=by_bet", "layouts=by_letter", "insurance")

    decks: int
    layouts: tuple[LayoutEdges, ...]
    insurance: tuple[OfferChange, ...]

    @property
    def by_letter(self) -> dict[str, LayoutEdges]:
        return {layout.layout: layout for layout in self.layouts}


class BookText(msgspec.Struct, frozen=True, kw_only=True):
    """A rulebook by its name, and the text that it has."""

    rulebook: str
    digest: str


class RulesDiff(msgspec.Struct, frozen=True, kw_only=True):
    """What changed from a rulebook: values, and what they do to money."""

    before: BookText
    added: tuple[Difference, ...]
    removed: tuple[Difference, ...]
    changed: tuple[Difference, ...]
    money: MoneyChanges


def rules_diff(old: Rulebook, found: Diff, money: MoneyChanges) -> RulesDiff:
    """What was found to have changed from `old`, as an answer has it."""
    before = BookText(rulebook=old.slug, digest=digest_of(old))
    return RulesDiff(before=before, **msgspec.structs.asdict(found), money=money)


def usual_decks(old: Rulebook, new: Rulebook) -> int:
    """Eight, or what is nearest to it of the numbers that both books allow, or else the new one."""
    low, high = max(old.decks.min, new.decks.min), min(old.decks.max, new.decks.max)
    if low > high:
        low, high = new.decks.min, new.decks.max
    return max(low, min(DECKS, high))


def changes(old: Rulebook, new: Rulebook, decks: int = DECKS) -> MoneyChanges:
    """From `old` to `new`, both dealt from so many decks, whether they allow them or not."""
    before, after = _edges(old, decks), _edges(new, decks)
    return MoneyChanges(
        decks=decks,
        bets=_compared(old, new, before, after),
        layouts=tuple(
            LayoutEdges(
                layout=letter,
                added=letter not in old.layouts,
                removed=letter not in new.layouts,
                bets=_compared(old, new, _on(old, letter, before), _on(new, letter, after)),
            )
            for letter in dict.fromkeys((*old.layouts, *new.layouts))
        ),
        insurance=tuple(
            OfferChange(hand=hand, window=window, player=player, banker=banker, before=was, after=now)
            for (hand, window, player, banker), was, now in _both(_offers(old, decks), _offers(new, decks))
        ),
    )


def _edges(book: Rulebook, decks: int) -> dict[str, Fraction]:
    return {name: value.house_edge for name, value in values(book, fresh(decks)).items()}


def _on(book: Rulebook, letter: str, edges: Mapping[str, Fraction]) -> dict[str, Fraction]:
    return {name: edges[name] for name in book.layouts[letter].bets} if letter in book.layouts else {}


def _compared(
    old: Rulebook, new: Rulebook, before: Mapping[str, Fraction], after: Mapping[str, Fraction]
) -> tuple[EdgeChange, ...]:
    return tuple(
        EdgeChange(bet=bet, name=(new if bet in new.bets else old).bets[bet].name, before=was, after=now)
        for bet, was, now in _both(before, after)
    )


def _offers(book: Rulebook, decks: int) -> dict[OfferedAt, OfferValue]:
    found = offers(book, fresh(decks)) if book.insurance else ()
    return {
        (
            offer.offer.hand,
            offer.offer.window,
            offer.player,
            offer.banker,
        ): offer
        for offer in found
    }


def _both(before: Mapping[K, V], after: Mapping[K, V]) -> list[tuple[K, V | None, V | None]]:
    """What stands under each key on both sides."""
    return [(key, before.get(key), after.get(key)) for key in dict.fromkeys((*before, *after))]


def _terms(one: OfferValue | None) -> object:
    return one and (one.offer.odds, one.ev, one.push)


def _good(one: OfferValue | None) -> bool:
    return one is not None and one.favours == "player"
