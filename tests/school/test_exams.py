"""Exams without a house: the chance to pass, held against every way an exam can go."""

from itertools import product
from math import comb

import pytest

from thirdcard.rulebook import named
from thirdcard.school.exams import GUESSED, ExamPart, ExamPlan, chance_to_pass, dealer_plan, reaches

SMALL = ExamPlan(
    title="x",
    rulebook="mbs-tiger-v2",
    layout="A",
    decks=8,
    parts=(
        ExamPart(kind="third-card", items=5),
        ExamPart(kind="pay", items=3, least=60),
        ExamPart(kind="rule", items=2, least=50),
    ),
    pass_mark=70,
)


def counted(plan: ExamPlan, known: dict[str, float]) -> float:
    found = 0.0
    for rights in product(*(range(part.items + 1) for part in plan.parts)):
        chance = 1.0
        for part, right in zip(plan.parts, rights, strict=True):
            one = known.get(part.kind, GUESSED)
            chance *= comb(part.items, right) * one**right * (1 - one) ** (part.items - right)
            chance *= reaches(right, part.items, part.least)
        found += chance * reaches(sum(rights), plan.items, plan.pass_mark)
    return found


@pytest.mark.parametrize(
    "known", [{}, {"third-card": 0.9, "pay": 0.8, "rule": 0.7}, {"pay": 1.0, "rule": 0.0}]
)
def test_the_chance_to_pass_is_that_of_every_way_it_can_go(known: dict[str, float]) -> None:
    assert chance_to_pass(SMALL, known) == pytest.approx(counted(SMALL, known))


def test_who_knows_everything_passes() -> None:
    plan = dealer_plan(named("mbs-tiger-v2"), "x", layout="A", decks=8)
    assert chance_to_pass(plan, {part.kind: 1.0 for part in plan.parts}) == 1.0
