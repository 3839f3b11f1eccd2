"""Connections before anything is asked over them: how many there may be, and which make room for others.

Descriptors are kept back for the store, and some connections for health probes: when there is no room, the
one that has waited longest without asking for anything ends, and a new one is served.
"""

from functools import cache
from typing import Protocol

try:
    import resource
except ModuleNotFoundError:  # only Unix has it
    resource = None  # type: ignore[assignment]

KEPT_BACK = 128  # descriptors for the store, for files and for whoever asks for health
LAST_ROOM = 32  # of these, connections that are taken when nobody else can make room
UNLIMITED = 1_000_000
WITHOUT_DESCRIPTORS = 10_000  # connections where the system does not count descriptors


class Droppable(Protocol):
    def drop(self) -> None: ...


@cache
def room() -> int:
    """How many connections this process may have: as many descriptors as it can get, less those kept back."""
    if resource is None:
        return WITHOUT_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return max((UNLIMITED if hard == resource.RLIM_INFINITY else hard) - KEPT_BACK, LAST_ROOM)


class Connections:
    """Those of one server; `most_of_one` are of one network, 0 for any number."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most, self._most_of_one = most, most_of_one
        self._network: dict[Droppable, str] = {}
        self._count: dict[str, int] = {}
        # Those that wait to be asked something, the oldest first: all of them, and by network.
        self._waiting: dict[Droppable, str] = {}
        self._waiting_of: dict[str, dict[Droppable, None]] = {}

    def __len__(self) -> int:
        return len(self._network)

    def add(self, connection: Droppable, network: str) -> bool:
        """Whether it may stay; another may end for it."""
        if self._most_of_one and self._count.get(network, 0) >= self._most_of_one:
            oldest = next(iter(self._waiting_of.get(network, ())), None)
            if oldest is None:
                return False
            self._drop(oldest)
        if len(self) >= self._most:
            oldest = next(iter(self._waiting), None)
            if oldest is not None:
                self._drop(oldest)
            elif len(self) >= self._most + LAST_ROOM:
                return False
        self._network[connection] = network
        self._count[network] = self._count.get(network, 0) + 1
        self.waits(connection)
        return True

    def waits(self, connection: Droppable) -> None:
        """It has been answered, and may be asked something again."""
        network = self._network.get(connection)
        if network is not None:
            self._waiting[connection] = network
            self._waiting_of.setdefault(network, {})[connection] = None

    def asks(self, connection: Droppable) -> None:
        """There is something to be answered, or it has become a socket: it stays."""
        network = self._waiting.pop(connection, None)
        if network is not None:
            of_network = self._waiting_of[network]
            del of_network[connection]
            if not of_network:
                del self._waiting_of[network]

    def remove(self, connection: Droppable) -> None:
        self.asks(connection)
        network = self._network.pop(connection, None)
        if network is not None:
            self._count[network] -= 1
            if not self._count[network]:
                del self._count[network]

    def _drop(self, connection: Droppable) -> None:
        self.remove(connection)
        connection.drop()
