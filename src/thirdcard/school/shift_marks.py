"""A shift judged against the engine, from the table's own log: money, procedure, rulings and pace. Pure.

Money: what the trainee said that each has coming, to the cent, in the order of the boxes. Procedure: the
cards that were entered are those that came, the cut card is put aside before the next one, nobody forgoes
insurance unheard, no round is voided without a ruling. Rulings: what went wrong was noticed, brought before
who may decide, and treated as it was. Pace: seconds a round against what is usual with so many patrons.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, TypeVar

from thirdcard.school import shift_skills
from thirdcard.school.making import joined
from thirdcard.school.shift_record import (
    LongestWait,
    NamedPayout,
    PaidPayout,
    PassedUp,
    PayoutsFinished,
    PitCalled,
    ShiftFault,
    ShiftFaultKind,
    ShiftMarks,
    ShiftPart,
    ShiftRecord,
    ShiftRound,
    TroubleMark,
)
from thirdcard.school.shift_script import shoe_of
from thirdcard.school.shift_skills import WorkedSkill
from thirdcard.school.shift_troubles import (
    LATE_CHIPS,
    WRONG_CHIPS,
    Trouble,
    can_be_reconstructed,
    details_of,
    facts_of,
    has_come,
    procedure_of,
    rules_of,
    trouble_in,
)
from thirdcard.table.events import (
    BetsClosed,
    BetsOpened,
    CardDrawn,
    CardsAmended,
    CardsExposed,
    CutCardAppeared,
    DecidedSettled,
    InsuranceClosed,
    IrregularityReported,
    IrregularityRuled,
    LateChipsRecorded,
    ReportDismissed,
    RoundSettled,
    RoundVoided,
    StakeSet,
    WalkedAway,
)
from thirdcard.table.practice import Practice
from thirdcard.table.ranks import outranks
from thirdcard.table.state import HANDS, Line, Pending, Stake

T = TypeVar("T")

SECOND: Final = 1_000_000
MONEY, PROCEDURE, RULINGS, PACE = 40, 25, 20, 15
WRONG_LINE, WRONG_ORDER = 2, 1
WRONG_CARD, CUT_CARD, UNHEARD, VOIDED = 3, 2, 1, 5
NOTICED, AUTHORITY = 2, 1
AT_REST, A_PATRON = 12, 4  # seconds of par: 48 at nine patrons
PIT_PAR: Final = 60  # seconds to decide a case
# What a trainee's act is called where it was waited for.
ACTS: Final[dict[type, str]] = {
    BetsClosed: "close",
    CardDrawn: "card",
    CardsExposed: "turn",
    CutCardAppeared: "cut",
    InsuranceClosed: "insurance",
    IrregularityReported: "report",
    LateChipsRecorded: "report",
    IrregularityRuled: "rule",
    ReportDismissed: "rule",
    PassedUp: "pass",
    RoundSettled: "settle",
    NamedPayout: "payout",
    PaidPayout: "pay",
    PayoutsFinished: "pay",
}


def par_of(practice: Practice) -> int:
    """Seconds that a round is to take, or a case to be decided in."""
    return PIT_PAR if practice.post == "pit" else AT_REST + A_PATRON * practice.patrons


def judged(practice: Practice, log: Iterable[ShiftRecord]) -> ShiftMarks:
    """The marks of a shift as far as it has been worked."""
    rounds = list(_rounds(log))
    judges = [_RoundJudge(practice, played) for played in rounds]
    faults = tuple(fault for judge in judges for fault in judge.faults())
    troubles = tuple(mark for judge in judges for mark in judge.troubles())
    marks = tuple(judge.mark() for judge in judges)
    payouts = sum(mark.payouts for mark in marks)
    par, timed = par_of(practice), [mark.seconds for mark in marks if mark.seconds]
    average = sum(timed) / len(timed) if timed else 0.0
    at_desk = practice.post == "desk"
    taken: dict[str, int] = {}
    for fault in faults:
        part = "money" if fault.kind in ("payout", "order") else "procedure"
        taken[part] = taken.get(part, 0) + fault.points
    earned, most = sum(trouble.points for trouble in troubles), sum(trouble.most for trouble in troubles)
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
    whole = sum(part.most for part in parts)
    return ShiftMarks(
        score=round(100 * sum(part.points for part in parts) / whole) if marks else 0,
        parts=tuple(parts),
        rounds=marks,
        faults=faults,
        troubles=troubles,
        payouts=payouts,
        payouts_right=payouts - sum(mark.wrong for mark in marks),
        rulings_right=sum(trouble.right for trouble in troubles),
        slow=sum(mark.slow is not None for mark in marks),
        par=par,
        seconds=round(average, 1),
        skills=shift_skills.together(skill for judge in judges for skill in judge.skills()),
    )


def _rounds(log: Iterable[ShiftRecord]) -> Iterator[list[ShiftRecord]]:
    rounds: list[ShiftRecord] = []
    for record in log:
        if isinstance(record.deed, BetsOpened):
            if rounds:
                yield rounds
            rounds = [record]
        elif rounds:
            rounds.append(record)
    if rounds:
        yield rounds


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
        last = next(
            (record.at for record in reversed(self.log) if isinstance(record.deed, ended)),
            0,
        )
        noticed = [trouble.points > 0 for trouble in self.troubles()]
        seconds = (last - self.log[0].at) / SECOND if last else 0.0
        if self.practice.post == "pit":
            seconds = self._case_seconds()
        return ShiftRound(
            number=self.number,
            seconds=round(seconds, 1),
            payouts=len(self._named()),
            wrong=sum(fault.kind == "payout" for fault in self.payout_faults),
            trouble=self.trouble.kind if self.trouble is not None and noticed else "",
            noticed=all(noticed),
            slow=self._longest_wait() if seconds > par_of(self.practice) else None,
        )

    def _longest_wait(self) -> LongestWait:
        """Before which of the trainee's own acts most time passed; what was done in one go was one."""
        waits = [
            (record.at - before.at, type(record.deed))
            for before, record in pairwise(self.log)
            if record.by == self.practice.trainee
        ]
        longest, deed = max(waits, key=lambda wait: wait[0], default=(0, BetsOpened))
        return LongestWait(before=ACTS.get(deed, "other"), seconds=round(longest / SECOND, 1))

    def _case_seconds(self) -> float:
        reported = next((deed.at for deed, _ in self._deeds(IrregularityReported)), 0)
        decided = (IrregularityRuled, ReportDismissed, PassedUp)
        at = next((record.at for record in self.log if isinstance(record.deed, decided)), 0)
        return (at - reported) / SECOND if reported and at else 0.0

    def _has(self, *kinds: type) -> bool:
        return any(isinstance(record.deed, kinds) for record in self.log)

    def _deeds(self, kind: type[T]) -> Iterator[tuple[ShiftRecord, T]]:
        """What was done of one kind, with its records."""
        yield from ((record, record.deed) for record in self.log if isinstance(record.deed, kind))

    # Money --------------------------------------------------------------------------------------------------

    def _named(self) -> list[NamedPayout]:
        return [deed for _, deed in self._deeds(NamedPayout)]

    def _lines(self) -> tuple[Line, ...]:
        early = [line for _, deed in self._deeds(DecidedSettled) for line in deed.lines]
        settled = [deed.settlement for _, deed in self._deeds(RoundSettled)]
        return (*early, *(settled[-1].lines if settled else ()))

    def _payouts(self) -> Iterator[ShiftFault]:
        due = self._due()
        for said in self._named():
            lines = due.get((said.box, said.player), [])
            right = sum(max(line.net, 0) for line in lines)
            if said.cents != right:
                rules = joined(*(line.rules for line in lines))
                of = {"player": said.player, "box": said.box, "said": said.cents}
                yield self._fault("payout", WRONG_LINE, rules=rules, right=right, **of)

    def _due(self) -> dict[tuple[int, str], list[Line]]:
        """What was won and lost, by box and person."""
        due: dict[tuple[int, str], list[Line]] = {}
        for line in self._lines():
            due.setdefault((line.box, line.player), []).append(line)
        return due

    def _order(self) -> Iterator[ShiftFault]:
        """Boxes are paid from the first upward."""
        before = 0
        for deed, paid in self._deeds(PaidPayout):
            if deed.by == self.practice.trainee:
                if paid.box < before:
                    yield self._fault("order", WRONG_ORDER, player=paid.player, box=paid.box)
                before = max(before, paid.box)

    # Procedure ----------------------------------------------------------------------------------------------

    def faults(self) -> Iterator[ShiftFault]:
        if self.practice.post == "pit":
            return
        yield from self.payout_faults
        yield from self._order()
        yield from self._cards()
        yield from self._cut_card()
        for deed, closed in self._deeds(InsuranceClosed):
            gone = deed.before.round.gone if deed.before.round else ()
            unheard = [player for player in closed.forgone if player not in (*gone, self._passed_over)]
            if unheard and not closed.late:
                yield self._fault("unheard", UNHEARD, player=", ".join(unheard), rules=closed.rules)
        for deed, void in self._deeds(RoundVoided):
            if deed.by == self.practice.trainee and not self._has(IrregularityRuled):
                yield self._fault("voided", VOIDED, rules=void.rules)

    def _fault(self, kind: ShiftFaultKind, points: int, **more: Any) -> ShiftFault:  # noqa: ANN401 - its fields
        return ShiftFault(round=self.number, kind=kind, points=points, **more)

    def _cards(self) -> Iterator[ShiftFault]:
        """A card that was entered and is not the one that came, unless the record was put right."""
        if self._has(CardsAmended):
            return
        for record, deed in self._deeds(CardDrawn):
            shoe = record.before.shoe
            if deed.card is None or shoe is None or shoe.waiting:
                continue
            card = shoe_of(self.practice, self.setup, shoe.number)[shoe.used]
            if deed.card is not card:
                rules = record.before.rulebook.table_of_play.rules
                yield self._fault("card", WRONG_CARD, cards=(deed.card.value, card.value), rules=rules)

    def _cut_card(self) -> Iterator[ShiftFault]:
        """A card that was drawn over the cut card: both are on record at once, by one act."""
        drawn = {deed.at for deed, _ in self._deeds(CardDrawn)}
        for deed, cut in self._deeds(CutCardAppeared):
            if deed.at in drawn:
                yield self._fault("cut", CUT_CARD, rules=cut.rules)

    @property
    def _passed_over(self) -> str:
        """Who is not asked for insurance in this round, whatever the dealer does."""
        trouble = self.trouble
        return trouble.player if trouble is not None and trouble.kind == "neglected" else ""

    # Rulings ------------------------------------------------------------------------------------------------

    def troubles(self) -> Iterator[TroubleMark]:
        trouble = self.trouble
        if trouble is None or not self._has_come(trouble):
            return
        book = self.log[0].after.rulebook
        procedure = procedure_of(book, trouble.kind)
        did, points, most = self._decided(trouble) if self.practice.post == "pit" else self._noticed(trouble)
        yield TroubleMark(
            trouble=trouble,
            case=procedure.case if procedure is not None else "",
            did=did,
            points=points,
            most=most,
            rules=rules_of(book, trouble.kind),
        )

    def _has_come(self, trouble: Trouble) -> bool:
        """Whether the round got so far that it could be seen, and had to be."""
        if self.practice.post == "pit":
            return bool(self._reports())
        if trouble.kind in WRONG_CHIPS:
            stakes = (deed.stake for _, deed in self._deeds(StakeSet))
            lay = trouble.kind == "between" or any(_lies(stake, trouble) for stake in stakes)
            return lay and self._has(BetsClosed)
        if trouble.kind == "away":
            return self._has(WalkedAway)
        ended = self._has(RoundSettled, RoundVoided)
        return bool(self._reports()) or (
            ended and any(has_come(record.after, trouble) for record in self.log)
        )

    def _reports(self) -> list[ShiftRecord]:
        return [deed for deed, _ in self._deeds(IrregularityReported)]

    def _noticed(self, trouble: Trouble) -> tuple[str, int, int]:
        """At the desk: noticed, brought before who may decide, with what really came or lies there."""
        action = trouble.type.action
        if trouble.kind in WRONG_CHIPS:
            return _added(*self._put_right(trouble), action=action, words=("stood", "put-right"))
        if trouble.kind == "away":
            settled = self._has(RoundSettled)
            return ("settled", 3, 3) if settled else ("voided", 0, 3)
        if trouble.kind == "asks":
            called = self._has(PitCalled)
            return ("called", 3, 3) if called else ("not-noticed", 0, 3)
        procedure = procedure_of(self.log[0].after.rulebook, trouble.kind)
        assert procedure is not None  # noqa: S101 - else there is no such trouble here
        waved = {deed.case for _, deed in self._deeds(ReportDismissed)} - {""}
        right = [report for report in self._reports() if _pending(report).case == procedure.case]
        kept = [record for record in right if procedure.case not in waved]
        exact = any(self._is_exact(record, trouble, facts_of(procedure)) for record in kept)
        seen = bool(self._reports())
        if trouble.kind in LATE_CHIPS:
            late = (deed.late for _, deed in self._deeds(LateChipsRecorded))
            mine = [stake for stake in late if stake.player == trouble.player]
            exact = any((stake.bet, stake.cents) == (trouble.bet, trouble.cents) for stake in mine)
            seen = bool(mine)
        return _added(seen, bool(right), exact and bool(kept), action=action)

    def _put_right(self, trouble: Trouble) -> tuple[bool, bool, bool]:
        """Chips as they stood when bets were closed: noticed, nobody else asked, and right."""
        closed = next((deed.after.round for deed, _ in self._deeds(BetsClosed)), None)
        assert closed is not None  # noqa: S101 - it has come
        limit, stakes = self.setup.limit(trouble.bet), closed.closed
        stake = stakes.get(trouble.stake)
        if trouble.kind == "between":
            hands = [
                stake for stake in stakes.values() if stake.player == trouble.player and stake.bet in HANDS
            ]
            right = len(hands) == 1 and stake is not None and stake.cents == trouble.cents
            return bool(hands), bool(hands), right
        cents = stake.cents if stake is not None else 0
        within = not cents or limit.min <= cents <= (limit.max or cents)
        return within, within, within

    def _is_exact(self, one: ShiftRecord, trouble: Trouble, facts: dict[str, bool]) -> bool:
        """Whether a report says what came and lies there, and no more is known than can be."""
        said, wanted = _pending(one), details_of(self.practice, one.before, trouble)
        if trouble.kind != "seen":
            wanted.pop("shown", None)  # the engine knows which of the cards that came out were seen
        told = all(said.facts.get(name) == value for name, value in facts.items())
        return told and all(_alike(getattr(said, name), value) for name, value in wanted.items())

    def _decided(self, trouble: Trouble) -> tuple[str, int, int]:
        """At the pit: looked at, decided or passed up by right, and not waved away."""
        reported = self._reports()[0]
        decides, state = _pending(reported).decides, reported.after
        passed = [deed.to for _, deed in self._deeds(PassedUp)]
        most = NOTICED + AUTHORITY + 2
        if any(deed.by == self.practice.trainee for deed, _ in self._deeds(ReportDismissed)):
            return "dismissed", NOTICED, most
        for record, ruled in self._deeds(IrregularityRuled):
            if record.by == self.practice.trainee:
                return "ruled", most if _as_it_was(ruled, trouble) else most - 2, most
        ranks = [rank.name for rank in state.rulebook.ranks]
        if passed:
            fits = passed[-1] not in ranks or outranks(state.rulebook, passed[-1], decides)
            held = state.staff.get(self.practice.trainee, "")
            may = bool(held) and outranks(state.rulebook, held, decides)
            return "passed-up", NOTICED + (AUTHORITY + 2 if fits and not may else 0), most
        return "not-noticed", 0, most

    # Skills -------------------------------------------------------------------------------------------------

    def skills(self) -> Iterator[WorkedSkill]:
        """What the trainee had to know in this round, and whether it was there."""
        settled = next((deed.before for deed, _ in self._deeds(RoundSettled)), None)
        early = self._has(DecidedSettled)
        wrong, due = {(fault.box, fault.player) for fault in self.payout_faults}, self._due()
        for said in self._named() if not early else ():
            assert settled is not None  # noqa: S101 - nothing is paid before
            here = said.box, said.player
            lines, right = due.get(here, ()), here not in wrong
            yield from shift_skills.paid(self.setup, settled.deal(), lines, right=right, number=self.number)
        for mark in self.troubles():
            yield from self._trouble_skills(mark)

    def _trouble_skills(self, mark: TroubleMark) -> Iterator[WorkedSkill]:
        setup, number, kind = self.setup, self.number, mark.trouble.kind
        if self.practice.post == "desk":
            seen = mark.points > 0
            yield from shift_skills.noticed(setup, kind, mark.rules, right=seen, number=number)
        own = any(deed.by == self.practice.trainee for deed, _ in self._deeds(IrregularityRuled))
        reported = self._reports()
        if reported and (own or (self.practice.post == "pit" and mark.did != "not-noticed")):
            facts = {"reconstructable": can_be_reconstructed(kind), **_pending(reported[0]).facts}
            yield from shift_skills.decided(setup, mark.case, facts, right=mark.right, number=number)


def _pending(one: ShiftRecord) -> Pending:
    assert isinstance(one.deed, IrregularityReported)  # noqa: S101
    return one.deed.pending


def _lies(stake: Stake, trouble: Trouble) -> bool:
    """Whether these are the chips that the trouble is about."""
    return (stake.key, stake.cents) == (trouble.stake, trouble.cents)


def _alike(said: object, wanted: object) -> bool:
    """The same, in whatever order."""
    if isinstance(said, tuple) and isinstance(wanted, tuple):
        return sorted(map(str, said)) == sorted(map(str, wanted))
    return said == wanted


def _as_it_was(ruled: IrregularityRuled, trouble: Trouble) -> bool:
    """Whether a ruling rests on what really happened, where that is left to who rules."""
    able = ruled.facts.get("reconstructable", can_be_reconstructed(trouble.kind))
    meant = (trouble.player,) if "return-original" in ruled.remedies else ()
    right = able == can_be_reconstructed(trouble.kind) and ruled.inputs.intended == meant
    return right and not ruled.inputs.overrides


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
