"""The auditor: goes through every log from its first event on and believes nothing that is stored.

For each table only the first thing that is wrong is told, with the event and the round where it shows:
whatever comes after it may be wrong because of it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from thirdcard.errors import BadInput
from thirdcard.service.audit.walk import AuditProblem, Walk
from thirdcard.service.keys import load_key, subkey
from thirdcard.service.log.anchor import Anchor, Anchored, read_anchor
from thirdcard.service.log.store import open_snapshot
from thirdcard.service.log.store.model import JOURNAL, Answered, Auditable, Head, Store, StoreDown
from thirdcard.service.tables.engine import Answer

__all__ = ["AuditReport", "Problem", "anchor_all", "audit", "audit_store", "check_anchor"]

TOLD_EVERY = 500  # events
Progress = Callable[[int], None]


class AuditReport(msgspec.Struct, frozen=True, kw_only=True):
    """How much was looked at, and everything that was found."""

    tables: int
    rounds: int
    events: int
    problems: tuple[AuditProblem, ...]


def audit_store(
    store: Auditable,
    anchors: Sequence[Anchored] = (),
    key: bytes | None = None,
    *,
    progress: Progress | None = None,
) -> AuditReport:
    """Everything that can be checked. `key` is the house's; without it sealed shoes stay closed.

    `anchors` were read before the store. `progress` hears every now and then how many events are done.
    """
    heads, anchored = store.heads(), _heads(anchors)
    streams = {*heads, *anchored, *store.streams()}
    walks = [Walk(store, one, heads.get(one), anchored.get(one, ()), key) for one in sorted(streams)]
    done = 0
    for walk in walks:
        for _ in walk.steps():
            done += 1
            if progress is not None and not done % TOLD_EVERY:
                progress(done)
    found = [AuditProblem(table="", what=told) for one in anchors for told in one.problems]
    found += [walk.problem for walk in walks if walk.problem is not None]
    found += _whole(store, walks)
    return AuditReport(
        tables=sum(walk.stream != JOURNAL for walk in walks),
        rounds=sum(len(walk.rounds) for walk in walks),
        events=done,
        problems=_first_of_each(found),
    )


def audit(
    where: str,
    *,
    key: Path | None,
    anchors: Sequence[Path],
    progress: Callable[[int, int], None] | None = None,
) -> AuditReport:
    """Audit a file or a database, beside a running server if there is one: the anchors are read first.

    A key or an anchor that is named and not there is a problem; the rest is checked all the same.
    """
    missing = [path for path in (key, *anchors) if path is not None and not path.exists()]
    found = [
        AuditProblem(table="", what=f"{path} is missing: what it vouches for is unchecked")
        for path in missing
    ]
    master = None if key is None or key in missing else load_key(key)

    def read() -> list[Anchored]:
        there = [path for path in anchors if path not in missing]
        return [] if master is None else [read_anchor(path, subkey(master, "anchor")) for path in there]

    first = read()
    with open_snapshot(where) as snapshot:
        heads = snapshot.heads()
        total = sum(head.version for head in heads.values())
        tell = None if progress is None else lambda done: progress(done, total)
        report = audit_store(snapshot, first, master, progress=tell)
    found += report.problems
    if first:
        unknown = heads.keys() - _heads(read())  # a table made since the first look is anchored by now
        found += [AuditProblem(table=stream, what="no anchor knows of it") for stream in sorted(unknown)]
    return msgspec.structs.replace(report, problems=_first_of_each(found))


def _heads(anchors: Iterable[Anchored]) -> dict[str, list[Head]]:
    """What all anchors together hold of each stream."""
    heads: dict[str, list[Head]] = {}
    for anchor in anchors:
        for stream, written in anchor.heads.items():
            heads.setdefault(stream, []).extend(written)
    return heads


def _first_of_each(found: Iterable[AuditProblem]) -> tuple[AuditProblem, ...]:
    """One problem of each table, and all that concern none."""
    told: dict[str, AuditProblem] = {}
    return tuple(one for one in found if not one.table or told.setdefault(one.table, one) is one)


def check_anchor(store: Store, anchor: Anchor) -> None:
    """BadInput if the store does not hold what the anchor has seen; then anchor where all its logs end."""
    for stream, head in anchor.latest().items():
        found = store.read(stream, after=head.version - 1, limit=1)
        if not found or found[0].hash != head.hash:
            raise BadInput(
                f"the log of {stream} is not the one that was anchored at event {head.version}: it was cut "
                f"or changed, or the database is an older back-up. `thirdcard audit` tells more; to go on "
                f"all the same, keep that anchor elsewhere and start with a new one"
            )
    anchor_all(store, anchor)


def anchor_all(store: Store, anchor: Anchor) -> None:
    """Anchor what the store holds and the anchor does not know yet; in turn with the store's commits."""
    known, start = anchor.latest(), Head(0, b"")
    heads = store.heads().items()
    behind = {stream: head for stream, head in heads if head.version > known.get(stream, start).version}
    if behind:
        anchor.write(behind)


def _whole(store: Auditable, walks: Sequence[Walk]) -> Iterator[AuditProblem]:
    """What concerns no single table, or the order between tables."""
    try:
        for told in store.damage():
            yield AuditProblem(table="", what=told)
        for stream, version in store.out_of_order():
            yield AuditProblem(
                table=stream, event=version, what="the store put it before the event before it"
            )
        if all(walk.problem is None for walk in walks):  # answers about a log that is wrong say nothing more
            for answered in store.answers():
                if not _has_effect(answered, walks):
                    what = f"an answer to {answered.actor} speaks of events that no log holds"
                    yield AuditProblem(table="", what=what)
    except StoreDown as error:
        yield AuditProblem(table="", what=str(error))


def _has_effect(answered: Answered, walks: Iterable[Walk]) -> bool:
    """Whether some log holds the events that an answer names, up to its version and by that person."""
    try:
        answer = msgspec.json.decode(answered.answer, type=Answer)
    except msgspec.MsgspecError:
        return False
    first, last = answer.version - len(answer.events), answer.version
    return any(
        first >= 0
        and last <= len(walk.names)
        and tuple(walk.names[first:last]) == answer.events
        and all(by == answered.actor for by in walk.actors[first:last])
        for walk in walks
    )
