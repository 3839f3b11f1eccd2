"""What somebody may have mixed up: where a wrong answer would have been right, by which paragraph.

It is looked for where wrong choices come from: another document, the cell or branch beside it, what people
answer. Amounts are worked out as they usually go wrong. What is not recognised is not guessed at.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from thirdcard.rulebook.facts import every_fact, fits
from thirdcard.rulebook.model import Facts, Procedure, Rulebook, Ruling, Side
from thirdcard.school.changed_items import other_documents
from thirdcard.school.item_types import Because, BetLine, ItemKind, ItemPart, RuleFacts, SqueezeFacts
from thirdcard.school.items import Item, mark
from thirdcard.school.making import because
from thirdcard.school.mixed_amounts import bet_elsewhere, by_another, limits, pay
from thirdcard.school.mixed_cards import insurance, result, spot, third_card
from thirdcard.school.progress import Given
from thirdcard.school.rule_items import LETS_CHOOSE, NOBODY, effect_of, fits_as_far, touches
from thirdcard.school.squeeze_items import DEALER, may_squeeze

RANKS = ("allows", "lets")  # parts that are answered with one


def mixed_up(item: Item, book: Rulebook, answers: Mapping[str, Given]) -> Because | None:
    """Of the first part that is wrong and recognised; None where nothing is."""
    right = mark(item, answers).parts
    wrong = [
        part
        for part in item.parts
        if part.name in answers and not right[part.name] and _is_offered(part, answers[part.name])
    ]
    for part in wrong:
        found = RECOGNISED[item.kind](item, book, part, answers[part.name])
        if found is not None:
            return found
    if any(f"{part.name}:{answers[part.name]}" in item.recorded for part in wrong):
        return because("mixed-recorded")
    return None


def _is_offered(part: ItemPart, given: Given) -> bool:
    """Whether it is one of the answers there are: an amount or a moment, or what was there to choose."""
    if isinstance(given, int):
        return True
    return {given} <= _keys(part) if isinstance(given, str) else {*given} <= _keys(part)


def _keys(part: ItemPart) -> set[str]:
    return {choice.key for choice in part.choices}


def _changed(item: Item, book: Rulebook, part: ItemPart, given: Given) -> Because | None:
    """What the other of the two documents says; of an amount also how it usually goes wrong."""
    other = next((one for one in item.parts if one.name != part.name), None)
    if other is not None and other.answer == given:
        return because("mixed-exchanged", other.paragraphs, book=str(other.asks.blanks["book"]))
    return bet_elsewhere(item, book, part, given)


# --- rulings ----------------------------------------------------------------------------------------------


def _rule(item: Item, book: Rulebook, part: ItemPart, given: Given) -> Because | None:
    """The same case in another document, another branch, another case, the next rank."""
    facts = item.facts
    if not isinstance(facts, RuleFacts):
        return None
    own = next(procedure for procedure in book.procedures if procedure.case == facts.case)
    if part.name.startswith("back-"):
        return _back(facts, part, given)
    if part.name == "paragraph":
        return _elsewhere(book, own, facts, lambda ruling: touches(str(given), ruling.rules), others=False)
    is_given: Callable[[Ruling], bool] = {
        "who": lambda ruling: ruling.decides == given,
        "remedy": lambda ruling: effect_of(ruling.remedy) == effect_of(tuple(str(given).split())),
        "options": lambda ruling: _choice(ruling) == given,
    }[part.name]
    return _elsewhere(book, own, facts, is_given, others=part.name != "who")


def _choice(ruling: Ruling) -> str:
    return next((LETS_CHOOSE[name] for name in ruling.remedy if name in LETS_CHOOSE), NOBODY)


def _elsewhere(
    book: Rulebook, own: Procedure, facts: RuleFacts, is_given: Callable[[Ruling], bool], *, others: bool
) -> Because | None:
    """Where a ruling has what was answered; ranks and paragraphs are each document's own."""
    established = facts.established
    for other in other_documents(book) if others else ():
        for about in own.about:
            there = other.procedure(about)
            for ruling in there.rulings if there else ():
                if fits_as_far(ruling.when, established) and is_given(ruling):
                    return Because(by_another(other, ruling.rules))
    for ruling in own.rulings:
        if is_given(ruling) and not fits(ruling.when, dict(established)):
            apart = _apart(own, ruling.when, established)
            if apart:
                return because("mixed-branch", ruling.rules, facts=apart)
    return _in_a_case((procedure for procedure in book.procedures if procedure is not own), is_given)


def _in_a_case(procedures: Iterable[Procedure], is_given: Callable[[Ruling], bool]) -> Because | None:
    """A case that is ruled so."""
    for procedure in procedures:
        for ruling in filter(is_given, procedure.rulings):
            return because("mixed-case", ruling.rules, case=procedure.case, title=procedure.title)
    return None


def _apart(own: Procedure, when: Facts, established: Mapping[str, str | bool]) -> str:
    """Facts of another branch that are not so here: those of the nearest that has it."""
    found = [one for one in every_fact(own) if fits(when, one)]
    told = [
        [f"{name}={value}" for name, value in one.items() if established.get(name) != value] for one in found
    ]
    nearest = min(told, key=len, default=[])
    return " ".join(nearest)


def _back(facts: RuleFacts, part: ItemPart, given: Given) -> Because | None:
    """All of it is what a void returns; nothing, what goes on; one bet of several, what is not decided."""
    patron = part.asks.blanks["patron"]
    stakes = [line.stake for line in facts.lines if line.patron == patron]
    if given == sum(stakes):
        return because("mixed-back-void", part.paragraphs)
    if given == 0:
        return because("mixed-back-none", part.paragraphs)
    return because("mixed-back-one", part.paragraphs) if given in stakes else None


# --- squeezing --------------------------------------------------------------------------------------------


def _squeeze(item: Item, book: Rulebook, part: ItemPart, given: Given) -> Because | None:
    """The other way to find who is first, another method, another rank."""
    facts = item.facts
    if not isinstance(facts, SqueezeFacts):
        return None
    if part.name in ("right", "turns") and part.answer != DEALER:
        return _first(facts, book, str(given))
    if part.name == "leave":
        return _leave(book)
    for method in (method for method in book.dealing if method.name != facts.method):
        says_so = {
            "device": _device(method.device) == given,
            "handles": method.handles == given,
            "turns": may_squeeze(method),
            "allows": method.allowed_by == given,
        }
        if says_so.get(part.name):
            return because("mixed-method", method.rules, method=method.name)
    decided = book.procedures if part.name in RANKS else ()
    return _in_a_case(decided, lambda ruling: ruling.decides == given)


def _device(device: str) -> str:
    return "dealer" if device == "dealer" else "players"


def _leave(book: Rulebook) -> Because | None:
    for other in other_documents(book):
        if other.squeeze.right != book.squeeze.right:
            return Because(by_another(other, other.squeeze.rules))
    return None


def _first(facts: SqueezeFacts, book: Rulebook, given: str) -> Because | None:
    hand, rights = Side(facts.hand), book.squeeze
    there = [line for line in facts.lines if line.seated or not rights.seated_only]
    standing = {line.patron for line in facts.lines if not line.seated}
    ways: dict[str, list[BetLine]] = {
        "mixed-largest-total": [line for line in there if line.bet == hand.value],
        "mixed-other-hand-total": [line for line in there if line.bet == hand.other.value],
        "mixed-table-total": there,
    }
    if rights.seated_only and given in standing:
        return because("mixed-standing", rights.rules, patron=given)
    if max(there, key=lambda line: line.stake).patron == given:
        return because("mixed-largest-bet", rights.rules, patron=given)
    for key, lines in ways.items():
        if _leader(lines) == given:
            return because(key, rights.rules, patron=given, hand=hand)
    return None


def _leader(lines: list[BetLine]) -> str | None:
    totals: dict[str, int] = {}
    for line in lines:
        totals[line.patron] = totals.get(line.patron, 0) + line.stake
    return max(totals, key=totals.__getitem__, default=None)


RECOGNISED: Final[dict[ItemKind, Callable[[Item, Rulebook, ItemPart, Given], Because | None]]] = {
    "third-card": third_card,
    "result": result,
    "pay": pay,
    "insurance": insurance,
    "limits": limits,
    "squeeze": _squeeze,
    "spot": spot,
    "rule": _rule,
    "changed": _changed,
}
