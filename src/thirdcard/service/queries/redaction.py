"""What logs do not tell yet: the one rule for a record's body, its hash and the head of its log.

A card that has left the shoe and that not everybody has seen is told to nobody, auditors included, while it
lies there; where cards are dealt face down, and of cards that went out of play unseen, auditors read when the
round is over. Hashes wait with it, and those of all later records: whoever tries all 52 cards would find the
one that fits. To everybody else a card that went out of play unseen stays untold, and the hashes with it,
until the next shoe.
"""

from typing import get_args

import msgspec
import msgspec.inspect

from thirdcard.cards import Card
from thirdcard.service.log.store.model import Record
from thirdcard.service.tables.live import Live
from thirdcard.table import events
from thirdcard.table.events import AnyEvent


def covered(live: Live | None, number: int, *, reads_log: bool = True) -> bool:
    """Whether records of a round may hold cards that this reader is not told, or follow from them."""
    if live is None or live.state is None:
        return False
    return 0 < (live.untold_since if reads_log else live.hides_from) <= number


def event_shown(live: Live | None, stored: Record) -> msgspec.Raw:
    """An event as it was stored, without the fields that may hold such cards or follow from them."""
    if not covered(live, stored.round):
        return msgspec.Raw(stored.body)
    fields = msgspec.json.decode(stored.body)
    for name in CARD_FIELDS.get(stored.name, ()):
        fields.pop(name, None)
    return msgspec.Raw(msgspec.json.encode(fields))


def hash_shown(live: Live | None, stored: Record, *, reads_log: bool = True) -> str:
    """Empty while it would tell a card."""
    return "" if covered(live, stored.round, reads_log=reads_log) else stored.hash.hex()


def head_shown(live: Live) -> str:
    """The hash of the last record, under the same rule."""
    return "" if live.state is not None and live.untold_since else live.head.hex()


def _card_fields(made: type[msgspec.Struct]) -> tuple[str, ...]:
    found = msgspec.inspect.type_info(made)
    assert isinstance(found, msgspec.inspect.StructType)
    holding = [field.name for field in found.fields if _holds_card(field.type)]
    return (*holding, "changes") if made is events.RecordAmended else tuple(holding)


def _holds_card(kind: msgspec.inspect.Type) -> bool:
    """Whether a card can be a value of that type, or part of one."""
    if isinstance(kind, msgspec.inspect.EnumType):
        return kind.cls is Card
    if isinstance(kind, msgspec.inspect.UnionType):
        return any(_holds_card(other) for other in kind.types)
    if isinstance(kind, msgspec.inspect.StructType):
        return any(_holds_card(field.type) for field in kind.fields)
    if isinstance(kind, msgspec.inspect.VarTupleType):
        return _holds_card(kind.item_type)
    if isinstance(kind, msgspec.inspect.TupleType):
        return any(map(_holds_card, kind.item_types))
    return isinstance(kind, msgspec.inspect.DictType) and any(
        map(_holds_card, (kind.key_type, kind.value_type))
    )


# Events that hold the hash of all that came before, and the fields.
HASHES: dict[str, tuple[str, ...]] = {"checkpointed": ("sha256",)}
# The fields of events, by their names, that may tell cards or what follows from them.
CARD_FIELDS: dict[str, tuple[str, ...]] = {
    **HASHES,
    **{str(made.__struct_config__.tag): _card_fields(made) for made in get_args(AnyEvent)},
}
