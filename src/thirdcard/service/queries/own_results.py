"""What somebody's play has come to: for whoever asks about themselves, and nobody else.

The house expects to keep of each bet what its exact edge says, of a fresh shoe of eight decks; of insurance,
the mean of its offers by how often they come up. What differs from that is luck.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeAlias

import msgspec

from thirdcard.errors import BadInput
from thirdcard.odds import fresh, offers, values
from thirdcard.play.settlement import DEFAULT_DECKS
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.load import remember
from thirdcard.rulebook.model import Side
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.model import BetTally, RoundPlayed
from thirdcard.service.queries.finished_rounds import shown_round
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import RoundRecord
from thirdcard.service.tables.own_play import Lately, RealityCheck
from thirdcard.service.tables.wallets import today

ResultSpan: TypeAlias = Literal["session", "month", "all"]
MONTH = 30  # days
MOST_POINTS = 120  # of a line
BEST = 5
SESSION_ROUNDS = 5_000  # that a session is read back for: more than a day has at the fastest table


class BestWin(msgspec.Struct, frozen=True, kw_only=True):
    """One of the rounds in which somebody won most."""

    round: RoundRecord
    net: int


class OwnResults(msgspec.Struct, frozen=True, kw_only=True):
    """Cents, and minutes of play. `expected` is what the house keeps on average of what was staked.

    `line` is what was won or lost so far, after each round of a session or each day; `best` are of all time.
    """

    span: ResultSpan
    net: int
    staked: int
    rounds: int
    minutes: int
    expected: int | None
    line: list[int]
    best: list[BestWin]


async def own_results(hall: Hall, name: str, span: ResultSpan) -> OwnResults:
    if span == "session":
        own = await hall.play.of(name)
        await hall.play.read_rounds(own)
        return await hall.engine.reading(_session, hall.engine.store, name, own.lately, hall.clock.wall())
    since = today(hall.clock.wall()) - MONTH + 1 if span == "month" else 0
    return await hall.engine.reading(_days, hall.engine.store, name, span, since)


def _days(store: Store, name: str, span: ResultSpan, since: int) -> OwnResults:
    days = store.by_day(name, since=since)
    line, net = [0], 0
    for day in days:
        net += day.net
        line.append(net)
    return OwnResults(
        span=span,
        net=net,
        staked=sum(day.staked for day in days),
        rounds=sum(day.rounds for day in days),
        minutes=sum(day.time for day in days) // 60_000_000,
        expected=expected(store, store.by_bet(name, since=since)),
        line=thinned(line),
        best=best_wins(store, name),
    )


def _session(store: Store, name: str, lately: Lately, now: int) -> OwnResults:
    """What is being played now, or nothing."""
    session: RealityCheck | None = lately.session(now, 0)
    count = session.rounds if session else 0
    played = list(reversed(store.played(name, "all", limit=min(count, SESSION_ROUNDS)))) if count else []
    line = [0]
    for one in played:
        line.append(line[-1] + one.net)
    return OwnResults(
        span="session",
        net=session.net if session else 0,
        staked=session.staked if session else 0,
        rounds=count,
        minutes=session.minutes if session else 0,
        expected=expected(store, _by_bet(played, name)),
        line=thinned(line),
        best=best_wins(store, name),
    )


def _by_bet(played: Sequence[RoundPlayed], name: str) -> list[BetTally]:
    sums: dict[tuple[str, str], int] = {}
    for other in played:
        kept = RoundRecord.of(other.row)
        for line in kept.lines:
            if line.player == name:
                place = kept.digest, line.bet
                sums[place] = sums.get(place, 0) + line.stake
    return [BetTally(digest=digest, bet=bet, staked=staked, net=0) for (digest, bet), staked in sums.items()]


def best_wins(store: Store, name: str) -> list[BestWin]:
    return [BestWin(round=shown_round(played.row), net=played.net) for played in store.best(name, limit=BEST)]


def thinned(line: list[int]) -> list[int]:
    """At most so many points, the last among them."""
    step = -(-len(line) // MOST_POINTS)
    kept = line[::step]
    return kept if (len(line) - 1) % step == 0 else [*kept, line[-1]]


def expected(store: Store, bets: Sequence[BetTally]) -> int | None:
    """What the house expects to keep, to the cent; None where a bet's edge is not known."""
    total = Fraction(0)
    for bet in bets:
        edges = _edges_of(store, bet.digest)
        if bet.bet not in edges:
            return None
        total += edges[bet.bet] * bet.staked
    return round(total)


def _edges_of(store: Store, digest: str) -> Mapping[str, Fraction]:
    text = store.text(digest) if digest else None
    return house_edges(remember(text)) if text is not None else {}


@lru_cache(maxsize=64)
def house_edges(book: Rulebook) -> dict[str, Fraction]:
    """By bet, exactly; none where this machine cannot count them."""
    shoe = fresh(DEFAULT_DECKS)
    try:
        edges = {name: value.house_edge for name, value in values(book, shoe).items()}
    except BadInput:
        return {}
    if book.insurance is not None:
        insured = [offer for offer in offers(book, shoe) if offer.rounds]
        for side in Side:
            here = [offer for offer in insured if offer.offer.hand is side]
            weight = sum(offer.rounds for offer in here)
            lost = sum((-(offer.ev or Fraction(0)) * offer.rounds for offer in here), Fraction(0))
            edges[f"{side}-insurance"] = lost / weight if weight else Fraction(0)
    return edges
