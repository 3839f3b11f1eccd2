"""A class in a browser: who is weak at what, a lesson of the house's own rounds, an item that is struck."""

from typing import Any

import msgspec
import pytest
from playwright.sync_api import expect

from browser.eyes import DESKTOP, PHONE, Eyes
from browser.house import House, Opens, table
from browser.test_school import MEASURED, Faults, found
from service.api.serving import Asking
from service.houses import TBC
from thirdcard.rulebook import named
from thirdcard.rulebook.forms import digest_of
from thirdcard.school.items import make
from thirdcard.school.memory import AGAIN, DAY, GOOD, Grade, Memory, ShiftScore, reviewed
from thirdcard.service.learning.learners import MEMORY, kinds_of
from thirdcard.service.log.store.model import LearningWrite

pytestmark = pytest.mark.browser

__all__ = ["found"]  # the fixture
OLD = "rws-tiger-buffalo-non-commission-v3"


def deals(house: House, rulebook: str) -> Asking:
    """A class on the rulebook that is played, two rounds of it, and its trainer."""
    dee, yan = house.as_("dealer"), house.player("Yan", "salon", box=1)
    dee.does("new-shoe", "salon")
    for cards in (("9C", "4H", "KD", "2S"), ("AC", "3C", "5H", "5S")):
        dee.does("open", "salon")
        yan.does("place", "salon", box=1, bet="player", cents=12_500)
        dee.does("close", "salon")
        for card in cards:
            dee.does("draw", "salon", card=card)
        dee.does("settle", "salon")
    tom = Asking(house, house.account("Tom", "trainer"))
    house.account("Mei", "dealer")
    made = {"title": "Intake", "rulebook": rulebook, "layout": "A", "members": ["Mei"]}
    assert tom.post("/api/school/classes/intake", made, method="PUT").status_code == 200
    return tom


def exam_of(tom: Asking, now: int) -> str:
    plan: dict[str, Any] = {
        "title": "First steps",
        "rulebook": OLD,
        "layout": "A",
        "decks": 8,
        "parts": [{"kind": "third-card", "items": 2}],
        "minutes": 10,
        "pass_mark": 1,
    }
    asked = {"plan": plan, "people": {"Mei": 0}, "opens": now - 1_000_000, "closes": now + 10**10}
    return str(tom.post("/api/school/exams", asked).json()["id"])


def learnt(house: House, name: str, *, days: int, shifts: tuple[ShiftScore, ...]) -> None:
    """Some skills of a rulebook, each met with its own paragraphs, so many days ago."""
    book, now = named(TBC), house.hall.clock.wall()
    memory = Memory(rulebook=TBC, digest=digest_of(book), shifts=shifts)
    for kind, skills in kinds_of(book, "A").items():
        for number, skill in enumerate(skills[:12]):
            item = make(kind, book, name, number, layout="A", skill=skill)
            grade: Grade = AGAIN if days > 20 else GOOD
            at = now - (days + number) * DAY
            memory = reviewed(memory, skill, grade, at, kind=kind, paragraphs=item.paragraphs)
    body = msgspec.json.encode(memory)
    house.hall.engine.store.keep_learning(
        [LearningWrite(person=name, kind=MEMORY + TBC, expected=0, body=body)]
    )


@pytest.mark.whole
def test_a_trainer_sees_shifts_titles_and_what_nobody_has_met(
    eyes: Eyes, opens: Opens, found: Faults
) -> None:
    house, names = opens(table("salon")), ("Amy", "Ben", "Cho")
    for place, name in enumerate(names):
        house.account(name, "dealer")
        worked = tuple(ShiftScore(f"practice-{place}{score}", score) for score in (91, 84)[: 2 - place])
        learnt(house, name, days=10 + 15 * place, shifts=worked)
    tom = Asking(house, house.account("Tom", "trainer"))
    made = {"title": "October intake", "rulebook": TBC, "layout": "A", "members": names}
    assert tom.post("/api/school/classes/october", made, method="PUT").status_code == 200
    page = eyes.opens(f"{house.url}/school/class", token=tom.token)
    page.locator(".cg tbody tr").first.wait_for()
    expect(page.locator(".topbar .title span")).to_have_text("October intake · people: 3")
    heads = page.locator(".cg thead th").all_inner_texts()
    assert heads[-3:] == ["Shift", "Due", "Pass today"]
    shifts = page.locator(".cg tbody tr td:nth-last-child(3)")
    assert shifts.all_inner_texts() == ["84", "91", "\N{EN DASH}"], "the latest of each"
    amy = shifts.first.locator("a")
    expect(amy).to_have_attribute("href", "/school/shifts/practice-084")
    expect(amy).to_have_attribute("aria-label", "Amy, latest shift: 84 of 100, best 91; open its result")
    tile = page.locator(".pt", has=page.get_by_text("3.15", exact=True))
    expect(tile.locator("span")).to_have_text("Table of Play")
    view = tom.get("/api/school/classes/october").json()
    stale = [one["paragraph"] for one in view["paragraphs"] if one["stale"]]
    assert page.locator(".pt.old b").all_inner_texts() == stale
    often = page.locator(".teach h3")
    expect(often).to_have_text(
        f"{view['titles'][view['teach_next']['paragraph']]} {view['teach_next']['paragraph']}"
    )
    tile.click()
    expect(page.locator("#behind h3")).to_have_text("Behind it: 3.15 Table of Play")
    found.look(page, DESKTOP, PHONE)
    page.get_by_role("link", name="New exam").click()
    expect(page.locator("#new-exam [name=title]")).to_be_focused()
    page.keyboard.type("Rulings")
    page.locator(".byparts summary").click()
    for kind in ("third-card", "result", "pay", "insurance"):
        page.locator(f"[name=items-{kind}]").fill("0")
    page.locator("[name=items-rule]").fill("3")
    page.locator("[name=least-rule]").fill("60")
    page.locator("[name=items-spot]").fill("2")
    found.look(page, DESKTOP, PHONE)
    page.get_by_role("button", name="Seal and set it").click()
    page.wait_for_url("**/school/exams/*")
    plan = tom.get(f"/api/school/exams/{page.url.rsplit('/', 1)[1]}").json()["plan"]
    assert [(one["kind"], one["items"], one["least"]) for one in plan["parts"]] == [
        ("rule", 3, 60),
        ("spot", 2, 0),
    ]


def test_a_trainer_teaches_own_rounds_and_strikes_an_item(eyes: Eyes, opens: Opens, found: Faults) -> None:
    house = opens(table("salon"))
    tom = deals(house, house.live("salon").table.setup.rulebook)
    trainer = eyes.opens(f"{house.url}/school/own?name=intake", token=tom.token)
    trainer.locator("form.make button").click()
    trainer.locator(".pick input").first.check()
    trainer.locator(".mined summary").first.click()
    found.look(trainer, DESKTOP, PHONE)
    trainer.locator("#give").click()
    expect(trainer.get_by_role("status").last).to_contain_text("1")
    token = house.sign_in("Mei")
    learner = eyes.opens(f"{house.url}/school", token=token)
    learner.get_by_role("link", name="Begin the lesson").click()
    learner.locator(".qq.now").wait_for()
    found.look(learner, DESKTOP, PHONE)
    learner.set_viewport_size(PHONE)
    measured = learner.evaluate(MEASURED)
    assert max(measured["scrolls"], measured["over"], measured["under"]) <= 1, measured
    learner.set_viewport_size(DESKTOP)
    learner.keyboard.press(learner.locator(".qq.now .op kbd").first.inner_text().lower())
    learner.locator(".why li").first.wait_for()
    found.look(learner, DESKTOP, PHONE)
    exam = exam_of(tom, house.hall.clock.wall())
    trainer.goto(f"{house.url}/school/exams/{exam}")
    trainer.locator(".extra input").fill("15")
    trainer.locator(".extra button").click()
    learner.goto(f"{house.url}/school/exams/{exam}")
    learner.locator("#next").click()
    learner.locator(".qq.now").first.wait_for()
    for _ in range(2):  # once more, since nothing is answered
        learner.get_by_role("button", name="Hand in").click()
    wrong = learner.locator(".doubt").first
    wrong.locator("summary").click()
    wrong.locator("input").fill("two answers are right")
    found.look(learner, DESKTOP, PHONE)
    wrong.locator("button").click()
    expect(wrong.get_by_role("status")).to_be_visible()
    trainer.reload()
    trainer.locator(".doubt summary").click()
    found.look(trainer, DESKTOP, PHONE)
    trainer.locator(".doubt input").fill("a misprint")
    trainer.locator(".doubt button").click()
    expect(trainer.get_by_text("Struck: a misprint")).to_be_visible()
    learner.goto(f"{house.url}/school/exams/{exam}/certificate")
    expect(learner.locator(".checks .notice")).to_be_visible()
    found.look(learner, DESKTOP, PHONE)
