"""The browser of this process: started when a test asks for it, closed before a test that is of another tier.

While Playwright runs, nothing else in the thread may run an event loop, and a browser is too dear to be started for
every file.
"""

from contextlib import ExitStack

from playwright.sync_api import Browser, sync_playwright

from browser.eyes import launched

_open = ExitStack()
_browsers: list[Browser] = []


def running() -> Browser:
    if not _browsers:
        playwright = _open.enter_context(sync_playwright())
        _browsers.append(launched(playwright))
        _open.callback(_browsers[0].close)
    return _browsers[0]


def close() -> None:
    _browsers.clear()
    _open.close()
