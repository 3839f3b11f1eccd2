"""Tables over HTTP: what they look like, what is asked of them, and what happened at them."""

from typing import Annotated, Any

import msgspec
from litestar import Request, Router, get, post
from litestar.params import FromPath, HeaderParameter, JSONBody, QueryParameter

from thirdcard.errors import BadInput
from thirdcard.service.api import bodies
from thirdcard.service.api.access import ANYBODY, hall_of, need_person, needs, person_of
from thirdcard.service.api.problems import Wrong, refused
from thirdcard.service.api.strict import takes
from thirdcard.service.log.floor_events import Pace, ShoeRevealed
from thirdcard.service.log.store.model import Record
from thirdcard.service.people.roles import Person, allowed, rank_at
from thirdcard.service.tables import plans
from thirdcard.service.tables.engine import Answer, Plan
from thirdcard.service.tables.hall import TABLE_ID, Hall, NewTable
from thirdcard.service.tables.live import Live, Promise, RoundRecord, covered, hides, table_events
from thirdcard.service.tables.plans import barred, with_rank
from thirdcard.service.tables.publish import House, Message, TimerView, house
from thirdcard.service.tables.sealed_shoes import check
from thirdcard.table import legal
from thirdcard.table.legal import Option
from thirdcard.table.setup import Limit
from thirdcard.table.statements import PlayerStatement, TableStatement, player_statements, table_statement

AnyRequest = Request[Any, Any, Any]
Key = Annotated[
    str, HeaderParameter(name="Idempotency-Key", min_length=1, max_length=64, pattern=r"^[!-~]+$")
]
Few = Annotated[int, QueryParameter(ge=1, le=200)]
Number = Annotated[int, QueryParameter(ge=0, le=2**53)]
Before = Annotated[int | None, QueryParameter(ge=0, le=2**53)]


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """It is done and durable; `version` is that of the table's log after it, `events` what happened."""

    version: int
    events: tuple[str, ...]


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A table in the lobby."""

    house: House
    rulebook: str
    layout: str
    positions: int
    limits: dict[str, Limit]
    differential: int | None
    phase: str
    round: int
    shoe: int | None
    cards_left: int | None
    seats: dict[int, str]
    results: str
    held_up: str
    timer: TimerView | None
    version: int


class Offer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A command that would be accepted.

    Its `cents` may be any amount up to `most` in steps of `step`; the fields of `free` are to be filled in.
    """

    command: dict[str, Any]
    most: int | None = None
    step: int | None = None
    free: tuple[str, ...] = ()


class Shoe(msgspec.Struct, frozen=True, kw_only=True):
    """What was promised of a shoe, and what came of it; `salt` and `cards` once it is finished."""

    number: int
    commitment: str
    finished: bool
    salt: str | None
    cards: str | None
    fits: bool | None


def table_of(hall: Hall, table: str) -> Live:
    live = hall.table(table)
    if live is None:
        raise Wrong(404, "no-such-table", f"there is no table {table!r}")
    return live


def told(answer: Answer) -> Accepted:
    """The answer as it goes out; a refusal ends the request with its problem."""
    if answer.refusal is not None:
        raise refused(answer.refusal)
    return Accepted(version=answer.version, events=answer.events)


def summary(hall: Hall, live: Live, person: Person | None = None) -> Summary:
    state = live.table
    staff = person is not None and allowed(person.role, "staff")
    channel = hall.channels[live.id]
    setup = state.setup
    pending = state.round.pending if state.round is not None else None
    return Summary(
        house=house(live, len(channel.readers), to_staff=staff),
        rulebook=setup.rulebook,
        layout=setup.layout,
        positions=setup.positions,
        limits={bet: setup.limit(bet) for bet in setup.bets},
        differential=setup.differential,
        phase=state.phase,
        round=state.rounds,
        shoe=state.shoe.number if state.shoe else None,
        cards_left=state.shoe.left if state.shoe else None,
        seats=state.seats,
        results="".join(result.winner[0].upper() for result in state.results),
        held_up=pending.case if pending is not None else "",
        timer=channel.timer(),
        version=live.version,
    )


@get("/tables", opt=ANYBODY, summary="All tables, as a lobby shows them")
async def list_tables(request: AnyRequest) -> list[Summary]:
    hall = hall_of(request)
    person = await person_of(request)
    return [summary(hall, live, person) for live in hall.tables().values()]


@post("/tables", opt=needs("create-table"), **takes(NewTable), summary="A new table")
async def create_table(request: AnyRequest, data: JSONBody[NewTable]) -> Accepted:
    person = await need_person(request)
    return told(await hall_of(request).create(data, by=person.name))


@get("/tables/{table:str}", opt=ANYBODY, summary="A table as you see it now")
async def show_table(request: AnyRequest, table: FromPath[str]) -> Message:
    hall = hall_of(request)
    table_of(hall, table)
    channel = hall.channels[table]
    person = await person_of(request)
    if person is not None:
        hall.sign_of_life(table)
    return channel.whole(person.name if person else "")


@get("/tables/{table:str}/summary", opt=ANYBODY, summary="A table as a lobby shows it")
async def show_summary(request: AnyRequest, table: FromPath[str]) -> Summary:
    hall = hall_of(request)
    return summary(hall, table_of(hall, table), await person_of(request))


@get("/tables/{table:str}/legal", opt=needs(None), summary="What you may do at a table now")
async def show_legal(
    request: AnyRequest,
    table: FromPath[str],
    player: Annotated[str, QueryParameter(max_length=64)] = "",
) -> list[Offer]:
    """Staff name the `player` whose chips they mean to handle; without one chips are left out."""
    person = await need_person(request)
    live = table_of(hall_of(request), table)
    rank = rank_at(person.role, live.table.setup.rulebook)
    state = live.table if rank is None else with_rank(live.table, person.name, rank)
    options = legal(state, person.name, chips_of=(player,) if player in state.players else ())
    return [_offer(option) for option in options if barred(live, person, option.command) is None]


# What the table fills in as an example, to be said by who asks: which cards are to come is nobody's business.
EXAMPLES = {
    "draw": ("card",),
    "expose": ("names",),
    "amend": ("cards",),
    "correct": ("cards",),
    "report": ("drawn", "shown", "names", "cards"),
    "rule": ("inputs",),
}


def _offer(option: Option) -> Offer:
    """Without cards: those are for the dealer to fill in."""
    command = msgspec.to_builtins(option.command)
    left_out = [name for name in EXAMPLES.get(command["command"], ()) if command.pop(name, None)]
    free = tuple(dict.fromkeys((*option.free, *left_out)))
    return Offer(command=command, most=option.most, step=option.step, free=free)


@post("/tables/{table:str}/commands", opt=needs(None), status_code=200, **takes(bodies.AskedCommand), summary="Ask something of a table")  # fmt: skip
async def command(
    request: AnyRequest, table: FromPath[str], key: Key, data: JSONBody[bodies.AskedCommand]
) -> Accepted:
    """Done once however often it is asked with the same key; 422 with code, sentence and paragraphs if refused."""
    person = await need_person(request)
    hall = hall_of(request)
    table_of(hall, table)
    plan = plans.by_person(person, bodies.command_of(data, person.name))
    return told(await hall.ask(table, plan, person, key=key, asked=await request.body()))


@post("/tables/{table:str}/sit-down", opt=needs("play"), status_code=200, **takes(bodies.SitDown), summary="Join with play money and take a seat")  # fmt: skip
async def sit_down(
    request: AnyRequest, table: FromPath[str], key: Key, data: JSONBody[bodies.SitDown]
) -> Accepted:
    person = await need_person(request)
    hall = hall_of(request)
    table_of(hall, table)
    plan = plans.sit_down(person, data.box, data.cents)
    return told(await hall.ask(table, plan, person, key=key, asked=b"sit-down " + await request.body()))


async def _house(request: AnyRequest, table: str, plan: Plan) -> Accepted:
    person = await need_person(request)
    hall = hall_of(request)
    table_of(hall, table)
    return told(await hall.ask(table, plan, person))


@post("/tables/{table:str}/close", opt=needs("close-table"), status_code=200, summary="Open no further round")
async def close_table(request: AnyRequest, table: FromPath[str]) -> Accepted:
    return await _house(request, table, plans.close_table())


@post(
    "/tables/{table:str}/open", opt=needs("open-table"), status_code=200, summary="Let rounds be opened again"
)
async def open_table(request: AnyRequest, table: FromPath[str]) -> Accepted:
    return await _house(request, table, plans.reopen_table())


@post("/tables/{table:str}/pace", opt=needs("change-pace"), status_code=200, **takes(Pace), summary="How long people have for what")  # fmt: skip
async def change_pace(request: AnyRequest, table: FromPath[str], data: JSONBody[Pace]) -> Accepted:
    return await _house(request, table, plans.change_pace(data))


@post("/tables/{table:str}/call", opt=needs("deal"), status_code=200, **takes(bodies.Call), summary="Call a supervisor to the table")  # fmt: skip
async def call(request: AnyRequest, table: FromPath[str], data: JSONBody[bodies.Call]) -> Accepted:
    return await _house(request, table, plans.call_supervisor(data.note))


@post("/tables/{table:str}/call/answer", opt=needs("staff"), status_code=200, summary="A supervisor has come")
async def answer_call(request: AnyRequest, table: FromPath[str]) -> Accepted:
    return await _house(request, table, plans.supervisor_came())


# What happened ------------------------------------------------------------------------------------------


@get("/tables/{table:str}/rounds", opt=ANYBODY, summary="Finished rounds, the latest first")
async def list_rounds(
    request: AnyRequest, table: FromPath[str], before: Before = None, limit: Few = 100
) -> list[RoundRecord]:
    hall = hall_of(request)
    table_of(hall, table)
    rows = await hall.engine.reading(hall.engine.store.rounds, table, before=before, limit=limit)
    return [msgspec.json.decode(row.body, type=RoundRecord) for row in rows]


@get("/tables/{table:str}/rounds/{number:int}", opt=ANYBODY, summary="One finished round")
async def show_round(request: AnyRequest, table: FromPath[str], number: FromPath[int]) -> RoundRecord:
    hall = hall_of(request)
    table_of(hall, table)
    if not 0 < number < 2**53:
        raise Wrong(404, "no-such-round", "rounds are numbered from 1")
    row = await hall.engine.reading(hall.engine.store.round, table, number)
    if row is None:
        raise Wrong(404, "no-such-round", f"{table} has no finished round {number}")
    return msgspec.json.decode(row.body, type=RoundRecord)


class OwnRounds(msgspec.Struct, frozen=True, kw_only=True):
    """One's own rounds; `next` is what to ask `after` for those before them."""

    rounds: list[RoundRecord]
    next: str | None


@get("/me/rounds", opt=needs("play"), summary="Your own rounds at all tables, the latest first")
async def own_rounds(
    request: AnyRequest, after: Annotated[str, QueryParameter(max_length=100)] = "", limit: Few = 100
) -> OwnRounds:
    person = await need_person(request)
    store = hall_of(request).engine.store
    rows = await hall_of(request).engine.reading(
        store.rounds_of, person.name, before=_place(after), limit=limit
    )
    found = [msgspec.json.decode(row.body, type=RoundRecord) for _, row in rows]
    last = rows[-1] if len(rows) == limit else None
    return OwnRounds(rounds=found, next=f"{last[1].at}.{last[0]}.{last[1].number}" if last else None)


def _place(text: str) -> tuple[int, str, int] | None:
    if not text:
        return None
    try:
        at, table, number = text.split(".")
        place = int(at), table, int(number)
    except ValueError:
        raise BadInput("`after` is what an answer gave as `next`") from None
    if not (0 <= place[0] < 2**63 and 0 <= place[2] < 2**63 and TABLE_ID.fullmatch(table)):
        raise BadInput("`after` is what an answer gave as `next`")
    return place


@get("/tables/{table:str}/statement", opt=needs("read-statements"), summary="The table's own account")
async def show_table_statement(request: AnyRequest, table: FromPath[str]) -> TableStatement:
    hall = hall_of(request)
    table_of(hall, table)
    return await hall.engine.reading(lambda: table_statement(table_events(hall.engine.store.read(table))))  # type: ignore[no-any-return]


@get("/tables/{table:str}/statements/{player:str}", opt=needs(None), summary="A player's statement")
async def show_statement(request: AnyRequest, table: FromPath[str], player: FromPath[str]) -> PlayerStatement:
    """Your own; staff with the right to it read anybody's."""
    person = await need_person(request)
    if player != person.name and not allowed(person.role, "read-statements"):
        raise Wrong(403, "not-yours", "a statement is its player's own business")
    hall = hall_of(request)
    table_of(hall, table)
    made = await hall.engine.reading(lambda: player_statements(table_events(hall.engine.store.read(table))))
    if player not in made:
        raise Wrong(404, "no-such-player", f"{player} has moved no money at {table}")
    return made[player]  # type: ignore[no-any-return]


@get("/tables/{table:str}/shoes", opt=ANYBODY, summary="What was promised of each shoe, the latest first")
async def list_shoes(request: AnyRequest, table: FromPath[str]) -> list[Shoe]:
    """Salt and order are told shoe by shoe."""
    live = table_of(hall_of(request), table)
    return [_shoe(promise) for promise in reversed(live.promises)]


@get(
    "/tables/{table:str}/shoes/{number:int}",
    opt=ANYBODY,
    summary="A shoe's promise, and its order once it is finished",
)
async def show_shoe(request: AnyRequest, table: FromPath[str], number: FromPath[int]) -> Shoe:
    hall = hall_of(request)
    live = table_of(hall, table)
    promise = next((one for one in live.promises if one.shoe == number), None)
    if promise is None:
        raise Wrong(404, "no-such-shoe", f"{table} has no sealed shoe {number}")
    if not promise.revealed:
        return _shoe(promise)
    after = promise.revealed - 1
    (stored,) = await hall.engine.reading(hall.engine.store.read, table, after=after, limit=1)
    return _shoe(promise, msgspec.json.decode(stored.body, type=ShoeRevealed))


def _shoe(promise: Promise, opened: ShoeRevealed | None = None) -> Shoe:
    return Shoe(
        number=promise.shoe,
        commitment=promise.commitment,
        finished=bool(promise.revealed),
        salt=opened.salt if opened else None,
        cards=opened.cards if opened else None,
        fits=check(promise.commitment, opened.salt, opened.cards) if opened else None,
    )


class LogLine(msgspec.Struct, frozen=True, kw_only=True):
    """A record of a log; `event` is what was stored."""

    version: int
    at: int
    by: str
    name: str
    round: int
    flag: str
    hash: str
    event: msgspec.Raw


@get("/tables/{table:str}/log", opt=needs("read-log"), summary="A table's log")
async def show_log(
    request: AnyRequest, table: FromPath[str], after: Number = 0, limit: Few = 200
) -> list[LogLine]:
    """Face-down cards of the round being played are left out, as everywhere."""
    hall = hall_of(request)
    live = table_of(hall, table)
    records = await hall.engine.reading(hall.engine.store.read, table, after=after, limit=limit)
    return [
        LogLine(
            version=stored.version,
            at=stored.at,
            by=stored.by,
            name=stored.name,
            round=stored.round,
            flag=stored.flag,
            hash="" if covered(live, stored.round) else stored.hash.hex(),
            event=msgspec.Raw(_uncovered(live, stored)),
        )
        for stored in records
    ]


def _uncovered(live: Live | None, stored: Record) -> bytes:
    """An event's body without cards that nobody has seen yet."""
    if live is None or not covered(live, stored.round):
        return stored.body
    plain = msgspec.json.decode(stored.body)
    for name in hides(stored.name):
        plain.pop(name, None)
    return msgspec.json.encode(plain)


class Significant(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the significant-event log."""

    sequence: int
    stream: str
    version: int
    at: int
    by: str
    kind: str
    round: int
    event: msgspec.Raw


@get(
    "/significant-events",
    opt=needs("read-significant"),
    summary="The significant-event log, the latest first",
)
async def list_significant(request: AnyRequest, before: Before = None, limit: Few = 100) -> list[Significant]:
    hall = hall_of(request)
    found = await hall.engine.reading(hall.engine.store.significant, before=before, limit=limit)
    return [
        Significant(
            sequence=sequence,
            stream=stored.stream,
            version=stored.version,
            at=stored.at,
            by=stored.by,
            kind=stored.flag,
            round=stored.round,
            event=msgspec.Raw(_uncovered(hall.table(stored.stream), stored)),
        )
        for sequence, stored in found
    ]


ROUTES = [
    list_tables, create_table, show_table, show_summary, show_legal, command, sit_down, close_table, open_table,
    change_pace, call, answer_call, list_rounds, show_round, own_rounds, show_table_statement, show_statement,
    list_shoes, show_shoe, show_log, list_significant,
]  # fmt: skip
router = Router("", route_handlers=ROUTES, tags=["tables"])
