"""Shuffled shoes dealt round by round, with the outcome of each and every bet's exact value before it."""

from functools import lru_cache
from typing import NamedTuple

from thirdcard.cards import CARDS_IN_A_DECK
from thirdcard.odds.compiled import Floats, Integers, compiled, np
from thirdcard.odds.composition import VALUES
from thirdcard.odds.counting import rule_of
from thirdcard.odds.kernel import Kernel
from thirdcard.play.tableau import LONGEST
from thirdcard.rulebook.model import Rulebook, Side

RANKS = len(VALUES)


class DealtShoes(NamedTuple):
    """Shoes as they were dealt; what lies beyond a shoe's last round is 0.

    `lengths` are rounds by shoe; `values` are by shoe, round and bet of `names`; `classes` are outcomes as
    `play.classes` numbers them.
    """

    names: tuple[str, ...]
    lengths: Integers
    values: Floats
    classes: Integers


@compiled
def _deal_shoe(  # noqa: PLR0913, PLR0917 - a kernel takes its arrays one by one
    cards: Integers, first: Integers, replies: Integers, points: Integers, left: Integers, classes: Integers
) -> int:
    """Deal one shuffled shoe to the end; fills what is left before each round, and outcomes."""
    at, rounds, size = 0, 0, len(cards)
    counts = np.zeros(52, np.int64)
    for card in cards:
        counts[card] += 1
    ranks = 13
    while size - at >= LONGEST and rounds < len(classes):
        left[rounds] = counts
        used = 4
        p1, b1, p2, b2 = cards[at], cards[at + 1], cards[at + 2], cards[at + 3]
        player = (points[p1 % ranks] + points[p2 % ranks]) % 10
        banker = (points[b1 % ranks] + points[b2 % ranks]) % 10
        due = first[player, banker]
        player_third, banker_third = 0, 0
        if due == 1:
            third = points[cards[at + 4] % ranks]
            reply = replies[banker, third]
            player = (player + third) % 10
            player_third, used = 1, 5
            if reply:
                banker = (banker + points[cards[at + 5] % ranks]) % 10
                banker_third, used = 1, 6
        elif due == 2:  # noqa: PLR2004 - the Banker's
            banker = (banker + points[cards[at + 4] % ranks]) % 10
            banker_third, used = 1, 5
        pairs = 0
        if p1 % ranks == p2 % ranks:
            pairs = 1
            if b1 % ranks == b2 % ranks:
                pairs = 4 if p1 % ranks == b1 % ranks else 3
        elif b1 % ranks == b2 % ranks:
            pairs = 2
        classes[rounds] = (((player * 10 + banker) * 2 + player_third) * 2 + banker_third) * 5 + pairs
        for card in cards[at : at + used]:
            counts[card] -= 1
        at += used
        rounds += 1
    return rounds


@lru_cache(maxsize=8)
def dealt_shoes(
    book: Rulebook, decks: int, shoes: int, seed: int, names: tuple[str, ...] | None = None
) -> DealtShoes:
    """So many shuffled shoes dealt to the end; the same seed deals the same cards."""
    chance = np.random.default_rng((seed, decks))
    rule = rule_of(book.table_of_play)
    whose = {None: 0, Side.PLAYER: 1, Side.BANKER: 2}
    first = np.array([[whose[due] for due in line] for line in rule.first], np.int64)
    replies, points = np.array(rule.replies, np.int64), np.array(VALUES, np.int64)
    cards = np.repeat(np.arange(CARDS_IN_A_DECK), decks)
    longest = len(cards) // 4
    left = np.zeros((shoes, longest, CARDS_IN_A_DECK), np.int64)
    classes = np.zeros((shoes, longest), np.int64)
    lengths = np.zeros(shoes, np.int64)
    for shoe in range(shoes):
        lengths[shoe] = _deal_shoe(
            chance.permutation(cards), first, replies, points, left[shoe], classes[shoe]
        )
    most = int(lengths.max())
    kernel = Kernel(book, names)
    played = np.arange(most) < lengths[:, None]
    values = np.zeros((shoes, most, len(kernel.names)))
    values[played] = kernel.values(left[:, :most][played])
    return DealtShoes(kernel.names, lengths, values, classes[:, :most])
