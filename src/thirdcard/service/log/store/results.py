"""What finished rounds come to for each player, listed and summed up: it follows from the rounds alone."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from thirdcard.service.log.store.model import ResultList, ResultRow, RoundPlayer, RoundRow, Tally
from thirdcard.service.log.store.tables import RESULTS, ROUND_PLAYERS, TALLIES, R, Row, Table
from thirdcard.strict import decodable

DAY = 86_400 * 1_000_000  # microseconds
PAUSE, FIRST = 600 * 1_000_000, 60 * 1_000_000  # of play: no longer pause counts, and a first round so much
INSURANCE = "-insurance"  # how the names of such bets end


class _LineRead(msgspec.Struct, frozen=True, gc=False):
    player: str
    bet: str
    stake: int
    net: int


class _SettlementRead(msgspec.Struct, frozen=True, gc=False):
    lines: tuple[_LineRead, ...] = ()


class _RoundRead(msgspec.Struct, frozen=True, gc=False):
    """What is read of a round's body."""

    settlement: _SettlementRead | None = None
    early: tuple[_LineRead, ...] = ()
    digest: str = ""


_decode = msgspec.json.Decoder(decodable(_RoundRead)).decode


class PlayerResult(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One player's part of a round. `bets`: by bet, what was staked and what it came to."""

    player: str
    at: int
    number: int
    digest: str
    bets: dict[str, tuple[int, int]]

    @property
    def staked(self) -> int:
        return sum(staked for staked, _ in self.bets.values())

    @property
    def net(self) -> int:
        return sum(net for _, net in self.bets.values())

    @property
    def lists(self) -> Iterator[ResultList]:
        """In which of the player's lists the round is."""
        yield "all"
        if self.net:
            yield "won" if self.net > 0 else "lost"
        if any(bet.endswith(INSURANCE) for bet in self.bets):
            yield "insured"


def results_of(row: RoundRow) -> list[PlayerResult]:
    """A result for each player whose bets were settled; a round that came to nothing has none."""
    try:
        kept = _decode(row.body)
    except msgspec.MsgspecError:
        return []
    bets = defaultdict[str, dict[str, tuple[int, int]]](dict)
    for line in (*kept.early, *(kept.settlement.lines if kept.settlement else ())):
        staked, net = bets[line.player].get(line.bet, (0, 0))
        bets[line.player][line.bet] = staked + line.stake, net + line.net
    return [
        PlayerResult(player=player, at=row.at, number=row.number, digest=kept.digest, bets=mine)
        for player, mine in bets.items()
    ]


def time_of(at: int, before: int) -> int:
    """What a round counts for that came after another: from one to the next, but for pauses."""
    return at - before if 0 <= at - before <= PAUSE else FIRST


class Tallies:
    """Sums to be added: by player, day, digest and bet; those of all bets together have neither."""

    def __init__(self) -> None:
        self._sums = defaultdict[tuple[str, int, str, str], list[int]](lambda: [0, 0, 0, 0])

    def add(self, one: PlayerResult, time: int, sign: int = 1) -> None:
        """With `sign` -1 it is taken away again."""
        day = one.at // DAY
        self._count(one.player, day, "", "", (1, one.staked, one.net, time), sign)
        for bet, (staked, net) in one.bets.items():
            self._count(one.player, day, one.digest, bet, (1, staked, net, 0), sign)

    def _count(self, player: str, day: int, digest: str, bet: str, by: tuple[int, ...], sign: int) -> None:  # noqa: PLR0913, PLR0917
        sums = self._sums[player, day, digest, bet]
        for place, value in enumerate(by):
            sums[place] += sign * value

    def rows(self) -> list[Tally]:
        """In one order for everybody."""
        return [Tally(*key, *sums) for key, sums in sorted(self._sums.items())]


class Before(msgspec.Struct, frozen=True):
    """What is kept before rounds are written.

    Those of the rounds that are there already, what each counted for by player, stream and number, and when
    players played last.
    """

    rounds: Mapping[tuple[str, int], RoundRow] = {}
    times: Mapping[tuple[str, str, int], int] = {}
    lasts: Mapping[str, int] = {}


def listed(stream: str, result: PlayerResult, time: int = 0) -> Iterator[ResultRow]:
    """A result as it stands in each of its player's lists."""
    for which in result.lists:
        yield ResultRow(
            result.player, which, result.at, stream, result.number, result.net, result.staked, time
        )


def played_in(stream: str, row: RoundRow) -> Iterator[RoundPlayer]:
    """Who is to find the round again."""
    return (RoundPlayer(player, row.at, stream, row.number) for player in dict.fromkeys(row.players))


def relisted(
    rounds: Mapping[tuple[str, int], RoundRow], before: Before
) -> Iterator[tuple[Table[Any], list[Row], list[Row]]]:
    """What follows from rounds by table: the keys of rows that are dropped, and the rows that are written.

    A round that is written again counts for the time that it counted for at first.
    """
    old = {place: before.rounds[place] for place in rounds if place in before.rounds}
    tallies, lasts = Tallies(), dict(before.lasts)
    dropped, made = list[ResultRow](), list[ResultRow]()
    for (stream, number), row in old.items():
        for result in results_of(row):
            tallies.add(result, before.times.get((result.player, stream, number), 0), -1)
            dropped += listed(stream, result)
    for (stream, number), row in rounds.items():
        for result in results_of(row):
            time = before.times.get((result.player, stream, number))
            if time is None:
                time = time_of(result.at, lasts.get(result.player, 0))
            lasts[result.player] = max(result.at, lasts.get(result.player, 0))
            tallies.add(result, time)
            made += listed(stream, result, time)
    yield ROUND_PLAYERS, _keys(ROUND_PLAYERS, _players(old)), _values(ROUND_PLAYERS, _players(rounds))
    yield RESULTS, _keys(RESULTS, dropped), _values(RESULTS, made)
    yield TALLIES, [], _values(TALLIES, tallies.rows())


def _players(rounds: Mapping[tuple[str, int], RoundRow]) -> Iterator[RoundPlayer]:
    return (player for (stream, _), row in rounds.items() for player in played_in(stream, row))


def _values(table: Table[R], rows: Iterable[R]) -> list[Row]:
    return list(map(table.values, rows))


def _keys(table: Table[R], rows: Iterable[R]) -> list[Row]:
    return [values[: len(table.keys)] for values in _values(table, rows)]
