"""Where dealers begin: the tables that people deal at, who deals, and which of them wait for a dealer."""

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

from thirdcard.money import format_dollars
from thirdcard.rulebook import Rulebook
from thirdcard.service.people.roles import Person
from thirdcard.service.queries.lobby import TableSummary
from thirdcard.service.tables.live import Duty, Live
from thirdcard.table.setup import Limit
from thirdcard.web.pages import render
from thirdcard.web.pages.lobby import big_road
from thirdcard.web.pages.table_pages import first_limit
from thirdcard.words import Language

Standing: TypeAlias = Literal["yours", "waits", "dealt", "closed"]
ORDER: tuple[Standing, ...] = ("yours", "waits", "dealt", "closed")


class Tile(NamedTuple):
    """A table that people deal at, as somebody finds it who might; `standing` are players without a seat."""

    table: TableSummary
    book: Rulebook
    road: str
    limit: Limit | None
    place: Standing
    duty: Duty
    standing: int


def tiles(person: Person, tables: Iterable[tuple[TableSummary, Live]], lang: Language) -> list[Tile]:
    """Where this person deals, where somebody is wanted, where others deal, what is closed."""
    drawn = [_tile(person, summary, live, lang) for summary, live in tables]
    return sorted(drawn, key=lambda tile: (ORDER.index(tile.place), tile.duty.relief_by != person.name))


def _tile(person: Person, summary: TableSummary, live: Live, lang: Language) -> Tile:
    duty, seated = live.duty, set(summary.seats.values())
    place: Standing = "dealt"
    if duty.dealer == person.name:
        place = "yours"
    elif live.closed:
        place = "closed"
    elif not duty.dealer:
        place = "waits"
    return Tile(
        table=summary,
        book=live.table.rulebook,
        road=big_road(summary.results, lang),
        limit=first_limit(summary),
        place=place,
        duty=duty,
        standing=len([name for name in live.table.players if name not in seated]),
    )


def tiles_part(found: list[Tile], person: Person, lang: Language) -> str:
    """The tables alone, for a page that is open."""
    return render("staff_tiles.html", lang=lang, tiles=found, person=person, money=format_dollars)
