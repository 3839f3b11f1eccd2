"""The automatic dealer: what a table needs next, and how long people have before it is done. Pure.

A driver asks `next_step` after every change of the state. It starts the timer that comes with the step,
unless one with the same key is running already, and carries the step out once that has passed.
"""

from collections.abc import Iterable
from typing import Literal, TypeAlias

import msgspec

from thirdcard.play.deciding import deciding
from thirdcard.play.tableau import INITIAL, LONGEST
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.model import Side
from thirdcard.service.log.floor_events import SYSTEM, Pace
from thirdcard.table import carry_out, commands, limits
from thirdcard.table.commands import AnyCommand
from thirdcard.table.playing import cap_for
from thirdcard.table.ranks import discretion, has_rank, outranks
from thirdcard.table.refusals import Refusal
from thirdcard.table.rights.choosing import to_choose
from thirdcard.table.rights.drawing import due_hand
from thirdcard.table.rights.insurance import Window, asked, open_windows
from thirdcard.table.rights.squeezing import handlers, has_wager, holds_device_by_right, permit_of
from thirdcard.table.state import Round, Stake, State, stake_key

NO_ANSWER = "the time to turn them has passed"
QUICK = 10  # the four cards that begin a round come so many times as fast as others

Wait: TypeAlias = Literal[
    "betting", "insurance", "adjusting", "choice", "squeeze", "card", "result", "shuffle"
]


class Timer(msgspec.Struct, frozen=True, kw_only=True):
    """To be waited for before the step is taken. `key` is that of the situation: the same while it lasts."""

    name: Wait
    key: str
    ms: int


class Do(msgspec.Struct, frozen=True):
    """Commands to be given one after the other; each is accepted if the state has not changed meanwhile."""

    commands: tuple[AnyCommand, ...]


class Shuffle(msgspec.Struct, frozen=True):
    """The old shoe is revealed, a new one shuffled, committed and started."""


class DrawNext(msgspec.Struct, frozen=True):
    """The next card comes: one that waits, else the next of the sealed shoe, which reads it."""

    by: str


class Rest(msgspec.Struct, frozen=True):
    """Nothing to do until something changes: people are awaited."""


Step: TypeAlias = Do | Shuffle | DrawNext | Rest
Next: TypeAlias = tuple[Step, Timer | None]


def dealer_rank(rulebook: Rulebook) -> str:
    """The rank that `SYSTEM` needs in the set-up's staff: the highest of the ladder, the last of several."""
    ladder = [rank.name for rank in reversed(rulebook.ranks)]
    return max(ladder, key=lambda rank: sum(outranks(rulebook, rank, rung) for rung in ladder))


def next_step(state: State, *, pace: Pace) -> Next:
    """What is due at a table where `SYSTEM` deals, and the time to be waited for first, if any."""
    current = state.round
    if current is None:
        return _between(state, pace)
    if current.pending is not None or current.proposal is not None:
        return _held_up(state, current, pace)
    if current.phase == "betting":
        return _close(state, current, pace)
    if current.phase == "adjusting":
        return _adjust(state, current, pace)
    if current.phase == "dealing":
        return _deal(state, current, pace)
    return _between(state, pace)


def interruption(state: State) -> tuple[AnyCommand, ...]:
    """What applies the document's rule on technical interruptions now; nothing if no round is under way."""
    current = state.round
    if current is None or current.phase in ("settled", "void"):
        return ()
    if current.pending is not None or current.proposal is not None:
        return ()
    return commands.Report(by=SYSTEM, case=_interruption(state)), commands.Rule(by=SYSTEM)


def _interruption(state: State) -> str:
    """What the document calls it."""
    procedure = state.rulebook.procedure("interruption")
    assert procedure is not None  # every rulebook has one
    return procedure.case


def _timer(pace: Pace, name: Wait, current: Round, *what: object) -> Timer:
    """A timer of this round. An irregularity in between makes it another: people get their time anew."""
    ruled = (f"after-{len(current.irregularities)}",) if current.irregularities else ()
    key = "/".join(map(str, (name, current.number, *what, *ruled)))
    return Timer(name=name, key=key, ms=getattr(pace, name))


# Between rounds -----------------------------------------------------------------------------------------


def _between(state: State, pace: Pace) -> Next:
    """The last result stays for a while; then a new shoe where one is needed; then bets are opened.

    The sealed shoe reads its cards: a table that is dealt face down is set up so before its next round.
    """
    current, shoe = state.round, state.shoe
    pause = None
    if current is not None and shoe is not None and current.shoe == shoe.number:
        pause = _timer(pace, "result", current)
    # A round that the shoe could not finish is not begun, wherever its cut card lies.
    if shoe is None or shoe.cut_out or shoe.to_come < LONGEST:
        return Shuffle(), pause
    if pause is None and state.rounds:  # the first shoe of a table is ready when people come
        pause = Timer(name="shuffle", key=f"shuffle/{shoe.number}", ms=pace.shuffle)
    if (state.next_setup or state.setup).unseen:
        reads = commands.ChangeSetup(by=SYSTEM, changes=commands.Changes(device="reader"))
        return Do((reads, commands.Open(by=SYSTEM))), pause
    return Do((commands.Open(by=SYSTEM),)), pause


# Bets ---------------------------------------------------------------------------------------------------


def _close(state: State, current: Round, pace: Pace) -> Next:
    """Wagers that should have been raised to the minimum come off first.

    A table to learn at waits for the first bet of whoever has a seat.
    """
    since = tuple[int, ...]()
    if pace.waits and state.seats:
        if not current.stakes:
            return Rest(), None
        since = (min(stake.order for stake in current.stakes.values()),)  # its time begins with that bet
    demanded = [current.stakes[key] for key in current.must_raise if key in current.stakes]
    low = [stake for stake in demanded if stake.cents < state.setup.limit(stake.bet).min]
    back = (commands.TakeBack(by=SYSTEM, player=stake.player, box=stake.box, bet=stake.bet) for stake in low)
    return _what_goes(state, (*back, commands.Close(by=SYSTEM))), _timer(pace, "betting", current, *since)


def _adjust(state: State, current: Round, pace: Pace) -> Next:
    """People have time to meet the table differential themselves; then the excess is taken off."""
    removals = tuple(
        commands.Remove(by=SYSTEM, player=stake.player, box=stake.box, bet=stake.bet, cents=cents)
        for stake, cents in limits.removals(state.setup, current.stakes)
    )
    waits = _timer(pace, "adjusting", current) if removals else None
    return Do((*removals, commands.Close(by=SYSTEM))), waits


# Cards --------------------------------------------------------------------------------------------------


def _deal(state: State, current: Round, pace: Pace) -> Next:
    """Squeezes are permitted, cards drawn, handed over and shown; insurance has its time; then the result."""
    permit = _permit(current)
    if permit is not None:
        return Do((permit,)), None
    hidden = _hidden(state, current)
    step: Step
    if due_hand(state, current) is not None:
        if state.shoe is None or not state.shoe.to_come:
            return Rest(), None  # staff have to say what becomes of the round
        step, timer = _draw(state, current, pace)
    elif hidden:
        handed = _hand_over(state, current)
        if handed is not None:
            return Do((handed,)), None
        step, timer = _show(state, current, hidden, pace)
    elif limits.undecided_excess(state, current):
        return Rest(), None  # staff have to decide on a stake before anything is paid
    else:
        step, timer = Do((commands.Settle(by=SYSTEM),)), _timer(pace, "card", current, "settle")
    return step, _insurance(state, current, pace) or timer


def _insurance(state: State, current: Round, pace: Pace) -> Timer | None:
    """The time for insurance, while anybody it is offered to has yet to answer."""
    open_now = open_windows(state, current)
    if not any(
        _to_answer(state, current, window, who)
        for window in open_now
        for who in asked(state, current, window)
    ):
        return None
    names = [f"{window.number}-late" if window.late_for else window.number for window in open_now]
    return _timer(pace, "insurance", current, *names)


def _draw(state: State, current: Round, pace: Pace) -> Next:
    """The dealer draws, or whoever has the device: that person may take as long as for a squeeze.

    Where players draw, the device goes to one before the first card. It comes back from somebody who is gone,
    or has no wager and no leave.
    """
    place = len(current.drawn) + 1
    if state.device is None:
        drawer = (
            _drawer(state, current) if state.setup.dealing.device == "player" and not current.drawn else None
        )
        if drawer is not None:
            return Do((commands.GiveDevice(by=SYSTEM, player=drawer),)), None
        timer = _timer(pace, "card", current, place)
        return DrawNext(by=SYSTEM), msgspec.structs.replace(timer, ms=_before_card(state, current, pace))
    if state.device in current.gone or not holds_device_by_right(state):
        return Do((commands.TakeDevice(by=SYSTEM),)), None
    return DrawNext(by=state.device), _timer(pace, "squeeze", current, "draw", place)


def _before_card(state: State, current: Round, pace: Pace) -> int:
    """The cards that begin a round come one on the other; one that decides it is waited for twice as long."""
    if 0 < len(current.drawn) < INITIAL:
        return pace.card // QUICK
    decides = current.all_seen and deciding(state.rulebook.table_of_play, current.seen)
    return 2 * pace.card if decides else pace.card


def _drawer(state: State, current: Round) -> str | None:
    """Of those who are there, who has the most on the table; among equals who bet first."""
    totals: dict[str, int] = {}
    for stake in sorted(current.stakes.values(), key=lambda stake: stake.order):
        if stake.player not in current.gone and has_wager(state, current, stake.player):
            totals[stake.player] = totals.get(stake.player, 0) + stake.cents
    return max(totals, key=lambda player: totals[player], default=None)


def _permit(current: Round) -> AnyCommand | None:
    """The House lets those squeeze who asked in time."""
    for player, wanted in current.requests.items():
        cards = tuple(p for p in wanted if p > len(current.drawn) and permit_of(current, p) is None)
        if cards and player not in current.gone:
            return commands.PermitSqueeze(by=SYSTEM, player=player, cards=cards)
    return None


def _hidden(state: State, current: Round) -> list[tuple[int, ...]]:
    """The face-down cards that are turned together, the first to be shown first."""
    places, table = current.hidden, state.rulebook.table_of_play
    first = current.first_hand or Side.PLAYER
    groups = [
        tuple(p for p in places if p <= INITIAL and current.hand(table, p) is hand)
        for hand in (first, first.other)
    ]
    thirds = sorted((p for p in places if p > INITIAL), reverse=current.reversed)
    return [group for group in (*groups, *((p,) for p in thirds)) if group]


def _hand_over(state: State, current: Round) -> AnyCommand | None:
    """Which hand comes first, then face-down cards to whoever has the right to squeeze them."""
    lying = len(current.drawn) == INITIAL and not current.exposed
    if lying and current.first_hand is None and discretion(state.rulebook, "first-hand"):
        return commands.RevealFirst(by=SYSTEM, hand=Side.PLAYER)
    for group in _hidden(state, current):
        for place in group:
            right = handlers(state, current, place)
            if right and place not in current.handed:
                cards = tuple(
                    p for p in group if p not in current.handed and handlers(state, current, p) == right
                )
                return commands.HandOver(by=SYSTEM, player=right[0], cards=cards)
    return None


def _show(state: State, current: Round, hidden: list[tuple[int, ...]], pace: Pace) -> Next:
    """The dealer turns the next cards, once whoever holds them has had the time to.

    From who has let it pass, or is gone, they are taken back first.
    """
    group = hidden[0]
    hand = current.hand_of_drawn(state.rulebook.table_of_play, group[0])
    what = hand if group[0] <= INITIAL else group[0]
    turn = commands.Expose(by=SYSTEM, cards=group)
    held = {place: current.handed[place] for place in group if place in current.handed}
    if not held:
        return Do((turn,)), _timer(pace, "card", current, "turn", what)
    step = Do((commands.TakeCards(by=SYSTEM, cards=tuple(held), reason=NO_ANSWER), turn))
    there = dict.fromkeys(holder for holder in held.values() if holder not in current.gone)
    if not there:
        return step, _timer(pace, "card", current, "turn", what)
    return step, _timer(pace, "squeeze", current, what, *there)


def _to_answer(state: State, current: Round, window: Window, player: str) -> bool:
    """Whether a person has yet to answer: said neither yes nor no, or can still insure another bet."""
    if player in window.declined:
        return False
    return player not in window.answered or any(
        _can_buy(state, current, stake, window) for stake in current.stakes.values() if stake.player == player
    )


def _can_buy(state: State, current: Round, stake: Stake, window: Window) -> bool:
    """A bet with an offer of this window that nothing has been bought of."""
    late = bool(window.late_for)
    bought = {
        stake_key(purchase.player, purchase.box, purchase.hand)
        for purchase in current.purchases
        if (purchase.window, purchase.late) == (window.number, late)
    }
    offer = next((offer for offer in window.offers if offer.hand == stake.bet), None)
    if offer is None or stake.key in bought:
        return False
    cap = cap_for(state, current, offer, stake.player, stake.box, late=late)
    return min(cap.cents, state.rack(stake.player)) >= state.setup.chip_unit


# Irregularities -----------------------------------------------------------------------------------------


def _held_up(state: State, current: Round, pace: Pace) -> Next:
    """Interruptions are ruled on as the document says; all else is for staff, and so is a wrong record.

    Who has an option and does not use it goes on: the bets stay as they lay at the close. Nobody waits for
    somebody who is gone.
    """
    pending = current.pending
    if pending is None or current.proposal is not None:
        return Rest(), None
    if pending.inputs is None:
        rules = pending.case == _interruption(state) and has_rank(state, SYSTEM, pending.decides)
        return (Do((commands.Rule(by=SYSTEM),)) if rules else Rest()), None
    silent = to_choose(state, current)
    if not silent:
        return Rest(), None
    on = tuple(commands.Choose(by=SYSTEM, player=player, choice="continue") for player in silent)
    awaited = any(player not in current.gone for player in silent)
    return Do(on), _timer(pace, "choice", current) if awaited else None


def _what_goes(state: State, wanted: Iterable[AnyCommand]) -> Step:
    """Those of the commands that are accepted, given one after the other."""
    kept = []
    for command in wanted:
        made = carry_out(state, command)
        if not isinstance(made, Refusal):
            kept.append(command)
            state = made[-1][1]
    return Do(tuple(kept)) if kept else Rest()
