"""Levels and streaks."""

from thirdcard.school.progress import SpeedLevel, Streak


def climb(start: SpeedLevel, answers: str) -> SpeedLevel:
    """`r` right in time, `l` right but late, `w` wrong."""
    for one in answers:
        start = start.answered(right=one != "w", in_time=one == "r")
    return start


def test_five_right_in_time_are_one_up_and_two_wrong_one_down() -> None:
    assert climb(SpeedLevel(), "rrrr").level == 1
    assert climb(SpeedLevel(), "rrrlr").level == 1, "late counts for nothing"
    assert climb(SpeedLevel(), "rrrlrr").level == 2
    assert climb(SpeedLevel(4), "rwrrw").level == 3
    assert climb(SpeedLevel(4), "rrrrw") == SpeedLevel(4, 4, 1)
    assert climb(SpeedLevel(1), "ww").level == 1
    assert climb(SpeedLevel(10), "rrrrr").level == 10


def test_a_missed_day_pauses_the_streak_once_a_week() -> None:
    streak = Streak()
    for day in (100, 101, 102, 104):
        streak = streak.practised(day)
    assert (streak.days, streak.paused) == (4, 103)
    assert streak.on(105) == 4, "it may still go on"
    assert streak.on(106) == 0, "103 was forgiven, so 105 is not"
    assert streak.practised(106).days == 1
    assert streak.practised(106).longest == 4
    later = streak
    for day in range(105, 110):
        later = later.practised(day)
    assert later.practised(111).days == later.days + 1, "a week later another day is"
    assert later.practised(112).days == 1
