"""What becomes of a bet while a shoe is dealt: its value by the true count, and how often it is above zero.

Taken from the first shoes of a run, each round valued exactly. Bands are 10 to 90% of rounds.
"""

import msgspec

from thirdcard.cards import CARDS_IN_A_DECK, Rank, Suit
from thirdcard.odds.compiled import Floats, Integers, np
from thirdcard.protect.conventions import UNDIVIDED
from thirdcard.protect.protect_run import SHOES, ProtectRun
from thirdcard.protect.protection import CountPlay, Protection

MOST_SHOES = 4096
LOWEST, HIGHEST = -10, 20  # of the true counts that are told, in steps
WIDEST = 10.0  # a trigger that single steps still show whole
FEWEST = 40  # rounds at a true count, below which nothing is said of it
APART = 13  # cards between one place in the shoe and the next


class AtCount(msgspec.Struct, frozen=True, kw_only=True):
    """Rounds with a true count from half a step below to half a step above."""

    count: float
    share: float  # of all rounds
    mean: float
    low: float  # a tenth of them are worth less
    high: float


class InShoe(msgspec.Struct, frozen=True, kw_only=True):
    """Rounds that begin with so many cards left, or up to twelve more: the share worth more than zero."""

    left: int
    share: float


class Portrait(msgspec.Struct, frozen=True, kw_only=True):
    """One bet; `by_count` is empty where no count follows it."""

    shoes: int
    by_count: tuple[AtCount, ...]
    by_left: tuple[InShoe, ...]


def portraits(run: ProtectRun, found: Protection) -> dict[str, Portrait]:
    """Of every bet, by the count that is best for it at the least cut."""
    shoes = min(found.shoes, MOST_SHOES)
    rows, values, left = _rounds(run, shoes)
    at = found.cuts[min(found.cuts, key=int)]
    return {
        name: Portrait(
            shoes=shoes,
            by_count=_by_count(len(Suit) * run.decks, rows, values[:, number], at.bets[name].count),
            by_left=_by_left(left, values[:, number]),
        )
        for number, name in enumerate(run.bets)
    }


def _rounds(run: ProtectRun, shoes: int) -> tuple[Integers, Floats, Integers]:
    """Of every round: cards unseen by rank, the value of every bet, the cards left in the shoe."""
    unseen, values, left = [], [], []
    for chunk in range(-(-shoes // SHOES)):
        _, rounds, made = run.rounds_of(chunk, min(SHOES, shoes - chunk * SHOES))
        kinds = rounds.unseen[:made]
        values.append(run.program.valuer.values(kinds)[0])
        unseen.append(kinds.reshape(made, -1, len(Rank)).sum(axis=1))
        left.append(rounds.left[:made].copy())
    return np.concatenate(unseen), np.concatenate(values), np.concatenate(left)


def _by_count(fresh: int, rows: Integers, values: Floats, count: CountPlay) -> tuple[AtCount, ...]:
    tags = np.array(list(count.tags.values()), np.int64)
    if not tags.any():
        return ()
    running = (fresh - rows) @ tags
    step = 1.0 if count.trigger is None else max(1.0, float(np.ceil(count.trigger / WIDEST)))
    decks = 1 if count.decks_left == UNDIVIDED else rows.sum(axis=1) / CARDS_IN_A_DECK
    true = running / decks / step
    bins = np.rint(true).astype(np.int64)
    found = []
    for number in range(LOWEST, HIGHEST + 1):
        here = values[bins == number]
        if len(here) >= FEWEST:
            low, high = np.quantile(here, (0.1, 0.9)).tolist()
            found.append(
                AtCount(
                    count=number * step,
                    share=len(here) / len(values),
                    mean=float(here.mean()),
                    low=low,
                    high=high,
                )
            )
    return tuple(found)


def _by_left(left: Integers, values: Floats) -> tuple[InShoe, ...]:
    group = left // APART
    rounds = np.bincount(group)
    above = np.bincount(group, weights=values > 0, minlength=len(rounds))
    return tuple(
        [
            InShoe(left=number * APART, share=float(above[number] / rounds[number]))
            for number in range(len(rounds) - 1, -1, -1)
            if rounds[number] >= FEWEST
        ]
    )
