"""Storms over the service, each decided by its seed; from the folder of the tests.

python -m simulator --seed 7               one storm: what was found, and how it came to it
python -m simulator --seed 7 --shrink      the same with as few of its faults as show it
python -m simulator --minutes 60           one after the other; --events 1000000 until so much was checked
python -m simulator --planted              every planted fault, in ten storms at most
"""

import argparse
import contextlib
import gc
import os
import subprocess
import sys
import time
from collections import Counter

import msgspec

from simulator.planted import PLANTED, SUITED
from simulator.storm import CHECKED, PLAYED, Outcome, plan, run

MINUTE = 60.0
STORMS = 10  # in which a planted fault has to show


def out(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def storm(chosen: argparse.Namespace, seed: str, without: frozenset[int] = frozenset()) -> Outcome:
    with PLANTED[chosen.plant]() if chosen.plant else contextlib.nullcontext():
        made = plan(seed, seconds=chosen.seconds, without=without, **SUITED.get(chosen.plant, {}))
        return run(made, out if chosen.trace else None)


def one(chosen: argparse.Namespace) -> int:
    made = storm(chosen, chosen.seed)
    if chosen.json:
        out(msgspec.json.encode((made.found, made.counted, made.digest)).decode())
        return bool(made.found)
    if made.found:
        if not chosen.trace:
            out("\n".join(made.story))
        if chosen.shrink:
            shrink(chosen, made)
    out(f"seed {chosen.seed}: {made.found or 'nothing is wrong'}; {told(made.counted)}; {made.digest[:16]}")
    return bool(made.found)


def told(counted: dict[str, int]) -> str:
    return ", ".join(f"{many:,} {what}" for what, many in sorted(counted.items()))


def shrink(chosen: argparse.Namespace, made: Outcome) -> None:
    """Leave out one fault after the other, for as long as the same kind of thing is found."""
    without: frozenset[int] = frozenset()
    for number in range(len(made.plan.faults)):
        again = storm(chosen, chosen.seed, without | {number})
        if again.found:
            without, made = without | {number}, again
    out("\n".join(["with no more than these faults:", *map(str, made.plan.faults), made.found]))


def child(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Each storm has a process of its own, as it will have when it is looked at again."""
    command = [sys.executable, "-m", "simulator", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def many(chosen: argparse.Namespace) -> int:
    begin, counted, seed = time.monotonic(), Counter[str](), int(chosen.seed)
    while True:
        done = child("--json", "--seed", str(seed), "--seconds", str(chosen.seconds))
        if not done.stdout:
            out(done.stderr)
            return 2
        found, added, _ = msgspec.json.decode(
            done.stdout.splitlines()[-1], type=tuple[str, dict[str, int], str]
        )
        counted += Counter(added)
        counted["storms"] += 1
        seconds, checked = time.monotonic() - begin, sum(counted[what] for what in CHECKED)
        if found:
            out(f"seed {seed}: {found}\npython -m simulator --seed {seed} --seconds {chosen.seconds:g}")
            return 1
        if checked >= chosen.events and seconds >= MINUTE * chosen.minutes:
            break
        if not counted["storms"] % 10:
            out(f"{seconds:,.0f} s: {checked:,} checked")
        seed += 1
    if idle := [what for what in PLAYED if not counted[what]]:
        out(f"these storms show little, nobody plays in them: no {', no '.join(idle)}; {told(counted)}")
        return 1
    out(f"nothing is wrong: {checked:,} checked in {seconds:,.0f} s, {checked / seconds:,.0f} a second")
    out(told(counted))
    return 0


def search(chosen: argparse.Namespace) -> int:
    """One storm after the other with a planted fault, until it is found: so many, however fast the machine is."""
    begin, first = time.process_time(), int(chosen.seed)
    for seed in range(first, first + STORMS):
        made = storm(chosen, str(seed))
        if made.found:
            out(
                f"{chosen.plant}: found in {time.process_time() - begin:.0f} s by seed {seed}: {made.found[:160]}"
            )
            return 0
    out(f"{chosen.plant}: NOT FOUND in {STORMS} storms")
    return 1


def planted(chosen: argparse.Namespace) -> int:
    missed = 0
    for name in PLANTED:
        done = child("--plant", name, "--search", "--seconds", str(chosen.seconds))
        out(done.stdout.strip() or done.stderr)
        missed += bool(done.returncode)
    out(f"{len(PLANTED) - missed} of {len(PLANTED)} planted faults were found")
    return missed


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="simulator", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seed", default="1")
    parser.add_argument("--seconds", type=float, default=200.0, help="of a storm, before all is well again")
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument("--events", type=int, default=0)
    parser.add_argument("--plant", choices=PLANTED, default="")
    for flag in ("--trace", "--shrink", "--json", "--search", "--planted"):
        parser.add_argument(flag, action="store_true")
    chosen = parser.parse_args()
    if os.environ.get("PYTHONHASHSEED") != "0":  # or sets are gone through in another order each time
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "simulator", *sys.argv[1:]])  # noqa: S606
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)  # next to nothing that a storm makes forms circles
    if chosen.planted:
        return planted(chosen)
    if chosen.minutes or chosen.events:
        return many(chosen)
    return search(chosen) if chosen.search else one(chosen)


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)  # what is left of a storm need not be cleared away
