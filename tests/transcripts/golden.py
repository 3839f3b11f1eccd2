"""Golden transcripts: a file holds commands behind `$ ` and below each what it printed."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
PLAIN = {"COLUMNS": "100", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}


def files() -> list[Path]:
    return sorted(HERE.glob("*.txt"))


def replay(text: str) -> str:
    """The same commands with what they print now."""
    told = []
    for line in text.splitlines():
        if line.startswith("# "):
            told += ["", line]
        elif line.startswith("$ thirdcard "):
            told += [
                *([] if told and told[-1].startswith("# ") else [""]),
                line,
                run(shlex.split(line.removeprefix("$ thirdcard "))),
            ]
    return "\n".join(told).strip() + "\n"


def run(arguments: list[str]) -> str:
    command = [sys.executable, "-m", "thirdcard", *arguments]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=300,
        env=os.environ | PLAIN,
    )
    printed = done.stdout + done.stderr
    if done.returncode:
        printed += f"(status {done.returncode})\n"
    return "\n".join(line.rstrip() for line in printed.splitlines())
