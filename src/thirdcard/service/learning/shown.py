"""Items and answers as they go out: every sentence in the reader's language."""

import shlex
from collections.abc import Mapping

import msgspec

from thirdcard.rulebook.model import Rulebook, Rules
from thirdcard.school.in_words import answer_told, call_told, facts_told, say
from thirdcard.school.item_types import (
    POINTS_HIDDEN,
    AnswerForm,
    AnyFacts,
    Item,
    ItemKind,
    ItemMark,
    RightAnswer,
)
from thirdcard.school.items import hidden
from thirdcard.school.mixed_up import mixed_up
from thirdcard.school.progress import Given, ItemName, name_of
from thirdcard.words import Language, words


class ChoiceShown(msgspec.Struct, frozen=True, kw_only=True):
    """One of the answers to choose from: `key` is what is sent."""

    key: str
    says: str


class PartShown(msgspec.Struct, frozen=True, kw_only=True):
    """One question of an item. `form` is how it is answered: a `choice`, `several`, or `cents`."""

    name: str
    asks: str
    form: AnswerForm
    choices: tuple[ChoiceShown, ...]


class QuestionShown(msgspec.Struct, frozen=True, kw_only=True):
    """An item before it is answered: what lies there, `tells` it too; speed is marked by `seconds`.

    `order` says that the order in which lines are settled is marked, where it is told. `call` is the result
    as it was called before a box is paid, on levels that show points.
    """

    kind: ItemKind
    rulebook: str
    layout: str
    decks: int
    level: int
    facts: AnyFacts
    tells: tuple[str, ...]
    call: str
    parts: tuple[PartShown, ...]
    seconds: float
    order: bool


class StepShown(msgspec.Struct, frozen=True, kw_only=True):
    """A step of the explanation with its paragraphs."""

    says: str
    paragraphs: Rules


class CostShown(msgspec.Struct, frozen=True, kw_only=True):
    """What the commonest error would have cost, in cents; where that is 0, `says` why."""

    says: str
    cents: int


class SolutionShown(msgspec.Struct, frozen=True, kw_only=True):
    """The one right answer to each part, why, what an error would have cost, what prescribes an `order`."""

    answers: dict[str, RightAnswer]
    order: Rules
    paragraphs: Rules
    reason: tuple[StepShown, ...]
    cost: CostShown


class ItemShown(msgspec.Struct, frozen=True, kw_only=True):
    """An item: its `name` makes it again, for ever; `solution` is None where it is not told."""

    name: ItemName
    question: QuestionShown
    solution: SolutionShown | None


class MarkShown(msgspec.Struct, frozen=True, kw_only=True):
    """How an answer was marked: each part by its name, points from 0 to 100, the `order` by itself."""

    right: bool
    parts: dict[str, bool]
    points: int
    given: dict[str, Given]
    order: bool | msgspec.UnsetType


def question_shown(item: Item, book: Rulebook, language: Language) -> QuestionShown:
    seen, lexicon = hidden(item), words(language)
    points = seen.level < POINTS_HIDDEN
    return QuestionShown(
        kind=seen.kind,
        rulebook=seen.rulebook,
        layout=seen.layout,
        decks=seen.decks,
        level=seen.level,
        facts=seen.facts,
        tells=tuple(facts_told(seen.facts, lexicon, book, points=points)),
        call=call_told(seen.facts, lexicon, book) if points else "",
        parts=tuple(
            PartShown(
                name=part.name,
                asks=say(part.asks, lexicon, book),
                form=part.form,
                choices=tuple(
                    ChoiceShown(key=choice.key, says=say(choice.says, lexicon, book))
                    for choice in part.choices
                ),
            )
            for part in seen.parts
        ),
        seconds=seen.seconds,
        order=seen.order,
    )


def solution_shown(item: Item, book: Rulebook, language: Language) -> SolutionShown:
    cost, lexicon = item.cost, words(language)
    return SolutionShown(
        answers={part.name: part.answer for part in item.parts},
        order=item.order or (),
        paragraphs=item.paragraphs,
        reason=tuple(
            StepShown(says=say(step.says, lexicon, book), paragraphs=step.paragraphs) for step in item.reason
        ),
        cost=CostShown(says=say(cost.says, lexicon, book), cents=cost.cents),
    )


def mixed_up_shown(
    item: Item, book: Rulebook, given: Mapping[str, Given], language: Language
) -> StepShown | None:
    """What may have been mixed up, where an answer is wrong in a way that is known."""
    slip = mixed_up(item, book, given)
    if slip is None:
        return None
    return StepShown(says=say(slip.says, words(language), book), paragraphs=slip.paragraphs)


class TracePart(msgspec.Struct, frozen=True, kw_only=True):
    """A question as the engine answers it: what is right, in words, by which paragraphs."""

    asks: str
    right: str
    paragraphs: Rules


class TraceShown(msgspec.Struct, frozen=True, kw_only=True):
    """How an answer was worked out: from what lay there (`tells`), step by step, part by part.

    `command` makes the item again on any machine.
    """

    tells: tuple[str, ...]
    steps: tuple[StepShown, ...]
    parts: tuple[TracePart, ...]
    command: str


def trace_shown(item: Item, book: Rulebook, language: Language) -> TraceShown:
    lexicon = words(language)
    return TraceShown(
        tells=tuple(facts_told(item.facts, lexicon, book)),
        steps=solution_shown(item, book, language).reason,
        parts=tuple(
            TracePart(
                asks=say(part.asks, lexicon, book),
                right=answer_told(part, lexicon, book),
                paragraphs=part.paragraphs or item.paragraphs,
            )
            for part in item.parts
        ),
        command=(
            f"thirdcard school items {item.kind} --rulebook {item.rulebook} --layout {item.layout} "
            f"--decks {item.decks} --level {item.level} --skill {item.skill} "
            f"--seed {item.seed} --first {item.number} --count 1"
            + "".join(f" --recorded {shlex.quote(one)}" for one in item.recorded)
        ),
    )


def item_shown(item: Item, book: Rulebook, language: Language, *, solved: bool) -> ItemShown:
    return ItemShown(
        name=name_of(item),
        question=question_shown(item, book, language),
        solution=solution_shown(item, book, language) if solved else None,
    )


def mark_shown(mark: ItemMark, given: Mapping[str, Given]) -> MarkShown:
    return MarkShown(
        right=mark.right,
        parts=mark.parts,
        points=mark.points,
        given=dict(given),
        order=msgspec.UNSET if mark.order is None else mark.order,
    )
