"""The radar: a planted counter is found, others are not; files are read as they are, and faults in them are told."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import msgspec
import numpy as np
import pytest

from protect.planted import rounds_with_a_counter
from thirdcard.errors import BadInput
from thirdcard.protect.radar import Watch, WatchedRound, radar
from thirdcard.protect.radar_sheet import RadarAsked, make
from thirdcard.protect.watched_files import read_stakes
from thirdcard.rulebook import load
from thirdcard.rulebook.forms import canonical

pytestmark = pytest.mark.slow


def _bench() -> ModuleType:
    """bench/radar.py by its file: left on the path, its neighbours would stand in for folders of tests."""
    folder = Path(__file__).parents[2] / "bench"
    spec = spec_from_file_location("bench_radar", folder / "radar.py")
    assert spec
    assert spec.loader
    made = sys.modules["bench_radar"] = module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(folder), *sys.path])
        spec.loader.exec_module(made)
    return made


bench = _bench()

SLUG, BET = "rws-tiger-buffalo-commission-v2", "wu-dalang"
BOOK = load(SLUG)


@pytest.fixture(scope="module")
def planted() -> list[WatchedRound]:
    return rounds_with_a_counter(BOOK, BET, shoes=20, seed=3)


@pytest.mark.whole
def test_a_planted_counter_is_found_and_others_are_not(planted: list[WatchedRound]) -> None:
    found = radar(Watch(BOOK, 8, planted, library=300))
    assert (found.players, found.shoes, found.rounds) == (3, 20, len(planted))
    first, *others = found.alone
    assert first.players == ("S4",)
    assert first.bet == BET
    assert first.beyond
    assert first.statistic > first.largest >= first.line
    assert first.bet_then / first.worth_betting > 0.5 > first.bets / first.rounds
    assert not any(one.beyond for one in others)
    assert (found.pairs, found.teams) == ((), ())  # who stands out alone is not counted again in company


def shared_by(planted: list[WatchedRound], *team: str) -> list[WatchedRound]:
    """The counter's bets are made by these in turn: each alone shows a part of it."""
    return [
        msgspec.structs.replace(
            one,
            stakes={player: bets for player, bets in one.stakes.items() if player != "S4"}
            | {member: {} for member in team}
            | {team[(int(one.shoe) + one.number) % len(team)]: one.stakes["S4"]},
        )
        for one in planted
    ]


@pytest.mark.gate("team0")
@pytest.mark.parametrize("team", [("S5", "S6"), ("S5", "S6", "S7")])
def test_those_who_share_the_work_are_found_together(
    team: tuple[str, ...], planted: list[WatchedRound]
) -> None:
    watch = Watch(BOOK, 8, shared_by(planted, *team), library=300)
    assert team in watch.companies()
    found, one = watch.look(team, 10, 100), watch.look(team[:1], 10, 100)
    assert found is not None
    assert one is not None
    assert found.beyond
    assert found.statistic > one.statistic


def test_a_team_is_told_with_all_who_belong_to_it(planted: list[WatchedRound]) -> None:
    """Three share the bets in thirds of a shoe's rounds; the two who do not are not told with them."""
    team = ("S5", "S6", "S7")
    some = [one for one in planted if int(one.shoe) <= 12]
    found = radar(Watch(BOOK, 8, shared_by(some, *team), library=300), one_in=10)
    assert found.looks == 5 + 10 + 10 + 5 + 1
    out = {player for one in found.everybody if one.beyond for player in one.players}
    assert out
    assert out <= {*team}
    for one in (*found.pairs, *found.teams):
        assert one.beyond
        assert len(one.players) > 1


def test_what_a_page_shows(planted: list[WatchedRound]) -> None:
    sheet = make(RadarAsked(text=canonical(BOOK), decks=8, rounds=tuple(planted)))
    assert sheet.closely is not None
    assert sheet.closely.followed.players == ("S4",)
    assert sum(every for _, every, _ in sheet.closely.bins) == pytest.approx(1)
    assert sheet.closely.course[-1][1] > sheet.closely.line
    assert sheet.closely.if_above > sheet.closely.if_not


def test_files_hold_the_same_rounds(planted: list[WatchedRound], tmp_path: Path) -> None:
    some = [msgspec.structs.replace(one, table="") for one in planted[:90]]
    lines, rows = tmp_path / "some.jsonl", tmp_path / "some.csv"
    lines.write_text(
        "".join(
            msgspec.json.encode(
                {
                    "shoe": one.shoe,
                    "round": one.number,
                    "cards": " ".join(map(str, one.cards)),
                    "stakes": one.stakes,
                }
            ).decode()
            + "\n"
            for one in some
        )
    )
    text = ["shoe,round,cards,player,bet,stake"]
    for one in some:
        cards = " ".join(map(str, one.cards))
        for player, bets in one.stakes.items():
            staked = list(bets.items()) or [("", 0)]
            text += [
                f"{one.shoe},{one.number},{cards},{player},{bet},{cents / 100:.2f}" for bet, cents in staked
            ]
    rows.write_text("\n".join(text))
    assert read_stakes(lines) == read_stakes(rows) == some


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"shoe": 1, "round": 1, "cards": "9C"}', "4 to 6 cards"),
        ('{"shoe": 1, "round": 1, "cards": "9C 9D 9H 9S", "stakes": {"A": {"tie": -5}}}', "below zero"),
        ('{"shoe": 1, "round": 1, "round": 2, "cards": "9C 9D 9H 9S"}', "given twice"),
        ('{"shoe": 1, "round": 1, "cards": "9C 9D 9H 9S", "more": 1}', "more"),
    ],
)
def test_faults_in_a_file_name_their_line(line: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text("\n" + line)
    with pytest.raises(BadInput, match=told) as raised:
        read_stakes(file)
    assert "bad.jsonl, line 2" in str(raised.value)


HEADING = "shoe,round,cards,player,bet,stake"


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (["1,2,9C 9D 9H 9S,A,tie,5", "1,1,8C 8D 8H 8S,A,tie,5"], "stands where round 1 was expected"),
        (["1,1,9C 9D 9H 9S,A,tie,5", "1,3,8C 8D 8H 8S,A,tie,5"], "stands where round 2 was expected"),
        (["1,one,9C 9D 9H 9S,A,tie,5"], "'one' is not a round"),
        (["1,1,9C 9D 9H 9S,A,tie"], "a stake needs a player, a bet and an amount"),
        (["1,1,9C 9D 9H 9S,A,,5"], "a stake needs a player, a bet and an amount"),
        (["1,1,9C 9D 9H 9S,,tie,5"], "a stake needs a player, a bet and an amount"),
        (["1,1,9C 9D 9H 9S,A,tie,5,6"], "more cells than the heading"),
        (["1,1,9C 9D 9H 9S,A,tie,5", "1,1,9C 9D 9H 8S,B,tie,5"], "with other cards before"),
    ],
)
def test_what_a_file_leaves_out_or_has_too_much_is_told(rows: list[str], told: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.csv"
    file.write_text("\n".join([HEADING, *rows]))
    with pytest.raises(BadInput, match=told) as raised:
        read_stakes(file)
    assert "bad.csv, line" in str(raised.value)


def test_rounds_may_be_numbered_through_at_a_table(tmp_path: Path) -> None:
    file = tmp_path / "good.csv"
    rows = ["1,1,9C 9D 9H 9S,A,tie,5", "1,2,8C 8D 8H 8S,A,,", "2,3,8C 8D 8H 8S,A,tie,5", "3,1,8C 8D 8H 8S,,,"]
    file.write_text("\n".join([HEADING, *rows]))
    assert [(one.shoe, one.number, one.stakes) for one in read_stakes(file)] == [
        ("1", 1, {"A": {"tie": 500}}),
        ("1", 2, {"A": {}}),
        ("2", 3, {"A": {"tie": 500}}),
        ("3", 1, {}),
    ]


def test_a_sample_of_the_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    """`make radar` is the whole of it: few alarms among innocents of every kind, and counters are found."""
    monkeypatch.setattr(bench, "POOL", 150)
    monkeypatch.setattr(bench, "LIBRARY", 150)
    at, chance = bench.room(SLUG, "player-pair", 5), np.random.default_rng(7)
    alarms = sum(bench._innocent(SLUG, "player-pair", kind, 3, 5)[1][1:].max() for kind in bench.INNOCENT)  # noqa: SLF001
    assert alarms <= 3
    found = 0
    for _ in range(5):
        seen = bench.sit(at, chance, bench.SHOES)
        found += bench.chance_of(at, seen, bench.count(seen, bench.COUNTERS[0], at, chance), chance) <= 0.01
    assert found >= 4


def test_a_quotation_that_goes_on_and_on_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "stakes.csv"
    for before in ("shoe,round,cards,player,bet,stake\n1,1,", ""):
        file.write_text(before + '"' + "x" * 200_000)
        with pytest.raises(BadInput, match=r"stakes\.csv.*field limit"):
            read_stakes(file)
