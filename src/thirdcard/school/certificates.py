"""Certificates of exams: what was asked, answered and reached, signed by a house, checked by anybody.

The text that is signed, with Ed25519, is JSON. It has the seed, which is opened after the last person: with
it the whole set is made again and every answer marked.
"""

import hashlib
from collections.abc import Iterator
from datetime import date

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook import named
from thirdcard.rulebook.model import Rulebook
from thirdcard.school.exams import (
    MOST_ITEMS,
    MOST_PARTS,
    ExamPlan,
    ExamResult,
    answers_hash,
    marked,
    result_of,
    seal_of,
    wrong_with,
)
from thirdcard.school.progress import Given
from thirdcard.strict import decodable

MOST_BYTES = 1_000_000  # of a certificate with those that it renews


class RenewedCertificate(msgspec.Struct, frozen=True, kw_only=True):
    """Which certificate another one renews: its exam, its rulebook, and the SHA-256 of what was signed."""

    exam: str
    rulebook: str
    digest: str
    sha256: str


class Certificate(msgspec.Struct, frozen=True, kw_only=True):
    """What the house says: who reached what, by which text, and all that it takes to mark it again.

    `answers` are by places of the set, `answers_sha256` is their hash; extra time and times of day are not
    told. It lapses with the version of the rulebook; `renews` is the one that lapsed before it, if any did.
    """

    schema: str
    thirdcard: str
    rulebook: str
    version: int
    digest: str
    exam: str
    person: str
    day: date
    plan: ExamPlan
    seal: str
    seed: str
    struck: dict[int, str]
    answers: dict[int, dict[str, Given]]
    answers_sha256: str
    result: ExamResult
    renews: RenewedCertificate | msgspec.UnsetType = msgspec.UNSET


class SignedCertificate(msgspec.Struct, frozen=True, kw_only=True):
    """The text of a certificate, the house's public key and the signature, both in hex.

    With it goes the certificate that it renews, as it was signed, if there is one.
    """

    text: str
    key: str
    signature: str
    renews: "SignedCertificate | msgspec.UnsetType" = msgspec.UNSET


class CertificateCheck(msgspec.Struct, frozen=True, kw_only=True):
    """One check: what holds, or what is wrong; one of the two is empty."""

    check: str
    holds: str
    wrong: str


def signed_of(data: bytes) -> SignedCertificate:
    """A certificate as a file holds it; BadInput if it is none."""
    if len(data) > MOST_BYTES:
        raise BadInput(f"a certificate has at most {MOST_BYTES:,} bytes: this is larger")
    try:
        return msgspec.json.decode(data, type=decodable(SignedCertificate))
    except (msgspec.MsgspecError, RecursionError):
        raise BadInput(
            "this is neither evidence of a round nor a certificate: "
            "expected an archive, or JSON with `text`, `key` and `signature`"
        ) from None


def said_by(signed: SignedCertificate) -> Certificate:
    """What was signed; BadInput if it is no certificate, or one of an exam that nobody can have sat."""
    try:
        said = msgspec.json.decode(signed.text, type=decodable(Certificate))
    except (msgspec.MsgspecError, RecursionError) as error:
        raise BadInput(f"what was signed is no certificate: {error}") from None
    if said.plan.items > MOST_ITEMS or len(said.plan.parts) > MOST_PARTS:
        raise BadInput(f"what was signed is no certificate: an exam has at most {MOST_ITEMS} items")
    return said


def follows(said: Certificate) -> Iterator[CertificateCheck]:
    """What the certificate says, held against itself and against the engine."""
    yield _check(
        "answers",
        holds=f"the hash is that of the {len(said.answers)} answers",
        wrong=""
        if answers_hash(said.answers) == said.answers_sha256
        else "the hash is not that of the answers",
    )
    sealed = "sealed before the exam"
    is_sealed = seal_of(said.seed, said.digest, said.plan) == said.seal
    yield _check(
        "seal",
        holds=f"seed, rulebook and plan are those that were {sealed}",
        wrong="" if is_sealed else f"seed, rulebook and plan are not those that were {sealed}",
    )
    try:
        book = named(f"{said.rulebook}@{said.digest}")
    except BadInput:
        text = f"the text {said.digest[:12]} of {said.rulebook}"
        yield _check("result", wrong=f"{text} is not here: items cannot be made again")
        return
    try:
        again = result_of(said.plan, marked(said.plan, book, said.seed, said.answers), said.struck)
    except BadInput as error:
        yield _check("result", wrong=f"the set cannot be made again: {error}")
        return
    right, stated = f"{again.right} of {again.items} are right", said.result
    yield _check(
        "result",
        holds=f"{said.plan.items} items made again and marked: {right}",
        wrong=""
        if again == said.result
        else f"marked again, {right}: it says {stated.right} of {stated.items} right",
    )
    yield from _of_difference(said, book)


def _of_difference(said: Certificate, book: Rulebook) -> Iterator[CertificateCheck]:
    """Whether an exam that renews asked what changed, and one that does not asked everything."""
    try:
        wrong = wrong_with(said.plan, book)
    except BadInput:
        wrong = f"the text {said.plan.renews} is not here: what changed cannot be found again"
    if wrong:
        yield _check("difference", wrong=wrong)
    elif said.plan.renews:
        slug, _, digest = str(said.plan.renews).partition("@")
        claim = f"the items are of what changed since {slug}, text {digest[:12]}"
        yield _check("difference", holds=claim, wrong="")


def is_renewal(said: Certificate) -> bool:
    return bool(said.plan.renews) or bool(said.renews)


def renewed_by(said: Certificate, former: SignedCertificate) -> str:
    """Why a certificate does not renew a former one; empty if it does."""
    before, named_ = said_by(former), said.renews
    if not named_ or not said.plan.renews:
        return "an exam that renews and a certificate that is renewed go together: one of them is missing"
    told = (named_.exam, named_.rulebook, named_.digest)
    wrong = {
        "the certificate that goes with it is not the one that it renews": named_.sha256
        != hashlib.sha256(former.text.encode()).hexdigest(),
        "what it says of the certificate that it renews is not so": told
        != (before.exam, before.rulebook, before.digest),
        "the certificate that it renews is of another text than the items": said.plan.renews
        != f"{before.rulebook}@{before.digest}",
        f"it renews a certificate of somebody else, {before.person}": before.person != said.person,
        "it renews a certificate of an exam that was not passed": not before.result.passed,
    }
    return next((sentence for sentence, is_so in wrong.items() if is_so), "")


def _check(check: str, *, holds: str = "", wrong: str) -> CertificateCheck:
    """What holds, unless something is wrong."""
    return CertificateCheck(check=check, holds="" if wrong else holds, wrong=wrong)
