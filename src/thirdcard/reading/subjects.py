"""What paragraphs are about: texts compared by their telling words, with what is known of other documents.

The known words are ours: titles of procedures, remedies and the summaries of `trace.toml`, by the key of a
book that cites the paragraph. So the nearest procedure of a paragraph can be named, paragraphs of one
document matched with those of another, and a citation that has slipped be seen.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import log, sqrt
from typing import Final, NamedTuple

from thirdcard.rulebook.faults import citations
from thirdcard.rulebook.load import of_package, packaged
from thirdcard.rulebook.model import Rulebook
from thirdcard.rulebook.remedies import REMEDIES
from thirdcard.rulebook.trace import trace

WORD: Final = re.compile(r"[a-z]+|\d+")
COMMON: Final = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "to",
        "in",
        "on",
        "for",
        "by",
        "with",
        "and",
        "or",
        "be",
        "is",
        "are",
        "was",
        "were",
        "shall",
        "may",
        "will",
        "that",
        "this",
        "which",
        "who",
        "it",
        "its",
        "as",
        "at",
        "from",
        "if",
        "any",
        "all",
        "no",
        "not",
        "has",
        "have",
        "had",
        "been",
        "such",
        "other",
        "than",
        "there",
        "their",
        "they",
        "he",
        "his",
        "her",
        "where",
        "when",
        "what",
        "into",
        "one",
        "player",
        "players",
        "banker",
        "game",
        "round",
        "rule",
        "rules",
        "play",
        "table",
        "casino",
    ]
)
ALIKE: Final = {
    "wager": "bet",
    "electronic": "device",
    "shoe": "device",
    "shuffler": "device",
    "dealt": "deal",
    "drawn": "draw",
    "void": "void",
    "voided": "void",
    "insufficient": "few",
    "enough": "few",
    "simultaneously": "together",
    "simultaneous": "together",
    "maximum": "maximum",
    "excess": "excess",
    "exceed": "excess",
    "exceeded": "excess",
    "additional": "excess",
    "powerfailure": "interruption",
    "failure": "interruption",
    "technical": "interruption",
    "malfunction": "interruption",
    "upwards": "up",
    "faceup": "up",
    "incorrect": "wrong",
    "inadvertently": "wrong",
    "incorrectly": "wrong",
    "error": "error",
    "mistake": "error",
    "withdraw": "withdraw",
    "withdrawn": "withdraw",
    "return": "return",
    "refund": "return",
    "reconstruct": "reconstruct",
    "reconstruction": "reconstruct",
    "display": "display",
    "screen": "display",
    "replace": "replace",
    "leave": "leave",
    "left": "leave",
    "walk": "leave",
}
Vector = dict[str, float]


def stems(text: str) -> list[str]:
    """The telling words of a text, each in one form."""
    found = []
    for word in WORD.findall(text.lower()):
        if word in COMMON or (word.isdigit() and len(word) > 2):  # noqa: PLR2004 - a number of a paragraph
            continue
        stem = word
        for ending in ("ations", "ation", "ings", "ing", "edly", "ed", "ies", "es", "s", "ly"):
            if stem.endswith(ending) and len(stem) - len(ending) >= 3:  # noqa: PLR2004 - of a word something stays
                stem = stem[: -len(ending)]
                break
        found.append(ALIKE.get(word) or ALIKE.get(stem) or stem)
    return found


class Corpus:
    """Texts by name, each as the weights of its words: a word that few texts have weighs more."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        words = {name: Counter(stems(text)) for name, text in texts.items()}
        spread = Counter(word for counts in words.values() for word in counts)
        self.rare: Vector = {word: log((1 + len(words)) / count) for word, count in spread.items()}
        self.unknown = log(1 + len(words))
        self.vectors = {name: self._vector(counts) for name, counts in words.items()}

    def _vector(self, counts: Mapping[str, int]) -> Vector:
        weighed = {
            word: (1 + log(count)) * self.rare.get(word, self.unknown) for word, count in counts.items()
        }
        size = sqrt(sum(weight * weight for weight in weighed.values())) or 1.0
        return {word: weight / size for word, weight in weighed.items()}

    def vector(self, text: str) -> Vector:
        return self._vector(Counter(stems(text)))

    def nearest(self, text: str, most: int = 1) -> list[tuple[float, str]]:
        """The texts that are most like this one."""
        vector = self.vector(text)
        return sorted(
            ((likeness(vector, other), name) for name, other in self.vectors.items()), reverse=True
        )[:most]


def likeness(first: Vector, second: Vector) -> float:
    """From 0, nothing in common, to 1, the same words."""
    if len(second) < len(first):
        first, second = second, first
    return sum(weight * second.get(word, 0.0) for word, weight in first.items())


class KnownProcedure(NamedTuple):
    """A procedure of a book of the package."""

    slug: str
    case: str
    title: str


@cache
def summaries() -> dict[tuple[str, str], str]:
    """By book of the package and paragraph, what it says in our words."""
    return {(topic.slug, topic.paragraph): topic.summary for topic in trace()}


@cache
def _procedures() -> tuple[Corpus, dict[str, KnownProcedure]]:
    texts: dict[str, str] = {}
    known: dict[str, KnownProcedure] = {}
    for slug in packaged():
        for procedure in of_package(slug).procedures:
            name = f"{slug}/{procedure.case}"
            told = [procedure.title, procedure.title, *(kind.replace("-", " ") for kind in procedure.about)]
            told += [summaries().get((slug, rule.partition("(")[0]), "") for rule in procedure.rules]
            texts[name] = " ".join(told)
            known[name] = KnownProcedure(slug, procedure.case, procedure.title)
    return Corpus(texts), known


def nearest_procedure(text: str, first: str = "") -> KnownProcedure | None:
    """The procedure of the books of the package that is most like a paragraph, one of the book `first` if it is as good."""
    corpus, known = _procedures()
    found = corpus.nearest(text, most=6)
    if not found or found[0][0] <= LEAST:
        return None
    good = [name for score, name in found if score >= found[0][0] * 0.85]
    return known[next((name for name in good if name.startswith(f"{first}/")), good[0])]


LEAST: Final = 0.05


def said_of(book: Rulebook) -> dict[str, str]:
    """By paragraph of a book, what is known of it: our summary, and what the book makes of it."""
    told: dict[str, list[str]] = {paragraph: [] for paragraph in book.paragraphs}
    titles = {f"procedures[{number}]": one.title for number, one in enumerate(book.procedures)}
    titles |= {f"bets.{name}": bet.name for name, bet in book.bets.items()}
    titles |= {f"discretions[{number}]": one.what for number, one in enumerate(book.discretions)}
    titles |= {f"notices[{number}]": one.shows for number, one in enumerate(book.notices)}
    for key, rule in citations(book):
        paragraph = rule.partition("(")[0]
        if paragraph in told:
            parts = key.split(".")
            title = next(
                (titles[".".join(parts[:d])] for d in (1, 2) if ".".join(parts[:d]) in titles),
                " ".join(parts[:2]),
            )
            told[paragraph].append(title)
    known = summaries()
    return {
        paragraph: " ".join((known.get((book.slug, paragraph), ""), *dict.fromkeys(titles)))
        for paragraph, titles in told.items()
    }


def aligned(book: Rulebook, texts: Mapping[str, str]) -> dict[str, str]:
    """For each paragraph of a book the one of a document that says the same, as far as the words tell; in order."""
    if set(book.paragraphs) == set(texts):
        return {paragraph: paragraph for paragraph in book.paragraphs}
    known = said_of(book)
    corpus = Corpus(
        {
            **{f"d {name}": text for name, text in texts.items()},
            **{f"b {name}": text for name, text in known.items()},
        }
    )
    ours, theirs = list(book.paragraphs), list(texts)
    score = [
        [
            likeness(corpus.vectors[f"b {mine}"], corpus.vectors[f"d {other}"]) + _numbered_alike(mine, other)
            for other in theirs
        ]
        for mine in ours
    ]
    return {ours[mine]: theirs[other] for mine, other in _in_order(score)}


def _numbered_alike(mine: str, other: str) -> float:
    """A little for the same number, or the same chapter."""
    if mine == other:
        return 0.06
    return (
        0.03
        if mine.partition(".")[0] == other.partition(".")[0] and mine.count(".") == other.count(".")
        else 0.0
    )


def _in_order(score: Sequence[Sequence[float]]) -> Iterable[tuple[int, int]]:
    """The pairs that come to the most in all, none crossing another."""
    rows, columns = len(score), len(score[0]) if score else 0
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for row in range(rows - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            pair = score[row][column]
            together = pair + best[row + 1][column + 1] if pair > LEAST_ALIKE else 0.0
            best[row][column] = max(together, best[row + 1][column], best[row][column + 1])
    row = column = 0
    while row < rows and column < columns:
        if best[row][column] == best[row + 1][column]:
            row += 1
        elif best[row][column] == best[row][column + 1]:
            column += 1
        else:
            yield row, column
            row, column = row + 1, column + 1


LEAST_ALIKE: Final = 0.1


def remedies_told(names: Iterable[str]) -> str:
    """What remedies do, in our words."""
    return " ".join(REMEDIES[name].sentence for name in names if name in REMEDIES)
