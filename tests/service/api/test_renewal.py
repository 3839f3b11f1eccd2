"""Certificates renewed: a later text in force, a short exam of what changed, and a chain that anybody checks."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service.api.serving import is_problem
from service.api.test_exams import MINUTE, Room, told
from service.houses import KEY
from thirdcard.errors import BadInput
from thirdcard.rulebook import named
from thirdcard.rulebook.forms import canonical, digest_of
from thirdcard.school.certificates import Certificate, SignedCertificate
from thirdcard.school.exams import ExamPlan, changed_skills, later_text, renewal_plan
from thirdcard.service.audit import audit_store
from thirdcard.service.evidence.verify import verified_certificate
from thirdcard.service.keys import public_key, signing_key
from thirdcard.service.learning import exam_papers
from thirdcard.service.log.store import open_snapshot
from thirdcard.service.log.store.model import LearningWrite

pytestmark = pytest.mark.server

V3, V4 = (f"rws-tiger-buffalo-non-commission-v{number}" for number in (3, 4))
PLAN = {
    "title": "Dealer, sample",
    "rulebook": V3,
    "layout": "A",
    "decks": 8,
    "parts": [{"kind": "third-card", "items": 4}, {"kind": "pay", "items": 2}],
    "minutes": 10,
    "pass_mark": 75,
}


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path / "house.db")
    with made.house:
        yield made
    with open_snapshot(str(tmp_path / "house.db")) as snapshot:
        assert audit_store(snapshot, (), KEY).problems == ()


def sat(room: Room, exam: str, wrong: dict[str, int]) -> None:
    address = f"/api/school/exams/{exam}"
    for name, many in wrong.items():
        person = {"Mei": room.mei, "Wei": room.wei}[name]
        told(person.post(f"{address}/begin"))
        room.answers(person, name, exam, wrong=many)
        told(person.post(f"{address}/finish"))


def renewed(room: Room, exam: str) -> Any:  # noqa: ANN401 - JSON
    now = room.clock.wall()
    asked = {"opens": now, "closes": now + 60 * MINUTE}
    return room.ada.post(f"/api/school/exams/{exam}/renewal", asked)


def test_who_holds_a_certificate_of_the_former_text_is_asked_what_changed_and_the_chain_holds(
    room: Room,
) -> None:
    exam = room.makes(plan=PLAN)
    assert is_problem(renewed(room, exam), 409), "not while it is sat"
    sat(room, exam, {"Mei": 0, "Wei": 6})
    was = told(room.mei.get(f"/api/school/exams/{exam}/result"))
    assert (was["lapsed"], was["later"], was["renewed_by"]) == (True, V4, "")
    before = told(room.mei.get(f"/api/school/exams/{exam}/certificate"))
    assert is_problem(room.mei.post(f"/api/school/exams/{exam}/renewal", {"opens": 0, "closes": 1}), 403), (
        "a trainer's part"
    )
    made = told(renewed(room, exam), 201)
    assert made["seed"] == ""
    assert [one["name"] for one in made["people"]] == ["Mei"], "Wei has nothing to renew"
    assert made["plan"]["renews"] == f"{V3}@{digest_of(named(V3))}"
    assert {part["kind"] for part in made["plan"]["parts"]} == {"result", "pay", "changed"}
    assert is_problem(
        room.ada.post(f"/api/school/exams/{made['id']}/people/Wei", {"extra": 0}, method="PUT"), 400
    )
    sat(room, made["id"], {"Mei": 1})
    mine = told(room.mei.get(f"/api/school/exams/{made['id']}/result"))
    assert (mine["result"]["passed"], mine["lapsed"], mine["renews"]) == (True, False, exam)
    assert told(room.mei.get(f"/api/school/exams/{exam}/result"))["renewed_by"] == made["id"]
    assert is_problem(renewed(room, exam), 400), "nobody is left"
    signed = told(room.mei.get(f"/api/school/exams/{made['id']}/certificate"))
    assert signed["renews"] == before, "the former one goes with it as it was signed"
    report = verified_certificate(msgspec.json.encode(signed), public_key(signing_key(KEY)))
    assert report.ok, report.checks
    assert [one.check for one in report.checks] == [
        "signature",
        "answers",
        "seal",
        "result",
        "difference",
        "renews",
    ]
    assert told(room.mei.get(f"/api/school/exams/{made['id']}/checks"))["ok"]
    assert verified_certificate(msgspec.json.encode(before)).ok, "as ever"
    assert_forgeries_are_found_out(signed)


def assert_forgeries_are_found_out(signed: dict[str, Any]) -> None:
    """By whoever has the house's key: each link is held to the others."""
    house = signing_key(KEY)

    def lie(text: str, former: object) -> dict[str, Any]:
        return {
            "text": text,
            "key": public_key(house),
            "signature": house.sign(text.encode()).hex(),
            "renews": former,
        }

    text, former = signed["text"], signed["renews"]
    said = msgspec.json.decode(text, type=Certificate)

    def again(**changes: object) -> str:
        return msgspec.json.encode(msgspec.structs.replace(said, **changes)).decode()

    other = lie(former["text"].replace('"Mei"', '"Ann"'), None)
    failed = lie(former["text"].replace('"passed":true', '"passed":false'), None)
    easy = msgspec.structs.replace(said.plan.parts[0], skills=said.plan.parts[0].skills[:1])  # type: ignore[index]
    plan = msgspec.structs.replace(said.plan, parts=(easy, *said.plan.parts[1:]))
    for wrong, check in (
        ({key: signed[key] for key in ("text", "key", "signature")}, "renews"),
        (lie(text, {key: other[key] for key in ("text", "key", "signature")}), "renews"),
        (lie(text, {key: failed[key] for key in ("text", "key", "signature")}), "renews"),
        (lie(again(person="Ann"), former), "renews"),
        (lie(again(renews=msgspec.UNSET), former), "renews"),
        (lie(again(plan=plan), former), "difference"),
        (lie(again(plan=msgspec.structs.replace(said.plan, renews=msgspec.UNSET)), former), "difference"),
    ):
        report = verified_certificate(msgspec.json.encode(wrong))
        assert check in [one.check for one in report.checks if one.wrong], (check, report.checks)


def test_a_plan_of_chosen_skills_is_no_exam_of_everything(room: Room) -> None:
    now = room.clock.wall()
    chosen = PLAN | {
        "parts": [{"kind": "third-card", "items": 3, "skills": ["third-card/banker/3/8"]}],
        "pass_mark": 75,
    }
    for plan in (chosen, PLAN | {"renews": f"{V3}@{digest_of(named(V3))}"}):
        asked = {"plan": plan, "people": {"Mei": 0}, "opens": now, "closes": now + MINUTE}
        assert is_problem(room.ada.post("/api/school/exams", asked), 400), plan


def test_a_text_that_did_not_change_has_nothing_to_renew(room: Room) -> None:
    exam = room.makes(plan=PLAN | {"rulebook": V4}, people={"Mei": 0})
    sat(room, exam, {"Mei": 0})
    assert renewed(room, exam).json()["code"] == "exam-not-lapsed"


def test_the_later_text_is_the_last_version_in_force() -> None:
    digest = digest_of(named(V3))
    assert later_text(V3, digest, "2025-08-07") is None, "not in force yet"
    later = later_text(V3, digest, "2025-08-08")
    assert later is not None
    assert later.slug == V4
    assert later_text(V4, digest_of(named(V4)), "2099-01-01") is None
    again = later_text(V4, "another text", "2099-01-01")
    assert again is not None, "another text under the same name"
    assert again.slug == V4


def test_what_is_asked_is_what_changed() -> None:
    before, after = named(V3), named(V4)
    asked = changed_skills(before, after, "A")
    assert f"differs/{V3}/layout/R" in asked["changed"]
    assert all(skill.startswith(f"differs/{V3}/") for skill in asked["changed"])
    assert "third-card" not in asked, "the Table of Play is the same"
    assert "pay/tie/win" in asked["pay"]
    plan = renewal_plan(msgspec.convert(PLAN, ExamPlan), before, after)
    assert 1 <= plan.items <= 25
    assert plan.title.endswith("v3 → v4")
    plain = msgspec.convert(PLAN, ExamPlan)
    assert b"skills" not in msgspec.json.encode(plain), "seals of other plans are what they were"
    assert b"renews" not in msgspec.json.encode(plain)
    one = SignedCertificate(text="", key="", signature="")
    assert msgspec.json.encode(one) == b'{"text":"","key":"","signature":""}'


def test_the_text_of_an_exam_is_kept_with_it_and_held_to_its_digest(room: Room) -> None:
    exam, hall = room.makes(plan=PLAN), room.house.hall
    store = hall.engine.store
    kept, _ = exam_papers.exam_of(store, exam)
    assert store.learning("", f"text:{kept.digest}").body == canonical(named(V3))  # type: ignore[union-attr]
    text = canonical(named(V3)).replace(b'"version":3', b'"version":33')
    digest = hashlib.sha256(text).hexdigest()
    other = msgspec.structs.replace(kept, digest=digest)
    with pytest.raises(BadInput):
        exam_papers.book_of(hall, other)
    for body, found in ((text + b" ", False), (text, True)):
        store.drop_learning("", f"text:{digest}")
        store.keep_learning([LearningWrite(person="", kind=f"text:{digest}", expected=0, body=body)])
        if found:
            assert exam_papers.book_of(hall, other).document.version == 33
        else:
            with pytest.raises(BadInput):
                exam_papers.book_of(hall, other)
