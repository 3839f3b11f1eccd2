"""A rank rules on what was reported; remedies are carried out one by one; players choose where they may."""

from thirdcard.rulebook.remedies import REMEDIES
from thirdcard.table import commands, events
from thirdcard.table.decide.checks import (
    acting_for,
    need_dealer,
    need_rank,
    need_reason,
    refuse,
)
from thirdcard.table.decide.chips import put_right
from thirdcard.table.decide.dealing import opened_window
from thirdcard.table.decide.flow import Flow
from thirdcard.table.decide.inputs import need_inputs
from thirdcard.table.decide.laying import lay, show, turn_in_order
from thirdcard.table.decide.remedies import HANDLERS, offer_choices, resettle
from thirdcard.table.events import AnyEvent
from thirdcard.table.ledger import PostingBook, box, rack
from thirdcard.table.ranks import case_rules
from thirdcard.table.rights.choosing import CHOICES, choices, open_stakes, to_choose
from thirdcard.table.ruled import Ruled, ruled
from thirdcard.table.state import State, stake_key
from thirdcard.words.saying import Saying, say


def rule(state: State, command: commands.Rule) -> tuple[AnyEvent, ...]:
    current = state.round
    pending = current.pending if current else None
    if current is None or pending is None or pending.inputs is not None:
        need_dealer(state, command.by)
        raise refuse("wrong-phase", say("nothing-to-rule-on"))
    inputs = command.inputs
    made = ruled(state, current, pending, inputs)
    need_rank(state, command.by, made.ruling.decides, made.ruling.rules)
    if inputs.overrides:
        _need_override(state, made, command)
    need_inputs(state, made.procedure, pending, made.remedies, made.ruling, inputs)
    # Nothing can fail from here on.
    flow = Flow(state, command.by)
    flow.emit(
        events.IrregularityRuled(
            case=pending.case,
            by=command.by,
            facts=made.facts,
            remedies=made.remedies,
            inputs=inputs,
            rules=made.rules,
        )
    )
    first = pending.first or len(current.drawn) + 1
    show(flow, [place for place in pending.shown if place < first], pending.names)
    _advance(flow)
    return tuple(flow.events)


def _need_override(state: State, made: Ruled, command: commands.Rule) -> None:
    """A reading is set aside by who decides what no rule covers, and something else is done (interp. 43)."""
    decides, inputs, procedure = state.rulebook.authority.decides, command.inputs, made.procedure
    need_rank(state, command.by, decides.value, decides.rules)
    need_reason(inputs.reason, decides.rules)
    if not set(inputs.overrides) <= set(procedure.interpretations):
        told = say("readings-of-case", readings=procedure.interpretations or (say("none"),))
        raise refuse("condition-not-met", told, procedure.rules)
    if not inputs.action or (inputs.action,) == made.ruling.remedy:
        raise refuse(
            "condition-not-met",
            say("reading-replaced-by-what"),
            decides.rules,
        )


def _advance(flow: Flow) -> None:
    """Carry out what remains, as far as no player's choice is awaited."""
    while flow.pending.remedies:
        remedy = flow.pending.remedies[0]
        if remedy in CHOICES:
            if flow.pending.asked is None:
                offer_choices(flow, singly=remedy == "withdraw")
            _go_on_without(flow)
            if to_choose(flow.state, flow.current):
                return
            changed = bool(flow.pending.chosen)
        else:
            changed = HANDLERS[remedy](flow)
        done = changed or not REMEDIES[remedy].alters
        flow.emit(events.RemedyDone(remedy=remedy) if done else events.RemedyNeedless(remedy=remedy))
    _release(flow)


def _go_on_without(flow: Flow) -> None:
    """Nobody waits for who has walked away: bets that were left behind are settled."""
    rules = case_rules(flow.state.rulebook, "walked-away") or flow.pending.rules
    for player in to_choose(flow.state, flow.current):
        if player in flow.current.gone:
            flow.emit(events.ChoiceMade(player=player, choice="continue", rules=rules))


def go_on(state: State, made: tuple[AnyEvent, ...]) -> tuple[AnyEvent, ...]:
    """What follows where these events leave nobody to wait for: the round goes on.

    Somebody who was to choose has left, or a record was put right that the choice rested on.
    """
    pending = state.round.pending if state.round else None
    if pending is None or pending.asked is None:
        return made
    flow = Flow(state, pending.ruled_by)
    flow.emit(*made)
    if flow.current.pending is not None and flow.current.proposal is None:
        _advance(flow)
    return tuple(flow.events)


def _release(flow: Flow) -> None:
    """The round goes on: no card that came out is lost, and what is whole again is settled."""
    if flow.current.phase in ("dealing", "settled") and flow.pending.drawn:
        lay(flow)
    if flow.current.phase == "dealing":
        turn_in_order(flow)
        if flow.pending.was_settled:
            resettle(flow)
        flow.emit(*opened_window(flow.state, flow.current))
    flow.emit(events.IrregularityClosed(case=flow.pending.case))


def _why_no_choice(state: State, player: str) -> Saying:
    current = state.round
    if current is None or current.pending is None or current.pending.asked is None:
        return say("no-choice-offered")
    if choices(state, current).get(player):
        return say("chosen-already", who=player)
    if player in current.accepted:
        return say("chose-to-go-on", who=player)
    return say("no-open-bet", who=player)


def choose(state: State, command: commands.Choose) -> tuple[AnyEvent, ...]:
    player, staff = acting_for(state, command.by, command.player)
    current = state.round
    pending = current.pending if current else None
    if current is None or pending is None or player not in to_choose(state, current):
        raise refuse("no-choice", _why_no_choice(state, player))
    mine = open_stakes(state, current, pending, player)
    returned = mine if command.choice == "return" else []
    if command.wagers:
        if command.choice == "continue" or not pending.singly:
            raise refuse("no-choice", say("all-undecided-bets-or-none"), pending.rules)
        named = list(dict.fromkeys(stake_key(player, number, bet) for number, bet in command.wagers))
        if not set(named) <= set(returned):
            raise refuse("no-such-stake", say("no-such-undecided-wager", who=player), pending.rules)
        returned = named
    book = PostingBook()
    for key in returned:
        stake = current.stakes[key]
        book.move(stake.cents, box(stake.box), rack(player))
    for purchase in current.purchases:
        if stake_key(purchase.player, purchase.box, purchase.hand) in returned:
            book.move(purchase.cents, box(purchase.box), rack(player))
    flow = Flow(state, pending.ruled_by)
    flow.emit(*put_right(state, current, [current.late[key] for key in returned if key in current.late]))
    flow.emit(
        events.ChoiceMade(
            player=player,
            choice=command.choice,
            returned=tuple(returned),
            by=staff,
            rules=pending.rules,
            postings=book.postings(),
        )
    )
    _advance(flow)
    return tuple(flow.events)
