"""A player's own page: name, wallet, results with a line, limits, and every round at every table."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from thirdcard.cards import Card
from thirdcard.money import format_dollars
from thirdcard.rulebook.model import Side
from thirdcard.service.api.players import LimitsView, WalletView
from thirdcard.service.log.store.model import ResultList
from thirdcard.service.queries.finished_rounds import OwnRounds
from thirdcard.service.queries.own_results import BestWin, OwnResults
from thirdcard.service.queries.ratings import PlayerSession
from thirdcard.service.tables.live import RoundRecord
from thirdcard.table.state import Line
from thirdcard.web import charts
from thirdcard.web.pages import render
from thirdcard.words import Language, bet_words, words

LISTS: tuple[ResultList, ...] = ("all", "won", "lost", "insured")
SPANS = ("session", "month", "all")
HOUR = 60  # minutes
SHOWN_SESSIONS = 10


class Owner(NamedTuple):
    """Whose page it is: as the logs know them, as others see them, since when, and whether as a guest."""

    name: str
    shown: str
    since: int
    is_guest: bool


class RoundShown(NamedTuple):
    """A round as its player finds it again."""

    record: RoundRecord
    title: str
    at: str
    hands: tuple[Sequence[Card | None], Sequence[Card | None]]
    winner: str
    lines: list[Line]
    net: int


def account_page(  # noqa: PLR0913, PLR0917 - all that is on it
    owner: Owner,
    wallet: WalletView,
    results: OwnResults,
    lifetime: OwnResults,
    limits: LimitsView,
    rounds: OwnRounds,
    titles: dict[str, str],
    sessions: Sequence[PlayerSession],
    *,
    which: ResultList,
    lang: Language,
) -> str:
    t = words(lang).ui
    return render(
        "account.html",
        lang=lang,
        page="account",
        query={"span": results.span, "which": which},
        who=owner.shown,
        owner=owner,
        since=moment(owner.since),
        wallet=wallet,
        racks=[(titles.get(table, table), cents) for table, cents in wallet.racks.items()],
        refill_at=moment(wallet.refill_at),
        results=results,
        lifetime=lifetime,
        luck=None if results.expected is None else results.net + results.expected,
        chart=charts.balance(t["account_line"], results.line) if results.rounds else "",
        limits=limits,
        sessions=[
            (session, moment(session.since), ", ".join(titles.get(table, table) for table in session.tables))
            for session in sessions[:SHOWN_SESSIONS]
        ],
        played=[shown(played, owner.name, titles) for played in rounds.rounds],
        best=[best(win, titles) for win in results.best],
        next=rounds.next,
        which=which,
        lists=LISTS,
        spans=SPANS,
        money=format_dollars,
        signed=signed,
        lasting=lambda minutes: lasting(minutes, lang),
        glyph=bet_words,
    )


def moment(at: int) -> str:
    """Microseconds of UTC as machines read them; scripts say them as people there do."""
    return datetime.fromtimestamp(at / 1e6, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def signed(cents: int) -> str:
    """With a plus or a true minus; zero has neither."""
    sign = "+" if cents > 0 else "\N{MINUS SIGN}" if cents < 0 else ""
    return sign + format_dollars(abs(cents))


def lasting(minutes: int, lang: Language) -> str:
    """`1 h 12`, or `12 min`."""
    t = words(lang).ui
    if minutes < HOUR:
        return t["account_minutes"].format(minutes=minutes)
    return t["account_hours"].format(hours=minutes // HOUR, minutes=f"{minutes % HOUR:02}")


def shown(record: RoundRecord, name: str, titles: dict[str, str]) -> RoundShown:
    lines = [line for line in record.lines if line.player == name]
    player, banker = (
        [card.card for card in record.cards if card.hand is side] for side in (Side.PLAYER, Side.BANKER)
    )
    return RoundShown(
        record=record,
        title=titles.get(record.table, record.table),
        at=moment(record.at),
        hands=(player, banker),
        winner=record.settlement.outcome if record.settlement else "",
        lines=lines,
        net=sum(line.net for line in lines),
    )


def best(win: BestWin, titles: dict[str, str]) -> tuple[str, str, int]:
    return titles.get(win.round.table, win.round.table), moment(win.round.at), win.net
