"""A shift in training: scripted patrons at a real table, and every action judged from its log."""

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import dropwhile

import msgspec
import pytest

from service.houses import CBI, DEE, MBS, TBC, hall_on, tick, timed, until
from thirdcard.cards import parse_card
from thirdcard.rulebook.load import named, packaged
from thirdcard.school import shift_marks
from thirdcard.school import shift_troubles as troubles
from thirdcard.school.memory import ShiftScore
from thirdcard.school.shift_record import PaidPayout, ShiftMarks, ShiftRecord
from thirdcard.school.shift_script import cut_of, training_setup, wishes
from thirdcard.school.shift_troubles import Trouble, TroubleKind, trouble_in
from thirdcard.service.learning import learners
from thirdcard.service.learning.practice_shift import ShiftResult, learnt, scene, shift_result, worked_shift
from thirdcard.service.log.floor_events import Pace
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.people.roles import Person
from thirdcard.service.queries.desk import Next, desk, due
from thirdcard.service.queries.lobby import lobby
from thirdcard.service.queries.payouts import payouts
from thirdcard.service.queries.pit import pit
from thirdcard.service.tables import floor_plans, plans, practice
from thirdcard.service.tables.draft import Plan
from thirdcard.service.tables.hall import Hall, NewTable
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.paying import winnings
from thirdcard.service.tables.plans import with_rank
from thirdcard.table import commands, decide, legal
from thirdcard.table.commands import AnyCommand
from thirdcard.table.events import BetsOpened
from thirdcard.table.flags import flags
from thirdcard.table.practice import Post, Practice
from thirdcard.table.refusals import Refusal
from thirdcard.table.rights.insurance import silent_people
from thirdcard.table.setup import DEFAULT_CUT
from thirdcard.table.state import Round

pytestmark = pytest.mark.slow

PIA = Person(name="Pia", role="pit-manager")
SAM = Person(name="Sam", role="shift-manager")
BOOKS = packaged()
Due = Callable[[Live, int, str], int]


def shift(  # noqa: PLR0913 - what a shift is
    trainee: Person,
    *,
    post: Post = "desk",
    seed: int = 7,
    rounds: int = 3,
    trouble: int = 0,
    patrons: int = 4,
) -> Practice:
    return Practice(
        trainee=trainee.name,
        post=post,
        seed=seed,
        rounds=rounds,
        patrons=patrons,
        trouble=trouble,
    )


async def open_shift(
    hall: Hall, wanted: Practice, book: str = TBC, *, face_down: bool = False, cut: int = DEFAULT_CUT
) -> None:
    setup = training_setup(book, patrons=wanted.patrons, face_down=face_down, cut=cut)
    table = NewTable(id="one", title="Practice", dealer="staff", setup=setup, pace=Pace(), live_odds=False)
    await hall.create(table, by=wanted.trainee, practice=wanted)


def one(hall: Hall) -> Live:
    return hall.engine.tables["one"]


def right(live: Live, box: int, player: str) -> int:
    """What somebody has coming, by the engine."""
    current = live.table.round
    assert current is not None
    assert current.settlement is not None
    return winnings(current.settlement.lines).get(f"{box}/{player}", 0)


def trouble_of(live: Live) -> Trouble | None:
    """What goes wrong in the round that is played."""
    assert live.practice is not None
    return trouble_in(live.practice, live.table.setup, live.table.rounds)


class Trainee:
    """Works the desk as it asks, in every way but those that a test spoils."""

    def __init__(
        self, hall: Hall, person: Person = DEE, pays: Due = right, *, blind: Collection[str] = ()
    ) -> None:
        self.hall, self.person, self.pays, self.blind = hall, person, pays, blind
        self.called = self.asked = 0

    async def _do(self, plan: Plan) -> None:
        answer = await self.hall.ask("one", plan, self.person)
        assert answer.refusal is None, (answer.refusal, one(self.hall).table.round)

    async def _command(self, *wanted: AnyCommand) -> None:
        await self._do(plans.by_person(self.person, *wanted))

    async def work(self) -> None:
        """Until the shift is over."""
        while not one(self.hall).archived:
            live = one(self.hall)
            if not await self._acts(live):
                await changed(self.hall, live.version)

    async def _acts(self, live: Live) -> bool:
        sees = scene(live, self.person)
        if await ruled(self.hall, self.person):
            return True
        for told in sees.happens:
            kind = told.key.removeprefix("shift_sees_").replace("_", "-")
            if kind not in self.blind and await self._notices(live, kind):
                return True
        if sees.to_name:
            next_one = sees.to_name[0]
            if self.asked != live.table.rounds:
                self.asked = live.table.rounds
                assert desk(live, self.person).payouts is None  # nobody is told before saying
            cents = self.pays(live, next_one.box, next_one.player)
            await self._do(practice.name_payout(self.person, next_one.box, next_one.player, cents))
            return True
        paying = payouts(live)
        if paying is not None and paying.settled and not paying.done:
            unpaid = [p for p in paying.people if p.pays and not p.paid]
            plan = floor_plans.finish_payouts()
            if unpaid:
                plan = floor_plans.tick_payout(self.person, unpaid[0].box, unpaid[0].player, "paid")
            await self._do(plan)
            return True
        return await self._deals(live, self.person.name)

    async def _deals(self, live: Live, me: str) -> bool:
        state = with_rank(live.table, me, self.person.role)
        if live.ended and state.phase not in {"betting", "adjusting", "dealing"}:
            return False
        if state.phase == "betting" and self._patrons_bet(live):
            return False
        if state.phase == "betting" and flags(state) and not {"under", "over"} & {*self.blind}:
            await self._cuts(live, me)
            return True
        if self._leaves(live):
            return False
        wanted = self._wanted(live, due(live, state, self.person), me)
        if wanted is not None:
            await self._command(wanted)
        return wanted is not None

    def _wanted(self, live: Live, due: Next, me: str) -> AnyCommand | None:
        """What the desk asks for, as far as it is the dealer's."""
        current = live.table.round
        if due.kind == "draw":
            out = scene(live, self.person).out
            return commands.Draw(by=me, card=parse_card(out[0]), place=due.place)
        if due.kind == "turn":
            names = tuple(map(parse_card, scene(live, self.person).turned))
            whose = due.command.get("player", "")
            return commands.Expose(by=me, cards=tuple(due.command["cards"]), names=names, player=whose)
        if due.kind == "insurance" and current is not None and not self._answers(live, current):
            return commands.CloseInsurance(by=me, silent=due.silent)
        if due.kind == "command":
            made: AnyCommand = msgspec.convert({**due.command, "by": me}, AnyCommand)
            return made
        return None

    async def _cuts(self, live: Live, me: str) -> None:
        """Chips over the maximum come down to it, those under the minimum go back."""
        setup, current = live.table.setup, live.table.round
        assert current is not None
        for stake in current.stakes.values():
            limit = setup.limit(stake.bet)
            cents = 0 if stake.cents < limit.min else min(stake.cents, limit.max or stake.cents)
            if stake.cents != cents:
                await self._command(
                    commands.RecordChips(
                        by=me, player=stake.player, box=stake.box, bet=stake.bet, cents=cents
                    )
                )

    def _patrons_bet(self, live: Live) -> bool:
        """Whether somebody is still putting chips down."""
        return self.hall._scripted["one"].next_act(live) is not None  # noqa: SLF001

    def _leaves(self, live: Live) -> bool:
        """Whether somebody is about to walk away."""
        current, trouble = live.table.round, trouble_of(live)
        if trouble is None or trouble.kind != "away" or current is None or current.phase != "dealing":
            return False
        return bool(current.drawn) and trouble.player not in current.gone

    def _answers(self, live: Live, current: Round) -> bool:
        """Whether somebody has yet to answer who was asked."""
        trouble = trouble_of(live)
        return any(not troubles.is_deaf(current, trouble, who) for who in silent_people(live.table, current))

    async def _notices(self, live: Live, kind: str) -> bool:
        """What is seen is dealt with, as the script says that it was."""
        if kind == "cut":
            tick(self.hall, 1)  # it is put aside by an act of its own, and not with the next card
            await self._command(commands.CutCard(by=self.person.name))
            tick(self.hall, 1)
            return True
        shift, me, state = live.practice, self.person.name, live.table
        assert shift is not None
        assert state.round is not None
        trouble = trouble_in(shift, state.setup, state.round.number)
        assert trouble is not None
        chips = {"player": trouble.player, "box": trouble.box, "bet": trouble.bet, "cents": trouble.cents}
        if trouble.kind == "between":
            await self._command(commands.RecordChips(by=me, **chips))  # type: ignore[arg-type]
            return True
        if trouble.kind == "asks" and self.called != trouble.round:
            self.called = trouble.round
            await self._do(plans.call_supervisor(""))
            return True
        procedure = troubles.procedure_of(state.rulebook, trouble.kind)
        if procedure is None or trouble.kind == "away":
            return False
        said = {**troubles.details_of(shift, state, trouble), **troubles.facts_of(procedure)}
        report = commands.Report(by=me, case=procedure.case, **said)  # type: ignore[arg-type]
        late = [commands.LateChips(by=me, **chips)] if trouble.kind in troubles.LATE_CHIPS else []  # type: ignore[arg-type]
        await self._command(*late, report)
        return True


async def changed(hall: Hall, version: int) -> None:
    """Time passes until somebody has done something."""

    def passes() -> None:
        hall.sign_of_life("one")
        tick(hall, 0.4)

    await until(lambda: one(hall).version != version, passes)


async def ruled(hall: Hall, person: Person) -> bool:
    """What somebody's rank may decide is decided."""
    current = one(hall).table.round
    if current is None or current.pending is None or current.pending.inputs is not None:
        return False
    live = one(hall)
    state = with_rank(live.table, person.name, person.role)
    trouble = trouble_of(live)
    able = trouble is None or troubles.can_be_reconstructed(trouble.kind)
    options = [o.command for o in legal(state, person.name, chips_of=())]
    rules = [o for o in options if isinstance(o, commands.Rule) and o.inputs.reconstructable in {None, able}]
    if not rules:
        return False
    meant = msgspec.structs.replace(rules[0].inputs, intended=current.pending.players)
    rule = commands.Rule(by=person.name, inputs=meant)
    rule = rules[0] if isinstance(decide(state, rule), Refusal) else rule
    answer = await hall.ask("one", plans.by_person(person, rule), person)
    assert answer.refusal is None, answer.refusal
    return True


async def worked(  # noqa: PLR0913 - how a shift is worked
    wanted: Practice,
    book: str = TBC,
    pays: Due = right,
    *,
    blind: Collection[str] = (),
    face_down: bool = False,
    cut: int = DEFAULT_CUT,
) -> ShiftResult:
    store = MemoryStore()
    async with hall_on(store) as hall:
        await open_shift(hall, wanted, book, face_down=face_down, cut=cut)
        await Trainee(hall, pays=pays, blind=blind).work()
        assert one(hall).table.rounds == wanted.rounds
        assert not store.sums(0, 2**62), "practice is in the figures of no shift"
        return await shift_result(hall, one(hall))


@timed
async def test_who_does_everything_right_has_all_points() -> None:
    result = await worked(shift(DEE, rounds=2))
    assert result.marks.score == 100, result.marks
    assert result.marks.payouts == result.marks.payouts_right > 2
    assert not result.marks.faults


@timed
async def test_a_wrong_payout_is_told_with_its_paragraphs_and_costs_two_points() -> None:
    result = await worked(shift(DEE, rounds=2), pays=lambda live, box, player: right(live, box, player) + 500)
    wrong = [fault for fault in result.marks.faults if fault.kind == "payout"]
    assert len(wrong) == result.marks.payouts
    assert all(fault.said == fault.right + 500 and fault.rules for fault in wrong)
    assert result.marks.parts[0].points == max(0, 40 - 2 * len(wrong))


@pytest.mark.gate("mbs-tiger-v2-down", "rws-tiger-buffalo-commission-v2-up")
@timed
@pytest.mark.parametrize(("book", "faces"), [*((one, "up") for one in BOOKS), (TBC, "down"), (MBS, "down")])
async def test_who_deals_with_every_trouble_as_it_is_has_all_points(book: str, faces: str) -> None:
    face_down = faces == "down"
    setup = training_setup(book, patrons=2, face_down=face_down)
    kinds = troubles.kinds_at(shift(DEE), setup)
    result = await worked(
        shift(DEE, rounds=len(kinds), trouble=100, patrons=2), book, face_down=face_down, cut=cut_of(7, 5)
    )
    came = {t.trouble.kind for t in result.marks.troubles}
    assert {*kinds} - came <= {"neglected"}, {*kinds} - came  # which takes cards that open insurance
    assert all(t.right for t in result.marks.troubles), [t for t in result.marks.troubles if not t.right]
    assert all(t.rules or t.trouble.kind == "asks" for t in result.marks.troubles)
    assert not result.marks.faults
    assert result.marks.score == 100


@timed
@pytest.mark.parametrize(
    ("kind", "book"),
    [
        *((kind, TBC) for kind in ("late", "taken", "between", "misplaced", "asks", "together", "excess")),
        *((kind, CBI) for kind in ("neglected", "laid", "power", "display", "seen")),
        *((kind, MBS) for kind in ("face-up", "altered", "under", "over")),
    ],
)
async def test_what_is_overlooked_costs_the_rulings_and_nothing_else(
    kind: TroubleKind, book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(troubles, "kinds_at", lambda *_: (kind,))
    down = troubles.TROUBLES[kind].faces == "down"
    wanted = shift(DEE, seed=1, rounds=1, trouble=100, patrons=2)
    marks = (await worked(wanted, book, blind={kind}, face_down=down)).marks
    assert marks.troubles
    assert all((t.trouble.kind, t.points) == (kind, 0) and t.rules for t in marks.troubles if kind != "asks")
    assert not marks.faults
    assert {p.name: p.most - p.points for p in marks.parts if p.points < p.most} == {"rulings": 20}
    assert marks.score == 80


@timed
async def test_5_3_1_who_walks_away_is_settled_and_a_void_round_costs_the_ruling_and_five_points(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """TBC 5.3.1: who takes no notice and settles has done what is to be done; who voids the round has not."""
    monkeypatch.setattr(troubles, "kinds_at", lambda *_: ("away",))
    settled = (await worked(shift(DEE, seed=1, rounds=1, trouble=100, patrons=2), blind={"away"})).marks
    assert [(t.did, t.points, t.most, t.right) for t in settled.troubles] == [("settled", 3, 3, True)]
    assert (settled.score, settled.faults) == (100, ())
    async with hall_on(MemoryStore()) as hall:
        await open_shift(hall, shift(SAM, seed=1, rounds=1, trouble=100, patrons=2))
        trainee = Trainee(hall, SAM)
        while not (one(hall).table.round and one(hall).table.round.gone):  # type: ignore[union-attr]
            if not await trainee._acts(one(hall)):  # noqa: SLF001
                await changed(hall, one(hall).version)
        await trainee._command(commands.Void(by=SAM.name, reason="left"))  # noqa: SLF001
        await trainee.work()
        voided = (await shift_result(hall, one(hall))).marks
    assert [(t.did, t.points, t.most, t.right) for t in voided.troubles] == [("voided", 0, 3, False)]
    assert [(f.kind, f.points) for f in voided.faults] == [("voided", 5)]
    assert {p.name: p.most - p.points for p in voided.parts if p.points < p.most} == {
        "procedure": 5,
        "rulings": 20,
    }


@timed
@pytest.mark.parametrize("book", [TBC, CBI])
@pytest.mark.parametrize("post", ["desk", "pit"])
async def test_who_was_not_offered_insurance_is_brought_before_a_pit_manager(
    post: Post, book: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TBC 5.14, CBI 5.13: somebody was passed over, says so, and is treated as the document says."""
    monkeypatch.setattr(troubles, "kinds_at", lambda *_: ("neglected",))
    wanted = shift(DEE if post == "desk" else PIA, post=post, seed=1, rounds=1, trouble=100, patrons=2)
    async with hall_on(MemoryStore()) as hall:
        await open_shift(hall, wanted, book)
        await (Trainee(hall).work() if post == "desk" else rules_all(hall))
        marks = (await shift_result(hall, one(hall))).marks
    assert marks.troubles
    assert {t.case for t in marks.troubles} == {"neglected-insurance"}
    assert all(t.right for t in marks.troubles), marks.troubles
    assert not marks.faults
    assert marks.score == 100


@timed
async def test_a_card_over_the_cut_card_costs_two_points_of_procedure() -> None:
    """MBS 3.22: it is put aside, the round is completed and a new shoe follows."""
    wanted = shift(DEE, rounds=3, patrons=1)
    cut = cut_of(wanted.seed, wanted.rounds)
    seeing, blind = await worked(wanted, MBS, cut=cut), await worked(wanted, MBS, cut=cut, blind={"cut"})
    assert (seeing.marks.score, seeing.marks.faults) == (100, ())
    (fault,) = blind.marks.faults
    assert (fault.kind, fault.points, fault.rules) == ("cut", 2, ("3.22",))
    assert blind.marks.score == 98


@timed
async def test_a_shift_is_reviewed_once_whoever_reads_it_however_often() -> None:
    """Pay lines that were right are good, those that were wrong again; ratings and levels stay."""
    store = MemoryStore()
    async with hall_on(store) as hall:
        await open_shift(hall, shift(DEE, rounds=2))
        await Trainee(hall, pays=lambda live, box, who: right(live, box, who) + 500 * (box == 1)).work()
        made = (await shift_result(hall, one(hall))).marks
        first = await learnt(hall, DEE.name, worked_shift(one(hall), made))
        learner, _ = learners.learner_of(store, DEE.name)
        assert {s.skill for s in first} == {s.skill for s in made.skills}
        assert [s for s in first if not s.right]
        assert [s for s in first if s.right]
        assert all(s.kind == "pay" and s.paragraphs for s in first)
        assert (learner.answered, learner.right) == (len(first), sum(s.right for s in first))
        assert (learner.rated, learner.levels, learner.last) == ({}, {}, None)
        worked_by = learners.memory_of(store, DEE.name, named(TBC), 0)[0].shifts
        assert worked_by == (ShiftScore("one", made.score),), "which the class sees"
        kept = [review for _, review in learners.reviews_of(store, DEE.name)]
        assert {(r.item.skill, r.grade, r.shift) for r in kept} == {
            (s.skill, 3 if s.right else 1, "one") for s in first
        }
        by_skill = learners.memory_of(store, DEE.name, named(TBC), 0)[0].skills
        assert {s.skill: s.due for s in first} == {skill: one.due for skill, one in by_skill.items()}
        assert max(s.due for s in first if not s.right) < min(s.due for s in first if s.right)
        assert await learnt(hall, DEE.name, worked_shift(one(hall), made)) == first
    async with hall_on(store) as hall:  # after a restart
        assert await learnt(hall, DEE.name, worked_shift(one(hall), made)) == first
        assert learners.learner_of(store, DEE.name)[0] == learner
        await learners.forget(hall, DEE.name)
        again = await learnt(hall, DEE.name, worked_shift(one(hall), made))
        assert {s.due for s in again} == {0}, "what somebody wanted forgotten stays so"
        assert not learners.reviews_of(store, DEE.name)
        assert not learners.memories_of(store, DEE.name)


@timed
async def test_rulings_and_what_was_to_be_noticed_are_skills_of_a_shift(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(troubles, "kinds_at", lambda *_: ("late",))
    wanted = shift(DEE, rounds=1, trouble=100, patrons=2)
    seeing, blind = await worked(wanted), await worked(wanted, blind={"late"})
    assert {s.skill: s.right for s in seeing.marks.skills if s.kind != "pay"} == {
        "spot/late-bet": True,
        "rule/late-bet/always": True,  # which a dealer decides
    }
    assert {s.skill: s.right for s in blind.marks.skills if s.kind != "pay"} == {"spot/late-bet": False}


@timed
async def test_a_round_over_par_says_what_took_longest() -> None:
    async with hall_on(MemoryStore()) as hall:
        await open_shift(hall, shift(DEE, rounds=1, patrons=1))

        def pays(live: Live, box: int, who: str) -> int:
            tick(hall, 40)
            return right(live, box, who)

        await Trainee(hall, pays=pays).work()
        marks = (await shift_result(hall, one(hall))).marks
    assert (marks.slow, marks.par) == (1, 16)
    assert marks.rounds[0].slow is not None
    assert marks.rounds[0].slow.before == "payout"
    assert marks.rounds[0].slow.seconds >= 40
    assert marks.parts[-1].points == 0


@timed
async def test_pace_is_full_at_par_and_nothing_at_twice_par_and_a_payout_out_of_order_costs_a_point(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One shift of nine patrons, judged again as if it had been dealt slower, or paid from the other end."""
    log, judged = list[ShiftRecord](), shift_marks.judged

    def keeps(practice: Practice, records: Iterable[ShiftRecord]) -> ShiftMarks:
        log[:] = records
        return judged(practice, log)

    monkeypatch.setattr(shift_marks, "judged", keeps)
    wanted, replace = shift(DEE, rounds=1, patrons=9), msgspec.structs.replace
    assert (await worked(wanted)).marks.par == 48
    for seconds, points in ((24, 15), (48, 15), (60, 11), (72, 8), (96, 0), (400, 0)):
        begun = [
            replace(one, at=0 if place == 0 else seconds * 10**6) for place, one in enumerate(opened(log))
        ]
        marks = judged(wanted, begun)
        assert (marks.seconds, {p.name: p.points for p in marks.parts}) == (
            seconds,
            {"money": 40, "procedure": 25, "rulings": 20, "pace": points},
        )
    paid = [place for place, one in enumerate(log) if isinstance(one.deed, PaidPayout)]
    first, last = paid[0], paid[-1]
    swapped = [*log]
    swapped[first], swapped[last] = (
        replace(log[one], deed=log[other].deed) for one, other in ((first, last), (last, first))
    )
    marks = judged(wanted, swapped)
    boxes = [swapped[place].deed.box for place in paid]  # type: ignore[union-attr]
    late = sum(box < max(boxes[:place]) for place, box in enumerate(boxes) if place)
    assert late
    assert [(f.kind, f.points) for f in marks.faults] == [("order", 1)] * late
    assert next(p.points for p in marks.parts if p.name == "money") == 40 - late


def opened(log: Sequence[ShiftRecord]) -> list[ShiftRecord]:
    """From the opening of bets on."""
    return [*dropwhile(lambda one: not isinstance(one.deed, BetsOpened), log)]


@timed
async def test_cards_dealt_face_down_are_squeezed_by_patrons() -> None:
    result = await worked(shift(DEE, rounds=3, seed=3), face_down=True)
    assert result.marks.score == 100


async def rules_all(hall: Hall, person: Person = PIA) -> int:
    """What comes before the pit until the shift is over, decided; how many there were."""
    decided = 0
    while not one(hall).archived:
        decided += await ruled(hall, person)
        await changed(hall, one(hall).version)
    return decided


@timed
@pytest.mark.parametrize(("book", "faces"), [*((one, "up") for one in BOOKS), (TBC, "down"), (MBS, "down")])
async def test_at_the_pit_the_house_deals_and_the_trainee_rules(book: str, faces: str) -> None:
    face_down = faces == "down"
    person = PIA if book != MBS else Person(name="Pia", role="gaming-shift-manager")
    setup = training_setup(book, patrons=2, face_down=face_down)
    kinds = troubles.kinds_at(shift(person, post="pit"), setup)
    async with hall_on(MemoryStore()) as hall:
        wanted = shift(person, post="pit", rounds=len(kinds), trouble=100, patrons=2)
        await open_shift(hall, wanted, book, face_down=face_down)
        decided = await rules_all(hall, person)
        marks = (await shift_result(hall, one(hall))).marks
    assert {*kinds} - {t.trouble.kind for t in marks.troubles} <= {"neglected"}
    assert decided == len(marks.troubles)
    assert all(t.right and t.rules for t in marks.troubles), [t for t in marks.troubles if not t.right]
    assert {part.name for part in marks.parts} == {"rulings", "pace"}
    assert marks.score == 100, marks


@timed
async def test_a_table_for_practice_is_in_no_list() -> None:
    async with hall_on(MemoryStore()) as hall:
        await open_shift(hall, shift(DEE))
        assert not lobby(hall, DEE)
        assert not pit(hall, PIA).tables
        assert list(hall.tables(practice=True)) == ["one"]


def test_the_same_seed_is_the_same_shift() -> None:
    setup = training_setup(TBC, patrons=9)
    first, again, other = (shift(DEE, seed=seed, trouble=50) for seed in (1, 1, 2))
    told = [
        [(wishes(s, setup, n), trouble_in(s, setup, n)) for n in range(1, 9)] for s in (first, again, other)
    ]
    assert told[0] == told[1] != told[2]
