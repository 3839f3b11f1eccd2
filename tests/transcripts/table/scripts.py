"""Golden tables: a script of set-up and commands, and beside it what a dealer reads of it."""

import re
from pathlib import Path

from transcripts.golden import run

HERE = Path(__file__).parent
TEXT = re.compile(r"text [0-9a-f]{12}$", re.MULTILINE)


def scripts() -> list[Path]:
    return sorted(HERE.glob("*.jsonl"))


def golden(script: Path) -> Path:
    return script.with_suffix(".txt")


def told(script: Path) -> str:
    """The transcript as it comes out now; which text of a rulebook it is, its own tests say."""
    return TEXT.sub("text …", run(["table", "run", str(script), "--transcript"])).strip() + "\n"
