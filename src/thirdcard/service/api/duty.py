"""Who deals at a staffed table, hand-over and relief, and what is confirmed at a desk by PIN."""

import asyncio
from functools import partial

import msgspec
from litestar import Response, Router, delete, get, post
from litestar.params import JSONBody

from thirdcard.errors import BadInput
from thirdcard.service.api import bodies
from thirdcard.service.api.access import AnyRequest, AtTable, TableVisit, needs, token_of
from thirdcard.service.api.asking import Accepted, Key, accepted, players_of
from thirdcard.service.api.json_bodies import takes
from thirdcard.service.api.people import SignedIn, signed_in
from thirdcard.service.api.problems import Wrong
from thirdcard.service.api.tables import carried_out
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.log.store.model import Account
from thirdcard.service.people.accounts import WrongPin
from thirdcard.service.people.roles import FLOOR, Person, rank_at
from thirdcard.service.tables import duty, plans
from thirdcard.words.saying import say

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
        raise Wrong(409, "on-duty", say("you-deal-hand-table", id=elsewhere.id))
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
    account = await _by_pin(request, at, data.to, data.pin)
    if account.role != "dealer":
        raise Wrong(403, "wrong-role", say("no-dealer-sign-password", who=account.name))
    elsewhere = duty.deals_at(hall.tables().values(), account.name)
    if elsewhere is not None and elsewhere.id != at.live.id:
        raise Wrong(409, "on-duty", say("deals-relieved-first", who=account.name, id=elsewhere.id))
    await carried_out(at, duty.hand_over(at.person, account.name, data.counted))
    token = await asyncio.to_thread(people.session_of_dealer, account)
    await asyncio.to_thread(people.sign_out, token_of(request))
    hall.end_readers(session=at.person.session)
    return signed_in(request, account, token)


@post("/tables/{table:str}/relief", opt=needs("staff"), status_code=200, **takes(bodies.Relief), summary="Plan when the dealer is relieved")  # fmt: skip
async def plan_relief(at: AtTable, data: JSONBody[bodies.Relief]) -> Accepted:
    now = at.hall.clock.wall()
    if data.at and not now <= data.at <= now + FURTHEST:
        raise BadInput(say("relief-planned-some-time"))
    if data.dealer:
        account = await at.hall.engine.reading(at.hall.people.find, data.dealer)
        if account is None or account.disabled or account.role not in FLOOR:
            raise BadInput(say("nobody-floor-called", who=data.dealer))
    return await carried_out(at, duty.plan_relief(at.person, data.at, data.dealer))


@post("/tables/{table:str}/confirmed", opt=needs("staff"), status_code=200, **takes(bodies.Confirmed), summary="A command by somebody who gives a PIN at your desk")  # fmt: skip
async def confirmed(request: AnyRequest, at: AtTable, key: Key, data: JSONBody[bodies.Confirmed]) -> Accepted:
    """It is carried out as that person's, and on record that it was asked for here."""
    account = await _by_pin(request, at, data.person, data.pin)
    person = Person(name=account.name, role=account.role)
    command = bodies.command_of(data.command, person.name)
    plan = duty.confirmed(plans.by_person(person, command), person, desk=at.person.name)
    # Without the PIN: what is kept of a request would tell who tries all PINs which it was.
    asked = b"confirmed " + msgspec.json.encode((at.person.name, command))
    players = players_of((command,))
    return accepted(await at.hall.ask(at.live.id, plan, person, key=key, asked=asked, players=players))


async def _by_pin(request: AnyRequest, at: TableVisit, name: str, pin: str) -> Account:
    """Who gives a PIN at a desk: as often, and at the price, of signing in."""
    request.app.state.limiter.check("sign_in", f"desk {at.person.name}")
    async with request.app.state.hashing.for_caller():
        try:
            return await asyncio.to_thread(partial(at.hall.people.by_pin, name, pin, desk=at.person.name))
        except WrongPin as wrong:
            raise Wrong(403, "wrong-pin", wrong) from None


ROUTES = [show_staff, sign_on, sign_off, hand_over, plan_relief, confirmed]
router = Router("", route_handlers=ROUTES, tags=["tables"])
