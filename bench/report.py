"""How benchmarks print: the machine once, then a line for each figure."""

import os
import platform
import sys
from pathlib import Path


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


def figure(what: str, measured: str, *, aim: str, compared: str, reached: bool) -> bool:
    """Print a figure beside its aim and what it is compared with; says whether the aim was reached."""
    print(
        f"{what}\n  measured  {measured}\n  aim       {aim}: {'reached' if reached else 'MISSED'}\n  compared  {compared}\n"
    )
    sys.stdout.flush()
    return reached
