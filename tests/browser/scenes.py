"""Every page at a moment worth looking at: one house, set up once, and who looks at what."""

from pathlib import Path
from typing import NamedTuple

import msgspec

from browser.house import House, table, until
from browser.past import played
from service.api.serving import Asking

RESULTS = "BPPBTBPPPBBPBBTPBPPPBBBBPTPBB"
CARDS = "6C 3D KH AS 3C"  # insurance on Player at 5 to 2, then Banker wins 7 to 6
PEOPLE = {"Wei": 3, "Mei": 1, "Anwar": 5, "Lin": 6}
BETS = {
    "Wei": {"player": 500, "tie": 50, "banker-char-siu": 100},
    "Mei": {"banker": 300, "big-tiger": 20},
    "Anwar": {"player": 1_000, "player-pair": 100},
    "Lin": {"banker": 2_500},
}
STAFF = {
    "dealer": "Dee",
    "pit-manager": "Pam",
    "auditor": "Ada",
    "administrator": "Max",
}
DEALT, TOGETHER = "2C 4H 3D KS", "4D 2S"  # by hand; then two cards that nobody knows the order of


TABLES = (
    *(
        msgspec.structs.replace(table("tiger-buffalo"), id=name)
        for name in ("betting", "insuring", "settled")
    ),
    table("commission-insurance"),
    table("tiger-buffalo-4"),
    table("tiger", method="A"),
    table("salon"),
)


class Scene(NamedTuple):
    """A page: its address, who looks at it (by name or role; empty for nobody), and what is there once it is whole."""

    path: str
    who: str = ""
    ready: str = "main"


SCENES = {
    "lobby": Scene("/", ready=".tcard"),
    "sign-in": Scene("/sign-in", ready="#sign-in"),
    "account": Scene("/sign-in", "Wei", "#sign-out"),
    "own": Scene("/account?span=all", "Wei", "player-purse b"),
    "limits": Scene("/limits", "Wei", ".used:not(:empty)"),
    "betting": Scene("/tables/betting", "Wei", ".shown .mine"),
    "insuring": Scene("/tables/insuring", "Wei", "insurance-prompt .what"),
    "settled": Scene("/tables/settled", "Wei", "round-net .up:visible"),
    "squeezing": Scene("/tables/tiger", "Wei", "squeeze-panel .held"),
    "watching": Scene("/tables/betting", ready="table-purse .watching"),
    "held-up": Scene("/tables/salon", "Wei", "held-up b"),
    "board": Scene("/tables/insuring/board", ready=".says b"),
    "shoe": Scene("/tables/betting/shoes/1", ready=".proof"),
    "learn": Scene("/learn", ready=".lessons .example"),
    "rules": Scene("/rules"),
    "rulebook": Scene("/rules/rws-tiger-buffalo-commission-v2"),
    "versions": Scene(
        "/rules/rws-tiger-buffalo-non-commission-v3/compare/rws-tiger-buffalo-non-commission-v4"
    ),
    "diff": Scene("/rules/diff?a=rws-tiger-buffalo-non-commission-v3&b=rws-tiger-buffalo-non-commission-v4"),
    "interpretations": Scene("/rules/interpretations"),
    "beside": Scene("/rules/rws-tiger-buffalo-non-commission-v4/beside?p=4.1.4"),
    "timeline": Scene("/rules/timeline?family=rws-tiger-buffalo-non-commission&on=2025-07-22T14:05"),
    "odds": Scene("/odds?seen=9C+9D+KH"),
    "odds-compare": Scene("/odds/compare"),
    "dealer": Scene("/dealer/salon", "dealer", "#main-button"),
    "pit": Scene("/pit", "pit-manager", ".tt"),
    "ruling": Scene("/pit/salon", "pit-manager", "#decide form"),
    "shift": Scene("/staff/shift", "pit-manager", ".sht .strip"),
    "shift-table": Scene("/staff/shift/settled", "pit-manager", ".facts"),
    "audit": Scene("/audit", "auditor"),
    "log": Scene("/audit/settled", "auditor"),
    "replay": Scene("/audit/settled/rounds/26", "auditor", "#player"),
    "statements": Scene("/audit/settled/statements?player=Wei", "auditor"),
    "rulebooks": Scene("/staff/rulebooks", "administrator", "#books tr"),
    "documents": Scene("/staff/documents", "administrator", "#document [name=file]"),
    "desks": Scene("/staff", "dealer", ".tile"),
    "new-table": Scene("/staff/tables/new", "pit-manager", "#checked li"),
    "set-up": Scene("/staff/tables/salon/setup", "pit-manager", "#closing li"),
    "accounts": Scene("/accounts", "administrator", "#accounts tr"),
    "nothing": Scene("/no-such-page"),
}


class Company:
    """Four players and the staff of a house."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.people = {name: Asking(house, house.account(name, "player")) for name in PEOPLE}
        self.staff = {role: Asking(house, house.account(name, role)) for role, name in STAFF.items()}

    def token(self, who: str) -> str:
        """Of a player by name or of staff by role; nobody's is empty."""
        person = {**self.people, **self.staff}.get(who)
        return person.token if person else ""

    def sit(self, table: str, *names: str) -> None:
        for name in names or PEOPLE:
            body = {"box": PEOPLE[name], "cents": 1_235_000}
            assert self.people[name].post(f"/api/tables/{table}/sit-down", body).status_code == 200

    def bet(self, table: str) -> None:
        for name, bets in BETS.items():
            for bet, dollars in bets.items():
                self.does(name, "place", table, box=PEOPLE[name], bet=bet, cents=dollars * 100)

    def does(self, who: str, command: str, table: str, **fields: object) -> None:
        self.people[who].does(command, table, **fields)

    def insure(self, table: str) -> None:
        """The round goes on: one insures, the other does not."""
        self.does("Wei", "insure", table, box=3, hand="player", cents=20_000)
        self.does("Anwar", "decline", table)

    def deal(self) -> None:
        """At the staffed table four cards are dealt, and insurance is on offer."""
        self.sit("salon")
        dealer = self.staff["dealer"]
        dealer.does("new-shoe", "salon")
        dealer.does("open", "salon")
        self.bet("salon")
        dealer.does("close", "salon")
        for card in DEALT.split():
            dealer.does("draw", "salon", card=card)

    def hold_up(self) -> None:
        """Two cards come out together there for all to see, and nobody knows which came first."""
        came_out = {"drawn": TOGETHER.split(), "shown": [5, 6], "order_known": False}
        self.staff["dealer"].does("report", "salon", case="drawn-together", **came_out)


class Stage(Company):
    """The house of the scenes, in `folder`."""

    def __init__(self, folder: Path) -> None:
        played(folder / "house.db", TABLES, RESULTS, CARDS)
        super().__init__(House(folder / "house.db"))
        tables = ("betting", "insuring", "settled", "tiger")
        for name in tables:
            self.sit(name)
            self.house.ends("result", name)
            until(lambda: self.house.waits(name) == "betting")  # noqa: B023 - at once
        for name in tables[:3]:
            self.bet(name)
        self.does("Wei", "place", "tiger", box=3, bet="player", cents=50_000)
        for name in tables[1:]:
            self.house.ends("betting", name)
        until(lambda: self.house.waits("settled") == "insurance")
        self.insure("settled")
        self.deal()
        self.hold_up()
