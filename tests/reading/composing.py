"""Writes the rules document of a book in words of our own, in many forms: what a reader has to read back.

Paragraphs have the numbers of the book. Those that state values say them in sentences and tables made from
the values; the others are the summaries of the trace. No sentence is taken from any house's document.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from thirdcard.reading.sections import raw_of
from thirdcard.rulebook.forms import Raw
from thirdcard.rulebook.model import Rulebook
from thirdcard.rulebook.trace import trace

Tables: TypeAlias = Literal["tabs", "pipes", "columns", "boxed"]
COUNT: Final = {
    2: "two",
    3: "three",
    4: "four",
    5: "five",
    6: "six",
    7: "seven",
    8: "eight",
    9: "nine",
    10: "ten",
}
CURLY: Final = str.maketrans({"'": "’"})
LIGATURES: Final = {"ffi": "ﬃ", "fi": "ﬁ", "fl": "ﬂ", "ff": "ﬀ"}
LOOK_ALIKE: Final = str.maketrans("AaeopcX", "АаеорсХ")
CHAPTERS: Final = (
    "Words",
    "Table and Cards",
    "Course of the Game",
    "Payment",
    "Irregularities",
    "Other Matters",
)
PAGE: Final = 38  # lines
PAIRS: Final = {
    "one": "just one hand",
    "both": "both hands",
    "double": "both hands",
    "twin": "both hands, of the same value",
    "either": "either hand or both",
}


class Style(NamedTuple):
    """How a document is set."""

    tables: Tables = "tabs"
    label: str = "{}"  # of a paragraph's number
    bullets: bool = False
    bold: bool = False
    quotes: Literal["straight", "curly", "none"] = "straight"
    ligatures: bool = False
    look_alikes: bool = False
    pages: bool = False
    odds: str = "{} to {}"
    words: bool = False  # numbers as words in sentences
    width: int = 0  # where lines end; 0 for one line for each paragraph


STYLES: Final = {
    "plain": Style(),
    "pipes": Style(tables="pipes", bullets=True, bold=True, quotes="curly"),
    "columns": Style(tables="columns", pages=True, width=84, label="{}."),
    "ruled": Style(tables="boxed", label="Rule {}", quotes="none", odds="{}:{}"),
    "printed": Style(
        ligatures=True, look_alikes=True, quotes="curly", pages=True, width=96, words=True, label="{})"
    ),
}


def compose(book: Rulebook, style: Style = STYLES["plain"], raw: Raw | None = None) -> str:
    """The text of the document that this book would be made of; `raw` has other values for it."""
    return _Composer(book, raw or raw_of(book), style).text()


class _Composer:
    def __init__(self, book: Rulebook, raw: Raw, style: Style) -> None:
        self.book, self.raw, self.style = book, raw, style
        self.said: dict[str, list[str]] = {}
        self.tables: dict[str, list[str]] = {}
        self.items: dict[str, list[tuple[str, str]]] = {}
        self.free = [one for one in book.paragraphs if one.startswith("3.") and one.count(".") == 1]

    def text(self) -> str:
        for part in (
            self._document,
            self._bets,
            self._pays,
            self._table_of_play,
            self._insurance,
            self._terms,
        ):
            part()
        lines = [*self._front(), *self._body(), *self._drawings()]
        text = "\n".join(self._on_pages(lines) if self.style.pages else lines) + "\n"
        return self._set(text)

    def _say(self, paragraph: str, sentence: str) -> None:
        self.said.setdefault(paragraph, []).append(sentence)

    def _quoted(self, name: str) -> str:
        return {"none": name, "curly": f"“{name}”", "straight": f'"{name}"'}[self.style.quotes]

    # --- the first page, layouts, decks

    def _front(self) -> Iterator[str]:
        document = self.raw["document"]
        yield from (
            document["title"].upper(),
            "",
            f"({document['operator']})",
            "Game Rules",
            f"Version {document['version']}",
            "",
        )
        year, month, day = document["effective"][:10].split("-")
        month = [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ][int(month) - 1]
        clock = document["effective"][11:].replace(":", "")
        yield f"w.e.f. {int(day)} {month} {year}" + (f", {clock} hours" if clock else "")
        yield from (
            "",
            "Contents",
            *(f"{number}. {title} ........ {number + 2}" for number, title in enumerate(CHAPTERS, 1)),
            "",
        )

    def _document(self) -> None:
        raw = self.raw
        self._say(raw["document"]["rules"][0], f"{raw['document']['title']} is dealt at tables of the house.")
        low, high = raw["decks"]["min"], raw["decks"]["max"]
        self._say(
            raw["decks"]["rules"][0],
            f"For play the dealer uses {self._count(low)} to {self._count(high)} decks, 52 cards in each.",
        )
        letters = list(raw["layouts"])
        named = {rule for bet in raw["bets"].values() if "layouts" in bet for rule in bet["layouts"]["rules"]}
        at = next(rule for layout in raw["layouts"].values() for rule in layout["rules"] if rule not in named)
        self._say(at, f"The layout is one of those in {_appendices(letters)}.")

    def _drawings(self) -> Iterator[str]:
        for letter, layout in self.raw["layouts"].items():
            low, high = layout["positions"]
            if "name" in layout:
                yield from ("", f"Appendix {letter} - {layout['name']} ({high} Players)")
            else:
                yield from ("", f"Appendix {letter} - a table with {low} to {high} playing positions")

    def _count(self, number: int) -> str:
        return COUNT.get(number, str(number)) if self.style.words else str(number)

    # --- bets

    def _bets(self) -> None:
        bets = self.raw["bets"]
        names = [
            self._quoted(bet["name"]) if self.style.quotes != "none" else bet["name"] for bet in bets.values()
        ]
        cited = {
            rule for name in ("push", "rules") for bet in bets.values() for rule in _rules(bet.get(name, []))
        }
        self.free = [one for one in self.free if one not in cited and not self._is_cited(one)]
        self._say(self.free.pop(0), f"The available bets are {_and(names)}.")
        for slug, bet in bets.items():
            if slug not in ("player", "banker"):
                self._define(bet)
            elif "push" in bet:
                at = bet["push"]["rules"][0]
                if at not in self.said:
                    self._say(at, "In a tie, bets on the Player Hand and the Banker Hand are returned.")

    def _is_cited(self, paragraph: str) -> bool:
        return f"'{paragraph}'" in str(
            {name: value for name, value in self.raw.items() if name != "paragraphs"}
        )

    def _define(self, bet: Raw) -> None:
        whens = [tier["when"] for tier in bet["pays"]]
        at = bet["rules"][0]
        if any("pair" in when for when in whens):
            self._define_pair(bet, at, whens)
            return
        told = _together(whens)
        by_cards = (
            ", according to the number of cards" if any("cards_in_all" in when for when in whens) else ""
        )
        self._say(
            at,
            f"{self._named(bet['name'])} refers to a bet that wins when {self._wins(told)}{by_cards}, and loses otherwise.",
        )
        below = [one for one in self.book.paragraphs if one.startswith(f"{at}.")]
        for one in below:
            self._say(one, "See the paragraph above.")

    def _named(self, name: str) -> str:
        if self.style.bold:
            return f"**{name}**"
        return self._quoted(name)

    def _define_pair(self, bet: Raw, at: str, whens: list[Raw]) -> None:
        name = bet["name"]
        if len(whens) == 1 and whens[0]["pair"] in ("player", "banker"):
            hand = whens[0]["pair"].capitalize()
            sentence = f"{self._named(name)} refers to a bet that wins when the first two cards of the {hand} Hand form a pair."
            others = self.said.get(at)
            if others:
                self.items.setdefault(at, []).append(("", sentence))
            else:
                self._say(at, sentence)
            return
        self._say(
            at,
            f"{self._named(name)} refers to a bet that wins when the first two cards of either the Player Hand or the Banker Hand or both form a pair.",
        )
        told = {
            "one": "either the Player Hand or the Banker Hand having a pair",
            "double": "both the Player Hand and the Banker Hand having a pair",
            "twin": "both the Player Hand and the Banker Hand having a pair of the same value",
        }
        for tier in bet["pays"]:
            own = [rule for rule in tier["rules"] if rule.startswith("1.")]
            sentence = f"{self._named(tier['tier'].capitalize() + ' ' + name)} refers to {told[tier['when']['pair']]}."
            if own:
                self._say(own[0], sentence)
            else:
                self.items.setdefault(at, []).append(("", sentence))

    def _wins(self, when: Raw) -> str:
        """A condition as a sentence has it."""
        if when.get("winner") == ["tie"]:
            total = f" of {_or(when['total'])}" if "total" in when else ""
            return f"the Player Hand and the Banker Hand have the same point total{total}"
        hands = " or ".join(
            f"the {hand.capitalize()} Hand" for hand in when.get("winner", ["player", "banker"])
        )
        told = f"{hands} wins"
        if "margin" in when:
            told += f" by {_or(when['margin'])} points" if _listed(when["margin"]) != [1] else " by 1 point"
        if "total" in when:
            told += f" with a point total of {_or(when['total'])}"
        if "cards" in when:
            told += f" in {self._count(int(when['cards']))} cards"
        return told

    # --- pay tables

    def _pays(self) -> None:
        by_paragraph: dict[str, list[tuple[Raw, Raw]]] = {}
        for bet in self.raw["bets"].values():
            for tier in bet["pays"]:
                by_paragraph.setdefault(_paying(tier, bet), []).append((bet, tier))
        for paragraph, tiers in by_paragraph.items():
            bets = {bet["name"]: bet for bet, _ in tiers}
            layouts = next((bet["layouts"]["value"] for bet in bets.values() if "layouts" in bet), None)
            sentence = f"Winning bets on {_and(list(bets))} are paid as the table says"
            sentence += f", on tables with the layout in {_appendices(layouts)}." if layouts else "."
            self._say(paragraph, sentence)
            rows = [("Bet", "Pays")] + [
                (self._label(bet, tier), self._odds(tier["odds"])) for bet, tier in tiers
            ]
            self.tables.setdefault(paragraph, []).extend(self._table(rows))
        if "commission" in self.raw:
            rate = self.raw["commission"]["rate"]
            percent = 100 * int(rate.partition("/")[0]) / int(rate.partition("/")[2])
            self._say(
                self.raw["commission"]["rules"][0],
                f"The house keeps a commission of {percent:g}% of what Banker wins.",
            )

    def _label(self, bet: Raw, tier: Raw) -> str:
        when, name = tier["when"], bet["name"]
        if len(bet["pays"]) == 1:
            return f"{name} wins"
        if "pair" in when:
            return f"{tier['tier'].capitalize()} {name}"
        if name == "Banker":
            others = {
                total for one in bet["pays"] if one is not tier for total in one["when"].get("total", ())
            }
            rest = len(when.get("total", ())) > 4 and not {*when["total"]} & others
            return "Banker wins on other points" if rest else f"Banker wins on {_or(when['total'])} points"
        if "cards_in_all" in when:
            return f"{name} with {when['cards_in_all']} cards in all"
        return f"{name} when {self._wins(when).replace('the ', '').replace(' Hand', '')}"

    def _odds(self, odds: str) -> str:
        first, _, second = odds.partition(" to ")
        return self.style.odds.format(first, second)

    def _table(self, rows: Sequence[Sequence[str]]) -> list[str]:
        if self.style.tables == "tabs":
            return ["\t".join(row) for row in rows]
        if self.style.tables == "pipes":
            lines = ["| " + " | ".join(row) + " |" for row in rows]
            return [lines[0], "|" + "---|" * len(rows[0]), *lines[1:]]
        widths = [max(len(row[column]) for row in rows) + 3 for column in range(len(rows[0]))]
        lines = [
            "".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        ]
        if self.style.tables == "columns":
            return lines
        rule = "-" * sum(widths)
        return [rule, lines[0], rule, *lines[1:], rule]

    def _row(self, cells: Sequence[str]) -> str:
        """A line of a table by itself."""
        return next(line for line in self._table([cells]) if not line.startswith("-"))

    # --- the Table of Play

    def _table_of_play(self) -> None:
        table = self.raw["table_of_play"]
        at = table["rules"][-1]
        self._say(at, "Third cards follow the Table of Play:")
        rows: list[tuple[str, str, str]] = [("Player's two cards have", "Player", "")]
        rows.append((_dashed(table["player_draws"]), "draws a card", ""))
        standing = [total for total in range(10) if total not in (*table["player_draws"], *table["natural"])]
        rows += [
            (_dashed(standing), "stands", ""),
            (_dashed(table["natural"]), "natural: neither hand draws", ""),
        ]
        rows.append(
            ("Banker's two cards have", "Banker draws when Player's third card is", "and stands when it is")
        )
        for total, draws in table["banker_draws"].items():
            if len(draws) == 10:
                rows.append((total, "Banker draws a card", ""))
            elif not draws:
                rows.append((total, "Banker stands", ""))
            else:
                stands = [card for card in range(10) if card not in draws]
                rows.append((total, _dashed(draws), _dashed(stands)))
        self.tables.setdefault(at, []).extend(self._table(rows))
        alone = table["banker_draws_if_player_stands"]
        sentence = f"If the Player Hand stands on its two cards, the Banker Hand draws on {_or(alone)}."
        self._say(table["rules"][0], sentence) if len(table["rules"]) > 1 else self.tables[at].append(
            sentence
        )

    # --- insurance

    def _insurance(self) -> None:  # noqa: C901 - a sentence for each value
        insurance = self.raw.get("insurance")
        if insurance is None:
            return
        at = insurance["offers"][0]["rules"][0]
        self._say(at, f"Baccarat {insurance['name']} Pay Table")
        lines: list[str] = []
        before = None
        for offer in insurance["offers"]:
            moment = (offer["hand"], offer["window"])
            if moment != before:
                when = (
                    "After four cards are open" if offer["window"] == 1 else "After the Player's third card"
                )
                lines += [
                    f"{when}: {offer['hand'].capitalize()} Insurance",
                    self._row(("Player Points", "Banker Points", "Odds")),
                ]
                before = moment
            mark = "*" if "tie_paid" in offer else ""
            lines.append(self._row((offer["player"] + mark, offer["banker"], self._odds(offer["odds"]))))
        self.tables.setdefault(at, []).extend(lines)
        for name in ("stake_per_window", "winnings_per_round"):
            if name in insurance:
                what = "bet on insurance" if name == "stake_per_window" else "payout of insurance"
                self._say(
                    insurance[name]["rules"][0],
                    f"The total {what} shall not exceed {_share(insurance[name]['value'])}the Original Bet.",
                )
        if "long_odds" in insurance:
            long_odds = insurance["long_odds"]
            share = 100 / int(long_odds["of_maximum"].partition("/")[2])
            self._say(
                long_odds["rules"][0],
                f"Insurance at {self._odds(long_odds['odds'])} shall not exceed {share:g}% of the maximum limit.",
            )
        if "late_winnings" in insurance:
            self._say(
                insurance["late_winnings"]["rules"][0],
                "Where the dealer neglected to offer it, insurance is offered late, and its total payout shall not exceed "
                f"{_share(insurance['late_winnings']['value'])}the Original Bet.",
            )
        for offer in insurance["offers"]:
            for rule in offer.get("tie_paid", {}).get("rules", ()):
                told = (
                    f"{offer['hand'].capitalize()} Insurance with the Player Hand of {offer['player']} points is paid "
                    "also where the round ends in a tie."
                )
                paragraph, _, letter = rule.partition("(")
                if letter:
                    self.items.setdefault(paragraph, []).append((f"({letter}", told))
                else:
                    self._say(paragraph, told)

    # --- calls and limits

    def _terms(self) -> None:
        betting, limits = self.raw["betting"], self.raw["limits"]
        self._say(
            betting["opens"]["rules"][0],
            f'Bets are taken once the dealer announces "{betting["opens"]["value"]}".',
        )
        self._say(
            betting["closes"]["rules"][0],
            f'Bets end when the dealer announces "{betting["closes"]["value"]}".',
        )
        shown = limits["displayed"]
        self._say(shown["rules"][0], f"The {_and(shown['value'])} limits of the table shall be displayed.")
        if "wagers_per_area" in limits:
            count = limits["wagers_per_area"]["value"]
            self._say(
                limits["wagers_per_area"]["rules"][0],
                f"A maximum of {self._count(count)} bets per playing area is taken.",
            )

    # --- the text

    def _body(self) -> Iterator[str]:
        summaries = {topic.paragraph: topic.summary for topic in trace() if topic.slug == self.book.slug}
        chapter = ""
        for paragraph in self.book.paragraphs:
            if paragraph.partition(".")[0] != chapter:
                chapter = paragraph.partition(".")[0]
                yield from ("", f"{chapter}. {CHAPTERS[int(chapter) - 1]}", "")
            told = " ".join(self.said.get(paragraph, ())) or summaries.get(paragraph, "Nothing more.")
            yield from self._wrapped(
                f"{'- ' if self.style.bullets else ''}{self.style.label.format(paragraph)} {told}"
            )
            if paragraph in self.tables:
                yield from ("", *self.tables[paragraph], "")
            for letter, item in self.items.get(paragraph, ()):
                yield from self._wrapped(f"{letter} {item}".strip())

    def _wrapped(self, text: str) -> Iterator[str]:
        width = self.style.width
        while width and len(text) > width:
            at = text.rfind(" ", 0, width)
            yield text[:at]
            text = text[at + 1 :]
        yield text

    def _on_pages(self, lines: list[str]) -> Iterator[str]:
        """Pages with a head and a foot, wherever they end."""
        for number, at in enumerate(range(0, len(lines), PAGE), 1):
            head = f"{self.raw['document']['title']} - Game Rules"
            page = [head, "", *lines[at : at + PAGE], "", f"Page {number} of {len(lines) // PAGE + 1}"]
            yield from (page if number == 1 else [f"\f{page[0]}", *page[1:]])

    def _set(self, text: str) -> str:
        if self.style.quotes == "curly":
            text = text.translate(CURLY)
        if self.style.look_alikes:
            text = re.sub(r"\bAppendi", lambda found: found[0].translate(LOOK_ALIKE), text)
        if self.style.ligatures:
            for letters, sign in LIGATURES.items():
                text = text.replace(letters, sign)
            assert unicodedata.normalize("NFKC", text) != text
        return text


def _paying(tier: Raw, bet: Raw) -> str:
    """The paragraph of the pay table: that of the layouts, else the last that the line cites."""
    return str(bet["layouts"]["rules"][0] if "layouts" in bet else tier["rules"][-1])


def _rules(value: Any) -> list[str]:  # noqa: ANN401 - rules, or something that has them
    return value if isinstance(value, list) else value.get("rules", [])


def _together(whens: list[Raw]) -> Raw:
    """What several conditions have in common, their totals together."""
    made = {name: value for name, value in whens[0].items() if all(when.get(name) == value for when in whens)}
    totals = sorted({total for when in whens for total in when.get("total", ())})
    made.pop("cards_in_all", None)
    return made | ({"total": totals} if totals else {})


def _listed(value: object) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]


def _or(value: object) -> str:
    *first, last = map(str, _listed(value))
    return f"{', '.join(first)} or {last}" if first else last


def _and(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _dashed(numbers: Sequence[int]) -> str:
    if len(numbers) > 2 and all(second == first + 1 for first, second in pairwise(numbers)):
        return f"{numbers[0]}-{numbers[-1]}"
    return ", ".join(map(str, numbers))


def _appendices(letters: Sequence[str]) -> str:
    return f"Appendix {letters[0]}" if len(letters) == 1 else f"Appendices {_and(letters)}"


def _share(value: str) -> str:
    if value == "1":
        return ""
    first, _, second = value.partition("/")
    return f"{100 * int(first) / int(second or 1):g}% of "
