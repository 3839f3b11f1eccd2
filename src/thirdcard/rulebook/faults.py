"""Checks of a rulebook across its fields; those that need a round to show them are in `proof`."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

import msgspec

from thirdcard.money import LARGEST_STAKE, Odds
from thirdcard.rulebook.agreement import agreement_faults
from thirdcard.rulebook.conditions import ways_of
from thirdcard.rulebook.contract import contract_faults
from thirdcard.rulebook.extending import PLAIN_GAME
from thirdcard.rulebook.forms import Fault
from thirdcard.rulebook.model import Bet, Cited, Insurance, LongOddsCap, Rulebook, Rules, Side
from thirdcard.rulebook.versions import time_faults

NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LONGEST_NAME: Final = 60
LONGEST_TEXT: Final = 400
UNPRINTABLE: Final = re.compile(r"[<>\[\]{}\\\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
MOST: Final = {
    "bets": 64,
    "layouts": 64,
    "ranks": 40,
    "procedures": 200,
    "discretions": 100,
    "notices": 100,
    "dealing": 20,
    "paragraphs": 4000,
    "not_carried": 4000,
    "unconfirmed": 1000,
}
MOST_TIERS: Final = 200
MOST_WAYS: Final = 400  # in which the lines of a bet hold, one for each choice among `any`, suits and winners
MOST_OFFERS: Final = 1000
MOST_RULINGS: Final = 500
MOST_CITED: Final = 64
MOST_DECKS: Final = 16
MOST_POSITIONS: Final = 16
LONGEST_ODDS: Final = (1 << 63) // LARGEST_STAKE // 1000 * 1000  # to 1: the winnings of any stake fit 64 bits
LARGEST_SHARE: Final = 100
INSURANCE: Final = "-insurance"  # how statements name insurance


def faults(book: Rulebook) -> Iterator[Fault]:
    """Everything wrong with a rulebook as a whole."""
    yield from _unconfirmed_faults(book)
    yield from _name_faults(book)
    yield from time_faults(book)
    yield from _paragraph_faults(book)
    yield from _range_faults(book)
    yield from _layout_faults(book)
    yield from _insurance_faults(book)
    yield from _method_faults(book)
    yield from _rank_faults(book)
    yield from _procedure_faults(book)
    yield from contract_faults(book)
    yield from agreement_faults(book)


def _unconfirmed_faults(book: Rulebook) -> Iterator[Fault]:
    """A draft is no book until a person has looked at all that is not certain in it."""
    for row in book.unconfirmed:
        at = f"line {row.line} of the document: " if row.line else ""
        yield (
            row.key or "unconfirmed",
            f"{at}{row.reason}; not confirmed, take its row out of unconfirmed if it is right",
        )


def size_faults(book: Rulebook) -> list[Fault]:
    """Bounds that no real document reaches, so that a hostile one costs nothing: no other check is made."""
    return list(_size_faults(book))


def _size_faults(book: Rulebook) -> Iterator[Fault]:
    for name, most in MOST.items():
        if len(getattr(book, name)) > most:
            yield name, f"{len(getattr(book, name)):,} entries: at most {most} can be used"
    for name, bet in book.bets.items():
        if len(bet.pays) + len(bet.every_push) > MOST_TIERS:
            yield f"bets.{name}.pays", f"more than {MOST_TIERS} tiers"
        ways = sum(map(ways_of, bet.whens))
        if ways > MOST_WAYS:
            told = f"its lines hold in {ways:,} ways: at most {MOST_WAYS} can be counted"
            yield f"bets.{name}.pays", f"{told}; make lines of their own of what stands in `any`"
    if book.insurance and len(book.insurance.offers) > MOST_OFFERS:
        yield "insurance.offers", f"more than {MOST_OFFERS:,} offers"
    if sum(len(procedure.rulings) for procedure in book.procedures) > MOST_RULINGS:
        yield "procedures", f"more than {MOST_RULINGS} rulings"
    for key, rules in _cited(book):
        if len(rules) > MOST_CITED:
            yield key, f"cites more than {MOST_CITED} paragraphs"


def _name_faults(book: Rulebook) -> Iterator[Fault]:
    """Names go into logs, addresses and pages, so they are kept plain; texts carry no markup."""
    document = book.document
    named = [("slug", book.slug), *((f"bets.{name}", name) for name in book.bets)]
    named += [("document.family", document.family)] if document.family else []
    named += [("document.replaces", document.replaces)] if document.replaces else []
    named += [(f"ranks[{number}].name", rank.name) for number, rank in enumerate(book.ranks)]
    named += [
        (f"procedures[{number}].case", procedure.case) for number, procedure in enumerate(book.procedures)
    ]
    for key, name in named:
        if not NAME.fullmatch(name) or len(name) > LONGEST_NAME:
            yield (
                key,
                f"{name[:LONGEST_NAME]!r} is not a name: small letters and digits, hyphens between them",
            )
    if book.slug == PLAIN_GAME:
        yield "slug", f"{PLAIN_GAME!r} is the plain game, which every book may extend"
    for name in book.bets:
        if name.endswith(INSURANCE):
            yield f"bets.{name}", f"a bet cannot be called {INSURANCE!r} at the end, as insurance is"
    for letter in book.layouts:
        if not re.fullmatch(r"[A-Za-z0-9]{1,12}", letter):
            yield "layouts", f"{letter[:LONGEST_NAME]!r} is not a layout: a letter or two, or a short word"
    for key, text in ((key, inner) for key, inner in _within(book) if isinstance(inner, str)):
        if not text.isprintable() or UNPRINTABLE.search(text) or len(text) > LONGEST_TEXT:
            yield key, f"expected plain text of at most {LONGEST_TEXT} characters, without markup"


def citations(value: object, key: str = "") -> Iterator[Fault]:
    """Every paragraph cited below a value, with the key that cites it."""
    for path, rules in _cited(value, key):
        yield from ((path, paragraph) for paragraph in rules)


def _cited(value: object, key: str = "") -> Iterator[tuple[str, Rules]]:
    """The paragraphs of every fact below a value, with the key that cites them."""
    for path, inner in _within(value, key):
        if path.rpartition(".")[2] == "rules" and isinstance(inner, tuple):
            yield path, inner


def _within(value: object, key: str = "") -> Iterator[tuple[str, object]]:
    """A value and every value below it, with its key."""
    yield key, value
    if isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from _within(getattr(value, field), f"{key}.{field}".lstrip("."))
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _within(inner, f"{key}.{name}")
    elif isinstance(value, tuple):
        for number, inner in enumerate(value):
            yield from _within(inner, f"{key}[{number}]")


def _paragraph_faults(book: Rulebook) -> Iterator[Fault]:
    have = set(book.paragraphs)
    if len(have) < len(book.paragraphs):
        yield "paragraphs", "a paragraph is listed twice"
    for paragraph in book.not_carried:
        if paragraph not in have:
            yield "not_carried", f"the document has no paragraph {paragraph}"
    for key, rules in _cited(book):
        if not rules and have and re.split(r"[.[]", key)[0] not in book.assumed:
            yield key, "no paragraph: expected the one that states it"
        if len(set(rules)) < len(rules):
            yield key, "a paragraph is cited twice"
        for paragraph in rules:
            if re.sub(r"\([a-z]\)$", "", paragraph) not in have:
                yield key, f"the document has no paragraph {paragraph}"


def _range_faults(book: Rulebook) -> Iterator[Fault]:
    if not 1 <= book.decks.min <= book.decks.max:
        yield "decks", f"{book.decks.min} to {book.decks.max} is not a range"
    if book.decks.max > MOST_DECKS:
        yield "decks.max", f"at most {MOST_DECKS} decks can be dealt: got {book.decks.max}"
    for letter, layout in book.layouts.items():
        low, high = layout.positions
        if not 1 <= low <= high:
            yield f"layouts.{letter}.positions", f"{low} to {high} is not a range"
        if high > MOST_POSITIONS:
            yield f"layouts.{letter}.positions", f"a table has at most {MOST_POSITIONS}: got {high}"
    wagers = book.limits.wagers_per_area
    if wagers and wagers.value < 1:
        yield "limits.wagers_per_area", f"{wagers.value} wagers are none"
    commission = book.commission
    rates = [commission.rate, *(rate.rate for rate in commission.except_when)] if commission else []
    if any(not 0 <= rate < 1 for rate in rates):
        yield "commission", "a rate is a share of the winnings from 0 up to, but not including, 1"
    for name, bet in book.bets.items():
        yield from _paid_faults(f"bets.{name}", bet)


def _paid_faults(key: str, bet: Bet) -> Iterator[Fault]:
    for number, tier in enumerate(bet.pays):
        yield from _odds_faults(f"{key}.pays[{number}].odds", tier.odds)
    for push in bet.every_push:
        if not 0 <= push.returned <= 1:
            yield f"{key}.{push.tier}", f"{push.returned} is not a share of a stake, from 0 to 1"


def _odds_faults(key: str, odds: Odds) -> Iterator[Fault]:
    if odds.ratio > LONGEST_ODDS:
        yield key, f"{odds}: at most {LONGEST_ODDS:,} to 1 can be paid"


def _layout_faults(book: Rulebook) -> Iterator[Fault]:
    if not book.layouts:
        yield "layouts", "no layout: expected one at least, or none of this section"
    missing = [side for side in Side if side not in book.bets]
    if missing:
        hint = f"; with extends = '{PLAIN_GAME}' they are those of the plain game"
        yield "bets", f"no bet {' and none '.join(missing)}: every game of baccarat has both{hint}"
    for letter, layout in book.layouts.items():
        key = f"layouts.{letter}.bets"
        yield from ((key, f"{name} has no pay line") for name in layout.bets if name not in book.bets)
        yield from (
            (key, f"{side} is not offered") for side in Side if side in book.bets and side not in layout.bets
        )
        if len(set(layout.bets)) < len(layout.bets):
            yield key, "a bet is listed twice"
    for name, bet in book.bets.items():
        yield from _bet_faults(book, name, bet)


def _bet_faults(book: Rulebook, name: str, bet: Bet) -> Iterator[Fault]:
    """Layouts say which bets they offer and pay lines which layouts they are for; both must agree."""
    offering = {letter for letter, layout in book.layouts.items() if name in layout.bets}
    paying = offering if bet.layouts is None else set(bet.layouts.value)
    if bet.layouts is None and book.paragraphs:  # a document that names no layout there means all of them
        paying = set(book.layouts)
    if not bet.pays:
        yield f"bets.{name}.pays", "no pay line"
    tiers = [tier.tier for tier in bet.pays] + [push.tier for push in bet.every_push]
    for tier in sorted({tier for tier in tiers if tiers.count(tier) > 1}):
        yield f"bets.{name}", f"two tiers are called {tier!r}"
    if "lose" in tiers:
        yield f"bets.{name}", "a tier cannot be called 'lose'"
    if not offering:
        yield f"bets.{name}", "a pay line for a bet that no layout offers"
    for letter in sorted(paying - offering):
        known = letter in book.layouts
        yield f"bets.{name}.layouts", f"layout {letter} does not {'offer it' if known else 'exist'}"
    for letter in sorted(offering - paying):
        yield f"layouts.{letter}.bets", f"the pay line of {name} does not name this layout"


def _insurance_faults(book: Rulebook) -> Iterator[Fault]:
    insurance = book.insurance
    if insurance is None:
        return
    if insurance.stake_per_window is None and insurance.winnings_per_round is None:
        yield "insurance", "no cap by the Original Bet"
    for number, offer in enumerate(insurance.offers):
        key = f"insurance.offers[{number}].odds"
        yield from _odds_faults(key, offer.odds)
        if not offer.odds.ratio:
            yield key, "insurance at no odds pays nothing"
    for key, share in _shares(insurance):
        if not 0 < share <= LARGEST_SHARE:
            yield f"insurance.{key}", f"{share} is not a share of more than 0 and at most {LARGEST_SHARE}"


def _shares(insurance: Insurance) -> Iterator[tuple[str, Fraction]]:
    for name in insurance.__struct_fields__:
        cap = getattr(insurance, name)
        if isinstance(cap, Cited):
            yield name, cap.value
        elif isinstance(cap, LongOddsCap):
            yield f"{name}.of_maximum", cap.of_maximum


def _method_faults(book: Rulebook) -> Iterator[Fault]:
    names = [method.name for method in book.dealing]
    for number, name in enumerate(names):
        if name in names[:number]:
            yield f"dealing[{number}].name", f"{name} is listed twice"
    if not names:
        yield "dealing", "no way to deal: expected one at least, or none of this section"


def _rank_faults(book: Rulebook) -> Iterator[Fault]:
    known: set[str] = set()
    for number, rank in enumerate(book.ranks):
        if rank.name in known:
            yield f"ranks[{number}].name", f"{rank.name} is listed twice"
        for below in rank.above:
            if below not in known:  # also keeps the ladder free of circles
                yield f"ranks[{number}].above", f"{below} is not a rank listed before it"
        known.add(rank.name)
    for key, name in _named_ranks(book):
        if name not in known:
            yield key, f"there is no rank {name}"


def _named_ranks(book: Rulebook) -> list[tuple[str, str]]:
    """Every rank that the rulebook leaves something to, with the key that does."""
    authority = book.authority
    return [
        *((f"authority.{duty}", getattr(authority, duty).value) for duty in authority.__struct_fields__),
        ("squeeze.permission", book.squeeze.permission),
        *(("betting.by_staff", name) for name in book.betting.by_staff.value),
        *((f"dealing[{i}].allowed_by", m.allowed_by) for i, m in enumerate(book.dealing) if m.allowed_by),
        *((f"discretions[{i}].rank", d.rank) for i, d in enumerate(book.discretions)),
        *((f"procedures.{p.case}.decides", r.decides) for p in book.procedures for r in p.rulings),
    ]


def _procedure_faults(book: Rulebook) -> Iterator[Fault]:
    cases = [procedure.case for procedure in book.procedures]
    for case in {case for case in cases if cases.count(case) > 1}:
        yield f"procedures.{case}", "the case is listed twice"


def notes(book: Rulebook) -> Iterator[Fault]:
    """What is allowed but may be a slip: paragraphs that nothing cites, ranks that nobody asks for."""
    cited = {re.sub(r"\([a-z]\)$", "", rule) for _, rule in citations(book)}
    for paragraph in book.paragraphs:
        if paragraph in book.not_carried and paragraph in cited:
            yield "not_carried", f"{paragraph} is cited: take it out"
        if paragraph not in cited and paragraph not in book.not_carried:
            yield "paragraphs", f"nothing cites {paragraph}"
    asked = {name for _, name in _named_ranks(book)}
    for number, rank in enumerate(book.ranks):
        if rank.name not in asked and not rank.pit_employee:
            yield f"ranks[{number}]", f"nothing is left to, decided or done by the {rank.title}"
