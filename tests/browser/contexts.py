"""Browser contexts that serve one test after the other, with nothing left in them of the test before.

What a page costs is mostly its renderer: a new process, and every module read and compiled. So a context keeps one empty
page of the server open, and with it the renderer that the context's pages share, its caches and its compiled code.
"""

from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession
from playwright.sync_api import Error as PlaywrightError

EMPTY = "/healthz"


class Contexts:
    """Those of one browser, by the options that they were made with."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self._idle: dict[str, list[BrowserContext]] = {}
        self._options: dict[BrowserContext, str] = {}
        self._keepers: dict[BrowserContext, CDPSession] = {}  # of the empty pages
        self._origins: set[str] = set()

    def take(self, origin: str, *, fresh: bool = False, **options: Any) -> BrowserContext:  # noqa: ANN401
        """One for a page of that origin; a `fresh` one has empty caches, and nobody has it afterwards."""
        if fresh:
            return self.browser.new_context(**options)
        self._origins.add(origin)
        wanted = repr(sorted(options.items()))
        if idle := self._idle.get(wanted):
            return idle.pop()
        made = self.browser.new_context(**options)
        empty = made.new_page()
        empty.goto(f"{origin}{EMPTY}")
        self._options[made], self._keepers[made] = wanted, made.new_cdp_session(empty)
        return made

    def give_back(self, context: BrowserContext) -> None:
        """For the next test, unless it is a fresh one or does not work any more."""
        if context in self._options:
            try:
                self._clear(context)
            except PlaywrightError:
                self._keepers.pop(context)
                self._options.pop(context)
            else:
                self._idle.setdefault(self._options[context], []).append(context)
                return
        context.close()

    def _clear(self, context: BrowserContext) -> None:
        """Pages first, since they could write again; what is stored for a tab and emulated for it goes with them."""
        for page in context.pages[1:]:
            page.close()
        context.set_offline(False)
        context.unroute_all()
        context.clear_permissions()
        context.clear_cookies()
        for origin in self._origins:
            stored = {
                "origin": origin,
                "storageTypes": "all",
            }  # service workers too, but not what HTTP caches
            self._keepers[context].send("Storage.clearDataForOrigin", stored)
