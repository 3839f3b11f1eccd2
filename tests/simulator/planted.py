"""Faults put into the service on purpose: a simulator that does not find them finds nothing."""

import asyncio
import contextlib
import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from unittest import mock

import msgspec

from simulator import disk
from thirdcard.money import Odds
from thirdcard.service.log.store import commits, sqlite
from thirdcard.service.log.store.commits import Judged, judge
from thirdcard.service.log.store.model import Answered, Append, Head, StoreDown
from thirdcard.service.tables import duty, engine, hall, publish, sealed_shoes
from thirdcard.service.tables.engine import Answer, Engine
from thirdcard.service.tables.live import steps
from thirdcard.table.decide import settling
from thirdcard.table.events import RoundVoided
from thirdcard.table.ledger import HOUSE, Posting

replace = msgspec.structs.replace
Planting = contextlib.AbstractContextManager[Any]
PLANTED: dict[str, Callable[[], Planting]] = {}
# Storms that suit what is planted; the others are left to the seed.
SUITED: dict[str, dict[str, Any]] = {
    "anchored-before-it-is-written": {"kinds": ("crash", "down", "unsure", "full")},
    "lease-without-end": {"shared": True, "kinds": ("crash", "freeze")},
    "request-lost-with-the-store": {"kinds": ("down", "unsure")},
    "wallet-spent-twice": {"shared": True},
    "time-anew-after-a-crash": {"shared": False, "kinds": ("crash", "stop")},
}


def planted(plant: Callable[[], Planting]) -> Callable[[], Planting]:
    PLANTED[plant.__name__.replace("_", "-")] = plant
    return plant


def instead(where: Any, name: str, what: Any) -> Planting:  # noqa: ANN401
    """Something else in place of what is there, which is told what was."""
    return mock.patch.object(where, name, what(getattr(where, name)))


@planted
def wallet_spent_twice() -> Planting:
    """Nobody looks whether another table has moved a wallet meanwhile."""
    return mock.patch.object(commits, "_overtaken", return_value=())


# Dealing ------------------------------------------------------------------------------------------------


@planted
def anybody_deals() -> Planting:
    """Nobody looks who is on duty."""
    return mock.patch.object(duty, "barred", return_value=None)


# Writing ------------------------------------------------------------------------------------------------


@planted
def answer_not_kept() -> Planting:
    """An answer is remembered by the process that gave it, and by nobody else."""
    return instead(
        engine._Draft,  # noqa: SLF001
        "append",
        lambda was: lambda self, at: replace(was(self, at), answers=()),
    )


@planted
def answered_before_it_is_written() -> Planting:
    def hasty(was: Any) -> Any:  # noqa: ANN401
        def draw_up(self: Engine, request: Any, *args: Any) -> Answer:  # noqa: ANN401
            answer: Answer = was(self, request, *args)
            if not request.answer.done():
                request.answer.set_result(answer)
            return answer

        return draw_up

    return instead(Engine, "_draw_up", hasty)


@planted
def told_before_it_is_written() -> Planting:
    """Everybody sees a change when it has been decided."""

    def early(was: Any) -> Any:  # noqa: ANN401
        async def written(self: Engine, appends: list[Append]) -> Any:  # noqa: ANN401
            self.early()  # type: ignore[attr-defined]
            return await was(self, appends)

        return written

    def serving(was: Any) -> Any:  # noqa: ANN401
        def decide(self: Any, request: Any, drafts: Any) -> None:  # noqa: ANN401
            was(self, request, drafts)

            def early() -> None:
                for change in (change for draft in drafts.values() for change in draft.changes):
                    if change.after.id in self.tables:
                        self._tell(change)

            self.early = early

        return decide

    return _both(instead(Engine, "_written", early), instead(Engine, "_decide", serving))


@planted
def decided_on_what_was_before() -> Planting:
    """Of requests that are decided together each sees the table as it was before all of them."""

    def stale(was: Any) -> Any:  # noqa: ANN401
        def decide(self: Engine, request: Any, drafts: Any) -> None:  # noqa: ANN401
            plan = request.plan
            request.plan = lambda live: plan(self.tables.get(live.id, live))
            was(self, request, drafts)
            request.plan = plan

        return decide

    return instead(Engine, "_decide", stale)


@planted
def version_not_checked() -> Planting:
    """Whoever writes last wins."""

    def careless(
        appends: Sequence[Append],
        heads: Mapping[str, Head],
        answered: Any,  # noqa: ANN401
        wallets: Mapping[str, int],
    ) -> Judged:
        lenient = dict(heads) | {one.stream: Head(one.expected, b"") for one in appends}
        return judge(appends, lenient, answered, wallets)

    return mock.patch.object(sqlite, "judge", careless)


@planted
def commit_in_halves() -> Planting:
    """Now and then the events of a commit are written and the rest is not."""
    count = [0]

    def torn(was: Any) -> Any:  # noqa: ANN401
        def commit(self: Any, appends: Sequence[Append]) -> Any:  # noqa: ANN401
            count[0] += 1
            if count[0] % 50:
                return was(self, appends)
            was(self, [replace(one, entries=(), answers=(), index=(), rounds=()) for one in appends])
            raise StoreDown("broke off in the middle")

        return commit

    return instead(sqlite.MemoryStore, "commit", torn)


@planted
def anchored_before_it_is_written() -> Planting:
    def first(was: Any) -> Any:  # noqa: ANN401
        def commit(self: Engine, appends: list[Append]) -> Any:  # noqa: ANN401
            assert self.anchor is not None
            ends = {one.stream: one.records[-1] for one in appends if one.records}
            self.anchor.write({stream: Head(last.version, last.hash) for stream, last in ends.items()})
            return was(self, appends)

        return commit

    return instead(Engine, "_commit", first)


@planted
def key_without_what_was_asked() -> Planting:
    """Whoever uses a key again gets its answer, whatever they ask."""

    def trusting(request: Any, told: Answered) -> None:  # noqa: ANN401
        request.answer.set_result(msgspec.json.decode(told.answer, type=Answer))

    return mock.patch.object(Engine, "_repeat", staticmethod(trusting))


@planted
def request_lost_with_the_store() -> Planting:
    """What was asked when the store went away is never heard of again."""

    async def forget(self: Any, requests: Any) -> None:  # noqa: ANN401, ARG001
        await asyncio.sleep(engine.PAUSE)
        self.lost()

    return mock.patch.object(Engine, "_wait_for_store", forget)


# Several processes --------------------------------------------------------------------------------------


@planted
def last_event_taken_in_twice() -> Planting:
    """What another process wrote is read from one event too early."""

    def twice(self: Engine, live: Any) -> Any:  # noqa: ANN401
        found = self.store.read(live.id, after=max(live.version - 1, 2))
        return tuple(steps(live, found)) if found and found[-1].version > live.version else ()

    return mock.patch.object(Engine, "_read_on", twice)


@planted
def lease_without_end() -> Planting:
    """A process that is gone leads its tables for ever."""
    return mock.patch.object(disk, "LEASE_SECONDS", 1e9)


@planted
def time_anew_after_a_crash() -> Planting:
    """A process that comes up gives people their whole time again."""

    def generous(was: Any) -> Any:  # noqa: ANN401
        def welcome(self: Any, live: Any, *, recovered: bool) -> None:  # noqa: ANN401
            was(self, live, recovered=recovered)
            if recovered and live.timer is not None:
                self.channels[live.id].deadline = self.clock.monotonic() + live.timer.ms / 1000
                self._missed.clear()

        return welcome

    return instead(hall.Hall, "_welcome", generous)


# Browsers -----------------------------------------------------------------------------------------------


@planted
def step_left_out_on_return() -> Planting:
    """Who comes back misses the first of the changes since."""

    def short(was: Any) -> Any:  # noqa: ANN401
        def since(self: Any, after: int | None) -> Any:  # noqa: ANN401
            found = was(self, after)
            return (
                [replace(found[1], since=found[0].since), *found[2:]] if found and len(found) > 1 else found
            )

        return since

    return instead(publish.Channel, "since", short)


@planted
def hidden_card_shown() -> Planting:
    """A card in somebody's hands is in everybody's view."""

    def open_handed(was: Any) -> Any:  # noqa: ANN401
        def cards(state: Any, current: Any, viewer: str) -> Any:  # noqa: ANN401
            return tuple(
                replace(one, card=card.name) if card.holder else one
                for one, card in zip(was(state, current, viewer), current.drawn, strict=True)
            )

        return cards

    return instead(importlib.import_module("thirdcard.table.view"), "_cards", open_handed)


# Money and cards ----------------------------------------------------------------------------------------


@planted
def refunded_twice() -> Planting:
    """Who had chips on a round that is void gets the first of them twice."""

    def generous(**fields: Any) -> RoundVoided:  # noqa: ANN401
        back = [one for one in fields["postings"] if one.account.startswith("rack:") and one.cents > 0]
        book = {one.account: one.cents for one in fields["postings"]}
        for one in back[:1]:
            book[one.account] += one.cents
            book[HOUSE] = book.get(HOUSE, 0) - one.cents
        return RoundVoided(**fields | {"postings": tuple(Posting(*one) for one in book.items())})

    return mock.patch.object(settling, "RoundVoided", generous)


@planted
def commission_rounded_away() -> Planting:
    """A win at less than even money is paid a cent too much."""

    def rounded(self: Odds, stake: int) -> int:
        return stake * self.numerator // self.denominator + (self.numerator < self.denominator)

    return mock.patch.object(Odds, "winnings_cents", rounded)


@planted
def other_cards_than_sealed() -> Planting:
    """A process that opens a sealed shoe deals it from the other end."""

    def turned_round(was: Any) -> Any:  # noqa: ANN401
        def opened(*args: Any) -> Any:  # noqa: ANN401
            shoe = was(*args)
            return replace(shoe, cards=tuple(reversed(shoe.cards)))

        return opened

    return instead(sealed_shoes, "opened", turned_round)


@contextlib.contextmanager
def _both(one: Planting, other: Planting) -> Iterator[None]:
    with one, other:
        yield
