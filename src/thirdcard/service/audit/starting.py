"""What a server looks at before it opens: the store itself, and whether its anchor vouches for its logs."""

from collections.abc import Sequence

from thirdcard.errors import BadInput
from thirdcard.service.log.anchor import Anchor
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.model import JOURNAL, Head
from thirdcard.service.people.accounts import CONSOLE

ANCHOR_MISSING = "anchor-missing"  # the kind of a note: somebody goes on without the anchor that there was
BEGUN = 2  # events of a log that may be written before its first line in the anchor
NAMED = 5  # logs in a sentence


def check_store(store: Store) -> None:
    """BadInput if the store itself is damaged, or does more than we told it to."""
    for told in store.damage():
        raise BadInput(
            f"{store.place} cannot be relied on: {told}. Nothing was started; `thirdcard audit` tells more, "
            f"and `thirdcard restore` fills a new database from a back-up"
        )


def check_anchor(store: Store, anchor: Anchor, *, anew: bool = False) -> None:
    """BadInput if store and anchor do not vouch for each other; `anew` is for an anchor that was lost."""
    for told in anchor.problems:
        raise BadInput(f"the anchor {anchor.path} was changed: {told}. {_go_on()}")
    for stream, head in anchor.latest().items():
        found = store.read(stream, after=head.version - 1, limit=1)
        if not found or found[0].hash != head.hash:
            raise BadInput(
                f"the log of {stream} is not the one that was anchored at event {head.version}: it was cut "
                f"or changed, or the database is an older back-up. `thirdcard audit` tells more. {_go_on()}"
            )
    missing = unanchored(store, anchor)
    if anew and not missing:
        raise BadInput(f"the anchor {anchor.path} lacks nothing: start without --new-anchor")
    if missing and not anew:
        raise BadInput(
            f"the anchor {anchor.path} does not know the {_logs(missing)}: nobody can tell whether something "
            f'was cut. Put it back; if it is lost for good, --new-anchor "WHY" goes on, on record'
        )


def unanchored(store: Store, anchor: Anchor) -> list[str]:
    """The logs that the anchor ought to know and does not.

    A log is written first and then anchored, and commands on the machine note before a server has run. What
    other processes of a shared store have begun is in their anchors: there an anchor need only know one log.
    """
    known = anchor.latest()
    if store.shared and known:
        return []
    return [
        stream
        for stream, head in sorted(store.heads().items())
        if stream not in known and head.version > BEGUN and not (stream == JOURNAL and _by_console(store))
    ]


def anchor_all(store: Store, anchor: Anchor) -> None:
    """Anchor what the store holds and the anchor does not know yet; in turn with the store's commits."""
    known, start = anchor.latest(), Head(0, b"")
    heads = store.heads().items()
    behind = {stream: head for stream, head in heads if head.version > known.get(stream, start).version}
    if behind:
        anchor.write(behind)


def _by_console(store: Store) -> bool:
    return all(stored.by == CONSOLE for stored in store.read(JOURNAL))


def _logs(streams: Sequence[str]) -> str:
    more = f" and {len(streams) - NAMED} more" if len(streams) > NAMED else ""
    return f"log{'s' if len(streams) > 1 else ''} of {', '.join(streams[:NAMED])}{more}"


def _go_on() -> str:
    return 'To go on all the same, keep that anchor elsewhere and start with --new-anchor "WHY"'
