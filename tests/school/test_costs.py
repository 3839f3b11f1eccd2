"""What the commonest error costs: told of every item, and priced a second time by the referee."""

import re

import msgspec
import pytest

from school.referee import laid, net
from school.test_items import BOOKS, CBI, TBC, V3, some
from thirdcard.rulebook import Rulebook, load, slugs
from thirdcard.rulebook.diff import plain
from thirdcard.school.dealt_hands import SAMPLE_STAKE
from thirdcard.school.item_types import KINDS, Item, RuleFacts, SpotFacts
from thirdcard.school.items import make, skills

# Where no money moves, and the sentence says why.
NO_MONEY = {
    "cost-same-cards",
    "cost-same-outcome",
    "cost-same-lines",
    "cost-same-limit",
    "cost-of-right",
    "cost-of-method",
    "cost-stopped",
    "cost-believed-same",
}
MAY_COME_TO_NOTHING = "cost-not-insured"  # in a tie the insurance would have come back
SHOWN = 30


def total(book: Rulebook, item: Item, hands: dict[str, list[str]]) -> list[int]:
    """What each line comes to with these hands, by the referee."""
    lines = item.facts.lines  # type: ignore[union-attr]
    return [net(plain(book), line.bet, line.stake, hands) for line in lines]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_item_has_a_cost_or_says_why_not(kind: str) -> None:
    for book in BOOKS:
        for item in some(kind, book, 12, seed="costs"):
            key = item.cost.says.key
            assert item.cost.cents >= 0
            assert (item.cost.cents == 0) == (key in NO_MONEY) or key == MAY_COME_TO_NOTHING, (
                item.skill,
                key,
            )


@pytest.mark.parametrize("kind", ["rule", "changed", "limits", "insurance"])
@pytest.mark.parametrize("slug", slugs())
def test_every_branch_row_and_limit_has_a_price(kind: str, slug: str) -> None:
    for skill in skills(kind, slug):
        assert make(kind, slug, "branch", 0, skill=skill).cost.cents > 0, skill


def test_a_card_too_many_costs_what_the_lines_come_to_otherwise() -> None:
    book, priced = load(TBC), 0
    for number in range(SHOWN):
        item = make("spot", book, "astray", number, skill="spot/wrong-draw")
        assert isinstance(item.facts, SpotFacts)
        seen = [step for step in item.facts.steps if step.card]
        wrong: dict[str, list[str]] = {"player": [], "banker": []}
        for step in seen:
            wrong[step.hand].append(step.card)
        right = laid([step.card for step in seen[:-1]])
        was, is_right = total(book, item, wrong), total(book, item, right)
        assert item.cost.cents == sum(abs(one - other) for one, other in zip(was, is_right, strict=True))
        priced += item.cost.cents > 0
    assert priced


def test_a_settled_round_that_stands_is_undone_by_what_was_paid_and_taken() -> None:
    """RWS 5.6: noticed when the next round has begun, it stands."""
    skill = "rule/over-differential/noticed-next-round"
    for number in range(SHOWN):
        item = make("rule", TBC, "later", number, skill=skill)
        assert isinstance(item.facts, RuleFacts)
        moved = total(load(TBC), item, laid(item.facts.cards.split()))
        assert item.cost.cents == sum(map(abs, moved))
        assert item.cost.says.key in ("cost-undone", "cost-same-lines")


def test_swapped_hands_cost_the_dearest_bet_and_a_tie_that_is_taken_its_stake() -> None:
    book = load(V3)
    for item in some("result", book, SHOWN):
        hands = {side: getattr(item.facts, side).split() for side in ("player", "banker")}
        other = {"player": hands["banker"], "banker": hands["player"]}
        bets = book.layouts[item.layout].bets
        apart = [
            abs(net(plain(book), bet, SAMPLE_STAKE, hands) - net(plain(book), bet, SAMPLE_STAKE, other))
            for bet in bets
        ]
        assert item.cost.cents == (max(apart) or SAMPLE_STAKE), item.skill


def test_insurance_that_was_not_offered_costs_what_it_came_to() -> None:
    """CBI 3.12.2: all insurance of a hand wins no more than the original bet."""
    for number in range(SHOWN):
        item = make("spot", CBI, "unoffered", number, skill="spot/insurance-not-offered")
        blanks = item.cost.says.blanks
        odds = float(re.split(" to ", str(blanks["odds"]))[0])
        assert int(blanks["most_cents"]) * odds <= int(blanks["stake_cents"])
        assert item.cost.cents in (0, int(blanks["most_cents"]), int(int(blanks["most_cents"]) * odds))


def test_prices_are_told_and_made_again_with_the_item() -> None:
    for kind in KINDS:
        one, two = (make(kind, TBC, "again", 3, level=4) for _ in range(2))
        assert one.cost == two.cost
        assert msgspec.json.decode(msgspec.json.encode(one), type=Item).cost == one.cost
