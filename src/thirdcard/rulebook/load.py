"""Reads the documents and checks each across its fields; a fault is an error naming file and key."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any, Final, get_args

import msgspec

from thirdcard.errors import BadInput
from thirdcard.money import Odds
from thirdcard.rulebook.agreement import agreement_faults
from thirdcard.rulebook.contract import contract_faults
from thirdcard.rulebook.model import (
    Bet,
    Facts,
    Layout,
    Noticed,
    Procedure,
    Rulebook,
    Rules,
    Span,
    Stage,
)

DOCUMENTS: Final = files("thirdcard.rulebook") / "documents"
FACT_VALUES: Final[dict[str, tuple[object, ...]]] = {"noticed": get_args(Noticed), "stage": get_args(Stage)}


class RulebookError(Exception):
    """A document's data is wrong; the message names file and key."""


@cache
def slugs() -> tuple[str, ...]:
    return tuple(
        sorted(
            entry.name.removesuffix(".toml") for entry in DOCUMENTS.iterdir() if entry.name.endswith(".toml")
        )
    )


@cache
def load(slug: str) -> Rulebook:
    """The rulebook of that slug; BadInput if there is none."""
    if slug not in slugs():
        near = get_close_matches(slug, slugs(), n=2, cutoff=0.3) or slugs()
        raise BadInput(f"there is no rulebook {slug!r}: did you mean {' or '.join(near)}?")
    file = f"{slug}.toml"
    return read(file, (DOCUMENTS / file).read_text(encoding="utf-8"))


def read(file: str, text: str) -> Rulebook:
    """A rulebook from its text, every check made."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulebookError(f"{file}: {error}") from error
    rulebook = _convert(file, raw)
    for key, complaint in faults(rulebook, file):
        raise RulebookError(f"{file}: {key}: {complaint}")
    return rulebook


def _convert(file: str, raw: dict[str, Any]) -> Rulebook:
    try:
        return msgspec.convert(raw, Rulebook, str_keys=True, dec_hook=_decode)
    except msgspec.ValidationError as error:
        # msgspec does not name the key of a mapping, so look which entry of one it was.
        for table, kind in (("bets", Bet), ("layouts", Layout)):
            for name, entry in _entries(raw, table):
                try:
                    msgspec.convert(entry, kind, dec_hook=_decode)
                except msgspec.ValidationError as inner:
                    raise RulebookError(f"{file}: {_place(f'{table}.{name}', inner)}") from inner
        raise RulebookError(f"{file}: {_place('', error)}") from error


def _entries(raw: dict[str, Any], table: str) -> Iterable[tuple[str, Any]]:
    entries = raw.get(table)
    return entries.items() if isinstance(entries, dict) else ()


def _place(prefix: str, error: msgspec.ValidationError) -> str:
    """`bets.tie.pays[0].odds: Expected …` from msgspec's own wording."""
    complaint, _, path = str(error).partition(" - at `$")
    key = (prefix + path.rstrip("`")).lstrip(".")
    return f"{key}: {complaint}" if key else complaint


def _decode(kind: type, value: object) -> object:
    """Types msgspec does not know: odds, spans of points, shares such as `1/4`."""
    if kind in (Odds, Span, Fraction) and isinstance(value, str):
        return kind(value)
    raise TypeError(f"expected text for {kind.__name__}, got {value!r}")


def encode(value: object) -> object:
    """The reverse, for `msgspec.to_builtins` and JSON."""
    if isinstance(value, (Odds, Span, Fraction)):
        return str(value)
    raise TypeError(f"cannot encode {type(value).__name__}")


def faults(book: Rulebook, file: str) -> Iterator[tuple[str, str]]:
    """Everything wrong with a rulebook as a whole: key, and what is the matter with it."""
    if file != f"{book.slug}.toml":
        yield "slug", f"{book.slug!r} does not belong in this file"
    yield from _paragraph_faults(book)
    yield from _range_faults(book)
    yield from _layout_faults(book)
    yield from _insurance_faults(book)
    yield from _rank_faults(book)
    yield from _procedure_faults(book)
    yield from contract_faults(book)
    yield from agreement_faults(book)


def citations(value: object, key: str = "") -> Iterator[tuple[str, str]]:
    """Every paragraph cited below a value, with the key that cites it."""
    for path, rules in _cited(value, key):
        yield from ((path, paragraph) for paragraph in rules)


def _cited(value: object, key: str = "") -> Iterator[tuple[str, Rules]]:
    """The paragraphs of every fact below a value, with the key that cites them."""
    if isinstance(value, msgspec.Struct):
        for field in msgspec.structs.fields(value):
            inner, path = getattr(value, field.name), f"{key}.{field.name}".lstrip(".")
            if field.name == "rules":
                yield path, inner
            else:
                yield from _cited(inner, path)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _cited(inner, f"{key}.{name}")
    elif isinstance(value, tuple):
        for number, inner in enumerate(value):
            yield from _cited(inner, f"{key}[{number}]")


def _paragraph_faults(book: Rulebook) -> Iterator[tuple[str, str]]:
    have = set(book.paragraphs)
    if len(have) < len(book.paragraphs):
        yield "paragraphs", "a paragraph is listed twice"
    for key, rules in _cited(book):
        if not rules:
            yield key, "no paragraph: expected the one that states it"
        if len(set(rules)) < len(rules):
            yield key, "a paragraph is cited twice"
        for paragraph in rules:
            if re.sub(r"\([a-z]\)$", "", paragraph) not in have:
                yield key, f"the document has no paragraph {paragraph}"


def _range_faults(book: Rulebook) -> Iterator[tuple[str, str]]:
    if not 1 <= book.decks.min <= book.decks.max:
        yield "decks", f"{book.decks.min} to {book.decks.max} is not a range"
    for letter, layout in book.layouts.items():
        low, high = layout.positions
        if not 1 <= low <= high:
            yield f"layouts.{letter}.positions", f"{low} to {high} is not a range"
    table = book.table_of_play
    standing = set(range(10)) - set(table.natural)
    if set(table.banker_draws) != standing:
        yield "table_of_play.banker_draws", f"expected a line for each of {sorted(standing)}"
    banker = book.bets.get("banker")
    if book.commission and banker and any(t.odds.ratio != 1 - book.commission.rate for t in banker.pays):
        yield "bets.banker.pays", f"does not pay 1 to 1 less the commission of {book.commission.rate}"


def _layout_faults(book: Rulebook) -> Iterator[tuple[str, str]]:
    for letter, layout in book.layouts.items():
        for name in layout.bets:
            if name not in book.bets:
                yield f"layouts.{letter}.bets", f"{name} has no pay line"
        if len(set(layout.bets)) < len(layout.bets):
            yield f"layouts.{letter}.bets", "a bet is listed twice"
    for name, bet in book.bets.items():
        yield from _bet_faults(book, name, bet)


def _bet_faults(book: Rulebook, name: str, bet: Bet) -> Iterator[tuple[str, str]]:
    """Layouts say which bets they offer and pay lines which layouts they are for; both must agree."""
    offering = {letter for letter, layout in book.layouts.items() if name in layout.bets}
    paying = set(book.layouts if bet.layouts is None else bet.layouts.value)
    if not bet.pays:
        yield f"bets.{name}.pays", "no pay line"
    if not offering:
        yield f"bets.{name}", "a pay line for a bet that no layout offers"
    for letter in sorted(paying - offering):
        known = letter in book.layouts
        yield f"bets.{name}.layouts", f"layout {letter} does not {'offer it' if known else 'exist'}"
    for letter in sorted(offering - paying):
        yield f"layouts.{letter}.bets", f"the pay line of {name} does not name this layout"


def _insurance_faults(book: Rulebook) -> Iterator[tuple[str, str]]:
    insurance = book.insurance
    if insurance is None:
        return
    if insurance.stake_per_window is None and insurance.winnings_per_round is None:
        yield "insurance", "no cap by the Original Bet"
    taken: dict[tuple[str, int, int, int], int] = {}
    for number, offer in enumerate(insurance.offers):
        for player, banker in product(offer.player, offer.banker):
            before = taken.setdefault((offer.hand, offer.window, player, banker), number)
            if before != number:
                yield (
                    f"insurance.offers[{number}]",
                    f"overlaps offers[{before}] at Player {player}, Banker {banker}",
                )


def _rank_faults(book: Rulebook) -> Iterator[tuple[str, str]]:
    known: set[str] = set()
    for number, rank in enumerate(book.ranks):
        if rank.name in known:
            yield f"ranks[{number}].name", f"{rank.name} is listed twice"
        for below in rank.above:
            if below not in known:  # also keeps the ladder free of circles
                yield f"ranks[{number}].above", f"{below} is not a rank listed before it"
        known.add(rank.name)
    authority = book.authority
    named = [
        *((f"authority.{duty}", getattr(authority, duty).value) for duty in authority.__struct_fields__),
        ("squeeze.permission", book.squeeze.permission),
        *(("betting.by_staff", name) for name in book.betting.by_staff.value),
        *((f"dealing[{i}].allowed_by", m.allowed_by) for i, m in enumerate(book.dealing) if m.allowed_by),
        *((f"discretions[{i}].rank", d.rank) for i, d in enumerate(book.discretions)),
        *((f"procedures.{p.case}.decides", r.decides) for p in book.procedures for r in p.rulings),
    ]
    for key, name in named:
        if name not in known:
            yield key, f"there is no rank {name}"


def _procedure_faults(book: Rulebook) -> Iterator[tuple[str, str]]:
    cases = [procedure.case for procedure in book.procedures]
    for case in {case for case in cases if cases.count(case) > 1}:
        yield f"procedures.{case}", "the case is listed twice"
    for procedure in book.procedures:
        for facts in every_fact(procedure):
            fitting = [ruling for ruling in procedure.rulings if fits(ruling.when, facts)]
            if len(fitting) != 1:
                told = ", ".join(f"{name} {value}" for name, value in facts.items()) or "any facts"
                yield f"procedures.{procedure.case}", f"{len(fitting)} rulings fit {told}: expected one"


def every_fact(procedure: Procedure) -> Iterator[dict[str, object]]:
    """Each combination of the facts that the procedure asks for."""
    asked = [
        name
        for name in Facts.__struct_fields__
        if any(getattr(ruling.when, name) for ruling in procedure.rulings)
    ]
    for values in product(*(FACT_VALUES.get(name, (False, True)) for name in asked)):
        yield dict(zip(asked, values, strict=True))


@cache
def asked_facts(procedure: Procedure) -> frozenset[str]:
    """The facts that a procedure's rulings turn on."""
    return frozenset(name for facts in every_fact(procedure) for name in facts)


def fits(when: Facts, facts: dict[str, object]) -> bool:
    """Whether a ruling is for these facts."""
    return all(value in (getattr(when, name) or (value,)) for name, value in facts.items())
