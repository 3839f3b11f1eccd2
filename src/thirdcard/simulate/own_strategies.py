"""Betting strategies of one's own: functions of what a player at the table knows, in Python or by Numba.

    def strategy(known):
        return 0, known.unit

A strategy is given `Known` and answers with the bet, counted from 0 among those it may choose from, and the
stake in cents. The stake is rounded down to the chip unit and brought within the limits and the bankroll, as
that of every plan; a stake of nothing sits the round out, without side bets or insurance. Arrays of `Known`
cannot be written to, and whatever a strategy wants to remember it finds there.

Decorated with Numba's `njit` the same function is compiled into the loop that plays the sessions. In plain
Python that very loop is interpreted, so both come to the same, and one takes a thousand times as long.
"""

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType
from typing import Any, Final, TypeAlias

from thirdcard.errors import BadInput
from thirdcard.simulate.compiled import OPTIONS, Integers, njit, np
from thirdcard.simulate.kernel import Known, Own, Past, play_sessions
from thirdcard.strict import whole

Strategy: TypeAlias = Callable[[Known], tuple[int, int]]

RANKS: Final = 14  # of `Known.seen`, where the first stands for no rank
USUAL_NAME: Final = "strategy"
MOST_ROUNDS_KNOWN: Final = 10**6  # of a session whose every round is remembered
COMPILED, PLAIN = "numba", "python"
TOLD: Final = 300  # characters of what Numba says

_known_here: dict[str, Any] = {}  # by the name that a run has for it


def named(function: Strategy, text: bytes = b"") -> str:
    """The name of a strategy in a run: kind, own name, and a digest of its text or code.

    A checkpoint goes on with the same name only. What the function reads beside its own code, a list in its
    module say, is in the digest of a file and not in that of a function.
    """
    plain = getattr(function, "py_func", function)
    if not callable(function) or not hasattr(plain, "__code__"):
        raise BadInput(f"a strategy is a function of what a player knows: got {function!r}")
    kind = COMPILED if hasattr(function, "py_func") else PLAIN
    digest = sha256(text or _bytes_of(plain.__code__) + _held_by(plain)).hexdigest()[:16]
    name = f"{kind}:{getattr(function, '__name__', USUAL_NAME)}@{digest}"
    _known_here[name] = function
    return name


def _held_by(function: Any) -> bytes:  # noqa: ANN401 - a function, of which there is no type
    """What was bound to it when it was made: two that differ in this are two strategies."""
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    return repr((cells, function.__defaults__, function.__kwdefaults__)).encode()


def _bytes_of(code: CodeType) -> bytes:
    consts = [
        _bytes_of(const) if isinstance(const, CodeType) else repr(const).encode() for const in code.co_consts
    ]
    return b"\0".join((code.co_code, repr(code.co_names).encode(), *consts))


def read_strategy(where: str) -> str:
    """The strategy at `FILE.py:NAME`, or `strategy` of a file, by its name in a run; BadInput if none is."""
    file, _, name = where.rpartition(":")
    if not file.endswith(".py"):
        file, name = where, USUAL_NAME
    path = Path(file)
    if path.suffix != ".py" or not path.is_file():
        raise BadInput(
            f"there is no strategy {where}: expected a Python file such as my.py or my.py:{USUAL_NAME}"
        )
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None  # noqa: S101 - a file that ends so has one
    assert spec.loader is not None  # noqa: S101
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BadInput(f"{path} cannot be run: {type(error).__name__}: {error}") from error
    if not hasattr(module, name):
        raise BadInput(f"{path} has no function {name!r}: expected `def {name}(known): return bet, stake`")
    return named(getattr(module, name), path.read_bytes())


def is_compiled(name: str) -> bool:
    """Whether a strategy is played at the speed of the kernel."""
    return name.startswith(COMPILED)


def play_own(name: str, given: tuple[Any, ...], *, rounds: int, bets: int) -> None:
    """Play sessions as `play_sessions` does with what is given, by the strategy of that name."""
    if name not in _known_here:
        raise BadInput(
            f"the strategy {name} is not known here: one's own is played where it was read, not on a cluster"
        )
    function, known = _known_here[name], room_to_know(rounds)
    if not is_compiled(name):
        play_sessions.py_func(*given, _checked(function, bets), *known)  # type: ignore[attr-defined]
        return
    _check_answer(function)
    try:
        _loop()(*given, function, *known)
    except Exception as error:
        told = " ".join(str(error).split())[:TOLD]
        raise BadInput(f"the strategy {function.__name__} failed: {type(error).__name__}: {told}") from error


@cache
def _loop() -> Callable[..., None]:
    """The kernel once more, without keeping it: what is compiled into it is this process's own."""
    made: Any = njit(**OPTIONS)(play_sessions.py_func)  # type: ignore[attr-defined]
    return made  # type: ignore[no-any-return]


def _checked(function: Strategy, bets: int) -> Own:
    """A strategy in plain Python, each of whose answers is looked at."""

    def own(known: Known) -> tuple[int, int]:
        try:
            answer = function(known)
        except Exception as error:
            told = f"the strategy {function.__name__} failed in round {known.rounds + 1}"
            raise BadInput(f"{told}: {type(error).__name__}: {error}") from error
        try:
            bet, stake = answer
        except (TypeError, ValueError):
            raise BadInput(
                f"a strategy answers with a bet and a stake, such as 0, 1000: got {answer!r}"
            ) from None
        bet, stake = whole("the bet that a strategy chooses", bet), whole("the stake of a strategy", stake)
        if not 0 <= bet < bets:
            raise no_bet(bets)
        return bet, stake

    return own


def no_bet(bets: int) -> BadInput:
    return BadInput(f"the strategy chose a bet that is not there: expected 0 to {bets - 1}")


def _check_answer(function: Any) -> None:  # noqa: ANN401 - Numba has no types
    """Refuse a compiled strategy whose answer is not two whole numbers, or which cannot be compiled."""
    from numba import types  # noqa: PLC0415 - only for those who have a compiled one
    from numba.core.errors import NumbaError  # noqa: PLC0415

    try:
        function(nothing_known())
        answers = [overload.signature.return_type for overload in function.overloads.values()]
    except NumbaError as error:
        told = " ".join(str(error).split())[:TOLD]
        raise BadInput(f"the strategy {function.__name__} cannot be compiled: {told}") from error
    for answer in answers:
        parts = getattr(answer, "types", ())
        if len(parts) != 2 or not all(isinstance(part, types.Integer) for part in parts):  # noqa: PLR2004 - bet, stake
            raise BadInput(f"a strategy answers with a bet and a stake in whole cents: got {answer}")


def room_to_know(rounds: int) -> tuple[Past, Past]:
    """Room for the arrays of `Known`: as the kernel writes them, and the same to be read only."""
    past = Past(np.zeros(RANKS, np.int64), *(np.zeros(rounds, np.int64) for _ in range(4)))
    return past, Past(*map(_read_only, past))


def _read_only(array: Integers) -> Integers:
    view = array.view()
    view.flags.writeable = False
    return view


def nothing_known(unit: int = 1000) -> Known:
    """What is known before the first round, to try a strategy with.

    >>> nothing_known().rounds, nothing_known().winners.size
    (0, 0)
    """
    _, shown = room_to_know(0)
    return Known(0, 0, 0, 416, 402, 100 * unit, unit, 100, 100, 10**15, *shown)
