"""The program as other programs and people run it."""

import json
import signal
import subprocess
import sys
import time
from copy import copy
from importlib import import_module
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import msgspec
import pytest

from thirdcard.cli import main

sources = import_module("thirdcard.rulebook.sources")
GUARD = 300.0  # seconds; for a program that is stuck, whatever the machine


def thirdcard(
    *arguments: str | Path, stdin: str = "", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "thirdcard", *map(str, arguments)]
    return subprocess.run(
        command,
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=GUARD,
        cwd=cwd,
    )


def answer(*arguments: str | Path, status: int = 0) -> Any:  # noqa: ANN401 - JSON
    ended, out, err = here(*arguments, "--json")
    assert (ended, err) == (status, ""), (ended, err)
    return json.loads(out)


def complaint(*arguments: str | Path, stdin: str = "") -> str:
    """The one sentence that bad input is answered with."""
    status, out, err = here(*arguments, stdin=stdin)
    assert (status, out, err.count("\n")) == (2, "", 1), (status, out, err)
    return err


def here(*arguments: str | Path, stdin: str | bytes = "", encoding: str = "utf-8") -> tuple[int, str, str]:
    """A command in this process, which is quick: status, standard output and standard error.

    As from a process of its own, no rulebook that it finds is found by what comes after it.
    """
    out, err = TextIOWrapper(BytesIO(), encoding=encoding), TextIOWrapper(BytesIO(), encoding=encoding)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["thirdcard", *map(str, arguments)])
        given = stdin.encode() if isinstance(stdin, str) else stdin
        patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(given), encoding="utf-8"))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        for name in ("_folders", "_taken"):
            patch.setattr(sources, name, copy(getattr(sources, name)))
        with pytest.raises(SystemExit) as ended:
            main()
    told = []
    for stream in (out, err):
        stream.flush()
        told.append(stream.buffer.getvalue().decode(encoding))
    status = ended.value.code
    assert isinstance(status, int)
    return status, told[0], told[1]


# The program as it is, but that each piece of work is in the checkpoint at once.
SAVING = "from thirdcard.simulate import work; work.SAVE_SECONDS = 0; from thirdcard.cli import main; main()"


def saving(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SAVING, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def interrupted(running: subprocess.Popen[str], file: Path) -> tuple[str, str]:
    """What it says when somebody presses Ctrl-C, once a part of its work is in the checkpoint."""
    until = time.monotonic() + GUARD
    while not _done_in(file) and time.monotonic() < until:
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    return running.communicate(timeout=GUARD)


def _done_in(file: Path) -> int:
    """How many chunks a checkpoint holds."""
    return int(msgspec.msgpack.decode(file.read_bytes())["done"]) if file.exists() else 0
