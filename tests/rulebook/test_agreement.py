"""What a document states twice cannot be changed in one place alone; a fault names file and key."""

import re
from importlib.resources import files

import pytest

from each import each
from thirdcard.rulebook.findings import RulebookError
from thirdcard.rulebook.load import read

TBC = "rws-tiger-buffalo-commission-v2"
TBN = "rws-tiger-buffalo-non-commission-v4"
CBI = "rws-commission-insurance-v5"
MBS = "mbs-tiger-v2"
TEXTS = {
    slug: (files("thirdcard.rulebook") / "documents" / f"{slug}.toml").read_text(encoding="utf-8")
    for slug in (TBC, TBN, CBI, MBS)
}


@pytest.mark.slow
@each(
    ("slug", "old", "new", "fault"),
    [
        # Layouts and bets
        (TBC, '["2.1.1", "4.1.3", ', '["4.1.3", ', "layouts.A.rules: expected 2.1.1 among them"),
        (TBC, '["2.1.1", "4.1.3", ', '["2.1.1", ', "layouts.A.rules: expected 4.1.3 among them"),
        (
            TBC,
            '["2.1.1", "4.1.3", ',
            '["2.1.1", "4.1.9", "4.1.3", ',
            "layouts.A.rules: 4.1.9 names this layout for none of its bets",
        ),
        (MBS, 'rules = ["2.2", "3.5"]', 'rules = ["2.2"]', "layouts.A.rules: expected 3.5 among them"),
        (
            TBC,
            'odds = "8 to 1", rules = ["4.1.3"]',
            'odds = "8 to 1", rules = ["4.1.4"]',
            "bets.tie.pays[0].rules: expected 4.1.3 among them, which names the layouts",
        ),
        # Limits and rulings
        (
            CBI,
            'below_minimum_noticed = { value = "raise-or-withdraw"',
            'below_minimum_noticed = { value = "refuse"',
            "limits.below_minimum_noticed: refuse is not what the ruling orders: raise-or-withdraw",
        ),
        (
            MBS,
            'below_minimum_unnoticed = { value = "settle-once", rules = ["5.14"] }',
            'below_minimum_unnoticed = { value = "settle-once", rules = ["5.16"] }',
            "limits.below_minimum_unnoticed.rules: 5.16 where the ruling has 5.14",
        ),
        (
            MBS,
            'above_maximum_unnoticed = { value = "to-maximum"',
            'above_maximum_unnoticed = { value = "shift-manager"',
            "limits.above_maximum_unnoticed: shift-manager is not what the ruling orders: to-maximum",
        ),
        (
            MBS,
            'maximum = { rules = ["3.5.1"] }',
            'maximum = { rules = ["3.5"] }',
            "limits.maximum.rules: expected 3.5.1",
        ),
        (
            TBN,
            'above_maximum_unnoticed = { value = "shift-manager"',
            'above_maximum_unnoticed = { value = "to-maximum"',
            "limits.above_maximum_unnoticed: expected shift-manager, where no procedure is about it",
        ),
        (
            TBN,
            'maximum = { rules = ["3.5"] }',
            'maximum = { rules = ["3.4"] }',
            "limits.above_maximum_unnoticed.rules: expected those of limits.maximum and authority.decides",
        ),
        (
            TBC,
            'before = { rules = ["5.1"] }',
            'before = { rules = ["5.1.1"] }',
            "limits.differential.rules: 5.1.1 where",
        ),
        (
            MBS,
            'after = { rules = ["5.18.3"] }',
            'after = { rules = ["5.18"] }',
            "limits.differential.rules: 5.18.1, 5.18.2, 5.18 where the ruling has 5.18.1, 5.18.2, 5.18.3",
        ),
        (
            TBC,
            'rules = ["1.10", "5.1", ',
            'rules = ["1.10", ',
            "limits.differential.rules: expected 5.1 among them, which is of its procedure",
        ),
        # Betting and people
        (
            MBS,
            'value = "still-plays"',
            'value = "refused"',
            "betting.withdrawn_after_close: refuse is not what the ruling orders: settle",
        ),
        (
            TBC,
            'pit_employee = true\nrules = ["1.17"]',
            'rules = ["1.17"]',
            "betting.by_staff: expected the pit employees: pit-supervisor, pit-manager",
        ),
        (
            MBS,
            'closes = { value = "No more bets", rules = ["3.2"] }',
            'closes = { value = "No more bets", rules = ["5.4"] }',
            "authority.deals.rules: expected 5.4 among them, which has the dealer's calls",
        ),
        (
            MBS,
            'decides = { value = "gaming-shift-manager", rules = ["6.1"] }',
            'decides = { value = "gaming-shift-manager", rules = ["6.2"] }',
            "discretions[not-covered].rules: expected 6.2, got 6.1",
        ),
        (
            TBC,
            'about = ["uncovered"]\nrules = ["5.19"]',
            'about = ["uncovered"]\nrules = ["5.18"]',
            "procedures.not-covered.rules: expected 5.19, as authority.decides",
        ),
        (
            TBC,
            'permission = "pit-supervisor"',
            'permission = "pit-manager"',
            "discretions[squeeze].rank: expected pit-manager, got pit-supervisor",
        ),
        (
            MBS,
            'permission = "pit-manager"',
            'permission = "pit-supervisor"',
            "discretions[any-squeezer].rank: expected pit-supervisor, got pit-manager",
        ),
        (
            MBS,
            'allowed_by = "assistant-casino-manager"',
            'allowed_by = "pit-manager"',
            "discretions[method-c].rank: expected pit-manager, got assistant-casino-manager",
        ),
        (
            MBS,
            'wagers_per_area = { value = 3, rules = ["3.7"] }\n',
            "",
            "limits.wagers_per_area: missing, though fewer-wagers are left to somebody",
        ),
        (
            MBS,
            '[cut_card]\nrules = ["3.22"]\n',
            "",
            "cut_card: missing, though cut-card-withdrawal is left to somebody",
        ),
        # Remedies that leave a choice
        (
            TBC,
            'rank = "pit-supervisor"\nrules = ["5.11"]',
            'rank = "pit-manager"\nrules = ["5.11"]',
            "discretions[order-of-cards].rank: pit-manager does not decide on every decide-order",
        ),
        (
            TBC,
            'rank = "pit-supervisor"\nrules = ["5.11.2"]',
            'rank = "pit-supervisor"\nrules = ["5.12"]',
            "discretions[replace-cards].rules: 5.12 orders no replace-cards",
        ),
        (
            TBC,
            'rules = ["5.5.1", "5.17"]',
            'rules = ["5.5.1"]',
            "procedures.foreign-card.rules: expected 5.17 among them, which returns all bets",
        ),
        # Insurance
        (
            CBI,
            'banker_third_first = { value = true, rules = ["3.14"] }\n',
            "",
            "squeeze.banker_third_first: goes with a discretion that grants banker-third-first",
        ),
        (
            TBC,
            "banker_third_first = { value = true",
            "banker_third_first = { value = false",
            "squeeze.banker_third_first: goes with a discretion that grants banker-third-first",
        ),
        (
            CBI,
            'waived = { rules = ["3.14"] }',
            'waived = { rules = ["3.13"] }',
            "insurance.waived.rules: expected 3.14",
        ),
        (
            CBI,
            'neglected = { rules = ["5.13"] }',
            'neglected = { rules = ["5.3"] }',
            "insurance.neglected.rules: expected 5.13",
        ),
        (
            TBC,
            'private = { rules = ["4.2.2"] }',
            'private = { rules = ["4.2.1"] }',
            "discretions[no-insurance].rules: expected 4.2.1, got 4.2.2",
        ),
        (TBC, "only_private = true\n", "", "notices: expected one for private tables, by 4.2.2"),
    ],
)
def test_two_values_that_disagree_are_a_fault(slug: str, old: str, new: str, fault: str) -> None:
    assert old in TEXTS[slug]
    with pytest.raises(RulebookError, match=re.escape(f"{slug}.toml: {fault}")):
        read(f"{slug}.toml", TEXTS[slug].replace(old, new, 1))
