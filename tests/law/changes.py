"""Every way to change one value of a rulebook or of the remedy table: the mutants of the law.

A mutant is made from the parsed TOML of a document, by the type that the model gives each value: odds get
another ratio, a list loses an element, a rank becomes its neighbour. Nothing here runs a test.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
from msgspec import inspect

from thirdcard.money import Odds
from thirdcard.rulebook.forms import encode
from thirdcard.rulebook.model import Rulebook, Span
from thirdcard.rulebook.parts import Numbers
from thirdcard.rulebook.remedies import ROWS, Remedy

Path: TypeAlias = tuple[str | int, ...]
Raw: TypeAlias = dict[str, Any]

REMEDIES: Final = "remedies"  # stands where a document's slug stands
NAMED_BY: Final = ("case", "name", "grants")  # what tells the entries of a list apart
OWN_NAMES: Final = (*NAMED_BY, "slug", "tier")  # a thing's own name is no reference to a rank or a bet
READ_ONLY: Final = (
    "rules",
    "interpretations",
    "paragraphs",
    "document",
    "title",
    "name",
    "tier",
    "what",
    "shows",
)
FEW: Final = 6  # a list may get each of so many missing values, of more only the first
POINTS: Final = range(10)


class Edit(msgspec.Struct, frozen=True):
    """One value set, or taken away where there is none to set."""

    path: Path
    value: Any = msgspec.UNSET


class Mutant(msgspec.Struct, frozen=True, kw_only=True):
    """A document with one thing changed. `key` is its name for ever: the place, and what became of it."""

    key: str
    document: str  # a slug, or REMEDIES
    edits: tuple[Edit, ...]


class Names(msgspec.Struct, frozen=True, kw_only=True):
    """What a text in a document can refer to."""

    paragraphs: tuple[str, ...] = ()
    remedies: tuple[str, ...] = ()
    ranks: tuple[str, ...] = ()
    bets: tuple[str, ...] = ()
    layouts: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    interpretations: tuple[int, ...] = ()

    def like(self, texts: Sequence[str]) -> tuple[str, ...]:
        """The names that these are some of; none where they are words of their own."""
        kinds = (self.ranks, self.bets, self.layouts, self.asks)
        return next((kind for kind in kinds if texts and set(texts) <= set(kind)), ())


class Place(NamedTuple):
    """Where a value stands: its path, the same as people read it, and the field it is the value of."""

    path: Path = ()
    text: str = ""
    field: str = ""

    def inside(self, name: str) -> "Place":
        """A field; the `value` of something cited goes by what it is the value of."""
        field = self.field if name == "value" else name
        return Place((*self.path, name), f"{self.text}.{name}".lstrip("."), field)

    def entry(self, index: int, label: str) -> "Place":
        return Place((*self.path, index), f"{self.text}[{label}]", self.field)


class Change(NamedTuple):
    """What a key says after the document's name, and the edits that bring it about."""

    text: str
    edits: tuple[Edit, ...]


# --- documents and rows -----------------------------------------------------------------------------------


def of_document(slug: str, raw: Raw, interpretations: tuple[int, ...]) -> Iterator[Mutant]:
    """Every mutant of a document, from its parsed TOML."""
    names = Names(
        paragraphs=tuple(raw["paragraphs"]),
        remedies=tuple(row.name for row in ROWS if not row.at_discretion),
        ranks=tuple(rank["name"] for rank in raw["ranks"]),
        bets=tuple(raw["bets"]),
        layouts=tuple(raw["layouts"]),
        interpretations=interpretations,
    )
    kind = inspect.type_info(Rulebook)
    for change in (*_changes(kind, raw, Place(), names), *_on_layouts(raw), *_on_commission(raw)):
        yield Mutant(key=f"{slug}:{change.text}", document=slug, edits=change.edits)


def of_remedies() -> Iterator[Mutant]:
    """Every mutant of the remedy table, a row's name apart: that is what documents and engine ask for."""
    names = Names(asks=tuple(dict.fromkeys(ask for row in ROWS for ask in row.asks)))
    kind = inspect.type_info(Remedy)
    for row in ROWS:
        place = Place((row.name,), f"{REMEDIES}:{row.name}")
        for change in _changes(kind, _plain(row), place, names):
            if change.edits[0].path[1] != "name":
                yield Mutant(key=change.text, document=REMEDIES, edits=change.edits)
        if row.bets is None:
            edit = Edit((row.name, "bets"), ["added", "added", "added"])
            yield Mutant(key=f"{place.text}.bets added", document=REMEDIES, edits=(edit,))


def row_edited(mutant: Mutant) -> tuple[Remedy, Remedy]:
    """The row of the remedy table that a mutant is about, and the row as it makes it."""
    name = mutant.edits[0].path[0]
    row = next(row for row in ROWS if row.name == name)
    return row, msgspec.convert(edited({row.name: _plain(row)}, mutant.edits)[row.name], Remedy)


def only_read(mutant: Mutant) -> bool:
    """Whether it changes words and citations: people read them, no round of play can tell."""
    return all(set(edit.path) & set(READ_ONLY) for edit in mutant.edits)


def _plain(value: object) -> Any:  # noqa: ANN401
    """A value of the model in the form of parsed TOML."""
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=encode))


def edited(raw: Raw, edits: tuple[Edit, ...]) -> Raw:
    """A copy with the edits made; the original is untouched."""
    copy = deepcopy(raw)
    for edit in edits:
        *way, last = edit.path
        holder: Any = copy
        for step in way:
            holder = holder[step]
        if edit.value is msgspec.UNSET:
            del holder[last]
        else:
            holder[last] = edit.value
    return copy


def as_toml(raw: Raw) -> str:
    """A document's text, a line for each of its tables, that reads back as the same values."""
    return "".join(f"{name} = {_toml(value)}\n" for name, value in raw.items())


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return (
            "{ " + ", ".join(f"{json.dumps(name)} = {_toml(inner)}" for name, inner in value.items()) + " }"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


# --- the paragraphs behind a value ------------------------------------------------------------------------


def citing(raw: Raw, path: Path) -> Iterator[tuple[str, ...]]:
    """The paragraphs that state a value, from the nearest outwards: its own, then of each part around it."""
    if path[0] == "paragraphs":  # a paragraph, or all of them
        yield tuple(raw["paragraphs"]) if len(path) == 1 else (raw["paragraphs"][path[1]],)
        return
    parts: list[Any] = [raw]
    for step in path:
        if isinstance(parts[-1], dict) and step not in parts[-1]:  # a field that the mutant puts in
            break
        parts.append(parts[-1][step])
    yield tuple(dict.fromkeys(_cited_below(parts[-1])))
    for part in reversed(parts[:-1]):
        yield tuple(part.get("rules", ())) if isinstance(part, dict) else ()


def _cited_below(value: object) -> Iterator[str]:
    if isinstance(value, list):
        for inner in value:
            yield from _cited_below(inner)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from inner if name == "rules" else _cited_below(inner)


# --- by type ----------------------------------------------------------------------------------------------


def _changes(kind: inspect.Type, value: Any, place: Place, names: Names) -> Iterator[Change]:  # noqa: ANN401
    """Every change of a value and of what is in it."""
    kind = _given(kind)
    if isinstance(kind, inspect.CustomType) and kind.cls is Numbers:
        kind = inspect.VarTupleType(inspect.IntType()) if isinstance(value, list) else inspect.IntType()
    if isinstance(kind, inspect.StructType):
        yield from _of_part(kind, value, place, names)
    elif isinstance(kind, inspect.DictType):
        for name, inner in value.items():
            yield _dropped(place.inside(name))
            yield from _changes(kind.value_type, inner, place.inside(name), names)
    elif isinstance(kind, inspect.TupleType):
        for index, (item, inner) in enumerate(zip(kind.item_types, value or (), strict=False)):
            yield from _changes(item, inner, place.entry(index, str(index)), names)
    elif isinstance(kind, inspect.VarTupleType):
        yield from _of_list(kind.item_type, value, place, names)
    else:
        for label, other in _others(kind, value, place.field, names):
            yield Change(place.text + label, (Edit(place.path, other),))


def _given(kind: inspect.Type) -> inspect.Type:
    """The type of a value that is there, where it might be left out."""
    if isinstance(kind, inspect.UnionType):
        return next(one for one in kind.types if not isinstance(one, inspect.NoneType))
    return kind


def _dropped(place: Place) -> Change:
    return Change(f"{place.text} dropped", (Edit(place.path),))


def _of_part(kind: inspect.StructType, value: Raw, place: Place, names: Names) -> Iterator[Change]:
    for field in kind.fields:
        inside = place.inside(field.name)
        usual = _usual(field)
        now = value.get(field.name, usual)
        alone = usual == [] and isinstance(now, list) and len(now) == 1
        if not field.required and now != usual and not alone:
            yield _dropped(inside)  # a list of one is dropped with its element
        said = now is not None and field.name in value
        if said or isinstance(_given(field.type), (inspect.BoolType, inspect.LiteralType)):
            yield from _changes(field.type, now, inside, names)


def _usual(field: inspect.Field) -> object:
    """What holds where nothing is said, in the form of parsed TOML."""
    if field.default is not msgspec.NODEFAULT:
        return _plain(field.default)
    return None if field.default_factory is msgspec.NODEFAULT else _plain(field.default_factory())


def _of_list(kind: inspect.Type, value: list[Any], place: Place, names: Names) -> Iterator[Change]:
    """An element less; another in its place or one more, where the names or values there are tell which."""
    labels = _labels(value)
    entries = [place.entry(index, label) for index, label in enumerate(labels)]
    yield from map(_dropped, entries)
    if isinstance(kind, inspect.StructType):
        for entry, inner in zip(entries, value, strict=True):
            yield from _changes(kind, inner, entry, names)
        return
    instead = {"rules": names.paragraphs, "remedy": names.remedies}.get(place.field)
    for entry, inner in zip(entries, value, strict=True):
        if instead:
            other = _next(instead, inner, value)
            yield Change(f"{entry.text}={other}", (Edit(entry.path, other),))
        elif isinstance(kind, inspect.StrType) and not names.like(value) and place.path != ("paragraphs",):
            yield Change(f"{entry.text} changed", (Edit(entry.path, f"{inner} changed"),))
    for more in () if instead else _missing(kind, value, place, names):
        yield Change(f"{place.text}+{_said(more)}", (Edit(place.path, [*value, more]),))


def _labels(value: list[Any]) -> list[str]:
    """What tells the elements apart: a name, or the element itself where it is one word; else the number."""
    labels = [
        next((str(inner[name]) for name in NAMED_BY if name in inner), "")
        if isinstance(inner, dict)
        else _said(inner)
        for inner in value
    ]
    good = len(set(labels)) == len(labels) and not any(" " in label or not label for label in labels)
    return labels if good else [str(index) for index in range(len(value))]


def _said(value: object) -> str:
    """A value as TOML writes it, text without its quotes."""
    return value if isinstance(value, str) else json.dumps(value)


def _missing(kind: inspect.Type, value: list[Any], place: Place, names: Names) -> list[Any]:
    """What a list could have besides; of points the next, where a rule would go on."""
    there: Sequence[Any] = ()
    if isinstance(kind, inspect.BoolType):
        there = (False, True)
    elif isinstance(kind, inspect.LiteralType):
        there = kind.values
    elif isinstance(kind, inspect.IntType) and place.field == "interpretations":
        there = names.interpretations
    elif isinstance(kind, inspect.IntType):
        last = max(value, default=0)
        there = (*POINTS[last:], *reversed(POINTS[:last]))
    elif isinstance(kind, inspect.StrType):
        there = names.asks if place.field == "asks" else names.like(value) or (() if value else ("added",))
    missing = [one for one in there if one not in value]
    return missing if len(there) <= FEW else missing[:1]


def _next(names: Sequence[str], value: str, taken: Sequence[str]) -> str:
    """The name after this one that is not taken, from the start again at the end."""
    at = names.index(value) if value in names else 0
    return next(one for one in (*names[at + 1 :], *names) if one not in taken)


# --- single values ----------------------------------------------------------------------------------------


def _others(kind: inspect.Type, value: Any, field: str, names: Names) -> Iterator[tuple[str, Any]]:  # noqa: ANN401
    """The values it could have instead, each with what its key says."""
    if isinstance(kind, inspect.StrType):
        yield from _other_texts(value, names.like([value]) if field not in OWN_NAMES else ())
        return
    for other in _other_values(kind, value):
        yield f"={_said(other)}", other


def _other_texts(value: str, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The names on either side of a name; other words for words."""
    if not names:
        yield " changed", f"{value} changed"
        return
    at = names.index(value)
    for other in (*names[max(at - 1, 0) : at], *names[at + 1 : at + 2]):
        yield f"={other}", other


def _other_values(kind: inspect.Type, value: Any) -> list[Any]:  # noqa: ANN401
    if isinstance(kind, inspect.BoolType):
        return [not value]
    if isinstance(kind, inspect.IntType):
        return [value + 1, value - 1]
    if isinstance(kind, inspect.LiteralType):
        return [one for one in kind.values if one != value]
    if isinstance(kind, inspect.EnumType):
        return [one.value for one in kind.cls if one.value != value]
    if isinstance(kind, inspect.CustomType):
        return _CUSTOM[kind.cls](value)
    raise TypeError(f"no change is known for {kind}: say one in {__name__}")


def _other_odds(text: str) -> list[str]:
    gain, _, stake = text.partition(" to ")
    whole, point, part = gain.partition(".")
    return [f"{int(whole) + 1}{point}{part} to {stake}"]


def _other_spans(text: str) -> list[str]:
    """One end shifted by one, as far as hands have points."""
    span = Span(text)
    ends = (
        (span.low - 1, span.high),
        (span.low + 1, span.high),
        (span.low, span.high - 1),
        (span.low, span.high + 1),
    )
    return [
        f"{low}-{high}" if low < high else str(low)
        for low, high in ends
        if POINTS[0] <= low <= high <= POINTS[-1]
    ]


def _other_shares(text: str) -> list[str]:
    share = Fraction(text)
    return [
        str(Fraction(share.numerator + 1, share.denominator)),
        str(Fraction(share.numerator, share.denominator + 1)),
    ]


_CUSTOM: Final[dict[type, Callable[[str], list[str]]]] = {
    Odds: _other_odds,
    Span: _other_spans,
    Fraction: _other_shares,
}


# --- what a document states twice -------------------------------------------------------------------------


def _on_layouts(raw: Raw) -> Iterator[Change]:
    """A layout without one of its bets, or with one more, where the bet's pay line says the same."""
    for letter, layout in raw["layouts"].items():
        bets, place = layout["bets"], f"layouts.{letter}.bets"
        for bet in bets:
            less = Edit(("layouts", letter, "bets"), [one for one in bets if one != bet])
            yield Change(
                f"{place}[{bet}] dropped with its pay line", (less, _paid_on(raw, bet, without=letter))
            )
        for bet in [one for one in raw["bets"] if one not in bets][:1]:
            more = Edit(("layouts", letter, "bets"), [*bets, bet])
            yield Change(f"{place}+{bet} with its pay line", (more, _paid_on(raw, bet, also=letter)))


def _paid_on(raw: Raw, bet: str, *, without: str = "", also: str = "") -> Edit:
    """The pay line names one layout less, or one more."""
    line = raw["bets"][bet]
    named = line.get("layouts", {"value": list(raw["layouts"]), "rules": line["rules"]})
    value = [one for one in named["value"] if one != without] + [also] * bool(also)
    return Edit(("bets", bet, "layouts"), {**named, "value": value})


def _on_commission(raw: Raw) -> Iterator[Change]:
    """Another commission, and the odds of Banker net of it."""
    if "commission" not in raw:
        return
    rate = Fraction(raw["commission"]["rate"]) * 2
    odds = f"{float(1 - rate):g} to 1"
    pays = [{**tier, "odds": odds} for tier in raw["bets"]["banker"]["pays"]]
    edits = (Edit(("commission", "rate"), str(rate)), Edit(("bets", "banker", "pays"), pays))
    yield Change(f"commission.rate={rate} with the odds of Banker", edits)
