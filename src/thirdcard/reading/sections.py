"""What was read as the sections of a book, each value with the paragraphs that state it, and compared with books."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

import msgspec

from thirdcard.reading.model import OfferRead
from thirdcard.reading.reader import Reading, TierRead
from thirdcard.rulebook.conditions import When, matches
from thirdcard.rulebook.diff import plain
from thirdcard.rulebook.extending import entry_name
from thirdcard.rulebook.forms import Raw, canonical, convert
from thirdcard.rulebook.model import Rulebook, TableOfPlay
from thirdcard.rulebook.outcomes import every_outcome, looks_of

READ_SECTIONS: Final = (
    "document",
    "decks",
    "layouts",
    "table_of_play",
    "commission",
    "bets",
)  # whole; of others parts
INSURANCE_PARTS: Final = (
    "name",
    "offers",
    "stake_per_window",
    "winnings_per_round",
    "late_winnings",
    "long_odds",
)
READ_TERMS: Final = ("betting.opens", "betting.closes", "limits.displayed", "limits.wagers_per_area")
MOST_OUTCOMES: Final = 20_000


def raw_of(book: Rulebook) -> Raw:
    """A book's values as its file has them."""
    made: Raw = msgspec.json.decode(canonical(book))
    return made


def sections_of(reading: Reading, base: Rulebook) -> Raw:
    """What was read, as a book has it; names of tiers and the form of conditions are those of `base`."""
    return _Sections(reading, base).made()


class _Sections:
    def __init__(self, reading: Reading, base: Rulebook) -> None:
        self.reading, self.base = reading, base
        self.below = raw_of(base)
        self.numbers = set(reading.paragraphs)
        self.same_numbers = set(base.paragraphs) == self.numbers

    def made(self) -> Raw:
        """The sections that were read, none for what was not."""
        reading = self.reading
        made: Raw = {"document": self._document()}
        decks = reading.values.get("decks")
        if decks:
            low, _, high = decks.value.partition(" to ")
            made["decks"] = {
                "min": int(low),
                "max": int(high),
                "rules": self._rules("decks", [decks.place.paragraph]),
            }
        made["bets"] = self._bets()
        made["layouts"] = self._layouts(made["bets"])
        rate = reading.values.get("commission.rate")
        if rate:
            shown = _same_share(rate.value, self.below.get("commission", {}).get("rate"))
            made["commission"] = {"rate": shown, "rules": self._rules("commission", [rate.place.paragraph])}
        if reading.table_of_play:
            rules = sorted({place.paragraph for place in reading.table_places.values()}, key=_by_number)
            made["table_of_play"] = reading.table_of_play | {"rules": self._rules("table_of_play", rules)}
        if reading.offers:
            made["insurance"] = self._insurance()
        for key in READ_TERMS:
            self._term(made, key)
        return made

    def _rules(self, key: str, read: Sequence[str]) -> list[str]:
        """The paragraphs that were read; those of the base where it has the same numbers and cites these too."""
        before = _at(self.below, key)
        given = before.get("rules", []) if isinstance(before, dict) else []
        kept = list(dict.fromkeys(rule for rule in read if rule))
        if self.same_numbers and {*kept} <= {*given}:
            return list(given)
        return kept

    def _document(self) -> Raw:
        values = self.reading.values
        made: Raw = {}
        for name in ("title", "operator", "version", "effective"):
            read = values.get(f"document.{name}")
            if read is not None:
                made[name] = int(read.value) if name == "version" else read.value
        title = str(made.get("title", "")).casefold()
        texts = self.reading.texts
        naming = [
            number for number in self.reading.paragraphs if title and title in texts[number][1].casefold()
        ]
        own = [one for one in naming if not any(other.startswith(f"{one}.") for other in naming)]
        at = [one for one in own if one not in self.reading.terms] or [
            one.paragraph for one in self.reading.layouts_at
        ]
        return made | {"rules": self._rules("document", at[:1])}

    # --- bets

    def _bets(self) -> Raw:
        order = {name: number for number, name in enumerate(self.base.bets)}
        slugs = [slug for slug, tiers in self.reading.tiers.items() if tiers]
        return {slug: self._bet(slug) for slug in sorted(slugs, key=lambda slug: order.get(slug, len(order)))}

    def _bet(self, slug: str) -> Raw:
        bet = self.reading.bets[slug]
        said = [definition.place.paragraph.partition("(")[0] for definition in bet.definitions]
        if not said and bet.listed:
            said = [bet.listed.paragraph]
        if slug in ("player", "banker") and self.same_numbers and slug in self.base.bets:
            said = list(self.base.bets[slug].rules)
        made: Raw = {
            "name": bet.name,
            "rules": self._rules(f"bets.{slug}", said or [bet.lines[0].place.paragraph]),
        }
        if bet.push is not None:
            made["push"] = {
                "when": {"winner": ["tie"]},
                "rules": self._rules(f"bets.{slug}.push", [bet.push.paragraph]),
            }
        layouts = bet.layouts_at.paragraph if bet.layouts_at else ""
        if bet.layouts is not None:
            made["layouts"] = {"value": list(bet.layouts), "rules": [layouts]}
        made["pays"] = [self._tier(slug, tier, layouts) for tier in self.reading.tiers[slug]]
        return made

    def _tier(self, slug: str, tier: TierRead, layouts: str) -> Raw:
        known = next(
            (
                (number, one)
                for number, one in enumerate(self.base.bets[slug].pays if slug in self.base.bets else ())
                if tier.when is not None
                and same_condition(when_of(tier.when), one.when, self.base.table_of_play)
            ),
            None,
        )
        read = list(dict.fromkeys(number for number in (tier.line.place.paragraph, layouts) if number))
        if known is None:
            made: Raw = {"tier": tier.name} | ({"when": tier.when} if tier.when is not None else {})
            return made | {"odds": str(tier.line.odds), "rules": read}
        number, one = known
        below = self.below["bets"][slug]["pays"][number]
        odds = str(one.odds) if one.odds == tier.line.odds else str(tier.line.odds)
        given = below.get("rules", [])
        rules = given if self.same_numbers and {*read} <= {*given} else read
        return {"tier": one.tier, "when": below["when"], "odds": odds, "rules": list(rules)}

    # --- layouts

    def _layouts(self, bets: Raw) -> Raw:
        order = list(self.base.bets)
        names = sorted(bets, key=lambda name: order.index(name) if name in order else len(order))
        made: Raw = {}
        for letter, layout in self.reading.layouts.items():
            offered = [
                name for name in names if letter in bets[name].get("layouts", {}).get("value", (letter,))
            ]
            naming = sorted(
                {rule for name in offered for rule in bets[name].get("layouts", {}).get("rules", ())},
                key=_by_number,
            )
            entry: Raw = {"name": layout.name} if layout.name else {}
            if layout.positions is not None:
                entry["positions"] = list(layout.positions)
            made[letter] = entry | {"bets": offered, "rules": list(dict.fromkeys((*self._shared(), *naming)))}
        return made

    def _shared(self) -> list[str]:
        """The paragraphs that every layout rests on."""
        read = list(dict.fromkeys(place.paragraph for place in self.reading.layouts_at if place.paragraph))
        named = {rule for bet in self.base.bets.values() if bet.layouts for rule in bet.layouts.rules}
        given = [rule for layout in self.base.layouts.values() for rule in layout.rules if rule not in named]
        return list(dict.fromkeys(given)) if self.same_numbers and {*read} <= {*given} else read

    # --- insurance, limits

    def _insurance(self) -> Raw:
        reading = self.reading
        made: Raw = {"name": reading.insurance_name.value if reading.insurance_name else "Insurance"}
        for name, read in reading.caps.items():
            made[name] = {
                "value": read.value,
                "rules": self._rules(f"insurance.{name}", [read.place.paragraph]),
            }
        if reading.long_odds:
            odds, share, place = reading.long_odds
            made["long_odds"] = {"odds": odds, "of_maximum": share, "rules": [place.paragraph]}
        made["offers"] = [self._offer(offer) for offer in reading.offers]
        return made

    @staticmethod
    def _offer(offer: OfferRead) -> Raw:
        made: Raw = {
            "hand": offer.hand,
            "window": offer.window,
            "player": offer.player,
            "banker": offer.banker,
        }
        made |= {"odds": str(offer.odds), "rules": [offer.place.paragraph]}
        if offer.tie_paid:
            made["tie_paid"] = {"rules": [place.paragraph for place in offer.tie_paid]}
        return made

    def _term(self, made: Raw, key: str) -> None:
        read = self.reading.values.get(key)
        if read is None:
            return
        section, _, name = key.partition(".")
        value: object = read.value
        if name == "displayed":
            value = read.value.split(", ")
        elif name == "wagers_per_area":
            value = int(read.value)
        before = _at(self.below, key)
        given = before.get("rules", []) if isinstance(before, dict) else []
        calls = self.reading.calls.get(key, [read.place.paragraph])
        rules = list(given) if self.same_numbers and {*given} & {*calls} else [_call(calls, self.reading)]
        if isinstance(before, dict) and str(before.get("value")).casefold() == str(value).casefold():
            value = before["value"]
        made.setdefault(section, {})[name] = {"value": value, "rules": rules}


def _call(calls: list[str], reading: Reading) -> str:
    """Of the paragraphs that have a call the one that orders it, which is no definition."""
    return next((number for number in calls if number not in reading.terms), calls[0])


def _at(raw: Raw, key: str) -> Any:  # noqa: ANN401 - any value of a file
    value: Any = raw
    for part in key.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _same_share(read: str, given: str | None) -> str:
    """The form of the base where it is the same share."""
    return given if given is not None and Fraction(given) == Fraction(read) else read


def _by_number(paragraph: str) -> tuple[int, ...]:
    return tuple(int(part) for part in paragraph.partition("(")[0].split("."))


# --- conditions that come to the same ---------------------------------------------------------------------


def when_of(raw: Raw) -> When:
    """A condition as books have it."""
    made: When = convert(raw, When)
    return made


def same_condition(first: When, second: When, table: TableOfPlay) -> bool:
    """Whether both hold for the same rounds."""
    if first == second or plain_when(first) == plain_when(second):
        return True
    return _same_rounds(first, second, _Table.of(table))


def plain_when(when: When) -> tuple[object, ...]:
    """A condition without the order in which it names things."""
    return (
        frozenset(when.winner),
        *(frozenset(getattr(when, name)) for name in ("total", "cards", "cards_in_all", "margin", "sum")),
        when.pair,
        frozenset(when.pair_suits),
        *(getattr(when, name) for name in ("winning", "losing", "player", "banker")),
    )


class _Table(msgspec.Struct, frozen=True):
    """A Table of Play by value, so that what follows from it is kept."""

    natural: tuple[int, ...]
    player: tuple[int, ...]
    alone: tuple[int, ...]
    banker: tuple[tuple[int, tuple[int, ...]], ...]

    @classmethod
    def of(cls, table: TableOfPlay) -> "_Table":
        return cls(
            table.natural,
            table.player_draws,
            table.banker_draws_if_player_stands,
            tuple(table.banker_draws.items()),
        )

    @property
    def table(self) -> TableOfPlay:
        return _table(self)


@lru_cache(maxsize=16)
def _table(key: _Table) -> TableOfPlay:
    return TableOfPlay(
        natural=key.natural,
        player_draws=key.player,
        banker_draws_if_player_stands=key.alone,
        banker_draws=dict(key.banker),
    )


@lru_cache(maxsize=1024)
def _same_rounds(first: When, second: When, key: _Table) -> bool:
    dealt = every_outcome(key.table, looks_of((first, second)))
    return all(matches(first, one.outcome) == matches(second, one.outcome) for one in dealt[:MOST_OUTCOMES])


# --- values side by side ----------------------------------------------------------------------------------


def leaves(value: Any, key: str = "") -> Iterator[tuple[str, str]]:  # noqa: ANN401 - any values of a file
    """Every value below a key, without the paragraphs."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name != "rules":
                yield from leaves(inner, key if name == "value" else f"{key}.{name}".lstrip("."))
    elif isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        for number, one in enumerate(value):
            yield from leaves(one, f"{key}.{entry_name(one) or number}")
    elif isinstance(value, list):
        yield key, ", ".join(map(str, value))
    else:
        yield key, str(value)


def nearest_book(reading: Reading, books: Iterable[Rulebook]) -> tuple[Rulebook, int, int]:
    """The book that shares the most values with what was read, how many, and of how many."""
    counted = []
    for book in books:
        read = dict(leaves(_told(sections_of(reading, book))))
        known = dict(leaves(_told(plain(book))))
        shared = sum(known.get(key) == value for key, value in read.items())
        missing = sum(key not in read for key in known if key.partition(".")[0] in READ_SECTIONS)
        counted.append((shared - missing, (book, shared, len(read))))
    return max(counted, key=lambda one: one[0])[1]


def _told(raw: Raw) -> Raw:
    """The values that tell one game from another."""
    return {name: value for name, value in raw.items() if name in (*READ_SECTIONS, "insurance")}
