"""Where somebody stands: ratings, levels, what is due and weak, and a tile for every paragraph."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

import msgspec

from thirdcard.rulebook.model import Rulebook, Rules
from thirdcard.school import memory as memories
from thirdcard.school.known import ParagraphMemory, by_paragraph, known_now
from thirdcard.school.memory import DAY, NEW_A_DAY, Memory, Recalled, Weights, recalled
from thirdcard.school.progress import Learner
from thirdcard.school.ratings import Rated
from thirdcard.service.learning.learners import learner_of, memories_of, memory_of
from thirdcard.service.log.store.school import SchoolStore

WEAKEST: Final = 12  # skills that are told
UNMET_DAYS: Final = 14  # after which a tile is hatched


class KindProgress(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of item over all rulebooks. `rating` is shown with ± `deviation`; `history` are earlier ones.

    `remembered` is the mean over its skills, 0 to 1, and None before the first answer, as `weakest` is.
    """

    kind: str
    level: int
    rating: int
    deviation: int
    history: tuple[int, ...]
    answered: int
    due: int
    skills: int
    remembered: float | None
    weakest: str | None


class BookInBrief(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of one rulebook."""

    rulebook: str
    digest: str
    skills: int
    due: int
    remembered: float


class SchoolProgress(msgspec.Struct, frozen=True, kw_only=True):
    """All of somebody's learning in brief; `practice` has the answers of each day since 1970, of 12 weeks."""

    name: str
    answered: int
    right: int
    in_a_row: int
    due: int
    new_today: int
    new_left: int
    streak: int
    longest_streak: int
    day: int
    practice: dict[int, int]
    kinds: tuple[KindProgress, ...]
    books: tuple[BookInBrief, ...]


class SkillShown(msgspec.Struct, frozen=True, kw_only=True):
    """A skill that was met: how well it is remembered now, when it is due (microseconds), how it went."""

    skill: str
    kind: str
    remembered: float
    due: int
    met: int
    wrong: int
    paragraphs: Rules


class ParagraphShown(msgspec.Struct, frozen=True, kw_only=True):
    """A tile of the heat map; `remembered` is None of what was never met; `stale`: not for 14 days."""

    paragraph: str
    remembered: float | None
    skills: int = 0
    met: int = 0
    wrong: int = 0
    stale: bool = False


class BookProgress(msgspec.Struct, frozen=True, kw_only=True):
    """What is remembered of one rulebook: `due` in the order of a set, `weak` the weakest first."""

    rulebook: str
    digest: str
    due: tuple[str, ...]
    weak: tuple[str, ...]
    skills: tuple[SkillShown, ...]
    paragraphs: tuple[ParagraphShown, ...]


def progress(store: SchoolStore, name: str, now: int) -> SchoolProgress:
    learner, _ = learner_of(store, name)
    kept = [(memory, recalled(memory, now, learner.weights)) for memory in memories_of(store, name)]
    day = now // DAY
    skills = [skill for memory, _ in kept for skill in memory.skills.values()]
    due = Counter(skill.kind for skill in skills if skill.due <= now)
    kinds = dict.fromkeys((*learner.rated, *(skill.kind for skill in skills)))
    new = learner.new_on(day)
    return SchoolProgress(
        name=name,
        answered=learner.answered - learner.struck,
        right=learner.right,
        in_a_row=learner.in_a_row,
        due=due.total(),
        new_today=new,
        new_left=max(0, NEW_A_DAY - new),
        streak=learner.streak.on(day),
        longest_streak=learner.streak.longest,
        day=day,
        practice=learner.days,
        kinds=tuple(_of_kind(kind, learner, kept, due[kind], now) for kind in kinds),
        books=tuple(_in_brief(memory, chances, now) for memory, chances in kept),
    )


def _of_kind(
    kind: str, learner: Learner, kept: list[tuple[Memory, Recalled]], due: int, now: int
) -> KindProgress:
    known = remembered_of(kept, kind)
    rated = learner.rated.get(kind, Rated()).on(now // DAY)
    return KindProgress(
        kind=kind,
        level=learner.level(kind),
        rating=round(rated.now.rating),
        deviation=round(rated.now.deviation),
        history=learner.history.get(kind, ()),
        answered=rated.met,
        due=due,
        skills=len(known),
        remembered=mean(known.values()),
        weakest=min(known, key=known.__getitem__) if known else None,
    )


def remembered_of(kept: list[tuple[Memory, Recalled]], kind: str) -> Recalled:
    """How well each skill of a kind is remembered; of several rulebooks the weaker counts."""
    by_person: Recalled = {}
    for memory, chances in kept:
        for skill, one in memory.skills.items():
            if one.kind == kind:
                by_person[skill] = min(by_person.get(skill, 1.0), chances[skill])
    return by_person


def mean(chances: Iterable[float]) -> float | None:
    some = list(chances)
    return sum(some) / len(some) if some else None


def _in_brief(memory: Memory, chances: Recalled, now: int) -> BookInBrief:
    return BookInBrief(
        rulebook=memory.rulebook,
        digest=memory.digest,
        skills=len(chances),
        due=sum(skill.due <= now for skill in memory.skills.values()),
        remembered=mean(chances.values()) or 0.0,
    )


def book_progress(store: SchoolStore, name: str, book: Rulebook, now: int) -> BookProgress:
    learner, _ = learner_of(store, name)
    memory, _ = memory_of(store, name, book, now)
    return of_memory(memory, book, now, learner.weights)


def of_memory(memory: Memory, book: Rulebook, now: int, weights: Weights = ()) -> BookProgress:
    chances = recalled(memory, now, weights)
    weak = sorted(chances, key=lambda skill: (chances[skill], skill))[:WEAKEST]
    return BookProgress(
        rulebook=memory.rulebook,
        digest=memory.digest,
        due=tuple(memories.due(memory, now, weights=weights)),
        weak=tuple(weak),
        skills=tuple(
            SkillShown(
                skill=skill,
                kind=other.kind,
                remembered=chances[skill],
                due=other.due,
                met=other.met,
                wrong=other.wrong,
                paragraphs=other.paragraphs,
            )
            for skill, other in memory.skills.items()
        ),
        paragraphs=tiles(by_paragraph([known_now(memory, now, weights)]), book, now),
    )


def tiles(found: Iterable[ParagraphMemory], book: Rulebook, now: int) -> tuple[ParagraphShown, ...]:
    """A tile for every paragraph of the rulebook, in its order."""
    met = {memory.paragraph: memory for memory in found}
    every = sorted({*book.paragraphs, *met}, key=memories.paragraph_order)
    return tuple(
        ParagraphShown(
            paragraph=paragraph,
            remembered=one.remembered,
            skills=one.skills,
            met=one.met,
            wrong=one.wrong,
            stale=one.last < now - UNMET_DAYS * DAY,
        )
        if (one := met.get(paragraph))
        else ParagraphShown(paragraph=paragraph, remembered=None)
        for paragraph in every
    )
