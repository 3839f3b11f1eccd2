"""The table's account and its players' statements, for those who may read anybody's; players read their own.

Sums come from the running table, movements from the index of the log: the cost is that of what is shown.
"""

import msgspec

from thirdcard.service.log.codec import broken_link, event_of
from thirdcard.service.log.store import Store
from thirdcard.service.tables.checkpoint import EVERY
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import Live
from thirdcard.table.ledger import AWAY, HOUSE, rack
from thirdcard.table.statements import Movement, PlayerStatement, TableStatement, corrections_told, entry_of

MOVEMENTS = 200  # shown of a statement at once
OF_A_ROUND = 20  # movements before those shown, among which a settlement may have been reversed


class StatementPart(PlayerStatement, frozen=True, kw_only=True, omit_defaults=True):
    """The latest movements; `next` is what to ask `before` for those that came earlier."""

    next: int | None = None


class PlayerSums(msgspec.Struct, frozen=True, kw_only=True):
    balance: int
    net: int


class Books(msgspec.Struct, frozen=True, kw_only=True):
    """`records` is how many of the last records were looked at, `broken` the first that does not follow."""

    records: int
    broken: int | None
    table: TableStatement
    players: dict[str, PlayerSums]


def table_account(live: Live) -> TableStatement:
    """The table's own account."""
    balances, takings = live.table.balances, live.takings
    return TableStatement(
        texts=live.texts,
        rounds=live.table.rounds,
        void_rounds=takings.void_rounds,
        house=balances.get(HOUSE, 0),
        drop=takings.drop,
        paid_out=takings.paid_out,
        racks={name.partition(":")[2]: cents for name, cents in balances.items() if name.startswith("rack:")},
        owed={
            name.partition(":")[2]: -cents
            for name, cents in balances.items()
            if name.startswith("owed:") and cents
        },
        lying=sum(cents for name, cents in balances.items() if name.startswith("box:")),
        away=balances.get(AWAY, 0),
    )


def sums_of(live: Live, player: str) -> PlayerSums:
    balance = live.table.rack(player)
    return PlayerSums(balance=balance, net=balance - live.takings.brought.get(player, 0))


async def _sums(hall: Hall, live: Live, player: str) -> PlayerSums:
    """What a player has, at the table or away from it."""
    if player in live.takings.brought:
        return sums_of(live, player)
    kept = await hall.kept(live.id, player)
    return PlayerSums(balance=kept.cents, net=kept.cents - kept.brought)


async def player_statement(
    hall: Hall, live: Live, player: str, *, before: int | None = None, limit: int = MOVEMENTS
) -> StatementPart | None:
    """A player's statement, the latest movements last; None if the player has moved no money here."""
    sums = await _sums(hall, live, player)
    first = min(before or live.version + 1, live.version + 1)
    movements = await hall.engine.reading(_movements, hall.engine.store, live.id, player, first, limit)
    if not movements and before is None:
        return None
    return StatementPart(
        texts=live.texts,
        player=player,
        entries=tuple(entry for _, entry in movements),
        balance=sums.balance,
        net=sums.net,
        next=movements[0][0] if len(movements) == limit else None,
    )


def _movements(store: Store, stream: str, player: str, before: int, limit: int) -> list[tuple[int, Movement]]:
    """The last movements below a version, each with its own."""
    postings = store.lookup(stream, (rack(player),), before=before, limit=limit + OF_A_ROUND)
    records = [(row.value, stored) for row, stored in reversed(postings)]
    entries = corrections_told(
        entry_of(event_of(stored), player, number=stored.round, balance=balance, at=stored.at)  # type: ignore[arg-type]
        for balance, stored in records
    )
    versions = [stored.version for _, stored in records]
    return list(zip(versions, entries, strict=True))[-limit:]


async def books(hall: Hall, live: Live) -> Books:
    """The table's and its players' sums, and whether the last records follow from one another."""
    looked, broken = await hall.engine.reading(_chain, hall.engine.store, live)
    return Books(
        records=looked,
        broken=broken,
        table=table_account(live),
        players={player: sums_of(live, player) for player in live.takings.brought},
    )


def _chain(store: Store, live: Live) -> tuple[int, int | None]:
    """How many records were followed up to where the table is, and the first that does not fit."""
    after = max(live.version - EVERY - 1, 0)
    records = store.read(live.id, after=after, limit=live.version - after)
    if after:
        broken = broken_link(records[1:], records[0])
        records = records[1:]
    else:
        broken = broken_link(records)
    if broken is None and records and records[-1].hash != live.head:
        broken = records[-1]
    return len(records), broken.version if broken else None
