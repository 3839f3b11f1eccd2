"""Bets that nobody offers: random ones over everything that a condition may say."""

from random import Random
from typing import TypeVar, get_args

from thirdcard.money import Odds
from thirdcard.rulebook.conditions import HandWhen, Pairing, RankLetter, Suits
from thirdcard.rulebook.model import Bet, Push, Tier, When
from thirdcard.rulebook.parts import Numbers

T = TypeVar("T")
LETTERS = get_args(RankLetter)


class Chance(Random):
    """A seeded choice of values."""

    def some(self, values: tuple[T, ...], most: int = 3) -> tuple[T, ...]:
        return tuple(self.sample(values, self.randint(1, min(most, len(values)))))

    def numbers(self, low: int, high: int) -> Numbers:
        span = f"{low}-{self.randint(low, high)}"
        return Numbers([*self.some(tuple(range(low, high + 1))), *([span] if self.random() < 0.5 else [])])

    def fields(self, given: dict[str, T], most: int) -> dict[str, T]:
        """A few of the fields."""
        return {name: given[name] for name in self.some(tuple(given), most)}


def random_hand(chance: Chance) -> HandWhen:
    given = {
        "total": chance.numbers(0, 9),
        "cards": chance.numbers(2, 3),
        "natural": chance.random() < 0.5,
        "pair": chance.random() < 0.5,
        "suits": chance.some(tuple(Suits), 2),
        "first": chance.some(LETTERS, 8),
        "second": chance.some(LETTERS, 8),
        "third": chance.some(LETTERS, 8),
    }
    return HandWhen(**chance.fields(given, 3))  # type: ignore[arg-type]


def random_when(chance: Chance) -> When:
    given = {
        "winner": chance.some(("player", "banker", "tie"), 2),
        "total": chance.numbers(0, 9),
        "cards": chance.numbers(2, 3),
        "cards_in_all": chance.numbers(4, 6),
        "margin": chance.numbers(0, 9),
        "sum": chance.numbers(0, 18),
        "pair": chance.choice(tuple(Pairing)),
        "player": random_hand(chance),
        "banker": random_hand(chance),
        "winning": random_hand(chance),
        "losing": random_hand(chance),
    }
    fields = chance.fields(given, 2)
    if "pair" in fields and chance.random() < 0.5:
        fields["pair_suits"] = chance.some(tuple(Suits), 2)
    return When(**fields)  # type: ignore[arg-type]


def random_bet(seed: int) -> Bet:
    """One to three tiers, some of them paying nothing, and none to three pushes; the first that fits counts."""
    chance = Chance(seed)
    tiers = tuple(
        Tier(tier=f"tier {number}", when=random_when(chance), odds=Odds(f"{chance.randint(0, 40)} to 1"))
        for number in range(chance.randint(1, 3))
    )
    pushes = tuple(
        Push(when=random_when(chance), tier=f"push {number}") for number in range(chance.randint(0, 2))
    )
    push = Push(when=random_when(chance)) if chance.random() < 0.5 else None
    return Bet(name=f"Bet {seed}", pays=tiers, push=push, pushes=pushes)
