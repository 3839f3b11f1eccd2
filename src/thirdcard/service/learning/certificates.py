"""Certificates of exams: what was asked, answered and reached, signed by the house, checked by anybody.

The text that is signed, with Ed25519, is JSON; the public key of the house is all it takes to check it. With
the seed, which is opened after the last person, the whole set is made again and every answer marked.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from thirdcard.errors import BadInput
from thirdcard.rulebook import named
from thirdcard.rulebook.lookup import identity
from thirdcard.rulebook.model import Rulebook
from thirdcard.school.exams import ExamPlan, ExamResult, MarkedItem, answers_hash, marked, result_of, seal_of
from thirdcard.school.progress import Given
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.keys import public_key


class Certificate(msgspec.Struct, frozen=True, kw_only=True):
    """What the house says: who reached what, by which text, and all that it takes to mark it again.

    `answers` are by places of the set, `answers_sha256` is their hash; extra time and times of day are not
    told. It lapses with the version of the rulebook.
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


class SignedCertificate(msgspec.Struct, frozen=True, kw_only=True):
    """The text of a certificate, the house's public key and the signature, both in hex."""

    text: str
    key: str
    signature: str


class CertificateCheck(msgspec.Struct, frozen=True, kw_only=True):
    """One check: what holds, or what is wrong; one of the two is empty."""

    check: str
    holds: str
    wrong: str


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
) -> SignedCertificate:
    """A certificate of somebody's sitting, signed."""
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
    )
    text = msgspec.json.encode(said).decode()
    return SignedCertificate(text=text, key=public_key(key), signature=key.sign(text.encode()).hex())


def signed_of(data: bytes) -> SignedCertificate:
    """A certificate as a file holds it; BadInput if it is none."""
    try:
        return msgspec.json.decode(data, type=SignedCertificate)
    except msgspec.MsgspecError:
        raise BadInput(
            "this is neither evidence of a round nor a certificate: "
            "expected an archive, or JSON with `text`, `key` and `signature`"
        ) from None


def checked(signed: SignedCertificate, key: str = "") -> tuple[Certificate | None, list[CertificateCheck]]:
    """What a certificate says, if this house signed it, and what holds of it; `key` is the house's."""
    if key and signed.key.lower() != key.lower():
        return None, [_check("signature", wrong="it was signed with a key that is not this house's")]
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signed.key))
        public.verify(bytes.fromhex(signed.signature), signed.text.encode())
        said = msgspec.json.decode(signed.text, type=Certificate)
    except msgspec.MsgspecError as error:
        return None, [_check("signature", wrong=f"what was signed is no certificate: {error}")]
    except (InvalidSignature, ValueError):
        return None, [_check("signature", wrong="the signature is wrong: the text was changed")]
    return said, [_check("signature", holds="the house signed this text"), *_follows(said)]


def _follows(said: Certificate) -> Iterator[CertificateCheck]:
    """What the certificate says, held against itself and against the engine."""
    if answers_hash(said.answers) == said.answers_sha256:
        yield _check("answers", holds=f"the hash is that of the {len(said.answers)} answers")
    else:
        yield _check("answers", wrong="the hash is not that of the answers")
    if seal_of(said.seed, said.digest, said.plan) == said.seal:
        yield _check("seal", holds="seed, rulebook and plan are those that were sealed before the exam")
    else:
        yield _check("seal", wrong="seed, rulebook and plan are not those that were sealed before the exam")
    try:
        book = named(f"{said.rulebook}@{said.digest}")
    except BadInput:
        yield _check(
            "result",
            wrong=f"the text {said.digest[:12]} of {said.rulebook} is not here: items cannot be made again",
        )
        return
    try:
        again = result_of(said.plan, marked(said.plan, book, said.seed, said.answers), said.struck)
    except BadInput as error:
        yield _check("result", wrong=f"the set cannot be made again: {error}")
        return
    if again == said.result:
        yield _check(
            "result",
            holds=f"{said.plan.items} items made again and marked: {again.right} of {again.items} are right",
        )
    else:
        told = f"{said.result.right} of {said.result.items} right"
        yield _check(
            "result", wrong=f"marked again, {again.right} of {again.items} are right: it says {told}"
        )


def _check(check: str, *, holds: str = "", wrong: str = "") -> CertificateCheck:
    return CertificateCheck(check=check, holds=holds, wrong=wrong)
