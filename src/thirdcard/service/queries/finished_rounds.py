"""Finished rounds, for anybody: as everybody at the table saw them, without cards that were never turned."""

import msgspec

from thirdcard.errors import BadInput
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.model import Listed, RoundRow
from thirdcard.service.people.roles import Person
from thirdcard.service.tables.hall import TABLE_ID, Hall
from thirdcard.service.tables.live import RoundRecord
from thirdcard.strict import decodable
from thirdcard.words.saying import say


class OwnRounds(msgspec.Struct, frozen=True, kw_only=True):
    """One's own rounds; `next` is what to ask `after` for those before them."""

    rounds: list[RoundRecord]
    next: str | None


def shown_round(row: RoundRow) -> RoundRecord:
    """Why a round was void is for those who read the log."""
    return msgspec.structs.replace(msgspec.json.decode(row.body, type=decodable(RoundRecord)), reason="")


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
    hall: Hall, person: Person, *, after: str, limit: int, which: Listed | None = None
) -> OwnRounds:
    """Those that the person bet in, at all tables, the latest first; or those of a list."""
    store = hall.engine.store
    if which is not None:
        return await hall.engine.reading(_listed, store, person.name, which, _place(after), limit)
    return await hall.engine.reading(_own_rounds, store, person.name, _place(after), limit)


def _listed(
    store: Store, name: str, which: Listed, before: tuple[int, str, int] | None, limit: int
) -> OwnRounds:
    rows = store.played(name, which, before=before, limit=limit)
    last = rows[-1] if len(rows) == limit else None
    return OwnRounds(
        rounds=[shown_round(row.row) for row in rows],
        next=f"{last.row.at}.{last.stream}.{last.row.number}" if last else None,
    )


def _own_rounds(store: Store, name: str, before: tuple[int, str, int] | None, limit: int) -> OwnRounds:
    rows = store.rounds_of(name, before=before, limit=limit)
    last = rows[-1] if len(rows) == limit else None
    return OwnRounds(
        rounds=[shown_round(row) for _, row in rows],
        next=f"{last[1].at}.{last[0]}.{last[1].number}" if last else None,
    )


def _place(text: str) -> tuple[int, str, int] | None:
    if not text:
        return None
    try:
        at, table, number = text.split(".")
        place = int(at), table, int(number)
    except ValueError:
        raise BadInput(say("after-answer-gave-next")) from None
    if not (0 <= place[0] < 2**63 and 0 <= place[2] < 2**63 and TABLE_ID.fullmatch(table)):
        raise BadInput(say("after-answer-gave-next"))
    return place
