"""Parts that several answers to staff have: a sentence by its key, what one may do, the ladder of ranks."""

from collections.abc import Iterable

import msgspec

from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.model import Rules
from thirdcard.rulebook.remedies import REMEDIES
from thirdcard.table.ranks import outranks, titles_that_may
from thirdcard.table.refusals import Refusal, ToldRefusal
from thirdcard.words.saying import READER, SaidOfTable, in_words, say, told, whole


class Sentence(SaidOfTable, frozen=True, kw_only=True, omit_defaults=False):
    """What a console tells: by its key in `[consoles]`, its facts and paragraphs, and in words."""

    SECTION = "consoles"

    sentence: str


def tell(key: str, book: Rulebook, rules: Rules = (), /, **facts: str | int) -> Sentence:
    """The sentence of that key in the words of whoever asks, with bets and cases as the rulebook has them."""
    unsaid = Sentence(key, facts, rules, sentence="")
    return msgspec.structs.replace(unsaid, sentence=in_words(unsaid, READER.get()(), book))


class Power(msgspec.Struct, frozen=True, kw_only=True):
    """Whether one may do something now; if not, why: a refusal with its code, or the ranks that may."""

    may: bool
    why: str = ""
    code: str = ""
    rank: str = ""
    rules: Rules = ()


class Rung(msgspec.Struct, frozen=True, kw_only=True):
    rank: str
    title: str
    may: bool
    you: bool


def may_all(book: Rulebook, rank: str, needed: Iterable[str]) -> bool:
    """Whether a rank may do what takes each of these."""
    return bool(rank) and all(outranks(book, rank, one) for one in needed)


def ladder(book: Rulebook, needed: Iterable[str], rank: str) -> tuple[Rung, ...]:
    """Every rank, and whether it may do what takes each of these; `rank` is that of who asks."""
    wanted = tuple(needed)
    return tuple(
        Rung(
            rank=other.name, title=other.title, may=may_all(book, other.name, wanted), you=other.name == rank
        )
        for other in book.ranks
    )


def power_of(book: Rulebook, rank: str, needed: str, rules: Rules) -> Power:
    """Whether a rank may do what takes another; if not, which do."""
    if may_all(book, rank, (needed,)):
        return Power(may=True, rules=rules)
    return Power(may=False, why=ranks_told(book, needed), rank=needed, rules=rules)


def power_unless(no: Refusal | None) -> Power:
    if no is None:
        return Power(may=True)
    return Power(may=False, why=whole(told(no.said)), code=no.code, rules=tuple(no.rules))


def ranks_told(book: Rulebook, needed: str) -> str:
    """The ranks that may do what takes that one, for whoever asks."""
    return told(say("ranks", ranks=titles_that_may(book, needed)))


def shown_refusal(no: Refusal) -> ToldRefusal:
    """Why something that is being typed would be refused, for whoever asks."""
    shown = ToldRefusal.of(no, READER.get()())
    return msgspec.structs.replace(shown, sentence=whole(shown.sentence))


def remedy_sentences(remedies: Iterable[str]) -> tuple[tuple[str, str], ...]:
    return tuple((remedy, REMEDIES[remedy].sentence) for remedy in remedies)
