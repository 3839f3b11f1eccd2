"""Every event cites what the rulebook says of it, and nothing else.

`MAY` has for each kind of event the paragraphs that it may rest on, read from the rulebook where it stands there. While
a ruling is carried out its own paragraphs may be cited too, by the kinds of `CARRIED_OUT`. Walks and storms have to
bring about every kind that can cite, so that nothing passes because it never happened.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, get_args

import msgspec
import pytest

from table.beside import Beside, plain
from table.machine import Seeded, Walk, random_setup
from table.storms import TABLES, Storm, replace
from thirdcard.rulebook import load, slugs
from thirdcard.rulebook.model import About, Fact, Rulebook
from thirdcard.table import Refusal, State, decide, events, evolve
from thirdcard.table.commands import AnyCommand
from thirdcard.table.events import AnyEvent, Event
from thirdcard.table.ranks import amending_rank, discretion
from thirdcard.table.rights.squeezing import permit_of
from thirdcard.table.setup import Setup
from thirdcard.table.state import Line, stake_key

LAYOUTS = [(slug, next(iter(load(slug).layouts))) for slug in slugs()]
May = Callable[[State, Any], Iterable[str]]
# The last two bring what is rare: wagers withdrawn by leave, and a hand passed on that somebody else was let squeeze.
SEEDS = (*range(9), 103, 106)
Act = tuple[AnyEvent, ...]  # all that a command brings about


# What a rulebook says ------------------------------------------------------------------------------------


def _of(*facts: Fact | None) -> Iterator[str]:
    for fact in facts:
        yield from fact.rules if fact is not None else ()


def _case(rules: Rulebook, *about: About) -> Iterator[str]:
    """The paragraphs of the irregularities of these kinds."""
    for kind in about:
        yield from _of(rules.procedure(kind))


def _named(rules: Rulebook, case: str) -> Iterator[str]:
    """The paragraphs of an irregularity by its name, those of all its rulings, and of who decides."""
    for procedure in rules.procedures:
        if procedure.case == case:
            yield from _of(procedure, *procedure.rulings)
    yield from rules.authority.decides.rules


def _nothing(_state: State, _event: Event) -> Iterable[str]:
    return ()


def _granted(grants: str) -> May:
    return lambda state, _: _of(discretion(state.rulebook, grants))


# Chips ---------------------------------------------------------------------------------------------------


def _stake_set(state: State, event: events.StakeSet) -> Iterable[str]:
    rules, differential = state.rulebook, state.rulebook.limits.differential
    match event.why:
        case "placed":
            return rules.betting.by_staff.rules if event.stake.by else ()
        case "recorded":
            return _recorded(state, event)
        case "cut":
            return differential.before.rules
        case "removed":
            return differential.after.rules
        case "withdrawn":
            return _of(discretion(rules, "cut-card-withdrawal"))
    return ()


def _recorded(state: State, event: events.StakeSet) -> Iterable[str]:
    """Chips count where they lie; else only a stake outside its limits has a paragraph, of that limit."""
    rules, limit, cents = state.rulebook, state.setup.limit(event.stake.bet), event.stake.cents
    yield from _case(rules, "chips-lie")
    if 0 < cents < limit.min:
        yield from rules.limits.below_minimum_unnoticed.rules
    if limit.max is not None and cents > limit.max:
        yield from rules.limits.above_maximum_unnoticed.rules


def _late(state: State, event: events.LateChipsRecorded) -> Iterable[str]:
    return _case(state.rulebook, "late-chips" if event.late.cents > 0 else "taken-chips")


def _put_right(state: State, event: events.ChipsPutRight) -> Iterable[str]:
    assert state.round is not None
    for key in event.stakes:
        yield from _case(state.rulebook, "late-chips" if state.round.late[key].cents > 0 else "taken-chips")


def _played(state: State, event: events.PlayedChanged) -> Iterator[str]:
    """What limits a stake now that it did not, or did until now: the differential, a minimum or a maximum."""
    assert state.round is not None
    differential = state.rulebook.limits.differential
    before, after = state.round.played, event.played
    for key in {*before, *after}:
        for one in {before.get(key), after.get(key)} if before.get(key) != after.get(key) else ():
            yield from one.rules if one else ()
            yield from differential.rules if one and one.rules == differential.after.rules else ()


# Cards ---------------------------------------------------------------------------------------------------


def _handling(state: State) -> Iterator[str]:
    """Where a player draws the paragraphs of that method, elsewhere those of squeezing and of the method."""
    method = state.setup.dealing
    yield from method.handing_rules
    if method.device != "player":
        yield from state.rulebook.squeeze.rules


def _handed(state: State, event: events.CardsHanded) -> Iterator[str]:
    assert state.round is not None
    if event.wrongly:
        yield from _case(state.rulebook, "wrong-person")
        return
    yield from _handling(state)
    for place in event.places:
        permit = permit_of(state.round, place)
        yield from permit.rules if permit and permit.player == event.player else ()


def _permitted(state: State, _: events.SqueezePermitted) -> Iterator[str]:
    if state.rulebook.squeeze.right == "largest-bet":
        return _of(state.rulebook.squeeze)
    return _of(discretion(state.rulebook, "any-squeezer"), discretion(state.rulebook, "handler"))


def _refused(state: State, _: events.CardsRefused) -> Iterable[str]:
    return _handling(state)


def _retrieved(state: State, _: events.CardsRetrieved) -> Iterator[str]:
    absent = state.rulebook.procedure("absent-handler")
    return _of(absent) if absent else _handling(state)


def _device_given(state: State, event: events.DeviceGiven) -> Iterable[str]:
    if event.without_wager:
        return _of(discretion(state.rulebook, "draw-without-wager"))
    return state.setup.dealing.rules


def _device_returned(state: State, event: events.DeviceReturned) -> Iterable[str]:
    method = state.setup.dealing
    return {
        "wager-lost": method.lost_rules,
        "given-up": method.given_up_rules,
        "left": method.given_up_rules,
        "taken": method.rules,
    }[event.why]


def _thirds(state: State, _: Event) -> Iterable[str]:
    return _of(state.rulebook.squeeze.banker_third_first)


def _drawn(state: State, event: events.CardDrawn) -> Iterable[str]:
    third = 4
    return state.rulebook.table_of_play.rules if event.place > third else ()


# Insurance -----------------------------------------------------------------------------------------------


def _opened(state: State, _: events.InsuranceOpened) -> Iterable[str]:
    return _of(state.rulebook.insurance)


def _bought(state: State, event: events.InsuranceBought) -> Iterable[str]:
    assert state.rulebook.insurance is not None
    return state.rulebook.insurance.offers[event.purchase.row].rules


def _forgone(state: State, _: Event) -> Iterable[str]:
    return _of(state.rulebook.insurance and state.rulebook.insurance.forgone)


def _window_closed(state: State, event: events.InsuranceClosed) -> Iterable[str]:
    return _forgone(state, event) if event.forgone else ()


def _private(state: State, _: Event) -> Iterable[str]:
    return _of(state.rulebook.insurance and state.rulebook.insurance.private)


# Records, reports and rounds -----------------------------------------------------------------------------


def _amending(state: State, _act: Act) -> Iterable[str]:
    """Who puts a record right, as things stood before."""
    return amending_rank(state)[1]


def _amended(state: State, act: Act) -> Iterable[str]:
    """Chips put right rest on what is said of chips, cards on who puts them right, a void on who decides."""
    for one in act:
        if isinstance(one, events.StakeSet) and one.why == "recorded":
            return _recorded(state, one)
        if isinstance(one, events.RoundVoided):
            return state.rulebook.authority.decides.rules
    return _amending(state, act)


def _voided(state: State, _: events.RoundVoided) -> Iterator[str]:
    return _of(state.rulebook.authority.decides, state.rulebook.void)


def _reported(state: State, event: events.IrregularityReported) -> Iterable[str]:
    return _of(next(one for one in state.rulebook.procedures if one.case == event.pending.case))


def _by_case(state: State, event: Any) -> Iterable[str]:  # noqa: ANN401 - an event that has a case
    return _named(state.rulebook, event.case)


def _chosen(state: State, event: events.ChoiceMade) -> Iterable[str]:
    """Nobody waits for who has walked away."""
    assert state.round is not None
    left = event.choice == "continue" and event.player in state.round.gone
    return _case(state.rulebook, "walked-away") if left else ()


def _setup_changed(state: State, event: events.SetupChanged) -> Iterator[str]:
    rules, before = state.rulebook, event.before
    assert before is not None
    if event.setup.method != before.method:
        yield from event.setup.dealing.rules
    if event.setup.insurance != before.insurance:
        yield from _private(state, event)
    if event.setup.wagers_per_area != before.wagers_per_area:
        yield from _of(discretion(rules, "fewer-wagers"))


MAY: dict[type, May] = {
    events.SetupChanged: _setup_changed,
    events.WalkedAway: lambda state, _: _case(state.rulebook, "walked-away"),
    events.NoInsuranceRequested: _private,
    events.ShoeStarted: lambda state, _: state.rulebook.decks.rules,
    events.BetsOpened: lambda state, _: state.rulebook.betting.opens.rules,
    events.StakeSet: _stake_set,
    events.DifferentialExceeded: lambda state, _: state.rulebook.limits.differential.before.rules,
    events.BetsClosed: lambda state, _: state.rulebook.betting.closes.rules,
    events.PlayedChanged: _played,
    events.LateChipsRecorded: _late,
    events.ChipsPutRight: _put_right,
    events.CutCardAppeared: lambda state, _: _of(state.rulebook.cut_card),
    events.WithdrawalAllowed: _granted("cut-card-withdrawal"),
    events.CardDrawn: _drawn,
    events.CardsExposed: _nothing,
    events.FirstHandChosen: _granted("first-hand"),
    events.SqueezeRequested: lambda state, _: state.rulebook.squeeze.rules,
    events.SqueezePermitted: _permitted,
    events.CardsHanded: _handed,
    events.CardsRefused: _refused,
    events.ThirdCardRequested: _thirds,
    events.ThirdCardsReversed: _thirds,
    events.DeviceGiven: _device_given,
    events.DeviceReturned: _device_returned,
    events.InsuranceOpened: _opened,
    events.InsuranceBought: _bought,
    events.InsuranceDeclined: _forgone,
    events.InsuranceClosed: _window_closed,
    events.RoundVoided: _voided,
    events.IrregularityReported: _reported,
    events.ReportDismissed: lambda state, event: _case_of_report(state, event.case),
    events.IrregularityRuled: _by_case,
    events.IrregularityClosed: lambda state, _: state.rulebook.authority.decides.rules,
    events.ChoiceMade: _chosen,
    events.CardsRetrieved: _retrieved,
}
# What these may cite follows from the whole act, and from how things stood before it.
OF_AN_ACT: dict[type, Callable[[State, Act], Iterable[str]]] = {
    events.SettlementReversed: _amended,
    events.AmendmentProposed: _amending,
    events.CardsAmended: _amending,
    events.RecordAmended: _amended,
}
# Only a ruling brings these about, and they cite what it rests on.
RULED = (
    events.DecidedSettled, events.ReportEnded, events.ChoicesOffered, events.StakesDecided, events.DisplayCorrected,
    events.CardsLaid, events.CardsReplaced, events.BetsReopened, events.RaiseDemanded, events.LateInsuranceOpened,
    events.NeglectFound, events.NeglectRecorded,
)  # fmt: skip
# What may also follow from a ruling, and then cites what that rests on.
CARRIED_OUT = (
    events.StakeSet, events.PlayedChanged, events.ChipsPutRight, events.CardsExposed, events.CardsHanded,
    events.CardsRetrieved, events.WalkedAway, events.InsuranceOpened, events.DifferentialExceeded,
    events.SettlementReversed, events.RoundVoided, events.ChoiceMade, *RULED,
)  # fmt: skip
# Release 0.1.0 wrote these.
OLD = (events.CardsCorrected, events.CardsReconstructed, events.InsuranceForgone)
# These say what happened and rest on nothing; a settlement cites line by line.
PLAIN = (
    events.TableOpened, events.PlayerJoined, events.PlayerLeft, events.BoughtIn, events.CashedOut, events.SeatTaken,
    events.SeatLeft, events.StaffAssigned, events.RoundSettled, events.AmendmentDropped, events.RemedyDone,
    events.RemedyNeedless, events.RulebookChanged,
)  # fmt: skip


def _case_of_report(state: State, case: str) -> Iterable[str]:
    return _of(next(one for one in state.rulebook.procedures if one.case == case))


def wrong(before: State, act: Act, state: State, event: AnyEvent) -> list[str]:
    """The paragraphs that an event of an act cites and may not; `state` is what it comes after."""
    kind = type(event)
    pending = state.round.pending if state.round else None
    if (
        pending is not None
        and pending.inputs is not None
        and kind in CARRIED_OUT
        and event.rules == pending.rules
    ):
        return []
    if kind in OF_AN_ACT:
        may = set(OF_AN_ACT[kind](before, act))
    else:
        may = set(MAY.get(kind, _nothing)(state, event))
    return [rule for rule in event.rules if rule not in may] + list(_wrong_lines(state, event))


def _wrong_lines(state: State, event: AnyEvent) -> Iterator[str]:
    """Each line of a settlement rests on its bet, or its insurance, and on what limits it."""
    lines: tuple[Line, ...] = ()
    if isinstance(event, events.RoundSettled):
        lines = event.settlement.lines
    elif isinstance(event, events.DecidedSettled):
        lines = event.lines
    for line in lines:
        may = set(_line(state, line))
        yield from (f"{rule} of {line.player}'s {line.bet}" for rule in line.rules if rule not in may)


def _line(state: State, line: Line) -> Iterator[str]:
    rules, current, terms = state.rulebook, state.round, state.rulebook.insurance
    assert current is not None
    if line.window is not None:
        yield from _within(terms)
        return
    key = stake_key(line.player, line.box, line.bet)
    yield from _within(rules.bets[line.bet])
    if key in current.played:
        yield from current.played[key].rules
    if line.stake < state.setup.limit(line.bet).min:
        yield from rules.limits.below_minimum_unnoticed.rules
    if key in current.neglected and line.result == "returned":
        yield from _of(terms and terms.neglected)


def _within(part: object) -> Iterator[str]:
    """Every paragraph that a part of a rulebook and its parts rest on."""
    if isinstance(part, msgspec.Struct):
        for name in part.__struct_fields__:
            value = getattr(part, name)
            yield from value if name == "rules" else _within(value)
    elif isinstance(part, tuple):
        for one in part:
            yield from _within(one)


# Walks and storms ----------------------------------------------------------------------------------------


class Looking(Beside):
    """A table of which every event is looked at; nobody reads it a second time."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.met: set[type] = set()
        self.wrong: list[str] = []

    def do(self, command: AnyCommand) -> tuple[AnyEvent, ...] | Refusal:
        decided = decide(self.state, command)
        if isinstance(decided, Refusal):
            return decided
        before = self.state
        for event in decided:
            if event.rules:
                self.met.add(type(event))
            if bad := wrong(before, decided, self.state, event):
                self.wrong.append(f"{', '.join(bad)} in {event} by {command}")
            self.state = evolve(self.state, event)
            self.log.append(event)
            self.facts.append(plain(event))
        return decided


def tables(seeds: Iterable[int], steps: int) -> Iterator[Looking]:
    """Walks by every rulebook and storms over every table."""
    for seed in seeds:
        for slug, layout in LAYOUTS:
            chance = Seeded(f"citations/{slug}/{seed}")
            setup = random_setup(chance, slug, layout)
            table = Looking(setup)
            walk = Walk(setup, chance, table=table)
            for _ in range(steps):
                kind = chance.below(10)
                move = walk.advance if kind < 8 else walk.listed if kind < 9 else walk.anything
                move()
            yield table
        for slug, layout, changed in TABLES:
            chance = Seeded(f"citations/storm/{slug}/{layout}/{seed}")
            setup = replace(random_setup(chance, slug, layout), **changed)
            table = Looking(setup)
            Storm(setup, chance, table).blow(steps)
            yield table


def look(seeds: Iterable[int], steps: int) -> set[type]:
    """The kinds of events that cited something, all of it rightly."""
    met: set[type] = set()
    found: list[str] = []
    for table in tables(seeds, steps):
        met |= table.met
        found += table.wrong
    assert not found, f"{len(found)} wrong citations, such as\n" + "\n".join(found[:5])
    return met


def test_every_kind_of_event_is_in_the_table() -> None:
    assert {*MAY, *OF_AN_ACT, *RULED, *OLD, *PLAIN} == set(get_args(AnyEvent))
    assert not {*MAY, *OF_AN_ACT, *RULED} & {*OLD, *PLAIN}


@pytest.mark.slow
def test_events_cite_what_the_rulebook_says_of_them() -> None:
    met = look(SEEDS, 120)
    assert met >= {*MAY, *OF_AN_ACT, *RULED}, {*MAY, *OF_AN_ACT, *RULED} - met


@pytest.mark.whole
def test_more_events_cite_what_the_rulebook_says_of_them() -> None:
    met = look(range(100, 150), 160)
    assert met >= {*MAY, *OF_AN_ACT, *RULED}, {*MAY, *OF_AN_ACT, *RULED} - met
