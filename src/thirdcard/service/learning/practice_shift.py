"""A shift that somebody trains in: what the trainee sees at the table, and how the shift is marked.

For the trainee, and for who reads logs. Cards are told as they come out of the shoe, never before. The skills
that a shift asked for are reviewed, once, when its result is first read.
"""

from typing import Final

import msgspec

from thirdcard.rulebook import named
from thirdcard.rulebook.model import Rules
from thirdcard.school import shift_marks as marks
from thirdcard.school import shift_record as record
from thirdcard.school import shift_script as script
from thirdcard.school import shift_troubles as troubles
from thirdcard.school.memory import FITTED_EVERY
from thirdcard.school.progress import ShiftWorked, worked
from thirdcard.school.shift_record import ShiftMarks
from thirdcard.school.shift_troubles import Trouble
from thirdcard.service.learning import learners
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.store.model import LearningWrite, Record, ReviewRow, StoreDown
from thirdcard.service.people.roles import Person
from thirdcard.service.queries.desk import due
from thirdcard.service.queries.parts import Sentence, tell
from thirdcard.service.tables import practice as driver
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import Live
from thirdcard.table import events, replay
from thirdcard.table.practice import Post, Practice
from thirdcard.table.state import Line, State

KEPT_MARKS = 256  # shifts of which the marks are remembered


class ToName(msgspec.Struct, frozen=True, kw_only=True):
    """Whose payout the trainee names next, with all that person has down."""

    box: int
    player: str
    bets: tuple[tuple[str, int, int | None], ...]  # bet, stake in cents, insurance window


class ShiftScene(msgspec.Struct, frozen=True, kw_only=True):
    """What a trainee sees and hears at the table and no record tells.

    `out` are cards that have left the shoe and lie there to be named, `turned` those that are being turned.
    """

    table: str
    post: Post
    round: int
    rounds: int
    over: bool
    par: int
    out: tuple[str, ...]
    turned: tuple[str, ...]
    happens: tuple[Sentence, ...]
    to_name: tuple[ToName, ...]


class ShiftAbout(msgspec.Struct, frozen=True, kw_only=True):
    """A shift as lists tell of it."""

    table: str
    rulebook: str
    layout: str
    post: Post
    seed: int
    rounds: int
    patrons: int
    trouble: int
    at: int  # when it was begun or last worked, in microseconds
    over: bool
    minutes: int
    trainee: str


class ShiftResult(msgspec.Struct, frozen=True, kw_only=True):
    about: ShiftAbout
    marks: ShiftMarks


def about(live: Live) -> ShiftAbout:
    practice, setup = _practice(live), live.table.setup
    return ShiftAbout(
        table=live.id,
        rulebook=setup.rulebook,
        layout=setup.layout,
        post=practice.post,
        seed=practice.seed,
        rounds=practice.rounds,
        patrons=practice.patrons,
        trouble=practice.trouble,
        at=live.last_at,
        over=live.archived,
        minutes=0,
        trainee=practice.trainee,
    )


def _practice(live: Live) -> Practice:
    assert live.practice is not None
    return live.practice


def shifts_of(hall: Hall, trainee: str) -> list[Live]:
    """Those of one person, the latest first."""
    mine = [
        live
        for live in hall.tables(practice=True).values()
        if live.practice is not None and live.practice.trainee == trainee
    ]
    return sorted(mine, key=lambda live: -live.last_at)


def scene(live: Live, person: Person) -> ShiftScene:
    practice, state = _practice(live), live.table
    current = state.round
    out = troubles.out_now(practice, state) if practice.post == "desk" else ()
    turned: tuple[str, ...] = ()
    if practice.post == "desk" and current is not None and state.setup.unseen:
        wanted = due(live, state, person)
        if wanted.kind == "turn":
            places = wanted.command.get("cards", ())
            turned = tuple(script.card_at(practice, state, place).value for place in places)
    return ShiftScene(
        table=live.id,
        post=practice.post,
        round=state.rounds,
        rounds=practice.rounds,
        over=live.archived,
        par=marks.par_of(practice),
        out=tuple(card.value for card in out),
        turned=turned,
        happens=_happens(live, practice) if practice.post == "desk" else (),
        to_name=to_name(live),
    )


def to_name(live: Live) -> tuple[ToName, ...]:
    """The payouts that the trainee has yet to name, each with what that person has down."""
    current, paying = live.table.round, live.paying
    lines = (*(paying.early if paying else ()), *_lines(live))
    payouts = []
    for box, player in driver.to_name(live):
        mine = [line for line in lines if (line.box, line.player) == (box, player)]
        payouts.append(
            ToName(box=box, player=player, bets=tuple((line.bet, line.stake, line.window) for line in mine))
        )
    return tuple(payouts) if current is not None else ()


def _lines(live: Live) -> tuple[Line, ...]:
    current = live.table.round
    return current.settlement.lines if current is not None and current.settlement is not None else ()


def _happens(live: Live, practice: Practice) -> tuple[Sentence, ...]:
    """What goes on that the trainee has to notice, in words that name no rule."""
    state, current = live.table, live.table.round
    if current is None:
        return ()
    happening: list[Sentence] = []
    if troubles.cut_card_lies(state):
        happening.append(tell("shift_sees_cut", state.rulebook))
    trouble = troubles.trouble_in(practice, state.setup, current.number)
    if trouble is not None and troubles.has_come(state, trouble) and not _seen_to(live, trouble):
        facts = _seen(practice, state, trouble)
        happening.append(tell(f"shift_sees_{trouble.kind.replace('-', '_')}", state.rulebook, **facts))
    return tuple(happening)


def _seen(practice: Practice, state: State, trouble: Trouble) -> dict[str, str | int]:
    """What the sentence tells, as it is seen."""
    current = state.round
    assert current is not None
    match trouble.kind:
        case "display":
            return {"outcome": troubles.displayed(current)}
        case "seen":
            return {
                "place": trouble.type.cards,
                "card": script.card_at(practice, state, trouble.type.cards).value,
            }
    return {
        "player": trouble.player,
        "box": trouble.box,
        "bet": trouble.bet,
        "hand": trouble.other,
        "cents": abs(trouble.cents),
    }


def _seen_to(live: Live, trouble: Trouble) -> bool:
    """Whether there is nothing to be noticed any more, or not yet."""
    current = live.table.round
    assert current is not None
    if trouble.kind == "away":
        return trouble.player not in current.gone
    return trouble.kind == "asks" and bool(live.called)


# The marks ----------------------------------------------------------------------------------------------


async def shift_result(hall: Hall, live: Live) -> ShiftResult:
    """The shift as it is marked so far; read from the log, and kept for those that are over."""
    kept = hall.shift_marks.get(live.id)
    if kept is None or kept[0] != live.version:
        records = await hall.engine.reading(hall.engine.store.read, live.id)
        result = await hall.engine.reading(lambda: _judged(live, records))
        hall.shift_marks[live.id] = kept = live.version, result
        while len(hall.shift_marks) > KEPT_MARKS:
            hall.shift_marks.pop(next(iter(hall.shift_marks)))
    return kept[1]


def worked_shift(live: Live, made: ShiftMarks) -> ShiftWorked:
    """What of a shift is learnt from."""
    setup = live.table.setup
    return ShiftWorked(
        table=live.id,
        rulebook=setup.rulebook,
        layout=setup.layout,
        decks=setup.decks,
        score=made.score if made.rounds else None,
        skills=made.skills,
    )


def _judged(live: Live, records: list[Record]) -> ShiftResult:
    deeds = []
    state = None
    for stored in records:
        event = event_of(stored)
        if isinstance(event, events.TableOpened):
            state = replay([event])
        elif state is not None and (deed := _deed(event)) is not None:
            deeds.append((stored.at, stored.by, deed))
    assert state is not None  # a table is served once its set-up is logged
    judged = marks.judged(_practice(live), record.folded(state, deeds))
    first = next((at for at, _, deed in deeds if isinstance(deed, events.BetsOpened)), 0)
    minutes = round((records[-1].at - first) / marks.SECOND / 60) if first else 0
    return ShiftResult(about=msgspec.structs.replace(about(live), minutes=minutes), marks=judged)


def _deed(event: floor.Logged) -> record.Deed | None:
    """What of the log is judged; all else of the floor says nothing of the trainee."""
    match event:
        case floor.PayoutNamed():
            return record.NamedPayout(event.box, event.player, event.cents)
        case floor.PayoutTicked():
            return record.PaidPayout(event.box, event.player)
        case floor.PayoutsDone():
            return record.PayoutsFinished()
        case floor.SupervisorCalled():
            return record.PitCalled()
        case floor.CasePassedUp():
            return record.PassedUp(event.to)
    return None if isinstance(event, floor.AnyFloorEvent) else event


# What a shift leaves of learning ----------------------------------------------------------------------


SHIFT: Final = "shift:"  # that this one was reviewed; nobody's, so that it is not again once all is forgotten


class LearntSkill(msgspec.Struct, frozen=True, kw_only=True):
    """A skill that a shift asked for; when it is due now, 0 if it was forgotten on wish."""

    skill: str
    kind: str
    right: bool
    due: int
    paragraphs: Rules


async def learnt(hall: Hall, person: str, shift: ShiftWorked) -> tuple[LearntSkill, ...]:
    """The skills of a shift that is over, reviewed if they were not before; what was wrong comes first."""
    engine, store, now = hall.engine, hall.engine.store, hall.clock.wall()
    book = named(shift.rulebook)

    def work() -> tuple[list[LearningWrite], list[ReviewRow], bool]:
        if store.learning(learners.NOBODY, SHIFT + shift.table) is not None:
            return [], [], False
        learner, version = learners.learner_of(store, person)
        memory, kept = learners.memory_of(store, person, book, now)
        after, encode = worked(learner, memory, shift, now), msgspec.json.encode
        writes = [
            LearningWrite(learners.NOBODY, SHIFT + shift.table, 0, encode(now)),
            LearningWrite(person, learners.LEARNER, version, encode(after.learner)),
            LearningWrite(person, learners.MEMORY + book.slug, kept, encode(after.memory)),
        ]
        rows = [
            ReviewRow(person=person, number=number, at=now, body=encode(review))
            for number, review in enumerate(after.reviews, start=learner.answered + 1)
        ]
        fits = learner.answered // FITTED_EVERY != after.learner.answered // FITTED_EVERY
        return writes, rows, fits

    for _ in range(learners.TRIES):
        writes, rows, fits = await engine.reading(work)
        if not writes or await engine.writing(store.keep_learning, writes, rows):
            if fits:
                learners.fit_later(hall, person)
            return await engine.reading(lambda: _as_it_is(hall, person, shift))
    raise StoreDown("too many answers at once")


def _as_it_is(hall: Hall, person: str, shift: ShiftWorked) -> tuple[LearntSkill, ...]:
    now = hall.clock.wall()
    memory, _ = learners.memory_of(hall.engine.store, person, named(shift.rulebook), now)
    skills = [
        LearntSkill(
            skill=skill.skill,
            kind=skill.kind,
            right=skill.right,
            due=memory.skills[skill.skill].due if skill.skill in memory.skills else 0,
            paragraphs=skill.paragraphs,
        )
        for skill in shift.skills
    ]
    return tuple(sorted(skills, key=lambda skill: (skill.right, skill.due, skill.skill)))
