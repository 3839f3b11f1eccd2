"""Small rulebooks written from answers: a well-known game, its tie, and side bets of many houses."""

import json
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook.extending import PLAIN_GAME, REST, plain_game
from thirdcard.rulebook.forms import Raw
from thirdcard.rulebook.model import Rulebook

USUAL_GAME: Final = "commission"


@cache
def well_known() -> dict[str, Raw]:
    """`games` by name, and `sides`: what is called one side bet may be two bets, one for each hand."""
    return tomllib.loads((files("thirdcard.rulebook") / "well_known.toml").read_text(encoding="utf-8"))


class Answers(msgspec.Struct, frozen=True, kw_only=True):
    """What a new book is to be; a book that extends another has its game and whatever is not given."""

    slug: str
    title: str
    game: str = USUAL_GAME
    tie: str = ""
    sides: tuple[str, ...] = ()
    decks: tuple[int, int] | None = None
    extends: str = PLAIN_GAME


def written(answers: Answers, base: Rulebook | None = None) -> str:
    """The text of the file; `base` is the book that it extends, if that is not the plain game."""
    raw: Raw = {"slug": answers.slug, "extends": answers.extends, "document": {"title": answers.title}}
    if answers.decks:
        raw["decks"] = dict(zip(("min", "max"), answers.decks, strict=True))
    if base is None:
        game = well_known()["games"][answers.game]
        raw |= {name: value for name, value in game.items() if name not in ("told", "bets")}
        raw["bets"] = dict(game.get("bets", {}))
    bets: Raw = raw.setdefault("bets", {})
    if answers.tie:
        bets["tie"] = {"pays": [{"tier": _tie_tier(base), "odds": answers.tie}]}
    sides: Raw = {}
    for side in answers.sides:
        sides |= well_known()["sides"][side]
    if base is not None and sides:
        raw |= _put_into(base, sides)
    bets |= sides
    return _toml(raw)


def _tie_tier(base: Rulebook | None) -> str:
    """The pay line whose odds are changed."""
    if base is None:
        return str(plain_game()["bets"]["tie"]["pays"][0]["tier"])
    pays = base.bets["tie"].pays if "tie" in base.bets else ()
    if len(pays) != 1:
        raise BadInput(f"{base.slug} has no Tie with one pay line: leave the odds of it out")
    return pays[0].tier


def _put_into(base: Rulebook, sides: Raw) -> Raw:
    """What bets need to be in a document: a place on its layouts, and paragraphs where it numbers them."""
    there = [name for name in sides if name in base.bets]
    if there:
        raise BadInput(f"{base.slug} has {' and '.join(there)} already")
    if not base.paragraphs:
        return {
            "layouts": {
                letter: {"positions": list(layout.positions), "bets": [*layout.bets, *sides]}
                for letter, layout in base.layouts.items()
            }
        }
    chapter = 1 + max(int(paragraph.partition(".")[0]) for paragraph in base.paragraphs)
    numbers = [f"{chapter}.{number}" for number in range(1, len(sides) + 1)]
    for number, (name, bet) in zip(numbers, sides.items(), strict=True):
        sides[name] = _citing(bet, number)
    return {
        "paragraphs": [REST, *numbers],
        "layouts": {letter: {"bets": [REST, *sides]} for letter in base.layouts},
    }


def _citing(bet: Raw, paragraph: str) -> Raw:
    """The same bet with that paragraph for all that is said of it."""
    rules: Raw = {"rules": [paragraph]}
    lines: Raw = {name: [line | rules for line in bet[name]] for name in ("pays", "pushes") if name in bet}
    return bet | rules | lines | ({"push": bet["push"] | rules} if "push" in bet else {})


def _toml(raw: Raw) -> str:
    """Values as a file has them: what is short first, then a table for each section or entry of one."""
    lines = [f"{name} = {toml_value(value)}" for name, value in raw.items() if not isinstance(value, dict)]
    tables = {name: value for name, value in raw.items() if isinstance(value, dict)}
    for section in ("bets", "layouts"):
        tables |= {f"{section}.{name}": entry for name, entry in tables.pop(section, {}).items()}
    for heading, table in tables.items():
        lines += ["", f"[{heading}]", *(f"{name} = {toml_value(value)}" for name, value in table.items())]
    return "\n".join(lines) + "\n"


def toml_value(value: Any) -> str:  # noqa: ANN401 - any value of a file
    """A value as a file has it, in one line but for lists of tables."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {toml_value(inner)}" for name, inner in value.items()) + " }"
    if isinstance(value, list) and len(value) > 1 and isinstance(value[0], dict):
        return "[\n" + "".join(f"  {toml_value(inner)},\n" for inner in value) + "]"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
