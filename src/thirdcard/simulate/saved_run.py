"""A run's total so far in a file, so that an interrupted run goes on to the identical result."""

import os
from pathlib import Path
from typing import Any

import msgspec

from thirdcard.errors import BadInput
from thirdcard.simulate.compiled import Integers, np
from thirdcard.simulate.kernel import DEALING

FORMAT = f"thirdcard simulation {DEALING}"


class SavedRun(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The first `done` chunks of a run, and the seconds they took."""

    format: str = FORMAT
    run: dict[str, Any]
    done: int
    seconds: float
    arrays: tuple[bytes, ...]


def save(file: Path, run: msgspec.Struct, done: int, seconds: float, total: tuple[Integers, ...]) -> None:
    """Write it whole or not at all: another file takes its place in one step."""
    made = SavedRun(
        run=_plain(run),
        done=done,
        seconds=seconds,
        arrays=tuple([array.astype("<i8").tobytes() for array in total]),
    )
    draft = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        with draft.open("wb") as sink:
            sink.write(msgspec.msgpack.encode(made))
            sink.flush()
            os.fsync(sink.fileno())
        draft.replace(file)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise BadInput(f"cannot write the checkpoint {file}: {error.strerror or error}") from error


def load(file: Path, run: msgspec.Struct, total: tuple[Integers, ...]) -> tuple[int, float]:
    """Fill `total` from the file; the chunks done and the seconds. Nothing is done if there is no file."""
    try:
        found = msgspec.msgpack.decode(file.read_bytes(), type=SavedRun)
    except FileNotFoundError:
        return 0, 0.0
    except OSError as error:
        raise BadInput(f"cannot read the checkpoint {file}: {error.strerror or error}") from error
    except msgspec.MsgspecError as error:
        raise BadInput(f"{file} is not a checkpoint of a simulation: {error}") from error
    here = _plain(run)
    if found.format != FORMAT:
        raise BadInput(f"{file} is a checkpoint of another version: {found.format!r}, not {FORMAT!r}")
    if found.run != here:
        told = "; ".join(f"{name} {before}, not {now}" for name, before, now in _differences(found.run, here))
        raise BadInput(f"{file} is a checkpoint of another run: it has {told}")
    for array, data in zip(total, found.arrays, strict=False):
        if array.nbytes != len(data):
            raise BadInput(f"{file} is damaged: {len(data)} bytes where {array.nbytes} should be")
        array[:] = np.frombuffer(data, "<i8").reshape(array.shape)
    return found.done, found.seconds


def _plain(run: msgspec.Struct) -> dict[str, Any]:
    """A run as it reads back from a file: lists, not tuples."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(run))
    return plain


def _differences(there: dict[str, Any], here: dict[str, Any]) -> list[tuple[str, object, object]]:
    """What two runs differ in, by name; of the parts of a plan each on its own."""
    found: list[tuple[str, object, object]] = []
    for name in dict.fromkeys((*there, *here)):
        before, now = there.get(name), here.get(name)
        if isinstance(before, dict) and isinstance(now, dict):
            found += _differences(before, now)
        elif before != now:
            found.append((name, before, now))
    return found
