"""Tables with players planted at them: one who counts, moderately well, and others who do not."""

from collections.abc import Iterator

import numpy as np

from thirdcard.cards import CARDS_IN_A_DECK, Card
from thirdcard.odds.composition import fresh
from thirdcard.odds.kernel import Kernel
from thirdcard.play.tableau import LONGEST, next_hand
from thirdcard.protect.radar import WatchedRound
from thirdcard.rulebook.model import Rulebook

CARDS = tuple(Card)


def dealt(book: Rulebook, decks: int, shoes: int, seed: int) -> Iterator[tuple[int, int, tuple[Card, ...]]]:
    """Shoe, round and cards, down to 14 cards."""
    chance = np.random.default_rng(seed)
    for shoe in range(1, shoes + 1):
        order = [CARDS[one % CARDS_IN_A_DECK] for one in chance.permutation(decks * CARDS_IN_A_DECK)]
        at = number = 0
        while len(order) - at >= 14:
            used = next(
                size
                for size in range(4, LONGEST + 1)
                if next_hand(book.table_of_play, tuple(order[at : at + size])) is None
            )
            number += 1
            yield shoe, number, tuple(order[at : at + used])
            at += used


def rounds_with_a_counter(
    book: Rulebook, bet: str, shoes: int, seed: int, *, counter: str = "S4"
) -> list[WatchedRound]:
    """One player bets mostly when the bet is worth it; another flat on Banker with whims, a third late and at random."""
    chance, kernel, decks = np.random.default_rng(seed + 1), Kernel(book, (bet,)), 8
    found: list[WatchedRound] = []
    left = fresh(decks)
    for shoe, number, cards in dealt(book, decks, shoes, seed):
        if number == 1:
            left = fresh(decks)
        value = float(kernel.values(left.by_card)[0, 0])
        stakes: dict[str, dict[str, int]] = {counter: {}, "S1": {"banker": 2_000}, "S2": {}}
        if chance.random() < (0.8 if value > 0 else 0.03):
            stakes[counter][bet] = 10_000 if value > 0 else 2_000
        if chance.random() < 0.2 + 0.3 * (number > 60):
            stakes["S2"][bet] = int(chance.choice([1_000, 2_000, 5_000]))
        if chance.random() < 0.1:
            stakes["S1"]["banker"] = 5_000
        found.append(WatchedRound(table="t", shoe=str(shoe), number=number, cards=cards, stakes=stakes))
        left = left.without(cards)
    return found
