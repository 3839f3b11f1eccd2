"""Certificates of exams: what was asked, answered and reached, signed by a house, checked by anybody.

The text that is signed, with Ed25519, is JSON. It has the seed, which is opened after the last person: with
it the whole set is made again and every answer marked.
"""

from collections.abc import Iterator
from datetime import date

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook import named
from thirdcard.school.exams import ExamPlan, ExamResult, answers_hash, marked, result_of, seal_of
from thirdcard.school.progress import Given


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


def signed_of(data: bytes) -> SignedCertificate:
    """A certificate as a file holds it; BadInput if it is none."""
    try:
        return msgspec.json.decode(data, type=SignedCertificate)
    except msgspec.MsgspecError:
        raise BadInput(
            "this is neither evidence of a round nor a certificate: "
            "expected an archive, or JSON with `text`, `key` and `signature`"
        ) from None


def said_by(signed: SignedCertificate) -> Certificate:
    """What was signed; BadInput if it is no certificate."""
    try:
        return msgspec.json.decode(signed.text, type=Certificate)
    except msgspec.MsgspecError as error:
        raise BadInput(f"what was signed is no certificate: {error}") from None


def follows(said: Certificate) -> Iterator[CertificateCheck]:
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
