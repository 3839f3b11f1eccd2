"""The stream of a table: the whole view, then every change, without gap or double, also after a lost connection."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from service.api.serving import GUARD, NOBODY, Asking, Served, heard
from service.houses import new_table
from thirdcard.service.tables import hall, plans, publish
from thirdcard.service.tables.publish import Reader

pytestmark = pytest.mark.server


class Watching:
    """Somebody who lays change over change, and insists that each follows from the one before."""

    def __init__(self) -> None:
        self.version = -1
        self.view: dict[str, Any] = {}
        self.you: dict[str, Any] = {}
        self.messages: list[dict[str, Any]] = []
        self.wholes = 0

    def take(self, message: dict[str, Any]) -> None:
        self.messages.append(message)
        if "view" in message:
            self.view, self.wholes = message["view"], self.wholes + 1
        else:
            assert message["from"] == self.version, "a gap or a double"
            assert message["version"] >= message["from"]
            assert message["version"] > message["from"] or not message["changed"], (
                "a change has a version of its own"
            )
            self.view = {**self.view, **message["changed"]}
        self.you = message.get("you", self.you)
        self.version = message["version"]

    def until(self, opened: ClientConnection, version: int) -> None:
        while self.version < version:
            self.take(heard(opened))

    def until_closed(self, opened: ClientConnection) -> int:
        """Everything that still comes, and the code that it is closed with."""
        try:
            while True:
                self.take(heard(opened))
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd is not None else 1006

    @property
    def whole(self) -> dict[str, Any]:
        return {**self.view, **self.you}


def seen_by(person: Asking, table: str = "one") -> dict[str, Any]:
    """What a fresh look shows."""
    told = person.get(f"/api/tables/{table}").json()
    return {**told["view"], **told["you"]}


@pytest.fixture
def house(house_path: Path) -> Iterator[Served]:
    with Served(house_path) as made:
        yield made


def version(served: Served) -> int:
    return served.live().version


def calls(served: Served, times: int) -> None:
    """So many changes."""

    async def call() -> None:
        for number in range(times):
            plan = (
                plans.supervisor_came()
                if served.live().called
                else plans.call_supervisor(f"{number} " + "x" * 150)
            )
            await served.hall.engine.ask("one", plan, actor="Dee")

    served.do(call())


def plays(served: Served, dealer: Asking, *players: Asking) -> None:
    """A round with bets, cards and a result, the shoe being there."""
    dealer.does("open")
    for box, player in enumerate(players, start=1):
        player.does("place", box=box, bet="banker" if box % 2 else "player", cents=10_000)
    dealer.does("close")
    for card in ("9C", "4D", "KH", "AS"):
        dealer.does("draw", card=card)
    while (answer := dealer.command("settle")).status_code != 200:
        assert answer.status_code == 422, answer.text
        for player in players:
            player.command("decline")
        dealer.command("draw", card="KD")
    assert served.live().table.phase == "settled"


# While it is open ---------------------------------------------------------------------------------------


def test_a_round_as_everybody_sees_it(house: Served) -> None:
    """Whoever lays change over change sees what somebody sees who has just come."""
    dealer, wei, mei = house.as_("dealer"), house.player("Wei", box=1), house.player("Mei", box=2)
    people = {
        "Wei": wei,
        "Mei": mei,
        "dealer": dealer,
        "nobody": house.as_(NOBODY),
        "guest": house.as_("guest"),
    }
    with contextlib.ExitStack() as stack:
        open_ = {name: stack.enter_context(person.stream()) for name, person in people.items()}
        watching = {name: Watching() for name in people}
        for name, opened in open_.items():
            watching[name].take(heard(opened))
            assert watching[name].whole == seen_by(people[name])
        dealer.does("new-shoe")
        for _ in range(3):
            plays(house, dealer, wei, mei)
        for name, opened in open_.items():
            watching[name].until(opened, version(house))
            assert watching[name].whole == seen_by(people[name])
            assert watching[name].wholes == 1
    assert watching["Wei"].view == watching["nobody"].view
    assert watching["nobody"].you == {}
    assert watching["nobody"].view["phase"] == "settled"
    assert any("said" in message for message in watching["nobody"].messages)


def test_changes_of_many_at_once(house: Served) -> None:
    """Bets by several people at the same time, with readers who come and go meanwhile."""
    dealer = house.as_("dealer")
    players = [house.player(name, box=box) for box, name in enumerate(("Wei", "Mei", "Anwar"), start=1)]
    dealer.does("new-shoe")
    dealer.does("open")

    def bet(player: Asking, box: int) -> None:
        for _ in range(30):
            player.does("place", box=box, bet="player", cents=1_000)

    threads = [
        threading.Thread(target=bet, args=(player, box)) for box, player in enumerate(players, start=1)
    ]
    steady, restless = Watching(), Watching()
    with house.as_(NOBODY).stream() as opened:
        steady.take(heard(opened))
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            with house.as_(NOBODY).stream(after=max(restless.version, 0) or None) as other:
                restless.take(heard(other))
                restless.take(heard(other)) if version(house) > restless.version else None
        for thread in threads:
            thread.join()
        steady.until(opened, version(house))
        with house.as_(NOBODY).stream(after=restless.version) as other:
            restless.take(heard(other))
            restless.until(other, version(house))
    assert steady.view == restless.view == seen_by(house.as_(NOBODY))
    assert sum(stake["cents"] for stake in steady.view["stakes"]) == 3 * 30 * 1_000
    assert restless.wholes == 1


def test_two_windows_of_one_person(house: Served) -> None:
    wei = house.player("Wei", box=1)
    with wei.stream() as first, wei.stream() as second, house.as_(NOBODY).stream() as other:
        one, two, three = Watching(), Watching(), Watching()
        for watching, opened in ((one, first), (two, second), (three, other)):
            watching.take(heard(opened))
        wei.does("cash-out", cents=1_000)
        calls(house, 4)
        for watching, opened in ((one, first), (two, second), (three, other)):
            watching.until(opened, version(house))
    assert one.messages == two.messages
    assert one.you["racks"] == {"Wei": 999_000}
    assert "racks" not in three.you


def test_signing_out_closes_the_sockets_of_that_session_only(house: Served) -> None:
    token = house.account("Wei", "player")
    here, there = Asking(house, token), Asking(house, house.sign_in("Wei"))
    with here.stream() as first, there.stream() as second:
        heard(first), heard(second)
        here.post("/api/sessions/current", method="DELETE")
        assert Watching().until_closed(first) == 4001
        calls(house, 1)
        assert heard(second)["changed"]


@pytest.mark.parametrize(("path", "code"), [("nowhere/stream", 4004), ("journal/stream", 4004)])
def test_tables_that_are_none(house: Served, path: str, code: int) -> None:
    with (
        house.as_(NOBODY).stream(path.removesuffix("/stream")) as opened,
        pytest.raises(ConnectionClosed) as closed,
    ):
        opened.recv(timeout=GUARD)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == code


@pytest.mark.parametrize("after", ["-1", "x", "1.5", str(10**30), "9" * 5000, "NaN"])
def test_versions_that_are_none(house: Served, after: str) -> None:
    """Refused before a word is said, as what is wrong with the question, not with the server."""
    path = f"one/stream?after={after}"
    headers = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    answer = httpx.get(f"{house.url}/api/tables/{path}", headers=headers, trust_env=False)
    assert answer.status_code in (400, 403)


def test_the_socket_is_no_page(house: Served) -> None:
    assert house.as_(NOBODY).get("/api/tables/one/stream").status_code in (404, 405, 426)


# After a lost connection --------------------------------------------------------------------------------


def test_going_on_from_memory(house: Served) -> None:
    """Somebody else watched meanwhile, so the changes are at hand."""
    watching = Watching()
    with house.as_(NOBODY).stream() as steady:
        heard(steady)
        with house.as_(NOBODY).stream() as opened:
            watching.take(heard(opened))
            calls(house, 5)
            watching.until(opened, version(house))
        calls(house, 100)
        with house.as_(NOBODY).stream(after=watching.version) as opened:
            watching.until(opened, version(house))
            watching.take(heard(opened))  # where it is now
    assert watching.wholes == 1
    assert watching.view == seen_by(house.as_(NOBODY))


def test_going_on_where_nothing_has_happened(house: Served) -> None:
    wei, watching = house.player("Wei", box=1), Watching()
    with wei.stream() as opened:
        watching.take(heard(opened))
    with wei.stream(after=watching.version) as opened:
        watching.take(heard(opened))
        calls(house, 1)
        watching.take(heard(opened))
    assert watching.wholes == 1
    assert watching.whole == seen_by(wei)


def test_going_on_from_the_log_after_a_restart(house_path: Path) -> None:
    watching = Watching()
    with Served(house_path) as house:
        dealer, wei = house.as_("dealer"), house.player("Wei", box=1)
        dealer.does("new-shoe")
        with wei.stream() as opened:
            watching.take(heard(opened))
            plays(house, dealer, wei)
            watching.until(opened, version(house))
        plays(house, dealer, wei)
        token = wei.token
    with Served(house_path) as house:
        wei = Asking(house, token)
        with wei.stream(after=watching.version) as opened:
            watching.until(opened, version(house))
            while "you" not in watching.messages[-1]:
                watching.take(heard(opened))
            calls(house, 3)
            watching.until(opened, version(house))
        assert watching.wholes == 1
        assert watching.whole == seen_by(wei)


def test_a_server_that_stops_says_so(house_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        with Served(house_path) as house:
            opened = stack.enter_context(house.as_(NOBODY).stream())
            heard(opened)
        assert Watching().until_closed(opened) == 1012


@pytest.mark.parametrize("after", [10**9, 0])
def test_a_version_that_cannot_be_gone_on_from(house: Served, after: int) -> None:
    calls(house, 3)
    with house.as_(NOBODY).stream(after=after) as opened:
        message = heard(opened)
    assert message["version"] == version(house)
    assert "view" in message


def test_a_version_of_too_long_ago(house: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall, "MOST_BEHIND", 10)
    watching = Watching()
    with house.as_(NOBODY).stream() as opened:
        watching.take(heard(opened))
    calls(house, 10)
    with house.as_(NOBODY).stream(after=watching.version) as opened:
        watching.until(opened, version(house))
    assert watching.wholes == 1
    before = version(house) - 11
    with house.as_(NOBODY).stream(after=before) as opened:
        assert "view" in heard(opened)


def test_going_on_at_every_version_of_a_round(house: Served) -> None:
    """From wherever: laid over what there was, the changes come to what there is."""
    dealer, wei = house.as_("dealer"), house.player("Wei", box=1)
    dealer.does("new-shoe")
    first = version(house)
    seen: dict[int, dict[str, Any]] = {}
    with wei.stream() as opened:
        watching = Watching()
        watching.take(heard(opened))
        plays(house, dealer, wei)
        while watching.version < version(house):
            seen[watching.version] = dict(watching.view)
            watching.take(heard(opened))
    for start, view in seen.items():
        assert start >= first
        again = Watching()
        again.version, again.view = start, view
        with wei.stream(after=start) as opened:
            while "you" not in (again.messages or [{}])[-1]:
                again.take(heard(opened))
        assert again.wholes == 0
        assert again.whole == seen_by(wei)


# Slow readers -------------------------------------------------------------------------------------------


def test_a_slow_reader_is_dropped_and_may_go_on(house: Served) -> None:
    house.listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # little fills it
    watching, steady = Watching(), Watching()
    narrow = socket.socket()
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    narrow.connect(("127.0.0.1", house.port))
    with house.as_(NOBODY).stream() as other:
        steady.take(heard(other))
        with house.as_(NOBODY).stream(sock=narrow, max_queue=1) as slow:
            watching.take(heard(slow))
            for _ in range(60):
                calls(house, 10)
                steady.until(other, version(house))
            assert steady.wholes == 1
            assert watching.until_closed(slow) == 4008
        assert watching.version < version(house)
        assert watching.wholes == 1
        while watching.version < version(house):
            with house.as_(NOBODY).stream(after=watching.version) as opened:
                watching.until(opened, version(house))
    assert watching.view == steady.view == seen_by(house.as_(NOBODY))


def test_who_has_much_to_catch_up_with_is_not_slow_for_that(house: Served) -> None:
    """More is waiting than a slow reader may have, because it was missed and not because it was not read."""
    start = version(house)
    calls(house, publish.MOST_WAITING + 50)
    reader = Reader("", b"")

    async def join() -> None:
        await house.hall.join("one", reader, start)

    house.do(join())
    calls(house, 20)
    assert reader.why == ""
    texts = reader.outbox[:]
    reader.outbox.clear()
    watching = Watching()
    watching.version = start
    for text in texts:
        watching.take(msgspec.json.decode(text or ""))
    assert watching.version == version(house)
    calls(house, 2 * publish.MOST_WAITING + 60)
    assert reader.why == "slow", "it reads no more"


def test_other_tables_do_not_disturb(house_path: Path) -> None:
    with (
        Served(house_path, new_table("one"), new_table("two")) as house,
        house.as_(NOBODY).stream("two") as opened,
    ):
        first = heard(opened)
        calls(house, 5)
        house.as_("dealer").post("/api/tables/two/call", {"note": "here"})
        message = heard(opened)
        assert (message["from"], message["version"]) == (first["version"], first["version"] + 1)
