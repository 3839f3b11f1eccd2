"""The auditor: goes through every log from its first event on and believes nothing that is stored.

For each table only the first thing that is wrong is told, with the event and the round where it shows:
whatever comes after it may be wrong because of it. What it cannot tell is in `uncovered`.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from time import sleep

import msgspec

from thirdcard.errors import BadInput
from thirdcard.service.audit import beside
from thirdcard.service.audit.in_force import laws_of
from thirdcard.service.audit.journal import Journal
from thirdcard.service.audit.starting import anchor_all, check_anchor, check_store
from thirdcard.service.audit.walk import AuditProblem, Vouched, Walk
from thirdcard.service.clock import Clock
from thirdcard.service.keys import load_key, public_key, signing_key, subkey
from thirdcard.service.log.anchor import Anchored, SignedHeads, heads_of, read_anchor
from thirdcard.service.log.store import open_snapshot
from thirdcard.service.log.store.log import LogReading
from thirdcard.service.log.store.model import JOURNAL, Head, Record
from thirdcard.strict import bytes_of, decodable

__all__ = [
    "AuditProblem",
    "AuditReport",
    "anchor_all",
    "audit",
    "audit_store",
    "check_anchor",
    "check_store",
]

MOST_HEADS_BYTES = 8_000_000
TOLD_EVERY = 500  # events
NOTED_WITHIN = 2.0  # seconds from a change of an account to its entry in the journal
Progress = Callable[[int], None]


class AuditReport(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How much was looked at, and everything that was found; `remarks` are what is on record, not wrong."""

    tables: int
    rounds: int
    events: int
    problems: tuple[AuditProblem, ...]
    remarks: tuple[str, ...] = ()


def audit_store(  # noqa: PLR0913 - what it is given to hold the logs against
    store: LogReading,
    anchors: Sequence[Anchored] = (),
    key: bytes | None = None,
    *,
    heads: Sequence[SignedHeads] = (),
    now: int | None = None,
    progress: Progress | None = None,
) -> AuditReport:
    """Everything that is written with the logs. `key` is the house's; without it sealed shoes stay closed.

    `anchors` were read before the store, `heads` were signed at any time. `progress` hears every now and then
    how many events are done.
    """
    found = [AuditProblem(table="", what=told) for anchor in anchors for told in anchor.problems]
    found += beside.told_of(lambda: beside.store_problems(store))
    house = "" if key is None else public_key(signing_key(key))
    journal, signed = _journal(store, house), list[Mapping[str, Sequence[Head]]]()
    for other in heads:
        try:
            signed.append({stream: [head] for stream, head in heads_of(other, house).items()})
        except BadInput as error:
            found.append(AuditProblem(table="", what=str(error)))
    try:
        walks = _walks(store, [anchor.heads for anchor in anchors], [*signed, journal.heads], key)
    except Exception as error:  # noqa: BLE001 - anything may be stored
        walks = []
        found.append(AuditProblem(table="", what=f"the logs cannot be found: {error}"))
    done = 0
    for walk in walks:
        for _ in walk.steps():
            done += 1
            if progress is not None and not done % TOLD_EVERY:
                progress(done)
    found += [walk.problem for walk in walks if walk.problem is not None]
    found += journal.problems
    now = Clock().wall() if now is None else now
    found += beside.told_of(lambda: beside.text_problems(store, walks))
    if all(walk.problem is None for walk in walks):  # what follows from a log that is wrong says nothing more
        found += beside.told_of(lambda: beside.answer_problems(store, walks, now))
        found += beside.told_of(lambda: beside.wallet_problems(store, walks))
        found += beside.told_of(lambda: beside.tally_problems(store, walks))
    return AuditReport(
        tables=sum(walk.stream != JOURNAL for walk in walks),
        rounds=sum(len(walk.rounds) for walk in walks),
        events=done,
        problems=_first_of_each(found),
        remarks=(*journal.remarks, *(told for walk in walks for told in walk.dealt.remarks(walk.stream))),
    )


def audit(  # noqa: PLR0913 - the same, by where it is
    where: str,
    *,
    key: Path | None,
    anchors: Sequence[Path],
    heads: Sequence[Path] = (),
    now: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> AuditReport:
    """Audit a file or a database, beside a running server if there is one: the anchors are read first.

    A key, an anchor or heads that are named and not there are a problem; the rest is checked all the same.
    """
    missing = [path for path in (key, *anchors, *heads) if path is not None and not path.exists()]
    found = [
        AuditProblem(table="", what=f"{path} is missing: what it vouches for is unchecked")
        for path in missing
    ]
    master = None if key is None or key in missing else load_key(key)
    signed = [_read_heads(path) for path in heads if path not in missing]

    def read() -> list[Anchored]:
        there = [path for path in anchors if path not in missing]
        return [] if master is None else [read_anchor(path, subkey(master, "anchor")) for path in there]

    first = read()
    with open_snapshot(where) as snapshot:
        ends = dict[str, Head]()
        with contextlib.suppress(Exception):  # what cannot be read is told below
            ends = snapshot.heads()
        total = sum(head.version for head in ends.values() if isinstance(head.version, int))
        tell = None if progress is None else lambda done: progress(done, total)
        report = audit_store(snapshot, first, master, heads=signed, now=now, progress=tell)
    people, remarks = _people(where)
    if people:  # entries of the journal follow the changes that they are about
        sleep(NOTED_WITHIN)
        people &= _people(where)[0]
    found += [*report.problems, *sorted(people, key=lambda problem: problem.what)]
    if first:
        unknown = ends.keys() - _by_stream(
            [anchored.heads for anchored in read()]
        )  # one made since is anchored by now
        found += [AuditProblem(table=stream, what="no anchor knows of it") for stream in sorted(unknown)]
    return msgspec.structs.replace(
        report, problems=_first_of_each(found), remarks=(*report.remarks, *remarks)
    )


def _people(where: str) -> tuple[set[AuditProblem], list[str]]:
    """What is wrong with accounts and what goes with them, and what nothing vouches for."""
    with open_snapshot(where) as snapshot:
        journal = _journal(snapshot, "")
        found = set(beside.told_of(lambda: beside.people_problems(snapshot, journal)))
        return found, [] if found else list(beside.unvouched(snapshot, journal))


def _journal(store: LogReading, house: str) -> Journal:
    """What the journal says, as far as it can be read; what cannot is told where it is walked through."""
    return Journal(_readable(store.read(JOURNAL)), house)


def _readable(records: Iterable[Record]) -> Iterator[Record]:
    with contextlib.suppress(Exception):
        yield from records


def _read_heads(path: Path) -> SignedHeads:
    try:
        return msgspec.json.decode(bytes_of(path, MOST_HEADS_BYTES), type=decodable(SignedHeads))
    except (OSError, BadInput, msgspec.MsgspecError, RecursionError):
        raise BadInput(
            f"{path} does not hold signed heads: an answer of GET /api/heads is expected"
        ) from None


def _walks(
    store: LogReading,
    anchored: Sequence[Mapping[str, Sequence[Head]]],
    signed: Sequence[Mapping[str, Sequence[Head]]],
    key: bytes | None,
) -> list[Walk]:
    heads = store.heads()
    vouched: dict[str, list[Vouched]] = {}
    for how, kept in (("anchored", anchored), ("signed", signed)):
        for stream, ends in _by_stream(kept).items():
            vouched.setdefault(stream, []).extend(Vouched(head, how) for head in ends)
    streams = {*heads, *vouched, *store.streams()}
    laws = laws_of(store)
    return [
        Walk(store, stream, heads.get(stream), vouched.get(stream, ()), key=key, laws=laws)
        for stream in sorted(streams)
    ]


def _by_stream(kept: Iterable[Mapping[str, Sequence[Head]]]) -> dict[str, list[Head]]:
    """What all of them together hold of each stream."""
    heads: dict[str, list[Head]] = {}
    for one in kept:
        for stream, ends in one.items():
            heads.setdefault(stream, []).extend(ends)
    return heads


def _first_of_each(found: Iterable[AuditProblem]) -> tuple[AuditProblem, ...]:
    """One problem of each table, and all that concern none."""
    told: dict[str, AuditProblem] = {}
    return tuple(
        problem
        for problem in found
        if not problem.table or told.setdefault(problem.table, problem) is problem
    )
