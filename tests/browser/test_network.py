"""What a first view asks of the server: nothing twice, little, and nothing of anybody else."""

from collections import Counter

from playwright.sync_api import Page, expect

from browser.eyes import PHONE, Eyes
from browser.house import House
from browser.player import Player

TABLE = "tiger-buffalo"


def fetched(eyes: Eyes, page: Page) -> Counter[str]:
    page.wait_for_load_state("networkidle")
    return Counter(f"{one.method} {one.url.partition('?')[0]}" for one in eyes.requests)


def test_nothing_is_fetched_twice_by_somebody_who_comes_in(eyes: Eyes, house: House) -> None:
    page = eyes.opens(f"{house.url}/tables/{TABLE}")
    page.locator("table-felt .spot").first.wait_for()
    twice = [name for name, count in fetched(eyes, page).items() if count > 1]
    assert not twice, "\n".join(twice)
    assert any("/felt/" in one.url for one in eyes.requests)


def test_nothing_is_fetched_twice_by_somebody_with_a_seat(eyes: Eyes, house: House) -> None:
    token = house.as_("guest").token
    assert (
        house.as_("guest").post(f"/api/tables/{TABLE}/sit-down", {"box": 6, "cents": 100_000}).status_code
        == 200
    )
    page = eyes.opens(f"{house.url}/tables/{TABLE}", token=token)
    expect(Player(page, house, TABLE).spot("player")).to_have_attribute("aria-disabled", "false")
    twice = [name for name, count in fetched(eyes, page).items() if count > 1]
    assert not twice, "\n".join(twice)


def test_a_phone_fetches_no_felt(eyes: Eyes, house: House) -> None:
    page = eyes.opens(f"{house.url}/tables/{TABLE}", viewport=PHONE)
    page.locator(".pspot").first.wait_for()
    names = fetched(eyes, page)
    assert not [name for name in names if "/felt/" in name]
    assert max(names.values()) == 1


def test_eyes_see_what_is_wrong(eyes: Eyes, house: House) -> None:
    """A control: a message, an error, a script and a request that must not be are all noted."""
    page = eyes.opens(f"{house.url}/rules")
    page.evaluate("console.warn('one thing')")
    page.evaluate("setTimeout(() => { throw new Error('another') })")
    page.evaluate(
        "document.head.append(Object.assign(document.createElement('script'), { textContent: 'document.title = 1' }))"
    )
    page.evaluate("fetch('http://127.0.0.1:9/elsewhere').catch(() => {})")
    signs = ("one thing", "another", "Content Security Policy", "127.0.0.1:9/elsewhere")
    for _ in range(200):
        seen = "\n".join(eyes.wrong)
        if all(sign in seen for sign in signs):
            break
        page.wait_for_timeout(50)
    eyes.wrong.clear()
    assert all(sign in seen for sign in signs), seen
