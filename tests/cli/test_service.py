"""`thirdcard serve`, `audit`, `backup`, `restore` and `account` as people call them."""

import contextlib
import json
import re
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pyotp
import pytest

from cli.running import here as thirdcard
from cli.test_schemas import wrong
from service.playing import KEY
from service.store.server import Server
from service.tampering import FILES, Copy, make
from thirdcard.cli.output import plain
from thirdcard.cli.signs import harmless
from thirdcard.service.keys import public_key, signing_key
from thirdcard.service.log.floor_events import HEADS_SIGNED
from thirdcard.service.log.store import open_snapshot
from thirdcard.service.tables.hall import FIRST_TABLES

pytestmark = pytest.mark.server

FIRST = len(FIRST_TABLES)
PROGRAM = [sys.executable, "-m", "thirdcard"]
PASSWORD = "correct horse battery"  # noqa: S105 - of nobody
PATIENCE = 300.0  # seconds; only a guard


def refused(*arguments: str, stdin: str = "") -> str:
    """The one sentence of a command that is refused."""
    status, out, err = thirdcard(*arguments, stdin=stdin)
    assert (status, out) == (2, "")
    assert err.startswith("thirdcard: ")
    assert err.count("\n") == 1
    return err


class Running:
    """A server in a process of its own; `line` is what it said when it was ready."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.process = subprocess.Popen(
            [*PROGRAM, "serve", "--port", "0", *options],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline()
        assert "tables at" in self.line, self.process.communicate()[1]
        found = re.search(r"(?:http://|listening at )([^ /]+:\d+)", self.line)
        assert found is not None
        self.address = f"http://{found[1]}"
        self.http = httpx.Client(base_url=self.address, timeout=PATIENCE)

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Stop it; the status, and what it said meanwhile on standard error."""
        self.http.close()
        if self.process.poll() is None:
            self.process.send_signal(number)
        _, err = self.process.communicate(timeout=PATIENCE)
        told = [line for line in err.splitlines(keepends=True) if "stood still" not in line]  # a busy machine
        return self.process.returncode, "".join(told)

    def sign_in(self, name: str, password: str = PASSWORD) -> httpx.Response:
        return self.http.post("/api/sessions", json={"name": name, "password": password})


@contextlib.contextmanager
def running(folder: Path, *options: str) -> Iterator[Running]:
    server = Running(folder, *options)
    try:
        yield server
    finally:
        server.end()


def notes(db: Path) -> list[dict[str, Any]]:
    """The journal, but for what a server signs when it stops."""
    with open_snapshot(str(db)) as snapshot:
        found = [json.loads(one.body) for one in snapshot.read("journal")]
    return [one for one in found if one.get("kind") != HEADS_SIGNED]


def eventually(found: Any) -> None:  # noqa: ANN401 - any condition
    end = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("house"), rounds=2)


@pytest.fixture
def house(original: Path, tmp_path: Path) -> Copy:
    return Copy(original, tmp_path / "copy")


# Serving --------------------------------------------------------------------------------------------------


def test_a_first_start_opens_a_house_that_can_be_audited_and_started_again(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        assert f"{FIRST} tables at {server.address}/ from {tmp_path / 'thirdcard.db'}" in server.line
        assert "\\n" not in server.line, "each sentence has a line of its own"
        assert "thirdcard account add NAME --role administrator" in server.line
        assert len(server.http.get("/api/tables").json()) == FIRST
        eventually(lambda: server.http.get("/readyz").status_code == 200)
        assert server.end(signal.SIGINT) == (130, "")
    beside = {path.name for path in tmp_path.iterdir()}
    assert {"thirdcard.db", "thirdcard.db.key", "thirdcard.db.anchor"} <= beside
    status, out, _ = thirdcard("audit", str(tmp_path / "thirdcard.db"), "--json")
    report = json.loads(out)
    assert (status, report["tables"], report["rounds"], report["problems"]) == (0, FIRST, 0, [])
    assert set(report) == {"schema", "thirdcard", "tables", "rounds", "events", "problems"}
    with running(tmp_path) as server:
        assert f"{FIRST} tables at" in server.line
        assert server.end(signal.SIGTERM) == (0, "")


@pytest.mark.whole
def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    """A request that never comes to its end keeps a server from stopping for a while."""
    with running(tmp_path) as server:
        host, port = server.address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as half:
            half.sendall(b"POST /api/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n"
                         b"Content-Type: application/json\r\n\r\n{")  # fmt: skip
            eventually(lambda: server.http.get("/healthz").status_code == 200)
            server.process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.process.wait(0.5)
            assert server.process.poll() is None, "it waits for the request"
            assert server.end(signal.SIGTERM)[0] == 128 + signal.SIGTERM


@contextlib.contextmanager
def no_room(server: Running, db: Path) -> Iterator[None]:
    """No file of that process may grow any more."""
    limit = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    size = max(file.stat().st_size for file in (db, Path(f"{db}-wal")))
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, limit[1]))
    yield
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limit)


def test_a_full_disk_is_told_once_to_who_looks_after_it_and_to_probes_and_so_is_its_end(
    tmp_path: Path,
) -> None:
    with running(tmp_path) as server:
        with no_room(server, tmp_path / "thirdcard.db"):
            for _ in range(3):
                eventually(lambda: server.http.post("/api/guests").status_code == 503)
            told = server.http.get("/readyz")
            assert (told.status_code, told.json()["status"]) == (503, "not ready")
            assert (
                "there is no room to write" in told.json()["reasons"]
            )  # on a busy machine it is late besides
            assert server.http.get("/healthz").status_code == 200
        eventually(lambda: server.http.get("/readyz").json() == {"status": "ready", "reasons": []})
        assert server.http.post("/api/guests").status_code == 201
        status, err = server.end()
    assert status == 0
    begun, ended = [line for line in err.splitlines() if "stood still" not in line]
    assert re.search(r" ERROR there is no room for thirdcard\.db.* make room, and play goes on$", begun)
    assert re.search(r" WARNING .*thirdcard\.db can be used again, after \d+\.\d s$", ended)
    assert [note["kind"] for note in notes(tmp_path / "thirdcard.db")].count("writing-again") == 1


def test_accounts_are_made_and_changed_beside_a_running_server(tmp_path: Path) -> None:
    db = str(tmp_path / "thirdcard.db")
    with running(tmp_path) as server:
        add = ("account", "add", "Root", "--role", "administrator", "--db", db, "--password-stdin")
        assert thirdcard(*add, stdin=PASSWORD + "\n") == (0, "Root is administrator now.\n", "")
        assert thirdcard("account", "add", "Ada", *add[3:], stdin=PASSWORD)[0] == 0
        signed_in = server.sign_in("Root")
        assert signed_in.status_code == 201
        mine = {"Authorization": f"Bearer {signed_in.json()['token']}"}
        assert server.http.get("/api/accounts", headers=mine).status_code == 200
        assert thirdcard("account", "role", "Root", "--role", "auditor", "--db", db)[0] == 0
        eventually(lambda: server.http.get("/api/accounts", headers=mine).status_code == 401)
        told = server.sign_in("Root").json()
        assert told["role"] == "auditor"
        assert thirdcard("account", "disable", "Root", "--db", db)[0] == 0
        eventually(lambda: server.sign_in("Root").status_code == 401)
        eventually(lambda: "account-disabled" in [note["kind"] for note in notes(Path(db))])
        assert server.end()[1] == ""
    kinds = [note["kind"] for note in notes(Path(db)) if note["kind"] != "sign-in-failed"]
    assert kinds == ["account-added", "account-added", "role-changed", "account-disabled"]
    facts = notes(Path(db))[0]["facts"]
    assert len(facts.pop("sha256")) == 64
    assert facts == {"name": "Root", "role": "administrator", "by": "console"}
    assert thirdcard("audit", db)[0] == 0


@pytest.mark.whole
def test_codes_of_staff_are_asked_for_and_reset_beside_a_running_server(tmp_path: Path) -> None:
    db = str(tmp_path / "thirdcard.db")
    add = ("account", "add", "Root", "--role", "administrator", "--db", db, "--password-stdin")
    assert thirdcard(*add, stdin=PASSWORD)[0] == 0
    who = {"name": "Root", "password": PASSWORD}
    with running(tmp_path, "--staff-codes") as server:
        assert server.sign_in("Root").json()["code"] == "codes-first"
        device = pyotp.TOTP(server.http.post("/api/codes", json=who).json()["secret"])
        assert server.http.put("/api/codes", json={**who, "code": device.now()}).status_code == 200
        assert server.sign_in("Root").json()["code"] == "code-needed"
        status, out, _ = thirdcard("account", "reset-codes", "Root", "--db", db, "--json")
        assert (status, json.loads(out)["done"], wrong("account", json.loads(out))) == (0, "reset-codes", [])
        assert server.sign_in("Root").json()["code"] == "codes-first"
        reset = {"account": "Root", "kind": "second-factor", "sha256": "", "by": "console"}
        eventually(lambda: reset in [note["facts"] for note in notes(Path(db))])
        assert "no one-time codes" in refused("account", "reset-codes", "Root", "--db", db)
        assert server.end()[1] == ""
    assert thirdcard("audit", db)[0] == 0


def test_a_second_server_on_the_same_file_or_port_is_refused(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        port = server.address.rsplit(":", 1)[1]
        db = str(tmp_path / "thirdcard.db")
        assert "another process serves it" in refused("serve", "--db", db, "--port", "0")
        other = str(tmp_path / "other.db")
        assert f"cannot listen at port {port}" in refused("serve", "--db", other, "--port", port)
        assert not Path(other).exists()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--host", "0.0.0.0"], "say with --public-url by which address they come"),  # noqa: S104
        (["--host", "::"], "say with --public-url"),
        (["--public-url", "HOST"], "is not an address such as"),
        (["--public-url", "https://HOST/path"], "is not an address such as"),
        (["--host", "no.such.host.invalid", "--public-url", "https://HOST"], "cannot listen at port"),
        (["--port", "65536"], "less than or equal to 65535"),
        (["--db", "nowhere/house.db"], "cannot open nowhere/house.db"),
        (["--db", "postgresql://nobody:hidden-word@127.0.0.1:1/x"], "the PostgreSQL server cannot be used"),
    ],
)
def test_what_cannot_be_served_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    port = [] if "--port" in options else ["--port", "0"]
    sentence = refused("serve", *port, *options)
    assert told in sentence
    assert "hidden-word" not in sentence


def test_a_key_that_does_not_fit_is_one_sentence(house: Copy) -> None:
    house.key.write_text("ab" * 32, encoding="ascii")
    told = refused("serve", "--db", str(house.db), "--port", "0")
    assert "is not the one that the shoes were sealed with" in told


def test_a_log_that_was_cut_is_one_sentence(house: Copy) -> None:
    house.rewrite("tiger", house.log("tiger")[:-1])
    told = refused("serve", "--db", str(house.db), "--port", "0")
    assert "the log of tiger is not the one that was anchored" in told


def test_an_event_that_was_edited_is_one_sentence(tmp_path: Path, house: Copy) -> None:
    """With its anchor beside it, which knows the hash that it had."""
    sql = "SELECT version, body FROM events WHERE stream = 'tiger' AND name = 'bought-in' LIMIT 1"
    ((version, body),) = house.ask(sql)
    richer = body.replace(b"50000000", b"90000000")
    assert richer != body
    house.ask("UPDATE events SET body = ? WHERE stream = 'tiger' AND version = ?", richer, version)
    before = house.anchor.read_bytes()
    done = subprocess.run(
        [*PROGRAM, "serve", "--db", str(house.db), "--port", "0"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert f"the log of tiger was changed outside the server: event {version} does not follow" in done.stderr
    assert "`thirdcard audit` tells more" in done.stderr
    assert house.anchor.read_bytes() == before


def test_a_damaged_file_and_a_trigger_are_one_sentence(house: Copy) -> None:
    serve = ("serve", "--db", str(house.db), "--port", "0")
    house.ask("CREATE TRIGGER more AFTER INSERT ON postings BEGIN UPDATE postings SET cents = cents * 2; END")
    assert "has a trigger that thirdcard did not make: more" in refused(*serve)
    house.ask("DROP TRIGGER more")
    data = bytearray(house.db.read_bytes())
    data[-4096:] = bytes(4096)
    house.db.write_bytes(data)
    assert "damaged" in refused(*serve)
    assert "damaged" in thirdcard("audit", str(house.db))[1]


@pytest.mark.whole
def test_a_log_cut_with_its_anchor_is_refused_until_somebody_says_so_on_record(house: Copy) -> None:
    house.rewrite("tiger", house.log("tiger")[:-20])
    house.anchor.unlink()
    serve = ("--db", str(house.db))
    told = refused("serve", "--port", "0", *serve)
    assert "does not know the logs of" in told
    assert all(name in told for name in ("by-hand", "insured", "squeezed", "tiger"))
    assert not house.anchor.exists(), "an anchor is made by nobody but who says so"
    with running(
        house.db.parent, *serve, "--new-anchor", "lost with \x1b[31m[bold]its[/bold] disk"
    ) as server:
        signed = server.http.get("/api/heads").json()
        assert server.end() == (0, "")
    assert signed["key"] == public_key(signing_key(KEY))
    (note,) = [one for one in notes(house.db) if one.get("kind") == "anchor-missing"]
    assert note["facts"]["by"]
    assert "tiger " in note["facts"]["heads"]
    assert "lacks nothing" in refused("serve", "--port", "0", *serve, "--new-anchor", "again")
    kept = house.db.with_name("kept.json")
    kept.write_text(json.dumps(signed), encoding="utf-8")
    status, out, _ = thirdcard("audit", str(house.db), "--heads", str(kept))
    assert status == 0, out
    assert "trust begins anew at event" in out
    assert "lost with \\u001b[31m[bold]its[/bold] disk" in out
    assert "\x1b" not in out
    assert "who is signed in is in no log" in out
    told = json.loads(thirdcard("audit", str(house.db), "--json")[1])
    assert (told["problems"], len(told["remarks"])) == ([], 1)


def test_the_public_key_of_a_house_is_printed_and_never_made(house: Copy, tmp_path: Path) -> None:
    assert thirdcard("key", str(house.db)) == (0, public_key(signing_key(KEY)) + "\n", "")
    assert "there is no key" in refused("key", str(tmp_path / "nothing.db"))
    assert list(tmp_path.iterdir()) == [house.db.parent]


@pytest.mark.whole
def test_an_event_of_a_newer_release_is_one_sentence(tmp_path: Path, house: Copy) -> None:
    """The house finds it while it starts, in the server's own process."""
    house.ask("UPDATE events SET schema = 9 WHERE stream = 'by-hand' AND version = 1")
    house.rehash("by-hand")
    house.anchor.unlink()
    done = subprocess.run(
        [*PROGRAM, "serve", "--db", str(house.db), "--port", "0", "--new-anchor", "a test"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"thirdcard: event 1 of by-hand .* newer thirdcard.*\n", done.stderr)


@pytest.mark.whole
def test_other_machines_are_served_by_the_name_they_use(tmp_path: Path) -> None:
    with running(tmp_path, "--public-url", "https://tables.example") as server:
        assert "at https://tables.example/ (listening at 127.0.0.1:" in server.line
        tables = server.http.get("/api/tables", headers={"Host": "tables.example"})
        assert tables.status_code == 200
        assert "strict-transport-security" in tables.headers
        assert server.http.get("/api/tables", headers={"Host": "other.example"}).status_code == 403


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    started = Server()
    yield started
    started.stop()


def test_a_house_on_postgresql(tmp_path: Path, postgres: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Served, administered, audited, backed up and restored, and its password told nowhere."""
    monkeypatch.chdir(tmp_path)
    url = re.sub(r"//([^:@/]*):?[^@/]*@", r"//\1:hidden-word@", postgres.database())
    assert "hidden-word" in url
    said = []
    ready = re.compile(r"at (http://[^/]+)/")
    process = subprocess.Popen(
        [*PROGRAM, "serve", "--db", url, "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        said.append(process.stdout.readline())
        assert ready.search(said[0]), said
        add = ("account", "add", "Root", "--role", "administrator", "--db", url, "--password-stdin")
        said += thirdcard(*add, stdin=PASSWORD)[1:]
        said += thirdcard("account", "list", "--db", url)[1:]
        eventually(lambda: thirdcard("audit", url)[0] == 0)
        said += thirdcard("audit", url)[1:]
        said += thirdcard("backup", url, "backup.db")[1:]
    finally:
        process.send_signal(signal.SIGTERM)
        said += process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert list(tmp_path.glob("thirdcard-*.anchor"))
    status, *told = thirdcard("audit", url, "--json")
    assert (status, json.loads(told[0])["tables"]) == (0, FIRST)
    status, *told = thirdcard("restore", "backup.db", "restored.db", "--json")
    assert (status, json.loads(told[0])["tables"]) == (0, FIRST)
    assert "Root" in thirdcard("account", "list", "--db", "restored.db")[1]
    assert "hidden-word" not in "".join([*said, *told])


# Audit, back-up and restore -------------------------------------------------------------------------------


def test_an_audit_that_finds_nothing(house: Copy) -> None:
    status, out, err = thirdcard("audit", str(house.db))
    assert (status, err) == (0, "")
    assert "4 tables, 10 rounds" in out
    assert "nothing is wrong" in out


def test_an_audit_that_finds_something_has_status_1(house: Copy) -> None:
    house.ask("UPDATE events SET at = 5 WHERE stream = 'tiger' AND version = 7")
    status, out, _ = thirdcard("audit", str(house.db), "--json")
    (problem,) = json.loads(out)["problems"]
    assert status == 1
    assert problem["table"] == "tiger"
    assert problem["event"] == 7
    assert set(problem) == {"table", "event", "round", "what"}
    status, out, _ = thirdcard("audit", str(house.db))
    assert status == 1
    assert "something is wrong" in out


NASTY = "[/red]\x1b[2J\u202ewei\x9b31m"


@pytest.mark.whole
def test_names_do_nothing_to_the_terminal(house: Copy) -> None:
    """Markup, escape sequences and marks that turn text round are printed as what they are."""
    house.ask("INSERT INTO accounts VALUES ('x', ?, 'dealer', '', 0, 0, 0, 0)", NASTY)
    house.ask("INSERT INTO streams VALUES (?, 3, x'00')", NASTY)
    with house.anchor.open("ab") as file:
        file.write(NASTY.encode() + b"\n")
    spelt = "[/red]\\u001b[2J\\u202ewei\\u009b31m"
    status, out, _ = thirdcard("audit", str(house.db))
    assert status == 1
    assert out.replace("\n", "").count("[/red]") >= 3
    told = thirdcard("audit", str(house.db), "--json")[1]
    assert any(one["table"] == NASTY for one in json.loads(told)["problems"]), "a program gets what is there"
    listed = thirdcard("account", "list", "--db", str(house.db))[1]
    assert spelt in listed
    for text in (out, told, listed):
        assert not {"\x1b", "\u202e", "\x9b"} & set(text)


def test_what_is_harmless_stays_as_it_is() -> None:
    assert harmless("Anwar 閒庄\u3000🂡 ß") == "Anwar 閒庄\u3000🂡 ß"
    assert harmless("a\nb\tc") == "a\\nb\\tc"
    assert harmless("a\nb", keep="\n") == "a\nb"
    assert plain("[bold]") == "\\[bold]"


def test_an_audit_takes_key_and_anchors_from_elsewhere(house: Copy, tmp_path: Path) -> None:
    elsewhere = tmp_path / "safe"
    elsewhere.mkdir()
    for name in FILES[1:]:
        (house.db.parent / name).rename(elsewhere / name)
    assert thirdcard("audit", str(house.db))[0] == 1, "they are not in their usual place"
    key, anchor = str(elsewhere / FILES[1]), str(elsewhere / FILES[2])
    assert thirdcard("audit", str(house.db), "--key", key, "--anchor", anchor)[0] == 0


def test_an_audit_of_nothing_is_refused(tmp_path: Path) -> None:
    assert "there is no database" in refused("audit", str(tmp_path / "nothing.db"))
    assert not list(tmp_path.iterdir()), "and makes nothing"


def test_a_back_up_is_restored_and_audited(house: Copy, tmp_path: Path) -> None:
    file, place = tmp_path / "backup.db", tmp_path / "restored.db"
    status, out, _ = thirdcard("backup", str(house.db), str(file))
    assert status == 0
    assert "Key and anchor are not" in out
    status, out, _ = thirdcard("restore", str(file), str(place))
    assert status == 0
    assert "nothing is wrong" in out
    assert "without key and anchor" in out
    mine = ("--key", str(house.key), "--anchor", str(house.anchor))
    other = tmp_path / "other.db"
    status, out, _ = thirdcard("restore", str(file), str(other), *mine, "--json")
    assert (status, json.loads(out)["problems"]) == (0, [])
    assert "is there already" in refused("backup", str(house.db), str(file))
    assert "is not empty" in refused("restore", str(file), str(place))


def test_a_back_up_that_was_tampered_with_is_told_when_it_is_restored(house: Copy, tmp_path: Path) -> None:
    file = tmp_path / "backup.db"
    thirdcard("backup", str(house.db), str(file))
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE postings SET cents = cents * 2")
    status, out, _ = thirdcard("restore", str(file), str(tmp_path / "restored.db"))
    assert status == 1
    assert "the ledger does not hold what it moved" in out


# Accounts -------------------------------------------------------------------------------------------------


@pytest.mark.whole
def test_an_account_is_made_before_the_first_start(tmp_path: Path) -> None:
    db = tmp_path / "thirdcard.db"
    add = ("account", "add", "Root", "--role", "administrator", "--db", str(db), "--password-stdin")
    assert thirdcard(*add, stdin=PASSWORD + "\n")[0] == 0
    assert [(note["kind"], note["facts"]["name"]) for note in notes(db)] == [("account-added", "Root")]
    status, out, _ = thirdcard("account", "list", "--db", str(db), "--json")
    assert (status, json.loads(out)) == (0, [{"name": "Root", "role": "administrator", "disabled": False}])
    with running(tmp_path) as server:
        assert "first administrator" not in server.line
        assert server.sign_in("Root").status_code == 201


def test_an_account_is_changed(tmp_path: Path) -> None:
    db = str(tmp_path / "thirdcard.db")
    add = ("account", "add", "Dee", "--role", "dealer", "--db", db, "--password-stdin")
    assert thirdcard(*add, stdin=PASSWORD)[0] == 0
    assert "or somebody has it" in refused("account", "add", "dee", *add[3:], stdin=PASSWORD)
    assert thirdcard("account", "role", "Dee", "--role", "pit-manager", "--db", db)[0] == 0
    assert (
        thirdcard("account", "password", "Dee", "--db", db, "--password-stdin", stdin="another one here")[0]
        == 0
    )
    assert thirdcard("account", "disable", "Dee", "--db", db)[0] == 0
    assert "disabled" in thirdcard("account", "list", "--db", db)[1]
    kinds = [note["kind"] for note in notes(Path(db))]
    assert kinds == ["account-added", "role-changed", "password-changed", "account-disabled"]
    log = Path(db).read_bytes()
    assert PASSWORD.encode() not in log
    assert b"another one here" not in log


@pytest.mark.parametrize(
    ("arguments", "stdin", "told"),
    [
        (["add", "Dee", "--role", "dealer"], "", "give it with --password-stdin"),
        (["add", "Dee", "--role", "dealer", "--password-stdin"], "short", "must have 12 to 128 characters"),
        (["add", "Dee", "--role", "king", "--password-stdin"], PASSWORD, "is not a role"),
        (["add", "house", "--role", "dealer", "--password-stdin"], PASSWORD, "keeps for itself"),
        (["role", "Nobody", "--role", "dealer"], "", "there is no database"),
        (["disable", "Nobody"], "", "there is no database"),
    ],
)
def test_an_account_that_cannot_be_is_one_sentence(
    tmp_path: Path, arguments: list[str], stdin: str, told: str
) -> None:
    sentence = refused("account", *arguments, "--db", str(tmp_path / "thirdcard.db"), stdin=stdin)
    assert told in sentence
    assert PASSWORD not in sentence


def test_the_house_key_is_in_nothing_that_is_kept_beside_it(house: Copy) -> None:
    assert KEY.hex().encode() not in house.db.read_bytes() + house.anchor.read_bytes()


# Rulebooks -------------------------------------------------------------------------------------------------

GAME = """
slug = "house-game"
extends = "plain"
document = { title = "House Game" }
[bets.tie]
pays = [{ tier = "win", when = { winner = ["tie"] }, odds = "9 to 1" }]
"""


def listed(server: Running) -> dict[str, dict[str, Any]]:
    return {one["slug"]: one for one in server.http.get("/api/rulebooks").json()}


@pytest.mark.whole
def test_a_server_plays_by_the_rulebooks_of_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "books"
    folder.mkdir()
    (folder / "game.toml").write_text(GAME, encoding="utf-8")
    (folder / "broken.toml").write_text(
        GAME.replace("9 to 1", "lots").replace("house-", "broken-"), encoding="utf-8"
    )
    with running(tmp_path, "--rulebooks", str(folder)) as server:
        found = listed(server)
        own = found["house-game"]
        assert (own["origin"], own["where"], own["problem"], own["title"]) == (
            "folder",
            "books",
            "",
            "House Game",
        )
        assert len(own["digest"]) == 64
        assert "bets.tie" in found["broken-game"]["problem"]
        assert found["mbs-tiger-v2"]["origin"] == "package"
        assert server.http.get("/api/odds/house-game").json()["digest"] == own["digest"]
        assert server.http.get("/api/rules/broken-game").status_code == 404


@pytest.mark.whole
def test_a_command_gives_a_rulebook_to_a_server_that_runs_and_to_one_that_does_not(tmp_path: Path) -> None:
    file, db = tmp_path / "game.toml", tmp_path / "thirdcard.db"
    file.write_text(GAME, encoding="utf-8")
    with running(tmp_path) as server:
        assert "house-game" not in listed(server)
        status, out, _ = thirdcard("rulebook", "add", str(file), "--db", str(db))
        assert (status, "house-game is in the house now" in out) == (0, True)
        eventually(lambda: "house-game" in listed(server))
        first = listed(server)["house-game"]
        assert (first["origin"], first["problem"]) == ("server", "")
    file.write_text(GAME.replace("9 to 1", "10 to 1"), encoding="utf-8")
    assert thirdcard("rulebook", "add", str(file), "--db", str(db))[0] == 0
    with running(tmp_path) as server:
        assert listed(server)["house-game"]["digest"] not in ("", first["digest"])
    assert [one["kind"] for one in notes(db)] == ["rulebook-added"] * 2
    told = json.loads(thirdcard("rulebook", "list", "--db", str(db), "--json")[1])
    assert [one["rulebook"] for one in told].count("house-game") == 2
    assert "House Game" in thirdcard("rulebook", "list", "--db", str(db))[1]
    assert thirdcard("audit", str(db))[0] == 0


def test_a_rulebook_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    file, db = tmp_path / "game.toml", str(tmp_path / "thirdcard.db")
    file.write_text(GAME.replace("9 to 1", "lots"), encoding="utf-8")
    assert "bets.tie" in refused("rulebook", "add", str(file), "--db", db)
    file.write_text(GAME.replace("house-game", "mbs-tiger-v2"), encoding="utf-8")
    assert "another rulebook is called mbs-tiger-v2" in refused("rulebook", "add", str(file), "--db", db)
    assert "there is no file" in refused("rulebook", "add", str(tmp_path / "none.toml"), "--db", db)
    assert not Path(db).exists()
