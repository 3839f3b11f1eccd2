"""Why somebody may do a thing, or may not: asked of a live table, about oneself or by staff."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from service.api.serving import NOBODY, Asking, Served, is_problem
from service.houses import CBI, new_table

pytestmark = pytest.mark.server

SIX_AGAINST_FIVE = "KC KH 6D 5S"  # Player insurance is offered
WHY = "/api/tables/one/why"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    path: Path = tmp_path_factory.mktemp("why") / "house.db"
    with Served(path, new_table("one", slug=CBI, layout="D")) as served:
        dealer = served.as_("dealer")
        players = {name: served.player(name, box=box) for box, name in enumerate(("Wei", "Mei"), start=1)}
        for name in ("new-shoe", "open"):
            dealer.does(name)
        for box, (name, bet) in enumerate({"Wei": "player", "Mei": "banker"}.items(), start=1):
            players[name].does("place", box=box, bet=bet, cents=100_00)
        dealer.does("close")
        for card in SIX_AGAINST_FIVE.split():
            dealer.does("draw", card=card)
        yield served


def of(house: Served, name: str) -> Asking:
    return Asking(house, house.sign_in(name))


def refused(answer: httpx.Response, status: int) -> dict[str, str]:
    assert is_problem(answer, status)
    problem: dict[str, str] = answer.json()
    return problem


def test_one_is_told_yes_and_no_with_the_fact_and_its_paragraphs(house: Served) -> None:
    (yes,) = of(house, "Wei").get(WHY, right="insure").json()
    assert (yes["person"], yes["right"], yes["may"], yes["code"]) == ("Wei", "insure", True, "")
    assert yes["what"] == "insure player in box 1, window 1"
    assert yes["because"].startswith("window 1 is open by right at ")
    assert yes["rules"]
    (no,) = of(house, "Mei").get(WHY, right="insure").json()
    assert (no["may"], no["because"], no["code"]) == (False, "banker insurance is not on offer", "no-offer")


def test_a_no_is_the_refusal_that_one_gets(house: Served) -> None:
    mei = of(house, "Mei")
    (told,) = mei.get(WHY, right="withdraw").json()
    got = mei.command("take-back", box=2, bet="banker").json()
    assert (told["because"], told["code"]) == (got["detail"], got["code"])
    assert told["rules"] == got.get("rules", [])


def test_staff_ask_about_anybody_and_players_about_themselves(house: Served) -> None:
    wei = of(house, "Wei")
    own = wei.get(WHY).json()
    assert {one["right"] for one in own} >= {"insure", "decline", "choose", "withdraw", "device"}
    assert wei.get(WHY, player="Wei").json() == own
    for role in ("dealer", "pit-supervisor", "shift-manager"):
        assert house.as_(role).get(WHY, player="Wei").json() == own
    for asks in (wei, house.as_("guest"), house.as_("auditor"), house.as_("trainer")):
        assert refused(asks.get(WHY, player="Mei"), 403)["code"] == "not-yours"
    assert refused(house.as_(NOBODY).get(WHY, player="Wei"), 401)["code"] == "sign-in-first"


def test_who_is_not_there_and_what_is_no_right(house: Served) -> None:
    """Nobody is told who else plays."""
    for asks, player in ((house.as_("dealer"), "zed"), (house.as_("guest"), "")):
        told = refused(asks.get(WHY, player=player), 404)
        assert told["code"] == "no-such-player"
        assert "Wei" not in told["detail"]
    assert refused(of(house, "Wei").get(WHY, right="fly"), 400)["code"] == "bad-input"


def test_a_table_without_a_dealer_yet_is_asked_the_same(house_path: Path) -> None:
    with Served(house_path, new_table("one", method="face-down")) as served:
        wei = served.player("Wei", box=1)
        (told,) = wei.get(WHY, right="device").json()
        assert (told["may"], told["code"]) == (False, "wrong-phase")
