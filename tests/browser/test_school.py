"""The school in a browser: every drill by keyboard, one by touch, an exam, a class, a shift that is dealt and judged."""

import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, Response, Route, ViewportSize, expect

from browser.eyes import DESKTOP, GUARD_MS, PHONE, Eyes
from browser.house import House, Opens, table, until
from browser.test_protect_pages import faults
from service.houses import TBC
from thirdcard.cards import Card
from thirdcard.school.item_types import KINDS, Item, ItemPart, SpotFacts
from thirdcard.school.items import make
from thirdcard.school.shift_troubles import out_now
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.paying import winnings
from thirdcard.service.tables.practice import to_name

pytestmark = pytest.mark.browser

NOTEBOOK = ViewportSize(width=1280, height=720)
SIZES = (DESKTOP, NOTEBOOK, PHONE)
SMALL = ViewportSize(width=360, height=640)
SET = 20


@pytest.fixture
def school(opens: Opens) -> House:
    return opens(table("salon"))


class Faults(list[str]):
    """What is found too wide, too small, or that axe-core minds; told together at the end of a test."""

    def look(self, page: Page, *sizes: ViewportSize) -> None:
        for size in sizes or SIZES:
            page.set_viewport_size(size)
            where = f"{page.url.split('/', 3)[3]} at {size['width']}"
            self.extend(f"{where}: {one}" for one in faults(page, phone=size["width"] < NOTEBOOK["width"]))
        page.set_viewport_size(DESKTOP)


@pytest.fixture
def found() -> Iterator[Faults]:
    made = Faults()
    yield made
    assert not made, "\n".join(made)


# --- drills ----------------------------------------------------------------------------------------------


def made_again(answer: Response) -> Item:
    """The item that the server sent, made here."""
    found = answer.json()
    name = (found.get("item") or found["items"][0])["name"]
    return make(
        name["kind"], name["rulebook"], name["seed"], name["number"],
        layout=name["layout"], decks=name["decks"], skill=name["skill"], level=name["level"],
    )  # fmt: skip


def always(page: Page, school: House, *, skill: str = "", lang: str = "en") -> None:
    """The same item of each kind, whoever asks; of limits one of the longest."""

    def give(route: Route) -> None:
        kind = route.request.url.split("kind=")[1].split("&")[0]
        wanted = {"seed": "w11", "level": "1" if skill else "4", "count": "1", "lang": lang}
        if longest := skill or {"limits": "limits/over-differential"}.get(kind):
            wanted["skill"] = longest
        got = page.request.get(f"{school.url}/api/school/items/{TBC}/{kind}", params=dict(wanted))
        route.fulfill(json={"due": 0, "item": got.json()["items"][0]})

    page.route("**/api/school/next/**", give)


def asked(page: Page, by: Any) -> Item:  # noqa: ANN401
    """The item that comes when something is done."""
    with page.expect_response(lambda answer: "/api/school/next/" in answer.url) as got:
        by()
    made = made_again(got.value)
    page.locator(".qq.now, .replay").first.wait_for()
    return made


def other(one: ItemPart) -> Any:  # noqa: ANN401
    """A wrong answer to a part."""
    if one.form == "cents":
        assert isinstance(one.answer, int)
        return one.answer + 500
    wrong = next(choice.key for choice in one.choices if choice.key != one.answer)
    if one.form == "several":
        return () if one.answer else (one.choices[0].key,)
    return wrong


def answers(page: Page, item: Item, *, right: bool) -> None:
    """By keyboard, part by part as they are asked; a wrong one is wrong in its first part."""
    parts = {part.name: part for part in item.parts}
    for number in range(len(parts)):
        now = page.locator(".qq.now")
        now.wait_for()
        part = parts.pop(now.get_attribute("data-part") or "")
        wanted = part.answer if right or number else other(part)
        if part.form == "cents":
            expect(now.locator("input")).to_be_focused()
            now.locator("input").press("Control+a")
            page.keyboard.type(f"{int(wanted) / 100:g}")  # type: ignore[arg-type]
            page.keyboard.press("Enter")
            continue
        keys = [choice.key for choice in part.choices]
        for one in wanted if isinstance(wanted, tuple) else (wanted,):
            place = page.locator(f".boxfelt.on [data-bet={one}]")
            if part.name != "winning":
                place = now.locator(".op").nth(keys.index(str(one)))
            page.keyboard.press(place.locator("kbd").inner_text().lower())
        if part.form == "several":
            page.keyboard.press("Enter")


@pytest.mark.gate("third-card")
@pytest.mark.parametrize("kinds", [["third-card"], [*KINDS]], ids=["third-card", "all"])
def test_drills_are_played_by_keyboard(kinds: list[str], eyes: Eyes, school: House, found: Faults) -> None:
    """Right: the result is focused and read, Enter goes on. Wrong: a lesson of one screen."""
    page = eyes.opens(f"{school.url}/school", token=school.account("Dee", "dealer"))
    for kind in kinds:
        item = asked(page, lambda: page.goto(f"{school.url}/school/drill/{kind}?rulebook={TBC}"))  # noqa: B023
        if kind == "spot":
            page.keyboard.press("ArrowRight")  # step by step, as without motion
            page.keyboard.press(" ")
        answers(page, item, right=True)
        expect(page.locator("#verdict.good")).to_be_focused()
        expect(page.locator("#said")).to_contain_text("Right")
        page.keyboard.press("Tab")
        expect(page.locator("#next")).to_be_focused()
        item = asked(page, lambda: page.keyboard.press("Enter"))
        if kind == "spot":
            page.keyboard.press("ArrowRight")
            page.keyboard.press(" ")
        answers(page, item, right=False)
        expect(page.locator(".wrongv #verdict")).to_be_focused()
        said = (
            "Wrong. (The (Player|Banker) (draws|stands)|A natural: nobody draws), 3."
            if kind == "third-card"
            else "Wrong"
        )
        expect(page.locator("#said")).to_have_text(re.compile(f"^{said}"))
        expect(page.locator(".why li").first).to_be_visible()
        expect(page.locator(".cost p")).not_to_be_empty()
        expect(page.locator(".tl li")).to_have_count(4)
        if kind == "third-card":
            expect(page.locator(".mix")).to_contain_text("What you may have mixed up")
        if kind in {"third-card", "rule"}:
            found.look(page)
        asked(page, lambda: page.keyboard.press("Enter"))
        if kind in {"third-card", "pay", "spot"}:
            found.look(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("heading", name="Paused")).to_be_visible()
    page.goto(f"{school.url}/school?rulebook={TBC}")
    expect(page.locator(".dcard").first).to_contain_text("Third card")
    found.look(page)


def stands_still(page: Page) -> None:
    """The page's clock goes on only as a test says, however busy the machine is."""
    start = datetime(2026, 1, 1, tzinfo=UTC)
    page.clock.install(time=start)
    page.clock.pause_at(start + timedelta(minutes=1))


@pytest.mark.whole
def test_a_replay_is_marked_by_the_moment_at_which_it_is_stopped(eyes: Eyes, school: House) -> None:
    """By the page's own clock, which a test sets: in time, too late, and not at all."""
    page = eyes.opens(f"{school.url}/sign-in", token=school.account("Dee", "dealer"), fresh=True)
    stands_still(page)
    for late, right in ((100, True), (4_100, False), (None, False)):
        item = asked(page, lambda: page.goto(f"{school.url}/school/drill/spot?rulebook={TBC}"))
        facts, (step, what) = item.facts, item.parts
        assert isinstance(facts, SpotFacts)
        end = facts.steps[-1].at_ms + 4_000
        error = facts.steps[int(str(step.answer)) - 1].at_ms
        page.clock.run_for(1_000)
        page.keyboard.press("Escape")  # while it is paused no time passes
        page.clock.run_for(end)
        page.keyboard.press("Escape")
        page.clock.run_for(end if late is None else error + late - 1_000)
        if late is not None and error + late < end:
            page.keyboard.press(" ")
            expect(page.locator(".qq.done")).to_contain_text(f"{(error + late) // 1000}.")
            keys = [choice.key for choice in what.choices]
            page.keyboard.press(str(keys.index(str(what.answer)) + 1))
        expect(page.locator("#verdict.good" if right else ".wrongv #verdict")).to_be_focused()


@pytest.mark.whole
def test_a_replay_costs_no_time_while_another_page_is_looked_at(eyes: Eyes, school: House) -> None:
    page = eyes.opens(f"{school.url}/sign-in", token=school.account("Dee", "dealer"), fresh=True)
    stands_still(page)
    item = asked(page, lambda: page.goto(f"{school.url}/school/drill/spot?rulebook={TBC}"))
    facts, (step, what) = item.facts, item.parts
    assert isinstance(facts, SpotFacts)
    error = facts.steps[int(str(step.answer)) - 1].at_ms
    page.clock.run_for(1_000)
    page.clock.fast_forward(60_000)  # one frame, as of a page that comes back to the front
    page.clock.run_for(error - 500)
    page.keyboard.press(" ")
    keys = [choice.key for choice in what.choices]
    page.keyboard.press(str(keys.index(str(what.answer)) + 1))
    expect(page.locator("#verdict.good")).to_contain_text("100 points")


@pytest.mark.whole
def test_one_look_back_at_a_replay_costs_a_third(eyes: Eyes, school: House) -> None:
    """From the four cards, once; the next stop counts, and the log has the times."""
    page = eyes.opens(f"{school.url}/sign-in", token=school.account("Dee", "dealer"), fresh=True)
    stands_still(page)
    item = asked(page, lambda: page.goto(f"{school.url}/school/drill/spot?rulebook={TBC}"))
    facts, (step, what) = item.facts, item.parts
    assert isinstance(facts, SpotFacts)
    first = next(one for one in facts.steps if one.card).at_ms
    error = facts.steps[int(str(step.answer)) - 1].at_ms
    page.clock.run_for(first + 100)
    page.keyboard.press(" ")
    expect(page.locator(".replay")).to_contain_text("One look back costs a third of the points")
    expect(page.locator(".log li").last).to_contain_text(f"{first / 1000:.1f}")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    page.clock.run_for(error - first + 500)
    page.keyboard.press(" ")
    expect(page.locator(".qq.done")).to_contain_text("stopped at")
    expect(page.get_by_role("button", name="Again from the four cards")).to_have_count(0)
    keys = [choice.key for choice in what.choices]
    page.keyboard.press(str(keys.index(str(what.answer)) + 1))
    expect(page.locator("#verdict.good")).to_contain_text("67 points")


@pytest.mark.whole
def test_a_missed_cell_is_shown_in_its_row_of_the_table_of_play(eyes: Eyes, school: House) -> None:
    """3.15: the Banker's row with what it does on every third card, and R asks the whole row."""
    page = eyes.opens(f"{school.url}/sign-in", token=school.account("Dee", "dealer"))
    always(page, school, skill="third-card/banker/5/4")
    page.goto(f"{school.url}/school/drill/third-card?rulebook={TBC}")
    page.locator(".qq.now").wait_for()
    page.keyboard.press("s")
    expect(page.locator("#verdict h1")).to_have_text("The Banker draws.")
    expect(page.get_by_role("link", name="Open 3.15")).to_have_attribute("href", f"/rules/{TBC}#p-3.15")
    row = page.locator(".panel", has_text="The row you need")
    expect(row.locator(".cite")).to_have_text("3.15")
    assert "".join(row.locator("svg text").all_text_contents()).count("SSSSDDDDSS") == 1
    page.keyboard.press("r")
    expect(page.locator("#asks")).to_be_visible()


@pytest.mark.whole
def test_an_answer_is_handed_in_once_however_often_its_key_is_pressed(eyes: Eyes, school: House) -> None:
    page, held = eyes.opens(f"{school.url}/sign-in", token=school.account("Dee", "dealer")), list[Route]()
    page.route("**/api/school/answers*", lambda route: held.append(route))  # noqa: PLW0108 - not of Python
    asked(page, lambda: page.goto(f"{school.url}/school/drill/third-card?rulebook={TBC}"))
    page.keyboard.press("d")
    until(lambda: page.evaluate("true") and held)
    page.keyboard.press("d")
    page.keyboard.press("s")
    page.evaluate("true")
    held[0].continue_()
    page.locator("#verdict").wait_for()
    assert len(held) == 1


@pytest.mark.whole
def test_what_was_missed_comes_once_more_before_a_set_ends(eyes: Eyes, school: House) -> None:
    """Sooner than after three minutes: what is not right by then, once each."""
    page = eyes.opens(f"{school.url}/sign-in", token=school.account("Dee", "dealer"))
    again = list[Response]()
    page.on("response", lambda answer: again.append(answer) if "/api/school/items/" in answer.url else None)
    item = asked(page, lambda: page.goto(f"{school.url}/school/drill/third-card?rulebook={TBC}"))
    latest = dict[str, bool]()
    for number in range(SET):
        latest.pop(item.skill, None)
        latest[item.skill] = number not in {3, SET - 1}
        answers(page, item, right=latest[item.skill])
        page.locator("#verdict").wait_for()
        if number < SET - 1:
            item = asked(page, lambda: page.keyboard.press("Enter"))
    expect(page.locator(".count")).to_have_text(f"{SET} of {SET}")
    missed = [skill for skill, right in latest.items() if not right]
    page.keyboard.press("Enter")
    for number, skill in enumerate(missed, start=1):
        expect(page.locator(".count")).to_have_text(f"{SET + number} of {SET + len(missed)}")
        item = next(one for one in map(made_again, again) if one.skill == skill)
        answers(page, item, right=number == 1)
        page.locator("#verdict").wait_for()
        page.keyboard.press("Enter")
    expect(page.locator(".ended h1")).to_have_text(f"{SET - 1} of {SET + len(missed)} right.")
    asked(page, lambda: page.keyboard.press("Enter"))
    expect(page.locator(".count")).to_have_text(f"1 of {SET}")


@pytest.mark.whole
def test_an_item_that_is_thought_to_be_wrong_is_disputed_and_settled(
    eyes: Eyes, school: House, found: Faults
) -> None:
    """From the result, by keyboard; the trainer settles it and the learner reads the note."""
    tokens = {name: school.account(name, role) for name, role in {"Dee": "dealer", "Tom": "trainer"}.items()}
    page = eyes.opens(f"{school.url}/sign-in", token=tokens["Dee"])
    item = asked(page, lambda: page.goto(f"{school.url}/school/drill/third-card?rulebook={TBC}"))
    answers(page, item, right=False)
    page.locator("#verdict").wait_for()
    page.keyboard.press("w")
    expect(page.locator(".dispute textarea")).to_be_focused()
    page.keyboard.type("Enter and R are letters here")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#dispute-title")).to_be_focused()
    expect(page.locator(".dispute .why li").first).to_be_visible()
    found.look(page)
    page.keyboard.press("Escape")
    expect(page.locator(".dispute")).to_have_count(0)
    trainer = eyes.opens(f"{school.url}/school/class", token=tokens["Tom"])
    trainer.get_by_role("link", name="Disputed items").click()
    expect(trainer.locator(".disputed")).to_contain_text("Enter and R are letters here")
    found.look(trainer)
    trainer.locator("[name=note]").fill("Thank you, it is mended.")
    trainer.get_by_role("button", name="uphold").click()
    expect(trainer.locator("#disputed")).to_contain_text("Nothing is disputed")
    page.goto(f"{school.url}/school?rulebook={TBC}")
    expect(page.locator(".hs")).to_contain_text("Thank you, it is mended.")


@pytest.mark.whole
def test_the_winning_bets_are_pressed_on_the_felt_by_arrow_keys(
    eyes: Eyes, school: House, found: Faults
) -> None:
    """Every spot of the layout is a button with its name; Space presses it, Enter answers."""
    page = eyes.opens(f"{school.url}/sign-in", token=school.account("Dee", "dealer"))
    item = asked(page, lambda: page.goto(f"{school.url}/school/drill/result?rulebook={TBC}"))
    *before, winning = item.parts
    for part in before:
        keys = [choice.key for choice in part.choices]
        for one in part.answer if isinstance(part.answer, tuple) else (str(part.answer),):
            page.keyboard.press(
                page.locator(".qq.now .op").nth(keys.index(one)).locator("kbd").inner_text().lower()
            )
        if part.form == "several":
            page.keyboard.press("Enter")
    spots = page.locator(".boxfelt.on button.spot")
    expect(spots.first).to_be_focused()
    names = {spot.get_attribute("data-bet") for spot in spots.all()}
    assert names == {choice.key for choice in winning.choices}
    assert isinstance(winning.answer, tuple)
    found.look(page)
    for down in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowUp"):
        for along in ("ArrowRight",) * 5 + ("ArrowLeft",) * 5:
            here = page.locator(".boxfelt .spot:focus")
            if (
                here.get_attribute("data-bet") in winning.answer
                and here.get_attribute("aria-pressed") == "false"
            ):
                page.keyboard.press(" ")
                expect(page.locator(".boxfelt .spot:focus")).to_have_attribute("aria-pressed", "true")
            page.keyboard.press(along)
        page.keyboard.press(down)
    page.keyboard.press("Enter")
    expect(page.locator("#verdict.good")).to_be_focused()


@pytest.mark.whole
@pytest.mark.parametrize("taken_first", [True, False])
def test_1_1_7_a_box_is_settled_in_an_order_that_is_marked(
    eyes: Eyes, school: House, *, taken_first: bool
) -> None:
    """By keyboard: the arrow keys choose a line, T takes it, Backspace takes the last one back."""
    page = eyes.opens(f"{school.url}/sign-in", token=school.account("Dee", "dealer"))
    address = f"{school.url}/school/drill/pay?rulebook=mbs-tiger-v2"
    page.route("**/api/school/next/**", lambda at: at.continue_(url=f"{at.request.url}&level=6"))
    while True:
        item = asked(page, lambda: page.goto(address))
        nets = {part.name: int(part.answer) for part in item.parts if part.form == "cents"}  # type: ignore[arg-type]
        if min(nets.values()) < 0 < max(nets.values()):
            break
    sign = 1 if taken_first else -1
    lines = sorted(nets, key=lambda name: sign * nets[name])
    for number, name in enumerate(lines):
        while page.locator(".qq.now").get_attribute("data-part") != name:
            page.keyboard.press("ArrowDown")
        if number == 1:
            page.keyboard.press("Backspace")
            expect(page.locator(".qq.now")).to_have_attribute("data-part", lines[0])
            page.keyboard.type(f"{nets[lines[0]] / 100:g}")
            page.keyboard.press("Enter")
            while page.locator(".qq.now").get_attribute("data-part") != name:
                page.keyboard.press("ArrowUp")
        if nets[name] < 0:
            page.keyboard.press("t")
        else:
            page.keyboard.type(f"{nets[name] / 100:g}")
            page.keyboard.press("Enter")
    if item.parts[-1].name == "chips":
        answers(page, msgspec.structs.replace(item, parts=item.parts[-1:]), right=True)
    expect(page.locator("#verdict.good .inorder")).to_contain_text(
        "In order" if taken_first else "Out of order"
    )
    expect(page.locator("#verdict.good .cite")).to_have_text("1.1.7")


@pytest.mark.whole
def test_a_payout_is_built_of_chips_without_a_mouse(eyes: Eyes, school: House) -> None:
    page = eyes.opens(f"{school.url}/sign-in", token=school.account("Dee", "dealer"))
    asked(page, lambda: page.goto(f"{school.url}/school/drill/pay?rulebook={TBC}"))
    page.keyboard.press("c")
    for key in ("5", "1", "1", "Backspace"):
        page.keyboard.press(key)
    expect(page.locator(".qq.now input")).to_have_value("105")


@pytest.mark.whole
def test_what_is_no_amount_is_refused_in_words_until_it_is_one(eyes: Eyes, school: House) -> None:
    page = eyes.opens(f"{school.url}/sign-in", token=school.account("Dee", "dealer"))
    item = asked(page, lambda: page.goto(f"{school.url}/school/drill/pay?rulebook={TBC}"))
    field = page.locator(".qq.now input")
    for typed in ("ten", "1.234", ""):
        field.fill(typed)
        page.keyboard.press("Enter")
        assert field.evaluate("one => one.validationMessage").startswith("Type an amount"), typed
        expect(field).to_be_focused()
    answers(page, item, right=True)
    expect(page.locator("#verdict.good")).to_be_focused()


def test_a_drill_is_played_on_a_phone_by_touch_with_the_clock_off(
    eyes: Eyes, school: House, found: Faults
) -> None:
    token = school.account("Wei", "player")
    page = eyes.opens(
        f"{school.url}/school?lang=zh", token=token, viewport=PHONE, has_touch=True, locale="zh-TW"
    )
    expect(page.locator(".dcard").first).to_contain_text("第三張牌")
    found.look(page, PHONE, SMALL)
    page.set_viewport_size(PHONE)
    item = asked(page, page.locator(".dcard").first.tap)
    page.locator(".dright .btn[aria-pressed]").tap()  # the clock is switched off
    expect(page.locator(".shot")).to_have_count(0)
    for size in (PHONE, SMALL):
        page.set_viewport_size(size)
        box = page.locator(".qq.now .op").first.bounding_box()
        assert box
        assert box["height"] >= 116
    page.set_viewport_size(PHONE)
    keys = [choice.key for choice in item.parts[0].choices]
    page.locator(".qq.now .op").nth(keys.index(str(item.parts[0].answer))).tap()
    expect(page.locator("#verdict.good")).to_contain_text("對了")
    page.locator("#next").tap()
    page.locator(".qq.now .op").first.wait_for()


MEASURED = """() => {
  const seen = (of) => [...document.querySelectorAll(of)].map((one) => one.getBoundingClientRect()).filter((one) => one.height);
  const all = seen(".hand .pc, .case, .facts, .lines, .boxfelt, .shot, .qq.now h2, .qq.now button, .qq.now input, .boxfelt.on button, .tlp .btn");
  const page = document.scrollingElement;
  if (document.querySelector("#verdict")) return null; // it was answered meanwhile
  return {
    part: document.querySelector(".qq.now")?.dataset.part,
    scrolls: Math.max(page.scrollHeight - innerHeight, page.scrollWidth - innerWidth),
    over: Math.max(...all.map((one) => one.bottom - innerHeight), ...all.map((one) => -one.top)),
    under: Math.max(0, ...seen(".dfelt > *").map((one) => one.bottom - (document.querySelector(".dside")?.getBoundingClientRect().top || innerHeight))),
    least: Math.min(...seen(".qq.now button, .boxfelt.on button, .tlp .btn").map((one) => one.height)),
  };
}"""


@pytest.mark.whole
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_drill_is_answered_on_a_phone_without_scrolling(eyes: Eyes, school: House, lang: str) -> None:
    """All that is asked about and answered with is on the screen, part after part, on small phones too."""
    token = school.account("Dee", "dealer")
    page = eyes.opens(f"{school.url}/school?lang={lang}", token=token, viewport=PHONE)
    always(page, school, lang=lang)
    wrong = []
    for kind in KINDS:
        page.goto(f"{school.url}/school/drill/{kind}?rulebook={TBC}")
        page.locator(".qq.now, .replay").first.wait_for()
        while not page.locator("#verdict").count():
            for size in (PHONE, SMALL):
                page.set_viewport_size(size)
                found = page.evaluate(MEASURED)
                if found and (
                    max(found["scrolls"], found["over"], found["under"]) > 1 or found["least"] < 44
                ):
                    wrong.append((kind, size["width"], found))
            steps_on(page)
    assert not wrong, wrong


# --- exams and classes --------------------------------------------------------------------------------------


def test_an_exam_is_set_sat_and_certified_and_the_class_is_seen(
    eyes: Eyes, school: House, found: Faults
) -> None:
    tokens = {name: school.account(name, role) for name, role in {"Dee": "dealer", "Tom": "trainer"}.items()}
    learner = eyes.opens(f"{school.url}/sign-in", token=tokens["Dee"])
    item = asked(learner, lambda: learner.goto(f"{school.url}/school/drill/third-card?rulebook={TBC}"))
    answers(learner, item, right=False)
    learner.locator("#verdict").wait_for()
    trainer = eyes.opens(f"{school.url}/school/class", token=tokens["Tom"])
    form = trainer.locator("form.make").first
    form.locator("[name=title]").fill("October intake")
    form.locator("[name=members]").fill("Dee")
    form.locator("button").click()
    trainer.locator(".cg .hc button").first.click()
    expect(trainer.locator("#behind h3")).to_be_focused()
    found.look(trainer)
    exam = trainer.locator("form.make").nth(1)
    exam.locator("[name=title]").fill("Dealer, first steps")
    exam.locator("[name=items]").fill("5")
    exam.locator("[name=opens]").fill("2024-01-01T00:00")
    exam.locator("button").click()
    trainer.wait_for_url("**/school/exams/*")
    expect(trainer.locator(".seal code")).to_have_text(re.compile("[0-9a-f]{64}"))
    learner.goto(trainer.url)
    found.look(learner)
    learner.keyboard.press("Enter")
    learner.locator(".qq.now, .replay").first.wait_for()
    sits(learner)
    expect(learner.locator("#verdict")).to_be_focused()
    found.look(learner)
    learner.get_by_role("link", name="Certificate").click()
    expect(learner.locator(".a4 h1")).to_have_text("Dee")
    found.look(learner)


def sits(page: Page) -> None:
    """Any answer to every item, by keyboard, then handed in."""

    def done() -> bool:
        if page.locator("#verdict").count():
            return True
        steps_on(page)
        return False

    until(done)


# Which keys answer anything to what is asked at this moment; none while nothing is.
KEYS = """() => {
  const there = (selector) => document.querySelector(selector);
  const input = there(".qq.now input");
  input?.select();
  if (there(".ended")) return ["Enter"];
  if (there(".replay .tlp .primary")) return ["Space"];
  if (input) return ["0", "Enter"];
  if (there(".qq.now .btn.primary")) return ["Enter"];
  const first = there(".qq.now .op kbd");
  return first ? [first.textContent.toLowerCase()] : [];
}"""


def steps_on(page: Page) -> None:
    """Any answer to what is asked now; what is asked only after that look is not waited for."""
    for key in page.evaluate(KEYS):
        page.keyboard.press(key)
    page.wait_for_timeout(60)  # not to ask all the time


# --- a shift ------------------------------------------------------------------------------------------------


@pytest.mark.whole
def test_a_shift_is_dealt_and_judged(eyes: Eyes, school: House, found: Faults) -> None:
    """By keyboard, at the real desk; one payout is said wrong, on purpose."""
    page = eyes.opens(f"{school.url}/school/shift?rulebook={TBC}", token=school.account("Dee", "dealer"))
    form = page.locator("#shift-form")
    for name, value in {"rounds": "1", "patrons": "2", "trouble": "0", "seed": "7"}.items():
        form.locator(f"[name={name}]").fill(value)
    found.look(page)
    page.keyboard.press("Enter")
    page.wait_for_url("**/dealer/practice-*")
    name = page.url.rsplit("/", 1)[1]
    assert name not in school.hall.tables()
    said = deals(page, school, name)
    page.locator("#practice .btn.primary").click()
    page.wait_for_url(f"**/school/shifts/{name}")
    expect(page.locator(".dial")).to_be_visible()
    expect(page.locator(".parts")).to_contain_text(f"{said - 1} of {said} payouts exact")
    expect(page.locator(".sh3 tbody tr")).to_have_count(1)
    expect(page.locator(".sh3 tbody tr")).not_to_contain_text("NaN")
    found.look(page)
    page.goto(f"{school.url}/tables/{name}")


def deals(page: Page, house: House, name: str) -> int:
    """Until the shift is over; how many payouts were said, the first of them wrong."""
    said = 0
    late = time.monotonic() + GUARD_MS / 1000
    while time.monotonic() < late:
        live = house.live(name)
        if live.archived:
            return said
        before = live.version
        if page.locator("input[name=paid]").count() and page.locator("input[name=paid]").is_visible():
            page.locator("input[name=paid]").fill(
                f"{(right(live, said_for(live)) + (0 if said else 500)) / 100:g}"
            )
            page.keyboard.press("Enter")
            said += 1
            until(lambda: house.live(name).version != before)  # noqa: B023
        elif page.locator("#practice .pout .pc").count() == 1 and live.table.phase == "dealing":
            card = page.locator("#practice .pout use").get_attribute("href")
            assert card
            value = card.rsplit("-", 1)[1]
            assert live.practice is not None
            if [Card(value)] == [
                *out_now(live.practice, live.table)
            ]:  # else the page is about to hear of the next
                page.keyboard.type(value.lower())
                page.keyboard.press("Enter")
                until(lambda: house.live(name).version != before)  # noqa: B023
        elif live.table.phase == "betting" and len(live.table.round.stakes) < 2:  # type: ignore[union-attr]
            pass
        else:
            page.keyboard.press("Enter")
        page.wait_for_timeout(450)
    raise AssertionError("the shift does not end")


def said_for(live: Live) -> str:
    box, player = to_name(live)[0]
    return f"{box}/{player}"


def right(live: Live, key: str) -> int:
    current = live.table.round
    assert current is not None
    assert current.settlement is not None
    return winnings(current.settlement.lines).get(key, 0)
