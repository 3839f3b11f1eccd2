"""Perfect play, counts and cuts against plain models on the same cards, and against what was published."""

import os
import signal
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import pytest

from odds.slow import large_shoe, outcomes, small_shoe, suited_shoe, tallies
from protect.slow_play import counted, insured, perfect, rounds_of
from thirdcard.cards import Rank
from thirdcard.errors import BadInput
from thirdcard.money import Odds
from thirdcard.odds import effects, fresh, values
from thirdcard.odds.bet_values import Value, results_of
from thirdcard.protect.asking import Question, prepare
from thirdcard.protect.follow_kernel import BILLION, CHANCES, GAIN, Totals
from thirdcard.protect.measures import Measures, protection
from thirdcard.protect.protect_run import Count, ProtectRun, Valuer
from thirdcard.protect.protection import Terms
from thirdcard.protect.tags import best_tags, correlation, in_order, read_tags
from thirdcard.rulebook import load
from thirdcard.simulate.work import Threads, execute

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples" / "rulebooks"
BUFFALO = "rws-tiger-buffalo-commission-v2"
BIG_TIGER = read_tags("0 0 -1 -1 -1 -2 1 2 2 0")


@pytest.mark.parametrize("slug", [BUFFALO, "rws-commission-insurance-v5"])
def test_values_are_those_of_dealing_every_round(slug: str) -> None:
    book = load(slug)
    names = tuple(book.bets)
    shoes = [small_shoe(seed) for seed in range(12)] + [large_shoe(seed) for seed in range(60)]
    found, squares = Valuer(book, names).values(np.array([shoe.ranks for shoe in shoes]))
    for row, shoe in enumerate(shoes[:12]):
        dealt = tallies(book, outcomes(book.table_of_play, shoe))
        for column, name in enumerate(names):
            tally = dict.fromkeys(results_of(book.bets[name]), 0) | dealt[name]
            value = Value(book.bets[name], tally)
            assert found[row, column] == pytest.approx(float(value.ev), abs=1e-13), (name, shoe)
            if value.ev > 0:
                assert squares[row, column] == pytest.approx(float(value.variance + value.ev**2), rel=1e-12)
    exact = [[float(value.ev) for value in values(book, shoe, names).values()] for shoe in shoes]
    assert found.tolist() == [pytest.approx(line, abs=1e-13) for line in exact]


@pytest.mark.whole
def test_bets_that_look_closer_are_valued_by_suits_and_places() -> None:
    book = load(EXAMPLES / "perfect-pairs.toml")
    names = tuple(book.bets)
    valuer = Valuer(book, names)
    assert valuer.suited
    shoe = suited_shoe(3)
    found, _ = valuer.values(np.array([shoe.by_card]))
    exact = [float(value.ev) for value in values(book, shoe, names).values()]
    assert found[0].tolist() == pytest.approx(exact, abs=1e-13)


CONVENTIONS = [
    ("nothing", "cut-card"),
    ("first-card", "one-more"),
    ("3", "cut-card"),
    ("nothing", "one-more"),
    ("1", "always-one-more"),
]


@pytest.mark.gate("nothing-one", "3-cut")
@pytest.mark.parametrize(("burn", "ending"), CONVENTIONS)
def test_perfect_play_and_counts_are_those_of_a_plain_model(burn: str, ending: str) -> None:
    bets = ("tie", "big-tiger", "tiger-pair")
    counts = tuple(
        Count(bet="big-tiger", level="given", tags=BIG_TIGER, decks_left=decks_left, triggers=20)
        for decks_left in ("exact", "half", "whole", "none")
    )
    run = ProtectRun(
        rulebook="mbs-tiger-v2",
        decks=4,
        seed=11,
        shoes=2,
        cuts=(30, 14),
        bets=bets,
        counts=counts,
        burn=burn,
        ending=ending,
    )
    totals = Totals(*run.play(0, run.chunks))
    measures = Measures(run, totals, run.shoes, Terms())
    for number, cut in enumerate((14, 30)):
        assert measures.rounds(cut) * run.shoes == sum(
            len(list(rounds_of(run, n, cut))) for n in range(run.shoes)
        )
        for name, gains in perfect(run, cut).items():
            assert measures.units(cut, name) * run.shoes == pytest.approx(float(sum(gains)), abs=1e-6)
        for which, count in enumerate(counts):
            for k in (0, 6, 13):
                trigger = Fraction(count.begin + k * count.step, count.per)
                told = totals.counts[1, number, which, k]
                gains = counted(run, count, cut, trigger, odd=True)
                assert told[CHANCES] == len(gains)
                assert told[GAIN] / BILLION == pytest.approx(float(sum(gains)), abs=1e-6)


@pytest.mark.parametrize("slug", ["rws-commission-insurance-v5", BUFFALO])
def test_insurance_is_bought_as_a_plain_model_buys_it(slug: str) -> None:
    """Stakes are capped by what they would win in the one document (3.12.2), by the bet in the other."""
    run = ProtectRun(rulebook=slug, decks=4, seed=5, shoes=6, cuts=(14,), bets=("banker",), insurance=True)
    found = protection(run, execute(run, Threads(1)), Terms()).cuts["14"]
    rounds = found.rounds_per_shoe * run.shoes
    for hand, told in found.insurance.items():
        made, good, gained = insured(run, hand, 14)
        assert (round(told.offers * rounds), round(told.favourable * made)) == (made, good)
        assert told.insurance * rounds == pytest.approx(gained, abs=1e-6)
        assert good > 2
        assert told.units_per_shoe <= told.at_most + 3 * told.error
        assert told.at_most >= perfect_of_hand(run, hand)


def perfect_of_hand(run: ProtectRun, hand: str) -> float:
    """What the hand alone wins a shoe whenever it is worth more than zero."""
    alone = ProtectRun(
        rulebook=run.rulebook, decks=4, seed=run.seed, shoes=run.shoes, cuts=(14,), bets=(hand,)
    )
    return protection(alone, execute(alone, Threads(1)), Terms()).cuts["14"].bets[hand].perfect.units_per_shoe


def test_insurance_that_is_not_offered_is_refused() -> None:
    with pytest.raises(BadInput, match="offers no insurance"):
        ProtectRun(rulebook="mbs-tiger-v2", shoes=1, cuts=(14,), bets=("banker",), insurance=True)


def test_the_result_does_not_depend_on_the_workers_or_on_interruptions(tmp_path: Path) -> None:
    run = prepare(load("mbs-tiger-v2"), Question(bets=("big-tiger", "tie"), shoes=300, cuts=(14, 52)))
    whole = [array.tobytes() for array in execute(run, Threads(1)).total]
    stopped = 0
    for _ in range(run.chunks + 1):
        outcome = execute(
            run,
            Threads(2),
            checkpoint=tmp_path / "run",
            progress=lambda _: os.kill(os.getpid(), signal.SIGINT),
        )
        if not outcome.partial:
            break
        stopped += 1
        told = protection(run, outcome, Terms())
        assert (told.partial, told.shoes) == (True, run.size(outcome.done))
    assert stopped > 1
    assert [array.tobytes() for array in outcome.total] == whole


def test_effects_of_removal_as_published() -> None:
    """Lucky 6 at 12 and 23 to 1, eight decks, values 0 to 9."""
    book = load(EXAMPLES / "lucky-6.toml")
    found = in_order(effects(book, fresh(8), ["lucky-6"])["lucky-6"])
    by_points = [found[Rank.TEN - 1], *found[:9]]
    published = [
        -0.000611,
        -0.000329,
        -0.000323,
        -0.001131,
        -0.000393,
        -0.000278,
        -0.005386,
        0.003907,
        0.003537,
        0.002838,
    ]
    assert [round(float(one), 6) for one in by_points] == published


def test_a_published_count_is_met_by_its_conventions() -> None:
    """Big Tiger from a true count of 8, cut 14: 3.54% of rounds, edge 7.23%, 0.256 units in 100 rounds; correlation 0.981."""
    asked = Question(
        bets=("big-tiger",),
        cuts=(14,),
        shoes=6_000,
        tags=BIG_TIGER,
        trigger=Fraction(8),
        burn="first-card",
        ending="one-more",
    )
    run = prepare(load(BUFFALO), asked)
    count = protection(run, execute(run, Threads(2)), Terms()).cuts["14"].bets["big-tiger"].count
    rounds = count.units_per_shoe / count.units_per_100 * 100
    error = 100 * count.error / rounds
    assert abs(count.units_per_100 - 0.256) < 3 * error < 0.04
    assert count.frequency == pytest.approx(0.0354, abs=0.003)
    assert count.average_edge == pytest.approx(0.0723, abs=0.012)
    assert round(count.correlation, 3) == 0.981


class Published(NamedTuple):
    """A count and what was published of it: share of rounds, edge, and units a shoe or per 100 rounds."""

    book: str
    bet: str
    tags: str
    trigger: int
    frequency: float
    edge: float
    per_100: float
    cut: int = 14
    ending: str = "one-more"


PUBLISHED = [
    Published("egalite", "tie-7", "1 0 0 0 0 0 -8 2 1 1", 4, 0.224, 0.118, 2.65),
    Published("nine-over-seven", "eights-and-nines", "1 1 0 0 0 0 0 -3 -3 1", 4, 0.1361, 0.0891, 1.213),
    Published("lucky-6", "lucky-6", "0 0 0 0 0 -3 1 1 1 0", 7, 0.0309, 0.0627, 0.19, 16, "cut-card"),
    Published("lucky-6", "lucky-6", "-1 -1 -4 -1 -1 -18 13 12 9 -2", 48, 0.0413, 0.07, 0.29, 16, "cut-card"),
]


@pytest.mark.gate("tie", "lucky-6 from 7")
@pytest.mark.parametrize("told", PUBLISHED, ids=lambda told: f"{told.bet} from {told.trigger}")
def test_other_published_counts_are_met_too(told: Published) -> None:
    """Eight decks, the first card burnt with its points: by Jacobson (cut 14) and by Shackleford (cut 16)."""
    asked = Question(
        bets=(told.bet,),
        cuts=(told.cut,),
        shoes=4_000,
        tags=read_tags(told.tags),
        trigger=Fraction(told.trigger),
        burn="first-card",
        ending=told.ending,
    )
    run = prepare(load(EXAMPLES / f"{told.book}.toml"), asked)
    at = protection(run, execute(run, Threads(2)), Terms()).cuts[str(told.cut)]
    count = at.bets[told.bet].count
    if told.cut == 16:
        assert round(at.rounds_per_shoe, 1) == 80.1
    error = 100 * count.error / at.rounds_per_shoe
    assert abs(count.units_per_100 - told.per_100) < 3 * error < told.per_100 / 4
    assert count.frequency == pytest.approx(told.frequency, rel=0.06)
    assert count.average_edge == pytest.approx(told.edge, rel=0.25)


@pytest.mark.whole
def test_published_perfect_play_on_pairs_is_met() -> None:
    """Eight decks, cut 14: 37.54 and 99.96 a shoe for 100 on both pairs, at 11 and at 12 to 1 (Jacobson)."""
    pair = load(BUFFALO).bets["player-pair"]
    at_12 = msgspec.structs.replace(pair, pays=(msgspec.structs.replace(pair.pays[0], odds=Odds("12 to 1")),))
    book = msgspec.structs.replace(load(BUFFALO), bets={**load(BUFFALO).bets, "player-pair": at_12})
    for which, published in ((load(BUFFALO), 37.54), (book, 99.96)):
        asked = Question(
            bets=("player-pair",), cuts=(14,), shoes=6_000, burn="first-card", ending="one-more", levels=()
        )
        run = prepare(which, asked)
        one = protection(run, execute(run, Threads(2)), Terms()).cuts["14"].bets["player-pair"].perfect
        assert abs(one.units_per_shoe - published / 200) < 3 * one.error < 0.05


def test_the_best_tags_are_the_best_of_all() -> None:
    shoe = fresh(8)
    by_rank = effects(load(BUFFALO), shoe, ("wu-dalang", "tie", "player-pair"))
    wu_dalang = in_order(by_rank["wu-dalang"])
    assert best_tags(wu_dalang, "1") == read_tags("-1 1 1 1 1 1 0 0 0 -1")
    assert best_tags(wu_dalang, "3") == read_tags("-2 3 3 2 3 1 0 1 1 -3")
    tie = in_order(by_rank["tie"])
    quality = correlation(best_tags(tie, "1") or (), tie)
    for low in product((-1, 0, 1), repeat=9):
        if sum(low) % 4 == 0 and abs(sum(low)) <= 4 and any(low):
            assert correlation((*low, *(-sum(low) // 4,) * 4), tie) <= quality + 1e-12
    free = best_tags(tie, "free") or ()
    assert sum(free) == 0
    assert correlation(free, tie) > 0.9999
    assert best_tags(in_order(by_rank["player-pair"]), "1") is None


@pytest.mark.parametrize(
    "text", ["", "1 2 3", "0 0 0 0 0 0 0 0 0 0", "1 1 1 1 1 1 1 1 1 x", "9999 0 0 0 0 0 0 0 0 0"]
)
def test_what_is_no_count_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="count"):
        read_tags(text)


def test_measures_of_a_bet() -> None:
    run = prepare(load(BUFFALO), Question(shoes=640, cuts=(14, 104), together=(("wu-dalang", "big-tiger"),)))
    found = protection(run, execute(run, Threads(2)), Terms(maximum=50_000, boxes=2, rounds_per_hour=80))
    at = found.cuts["14"]
    one = at.bets["wu-dalang"].perfect
    assert one.units_per_100 == pytest.approx(one.units_per_shoe / at.rounds_per_shoe * 100)
    assert one.units_per_shoe == pytest.approx(one.frequency * one.average_edge * at.rounds_per_shoe)
    assert one.hourly == round(one.units_per_100 / 100 * 80 * 50_000 * 2)
    assert one.desirability == pytest.approx(1000 * one.units_per_100 / 100 / (one.sd_per_100 / 10))
    both = at.teams["wu-dalang+big-tiger"]
    assert both.units_per_shoe == pytest.approx(
        one.units_per_shoe + at.bets["big-tiger"].perfect.units_per_shoe
    )
    assert both.frequency <= one.frequency + at.bets["big-tiger"].perfect.frequency
    facts = found.bets["wu-dalang"]
    safe = [depth.cut for depth in facts.depths if depth.units_per_shoe <= 0.05]
    assert facts.safe_cut == min(safe)
    assert facts.depths[0].units_per_shoe == one.units_per_shoe
    assert at.bets["player-pair"].count.trigger is None
    cuts = [one.cut for one in found.where.by_maximum]
    assert all(a is not None and b is not None and a <= b for a, b in pairwise(cuts))
    assert 0 < at.bets["wu-dalang"].count.efficiency < 1


def test_where_there_is_never_a_bet_nothing_is_won_lost_or_unsafe() -> None:
    """Cuts deeper than half the shoe: one round, and no bet favours anybody off the top."""
    run = prepare(load("mbs-tiger-v2"), Question(bets=("big-tiger",), shoes=3, cuts=(416, 300)))
    found = protection(run, execute(run, Threads(1)), Terms())
    one, facts = found.cuts["416"].bets["big-tiger"].perfect, found.bets["big-tiger"]
    assert (found.cuts["416"].rounds_per_shoe, one.frequency, one.hourly, one.ruin) == (1.0, 0.0, 0, 0.0)
    assert (facts.safe_cut, [depth.cut for depth in facts.depths]) == (300, [300])


def test_a_run_ends_as_soon_as_it_knows_enough(tmp_path: Path) -> None:
    """The same shoes for any crew, and a checkpoint that is enough is not dealt on."""
    asked = Question(bets=("big-tiger", "tie"), cuts=(14, 52), shoes=100_000, error=0.02)
    run = prepare(load("mbs-tiger-v2"), asked)
    file = tmp_path / "run"
    outcome = execute(run, Threads(2), checkpoint=file)
    found = protection(run, outcome, Terms())
    assert (found.partial, found.shoes % 1024, found.error_asked) == (False, 0, 0.02)
    errors = [bet.perfect.error for cut in found.cuts.values() for bet in cut.bets.values()]
    assert found.largest_error == pytest.approx(max(errors))
    assert max(errors) <= 0.02 < max(errors) * (found.shoes / max(found.shoes - 1024, 1)) ** 0.5
    again = execute(run, Threads(1), checkpoint=file)
    assert again.done == outcome.done
    assert [a.tobytes() for a in execute(run, Threads(3)).total] == [a.tobytes() for a in outcome.total]
    few = prepare(load("mbs-tiger-v2"), msgspec.structs.replace(asked, shoes=40))
    assert protection(few, execute(few, Threads(1)), Terms()).largest_error > 0.02
    with pytest.raises(BadInput, match="a standard error is"):
        prepare(load("mbs-tiger-v2"), Question(error=0.0))
