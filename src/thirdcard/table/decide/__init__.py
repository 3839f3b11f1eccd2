"""`decide(state, command)`: the events that follow, or the refusal. It changes nothing.

Each decision makes its checks first, in the order in which `refusals.Code` lists them; after the last check
nothing can fail.
"""

from collections.abc import Callable
from typing import Any

from thirdcard.table import commands
from thirdcard.table.commands import AnyCommand
from thirdcard.table.decide import (
    amending,
    betting,
    dealing,
    insuring,
    people,
    reporting,
    ruling,
    settling,
    squeezing,
)
from thirdcard.table.decide.checks import need_person
from thirdcard.table.events import AnyEvent
from thirdcard.table.ranks import titles_that_may
from thirdcard.table.refusals import Refusal, Refused
from thirdcard.table.rights.choosing import to_choose
from thirdcard.table.state import Round, State
from thirdcard.words.saying import say

DECISIONS: dict[type, Callable[[State, Any], tuple[AnyEvent, ...]]] = {
    commands.Join: people.join,
    commands.BuyIn: people.buy_in,
    commands.CashOut: people.cash_out,
    commands.Sit: people.sit,
    commands.Leave: people.leave,
    commands.Assign: people.assign,
    commands.ChangeSetup: people.change_setup,
    commands.ChangeRulebook: people.change_rulebook,
    commands.RequestNoInsurance: people.request_no_insurance,
    commands.NewShoe: dealing.new_shoe,
    commands.Open: betting.open_bets,
    commands.Place: betting.place,
    commands.TakeBack: betting.take_back,
    commands.RecordChips: betting.record_chips,
    commands.LateChips: betting.late_chips,
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
    commands.TakeCards: squeezing.take_cards,
    commands.RefuseCards: squeezing.refuse_cards,
    commands.RequestBankerThirdFirst: squeezing.request_banker_third_first,
    commands.BankerThirdFirst: squeezing.banker_third_first,
    commands.GiveDevice: squeezing.give_device,
    commands.GiveUpDevice: squeezing.give_up_device,
    commands.TakeDevice: squeezing.take_device,
    commands.Insure: insuring.insure,
    commands.Decline: insuring.decline,
    commands.CloseInsurance: insuring.close,
    commands.Settle: settling.settle,
    commands.Void: settling.void,
    commands.Correct: amending.correct,
    commands.Amend: amending.amend,
    commands.ConfirmAmendment: amending.confirm,
    commands.DropAmendment: amending.drop,
    commands.Report: reporting.report,
    commands.Rule: ruling.rule,
    commands.Dismiss: reporting.dismiss,
    commands.Choose: ruling.choose,
}
# What goes on whatever is in doubt.
ALWAYS = frozenset(
    (
        commands.Join,
        commands.BuyIn,
        commands.CashOut,
        commands.Leave,
        commands.Assign,
        commands.ChangeSetup,
        commands.RequestNoInsurance,
        commands.Void,
    )
)
# And while an irregularity holds the round up, or an amendment waits to be confirmed.
WHILE_PAUSED = ALWAYS | {
    commands.Report,
    commands.Rule,
    commands.Dismiss,
    commands.Choose,
    commands.Amend,
    commands.TakeCards,
    commands.LateChips,
    commands.RecordChips,
}
PUTS_RIGHT = frozenset((commands.RecordChips, commands.ConfirmAmendment, commands.DropAmendment))
WHILE_AMENDING = ALWAYS | {commands.ConfirmAmendment, commands.DropAmendment}


def paused(state: State, current: Round) -> Refusal | None:
    """Whether the round is held up: what has to be decided, and by whom."""
    if current.proposal is not None:
        by = current.proposal.by
        return Refusal("paused", say("amendment-waits", who=by))
    pending = current.pending
    if pending is None:
        return None
    waiting = to_choose(state, current)
    if waiting:
        needed = say("still-to-choose", who=tuple(waiting))
    else:
        needed = say("has-to-rule", ranks=titles_that_may(state.rulebook, pending.decides))
    return Refusal("paused", say("round-held-up", case=pending.case, needed=needed), pending.rules)


def decide(state: State, command: AnyCommand) -> tuple[AnyEvent, ...] | Refusal:
    """The events that follow from a command, in their order, or the first refusal that applies.

    Nothing is changed: `evolve` makes the next state of each event.

    >>> from thirdcard.table import Table, commands
    >>> state = Table("mbs-tiger-v2").state
    >>> [type(event).__name__ for event in decide(state, commands.Join(by="ann"))]
    ['PlayerJoined']
    >>> decide(state, commands.Sit(by="ann", box=1)).code
    'unknown-person'
    """
    current = state.round
    try:
        if current is not None and (current.pending is not None or current.proposal is not None):
            allowed = WHILE_PAUSED if current.proposal is None else WHILE_AMENDING
            held_up = paused(state, current)
            if held_up is not None and type(command) not in allowed:
                need_person(state, command.by)
                return held_up
        made = DECISIONS[type(command)](state, command)
        rests = current is not None and current.pending is not None and type(command) in PUTS_RIGHT
        return ruling.go_on(state, made) if rests else made
    except Refused as refused:
        return refused.refusal
