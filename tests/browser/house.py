"""A house to look at: a real server with its pages, where time is up when a test says so and cards are known.

Bets stay open, results stay up and offers stand until `ends`; cards come at once. So no test depends on speed.
"""

import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec

from service.api.serving import Served
from thirdcard.cards import Card, parse_cards
from thirdcard.service.log.floor_events import Pace, ShoeSealed
from thirdcard.service.tables import sealed_shoes
from thirdcard.service.tables.away import ABSENT_ROUNDS
from thirdcard.service.tables.hall import FIRST_TABLES, NewTable
from thirdcard.table.ledger import rack
from thirdcard.web.site import PAGES

GUARD = 300.0  # seconds; for a test that is stuck, whatever the machine
MS = 600_000  # for everything that people have time for; longer than the tests of a module take
PACE = Pace(betting=MS, insurance=MS, adjusting=MS, choice=MS, squeeze=MS, result=MS, card=1, shuffle=1)


def table(name: str, *, pace: Pace = PACE, **changed: Any) -> NewTable:  # noqa: ANN401
    """One of the tables that a house opens with, its set-up changed, at the tests' pace."""
    first = next(one for one in FIRST_TABLES if one.id == name)
    setup = msgspec.structs.replace(first.setup, **changed)
    return msgspec.structs.replace(first, setup=setup, pace=pace)


TABLES = tuple(table(one.id) for one in FIRST_TABLES)


HELD: list[
    socket.socket
] = []  # each holds a port, so that houses of this process have it one after the other
IN_USE: set[socket.socket] = set()


def hold() -> socket.socket:
    """A port for houses only; a browser that knows their pages by it need not read them anew."""
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    held.bind(("127.0.0.1", 0))
    HELD.append(held)
    return held


class House(Served):
    """A server with every page; `again` is one that stopped, whose port this one takes over."""

    def __init__(
        self, path: Path, *tables: NewTable, again: "House | None" = None, absent_rounds: int = ABSENT_ROUNDS
    ) -> None:
        create = socket.create_server
        held = again.held if again else next((one for one in HELD if one not in IN_USE), None) or hold()
        IN_USE.add(held)
        self.held: socket.socket = held
        address = held.getsockname()
        with mock.patch("socket.create_server", lambda _, **given: create(address, reuse_port=True, **given)):
            super().__init__(path, *(tables or TABLES), pages=PAGES, absent_rounds=absent_rounds)

    def stop(self) -> None:
        if self._thread.is_alive():
            super().stop()
            IN_USE.discard(self.held)

    def waits(self, table: str) -> str:
        """What people have time for now, if for anything."""
        timer = self.live(table).timer
        return timer.name if timer else ""

    def ends(self, wait: str, table: str) -> None:
        """Let the time be up that people have at a table for betting, insurance and so on, once it runs."""
        until(lambda: self.call(lambda: self.hall.end_wait(table, wait)))

    def cut(self, viewer: str, table: str) -> None:
        """Close the sockets of somebody at a table, as a bad line would."""

        def end() -> None:
            for reader in [one for one in self.hall.channels[table].readers if one.viewer == viewer]:
                reader.end("slow")

        self.call(end)

    def rack(self, table: str, player: str) -> int:
        """What the postings in the store add up to."""
        entries = self.hall.engine.store.entries(table)
        return sum(one.cents for one in entries if one.account == rack(player))


Opens = Callable[..., House]  # of a test's own: tables, then `cards` and `again` by name


def until(holds: Callable[[], object]) -> None:
    """Come back when it holds."""
    late = time.monotonic() + GUARD
    while not holds():
        assert time.monotonic() < late, "it never comes to that"
        time.sleep(0.01)


ORDER = sealed_shoes.order
DEALT: dict[str, tuple[Card, ...]] = {}  # what new shoes of a table begin with
PLANTED: dict[str, tuple[Card, ...]] = {}  # orders of shoes by what was promised, for whoever deals on later


def as_planted(salt: bytes, table: str, sealed: ShoeSealed) -> tuple[Card, ...]:
    if table in DEALT and sealed.commitment not in PLANTED:
        first = DEALT[table]
        left = Counter(dict.fromkeys(Card, sealed.decks))
        left.subtract(first)
        assert min(left.values()) >= 0, "more of a card than the decks hold"
        PLANTED[sealed.commitment] = (*first, *left.elements())
    return PLANTED.get(sealed.commitment) or ORDER(salt, table, sealed)


sealed_shoes.order = as_planted


@contextmanager
def dealt(cards: str, *tables: str) -> Iterator[None]:
    """New shoes of these tables begin with these cards, in the order drawn; the rest of the decks follows."""
    assert tables, "cards are planted at a table"
    with mock.patch.dict(DEALT, dict.fromkeys(tables, parse_cards(cards))):
        yield
