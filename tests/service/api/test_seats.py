"""Seats over the network: how many one place may take, who frees them, and what is found on return."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from service.api.serving import SLOW, Asking, Served, is_problem
from service.houses import RICH, new_table
from thirdcard.service.api.gate import Rates
from thirdcard.service.tables.away import ABSENT_ROUNDS

pytestmark = pytest.mark.server

TABLES = tuple(new_table(name, dealer="automatic", pace=SLOW) for name in ("one", "two", "three"))


def guests(served: Served, number: int) -> list[Asking]:
    return [served.as_(served.hall.people.guest()[1]) for _ in range(number)]


def test_guests_of_one_address_have_so_many_seats_however_fast_they_ask(tmp_path: Path) -> None:
    """At whatever tables; who leaves one may take another, and players with accounts have theirs."""
    few = {name: getattr(Rates.off(), name) for name in Rates.__struct_fields__} | {"seats": 4}
    with Served(tmp_path / "house.db", *TABLES, rates=Rates(**few)) as served:
        people = guests(served, 12)

        def sits(number: int) -> int:
            table, body = ("one", "two", "three")[number % 3], {"box": 1 + number // 3, "cents": 100_00}
            return people[number].post(f"/api/tables/{table}/sit-down", body).status_code

        with ThreadPoolExecutor(12) as pool:
            statuses = list(pool.map(sits, range(12)))
        assert sorted(statuses) == [200] * 4 + [429] * 8
        seated = [people[number] for number, status in enumerate(statuses) if status == 200]
        tables = [
            ("one", "two", "three")[number % 3] for number, status in enumerate(statuses) if status == 200
        ]
        late = guests(served, 1)[0]
        late.does("join")
        assert is_problem(late.command("sit", box=5), 429)
        assert seated[0].command("sit", tables[0], box=5).status_code == 200, "another seat at the same table"
        assert is_problem(seated[0].post(f"/api/tables/{_other(tables[0])}/sit-down", {"box": 5}), 429)
        seated[0].does("leave", tables[0])
        late.does("sit", box=4 if tables[0] == "one" else 5)
        served.player("Mei", "two", box=5 if tables[0] == "two" else 4)


def test_a_player_has_so_many_seats_over_all_tables(tmp_path: Path) -> None:
    few = {name: getattr(Rates.off(), name) for name in Rates.__struct_fields__} | {"seats": 2}
    with Served(tmp_path / "house.db", *TABLES, rates=Rates(**few)) as served:
        mei = served.player("Mei", "one", box=1)
        for table, status in (("two", 200), ("three", 429), ("two", 200)):
            assert mei.post(f"/api/tables/{table}/sit-down", {"box": 2}).status_code == status
        mei.does("leave", "one")
        assert mei.post("/api/tables/three/sit-down", {"box": 1}).status_code == 200
        served.player("Wei", "one", box=1)


def _other(table: str) -> str:
    return "two" if table == "one" else "one"


def test_a_supervisor_frees_a_seat_and_nobody_below(tmp_path: Path) -> None:
    with Served(tmp_path / "house.db", new_table()) as served:
        mei = served.player("Mei", box=1)
        assert is_problem(served.as_("dealer").command("leave", player="Mei"), 422)
        assert is_problem(mei.command("leave", player="Mei"), 422)
        pit = served.as_("pit-supervisor")
        listed = [one["command"] for one in pit.get("/api/tables/one/legal").json()]
        assert {"command": "leave", "player": "Mei"} in [
            {k: v for k, v in one.items() if k != "by"} for one in listed
        ]
        pit.does("leave", player="Mei")
        assert served.live().table.seats == {}
        assert served.live().table.rack("Mei") == 1_000_000, "the chips are hers"
        mei.does("sit", box=1)


def test_who_was_away_finds_the_chips_in_the_wallet(tmp_path: Path) -> None:
    with Served(tmp_path / "house.db", new_table()) as served:
        mei = served.player("Mei", box=1)
        dealer, manager = served.as_("dealer"), served.as_("shift-manager")
        dealer.does("new-shoe")
        for _ in range(ABSENT_ROUNDS + 1):
            dealer.does("open")
            manager.does("void", reason="a rehearsal")
        assert served.live().table.players == ()
        statement = mei.get("/api/tables/one/statements/" + "Mei").json()
        assert (statement["balance"], statement["net"]) == (0, 0)
        answer = mei.post("/api/tables/one/sit-down", {"box": 2, "cents": 500_00})
        assert answer.status_code == 200, answer.text
        assert mei.get("/api/tables/one").json()["you"]["racks"] == {"Mei": 500_00}
        assert mei.get("/api/me/wallet").json()["cents"] == RICH.opening - 500_00
        account = served.as_("pit-manager").get("/api/tables/one/statement").json()
        assert (account["drop"], account["paid_out"], account["away"]) == (1_050_000, 1_000_000, 0)


def test_nobody_sets_a_pace_that_no_person_can_follow(tmp_path: Path) -> None:
    with Served(tmp_path / "house.db", new_table(dealer="automatic", pace=SLOW)) as served:
        manager, before = served.as_("pit-manager"), served.versions()
        for body in ({"betting": 0}, {"card": 99}, {"result": 60_001}, dict.fromkeys(("betting", "card"), 0)):
            assert is_problem(manager.post("/api/tables/one/pace", body), 400)
            table = {**_new(), "pace": body}
            assert is_problem(manager.post("/api/tables", table), 400)
        assert served.versions() == before
        assert manager.post("/api/tables/one/pace", {"betting": 3_000}).status_code == 200
        assert manager.post("/api/tables", _new()).status_code == 201


def _new() -> dict[str, object]:
    limits = {"*": {"min": 1_000, "max": 200_000}}
    setup = {"rulebook": "rws-tiger-buffalo-commission-v2", "layout": "A", "positions": 5, "limits": limits}
    return {
        "id": "other",
        "title": "Other",
        "dealer": "automatic",
        "setup": setup | {"differential": 10_000_000},
    }
