"""Counts that people can keep: a whole number for each rank, and how well they follow a bet's value.

The effects of removal of a fresh shoe add up to nothing over its cards, because a card that nobody looked at
changes no value. So the best count of all has the effects themselves for tags; smaller numbers follow them as
well as their correlation says. A count is balanced if its tags add up to 0 over a deck.
"""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd, sqrt
from typing import TypeAlias

from thirdcard.cards import Rank
from thirdcard.errors import BadInput

Tags: TypeAlias = tuple[int, ...]  # of each rank, ace to king

LEVELS = {"1": 1, "2": 2, "3": 3, "free": 0}  # the largest tag; 0 for any
SIMPLE = ("1", "2")  # the levels of a simple count: the better of them is told where none is named
FINEST = 100  # the largest tag of a free count
LARGEST = 1000  # that anybody may give
TENS = range(Rank.TEN - 1, len(Rank))
SHORT = 10  # tags, ace to nine and one for tens and pictures


def correlation(tags: Sequence[int], effects: Sequence[Fraction]) -> float:
    """Of tags with effects over the cards of a deck; 0 where either is the same for every card."""
    mean, middle = Fraction(sum(tags), len(tags)), sum(effects, Fraction(0)) / len(effects)
    over = [(tag - mean, effect - middle) for tag, effect in zip(tags, effects, strict=True)]
    spread = sum([one * one for one, _ in over]) * sum([other * other for _, other in over])
    return float(sum([one * other for one, other in over])) / sqrt(spread) if spread else 0.0


def best_tags(effects: Sequence[Fraction], level: str) -> Tags | None:
    """The balanced tags of that level with the best correlation; none where no effect differs from another.

    Of tags that do equally well those are taken that add up to the least.
    """
    if len(set(effects)) == 1:
        return None
    largest = LEVELS[level]
    return _nearest(effects) if largest == 0 else _searched(effects, largest)


def _searched(effects: Sequence[Fraction], largest: int) -> Tags:
    """All of them, by their sum and their sum of squares: for each only the best is kept.

    Ranks of the same effect as the one before have its tag.
    """
    groups: list[list[int]] = []
    for rank, effect in enumerate(effects):
        if groups and effects[groups[-1][0]] == effect:
            groups[-1].append(rank)
        else:
            groups.append([rank])
    scale = max(map(abs, effects))
    kept: dict[tuple[int, int], tuple[float, Tags]] = {(0, 0): (0.0, ())}
    for group in groups:
        weight, slope = len(group), float(effects[group[0]] / scale)
        grown: dict[tuple[int, int], tuple[float, Tags]] = {}
        for (total, squares), (product, tags) in kept.items():
            for tag in range(-largest, largest + 1):
                key = total + weight * tag, squares + weight * tag * tag
                more = product + weight * tag * slope
                if key not in grown or more > grown[key][0]:
                    grown[key] = more, tags + (tag,) * weight
        kept = grown
    balanced = [
        (found[0] / sqrt(squares), found[1])
        for (total, squares), found in kept.items()
        if total == 0 < squares
    ]
    best = max(quality for quality, _ in balanced)
    equal = [_lowest_terms(tags) for quality, tags in balanced if quality > best - 1e-12]
    return min(equal, key=lambda tags: sum(map(abs, tags)))


def _lowest_terms(tags: Tags) -> Tags:
    common = gcd(*tags)
    return tuple([tag // common for tag in tags])


def _nearest(effects: Sequence[Fraction]) -> Tags:
    """The effects themselves, the largest being `FINEST`, put right by ones until they are balanced."""
    scale = FINEST / max(map(abs, effects))
    exact = [effect * scale for effect in effects]
    tags = [round(one) for one in exact]
    while sum(tags):
        step = -1 if sum(tags) > 0 else 1
        groups = [
            rank for rank in range(len(tags)) if rank not in TENS or len({effects[ten] for ten in TENS}) > 1
        ]
        rank = min(groups, key=lambda rank: abs(tags[rank] + step - exact[rank]))
        tags[rank] += step
    return tuple(tags)


def read_tags(text: str) -> Tags:
    """Ten tags, ace to nine and one for tens and pictures, or 13, ace to king: whole numbers, any sign."""
    parts = [part for part in re.split(r"[\s,;]+", text.strip().replace("\N{MINUS SIGN}", "-")) if part]
    if len(parts) not in (SHORT, len(Rank)) or not all(
        re.fullmatch(r"[+-]?[0-9]{1,4}", part) for part in parts
    ):
        raise BadInput(
            f"{text!r} is not a count: expected {SHORT} whole numbers, ace to nine and then ten, or "
            f"{len(Rank)}, ace to king"
        )
    tags = [int(part) for part in parts]
    if len(tags) == SHORT:
        tags += tags[-1:] * (len(Rank) - SHORT)
    if not any(tags) or max(map(abs, tags)) > LARGEST:
        raise BadInput(f"a count needs a tag that is not 0, and none beyond {LARGEST}: got {text!r}")
    return tuple(tags)


def by_rank(tags: Sequence[int]) -> dict[str, int]:
    return {rank.letter: tag for rank, tag in zip(Rank, tags, strict=True)}


def in_order(effects: Mapping[Rank, Fraction]) -> tuple[Fraction, ...]:
    return tuple([effects[rank] for rank in Rank])
