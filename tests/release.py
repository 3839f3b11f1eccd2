"""Targets of the Makefile at their full size, one after the other, and a record of them (`make release`).

What fails does not stop the rest, and Ctrl-C ends it with what is known. The record is the last part of docs/checked.md.
"""

import re
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from every_target import ROOT, targets

PAGE = ROOT / "docs" / "checked.md"
HEADING = "## The last release run"
FIGURE = re.compile(
    r"^(?P<what>\S.*)\n  measured  (?P<measured>.*)\n  aim       (?P<aim>.*)\n  compared  (?P<compared>.*)$",
    re.MULTILINE,
)
LAST = 4  # lines that are kept of what prints no figures
WIDEST = 160
TERMINAL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Ran(NamedTuple):
    """A command, how it ended, and what it printed."""

    target: str
    result: str
    seconds: float
    output: str


def ran(target: str) -> Ran:
    """What is printed is shown as it comes."""
    begun, lines = time.monotonic(), list[str]()
    with subprocess.Popen(
        ["make", "--no-print-directory", target],  # noqa: S607 - as whoever asked for this found it
        cwd=ROOT,
        text=True,
        errors="replace",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                sys.stdout.write(line)
                sys.stdout.flush()
                lines.append(TERMINAL.sub("", line.rpartition("\r")[2] or line))
            result = "failed" if process.wait() else "passed"
        except KeyboardInterrupt:
            process.wait()  # it was interrupted too
            result = "interrupted"
    return Ran(target, result, time.monotonic() - begun, "".join(lines))


def figures(output: str) -> Iterator[str]:
    """What was measured, a line each; of what measures nothing the last lines."""
    found = list(FIGURE.finditer(output))
    for one in found:
        yield f"{one['what']}: {one['measured']}; aim {one['aim']}; compared with {one['compared']}"
    if not found:
        lines = [line.strip() for line in output.replace(str(ROOT), ".").splitlines() if line.strip(" =-\n")]
        yield from (line[:WIDEST] for line in lines[-LAST:])


def commit() -> str:
    """What is checked; asked before the record is written, which changes the tree."""
    told = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=12"],  # noqa: S607 - where there is one
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    return told.stdout.strip() or "unknown"


def record(done: list[Ran], of: str) -> str:
    """Date, machine, commit, then every command with its seconds, its result and its figures."""
    machine = runpy.run_path(str(ROOT / "bench" / "report.py"))["machine"]()
    failed = [one.target for one in done if one.result != "passed"]
    lines = [
        HEADING,
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, commit `{of}`, on {machine}. "
        + (f"Not passed: {', '.join(failed)}." if failed else "All passed."),
        "",
        "| command | seconds | result |",
        "| --- | ---: | --- |",
        *(f"| `make {one.target}` | {one.seconds:,.0f} | {one.result} |" for one in done),
    ]
    for one in done:
        lines += ["", f"`make {one.target}`:", "", "```text", *figures(one.output), "```"]
    return "\n".join(lines) + "\n"


def replaced(page: str, new: str) -> str:
    """The page with the record in place of an earlier one, or after all else."""
    before, _, rest = page.partition(HEADING)
    _, following, after = rest.partition("\n## ")
    return f"{before.rstrip()}\n\n{new}" + (f"\n## {after}" if following else "")


def main(*asked: str) -> int:
    there = targets()
    wanted = [target for target in asked if target in there]
    if missing := [target for target in asked if target not in there]:
        sys.stdout.write(f"there is no target {', '.join(missing)}\n")
    done, of = list[Ran](), commit()
    for number, target in enumerate(wanted, 1):
        sys.stdout.write(f"\n=== {number} of {len(wanted)}: make {target}\n")
        sys.stdout.flush()
        one = ran(target)
        done.append(one)
        sys.stdout.write(f"=== make {target}: {one.result} after {one.seconds:,.0f} s\n")
        PAGE.write_text(replaced(PAGE.read_text("utf-8"), record(done, of)), "utf-8")
        if one.result == "interrupted":
            break
    return int(any(one.result != "passed" for one in done) or len(done) < len(wanted))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell had it ignored
    sys.exit(main(*sys.argv[1:]))
