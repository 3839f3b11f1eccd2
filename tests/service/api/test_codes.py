"""One-time codes and one's own limits over the API: what is asked, answered, told once, and refused."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pyotp
import pytest

from service.api.serving import GUARD, NOBODY, PASSWORD, Asking, Served, heard, is_problem
from service.clocks import FakeClock
from thirdcard.service.clock import MICROSECONDS
from thirdcard.web.site import PAGES

pytestmark = pytest.mark.server

LIMITS = {"loss_day": None, "loss_week": None, "minutes_day": None, "check_minutes": None}


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def house(house_path: Path, clock: FakeClock) -> Iterator[Served]:
    with Served(house_path, clock=clock, pages=PAGES) as made:
        yield made


def credentials(name: str, code: str = "", password: str = PASSWORD) -> dict[str, str]:
    return {"name": name, "password": password} | ({"code": code} if code else {})


def until(holds: Callable[[], object]) -> None:
    """The journal is written a moment later."""
    give_up = time.monotonic() + GUARD
    while not holds():
        assert time.monotonic() < give_up
        time.sleep(0.01)


class Device:
    """Shows codes."""

    def __init__(self, secret: str, clock: FakeClock) -> None:
        self.secret, self.clock = secret, clock

    def shows(self) -> str:
        self.clock.wait(30)
        return pyotp.TOTP(self.secret).at(self.clock.wall() // MICROSECONDS)


def code_of(answer: httpx.Response) -> str:
    assert is_problem(answer, 400, 401, 403, 422), answer.text
    return str(answer.json()["code"])


def enrol(house: Served, clock: FakeClock, name: str) -> tuple[Device, httpx.Response]:
    nobody = house.as_(NOBODY)
    begun = nobody.post("/api/codes", credentials(name))
    assert begun.status_code == 201, begun.text
    device = Device(begun.json()["secret"], clock)
    return device, nobody.post("/api/codes", credentials(name, device.shows()), method="PUT")


def test_codes_from_the_first_to_the_last(house: Served, clock: FakeClock) -> None:
    dee = Asking(house, house.account("Dee", "dealer"))
    assert dee.get("/api/me/codes").json() == {"on": False, "required": False, "recovery": 0}
    device, confirmed = enrol(house, clock, "Dee")
    made = confirmed.json()
    assert (confirmed.status_code, made["name"], len(made["recovery"])) == (200, "Dee", 8)
    assert dee.get("/api/me").json()["name"] == "", "signed out everywhere else"
    dee = Asking(house, made["token"])
    assert dee.get("/api/me/codes").json() == {"on": True, "required": False, "recovery": 8}

    nobody = house.as_(NOBODY)
    assert code_of(nobody.post("/api/sessions", credentials("Dee"))) == "code-needed"
    assert code_of(nobody.post("/api/sessions", credentials("Dee", password="a wrong one"))) == "denied"  # noqa: S106
    code = device.shows()
    assert nobody.post("/api/sessions", credentials("Dee", code)).status_code == 201
    assert code_of(house.as_(NOBODY).post("/api/sessions", credentials("Dee", code))) == "denied"
    assert nobody.post("/api/codes", credentials("Dee")).status_code == 400, "they are on already"
    assert nobody.post("/api/codes/off", credentials("Dee", made["recovery"][0])).status_code == 204
    assert nobody.post("/api/sessions", credentials("Dee")).status_code == 201


def test_secrets_are_told_once_and_written_nowhere(house: Served, clock: FakeClock) -> None:
    device, confirmed = enrol(house, clock, house.account("Dee", "dealer") and "Dee")
    told = [device.secret, *confirmed.json()["recovery"]]
    admin = house.as_("administrator")
    told_again = [
        admin.get(path).text
        for path in ("/api/accounts", "/api/significant-events", "/accounts", "/audit", "/api/me/codes")
    ]
    kept = b"".join(path.read_bytes() for path in house.path.parent.glob("house.db*"))
    for secret in told:
        assert not [text for text in told_again if secret in text]
        assert secret.encode() not in kept
        assert secret.replace("-", "").encode() not in kept


def test_an_administrator_takes_codes_off(house: Served, clock: FakeClock) -> None:
    enrol(house, clock, house.account("Dee", "dealer") and "Dee")
    admin = house.as_("administrator")
    shown = {one["name"]: one["codes"] for one in admin.get("/api/accounts").json()}
    assert (shown["Dee"], shown["administrator-1"]) == (True, False)
    assert admin.post("/api/accounts/Dee", {"codes": True}, method="PATCH").status_code == 400
    assert admin.post("/api/accounts/Dee", {"codes": False}, method="PATCH").json()["codes"] is False
    assert house.as_(NOBODY).post("/api/sessions", credentials("Dee")).status_code == 201
    reset = {"account": "Dee", "kind": "second-factor", "sha256": "", "by": "administrator-1"}
    until(lambda: reset in [one["event"].get("facts") for one in admin.get("/api/significant-events").json()])


def test_a_house_that_asks_staff_for_codes(house: Served, clock: FakeClock) -> None:
    house.account("Dee", "dealer")
    house.account("Lin", "player")
    house.hall.people.staff_codes = True
    nobody = house.as_(NOBODY)
    assert code_of(nobody.post("/api/sessions", credentials("Dee"))) == "codes-first"
    assert nobody.post("/api/sessions", credentials("Lin")).status_code == 201
    device, confirmed = enrol(house, clock, "Dee")
    assert Asking(house, confirmed.json()["token"]).get("/api/me/codes").json()["required"] is True
    assert nobody.post("/api/sessions", credentials("Dee", device.shows())).status_code == 201


# One's own limits ---------------------------------------------------------------------------------------


def test_limits_are_kept_told_and_enforced(house: Served) -> None:
    wei, sam = house.player("Wei", box=1), Asking(house, house.account("Sam", "shift-manager"))
    answer = wei.post("/api/me/limits", LIMITS | {"loss_day": 100_00, "check_minutes": 1}, method="PUT")
    assert answer.status_code == 200, answer.text
    assert (answer.json()["loss_day"], answer.json()["used"]["loss_day"], answer.json()["check"]) == (
        100_00,
        0,
        None,
    )
    loosened = wei.post("/api/me/limits", LIMITS, method="PUT").json()
    assert (loosened["loss_day"], loosened["coming"]["loss_day"]["value"]) == (100_00, None)

    sam.does("new-shoe")
    sam.does("open")
    refused = wei.command("place", box=1, bet="player", cents=101_00)
    assert (code_of(refused), "100 is left" in refused.json()["detail"]) == ("own-limit", True)
    placed = sam.command("place", box=1, bet="player", cents=101_00, player="Wei")
    assert code_of(placed) == "own-limit", "nor do staff place it"
    key = "once"
    assert code_of(wei.command("place", box=1, bet="player", cents=101_00, key=key)) == "own-limit"
    assert code_of(wei.command("place", box=1, bet="player", cents=101_00, key=key)) == "own-limit", (
        "as stored"
    )
    wei.does("place", box=1, bet="player", cents=50_00)
    with wei.stream() as socket:
        sam.does("close")
        for card in ("2C", "4D", "3C", "4S"):
            sam.does("draw", card=card)
        sam.does("settle")
        while "check" not in (message := heard(socket)):
            pass
    assert message == {"check": {"minutes": 1, "rounds": 1, "staked": 50_00, "net": -50_00}}
    sam.does("open")
    assert code_of(wei.command("place", box=1, bet="player", cents=10_00)) == "reality-check"
    assert wei.get("/api/me/limits").json()["check"] == message["check"]
    assert wei.post("/api/me/reality-check").json()["check"] is None
    wei.does("place", box=1, bet="player", cents=10_00)
    assert wei.get("/api/me/limits").json()["used"] == {
        "loss_day": 50_00,
        "loss_week": 50_00,
        "minutes_day": 1,
    }


def test_a_time_out_holds_for_guests_too(house: Served, clock: FakeClock) -> None:
    guest = house.as_("guest")
    assert guest.post("/api/me/time-out", {"hours": 0}).status_code == 400
    assert guest.post("/api/me/time-out", {}).status_code == 400
    assert guest.post("/api/me/time-out", {"hours": 1, "for_good": True}).status_code == 400
    away = guest.post("/api/me/time-out", {"hours": 1}).json()
    assert away["away_until"] == clock.wall() + 3_600 * MICROSECONDS
    assert code_of(guest.post("/api/tables/one/sit-down", {"box": 2, "cents": 100_00})) == "time-out"
    clock.wait(3_600)
    assert guest.get("/api/me/limits").json()["away_until"] is None
    assert guest.post("/api/tables/one/sit-down", {"box": 2, "cents": 100_00}).status_code == 200
    assert guest.post("/api/me/time-out", {"for_good": True}).json()["excluded"] is True
    assert code_of(guest.command("buy-in", cents=100_00)) == "time-out"


@pytest.mark.parametrize(
    "body",
    [
        {},
        LIMITS | {"loss_day": -1},
        LIMITS | {"loss_day": "5"},
        LIMITS | {"minutes_day": 1441},
        LIMITS | {"check_minutes": 0},
        LIMITS | {"excluded": False},
    ],
)
def test_what_is_no_limit_is_refused(served: Served, body: dict[str, object]) -> None:
    assert is_problem(served.as_("player").post("/api/me/limits", body, method="PUT"), 400)
    assert served.as_("player").get("/api/me/limits").json()["coming"] == {}


def test_the_page_is_for_players(house: Served) -> None:
    nobody = house.as_(NOBODY).get("/limits")
    assert (nobody.status_code, nobody.headers["location"]) == (303, "/sign-in?next=/limits")
    assert house.as_("dealer").get("/limits").status_code == 303
    assert 'id="limits"' in house.as_("guest").get("/limits").text
    assert 'href="/limits"' in house.as_("player").get("/sign-in").text
    assert 'id="codes-begin"' in house.as_("dealer").get("/sign-in").text
    assert 'id="codes-begin"' not in house.as_("guest").get("/sign-in").text
