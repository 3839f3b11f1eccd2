"""Strategies of one's own: in Python and by Numba the same, equal to the plans that say the same, never ahead of the cards."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from numba import njit

from cli.running import answer, complaint
from simulate import slow
from thirdcard.data import read_table
from thirdcard.errors import BadInput
from thirdcard.play.settlement import Game
from thirdcard.simulate import Known, SessionRun, Stakes, nothing_known
from thirdcard.simulate import run_sessions as checked_run_sessions
from thirdcard.simulate.own_strategies import named
from thirdcard.simulate.pay_tables import shoe_of, shoes
from thirdcard.simulate.session_plans import LadderStep

pytestmark = pytest.mark.slow

BOOK = "rws-commission-insurance-v5"
run_sessions: Any = checked_run_sessions  # what is handed to it here is often wrong, on purpose
MONEY: dict[str, Any] = {"unit": 1000, "bankroll": 60_000, "maximum": 32_000}
RANK = {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13} | {str(n): n for n in range(2, 10)}


def martingale(known: Known) -> tuple[int, int]:
    """Twice as much for each loss since the last win."""
    stake, k = known.unit, known.rounds - 1
    while k >= 0 and known.nets[k] <= 0:
        if known.nets[k] < 0:
            stake *= 2
        k -= 1
    return 0, stake


def follower(known: Known) -> tuple[int, int]:
    """The last winner, by bets 0 Player and 1 Banker."""
    for k in range(known.rounds - 1, -1, -1):
        if known.winners[k] > 0:
            return known.winners[k] - 1, known.unit
    return 1, known.unit


def counter(known: Known) -> tuple[int, int]:
    """Small cards gone are bad for it: it sits out, bets the minimum or far too much, by all that is known."""
    low = known.seen[1] + known.seen[2] + known.seen[3] + known.seen[4]
    high = known.seen[6] + known.seen[7] + known.seen[8] + known.seen[9]
    if low > high + 4 or known.cards_to_cut < 20:
        return 0, 0
    if known.shoe_rounds + known.shoes + known.stakes.sum() // 1000 + known.bets.sum() < 3:
        return 1, 1
    return int(low % 2), known.bankroll // 7 + known.cards_left


FAST = {one: njit(one) for one in (martingale, counter)}  # each takes seconds to be compiled into the loop


def own(function: Any, *bets: str, sessions: int = 8, rounds: int = 150, **stakes: Any) -> SessionRun:  # noqa: ANN401
    """A run of that strategy."""
    given = Stakes(plan="own", strategy=named(function), among=bets, bet=bets[0], **MONEY | stakes)
    return SessionRun(rulebook=BOOK, rounds=rounds, sessions=sessions, seed=3, stakes=given)


def played(run: SessionRun) -> list[list[Any]]:
    return [part.tolist() for part in run.play(0, run.chunks)]


@pytest.mark.gate("martingale-bets0-never")
@pytest.mark.parametrize("policy", ["never", "positive"])
@pytest.mark.parametrize(
    ("function", "bets"),
    [(martingale, ("banker",)), (counter, ("player", "tie"))],
)
def test_python_and_numba_come_to_the_same(function: Any, bets: tuple[str, ...], policy: str) -> None:  # noqa: ANN401
    more: dict[str, Any] = {"insurance": policy, "side": {"banker-pair": 100}}
    plain, compiled = own(function, *bets, **more), own(FAST[function], *bets, **more)
    assert played(plain) == played(compiled)
    assert plain.stakes.strategy != compiled.stakes.strategy


@pytest.mark.parametrize(
    ("function", "bets", "plan", "bet"),
    [
        (FAST[martingale], ("banker",), "martingale", "banker"),
        (follower, ("player", "banker"), "follow", "banker"),
    ],
)
def test_a_strategy_that_says_what_a_plan_says_equals_it(
    function: Any,  # noqa: ANN401
    bets: tuple[str, ...],
    plan: str,
    bet: str,
) -> None:
    own_run = own(function, *bets, sessions=30)
    ready = msgspec.structs.replace(own_run, stakes=Stakes(plan=plan, bet=bet, **MONEY))
    assert played(own_run) == played(ready)


def test_what_is_known_is_what_was_dealt_and_no_more() -> None:
    """Every field against the cards laid out one by one; the round to come is in none of them."""
    seen: list[Known] = []

    def watcher(known: Known) -> tuple[int, int]:
        kept: list[Any] = [field.copy() if isinstance(field, np.ndarray) else field for field in known]
        seen.append(Known(*kept))
        return known.rounds % 2, 0 if known.rounds % 3 == 2 else 1050

    run = own(watcher, "player", "banker", sessions=1, rounds=200)
    played(run)
    dealt = slow.rounds_of(run.book, decks=8, cut=14, seed=3, stream=0)
    bankroll, shoe, of_shoe = 60_000, -1, 0
    winners: list[int] = []
    for number, (known, (before, cards)) in enumerate(zip(seen, dealt, strict=False)):
        shoe, of_shoe = (shoe + 1, 0) if not before else (shoe, of_shoe + 1)
        counts = [sum(RANK[card.value[0]] == rank for card in before) for rank in range(14)]
        assert known.seen.tolist() == counts
        assert (known.rounds, known.shoes, known.shoe_rounds) == (number, shoe, of_shoe)
        assert (known.cards_left, known.cards_to_cut) == (416 - len(before), 402 - len(before))
        assert (known.bankroll, known.winners.tolist()) == (bankroll, winners)
        assert known.stakes.tolist() == [0 if k % 3 == 2 else 1000 for k in range(number)]
        assert known.bets.tolist() == [k % 2 for k in range(number)]
        assert (known.unit, known.chip, known.minimum, known.maximum) == (1000, 100, 100, 32_000)
        stake = 0 if number % 3 == 2 else 1000
        bet = ("player", "banker")[number % 2]
        statement = Game(run.book).settle(cards, {bet: stake} if stake else {})
        winners.append(("tie", "player", "banker").index(statement.outcome))
        bankroll += statement.net
    assert len(seen) == 200
    assert len(winners) == 200


def test_cards_to_come_change_nothing_that_is_known() -> None:
    """Two runs whose shoes differ give a strategy the same until the cards that differ have been seen."""
    first, other = (shoes(shoe_of(8, 14), seed=seed, stream=0)[0] for seed in (3, 4))
    assert first.tolist() != other.tolist()
    at_first: list[list[object]] = []

    def watcher(known: Known) -> tuple[int, int]:
        if not known.rounds:
            at_first.append([x.tolist() if isinstance(x, np.ndarray) else x for x in known])
        return 0, known.unit

    for seed in (3, 4):
        run_sessions(BOOK, 1, 5, strategy=watcher, seed=seed)
    assert at_first[0] == at_first[1]


def test_nothing_of_it_can_be_written() -> None:
    def writer(known: Known) -> tuple[int, int]:
        known.seen[1] = 7
        return 0, known.unit

    with pytest.raises(BadInput, match="read-only"):
        run_sessions(BOOK, 1, 5, strategy=writer)
    with pytest.raises(BadInput, match=r"cannot be compiled: .*readonly array"):
        run_sessions(BOOK, 1, 5, strategy=njit(writer))
    with pytest.raises(AttributeError):
        nothing_known().rounds = 7  # type: ignore[misc]


def test_a_session_by_a_strategy_does_not_depend_on_who_plays_it() -> None:
    run = own(FAST[counter], "player", "tie", sessions=3000, rounds=1000)
    whole = played(run)
    assert run.chunks > 2
    total = run.empty()
    for chunk in reversed(range(run.chunks)):
        run.merge(total, run.play(chunk, 1), chunk)
    assert [part.tolist() for part in total] == whole


def test_two_strategies_of_one_code_are_two() -> None:
    """A strategy that was made with another number is another, also when the first is gone on with."""

    def units(count: int) -> Any:  # noqa: ANN401
        return lambda known: (0, count * known.unit)

    one, two = (run_sessions(BOOK, 2, 10, strategy=units(count)) for count in (1, 2))
    assert one.run.stakes.strategy != two.run.stakes.strategy
    assert one.extended(4).fields[:, 2].tolist() == [10_000] * 4


def test_a_ladder_of_ones_own_equals_the_plan_of_the_same_steps(tmp_path: Path) -> None:
    file = tmp_path / "ladder.toml"
    steps = [(1, 2), (3, 3), (2, 4), (6, 1)]
    file.write_text("".join(f"[[steps]]\nunits = {units}\nwin = {win}\n" for units, win in steps))
    by_steps = tuple(LadderStep(units, win) for units, win in steps)
    ready = run_sessions(BOOK, 50, 100, plan="1-3-2-6", bet="player").fields
    for ladder in (file, str(file), by_steps):
        assert (run_sessions(BOOK, 50, 100, ladder=ladder, bet="player").fields == ready).all()


WRONG = (
    (lambda: run_sessions(BOOK, 1, 5, strategy=5), "a strategy is a function"),
    (lambda: run_sessions(BOOK, 1, 5, strategy=lambda _: 5), "a bet and a stake, such as 0, 1000: got 5"),
    (lambda: run_sessions(BOOK, 1, 5, strategy=lambda _: (0, 10.5)), "the stake of a strategy must be a whole number: got 10.5"),
    (lambda: run_sessions(BOOK, 1, 5, strategy=lambda _: (True, 1000)), "the bet that a strategy chooses must be a whole number"),
    (lambda: run_sessions(BOOK, 1, 5, strategy=lambda _: (1, 1000)), "a bet that is not there: expected 0 to 0"),
    (lambda: run_sessions(BOOK, 1, 5, strategy=FAST[counter], seed=3), "a bet that is not there: expected 0 to 0"),
    (lambda: run_sessions(BOOK, 1, 5, strategy=njit(lambda known: (0, known.unit / 2))), "in whole cents: got"),
    (lambda: run_sessions(BOOK, 1, 5, strategy=lambda known: (0, known.unit // 0)), "failed in round 1: ZeroDivisionError"),
    (lambda: run_sessions(BOOK, 1, 5, strategy=martingale, plan="flat"), "exclude each other"),
    (lambda: run_sessions(BOOK, 1, 5, strategy=martingale, bets=["lion"]), "no bet 'lion'"),
    (lambda: run_sessions(BOOK, 1, 2_000_000, strategy=martingale), "at most 1,000,000"),
    (lambda: run_sessions(BOOK, 1, 5, bets=["tie"]), "go with a strategy"),
    (lambda: run_sessions(BOOK, 1, 5, plan="own"), "a strategy and the plan 'own' go together"),
    (lambda: run_sessions(BOOK, 1, 5, ladder=()), "1 to 1000 steps"),
    (lambda: run_sessions(BOOK, 1, 5, ladder=[LadderStep(0)]), "step 1 of the ladder is 1 to"),
    (lambda: run_sessions(BOOK, 1, 5, ladder=[LadderStep(1, win=2)]), "win = 2: expected 1 to 1"),
    (lambda: run_sessions(BOOK, 1, 5, colour="red"), "no 'colour' of a session"),
    (lambda: run_sessions(BOOK, 1, 5, unit=1000.0), "the unit must be a whole number: got 1000.0"),
    (lambda: run_sessions(BOOK, 1, 5, side={"tie": 1.5}), "the stake on tie must be a whole number"),
)  # fmt: skip


@pytest.mark.parametrize(("wrong", "told"), WRONG)
def test_a_mistaken_strategy_is_one_sentence(wrong: Any, told: str) -> None:  # noqa: ANN401
    with pytest.raises(BadInput, match=told) as raised:
        wrong()
    assert "\n" not in str(raised.value)


FILE = """
from numba import njit

@njit
def fast(known):
    return known.rounds % 2, known.unit

def strategy(known):
    return known.rounds % 2, known.unit
"""


@pytest.mark.whole
def test_on_the_command_line_with_every_session_in_a_file(tmp_path: Path) -> None:
    file, out = tmp_path / "my.py", tmp_path / "sessions.parquet"
    file.write_text(FILE)
    given = ("simulate", BOOK, "--bet", "player,banker", "--sessions", "20", "--rounds", "30")
    told = [answer(*given, "--strategy", name, "--out", str(out)) for name in (str(file), f"{file}:fast")]
    assert told[0]["net"] == told[1]["net"]
    table = read_table(out)
    assert (table.num_rows, sum(table["net"].to_pylist()) / 20) == (20, told[1]["net"]["mean"])
    assert set(table["end"].to_pylist()) == {"rounds"}
    for wrong, sentence in (
        (("--strategy", f"{file}:slow"), "has no function 'slow'"),
        (("--strategy", str(tmp_path / "no.py")), "there is no strategy"),
        (("--strategy", str(file), "--plan", "flat"), "exclude each other"),
        (("--strategy", str(file), "--out", "x.doc"), "of no known kind"),
        (("--ladder", str(file)), "is not a ladder"),
        (("--strategy", str(file), "--cluster", "tcp://localhost:1"), "on this machine: leave out --cluster"),
        (("--plan", "own"), "is given by --ladder FILE or --strategy FILE.py"),
    ):
        assert sentence in complaint(*given, *wrong)


def test_a_run_of_bets_as_a_file(tmp_path: Path) -> None:
    out = tmp_path / "bets.csv"
    told = answer("simulate", BOOK, "--rounds", "1000", "--out", str(out))
    table = read_table(out)
    evs = map(float, table["ev"].to_pylist())  # of a CSV only whole numbers are read as numbers
    assert dict(zip(table["bet"].to_pylist(), evs, strict=True)) == pytest.approx(
        {name: one["ev"] for name, one in told["bets"].items()}
    )
