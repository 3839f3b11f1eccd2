"""What a document states twice has to agree: layouts and bets, limits and rulings, ranks and discretions.

Each value stands where the engine asks for it. Where two of them come from one paragraph, neither can be
changed alone.
"""

from collections.abc import Iterator
from typing import Final

from thirdcard.rulebook.model import Discretion, Grant, Procedure, Rulebook, Rules, Ruling

Fault = tuple[str, str]

# What is left to a person, and the remedy that leaves it.
LEFT_BY: Final[dict[Grant, str]] = {
    "reconstruction": "reconstruct",
    "order-of-cards": "decide-order",
    "replace-cards": "replace-cards",
    "removal": "remove-named",
    "intention": "return-original",
}
NOTICED: Final = {"below_minimum_noticed": "bets-open", "below_minimum_unnoticed": "bets-closed"}
TAKEN_CHIPS: Final = {"refused": "refuse", "still-plays": "settle"}


def agreement_faults(book: Rulebook) -> Iterator[Fault]:
    """Key, and what it does not agree with."""
    yield from _layout_faults(book)
    yield from _limit_faults(book)
    yield from _differential_faults(book)
    yield from _betting_faults(book)
    yield from _rank_faults(book)
    yield from _remedy_faults(book)
    yield from _insurance_faults(book)


# --- layouts and bets -------------------------------------------------------------------------------------


def _layout_faults(book: Rulebook) -> Iterator[Fault]:
    """A layout rests on the paragraphs that name it for its bets, and on those that all layouts share."""
    named = {name: bet.layouts.rules for name, bet in book.bets.items() if bet.layouts}
    shared = {rule for layout in book.layouts.values() for rule in layout.rules} - set().union(
        *named.values()
    )
    for letter, layout in book.layouts.items():
        expected = shared.union(*(named.get(name, ()) for name in layout.bets))
        for rule in sorted(expected.difference(layout.rules)):
            yield f"layouts.{letter}.rules", f"expected {rule} among them"
        for rule in sorted(set(layout.rules) - expected):
            yield f"layouts.{letter}.rules", f"{rule} names this layout for none of its bets"
    for name, rules in named.items():
        for number, tier in enumerate(book.bets[name].pays):
            yield from _lacking(f"bets.{name}.pays[{number}].rules", tier.rules, rules, "names the layouts")


# --- limits -----------------------------------------------------------------------------------------------


def _limit_faults(book: Rulebook) -> Iterator[Fault]:
    """What is done about a stake outside its limits is what the rulings order."""
    limits = book.limits
    below, above = book.procedure("below-minimum"), book.procedure("above-maximum")
    unnoticed = limits.above_maximum_unnoticed
    if below:
        for key, moment in NOTICED.items():
            stated = getattr(limits, key)
            yield from _ordered(f"limits.{key}", stated.value, stated.rules, _ruling_at(below, moment))
    if above:
        ruling = _ruling_at(above, "bets-closed")
        yield from _ordered("limits.above_maximum_unnoticed", unnoticed.value, unnoticed.rules, ruling)
        open_to = _ruling_at(above, "bets-open")
        if open_to and open_to.rules != limits.maximum.rules:
            yield "limits.maximum.rules", f"expected {', '.join(open_to.rules)}, as the ruling has it"
        return
    decides = book.authority.decides
    if unnoticed.value != decides.value:
        yield "limits.above_maximum_unnoticed", f"expected {decides.value}, where no procedure is about it"
    if unnoticed.rules != (*limits.maximum.rules, *decides.rules):
        yield "limits.above_maximum_unnoticed.rules", "expected those of limits.maximum and authority.decides"


def _differential_faults(book: Rulebook) -> Iterator[Fault]:
    stated, procedure = book.limits.differential, book.procedure("differential")
    if procedure is None:
        return
    before, after = stated.before.rules, stated.after.rules
    orders: dict[str, Rules] = {stated.after_close: (*before, *after)}
    if stated.scope == "box":
        orders = {stated.before_close: before, stated.after_close: after}
    for remedy, rules in orders.items():
        ruling = next((ruling for ruling in procedure.rulings if ruling.remedy == (remedy,)), None)
        yield from _ordered("limits.differential", remedy, rules, ruling)
    yield from _lacking("limits.differential.rules", stated.rules, procedure.rules, "is of its procedure")


def _ruling_at(procedure: Procedure, moment: str) -> Ruling | None:
    """The ruling where something is noticed then."""
    return next(
        (ruling for ruling in procedure.rulings if moment in (ruling.when.noticed or (moment,))), None
    )


def _ordered(key: str, value: str, rules: Rules, ruling: Ruling | None) -> Iterator[Fault]:
    """The ruling orders just that, by the same paragraphs."""
    if ruling is None or ruling.remedy != (value,):
        yield key, f"{value} is not what the ruling orders: {', '.join(ruling.remedy) if ruling else 'none'}"
    elif ruling.rules != rules:
        yield f"{key}.rules", f"{', '.join(rules)} where the ruling has {', '.join(ruling.rules)}"


def _lacking(key: str, rules: Rules, expected: Rules, why: str) -> Iterator[Fault]:
    for rule in expected:
        if rule not in rules:
            yield key, f"expected {rule} among them, which {why}"


# --- betting and people -----------------------------------------------------------------------------------


def _betting_faults(book: Rulebook) -> Iterator[Fault]:
    betting, taken = book.betting, book.procedure("taken-chips")
    if taken:
        stated = betting.withdrawn_after_close
        remedy = TAKEN_CHIPS[stated.value]
        yield from _ordered(
            "betting.withdrawn_after_close", remedy, stated.rules, next(iter(taken.rulings), None)
        )
    employees = tuple(rank.name for rank in book.ranks if rank.pit_employee)
    if betting.by_staff.value != employees:
        yield "betting.by_staff", f"expected the pit employees: {', '.join(employees)}"
    calls = (*betting.opens.rules, *betting.closes.rules)
    yield from _lacking("authority.deals.rules", book.authority.deals.rules, calls, "has the dealer's calls")


def _rank_faults(book: Rulebook) -> Iterator[Fault]:
    """A discretion is the rank's that the engine asks for, by the same paragraphs."""
    decides, squeeze = book.authority.decides, book.squeeze
    uncovered = book.procedure("uncovered")
    yield from _left_to(book, "not-covered", decides.value, decides.rules)
    if uncovered and uncovered.rules != decides.rules:
        yield (
            f"procedures.{uncovered.case}.rules",
            f"expected {', '.join(decides.rules)}, as authority.decides",
        )
    yield from _left_to(book, "squeeze", squeeze.permission, squeeze.rules)
    yield from _left_to(book, "any-squeezer", squeeze.permission)
    for method in book.dealing:
        if method.allowed_by:
            grants: Grant = "method-c" if method.device == "player" else "method"
            yield from _left_to(book, grants, method.allowed_by)
    if book.limits.wagers_per_area is None and _discretion(book, "fewer-wagers"):
        yield "limits.wagers_per_area", "missing, though fewer-wagers are left to somebody"
    if book.cut_card is None and _discretion(book, "cut-card-withdrawal"):
        yield "cut_card", "missing, though cut-card-withdrawal is left to somebody"


def _discretion(book: Rulebook, grants: Grant) -> Discretion | None:
    return next((discretion for discretion in book.discretions if discretion.grants == grants), None)


def _left_to(book: Rulebook, grants: Grant, rank: str, rules: Rules = ()) -> Iterator[Fault]:
    """If the document leaves that to somebody, then to this rank; `rules` if they are the same ones."""
    left = _discretion(book, grants)
    if left and left.rank != rank:
        yield f"discretions[{grants}].rank", f"expected {rank}, got {left.rank}"
    if left and rules and left.rules != rules:
        yield f"discretions[{grants}].rules", f"expected {', '.join(rules)}, got {', '.join(left.rules)}"


def _remedy_faults(book: Rulebook) -> Iterator[Fault]:
    """Who a remedy leaves a choice to is who decides, and a void cites why all bets go back."""
    rulings = [(procedure.case, ruling) for procedure in book.procedures for ruling in procedure.rulings]
    for grants, remedy in LEFT_BY.items():
        left = _discretion(book, grants)
        if left is None:
            continue
        orders = [ruling for _, ruling in rulings if remedy in ruling.remedy]
        if any(ruling.decides != left.rank for ruling in orders):
            yield f"discretions[{grants}].rank", f"{left.rank} does not decide on every {remedy}"
        if not any(set(left.rules) <= set(ruling.rules) for ruling in orders):
            yield f"discretions[{grants}].rules", f"{', '.join(left.rules)} orders no {remedy}"
    returned = book.void.rules if book.void else ()
    for case, ruling in rulings:
        if "void" in ruling.remedy:
            yield from _lacking(f"procedures.{case}.rules", ruling.rules, returned, "returns all bets")


# --- insurance --------------------------------------------------------------------------------------------


def _insurance_faults(book: Rulebook) -> Iterator[Fault]:
    insurance, first = book.insurance, book.squeeze.banker_third_first
    if bool(first and first.value) != (_discretion(book, "banker-third-first") is not None):
        yield "squeeze.banker_third_first", "goes with a discretion that grants banker-third-first"
    if first:
        yield from _left_to(book, "banker-third-first", book.squeeze.permission, first.rules)
    if insurance is None:
        return
    if first and insurance.waived.rules != first.rules:
        yield "insurance.waived.rules", f"expected {', '.join(first.rules)}, as squeeze.banker_third_first"
    neglected = book.procedure("neglected-insurance")
    if neglected and insurance.neglected.rules != neglected.rules:
        yield "insurance.neglected.rules", f"expected {', '.join(neglected.rules)}, as its procedure"
    yield from _left_to(book, "no-insurance", book.authority.manages.value, insurance.private.rules)
    shown = [notice.rules for notice in book.notices if notice.only_private]
    if shown != [insurance.private.rules]:
        yield "notices", f"expected one for private tables, by {', '.join(insurance.private.rules)}"
