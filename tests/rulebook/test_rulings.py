"""Rulings by the facts: what is asked, what is left, and what becomes of the bets."""

import pytest

from thirdcard.errors import BadInput
from thirdcard.rulebook import load, slugs
from thirdcard.rulebook.model import Facts
from thirdcard.rulebook.remedies import IN_PLAY, REMEDIES
from thirdcard.rulebook.rulings import QUESTIONS, facts_asked, rule_on

TBC = "rws-tiger-buffalo-commission-v2"
CBI = "rws-commission-insurance-v5"
MBS = "mbs-tiger-v2"


def test_every_fact_has_its_question() -> None:
    assert tuple(QUESTIONS) == Facts.__struct_fields__


@pytest.mark.parametrize("slug", slugs())
def test_an_answer_reads_the_rows_of_its_remedies(slug: str) -> None:
    book = load(slug)
    for procedure in book.procedures:
        answer = rule_on(book, procedure.case, {})
        rows = [REMEDIES[name] for name in answer.remedy]
        assert answer.notes == tuple(row.sentence for row in rows)
        assert set(answer.options) == {option for row in rows for option in row.options}


@pytest.mark.parametrize(
    ("slug", "case", "facts", "bets"),
    [
        (TBC, "foreign-card", {}, ("returned",) * 3),
        (TBC, "technical-interruption", {"outcome_established": True}, IN_PLAY),
        (TBC, "walks-away", {}, (*IN_PLAY[:2], "no more for the round")),
        (
            MBS,
            "over-differential",
            {"card_drawn": False},
            ("decreased, increased or removed", "not affected"),
        ),
        (
            MBS,
            "device-reset",
            {},
            ("settled if already won or lost; may be withdrawn while undecided",) * 2,
        ),
    ],
)
def test_what_becomes_of_bets(
    slug: str, case: str, facts: dict[str, str | bool], bets: tuple[str, ...]
) -> None:
    assert tuple(rule_on(load(slug), case, facts).bets.values()) == bets


def test_only_a_removal_is_left_after_the_first_card() -> None:
    book = load(MBS)
    assert facts_asked(book.procedures[-3]) == {
        "card_drawn": (False, True),
        "outcome_established": (False, True),
    }
    assert rule_on(book, "over-differential", {"card_drawn": False}).open_facts == {}
    drawn = rule_on(book, "over-differential", {"card_drawn": True})
    assert drawn.remedy == ("remove-named", "continue")
    assert drawn.authority == "pit-manager"
    assert drawn.open_facts == {"outcome_established": (False, True)}


@pytest.mark.parametrize("slug", [TBC, CBI])
def test_an_open_window_is_offered_whatever_else_holds(slug: str) -> None:
    answer = rule_on(load(slug), "neglected-insurance", {"still_on_offer": True})
    assert (answer.remedy, answer.open_facts) == (("offer",), {})
    assert answer.options == ("insure", "decline")


@pytest.mark.parametrize(
    ("case", "facts", "sentence"),
    [
        (
            "under-minimum",
            {"noticed": "yesterday"},
            "noticed is bets-open or bets-closed or settled or next-round: got yesterday",
        ),
        ("technical-interruption", {"outcome_established": "maybe"}, "outcome established is no or yes: got"),
        ("foreign-card", {"card_drawn": True}, "card drawn does not matter to foreign-card"),
    ],
)
def test_a_fact_that_cannot_be_is_one_sentence(
    case: str, facts: dict[str, str | bool], sentence: str
) -> None:
    with pytest.raises(BadInput, match=sentence):
        rule_on(load(TBC), case, facts)
