"""What somebody knows at a time, summed up by kind and by paragraph; and until when that is so."""

from collections.abc import Iterable, Sequence

import msgspec

from thirdcard.school.memory import DAY, WEEK, Memory, SkillMemory, Weights, forgetting, paragraph_order


class SkillSums(msgspec.Struct, gc=False):
    """Of somebody's skills of a paragraph: how many, chances, how often met and wrong, when last."""

    skills: int
    chances: float
    met: int
    wrong: int
    last: int


class KnownNow(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody knows of a rulebook from a time `since` on `until` another, if nothing is answered.

    `week` are the skills that were answered in seven days, with how often and how often wrong.
    """

    kinds: dict[str, float]  # how well each kind that was met is remembered
    paragraphs: dict[str, SkillSums]
    week: dict[str, tuple[int, int]]
    due: int
    since: int
    until: int


class ParagraphMemory(msgspec.Struct, frozen=True, kw_only=True):
    """A tile of the heat map: how well the skills that exercise a paragraph are remembered, from 0 to 1.

    `met_by` are the people who have met it, `would_fail` is the share of them that would.
    """

    paragraph: str
    remembered: float
    met_by: int
    would_fail: float
    skills: int
    met: int
    wrong: int
    last: int


def known_now(memory: Memory, now: int, weights: Weights = ()) -> KnownNow:
    """In one go through the skills: it is worked out for sixty people when a class is looked at."""
    factor, decay = forgetting(weights)
    first = now // DAY - WEEK + 1
    due, longest, next_due, begin = 0, 0, now + DAY, first * DAY
    kinds: dict[str, list[float]] = {}
    together: dict[tuple[str, ...], list[float]] = {}  # skills have their paragraphs in common
    week: dict[str, tuple[int, int]] = {}
    for skill, skill_memory in memory.skills.items():
        last = skill_memory.last
        days, rest = divmod(now - last, DAY)
        chance = (1.0 + factor * days / skill_memory.stability) ** decay if days > 0 else 1.0
        longest = max(longest, rest)
        if skill_memory.due <= now:
            due += 1
        elif skill_memory.due < next_due:
            next_due = skill_memory.due
        if skill_memory.kind in kinds:
            kinds[skill_memory.kind].append(chance)
        else:
            kinds[skill_memory.kind] = [chance]
        sums = together.get(skill_memory.paragraphs)
        if sums is None:
            together[skill_memory.paragraphs] = [1, chance, skill_memory.met, skill_memory.wrong, last]
        else:
            sums[0] += 1
            sums[1] += chance
            sums[2] += skill_memory.met
            sums[3] += skill_memory.wrong
            sums[4] = max(sums[4], last)
        if last >= begin:
            week[skill] = _of_week(skill_memory, first)
    return KnownNow(
        kinds={kind: sum(every) / len(every) for kind, every in kinds.items()},
        paragraphs=_by_each(together),
        week=week,
        due=due,
        since=now,
        until=min(now + DAY - longest, next_due, (now // DAY + 1) * DAY),
    )


def _of_week(one: SkillMemory, first: int) -> tuple[int, int]:
    given = failed = 0
    for day, answers, wrong in one.lately:
        if day >= first:
            given += answers
            failed += wrong
    return given, failed


def _by_each(together: dict[tuple[str, ...], list[float]]) -> dict[str, SkillSums]:
    by_name: dict[str, SkillSums] = {}
    for paragraphs, (skills, chances, met, wrong, last) in together.items():
        for paragraph in paragraphs:
            sums = by_name.get(paragraph)
            if sums is None:
                by_name[paragraph] = SkillSums(int(skills), chances, int(met), int(wrong), int(last))
                continue
            sums.skills += int(skills)
            sums.chances += chances
            sums.met += int(met)
            sums.wrong += int(wrong)
            sums.last = max(sums.last, int(last))
    return by_name


def by_paragraph(people: Iterable[KnownNow]) -> list[ParagraphMemory]:
    """The heat map: every paragraph that was met, in the order of the numbers."""
    skills: dict[str, list[SkillSums]] = {}
    for person in people:
        for paragraph, sums in person.paragraphs.items():
            skills.setdefault(paragraph, []).append(sums)
    return [_of_paragraph(paragraph, skills[paragraph]) for paragraph in sorted(skills, key=paragraph_order)]


def _of_paragraph(paragraph: str, people: Sequence[SkillSums]) -> ParagraphMemory:
    skills = sum([person.skills for person in people])
    return ParagraphMemory(
        paragraph=paragraph,
        remembered=sum([person.chances for person in people]) / skills,
        met_by=len(people),
        would_fail=sum([1 - person.chances / person.skills for person in people]) / len(people),
        skills=skills,
        met=sum([person.met for person in people]),
        wrong=sum([person.wrong for person in people]),
        last=max([person.last for person in people]),
    )
