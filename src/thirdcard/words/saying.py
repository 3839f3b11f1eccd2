"""A sentence of the house as a value: its key in the files of words, and the facts that fill its blanks.

Code that refuses or explains something names the sentence and its facts: `say("box-empty", box=9)`. Each
language has the words for it in its section `[sentences]`; the lines of logs are in `[transcript]`, what the
dealer says is in `[said]`, and what consoles tell staff in `[consoles]`. There a blank says how its fact is
put: `{box}` as it is, `{least:money}`, `{bet:bet}`, `{hand:hand}`, `{card:card}` and so on as in `WAYS`; and
of several `{who:list}`, `{who:or}`, `{who:ranks}` as in `OF_SEVERAL`. A fact may be a sentence itself.

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
from typing import Final, Protocol, TypeAlias, Union

import msgspec

from thirdcard.cards import Card, parse_cards
from thirdcard.errors import BadInput
from thirdcard.money import format_dollars
from thirdcard.rulebook.model import Rulebook
from thirdcard.words.bet_names import bet_name
from thirdcard.words.lexicon import ENGLISH, Language, Words, words

Fact: TypeAlias = Union[str, int, "Saying", tuple[Union[str, int, "Saying"], ...]]

STOPS: Final = tuple(".?!。？！")  # noqa: RUF001

# Whose request is being answered reads this language; it is asked for only when something is said.
READER: ContextVar[Callable[[], Language]] = ContextVar("reader", default=lambda: ENGLISH)


class Saying(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sentence by its key and its facts; `str` has it in English."""

    key: str
    facts: Mapping[str, Fact] = {}

    def __str__(self) -> str:
        return in_words(self, ENGLISH)


def say(key: str, /, **facts: Fact) -> Saying:
    """The sentence of that key with those facts."""
    return Saying(key, facts)


def said_of(error: BadInput) -> Saying:
    """What a complaint says; one in plain English is said as it is."""
    return error.sentence if isinstance(error.sentence, Saying) else say("as-told", text=str(error))


class Named(msgspec.Struct, frozen=True):
    """A thing by its key in a section of words; `name` is its name where a language has no word for it."""

    section: str
    key: str
    name: str


class ToldLine(msgspec.Struct, frozen=True):
    """A line of a log, by its key in the section `[transcript]`; `under` belongs to the line above it."""

    key: str
    facts: Mapping[str, object] = {}
    rules: tuple[str, ...] = ()
    under: bool = False

    def told(self, lexicon: Words) -> str:
        """The line with its paragraphs, as it stands below others."""
        cited = f"  [{', '.join(self.rules)}]" if self.rules else ""
        return ("  " if self.under else "") + _filled(lexicon, "transcript", self.key, self.facts) + cited


def log_line(key: str, /, **facts: object) -> ToldLine:
    """The line of that key with those facts."""
    return ToldLine(key, facts)


class OfTable(Protocol):
    """A sentence about a table: its key, and facts as they stand in JSON."""

    @property
    def key(self) -> str: ...
    @property
    def facts(self) -> Mapping[str, str | int]: ...


def spoken(
    said: OfTable,
    language: Language,
    book: Rulebook | None = None,
    *,
    section: str = "said",
    names: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """A sentence about a table in that language: an announcement, or one of another section.

    Bets and cases go by what the language calls them, else by what the table's rulebook does; people by
    what others see of them in `names`, where they are not shown by their own.
    """
    lexicon = words(language)
    facts: dict[str, object] = dict(said.facts)
    if facts.get("bet"):  # of several sentences with the same facts some name none
        facts["bet"] = bet_name(str(facts["bet"]), language, book)
    if "case" in facts:
        facts["title"] = lexicon.name_of("cases", str(facts["case"]), str(facts["title"]))
    for who in ("player", "players"):
        if isinstance(people := facts.get(who), str):
            facts[who] = ", ".join(names.get(name, name) for name in people.split(", "))
    return _filled(lexicon, section, said.key, facts)


def card_name(card: Card | None, language: Language = ENGLISH) -> str:
    """As it is read aloud: `nine of clubs`, `face down`."""
    lexicon = words(language)
    if card is None:
        return lexicon.say("cards", "face-down")
    rank, suit = (lexicon.say("cards", f"{kind}-{card.value[n]}") for n, kind in enumerate(("rank", "suit")))
    return lexicon.say("cards", "name", rank=rank, suit=suit)


def in_words(said: Saying, language: Language) -> str:
    """The sentence in that language."""
    return _filled(words(language), "sentences", said.key, said.facts)


def _filled(lexicon: Words, section: str, key: str, facts: Mapping[str, object]) -> str:
    return lexicon.say(section, key, **{name: _Blank(fact, lexicon) for name, fact in facts.items()})


def told(said: Saying) -> str:
    """The sentence in the language of whose request is being answered."""
    return in_words(said, READER.get()())


def whole(sentence: str) -> str:
    """A sentence as it stands by itself, with a capital letter and a full stop."""
    return sentence[:1].upper() + sentence[1:] + ("" if sentence.endswith(STOPS) else ".")


class _Blank:
    """A fact on its way into a sentence: the format of its blank says how it is put."""

    def __init__(self, fact: object, lexicon: Words) -> None:
        self.fact, self.own = fact, lexicon

    def __format__(self, way: str) -> str:
        fact, lexicon = self.fact, self.own
        match fact:
            case Saying():
                return in_words(fact, lexicon.code)
            case ToldLine():
                return fact.told(lexicon)
            case Named():
                return lexicon.name_of(fact.section, fact.key, fact.name)
        if way in OF_SEVERAL:
            assert isinstance(fact, tuple)  # noqa: S101 - a sentence that is used otherwise is a fault
            between, each = OF_SEVERAL[way]
            return between(lexicon, [format(_Blank(member, lexicon), each) for member in fact])
        return WAYS[way](str(fact), lexicon) if way in WAYS else format(fact, way)

    def __repr__(self) -> str:
        return repr(self.fact)


def _called(section: str) -> Callable[[str, Words], str]:
    """By what the language calls it; else by its name with spaces."""
    return lambda name, lexicon: lexicon.name_of(section, name, name.replace("-", " ").replace("_", " "))


def _rank(title: str, lexicon: Words) -> str:
    """A rank by its name, or by the title that its document gives it."""
    name = title.lower().replace(" ", "-")
    plain = title.replace("-", " ")
    return lexicon.name_of("ranks", name, lexicon.name_of("ranks", name.removeprefix("table-games-"), plain))


def _places(lexicon: Words, places: list[str]) -> str:
    key = "card" if len(places) == 1 else "cards"
    return lexicon.say("transcript", key, places=lexicon.together(places))


WAYS: Final[dict[str, Callable[[str, Words], str]]] = {
    "money": lambda cents, _: format_dollars(int(cents)),
    "net": lambda cents, _: format_dollars(int(cents), sign=True),
    "bet": lambda bet, lexicon: bet_name(bet, lexicon.code),
    "hand": lambda hand, lexicon: lexicon.say("hands", hand),
    "outcome": lambda outcome, lexicon: lexicon.say("outcomes", outcome),
    "card": lambda card, lexicon: card_name(parse_cards(card)[0], lexicon.code),
    "cards": lambda cards, lexicon: lexicon.say("spoken", "cards").join(
        card_name(card, lexicon.code) for card in parse_cards(cards)
    ),
    "case": _called("cases"),
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
    "time": lambda at, _: f"{datetime.fromtimestamp(int(at) / 1_000_000, UTC):%H:%M}",
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
