"""Coming in: guests, accounts and sessions."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import msgspec
from litestar import Response, delete, get, patch, post, put
from litestar.datastructures import Cookie
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, JSONBody

from thirdcard.errors import BadInput
from thirdcard.service.addresses import network_of
from thirdcard.service.api import bodies
from thirdcard.service.api.access import ANYBODY, AnyRequest, Asking, Visit, needs, token_of
from thirdcard.service.api.bodies import takes
from thirdcard.service.api.gate import HOST_COOKIE, cookie_name
from thirdcard.service.api.problems import Wrong
from thirdcard.service.log.store.model import Account
from thirdcard.service.people.accounts import CodeNeeded, CodesFirst, Denied, NewCodes, People
from thirdcard.service.people.guesses import DEVICE_DAYS
from thirdcard.service.people.roles import FLOOR, PERMISSIONS, STAFF, allowed
from thirdcard.service.tables.duty import deals_at, take_off
from thirdcard.service.tables.hall import Hall
from thirdcard.words.saying import say

T = TypeVar("T")
NOTHING = {204: ResponseSpec(None, generate_examples=False, description="It is done")}
DEVICE = "-device"  # the cookie by which a browser is known again
COOKIE_SECONDS = 7 * 24 * 3600  # the session itself ends sooner


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """Who you are and what you may do; nobody has no name."""

    name: str
    role: str
    permissions: tuple[str, ...]


class SignedIn(msgspec.Struct, frozen=True, kw_only=True):
    """`token` is for programs; browsers have it as a cookie that scripts cannot read."""

    name: str
    role: str
    token: str


class WithCodes(SignedIn, frozen=True, kw_only=True):
    """Signed in anew, with the recovery codes that are told only here: each works once in place of a code."""

    recovery: tuple[str, ...]


class Codes(msgspec.Struct, frozen=True, kw_only=True):
    """Whether one-time codes are asked for, whether the house asks its staff for them, and recovery codes left."""

    on: bool
    required: bool
    recovery: int


class AccountView(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    role: str
    created: int
    disabled: bool
    locked: bool
    codes: bool
    pin: bool
    deals_at: str


class OwnPin(msgspec.Struct, frozen=True, kw_only=True):
    """Whether there is a PIN that works: none, and one that is locked, has to be set."""

    set: bool


def origin_of(request: AnyRequest) -> str:
    return request.client.host if request.client else ""


def _cookie(request: AnyRequest, token: str, seconds: int = COOKIE_SECONDS, kind: str = "") -> Cookie:
    """Only over TLS, but for people on the server's own machine."""
    key = cookie_name(request.scope, secure=request.app.state.secure) + kind
    return Cookie(
        key=key,
        value=token,
        path="/",
        httponly=True,
        samesite="strict",
        secure=key.startswith(HOST_COOKIE),
        max_age=seconds,
    )


def signed_in(request: AnyRequest, account: Account, token: str, device: str = "") -> Response[SignedIn]:
    made = SignedIn(name=account.name, role=account.role, token=token)
    return Response(made, status_code=201, cookies=_cookies(request, token, device))


def _cookies(request: AnyRequest, token: str, device: str) -> list[Cookie]:
    known = [_cookie(request, device, DEVICE_DAYS * 86_400, DEVICE)] if device else []
    return [_cookie(request, token), *known]


@get("/me", opt=ANYBODY, summary="Who you are")
async def me(asking: Asking) -> Me:
    person = asking.viewer
    if person is None:
        return Me(name="", role="", permissions=())
    granted = tuple(name for name in PERMISSIONS if allowed(person.role, name))
    return Me(name=person.name, role=person.role, permissions=granted)


@post("/guests", opt=ANYBODY, summary="Come in as a guest, with a name that is made up for you")
async def guest(request: AnyRequest, asking: Asking) -> Response[SignedIn]:
    request.app.state.limiter.check("guests", network_of(origin_of(request)))
    account, token = await asyncio.to_thread(asking.hall.people.guest)
    return signed_in(request, account, token)


@post("/sessions", opt=ANYBODY, **takes(bodies.SignIn), summary="Sign in")
async def sign_in(request: AnyRequest, asking: Asking, data: JSONBody[bodies.SignIn]) -> Response[SignedIn]:
    """Three failures in a row bar an address from an account for 30 minutes.

    A browser that has signed in by it before is told by a cookie, and counted by itself. Whatever is wrong, the
    answer is the same. Who has one-time codes and gives none is answered `code-needed`: ask again with `code`.
    """
    request.app.state.limiter.check("sign_in", network_of(origin_of(request)))
    people = asking.hall.people
    cookie = cookie_name(request.scope, secure=request.app.state.secure) + DEVICE
    device = request.cookies.get(cookie, "")  # given to it when somebody signed in by it
    at_home = await asking.hall.engine.reading(people.is_of_staff, data.name, device)
    async with request.app.state.hashing.for_caller(staff=at_home):
        try:
            token = await asyncio.to_thread(
                people.sign_in,
                data.name,
                data.password,
                origin=origin_of(request),
                device=device,
                code=data.code,
            )
        except Denied as denied:
            raise _denied(denied) from None
    account = await _just_let_in(people, token)
    return signed_in(request, account, token, people.device(account))


async def _just_let_in(people: People, token: str) -> Account:
    account = await asyncio.to_thread(people.who, token)
    if account is None:
        raise Wrong(401, "denied", say("account-closed-just-now"))
    return account


def _denied(denied: Denied, status: int = 401) -> Wrong:
    match denied:
        case CodeNeeded():
            return Wrong(status, "code-needed", denied)
        case CodesFirst():
            return Wrong(status, "codes-first", denied)
        case _:
            return Wrong(status, "denied", denied)


@delete("/sessions/current", opt=needs(None), responses=NOTHING, summary="Sign out")
async def sign_out(request: AnyRequest, asking: Asking) -> Response[None]:
    await asyncio.to_thread(asking.hall.people.sign_out, token_of(request))
    asking.hall.end_readers(session=asking.person.session)
    return Response(None, status_code=204, cookies=[_cookie(request, "", 0)])


@delete("/sessions", opt=needs(None), responses=NOTHING, summary="Sign out everywhere")
async def sign_out_everywhere(request: AnyRequest, asking: Asking) -> Response[None]:
    await asyncio.to_thread(asking.hall.people.sign_out_everywhere, asking.person.name)
    asking.hall.end_readers(viewer=asking.person.name)
    return Response(None, status_code=204, cookies=[_cookie(request, "", 0)])


@put("/me/password", opt=needs(None), status_code=204, **takes(bodies.ChangePassword), summary="Change your password")  # fmt: skip
async def change_password(request: AnyRequest, asking: Asking, data: JSONBody[bodies.ChangePassword]) -> None:
    name, people = asking.person.name, asking.hall.people
    work = partial(people.change_password, name, data.old, data.new, origin=origin_of(request))
    await _proving(request, work, 403)
    asking.hall.end_readers(viewer=name)


# One-time codes -----------------------------------------------------------------------------------------


@get("/me/codes", opt=needs(None), summary="Whether you have one-time codes")
async def show_codes(asking: Asking) -> Codes:
    hall, person = asking.hall, asking.person
    factor = await hall.engine.reading(hall.people.codes, person.name)
    required = hall.people.staff_codes and person.role in STAFF
    return Codes(on=factor is not None, required=required, recovery=len(factor.recovery) if factor else 0)


@post("/codes", opt=ANYBODY, **takes(bodies.Credentials), summary="Begin with one-time codes: a secret for your device")  # fmt: skip
async def begin_codes(request: AnyRequest, asking: Asking, data: JSONBody[bodies.Credentials]) -> NewCodes:
    """By name and password, since who must have codes cannot sign in before. Nothing changes until it is confirmed."""
    work = partial(asking.hall.people.begin_codes, data.name, data.password, origin=origin_of(request))
    return await _proving(request, work)


@put("/codes", opt=ANYBODY, **takes(bodies.SignIn), summary="Confirm one-time codes by the first of them")
async def confirm_codes(request: AnyRequest, asking: Asking, data: JSONBody[bodies.SignIn]) -> Response[WithCodes]:  # fmt: skip
    """You are signed in anew, and out everywhere else; the recovery codes are told only now."""
    people = asking.hall.people
    work = partial(people.confirm_codes, data.name, data.password, data.code, origin=origin_of(request))
    token, recovery = await _proving(request, work)
    account = await _just_let_in(people, token)
    asking.hall.end_readers(viewer=account.name)
    made = WithCodes(name=account.name, role=account.role, token=token, recovery=recovery)
    return Response(made, cookies=_cookies(request, token, people.device(account)))


@post("/codes/off", opt=ANYBODY, status_code=204, **takes(bodies.SignIn), summary="No more one-time codes")
async def drop_codes(request: AnyRequest, asking: Asking, data: JSONBody[bodies.SignIn]) -> None:
    """By password and a code, or a recovery code; you are signed out everywhere."""
    people = asking.hall.people
    work = partial(people.drop_codes, data.name, data.password, data.code, origin=origin_of(request))
    account = await _proving(request, work)
    asking.hall.end_readers(viewer=account.name)


async def _proving(request: AnyRequest, work: Callable[[], T], status: int = 401) -> T:
    """What somebody does by name and password: as often, and at the price, of signing in."""
    request.app.state.limiter.check("sign_in", network_of(origin_of(request)))
    async with request.app.state.hashing.for_caller():
        try:
            return await asyncio.to_thread(work)
        except Denied as denied:
            raise _denied(denied, status) from None


# PINs ---------------------------------------------------------------------------------------------------


@get("/me/pin", opt=needs("staff"), summary="Whether you have a PIN of your own")
async def show_pin(asking: Asking) -> OwnPin:
    has = await asking.hall.engine.reading(asking.hall.people.has_pin, asking.person.name)
    return OwnPin(set=has)


@put("/me/pin", opt=needs("staff"), status_code=204, **takes(bodies.SetPin), summary="Set your own PIN, by your password")  # fmt: skip
async def set_pin(request: AnyRequest, asking: Asking, data: JSONBody[bodies.SetPin]) -> None:
    """By it you confirm at somebody else's desk. Five wrong ones in a row lock it until it is set anew."""
    name, people = asking.person.name, asking.hall.people
    await _proving(
        request, partial(people.set_pin, name, data.password, data.pin, origin=origin_of(request)), 403
    )


@delete("/accounts/{name:str}/pin", opt=needs("manage-accounts"), responses=NOTHING, summary="Take somebody's PIN off")  # fmt: skip
async def drop_pin(asking: Asking, name: FromPath[str]) -> None:
    await _account(asking.hall, name)
    await asyncio.to_thread(asking.hall.people.drop_pin, name, by=asking.person.name)


# Accounts -----------------------------------------------------------------------------------------------


@post("/accounts", opt=ANYBODY, **takes(bodies.NewAccount), summary="A new account")
async def add_account(request: AnyRequest, asking: Asking, data: JSONBody[bodies.NewAccount]) -> AccountView:
    """Anybody may make a player's account; all others are made by an administrator."""
    person, hall = asking.viewer, asking.hall
    manages = person is not None and allowed(person.role, "manage-accounts")
    if data.role != "player" and not manages:
        raise Wrong(403, "wrong-role", say("staff-accounts-by-administrator"))
    if not manages:
        request.app.state.limiter.check("accounts", network_of(origin_of(request)))
    by = person.name if person is not None and manages else "themselves"
    async with request.app.state.hashing.for_caller():
        await asyncio.to_thread(hall.people.register, data.name, data.password, data.role, by=by)
    return await _account(hall, data.name)


async def _account(hall: Hall, name: str) -> AccountView:
    found = await hall.engine.reading(hall.people.find, name)
    if found is None:
        raise Wrong(404, "no-such-account", say("no-such-account"))
    return await hall.engine.reading(_view, hall, found)


def _view(hall: Hall, account: Account) -> AccountView:
    return AccountView(
        name=account.name,
        role=account.role,
        created=account.created,
        disabled=account.disabled,
        locked=account.locked_until > hall.clock.wall(),
        codes=hall.people.has_codes(account.name),
        pin=hall.people.has_pin(account.name),
        deals_at=table.id if (table := deals_at(hall.tables().values(), account.name)) else "",
    )


@get("/accounts", opt=needs("manage-accounts"), summary="All accounts of staff and players, guests left out")
async def list_accounts(asking: Asking) -> list[AccountView]:
    hall = asking.hall

    def read() -> list[AccountView]:
        return [_view(hall, account) for account in hall.engine.store.accounts() if account.role != "guest"]

    return await hall.engine.reading(read)


@patch("/accounts/{name:str}", opt=needs("manage-accounts"), **takes(bodies.ChangeAccount), summary="Change an account")  # fmt: skip
async def change_account(
    request: AnyRequest, asking: Asking, name: FromPath[str], data: JSONBody[bodies.ChangeAccount]
) -> AccountView:
    """Whoever is signed in by it has to sign in again; who is dealing is not, unless `even_on_duty`."""
    hall, by = asking.hall, asking.person.name
    before = await _account(hall, name)
    _check_change(data)
    if not data.even_on_duty and (data.role is not None or data.password is not None or data.disabled):
        _not_on_duty(hall, before.name)
    if data.locked is False:
        await asyncio.to_thread(hall.people.unlock, name, by=by)
    if data.role is not None:
        await asyncio.to_thread(hall.people.set_role, name, data.role, by=by)
    if data.password is not None:
        async with request.app.state.hashing.for_caller():
            await asyncio.to_thread(hall.people.set_password, name, data.password, by=by)
    if data.codes is False:
        await asyncio.to_thread(hall.people.reset_codes, name, by=by)
    if data.disabled:
        await asyncio.to_thread(hall.people.disable, name, by=by)
    hall.end_readers(viewer=before.name)
    return await _taken_off(asking, await _account(hall, name))


def _check_change(data: bodies.ChangeAccount) -> None:
    if data.disabled is False:
        raise BadInput(say("account-stays-disabled"))
    if data.codes:
        raise BadInput(say("codes-set-up-by-holder"))
    if data.locked:
        raise BadInput(say("account-locked-by-passwords-only"))


async def _taken_off(asking: Visit, account: AccountView) -> AccountView:
    """Who cannot deal any more does not deal anywhere."""
    if not account.deals_at or (account.role in FLOOR and not account.disabled):
        return account
    await asking.hall.ask(account.deals_at, take_off(account.name, by=asking.person.name), asking.person)
    return await _account(asking.hall, account.name)


def _not_on_duty(hall: Hall, name: str) -> None:
    """Ends a change that would sign somebody out who deals."""
    table = deals_at(hall.tables().values(), name)
    if table is not None:
        raise Wrong(
            409,
            "on-duty",
            say("signs-out-while-dealing", who=name, id=table.id, rounds=table.table.rounds),
        )
