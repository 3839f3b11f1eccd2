"""Certificates in a browser: another text under the same name, whose is lapsed, and the button that renews."""

from importlib import import_module

import pytest
from playwright.sync_api import expect

from browser.eyes import DESKTOP, PHONE, Eyes
from browser.house import House, Opens, table
from browser.test_school import Faults
from browser.test_school import found as found  # noqa: PLC0414 - a fixture
from service.api.serving import Asking
from thirdcard.rulebook import sources
from thirdcard.school.exams import item_at, order_of
from thirdcard.service.learning import exam_papers, exam_room

pytestmark = pytest.mark.browser

GAME = """slug = "house-tiger"
extends = "mbs-tiger-v2"
[bets.tie]
pays = [{{ tier = "win", when = {{ winner = ["tie"] }}, odds = "{odds} to 1", rules = ["4.1"] }}]
"""
PLAN = {
    "title": "House Tiger",
    "rulebook": "house-tiger",
    "layout": "A",
    "decks": 8,
    "parts": [{"kind": "third-card", "items": 2}],
    "minutes": 10,
    "pass_mark": 50,
}


def sits(house: House, person: Asking, name: str, exam: str, *, right: bool) -> None:
    """Everything right, or nothing answered."""
    address, hall = f"/api/school/exams/{exam}", house.hall
    assert person.post(f"{address}/begin").status_code == 200
    kept, _ = exam_papers.exam_of(hall.engine.store, exam)
    seed, book = exam_room.seed_of(hall, exam, kept), exam_papers.book_of(hall, kept)
    for number, place in enumerate(order_of(kept.plan, seed, name.casefold()), start=1):
        given = {part.name: part.answer for part in item_at(kept.plan, book, seed, place).parts}
        answered = person.post(f"{address}/items/{number}", {"answers": given if right else {}}, method="PUT")
        assert answered.status_code == 200, answered.text
    assert person.post(f"{address}/finish").status_code == 200


@pytest.mark.whole
def test_a_certificate_that_lapsed_under_the_same_name_is_renewed(
    eyes: Eyes, opens: Opens, found: Faults, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("thirdcard.rulebook.load"), "_known", {})
    monkeypatch.setattr(sources, "_taken", {})
    house = opens(table("salon"))
    root, tom, mei, wei = (
        Asking(house, house.account(name, role))
        for name, role in (
            ("Root", "administrator"),
            ("Tom", "trainer"),
            ("Mei", "dealer"),
            ("Wei", "dealer"),
        )
    )
    assert root.post("/api/rulebooks", {"file": "game.toml", "text": GAME.format(odds=8)}).status_code == 201
    now = house.hall.clock.wall()
    asked = {"plan": PLAN, "people": {"Mei": 0, "Wei": 0}, "opens": now - 10**6, "closes": now + 10**10}
    exam = tom.post("/api/school/exams", asked).json()["id"]
    sits(house, mei, "Mei", exam, right=True)
    sits(house, wei, "Wei", exam, right=False)
    address = f"{house.url}/school/exams/{exam}"
    trainer = eyes.opens(address, token=tom.token)
    expect(trainer.get_by_role("link", name="Certificate")).to_have_count(2)
    expect(trainer.get_by_role("button", name="Renew: an exam of what changed")).to_have_count(0)
    assert root.post("/api/rulebooks", {"file": "game.toml", "text": GAME.format(odds=9)}).status_code == 201
    passed, failed = eyes.opens(address, token=mei.token), eyes.opens(address, token=wei.token)
    expect(passed.locator(".hero .notice")).to_have_text(
        "The rulebook has changed since; the difference set renews the certificate."
    )
    expect(failed.locator(".hero .notice")).to_have_text("The rulebook has changed since.")
    failed.goto(f"{address}/certificate")
    expect(failed.locator(".xf span").first).to_have_text("The rulebook has changed since.")
    trainer.reload()
    renew = trainer.get_by_role("button", name="Renew: an exam of what changed")
    renew.wait_for()
    found.look(trainer, DESKTOP, PHONE)
    renew.click()
    trainer.wait_for_url(lambda url: "/school/exams/" in url and exam not in url)
    later = trainer.url.rsplit("/", 1)[1]
    expect(trainer.locator(".hero h1")).to_contain_text("House Tiger, →")
    expect(trainer.get_by_role("rowheader", name="Mei")).to_be_visible()
    expect(trainer.get_by_role("rowheader", name="Wei")).to_have_count(0)
    sits(house, mei, "Mei", later, right=True)
    passed.reload()
    expect(passed.locator(".hero .notice")).to_have_text(f"Renewed by {later}")
    passed.goto(f"{house.url}/school/exams/{later}/certificate")
    expect(passed.locator(".checks")).to_contain_text("The certificate before")
    expect(passed.locator(".xv dl")).to_contain_text(exam)
