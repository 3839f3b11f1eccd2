"""Golden tables: a script of set-up and commands, and beside it what a dealer reads of it."""

from pathlib import Path

from transcripts.golden import run

HERE = Path(__file__).parent


def scripts() -> list[Path]:
    return sorted(HERE.glob("*.jsonl"))


def golden(script: Path) -> Path:
    return script.with_suffix(".txt")


def told(script: Path) -> str:
    """The transcript as it comes out now."""
    return run(["table", "run", str(script), "--transcript"]).strip() + "\n"
