"""How players like to bet, kept for them."""

from litestar import Router, get, put
from litestar.params import JSONBody

from thirdcard.service.addresses import network_of
from thirdcard.service.api.access import AnyRequest, Asking, needs
from thirdcard.service.api.json_bodies import takes
from thirdcard.service.people.habits import KIND, Habits, check_habits, habits_of


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


router = Router("", route_handlers=[show_habits, keep_habits], tags=["people"])
