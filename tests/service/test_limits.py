"""Token buckets against a plain model that counts tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.clocks import FakeClock
from thirdcard.service.api.gate import Buckets


def test_a_burst_and_then_the_rate() -> None:
    clock = FakeClock()
    buckets = Buckets(rate=2, burst=3, clock=clock)
    assert [buckets.take("a") for _ in range(3)] == [0, 0, 0]
    assert buckets.take("a") == pytest.approx(0.5)
    assert buckets.take("a") == pytest.approx(0.5), "being refused costs nothing"
    clock.wait(0.25)
    assert buckets.take("a") == pytest.approx(0.25)
    clock.wait(0.25)
    assert buckets.take("a") == 0
    assert buckets.take("a") > 0


def test_waiting_as_long_as_told_is_enough() -> None:
    clock = FakeClock()
    buckets = Buckets(rate=7, burst=3, clock=clock)
    for _ in range(1_000):
        wait = buckets.take("a")
        clock.wait(wait)
        if wait:
            assert buckets.take("a") == 0


def test_a_long_rest_is_worth_no_more_than_a_burst() -> None:
    clock = FakeClock()
    buckets = Buckets(rate=1, burst=2, clock=clock)
    buckets.take("a")
    clock.wait(86_400)
    assert [buckets.take("a") for _ in range(2)] == [0, 0]
    assert buckets.take("a") == pytest.approx(1)


def test_keys_do_not_share() -> None:
    buckets = Buckets(rate=1, burst=1, clock=FakeClock())
    assert buckets.take("a") == 0
    assert buckets.take("b") == 0
    assert buckets.take("a") > 0


def test_setting_the_wall_clock_gives_no_tokens() -> None:
    clock = FakeClock()
    buckets = Buckets(rate=1, burst=1, clock=clock)
    buckets.take("a")
    clock.set(3_600)
    assert buckets.take("a") > 0


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from([0, 0, 0, 1, 2, 3, 5, 40])), max_size=60))
def test_as_if_tokens_were_counted(course: list[tuple[str, int]]) -> None:
    """Quarters of a token at half a token a second, so that the model is exact."""
    clock = FakeClock()
    buckets = Buckets(rate=0.5, burst=4, clock=clock)
    quarters = {"a": 16, "b": 16}
    for key, halves in course:
        clock.wait(halves / 2)
        quarters = {name: min(16, held + halves) for name, held in quarters.items()}
        allowed = quarters[key] >= 4
        assert (buckets.take(key) == 0) == allowed
        quarters[key] -= 4 if allowed else 0


def test_memory_is_bounded_and_full_buckets_go_first() -> None:
    clock = FakeClock()
    buckets = Buckets(rate=1, burst=10, clock=clock, most=100)
    for _ in range(10):
        assert buckets.take("greedy") == 0
    clock.wait(1.5)
    for number in range(99):
        buckets.take(f"once {number}")
    clock.wait(1.5)  # all but the greedy one, which is the oldest, are full again
    buckets.take("one more")
    assert len(buckets) == 2
    assert [buckets.take("greedy") for _ in range(3)] == [0, 0, 0]
    assert buckets.take("greedy") > 0, "its empty bucket was kept"


def test_when_no_bucket_is_full_the_oldest_go() -> None:
    buckets = Buckets(rate=0.001, burst=1, clock=FakeClock(), most=100)
    for number in range(5_000):
        assert buckets.take(f"{number}") == 0
        assert len(buckets) <= 100
    assert buckets.take("4999") > 0
    assert buckets.take("0") == 0
