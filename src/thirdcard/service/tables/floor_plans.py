"""What the people who run a table ask of it besides its rounds, as plans."""

from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.floor_events import Logged, PublicSentence
from thirdcard.service.people.roles import Person, rank_at
from thirdcard.service.tables import duty
from thirdcard.service.tables.cases import OpenCase, may_not_take
from thirdcard.service.tables.draft import Decided, Plan, logging_only, planned
from thirdcard.service.tables.duty import supervises
from thirdcard.service.tables.live import PLAYING, Live
from thirdcard.service.tables.paying import Paying, payout_key
from thirdcard.service.tables.plans import by_person, unless
from thirdcard.table import commands
from thirdcard.table.ledger import box as box_account
from thirdcard.table.refusals import Refusal
from thirdcard.words.saying import say

PayoutState: TypeAlias = Literal["paid", "to-pay", "disputed"]


# Payouts ------------------------------------------------------------------------------------------------


def _to_pay(live: Live) -> Paying | Refusal:
    if live.automatic:
        return Refusal("not-allowed-here", say("automatic-dealer-pays"))
    if live.paying is None or live.table.phase in PLAYING:
        return Refusal("wrong-phase", say("no-round-to-pay"))
    return live.paying


def _takes_part(live: Live, paying: Paying, box: int, player: str) -> bool:
    current = live.table.round
    settlement = current.settlement if current is not None else None
    lines = (*paying.early, *(settlement.lines if settlement is not None else ()))
    here = payout_key(box, player)
    return here in paying.paid or any((line.box, line.player) == (box, player) for line in lines)


@planned
def tick_payout(  # noqa: PLR0913, PLR0917 - whose payout, and what of it
    live: Live, person: Person, box: int, player: str, state: PayoutState, note: str = ""
) -> Decided | Refusal:
    """What one person has coming in one box: handed out, not yet, or disputed, which a supervisor settles."""
    paying = _to_pay(live)
    if isinstance(paying, Refusal):
        return paying
    if not _takes_part(live, paying, box, player):
        return Refusal("unknown-player", say("no-chips-in-round", who=player, box=box, round=paying.round))
    is_disputed = payout_key(box, player) in paying.disputed
    if is_disputed and state != "disputed" and not supervises(person, live.table):
        return Refusal("wrong-rank", say("supervisor-settles-dispute"))
    told = list(_ticked(paying, box, player, state, note))
    return logging_only(*told) if told else Refusal("wrong-phase", say("so-already"))


def _ticked(paying: Paying, box: int, player: str, state: PayoutState, note: str) -> Iterator[Logged]:
    key = payout_key(box, player)
    if state == "disputed":
        if key not in paying.disputed:
            yield floor.PayoutDisputed(box=box, player=player, note=note)
        return
    if key in paying.disputed:
        yield floor.DisputeSettled(box=box, player=player)
    due, paid = paying.due.get(key, 0), paying.paid.get(key, 0)
    if state == "paid" and due != paid:
        changes = due - paid if paying.carried else None
        yield floor.PayoutTicked(box=box, player=player, cents=due, changes=changes)
    elif state == "to-pay" and (paid != paying.base.get(key, 0) if paying.carried else paid):
        yield floor.PayoutUnticked(box=box, player=player)


@planned
def finish_payouts(live: Live) -> Decided | Refusal:
    """All that there was to pay has been paid."""
    paying = _to_pay(live)
    if isinstance(paying, Refusal):
        return paying
    if paying.done:
        return Refusal("wrong-phase", say("payouts-done-already"))
    if paying.disputed:
        return duty.in_dispute(paying)
    if paying.open:
        box, _, player = paying.open[0].partition("/")
        cents = paying.due.get(paying.open[0], 0) - paying.paid.get(paying.open[0], 0)
        told = say("payout-still-to-tick", who=player, box=box, cents=cents)
        return Refusal("wrong-phase", told)
    return logging_only(floor.PayoutsDone(round=paying.round))


# The public ---------------------------------------------------------------------------------------------


@planned
def say_in_public(live: Live, person: Person, sentence: PublicSentence | Literal[""]) -> Decided | Refusal:
    """What board and players read until the next round, or until the next sentence: by dealer and pit.

    What is said of a round is said only while it is so.
    """
    if person.name != live.duty.dealer and not supervises(person, live.table):
        return Refusal("wrong-rank", say("public-by-dealer-and-pit"))
    if live.saying == sentence:
        return Refusal("wrong-phase", say("public-reads-that"))
    if sentence in OF_A_ROUND and not OF_A_ROUND[sentence](live):
        return Refusal("condition-not-met", say("public-not-so-now"))
    return logging_only(floor.SaidInPublic(sentence=sentence))


def _was_ruled(live: Live) -> bool:
    current = live.table.round
    return current is not None and bool(
        current.irregularities or (current.pending and current.pending.inputs)
    )


# The sentences that tell a state of the round, and when it is so.
OF_A_ROUND: dict[str, Callable[[Live], bool]] = {
    "round-void": lambda live: live.table.phase == "void",
    "result-corrected": lambda live: any(one.round == live.table.rounds for one in live.shift.corrections),
    "order-named": _was_ruled,
    "late-bet-refused": lambda live: live.table.phase not in ("idle", "betting"),
    "no-insurance": lambda live: not live.table.setup.insurance or live.table.rulebook.insurance is None,
    "closing": lambda live: bool(live.last_round) or live.closed,
}


# Cases --------------------------------------------------------------------------------------------------


@planned
def _of_case(
    live: Live, case: str, then: Callable[[Live, OpenCase, int], Logged | Refusal]
) -> Decided | Refusal:
    """What is asked about an irregularity that waits to be decided: by its number among them."""
    for number, held in enumerate(live.cases):
        if held.case == case:
            made = then(live, held, number)
            return made if isinstance(made, Refusal) else logging_only(made)
    return Refusal("unknown-case", say("no-such-case-waits", case=case))


def take_case(person: Person, case: str) -> Plan:
    """Somebody who may rule on it looks after it; whoever did before, and stands lower, does no more."""

    def take(live: Live, held: OpenCase, number: int) -> Logged | Refusal:
        rank = rank_at(person.role, live.table.rulebook) or ""
        no = may_not_take(live.table, person.name, rank, held, number)
        return no or floor.CaseTaken(case=case, number=number, rank=rank)

    return _of_case(case, take)


def pass_case(case: str, to: str, note: str) -> Plan:
    """It is for somebody else to decide: a rank of the table, or a person."""

    def pass_on(_live: Live, held: OpenCase, number: int) -> Logged | Refusal:
        if held.passed_to == to:
            return Refusal("wrong-phase", say("passed-already", who=to))
        return floor.CasePassedUp(case=case, number=number, to=to, note=note)

    return _of_case(case, pass_on)


# Closing and shifts -------------------------------------------------------------------------------------


@planned
def announce_last_round(live: Live) -> Decided | Refusal:
    """The round that is being played is the last; between two rounds, the next."""
    if live.closed:
        return Refusal("wrong-phase", say("closed-already"))
    if live.last_round:
        return Refusal("wrong-phase", say("last-round-announced", last_round=live.last_round))
    rounds = live.table.rounds
    last = rounds if live.table.phase in PLAYING else rounds + 1
    return logging_only(floor.LastRoundAnnounced(round=last))


@planned
def cash_out(live: Live, person: Person, player: str = "") -> Decided | Refusal:
    """The racks of everybody at a table that is closed, or of one of them, are paid out."""
    state = live.table
    if not live.ended or state.phase in PLAYING:
        return Refusal("wrong-phase", say("racks-paid-after-last-round"))
    if player and player not in state.players:
        return Refusal("unknown-player", say("not-at-table", who=player))
    racks = {one: state.rack(one) for one in ((player,) if player else state.players)}
    paid = [
        commands.CashOut(by=person.name, player=rack, cents=cents) for rack, cents in racks.items() if cents
    ]
    if not paid:
        return Refusal("rack-too-small", say("no-chips-to-pay-out"))
    return by_person(person, *paid)(live)


@planned
def archive_table(live: Live) -> Decided | Refusal:
    """Out of all lists, once it is closed and nobody has chips there."""
    state = live.table
    if live.archived:
        return Refusal("wrong-phase", say("archived-already"))
    if not live.closed or state.phase in PLAYING:
        return Refusal("wrong-phase", say("archive-after-close"))
    holding = [player for player in state.players if state.rack(player)]
    lying = [n for n in range(1, state.setup.positions + 1) if state.balances.get(box_account(n))]
    if holding or lying:
        whose = ", ".join(holding) or ", ".join(f"box {n}" for n in lying)
        return Refusal("wrong-phase", say("chips-left-at-table", whose=whose))
    return logging_only(floor.TableArchived())


def unarchive_table() -> Plan:
    return unless(
        lambda live: not live.archived, say("table-not-archived"), lambda _: floor.TableUnarchived()
    )


def start_shift(name: str) -> Plan:
    return lambda _: logging_only(floor.ShiftStarted(name=name))


# The float ----------------------------------------------------------------------------------------------


@planned
def count_float(live: Live, why: floor.CountOf, cents: int) -> Decided | Refusal:
    """The chips of the house at the table as somebody counted them, beside what the books come to."""
    if live.automatic:
        return Refusal("not-allowed-here", say("no-float-to-count"))
    expected = live.tray.expected(live.table)
    return logging_only(floor.FloatCounted(why=why, cents=cents, expected=expected))


@planned
def change_float(
    live: Live, person: Person, what: Literal["fill", "credit"], cents: int
) -> Decided | Refusal:
    """Chips are brought to the float or taken from it: a supervisor sees to that."""
    if live.automatic:
        return Refusal("not-allowed-here", say("no-float-to-fill"))
    if not supervises(person, live.table):
        return Refusal("wrong-rank", say("float-by-supervisor"))
    event = floor.FloatFilled(cents=cents) if what == "fill" else floor.FloatCredited(cents=cents)
    return logging_only(event)
