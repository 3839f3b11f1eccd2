"""A house is given a rulebook by its administrator, and every address knows it then."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.api.serving import PASSWORD, Served, is_problem
from service.houses import new_table
from thirdcard.rulebook import sources
from thirdcard.service.api.reference import MOST_BYTES
from thirdcard.service.people.roles import ROLES

pytestmark = pytest.mark.server

GAME = """
slug = "house-game"
extends = "plain"
document = { title = "House Game" }
[bets.tie]
pays = [{ tier = "win", when = { winner = ["tie"] }, odds = "8 to 1" }]
[bets.ace]
name = "First Ace"
pays = [{ tier = "win", when = { player = { first = ["A"] } }, odds = "10 to 1" }]
[bets.perfect]
name = "Perfect Pair"
pays = [{ tier = "win", when = { pair = "either", pair_suits = ["same"] }, odds = "25 to 1" }]
[layouts.A]
positions = [1, 9]
bets = ["player", "banker", "tie", "ace", "perfect"]
"""
NINE = GAME.replace("8 to 1", "9 to 1")


@pytest.fixture
def house(house_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(import_module("thirdcard.rulebook.load"), "_known", {})
    monkeypatch.setattr(sources, "_taken", {})
    with Served(house_path, new_table("one")) as served:
        yield served


def given(house: Served, text: str, who: str = "administrator", file: str = "game.toml") -> httpx.Response:
    return house.as_(who).post("/api/rulebooks", {"file": file, "text": text})


def listed(house: Served, address: str = "/api/rulebooks") -> dict[str, dict[str, Any]]:
    return {one["slug"]: one for one in house.as_("guest").get(address).json()}


def opened(house: Served, name: str, **setup: object) -> httpx.Response:
    wanted = {
        "rulebook": "house-game",
        "layout": "A",
        "positions": 5,
        "limits": {"*": {"min": 1000, "max": 100_000}},
        **setup,
    }
    return house.as_("shift-manager").post(
        "/api/tables", {"id": name, "title": name, "dealer": "staff", "setup": wanted, "live_odds": True}
    )


def test_a_rulebook_that_checks_is_taken_and_found_everywhere(house: Served) -> None:
    answer = given(house, GAME)
    assert answer.status_code == 201, answer.text
    told = answer.json()
    assert (told["schema"], told["rulebook"]) == ("thirdcard.rulebook.1", "house-game")
    assert all(one["level"] == "note" for one in told["findings"])
    entry = listed(house)["house-game"]
    assert (entry["origin"], entry["where"], entry["problem"]) == ("server", "this server", "")
    assert entry["digest"] == told["digest"]
    assert listed(house) == listed(house, "/api/rules")
    guest = house.as_("guest")
    for path in ("rules/house-game", "odds/house-game"):
        found = guest.get(f"/api/{path}").json()
        assert (found["rulebook"], found["digest"]) == ("house-game", told["digest"]), path
    bets = guest.get("/api/odds/house-game").json()["bets"]
    assert {"ace", "perfect"} <= (set(bets) if isinstance(bets, dict) else {one["bet"] for one in bets})
    for path in ("rules/house-game/rulings", "rules/house-game/trace", "rules/house-game/diff/mbs-tiger-v2"):
        assert guest.get(f"/api/{path}").status_code == 200, path
    assert guest.get("/api/rules/house-game/rulings/interruption").json()["digest"] == told["digest"]
    assert is_problem(guest.get("/api/insurance/house-game"), 400), "it has none, and that is said"


def test_the_house_keeps_it(house: Served, house_path: Path) -> None:
    first = given(house, GAME).json()["digest"]
    house.stop()
    sources._taken.clear()  # noqa: SLF001
    import_module("thirdcard.rulebook.load")._known.clear()  # noqa: SLF001
    with Served(house_path) as again:
        assert listed(again)["house-game"]["digest"] == first
        lines = again.as_("administrator").get("/api/significant-events").json()
        noted = [one for one in lines if one["kind"] == "rulebook-added"]
        assert len(noted) == 1
        assert first in str(noted[0])


def test_a_second_text_is_for_tables_that_are_opened_later(house: Served) -> None:
    eight = given(house, GAME).json()["digest"]
    assert opened(house, "first").status_code == 201
    nine = given(house, NINE).json()["digest"]
    assert opened(house, "second").status_code == 201
    guest = house.as_("guest")
    digests = {
        name: guest.get(f"/api/tables/{name}/summary").json()["digest"] for name in ("first", "second")
    }
    assert digests == {"first": eight, "second": nine}
    assert guest.get("/api/tables/first").json()["view"]["digest"] == eight
    assert opened(house, "third", digest=eight[:12]).status_code == 201, "the older one can be asked for"
    assert guest.get("/api/tables/third/summary").json()["digest"] == eight
    manager = house.as_("shift-manager")
    manager.does("change-rulebook", "first", rulebook="house-game", digest=nine)
    manager.does("new-shoe", "first")
    manager.does("open", "first")
    assert guest.get("/api/tables/first/summary").json()["digest"] == nine
    statement = manager.get("/api/tables/first/statement").json()
    assert (statement["schema"], statement["digest"]) == ("thirdcard.table-statement.1", nine)
    assert [one["digest"] for one in statement["texts"]] == [nine], "no round was played by the first"


def test_a_table_by_it_is_played_and_shows_its_odds(house: Served) -> None:
    given(house, GAME)
    opened(house, "mine")
    dealer = house.as_("dealer")
    wei = house.player("Wei", "mine", box=1)
    dealer.does("new-shoe", "mine")
    dealer.does("open", "mine")
    wei.does("place", "mine", box=1, bet="ace", cents=1000)
    wei.does("place", "mine", box=1, bet="perfect", cents=1000)
    dealer.does("close", "mine")
    for card in ("AC", "8D", "AC", "KS", "KH", "2D"):
        view = house.as_("guest").get("/api/tables/mine").json()["view"]
        if view["phase"] == "dealing" and dealer.command("draw", "mine", card=card).status_code != 200:
            break
    dealer.does("settle", "mine")
    lines = house.as_("guest").get("/api/tables/mine/rounds/1").json()["settlement"]["lines"]
    assert {one["bet"]: one["net"] for one in lines} == {"ace": 10_000, "perfect": 25_000}
    odds = house.as_("guest").get("/api/tables/mine/odds")
    assert odds.status_code == 200, odds.text
    said = house.as_("guest").get("/api/tables/mine").json()["view"]["notices"]
    assert any("decides on them" in one["text"] for one in said)
    desk = dealer.get("/api/tables/mine/desk").json()
    assert desk["present"]["rulebook"] == "house-game"


@pytest.mark.parametrize("role", [role for role in ROLES if role != "administrator"])
def test_nobody_but_an_administrator_gives_one(served: Served, role: str) -> None:
    assert is_problem(given(served, GAME, role), 403)
    assert "house-game" not in listed(served)


BAD = {
    "no TOML": ("= nothing", ""),
    "no slug": ("[document]\ntitle = 'x'", "slug"),
    "odds that are none": (GAME.replace("10 to 1", "lots"), "bets.ace"),
    "a file to extend": (GAME.replace('"plain"', '"/etc/passwd.toml"'), "extends"),
    "a file beside it": (GAME.replace('"plain"', '"other.toml"'), "extends"),
    "no such base": (GAME.replace('"plain"', '"no-such-game"'), "extends"),
}


@pytest.mark.parametrize(("text", "key"), BAD.values(), ids=BAD)
def test_one_that_does_not_check_is_refused_with_its_findings(served: Served, text: str, key: str) -> None:
    before = served.hall.engine.store.texts()
    answer = given(served, text)
    assert is_problem(answer, 422)
    assert answer.json()["code"] == "bad-rulebook"
    assert key in [one["key"].split(".pays")[0] for one in answer.json()["findings"]]
    assert served.hall.engine.store.texts() == before


def test_all_faults_are_told_at_once(served: Served) -> None:
    wrong = (
        GAME.replace("10 to 1", "lots").replace("25 to 1", "many").replace('first = ["A"]', 'first = ["Z"]')
    )
    keys = {one["key"] for one in given(served, wrong).json()["findings"]}
    assert {key.split(".")[1] for key in keys} == {"ace", "perfect"}


def test_a_slug_that_the_package_has_is_not_given_away(served: Served) -> None:
    answer = given(served, GAME.replace("house-game", "mbs-tiger-v2"))
    assert is_problem(answer, 409)
    assert answer.json()["code"] == "rulebook-exists"
    assert served.as_("guest").get("/api/rules/mbs-tiger-v2").status_code == 200


def test_one_that_is_too_large_is_not_read(served: Served) -> None:
    assert is_problem(given(served, GAME + "#" * MOST_BYTES), 413)


@pytest.mark.parametrize(
    "slug", ["no-such-game", "..", "%2e%2e%2fgame.toml", "game.toml", "house-game@00000000"]
)
def test_a_rulebook_that_is_not_there_is_told_with_those_that_are(served: Served, slug: str) -> None:
    answer = served.as_("guest").get(f"/api/odds/{slug}")
    assert answer.status_code == 404
    if answer.json()["code"] == "no-such-rulebook":
        assert "mbs-tiger-v2" in answer.json()["detail"]


def test_no_set_up_names_a_file(served: Served, tmp_path: Path) -> None:
    book = tmp_path / "game.toml"
    book.write_text(GAME, encoding="utf-8")
    answer = opened(served, "from-a-file", rulebook=str(book))
    assert is_problem(answer, 400)
    assert PASSWORD not in answer.text
    assert "there is no rulebook" in answer.json()["detail"]
