"""Small books: what they extend, what they change, add and take away, and what they leave to the plain game."""

from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from thirdcard.rulebook import Rulebook, load
from thirdcard.rulebook.forms import canonical
from thirdcard.rulebook.load import check, read

MBS: Final = "mbs-tiger-v2"
CBI: Final = "rws-commission-insurance-v5"
FILE: Final = "mine.toml"


def extended(text: str, base: str = MBS, near: Path | None = None, remove: str = "[]") -> Rulebook:
    return read(FILE, f'slug = "mine"\nextends = "{base}"\nremove = {remove}\n{text}', near)


def plain(text: str = "") -> Rulebook:
    return read(FILE, f'slug = "mine"\n[document]\ntitle = "Mine"\n{text}')


# --- what is left out -------------------------------------------------------------------------------------


def test_a_book_of_three_lines_is_the_plain_game() -> None:
    book = plain()
    assert list(book.bets) == ["player", "banker", "tie"]
    assert {letter: layout.bets for letter, layout in book.layouts.items()} == {
        "A": ("player", "banker", "tie")
    }
    assert (book.insurance, book.commission, book.paragraphs) == (None, None, ())
    assert [procedure.case for procedure in book.procedures] == ["interruption", "not-covered"]
    assert set(book.assumed) == {
        "authority", "bets", "betting", "dealing", "decks", "layouts", "limits", "procedures", "ranks",
        "squeeze", "table_of_play",
    }  # fmt: skip


BETS: Final = "".join(
    f"[bets.{side}]\nname = 'Side'\npays = [{{ tier = 'win', when = {{ winner = ['{side}'] }}, odds = '1 to 1' }}]\n"
    for side in ("player", "banker")
)


@pytest.mark.parametrize(
    ("section", "text"),
    [
        ("decks", "[decks]\nmin = 6\nmax = 6"),
        ("bets", BETS),
        ("layouts", "[layouts.X]\npositions = [1, 7]\nbets = ['player', 'banker', 'tie']"),
        ("squeeze", "[squeeze]\nright = 'largest-bet'\nseated_only = true\npermission = 'dealer'"),
    ],
)  # fmt: skip
def test_a_section_that_is_given_is_not_assumed(section: str, text: str) -> None:
    assert set(plain().assumed) - set(plain(text).assumed) == {section}


def test_a_section_of_its_own_is_given_whole() -> None:
    """Only a book that extends another may say half of something."""
    _, findings = check(FILE, 'slug = "mine"\n[document]\ntitle = "Mine"\n[decks]\nmin = 6')
    assert [str(one) for one in findings] == ["decks: Object missing required field `max`"]
    assert (
        read(FILE, 'slug = "mine"\nextends = "plain"\n[document]\ntitle = "Mine"\n[decks]\nmin = 6').decks.max
        == 8
    )


def test_the_plain_game_extended_has_its_bets_beside_the_new_one() -> None:
    side = "[bets.side]\nname = 'Side'\npays = [{ tier = 'win', when = { sum = 0 }, odds = '50 to 1' }]\n"
    book = read(FILE, f'slug = "mine"\nextends = "plain"\n[document]\ntitle = "Mine"\n{side}')
    assert list(book.bets) == list(book.layouts["A"].bets) == ["player", "banker", "tie", "side"]
    assert "bets" not in book.assumed


# --- what is changed --------------------------------------------------------------------------------------


def values(book: Rulebook) -> dict[str, Any]:
    """All that a book says, as plain values."""
    made: dict[str, Any] = msgspec.json.decode(canonical(book))
    return made


def told(book: Rulebook, path: str) -> object:
    """The value at a path of names and numbers."""
    value: Any = values(book)
    for step in path.split("."):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("[document]\ntitle = 'Mine'", "document.title", "Mine"),
        ("[decks]\nmax = 6", "decks.max", 6),
        ("[table_of_play]\nbanker_draws = { 6 = [6] }", "table_of_play.banker_draws.6", [6]),
        ("[layouts.A]\npositions = [1, 5]", "layouts.A.positions", [1, 5]),
        ("[bets.tie]\npays = [{ tier = 'win', odds = '9 to 1' }]", "bets.tie.pays.0.odds", "9 to 1"),
        ("[bets.small-tiger]\nname = 'Cub'", "bets.small-tiger.name", "Cub"),
        ("[[ranks]]\nname = 'dealer'\ntitle = 'Croupier'", "ranks.0.title", "Croupier"),
        ("[betting]\nopens = { value = 'Bets please' }", "betting.opens.value", "Bets please"),
        (
            "[limits]\nbalance_open_to_others = { value = false }",
            "limits.balance_open_to_others.value",
            False,
        ),
        ("[squeeze]\nseated_only = true", "squeeze.seated_only", True),
        ("[[dealing]]\nname = 'A'\ntitle = 'By hand'", "dealing.0.title", "By hand"),
        ("[[notices]]\nshows = 'No smoking'\nrules = ['1.1']", "notices.-1.shows", "No smoking"),
        ("[[discretions]]\ngrants = 'not-covered'\nwhat = 'Whether'", "discretions.-1.what", "Whether"),
        (
            "[[procedures]]\ncase = 'not-covered'\ntitle = 'Anything else'",
            "procedures.-1.title",
            "Anything else",
        ),
    ],
)
def test_one_value_is_changed_and_everything_else_is_as_it_was(text: str, path: str, value: object) -> None:
    base, book = load(MBS), extended(text)
    assert told(base, path) != value
    assert told(book, path) == value
    changed = {"slug", path.split(".", maxsplit=1)[0]}
    assert {name: one for name, one in values(book).items() if name not in changed} == {
        name: one for name, one in values(base).items() if name not in changed
    }


def test_a_bet_is_added_to_a_document_and_to_its_layouts() -> None:
    side = "[bets.side]\nname = 'Side'\nrules = ['1.1']\npays = [{ tier = 'win', when = { sum = 0 }, odds = '50 to 1', rules = ['1.1'] }]\n"
    layouts = "".join(f"[layouts.{letter}]\nbets = ['...', 'side']\n" for letter in load(MBS).layouts)
    book = extended(side + layouts)
    for letter, layout in load(MBS).layouts.items():
        assert book.layouts[letter].bets == (*layout.bets, "side")


def test_what_was_there_stands_where_the_dots_are() -> None:
    before = load(MBS).layouts["A"].bets
    assert extended("[layouts.A]\nbets = ['tie', '...']").layouts["A"].bets == (
        "tie",
        *(one for one in before if one != "tie"),
    )
    assert extended("[layouts.A]\nbets = ['...', 'player']").layouts["A"].bets[-1] == "player"
    whole = extended("paragraphs = ['...', '99.1']\n[decks]\nrules = ['...', '99.1']")
    assert whole.paragraphs == (*load(MBS).paragraphs, "99.1")
    assert whole.decks.rules == (*load(MBS).decks.rules, "99.1")


def test_a_list_without_names_is_replaced() -> None:
    assert extended("[table_of_play]\nplayer_draws = [0, 1]").table_of_play.player_draws == (0, 1)


def test_lists_of_tables_are_merged_by_name() -> None:
    more = "[[bets.big-tiger.pays]]\ntier = 'more'\nwhen = { winner = ['player'], total = 9 }\nodds = '1 to 1'\nrules = ['1.1']\n"
    book, _ = check(FILE, f'slug = "mine"\nextends = "{MBS}"\n{more}')
    assert book is not None
    before = load(MBS).bets["big-tiger"].pays
    assert [tier.tier for tier in book.bets["big-tiger"].pays] == [*(tier.tier for tier in before), "more"]


def test_two_entries_of_one_name_are_not_quietly_one() -> None:
    twice = "{ tier = 'win', when = { winner = ['tie'] }, odds = '9 to 1', rules = ['1.1'] }"
    _, findings = check(FILE, f'slug = "mine"\nextends = "{MBS}"\n[bets.tie]\npays = [{twice}, {twice}]')
    assert "bets.tie: two tiers are called 'win'" in [str(one) for one in findings]


# --- what is taken away -----------------------------------------------------------------------------------


def test_a_bet_is_taken_from_a_document_and_all_its_layouts() -> None:
    book = extended("", remove="['bets.tie', 'layouts.*.bets.tie']")
    assert "tie" not in book.bets
    assert all("tie" not in layout.bets for layout in book.layouts.values())


def test_what_a_game_can_do_without_is_taken_away() -> None:
    """With insurance goes all that speaks of it, which the check asks for."""
    base = load(CBI)
    assert extended("", CBI, remove="['commission']").commission is None
    _, findings = check(FILE, f'slug = "mine"\nextends = "{CBI}"\nremove = ["insurance"]')
    assert {one.key.split(".")[0] for one in findings if one.level == "fault"} == {"procedures"}
    cases = [one.case for one in base.procedures if {"neglected-insurance", "walked-away"} & set(one.about)]
    with_it = ["insurance", "discretions.intention", *(f"procedures.{case}" for case in cases)]
    book = extended("", CBI, remove=str(with_it))
    assert book.insurance is None
    assert len(book.procedures) == len(base.procedures) - len(cases)


def test_every_entry_that_the_star_stands_for_loses_the_same() -> None:
    base = load(MBS)
    book, _ = check(
        FILE, f'slug = "mine"\nextends = "{MBS}"\nremove = ["paragraphs", "procedures.*.rulings.*.rules"]'
    )
    assert book is not None
    assert [len(one.rulings) for one in book.procedures] == [len(one.rulings) for one in base.procedures]
    assert all(ruling.rules == () for one in book.procedures for ruling in one.rulings)


# --- chains -----------------------------------------------------------------------------------------------


def test_three_books_that_extend_one_another(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text(
        'slug = "one"\nextends = "plain"\n[document]\ntitle = "One"\n[decks]\nmin = 4\n'
        "[bets.side]\nname = 'Side'\npays = [{ tier = 'win', when = { sum = 0 }, odds = '50 to 1' }]\n",
        encoding="utf-8",
    )
    (tmp_path / "two.toml").write_text(
        'slug = "two"\nextends = "one.toml"\nremove = ["bets.tie"]\n[document]\noperator = "Two"\n'
        "[bets.side]\npays = [{ tier = 'win', odds = '40 to 1' }, { tier = 'all', when = { sum = 18 }, odds = '20 to 1' }]\n",
        encoding="utf-8",
    )
    (tmp_path / "three.toml").write_text(
        'slug = "three"\nextends = "two.toml"\nremove = ["bets.side.pays.win"]\n[decks]\nmax = 6\n',
        encoding="utf-8",
    )
    one, two, three = (load(tmp_path / f"{name}.toml") for name in ("one", "two", "three"))
    assert (three.slug, three.document.title, three.document.operator) == ("three", "One", "Two")
    assert (three.decks.min, three.decks.max) == (4, 6)
    assert [list(book.layouts["A"].bets) for book in (one, two, three)] == [
        ["player", "banker", "tie", "side"], ["player", "banker", "side"], ["player", "banker", "side"],
    ]  # fmt: skip
    odds = [[(tier.tier, str(tier.odds)) for tier in book.bets["side"].pays] for book in (one, two, three)]
    assert odds == [[("win", "50 to 1")], [("win", "40 to 1"), ("all", "20 to 1")], [("all", "20 to 1")]]
    assert "squeeze" in three.assumed
    assert "decks" not in three.assumed


def test_a_base_that_changed_is_read_again(tmp_path: Path) -> None:
    base = tmp_path / "base.toml"
    base.write_text('slug = "base"\n[document]\ntitle = "First"\n', encoding="utf-8")
    (tmp_path / FILE).write_text('slug = "mine"\nextends = "base.toml"\n', encoding="utf-8")
    first = load(tmp_path / FILE)
    assert load(tmp_path / FILE) is first
    base.write_text('slug = "base"\n[document]\ntitle = "The second"\n', encoding="utf-8")
    assert (first.document.title, load(tmp_path / FILE).document.title) == ("First", "The second")


def test_a_base_may_be_no_book_by_itself(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text('slug = "base"\n[decks]\nmin = 6\nmax = 6\n', encoding="utf-8")
    book = extended("[document]\ntitle = 'Mine'", "base.toml", tmp_path)
    assert (book.document.title, book.decks.min) == ("Mine", 6)


def test_notes_on_the_extended_book_are_not_repeated() -> None:
    text = f'slug = "mine"\nextends = "{MBS}"\n'
    assert check(FILE, text)[1] == []
    assert [str(one) for one in check(FILE, text + 'paragraphs = ["...", "99.1"]')[1]] == [
        "paragraphs: nothing cites 99.1"
    ]
