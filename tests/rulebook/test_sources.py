"""Where rulebooks are found, and which one a name stands for."""

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from thirdcard.errors import BadInput
from thirdcard.rulebook import digest_of, load, named, slugs
from thirdcard.rulebook.findings import RulebookError
from thirdcard.rulebook.forms import canonical
from thirdcard.rulebook.load import (
    Entry,
    by_digest,
    catalogue,
    checked,
    of_package,
    packaged,
    remember,
    search_in,
    take,
    take_kept,
)

ROOT: Final = Path(__file__).parents[2]
EXAMPLES: Final = ROOT / "examples" / "rulebooks"
SOURCES: Final = import_module("thirdcard.rulebook.sources")


def game(slug: str = "game", title: str = "Game", more: str = "") -> str:
    return f'slug = "{slug}"\n{more}[document]\ntitle = "{title}"\n'


def write(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def others() -> list[Entry]:
    """What is found beside the documents of the package."""
    return [one for one in catalogue() if one.origin != "package"]


# --- folders ----------------------------------------------------------------------------------------------


def test_without_a_folder_there_are_the_documents_of_the_package() -> None:
    assert slugs() == packaged() == tuple(one.slug for one in catalogue())
    assert {(one.origin, one.where, one.problem) for one in catalogue()} == {("package", "thirdcard", "")}


def test_books_are_found_in_the_folders_that_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("given", "first", "second"):
        write(tmp_path / name, f"{name}.toml", game(name))
    write(tmp_path / "given", "notes.txt", "no rulebook")
    search_in(tmp_path / "given")
    monkeypatch.setenv(
        "THIRDCARD_RULEBOOKS", os.pathsep.join((str(tmp_path / "first"), "", str(tmp_path / "second")))
    )
    assert slugs() == tuple(sorted((*packaged(), "first", "given", "second")))
    assert [(one.slug, one.file, one.origin, one.where) for one in others()] == [
        (name, f"{name}.toml", "folder", str(tmp_path / name)) for name in ("first", "given", "second")
    ]
    assert named("second") is load(tmp_path / "second" / "second.toml")


def test_a_folder_that_is_none_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match="is not a folder: expected one with rulebooks"):
        search_in(tmp_path / "nowhere")
    monkeypatch.setenv("THIRDCARD_RULEBOOKS", str(tmp_path / "nowhere"))
    assert [one.problem for one in others()] == ["nowhere: cannot be read (No such file or directory)"]


def test_every_example_is_found_in_its_folder() -> None:
    search_in(EXAMPLES)
    found = {one.slug: one.problem for one in others()}
    assert found == {file.stem: "" for file in EXAMPLES.glob("*.toml")}


def test_a_book_is_extended_by_its_slug(tmp_path: Path) -> None:
    write(tmp_path, "one.toml", game("one", "One"))
    write(tmp_path, "two.toml", 'slug = "two"\nextends = "one"\n')
    search_in(tmp_path)
    assert named("two").document.title == "One"


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    file = write(tmp_path, "game.toml", game(title="First"))
    search_in(tmp_path)
    assert named("game").document.title == "First"
    write(tmp_path, "game.toml", game(title="Second one"))
    assert named("game").document.title == load(file).document.title == "Second one"
    file.unlink()
    with pytest.raises(BadInput, match="there is no rulebook 'game'"):
        named("game")


def test_a_slug_of_the_network_reads_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "game.toml", game())
    monkeypatch.chdir(tmp_path)
    assert load("game.toml").slug == load("./game.toml").slug == "game"
    for name in ("game.toml", "./game.toml", str(tmp_path / "game.toml")):
        with pytest.raises(BadInput, match="there is no rulebook"):
            named(name)


# --- two of one name --------------------------------------------------------------------------------------


def test_two_books_of_one_slug_are_both_named_and_neither_is_used_until_one_is_chosen(tmp_path: Path) -> None:
    first = write(tmp_path / "a", "first.toml", game(title="First"))
    second = write(tmp_path / "b", "second.toml", game(title="Second"))
    search_in(tmp_path / "a")
    search_in(tmp_path / "b")
    assert "game" not in slugs()
    with pytest.raises(BadInput) as caught:
        named("game")
    told = str(caught.value)
    digests = [digest_of(load(file))[:12] for file in (first, second)]
    assert told == (
        f"2 rulebooks are called game: first.toml (folder a, game@{digests[0]}) and "
        f"second.toml (folder b, game@{digests[1]}); rename one, or choose one by its file or digest"
    )
    assert [(one.file, one.problem, one.book) for one in others()] == [
        ("first.toml", told, None),
        ("second.toml", told, None),
    ]
    with pytest.raises(RulebookError, match="several rulebooks are called 'game'"):
        take("more.toml", 'slug = "more"\nextends = "game"\n')
    for file, digest in zip((first, second), digests, strict=True):
        assert load(f"game@{digest}") is load(file)


def test_a_digest_chooses_though_nothing_was_read_before(tmp_path: Path) -> None:
    write(tmp_path / "a", "first.toml", game(title="Not read yet"))
    second = write(tmp_path / "b", "second.toml", game(title="Nor this"))
    program = "import sys; from thirdcard.rulebook import named; print(named(sys.argv[1]).document.title)"
    env = os.environ | {"THIRDCARD_RULEBOOKS": os.pathsep.join((str(tmp_path / "a"), str(tmp_path / "b")))}
    which = f"game@{digest_of(load(second))[:12]}"
    done = subprocess.run(
        [sys.executable, "-c", program, which], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout == "Nor this\n"


def test_the_same_text_twice_is_one_book(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        write(tmp_path / folder, "game.toml", game())
        search_in(tmp_path / folder)
    assert [one.where for one in others()] == [str(tmp_path / "a")]
    assert named("game").slug == "game"


def test_one_book_in_several_places_is_no_clash(tmp_path: Path) -> None:
    write(tmp_path, "game.toml", game())
    write(tmp_path, "again.toml", "# the same in other words\n" + game())
    search_in(tmp_path)
    book = take("mine.toml", game())
    assert named("game") is book
    assert [(one.file, one.origin, one.book) for one in others()] == [
        ("again.toml", "folder", book),
        ("game.toml", "folder", book),
        ("mine.toml", "server", book),
    ]
    assert slugs().count("game") == 1


def test_a_document_of_the_package_is_not_quietly_replaced(tmp_path: Path) -> None:
    slug = "mbs-tiger-v2"
    own = digest_of(named(slug))
    write(tmp_path, "mine.toml", game(slug, "Mine"))
    search_in(tmp_path)
    with pytest.raises(BadInput, match="2 rulebooks are called mbs-tiger-v2"):
        named(slug)
    assert slug not in slugs()
    assert named(f"{slug}@{own[:12]}") is of_package(slug)


@pytest.mark.parametrize(
    "which", ["game@", "game@123", "game@" + "0" * 64, "nothing@" + "0" * 12, "@", "a@b@c"]
)
def test_a_text_that_nobody_knows_is_none(which: str) -> None:
    with pytest.raises(BadInput, match="is not known here"):
        named(which)


# --- other packages ---------------------------------------------------------------------------------------


def install(site: Path, *points: str) -> None:
    """A distribution as an installer leaves it, with rulebooks beside its code."""
    write(site / "house", "__init__.py", "from pathlib import Path\nFOLDER = Path(__file__).parent\n"
          "FILE = str(FOLDER / 'one.toml')\ndef offered():\n    return FOLDER / 'more'\ndef broken():\n    raise OSError('no disk')\n")  # fmt: skip
    write(site / "house", "one.toml", game("one"))
    write(site / "house" / "more", "two.toml", game("two"))
    write(site / "house" / "more", "three.toml", game("three"))
    about = site / "house-1.0.dist-info"
    write(about, "METADATA", "Metadata-Version: 2.1\nName: house\nVersion: 1.0\n")
    write(about, "entry_points.txt", "[thirdcard.rulebooks]\n" + "\n".join(points))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    place = tmp_path / "site-packages"
    monkeypatch.syspath_prepend(str(place))
    monkeypatch.delitem(sys.modules, "house", raising=False)
    SOURCES._entry_point_paths.cache_clear()  # noqa: SLF001 - packages are not installed while one runs
    yield place
    SOURCES._entry_point_paths.cache_clear()  # noqa: SLF001


@pytest.mark.parametrize(
    ("point", "found"),
    [
        ("a file = house:FILE", ["one"]),
        ("a folder = house:FOLDER", ["one"]),
        ("a function = house:offered", ["three", "two"]),
    ],
)
def test_an_installed_package_offers_rulebooks(site: Path, point: str, found: list[str]) -> None:
    install(site, point)
    name = point.partition(" = ")[0]
    assert [(one.slug, one.origin, one.where, one.problem) for one in others()] == [
        (slug, "entry point", name, "") for slug in found
    ]
    assert named(found[0]).slug == found[0]
    assert found[0] in slugs()


@pytest.mark.parametrize(
    "point", ["house:broken", "house:nothing", "no_such_module_at_all", "house:FOLDER.stat", "house:__doc__"]
)
def test_a_package_that_offers_nothing_usable_harms_nobody(site: Path, point: str) -> None:
    install(site, f"wrong = {point}", "right = house:FILE")
    assert {one.slug: bool(one.problem) for one in others()} == {"one": False, "wrong": True}
    assert slugs() == tuple(sorted((*packaged(), "one")))


# --- what a server is given -------------------------------------------------------------------------------


def test_a_book_that_a_server_takes_is_found_by_its_slug() -> None:
    book = take("game.toml", game())
    assert named("game") is book
    assert [(one.slug, one.file, one.origin, one.where) for one in others()] == [
        ("game", "game.toml", "server", "this server")
    ]
    again = take("game.toml", game(title="Second"))  # a new version takes its place
    assert named("game") is again
    assert by_digest("game", digest_of(book)) is book
    assert take("more.toml", 'slug = "more"\nextends = "game"\n').document.title == "Second"


def test_a_server_takes_no_slug_that_another_book_has(tmp_path: Path) -> None:
    write(tmp_path, "game.toml", game())
    search_in(tmp_path)
    with pytest.raises(BadInput, match=r"another rulebook is called game: game.toml \(folder"):
        take("mine.toml", game(title="Mine"))
    with pytest.raises(
        BadInput, match=r"another rulebook is called mbs-tiger-v2: mbs-tiger-v2.toml \(package"
    ):
        take("mine.toml", game("mbs-tiger-v2"))
    assert named("game").document.title == "Game"


def test_a_server_takes_its_books_again_from_their_canonical_text() -> None:
    text = canonical(take("game.toml", game(title="Kept")))
    SOURCES._taken.clear()  # noqa: SLF001 - the server starts anew
    with pytest.raises(BadInput, match="there is no rulebook 'game'"):
        named("game")
    assert canonical(take_kept(text)) == text
    assert named("game").document.title == "Kept"


def test_a_text_that_is_remembered_is_found_by_its_digest_only() -> None:
    book = take("game.toml", game(title="Of an old log"))
    SOURCES._taken.clear()  # noqa: SLF001 - the server starts anew
    assert remember(canonical(book)) is book
    assert by_digest("game", digest_of(book)) is book
    with pytest.raises(BadInput, match="is not known here"):
        by_digest("other", digest_of(book))
    assert "game" not in slugs()


# --- checking what was found ------------------------------------------------------------------------------


def test_a_slug_or_a_file_is_checked(tmp_path: Path) -> None:
    file = write(tmp_path, "game.toml", game(more="colour = 1\n"))
    search_in(tmp_path)
    for which in (file, str(file), "game"):
        book, findings = checked(which)
        assert book is None
        assert [one.key for one in findings] == ["colour"]
    assert checked("mbs-tiger-v2")[1] == []
    with pytest.raises(BadInput, match="there is no rulebook 'gam': did you mean"):
        checked("gam")
    half = write(tmp_path, "half.toml", "slug = 'half'\n[decks")
    assert [str(one) for one in checked(half)[1]] == [
        "Expected ']' at the end of a table declaration (at end of document)"
    ]
    with pytest.raises(BadInput, match=r"^empty\.toml: does not say what it is called"):
        checked(write(tmp_path, "empty.toml", ""))
