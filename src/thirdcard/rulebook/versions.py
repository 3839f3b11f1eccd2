"""The versions of a game in time: which text is in force when.

A book says from when it is in force; when it ends follows from the next version's beginning. Versions belong
to one family: the name that a book gives, else the family of the book that it says it replaces, else its slug
without the version at its end.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from itertools import pairwise
from typing import Final, Literal, TypeAlias

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook.forms import Fault
from thirdcard.rulebook.model import Rulebook

Moment: TypeAlias = str | date | datetime  # without a zone it is the book's own; a date is its first minute
Standing: TypeAlias = Literal["held", "holds", "comes", "undated"]

SINGAPORE: Final = timezone(timedelta(hours=8), "Singapore time")  # of a book whose `effective` names none
VERSIONED: Final = re.compile(r"(.+)-v([0-9]{1,4})")
WRITTEN: Final = re.compile(
    r"((?:19|2[0-9])[0-9]{2}-[0-9]{2}-[0-9]{2})"
    r"(?:[ T]([0-9]{2}:[0-9]{2}(?::[0-9]{2})?)(Z|[+-][0-9]{2}:[0-9]{2})?)?"
)
EXPECTED: Final = "a date such as 2025-08-08, or with a time and a zone: 2025-08-08T08:00+08:00"
MONTHS: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


# --- moments ----------------------------------------------------------------------------------------------


def moment(given: Moment, zone: tzinfo) -> datetime:
    """A moment as it is written; one without a zone is in `zone`, and a date alone is its 00:00.

    >>> moment("2025-08-08T08:00", SINGAPORE).isoformat()
    '2025-08-08T08:00:00+08:00'
    """
    if isinstance(given, datetime):
        made = given
    elif isinstance(given, date):
        made = datetime(given.year, given.month, given.day)  # noqa: DTZ001 - its zone follows
    else:
        made = _read(given)
    return made if made.tzinfo is not None else made.replace(tzinfo=zone)


def _read(text: str) -> datetime:
    written = WRITTEN.fullmatch(text) if isinstance(text, str) else None
    try:
        if written is not None:
            day, clock, zone = written.groups(default="")
            return datetime.fromisoformat(f"{day}T{clock or '00:00'}{zone}")
    except ValueError:
        pass  # a day or an hour that no calendar has
    raise BadInput(f"{text!r:.60} is not a time: expected {EXPECTED}")


def shown(at: datetime) -> str:
    """A moment as people read it, in its own zone.

    >>> shown(moment("2025-08-08 08:00", SINGAPORE))
    '8 August 2025, 08:00 Singapore time'
    """
    return f"{at.day} {MONTHS[at.month - 1]} {at.year}, {at:%H:%M} {at.tzname()}"


# --- what a book says of itself ---------------------------------------------------------------------------


def starts(book: Rulebook) -> datetime | None:
    """From when a book is in force; None where it says nothing that can be read as a time."""
    return _said(book.document.effective, SINGAPORE)


def said_until(book: Rulebook) -> datetime | None:
    """When a book says itself that it ends: that moment is the first at which it is not in force."""
    return _said(book.document.until, zone_of(book))


def zone_of(book: Rulebook) -> tzinfo:
    """The zone of a book's own times: that of `effective`, which is Singapore's where it names none."""
    begin = starts(book)
    return SINGAPORE if begin is None or begin.tzinfo is None else begin.tzinfo


def _said(text: str, zone: tzinfo) -> datetime | None:
    try:
        return moment(text, zone) if text else None
    except BadInput:
        return None


def time_faults(book: Rulebook) -> Iterator[Fault]:
    """What is wrong with what a book says of its place in time."""
    document = book.document
    for name in ("effective", "until"):
        text = getattr(document, name)
        if text and _said(text, SINGAPORE) is None:
            yield f"document.{name}", f"{text!r:.60} is not a time: expected {EXPECTED}"
    begin, end = starts(book), said_until(book)
    if document.until and not document.effective:
        yield "document.until", "says when it ends, but `effective` does not say when it begins"
    elif begin is not None and end is not None and end <= begin:
        yield "document.until", f"it ends {shown(end)}, which is not after it begins, {shown(begin)}"
    if document.replaces == book.slug:
        yield "document.replaces", "a book cannot replace itself"


def family_of(book: Rulebook, others: Mapping[str, Rulebook]) -> str:
    """The family of a book among `others`, which are looked up by their slugs."""
    passed = set[str]()
    while not book.document.family:
        before = others.get(book.document.replaces)
        if before is None or book.slug in passed:
            named = book.document.replaces if before is None and book.document.replaces else book.slug
            return stem(named)
        passed.add(book.slug)
        book = before
    return book.document.family


def stem(slug: str) -> str:
    """A slug without the version at its end."""
    versioned = VERSIONED.fullmatch(slug)
    return versioned[1] if versioned else slug


# --- versions in time -------------------------------------------------------------------------------------


class Version(msgspec.Struct, frozen=True):
    """A text with its place in time: in force from `starts` until just before `ends`, if that is known.

    A text without `starts` is never in force.
    """

    book: Rulebook
    starts: datetime | None
    ends: datetime | None

    def holds(self, at: Moment) -> bool:
        """Whether it is the text in force at that moment."""
        if self.starts is None:
            return False
        then = moment(at, zone_of(self.book))
        return self.starts <= then and (self.ends is None or then < self.ends)


def families(books: Iterable[Rulebook]) -> dict[str, tuple[Version, ...]]:
    """All books by family, each family in the order of time; those that say no time come last."""
    by_slug = {book.slug: book for book in books}
    members: dict[str, list[Rulebook]] = {}
    for book in by_slug.values():
        members.setdefault(family_of(book, by_slug), []).append(book)
    return {family: tuple(_in_order(texts)) for family, texts in sorted(members.items())}


def earlier_versions(books: Iterable[Rulebook]) -> dict[str, str]:
    """The slugs of books that have a version before them, each with that one's."""
    return {
        later.book.slug: before.book.slug
        for versions in families(books).values()
        for before, later in pairwise(versions)
    }


def _in_order(books: Iterable[Rulebook]) -> Iterator[Version]:
    never = datetime.max.replace(tzinfo=UTC)
    ordered = sorted(books, key=lambda book: (starts(book) or never, book.document.version, book.slug))
    for book, after in zip(ordered, [*ordered[1:], None], strict=True):
        begin = starts(book)
        ends = [end for end in (said_until(book), starts(after) if after else None) if end is not None]
        yield Version(book, begin, min(ends, default=None) if begin is not None else None)


def in_force(family: str, versions: Iterable[Version], at: Moment) -> Version:
    """The text of a family that is in force at a moment; BadInput if none is, which says why."""
    dated = [version for version in versions if version.starts is not None]
    if not dated:
        raise BadInput(f"no text of {family} says from when it is in force: its `effective` is missing")
    for version in dated:
        if version.holds(at):
            return version
    first = dated[0]
    then = moment(at, zone_of(first.book))
    if first.starts is not None and then < first.starts:
        kept = f"no text of {family} is kept for {shown(then)}"
        raise BadInput(f"{kept}: the first, {first.book.slug}, begins on {shown(first.starts)}")
    last = max(version.ends for version in dated if version.ends is not None and version.ends <= then)
    raise BadInput(f"no text of {family} is in force on {shown(then)}: the one before ended on {shown(last)}")


def standing_at(version: Version, at: Moment) -> Standing:
    """How a version stands to a moment: `undated` where it says no time."""
    if version.starts is None:
        return "undated"
    if version.holds(at):
        return "holds"
    return "comes" if moment(at, zone_of(version.book)) < version.starts else "held"
