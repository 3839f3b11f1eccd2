"""Which text of a game is in force when: its versions in time, what changes, and what players are told."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from functools import lru_cache, partial
from html import escape
from itertools import pairwise
from typing import Final, NamedTuple

from thirdcard.errors import BadInput
from thirdcard.odds.changes import MoneyChanges, changes, usual_decks
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.load import timeline, usable
from thirdcard.rulebook.versions import Version, families, moment, standing_at, starts, zone_of
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.moves import text_of_move, version_notice
from thirdcard.service.tables.publish import next_rules
from thirdcard.web.pages import render
from thirdcard.web.pages.rules import changes_in_words
from thirdcard.words import Language, Words, words
from thirdcard.words.saying import Saying, in_words, say

WIDTH, TOP, DEEP, AXIS = 1340.0, 34.0, 62.0, 124.0
LEAST_WIDTH: Final = 90.0  # of a version on the line, so that its name can be read
BEFORE, AFTER = timedelta(days=61), timedelta(days=300)
MOST_MONTHS: Final = 20  # that are named one by one
MONTH_LENGTH: Final = 30.4
MONTH_WIDTH: Final = 60.0  # that its name needs


class TableInTime(NamedTuple):
    """A table of the game, the text that it is played by, and the move that is planned, if one is.

    `is_last`: no later version is known.
    """

    table: str
    title: str
    layout: str
    slug: str
    version: int
    moves_at: str
    moves_to: int
    is_last: bool = False


def table_in_time(live: Live, lang: Language) -> TableInTime:
    book, coming = live.table.rulebook, next_rules(live)
    at = "" if live.move is None or coming is None else _moment(starts(text_of_move(live.move)), words(lang))
    return TableInTime(
        live.id,
        live.title,
        live.table.setup.layout,
        book.slug,
        book.document.version,
        at,
        0 if coming is None else coming.version,
    )


class ShownVersion(NamedTuple):
    """A version as the page lists it."""

    slug: str
    version: int
    standing: str
    begins: str
    ends: str


class Change(NamedTuple):
    """What one version makes of the one before."""

    before: Rulebook
    after: Rulebook
    bets: str
    layouts: list[str]
    money: str
    rows: list[object]
    notices: dict[str, list[str]]  # by language of HTML


def timeline_page(  # noqa: PLR0913 - what is asked, by whom
    family: str,
    on: str,
    change: str,
    lang: Language,
    *,
    now: datetime,
    tables: tuple[TableInTime, ...] | None = None,
    movable: bool = False,
) -> str:
    """`on` and `now` are times; without `on` it is the present. `tables` are for staff, who may move them."""
    known = families(usable())
    game = _game(family, list(known))
    name, versions = timeline(game)
    wrong, zone = "", zone_of(versions[0].book)
    present = now.astimezone(zone)
    try:
        at = moment(on, zone).astimezone(zone) if on else present
    except BadInput as error:
        at, wrong = present, str(error)
    holding = next((version for version in versions if version.holds(at)), None)
    first = next((version for version in versions if version.starts is not None), None)
    lexicon = words(lang)
    return render(
        "timeline.html",
        lang=lang,
        page="rules",
        query={"family": name, "on": on, "change": change},
        games=[(other, _title(texts, lexicon)) for other, texts in known.items()],
        family=name,
        book=(holding or versions[-1]).book,
        at=at,
        field=f"{at:%Y-%m-%dT%H:%M}",
        zone=_zone(at, lexicon),
        wrong=wrong,
        holding=holding,
        told_at=partial(_moment, lexicon=lexicon),
        round_told=_round(holding, lexicon),
        until=_until(holding, at, lexicon),
        none_yet="" if holding or first is None else _none(first, at, lexicon),
        line=_line(versions, at, lexicon),
        versions=[_shown(version, at, lexicon) for version in versions],
        change=_chosen(versions, holding, change, lang),
        pairs=_pairs(versions),
        tables=_of_game(tables, versions),
        movable=movable,
    )


def _of_game(tables: tuple[TableInTime, ...] | None, versions: Sequence[Version]) -> list[TableInTime] | None:
    if tables is None:
        return None
    slugs = [version.book.slug for version in versions]
    last = [version.book.slug for version in versions if version.starts is not None][-1:]
    return [one._replace(is_last=one.slug in last) for one in tables if one.slug in slugs]


def _game(family: str, known: Sequence[str]) -> str:
    """The game that is asked for; else the first with more than one version."""
    if family:
        return family
    several = [name for name in known if len(timeline(name)[1]) > 1]
    return (several or list(known))[0]


def _title(versions: Sequence[Version], lexicon: Words) -> str:
    book = versions[-1].book
    title = lexicon.name_of("books", book.slug, book.document.title)
    return f"{book.document.operator} {title}".strip()


def _zone(at: datetime, lexicon: Words) -> str:
    name = at.tzname() or ""
    return lexicon.ui["timeline_singapore"] if name.startswith("Singapore") else name


def _moment(at: datetime | None, lexicon: Words) -> str:
    return "" if at is None else in_words(say("timeline-moment", at=at.isoformat()), lexicon.code)


def _until(holding: Version | None, at: datetime, lexicon: Words) -> str:
    """How long the text in force goes on."""
    if holding is None:
        return ""
    if holding.ends is None:
        return lexicon.ui["timeline_open"]
    left = holding.ends - at
    told = say("timeline-left", days=left.days, hours=left.seconds // 3600)
    return in_words(told, lexicon.code)


def _round(holding: Version | None, lexicon: Words) -> str:
    """By which text a round is settled that goes on past the hour."""
    if holding is None or holding.ends is None:
        return ""
    version = holding.book.document.version
    return in_words(say("timeline-round", at=holding.ends.isoformat(), version=version), lexicon.code)


def _none(first: Version, at: datetime, lexicon: Words) -> str:
    if first.starts is not None and at < first.starts:
        return in_words(say("timeline-before", at=first.starts.isoformat()), lexicon.code)
    return lexicon.ui["timeline_none"]


def _shown(version: Version, at: datetime, lexicon: Words) -> ShownVersion:
    return ShownVersion(
        version.book.slug,
        version.book.document.version,
        standing_at(version, at),
        _moment(version.starts, lexicon),
        _moment(version.ends, lexicon),
    )


def _pairs(versions: Sequence[Version]) -> list[tuple[Rulebook, Rulebook]]:
    return [(old.book, new.book) for old, new in pairwise(versions)]


# --- what changes -------------------------------------------------------------------------------------------


def _chosen(
    versions: Sequence[Version], holding: Version | None, change: str, lang: Language
) -> Change | None:
    """The change that is asked for by its newer text; else what comes next, or came last."""
    pairs = _pairs(versions)
    if not pairs:
        return None
    next_up = [pair for pair in pairs if holding is not None and pair[0] is holding.book]
    asked = [pair for pair in pairs if pair[1].slug == change]
    return _change(*(asked or next_up or pairs[-1:])[0], lang)


@lru_cache(maxsize=64)
def _change(before: Rulebook, after: Rulebook, lang: Language) -> Change:
    money = changes(before, after, usual_decks(before, after))
    lexicon = words(lang)
    stay = [bet for bet in money.bets if bet.change == 0]
    moved = [bet for bet in money.bets if bet.change != 0]
    told = say("timeline-edges", moved=len(moved), decks=money.decks)
    return Change(
        before,
        after,
        in_words(say("timeline-bets", stay=len(stay), bets=len(money.bets)), lang),
        [
            f"{one.layout} {lexicon.ui['diff_new' if one.added else 'diff_gone']}"
            for one in money.layouts
            if one.added or one.removed
        ],
        in_words(told, lang) if moved else lexicon.ui["timeline_no_edge"],
        list(changes_in_words(before, after, lexicon)),
        {
            words(code).heading.html: [in_words(said, code, after) for said in _notice(before, after, money)]
            for code in ("en", "zh")
        },
    )


def _notice(before: Rulebook, after: Rulebook, money: MoneyChanges) -> list[Saying]:
    """What players are told of a version; nothing of one that has no date."""
    if starts(after) is None:
        return []
    told = [version_notice(before, after)]
    moved = tuple(say("bet-name", bet=bet.bet) for bet in money.bets if bet.change != 0)
    layouts = tuple(one.layout for one in money.layouts if one.added)
    told.append(say("rules-prices-change", bets=moved) if moved else say("rules-prices-stay"))
    if layouts:
        told.append(say("rules-layouts-new", layouts=layouts))
    return told


# --- the line of time ---------------------------------------------------------------------------------------


def _line(versions: Sequence[Version], at: datetime, lexicon: Words) -> str:
    """The versions in time as a drawing, with the chosen moment."""
    dated = [(version.starts, version) for version in versions if version.starts is not None]
    undated = [version for version in versions if version.starts is None]
    if not dated:
        return ""
    first, last = dated[0][0], dated[-1][0]
    begin, end = min(first - BEFORE, at - BEFORE), max(last + AFTER, at + BEFORE)
    scale = (WIDTH - LEAST_WIDTH * len(undated)) / (end - begin).total_seconds()

    def place(when: datetime) -> float:
        return (when - begin).total_seconds() * scale

    label = escape(lexicon.ui["timeline_title"])
    box = f'viewBox="0 0 {WIDTH:.0f} {AXIS + 8:.0f}"'
    parts = [f'<svg class="timeline" {box} role="img" aria-label="{label}">']
    parts += _months(begin, end, place, lexicon)
    parts.append(_box("none", 0, place(first), lexicon.ui["timeline_no_text"], ""))
    for starts_at, version in dated:
        left, right = place(starts_at), place(version.ends or end)
        name = lexicon.ui["timeline_version"].format(version.book.document.version)
        parts.append(_box(standing_at(version, at), left, right, name, _moment(starts_at, lexicon)))
    for number, version in enumerate(undated):
        left = WIDTH - LEAST_WIDTH * (len(undated) - number)
        name = lexicon.ui["timeline_version"].format(version.book.document.version)
        parts.append(_box("undated", left + 4, left + LEAST_WIDTH, name, lexicon.ui["timeline_undated"]))
    x = place(at)
    anchor = "start" if x < WIDTH / 8 else "end" if x > WIDTH * 7 / 8 else "middle"
    shown = escape(_moment(at, lexicon))
    flag = f'<text class="flag" x="{x:.1f}" y="16" text-anchor="{anchor}">{shown}</text>'
    parts.append(f'<path class="now" d="M{x:.1f} 24V{AXIS - 8:.1f}"/>{flag}</svg>')
    return "".join(parts)


def _box(kind: str, left: float, right: float, name: str, told: str) -> str:
    """A stretch of time; what does not fit into it is left out."""
    width = right - left
    said = ""
    if width >= LEAST_WIDTH - 4:
        said = f'<text class="name" x="{left + 14:.1f}" y="{TOP + 26:.1f}">{escape(name)}</text>'
    if width >= 3 * LEAST_WIDTH or (told and kind == "undated"):
        said += f'<text class="told" x="{left + 14:.1f}" y="{TOP + 48:.1f}">{escape(told)}</text>'
    rect = f'<rect x="{left + 1:.1f}" y="{TOP}" width="{max(width - 2, 1):.1f}" height="{DEEP}" rx="6"/>'
    return f'<g class="span {kind}">{rect}{said}</g>'


def _months(
    begin: datetime, end: datetime, place: Callable[[datetime], float], lexicon: Words
) -> Iterable[str]:
    months = (end - begin).days / MONTH_LENGTH
    step = 1 if months <= MOST_MONTHS else 3 if months <= 3 * MOST_MONTHS else 12
    year, month = begin.year, begin.month + 1
    while True:
        year, month = (year + 1, 1) if month > 12 else (year, month)  # noqa: PLR2004 - of a year
        when = datetime(year, month, 1, tzinfo=begin.tzinfo)
        if when >= end:
            return
        x = place(when)
        if (month - 1) % step == 0 and x < WIDTH - MONTH_WIDTH:
            short = lexicon.say("dates", f"short-{month}") + (f" {year}" if month == 1 else "")
            yield f'<path class="tick" d="M{x:.1f} {TOP}V{AXIS - 14:.1f}"/>'
            yield f'<text class="month" x="{x + 4:.1f}" y="{AXIS:.1f}">{escape(short)}</text>'
        month += 1
