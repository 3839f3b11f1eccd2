"""People's own money: it comes from grants, lies in a wallet or in racks, and every movement is a posting.

A wallet is opened by the first movement of who has none. It never holds less than nothing, and a movement
between it and a rack is one event of the table's log: there is no moment at which the money is in both or
in neither. Walk-ins have none: what they bring is cash.
"""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

import msgspec

from thirdcard.money import LARGEST_STAKE
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.floor_events import GrantReason, Logged
from thirdcard.service.log.store.model import JOURNAL, Wallet, WalletMove
from thirdcard.service.log.store.results import DAY
from thirdcard.service.people.credentials import WALK_IN
from thirdcard.service.tables.draft import Decided, HouseRefusal, logging_only
from thirdcard.service.tables.live import Live, at_risk
from thirdcard.table import State, events, evolve
from thirdcard.table.ledger import GRANTS, WALLET, Posting, by_wallet, move, rack, wallet
from thirdcard.table.setup import Setup
from thirdcard.table.table import EventAndState
from thirdcard.words.saying import say

FEWEST_BETS, MOST_BETS = 20, 2  # of the least, and of the most on a hand, that people sit down with
Moved: TypeAlias = dict[str, Wallet]
BROUGHT = (events.BoughtIn, events.CashedOut)
replace = msgspec.structs.replace


class Grants(msgspec.Struct, frozen=True, kw_only=True):
    """How much play money the house gives, in cents: to begin with, once a day, and from what on anew."""

    opening: int = 10_000_00
    daily: int = 5_000_00
    fresh_below: int = 1_000_00


# At a table ---------------------------------------------------------------------------------------------


def has_wallet(player: str) -> bool:
    return not player.startswith(WALK_IN)


def from_wallets(state: State, steps: Iterable[EventAndState]) -> tuple[EventAndState, ...]:
    """What a table decided, with wallets in place of cash for all who have one."""
    made = list[EventAndState]()
    for event, after in steps:
        if isinstance(event, BROUGHT) and has_wallet(event.player):
            moved = replace(event, postings=by_wallet(event.postings, event.player))
            made.append((moved, evolve(state, moved)))
        else:
            made.append((event, after))
        state = made[-1][1]
    return tuple(made)


def taken_home(state: State, player: str, by: str) -> tuple[EventAndState, ...]:
    """The whole rack of somebody who leaves goes back into the wallet; `by` is whoever sees to that."""
    cents = state.rack(player)
    if not cents or not has_wallet(player):
        return ()
    postings = move(cents, rack(player), wallet(player))
    out = events.CashedOut(player=player, cents=cents, by=by, postings=postings)
    return ((out, evolve(state, out)),)


def usual(cents: int, setup: Setup) -> int:
    """What somebody with so much sits down with, in chips: half of it, if that is some bets, not too many."""
    limits = setup.limit_of
    hands = [limits[bet] for bet in ("player", "banker") if bet in limits] or list(limits.values())
    least = FEWEST_BETS * min(hand.min for hand in hands)
    most = MOST_BETS * max(hand.max or LARGEST_STAKE for hand in hands)
    wanted = min(cents, max(cents // 2, least), most)
    return wanted - wanted % setup.chip_unit


def racks_of(tables: Iterable[Live], player: str) -> dict[str, int]:
    """What of a person's money is at which table: in the rack, and on the layout."""
    found = {
        table.id: table.table.rack(player) + at_risk(table.table, player) for table in tables if table.state
    }
    return {table: cents for table, cents in found.items() if cents}


# Grants -------------------------------------------------------------------------------------------------


def today(now: int) -> int:
    """The day by UTC, counted from 1970; `now` in microseconds."""
    return now // DAY


def _granted(account: str, why: GrantReason, cents: int, now: int) -> floor.WalletGranted:
    return floor.WalletGranted(
        account=account, why=why, day=today(now), cents=cents, postings=move(cents, GRANTS, wallet(account))
    )


def opening(account: str, grants: Grants, now: int) -> Decided:
    return logging_only(_granted(account, "opening", grants.opening, now))


def daily(purse: Wallet, grants: Grants, now: int) -> Decided | HouseRefusal:
    """Once a day: a clock that is set back gives nothing twice."""
    if purse.refilled >= today(now):
        return HouseRefusal("granted-already", say("today-already-given"))
    return logging_only(_granted(purse.name, "daily", grants.daily, now))


def fresh_start(purse: Wallet, elsewhere: int, grants: Grants, now: int) -> Decided | HouseRefusal:
    """For who has little left; what lies at tables counts."""
    total = purse.cents + elsewhere
    if total >= grants.fresh_below:
        return HouseRefusal("not-short", say("fresh-start-too-rich", total=total, least=grants.fresh_below))
    return logging_only(_granted(purse.name, "fresh-start", grants.opening - total, now))


# In a commit --------------------------------------------------------------------------------------------


class WalletUnread(Exception):  # noqa: N818 - not a fault
    """A wallet is asked for that nobody has read yet."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class WalletBusy(Exception):  # noqa: N818
    """Another table moves the wallet in the same commit: this one has its turn in the next."""


class Purses:
    """The wallets that one commit moves, each for one stream; `known` are those that were read."""

    def __init__(self, known: Mapping[str, Wallet]) -> None:
        self._known = known
        self._moved: dict[str, tuple[str, WalletMove]] = {}

    def of(self, stream: str, name: str) -> Wallet:
        """A wallet as it is now."""
        if name in self._moved:
            mover, moved = self._moved[name]
            if mover != stream:
                raise WalletBusy
            return moved.after
        if name not in self._known:
            raise WalletUnread(name)
        return self._known[name]

    def after(self, stream: str, made: Iterable[Logged], actor: str) -> Moved | HouseRefusal:
        """The wallets after these events; refused if one of them does not hold that much."""
        found: Moved = {}
        for event in made:
            for name, cents in moved_by(event).items():
                purse = found.get(name) or self.of(stream, name)
                if purse.cents + cents < 0:
                    return _short(purse, -cents, actor)
                found[name] = after(purse, event, cents)
        return found

    def keep(self, stream: str, moved: Moved) -> None:
        """What was decided is to be written by that stream."""
        for name, purse in moved.items():
            before = self._moved.get(name)
            known = self._known.get(name)
            expected = before[1].expected if before else known.version if known else 0
            self._moved[name] = stream, WalletMove(expected, purse)

    def open(self, name: str, grants: Grants, now: int) -> Decided | None:
        """The first grant of who has no wallet; None if this commit gives it already."""
        if name in self._moved:
            return None
        decided = opening(name, grants, now)
        nothing = Wallet(name=name, cents=0, version=0)
        self.keep(JOURNAL, {name: after(nothing, decided.events[0][0], grants.opening)})
        return decided

    def moves(self, stream: str) -> tuple[WalletMove, ...]:
        return tuple(moved for mover, moved in self._moved.values() if mover == stream)


def _short(purse: Wallet, wanted: int, actor: str) -> HouseRefusal:
    """How much there is, is told to whose it is alone."""
    told = say("own-wallet-too-small", cents=purse.cents, wanted=wanted)
    if actor != purse.name:
        told = say("wallet-too-small", who=purse.name, wanted=wanted)
    return HouseRefusal("wallet-too-small", told)


def moved_by(event: Logged) -> dict[str, int]:
    """Whose wallets an event moves, and by how much."""
    if not isinstance(event, (*BROUGHT, floor.WalletGranted)):
        return {}
    return wallets_in(event.postings)


def wallets_in(postings: Iterable[Posting]) -> dict[str, int]:
    return {
        posting.account.removeprefix(WALLET): posting.cents
        for posting in postings
        if posting.account.startswith(WALLET)
    }


def after(purse: Wallet, event: Logged, cents: int) -> Wallet:
    """A wallet after an event that moves it."""
    refilled = purse.refilled
    if isinstance(event, floor.WalletGranted) and event.why == "daily":
        refilled = event.day
    return Wallet(name=purse.name, cents=purse.cents + cents, version=purse.version + 1, refilled=refilled)
