"""What is a player's own, over HTTP: money, name, results, limits and habits."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Annotated, Literal

import msgspec
from litestar import Response, get, post, put
from litestar.params import FromQuery, JSONBody

from thirdcard.errors import BadInput
from thirdcard.service.addresses import network_of
from thirdcard.service.api import bodies
from thirdcard.service.api.access import AnyRequest, Asking, Visit, needs
from thirdcard.service.api.asking import Key, accepted
from thirdcard.service.api.bodies import takes
from thirdcard.service.api.people import SignedIn, origin_of, signed_in
from thirdcard.service.log.store.results import DAY
from thirdcard.service.people.habits import KIND, Habits, check_habits, habits_of
from thirdcard.service.queries.own_results import OwnResults, ResultSpan, own_results
from thirdcard.service.tables.own_play import LONGEST_HOURS, Bounds, Coming, OwnLimits, RealityCheck, Used
from thirdcard.service.tables.wallets import racks_of, today
from thirdcard.words.saying import say


class WalletView(msgspec.Struct, frozen=True, kw_only=True):
    """Cents: in the wallet, in `racks` by table, and in all; what the house gives a day, and when again.

    `refill_at` is in microseconds of UTC, 0 if it is ready now; a `fresh_start` is for who has less in all than
    `fresh_below`, and leaves `fresh_to`.
    """

    cents: int
    racks: dict[str, int]
    total: int
    refill: int
    refill_at: int
    fresh_below: int
    fresh_start: bool
    fresh_to: int


class ShownName(msgspec.Struct, frozen=True, kw_only=True):
    """What others see of you."""

    name: str


async def wallet_of(asking: Visit) -> WalletView:
    """As it is in the store: other processes move it too. Who has none yet finds what one is opened with."""
    engine, name = asking.hall.engine, asking.person.name
    kept, now = await engine.reading(engine.store.wallet, name), asking.hall.clock.wall()
    cents = kept.cents if kept else engine.grants.opening
    refilled = kept.refilled if kept else 0
    racks = racks_of(asking.hall.tables().values(), name)
    total = cents + sum(racks.values())
    return WalletView(
        cents=cents,
        racks=racks,
        total=total,
        refill=engine.grants.daily,
        refill_at=(refilled + 1) * DAY if refilled >= today(now) else 0,
        fresh_below=engine.grants.fresh_below,
        fresh_start=total < engine.grants.fresh_below,
        fresh_to=engine.grants.opening,
    )


@get("/me/wallet", opt=needs("play"), summary="Your wallet, and what of your money lies at tables")
async def show_wallet(asking: Asking) -> WalletView:
    return await wallet_of(asking)


@post(
    "/me/wallet/daily",
    opt=needs("play"),
    status_code=200,
    summary="Take today's play money, once a day by UTC",
)
async def take_daily(asking: Asking, key: Key) -> WalletView:
    return await _granted(asking, "daily", key)


@post("/me/wallet/fresh-start", opt=needs("play"), status_code=200, summary="Begin anew with little left")
async def start_anew(asking: Asking, key: Key) -> WalletView:
    """If wallet and racks together hold less than a tenth of what one begins with."""
    return await _granted(asking, "fresh-start", key)


async def _granted(asking: Visit, why: Literal["daily", "fresh-start"], key: str) -> WalletView:
    accepted(await asking.hall.grant(asking.person, why, key))
    return await wallet_of(asking)


@post("/me/account", opt=needs("play"), **takes(bodies.Credentials), summary="Make your guest an account: nothing of it is lost")  # fmt: skip
async def make_account(
    request: AnyRequest, asking: Asking, data: JSONBody[bodies.Credentials]
) -> Response[SignedIn]:
    """Name and password as for any account; wallet, racks, seat, rounds and limits stay. You are signed in anew."""
    request.app.state.limiter.check("accounts", network_of(origin_of(request)))
    hall, before = asking.hall, asking.person
    async with request.app.state.hashing.for_caller():
        account, token = await asyncio.to_thread(
            hall.people.become_account, before.name, data.name, data.password
        )
    await _show(asking)
    hall.end_readers(viewer=before.name)
    return signed_in(request, account, token, hall.people.device(account))


@get("/me/nickname", opt=needs("play"), summary="What others see of you")
async def show_nickname(asking: Asking) -> ShownName:
    hall = asking.hall
    return ShownName(name=await hall.engine.reading(hall.people.shown_as, asking.person.name))


@put(
    "/me/nickname", opt=needs("play"), **takes(bodies.Nickname), summary="Be shown to others by another name"
)
async def set_nickname(request: AnyRequest, asking: Asking, data: JSONBody[bodies.Nickname]) -> ShownName:
    """2 to 24 letters of one script, unlike any name that somebody has; your own name takes it back."""
    request.app.state.limiter.check("limits", network_of(origin_of(request)))
    await asyncio.to_thread(asking.hall.people.set_nickname, asking.person.name, data.name)
    return await _show(asking)


async def _show(asking: Visit) -> ShownName:
    """Wherever the person is."""
    hall, name = asking.hall, asking.person.name
    shown = await hall.engine.reading(hall.people.shown_as, name)
    await hall.show_as(name, shown)
    return ShownName(name=shown)


@get(
    "/me/results",
    opt=needs("play"),
    summary="What your play has come to, and what the house expects to keep of it",
)
async def show_results(asking: Asking, span: FromQuery[ResultSpan] = "session") -> OwnResults:
    """Of this session, of 30 days, or of all time."""
    return await own_results(asking.hall, asking.person.name, span)


# Limits that players set themselves -------------------------------------------------------------------


class TimeOut(bodies.Body, frozen=True, kw_only=True):
    """So many `hours`, or `for_good`; neither can be undone."""

    hours: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_HOURS)] | None = None
    for_good: bool = False


class LimitsView(Bounds, frozen=True, kw_only=True):
    """Limits as they hold now, those that are `coming`, how much is `used`, and the reality `check` that is due.

    Times are microseconds of UTC; no time out, no `away_until`.
    """

    coming: dict[str, Coming]
    away_until: int | None
    excluded: bool
    used: Used
    check: RealityCheck | None


async def shown_limits(asking: Visit) -> LimitsView:
    play, now = asking.hall.play, asking.hall.clock.wall()
    own = await play.of(asking.person.name)
    await play.read_rounds(own)
    limits = own.limits.at(now)
    return LimitsView(
        **msgspec.structs.asdict(limits.bounds),
        coming=limits.coming,
        away_until=limits.away_until if limits.away_until > now else None,
        excluded=limits.excluded,
        used=play.used(own),
        check=play.check(own),
    )


@get("/me/limits", opt=needs("play"), summary="Your own limits, and how much of them is used")
async def show_limits(asking: Asking) -> LimitsView:
    return await shown_limits(asking)


@put("/me/limits", opt=needs("play"), **takes(Bounds), summary="Set your own limits: tighter at once, looser in 24 hours")  # fmt: skip
async def set_limits(request: AnyRequest, asking: Asking, data: JSONBody[Bounds]) -> LimitsView:
    """The most to lose in 24 hours and 7 days, in cents, to play in 24 hours and between reality checks, in minutes."""
    return await _changed(request, asking, lambda own, now: own.asked(data, now))


@post("/me/time-out", opt=needs("play"), status_code=200, **takes(TimeOut), summary="Take time out: no bets, no buy-in, no seat")  # fmt: skip
async def take_time_out(request: AnyRequest, asking: Asking, data: JSONBody[TimeOut]) -> LimitsView:
    """From an hour to 30 days, or for good. Nobody can undo it; what lies on a table plays, chips can be cashed."""
    if (data.hours is None) != data.for_good:
        raise BadInput(say("say-hours"))
    return await _changed(request, asking, partial(_away, hours=data.hours))


def _away(own: OwnLimits, now: int, *, hours: int | None) -> OwnLimits:
    return msgspec.structs.replace(own.at(now), excluded=True) if hours is None else own.away(hours, now)


@post(
    "/me/reality-check",
    opt=needs("play"),
    status_code=200,
    summary="Acknowledge the reality check: you go on",
)
async def acknowledge(request: AnyRequest, asking: Asking) -> LimitsView:
    """Before the next bet is taken, once a check is due; without one nothing happens."""
    before = await shown_limits(asking)
    if before.check is None:
        return before
    return await _changed(
        request, asking, lambda own, now: msgspec.structs.replace(own.at(now), acknowledged=now)
    )


async def _changed(
    request: AnyRequest, asking: Visit, made: Callable[[OwnLimits, int], OwnLimits]
) -> LimitsView:
    """What holds after a change."""
    request.app.state.limiter.check("limits", network_of(request.client.host if request.client else ""))
    await asking.hall.change_limits(asking.person.name, made)
    return await shown_limits(asking)


# How they like to bet ---------------------------------------------------------------------------------


@get("/me/habits", opt=needs("play"), summary="Your patterns of bets, and the chips of your rack")
async def show_habits(asking: Asking) -> Habits:
    engine = asking.hall.engine
    return habits_of(await engine.reading(engine.store.personal, asking.person.name, KIND))


@put("/me/habits", opt=needs("play"), **takes(Habits), summary="Keep other patterns of bets, and other chips")
async def keep_habits(request: AnyRequest, asking: Asking, data: JSONBody[Habits]) -> Habits:
    """All of them, in place of those before: up to 9 patterns, and up to 8 chips in cents."""
    check_habits(data)
    request.app.state.limiter.check("limits", network_of(request.client.host if request.client else ""))
    await asking.hall.keep_habits(asking.person.name, data)
    return data
