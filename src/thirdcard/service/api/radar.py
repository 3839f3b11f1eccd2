"""Opening the radar of a table: with a reason, which the journal keeps.

Players go by seat code until a case is opened on one.
"""

from typing import Annotated

import msgspec
from litestar import post
from litestar.params import JSONBody

from thirdcard.service.api.access import AnyRequest, AtTable, needs
from thirdcard.service.api.bodies import Body, takes
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.log.floor_events import RADAR_CASE, RADAR_OPENED
from thirdcard.service.people.roles import Person
from thirdcard.service.tables.hall import Hall

OPEN_SECONDS = 30 * 60
MOST_OPEN = 1_000


class OpenRadar(Body, frozen=True, kw_only=True):
    """Why somebody looks; with a seat code a case is opened on who is there, and the page names them."""

    reason: Annotated[str, msgspec.Meta(min_length=3, max_length=500)]
    seat: Annotated[str, msgspec.Meta(max_length=16)] = ""


class RadarOpened(msgspec.Struct, frozen=True, kw_only=True):
    """Until when the page shows it to this person."""

    until: int


class Views:
    """Who may look at which table's radar for a while, and at whose name."""

    def __init__(self) -> None:
        self._until: dict[tuple[str, str], int] = {}
        self._cases: set[tuple[str, str, str]] = set()

    def open(self, hall: Hall, person: Person, table: str, seat: str) -> int:
        until = hall.clock.wall() + OPEN_SECONDS * MICROSECONDS
        while len(self._until) >= MOST_OPEN:
            del self._until[next(iter(self._until))]
        self._until[person.name, table] = until
        if seat:
            self._cases.add((person.name, table, seat))
        return until

    def may_see(self, hall: Hall, person: Person, table: str) -> bool:
        return self._until.get((person.name, table), 0) > hall.clock.wall()

    def cases(self, person: Person, table: str) -> set[str]:
        """The seat codes on which this person has opened a case."""
        return {seat for name, at, seat in self._cases if (name, at) == (person.name, table)}


def views_of(request: AnyRequest) -> Views:
    """Those of this server."""
    state = request.app.state
    if "radar_views" not in state:
        state.radar_views = Views()
    found: Views = state.radar_views
    return found


@post("/tables/{table:str}/radar", opt=needs("radar"), status_code=200, **takes(OpenRadar), summary="Open the radar of a table, with a reason")  # fmt: skip
async def open_radar(request: AnyRequest, at: AtTable, data: JSONBody[OpenRadar]) -> RadarOpened:
    """The journal has it before anything is shown."""
    facts: dict[str, str | int] = {"table": at.live.id, "by": at.person.name, "reason": data.reason}
    if data.seat:
        await at.hall.note(RADAR_CASE, facts | {"seat": data.seat})
    else:
        await at.hall.note(RADAR_OPENED, facts)
    return RadarOpened(until=views_of(request).open(at.hall, at.person, at.live.id, data.seat))
