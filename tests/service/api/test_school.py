"""The school over HTTP: items for anybody, a learner's own set and progress, classes."""

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from service.api.serving import NOBODY, Asking, Served, is_problem
from service.clocks import FakeClock
from service.houses import KEY, MBS, TBC
from thirdcard.rulebook import named
from thirdcard.school.items import make, what_is_shown
from thirdcard.school.progress import ItemName, name_of
from thirdcard.school.spot_items import is_unplanted
from thirdcard.service.audit import audit_store
from thirdcard.service.learning import learners
from thirdcard.service.log.store import open_snapshot
from thirdcard.service.log.store.model import LearningWrite

pytestmark = pytest.mark.server

RWS = "rws-tiger-buffalo-commission-v2"
DAY = 86_400


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("house") / "house.db", clock=FakeClock()) as running:
        yield running


def told(answer: Any, status: int = 200) -> Any:  # noqa: ANN401 - JSON
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content else None


def next_of(person: Asking, slug: str = MBS, **asked: str | int) -> dict[str, Any]:
    return told(person.get(f"/api/school/next/{slug}", **asked))  # type: ignore[no-any-return]


def solved(person: Asking, item: dict[str, Any], *, right: bool = True, **more: object) -> dict[str, Any]:
    """Answer an item right or wrong, by what marking it tells."""
    name = item["item"]["name"]
    answers = told(person.post("/api/school/marks", {"item": name, "answers": {}}))["solution"]["answers"]
    given = answers if right else {}
    return told(person.post("/api/school/answers", {"item": name, "answers": given, **more}))  # type: ignore[no-any-return]


def test_anybody_gets_items_by_topic_and_seed_in_the_published_form(house: Served) -> None:
    nobody = house.as_(NOBODY)
    address = f"/api/school/items/{MBS}/third-card"
    made = told(nobody.get(address, seed="eight", count=5, level=4, lang="zh"))
    jsonschema_rs.validate(told(nobody.get("/api/school/schema")), made)
    assert made == told(nobody.get(address, seed="eight", count=5, level=4, lang="zh")), "for ever the same"
    assert made["items"] != told(nobody.get(address, seed="nine", count=5, level=4, lang="zh"))["items"]
    one = made["items"][3]
    assert one == told(nobody.get(address, seed="eight", first=3, level=4, lang="zh"))["items"][0]
    asked = told(nobody.get(address, seed="eight", count=5, level=4, solved="false"))["items"]
    assert {item["solution"] for item in asked} == {None}
    right = told(
        nobody.post("/api/school/marks", {"item": one["name"], "answers": one["solution"]["answers"]})
    )
    assert (right["mark"]["right"], right["mark"]["points"], right["then"]) == (True, 100, None)
    kinds = told(nobody.get(f"/api/school/kinds/{MBS}"))
    assert len(kinds["kinds"][0]["skills"]) > 88


def test_nobody_has_more_made_than_is_bounded(house: Served) -> None:
    nobody = house.as_(NOBODY)
    address = f"/api/school/items/{MBS}/third-card"
    for wrong in ({"seed": "x", "count": 21}, {"count": 1}, {"seed": "x" * 65}, {"seed": "x", "level": 11}, {"seed": "x", "decks": 17}):  # fmt: skip
        assert is_problem(nobody.get(address, **wrong), 400), wrong
    assert is_problem(nobody.get("/api/school/items/no-such-book/third-card", seed="x"), 404)
    assert is_problem(nobody.get(f"/api/school/items/{MBS}/fourth-card", seed="x"), 400)
    name = told(nobody.get(address, seed="x"))["items"][0]["name"]
    for bad in (
        {**name, "level": 0},
        {**name, "seed": ""},
        {**name, "skill": "third-card/x"},
        {**name, "more": 1},
    ):
        assert is_problem(nobody.post("/api/school/marks", {"item": bad, "answers": {}}), 400), bad
    strange: list[object] = [{"x": 1}, [], {"banker": 5}]
    for answers in strange:
        assert is_problem(nobody.post("/api/school/marks", {"item": name, "answers": answers}), 400), answers
    assert is_problem(
        nobody.post("/api/school/marks", {"item": {**name, "rulebook": "/etc/passwd"}, "answers": {}}), 404
    )


def test_a_guest_drills_and_nothing_of_it_is_kept(house: Served) -> None:
    guest = house.as_("guest")
    first = next_of(guest, kind="third-card")
    assert not first["kept"]
    assert solved(guest, first)["then"] is None
    assert told(guest.get("/api/school/progress"))["answered"] == 0
    assert told(guest.get("/api/school/export"))["answers"] == []
    assert is_problem(guest.post("/api/school/progress", method="DELETE"), 400)
    assert is_problem(house.as_(NOBODY).get(f"/api/school/next/{MBS}"), 401)


def test_a_wrong_answer_is_led_back_to_where_it_would_have_been_right(house: Served) -> None:
    """MBS 3.15: with no third card for the Player, the Banker on 6 stands."""
    nobody = house.as_(NOBODY)
    address = f"/api/school/items/{MBS}/third-card"
    item = told(nobody.get(address, seed="six", skill="third-card/banker/6/6", level=2))["items"][0]
    said = {"item": item["name"], "answers": {"banker": "stand"}}
    for lang, says in (
        ("en", "With no third card for the Player, the Banker on 6 stands."),
        ("zh", "閒沒有第三張牌，庄 6 點才停牌。"),  # noqa: RUF001
    ):
        marked = told(nobody.post(f"/api/school/marks?lang={lang}", said))
        assert marked["mixed_up"] == {"says": says, "paragraphs": ["3.15"]}
    right = {"item": item["name"], "answers": {"banker": "draw"}}
    assert told(nobody.post("/api/school/marks", right))["mixed_up"] is None


def test_a_set_is_new_then_again_and_due_and_all_of_it_is_kept(house: Served) -> None:
    mei, clock = Asking(house, house.account("Mei", "player")), house.hall.clock
    assert isinstance(clock, FakeClock)
    item = next_of(mei, kind="third-card")
    assert (item["why"], item["due"], item["new_left"]) == ("new", 0, 8)
    name = item["item"]["name"]
    wrong = solved(mei, item, right=False, seconds=3.0)
    assert not wrong["mark"]["right"]
    assert wrong["solution"]["paragraphs"]
    assert wrong["mixed_up"] is None, "nothing was answered"
    assert wrong["then"]["due"] == clock.wall() + 180 * 1_000_000, "it returns after three minutes"
    assert wrong["then"]["coming"][0] == 180 * 1_000_000
    assert (wrong["then"]["met"], wrong["then"]["wrong"]) == (1, 1)
    again = solved(mei, item, right=False, seconds=3.0)
    assert again["then"]["answered"] == 1, "an answer that was lost on its way counts once"
    skills = [name["skill"]]
    for _ in range(7):
        item = next_of(mei, kind="third-card")
        skills.append(item["item"]["name"]["skill"])
        solved(mei, item, seconds=0.5)
    assert len(set(skills)) == 8
    assert next_of(mei, kind="third-card")["why"] == "ahead", "eight new skills a day"
    clock.wait(181)
    back = next_of(mei, kind="third-card")
    assert (back["why"], back["item"]["name"]["skill"]) == ("again", name["skill"])
    assert back["item"]["name"]["seed"] != name["seed"], "another deal of it"
    brief = told(mei.get("/api/school/progress"))
    assert (brief["answered"], brief["right"], brief["streak"], brief["new_left"]) == (8, 7, 1, 0)
    assert brief["kinds"][0]["kind"] == "third-card"
    assert brief["kinds"][0]["weakest"]
    assert brief["kinds"][0]["level"] == 2, "five right in time"
    assert brief["books"][0]["due"] == 1
    of_book = told(mei.get(f"/api/school/progress/{MBS}"))
    assert of_book["due"] == [name["skill"]]
    assert len(of_book["skills"]) == 8
    met = [tile for tile in of_book["paragraphs"] if tile["remembered"] is not None]
    assert met
    assert len(met) < len(of_book["paragraphs"])
    kept = told(mei.get("/api/school/export"))
    assert [one["number"] for one in kept["answers"]] == [8, 7, 6, 5, 4, 3, 2, 1]
    assert kept["answers"][-1]["review"]["item"] == name
    assert kept["next"] == 0
    assert kept["memories"][0]["skills"][name["skill"]]["met"] == 1
    told(mei.post("/api/school/progress", method="DELETE"), 204)
    assert told(mei.get("/api/school/export"))["answers"] == []
    assert told(mei.get("/api/school/progress"))["answered"] == 0


def test_a_look_back_at_a_replay_is_marked_and_kept(house: Served) -> None:
    nan = Asking(house, house.account("Nan", "player"))
    item = next_of(nan, kind="spot")
    marked = solved(nan, item, looked_back=True, seconds=0.5)
    assert marked["mark"] | {"given": {}} == {"right": True, "parts": {"step": True, "what": True}, "points": 67, "given": {}}  # fmt: skip
    kept = told(nan.get("/api/school/export"))["answers"][0]["review"]
    assert (kept["looked_back"], kept["grade"]) == (True, 3), "right, but not easy"
    other = next_of(nan, kind="pay")["item"]["name"]
    body = {"item": other, "answers": {}, "looked_back": True}
    assert is_problem(nan.post("/api/school/answers", body), 400)


def test_one_replay_in_six_of_a_set_has_no_error(house: Served) -> None:
    """Whatever is due: by the turn, so that who reloads the page gets no other."""
    ola, skills = Asking(house, house.account("Ola", "player")), []
    for _ in range(18):
        item = next_of(ola, kind="spot")
        skills.append(item["item"]["name"]["skill"])
        assert next_of(ola, kind="spot")["item"]["name"]["skill"] == skills[-1]
        solved(ola, item, seconds=1.0)
    assert [turn for turn, skill in enumerate(skills) if skill == "spot/nothing"] == [
        turn for turn in range(18) if is_unplanted(f"Ola\n{turn}")
    ]
    assert 1 <= skills.count("spot/nothing") <= 6


def test_weights_are_kept_even_if_somebody_answers_while_they_are_fitted(
    house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = house.hall.engine.store
    house.account("Pam", "player")

    def answers_on(count: int) -> None:
        learner, version = learners.learner_of(store, "Pam")
        body = msgspec.json.encode(msgspec.structs.replace(learner, answered=count))
        assert store.keep_learning([LearningWrite("Pam", learners.LEARNER, version, body)])

    def fitted(*_: object) -> tuple[float, ...]:
        answers_on(401)
        return (0.5,)

    answers_on(400)
    monkeypatch.setattr(learners, "fitted", fitted)
    house.do(learners.fit(house.hall, "Pam"))
    after, _ = learners.learner_of(store, "Pam")
    assert (after.answered, after.weights) == (401, (0.5,))


def test_the_order_in_which_a_box_was_settled_is_marked_by_itself_and_kept(house: Served) -> None:
    ona = Asking(house, house.account("Ona", "player"))
    item = next_of(ona, kind="pay", level=5)
    assert item["item"]["question"]["order"] is True
    lines = [one["name"] for one in item["item"]["question"]["parts"] if one["name"].startswith("line-")]
    done = solved(ona, item, order=lines)
    assert (done["mark"]["right"], done["mark"]["order"], done["solution"]["order"]) == (
        True,
        True,
        ["1.1.7"],
    )
    assert [one["review"]["order"] for one in told(ona.get("/api/school/export"))["answers"]] == [lines]
    asked = {"item": item["item"]["name"], "answers": {}}
    assert told(ona.post("/api/school/marks", asked))["mark"].keys() == {
        "right",
        "parts",
        "points",
        "given",
    }, "as before"
    assert is_problem(ona.post("/api/school/marks", {**asked, "order": lines[1:]}), 400)
    other = {"item": next_of(ona, TBC, kind="pay", level=5)["item"]["name"], "answers": {}, "order": lines}
    assert is_problem(ona.post("/api/school/marks", other), 400), "nothing prescribes an order there"


def test_no_item_of_the_last_two_sets_comes_again(house: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where chance would have it so."""
    lee = Asking(house, house.account("Lee", "player"))
    monkeypatch.setattr(secrets, "token_hex", lambda _: "once")
    first = next_of(lee, kind="squeeze")["item"]
    name = ItemName(**first["name"])
    shown = what_is_shown(learners.remade(house.hall, name))
    seeds = iter(["once", "once", "twice"])
    monkeypatch.setattr(secrets, "token_hex", lambda _: next(seeds))
    item = learners._unseen(name, named(name.rulebook), {shown})  # noqa: SLF001
    assert item.seed == "twice"
    monkeypatch.undo()
    solved(lee, {"item": first})
    assert told(lee.get("/api/school/export"))["learner"]["seen"] == [shown]


def test_what_people_answer_wrong_is_counted_and_offered_to_others(house: Served) -> None:
    """An error that two named is among the choices of the next, whose name says so."""
    ada, store = house.as_("trainer"), house.hall.engine.store
    plain = make("spot", RWS, "recorded", 1, skill="spot/late-bet")
    step, what = plain.parts
    shown = {choice.key for choice in what.choices}
    missing = next(
        one for one in ("wrong-draw", "wrong-tier", "wrong-total", "wrong-winner") if one not in shown
    )
    other = make("spot", RWS, "recorded", 1, skill="spot/late-bet", recorded=(f"what:{missing}",))
    for name in ("Ann", "Ben"):
        one = Asking(house, house.account(name, "dealer"))
        answers = {"step": step.answer, "what": missing}
        body = {"item": msgspec.to_builtins(name_of(other)), "answers": answers}
        assert not told(one.post("/api/school/answers", body))["mark"]["right"]
        offered = learners._with_recorded(store, plain, named(RWS))  # noqa: SLF001
        assert offered.recorded == (() if name == "Ann" else (f"what:{missing}",)), "once is not common"
    assert offered == other
    (row,) = told(ada.get(f"/api/school/wrong/{RWS}", skill="spot/late-bet"))
    assert (row["part"], row["answer"], row["count"]) == ("what", missing, 2)
    assert row["says"]
    assert is_problem(one.get(f"/api/school/wrong/{RWS}", skill="spot/late-bet"), 403)
    again = told(ada.get(f"/api/school/items/{RWS}/spot", seed="recorded", first=1, skill="spot/late-bet", recorded=f"what:{missing}"))  # fmt: skip
    assert again["items"][0]["name"] == msgspec.to_builtins(name_of(other)) | {
        "recorded": [f"what:{missing}"]
    }
    assert is_problem(ada.get(f"/api/school/items/{RWS}/spot", seed="x", recorded="what:no-such"), 400)


def test_what_is_learnt_goes_with_the_account(house: Served) -> None:
    tan = Asking(house, house.account("Tan", "dealer"))
    solved(tan, next_of(tan, kind="third-card"))
    assert house.hall.engine.store.all_learning("Tan")
    house.hall.people.disable("Tan")
    assert house.hall.engine.store.all_learning("Tan") == []
    assert house.hall.engine.store.reviews("Tan") == []


def test_a_class_shows_its_trainer_who_is_weak_at_what(house: Served) -> None:
    ada, clock = house.as_("trainer"), house.hall.clock
    dee, dan = (Asking(house, house.account(name, "dealer")) for name in ("Dee", "Dan"))
    house.account("Pia", "player")
    made = {"title": "Intake", "rulebook": RWS, "layout": "A", "members": ["dee", "Dan"]}
    refused: list[dict[str, object]] = [
        {"members": ["Pia"]},
        {"members": ["Nobody"]},
        {"members": []},
        {"layout": "Ö"},
        {"title": "\u0007"},
    ]
    for wrong in refused:
        assert is_problem(ada.post("/api/school/classes/intake", made | wrong, method="PUT"), 400), wrong
    assert is_problem(ada.post("/api/school/classes/In take", made, method="PUT"), 400)
    assert told(ada.post("/api/school/classes/intake", made, method="PUT"))["members"] == ["Dee", "Dan"]
    for _ in range(6):
        solved(dee, next_of(dee, RWS), right=False)
        solved(dan, next_of(dan, RWS))
    assert isinstance(clock, FakeClock)
    clock.wait(2 * DAY)
    house.tokens.clear()  # nobody is signed in any more
    ada, dee = house.as_("trainer"), Asking(house, house.sign_in("Dee"))
    view = told(ada.get("/api/school/classes/intake"))
    weak, strong = view["members"]
    assert (weak["name"], weak["role"], strong["name"]) == ("Dee", "dealer", "Dan")
    assert weak["kinds"]["third-card"] < strong["kinds"]["third-card"]
    assert weak["pass_today"] < strong["pass_today"] <= 1
    assert weak["due"] >= 1
    assert view["teach_next"]["would_fail"] > 0
    assert view["teach_next"]["in_100_rounds"] > 0
    assert view["most_wrong"][0]["wrong"] >= 1
    assert all(one["shifts"] == [] for one in view["members"])
    solved(dee, next_of(dee, RWS), right=False)
    then = told(ada.get("/api/school/classes/intake"))
    assert [sum(one["wrong"] for one in seen["most_wrong"]) for seen in (view, then)] == [6, 7], "at once"
    assert (then["members"][0] != weak, then["members"][1]) == (True, strong)
    third = told(ada.get("/api/school/classes/intake/items", kind="third-card"))
    assert [one["name"] for one in third[:2]] == ["Dan", "Dee"], "the last of everybody come first"
    assert told(ada.get("/api/school/classes/intake/items", kind="rule")) == []
    behind = told(ada.get("/api/school/classes/intake/items", member="Dee"))
    assert {one["name"] for one in behind} == {"Dee"}
    assert not any(one["right"] for one in behind)
    assert "at" not in behind[0], "results, not times of day"
    assert is_problem(dee.get("/api/school/classes/intake"), 403)
    assert is_problem(Asking(house, house.account("Root", "administrator")).get("/api/school/classes"), 403)
    told(ada.post("/api/school/classes/intake", method="DELETE"), 204)
    assert is_problem(ada.get("/api/school/classes/intake"), 404)


def test_it_is_all_there_after_a_restart_and_the_audit_agrees(tmp_path: Path) -> None:
    with Served(tmp_path / "house.db", clock=FakeClock()) as running:
        mei = Asking(running, running.account("Mei", "player"))
        solved(mei, next_of(mei, kind="third-card"))
        running.do(learners.fit(running.hall, "Mei"))
        before = told(mei.get("/api/school/export"))
        assert len(before["learner"]["weights"]) == 21
        assert solved(mei, next_of(mei, kind="third-card"))["then"]["answered"] == 2, (
            "by weights of their own"
        )
        before = told(mei.get("/api/school/export"))
    with Served(tmp_path / "house.db", clock=FakeClock()) as running:
        mei = Asking(running, running.sign_in("Mei"))
        assert told(mei.get("/api/school/export")) == before
        assert len(before["answers"]) == 2
    with open_snapshot(str(tmp_path / "house.db")) as snapshot:
        assert audit_store(snapshot, (), KEY).problems == ()
