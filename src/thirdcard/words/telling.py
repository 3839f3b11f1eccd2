"""What the values of a rulebook say, in the reader's language.

Words are looked up by the names of fields and values, so one without words is an error, not a gap.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from thirdcard.money import Odds
from thirdcard.rulebook.conditions import HandWhen, Suits
from thirdcard.rulebook.model import (
    WHOLE,
    Cited,
    Fact,
    Facts,
    LongOddsCap,
    Part,
    Push,
    Rulebook,
    Rules,
    When,
)
from thirdcard.rulebook.parts import ANY, Numbers
from thirdcard.rulebook.remedies import REMEDIES
from thirdcard.rulebook.sums import NAMED_SUITS, Compare, Count
from thirdcard.words.lexicon import Words

UNTOLD = frozenset(("rules", "name", "title", "offers"))  # headings have them already
EVERY_WINNER = ("player", "banker", "tie")
SPOKEN = frozenset(("opens", "closes"))  # what the dealer calls


Demand: TypeAlias = bool | Numbers | tuple[str, ...] | tuple[Count, ...]  # of a condition's field


class Term(NamedTuple):
    """One line of a list of terms; `value` is empty where the paragraphs are told by themselves."""

    label: str
    value: str
    rules: Rules


def condition(when: When, lexicon: Words) -> str:
    """A winning condition: `Banker wins on 6 with 3 cards`."""
    t = lexicon.ui
    parts = [t["when_join"].join(_round_told(when, lexicon))]
    if when.pair is not None:
        parts.append(_pair_told(when, lexicon))
    parts += [_hand_told(whose, hand, lexicon) for whose, hand in _given(when) if isinstance(hand, HandWhen)]
    parts += [_counted_told("when", count, lexicon) for count in when.count]
    parts += [
        t[f"when_{name}"].format(_cards_told(named, lexicon))
        for name, named in (("every", when.every), ("no", when.no))
        if named
    ]
    parts += [_compared_told(compare, lexicon) for compare in when.compare]
    if when.any:
        parts.append(t["when_either"].join(condition(one, lexicon) for one in when.any))
    told = t["when_also"].join(filter(None, parts))
    if when.otherwise:
        return t["when_otherwise"].format(told) if told else t["when_else"]
    return told or t["when_any"]


def pushed(push: Push, lexicon: Words) -> str:
    """When a stake comes back, and how much of it where that is not all."""
    told = condition(push.when, lexicon)
    if push.returned == WHOLE:
        return told
    return lexicon.ui["when_returned"].format(told, percent(push.returned))


def _cards_told(names: Iterable[str], lexicon: Words) -> str:
    return lexicon.choice(_card_told(name, lexicon) for name in names)


def _card_told(name: str, lexicon: Words) -> str:
    """`seven`, `nine of spades`, `red`."""
    if len(name) == 1:
        return lexicon.say("cards", f"rank-{name}")
    if name in NAMED_SUITS:
        suits = NAMED_SUITS[name]
        return (
            lexicon.say("cards", f"suit-{suits[0].value}") if len(suits) == 1 else lexicon.ui[f"cards_{name}"]
        )
    rank, suit = (
        lexicon.say("cards", f"{what}-{letter}") for what, letter in zip(("rank", "suit"), name, strict=True)
    )
    return lexicon.say("cards", "name", rank=rank, suit=suit)


def _counted_told(of: str, count: Count, lexicon: Words) -> str:
    """`3 of all cards are seven, all of one suit`."""
    t = lexicon.ui
    where = f"{of}_count_initial" if count.initial else f"{of}_count"
    told = t[where].format(numbers(count.number, lexicon), _cards_told(count.of, lexicon))
    return t["count_suited"].format(told) if count.suited else told


def _compared_told(compare: Compare, lexicon: Words) -> str:
    t = lexicon.ui
    card, than = (t[key(f"place_{place.replace('.', '_')}")] for place in (compare.card, compare.than))
    how = lexicon.choice(t[f"compare_{how}"] for how in compare.how)
    return t[f"when_compare_{compare.by}"].format(card, how, than)


def _given(condition: When | HandWhen) -> Iterator[tuple[str, Any]]:
    """What a condition asks for, by the names of its fields."""
    values = ((name, getattr(condition, name)) for name in condition.__struct_fields__)
    return ((name, value) for name, value in values if value not in (None, (), ANY))


def _round_told(when: When, lexicon: Words) -> Iterator[str]:
    """Who wins and how, nothing where that does not matter."""
    t = lexicon.ui
    hands = [lexicon.say("hands", name) for name in when.winner if name != "tie"]
    tie = [t["when_tie"]] if "tie" in when.winner else []
    given = {name: named for name, named in _given(when) if isinstance(named, Numbers)}
    if len(hands) + len(tie) < len(EVERY_WINNER):
        yield lexicon.choice([*([t["when_wins"].format(lexicon.choice(hands))] if hands else []), *tie])
    elif given:
        yield t["when_any"]
    for name, named in given.items():
        yield t[f"when_{name}"].format(numbers(named, lexicon))


def numbers(named: Iterable[int], lexicon: Words) -> str:
    """`1-6, 8 or 9`, with a dash for three and more in a row; empty if there are none."""
    rows: list[list[int]] = []
    for number in sorted(named):
        if rows and rows[-1][-1] == number - 1:
            rows[-1].append(number)
        else:
            rows.append([number])
    parts = [[f"{row[0]}\N{EN DASH}{row[-1]}"] if len(row) > 2 else map(str, row) for row in rows]  # noqa: PLR2004
    return lexicon.choice(chain.from_iterable(parts)) if rows else ""


def _pair_told(when: When, lexicon: Words) -> str:
    told = lexicon.ui[f"when_pair_{when.pair}"]
    if not when.pair_suits:
        return told
    return lexicon.ui["when_pair_counts"].format(told, _suits_told(when.pair_suits, lexicon))


def _suits_told(suits: Iterable[str], lexicon: Words) -> str:
    return lexicon.choice(lexicon.ui[f"suits_{suit}"] for suit in suits)


def _hand_told(whose: str, hand: HandWhen, lexicon: Words) -> str:
    """`the losing hand has a total of 7 and 3 cards`."""
    parts = [_asked_of_hand(name, value, lexicon) for name, value in _given(hand)]
    return lexicon.ui[f"when_{whose}"].format(lexicon.together(parts or [lexicon.ui["hand_any"]]))


def _asked_of_hand(name: str, value: Demand, lexicon: Words) -> str:
    if isinstance(value, bool):
        return lexicon.ui[key(f"hand_{name}_{value}")]
    if isinstance(value, Numbers):
        asked = numbers(value, lexicon)
    elif isinstance(value[0], Count):
        return lexicon.together(_counted_told("hand", count, lexicon) for count in value)
    elif isinstance(value[0], Suits):
        asked = _suits_told(value, lexicon)
    elif name == "ranks":
        pairs = ([_card_told(letter, lexicon) for letter in pair] for pair in value)
        asked = lexicon.choice(lexicon.ui["ranks_both"].format(*pair) for pair in pairs)
    else:
        asked = _cards_told(value, lexicon)
    return lexicon.ui[f"hand_{name}"].format(asked)


def commission(book: Rulebook, lexicon: Words) -> str:
    """What the House keeps of a Banker win, and of which wins it keeps another share; empty if nothing."""
    if book.commission is None:
        return ""
    t = lexicon.ui
    others = (
        t["rules_commission_other"].format(percent(rate.rate), condition(rate.when, lexicon))
        for rate in book.commission.except_when
    )
    return "".join((t["rules_commission"].format(percent(book.commission.rate)), *others))


def percent(share: Fraction) -> str:
    """`5`, `2.5`."""
    return f"{float(share * 100):.4f}".rstrip("0").rstrip(".")


def assumed(book: Rulebook, lexicon: Words) -> str:
    """What a rulebook says nothing of, so that the plain game stands; empty if it speaks of everything."""
    sections = [lexicon.ui[f"assumed_{name}"] for name in book.assumed]
    return lexicon.ui["rules_assumed"].format(lexicon.together(sections)) if sections else ""


def pays(odds: Odds, lexicon: Words) -> str:
    """Odds as the language writes them; odds of nothing are told in words."""
    win, _, stake = odds.text.partition(" to ")
    return (
        lexicon.ui["odds_as"].format(win=win, stake=stake) if odds.ratio else lexicon.ui["rules_pays_nothing"]
    )


def facts(when: Facts, lexicon: Words) -> str:
    """The facts a ruling is for, empty where none matter."""
    t = lexicon.ui
    established = []
    for name in when.__struct_fields__:
        values = getattr(when, name)
        if values:
            established.append(t["list_or"].join(t[key(f"fact_{name}_{value}")] for value in values))
    return t["fact_join"].join(established)


def remedy(name: str, lexicon: Words) -> str:
    """What a remedy brings about, in a sentence."""
    return lexicon.name_of("remedies", name, REMEDIES[name].sentence)


def ranks(book: Rulebook, lexicon: Words) -> dict[str, str]:
    """The titles of everybody on a rulebook's ladder."""
    return {rank.name: lexicon.name_of("ranks", rank.name, rank.title) for rank in book.ranks}


def terms(book: Rulebook, part: Part, lexicon: Words) -> Iterator[Term]:
    """Every value that a part of a rulebook holds, but not what it only cites and does not."""
    t = lexicon.ui
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
            yield Term(t[f"term_{field}"], _told(book, value.value, lexicon), value.rules)
        elif type(value) is Fact:
            if value.rules:
                yield Term(t[f"term_{field}"], "", value.rules)
        elif isinstance(value, Part):
            yield from terms(book, value, lexicon)
        else:
            yield Term(t[f"term_{field}"], _told(book, value, lexicon), rules)


def key(name: object) -> str:
    """A name of the documents as one of the words."""
    return str(name).lower().replace("-", "_")


def _told(book: Rulebook, value: object, lexicon: Words) -> str:
    t = lexicon.ui
    if isinstance(value, tuple):
        return t["list_join"].join(_told(book, one, lexicon) for one in value)
    if isinstance(value, Fraction):
        return t["value_original"] if value == 1 else t["value_of_original"].format(value)
    titles = ranks(book, lexicon)
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
