"""Deal a shift over HTTP: take a table for practice, what is seen there, what is paid, how it was."""

import secrets
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import JSONBody

from thirdcard.school.shift_record import ShiftMarks
from thirdcard.school.shift_script import MOST_PATRONS, MOST_ROUNDS, cut_of, training_setup
from thirdcard.service.api.access import Asking, AtTable, TableVisit, needs
from thirdcard.service.api.asking import Accepted, accepted
from thirdcard.service.api.bodies import Body, takes
from thirdcard.service.api.problems import Wrong
from thirdcard.service.learning.practice_shift import (
    LearntSkill,
    ShiftAbout,
    ShiftScene,
    about,
    learnt,
    scene,
    shift_result,
    shifts_of,
    worked_shift,
)
from thirdcard.service.log.floor_events import Pace
from thirdcard.service.tables import practice
from thirdcard.service.tables.hall import NewTable
from thirdcard.table.practice import Post, Practice
from thirdcard.table.setup import Setup
from thirdcard.words.saying import say

UNHURRIED = Pace(betting=20_000)
SEEDS = 2**31
MOST_A_DAY = 24
DAY = 86_400_000_000


class TakeShift(Body, frozen=True, kw_only=True):
    """`trouble` is the share of rounds in which something goes wrong, in percent; `seed` to meet one again."""

    rulebook: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    layout: Annotated[str, msgspec.Meta(max_length=8)] = ""
    post: Post = "desk"
    rounds: Annotated[int, msgspec.Meta(ge=1, le=MOST_ROUNDS)] = 30
    patrons: Annotated[int, msgspec.Meta(ge=1, le=MOST_PATRONS)] = MOST_PATRONS
    trouble: Annotated[int, msgspec.Meta(ge=0, le=100)] = 20
    face_down: bool = False
    seed: Annotated[int, msgspec.Meta(ge=1, lt=SEEDS)] | None = None


class ShiftTaken(msgspec.Struct, frozen=True, kw_only=True):
    """The table, and the page at which the trainee works."""

    table: str
    page: str
    seed: int


@post("/school/shifts", opt=needs("deal"), **takes(TakeShift), summary="Take a table for practice, with scripted patrons")  # fmt: skip
async def take_shift(asking: Asking, data: JSONBody[TakeShift]) -> ShiftTaken:
    """One at a time: a shift that is still open is gone on with, or ended first."""
    hall, name = asking.hall, asking.person.name
    mine = shifts_of(hall, name)
    if any(not live.archived for live in mine):
        raise Wrong(
            409,
            "in-conflict-with-what-is-there",
            say("shift-not-over"),
        )
    if sum(live.last_at > hall.clock.wall() - DAY for live in mine) >= MOST_A_DAY:
        raise Wrong(429, "too-many", say("shifts-enough-today", most_a_day=MOST_A_DAY))
    seed = data.seed or 1 + secrets.randbelow(SEEDS - 1)
    setup: Setup = training_setup(
        data.rulebook,
        data.layout,
        patrons=data.patrons,
        face_down=data.face_down,
        cut=cut_of(seed, data.rounds),
    )
    table = f"practice-{secrets.token_hex(6)}"
    wanted = NewTable(
        id=table, title="Practice", dealer="staff", setup=setup, pace=UNHURRIED, live_odds=False
    )
    shift = Practice(
        trainee=name,
        post=data.post,
        seed=seed,
        rounds=data.rounds,
        patrons=data.patrons,
        trouble=data.trouble,
    )
    await hall.create(wanted, by=name, practice=shift)
    page = f"/dealer/{table}" if data.post == "desk" else f"/pit/{table}"
    return ShiftTaken(table=table, page=page, seed=seed)


@get("/school/shifts", opt=needs("deal"), summary="Your own shifts, the latest first")
async def show_shifts(asking: Asking) -> list[ShiftAbout]:
    return [about(live) for live in shifts_of(asking.hall, asking.person.name)]


@get("/school/shifts/{table:str}/scene", opt=needs("deal"), summary="What a trainee sees at the table")
async def show_scene(at: AtTable) -> ShiftScene:
    return scene(_trained_at(at).live, at.person)


class NamePayout(Body, frozen=True, kw_only=True):
    """What somebody has coming besides the stakes, which stay; 0 for nothing."""

    box: Annotated[int, msgspec.Meta(ge=1, le=64)]
    player: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    cents: Annotated[int, msgspec.Meta(ge=0, le=2**53)]


@post("/school/shifts/{table:str}/payouts", opt=needs("deal"), status_code=200, **takes(NamePayout), summary="Say what somebody has coming")  # fmt: skip
async def name_payout(at: AtTable, data: JSONBody[NamePayout]) -> Accepted:
    """Before the desk tells; once for each."""
    plan = practice.name_payout(at.person, data.box, data.player, data.cents)
    return accepted(await at.hall.ask(_trained_at(at).live.id, plan, at.person))


@post("/school/shifts/{table:str}/end", opt=needs("deal"), status_code=200, summary="End a shift after the round being played")  # fmt: skip
async def end_shift(at: AtTable) -> Accepted:
    return accepted(await at.hall.ask(_trained_at(at).live.id, practice.end_early(at.person), at.person))


class ShiftShown(msgspec.Struct, frozen=True, kw_only=True):
    """A shift as it was worked; `learnt` are its skills, for the trainee alone and once it is over."""

    about: ShiftAbout
    marks: ShiftMarks
    learnt: tuple[LearntSkill, ...]


@get("/school/shifts/{table:str}", opt=needs("deal"), summary="How a shift was worked, judged against the rules")  # fmt: skip
async def show_result(at: AtTable) -> ShiftShown:
    """So far, while it goes on; once it is over, the skills that it asked for are reviewed, once."""
    hall, live = at.hall, _trained_at(at).live
    result, found = await shift_result(hall, live), tuple[LearntSkill, ...]()
    if live.archived:
        trainee = result.about.trainee
        told = await learnt(hall, trainee, worked_shift(live, result.marks))
        found = told if at.person.name == trainee else ()
    return ShiftShown(about=result.about, marks=result.marks, learnt=found)


def _trained_at(at: TableVisit) -> TableVisit:
    if at.live.practice is None:
        raise Wrong(404, "no-such-table", say("no-practice-table", id=at.live.id))
    return at
