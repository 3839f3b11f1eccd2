"""Sessions: forged, expired, revoked; failures that lock; cookies; and what is told about any of it."""

import base64
import hashlib
import logging
from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest
from litestar import get
from websockets.exceptions import ConnectionClosed

from service.api.serving import GUARD, PASSWORD, Asking, Served, heard, is_problem
from service.clocks import FakeClock
from thirdcard.service.api import stream
from thirdcard.service.api.access import ANYBODY
from thirdcard.service.api.app import HASHES_AT_ONCE
from thirdcard.service.api.gate import COOKIE, HOST_COOKIE
from thirdcard.service.people.accounts import DENIED

pytestmark = pytest.mark.server

MINUTE, HOUR = 60.0, 3600.0
MINE = "/api/me/rounds"  # what only somebody who is signed in may read


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def house(house_path: Path, clock: FakeClock) -> Iterator[Served]:
    """A house whose time passes when it is told to."""
    with Served(house_path, clock=clock) as made:
        yield made


def signed_in(person: Asking) -> bool:
    answer = person.get(MINE)
    assert answer.status_code == 200 or is_problem(answer, 401)
    assert bool(person.get("/api/me").json()["name"]) == (answer.status_code == 200)
    return answer.status_code == 200


def sign_in(served: Served, name: str, password: str) -> httpx.Response:
    return served.as_("nobody").post("/api/sessions", {"name": name, "password": password})


# Tokens -------------------------------------------------------------------------------------------------


def test_forged_tokens(served: Served) -> None:
    token = served.account("Wei", "player")
    digest = hashlib.sha256(token.encode())
    forged = [
        token[:-1], token[1:], token + "A", token.swapcase(), token[::-1], token.upper(), "A" * len(token),
        digest.hexdigest(), base64.urlsafe_b64encode(digest.digest()).decode(), "Wei", "null", "' OR 1=1 --", "\\x00" * 32,
        "0" * 64, token + "x" * 100_000, token[:20] + " " + token[20:], f"{token}.{token}",
    ]  # fmt: skip
    assert signed_in(Asking(served, token))
    for one in forged:
        by_cookie = Asking(served, "")
        by_cookie.http.headers["Cookie"] = f"{COOKIE}={one}"
        if len(one) < 30_000:
            assert not signed_in(Asking(served, one)), one
            assert not signed_in(by_cookie), one


@pytest.mark.parametrize("kind", ["Basic", "Token", "", "bearer:", "Bearer,"])
def test_only_bearer_tokens(served: Served, kind: str) -> None:
    token, person = served.token("player"), served.as_("nobody")
    person.http.headers["Authorization"] = f"{kind} {token}".strip()
    assert not signed_in(person)


def test_a_bearer_token_goes_before_a_cookie(served: Served) -> None:
    """Who says who they are is not taken for somebody else, and a wrong token is not mended by a cookie."""
    first, second = served.account("Mei", "player"), served.account("Anwar", "player")
    person = Asking(served, first)
    person.http.headers["Cookie"] = f"{COOKIE}={second}"
    assert person.get("/api/me").json()["name"] == "Mei"
    person.http.headers["Authorization"] = "Bearer nonsense"
    assert not signed_in(person)


# Time ---------------------------------------------------------------------------------------------------


def test_idle_for_thirty_minutes(house: Served, clock: FakeClock) -> None:
    person = Asking(house, house.account("Wei", "player"))
    for _ in range(3):
        clock.wait(29 * MINUTE)
        assert signed_in(person)
    clock.wait(30 * MINUTE)
    assert not signed_in(person)


def test_twelve_hours_are_enough(house: Served, clock: FakeClock) -> None:
    person = Asking(house, house.account("Wei", "player"))
    for _ in range(35):
        clock.wait(20 * MINUTE)
        assert signed_in(person)
    clock.wait(20 * MINUTE)
    assert not signed_in(person)


def test_a_clock_that_is_set_ends_nothing_and_lengthens_nothing(house: Served, clock: FakeClock) -> None:
    person = Asking(house, house.account("Wei", "player"))
    assert signed_in(person)
    clock.set(48 * HOUR)
    assert signed_in(person)
    clock.set(-96 * HOUR)
    clock.wait(30 * MINUTE)
    assert not signed_in(person)


def test_a_socket_is_no_activity_and_ends_with_its_session(
    house: Served, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "LOOK_SECONDS", 0.02)
    person = Asking(house, house.account("Wei", "player"))
    with person.stream() as socket:
        heard(socket)
        clock.wait(29 * MINUTE)
        house.as_("dealer").post("/api/tables/one/call", {"note": "the socket is open"})
        assert heard(socket)["changed"]
        clock.wait(2 * MINUTE)
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=GUARD)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4001


def test_a_restart_keeps_sessions_that_have_not_ended(house_path: Path, clock: FakeClock) -> None:
    with Served(house_path, clock=clock) as house:
        kept, ended, out = (house.account(name, "player") for name in ("Wei", "Mei", "Anwar"))
        Asking(house, out).post("/api/sessions/current", method="DELETE")
    clock.wait(20 * MINUTE)
    with Served(house_path, clock=clock) as house:
        assert signed_in(Asking(house, kept))
        assert not signed_in(Asking(house, out))
        clock.wait(11 * MINUTE)
        assert signed_in(Asking(house, kept))
        assert not signed_in(Asking(house, ended))


# Revoked ------------------------------------------------------------------------------------------------


def test_signed_out_here_and_everywhere(served: Served) -> None:
    here, there, elsewhere = served.account("Lee", "player"), served.sign_in("Lee"), served.sign_in("Lee")
    gone = Asking(served, here).post("/api/sessions/current", method="DELETE")
    assert gone.status_code == 204
    cookie = SimpleCookie(gone.headers["set-cookie"])[COOKIE]
    assert (cookie.value, cookie["max-age"]) == ("", "0")
    assert [signed_in(Asking(served, token)) for token in (here, there, elsewhere)] == [False, True, True]
    Asking(served, there).post("/api/sessions", method="DELETE")
    assert [signed_in(Asking(served, token)) for token in (there, elsewhere)] == [False, False]


@pytest.mark.parametrize(
    "change",
    [{"role": "pit-manager"}, {"disabled": True}, {"password": "another long password"}],
    ids=lambda change: next(iter(change)),
)
def test_whoever_is_changed_is_signed_out(served: Served, change: dict[str, object]) -> None:
    name = f"Dee-{next(iter(change))}"
    token = served.account(name, "dealer")
    person = Asking(served, token)
    with person.stream() as socket:
        heard(socket)
        answer = served.as_("administrator").post(f"/api/accounts/{name}", change, method="PATCH")
        assert answer.status_code == 200, answer.text
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=GUARD)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4001
    assert is_problem(person.command("new-shoe"), 401)


def test_a_new_password_ends_every_session(served: Served) -> None:
    tokens = [served.account("Ng", "player"), served.sign_in("Ng")]
    wrong = Asking(served, tokens[0]).post(
        "/api/me/password", {"old": "not that", "new": PASSWORD + "!"}, method="PUT"
    )
    assert is_problem(wrong, 403)
    right = Asking(served, tokens[0]).post(
        "/api/me/password", {"old": PASSWORD, "new": PASSWORD + "!"}, method="PUT"
    )
    assert right.status_code == 204
    assert not any(signed_in(Asking(served, token)) for token in tokens)
    assert is_problem(sign_in(served, "Ng", PASSWORD), 401)
    assert sign_in(served, "Ng", PASSWORD + "!").status_code == 201


def test_who_is_disabled_stays_so(served: Served) -> None:
    served.account("Gone", "player")
    admin = served.as_("administrator")
    assert admin.post("/api/accounts/Gone", {"disabled": True}, method="PATCH").json()["disabled"]
    assert is_problem(sign_in(served, "Gone", PASSWORD), 401)
    assert is_problem(admin.post("/api/accounts/Gone", {"disabled": False}, method="PATCH"), 400)


def test_a_player_does_not_become_staff(served: Served) -> None:
    served.account("Climber", "player")
    answer = served.as_("administrator").post("/api/accounts/Climber", {"role": "dealer"}, method="PATCH")
    assert is_problem(answer, 400)


# Signing in ---------------------------------------------------------------------------------------------


def test_three_failures_lock_for_half_an_hour(house: Served, clock: FakeClock) -> None:
    house.account("Wei", "player")
    for _ in range(3):
        assert is_problem(sign_in(house, "Wei", "wrong password"), 401)
    clock.wait(29 * MINUTE)
    assert is_problem(sign_in(house, "Wei", PASSWORD), 401)
    clock.wait(2 * MINUTE)
    answer = sign_in(house, "Wei", PASSWORD)
    assert answer.status_code == 201
    mine = cookies(answer)[f"{COOKIE}-device"]
    assert (mine["httponly"], mine["samesite"].lower(), mine["path"]) == (True, "strict", "/")


def test_staff_sign_in_while_others_fill_the_places_in_which_passwords_are_checked(served: Served) -> None:
    """By a browser that they signed in by before; and what they do by password when they are signed in."""
    served.account("Ines", "dealer")
    known = cookies(sign_in(served, "Ines", PASSWORD))[f"{COOKIE}-device"].value
    places = served.app.state.hashing
    for _ in range(HASHES_AT_ONCE):
        served.do(places.for_caller().acquire())
    try:
        desk = Asking(served, "")
        desk.http.headers["Cookie"] = f"{COOKIE}-device={known}"
        signed = desk.post("/api/sessions", {"name": "Ines", "password": PASSWORD})
        assert signed.status_code == 201
        dealer = Asking(served, signed.json()["token"])
        assert dealer.get("/api/me").json()["name"] == "Ines"
        assert dealer.post("/api/me/pin", {"password": PASSWORD, "pin": "471193"}, method="PUT").is_success
        stranger = Asking(served, "")
        with pytest.raises(httpx.ReadTimeout):  # there is no place, however long it takes
            stranger.http.post("/api/sessions", json={"name": "Ines", "password": PASSWORD}, timeout=0.2)
    finally:
        for _ in range(HASHES_AT_ONCE):
            served.call(places.for_caller().release)


def test_the_answer_is_the_same_whatever_is_wrong(served: Served) -> None:
    for name in ("Locked", "Wrong", "Disabled"):
        served.account(name, "player")
    for _ in range(3):
        sign_in(served, "Locked", "wrong password")
    served.hall.people.disable("Disabled")
    guest = served.as_("guest").get("/api/me").json()["name"]
    tries = [
        ("Nobody", PASSWORD),
        ("Wrong", "wrong password"),
        ("Locked", PASSWORD),
        ("Disabled", PASSWORD),
        (guest, ""),
        ("", ""),
        ("a/b:c", "x"),
    ]
    answers = [sign_in(served, *one) for one in tries]
    assert {answer.text for answer in answers} == {answers[0].text}
    assert answers[0].json()["detail"] == str(DENIED)
    headers = [{name for name in answer.headers if name != "date"} for answer in answers]
    assert all(one == headers[0] for one in headers)
    assert not any("set-cookie" in one for one in headers)


def test_failures_are_in_the_log_of_significant_events(served: Served) -> None:
    served.account("Tried", "player")
    for _ in range(3):
        sign_in(served, "Tried", "my secret by mistake")
    sign_in(served, "my-secret-as-a-name", "x")
    found: list[dict[str, dict[str, object]]] = []
    while not any(one["event"]["kind"] == "account-locked" for one in found):
        found = served.as_("auditor").get("/api/significant-events").json()
    kinds = [one["event"]["kind"] for one in found if one["event"].get("facts", {}).get("name") == "Tried"]  # type: ignore[attr-defined]
    assert kinds.count("sign-in-failed") == 3
    assert "secret" not in str(found)


# Cookies ------------------------------------------------------------------------------------------------


def cookies(answer: httpx.Response) -> SimpleCookie:
    """Those that an answer sets."""
    found = SimpleCookie()
    for line in answer.headers.get_list("set-cookie"):
        found.load(line)
    return found


@pytest.mark.parametrize("public", ["", "http://cards.example", "https://cards.example"])
def test_the_cookie(house_path: Path, public: str) -> None:
    with Served(house_path, public=public) as house:
        house.account("Wei", "player")
        for answer in (house.as_("nobody").post("/api/guests"), sign_in(house, "Wei", PASSWORD)):
            name = HOST_COOKIE if public.startswith("https") else COOKIE
            cookie = cookies(answer)[name]
            assert (cookie["httponly"], cookie["samesite"].lower(), cookie["path"], cookie["domain"]) == (
                True,
                "strict",
                "/",
                "",
            )
            assert bool(cookie["secure"]) == public.startswith("https")
            assert ("strict-transport-security" in answer.headers) == public.startswith("https")
            person = Asking(house, "")
            person.http.headers["Cookie"] = f"{name}={cookie.value}"
            assert signed_in(person)


def test_nobody_chooses_their_own_token(served: Served) -> None:
    """A cookie that was planted before signing in is not the one that is signed in."""
    served.account("Fixed", "player")
    person = Asking(served, "")
    person.http.headers["Cookie"] = f"{COOKIE}=planted"
    answer = person.post("/api/sessions", {"name": "Fixed", "password": PASSWORD})
    assert answer.json()["token"] not in {"", "planted"}
    assert not signed_in(person)


@get("/faulty", opt=ANYBODY)
async def faulty() -> str:
    raise RuntimeError("nobody thought of this")


def test_tokens_and_passwords_are_told_to_nobody(house_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Not in the logs of the server, not in the store, not in any answer but the one to signing in."""
    caplog.set_level(logging.DEBUG)
    with Served(house_path, change=lambda app: app.register(faulty)) as house:
        token = house.account("Wei", "player")
        person, admin = Asking(house, token), house.as_("administrator")
        paths = ("/api/me", MINE, "/api/tables", "/api/tables/one", "/metrics", "/nothing", "/faulty")
        told = [person.get(path).text for path in paths]
        told += [
            admin.get(path).text
            for path in ("/api/accounts", "/api/significant-events", "/api/tables/one/log")
        ]
        told += [person.command("nonsense").text, person.post("/api/tables", b"{").text]
        told.append(sign_in(house, "Wei", "wrong-secret").text)
        with person.stream() as socket:
            told.append(str(socket.recv(timeout=GUARD)))
    kept = b"".join(path.read_bytes() for path in house_path.parent.iterdir() if path.is_file())
    theirs = ("httpx", "httpcore", "websockets")  # the client's own
    ours = [record for record in caplog.records if not record.name.startswith(theirs)]
    logged = "".join(logging.Formatter("%(message)s").format(record) for record in ours)
    assert b"Wei" in kept
    assert "nobody thought of this" in logged
    assert not [text for text in told if "nobody thought of this" in text], (
        "what happens inside is for the log"
    )
    for secret in (token, PASSWORD, "wrong-secret", hashlib.sha256(token.encode()).hexdigest()):
        assert not [text for text in told if secret in text]
        assert secret not in logged
        assert secret.encode() not in kept
