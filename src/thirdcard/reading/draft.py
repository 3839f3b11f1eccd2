"""A draft of a book from what was read: it extends the nearest book, and marks all that a person has to confirm."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from thirdcard.reading.bets import slug_of
from thirdcard.reading.model import Place
from thirdcard.reading.reader import Reading
from thirdcard.reading.sections import INSURANCE_PARTS, leaves, nearest_book, raw_of, sections_of
from thirdcard.reading.subjects import aligned, nearest_procedure
from thirdcard.rulebook import digest_of, load, slugs
from thirdcard.rulebook.extending import entry_name
from thirdcard.rulebook.faults import LONGEST_NAME, UNPRINTABLE, citations
from thirdcard.rulebook.forms import Raw
from thirdcard.rulebook.load import check
from thirdcard.rulebook.model import Rulebook
from thirdcard.rulebook.writing import toml_value

INHERITED: Final = (
    "ranks", "authority", "limits", "betting", "cut_card", "void", "dealing", "squeeze", "discretions", "notices",
)  # fmt: skip
ABOUT_INSURANCE: Final = ("tie", "forgone", "waived", "private", "neglected")
MOST_TOLD: Final = 4  # values in one reason
LONGEST_REASON: Final = 300
OPEN_LIST: Final = 100  # characters of a list on one line


class ToDecide(msgspec.Struct, frozen=True, kw_only=True):
    """What a person has to decide or confirm before the draft is a book: its key and why."""

    key: str
    paragraph: str
    line: int
    why: str
    nearest: str = ""  # of an irregularity, the procedure that is most like it


class Changed(msgspec.Struct, frozen=True, kw_only=True):
    """A value that differs from the nearest book; nothing where one of the two does not have it."""

    key: str
    before: str
    after: str
    paragraph: str
    line: int


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """The text of a draft, the book that it extends, and what is open."""

    text: str
    slug: str
    nearest: str
    nearest_digest: str
    shared: int
    compared: int
    changed: tuple[Changed, ...]
    to_decide: tuple[ToDecide, ...]


def draft_of(reading: Reading, slug: str = "", books: Sequence[Rulebook] = ()) -> Draft:
    """A draft of what was read; `books` are those it may extend, all that there are if none is given."""
    books = books or [load(one) for one in slugs()]
    base, shared, compared = nearest_book(reading, books)
    return _Drafter(reading, base, slug or slug_for(reading), books).draft(shared, compared)


def slug_for(reading: Reading) -> str:
    """A slug of operator, title and version that no book has."""
    values = reading.values
    parts = [values[key].value for key in ("document.operator", "document.title") if key in values]
    version = values.get("document.version")
    end = f"-v{version.value}" if version else ""
    name = (slug_of(" ".join(parts)) or "draft")[: LONGEST_NAME - len(end) - 6].strip("-") + end
    return f"{name}-draft" if name in slugs() else name


class _Drafter:
    """Puts the sections that were read over a book, and lists what is not certain."""

    def __init__(self, reading: Reading, base: Rulebook, slug: str, books: Sequence[Rulebook]) -> None:
        self.reading, self.base, self.slug = reading, base, slug
        self.below = raw_of(base)
        self.read = sections_of(reading, base)
        self.places = {
            statement.key: Place(statement.paragraph, statement.line) for statement in reading.read
        }
        self.texts = {number: reading.texts[number][1] for number in reading.paragraphs}
        self.numbers = aligned(base, self.texts)
        self.same_numbers = set(base.paragraphs) == set(reading.paragraphs)
        self._insure([book for book in books if book.insurance])

    def _insure(self, insured: Sequence[Rulebook]) -> None:
        """What is said of insurance without figures, from the nearest book that has insurance if the base has none."""
        if "insurance" not in self.read or "insurance" in self.below or not insured:
            return
        donor = nearest_book(self.reading, insured)[0]
        numbers = aligned(donor, self.texts)
        for name in (*ABOUT_INSURANCE, "rules"):
            rules = (
                getattr(donor.insurance, name) if name == "rules" else getattr(donor.insurance, name).rules
            )
            there = list(
                dict.fromkeys(found for rule in rules if (found := numbers.get(rule.partition("(")[0])))
            )
            self.read["insurance"][name] = there if name == "rules" else {"rules": there}

    def draft(self, shared: int, compared: int) -> Draft:
        changed = tuple(self._changed())
        open_rows = tuple(self._open(changed))
        uncited = self._uncited(self._text(open_rows, ()))
        if uncited:
            open_rows = (*open_rows, self._not_carried(uncited))
        return Draft(
            text=self._text(open_rows, uncited),
            slug=self.slug,
            nearest=self.base.slug,
            nearest_digest=digest_of(self.base),
            shared=shared,
            compared=compared,
            changed=changed,
            to_decide=open_rows,
        )

    # --- what differs, what is open

    def _changed(self) -> Iterator[Changed]:
        before = dict(leaves({name: self._part(name, self.below) for name in self.read}))
        after = dict(leaves({name: self._part(name, self.read) for name in self.read}))
        if "commission" in self.below and "commission" not in self.read:
            before |= dict(leaves({"commission": self.below["commission"]}))
        if "insurance" in self.below and "insurance" not in self.read:
            before |= dict(leaves({"insurance": {"offers": self.below["insurance"]["offers"]}}))
        for key in dict.fromkeys((*after, *before)):
            old, new = before.get(key, ""), after.get(key, "")
            if old.casefold() != new.casefold():
                place = self._place(key)
                yield Changed(key=key, before=old, after=new, paragraph=place.paragraph, line=place.line)

    def _part(self, name: str, raw: Raw) -> Any:  # noqa: ANN401 - any value of a file
        """The part of a section that is read of documents."""
        section = raw.get(name, {})
        if name == "insurance":
            return {part: section[part] for part in INSURANCE_PARTS if part in section}
        if name in ("betting", "limits"):
            return {part: section[part] for part in self.read[name] if part in section}
        return section

    def _place(self, key: str) -> Place:
        """Where a value, or the nearest that stands above it, was read."""
        parts = key.split(".")
        for end in range(len(parts), 0, -1):
            name = ".".join(parts[:end])
            for known in (name, f"{name}.pays.win"):
                if known in self.places:
                    return self.places[known]
        rules = (
            self.read.get(parts[0], {}).get("rules", []) if isinstance(self.read.get(parts[0]), dict) else []
        )
        return Place(rules[0], self._line(rules[0])) if rules else Place("", 0)

    def _line(self, paragraph: str) -> int:
        return self.reading.texts.get(paragraph, (0, ""))[0]

    def _open(self, changed: tuple[Changed, ...]) -> Iterator[ToDecide]:
        for doubt in self.reading.not_understood:
            yield ToDecide(
                key=doubt.key or "paragraphs", paragraph=doubt.paragraph, line=doubt.line, why=doubt.why
            )
        yield from self._changed_rows(changed)
        yield from self._irregularities()
        yield from self._inherited()

    def _changed_rows(self, changed: tuple[Changed, ...]) -> Iterator[ToDecide]:
        """A row for each bet, layout or value that differs."""
        rows: dict[str, list[Changed]] = {}
        for one in changed:
            parts = one.key.split(".")
            rows.setdefault(".".join(parts[:2]), []).append(one)
        for key, ones in rows.items():
            told = "; ".join(self._told(one, key) for one in ones[:MOST_TOLD]) + (
                f"; and {len(ones) - MOST_TOLD} more" if len(ones) > MOST_TOLD else ""
            )
            yield ToDecide(
                key=key,
                paragraph=ones[0].paragraph,
                line=ones[0].line,
                why=f"differs from {self.base.slug}: {told}",
            )

    @staticmethod
    def _told(one: Changed, key: str) -> str:
        name = one.key[len(key) :].strip(".")
        name = f"{name} " if name else ""
        if not one.before:
            return f"{name}is new: {one.after}"
        return f"{name}was {one.before}" + (f", is {one.after}" if one.after else ", is not found")

    def _irregularities(self) -> Iterator[ToDecide]:
        cases = {procedure.case for procedure in self.base.procedures}
        for number in self.reading.irregularities:
            line, text = self.reading.texts[number]
            nearest = nearest_procedure(text, self.base.slug)
            key = f"procedures.{nearest.case}" if nearest and nearest.case in cases else "procedures"
            told = (
                f"the nearest is {nearest.case} of {nearest.slug}"
                if nearest
                else "none is known that is like it"
            )
            yield ToDecide(
                key=key,
                paragraph=number,
                line=line,
                why=f"rulings are not read: of the procedures for {number}, {told}",
                nearest=f"{nearest.slug}: {nearest.case}" if nearest else "",
            )

    def _inherited(self) -> Iterator[ToDecide]:
        for section in (
            *INHERITED,
            *(f"insurance.{name}" for name in ABOUT_INSURANCE if "insurance" in self.read),
        ):
            name, _, part = section.partition(".")
            value = getattr(self.base, name)
            value = getattr(value, part, None) if part and value is not None else value
            if part and value is None:
                yield self._donated(section, self.read["insurance"].get(part, {}).get("rules", []))
                continue
            if value is None or value == ():
                continue
            cited = list(
                dict.fromkeys(self.numbers.get(rule.partition("(")[0], "") for _, rule in citations(value))
            )
            known = [rule for rule in cited if rule]
            told = f": compare it with {', '.join(known[:8])}" if known else ""
            first = known[0] if known else ""
            yield ToDecide(
                key=section,
                paragraph=first,
                line=self._line(first),
                why=f"not read but taken from {self.base.slug}{told}",
            )

    def _uncited(self, text: str) -> list[str]:
        """The paragraphs that nothing in the draft cites."""
        book, _ = check(f"{self.slug}.toml", text)
        if book is None:
            return []
        cited = {rule.partition("(")[0] for _, rule in citations(book)}
        return [number for number in self.reading.paragraphs if number not in cited]

    def _not_carried(self, uncited: Sequence[str]) -> ToDecide:
        told = f"nothing in the draft rests on {len(uncited)} paragraphs, such as {', '.join(uncited[:6])}"
        return ToDecide(key="not_carried", paragraph=uncited[0], line=self._line(uncited[0]), why=told)

    def _donated(self, section: str, rules: Sequence[str]) -> ToDecide:
        first = rules[0] if rules else ""
        told = (
            f"its paragraph was taken to be {', '.join(rules)}" if rules else "no paragraph was found for it"
        )
        return ToDecide(key=section, paragraph=first, line=self._line(first), why=told)

    # --- the file

    def _text(self, rows: Sequence[ToDecide], uncited: Sequence[str]) -> str:
        reading = self.reading
        lines = [
            "# A draft that was read from a document: not in force. Values have the line of the document beside them.",
            "# To confirm a row of `unconfirmed`, compare its value with the document and take the row out.",
            f"slug = {toml_value(self.slug)}",
            f"extends = {toml_value(self.base.slug)}",
        ]
        remove = list(self._remove())
        if remove:
            lines += _listed("remove", remove)
        lines += _listed("paragraphs", reading.paragraphs)
        if uncited:
            lines += _listed("not_carried", uncited)
        for name in ("document", "decks"):
            if name in self.read:
                lines += self._table(name, self.read[name])
        for letter, layout in self.read["layouts"].items():
            lines += self._table(f"layouts.{letter}", layout)
        if "table_of_play" in self.read:
            lines += self._table_of_play(self.read["table_of_play"])
        if "commission" in self.read:
            lines += self._table("commission", self.read["commission"])
        for slug, bet in self.read["bets"].items():
            lines += self._bet(slug, bet)
        lines += self._rest()
        for row in rows:
            lines += [
                "",
                "[[unconfirmed]]",
                f"key = {toml_value(row.key)}",
                f"line = {row.line}",
                f"reason = {toml_value(_plain(row.why))}",
            ]
        return "\n".join(lines) + "\n"

    def _table(self, heading: str, table: Raw) -> list[str]:
        """A section, its lines of the document beside its values."""
        lines = ["", f"[{heading}]{self._beside(heading)}"]
        for name, value in table.items():
            lines.append(
                f"{name} = {toml_value(value)}{self._beside(f'{heading}.{name}') if name != 'rules' else ''}"
            )
        return lines

    def _beside(self, key: str) -> str:
        place = self.places.get(key)
        return f" # {place}" if place else ""

    def _table_of_play(self, table: Raw) -> list[str]:
        lines = ["", "[table_of_play]"]
        lines += [
            f"{name} = {toml_value(value)}{self._beside(f'table_of_play.{name}')}"
            for name, value in table.items()
            if name != "banker_draws"
        ]
        lines += ["", "[table_of_play.banker_draws]"]
        return lines + [
            f"{total} = {toml_value(cards)}{self._beside(f'table_of_play.banker_draws.{total}')}"
            for total, cards in table["banker_draws"].items()
        ]

    def _bet(self, slug: str, bet: Raw) -> list[str]:
        lines = ["", f"[bets.{slug}]{self._beside(f'bets.{slug}')}"]
        for name, value in bet.items():
            if name != "pays":
                lines.append(f"{name} = {toml_value(value)}{self._beside(f'bets.{slug}.{name}')}")
        lines.append("pays = [")
        for tier, read in zip(bet["pays"], self.reading.tiers[slug], strict=True):
            lines.append(f"  {toml_value(tier)}, # {read.line.place}")
        return [*lines, "]"]

    def _rest(self) -> list[str]:
        """Insurance, and sections of the base whose paragraphs have other numbers here."""
        lines: list[str] = []
        recited = {} if self.same_numbers else self._recited()
        insurance = dict(recited.get("insurance", {})) | self.read.get("insurance", {})
        if "insurance" in self.read:
            lines += ["", "[insurance]"]
            lines += [
                f"{name} = {toml_value(value)}{self._beside(f'insurance.{name}')}"
                for name, value in insurance.items()
                if name != "offers"
            ]
            lines.append("offers = [")
            for offer in insurance["offers"]:
                lines.append(
                    f"  {toml_value(offer)},{self._beside(f'insurance.offers.{_offer_name(offer)}')}"
                )
            lines.append("]")
        for name in ("limits", "betting"):
            table = dict(recited.get(name, {})) | self.read.get(name, {})
            if table:
                lines += self._table(name, table)
        for name in INHERITED:
            if name in recited and name not in ("limits", "betting"):
                lines += self._inherited_section(name, recited[name])
        for procedure in recited.get("procedures", ()):
            lines += [
                "",
                "[[procedures]]",
                *(f"{name} = {toml_value(value)}" for name, value in procedure.items()),
            ]
        return lines

    @staticmethod
    def _inherited_section(name: str, value: Any) -> list[str]:  # noqa: ANN401 - a section of a file
        if isinstance(value, dict):
            return ["", f"[{name}]", *(f"{key} = {toml_value(inner)}" for key, inner in value.items())]
        lines: list[str] = []
        for entry in value:
            lines += ["", f"[[{name}]]", *(f"{key} = {toml_value(inner)}" for key, inner in entry.items())]
        return lines

    def _recited(self) -> Raw:
        """The sections of the base that were not read, with the numbers that their paragraphs have here."""
        kept: Raw = {name: self.below[name] for name in (*INHERITED, "procedures") if name in self.below}
        if "insurance" in self.below and "insurance" in self.read:
            kept["insurance"] = {
                name: self.below["insurance"][name]
                for name in (*ABOUT_INSURANCE, "rules")
                if name in self.below["insurance"]
            }
        made: Raw = self._renumbered(kept)
        return made

    def _renumbered(self, value: Any) -> Any:  # noqa: ANN401 - any value of a file
        if isinstance(value, dict):
            return {
                name: self._new_numbers(inner) if name == "rules" else self._renumbered(inner)
                for name, inner in value.items()
            }
        return [self._renumbered(one) for one in value] if isinstance(value, list) else value

    def _new_numbers(self, rules: list[str]) -> list[str]:
        there = (self.numbers.get(rule.partition("(")[0]) for rule in rules)
        return list(dict.fromkeys(number for number in there if number))

    def _remove(self) -> Iterator[str]:
        """What the base has and the document has not, of what is read of documents."""
        for section in ("layouts", "bets"):
            yield from (
                f"{section}.{name}" for name in self.below.get(section, {}) if name not in self.read[section]
            )
        for name in ("commission", "insurance"):
            if name in self.below and name not in self.read:
                yield name
        for slug, bet in self.read["bets"].items():
            yield from self._gone(
                f"bets.{slug}",
                self.below["bets"].get(slug, {}),
                bet,
                ("pays",),
                ("push", "pushes", "layouts"),
            )
        if "insurance" in self.read and "insurance" in self.below:
            given = self.read["insurance"]
            yield from self._gone(
                "insurance", self.below["insurance"], given, ("offers",), INSURANCE_PARTS[2:]
            )
            for offer in self.below["insurance"]["offers"]:
                same = next((one for one in given["offers"] if entry_name(one) == entry_name(offer)), None)
                if same is not None and "tie_paid" in offer and "tie_paid" not in same:
                    yield f"insurance.offers.{entry_name(offer)}.tie_paid"

    @staticmethod
    def _gone(key: str, below: Raw, read: Raw, lists: Sequence[str], single: Sequence[str]) -> Iterator[str]:
        for name in lists:
            there = {entry_name(one) for one in read.get(name, ())}
            yield from (
                f"{key}.{name}.{entry_name(one)}"
                for one in below.get(name, ())
                if entry_name(one) not in there
            )
        yield from (f"{key}.{name}" for name in single if name in below and name not in read)


def _offer_name(offer: Raw) -> str:
    return str(entry_name(offer))


def _listed(name: str, values: Sequence[str]) -> list[str]:
    """A list over lines of a readable length."""
    lines, line = [f"{name} = ["], " "
    for value in values:
        text = f" {toml_value(value)},"
        if len(line) + len(text) > OPEN_LIST:
            lines.append(line)
            line = " "
        line += text
    return [*lines, line, "]"]


def _plain(text: str) -> str:
    """A reason as a book may have it."""
    shown = UNPRINTABLE.sub(" ", "".join(sign if sign.isprintable() else " " for sign in text))
    return shown if len(shown) <= LONGEST_REASON else f"{shown[:LONGEST_REASON]}..."
