"""Which wrong answers are given to a skill, by nobody in particular: the common ones are offered."""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from thirdcard.school.item_types import Item, ItemMark, ItemPart, Phrase
from thirdcard.school.progress import Given

MOST_ANSWERS: Final = 12  # of a part; the rarest makes room
COMMON: Final = 2  # times, from which on an answer is offered to others


class WrongAnswer(msgspec.Struct, frozen=True):
    """An answer that was wrong, in words, and how often it was given."""

    says: Phrase
    count: int


WrongAnswers = dict[str, dict[str, WrongAnswer]]  # by part, by what was answered


def with_wrong(before: WrongAnswers, item: Item, mark: ItemMark, given: Mapping[str, Given]) -> WrongAnswers:
    """With what was wrong of one more answer."""
    after = {part: dict(answers) for part, answers in before.items()}
    for part in item.parts:
        if mark.parts[part.name] or part.name not in given:
            continue
        for key, says in _told(part, given[part.name]):
            answers = after.setdefault(part.name, {})
            count = answers[key].count if key in answers else 0
            answers[key] = WrongAnswer(says, count + 1)
            if len(answers) > MOST_ANSWERS:
                others = [other for other in answers if other != key]
                del answers[min(others, key=lambda other: answers[other].count)]
    return after


def _told(part: ItemPart, given: Given) -> Iterator[tuple[str, Phrase]]:
    """An answer that means the same in another deal: a choice, or too much or too little money."""
    if part.form == "cents" and isinstance(given, int) and isinstance(part.answer, int):
        key = "wrong-more" if given > part.answer else "wrong-less"
        yield key, Phrase(key)
    elif part.form == "choice":
        yield from ((choice.key, choice.says) for choice in part.choices if choice.key == given)


def to_offer(recorded: WrongAnswers, item: Item) -> Iterator[str]:
    """Common wrong answers that the item does not offer, the commonest first, as `recorded` names them."""
    wrong = [
        (answer.count, f"{part.name}:{key}")
        for part in item.parts
        if part.form == "choice"
        for key, answer in recorded.get(part.name, {}).items()
        if answer.count >= COMMON and key not in {choice.key for choice in part.choices}
    ]
    yield from (name for _, name in sorted(wrong, key=lambda one: (-one[0], one[1])))
