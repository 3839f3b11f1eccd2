"""What the engine relies on in a rulebook, beyond the form of its parts: checked when one is loaded.

The engine asks a document for what a procedure is about, for ranks by their duty and for discretions by what
they grant. A document that leaves one of them out, or names it twice, would fail in the middle of a round.
"""

from collections.abc import Iterator
from typing import Final

from thirdcard.rulebook.model import About, Grant, Procedure, Rulebook
from thirdcard.rulebook.remedies import REMEDIES

Fault = tuple[str, str]

SEVERAL: Final[frozenset[About]] = frozenset(("bad-cards", "order-altered", "seen-in-error", "dealing-error"))
ALWAYS: Final[tuple[About, ...]] = ("uncovered", "interruption")
WITH_INSURANCE: Final[tuple[About, ...]] = ("neglected-insurance", "walked-away")
INSURANCE_REMEDIES: Final = frozenset(("forgo-insurance", "late-insurance", "offer", "return-original"))
DIFFERENTIAL: Final = {"box": ("reject", "pro-rata"), "table": ("ask", "remove")}


def contract_faults(book: Rulebook) -> Iterator[Fault]:
    """Key, and what is the matter with it."""
    yield from _about_faults(book)
    for procedure in book.procedures:
        yield from _remedy_faults(book, procedure)
    yield from _uncovered_faults(book)
    yield from _discretion_faults(book)
    differential = book.limits.differential
    expected = DIFFERENTIAL[differential.scope]
    if (differential.before_close, differential.after_close) != expected:
        yield "limits.differential", f"the scope {differential.scope} goes with {' and '.join(expected)}"


def _about_faults(book: Rulebook) -> Iterator[Fault]:
    """Every kind of irregularity has at most one procedure, and some need one."""
    taken: dict[About, str] = {}
    for procedure in book.procedures:
        for about in procedure.about:
            other = taken.setdefault(about, procedure.case)
            if other != procedure.case and about not in SEVERAL:
                yield f"procedures.{procedure.case}.about", f"{other} is about {about} already"
        if len(set(procedure.about)) < len(procedure.about):
            yield f"procedures.{procedure.case}.about", "something is listed twice"
    for about in (*ALWAYS, *(WITH_INSURANCE if book.insurance else ())):
        if about not in taken:
            yield "procedures", f"none is about {about}: expected one"
    if not book.insurance and "neglected-insurance" in taken:
        yield f"procedures.{taken['neglected-insurance']}.about", "the document has no insurance to neglect"


def _remedy_faults(book: Rulebook, procedure: Procedure) -> Iterator[Fault]:
    """Rulings order what there is, what the document has, and nothing that takes a decision of its own."""
    for number, ruling in enumerate(procedure.rulings):
        key = f"procedures.{procedure.case}.rulings[{number}].remedy"
        if not ruling.remedy:
            yield key, "no remedy"
        for name in ruling.remedy:
            if name not in REMEDIES:
                yield key, f"there is no remedy {name}"
            elif REMEDIES[name].at_discretion:
                yield key, f"{name} takes a decision at discretion, no document orders it"
            elif name in INSURANCE_REMEDIES and book.insurance is None:
                yield key, f"{name} needs insurance, which the document does not have"
            elif name == "late-insurance" and book.insurance and book.insurance.late_winnings is None:
                yield key, "late-insurance needs insurance.late_winnings"


def _uncovered_faults(book: Rulebook) -> Iterator[Fault]:
    """What no rule speaks of is decided, by the rank that decides."""
    procedure = book.procedure("uncovered")
    if procedure is None:
        return
    decides = book.authority.decides.value
    for number, ruling in enumerate(procedure.rulings):
        key = f"procedures.{procedure.case}.rulings[{number}]"
        if ruling.remedy != ("decide",):
            yield f"{key}.remedy", "expected decide and nothing else"
        if ruling.decides != decides:
            yield f"{key}.decides", f"expected {decides}, as authority.decides has it"


def _discretion_faults(book: Rulebook) -> Iterator[Fault]:
    granted: set[Grant] = set()
    for number, discretion in enumerate(book.discretions):
        if discretion.grants in granted:
            yield f"discretions[{number}].grants", f"{discretion.grants} is granted twice"
        granted.add(discretion.grants)
    for key, value, needed in _granted_elsewhere(book):
        if needed not in granted:
            yield key, f"{value} needs a discretion that grants {needed}"
    if book.squeeze.banker_third_first is not None and book.squeeze.right != "largest-bet":
        yield "squeeze.banker_third_first", "goes with the right of the largest-bet only"


def _granted_elsewhere(book: Rulebook) -> Iterator[tuple[str, str, Grant]]:
    """Values that leave something to a person, and what they leave."""
    if book.squeeze.right == "largest-total-on-hand":
        yield "squeeze.right", book.squeeze.right, "any-squeezer"
        yield "squeeze.right", book.squeeze.right, "handler"
    for number, method in enumerate(book.dealing):
        if method.device == "player":
            yield f"dealing[{number}].device", method.device, "draw-without-wager"
