"""The clocks, and that setting one is noticed."""

import time

from service.clocks import FakeClock
from thirdcard.service.clock import BEAT, MICROSECONDS, Clock, ClockWatch, Pulse


def test_the_wall_clock_counts_microseconds_since_1970() -> None:
    before = time.time()
    assert before - 1 < Clock().wall() / MICROSECONDS < before + 60


def test_the_monotonic_clock_never_goes_back() -> None:
    clock = Clock()
    told = [clock.monotonic() for _ in range(1_000)]
    assert told == sorted(told)


def test_the_clock_that_goes_on_while_the_machine_sleeps_never_goes_back_either() -> None:
    clock = Clock()
    told = [clock.boot() for _ in range(1_000)]
    assert told == sorted(told)
    assert told[-1] > told[0]


def test_a_pulse_tells_how_late_it_is_and_since_when_nobody_was_awake() -> None:
    clock = FakeClock()
    pulse = Pulse(clock)
    assert (pulse.since(), pulse.beat()) == (0, 0)
    clock.freeze(60)
    assert (pulse.since(), pulse.at) == (60, clock.monotonic() - 60)
    assert pulse.beat() == 60 - BEAT
    assert (pulse.since(), pulse.at) == (0, clock.monotonic())
    clock.sleep(5)
    assert pulse.beat() == 5 - BEAT, "the machine slept, and its monotonic clock with it"


def test_a_clock_that_merely_goes_is_no_news() -> None:
    clock = FakeClock()
    watch = ClockWatch(clock)
    clock.wait(86_400)
    assert watch.look() is None


def test_a_jump_is_told_once_by_its_size() -> None:
    clock = FakeClock()
    watch = ClockWatch(clock)
    clock.wait(10)
    clock.set(-3_600)
    assert watch.look() == -3_600 * MICROSECONDS
    assert watch.look() is None
    clock.set(90)
    assert watch.look() == 90 * MICROSECONDS
    clock.wait(10)
    assert watch.look() is None


def test_a_second_is_no_jump_and_more_is() -> None:
    clock = FakeClock()
    watch = ClockWatch(clock)
    clock.set(1)
    assert watch.look() is None
    clock.set(-1)
    assert watch.look() is None
    clock.set(1.000_001)
    assert watch.look() == 1_000_001
