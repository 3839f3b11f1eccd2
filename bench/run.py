"""Every benchmark in one run (`make bench`); status 1 if an aim is missed."""

import sys

import attack
import browser
import find
import growth
import odds
import protect
import service
import settle
import shift
import simulate
import table
import takeover
from report import machine

BENCHMARKS = {
    "settle": settle.main,
    "odds": odds.main,
    "table": table.main,
    "simulate": simulate.main,
    "protect": protect.main,
    "service": service.main,
    "growth": growth.main,
    "find": find.main,
    "shift": shift.main,
    "attack": attack.main,
    "takeover": takeover.main,
    "browser": browser.main,
}

if __name__ == "__main__":
    wanted = sys.argv[1:] or list(BENCHMARKS)
    print(f"{machine()}\n")
    results = [BENCHMARKS[name]() for name in wanted]  # every one runs, also after a miss
    sys.exit(not all(results))
