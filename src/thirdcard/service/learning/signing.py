"""Certificates of exams, signed by the house."""

import hashlib
from datetime import UTC, datetime

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from thirdcard.rulebook.lookup import identity
from thirdcard.rulebook.model import Rulebook
from thirdcard.school.certificates import Certificate, RenewedCertificate, SignedCertificate, said_by
from thirdcard.school.exams import ExamPlan, MarkedItem, answers_hash, result_of
from thirdcard.school.progress import Given
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.keys import public_key


def certify(  # noqa: PLR0913 - what it says
    key: Ed25519PrivateKey,
    book: Rulebook,
    *,
    exam: str,
    person: str,
    finished: int,
    plan: ExamPlan,
    seal: str,
    seed: str,
    struck: dict[int, str],
    given: dict[int, dict[str, Given]],
    items: tuple[MarkedItem, ...],
    former: SignedCertificate | None = None,
) -> SignedCertificate:
    """A certificate of somebody's sitting, signed; with the `former` one that it renews."""
    said = Certificate(
        **identity("certificate", book),
        version=book.document.version,
        exam=exam,
        person=person,
        day=datetime.fromtimestamp(finished / MICROSECONDS, UTC).date(),
        plan=plan,
        seal=seal,
        seed=seed,
        struck=struck,
        answers=given,
        answers_sha256=answers_hash(given),
        result=result_of(plan, items, struck),
        renews=_named(former) if former else msgspec.UNSET,
    )
    text = msgspec.json.encode(said).decode()
    return SignedCertificate(
        text=text,
        key=public_key(key),
        signature=key.sign(text.encode()).hex(),
        renews=former or msgspec.UNSET,
    )


def _named(former: SignedCertificate) -> RenewedCertificate:
    said = said_by(former)
    sha256 = hashlib.sha256(former.text.encode()).hexdigest()
    return RenewedCertificate(exam=said.exam, rulebook=said.rulebook, digest=said.digest, sha256=sha256)
