"""What somebody may have mixed up: where a wrong answer would have been right, by which paragraph.

It is looked for where wrong choices come from: another document, the cell or branch beside it, what people
answer. Amounts are worked out as they usually go wrong. What is not recognised is not guessed at.
"""

from collections.abc import Callable, Mapping
from typing import Final

from thirdcard.rulebook.model import Rulebook
from thirdcard.school.item_types import Because, ItemKind, ItemPart, Phrase
from thirdcard.school.items import Item, mark
from thirdcard.school.mixed_amounts import bet_elsewhere, limits, pay
from thirdcard.school.mixed_cards import insurance, result, spot, third_card
from thirdcard.school.mixed_rulings import rule, squeeze
from thirdcard.school.progress import Given


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
        return Because(Phrase("mixed-recorded"))
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
        return Because(Phrase("mixed-exchanged", {"book": str(other.asks.blanks["book"])}), other.paragraphs)
    return bet_elsewhere(item, book, part, given)


RECOGNISED: Final[dict[ItemKind, Callable[[Item, Rulebook, ItemPart, Given], Because | None]]] = {
    "third-card": third_card,
    "result": result,
    "pay": pay,
    "insurance": insurance,
    "limits": limits,
    "squeeze": squeeze,
    "spot": spot,
    "rule": rule,
    "changed": _changed,
}
