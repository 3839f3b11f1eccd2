"""NumPy and Numba, said in one sentence if they are missing, and how kernels are compiled."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeAlias, TypeVar

from thirdcard.errors import BadInput

try:
    import numpy as np
    from numba import njit
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise BadInput(
        f"the simulator needs NumPy and Numba: install thirdcard[analysis] ({error.name} is missing)"
    ) from error

__all__ = [
    "OPTIONS",
    "Bytes",
    "Counts",
    "Integers",
    "Lanes",
    "RandomWords",
    "Whole",
    "compiled",
    "inner",
    "njit",
    "np",
]

OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",  # no kernel divides by zero, so none has to look for it
    "_nrt": False,  # none makes an array, and counting references to those given would take most of its time
}

P = ParamSpec("P")
R = TypeVar("R")

Bytes: TypeAlias = NDArray[np.uint8]
Lanes: TypeAlias = NDArray[np.uint16]
RandomWords: TypeAlias = NDArray[np.uint64]
Counts: TypeAlias = NDArray[np.uint32]
Integers: TypeAlias = NDArray[np.int64]
Whole: TypeAlias = int | np.integer[Any]  # a number inside a kernel


def inner(function: Callable[P, R]) -> Callable[P, R]:
    """Compiled into the kernels that call it: handing over the arrays of a shoe would take a while."""
    made: Any = njit(forceinline=True, **OPTIONS)(function)
    return made  # type: ignore[no-any-return]


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel: compiled, and kept for the next start where there is a place for it."""
    made: Any
    try:
        made = njit(cache=True, **OPTIONS)(function)
    except RuntimeError:  # neither the package nor the home directory can be written to
        made = njit(**OPTIONS)(function)
    return made  # type: ignore[no-any-return]
