"""Wherever a slug is taken a file is, and rulebooks are found in folders."""

import shutil
from importlib.metadata import version
from pathlib import Path

import pytest

from cli.running import answer, complaint, thirdcard
from thirdcard.rulebook import digest_of, load

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples" / "rulebooks"
EZ = EXAMPLES / "ez-baccarat.toml"
ROUND = ("--layout", "A", "--cards", "KC 2D KH 3S 6D 2H", "--bet", "banker=10", "--bet", "dragon-7=1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A good book, and two that cannot be used: one is broken, one has a slug of ours."""
    shutil.copy(EZ, tmp_path)
    (tmp_path / "broken.toml").write_text('slug = "broken"\n[bets.player]\nname = "[red]x"\n', "utf-8")
    clashing = EZ.read_text("utf-8").replace('slug = "ez-baccarat"', 'slug = "mbs-tiger-v2"')
    (tmp_path / "clashing.toml").write_text(clashing, "utf-8")
    return tmp_path


def test_settle_takes_a_file() -> None:
    settled = answer("settle", EZ, *ROUND)
    assert [(line["bet"], line["result"], line["net"]) for line in settled["bets"]] == [
        ("banker", "push", 0),
        ("dragon-7", "win", 4000),
    ]
    assert (settled["rulebook"], settled["digest"]) == ("ez-baccarat", digest_of(load(EZ)))


def test_the_folder_stands_before_the_command_or_after_it(folder: Path) -> None:
    before = answer("--rulebooks", folder, "settle", "ez-baccarat", *ROUND)
    assert before == answer("settle", "ez-baccarat", *ROUND, "--rulebooks", folder)


def test_the_environment_names_folders(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THIRDCARD_RULEBOOKS", str(folder))
    assert answer("ruling", "ez-baccarat", "not-covered")["rulebook"] == "ez-baccarat"


def test_odds_and_what_they_are_set_against_may_be_files() -> None:
    found = answer("odds", EZ, "--against", EXAMPLES / "no-commission.toml")
    assert (found["schema"], found["digest"]) == ("thirdcard.odds.1", digest_of(load(EZ)))
    assert round(found["bets"]["banker"]["house_edge_approx"], 6) == 0.010183
    assert found["against"]["digest"] == digest_of(load(EXAMPLES / "no-commission.toml"))


@pytest.mark.parametrize("name", ["ez-baccarat", "dragon-bonus", "perfect-pairs"])
def test_people_can_read_any_book(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = EXAMPLES / f"{name}.toml"
    monkeypatch.setenv("COLUMNS", "80")
    for arguments in (("rules", "show", file), ("odds", file)):
        done = thirdcard(*arguments)
        assert (done.returncode, done.stderr) == (0, "")
        assert load(file).document.title in done.stdout
        assert digest_of(load(file))[:12] in done.stdout
        assert max(map(len, done.stdout.splitlines())) <= 80


def test_every_push_is_told_with_its_chance() -> None:
    told = thirdcard("odds", EZ).stdout
    assert "three card 7" in told
    assert "2.2534" in told


def test_sections_that_are_left_out_are_named() -> None:
    assert "so as in the plain game: authority, betting" in thirdcard("rules", "show", EZ).stdout


def test_a_book_of_another_is_traced_by_what_cites_each_paragraph(tmp_path: Path) -> None:
    file = tmp_path / "changed.toml"
    file.write_text('slug = "changed"\nextends = "mbs-tiger-v2"\n[decks]\nmax = 8\n', "utf-8")
    entries = {entry["paragraph"]: entry for entry in answer("rules", "trace", file)}
    assert list(entries) == list(load("mbs-tiger-v2").paragraphs)
    assert entries["4.1"]["slug"] == "changed"
    cited = {entry["status"] for entry in entries.values() if entry["summary"]}
    assert cited == {"enforced", "shown", "discretion", "definition"} & cited
    assert {entry["status"] for entry in entries.values() if not entry["summary"]} == {"open"}
    assert "has no numbered paragraphs" in thirdcard("rules", "trace", EZ).stdout


def test_the_list_has_all_that_was_found(folder: Path) -> None:
    listed = answer("rules", "list", "--rulebooks", folder)
    by_slug: dict[str, list[dict[str, object]]] = {}
    for one in listed:
        by_slug.setdefault(str(one["slug"]), []).append(one)
    (good,), (broken,), clashing = by_slug["ez-baccarat"], by_slug["broken"], by_slug["mbs-tiger-v2"]
    assert (good["origin"], good["where"], good["problem"]) == ("folder", str(folder), "")
    assert good["digest"] == digest_of(load(EZ))
    assert "document" in str(broken["problem"])
    assert (broken["digest"], broken["layouts"]) == ("", {})
    assert len(clashing) == 2
    assert all("clashing.toml" in str(one["problem"]) for one in clashing)
    assert all(one.keys() == good.keys() for one in listed)


def test_people_see_what_cannot_be_used_and_why(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    told = thirdcard("rules", "list", "--rulebooks", folder).stdout
    usable, _, unusable = told.partition("Cannot be used")
    assert "ez-baccarat" in usable
    assert digest_of(load(EZ))[:12] in usable
    assert "mbs-tiger-v2" not in usable
    assert "clashing.toml" in unusable
    assert "broken.toml" in unusable


def test_of_two_books_with_one_slug_neither_is_used_until_one_is_chosen(folder: Path) -> None:
    told = complaint("rules", "show", "mbs-tiger-v2", "--rulebooks", folder)
    assert "mbs-tiger-v2.toml" in told
    assert "clashing.toml" in told
    chosen = answer("rules", "show", folder / "clashing.toml", "--rulebooks", folder)
    assert chosen["document"]["title"] == "EZ Baccarat"


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    assert "is not a folder" in complaint("rules", "list", "--rulebooks", tmp_path / "nowhere")
    assert "there is no file" in complaint("odds", tmp_path / "nowhere.toml")


def test_a_report_of_a_file(tmp_path: Path) -> None:
    done = thirdcard("report", EZ, "--out", tmp_path / "ez.html")
    assert (done.returncode, done.stderr) == (0, "")
    text = (tmp_path / "ez.html").read_text("utf-8")
    assert "Dragon 7" in text
    assert digest_of(load(EZ)) in text
    assert f"thirdcard {version('thirdcard')}" in text
