"""An item told in the reader's language: every phrase with its blanks filled in."""

from collections.abc import Callable, Iterator
from functools import lru_cache

from thirdcard.cards import parse_cards
from thirdcard.errors import BadInput
from thirdcard.money import Odds, format_dollars
from thirdcard.play.tableau import points as points_of
from thirdcard.rulebook.conditions import winner_of
from thirdcard.rulebook.load import load
from thirdcard.rulebook.model import Rulebook
from thirdcard.school.item_types import (
    BetLine,
    ChangedFacts,
    DealtFacts,
    InsuranceFacts,
    ItemFacts,
    ItemPart,
    LimitsFacts,
    PayFacts,
    Phrase,
    RuleFacts,
    SpotFacts,
    SqueezeFacts,
    ThirdCardFacts,
)
from thirdcard.school.making import phrase
from thirdcard.words.bet_names import bet_name
from thirdcard.words.lexicon import Words
from thirdcard.words.saying import card_name
from thirdcard.words.telling import key, numbers, pays, ranks, remedy

SECTION = "school"
TIMES = "\N{MULTIPLICATION SIGN}"


def say(says: Phrase, lexicon: Words, book: Rulebook) -> str:
    """The phrase in that language; `book` is the rulebook that the item is about."""
    filled = {name: _told(name, value, says, lexicon, book) for name, value in says.blanks.items()}
    return lexicon.say(SECTION, says.key, **filled)


def _told(name: str, value: str | int, says: Phrase, lexicon: Words, book: Rulebook) -> str:
    if name == "title":
        titles = {procedure.case: procedure.title for procedure in book.procedures}
        case = str(says.blanks.get("case", ""))
        return lexicon.name_of("cases", case, titles.get(case, str(value)))
    teller = _TELLERS.get(name)
    if teller is not None:
        return teller(str(value), lexicon, book)
    if name.endswith("cents"):
        return format_dollars(int(value))
    if name.endswith("net"):
        return format_dollars(int(value), sign=True)
    return str(value)


def _cards(value: str, lexicon: Words, _: Rulebook) -> str:
    return lexicon.ui["list_join"].join(card_name(card, lexicon.code) for card in parse_cards(value))


def _remedies(value: str, lexicon: Words, _: Rulebook) -> str:
    between = "" if lexicon.ui["list_join"] == "、" else " "
    return between.join(remedy(name, lexicon) for name in value.split())


def _facts(value: str, lexicon: Words, _: Rulebook) -> str:
    given = (one.partition("=") for one in value.split())
    return lexicon.ui["fact_join"].join(lexicon.ui[key(f"fact_{name}_{is_so}")] for name, _, is_so in given)


def _chips(value: str, lexicon: Words, _: Rulebook) -> str:
    """Piles of chips, the value and how many."""
    piles = (one.partition("x") for one in value.split())
    return lexicon.ui["list_join"].join(
        f"{format_dollars(int(worth))} {TIMES}{count}" for worth, _, count in piles
    )


def _method(value: str, lexicon: Words, book: Rulebook) -> str:
    titles = {method.name: method.title for method in book.dealing}
    title = lexicon.name_of("methods", value, titles.get(value, value))
    return title if value in title else f"{value} ({title})"


@lru_cache(maxsize=64)
def _title(slug: str) -> str:
    try:
        document = load(slug).document
    except BadInput:
        return slug
    return f"{document.operator} {document.title}, v{document.version}".strip()


def _book(value: str, lexicon: Words, book: Rulebook) -> str:
    if value == book.slug:
        document = book.document
        return lexicon.name_of(
            "books", value, f"{document.operator} {document.title}, v{document.version}".strip()
        )
    return lexicon.name_of("books", value, _title(value))


_TELLERS: dict[str, Callable[[str, Words, Rulebook], str]] = {
    "hand": lambda value, lexicon, _: lexicon.say("hands", value),
    "outcome": lambda value, lexicon, _: lexicon.say("outcomes", value),
    "bet": lambda value, lexicon, book: bet_name(value, lexicon.code, book),
    "card": _cards,
    "cards": _cards,
    "odds": lambda value, lexicon, _: pays(Odds(value), lexicon) if value else "",
    "rank": lambda value, lexicon, book: ranks(book, lexicon).get(value, value),
    "remedies": _remedies,
    "facts": _facts,
    "chips": _chips,
    "method": _method,
    "book": _book,
    "numbers": lambda value, lexicon, _: numbers(map(int, value.split()), lexicon),
    "paragraphs": lambda value, lexicon, _: lexicon.ui["list_join"].join(value.split()),
}


def answer_told(part: ItemPart, lexicon: Words, book: Rulebook) -> str:
    """The right answer to a part."""
    if isinstance(part.answer, int):
        return format_dollars(part.answer)
    keys = part.answer if isinstance(part.answer, tuple) else (part.answer,)
    chosen = [say(choice.says, lexicon, book) for choice in part.choices if choice.key in keys]
    return lexicon.together(chosen) if chosen else lexicon.say(SECTION, "told-none")


# --- what is on the table, line by line -------------------------------------------------------------------


def facts_told(facts: ItemFacts, lexicon: Words, book: Rulebook, *, points: bool = True) -> list[str]:
    """What a learner is shown, in sentences: for terminals, and for those who hear a page."""
    return [say(says, lexicon, book) for says in _fact_phrases(facts, points=points)]


def _fact_phrases(facts: ItemFacts, *, points: bool) -> Iterator[Phrase]:
    if isinstance(facts, RuleFacts | ChangedFacts) and facts.case:
        yield from _case_told(facts)
    elif isinstance(facts, DealtFacts | ChangedFacts):
        yield from _hands_told(facts, points=points)
    if isinstance(facts, PayFacts) and points:
        yield _call(facts)
    if isinstance(facts, ThirdCardFacts) and facts.coming:
        yield phrase("fact-coming", written=facts.coming)
    if isinstance(facts, SqueezeFacts):
        yield phrase("why-method", method=facts.method)
    if isinstance(facts, LimitsFacts | InsuranceFacts | PayFacts | RuleFacts):
        yield from _limits_told(facts)
    yield from map(_line_told, getattr(facts, "lines", ()))
    for number, step in enumerate(facts.steps if isinstance(facts, SpotFacts) else (), start=1):
        yield phrase("step-number", number=number)
        yield step.says


def call_told(facts: ItemFacts, lexicon: Words, book: Rulebook) -> str:
    """The result as it was called before a box is paid; nothing of other items."""
    return say(_call(facts), lexicon, book) if isinstance(facts, PayFacts) else ""


def _call(facts: PayFacts) -> Phrase:
    player, banker = points_of(parse_cards(facts.player)), points_of(parse_cards(facts.banker))
    return phrase("step-result", outcome=winner_of(player, banker), player=player, banker=banker)


def _case_told(facts: RuleFacts | ChangedFacts) -> Iterator[Phrase]:
    yield phrase("fact-case", case=facts.case, title=facts.case)
    if facts.established:
        established = " ".join(f"{name}={value}" for name, value in facts.established.items())
        yield phrase("why-facts", facts=established)
    yield phrase("fact-certain", written=facts.cards) if facts.cards else phrase("fact-no-card")


def _hands_told(facts: DealtFacts | ChangedFacts, *, points: bool) -> Iterator[Phrase]:
    for side in ("player", "banker"):
        written = getattr(facts, side)
        total = getattr(facts, f"{side}_points", None)
        if points and total is not None:
            yield phrase("fact-hand-points", hand=side, written=written, points=total)
        elif written:
            yield phrase("fact-hand", hand=side, written=written)


def _limits_told(facts: LimitsFacts | InsuranceFacts | PayFacts | RuleFacts) -> Iterator[Phrase]:
    for name in ("minimum", "maximum", "differential"):
        cents = getattr(facts, name, 0)
        if cents:
            yield phrase(f"fact-{name}", cents=cents)


def _line_told(line: BetLine) -> Phrase:
    key = "fact-line" if line.seated else "fact-line-standing"
    window = {"window": line.window} if line.window else {}
    return phrase(
        "fact-line-insurance" if window else key,
        box=line.box,
        patron=line.patron,
        bet=line.bet,
        stake_cents=line.stake,
        **window,
    )
