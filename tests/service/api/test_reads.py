"""What can be read afterwards: rounds, one's own rounds, statements, shoes; rules and odds as the command line has them."""

import json
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from typer.testing import CliRunner

from service.api.serving import GUARD, NOBODY, Asking, Served, is_problem
from service.houses import CBI, MBS, TBC, new_table
from thirdcard.cards import parse_cards
from thirdcard.cli import app as command_line
from thirdcard.play.settlement import Game
from thirdcard.rulebook import load, slugs
from thirdcard.rulebook.model import Facts
from thirdcard.rulebook.rulings import facts_asked
from thirdcard.service.log.floor_events import Pace, Seed, ShoeSealed
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.sealed_shoes import is_kept

pytestmark = pytest.mark.server

ROUNDS = 110
AT_ONCE = Pace(betting=5, insurance=0, adjusting=0, choice=0, squeeze=0, card=0, result=0, shuffle=0)


def _second_shoe(live: Live) -> bool:
    shoe = live.table.shoe
    return shoe is not None and shoe.number > 1


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """More than a hundred rounds of an automatic table with small shoes, Wei betting on what he can."""
    fast = new_table("fast", "automatic", AT_ONCE, slug=MBS, decks=6)
    with Served(tmp_path_factory.mktemp("house") / "house.db", new_table("one"), fast) as house:
        wei = house.player("Wei", "fast", box=1, cents=100_000_000)
        house.tokens["Wei"] = wei.token
        give_up = time.monotonic() + 10 * GUARD
        with wei.stream("fast"):
            while house.live("fast").table.rounds <= ROUNDS or not _second_shoe(house.live("fast")):
                assert time.monotonic() < give_up, "the dealer is stuck"
                wei.command("place", "fast", box=1, bet="player", cents=1_000)
                wei.command("place", "fast", box=1, bet="tie", cents=1_000)
            house.as_("shift-manager").post("/api/tables/fast/close")
            while house.live("fast").table.phase != "settled":
                assert time.monotonic() < give_up
        yield house


def by(served: Served, name: str) -> Asking:
    return Asking(served, served.tokens[name])


def all_rounds(person: Asking, limit: int) -> list[dict[str, Any]]:
    """Page by page."""
    found: list[dict[str, Any]] = []
    before: dict[str, int] = {}
    while page := person.get("/api/tables/fast/rounds", limit=limit, **before).json():
        assert len(page) <= limit
        found += page
        before = {"before": page[-1]["number"]}
    return found


# Rounds -------------------------------------------------------------------------------------------------


def test_the_last_hundred_rounds(served: Served) -> None:
    latest = served.live("fast").table.rounds
    page = served.as_(NOBODY).get("/api/tables/fast/rounds").json()
    assert [one["number"] for one in page] == list(range(latest, latest - 100, -1))


@pytest.mark.parametrize("limit", [7, 100, 200])
def test_all_rounds_page_by_page(served: Served, limit: int) -> None:
    found = all_rounds(served.as_(NOBODY), limit)
    latest = served.live("fast").table.rounds
    assert [one["number"] for one in found] == list(range(latest, 0, -1))
    for one in found[:: len(found) // 10]:
        assert served.as_(NOBODY).get(f"/api/tables/fast/rounds/{one['number']}").json() == one


def test_ones_own_rounds_are_those_that_one_bet_in(served: Served) -> None:
    """All of them, whatever the pages; the same as those at the table that name the player."""
    mine = {
        one["number"]
        for one in all_rounds(served.as_(NOBODY), 200)
        if any(stake["player"] == "Wei" for stake in one["stakes"])
    }
    assert len(mine) > 20
    for limit in (7, 200):
        found: list[int] = []
        after: dict[str, str] = {}
        while True:
            page = by(served, "Wei").get("/api/me/rounds", limit=limit, **after).json()
            found += [one["number"] for one in page["rounds"]]
            if page["next"] is None:
                break
            after = {"after": page["next"]}
        assert found == sorted(mine, reverse=True)


def test_rounds_that_there_are_not(served: Served) -> None:
    nobody = served.as_(NOBODY)
    assert is_problem(nobody.get("/api/tables/fast/rounds/999999"), 404)
    assert is_problem(nobody.get("/api/tables/nowhere/rounds"), 404)
    assert nobody.get("/api/tables/one/rounds").json() == []
    assert nobody.get("/api/tables/fast/rounds", before=1).json() == []


# Money --------------------------------------------------------------------------------------------------


def all_movements(person: Asking, limit: int) -> list[dict[str, Any]]:
    """Those of Wei in the order they happened, put together page by page."""
    page = person.get("/api/tables/fast/statements/Wei", limit=limit).json()
    found: list[dict[str, Any]] = page["entries"]
    while "next" in page:
        page = person.get("/api/tables/fast/statements/Wei", limit=limit, before=page["next"]).json()
        assert len(page["entries"]) <= limit
        found = [*page["entries"], *found]
    return found


def test_statements_add_up(served: Served) -> None:
    """What was brought, won and lost comes to what there is, and to what the rounds say."""
    told = by(served, "Wei").get("/api/tables/fast/statements/Wei").json()
    entries = all_movements(by(served, "Wei"), 200)
    assert told["entries"] == entries[-200:]
    assert all_movements(by(served, "Wei"), 37) == entries
    rack = by(served, "Wei").get("/api/tables/fast").json()["you"]["racks"]["Wei"]
    won = sum(
        line["net"]
        for one in all_rounds(served.as_(NOBODY), 200)
        if one.get("settlement")
        for line in one["settlement"]["lines"]
    )
    assert (told["balance"], told["net"]) == (rack, won)
    assert rack == 100_000_000 + won == sum(entry["cents"] for entry in entries)
    balances = [0, *(entry["balance"] for entry in entries)]
    assert [entry["cents"] for entry in entries] == [now - before for before, now in pairwise(balances)]
    whole = served.as_("auditor").get("/api/tables/fast/statement").json()
    assert (whole["house"], whole["racks"], whole["drop"]) == (-won, {"Wei": rack}, 100_000_000)
    assert served.as_("auditor").get("/api/tables/fast/statements/Wei").json() == told
    assert is_problem(served.as_("auditor").get("/api/tables/fast/statements/Mei"), 404)


def test_the_log_is_all_there(served: Served) -> None:
    auditor, found, after = served.as_("auditor"), [], 0
    while page := auditor.get("/api/tables/fast/log", after=after, limit=200).json():
        found += page
        after = page[-1]["version"]
    stored = served.hall.engine.store.read("fast")
    assert [(line["version"], line["hash"], line["name"]) for line in found] == [
        (record.version, record.hash.hex(), record.name) for record in stored
    ]


# Shoes --------------------------------------------------------------------------------------------------


def test_shoes_check_out(served: Served) -> None:
    """What was promised of a finished shoe is what came of it, and its rounds were dealt from it in order."""
    nobody = served.as_(NOBODY)
    listed = nobody.get("/api/tables/fast/shoes").json()
    assert [one["number"] for one in listed] == list(range(len(listed), 0, -1))
    rounds = all_rounds(nobody, 200)
    for one in listed:
        shoe = nobody.get(f"/api/tables/fast/shoes/{one['number']}").json()
        assert shoe["commitment"] == one["commitment"]
        if one["number"] == len(listed):
            assert (shoe["finished"], shoe["salt"], shoe["cards"], shoe["fits"]) == (False, None, None, None)
            continue
        assert shoe["finished"]
        assert shoe["fits"]
        seeds = tuple(Seed(**seed) for seed in shoe["seeds"])
        sealed = ShoeSealed(
            shoe=shoe["number"], commitment=shoe["commitment"], decks=shoe["decks"], seeds=seeds
        )
        assert is_kept("fast", sealed, shoe["salt"], shoe["cards"])
        dealt = [
            card["card"]
            for played in reversed(rounds)
            if played["shoe"] == one["number"]
            for card in played["cards"]
        ]
        assert shoe["cards"].split()[: len(dealt)] == dealt
        assert len(shoe["cards"].split()) == 6 * 52
    assert len(listed) >= 2
    assert is_problem(nobody.get("/api/tables/fast/shoes/99"), 404)
    assert nobody.get("/api/tables/fast").json()["view"]["house"]["commitment"] == listed[0]["commitment"]


# The same as on the command line ------------------------------------------------------------------------


def printed(*args: str) -> Any:  # noqa: ANN401
    found = CliRunner().invoke(command_line, [*args, "--json"])
    assert found.exit_code == 0, found.output
    return json.loads(found.stdout)


@pytest.mark.parametrize("slug", slugs())
def test_rules_are_the_command_lines(served: Served, slug: str) -> None:
    nobody = served.as_(NOBODY)
    assert nobody.get(f"/api/rules/{slug}").json() == printed("rules", "show", slug)
    assert nobody.get(f"/api/rules/{slug}", layout="A").json() == printed(
        "rules", "show", slug, "--layout", "A"
    )
    assert nobody.get(f"/api/rules/{slug}/trace").json() == printed("rules", "trace", slug)
    assert nobody.get(f"/api/rules/{slug}/diff/{TBC}").json() == printed("rules", "diff", slug, TBC)
    assert nobody.get(f"/api/rules/{slug}/rulings").json() == printed("ruling", slug)


def test_rulings_are_the_command_lines(served: Served) -> None:
    nobody = served.as_(NOBODY)
    address = f"/api/rules/{MBS}/rulings/drawn-together"
    assert nobody.get(address).json() == printed("ruling", MBS, "drawn-together")
    facts = {"stage": "initial-deal", "order_known": "false"}
    by_hand = printed("ruling", MBS, "drawn-together", "--order-unknown", "--stage", "initial-deal")
    assert nobody.get(address, **facts).json() == by_hand
    assert nobody.get("/api/interpretations").json() == printed("rules", "interpretations")


@pytest.mark.parametrize("fact", Facts.__struct_fields__)
def test_every_fact_that_a_ruling_turns_on_can_be_given(served: Served, fact: str) -> None:
    slug, case, value = next(
        (slug, one.case, asked[fact][0])
        for slug in slugs()
        for one in load(slug).procedures
        if fact in (asked := facts_asked(one))
    )
    text = str(value).lower() if isinstance(value, bool) else value
    answer = served.as_(NOBODY).get(f"/api/rules/{slug}/rulings/{case}", **{fact: text})
    assert answer.status_code == 200, answer.text
    assert answer.json()["facts"] == {fact: value}


@pytest.mark.parametrize("slug", slugs())
def test_odds_are_the_command_lines(served: Served, slug: str) -> None:
    nobody = served.as_(NOBODY)
    seen = "9C 9D KH"
    assert (
        nobody.get(f"/api/odds/{slug}", layout="A").json()["bets"]
        == printed("odds", slug, "--layout", "A")["bets"]
    )
    asked = nobody.get(f"/api/odds/{slug}", layout="A", decks=6, seen=seen).json()
    assert asked["bets"] == printed("odds", slug, "--layout", "A", "--decks", "6", "--seen", seen)["bets"]
    assert asked["cards_left"] == 6 * 52 - 3


@pytest.mark.parametrize("slug", slugs())
def test_odds_are_worked_out_for_every_number_of_decks_that_the_document_allows(
    served: Served, slug: str
) -> None:
    nobody, allowed = served.as_(NOBODY), load(slug).decks
    for decks in (allowed.min, allowed.max):
        asked = nobody.get(f"/api/odds/{slug}", layout="A", decks=decks, seen="9C " * allowed.min)
        assert asked.json()["cards_left"] == 52 * decks - allowed.min
    for decks in (allowed.min - 1, allowed.max + 1, -1, 10**30):
        no = nobody.get(f"/api/odds/{slug}", decks=decks)
        assert is_problem(no, 400)
        assert f"is played with {allowed.min} to {allowed.max} decks" in no.json()["detail"]
        assert is_problem(nobody.get(f"/api/insurance/{slug}", decks=decks), 400)


def test_insurance_is_the_command_lines(served: Served) -> None:
    nobody = served.as_(NOBODY)
    asked = nobody.get(f"/api/insurance/{CBI}", seen="9C 9D KH").json()
    assert asked == printed("insurance", CBI, "--seen", "9C 9D KH")


def test_live_odds_are_those_of_the_cards_seen(served: Served) -> None:
    nobody = served.as_(NOBODY)
    shoe = served.live("fast").table.shoe
    assert shoe is not None
    rounds = [one for one in all_rounds(nobody, 200) if one["shoe"] == shoe.number]
    seen = " ".join(card["card"] for one in rounds for card in one["cards"])
    layout = served.live("fast").table.setup.layout
    asked = nobody.get(f"/api/odds/{MBS}", layout=layout, decks=6, seen=seen).json()
    assert nobody.get("/api/tables/fast/odds").json() == asked
    assert is_problem(nobody.get("/api/tables/one/odds"), 403)
    assert is_problem(served.as_("dealer").get("/api/tables/one/odds"), 404)


def test_the_help_of_a_table_has_every_spot_with_exact_figures_and_a_round_that_shows_it(
    served: Served,
) -> None:
    nobody, setup = served.as_(NOBODY), served.live("fast").table.setup
    told = nobody.get("/api/tables/fast/help").json()
    exact = nobody.get(f"/api/odds/{MBS}", layout=setup.layout, decks=setup.decks).json()["bets"]
    assert list(told) == list(exact)
    for bet, spot in told.items():
        assert (spot["edge"], spot["win"]) == (exact[bet]["house_edge_approx"], exact[bet]["win_approx"])
        for tier in spot["tiers"]:
            hands = [hand["cards"] for hand in tier["hands"]]
            drawn = [hands[n % 2][n // 2] for n in range(4)] + [card for hand in hands for card in hand[2:]]
            settled = Game(setup.book, setup.layout).settle(parse_cards(" ".join(drawn)), {bet: 1_000})
            assert (settled.bets[0].result, settled.bets[0].odds) == ("win", tier["pays"])
    assert nobody.get("/api/tables/fast/help", lang="zh").json()["tie"]["name"] == "和"
    assert nobody.get("/api/tables/fast/help", lang="xx").json() == told


def test_the_hits_of_a_shoe_are_those_of_its_rounds(served: Served) -> None:
    nobody = served.as_(NOBODY)
    live = served.live("fast")
    assert live.table.shoe is not None
    hits = nobody.get("/api/tables/fast/hits").json()
    assert (hits["shoe"], hits["rounds"]) == (live.table.shoe.number, len(live.table.results))
    winners = [n for n, one in enumerate(live.table.results, 1) if one.winner == "banker"]
    assert hits["bets"]["banker"] == winners
