"""Every decision that a case leaves to somebody of rank, with what it means for each player.

What would be refused is not offered. Where a person has to say more (`asks`), what follows is told once it is
said (`decision_of`).
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, permutations
from typing import Any, get_args, get_type_hints

import msgspec

from thirdcard.cards import Card
from thirdcard.rulebook.model import Procedure, Rules, Side
from thirdcard.rulebook.remedies import REMEDIES
from thirdcard.rulebook.rulings import find_case
from thirdcard.service.queries.consequences import (
    WHO,
    Choice,
    Consequence,
    Trial,
    consequences,
    with_shown,
)
from thirdcard.service.queries.parts import (
    Power,
    Rung,
    Sentence,
    ladder,
    may_all,
    power_of,
    remedy_sentences,
    tell,
)
from thirdcard.table import State, commands, limits
from thirdcard.table.refusals import Refusal
from thirdcard.table.reported import held_by, in_question, reordered
from thirdcard.table.rights.insurance import why_not_affected
from thirdcard.table.ruled import findings, ruled
from thirdcard.table.samples import REASON, spare_cards
from thirdcard.table.state import HANDS, DrawnCard, Inputs, Pending, Round, Stake
from thirdcard.table.unseen import came_out

replace = msgspec.structs.replace
MOST_IN_ORDERS = 3  # cards whose orders are laid side by side
MOST_NAMED = 8  # people or stakes that are offered one by one
ACTIONS: tuple[str, ...] = tuple(name for name in get_args(get_type_hints(Inputs)["action"]) if name)
RULED = "ruled"  # the key of what has been decided already
ON_STAKES = ("return-stakes", "cut-to-maximum", "let-stand")  # actions that take stakes and nothing else


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """One decision: what is said to the table, who may say it, and what follows for whom.

    `inputs` are those of the command `rule`, without what `asks` leaves to the person. `override`: it sets a
    reading aside. `may_replace`: new cards may be asked for besides, which changes nobody's money.
    """

    key: str
    title: Sentence
    inputs: dict[str, Any]
    asks: tuple[str, ...]
    override: bool
    remedies: tuple[tuple[str, str], ...]
    may_replace: bool
    power: Power
    who: tuple[Rung, ...]
    outcome: str
    points: dict[Side, int]
    notes: tuple[Sentence, ...]
    results: tuple[Consequence, ...]
    rules: Rules


class _Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """Something that could be decided; `sample` stands in for what the person has yet to say."""

    name: str
    title: Sentence
    inputs: Inputs
    asks: tuple[str, ...] = ()
    sample: Inputs | None = None


# All of them --------------------------------------------------------------------------------------------


def decisions(state: State, current: Round, pending: Pending, rank: str) -> tuple[Decision, ...]:
    """What can be decided on the case under way; on one that players still answer to, what was."""
    if pending.inputs is not None:
        return (_ruled(state, pending, rank),)
    procedure = find_case(state.rulebook, pending.case)
    proposals = [*_proposals(state, current, pending, procedure)]
    if procedure.interpretations and may_all(state.rulebook, rank, (state.rulebook.authority.decides.value,)):
        proposals += _overrides(state, current, pending, procedure)
    decided = (_decision(state, current, pending, proposal, rank) for proposal in proposals)
    return tuple(one for one in decided if not isinstance(one, Refusal))


def decision_of(
    state: State, current: Round, pending: Pending, inputs: Inputs, rank: str
) -> Decision | Refusal:
    """What the inputs of somebody who is typing them would mean, or why they would be refused."""
    typed = _Proposal(name="typed", title=tell("decide_typed", state.rulebook), inputs=inputs)
    return _decision(state, current, pending, typed, rank)


# What can be proposed -----------------------------------------------------------------------------------


def _proposals(state: State, current: Round, pending: Pending, procedure: Procedure) -> Iterator[_Proposal]:
    """What the document leaves to whoever rules: what is found, and what a remedy asks for."""
    for able in findings(procedure):
        bare = Inputs(reconstructable=able)
        remedies = ruled(state, current, pending, bare).ruling.remedy
        if "decide" in remedies:
            yield from _actions(state, current, pending, bare, "")
        elif "decide-order" in remedies:
            yield from _orders(state, current, pending, bare, "")
        elif "remove-named" in remedies:
            yield from _removals(state, current, bare)
        elif "return-original" in remedies:
            yield from _intentions(state, current, pending, bare)
        else:
            yield _plain(state, current, pending, bare, remedies)
            if "as-they-lie" in remedies:
                yield from islice(_orders(state, current, pending, bare, "unable-"), 1, None)


def _plain(
    state: State, current: Round, pending: Pending, bare: Inputs, remedies: tuple[str, ...]
) -> _Proposal:
    """As the rule says, with a finding if it asks for one; cards that nobody has named are to be named."""
    if bare.reconstructable is None:
        name, title = "rule", tell("decide_rule", state.rulebook)
    elif bare.reconstructable:
        name, title = "able", tell("decide_able", state.rulebook)
    else:
        name, title = "unable", tell("decide_unable", state.rulebook)
    asks = {ask for remedy in remedies for ask in REMEDIES[remedy].asks} & {"names", "substitutes"}
    unnamed = [place for place in held_by(current, pending) if current.drawn[place - 1].name is None]
    if not asks or not unnamed:
        return _Proposal(name=name, title=title, inputs=bare)
    given = dict(zip(map(str, unnamed), spare_cards(state), strict=False))
    sample = replace(bare, **dict.fromkeys(asks, given))
    return _Proposal(name=name, title=title, inputs=bare, asks=tuple(sorted(asks)), sample=sample)


def _overrides(state: State, current: Round, pending: Pending, procedure: Procedure) -> Iterator[_Proposal]:
    """The readings behind the case are set aside, and something else is done."""
    bare = Inputs(reconstructable=findings(procedure)[0], overrides=procedure.interpretations)
    if "decide" not in ruled(state, current, pending, bare).ruling.remedy:
        yield from _actions(state, current, pending, bare, "override-")


def _actions(
    state: State, current: Round, pending: Pending, bare: Inputs, prefix: str
) -> Iterator[_Proposal]:
    """Each thing that can be done at discretion, with a reason."""
    over = limits.undecided_excess(state, current)
    every = tuple(current.stakes.values())
    for action in ACTIONS:
        name, inputs = f"{prefix}{action}", replace(bare, action=action)
        title = tell(f"action_{action.replace('-', '_')}", state.rulebook)
        if action == "fix-order":
            yield from _orders(state, current, pending, inputs, f"{prefix}fix-")
        elif not REMEDIES[action].asks:
            yield _Proposal(name=name, title=title, inputs=inputs, asks=("reason",))
        elif action in ON_STAKES and over:
            yield _Proposal(name=name, title=title, inputs=_about(inputs, over), asks=("reason",))
        elif every and action != "cut-to-maximum":
            sample = _about(inputs, every[:1])
            if action == "cut-stakes":
                sample = replace(sample, amounts=(0,))
            asks = (*REMEDIES[action].asks, "reason")
            yield _Proposal(name=name, title=title, inputs=inputs, asks=asks, sample=sample)


def _about(inputs: Inputs, stakes: Sequence[Stake]) -> Inputs:
    return replace(inputs, stakes=tuple((stake.player, stake.box, stake.bet) for stake in stakes))


def _orders(state: State, current: Round, pending: Pending, bare: Inputs, prefix: str) -> Iterator[_Proposal]:
    """Each order in which the cards in question could count; where they are many, the person names one."""
    reason = ("reason",) if bare.action else ()
    places = in_question(current, pending)
    laid = orders(state, current, pending)
    for order in laid:
        numbers = tuple(number + 1 for number in order)
        name = f"{prefix}order-{'-'.join(map(str, numbers))}"
        title = _order_title(state, current, pending, order)
        yield _Proposal(name=name, title=title, inputs=replace(bare, order=numbers), asks=reason)
    if places and not laid:
        sample = replace(bare, order=tuple(range(1, len(places) + 1)))
        title = tell("decide_orders", state.rulebook, count=len(places))
        yield _Proposal(
            name=f"{prefix}order", title=title, inputs=bare, asks=("order", *reason), sample=sample
        )


def orders(state: State, current: Round, pending: Pending) -> tuple[tuple[int, ...], ...]:
    """The orders of the cards in question, counted from 0 as they are on record; none if they are many.

    Where everybody has seen them, orders that look the same are one.
    """
    places = in_question(current, pending)
    if not 0 < len(places) <= MOST_IN_ORDERS:
        return ()
    every = permutations(range(len(places)))
    if not is_seen(state, current, pending):
        return tuple(every)
    unlike: dict[tuple[Card | None, ...], tuple[int, ...]] = {}
    for order in every:
        unlike.setdefault(tuple(card.name for card in in_order(current, pending, order)), order)
    return tuple(unlike.values())


def is_seen(state: State, current: Round, pending: Pending) -> bool:
    """Whether cards are dealt face up here, and everybody has seen all that came out."""
    every = (*current.drawn, *came_out(current, pending))
    return not state.setup.dealing.face_down and all(card.face_up and card.name for card in every)


def in_order(current: Round, pending: Pending, order: tuple[int, ...]) -> tuple[DrawnCard, ...]:
    """All cards, with those in question in that order."""
    every = (*current.drawn, *came_out(current, pending))
    return reordered(every, in_question(current, pending), tuple(place + 1 for place in order))


def _order_title(state: State, current: Round, pending: Pending, order: tuple[int, ...]) -> Sentence:
    if not is_seen(state, current, pending):
        return tell("first_place", state.rulebook, order=" ".join(str(one + 1) for one in order))
    laid, places = in_order(current, pending, order), in_question(current, pending)
    names = [card.value for card in (laid[place - 1].name for place in places) if card is not None]
    match names:
        case [first] | [first, _]:
            return tell("first_card", state.rulebook, card=first)
    return tell("decide_order", state.rulebook, cards=" ".join(names))


def _removals(state: State, current: Round, bare: Inputs) -> Iterator[_Proposal]:
    """Wagers of the heavier hand that come off: the latest first, or one that is enough by itself."""
    heavier = limits.heavier(current.stakes.values())
    heavy = sorted(
        (stake for stake in current.stakes.values() if stake.bet == heavier), key=lambda stake: -stake.order
    )
    excess = limits.excess(state.setup, current.stakes.values())
    alone = [[stake] for stake in heavy if stake.cents >= excess][:MOST_NAMED]
    removals = [limits.taken(state.setup, stakes, excess) for stakes in (heavy, *alone)]
    for number, taken in enumerate(removals):
        if taken in removals[:number]:
            continue
        names = ", ".join(dict.fromkeys(stake.player for stake, _ in taken))
        cents = sum(stake.cents - left for stake, left in taken)
        inputs = _about(bare, [stake for stake, _ in taken])
        yield _Proposal(
            name=f"remove-{number}",
            title=tell("decide_remove", state.rulebook, players=names, cents=cents),
            inputs=replace(inputs, amounts=tuple(left for _, left in taken)),
        )


def _intentions(state: State, current: Round, pending: Pending, bare: Inputs) -> Iterator[_Proposal]:
    """Who had meant to insure: nobody, one of those for whom it can be found, or all of them."""
    bettors = dict.fromkeys(stake.player for stake in current.stakes.values() if stake.bet in HANDS)
    people = [bettor for bettor in bettors if not pending.players or bettor in pending.players]
    meant = [person for person in people if not why_not_affected(state, current, pending.window, person)]
    yield _Proposal(name="intended-none", title=tell("decide_intended_none", state.rulebook), inputs=bare)
    for number, some in enumerate([*((one,) for one in meant[:MOST_NAMED] if len(meant) > 1), tuple(meant)]):
        if some:
            title = tell("decide_intended", state.rulebook, players=", ".join(some))
            yield _Proposal(name=f"intended-{number}", title=title, inputs=replace(bare, intended=some))


# What follows -------------------------------------------------------------------------------------------


def _trials(state: State, needed: Iterable[str], inputs: Inputs | None) -> tuple[Trial, Trial] | Refusal:
    """The ruling carried out, with everybody who may choose going on and with everybody taking bets back.

    Without inputs it has been ruled, and players are yet to choose.
    """
    choices: tuple[Choice, Choice] = ("continue", "return")
    trials = []
    for choice in choices:
        trial = Trial(with_shown(state), needed)
        refusal = None if inputs is None else trial.do(commands.Rule(by=WHO, inputs=inputs))
        if refusal is not None:
            return refusal
        trial.choose(choice)
        trial.settle()
        trials.append(trial)
    return trials[0], trials[1]


def _decision(
    state: State, current: Round, pending: Pending, proposal: _Proposal, rank: str
) -> Decision | Refusal:
    """The proposal with what follows, or why the table would refuse it."""
    inputs = proposal.inputs
    made_of = ruled(state, current, pending, replace(inputs, replace_cards=True))
    ruling, needed = made_of.ruling, made_of.ranks
    said = proposal.sample or inputs
    trials = _trials(state, needed, said if said.reason else replace(said, reason=REASON))
    if isinstance(trials, Refusal):
        return trials
    unsaid = not {"reason"}.issuperset(proposal.asks)
    going, results = trials[0], consequences(*trials)
    return Decision(
        key=proposal.name,
        title=proposal.title,
        inputs=msgspec.to_builtins(inputs),
        asks=proposal.asks,
        override=bool(inputs.overrides),
        remedies=remedy_sentences(made_of.remedies),
        may_replace="replace-cards" in ruling.remedy,
        power=power_of(state.rulebook, rank, needed[-1], ruling.rules),
        who=ladder(state.rulebook, needed, rank),
        outcome="" if unsaid else going.outcome,
        points={} if unsaid else going.points,
        notes=(tell("then_to_say", state.rulebook),) if unsaid else tuple(going.notes()),
        results=tuple(map(_untold, results)) if unsaid else results,
        rules=ruling.rules,
    )


def _untold(one: Consequence) -> Consequence:
    """What nobody can tell before the person has said what is asked for."""
    return replace(
        one,
        net=None,
        certain=0,
        open=True,
        back=0,
        asked=False,
        choice=None,
        returned=None,
        net_returned=None,
    )


def _ruled(state: State, pending: Pending, rank: str) -> Decision:
    """What was ruled, while players still answer to it; its reason is told by the record alone."""
    trials = _trials(state, (pending.decides,), None)
    assert not isinstance(trials, Refusal)  # choices are not asked for by a command that is refused
    inputs = replace(pending.inputs or Inputs(), reason="")
    ladder_of = ladder(state.rulebook, (pending.decides,), rank)
    return Decision(
        key=RULED,
        title=tell("decide_ruled", state.rulebook),
        inputs=msgspec.to_builtins(inputs),
        asks=(),
        override=bool(inputs.overrides),
        remedies=remedy_sentences(pending.remedies),
        may_replace=False,
        power=power_of(state.rulebook, rank, pending.decides, pending.rules),
        who=ladder_of,
        outcome=trials[0].outcome,
        points=trials[0].points,
        notes=tuple(trials[0].notes()),
        results=consequences(*trials),
        rules=pending.rules,
    )
