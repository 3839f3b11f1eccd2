"""What a ruling on a case comes to: the facts by now, the ruling, its remedies and the ranks it takes.

Whatever rules, shows or rehearses a ruling asks here: `decide`, the pit's case, the samples of `legal`.
"""

from typing import NamedTuple

from thirdcard.rulebook.facts import asked_facts
from thirdcard.rulebook.model import Procedure, Rules, Ruling
from thirdcard.rulebook.rulings import find_case
from thirdcard.table.reported import find_ruling, known_facts
from thirdcard.table.state import Inputs, Pending, Round, State


class Ruled(NamedTuple):
    """`remedies` are carried out in their order; `ranks` are all that whoever rules has to have."""

    procedure: Procedure
    facts: dict[str, str | bool]
    ruling: Ruling
    remedies: tuple[str, ...]
    ranks: tuple[str, ...]
    rules: Rules


def findings(procedure: Procedure) -> tuple[bool | None, ...]:
    """What can be found about whether cards can be put in order; None alone where the case does not ask."""
    return (True, False) if "reconstructable" in asked_facts(procedure) else (None,)


def facts_now(state: State, current: Round, procedure: Procedure, pending: Pending) -> dict[str, str | bool]:
    """What was reported, as it is known by now: an irregularity before this one may have moved cards.

    An interruption is judged on the cards at its time.
    """
    if current.phase == "void" or "interruption" in procedure.about:
        return pending.facts
    known, _ = known_facts(state, current, procedure, pending)
    return {name: known.get(name, value) for name, value in pending.facts.items()}


def ruled(state: State, current: Round, pending: Pending, inputs: Inputs) -> Ruled:
    """The ruling on a case with these inputs; whether they are complete is another question."""
    procedure, decides = find_case(state.rulebook, pending.case), state.rulebook.authority.decides
    facts = facts_now(state, current, procedure, pending)
    if findings(procedure) != (None,):
        facts = {**facts, "reconstructable": inputs.reconstructable is not False}
    ruling, overrides = find_ruling(procedure, facts), bool(inputs.overrides)
    return Ruled(
        procedure=procedure,
        facts=facts,
        ruling=ruling,
        remedies=_remedies(ruling, inputs),
        ranks=(ruling.decides, decides.value) if overrides else (ruling.decides,),
        rules=(*ruling.rules, *decides.rules) if overrides else ruling.rules,
    )


def may_void(state: State, current: Round, pending: Pending) -> bool:
    """Whether the round is void by some ruling on it, as far as that is known."""
    procedure = find_case(state.rulebook, pending.case)
    ways = [ruled(state, current, pending, Inputs(reconstructable=able)) for able in findings(procedure)]
    return any("void" in way.remedies for way in ways)


def _remedies(ruling: Ruling, inputs: Inputs) -> tuple[str, ...]:
    """The ruling's remedies, with what is at discretion as it was decided."""
    if inputs.overrides:
        return (inputs.action,)
    kept = [one for one in ruling.remedy if one != "replace-cards" or inputs.replace_cards]
    return tuple([inputs.action or "continue" if one == "decide" else one for one in kept])
