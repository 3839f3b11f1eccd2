"""The lobby: tables as players speak of them, drawn once for everybody, and around them what is one's own."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple, TypeAlias

from thirdcard.money import format_dollars
from thirdcard.roads import parse_results
from thirdcard.roads import roads as roads_of
from thirdcard.rulebook import Rulebook
from thirdcard.service.queries.lobby import KeptSeat, TableSummary
from thirdcard.table.setup import Limit
from thirdcard.web.pages import render
from thirdcard.web.pages.table_pages import first_limit, friendly, lobby_key
from thirdcard.web.roads_svg import big_road_svg
from thirdcard.words import Language, Words, bet_words, words
from thirdcard.words.telling import pays

LOBBY_COLUMNS, LOBBY_CELL = 24, 14
MOST_FACES = 9  # seats that are shown one by one
LEAST_RUN, LEAST_STREAK, LEAST_PINGPONG, LEAST_PAIRS = 2, 3, 4, 3
SMALL_STAKES = 10_00  # cents: what a table "from 10" takes at least
NAMES = {"P": "player", "B": "banker"}
FILTERS = ("streak", "chop", "free", "speed", "squeeze", "insurance", "no-commission", "small")
Books: TypeAlias = Mapping[str, Rulebook]  # by table: the text that it plays by


class TableCard(NamedTuple):
    """A table of the lobby."""

    table: TableSummary
    name: str
    beside: str
    line: str
    bets: int
    kinds: list[str]
    road: str
    counts: list[tuple[str, str, int]]
    pattern: str
    limit: Limit | None
    taken: int
    faces: list[str]


def lobby_page(  # noqa: PLR0913 - who looks at it
    cards: str,
    lang: Language,
    who: str = "",
    *,
    name: str = "",
    plays: bool = True,
    kept: Sequence[KeptSeat] = (),
) -> str:
    """The lobby around its tables; staff do not sit down. `who` is in the logs by `name`."""
    seats = [(seat, friendly(seat.table, lang) or seat.title) for seat in kept]
    return render(
        "lobby.html",
        lang=lang,
        page="play",
        cards=cards,
        who=who,
        name=name or who,
        plays=plays,
        kept=seats,
        filters=FILTERS,
        money=format_dollars,
    )


class LobbyCards:
    """The tables of the lobby, each drawn again when it has changed, or a second of its timer has passed."""

    def __init__(self) -> None:
        self._drawn: dict[tuple[str, Language], tuple[tuple[int, int], str]] = {}

    def html(self, tables: Sequence[TableSummary], books: Books, lang: Language) -> str:
        return "".join([self._card(table, books[table.house.id], lang) for table in tables])

    def _card(self, table: TableSummary, book: Rulebook, lang: Language) -> str:
        seconds = -(-table.timer.left_ms // 1000) if table.timer else 0
        place, state = (table.house.id, lang), (table.version, seconds)
        drawn = self._drawn.get(place)
        if drawn is None or drawn[0] != state:
            html = render(
                "lobby_cards.html", lang=lang, cards=[table_card(table, book, lang)], money=format_dollars
            )
            drawn = self._drawn[place] = state, html
        return drawn[1]


def table_card(table: TableSummary, book: Rulebook, lang: Language) -> TableCard:
    letters = {"banker": "B", "player": "P", "tie": "T"}
    counts = [(name, bet_words(name).zh, table.results.count(letter)) for name, letter in letters.items()]
    lexicon, limit = words(lang), first_limit(table)
    kinds = [
        kind
        for kind, holds in {
            "free": len(table.seats) < table.positions and not table.house.closed,
            "streak": _tail_run(table.results) >= LEAST_STREAK,
            "chop": _tail(_runs(table.results), 1) >= LEAST_PINGPONG,
            "speed": table.house.speed,
            "gentle": table.house.gentle,
            "squeeze": table.house.face_down,
            "insurance": table.house.insurance,
            "no-commission": not takes_commission(book),
            "staffed": table.house.dealer == "staff",
            "small": limit is not None and limit.min <= SMALL_STAKES,
        }.items()
        if holds
    ]
    name = friendly(table.house.id, lang)
    return TableCard(
        table=table,
        name=name or table.house.title,
        beside=friendly(table.house.id, lexicon.beside.code) if name else "",
        line=about(table.house.id, book, lang),
        bets=len(table.limits),
        kinds=kinds,
        road=big_road(table.results, lang),
        counts=counts,
        pattern=pattern(table.results, lang),
        limit=limit,
        taken=len(table.seats),
        faces=[
            table.house.names.get(player, player) if (player := table.seats.get(box)) else ""
            for box in range(1, table.positions + 1)
        ]
        if table.positions <= MOST_FACES
        else [],
    )


def about(table: str, book: Rulebook, lang: Language) -> str:
    """One line about the game; what it says of commission follows from what the book pays for Banker."""
    lexicon, key = words(lang), lobby_key(table)
    called = next(one for one in (key, key.rpartition("_")[0], "other") if f"lobby_line_{one}" in lexicon.ui)
    return lexicon.ui[f"lobby_line_{called}"].format(commission=commission(book, lexicon))


def commission(book: Rulebook, lexicon: Words) -> str:
    """What Banker pays where that is less than the stake: on every win, or on some totals."""
    t = lexicon.ui
    if takes_commission(book):
        odds = " / ".join(dict.fromkeys(pays(tier.odds, lexicon) for tier in book.bets["banker"].pays))
        return t["lobby_banker_pays"].format(odds=odds)
    for tier in book.bets["banker"].pays if "banker" in book.bets else ():
        if tier.odds.ratio < 1 and len(tier.when.total.values) == 1:
            odds = pays(tier.odds, lexicon)
            return t["lobby_no_commission_but"].format(odds=odds, total=tier.when.total.values[0])
    return t["lobby_chip_no_commission"]


def takes_commission(book: Rulebook) -> bool:
    """Whether every win of Banker pays less than the stake."""
    banker = book.bets.get("banker")
    return banker is not None and all(tier.odds.ratio < 1 for tier in banker.pays)


@lru_cache(maxsize=2_048)
def big_road(results: str, lang: Language) -> str:
    """Drawn once for each result: a lobby is asked for again and again."""
    marks = roads_of(parse_results(results)).big_road
    return big_road_svg(marks, columns=LOBBY_COLUMNS, cell=LOBBY_CELL, lang=lang)


def pattern(results: str, lang: Language) -> str:
    """What came last, in words: a run, hands in turn, or pairs of them; empty if none of these."""
    lexicon = words(lang)
    runs = _runs(results)
    if not runs:
        return ""
    letter, length = runs[-1]
    singles = _tail(runs, 1)
    if singles >= LEAST_PINGPONG:
        return lexicon.ui["lobby_ping_pong"].format(count=singles)
    if _tail(runs, 2) >= LEAST_PAIRS:
        return lexicon.ui["lobby_pairs"]
    if length < LEAST_RUN:
        return ""
    told = "lobby_twice" if length == LEAST_RUN else "lobby_run"
    return lexicon.ui[told].format(hand=lexicon.sections["hands"][NAMES[letter]], count=length)


def _runs(results: str) -> list[tuple[str, int]]:
    """Whose wins came one after the other, ties passed over, and how many each time."""
    return [(letter, len(list(group))) for letter, group in groupby(results.replace("T", ""))]


def _tail_run(results: str) -> int:
    """How long the last run is."""
    return next((length for _, length in reversed(_runs(results))), 0)


def _tail(runs: Sequence[tuple[str, int]], length: int) -> int:
    """How many runs of that length are the last."""
    count = 0
    for _, size in reversed(runs):
        if size != length:
            break
        count += 1
    return count
