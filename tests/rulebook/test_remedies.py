"""Remedies are one row each: documents order no others, and none is there for nothing."""

from collections import Counter

from each import each
from thirdcard.rulebook import load, slugs
from thirdcard.rulebook.remedies import REMEDIES, ROWS

ORDERED = {
    name
    for slug in slugs()
    for procedure in load(slug).procedures
    for ruling in procedure.rulings
    for name in ruling.remedy
}


def test_documents_order_rows_only() -> None:
    assert set(REMEDIES) >= ORDERED


@each("name", REMEDIES)
def test_a_row_is_ordered_by_a_document_or_takes_a_decision(name: str) -> None:
    assert (name in ORDERED) != REMEDIES[name].at_discretion


def test_a_row_stands_once() -> None:
    assert {name: times for name, times in Counter(row.name for row in ROWS).items() if times > 1} == {}
    assert list(REMEDIES) == [row.name for row in ROWS]


@each("name", REMEDIES)
def test_a_row_is_told_in_one_sentence(name: str) -> None:
    row = REMEDIES[name]
    assert row.sentence[0].isupper()
    assert row.sentence.endswith(".")
    assert len(set(row.options)) == len(row.options) != 1
    assert len(set(row.asks)) == len(row.asks)


def test_no_two_rows_say_the_same() -> None:
    assert len({row.sentence for row in ROWS}) == len(ROWS)


# --- what rows need and do --------------------------------------------------------------------------------

CHOICES = {
    "options": ("continue", "return undecided bets"),
    "withdraw": ("continue", "withdraw single wagers"),
    "withdraw-all": ("continue", "withdraw all wagers"),
    "raise-or-withdraw": ("raise", "withdraw"),
    "offer": ("insure", "decline"),
    "late-insurance": ("insure", "decline"),
}
ASKS = {
    "keep-for-next-round": ("order",),
    "as-they-lie": ("order",),
    "decide-order": ("order",),
    "fix-order": ("order",),
    "replace-cards": ("replace_cards",),
    "substitute-cards": ("substitutes",),
    "ascertain": ("names",),
    "dealer-exposes": ("names",),
    "return-original": ("intended",),
    "remove-named": ("stakes", "amounts"),
    "decide": ("action",),
    "return-stakes": ("stakes",),
    "cut-to-maximum": ("stakes",),
    "cut-stakes": ("stakes", "amounts"),
    "let-stand": ("stakes",),
}
AS_IT_IS = {"continue", "stand", "settle", "settle-once"}
AT_DISCRETION = {"return-stakes", "cut-to-maximum", "cut-stakes", "let-stand", "fix-order"}
# Who gets money back by a remedy: Player and Banker bets, side bets, insurance.
RETURNED = {
    "void": ("returned", "returned", "returned"),
    "reject": ("the excess is returned", "not affected", "not yet on offer"),
    "pro-rata": (
        "plays for its share, the rest is returned",
        "not affected",
        "within the cap of that share",
    ),
    "settle-once": ("settled once, later returned",) * 3,
    "to-maximum": ("plays for the maximum, the rest is returned",) * 3,
    "return-original": (
        "returned if its insurance would have won",
        "settled as the cards fall",
        "what was bought is settled",
    ),
    "return-stakes": ("returned where named",) * 3,
}


def test_what_people_choose_between() -> None:
    assert {row.name: row.options for row in ROWS if row.options} == CHOICES


def test_what_a_ruling_has_to_say_for_a_remedy() -> None:
    assert {row.name: row.asks for row in ROWS if row.asks} == ASKS


def test_remedies_that_leave_things_as_they_are() -> None:
    assert {row.name for row in ROWS if not row.alters} == AS_IT_IS


def test_remedies_that_no_document_orders() -> None:
    assert {row.name for row in ROWS if row.at_discretion} == AT_DISCRETION


def test_who_gets_money_back() -> None:
    returning = {row.name: row.bets for row in ROWS if row.bets and "return" in " ".join(row.bets)}
    assert returning == RETURNED
