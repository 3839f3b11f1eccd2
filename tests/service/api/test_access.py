"""Every role against every route, as declared; and nothing is open that declares nothing."""

import itertools
from collections.abc import Iterator
from functools import cache

import pytest
from litestar import Litestar, Router, get

from service.api.routes import Route, app_of, as_markdown, routes
from service.api.serving import GUARD, NOBODY, PASSWORD, SLOW, Asking, Served, is_problem
from service.houses import MBS, new_table
from thirdcard.service.api.access import guard
from thirdcard.service.people.roles import ROLES
from thirdcard.web.site import PAGES

pytestmark = pytest.mark.server

EVERYBODY = (NOBODY, *ROLES)
numbers = itertools.count(1)


@cache
def of_api() -> dict[str, Route]:
    return {f"{route.method} {route.path}": route for route in routes(app_of())}


def body_of(name: str) -> object:
    """Something that can be sent there."""
    number = next(numbers)
    bodies: dict[str, object] = {
        "POST /api/tables": new_table(f"new-{number}"),
        "POST /api/tables/{table}/commands": {"command": "join"},
        "POST /api/tables/{table}/sit-down": {"cents": 1_000},
        "POST /api/tables/{table}/seeds": {"seed": "eight"},
        "POST /api/tables/{table}/ready": {"ready": True},
        "PUT /api/me/habits": {"patterns": [], "chips": []},
        "POST /api/tables/{table}/pace": {"betting": 10_000 + number},
        "POST /api/tables/{table}/call": {"note": "a card is bent"},
        "POST /api/tables/{table}/rule": {"order": [1, 0]},
        "POST /api/sessions": {"name": "Subject", "password": PASSWORD},
        "POST /api/accounts": {"name": f"Newcomer{number}", "password": PASSWORD},
        "PATCH /api/accounts/{name}": {"password": PASSWORD},
        "PUT /api/me/password": {"old": PASSWORD, "new": PASSWORD},
        "POST /api/school/exams/{exam}/struck/{place}": {"reason": "a misprint"},
        "POST /api/school/answers/{number}/dispute": {"reason": "a misprint"},
        "POST /api/school/disputed/{item}/settle": {"upheld": False, "note": "it is right"},
        "PUT /api/school/classes/{name}": {
            "title": "A",
            "rulebook": MBS,
            "layout": "A",
            "members": ["dealer-1"],
        },
    }
    return bodies.get(name)


def address(route: Route, own: str) -> str:
    table = "auto" if route.path.endswith("/odds") else "one"
    return route.path.format(
        table=table, slug=MBS, other="rws-commission-insurance-v5", case="drawn-together", player=own or "Subject",
        name="Subject", number=1, kind="third-card", exam="20260101-00", place=0, item="0",
    )  # fmt: skip


def asked(person: Asking, name: str, own: str) -> int:
    """The status that somebody gets there."""
    route = of_api()[name]
    if route.method == "WS":
        with person.stream() as socket:
            socket.recv(timeout=GUARD)
        return 101
    answer = person.post(address(route, own), body_of(name), method=route.method)
    if name == "GET /readyz" and answer.status_code == 503:
        return 200  # it has answered; a busy machine may be late
    if answer.status_code >= 400:
        assert is_problem(answer, answer.status_code), answer.text
    return answer.status_code


def may(role: str, route: Route) -> bool:
    return ("anybody" if role == NOBODY else role) in route.roles


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    tables = new_table("one"), new_table("auto", "automatic", SLOW)
    with Served(tmp_path_factory.mktemp("house") / "house.db", *tables) as house:
        house.hall.people.register("Subject", PASSWORD, "player")
        for role in EVERYBODY:
            house.token(role)
        yield house


def own_name(served: Served, role: str) -> str:
    return str(served.as_(role).get("/api/me").json()["name"])


@pytest.mark.parametrize("role", EVERYBODY)
def test_who_may_not_is_refused_and_nothing_happens(served: Served, role: str) -> None:
    closed = {name: route for name, route in of_api().items() if not may(role, route)}
    person, own = served.as_(role), own_name(served, role)
    before, accounts = served.versions(), len(served.hall.engine.store.accounts())
    found = {name: asked(person, name, own) for name in closed}
    assert found == dict.fromkeys(closed, 401 if role == NOBODY else 403)
    after = served.versions()
    assert {name: after[name] for name in ("one", *(after.keys() - before.keys()))} == {"one": before["one"]}
    assert len(served.hall.engine.store.accounts()) == accounts


@pytest.mark.parametrize("role", EVERYBODY)
def test_who_may_is_let_in(served: Served, role: str) -> None:
    """Whatever else may be wrong with what they ask; who signs out or changes the password comes in again."""
    own = own_name(served, role)
    refused = {}
    for name in (name for name, route in of_api().items() if may(role, route)):
        status = asked(served.as_(role), name, own)
        if status in (401, 403) or status >= 500:
            refused[name] = status
        if "sessions" in name or "password" in name:
            served.tokens.pop(role, None)
    assert refused == {}


def undeclared(app: Litestar) -> list[str]:
    return [f"{route.method} {route.path}" for route in routes(app) if not route.needs]


@get("/planted")
async def planted() -> str:
    return "anybody can read this"


def test_every_route_declares_what_it_needs() -> None:
    assert len(of_api()) > 40
    app = app_of(*PAGES)
    assert undeclared(app) == []
    assert len(routes(app)) > len(of_api())
    app.register(planted)
    assert undeclared(app) == ["GET /planted"], "a route without a declaration must be found"


def test_pages_have_no_address_of_the_api() -> None:
    pages = {route.path for route in routes(app_of(*PAGES))} - {route.path for route in of_api().values()}
    assert "/tables/{table}" in pages
    assert [path for path in pages if path.startswith("/api") or path.endswith(".json")] == []


def test_what_declares_nothing_is_open_to_nobody(tmp_path_factory: pytest.TempPathFactory) -> None:
    def plant(app: Litestar) -> None:
        app.register(Router("/inside", route_handlers=[planted], guards=[guard]))

    with Served(tmp_path_factory.mktemp("house") / "house.db", change=plant) as house:
        for role in (NOBODY, "player", "administrator"):
            assert is_problem(house.as_(role).get("/inside/planted"), 403)


def test_the_table_for_the_documentation_has_a_line_for_every_route() -> None:
    table = as_markdown(app_of())
    assert table.count("\n") == len(of_api()) + 2
    assert (
        "| `GET /api/accounts` | All accounts of staff and players, guests left out | administrator |"
        in table
    )


def test_a_statement_is_its_players_own(served: Served) -> None:
    readers = {
        role
        for role in ROLES
        if served.as_(role).get("/api/tables/one/statements/Subject").status_code != 403
    }
    managers = {"pit-manager", "shift-manager", "gaming-shift-manager", "assistant-casino-manager"}
    assert readers == managers | {"auditor", "administrator"}


def test_only_an_administrator_makes_accounts_for_staff(served: Served) -> None:
    made = {}
    for role in EVERYBODY:
        wanted = {"name": f"Staff{next(numbers)}", "password": PASSWORD, "role": "dealer"}
        made[role] = served.as_(role).post("/api/accounts", wanted).status_code
    assert made == dict.fromkeys(EVERYBODY, 403) | {"administrator": 201}


def test_guests_cannot_be_made_nor_roles_invented(served: Served) -> None:
    for role in ("guest", "emperor", ""):
        wanted = {"name": f"Odd{next(numbers)}", "password": PASSWORD, "role": role}
        assert is_problem(served.as_("administrator").post("/api/accounts", wanted), 400)


def test_a_rank_is_not_taken_by_a_command(served: Served) -> None:
    """Ranks come with accounts: neither players nor staff hand them out at a table."""
    person = served.player("Ambitious")
    for asks in (person, served.as_("shift-manager")):
        answer = asks.command("assign", person="Ambitious", rank="pit-manager")
        assert is_problem(answer, 422)
    assert "Ambitious" not in served.live().table.staff
    assert is_problem(person.command("new-shoe"), 422)
    assert is_problem(served.as_("dealer").command("join"), 422)


def test_the_journal_is_no_table(served: Served) -> None:
    for name in ("journal", "_journal", "%00", "..", "one%2F..", "ONE"):
        assert served.as_("administrator").get(f"/api/tables/{name}").status_code == 404
