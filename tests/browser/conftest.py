"""A browser for the tests, and eyes that let nothing pass: no console message, which a foreign request is too, no page error."""

from collections.abc import Generator, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browser.contexts import Contexts
from browser.eyes import GUARD_MS, Eyes
from browser.house import TABLES, House, Opens, dealt
from browser.running import running
from thirdcard.service.tables.hall import NewTable

expect.set_options(timeout=GUARD_MS)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Function, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that fails shows what its pages showed."""
    report = yield
    looking = getattr(item, "funcargs", {}).get("eyes")
    if call.when == "call" and report.failed and looking:
        report.sections.append(("pages", looking.tells()))
    return report


@pytest.fixture
def contexts() -> Contexts:
    """Of one browser for all tests of browsers that come one after the other."""
    return running()


@pytest.fixture
def chromium(contexts: Contexts) -> Browser:
    return contexts.browser


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Each of the first tables, at the tests' pace."""
    with House(tmp_path_factory.mktemp("house") / "house.db") as made:
        yield made


@pytest.fixture
def opens(tmp_path: Path) -> Iterator[Opens]:
    """Opens a house of the test's own with these tables; its shoes begin with the cards given.

    Without any they are in order; if they are None, shuffled.
    """
    with ExitStack() as stack:

        def opened(*tables: NewTable, cards: str | None = "", again: House | None = None) -> House:
            if cards is not None:
                stack.enter_context(dealt(cards, *(one.id for one in tables or TABLES)))
            return stack.enter_context(House(tmp_path / "house.db", *tables, again=again))

        yield opened


@pytest.fixture
def eyes(contexts: Contexts, opens: Opens) -> Iterator[Eyes]:
    """What a test opens pages with, closed before any house is.

    At the end nothing may have gone wrong that the test did not expect.
    """
    del opens
    looking = Eyes(contexts)
    yield looking
    looking.close()
    assert not looking.wrong, "\n".join(looking.wrong)
