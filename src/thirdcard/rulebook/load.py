"""Rulebooks by slug, by file or as values, each held to every check."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache, lru_cache
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook.extending import DEEPEST, PLAIN_GAME, directive_faults, finished, plain_game, whole
from thirdcard.rulebook.faults import faults, notes, size_faults
from thirdcard.rulebook.findings import Finding, RulebookError, finding
from thirdcard.rulebook.forms import (
    MOST_FINDINGS,
    Raw,
    canonical,
    convert,
    digest_of,
    form_faults,
    from_canonical,
    in_full,
    values_of,
)
from thirdcard.rulebook.model import Rulebook
from thirdcard.rulebook.proof import proved_faults
from thirdcard.rulebook.sources import (
    DOCUMENTS,
    SUFFIX,
    FoundBook,
    Origin,
    at_file,
    keep,
    only_packaged,
    package_text,
    packaged,
    search_in,
    sources,
)
from thirdcard.rulebook.versions import Moment, Version, families, in_force

__all__ = [
    "DOCUMENTS",
    "Entry",
    "Origin",
    "Which",
    "by_digest",
    "catalogue",
    "check",
    "checked",
    "load",
    "loads",
    "named",
    "of_package",
    "packaged",
    "read",
    "remember",
    "search_in",
    "slugs",
    "take",
    "take_kept",
    "texts_read",
    "timeline",
    "usable",
]

Which: TypeAlias = str | os.PathLike[str] | Rulebook | Mapping[str, Any]

SHORTEST_DIGEST: Final = 8
SHOWN_DIGEST: Final = 12

LINE: Final = re.compile(r"bets\.(?P<bet>[^.]+)\.(?P<lines>pays|pushes)\[(?P<number>\d+)\](?P<rest>.*)")

_known: dict[str, Rulebook] = {}  # by digest: whatever was read, so that a log finds its own text


# --- one text ---------------------------------------------------------------------------------------------


class FileText(NamedTuple):
    """A file's text."""

    file: str
    text: str


Chain: TypeAlias = tuple[FileText | Rulebook, ...]  # a text, what it extends, and so on to the last


def read(file: str, text: str, near: Path | None = None) -> Rulebook:
    """A rulebook from its text, every check made; `near` is the folder in which it may name another file."""
    book, findings = check(file, text, near)
    wrong = [one for one in findings if one.level == "fault"]
    if book is None or wrong:
        raise RulebookError(file, wrong)
    return _remembered(book)


def check(file: str, text: str, near: Path | None = None) -> tuple[Rulebook | None, list[Finding]]:
    """The rulebook that a text makes, if it makes one, and all that is to be said of it."""
    try:
        book, findings = _checked(tuple(_chain(file, text, near)))
    except RulebookError as error:
        return None, list(error.findings)
    return book, list(findings)


@lru_cache(maxsize=600)
def _checked(texts: Chain) -> tuple[Rulebook | None, tuple[Finding, ...]]:
    file = texts[0].file if isinstance(texts[0], FileText) else ""
    made, wrong = _made(texts)
    wrong += [finding(file, *one) for one in islice(form_faults(made), MOST_FINDINGS)]
    if wrong:
        return None, tuple(wrong)
    book: Rulebook = convert(made)
    told = size_faults(book) or islice(chain(faults(book), proved_faults(book)), MOST_FINDINGS)
    inherited = _inherited(texts)
    findings = [finding(file, *_by_name(made, inherited, *one)) for one in told]
    if book.slug not in packaged() and not findings:  # in those, `trace` speaks of every paragraph
        findings += [finding(file, *note, level="note") for note in _own_notes(book, texts[1:])]
    return book, tuple(findings)


Inherited: TypeAlias = frozenset[tuple[str, str]]  # bet and tier, and bets by themselves with none


def _inherited(texts: Chain) -> Inherited:
    """What stands in the book that a file extends, as far as it does not say it again."""
    own = values_of(texts[0].text)[0] if isinstance(texts[0], FileText) else {}
    if len(texts) > 1:
        under = _made(texts[1:])[0]
    elif own.get("extends") == PLAIN_GAME:
        under = plain_game()
    else:
        return frozenset()
    below, above = (set(_tiers_of(one)) for one in (under, own))
    return frozenset((below - above) | {(bet, "") for bet, _ in below})


def _tiers_of(raw: Raw) -> Iterator[tuple[str, str]]:
    for name, bet in raw.get("bets", {}).items():
        lines = [*bet.get("pays", ()), *bet.get("pushes", ())]
        yield from ((name, str(line.get("tier", ""))) for line in lines)


def _by_name(made: Raw, inherited: Inherited, key: str, told: str, example: str = "") -> tuple[str, str, str]:
    """A finding on a line of a bet that is partly inherited, by the line's name: nobody can count those."""
    where = LINE.fullmatch(key)
    if where is None or (where["bet"], "") not in inherited:
        return key, told, example
    tier = str(made["bets"][where["bet"]][where["lines"]][int(where["number"])]["tier"])
    for bet, name in inherited:
        if bet == where["bet"] and name:
            told = told.replace(f"'{name}'", f"'{name}' (inherited)")
    return f"bets.{where['bet']}.{where['lines']}.{tier}{where['rest']}", told, example


def _own_notes(book: Rulebook, base: Chain) -> list[tuple[str, str]]:
    """Notes but for those on what stands in the book that it extends."""
    inherited: set[tuple[str, str]] = set()
    if base:
        made, _ = _made(base)
        inherited.update(
            () if any(form_faults(made)) else notes(convert(made))
        )  # it may be no book by itself
    return [one for one in islice(notes(book), MOST_FINDINGS) if one not in inherited]


def _chain(file: str, text: str, near: Path | None) -> Iterator[FileText | Rulebook]:
    own = file
    for _ in range(DEEPEST):
        raw, wrong = values_of(text)
        wrong = wrong or tuple(directive_faults(raw))
        if wrong:
            raise RulebookError(own, [finding(file, *one) for one in wrong])
        yield FileText(file, text)
        base = raw.get("extends", PLAIN_GAME)
        if base == PLAIN_GAME:
            return
        source = _base(file, base, near)
        if source.book is not None:
            yield source.book
            return
        file, text, near = source.file, source.text, source.folder
    told = f"more than {DEEPEST} books extend one another, or one extends itself"
    raise RulebookError(own, [finding(own, "extends", told)])


def _base(file: str, name: str, near: Path | None) -> FoundBook:
    """The book that a file extends: a slug's, or another file in its folder and not out of it."""
    problem = f"{name!r}: expected a slug, or a file in the same folder"
    if name.endswith(SUFFIX):
        if near is not None and Path(name).name == name and name.isprintable():
            path = Path(os.path.realpath(near / name))
            if path.is_relative_to(os.path.realpath(near)):
                source = at_file(near / name)
                problem = f"{name} {source.problem}"
                if source.text:
                    return source
    else:
        found = sources()
        choice = _choice(found.get(name, ()))
        if len(choice) == 1:
            return choice[0]
        known = (PLAIN_GAME, *(slug for slug, others in found.items() if len(_choice(others)) == 1))
        several = "several rulebooks are called" if choice else "there is no rulebook"
        problem = f"{several} {name!r}: expected one of {', '.join(known)}"
    raise RulebookError(file, [finding(file, "extends", problem)])


def _made(texts: Chain) -> tuple[Raw, list[Finding]]:
    """What the values of all of them come to, from the last to the first, and what is removed in vain."""
    made: Raw | None = None
    wrong = []
    for link in reversed(texts):
        if isinstance(link, Rulebook):
            made = msgspec.json.decode(canonical(link))
        else:
            made, missed = whole(values_of(link.text)[0], made)
            wrong += [finding(link.file, "remove", f"{one!r} is not there to be removed") for one in missed]
    return in_full(finished(made or {})), wrong


# --- those that were found --------------------------------------------------------------------------------


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the list of all rulebooks: what it is and where it came from, or why it cannot be used."""

    slug: str
    origin: Origin
    where: str
    file: str
    book: Rulebook | None
    problem: str = ""


def catalogue() -> tuple[Entry, ...]:
    """Everything that was found, also what cannot be used, by slug."""
    return tuple(_entry(source, found) for _, found in sorted(sources().items()) for source in found)


def _entry(source: FoundBook, found: tuple[FoundBook, ...]) -> Entry:
    book, problem = None, _clash(found) if source in _choice(found) else ""
    if not problem:
        try:
            book = _read_source(source)
        except BadInput as error:
            problem = str(error)
    return Entry(
        slug=source.slug,
        origin=source.origin,
        where=source.where,
        file=source.file,
        book=book,
        problem=problem,
    )


def slugs() -> tuple[str, ...]:
    """The slugs of all rulebooks that can be used: those of the package, of folders, of other packages.

    >>> "mbs-tiger-v2" in slugs()
    True
    """
    if only_packaged():
        return packaged()
    return tuple(dict.fromkeys(entry.slug for entry in catalogue() if entry.book is not None))


def plain_book() -> Rulebook:
    """The plain game as a book, to be looked at; it is what other books extend."""
    own = {"slug": PLAIN_GAME, "document": {"title": "The plain game"}, "assumed": []}
    book: Rulebook = convert(in_full(finished({**plain_game(), **own})))
    return book


def load(which: Which, *, on: Moment | None = None) -> Rulebook:
    """A rulebook by its slug or file, or as it is; BadInput if there is none.

    >>> load("mbs-tiger-v2")
    <Rulebook mbs-tiger-v2, version 2: 7 layouts, 8 bets>

    With `on`, the text of a family that is in force then; without a zone that is the book's own time.

    >>> load("rws-tiger-buffalo-non-commission", on="2025-08-08T07:59+08:00").slug
    'rws-tiger-buffalo-non-commission-v3'

    The text of a file and its values are taken as `loads` takes them.

    Addresses and messages from outside name a rulebook by its slug only: `named` reads no file for them.
    """
    if on is not None:
        return _on(which, on)
    if isinstance(which, Rulebook):
        return which
    if isinstance(which, Mapping) or (isinstance(which, str) and "\n" in which):
        return loads(which)
    if not isinstance(which, str | os.PathLike):
        raise BadInput(f"a rulebook is named by its slug or its file, or given as it is: got {which!r}")
    file = _file(which)
    return named(str(which)) if file is None else _read_source(file)


def loads(given: str | Mapping[str, Any], file: str = "text") -> Rulebook:
    """A rulebook from the text of a file, or from its values; `RulebookError` tells all that is wrong.

    >>> loads({"slug": "mine", "extends": "mbs-tiger-v2"})
    <Rulebook mine, version 2: 7 layouts, 8 bets>
    """
    return read(file, given if isinstance(given, str) else _written(given))


def _written(values: Mapping[str, Any]) -> str:
    """Values as the text of a file."""
    try:
        return "".join(f"{_quoted(str(key))} = {_in_line(value)}\n" for key, value in values.items())
    except (TypeError, AttributeError) as error:
        raise BadInput(f"a rulebook has texts, numbers, lists and tables: {error}") from None


def _in_line(value: object) -> str:
    if isinstance(value, Mapping):
        pairs = (f"{_quoted(str(key))} = {_in_line(one)}" for key, one in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_in_line, value)) + "]"
    if value is None:
        raise TypeError("got None: leave it out")
    return _quoted(value) if isinstance(value, str) else json.dumps(value)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _on(which: Which, on: Moment) -> Rulebook:
    """The text of a family in force then; of a version by its own slug, if it is that one."""
    if not isinstance(which, str):
        raise BadInput(f"`on` chooses among the versions of a family: name it, and not {which!r:.60}")
    family, versions = timeline(which)
    version = in_force(family, versions, on)
    if which not in (family, version.book.slug):
        raise BadInput(f"{which} is not in force then, but {version.book.slug}: name the family, {family}")
    return version.book


def timeline(which: str) -> tuple[str, tuple[Version, ...]]:
    """A family and its versions in the order of time, by its name or by the slug of any of them."""
    known = families(usable())
    if which in known:
        return which, known[which]
    for family, versions in known.items():
        if any(version.book.slug == which for version in versions):
            return family, versions
    near = get_close_matches(which[:80], known, n=2, cutoff=0.3) or known
    raise BadInput(f"there is no family of rulebooks {which[:80]!r}: did you mean {' or '.join(near)}?")


def usable() -> Iterator[Rulebook]:
    """Every book that can be used."""
    for slug in slugs():
        try:
            yield named(slug)
        except BadInput:  # its file changed just now, or another was given that name
            continue


def checked(which: str | os.PathLike[str]) -> tuple[Rulebook | None, list[Finding]]:
    """What `check` says of the text that a slug or file stands for; of a slug, if it is one text's."""
    source = _file(which)
    if source is None:
        choice = _choice(sources().get(str(which), ()))
        if len(choice) != 1 or not choice[0].text:
            named(str(which))  # says why it cannot be used
            raise BadInput(f"{which} names a text, not a file: check the file it came from")
        source = choice[0]
    if not source.text:
        raise BadInput(f"{source.file}: {source.problem}")
    return check(source.file, source.text, source.folder)


def _file(which: str | os.PathLike[str]) -> FoundBook | None:
    """The file that is meant, if it is not a slug."""
    if isinstance(which, str) and not which.endswith(SUFFIX) and "/" not in which and os.sep not in which:
        return None
    path = Path(which)
    if not path.is_file():
        raise BadInput(f"there is no file {path}: expected a rulebook such as my-game{SUFFIX}")
    return at_file(path)


def named(slug: str) -> Rulebook:
    """The rulebook of that slug; `slug@digest`, or the first eight digits or more, is one text of it."""
    name, at, digest = slug.partition("@")
    if at:
        return by_digest(name, digest)
    if slug in packaged() and only_packaged():
        return of_package(slug)
    found = sources().get(slug, ())
    if not found:
        near = get_close_matches(slug[:80], slugs(), n=2, cutoff=0.3) or slugs()
        raise BadInput(f"there is no rulebook {slug[:80]!r}: did you mean {' or '.join(near)}?")
    clash = _clash(found)
    if clash:
        raise BadInput(clash)
    return _read_source((_choice(found) or found)[0])


def _choice(found: tuple[FoundBook, ...]) -> tuple[FoundBook, ...]:
    """Those that can be meant by one slug."""
    return tuple(source for source in found if not source.problem)


def _clash(found: tuple[FoundBook, ...]) -> str:
    """Why a slug stands for no rulebook where there are several, each of them with its digest."""
    choice = _choice(found)
    if len(choice) <= 1:
        return ""
    slug = choice[0].slug
    texts = {}
    for source in choice:
        try:
            text = f"{slug}@{digest_of(_read_source(source))[:SHOWN_DIGEST]}"
        except BadInput:
            text = "not usable"
        texts[f"{source.file} ({source.place}, {text})"] = text
    if len(set(texts.values())) == 1 and "not usable" not in texts.values():  # one book in several places
        return ""
    told = "rename one, or choose one by its file or digest"
    return f"{len(texts)} rulebooks are called {slug}: {' and '.join(texts)}; {told}"


@cache
def of_package(slug: str) -> Rulebook:
    """A document of the package, whatever else has its slug; its tests have held it to every check."""
    return _remembered(_converted(slug))


def _converted(slug: str) -> Rulebook:
    book: Rulebook = convert(_made((FileText(slug, package_text(slug)),))[0])
    return book


def _read_source(source: FoundBook) -> Rulebook:
    if source.origin == "package":
        return of_package(source.slug)
    if source.book is not None:
        return source.book
    if not source.text:
        raise RulebookError(source.file, [finding(source.file, "", source.problem)])
    return read(source.file, source.text, source.folder)


# --- what a server was given, and texts by their digest ---------------------------------------------------


def take(file: str, text: str) -> Rulebook:
    """A book handed to a running server: checked, then found by its slug, unless another has it."""
    book = read(file, text)
    others = [source for source in sources().get(book.slug, ()) if source.origin != "server"]
    if others and digest_of(book) not in [digest_of(_read_source(other)) for other in others]:
        places = " and ".join(f"{other.file} ({other.place})" for other in others)
        raise BadInput(f"another rulebook is called {book.slug}: {places}; give this one another slug")
    keep(file, book)
    return book


def take_kept(text: bytes) -> Rulebook:
    """A book that a server was given before, by its canonical text."""
    book = remember(text)
    keep(book.slug + SUFFIX, book)
    return book


def remember(text: bytes) -> Rulebook:
    """A rulebook from the canonical text that a log was dealt by; it is found by its digest from now on."""
    known = _known.get(sha256(text).hexdigest())  # which is the digest of a book with that text
    return known or _remembered(from_canonical(text))


def by_digest(slug: str, digest: str) -> Rulebook:
    """The text of a rulebook that has this digest, or one that begins so, as far as it can be found here."""
    book = _known.get(digest)
    if book is not None and book.slug == slug:
        return book
    for source in _choice(sources().get(slug, ())):
        try:
            _remembered(_read_source(source))
        except BadInput:
            continue
    books = [book for known, book in list(_known.items()) if book.slug == slug and known.startswith(digest)]
    if len(digest) < SHORTEST_DIGEST or len(books) != 1:
        raise BadInput(f"the text {digest[:64]} of rulebook {slug[:80]} is not known here")
    return books[0]


def texts_read() -> dict[str, Rulebook]:
    """By digest, whatever has been read in this process."""
    return dict(_known)


def _remembered(book: Rulebook) -> Rulebook:
    return _known.setdefault(digest_of(book), book)
