"""Slow work that needs nothing but its arguments, done by a process beside the one that plays.

Threads of one interpreter take turns, so that whatever one of them works out holds up every bet meanwhile.
The process beside knows the rulebooks that this one was given. It is started by the first who needs it, gives
way to all others, and ends with the process that it works for.
"""

import atexit
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import IO, Any, Final, ParamSpec

from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.forms import canonical
from thirdcard.rulebook.load import remember, texts_read
from thirdcard.rulebook.sources import Given, given, take_given
from thirdcard.service.turns import Busy, Done, done

P = ParamSpec("P")
NICE: Final = 10
LONGEST_SECONDS: Final = 60.0  # of one piece of work; then whoever asked is told to ask again
CLOSING_SECONDS: Final = 5.0


class Aside:
    """The process beside this one; it does one thing after the other."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._given: Given | None = None
        self._sent: set[str] = set()  # texts of rulebooks, by digest
        self._turn = threading.Lock()
        atexit.register(self.close)

    def ask(self, work: Callable[P, object], *args: P.args, **named: P.kwargs) -> Done:
        """What comes of a function that the other process can import; Busy if that ended, or was too slow."""
        with self._turn:
            process = self._running()
            late = threading.Timer(LONGEST_SECONDS, process.kill)
            late.start()
            try:
                now, texts = given(), texts_read()
                books = [book for digest, book in texts.items() if digest not in self._sent]
                _write(process.stdin, (None if now == self._given else now, books, work, args, named))
                self._given, self._sent = now, {*texts}
                answer: Done = pickle.load(process.stdout)  # type: ignore[arg-type]  # noqa: S301 - our own process
            except (EOFError, OSError):
                self._end()
                raise Busy from None
            finally:
                late.cancel()
        return answer

    def close(self) -> None:
        with self._turn:
            self._end()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            # In a group of its own: Ctrl-C is for the server, which ends this one when it is ready to.
            self._process = subprocess.Popen(  # noqa: S603 - the words are ours
                [sys.executable, "-m", __name__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                process_group=0,
            )
        return self._process

    def _end(self) -> None:
        process, self._process, self._given, self._sent = self._process, None, None, set()
        if process is not None:
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
            try:
                process.wait(CLOSING_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


ASIDE: Final = Aside()


class _Pickler(pickle.Pickler):
    """A rulebook goes by its text, so that it is read once and is the same one from then on."""

    def reducer_override(self, value: Any) -> Any:  # noqa: ANN401 - as its base has it
        return (remember, (canonical(value),)) if isinstance(value, Rulebook) else NotImplemented


def _write(pipe: IO[bytes] | None, value: object) -> None:
    assert pipe is not None  # it was asked for
    _Pickler(pipe, pickle.HIGHEST_PROTOCOL).dump(value)
    pipe.flush()


# In the process beside --------------------------------------------------------------------------------------


def serve() -> None:
    """Do what is asked until nobody can ask any more."""
    os.nice(NICE)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever prints does not print into answers
    while True:
        try:
            now, _, work, args, named = pickle.load(sys.stdin.buffer)  # noqa: S301 - the process that started this one
            if now is not None:
                take_given(now)
        except EOFError:
            return
        _write(answers, done(work, *args, **named))


if __name__ == "__main__":
    serve()
