"""How benchmarks print, and their sizes: the machine once, then a line for each figure.

With THIRDCARD_SMALLEST set, as `bench/run.py --smallest` does, every benchmark goes through all that it does at its
least size: what has to be right is checked, and no figure is judged.
"""

import os
import platform
import sys
from pathlib import Path
from typing import Final, TypeVar

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


def load() -> str:
    """How busy this machine is, with whatever else runs on it."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def figure(  # noqa: PLR0913 - a figure with all that belongs to it
    what: str, measured: str, *, aim: str, compared: str, reached: bool, right: bool = True
) -> bool:
    """Print a figure beside its aim and what it is compared with; says whether the aim was reached.

    `right` is what has to hold at any size and on any machine; at the least size nothing else is judged.
    """
    judged = "not judged" if SMALLEST else "reached" if reached else "MISSED"
    if not right:
        judged = "WRONG"
    print(f"{what}\n  measured  {measured}\n  aim       {aim}: {judged}\n  compared  {compared}\n")
    sys.stdout.flush()
    return right and (reached or SMALLEST)
