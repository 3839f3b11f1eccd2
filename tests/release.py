"""Targets of the Makefile at their full size, one after the other, and a record of them (`make release`).

What fails does not stop the rest, and Ctrl-C ends it with what is known. The record is the last part of docs/checked.md.
Targets can be run in several goes, `make release RELEASE="sizes docs"`: rows of the others stay, with the commit that
they speak of, until they run again or another machine runs any.
"""

import os
import re
import resource
import runpy
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from every_target import ROOT, targets

PAGE = ROOT / "docs" / "checked.md"
HEADING = "## The last release run"
FIGURE = re.compile(
    r"^(?P<what>\S.*)\n  measured  (?P<measured>.*)\n  aim       (?P<aim>.*)\n  compared  (?P<compared>.*)$",
    re.MULTILINE,
)
ROW = re.compile(
    r"^\| `make (?P<target>[\w-]+)(?P<sizes>[^`]*)` \| `(?P<of>[^`]*)` \| (?P<begun>[^|]*) \| (?P<seconds>[\d,]+) \| (?P<others>[^|]*) "
    r"\| (?P<result>\w+) \|\n",
    re.MULTILINE,
)
TOLD = re.compile(
    r"^`make (?P<target>[\w-]+)[^`]*`:\n\n```text\n(?P<lines>.*?)^```$", re.MULTILINE | re.DOTALL
)
LAST = 4  # lines that are kept of what prints no figures
WIDEST = 160
TERMINAL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Ran(NamedTuple):
    """A command, how it ended, and what is kept of what it printed: a row of the record."""

    target: str
    sizes: str  # that are not those of the Makefile
    of: str  # the commit
    begun: str
    seconds: int
    others: str  # how much of the processors other programs took meanwhile
    result: str
    told: str


def ran(target: str) -> Ran:
    """What is printed is shown as it comes."""
    of, now = commit(), f"{datetime.now(UTC):%Y-%m-%d %H:%M}"
    begun, before, lines = time.monotonic(), busy_besides(), list[str]()
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
    seconds = time.monotonic() - begun
    others = "unknown"
    if before is not None and (after := busy_besides()) is not None:
        share = (after - before) / (max(seconds, 0.01) * (os.cpu_count() or 1))
        others = f"{min(max(share, 0.0), 1.0):.0%}"
    told = "".join(f"{line}\n" for line in figures("".join(lines)))
    return Ran(target, sizes(), of, now, round(seconds), others, result, told)


def busy_besides() -> float | None:
    """Seconds that processors have worked, without those for what was started here and has ended."""
    stat = Path("/proc/stat")
    if not stat.exists():
        return None
    user, nice, system, _, _, irq, softirq, *_ = map(int, stat.read_text("utf-8").split("\n")[0].split()[1:])
    ours = resource.getrusage(resource.RUSAGE_CHILDREN)
    all_of_it = (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")
    return all_of_it - ours.ru_utime - ours.ru_stime


def figures(output: str) -> Iterator[str]:
    """What was measured, a line each; of what measures nothing the last lines."""
    found = list(FIGURE.finditer(output))
    for one in found:
        yield f"{one['what']}: {one['measured']}; aim {one['aim']}; compared with {one['compared']}"
    if not found:
        lines = [line.strip() for line in output.replace(str(ROOT), ".").splitlines() if line.strip(" =-\n")]
        yield from (line[:WIDEST] for line in lines[-LAST:])


def sizes() -> str:
    """What whoever asked for this said of sizes, which the targets are told too: ` MINUTES=5`."""
    _, _, given = os.environ.get("MAKEFLAGS", "").partition("-- ")
    return "".join(f" {one}" for one in shlex.split(given) if not one.startswith(("RELEASE=", "VENV=")))


def commit() -> str:
    """What is checked. The record itself, which an earlier go has written, is no change of it."""

    def git(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["git", *arguments]
        return subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)

    told = git("describe", "--always", "--abbrev=12").stdout.strip()
    changed = git("status", "--porcelain", "--", ".", ":!docs/checked.md").stdout.strip()
    return (told or "unknown") + ("-dirty" if changed else "")


def record(done: list[Ran], machine: str) -> str:
    """The machine, then every command with its commit, its time, its result and its figures."""
    failed = [one.target for one in done if one.result != "passed"]
    lines = [
        HEADING,
        "",
        f"On {machine}. " + (f"Not passed: {', '.join(failed)}." if failed else "All passed."),
        "Others: how much of the processors other programs took meanwhile; where it is much, a figure of speed says little.",
        "",
        "| command | commit | begun, UTC | seconds | others | result |",
        "| --- | --- | --- | ---: | ---: | --- |",
    ]
    lines += [
        f"| `make {one.target}{one.sizes}` | `{one.of}` | {one.begun} | {one.seconds:,} | {one.others} | {one.result} |"
        for one in done
    ]
    for one in done:
        lines += ["", f"`make {one.target}{one.sizes}`:", "", "```text", f"{one.told}```"]
    return "\n".join(lines) + "\n"


def recorded(page: str, machine: str) -> list[Ran]:
    """The rows of a record of this machine; of none, nothing."""
    _, _, rest = page.partition(HEADING)
    mine, _, _ = rest.partition("\n## ")
    if f"\nOn {machine}. " not in mine:
        return []
    told = {one["target"]: one["lines"] for one in TOLD.finditer(mine)}
    return [
        Ran(
            one["target"], one["sizes"], one["of"], one["begun"], int(one["seconds"].replace(",", "")), one["others"],
            one["result"], told.get(one["target"], ""),
        )
        for one in ROW.finditer(mine)
    ]  # fmt: skip


def replaced(page: str, new: str) -> str:
    """The page with the record in place of an earlier one, or after all else."""
    before, _, rest = page.partition(HEADING)
    _, following, after = rest.partition("\n## ")
    return f"{before.rstrip()}\n\n{new}" + (f"\n## {after}" if following else "")


def add(new: Ran, machine: str, there: dict[str, list[str]]) -> None:
    """Write a row in the place of the one that its target had; a target that is no more has none."""
    page = PAGE.read_text("utf-8")
    rows = {one.target: one for one in recorded(page, machine) if one.target in there} | {new.target: new}
    PAGE.write_text(replaced(page, record(list(rows.values()), machine)), "utf-8")


def main(*asked: str) -> int:
    there = targets()
    machine: str = runpy.run_path(str(ROOT / "bench" / "report.py"))["machine"]()
    wanted = [target for target in asked if target in there]
    if missing := [target for target in asked if target not in there]:
        sys.stdout.write(f"there is no target {', '.join(missing)}\n")
    done = list[Ran]()
    for number, target in enumerate(wanted, 1):
        sys.stdout.write(f"\n=== {number} of {len(wanted)}: make {target}\n")
        sys.stdout.flush()
        one = ran(target)
        done.append(one)
        sys.stdout.write(f"=== make {target}: {one.result} after {one.seconds:,} s\n")
        add(one, machine, there)
        if one.result == "interrupted":
            break
    return int(any(one.result != "passed" for one in done) or len(done) < len(wanted))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell had it ignored
    sys.exit(main(*sys.argv[1:]))
