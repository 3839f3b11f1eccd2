"""Tapes of the office: accounts, a new table, one that runs."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec
import pyotp

from browser.house import table
from js.dealing_desk import PIN, Desk
from js.playing import Floor
from js.tape import Tape
from js.visiting import OTHER_WORDS, SALON, own_house
from service.api.serving import PASSWORD
from thirdcard.service.log.floor_events import SYSTEM
from thirdcard.service.people.accounts import Denied
from thirdcard.service.tables.plans import SLOWEST
from thirdcard.table.setup import DEFAULT_CUT
from thirdcard.web.pages.setup import choices

TIGER, BUFFALO = "mbs-tiger-v2", "rws-tiger-buffalo-commission-v2"


# Accounts -----------------------------------------------------------------------------------------------


def accounts(_: Floor, folder: Path) -> None:
    """Somebody deals, one is locked, one has a PIN, one has codes, one is disabled; each is changed once."""
    with own_house(SALON) as house:
        people = house.hall.people
        for name, role in {
            "Lock": "dealer",
            "Pins": "pit-supervisor",
            "Kode": "auditor",
            "Gone": "dealer",
        }.items():
            house.account(name, role)
        house.as_(house.account("Dee", "dealer")).post(f"/api/tables/{SALON}/dealer")
        with mock.patch("thirdcard.service.people.accounts.MOST_ANYWHERE", 1), suppress(Denied):
            people.sign_in("Lock", "something else", origin="elsewhere")
        people.set_pin("Pins", PASSWORD, PIN, origin="test")
        secret = people.begin_codes("Kode", PASSWORD, origin="test").secret
        people.confirm_codes("Kode", PASSWORD, pyotp.TOTP(secret).now(), origin="test")
        people.disable("Gone", by="administrator-1")
        with Tape(house, house.as_("administrator"), "/accounts", looks=("/api/accounts",)) as tape:
            rises = {"role": "pit-supervisor"}
            tape.posts("/api/accounts/Dee", rises, "PATCH")
            tape.posts("/api/accounts/Dee", {**rises, "even_on_duty": True}, "PATCH")
            tape.posts("/api/accounts/Lock", {"locked": False}, "PATCH")
            tape.posts("/api/accounts/Pins/pin", method="DELETE")
            tape.posts("/api/accounts/Kode", {"codes": False}, "PATCH")
            tape.posts("/api/accounts/Kode", {"password": "short"}, "PATCH")
            tape.posts("/api/accounts/Kode", {"password": OTHER_WORDS}, "PATCH")
            tape.posts("/api/accounts/Lock", {"disabled": True}, "PATCH")
            new = {"name": "Ines", "password": OTHER_WORDS, "role": "dealer"}
            tape.posts("/api/accounts", {**new, "name": "Dee"})
            tape.posts("/api/accounts", new)
            tape.write(folder, "accounts")


# A new table --------------------------------------------------------------------------------------------


def asked_for(slug: str, layout: str = "A", **changed: Any) -> dict[str, Any]:  # noqa: ANN401
    """A table as the page asks for it when nothing but that was chosen."""
    book = choices("en")["books"][slug]
    hands, sides = {"min": 1_000, "max": 500_000}, {"min": 500, "max": 50_000}
    setup = {
        "rulebook": slug,
        "layout": layout,
        "positions": book["layouts"][layout]["positions"][1],
        "decks": book["usual_decks"],
        "limits": {
            bet: dict(hands if book["bets"][bet]["main"] else sides)
            for bet in book["layouts"][layout]["bets"]
        },
        "differential": 1_000_000,
        "chip_unit": 100,
        "method": "",
        "device": "shoe",
        "cut": DEFAULT_CUT,
        "private": False,
        "high_limit": False,
    }
    if book["insurance"]:
        setup["insurance"] = True
    made = {"id": "", "title": "", "dealer": "staff", "setup": setup, "pace": {"betting": 20_000}}
    return {**made, "live_odds": False, **changed}


class Setting:
    """A manager who sets a table up: every change is checked as it is typed."""

    def __init__(self, tape: Tape, body: dict[str, Any]) -> None:
        self.tape, self.body = tape, body
        self._felts()

    def _felts(self) -> None:
        for slug in (TIGER, BUFFALO):
            book = choices("en")["books"][slug]
            for letter, one in book["layouts"].items():
                self.tape.gets(f"/felt/{book['text']}/{letter}/{one['positions'][1]}/0.svg?lang=en")

    def types(self, **changed: Any) -> None:  # noqa: ANN401
        self.body = {**self.body, **changed}
        self.tape.posts("/api/tables/check", self.body)

    def sets(self, **changed: Any) -> None:  # noqa: ANN401
        self.types(setup={**self.body["setup"], **changed})

    def limits(self, **changed: dict[str, int | None]) -> None:
        named = {bet.replace("_", "-"): limit for bet, limit in changed.items()}
        self.sets(limits={**self.body["setup"]["limits"], **named})


def new_table(floor: Floor, folder: Path) -> None:
    """A title, a limit that is mended, a name that is taken, and the table is opened."""
    house = floor.house
    manager = house.as_("pit-manager")
    first = next(iter(choices("en")["books"]))

    def sets_up() -> Tape:
        return Tape(house, manager, "/staff/tables/new", looks=("/api/rulebooks",))

    with sets_up() as tape:
        made = Setting(tape, asked_for(first))
        made.types()
        made.types(title="Salon", id=SALON)
        made.types(id="salon-2")
        made.limits(tie={"min": 500, "max": 300})
        made.limits(tie={"min": 500, "max": 50_000})
        made.sets(differential=500)
        made.sets(differential=400_000)
        tape.posts("/api/tables", made.body)
        tape.write(folder, "new-table")
    looks, dealer = ("/tables/salon-2/board/roads",), house.as_(house.account("Dina", "dealer"))
    with Tape(house, house.as_("nobody"), "/tables/salon-2/board", table="salon-2", looks=looks) as tape:
        tape.happens("a dealer comes", lambda: dealer.post("/api/tables/salon-2/dealer"))
        tape.write(folder, "new-board")
    with sets_up() as tape:
        made = Setting(tape, asked_for(first))
        made.types()
        made.types(title="Salon 3", id="salon-3")
        third = msgspec.structs.replace(table(SALON), id="salon-3")
        house.do(house.hall.create(third, by=SYSTEM))
        tape.posts("/api/tables", made.body)
        tape.write(folder, "new-table-late")


# A table that runs --------------------------------------------------------------------------------------


def set_up(desk: Desk, who: str) -> Tape:
    """Its page, with the felt that is drawn there."""
    at, setup = f"/api/tables/{desk.name}", desk.house.live(desk.name).table.setup
    looks = (f"{at}/desk", f"{at}/legal", f"{at}/statement", "/api/rulebooks")
    asking = desk.house.as_(who)
    tape = Tape(desk.house, asking, f"/staff/tables/{desk.name}/setup", table=desk.name, looks=looks)
    text = choices("en")["books"][setup.rulebook]["text"]
    tape.gets(f"/felt/{text}/{setup.layout}/{setup.positions}/0.svg?lang=en")
    return tape


def running(floor: Floor, folder: Path) -> None:
    """Limits, method and pace change; the table is closed step by step and opened again."""
    desk = Desk(floor, "running", pace=SLOWEST)
    desk.opened()
    desk.player("Wei", 3)
    at = f"/api/tables/{desk.name}"

    def plays() -> None:
        desk.dealer.does("close", desk.name)
        desk.deals("9C 2D KH 3S")
        desk.dealer.does("settle", desk.name)

    with set_up(desk, "pit-manager") as tape:
        limits = desk.seen()["present"]["limits"]
        pace = msgspec.to_builtins(SLOWEST)
        change: dict[str, Any] = {"command": "change-setup"}
        tape.asks({**change, "changes": {"cut": 9_999}})
        tape.asks({**change, "changes": {"cut": 20, "differential": 600_000}})
        tape.asks({**change, "changes": {"limits": {**limits, "tie": {"min": 1_000, "max": None}}}})
        tape.posts(f"{at}/pace", {**pace, "betting": 500})
        tape.posts(f"{at}/pace", {**pace, "betting": 30_500})
        tape.posts(f"{at}/last-round")
        tape.happens("played", plays)
        tape.posts(f"{at}/close")
        tape.posts(f"{at}/cash-out", {"player": desk.called("Wei")})
        for step in ("archive", "unarchive", "open"):
            tape.posts(f"{at}/{step}")
        tape.notes["player"] = desk.called("Wei")
        tape.write(folder, "running")


def other_book(floor: Floor, folder: Path) -> None:
    """Between rounds a table moves to another rulebook; who deals may change nothing."""
    desk = Desk(floor, "moving", layout="N")
    books = desk.dealer.get("/api/rulebooks").json()
    tiger = next(one for one in books if one["slug"] == TIGER)
    move = {"command": "change-rulebook", "rulebook": TIGER, "digest": tiger["digest"], "layout": "A"}
    with set_up(desk, "dealer") as tape:
        tape.write(folder, "running-barred")
    with set_up(desk, "pit-manager") as tape:
        tape.asks(move)
        text = choices("en")["books"][TIGER]["text"]
        tape.gets(f"/felt/{text}/A/{floor.house.live(desk.name).table.setup.positions}/0.svg?lang=en")
        tape.write(folder, "running-moves")


SCENES: tuple[Callable[[Floor, Path], None], ...] = (accounts, new_table, running, other_book)
