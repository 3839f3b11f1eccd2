"""One test for many cases says which of them failed, and runs them all."""

import pytest

from each import each

run: list[int] = []


@each("number", lambda: range(5))
def five(number: int) -> None:
    run.append(number)
    assert number % 2 == 0, "odd"


def test_all_cases_run_and_those_that_fail_are_named() -> None:
    run.clear()
    with pytest.raises(ExceptionGroup, match="2 of 5 cases") as told:
        five()
    assert run == [0, 1, 2, 3, 4]
    assert [error.__notes__ for error in told.value.exceptions] == [["case: 1"], ["case: 3"]]


def test_a_loop_over_nothing_fails() -> None:
    with pytest.raises(AssertionError, match="no case"):
        each("number", [])(five)()


@each(("left", "right"), [pytest.param(1, 1, id="one"), (2, 2)])
def test_cases_of_several_values_with_a_fixture(left: int, right: int, tmp_path: object) -> None:
    assert left == right
    assert tmp_path
