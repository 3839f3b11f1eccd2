"""`decide(state, command)`: the events that follow, or the refusal. It changes nothing.

Each decision makes its checks first, in the order in which `refusals.Code` lists them; after the last check
nothing can fail.
"""

from collections.abc import Callable
from typing import Any

from thirdcard.table import commands
from thirdcard.table.commands import AnyCommand
from thirdcard.table.decide import betting, dealing, insuring, irregular, people, settling, squeezing
from thirdcard.table.decide.checks import need_person
from thirdcard.table.events import AnyEvent
from thirdcard.table.refusals import Refusal, Refused
from thirdcard.table.state import Pending, State

DECISIONS: dict[type, Callable[[State, Any], tuple[AnyEvent, ...]]] = {
    commands.Join: people.join,
    commands.BuyIn: people.buy_in,
    commands.CashOut: people.cash_out,
    commands.Sit: people.sit,
    commands.Leave: people.leave,
    commands.Assign: people.assign,
    commands.ChangeSetup: people.change_setup,
    commands.NewShoe: dealing.new_shoe,
    commands.Open: betting.open_bets,
    commands.Place: betting.place,
    commands.TakeBack: betting.take_back,
    commands.RecordChips: betting.record_chips,
    commands.RejectExcess: betting.reject_excess,
    commands.Remove: betting.remove,
    commands.Close: betting.close,
    commands.CutCard: dealing.cut_card,
    commands.AllowWithdrawal: dealing.allow_withdrawal,
    commands.Draw: dealing.draw,
    commands.Expose: dealing.expose,
    commands.RevealFirst: squeezing.reveal_first,
    commands.RequestSqueeze: squeezing.request,
    commands.PermitSqueeze: squeezing.permit,
    commands.HandOver: squeezing.hand_over,
    commands.RefuseCards: squeezing.refuse_cards,
    commands.BankerThirdFirst: squeezing.banker_third_first,
    commands.GiveDevice: squeezing.give_device,
    commands.GiveUpDevice: squeezing.give_up_device,
    commands.Insure: insuring.insure,
    commands.Decline: insuring.decline,
    commands.Settle: settling.settle,
    commands.Void: settling.void,
    commands.Correct: settling.correct,
    commands.Report: irregular.report,
    commands.Rule: irregular.rule,
    commands.Choose: irregular.choose,
}
# What goes on while an irregularity holds the round up.
WHILE_PAUSED = frozenset(
    (
        commands.Join,
        commands.BuyIn,
        commands.CashOut,
        commands.Leave,
        commands.Assign,
        commands.ChangeSetup,
        commands.Rule,
        commands.Choose,
        commands.Void,
    )
)


def paused(pending: Pending) -> Refusal:
    """The round is held up: what has to be decided, and by whom."""
    waiting = [player for player, choice in pending.choices.items() if not choice]
    if waiting:
        told = f"{', '.join(waiting)} still to choose"
    else:
        told = f"a {pending.decides.replace('-', ' ')} or above has to rule"
    return Refusal("paused", f"the round is held up ({pending.case}): {told}", pending.rules)


def decide(state: State, command: AnyCommand) -> tuple[AnyEvent, ...] | Refusal:
    try:
        if state.round is not None and state.round.pending is not None and type(command) not in WHILE_PAUSED:
            need_person(state, command.by)
            return paused(state.round.pending)
        return DECISIONS[type(command)](state, command)
    except Refused as refused:
        return refused.refusal
