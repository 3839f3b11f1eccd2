"""What the people who run a table ask over HTTP: what is due, the round so far, a ruling, a call for the pit."""

from typing import Annotated

import msgspec
from litestar import Router, get, post
from litestar.params import JSONBody, QueryParameter

from thirdcard.play.tableau import LONGEST
from thirdcard.service.api import bodies
from thirdcard.service.api.access import AnyRequest, AtTable, needs
from thirdcard.service.api.asking import Accepted, Key, accepted
from thirdcard.service.api.json_bodies import takes
from thirdcard.service.api.tables import carried_out
from thirdcard.service.people.roles import Person, allowed, rank_at
from thirdcard.service.queries.case import TypedRuling, typed_ruling
from thirdcard.service.queries.desk import Desk, desk
from thirdcard.service.queries.replay import RoundStep, round_steps
from thirdcard.service.queries.wrong_card import WrongCard, wrong_card
from thirdcard.service.tables import plans
from thirdcard.service.tables.draft import Plan
from thirdcard.table import commands
from thirdcard.table.state import Inputs
from thirdcard.words import ENGLISH, Language

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


@post("/tables/{table:str}/call", opt=needs("deal"), status_code=200, **takes(bodies.Call), summary="Call a supervisor to the table")  # fmt: skip
async def call(at: AtTable, data: JSONBody[bodies.Call]) -> Accepted:
    return await carried_out(at, plans.call_supervisor(data.note))


@post("/tables/{table:str}/call/answer", opt=needs("staff"), status_code=200, summary="A supervisor has come")
async def answer_call(at: AtTable) -> Accepted:
    return await carried_out(at, plans.supervisor_came())


ROUTES = [show_desk, show_record, rule, show_consequences, show_wrong_card, call, answer_call]
router = Router("", route_handlers=ROUTES, tags=["tables"])
