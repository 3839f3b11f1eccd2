"""The fast counts equal the slow ones, the committed ones and the published ones, to the last draw."""

import json
from math import perm
from pathlib import Path

import msgspec
import pytest

from odds import slow
from thirdcard.errors import BadInput
from thirdcard.odds import Composition, fresh, tallies
from thirdcard.odds.counting import endings, joint, pairings
from thirdcard.odds.kernel import Kernel
from thirdcard.play.classes import outcomes
from thirdcard.rulebook import Rulebook, load, slugs
from thirdcard.rulebook.conditions import Pairing
from thirdcard.rulebook.model import TableOfPlay, When

pytestmark = pytest.mark.slow

BOOKS = tuple(load(slug) for slug in slugs())
KERNELS = {book.slug: Kernel(book) for book in BOOKS}
TABLE = BOOKS[0].table_of_play


def strange(table: TableOfPlay) -> TableOfPlay:
    """A Table of Play that nobody plays, to show that the table and nothing else decides."""
    return msgspec.structs.replace(
        table,
        natural=(9,),
        player_draws=(0, 2, 4, 6, 7),
        banker_draws_if_player_stands=(1, 3, 8),
        banker_draws={total: tuple(x for x in range(10) if (x * total + total) % 3) for total in range(9)},
    )


def check(book: Rulebook, composition: Composition, expected: dict[str, dict[str, int]]) -> None:
    found = tallies(book, composition)
    assert {name: slow.nonzero(tally) for name, tally in found.items()} == expected, composition
    assert all(sum(tally.values()) == composition.sequences for tally in found.values())
    assert KERNELS[book.slug].tally(composition.ranks) == found, composition


@pytest.mark.gate("0", "1")
@pytest.mark.parametrize("start", range(0, 190, 19))
def test_nearly_empty_shoes_equal_the_slow_enumeration(start: int) -> None:
    for seed in range(start, start + 19):
        composition, book = slow.small_shoe(seed), BOOKS[seed % len(BOOKS)]
        counts = slow.outcomes(book.table_of_play, composition)
        assert joint(book.table_of_play, composition) == [counts[outcome] for outcome in outcomes()], (
            composition
        )
        check(book, composition, slow.tallies(book, counts))


@pytest.mark.gate("0", "1", "5")
@pytest.mark.parametrize("seed", range(10))
def test_larger_shoes_equal_the_slow_enumeration(seed: int) -> None:
    composition, book = slow.large_shoe(seed), BOOKS[seed % len(BOOKS)]
    counts = slow.outcomes_by_points(book.table_of_play, composition)
    assert joint(book.table_of_play, composition) == [counts[outcome] for outcome in outcomes()]
    check(book, composition, slow.tallies(book, counts))


def test_both_slow_enumerations_agree() -> None:
    for seed in range(5):
        composition = slow.small_shoe(seed)
        assert +slow.outcomes_by_points(TABLE, composition) == slow.outcomes(TABLE, composition)


@pytest.mark.parametrize("seed", range(3))
def test_another_table_of_play_is_followed(seed: int) -> None:
    book = msgspec.structs.replace(BOOKS[-1], table_of_play=strange(TABLE))
    composition = slow.small_shoe(seed)
    counts = slow.outcomes(book.table_of_play, composition)
    expected = slow.tallies(book, counts)
    found = tallies(book, composition)
    assert {name: slow.nonzero(tally) for name, tally in found.items()} == expected
    assert Kernel(book).tally(composition.ranks) == found
    assert found != tallies(BOOKS[-1], composition)


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.slug)
def test_counts_equal_the_committed_data(book: Rulebook) -> None:
    file = Path(__file__).parents[1] / "counts" / f"{book.slug}.json"
    committed = json.loads(file.read_text(encoding="utf-8"))
    assert len(committed) == book.decks.max - book.decks.min + 1
    for decks, expected in committed.items():
        check(book, fresh(int(decks)), expected)


def test_eight_decks_as_published() -> None:
    counts = tallies(load("mbs-tiger-v2"), fresh(8))
    assert counts["banker"]["win"] == 2_292_252_566_437_888
    assert counts["player"]["win"] == 2_230_518_282_592_256
    assert counts["tie"]["win"] == 475_627_426_473_216


@pytest.mark.parametrize("decks", [1, 4, 10, 27])
def test_every_draw_is_counted_once(decks: int) -> None:
    composition = fresh(decks)
    assert sum(endings(TABLE, composition)) == perm(52 * decks, 6)
    assert sum(pairings(composition)) == perm(52 * decks, 6)
    assert KERNELS[BOOKS[-1].slug].tally(composition.ranks) == tallies(BOOKS[-1], composition)


def test_a_bet_on_pairs_and_totals_together_is_counted() -> None:
    book = BOOKS[-1]
    tie = book.bets["tie"]
    when = When(winner=("banker",), pair=Pairing.PLAYER)
    mixed = msgspec.structs.replace(tie, pays=(msgspec.structs.replace(tie.pays[0], when=when),))
    book = msgspec.structs.replace(book, bets={"mixed": mixed})
    composition = slow.small_shoe(3)
    expected = slow.tallies(book, slow.outcomes(book.table_of_play, composition))
    assert {name: slow.nonzero(tally) for name, tally in tallies(book, composition).items()} == expected
    assert Kernel(book).tally(composition.ranks) == tallies(book, composition)


def test_too_few_cards_for_a_round() -> None:
    with pytest.raises(BadInput, match="not enough cards for a round: 5 left, 6 needed"):
        tallies(BOOKS[0], Composition((0,) * 12 + (5,)))
    assert tallies(BOOKS[0], Composition((0,) * 12 + (6,)))["tie"]["win"] == perm(6, 6)


@pytest.mark.parametrize("ranks", [(1,) * 12, (4,) * 14, (-1, *(4,) * 12)])
def test_a_composition_is_thirteen_counts(ranks: tuple[int, ...]) -> None:
    with pytest.raises(BadInput, match="13 counts"):
        Composition(ranks)
