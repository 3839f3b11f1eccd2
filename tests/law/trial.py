"""One mutant tried: put in force in a process of its own, and the tests that ought to notice run on it.

Nobody holds on to a value as it was: the process that forks never loads a rulebook and imports no test, and
a row of the remedy table is changed before anything that could have looked at it is imported.
"""

import gc
import os
import select
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any, Final, Literal, NoReturn, TextIO, TypeAlias
from unittest.mock import patch

import msgspec
import pytest

from law.changes import REMEDIES, Mutant, Raw, as_toml, edited, only_read, row_edited
from thirdcard.rulebook import load, slugs
from thirdcard.rulebook.findings import RulebookError
from thirdcard.rulebook.load import read, texts_read

ROOT: Final = Path(__file__).resolve().parents[2]
# Every value as it was reviewed, in one file for each document: quick to ask, but it cannot say what is right.
REVIEWED: Final = ("tests/transcripts/rulebooks",)
# What else every rulebook has to pass, asked where nothing before saw a change; what sees most is first.
COMMON: Final = (
    "tests/transcripts",
    "tests/rules/test_trace.py::test_every_paragraph_stands_once",
    *(
        f"tests/rulebook/test_{name}.py"
        for name in ("agreement", "contract", "diff", "load", "remedies", "rulings")
    ),
)
OPTIONS: Final = (
    *("-q", "--tb=no", "--no-header", "--no-summary", "--assert=plain", "-p", "no:cacheprovider"),
    *("-p", "no:unraisableexception", "-p", "no:threadexception"),  # a collection of garbage for each mutant
)
CHUNK: Final = 65536
ENGINE: Final = (
    "rich.console",
    "rich.table",
    "thirdcard.cli",
    "thirdcard.cli.rules",
    "thirdcard.play.explain",
    "thirdcard.play.settlement",
    "thirdcard.table.script",
    "thirdcard.table.transcript",
)

Outcome: TypeAlias = Literal["loader", "paragraph", "common", "time", "survived", "crashed"]


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a mutant.

    The loader refused it; a test of its paragraphs noticed it, or one that is common to all; its time was up;
    it survived; or the trial itself failed. `by` is what noticed it, `tests` are those of its paragraphs that
    did not.
    """

    key: str
    outcome: Outcome
    by: str = ""
    tests: tuple[str, ...] = ()
    seconds: float = 0


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """A mutant, the document it changes, and the tests of its paragraphs.

    `left_out` are tests that fail with nothing changed: they prove nothing.
    """

    mutant: Mutant
    raw: Raw
    tests: tuple[str, ...]
    left_out: frozenset[str] = frozenset()


Judge: TypeAlias = Callable[[Trial], Verdict]


# --- in the process of the mutant -------------------------------------------------------------------------


def tried(trial: Trial) -> Verdict:
    """The verdict on a mutant. This process is the mutant's from now on."""
    mutant = trial.mutant
    try:
        put_in_force(mutant, trial.raw)
    except RulebookError as error:
        return Verdict(key=mutant.key, outcome="loader", by=str(error))
    for outcome, tests in tiers(trial):
        by = failures(tests, mutant.document, trial.left_out, at_once=True)
        if by:
            return Verdict(key=mutant.key, outcome=outcome, by=by[0])
    return Verdict(key=mutant.key, outcome="survived", tests=trial.tests)


def tiers(trial: Trial) -> list[tuple[Outcome, tuple[str, ...]]]:
    """The tests in the order asked: of the paragraphs those without a table first, then those of all.

    Words and citations no round can tell are looked up first in what was reviewed. So are remedies: half of
    all tests have to do with voiding a round.
    """
    quick = tuple(test for test in trial.tests if test.startswith("tests/rules/"))
    own: list[tuple[Outcome, tuple[str, ...]]] = [
        ("paragraph", quick),
        ("paragraph", tuple(test for test in trial.tests if test not in quick)),
    ]
    reviewed: list[tuple[Outcome, tuple[str, ...]]] = [("common", REVIEWED)]
    first_reviewed = trial.mutant.document == REMEDIES or only_read(trial.mutant)
    return [*(reviewed + own if first_reviewed else own + reviewed), ("common", COMMON)]


def put_in_force(mutant: Mutant, raw: Raw) -> None:
    """From here on `load` answers with the mutant, or the remedy table has its row; RulebookError if refused."""
    if mutant.document == REMEDIES:
        row, other = row_edited(mutant)
        for name in row.__struct_fields__:
            msgspec.structs.force_setattr(row, name, getattr(other, name))
        for slug in slugs():
            load(slug)
        return
    book = read(f"{mutant.document}.toml", as_toml(edited(raw, mutant.edits)))
    with patch("thirdcard.rulebook.load._converted", return_value=book):
        load(mutant.document)
    if load(mutant.document) is not book:
        raise RuntimeError(f"{mutant.document} had been read before the mutant was in force")


class Watch:
    """A plug-in of pytest that keeps to one document and takes down which tests fail."""

    def __init__(self, document: str, left_out: Collection[str]) -> None:
        self.document = document
        self.left_out = left_out
        self.failed: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [one for one in items if self._wanted(one)]

    def _wanted(self, item: pytest.Item) -> bool:
        """Whether a test is of this document, by what its parameters name, or of all."""
        if item.nodeid in self.left_out:
            return False
        named = named_in([item.nodeid, *_files_of(item)])
        return self.document == REMEDIES or not named or self.document in named

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


def named_in(texts: Iterable[str]) -> set[str]:
    """The documents that texts speak of."""
    return {slug for text in texts for slug in slugs() if slug in text}


def _files_of(item: pytest.Item) -> Iterator[str]:
    """What is in the files that a test is given."""
    call = getattr(item, "callspec", None)
    for value in call.params.values() if call else ():
        if isinstance(value, Path) and value.is_file():
            yield value.read_text(encoding="utf-8")


def failures(
    tests: Sequence[str], document: str, left_out: Collection[str], *, at_once: bool = False
) -> list[str]:
    """The tests that fail, the first only if that will do; a test that cannot be found is an error."""
    if not tests:
        return []
    golden = import_module("transcripts.golden")
    golden.run = in_a_fork  # type: ignore[attr-defined]
    watch = Watch(document, left_out)
    status = pytest.main([*OPTIONS, *["-x"] * at_once, "--rootdir", str(ROOT), *tests], plugins=[watch])
    fine = {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}
    if not watch.failed and status not in fine:
        raise RuntimeError(f"pytest ended with {status!r} and no test failed")
    return watch.failed


def in_a_fork(arguments: list[str]) -> str:
    """What `transcripts.golden.run` gives, by a fork of this process: a new one would not know the mutant."""
    golden = import_module("transcripts.golden")
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as complained:
        child = os.fork()
        if not child:
            os.dup2(printed.fileno(), 1)
            os.dup2(complained.fileno(), 2)
            os.environ.update(golden.PLAIN)
            _command_line(arguments)
        _, status = os.waitpid(child, 0)
        text = _read(printed) + _read(complained)
    code = os.waitstatus_to_exitcode(status)
    if code:
        text += f"(status {code})\n"
    return "\n".join(line.rstrip() for line in text.splitlines())


def _command_line(arguments: list[str]) -> NoReturn:
    """This process becomes the command line, on the descriptors 1 and 2."""
    status: Any = 1
    try:
        sys.argv = ["thirdcard", *arguments]
        with _writing_to(1) as sys.stdout, _writing_to(2) as sys.stderr:
            import_module("thirdcard.cli").main()
    except SystemExit as end:
        status = end.code or 0
    finally:
        os._exit(status)


def _writing_to(descriptor: int) -> TextIO:
    return open(descriptor, "w", encoding="utf-8", closefd=False)


def _read(file: Any) -> str:  # noqa: ANN401 - a temporary file
    file.seek(0)
    text = file.read().decode()
    assert isinstance(text, str)
    return text


# --- in the process that forks ----------------------------------------------------------------------------


@cache
def import_pytest() -> None:
    """What every trial begins with, imported once for all children to come."""
    import_module("hypothesis")
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        pytest.main(["--version"])


@cache
def import_engine() -> None:
    """What most tests import, once for all children to come: of documents, not of the remedy table."""
    for name in ENGINE:
        import_module(name)
    command = ["thirdcard", "rules", "show", "none"]  # refused, but Typer has imported what it puts off
    with patch("sys.argv", command), redirect_stderr(StringIO()), suppress(SystemExit):
        import_module("thirdcard.cli").main()
    if texts_read():
        raise RuntimeError("something reads a rulebook when it is imported: a mutant would come too late")


class _Running(msgspec.Struct):
    """A trial under way: its process, what it has written so far, and when its time is up."""

    child: int
    key: str
    tests: tuple[str, ...]
    began: float
    written: bytes = b""


def verdicts(
    trials: Iterable[Trial], *, workers: int, limit: float, judge: Judge = tried
) -> Iterator[Verdict]:
    """The verdict on each, as they come; `limit` is the seconds a trial may take. None outlives this."""
    import_pytest()
    waiting = iter(trials)
    running: dict[int, _Running] = {}
    try:
        while True:
            while len(running) < workers and (trial := next(waiting, None)):
                pipe, one = _started(trial, judge)
                running[pipe] = one
            if not running:
                return
            patience = min(one.began for one in running.values()) + limit - time.monotonic()
            ready, _, _ = select.select(list(running), [], [], max(patience, 0))
            for pipe in list(running):
                verdict = _heard(pipe, running[pipe], limit, ready=pipe in ready)
                if verdict:
                    del running[pipe]
                    yield verdict
    finally:
        for pipe, one in running.items():
            _end(pipe, one)


def _started(trial: Trial, judge: Judge) -> tuple[int, _Running]:
    reading, writing = os.pipe()
    began = time.monotonic()
    sys.stdout.flush()
    child = os.fork()
    if not child:
        _be_the_trial(trial, judge, writing)
    with suppress(OSError):  # parent and child both do it: whoever is first
        os.setpgid(child, child)
    os.close(writing)
    return reading, _Running(child=child, key=trial.mutant.key, tests=trial.tests, began=began)


def _be_the_trial(trial: Trial, judge: Judge, writing: int) -> NoReturn:
    """In the child: a process group of its own, nothing printed, the verdict written, and no way back."""
    try:
        gc.disable()  # this process does not live long enough
        os.setpgid(0, 0)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nowhere, descriptor)
        try:
            verdict = judge(trial)
        except Exception as error:  # noqa: BLE001 - whatever it is, the report says it
            sentence = f"{type(error).__name__}: {error}"
            verdict = Verdict(key=trial.mutant.key, outcome="crashed", by=sentence, tests=trial.tests)
        with open(writing, "wb") as pipe:
            pipe.write(msgspec.json.encode(verdict))
    finally:
        os._exit(0)


def _heard(pipe: int, one: _Running, limit: float, *, ready: bool) -> Verdict | None:
    """The verdict if the trial has come to its end, or its time has."""
    seconds = time.monotonic() - one.began
    if ready:
        chunk = os.read(pipe, CHUNK)
        one.written += chunk
        if chunk:
            return None
        _end(pipe, one)
        if one.written:
            return msgspec.structs.replace(msgspec.json.decode(one.written, type=Verdict), seconds=seconds)
        return Verdict(key=one.key, outcome="crashed", by="no verdict", tests=one.tests, seconds=seconds)
    if seconds < limit:
        return None
    _end(pipe, one)
    return Verdict(key=one.key, outcome="time", by=f"{limit:g} seconds", tests=one.tests, seconds=seconds)


def _end(pipe: int, one: _Running) -> None:
    """The process is gone, and all that it started."""
    os.close(pipe)
    with suppress(ProcessLookupError):
        os.killpg(one.child, signal.SIGKILL)
    os.waitpid(one.child, 0)
