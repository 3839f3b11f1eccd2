"""Tapes of the pages around a table: the lobby, one's own limits, wallet and name, signing in, several tables."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pyotp

from browser.house import House, table, until
from browser.player import best_seat
from js.playing import Floor, box_of, place
from js.tape import Tape
from service.api.serving import PASSWORD, Asking
from thirdcard.service.log.floor_events import SYSTEM
from thirdcard.service.tables.own_play import NO_BOUNDS

LOST = "2C 4D 3C 4S "  # Banker wins 8 to 5
BUFFALO, SALON = "tiger-buffalo", "salon"
PIN = "271828"
OTHER_WORDS = "four unusual words of baccarat"


@contextmanager
def own_house(*names: str) -> Iterator[House]:
    """A house of a scene's own, where a page that lists all of it is short."""
    tables = (table(one) for one in names)
    with tempfile.TemporaryDirectory() as folder, House(Path(folder) / "house.db", *tables) as house:
        yield house


def seat(house: House, name: str) -> int:
    """Where the lobby would seat somebody."""
    state = house.live(name).table
    box = best_seat(state.setup.positions, state.seats)
    assert box
    return box


def sit(who: Asking, house: House, name: str, box: int) -> None:
    """In that box, and the round that begins with it is open for bets."""
    assert who.post(f"/api/tables/{name}/sit-down", {"box": box, "usual": True}).is_success
    until(lambda: house.waits(name) == "betting")


# The lobby ----------------------------------------------------------------------------------------------


def in_lobby(house: House, who: Asking) -> Tape:
    return Tape(house, who, "/", looks=("/tables", "/api/me", "/api/me/wallet"))


def lobby(_: Floor, folder: Path) -> None:
    """Nobody becomes a guest and sits down; a seat that is taken just before."""
    with own_house(BUFFALO, "tiger", SALON) as house:
        with in_lobby(house, house.as_("nobody")) as tape:
            tape.notes["guest"] = tape.posts("/api/guests")["name"]
            tape.posts(f"/api/tables/{BUFFALO}/sit-down", {"box": seat(house, BUFFALO), "usual": True})
            tape.write(folder, "lobby-guest")
        with in_lobby(house, house.as_(house.account("Wei", "player"))) as tape:
            box = seat(house, "tiger")
            sit(house.as_(house.account("Mei", "player")), house, "tiger", box)
            tape.posts("/api/tables/tiger/sit-down", {"box": box, "usual": True})
            tape.posts("/api/tables/tiger/sit-down", {"box": seat(house, "tiger"), "usual": True})
            tape.write(folder, "lobby-taken")


def lobby_lives(_: Floor, folder: Path) -> None:
    """One's own seat is kept; people, tables and a dealer come and go while somebody looks."""
    with own_house(BUFFALO, "tiger", SALON) as house:
        wei, mei = (house.as_(house.account(name, "player")) for name in ("Wei", "Mei"))
        manager, dealer = house.as_("pit-manager"), house.as_("dealer")
        sit(wei, house, BUFFALO, 2)
        second = msgspec.structs.replace(table(SALON), id="salon-2", title="Second salon")

        def goes() -> None:
            for step in ("close", "archive"):
                assert manager.post(f"/api/tables/salon-2/{step}").is_success

        with in_lobby(house, wei) as tape:
            tape.happens("somebody sits down", lambda: sit(mei, house, "tiger", 3))
            tape.happens("a table opens", lambda: house.do(house.hall.create(second, by=SYSTEM)))
            tape.happens("a dealer comes", lambda: dealer.post(f"/api/tables/{SALON}/dealer"))
            tape.happens("a table goes", goes)
            tape.posts(f"/api/tables/{BUFFALO}/leave")
            tape.write(folder, "lobby-lives")


# One's own limits and money -----------------------------------------------------------------------------


def loser(floor: Floor, name: str, *, check: int | None = None) -> Asking:
    """A player who has lost a hundred; with a reality check, it is due."""
    here = floor.opens(f"at-{name}".lower(), cards=LOST * 3)
    who = floor.sits(here, floor.house.as_(floor.house.account(name, "player")))
    if check:
        every = msgspec.structs.replace(NO_BOUNDS, check_minutes=check)
        floor.house.do(floor.house.hall.change_limits(name, lambda own, now: own.asked(every, now)))
    assert who.post(
        f"/api/tables/{here}/commands", [place(box_of(floor, here, who), "player", 100)]
    ).is_success
    floor.ends("betting", here, "settled")
    return who


def limits(floor: Floor, folder: Path) -> None:
    """Tighter at once, looser a day later, refused; a break, then for good."""
    bounds = {"loss_day": 50_000, "loss_week": None, "minutes_day": 120, "check_minutes": 60}
    address = "/api/me/limits"
    who = loser(floor, "Lena")
    for lang in ("en", "zh"):
        with Tape(floor.house, who, "/limits", looks=(address,), lang=lang) as tape:
            tape.posts(address, {**bounds, "check_minutes": 0}, "PUT")
            if lang == "en":
                tape.posts(address, bounds, "PUT")
                tape.posts(address, {**bounds, "loss_day": 80_000, "minutes_day": None}, "PUT")
                tape.posts("/api/me/time-out", {"hours": 168})
                tape.posts("/api/me/time-out", {"for_good": True})
            tape.write(folder, "limits" if lang == "en" else f"limits-{lang}")
    with Tape(floor.house, who, "/limits", looks=(address,)) as tape:
        tape.write(folder, "limits-excluded")


def own_page(floor: Floor, who: Asking) -> Tape:
    return Tape(floor.house, who, "/account", looks=("/api/me/wallet",))


def wallet(floor: Floor, folder: Path) -> None:
    """Play money once a day, another name, a guest who stays, a reality check that is due."""
    daily, nickname = "/api/me/wallet/daily", "/api/me/nickname"
    name = floor.opens("wallet")
    guest = floor.sits(name)
    with own_page(floor, guest) as tape:
        tape.posts(daily)
        tape.write(folder, "wallet-daily")
    other = floor.guest()
    with own_page(floor, other) as tape:
        assert other.post(daily).is_success  # on another screen of theirs
        tape.posts(daily)
        tape.write(folder, "wallet-taken")
    with own_page(floor, guest) as tape:
        tape.posts(nickname, {"name": "a b"}, "PUT")
        tape.posts(nickname, {"name": "Tiger"}, "PUT")
        tape.write(folder, "wallet-name")
    with own_page(floor, guest) as tape:
        tape.posts("/api/me/account", {"name": "Stays", "password": "short"})
        tape.posts("/api/me/account", {"name": "Stays", "password": OTHER_WORDS})
        tape.write(folder, "wallet-keep")
    with own_page(floor, loser(floor, "Rhea", check=1)) as tape:
        tape.posts("/api/me/reality-check")
        tape.write(folder, "wallet-check")


# Doors --------------------------------------------------------------------------------------------------


def at_the_door(floor: Floor, who: str = "nobody") -> Tape:
    return Tape(floor.house, floor.house.as_(who), "/sign-in?next=/limits")


def doors(floor: Floor, folder: Path) -> None:
    """Signing in with a wrong and with the right password, as somebody new, and as a guest."""
    floor.house.account("Dora", "player")
    known = {"name": "Dora", "password": PASSWORD, "code": ""}
    with at_the_door(floor) as tape:
        tape.posts("/api/sessions", {**known, "password": "something else"})
        tape.posts("/api/sessions", known)
        tape.write(folder, "door-known")
    new = {"name": "Nora", "password": OTHER_WORDS}
    with at_the_door(floor) as tape:
        tape.posts("/api/accounts", {**new, "name": "Dora", "role": "player"})
        tape.posts("/api/accounts", {**new, "role": "player"})
        tape.posts("/api/sessions", new)
        tape.write(folder, "door-new")
    with at_the_door(floor) as tape:
        tape.posts("/api/guests")
        tape.write(folder, "door-guest")


def codes(floor: Floor, folder: Path) -> None:
    """Who has to have one-time codes sets them up before signing in, and is asked for one the next time."""
    people = floor.house.hall.people
    floor.house.account("Cora", "dealer")
    known = {"name": "Cora", "password": PASSWORD}
    people.staff_codes = True
    with at_the_door(floor) as tape:
        tape.posts("/api/sessions", {**known, "code": ""})
        secret = tape.posts("/api/codes", known)["secret"]
        code = pyotp.TOTP(secret).now()
        tape.posts("/api/codes", {**known, "code": "not a code"}, "PUT")
        recovery = tape.posts("/api/codes", {**known, "code": code}, "PUT")["recovery"]
        tape.notes |= {"secret": secret, "code": code, "recovery": recovery}
        tape.write(folder, "door-codes-first")
    people.staff_codes = False
    with at_the_door(floor) as tape:
        tape.posts("/api/sessions", {**known, "code": ""})
        tape.posts("/api/sessions", {**known, "code": recovery[0]})
        tape.notes["code"] = recovery[0]
        tape.write(folder, "door-code")


def within(floor: Floor, folder: Path) -> None:
    """Somebody of staff who is signed in sets a PIN, and goes."""
    with at_the_door(floor, floor.house.account("Petra", "dealer")) as tape:
        tape.posts("/api/me/pin", {"password": PASSWORD, "pin": PIN}, "PUT")
        tape.posts("/api/me/pin", {"password": "something else", "pin": PIN}, "PUT")
        tape.posts("/api/sessions/current", method="DELETE")
        tape.write(folder, "door-within")


# Several tables -----------------------------------------------------------------------------------------


def several(_: Floor, folder: Path) -> None:
    names = (BUFFALO, "tiger", "squeeze-salon", SALON)
    with own_house(*names) as house:
        for name, address in {
            "several": "/several?" + "&".join(f"t={one}" for one in names),
            "several-none": "/several",
        }.items():
            with Tape(house, house.as_("nobody"), address) as tape:
                tape.write(folder, name)


SCENES: tuple[Callable[[Floor, Path], None], ...] = (
    lobby, lobby_lives, limits, wallet, doors, codes, within, several,
)  # fmt: skip
