"""What the values of a rulebook say, in the reader's language.

Words are looked up by the names of fields and values, so one without words is an error, not a gap.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from thirdcard.rulebook.model import Cited, Fact, Facts, LongOddsCap, Part, Rulebook, Rules, When

Words: TypeAlias = Mapping[str, str]
UNTOLD = frozenset(("rules", "name", "title", "offers"))  # headings have them already
SPOKEN = frozenset(("opens", "closes"))  # what the dealer calls


class Term(NamedTuple):
    """One line of a list of terms; `value` is empty where the paragraphs are told by themselves."""

    label: str
    value: str
    rules: Rules


def condition(when: When, t: Words) -> str:
    """A winning condition: `Banker wins on 6 with 3 cards`."""
    if when.pair is not None:
        return t[f"when_pair_{when.pair}"]
    if when.winner == ("tie",):
        told = [t["when_tie"]]
    else:
        told = [t["when_wins"].format(_choice((t[f"hand_{name}"] for name in when.winner), t))]
    if when.total:
        told.append(t["when_total"].format(_choice(map(str, when.total), t)))
    for name in ("margin", "cards", "cards_in_all"):
        number = getattr(when, name)
        if number is not None:
            told.append(t[f"when_{name}"].format(number))
    return t["when_join"].join(told)


def facts(when: Facts, t: Words) -> str:
    """The facts a ruling is for, empty where none matter."""
    told = []
    for name in when.__struct_fields__:
        values = getattr(when, name)
        if values:
            told.append(_choice((t[key(f"fact_{name}_{value}")] for value in values), t))
    return t["fact_join"].join(told)


def terms(book: Rulebook, part: Part, t: Words) -> Iterator[Term]:
    """Every value that a part of a rulebook holds."""
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
            yield Term(t[f"term_{field}"], _told(book, value.value, t), value.rules)
        elif type(value) is Fact:
            yield Term(t[f"term_{field}"], "", value.rules)
        elif isinstance(value, Part):
            yield from terms(book, value, t)
        else:
            yield Term(t[f"term_{field}"], _told(book, value, t), rules)


def key(name: object) -> str:
    """A name of the documents as one of the words."""
    return str(name).lower().replace("-", "_")


def _told(book: Rulebook, value: object, t: Words) -> str:
    if isinstance(value, tuple):
        return t["list_join"].join(_told(book, one, t) for one in value)
    if isinstance(value, Fraction):
        return t["value_original"] if value == 1 else t["value_of_original"].format(value)
    ranks = {rank.name: rank.title for rank in book.ranks}
    if value in ranks:
        return ranks[str(value)]
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return t[f"value_{key(value)}"]


def _choice(words: Iterable[str], t: Words) -> str:
    *most, last = words
    return t["list_join"].join(most) + t["list_or"] + last if most else last
