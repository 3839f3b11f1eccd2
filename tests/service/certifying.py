"""A certificate of an exam as a house would sign it."""

import msgspec

from service.houses import CBI, KEY, MBS
from thirdcard.rulebook import named
from thirdcard.rulebook.forms import digest_of
from thirdcard.school.exams import ExamPart, ExamPlan, item_at, marked, seal_of
from thirdcard.school.progress import Given
from thirdcard.service.keys import signing_key
from thirdcard.service.learning.exam_room import certify

SEED = "eight"


def certificate(person: str = "Mei") -> bytes:
    """Of an exam of two third cards, neither of them answered."""
    part = ExamPart(kind="third-card", items=2)
    return _signed(ExamPlan(title="Sample", rulebook=MBS, layout="A", decks=8, parts=(part,)), person, {})


def certificate_of_steps() -> bytes:
    """Of items that are answered step by step, all of them right: insurance, a box paid, a ruling."""
    parts = tuple(ExamPart(kind=kind, items=2) for kind in ("insurance", "pay", "rule"))
    plan = ExamPlan(title="Steps", rulebook=CBI, layout="A", decks=8, parts=parts)
    items = [item_at(plan, named(CBI), SEED, place) for place in range(plan.items)]
    given = {place: {part.name: part.answer for part in item.parts} for place, item in enumerate(items)}
    return _signed(plan, "Mei", given)


def _signed(plan: ExamPlan, person: str, given: dict[int, dict[str, Given]]) -> bytes:
    book = named(plan.rulebook)
    signed = certify(
        signing_key(KEY),
        book,
        exam="20270115-00000000",
        person=person,
        finished=1_800_000_000_000_000,
        plan=plan,
        seal=seal_of(SEED, digest_of(book), plan),
        seed=SEED,
        struck={},
        given=given,
        items=marked(plan, book, SEED, given),
    )
    return msgspec.json.encode(signed)
