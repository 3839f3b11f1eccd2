"""What makers make items with: a ground to work on, and one way each to make a phrase, a part and a cost."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

import msgspec

from thirdcard.rulebook.model import Rulebook, Rules
from thirdcard.school.chance import SeededChance
from thirdcard.school.item_types import AnyFacts, Because, Choice, Cost, ItemPart, Phrase

T = TypeVar("T")


def phrase(key: str, /, **blanks: str | int) -> Phrase:
    return Phrase(key, blanks)


def because(key: str, rules: Rules = (), /, **blanks: str | int) -> Because:
    return Because(Phrase(key, blanks), rules)


def cost(key: str, cents: int, /, **blanks: str | int) -> Cost:
    return Cost(Phrase(key, blanks), cents)


def cost_of_cents(key: str, cents: int) -> Cost:
    """An error that costs so much, and its sentence says no more than that."""
    return cost(key, cents, cents=cents)


def cost_of_net(key: str, bet: str, stake: int, /, *, wrong: int, right: int, **more: str | int) -> Cost:
    """An error by which a stake on a bet comes to another net result."""
    cents = abs(wrong - right)
    return cost(key, cents, bet=bet, stake_cents=stake, wrong_net=wrong, right_net=right, **more)


class Ground(msgspec.Struct, frozen=True, kw_only=True):
    """What a maker works on: a rulebook on one of its layouts, a level, and chance."""

    book: Rulebook
    layout: str
    decks: int
    level: int
    chance: SeededChance
    recorded: tuple[str, ...] = ()

    def recorded_first(self, part: str, some: Iterable[T], key: Callable[[T], str] = str) -> list[T]:
        """Those that people give as wrong answers before the others, in their order."""
        return sorted(some, key=lambda one: f"{part}:{key(one)}" not in self.recorded)

    def offered_first(self, part: str, options: "Iterable[OfferedChoice]") -> "list[OfferedChoice]":
        """The same of choices."""
        return self.recorded_first(part, options, key=lambda option: option.key)

    @property
    def bets(self) -> tuple[str, ...]:
        return self.book.layouts[self.layout].bets


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """What a maker makes; the item's names are added to it."""

    facts: AnyFacts
    parts: tuple[ItemPart, ...]
    reason: tuple[Because, ...]
    cost: Cost
    paragraphs: Rules = ()
    order: Rules = ()


def made_of(  # noqa: PLR0913 - what an item has
    facts: AnyFacts,
    parts: Iterable[ItemPart | None],
    reason: Iterable[Because],
    cost: Cost,
    *,
    paragraphs: Rules = (),
    order: Rules = (),
) -> Made | None:
    """An item of these parts; none if one of them cannot be asked."""
    asked = tuple(parts)
    whole = tuple(part for part in asked if part)
    if not whole or len(whole) < len(asked):
        return None
    return Made(facts=facts, parts=whole, reason=tuple(reason), cost=cost, paragraphs=paragraphs, order=order)


class OfferedChoice(msgspec.Struct, frozen=True):
    """A choice with its effect: two that come to the same cannot both be offered."""

    key: str
    says: Phrase
    effect: object


def choice_part(  # noqa: PLR0913 - what a question has
    name: str,
    asks: Phrase,
    right: OfferedChoice,
    wrong: Iterable[OfferedChoice],
    *,
    paragraphs: Rules = (),
    most: int = 4,
    order: Iterable[str] | SeededChance = (),
) -> ItemPart | None:
    """A question with one right choice; `None` if no wrong one is left that comes to something else.

    The nearest wrong ones are kept, `most` choices in all, in the `order` of their keys or shuffled.
    """
    kept = [right]
    for choice in wrong:
        taken = [(other.key, other.says, other.effect) for other in kept]
        if len(kept) < most and not any(
            choice.key == key or choice.says == says or choice.effect == effect for key, says, effect in taken
        ):
            kept.append(choice)
    if len(kept) == 1:
        return None
    if isinstance(order, SeededChance):
        kept = order.shuffled(kept)
    else:
        places = {key: place for place, key in enumerate(order)}
        kept.sort(key=lambda choice: places.get(choice.key, len(places)))
    return ItemPart(
        name=name,
        asks=asks,
        form="choice",
        choices=tuple(Choice(choice.key, choice.says) for choice in kept),
        answer=right.key,
        paragraphs=paragraphs,
    )


def one_of(
    name: str, asks: Phrase, right: str, says: Mapping[str, Phrase], paragraphs: Rules = ()
) -> ItemPart | None:
    """A question with all of these choices, in their order; `None` if there is a single one."""
    options = {key: OfferedChoice(str(key), phrase, key) for key, phrase in says.items()}
    return choice_part(
        name, asks, options[right], options.values(), paragraphs=paragraphs, most=len(says), order=says
    )


def several_of(
    name: str, asks: Phrase, right: Iterable[str], says: Mapping[str, Phrase], paragraphs: Rules = ()
) -> ItemPart:
    """A question with several right choices, or none."""
    choices = tuple(Choice(str(key), phrase) for key, phrase in says.items())
    answer = tuple(map(str, right))
    return ItemPart(
        name=name, asks=asks, form="several", choices=choices, answer=answer, paragraphs=paragraphs
    )


def amount(name: str, asks: Phrase, cents: int, paragraphs: Rules = ()) -> ItemPart:
    """A question for an amount."""
    return ItemPart(name=name, asks=asks, form="cents", answer=cents, paragraphs=paragraphs)


def joined(*rules: Rules) -> Rules:
    """Paragraphs of several, each once."""
    return tuple(dict.fromkeys(rule for some in rules for rule in some))
