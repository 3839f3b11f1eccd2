"""The pages of live tables: the lobby, a player's table, the display board, and a shoe to be checked."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Literal, NamedTuple, TypeAlias, get_args
from urllib.parse import urlencode

from thirdcard.money import format_dollars
from thirdcard.roads import DERIVED, Bead, Roads
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.model import Insurance, Offer, Span
from thirdcard.service.log.floor_events import PublicSentence
from thirdcard.service.queries.lobby import TableSummary
from thirdcard.service.tables.away import ABSENT_ROUNDS
from thirdcard.table.setup import Limit
from thirdcard.table.view import Displayed
from thirdcard.web.draw import Spot, spots
from thirdcard.web.pages import NOTHING, render, text_of
from thirdcard.web.roads_svg import ask_svg, bead_plate_svg, big_road_svg, derived_svg
from thirdcard.words import Language, bet_name, bet_words, words

Sheet: TypeAlias = Literal["strip", "board"]
# Columns of the bead plate, the big road and the derived roads; squares in pixels, large and small.
SHEETS: dict[Sheet, tuple[int, int, int, int, int]] = {
    "strip": (8, 25, 12, 16, 9),
    "board": (11, 26, 19, 49, 28),
}
LINE = 20  # results of a line of them
PUBLIC = (*get_args(PublicSentence), "closed")  # what board and players are told besides what the dealer says
TRIAL = "place-your-bets"  # by which a voice is tried
MOST_TABLES = 4  # side by side


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


def first_limit(table: TableSummary) -> Limit | None:
    """That of Banker, or of the first bet where there is none."""
    return table.limits.get("banker") or next(iter(table.limits.values()), None)


def friendly(table: str, lang: Language) -> str:
    """What players call a table of the first lobby; empty for one that has a title of its own."""
    t, key = words(lang).ui, lobby_key(table)
    if f"lobby_name_{key}" not in t:
        return ""
    return t[f"lobby_name_{key}"]


def called(table: TableSummary, lang: Language) -> str:
    """A table as players read it."""
    return friendly(table.house.id, lang) or table.house.title


def lobby_key(table: str) -> str:
    """How the words of the lobby name a table."""
    return table.replace("-", "_")


def table_page(  # noqa: PLR0913 - a table, its text and who looks at it
    table: TableSummary,
    book: Rulebook,
    roads: Roads,
    *,
    own: int | None,
    who: str,
    shown: str,
    works: bool,
    plays: bool,
    lang: Language,
) -> str:
    """A table to play at, before its first message: everything that does not move is there already.

    Others see `shown` of `who`; whoever `works` here finds the way to desk and pit.
    """
    return _table(
        "table.html",
        table,
        book,
        lang,
        own_box=own,
        kept_rounds=ABSENT_ROUNDS,
        who=who,
        shown=shown,
        works=works,
        plays=plays,
        rows=_rows(spots(book, table.layout, lang)),
        strip=road_sheet(roads, "strip", lang),
    )


def several_page(
    shown: Sequence[TableSummary], others: Sequence[TableSummary], lang: Language, who: str
) -> str:
    """Tables side by side, each at its own address in a frame, and those that can be put beside them."""
    ids = [summary.house.id for summary in shown]
    return render(
        "several.html",
        lang=lang,
        query={"t": ids},
        called=partial(called, lang=lang),
        tables=[(summary, _several(name for name in ids if name != summary.house.id)) for summary in shown],
        others=[(other, _several([*ids, other.house.id])) for other in others]
        if len(ids) < MOST_TABLES
        else [],
        who=who,
    )


def _several(ids: Iterable[str]) -> str:
    return "/several?" + urlencode({"t": list(ids)}, doseq=True)


def board_page(
    table: TableSummary, book: Rulebook, roads: Roads, notices: Sequence[Displayed], lang: Language
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
        called=called(table, lang),
        book=book,
        text=text_of(book),
        bets=named_otherwise(book, lang),
        money=format_dollars,
        spots=spots(book, table.layout, lang),
        limits=list(limit_lines(table, book)),
        sentences=sentences(lang),
        **values,
    )


def sentences(lang: Language) -> dict[str, list[str]]:
    """What the house tells the public, and what a voice is tried by, in a language and the one beside."""
    lexicon = words(lang)
    said = {key: [lexicon.ui[f"public_{key}"], lexicon.beside.ui[f"public_{key}"]] for key in PUBLIC}
    return said | {TRIAL: [one.say("said", TRIAL) for one in (lexicon, lexicon.beside)]}


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
    return render("shoe.html", lang=lang, table=table, called=called(table, lang), number=number)


def roads_part(roads: Roads, sheet: Sheet, lang: Language) -> str:
    """The roads alone, for a page that is open."""
    return render("roads.html", lang=lang, sheet=road_sheet(roads, sheet, lang))


class RoadSheet(NamedTuple):
    """The roads with their counts; `line` are the newest results, where a low screen shows them alone."""

    roads: list[Road]
    counts: list[tuple[str, str, int]]
    line: Sequence[tuple[str, str]]


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
    shown = [Road(name, svg) for name, svg in drawn.items()]
    newest = roads.bead_plate[-LINE:] if sheet == "strip" else ()
    line: list[tuple[str, str]] = [(bead.winner, bet_words(bead.winner).zh) for bead in newest]
    return RoadSheet(shown, list(_counts(roads.bead_plate)), line)


def _counts(beads: Sequence[Bead]) -> Iterator[tuple[str, str, int]]:
    counts = {winner: sum(bead.winner == winner for bead in beads) for winner in ("banker", "player", "tie")}
    counts["banker-pair"] = sum(bead.banker_pair for bead in beads)
    counts["player-pair"] = sum(bead.player_pair for bead in beads)
    for name, count in counts.items():
        yield name, bet_words(name).zh, count


def limit_lines(table: TableSummary, book: Rulebook) -> Iterator[tuple[tuple[str, ...], Limit]]:
    """Limits with the bets that share them, in the order of the felt."""
    bets_by_limit: dict[Limit, list[str]] = {}
    for spot in spots(book, table.layout):
        bets_by_limit.setdefault(table.limits[spot.bet], []).append(spot.bet)
    for limit, names in bets_by_limit.items():
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
    tables = []
    for hand in ("player", "banker"):
        offers = [offer for offer in insurance.offers if offer.hand == hand]
        windows = [
            (window, [_row(offer) for offer in offers if offer.window == window])
            for window in sorted({offer.window for offer in offers})
        ]
        tables.append(InsuranceTable(hand, windows))
    return tables


def _row(offer: Offer) -> InsuranceRow:
    own, other = (offer.player, offer.banker) if offer.hand == "player" else (offer.banker, offer.player)
    return InsuranceRow(_span(own), _span(other), offer.odds.text)


def _span(span: Span) -> str:
    return str(span).replace("-", "\N{EN DASH}")
