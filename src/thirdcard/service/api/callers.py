"""Who calls, as far as memory tells: enough to let somebody go first, never to let anybody in."""

from collections.abc import Mapping
from typing import Any

from thirdcard.service.addresses import network_of
from thirdcard.service.api.gate import Limiter, token_in
from thirdcard.service.people.roles import STAFF, Person
from thirdcard.service.people.sessions import token_hash
from thirdcard.service.tables.hall import Hall
from thirdcard.service.turns import Caller

MOST_MET = 20_000


class Callers:
    """Strangers share the budget of their network; who sits at a table shares another, and staff have their own."""

    def __init__(self, hall: Hall, limiter: Limiter, *, secure: bool) -> None:
        self._hall, self._limiter, self._secure = hall, limiter, secure
        self._met: dict[bytes, Person] = {}  # by session
        self._seated: set[str] = set()
        self._looked = -1  # how much had been decided by then

    def met(self, person: Person) -> None:
        """Somebody has shown who they are."""
        self._met.pop(person.session, None)
        self._met[person.session] = person
        if len(self._met) > MOST_MET:
            del self._met[next(iter(self._met))]

    def of(self, scope: Mapping[str, Any]) -> Caller:
        client = scope.get("client")
        token = token_in(scope, secure=self._secure)
        return self.known(client[0] if client else "", token_hash(token) if token else b"")

    def known(self, address: str, session: bytes) -> Caller:
        """Whoever has that session, at that address."""
        network = network_of(address)
        person = self._met.get(session)
        if person is not None and person.role in STAFF:
            return Caller(f"staff {person.name}", "staff", self._limiter)
        if person is not None and self._sits(person.name):
            return Caller(f"seated {network}", "seated", self._limiter)
        return Caller(network, "stranger", self._limiter)

    def _sits(self, name: str) -> bool:
        """Looked up again for those who sat nowhere, once anything has happened; who stands up may be late."""
        decided = self._hall.engine.decided
        if name not in self._seated and self._looked != decided:
            tables = self._hall.tables().values()
            self._seated = {name for live in tables for name in live.table.seats.values()}
            self._looked = decided
        return name in self._seated
