"""Tallies: the kernel deals what the play layer deals, and values every bet as exact analysis does."""

from itertools import islice

import numpy as np
import pytest

from simulate.slow import rounds_of
from thirdcard.errors import BadInput
from thirdcard.odds import fresh, values
from thirdcard.play.bets import result
from thirdcard.play.classes import CLASSES, number_of, outcomes
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import Deal
from thirdcard.rulebook import load, slugs
from thirdcard.simulate import TallyRun, estimates, outcomes_in
from thirdcard.simulate.pay_tables import pays_of
from thirdcard.simulate.tally import CHUNK

pytestmark = pytest.mark.slow

MBS = "mbs-tiger-v2"
TBC = "rws-tiger-buffalo-commission-v2"


@pytest.mark.parametrize(("decks", "cut"), [(4, 14), (8, 14), (10, 6), (8, 416), (6, 200)])
def test_rounds_are_dealt_as_the_play_layer_deals_them(decks: int, cut: int) -> None:
    """The same cards, laid out by `Deal`; an odd number of rounds ends within a shoe."""
    run = TallyRun(rulebook=MBS, decks=decks, cut=cut, rounds=3001, seed=5)
    slow = np.zeros(CLASSES, np.int64)
    dealt = rounds_of(run.book, decks=decks, cut=cut, seed=5, stream=0)
    for _, cards in islice(dealt, run.rounds):
        slow[number_of(outcome_of(Deal(run.book.table_of_play, cards)))] += 1
    assert (run.play(0, 1)[0] == slow).all()


def test_a_chunk_is_dealt_from_its_own_stream() -> None:
    run = TallyRun(rulebook=MBS, rounds=CHUNK + 500)
    assert run.chunks == 2
    slow = np.zeros(CLASSES, np.int64)
    for _, cards in islice(rounds_of(run.book, decks=8, cut=14, seed=1, stream=1), 500):
        slow[number_of(outcome_of(Deal(run.book.table_of_play, cards)))] += 1
    assert (run.play(1, 1)[0] == slow).all()


@pytest.mark.parametrize("slug", slugs())
def test_pays_are_those_of_the_play_layer(slug: str) -> None:
    for bet in load(slug).bets.values():
        numerators, denominators = pays_of(bet)
        for number, outcome in enumerate(outcomes()):
            came = result(bet, outcome)
            if came.tier:
                assert came.tier.odds.ratio.as_integer_ratio() == (numerators[number], denominators[number])
            else:
                assert numerators[number] == {"push": 0, "lose": -1}[came.verdict]


@pytest.mark.parametrize("slug", slugs())
def test_every_bet_is_within_four_standard_errors_of_its_exact_value(slug: str) -> None:
    run = TallyRun(rulebook=slug, rounds=30_000_000, seed=20)
    (tally,) = run.play(0, run.chunks)
    assert tally.sum() == run.rounds
    exact = values(run.book, fresh(8))
    for name, found in estimates(run.book, tally).items():
        assert abs(found.ev - float(exact[name].ev)) < 4 * found.error, name
        assert found.low < found.ev < found.high
        assert found.error == pytest.approx(float(exact[name].variance / run.rounds) ** 0.5, rel=0.02)


def test_winners_add_up() -> None:
    run = TallyRun(rulebook=TBC, rounds=1000)
    found = outcomes_in(run.play(0, 1)[0])
    assert list(found) == ["player", "banker", "tie"]
    assert sum(found.values()) == 1000


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"rounds": 0}, "the number of rounds must be more than zero: got 0"),
        ({"rounds": -5}, "the number of rounds must be more than zero: got -5"),
        ({"rounds": 10**16}, "must be at most 1,000,000,000,000,000"),
        ({"decks": 3}, "is played with 4 to 10 decks"),
        ({"decks": 11}, "is played with 4 to 10 decks"),
        ({"seed": -1}, "a seed is a whole number from 0"),
        ({"seed": 2**64}, "a seed is a whole number from 0"),
        ({"cut": 5}, "the cut card lies 6 to 416 cards from the end"),
        ({"cut": 417}, "the cut card lies 6 to 416 cards from the end"),
        ({"rulebook": "mbs-tigr"}, "did you mean mbs-tiger-v2"),
    ],
)
def test_a_run_that_cannot_be(changed: dict[str, object], sentence: str) -> None:
    given: dict[str, object] = {"rulebook": TBC, "rounds": 10, **changed}
    with pytest.raises(BadInput, match=sentence):
        TallyRun(**given)  # type: ignore[arg-type]
