"""Who asks, and whether that role may: every route names what it needs."""

from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency, Provide
from litestar.handlers.base import BaseRouteHandler
from litestar.params import FromPath, PathParameter, SkipValidation

from thirdcard.service.api.gate import header, token_in
from thirdcard.service.api.problems import Wrong
from thirdcard.service.people.roles import ROLES, Permission, Person, allowed
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import Live
from thirdcard.words.saying import say

Connection = ASGIConnection[Any, Any, Any, Any]
LARGEST_NUMBER = 2**53  # what an address may number, which every store and every script can hold
Numbered = Annotated[int, PathParameter(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)]
AnyRequest = Request[Any, Any, Any]


def hall_of(connection: Connection) -> Hall:
    hall: Hall = connection.app.state.hall
    return hall


def token_of(connection: Connection) -> str:
    return token_in(connection.scope, secure=connection.app.state.secure)


async def person_of(connection: Connection, *, active: bool = True) -> Person | None:
    """Whoever is signed in; looked up once for a request."""
    state: dict[str, Any] = connection.scope.setdefault("state", {})
    if "person" not in state:
        state["person"] = await look_up(connection, active=active)
    found: Person | None = state["person"]
    return found


async def look_up(connection: Connection, *, active: bool = True) -> Person | None:
    """Whose the connection's session is now."""
    token = token_of(connection)
    if not token:
        return None
    hall = hall_of(connection)
    session = hall.people.session_of(token)
    account = hall.people.held(session, active=active)
    if account is None:
        account = await hall.engine.reading(hall.people.who, token, active=active)
    if account is None:
        return None
    person = Person(name=account.name, role=account.role, session=session)
    connection.app.state.callers.met(person)
    return person


async def need_person(connection: Connection) -> Person:
    return known(await person_of(connection))


def known(person: Person | None) -> Person:
    if person is None:
        raise Wrong(401, "sign-in-first", say("sign-in-first"))
    return person


def table_of(hall: Hall, table: str, person: Person | None = None) -> Live:
    """The table of that name; one that somebody trains at is there for that person, trainers and auditors."""
    live = hall.table(table)
    if live is None or not may_visit(live, person):
        raise Wrong(404, "no-such-table", say("no-table", table=table))
    return live


def may_visit(live: Live, person: Person | None) -> bool:
    """Whether the table is there for somebody at all."""
    if live.practice is None:
        return True
    if person is None:
        return False
    looks_on = allowed(person.role, "read-log") or allowed(person.role, "train")
    return person.name == live.practice.trainee or looks_on


# What handlers ask for ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Visit:
    """Who asks, if anybody is signed in, and the hall that is asked."""

    hall: Hall
    viewer: Person | None

    @property
    def person(self) -> Person:
        """Whoever is signed in; a route that needs somebody has made sure that there is one."""
        return known(self.viewer)


@dataclass(frozen=True, slots=True)
class TableVisit(Visit):
    """The same at a table that there is."""

    live: Live


async def visit(request: AnyRequest) -> Visit:
    return Visit(hall_of(request), await person_of(request))


async def table_visit(request: AnyRequest, table: FromPath[str]) -> TableVisit:
    hall = hall_of(request)
    person = await person_of(request)
    return TableVisit(hall, person, table_of(hall, table, person))


# A handler takes one of the two, by these names: `asking: Asking` or `at: AtTable`.
Asking: TypeAlias = SkipValidation[NamedDependency[Visit]]
AtTable: TypeAlias = SkipValidation[NamedDependency[TableVisit]]
DEPENDENCIES = {"asking": Provide(visit), "at": Provide(table_visit)}


# Who may ------------------------------------------------------------------------------------------------


def needs(permission: Permission | None) -> dict[str, Any]:
    """What a route declares: anybody who is signed in, or roles with a permission."""
    return {"needs": permission or "person"}


async def guard(connection: Connection, handler: BaseRouteHandler) -> None:
    """Ends what the declared need does not allow. A route that declares nothing is open to nobody."""
    await check(connection, handler.opt.get("needs"), body="data" in handler.parsed_fn_signature.parameters)


async def check(connection: Connection, needed: str | None, *, body: bool) -> None:
    """The same for a route that needs that, with a `body` or without."""
    if body:
        _only_json(connection)
    if needed is None:
        raise Wrong(403, "not-declared", say("nobody-may-do-that"))
    if needed == "anybody":
        await person_of(connection)
        return
    person = await need_person(connection)
    limiter = connection.app.state.limiter
    limiter.check("person", person.name)
    if needed != "person" and not allowed(person.role, needed):  # type: ignore[arg-type]  # one of its names
        role = person.role.replace("-", " ")
        raise Wrong(403, "wrong-role", say("wrong-role", text="an" if role[0] in "aeiou" else "a", role=role))


def _only_json(connection: Connection) -> None:
    """What a page of another site can send without being asked first, a form or plain text, is not read."""
    kind, _, rest = header(connection.scope, b"content-type").partition(";")
    if kind.strip().lower() != "application/json" or rest.strip().lower() not in ("", "charset=utf-8"):
        raise Wrong(415, "not-json", say("body-must-be-json"))


def declared(handler: BaseRouteHandler) -> frozenset[str]:
    """The roles that a route is open to; `anybody` stands for people who are not signed in."""
    needed = handler.opt.get("needs")
    if needed == "anybody":
        return frozenset({*ROLES, "anybody"})
    if needed == "person":
        return frozenset(ROLES)
    return frozenset(role for role in ROLES if needed is not None and allowed(role, needed))


ANYBODY: dict[str, Any] = {"needs": "anybody"}
