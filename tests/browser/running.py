"""The browser of this process: started when a test asks for it, closed before a test that is of another tier.

While Playwright runs, nothing else in the thread may run an event loop, and a browser is too dear to be started for
every file.
"""

from contextlib import ExitStack

from playwright.sync_api import sync_playwright

from browser.contexts import Contexts
from browser.eyes import launched

_open = ExitStack()
_running: list[Contexts] = []


def running() -> Contexts:
    if not _running:
        browser = launched(_open.enter_context(sync_playwright()))
        _open.callback(browser.close)
        _running.append(Contexts(browser))
    return _running[0]


def close() -> None:
    _running.clear()
    _open.close()
