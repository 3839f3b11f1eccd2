"""What is kept beside the logs, held against what they say: answers, texts of rulebooks, people."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from thirdcard.service.audit.journal import AccountOnRecord, Journal
from thirdcard.service.audit.walk import AuditProblem, Walk
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.log.codec import asked_by
from thirdcard.service.log.floor_events import EXAM_BEGUN
from thirdcard.service.log.store.log import LogReading
from thirdcard.service.log.store.model import Account, Answered, Session, Tally, Wallet
from thirdcard.service.log.store.people import fold
from thirdcard.service.log.store.results import Tallies, results_of
from thirdcard.service.log.store.school import vouched
from thirdcard.service.log.store.tables import (
    ACCOUNTS,
    ANSWERS,
    DOCUMENTS,
    EXAMS,
    NAMES,
    PERSONAL,
    SESSIONS,
    TALLIES,
    WALLETS,
)
from thirdcard.service.people.accounts import sha256_of
from thirdcard.service.people.roles import STAFF
from thirdcard.service.tables.engine import KEPT, Answer
from thirdcard.strict import decodable

APART = 3_600 * MICROSECONDS  # that the clocks of a server and of whoever audits may be
Told = Iterator[AuditProblem]


def told_of(work: Callable[[], Iterable[AuditProblem]]) -> Told:
    """What a piece of work finds; what it stumbles over is a finding too, since anything may be stored."""
    try:
        yield from work()
    except Exception as error:  # noqa: BLE001
        yield _problem(f"it cannot be read: {error}")


def store_problems(store: LogReading) -> Told:
    for told in store.damage():
        yield _problem(told)
    for stream, version in store.out_of_order():
        yield AuditProblem(table=stream, event=version, what="the store put it before the event before it")


def text_problems(store: LogReading, walks: Sequence[Walk]) -> Told:
    named = {digest for walk in walks for digest in walk.texts}
    sound = all(walk.problem is None for walk in walks)
    for kept in store.texts():
        if hashlib.sha256(kept.text).hexdigest() != kept.digest:
            yield _problem(f"the text {kept.digest} of a rulebook was changed")
        elif sound and kept.digest not in named:
            yield _problem(f"a text {kept.digest} of a rulebook is kept that no log names")


def answer_problems(store: LogReading, walks: Sequence[Walk], now: int) -> Told:
    """Every answer has its events, and every event that ends an answer has it while it is to be kept."""
    ended = {asked: (walk, version) for walk in walks for version, (asked, _) in walk.asked.items()}
    given = set()
    for answered in store.every(ANSWERS):
        asked = asked_by(answered.actor, answered.key, answered.digest)
        given.add(asked)
        walk, version = ended.get(asked, (None, 0))
        if not _has_effect(answered, walks if walk is None else [walk], version):
            yield _problem(f"an answer to {answered.actor} speaks of events that no log holds")
        elif walk is not None and answered.until != walk.asked[version][1] + KEPT:
            yield _problem(f"an answer to {answered.actor} is kept until another time than it was given for")
    for asked, (walk, version) in ended.items():
        if asked not in given and walk.asked[version][1] + KEPT > now + APART:
            what = "the answer that it ends is gone: the same command would be carried out again"
            yield AuditProblem(table=walk.stream, event=version, what=what)


def _has_effect(answered: Answered, walks: Iterable[Walk], version: int) -> bool:
    """Whether some log holds the events that an answer names, up to its version and by that person.

    That is `version` where events say whose answer they end; those of earlier releases do not say so.
    """
    try:
        answer = msgspec.json.decode(answered.answer, type=decodable(Answer))
    except msgspec.MsgspecError:
        return False
    first, last = answer.version - len(answer.events), answer.version
    if version and (last != version or not answer.events):
        return False
    return any(
        0 <= first <= last <= len(walk.names)
        and tuple(walk.names[first:last]) == answer.events
        and all(by == answered.actor for by in walk.actors[first:last])
        and (version or not answer.events or last not in walk.asked)
        for walk in walks
    )


def wallet_problems(store: LogReading, walks: Sequence[Walk]) -> Told:
    """Every wallet holds what the postings of all logs come to, after as many movements."""
    made: dict[str, Wallet] = {}
    for walk in walks:
        for name, part in walk.wallets.items():
            so_far = made.get(name, Wallet(name=name, cents=0, version=0))
            made[name] = Wallet(
                name=name,
                cents=so_far.cents + part.cents,
                version=so_far.version + part.version,
                refilled=max(so_far.refilled, part.refilled),
            )
    kept = {wallet.name: wallet for wallet in store.every(WALLETS)}
    for name in sorted(made.keys() | kept.keys()):
        if kept.get(name) != made.get(name):
            yield _problem(f"the wallet of {name} is not what the postings come to")
        elif made[name].cents < 0:
            yield _problem(f"the wallet of {name} holds less than nothing")


def tally_problems(store: LogReading, walks: Sequence[Walk]) -> Told:
    """The sums of what people have played are those of the rounds."""
    if not store.has(TALLIES):
        return
    tallies = Tallies()
    for walk in walks:
        for result in (result for _, row in walk.rounds.values() for result in results_of(row)):
            tallies.add(result, 0)
    made = dict(map(_sums, tallies.rows()))
    kept = map(_sums, store.every(TALLIES))
    found = {key: sums for key, sums in kept if any(sums)}  # one that was corrected away stays as nothing
    for player in sorted({key[0] for key in made.keys() | found.keys() if made.get(key) != found.get(key)}):
        yield _problem(f"the sums of what {player} has played are not those of the rounds")


def _sums(tally: Tally) -> tuple[tuple[str, int, str, str], tuple[int, int, int]]:
    return (tally.player, tally.day, tally.digest, tally.bet), (tally.rounds, tally.staked, tally.net)


def people_problems(store: LogReading, journal: Journal) -> Told:
    there = set()
    for (key,), account in store.keyed(ACCOUNTS):
        there.add(key)
        if key != fold(account.name):
            yield _problem(f"the account {account.name} is filed under another name")
        yield from _account_problems(account, journal.accounts.get(key) or AccountOnRecord(account.name))
    for key, known in journal.accounts.items():
        if known.role is not None and key not in there:
            yield _problem(f"the account {known.name} is gone")
    for (key,), session in store.keyed(SESSIONS):
        yield from _session_problems(key, session)
    yield from _personal_problems(store, journal)
    yield from _name_problems(store, journal)
    yield from _exam_problems(store, journal)
    copies = {copy.digest: sha256_of(copy.text) for copy in store.every(DOCUMENTS)}
    for digest in sorted(copies.keys() | journal.documents.keys()):
        if copies.get(digest) != journal.documents.get(digest):
            yield _problem(f"the copy of the document of rulebook {digest} is not what the journal knows")


def _name_problems(store: LogReading, journal: Journal) -> Told:
    kept = {}
    for (key,), known in store.keyed(NAMES):
        if key != fold(known.name):
            yield _problem(f"the name {known.name} is filed under another")
        kept[known.account, known.use] = known.name
    for account, use in sorted(kept.keys() | journal.names.keys()):
        if kept.get((account, use), "") != journal.names.get((account, use), ""):
            yield _problem(f"what {account} goes by ({use}) is not what the journal knows")


def _account_problems(account: Account, known: AccountOnRecord) -> Told:
    name, role = account.name, account.role
    if role == "guest" and account.password:
        yield _problem(f"the guest {name} has a password")
    if known.role is None and role in STAFF:
        yield _problem(f"{name} is {role}, and the journal does not say by whom")
    elif known.role not in (None, role):
        yield _problem(f"{name} is {role}, and by the journal {known.role}")
    if known.password not in (None, sha256_of(account.password)):
        yield _problem(f"the password of {name} is not the one that the journal knows")
    if account.disabled != known.disabled:
        yield _problem(f"whether {name} is disabled is not as the journal has it")


def _session_problems(key: str, session: Session) -> Told:
    if key != fold(session.account):
        yield _problem(f"a session of {session.account} is filed under another name")
    if session.created > session.seen:
        yield _problem(f"a session of {session.account} was used before it began")


def _personal_problems(store: LogReading, journal: Journal) -> Told:
    kept = {
        (personal.key, personal.kind): hashlib.sha256(personal.body).hexdigest()
        for personal in store.every(PERSONAL)
    }
    for name, kind in sorted(kept.keys() | journal.personal.keys()):
        if kept.get((name, kind), "") != journal.personal.get((name, kind), ""):
            yield _problem(f"what {name} has set for themselves ({kind}) is not what the journal knows")


def _exam_problems(store: LogReading, journal: Journal) -> Told:
    """Exams and finished sittings are what the journal knows; of one that is begun, that there is one."""
    kept = dict(store.keyed(EXAMS))
    for exam, person in sorted(kept.keys() | journal.exams.keys()):
        document, known = kept.get((exam, person)), journal.exams.get((exam, person), (0, ""))[1]
        told = f"the sitting of {person} in exam {exam}" if person else f"the exam {exam}"
        if document is None:
            yield _problem(f"{told} is gone")
        elif not known:
            yield _problem(f"{told} is not in the journal")
        elif known != EXAM_BEGUN and vouched(document) != known:
            yield _problem(f"{told} is not what the journal knows")


def unvouched(store: LogReading, journal: Journal) -> Iterator[str]:
    """What of the accounts no note tells, in sentences."""
    own = [account for account in store.every(ACCOUNTS) if account.role != "guest"]
    known = [journal.accounts.get(fold(account.name)) for account in own]
    nobody = sum(record is None or record.role is None for record in known)
    if nobody:
        yield f"{nobody} accounts are not in the journal: nothing vouches for them"
    before = sum(record is None or record.password is None for record in known) - nobody
    if before > 0:
        yield f"the passwords of {before} accounts were set by an earlier release: nothing vouches for them"


def _problem(what: str) -> AuditProblem:
    return AuditProblem(table="", what=what)
