"""What the stores have in common: which appends of a commit are good, and what rows and values make."""

import hashlib
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from thirdcard.service.log.store.model import (
    Account,
    Answered,
    Append,
    Conflict,
    Done,
    Head,
    KeptDocument,
    KnownAs,
    Overtaken,
    QuarterSum,
    Record,
    Result,
    ReviewRow,
    RoundMark,
    RoundPlayed,
    RoundRow,
    Seen,
    Session,
    Wallet,
)

RECORD = 'stream, version, at, "by", name, schema, round, flag, body, hash, asked'
ROUND = "number, at, players, body"
ACCOUNT = "name, role, password, created, disabled, failures, locked_until"
SESSION = "token_hash, account, created, seen"

WALLET = "name, cents, version, refilled"

# What a back-up holds, in the order in which it is written. Sessions are no part of it: whoever was signed
# out stays so. Who played in which round, and what that came to, follows from the rounds.
COLUMNS = {
    "streams": "stream, version, head",
    "events": f"seq, {RECORD}",
    "postings": "stream, version, n, account, cents",
    "answers": "actor, key, digest, answer, until",
    "rounds": f"stream, {ROUND}",
    "shoes": "stream, number, sealed",
    "event_index": "stream, key, version, value",
    "marks": "mark, at, stream, number",
    "quarters": "at, stream, name, value",
    "checkpoints": "stream, version, body",
    "rulebooks": "digest, text",
    "accounts": f"key, {ACCOUNT}",
    "personal": "key, kind, body",
    "wallets": WALLET,
    "names": "key, name, account, use",
    "learning": "person, kind, version, body",
    "reviews": "person, number, at, body",
    "exams": "exam, person, version, body",
}

Row = Sequence[Any]


class Judged(msgspec.Struct, frozen=True):
    """A commit looked through: a result for each append, those to be written, and where streams then end."""

    results: list[Result]
    good: list[Append]
    heads: dict[str, Head]
    wallets: dict[str, Wallet]


def judge(
    appends: Sequence[Append],
    heads: Mapping[str, Head],
    answered: Callable[[tuple[str, str]], Answered | None],
    wallets: Mapping[str, int],
) -> Judged:
    """Look the appends through in order, each as if those before it were written.

    Answers go first: who asks again gets the answer, however far the stream has moved. `wallets` are the
    versions of those that there are.
    """
    judged = Judged([], [], {}, {})
    fresh: dict[tuple[str, str], Answered] = {}
    for append in appends:
        check(append)
        seen = []
        for answer in append.answers:
            key = answer.actor, answer.key
            found = fresh.get(key) or answered(key)
            if found is not None:
                seen.append(found)
        if seen:
            judged.results.append(Seen(tuple(seen)))
        elif append.records and append.expected != _version(append.stream, judged.heads, heads):
            judged.results.append(Conflict())
        elif moved := _overtaken(append, judged.wallets, wallets):
            judged.results.append(Overtaken(moved))
        else:
            judged.results.append(Done())
            judged.good.append(append)
            judged.wallets.update((one.after.name, one.after) for one in append.wallets)
            for answer in append.answers:
                fresh[answer.actor, answer.key] = answer
            if append.records:
                last = append.records[-1]
                judged.heads[append.stream] = Head(last.version, last.hash)
    return judged


def _overtaken(append: Append, moved: Mapping[str, Wallet], wallets: Mapping[str, int]) -> tuple[str, ...]:
    """The wallets that are not as the append expects them."""
    return tuple(
        one.after.name
        for one in append.wallets
        if one.expected
        != (moved[name].version if (name := one.after.name) in moved else wallets.get(name, 0))
    )


def check(append: Append) -> None:
    """ValueError if an append cannot be right whatever the store holds."""
    for version, record in enumerate(append.records, start=append.expected + 1):
        if record.version != version or record.stream != append.stream:
            raise ValueError(f"version {version} of {append.stream} should follow, not {record.version}")
    last = append.expected + len(append.records)
    for entry in append.entries:
        if not append.expected < entry.version <= last:
            raise ValueError(f"a posting of {append.stream} without its event, version {entry.version}")
    if len(append.answers) > 1 and len({(a.actor, a.key) for a in append.answers}) < len(append.answers):
        raise ValueError("two answers to one command")


def _version(stream: str, moved: Mapping[str, Head], heads: Mapping[str, Head]) -> int:
    head = moved.get(stream) or heads.get(stream)
    return head.version if head else 0


def fold(name: str) -> str:
    """The same for names that people take for the same: whatever the case or the encoding of letters."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def as_heads(rows: Iterable[Row]) -> dict[str, Head]:
    return {stream: Head(version, digest) for stream, version, digest in rows}


def as_record(row: Row) -> Record:
    stream, version, at, by, name, schema, number, flag, body, digest, asked = row
    return Record(
        stream=stream,
        version=version,
        at=at,
        by=by,
        name=name,
        schema=schema,
        round=number,
        flag=flag,
        body=body,
        hash=digest,
        asked=asked,
    )


def record_row(r: Record) -> Row:
    return r.stream, r.version, r.at, r.by, r.name, r.schema, r.round, r.flag, r.body, r.hash, r.asked


def as_round(row: Row) -> RoundRow:
    number, at, players, body = row
    return RoundRow(number=number, at=at, players=tuple(names(players)), body=body)


def names(players: list[str] | str) -> list[str]:
    """Players as a list, or as the JSON of it where a database has no lists."""
    return msgspec.json.decode(players, type=list[str]) if isinstance(players, str) else players


def as_account(row: Row) -> Account:
    name, role, password, created, disabled, failures, locked_until = row
    return Account(
        name=name,
        role=role,
        password=password,
        created=created,
        disabled=bool(disabled),
        failures=failures,
        locked_until=locked_until,
    )


def account_row(account: Account) -> Row:
    return msgspec.structs.astuple(account)


def as_wallet(row: Row) -> Wallet:
    name, cents, version, refilled = row
    return Wallet(name=name, cents=cents, version=version, refilled=refilled)


def mark_row(stream: str, one: RoundMark) -> Row:
    return one.mark, one.at, stream, one.number


def quarter_row(stream: str, one: QuarterSum) -> Row:
    return one.at, stream, one.name, one.value


def wallet_row(wallet: Wallet) -> Row:
    return wallet.name, wallet.cents, wallet.version, wallet.refilled


def as_document(row: Row) -> KeptDocument:
    version, body = row
    return KeptDocument(version, bytes(body))


def as_review(row: Row) -> ReviewRow:
    person, number, at, body = row
    return ReviewRow(person=person, number=number, at=at, body=bytes(body))


def vouched(document: KeptDocument) -> str:
    """By which the journal knows what was written of an exam."""
    return hashlib.sha256(f"{document.version}\n".encode() + document.body).hexdigest()


def as_known(row: Row) -> KnownAs:
    name, account, use = row
    return KnownAs(name=name, account=account, use=use)


def as_played(row: Row) -> RoundPlayed:
    stream, net, staked, *rest = row
    return RoundPlayed(stream=stream, net=net, staked=staked, row=as_round(rest))


def as_session(row: Row) -> Session:
    token_hash, account, created, seen = row
    return Session(token_hash=token_hash, account=account, created=created, seen=seen)
