"""Whose turn it is, whose threads and whose budget: counts and order, not speed."""

import asyncio
import threading
from collections import Counter
from functools import partial

import pytest

from service.houses import timed
from thirdcard.service import turns
from thirdcard.service.api.connections import LAST_ROOM, Connections
from thirdcard.service.turns import CALLER, Busy, Caller, Turnstile, WaitingLine, Workers

A, B = Caller("a"), Caller("b")
SEATED, STAFF = Caller("seated a", "seated"), Caller("staff Dee", "staff")


def _note(order: list[str], name: str, _: object) -> None:
    order.append(name)


@timed
async def test_one_from_each_place_in_turn_and_those_who_are_known_first() -> None:
    line, order = WaitingLine(10, 5), list[str]()
    callers = {"a1": A, "a2": A, "a3": A, "b1": B, "s": SEATED, "b2": B}
    for name, caller in callers.items():
        line.join(caller).add_done_callback(partial(_note, order, name))
    for _ in callers:
        assert line.next()
        await asyncio.sleep(0)
    assert order == ["s", "a1", "b1", "a2", "b2", "a3"]


@timed
async def test_a_line_is_full_for_strangers_of_one_place_then_for_all_and_never_for_others() -> None:
    line = WaitingLine(3, 2)
    for caller in (A, A, B):
        line.join(caller)
    for caller in (A, B, Caller("c")):
        with pytest.raises(Busy):
            line.join(caller)
    line.join(SEATED)
    line.join(None)
    assert len(line) == 5


@timed
async def test_who_gives_up_waiting_takes_nobodys_turn() -> None:
    line = WaitingLine(5, 5)
    gone, there = line.join(A), line.join(A)
    gone.cancel()
    assert line.next()
    assert there.done()
    assert not line.next()


@timed
async def test_a_stranger_for_each_turn_of_the_loop() -> None:
    """What everybody else does in between has as many turns as there are strangers."""
    turnstile, turns_, inside = Turnstile(), 0, list[int]()

    async def enters() -> None:
        await turnstile.enter(A)
        inside.append(turns_)

    entering = [asyncio.create_task(enters()) for _ in range(20)]
    while not all(task.done() for task in entering):
        await asyncio.sleep(0)
        turns_ += 1
    assert max(Counter(inside).values()) == 1
    await turnstile.enter(SEATED)  # at once


def as_(caller: Caller | None, workers: Workers, work: threading.Event) -> "asyncio.Task[bool]":
    async def do() -> bool:
        CALLER.set(caller)
        return await workers.do(lambda: work.wait(60))

    return asyncio.create_task(do())


@timed
async def test_strangers_never_have_the_threads_of_the_house() -> None:
    workers, never, now = Workers("test"), threading.Event(), threading.Event()
    now.set()
    held = [as_(Caller(f"network {number}"), workers, never) for number in range(40)]
    await asyncio.sleep(0)
    assert await as_(None, workers, now)
    assert await as_(STAFF, workers, now)
    seated = as_(SEATED, workers, now)
    assert not any(task.done() for task in held)
    never.set()
    assert await seated
    assert all(await asyncio.gather(*held))
    workers.shutdown()


@timed
async def test_the_turn_goes_on_when_whoever_has_it_is_gone() -> None:
    workers, wait, now = Workers("test"), threading.Event(), threading.Event()
    now.set()
    first, gone, last = (as_(A, workers, event) for event in (wait, now, now))
    await asyncio.sleep(0)
    gone.cancel()
    wait.set()
    assert await first
    assert await last
    workers.shutdown()


class Purse:
    """A budget that is used up after so many jobs."""

    def __init__(self, jobs: int) -> None:
        self.jobs, self.seconds = jobs, 0.0

    def spend(self, _place: str, seconds: float) -> None:
        self.jobs -= 1
        self.seconds += seconds

    def owes(self, _place: str) -> float:
        return 0.0 if self.jobs > 0 else turns.PATIENCE + 1


@timed
async def test_work_counts_and_ends_with_the_budget() -> None:
    workers, purse, now = Workers("test"), Purse(3), threading.Event()
    now.set()
    caller = Caller("a", "stranger", purse)
    found = await asyncio.gather(*(as_(caller, workers, now) for _ in range(5)), return_exceptions=True)
    assert [type(one) for one in found] == [bool, bool, bool, Busy, Busy]
    assert purse.seconds > 0
    assert await as_(B, workers, now)
    workers.shutdown()


@timed
async def test_strangers_in_debt_are_not_let_in_before_others_have_had_their_turn() -> None:
    turnstile, purse = Turnstile(), Purse(0)
    indebted = Caller("a", "stranger", purse)
    with pytest.raises(Busy):
        await turnstile.enter(indebted)
    for other in (B, Caller("seated a", "seated", purse), Caller("staff Dee", "staff", purse)):
        await turnstile.enter(other)
    purse.jobs = 1
    await turnstile.enter(indebted)


# Connections --------------------------------------------------------------------------------------------


class Wire:
    def __init__(self) -> None:
        self.dropped = False

    def drop(self) -> None:
        self.dropped = True


def added(room: Connections, network: str, *, asks: bool = False) -> Wire | None:
    wire = Wire()
    if not room.add(wire, network):
        return None
    if asks:
        room.asks(wire)
    return wire


def test_the_oldest_that_waits_makes_room_for_its_own_network() -> None:
    room = Connections(100, 3)
    first, second, third = (added(room, "a") for _ in range(3))
    other = added(room, "b")
    assert first
    assert second
    assert third
    assert other
    room.asks(first)
    room.waits(first)  # it was asked something just now
    assert added(room, "a")
    assert [wire.dropped for wire in (first, second, third, other)] == [False, True, False, False]
    assert len(room) == 4


def test_no_room_in_a_network_whose_connections_are_all_at_work() -> None:
    room = Connections(100, 2)
    assert added(room, "a", asks=True)
    busy = added(room, "a", asks=True)
    assert added(room, "a") is None
    assert busy
    room.remove(busy)
    assert added(room, "a")


def test_a_full_house_keeps_some_room_back() -> None:
    """Sockets stay; what waits makes room; at last there is room for a few more, and for nobody after them."""
    room = Connections(5, 0)
    waits = added(room, "a")
    for number in range(4):
        assert added(room, f"n{number}", asks=True)
    assert added(room, "probe", asks=True)
    assert waits
    assert waits.dropped
    for _ in range(LAST_ROOM):
        assert added(room, "probe", asks=True)
    assert added(room, "probe") is None


def test_nothing_is_kept_of_those_who_have_gone() -> None:
    room = Connections(10, 5)
    wires = [added(room, "a", asks=bool(number % 2)) for number in range(5)]
    for wire in wires:
        assert wire
        room.remove(wire)
        room.waits(wire)
    assert len(room) == 0
    assert vars(room) == vars(Connections(10, 5))
