"""Many cases of one loop as one test that says which of them failed: to collect a test takes longer than most cases."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest


def each(
    names: str | tuple[str, ...],
    cases: Iterable[Any] | Callable[[], Iterable[Any]],
    *,
    ids: Callable[[Any], object] | Iterable[str] | None = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As `pytest.mark.parametrize`, in one test; `cases` that are a function are made when the test runs.

    All cases run; those that fail are raised together, each with a note on which it is. What the test gets from
    fixtures is the same for all of them.
    """
    own = tuple(name.strip() for name in names.split(",")) if isinstance(names, str) else names

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def run(**given: Any) -> None:  # noqa: ANN401 - whatever fixtures there are
            made = list(cases if isinstance(cases, Iterable) else cases())
            assert made, "no case at all"
            named = list(ids) if ids is not None and not callable(ids) else made
            failed: list[Exception] = []
            for case, name in zip(made, named, strict=True):
                values = _values(case, len(own))
                try:
                    test(**dict(zip(own, values, strict=True)), **given)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - all are told at the end
                    wrong = error if isinstance(error, Exception) else AssertionError(str(error))
                    wrong.add_note(f"case: {ids(name) if callable(ids) else name!r}")
                    failed.append(wrong)
            if failed:
                raise ExceptionGroup(f"{len(failed)} of {len(made)} cases", failed)

        signature = inspect.signature(test)
        left = [one for name, one in signature.parameters.items() if name not in own]
        run.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return run

    return decorate


def _values(case: Any, count: int) -> tuple[Any, ...]:  # noqa: ANN401
    if hasattr(case, "values") and hasattr(case, "marks"):  # of pytest.param
        assert not case.marks, "a case of a loop has no marks of its own"
        return tuple(case.values)
    return (case,) if count == 1 else tuple(case)
