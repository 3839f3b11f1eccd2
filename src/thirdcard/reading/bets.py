"""Bets of a document: those that it lists, what it says that each wins on, and the names in its lines."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from thirdcard.reading.conditions import LONGEST, Condition, both, condition_of
from thirdcard.reading.document import Document, Term, term_of
from thirdcard.reading.figures import WORDS, cells, odds_in
from thirdcard.reading.model import BetRead, Definition, Place
from thirdcard.reading.paragraphs import Paragraph
from thirdcard.rulebook.forms import Raw

ALWAYS: Final = {"player": "Player", "banker": "Banker"}
ON_HANDS: Final[dict[str, Raw]] = {  # the bets that are called by their outcome
    "player": {"winner": ["player"]},
    "banker": {"winner": ["banker"]},
    "tie": {"winner": ["tie"]},
}
IS_BET: Final = re.compile(
    r"^(?:an?|any|the|to an?)\s+(?:(?:optional|side|additional|further|separate)\s+){0,3}(?:bets?|wagers?)\b",
    re.IGNORECASE,
)
WINS: Final = re.compile(r"\b(?:wins?|won|winning|pays?|paid)\b|:$", re.IGNORECASE)
LIST_LEAD: Final = re.compile(
    r"\b(?:available|permitted|permissible|following|offered)\s+(?:side )?(?:bets?|wagers?)\b(?: (?:are|is|shall be|include|may be placed))?"
    r"|\b(?:bets?|wagers?) (?:that are |which are )?(?:available|offered|permitted|may be placed)\b"
    r"|\b(?:place|make) (?:a |any )?(?:bets?|wagers?) on (?:any )?(?:1|one)? ?(?:or more )?(?:of )?(?:the following)",
    re.IGNORECASE,
)
QUOTED: Final = re.compile(r"\"([A-Z][^\"]{0,50})\"")
NAME: Final = re.compile(r"^[A-Z][\w'&/ .+-]{0,48}$")
WAGER_ENDING: Final = re.compile(r"\s+(?:side )?(?:bets?|wagers?)$", re.IGNORECASE)
INSURED: Final = re.compile(r"\binsurance\b", re.IGNORECASE)
RETURNED: Final = re.compile(
    r"\b(?:do(?:es)? not win or lose|neither wins? nor loses?|(?:shall be |is |are )?(?:returned|refunded)|push(?:es)?|stand[- ]?off)\b",
    re.IGNORECASE,
)
TIED: Final = re.compile(r"\b(?:tie|(?:same|identical|equal) point totals?)\b", re.IGNORECASE)
MOST_BETS: Final = 100
MOST_NAME_WORDS: Final = 6


def slug_of(name: str) -> str:
    """A bet's name as books, programs and the command line have it."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


class Bets:
    """The bets of a document by slug, and how its lines name them."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.by_slug: dict[str, BetRead] = {}
        self.taken: set[str] = set()  # paragraphs whose figures are all in a definition
        terms = list(document.terms())
        self._list()
        for slug, name in ALWAYS.items():
            self.by_slug.setdefault(slug, BetRead(name=name, slug=slug))
        for term in terms:
            self._name(term)
        wagers = {
            slug_of(WAGER_ENDING.sub("", name))
            for term in terms
            if IS_BET.search(term.body)
            for name in term.names
        }
        for term in terms:
            self._define(term, wagers)
        for paragraph in document.paragraphs.values():
            self._state(paragraph)
            self._push(paragraph)

    # --- which bets there are

    def _list(self) -> None:
        for paragraph in self.document.paragraphs.values():
            lead = LIST_LEAD.search(paragraph.text)
            if lead is None:
                continue
            for name, line in self._listed(paragraph, lead.end()):
                slug = slug_of(WAGER_ENDING.sub("", name))
                if (
                    slug
                    and slug not in self.by_slug
                    and len(self.by_slug) < MOST_BETS
                    and not INSURED.search(name)
                ):
                    bet = BetRead(name=WAGER_ENDING.sub("", name), slug=slug)
                    bet.listed = Place(paragraph.number, line)
                    self.by_slug[slug] = bet

    def _listed(self, paragraph: Paragraph, at: int) -> Iterator[tuple[str, int]]:
        """The names after the words that lead a list in: quoted, a line each, or parted by commas."""
        quoted = list(QUOTED.finditer(paragraph.text, at))
        if len(quoted) > 1:
            sentence = paragraph.text.find(". ", at)
            yield from ((one[1], paragraph.line) for one in quoted if sentence < 0 or one.start() < sentence)
            return
        below = [
            (part.text.rstrip(";,. "), part.line)
            for part in self.document.structure.within(paragraph.number)
            if part is not paragraph
        ]
        own = [
            (line.text.strip(" \t;,.*"), line.number)
            for line in paragraph.lines[1:]
            if len(cells(line.text)) == 1 and not any(True for _ in odds_in(line.text))
        ]
        items = [
            (re.sub(r"[;,]?\s+(?:and|or)$", "", text).strip("\"' ;,"), line) for text, line in (*own, *below)
        ]
        short = [item for item in items if NAME.match(item[0]) and len(item[0].split()) <= MOST_NAME_WORDS]
        if len(short) > 1:
            yield from short
            return
        told = paragraph.text[at:].partition(". ")[0].strip(" :.")
        names = [part.strip(" \"'.") for part in re.split(r",\s*(?:and|or)\s+|,|;|\band\b|\bor\b", told)]
        if len(names) > 1 and all(
            NAME.match(name) and len(name.split()) <= MOST_NAME_WORDS for name in names
        ):
            yield from ((name, paragraph.line) for name in names)

    def _name(self, term: Term) -> None:
        """A term is a bet if it is listed, or said to be one that wins."""
        if not (IS_BET.search(term.body) and WINS.search(term.body)) or INSURED.search(term.names[0]):
            return
        if re.match(r"(?:shall )?(?:have|has) the same meaning", term.body) or "amount" in term.body[:40]:
            return
        for name in term.names:
            short = WAGER_ENDING.sub("", name)
            if self.named(short) is None and self._case_of(short) is None and len(self.by_slug) < MOST_BETS:
                self.by_slug.setdefault(slug_of(short), BetRead(name=short, slug=slug_of(short)))

    def named(self, name: str) -> BetRead | None:
        return self.by_slug.get(slug_of(WAGER_ENDING.sub("", name)))

    def _case_of(self, name: str) -> BetRead | None:
        """The bet of which a term is one case, as Single Tiger Pair is of Tiger Pair."""
        slug = slug_of(name)
        bets = [
            bet for bet in self.by_slug.values() if slug.endswith(f"-{bet.slug}") and bet.slug not in ALWAYS
        ]
        return max(bets, key=lambda bet: len(bet.slug), default=None)

    # --- what they win on

    def _define(self, term: Term, wagers: set[str]) -> None:
        for name in term.names:
            bet = self.named(name)
            case = self._case_of(name) if bet is None else None
            if bet is None and case is None:
                continue
            if bet is not None and bet.slug in ALWAYS and not IS_BET.search(term.body):
                continue  # Player and Banker are people and hands as well
            if bet is not None and bet.slug in wagers and not IS_BET.search(term.body):
                continue  # an outcome of the same name: its wager is defined by itself
            definition = self._definition(term, name)
            if definition is None:
                continue
            if bet is not None:
                bet.definitions.append(definition)
            elif case is not None:
                case.cases[slug_of(name)] = definition

    def _definition(self, term: Term, name: str) -> Definition | None:
        below = [
            part
            for part in self.document.structure.within(term.place.paragraph)
            if part.number != term.place.paragraph and term_of(part.text) is None
        ]
        leads = term.body.rstrip().endswith(":") or term.body.rstrip().endswith(("when", "if", "where"))
        if below and leads:
            return self._in_parts(term, below)
        body = term.body.partition('". "')[0]  # a second definition in the same paragraph
        body = re.split(r"[.;]\s+(?=[\"A-Z])", body)[0]
        condition = condition_of(self._without(body[: 2 * LONGEST], (*term.names, name)))
        when = _of_one_hand(condition.when, name, shared=len(term.names) > 1)
        return self._made(condition, when, term.place)

    def _without(self, text: str, names: Iterable[str]) -> str:
        """A text without the names of bets, which say nothing of how they win."""
        longest = sorted(
            {*names, *(bet.name for bet in self.by_slug.values())} - set(ALWAYS.values()) - {"Tie"}, key=len
        )
        for name in reversed(longest):
            if len(name) > 2:  # noqa: PLR2004 - a name
                kept = " pair" if re.search(r"\bpair$", name, re.IGNORECASE) else ""
                text = re.sub(rf"\b{re.escape(name)}(s?)\b", kept, text, flags=re.IGNORECASE)
        return text

    def _in_parts(self, term: Term, below: list[Paragraph]) -> Definition | None:
        """A definition whose cases stand in paragraphs of their own: what they come to together."""
        conditions = [condition_of(part.text) for part in below]
        left = tuple(word for condition in conditions for word in condition.left)
        margins = {
            condition.when["total"][0] - condition.loser[0]
            for condition in conditions
            if condition.loser and len(condition.when.get("total", ())) == 1
        }
        totals = sorted({total for condition in conditions for total in condition.when.get("total", ())})
        winners = {tuple(condition.when.get("winner", ())) for condition in conditions}
        others = {str({k: v for k, v in c.when.items() if k != "total"}) for c in conditions}
        by_loser = any(condition.loser for condition in conditions)
        if len(others) > 1 or len(winners) != 1 or (by_loser and len(margins) != 1):
            left = (*left, "cases that differ")
        when = dict(conditions[0].when)
        if totals:
            when["total"] = totals
        if len(margins) == 1:
            when["margin"] = margins.pop()
        made = Condition(when, by_cards=any(one.by_cards for one in conditions), left=left)
        return self._made(made, when, term.place)

    def _made(self, condition: Condition, when: Raw, place: Place) -> Definition | None:
        if condition.says_nothing and not condition.left:
            return None
        if (
            condition.loser
            and "margin" not in when
            and len(condition.loser) == len(when.get("total", ())) == 1
        ):
            when = when | {"margin": when["total"][0] - condition.loser[0]}
        return Definition(when, place, condition.by_cards, condition.left)

    def _state(self, paragraph: Paragraph) -> None:
        """`When … wins with six points, the Tiger wager shall win`: a definition in another place."""
        text = paragraph.text
        if term_of(text) is not None or not re.match(r"^(?:when|where|if)\b", text, re.IGNORECASE):
            return
        for bet in sorted(self.by_slug.values(), key=lambda bet: -len(bet.name)):
            if bet.slug in ALWAYS:
                continue
            found = re.search(
                rf"\b(?:the|a|all)\s+\"?{re.escape(bet.name)}\"?\s*(?:bets?|wagers?)?\s*(?:shall |will )?wins?\b",
                text,
            )
            if found is not None:
                condition = condition_of(text[: found.start()])
                definition = self._made(condition, condition.when, Place(paragraph.number, paragraph.line))
                if definition is not None:
                    bet.definitions.append(definition)
                return

    def _push(self, paragraph: Paragraph) -> None:
        """Where the document says that Player and Banker are returned on a tie."""
        text = paragraph.text
        if term_of(text) is not None or not (TIED.search(text) and RETURNED.search(text)):
            return
        if not ("player" in text.lower() and "banker" in text.lower()):
            return
        if paragraph.lettered or re.match(r"insurance", text, re.IGNORECASE):
            return
        for slug in ALWAYS:
            if self.by_slug[slug].push is None:
                self.by_slug[slug].push = Place(paragraph.number, paragraph.line)

    # --- how lines name them

    def at_start(self, label: str) -> tuple[BetRead, str] | None:
        """The bet whose name begins a label, with what comes after it."""
        shown = re.sub(r"[\"'*]", "", label).strip()
        shown = (
            re.sub(
                r"^(?:(?:a|the|any|all)\s+)?(?:winning\s+)?(?:bets?\s+on\s+|wagers?\s+on\s+)?(?:the\s+)?",
                "",
                shown,
                flags=re.IGNORECASE,
            )
            or shown
        )
        fitting = [
            bet
            for bet in self.by_slug.values()
            if re.match(rf"{spelled(bet.name)}(?![\w-])", shown, re.IGNORECASE)
        ]
        bet = max(fitting, key=lambda one: len(one.name), default=None)
        if bet is None:
            return None
        found = re.match(spelled(bet.name), shown, re.IGNORECASE)
        assert found is not None  # noqa: S101 - it fitted
        rest = shown[found.end() :].strip(" -:.,")
        return bet, rest

    def in_text(self, text: str) -> list[tuple[BetRead, int, int]]:
        """Every bet that a text names, the longest name at each place, with where it stands."""
        shown = re.sub(r"[\"'*]", " ", text)
        found: list[tuple[BetRead, int, int]] = []
        for bet in sorted(self.by_slug.values(), key=lambda one: -len(one.name)):
            for name in (spelled(bet.name), *_short_names(bet.name)):
                for one in re.finditer(rf"(?<![\w-]){name}(?:s)?(?![\w-])", shown, re.IGNORECASE):
                    if not any(start < one.end() and one.start() < end for _, start, end in found):
                        found.append((bet, one.start(), one.end()))
        return sorted(found, key=lambda one: one[1])

    def by_words(self, text: str) -> list[BetRead]:
        """The bets whose names have all the telling words of a text, such as `Char Siu Bets`."""
        words = [word for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in GENERIC]
        if not words:
            return []
        return [
            bet
            for bet in self.by_slug.values()
            if all(
                word in bet.slug.split("-") or word.removesuffix("s") in bet.slug.split("-") for word in words
            )
        ]


GENERIC: Final = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "on",
        "for",
        "bet",
        "bets",
        "wager",
        "wagers",
        "side",
        "pay",
        "pays",
        "payout",
        "payouts",
        "table",
        "baccarat",
        "settlement",
        "shall",
        "be",
        "as",
        "follows",
        "wins",
        "win",
        "winning",
        "odds",
        "and",
        "or",
        "rules",
        "scenario",
        "hand",
        "hands",
        "main",
        "group",
        "additional",
        "optional",
        "other",
        "plus",
        "is",
        "are",
    ]
)


def spelled(name: str) -> str:
    """A name as a pattern, whatever its spaces and hyphens, its number as a word or a figure."""
    parts = re.split(r"[\s-]+", name)
    return r"[\s-]+".join(
        f"(?:{part}|{WORDS[part.lower()]})" if part.lower() in WORDS else re.escape(part) for part in parts
    )


def _short_names(name: str) -> tuple[str, ...]:
    """How drawings shorten it: `B PAIR`."""
    words = name.split()
    if len(words) > 1 and words[0] in ("Player", "Banker"):
        return (rf"{words[0][0]}[\s.]{{1,2}}{spelled(' '.join(words[1:]))}",)
    return ()


def _of_one_hand(when: Raw, name: str, *, shared: bool) -> Raw:
    """Of a definition for two bets, one of each hand, the condition of this one."""
    hand = next((hand for hand in ("player", "banker") if hand in name.lower().split()), None)
    if shared and hand is not None and when.get("pair") in ("either", "both"):
        return when | {"pair": hand}
    if shared and hand is not None and len(when.get("winner", ())) > 1:
        return when | {"winner": [hand]}
    return when


def definition_of(bet: BetRead) -> tuple[Raw | None, list[Definition]]:
    """What all definitions of a bet come to, and those that contradict the first."""
    when: Raw | None = None
    wrong: list[Definition] = []
    for definition in bet.definitions:
        if definition.left:
            continue
        if when is None:
            when = definition.when
        elif _key(definition.when) != _key(when):
            joint = both(when, definition.when)
            if joint is None or joint not in (when, definition.when):
                wrong.append(definition)
            else:
                wrong += [definition] if set(definition.when) == set(when) else []
                when = joint
    return (ON_HANDS.get(bet.slug) if when is None else when), wrong


def _key(when: Raw) -> str:
    return str(sorted(when.items()))
