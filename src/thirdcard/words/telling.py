"""What the values of a rulebook say, in the reader's language.

Words are looked up by the names of fields and values, so one without words is an error, not a gap.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from thirdcard.rulebook.model import Cited, Fact, Facts, LongOddsCap, Part, Rulebook, Rules, When
from thirdcard.rulebook.remedies import REMEDIES
from thirdcard.words.lexicon import Words

UNTOLD = frozenset(("rules", "name", "title", "offers"))  # headings have them already
SPOKEN = frozenset(("opens", "closes"))  # what the dealer calls


class Term(NamedTuple):
    """One line of a list of terms; `value` is empty where the paragraphs are told by themselves."""

    label: str
    value: str
    rules: Rules


def condition(when: When, own: Words) -> str:
    """A winning condition: `Banker wins on 6 with 3 cards`."""
    t = own.ui
    if when.pair is not None:
        return t[f"when_pair_{when.pair}"]
    if when.winner == ("tie",):
        told = [t["when_tie"]]
    else:
        told = [t["when_wins"].format(own.choice(own.say("hands", name) for name in when.winner))]
    if when.total:
        told.append(t["when_total"].format(own.choice(map(str, when.total))))
    for name in ("margin", "cards", "cards_in_all"):
        number = getattr(when, name)
        if number is not None:
            told.append(t[f"when_{name}"].format(number))
    return t["when_join"].join(told)


def facts(when: Facts, own: Words) -> str:
    """The facts a ruling is for, empty where none matter."""
    t = own.ui
    told = []
    for name in when.__struct_fields__:
        values = getattr(when, name)
        if values:
            told.append(t["list_or"].join(t[key(f"fact_{name}_{value}")] for value in values))
    return t["fact_join"].join(told)


def remedy(name: str, own: Words) -> str:
    """What a remedy brings about, in a sentence."""
    return own.own("remedies", name, REMEDIES[name].sentence)


def ranks(book: Rulebook, own: Words) -> dict[str, str]:
    """The titles of everybody on a rulebook's ladder."""
    return {rank.name: own.own("ranks", rank.name, rank.title) for rank in book.ranks}


def terms(book: Rulebook, part: Part, own: Words) -> Iterator[Term]:
    """Every value that a part of a rulebook holds."""
    t = own.ui
    rules = part.rules if isinstance(part, Fact) else ()
    for field in part.__struct_fields__:
        value = getattr(part, field)
        if field in UNTOLD or value is None:
            continue
        if isinstance(value, LongOddsCap):
            told = t["value_long_odds"].format(value.odds.text, value.of_maximum)
            yield Term(t["term_long_odds"], told, value.rules)
        elif field in SPOKEN:
            yield Term(t[f"term_{field}"], f"“{value.value}”", value.rules)
        elif isinstance(value, Cited):
            yield Term(t[f"term_{field}"], _told(book, value.value, own), value.rules)
        elif type(value) is Fact:
            yield Term(t[f"term_{field}"], "", value.rules)
        elif isinstance(value, Part):
            yield from terms(book, value, own)
        else:
            yield Term(t[f"term_{field}"], _told(book, value, own), rules)


def key(name: object) -> str:
    """A name of the documents as one of the words."""
    return str(name).lower().replace("-", "_")


def _told(book: Rulebook, value: object, own: Words) -> str:
    t = own.ui
    if isinstance(value, tuple):
        return t["list_join"].join(_told(book, one, own) for one in value)
    if isinstance(value, Fraction):
        return t["value_original"] if value == 1 else t["value_of_original"].format(value)
    titles = ranks(book, own)
    if value in titles:
        return titles[str(value)]
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return t[f"value_{key(value)}"]


def brief(value: object, own: Words | None = None) -> str:
    """A value in one line, tables and lists by their entries: in words, or else as it is written."""
    if isinstance(value, dict):
        named = {name.replace("_", " ") if own else name: inner for name, inner in value.items()}
        return "; ".join(f"{name} {brief(inner, own)}" for name, inner in named.items() if name != "rules")
    if isinstance(value, list):
        return ", ".join(brief(inner, own) for inner in value)
    if own and isinstance(value, bool):
        return own.ui["value_true" if value else "value_false"]
    return str(value)
