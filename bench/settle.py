"""`settle --jsonl` and `--help`, each against the least that the same work could cost."""

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from report import figure, sized
from thirdcard.cards import Card, format_cards
from thirdcard.play.tableau import Deal
from thirdcard.rulebook import load

SLUG, LAYOUT, AIM = "rws-tiger-buffalo-commission-v2", "A", 20_000
ROUNDS, RUNS, STARTS = sized((100_000, 3, 10), (100, 1, 1))
BETS = {"player": 10000, "tie": 500, "player-pair": 500, "big-tiger": 500, "banker-char-siu": 500}


def sample(rounds: int) -> bytes:
    """Random whole rounds with five bets each, from a fixed seed."""
    chance = random.Random(2024)  # noqa: S311 - sample data
    deck, table = list(Card), load(SLUG).table_of_play
    lines = []
    for _ in range(rounds):
        cards = tuple(chance.choices(deck, k=6))
        used = cards[: 6 - len(Deal(table, cards).left_over)]
        lines.append(json.dumps({"cards": format_cards(used), "bets": BETS}))
    return ("\n".join(lines) + "\n").encode()


def best_seconds(command: list[str], stdin: Path | None = None, *, times: int) -> float:
    """The quickest of several runs of a whole command, from start to exit."""
    seconds = []
    for _ in range(times):
        with (stdin or Path("/dev/null")).open("rb") as source:
            start = time.perf_counter()
            subprocess.run(command, stdin=source, stdout=subprocess.DEVNULL, check=True)
            seconds.append(time.perf_counter() - start)
    return min(seconds)


def main() -> bool:
    python = sys.executable
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rounds.jsonl"
        file.write_bytes(sample(ROUNDS))
        settle = [python, "-m", "thirdcard", "settle", SLUG, "--layout", LAYOUT, "--jsonl"]
        bare = [
            python,
            "-c",
            "import json, sys\nfor line in sys.stdin: print(json.dumps(json.loads(line)), flush=True)",
        ]
        ours, theirs = best_seconds(settle, file, times=RUNS), best_seconds(bare, file, times=RUNS)
    fast = figure(
        f"thirdcard settle {SLUG} --layout {LAYOUT} --jsonl, {ROUNDS:,} rounds with {len(BETS)} bets each, one core",
        f"{ROUNDS / ours:,.0f} rounds a second, start-up included",
        aim=f"{AIM:,} rounds a second",
        compared=f"{ours / theirs:.2f} times as long as reading and writing the same lines with the json module",
        reached=ROUNDS / ours >= AIM,
    )
    ours, theirs = (
        best_seconds([python, *rest], times=STARTS)
        for rest in (["-m", "thirdcard", "--help"], ["-c", "pass"])
    )
    quick = figure(
        "thirdcard --help",
        f"{ours:.3f} s",
        aim="under 0.3 s",
        compared=f"{ours / theirs:.1f} times as long as an empty Python program ({theirs:.3f} s)",
        reached=ours < 0.3,  # noqa: PLR2004 - the aim
    )
    return fast and quick


if __name__ == "__main__":
    sys.exit(not main())
