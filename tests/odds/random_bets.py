"""Bets that nobody offers: random ones over everything that a condition may say."""

from fractions import Fraction
from random import Random
from typing import TypeVar

from thirdcard.money import Odds
from thirdcard.rulebook.conditions import HandWhen, Pairing, Suits
from thirdcard.rulebook.model import Bet, Push, Tier, When
from thirdcard.rulebook.parts import Numbers
from thirdcard.rulebook.sums import NAMED_SUITS, Compare, Count

T = TypeVar("T")
LETTERS = tuple("A23456789TJQK")
SUITED = (*NAMED_SUITS, *(letter + suit for letter in LETTERS for suit in "SHDC"))
PLACES = tuple(f"{hand}.{place}" for hand in ("player", "banker") for place in ("first", "second", "third"))


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

    def cards(self, *, suits: bool) -> tuple[str, ...]:
        return (*self.some(LETTERS, 6), *(self.some(SUITED, 3) if suits and self.random() < 0.5 else ()))

    def count(self, *, suits: bool) -> Count:
        return Count(
            of=self.cards(suits=suits),
            number=self.numbers(0, 4),
            suited=suits and self.random() < 0.3,
            initial=self.random() < 0.3,
        )

    def of_cards(self, *, suits: bool) -> dict[str, object]:
        """Whatever is asked of single cards, of one hand or of both."""
        return {
            "count": tuple(self.count(suits=suits) for _ in range(self.randint(1, 2))),
            "every": (*self.sample(LETTERS, 9), *(("red",) if suits else ())),
            "no": self.cards(suits=suits),
        }


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


def closer_hand(chance: Chance, *, suits: bool) -> HandWhen:
    given = chance.of_cards(suits=suits) | {
        "ranks": tuple(chance.choice(LETTERS) + chance.choice(LETTERS) for _ in range(12)),
        "first_two": chance.numbers(0, 9),
        "first": chance.cards(suits=suits),
        "third": chance.cards(suits=suits),
    }
    plain = {
        name: getattr(random_hand(chance), name) for name in ("total", "cards", "pair", "suits", "second")
    }
    plain["suits"] = plain["suits"] if suits else ()
    return HandWhen(**chance.fields(given, 2), **chance.fields(plain, 1))  # type: ignore[arg-type]


def closer_when(chance: Chance, *, suits: bool, deep: int = 1) -> When:
    """A condition on single cards, alone or with what else there is."""
    compare = Compare(
        card=chance.choice(PLACES),  # type: ignore[arg-type]
        how=chance.some(("higher", "same", "lower"), 2),
        than=chance.choice(PLACES),  # type: ignore[arg-type]
        by=chance.choice(("rank", "points")),
    )
    hands = {name: closer_hand(chance, suits=suits) for name in ("player", "banker", "winning", "losing")}
    given: dict[str, object] = chance.of_cards(suits=suits) | hands
    if compare.card != compare.than:
        given["compare"] = (compare,)
    if deep:
        given["any"] = tuple(closer_when(chance, suits=suits, deep=deep - 1) for _ in range(2))
    plain = random_when(chance)
    fields = chance.fields(given, 2)
    if chance.random() < 0.5:
        fields["winner"] = plain.winner
    if chance.random() < 0.3:
        fields["pair"] = plain.pair
    return When(**fields)  # type: ignore[arg-type]


def closer_bet(seed: int, *, suits: bool) -> Bet:
    """A bet on single cards; tiers and pushes as they come, and the first that fits counts."""
    chance = Chance(seed)
    tiers = [
        Tier(
            tier=f"tier {number}",
            when=closer_when(chance, suits=suits),
            odds=Odds(f"{chance.randint(0, 40)} to 1"),
        )
        for number in range(chance.randint(1, 3))
    ]
    share = Fraction(chance.randint(0, 3), 4)
    pushes = (Push(when=closer_when(chance, suits=suits), returned=share),) if chance.random() < 0.5 else ()
    return Bet(name=f"Closer {seed}", pays=tuple(tiers), pushes=pushes)


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
