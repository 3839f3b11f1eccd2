"""What every store promises: the same tests on memory, SQLite and a real PostgreSQL server."""

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest

from service.store.making import answer, append, hash_of, record
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.model import (
    JOURNAL,
    Account,
    Append,
    Conflict,
    DocumentCopy,
    Done,
    Head,
    IndexRow,
    KeptDocument,
    LearningWrite,
    PostingRow,
    QuarterSum,
    ReviewRow,
    RoundMark,
    RoundRow,
    RoundsFound,
    RulebookText,
    SealedShoe,
    Seen,
    Session,
    Sought,
)


def everything(store: Store, *streams: str) -> list[Any]:
    """All that can be read of some streams: equal before and after means that nothing was written."""
    return [store.heads(), store.significant(limit=1000)] + [
        (store.read(s), store.entries(s), store.rounds(s), store.shoe(s, 1), store.rounds_of("Mei"))
        for s in streams
    ]


def finished(number: int, *players: str, at: int | None = None, body: bytes = b"{}") -> RoundRow:
    return RoundRow(number=number, at=number if at is None else at, players=players, body=body)


# Streams


def test_a_new_store_is_empty(store: Store) -> None:
    assert everything(store, "t") == [{}, [], ([], [], [], None, [])]
    assert store.round("t", 1) is None
    assert store.answered("Mei", "k") is None
    assert store.commit([]) == []


def test_what_is_appended_is_read_back_to_the_byte(store: Store) -> None:
    odd = record(
        "t",
        2,
        body=bytes(range(256)),
        by="Анвар 閒庄 🂡",
        flag="void",
        schema=7,
        round=0,
        asked=bytes(range(32)),
    )
    whole = append(
        "t", records=(record("t", 1), odd), entries=(PostingRow(1, "a", -(2**62)), PostingRow(2, "庄", 2**62))
    )
    assert store.commit([whole]) == [Done()]
    assert store.read("t") == list(whole.records)
    assert store.entries("t") == list(whole.entries)
    assert store.heads() == {"t": Head(2, odd.hash)}


def test_a_large_body_is_read_back(store: Store) -> None:
    large = bytes(range(256)) * 20_000
    store.commit([append("t", records=(record("t", 1, body=large),), answers=(answer("k", text=large),))])
    [found] = store.read("t")
    told = store.answered("Mei", "k")
    assert found.body == large
    assert told is not None
    assert told.answer == large


def test_reading_goes_by_version_from_anywhere_to_any_number(store: Store) -> None:
    store.commit([append("t", 0, 3), append(JOURNAL, 0, 2), append("t", 3, 4)])
    versions = [found.version for found in store.read("t")]
    assert versions == [1, 2, 3, 4, 5, 6, 7]
    assert [found.version for found in store.read("t", after=5)] == [6, 7]
    assert [found.version for found in store.read("t", after=2, limit=2)] == [3, 4]
    assert store.read("t", limit=0) == []
    assert store.read("t", after=7) == []
    assert store.read(JOURNAL) == list(append(JOURNAL, 0, 2).records)


def test_postings_come_in_order_of_version(store: Store) -> None:
    entries = (PostingRow(2, "b", 5), PostingRow(1, "z", -1), PostingRow(1, "a", 1), PostingRow(2, "a", -5))
    store.commit([append("t", 0, 2, entries=entries), append("u"), append("t", 2)])
    assert store.entries("t") == [entries[1], entries[2], entries[0], entries[3], *append("t", 2).entries]


# Expected versions


@pytest.mark.parametrize("expected", [0, 1, 3, 100])
def test_another_version_than_expected_is_a_conflict(store: Store, expected: int) -> None:
    store.commit([append("t", 0, 2)])
    before = everything(store, "t")
    assert store.commit([append("t", expected)]) == [Conflict()]
    assert everything(store, "t") == before
    assert store.commit([append("t", 2)]) == [Done()]


def test_a_conflict_on_a_stream_that_is_not_there(store: Store) -> None:
    assert store.commit([append("t", 1)]) == [Conflict()]
    assert store.heads() == {}
    assert store.commit([append("t")]) == [Done()]


def test_a_conflict_concerns_its_own_append_only(store: Store) -> None:
    store.commit([append("b")])
    lost = append("b", 0, 2, answers=(answer("lost"),), rounds=(finished(1, "Mei"),))
    assert store.commit([append("a"), lost, append("c", 0, 3)]) == [Done(), Conflict(), Done()]
    assert {stream: head.version for stream, head in store.heads().items()} == {"a": 1, "b": 1, "c": 3}
    assert store.answered("Mei", "lost") is None
    assert store.rounds("b") == []
    assert store.entries("b") == list(append("b").entries)


def test_appends_to_one_stream_build_on_each_other(store: Store) -> None:
    assert store.commit([append("t"), append("t", 1), append("t", 1), append("t", 2)]) == [
        Done(),
        Done(),
        Conflict(),
        Done(),
    ]
    assert store.heads() == {"t": Head(3, hash_of("t", 3))}


# Answers


def test_an_answer_is_kept_by_actor_and_key(store: Store) -> None:
    store.commit([append("t", answers=(answer("k"), answer("k", actor="Wei", text=b"other")))])
    assert store.answered("Mei", "k") == answer("k")
    assert store.answered("Wei", "k") == answer("k", actor="Wei", text=b"other")
    assert store.answered("mei", "k") is None
    assert store.answered("Mei", "K") is None


def test_what_was_answered_has_no_second_effect(store: Store) -> None:
    store.commit([append("t", answers=(answer("k"),)), append("u")])
    before = everything(store, "t", "u")
    again = append("t", 1, answers=(answer("new"), answer("k", text=b"another"), answer("newer")))
    assert store.commit([again, append("u", 1)]) == [Seen((answer("k"),)), Done()]
    assert store.read("t") == before[2][0]
    assert store.answered("Mei", "new") is None
    assert store.answered("Mei", "k") == answer("k")


def test_an_answer_goes_before_a_conflict(store: Store) -> None:
    store.commit([append("t", answers=(answer("k"),))])
    assert store.commit([append("t", answers=(answer("k"),))]) == [Seen((answer("k"),))]


def test_a_key_is_good_once_within_a_commit(store: Store) -> None:
    first, second = append("t", answers=(answer("k"),)), append("u", answers=(answer("k", text=b"two"),))
    assert store.commit([first, second]) == [Done(), Seen((answer("k"),))]
    assert store.read("u") == []
    assert "u" not in store.heads()


def test_an_append_of_answers_alone_needs_no_version(store: Store) -> None:
    store.commit([append("t", 0, 5)])
    refused = Append(stream="t", expected=2, answers=(answer("refused"),))
    assert store.commit([refused]) == [Done()]
    assert store.commit([refused]) == [Seen((answer("refused"),))]
    assert store.commit([Append(stream="no such", expected=0, answers=(answer("too"),))]) == [Done()]
    assert store.heads() == {"t": Head(5, hash_of("t", 5))}


# All or nothing


@pytest.mark.parametrize(
    "wrong",
    [
        append("b", 1, shoes=(SealedShoe(number=1, sealed=b"again"),), answers=(answer("b"),)),
        append("b", 1, records=(record("b", 3),), entries=()),
        append("b", 1, records=(record("c", 2),), entries=()),
        append("b", 1, records=(record("b", 2), record("b", 2)), entries=()),
        append("b", 1, entries=(PostingRow(3, "a", 1),)),
        append("b", 1, entries=(PostingRow(1, "a", 1),)),
        append("b", 1, answers=(answer("k"), answer("k"))),
    ],
    ids=[
        "shoe sealed twice",
        "gap",
        "other stream",
        "double",
        "posting after",
        "posting before",
        "two answers",
    ],
)
def test_what_cannot_be_written_takes_the_whole_commit_with_it(store: Store, wrong: Append) -> None:
    shoe = SealedShoe(number=1, sealed=b"sealed")
    store.commit([append("b", shoes=(shoe,))])
    before = everything(store, "a", "b", "c")
    good = append("a", answers=(answer("a"),), rounds=(finished(1, "Mei"),), shoes=(shoe,))
    with pytest.raises(ValueError, match=r"\w"):
        store.commit([good, wrong, append("c")])
    assert everything(store, "a", "b", "c") == before
    assert [store.answered("Mei", key) for key in "abk"] == [None, None, None]
    assert store.commit([good, append("b", 1)]) == [Done(), Done()]


def test_a_text_that_is_none_is_refused_whole(store: Store) -> None:
    with pytest.raises(ValueError, match="surrogate"):
        store.commit([append("a"), append("b", records=(record("b", 1, by="\ud800"),))])
    assert store.heads() == {}


# Rounds and shoes


def test_a_round_is_written_again_when_it_is_corrected(store: Store) -> None:
    store.commit([append("t", rounds=(finished(1, "Mei", "Wei"), finished(2, "Mei")))])
    corrected = finished(1, "Wei", "Anwar", at=9, body=b"corrected")
    store.commit([append("t", 1, rounds=(corrected,))])
    assert store.round("t", 1) == corrected
    assert store.rounds("t") == [finished(2, "Mei"), corrected]
    assert store.rounds_of("Mei") == [("t", finished(2, "Mei"))]
    assert store.rounds_of("Wei") == [("t", corrected)]
    assert store.rounds_of("Anwar") == [("t", corrected)]


def test_rounds_come_latest_first_in_pages(store: Store) -> None:
    store.commit([append("t", rounds=tuple(finished(n) for n in range(1, 251))), append("u")])
    assert [row.number for row in store.rounds("t")] == list(range(250, 150, -1))
    paged: list[int] = []
    while page := store.rounds("t", before=paged[-1] if paged else None, limit=7):
        paged += [row.number for row in page]
    assert paged == list(range(250, 0, -1))
    assert store.rounds("u") == []


def test_a_players_own_rounds_come_in_pages_without_gap_or_double(store: Store) -> None:
    """Many at the same moment, at several tables."""
    streams = ["a", "b", "ä", "庄"]
    for stream in streams:
        mine = [finished(n, "Mei", "Wei", at=n // 4) for n in range(1, 41)]
        store.commit([append(stream, rounds=(*mine, finished(99, "Wei", at=99)))])
    paged: list[tuple[int, str, int]] = []
    while page := store.rounds_of("Mei", before=paged[-1] if paged else None, limit=7):
        paged += [(row.at, stream, row.number) for stream, row in page]
    assert paged == sorted(((n // 4, stream, n) for n in range(1, 41) for stream in streams), reverse=True)
    assert store.rounds_of("mei") == []


def test_a_shoe_is_kept_sealed(store: Store) -> None:
    store.commit([append("t", shoes=(SealedShoe(number=3, sealed=bytes(range(256))),))])
    assert store.shoe("t", 3) == bytes(range(256))
    assert store.shoe("t", 2) is None
    assert store.shoe("u", 3) is None


def test_the_copy_of_a_document_is_kept_with_the_append_that_brings_it_until_another_comes(
    store: Store,
) -> None:
    assert store.document("d1") == ""
    for number, text in enumerate(("1.1 Its words.", "1.1 Others.", "")):
        assert store.commit([append("t", number, documents=(DocumentCopy("d1", text),))]) == [Done()]
        assert store.document("d1") == text
    assert store.commit([append("t", 0, documents=(DocumentCopy("d1", "late"),))]) == [Conflict()]
    assert store.document("d1") == ""


def test_the_text_of_a_rulebook_is_kept_once_with_the_append_that_brings_it(store: Store) -> None:
    one, two = RulebookText("d1", b'{"slug":"one"}'), RulebookText("d2", b'{"slug":"two"}')
    assert store.texts() == []
    store.commit([append("t", texts=(one,)), append("u", texts=(one, two))])
    assert store.texts() == [one, two]
    assert store.text("d2") == two.text
    assert store.text("d3") is None
    lost = append("t", 0, texts=(RulebookText("d3", b"{}"),))
    again = append("u", 1, texts=(RulebookText("d1", b"another"),))
    assert store.commit([lost, again]) == [Conflict(), Done()]
    assert store.texts() == [one, two], "nothing of a conflict is written, and no text is ever replaced"


def test_significant_events_of_all_streams_come_latest_first_in_pages(store: Store) -> None:
    flagged = []
    for n in range(1, 31):
        stream = "t" if n % 2 else JOURNAL
        last = store.heads().get(stream, Head(0, b"")).version
        event = record(stream, last + 1, flag="void" if n % 3 else "")
        store.commit([append(stream, last, records=(event,), entries=())])
        flagged += [event] * bool(event.flag)
    paged: list[tuple[int, Any]] = []
    while page := store.significant(before=paged[-1][0] if paged else None, limit=6):
        paged += page
    assert [event for _, event in paged] == flagged[::-1]
    places = [place for place, _ in paged]
    assert places == sorted(set(places), reverse=True)
    assert store.significant(limit=1) == paged[:1]


# People

MEI = Account(name="Mei", role="player", created=1)


@pytest.mark.parametrize(
    ("name", "same"), [("Mei", "mEI"), ("Ärger", "äRGER"), ("STRASSE", "straße"), ("Ⅷ", "viii")]
)
def test_a_name_is_taken_whatever_its_case(store: Store, name: str, same: str) -> None:
    kept = msgspec.structs.replace(MEI, name=name)
    assert store.add_account(kept)
    assert not store.add_account(msgspec.structs.replace(MEI, name=same, role="administrator"))
    assert not store.add_account(kept)
    assert store.account(same) == kept
    assert store.accounts() == [kept]


def test_accounts_change_and_are_listed_by_name(store: Store) -> None:
    wei = Account(name="wei", role="dealer", password="$argon2id$…", created=2)  # noqa: S106 - not one
    for account in (wei, MEI):
        store.add_account(account)
    assert store.accounts() == [MEI, wei]
    assert store.accounts(("dealer", "auditor")) == [wei]
    assert store.accounts_of(("WEI", wei.name, "Nobody")) == [wei]
    assert store.accounts_of(()) == []
    locked = Account(name="Wei", role="dealer", created=2, disabled=True, failures=3, locked_until=2**60)
    store.change_account(locked)
    assert store.account("WEI") == locked
    assert store.account("Mei") == MEI
    assert store.account("nobody") is None
    with pytest.raises(KeyError):
        store.change_account(msgspec.structs.replace(MEI, name="nobody"))
    assert store.accounts() == [MEI, locked]


def signed_in(number: int, account: str = "Mei", seen: int = 10) -> Session:
    return Session(token_hash=bytes([number]) * 32, account=account, created=1, seen=seen)


def test_sessions_come_and_go(store: Store) -> None:
    first, second = signed_in(1), signed_in(0)
    store.put_session(first)
    store.put_session(second)
    assert store.session(first.token_hash) == first
    later = msgspec.structs.replace(first, seen=99)
    store.put_session(later)
    assert store.session(first.token_hash) == later
    store.drop_session(first.token_hash)
    store.drop_session(first.token_hash)
    assert store.session(first.token_hash) is None
    assert store.session(second.token_hash) == second


def test_sessions_are_dropped_by_account_or_age(store: Store) -> None:
    mine, old, other = signed_in(1, "Mei"), signed_in(2, "Wei", seen=4), signed_in(3, "Wei", seen=5)
    for session in (mine, old, other):
        store.put_session(session)
    store.drop_sessions()
    assert store.session(mine.token_hash) == mine
    store.drop_sessions(account="mEI")
    assert store.session(mine.token_hash) is None
    store.drop_sessions(seen_before=5)
    assert store.session(old.token_hash) is None
    assert store.session(other.token_hash) == other


def test_a_session_that_has_gone_is_not_brought_back_by_use(store: Any) -> None:  # noqa: ANN401
    session = signed_in(1)
    store.put_session(session)
    assert store.touch_session(session.token_hash, 77)
    assert store.session(session.token_hash) == msgspec.structs.replace(session, seen=77)
    store.drop_session(session.token_hash)
    assert not store.touch_session(session.token_hash, 78)
    assert store.session(session.token_hash) is None


def test_what_a_person_has_set_is_kept_by_kind_whatever_the_case_of_the_name(store: Store) -> None:
    assert store.personal("Mei", "limits") is None
    store.put_personal("Mei", "limits", b"one")
    store.put_personal("mEI", "limits", b"two")
    store.put_personal("Mei", "second-factor", b"\x00\xff")
    assert store.personal("MEI", "limits") == b"two"
    assert store.personal_of("limits") == [("mei", b"two")]
    store.drop_personal("Mei", "limits")
    store.drop_personal("Mei", "limits")
    assert store.personal("Mei", "limits") is None
    assert store.personal("Mei", "second-factor") == b"\x00\xff"


def test_answers_are_forgotten_in_pieces_once_their_time_has_come(store: Store) -> None:
    kept = [msgspec.structs.replace(answer(f"k{until}"), until=until) for until in (30, 10, 20, 40)]
    store.commit([append("t", 0, answers=tuple(kept))])
    assert store.forget_answers(before=31, limit=2) == 2
    assert store.forget_answers(before=31, limit=2) == 1
    assert store.forget_answers(before=31, limit=2) == 0
    assert [one.key for one in kept if store.answered("Mei", one.key)] == ["k40"]


def test_guests_who_never_had_chips_are_forgotten_in_pieces(store: Store) -> None:
    names = ("Guest-A", "Guest-B", "Guest-C", "Guest-D", "Guest-E", "Guest-F")
    for name in names:
        store.add_account(Account(name=name, role="guest", created=50 if name == "Guest-F" else 10))
    store.add_account(Account(name="Mei", role="player", created=10))
    store.put_session(signed_in(1, "Guest-B"))
    store.commit([append("t", 0, index=(IndexRow("rack:Guest-C", 1, 500), IndexRow("rack:Guest-AA", 1, 5)))])
    store.put_personal("Guest-E", "limits", b"one")
    looked = [""]
    for _ in range(4):
        looked.append(store.forget_guests(after=looked[-1], created_before=50, limit=2))
    assert looked == ["", "guest-b", "guest-d", "guest-f", "mei"]
    assert store.forget_guests(after="mei", created_before=50, limit=2) == ""
    left = [account.name for account in store.accounts()]
    assert left == ["Guest-B", "Guest-C", "Guest-E", "Guest-F", "Mei"]


# Threads


def test_of_eight_threads_one_wins_each_version(store: Store) -> None:
    together = threading.Barrier(8, timeout=300)

    def race(me: int) -> list[int]:
        won = []
        for version in range(25):
            together.wait()
            mine = record("t", version + 1, by=str(me))
            [result] = store.commit([append("t", version, records=(mine,), entries=())])
            if isinstance(result, Done):
                won.append(version + 1)
            together.wait()
        return won

    def or_nobody(me: int) -> list[int]:
        try:
            return race(me)
        except Exception:
            together.abort()  # the others would wait for it
            raise

    with ThreadPoolExecutor(8) as pool:
        ran = [pool.submit(or_nobody, me) for me in range(8)]
    failed = [error for one in ran if (error := one.exception())]
    assert all(isinstance(one, threading.BrokenBarrierError) for one in failed), failed
    won = [one.result() for one in ran]
    assert sorted(version for versions in won for version in versions) == list(range(1, 26))
    assert [(int(found.by), found.version) for found in store.read("t")] == sorted(
        ((me, version) for me, versions in enumerate(won) for version in versions), key=lambda place: place[1]
    )


def test_reads_from_many_threads_see_whole_commits(store: Store) -> None:
    """Two streams that always move together."""
    done = threading.Event()

    def look() -> int:
        looks = 0
        while not done.is_set():
            heads = store.heads()
            assert heads.get("a", Head(0, b"")).version == heads.get("b", Head(0, b"")).version
            looks += 1
        return looks

    with ThreadPoolExecutor(4) as pool:
        looking = [pool.submit(look) for _ in range(4)]
        try:
            for version in range(60):
                store.commit([append("a", version), append("b", version)])
        finally:
            done.set()
        assert all(found.result() > 0 for found in looking)


# What is there after closing


def test_all_of_it_is_there_when_it_is_opened_again(where: str, opened: Any) -> None:  # noqa: ANN401
    if where == "memory:":
        return  # the one thing that it does not promise
    first = opened(where)
    first.commit([append("t", 0, 3, answers=(answer("k"),), rounds=(finished(1, "Mei"),))])
    first.add_account(MEI)
    first.put_session(signed_in(1))
    before = everything(first, "t")
    first.close()
    again = opened(where)
    assert everything(again, "t") == before
    assert again.answered("Mei", "k") == answer("k")
    assert again.accounts() == [MEI]
    assert again.session(signed_in(1).token_hash) == signed_in(1)
    assert again.commit([append("t"), append("t", 3)]) == [Conflict(), Done()]


def test_who_leads(store: Store) -> None:
    assert set(store.lead(["t"])) == {"t"}
    first = store.lead(["t", "u"])
    assert set(first) == {"t", "u"}
    assert store.commit([append("t", term=first["t"])]) == [Done()]
    store.resign()
    assert set(store.lead(["u"])) == {"u"}
    assert store.lead([]) == {}


# Rounds by what happened in them


def marked(number: int, at: int, *marks: str) -> tuple[RoundMark, ...]:
    return tuple(RoundMark(text, number, at) for text in ("round", *marks))


@pytest.fixture
def many(store: Store) -> Store:
    """Thirty rounds at each of two tables; every second on the Banker, every fifth with 500."""
    for stream in ("a", "b"):
        marks = [
            marked(
                n,
                100 * n,
                *["bet:banker"] * (n % 2 == 0),
                *["amount:50000"] * (n % 5 == 0),
                f"only:{stream}{n}",
            )
            for n in range(1, 31)
        ]
        store.commit([append(stream, marks=tuple(one for some in marks for one in some))])
    return store


def test_rounds_are_found_by_all_marks_the_latest_first(many: Store) -> None:
    sought = Sought(marks=("bet:banker", "amount:50000"))
    tens = [(100 * n, stream, n) for n in (30, 20, 10) for stream in "ba"]
    assert many.find(sought, limit=10, most=100) == RoundsFound(places=tens, reached=None)
    only_a = msgspec.structs.replace(sought, stream="a")
    assert many.find(only_a, limit=10, most=100).places == tens[1::2]
    within = msgspec.structs.replace(sought, since=1_000, until=3_000)
    assert many.find(within, limit=10, most=100).places == tens[2:]
    assert many.find(Sought(marks=("only:a7",)), limit=10, most=100).places == [(700, "a", 7)]
    assert many.find(Sought(marks=("round", "nothing")), limit=10, most=100) == RoundsFound(
        places=[], reached=None
    )


@pytest.mark.parametrize(("limit", "most"), [(1, 100), (2, 100), (100, 1), (100, 5), (3, 4), (100, 12)])
def test_a_search_goes_on_where_it_stopped_until_all_is_found(many: Store, limit: int, most: int) -> None:
    sought = Sought(marks=("bet:banker", "amount:50000"))
    found = list[tuple[int, str, int]]()
    for _ in range(100):
        part = many.find(sought, limit=limit, most=most)
        assert len(part.places) <= limit
        found += part.places
        if part.reached is None:
            break
        sought = msgspec.structs.replace(sought, before=part.reached)
    assert found == many.find(Sought(marks=sought.marks), limit=100, most=100).places
    assert len(found) == 6


def test_marks_that_an_earlier_release_did_not_leave_are_put_once(many: Store) -> None:
    late = marked(31, 3_100, "bet:tie")
    many.index("a", [IndexRow("k", 1, 1)], late)
    many.index("a", [IndexRow("k", 1, 1)], late)
    assert many.find(Sought(marks=("bet:tie",)), limit=10, most=10).places == [(3_100, "a", 31)]


# What quarters of an hour came to


def test_sums_are_added_to_and_added_up(store: Store) -> None:
    first = (QuarterSum(0, "win", 5), QuarterSum(900, "win", -7), QuarterSum(900, "rounds", 1))
    store.commit([append("a", quarters=first), append("b", quarters=(QuarterSum(900, "win", 100),))])
    more = append("a", expected=store.heads()["a"].version, quarters=(QuarterSum(900, "win", 2),))
    again = append("a", expected=more.records[-1].version, quarters=(QuarterSum(900, "win", 10**17),))
    assert store.commit([more, again]) == [Done(), Done()]
    assert store.sums(0, 900) == [("a", "win", 5)]
    assert store.sums(900, 901) == [("a", "rounds", 1), ("a", "win", 10**17 - 5), ("b", "win", 100)]
    assert store.sums(0, 901, ["b"]) == [("b", "win", 100)]
    assert store.sums(0, 901, []) == []
    assert store.course(0, 901) == [(0, "win", 5), (900, "rounds", 1), (900, "win", 10**17 + 95)]
    assert store.course(0, 901, ["b", "c"]) == [(900, "win", 100)]


def test_sums_that_an_earlier_release_did_not_make_are_put_once(store: Store) -> None:
    store.commit([append("a")])
    late = [QuarterSum(0, "win", 5), QuarterSum(900, "win", 1)]
    for _ in range(2):
        store.index("a", [IndexRow("k", 1, 1)], (), late)
    assert store.sums(0, 901) == [("a", "win", 6)]
    store.index("a", [IndexRow("k", 1, 1)], (), [QuarterSum(0, "win", 99)])
    assert store.sums(0, 1) == [("a", "win", 5)]


# The school


def write(kind: str, body: bytes, expected: int = 0, person: str = "Mei") -> LearningWrite:
    return LearningWrite(person=person, kind=kind, expected=expected, body=body)


def review(number: int, person: str = "Mei") -> ReviewRow:
    return ReviewRow(person=person, number=number, at=number, body=bytes([number, 0, 255]))


def test_what_is_learnt_is_kept_with_its_answers_or_not_at_all(store: Store) -> None:
    assert store.learning("Mei", "learner") is None
    assert store.keep_learning([write("learner", b"a"), write("memory:x", b"m")], [review(1)])
    assert store.learning("MEI", "learner") == KeptDocument(1, b"a"), "whatever the case of the name"
    assert store.keep_learning([write("learner", b"b", 1)], [review(2)])
    before = store.all_learning("Mei"), store.reviews("Mei")
    assert not store.keep_learning([write("memory:x", b"n", 1), write("learner", b"c", 1)], [review(3)])
    assert not store.keep_learning([write("learner", b"c")], [review(3)]), "it is not new any more"
    assert not store.keep_learning([write("learner", b"c", 2)], [review(2)]), "that answer was counted"
    assert not store.keep_learning([write("nothing", b"c", 2)])
    assert (store.all_learning("Mei"), store.reviews("Mei")) == before
    assert [kind for kind, _ in store.all_learning("Mei")] == ["learner", "memory:x"]
    assert store.all_learning("Mei", "memory:") == [("memory:x", KeptDocument(1, b"m"))]
    assert [row.number for row in store.reviews("Mei", before=2)] == [1]
    assert store.reviews("Mei", limit=1)[0] == ReviewRow(
        person="mei", number=2, at=2, body=bytes([2, 0, 255])
    )


def test_what_several_people_learnt_is_read_at_once(store: Store) -> None:
    store.keep_learning([write("learner", b"a"), write("memory:x", b"m")], [review(one) for one in (1, 2, 3)])
    store.keep_learning([write("learner", b"b", person="Wei")], [review(one, "Wei") for one in (1, 2, 3, 4)])
    store.keep_learning([write("learner", b"c", person="Ann")], [review(9, "Ann")])
    assert store.learning_of(("MEI", "Wei", "Nobody"), "learner") == {
        "mei": KeptDocument(1, b"a"),
        "wei": KeptDocument(1, b"b"),
    }
    assert store.learning_of(("Wei",), "memory:x") == {}
    found = store.latest_reviews(("Wei", "MEI", "mei", "Nobody"), each=2, limit=9)
    assert [(row.person, row.number) for row in found] == [("mei", 3), ("wei", 4), ("mei", 2), ("wei", 3)]
    found = store.latest_reviews(("Wei", "Mei"), each=3, limit=3)
    assert [(row.person, row.number) for row in found] == [("mei", 3), ("wei", 4), ("mei", 2)]
    assert found[0] == store.reviews("Mei", limit=1)[0]
    holding = store.reviews("Wei", limit=2)[1].body
    found = store.latest_reviews(("Wei", "Mei"), each=9, limit=9, holding=holding)
    assert [(row.person, row.number) for row in found] == [("mei", 3), ("wei", 3)]
    assert store.latest_reviews(("Wei", "Mei"), each=9, limit=9, holding=b"other") == []
    assert (store.learning_of((), "learner"), store.latest_reviews((), each=9, limit=9)) == ({}, [])


def test_one_kind_of_learning_is_found_of_everybody(store: Store) -> None:
    for person in ("Wei", "Mei", "Ada"):
        store.keep_learning([write("learner", b"a", person=person), write("memory:x", b"m", person=person)])
    found = store.learning_of_all("learner")
    assert found == [(name, KeptDocument(1, b"a")) for name in ("ada", "mei", "wei")]
    assert [name for name, _ in store.learning_of_all("learner", after="ada", limit=1)] == ["mei"]
    store.forget_learning("Mei")
    assert [name for name, _ in store.learning_of_all("learner")] == ["ada", "wei"]


def test_what_is_learnt_is_forgotten_of_one_person_alone(store: Store) -> None:
    store.keep_learning([write("learner", b"a")], [review(1)])
    store.keep_learning(
        [write("learner", b"b", person="Wei"), write("class:1", b"c", person="")], [review(1, "Wei")]
    )
    store.forget_learning("mei")
    assert store.all_learning("Mei") == []
    assert store.reviews("Mei") == []
    assert store.learning("Wei", "learner") == KeptDocument(1, b"b")
    assert len(store.reviews("Wei")) == 1
    store.drop_learning("", "class:1")
    assert store.all_learning("") == []


def test_an_exam_and_its_sittings_are_each_changed_by_who_saw_them_last(store: Store) -> None:
    assert store.keep_exam("one", "", expected=0, body=b"plan")
    assert not store.keep_exam("one", "", expected=0, body=b"another")
    assert store.keep_exam("one", "Mei", expected=0, body=b"begun")
    assert store.keep_exam("one", "Mei", expected=1, body=b"done")
    assert not store.keep_exam("one", "Mei", expected=1, body=b"once more")
    assert store.keep_exam("two", "", expected=0, body=b"plan")
    assert store.exam("one", "MEI") == KeptDocument(2, b"done")
    assert store.exam("one") == KeptDocument(1, b"plan")
    assert store.exam("two", "Mei") is None
    assert [name for name, _ in store.exams()] == ["one", "two"]
    assert [name for name, _ in store.exams(after="one", limit=1)] == ["two"]
    assert store.exams("mei") == [("one", KeptDocument(2, b"done"))]
    assert store.sittings("one") == [("mei", KeptDocument(2, b"done"))]


# Several writes as one


class Stumble(Exception):  # noqa: N818
    """Something goes wrong in between."""


MEI = Account(name="Mei", role="player", created=1)


def test_writes_together_are_seen_by_who_writes_and_then_by_all(store: Store) -> None:
    done = list[str]()
    with store.together():
        assert store.add_account(MEI)
        assert store.commit([append("t"), append("u")]) == [Done(), Done()]
        assert store.commit([append("t", 1)]) == [Done()]
        assert store.account("mei") == MEI
        assert store.heads()["t"].version == 2
        store.afterwards(lambda: done.append("after"))
        assert not done
    assert done == ["after"]
    assert (store.account("mei"), store.heads()["t"].version) == (MEI, 2)
    store.afterwards(lambda: done.append("at once"))
    assert done == ["after", "at once"]


def test_of_writes_together_all_are_undone_or_none(store: Store) -> None:
    assert store.commit([append("t")]) == [Done()]
    before, done = everything(store, "t"), list[str]()
    with contextlib.suppress(Stumble), store.together():
        assert store.add_account(MEI)
        assert store.commit([append("t", 1), append("new")]) == [Done(), Done()]
        store.afterwards(lambda: done.append("after"))
        raise Stumble
    assert everything(store, "t") == before
    assert (store.account("mei"), done) == (None, [])
    assert store.commit([append("t", 1)]) == [Done()], "it goes on where the log ends"
