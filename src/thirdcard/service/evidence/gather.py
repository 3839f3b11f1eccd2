"""A round's part of the log taken out of a store, up to a head that the house has signed, and as an archive.

The rule on what is not told is that of logs (`redaction`): a round with cards that nobody may read yet is not
taken out. Of records after the round only digests go with it.
"""

import hashlib
from importlib.resources import files as package_files

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from thirdcard.errors import BadInput
from thirdcard.rulebook.forms import canonical, encode
from thirdcard.service.evidence.slices import ShoeOnPaper, Slice, lines, told_start
from thirdcard.service.evidence.standalone import packed
from thirdcard.service.evidence.told import RoundEvidence
from thirdcard.service.keys import public_key
from thirdcard.service.log.anchor import SignedHeads, heads_of, sign
from thirdcard.service.log.codec import chained, content, event_of
from thirdcard.service.log.floor_events import (
    HEADS_SIGNED,
    Noted,
    ShoeCommitted,
    ShoeRevealed,
    ShoeSealed,
)
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.model import GENESIS, JOURNAL, Head, Record
from thirdcard.service.queries.redaction import covered
from thirdcard.service.tables.checkpoint import as_of, indexed
from thirdcard.service.tables.live import Live
from thirdcard.strict import decodable
from thirdcard.table import evolve
from thirdcard.table.events import BetsOpened
from thirdcard.table.state import State

MOST_AFTER = 20_000  # records between a round and a head that is signed already
LOOKED_THROUGH = 500  # entries of the journal at once


def gathered(  # noqa: PLR0913 - what to take from where, for whom
    store: Store, table: str, number: int, key: Ed25519PrivateKey, now: int, *, reads_log: bool
) -> tuple[Slice, SignedHeads]:
    """The round and the signed heads that it leads to; BadInput if there is none, or it cannot be told yet.

    Who does not read logs is told only what nobody may hide any more (`reads_log`).
    """
    head = store.heads().get(table)
    if head is None or table == JOURNAL:
        raise BadInput(f"there is no table {table[:64]!r} in {store.place}")
    found = indexed(store, table, (f"round:{number + 1}", f"round:{number}"), {"bets-opened"})
    begins = {record.round: record.version for record in found if record.round in (number, number + 1)}
    if number not in begins:
        raise BadInput(f"{table} has played no round {number}")
    live = as_of(store, table, head.version)
    if live.state is None or covered(live, number, reads_log=reads_log):
        raise BadInput(
            f"round {number} of {table} has cards that nobody has seen: ask when its shoe is finished"
        )
    if number + 1 not in begins and live.table.phase not in ("settled", "void"):
        raise BadInput(f"round {number} of {table} is not over yet")
    return _sliced(store, live, number, begins, key, now)


def _sliced(  # noqa: PLR0913, PLR0917 - what was found
    store: Store, live: Live, number: int, begins: dict[int, int], key: Ed25519PrivateKey, now: int
) -> tuple[Slice, SignedHeads]:
    first, end = begins[number], begins.get(number + 1, live.version + 1)
    previous = store.read(live.id, after=first - 2, limit=1) if first > 1 else []
    before = previous[0].hash if previous else GENESIS
    records = tuple(store.read(live.id, after=first - 1, limit=end - first))
    state = as_of(store, live.id, first - 1).table
    heads, after = _signed(store, records[-1], key, now)
    start = told_start(state, records)
    opened = event_of(records[0])
    assert isinstance(opened, BetsOpened)
    played = evolve(start, opened)
    part = Slice(
        table=live.id,
        title=live.title,
        number=number,
        is_final=number + 1 in begins,
        start=start,
        before=before,
        records=records,
        after=after,
        shoe=_shoe(store, live.id, played),
        texts={
            name: canonical(setup.book)
            for name, setup in (("rulebook", played.setup), ("rulebook-before", start.setup))
            if name == "rulebook" or setup.digest != played.setup.digest
        },
    )
    return part, heads


def _shoe(store: Store, table: str, state: State) -> ShoeOnPaper:
    """What was promised of the shoe that the round was dealt from."""
    number = state.round.shoe if state.round is not None else 0
    told = ShoeOnPaper(number=number)
    names = {"shoe-committed", "shoe-sealed", "shoe-revealed"}
    for event in map(event_of, indexed(store, table, (f"shoe:{number}",), names)):
        if getattr(event, "shoe", number) != number:
            continue
        if isinstance(event, ShoeSealed):
            told = ShoeOnPaper(
                number=number, form=2, commitment=event.commitment, decks=event.decks, seeds=event.seeds
            )
        elif isinstance(event, ShoeCommitted):
            told = ShoeOnPaper(number=number, form=1, commitment=event.commitment)
        elif isinstance(event, ShoeRevealed):
            told = msgspec.structs.replace(told, salt=event.salt, cards=event.cards)
    return told


# The head ---------------------------------------------------------------------------------------------------


def _signed(
    store: Store, last: Record, key: Ed25519PrivateKey, now: int
) -> tuple[SignedHeads, tuple[bytes, ...]]:
    """What the house signed soonest after the round, and the digests from there to it.

    Where there is nothing yet, or the log was chained in a way that does not allow it, the house signs now
    where the round ended.
    """
    noted = _noted(store, last, public_key(key))
    if noted is not None:
        signed, head = noted
        between = store.read(last.stream, after=last.version, limit=head.version - last.version)
        if _leads(last, between, head):
            return signed, tuple(hashlib.sha256(content(record)).digest() for record in between)
    return sign(key, {last.stream: Head(last.version, last.hash)}, now), ()


def _leads(last: Record, between: list[Record], head: Head) -> bool:
    before = last.hash
    for stored in between:
        if stored.hash != chained(before, stored):
            return False
        before = stored.hash
    return (last.version + len(between), before) == (head.version, head.hash)


def _noted(store: Store, last: Record, house: str) -> tuple[SignedHeads, Head] | None:
    """The first note of the journal, from the time of a record on, that signs where its log was by then."""
    journal = store.heads().get(JOURNAL)
    if journal is None:
        return None
    low, high = 0, journal.version
    while low < high:
        middle = (low + high) // 2
        found = store.read(JOURNAL, after=middle, limit=1)
        low, high = (middle + 1, high) if found and found[0].at < last.at else (low, middle)
    for stored in store.read(JOURNAL, after=low, limit=LOOKED_THROUGH):
        event = event_of(stored)
        if isinstance(event, Noted) and event.kind == HEADS_SIGNED and event.facts.get("key") == house:
            signed = msgspec.convert(event.facts, decodable(SignedHeads))
            head = heads_of(signed, house).get(last.stream)
            if head is not None and last.version <= head.version <= last.version + MOST_AFTER:
                return signed, head
    return None


# The archive ------------------------------------------------------------------------------------------


def archive(  # noqa: PLR0913 - what it is made of
    part: Slice,
    heads: SignedHeads,
    evidence: RoundEvidence,
    page: str,
    key: Ed25519PrivateKey,
    *,
    by: str,
    now: int,
) -> bytes:
    """The archive of a round, made at `now` for `by`; the same of the same."""
    end = heads_of(heads)[part.table]
    chain = {
        "stream": part.table,
        "first": part.records[0].version,
        "before": part.before.hex(),
        "hashes": [stored.hash.hex() for stored in part.records],
        "after": [digest.hex() for digest in part.after],
        "head": (end.version, end.hash.hex()),
    }
    found = {
        "evidence.html": page.encode(),
        "evidence.json": _json(evidence),
        "log.txt": lines(part.records),
        "chain.json": _json(chain),
        "heads.json": _json(heads),
        "start.json": _json(part.start),
        "shoe.json": _json(part.shoe),
        **{f"{name}.json": text for name, text in part.texts.items()},
        "verify.py": (package_files("thirdcard.service.evidence") / "standalone.py").read_bytes(),
    }
    said = {
        "schema": evidence.schema,
        "thirdcard": evidence.thirdcard,
        "rulebook": evidence.rulebook,
        "digest": evidence.digest,
        "table": part.table,
        "title": part.title,
        "round": part.number,
        "is_final": part.is_final,
        "made": now,
        "by": by,
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in found.items()},
    }
    manifest = _json(said)
    signed = f"{public_key(key)} {key.sign(manifest).hex()}\n".encode()
    return packed(found | {"manifest.json": manifest, "signature.txt": signed})


def _json(value: object) -> bytes:
    return msgspec.json.encode(value, enc_hook=encode)
