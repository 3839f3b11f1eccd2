"""The audit finds whatever is done to a log, a ledger, a shoe or an anchor, and nothing where nothing was done."""
# ruff: noqa: S608 - the statements are the tests' own

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from service.driving import MBS, TBC, WALKS, Driven, setup_for, walk
from service.playing import KEY, House, Log, logged, played, seeded_shoes, table_log
from service.tampering import Copy, changed, make, replace
from table.machine import Seeded, Walk, random_setup
from thirdcard.cards import Card, parse_cards
from thirdcard.rulebook import digest_of, load, slugs
from thirdcard.rulebook.model import Side
from thirdcard.service.audit import AuditReport, anchor_all, audit, audit_store, check_anchor
from thirdcard.service.keys import subkey
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.anchor import Anchor, read_anchor
from thirdcard.service.log.floor_events import SYSTEM
from thirdcard.service.log.store import open_snapshot, open_store
from thirdcard.service.log.store.sqlite import MemoryStore, SqliteStore
from thirdcard.service.log.store.tables import SHOES
from thirdcard.service.tables.sealed_shoes import promise, seal
from thirdcard.table import commands, events
from thirdcard.table.ledger import Posting

pytestmark = pytest.mark.slow

Edit: TypeAlias = Callable[[Copy], object]
TABLE = "insured"
EXAMPLES = Path(__file__).parents[2] / "examples" / "rulebooks"
SMALL = [file for file in sorted(EXAMPLES.glob("*.toml")) if load(file).table_of_play.usual]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("house"), seed=2)


@pytest.fixture
def house(original: Path, tmp_path: Path) -> Copy:
    return Copy(original, tmp_path / "copy")


# Where nothing was done -----------------------------------------------------------------------------------


def test_an_untouched_house_is_clean_and_wholly_looked_at(house: Copy) -> None:
    report = house.audited()
    assert report.problems == ()
    assert (report.tables, report.rounds) == (4, 28)
    assert report.events == house.ask("SELECT count(*) FROM events")[0][0]
    names = {row[0] for row in house.ask("SELECT DISTINCT name FROM events")}
    wanted = {
        "insurance-bought",
        "seed-added",
        "shoe-revealed",
        "round-voided",
        "settlement-reversed",
        "record-amended",
    }
    assert wanted <= names, "the sample has what the edits below are about"


def test_any_of_our_stores_can_be_audited() -> None:
    store = MemoryStore()
    played(store, rounds=2)
    told: list[int] = []
    report = audit_store(store, (), KEY, progress=told.append)
    assert (report.tables, report.problems) == (4, ())
    assert told == sorted(told)


@pytest.mark.gate("MBS method B", "CBI", "TBC face down without")
@pytest.mark.parametrize("name", WALKS)
def test_two_shoes_of_people_at_random_are_clean(name: str) -> None:
    store = MemoryStore()
    store.commit([logged("walked", table_log(walk(name).log))])
    report = audit_store(store)
    assert report.problems == ()
    assert report.rounds > 50


@pytest.mark.gate("mbs")
@pytest.mark.parametrize("slug", slugs())
def test_tables_where_everything_goes_wrong_are_clean(slug: str) -> None:
    """The walks of the table's own tests: records put right, chips too late, cards taken back, debts."""
    layouts = list(load(slug).layouts)
    for seed in range(4):
        chance = Seeded(f"{slug} {seed}")
        table = Walk(random_setup(chance, slug, layouts[seed % len(layouts)]), chance)
        table.steps(150)
        store = MemoryStore()
        store.commit([logged("walked", table_log(table.table.log))])
        assert audit_store(store).problems == (), seed


@pytest.mark.parametrize("book", SMALL, ids=lambda book: book.stem)
def test_tables_of_other_books_are_clean(book: Path) -> None:
    chance = Seeded(book.stem)
    table = Walk(random_setup(chance, book, next(iter(load(book).layouts))), chance)
    table.steps(100)
    store = MemoryStore()
    store.commit([logged("walked", table_log(table.table.log))])
    assert audit_store(store).problems == ()


def test_a_house_is_clean_at_every_moment_while_it_is_played_in(tmp_path: Path) -> None:
    """The audit sees one moment, however much is written meanwhile."""
    db, anchor = tmp_path / "house.db", tmp_path / "house.db.anchor"
    (tmp_path / "house.db.key").write_text(KEY.hex(), encoding="ascii")
    (tmp_path / "house.db.key").chmod(0o600)

    def look(_: int) -> AuditReport:
        return audit(str(db), key=tmp_path / "house.db.key", anchors=[anchor])

    async def main() -> list[AuditReport]:
        async with House(SqliteStore(db, synchronous="NORMAL"), anchor) as house:
            with seeded_shoes(house.random):
                return await house.while_played("insured", look, 8)

    reports = asyncio.run(main())
    assert {problem for report in reports for problem in report.problems} == set()
    assert len({report.events for report in reports}) > 1


# An event -------------------------------------------------------------------------------------------------

COLUMNS: dict[str, str] = {
    "stream": "stream || '-2'",
    "version": "version + 1000",
    "at": "at + 1",
    "by": "\"by\" || 'x'",
    "name": "'noted'",
    "schema": "schema + 1",
    "round": "round + 1",
    "flag": "flag || 'x'",
    "body": "CAST(CAST(body AS TEXT) || ' ' AS BLOB)",
    "hash": "CAST('another' AS BLOB)",
    "seq": "seq + 5000",
}


@pytest.mark.gate("middle")
@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("where", ["first", "middle", "last"])
def test_an_event_edited_in_any_column_is_found(house: Copy, column: str, where: str) -> None:
    ((last,),) = house.ask("SELECT version FROM streams WHERE stream = ?", TABLE)
    version = {"first": 1, "middle": last // 2, "last": last}[where]
    house.ask(
        f'UPDATE events SET "{column}" = {COLUMNS[column]} WHERE stream = ? AND version = ?', TABLE, version
    )
    assert house.problems


@pytest.mark.parametrize("version", [1, 40, 77])
def test_the_event_that_was_edited_is_named(house: Copy, version: int) -> None:
    ((number,),) = house.ask("SELECT round FROM events WHERE stream = ? AND version = ?", TABLE, version)
    house.ask("UPDATE events SET at = at + 1 WHERE stream = ? AND version = ?", TABLE, version)
    (problem,) = house.audited().problems
    assert (problem.table, problem.event, problem.round) == (TABLE, version, number or None)


def test_every_byte_of_an_event_counts(house: Copy) -> None:
    ((body,),) = house.ask(
        "SELECT body FROM events WHERE stream = ? AND name = 'round-settled' LIMIT 1", TABLE
    )
    for place in range(0, len(body), 40):
        other = body[:place] + bytes([body[place] ^ 1]) + body[place + 1 :]
        house.ask("UPDATE events SET body = ? WHERE body = ?", other, body)
        assert house.problems, place
        house.ask("UPDATE events SET body = ? WHERE body = ?", body, other)
    assert house.problems == []


@pytest.mark.parametrize("column", ["name", "schema", "round", "flag", "at", "by"])
def test_a_column_edited_with_its_hashes_is_found(house: Copy, column: str) -> None:
    """What follows from an event is found by itself, and who asked by the marks of the round; when, by the anchor."""
    house.ask(f'UPDATE events SET "{column}" = {COLUMNS[column]} WHERE stream = ? AND version = 40', TABLE)
    house.rehash(TABLE)
    assert house.problems
    house.ask("DELETE FROM answers")
    assert bool(house.unanchored) == (column != "at")


IMPOSSIBLE = {
    "a version below one": "UPDATE events SET version = -1 WHERE stream = 'insured' AND version = 3",
    "a gap": "DELETE FROM events WHERE stream = 'insured' AND version = 12",
    "no beginning": """UPDATE events SET name = 'table-closed', body = CAST('{"event":"table-closed"}' AS BLOB)
    WHERE stream = 'insured' AND version = 1""",
}


@pytest.mark.parametrize("edit", IMPOSSIBLE)
def test_a_log_that_cannot_have_been_is_found_whatever_its_hashes(house: Copy, edit: str) -> None:
    assert house.edit(IMPOSSIBLE[edit])
    house.rehash(TABLE)
    assert house.unanchored


def swap(house: Copy, *columns: str) -> None:
    """Two neighbours of a log change places."""
    first, second = (
        house.ask(
            f"SELECT {', '.join(columns)} FROM events WHERE stream = ? AND version = ?", TABLE, version
        )[0]
        for version in (30, 31)
    )
    assert first != second
    for version, values in ((30, second), (31, first)):
        sets = ", ".join(f"{column} = ?" for column in columns)
        house.ask(f"UPDATE events SET {sets} WHERE stream = ? AND version = ?", *values, TABLE, version)


@pytest.mark.parametrize(
    "columns", [("body",), ("body", "name", "at"), ("body", "name", "at", "flag", "hash")]
)
def test_two_events_that_changed_places_are_found(house: Copy, columns: tuple[str, ...]) -> None:
    swap(house, *columns)
    assert house.problems


def test_an_event_that_is_missing_is_named(house: Copy) -> None:
    house.ask("DELETE FROM events WHERE stream = ? AND version = 20", TABLE)
    told = house.problems
    assert any(one.startswith(f"{TABLE}/21/") and "20 is missing" in one for one in told)


# A log cut or rewritten -----------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2, 10])
@pytest.mark.parametrize("fixed", [False, True], ids=["as it is", "with its head set back"])
def test_a_log_without_its_last_events_is_found(house: Copy, number: int, *, fixed: bool) -> None:
    house.ask(
        "DELETE FROM postings WHERE seq IN (SELECT seq FROM events WHERE stream = 'journal' OR"
        " (stream = ?1 AND version > (SELECT version - ?2 FROM streams WHERE stream = ?1)))",
        TABLE,
        number,
    )
    house.ask(
        "DELETE FROM events WHERE stream = ?1 AND version > (SELECT version - ?2 FROM streams WHERE stream = ?1)",
        TABLE,
        number,
    )
    if fixed:
        house.ask(
            "UPDATE streams SET (version, head) = (SELECT version, hash FROM events WHERE stream = ?1"
            " ORDER BY version DESC LIMIT 1) WHERE stream = ?1",
            TABLE,
        )
    assert any(one.startswith(f"{TABLE}/") for one in house.problems)


@pytest.mark.parametrize("left", [1, 2, 30, -1])
def test_a_log_cut_in_perfect_order_is_found_by_the_anchor_alone(house: Copy, left: int) -> None:
    house.rewrite("by-hand", house.log("by-hand")[:left])
    assert house.unanchored == [], "the control: nothing inside the database tells"
    assert any("was anchored" in one for one in house.problems)


def bought_more(event: events.BoughtIn) -> events.BoughtIn:
    more = tuple(Posting(one.account, one.cents * 2) for one in event.postings)
    return replace(event, cents=event.cents * 2, postings=more)


REWRITTEN: dict[str, Callable[[Log], Log]] = {
    "another time": lambda log: [(log[0][0], log[0][1] + 1, log[0][2]), *log[1:]],
    "somebody else": lambda log: [*log[:-1], (log[-1][0], log[-1][1], "Mallory")],
    "more money": lambda log: changed(log, events.BoughtIn, bought_more, 0),
}


@pytest.mark.parametrize("how", REWRITTEN)
def test_a_log_rewritten_in_perfect_order_is_found_by_the_anchor_alone(house: Copy, how: str) -> None:
    house.rewrite("by-hand", REWRITTEN[how](house.log("by-hand")))
    assert house.unanchored == [], "the control: nothing inside the database tells"
    assert any("is not the event that was anchored" in one for one in house.problems)


def exchange(house: Copy, *, with_hashes: bool) -> None:
    """Two tables bear each other's name."""
    if with_hashes:
        logs = [house.log(name) for name in ("by-hand", TABLE)]
        house.rewrite("by-hand", logs[1])
        house.rewrite(TABLE, logs[0])
    for name in (
        ("shoes",) if with_hashes else ("streams", "events", "rounds", "round_players", "results", "shoes")
    ):
        for before, after in ((TABLE, "x"), ("by-hand", TABLE), ("x", "by-hand")):
            house.ask(f"UPDATE {name} SET stream = ? WHERE stream = ?", after, before)


@pytest.mark.parametrize("with_hashes", [False, True])
def test_two_tables_that_exchanged_their_logs_are_both_found(house: Copy, *, with_hashes: bool) -> None:
    exchange(house, with_hashes=with_hashes)
    found = {one.table for one in house.audited().problems}
    assert {TABLE, "by-hand"} <= found


def test_a_table_that_is_gone_is_found_by_the_anchor_alone(house: Copy) -> None:
    house.ask("DELETE FROM answers")
    house.ask("DELETE FROM rulebooks WHERE digest = ?", digest_of(load(MBS)))
    house.drop("tiger", tables=["shoes"])
    house.sum_up()
    assert house.unanchored == []
    (told,) = house.problems
    assert told.startswith("tiger/None/None: the log ends at event 0, but it was anchored")


# What a rewritten log says, without the anchor ------------------------------------------------------------


def paid_more(event: events.RoundSettled) -> events.RoundSettled:
    """A dollar more than is due, on the line and in the ledger alike."""
    first, *rest = event.settlement.lines
    player = f"rack:{first.player}"
    moved = tuple(
        replace(
            one, cents=one.cents + (100 if one.account == player else -100 if one.account == "house" else 0)
        )
        for one in event.postings
    )
    lines = (replace(first, net=first.net + 100), *rest)
    return replace(event, settlement=replace(event.settlement, lines=lines), postings=moved)


def to_another_box(event: events.StakeSet) -> events.StakeSet:
    moved = tuple(
        replace(one, account="box:3") if one.account.startswith("box:") else one for one in event.postings
    )
    return replace(event, postings=moved)


def one_sided(event: events.BoughtIn) -> events.BoughtIn:
    return replace(event, postings=event.postings[:1])


def tie(event: events.RoundSettled) -> events.RoundSettled:
    return replace(event, settlement=replace(event.settlement, outcome="tie"))


def without_a_line(event: events.RoundSettled) -> events.RoundSettled:
    return replace(event, settlement=replace(event.settlement, lines=event.settlement.lines[1:]))


def other_odds(event: events.RoundSettled) -> events.RoundSettled:
    first, *rest = event.settlement.lines
    return replace(event, settlement=replace(event.settlement, lines=(replace(first, odds="9 to 1"), *rest)))


def other_paragraph(event: events.RoundSettled) -> events.RoundSettled:
    first, *rest = event.settlement.lines
    return replace(event, settlement=replace(event.settlement, lines=(replace(first, rules=("9.9",)), *rest)))


def kept_back(event: events.RoundVoided) -> events.RoundVoided:
    """One player gets the other's chips."""
    first, *rest = (one for one in event.postings if one.account.startswith("rack:"))
    if not rest:
        return replace(event, postings=())
    whole = sum(one.cents for one in (first, *rest))
    boxes = tuple(one for one in event.postings if one.account.startswith("box:"))
    return replace(event, postings=(*boxes, replace(first, cents=whole)))


LIES: dict[str, tuple[type[Any], Callable[[Any], Any], str]] = {
    "paid more": (events.RoundSettled, paid_more, "not to what is due"),
    "a tie": (events.RoundSettled, tie, "not what the cards say"),
    "a bet left out": (events.RoundSettled, without_a_line, "bets are settled"),
    "other odds": (events.RoundSettled, other_odds, "not to what is due"),
    "another paragraph": (events.RoundSettled, other_paragraph, "not to what is due"),
    "pairs": (events.RoundSettled, lambda e: replace(e, player_pair=not e.player_pair), "pairs"),
    "another box": (events.StakeSet, to_another_box, "the bets there come to"),
    "one-sided": (events.BoughtIn, one_sided, "does not sum to zero"),
    "a void round": (events.RoundVoided, kept_back, "not what lies on the table"),
    "a reversal": (
        events.SettlementReversed,
        lambda e: replace(e, postings=()),
        "not what lies on the table",
    ),
}


@pytest.mark.gate("paid more", "other odds", "a void")
@pytest.mark.parametrize("lie", LIES)
def test_a_lie_in_perfect_order_is_found_without_the_anchor(house: Copy, lie: str) -> None:
    kind, change, told = LIES[lie]
    log = changed(house.log("by-hand"), kind, change, which=1 if kind is events.RoundSettled else -1)
    house.rewrite("by-hand", log)
    assert [told in one for one in house.unanchored] == [True]


# Records put right ----------------------------------------------------------------------------------------


def dealing(slug: str, cards: str, **changed: object) -> Driven:
    """Wei has $100 on Player and Mei on Banker, and these cards are to come."""
    table = Driven(setup_for(slug, "A", **changed), "Wei", "Mei")
    table.until("betting")
    table.do(commands.Place(by="Wei", box=1, bet="player", cents=100_00))
    table.do(commands.Place(by="Mei", box=2, bet="banker", cents=100_00))
    table.until("dealing")
    table.stack(*parse_cards(cards))
    return table


def drawn(table: Driven, number: int) -> Driven:
    while len(table.round.drawn) < number:
        table.tick(60_000)
    return table


def worked_out_anew() -> Driven:
    """Insurance at 5 to 2 that was bought on a card misread: really it was 4 to 1."""
    table = drawn(dealing(TBC, "6C 5D KH KS"), 4)
    table.do(commands.Insure(by="Wei", box=1, hand=Side.PLAYER, cents=10_00))
    table.do(commands.Amend(by="Sam", cards=parse_cards("6C 5D AH KS"), reason="misread"))
    table.do(commands.ConfirmAmendment(by=SYSTEM))
    table.until("settled")
    return table


def late_chips() -> Driven:
    table = dealing(TBC, "9C 2D KH 3S")
    for cents in (50_00, -70_00):
        table.do(commands.LateChips(by="Sam", player="Wei", box=1, bet="player", cents=cents))
    table.until("settled")
    return table


def decided_first() -> Driven:
    """A pair already won is paid before the device is reset."""
    table = Driven(setup_for(MBS, "A", device="reader"), "Wei", "Mei")
    table.until("betting")
    table.do(commands.Place(by="Mei", box=2, bet="tiger-pair", cents=100_00))
    table.until("dealing")
    table.stack(*parse_cards("2C 3D 2H 3S"))
    drawn(table, 4)
    table.do(commands.Report(by="Sam", case="device-reset"))
    table.do(commands.Rule(by="Sam"))
    table.until("settled")
    return table


def owing() -> Driven:
    """Wei has left with winnings that turn out to be none."""
    table = dealing(TBC, "9C 2D KH 3S")
    table.until("settled")
    table.do(commands.CashOut(by="Wei", cents=table.state.rack("Wei")))
    table.do(commands.Correct(by="Sam", cards=parse_cards("2C 9D KH KS"), reason="misread"))
    assert table.state.debt("Wei") == 200_00
    table.until("betting")
    table.do(commands.BuyIn(by="Wei", cents=100_00))
    table.do(commands.Place(by="Wei", box=1, bet="player", cents=100_00))
    table.until("dealing")
    table.stack(*parse_cards("9H 2H KD 3D"))
    table.until("settled")
    assert table.state.debt("Wei") == 100_00  # what he won pays that much of it
    return table


def moved_elsewhere(event: Any) -> Any:  # noqa: ANN401 - any event with postings
    """What comes out of a box goes to somebody else."""
    others = tuple(replace(one, account=one.account.replace("Wei", "Mei")) for one in event.postings)
    return replace(event, postings=others)


def forgiven(event: Any) -> Any:  # noqa: ANN401 - any event with postings
    """The House bears what somebody owes, or gives back what somebody has paid."""
    others = tuple(replace(one, account=one.account.replace("owed:Wei", "house")) for one in event.postings)
    return replace(event, postings=others)


def as_bought(event: events.RoundSettled) -> events.RoundSettled:
    """Insurance paid at the odds that the wrong card had shown."""
    lines = tuple(
        replace(one, odds="5 to 2", net=25_00 if one.net > 0 else one.net) if one.window else one
        for one in event.settlement.lines
    )
    return replace(event, settlement=replace(event.settlement, lines=lines))


RIGHTED: dict[str, tuple[Callable[[], Driven], type[Any], Callable[[Any], Any], str]] = {
    "insurance": (worked_out_anew, events.RoundSettled, as_bought, "not to what is due"),
    "late chips": (late_chips, events.LateChipsRecorded, moved_elsewhere, "not what lies on the table"),
    "chips put right": (late_chips, events.ChipsPutRight, moved_elsewhere, "not what lies on the table"),
    "decided bets": (
        decided_first,
        events.DecidedSettled,
        lambda e: replace(e, lines=tuple(replace(one, net=1) for one in e.lines)),
        "not to what is due",
    ),
    "bets not decided": (
        decided_first,
        events.DecidedSettled,
        lambda e: replace(e, lines=tuple(replace(one, bet="tie") for one in e.lines)),
        "neither won nor lost yet",
    ),
    "a debt": (
        owing,
        events.SettlementReversed,
        forgiven,
        "not what lies on the table",
    ),
    "a debt paid off": (owing, events.RoundSettled, forgiven, "not what its lines come to"),
}


@pytest.mark.parametrize("case", RIGHTED)
def test_what_follows_from_a_record_put_right_is_worked_out_again(case: str) -> None:
    make_table, kind, lie, told = RIGHTED[case]
    log = table_log(make_table().log)
    store = MemoryStore()
    store.commit([logged("table", log)])
    assert audit_store(store).problems == ()
    store = MemoryStore()
    store.commit([logged("table", changed(log, kind, lie, -1))])
    (problem,) = audit_store(store).problems
    assert told in problem.what


def shown_to_be_another(event: events.CardDrawn) -> events.CardDrawn:
    """A card worth the same in another suit: it changes no result."""
    suits = "SHDC"
    assert event.card is not None
    name = event.card.value
    return replace(event, card=Card(name[0] + suits[suits.index(name[1]) - 1]))


@pytest.mark.parametrize("which", [0, 7, -1], ids=["a revealed shoe", "in the middle", "the shoe in use"])
def test_a_card_that_was_not_committed_to_is_found(house: Copy, which: int) -> None:
    house.rewrite("tiger", changed(house.log("tiger"), events.CardDrawn, shown_to_be_another, which))
    assert ["is not the one committed to" in one for one in house.unanchored] == [True]


def test_without_the_key_a_card_is_checked_when_its_shoe_is_revealed(house: Copy) -> None:
    house.rewrite("tiger", changed(house.log("tiger"), events.CardDrawn, shown_to_be_another, 0))
    with open_snapshot(str(house.db)) as snapshot:
        (problem,) = audit_store(snapshot).problems
    assert problem.what == "card 1 of shoe 1 is not the one committed to"


@pytest.mark.parametrize("shoe", [1, 2, 3], ids=["revealed", "in use", "promised"])
def test_another_salt_sealed_in_its_place_is_found(house: Copy, shoe: int) -> None:
    """By somebody who has the key."""
    other = seal(subkey(KEY, "shoes"), "tiger", shoe, bytes(32))
    house.ask("UPDATE shoes SET sealed = ? WHERE stream = 'tiger' AND number = ?", other, shoe)
    assert house.unanchored == [f"the salt of shoe {shoe} as it is kept is not the one promised"]


def told_otherwise(event: floor.ShoeRevealed) -> floor.ShoeRevealed:
    cards = event.cards.split()
    return replace(event, cards=" ".join([*cards[:-2], cards[-1], cards[-2]]))


def test_a_shoe_revealed_otherwise_is_found(house: Copy) -> None:
    house.rewrite("tiger", changed(house.log("tiger"), floor.ShoeRevealed, told_otherwise))
    (told,) = house.unanchored
    assert "are not those committed to" in told


def test_a_shoe_that_was_never_revealed_is_found(house: Copy) -> None:
    log = [one for one in house.log("tiger") if not isinstance(one[0], floor.ShoeRevealed)]
    house.rewrite("tiger", log)
    assert house.unanchored == ["shoe 1 was never revealed"]


Lie: TypeAlias = Callable[[Any], Any]
OTHER = floor.Seed(player="Anwar", seed="another")
# What is told of a shoe otherwise than it was, and what the audit says to it.
SHOE_LIES: dict[str, tuple[type[floor.AnyFloorEvent], Lie, int, str]] = {
    "another promise": (
        floor.ShoePromised, lambda event: replace(event, commitment="0" * 64), 1, "is not the one promised"
    ),
    "a promise of another shoe": (
        floor.ShoePromised, lambda event: replace(event, shoe=event.shoe + 1), 1, "while the one before it is in use"
    ),
    "a promise of another table": (
        floor.ShoePromised, lambda event: replace(event, commitment=promise("insured", event.shoe, bytes(32))), 1,
        "is not the one promised",
    ),
    "another seed": (floor.SeedAdded, lambda event: replace(event, seed="another"), -1, "not sealed with its promise"),
    "a seed of two lines": (floor.SeedAdded, lambda event: replace(event, seed="a\nb"), -1, "it is no seed"),
    "a seed for a shoe in use": (floor.SeedAdded, lambda event: replace(event, shoe=1), -1, "not yet sealed"),
    "somebody else's seed": (floor.SeedAdded, lambda event: replace(event, player="Mei"), 0, "for nobody else"),
    "a stranger's seed": (floor.SeedAdded, lambda event: replace(event, player="Eve"), 0, "by a seated player"),
    "other seeds sealed": (floor.ShoeSealed, lambda event: replace(event, seeds=(OTHER,)), -1, "and every seed"),
    "seeds in another order": (
        floor.ShoeSealed, lambda event: replace(event, seeds=event.seeds[::-1]), -1, "and every seed"
    ),
    "a seed left out": (floor.ShoeSealed, lambda event: replace(event, seeds=event.seeds[1:]), -1, "and every seed"),
    "decks": (floor.ShoeSealed, lambda event: replace(event, decks=event.decks - 1), -1, "not sealed with"),
    "another promise sealed": (
        floor.ShoeSealed, lambda event: replace(event, commitment="0" * 64), -1, "not sealed with its promise"
    ),
    "another shoe sealed": (floor.ShoeSealed, lambda event: replace(event, shoe=1), -1, "before its first card"),
    "another salt": (floor.ShoeRevealed, lambda event: replace(event, salt="0" * 64), -1, "are not those committed to"),
}  # fmt: skip


@pytest.mark.gate("another", "decks")
@pytest.mark.parametrize("lie", SHOE_LIES)
def test_whatever_is_told_of_a_shoe_otherwise_than_it_was_is_found(house: Copy, lie: str) -> None:
    kind, change, which, told = SHOE_LIES[lie]
    house.rewrite("tiger", changed(house.log("tiger"), kind, change, which))
    (found,) = house.unanchored
    assert told in found


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (floor.ShoePromised, "before the next shoe was promised"),
        (floor.SeedAdded, "not sealed with its promise"),
        (floor.ShoeSealed, "while the one before it is in use, and once"),
    ],
)
def test_an_event_of_a_shoe_left_out_is_found(
    house: Copy, kind: type[floor.AnyFloorEvent], told: str
) -> None:
    log = house.log("tiger")
    last = max(place for place, (event, *_) in enumerate(log[:-40]) if isinstance(event, kind))
    house.rewrite("tiger", log[:last] + log[last + 1 :])
    (found,) = house.unanchored
    assert told in found


def test_a_promise_that_left_no_time_for_seeds_is_found(house: Copy) -> None:
    log = house.log("tiger")
    places = [place for place, (event, *_) in enumerate(log) if isinstance(event, floor.ShoePromised)]
    seeded = next(place for place, (event, *_) in enumerate(log) if isinstance(event, floor.SeedAdded))
    late = log.pop(places[1])
    house.rewrite("tiger", [*log[: seeded - 1], late, *log[seeded - 1 :]])
    assert house.unanchored == ["a card was dealt before the next shoe was promised"]


# Beside the logs ------------------------------------------------------------------------------------------

SOME_POSTING = (
    "(SELECT seq FROM events JOIN postings USING (seq) WHERE stream = 'tiger' ORDER BY seq DESC LIMIT 1)"
)
BESIDE: dict[str, str] = {
    "a head's version": "UPDATE streams SET version = version + 1 WHERE stream = 'tiger'",
    "a head's hash": "UPDATE streams SET head = zeroblob(32) WHERE stream = 'tiger'",
    "a head gone": "DELETE FROM streams WHERE stream = 'tiger'",
    "a head of nothing": "INSERT INTO streams VALUES ('ghost', 3, zeroblob(32))",
    "cents of a posting": f"UPDATE postings SET cents = cents + 100 WHERE seq = {SOME_POSTING}",
    "account of a posting": f"UPDATE postings SET account = 'rack:Mallory' WHERE seq = {SOME_POSTING} AND n = 0",
    "a posting gone": f"DELETE FROM postings WHERE seq = {SOME_POSTING} AND n = 0",
    "a posting more": f"INSERT INTO postings VALUES ({SOME_POSTING}, 999, 'house', 0)",
    "a posting of no event": "INSERT INTO postings VALUES (999999, 0, 'house', 100)",
    "a round's time": "UPDATE rounds SET at = at + 1 WHERE stream = 'tiger' AND number = 2",
    "a round's players": "UPDATE rounds SET players = '[\"Mallory\"]' WHERE stream = 'tiger' AND number = 2",
    "a round's body": "UPDATE rounds SET body = CAST(body || ' ' AS BLOB) WHERE stream = 'tiger' AND number = 2",
    "a round gone": "DELETE FROM rounds WHERE stream = 'tiger' AND number = 2",
    "a round more": "INSERT INTO rounds SELECT stream, 99, at, players, body FROM rounds WHERE stream = 'tiger' LIMIT 1",
    "a round of no table": "INSERT INTO rounds SELECT 'ghost', 1, at, players, body FROM rounds LIMIT 1",
    "a player's round gone": "DELETE FROM round_players WHERE stream = 'by-hand' AND number = 1",
    "a player's round more": "INSERT INTO round_players VALUES ('Mallory', 5, 'by-hand', 1)",
    "a wallet": "UPDATE wallets SET cents = cents + 1 WHERE name = 'Wei'",
    "a wallet gone": "DELETE FROM wallets WHERE name = 'Wei'",
    "a wallet more": "INSERT INTO wallets VALUES ('Mallory', 100, 1, 0)",
    "a refill to come": "UPDATE wallets SET refilled = refilled + 1 WHERE name = 'Wei'",
    "what a round came to": "UPDATE results SET net = net + 1 WHERE player = 'Wei' AND list = 'all'",
    "what was lost as won": "UPDATE OR REPLACE results SET list = 'won' WHERE player = 'Wei' AND list = 'lost'",
    "a sum": "UPDATE tallies SET net = net + 1 WHERE player = 'Wei'",
    "a sealed shoe": "UPDATE shoes SET sealed = zeroblob(600) WHERE stream = 'tiger' AND number = 1",
    "the sealed shoe in use": "UPDATE shoes SET sealed = randomblob(600)"
    " WHERE stream = 'tiger' AND number = (SELECT max(number) FROM shoes WHERE stream = 'tiger')",
    "a shoe of another table": "UPDATE shoes SET sealed = (SELECT sealed FROM shoes WHERE stream = 'squeezed' LIMIT 1)"
    " WHERE stream = 'tiger'",
    "a shoe gone": "DELETE FROM shoes WHERE stream = 'tiger' AND number = 1",
    "a shoe more": "INSERT INTO shoes VALUES ('tiger', 99, zeroblob(600))",
    "an answer's version": "UPDATE answers SET answer = CAST(replace(answer, '\"version\":', '\"version\":9') AS BLOB)",
    "an answer's events": "UPDATE answers SET answer = CAST(replace(answer, 'stake-set', 'bought-in') AS BLOB)",
    "whose answer it is": "UPDATE answers SET actor = 'Mallory' WHERE CAST(answer AS TEXT) LIKE '%stake-set%'",
}


@pytest.mark.parametrize("edit", BESIDE)
def test_an_edit_beside_the_logs_is_found(house: Copy, edit: str) -> None:
    assert house.edit(BESIDE[edit])
    assert house.problems


HOSTILE = {
    "nests": b"[" * 500_000,
    "objects that nest": b'{"kind":' * 100_000,
    "digits": b'{"kind":' + b"9" * 1_000_000 + b"}",
    "no text": b"\xff" * 1_000_000,
    "many keys": b"{" + b",".join(b'"k%d":1' % number for number in range(100_000)) + b"}",
}


@pytest.mark.parametrize("where", ["events.body", "answers.answer", "rounds.body"])
def test_hostile_rows_end_no_audit(house: Copy, where: str) -> None:
    """Whatever is stored is told of, and nothing of it is a fault of whoever audits."""
    table, _, column = where.partition(".")
    for data in HOSTILE.values():
        house.ask(f"UPDATE {table} SET {column} = ? WHERE rowid = (SELECT max(rowid) FROM {table})", data)
        assert house.problems


def test_a_damaged_file_is_found(house: Copy) -> None:
    data = bytearray(house.db.read_bytes())
    size = int.from_bytes(data[16:18])
    ((root,),) = house.ask("SELECT rootpage FROM sqlite_schema WHERE name = 'rounds'")
    data[(root - 1) * size : (root - 1) * size + 200] = bytes(200)
    house.db.write_bytes(data)
    assert house.problems


# Anchors and keys -----------------------------------------------------------------------------------------


def lines(house: Copy) -> list[bytes]:
    return house.anchor.read_bytes().splitlines(keepends=True)


def test_an_anchor_that_was_edited_is_found(house: Copy) -> None:
    kept = lines(house)
    for place in (0, len(kept) // 2, -1):
        for at in (0, -3):
            line = bytearray(kept[place])
            line[at] = ord("0") if line[at] != ord("0") else ord("1")
            house.anchor.write_bytes(b"".join([*kept, bytes(line)]))
            assert any("a line with a wrong code" in one for one in house.problems)


def test_an_anchor_of_another_house_is_found(house: Copy) -> None:
    house.anchor.unlink()
    anchor = Anchor(house.anchor, bytes(32))
    store = open_store(str(house.db))
    anchor.write({"tiger": store.heads()["tiger"]})
    store.close()
    anchor.close()
    assert any("a line with a wrong code" in one for one in house.problems)


def test_an_anchor_that_was_set_back_is_found(house: Copy) -> None:
    kept = lines(house)
    house.anchor.write_bytes(b"".join([*kept, kept[0]]))
    assert any("was anchored at version" in one for one in house.problems)


def test_a_table_that_no_anchor_knows_is_found(house: Copy) -> None:
    house.anchor.write_bytes(b"".join(line for line in lines(house) if not line.startswith(b"tiger ")))
    assert house.problems == ["tiger/None/None: no anchor knows of it"]


def test_a_missing_anchor_or_key_is_a_problem_of_its_own(house: Copy) -> None:
    house.anchor.unlink()
    (told,) = house.problems
    assert "house.db.anchor is missing" in told
    house.key.unlink()
    assert ["house.db.key is missing" in one for one in house.problems] == [True, False]
    assert not house.key.exists(), "an audit makes no key"


def test_a_key_that_does_not_fit_is_found(house: Copy) -> None:
    house.key.write_text("ab" * 32, encoding="ascii")
    told = house.problems
    assert any("cannot be opened" in one for one in told)
    assert any("a line with a wrong code" in one for one in told)


def test_nothing_that_is_told_shows_a_card_that_was_not_dealt(house: Copy) -> None:
    with open_snapshot(str(house.db)) as snapshot:
        number = max(shoe.number for shoe in snapshot.of_stream(SHOES, "tiger"))
    house.ask("UPDATE shoes SET sealed = randomblob(600) WHERE stream = 'tiger' AND number = ?", number)
    (told,) = house.problems
    assert not any(f" {card}" in told for card in Card)


# The start of a server ------------------------------------------------------------------------------------


def test_a_server_anchors_all_that_it_finds(house: Copy) -> None:
    house.anchor.unlink()
    store = open_store(str(house.db))
    anchor = Anchor(house.anchor, subkey(KEY, "anchor"))
    anchor_all(store, anchor)
    anchor.close()
    assert read_anchor(house.anchor, subkey(KEY, "anchor")).latest == store.heads()
    store.close()
    assert house.problems == []


def test_a_server_does_not_start_on_a_log_that_was_cut(house: Copy) -> None:
    house.rewrite("by-hand", house.log("by-hand")[:30])
    store, anchor = open_store(str(house.db)), Anchor(house.anchor, subkey(KEY, "anchor"))
    before = house.anchor.read_bytes()
    with pytest.raises(ValueError, match="the log of by-hand is not the one that was anchored"):
        check_anchor(store, anchor)
    assert house.anchor.read_bytes() == before, "and leaves no trace that would hide it"
    store.close()
    anchor.close()


# Chance ---------------------------------------------------------------------------------------------------

EDITABLE = {
    "events": ("stream", "version", "at", '"by"', "name", "schema", "round", "flag", "body", "hash"),
    "streams": ("stream", "version", "head"),
    "postings": ("seq", "account", "cents"),
    "rounds": ("stream", "number", "at", "players", "body"),
    "round_players": ("player", "at", "stream", "number"),
    "shoes": ("stream", "number", "sealed"),
    "wallets": ("name", "cents", "version", "refilled"),
    "results": ("player", "list", "at", "stream", "number", "net", "staked"),
    "tallies": ("player", "day", "digest", "bet", "rounds", "staked", "net"),
}


def random_edit(house: Copy, chance: random.Random) -> str:
    """One row gone, or one column of it otherwise; what was done."""
    name = chance.choice(list(EDITABLE))
    columns = EDITABLE[name]
    rows = house.ask(f"SELECT {', '.join(columns)} FROM {name}")
    row = chance.choice(rows)
    which = " AND ".join(f"{column} = ?" for column in columns)
    if chance.random() < 0.25:
        house.ask(f"DELETE FROM {name} WHERE {which}", *row)
        return f"{name} {row[:3]} deleted"
    place = chance.randrange(len(columns))
    other = row[place]
    while other == row[place]:
        other = altered(row[place], chance)
    house.ask(f"UPDATE OR REPLACE {name} SET {columns[place]} = ? WHERE {which}", other, *row)
    return f"{name} {row[:3]}: {columns[place]} from {row[place]!r} to {other!r}"


def altered(value: Any, chance: random.Random) -> Any:  # noqa: ANN401 - a column
    if isinstance(value, int):
        return value + chance.choice((-1000, -1, 1, 2, 100, 10**6))
    if isinstance(value, str):
        return chance.choice((value + "x", value[1:], "tiger", "rack:Wei", "[]"))
    place = chance.randrange(len(value))
    return value[:place] + bytes([chance.randrange(256)]) + value[place + chance.randrange(2) :]


@pytest.mark.gate("0", "1")
@pytest.mark.parametrize("part", range(6))
def test_a_random_edit_is_found(original: Path, tmp_path: Path, part: int) -> None:
    chance = random.Random(part)  # noqa: S311 - sample edits
    for number in range(25):
        house = Copy(original, tmp_path / str(number))
        done = random_edit(house, chance)
        assert house.problems, done
