"""Seeds over HTTP: added once however often they are asked for, and told to everybody."""

import time
from collections.abc import Iterator

import pytest

from service.api.serving import GUARD, NOBODY, SLOW, Served, is_problem
from service.houses import new_table

pytestmark = pytest.mark.server

ADDRESS = "/api/tables/auto/seeds"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    path = tmp_path_factory.mktemp("house") / "house.db"
    with Served(path, new_table("auto", "automatic", SLOW), new_table("hand")) as house:
        give_up = time.monotonic() + GUARD
        while not house.live("auto").coming:
            assert time.monotonic() < give_up, "no shoe is promised"
            time.sleep(0.01)
        for table in ("auto", "hand"):
            house.as_("player").post(f"/api/tables/{table}/sit-down", {"box": 1, "cents": 1_000_000})
        yield house


def test_a_seed_is_added_once_and_everybody_sees_it(served: Served) -> None:
    player, nobody = served.as_("player"), served.as_(NOBODY)
    answers = [
        player.post(ADDRESS, {"seed": seed}, key=key)
        for seed, key in (("8", "a"), ("發 8888", "b"), ("8", "a"))
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert answers[0].json() == answers[2].json()
    assert answers[0].json()["events"] == ["seed-added"]
    seeds = [{"player": "player-1", "seed": "發 8888"}]
    coming = nobody.get("/api/tables/auto").json()["view"]["house"]["coming"]
    shoe = nobody.get("/api/tables/auto/shoes/2").json()
    assert coming["seeds"] == shoe["seeds"] == seeds
    assert coming["commitment"] == shoe["commitment"]
    assert (shoe["form"], shoe["finished"], shoe["salt"], shoe["cards"]) == (2, False, None, None)
    assert is_problem(player.post(ADDRESS, {"seed": "9"}, key="a"), 409)


@pytest.mark.parametrize("seed", ["", "x" * 65, "two\nlines", "\u202e", 8, None])
def test_what_is_no_seed_is_not_added(served: Served, seed: object) -> None:
    before = served.versions()
    assert is_problem(served.as_("player").post(ADDRESS, {"seed": seed}), 400)
    assert served.versions() == before


def test_who_has_no_seat_adds_none(served: Served) -> None:
    assert is_problem(served.as_(NOBODY).post(ADDRESS, {"seed": "8"}), 401)
    assert is_problem(served.as_("dealer").post(ADDRESS, {"seed": "8"}), 403)
    guest = served.as_("guest").post(ADDRESS, {"seed": "8"})
    assert is_problem(guest, 422)
    assert "has a seat" in guest.json()["detail"]


def test_cards_that_are_shuffled_by_hand_take_none(served: Served) -> None:
    answer = served.as_("player").post("/api/tables/hand/seeds", {"seed": "8"})
    assert is_problem(answer, 422)
    assert answer.json()["detail"] == "cards are shuffled by hand at this table: no shoe takes seeds"
