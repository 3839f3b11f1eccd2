"""What runs the floor over HTTP: payouts, what the public reads, cases, closing, shifts, and the pit."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from service.api.serving import Served, is_problem
from service.houses import new_table
from thirdcard.service.log.codec import event_of

pytestmark = pytest.mark.server


@pytest.fixture
def served(house_path: Path) -> Iterator[Served]:
    """For each test its own: they close the table and hold it up."""
    with Served(house_path) as house:
        yield house


def test_a_round_is_paid_and_the_table_closed_and_archived(served: Served) -> None:
    dealer, manager, wei = served.as_("dealer"), served.as_("pit-manager"), served.player("Wei", box=1)
    dealer.does("new-shoe")
    dealer.does("open")
    wei.does("place", box=1, bet="banker", cents=100_00)
    dealer.does("close")
    for card in ("2C", "9C", "3D", "KD"):
        dealer.does("draw", card=card)
    dealer.does("settle")
    paid = {"box": 1, "player": "Wei", "state": "paid"}
    at = "/api/tables/one"
    assert is_problem(dealer.post(f"{at}/payouts", {**paid, "note": "no"}), 400)
    assert is_problem(dealer.post(f"{at}/payouts", {**paid, "state": "maybe"}), 400)
    assert is_problem(wei.post(f"{at}/payouts", paid), 403)
    (mine,) = dealer.get(f"{at}/desk").json()["payouts"]["people"]
    assert (mine["pays"], mine["commission"], mine["chips"]) == (
        95_00,
        5_00,
        [[50_00, 1], [25_00, 1], [10_00, 2]],
    )
    assert dealer.post(f"{at}/payouts", paid).json()["events"] == ["payout-ticked"]
    assert dealer.post(f"{at}/payouts/done").json()["events"] == ["payouts-done"]
    assert dealer.post(f"{at}/say", {"sentence": "dealer-coming"}).status_code == 200
    assert wei.get(at).json()["view"]["house"]["saying"] == "dealer-coming"
    assert is_problem(dealer.post(f"{at}/say", {"sentence": "what I think"}), 400)
    assert is_problem(dealer.post(f"{at}/move", {}), 403)
    assert is_problem(manager.post(f"{at}/move", {"rulebook": "mbs-tiger-v2"}), 400)
    assert is_problem(manager.post(f"{at}/stay"), 422)
    assert is_problem(dealer.post(f"{at}/last-round"), 403)
    assert manager.post(f"{at}/last-round").status_code == 200
    assert wei.get(at).json()["view"]["house"]["last_round"] == 2
    assert is_problem(manager.post(f"{at}/close"), 422), "the last round is to come"
    assert manager.post(f"{at}/open").status_code == 200, "which is taken back"
    assert manager.post(f"{at}/close").status_code == 200
    assert dealer.post(f"{at}/cash-out", {}).json()["events"][-1] == "cashed-out"
    assert manager.post(f"{at}/archive").status_code == 200
    assert [row["house"]["id"] for row in wei.get("/api/tables").json()] == []
    assert [row["house"]["id"] for row in wei.get("/api/tables", archived="true").json()] == ["one"]
    assert wei.get(at).json()["view"]["house"]["archived"]
    assert manager.get("/api/pit").json()["tables"] == []
    assert manager.post(f"{at}/unarchive").status_code == 200
    assert manager.post(f"{at}/open").status_code == 200


def test_the_pit_sees_cases_and_shifts(served: Served) -> None:
    dealer, manager = served.as_("dealer"), served.as_("pit-manager")
    dealer.does("new-shoe")
    dealer.does("open")
    dealer.does("close")
    dealer.does("draw", card="2C")
    dealer.does("report", case="other-dealing-error", note="a card fell")
    at = "/api/tables/one/cases"
    assert manager.post(f"{at}/take", {"case": "other-dealing-error"}).status_code == 200
    unknown = {"case": "other-dealing-error", "to": "nobody-here"}
    assert is_problem(manager.post(f"{at}/pass", unknown), 422)
    for to in ("shift-manager", "shift-manager-1"):
        served.as_("shift-manager")
        assert manager.post(f"{at}/pass", {**unknown, "to": to, "note": "please"}).status_code == 200
    (row,) = manager.get("/api/pit").json()["waiting"]
    assert (row["kind"], row["passed_to"], row["note"]) == ("ruling", "shift-manager-1", "a card fell")
    assert is_problem(dealer.post("/api/shift", {"name": "B"}), 403)
    begun = manager.post("/api/shift", {"name": "B"}).json()["tables"]
    stored = served.hall.engine.store.read("one")[begun["one"] - 1]
    assert event_of(stored).name == "B"  # type: ignore[union-attr]
    assert manager.get("/api/pit").json()["shift"]["name"] == "B"
    assert is_problem(served.as_("player").get("/api/pit"), 403)


def test_a_table_is_checked_before_it_is_made(served: Served) -> None:
    manager = served.as_("pit-manager")
    found = manager.post("/api/tables/check", new_table("two", differential=5_00)).json()
    assert [row["field"] for row in found["faults"]] == ["setup.differential"]
    assert is_problem(manager.post("/api/tables", new_table("two", differential=5_00)), 400)
    assert manager.post("/api/tables/check", new_table("two")).json()["faults"] == []
    for lang, said in (("en", "There is a table one already."), ("zh", "已有賭枱one。")):
        found = manager.post(f"/api/tables/check?lang={lang}", new_table("one")).json()
        assert [(row["field"], row["text"]) for row in found["faults"]] == [("id", said)]
    assert set(served.hall.tables()) == {"one"}


def test_a_table_is_told_to_move_to_the_next_version(served: Served) -> None:
    manager = served.as_("pit-manager")
    wanted = new_table("two", slug="rws-tiger-buffalo-non-commission-v3", layout="C")
    assert manager.post("/api/tables", msgspec.to_builtins(wanted)).status_code == 201
    assert manager.post("/api/tables/two/move", {}).json()["events"] == ["move-planned"]
    assert is_problem(manager.post("/api/tables/two/move", {"layout": "nix"}), 422)
