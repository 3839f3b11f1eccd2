"""A sentence of the house as a value: its key in the files of words, and the facts that fill its blanks.

Code that refuses or explains something names the sentence and its facts: `say("box-empty", box=9)`. Each
language has the words for it in its section `[sentences]`; the lines of logs are in `[transcript]`, what the
dealer says is in `[said]`, and what consoles tell staff in `[consoles]`: the type says where. There a blank
says how its fact is put: `{box}` as it is, `{least:money}`, `{hand:hand}` and so on as in `WAYS`, `{bet:bet}`
as in `OF_TABLE`; and of several `{who:list}`, `{who:or}`, `{who:ranks}` as in `OF_SEVERAL`. A fact may be a
sentence itself.

>>> sentence = say("below-minimum", bet="tiger-pair", least=500, cents=300)
>>> print(sentence)
Tiger Pair takes at least 5, not 3
>>> in_words(sentence, "zh").isascii()
False
"""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias, Union

import msgspec

from thirdcard.cards import Card, parse_cards
from thirdcard.errors import BadInput
from thirdcard.money import format_dollars
from thirdcard.rulebook.model import Rulebook, Rules
from thirdcard.words.bet_names import bet_name
from thirdcard.words.lexicon import ENGLISH, Language, Words, words

Fact: TypeAlias = Union[str, int, "Saying", tuple[Union[str, int, "Saying"], ...]]

STOPS: Final = tuple(".?!。？！")  # noqa: RUF001

# Whose request is being answered reads this language; it is asked for only when something is said.
READER: ContextVar[Callable[[], Language]] = ContextVar("reader", default=lambda: ENGLISH)


class Saying(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sentence by its key in `SECTION` of the words, and its facts; `str` has it in English."""

    SECTION: ClassVar[str] = "sentences"

    key: str
    facts: Mapping[str, Fact] = {}

    def __str__(self) -> str:
        return in_words(self, ENGLISH)


def say(key: str, /, **facts: Fact) -> Saying:
    """The sentence of that key with those facts."""
    return Saying(key, facts)


class ToYou(Saying, frozen=True):
    """A sentence about somebody, as that person reads it."""

    SECTION: ClassVar[str] = "you"


def to_you(said: Saying, reader: str) -> Saying:
    """The sentence for whom it is about, where it has words for that."""
    about = said.facts.get("who") == reader and said.key in words(ENGLISH).sections["you"]
    return ToYou(said.key, said.facts) if about else said


def said_of(error: BadInput) -> Saying:
    """What a complaint says; one in plain English is said as it is."""
    return error.sentence if isinstance(error.sentence, Saying) else say("as-told", text=str(error))


class Named(msgspec.Struct, frozen=True):
    """A thing by its key in a section of words; `name` is its name where a language has no word for it."""

    section: str
    key: str
    name: str


class ToldLine(Saying, frozen=True):
    """A line of a log; `under` belongs to the line above it."""

    SECTION = "transcript"

    facts: Mapping[str, Any] = {}
    rules: Rules = ()
    under: bool = False

    def told(self, lexicon: Words) -> str:
        """The line with its paragraphs, as it stands below others."""
        cited = f"  [{', '.join(self.rules)}]" if self.rules else ""
        return ("  " if self.under else "") + in_words(self, lexicon.code) + cited


def log_line(key: str, /, **facts: object) -> ToldLine:
    """The line of that key with those facts."""
    return ToldLine(key, facts)


class SaidOfTable(Saying, frozen=True):
    """A sentence about a table, its facts as they stand in JSON; `rules` are the paragraphs behind it."""

    facts: Mapping[str, str | int] = {}
    rules: Rules = ()


def card_name(card: Card | None, language: Language = ENGLISH) -> str:
    """As it is read aloud: `nine of clubs`, `face down`."""
    lexicon = words(language)
    if card is None:
        return lexicon.say("cards", "face-down")
    rank, suit = (lexicon.say("cards", f"{kind}-{card.value[n]}") for n, kind in enumerate(("rank", "suit")))
    return lexicon.say("cards", "name", rank=rank, suit=suit)


def in_words(
    said: Saying,
    language: Language,
    book: Rulebook | None = None,
    names: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """The sentence in that language.

    Bets and cases go by what the language calls them, else by what the rulebook does; people by what others
    see of them in `names`, where they are not shown by their own.
    """
    reader = _Reader(words(language), book, names)
    blanks = {name: _Blank(fact, reader) for name, fact in said.facts.items()}
    return reader.lexicon.say(said.SECTION, said.key, **blanks)


def told(said: Saying) -> str:
    """The sentence in the language of whose request is being answered."""
    return in_words(said, READER.get()())


def whole(sentence: str) -> str:
    """A sentence as it stands by itself, with a capital letter and a full stop."""
    return sentence[:1].upper() + sentence[1:] + ("" if sentence.endswith(STOPS) else ".")


class _Reader(NamedTuple):
    """Whom a sentence is made for: their language, their table's rulebook, and what people are shown as."""

    lexicon: Words
    book: Rulebook | None
    names: Mapping[str, str]


class _Blank:
    """A fact on its way into a sentence: the format of its blank says how it is put."""

    def __init__(self, fact: object, reader: _Reader) -> None:
        self.fact, self.reader = fact, reader

    def __format__(self, way: str) -> str:
        fact, reader = self.fact, self.reader
        match fact:
            case ToldLine():
                return fact.told(reader.lexicon)
            case Saying():
                return in_words(fact, reader.lexicon.code, reader.book, reader.names)
            case Named():
                return reader.lexicon.name_of(fact.section, fact.key, fact.name)
        if way in OF_SEVERAL:
            assert isinstance(fact, tuple)  # noqa: S101 - a sentence that is used otherwise is a fault
            between, each = OF_SEVERAL[way]
            return between(reader.lexicon, [format(_Blank(member, reader), each) for member in fact])
        if way in OF_TABLE:
            return OF_TABLE[way](str(fact), reader)
        return WAYS[way](str(fact), reader.lexicon) if way in WAYS else format(fact, way)

    def __repr__(self) -> str:
        return repr(self.fact)


def _case(case: str, reader: _Reader) -> str:
    """The title of a case; without a rulebook that has it, its name with spaces."""
    procedures = reader.book.procedures if reader.book else ()
    titles = (procedure.title for procedure in procedures if procedure.case == case)
    return reader.lexicon.name_of("cases", case, next(titles, case.replace("-", " ")))


def _people(people: str, reader: _Reader) -> str:
    return ", ".join(reader.names.get(name, name) for name in people.split(", "))


def _called(section: str) -> Callable[[str, Words], str]:
    """By what the language calls it; else by its name with spaces."""
    return lambda name, lexicon: lexicon.name_of(section, name, name.replace("-", " ").replace("_", " "))


def _rank(title: str, lexicon: Words) -> str:
    """A rank by its name, or by the title that its document gives it."""
    name = title.lower().replace(" ", "-")
    plain = title.replace("-", " ")
    return lexicon.name_of("ranks", name, lexicon.name_of("ranks", name.removeprefix("table-games-"), plain))


def _moment(at: str, lexicon: Words) -> str:
    """A day and an hour, in the zone that an ISO time names; a number counts microseconds, in UTC."""
    when = datetime.fromtimestamp(int(at) / 1_000_000, UTC) if at.isdecimal() else datetime.fromisoformat(at)
    return lexicon.say(
        "dates",
        "moment",
        weekday=lexicon.say("dates", f"weekday-{when.isoweekday()}"),
        day=when.day,
        month=lexicon.say("dates", f"month-{when.month}"),
        year=when.year,
        time=f"{when:%H:%M}",
    )


def _places(lexicon: Words, places: list[str]) -> str:
    key = "card" if len(places) == 1 else "cards"
    return lexicon.say("transcript", key, places=lexicon.together(places))


WAYS: Final[dict[str, Callable[[str, Words], str]]] = {
    "money": lambda cents, _: format_dollars(int(cents)),
    "net": lambda cents, _: format_dollars(int(cents), sign=True),
    "hand": lambda hand, lexicon: lexicon.say("hands", hand),
    "outcome": lambda outcome, lexicon: lexicon.say("outcomes", outcome),
    "card": lambda card, lexicon: card_name(parse_cards(card)[0], lexicon.code),
    "cards": lambda cards, lexicon: lexicon.say("spoken", "cards").join(
        card_name(card, lexicon.code) for card in parse_cards(cards)
    ),
    "remedy": _called("remedies"),
    "change": _called("changes"),
    "setting": _called("setup"),
    "why": _called("why"),
    "odds": lambda odds, lexicon: odds.replace(" to ", lexicon.say("spoken", "odds")),
    "ratio": lambda odds, lexicon: odds.replace(" to ", lexicon.ui["odds_to"]),
    "rank": _rank,
    "notice": lambda text, lexicon: lexicon.name_of("notices", text, text),
    "public": lambda sentence, lexicon: lexicon.ui[f"public_{sentence}"],
    "pace": lambda name, lexicon: lexicon.ui[f"staff_time_{name}"],
    "seconds": lambda milliseconds, _: f"{int(milliseconds) / 1000:g}",
    "moment": _moment,
    "time": lambda at, _: f"{datetime.fromtimestamp(int(at) / 1_000_000, UTC):%H:%M}",
}
# What a table's rulebook and the names of its people have a say in.
OF_TABLE: Final[dict[str, Callable[[str, _Reader], str]]] = {
    "bet": lambda bet, reader: bet_name(bet, reader.lexicon.code, reader.book),
    "case": _case,
    "people": _people,
}
# How the members of a list are joined, and how each of them is put.
OF_SEVERAL: Final[dict[str, tuple[Callable[[Words, list[str]], str], str]]] = {
    "list": (lambda lexicon, members: lexicon.ui["list_join"].join(members), ""),
    "or": (lambda lexicon, members: lexicon.choice(members), ""),
    "and": (lambda lexicon, members: lexicon.together(members), ""),
    "ranks": (lambda lexicon, members: lexicon.choice(members), "rank"),
    "remedies": (lambda lexicon, members: lexicon.say("transcript", "then").join(members), "remedy"),
    "places": (_places, ""),
}
