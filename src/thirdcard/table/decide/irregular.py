"""Irregularities: reported, ruled on by a rank, carried out remedy by remedy, chosen on by the players."""

from thirdcard.play.tableau import INITIAL
from thirdcard.rulebook.load import every_fact, fits
from thirdcard.rulebook.model import Procedure, Ruling
from thirdcard.rulebook.trace import interpretations
from thirdcard.table import commands, events
from thirdcard.table.decide import betting, dealing
from thirdcard.table.decide.checks import (
    acting_for,
    find_procedure,
    need_box,
    need_player,
    need_rank,
    refuse,
    stake_of,
)
from thirdcard.table.decide.remedies import REMEDIES, Flow, nothing, show
from thirdcard.table.established import establishing_bet, still_possible, undecided
from thirdcard.table.events import AnyEvent
from thirdcard.table.ledger import Book, box, rack
from thirdcard.table.state import HANDS, Inputs, Pending, Round, State, stake_key

NOTICED = {"betting": "bets-open", "adjusting": "bets-open", "dealing": "bets-closed", "settled": "settled"}
CHOICES = ("options", "withdraw", "withdraw-all")
ANY_TIME = ("noticed-later", "display-error", "not-covered")  # cases that may be about an earlier round
AFTER_PAYMENT = ("not-covered", "display-error")  # what may still be raised where payment ends a round


# What is known of it ------------------------------------------------------------------------------------


def _seen(state: State, current: Round, command: commands.Report) -> tuple[int, ...]:
    """Places of cards seen in error.

    Where cards are dealt face up an excess card is seen as it comes out. Cards drawn together still lie face
    down while their order is settled, unless the report says otherwise.
    """
    if state.setup.dealing.face_down or command.case == "drawn-together":
        return command.shown
    first = len(current.cards) + 1
    return tuple(sorted({*command.shown, *range(first, first + len(command.drawn))}))


def _established(state: State, current: Round, command: commands.Report) -> str:
    outcomes = still_possible(state, current, command.drawn, _seen(state, current, command))
    bets = state.setup.bets
    if command.case == "neglected-insurance":  # here the Original Bet alone counts (interpretation 15)
        hands = [s.bet for s in current.stakes.values() if s.player in command.players and s.bet in HANDS]
        bets = tuple(hands) or HANDS
        seen = len(current.exposed) == len(current.cards)
        if current.cards and seen and state.deal().next is None:
            return bets[0]  # the round is over: a tie decides it too
    return establishing_bet(state, outcomes, bets)


def report(state: State, command: commands.Report) -> tuple[AnyEvent, ...]:
    need_rank(state, command.by, "dealer")
    current = state.round
    if current is None or current.phase == "void":
        raise refuse("wrong-phase", "there is no round that it could be about")
    procedure = find_procedure(state, command.case)
    if not _can_happen(state, procedure):
        raise refuse("not-allowed-here", "that cannot happen as this table is dealt", procedure.rules)
    if (
        current.phase == "settled"
        and state.rules.betting.final.value == "payment"
        and command.case not in AFTER_PAYMENT
    ):
        raise refuse(
            "round-is-final",
            "the round ended with payment: what is left can only be decided as not-covered",
            state.rules.betting.final.rules,
        )
    _need_details(state, current, command)
    facts: dict[str, str | bool] = {"noticed": NOTICED[current.phase]}
    earlier = command.round is not None and command.round < current.number
    if earlier:
        facts["noticed"] = "next-round"
    facts["stage"] = "initial-deal" if len(current.cards) < INITIAL else "after-initial-deal"
    decided_by = _established(state, current, command)
    facts["outcome_established"] = bool(decided_by)
    if command.order_known is not None:
        facts["order_known"] = command.order_known
    if command.values_known is not None:
        facts["values_known"] = command.values_known
    asked = {name for every in every_fact(procedure) for name in every}
    for name in ("order_known", "values_known"):
        if name in asked and name not in facts:
            raise refuse("fact-missing", f"say whether {name.replace('_', ' ')}", procedure.rules)
    if earlier and "noticed" not in asked and command.case not in ANY_TIME:
        final = state.rules.betting.final
        raise refuse("round-is-final", f"round {command.round} stands: the next one has begun", final.rules)
    known = {name: value for name, value in facts.items() if name in asked}
    proposal = _ruling(procedure, {**known, "reconstructable": True})
    pending = Pending(
        case=command.case,
        facts=known,
        decided_by=decided_by,
        decides=proposal.decides,
        rules=procedure.rules,
        earlier=earlier,
        drawn=command.drawn,
        shown=_seen(state, current, command),
        players=tuple(dict.fromkeys(command.players)),
        box=command.box,
    )
    return (events.IrregularityReported(by=command.by, pending=pending, rules=procedure.rules),)


def _can_happen(state: State, procedure: Procedure) -> bool:
    dealing = state.setup.dealing
    kinds = {
        None: True,
        "reader": state.setup.device == "reader",
        "player-device": dealing.device == "player",
        "face-down": dealing.face_down,
    }
    return kinds[procedure.needs]


def _need_details(state: State, current: Round, command: commands.Report) -> None:
    """What a report names must exist: people, box, cards, an offer that could be neglected."""
    insurance = state.rules.insurance
    if command.case == "neglected-insurance" and insurance is not None and not state.setup.insurance:
        raise refuse("insurance-not-offered-here", "no insurance is offered here", insurance.private.rules)
    hidden = len(current.cards) > len(current.exposed)
    if command.case == "left-with-cards" and command.values_known is False and not hidden:
        raise refuse("no-such-card", "no card lies face down that somebody could have left with")
    if command.round is not None and not 1 <= command.round <= current.number:
        raise refuse("wrong-phase", f"there has been no round {command.round}")
    for player in command.players:
        need_player(state, player)
    if command.box:
        need_box(state, command.box)
    _need_cards(state, current, command)


def _need_cards(state: State, current: Round, command: commands.Report) -> None:
    """Cards that came out must have been in the shoe, cards that were shown must be there."""
    assert state.shoe is not None
    counts = dict(state.shoe.drawn)
    for card in command.drawn:
        counts[card.value] = counts.get(card.value, 0) + 1
        if counts[card.value] > state.shoe.size // 52:
            raise refuse("card-not-in-shoe", f"the shoe does not hold another {card}")
    if command.drawn and (current.phase not in ("dealing", "settled") or state.shoe.waiting):
        raise refuse("card-not-due", "cards come out of the shoe once bets are closed")
    if len(command.drawn) > state.shoe.left:
        raise refuse("shoe-empty", "there are not that many cards left in the shoe")
    places = range(1, len(current.cards) + len(command.drawn) + 1)
    for place in command.shown:
        if place not in places:
            raise refuse("no-such-card", f"there is no card at place {place}")


def _ruling(procedure: Procedure, facts: dict[str, str | bool]) -> Ruling:
    """The one ruling for these facts; loading has made sure that there is exactly one."""
    return next(ruling for ruling in procedure.rulings if _fits(ruling, facts))


def _fits(ruling: Ruling, facts: dict[str, str | bool]) -> bool:
    return fits(ruling.when, dict(facts))


# Ruling -------------------------------------------------------------------------------------------------


def rule(state: State, command: commands.Rule) -> tuple[AnyEvent, ...]:
    current = state.round
    pending = current.pending if current else None
    if pending is None or pending.inputs is not None:
        need_rank(state, command.by, "dealer")
        raise refuse("wrong-phase", "nothing waits for a ruling")
    procedure = find_procedure(state, pending.case)
    inputs = command.inputs
    facts = dict(pending.facts)
    if any("reconstructable" in every for every in every_fact(procedure)):
        proposed = inputs.reconstructable
        facts["reconstructable"] = True if proposed is None else proposed
    ruling = _ruling(procedure, facts)
    need_rank(state, command.by, ruling.decides, ruling.rules)
    _need_inputs(state, pending, ruling, inputs)
    # Nothing can fail from here on.
    flow = Flow(state, command.by)
    flow.emit(
        events.IrregularityRuled(
            case=pending.case,
            by=command.by,
            facts=facts,
            remedies=_remedies(ruling, inputs),
            inputs=inputs,
            rules=ruling.rules,
        )
    )
    show(flow, pending.shown)
    _advance(flow)
    return tuple(flow.events)


def _remedies(ruling: Ruling, inputs: Inputs) -> tuple[str, ...]:
    """The ruling's remedies, with what is at discretion as it was decided."""
    kept = [one for one in ruling.remedy if one != "replace-cards" or inputs.replace_cards]
    return tuple(inputs.action or "continue" if one == "decide" else one for one in kept)


def _need_inputs(state: State, pending: Pending, ruling: Ruling, inputs: Inputs) -> None:
    """Whatever the ruling leaves to a person has to be said."""
    if "decide" in ruling.remedy:
        _need_decision(state, pending, ruling, inputs)
    if "decide-order" in ruling.remedy and sorted(map(str, inputs.order)) != sorted(map(str, pending.drawn)):
        raise refuse(
            "fact-missing", "say in which order the cards that were drawn together count", ruling.rules
        )
    for player in inputs.intended:
        need_player(state, player)
    known = {one.number for one in interpretations()}
    if not set(inputs.overrides) <= known:
        raise refuse("fact-missing", f"interpretations are numbered 1 to {max(known)}", ruling.rules)
    if "substitute-cards" in ruling.remedy:
        current = state.round
        assert current is not None
        held = {str(place) for place, who in current.handed.items() if who in pending.players}
        hidden = {str(place) for place in range(1, len(current.cards) + 1) if place not in current.exposed}
        named = set(inputs.substitutes)
        if not named or (held and named != held) or not named <= hidden:
            raise refuse(
                "fact-missing", "say which card replaces each missing one, by its place", ruling.rules
            )
        if len(inputs.set_aside) != 2:  # noqa: PLR2004 - as many as a round can still need
            raise refuse(
                "fact-missing", "two cards are set aside in the order drawn: name them", ruling.rules
            )
        _need_in_shoe(state, current, inputs)


def _need_decision(state: State, pending: Pending, ruling: Ruling, inputs: Inputs) -> None:
    """What nobody foresaw is decided with an action and a recorded reason; earlier rounds stand."""
    if not (inputs.action and inputs.reason.strip()):
        raise refuse("fact-missing", "a decision takes an action and a recorded reason", ruling.rules)
    current = state.round
    assert current is not None
    if inputs.action != "continue" and pending.earlier:
        raise refuse("round-is-final", "the round it is about stands", state.rules.betting.final.rules)
    if inputs.action in ("return-stakes", "cut-to-maximum"):
        if not inputs.stakes or current.phase == "settled":
            raise refuse(
                "fact-missing", "name the stakes that it is about, before they are settled", ruling.rules
            )
        for player, number, bet in inputs.stakes:
            stake_of(current, player, number, bet)


def _need_in_shoe(state: State, current: Round, inputs: Inputs) -> None:
    """Replaced and set-aside cards must be such as the shoe can have held."""
    assert state.shoe is not None
    counts = dict(state.shoe.drawn)
    for place, card in inputs.substitutes.items():
        counts[current.cards[int(place) - 1].value] -= 1
        counts[card.value] = counts.get(card.value, 0) + 1
    for card in inputs.set_aside:
        counts[card.value] = counts.get(card.value, 0) + 1
    if max(counts.values()) > state.shoe.size // 52 or state.shoe.left < len(inputs.set_aside):
        raise refuse("card-not-in-shoe", "the shoe cannot have held these cards")


def _advance(flow: Flow) -> None:
    """Carry out what remains, as far as no player's choice is awaited."""
    while flow.current.pending is not None and flow.pending.remedies:
        remedy = flow.pending.remedies[0]
        if remedy in CHOICES:
            if not flow.pending.choices:
                _offer_choices(flow, singly=remedy == "withdraw")
            if not all(flow.pending.choices.values()):
                return
        else:
            REMEDIES.get(remedy, nothing)(flow)
        flow.emit(events.RemedyDone(remedy=remedy))
    if flow.current.phase == "dealing":
        if not flow.state.setup.dealing.face_down:
            show(flow, tuple(range(1, len(flow.current.cards) + 1)))
        flow.emit(*dealing.opened_window(flow.state, flow.current))
    flow.emit(events.IrregularityClosed(case=flow.pending.case))


# Players' choices ---------------------------------------------------------------------------------------


def _offer_choices(flow: Flow, *, singly: bool) -> None:
    state, current = flow.state, flow.current
    people = dict.fromkeys(stake.player for stake in current.stakes.values())
    asked = tuple(player for player in people if undecided(state, current, player))
    flow.emit(events.ChoicesOffered(players=asked, singly=singly, rules=flow.pending.rules))


def choose(state: State, command: commands.Choose) -> tuple[AnyEvent, ...]:
    player, staff = acting_for(state, command.by, command.player)
    current = state.round
    pending = current.pending if current else None
    if current is None or pending is None or pending.choices.get(player) != "":
        raise refuse("no-choice", f"{player} is not asked for a choice now")
    returned = undecided(state, current, player) if command.choice == "return" else []
    if command.wagers:
        if command.choice == "continue" or not pending.singly:
            raise refuse("no-choice", "all undecided bets go back, or none", pending.rules)
        named = list(dict.fromkeys(stake_key(player, number, bet) for number, bet in command.wagers))
        if not set(named) <= set(returned):
            raise refuse("no-such-stake", f"{player} has no such undecided wager", pending.rules)
        returned = named
    book = Book()
    for key in returned:
        stake = current.stakes[key]
        book.move(stake.cents, box(stake.box), rack(player))
    for purchase in current.purchases:
        if stake_key(purchase.player, purchase.box, purchase.hand) in returned:
            book.move(purchase.cents, box(purchase.box), rack(player))
    flow = Flow(state, pending.ruled_by)
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
    if returned and flow.current.phase == "dealing":
        flow.emit(*betting.share_again(flow.state, flow.current, flow.current.stakes))
    _advance(flow)
    return tuple(flow.events)
