"""Whose turn it is: what the house does comes first, then people with a place here, then strangers by place.

Nobody can take what is kept back for those before: slow work for people has a thread of its own, and however
many ask from one place, another place waits for one of them at most.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any, Literal, NamedTuple, ParamSpec, Protocol, TypeVar, cast

from thirdcard.words.saying import say

P = ParamSpec("P")
T = TypeVar("T")
Standing = Literal["stranger", "seated", "staff"]
MOST_AT_GATE, MOST_OF_ONE_AT_GATE = 4_000, 400  # requests of strangers that wait to be let in
MOST_WAITING, MOST_OF_ONE = 128, 16  # for one thread: in all, and from one place
BETWEEN_SECONDS = 0.002  # two strangers
HOUSE_THREADS = 2
PATIENCE = 4.0  # seconds that somebody waits for what they have used up


class Busy(Exception):  # noqa: N818 - not a fault
    """Too many wait already."""

    def __init__(self) -> None:
        super().__init__(say("too-busy"))


class Budget(Protocol):
    """Processor time, by place."""

    def spend(self, place: str, seconds: float) -> None: ...
    def owes(self, place: str) -> float: ...


class Caller:
    """Whoever asks for something; `place` is whose budget it comes from."""

    __slots__ = ("_budget", "place", "standing")

    def __init__(self, place: str, standing: Standing = "stranger", budget: Budget | None = None) -> None:
        self.place, self.standing, self._budget = place, standing, budget

    def spend(self, seconds: float) -> None:
        """Count processor time that was used for them."""
        if self._budget is not None:
            self._budget.spend(self.place, seconds)

    def owes(self) -> float:
        """Seconds until they may have more of it."""
        return self._budget.owes(self.place) if self._budget is not None else 0.0


CALLER: ContextVar[Caller | None] = ContextVar("caller", default=None)  # None is the house itself


class WaitingLine:
    """Those who wait: people with a place here first, then one from each place in turn."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most, self._most_of_one = most, most_of_one
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._first: deque[asyncio.Future[None]] = deque()
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def join(self, caller: Caller | None) -> asyncio.Future[None]:
        """Done when it is their turn; Busy if the line is too long for a stranger."""
        mine = asyncio.get_running_loop().create_future()
        if caller is None or caller.standing != "stranger":
            self._first.append(mine)
        else:
            queue = self._waiting.get(caller.place, ())
            if self._count >= self._most or len(queue) >= self._most_of_one:
                raise Busy
            self._waiting.setdefault(caller.place, deque()).append(mine)
        self._count += 1
        return mine

    def next(self) -> bool:
        """Give the next their turn; False if nobody waits."""
        while self._count:
            mine = self._take()
            self._count -= 1
            if not mine.done():
                mine.set_result(None)
                return True
        return False

    def _take(self) -> asyncio.Future[None]:
        if self._first:
            return self._first.popleft()
        place = next(iter(self._waiting))
        queue = self._waiting.pop(place)
        mine = queue.popleft()
        if queue:
            self._waiting[place] = queue  # behind all other places
        return mine


async def with_means(
    caller: Caller, next_turn: Callable[[Caller], Awaitable[None]], pass_on: Callable[[], None] = lambda: None
) -> None:
    """Wait for a turn; whoever has used up what there is for them waits for more first.

    A turn that comes when they have just used it up is passed on.
    """
    waited = 0.0
    while True:
        while wait := caller.owes():
            waited += wait
            if waited > PATIENCE:
                raise Busy
            await asyncio.sleep(wait)
        await next_turn(caller)
        if not caller.owes():
            return
        pass_on()


class Turnstile:
    """Lets strangers in one by one, with time between them that the event loop has for others."""

    def __init__(self) -> None:
        self._line = WaitingLine(MOST_AT_GATE, MOST_OF_ONE_AT_GATE)
        self._turning = False

    async def enter(self, caller: Caller) -> None:
        if caller.standing == "stranger":
            await with_means(caller, self._next_turn)

    async def _next_turn(self, caller: Caller) -> None:
        mine = self._line.join(caller)
        if not self._turning:
            self._turning = True
            asyncio.get_running_loop().call_soon(self._turn)
        await mine

    def _turn(self) -> None:
        self._turning = self._line.next()
        if self._turning:
            asyncio.get_running_loop().call_later(BETWEEN_SECONDS, self._turn)


class Places:
    """Places for work that takes memory: so many for all, and one that is kept for staff."""

    def __init__(self, shared: int) -> None:
        self._shared, self._kept = asyncio.Semaphore(shared), asyncio.Semaphore(1)

    def for_caller(self, *, staff: bool = False) -> asyncio.Semaphore:
        """To be entered by whoever asks; `staff` if they are known to be, though not signed in yet."""
        caller = CALLER.get()
        return self._kept if staff or (caller is not None and caller.standing == "staff") else self._shared


class Done(NamedTuple):
    """What came of a piece of work, and the processor time that it took."""

    value: Any
    error: Exception | None
    seconds: float


class Workers:
    """Threads for slow work: some for the house and its staff, one that all others share in turn.

    What somebody has done for them counts as their own work; `aside` has a process beside this one do it.
    """

    def __init__(
        self, name: str, *, house: int = HOUSE_THREADS, aside: Callable[..., Done] | None = None
    ) -> None:
        self._aside = aside or done
        self._house = ThreadPoolExecutor(house, thread_name_prefix=name)
        self._shared = ThreadPoolExecutor(1, thread_name_prefix=f"{name}-shared")
        self._line = WaitingLine(MOST_WAITING, MOST_OF_ONE)
        self._at_work = False

    async def do(self, work: Callable[[], T]) -> T:
        seconds: list[float] = []
        return await self._do(lambda: _timed(work, seconds), seconds)

    async def apart(self, work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        """Work that needs nothing but its arguments, in turn like all other, by the process beside."""
        seconds: list[float] = []

        def asked() -> T:
            told = self._aside(work, *args, **named)
            seconds.append(told.seconds)
            if told.error is not None:
                raise told.error
            return cast("T", told.value)

        return await self._do(asked, seconds)

    async def _do(self, work: Callable[[], T], seconds: list[float]) -> T:
        caller = CALLER.get()
        loop = asyncio.get_running_loop()
        if caller is None or caller.standing == "staff":
            return await loop.run_in_executor(self._house, work)
        await with_means(caller, self._next_turn, self._pass_on)
        try:
            return await loop.run_in_executor(self._shared, work)
        finally:
            caller.spend(sum(seconds))
            self._pass_on()

    def _pass_on(self) -> None:
        self._at_work = self._line.next()

    async def _next_turn(self, caller: Caller) -> None:
        if not self._at_work:
            self._at_work = True
            return
        mine = self._line.join(caller)
        try:
            await mine
        except asyncio.CancelledError:
            if not mine.cancelled():  # it was their turn just now
                self._pass_on()
            raise

    def shutdown(self) -> None:
        self._house.shutdown()
        self._shared.shutdown()


def done(work: Callable[..., object], *args: object, **named: object) -> Done:
    """Do it here, in this thread."""
    value, error, begin = None, None, time.thread_time()
    try:
        value = work(*args, **named)
    except Exception as raised:  # noqa: BLE001 - whoever asked gets it
        error = raised
    return Done(value, error, time.thread_time() - begin)


def _timed(work: Callable[[], T], seconds: list[float]) -> T:
    begin = time.thread_time()
    try:
        return work()
    finally:
        seconds.append(time.thread_time() - begin)
