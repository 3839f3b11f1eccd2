"""Write the exact counts anew (`make counts`); review the difference before you commit it."""

import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from counts.counting import DECKS, bet_counts  # noqa: E402
from thirdcard.rulebook import load, slugs  # noqa: E402

for slug in slugs():
    book = load(slug)
    counts = {
        str(decks): bet_counts(book, decks) for decks in DECKS if book.decks.min <= decks <= book.decks.max
    }
    (HERE / f"{slug}.json").write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(f"{slug}: {', '.join(counts)} decks\n")
