"""What differs between two documents."""

from thirdcard.rulebook import load, slugs
from thirdcard.rulebook.diff import diff
from thirdcard.rulebook.load import read

V3 = load("rws-tiger-buffalo-non-commission-v3")
V4 = load("rws-tiger-buffalo-non-commission-v4")
TBC = load("rws-tiger-buffalo-commission-v2")
CBI = load("rws-commission-insurance-v5")


def test_version_4_brought_layout_r_and_the_paragraphs_that_name_it() -> None:
    found = diff(V3, V4)
    layout, *named = found.added
    assert layout.key == "layouts.R"
    assert layout.after["positions"] == [10, 16]
    assert layout.rules == ("2.1.1", "4.1.2", "4.1.4", "4.1.5", "4.1.10", "4.1.13")
    assert {(one.key, one.after, one.rules) for one in named} == {
        (f"bets.{bet}.layouts", "R", (paragraph,))
        for paragraph, bets in {
            "4.1.2": ("tie",),
            "4.1.4": ("big-tiger", "small-tiger"),
            "4.1.5": ("big-buffalo", "small-buffalo"),
            "4.1.10": ("tiger-tie",),
            "4.1.13": ("player-char-siu", "banker-char-siu"),
        }.items()
        for bet in bets
    }
    assert found.removed == ()
    assert {(one.key, one.before, one.after) for one in found.changed} == {
        ("document.version", 3, 4),
        ("document.effective", "2024-12-06 08:00", "2025-08-08 08:00"),
    }


def test_the_other_way_round_it_is_taken_away() -> None:
    forth, back = diff(V3, V4), diff(V4, V3)
    assert [one.key for one in back.removed] == [one.key for one in forth.added]
    assert [one.before for one in back.removed] == [one.after for one in forth.added]
    assert back.added == ()


def test_a_rulebook_does_not_differ_from_itself() -> None:
    for slug in slugs():
        found = diff(load(slug), load(slug))
        assert found.added == found.removed == found.changed == ()


def test_a_changed_value_cites_both_documents() -> None:
    changed = {one.key: one for one in diff(TBC, CBI).changed}
    odds = changed["insurance.offers.player 1 at 6 against 0-5.odds"]
    assert (odds.before, odds.after) == ("5 to 2", "3 to 1")
    assert (odds.rules_before, odds.rules) == (("4.1.15",), ("4.1.3",))
    assert changed["squeeze.seated_only"].after is True


def test_a_removed_value_cites_the_older_document() -> None:
    removed = {one.key: one for one in diff(TBC, CBI).removed}
    assert removed["insurance.late_winnings"].rules == ("5.14.1",)
    assert removed["bets.wu-dalang"].rules == ("1.36",)


def test_sections_that_a_book_leaves_out_are_no_difference_by_themselves() -> None:
    """One writes down what the other leaves to the plain game."""
    short = 'slug = "short"\n[document]\ntitle = "A game"\n'
    left, written = read("short.toml", short), read("long.toml", f"{short}[decks]\nmin = 1\nmax = 8\n")
    assert left.assumed != written.assumed
    found = diff(left, written)
    assert found.added == found.removed == found.changed == ()


def test_what_a_book_changes_in_the_one_it_extends() -> None:
    text = """
slug = "changed"
extends = "rws-commission-insurance-v5"

[bets.tie]
pays = [{ tier = "win", odds = "9 to 1" }]
"""
    (odds,) = diff(CBI, read("changed.toml", text)).changed
    assert (odds.key, odds.before, odds.after) == ("bets.tie.pays.win.odds", "8 to 1", "9 to 1")
    assert odds.rules == CBI.bets["tie"].pays[0].rules
