"""Exams: one set of items from one sealed seed, the same for everybody, each in an order of their own.

The seal is told before the first item and the seed after the last person has finished: with both, anybody
makes the set again and marks every answer.
"""

import hashlib
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import accumulate, repeat
from math import comb
from operator import mul
from typing import Annotated, Final

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook import named, slugs
from thirdcard.rulebook.diff import diff
from thirdcard.rulebook.forms import digest_of
from thirdcard.rulebook.lookup import check_decks, find_layout, usual_decks
from thirdcard.rulebook.model import Rulebook, Rules
from thirdcard.rulebook.versions import VERSIONED
from thirdcard.school.chance import SeededChance
from thirdcard.school.item_types import KINDS, Item
from thirdcard.school.items import make, mark, skills
from thirdcard.school.progress import Given
from thirdcard.school.spot_items import NO_ERROR, SPOT, error_rules
from thirdcard.strict import fields_of

TAG: Final = "thirdcard exam 1"
MOST_ITEMS: Final = 200
MOST_PARTS: Final = 12
GUESSED: Final = 0.3  # how often something is right that nobody has learnt

Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]
Title = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
Skill = Annotated[str, msgspec.Meta(min_length=1, max_length=120)]


class ExamPart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """So many items of one kind, at one level, of which the `least` percentage has to be right.

    `skills` are given where an exam renews certificates: without them, all of the kind are asked.
    """

    kind: Annotated[str, msgspec.Meta(max_length=20)]
    items: Annotated[int, msgspec.Meta(ge=1, le=100)]
    level: Annotated[int, msgspec.Meta(ge=1, le=10)] = 3
    least: Percent = 0
    skills: tuple[Skill, ...] | msgspec.UnsetType = msgspec.UNSET  # not in the seals of plans without


class ExamPlan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is asked, in how many minutes, and how much of it has to be right to pass.

    One that renews certificates names the text that they are of, `slug@digest`.
    """

    title: Title
    rulebook: Annotated[str, msgspec.Meta(min_length=1, max_length=160)]
    layout: Annotated[str, msgspec.Meta(min_length=1, max_length=2)]
    decks: Annotated[int, msgspec.Meta(ge=1, le=16)]
    parts: tuple[ExamPart, ...]
    minutes: Annotated[int, msgspec.Meta(ge=1, le=480)] = 40
    pass_mark: Annotated[int, msgspec.Meta(ge=1, le=100)] = 85
    renews: Annotated[str, msgspec.Meta(max_length=240)] | msgspec.UnsetType = msgspec.UNSET

    @property
    def items(self) -> int:
        return sum(part.items for part in self.parts)


class MarkedItem(msgspec.Struct, frozen=True, kw_only=True):
    """An item of the set, by its place, and whether it was answered right; with what it was about."""

    place: int
    kind: str
    skill: str
    right: bool
    paragraphs: Rules


class ExamPartResult(msgspec.Struct, frozen=True, kw_only=True):
    """`enough` says whether the least percentage of the part was reached."""

    kind: str
    items: int
    right: int
    least: int
    enough: bool


class ExamResult(msgspec.Struct, frozen=True, kw_only=True):
    """What an exam came to; struck items count for nobody, neither as right nor as wrong."""

    items: int
    right: int
    pass_mark: int
    passed: bool
    parts: tuple[ExamPartResult, ...]
    wrong: tuple[MarkedItem, ...]


# --- plans ------------------------------------------------------------------------------------------------

# The dealer's exam: 60 items in 40 minutes, 85% to pass, 70% of the payouts.
DEALER: Final = (
    ("third-card", 20, 0),
    ("result", 8, 0),
    ("pay", 16, 70),
    ("insurance", 8, 0),
    ("rule", 8, 0),
)
DEALER_ITEMS: Final = 60


def dealer_plan(book: Rulebook, title: str, *, layout: str, decks: int) -> ExamPlan:
    """The usual exam of a dealer; what this layout has nothing of is asked as third cards."""
    there = [(kind, items, least) for kind, items, least in DEALER if _has(kind, book, layout)]
    more = DEALER_ITEMS - sum(items for _, items, _ in there)
    parts = tuple(
        ExamPart(kind=kind, items=items + (more if kind == "third-card" else 0), least=least)
        for kind, items, least in there
    )
    return ExamPlan(title=title, rulebook=book.slug, layout=layout, decks=decks, parts=parts)


def check_plan(plan: ExamPlan, book: Rulebook) -> None:
    """BadInput if no exam can be made of it."""
    find_layout(book, plan.layout)
    check_decks(book, plan.decks)
    if not plan.title.isprintable() or not plan.title.strip():
        raise BadInput("an exam's title has 1 to 80 printable characters")
    if not 1 <= len(plan.parts) <= MOST_PARTS:
        raise BadInput(f"an exam has 1 to {MOST_PARTS} parts: these are {len(plan.parts)}")
    if plan.items > MOST_ITEMS:
        raise BadInput(f"an exam has at most {MOST_ITEMS} items: these are {plan.items}")
    if len({part.kind for part in plan.parts}) < len(plan.parts):
        raise BadInput("an exam has one part of each kind")
    for part in plan.parts:
        if not skills(part.kind, book, plan.layout):
            raise BadInput(f"{book.slug} has nothing to ask {part.kind} by on layout {plan.layout}")


def _has(kind: str, book: Rulebook, layout: str) -> bool:
    try:
        return bool(skills(kind, book, layout))
    except BadInput:
        return False


# --- the set ----------------------------------------------------------------------------------------------


def seal_of(seed: str, digest: str, plan: ExamPlan) -> str:
    """The SHA-256, in hex, of four lines: a tag, the seed, the digest of the rulebook, the plan as JSON."""
    lines = (TAG, seed, digest, msgspec.json.encode(plan).decode())
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@lru_cache(maxsize=1024)  # everybody is asked the same, and asked again when it is marked
def item_at(plan: ExamPlan, book: Rulebook, seed: str, place: int) -> Item:
    """The item at a place of the set, counted from 0 through all parts."""
    number = place
    for part in plan.parts:
        if 0 <= number < part.items:
            return make(
                part.kind,
                book,
                seed,
                number,
                layout=plan.layout,
                decks=plan.decks,
                skill=_chosen(part, seed, number),
                level=part.level,
            )
        number -= part.items
    raise BadInput(f"this exam has items 0 to {plan.items - 1}: got {place}")


def _chosen(part: ExamPart, seed: str, number: int) -> str | None:
    """Of chosen skills, each once in the seed's order before any comes again."""
    if not part.skills:
        return None
    some = SeededChance(f"{TAG}\nskills\n{part.kind}\n{seed}").shuffled(part.skills)
    return some[number % len(some)]


def order_of(plan: ExamPlan, seed: str, person: str) -> tuple[int, ...]:
    """The places of the set in the order in which somebody gets them, who is known by a folded name."""
    return tuple(SeededChance(f"{TAG}\norder\n{person}\n{seed}").shuffled(range(plan.items)))


def marked(
    plan: ExamPlan, book: Rulebook, seed: str, given: Mapping[int, Mapping[str, Given]]
) -> tuple[MarkedItem, ...]:
    """Every item of the set, marked; what was not answered is wrong."""
    items = enumerate(item_at(plan, book, seed, place) for place in range(plan.items))
    return tuple(
        fields_of(MarkedItem, item, place=place, right=mark(item, given.get(place, {})).right)
        for place, item in items
    )


def result_of(plan: ExamPlan, items: Iterable[MarkedItem], struck: Iterable[int] = ()) -> ExamResult:
    """What the marked items come to without the struck ones."""
    gone = set(struck)
    counted = [item for item in items if item.place not in gone]
    parts = tuple(
        _part_result(part, [item for item in counted if item.kind == part.kind]) for part in plan.parts
    )
    right = sum(item.right for item in counted)
    passed = reaches(right, len(counted), plan.pass_mark) and all(part.enough for part in parts)
    return ExamResult(
        items=len(counted),
        right=right,
        pass_mark=plan.pass_mark,
        passed=passed and bool(counted),
        parts=parts,
        wrong=tuple(item for item in counted if not item.right),
    )


def _part_result(part: ExamPart, items: list[MarkedItem]) -> ExamPartResult:
    right, count = sum(item.right for item in items), len(items)
    enough = reaches(right, count, part.least)
    return fields_of(ExamPartResult, part, items=count, right=right, enough=enough)


def reaches(right: int, items: int, percent: int) -> bool:
    """Whether so many of so many are at least that percentage; exactly, in whole numbers."""
    return right * 100 >= percent * items


def answers_hash(given: Mapping[int, Mapping[str, Given]]) -> str:
    """The SHA-256, in hex, of all answers as JSON, places and parts in order, without spaces."""
    plain = {str(place): dict(sorted(answers.items())) for place, answers in sorted(given.items())}
    return hashlib.sha256(msgspec.json.encode(plain)).hexdigest()


def chance_to_pass(plan: ExamPlan, known: Mapping[str, float]) -> float:
    """The chance to pass by who answers right as often as `known` says of each kind."""
    sums, last = [1.0], [1.0]
    for part in sorted(plan.parts, key=lambda part: part.items):
        sums = _added(sums, last)
        last = [
            chance if reaches(right, part.items, part.least) else 0.0
            for right, chance in enumerate(_binomial(part.items, known.get(part.kind, GUESSED)))
        ]
    needed = -(-plan.pass_mark * plan.items // 100)
    enough = [*accumulate(reversed(last))][::-1]  # the chance of so many or more in the largest part
    found = sum(
        chance * enough[max(0, needed - right)]
        for right, chance in enumerate(sums)
        if needed - right < len(enough)
    )
    return min(1.0, found)


def _added(one: list[float], other: list[float]) -> list[float]:
    """The chances of sums."""
    sums = [0.0] * (len(one) + len(other) - 1)
    for right, chance in enumerate(one):
        for more, another in enumerate(other, start=right):
            sums[more] += chance * another
    return sums


def _binomial(items: int, chance: float) -> list[float]:
    hits = accumulate(repeat(chance, items), mul, initial=1.0)
    misses = [*accumulate(repeat(1 - chance, items), mul, initial=1.0)]
    return [ways * hit * miss for ways, hit, miss in zip(_ways(items), hits, reversed(misses), strict=True)]


@cache
def _ways(items: int) -> tuple[int, ...]:
    return tuple(comb(items, right) for right in range(items + 1))


# --- renewals ---------------------------------------------------------------------------------------------


MOST_RENEWED: Final = 20
LEAST_MINUTES: Final = 10
RENEWED_LEVEL: Final = 3
FORMER_TITLE: Final = 60  # characters of the former one's


def later_text(slug: str, digest: str, day: str) -> Rulebook | None:
    """What is in force on a day (ISO) in place of a text: a later version, or another under the same name."""
    own = VERSIONED.fullmatch(slug)
    later = [
        (int(match[2]), other)
        for other in slugs()
        if own and (match := VERSIONED.fullmatch(other)) and match[1] == own[1] and match[2] != own[2]
    ]
    for version, other in sorted(later, reverse=True):
        if own and version > int(own[2]) and (book := _usable(other)) and book.document.effective[:10] <= day:
            return book
    book = _usable(slug)
    return book if book is not None and digest_of(book) != digest else None


def _usable(slug: str) -> Rulebook | None:
    try:
        return named(slug)
    except BadInput:
        return None


def text_name(book: Rulebook) -> str:
    """By which `rulebook.named` finds this very text."""
    return f"{book.slug}@{digest_of(book)}"


@lru_cache(maxsize=32)
def changed_skills(before: Rulebook, after: Rulebook, layout: str) -> dict[str, tuple[str, ...]]:
    """By kind, the skills of the later text whose paragraphs changed, or that tell the two apart."""
    changes = diff(before, after)
    rules = {
        rule
        for difference in (*changes.changed, *changes.added)
        if not difference.key.startswith("document.")
        for rule in difference.rules
    }
    asked: dict[str, tuple[str, ...]] = {}
    for kind in KINDS:
        of_kind = tuple(
            skill
            for skill in skills(kind, after, layout)
            if skill.startswith(f"differs/{before.slug}/") or _rests_on(kind, after, layout, skill, rules)
        )
        if of_kind:
            asked[kind] = of_kind
    return asked


def _rests_on(kind: str, book: Rulebook, layout: str, skill: str, rules: set[str]) -> bool:
    if skill.startswith("differs/"):
        return False  # what a third document says is no part of it
    if kind == SPOT:  # whichever round it is planted in
        return skill != NO_ERROR and not rules.isdisjoint(error_rules(book, skill.removeprefix(f"{SPOT}/")))
    try:
        item = make(kind, book, "difference", 0, layout=layout, skill=skill, level=RENEWED_LEVEL)
    except BadInput:
        return False
    return not rules.isdisjoint(item.paragraphs)


def renewal_plan(former: ExamPlan, before: Rulebook, after: Rulebook) -> ExamPlan:
    """A short exam by the later text, for who has a certificate of the former one."""
    layout = former.layout if former.layout in after.layouts else next(iter(after.layouts))
    asked = changed_skills(before, after, layout)
    if not asked:
        raise BadInput(
            f"nothing that an item could ask changed from {before.slug} to {after.slug}: "
            f"make an exam of all of it"
        )
    every = sum(map(len, asked.values()))
    share = min(1.0, MOST_RENEWED / every)
    least = {kind: percent for kind, _, percent in DEALER}
    parts = tuple(
        ExamPart(
            kind=kind,
            items=max(1, round(len(some) * share)),
            level=RENEWED_LEVEL,
            least=least.get(kind, 0),
            skills=some,
        )
        for kind, some in asked.items()
    )
    return ExamPlan(
        title=f"{former.title[:FORMER_TITLE]}, {_step(before, after)}",
        rulebook=after.slug,
        layout=layout,
        decks=check_decks(after, usual_decks(after, None)),
        parts=parts,
        minutes=max(LEAST_MINUTES, sum(part.items for part in parts)),
        pass_mark=former.pass_mark,
        renews=text_name(before),
    )


def _step(before: Rulebook, after: Rulebook) -> str:
    versions = [book.document.version for book in (before, after)]
    return "→ " + digest_of(after)[:8] if versions[0] == versions[1] else f"v{versions[0]} → v{versions[1]}"


def wrong_with(plan: ExamPlan, after: Rulebook) -> str:
    """Why a plan does not ask what a renewal has to ask; empty if it does. BadInput if a text is not here."""
    if not plan.renews:
        chosen = any(part.skills for part in plan.parts)
        return "its items are of chosen skills, and it renews nothing" if chosen else ""
    asked = changed_skills(named(plan.renews), after, plan.layout)
    if {part.kind: part.skills for part in plan.parts} != asked:
        return "its items are not of the skills whose paragraphs changed"
    return ""
