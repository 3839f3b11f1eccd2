"""Tapes of a player's table: bets, rounds of every document, insurance, company, limits."""

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from browser.house import House, dealt, table, until
from browser.player import best_seat
from js.tape import Tape
from service.api.serving import Asking
from thirdcard.service.log.floor_events import SYSTEM
from thirdcard.service.tables.own_play import NO_BOUNDS

NATURAL = "9C 2D KH 3S "  # Player wins, nothing to insure
INSURED = "6C 3D KH AS 3C "  # insurance on Player, then Banker wins 7 to 6
FACE_DOWN = "9C 2D 7D AS 4H "  # Player has 6, Banker 7 with a third card
BANKER_ON_SIX = "KC 2D 5H AS KD 3C "
ROUNDS = {  # by the table of the house that plays by each document: cards, dollars on each bet
    "tiger-buffalo": (INSURED, {"player": 100, "banker-char-siu": 10}),
    "commission-insurance": (INSURED, {"player": 100, "tie": 10}),
    "tiger-buffalo-3": (INSURED, {"banker": 100, "banker-char-siu": 10, "tie": 10}),
    "tiger-buffalo-4": (BANKER_ON_SIX, {"banker": 100, "big-tiger": 10, "tie": 10}),
    "tiger": (BANKER_ON_SIX, {"banker": 100, "tiger": 10, "tiger-tie": 10}),
}


class Floor:
    """Tables of one house, each made for its tape, and guests who come to them."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._planted = ExitStack()

    def opens(self, name: str, like: str = "tiger-buffalo", cards: str = NATURAL * 6, **changed: Any) -> str:  # noqa: ANN401
        """A table of the tape's own; its shoe begins with these cards."""
        live_odds = changed.pop("live_odds", None)
        made = msgspec.structs.replace(table(like, **changed), id=name, live_odds=live_odds)
        self._planted.enter_context(dealt(cards, name))
        self.house.do(self.house.hall.create(made, by=SYSTEM))
        return name

    def guest(self) -> Asking:
        return self.house.as_(self.house.hall.people.guest()[1])

    def sits(self, name: str, who: Asking | None = None) -> Asking:
        """Where the lobby would seat a guest."""
        who = who or self.guest()
        state = self.house.live(name).table
        body = {"box": best_seat(state.setup.positions, state.seats), "usual": True}
        sat = who.post(f"/api/tables/{name}/sit-down", body)
        assert sat.status_code == 200, sat.text
        until(lambda: self.phase(name) == "betting" and self.house.live(name).timer)
        return who

    def tape(self, name: str, who: Asking, *more: str, lang: str = "en") -> Tape:
        looks = (
            f"/api/tables/{name}/legal",
            f"/api/tables/{name}/rounds?limit=1",
            f"/tables/{name}/roads",
            "/api/me/habits",
            "/api/me/rounds?limit=1",
            "/api/me/wallet",
            *more,
        )
        return Tape(self.house, who, f"/tables/{name}", table=name, looks=looks, felt=True, lang=lang)

    def phase(self, name: str) -> str:
        return self.house.live(name).table.phase

    def ends(self, wait: str, name: str, phase: str) -> None:
        """The time is up for something, and the dealer goes on until that."""
        self.house.ends(wait, name)
        if phase in ("insurance", "squeeze"):
            until(lambda: self.house.waits(name) == phase)
        elif phase == "betting":
            until(lambda: self.phase(name) == "betting" and self.house.live(name).timer)
        else:
            until(lambda: self.phase(name) == phase)


def place(box: int, bet: str, dollars: int) -> dict[str, object]:
    return {"command": "place", "box": box, "bet": bet, "cents": dollars * 100}


def back(box: int, bet: str, dollars: int = 0) -> dict[str, object]:
    taken: dict[str, object] = {"command": "take-back", "box": box, "bet": bet}
    return {**taken, "cents": dollars * 100} if dollars else taken


def box_of(floor: Floor, name: str, who: Asking) -> int:
    me = who.get("/api/me").json()["name"]
    return next(box for box, one in floor.house.live(name).table.seats.items() if one == me)


def betting(floor: Floor, folder: Path) -> None:
    """One act, one undo; what fits; moved chips; and the bets of the last round again."""
    name = floor.opens("betting")
    me = floor.sits(name)
    box = box_of(floor, name, me)
    on, off = partial(place, box), partial(back, box)
    with floor.tape(name, me) as tape:
        for asked in (
            [on("player", 100)],
            [on("tie", 50)],
            [on("player", 100), on("tie", 50)],  # doubled
            [off("player", 100), off("tie", 50)],  # undone
            [off("player"), off("tie")],  # cleared
            [on("player", 100), on("tie", 50)],  # undone
            [on("tie", 450)],  # of a chip of 1,000 what fits
            [off("tie", 450)],
            [on("banker-pair", 500)],  # the most
            [off("banker-pair")],
            [on("banker", 100)],
            [off("banker"), on("player-pair", 100)],  # moved
            [off("player-pair"), on("banker", 100)],
            [off("banker")],
        ):
            tape.asks(asked)
        for round_ in ("settled", "passed", "passed again"):
            tape.happens(round_, lambda: floor.ends("betting", name, "settled"))
            tape.happens(f"{round_}: next", lambda: floor.ends("result", name, "betting"))
        tape.asks([on("player", 100), on("tie", 50)])
        tape.write(folder, "betting")
    with floor.tape(name, me) as again:  # the page opened anew
        again.asks([off("player"), off("tie")])
        again.write(folder, "betting-again")


def acts(floor: Floor, folder: Path) -> None:
    """Every bet of a layout at once: again, doubled, cleared; then doubled as far as each may be."""
    name = floor.opens("acts", "tiger-buffalo-4", BANKER_ON_SIX * 3)
    me = floor.sits(name)
    box = box_of(floor, name, me)
    bets = floor.house.live(name).table.setup.bets
    with floor.tape(name, me) as tape:
        tape.happens(
            "laid", lambda: me.post(f"/api/tables/{name}/commands", [place(box, bet, 10) for bet in bets])
        )
        tape.happens("settled", lambda: floor.ends("betting", name, "settled"))
        tape.happens("next", lambda: floor.ends("result", name, "betting"))
        laid = [stake.bet for stake in floor.house.live(name).table.round.stakes.values()]  # type: ignore[union-attr]
        assert not laid
        order = [one["bet"] for one in tape.steps[1]["messages"][-1]["changed"]["stakes"]]
        tape.asks([place(box, bet, 10) for bet in order])
        tape.asks([place(box, bet, 10) for bet in order])
        tape.asks([back(box, bet) for bet in order])
        stakes = {"player": 100, "tie": 300, "big-tiger": 10}
        tape.happens(
            "three",
            lambda: me.post(f"/api/tables/{name}/commands", [place(box, *one) for one in stakes.items()]),
        )
        most = floor.house.live(name).table.setup.limit("tie").max
        assert most
        order = [one["bet"] for one in tape.steps[-1]["messages"][-1]["changed"]["stakes"]]
        doubled = {**stakes, "tie": (most - 30_000) // 100}
        tape.asks([place(box, bet, doubled[bet]) for bet in order])
        tape.write(folder, "acts")


def rounds(floor: Floor, folder: Path) -> None:
    """A whole round by each of the documents."""
    for like, (cards, bets) in ROUNDS.items():
        name = floor.opens(f"round-{like}", like, cards)
        me = floor.sits(name)
        box = box_of(floor, name, me)
        rounds = (f"/api/tables/{name}/rounds?limit=30", f"/tables/{name}/offers.json")
        with floor.tape(name, me, *rounds) as tape:
            for bet, dollars in bets.items():
                tape.asks([place(box, bet, dollars)])
            insured = like in ("tiger-buffalo", "commission-insurance")
            tape.happens("cards", lambda: floor.ends("betting", name, "insurance" if insured else "settled"))  # noqa: B023
            if insured:
                offer = next(
                    one
                    for one in me.get(f"/api/tables/{name}/legal").json()
                    if one["command"]["command"] == "insure"
                )
                half = max(offer["command"]["cents"], offer["most"] // 2 // offer["step"] * offer["step"])
                command = {key: value for key, value in offer["command"].items() if key != "by"}
                tape.asks({**command, "cents": half})
                until(lambda: floor.phase(name) == "settled")  # noqa: B023
                tape.happens("settled")
            settlement = floor.house.live(name).table.round.settlement  # type: ignore[union-attr]
            assert settlement
            tape.notes["net"] = sum(line.net for line in settlement.lines)
            tape.notes["rack"] = floor.house.rack(name, me.get("/api/me").json()["name"])
            tape.write(folder, f"round-{like}")


def ready(floor: Floor, folder: Path) -> None:
    """Two bet; one is ready, bets again and is not; both are, and the cards come."""
    name = floor.opens("ready")
    me, other = floor.sits(name), floor.sits(name)
    box, theirs = box_of(floor, name, me), box_of(floor, name, other)
    address = f"/api/tables/{name}/ready"
    with floor.tape(name, me) as tape:
        tape.asks([place(box, "player", 100)])
        tape.happens(
            "the other bets", lambda: other.does("place", name, box=theirs, bet="banker", cents=10_000)
        )
        for now in (True, False, True):
            tape.posts(address, {"ready": now})
        tape.asks([place(box, "tie", 50)])
        tape.happens("the other is ready", lambda: other.post(address, {"ready": True}))
        tape.posts(address, {"ready": True})
        until(lambda: floor.phase(name) == "settled")
        tape.happens("cards")
        tape.write(folder, "ready")


def differential(floor: Floor, folder: Path) -> None:
    """Of a box: a chip of 1,000 where 500 is left. Of the table: too much is left when others go."""
    name = floor.opens("apart", differential=150_000)
    me = floor.sits(name)
    box = box_of(floor, name, me)
    with floor.tape(name, me) as tape:
        tape.asks([place(box, "player", 1_000)])
        tape.asks([place(box, "player", 500)])
        tape.asks([place(box, "banker", 100)])
        tape.write(folder, "apart")
    name = floor.opens("apart-all", "tiger", differential=150_000)
    other, me = floor.sits(name), floor.sits(name)
    theirs, box = box_of(floor, name, other), box_of(floor, name, me)
    with floor.tape(name, me) as tape:
        tape.happens(
            "the other bets", lambda: other.does("place", name, box=theirs, bet="banker", cents=100_000)
        )
        tape.asks([place(box, "player", 1_000)])
        tape.asks([place(box, "player", 1_000)])
        tape.happens("the other goes", lambda: other.does("take-back", name, box=theirs, bet="banker"))
        tape.asks([back(box, "player", 500)])
        tape.write(folder, "apart-all")


def cut(floor: Floor, folder: Path) -> None:
    """5.1: who is seated comes first, and who stands behind gives way."""
    name = floor.opens("cut", differential=150_000)
    seated, me = floor.sits(name), floor.sits(name)
    box = box_of(floor, name, seated)
    with floor.tape(name, me) as tape:
        tape.happens("I bet behind", lambda: me.does("place", name, box=box, bet="player", cents=100_000))
        tape.happens(
            "the seated one bets", lambda: seated.does("place", name, box=box, bet="player", cents=100_000)
        )
        tape.write(folder, "cut")


def habits(floor: Floor, folder: Path) -> None:
    """Saved bets, chips of the rack, the same bets for two rounds."""
    name = floor.opens("habits")
    me = floor.sits(name)
    box = box_of(floor, name, me)
    bets = [place(box, "player", 100), place(box, "big-tiger", 50)]
    saved = {"name": "Evening", "bets": [{"bet": one["bet"], "cents": one["cents"]} for one in bets]}
    with floor.tape(name, me) as tape:
        tape.asks(bets[:1])
        tape.asks(bets[1:])
        tape.posts("/api/me/habits", {"patterns": [saved], "chips": []}, "PUT")
        tape.asks([back(box, "player"), back(box, "big-tiger")])
        tape.asks(bets)
        tape.asks([back(box, "player"), back(box, "big-tiger")])
        tape.asks(bets)
        tape.notes["chips"] = chips = [500, 1_000, 5_000, 10_000, 50_000, 100_000]
        tape.posts(
            "/api/me/habits", {"patterns": [saved], "chips": [one for one in chips if one != 1_000]}, "PUT"
        )
        tape.posts("/api/me/habits", {"patterns": [saved], "chips": [5_000, 500, *chips[3:]]}, "PUT")
        tape.happens("settled", lambda: floor.ends("betting", name, "settled"))
        tape.happens("next", lambda: floor.ends("result", name, "betting"))
        tape.asks(bets)
        tape.happens("settled again", lambda: floor.ends("betting", name, "settled"))
        tape.happens("next again", lambda: floor.ends("result", name, "betting"))
        tape.asks(bets)
        tape.happens("settled at last", lambda: floor.ends("betting", name, "settled"))
        tape.happens("next at last", lambda: floor.ends("result", name, "betting"))
        tape.write(folder, "habits")


def refused(floor: Floor, folder: Path) -> None:
    """A bet below the minimum, a move with chips on the layout."""
    name = floor.opens("refused")
    me = floor.sits(name)
    box = box_of(floor, name, me)
    for lang in ("en", "zh"):
        with floor.tape(name, me, lang=lang) as tape:
            tape.asks([place(box, "player", 5)])
            tape.write(folder, "refused" if lang == "en" else f"refused-{lang}")


def company(floor: Floor, folder: Path) -> None:
    """Chips of two people, a bet behind the other, a move to a free box and one that has to wait."""
    name = floor.opens("company", "tiger-buffalo-4", INSURED)
    me, other = floor.sits(name), floor.sits(name)
    theirs = box_of(floor, name, other)
    free = [box for box in range(1, 6) if box not in floor.house.live(name).table.seats]
    with floor.tape(name, me) as tape:
        tape.happens(
            "the other bets", lambda: other.does("place", name, box=theirs, bet="banker", cents=15_000)
        )
        tape.happens(
            "the other bets behind me",
            lambda: other.does("place", name, box=box_of(floor, name, me), bet="player", cents=5_000),
        )
        tape.asks({"command": "sit", "box": free[0]})
        tape.asks([place(free[0], "tie", 10)])
        tape.asks({"command": "sit", "box": free[1]})
        tape.notes |= {"theirs": theirs, "free": free, "other": other.get("/api/me").json()["name"]}
        tape.write(folder, "company")


def watching(floor: Floor, folder: Path) -> None:
    """Somebody who only looks: sits down as a guest; or, where all seats are taken, bets behind."""
    name = floor.opens("watching", positions=1, live_odds=False)
    seated = floor.sits(name)
    me = floor.guest()
    with floor.tape(name, me) as tape:
        tape.gets(
            tape.felt_address().replace("watching=true", "watching=false")
        )  # behind the one box there is
        tape.notes["seated"] = seated.get("/api/me").json()["name"]
        tape.posts(f"/api/tables/{name}/sit-down", {"usual": True})
        tape.asks([place(1, "player", 100)])
        tape.write(folder, "watching")


def reality(floor: Floor, folder: Path) -> None:
    """What a session has come to is told, and bets wait until the player goes on."""
    name = floor.opens("reality", cards="2C 4D 3C 4S ")
    me = floor.sits(name)
    box = box_of(floor, name, me)
    mine = me.get("/api/me").json()["name"]
    every = msgspec.structs.replace(NO_BOUNDS, check_minutes=1)
    floor.house.do(floor.house.hall.change_limits(mine, lambda own, now: own.asked(every, now)))
    with floor.tape(name, me, "/api/me/limits") as tape:
        tape.asks([place(box, "player", 100)])
        tape.happens("settled", lambda: floor.ends("betting", name, "settled"))
        if not any("check" in one for one in tape.steps[-1]["messages"]):
            tape.hears()
        tape.happens("next", lambda: floor.ends("result", name, "betting"))
        tape.asks([place(box, "player", 100)])
        tape.posts("/api/me/reality-check")
        tape.asks([place(box, "player", 100)])
        tape.write(folder, "reality")


def chinese(floor: Floor, folder: Path) -> None:
    """The same round in Chinese."""
    name = floor.opens("chinese", cards=INSURED)
    me = floor.sits(name)
    box = box_of(floor, name, me)
    with floor.tape(name, me, f"/tables/{name}/offers.json", lang="zh") as tape:
        tape.asks([place(box, "player", 100)])
        tape.happens("cards", lambda: floor.ends("betting", name, "insurance"))
        tape.asks({"command": "decline"})
        until(lambda: floor.phase(name) == "settled")
        tape.happens("settled")
        tape.write(folder, "chinese")


def offered(who: Asking, name: str, command: str, **fits: object) -> dict[str, object]:
    """A command that the server says may be given now, as a page sends it."""
    options = [one["command"] for one in who.get(f"/api/tables/{name}/legal").json()]
    found = next(one for one in options if {"command": command, **fits}.items() <= one.items())
    return {key: value for key, value in found.items() if key != "by"}


def squeeze(floor: Floor, folder: Path) -> None:
    """Cards in one's own hand: opened one by one, both at once, passed on."""
    for way in ("one", "both", "pass"):
        name = floor.opens(f"squeeze-{way}", "squeeze-salon", FACE_DOWN)
        me = floor.sits(name)
        box = box_of(floor, name, me)
        expose = partial(offered, me, name, "expose")
        with floor.tape(name, me) as tape:
            tape.asks([place(box, "player", 100)])
            tape.happens("cards", lambda: floor.ends("betting", name, "squeeze"))  # noqa: B023
            if way == "pass":
                tape.asks(offered(me, name, "refuse-cards", hand="player"))
            for cards in {"one": ([1], [3]), "both": ([1, 3],)}.get(way, ()):
                tape.asks(expose(cards=cards))
            until(lambda: floor.phase(name) == "settled")  # noqa: B023
            tape.happens("over")
            tape.write(folder, f"squeeze-{way}")


SCENES: tuple[Callable[[Floor, Path], None], ...] = (
    betting, acts, rounds, ready, differential, cut, habits, refused, company, watching, reality, chinese, squeeze,
)  # fmt: skip
