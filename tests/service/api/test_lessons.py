"""Items of the house's own tables, and lessons of classes: who meets them, and what they never tell."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from school.referee import wrong
from service.api.serving import NOBODY, SLOW, Asking, Served, is_problem
from service.api.test_exams import told
from service.houses import new_table
from service.playing import played
from service.test_checkpoints import Counting
from thirdcard.rulebook import named
from thirdcard.service.learning.own_tables import MOST_ROUNDS, last_over, rounds_mined
from thirdcard.service.log.store.model import JOURNAL
from thirdcard.service.tables.checkpoint import EVERY, as_of

pytestmark = pytest.mark.server

ROUNDS = (("9C", "4H", "KD", "2S"), ("2C", "3H", "4D", "KS", "6C"), ("AC", "3C", "5H", "5S"))
BOOK = "rws-tiger-buffalo-commission-v2"
TABLE = "/api/school/tables/one/items"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with Served(tmp_path / "house.db", new_table("one", pace=SLOW)) as made:
        yield made


def deal(house: Served, cards: tuple[str, ...], *, settle: bool = True) -> None:
    dee = house.as_("dealer")
    dee.does("open")
    player = Asking(house, house.tokens["Yan"])
    player.does("place", box=1, bet="player", cents=12_500)
    dee.does("close")
    for card in cards:
        dee.does("draw", card=card)
    if settle:
        dee.does("settle")


def played_house(house: Served) -> Asking:
    """Three rounds that are over and one that is not; its trainer."""
    house.tokens["Yan"] = house.player("Yan", box=1).token
    house.as_("dealer").does("new-shoe")
    for cards in ROUNDS:
        deal(house, cards)
    deal(house, ("9D", "KH"), settle=False)
    return house.as_("trainer")


def test_rounds_of_a_table_are_items_for_a_trainer_with_letters_for_people(house: Served) -> None:
    ada = played_house(house)
    assert [(one["table"], one["last"]) for one in told(ada.get("/api/school/tables"))] == [("one", 3)]
    answer = ada.get(TABLE, first=1, count=20)
    found = told(answer)
    assert (found["first"], found["count"], found["last"]) == (1, 3, 3), "the fourth is not over"
    assert "Yan" not in answer.text
    assert "9D" not in answer.text, "nor what lies on the table now"
    names = [one["name"] for one in found["items"]]
    assert {one["number"] for one in names} == {1, 2, 3}
    assert {one["table"] for one in names} == {"one"}
    pay = next(one for one in found["items"] if one["name"]["kind"] == "pay")
    assert pay["question"]["facts"]["lines"][0] | {"patron": "A"} == pay["question"]["facts"]["lines"][0]
    live = house.live()
    for item in rounds_mined(house.hall.engine.store, live, first=1, count=3, level=2).items:
        assert wrong(item, named(BOOK)) == []
    assert told(ada.get(TABLE, count=1, kind="pay"))["items"], "of the latest round"
    for bad in ({"first": 4}, {"first": 3, "count": MOST_ROUNDS + 1}, {"kind": "fourth-card"}):
        assert is_problem(ada.get(TABLE, **bad), 400), bad
    assert is_problem(ada.get("/api/school/tables/two/items"), 404)
    for role in ("dealer", "player", "auditor", "guest"):
        assert is_problem(house.as_(role).get(TABLE), 403), "trainers alone"


def test_a_mined_item_is_marked_by_its_name_for_who_may_meet_it(house: Served) -> None:
    ada = played_house(house)
    item = next(
        one for one in told(ada.get(TABLE, first=2, count=1))["items"] if one["name"]["kind"] == "pay"
    )
    name, right = item["name"], item["solution"]["answers"]
    body: dict[str, Any] = {"item": name, "answers": right}
    assert told(ada.post("/api/school/marks", body))["mark"]["right"]
    dan = Asking(house, house.account("Dan", "dealer"))
    for person, address in ((house.as_(NOBODY), "marks"), (dan, "marks"), (dan, "answers")):
        assert is_problem(person.post(f"/api/school/{address}", body), 403), "of nobody's business"
    made = {"title": "Intake", "rulebook": BOOK, "layout": "A", "members": ["Dan"]}
    told(ada.post("/api/school/classes/intake", made, method="PUT"))
    lesson = "/api/school/classes/intake/lesson"
    plain = {key: value for key, value in name.items() if key != "table"}
    for bad in (
        {**name, "number": 4},
        {**name, "skill": "pay/none/win"},
        {**name, "seed": "other"},
        {**name, "table": "two"},
        {**name, "decks": 6},
        {**name, "rulebook": "rws-commission-insurance-v5"},
        {**plain, "rulebook": "rws-commission-insurance-v5"},
    ):
        assert is_problem(ada.post(lesson, {"items": [bad]}, method="PUT"), 400), bad
    assert is_problem(dan.post(lesson, {"items": [name]}, method="PUT"), 403)
    assert told(ada.post(lesson, {"items": [name, plain]}, method="PUT"))["items"] == 2
    assert told(dan.get("/api/school/lessons"))[0]["items"] == 2
    assert told(house.as_("dealer").get("/api/school/lessons")) == []
    asked = told(dan.get("/api/school/lessons/intake/1"))
    assert (asked["item"]["name"], asked["item"]["solution"]) == (name, None)
    assert is_problem(dan.get("/api/school/lessons/intake/3"), 400)
    assert is_problem(house.as_("dealer").get("/api/school/lessons/intake/1"), 404)
    answered = told(dan.post("/api/school/answers", body))
    assert answered["mark"]["right"]
    assert answered["then"]["answered"] == 1
    behind = told(ada.get("/api/school/classes/intake/items", member="Dan"))
    assert behind[0]["item"] == name
    told(ada.post("/api/school/classes/intake", method="DELETE"), 204)
    assert told(dan.get("/api/school/lessons")) == []
    assert is_problem(dan.post("/api/school/answers", body), 403)


def test_a_long_log_costs_no_more_than_the_rounds_that_are_asked_for() -> None:
    store = Counting()
    played(store, rounds=30)
    for stream, head in store.heads().items():
        if stream == JOURNAL:
            continue
        live = as_of(store, stream, head.version)
        last = last_over(live)
        store.records = 0
        found = rounds_mined(store, live, first=last - 1, count=1, level=2)
        assert found.count == 1
        begins = [row.version for row, _ in store.lookup(stream, (f"round:{last - 1}", f"round:{last}"))]
        assert store.records <= 2 * EVERY + max(begins) - min(begins), "not the log"
