"""The system's Chromium, driven by Playwright, and pages whose every word is noted.

What a page asks of another host the policy of the pages forbids, and the browser says so on the console.
"""

import re
import shutil
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, Request, ViewportSize
from playwright.sync_api import Error as PlaywrightError

from browser.contexts import Contexts

GUARD_MS = 300_000  # for a test that is stuck, whatever the machine
SHELL = "chromium-headless-shell"  # the same without windows: a page takes it a third of the time
NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--process-per-site",  # one renderer for the pages of a context
)
LIGHT = ("--in-process-gpu", "--num-raster-threads=1")  # fewer processes and threads; for the shell
BEEN_HERE = """for (const told of ["coach", "bets-told"]) {
  try { localStorage.setItem(told, "yes"); } catch { /* a page of nobody */ }
}"""
# What a page said in its line of answers, which is gone after seconds, for who asks later why a test failed.
ANSWERS = """window.answers = [];
new MutationObserver(() => {
  const said = document.querySelector("#answer:not([hidden])")?.textContent;
  if (said && said !== window.answers.at(-1)) window.answers.push(said);
}).observe(document, { subtree: true, childList: true, attributes: true });"""
DESKTOP = ViewportSize(width=1440, height=900)
PHONE = ViewportSize(width=390, height=844)


def found(*names: str) -> str:
    """What is installed of these, or else a Chromium with windows."""
    path = next(filter(None, map(shutil.which, (*names, *NAMES))), None)
    assert path, "these tests drive Chromium: install it (on Debian: apt-get install chromium fonts-noto-cjk)"
    return path


def launched(playwright: Playwright) -> Browser:
    return playwright.chromium.launch(executable_path=found(SHELL), args=(*ARGUMENTS, *LIGHT))


class Eyes:
    """Opens pages, each as a person of its own unless a token says who, and notes what is wrong with them."""

    def __init__(self, contexts: Contexts) -> None:
        self.contexts = contexts
        self.wrong: list[str] = []
        self.requests: list[Request] = []  # once `listens`
        self._expected = [re.compile("Service Worker registration blocked by Playwright")]
        self._pages: list[Page] = []
        self._listens = False

    def opens(
        self,
        address: str,
        *,
        token: str = "",
        viewport: ViewportSize = DESKTOP,
        first_visit: bool = False,
        fresh: bool = False,
        **context: Any,  # noqa: ANN401
    ) -> Page:
        """A page in a browser of its own, signed in with that token if there is one.

        The coach is for a `first_visit`; pages are not asked to be an installed app's. In a `fresh` browser nothing is
        cached, and what changes it for good is of no other test, a clock that is installed for one.
        """
        origin = "/".join(address.split("/")[:3])
        options = {"viewport": viewport, "locale": "en-GB", "service_workers": "block", **context}
        made = self.contexts.take(origin, fresh=fresh or self._listens, **options)
        if token:
            made.add_cookies([{"name": "thirdcard", "value": token, "url": origin}])
        page = made.new_page()
        page.set_default_timeout(GUARD_MS)
        page.add_init_script(ANSWERS)
        if not first_visit:
            page.add_init_script(BEEN_HERE)
        page.on("console", self._said)
        page.on("pageerror", lambda error: self._note(f"page error: {error.stack or error}"))
        if self._listens:
            page.on("request", lambda request: self.requests.append(request))  # noqa: PLW0108 - not of Python
        self._pages.append(page)
        page.goto(address)
        return page

    def listens(self) -> None:
        """From now on note what pages ask for, in browsers that are fresh.

        To be told of each request takes a tenth of a second a page.
        """
        self._listens = True

    def expects(self, pattern: str) -> None:
        """From now on this may be said: a refusal that the test asks for, a connection that it cuts."""
        self._expected.append(re.compile(pattern))

    def tells(self) -> str:
        """What all pages show and have said, for the report of a test that failed."""
        told = [*self.wrong]
        for page in self._pages:
            try:
                said = page.evaluate("[...window.answers, document.body.innerText]")
            except PlaywrightError as error:
                said = [str(error)]
            told += [f"--- {page.url}", *said]
        return "\n".join(told)

    def close(self) -> None:
        for page in self._pages:
            self.contexts.give_back(page.context)
        self._pages.clear()

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            self._note(f"{message.type}: {message.text} ({message.location.get('url', '')})")

    def _note(self, text: str) -> None:
        if not any(one.search(text) for one in self._expected):
            self.wrong.append(text)
