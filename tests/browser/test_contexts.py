"""A browser context that the next test has too: nothing of the test before is left in it."""

import pytest
from playwright.sync_api import Page, expect

from browser.contexts import EMPTY, Contexts
from browser.eyes import Eyes
from browser.house import House, Opens, table

pytestmark = pytest.mark.browser

TABLE = "tiger-buffalo"
KEPT = """async () => {
  const asked = (name) => navigator.permissions.query({ name }).then((one) => one.state);
  const answer = await fetch("/rules", { redirect: "error" }).then((one) => one.status, () => 0);
  return {
    cookies: document.cookie,
    local: localStorage.getItem("left") ?? "",
    session: sessionStorage.getItem("left") ?? "",
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    clipboard: await asked("clipboard-read"),
    print: matchMedia("print").matches,
    calm: matchMedia("(prefers-reduced-motion: reduce)").matches,
    width: innerWidth,
    answer,
    script: window.left ?? "",
  };
}"""
LEAVE = """async () => {
  document.cookie = "left=behind";
  localStorage.setItem("left", "behind");
  sessionStorage.setItem("left", "behind");
  await new Promise((done) => { indexedDB.open("left").onsuccess = ({ target }) => done(target.result.close()); });
  await caches.open("left");
}"""


def leaves_much(page: Page, origin: str) -> None:
    page.evaluate(LEAVE)
    page.add_init_script("window.left = 'behind'")
    page.emulate_media(media="print", reduced_motion="reduce")
    page.set_viewport_size({"width": 500, "height": 500})
    context = page.context
    context.grant_permissions(["clipboard-read"], origin=origin)
    context.route("**/rules", lambda route: route.abort())
    page.reload()


def test_nothing_is_left_for_the_next_test(eyes: Eyes, contexts: Contexts, opens: Opens) -> None:
    house: House = opens(table(TABLE))
    eyes.expects("ERR_FAILED|ERR_INTERNET_DISCONNECTED")
    before = eyes.opens(f"{house.url}/learn")
    clean, context = before.evaluate(KEPT), before.context
    leaves_much(before, house.url)
    left = before.evaluate(KEPT)
    same = [key for key in clean if clean[key] == left[key]]
    assert same == ["workers"], "what is not left behind is not looked for"
    context.set_offline(True)
    eyes.close()

    after = Eyes(contexts)
    page = after.opens(f"{house.url}/learn")
    assert page.context is context
    assert page.evaluate(KEPT) == clean
    after.close()
    assert not after.wrong


def test_a_service_worker_is_gone_too(contexts: Contexts, opens: Opens) -> None:
    house: House = opens(table(TABLE))
    worker = "navigator.serviceWorker.ready.then(() => null)"
    for _ in range(2):
        eyes = Eyes(contexts)
        page = eyes.opens(f"{house.url}{EMPTY}", service_workers="allow")
        assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
        page.goto(f"{house.url}/")
        page.evaluate(worker)
        expect(page.locator(".tcard").first).to_be_visible()
        eyes.close()
