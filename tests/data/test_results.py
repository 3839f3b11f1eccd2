"""Every result as a table by Arrow: the same numbers, typed columns, and pyarrow imported by nobody who asks for none."""

import pickle
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import thirdcard
from thirdcard.cards import Rank
from thirdcard.data import read_table, settle_frame, write_table
from thirdcard.odds import fresh
from thirdcard.table import commands

pytestmark = pytest.mark.slow

tc: Any = thirdcard
BOOK, INSURED = "mbs-tiger-v2", "rws-commission-insurance-v5"


def table() -> Any:  # noqa: ANN401 - what the front door has
    made = tc.Table(BOOK)
    made.do(commands.Join(by="ann"), commands.BuyIn(by="ann", cents=50_000), commands.Sit(by="ann", box=1))
    return made


RESULTS: dict[str, Any] = {
    "odds": lambda: tc.odds(BOOK),
    "insurance": lambda: tc.insurance(INSURED),
    "effects": lambda: tc.odds.effects(BOOK, fresh(8), ["tie", "tiger"]),
    "simulate": lambda: tc.simulate(BOOK, 1000),
    "sessions": lambda: tc.simulate.run_sessions(BOOK, 7, 20, plan="martingale"),
    "protect": lambda: tc.protect(BOOK, bets=["tie", "tiger"], cuts=[14, 52], shoes=8),
    "log": table,
    "ledger": lambda: table().postings,
    "nothing": lambda: tc.Table(BOOK).postings,
}
ROWS = {"odds": 8, "insurance": 73, "effects": 26, "simulate": 8, "sessions": 7, "protect": 4, "log": 4, "ledger": 2, "nothing": 0}  # fmt: skip


@pytest.mark.parametrize("name", RESULTS)
def test_results_become_tables_and_speak_arrow_themselves(name: str) -> None:
    result = RESULTS[name]()
    found = result.to_frame()
    assert (found.num_rows, found.column_names) == (ROWS[name], list(result.COLUMNS))
    assert [str(one.type) for one in found.schema] == list(result.COLUMNS.values())
    assert pa.table(result).equals(found)  # as polars and pandas take it


def test_the_numbers_are_those_of_the_results() -> None:
    odds = tc.odds(BOOK)
    for row in odds.to_frame().to_pylist():
        assert (row["house_edge"], row["ev_exact"]) == (
            float(odds[row["bet"]].house_edge),
            str(odds[row["bet"]].ev),
        )
    effects = tc.odds.effects(BOOK, fresh(8), ["tie"])
    assert effects.to_frame()["effect"].to_pylist() == [float(effects["tie"][rank]) for rank in Rank]
    sessions = tc.simulate.run_sessions(BOOK, 50, 200, plan="martingale", target=110_000, floor=50_000)
    rows = sessions.to_frame().to_pylist()
    assert [row["net"] for row in rows] == sessions.fields[:, 0].tolist()
    assert {row["end"]: row["net"] >= 10_000 for row in rows if row["end"] != "rounds"} == {
        "target": True,
        "floor": False,
    }
    found = tc.protect(BOOK, bets=["tie"], cuts=[14], shoes=8)
    (row,) = found.to_frame().to_pylist()
    assert row["units_per_shoe"] == found.cuts["14"].bets["tie"].perfect.units_per_shoe
    assert row["count_efficiency"] == found.cuts["14"].bets["tie"].count.efficiency


def test_nobody_imports_pyarrow_without_asking_for_a_table() -> None:
    code = (
        "import sys, thirdcard as tc; tc.odds('mbs-tiger-v2'); tc.simulate('mbs-tiger-v2', 10); tc.protect.answers;"
        "tc.Table('mbs-tiger-v2'); print('pyarrow' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300
    )
    assert done.stdout.strip() == "False"


def test_texts_of_files_are_passed_through_as_they_are(tmp_path: Path) -> None:
    """Numbers with leading zeros, times, truth values: what is not a whole number throughout stays text."""
    lines = [
        "id,cards,tie,when,ok,count",
        "007,9C 9H 9D 9S,100,2026-01-02,true,5",
        ",9C 4H 7D 2S,,2026-01-02 10:00:00,x,-7",
    ]
    source, out = tmp_path / "rounds.csv", tmp_path / "out.csv"
    source.write_text("\ufeff" + "\n".join(lines) + "\n", encoding="utf-8")
    found = read_table(source)
    assert found["id"].to_pylist() == ["007", None]
    assert (found["tie"].to_pylist(), found["count"].to_pylist()) == ([100, None], [5, -7])
    assert found["when"].to_pylist() == ["2026-01-02", "2026-01-02 10:00:00"]
    assert found["ok"].to_pylist() == ["true", "x"]
    write_table(settle_frame(BOOK, found), out)
    assert '"007","9C 9H 9D 9S",100,"2026-01-02","true",5,"tie"' in out.read_text(encoding="utf-8")


def test_json_lines_with_a_byte_order_mark_blank_lines_and_times(tmp_path: Path) -> None:
    source = tmp_path / "rounds.jsonl"
    lines = [
        '{"id": "2026-01-02T10:00:00", "cards": "9C 9H 9D 9S", "tie": 100}',
        "",
        '{"id": "b", "cards": "9C"}',
    ]
    source.write_text("\ufeff" + "\n".join(lines) + "\n", encoding="utf-8")
    found = settle_frame(BOOK, read_table(source))
    assert found["id"].to_pylist() == ["2026-01-02T10:00:00", "b"]
    assert found["net"].to_pylist() == [800, None]
    source.write_text('{"id": "2026-01-02T10:00:00", "cards": "9C"}\n', encoding="utf-8")
    assert read_table(source)["id"].to_pylist() == ["2026-01-02T10:00:00"]


# As they are handed on


def again(result: Any) -> Any:  # noqa: ANN401 - as a pool of processes hands it back
    return pickle.loads(pickle.dumps(result))  # noqa: S301 - our own


def test_results_are_pickled_and_plain() -> None:
    sheet, offers = tc.odds("mbs-tiger-v2"), tc.insurance("rws-commission-insurance-v5")
    settled = tc.settle("mbs-tiger-v2", "9C 9H 9D 9S", {"tiger-pair": 500})
    for one in (sheet, offers, tc.simulate("mbs-tiger-v2", 100_000)):
        assert again(one).to_frame().equals(one.to_frame())
    assert (again(settled), again(offers).to_dict()) == (settled, offers.to_dict())
    assert sheet.to_dict()["tie"]["ev"] == str(sheet["tie"].ev)
    assert settled.to_dict()["net"] == settled.net == 50_000
    assert "net +50,000 cents" in repr(settled)
    with pytest.raises(tc.BadInput, match="did you mean"):
        again(sheet)["tiger-pear"]


def test_a_result_is_no_row_of_its_own_values() -> None:
    """Frames of polars and pandas ask what a thing is: a mapping or a sequence would be one row or column."""
    for one in (tc.odds("mbs-tiger-v2"), tc.insurance("rws-commission-insurance-v5")):
        assert not isinstance(one, Mapping | Sequence)
        with pytest.raises(tc.BadInput, match=r"to_pandas\(\)"):
            np.asarray(one)
        assert pa.table(one).equals(one.to_frame())


def test_a_table_of_any_rulebook_is_set_up_by_its_name() -> None:
    for slug in tc.slugs():
        for layout in tc.load(slug).layouts:
            assert tc.Table(slug, layout=layout).state.setup.layout == layout


def test_a_rulebook_is_taken_from_text_and_from_values() -> None:
    text = 'slug = "mine"\nextends = "mbs-tiger-v2"\n[document]\nversion = 9\n'
    values = {"slug": "mine", "extends": "mbs-tiger-v2", "document": {"version": 9}}
    book = tc.loads(text)
    assert tc.loads(values) == book == tc.load(text) == tc.load(values)
    assert tc.settle(values, "9C 9H 9D 9S", {"tie": 100}).net == 800
    with pytest.raises(tc.BadInput, match="tabels"):
        tc.loads('slug = "mine"\ntabels = 1\n')
    with pytest.raises(tc.BadInput, match="leave it out"):
        tc.loads({"slug": None})
