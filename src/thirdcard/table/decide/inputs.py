"""What a ruling says: each input is one that a remedy asks for, and what a remedy needs is there."""

from collections.abc import Callable, Mapping

from thirdcard.cards import Card
from thirdcard.money import floor_to_unit
from thirdcard.rulebook.facts import asked_facts
from thirdcard.rulebook.model import Procedure, Rules, Ruling
from thirdcard.rulebook.remedies import REMEDIES
from thirdcard.table import limits
from thirdcard.table.decide.checks import (
    need_chips,
    need_in_shoe,
    need_player,
    need_reason,
    refuse,
    stake_of,
)
from thirdcard.table.decide.laying import can_finish
from thirdcard.table.reported import held_by, in_question, is_order, reordered
from thirdcard.table.rights.insurance import why_not_affected
from thirdcard.table.state import Inputs, Pending, Round, Stake, State
from thirdcard.table.unseen import came_out, seen_counts
from thirdcard.words.saying import say

ALWAYS = frozenset({"reason", "replace_cards"})


def need_inputs(  # noqa: PLR0913, PLR0917 - the ruling from all its sides
    state: State,
    procedure: Procedure,
    pending: Pending,
    remedies: tuple[str, ...],
    ruling: Ruling,
    inputs: Inputs,
) -> None:
    """Whatever the ruling leaves to a person has to be said, and nothing else."""
    if "decide" in ruling.remedy:
        _need_decision(state, pending, ruling, inputs)
    asked = {name for remedy in (*ruling.remedy, *remedies) for name in REMEDIES[remedy].asks}
    if "reconstruct" in remedies:
        asked.discard("order")  # the cards go back to the order in which they were drawn
    if inputs.overrides:
        asked |= {"overrides", "action"}
    if "reconstructable" in asked_facts(procedure):
        asked.add("reconstructable")
    if inputs.replace_cards and "replace-cards" not in ruling.remedy:
        raise refuse("input-not-used", say("ruling-keeps-cards"), ruling.rules)
    plain = Inputs()
    for name in inputs.__struct_fields__:
        if getattr(inputs, name) != getattr(plain, name) and name not in asked | ALWAYS:
            raise refuse(
                "input-not-used", say("ruling-does-not-ask", text=name.replace("_", " ")), ruling.rules
            )
    current = state.round
    assert current is not None
    for remedy in remedies:
        if remedy in NEEDS:
            NEEDS[remedy](state, current, pending, inputs, ruling.rules)


def _need_decision(state: State, pending: Pending, ruling: Ruling, inputs: Inputs) -> None:
    """What nobody foresaw is decided with an action and a recorded reason; earlier rounds stand."""
    if not inputs.action:
        raise refuse("fact-missing", say("decision-needs-action"), ruling.rules)
    need_reason(inputs.reason, ruling.rules)
    if inputs.action != "continue" and pending.earlier:
        raise refuse("round-is-final", say("reported-round-stands"), state.rulebook.betting.final.rules)


def _named(current: Round, inputs: Inputs, rules: Rules) -> list[Stake]:
    if not inputs.stakes:
        raise refuse("fact-missing", say("name-the-stakes"), rules)
    return [stake_of(current, player, number, bet) for player, number, bet in inputs.stakes]


def _stakes(_state: State, current: Round, _pending: Pending, inputs: Inputs, rules: Rules) -> None:
    _named(current, inputs, rules)


def _limited(state: State, current: Round, _pending: Pending, inputs: Inputs, rules: Rules) -> None:
    """A stake is let stand only where a limit keeps it from playing in full, or a decision is awaited."""
    waits = {stake.key for stake in limits.undecided_excess(state, current)}
    lies = current.stakes if current.phase in ("betting", "adjusting") else current.closed
    playing = limits.played(state, lies, current.decided, current.freed)
    for stake in _named(current, inputs, rules):
        key = stake.key
        freed = (*current.freed, *limits.freed_by_decision(state.setup, lies, (key,)))
        stands = limits.played(state, lies, (*current.decided, key), freed)
        if key not in waits and playing.get(key) == stands.get(key):
            raise refuse(
                "condition-not-met",
                say("plays-as-it-lies", who=stake.player, bet=stake.bet),
                rules,
            )


def _over_maximum(state: State, current: Round, _pending: Pending, inputs: Inputs, rules: Rules) -> None:
    for stake in _named(current, inputs, rules):
        most = state.setup.limit(stake.bet).max
        if most is None or stake.cents <= most:
            raise refuse("condition-not-met", say("not-over-maximum", who=stake.player, bet=stake.bet), rules)


def _amounts(state: State, current: Round, _pending: Pending, inputs: Inputs, rules: Rules) -> None:
    stakes = _named(current, inputs, rules)
    if len(inputs.amounts) != len(stakes):
        raise refuse("fact-missing", say("say-amounts"), rules)
    for stake, cents in zip(stakes, inputs.amounts, strict=True):
        if cents:
            need_chips(state, cents)
        if not 0 <= cents < stake.cents:
            raise refuse(
                "condition-not-met",
                say("can-only-become-less", who=stake.player, cents=stake.cents, bet=stake.bet),
                rules,
            )


def _removal(state: State, current: Round, pending: Pending, inputs: Inputs, rules: Rules) -> None:
    """Wagers of the heavier hand, enough of them and no more; none if it has been met meanwhile."""
    excess = limits.excess(state.setup, current.stakes.values())
    if not excess and not inputs.stakes:
        return
    _amounts(state, current, pending, inputs, rules)
    heavier = limits.heavier(current.stakes.values())
    taken = 0
    for stake, cents in zip(_named(current, inputs, rules), inputs.amounts, strict=True):
        if stake.bet != heavier:
            raise refuse("over-differential", say("only-wagers-on-hand", hand=heavier.title()), rules)
        if 0 < cents < state.setup.limit(stake.bet).min:
            raise refuse("below-minimum", say("rest-under-minimum", cents=cents), rules)
        taken += stake.cents - cents
    if taken < excess:
        raise refuse("over-differential", say("more-to-come-off", excess=excess - taken), rules)
    spare = floor_to_unit(taken - excess, state.setup.chip_unit)
    for stake, cents in zip(_named(current, inputs, rules), inputs.amounts, strict=True):
        keeps = min(cents + spare, stake.cents)
        if keeps > cents and (keeps == stake.cents or keeps >= state.setup.limit(stake.bet).min):
            told = say("less-would-do", keeps=keeps - cents)
            raise refuse("over-differential", told, rules)


def _order(state: State, current: Round, pending: Pending, inputs: Inputs, rules: Rules) -> None:
    cards = (*current.drawn, *came_out(current, pending))
    places = in_question(current, pending)
    if is_order(state, cards, places, inputs.order):
        if not can_finish(state, current, reordered(cards, places, inputs.order)):
            raise refuse("condition-not-met", say("order-leaves-round-unfinished"), rules)
    else:
        raise refuse(
            "fact-missing",
            say("say-order"),
            rules,
        )


def _order_of_excess(state: State, current: Round, pending: Pending, inputs: Inputs, rules: Rules) -> None:
    """Cards that are in no hand are put in order among themselves."""
    cards = came_out(current, pending)
    if inputs.order and not is_order(state, cards, tuple(range(1, len(cards) + 1)), inputs.order):
        raise refuse("fact-missing", say("say-order-of-waiting"), rules)


def _order_if_given(state: State, current: Round, pending: Pending, inputs: Inputs, rules: Rules) -> None:
    if inputs.order:
        _order(state, current, pending, inputs, rules)


def _intended(state: State, current: Round, pending: Pending, inputs: Inputs, rules: Rules) -> None:
    """An intention cannot be found for somebody whose own answer the log holds (interpretations 15, 51)."""
    for player in inputs.intended:
        need_player(state, player)
        if why := why_not_affected(state, current, pending.window, player):
            raise refuse("condition-not-met", why, rules)


def _held_names(state: State, current: Round, pending: Pending, inputs: Inputs, rules: Rules) -> None:
    """A name for each of the held cards that has none, and for no other."""
    _need_each(state, current, pending, inputs.names, rules)


def _substitutes(state: State, current: Round, pending: Pending, inputs: Inputs, rules: Rules) -> None:
    """Cards of the same suit and value as the missing ones, which the sorted decks have shown."""
    _need_each(state, current, pending, inputs.substitutes, rules)


def _need_each(
    state: State, current: Round, pending: Pending, given: Mapping[str, Card], rules: Rules
) -> None:
    shoe = state.shoe
    assert shoe is not None
    unnamed = {str(place) for place in held_by(current, pending) if current.drawn[place - 1].name is None}
    if set(given) != unnamed:
        places = tuple(sorted(unnamed)) or (say("none"),)
        raise refuse("fact-missing", say("say-cards-at-places", places=places), rules)
    counts = seen_counts(state)
    for card in given.values():
        need_in_shoe(shoe, card, counts)
        counts[card.value] = counts.get(card.value, 0) + 1


NEEDS: dict[str, Callable[[State, Round, Pending, Inputs, Rules], None]] = {
    "return-stakes": _stakes,
    "let-stand": _limited,
    "cut-to-maximum": _over_maximum,
    "cut-stakes": _amounts,
    "remove-named": _removal,
    "decide-order": _order,
    "fix-order": _order,
    "as-they-lie": _order_if_given,
    "keep-for-next-round": _order_of_excess,
    "return-original": _intended,
    "ascertain": _held_names,
    "dealer-exposes": _held_names,
    "substitute-cards": _substitutes,
}
