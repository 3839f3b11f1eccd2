"""NumPy and Numba, said in one sentence if they are missing, and how counting is compiled."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

try:
    import numpy as np
    from numba import njit
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"fast odds need NumPy and Numba: install thirdcard[analysis] ({error.name} is missing)",
        name=error.name,
    ) from error

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Floats", "Integers", "compiled", "np"]

Integers: TypeAlias = "NDArray[np.int64]"
Floats: TypeAlias = "NDArray[np.float64]"


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compiled for the machine and kept for the next start, where there is a place to keep it."""
    try:
        return njit(nogil=True, cache=True)(function)
    except RuntimeError:  # neither the package nor the home directory can be written to
        return njit(nogil=True)(function)
