"""Bets that look at ranks by place or at suits: dealt, settled and valued as the play layer has them."""

from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from odds.random_bets import Chance, closer_when, random_when
from simulate import slow
from simulate.test_sessions import check
from thirdcard.cards import CARDS_IN_A_DECK, Card
from thirdcard.money import Odds
from thirdcard.odds import fresh, values
from thirdcard.play.bets import result
from thirdcard.play.classes import CLASSES, number_of
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import Deal
from thirdcard.rulebook import load
from thirdcard.rulebook.conditions import matches, sight_of, sight_of_whens
from thirdcard.rulebook.model import Bet, Tier
from thirdcard.simulate import SessionRun, Stakes, TallyRun, estimates
from thirdcard.simulate.kernel import U64, tally_tiers
from thirdcard.simulate.pay_tables import (
    cards_of,
    is_plain,
    pays_of,
    play_of,
    room_for,
    room_to_lay,
    shoe_of,
    shoes,
    tiers_of,
)
from thirdcard.simulate.session_plans import PLANS
from thirdcard.simulate.sessions import FIELDS, STEPS, staked_on

pytestmark = pytest.mark.slow

BOOK = load(Path(__file__).with_name("closer-look.toml"))
CLOSER = ("perfect-pair", "player-colours", "first-ace", "last-picture", "suited-natural")
Integers = np.ndarray[Any, np.dtype[np.int64]]


def net(bet: Bet, cards: tuple[Card, ...]) -> tuple[int, int]:
    """What a round brings on a bet, as a ratio, by the play layer."""
    came = result(bet, outcome_of(Deal(BOOK.table_of_play, cards), sight_of(bet)))
    if came.tier:
        return came.tier.odds.ratio.as_integer_ratio()
    return {"push": (0, 1), "lose": (-1, 1)}[came.verdict]


def brought(run: TallyRun, by_tier: Integers) -> dict[str, Counter[tuple[int, int]]]:
    """How often each bet that looks closer brought what, by the kernel."""
    found: dict[str, Counter[tuple[int, int]]] = {name: Counter() for name in CLOSER}
    for pay, count in zip(tiers_of(run.book.bets)[1], by_tier.tolist(), strict=True):
        found[pay.bet][pay.ratio] += count
    for counts in found.values():
        counts[-1, 1] += run.rounds - counts.total()
    return found


def test_the_book_looks_closer() -> None:
    assert tuple(name for name, bet in BOOK.bets.items() if not is_plain(bet)) == CLOSER
    assert all(len(BOOK.bets[name].whens) > 1 for name in CLOSER)


@pytest.mark.parametrize(("decks", "cut"), [(8, 14), (6, 100), (4, 208)])
def test_every_tier_is_counted_as_the_play_layer_settles_it(decks: int, cut: int) -> None:
    run = TallyRun(rulebook=BOOK, decks=decks, cut=cut, rounds=4_001, seed=5)
    tally, by_tier = run.play(0, 1)
    classes = np.zeros(CLASSES, np.int64)
    expected: dict[str, Counter[tuple[int, int]]] = {name: Counter() for name in CLOSER}
    dealt = slow.rounds_of(BOOK, decks=decks, cut=cut, seed=5, stream=0)
    for _, cards in islice(dealt, run.rounds):
        classes[number_of(outcome_of(Deal(BOOK.table_of_play, cards)))] += 1
        for name in CLOSER:
            expected[name][net(BOOK.bets[name], cards)] += 1
    assert (tally == classes).all()
    assert {name: +counts for name, counts in brought(run, by_tier).items()} == expected


def test_anything_that_a_condition_may_say_is_counted_as_it_fits() -> None:
    """Hundreds of random conditions at once, each round dealt by `Deal` and held against every one."""
    chance, rounds = Chance(14), 1500
    bets = {
        str(number): Bet(name="", pays=(Tier(tier="win", when=random_when(chance), odds=Odds("1 to 1")),))
        for number in range(500)
    }
    closer = {name: bet for name, bet in bets.items() if not is_plain(bet)}
    tiers, pays = tiers_of(closer)
    shoe = shoe_of(8, 14, suits=True)
    tally, by_tier = np.zeros(CLASSES, np.uint32), np.zeros(len(pays), np.uint32)
    table = play_of(BOOK.table_of_play)
    tally_tiers(U64(4), 0, rounds, shoe, table, tiers, room_for(shoe), room_to_lay(), tally, by_tier)
    found = {name: int(tally[pays_of(bet)[0] > 0].sum()) for name, bet in bets.items() if name not in closer}
    for pay, count in zip(pays, by_tier.tolist(), strict=True):
        found[pay.bet] = found.get(pay.bet, 0) + count
    expected = dict.fromkeys(bets, 0)
    sight = sight_of_whens(when for bet in bets.values() for when in bet.whens)
    for _, cards in islice(slow.rounds_of(BOOK, decks=8, cut=14, seed=4, stream=0), rounds):
        outcome = outcome_of(Deal(BOOK.table_of_play, cards), sight)
        for name, bet in bets.items():
            expected[name] += matches(bet.pays[0].when, outcome)
    assert found == expected
    assert sum(expected[name] > 0 for name in closer) > 100


@pytest.mark.parametrize("suits", [False, True])
def test_whatever_is_asked_of_single_cards_is_counted_as_it_fits(suits: bool) -> None:  # noqa: FBT001 - a case
    chance, rounds = Chance(15), 400
    bets = {
        str(number): Bet(
            name="", pays=(Tier(tier="win", when=closer_when(chance, suits=suits), odds=Odds("1 to 1")),)
        )
        for number in range(100)
    }
    tiers, pays = tiers_of(bets)
    shoe = shoe_of(8, 14, suits=True)
    tally, by_tier = np.zeros(CLASSES, np.uint32), np.zeros(len(pays), np.uint32)
    table = play_of(BOOK.table_of_play)
    tally_tiers(U64(4), 0, rounds, shoe, table, tiers, room_for(shoe), room_to_lay(), tally, by_tier)
    found = dict.fromkeys(bets, 0)
    for pay, count in zip(pays, by_tier.tolist(), strict=True):
        found[pay.bet] += count
    expected = dict.fromkeys(bets, 0)
    sight = sight_of_whens(when for bet in bets.values() for when in bet.whens)
    for _, cards in islice(slow.rounds_of(BOOK, decks=8, cut=14, seed=4, stream=0), rounds):
        outcome = outcome_of(Deal(BOOK.table_of_play, cards), sight)
        for name, bet in bets.items():
            expected[name] += matches(bet.pays[0].when, outcome)
    assert found == expected
    assert sum(map(bool, expected.values())) > 50


def test_every_tier_and_push_comes_about() -> None:
    run = TallyRun(rulebook=BOOK, rounds=1_000_000)
    assert run.play(0, 1)[1].min() > 0


def test_plain_bets_get_the_very_same_figures() -> None:
    """The same seed deals the same ranks whether anybody looks at suits or not."""
    bets = {name: bet for name, bet in BOOK.bets.items() if name not in CLOSER}
    layouts = {
        letter: msgspec.structs.replace(layout, bets=tuple(name for name in layout.bets if name in bets))
        for letter, layout in BOOK.layouts.items()
    }
    less = msgspec.structs.replace(BOOK, slug="closer-look-less", bets=bets, layouts=layouts)
    run = TallyRun(rulebook=BOOK, rounds=3_000_000, seed=9)
    plain = TallyRun(rulebook=less, rounds=3_000_000, seed=9)
    total, alone = run.play(0, run.chunks), plain.play(0, plain.chunks)
    assert (len(total), len(alone)) == (2, 1)
    assert (total[0] == alone[0]).all()
    found, expected = estimates(BOOK, *total), estimates(less, *alone)
    assert {name: found[name] for name in bets} == expected


def test_values_are_those_of_exact_analysis() -> None:
    run = TallyRun(rulebook=BOOK, rounds=10_000_000, seed=20)
    exact = values(BOOK, fresh(8))
    found = estimates(BOOK, *run.play(0, run.chunks))
    assert list(found) == list(BOOK.bets)
    for name, one in found.items():
        assert abs(one.ev - float(exact[name].ev)) < 4.5 * one.error, name
        assert one.error == pytest.approx(float(exact[name].variance / run.rounds) ** 0.5, rel=0.03), name


def test_a_tally_settles_no_bet_that_looks_closer_by_itself() -> None:
    """Rounds by class alone cannot value it, and it is not valued wrongly."""
    run = TallyRun(rulebook=BOOK, rounds=1000)
    tally, _ = run.play(0, 1)
    assert list(estimates(BOOK, tally)) == [name for name in BOOK.bets if name not in CLOSER]


@pytest.mark.gate("flat", "martingale", "labouchere")
@pytest.mark.parametrize("bet", ["banker", "follow", *CLOSER])
@pytest.mark.parametrize("plan", PLANS)
def test_sessions_to_the_cent(plan: str, bet: str) -> None:
    """As many rounds as a path has points, so that every one of them is compared."""
    stakes = Stakes(plan=plan, bet=bet, unit=500, bankroll=200_000, side={"tie": 100})
    check(SessionRun(rulebook=BOOK, rounds=STEPS, sessions=4, seed=3, stakes=stakes))


def test_side_bets_to_the_cent() -> None:
    """Odd chips, where half of a stake falls between two cents, and every bet at once."""
    sides = {name: 20 * number for number, name in enumerate(CLOSER, 1)}
    stakes = Stakes(plan="martingale", bet="player", unit=260, bankroll=60_000, chip_unit=20, side=sides)
    run = SessionRun(rulebook=BOOK, rounds=400, sessions=6, seed=3, stakes=stakes)
    assert len(set(check(run)[:, 0].tolist())) > 1


def test_pushes_and_odds_of_nothing_leave_a_plan_where_it_is() -> None:
    """Banker of this book pushes in two ways, and wins nothing in a third."""
    check(
        SessionRun(
            rulebook=BOOK, rounds=200, sessions=8, stakes=Stakes(plan="labouchere", bet="banker", unit=500)
        )
    )


@pytest.mark.parametrize("plan", ["follow", "oppose"])
def test_two_bets_that_look_closer_are_settled_each_by_its_own_tiers(plan: str) -> None:
    bets = BOOK.bets | {"player": BOOK.bets["first-ace"], "banker": BOOK.bets["suited-natural"]}
    book = msgspec.structs.replace(BOOK, slug="closer-hands", bets=bets)
    stakes = Stakes(plan=plan, unit=500, bankroll=200_000)
    check(SessionRun(rulebook=book, rounds=STEPS, sessions=8, seed=3, stakes=stakes))


@pytest.mark.parametrize("policy", ["always", "positive"])
def test_insurance_beside_a_bet_that_looks_closer(policy: str) -> None:
    document = load("rws-commission-insurance-v5")
    letter, layout = next(iter(document.layouts.items()))
    book = msgspec.structs.replace(
        document,
        slug="insured-pairs",
        bets=document.bets | {"perfect-pair": BOOK.bets["perfect-pair"]},
        layouts={letter: msgspec.structs.replace(layout, bets=(*layout.bets, "perfect-pair"))},
    )
    stakes = Stakes(bet="player", unit=2_000, bankroll=100_000, insurance=policy, side={"perfect-pair": 100})
    found = check(SessionRun(rulebook=book, rounds=STEPS, sessions=6, seed=3, stakes=stakes))
    assert found[:, FIELDS.index("insured")].sum() > 0


def test_a_shoe_has_every_card_of_its_decks() -> None:
    for number in range(20):
        cards = cards_of(shoe_of(6, 6, suits=True), seed=4, stream=1, number=number)
        assert Counter(cards) == dict.fromkeys(Card, 6)
        assert [card.rank for card in cards] == shoes(
            shoe_of(6, 6), seed=4, stream=1, first=number
        )[0].tolist()  # fmt: skip
    assert len({card.suit for card in cards_of(shoe_of(6, 6), seed=4, stream=1)}) == 1


def test_every_place_is_uniform_over_suits() -> None:
    shoe = shoe_of(8, 14, suits=True)
    rows = [cards_of(shoe, seed=2, stream=0, number=number) for number in range(1000)]
    for place in (0, 1, 200, 407):
        counts = Counter(row[place].suit for row in rows)
        assert sum((count - 250) ** 2 / 250 for count in counts.values()) < 25, place  # 3 degrees of freedom
    same = sum(row[0].suit is row[2].suit for row in rows) / len(rows)
    expected = (CARDS_IN_A_DECK * 2 - 1) / (CARDS_IN_A_DECK * 8 - 1)
    assert abs(same - expected) < 4.5 * (expected * (1 - expected) / len(rows)) ** 0.5


def test_only_bets_that_are_staked_make_a_session_look_closer() -> None:
    assert staked_on(BOOK, Stakes(bet="player", side={"tie": 100})) is None
    for stakes in (Stakes(bet="first-ace"), Stakes(bet="player", side={"tie": 100, "first-ace": 100})):
        staked = staked_on(BOOK, stakes)
        assert staked is not None
        assert len(staked.rows) == len(BOOK.bets["first-ace"].whens)
