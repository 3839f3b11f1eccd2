"""Sessions: every plan equals the slow model on the same cards, to the cent."""

from typing import Any

import numpy as np
import pytest

from each import each
from simulate import slow
from thirdcard.errors import BadInput
from thirdcard.simulate import SessionRun, Stakes, summary
from thirdcard.simulate.session_plans import PLANS
from thirdcard.simulate.sessions import STEPS

pytestmark = pytest.mark.slow

TBC = "rws-tiger-buffalo-commission-v2"
TBN = "rws-tiger-buffalo-non-commission-v4"
CBI = "rws-commission-insurance-v5"
MBS = "mbs-tiger-v2"


def run(
    rulebook: str = TBC,
    *,
    rounds: int = 150,
    sessions: int = 8,
    **stakes: Any,  # noqa: ANN401 - any of a plan's fields
) -> SessionRun:
    return SessionRun(rulebook=rulebook, rounds=rounds, sessions=sessions, seed=3, stakes=Stakes(**stakes))


def check(made: SessionRun) -> np.ndarray[Any, Any]:
    """Kernel and slow model agree on every field and every point of every path."""
    found, paths = made.play(0, made.chunks)
    every = -(-made.rounds // STEPS)
    for number in range(made.sessions):
        fields, history = slow.session(made, number)
        assert found[number].tolist() == fields, number
        along = [history[min(k * every, len(history) - 1)] for k in range(STEPS + 1)]
        assert paths[number].tolist() == along, number
    return found


@each("bet", ["banker", "player", "tie", "follow", "oppose"])
@each("plan", PLANS)
def test_every_plan_to_the_cent(plan: str, bet: str) -> None:
    check(run(plan=plan, bet=bet, unit=1000, bankroll=60_000))


@pytest.mark.parametrize("plan", PLANS)
def test_every_plan_within_limits_with_odd_chips_and_side_bets(plan: str) -> None:
    """20-cent chips, where a Banker win pays cents, and side bets of several tiers."""
    check(
        run(
            MBS, plan=plan, unit=260, bankroll=9_990, chip_unit=20, minimum=200, maximum=1_200, differential=1_000,
            side={"tiger-pair": 40, "tiger": 20}, share="3/40", line=(1, 1, 3),
        )
    )  # fmt: skip


def test_the_non_commission_banker_and_many_side_bets() -> None:
    check(
        run(TBN, plan="martingale", unit=500, bankroll=40_000, side={"wu-dalang": 100, "tiger-buffalo": 200})
    )


@pytest.mark.parametrize("policy", ["always", "positive"])
@pytest.mark.parametrize("bet", ["player", "banker", "follow"])
@pytest.mark.parametrize("book", [TBC, CBI])
def test_insurance_to_the_cent(book: str, bet: str, policy: str) -> None:
    """Stakes, caps and exact values of every offer, as the play layer and exact analysis have them."""
    found = check(run(book, plan="flat", bet=bet, unit=2_000, bankroll=100_000, insurance=policy, rounds=240))
    assert found[:, 5].sum() > 0


def test_insurance_at_long_odds_is_capped_by_the_displayed_maximum() -> None:
    """TBC 3.12.2: at 10 to 1 at most a quarter of the differential, here less than the Original Bet."""
    limits: list[dict[str, Any]] = [{"maximum": 8_000}, {"differential": 8_000}]
    for limit in limits:
        check(run(plan="paroli", bet="player", unit=2_000, bankroll=90_000, insurance="always", **limit))


def test_insurance_with_odd_chips_and_little_money() -> None:
    check(
        run(CBI, plan="martingale", bet="banker", unit=220, bankroll=3_000, chip_unit=20, insurance="always")
    )


def test_target_and_floor_end_a_session() -> None:
    found = check(run(bet="player", unit=1_000, bankroll=20_000, target=24_000, floor=15_500, rounds=400))
    assert set(found[:, 4].tolist()) == {1, 2}


def test_other_shoes() -> None:
    for decks, cut in ((4, 14), (10, 60)):
        stakes = Stakes(plan="dalembert", bet="player", insurance="positive")
        check(
            SessionRun(
                rulebook=TBC, decks=decks, cut=cut, rounds=120, sessions=4, seed=2**64 - 1, stakes=stakes
            )
        )


def test_a_long_line_begins_anew() -> None:
    """A Labouchère line that a bet so seldom won lets grow beyond its limit."""
    check(
        run(
            plan="labouchere",
            bet="tie",
            unit=20,
            chip_unit=20,
            bankroll=10**9,
            rounds=2600,
            sessions=1,
        )
    )


def test_a_session_does_not_depend_on_who_plays_it() -> None:
    made = run(plan="martingale", sessions=300, rounds=10_000, bankroll=10**7)
    assert made.chunks > 2
    whole, whole_paths = made.play(0, made.chunks)
    total = made.empty()
    for chunk in reversed(range(made.chunks)):
        made.merge(total, made.play(chunk, 1), chunk)
    assert (total[0] == whole).all()
    assert (total[1] == whole_paths).all()


def test_the_summary_of_sessions() -> None:
    made = run(plan="martingale", sessions=2000, rounds=300)
    found, _ = made.play(0, made.chunks)
    told = summary(found, rounds_per_hour=80)
    assert told.sessions == 2000
    assert sum(one.probability for one in told.ends.values()) == pytest.approx(1)
    assert told.net.least <= told.net.quantiles["5%"] <= told.net.quantiles["95%"] <= told.net.most
    assert told.net.low < told.net.mean < told.net.high
    assert told.ends["ruin"].low < told.ends["ruin"].probability < told.ends["ruin"].high
    assert told.cost_per_hour == pytest.approx(-found[:, 0].sum() / found[:, 1].sum() * 80)
    assert told.edge == pytest.approx(-found[:, 0].sum() / found[:, 2].sum())


def test_flat_stakes_cost_what_exact_analysis_says() -> None:
    """Whatever the plan, the House keeps its edge of what is staked: here within four standard errors."""
    made = run(plan="1-3-2-6", bet="player", unit=100, bankroll=10**9, sessions=4000, rounds=500)
    found, _ = made.play(0, made.chunks)
    lost, staked = -found[:, 0], found[:, 2]
    edge = 0.012351
    error = np.sqrt(((lost - edge * staked) ** 2).sum()) / staked.sum()
    assert abs(lost.sum() / staked.sum() - edge) < 4 * error


@pytest.mark.parametrize(
    ("rulebook", "stakes", "sentence"),
    [
        (TBC, {"plan": "martingal"}, "there is no betting plan 'martingal': did you mean martingale"),
        (TBC, {"bet": "bankr"}, "has no bet 'bankr': did you mean banker"),
        (MBS, {"bet": "wu-dalang"}, "mbs-tiger-v2 has no bet 'wu-dalang'"),
        (TBC, {"side": {"tigr": 100}}, "has no bet 'tigr': did you mean tiger"),
        (TBC, {"side": {"player": 100}}, "player cannot be a side bet here"),
        (TBC, {"bet": "tie", "side": {"tie": 100}}, "tie cannot be a side bet here"),
        (TBC, {"side": {"tiger-pair": 100, "player-pair": 100}}, "no layout of .* offers banker and tiger-pair and"),
        (TBC, {"layout": "A", "bet": "tiger-pair"}, "layout A of .* does not offer tiger-pair"),
        (TBC, {"layout": "Z"}, "has no layout 'Z'"),
        (TBC, {"unit": 0}, "the unit must be more than zero"),
        (TBC, {"unit": 1050}, "the unit must be a multiple of the chip unit 1"),
        (TBC, {"unit": 1000, "minimum": 2500}, "the unit must be within the table's limits for banker, 25 to"),
        (TBC, {"unit": 1000, "maximum": 500}, "the unit must be within the table's limits for banker, 1 to 5"),
        (TBC, {"unit": 1000, "differential": 500}, "the unit must be within the table's limits for banker, 1 to 5"),
        (TBC, {"chip_unit": 30}, "the chip unit must be a positive multiple of 0.20"),
        (TBC, {"bankroll": 1000, "minimum": 1000, "side": {"tie": 500}}, "does not cover the first round: 15"),
        (TBC, {"target": 100_000}, "the target must be above the bankroll"),
        (TBC, {"floor": 100_000}, "the floor must be from 0 to below the bankroll"),
        (TBC, {"floor": -1}, "the floor must be from 0 to below the bankroll"),
        (MBS, {"insurance": "always"}, "mbs-tiger-v2 offers no insurance"),
        (TBC, {"insurance": "allways"}, "there is no insurance policy 'allways': did you mean always"),
        (TBC, {"insurance": "always", "bet": "tie"}, "insurance needs an original bet on player or banker"),
        (TBC, {"plan": "labouchere", "line": ()}, "a Labouchère line is whole numbers from 1 to 1000"),
        (TBC, {"plan": "labouchere", "line": (0, 1)}, "a Labouchère line is whole numbers from 1 to 1000"),
        (TBC, {"plan": "proportional", "share": "0"}, "a share of the bankroll is more than 0 and at most 1"),
        (TBC, {"plan": "proportional", "share": "x"}, "a share of the bankroll is more than 0 and at most 1"),
    ],
)  # fmt: skip
def test_a_plan_that_does_not_fit(rulebook: str, stakes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        run(rulebook, **stakes)


@pytest.mark.parametrize(("changed", "name"), [({"sessions": 0}, "sessions"), ({"rounds": 0}, "rounds")])
def test_sessions_and_rounds_are_more_than_zero(changed: dict[str, Any], name: str) -> None:
    with pytest.raises(BadInput, match=f"the number of {name} must be more than zero: got 0"):
        run(**changed)
