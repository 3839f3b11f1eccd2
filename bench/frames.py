"""A million rounds with five bets, settled from a Parquet file into another, beside `settle --jsonl` on a part of them."""

import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from report import figure, sized
from thirdcard.cards import Card, format_cards
from thirdcard.data import write_table
from thirdcard.play.tableau import next_hand
from thirdcard.rulebook import load

BOOK, LAYOUT = "rws-tiger-buffalo-commission-v2", "A"
BETS = {"player": 1000, "banker": 2000, "tie": 500, "small-tiger": 500, "player-pair": 500}
ROUNDS, BY_LINES = sized((1_000_000, 20_000), (1_000, 100))


def rounds(count: int) -> list[str]:
    """Finished rounds, each from a fresh shoe of eight decks."""
    table, chance, shoe, made = load(BOOK).table_of_play, random.Random(1), list(Card) * 8, []  # noqa: S311 - no secret
    for _ in range(count):
        cards = tuple(chance.sample(shoe, 6))
        for length in (4, 5, 6):
            if next_hand(table, cards[:length]) is None:
                break
        made.append(format_cards(cards[:length]))
    return made


def timed(*command: str, lines: Path | None = None) -> float:
    begun = time.perf_counter()
    with lines.open() if lines else Path("/dev/null").open() as source:
        subprocess.run(
            [sys.executable, "-m", "thirdcard", *command], stdin=source, check=True, stdout=subprocess.DEVNULL
        )
    return time.perf_counter() - begun


def main() -> bool:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cards = rounds(ROUNDS)
        table = pa.table({"cards": cards, **{bet: pa.array([stake] * ROUNDS) for bet, stake in BETS.items()}})
        write_table(table, folder / "rounds.parquet")
        lines = folder / "rounds.jsonl"
        stakes = ", ".join(f'"{bet}": {stake}' for bet, stake in BETS.items())
        lines.write_text("".join(f'{{"cards": "{one}", "bets": {{{stakes}}}}}\n' for one in cards[:BY_LINES]))
        by_file = timed(
            "settle",
            BOOK,
            "--layout",
            LAYOUT,
            "--in",
            str(folder / "rounds.parquet"),
            "--out",
            str(folder / "out.parquet"),
        )
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        memory, processor = used.ru_maxrss / 1024, used.ru_utime + used.ru_stime
        settled = parquet.read_metadata(folder / "out.parquet").num_rows
        by_lines = timed("settle", BOOK, "--layout", LAYOUT, "--jsonl", lines=lines)
    return figure(
        f"{ROUNDS:,} rounds from Parquet into Parquet, start included",
        f"{by_file:.2f} s, of processor {processor:.2f} s, {memory:.0f} MB",
        aim="less for a round than as JSON lines",
        compared=f"{BY_LINES:,} rounds as JSON lines {by_lines:.2f} s; a round takes {by_lines / BY_LINES / (by_file / ROUNDS):.0f} times as long",
        reached=by_file / ROUNDS < by_lines / BY_LINES,
        right=settled == ROUNDS,
    )


if __name__ == "__main__":
    sys.exit(not main())
