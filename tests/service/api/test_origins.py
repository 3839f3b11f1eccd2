"""Other sites, other names and too many requests; and the headers that every answer has."""

import socket
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from service.api.serving import GUARD, NOBODY, Asking, Served, is_problem
from service.clocks import FakeClock
from thirdcard.service.api.gate import HEADERS, HOST_COOKIE, Rates

pytestmark = pytest.mark.server

PUBLIC = "https://cards.example"
FOREIGN = [
    "https://evil.example", "http://evil.example:{port}", "null", "http://127.0.0.1", "http://127.0.0.1:1", "http://localhost:{port}",
    "http://127.0.0.1:{port}.evil.example", "http://evil.example/127.0.0.1:{port}", "http://127.0.0.1:{port}@evil.example",
    "https://cards.example.evil.example", "http://cards.example", "https://CARDS.example:444", "file://", "http://[", "http://[::1", "x" * 5000,
    "http://evil.example http://127.0.0.1:{port}",
]  # fmt: skip


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(
        tmp_path_factory.mktemp("house") / "house.db", public=PUBLIC, hosts=["cards.example"]
    ) as house:
        yield house


def browser(served: Served, **headers: str) -> Asking:
    """Somebody whose browser sends the cookie along."""
    person = Asking(served, "")
    person.http.headers["Cookie"] = f"{HOST_COOKIE}={served.token('player')}"
    person.http.headers.update({name.replace("_", "-"): value for name, value in headers.items()})
    return person


@pytest.mark.parametrize("origin", FOREIGN, ids=lambda origin: origin[:40])
def test_requests_of_another_site(served: Served, origin: str) -> None:
    person, before = browser(served, Origin=origin.format(port=served.port)), served.versions()
    for method, path in (
        ("POST", "/api/tables/one/sit-down"),
        ("POST", "/api/tables/one/seeds"),
        ("POST", "/api/tables/one/commands"),
        ("POST", "/api/guests"),
        ("POST", "/api/sessions"),
        ("DELETE", "/api/sessions/current"),
        ("PUT", "/api/me/password"),
        ("PATCH", "/api/accounts/Wei"),
    ):
        answer = person.post(path, {"cents": 1000}, method=method)
        assert is_problem(answer, 403), (path, answer.text)
        assert answer.json()["code"] == "wrong-origin"
    assert served.versions() == before
    assert browser(served).get("/api/me").json()["name"] == "player-1", "nobody was signed out"


@pytest.mark.parametrize("origin", FOREIGN, ids=lambda origin: origin[:40])
def test_sockets_of_another_site(served: Served, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        _ = socket_from(served, origin.format(port=served.port))
    assert refused.value.response.status_code == 403


def socket_from(served: Served, origin: str | None, **headers: str) -> str:
    """The first message of a stream that a browser opens there."""
    address = f"ws://127.0.0.1:{served.port}/api/tables/one/stream"
    sent = {"Cookie": f"{HOST_COOKIE}={served.token('player')}", **headers}
    if origin is not None:
        sent["Origin"] = origin
    with connect(address, additional_headers=sent, proxy=None) as opened:
        return str(opened.recv(timeout=GUARD))


def test_requests_of_our_own_pages_and_of_programs(served: Served) -> None:
    for origin in (f"http://127.0.0.1:{served.port}", PUBLIC, None):
        sent = {} if origin is None else {"Origin": origin}
        assert browser(served, **sent).post("/api/tables/one/sit-down", {"cents": 1000}).status_code == 200
        assert '"view"' in socket_from(served, origin)
    assert browser(served, Origin="https://evil.example").get("/api/tables").status_code == 200, (
        "reading is for CORS"
    )


@pytest.mark.parametrize("site", ["cross-site", "same-site", "CROSS-SITE", "nonsense"])
def test_what_a_browser_says_of_the_site(served: Served, site: str) -> None:
    """Some requests have no Origin; browsers still say where they come from."""
    answer = browser(served, Sec_Fetch_Site=site).post("/api/tables/one/sit-down", {"cents": 1000})
    assert is_problem(answer, 403)
    with pytest.raises(InvalidStatus):
        socket_from(served, None, **{"Sec-Fetch-Site": site})
    for own in ("same-origin", "none"):
        assert (
            browser(served, Sec_Fetch_Site=own).post("/api/tables/one/sit-down", {"cents": 1000}).status_code
            == 200
        )


def test_no_other_site_may_read(served: Served) -> None:
    """No answer allows what browsers forbid by default."""
    person = browser(served, Origin="https://evil.example", Access_Control_Request_Method="POST")
    for answer in (
        person.get("/api/me"),
        person.http.options("/api/tables/one/commands"),
        person.post("/api/guests"),
    ):
        assert not [name for name in answer.headers if name.startswith("access-control")]


HOSTS = [
    "evil.example",
    "127.0.0.1.evil.example",
    "evil.example:{port}",
    "",
    "[",
    "[::1",
    "localhost@evil.example",
    "xn--a",
    "127.0.0.1, evil.example",
    "a" * 3000,
]


@pytest.mark.parametrize("host", HOSTS, ids=lambda host: host[:30])
def test_another_name(served: Served, host: str) -> None:
    """A name that somebody points at this address (DNS rebinding) opens nothing."""
    person = browser(served, Host=host.format(port=served.port))
    for answer in (person.get("/api/tables"), person.get("/"), person.post("/api/guests")):
        assert answer.status_code in (400, 403), answer.text
        assert is_problem(answer, 403) or not host
    assert person.get("/healthz").status_code in (200, 400)


@pytest.mark.parametrize(
    "host", ["cards.example", "CARDS.example", "cards.example:8443", "localhost", "[::1]:{port}", "127.0.0.1"]
)
def test_names_of_our_own(served: Served, host: str) -> None:
    assert browser(served, Host=host.format(port=served.port)).get("/api/tables").status_code == 200


def test_a_request_without_a_name(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=GUARD) as raw:
        raw.sendall(b"GET /api/tables HTTP/1.0\r\n\r\n")
        answer = b"".join(iter(lambda: raw.recv(65536), b""))
    assert b" 403 " in answer.splitlines()[0]


# Headers ------------------------------------------------------------------------------------------------

ANSWERS = {
    "data": ("GET", "/api/tables", 200),
    "made": ("POST", "/api/guests", 201),
    "nothing": ("DELETE", "/api/sessions/current", 204),
    "not signed in": ("GET", "/api/me/rounds", 401),
    "not there": ("GET", "/api/nothing", 404),
    "nor there": ("GET", "/nothing/at/all", 404),
    "wrong method": ("PUT", "/api/tables", 405),
    "cannot be read": ("POST", "/api/sessions", 400),
    "probe": ("GET", "/healthz", 200),
    "metrics": ("GET", "/metrics", 200),
    "schema": ("GET", "/api/schema/openapi.json", 200),
    "options": ("OPTIONS", "/api/tables", 403),
}


@pytest.mark.parametrize("kind", ANSWERS)
def test_headers_of_every_answer(served: Served, kind: str) -> None:
    method, path, status = ANSWERS[kind]
    person = served.as_("guest") if status == 204 and method == "DELETE" else served.as_(NOBODY)
    answer = person.post(path, b"{", method=method)
    assert answer.status_code == status
    dressed(answer)
    if status == 204 and method == "DELETE":
        served.tokens.pop("guest")


def dressed(answer: httpx.Response) -> None:
    for name, value in HEADERS:
        assert answer.headers.get_list(name.decode()) == [value.decode()]
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "*" not in policy
    assert answer.headers["strict-transport-security"].startswith("max-age=")
    assert answer.headers.get("cache-control") == "no-store" or not answer.request.url.path.startswith("/api")
    assert "server" not in answer.headers
    if answer.status_code >= 400:
        assert is_problem(answer, answer.status_code)


def test_headers_of_what_the_gate_refuses(served: Served) -> None:
    dressed(browser(served, Origin="https://evil.example").post("/api/guests"))
    dressed(browser(served, Host="evil.example").get("/api/tables"))


# How often ----------------------------------------------------------------------------------------------


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def test_too_many_requests_of_one_person(house_path: Path, clock: FakeClock) -> None:
    """Others at the same address go on; after a while so does that person."""
    with Served(house_path, clock=clock, rates=Rates(person=(1, 5), address=(0, 0))) as house:
        first, second = house.player("Wei"), house.player("Mei")
        statuses = [first.get("/api/me/rounds").status_code for _ in range(8)]
        assert statuses == [200] * 4 + [429] * 4
        last = first.get("/api/me/rounds")
        assert is_problem(last, 429)
        assert last.headers["retry-after"] == "1"
        assert "content-security-policy" in last.headers
        assert second.get("/api/me/rounds").status_code == 200
        clock.wait(1)
        assert [first.get("/api/me/rounds").status_code for _ in range(2)] == [200, 429]


def test_too_many_requests_of_one_address(house_path: Path, clock: FakeClock) -> None:
    with Served(house_path, clock=clock, rates=Rates(address=(0.1, 5))) as house:
        answers = [house.as_(NOBODY).get("/api/tables") for _ in range(7)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 2
        assert is_problem(answers[-1], 429)
        assert answers[-1].headers["retry-after"] == "10"
        with pytest.raises(InvalidStatus):
            socket_from(house, None)
        clock.wait(10)
        assert house.as_(NOBODY).get("/api/tables").status_code == 200


def test_too_many_guesses_and_guests(house_path: Path, clock: FakeClock) -> None:
    """A refused guess costs no hashing, and says when to come back."""
    with Served(
        house_path, clock=clock, rates=Rates(sign_in=(0.1, 3), guests=(0.1, 4), accounts=(0.1, 1))
    ) as house:
        nobody = house.as_(NOBODY)
        guesses = [
            nobody.post("/api/sessions", {"name": f"Wei{number}", "password": "guess"}) for number in range(5)
        ]
        assert [answer.status_code for answer in guesses] == [401] * 3 + [429] * 2
        guests = [nobody.post("/api/guests") for _ in range(6)]
        assert [answer.status_code for answer in guests] == [201] * 4 + [429] * 2
        accounts = [
            nobody.post("/api/accounts", {"name": name, "password": "a long password"})
            for name in ("Wei", "Lin")
        ]
        account = accounts[-1]
        assert is_problem(account, 429)
        assert all(int(answer.headers["retry-after"]) == 10 for answer in (guesses[-1], guests[-1], account))


@pytest.mark.parametrize("name", ["Host", "Idempotency-Key", "Authorization", "Content-Type"])
def test_a_header_that_comes_twice(served: Served, name: str) -> None:
    """Two programs on the way could each believe another of them."""
    with closing(HTTPConnection("127.0.0.1", served.port, timeout=GUARD)) as asking:
        asking.putrequest("POST", "/api/guests", skip_host=True)
        for header, value in (
            ("Host", "127.0.0.1"),
            ("Content-Length", "0"),
            (name, "127.0.0.1"),
            (name, "127.0.0.1"),
        ):
            asking.putheader(header, value)
        asking.endheaders()
        with asking.getresponse() as answer:
            assert answer.status == 400
