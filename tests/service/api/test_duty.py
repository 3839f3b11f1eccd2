"""Sign-on, hand-over, PINs and walk-ins over HTTP: who may, what is answered, and what nobody is told."""

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from sqlite3 import connect

import httpx
import pytest

from service.api.serving import PASSWORD, Asking, Served, is_problem
from service.houses import new_table
from thirdcard.service.audit import audit
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.log.store.model import JOURNAL
from thirdcard.service.people.second_factor import MOST_WRONG

pytestmark = pytest.mark.server

PIN, OTHER = "802613", "274951"
WORDS = "grey jacket by the pillar"


class Floor:
    """A house with two tables, Dee and Dan who deal, Pia of the pit and Ada who manages accounts."""

    def __init__(self, path: Path) -> None:
        self.served = Served(path, new_table("one"), new_table("two"), new_table("auto", "automatic"))
        roles = {
            "Dee": "dealer",
            "Dan": "dealer",
            "Pia": "pit-supervisor",
            "Sam": "shift-manager",
            "Ada": "administrator",
        }
        self.tokens = {name: self.served.account(name, role) for name, role in roles.items()}
        self.dee, self.dan, self.pia, self.sam, self.ada = map(self.as_, roles)
        for one in (self.dan, self.pia):
            assert self.sets_pin(one, PIN).status_code == 204

    def as_(self, name: str) -> Asking:
        return self.served.as_(self.tokens[name])

    @staticmethod
    def sets_pin(who: Asking, pin: str, password: str = PASSWORD) -> httpx.Response:
        return who.post("/api/me/pin", {"password": password, "pin": pin}, method="PUT")

    def dealer(self, table: str = "one") -> str:
        return self.served.live(table).duty.dealer


@pytest.fixture
def floor(house_path: Path) -> Iterator[Floor]:
    floor = Floor(house_path)
    with floor.served:
        yield floor


def code(answer: httpx.Response) -> str:
    return str(answer.json().get("code", ""))


def test_a_dealer_signs_on_at_one_table_and_off(floor: Floor) -> None:
    signed_on = floor.dee.post("/api/tables/one/dealer")
    assert (signed_on.status_code, signed_on.json()["events"]) == (200, ["dealer-signed-on"])
    assert is_problem(floor.dee.post("/api/tables/two/dealer"), 409)
    refused = floor.dan.post("/api/tables/one/dealer")
    assert (refused.status_code, code(refused), "Dee" in refused.json()["detail"]) == (
        422,
        "not-on-duty",
        True,
    )
    assert code(floor.dan.post("/api/tables/one/dealer", method="DELETE")) == "wrong-rank"
    assert code(floor.dee.post("/api/tables/auto/dealer")) == "on-duty"
    assert code(floor.dan.post("/api/tables/auto/dealer")) == "not-allowed-here"
    assert floor.dee.post("/api/tables/one/dealer", method="DELETE").status_code == 200
    assert floor.dealer() == ""
    floor.dan.does("new-shoe")
    assert floor.dealer() == "Dan", "by dealing"
    assert floor.pia.post("/api/tables/one/dealer", method="DELETE").status_code == 200


def test_who_there_is(floor: Floor) -> None:
    floor.dee.does("new-shoe", "two")
    found = {one["name"]: one for one in floor.dee.get("/api/tables/one/staff").json()}
    assert set(found) == {"Dee", "Dan", "Pia", "Sam"}
    assert found["Dee"] == {
        "name": "Dee",
        "role": "dealer",
        "title": "Dealer",
        "pin": False,
        "deals_at": "two",
    }
    assert (found["Pia"]["pin"], found["Pia"]["deals_at"]) == (True, "")
    assert floor.ada.post("/api/accounts/Dan", {"disabled": True}, method="PATCH").status_code == 200
    assert "Dan" not in {one["name"] for one in floor.dee.get("/api/tables/one/staff").json()}


def test_a_supervisor_confirms_at_the_desk(floor: Floor) -> None:
    wei = floor.served.player("Wei", box=1)
    for name in ("new-shoe", "open"):
        floor.dee.does(name)
    wei.does("place", box=1, bet="player", cents=100_00)
    floor.dee.does("close")
    for card in ("9C", "7D"):
        floor.dee.does("draw", card=card)
    floor.dee.does("amend", cards=["9C", "7C"], reason="misread")
    asked = {"person": "Pia", "pin": PIN, "command": {"command": "confirm-amendment"}}
    wrong = floor.dee.post("/api/tables/one/confirmed", {**asked, "pin": OTHER})
    assert (wrong.status_code, code(wrong)) == (403, "wrong-pin")
    done = floor.dee.post("/api/tables/one/confirmed", asked, key="once")
    assert done.json()["events"][:2] == ["confirmed-at-desk", "staff-assigned"], done.text
    assert floor.dee.post("/api/tables/one/confirmed", asked, key="once").json() == done.json(), "done once"
    last = floor.served.hall.engine.store.read("one")[-1]
    assert last.by == "Pia"
    deals = {**asked, "command": {"command": "draw", "card": "2C"}}
    assert code(floor.dee.post("/api/tables/one/confirmed", deals)) == "not-on-duty"
    assert is_problem(wei.post("/api/tables/one/confirmed", asked), 403)


def test_a_pin_is_in_no_answer_and_nothing_kept_tells_it(floor: Floor, house_path: Path) -> None:
    asked = {"person": "Pia", "pin": PIN, "command": {"command": "void", "reason": "x"}}
    floor.dee.does("new-shoe")
    floor.dee.does("open")
    assert floor.dee.post("/api/tables/one/confirmed", asked, key="k").status_code in (200, 422)
    shown = [
        *(floor.pia.get(path).text for path in ("/api/me", "/api/me/pin", "/api/tables/one/staff")),
        floor.ada.get("/api/accounts").text,
    ]
    assert not any(PIN in text for text in shown)
    with closing(connect(house_path)) as database:
        digests = {bytes(row[0]).hex() for row in database.execute("SELECT digest FROM answers")}
        kept = b"".join(bytes(row[0]) for row in database.execute("SELECT body FROM personal"))
    other = floor.dee.post("/api/tables/one/confirmed", {**asked, "pin": OTHER}, key="k")
    assert other.status_code == 403, "the key of an answer opens nothing"
    assert digests
    assert PIN.encode() not in kept


def test_wrong_pins_lock_and_are_on_record(floor: Floor) -> None:
    asked = {"person": "Pia", "pin": OTHER, "command": {"command": "open"}}
    for _ in range(MOST_WRONG):
        assert code(floor.dee.post("/api/tables/one/confirmed", asked)) == "wrong-pin"
    assert code(floor.dee.post("/api/tables/one/confirmed", {**asked, "pin": PIN})) == "wrong-pin"
    assert floor.pia.get("/api/me/pin").json() == {"set": False}
    assert floor.sets_pin(floor.pia, PIN, "not the password").status_code == 403
    assert code(floor.sets_pin(floor.pia, "123456")) == "bad-input"
    assert floor.sets_pin(floor.pia, OTHER).status_code == 204
    assert floor.pia.get("/api/me/pin").json() == {"set": True}
    floor.served.do(floor.served.hall.note("settled", {}))
    kinds = [record.flag for record in floor.served.hall.engine.store.read(JOURNAL)]
    assert (kinds.count("pin-failed"), kinds.count("pin-locked")) == (MOST_WRONG + 1, 1)


def test_an_administrator_takes_a_pin_off(floor: Floor) -> None:
    assert is_problem(floor.pia.post("/api/accounts/Dan/pin", method="DELETE"), 403)
    assert floor.ada.post("/api/accounts/Dan/pin", method="DELETE").status_code == 204
    assert floor.dan.get("/api/me/pin").json() == {"set": False}
    assert is_problem(floor.ada.post("/api/accounts/Nobody/pin", method="DELETE"), 404)
    assert is_problem(floor.ada.get("/api/me/pin"), 403), "who is not of the floor has none"


def test_a_desk_is_handed_over_and_goes_on_as_the_other(floor: Floor) -> None:
    floor.dee.does("new-shoe")
    floor.dee.does("open")
    path = "/api/tables/one/hand-over"
    assert code(floor.dan.post(path, {"to": "Dan", "pin": PIN})) == "not-on-duty", "nobody takes a table"
    assert code(floor.dee.post(path, {"to": "Dan", "pin": OTHER})) == "wrong-pin"
    assert code(floor.dee.post(path, {"to": "Pia", "pin": PIN})) == "wrong-role", "a PIN makes no supervisor"
    given = floor.dee.post(path, {"to": "Dan", "pin": PIN, "counted": 48_215_00})
    assert given.status_code == 201, given.text
    told = given.json()
    assert (told["name"], told["role"], floor.dealer()) == ("Dan", "dealer", "Dan")
    assert told["token"] in given.headers["set-cookie"]
    assert code(floor.dee.command("close")) == "sign-in-first", "the session at that desk is over"
    floor.served.as_(told["token"]).does("close")
    floor.served.as_(floor.served.sign_in("Dee")).get("/api/me")
    assert audit(str(floor.served.path), anchors=(), key=None).problems == ()


def test_a_supervisor_may_hand_over_for_who_is_gone(floor: Floor) -> None:
    floor.dee.does("new-shoe")
    given = floor.pia.post("/api/tables/one/hand-over", {"to": "Dan", "pin": PIN})
    assert (given.status_code, floor.dealer()) == (201, "Dan")


def test_relief_is_planned_within_a_day_by_the_pit(floor: Floor) -> None:
    floor.dee.does("new-shoe")
    now, path = floor.served.hall.clock.wall(), "/api/tables/one/relief"
    soon = now + 600 * MICROSECONDS
    assert code(floor.dee.post(path, {"at": soon, "dealer": "Dan"})) == "wrong-rank"
    assert code(floor.pia.post(path, {"at": now - 600 * MICROSECONDS, "dealer": "Dan"})) == "bad-input"
    assert code(floor.pia.post(path, {"at": soon, "dealer": "Ada"})) == "bad-input"
    assert floor.pia.post(path, {"at": soon, "dealer": "Dan"}).status_code == 200
    duty = floor.served.live().duty
    assert (duty.relief_at, duty.relief_by) == (soon, "Dan")
    assert floor.pia.post(path, {"at": 0}).status_code == 200
    assert floor.served.live().duty.relief_at == 0


# Walk-ins -----------------------------------------------------------------------------------------------


def test_a_walk_in_is_seated_played_for_and_seen_off(floor: Floor) -> None:
    dee, path = floor.dee, "/api/tables/one/patrons"
    asked = {"description": WORDS, "box": 2, "cents": 500_00}
    seated = dee.post(path, asked, key="w")
    assert (seated.status_code, seated.json()) == (201, {"name": "W-1"}), seated.text
    assert dee.post(path, asked, key="w").json() == {"name": "W-1"}, "asked again, it is the same"
    assert dee.post(path, {"name": "W-Tan", "cents": 100_00}).json() == {"name": "W-Tan"}
    assert dee.get(path).json() == [
        {"name": "W-1", "description": WORDS},
        {"name": "W-Tan", "description": ""},
    ]
    told = dee.post(f"{path}/W-Tan", {"description": "a hat"}, method="PATCH")
    assert told.json() == {"name": "W-Tan", "description": "a hat"}
    assert is_problem(dee.post(f"{path}/W-9", {"description": "a hat"}, method="PATCH"), 404)
    for name in ("new-shoe", "open"):
        dee.does(name)
    dee.does("place", box=2, bet="player", cents=100_00, player="W-1")
    assert code(dee.post(f"{path}/W-1", method="DELETE")) == "wrong-phase"
    dee.does("close")
    for card in ("9C", "7D", "KH", "2S"):
        dee.does("draw", card=card)
    dee.does("settle")
    gone = dee.post(f"{path}/W-1", method="DELETE")
    assert gone.json()["events"] == ["cashed-out", "seat-left"], gone.text
    assert floor.served.live().table.seats == {}
    assert audit(str(floor.served.path), anchors=(), key=None).problems == ()


def test_what_is_said_of_a_walk_in_is_for_staff_alone(floor: Floor) -> None:
    path = "/api/tables/one/patrons"
    assert floor.dee.post(path, {"name": "W-Tan", "description": WORDS, "cents": 1_00_00}).status_code == 201
    wei = floor.served.player("Wei", box=1)
    for who in (wei, floor.served.as_("nobody"), floor.ada):
        assert is_problem(who.get(path), 401, 403)
        assert WORDS not in who.get("/api/tables/one").text
    assert is_problem(wei.post(path, {"cents": 100}), 403)
    store = floor.served.hall.engine.store
    for stream in ("one", JOURNAL):
        assert not any(WORDS.encode() in record.body for record in store.read(stream))
    shown = floor.sam.get("/api/tables/one/log").text + floor.ada.get("/api/significant").text
    assert WORDS not in shown


def test_an_account_of_an_earlier_release_keeps_its_name(floor: Floor) -> None:
    """Nobody could be called W-1 but for who already was."""
    store = floor.served.hall.engine.store
    old = store.account("Dan")
    assert old is not None
    for name in ("W-1", "W-Old"):
        floor.served.hall.engine.turn(
            partial(store.add_account, type(old)(name=name, role="player", created=1))
        )
    assert floor.dee.post("/api/tables/one/patrons", {"cents": 100_00}).json() == {"name": "W-2"}
    assert code(floor.dee.post("/api/tables/one/patrons", {"name": "W-Old"})) == "bad-input"
    assert is_problem(floor.dee.post("/api/tables/auto/patrons", {"cents": 100_00}), 422)


def test_own_limits_hold_for_what_staff_record(floor: Floor) -> None:
    wei = floor.served.player("Wei", box=1)
    floor.dee.does("buy-in", player="Wei", cents=100_00)
    assert wei.post("/api/me/time-out", {"hours": 1}).status_code == 200
    for command in (
        {"command": "buy-in", "player": "Wei", "cents": 100_00},
        {"command": "sit", "player": "Wei", "box": 2},
    ):
        assert code(floor.dee.post("/api/tables/one/commands", command)) == "time-out"
    floor.dee.does("cash-out", player="Wei", cents=100_00)
    assert code(floor.dee.command("buy-in", player="Mei", cents=100_00)) == "unknown-player"


# Accounts -----------------------------------------------------------------------------------------------


def test_who_deals_is_not_signed_out_without_a_word(floor: Floor) -> None:
    for name in ("new-shoe", "open"):
        floor.dee.does(name)
    for change in ({"role": "pit-supervisor"}, {"password": PASSWORD + " anew"}, {"disabled": True}):
        refused = floor.ada.post("/api/accounts/Dee", change, method="PATCH")
        assert (refused.status_code, code(refused)) == (409, "on-duty")
        assert "one, round 1" in refused.json()["detail"]
    floor.dee.does("close")
    told = floor.ada.post(
        "/api/accounts/Dee", {"role": "pit-supervisor", "even_on_duty": True}, method="PATCH"
    )
    assert (told.status_code, told.json()["deals_at"]) == (200, "one"), "who may still deal goes on"
    assert floor.served.hall.people.why_ended(floor.dee.token) == "role-changed"
    told = floor.ada.post("/api/accounts/Dee", {"disabled": True, "even_on_duty": True}, method="PATCH")
    assert (told.json()["disabled"], told.json()["deals_at"], floor.dealer()) == (True, "", "")


def test_whoever_is_barred_is_let_try_again(floor: Floor) -> None:
    for _ in range(3):
        floor.served.as_("nobody").post("/api/sessions", {"name": "Dan", "password": "wrong"})
    assert is_problem(
        floor.served.as_("nobody").post("/api/sessions", {"name": "Dan", "password": PASSWORD}), 401
    )
    assert floor.ada.post("/api/accounts/Dan", {"locked": False}, method="PATCH").status_code == 200
    came = floor.served.as_("nobody").post("/api/sessions", {"name": "Dan", "password": PASSWORD})
    assert came.status_code == 201
    assert floor.dan.get("/api/me").json()["name"] == "Dan", "nobody is signed out by it"
    assert code(floor.ada.post("/api/accounts/Dan", {"locked": True}, method="PATCH")) == "bad-input"
