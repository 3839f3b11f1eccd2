"""A snapshot is of one moment, and tells the same of every kind of database."""

import contextlib
from pathlib import Path

import pytest

from service.store.making import answer, append
from service.store.server import Server
from thirdcard.errors import BadInput
from thirdcard.service.log.store import file_of, open_snapshot, open_store, write_file
from thirdcard.service.log.store.model import (
    Account,
    Checkpoint,
    DocumentCopy,
    Done,
    IndexRow,
    KnownAs,
    LearningWrite,
    LeftNote,
    Personal,
    PostingRow,
    QuarterSum,
    ReviewRow,
    RoundMark,
    RoundPlayer,
    RoundRow,
    RulebookText,
    SealedShoe,
    Wallet,
    WalletMove,
)
from thirdcard.service.log.store.tables import (
    ANSWERS,
    BACKED_UP,
    EVENT_INDEX,
    LEFT_NOTES,
    MARKS,
    PERSONAL,
    QUARTERS,
    ROUND_PLAYERS,
    SHOES,
)

FULL = append(
    "t",
    0,
    2,
    entries=(PostingRow(1, "rack:Mei", 5), PostingRow(1, "house", -5), PostingRow(2, "house", 0)),
    answers=(answer("k"),),
    rounds=(RoundRow(number=1, at=7, players=("Mei", "Wei"), body=b"{}"),),
    shoes=(SealedShoe(number=3, sealed=b"sealed"),),
    index=(IndexRow("round", 2, 1),),
    marks=(RoundMark("bet:banker", 1, 7),),
    quarters=(QuarterSum(0, "win", 5),),
    checkpoints=(Checkpoint(version=2, body=b"state"),),
    texts=(RulebookText("ab" * 32, b"{}"),),
    documents=(DocumentCopy("ab" * 32, "1.1 Its words."),),
    wallets=(WalletMove(0, Wallet(name="Mei", cents=5, version=1, refilled=3)),),
)
LOCKED = Account(name="Mei", role="player", created=1, disabled=True, failures=3, locked_until=9)


@pytest.fixture
def places(tmp_path: Path, server: Server) -> list[str]:
    """The same in a file, on a server and in a back-up of each."""
    made = [str(tmp_path / "house.db"), server.database()]
    copies = []
    for number, where in enumerate(made):
        with contextlib.closing(open_store(where)) as store:
            assert store.commit([FULL, append("u")]) == [Done(), Done()]
            assert store.add_account(LOCKED)
            store.put_personal("Mei", "limits", b"\x00{}")
            assert store.claim_name(KnownAs(name="Tiger", account="Mei", use="shown"))
            learnt = LearningWrite(person="Mei", kind="learner", expected=0, body=b"{}")
            assert store.keep_learning([learnt], [ReviewRow(person="Mei", number=1, at=7, body=b"\x00")])
            assert store.keep_exam("one", "Mei", expected=0, body=b"sat")
            with store._writing() as writing:  # noqa: SLF001 - by a command beside a server
                writing.put(LEFT_NOTES, [LEFT_NOTES.values(LeftNote(1, b"{}"))])
        copies.append(tmp_path / f"{number}.backup")
        with open_snapshot(where) as snapshot:
            assert write_file(snapshot, copies[-1]) == 3
    return [*made, *map(str, copies)]


def test_it_tells_the_same_of_every_kind(places: list[str]) -> None:
    for where in places:
        with open_snapshot(where) as found:
            assert {stream: head.version for stream, head in found.heads().items()} == {"t": 2, "u": 1}
            assert found.streams() == {"t", "u"}
            assert list(found.read("t")) == list(FULL.records)
            assert list(found.entries("t")) == list(FULL.entries)
            assert list(found.rounds("t", limit=5)) == list(FULL.rounds)
            assert (found.shoe("t", 3), found.shoe("t", 4)) == (b"sealed", None)
            assert list(found.of_stream(SHOES, "t")) == list(FULL.shoes)
            assert set(found.of_stream(ROUND_PLAYERS, "t")) == {
                RoundPlayer(who, 7, "t", 1) for who in ("Mei", "Wei")
            }
            assert list(found.every(ANSWERS)) == list(FULL.answers)
            assert not list(found.out_of_order())
            assert not list(found.damage())
            assert list(found.of_stream(EVENT_INDEX, "t")) == list(FULL.index)
            assert list(found.of_stream(MARKS, "t")) == list(FULL.marks)
            assert list(found.of_stream(QUARTERS, "t")) == list(FULL.quarters)
            assert (found.checkpoint("t", at_most=9),) == FULL.checkpoints
            assert found.accounts() == [LOCKED]
            assert list(found.every(PERSONAL)) == [Personal("mei", "limits", b"\x00{}")]


def test_its_rows_have_one_form(places: list[str]) -> None:
    found = []
    for where in places:
        with open_snapshot(where) as snapshot:
            found.append({table: sorted(snapshot.rows(table)) for table in BACKED_UP})
    assert found == [found[0]] * len(places)
    assert all(found[0].values())
    assert found[0]["rounds"] == [["t", 1, 7, ["Mei", "Wei"], b"{}"]]


def test_it_stands_still_while_a_server_goes_on(places: list[str]) -> None:
    for where in places[:2]:
        with contextlib.closing(open_store(where)) as store, open_snapshot(where) as snapshot:
            assert store.commit([append("t", 2), append("new")]) == [Done(), Done()]
            assert [one.version for one in snapshot.read("t")] == [1, 2]
            assert "new" not in snapshot.streams()
        with open_snapshot(where) as later:
            assert [one.version for one in later.read("t")] == [1, 2, 3]


def test_a_file_that_is_there_is_never_written_over(places: list[str], tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("dear", encoding="utf-8")
    with open_snapshot(places[0]) as snapshot, pytest.raises(FileExistsError):
        write_file(snapshot, tmp_path / "letter")
    assert (tmp_path / "letter").read_text(encoding="utf-8") == "dear"


def test_memory_has_nothing_to_read_and_takes_no_back_up(places: list[str]) -> None:
    with pytest.raises(BadInput, match="there is no database"):
        open_snapshot("memory:")
    with open_snapshot(places[0]) as snapshot, pytest.raises(BadInput, match="restore into a file"):
        open_store("memory:").fill(snapshot)


def test_what_lies_beside_a_file_has_its_name(places: list[str]) -> None:
    assert [file_of(where) for where in places[:2]] == [Path(places[0]), None]
