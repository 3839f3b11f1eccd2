"""A person's own money over HTTP: one wallet for all tables, grants, a guest that becomes an account, results."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.api.serving import NOBODY, Asking, Served
from service.clocks import FakeClock
from service.driving import MBS, setup_for
from service.houses import KEY, new_table
from thirdcard.service.audit import audit_store
from thirdcard.service.log.store import open_snapshot
from thirdcard.service.log.store.results import DAY
from thirdcard.service.tables.wallets import Grants

pytestmark = pytest.mark.server

PASSWORD = "four unusual words of baccarat"  # noqa: S105 - of nobody
OPENING, DAILY = Grants().opening, Grants().daily


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    """With the grants that houses have; what is in the store in the end is what the logs say."""
    path = tmp_path / "house.db"
    with Served(path, new_table("one"), new_table("two"), clock=FakeClock()) as running:
        running.hall.engine.grants = Grants()
        yield running
    with open_snapshot(str(path)) as snapshot:
        assert audit_store(snapshot, (), KEY).problems == ()


def guest(house: Served) -> tuple[str, Asking]:
    account, token = house.hall.people.guest()
    return account.name, Asking(house, token)


def wallet(person: Asking) -> dict[str, Any]:
    answer = person.get("/api/me/wallet")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def posted(person: Asking, path: str, body: object = None, *, key: str = "") -> dict[str, Any]:
    answer = person.post(path, body, key=key)
    assert answer.status_code in (200, 201), answer.text
    told: dict[str, Any] = answer.json()
    return told


def code(person: Asking, path: str, body: object = None) -> str:
    answer = person.post(path, body)
    assert answer.status_code == 422, answer.text
    return str(answer.json()["code"])


def test_one_wallet_goes_through_tables(house: Served) -> None:
    name, mei = guest(house)
    assert wallet(mei)["cents"] == OPENING, "what it will be opened with"
    posted(mei, "/api/tables/one/sit-down", {"box": 1, "usual": True})
    usual = 4_000_00
    assert house.live().table.rack(name) == usual, "two bets of the most on a hand are less than half of it"
    assert wallet(mei)["racks"] == {"one": usual}
    assert wallet(mei)["total"] == OPENING
    assert code(mei, "/api/tables/two/sit-down", {"box": 1, "cents": OPENING}) == "wallet-too-small"
    posted(mei, "/api/tables/two/sit-down", {"box": 1, "cents": OPENING - usual})
    assert wallet(mei)["cents"] == 0
    assert posted(mei, "/api/tables/one/leave")["events"] == ["seat-left", "cashed-out"]
    assert wallet(mei)["cents"] == usual
    assert name not in house.live().table.seats.values()
    mei.does("cash-out", "two", cents=100_00)
    assert wallet(mei)["cents"] == usual + 100_00


def test_the_same_key_moves_money_once(house: Served) -> None:
    _, mei = guest(house)
    posted(mei, "/api/tables/one/sit-down", {"box": 1, "cents": 1_000_00}, key="once")
    posted(mei, "/api/tables/one/sit-down", {"box": 1, "cents": 1_000_00}, key="once")
    assert wallet(mei)["cents"] == OPENING - 1_000_00
    posted(mei, "/api/me/wallet/daily", key="today")
    posted(mei, "/api/me/wallet/daily", key="today")
    assert wallet(mei)["cents"] == OPENING - 1_000_00 + DAILY


def test_todays_money_comes_once_a_day_whatever_the_clock_does(house: Served) -> None:
    _, mei = guest(house)
    clock = house.hall.clock
    assert isinstance(clock, FakeClock)
    assert wallet(mei)["refill_at"] == 0
    assert posted(mei, "/api/me/wallet/daily")["cents"] == OPENING + DAILY
    tomorrow = (clock.wall() // DAY + 1) * DAY
    assert wallet(mei)["refill_at"] == tomorrow
    assert code(mei, "/api/me/wallet/daily") == "granted-already"
    clock.set(-3 * 86_400)
    assert code(mei, "/api/me/wallet/daily") == "granted-already", "a day that comes again gives nothing"
    clock.set((tomorrow - clock.wall()) // 1_000_000 - 10)
    assert code(mei, "/api/me/wallet/daily") == "granted-already"
    clock.set(20)
    assert posted(mei, "/api/me/wallet/daily")["cents"] == OPENING + 2 * DAILY


def lost(dealer: Asking, player: Asking, cents: int, cards: str = "2S 9H 3D TC") -> None:
    """A round that Player loses by 5 to 9, or by other cards."""
    dealer.does("open")
    player.does("place", box=1, bet="player", cents=cents)
    dealer.does("close")
    for card in cards.split():
        dealer.does("draw", card=card)
    dealer.does("settle")


def test_a_fresh_start_is_for_who_has_little_left_anywhere(house: Served) -> None:
    name, mei = guest(house)
    posted(mei, "/api/tables/one/sit-down", {"box": 1, "cents": OPENING})
    assert code(mei, "/api/me/wallet/fresh-start") == "not-short", "what lies at tables counts"
    dealer = Asking(house, house.account("Dee", "dealer"))
    dealer.does("new-shoe")
    while (rack := house.live().table.rack(name)) > 900_00:
        lost(dealer, mei, min(2_000_00, rack - 900_00))
    assert wallet(mei)["fresh_start"] is True
    assert posted(mei, "/api/me/wallet/fresh-start")["total"] == OPENING
    assert code(mei, "/api/me/wallet/fresh-start") == "not-short"


def test_a_guest_becomes_an_account_and_keeps_everything(house: Served) -> None:
    name, mei = guest(house)
    posted(mei, "/api/tables/one/sit-down", {"box": 1, "cents": 2_000_00})
    bounds = {"loss_day": 5_00, "loss_week": None, "minutes_day": None, "check_minutes": None}
    assert mei.post("/api/me/limits", bounds, method="PUT").status_code == 200
    assert mei.post("/api/me/account", {"name": "Mei", "password": "password"}).status_code == 400
    made = posted(mei, "/api/me/account", {"name": "Mei", "password": PASSWORD})
    assert mei.get("/api/me/wallet").status_code == 401, "the guest's session has given way to the account's"
    again = house.hall.people.sign_in("mei", PASSWORD, origin="elsewhere")
    for token in (made["token"], again):
        same = Asking(house, token)
        assert same.get("/api/me").json()["role"] == "player"
        assert wallet(same)["racks"] == {"one": 2_000_00}
        assert wallet(same)["cents"] == OPENING - 2_000_00
        assert same.get("/api/me/limits").json()["loss_day"] == 5_00
        assert same.get("/api/me/nickname").json() == {"name": "Mei"}
    assert house.live().table.seats == {1: name}, "in logs and racks the name stays"
    assert house.live().names == {name: "Mei"}
    taken = guest(house)[1].post("/api/me/account", {"name": "MEI", "password": PASSWORD})
    assert taken.status_code == 400, "nobody else is called so"
    assert (
        Asking(house, again).post("/api/me/account", {"name": "Mei2", "password": PASSWORD}).status_code
        == 400
    )


def test_nobody_is_shown_by_a_name_that_looks_like_anothers(house: Served) -> None:
    name, mei = guest(house)
    house.hall.people.register("Wei", PASSWORD, "player")
    posted(mei, "/api/tables/one/sit-down", {"box": 1, "cents": 0})

    def called(wanted: str) -> int:
        return mei.post("/api/me/nickname", {"name": wanted}, method="PUT").status_code

    assert [called(one) for one in ("wei", "\uff37ei", "W\u0435i", "house", "x", "a b", "guest-1")] == [
        400
    ] * 7
    assert called("Tiger") == 200
    assert house.live().names == {name: "Tiger"}
    with pytest.raises(Exception, match="somebody has it"):
        house.hall.people.register("TIGER", PASSWORD, "player")
    assert called("小虎") == 200
    assert house.live().names == {name: "小虎"}
    house.hall.people.register("Tiger", PASSWORD, "player")  # it was given back


def test_results_are_of_the_rounds_that_were_played(house: Served) -> None:
    _, mei = guest(house)
    posted(mei, "/api/tables/one/sit-down", {"box": 1, "cents": OPENING})
    dealer = Asking(house, house.account("Dee", "dealer"))
    dealer.does("new-shoe")
    lost(dealer, mei, 1_000_00)
    lost(dealer, mei, 1_000_00, "9S 2H KD KC")  # and this is won, by 9 to 2
    for span in ("session", "month", "all"):
        told = mei.get("/api/me/results", span=span).json()
        assert (told["net"], told["staked"], told["rounds"]) == (0, 2_000_00, 2), span
        assert told["line"][-1] == 0
        assert told["expected"] == round(2_000_00 * 0.012351), "1.2351 percent of what was staked on Player"
        assert [one["net"] for one in told["best"]] == [1_000_00]
    for which, numbers in {"all": [2, 1], "won": [2], "lost": [1], "insured": []}.items():
        found = mei.get("/api/me/rounds", which=which, limit=1).json()
        assert [one["number"] for one in found["rounds"]] == numbers[:1], which
    rest = mei.get(
        "/api/me/rounds", which="all", after=mei.get("/api/me/rounds", which="all", limit=1).json()["next"]
    )
    assert [one["number"] for one in rest.json()["rounds"]] == [1]


def test_bets_that_were_settled_before_their_round_ended_are_part_of_it(tmp_path: Path) -> None:
    """5.9: a pair is won with four cards, the device is reset, and the same round is played with other bets."""
    path = tmp_path / "house.db"
    table = msgspec.structs.replace(new_table("one"), setup=setup_for(MBS, "A", device="reader"))
    with Served(path, table) as house:
        name, mei = guest(house)
        posted(mei, "/api/tables/one/sit-down", {"box": 1, "cents": 1_000_00})
        dealer = Asking(house, house.account("Dee", "dealer"))
        dealer.does("new-shoe")
        dealer.does("open")
        for bet, cents in {"tiger-pair": 10_00, "player": 100_00}.items():
            mei.does("place", box=1, bet=bet, cents=cents)
        dealer.does("close")
        for card in ("2C", "4H", "2D", "KS"):
            dealer.does("draw", card=card)
        dealer.does("report", case="device-reset")
        dealer.does("rule")
        early = mei.get("/api/me/results").json()
        assert (early["net"], early["staked"]) == (40_00, 10_00), "told at once"
        mei.does("choose", choice="continue")
        dealer.does("close")
        for card in ("9C", "4S", "KD", "3S"):
            dealer.does("draw", card=card)
        dealer.does("settle")
        for span in ("session", "month", "all"):
            told = mei.get("/api/me/results", span=span).json()
            assert (told["net"], told["staked"], told["rounds"]) == (140_00, 110_00, 1), span
            assert told["line"] == [0, 140_00], span
            assert [one["net"] for one in told["best"]] == [140_00]
        assert house.live().table.rack(name) == 1_140_00
        (round_,) = mei.get("/api/me/rounds", which="won").json()["rounds"]
        assert [one["bet"] for one in round_["early"]] == ["tiger-pair"]
    with open_snapshot(str(path)) as snapshot:
        assert audit_store(snapshot, (), KEY).problems == ()


@pytest.mark.parametrize("path", ["/api/me/wallet", "/api/me/results", "/api/me/nickname"])
def test_a_wallet_is_its_owners_alone(house: Served, path: str) -> None:
    """There is no address for anybody else's; staff have none."""
    assert Asking(house, "").get(path).status_code == 401
    assert house.as_("administrator").get(path).status_code == 403
    name, mei = guest(house)
    posted(mei, "/api/tables/one/sit-down", {"box": 1, "cents": 1_000_00})
    other = guest(house)[1]
    for where in ("/api/tables", "/api/tables/one", "/", "/tables"):
        assert str(OPENING - 1_000_00) not in other.get(where).text
    dealer = Asking(house, house.account("Dee", "dealer"))
    refused = dealer.command("buy-in", player=name, cents=OPENING)
    assert refused.json()["code"] == "wallet-too-small"
    assert "9,000" not in refused.json()["detail"], "how much there is, is told to whose it is"
    assert house.as_(NOBODY).get("/api/me").json()["name"] == ""
