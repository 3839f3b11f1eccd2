"""Tapes of the dealing desk: a round by a scanner, flags, payouts, a wrong card, cards in players' hands, cases."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from browser.house import table
from js.playing import Floor
from js.tape import Tape
from service.api.serving import PASSWORD, Asking
from thirdcard.service.log.floor_events import SYSTEM

PIN = "314159"


class Desk:
    """A staffed table of a tape's own, its dealer, and players by name."""

    def __init__(self, floor: Floor, name: str, **changed: Any) -> None:  # noqa: ANN401
        self.floor, self.house, self.name = floor, floor.house, name
        made = msgspec.structs.replace(table("salon", **changed), id=name, dealer="staff")
        self.house.do(self.house.hall.create(made, by=SYSTEM))
        self.dealer = self.house.as_("dealer")

    def opened(self) -> None:
        for one in ("new-shoe", "open"):
            self.dealer.does(one, self.name)

    def player(self, name: str, box: int, bet: str = "", dollars: int = 0) -> Asking:
        person = self.house.player(f"{name}-{self.name}"[:24], self.name, box=box)
        if bet:
            person.does("place", self.name, box=box, bet=bet, cents=dollars * 100)
        return person

    def called(self, name: str) -> str:
        return f"{name}-{self.name}"[:24]

    def deals(self, cards: str) -> None:
        for card in cards.split():
            self.dealer.does("draw", self.name, card=card)

    def seen(self) -> dict[str, Any]:
        found: dict[str, Any] = self.dealer.get(f"/api/tables/{self.name}/desk").json()
        return found

    def tape(self, *more: str, who: Asking | None = None) -> Tape:
        at = f"/api/tables/{self.name}"
        looks = (
            f"{at}/desk",
            f"{at}/legal",
            f"{at}/rounds?limit=1",
            f"{at}/staff",
            f"{at}/patrons",
            f"{at}/money",
            "/api/me/pin",
            f"/tables/{self.name}/roads",
            *more,
        )
        return Tape(self.house, who or self.dealer, f"/dealer/{self.name}", table=self.name, looks=looks)

    def draws(self, tape: Tape, cards: str, first: int = 1) -> None:
        for place, card in enumerate(cards.split(), first):
            tape.asks({"command": "draw", "card": card, "place": place})

    def closes_insurance(self, tape: Tape) -> None:
        next_ = self.seen()["next"]
        command = next_.get("command") or {}
        tape.asks(
            command
            if "command" in command
            else {"command": "close-insurance", "silent": next_.get("silent", [])}
        )

    def pays(self, tape: Tape) -> None:
        """Everybody who is due, one at a time, then the end of it."""
        for one in self.seen()["payouts"]["people"]:
            if one["pays"]:
                tape.posts(
                    f"/api/tables/{self.name}/payouts",
                    {"box": one["box"], "player": one["player"], "state": "paid"},
                )
        tape.posts(f"/api/tables/{self.name}/payouts/done")


def scanner(floor: Floor, folder: Path) -> None:
    """From the shuffle to the next round, with a walk-in and a guest; the scanner types on over the insurance."""
    desk = Desk(floor, "scanner")
    at = f"/api/tables/{desk.name}"
    with desk.tape() as tape:
        tape.posts(f"{at}/dealer")
        tape.asks({"command": "new-shoe"})
        tape.asks({"command": "open"})
        who = tape.posts(f"{at}/patrons", {"description": "grey cap", "box": 5, "cents": 200_000})["name"]
        tape.asks({"command": "record-chips", "player": who, "box": 5, "bet": "player", "cents": 40_000})
        tape.happens("a guest bets", lambda: desk.player("Lin", 2, "banker", 100))
        tape.asks({"command": "close"})
        desk.draws(tape, "9C KS 7D 4H")
        (offer,) = [one for one in desk.seen()["answers"] if one["player"] == who]
        insured = {
            "player": who,
            "box": 5,
            "hand": offer["bet"],
            "cents": offer["cap"],
            "window": offer["window"],
        }
        tape.asks({"command": "insure", **insured})
        desk.closes_insurance(tape)
        desk.draws(tape, "3D", 5)
        tape.asks({"command": "settle"})
        desk.pays(tape)
        tape.notes["player"] = who
        tape.write(folder, "desk-scanner")


def windows(floor: Floor, folder: Path) -> None:
    """A scanner is held at both windows of insurance."""
    desk = Desk(floor, "windows")
    desk.opened()
    player = desk.player("Lin", 2, "player", 100)
    desk.dealer.does("close", desk.name)
    with desk.tape() as tape:
        desk.draws(tape, "2C 4H 3D KS")
        tape.happens("declined", lambda: player.does("decline", desk.name))
        desk.closes_insurance(tape)
        desk.draws(tape, "2S", 5)
        tape.happens("declined again", lambda: player.does("decline", desk.name))
        desk.closes_insurance(tape)
        desk.draws(tape, "8S", 6)
        tape.write(folder, "desk-windows")


def flags(floor: Floor, folder: Path) -> None:
    """Over the differential and over a maximum; then a bet that is too small, which is the player's to decide."""
    desk = Desk(floor, "flags", differential=500_000)
    desk.opened()
    desk.player("Chua", 5, "player", 4_800)
    desk.player("Siti", 6, "tie", 100)
    siti = desk.called("Siti")

    def lies() -> None:
        for box, bet, cents in ((5, "player", 100_000), (6, "tie", 60_000)):
            desk.dealer.does("record-chips", desk.name, player=siti, box=box, bet=bet, cents=cents)

    with desk.tape() as tape:
        tape.happens("chips", lies)
        for _ in range(2):
            remedy = dict(desk.seen()["flags"][0]["remedies"][0])
            remedy.pop("key")
            tape.asks(remedy)
        tape.happens(
            "too little",
            lambda: desk.dealer.does("record-chips", desk.name, player=siti, box=6, bet="banker", cents=500),
        )
        (flag,) = desk.seen()["flags"]
        withdraw = next(dict(one) for one in flag["remedies"] if one["key"] == "withdraw")
        withdraw.pop("key")
        tape.asks(withdraw)
        tape.asks({"command": "close"})
        desk.draws(tape, "8C KS KD 9H")
        tape.asks({"command": "settle"})
        tape.write(folder, "desk-flags")


def looking_on(floor: Floor, folder: Path) -> None:
    desk = Desk(floor, "looking")
    desk.opened()
    other = floor.house.as_(floor.house.account("Priya", "dealer"))
    with desk.tape(who=other) as tape:
        tape.write(folder, "desk-looking")


def line(floor: Floor, folder: Path) -> None:
    desk = Desk(floor, "line")
    desk.opened()
    desk.dealer.does("close", desk.name)
    with desk.tape() as tape:
        desk.draws(tape, "9C")
        tape.joins_again()
        desk.draws(tape, "KS 7D", 2)
        tape.write(folder, "desk-line")


def wrong_card(floor: Floor, folder: Path) -> None:
    """The last card is put right by a supervisor with a PIN; a wrong PIN changes nothing."""
    desk = Desk(floor, "wrong")
    desk.opened()
    for box, (name, dollars) in enumerate({"Anwar": 100, "Lin": 200}.items(), 1):
        desk.player(name, box, "banker", dollars)
    desk.dealer.does("close", desk.name)
    desk.deals("8C KS KD 9H")
    answer = floor.house.as_("pit-supervisor").post(
        "/api/me/pin", {"password": PASSWORD, "pin": PIN}, method="PUT"
    )
    assert answer.status_code == 204
    cards = {"cards": ["8C", "KS", "KD", "7H"]}
    at = f"/api/tables/{desk.name}"
    with desk.tape() as tape:
        tape.posts(f"{at}/wrong-card", cards)
        tape.posts(f"{at}/wrong-card", cards)
        tape.asks({"command": "amend", **cards, "reason": "It is a seven."}, loose=["reason"])
        agreed = {"command": {"command": "confirm-amendment"}, "person": "pit-supervisor-1"}
        tape.posts(f"{at}/confirmed", {**agreed, "pin": "271828"})
        tape.posts(f"{at}/confirmed", {**agreed, "pin": PIN})
        tape.write(folder, "desk-wrong")


def payouts(floor: Floor, folder: Path) -> None:
    """Box 1 first; a tick is undone, a dispute waits for a supervisor, Enter ends nothing by itself."""
    desk = Desk(floor, "payouts")
    desk.opened()
    for box, (name, dollars) in enumerate({"Anwar": 100, "Lin": 500}.items(), 1):
        desk.player(name, box, "banker", dollars)
    desk.dealer.does("close", desk.name)
    desk.deals("8C KS KD 9H")
    at = f"/api/tables/{desk.name}/payouts"
    anwar, lin = ({"box": box, "player": desk.called(name)} for box, name in ((1, "Anwar"), (2, "Lin")))
    with desk.tape() as tape:
        tape.asks({"command": "settle"})
        tape.posts(at, {**anwar, "state": "paid"})
        tape.posts(at, {**anwar, "state": "to-pay"})
        tape.posts(at, {**anwar, "state": "paid"})
        tape.posts(at, {**lin, "state": "disputed", "note": "Says it was 600."})
        tape.happens(
            "settled by the pit",
            lambda: floor.house.as_("pit-supervisor").post(at, {**lin, "state": "to-pay"}),
        )
        tape.posts(at, {**lin, "state": "paid"})
        tape.posts(f"{at}/done")
        tape.write(folder, "desk-payouts")


def custody(floor: Floor, folder: Path) -> None:
    """Asked for, allowed with a supervisor's PIN, handed over, taken back; the dealer names the cards."""
    desk = Desk(floor, "custody", method="face-down")
    desk.opened()
    tay = desk.player("Tay", 5, "banker", 800)
    desk.dealer.does("close", desk.name)
    name, at = desk.called("Tay"), f"/api/tables/{desk.name}"
    turns = "turns=2&turns=4"
    with desk.tape(f"{at}/desk?{turns}") as tape:
        tape.happens("asked", lambda: tay.does("request-squeeze", desk.name, cards=[2, 4]))
        permit = {"command": "permit-squeeze", "player": name, "cards": [2, 4]}
        tape.posts(f"{at}/confirmed", {"person": "pit-supervisor-1", "pin": PIN, "command": permit})
        for place in range(1, 5):
            tape.asks({"command": "draw", "place": place})
        tape.asks({"command": "hand-over", "player": name, "cards": [2, 4]})
        tape.asks({"command": "take-cards", "cards": [2, 4], "reason": "back"}, loose=["reason"])
        tape.notes["next"] = desk.dealer.get(f"{at}/desk?{turns}").json()["next"]
        wanted = tape.notes["next"]["command"]
        tape.asks({**wanted, "names": ["9C", "KD"]})
        wanted = desk.dealer.get(f"{at}/desk?{turns}").json()["next"]["command"]
        tape.asks({**wanted, "names": ["2H", "4S"]})
        tape.notes["player"] = name
        tape.write(folder, "desk-custody")


def cases(floor: Floor, folder: Path) -> None:
    """Two cases one after the other; the pit rules, players choose for themselves."""
    desk = Desk(floor, "cases")
    desk.opened()
    for box, (name, dollars) in enumerate({"Anwar": 100, "Lin": 200}.items(), 1):
        desk.player(name, box, "banker", dollars)
    desk.dealer.does("close", desk.name)
    desk.deals("2C 4H 3D")
    anwar, lin = desk.called("Anwar"), desk.called("Lin")
    with desk.tape() as tape:
        together = {
            "case": "drawn-together",
            "drawn": ["TS", "5H"],
            "shown": [4, 5],
            "order_known": False,
            "note": "One pull, two cards.",
        }
        tape.asks({"command": "report", **together})
        tape.asks({"command": "report", "case": "walks-away", "players": [lin]})
        manager = floor.house.as_("pit-manager")
        tape.happens(
            "ruled", lambda: manager.post(f"/api/tables/{desk.name}/rule", {"inputs": {"order": [1, 2]}})
        )
        tape.asks({"command": "choose", "player": anwar, "choice": "continue"})
        tape.asks({"command": "choose", "player": lin, "choice": "return"})
        tape.notes |= {"anwar": anwar, "lin": lin}
        tape.write(folder, "desk-cases")


def handover(floor: Floor, folder: Path) -> None:
    desk = Desk(floor, "handover")
    desk.dealer = floor.house.as_(floor.house.account("Ida", "dealer"))  # whose session ends with it
    desk.opened()
    token = floor.house.account("Jo", "dealer")
    assert (
        floor.house.as_(token)
        .post("/api/me/pin", {"password": PASSWORD, "pin": PIN}, method="PUT")
        .status_code
        == 204
    )
    with desk.tape() as tape:
        tape.posts(f"/api/tables/{desk.name}/hand-over", {"to": "Jo", "pin": PIN, "counted": 3_200_000})
        tape.write(folder, "desk-handover")


def call(floor: Floor, folder: Path) -> None:
    desk = Desk(floor, "call")
    desk.opened()
    at = f"/api/tables/{desk.name}/call"
    with desk.tape() as tape:
        tape.posts(at, {"note": ""})
        tape.posts(at, {"note": "Fill, please."})
        tape.write(folder, "desk-call")


SCENES: tuple[Callable[[Floor, Path], None], ...] = (
    scanner, windows, flags, looking_on, line, wrong_card, payouts, custody, cases, handover, call,
)  # fmt: skip
