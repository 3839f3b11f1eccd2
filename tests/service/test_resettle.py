"""Recorded rounds settled under another text: what differs in cents, and what could not have been."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.houses import DEE, MEI, SAM, WEI, bet, cards, did, go, hall_on, new_table, seated, timed
from thirdcard.money import Odds
from thirdcard.play.settlement import settle
from thirdcard.rulebook import Rulebook, load, sources
from thirdcard.rulebook.load import read
from thirdcard.rulebook.model import Side
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.log.store import open_snapshot, open_store
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.queries.resettle import Resettled, Resettling, rounds_in, streams_of
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import RoundRecord
from thirdcard.table import commands

loading = import_module("thirdcard.rulebook.load")
V3, V4 = (f"rws-tiger-buffalo-non-commission-v{version}" for version in (3, 4))
TBC, CBI = "rws-tiger-buffalo-commission-v2", "rws-commission-insurance-v5"
TIE, BANKER = "AC 8D 8H AS", "2C 9C 3D KD"
OTHER = 'slug = "other"\nextends = "{base}"\n[document]\nversion = 9\n'


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "_known", {})
    monkeypatch.setattr(sources, "_taken", {})


def other(base: str, text: str = "", *, remove: Iterable[str] = ()) -> Rulebook:
    """A book that is `base` but for something; what it removes is named first."""
    removed = f"remove = {list(remove)!r}\n".replace("'", '"')
    return read("other.toml", removed + OTHER.format(base=base) + text)


def settled_under(hall: Hall, book: Rulebook, **span: int) -> Resettled:
    work = Resettling(book, **span)
    for stream in streams_of(hall.engine.store):
        for _ in work.table(hall.engine.store, stream):
            pass
    return work.result()


async def plays(hall: Hall, drawn: str, *stakes: Any, table: str = "one") -> None:  # noqa: ANN401
    engine = hall.engine
    if engine.tables[table].table.shoe is None:
        await did(engine, DEE, commands.NewShoe(by="Dee"), table=table)
    await did(engine, DEE, commands.Open(by="Dee"), table=table)
    for person, name, cents in stakes:
        await did(engine, person, bet(person, cents, name, 1 if person is WEI else 2), table=table)
    await did(engine, DEE, commands.Close(by="Dee"), table=table)
    for card in cards(drawn):
        await did(engine, DEE, commands.Draw(by="Dee", card=card), table=table)
    await did(engine, DEE, commands.Settle(by="Dee"), table=table)


@timed
async def test_the_difference_by_bet_table_and_player_to_the_cent() -> None:
    tie = load(V3).bets["tie"]
    pays = tie.pays[0].odds.winnings_cents(100)
    book = other(V3, f'[bets.tie]\npays = [{{ tier = "{tie.pays[0].tier}", odds = "30 to 1" }}]\n')
    async with hall_on(MemoryStore(), new_table("one", slug=V3), new_table("two", slug=V3)) as hall:
        for table in ("one", "two"):
            await seated(hall, WEI, MEI, table=table)
        await plays(hall, TIE, (WEI, "tie", 100_00), (MEI, "player", 50_00))
        await plays(hall, BANKER, (WEI, "tie", 100_00), (MEI, "tie", 40_00))
        await plays(hall, TIE, (MEI, "tie", 20_00), table="two")
        found = settled_under(hall, book)
    more = (3000 - pays) * 100, (3000 - pays) * 20
    assert (found.rounds, found.otherwise, found.could_not) == (3, 2, 0)
    assert found.difference == -sum(more), "the house wins less"
    assert found.other - found.played == found.difference
    assert [(one.bet, one.staked, one.difference, one.rounds) for one in found.bets] == [
        ("tie", 260_00, -sum(more), 2),
        ("player", 50_00, 0, 0),
    ]
    assert {one.table: (one.rounds, one.otherwise, one.difference) for one in found.tables} == {
        "one": (2, 1, -more[0]),
        "two": (1, 1, -more[1]),
    }
    assert [(one.player, one.played, one.other) for one in found.players] == [
        ("Wei", pays * 100, 300_000),
        ("Mei", pays * 20, 60_000),
    ]
    assert [(one.rulebook, one.version, one.rounds) for one in found.texts] == [(V3, 3, 3)]


@timed
async def test_the_next_version_pays_the_same_to_the_cent() -> None:
    """Rounds of the automatic dealer, whatever comes."""
    async with hall_on(MemoryStore(), new_table("one", "automatic", slug=V3)) as hall:
        await seated(hall, WEI)
        for number in range(1, 9):
            await go(hall, lambda: (at(hall).rounds, at(hall).phase) == (number, "betting"))  # noqa: B023
            for name in ("banker", "tie", "big-tiger", "small-tiger"):
                await did(hall.engine, WEI, bet(WEI, 10_00, name))
            await go(hall, lambda: at(hall).phase in ("settled", "void"))
        found = settled_under(hall, load(V4))
        assert (found.rounds, found.otherwise, found.difference, found.left_out) == (8, 0, 0, [])
        # And the sums are those of the library, round by round.
        rows = [RoundRecord.of(row) for row in hall.engine.store.rounds("one")]
        nets = [
            settle(
                V4,
                tuple(card.card for card in one.cards if card.card),
                {stake.bet: stake.cents for stake in one.stakes},
            ).net
            for one in rows
        ]
        assert found.other == -sum(nets)
        assert found.staked == sum(stake.cents for one in rows for stake in one.stakes)


def at(hall: Hall) -> Any:  # noqa: ANN401
    return hall.engine.tables["one"].table


GAME = """
slug = "game"
extends = "plain"
[document]
title = "A Game"
[bets.tie]
pays = [{ tier = "win", when = { winner = ["tie"] }, odds = "8 to 1" }]
"""
LAYOUT = "[layouts.{}]\npositions = [1, 9]\nbets = {}\n"


def drawn(*layouts: tuple[str, str]) -> Rulebook:
    """A game with these layouts: a letter, and the bets that it has."""
    return read(
        "game.toml",
        GAME
        + "".join(LAYOUT.format(letter, str(bets.split()).replace("'", '"')) for letter, bets in layouts),
    )


@timed
async def test_rounds_that_the_other_text_could_not_have_are_listed_and_in_no_sum() -> None:
    async with hall_on(MemoryStore(), new_table("other")) as hall:
        await hall.add_rulebook(
            drawn(("A", "player banker tie"), ("C", "player banker tie")), "game.toml", by="Root"
        )
        for table, layout in (("one", "A"), ("two", "C")):
            await hall.create(new_table(table, slug="game", layout=layout, differential=None), by="Sam")
            await seated(hall, WEI, table=table)
        await plays(hall, TIE, (WEI, "player", 100_00))
        await plays(hall, TIE, (WEI, "tie", 10_00))
        await plays(hall, BANKER, (WEI, "tie", 20_00))
        await plays(hall, TIE, (WEI, "player", 100_00), table="two")
        found = settled_under(hall, drawn(("A", "player banker"), ("B", "tie player banker")))
    told = [
        (one.table, one.first, one.last, one.rounds, one.why, one.what, one.staked, one.played)
        for one in found.left_out
    ]
    assert told == [
        ("one", 2, 3, 2, "bet", "tie", 30_00, -80_00 + 20_00),
        ("two", 1, 1, 1, "layout", "C", 100_00, 0),
    ]
    assert (found.rounds, found.could_not, found.staked) == (1, 3, 100_00)
    assert {one.table: one.could_not for one in found.tables} == {"one": 2, "two": 1}


@timed
async def test_a_text_that_draws_other_cards_could_not_have_had_the_round() -> None:
    async with hall_on(MemoryStore(), new_table("one", slug=TBC)) as hall:
        await seated(hall, WEI)
        await plays(hall, BANKER, (WEI, "player", 100_00))
        await plays(hall, "2C 3D 3H 3S 9H", (WEI, "player", 100_00))
        stands = other(TBC, "[table_of_play]\nplayer_draws = [0, 1, 2, 3, 4]\n")
        found = settled_under(hall, stands)
        assert found.rounds == 1, "a natural: nobody draws"
        assert [(one.first, one.last, one.why, one.rules) for one in found.left_out] == [
            (2, 2, "cards", load(TBC).table_of_play.rules)
        ]


async def insured(hall: Hall) -> None:
    """Wei insures Banker at 6 against 5, at 5 to 2, and loses it."""
    engine = hall.engine
    await did(engine, DEE, commands.NewShoe(by="Dee"), commands.Open(by="Dee"))
    await did(engine, WEI, bet(WEI, 100_00, "banker"))
    await did(
        engine,
        DEE,
        commands.Close(by="Dee"),
        *(commands.Draw(by="Dee", card=card) for card in cards("2C 3D 3H 3S")),
    )
    await did(engine, WEI, commands.Insure(by="Wei", box=1, hand=Side.BANKER, cents=20_00))
    await did(engine, DEE, commands.CloseInsurance(by="Dee"))
    await did(engine, DEE, commands.Draw(by="Dee", card=cards("4H")[0]), commands.Settle(by="Dee"))


@timed
async def test_insurance_is_settled_at_the_odds_of_the_other_text() -> None:
    async with hall_on(MemoryStore(), new_table("one", slug=TBC)) as hall:
        await seated(hall, WEI)
        await insured(hall)
        book = load(TBC)
        assert book.insurance is not None
        offers = tuple(msgspec.structs.replace(offer, odds=Odds("3 to 1")) for offer in book.insurance.offers)
        dearer = msgspec.structs.replace(
            book, insurance=msgspec.structs.replace(book.insurance, offers=offers)
        )
        found = settled_under(hall, dearer)
        (line,) = [one for one in found.bets if one.bet == "banker-insurance"]
        assert (line.staked, line.played, line.other) == (20_00, -50_00, -60_00)
        found = settled_under(hall, msgspec.structs.replace(book, insurance=None))
        assert [(one.why, one.what) for one in found.left_out] == [("insurance", "banker-insurance")]
        assert found.bets == []


def test_what_was_not_paid_as_its_own_text_pays_is_in_no_sum(tmp_path: Path) -> None:
    where = str(tmp_path / "house.db")

    @timed
    async def play() -> None:
        async with hall_on(open_store(where), new_table("one", slug=V3)) as hall:
            await seated(hall, WEI)
            for cents in (100_00, 20_00):
                await plays(hall, TIE, (WEI, "tie", cents))

    play()
    with closing(sqlite3.connect(where)) as connection, connection:
        (body,) = connection.execute("SELECT body FROM rounds WHERE number = 2").fetchone()
        record = msgspec.json.decode(body)
        record["settlement"]["lines"][0]["net"] += 1
        connection.execute("UPDATE rounds SET body = ? WHERE number = 2", (msgspec.json.encode(record),))
    with open_snapshot(where) as snapshot:
        work = Resettling(load(V4))
        list(work.table(snapshot, "one"))
    found = work.result()
    assert (found.rounds, found.staked) == (1, 100_00)
    assert [(one.first, one.why) for one in found.left_out] == [(2, "decided")]


@timed
async def test_a_void_round_moves_nothing_and_is_counted_apart() -> None:
    async with hall_on(MemoryStore(), new_table("one", slug=V3)) as hall:
        await seated(hall, WEI)
        await plays(hall, TIE, (WEI, "tie", 100_00))
        await did(hall.engine, DEE, commands.Open(by="Dee"))
        await did(hall.engine, WEI, bet(WEI, 10_00, "tie"))
        await did(hall.engine, SAM, commands.Void(by="Sam", reason="the shoe fell"))
        found = settled_under(hall, load(V4))
        assert (found.rounds, found.void, found.could_not) == (1, 1, 0)


@timed
async def test_only_rounds_of_the_time_are_settled_and_each_by_the_text_of_its_time() -> None:
    async with hall_on(MemoryStore(), new_table("one", slug=V3)) as hall:
        await seated(hall, WEI)
        await plays(hall, TIE, (WEI, "tie", 100_00))
        hall.clock.wait(3600)  # type: ignore[attr-defined]
        begin = hall.clock.wall()
        await did(hall.engine, SAM, commands.ChangeRulebook(by="Sam", rulebook=V4))
        await plays(hall, TIE, (WEI, "tie", 50_00))
        after = settled_under(hall, load(V3), since=begin)
        assert (after.rounds, after.staked, [one.rulebook for one in after.texts]) == (1, 50_00, [V4])
        before = settled_under(hall, load(V3), until=begin)
        assert (before.rounds, before.staked, [one.rulebook for one in before.texts]) == (1, 100_00, [V3])
        assert settled_under(hall, load(V3), since=begin + 3600 * MICROSECONDS).tables == []
        assert rounds_in(hall.engine.store, "one") == 2


@timed
async def test_parts_come_to_the_whole() -> None:
    async with hall_on(MemoryStore(), new_table("one", slug=V3)) as hall:
        await seated(hall, WEI)
        for _ in range(5):
            await plays(hall, TIE, (WEI, "tie", 10_00))
        work, after = Resettling(load(V4)), 0
        for _ in range(3):
            for last in work.part(hall.engine.store, "one", after=after, limit=2):
                after = last
        assert work.result().staked == settled_under(hall, load(V4)).staked == 50_00
        assert after == 5
