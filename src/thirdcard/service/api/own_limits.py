"""What players allow themselves, and how much of it is used."""

from collections.abc import Callable
from functools import partial
from typing import Annotated

import msgspec
from litestar import Router, get, post, put
from litestar.params import JSONBody

from thirdcard.errors import BadInput
from thirdcard.service.addresses import network_of
from thirdcard.service.api import bodies
from thirdcard.service.api.access import AnyRequest, Asking, Visit, needs
from thirdcard.service.api.json_bodies import takes
from thirdcard.service.people.lately import RealityCheck
from thirdcard.service.people.own_limits import LONGEST_HOURS, Bounds, Coming, OwnLimits
from thirdcard.service.tables.own_play import Used
from thirdcard.words.saying import say


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


async def shown(asking: Visit) -> LimitsView:
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
    return await shown(asking)


@put("/me/limits", opt=needs("play"), **takes(Bounds), summary="Set your own limits: tighter at once, looser in 24 hours")  # fmt: skip
async def set_limits(request: AnyRequest, asking: Asking, data: JSONBody[Bounds]) -> LimitsView:
    """The most to lose in 24 hours and 7 days, in cents, to play in 24 hours and between reality checks, in minutes."""
    return await _changed(request, asking, lambda own, now: own.asked(data, now))


@post("/me/time-out", opt=needs("play"), status_code=200, **takes(TimeOut), summary="Take time out: no bets, no buy-in, no seat")  # fmt: skip
async def take_time_out(request: AnyRequest, asking: Asking, data: JSONBody[TimeOut]) -> LimitsView:
    """From an hour to 30 days, or for good. Nobody can undo it; what lies on a table plays, chips can be cashed."""
    if (data.hours is None) != data.for_good:
        raise BadInput(say("say-how-many-hours"))
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
    before = await shown(asking)
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
    return await shown(asking)


router = Router("", route_handlers=[show_limits, set_limits, take_time_out, acknowledge], tags=["people"])
