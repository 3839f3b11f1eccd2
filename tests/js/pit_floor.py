"""Tapes of the pit: a case from its slip to the players' choices, a PIN, two cases, records put right, calls, a void."""

from collections.abc import Callable
from pathlib import Path

from js.dealing_desk import PIN, Desk
from js.playing import Floor
from js.tape import Tape
from service.api.serving import PASSWORD

BETS = {
    "Wei": (3, "player", 500),
    "Mei": (1, "banker", 300),
    "Anwar": (5, "player", 1_000),
    "Lin": (6, "banker", 2_500),
}
NOTE = "Two came out stuck together."
REASON = "The red one lay uppermost on video."


def looks(name: str) -> tuple[str, ...]:
    at = f"/api/tables/{name}"
    return (
        "/api/pit", f"{at}/record?lang=en", f"{at}/staff", f"{at}/legal", f"{at}/desk", f"/tables/{name}/roads", "/api/me/pin",
        "/api/significant-events?limit=200&lang=en", f"{at}/rounds?limit=1", "/api/pit?archived=true",
    )  # fmt: skip


class Pit(Desk):
    """A staffed table with four players, and who of the pit looks at it."""

    def __init__(self, floor: Floor, name: str) -> None:
        super().__init__(floor, name)
        self.opened()
        for who, (box, bet, dollars) in BETS.items():
            self.player(who, box, bet, dollars)
        self.dealer.does("close", name)

    def dealt(self) -> None:
        self.deals("2C 4H 3D KS")

    def together(self) -> None:
        """Two cards come out together, and the dealer writes what happened."""
        self.dealt()
        came = {"drawn": ["4D", "2S"], "shown": [5, 6], "order_known": False, "note": NOTE}
        self.dealer.does("report", self.name, case="drawn-together", **came)

    def looks_at(self, who: str, path: str = "") -> Tape:
        asking = self.house.as_(who)
        asked = (
            *looks(self.name),
            *(f"/api/tables/{self.name}/legal?player={self.called(one)}" for one in BETS),
        )
        return Tape(
            self.house, asking, path or f"/pit/{self.name}", table="" if path else self.name, looks=asked
        )


def case(floor: Floor, folder: Path) -> None:
    """Ruled on in two presses, said to the public, then each player's choice by name."""
    pit = Pit(floor, "pit-case")
    pit.together()
    with pit.looks_at("pit-manager") as tape:
        tape.asks({"command": "rule", "inputs": {"order": [2, 1], "reason": REASON}})
        tape.posts(f"/api/tables/{pit.name}/say", {"sentence": "order-named"})
        for who, choice in {
            "Mei": "continue",
            "Wei": "continue",
            "Lin": "return",
            "Anwar": "continue",
        }.items():
            tape.asks({"command": "choose", "player": pit.called(who), "choice": choice})
        tape.notes["players"] = {who: pit.called(who) for who in BETS}
        tape.write(folder, "pit-case")


def pin(floor: Floor, folder: Path) -> None:
    """Confirmed by one's own PIN; another PIN decides nothing."""
    pit = Pit(floor, "pit-pin")
    pit.together()
    manager = floor.house.as_("shift-manager")
    assert manager.post("/api/me/pin", {"password": PASSWORD, "pin": PIN}, method="PUT").status_code == 204
    confirmed = {"person": "shift-manager-1", "command": {"command": "rule", "inputs": {"order": [1, 2]}}}
    with pit.looks_at("shift-manager") as tape:
        tape.posts(f"/api/tables/{pit.name}/confirmed", {**confirmed, "pin": "111222"})
        tape.posts(f"/api/tables/{pit.name}/confirmed", {**confirmed, "pin": PIN})
        tape.posts(f"/api/tables/{pit.name}/say", {"sentence": "order-named"})
        tape.write(folder, "pit-pin")


def proposal(floor: Floor, folder: Path) -> None:
    """What the desk proposes is dropped with a reason, or confirmed in two presses."""
    pit = Pit(floor, "pit-slip")
    pit.dealt()

    def proposes(cards: str) -> Callable[[], None]:
        return lambda: pit.dealer.does("amend", pit.name, cards=cards.split(), reason="Misread.")

    with pit.looks_at(floor.house.account("Sue", "pit-supervisor")) as tape:  # who has no PIN
        tape.happens("proposed", proposes("2C 4H 3D QS"))
        tape.asks({"command": "drop-amendment", "reason": "It was right."})
        tape.happens("proposed again", proposes("2C 5H 3D KS"))
        tape.asks({"command": "confirm-amendment"})
        tape.write(folder, "pit-slip")


def call(floor: Floor, folder: Path) -> None:
    """A call with the dealer's words; a relief that is planned."""
    pit = Pit(floor, "pit-call")
    pit.dealt()
    pit.dealer.post(f"/api/tables/{pit.name}/call", {"note": "Fill, please."})
    with pit.looks_at("pit-manager") as tape:
        tape.posts(f"/api/tables/{pit.name}/call/answer")
        tape.write(folder, "pit-call")


def void(floor: Floor, folder: Path) -> None:
    pit = Pit(floor, "pit-void")
    pit.dealt()
    with pit.looks_at("shift-manager") as tape:
        tape.asks({"command": "void", "reason": "The shoe broke."})
        tape.write(folder, "pit-void")


def payout(floor: Floor, folder: Path) -> None:
    """A disputed payout is settled by the pit."""
    pit = Pit(floor, "pit-payout")
    pit.deals("9C 2H KD 4S")
    pit.dealer.does("settle", pit.name)
    body = {"box": 3, "player": pit.called("Wei")}
    at = f"/api/tables/{pit.name}/payouts"
    assert pit.dealer.post(at, {**body, "state": "disputed", "note": "Says it was 600."}).is_success
    with pit.looks_at("pit-manager") as tape:
        tape.posts(at, {**body, "state": "to-pay"})
        tape.notes["player"] = pit.called("Wei")
        tape.write(folder, "pit-payout")


def overview(floor: Floor, folder: Path) -> None:
    """All tables: one is stopped meanwhile, and rings."""
    pit = Pit(floor, "pit-all")
    pit.dealt()
    with pit.looks_at("pit-manager", "/pit") as tape:
        tape.happens(
            "stopped",
            lambda: pit.dealer.does("report", pit.name, case="other-dealing-error", note="Second slip."),
        )
        tape.posts("/api/shift", {"name": "Shift B"})
        tape.write(folder, "pit-all")


SCENES: tuple[Callable[[Floor, Path], None], ...] = (case, pin, proposal, call, void, payout, overview)
