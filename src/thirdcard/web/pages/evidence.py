"""Evidence of a round as a page for paper: whole by itself, or linked to the style that a server has."""

from datetime import UTC, datetime
from typing import Final, NamedTuple

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from thirdcard.cards import Card
from thirdcard.money import format_dollars
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.evidence.gather import archive
from thirdcard.service.evidence.slices import Slice, folded
from thirdcard.service.evidence.told import RoundEvidence, tell
from thirdcard.service.log.anchor import SignedHeads, heads_of
from thirdcard.web.draw.card_faces import card_svg
from thirdcard.web.pages import paper
from thirdcard.words import ENGLISH, Language, words
from thirdcard.words.telling import ranks

STYLE: Final = ("tokens.css", "base.css", "print.css")


class MadeEvidence(NamedTuple):
    """What evidence says, as a page and as an archive, and the public key that it is signed with."""

    told: RoundEvidence
    page: str
    archive: bytes
    key: str


def made(  # noqa: PLR0913 - what is made of what, for whom
    part: Slice,
    heads: SignedHeads,
    key: Ed25519PrivateKey,
    *,
    by: str,
    now: int,
    language: Language = ENGLISH,
    linked: bool = False,
) -> MadeEvidence:
    """The evidence of a round that was gathered, in that language; the page `linked` to a server's style."""
    statement = tell(part, language)
    paper = page(part, heads, statement, by=by, now=now, linked=linked)
    packed = archive(part, heads, statement, paper, key, by=by, now=now)
    return MadeEvidence(statement, paper, packed, heads.key)


def page(  # noqa: PLR0913 - what the paper says
    part: Slice,
    heads: SignedHeads,
    evidence: RoundEvidence,
    *,
    by: str,
    now: int,
    linked: bool = False,
) -> str:
    """All that evidence says, in its own language, made at `now` for `by`."""
    book = [after.rulebook for _, _, _, after in folded(part)][-1]
    head = heads_of(heads)[part.table]
    return paper(
        "evidence.html",
        STYLE,
        linked=linked,
        lang=evidence.language,
        book=book,
        e=evidence,
        head=head,
        heads=heads,
        signed_at=int(heads.text.split("\n", 1)[0].rpartition(" ")[2]),
        last=part.records[-1],
        after=len(part.after),
        shoe=part.shoe,
        by=by,
        now=now,
        day=_day,
        clock=_clock,
        dollars=format_dollars,
        drawn=_drawn,
        points=_points(evidence),
        given=_given,
        boxes=_boxes(evidence),
        may_decide=ranks(book, words(evidence.language)),
    )


def _moment(micros: int) -> datetime:
    return datetime.fromtimestamp(micros / MICROSECONDS, UTC)


def _day(micros: int) -> str:
    return f"{_moment(micros):%Y-%m-%d}"


def _clock(micros: int) -> str:
    return f"{_moment(micros):%H:%M:%S}"


def _drawn(card: Card | None) -> str:
    return card_svg(card, "small")


def _points(evidence: RoundEvidence) -> dict[str, int | None]:
    settled = evidence.settlement
    return {"player": settled.player if settled else None, "banker": settled.banker if settled else None}


def _boxes(evidence: RoundEvidence) -> dict[tuple[str, int], bool]:
    """Whether each person at a box has its seat."""
    return {(stake.player, stake.box): stake.seated for stake in evidence.stakes}


def _given(inputs: msgspec.Struct | None) -> dict[str, object]:
    """What a ruling found or decided, without what it left open and its reason."""
    fields: dict[str, object] = msgspec.to_builtins(inputs) if inputs is not None else {}
    return {name: value for name, value in fields.items() if name != "reason"}
