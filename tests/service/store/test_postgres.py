"""What several processes on one PostgreSQL server rely on: two stores here are as good as two processes."""

import contextlib
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import Any

import psycopg
import pytest

from service.store.making import answer, append, record
from service.store.server import Server
from thirdcard.errors import BadInput
from thirdcard.service.log.store import postgres, postgres_connection
from thirdcard.service.log.store.commits import Judged, judge
from thirdcard.service.log.store.model import (
    Account,
    Append,
    Conflict,
    Done,
    Fenced,
    Result,
    SealedShoe,
    Seen,
    Session,
    StoreDown,
    StoreFull,
)
from thirdcard.service.log.store.postgres import PostgresSnapshot, PostgresStore
from thirdcard.service.log.store.postgres_connection import WRITER
from thirdcard.service.log.store.postgres_sql import END_HANGING

JUDGE = "thirdcard.service.log.store.postgres.judge"
GUARD = 300  # seconds after which a test that hangs gives up


@pytest.fixture
def stores(database: str) -> Iterator[list[PostgresStore]]:
    opened = [PostgresStore(database), PostgresStore(database)]
    yield opened
    for store in opened:
        store.close()


def run(database: str, *statements: str) -> None:
    with psycopg.connect(database, options="-c search_path=thirdcard") as connection:
        for statement in statements:
            connection.execute(statement.encode())


# Races


def test_several_processes_may_start_at_once(database: str) -> None:
    together = threading.Barrier(6, timeout=GUARD)

    def start(_: int) -> PostgresStore:
        together.wait()
        return PostgresStore(database)

    with ThreadPoolExecutor(6) as pool:
        stores = list(pool.map(start, range(6)))
    assert stores[0].commit([append("t")]) == [Done()]
    assert stores[5].read("t") == list(append("t").records)
    for store in stores:
        store.close()


def test_of_many_processes_one_wins_each_version(database: str) -> None:
    stores = [PostgresStore(database) for _ in range(6)]
    together = threading.Barrier(len(stores), timeout=GUARD)

    def race(store: PostgresStore) -> list[bool]:
        won = []
        for version in range(20):
            together.wait()
            won.append(store.commit([append("t", version)]) == [Done()])
        return won

    with ThreadPoolExecutor(len(stores)) as pool:
        won = list(pool.map(race, stores))
    assert [sum(wins) for wins in zip(*won, strict=True)] == [1] * 20
    assert [found.version for found in stores[0].read("t")] == list(range(1, 21))
    for store in stores:
        store.close()


def test_commits_over_the_same_streams_in_any_order_do_not_lock_each_other_out(
    stores: list[PostgresStore],
) -> None:
    names = ["a", "b", "c", "d", "e"]

    def work(me: int) -> int:
        done = 0
        for _ in range(40):
            heads = stores[me].heads()
            wanted = names if me else names[::-1]
            appends = [append(name, heads[name].version if name in heads else 0) for name in wanted]
            done += stores[me].commit(appends).count(Done())
        return done

    with ThreadPoolExecutor(2) as pool:
        done = sum(pool.map(work, range(2)))
    assert done == sum(head.version for head in stores[0].heads().values())
    assert done >= 40


def raced(stores: list[PostgresStore], monkeypatch: pytest.MonkeyPatch) -> tuple[list[Result], list[Result]]:
    """The same command by two processes at two tables, the second within the first: after its look."""
    first, second = stores
    inner: list[Result] = []

    def judge_late(*args: object) -> object:
        judged = judge(*args)  # type: ignore[arg-type]
        monkeypatch.setattr(JUDGE, judge)
        inner.extend(second.commit([append("u", answers=(answer("k", text=b"second"),))]))
        return judged

    monkeypatch.setattr(JUDGE, judge_late)
    outer = first.commit([append("t", answers=(answer("k", text=b"first"),)), append("v")])
    return outer, inner


def test_a_command_has_one_effect_even_if_two_processes_get_it_at_once(
    stores: list[PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    outer, inner = raced(stores, monkeypatch)
    assert inner == [Done()]
    assert outer == [Seen((answer("k", text=b"second"),)), Done()]
    assert sorted(stores[0].heads()) == ["u", "v"]


def test_without_unique_keys_it_would_have_two(
    database: str, stores: list[PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: the race is real, and the key of the answers decides it."""
    run(database, "ALTER TABLE answers DROP CONSTRAINT answers_pkey")
    outer, inner = raced(stores, monkeypatch)
    assert inner == [Done()]
    assert outer == [Done(), Done()]
    assert sorted(stores[0].heads()) == ["t", "u", "v"]


@pytest.mark.parametrize("streams", [("t", "t"), ("t", "u")], ids=["one table", "two tables"])
def test_commands_that_race_by_the_hundred_have_one_effect_each(
    stores: list[PostgresStore], streams: tuple[str, str]
) -> None:
    together = threading.Barrier(2, timeout=GUARD)

    def work(me: int) -> list[str]:
        stream, store, done = streams[me], stores[me], []
        for n in range(100):
            together.wait()
            while True:
                head = store.heads().get(stream)
                asked = append(stream, head.version if head else 0, answers=(answer(str(n)),))
                [result] = store.commit([asked])
                if not isinstance(result, Conflict):
                    break
            done += [str(n)] * isinstance(result, Done)
        return done

    with ThreadPoolExecutor(2) as pool:
        done = [key for keys in pool.map(work, range(2)) for key in keys]
    assert sorted(done, key=int) == [str(n) for n in range(100)]
    assert sum(head.version for head in stores[0].heads().values()) == 100


# Telling the others


class Told:
    """What a listener was told, in order."""

    def __init__(self) -> None:
        self.queue: SimpleQueue[tuple[str, str]] = SimpleQueue()

    def __call__(self, topic: str, text: str) -> None:
        self.queue.put((topic, text))

    def next(self) -> tuple[str, str]:
        return self.queue.get(timeout=GUARD)

    def nothing(self) -> bool:
        try:
            self.queue.get(timeout=0.2)
        except Empty:
            return True
        return False


def test_others_are_told_of_streams_sessions_and_accounts(stores: list[PostgresStore]) -> None:
    here, there = stores
    told = Told()
    stop = there.listen(told)
    here.commit([append("t", 0, 3), append("u"), append("u", 5)])
    assert {told.next(), told.next()} == {("stream", "t 3"), ("stream", "u 1")}
    here.commit([append("t")])
    here.commit([Append(stream="t", expected=0, answers=(answer("refused"),))])
    mei = Account(name="Mei", role="player", created=1)
    here.add_account(mei)
    here.add_account(mei)
    here.change_account(mei)
    assert [told.next(), told.next()] == [("account", "Mei")] * 2
    here.put_session(Session(token_hash=b"\x01" * 32, account="Mei", created=1, seen=1))
    here.drop_session(b"\x01" * 32)
    here.drop_session(b"\x01" * 32)
    assert told.next() == ("session", "01" * 32)
    here.put_session(Session(token_hash=b"\x02" * 32, account="Mei", created=1, seen=1))
    here.drop_sessions(account="mei")
    assert told.next() == ("session", "02" * 32)
    stop()
    here.commit([append("t", 3)])
    assert told.nothing()
    assert not any(thread.name == "thirdcard-listen" for thread in threading.enumerate())


def test_a_listener_that_fails_goes_on_listening(
    stores: list[PostgresStore], caplog: pytest.LogCaptureFixture
) -> None:
    told = Told()

    def fail_once(topic: str, text: str) -> None:
        told(topic, text)
        if text == "t 1":
            raise RuntimeError("on purpose")

    stores[1].listen(fail_once)
    stores[0].commit([append("t")])
    stores[0].commit([append("t", 1)])
    assert [told.next(), told.next()] == [("stream", "t 1"), ("stream", "t 2")]
    assert "a listener failed" in caplog.text


def test_a_listener_whose_connection_was_lost_is_told_so(database: str, stores: list[PostgresStore]) -> None:
    told = Told()
    stores[1].listen(told)
    end_connections(database, "LISTEN%")
    assert told.next() == ("lost", "")
    stores[0].commit([append("t")])
    assert told.next() == ("stream", "t 1")


# Leading


def end_connections(database: str, query: str) -> None:
    """End, from the server's side, the connections whose last statement was such."""
    with psycopg.connect(database) as connection:
        ended = connection.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
            " WHERE query LIKE %s AND pid <> pg_backend_pid()",
            (query,),
        ).fetchall()
    assert ended


def test_one_process_leads_until_it_resigns(stores: list[PostgresStore]) -> None:
    here, there = stores
    assert here.lead(["t"]) == {"t": 1}
    assert there.lead(["u", "t"]) == {"u": 1}
    assert here.lead(["t", "u"]) == {"t": 1}, "it goes on in the same term"
    here.resign()
    assert there.lead(["t"]) == {"t": 2}
    assert here.lead(["t"]) == {}
    there.close()
    assert here.lead(["t", "u"]) == {"t": 3, "u": 2}


def test_a_lost_connection_ends_no_lease(database: str, stores: list[PostgresStore]) -> None:
    here, there = stores
    here.lead(["t"])
    end_connections(database, "%INTO leases%")
    assert there.lead(["t"]) == {}
    assert here.lead(["t"]) == {"t": 1}


RUN_OUT = "UPDATE leases SET until = clock_timestamp() - interval '1 ms'"


def test_a_lease_that_has_run_out_is_anybodys_and_its_term_ends_with_it(
    database: str, stores: list[PostgresStore]
) -> None:
    here, there = stores
    here.lead(["t"])
    run(database, RUN_OUT)
    assert here.commit([append("t", term=1)]) == [Fenced()]
    assert here.lead(["t"]) == {"t": 1}, "nobody else was quicker"
    assert here.commit([append("t", term=1)]) == [Done()]
    run(database, RUN_OUT)
    assert there.lead(["t"]) == {"t": 2}
    assert here.lead(["t"]) == {}
    together = [append("t", 1, term=1), append("u"), append("never led", term=1)]
    assert here.commit(together) == [Fenced(), Done(), Fenced()], "what needs no term is written all the same"
    assert there.commit([append("t", 1, term=2)]) == [Done()]
    assert here.commit([append("t", 2)]) == [Done()], "what people ask for needs no term"


def test_who_stands_still_in_the_middle_of_a_commit_writes_nothing_once_the_term_has_ended(
    database: str, stores: list[PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = stores
    here.lead(["t"])

    def stands_still(*asked: Any) -> Judged:  # noqa: ANN401
        monkeypatch.undo()
        run(database, RUN_OUT)
        assert there.lead(["t"]) == {"t": 2}
        return judge(*asked)

    monkeypatch.setattr(JUDGE, stands_still)
    assert here.commit([append("t", term=1)]) == [Fenced()]
    assert here.read("t") == []


def test_what_a_process_has_locked_that_hangs_in_the_middle_of_sending_a_commit_is_let_go(
    database: str, stores: list[PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = stores
    assert there.commit([append("t")]) == [Done()]
    settings = "-c search_path=thirdcard"
    connection = psycopg.connect(database, options=settings, application_name=WRITER["application_name"])
    with contextlib.closing(connection) as hanging:
        pipeline = hanging.pgconn
        hanging.execute("SELECT stream FROM streams FOR UPDATE")
        pipeline.enter_pipeline_mode()
        pipeline.send_query_params(b"SELECT 1", None)
        pipeline.send_flush_request()
        pipeline.flush()  # and not another word
        here.lead([])  # not yet
        monkeypatch.setattr(postgres, "END_HANGING", END_HANGING.replace("2 s", "0 s"))
        here.lead([])
        assert there.commit([append("t", 1)]) == [Done()]


def test_a_server_that_hangs_breaks_off_what_is_asked_of_it(
    server: Server, stores: list[PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its system answers for it, so that neither the network nor the server's own limits tell.

    Only while it hangs is there less patience than usual: a busy machine is not a server that hangs.
    """
    store = stores[0]
    store.commit([append("t")])
    store.lead(["t"])
    assert store.heads()
    calls: list[Callable[[], object]] = [
        store.heads,
        lambda: store.commit([append("t", 1)]),
        lambda: store.lead(["t"]),
    ]
    with server.hanging(), monkeypatch.context() as hurried:
        hurried.setattr(postgres_connection, "PAUSE", 0.01)
        for call in calls:
            with pytest.raises(StoreDown):
                call()
    assert store.commit([append("t", 1)]) == [Done()]
    assert store.lead(["t"]) == {"t": 1}


# Faults


def test_a_connection_that_was_lost_while_idle_is_made_anew(
    database: str, stores: list[PostgresStore]
) -> None:
    store = stores[0]
    store.commit([append("t")])
    assert store.heads()
    end_connections(database, "%")
    assert store.read("t") == list(append("t").records)
    assert store.commit([append("t", 1)]) == [Done()]


def test_a_connection_lost_in_the_middle_of_a_commit_is_told(
    database: str, stores: list[PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = stores[0]

    def judge_cut_off(*args: object) -> object:
        end_connections(database, "%FROM answers%")
        return judge(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(JUDGE, judge_cut_off)
    with pytest.raises(StoreDown):
        store.commit([append("t", answers=(answer("k"),))])
    monkeypatch.undo()
    assert store.heads() == {}
    assert store.commit([append("t", answers=(answer("k"),))]) == [Done()]


def test_a_full_disk_is_told_and_nothing_is_written(database: str, stores: list[PostgresStore]) -> None:
    store = stores[0]
    store.commit([append("t")])
    run(
        database,
        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$",
        "CREATE TRIGGER full_disk BEFORE INSERT ON shoes EXECUTE FUNCTION full_disk()",
    )
    more = append("t", 1, shoes=(SealedShoe(number=1, sealed=b"x"),), answers=(answer("k"),))
    with pytest.raises(StoreFull):
        store.commit([append("u"), more])
    assert {stream: head.version for stream, head in store.heads().items()} == {"t": 1}
    assert store.answered("Mei", "k") is None
    run(database, "DROP TRIGGER full_disk ON shoes")
    assert store.commit([append("u"), more]) == [Done(), Done()]


def commit_through(store: PostgresStore, stop: threading.Event, acknowledged: list[int]) -> int:
    """Commit one after the other, each until it is acknowledged; how often the store was down."""
    downs, version = 0, 0
    while not stop.is_set():
        asked = append("t", version, answers=(answer(str(version)),))
        try:
            [result] = store.commit([asked])
        except StoreDown:
            downs += 1
            time.sleep(0.02)
            continue
        assert not isinstance(result, Conflict)  # done, or done by the try that broke off
        version += 1
        acknowledged.append(version)
    return downs


def test_killed_and_started_again_it_has_all_that_was_acknowledged(server: Server) -> None:
    database = server.database()
    store, other = PostgresStore(database), PostgresStore(database)
    told, stop = Told(), threading.Event()
    other.listen(told)
    assert other.lead("t")
    acknowledged: list[int] = []
    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(commit_through, store, stop, acknowledged)
        try:
            for _ in range(2):
                wait_for(acknowledged, len(acknowledged) + 20)
                server.kill()
                with pytest.raises(StoreDown):
                    other.lead("t")
                with pytest.raises(StoreDown):
                    other.heads()
                server.start()
                wait_for(acknowledged, len(acknowledged) + 1)
                assert other.lead("t")
                while told.next() != ("lost", ""):
                    pass
        finally:
            stop.set()
        assert working.result() > 0
    found = [event.version for event in other.read("t")]
    assert found[: len(acknowledged)] == acknowledged
    assert len(found) <= len(acknowledged) + 1
    for opened in (store, other):
        opened.close()


@pytest.mark.whole
def test_without_a_sync_at_commit_it_would_lose_some(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: the kill is as hard as it seems."""
    database = server.database()
    PostgresStore(database).close()
    configure(database, "ALTER SYSTEM SET wal_writer_delay = '10s'")
    monkeypatch.setitem(postgres_connection.SERVER, "synchronous_commit", "off")
    lost = 0
    with contextlib.closing(PostgresStore(database)) as store:
        for _ in range(5):
            head = store.heads().get("t")
            version = head.version if head else 0
            for more in range(50):
                assert store.commit([append("t", version + more)]) == [Done()]
            server.kill()
            server.start()
            head = store.heads().get("t")
            lost += version + 50 - (head.version if head else 0)
            if lost:
                break
    configure(database, "ALTER SYSTEM RESET wal_writer_delay")
    assert lost > 0


def configure(database: str, statement: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(statement.encode())
        connection.execute("SELECT pg_reload_conf()")


def wait_for(acknowledged: list[int], count: int) -> None:
    end = time.monotonic() + GUARD
    while len(acknowledged) < count:
        assert time.monotonic() < end
        time.sleep(0.01)


# Addresses


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://mei:hushhush@127.0.0.1:1/house",
        "postgresql://mei:hushhush@nowhere.invalid/house",
        "postgresql://mei:hush@hushhush@127.0.0.1:1/house",
        "postgresql://mei:hush/hushhush@127.0.0.1:1/house",
        "postgresql://mei:hush%hushhush@127.0.0.1:1/house",
        "postgresql://mei:hush#hushhush?@127.0.0.1:1/house",
        "postgresql://mei:hushhush@127.0.0.1:1/house?hushhush=1",
        "postgresql://mei@127.0.0.1:1/house?password=hushhush",
    ],
)
def test_no_part_of_a_password_is_in_what_is_told(address: str, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises((StoreDown, BadInput)) as caught:
        PostgresStore(address)
    told = "".join(traceback.format_exception(caught.value)) + repr(caught.value) + caplog.text
    assert "PostgreSQL" in told
    assert "hush" not in told


def test_it_tells_what_keeps_it_from_the_server(database: str) -> None:
    with pytest.raises(StoreDown, match="Connection refused"):
        PostgresStore("postgresql://127.0.0.1:1/house")
    with pytest.raises(StoreDown, match="does not exist"):
        PostgresStore(database.replace("/postgres?", "/nosuch?"))


def test_a_newer_schema_is_left_alone(database: str) -> None:
    PostgresStore(database).close()
    run(database, "UPDATE about SET version = 99")
    with pytest.raises(BadInput, match="newer"):
        PostgresStore(database)


def test_a_snapshot_makes_and_writes_nothing(database: str) -> None:
    with pytest.raises(BadInput, match="nothing of thirdcard"):
        PostgresSnapshot(database)
    with pytest.raises(BadInput, match="nothing of thirdcard"):
        PostgresSnapshot(database)
    PostgresStore(database).close()
    with PostgresSnapshot(database) as snapshot, pytest.raises(StoreDown, match="cannot be read"):
        list(snapshot._ask("INSERT INTO streams VALUES ('t', 1, '') RETURNING stream"))  # noqa: SLF001


def test_a_text_that_postgresql_cannot_hold_is_refused_whole(stores: list[PostgresStore]) -> None:
    with pytest.raises(ValueError, match="hold"):
        stores[0].commit([append("a"), append("b", records=(record("b", 1, by="nul \0"),))])
    assert stores[0].heads() == {}
    assert stores[0].commit([append("a")]) == [Done()]
