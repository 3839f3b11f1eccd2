"""Items mined from logs: every recorded table has some, and each is right."""

import json
from collections import Counter
from pathlib import Path

import pytest

from school.referee import wrong
from thirdcard.school.mined import mined
from thirdcard.table.script import Script
from thirdcard.table.table import Table

ROOT = Path(__file__).resolve().parents[2]
LOGS = [
    ROOT / "docs" / "table-example.jsonl",
    *sorted((ROOT / "tests" / "transcripts" / "table").glob("*.jsonl")),
]


def table_of(file: Path) -> Table:
    script = Script()
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        script.run(json.loads(line), number)
    assert script.table is not None
    return script.table


def test_items_of_recorded_tables_are_right() -> None:
    kinds = Counter[str]()
    for file in LOGS:
        table = table_of(file)
        for item in mined(table.log):
            assert wrong(item, table.state.rulebook) == [], (file.name, item.skill)
            kinds[item.kind] += 1
    assert kinds.keys() >= {"third-card", "result", "pay", "insurance", "rule"}


def test_a_mined_item_has_the_cards_and_bets_of_its_round_and_no_name() -> None:
    table = table_of(LOGS[0])
    found = {item.kind: item for item in mined(table.log) if item.number == 1}
    assert found["result"].facts.cards == "6C 3D KH AS 3C"  # type: ignore[union-attr]
    lines = found["pay"].facts.lines  # type: ignore[union-attr]
    assert {(line.patron, line.bet, line.stake) for line in lines} >= {
        ("A", "player", 10_000),
        ("B", "banker", 5_000),
    }
    assert ("A", "player-insurance", 4_000, 1) in {
        (one.patron, one.bet, one.stake, one.window) for one in lines
    }
    assert "ann" not in str(found)


@pytest.mark.parametrize("level", [1, 4, 8])
def test_the_same_log_gives_the_same_items(level: int) -> None:
    log = table_of(LOGS[0]).log
    assert [*mined(log, level=level)] == [*mined(log, level=level)]


def test_a_name_is_one_item_and_asks_of_the_hand_that_it_names() -> None:
    """After a natural of the Player's, nobody is asked about the Banker under the Player's points."""
    found = [
        (file.name, item.number, item.skill, item.parts[0].name)
        for file in LOGS
        for item in mined(table_of(file).log)
        if item.kind == "third-card"
    ]
    assert len({one[:3] for one in found}) == len(found)
    for _, _, skill, asked in found:
        assert asked == ("banker" if skill.startswith("third-card/banker/") else "player"), skill
