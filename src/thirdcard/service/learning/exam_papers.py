"""Exams and sittings as a house keeps them, the texts that they are of, what renews their certificates."""

import hashlib
from datetime import UTC, datetime
from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from thirdcard.errors import BadInput, NotPossible
from thirdcard.rulebook import named
from thirdcard.rulebook.forms import canonical, digest_of
from thirdcard.rulebook.load import remember
from thirdcard.rulebook.model import Rulebook
from thirdcard.school.certificates import SignedCertificate
from thirdcard.school.exams import ExamPlan, MarkedItem, later_text, result_of
from thirdcard.school.progress import Given
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.log.store.model import LearningWrite
from thirdcard.service.log.store.school import SchoolStore
from thirdcard.service.tables.hall import Hall
from thirdcard.strict import decodable
from thirdcard.words.saying import say

MOST_EXTRA: Final = 480  # minutes
NOBODY: Final = ""
TEXT: Final = "text:"  # of a rulebook, by its digest

SittingState: TypeAlias = Literal["invited", "running", "finished"]
Extra = Annotated[int, msgspec.Meta(ge=0, le=MOST_EXTRA)]
Reason = Annotated[str, msgspec.Meta(min_length=3, max_length=500)]


class Exam(msgspec.Struct, frozen=True, kw_only=True):
    """An exam as it is kept. `people` have so many minutes more; `struck` items count for nobody.

    `sealed` is the seed, encrypted; `seed` is empty until it is opened. `renews` is the exam whose
    certificates it renews, `renewed` are those that renew its own.
    """

    plan: ExamPlan
    digest: str
    seal: str
    sealed: bytes
    by: str
    made: int
    opens: int
    closes: int
    people: dict[str, int]
    struck: dict[int, str] = {}
    seed: str = ""
    opened: int = 0
    renews: str = ""
    renewed: tuple[str, ...] = ()


class Sitting(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody's sitting as it is kept: answers by places of the set, marked once it is `finished`.

    `renews` is the certificate that it is to renew, as it was when the sitting was begun.
    """

    person: str
    begun: int
    until: int
    finished: int = 0
    given: dict[int, dict[str, Given]] = {}
    items: tuple[MarkedItem, ...] = ()
    challenged: dict[int, str] = {}
    renews: SignedCertificate | None = None

    def state(self, now: int) -> SittingState:
        return "finished" if self.finished or now >= self.until else "running"


_exam = msgspec.json.Decoder(decodable(Exam)).decode
_sitting = msgspec.json.Decoder(decodable(Sitting)).decode


# --- reading ----------------------------------------------------------------------------------------------


def exam_of(store: SchoolStore, exam: str) -> tuple[Exam, int]:
    kept = store.exam(exam)
    if kept is None:
        raise NotPossible("no-such-exam", say("no-exam", exam=exam[:40]))
    return _exam(kept.body), kept.version


def sitting_of(store: SchoolStore, exam: str, name: str) -> tuple[Sitting | None, int]:
    kept = store.exam(exam, name)
    return (_sitting(kept.body), kept.version) if kept else (None, 0)


def sittings_of(store: SchoolStore, exam: str) -> dict[str, Sitting]:
    """By account."""
    return {(one := _sitting(kept.body)).person: one for _, kept in store.sittings(exam)}


def all_exams(store: SchoolStore, *, after: str = "", limit: int = 100) -> list[tuple[str, Exam]]:
    return [(name, _exam(kept.body)) for name, kept in store.exams(after=after, limit=limit)]


def book_of(hall: Hall, exam: Exam) -> Rulebook:
    """The text that it was made by, whatever the rulebook says today; exams keep it."""
    name = f"{exam.plan.rulebook}@{exam.digest}"
    try:
        return named(name)
    except BadInput:
        kept = hall.engine.store.learning(NOBODY, TEXT + exam.digest)
        if kept is None or hashlib.sha256(kept.body).hexdigest() != exam.digest:
            raise
        remember(kept.body)
        return named(name)


def keep_text(store: SchoolStore, book: Rulebook) -> None:
    """Unless it is there."""
    store.keep_learning([LearningWrite(NOBODY, TEXT + digest_of(book), 0, canonical(book))])


def lapsed(exam: Exam, now: int) -> Rulebook | None:
    """What is in force in place of the text that an exam was of; None while its certificates hold."""
    day = datetime.fromtimestamp(now / MICROSECONDS, UTC).date().isoformat()
    return later_text(exam.plan.rulebook, exam.digest, day)


def renewal_of(store: SchoolStore, exam: Exam, name: str) -> str:
    """The exam by which somebody renewed their certificate of this one; empty if they have not."""
    for other in exam.renewed:
        kept, _ = exam_of(store, other)
        sitting, _ = sitting_of(store, other, name)
        if kept.opened and sitting is not None and has_passed(kept, sitting):
            return other
    return ""


def has_passed(exam: Exam, sitting: Sitting) -> bool:
    return bool(sitting.finished) and result_of(exam.plan, sitting.items, exam.struck).passed
