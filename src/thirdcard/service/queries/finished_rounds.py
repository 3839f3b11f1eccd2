"""Finished rounds, for anybody: as everybody at the table saw them, without cards that were never turned."""

import msgspec

from thirdcard.service.log.store.model import ResultList, RoundRow
from thirdcard.service.people.roles import Person
from thirdcard.service.queries.finding import place_of, text_of
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import RoundRecord


class OwnRounds(msgspec.Struct, frozen=True, kw_only=True):
    """One's own rounds; `next` is what to ask `after` for those before them."""

    rounds: list[RoundRecord]
    next: str | None


def shown_round(row: RoundRow) -> RoundRecord:
    """Why a round was void is for those who read the log."""
    return msgspec.structs.replace(RoundRecord.of(row), reason="")


async def finished_rounds(hall: Hall, table: str, *, before: int | None, limit: int) -> list[RoundRecord]:
    """The latest first."""
    store = hall.engine.store
    return await hall.engine.reading(
        lambda: [shown_round(row) for row in store.rounds(table, before=before, limit=limit)]
    )


async def finished_round(hall: Hall, table: str, number: int) -> RoundRecord | None:
    row = await hall.engine.reading(hall.engine.store.round, table, number)
    return shown_round(row) if row is not None else None


async def own_rounds(
    hall: Hall, person: Person, *, after: str, limit: int, which: ResultList | None = None
) -> OwnRounds:
    """Those that the person bet in, at all tables, the latest first; or those of a list."""
    store, before = hall.engine.store, place_of(after)

    def work() -> OwnRounds:
        if which is not None:
            listed = store.played(person.name, which, before=before, limit=limit)
            rows = [(played.stream, played.row) for played in listed]
        else:
            rows = store.rounds_of(person.name, before=before, limit=limit)
        last = [(row.at, stream, row.number) for stream, row in rows[limit - 1 :]]
        rounds = [shown_round(row) for _, row in rows]
        return OwnRounds(rounds=rounds, next=text_of(last[0]) if last else None)

    return await hall.engine.reading(work)
