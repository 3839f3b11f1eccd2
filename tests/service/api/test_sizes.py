"""Too large, too slow, too silent, too many: each is refused or closed, and nothing grows."""

import asyncio
import contextlib
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from service.api.serving import GUARD, NOBODY, Served, heard, is_problem, settles
from thirdcard.service.api import server
from thirdcard.service.api.bodies import MOST_BYTES
from thirdcard.service.tables import plans

pytestmark = pytest.mark.server

GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /api/guests HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that waits for nobody for long, so nothing is asked of it that should be answered."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server, "REQUEST_SECONDS", 0.5)
        patch.setattr(server, "PING_SECONDS", 0.3)
        patch.setattr(server, "IDLE_SECONDS", 1)
        patch.setattr(server, "TAKEN_SECONDS", 0.5)
        with Served(tmp_path_factory.mktemp("house") / "house.db") as house:
            house.listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # so that little fills it
            yield house


@contextlib.contextmanager
def raw(served: Served, sent: bytes = b"", *, window: int = 0) -> Iterator[socket.socket]:
    """A connection as it is; a small `window` fills soon if nothing is read."""
    with socket.socket() as made:
        if window:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        made.settimeout(GUARD)
        made.connect(("127.0.0.1", served.port))
        made.sendall(sent)
        yield made


def ends(connection: socket.socket) -> bytes:
    """What comes before the server closes; the guard of the socket ends what never does."""
    told = b""
    try:
        while chunk := connection.recv(65536):
            told += chunk
    except ConnectionError:
        pass
    return told


def fed(connection: socket.socket, chunk: bytes, *, every: float = 0.0, most: int = 64_000_000) -> int:
    """How much the server takes of something endless before it closes."""
    sent, until = 0, time.monotonic() + GUARD
    with contextlib.suppress(ConnectionError):
        while sent < most and time.monotonic() < until:
            connection.sendall(chunk)
            sent += len(chunk)
            if every:
                time.sleep(every)
    return sent


# Too large ----------------------------------------------------------------------------------------------


def test_a_body_that_is_too_large(served: Served) -> None:
    player = served.as_("player")
    fits = b" " * (MOST_BYTES - 20) + b'{"command": "join"}'
    assert player.post("/api/tables/one/commands", fits).status_code == 200
    before = served.versions()
    for size in (MOST_BYTES + 1, 300_000):
        answer = player.post("/api/tables/one/commands", b" " * size)
        assert is_problem(answer, 413), answer.text
    assert served.versions() == before


def test_a_body_whose_size_is_not_told(served: Served) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(200):
            yield b" " * 1000

    headers = {"Content-Type": "application/json", "Idempotency-Key": "pieces"}
    answer = served.as_("player").http.post("/api/tables/one/commands", content=pieces(), headers=headers)
    assert is_problem(answer, 413)


def test_a_body_that_breaks_off_is_nobodys_command(served: Served) -> None:
    """Also where what came of it could be read."""
    token = served.account("Off", "player")
    head = b"POST /api/tables/one/commands HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nIdempotency-Key: off\r\n"
    body = b'{"command": "join"}'
    size = b"Content-Length: %d\r\n\r\n" % (len(body) + 1)
    with raw(served, head + f"Authorization: Bearer {token}\r\n".encode() + size + body) as connection:
        served.as_("player").get("/api/me")  # meanwhile the server reads what has come
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(65536) == b""
    answer = served.as_(token).post("/api/tables/one/commands", body)
    assert answer.status_code == 200, "whoever has joined cannot join again"


def test_a_size_that_nobody_waits_for(served: Served) -> None:
    token = served.token("player").encode()
    head = b"POST /api/tables/one/sit-down HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nIdempotency-Key: x\r\n"
    with raw(
        served, head + b"Authorization: Bearer " + token + b"\r\nContent-Length: 1000000000000\r\n\r\n{"
    ) as connection:
        assert b" 413 " in connection.recv(65536).splitlines()[0]


@pytest.mark.parametrize("length", [b"-1", b"1e3", b"abc", b"0x10", b"99999999999999999999999", b"5, 6"])
def test_a_size_that_is_none(served: Served, length: bytes) -> None:
    with raw(served, POST + b"Content-Length: " + length + b"\r\n\r\n{}") as connection:
        assert b" 400 " in ends(connection).splitlines()[0]


def test_two_sizes_at_once(served: Served) -> None:
    """What two readers would end in different places is read by nobody."""
    for headers in (
        b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
        b"Transfer-Encoding: chunked, identity\r\n\r\n{}",
    ):
        with raw(served, POST + headers) as connection:
            assert b" 400 " in ends(connection).splitlines()[0]


ENDLESS: dict[str, tuple[bytes, bytes]] = {
    "many headers": (GET, b"X-Header: " + b"x" * 1000 + b"\r\n"),
    "one header": (GET + b"X-Header: ", b"x" * 10_000),
    "the name of a header": (GET, b"x" * 10_000),
    "the address": (b"GET /", b"x" * 10_000),
    "the method": (b"", b"X" * 10_000),
    "empty lines": (b"", b"\r\n" * 5_000),
    "trailers": (POST + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"X-Trailer: " + b"x" * 1000 + b"\r\n"),
    "an extension of a chunk": (POST + b"Transfer-Encoding: chunked\r\n\r\n1;x=", b"x" * 10_000),
    "chunks of a body": (POST + b"Transfer-Encoding: chunked\r\n\r\n", b"3e8\r\n" + b" " * 1000 + b"\r\n"),
    "headers of a second request": (GET + b"\r\n" + GET, b"X-Header: " + b"x" * 1000 + b"\r\n"),
    "empty lines after a request": (GET + b"\r\n", b"\r\n" * 5_000),
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_something_endless(served: Served, kind: str) -> None:
    start, again = ENDLESS[kind]
    with raw(served, start) as connection:
        assert fed(connection, again) < 20_000_000


def test_everything_endless_and_slow(hasty: Served) -> None:
    """However little comes at a time: a request has its time, and then the connection ends."""
    with contextlib.ExitStack() as stack:
        open_ = {kind: stack.enter_context(raw(hasty, start)) for kind, (start, _) in ENDLESS.items()}
        give_up = time.monotonic() + GUARD
        while open_:
            assert time.monotonic() < give_up, f"still fed: {sorted(open_)}"
            time.sleep(0.05)
            for kind, connection in list(open_.items()):
                try:
                    connection.sendall(b"1\r\n \r\n" if "chunks" in kind else ENDLESS[kind][1][:40])
                except ConnectionError:
                    del open_[kind]


# Too slow -----------------------------------------------------------------------------------------------

HALF = {
    "nothing": b"",
    "half a line": b"GET /hea",
    "half the headers": GET,
    "no body": POST + b"Content-Length: 100\r\n\r\n",
    "half a body": POST + b'Content-Length: 100\r\n\r\n{"x":',
    "half a chunk": POST + b"Transfer-Encoding: chunked\r\n\r\nff\r\nabc",
    "a body that was to be asked for": POST + b"Expect: 100-continue\r\nContent-Length: 100\r\n\r\n",
    "half a second request": GET + b"\r\n" + GET,
    "an empty line after a request": GET + b"\r\n\r\n",
    "a body that comes after its refusal": POST.replace(b"guests", b"sessions")
    + b"Content-Length: 300000\r\n\r\n"
    + b" " * 300_000,
    "half an upgrade": b"GET /api/tables/one/stream HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
}


def test_half_requests_are_closed(hasty: Served) -> None:
    with contextlib.ExitStack() as stack:
        open_ = {kind: stack.enter_context(raw(hasty, sent)) for kind, sent in HALF.items()}
        for connection in open_.values():
            ends(connection)


def test_the_limits_are_below_thirty_seconds() -> None:
    assert 0 < server.TAKEN_SECONDS <= 30
    assert 0 < server.IDLE_SECONDS <= 30
    assert 0 < 2 * server.PING_SECONDS <= 30
    assert 0 < server.REQUEST_SECONDS <= 30


def test_somebody_who_asks_and_never_reads(hasty: Served) -> None:
    """Answers that nobody takes do not stay: the connection ends."""
    many = (GET.replace(b"/healthz", b"/api/rules/mbs-tiger-v2") + b"\r\n") * 30
    with raw(hasty, many, window=2048):
        settles(lambda: stuck(hasty) == 1)
        settles(lambda: stuck(hasty) == 0)


def stuck(served: Served) -> int:
    """Connections that wait for the other side to read."""
    flows = [getattr(one, "flow", None) for one in list(served._server.server_state.connections)]  # noqa: SLF001
    return sum(flow is not None and flow.write_paused for flow in flows)


def connections(served: Served) -> int:
    return len(served._server.server_state.connections)  # noqa: SLF001 - what is left of people who have gone


# Sockets ------------------------------------------------------------------------------------------------

UPGRADE = (
    b"GET /api/tables/one/stream HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def readers(served: Served) -> int:
    return served.call(lambda: sum(len(channel.readers) for channel in served.hall.channels.values()))


def test_a_frame_that_is_too_large(served: Served) -> None:
    with served.as_(NOBODY).stream() as opened:
        heard(opened)
        opened.send("x" * (server.MOST_FRAME_BYTES + 1))
        with pytest.raises(ConnectionClosed) as closed:
            opened.recv(timeout=GUARD)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009
    settles(lambda: readers(served) == 0)


FRAMES = {
    "a size that nobody waits for": b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff" + b"\0" * 4,
    "not masked": b"\x81\x05hello",
    "an unknown kind": b"\x83\x80\0\0\0\0",
    "reserved bits": b"\xf1\x80\0\0\0\0",
    "text that is not UTF-8": b"\x81\x82\0\0\0\0\xff\xfe",
    "a ping that is too long": b"\x89\xfe\x01\x00\0\0\0\0" + b"x" * 256,
    "the middle of a message": b"\x80\x80\0\0\0\0",
}


@pytest.mark.parametrize("kind", FRAMES)
def test_frames_that_are_none(served: Served, kind: str) -> None:
    with raw(served, UPGRADE) as connection:
        assert b" 101 " in connection.recv(65536).splitlines()[0]
        connection.sendall(FRAMES[kind])
        ends(connection)
    settles(lambda: readers(served) == 0)


def test_a_message_without_end(served: Served) -> None:
    with raw(served, UPGRADE) as connection:
        connection.recv(65536)
        connection.sendall(b"\x01\x80\0\0\0\0")
        assert fed(connection, (b"\x00\xfe\x03\xe8\0\0\0\0" + b"x" * 1000) * 10) < 20_000_000
    settles(lambda: readers(served) == 0)


@pytest.mark.whole
def test_much_nonsense_over_the_socket_stops_nothing(served: Served) -> None:
    """Each of it is refused, and the table goes on being told."""
    with served.as_(NOBODY).stream(ping_interval=None) as opened:
        heard(opened)
        for _ in range(5_000):
            opened.send("hello")
        served.as_("dealer").post("/api/tables/one/call", {"note": "still there"})
        messages = [heard(opened) for _ in range(5_001)]
        told = [message for message in messages if "problem" not in message]
        assert [message["changed"]["house"]["called"] for message in told] == ["called"]
        served.as_("dealer").post("/api/tables/one/call/answer")


def test_a_silent_socket_is_dropped(hasty: Served) -> None:
    """It reads, but never answers a ping."""
    with raw(hasty, UPGRADE) as connection:
        told = ends(connection)
    assert b" 101 " in told.splitlines()[0]
    assert b"keepalive" in told
    settles(lambda: readers(hasty) == 0)


def shouted(served: Served, times: int) -> None:
    """So many changes, each of a few hundred bytes for every reader."""

    async def shout() -> None:
        for number in range(times):
            await served.hall.engine.ask("one", plans.call_supervisor(f"{number} " + "x" * 190), actor="Dee")
            await served.hall.engine.ask("one", plans.supervisor_came(), actor="Dee")

    served.do(shout())


def test_a_socket_that_is_never_read_is_dropped(hasty: Served) -> None:
    """Its buffers fill; the table goes on, and neither reader nor connection stays."""
    settles(lambda: connections(hasty) == 0)
    before = tasks(hasty)
    with raw(hasty, UPGRADE, window=2048):
        settles(lambda: readers(hasty) == 1)
        shouted(hasty, 100)
        settles(lambda: readers(hasty) == 0 and connections(hasty) == 0)
        settles(lambda: tasks(hasty) <= before)


def tasks(served: Served) -> int:
    return served.call(lambda: len(asyncio.all_tasks(served.loop)))


@pytest.mark.whole
def test_two_thousand_sockets_come_and_go(served: Served) -> None:
    """Some say goodbye, some just hang up, some before they were let in."""
    settles(lambda: readers(served) == 0)
    before, left = tasks(served), connections(served)
    for number in range(2_000):
        with socket.create_connection(("127.0.0.1", served.port), timeout=GUARD) as connection:
            connection.sendall(UPGRADE if number % 4 else UPGRADE[:-2])
            if number % 4 == 2:
                connection.recv(65536)
            if number % 4 == 3:
                connection.sendall(b"\x88\x80\0\0\0\0")
    settles(lambda: readers(served) == 0)
    settles(lambda: tasks(served) <= before)
    settles(lambda: connections(served) <= left)
    assert served.as_(NOBODY).get("/api/tables").status_code == 200


def test_too_many_windows_of_one_person(house_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thirdcard.service.api.stream.MOST_OF_ONE", 3)
    with Served(house_path) as house, contextlib.ExitStack() as stack:
        person = house.as_("player")
        for _ in range(3):
            heard(stack.enter_context(person.stream()))
        with person.stream() as fourth, pytest.raises(ConnectionClosed) as closed:
            fourth.recv(timeout=GUARD)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4013
        heard(stack.enter_context(house.as_("guest").stream()))
