"""How many seats one may have at once over all tables, so that nobody takes a house's seats alone.

Each player has so many, and all guests of one address together: anybody can be another guest.
"""

import contextlib
from collections import Counter
from collections.abc import Iterator

from thirdcard.service.addresses import network_of
from thirdcard.service.api.access import Connection
from thirdcard.service.api.problems import Wrong
from thirdcard.service.people.roles import Person
from thirdcard.service.tables.hall import Hall
from thirdcard.words.saying import say


class Seats:
    """Knows who sat down at this process, and on whose account; `most` of 0 is no limit."""

    def __init__(self, hall: Hall, most: int) -> None:
        self._hall, self._most = hall, most
        self._whose: dict[str, str] = {}  # by who has a seat, or has asked for one
        self._asked = Counter[str]()  # seats that are being asked for

    @contextlib.contextmanager
    def asked_for(self, table: str, person: Person, connection: Connection) -> Iterator[None]:
        """For the time that a seat is asked for; ends the request if there are as many as there may be.

        Who has a seat at the table changes it.
        """
        moves = person.name in self._hall.engine.tables[table].table.seats.values()
        if not self._most or moves:
            yield
            return
        host = connection.client.host if connection.client else ""
        whose = f"guests:{network_of(host)}" if person.role == "guest" else person.name
        if self._taken(whose) + self._asked[whose] >= self._most:
            who = say("guests-of-one-address" if person.role == "guest" else "players")
            raise Wrong(429, "too-many", say("most-seats-once-leave", who=who, most=self._most))
        self._whose[person.name] = whose
        self._asked[whose] += 1
        try:
            yield
        finally:
            self._asked[whose] -= 1
            if not self._asked[whose]:
                del self._asked[whose]

    def _taken(self, whose: str) -> int:
        """Seats on one account; who has none any more, and asks for none, is forgotten."""
        seated = Counter(who for live in self._hall.tables().values() for who in live.table.seats.values())
        self._whose = {
            who: account for who, account in self._whose.items() if who in seated or account in self._asked
        }
        return sum(count for who, count in seated.items() if self._whose.get(who, who) == whose)
