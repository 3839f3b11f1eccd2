"""Items: made from a seed, marked, shown without their answers.

An item is what its kind, rulebook, layout, decks, seed, number, level and skill make of it, and nothing else.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from types import ModuleType
from typing import Final

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook.load import Which, load
from thirdcard.rulebook.lookup import check_decks, check_usual, find_layout, usual_decks
from thirdcard.rulebook.model import Rulebook
from thirdcard.school import pay_items, spot_items, third_card_items
from thirdcard.school.chance import SeededChance
from thirdcard.school.dealt_hands import NeverDealtError
from thirdcard.school.item_types import (
    KINDS,
    LEVELS,
    SPEEDS,
    Because,
    Item,
    ItemKind,
    ItemMark,
    ItemPart,
    ItemQuestion,
    QuestionPart,
    SpotFacts,
)
from thirdcard.school.making import Ground, Made, joined
from thirdcard.strict import fields_of, whole

# Of each kind the module that makes its items: `third-card` is in `third_card_items.py`.
MAKERS: Final[dict[ItemKind, ModuleType]] = {
    kind: import_module(f"thirdcard.school.{kind.replace('-', '_')}_items") for kind in KINDS
}
ANOTHER: Final = 50  # items that are passed over since they show what was shown before
TRIES: Final = 400  # deals that are thrown away before an item is given up
FIRST_LEVEL, A_LEVEL, TO_NAME_IT = 12.0, 0.9, 10.0  # seconds a part, less so much a level; after a replay
SLOW_KINDS: Final = {"rule": 1.7, "changed": 1.7}
CORRECTNESS, SPEED, HINT = 80, 20, 10  # points
LOOKED_BACK: Final = 2 / 3  # of the points, after another look at a replay


def skills(kind: str, rulebook: Which, layout: str | None = None) -> tuple[str, ...]:
    """Every skill of a kind that a rulebook's layout asks for; none where it has nothing of the kind."""
    book = load(rulebook)
    every: tuple[str, ...] = _maker(kind)[1].skills(book, _layout(book, layout))
    return every


def make(  # noqa: PLR0913 - what an item is made of
    kind: str,
    rulebook: Which,
    seed: str,
    number: int,
    *,
    layout: str | None = None,
    decks: int | None = None,
    skill: str | None = None,
    level: int = 1,
    recorded: Sequence[str] = (),
) -> Item:
    """One item, the same for the same arguments; without a skill, the next of the seed's order of all.

    A skill that these decks cannot deal, as two cards alike from a single one, gives way to the next.
    `recorded` are wrong choices, such as `remedy:void`, that it has to offer: BadInput if it cannot.
    """
    book = load(rulebook)
    check_usual(book, "the school deals")
    letter, many = _layout(book, layout), check_decks(book, usual_decks(book, decks))
    if not 1 <= whole("the level", level) <= LEVELS:
        raise BadInput(f"levels are 1 to {LEVELS}: got {level}")
    if whole("the number of an item", number) < 0:
        raise BadInput(f"items are counted from 0: got {number}")
    name, maker = _maker(kind)
    ground = Ground(
        book=book,
        layout=letter,
        decks=many,
        level=level,
        chance=SeededChance(seed),
        recorded=tuple(recorded),
    )
    wanted = (skill,) if skill else _next_skills(name, ground, seed, number)
    if wanted[0] not in maker.skills(book, letter):
        raise BadInput(f"{book.slug} has no skill {wanted[0]!r} of {kind} on layout {letter}")
    refused = BadInput(f"no item of {wanted[0]} could be made on layout {letter} of {book.slug}")
    for asked in wanted:
        try:
            made = _first_sound(name, ground, asked, number, seed)
        except NeverDealtError as never:
            refused = never
            continue
        if made is not None:
            _check_recorded(made, ground)
            return finished_item(made, name, ground, asked, seed, number)
    raise refused


def _first_sound(kind: ItemKind, ground: Ground, skill: str, number: int, seed: str) -> Made | None:
    """The first that can be asked of all that chance makes of it; none after so many in vain."""
    for attempt in range(TRIES):
        names = kind, ground.layout, ground.decks, ground.level, skill, number, attempt, seed
        chance = SeededChance("\n".join(map(str, names)))
        item: Made | None = MAKERS[kind].make(msgspec.structs.replace(ground, chance=chance), skill)
        if item is not None and is_sound(item):
            return item
    return None


def session(  # noqa: PLR0913 - what items are made of
    kind: str,
    rulebook: Which,
    seed: str,
    *,
    layout: str | None = None,
    decks: int | None = None,
    level: int = 1,
) -> Iterator[Item]:
    """The items of a seed in their order, none that shows what one before it showed.

    Where so many in a row would, there is nothing else to ask, and it comes again.
    """
    seen: set[str] = set()
    number = 0
    while True:
        for tried in range(ANOTHER):
            item = make(kind, rulebook, seed, number + tried, layout=layout, decks=decks, level=level)
            if (shown := what_is_shown(item)) not in seen:
                break
        seen.add(shown)
        number = item.number + 1
        yield item


def what_is_shown(item: Item) -> str:
    """By which an item is known again that shows the same, whatever it is made from."""
    shown = msgspec.json.encode((item.kind, item.facts, tuple(part.asks for part in item.parts)))
    return sha256(shown).hexdigest()[:16]


def finished_item(made: Made, kind: ItemKind, ground: Ground, skill: str, seed: str, number: int) -> Item:  # noqa: PLR0913, PLR0917
    """What was made, with the names that it goes by."""
    cited: tuple[ItemPart | Because | Made, ...] = (*made.parts, *made.reason, made)
    return fields_of(
        Item,
        made,
        kind=kind,
        rulebook=ground.book.slug,
        layout=ground.layout,
        decks=ground.decks,
        seed=seed,
        number=number,
        level=ground.level,
        skill=skill,
        paragraphs=joined(*(one.paragraphs for one in cited)),
        recorded=ground.recorded,
        order=made.order or msgspec.UNSET,
    )


def _check_recorded(made: Made, ground: Ground) -> None:
    offered = {f"{part.name}:{choice.key}" for part in made.parts for choice in part.choices}
    right = {f"{part.name}:{part.answer}" for part in made.parts}
    for one in ground.recorded:
        if one not in offered or one in right:
            raise BadInput(f"this item cannot offer {one[:60]!r} as a wrong choice: leave it out")


def _maker(kind: str) -> tuple[ItemKind, ModuleType]:
    for name, module in MAKERS.items():
        if name == kind:
            return name, module
    raise BadInput(f"there is no drill {str(kind)[:40]!r}: choose one of {', '.join(MAKERS)}")


def _layout(book: Rulebook, layout: str | None) -> str:
    letter = next(iter(book.layouts)) if layout is None else layout
    find_layout(book, letter)
    return letter


def _next_skills(kind: ItemKind, ground: Ground, seed: str, number: int) -> tuple[str, ...]:
    """The next of all skills of the level in the seed's own order, then in another; and some after it."""
    every = _at_level(kind, ground.book, ground.layout, ground.level)
    if not every:
        raise BadInput(
            f"layout {ground.layout} of {ground.book.slug} has nothing that a {kind} drill could ask: "
            "choose another"
        )
    turn, place = divmod(number, len(every))
    turned = _in_order(every, f"{kind}\n{ground.layout}\n{turn}\n{seed}")
    return (*turned[place:], *turned[:place])[:ANOTHER]


@lru_cache(maxsize=4096)
def _at_level(kind: ItemKind, book: Rulebook, layout: str, level: int) -> tuple[str, ...]:
    every: tuple[str, ...] = MAKERS[kind].skills(book, layout)
    if kind == "third-card":
        return tuple(one for one in every if third_card_items.at_level(one, level))
    return spot_items.in_session(every) if kind == "spot" else every


@lru_cache(maxsize=256)
def _in_order(found: tuple[str, ...], seed: str) -> tuple[str, ...]:
    return tuple(SeededChance(seed).shuffled(found))


def is_sound(made: Made) -> bool:
    """One right answer to each part, no two choices alike."""
    return bool(made.parts) and all(map(_part_is_sound, made.parts))


def _part_is_sound(part: ItemPart) -> bool:
    keys = [choice.key for choice in part.choices]
    said = [choice.says for choice in part.choices]
    apart = len(set(keys)) == len(keys) and all(said.count(phrase) == 1 for phrase in said)
    if part.form == "cents":
        return isinstance(part.answer, int) and not keys
    if part.form == "several":
        return apart and isinstance(part.answer, tuple) and {*part.answer} <= {*keys}
    return apart and part.answer in keys and len(keys) > 1


# --- answers ----------------------------------------------------------------------------------------------


def mark(  # noqa: PLR0913 - what an answer is
    item: Item,
    answers: Mapping[str, str | Sequence[str] | int],
    *,
    order: Sequence[str] = (),
    seconds: float | None = None,
    hint: bool = False,
    looked_back: bool = False,
) -> ItemMark:
    """An answer marked by its parts: 80 points for what is right, 20 for speed if all is; a hint costs 10.

    The `order` in which the lines of a box were settled is a mark of its own, and changes no other.
    At which step a replay goes wrong is answered with a step, or with the moment at which it was stopped: a
    whole number of milliseconds, right from the error until four seconds later. Who looked back at it gets
    two thirds of the points.
    Without `seconds` (the clock is off) there is no mark for speed, and what is right is worth 100.
    """
    if looked_back and not isinstance(item.facts, SpotFacts):
        raise BadInput(f"only a replay can be looked back at: leave looked_back out for {item.kind}")
    unknown = answers.keys() - {part.name for part in item.parts}
    if unknown:
        names = ", ".join(part.name for part in item.parts)
        raise BadInput(f"this item does not ask for {min(unknown)!r}: it asks for {names}")
    parts = {
        part.name: part.name in answers and _is_right(item, part, answers[part.name]) for part in item.parts
    }
    in_order = _ordered(item, order) if order else None
    share, right = sum(parts.values()) / len(parts), all(parts.values())
    worth = CORRECTNESS + SPEED if seconds is None else CORRECTNESS
    points = worth * share
    if seconds is not None and right:
        limit = seconds_for(item)
        points += SPEED * min(1.0, max(0.0, 2 * (limit - seconds) / (limit - seconds_before(item))))
    if looked_back:
        points *= LOOKED_BACK
    return ItemMark(
        right=right, parts=parts, order=in_order, points=max(0, round(points) - (HINT if hint else 0))
    )


def _is_right(item: Item, part: ItemPart, given: str | Sequence[str] | int) -> bool:
    if isinstance(item.facts, SpotFacts) and part.name == spot_items.STEP and type(given) is int:
        return spot_items.stopped_in_time(item.facts, part.answer, given)
    if part.form == "several":
        if isinstance(given, (str, int)) or not all(isinstance(one, str) for one in given):
            raise BadInput(f"{part.name} is answered with a list of choices: got {given!r}")
        return {*given} == {*_keys(part.answer)}
    if part.form == "cents":
        if type(given) is not int:
            raise BadInput(f"{part.name} is answered with an amount in whole cents: got {given!r}")
        return given == part.answer
    if not isinstance(given, str):
        raise BadInput(f"{part.name} is answered with one of its choices: got {given!r}")
    return given == part.answer


def _ordered(item: Item, settled: Sequence[str]) -> bool:
    if item.order is msgspec.UNSET:
        raise BadInput("nothing prescribes an order for this item: leave the order out")
    lines = {
        part.name: part.answer for part in item.parts if isinstance(part.answer, int) and part.form == "cents"
    }
    return pay_items.is_in_order(lines, settled)


def _keys(answer: str | tuple[str, ...] | int) -> tuple[str, ...]:
    return answer if isinstance(answer, tuple) else ()


def seconds_for(item: Item) -> float:
    """The time of an item: the ladder's for a third card, a replay's own, so much a part for the others."""
    if item.kind == "third-card":
        return round(SPEEDS[item.level - 1] * len(item.parts), 1)
    if isinstance(item.facts, SpotFacts):
        return round(item.facts.steps[-1].at_ms / 1000 + TO_NAME_IT, 1)
    slow = SLOW_KINDS.get(item.kind, 1.0)
    return round(slow * (FIRST_LEVEL - A_LEVEL * (item.level - 1)) * len(item.parts), 1)


def seconds_before(item: Item) -> float:
    """Time in which there is nothing to answer yet: of a replay until its error, or its end without one."""
    if not isinstance(item.facts, SpotFacts):
        return 0.0
    return spot_items.first_moment(item.facts, item.parts[0].answer) / 1000


def hidden(item: Item) -> ItemQuestion:
    """What a learner may see before answering."""
    parts = tuple(fields_of(QuestionPart, part) for part in item.parts)
    return fields_of(
        ItemQuestion, item, parts=parts, seconds=seconds_for(item), order=item.order is not msgspec.UNSET
    )


def template(item: Item) -> str:
    """What ratings belong to, so that a new deal of the same skill starts known."""
    return f"{item.skill}@{item.level}@{item.rulebook}"


def difficulty(item: Item) -> int:
    """A first estimate of the item's rating, 1500 for an ordinary one, before anybody has answered it."""
    by_kind = {"third-card": -200, "result": -50, "limits": 50, "insurance": 100, "rule": 150, "changed": 200}
    return 1500 + by_kind.get(item.kind, 0) + 40 * (item.level - 1) + 25 * (len(item.parts) - 1)
