"""Shoes: no card is favoured, and a shoe is the same whoever asks for it."""

import numpy as np
import pytest

from thirdcard.simulate.kernel import draw, mix, redraw
from thirdcard.simulate.pay_tables import shoe_of, shoes

pytestmark = pytest.mark.slow

LANES = np.arange(1 << 16, dtype=np.uint16)


def test_every_bound_is_drawn_without_bias() -> None:
    """All 65,536 lanes for every bound a shoe of ten decks has: each pick has as many lanes as any other."""
    picks, rejected = np.zeros_like(LANES), np.zeros(LANES.shape, np.uint8)
    for bound in range(1, 521):
        bounds = np.full_like(LANES, bound)
        floors = np.full_like(LANES, (1 << 16) % bound)
        draw(LANES, bounds, floors, picks, rejected)
        counts = np.bincount(picks[rejected == 0], minlength=bound)
        assert counts.tolist() == [(1 << 16) // bound] * bound


def test_a_draw_without_rejection_would_be_biased() -> None:
    """The check above can fail."""
    picks, rejected = np.zeros_like(LANES), np.zeros(LANES.shape, np.uint8)
    draw(LANES, np.full_like(LANES, 415), np.zeros_like(LANES), picks, rejected)
    assert len(set(np.bincount(picks).tolist())) > 1


@pytest.mark.parametrize("decks", range(4, 11))
def test_bounds_and_floors_of_a_shoe(decks: int) -> None:
    shoe = shoe_of(decks, 14)
    assert shoe.bounds[: shoe.drawn].tolist() == list(range(52 * decks, 8, -1))
    assert set(shoe.bounds[shoe.drawn :].tolist()) <= {1}
    assert all((1 << 16) % int(b) == f for b, f in zip(shoe.bounds, shoe.floors, strict=True))


def test_a_rejected_lane_is_redrawn_without_bias() -> None:
    """A floor that rejects a third: the redrawn picks are within bounds and even."""
    bound = 43_691
    floor = (1 << 16) % bound
    start = np.uint64(5)
    found = [int(redraw(start, np.uint64(k), np.uint16(bound), np.uint16(floor))) for k in range(20_000)]
    assert max(found) < bound
    assert abs(float(np.mean(found)) / (bound - 1) - 0.5) < 4 * np.sqrt(1 / 12 / 20_000)


def test_the_generator_is_splitmix64() -> None:
    """The first words of the published sequence from seed 1234567."""
    golden = 0x9E3779B97F4A7C15
    words = [int(mix(np.uint64((1234567 + k * golden) % 2**64))) for k in range(1, 4)]
    assert words == [6457827717110365317, 3203168211198807973, 9817491932198370423]


MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15


def mixed(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def slow_shoe(decks: int, cut: int, *, seed: int, stream: int, number: int) -> tuple[list[int], int]:
    """A shoe as docs/simulate.md describes it, in plain Python; and how many lanes were rejected."""
    cards = [rank for rank in range(1, 14) for _ in range(4 * decks)]
    drawn = len(cards) - cut + 6
    lanes = -(-drawn // 16) * 16
    start = mixed(seed + GOLDEN & MASK) + (stream << 32) * GOLDEN
    rejections = 0
    for place in range(drawn):
        left = len(cards) - place
        lane = number * lanes + place
        word = mixed(start + lane // 4 * GOLDEN & MASK) >> 16 * (lane % 4) & 0xFFFF
        if word * left % 2**16 < 2**16 % left:
            rejections += 1
            whole = mixed(start + (2**31 + lane) * GOLDEN & MASK)
            while (whole & 0xFFFF) * left % 2**16 < 2**16 % left:
                whole = mixed(whole + GOLDEN & MASK)
            word = whole & 0xFFFF
        other = place + (word * left >> 16)
        cards[place], cards[other] = cards[other], cards[place]
    return cards[:drawn], rejections


@pytest.mark.parametrize(("decks", "cut"), [(4, 14), (8, 14), (10, 6), (8, 416)])
def test_shoes_are_those_the_documentation_describes(decks: int, cut: int) -> None:
    rejections = 0
    for stream, first in ((0, 0), (77, 5), (2**32 - 1, 10**6)):
        found = shoes(shoe_of(decks, cut), seed=2**64 - 3, stream=stream, first=first, count=10)
        for number, shoe in enumerate(found.tolist(), first):
            slow, rejected = slow_shoe(decks, cut, seed=2**64 - 3, stream=stream, number=number)
            assert shoe == slow
            rejections += rejected
    assert rejections or cut == 416


def test_a_shoe_is_a_permutation() -> None:
    whole = shoes(shoe_of(8, 6), seed=3, stream=9, count=50)
    for shoe in whole:
        assert np.bincount(shoe, minlength=14)[1:].tolist() == [32] * 13


def test_a_shoe_depends_on_its_numbers_alone() -> None:
    kind = shoe_of(6, 14)
    many = shoes(kind, seed=11, stream=4, count=30)
    assert (shoes(kind, seed=11, stream=4, first=17)[0] == many[17]).all()
    others = [
        shoes(kind, seed=12, stream=4, first=17)[0],
        shoes(kind, seed=11, stream=5, first=17)[0],
        many[16],
    ]
    for other in others:
        assert (other == many[17]).mean() < 0.2


def test_the_cut_card_sets_how_far_a_shoe_is_shuffled() -> None:
    for cut, drawn in ((6, 416), (14, 408), (416, 6)):
        assert shoe_of(8, cut).drawn == drawn


def test_every_place_is_uniform_over_ranks() -> None:
    """First card to last: chi-square of the ranks at each place, and of each place's neighbour."""
    many = 40_000
    dealt = shoes(shoe_of(8, 14), seed=2, stream=0, count=many)
    expected = many / 13
    at_place = np.array([np.bincount(dealt[:, k], minlength=14)[1:] for k in range(dealt.shape[1])])
    square = ((at_place - expected) ** 2 / expected).sum(axis=1)
    assert square.max() < 45  # 12 degrees of freedom: one in 100,000 places would be above
    assert abs(square.mean() - 12) < 4 * np.sqrt(24 / len(square))
    pairs = dealt[:, :-1] * 14 + dealt[:, 1:]
    same, other = 32 * 31 / (416 * 415), 32 * 32 / (416 * 415)
    for k in (0, 1, 200, 406):
        counts = np.bincount(pairs[:, k], minlength=14 * 14).reshape(14, 14)[1:, 1:]
        wanted = many * (np.eye(13) * (same - other) + other)
        assert ((counts - wanted) ** 2 / wanted).sum() < 260  # 168 degrees of freedom, five deviations
