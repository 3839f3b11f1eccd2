"""The result, what everybody wins and loses, and what can still be undone."""

from collections.abc import Iterable

from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import INITIAL
from thirdcard.rulebook.conditions import Outcome, sight_of_all
from thirdcard.rulebook.model import Rules
from thirdcard.table import commands, limits
from thirdcard.table.decide.checks import need_dealer, need_phase, need_rank, need_reason, refuse
from thirdcard.table.decide.chips import put_right
from thirdcard.table.decide.flow import Flow
from thirdcard.table.events import (
    AnyEvent,
    DeviceReturned,
    IrregularityClosed,
    RoundVoided,
    SettlementReversed,
)
from thirdcard.table.evolve import evolve
from thirdcard.table.ledger import Posting, PostingBook, box, rack, reversal, within_racks
from thirdcard.table.reported import as_drawn
from thirdcard.table.settling import settlement_event
from thirdcard.table.state import HANDS, DrawnCard, Line, Round, State
from thirdcard.table.unseen import came_out, is_excess
from thirdcard.words.saying import say


def settle(state: State, command: commands.Settle) -> tuple[AnyEvent, ...]:
    need_dealer(state, command.by)
    current = need_phase(state, "dealing")
    if not current.all_seen or len(current.drawn) < INITIAL:
        lying = say("cards-still-face-down") if current.drawn else say("no-card-was-drawn")
        raise refuse("round-not-complete", lying, state.rulebook.table_of_play.rules)
    deal = state.deal()
    if deal.next is not None:
        raise refuse(
            "round-not-complete", say("still-draw", hand=deal.next), state.rulebook.table_of_play.rules
        )
    over = limits.undecided_excess(state, current)
    if over:
        unruled = state.rulebook.limits.above_maximum_unnoticed
        stake = over[0]
        raise refuse(
            "decision-needed",
            say(
                "over-maximum-to-report",
                who=stake.player,
                cents=stake.cents,
                bet=stake.bet,
                box=stake.box,
                case=_uncovered_case(state),
            ),
            unruled.rules,
        )
    right = put_right(state, current)
    for event in right:
        state = evolve(state, event)
    assert state.round is not None
    return (*right, *settled_events(state, state.round, outcome_of(deal, sight_of_all(state.rulebook))))


def _uncovered_case(state: State) -> str:
    procedure = state.rulebook.procedure("uncovered")
    return procedure.case if procedure else ""


def settled_events(state: State, current: Round, outcome: Outcome) -> tuple[AnyEvent, ...]:
    """The settlement, and the device back from a player who has lost it by a lost wager."""
    event = settlement_event(state, current, outcome)
    holder = current.lost_device or state.device
    if holder is None or not _loses_device((*current.early, *event.settlement.lines), holder):
        return (event,)
    rules = state.setup.dealing.lost_rules
    return (event, DeviceReturned(player=holder, why="wager-lost", rules=rules))


def _loses_device(lines: Iterable[Line], holder: str) -> bool:
    """By a lost wager on a hand or, without one, when every wager lost; a tie keeps it (MBS 3.12.8.2)."""
    mine = [line for line in lines if line.player == holder and line.window is None]
    hands = [line for line in mine if line.bet in HANDS]
    if hands:
        return any(line.result == "lose" for line in hands)
    return bool(mine) and all(line.result == "lose" for line in mine)


def void(state: State, command: commands.Void) -> tuple[AnyEvent, ...]:
    """Every bet of the round goes back, before settlement or after it while the round is not final."""
    decides = state.rulebook.authority.decides
    need_rank(state, command.by, decides.value, decides.rules)
    current = need_phase(state, "betting", "adjusting", "dealing", "settled", rules=decides.rules)
    need_reason(command.reason, decides.rules)
    flow = Flow(state, command.by)
    voided(flow, command.reason, (*decides.rules, *void_rules(state)), decides.rules)
    if current.pending is not None:
        flow.emit(IrregularityClosed(case=current.pending.case, rules=decides.rules))
    return tuple(flow.events)


def voided(flow: Flow, reason: str, rules: Rules, reversal_rules: Rules = ()) -> None:
    """Every bet back, late chips as they were, a settlement reversed first."""
    flow.emit(*put_right(flow.state, flow.current))
    if flow.current.settlement is not None:
        flow.emit(reversed_settlement(flow.state, flow.current, flow.by, reason, reversal_rules or rules))
    postings = within_racks(flow.state, refunds(flow.current))
    waiting = _waiting_after(flow.state, flow.current)
    flow.emit(RoundVoided(by=flow.by, reason=reason, rules=rules, postings=postings, waiting=waiting))


def _waiting_after(state: State, current: Round) -> tuple[DrawnCard, ...] | None:
    """Cards in excess that are in no hand open the next round also if this one is void (interp. 56)."""
    shoe = state.shoe
    if shoe is None or shoe.number != current.shoe:
        return None
    waiting = shoe.waiting
    for report in (current.pending, *current.reported):
        if report and report.drawn and is_excess(state.rulebook, report):
            waiting = as_drawn(report, came_out(current, report), waiting)
    return None if waiting == shoe.waiting else waiting


def void_rules(state: State) -> Rules:
    """What sends every bet of a void round back."""
    return state.rulebook.void.rules if state.rulebook.void else ()


def refunds(current: Round) -> tuple[Posting, ...]:
    """Every stake and every insurance back to who put it there; what was settled early is taken back."""
    book = PostingBook()
    for posting in current.early_paid:
        book.sums[posting.account] = book.sums.get(posting.account, 0) - posting.cents
    for line in current.early:
        book.move(line.stake, box(line.box), rack(line.player))
    for stake in current.stakes.values():
        book.move(stake.cents, box(stake.box), rack(stake.player))
    for purchase in current.purchases:
        book.move(purchase.cents, box(purchase.box), rack(purchase.player))
    return book.postings()


def reversed_settlement(
    state: State, current: Round, by: str, reason: str, rules: Rules
) -> SettlementReversed:
    """What was paid comes back; what a rack lacks is owed (interpretation 37)."""
    assert current.settlement is not None  # callers have seen it
    postings = within_racks(state, reversal(current.paid))
    nets = current.settlement.nets
    return SettlementReversed(by=by, reason=reason, nets=nets, rules=rules, postings=postings)
