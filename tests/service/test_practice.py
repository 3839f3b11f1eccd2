"""A shift in training: scripted patrons at a real table, and every action judged from its log."""

from collections.abc import Callable

import msgspec
import pytest

from service.houses import DEE, MBS, TBC, hall_on, tick, timed, until
from thirdcard.cards import parse_card
from thirdcard.school.shift_script import Post, Practice, training_setup, trouble_in, wishes
from thirdcard.service.log.floor_events import Pace
from thirdcard.service.log.store.memory import MemoryStore
from thirdcard.service.people.roles import Person
from thirdcard.service.queries.desk import Desk, Next, desk
from thirdcard.service.queries.lobby import lobby
from thirdcard.service.queries.pit import pit
from thirdcard.service.queries.practice_shift import ShiftResult, scene, shift_result
from thirdcard.service.tables import floor_plans, plans, practice
from thirdcard.service.tables.draft import Plan
from thirdcard.service.tables.hall import Hall, NewTable
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.paying import winnings
from thirdcard.service.tables.plans import with_rank
from thirdcard.table import commands, legal
from thirdcard.table.commands import AnyCommand
from thirdcard.table.decide.dealing import silent_people

PIA = Person(name="Pia", role="pit-manager")
Due = Callable[[Live, int, str], int]


def shift(
    trainee: Person, *, post: Post = "desk", seed: int = 7, rounds: int = 3, trouble: int = 0
) -> Practice:
    return Practice(
        trainee=trainee.name,
        post=post,
        seed=seed,
        rounds=rounds,
        patrons=4,
        trouble=trouble,
    )


async def open_shift(hall: Hall, wanted: Practice, book: str = TBC, *, face_down: bool = False) -> None:
    setup = training_setup(book, patrons=wanted.patrons, face_down=face_down)
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


class Trainee:
    """Works the desk as it asks, in every way but those that a test spoils."""

    def __init__(self, hall: Hall, person: Person = DEE, pays: Due = right, *, blind: bool = False) -> None:
        self.hall, self.person, self.pays, self.blind = hall, person, pays, blind
        self.called = 0

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
        me, seen, sees = self.person.name, desk(live, self.person), scene(live, self.person)
        assert seen.payouts is None or not sees.to_name  # nobody is told before saying
        if await ruled(self.hall, self.person):
            return True
        if sees.happens and not self.blind and await self._notices(live, sees.happens[0].key):
            return True
        if sees.to_name:
            next_one = sees.to_name[0]
            cents = self.pays(live, next_one.box, next_one.player)
            await self._do(practice.name_payout(self.person, next_one.box, next_one.player, cents))
            return True
        if seen.payouts is not None and seen.payouts.settled and not seen.payouts.done:
            unpaid = [p for p in seen.payouts.people if p.pays and not p.paid]
            plan = floor_plans.finish_payouts()
            if unpaid:
                plan = floor_plans.tick_payout(self.person, unpaid[0].box, unpaid[0].player, "paid")
            await self._do(plan)
            return True
        return await self._deals(live, seen, me)

    async def _deals(self, live: Live, seen: Desk, me: str) -> bool:
        state, due = live.table, seen.next
        if live.ended and state.phase not in {"betting", "adjusting", "dealing"}:
            return False
        if state.phase == "betting" and self._patrons_bet(live):
            return False
        if state.phase == "betting" and seen.flags:
            await self._cuts(live, me)
            return True
        wanted = self._wanted(live, due, me)
        if wanted is not None:
            await self._command(wanted)
        return wanted is not None

    def _wanted(self, live: Live, due: Next, me: str) -> AnyCommand | None:
        """What the desk asks for, as far as it is the dealer's."""
        current = live.table.round
        if due.kind == "draw":
            out = scene(live, self.person).out
            return commands.Draw(by=me, card=parse_card(out[0]), place=due.place)
        if due.kind == "turn" and not due.command.get("player"):
            names = tuple(map(parse_card, scene(live, self.person).turned))
            return commands.Expose(by=me, cards=tuple(due.command["cards"]), names=names)
        if due.kind == "insurance" and current is not None and (self.blind or not silent_people(current)):
            return commands.CloseInsurance(by=me, silent=due.silent)
        if due.kind == "command":
            made: AnyCommand = msgspec.convert({**due.command, "by": me}, AnyCommand)
            return made
        return None

    async def _cuts(self, live: Live, me: str) -> None:
        """Chips over the maximum come down to it."""
        setup, current = live.table.setup, live.table.round
        assert current is not None
        for stake in current.stakes.values():
            most = setup.limit(stake.bet).max or stake.cents
            if stake.cents > most:
                await self._command(
                    commands.RecordChips(by=me, player=stake.player, box=stake.box, bet=stake.bet, cents=most)
                )

    @staticmethod
    def _patrons_bet(live: Live) -> bool:
        """Whether somebody is still putting chips down."""
        current, shift = live.table.round, live.practice
        assert current is not None
        assert shift is not None
        have = {stake.player for stake in current.stakes.values()}
        return not have.issuperset(w.player for w in wishes(shift, live.table.setup, current.number))

    async def _notices(self, live: Live, key: str) -> bool:
        shift, me, current = live.practice, self.person.name, live.table.round
        assert shift is not None
        assert current is not None
        trouble = trouble_in(shift, live.table.setup, current.number)
        assert trouble is not None
        if key == "shift_sees_late":
            case = next(p.case for p in live.table.rules.procedures if "late-chips" in p.about)
            await self._command(
                commands.LateChips(
                    by=me, player=trouble.player, box=trouble.box, bet=trouble.bet, cents=trouble.cents
                ),
                commands.Report(by=me, case=case, players=(trouble.player,), box=trouble.box),
            )
            return True
        if key in {"shift_sees_together", "shift_sees_excess"}:
            about = "drawn-together" if key.endswith("together") else "excess-cards"
            found = next(p for p in live.table.rules.procedures if about in p.about)
            out = tuple(map(parse_card, scene(live, self.person).out))
            first = len(current.drawn) + 1
            known = False if about == "drawn-together" else None
            await self._command(
                commands.Report(
                    by=me,
                    case=found.case,
                    drawn=out,
                    shown=tuple(range(first, first + len(out))),
                    order_known=known,
                )
            )
            return True
        if key == "shift_sees_asks" and self.called != current.number:
            self.called = current.number
            await self._do(plans.call_supervisor(""))
            return True
        return False


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
    state = with_rank(one(hall).table, person.name, person.role)
    options = legal(state, person.name, chips_of=())
    rule = next((o.command for o in options if isinstance(o.command, commands.Rule)), None)
    if rule is None:
        return False
    answer = await hall.ask("one", plans.by_person(person, rule), person)
    assert answer.refusal is None, answer.refusal
    return True


async def worked(
    wanted: Practice, book: str = TBC, pays: Due = right, *, blind: bool = False, face_down: bool = False
) -> ShiftResult:
    store = MemoryStore()
    async with hall_on(store) as hall:
        await open_shift(hall, wanted, book, face_down=face_down)
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


@timed
@pytest.mark.parametrize("book", [TBC, MBS])
async def test_every_trouble_is_noticed_by_who_looks_and_missed_by_who_does_not(book: str) -> None:
    wanted = shift(DEE, rounds=5, trouble=100)
    seeing, blind = await worked(wanted, book), await worked(wanted, book, blind=True)
    assert [t.trouble for t in seeing.marks.troubles] == [t.trouble for t in blind.marks.troubles]
    assert len(seeing.marks.troubles) >= 4
    assert all(t.right for t in seeing.marks.troubles), [t for t in seeing.marks.troubles if not t.right]
    missed = [t for t in blind.marks.troubles if t.trouble.kind not in {"away", "over"}]
    assert missed
    assert all(t.points == 0 and t.did == "not-noticed" for t in missed)
    assert blind.marks.score < seeing.marks.score


@timed
async def test_cards_dealt_face_down_are_squeezed_by_patrons() -> None:
    result = await worked(shift(DEE, rounds=3, seed=3), face_down=True)
    assert result.marks.score == 100


@timed
async def test_at_the_pit_the_house_deals_and_the_trainee_rules() -> None:
    async with hall_on(MemoryStore()) as hall:
        await open_shift(hall, shift(PIA, post="pit", rounds=4, trouble=100))
        decided = 0
        while not one(hall).archived:
            decided += await ruled(hall, PIA)
            await changed(hall, one(hall).version)
        marks = (await shift_result(hall, one(hall))).marks
        assert decided == len(marks.troubles) >= 2
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
