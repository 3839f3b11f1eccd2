"""What wins a bet, from the words of a definition or of a pay line: a condition, or the words that are left."""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from thirdcard.reading.figures import numbers_in, with_digits
from thirdcard.rulebook.forms import Raw

LIST: Final = r"\d+(?:\s*(?:,\s*or|,\s*and|,|-|\bor\b|\band\b|\bto\b|\bthrough\b)\s*\d+)*"
ASIDE: Final = re.compile(
    r"\((?:for example|e\.g|such as|i\.e)[^()]*\)|\be\.g\.?[^()]{0,200}(?=\))|\bfor example\b.*$|\be\.g\..*$"
)
ELSE: Final = re.compile(
    r"(?:,|;|\band\b|\bbut\b)?\s*\b(?:with any other(?! (?:point )?(?:totals?|points?)\b)|(?:and )?(?:shall )?(?:loses?|lost)\b(?! to| against)|otherwise|in any other|any other (?:outcome|result|case))\b.*$"
)
QUOTES: Final = re.compile(r"[\"']")
# What a phrase may hold, the first that fits; each stands at its place in the text.
PATTERNS: Final = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("aside", r"as the case may be|at the end of (?:a|the) round(?: of play)?|in (?:a|the) round(?: of play)?|after (?:all|the) cards (?:have been|are) dealt|which is called a natural"),
        ("by_cards", r"(?:and )?(?:is )?(?:based|depending|according) (?:up)?on the (?:total )?number of cards(?: in (?:the )?(?:banker|player) hand and (?:the )?(?:banker|player) hand)?|(?:according|depending) to the (?:total )?number of cards"),
        ("other_total", r"on (?:any )?other (?:points?|totals?|point totals?)|(?:with )?any other (?:points?|totals?|point totals?)"),
        ("first_two", r"(?:initial|first) 2 cards(?: dealt)?(?: to| of| in)?"),
        ("same_suit", r"(?:of |in )?(?:the )?(?:same|identical|1) suits?|suited|same rank and suit|identical in rank and suit"),
        ("same_value", r"(?:have|has|are|is|being|of)?\s*(?:of )?(?:the )?(?:same|identical) (?:pair|value|rank|face cards?|denomination)s?(?: or (?:the )?(?:same|identical) (?:value|rank|face cards?))?"),
        ("tie", r"(?:have |has |having )?(?:the |an? )?(?:same|identical|equal) (?:point )?totals?(?: points?)?|(?:result(?:s|ing)? in |form |ends? in |ends? with |is |concludes? (?:on|with|in) )?(?:a )?tie[sd]?\b(?: hand)?"),
        ("margin", rf"by (?:a )?(?:winning )?(?:margin|difference)?(?: of)?\s*(?P<margin>{LIST})(?: points?)?(?P<margin_more> or more)?|(?:margin|difference) of (?P<margin2>{LIST})(?: points?)?"),
        ("cards", r"(?:(?:comprising|consisting of|containing|using|having|from|in|on|with|of|has|have)\s+)?(?:an? )?(?:either |exactly |only |a total of |any )?(?P<cards>\d(?:\s*(?:or|and|,|to|-)\s*\d)*)(?: |-)cards?\b(?: hand)?(?P<in_all> in all| in total| in both hands| altogether)?"),
        ("total", rf"(?:with |on |having |has |have |of |and |at )?(?:a )?(?:point total|total point value|total value|points? total|total|points?|point count|value)(?:l?ing)?(?: value)?(?: of| is| equals)?\s*(?P<total>{LIST})(?P<total_more> or (?:more|higher|above))?(?: points?)?"),
        ("total", rf"(?:with|on|of|has|having|at|is)\s+(?:a )?(?:score of |hand of )?(?P<total>{LIST})(?P<total_more> or (?:more|higher|above))?(?: points?)?(?: hand)?"),
        ("total", rf"(?P<total>{LIST})(?P<total_more> or (?:more|higher|above))?(?: |-)points?"),
        ("natural", r"(?:with |on |is |by )?(?:a )?naturals?\b(?: hand)?(?: of)?"),
        ("total", rf"of (?P<total>{LIST})(?: points?)?"),
        ("both", r"both\b(?: of)?(?: the)?"),
        ("either", r"either\b|at least 1\b|any\b"),
        ("each", r"each\b"),
        ("losing", r"\b(?:losing|other|opposing) hand"),
        ("player", r"(?:the )?(?:player|punto)(?:'s|s')?(?: hands?\b)?"),
        ("banker", r"(?:the )?(?:banker|banco|bank)(?:'s|s')?(?: hands?\b)?"),
        ("against", r"over|against|versus|vs\.?|than"),
        ("wins", r"wins?\b|won\b|winning(?: hand)?|beats?|defeats?|prevails?|higher (?:point )?totals?"),
        ("pair", r"(?:form(?:s|ing)?|is|has|have|having|are|of|with|be|being)?\s*(?:a )?pair(?:s|ed)?\b"),
        ("filler", r"(?:a|an|the|that|which|when|where|whereby|whenever|if|is|are|has|have|with|on|of|in|and|or|to|side|bets?|wagers?|placed|made|shall|will|it|its|this|means|refers|cards?|hands?|points?|cases?|event|only|round|play|game|result|outcome|comprising|form|forms|forming|for|at|by|as|being|dealt|namely|pays?|paid|such|who|then|all|total|settlement|settled|determined|conclusively|called|known)\b"),
    )
)  # fmt: skip
WORD: Final = re.compile(r"[a-z0-9']+|\S")
PUNCTUATION: Final = ",;:.()[]-*/"
LONGEST: Final = 800  # characters of a condition
WHICH_HAND: Final = "which hand"  # of a pair that no hand is named for
POINTS: Final = range(10)
MOST_IN_HAND: Final = 3


class Token(NamedTuple):
    """A part of a phrase: what kind of thing it says, and its figures."""

    kind: str
    text: str
    numbers: tuple[int, ...] = ()


class Condition(NamedTuple):
    """What was understood of a phrase: a condition as a book has it, and what it needs its neighbours for.

    `loser` are totals of the hand that loses, `rest` says that it is about the totals that other lines
    leave; `left` are words that were not understood.
    """

    when: Raw
    loser: tuple[int, ...] = ()
    rest: bool = False
    by_cards: bool = False
    left: tuple[str, ...] = ()

    @property
    def says_nothing(self) -> bool:
        return not self.when and not self.rest


def condition_of(phrase: str) -> Condition:
    """The condition that a phrase states.

    >>> condition_of("wins when the Banker Hand, comprising three cards, wins with a Point Total of 6").when
    {'winner': ['banker'], 'total': [6], 'cards': 3}
    >>> condition_of("wins when the dealer sneezes").left
    ('dealer', 'sneezes')
    """
    tokens = list(_tokens(phrase[:LONGEST]))
    when: Raw = {}
    tied = any(token.kind == "tie" for token in tokens)
    paired = any(token.kind == "pair" for token in tokens)
    same = any(token.kind == "same_value" for token in tokens)
    winners, losers, loser_totals = _hands(tokens)
    if paired or (same and not tied):
        when |= _pair(tokens)
    elif tied:
        when["winner"] = ["tie"]
    elif winners and any(token.kind == "wins" for token in tokens):
        when["winner"] = winners
    for field in ("total", "margin", "cards", "cards_in_all"):
        numbers = _numbers(tokens, field, loser_totals)
        if numbers:
            when[field] = numbers
    if "pair" in when and when.get("cards") == [2]:
        del when["cards"]
    if any(token.kind == "natural" for token in tokens):
        when |= _natural(when)
    left = _left(phrase, tokens, when)
    loser = loser_totals if losers or loser_totals else ()
    kinds = {token.kind for token in tokens}
    return Condition(_shortened(when), tuple(loser), "other_total" in kinds, "by_cards" in kinds, left)


def _left(phrase: str, tokens: list[Token], when: Raw) -> tuple[str, ...]:
    """What of a phrase was not understood."""
    left = [token.text for token in tokens if token.kind == "left"]
    if any(token.kind == "pair" for token in tokens) and "pair" not in when:
        left.append(WHICH_HAND)
    if len(phrase) > LONGEST:
        left.append("a very long sentence")
    if _several(tokens):
        left.append("more than one condition")
    return tuple(left)


def _several(tokens: list[Token]) -> bool:
    """Whether a phrase has several conditions in one, which no single one stands for."""
    kinds = [token.kind for token in tokens]
    wins, hand = 0, False
    for kind in kinds:
        if kind == "wins":
            wins, hand = wins + hand, False
        hand = hand or kind in ("player", "banker")
    return wins > 1 or (kinds.count("cards") > 1 and kinds.count("total") > 1)


def _tokens(phrase: str) -> Iterator[Token]:
    text = QUOTES.sub("", with_digits(phrase).lower())
    text = re.sub(r"\s+", " ", ELSE.sub("", ASIDE.sub("", text))).strip()
    at, before = 0, ""
    while at < len(text):
        if text[at] == " " or text[at] in PUNCTUATION:
            at += 1
            continue
        for kind, pattern in PATTERNS:
            found = pattern.match(text, at)
            if found is not None and found.end() > at and _at_word_end(text, found.end()):
                yield from _token(kind, found)
                at = found.end()
                break
        else:
            found = WORD.match(text, at)
            assert found is not None  # noqa: S101 - a word or a sign stands there
            points = found[0].isdigit() and len(found[0]) == 1 and before in ("cards", "natural", "tie")
            yield Token("total", found[0], (int(found[0]),)) if points else Token("left", found[0])
            kind, at = "left", found.end()
        before = kind


def _at_word_end(text: str, at: int) -> bool:
    return at >= len(text) or not (text[at].isalnum() and text[at - 1].isalnum())


def _token(kind: str, found: re.Match[str]) -> Iterator[Token]:
    groups = found.groupdict()
    if kind == "cards":
        numbers = tuple(numbers_in(groups["cards"]))
        in_all = groups["in_all"] or min(numbers) > MOST_IN_HAND
        yield Token("cards_in_all" if in_all else "cards", found[0], numbers)
    elif kind == "total":
        yield Token(kind, found[0], _with_more(groups["total"], groups.get("total_more")))
    elif kind == "margin":
        given = groups["margin"] or groups["margin2"] or ""
        yield Token(kind, found[0], _with_more(given, groups["margin_more"]))
    else:
        yield Token(kind, found[0])


def _with_more(given: str, more: str | None) -> tuple[int, ...]:
    numbers = numbers_in(given)
    return tuple(range(numbers[0], 10)) if more and numbers else tuple(numbers)


def _hands(tokens: list[Token]) -> tuple[list[str], list[str], tuple[int, ...]]:
    """The hands that win, those they win against, and totals that are said of the latter."""
    winners: list[str] = []
    losers: list[str] = []
    totals: tuple[int, ...] = ()
    against = won_on = False
    for token in tokens:
        if token.kind == "against" or (token.kind == "wins" and token.text.startswith(("beat", "defeat"))):
            against = True
        elif token.kind == "losing":
            against = True
            losers.append("losing")
        elif token.kind in ("player", "banker"):
            hands = losers if against else winners
            if token.kind not in hands:
                hands.append(token.kind)
        elif token.kind == "total":
            if against and losers and won_on:
                totals = token.numbers
            won_on = True
    return sorted(winners, reverse=True), losers, totals


def _numbers(tokens: list[Token], field: str, loser_totals: tuple[int, ...]) -> list[int]:
    """Figures of one kind that several parts of a phrase give."""
    numbers: list[int] = []
    for token in tokens:
        if token.kind == field and not (field == "total" and token.numbers == loser_totals):
            numbers += [number for number in token.numbers if number not in numbers]
    if field == "cards" and set(numbers) == {2, 3}:
        return []
    return sorted(numbers)


def _pair(tokens: list[Token]) -> Raw:
    """Which hands have to be pairs; `either` until it is known what other lines of the bet pay."""
    kinds = {token.kind for token in tokens}
    hands = kinds & {"player", "banker"}
    suits: Raw = {"pair_suits": ["same"]} if "same_suit" in kinds else {}
    if hands == {"player", "banker"}:
        if "same_value" in kinds and ("either" not in kinds):
            return {"pair": "twin"} | suits
        both = "either" not in kinds and ("both" in kinds or "each" in kinds)
        return {"pair": "both" if both else "either"} | suits
    if len(hands) == 1:
        return {"pair": hands.pop()} | suits
    if "both" in kinds or "each" in kinds:
        return {"pair": "twin" if "same_value" in kinds else "both"} | suits
    return {"pair": "either"} | suits if "either" in kinds else suits


def _natural(when: Raw) -> Raw:
    """A natural is 8 or 9 in two cards of the hand that wins."""
    given = when.get("total", [])
    return {"cards": [2], "total": list(given or (8, 9))}


def _shortened(when: Raw) -> Raw:
    """The same, one number instead of a list where the books have it so."""
    made: dict[str, Any] = {}
    for name in ("winner", "total", "cards", "cards_in_all", "margin", "pair", "pair_suits"):
        if name in when:
            value = when[name]
            short = (
                name in ("cards", "cards_in_all", "margin") and isinstance(value, list) and len(value) == 1
            )
            made[name] = value[0] if short else value
    return made


def both(first: Raw, second: Raw) -> Raw | None:
    """What holds where both conditions do, none where they contradict each other."""
    made = dict(first)
    for name, value in second.items():
        if name not in made or made[name] == value:
            made[name] = value
        elif name in ("winner", "total", "cards", "cards_in_all", "margin"):
            shared = [one for one in _listed(made[name]) if one in _listed(value)]
            if not shared:
                return None
            made[name] = shared
        elif name == "pair":
            narrower = _narrower(made[name], value)
            if narrower is None:
                return None
            made[name] = narrower
    return _shortened(made)


def _listed(value: object) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]


def _narrower(first: str, second: str) -> str | None:
    """Of two kinds of pairs the one that the other allows for."""
    for wide, narrow in ((first, second), (second, first)):
        if wide == "either" or (wide == "both" and narrow in ("double", "twin")):
            return narrow
    return None
