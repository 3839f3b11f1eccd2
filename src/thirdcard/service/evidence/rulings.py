"""What went wrong in a round, who ruled on it and how; what was put right, before and after."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Self

import msgspec

from thirdcard.cards import Card
from thirdcard.rulebook.model import Rules
from thirdcard.rulebook.rulings import find_case
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.floor_events import Logged
from thirdcard.service.log.store.model import Record
from thirdcard.service.queries.decisions import Decision, decision_of, decisions, in_order
from thirdcard.table import events
from thirdcard.table.refusals import Refusal
from thirdcard.table.reported import in_question
from thirdcard.table.state import Change, Inputs, Pending, Round, Stake, State
from thirdcard.words import Words, in_words
from thirdcard.words.telling import remedy

replace = msgspec.structs.replace


class LoggedStep(msgspec.Struct, frozen=True, kw_only=True):
    """Something that somebody did: the record, when, who and why."""

    version: int
    at: int
    by: str
    why: str = ""

    @classmethod
    def of(cls, stored: Record, why: str = "") -> Self:
        return cls(version=stored.version, at=stored.at, by=stored.by, why=why)


class Lying(msgspec.Struct, frozen=True, kw_only=True):
    """How the round lay: its cards in the order drawn, its stakes, and what each player had won."""

    phase: str
    cards: tuple[Card | None, ...]
    stakes: tuple[Stake, ...]
    nets: dict[str, int]

    @classmethod
    def of(cls, state: State) -> Self:
        current = state.round
        assert current is not None  # a round is looked at from the opening of its bets on
        return cls(
            phase=current.phase,
            cards=current.cards,
            stakes=tuple(current.stakes.values()),
            nets=current.settlement.nets if current.settlement is not None else {},
        )


class ChoiceOnPaper(msgspec.Struct, frozen=True, kw_only=True):
    """What a player chose of the options, and when."""

    player: str
    choice: str
    returned: tuple[str, ...]
    at: int
    by: str


class NetByOption(msgspec.Struct, frozen=True, kw_only=True):
    """What a decision would have come to for one person in one box, None where that was open then.

    `returned` is the same for who was asked, and had taken the bets back.
    """

    player: str
    box: int
    net: int | None
    returned: int | None = None


class OptionOnPaper(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that the case left to who ruled, as the table lay then; `chosen` is what was decided."""

    title: str
    chosen: bool
    nets: tuple[NetByOption, ...]


class RulingOnPaper(msgspec.Struct, frozen=True, kw_only=True):
    """An irregularity from its report to its end.

    `decides` is the rank that may rule; `remedies` with the sentence of each and what became of it. `inputs`
    are what was found or decided, `options` what could have been, with what each would have come to.
    `before` is how the round lay when it was reported, `after` when it ended.
    """

    case: str
    title: str
    decides: str
    rules: Rules
    facts: dict[str, str | bool]
    players: tuple[str, ...]
    box: int
    drawn: tuple[Card | None, ...]
    decided_by: str
    reported: LoggedStep
    taken: LoggedStep | None = None
    passed_up: tuple[LoggedStep, ...] = ()
    ruled: LoggedStep | None = None
    inputs: Inputs | None = None
    options: tuple[OptionOnPaper, ...] = ()
    remedies: tuple[tuple[str, str], ...] = ()
    done: tuple[str, ...] = ()
    needless: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    choices: tuple[ChoiceOnPaper, ...] = ()
    said: tuple[str, ...] = ()
    dismissed: LoggedStep | None = None
    closed: LoggedStep | None = None
    before: Lying
    after: Lying


class Amendment(msgspec.Struct, frozen=True, kw_only=True):
    """A record that was put right, with what that made different for whom."""

    amended: LoggedStep
    agreed: str
    proposed: LoggedStep | None
    rules: Rules
    changes: tuple[Change, ...]
    before: Lying
    after: Lying


Step = tuple[Record, Logged, State, State]


def rulings(steps: Iterable[Step], said: Words) -> tuple[RulingOnPaper, ...]:
    """All irregularities of a round in the order reported; remedies are told in these words."""
    found, waiting = (
        list[RulingOnPaper](),
        list[int](),
    )  # places in `found` of those open, the first of them ruled
    for stored, event, before, after in steps:
        if isinstance(event, events.IrregularityReported):
            waiting.append(len(found))
            found.append(_reported(stored, event, before, after))
            continue
        if not waiting:
            continue
        at = waiting[min(_number(event), len(waiting) - 1)]
        one = replace(_with(found[at], stored, event, said), after=Lying.of(after))
        if isinstance(event, events.IrregularityRuled):
            one = replace(one, options=tuple(_options(before, event, said)))
        found[at] = one
        if one.dismissed is not None or one.closed is not None:
            waiting.remove(at)
        elif isinstance(event, events.RoundVoided):
            waiting = []
    return tuple(found)


def _number(event: Logged) -> int:
    """Which of the open irregularities an event is about; the first if it does not say."""
    if isinstance(
        event,
        floor.CaseTaken | floor.CasePassedUp | events.ReportDismissed | events.ReportEnded,
    ):
        return event.number
    return 0


def _reported(
    stored: Record, event: events.IrregularityReported, before: State, after: State
) -> RulingOnPaper:
    pending = event.pending
    return RulingOnPaper(
        case=pending.case,
        title=find_case(after.rulebook, pending.case).title,
        decides=pending.decides,
        rules=pending.rules,
        facts=pending.facts,
        players=pending.players,
        box=pending.box,
        drawn=pending.drawn,
        decided_by=pending.decided_by,
        reported=LoggedStep.of(stored, pending.note),
        before=Lying.of(before),
        after=Lying.of(after),
    )


def _with(one: RulingOnPaper, stored: Record, event: Logged, said: Words) -> RulingOnPaper:  # noqa: C901, PLR0911 - a row each
    match event:
        case floor.CaseTaken():
            return replace(one, taken=LoggedStep.of(stored))
        case floor.CasePassedUp():
            return replace(
                one, passed_up=(*one.passed_up, LoggedStep.of(stored, f"{event.to}: {event.note}"))
            )
        case floor.SaidInPublic() if event.sentence:
            return replace(one, said=(*one.said, event.sentence))
        case events.IrregularityRuled():
            told = tuple((name, remedy(name, said)) for name in event.remedies)
            return replace(
                one,
                ruled=LoggedStep.of(stored, event.inputs.reason),
                inputs=event.inputs,
                facts=event.facts,
                remedies=told,
                rules=tuple(dict.fromkeys((*one.rules, *event.rules))),
            )
        case events.ChoicesOffered():
            return replace(one, asked=event.players)
        case events.ChoiceMade():
            made = ChoiceOnPaper(
                player=event.player,
                choice=event.choice,
                returned=event.returned,
                at=stored.at,
                by=event.by,
            )
            return replace(one, choices=(*one.choices, made))
        case events.RemedyDone():
            return replace(one, done=(*one.done, event.remedy))
        case events.RemedyNeedless():
            return replace(one, needless=(*one.needless, event.remedy))
        case events.ReportDismissed():
            return replace(one, dismissed=LoggedStep.of(stored, event.reason))
        case events.IrregularityClosed() | events.ReportEnded():
            return replace(one, closed=LoggedStep.of(stored))
    return one


def _options(state: State, event: events.IrregularityRuled, said: Words) -> Iterator[OptionOnPaper]:
    """What could be decided on the table as it lay, and what was, with what it comes to for each."""
    current = state.round
    pending = current.pending if current is not None else None
    assert current is not None  # a ruling is on a round that something holds up
    assert pending is not None
    inputs = _by_number(current, pending, event.inputs)
    made = decision_of(state, current, pending, inputs, pending.decides)
    chosen = None if isinstance(made, Refusal) else made
    for decision in decisions(state, current, pending, pending.decides):
        is_it = chosen is not None and _alike(decision, inputs)
        yield OptionOnPaper(
            title=in_words(decision.title, said.code, state.rulebook),
            chosen=is_it,
            nets=_nets(chosen if is_it and chosen else decision),
        )
        chosen = None if is_it else chosen
    if chosen is not None:
        title = in_words(chosen.title, said.code, state.rulebook)
        yield OptionOnPaper(title=title, chosen=True, nets=_nets(chosen))


def _by_number(current: Round, pending: Pending, inputs: Inputs) -> Inputs:
    """The same, where an order was told by names: cards that nobody had seen go by their numbers."""
    places = in_question(current, pending)
    laid = in_order(current, pending, tuple(range(len(places))))
    names = [laid[place - 1].name for place in places]
    order = list[Card | int]()
    for one in inputs.order:
        if one in names:
            order.append(names.index(one) + 1)
            names[names.index(one)] = None  # two cards may have one name
        else:
            order.append(one)
    return replace(inputs, order=tuple(order))


def _alike(one: Decision, inputs: Inputs) -> bool:
    """Whether a decision is the one that was made, but for what it leaves to the person to say."""
    given: dict[str, object] = msgspec.to_builtins(inputs)
    left = {*one.asks, "reason", "replace_cards"}
    return {name: value for name, value in given.items() if name not in left} == {
        name: value for name, value in one.inputs.items() if name not in left
    }


def _nets(one: Decision) -> tuple[NetByOption, ...]:
    return tuple(
        NetByOption(player=it.player, box=it.box, net=it.net, returned=it.net_returned if it.asked else None)
        for it in one.results
    )


def amendments(steps: Sequence[Step]) -> tuple[Amendment, ...]:
    """What was put right, in order: as it lay when that was asked for, and as it was settled again."""
    found = list[Amendment]()
    proposed: LoggedStep | None = None
    for place, (stored, event, _, after) in enumerate(steps):
        if isinstance(event, events.AmendmentProposed):
            proposed = LoggedStep.of(stored, event.proposal.reason)
        elif isinstance(event, events.RecordAmended | events.CardsCorrected):
            found.append(
                Amendment(
                    amended=LoggedStep.of(stored, getattr(event, "reason", "")),
                    agreed=getattr(event, "agreed", ""),
                    proposed=proposed,
                    rules=event.rules,
                    changes=getattr(event, "changes", ()),
                    before=Lying.of(_asked_on(steps[: place + 1])),
                    after=Lying.of(after),
                )
            )
            proposed = None
        if found and isinstance(event, events.RoundSettled):
            found[-1] = replace(found[-1], after=Lying.of(after))
    return tuple(found)


# What comes before it when a record is put right, in one go.
PREPARING = (
    events.SettlementReversed, events.CardsAmended, events.InsuranceOpened, events.ChipsPutRight,
    events.StakeSet, events.PlayedChanged,
)  # fmt: skip


def _asked_on(steps: Sequence[Step]) -> State:
    """The table on which it was asked that a record be put right, which the last of these steps is."""
    first = len(steps) - 1
    while isinstance(steps[first - 1][1], PREPARING):
        first -= 1
    return steps[first][2]
