"""What players' sessions came to: time, rounds, stakes, what the house was to expect, and the result.

A player is an account or the number of a walk-in: no rating has a name besides. A session ends with a pause
of ten minutes, as it does everywhere.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from thirdcard.cards import Card
from thirdcard.play.settlement import DEFAULT_DECKS
from thirdcard.play.tableau import Deal
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.log import LogReading
from thirdcard.service.log.store.model import Sought
from thirdcard.service.log.store.results import PAUSE, time_of
from thirdcard.service.queries.expected_win import PriceLists, expected_win
from thirdcard.service.tables.house_day import ShiftTime
from thirdcard.service.tables.live import RoundRecord
from thirdcard.service.tables.marks import ROUND
from thirdcard.service.tables.quarters import priced_as

MOST_ROUNDS = 2_000  # that are looked at, the latest
OWN_ROUNDS = 600  # of one's own
MOST_SESSIONS = 50


class PlayerSession(msgspec.Struct, frozen=True, kw_only=True):
    """Cents; `expected` is what the house expects to keep of the stakes, `result` what the player won."""

    player: str
    tables: tuple[str, ...]
    since: int
    until: int
    minutes: int
    rounds: int
    staked: int
    average_stake: int
    expected: int | None
    result: int


class _Played(msgspec.Struct, frozen=True, gc=False):
    """A round of one player."""

    at: int
    table: str
    staked: int
    net: int
    stakes: Counter[str]


def rated(store: LogReading, table: str, time: ShiftTime, decks: int) -> list[PlayerSession]:
    """All sessions at a table that ended in that time or go on, the largest expectation first."""
    lists = PriceLists(store.text)
    rounds = list(_rounds(store, table, time))
    players = dict.fromkeys(line.player for played in rounds for line in played.lines)
    found = [
        session
        for player in players
        for session in sessions(_parts(reversed(rounds), player, {table: decks}, lists), player, lists)
    ]
    return sorted(found, key=lambda session: (-(session.expected or 0), session.player, session.since))


def own_sessions(store: Store, player: str, decks: Mapping[str, int]) -> list[PlayerSession]:
    """One's own at all tables, the latest first; one whose beginning lies too far back is left out."""
    lists = PriceLists(store.text)
    played = store.played(player, "all", limit=OWN_ROUNDS)
    rounds = [RoundRecord.of(one.row) for one in reversed(played)]
    found = list(sessions(_parts(rounds, player, decks, lists), player, lists))
    if len(played) == OWN_ROUNDS and len(found) > 1:
        del found[0]
    return found[: -MOST_SESSIONS - 1 : -1]


def _rounds(store: LogReading, table: str, time: ShiftTime) -> Iterator[RoundRecord]:
    """Those that ended in that time, the latest first."""
    last = store.find(Sought(marks=(ROUND,), stream=table, until=time.until), limit=1, most=MOST_ROUNDS)
    number = last.places[0][2] if last.places else 0
    for looked in range(number, max(0, number - MOST_ROUNDS), -1):
        row = store.round(table, looked)
        if row is None or row.at >= time.until:
            continue  # it is not over, or ended later
        if row.at < time.since:
            return
        yield RoundRecord.of(row)


def _parts(
    rounds: Iterable[RoundRecord], player: str, decks: Mapping[str, int], lists: PriceLists
) -> Iterator[_Played]:
    """What of rounds, in their order, was that player's."""
    for record in rounds:
        own = [line for line in record.lines if line.player == player]
        if not own:
            continue
        many = decks.get(record.table, DEFAULT_DECKS)
        prices = lists.of(record.digest, many)
        shown = tuple(card.card for card in record.cards if isinstance(card.card, Card))
        deal = Deal(prices.book.table_of_play, shown) if prices is not None else None
        stakes = Counter[str]()
        for line in own:
            if line.result != "returned":
                priced = line.bet if deal is None else priced_as(line, deal)
                cents = line.stake if line.played is None else line.played
                stakes[f"staked:{priced}|{many}|{record.digest}"] += cents
        net = sum(line.net for line in own)
        yield _Played(record.at, record.table, sum(stakes.values()), net, stakes)


def sessions(rounds: Iterable[_Played], player: str, lists: PriceLists) -> Iterator[PlayerSession]:
    """Rounds in their order, parted where a pause is too long."""
    here: list[_Played] = []
    for played in rounds:
        if here and played.at - here[-1].at > PAUSE:
            yield _session(here, player, lists)
            here = []
        here.append(played)
    if here:
        yield _session(here, player, lists)


def _session(rounds: list[_Played], player: str, lists: PriceLists) -> PlayerSession:
    stakes, before, time = Counter[str](), 0, 0
    for one in rounds:
        stakes.update(one.stakes)
        time += time_of(one.at, before)
        before = one.at
    expected = expected_win(stakes, lists)
    staked = sum(played.staked for played in rounds)
    return PlayerSession(
        player=player,
        tables=tuple(dict.fromkeys(played.table for played in rounds)),
        since=rounds[0].at,
        until=rounds[-1].at,
        minutes=round(time / 60 / MICROSECONDS),
        rounds=len(rounds),
        staked=staked,
        average_stake=round(staked / len(rounds)),
        expected=None if expected is None else expected.cents,
        result=sum(played.net for played in rounds),
    )
