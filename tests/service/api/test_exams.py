"""Exams over HTTP, by a clock that goes when it is told to: sealed, sat once, in time, opened after the last."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.api.serving import Asking, Served, is_problem
from service.clocks import FakeClock
from service.houses import KEY, MBS
from thirdcard.rulebook import named
from thirdcard.rulebook.forms import digest_of
from thirdcard.school.exams import ExamPlan, item_at, order_of, seal_of
from thirdcard.service.audit import audit_store
from thirdcard.service.evidence.verify import verified_certificate
from thirdcard.service.keys import public_key, signing_key
from thirdcard.service.learning import exam_papers, exam_room
from thirdcard.service.log.store import open_snapshot

pytestmark = pytest.mark.server

PLAN = {
    "title": "Dealer, sample",
    "rulebook": MBS,
    "layout": "A",
    "decks": 8,
    "parts": [
        {"kind": "third-card", "items": 6, "level": 2},
        {"kind": "pay", "items": 2, "level": 1, "least": 50},
    ],
    "minutes": 10,
    "pass_mark": 75,
}
MINUTE = 60_000_000


class Room:
    """A house with a trainer and two who sit."""

    def __init__(self, path: Path) -> None:
        self.clock = FakeClock()
        self.house = Served(path, clock=self.clock)
        self.ada, self.mei, self.wei, self.dee = (
            Asking(self.house, self.house.account(name, role))
            for name, role in (("Ada", "trainer"), ("Mei", "player"), ("Wei", "player"), ("Dee", "dealer"))
        )

    def wait(self, minutes: float) -> None:
        """People stay signed in: each asks something every few minutes."""
        for _ in range(round(minutes * 6)):
            self.clock.wait(10)
            if self.clock.at // MINUTE % 5 == 0:
                for person in (self.ada, self.mei, self.wei, self.dee):
                    person.get("/api/me")

    def makes(self, **more: object) -> str:
        now = self.clock.wall()
        asked = {
            "plan": PLAN,
            "people": {"Mei": 0, "Wei": 5},
            "opens": now,
            "closes": now + 60 * MINUTE,
        } | more
        made = told(self.ada.post("/api/school/exams", asked), 201)
        assert made["seed"] == ""
        return str(made["id"])

    def kept(self, exam: str) -> str:
        """The seed, as only the house can open it."""
        hall = self.house.hall
        return exam_room.seed_of(hall, exam, exam_papers.exam_of(hall.engine.store, exam)[0])

    def answers(self, person: Asking, name: str, exam: str, wrong: int = 0) -> None:
        """Everything right, but for so many of the set's first items."""
        hall, seed = self.house.hall, self.kept(exam)
        kept, _ = exam_papers.exam_of(hall.engine.store, exam)
        plan, book = kept.plan, exam_papers.book_of(hall, kept)
        for number, place in enumerate(order_of(plan, seed, name.casefold()), start=1):
            right = {part.name: part.answer for part in item_at(plan, book, seed, place).parts}
            given = right if place >= wrong else {}
            told(person.post(f"/api/school/exams/{exam}/items/{number}", {"answers": given}, method="PUT"))


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path / "house.db")
    with made.house:
        yield made
    with open_snapshot(str(tmp_path / "house.db")) as snapshot:
        assert audit_store(snapshot, (), KEY).problems == ()


def told(answer: Any, status: int = 200) -> Any:  # noqa: ANN401 - JSON
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content else None


def test_an_exam_from_its_seal_to_a_certificate_that_anybody_checks(room: Room) -> None:
    exam = room.makes()
    address = f"/api/school/exams/{exam}"
    before = told(room.mei.get(address))
    assert before["mine"] == {"state": "invited", "until": 0, "answered": 0, "extra": 0}
    assert before["people"] is None
    assert 0 < before["chance"] < 1
    told(room.mei.post(f"{address}/begin"))
    first = told(room.mei.get(f"{address}/items/1"))
    assert (first["number"], first["of"], first["given"]) == (1, 8, {})
    room.answers(room.mei, "Mei", exam, wrong=1)
    mine = told(room.mei.post(f"{address}/finish"))
    assert (mine["result"]["right"], mine["result"]["passed"], mine["open"]) == (7, True, False)
    assert mine["result"]["wrong"] == [], "others still sit it"
    assert is_problem(room.mei.get(f"{address}/certificate"), 409)
    assert is_problem(room.mei.get(f"{address}/set/0"), 409)
    told(room.wei.post(f"{address}/begin"))
    room.answers(room.wei, "Wei", exam, wrong=3)
    assert told(room.wei.post(f"{address}/finish"))["result"]["passed"] is False
    seen = told(room.ada.get(address))
    assert seen["over"]
    plan = msgspec.convert(PLAN, ExamPlan)
    assert seen["seal"] == seal_of(seen["seed"], digest_of(named(MBS)), plan) == before["seal"]
    assert [(one["name"], one["result"]["right"]) for one in seen["people"]] == [("Mei", 7), ("Wei", 5)]
    result = told(room.mei.get(f"{address}/result"))
    assert [item["place"] for item in result["result"]["wrong"]] == [0]
    shown = told(room.mei.get(f"{address}/set/0"))
    assert not shown["right"]
    assert shown["item"]["solution"]["answers"]
    signed = told(room.mei.get(f"{address}/certificate"))
    said = msgspec.json.decode(signed["text"])
    assert (said["person"], said["seed"], said["result"]["passed"]) == ("Mei", seen["seed"], True)
    assert not {"begun", "until", "extra", "at"} & said.keys()
    data = msgspec.json.encode(signed)
    report = verified_certificate(data, public_key(signing_key(KEY)))
    assert (report.ok, [one.check for one in report.checks]) == (
        True,
        ["signature", "answers", "seal", "result"],
    )
    assert is_problem(room.wei.get(f"{address}/result", name="Mei"), 403)
    assert told(room.ada.get(f"{address}/certificate", name="Mei"))["text"] == signed["text"]


def test_a_certificate_that_was_touched_is_found_out(room: Room) -> None:
    exam = room.makes(people={"Mei": 0})
    address = f"/api/school/exams/{exam}"
    told(room.mei.post(f"{address}/begin"))
    room.answers(room.mei, "Mei", exam, wrong=4)
    told(room.mei.post(f"{address}/finish"))
    signed = told(room.mei.get(f"{address}/certificate"))
    assert verified_certificate(msgspec.json.encode(signed)).ok
    forged = {**signed, "text": signed["text"].replace('"passed":false', '"passed":true')}
    report = verified_certificate(msgspec.json.encode(forged))
    assert (report.ok, report.checks[0].wrong) == (
        False,
        "the signature is not one that this key made for this text",
    )
    assert not verified_certificate(msgspec.json.encode(signed), "00" * 32).ok
    house = signing_key(bytes(32))  # whose own words are held against the engine too
    for old, new, check in (
        ('"passed":false', '"passed":true', "result"),
        ('"seed":"', '"seed":"0', "seal"),
        (signed["text"].partition('"answers_sha256":"')[2][:64], "ab" * 32, "answers"),
    ):
        text = signed["text"].replace(old, new)
        assert text != signed["text"]
        lie = {"text": text, "key": public_key(house), "signature": house.sign(text.encode()).hex()}
        wrong = [one.check for one in verified_certificate(msgspec.json.encode(lie)).checks if one.wrong]
        assert check in wrong


def test_nobody_reads_an_exam_before_they_sit_it(room: Room) -> None:
    later = room.clock.wall() + 30 * MINUTE
    exam = room.makes(opens=later, closes=later + 60 * MINUTE)
    address, seed = f"/api/school/exams/{exam}", room.kept(exam)
    for person in (room.mei, room.ada):
        for path in ("items/1", "result", "set/0", "certificate"):
            assert person.get(f"{address}/{path}").status_code == 409, path
    assert is_problem(room.mei.post(f"{address}/begin"), 409), "not open yet"
    assert is_problem(room.dee.get(address), 404), "not on the list"
    assert is_problem(room.dee.post(f"{address}/begin"), 404)
    texts = [room.ada.get(address).text, room.ada.get("/api/school/exams").text, room.mei.get(address).text]
    texts.append(msgspec.json.encode(told(room.house.as_("auditor").get("/api/significant-events"))).decode())
    assert not any(seed in text for text in texts)
    stored = room.house.path.read_bytes() + Path(f"{room.house.path}-wal").read_bytes()
    assert seed.encode() not in stored, "encrypted in the database too"
    room.wait(30)
    told(room.mei.post(f"{address}/begin"))
    asked = room.mei.get(f"{address}/items/1")
    assert asked.status_code == 200
    assert not any(word in asked.text for word in (seed, "solution", "skill", "paragraph", '"number":0'))
    assert is_problem(room.wei.get(f"{address}/items/1"), 409), "who has not begun"


def test_the_servers_clock_ends_a_sitting_and_keeps_what_came_in_time(room: Room) -> None:
    exam = room.makes()
    address = f"/api/school/exams/{exam}"
    told(room.mei.post(f"{address}/begin"))
    room.answers(room.mei, "Mei", exam)
    told(room.wei.post(f"{address}/begin"))
    room.wait(9.9)
    kept = told(room.mei.get(f"{address}/items/3"))
    assert kept["given"], "after a lost connection everything is there"
    assert told(room.mei.post(f"{address}/begin"))["mine"]["until"] == kept["until"], (
        "one sitting: the time runs on"
    )
    room.wait(0.2)
    for late in (
        room.mei.post(f"{address}/items/1", {"answers": {}}, method="PUT"),
        room.mei.get(f"{address}/items/1"),
    ):
        assert is_problem(late, 409)
        assert late.json()["code"] == "exam-time-up"
    assert told(room.mei.get(f"{address}/result"))["result"]["right"] == 8
    assert is_problem(room.mei.post(f"{address}/items/1", {"answers": {}}, method="PUT"), 409)
    told(room.wei.get(f"{address}/items/1"))
    room.wait(5)
    assert told(room.wei.get(f"{address}/result"))["result"]["right"] == 0, (
        "five minutes more, and nothing answered"
    )
    assert told(room.mei.post(f"{address}/begin"))["mine"]["state"] == "finished", "never a second time"
    assert told(room.mei.get(f"{address}/result"))["open"]


def test_who_sets_the_clock_back_or_forward_gives_nobody_time(room: Room) -> None:
    exam = room.makes()
    address = f"/api/school/exams/{exam}"
    told(room.mei.post(f"{address}/begin"))
    room.clock.set(-3600)
    asked = told(room.mei.get(f"{address}/items/1"))
    assert asked["until"] - asked["now"] == 10 * MINUTE, "ten minutes are left, whatever the clock says"
    room.clock.set(2 * 3600)
    asked = told(room.mei.get(f"{address}/items/1"))
    assert asked["until"] - asked["now"] == 10 * MINUTE
    room.clock.set(-3600)
    room.wait(10)
    assert room.mei.get(f"{address}/items/1").json()["code"] == "exam-time-up"


def test_who_begins_while_it_is_opened_cannot_read_the_answers_and_give_them(room: Room) -> None:
    exam = room.makes(people={"Mei": 0})
    address, hall = f"/api/school/exams/{exam}", room.house.hall
    told(room.mei.post(f"{address}/begin"))
    kept, version = exam_papers.exam_of(hall.engine.store, exam)
    opened = msgspec.structs.replace(kept, seed=room.kept(exam), opened=room.clock.wall())
    room.house.do(exam_room._keep(hall, exam, "", version, opened, note="Ada"))  # noqa: SLF001 - that race
    for refused in (
        room.mei.get(f"{address}/items/1"),
        room.mei.post(f"{address}/items/1", {"answers": {}}, method="PUT"),
    ):
        assert is_problem(refused, 409)
        assert refused.json()["code"] == "exam-over"


def test_extra_time_and_the_list_are_set_before_somebody_begins(room: Room) -> None:
    exam = room.makes()
    address = f"/api/school/exams/{exam}"
    told(room.ada.post(f"{address}/people/Mei", {"extra": 20}, method="PUT"))
    begun = told(room.mei.post(f"{address}/begin"))
    assert begun["mine"]["until"] == room.clock.wall() + 30 * MINUTE
    assert is_problem(room.ada.post(f"{address}/people/Mei", {"extra": 40}, method="PUT"), 409)
    assert is_problem(room.ada.post(f"{address}/people/Mei", method="DELETE"), 409)
    told(room.ada.post(f"{address}/people/Wei", method="DELETE"))
    assert is_problem(room.wei.post(f"{address}/begin"), 404)
    assert is_problem(room.mei.post(f"{address}/people/Mei", {"extra": 40}, method="PUT"), 403)
    assert is_problem(room.mei.post("/api/school/exams", {"plan": PLAN}), 403)
    told(room.mei.post(f"{address}/finish"))
    assert told(room.ada.get(address))["over"], "nobody else is on the list"


def test_a_struck_item_counts_for_nobody(room: Room) -> None:
    exam = room.makes()
    address = f"/api/school/exams/{exam}"
    assert is_problem(room.ada.post(f"{address}/struck/0", {"reason": "a misprint"}), 409), (
        "not while it is sealed"
    )
    for person, name, wrong in ((room.mei, "Mei", 3), (room.wei, "Wei", 1)):
        told(person.post(f"{address}/begin"))
        room.answers(person, name, exam, wrong=wrong)
        told(person.post(f"{address}/finish"))
    told(room.mei.post(f"{address}/set/0/challenge", {"reason": "two answers are right"}), 204)
    assert told(room.ada.get(address))["people"][0]["challenged"] == {"0": "two answers are right"}
    assert is_problem(room.mei.post(f"{address}/struck/0", {"reason": "a misprint"}), 403)
    told(room.ada.post(f"{address}/struck/0", {"reason": "a misprint"}))
    results = [told(person.get(f"{address}/result"))["result"] for person in (room.mei, room.wei)]
    assert [(one["right"], one["items"]) for one in results] == [(5, 7), (7, 7)]
    report = verified_certificate(room.wei.get(f"{address}/certificate").content)
    assert report.ok


def test_plans_that_cannot_be_are_told_in_a_sentence(room: Room) -> None:
    now = room.clock.wall()
    asked = {"plan": PLAN, "people": {"Mei": 0}, "opens": now, "closes": now + MINUTE}
    guest = room.house.hall.people.guest()[0].name
    wrong: list[dict[str, object]] = [
        {"people": {}},
        {"people": {"Nobody": 0}},
        {"people": {guest: 0}},
        {"people": {"Mei": -1}},
        {"closes": now},
        {"closes": now + 91 * 24 * 60 * MINUTE},
        {"plan": PLAN | {"parts": []}},
        {"plan": PLAN | {"parts": [{"kind": "insurance", "items": 5}]}},
        {"plan": PLAN | {"parts": [{"kind": "third-card", "items": 5}] * 2}},
        {"plan": PLAN | {"pass_mark": 101}},
        {"plan": PLAN | {"layout": "Z9"}},
        {"plan": PLAN | {"decks": 12}},
        {"seed": "mine"},
    ]
    for more in wrong:
        assert is_problem(room.ada.post("/api/school/exams", asked | more), 400), more
    assert is_problem(room.ada.post("/api/school/exams", asked | {"plan": PLAN | {"rulebook": "x"}}), 404)
    plan = told(room.ada.get(f"/api/school/exams/plan/{MBS}"))
    assert sum(part["items"] for part in plan["parts"]) == 60
    assert (plan["minutes"], plan["pass_mark"]) == (40, 85)


def test_the_seal_is_what_the_documentation_says() -> None:
    plan = msgspec.convert(PLAN, ExamPlan)
    text = "\n".join(("thirdcard exam 1", "s", "d", msgspec.json.encode(plan).decode()))
    assert seal_of("s", "d", plan) == hashlib.sha256(text.encode()).hexdigest()
