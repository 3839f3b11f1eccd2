"""Rulebooks by slug, by file or as values: where they are found, read and held to every check."""

import os
import tomllib
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import cache, lru_cache, partial
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook.extending import DEEPEST, DIRECTIVES, PLAIN_GAME, whole
from thirdcard.rulebook.faults import NAME, faults, notes
from thirdcard.rulebook.findings import Finding, RulebookError
from thirdcard.rulebook.forms import Raw, convert, digest_of, form_faults, from_canonical
from thirdcard.rulebook.model import Rulebook
from thirdcard.rulebook.proof import proved_faults

Which: TypeAlias = str | os.PathLike[str] | Rulebook
Origin: TypeAlias = Literal["package", "folder", "entry point", "server"]

DOCUMENTS: Final = files("thirdcard.rulebook") / "documents"
FOLDERS: Final = "THIRDCARD_RULEBOOKS"  # the environment variable that names folders of rulebooks
ENTRY_POINTS: Final = "thirdcard.rulebooks"
SUFFIX: Final = ".toml"
LARGEST: Final = 1 << 20  # bytes of one file
MOST_FILES: Final = 500  # of one folder


# --- one file ---------------------------------------------------------------------------------------------


def read(file: str, text: str, near: Path | None = None) -> Rulebook:
    """A rulebook from its text, every check made; `near` is the folder in which it may name another file."""
    book, findings = check(file, text, near)
    wrong = [one for one in findings if one.level == "fault"]
    if book is None or wrong:
        raise RulebookError(file, wrong)
    return book


def check(file: str, text: str, near: Path | None = None) -> tuple[Rulebook | None, list[Finding]]:
    """The rulebook that a text makes, if it makes one, and all that is to be said of it."""

    def found(level: Literal["fault", "note"], *parts: str) -> Finding:
        return Finding(file=file, key=parts[0], finding=parts[1], example="".join(parts[2:]), level=level)

    try:
        made = _values(file, text, near, depth=0)
    except RulebookError as error:
        return None, list(error.findings)
    malformed = [found("fault", *one) for one in form_faults(made)]
    if malformed:
        return None, malformed
    book: Rulebook = convert(made)
    findings = [found("fault", *one) for one in faults(book)]
    findings += [found("fault", *one) for one in proved_faults(book)]
    if book.slug not in packaged():  # in those, `trace` speaks of every paragraph
        findings += [found("note", *one) for one in notes(book)]
    return book, findings


def _values(file: str, text: str, near: Path | None, depth: int) -> Raw:
    """All that a file's values come to, with those of the book that it extends."""

    def refuse(key: str, complaint: str) -> RulebookError:
        return RulebookError(file, [Finding(file=file, key=key, finding=complaint)])

    raw = _parsed(text, refuse)
    if depth >= DEEPEST:
        raise refuse("extends", f"more than {DEEPEST} books extend one another, or one extends itself")

    def base(name: str) -> Raw:
        if not name.endswith(SUFFIX):
            return _inherited(_text_of(name, refuse), depth)
        if near is None or Path(name).name != name:
            raise refuse("extends", f"{name!r}: expected a slug, or a file in the same folder")
        return _values(name, _file_text(near / name), near, depth + 1)

    try:
        return whole(raw, base)
    except KeyError as error:
        raise refuse("remove", f"{error.args[0]!r} is not there to be removed") from error
    except (AttributeError, TypeError) as error:
        raise refuse("", "a section is not what the book it extends has there") from error


def _parsed(text: str, refuse: Callable[[str, str], RulebookError]) -> Raw:
    """A file's own values; what decides how they are read is checked here."""
    if len(text) > LARGEST:
        raise refuse("", f"{len(text):,} characters: a rulebook has at most {LARGEST:,}")
    try:
        raw = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        told = "tables within tables without end" if isinstance(error, RecursionError) else str(error)
        raise refuse("", told) from error
    if "assumed" in raw:
        raise refuse("assumed", "is worked out from the sections that are missing, not given")
    if not isinstance(raw.get("slug"), str):
        raise refuse("slug", "expected the name of the rulebook, such as 'my-game-v1'")
    if not isinstance(raw.get("extends", ""), str):
        raise refuse("extends", "expected one slug, or one file in the same folder")
    remove = raw.get("remove", [])
    if not isinstance(remove, list) or not all(isinstance(one, str) for one in remove):
        raise refuse("remove", "expected a list of keys, such as 'bets.tiger'")
    return raw


def _inherited(source: "Source", depth: int) -> Raw:
    made = _values(source.file, source.text(), source.folder, depth + 1)
    return {name: value for name, value in made.items() if name not in DIRECTIVES}


def _text_of(slug: str, refuse: Callable[[str, str], RulebookError]) -> "Source":
    found = _sources().get(slug, ())
    if len(found) != 1:
        known = "there is no rulebook" if not found else "several rulebooks are called"
        raise refuse("extends", f"{known} {slug!r}: expected one of {', '.join((PLAIN_GAME, *slugs()))}")
    return found[0]


def _file_text(path: Path) -> str:
    """The text of a file, which is not read at all where it is too large to be one."""
    try:
        size = path.stat().st_size
        if size > LARGEST:
            told = f"{size:,} bytes: a rulebook has at most {LARGEST:,}"
            raise RulebookError(path.name, [Finding(file=path.name, key="", finding=told)])
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: is not UTF-8 text") from error


# --- where they are found ---------------------------------------------------------------------------------


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A rulebook that was found, and where; `text` reads it."""

    slug: str
    file: str
    origin: Origin
    where: str
    text: Callable[[], str]
    folder: Path | None = None


_given_folders: list[Path] = []
_taken: dict[str, tuple[str, str]] = {}  # by slug: file name and text of what a server was given
_known: dict[str, Rulebook] = {}  # by digest: whatever was read, so that a log finds its own text


def search_in(folder: str | os.PathLike[str]) -> None:
    """Look for rulebooks in that folder too."""
    path = Path(folder)
    if not path.is_dir():
        raise BadInput(f"{path} is not a folder: expected one with rulebooks (*{SUFFIX})")
    if path not in _given_folders:
        _given_folders.append(path)


def take(file: str, text: str) -> Rulebook:
    """A book handed to a running server: checked, then found by its slug."""
    book = read(file, text)
    _taken[book.slug] = (file, text)
    return book


def _sources() -> dict[str, tuple[Source, ...]]:
    """Every rulebook that can be found, by slug; several under one slug where texts differ."""
    found: dict[str, list[Source]] = {}
    for source in (*_from_package(), *_from_folders(), *_from_entry_points(), *_from_server()):
        others = found.setdefault(source.slug, [])
        if all(source.text() != other.text() for other in others):
            others.append(source)
    return {slug: tuple(sources) for slug, sources in found.items()}


@cache
def _package_files() -> tuple[str, ...]:
    return tuple(sorted(one.name for one in DOCUMENTS.iterdir() if one.name.endswith(SUFFIX)))


@cache
def packaged() -> tuple[str, ...]:
    """The slugs of the documents that come with the package."""
    return tuple(file.removesuffix(SUFFIX) for file in _package_files())


@cache
def _package_text(file: str) -> str:
    return (DOCUMENTS / file).read_text(encoding="utf-8")


def _from_package() -> Iterator[Source]:
    for file in _package_files():
        slug = file.removesuffix(SUFFIX)
        text = partial(_package_text, file)
        yield Source(slug=slug, file=file, origin="package", where="thirdcard", text=text)


def _from_folders() -> Iterator[Source]:
    named = [Path(one) for one in os.environ.get(FOLDERS, "").split(os.pathsep) if one]
    for folder in dict.fromkeys((*_given_folders, *named)):
        yield from _in_folder(folder, "folder", str(folder))


def _in_folder(folder: Path, origin: Origin, where: str) -> Iterator[Source]:
    for path in sorted(folder.glob(f"*{SUFFIX}"))[:MOST_FILES]:
        yield from _in_file(path, origin, where)


def _in_file(path: Path, origin: Origin, where: str) -> Iterator[Source]:
    try:
        stat = path.stat()
    except OSError:
        return
    text, slug = _looked_at(path, stat.st_mtime_ns, stat.st_size)
    yield Source(slug=slug, file=path.name, origin=origin, where=where, text=lambda: text, folder=path.parent)


@lru_cache(maxsize=1024)
def _looked_at(path: Path, _modified: int, _size: int) -> tuple[str, str]:
    """The text of a file and the slug it gives itself; one that cannot be read goes by its name."""
    try:
        text = _file_text(path)
        slug = tomllib.loads(text).get("slug")
    except (BadInput, tomllib.TOMLDecodeError, RecursionError):
        return "", path.stem
    return text, slug if isinstance(slug, str) and NAME.fullmatch(slug) else path.stem


@cache
def _entry_point_paths() -> tuple[tuple[str, Path], ...]:
    """What installed packages offer: a file, a folder, or a function that returns one."""
    found = []
    for one in entry_points(group=ENTRY_POINTS):
        offered: Any = one.load()
        found.append((one.name, Path(offered() if callable(offered) else offered)))
    return tuple(found)


def _from_entry_points() -> Iterator[Source]:
    for name, path in _entry_point_paths():
        if path.is_dir():
            yield from _in_folder(path, "entry point", name)
        else:
            yield from _in_file(path, "entry point", name)


def _from_server() -> Iterator[Source]:
    for slug, (file, text) in _taken.items():
        yield Source(slug=slug, file=file, origin="server", where="this server", text=partial(str, text))


# --- finding one ------------------------------------------------------------------------------------------


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
    found = []
    for slug, sources in sorted(_sources().items()):
        clash = _clash(slug, sources) if len(sources) > 1 else ""
        for source in sources:
            book, problem = None, clash
            try:
                book = _read_source(source) if not clash else None
            except BadInput as error:
                problem = str(error)
            found.append(
                Entry(
                    slug=slug,
                    origin=source.origin,
                    where=source.where,
                    file=source.file,
                    book=book,
                    problem=problem,
                )
            )
    return tuple(found)


def slugs() -> tuple[str, ...]:
    """The slugs of all rulebooks that can be used: those of the package, of folders, of other packages."""
    if not (_given_folders or _taken or os.environ.get(FOLDERS) or _entry_point_paths()):
        return packaged()
    return tuple(entry.slug for entry in catalogue() if entry.book is not None)


def load(which: Which) -> Rulebook:
    """A rulebook by its slug or file, or as it is; BadInput if there is none.

    Addresses and messages from outside name a rulebook by its slug only: `named` reads no file for them.
    """
    if isinstance(which, Rulebook):
        return which
    if not isinstance(which, str) or which.endswith(SUFFIX) or "/" in which or os.sep in which:
        path = Path(which)
        stat = path.stat() if path.is_file() else None
        if stat is None:
            raise BadInput(f"there is no file {path}: expected a rulebook such as my-game{SUFFIX}")
        return _read_file(path.resolve(), stat.st_mtime_ns, stat.st_size)
    return named(which)


def named(slug: str) -> Rulebook:
    """The rulebook of that slug; `slug@digest`, or the first eight digits or more, is one text of it."""
    name, _, digest = slug.partition("@")
    if digest:
        return _by_digest(name, digest)
    sources = _sources().get(slug, ()) if slug not in packaged() or slugs() != packaged() else ()
    if slug in packaged() and len(sources) <= 1:
        return _read_package(slug)
    if not sources:
        near = get_close_matches(slug, slugs(), n=2, cutoff=0.3) or slugs()
        raise BadInput(f"there is no rulebook {slug[:80]!r}: did you mean {' or '.join(near)}?")
    if len(sources) > 1:
        raise BadInput(_clash(slug, sources))
    return _read_source(sources[0])


def _clash(slug: str, sources: tuple[Source, ...]) -> str:
    places = " and ".join(f"{one.file} ({one.origin} {one.where})" for one in sources)
    return f"two rulebooks are called {slug}: {places}; rename one, or choose one by its file"


@cache
def _read_package(slug: str) -> Rulebook:
    """A document of the package: its tests have held it to every check."""
    return _remembered(_converted(slug + SUFFIX))


def _converted(file: str) -> Rulebook:
    book: Rulebook = convert(_values(file, _package_text(file), None, depth=0))
    return book


def _read_source(source: Source) -> Rulebook:
    if source.origin == "package":
        return _read_package(source.slug)
    if not source.text() and source.folder:  # it could not be read, and says why
        return read(source.file, _file_text(source.folder / source.file), source.folder)
    return _read_text(source.file, source.text(), source.folder)


@lru_cache(maxsize=256)
def _read_text(file: str, text: str, folder: Path | None) -> Rulebook:
    return _remembered(read(file, text, folder))


@lru_cache(maxsize=256)
def _read_file(path: Path, _modified: int, _size: int) -> Rulebook:
    return _remembered(read(path.name, _file_text(path), path.parent))


def read_rulebooks() -> int:
    """How many texts have been read in this process."""
    return len(_known)


# --- texts by their digest --------------------------------------------------------------------------------


def _remembered(book: Rulebook) -> Rulebook:
    return _known.setdefault(digest_of(book), book)


def remember(text: bytes) -> Rulebook:
    """A rulebook from the canonical text that a log was dealt by; it is found by its digest from now on."""
    return _remembered(from_canonical(text))


def by_digest(slug: str, digest: str) -> Rulebook:
    """The text of a rulebook that has this digest, as far as it has been read here."""
    book = _known.get(digest)
    return book if book is not None and book.slug == slug else _by_digest(slug, digest)


SHORTEST_DIGEST: Final = 8


def _by_digest(slug: str, digest: str) -> Rulebook:
    for entry in catalogue():  # reads what was not read yet
        if entry.book is not None:
            _remembered(entry.book)
    found = [book for known, book in _known.items() if book.slug == slug and known.startswith(digest)]
    if len(digest) < SHORTEST_DIGEST or len(found) != 1:
        raise BadInput(f"the text {digest[:64]} of rulebook {slug} is not known here")
    return found[0]
