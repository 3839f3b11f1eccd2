"""Bets valued by the quickest way there is for each, and how their results go together."""

from functools import cached_property

from thirdcard.cards import CARDS_IN_A_DECK, Suit
from thirdcard.odds import fresh
from thirdcard.odds.bet_values import cells_of, results_of
from thirdcard.odds.compiled import Floats, Integers, np
from thirdcard.odds.counting import joint
from thirdcard.odds.starts import rounds
from thirdcard.odds.starts_kernel import count_many, program_of
from thirdcard.protect.value_kernel import book_of, brings_of, values_of
from thirdcard.rulebook.conditions import sight_of
from thirdcard.rulebook.model import Rulebook
from thirdcard.simulate.pay_tables import is_plain, pays_of


class Valuer:
    """The value of some bets, and of those above zero the mean square of the result.

    Bets on totals or on pairs are valued together. Bets that look closer, at ranks by place, at suits, or at
    totals and pairs, take some 10 to 100 times as long each, and are valued one by one.
    """

    def __init__(self, book: Rulebook, names: tuple[str, ...]) -> None:
        plain = [cells_of(book.bets[name]).needs in {"endings", "pairings"} for name in names]
        self._plain = np.flatnonzero(plain)
        self._closer = [
            (number, program_of(book.table_of_play, book.bets[name]), _brings(book, name))
            for number, name in enumerate(names)
            if not plain[number]
        ]
        self.suited = any(any(sight_of(book.bets[name]).suits) for name in names)
        self._book = book_of(book, tuple([name for name, one in zip(names, plain, strict=True) if one]))
        self._bets = len(names)

    def values(self, compositions: Integers) -> tuple[Floats, Floats]:
        """(k, 13) counts in, or (k, 52) where suits are followed; twice (k, bets) out."""
        shape = len(compositions), len(self._plain)
        found, squares = np.empty(shape), np.zeros(shape)
        ranks = compositions
        if compositions.shape[1] == CARDS_IN_A_DECK:
            ranks = compositions.reshape(len(compositions), len(Suit), -1).sum(axis=1)
        if len(self._plain):
            values_of(ranks, self._book, found, squares)
        if not self._closer:
            return found, squares
        all_found, all_squares = (
            np.empty((len(compositions), self._bets)),
            np.empty((len(compositions), self._bets)),
        )
        all_found[:, self._plain], all_squares[:, self._plain] = found, squares
        cards = compositions
        if compositions.shape[1] < CARDS_IN_A_DECK:
            cards = np.pad(compositions, ((0, 0), (0, CARDS_IN_A_DECK - compositions.shape[1])))
        for number, program, brings in self._closer:
            tallies = np.empty((len(cards), len(brings)), np.int64)
            count_many(cards, program, tallies)
            chances = tallies / tallies.sum(axis=1, keepdims=True)
            all_found[:, number], all_squares[:, number] = chances @ brings, chances @ brings**2
        return all_found, all_squares


def _brings(book: Rulebook, name: str) -> Floats:
    bet = book.bets[name]
    brings = brings_of(bet)
    return np.array([brings[result] for result in results_of(bet)])


class Correlations:
    """How the results of bets go together in the first round of a fresh shoe."""

    def __init__(self, book: Rulebook, names: tuple[str, ...], decks: int) -> None:
        self._book, self._names, self._decks = book, names, decks

    @cached_property
    def matrix(self) -> Floats:
        """[bet, bet], 1 on the diagonal."""
        bets = [self._book.bets[name] for name in self._names]
        shoe = fresh(self._decks)
        found = np.eye(len(bets))
        plain = [number for number, bet in enumerate(bets) if is_plain(bet)]
        if len(plain) > 1:
            counts = np.array(joint(self._book.table_of_play, shoe), float)
            chances = counts / counts.sum()
            paid = np.array([np.divide(*pays_of(bets[number])) for number in plain])
            paid -= (paid @ chances)[:, None]
            spread = (paid * chances) @ paid.T
            sd = np.sqrt(np.diag(spread))
            found[np.ix_(plain, plain)] = spread / np.outer(sd, sd)
        for one, bet in enumerate(bets):
            for other in range(len(bets)):
                if one != other and not is_plain(bet) and (is_plain(bets[other]) or one < other):
                    found[one, other] = found[other, one] = self._pair(one, other)
        return found

    def _pair(self, one: int, other: int) -> float:
        """Of two bets of which one looks closer."""
        names = self._names[one], self._names[other]
        bets = tuple([self._book.bets[name] for name in names])
        came = rounds(self._book.table_of_play, fresh(self._decks), bets)
        counts = np.array(list(came.values()), float)
        brings = [brings_of(bet) for bet in bets]
        paid = np.array(
            [[by[result] for by, result in zip(brings, results, strict=True)] for results in came]
        ).T
        chances = counts / counts.sum()
        paid -= (paid @ chances)[:, None]
        spread = (paid * chances) @ paid.T
        return float(spread[0, 1] / np.sqrt(spread[0, 0] * spread[1, 1]))
