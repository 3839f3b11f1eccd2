"""What the people who run a table ask over HTTP: what is due, a ruling, who deals, and walk-ins."""

import asyncio
from functools import partial
from typing import Annotated, cast

import msgspec
from litestar import Response, delete, get, patch, post
from litestar.params import FromPath, JSONBody, QueryParameter

from thirdcard.errors import BadInput
from thirdcard.play.tableau import LONGEST
from thirdcard.service.api import bodies
from thirdcard.service.api.access import AnyRequest, AtTable, TableVisit, needs, token_of
from thirdcard.service.api.asking import Accepted, Key, accepted, players_of
from thirdcard.service.api.bodies import takes
from thirdcard.service.api.people import SignedIn, signed_in
from thirdcard.service.api.problems import Wrong
from thirdcard.service.api.tables import carried_out
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.store.model import Account
from thirdcard.service.people.accounts import WrongPin
from thirdcard.service.people.credentials import WALK_IN, check_walk_in, taken
from thirdcard.service.people.roles import FLOOR, Person, allowed, rank_at
from thirdcard.service.queries.case import TypedRuling, typed_ruling
from thirdcard.service.queries.chips import Judged, OfChips, judged
from thirdcard.service.queries.desk import Desk, desk
from thirdcard.service.queries.replay import RoundStep, round_steps
from thirdcard.service.queries.wrong_card import WrongCard, wrong_card
from thirdcard.service.tables import duty, patrons, plans
from thirdcard.service.tables.away import KeptChips
from thirdcard.service.tables.draft import Plan
from thirdcard.service.tables.patrons import Patron
from thirdcard.table import commands
from thirdcard.table.events import PlayerJoined
from thirdcard.table.state import Inputs
from thirdcard.words import ENGLISH, Language
from thirdcard.words.saying import say

Lang = Annotated[Language, QueryParameter(max_length=16)]


@get("/tables/{table:str}/desk", opt=needs("staff"), summary="A table from behind: what is due, rulings worked out")  # fmt: skip
async def show_desk(
    at: AtTable, turns: Annotated[list[int] | None, QueryParameter(max_items=LONGEST)] = None
) -> Desk:
    """`turns` names cards that the dealer is to turn, though somebody may be handed them."""
    return desk(at.live, at.person, turns or ())


@get("/tables/{table:str}/record", opt=needs("staff"), summary="The round so far, told step by step")
async def show_record(at: AtTable, lang: Lang = ENGLISH) -> list[RoundStep]:
    reads_log = allowed(at.person.role, "read-log")
    return await round_steps(at.hall, at.live, at.live.table.rounds, lang, reads_log=reads_log)


class AskedRuling(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ruling; `order` names the cards in question by their places among them, from 0, not by value."""

    inputs: Inputs = msgspec.field(default_factory=Inputs)
    order: tuple[int, ...] = ()


@post("/tables/{table:str}/rule", opt=needs("staff"), status_code=200, **takes(AskedRuling), summary="Rule on an irregularity, cards by number")  # fmt: skip
async def rule(request: AnyRequest, at: AtTable, key: Key, data: JSONBody[AskedRuling]) -> Accepted:
    """Like the command `rule`, for who must not see the cards that the ruling is about."""
    asked = b"rule " + await request.body()
    plan = ruled(at.person, data)
    return accepted(await at.hall.ask(at.live.id, plan, at.person, key=key, asked=asked))


def ruled(person: Person, data: AskedRuling) -> Plan:
    """The ruling as a plan: cards are numbered from 1 at the table."""
    inputs = data.inputs
    if data.order:
        inputs = msgspec.structs.replace(inputs, order=tuple(place + 1 for place in data.order))
    return plans.by_person(person, commands.Rule(by=person.name, inputs=inputs))


@post("/tables/{table:str}/consequences", opt=needs("staff"), status_code=200, **takes(bodies.TypedInputs), summary="What a ruling would mean for each player")  # fmt: skip
async def show_consequences(at: AtTable, data: JSONBody[bodies.TypedInputs]) -> TypedRuling:
    """Of inputs that are being typed: nothing is changed."""
    state = at.live.table
    return typed_ruling(state, data.inputs, rank_at(at.person.role, state.rulebook) or "")


@post("/tables/{table:str}/wrong-card", opt=needs("staff"), status_code=200, **takes(bodies.TypedCards), summary="What other cards would change for each player")  # fmt: skip
async def show_wrong_card(at: AtTable, data: JSONBody[bodies.TypedCards]) -> WrongCard:
    """Of cards as they lie on the felt, which are being typed: nothing is changed."""
    state = at.live.table
    return wrong_card(state, tuple(data.cards), rank_at(at.person.role, state.rulebook) or "")


@post("/tables/{table:str}/chips", opt=needs("staff"), status_code=200, **takes(bodies.AskedChips), summary="What would be said to chips being recorded so")  # fmt: skip
async def show_chips(at: AtTable, data: JSONBody[bodies.AskedChips]) -> list[Judged]:
    """Of commands that are being typed, each by itself: whether, why not, how the box then plays. Nothing is changed."""
    return [
        judged(at.live, at.person, cast("OfChips", bodies.command_of(one, at.person.name)))
        for one in data.commands
    ]


@post("/tables/{table:str}/call", opt=needs("deal"), status_code=200, **takes(bodies.Call), summary="Call a supervisor to the table")  # fmt: skip
async def call(at: AtTable, data: JSONBody[bodies.Call]) -> Accepted:
    return await carried_out(at, plans.call_supervisor(data.note))


@post("/tables/{table:str}/call/answer", opt=needs("staff"), status_code=200, summary="A supervisor has come")
async def answer_call(at: AtTable) -> Accepted:
    return await carried_out(at, plans.supervisor_came())


# Who deals, hand-over and relief, and what is confirmed at a desk by PIN ------------------------------


FURTHEST = 86_400 * MICROSECONDS  # from now, that a relief is planned for


class StaffMember(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody of the floor: `title` is the rank at this table, `pin` whether one is set, `deals_at` a table."""

    name: str
    role: str
    title: str
    pin: bool
    deals_at: str


@get("/tables/{table:str}/staff", opt=needs("staff"), summary="Everybody of the floor: who may deal or confirm here")  # fmt: skip
async def show_staff(at: AtTable) -> list[StaffMember]:
    people, store, book = at.hall.people, at.hall.engine.store, at.live.table.rulebook
    titles = {rank.name: rank.title for rank in book.ranks}
    dealing = {live.duty.dealer: live.id for live in at.hall.tables().values()}

    def read() -> list[StaffMember]:
        return [
            StaffMember(
                name=account.name,
                role=account.role,
                title=titles.get(rank_at(account.role, book) or "", ""),
                pin=people.has_pin(account.name),
                deals_at=dealing.get(account.name, ""),
            )
            for account in store.accounts(FLOOR)
            if not account.disabled
        ]

    return await at.hall.engine.reading(read)


@post(
    "/tables/{table:str}/dealer",
    opt=needs("deal"),
    status_code=200,
    summary="Sign on: you deal at this table",
)
async def sign_on(at: AtTable) -> Accepted:
    """One person deals at a table, and at one table."""
    elsewhere = duty.deals_at(at.hall.tables().values(), at.person.name)
    if elsewhere is not None and elsewhere.id != at.live.id:
        raise Wrong(409, "on-duty", say("hand-over-first", id=elsewhere.id))
    return await carried_out(at, duty.sign_on(at.person))


@delete("/tables/{table:str}/dealer", opt=needs("deal"), status_code=200, summary="Sign off, or somebody else as a supervisor")  # fmt: skip
async def sign_off(at: AtTable) -> Accepted:
    """Between rounds; a supervisor whenever it has to be."""
    return await carried_out(at, duty.sign_off(at.person))


@post("/tables/{table:str}/hand-over", opt=needs("deal"), **takes(bodies.DutyHandOver), summary="Hand the table over to a dealer who gives a PIN")  # fmt: skip
async def hand_over(
    request: AnyRequest, at: AtTable, data: JSONBody[bodies.DutyHandOver]
) -> Response[SignedIn]:
    """Asked for by who is on duty, or a supervisor; not while a case is open.

    The desk goes on as `to`: the answer is that of signing in, and the session that asked is over. Only a dealer's
    session is begun by PIN: who may do more signs in by password.
    """
    hall, people = at.hall, at.hall.people
    account = await by_pin(request, at, data.to, data.pin)
    if account.role != "dealer":
        raise Wrong(403, "wrong-role", say("no-dealer", who=account.name))
    elsewhere = duty.deals_at(hall.tables().values(), account.name)
    if elsewhere is not None and elsewhere.id != at.live.id:
        raise Wrong(409, "on-duty", say("relieved-there-first", who=account.name, id=elsewhere.id))
    await carried_out(at, duty.hand_over(at.person, account.name, data.counted))
    token = await asyncio.to_thread(people.session_of_dealer, account)
    await asyncio.to_thread(people.sign_out, token_of(request))
    hall.end_readers(session=at.person.session)
    return signed_in(request, account, token)


@post("/tables/{table:str}/relief", opt=needs("staff"), status_code=200, **takes(bodies.Relief), summary="Plan when the dealer is relieved")  # fmt: skip
async def plan_relief(at: AtTable, data: JSONBody[bodies.Relief]) -> Accepted:
    now = at.hall.clock.wall()
    if data.at and not now <= data.at <= now + FURTHEST:
        raise BadInput(say("relief-within-a-day"))
    if data.dealer:
        account = await at.hall.engine.reading(at.hall.people.find, data.dealer)
        if account is None or account.disabled or account.role not in FLOOR:
            raise BadInput(say("nobody-of-floor", who=data.dealer))
    return await carried_out(at, duty.plan_relief(at.person, data.at, data.dealer))


@post("/tables/{table:str}/confirmed", opt=needs("staff"), status_code=200, **takes(bodies.Confirmed), summary="A command by somebody who gives a PIN at your desk")  # fmt: skip
async def confirmed(request: AnyRequest, at: AtTable, key: Key, data: JSONBody[bodies.Confirmed]) -> Accepted:
    """It is carried out as that person's, and on record that it was asked for here."""
    account = await by_pin(request, at, data.person, data.pin)
    person = Person(name=account.name, role=account.role)
    command = bodies.command_of(data.command, person.name)
    plan = duty.confirmed(plans.by_person(person, command), person, desk=at.person.name)
    # Without the PIN: what is kept of a request would tell who tries all PINs which it was.
    asked = b"confirmed " + msgspec.json.encode((at.person.name, command))
    players = players_of((command,))
    return accepted(await at.hall.ask(at.live.id, plan, person, key=key, asked=asked, players=players))


async def by_pin(request: AnyRequest, at: TableVisit, name: str, pin: str) -> Account:
    """Who gives a PIN at a desk: as often, and at the price, of signing in."""
    request.app.state.limiter.check("sign_in", f"desk {at.person.name}")
    async with request.app.state.hashing.for_caller():
        try:
            return await asyncio.to_thread(partial(at.hall.people.by_pin, name, pin, desk=at.person.name))
        except WrongPin as wrong:
            raise Wrong(403, "wrong-pin", wrong) from None


# Walk-ins: patrons without an account, whom staff seat, describe and see off --------------------------


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
    kept, least = KeptChips(), at.live.walk_ins + 1
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
        raise Wrong(404, "no-such-player", say("no-such-walk-in", who=name))
    await at.hall.describe(at.live.id, name, data.description, by=at.person.name)
    return Patron(name=name, description=data.description)


@delete("/tables/{table:str}/patrons/{name:str}", opt=needs("deal"), status_code=200, summary="A walk-in cashes all in and goes")  # fmt: skip
async def remove_patron(at: AtTable, name: FromPath[str]) -> Accepted:
    """Not with chips on the layout."""
    return await carried_out(at, patrons.see_off(at.person, name))
