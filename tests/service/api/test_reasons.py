"""A reason and a note are for the pit and for auditors: planted wherever one can be given, found nowhere else."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import get_args

import pytest

from service.api.routes import routes
from service.api.serving import NOBODY, PASSWORD, Asking, Served, heard
from service.houses import new_table
from thirdcard.service.log.floor_events import AnyFloorEvent
from thirdcard.table.commands import AnyCommand
from thirdcard.web.site import PAGES

pytestmark = pytest.mark.server

PRIVATE = "planted"
WRITTEN = ("reason", "note")
# Which commands and events of the floor take words; those of a ruling are in its inputs.
COMMANDS = {
    "record-chips",
    "take-cards",
    "void",
    "correct",
    "amend",
    "drop-amendment",
    "report",
    "dismiss",
    "rule",
}
EVENTS = {"supervisor-called", "payout-disputed", "case-passed-up", "slip-voided"}
BANKER_WINS = ("2C", "9C", "3D", "KD")
PLAYER_WINS = ("9C", "2C", "KD", "3D")


def test_everything_that_takes_words_is_tried_here() -> None:
    asking = {
        str(one.__struct_config__.tag)
        for one in get_args(AnyCommand)
        if {*WRITTEN} & {*one.__struct_fields__}
    }
    assert asking | {"rule"} == COMMANDS
    logged = {
        str(one.__struct_config__.tag)
        for one in get_args(AnyFloorEvent)
        if {*WRITTEN} & {*one.__struct_fields__}
    }
    assert logged == EVENTS


class Evening:
    """A table at which everything is written down that can be, and who looks on."""

    def __init__(self, house: Served, stack: ExitStack) -> None:
        self.house = house
        self.dealer, self.pit, self.auditor = map(house.as_, ("dealer", "shift-manager", "auditor"))
        self.planted: list[str] = []
        self.public = {
            "Wei": house.player("Wei", "one", box=1),
            "stranger": house.as_("player"),
            "guest": house.as_("guest"),
            NOBODY: house.as_(NOBODY),
        }
        house.player("Mei", "two", box=1)
        self.streams = {who: stack.enter_context(one.stream("one")) for who, one in self.public.items()}

    def words(self, what: str) -> str:
        """Words that nobody else writes, which are looked for from now on."""
        self.planted.append(f"{PRIVATE} {what}")
        return self.planted[-1]

    def deal(self, *cards: str, table: str = "one") -> None:
        self.dealer.does("close", table)
        for card in cards:
            self.dealer.does("draw", table, card=card)

    def posts(self, who: Asking, path: str, body: object) -> None:
        answer = who.post(f"/api/tables/one/{path}", body)
        assert answer.status_code == 200, answer.text

    def voids_a_slip(self) -> None:
        signs = {"person": self.pit.get("/api/me").json()["name"], "pin": "314159"}
        self.pit.post("/api/me/pin", {"password": PASSWORD, "pin": "314159"}, method="PUT")
        self.posts(self.pit, "slips", {"what": "fill", "pieces": {"10000": 5}})
        self.posts(self.dealer, "slips/1/void", {**signs, "reason": self.words("slip")})

    def addresses(self) -> Iterator[str]:
        for route in routes(self.house.app):
            if route.method == "GET" and "{table" in route.path:
                yield re.sub(r"\{(\w+)[^}]*\}", lambda match: FILLED.get(match[1], "1"), route.path)
        yield from ("/api/tables", "/", "/api/me/rounds", "/api/pit", "/api/significant-events")

    def look(self) -> None:
        """Nobody of the public is told any of it, at any address."""
        for who, person in self.public.items():
            for address in self.addresses():
                assert PRIVATE not in person.get(address).text, (who, address)


FILLED = {
    "table": "one",
    "number": "1",
    "player": "Wei",
    "name": "Wei",
    "slug": "rws-tiger-buffalo-commission-v2",
}


@pytest.fixture
def evening(house_path: Path) -> Iterator[Evening]:
    tables = new_table("one"), new_table("two", method="face-down")
    with Served(house_path, *tables, pages=PAGES) as house, ExitStack() as stack:
        yield Evening(house, stack)


def test_what_is_written_is_read_by_the_pit_and_by_auditors_alone(evening: Evening) -> None:
    dealer, pit, wei = evening.dealer, evening.pit, evening.public["Wei"]
    evening.posts(dealer, "call", {"note": evening.words("call")})
    assert PRIVATE in pit.get("/api/pit").text
    evening.voids_a_slip()
    dealer.does("new-shoe")
    dealer.does("open")
    wei.does("place", box=1, bet="banker", cents=100_00)
    evening.deal(*BANKER_WINS)
    pit.does("record-chips", player="Wei", box=1, bet="banker", cents=200_00, reason=evening.words("chips"))
    for last in ("drop-amendment", "confirm-amendment"):
        dealer.does("amend", cards=["2C", "9C", "3D", "QD"], reason=evening.words(f"amend {last}"))
        if last == "drop-amendment":
            evening.look()
        assert PRIVATE in pit.get("/api/tables/one").text
        pit.does(last, **({"reason": evening.words("dropped")} if last == "drop-amendment" else {}))
    dealer.does(
        "report", case="drawn-together", drawn=["5C", "5D"], order_known=True, note=evening.words("report")
    )
    dealer.does("report", case="other-dealing-error", note=evening.words("second"))
    evening.posts(
        dealer,
        "cases/pass",
        {"case": "drawn-together", "to": "shift-manager", "note": evening.words("passed")},
    )
    evening.look()
    told = pit.get("/api/pit").text
    assert f"{PRIVATE} report" in told
    assert f"{PRIVATE} passed" in told
    pit.does("dismiss", case="other-dealing-error", reason=evening.words("dismissed"))
    pit.does("dismiss", reason=evening.words("dismissed first"))
    dealer.does("settle")
    evening.posts(
        dealer, "payouts", {"box": 1, "player": "Wei", "state": "disputed", "note": evening.words("dispute")}
    )
    evening.look()
    assert f"{PRIVATE} dispute" in pit.get("/api/tables/one/desk").text
    assert f"{PRIVATE} dispute" not in dealer.get("/api/tables/one/desk").text
    pit.does("correct", cards=[*PLAYER_WINS], reason=evening.words("correction"))
    evening.posts(pit, "payouts", {"box": 1, "player": "Wei", "state": "to-pay"})
    dealer.does("open")
    wei.does("place", box=1, bet="banker", cents=100_00)
    evening.deal("2C", "9C")
    dealer.does("report", case="other-dealing-error")
    pit.does("rule", inputs={"reconstructable": False, "reason": evening.words("ruling")})
    evening.look()
    wei.does("choose", choice="continue")
    pit.does("void", reason=evening.words("void"))
    squeezed(evening)
    evening.look()
    for who, stream in evening.streams.items():
        version = evening.house.live().version
        while (message := heard(stream))["version"] < version:
            assert PRIVATE not in str(message), (who, message)
        assert PRIVATE not in str(message), (who, message)
        with evening.public[who].stream(after=2) as again:
            while (message := heard(again))["version"] < version:
                assert PRIVATE not in str(message), (who, message)
    read = "".join(
        evening.auditor.get(f"/api/tables/{table}/log", limit=200, after=after).text
        for table in ("one", "two")
        for after in (0, 100, 200)
    )
    assert [one for one in evening.planted if one not in read] == []


def squeezed(evening: Evening) -> None:
    """At a face-down table cards are taken back from who holds them, for a reason."""
    dealer = evening.dealer
    dealer.does("new-shoe", "two")
    dealer.does("open", "two")
    dealer.does("place", "two", box=1, bet="player", cents=100_00, player="Mei")
    dealer.does("close", "two")
    for _ in range(4):
        dealer.does("draw", "two")
    dealer.does("hand-over", "two", cards=[1, 3], player="Mei", wrongly=True)
    dealer.does("take-cards", "two", cards=[1, 3], reason=evening.words("taken"))
