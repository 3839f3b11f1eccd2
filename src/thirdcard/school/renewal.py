"""The difference set: a short exam of what a later text of a rulebook says otherwise.

A certificate lapses with the text that it is of. Whoever holds one is asked only by the skills whose
paragraphs changed, and what the two documents do differently.
"""

import re
from functools import lru_cache
from typing import Final

from thirdcard.errors import BadInput
from thirdcard.rulebook import named, slugs
from thirdcard.rulebook.diff import diff
from thirdcard.rulebook.forms import digest_of
from thirdcard.rulebook.lookup import check_decks, usual_decks
from thirdcard.rulebook.model import Rulebook
from thirdcard.school.exams import DEALER, ExamPart, ExamPlan
from thirdcard.school.items import KINDS, make, skills
from thirdcard.school.spot_items import NO_ERROR, SPOT, error_rules

VERSIONED: Final = re.compile(r"(.+)-v([0-9]{1,4})")
MOST_ITEMS: Final = 20
LEAST_MINUTES: Final = 10
LEVEL: Final = 3
TITLE: Final = 60  # characters of the former one's


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
    found = diff(before, after)
    rules = {
        rule
        for one in (*found.changed, *found.added)
        if not one.key.startswith("document.")
        for rule in one.rules
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
        item = make(kind, book, "difference", 0, layout=layout, skill=skill, level=LEVEL)
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
    share = min(1.0, MOST_ITEMS / every)
    least = {kind: percent for kind, _, percent in DEALER}
    parts = tuple(
        ExamPart(
            kind=kind,
            items=max(1, round(len(some) * share)),
            level=LEVEL,
            least=least.get(kind, 0),
            skills=some,
        )
        for kind, some in asked.items()
    )
    return ExamPlan(
        title=f"{former.title[:TITLE]}, {_step(before, after)}",
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
