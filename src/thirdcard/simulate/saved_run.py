"""A run's total so far in a file, so that an interrupted run goes on to the identical result."""

import os
from pathlib import Path
from typing import Any

import msgspec

from thirdcard import rulebook
from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook, digest_of
from thirdcard.rulebook.findings import RulebookError
from thirdcard.rulebook.load import SHOWN_DIGEST, of_package, packaged, remember
from thirdcard.simulate.compiled import Integers, np
from thirdcard.simulate.kernel import DEALING
from thirdcard.simulate.shoe_run import Run

FORMAT = f"thirdcard simulation {DEALING}"


class SavedRun(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The first `done` chunks of a run, and the seconds they took."""

    format: str = FORMAT
    run: dict[str, Any]
    done: int
    seconds: float
    arrays: tuple[bytes, ...]


def save(file: Path, run: Run, done: int, seconds: float, total: tuple[Integers, ...]) -> None:
    """Write it whole or not at all: another file takes its place in one step."""
    saved = SavedRun(
        run=_plain(run),
        done=done,
        seconds=seconds,
        arrays=tuple([array.astype("<i8").tobytes() for array in total]),
    )
    draft = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        with draft.open("wb") as sink:
            sink.write(msgspec.msgpack.encode(saved))
            sink.flush()
            os.fsync(sink.fileno())
        draft.replace(file)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise BadInput(f"cannot write the checkpoint {file}: {error.strerror or error}") from error


def load(file: Path, run: Run) -> tuple[tuple[Integers, ...], int, float]:
    """The total so far from the file, the chunks done and the seconds; nothing if there is no file.

    What is there of a shorter run of the same kind, finished or not, is the beginning of this one.
    """
    saved = _read(file)
    if saved is None:
        return run.empty(), 0, 0.0
    if saved.format != FORMAT:
        raise BadInput(f"{file} is a checkpoint of another version: {saved.format!r}, not {FORMAT!r}")
    length = saved.run.get(run.unit)
    shorter = isinstance(length, int) and 0 < length < run.length
    before = run.of_length(int(length)) if shorter else run  # type: ignore[arg-type]  # an int, as just seen
    differing = list(_differences(_compared(saved.run), _compared(_plain(before))))
    if [name for name, _, _ in differing] == ["digest"]:
        raise BadInput(_another_text(file, saved.run, *differing[0][1:]))
    if differing:
        differences = "; ".join(
            f"{name} {before}, not {now}" for name, before, now in differing if name != "digest"
        )
        raise BadInput(f"{file} is a checkpoint of another run: it has {differences}")
    total = before.empty()
    sizes, held = [array.nbytes for array in total], [len(data) for data in saved.arrays]
    if sizes != held:
        raise BadInput(f"{file} is damaged: {sum(held)} bytes where {sum(sizes)} should be")
    for array, data in zip(total, saved.arrays, strict=True):
        array[:] = np.frombuffer(data, "<i8").reshape(array.shape)
    return *(run.go_on(before, total, saved.done) if shorter else (total, saved.done)), saved.seconds


def find_rulebook(which: str, file: Path | None) -> Rulebook:
    """As `rulebook.load`, and the text that a checkpoint carries is found too.

    It stands in for a file that is gone and for a slug that is not known here; whatever those say today, it
    goes by `slug@digest`.
    """
    kept = _kept(file) if file else None
    try:
        return rulebook.load(which)
    except RulebookError:
        raise
    except BadInput:
        if kept is None or Path(which).stem != kept.slug:
            raise
        return kept


def _kept(file: Path) -> Rulebook | None:
    """The rulebook whose text a checkpoint carries."""
    saved = _read(file)
    text = saved.run.get("text") if saved else None
    if not text:
        return None
    try:
        return remember(text.encode())
    except (AttributeError, BadInput) as error:
        raise BadInput(f"{file} is damaged: its rulebook cannot be read") from error


def _read(file: Path) -> SavedRun | None:
    try:
        return msgspec.msgpack.decode(file.read_bytes(), type=SavedRun)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadInput(f"cannot read the checkpoint {file}: {error.strerror or error}") from error
    except msgspec.MsgspecError as error:
        raise BadInput(f"{file} is not a checkpoint of a simulation: {error}") from error


def _another_text(file: Path, run: dict[str, Any], before: str, now: str) -> str:
    slug, own = run["rulebook"], before[:SHOWN_DIGEST]
    complaint = f"{file} is a checkpoint of another text of {slug}: it has {own}, not {now[:SHOWN_DIGEST]}"
    return f"{complaint}; to go on by its own, name {slug}@{own}" if run.get("text") else complaint


def _compared(run: dict[str, Any]) -> dict[str, Any]:
    """A run as it is told from others: its text by the digest.

    Runs of earlier releases have none, and were played by the package's texts.
    """
    fields = {name: value for name, value in run.items() if name != "text"}
    if "digest" not in fields and run.get("rulebook") in packaged():
        fields["digest"] = digest_of(of_package(run["rulebook"]))
    return fields


def _plain(run: Run) -> dict[str, Any]:
    """A run as it reads back from a file: lists, not tuples."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(run))
    return plain


def _differences(there: dict[str, Any], here: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """What two runs differ in, by name; of the parts of a plan each on its own."""
    differing: list[tuple[str, Any, Any]] = []
    for name in dict.fromkeys((*there, *here)):
        before, now = there.get(name), here.get(name)
        if isinstance(before, dict) and isinstance(now, dict):
            differing += _differences(before, now)
        elif before != now:
            differing.append((name, before, now))
    return differing
