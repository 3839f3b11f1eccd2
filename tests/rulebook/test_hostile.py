"""A file that means harm, or was simply broken, costs nothing but its sentence."""

import os
import random
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest

from each import each
from law.changes import as_toml
from thirdcard.errors import BadInput
from thirdcard.rulebook import load, named, slugs
from thirdcard.rulebook.extending import DEEPEST
from thirdcard.rulebook.findings import RulebookError
from thirdcard.rulebook.load import catalogue, check, packaged, read, search_in, take
from thirdcard.rulebook.sources import DOCUMENTS

ROOT: Final = Path(__file__).parents[2]
EXAMPLES: Final = ROOT / "examples" / "rulebooks"
FILE: Final = "game.toml"
HEAD: Final = 'slug = "game"\nextends = "plain"\n'
TITLE: Final = '[document]\ntitle = "Game"\n'


def refused(text: str, near: Path | None = None) -> RulebookError:
    """The fault that a text is refused for: it names the file, and can be printed as it is."""
    with pytest.raises(RulebookError) as caught:
        read(FILE, text, near)
    told = str(caught.value)
    assert told.startswith(f"{FILE}: ")
    assert told.isprintable()
    assert len(told) < 20_000
    assert check(FILE, text, near)[1] == list(caught.value.findings)
    return caught.value


def side_bet(when: str = "{ sum = 0 }", odds: str = '"1 to 1"', name: str = "side") -> str:
    return f'[bets."{name}"]\nname = "Side"\npays = [{{ tier = "win", when = {when}, odds = {odds} }}]\n'


def test_the_game_that_is_spoilt_here_is_a_good_one() -> None:
    assert read(FILE, HEAD + TITLE + side_bet()).bets["side"].name == "Side"


# --- size -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("#" * 10_000_000, "10,000,000 characters: a rulebook has at most 262,144", id="10 MB"),
        pytest.param("x = " + "[" * 50_000, "tables within tables without end", id="lists"),
        pytest.param("x = " + "{a=" * 50_000, "tables within tables without end", id="tables"),
        pytest.param("a." * 100_000 + "a = 1", "tables within tables without end", id="a key"),
        pytest.param("[" + "a . " * 50_000 + "a]", "tables within tables without end", id="a header"),
        pytest.param("x = {p = '.', " + "a." * 90_000 + "'.x'.a = 1}", "tables within", id="behind a quote"),
        pytest.param(("a." * 9 + "'" + "x" * 200 + "'.") * 1000 + "a = 1", "tables within", id="long parts"),
        pytest.param('"x".' * 60_000 + "a = 1", "tables within tables without end", id="quoted parts"),
        pytest.param(
            "x = " + "[" * 30 + "1" + "]" * 30, "tables within tables without end", id="a few lists"
        ),
        pytest.param("x = 1" + "0" * 100_000, "Exceeds the limit", id="digits"),
        pytest.param("x = 0x" + "f" * 100_000, "x: a number larger than 1,000,000,000", id="hexadecimal"),
        pytest.param("x = -9999999999", "x: a number larger than 1,000,000,000", id="a negative number"),
        pytest.param("x = [" + "1," * 60_000 + "]", "more than 20,000 values", id="values"),
        pytest.param("k" * 90_000 + " = 1", "a key of 90,000 characters: kkk", id="a long key"),
        pytest.param("x = 1\nx = 2", "Cannot overwrite a value", id="a key twice"),
        pytest.param("[bets.x]\n[bets.x]", "Cannot declare ('bets', 'x') twice", id="a table twice"),
        pytest.param('x = "\ud800"', "surrogates not allowed", id="half a character"),
        pytest.param('x = "\0"', "Illegal character", id="a control character"),
        pytest.param("x = ", "Invalid value", id="no value"),
        pytest.param("", "slug: expected the name of the rulebook, such as 'my-game-v1'", id="nothing"),
    ],
)
def test_no_such_text_is_a_rulebook(text: str, told: str) -> None:
    assert told in str(refused(text))


def test_lists_without_end_say_what_is_too_many() -> None:
    bets = "".join(f"b{n} = {{}}\n" for n in range(10_000))
    assert len(refused(f"{HEAD}{TITLE}[bets]\n{bets}").findings) == 200  # each without a name and pay line
    bets = "".join(f"[bets.b{n}]\nname = 'x'\npays = []\n" for n in range(3000))
    assert [str(one) for one in refused(HEAD + TITLE + bets).findings] == [
        "bets: 3,003 entries: at most 64 can be used"
    ]


BETS: Final = "['player', 'banker', 'tie', 'side']"
LAYOUTS: Final = "[layouts]\n" + "".join(
    f"L{n} = {{ positions = [1, 9], bets = {BETS} }}\n" for n in range(65)
)
TIER: Final = "{ tier = 'win', when = {}, odds = '1 to 1' }, "
RULING: Final = "{ remedy = ['decide'], decides = 'dealer' }, "
PROCEDURE: Final = "[[procedures]]\ncase = 'one'\ntitle = 'One'\nabout = ['display']\n"


def closer(number: int) -> str:
    """A push that looks at other cards of both hands than any before."""
    first, second, third = ("A23456789TJQK"[(number * step) % 13] for step in (1, 5, 11))
    hand = f"{{ first = ['{first}'], second = ['{second}'], third = ['{third}'] }}"
    return f"{{ tier = 'push {number}', when = {{ winning = {hand} }} }}, "


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (side_bet() + LAYOUTS, "layouts: 65 entries: at most 64 can be used"),
        (side_bet().replace("pays = [", f"pays = [{TIER * 200}"), "bets.side.pays: more than 200 tiers"),
        (f"{PROCEDURE}rulings = [{RULING * 501}]", "procedures: more than 500 rulings"),
        (side_bet() + f"rules = {['1.1'] * 65}", "bets.side.rules: cites more than 64 paragraphs"),
        (
            side_bet() + f"pushes = [{''.join(map(closer, range(150)))}]",
            "bets.side: its proof would take about ",
        ),
    ],
)
def test_what_no_document_has_stops_every_other_check(text: str, told: str) -> None:
    found = refused(HEAD + TITLE + text).findings
    assert len(found) == 1
    assert str(found[0]).startswith(told)


# --- values ---------------------------------------------------------------------------------------------


@each(
    ("text", "key"),
    [
        (side_bet(odds='"1e999 to 1"'), "bets.side.pays[0].odds"),
        (side_bet(odds='"99999999999 to 1"'), "bets.side.pays[0].odds"),
        (side_bet(odds='"9001 to 1"'), "bets.side.pays[0].odds"),
        (side_bet(odds=f'"{"9" * 5000} to 1"'), "bets.side.pays[0].odds"),
        (side_bet(odds='"1 to 0"'), "bets.side.pays[0].odds"),
        (side_bet(odds='"-1 to 1"'), "bets.side.pays[0].odds"),
        (side_bet(odds="nan"), "bets.side.pays[0].odds"),
        (side_bet("{ sum = inf }"), "bets.side.pays[0].when.sum"),
        (side_bet("{ sum = '0-99999999' }"), "bets.side.pays[0].when.sum"),
        (side_bet("{ sum = '9-4' }"), "bets.side.pays[0].when.sum"),
        (side_bet("{ sum = [] }"), "bets.side.pays[0].when.sum"),
        (side_bet("{ sum = true }"), "bets.side.pays[0].when.sum"),
        (side_bet("{ total = 2024-01-01 }"), "bets.side.pays[0].when.total"),
        (side_bet("{ player = { first = ['10'] } }"), "bets.side.pays[0].when.player.first[0]"),
        (side_bet("{ pair = 'some' }"), "bets.side.pays[0].when.pair"),
        ("[commission]\nrate = '1e9999999999'\n", "commission.rate"),
        ("[commission]\nrate = '1/0'\n", "commission.rate"),
        ("[commission]\nrate = '1'\n", "commission"),
        ("[decks]\nmin = 1\nmax = 17\n", "decks.max"),
        ("[decks]\nmin = 8.5\n", "decks.min"),
        ("[decks]\nmin = 0\n", "decks"),
        ("[layouts.A]\npositions = [1, 99]\nbets = ['player', 'banker', 'tie']\n", "layouts.A.positions"),
        ("[layouts.A]\npositions = [1, 9]\nbets = ['player', 'tie']\n", "layouts.A.bets"),
        ("[layouts.'<b>']\npositions = [1, 9]\nbets = ['player', 'banker', 'tie']\n", "layouts"),
        ("[limits]\nwagers_per_area = { value = 0 }\n", "limits.wagers_per_area"),
        (side_bet(name="Side Bet"), "bets.Side Bet"),
        (side_bet(name="<script>"), "bets.<script>"),
        (side_bet(name="player-insurance"), "bets.player-insurance"),
        (side_bet(name="x" * 61), "bets." + "x" * 61),
        (side_bet(name="\\u202eside"), "bets.\\u202eside"),
        (side_bet(name="\\u001b[31m"), "bets.\\x1b[31m"),
        (side_bet().replace("Side", "<b>Side</b>"), "bets.side.name"),
        (side_bet().replace("Side", "\\u200bSide"), "bets.side.name"),
        (side_bet().replace("Side", "Side\\n"), "bets.side.name"),
        (side_bet().replace("Side", "S" * 401), "bets.side.name"),
        (side_bet().replace('"win"', "'''{{ 7 }}'''"), "bets.side.pays[0].tier"),
        (side_bet().replace('"win"', '"lose"'), "bets.side"),
        ("[[dealing]]\nname = 'x'\ntitle = 'X'\ndevice = 'dealer'\nhandles = 'dealer'\nface_down = 3\n", "dealing[1].face_down"),
        ("[authority]\ndeals = { value = 'chef' }\n", "authority.deals"),
        ("[[ranks]]\nname = 'dealer'\nabove = ['shift-manager']\n", "ranks[0].above"),
    ],
)  # fmt: skip
def test_a_value_out_of_all_bounds_is_named_by_its_key(text: str, key: str) -> None:
    assert key in [one.key for one in refused(HEAD + TITLE + text).findings]


def test_a_slug_is_kept_plain() -> None:
    for slug in ("", "Game", "a b", "../x", "a@b", "<b>", "x" * 61, "plain", "ə"):
        text = TITLE + side_bet()
        assert "slug" in [one.key for one in refused(f'slug = "{slug}"\nextends = "plain"\n{text}').findings]


def test_what_is_worked_out_is_not_given() -> None:
    assert [one.key for one in refused(HEAD + 'assumed = ["ranks"]').findings] == ["assumed"]


def test_every_fault_is_told_at_once() -> None:
    text = HEAD + TITLE + side_bet(odds='"never"') + "colour = 1\n[deks]\nmin = 4\n[decks]\nmin = '4'\n"
    text += "[squeeze]\nright = 'nobody'\n[[ranks]]\nname = 'chef'\n"
    assert sorted(one.key for one in refused(text).findings) == [
        "bets.side", "bets.side.pays[0].odds", "decks.min", "deks", "ranks[3]", "squeeze.right"
    ]  # fmt: skip
    text = (
        HEAD
        + TITLE
        + side_bet("{ sum = 19 }", '"1 to 7"')
        + "[decks]\nmin = 9\n[squeeze]\npermission = 'chef'"
    )
    assert sorted(one.key for one in refused(text).findings) == [
        "bets.side.pays[0].odds", "bets.side.pays[0].when.sum", "decks", "squeeze.permission"
    ]  # fmt: skip


# --- extends and remove ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "base",
    ["/etc/passwd.toml", "../other.toml", "sub/other.toml", "..toml/../x.toml", "a\\u0000.toml", "x" * 300 + ".toml", "there-is-none.toml"],
)  # fmt: skip
def test_another_file_is_one_in_the_same_folder(base: str, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for place in (tmp_path / "other.toml", tmp_path / "sub" / "other.toml"):
        place.write_text(HEAD + TITLE, encoding="utf-8")
    text = f'slug = "game"\nextends = "{base}"\n'
    assert [one.key for one in refused(text, tmp_path / "sub").findings] == ["extends"]


def test_a_text_from_the_network_names_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "base.toml").write_text(HEAD + TITLE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert "expected a slug, or a file in the same folder" in str(
        refused('slug = "game"\nextends = "base.toml"')
    )


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    inside, outside = tmp_path / "books", tmp_path / "secret.toml"
    (inside / "data").mkdir(parents=True)
    for place in (outside, inside / "data" / "real.toml"):
        place.write_text(HEAD + TITLE + side_bet(), encoding="utf-8")
    (inside / "out.toml").symlink_to(outside)
    (inside / "in.toml").symlink_to("data/real.toml")
    (inside / "loop.toml").symlink_to("loop.toml")
    for base in ("out.toml", "loop.toml"):
        assert [one.key for one in refused(f'slug = "game"\nextends = "{base}"\n', inside).findings] == [
            "extends"
        ]
    assert "side" in read(FILE, 'slug = "game"\nextends = "in.toml"\n', inside).bets


def test_a_base_that_is_at_fault_is_named(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text("slug = 3\nremove = 4", encoding="utf-8")
    found = refused('slug = "game"\nextends = "base.toml"\n', tmp_path)
    assert [(one.file, one.key) for one in found.findings] == [("base.toml", "slug"), ("base.toml", "remove")]
    assert "in base.toml: slug: expected" in str(found)


def in_a_chain(folder: Path, length: int) -> str:
    """The last of so many books, each of which extends the one before."""
    (folder / "b1.toml").write_text('slug = "b1"\n' + TITLE, encoding="utf-8")
    for number in range(2, length + 1):
        text = f'slug = "b{number}"\nextends = "b{number - 1}.toml"\n'
        (folder / f"b{number}.toml").write_text(text, encoding="utf-8")
    return (folder / f"b{length}.toml").read_text(encoding="utf-8")


def test_a_chain_of_books_has_an_end(tmp_path: Path) -> None:
    assert read(FILE, in_a_chain(tmp_path, DEEPEST), tmp_path).document.title == "Game"
    assert "more than 8 books extend one another" in str(refused(in_a_chain(tmp_path, DEEPEST + 1), tmp_path))


def test_books_that_extend_each_other_are_refused(tmp_path: Path) -> None:
    for name, base in (("a", "b"), ("b", "a"), ("c", "c.toml"), ("d", "nowhere")):
        (tmp_path / f"{name}.toml").write_text(f'slug = "{name}"\nextends = "{base}"\n', encoding="utf-8")
    search_in(tmp_path)
    told = {one.slug: one.problem for one in catalogue() if one.origin == "folder"}
    assert all("or one extends itself" in told[name] for name in "abc")
    assert "d.toml: extends: there is no rulebook 'nowhere': expected one of plain, mbs-tiger-v2" in told["d"]
    assert slugs() == packaged()


@pytest.mark.parametrize("value", ["3", "true", "['a', 'b']", "{ a = 1 }", "1979-05-27"])
def test_how_a_book_is_read_is_text(value: str) -> None:
    assert [one.key for one in refused(f"slug = {value}\nextends = {value}").findings] == ["slug", "extends"]


@pytest.mark.parametrize("value", ["3", "'bets'", "{ a = 1 }", "[1]", "[['bets']]"])
def test_what_is_removed_is_a_list_of_keys(value: str) -> None:
    assert [one.key for one in refused(f"{HEAD}remove = {value}").findings] == ["remove"]


def test_every_removal_in_vain_is_told() -> None:
    wrong = [
        "",
        ".",
        "*.*.*.*.*.*.*.*",
        "bets.",
        "bets.tie.pays.lose",
        "bets..tie",
        "layouts.*.bets.x",
        "slug.x",
    ]
    found = refused(f"{HEAD}remove = {wrong}\n{TITLE}{side_bet()}colour = 1\n").findings
    told = [one.finding for one in found if one.key == "remove"]
    assert told == [f"{one!r} is not there to be removed" for one in wrong]
    assert "bets.side" in [one.key for one in found]  # and the other faults with them


def test_a_game_without_anything_left_is_refused() -> None:
    found = refused(f"{HEAD}remove = ['*']\n{TITLE}").findings
    assert {"bets", "ranks", "table_of_play"} <= {one.key for one in found}
    assert "2,001 keys: at most 200" in str(refused(f"{HEAD}remove = {['bets.tie'] * 2001}"))


# --- files ----------------------------------------------------------------------------------------------


def test_a_byte_order_mark_and_windows_lines_change_nothing(tmp_path: Path) -> None:
    text = HEAD + TITLE + side_bet()
    (tmp_path / FILE).write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert load(tmp_path / FILE).bets["side"].name == "Side"
    assert read(FILE, "\ufeff" + text).bets["side"].name == "Side"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"#" * 10_000_000, "10,000,000 bytes: a rulebook has at most 262,144"),
    ],
)
def test_a_file_that_is_no_text_says_so(content: bytes, told: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(RulebookError, match=f"^{FILE}: {told}"):
        load(tmp_path / FILE)


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_opening(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / FILE).write_text(HEAD, encoding="utf-8")
    monkeypatch.setattr(Path, "open", no_opening)
    with pytest.raises(RulebookError, match=r"game.toml: cannot be read \(Permission denied\)"):
        load(tmp_path / FILE)


def test_what_is_no_file_is_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "gone.toml").symlink_to(tmp_path / "nowhere.toml")
    for name in ("pipe.toml", "folder.toml", "gone.toml", "missing.toml", "a\0.toml"):
        with pytest.raises(BadInput, match="there is no file"):
            load(tmp_path / name)
    search_in(tmp_path)
    told = {one.slug: one.problem for one in catalogue() if one.origin == "folder"}
    assert told == {
        "pipe": "pipe.toml: is not a file",
        "folder": "folder.toml: is not a file",
        "gone": "gone.toml: cannot be read (No such file or directory)",
    }
    for base in ("pipe.toml", "folder.toml"):
        assert "is not a file" in str(refused(f'slug = "game"\nextends = "{base}"\n', tmp_path))


def test_a_broken_file_takes_no_slug_away(tmp_path: Path) -> None:
    (tmp_path / "mbs-tiger-v2.toml").write_text("slug =", encoding="utf-8")
    search_in(tmp_path)
    (tmp_path / "empty.toml").write_text("", encoding="utf-8")
    told = {one.slug: one.problem for one in catalogue() if one.origin == "folder"}
    assert told == {
        "mbs-tiger-v2": "mbs-tiger-v2.toml: Invalid value (at end of document)",
        "empty": "empty.toml: does not say what it is called",
    }
    assert named("mbs-tiger-v2").slug == "mbs-tiger-v2"
    assert slugs() == packaged()


def test_a_refused_book_is_nowhere() -> None:
    with pytest.raises(RulebookError):
        take(FILE, HEAD + TITLE + side_bet(odds='"1 to 7"'))
    with pytest.raises(BadInput, match="there is no rulebook 'game'"):
        named("game")
    assert take(FILE, HEAD + TITLE + side_bet()) is named("game")


# --- anything at all ------------------------------------------------------------------------------------

GONE: Final = object()
LITERALS: Final = {"@date": "1979-05-27", "@time": "1979-05-27T07:32:00Z", "@nan": "nan", "@inf": "-inf"}
VALUES: Final = (
    GONE, 0, -1, 3, 10**8, True, "", "x", "1e999", "9999 to 1", "0-99", "...", "<b>", "\u202e",
    [], ["x"], [1], [[]], [{}], {}, {"a": 1}, 1.5, *LITERALS,
)  # fmt: skip


def places(value: object, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to every value."""
    if at:
        yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in inner:
        yield from places(part, (*at, step))


def changed(raw: dict[str, Any], at: tuple[str | int, ...], value: object) -> str:
    """The text of the same with one value in another's place, or none."""
    made: Any = deepcopy(raw)
    part = made
    for step in at[:-1]:
        part = part[step]
    if value is GONE:
        del part[at[-1]]
    else:
        part[at[-1]] = value
    text = as_toml(made)
    for name, literal in LITERALS.items():
        text = text.replace(f'"{name}"', literal)
    return text


def files() -> list[tuple[str, str, Path | None]]:
    own = [
        (f"{slug}.toml", (DOCUMENTS / f"{slug}.toml").read_text(encoding="utf-8"), None)
        for slug in packaged()
    ]
    return own + [
        (one.name, one.read_text(encoding="utf-8"), EXAMPLES) for one in sorted(EXAMPLES.glob("*.toml"))
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "text", "near"), files(), ids=lambda one: one if str(one).endswith(".toml") else ""
)
def test_any_value_in_any_place_is_refused_by_its_key_or_read(
    file: str, text: str, near: Path | None
) -> None:
    raw = tomllib.loads(text)
    ways = [(at, value) for at in places(raw) for value in VALUES]
    faults = [fault_of(file, changed(raw, *way), near) for way in random.Random(file).sample(ways, 15)]  # noqa: S311 - the same ones each time
    told = [fault for fault in faults if fault is not None]
    assert len(told) > len(faults) / 2
    assert all(str(fault).isprintable() for fault in told)
    assert [str(fault) for fault in told if not all(one.key for one in fault.findings)] == []


def fault_of(file: str, text: str, near: Path | None) -> RulebookError | None:
    try:
        read(file, text, near)
    except RulebookError as error:
        return error
    return None
