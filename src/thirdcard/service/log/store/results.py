"""What finished rounds come to for each player, listed and summed up: it follows from the rounds alone."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

import msgspec

from thirdcard.service.log.store.model import Listed, RoundRow
from thirdcard.strict import decodable

DAY = 86_400 * 1_000_000  # microseconds
PAUSE, FIRST = (
    600 * 1_000_000,
    60 * 1_000_000,
)  # of play: a longer pause does not count, a first round so much
INSURANCE = "-insurance"  # how the names of such bets end


class _Line(msgspec.Struct, frozen=True, gc=False):
    player: str
    bet: str
    stake: int
    net: int


class _Settlement(msgspec.Struct, frozen=True, gc=False):
    lines: tuple[_Line, ...] = ()


class _Kept(msgspec.Struct, frozen=True, gc=False):
    """What is read of a round's body."""

    settlement: _Settlement | None = None
    early: tuple[_Line, ...] = ()
    digest: str = ""


_decode = msgspec.json.Decoder(decodable(_Kept)).decode


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
    def lists(self) -> Iterator[Listed]:
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


def listed(
    stream: str, results: Iterable[PlayerResult]
) -> Iterator[tuple[str, str, int, str, int, int, int]]:
    """The rows of players' lists: player, list, at, stream, number, net and staked."""
    for one in results:
        for which in one.lists:
            yield one.player, which, one.at, stream, one.number, one.net, one.staked


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

    def rows(self) -> list[tuple[str, int, str, str, int, int, int, int]]:
        """Player, day, digest, bet, rounds, staked, net and time, in one order for everybody."""
        return [(*key, sums[0], sums[1], sums[2], sums[3]) for key, sums in sorted(self._sums.items())]
