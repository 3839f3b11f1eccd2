"""Exams of a house: made and sealed, sat once within their time by the server's clock, opened after the last.

Whoever made it does not know the seed either: it is the server's own, kept encrypted until it is opened.
What is written of an exam is in the journal by its hash. Certificates are signed by the house.
"""

import hashlib
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from thirdcard.errors import BadInput, NotPossible
from thirdcard.rulebook import named
from thirdcard.rulebook.forms import digest_of
from thirdcard.rulebook.lookup import identity
from thirdcard.rulebook.model import Rulebook
from thirdcard.school.certificates import Certificate, RenewedCertificate, SignedCertificate, said_by
from thirdcard.school.exams import (
    ExamPlan,
    MarkedItem,
    answers_hash,
    check_plan,
    item_at,
    marked,
    order_of,
    renewal_plan,
    result_of,
    seal_of,
)
from thirdcard.school.item_types import Item
from thirdcard.school.items import mark
from thirdcard.school.progress import Given
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.keys import public_key
from thirdcard.service.learning.exam_papers import (
    NOBODY,
    Exam,
    Sitting,
    book_of,
    exam_of,
    has_passed,
    keep_text,
    lapsed,
    renewal_of,
    sitting_of,
    sittings_of,
)
from thirdcard.service.log.floor_events import EXAM_BEGUN, EXAM_KEPT
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.model import Account, KeptDocument, StoreDown
from thirdcard.service.log.store.people import fold
from thirdcard.service.log.store.school import vouched
from thirdcard.service.tables.hall import Hall
from thirdcard.words.saying import say

MINUTE: Final = 60 * MICROSECONDS
DAY: Final = 24 * 60 * MINUTE
NONCE: Final = 12  # bytes
TRIES: Final = 5
MOST_PEOPLE: Final = 200
LONGEST_OPEN: Final = 90 * DAY  # that an exam may wait for people

replace = msgspec.structs.replace


# --- the seed ---------------------------------------------------------------------------------------------


def _sealed(key: bytes, exam: str, seed: str) -> bytes:
    nonce = secrets.token_bytes(NONCE)
    return nonce + ChaCha20Poly1305(key).encrypt(nonce, seed.encode(), exam.encode())


def seed_of(hall: Hall, exam: str, kept: Exam) -> str:
    """The seed, as only the house can open it until it is open to all."""
    if kept.seed:
        return kept.seed
    try:
        opened = ChaCha20Poly1305(hall.exam_key).decrypt(
            kept.sealed[:NONCE], kept.sealed[NONCE:], exam.encode()
        )
    except (InvalidTag, ValueError):
        raise BadInput(say("exam-seed-unreadable", exam=exam)) from None
    return opened.decode()


# --- writing ----------------------------------------------------------------------------------------------


async def _keep(  # noqa: PLR0913
    hall: Hall, exam: str, name: str, expected: int, value: Exam | Sitting, *, note: str, begun: bool = False
) -> bool:
    """Write it if nobody was faster; `note` is whose doing goes on record with its hash, if it does."""
    body, engine = msgspec.json.encode(value), hall.engine

    def keep() -> bool:
        kept = engine.store.keep_exam(exam, name, expected=expected, body=body)
        if kept and note:
            written = None if begun else KeptDocument(expected + 1, body)
            engine.note(*_noted(exam, name, written, by=note))
        return kept

    return await engine.together(keep)


def _noted(
    exam: str, name: str, written: KeptDocument | None, *, by: str
) -> tuple[str, dict[str, str | int]]:
    """On record: an exam or a sitting as it was written, or that one was begun."""
    facts: dict[str, str | int] = {
        "version": written.version if written else 1,
        "sha256": vouched(written) if written else EXAM_BEGUN,
    }
    return EXAM_KEPT, {"exam": exam, "account": name, "by": by, **facts}


async def _change_exam(hall: Hall, exam: str, change: Callable[[Exam], Exam], *, by: str) -> Exam:
    store = hall.engine.store
    for _ in range(TRIES):
        before, version = await hall.engine.reading(exam_of, store, exam)
        after = change(before)
        if after == before or await _keep(hall, exam, NOBODY, version, after, note=by):
            return after
    raise StoreDown("too many changes of one exam at once")


# --- a trainer's part -------------------------------------------------------------------------------------


async def make_exam(  # noqa: PLR0913 - what an exam is
    hall: Hall, plan: ExamPlan, people: dict[str, int], *, opens: int, closes: int, by: str, renews: str = ""
) -> str:
    """A new exam, sealed; its name. One that `renews` the certificates of another is made by `renew`."""
    now = hall.clock.wall()
    book = named(plan.rulebook)
    check_plan(plan, book)
    if not renews and (plan.renews or any(part.skills for part in plan.parts)):
        raise BadInput(say("exam-of-skills-renews"))
    if not opens < closes <= now + LONGEST_OPEN or closes <= now:
        raise BadInput(say("exam-times"))
    listed = await hall.engine.reading(_accounts, hall, people)
    name = f"{datetime.fromtimestamp(now / MICROSECONDS, UTC):%Y%m%d}-{secrets.token_hex(4)}"
    seed, digest = secrets.token_hex(16), digest_of(book)
    await hall.engine.reading(marked, plan, book, seed, {})  # every item of it can be made
    exam = Exam(
        plan=plan,
        digest=digest,
        seal=seal_of(seed, digest, plan),
        sealed=_sealed(hall.exam_key, name, seed),
        by=by,
        made=now,
        opens=opens,
        closes=closes,
        people=listed,
        renews=renews,
    )
    await hall.engine.writing(keep_text, hall.engine.store, book)
    if not await _keep(hall, name, NOBODY, 0, exam, note=by):
        raise StoreDown("that name of an exam was taken just now")
    return name


async def renew(hall: Hall, exam: str, *, opens: int, closes: int, by: str) -> str:
    """An exam of what changed, for all who passed this one and have not renewed it; its name."""
    kept, sat = await look(hall, exam)
    if not kept.opened:
        raise NotPossible("exam-sealed", say("certificates-renewed-after-exam"))
    now, store = hall.clock.wall(), hall.engine.store
    before, after = book_of(hall, kept), lapsed(kept, now)
    if after is None:
        raise NotPossible("exam-not-lapsed", say("rulebook-unchanged", slug=before.slug))

    def holders() -> dict[str, int]:
        accounts = {account.name for account in store.accounts_of(tuple(sat)) if _may_sit(account)}
        return {
            name: kept.people.get(name, 0)
            for name, sitting in sat.items()
            if name in accounts and has_passed(kept, sitting) and not renewal_of(store, kept, name)
        }

    people = await hall.engine.reading(holders)
    if not people:
        raise BadInput(say("nobody-has-certificate"))
    plan = await hall.engine.reading(renewal_plan, kept.plan, before, after)
    name = await make_exam(hall, plan, people, opens=opens, closes=closes, by=by, renews=exam)
    await _change_exam(hall, exam, lambda one: replace(one, renewed=(*one.renewed, name)), by=by)
    return name


def _may_sit(account: Account) -> bool:
    return not account.disabled and account.role != "guest"


def _accounts(hall: Hall, people: dict[str, int]) -> dict[str, int]:
    """The accounts of those names; guests, and who may not come in any more, sit no exam."""
    if not 1 <= len(people) <= MOST_PEOPLE:
        raise BadInput(say("exam-size", most_people=MOST_PEOPLE))
    accounts = {}
    for name, extra in people.items():
        account = hall.people.find(name)
        if account is None or not _may_sit(account):
            raise BadInput(say("nobody-to-sit-exam", name=name[:40]))
        accounts[account.name] = extra
    return accounts


async def admit(hall: Hall, exam: str, name: str, extra: int | None, *, by: str) -> Exam:
    """Somebody more, or other extra time; None takes them off the list. Only before they begin."""
    account = next(iter(await hall.engine.reading(_accounts, hall, {name: 0})))
    begun, _ = await hall.engine.reading(sitting_of, hall.engine.store, exam, account)
    if begun is not None:
        raise NotPossible("exam-begun", say("extra-time-before-begin", account=account))
    if extra is not None:
        await hall.engine.reading(_holds_former, hall.engine.store, exam, account)

    def change(kept: Exam) -> Exam:
        if kept.opened:
            raise NotPossible("exam-over", say("exam-over"))
        others = {person: more for person, more in kept.people.items() if person != account}
        if extra is not None and len(others) >= MOST_PEOPLE:
            raise BadInput(say("exam-size", most_people=MOST_PEOPLE))
        return replace(kept, people=others if extra is None else {**others, account: extra})

    return await _change_exam(hall, exam, change, by=by)


def _holds_former(store: Store, exam: str, name: str) -> None:
    """BadInput for who has no certificate that this exam could renew."""
    kept, _ = exam_of(store, exam)
    if kept.renews:
        former, _ = exam_of(store, kept.renews)
        sitting, _ = sitting_of(store, kept.renews, name)
        if sitting is None or not has_passed(former, sitting):
            raise BadInput(say("exam-not-passed", name=name, renews=kept.renews))


async def strike(hall: Hall, exam: str, place: int, reason: str, *, by: str) -> Exam:
    """An item that should not have been asked counts for nobody, from now on."""

    def change(kept: Exam) -> Exam:
        if not kept.opened:
            raise NotPossible("exam-sealed", say("items-struck-later"))
        if not 0 <= place < kept.plan.items:
            raise BadInput(say("exam-place-range", items=kept.plan.items - 1, place=place))
        return replace(kept, struck={**kept.struck, place: reason})

    return await _change_exam(hall, exam, change, by=by)


async def look(hall: Hall, exam: str) -> tuple[Exam, dict[str, Sitting]]:
    """An exam with its sittings; whose time is up has finished, and after the last the seed is opened."""
    store, now = hall.engine.store, hall.steady.now()
    kept, _ = await hall.engine.reading(exam_of, store, exam)
    sat = await hall.engine.reading(sittings_of, store, exam)
    for name, sitting in list(sat.items()):
        if not sitting.finished and sitting.state(now) == "finished":
            sat[name] = await finish(hall, exam, name)
    if not kept.opened and _is_over(kept, sat, now, hall.clock.wall()):
        seed = seed_of(hall, exam, kept)

        def opened(one: Exam) -> Exam:
            wall = hall.clock.wall()  # somebody may have been let in meanwhile
            over = not one.opened and _is_over(one, sat, now, wall)
            return replace(one, seed=seed, opened=wall) if over else one

        kept = await _change_exam(hall, exam, opened, by=kept.by)
    return kept, sat


def _is_over(exam: Exam, sat: dict[str, Sitting], now: int, wall: int) -> bool:
    """Everybody has finished, or nobody can begin any more and nobody is at it."""
    if any(sitting.state(now) == "running" for sitting in sat.values()):
        return False
    return wall >= exam.closes or (bool(exam.people) and all(name in sat for name in exam.people))


# --- who sits it ------------------------------------------------------------------------------------------


async def begin(hall: Hall, exam: str, name: str) -> Sitting:
    """The one sitting of somebody, begun now or before."""
    store, now = hall.engine.store, hall.clock.wall()
    kept, _ = await hall.engine.reading(exam_of, store, exam)
    sitting, _ = await hall.engine.reading(sitting_of, store, exam, name)
    if sitting is not None:
        return sitting
    if name not in kept.people:
        raise NotPossible("no-such-exam", say("no-exam-for-you", exam=exam[:40]))
    if kept.opened or now >= kept.closes:
        raise NotPossible("exam-over", say("exam-cannot-begin"))
    if now < kept.opens:
        raise NotPossible("exam-not-open", say("exam-not-open"))
    begun = hall.steady.now()
    until = begun + (kept.plan.minutes + kept.people[name]) * MINUTE
    former = await certificate(hall, kept.renews, name) if kept.renews else None
    new = Sitting(person=name, begun=begun, until=until, renews=former)
    if not await _keep(hall, exam, name, 0, new, note=name, begun=True):
        return await begin(hall, exam, name)
    return new


async def question(hall: Hall, exam: str, name: str, number: int) -> tuple[Item, dict[str, Given]]:
    """The item that somebody gets as the so-manieth, from 1, while they sit; with what they said so far."""
    kept, sitting, _ = await _running(hall, exam, name)
    place = _place(hall, exam, kept, name, number)
    item = await hall.engine.reading(
        item_at, kept.plan, book_of(hall, kept), seed_of(hall, exam, kept), place
    )
    return item, sitting.given.get(place, {})


async def give(hall: Hall, exam: str, name: str, number: int, answers: dict[str, Given]) -> Sitting:
    """An answer, kept and not marked; it may be changed until the end."""
    for _ in range(TRIES):
        kept, sitting, version = await _running(hall, exam, name)
        place = _place(hall, exam, kept, name, number)
        item = await hall.engine.reading(
            item_at, kept.plan, book_of(hall, kept), seed_of(hall, exam, kept), place
        )
        mark(item, answers)  # BadInput if it is no answer to this
        after = replace(sitting, given={**sitting.given, place: answers})
        if await _keep(hall, exam, name, version, after, note=""):
            return after
    raise StoreDown("too many answers of one person at once")


async def finish(hall: Hall, exam: str, name: str) -> Sitting:
    """The end of a sitting, asked for or by the clock: everything is marked."""
    store = hall.engine.store
    for _ in range(TRIES):
        kept, _ = await hall.engine.reading(exam_of, store, exam)
        sitting, version = await hall.engine.reading(sitting_of, store, exam, name)
        if sitting is None:
            raise NotPossible("exam-not-begun", say("exam-not-begun"))
        if sitting.finished:
            return sitting
        items = await hall.engine.reading(
            marked, kept.plan, book_of(hall, kept), seed_of(hall, exam, kept), sitting.given
        )
        after = replace(sitting, finished=min(hall.steady.now(), sitting.until), items=items)
        if await _keep(hall, exam, name, version, after, note=name):
            return after
    raise StoreDown("too many answers of one person at once")


async def challenge(hall: Hall, exam: str, name: str, place: int, reason: str) -> Sitting:
    """Somebody thinks that an item is wrong; the trainer finds it with the sitting."""
    store = hall.engine.store
    for _ in range(TRIES):
        kept, sat = await look(hall, exam)
        if not kept.opened or name not in sat:
            raise NotPossible("exam-sealed", say("items-shown-after-exam"))
        if not 0 <= place < kept.plan.items:
            raise BadInput(say("exam-place-range", items=kept.plan.items - 1, place=place))
        sitting, version = await hall.engine.reading(sitting_of, store, exam, name)
        assert sitting is not None
        after = replace(sitting, challenged={**sitting.challenged, place: reason})
        if await _keep(hall, exam, name, version, after, note=name):
            return after
    raise StoreDown("too many changes at once")


async def certificate(hall: Hall, exam: str, name: str) -> SignedCertificate:
    """What somebody reached, signed, once the seed is open."""
    kept, sat = await look(hall, exam)
    sitting = sat.get(name)
    if sitting is None:
        raise NotPossible("exam-not-begun", say("exam-not-sat", name=name))
    if not kept.opened:
        raise NotPossible("exam-sealed", say("certificates-after-seed"))
    return certify(
        hall.heads.key,
        book_of(hall, kept),
        exam=exam,
        person=name,
        finished=sitting.finished,
        plan=kept.plan,
        seal=kept.seal,
        seed=kept.seed,
        struck=kept.struck,
        given=sitting.given,
        items=sitting.items,
        former=sitting.renews,
    )


async def _running(hall: Hall, exam: str, name: str) -> tuple[Exam, Sitting, int]:
    """An exam that somebody sits now; by the server's clock, whatever theirs says."""
    store, now = hall.engine.store, hall.steady.now()
    kept, _ = await hall.engine.reading(exam_of, store, exam)
    sitting, version = await hall.engine.reading(sitting_of, store, exam, name)
    if sitting is None:
        raise NotPossible("exam-not-begun", say("exam-not-begun"))
    if sitting.finished:
        raise NotPossible("exam-finished", say("exam-finished"))
    if now >= sitting.until:
        raise NotPossible("exam-time-up", say("exam-time-up"))
    if kept.opened:  # begun in the moment in which it was opened: the answers can be read by now
        raise NotPossible("exam-over", say("exam-answers-open"))
    return kept, sitting, version


def _place(hall: Hall, exam: str, kept: Exam, name: str, number: int) -> int:
    if not 1 <= number <= kept.plan.items:
        raise BadInput(say("exam-item-range", items=kept.plan.items, number=number))
    return order_of(kept.plan, seed_of(hall, exam, kept), fold(name))[number - 1]


# Certificates -----------------------------------------------------------------------------------------


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
