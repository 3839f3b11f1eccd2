"""What keeps a server from starting: a log, a ledger or an anchor that is not what it left behind."""
# ruff: noqa: S608 - the statements are the tests' own

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from service.logs.keeping import HERE, Kept
from service.playing import KEY, House
from service.store.making import append
from service.tampering import FILES, PASSWORD, Copy, make_whole
from thirdcard.errors import BadInput
from thirdcard.service.audit import anchor_all, check_anchor
from thirdcard.service.audit.starting import ANCHOR_MISSING
from thirdcard.service.keys import subkey
from thirdcard.service.log.anchor import Anchor
from thirdcard.service.log.store import open_store, write_file
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.people.console import people_of
from thirdcard.service.tables.checkpoint import Changed
from thirdcard.service.tables.live import Live

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_whole(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def house(whole: Path, tmp_path: Path) -> Copy:
    return Copy(whole, tmp_path / "copy")


def started(house: Copy) -> dict[str, Live]:
    """The tables as a server finds them."""

    async def look() -> dict[str, Live]:
        async with House(open_store(str(house.db))) as opened:
            return dict(opened.hall.engine.tables)

    return asyncio.run(look())


# The chain ------------------------------------------------------------------------------------------------

LAST = "(SELECT max(version) FROM events WHERE stream = 'tiger')"
LAST_MOVE = (
    "(SELECT seq FROM postings JOIN events USING (seq) WHERE stream = 'tiger' ORDER BY seq DESC LIMIT 1)"
)
EDITS = {
    "a body": (
        f"UPDATE events SET body = CAST(body || ' ' AS BLOB) WHERE stream = 'tiger' AND version = {LAST}",
        "event .* does not follow",
    ),
    "no body": (f"UPDATE events SET body = x'' WHERE stream = 'tiger' AND version = {LAST} - 1", "does not follow"),
    "who asked": (f"UPDATE events SET \"by\" = 'Mallory' WHERE stream = 'tiger' AND version = {LAST}", "does not follow"),
    "a hash": (f"UPDATE events SET hash = zeroblob(32) WHERE stream = 'tiger' AND version = {LAST}", "does not follow"),
    "an event gone": (f"DELETE FROM events WHERE stream = 'tiger' AND version = {LAST} - 1", "does not follow"),
    "the last event gone": (f"DELETE FROM events WHERE stream = 'tiger' AND version = {LAST}", "said to end at"),
    "a head": ("UPDATE streams SET head = zeroblob(32) WHERE stream = 'tiger'", "said to end at"),
    "an amount": (f"UPDATE postings SET cents = cents + 900000000 WHERE seq = {LAST_MOVE}", "the ledger does not hold"),
    "a posting gone": (f"DELETE FROM postings WHERE seq = {LAST_MOVE}", "the ledger does not hold"),
    "a posting more": (f"INSERT INTO postings VALUES ({LAST_MOVE}, 999, 'rack:Wei', 900000000)", "the ledger"),
    "where nothing is kept": (
        "UPDATE events SET at = at + 1 WHERE stream = 'by-hand' AND version = 3",
        "the log of by-hand .* event 3",
    ),
    "the journal": (
        "UPDATE events SET at = at + 1 WHERE stream = 'journal' AND version = 2",
        "the log of journal .* event 2",
    ),
}  # fmt: skip


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_of_what_it_would_go_on_from_is_told_in_a_sentence(house: Copy, edit: str) -> None:
    sql, told = EDITS[edit]
    if edit == "where nothing is kept":
        house.ask("DELETE FROM checkpoints WHERE stream = 'by-hand'")
    assert house.edit(sql)
    with pytest.raises(Changed, match=f"changed outside the server: .*{told}|{told}"):
        started(house)


def test_an_edit_before_the_last_checkpoint_changes_no_money_and_is_left_to_the_audit(house: Copy) -> None:
    before = started(house)["tiger"]
    house.ask("UPDATE events SET at = at + 1 WHERE stream = 'tiger' AND version = 3")
    assert started(house)["tiger"].table == before.table
    assert any(one.startswith("tiger/3/") for one in house.problems)


def test_a_house_that_nobody_touched_starts_where_it_was(house: Copy) -> None:
    ends = dict(house.ask("SELECT stream, version FROM streams WHERE stream <> 'journal'"))
    assert {name: live.version for name, live in started(house).items() if name != "journal"} == ends


# The anchor -----------------------------------------------------------------------------------------------


@pytest.fixture
def anchor(house: Copy) -> Iterator[Anchor]:
    with closing(Anchor(house.anchor, subkey(KEY, "anchor"))) as opened:
        yield opened


def refused(house: Copy, *, anew: bool = False) -> str:
    """Why a server on that house does not start; empty if it does."""
    with (
        closing(open_store(str(house.db))) as store,
        closing(Anchor(house.anchor, subkey(KEY, "anchor"))) as anchor,
    ):
        try:
            check_anchor(store, anchor, anew=anew)
        except BadInput as error:
            return str(error)
    return ""


def test_an_anchor_that_fits_is_enough_and_cannot_be_replaced_by_the_way(house: Copy) -> None:
    assert refused(house) == ""
    assert "lacks nothing: start without --new-anchor" in refused(house, anew=True)


@pytest.mark.parametrize("left", ["gone", "empty", "without one table"])
def test_an_anchor_that_does_not_know_a_log_that_was_played_is_refused(house: Copy, left: str) -> None:
    kept = house.anchor.read_bytes()
    house.anchor.unlink()
    if left != "gone":
        lines = kept.splitlines(keepends=True) if left == "without one table" else []
        house.anchor.write_bytes(b"".join(line for line in lines if not line.startswith(b"tiger ")))
    told = refused(house)
    assert "does not know the log" in told
    assert "tiger" in told
    assert '--new-anchor "WHY"' in told
    assert refused(house, anew=True) == ""


def test_an_anchor_that_somebody_wrote_to_is_refused(house: Copy) -> None:
    with house.anchor.open("ab") as file:
        file.write(b"tiger 99 " + b"0" * 64 + b" " + b"0" * 64 + b"\n")
    assert "was changed: a line with a wrong code" in refused(house)


def test_a_new_house_needs_no_word_nor_does_one_with_accounts_only(tmp_path: Path) -> None:
    db = tmp_path / "house.db"
    with people_of(str(db)) as people:
        for number in range(4):
            people.register(f"Dee{number}", PASSWORD, "dealer")
    with closing(open_store(str(db))) as store, closing(Anchor(tmp_path / "a", bytes(32))) as anchor:
        assert store.heads()["journal"].version == 4
        check_anchor(store, anchor)
        store.commit([append("t", 0, 2)])  # the server dies before it can anchor its first table
        check_anchor(store, anchor)
        store.commit([append("t", 2, 1)])
        with pytest.raises(BadInput, match="does not know the log of t"):
            check_anchor(store, anchor)


def test_a_process_that_joins_others_says_so_once(tmp_path: Path) -> None:
    """What others begin later is in their anchors."""
    store = MemoryStore()
    store.shared = True
    store.commit([append("t", 0, 5)])
    with closing(Anchor(tmp_path / "second", bytes(32))) as anchor:
        with pytest.raises(BadInput, match="--new-anchor"):
            check_anchor(store, anchor)
        check_anchor(store, anchor, anew=True)
        anchor_all(store, anchor)
        store.commit([append("made-by-the-first", 0, 5)])
        check_anchor(store, anchor)


def test_a_house_of_an_earlier_release_starts_with_its_anchor_and_without_a_word(tmp_path: Path) -> None:
    (log,) = HERE.glob("0.1.0.jsonl")
    write_file(Kept(log), tmp_path / FILES[0])
    shutil.copy(log.with_suffix(".anchor"), tmp_path / FILES[2])
    (tmp_path / FILES[1]).touch()
    house = Copy(tmp_path / FILES[0], tmp_path / "copy")
    assert refused(house) == ""
    assert all(live.version for live in started(house).values())


def test_the_audit_tells_where_trust_begins_anew(house: Copy) -> None:
    async def go_on() -> None:
        async with House(open_store(str(house.db)), house.anchor) as opened:
            facts: dict[str, str | int] = {
                "by": "ann",
                "reason": "the disk of the anchor died",
                "heads": "tiger 7",
            }
            await opened.hall.note(ANCHOR_MISSING, facts)

    asyncio.run(go_on())
    report = house.audited()
    assert report.problems == ()
    (told,) = [one for one in report.remarks if "trust begins anew" in one]
    assert "2027" in told
    assert "ann went on without the anchor that there was (the disk of the anchor died)" in told
    assert "up to tiger 7" in told
