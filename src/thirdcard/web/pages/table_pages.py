"""The pages of live tables: the lobby, a player's table, the display board, and a shoe to be checked."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Literal, NamedTuple, TypeAlias

from thirdcard.roads import DERIVED, Bead, Roads, parse_results
from thirdcard.roads import roads as roads_of
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.model import Insurance, Offer, Span
from thirdcard.service.queries.lobby import TableSummary
from thirdcard.table.setup import Limit
from thirdcard.table.view import ShownNotice
from thirdcard.web.assets import version
from thirdcard.web.draw import Spot, spots
from thirdcard.web.pages import NOTHING, render, text_of
from thirdcard.web.roads_svg import ask_svg, bead_plate_svg, big_road_svg, derived_svg
from thirdcard.words import Language, bet_name, bet_words

Sheet: TypeAlias = Literal["strip", "board"]
# Columns of the bead plate, the big road and the derived roads; squares in pixels, large and small.
SHEETS: dict[Sheet, tuple[int, int, int, int, int]] = {
    "strip": (8, 20, 18, 16, 9),
    "board": (11, 26, 19, 49, 28),
}
LOBBY_COLUMNS, LOBBY_CELL = 22, 17
Books: TypeAlias = Mapping[str, Rulebook]  # by table: the text that it plays by


class Road(NamedTuple):
    """One road as a page shows it."""

    name: str
    svg: str


class InsuranceRow(NamedTuple):
    """An offer of the insurance table in words: `own` are the insured hand's points."""

    own: str
    other: str
    odds: str


class InsuranceTable(NamedTuple):
    hand: str
    windows: Sequence[tuple[int, list[InsuranceRow]]]


def money(cents: int) -> str:
    """`5,000`; `12.50` where there are cents."""
    return f"{cents // 100:,}" if cents % 100 == 0 else f"{cents / 100:,.2f}"


def lobby_page(cards: str, lang: Language, who: str) -> str:
    """The lobby around its tables."""
    return render("lobby.html", lang=lang, page="tables", cards=cards, who=who)


class LobbyCards:
    """The tables of the lobby, each drawn again when it has changed, or a second of its timer has passed."""

    def __init__(self) -> None:
        self._drawn: dict[tuple[str, Language], tuple[tuple[int, int], str]] = {}

    def html(self, tables: Sequence[TableSummary], books: Books, lang: Language) -> str:
        return "".join([self._card(one, books[one.house.id], lang) for one in tables])

    def _card(self, table: TableSummary, book: Rulebook, lang: Language) -> str:
        seconds = -(-table.timer.left_ms // 1000) if table.timer else 0
        place, state = (table.house.id, lang), (table.version, seconds)
        drawn = self._drawn.get(place)
        if drawn is None or drawn[0] != state:
            html = render("lobby_cards.html", lang=lang, cards=[_card(table, book, lang)], money=money)
            drawn = self._drawn[place] = state, html
        return drawn[1]


class TableCard(NamedTuple):
    """A table of the lobby; `limit` is that of its first bet, Banker where it has one."""

    table: TableSummary
    book: Rulebook
    road: str
    counts: list[tuple[str, str, int]]
    limit: Limit | None
    taken: int


def _card(table: TableSummary, book: Rulebook, lang: Language) -> TableCard:
    letters = {"banker": "B", "player": "P", "tie": "T"}
    counts = [(name, bet_words(name).zh, table.results.count(letter)) for name, letter in letters.items()]
    return TableCard(
        table=table,
        book=book,
        road=_big_road(table.results, lang),
        counts=counts,
        limit=table.limits.get("banker") or next(iter(table.limits.values()), None),
        taken=len(table.seats),
    )


@lru_cache(maxsize=2_048)
def _big_road(results: str, lang: Language) -> str:
    """Drawn once for each result: a lobby is asked for again and again."""
    big_road = roads_of(parse_results(results)).big_road
    return big_road_svg(big_road, columns=LOBBY_COLUMNS, cell=LOBBY_CELL, lang=lang)


def table_page(  # noqa: PLR0913 - a table, its text and who looks at it
    table: TableSummary, book: Rulebook, roads: Roads, *, own: int | None, who: str, lang: Language
) -> str:
    """A table to play at, before its first message: everything that does not move is there already."""
    felt = f"/felt/{text_of(book)}/{table.layout}/{table.positions}/{own or 0}.svg"
    return _table(
        "table.html",
        table,
        book,
        lang,
        felt=f"{felt}?v={version()}&lang={lang}",
        who=who,
        rows=_rows(spots(book, table.layout, lang)),
        strip=road_sheet(roads, "strip", lang),
    )


def board_page(
    table: TableSummary, book: Rulebook, roads: Roads, notices: Sequence[ShownNotice], lang: Language
) -> str:
    insurance = book.insurance if table.house.insurance else None
    return _table(
        "board.html",
        table,
        book,
        lang,
        notices=notices,
        insurance=insurance_tables(insurance) if insurance else [],
        sheet=road_sheet(roads, "board", lang),
    )


def _table(template: str, table: TableSummary, book: Rulebook, lang: Language, **values: object) -> str:
    return render(
        template,
        lang=lang,
        query=NOTHING,
        table=table,
        book=book,
        text=text_of(book),
        bets=named_otherwise(book, lang),
        money=money,
        spots=spots(book, table.layout, lang),
        limits=list(limit_lines(table, book)),
        **values,
    )


def named_otherwise(book: Rulebook, lang: Language) -> dict[str, dict[str, str]]:
    """The bets that scripts would call by another name than the rulebook: what it calls them."""
    return {
        name: {
            "en": said.en,
            "short": said.short,
            "zh": said.zh,
            "side": said.side,
            "name": bet_name(name, lang, book),
        }
        for name in book.bets
        if (said := bet_words(name, book)) != bet_words(name)
    }


def shoe_page(table: TableSummary, number: int, lang: Language) -> str:
    return render("shoe.html", lang=lang, table=table, number=number)


def roads_part(roads: Roads, sheet: Sheet, lang: Language) -> str:
    """The roads alone, for a page that is open."""
    return render("roads.html", lang=lang, sheet=road_sheet(roads, sheet, lang))


class RoadSheet(NamedTuple):
    roads: list[Road]
    counts: list[tuple[str, str, int]]


def road_sheet(roads: Roads, sheet: Sheet, lang: Language) -> RoadSheet:
    bead, big, derived, cell, small = SHEETS[sheet]
    drawn: dict[str, str] = {
        "bead_plate": bead_plate_svg(roads.bead_plate, columns=bead, cell=cell, lang=lang),
        "big_road": big_road_svg(roads.big_road, columns=big, cell=cell, lang=lang),
        **{
            kind: derived_svg(getattr(roads, kind), kind, columns=derived, cell=small, lang=lang)
            for kind in DERIVED
        },
        "ask": ask_svg(roads.ask, cell=small, lang=lang),
    }
    return RoadSheet([Road(name, svg) for name, svg in drawn.items()], list(_counts(roads.bead_plate)))


def _counts(beads: Sequence[Bead]) -> Iterator[tuple[str, str, int]]:
    found = {winner: sum(bead.winner == winner for bead in beads) for winner in ("banker", "player", "tie")}
    found["banker-pair"] = sum(bead.banker_pair for bead in beads)
    found["player-pair"] = sum(bead.player_pair for bead in beads)
    for name, count in found.items():
        yield name, bet_words(name).zh, count


def limit_lines(table: TableSummary, book: Rulebook) -> Iterator[tuple[tuple[str, ...], Limit]]:
    """Limits with the bets that share them, in the order of the felt."""
    found: dict[Limit, list[str]] = {}
    for spot in spots(book, table.layout):
        found.setdefault(table.limits[spot.bet], []).append(spot.bet)
    for limit, names in found.items():
        yield tuple(names), limit


def _rows(offered: tuple[Spot, ...]) -> list[list[Spot]]:
    """The spots of a phone's grid: Player, Tie, Banker; then the rest, at most four in a row."""
    main = [spot for spot in offered if spot.words.row == "main"]
    tie = [spot for spot in offered if spot.bet == "tie"]
    middle = [spot for spot in offered if spot.words.row == "middle" and spot.bet != "tie"]
    side = [spot for spot in offered if spot.words.row == "side"]
    rows = [row for row in ([*main[:1], *tie, *main[1:]], *_even(middle)) if row]
    for _, group in groupby(side, key=lambda spot: spot.words.side):
        rows += _even(list(group))
    return rows


def _even(group: list[Spot]) -> list[list[Spot]]:
    """In rows of at most three, as even as they go."""
    if not group:
        return []
    rows = -(-len(group) // 3)
    wide = -(-len(group) // rows)
    return [group[start : start + wide] for start in range(0, len(group), wide)]


def insurance_tables(insurance: Insurance) -> list[InsuranceTable]:
    """What insurance pays, by hand and window."""
    found = []
    for hand in ("player", "banker"):
        offers = [offer for offer in insurance.offers if offer.hand == hand]
        windows = [
            (window, [_row(offer) for offer in offers if offer.window == window])
            for window in sorted({offer.window for offer in offers})
        ]
        found.append(InsuranceTable(hand, windows))
    return found


def _row(offer: Offer) -> InsuranceRow:
    own, other = (offer.player, offer.banker) if offer.hand == "player" else (offer.banker, offer.player)
    return InsuranceRow(_span(own), _span(other), offer.odds.text)


def _span(span: Span) -> str:
    return str(span).replace("-", "\N{EN DASH}")
