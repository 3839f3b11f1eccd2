"""Where rulebooks are found: the package, folders, other packages, and what a running server was given."""

import os
import stat
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook.faults import NAME
from thirdcard.rulebook.findings import printable
from thirdcard.rulebook.forms import LARGEST, values_of
from thirdcard.rulebook.model import Rulebook

Origin: TypeAlias = Literal["package", "folder", "entry point", "server"]

DOCUMENTS: Final = files("thirdcard.rulebook") / "documents"
FOLDERS: Final = "THIRDCARD_RULEBOOKS"  # the environment variable that names folders of rulebooks
ENTRY_POINTS: Final = "thirdcard.rulebooks"
SUFFIX: Final = ".toml"
MOST_FILES: Final = 500  # of one folder


class FoundBook(msgspec.Struct, frozen=True, kw_only=True):
    """A rulebook that was found, and where: its text, or its value if a server was given it.

    One with a problem stands for no slug; where there is a text, its faults say more.
    """

    slug: str
    file: str
    origin: Origin
    where: str
    text: str = ""
    book: Rulebook | None = None
    problem: str = ""
    folder: Path | None = None  # in which it may name another file

    @property
    def same_as(self) -> tuple[object, ...]:
        """Two that are alike in this are one rulebook found twice."""
        return (self.text, self.book) if not self.problem else (self.where, self.file)

    @property
    def place(self) -> str:
        """Where it was found as anybody may know: of a folder its name, since where that lies is private."""
        return f"{self.origin} {Path(self.where).name if self.origin == 'folder' else self.where}"


_folders: list[Path] = []
_taken: dict[str, FoundBook] = {}


def search_in(folder: str | os.PathLike[str]) -> None:
    """Look for rulebooks in that folder too."""
    path = Path(folder)
    if not path.is_dir():
        raise BadInput(f"{path} is not a folder: expected one with rulebooks (*{SUFFIX})")
    if path not in _folders:
        _folders.append(path)


def keep(file: str, book: Rulebook) -> None:
    """A running server has that book from now on, in place of any it was given under the same slug."""
    _taken[book.slug] = FoundBook(slug=book.slug, file=file, origin="server", where="this server", book=book)


class Given(NamedTuple):
    """Where a process looks for rulebooks besides the package, and which it was handed, with their files."""

    folders: tuple[Path, ...]
    environment: str
    books: tuple[tuple[str, Rulebook], ...]


def given() -> Given:
    books = tuple((source.file, source.book) for source in _taken.values() if source.book)
    return Given(tuple(_folders), os.environ.get(FOLDERS, ""), books)


def take_given(other: Given) -> None:
    """Look where another process looks, and have what it was handed, and nothing else."""
    _folders[:], os.environ[FOLDERS] = other.folders, other.environment
    _taken.clear()
    for file, book in other.books:
        keep(file, book)


def sources() -> dict[str, tuple[FoundBook, ...]]:
    """Everything that is found, by slug; several under one slug where texts differ."""
    found: dict[str, dict[tuple[object, ...], FoundBook]] = {}
    for source in (*_from_package(), *_from_folders(), *_from_entry_points(), *_taken.values()):
        found.setdefault(source.slug, {}).setdefault(source.same_as, source)
    return {slug: tuple(others.values()) for slug, others in found.items()}


def only_packaged() -> bool:
    """Whether there is nowhere else to look."""
    return not (_folders or _taken or os.environ.get(FOLDERS) or _entry_point_paths())


# --- the package ------------------------------------------------------------------------------------------


@cache
def packaged() -> tuple[str, ...]:
    """The slugs of the documents that come with the package."""
    names = (file.name for file in DOCUMENTS.iterdir() if file.name.endswith(SUFFIX))
    return tuple(sorted(name.removesuffix(SUFFIX) for name in names))


@cache
def package_text(slug: str) -> str:
    return (DOCUMENTS / (slug + SUFFIX)).read_text(encoding="utf-8")


@cache
def _from_package() -> tuple[FoundBook, ...]:
    return tuple(
        FoundBook(slug=slug, file=slug + SUFFIX, origin="package", where="thirdcard", text=package_text(slug))
        for slug in packaged()
    )


# --- files ------------------------------------------------------------------------------------------------


def _from_folders() -> Iterator[FoundBook]:
    listed = [Path(one) for one in os.environ.get(FOLDERS, "").split(os.pathsep) if one]
    for folder in dict.fromkeys((*_folders, *listed)):
        yield from _at(folder, "folder", str(folder))


def _at(path: Path, origin: Origin, where: str) -> Iterator[FoundBook]:
    """What is in a file, or in the files of a folder."""
    if not path.is_dir():
        yield at_file(path, origin, where)
    else:
        for file in sorted(path.glob(f"*{SUFFIX}"))[:MOST_FILES]:
            yield at_file(file, origin, where)


def at_file(path: Path, origin: Origin = "folder", where: str = "") -> FoundBook:
    """A file as it stands now."""
    try:
        now = path.stat()
    except (OSError, ValueError) as error:
        slug, text, problem = path.stem, "", f"cannot be read ({getattr(error, 'strerror', error)})"
    else:
        slug, text, problem = _looked_at(path, stat.S_ISREG(now.st_mode), now.st_mtime_ns, now.st_size)
    return FoundBook(
        slug=printable(slug),
        file=path.name,
        origin=origin,
        where=where,
        text=text,
        problem=problem,
        folder=path.parent,
    )


@lru_cache(maxsize=1024)
def _looked_at(path: Path, regular: bool, _modified: int, size: int) -> tuple[str, str, str]:  # noqa: FBT001
    """The slug that a file gives itself, else its name; its text, if it can be had; and what is wrong."""
    if not regular:
        return path.stem, "", "is not a file"
    if size > LARGEST:
        return path.stem, "", f"{size:,} bytes: a rulebook has at most {LARGEST:,}"
    try:
        with path.open("rb") as opened:
            text = opened.read(LARGEST + 1).decode("utf-8-sig")
    except OSError as error:
        return path.stem, "", f"cannot be read ({error.strerror})"
    except UnicodeDecodeError:
        return path.stem, "", "is not UTF-8 text"
    slug = values_of(text)[0].get("slug")
    if isinstance(slug, str) and NAME.fullmatch(slug):
        return slug, text, ""
    return path.stem, text, "does not say what it is called"


# --- other packages ---------------------------------------------------------------------------------------


@cache
def _entry_point_paths() -> tuple[tuple[str, Path | None, str], ...]:
    """What installed packages offer: a file, a folder, or a function that returns one."""
    paths: list[tuple[str, Path | None, str]] = []
    for point in entry_points(group=ENTRY_POINTS):
        try:
            offered: Any = point.load()
            paths.append((point.name, Path(offered() if callable(offered) else offered), ""))
        except Exception as error:  # noqa: BLE001 - whatever another package does wrong
            paths.append((point.name, None, f"{point.value} gives no file or folder ({error})"))
    return tuple(paths)


def _from_entry_points() -> Iterator[FoundBook]:
    for name, path, problem in _entry_point_paths():
        if path is None:
            yield FoundBook(
                slug=printable(name), file="", origin="entry point", where=name, problem=printable(problem)
            )
        else:
            yield from _at(path, "entry point", name)
