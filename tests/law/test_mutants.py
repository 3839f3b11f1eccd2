"""Law coverage by a sample (`make mutants` tries every mutant), and that the tool can tell a survivor."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from each import each
from law import mutants, planted
from law.changes import REMEDIES, Edit, Mutant, as_toml, edited, row_edited
from law.mutants import Head, Reason, Report
from law.trial import COMMON, REVIEWED, ROOT, Verdict, tiers
from thirdcard.rulebook.load import read
from thirdcard.rulebook.remedies import ROWS

pytestmark = pytest.mark.slow

SIZE, SEED = 25, 1
MBS = "mbs-tiger-v2"
EVERY = {one.key: one for one in mutants.every_mutant()}


def run(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A process of its own: this one has loaded rulebooks already."""
    command = [sys.executable, "-m", module, *arguments]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    return subprocess.run(
        command, cwd=ROOT, env=env, capture_output=True, text=True, encoding="utf-8", check=False, timeout=300
    )


# --- the law ----------------------------------------------------------------------------------------------


def test_no_mutant_of_a_sample_survives() -> None:
    done = run("law.mutants", "--sample", str(SIZE), "--seed", str(SEED))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 survivors without a reason" in done.stdout


# --- and a survivor would be seen -------------------------------------------------------------------------


@pytest.mark.whole
def test_planted_survivors_are_found() -> None:
    done = run("law.planted")
    assert done.returncode == 1, done.stdout + done.stderr
    expected = {
        **{f"{slug}:unchanged": "survived" for slug in planted.UNCHANGED},
        **dict(zip(planted.KILLED, ("paragraph", "paragraph", "common", "loader"), strict=True)),
        **dict(zip((f"{MBS}:{end}" for end in planted.ENDS), ("time", "crashed", "crashed"), strict=True)),
    }
    lines = done.stdout.splitlines()
    assert set(lines[: len(expected)]) == {f"{key}: {outcome}" for key, outcome in expected.items()}
    assert f"survived: {MBS}:unchanged" in lines
    assert "  ran tests/rules/test_mbs_tiger_v2.py::test_2_1_four_to_ten_decks_without_jokers" in lines
    assert f"crashed: {MBS}:raises (LookupError: planted)" in lines
    assert "3 survivors without a reason, 1 with one" in lines
    stale = [line.removeprefix("stale reason: ") for line in lines if line.startswith("stale reason: ")]
    assert len(stale) == 2
    assert stale[0].startswith(f"{MBS}:decks.min=*: {MBS}:decks.min=5 does not survive, tests/rules/")
    assert stale[1] == f"{MBS}:weather: there is no such mutant"


# --- mutants ----------------------------------------------------------------------------------------------


def places(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Where every single value stands."""
    if isinstance(value, dict):
        return [place for name, inner in value.items() for place in places(inner, (*path, name))]
    if isinstance(value, list):
        return [place for index, inner in enumerate(value) for place in places(inner, (*path, index))]
    return [path]


@pytest.mark.parametrize("slug", mutants.documents())
def test_every_value_has_mutants(slug: str) -> None:
    changed = {edit.path for one in EVERY.values() if one.document == slug for edit in one.edits}
    assert set(places(mutants.documents()[slug])) - changed == set()


def test_every_row_of_the_remedy_table_has_mutants() -> None:
    changed = {one.edits[0].path[:2] for one in EVERY.values() if one.document == REMEDIES}
    fields = ("sentence", "options", "bets", "asks", "alters", "at_discretion")
    assert changed == {(row.name, field) for row in ROWS for field in fields}


def test_keys_are_unique() -> None:
    assert len(EVERY) == len(mutants.every_mutant())


@each(
    "key",
    [
        "mbs-tiger-v2:bets.tie.pays[0].odds=9 to 1",
        "mbs-tiger-v2:bets.banker.pays[0].odds=1.95 to 1",
        "mbs-tiger-v2:bets.player.push dropped",
        "mbs-tiger-v2:bets.big-tiger.pays[0].when.cards=4",
        "mbs-tiger-v2:bets.big-tiger.pays[0].when.cards dropped",
        "mbs-tiger-v2:bets.big-tiger.pays[0].when.winner+tie",
        "mbs-tiger-v2:bets.big-tiger.pays[0].when.total[6] dropped",
        "mbs-tiger-v2:bets.big-tiger.pays[0].when.total+7",
        "mbs-tiger-v2:bets.tiger-pair.pays[0].when.pair=twin",
        "mbs-tiger-v2:bets.tie.name changed",
        "mbs-tiger-v2:commission.rate=1/21",
        "mbs-tiger-v2:commission.rate=1/10 with the odds of Banker",
        "mbs-tiger-v2:commission dropped",
        "mbs-tiger-v2:decks.min=3",
        "mbs-tiger-v2:decks.max=11",
        "mbs-tiger-v2:table_of_play.natural+7",
        "mbs-tiger-v2:table_of_play.player_draws+6",
        "mbs-tiger-v2:table_of_play.banker_draws.3+8",
        "mbs-tiger-v2:table_of_play.banker_draws.3[7] dropped",
        "mbs-tiger-v2:layouts.A.bets[tiger] dropped",
        "mbs-tiger-v2:layouts.A.bets[tiger] dropped with its pay line",
        "mbs-tiger-v2:layouts.C.positions[1]=9",
        "mbs-tiger-v2:ranks[dealer].pit_employee=false",
        "mbs-tiger-v2:ranks[gaming-shift-manager].pit_employee=true",
        "mbs-tiger-v2:ranks[pit-manager].above[pit-supervisor] dropped",
        "mbs-tiger-v2:limits.differential.scope=box",
        "mbs-tiger-v2:limits.wagers_per_area.value=4",
        "mbs-tiger-v2:limits.wagers_per_area dropped",
        "mbs-tiger-v2:squeeze.permission=pit-supervisor",
        "mbs-tiger-v2:betting.by_staff.value[dealer] dropped",
        "mbs-tiger-v2:procedures[late-wager].rulings[0].remedy[refuse] dropped",
        "mbs-tiger-v2:procedures[late-wager].rulings[0].decides=pit-supervisor",
        "mbs-tiger-v2:procedures[late-wager].rulings[0].rules[5.4]=5.5",
        "mbs-tiger-v2:procedures[late-wager].title changed",
        "mbs-tiger-v2:procedures[late-wager].needs=reader",
        "mbs-tiger-v2:procedures[device-reset].needs dropped",
        "mbs-tiger-v2:procedures[late-wager] dropped",
        "mbs-tiger-v2:notices[0].shows changed",
        "mbs-tiger-v2:paragraphs[5.4] dropped",
        "rws-commission-insurance-v5:insurance.offers[0].player=0-5",
        "rws-commission-insurance-v5:insurance.offers[0].window=2",
        "rws-commission-insurance-v5:insurance.offers[0].hand=player",
        "rws-tiger-buffalo-commission-v2:insurance.late_winnings dropped",
        "rws-tiger-buffalo-commission-v2:layouts.A.bets+tiger-tie with its pay line",
        "remedies:void.sentence changed",
        "remedies:void.bets[2] changed",
        "remedies:continue.alters=true",
        "remedies:continue.bets added",
        "remedies:raise-or-withdraw.options[raise] dropped",
        "remedies:return-stakes.at_discretion=false",
        "remedies:return-stakes.asks[stakes] dropped",
    ],
)
def test_a_mutant_of_each_kind(key: str) -> None:
    assert key in EVERY


def test_an_edit_leaves_the_original_alone() -> None:
    raw = mutants.documents()[MBS]
    mutant = EVERY[f"{MBS}:bets.tie.pays[0].odds=9 to 1"]
    assert edited(raw, mutant.edits)["bets"]["tie"]["pays"][0]["odds"] == "9 to 1"
    assert raw["bets"]["tie"]["pays"][0]["odds"] == "8 to 1"
    assert "push" not in edited(raw, (Edit(("bets", "player", "push")),))["bets"]["player"]
    row, other = row_edited(EVERY["remedies:void.alters=false"])
    assert (row.alters, other.alters, other.sentence) == (True, False, row.sentence)


@pytest.mark.parametrize("slug", mutants.documents())
def test_a_document_is_the_same_written_anew(slug: str) -> None:
    raw = mutants.documents()[slug]
    assert tomllib.loads(as_toml(raw)) == raw
    assert read(f"{slug}.toml", as_toml(raw)).slug == slug


# --- their tests ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "paragraphs"),
    [
        (f"{MBS}:bets.tie.pays[0].odds=9 to 1", ["4.1", "1.1.12", "3.16.1"]),
        (f"{MBS}:bets.player.push dropped", ["3.16.1", "3.16"]),
        (f"{MBS}:limits.wagers_per_area.value=4", ["3.7"]),
        (f"{MBS}:procedures[late-wager].needs=reader", ["5.4"]),
        (f"{MBS}:paragraphs[5.4] dropped", ["5.4"]),
        (f"{MBS}:slug changed", []),
    ],
)
def test_paragraphs_from_the_nearest_outwards(key: str, paragraphs: list[str]) -> None:
    assert mutants.paragraphs_of(EVERY[key]) == [(MBS, paragraph) for paragraph in paragraphs]


def test_a_remedy_goes_by_the_rulings_that_order_it() -> None:
    assert (MBS, "5.9") in mutants.paragraphs_of(EVERY["remedies:reopen.sentence changed"])
    discretion = mutants.paragraphs_of(EVERY["remedies:return-stakes.sentence changed"])
    assert discretion == mutants.paragraphs_of(EVERY["remedies:decide.sentence changed"])


def test_every_mutant_can_be_tried() -> None:
    for mutant in EVERY.values():
        assert mutants.trial_of(mutant).mutant is mutant


def test_tests_carry_the_paragraphs() -> None:
    tests = mutants.tests_of(EVERY[f"{MBS}:bets.tie.pays[0].odds=9 to 1"])
    assert "tests/rules/test_mbs_tiger_v2.py::test_4_1_banker_player_and_tie_pay" in tests
    assert tests.index("tests/rules/test_mbs_tiger_v2.py::test_1_1_12_tie_wager") > 0


@pytest.mark.parametrize(
    ("key", "reviewed_first"),
    [
        (f"{MBS}:bets.tie.pays[0].odds=9 to 1", False),
        (f"{MBS}:bets.tie.pays[0].tier changed", True),
        (f"{MBS}:bets.tie.name changed", True),
        (f"{MBS}:layouts.A.bets[tiger] dropped with its pay line", False),
        (f"{MBS}:procedures[late-wager].rulings[0].rules[5.4]=5.5", True),
        (f"{MBS}:procedures[late-wager].rulings[0].decides=pit-supervisor", False),
        (f"{MBS}:procedures[late-wager].needs=reader", False),
        (f"{MBS}:paragraphs[5.4] dropped", True),
        (f"{REMEDIES}:void.alters=false", True),
    ],
)
def test_what_no_round_can_tell_is_looked_up_first(key: str, *, reviewed_first: bool) -> None:
    asked = tiers(mutants.trial_of(EVERY[key]))
    assert (asked[0] == ("common", REVIEWED)) is reviewed_first
    assert asked[-1] == ("common", COMMON)
    own = [test for outcome, tests in asked if outcome == "paragraph" for test in tests]
    assert sorted(own) == sorted(mutants.tests_of(EVERY[key]))


# --- choosing, reasons, results ---------------------------------------------------------------------------


def keys(found: list[Mutant]) -> list[str]:
    return [one.key for one in found]


def test_mutants_are_chosen_by_the_beginning_or_a_pattern() -> None:
    every = list(EVERY.values())
    assert keys(mutants.chosen(every, only=f"{MBS}:decks.min=")) == [
        f"{MBS}:decks.min=5",
        f"{MBS}:decks.min=3",
    ]
    assert f"{MBS}:decks.min=5" in keys(mutants.chosen(every, only=r"decks\.m.n=5"))
    assert len(mutants.chosen(every, only=f"{MBS}:procedures[late-wager].rulings[0].decides")) == 1
    assert {one.document for one in mutants.chosen(every, document=REMEDIES)} == {REMEDIES}


def test_a_sample_stays_when_others_come_and_go() -> None:
    every = list(EVERY.values())
    drawn = keys(mutants.sample(every, 50, 1))
    assert len(set(drawn)) == 50
    assert drawn != keys(mutants.sample(every, 50, 2))
    assert set(keys(mutants.sample(every[::2], 50, 1))) >= set(drawn) & set(keys(every[::2]))


def test_reasons_of_the_project_are_for_mutants_there_are() -> None:
    assert list(mutants.stale_reasons(mutants.read_reasons(), EVERY.values(), ())) == []


def test_a_reason_covers_its_mutants_only() -> None:
    reason = Reason(key=f"{MBS}:bets.*.pays[0].tier changed", reason="a name")
    assert reason.covers(f"{MBS}:bets.tie.pays[0].tier changed")
    assert not reason.covers(f"{MBS}:bets.tie.pays[1].tier changed")
    assert not reason.covers(f"{MBS}:bets.tie.pays[0].odds=9 to 1")


def test_a_test_that_fails_with_nothing_changed_is_a_fault() -> None:
    fine = Report(verdicts=(), reasons=(), stale=(), failing=(), missing=0)
    bad = Report(verdicts=(), reasons=(), stale=(), failing=("tests/x.py::test_x",), missing=0)
    assert (fine.status, bad.status) == (0, 1)
    assert "fails with nothing changed, left out: tests/x.py::test_x" in list(mutants.told(bad))


def test_results_are_of_the_same_sources_only(tmp_path: Path) -> None:
    file = tmp_path / "build" / "mutants.jsonl"
    assert mutants.read_results(file, "a") == (None, {})
    head = Head(sources="a", failing=("x",))
    first, second = Verdict(key="k", outcome="survived"), Verdict(key="k", outcome="loader", by="z")
    mutants.add_result(file, head, anew=True)
    mutants.add_result(file, first)
    mutants.add_result(file, second)
    with file.open("ab") as out:
        out.write(b'{"key":"cut of')
    assert mutants.read_results(file, "a") == (head, {"k": second})
    assert mutants.read_results(file, "b") == (None, {})
