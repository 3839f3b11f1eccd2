"""Items that people think are wrong: said, traced, settled, and what that changes."""

from collections.abc import Iterator

import pytest

from service.api.serving import Asking, Served, is_problem
from service.api.test_school import next_of, solved, told
from service.clocks import FakeClock
from thirdcard.school.disputes import MOST_KEPT, MOST_OPEN, DoubtSettled, ItemDoubt, kept
from thirdcard.school.progress import ItemName

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("house") / "house.db", clock=FakeClock()) as running:
        yield running


REASON = {"reason": "the Banker stands on six"}


def skill_of(person: Asking, name: dict[str, str]) -> dict[str, int] | None:
    found = told(person.get(f"/api/school/progress/{name['rulebook']}"))["skills"]
    return next((one for one in found if one["skill"] == name["skill"]), None)


def test_an_upheld_dispute_takes_a_wrong_answer_back(house: Served) -> None:
    mei, ada = Asking(house, house.account("Mei", "player")), house.as_("trainer")
    item = next_of(mei, kind="third-card")
    name = item["item"]["name"]
    wrong = solved(mei, item, right=False)
    number = wrong["then"]["answered"]
    said = told(mei.post(f"/api/school/answers/{number}/dispute", REASON))
    assert (said["state"], said["note"], said["right"]) == ("open", "", False)
    assert said["trace"]["steps"] == wrong["solution"]["reason"], "how it was worked out is told at once"
    assert all(part["paragraphs"] and part["right"] for part in said["trace"]["parts"])
    assert f"--seed {name['seed']} --first {name['number']}" in said["trace"]["command"]
    page = told(ada.get("/api/school/disputed", lang="zh"))
    (one,) = page["items"]
    assert (one["people"], one["of_skill"], page["next"]) == (1, 1, "")
    assert one["item"]["name"] == name
    assert one["said"] == [{"given": {}, "right": False, **REASON}]
    assert "Mei" not in str(page), "what is said of an item counts, not by whom"
    before = skill_of(mei, name)
    assert before is not None
    assert (before["met"], before["wrong"]) == (1, 1)
    upheld = {"upheld": True, "note": "it was: thank you"}
    assert told(ada.post(f"/api/school/disputed/{one['id']}/settle", upheld)) == {"people": 1}
    assert skill_of(mei, name) is None, "as if it had never been met"
    brief = told(mei.get("/api/school/progress"))
    assert (brief["answered"], brief["right"]) == (0, 0)
    own = told(mei.get("/api/school/disputes"))
    assert [(one["state"], one["note"]) for one in own] == [("upheld", "it was: thank you")]
    assert told(ada.get("/api/school/disputed"))["items"] == []
    assert is_problem(ada.post(f"/api/school/disputed/{one['id']}/settle", upheld), 404)
    assert is_problem(mei.post(f"/api/school/answers/{number}/dispute", REASON), 400), "it is settled"
    kept_of = told(mei.get("/api/school/export"))
    assert kept_of["disputes"][0]["reason"] == REASON["reason"]
    assert len(kept_of["answers"]) == 1, "the answer itself is kept"
    told(mei.post("/api/school/progress", method="DELETE"), 204)
    assert told(mei.get("/api/school/disputes")) == []


def test_a_skill_that_was_met_before_is_due_anew_and_counts_one_less(house: Served) -> None:
    dee, ada, clock = Asking(house, house.account("Dee", "dealer")), house.as_("trainer"), house.hall.clock
    assert isinstance(clock, FakeClock)
    item = next_of(dee, kind="third-card")
    solved(dee, item, right=False)
    clock.wait(181)
    again = next_of(dee, kind="third-card")
    assert again["item"]["name"]["skill"] == item["item"]["name"]["skill"]
    number = solved(dee, again, right=False)["then"]["answered"]
    told(dee.post(f"/api/school/answers/{number}/dispute", REASON))
    told(dee.post(f"/api/school/answers/{number}/dispute", {"reason": "I have thought again"}))
    (one,) = told(ada.get("/api/school/disputed"))["items"]
    assert [each["reason"] for each in one["said"]] == ["I have thought again"]
    told(ada.post(f"/api/school/disputed/{one['id']}/settle", {"upheld": True, "note": "so it is"}))
    skill = skill_of(dee, item["item"]["name"])
    assert skill is not None
    assert (skill["met"], skill["wrong"], skill["due"] <= clock.wall()) == (1, 1, True)
    made = {"title": "One", "rulebook": item["item"]["name"]["rulebook"], "layout": "A", "members": ["Dee"]}
    told(ada.post("/api/school/classes/one", made, method="PUT"))
    behind = told(ada.get("/api/school/classes/one/items", member="Dee"))
    assert len(behind) == 1, "nor does the class see it any more"


def test_an_explained_dispute_changes_nothing(house: Served) -> None:
    wei, ada = Asking(house, house.account("Wei", "player")), house.as_("trainer")
    item = next_of(wei, kind="pay")
    number = solved(wei, item, right=False)["then"]["answered"]
    told(wei.post(f"/api/school/answers/{number}/dispute", REASON))
    (one,) = told(ada.get("/api/school/disputed"))["items"]
    before = told(wei.get("/api/school/progress"))
    told(ada.post(f"/api/school/disputed/{one['id']}/settle", {"upheld": False, "note": "see 3.15"}))
    assert told(wei.get("/api/school/progress")) == before
    assert told(wei.get("/api/school/disputes"))[0]["state"] == "explained"


def test_only_ones_own_answers_are_disputed_and_only_trainers_settle(house: Served) -> None:
    tan, guest = Asking(house, house.account("Tan", "dealer")), house.as_("guest")
    assert is_problem(tan.post("/api/school/answers/1/dispute", REASON), 404)
    solved(tan, next_of(tan, kind="third-card"))
    for wrong in ({}, {"reason": "no"}, {"reason": "x" * 501}, {"reason": 1}, {**REASON, "more": 1}):
        assert is_problem(tan.post("/api/school/answers/1/dispute", wrong), 400), wrong
    assert is_problem(guest.post("/api/school/answers/1/dispute", REASON), 400)
    assert is_problem(tan.get("/api/school/disputed"), 403)
    assert is_problem(tan.post("/api/school/disputed/x/settle", {"upheld": True, "note": "mine"}), 403)
    for _ in range(MOST_OPEN):
        solved(tan, next_of(tan, kind="third-card"))
    for number in range(1, MOST_OPEN + 1):
        told(tan.post(f"/api/school/answers/{number}/dispute", REASON))
    assert is_problem(tan.post(f"/api/school/answers/{MOST_OPEN + 1}/dispute", REASON), 400), "enough for now"
    told(tan.post("/api/school/progress", method="DELETE"), 204)
    assert told(house.as_("trainer").get("/api/school/disputed"))["items"] == [], "forgotten"


def test_so_many_are_kept_and_what_was_explained_goes_first() -> None:
    name = ItemName(kind="pay", rulebook="x", layout="A", decks=8, seed="s", number=0, level=1, skill="pay/x")

    def one(number: int, *, upheld: bool | None) -> ItemDoubt:
        done = None if upheld is None else DoubtSettled(upheld=upheld, note="so", by="Ada", at=number)
        return ItemDoubt(
            number=number, item=name, digest="d", answers={}, right=False, reason="why", at=number, settled=done
        )  # fmt: skip

    many = [one(0, upheld=True), *(one(number, upheld=False) for number in range(1, MOST_KEPT)), one(MOST_KEPT, upheld=None)]  # fmt: skip
    assert [each.number for each in kept(many)] == [0, *range(2, MOST_KEPT + 1)]
