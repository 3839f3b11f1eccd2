"""The process beside the one that plays: slow work that holds nobody up."""

import asyncio
import os
import signal
import threading
from collections.abc import Iterator

import pytest

from thirdcard.errors import BadInput
from thirdcard.rulebook import load
from thirdcard.rulebook import sources as sources_module
from thirdcard.rulebook.load import named, take
from thirdcard.rulebook.model import Rulebook
from thirdcard.rulebook.sources import DOCUMENTS
from thirdcard.service import aside as module
from thirdcard.service.aside import Aside
from thirdcard.service.turns import CALLER, Busy, Caller, Workers

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def aside() -> Iterator[Aside]:
    beside = Aside()
    yield beside
    beside.close()


def doubled(number: int, *, by: int = 2) -> tuple[int, int]:
    return number * by, os.getpid()


def refused() -> None:
    raise BadInput("no such thing", rules=("1.2",))


def which(book: Rulebook) -> tuple[str, int]:
    return book.slug, id(book)


def slug_of(name: str) -> str:
    return named(name).slug


def slow() -> None:
    while True:
        pass


def spends() -> int:
    return sum(range(2_000_000))


def killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_it_is_done_by_another_process_always_the_same(aside: Aside) -> None:
    first, second = aside.ask(doubled, 21), aside.ask(doubled, 14, by=3)
    assert first.value[0] == second.value[0] == 42
    assert first.value[1] == second.value[1] != os.getpid()
    assert first.error is None


def test_what_it_raises_comes_back(aside: Aside) -> None:
    error = aside.ask(refused).error
    assert isinstance(error, BadInput)
    assert (str(error), error.rules) == ("no such thing", ("1.2",))


def test_a_rulebook_is_one_there_however_often_it_is_sent(aside: Aside) -> None:
    book = load("mbs-tiger-v2")
    slug, first = aside.ask(which, book).value
    assert slug == book.slug
    assert aside.ask(which, book).value == (slug, first)


def test_it_knows_the_rulebooks_that_this_process_is_given_meanwhile(
    aside: Aside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources_module, "_taken", {})
    text = (DOCUMENTS / "mbs-tiger-v2.toml").read_text(encoding="utf-8")
    assert isinstance(aside.ask(slug_of, "given-meanwhile").error, BadInput)
    take("given.toml", text.replace('slug = "mbs-tiger-v2"', 'slug = "given-meanwhile"', 1))
    assert aside.ask(slug_of, "given-meanwhile").value == "given-meanwhile"


def test_whoever_asked_is_told_to_ask_again_when_it_ends_and_the_next_gets_another(aside: Aside) -> None:
    before = aside.ask(doubled, 1).value[1]
    with pytest.raises(Busy):
        aside.ask(killed)
    assert aside.ask(doubled, 1).value[1] != before


def test_what_takes_too_long_is_ended(aside: Aside, monkeypatch: pytest.MonkeyPatch) -> None:
    aside.ask(doubled, 1)
    monkeypatch.setattr(module, "LONGEST_SECONDS", 0.05)
    with pytest.raises(Busy):
        aside.ask(slow)
    monkeypatch.undo()
    assert aside.ask(doubled, 1).value[0] == 2


def test_one_who_asks_waits_for_the_one_before(aside: Aside) -> None:
    told: list[int] = []
    threads = [
        threading.Thread(target=lambda n=n: told.append(aside.ask(doubled, n).value[0])) for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == [2 * n for n in range(8)]


def test_a_process_that_is_closed_has_ended() -> None:
    beside = Aside()
    pid = beside.ask(doubled, 1).value[1]
    beside.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


class Spent:
    """A budget that only counts."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def spend(self, _: str, seconds: float) -> None:
        self.seconds += seconds

    def owes(self, _: str) -> float:
        return 0.0


@pytest.mark.parametrize("work", [spends, refused])
def test_its_time_is_counted_for_whoever_asked(aside: Aside, work: object) -> None:
    budget, seen = Spent(), list[object]()

    async def asks() -> None:
        workers = Workers("test", aside=aside.ask)
        CALLER.set(Caller("there", "stranger", budget))
        try:
            seen.append(await workers.apart(work))  # type: ignore[arg-type]  # either of them
        except BadInput as error:
            seen.append(error)
        finally:
            workers.shutdown()

    asyncio.run(asks())
    assert len(seen) == 1
    assert budget.seconds > 0
