"""A shift judged against the engine, from the table's own log: money, procedure, rulings and pace. Pure.

Money: what the trainee said that each has coming, to the cent, in the order of the boxes. Procedure: the
cards that were entered are those that came, nobody forgoes insurance unheard, no round is voided without a
ruling. Rulings: what went wrong was noticed, brought before who may decide, and treated as it was. Pace:
seconds a round against what is usual with so many patrons.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from thirdcard.cards import Card
from thirdcard.rulebook.model import Rules
from thirdcard.school.shift_script import Practice, Trouble, procedure_of, shoe_of, trouble_in
from thirdcard.table import evolve
from thirdcard.table.decide.checks import outranks
from thirdcard.table.events import (
    AnyEvent,
    BetsClosed,
    BetsOpened,
    CardDrawn,
    CardsAmended,
    DecidedSettled,
    InsuranceClosed,
    IrregularityReported,
    IrregularityRuled,
    LateChipsRecorded,
    ReportDismissed,
    RoundSettled,
    RoundVoided,
    WalkedAway,
)
from thirdcard.table.state import Line, State

SECOND: Final = 1_000_000
MONEY, PROCEDURE, RULINGS, PACE = 40, 25, 20, 15
WRONG_LINE, WRONG_ORDER = 2, 1
WRONG_CARD, UNHEARD, VOIDED = 3, 1, 5
NOTICED, AUTHORITY = 2, 1
AT_REST, A_PATRON = 12, 4  # seconds of par: 48 at nine patrons
PIT_PAR: Final = 60  # seconds to decide a case

ShiftFaultKind: TypeAlias = Literal["payout", "order", "card", "unheard", "voided"]


class NamedPayout(msgspec.Struct, frozen=True, gc=False):
    """What the trainee said that somebody has coming."""

    box: int
    player: str
    cents: int


class PaidPayout(msgspec.Struct, frozen=True, gc=False):
    """A payout was handed over."""

    box: int
    player: str


class PayoutsFinished(msgspec.Struct, frozen=True, gc=False):
    """The round has been paid."""


class PitCalled(msgspec.Struct, frozen=True, gc=False):
    """The pit was asked to come."""


class PassedUp(msgspec.Struct, frozen=True, gc=False):
    """A case was handed to somebody of that rank, or name."""

    to: str


Deed: TypeAlias = AnyEvent | NamedPayout | PaidPayout | PayoutsFinished | PitCalled | PassedUp


class ShiftRecord(msgspec.Struct, frozen=True, gc=False):
    """One record of the table's log: when, in microseconds, by whom, what; and the table before and after."""

    at: int
    by: str
    deed: Deed
    before: State
    after: State


class ShiftFault(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was wrong in a round, with its paragraphs and what it costs in points."""

    round: int
    kind: ShiftFaultKind
    player: str = ""
    box: int = 0
    said: int = 0
    right: int = 0
    cards: tuple[str, str] = ("", "")  # entered, and what came
    rules: Rules = ()
    points: int


class TroubleMark(msgspec.Struct, frozen=True, kw_only=True):
    """How something that went wrong was dealt with; `did` says it in a word."""

    trouble: Trouble
    case: str
    did: str
    points: int
    most: int
    rules: Rules

    @property
    def right(self) -> bool:
        return self.points == self.most


class ShiftRound(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    seconds: float
    payouts: int
    wrong: int
    trouble: str = ""
    noticed: bool = True


class ShiftPart(msgspec.Struct, frozen=True, kw_only=True):
    name: Literal["money", "procedure", "rulings", "pace"]
    points: int
    most: int


class ShiftMarks(msgspec.Struct, frozen=True, kw_only=True):
    """A shift as it is marked; `score` of 100 over the parts that it had."""

    score: int
    parts: tuple[ShiftPart, ...]
    rounds: tuple[ShiftRound, ...]
    faults: tuple[ShiftFault, ...]
    troubles: tuple[TroubleMark, ...]
    payouts: int
    payouts_right: int
    par: int
    seconds: float  # a round, on average


def par_of(practice: Practice) -> int:
    """Seconds that a round is to take, or a case to be decided in."""
    return PIT_PAR if practice.post == "pit" else AT_REST + A_PATRON * practice.patrons


def folded(state: State, records: Iterable[tuple[int, str, Deed]]) -> Iterator[ShiftRecord]:
    """Records with the table before and after each; `state` is that of the table as it was opened."""
    for at, by, deed in records:
        after = state
        if not isinstance(deed, NamedPayout | PaidPayout | PayoutsFinished | PitCalled | PassedUp):
            after = evolve(state, deed)
        yield ShiftRecord(at, by, deed, state, after)
        state = after


def judged(practice: Practice, log: Iterable[ShiftRecord]) -> ShiftMarks:
    """The marks of a shift as far as it has been worked."""
    rounds = list(_rounds(log))
    judges = [_RoundJudge(practice, one) for one in rounds]
    faults = tuple(fault for judge in judges for fault in judge.faults())
    troubles = tuple(mark for judge in judges for mark in judge.troubles())
    marks = tuple(judge.mark() for judge in judges)
    payouts = sum(one.payouts for one in marks)
    par, timed = par_of(practice), [one.seconds for one in marks if one.seconds]
    average = sum(timed) / len(timed) if timed else 0.0
    at_desk = practice.post == "desk"
    taken: dict[str, int] = {}
    for fault in faults:
        part = "money" if fault.kind in ("payout", "order") else "procedure"
        taken[part] = taken.get(part, 0) + fault.points
    earned, most = sum(one.points for one in troubles), sum(one.most for one in troubles)
    parts = [
        ShiftPart(name="rulings", points=round(RULINGS * earned / most) if most else RULINGS, most=RULINGS)
    ]
    if at_desk:
        kept = [("money", MONEY), ("procedure", PROCEDURE)]
        parts[:0] = [
            ShiftPart(name=name, points=max(0, full - taken.get(name, 0)), most=full)  # type: ignore[arg-type]
            for name, full in kept
        ]
    late = max(0.0, min(1.0, (average - par) / par)) if timed else 0.0
    parts.append(ShiftPart(name="pace", points=round(PACE * (1 - late)), most=PACE))
    whole = sum(one.most for one in parts)
    return ShiftMarks(
        score=round(100 * sum(one.points for one in parts) / whole) if marks else 0,
        parts=tuple(parts),
        rounds=marks,
        faults=faults,
        troubles=troubles,
        payouts=payouts,
        payouts_right=payouts - sum(one.wrong for one in marks),
        par=par,
        seconds=round(average, 1),
    )


def _rounds(log: Iterable[ShiftRecord]) -> Iterator[list[ShiftRecord]]:
    found: list[ShiftRecord] = []
    for one in log:
        if isinstance(one.deed, BetsOpened):
            if found:
                yield found
            found = [one]
        elif found:
            found.append(one)
    if found:
        yield found


class _RoundJudge:
    """One round of the log."""

    def __init__(self, practice: Practice, log: Sequence[ShiftRecord]) -> None:
        self.practice, self.log = practice, log
        first = log[0].deed
        assert isinstance(first, BetsOpened)  # noqa: S101 - a round begins so
        self.number, self.setup = first.number, log[0].after.setup
        self.trouble = trouble_in(practice, self.setup, self.number)
        self.payout_faults = tuple(self._payouts())

    def mark(self) -> ShiftRound:
        ended = (PayoutsFinished, RoundVoided)
        last = next((one.at for one in reversed(self.log) if isinstance(one.deed, ended)), 0)
        noticed = [one.points > 0 for one in self.troubles()]
        seconds = (last - self.log[0].at) / SECOND if last else 0.0
        if self.practice.post == "pit":
            seconds = self._case_seconds()
        return ShiftRound(
            number=self.number,
            seconds=round(seconds, 1),
            payouts=len(self._named()),
            wrong=sum(one.kind == "payout" for one in self.payout_faults),
            trouble=self.trouble.kind if self.trouble is not None and noticed else "",
            noticed=all(noticed),
        )

    def _case_seconds(self) -> float:
        reported = next((one.at for one in self.log if isinstance(one.deed, IrregularityReported)), 0)
        decided = (IrregularityRuled, ReportDismissed, PassedUp)
        at = next((one.at for one in self.log if isinstance(one.deed, decided)), 0)
        return (at - reported) / SECOND if reported and at else 0.0

    # Money --------------------------------------------------------------------------------------------------

    def _named(self) -> list[NamedPayout]:
        return [one.deed for one in self.log if isinstance(one.deed, NamedPayout)]

    def _lines(self) -> tuple[Line, ...]:
        early = [line for one in self.log if isinstance(one.deed, DecidedSettled) for line in one.deed.lines]
        settled = [one.deed.settlement for one in self.log if isinstance(one.deed, RoundSettled)]
        return (*early, *(settled[-1].lines if settled else ()))

    def _payouts(self) -> Iterator[ShiftFault]:
        due: dict[tuple[int, str], int] = {}
        why: dict[tuple[int, str], list[str]] = {}
        for line in self._lines():
            here = line.box, line.player
            due[here] = due.get(here, 0) + max(line.net, 0)
            why.setdefault(here, []).extend(line.rules)
        for said in self._named():
            here = said.box, said.player
            if said.cents != due.get(here, 0):
                yield ShiftFault(
                    round=self.number,
                    kind="payout",
                    player=said.player,
                    box=said.box,
                    said=said.cents,
                    right=due.get(here, 0),
                    rules=tuple(dict.fromkeys(why.get(here, ()))),
                    points=WRONG_LINE,
                )

    def _order(self) -> Iterator[ShiftFault]:
        """Boxes are paid from the first upward."""
        before = 0
        for one in self.log:
            if isinstance(one.deed, PaidPayout) and one.by == self.practice.trainee:
                if one.deed.box < before:
                    yield ShiftFault(
                        round=self.number,
                        kind="order",
                        player=one.deed.player,
                        box=one.deed.box,
                        points=WRONG_ORDER,
                    )
                before = max(before, one.deed.box)

    # Procedure ----------------------------------------------------------------------------------------------

    def faults(self) -> Iterator[ShiftFault]:
        if self.practice.post == "pit":
            return
        yield from self.payout_faults
        yield from self._order()
        yield from self._cards()
        for one in self.log:
            if isinstance(one.deed, InsuranceClosed) and one.deed.forgone and not one.deed.late:
                gone = one.before.round.gone if one.before.round else ()
                unheard = [player for player in one.deed.forgone if player not in gone]
                if unheard:
                    yield self._fault("unheard", UNHEARD, player=", ".join(unheard), rules=one.deed.rules)
            if isinstance(one.deed, RoundVoided) and one.by == self.practice.trainee and not self._ruled():
                yield self._fault("voided", VOIDED, rules=one.deed.rules)

    def _fault(self, kind: ShiftFaultKind, points: int, *, player: str = "", rules: Rules = ()) -> ShiftFault:
        return ShiftFault(round=self.number, kind=kind, player=player, rules=rules, points=points)

    def _cards(self) -> Iterator[ShiftFault]:
        """A card that was entered and is not the one that came, unless the record was put right."""
        if any(isinstance(one.deed, CardsAmended) for one in self.log):
            return
        for one in self.log:
            deed, shoe = one.deed, one.before.shoe
            if not isinstance(deed, CardDrawn) or deed.card is None or shoe is None or shoe.waiting:
                continue
            came: Card = shoe_of(self.practice, self.setup, shoe.number)[shoe.used]
            if deed.card is not came:
                yield ShiftFault(
                    round=self.number,
                    kind="card",
                    cards=(deed.card.value, came.value),
                    rules=one.before.rules.table_of_play.rules,
                    points=WRONG_CARD,
                )

    def _ruled(self) -> bool:
        return any(isinstance(one.deed, IrregularityRuled) for one in self.log)

    # Rulings ------------------------------------------------------------------------------------------------

    def troubles(self) -> Iterator[TroubleMark]:
        trouble = self.trouble
        if trouble is None or not self._has_come(trouble):
            return
        book = self.log[0].after.rules
        procedure = procedure_of(book, trouble.kind)
        case, rules = (procedure.case, procedure.rules) if procedure is not None else ("", ())
        if self.practice.post == "pit":
            did, points, most = self._decided()
        else:
            did, points, most = self._noticed(trouble, case)
            rules = rules or self._limit_rules(trouble)
        yield TroubleMark(trouble=trouble, case=case, did=did, points=points, most=most, rules=rules)

    def _limit_rules(self, trouble: Trouble) -> Rules:
        limits = self.log[0].after.rules.limits
        return limits.displayed.rules if trouble.kind == "over" else ()

    def _has_come(self, trouble: Trouble) -> bool:
        """Whether the round got so far that it could be seen."""
        if self.practice.post == "pit":
            return any(isinstance(one.deed, IrregularityReported) for one in self.log)
        drawn = sum(isinstance(one.deed, CardDrawn) for one in self.log)
        ended = any(isinstance(one.deed, RoundSettled | RoundVoided) for one in self.log)
        match trouble.kind:
            case "over":
                return any(isinstance(one.deed, BetsClosed) for one in self.log)
            case "together":
                return drawn > 1 and (ended or self._reported(""))
            case "away":
                return any(isinstance(one.deed, WalkedAway) for one in self.log)
        return ended or self._reported("")

    def _reported(self, case: str) -> bool:
        return any(
            isinstance(one.deed, IrregularityReported) and case in ("", one.deed.pending.case)
            for one in self.log
        )

    def _noticed(self, trouble: Trouble, case: str) -> tuple[str, int, int]:
        """At the desk: noticed, brought before who may decide, with what really came or lies there."""
        match trouble.kind:
            case "late":
                seen = [one.deed for one in self.log if isinstance(one.deed, LateChipsRecorded)]
                mine = [one for one in seen if one.late.player == trouble.player]
                exact = any((one.late.bet, one.late.cents) == (trouble.bet, trouble.cents) for one in mine)
                return _added(bool(mine), self._reported(case), exact, action=1)
            case "together" | "excess":
                count = 2 if trouble.kind == "together" else 1
                reports = [one for one in self.log if isinstance(one.deed, IrregularityReported)]
                right = [one for one in reports if self._case_of(one) == case]
                exact = any(self._cards_of(one) == self._came(one, count) for one in right)
                return _added(bool(reports), bool(right), exact, action=2)
            case "over":
                stood = next((one for one in self.log if isinstance(one.deed, BetsClosed)), None)
                current = stood.after.round if stood is not None else None
                limit = self.setup.limit(trouble.bet).max
                high = (
                    [one for one in current.closed.values() if limit and one.cents > limit] if current else []
                )
                return _added(not high, not high, not high, action=1, words=("stood", "cut"))
            case "away":
                settled = any(isinstance(one.deed, RoundSettled) for one in self.log)
                return ("settled", 3, 3) if settled else ("voided", 0, 3)
        called = any(isinstance(one.deed, PitCalled) for one in self.log)
        return ("called", 3, 3) if called else ("not-noticed", 0, 3)

    @staticmethod
    def _case_of(one: ShiftRecord) -> str:
        assert isinstance(one.deed, IrregularityReported)  # noqa: S101
        return one.deed.pending.case

    @staticmethod
    def _cards_of(one: ShiftRecord) -> list[Card | None]:
        assert isinstance(one.deed, IrregularityReported)  # noqa: S101
        return sorted(one.deed.pending.drawn, key=str)

    def _came(self, one: ShiftRecord, count: int) -> list[Card | None]:
        shoe = one.before.shoe
        if shoe is None:
            return []
        return sorted(shoe_of(self.practice, self.setup, shoe.number)[shoe.used : shoe.used + count], key=str)

    def _decided(self) -> tuple[str, int, int]:
        """At the pit: looked at, decided or passed up by right, and not waved away."""
        reported = next(one for one in self.log if isinstance(one.deed, IrregularityReported))
        assert isinstance(reported.deed, IrregularityReported)  # noqa: S101
        decides, state = reported.deed.pending.decides, reported.after
        ruled = [one for one in self.log if isinstance(one.deed, IrregularityRuled)]
        passed = [one.deed.to for one in self.log if isinstance(one.deed, PassedUp)]
        most = NOTICED + AUTHORITY + 2
        if any(isinstance(one.deed, ReportDismissed) and one.by == self.practice.trainee for one in self.log):
            return "dismissed", NOTICED, most
        mine = [one for one in ruled if one.by == self.practice.trainee]
        if mine:
            return "ruled", most, most
        ranks = [rank.name for rank in state.rules.ranks]
        if passed:
            fits = passed[-1] not in ranks or outranks(state.rules, passed[-1], decides)
            held = state.staff.get(self.practice.trainee, "")
            may = bool(held) and outranks(state.rules, held, decides)
            return "passed-up", NOTICED + (AUTHORITY + 2 if fits and not may else 0), most
        return "not-noticed", 0, most


def _added(
    noticed: bool,  # noqa: FBT001 - three answers of one kind, in their order
    authority: bool,  # noqa: FBT001
    exact: bool,  # noqa: FBT001
    *,
    action: int,
    words: tuple[str, str] = ("not-noticed", "reported"),
) -> tuple[str, int, int]:
    most = NOTICED + AUTHORITY + action
    if not noticed:
        return words[0], 0, most
    points = NOTICED + (AUTHORITY if authority else 0) + (action if authority and exact else 0)
    return words[1] if authority else "seen", points, most
