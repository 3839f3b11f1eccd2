"""The skills that a shift asked for: payouts by pay line, what was to be noticed, rulings by branch. Pure.

Whose card is next and which insurance is open the desk tells by itself: what nobody had to know is no skill
here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from thirdcard.play import bets as bet_rules
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import Deal
from thirdcard.rulebook.conditions import sight_of_all
from thirdcard.rulebook.facts import fits
from thirdcard.rulebook.model import Rulebook, Rules
from thirdcard.school.item_types import ItemKind
from thirdcard.school.items import skills
from thirdcard.school.rule_items import branches
from thirdcard.school.shift_troubles import TroubleKind
from thirdcard.table.setup import Setup
from thirdcard.table.state import Line

# What a trouble asks somebody to notice.
NOTICED: Final[dict[TroubleKind, str]] = {
    "late": "spot/late-bet",
    "laid": "spot/other-hand",
    "neglected": "spot/insurance-not-offered",
    "display": "spot/wrong-winner",
    "over": "limits/above-maximum",
    "under": "limits/below-minimum",
}


class WorkedSkill(msgspec.Struct, frozen=True, kw_only=True):
    """A skill that was needed, and whether it was there every time.

    `round` is the first in which it was not, else the last.
    """

    skill: str
    kind: ItemKind
    right: bool
    round: int
    paragraphs: Rules


def paid(
    setup: Setup, deal: Deal, lines: Sequence[Line], *, right: bool, number: int
) -> Iterator[WorkedSkill]:
    """The pay lines of one person's sum. Of a wrong one, those that pay, if any do."""
    if deal.next is not None or deal.left_over:
        return
    book = setup.book
    outcome = outcome_of(deal, sight_of_all(book))
    for line in lines if right else [line for line in lines if line.net > 0] or lines:
        if line.played is None and line.result != "returned":
            skill = line.window or bet_rules.result(book.bets[line.bet], outcome).name
            yield from _of(setup, f"pay/{line.bet}/{skill}", "pay", line.rules, right=right, number=number)


def noticed(
    setup: Setup, kind: TroubleKind, rules: Rules, *, right: bool, number: int
) -> Iterator[WorkedSkill]:
    """What was to be seen at the desk."""
    skill = NOTICED.get(kind, "")
    of: ItemKind = "limits" if skill.startswith("limits/") else "spot"
    yield from _of(setup, skill, of, rules, right=right, number=number)


def decided(
    setup: Setup, case: str, facts: Mapping[str, str | bool], *, right: bool, number: int
) -> Iterator[WorkedSkill]:
    """The branch of a ruling, where the document makes it by itself."""
    for skill, rules in _branches(setup.book, case, facts):
        yield from _of(setup, skill, "rule", rules, right=right, number=number)


def _branches(book: Rulebook, case: str, facts: Mapping[str, str | bool]) -> Iterator[tuple[str, Rules]]:
    for skill, (procedure, ruling) in branches(book).items():
        if procedure.case == case and fits(ruling.when, dict(facts)):
            yield skill, ruling.rules


def _of(  # noqa: PLR0913 - what a skill at work is
    setup: Setup, skill: str, kind: ItemKind, rules: Rules, *, right: bool, number: int
) -> Iterator[WorkedSkill]:
    if skill in skills(kind, setup.book, setup.layout):
        paragraphs = tuple(dict.fromkeys(rules))
        yield WorkedSkill(skill=skill, kind=kind, right=right, round=number, paragraphs=paragraphs)


def together(found: Iterable[WorkedSkill]) -> tuple[WorkedSkill, ...]:
    """Each skill once: right if it was every time."""
    kept: dict[str, WorkedSkill] = {}
    for skill in found:
        before = kept.get(skill.skill)
        if before is None or before.right:
            kept[skill.skill] = skill
    return tuple(kept.values())
