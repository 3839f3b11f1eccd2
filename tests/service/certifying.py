"""A certificate of an exam as a house would sign it."""

import msgspec

from service.houses import KEY, MBS
from thirdcard.rulebook import named
from thirdcard.rulebook.forms import digest_of
from thirdcard.school.exams import ExamPart, ExamPlan, marked, seal_of
from thirdcard.service.keys import signing_key
from thirdcard.service.learning.signing import certify


def certificate(person: str = "Mei") -> bytes:
    """Of an exam of two third cards, neither of them answered."""
    book, seed = named(MBS), "eight"
    part = ExamPart(kind="third-card", items=2)
    plan = ExamPlan(title="Sample", rulebook=MBS, layout="A", decks=8, parts=(part,))
    signed = certify(
        signing_key(KEY),
        book,
        exam="20270115-00000000",
        person=person,
        finished=1_800_000_000_000_000,
        plan=plan,
        seal=seal_of(seed, digest_of(book), plan),
        seed=seed,
        struck={},
        given={},
        items=marked(plan, book, seed, {}),
    )
    return msgspec.json.encode(signed)
