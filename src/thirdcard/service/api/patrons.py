"""Walk-ins: patrons without an account, whom staff seat, describe and see off."""

import msgspec
from litestar import Router, delete, get, patch, post
from litestar.params import FromPath, JSONBody

from thirdcard.service.api import bodies
from thirdcard.service.api.access import AtTable, TableVisit, needs
from thirdcard.service.api.asking import Accepted, Key, accepted
from thirdcard.service.api.json_bodies import takes
from thirdcard.service.api.problems import Wrong
from thirdcard.service.api.tables import carried_out
from thirdcard.service.log.codec import event_of
from thirdcard.service.people.credentials import WALK_IN, check_walk_in, taken
from thirdcard.service.tables import patrons
from thirdcard.service.tables.away import Kept
from thirdcard.service.tables.patrons import Patron
from thirdcard.table.events import PlayerJoined
from thirdcard.words.saying import say


class SeatedPatron(msgspec.Struct, frozen=True, kw_only=True):
    """Under which name a walk-in is at the table."""

    name: str


@get("/tables/{table:str}/patrons", opt=needs("staff"), summary="The walk-ins at a table, as staff know them")
async def list_patrons(at: AtTable) -> list[Patron]:
    return await at.hall.engine.reading(patrons.described, at.hall.engine.store, at.live)


@post("/tables/{table:str}/patrons", opt=needs("deal"), **takes(bodies.NewPatron), summary="Bring a walk-in to the table: join, buy in and sit")  # fmt: skip
async def add_patron(at: AtTable, key: Key, data: JSONBody[bodies.NewPatron]) -> SeatedPatron:
    """At staffed tables. Everybody sees the name, staff alone the description, for 30 days."""
    hall, table = at.hall, at.live.id
    kept, least = Kept(), at.live.walk_ins + 1
    if data.name:
        if await hall.engine.reading(hall.people.find, check_walk_in(data.name)) is not None:
            raise taken(data.name)
        kept = await hall.kept(table, data.name)
    else:
        while await hall.engine.reading(hall.people.find, f"{WALK_IN}{least}") is not None:
            least += 1
    plan = patrons.bring(at.person, data.name, box=data.box, cents=data.cents, kept=kept, least=least)
    asked = b"patrons " + msgspec.json.encode((data.name, data.box, data.cents))
    done = accepted(await hall.ask(table, plan, at.person, key=key, asked=asked))
    name = data.name or await _joined(at, done)
    if data.description:
        await hall.describe(table, name, data.description, by=at.person.name)
    return SeatedPatron(name=name)


async def _joined(at: TableVisit, done: Accepted) -> str:
    """Who came by what was answered, also if it is answered again."""
    store, many = at.hall.engine.store, len(done.events)
    records = await at.hall.engine.reading(store.read, at.live.id, after=done.version - many, limit=many)
    events = map(event_of, records)
    return next(event.player for event in events if isinstance(event, PlayerJoined))


@patch("/tables/{table:str}/patrons/{name:str}", opt=needs("deal"), **takes(bodies.Described), summary="Describe a walk-in")  # fmt: skip
async def describe_patron(at: AtTable, name: FromPath[str], data: JSONBody[bodies.Described]) -> Patron:
    if not name.startswith(WALK_IN) or name not in at.live.table.players:
        raise Wrong(404, "no-such-player", say("no-walk-in-table", who=name))
    await at.hall.describe(at.live.id, name, data.description, by=at.person.name)
    return Patron(name=name, description=data.description)


@delete("/tables/{table:str}/patrons/{name:str}", opt=needs("deal"), status_code=200, summary="A walk-in cashes all in and goes")  # fmt: skip
async def remove_patron(at: AtTable, name: FromPath[str]) -> Accepted:
    """Not with chips on the layout."""
    return await carried_out(at, patrons.see_off(at.person, name))


ROUTES = [list_patrons, add_patron, describe_patron, remove_patron]
router = Router("", route_handlers=ROUTES, tags=["tables"])
