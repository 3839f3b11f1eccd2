"""How benchmarks print, and their sizes: the machine once, then a line for each figure.

With THIRDCARD_SMALLEST set, as `bench/run.py --smallest` does, every benchmark goes through all that it does at its
least size: what has to be right is checked, and no figure is judged.

A figure with a ratio, how many times it takes what it is compared with, is kept in `history.jsonl`, with the machine
and the commit: `slower` tells what has become slower since the last release.
"""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, TypeVar

Size = TypeVar("Size")

SWITCH: Final = "THIRDCARD_SMALLEST"  # programs that a benchmark starts inherit it
SMALLEST: Final = bool(os.environ.get(SWITCH))


def sized(whole: Size, least: Size) -> Size:
    """How much is measured: the whole of it, or the least that goes through the same code."""
    return least if SMALLEST else whole


def machine() -> str:
    """The processor, its cores and the interpreter."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [
            line.partition(": ")[2]
            for line in cpuinfo.read_text().splitlines()
            if line.startswith("model name")
        ]
        model = names[0] if names else model
    return f"{model}, {os.cpu_count()} cores, {platform.python_implementation()} {platform.python_version()}"


HISTORY: Final = Path(__file__).parent / "history.jsonl"
TENTH: Final = 1.1


def history() -> list[dict[str, Any]]:
    """The figures that were kept, in order of time."""
    return [json.loads(line) for line in HISTORY.read_text().splitlines()] if HISTORY.exists() else []


def keep(what: str, ratio: float) -> None:
    """Add a figure; the version is that of the last release."""
    asked = ["git", "-C", str(HISTORY.parent), "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    kept = {"machine": machine(), "version": version("thirdcard"), "commit": commit, "what": what}
    with HISTORY.open("a") as file:
        file.write(json.dumps({**kept, "ratio": round(ratio, 3)}) + "\n")


def slower(kept: Iterable[dict[str, Any]]) -> Iterator[str]:
    """What takes a tenth longer than when it was first measured on this machine since the last release."""
    here = {"machine": machine(), "version": version("thirdcard")}
    first: dict[str, float] = {}
    last: dict[str, float] = {}
    for measured in kept:
        if measured | here == measured:
            first.setdefault(measured["what"], measured["ratio"])
            last[measured["what"]] = measured["ratio"]
    for what, ratio in last.items():
        if ratio > first[what] * TENTH:
            was = f"was {first[what]:.2f}"
            yield f"slower since {here['version']}: {what}, {ratio:.2f} times what it is compared with, {was}"


def load() -> str:
    """How busy this machine is, with whatever else runs on it."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def figure(  # noqa: PLR0913 - a figure with all that belongs to it
    what: str,
    measured: str,
    *,
    aim: str,
    compared: str,
    reached: bool,
    right: bool = True,
    ratio: float | None = None,
) -> bool:
    """Print a figure beside its aim and what it is compared with; says whether the aim was reached.

    `right` is what has to hold at any size and on any machine; at the least size nothing else is judged. A
    `ratio` to what it is compared with is kept.
    """
    if ratio is not None and not SMALLEST:
        keep(what, ratio)
    judged = "not judged" if SMALLEST else "reached" if reached else "MISSED"
    if not right:
        judged = "WRONG"
    print(f"{what}\n  measured  {measured}\n  aim       {aim}: {judged}\n  compared  {compared}\n")
    sys.stdout.flush()
    return right and (reached or SMALLEST)
