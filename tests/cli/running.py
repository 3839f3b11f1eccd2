"""The program as other programs and people run it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


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
        timeout=300,
        cwd=cwd,
    )


def answer(*arguments: str | Path, status: int = 0) -> Any:  # noqa: ANN401 - JSON
    done = thirdcard(*arguments, "--json")
    assert (done.returncode, done.stderr) == (status, ""), done
    return json.loads(done.stdout)


def complaint(*arguments: str | Path, stdin: str = "") -> str:
    """The one sentence that bad input is answered with."""
    done = thirdcard(*arguments, stdin=stdin)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done
    return done.stderr
