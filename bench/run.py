"""Every benchmark in one run (`make bench`), or those that are named; status 1 if an aim is missed.

Each has a process of its own, so that all run, whatever becomes of one. `--smallest` takes them through all that they
do in seconds: what has to be right is checked, and no aim of speed is judged. At the end stands what has become slower by
more than a tenth since the last release.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from report import SWITCH, history, machine, slower

HERE = Path(__file__).parent
NAMES = tuple(sorted(file.stem for file in HERE.glob("*.py") if file.stem not in {"run", "report"}))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}")
    parser.add_argument("--smallest", action="store_true", help="at the least size; no aim is judged")
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(NAMES):
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    environment = os.environ | ({SWITCH: "1"} if asked.smallest else {})
    print(f"{machine()}\n", flush=True)
    missed = []
    for name in asked.names or NAMES:
        begun = time.perf_counter()
        done = subprocess.run([sys.executable, HERE / f"{name}.py"], check=False, env=environment)
        print(f"{name}: {time.perf_counter() - begun:.1f} s\n", flush=True)
        missed += [name] * bool(done.returncode)
    for line in slower(history()):
        print(line)
    if missed:
        print(f"not as it should be: {', '.join(missed)}")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
