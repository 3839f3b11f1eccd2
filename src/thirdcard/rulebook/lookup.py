"""Finding things in a rulebook by name; what is not there is a sentence with the nearest names."""

from collections.abc import Collection
from difflib import get_close_matches
from functools import cache
from importlib.metadata import version

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook.forms import digest_of
from thirdcard.rulebook.load import Entry, catalogue, timeline
from thirdcard.rulebook.model import Document, Layout, Rulebook
from thirdcard.rulebook.versions import Moment, Standing, Version, in_force, moment, standing_at, zone_of
from thirdcard.strict import whole


class AnswerHead(msgspec.Struct, frozen=True, kw_only=True):
    """What every answer begins with: its form and the program that gave it."""

    schema: str
    thirdcard: str


class OfBook(AnswerHead, frozen=True, kw_only=True):
    """What every answer by a rulebook begins with: also the text that it rests on."""

    rulebook: str
    digest: str


def identity(schema: str, book: Rulebook | None, otherwise: str = "") -> dict[str, str]:
    """What every answer begins with: its form, the program that gave it, and the text it rests on.

    A file that makes no rulebook is named `otherwise`, and has no digest.
    """
    return {
        **answered(schema),
        "rulebook": book.slug if book else otherwise,
        "digest": digest_of(book) if book else "",
    }


def answered(schema: str) -> dict[str, str]:
    """What an answer begins with that rests on no rulebook."""
    return {"schema": schema_name(schema), "thirdcard": _release()}


def schema_name(schema: str) -> str:
    """The name of a form of answer with its version, as answers have it."""
    return f"thirdcard.{schema}.1"


@cache
def _release() -> str:
    return version("thirdcard")


class ListedLayout(msgspec.Struct, frozen=True):
    positions: tuple[int, int]
    bets: tuple[str, ...]


class ListedRulebook(msgspec.Struct, frozen=True, kw_only=True):
    """A rulebook in brief; one that cannot be used has but a problem."""

    slug: str
    title: str
    operator: str
    version: int
    effective: str
    decks: tuple[int, int]
    layouts: dict[str, ListedLayout]
    digest: str
    origin: str
    where: str
    file: str
    problem: str


def listing() -> list[ListedRulebook]:
    """Every rulebook that was found."""
    return [_in_brief(entry) for entry in catalogue()]


def _in_brief(entry: Entry) -> ListedRulebook:
    book = entry.book
    document = book.document if book else Document(title="", version=0)
    return ListedRulebook(
        slug=entry.slug,
        title=document.title,
        operator=document.operator,
        version=document.version,
        effective=document.effective,
        decks=(book.decks.min, book.decks.max) if book else (0, 0),
        layouts={
            letter: ListedLayout(layout.positions, layout.bets)
            for letter, layout in (book.layouts.items() if book else ())
        },
        digest=digest_of(book) if book else "",
        origin=entry.origin,
        where=entry.where,
        file=entry.file,
        problem=entry.problem,
    )


class ListedVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a game in time; `ends` is the first moment at which it is not in force any more."""

    slug: str
    version: int
    title: str
    operator: str
    digest: str
    starts: str | None
    ends: str | None
    standing: Standing
    layouts: tuple[str, ...]
    bets: tuple[str, ...]


class Timeline(msgspec.Struct, frozen=True, kw_only=True):
    """The versions of a family in the order of time, and which of them is in force `on` a moment."""

    family: str
    on: str
    holds: ListedVersion | None
    versions: tuple[ListedVersion, ...]


def timeline_on(which: str, on: Moment) -> Timeline:
    """A family by its name or a version's slug, as it stands at a moment."""
    family, versions = timeline(which)
    holding = next((version for version in versions if version.holds(on)), None)
    zone = zone_of((holding or versions[0]).book)
    return Timeline(
        family=family,
        on=moment(on, zone).astimezone(zone).isoformat(timespec="minutes"),
        holds=None if holding is None else _version(holding, on),
        versions=tuple(_version(version, on) for version in versions),
    )


def holding_on(which: str, on: Moment) -> Version:
    """The version in force; BadInput if none is."""
    return in_force(*timeline(which), on)


def _version(version: Version, on: Moment) -> ListedVersion:
    book, document = version.book, version.book.document
    return ListedVersion(
        slug=book.slug,
        version=document.version,
        title=document.title,
        operator=document.operator,
        digest=digest_of(book),
        starts=None if version.starts is None else version.starts.isoformat(),
        ends=None if version.ends is None else version.ends.isoformat(),
        standing=standing_at(version, on),
        layouts=tuple(book.layouts),
        bets=tuple(book.bets),
    )


def only_layout(book: Rulebook, letter: str) -> Rulebook:
    """The rulebook as far as one layout goes."""
    layout = find_layout(book, letter)
    return msgspec.structs.replace(
        book,
        layouts={letter: layout},
        bets={name: bet for name, bet in book.bets.items() if name in layout.bets},
    )


def find_layout(book: Rulebook, letter: str) -> Layout:
    if letter not in book.layouts:
        raise BadInput(f"{book.slug} has no layout {letter!r}: choose one of {', '.join(book.layouts)}")
    return book.layouts[letter]


def offering(book: Rulebook, bets: Collection[str], layout: str | None = None) -> str:
    """The layout that offers all of these bets: the one named, or the first; BadInput if there is none."""
    for name in bets:
        if name not in book.bets or (layout is not None and name not in find_layout(book, layout).bets):
            raise no_such_bet(book, name, layout)
    chosen = layout or next(
        (letter for letter, felt in book.layouts.items() if {*bets} <= {*felt.bets}), None
    )
    if chosen is None:
        raise BadInput(f"no layout of {book.slug} offers all of these together: {', '.join(bets)}")
    find_layout(book, chosen)
    return chosen


def check_decks(book: Rulebook, decks: int) -> int:
    allowed, decks = book.decks, whole("the number of decks", decks)
    if not allowed.min <= decks <= allowed.max:
        cited = f" ({', '.join(allowed.rules)})" if allowed.rules else ""
        raise BadInput(
            f"{book.slug} is played with {allowed.min} to {allowed.max} decks{cited}: got {decks}",
            rules=allowed.rules,
        )
    return decks


def check_usual(book: Rulebook, what: str) -> None:
    """Refuse a game whose rounds do not begin with two cards to each hand from the shoe."""
    if not book.table_of_play.usual:
        begins = "one card to each hand" if book.table_of_play.order else "a printed card"
        raise BadInput(f"{book.slug} begins with {begins}: {what} two cards to each hand from the shoe")


def usual_decks(book: Rulebook, wanted: int | None = None) -> int:
    """The decks that are asked for; else eight, or what is nearest to it of those that the book allows."""
    return (
        max(book.decks.min, min(8, book.decks.max))
        if wanted is None
        else whole("the number of decks", wanted)
    )


def no_such_bet(book: Rulebook, name: str, layout: str | None = None) -> BadInput:
    """Why a bet cannot be made: the rulebook does not know it, or the layout does not offer it."""
    if name in book.bets and layout is not None:
        offering = [letter for letter, other in book.layouts.items() if name in other.bets]
        return BadInput(
            f"layout {layout} of {book.slug} does not offer {name}: layout {', '.join(offering)} does"
        )
    near = get_close_matches(str(name), book.bets, n=3) or list(book.bets)
    return BadInput(f"{book.slug} has no bet {name!r}: did you mean {' or '.join(near)}?")
