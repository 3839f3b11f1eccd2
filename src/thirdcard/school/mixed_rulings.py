"""Wrong rulings and ranks: the document, branch, case or method in which they would have been right."""

from collections.abc import Callable, Iterable, Mapping

from thirdcard.rulebook.facts import every_fact, fits
from thirdcard.rulebook.model import Facts, Procedure, Rulebook, Ruling, Side
from thirdcard.school.changed_items import other_documents
from thirdcard.school.item_types import Because, BetLine, ItemPart, Phrase, RuleFacts, SqueezeFacts
from thirdcard.school.items import Item
from thirdcard.school.mixed_amounts import by_another
from thirdcard.school.progress import Given
from thirdcard.school.rule_items import LETS_CHOOSE, NOBODY, effect_of, fits_as_far, touches
from thirdcard.school.squeeze_items import DEALER, may_squeeze

RANKS = ("allows", "lets")  # parts that are answered with one


def rule(item: Item, book: Rulebook, part: ItemPart, given: Given) -> Because | None:
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
                return Because(Phrase("mixed-branch", {"facts": apart}), ruling.rules)
    return _in_a_case((procedure for procedure in book.procedures if procedure is not own), is_given)


def _in_a_case(procedures: Iterable[Procedure], is_given: Callable[[Ruling], bool]) -> Because | None:
    """A case that is ruled so."""
    for procedure in procedures:
        for ruling in filter(is_given, procedure.rulings):
            case: dict[str, str | int] = {"case": procedure.case, "title": procedure.title}
            return Because(Phrase("mixed-case", case), ruling.rules)
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
        return Because(Phrase("mixed-back-void"), part.paragraphs)
    if given == 0:
        return Because(Phrase("mixed-back-none"), part.paragraphs)
    return Because(Phrase("mixed-back-one"), part.paragraphs) if given in stakes else None


# --- squeezing --------------------------------------------------------------------------------------------


def squeeze(item: Item, book: Rulebook, part: ItemPart, given: Given) -> Because | None:
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
            return Because(Phrase("mixed-method", {"method": method.name}), method.rules)
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
        return Because(Phrase("mixed-standing", {"patron": given}), rights.rules)
    if max(there, key=lambda line: line.stake).patron == given:
        return Because(Phrase("mixed-largest-bet", {"patron": given}), rights.rules)
    for key, lines in ways.items():
        if _leader(lines) == given:
            return Because(Phrase(key, {"patron": given, "hand": hand.value}), rights.rules)
    return None


def _leader(lines: list[BetLine]) -> str | None:
    totals: dict[str, int] = {}
    for line in lines:
        totals[line.patron] = totals.get(line.patron, 0) + line.stake
    return max(totals, key=totals.__getitem__, default=None)
