"""A rulebook as the kernels take it: tables that answer in one step what the play layer derives."""

from thirdcard.odds.bet_values import cells_of
from thirdcard.play.classes import CLASSES, PAIRS, number_of, outcomes
from thirdcard.rulebook.conditions import Outcome
from thirdcard.rulebook.model import Bet, TableOfPlay
from thirdcard.rulebook.third_cards import play_out
from thirdcard.simulate.compiled import Integers, np
from thirdcard.simulate.kernel import BANKER, PLAYER, TIE, Play

SUMS = 19  # two cards have 0 to 18 points before their total is taken
WINNERS = {"tie": TIE, "player": PLAYER, "banker": BANKER}


def play_of(table: TableOfPlay) -> Play:
    by_totals = np.zeros((10, 10, 10), np.uint16)
    rows: dict[tuple[int, ...], int] = {}
    for player, banker, fifth in np.ndindex(by_totals.shape):
        ends = [_ending(table, player, banker, (fifth, sixth)) for sixth in range(10)]
        row = tuple([number for number, _ in ends])
        by_totals[player, banker, fifth] = rows.setdefault(row, len(rows)) << 3 | ends[0][1]
    totals = np.arange(SUMS) % 10
    replies = np.zeros((32, 32, 16), np.uint16)
    replies[:SUMS, :SUMS, :10] = by_totals[np.ix_(totals, totals)]
    endings = np.zeros((len(rows), 16), np.uint16)
    endings[:, :10] = list(rows)
    winners = np.array([WINNERS[outcome.winner] for outcome in outcomes()], np.int64)
    return Play(replies.ravel(), endings.ravel(), winners)


def _ending(table: TableOfPlay, player: int, banker: int, thirds: tuple[int, int]) -> tuple[int, int]:
    """The class of a round and its number of cards, from two-card totals and what would be drawn next."""
    ending = play_out(table, player, banker, thirds)
    return number_of(Outcome(*ending, PAIRS[0])), sum(ending[2:])


def pays_of(bet: Bet) -> Integers:
    """What each class pays on the bet as two rows, numerators and denominators: -1/1 is lost, 0/1 a push."""
    ratios = {tier.tier: tier.odds.ratio.as_integer_ratio() for tier in bet.pays}
    ratios |= {"push": (0, 1), "lose": (-1, 1)}
    needs, results = cells_of(bet)
    paid = np.array([ratios[came] for came in results], np.int64).T
    if needs == "endings":  # a cell for each class without pairs
        return np.repeat(paid, len(PAIRS), axis=1)
    return np.tile(paid, CLASSES // len(results))  # a cell for each kind of pairs, or for each class
