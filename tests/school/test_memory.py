"""Memory: FSRS over skills, what is due, the order of a set, and a new version of a rulebook."""

from datetime import UTC, datetime

import pytest
from fsrs import Card, Scheduler, State

from thirdcard.rulebook import named
from thirdcard.school.known import by_paragraph, known_now
from thirdcard.school.memory import (
    AGAIN,
    DAY,
    EASY,
    GOOD,
    HARD,
    MICROSECONDS,
    NEW_A_DAY,
    ChosenSkill,
    Grade,
    Memory,
    SkillMemory,
    carried,
    choose,
    coming,
    due,
    grade_of,
    recalled,
    remembered,
    reviewed,
    weak,
    without_wrong,
)

NOW = 1_800_000_000 * MICROSECONDS
MINUTE = 60 * MICROSECONDS
EMPTY = Memory(rulebook="mbs-tiger-v2", digest="d")
OFFERED = [f"third-card/{number}" for number in range(12)]


def learnt(*graded: tuple[str, Grade], at: int = NOW) -> Memory:
    memory = EMPTY
    for skill, grade in graded:
        memory = reviewed(memory, skill, grade, at, paragraphs=("3.15",))
    return memory


def test_grades_are_wrong_late_right_and_quick() -> None:
    limit = 3.0
    assert grade_of(right=False, seconds=0.1, limit=limit) == AGAIN
    assert grade_of(right=True, seconds=3.1, limit=limit) == HARD
    assert grade_of(right=True, seconds=1.0, limit=limit) == GOOD, "not under a third"
    assert grade_of(right=True, seconds=0.9, limit=limit) == EASY
    assert grade_of(right=True, seconds=0.9, limit=limit, helped=True) == GOOD
    assert grade_of(right=True, seconds=None, limit=limit) == GOOD, "the clock is off"


def test_what_is_remembered_is_what_fsrs_says() -> None:
    one = SkillMemory(7.5, 5.0, NOW + 8 * DAY, NOW, 2, 0, 3, 1)
    last = datetime.fromtimestamp(NOW / MICROSECONDS, UTC)
    card = Card(
        card_id=1, state=State.Review, step=None, stability=7.5, difficulty=5.0, due=last, last_review=last
    )
    for days in (0, 1, 8, 400):
        at = NOW + days * DAY + DAY // 2
        theirs = Scheduler().get_card_retrievability(card, datetime.fromtimestamp(at / MICROSECONDS, UTC))
        assert remembered(one, at) == pytest.approx(theirs, abs=1e-12)


def test_a_wrong_item_returns_after_three_minutes_and_before_all_others() -> None:
    memory = learnt(("a", GOOD), ("b", GOOD), at=NOW - 30 * DAY)
    memory = reviewed(memory, "b", AGAIN, NOW)
    assert due(memory, NOW + 3 * MINUTE - 1) == ["a"]
    assert due(memory, NOW + 3 * MINUTE) == ["b", "a"]
    assert choose(memory, ["a", "b"], NOW + 3 * MINUTE).why == "again"  # type: ignore[union-attr]


def test_the_intervals_that_are_told_are_those_that_come() -> None:
    memory = reviewed(learnt(("a", GOOD), at=NOW - 30 * DAY), "a", AGAIN, NOW)
    told = coming(memory.skills["a"])
    assert len(told) == 4
    assert told[0] == 3 * MINUTE, "in the same set"
    assert told[1] < told[2] < told[3]
    at = NOW
    for interval in told:
        at += interval
        assert memory.skills["a"].due == at
        memory = reviewed(memory, "a", GOOD, at)


def test_what_is_due_comes_by_what_is_lost_of_it() -> None:
    memory = learnt(("sure", EASY), ("shaky", HARD), ("good", GOOD), at=NOW - 60 * DAY)
    memory = reviewed(memory, "shaky", GOOD, NOW - 59 * DAY)
    order = due(memory, NOW)
    assert sorted(order, key=lambda skill: remembered(memory.skills[skill], NOW)) == order
    assert order[-1] == "sure"
    assert weak(memory, NOW, limit=1)[0][0] == order[0]


def test_no_skill_comes_three_times_in_a_row_while_there_is_another() -> None:
    memory = learnt(("a", AGAIN), ("b", GOOD), at=NOW - 30 * DAY)
    assert choose(memory, ["a", "b"], NOW, recent=["b", "a"]).skill == "a"  # type: ignore[union-attr]
    assert choose(memory, ["a", "b"], NOW, recent=["a", "a"]).skill == "b"  # type: ignore[union-attr]
    assert choose(memory, ["a"], NOW, recent=["a", "a"]).skill == "a"  # type: ignore[union-attr]


def test_at_most_eight_new_skills_a_day() -> None:
    memory, new = EMPTY, 0
    for number in range(20):
        chosen = choose(memory, OFFERED, NOW + number * MICROSECONDS, new_today=new)
        assert chosen is not None
        new += chosen.why == "new"
        assert (chosen.why == "new") == (number < NEW_A_DAY), "then what is known is asked ahead of time"
        memory = reviewed(memory, chosen.skill, EASY, NOW + number * MICROSECONDS)
    assert len(memory.skills) == NEW_A_DAY


def test_what_is_new_beyond_eight_comes_only_where_nothing_was_ever_met() -> None:
    met = learnt(("a", EASY), at=NOW)
    later = NOW + MICROSECONDS
    only = choose(met, ["b", "a"], later, recent=["a", "a"], new_today=NEW_A_DAY)
    assert only == ChosenSkill("a", "ahead"), "rather a third time than a ninth new skill"
    assert choose(met, ["b", "c"], later, new_today=NEW_A_DAY) == ChosenSkill("b", "new"), "it is told as new"


def test_the_heat_map_has_every_paragraph_in_the_order_of_the_document() -> None:
    memory = EMPTY
    for skill, paragraphs, grade in (
        ("a", ("3.15", "3.9"), GOOD),
        ("b", ("3.15",), AGAIN),
        ("c", ("1.2.10",), EASY),
    ):
        memory = reviewed(memory, skill, grade, NOW, paragraphs=paragraphs)  # type: ignore[arg-type]
    chances = recalled(memory, NOW + 20 * DAY)
    assert chances == {skill: remembered(one, NOW + 20 * DAY) for skill, one in memory.skills.items()}
    known = known_now(memory, NOW + 20 * DAY)
    assert known.kinds == {"": pytest.approx(sum(chances.values()) / 3)}
    tiles = by_paragraph([known])
    assert [tile.paragraph for tile in tiles] == ["1.2.10", "3.9", "3.15"]
    last = tiles[-1]
    assert (last.skills, last.met, last.wrong) == (2, 2, 1)
    assert last.remembered < tiles[1].remembered < tiles[0].remembered
    other = reviewed(EMPTY, "d", GOOD, NOW + 20 * DAY, paragraphs=("3.15",))
    both = by_paragraph([known, known_now(other, NOW + 20 * DAY)])[-1]
    assert (both.met_by, both.skills, both.last) == (2, 3, NOW + 20 * DAY)
    assert both.would_fail == pytest.approx((1 - (chances["a"] + chances["b"]) / 2) / 2), "people count alike"
    assert both.remembered == pytest.approx((chances["a"] + chances["b"] + 1) / 3)


def test_what_is_known_stays_so_until_the_time_that_it_tells() -> None:
    memory = learnt(("a", GOOD), at=NOW - 30 * DAY)
    memory = reviewed(memory, "b", AGAIN, NOW - MINUTE)
    memory = reviewed(memory, "c", GOOD, NOW - 3 * DAY - 2 * MINUTE)
    at, seen = NOW, set()
    for _ in range(40):
        known = known_now(memory, at)
        assert known.since == at < known.until
        told = (known.due, known.week, known.kinds, known.paragraphs)
        for later in (at + 1, (at + known.until) // 2, known.until - 1):
            same = known_now(memory, later)
            assert (same.due, same.week, same.kinds, same.paragraphs) == told
        then = known_now(memory, known.until)
        seen.add((then.due != known.due, then.kinds != known.kinds, then.week != known.week))
        at = known.until
    assert {what for one in seen for what, changed in zip("dcw", one, strict=True) if changed} == set("dcw")


def test_a_week_of_answers_is_seven_days_and_forgets_what_was_struck() -> None:
    memory = EMPTY
    for days, wrong in ((8, True), (6, True), (6, False), (0, True)):
        memory = reviewed(memory, "a", AGAIN if wrong else GOOD, NOW - days * DAY)
    assert known_now(memory, NOW).week == {"a": (3, 2)}
    assert known_now(memory, NOW + DAY).week == {"a": (1, 1)}, "eight days ago is no part of the week"
    one = without_wrong(memory.skills["a"], NOW - 6 * DAY, NOW)
    assert (one.met, one.wrong, one.due) == (3, 2, min(NOW, memory.skills["a"].due))
    struck = Memory(rulebook="mbs-tiger-v2", digest="d", skills={"a": one})
    assert known_now(struck, NOW).week == {"a": (2, 1)}
    assert known_now(struck, NOW + 7 * DAY).week == {}


def test_a_new_version_keeps_what_did_not_change_and_asks_the_rest_at_once() -> None:
    before, after = (named(f"rws-tiger-buffalo-non-commission-v{number}") for number in (3, 4))
    from thirdcard.rulebook.diff import diff  # noqa: PLC0415

    changed = next(one for one in diff(before, after).changed if one.rules)
    number = (changed.rules_before or changed.rules)[0]
    same = next(
        rule
        for rule in before.paragraphs
        if rule
        not in {
            r
            for d in (*diff(before, after).changed, *diff(before, after).removed, *diff(before, after).added)
            for r in (d.rules_before or d.rules)
        }
    )
    memory = reviewed(EMPTY, "changed", GOOD, NOW, paragraphs=(same, number))
    memory = reviewed(memory, "same", GOOD, NOW, paragraphs=(same,))
    new = carried(memory, before, after, "e", NOW + MINUTE)
    assert (new.rulebook, new.digest) == (after.slug, "e")
    assert due(memory, NOW + MINUTE) == []
    assert due(new, NOW + MINUTE) == ["changed"]
    assert new.skills["same"] == memory.skills["same"]
    assert new.skills["changed"].stability == memory.skills["changed"].stability
