"""What the radar shows of one table, as plain values for a page: everybody, and the first of them closely.

`python -m thirdcard.protect.radar_sheet` reads what is asked from standard input and writes the sheet.
"""

import sys

import msgspec

from thirdcard.odds.compiled import np
from thirdcard.protect.radar import ONE_IN, Followed, Radar, StakePattern, Watch, WatchedRound, radar
from thirdcard.rulebook.load import remember
from thirdcard.strict import decodable

BINS, WIDE = 16, 0.5  # of the histogram, in edges of a fresh shoe
POINTS, RESHUFFLES = 12, 200  # of the course of the statistic


class RadarAsked(msgspec.Struct, frozen=True, kw_only=True):
    """Rounds of a table, the canonical text it plays by, and whom to look at if not the first."""

    text: bytes
    decks: int
    rounds: tuple[WatchedRound, ...]
    player: str = ""


class Closely(msgspec.Struct, frozen=True, kw_only=True):
    """One player, or a team: when they bet, since when it shows, and the shoe with most of it."""

    followed: Followed
    bins: tuple[tuple[float, float, float], ...]  # from which value; share of all rounds, and of the bets
    wide: float
    course: tuple[tuple[int, float], ...]  # shoes watched, statistic
    line: float  # 99% of reshuffles are under it at every length that is shown
    shoe: str
    one_shoe: tuple[tuple[float, int], ...]  # value before each round, stake in cents
    above: int
    if_above: float
    if_not: float
    per_unit: float
    flat_per_unit: float


class RadarSheet(msgspec.Struct, frozen=True, kw_only=True):
    radar: Radar
    closely: Closely | None


def make(asked: RadarAsked) -> RadarSheet:
    watch = Watch(remember(asked.text), asked.decks, asked.rounds)
    found = radar(watch, one_in=ONE_IN)
    chosen = next((followed for followed in found.everybody if asked.player in followed.players), None)
    one = chosen or next(iter(found.everybody), None)
    return RadarSheet(radar=found, closely=None if one is None else _closely(watch, one))


def _closely(watch: Watch, one: Followed) -> Closely:
    pattern = next(found for found in watch.patterns(one.players) if found.bet == one.bet)
    values, stakes = pattern.values, pattern.stakes
    above, bet = values > 0, stakes > 0
    course, line = _course(watch, one)
    shoe = int(pattern.habit.shoes[np.argmax(np.where(bet & above, stakes, 0.0) + bet)])
    rounds = np.flatnonzero(pattern.habit.shoes == shoe)
    number = sorted({number for player in one.players for number in watch.at[player]})[shoe]
    bins, wide = _bins(watch, pattern)
    return Closely(
        followed=one,
        bins=bins,
        wide=wide,
        course=course,
        line=line,
        shoe=watch.shoes[number].rounds[0].shoe,
        one_shoe=tuple((float(values[at]), int(stakes[at])) for at in rounds),
        above=int(above.sum()),
        if_above=float(bet[above].mean()) if above.any() else 0.0,
        if_not=float(bet[~above].mean()) if (~above).any() else 0.0,
        per_unit=float((stakes * values).sum() / stakes.sum()),
        flat_per_unit=float(values.mean()),
    )


def _bins(watch: Watch, pattern: StakePattern) -> tuple[tuple[tuple[float, float, float], ...], float]:
    """Around zero, in half edges; whatever lies beyond counts in the last."""
    wide = WIDE * abs(watch.fresh[pattern.bet])
    at = np.clip(np.floor(pattern.values / wide).astype(int) + BINS // 2, 0, BINS - 1)
    every = np.bincount(at, minlength=BINS) / len(at)
    bets = np.bincount(at[pattern.stakes > 0], minlength=BINS) / max(int((pattern.stakes > 0).sum()), 1)
    return tuple(
        (float((number - BINS // 2) * wide), float(every[number]), float(bets[number]))
        for number in range(BINS)
    ), wide


def _course(watch: Watch, one: Followed) -> tuple[tuple[tuple[int, float], ...], float]:
    lengths = sorted({max(1, round(one.shoes * step / POINTS)) for step in range(1, POINTS + 1)})
    course, line = [], 0.0
    for shoes in lengths:
        pattern = next((found for found in watch.patterns(one.players, shoes) if found.bet == one.bet), None)
        if pattern is None:
            course.append((shoes, 0.0))
            continue
        course.append((shoes, watch.statistic(pattern)))
        line = max(line, float(np.quantile(watch.reshuffle([pattern], RESHUFFLES), 0.99)))
    return tuple(course), line


def decoded(text: bytes) -> RadarSheet:
    return msgspec.json.decode(text, type=decodable(RadarSheet))


def main() -> None:
    asked = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=RadarAsked)
    sys.stdout.buffer.write(msgspec.json.encode(make(asked)))


if __name__ == "__main__":
    main()
