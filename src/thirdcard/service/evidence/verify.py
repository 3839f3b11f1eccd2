"""Evidence checked without a store: all that `standalone` checks, and the round played again."""

from collections.abc import Iterator

import msgspec

from thirdcard.cards import parse_cards
from thirdcard.errors import BadInput
from thirdcard.rulebook.faults import size_faults
from thirdcard.rulebook.forms import LARGEST, from_canonical
from thirdcard.rulebook.load import remember
from thirdcard.rulebook.lookup import identity
from thirdcard.school.certificates import (
    Certificate,
    CertificateCheck,
    SignedCertificate,
    follows,
    is_renewal,
    renewed_by,
    said_by,
    signed_of,
)
from thirdcard.service.evidence.slices import ShoeOnPaper, Slice, folded, records_of
from thirdcard.service.evidence.standalone import check, is_signed, unpacked
from thirdcard.service.evidence.told import RoundEvidence, tell
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.codec import tag
from thirdcard.strict import decodable
from thirdcard.table import events, settled_again
from thirdcard.table.state import State

MOST_RENEWALS = 20  # certificates that renew one another


class PartChecked(msgspec.Struct, frozen=True, kw_only=True):
    """One check: what holds, or what is wrong; one of the two is empty."""

    check: str
    holds: str
    wrong: str


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an archive; `key` is the one by which it was checked, `given` or else found inside."""

    schema: str
    thirdcard: str
    rulebook: str
    digest: str
    ok: bool
    table: str
    round: int
    made: int
    by: str
    key: str
    given: bool
    checks: tuple[PartChecked, ...]


class _Chain(msgspec.Struct):
    stream: str
    before: str
    hashes: list[str]
    after: list[str]


class _Manifest(msgspec.Struct):
    thirdcard: str
    rulebook: str
    digest: str
    table: str
    title: str
    round: int
    is_final: bool
    made: int
    by: str


class VerifiedCertificate(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a certificate of an exam; `key` and `given` as with an archive."""

    schema: str
    thirdcard: str
    rulebook: str
    digest: str
    ok: bool
    exam: str
    person: str
    day: str
    passed: bool
    key: str
    given: bool
    checks: tuple[PartChecked, ...]


def is_certificate(data: bytes) -> bool:
    """Whether it is JSON, and so no archive."""
    return data.lstrip()[:1] == b"{"


def verified_certificate(data: bytes, key: str = "") -> VerifiedCertificate:
    """What holds of a certificate and what does not."""
    signed = signed_of(data)
    said, found = _signed(signed, key)
    return VerifiedCertificate(
        **identity("verify.certificate", None)
        | ({"rulebook": said.rulebook, "digest": said.digest} if said else {}),
        ok=not any(one.wrong for one in found),
        exam=said.exam if said else "",
        person=said.person if said else "",
        day=said.day.isoformat() if said else "",
        passed=said.result.passed if said else False,
        key=key.lower() or signed.key,
        given=bool(key),
        checks=tuple(PartChecked(check=one.check, holds=one.holds, wrong=one.wrong) for one in found),
    )


def _signed(
    signed: SignedCertificate, key: str, left: int = MOST_RENEWALS
) -> tuple[Certificate | None, list[CertificateCheck]]:
    """What a certificate says, if the house signed it, and what holds of it."""
    wrong = ""
    if key and signed.key.lower() != key.lower():
        wrong = "it was signed with a key that is not this house's"
    elif not is_signed(signed.key, signed.signature, signed.text.encode()):
        wrong = "the signature is not one that this key made for this text"
    if wrong:
        return None, [CertificateCheck(check="signature", holds="", wrong=wrong)]
    said = said_by(signed)
    first = CertificateCheck(check="signature", holds="the house signed this text", wrong="")
    return said, [first, *follows(said), *_chain(signed, said, left)]


def _chain(signed: SignedCertificate, said: Certificate, left: int) -> Iterator[CertificateCheck]:
    """The certificate that another one renews, signed by the same house and checked as a whole."""
    if not is_renewal(said):
        return
    if not signed.renews:
        yield CertificateCheck(check="renews", holds="", wrong="the certificate that it renews is missing")
        return
    if not left:
        wrong = f"more than {MOST_RENEWALS} certificates renew one another"
        yield CertificateCheck(check="renews", holds="", wrong=wrong)
        return
    former, found = _signed(signed.renews, signed.key, left - 1)
    wrong = next((f"of the certificate that it renews: {one.wrong}" for one in found if one.wrong), "")
    if not wrong:
        wrong = renewed_by(said, signed.renews)
    told = f"{former.exam}, {former.rulebook}, {len(found)} checks" if former else ""
    holds = "" if wrong else f"the certificate that it renews holds too: {told}"
    yield CertificateCheck(check="renews", holds=holds, wrong=wrong)


def verified(data: bytes, key: str = "") -> Verified:
    """What holds of an archive and what does not. Only what was signed is read any further."""
    found = [PartChecked(check=name, holds=holds, wrong=wrong) for name, holds, wrong in check(data, key)]
    signed = not any(checked.wrong for checked in found)
    said: _Manifest | None = None
    if signed:
        files = unpacked(data)
        try:
            said = msgspec.json.decode(files["manifest.json"], type=decodable(_Manifest))
            part, stated = _read(files, said)
        except Exception as error:  # noqa: BLE001 - whoever signed it may have written anything
            wrong = f"they cannot be read ({error!r:.200})"
            found.append(PartChecked(check="records", holds="", wrong=wrong))
        else:
            found += [_checked("settlement", _replayed(part)), _checked("evidence", _told(part, stated))]
    else:
        found += [
            PartChecked(check=name, holds="", wrong="not looked at: something above is wrong")
            for name in ("settlement", "evidence")
        ]
    used = key.lower() or (files["signature.txt"].decode()[:64] if signed else "")
    return Verified(
        **identity("verify", None)
        | ({"rulebook": said.rulebook, "digest": said.digest} if said is not None else {}),
        ok=not any(checked.wrong for checked in found),
        table=said.table if said else "",
        round=said.round if said else 0,
        made=said.made if said else 0,
        by=said.by if said else "",
        key=used,
        given=bool(key),
        checks=tuple(found),
    )


def _read(files: dict[str, bytes], said: _Manifest) -> tuple[Slice, RoundEvidence]:
    chain = msgspec.json.decode(files["chain.json"], type=decodable(_Chain))
    texts = {
        name: files[f"{name}.json"] for name in ("rulebook", "rulebook-before") if f"{name}.json" in files
    }
    for text in texts.values():
        if len(text) > LARGEST or size_faults(from_canonical(text)):
            raise BadInput("a rulebook is larger than any that can be played by")
        remember(text)
    part = Slice(
        table=said.table,
        title=said.title,
        number=said.round,
        is_final=said.is_final,
        start=msgspec.json.decode(files["start.json"], type=decodable(State)),
        before=bytes.fromhex(chain.before),
        records=records_of(files["log.txt"], chain.hashes),
        after=tuple(map(bytes.fromhex, chain.after)),
        shoe=msgspec.json.decode(files["shoe.json"], type=decodable(ShoeOnPaper)),
        texts=texts,
    )
    return part, msgspec.json.decode(files["evidence.json"], type=decodable(RoundEvidence))


def _checked(name: str, told: Iterator[str]) -> PartChecked:
    """The first that is wrong, a sentence that begins with `!`; or what holds."""
    said = ""
    try:
        for said in told:
            if said.startswith("!"):
                return PartChecked(check=name, holds="", wrong=said[1:])
    except Exception as error:  # noqa: BLE001 - records out of place break the fold in whatever way they can
        return PartChecked(
            check=name, holds="", wrong=f"the records do not follow from each other: {error!r}"
        )
    return PartChecked(check=name, holds=said, wrong="")


def _replayed(part: Slice) -> Iterator[str]:
    """The round settled again by its cards and bets, and its money counted again."""
    corrected = amended = False
    settled = 0
    for stored, event, before, after in folded(part):
        if stored.name != tag(event):
            yield f"!record {stored.version} is not filed as what it is"
        if isinstance(event, floor.AnyFloorEvent):
            continue
        if sum(posting.cents for posting in event.postings):
            yield f"!record {stored.version} moves money that does not sum to zero"
        if not isinstance(event, events.BetsOpened):
            wrong = settled_again.wrong(before, event, corrected=corrected, amended=amended)
            if wrong:
                yield f"!record {stored.version}: {wrong}"
        if event.postings:
            wrong = settled_again.wrong_boxes(after)
            if wrong:
                yield f"!record {stored.version}: {wrong}"
        corrected = corrected or isinstance(event, events.CardsCorrected)
        amended = amended or isinstance(event, events.RecordAmended | events.StakesDecided | events.CardsLaid)
        settled += isinstance(event, events.RoundSettled | events.RoundVoided | events.DecidedSettled)
    yield from _from_shoe(part, after)
    yield f"{len(part.records)} records played again, {settled} settlements: the same lines and cents"


def _from_shoe(part: Slice, state: State) -> Iterator[str]:
    """All cards that had come out by the end, where they have names, are among the first of the order."""
    shoe = state.shoe
    if part.shoe.cards is None or shoe is None or shoe.number != part.shoe.number:
        return
    left = list(parse_cards(part.shoe.cards)[: shoe.used])
    for name, many in shoe.drawn.items():
        if sum(card.value == name for card in left) < many:
            yield f"!more {name} were dealt than came out of the shoe"


def _told(part: Slice, stated: RoundEvidence) -> Iterator[str]:
    """What the evidence says is what follows from the records; another release may have other words."""
    again = tell(part, stated.language)
    if again.thirdcard == stated.thirdcard:
        if msgspec.to_builtins(again) != msgspec.to_builtins(stated):
            yield "!what it says of the round does not follow from the records"
        yield "everything that it says of the round follows from the records"
        return
    for name in ("cards", "stakes", "settlement", "nets", "phase", "purchases"):
        if getattr(again, name) != getattr(stated, name):
            yield f"!the {name} that it tells do not follow from the records"
    yield f"cards, stakes and settlement follow; its sentences are those of thirdcard {stated.thirdcard}"
