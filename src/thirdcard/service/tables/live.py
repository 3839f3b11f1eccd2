"""A live table: the fold of its whole log, the house's own events included."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, Literal, TypeAlias, TypeVar, cast

import msgspec

from thirdcard.cards import Card
from thirdcard.play.tableau import LONGEST
from thirdcard.rulebook.model import Side
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import Logged, Pace
from thirdcard.service.log.store.model import GENESIS, Record, RoundRow
from thirdcard.service.people.credentials import WALK_IN
from thirdcard.service.tables import cases, hits, money, paying, shift
from thirdcard.service.tables.cases import OpenCase
from thirdcard.service.tables.hits import Hits
from thirdcard.service.tables.money import Money
from thirdcard.service.tables.paying import Paying
from thirdcard.service.tables.shift import Shift
from thirdcard.strict import decodable
from thirdcard.table import State, events, evolve, replay
from thirdcard.table.events import AnyEvent
from thirdcard.table.evolve import LEAVES_CARDS
from thirdcard.table.ledger import CASH, HOUSE, OWED, WALLETS, is_outside
from thirdcard.table.practice import Practice
from thirdcard.table.rights.insurance import open_windows
from thirdcard.table.state import Line, Purchase, Round, Settlement, Stake
from thirdcard.table.statements import BROUGHT, PlayedBy, moved, played_by
from thirdcard.table.unseen import left_unseen, unseen

T = TypeVar("T")
replace = msgspec.structs.replace
OPEN = ("betting", "adjusting")
PLAYING = (*OPEN, "dealing")
# What ends the situation that a timer was started for.
TIMER_ENDS = frozenset(
    (
        events.BetsOpened,
        events.DifferentialExceeded,
        events.BetsClosed,
        events.BetsReopened,
        events.CardDrawn,
        events.CardsExposed,
        events.InsuranceClosed,
        events.RoundSettled,
        events.RoundVoided,
        events.IrregularityReported,
        events.IrregularityClosed,
    )
)

# What begins another step of a round, as a pit sees it.
STEPS = TIMER_ENDS - {events.CardDrawn, events.CardsExposed} | {
    events.ShoeStarted,
    events.InsuranceOpened,
    events.SettlementReversed,
    events.ReportDismissed,
    events.ReportEnded,
    events.AmendmentProposed,
    events.AmendmentDropped,
    events.RecordAmended,
}
CALLED = "called"  # without a word
WAITING = ("moment", "card-checked")  # sentences for the public that are over with what is waited for


# What a table is doing, whoever deals or is called.
TablePhase: TypeAlias = Literal[
    "betting", "dealing", "insurance", "stopped", "payouts", "new-shoe", "between", "closed"
]


class RunningTimer(msgspec.Struct, frozen=True, gc=False):
    """`at` is when it was started by the wall clock, for whoever comes back after a stop."""

    name: str
    key: str
    ms: int
    at: int


class Takings(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What of a table's books no balance tells: the chips that came and went, and void rounds."""

    drop: int = 0
    paid_out: int = 0
    void_rounds: int = 0
    brought: dict[str, int] = {}  # by each player, less what the player has cashed in


class Unturned(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The rounds with cards of the shoe in use that nobody has seen.

    In rounds `first` to `last` some went out of play like that; others wait since the round `since`.
    """

    first: int = 0
    last: int = 0
    since: int = 0


class Duty(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Who deals at a staffed table, if anybody does; since when that is so, when relief comes, and who."""

    dealer: str = ""
    since: int = 0
    relief_at: int = 0
    relief_by: str = ""


class Move(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The text that a table moves to, from when on in microseconds, and who planned it."""

    at: int
    rulebook: str
    digest: str
    layout: str
    by: str


class Tray(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """The chips of the house at the table as they were last counted, and what was brought and taken since.

    `books`: what the house, the outside and debts came to at that count.
    """

    counted: int | None = None
    fills: int = 0
    credits: int = 0
    books: int = 0

    def expected(self, state: State) -> int | None:
        """What the float comes to by the books; None if it was never counted."""
        if self.counted is None:
            return None
        return self.counted + self.fills - self.credits + books_of(state) - self.books


def books_of(state: State) -> int:
    """What is in no player's rack and on no box: it moves as the chips of the float do."""
    return sum(
        cents
        for account, cents in state.balances.items()
        if account in (HOUSE, CASH, WALLETS) or account.startswith(OWED)
    )


class ComingShoe(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The shoe that is promised next, with the seeds added to it so far."""

    number: int
    commitment: str
    seeds: tuple[floor.Seed, ...] = ()


class Live(msgspec.Struct, frozen=True, kw_only=True):
    """`state` is None until the set-up has been logged."""

    id: str
    version: int = 0
    head: bytes = GENESIS
    created: floor.TableCreated | None = None
    pace: Pace | None = None
    closed: bool = False
    state: State | None = None
    commitment: str = ""  # of the shoe in use, until it is revealed
    sealed: floor.ShoeSealed | None = None  # the same shoe, unless an earlier release shuffled it
    coming: ComingShoe | None = None
    timer: RunningTimer | None = None
    called: str = ""  # the dealer's call for a supervisor that nobody has answered
    last_at: int = 0
    unturned: Unturned = Unturned()
    takings: Takings = Takings()
    texts: tuple[PlayedBy, ...] = ()
    checkpointed: int = 0  # the version of the last checkpoint's event
    opened_at: int = 0  # when the bets of the round were opened first
    seen: dict[str, int] = {}  # the round in which each player last gave a sign
    names: dict[str, str] = {}  # what players are shown as, where that is not the account's name
    left: int = 0  # the version of the last event by which somebody left the table
    duty: Duty = Duty()
    walk_ins: int = 0  # the highest number that a walk-in has had here
    step_at: int = 0  # when the step of the round began, or the table was closed or opened
    stopped_at: int = 0  # since when something holds the round up
    called_at: int = 0
    cases: tuple[OpenCase, ...] = ()
    saying: str = ""  # the sentence that staff chose for the public
    paying: Paying | None = None  # at a staffed table
    last_round: int = 0  # the number of the round that was announced as the last
    archived: bool = False
    shift: Shift = Shift()
    hits: Hits = Hits()
    tray: Tray = Tray()
    money: Money = Money()
    move: Move | None = None
    counted_at: int = 0  # since when its phase and its seats are as they are
    ready: tuple[str, ...] = ()  # who of those who bet does not need the rest of the time to

    @property
    def table(self) -> State:
        assert self.state is not None  # a table is served once its set-up is logged
        return self.state

    @property
    def title(self) -> str:
        return self.created.title if self.created is not None else self.id

    @property
    def hidden_since(self) -> int:
        """The first round of which records tell of cards that lie there unseen, 0 if none does.

        Where cards are dealt face down that goes for the whole round.
        """
        playing = self.table.phase in PLAYING
        hidden = (playing and self.table.setup.dealing.face_down) or unseen(self.table)
        return (self.unturned.since or self.table.rounds) if hidden else 0

    @property
    def untold_since(self) -> int:
        """The first round that auditors do not read whole yet, 0 if there is none."""
        left, state = self.unturned, self.table
        here = left.last == state.rounds and state.phase in PLAYING
        return self.hidden_since or ((left.since or left.last) if here else 0)

    @property
    def hides_from(self) -> int:
        """The first round of which hashes follow from cards that nobody has seen, 0 if none does."""
        gone, hidden = self.unturned.first, self.hidden_since
        return min(gone, hidden) if gone and hidden else gone or hidden

    @property
    def ended(self) -> bool:
        """Whether no round is opened any more: the table is closed, or the last round has been played."""
        return self.closed or 0 < self.last_round <= self.table.rounds

    @property
    def last_played(self) -> bool:
        """Whether the round that was announced as the last is over."""
        return 0 < self.last_round <= self.table.rounds and self.table.phase not in PLAYING

    @property
    def practice(self) -> Practice | None:
        """The shift that somebody trains in here, if the table is for that."""
        return self.created.practice if self.created is not None else None

    @property
    def automatic(self) -> bool:
        return self.created is not None and self.created.dealer == "automatic"


def phase_of(live: Live) -> TablePhase:
    """What a table is doing."""
    if live.closed or live.state is None:
        return "closed"
    if live.stopped_at:
        return "stopped"
    state, current = live.state, live.state.round
    if current is not None and current.phase in PLAYING:
        if current.phase in OPEN:
            return "betting"
        return "insurance" if open_windows(state, current) else "dealing"
    if live.paying is not None and not live.paying.done:
        return "payouts"
    shoe = state.shoe
    return "new-shoe" if shoe is None or shoe.cut_out or shoe.to_come < LONGEST else "between"


def advance(live: Live, event: Logged, stored: Record, state: State | None = None) -> Live:
    """The table after one more record of its log; `state` if it is known what the event comes to."""
    after = _advanced(live, event, stored, state)
    return replace(after, counted_at=stored.at) if _told_apart(live, after) else after


def _told_apart(live: Live, after: Live) -> bool:
    """Whether time counts otherwise from here on."""
    was, now = live.state, after.state
    if was is None or now is None:
        return was is not now
    if len(was.seats) != len(now.seats) or was.setup.positions != now.setup.positions:
        return True
    if was.phase in OPEN and now.phase in OPEN:  # by far the most: bets that are placed
        return live.closed != after.closed or bool(live.stopped_at) != bool(after.stopped_at)
    return phase_of(live) != phase_of(after)


def _advanced(live: Live, event: Logged, stored: Record, state: State | None) -> Live:
    kind = type(event)
    changed: dict[str, Any] = {"version": stored.version, "head": stored.hash, "last_at": stored.at}
    if kind in FLOOR:
        return replace(live, **changed, **FLOOR[kind](live, event, stored))
    event = cast("AnyEvent", event)  # all others are in FLOOR
    if kind is events.TableOpened:
        state = replay([event])
    state = state or evolve(live.table, event)
    stopped = _stopped_at(live, state, stored)
    changed |= {"state": state, "seen": _seen(live, event, stored), "stopped_at": stopped}
    if live.cases or kind is events.IrregularityReported:
        changed["cases"] = cases.after(live.cases, event, stored, state.round)
    if live.saying:
        changed["saying"] = _saying(live, kind, stopped)
    if live.ready:
        changed["ready"] = _ready(live.ready, event)
    if kind in TIMER_ENDS:
        changed["timer"] = None
    if kind in STEPS:
        changed["step_at"] = stored.at
    for field, change in _besides(kind):
        changed[field] = change(live, event, stored, state)
    return replace(live, **changed)


def _ready(ready: tuple[str, ...], event: AnyEvent) -> tuple[str, ...]:
    """Until the time to bet is over; whose chips move, by whomever, has to say so again."""
    if type(event) in TIMER_ENDS:
        return ()
    return _but(ready, event.stake.player) if isinstance(event, events.StakeSet) else ready


def _but(players: tuple[str, ...], player: str) -> tuple[str, ...]:
    return tuple(other for other in players if other != player)


def _others(by_player: dict[str, T], player: str) -> dict[str, T]:
    return {other: value for other, value in by_player.items() if other != player}


def _stopped_at(live: Live, state: State, stored: Record) -> int:
    current = state.round
    if current is None or (current.pending is None and current.proposal is None):
        return 0
    return live.stopped_at or stored.at


def _saying(live: Live, kind: type, stopped: int) -> str:
    """Until the next round begins; that something is waited for, until it is there."""
    over = live.stopped_at and not stopped and live.saying in WAITING
    return "" if over or kind is events.BetsOpened else live.saying


def _seen(live: Live, event: AnyEvent, stored: Record) -> dict[str, int]:
    """A sign is whatever a player does, or has done by the dealer with chips."""
    seen, state = live.seen, live.state
    if isinstance(event, events.PlayerLeft):
        return _others(seen, event.player)
    if isinstance(event, events.PlayerJoined):
        who = event.player
        if who.startswith(WALK_IN):
            return seen  # nobody without a device can give a sign: they go when staff say so
    else:
        who = event.stake.player if isinstance(event, events.StakeSet) else stored.by
        if who not in seen:
            return seen
    now = state.rounds if state is not None else 0
    return seen if seen.get(who) == now else {**seen, who: now}


def _walk_ins(most: int, player: str) -> int:
    number = player.removeprefix(WALK_IN) if player.startswith(WALK_IN) else ""
    return max(most, int(number)) if number.isdecimal() and number.isascii() else most


def absent(live: Live, rounds: int) -> tuple[str, ...]:
    """Who has given no sign for so many rounds."""
    last = live.table.rounds - rounds
    return tuple(player for player, seen in live.seen.items() if seen <= last)


def at_risk(state: State, player: str) -> int:
    """What a player has on the table in a round that is not over."""
    current = state.round
    if current is None or current.phase in ("settled", "void"):
        return 0
    stakes = sum(stake.cents for stake in current.stakes.values() if stake.player == player)
    return stakes + sum(purchase.cents for purchase in current.purchases if purchase.player == player)


UNTURNED = LEAVES_CARDS | {events.ShoeStarted}
TAKEN = frozenset((*BROUGHT, events.RoundVoided, events.PlayerJoined, events.PlayerLeft))
BOUND = frozenset((events.TableOpened, events.RulebookChanged))


def _takings(takings: Takings, event: AnyEvent) -> Takings:
    if isinstance(event, events.RoundVoided):
        return replace(takings, void_rounds=takings.void_rounds + 1)
    if isinstance(event, events.PlayerJoined):
        back = {event.player: event.brought} if event.cents or event.brought else {}
        return replace(takings, brought=takings.brought | back)
    if isinstance(event, events.PlayerLeft):
        return replace(takings, brought=_others(takings.brought, event.player))
    cash = sum(posting.cents for posting in event.postings if is_outside(posting.account))
    brought = {player: takings.brought.get(player, 0) + cents for player, cents in moved(event).items()}
    return Takings(
        drop=takings.drop - min(cash, 0),
        paid_out=takings.paid_out + max(cash, 0),
        void_rounds=takings.void_rounds,
        brought=takings.brought | brought,
    )


def _is_other_text(event: events.RulebookChanged) -> bool:
    return event.before is None or event.before.digest != event.setup.digest


def _planned(event: floor.MovePlanned, stored: Record) -> Move | None:
    if not event.at:
        return None
    return Move(at=event.at, rulebook=event.rulebook, digest=event.digest, layout=event.layout, by=stored.by)


def _unturned(live: Live, event: AnyEvent, state: State) -> Unturned:
    """What nobody has seen is left behind in round after round; the next shoe makes it history."""
    if isinstance(event, events.ShoeStarted):
        return Unturned()
    before, known = live.table, live.unturned
    if isinstance(event, events.BetsOpened):
        known = replace(known, since=(known.since or before.rounds) if unseen(state) else 0)
    if not left_unseen(before, state):
        return known
    return replace(known, first=known.first or known.since or before.rounds, last=before.rounds)


def _named(names: dict[str, str], event: floor.PlayerKnownAs) -> dict[str, str]:
    others = _others(names, event.player)
    return others if event.name == event.player else {**others, event.player: event.name}


def _with_seed(live: Live, event: floor.SeedAdded, _: Record) -> dict[str, Any]:
    coming = live.coming
    assert coming is not None  # seeds are added to a shoe that is promised
    others = tuple(seed for seed in coming.seeds if seed.player != event.player)
    return {"coming": replace(coming, seeds=(*others, floor.Seed(player=event.player, seed=event.seed)))}


def _shift_started(live: Live, event: floor.ShiftStarted, stored: Record) -> dict[str, Any]:
    takings, state = live.takings, live.table
    started = Shift(
        name=event.name,
        since=stored.at,
        by=stored.by,
        house=state.balances.get(HOUSE, 0),
        drop=takings.drop,
        paid_out=takings.paid_out,
        rounds=state.rounds,
        void_rounds=takings.void_rounds,
    )
    return {"shift": started}


def _counted(live: Live, cents: int) -> dict[str, Any]:
    return {"tray": Tray(counted=cents, books=books_of(live.table))}


Change: TypeAlias = Callable[[Live, Any, Record, State], Any]
# What only some events of a table change: which events, which field, and to what.
BESIDES: tuple[tuple[frozenset[type], str, Change], ...] = (
    (UNTURNED, "unturned", lambda live, event, _, state: _unturned(live, event, state)),
    (TAKEN, "takings", lambda live, event, _, __: _takings(live.takings, event)),
    (BOUND, "texts", lambda live, event, _, state: played_by(live.texts, event, state.rounds)),
    (
        paying.PAID_BY,
        "paying",
        lambda live, event, _, state: (
            live.paying if live.automatic else paying.after(live.paying, event, state.rounds, _lines(live))
        ),
    ),
    (
        frozenset((events.RulebookChanged,)),
        "move",
        lambda live, event, _, __: None if _is_other_text(event) else live.move,
    ),
    (hits.HIT_BY, "hits", lambda live, event, _, state: hits.after(live.hits, event, state)),
    (frozenset((events.BetsOpened,)), "opened_at", lambda _, __, stored, ___: stored.at),
    (
        frozenset((events.PlayerJoined,)),
        "walk_ins",
        lambda live, event, _, __: _walk_ins(live.walk_ins, event.player),
    ),
    (frozenset((events.PlayerLeft,)), "names", lambda live, event, _, __: _others(live.names, event.player)),
    (frozenset((events.PlayerLeft,)), "left", lambda _, __, stored, ___: stored.version),
    (
        frozenset((events.RecordAmended, events.CardsCorrected)),
        "shift",
        lambda live, event, stored, _: shift.corrected(live.shift, event.by, stored.at, live.table.rounds),
    ),
)


def _lines(live: Live) -> tuple[Line, ...]:
    """Of the round's settlement as it was before an event."""
    current = live.state.round if live.state is not None else None
    return current.settlement.lines if current is not None and current.settlement is not None else ()


@cache
def _besides(kind: type) -> tuple[tuple[str, Change], ...]:
    return tuple((field, change) for kinds, field, change in BESIDES if kind in kinds)


def _with_money(then: Callable[[Money, Any, Record], Money]) -> Callable[[Live, Any, Record], dict[str, Any]]:
    return lambda live, event, stored: {"money": then(live.money, event, stored)}


def _with_payouts(
    change: Callable[[Paying, Any, Record], Paying],
) -> Callable[[Live, Any, Record], dict[str, Any]]:
    def fold(live: Live, event: Any, stored: Record) -> dict[str, Any]:  # noqa: ANN401 - one of several
        assert live.paying is not None  # payouts are of a round that is settled
        return {"paying": change(live.paying, event, stored)}

    return fold


# What an event of the floor changes.
FLOOR: dict[type, Callable[[Live, Any, Record], dict[str, Any]]] = {
    floor.TableCreated: lambda _, event, __: {"created": event, "pace": event.pace},
    floor.TableClosed: lambda _, __, stored: {"closed": True, "step_at": stored.at},
    floor.TableReopened: lambda _, __, stored: {
        "closed": False,
        "last_round": 0,
        "step_at": stored.at,
    },
    floor.PaceChanged: lambda _, event, __: {"pace": event.pace},
    floor.ShoeCommitted: lambda _, event, __: {"commitment": event.commitment},
    floor.ShoePromised: lambda _, event, __: {
        "coming": ComingShoe(number=event.shoe, commitment=event.commitment)
    },
    floor.SeedAdded: _with_seed,
    floor.ShoeSealed: lambda _, event, __: {
        "commitment": event.commitment,
        "sealed": event,
        "coming": None,
    },
    floor.ShoeRevealed: lambda *_: {"commitment": "", "sealed": None},
    floor.TimerStarted: lambda _, event, stored: {
        "timer": RunningTimer(event.timer, event.key, event.ms, stored.at)
    },
    floor.PlayersSeen: lambda live, event, _: {
        "seen": live.seen | dict.fromkeys(live.seen.keys() & {*event.players}, live.table.rounds)
    },
    floor.PlayerReady: lambda live, event, _: {
        "ready": (*_but(live.ready, event.player), *((event.player,) if event.ready else ()))
    },
    floor.SupervisorCalled: lambda live, event, stored: {
        "called": event.note or CALLED,
        "called_at": live.called_at or stored.at,
    },
    floor.SupervisorCame: lambda *_: {"called": "", "called_at": 0},
    floor.DealerSignedOn: lambda _, event, stored: {"duty": Duty(dealer=event.dealer, since=stored.at)},
    floor.DealerSignedOff: lambda _, __, stored: {"duty": Duty(since=stored.at)},
    floor.DealerRelieved: lambda live, event, stored: {
        "duty": Duty(dealer=event.on, since=stored.at),
        **({} if event.counted is None else _counted(live, event.counted)),
        "money": money.handed_over(live.money, event, stored),
    },
    floor.FloatCounted: lambda live, event, stored: {
        **_counted(live, event.cents),
        "money": money.counted(live.money, event, stored),
    },
    floor.DropCounted: _with_money(money.counted),
    floor.SlipAsked: _with_money(money.asked),
    floor.SlipDone: _with_money(money.ended),
    floor.SlipVoided: _with_money(money.ended),
    floor.DifferenceAnswered: _with_money(money.answered),
    floor.FloatFilled: lambda live, event, _: {
        "tray": replace(live.tray, fills=live.tray.fills + event.cents)
    },
    floor.FloatCredited: lambda live, event, _: {
        "tray": replace(live.tray, credits=live.tray.credits + event.cents)
    },
    floor.ReliefPlanned: lambda live, event, _: {
        "duty": replace(live.duty, relief_at=event.at, relief_by=event.dealer)
    },
    floor.ConfirmedAtDesk: lambda *_: {},
    floor.MovePlanned: lambda _, event, stored: {"move": _planned(event, stored)},
    floor.PayoutTicked: _with_payouts(paying.ticked),
    floor.PayoutNamed: _with_payouts(paying.named),
    floor.PayoutUnticked: _with_payouts(paying.unticked),
    floor.PayoutDisputed: _with_payouts(paying.disputed),
    floor.DisputeSettled: _with_payouts(paying.dispute_settled),
    floor.PayoutsDone: lambda live, _, stored: {
        "paying": live.paying and replace(live.paying, done=True),
        "step_at": stored.at,
    },
    floor.SaidInPublic: lambda _, event, __: {"saying": event.sentence},
    floor.LastRoundAnnounced: lambda _, event, __: {"last_round": event.round},
    floor.TableArchived: lambda *_: {"archived": True},
    floor.TableUnarchived: lambda *_: {"archived": False},
    floor.ShiftStarted: _shift_started,
    floor.CaseTaken: lambda live, event, stored: {"cases": cases.taken(live.cases, event, stored)},
    floor.CasePassedUp: lambda live, event, stored: {"cases": cases.passed(live.cases, event, stored)},
    floor.Checkpointed: lambda _, __, stored: {"checkpointed": stored.version},
    floor.Noted: lambda *_: {},
    floor.WalletGranted: lambda *_: {},
    floor.PlayerKnownAs: lambda live, event, _: {"names": _named(live.names, event)},
}


def recover(stream: str, records: Iterable[Record]) -> Live:
    """The table exactly where its whole log ends."""
    return fold(Live(id=stream), records)


def fold(live: Live, records: Iterable[Record]) -> Live:
    """The table after the records that follow."""
    for stored in records:
        live = advance(live, event_of(stored), stored)
    return live


def steps(live: Live, records: Iterable[Record]) -> Iterator[tuple[Logged, Live]]:
    """The events of the records that follow, each with the table after it."""
    for stored in records:
        event = event_of(stored)
        live = advance(live, event, stored)
        yield event, live


def round_of(live: Live, event: Logged) -> int:
    """The round that an event belongs to: the one being played or last played, 0 before the first."""
    if isinstance(event, events.BetsOpened):
        return event.number
    return live.state.rounds if live.state is not None else 0


class ShownCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card on the table; None while it lies face down, or if nobody but its squeezer ever saw it."""

    hand: Side
    card: Card | None


class RoundRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finished round as everybody at the table saw it."""

    table: str
    number: int
    shoe: int
    phase: str
    version: int
    at: int
    cards: tuple[ShownCard, ...]
    stakes: tuple[Stake, ...]
    purchases: tuple[Purchase, ...]
    settlement: Settlement | None
    reason: str = ""
    digest: str = ""  # of the text that it was played by
    early: tuple[Line, ...] = ()  # bets that were settled before it ended; of older releases none

    @classmethod
    def of(cls, row: RoundRow) -> "RoundRecord":
        """A round as it was kept for recall."""
        return _round_record(row.body)

    @property
    def lines(self) -> tuple[Line, ...]:
        """All that was settled of it, whenever."""
        return (*self.early, *(self.settlement.lines if self.settlement else ()))


_round_record = msgspec.json.Decoder(decodable(RoundRecord)).decode


def finished(live: Live, event: Logged, at: int) -> RoundRow | None:
    """The round as it goes into recall, when this event has just ended it."""
    match event:
        case events.RoundSettled():
            reason = ""
        case events.RoundVoided():
            reason = event.reason
        case _:
            return None
    state, current = live.table, live.table.round
    assert current is not None  # it has just ended
    moved = [p.account.removeprefix("rack:") for p in event.postings if p.account.startswith("rack:")]
    players = dict.fromkeys((*moved, *(stake.player for stake in current.stakes.values())))
    made = RoundRecord(
        table=live.id,
        number=current.number,
        shoe=current.shoe,
        phase=current.phase,
        version=live.version,
        at=at,
        cards=shown_cards(state, current),
        stakes=tuple(current.stakes.values()),
        purchases=current.purchases,
        settlement=current.settlement,
        reason=reason,
        digest=state.setup.digest,
        early=current.early,
    )
    return RoundRow(number=current.number, at=at, players=tuple(players), body=msgspec.json.encode(made))


def shown_cards(state: State, current: Round) -> tuple[ShownCard, ...]:
    """The cards of a round as everybody sees them."""
    table = state.rulebook.table_of_play
    return tuple(
        ShownCard(hand=current.hand_of_drawn(table, place), card=card.name if card.face_up else None)
        for place, card in enumerate(current.drawn, start=1)
    )
