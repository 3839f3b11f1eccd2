"""What a stranger can take from others: nothing that is kept back for people with a place here."""

import asyncio
import contextlib
import resource
import socket
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from service.api.serving import GUARD, NOBODY, Asking, Served, heard, is_problem
from service.clocks import FakeClock
from service.houses import new_table
from thirdcard.service.api import connections, gate, server, stream
from thirdcard.service.api.gate import Rates
from thirdcard.service.api.packing import OLD_SECONDS, Copies
from thirdcard.service.api.stream import framed
from thirdcard.service.log.store.model import Record
from thirdcard.service.tables.publish import Reader
from thirdcard.service.turns import CALLER, Caller, Workers
from thirdcard.web.site import PAGES

pytestmark = pytest.mark.server

FEW = Rates(person=(0, 0), address=(0.001, 6), sockets=3, own_sockets=2)
BET = {"command": "cash-out", "cents": 100}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "HELD_SECONDS", 0.0)


def known(house: Served, name: str, role: str = "player") -> Asking:
    """Somebody who has asked before; a player sits down."""
    sits = role == "player"
    person = house.player(name, box=1) if sits else Asking(house, house.account(name, role))
    assert person.get("/api/me").json()["name"] == name
    return person


def exhaust(house: Served) -> None:
    stranger = house.as_(NOBODY)
    while stranger.get("/api/tables").status_code != 429:
        pass
    assert is_problem(stranger.get("/"), 429)


def closed_with(person: Asking, table: str = "one") -> int:
    with person.stream(table) as opened:
        try:
            opened.recv(timeout=GUARD)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 0
    return 0


def test_strangers_of_an_address_leave_its_players_staff_and_probes_their_room(house_path: Path) -> None:
    with Served(house_path, rates=FEW, clock=FakeClock()) as house:
        wei, dee = known(house, "Wei"), known(house, "Dee", "dealer")
        exhaust(house)
        guest = Asking(house, house.hall.people.guest()[1])
        assert is_problem(guest.get("/api/me"), 429), "who has no place here is a stranger"
        assert wei.post("/api/tables/one/commands", BET).status_code == 200
        assert dee.get("/api/tables/one/desk").status_code == 200
        for probe in gate.HEALTH:
            assert house.as_(NOBODY).get(probe).status_code == 200
        for _ in range(10):
            wei.get("/api/me")
        assert is_problem(wei.get("/api/me"), 429), "players of an address share what they have"
        assert dee.get("/api/tables/one/desk").status_code == 200


def test_sockets_of_an_address_and_of_a_person(house_path: Path) -> None:
    rates = Rates(person=(0, 0), address=(0, 0), sockets=3, own_sockets=2)
    with Served(house_path, rates=rates) as house, contextlib.ExitStack() as stack:
        wei = known(house, "Wei")
        for _ in range(3):
            heard(stack.enter_context(house.as_(NOBODY).stream()))
        assert closed_with(house.as_(NOBODY)) == 4013
        assert closed_with(house.as_("guest")) == 4013
        for _ in range(2):
            heard(stack.enter_context(wei.stream()))
        assert closed_with(wei) == 4013
        assert closed_with(known(house, "Dee", "dealer")) == 0


def test_room_that_strangers_cannot_take(house_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "MOST_WINDOWS", 5)
    with Served(house_path) as house, contextlib.ExitStack() as stack:
        wei = known(house, "Wei")
        for _ in range(4):
            heard(stack.enter_context(house.as_(NOBODY).stream()))
        assert closed_with(house.as_(NOBODY)) == 4013
        heard(stack.enter_context(wei.stream()))
        assert closed_with(wei) == 4013


def test_messages_count_against_the_address_also_if_they_cannot_be_read(house_path: Path) -> None:
    rates = Rates(person=(0, 0), address=(0.001, 6))
    with Served(house_path, rates=rates, clock=FakeClock()) as house, house.as_(NOBODY).stream() as opened:
        heard(opened)
        for _ in range(7):
            opened.send("{")
        codes = [heard(opened)["problem"]["code"] for _ in range(7)]
    assert codes == ["bad-input"] * 5 + ["too-many"] * 2


def test_an_ipv6_network_is_one_address(house_path: Path) -> None:
    with Served(house_path, rates=FEW) as house:
        callers = house.app.state.callers
        places = {callers.known(f"2001:db8::{number}", b"").place for number in range(1, 9)}
        assert len(places) == 1
        assert callers.known("2001:db8:0:1::1", b"").place not in places


# Coming back --------------------------------------------------------------------------------------------


def test_who_comes_back_is_served_from_one_look_at_the_log(
    house_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Served(house_path) as house:
        person = known(house, "Wei")
        for _ in range(30):
            person.does("cash-out", cents=100)
        hall, looks = house.hall, list[tuple[int, int]]()
        version = hall.engine.tables["one"].version
        read = hall.engine.store.read

        def counted(stream: str, *, after: int = 0, limit: int | None = None) -> list[Record]:
            looks.append((after, limit or 0))
            return read(stream, after=after, limit=limit)

        monkeypatch.setattr(hall.engine.store, "read", counted)

        async def all_come_back() -> list[Reader]:
            CALLER.set(Caller("somewhere"))
            readers = [Reader("", b"") for _ in range(50)]
            starts = [version - 20 + number % 10 for number in range(50)]
            await asyncio.gather(
                *(hall.join("one", one, at) for one, at in zip(readers, starts, strict=True))
            )
            return readers

        readers = house.do(all_come_back())
        assert len(looks) == 2, "the table as it was, and what came after"
        assert all(b'"view"' not in (text or "").encode() for one in readers for text in one.outbox)


def test_who_comes_back_gets_the_whole_view_if_too_many_ask(house_path: Path) -> None:
    with Served(house_path) as house:
        wei = known(house, "Wei")
        for _ in range(10):
            wei.does("cash-out", cents=100)
        hall = house.hall

        class Spent:
            def spend(self, _place: str, _seconds: float) -> None: ...
            def owes(self, _place: str) -> float:
                return 1_000.0

        async def comes_back() -> Reader:
            CALLER.set(Caller("somewhere", "stranger", Spent()))
            reader = Reader("", b"")
            await hall.join("one", reader, 5)
            return reader

        assert '"view"' in (house.do(comes_back()).outbox[0] or "")


# Copies -------------------------------------------------------------------------------------------------


def test_what_many_ask_for_is_made_once(house_path: Path) -> None:
    clock, made = FakeClock(), list[int]()

    def make() -> bytes:
        made.append(1)
        return b"x" * 2_000

    async def ask(house_copies: Copies, stamp: int, times: int) -> None:
        await asyncio.gather(*(house_copies.get("page", make, stamp) for _ in range(times)))

    with Served(house_path) as house:
        copies = Copies(clock, Workers("test"))
        house.do(ask(copies, 1, 30))
        house.do(ask(copies, 1, 30))
        assert len(made) == 1
        house.do(ask(copies, 2, 30))
        assert len(made) == 2
        clock.wait(OLD_SECONDS)
        house.do(ask(copies, 2, 30))
        assert len(made) == 3


def test_a_lobby_of_many_tables_is_made_once_for_all_strangers(house_path: Path) -> None:
    tables = [new_table(f"t{number}") for number in range(40)]
    with Served(house_path, *tables, clock=FakeClock(), pages=PAGES) as house:
        stranger, guest = house.as_(NOBODY), house.as_("guest")
        first = {path: stranger.get(path).text for path in ("/", "/tables", "/api/tables")}
        assert {path: stranger.get(path).text for path in first} == first
        assert all(f'data-id="t{number}"' in guest.get("/").text for number in range(40))
        assert len(first["/tables"].split('class="tcard')) == 41


# Connections --------------------------------------------------------------------------------------------


def test_health_is_answered_when_all_connections_are_taken(
    house_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Idle ones make room, whoever they are; sockets stay."""
    monkeypatch.setattr(server, "room", lambda: 20)
    with Served(house_path) as house, contextlib.ExitStack() as stack:
        heard(opened := stack.enter_context(house.as_(NOBODY).stream()))
        idle = [
            stack.enter_context(socket.create_connection(("127.0.0.1", house.port), timeout=GUARD))
            for _ in range(60)
        ]
        for _ in range(5):
            assert httpx.get(f"{house.url}/healthz", trust_env=False).status_code == 200
        assert idle[0].recv(1) == b"", "the oldest was closed"
        house.as_("dealer").post("/api/tables/one/call", {"note": ""})
        assert heard(opened)["changed"]


def test_connections_of_an_address_before_anything_is_asked(house_path: Path) -> None:
    rates = Rates(person=(0, 0), address=(0, 0), connections=5)
    with Served(house_path, rates=rates) as house, contextlib.ExitStack() as stack:
        idle = [
            stack.enter_context(socket.create_connection(("127.0.0.1", house.port), timeout=GUARD))
            for _ in range(8)
        ]
        assert [one.recv(1) for one in idle[:3]] == [b""] * 3
        assert httpx.get(f"{house.url}/healthz", trust_env=False).status_code == 200


def test_descriptors_are_kept_back() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    connections.room.cache_clear()
    assert (
        connections.room() == (1_000_000 if hard == resource.RLIM_INFINITY else hard) - connections.KEPT_BACK
    )
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == hard
    assert soft <= hard


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536])
def test_a_frame_that_is_made_for_many(size: int) -> None:
    text = "x" * size
    assert framed(text) == Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 500, 65_535])
def test_a_message_that_has_come_whole(size: int) -> None:
    text = "x" * size
    frame = Frame(Opcode.TEXT, text.encode()).serialize(mask=True)
    assert server.whole_message(frame) == text
    others = [
        frame[:-1],
        frame + b"x",
        Frame(Opcode.TEXT, text.encode()).serialize(mask=False),
        Frame(Opcode.TEXT, text.encode(), fin=False).serialize(mask=True),
        Frame(Opcode.BINARY, text.encode()).serialize(mask=True),
        Frame(Opcode.TEXT, b"\xff" * (size + 1)).serialize(mask=True),
    ]
    assert [server.whole_message(other) for other in others] == [None] * len(others)


def test_how_much_of_a_frame_is_yet_to_come() -> None:
    """Counted wherever the stream is cut, or not at all from there on."""
    frames = [Frame(Opcode.TEXT, b"x" * size).serialize(mask=True) for size in (0, 7, 125, 126, 700)]
    stream, ends = b"".join(frames), {sum(map(len, frames[:n])) for n in range(len(frames) + 1)}
    for cut in range(len(stream) + 1):
        lacks = server.lacking(stream[:cut], 0)
        assert (lacks == 0) == (cut in ends)
        assert lacks is None or server.lacking(stream[cut:], lacks) == 0
    fragment = Frame(Opcode.TEXT, b"x", fin=False).serialize(mask=True)
    assert server.lacking(fragment, 0) is None
    assert server.lacking(frames[0], None) is None
