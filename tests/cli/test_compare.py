"""`thirdcard rules diff` says what a new version does to money."""

from fractions import Fraction
from pathlib import Path

import pytest

from cli.running import answer, complaint, thirdcard
from thirdcard.odds.changes import changes
from thirdcard.rulebook import digest_of, load

pytestmark = pytest.mark.slow

TBC, CBI = "rws-tiger-buffalo-commission-v2", "rws-commission-insurance-v5"


@pytest.fixture
def dearer(tmp_path: Path) -> Path:
    """Insurance as it was, but for Tie."""
    file = tmp_path / "dearer.toml"
    text = f'slug = "dearer"\nextends = "{CBI}"\n[bets.tie]\npays = [{{ tier = "win", odds = "9 to 1" }}]\n'
    file.write_text(text, "utf-8")
    return file


def test_money_stands_in_the_json_exactly(dearer: Path) -> None:
    found = answer("rules", "diff", CBI, dearer)
    assert (found["schema"], found["rulebook"]) == ("thirdcard.rules.diff.1", "dearer")
    assert found["digest"] == digest_of(load(dearer))
    assert found["before"] == {"rulebook": CBI, "digest": digest_of(load(CBI))}
    exact = {one.bet: one for one in changes(load(CBI), load(dearer)).bets}
    money = found["money"]
    assert money["decks"] == 8
    for name, told in money["bets"].items():
        assert Fraction(told["before"]) == exact[name].before
        assert Fraction(told["change"]) == exact[name].change
        assert told["after_approx"] == pytest.approx(float(exact[name].after or 0))
    assert money["layouts"]["A"]["bets"]["tie"] == money["bets"]["tie"]
    assert (money["layouts"]["A"]["added"], money["layouts"]["A"]["removed"]) == (False, False)
    assert {one["changed"] for one in money["insurance"]} == {False}


def test_offers_that_begin_to_favour_the_player() -> None:
    found = answer("rules", "diff", TBC, CBI)["money"]["insurance"]
    begins = [one for one in found if one["begins_to_favour_player"]]
    assert len(begins) == 12
    (one,) = [o for o in begins if (o["hand"], o["window"], o["player"], o["banker"]) == ("player", 1, 6, 0)]
    assert (one["before"]["odds"], one["after"]["odds"]) == ("5 to 2", "3 to 1")
    assert (one["before"]["favours"], one["after"]["favours"]) == ("house", "player")
    gone = [one for one in found if one["after"] is None]
    assert gone
    assert all(one["changed"] for one in gone)


def test_people_read_it_too(dearer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    told = thirdcard("rules", "diff", CBI, dearer).stdout
    assert "What it does to money, 8 decks" in told
    assert "14.3596" in told
    assert "4.8440" in told
    assert "4 of 5 bets are worth what they were." in told
    assert "otherwise priced tie" in told
    assert max(map(len, told.splitlines())) <= 80
    offers = thirdcard("rules", "diff", TBC, CBI).stdout
    assert "12 begin to favour the player." in offers
    assert "Player 1 at 6 against 0" in offers


def test_a_page_to_print(dearer: Path, tmp_path: Path) -> None:
    page = tmp_path / "changes.html"
    done = thirdcard("rules", "diff", CBI, dearer, "--html", page)
    assert (done.returncode, done.stderr) == (0, "")
    text = page.read_text("utf-8")
    assert digest_of(load(CBI)) in text
    assert digest_of(load(dearer)) in text
    assert "14.3596" in text
    assert "4.8440" in text
    assert "<link" not in text
    assert "<script" not in text
    assert "http" not in text


def test_decks_that_a_book_does_not_allow(dearer: Path) -> None:
    assert answer("rules", "diff", CBI, dearer, "--decks", "6")["money"]["decks"] == 6
    assert "is played with 4 to 8 decks" in complaint("rules", "diff", CBI, dearer, "--decks", "10")


def test_a_page_that_cannot_be_written(dearer: Path, tmp_path: Path) -> None:
    told = complaint("rules", "diff", CBI, dearer, "--html", tmp_path / "nowhere" / "x.html")
    assert "there is no directory" in told
