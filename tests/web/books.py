"""Rulebooks that no document has: with as many bets, and names as long, as a test asks for."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from thirdcard.rulebook import Rulebook, sources
from thirdcard.rulebook.load import read, take

EXAMPLES = Path(__file__).parents[2] / "examples" / "rulebooks"
LONG = "Banker wins by four or more on an odd total with a pair beside it"
WHENS = (
    '{ winner = ["player"], total = 8, cards = 3 }',
    '{ winner = ["banker"], margin = "4-9" }',
    '{ pair = "either" }',
    '{ winner = ["player", "banker"], losing = { natural = true } }',
    '{ banker = { first = ["A", "K"], third = ["9"] } }',
    "{ sum = [0, 18] }",
)
TIERS = """
pays = [
  { tier = "by 9", when = { winner = ["player"], margin = 9 }, odds = "30 to 1" },
  { tier = "by 8", when = { winner = ["player"], margin = 8 }, odds = "10 to 1" },
  { tier = "by 7", when = { winner = ["player"], margin = 7 }, odds = "6 to 1" },
  { tier = "by 6", when = { winner = ["player"], margin = 6 }, odds = "4 to 1" },
  { tier = "by 5", when = { winner = ["player"], margin = 5 }, odds = "2 to 1" },
  { tier = "by 4", when = { winner = ["player"], margin = 4 }, odds = "1 to 1" },
  { tier = "by 3", when = { winner = ["player"], margin = 3 }, odds = "0 to 1" },
]
"""


def called(number: int, letters: int) -> str:
    """A name of so many letters that tells one bet from another."""
    return f"{number} {LONG}"[:letters].strip() if letters > 4 else f"B{number}"


def text(bets: int, letters: int, *, slug: str = "stress", positions: tuple[int, int] = (1, 16)) -> str:
    """A rulebook of that many bets, Player and Banker among them and no Tie, as its file has it."""
    main = [
        f'[bets.{hand}]\nname = "{hand.title()}"\npush = {{ when = {{ winner = ["tie"] }} }}\n'
        f'pays = [{{ tier = "win", when = {{ winner = ["{hand}"] }}, odds = "1 to 1" }}]'
        for hand in ("player", "banker")
    ]
    side = [
        f'[bets.side-{number}]\nname = "{called(number, letters)}"\n'
        + (
            TIERS
            if number % 7 == 0
            else f'pays = [{{ tier = "win", when = {WHENS[number % len(WHENS)]}, odds = "{number + 1} to 1" }}]'
        )
        for number in range(1, bets - 1)
    ]
    names = ", ".join(
        f'"{name}"' for name in ("player", "banker", *(f"side-{n}" for n in range(1, bets - 1)))
    )
    layouts = f"[layouts.Long]\npositions = [{positions[0]}, {positions[1]}]\nbets = [{names}]"
    return "\n".join((f'slug = "{slug}"', f'[document]\ntitle = "{LONG[:60]}"', layouts, *main, *side))


def made(bets: int, letters: int) -> Rulebook:
    return read("made.toml", text(bets, letters, slug=f"{bets}-bets-of-{letters}"))


@contextmanager
def found(*texts: str) -> Iterator[None]:
    """While it lasts, a server knows these rulebooks, and those of the examples."""
    examples = mock.patch.dict(os.environ, {sources.FOLDERS: str(EXAMPLES)})
    with examples, mock.patch.object(sources, "_taken", {}):
        for number, one in enumerate(texts):
            take(f"{number}.toml", one)
        yield
