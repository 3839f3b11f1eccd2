"""What a new version does to money, before and after."""

from fractions import Fraction

from thirdcard.odds import fresh, offers, values
from thirdcard.odds.changes import changes, usual_decks
from thirdcard.rulebook import load
from thirdcard.rulebook.load import read

TBC = load("rws-tiger-buffalo-commission-v2")
CBI = load("rws-commission-insurance-v5")
V3, V4 = load("rws-tiger-buffalo-non-commission-v3"), load("rws-tiger-buffalo-non-commission-v4")
MBS = load("mbs-tiger-v2")
DEARER = """
slug = "dearer"
extends = "rws-commission-insurance-v5"
remove = ["bets.banker-pair", "layouts.*.bets.banker-pair"]

[bets.tie]
pays = [{ tier = "win", odds = "9 to 1" }]
"""


def test_every_bet_of_either_book_has_its_edges() -> None:
    found = changes(TBC, CBI)
    before, after = values(TBC, fresh(8)), values(CBI, fresh(8))
    assert {one.bet for one in found.bets} == TBC.bets.keys() | CBI.bets.keys()
    for one in found.bets:
        assert one.before == (before[one.bet].house_edge if one.bet in before else None)
        assert one.after == (after[one.bet].house_edge if one.bet in after else None)


def test_a_dearer_tie_and_a_bet_that_is_gone() -> None:
    found = {one.bet: one for one in changes(CBI, read("dearer.toml", DEARER)).bets}
    ties = values(CBI, fresh(8), ["tie"])["tie"].win
    assert found["tie"].change == -ties  # one unit more for every tie
    assert found["player"].change == 0
    assert (found["banker-pair"].after, found["banker-pair"].change) == (None, None)


def test_layouts_have_the_edges_of_the_bets_they_offer() -> None:
    found = {one.layout: one for one in changes(V3, V4).layouts}
    assert [letter for letter, one in found.items() if one.added] == ["R"]
    assert [letter for letter, one in found.items() if one.changed] == ["R"]
    assert tuple(bet.bet for bet in found["R"].bets) == V4.layouts["R"].bets
    assert all(bet.before is None and bet.after is not None for bet in found["R"].bets)
    assert all(one.removed == (one.layout == "R") for one in changes(V4, V3).layouts)


def test_a_bet_that_only_some_layouts_lose() -> None:
    found = {one.layout: one for one in changes(TBC, CBI).layouts}
    lost = {bet.bet for bet in found["A"].bets if bet.after is None}
    assert lost == set(TBC.layouts["A"].bets) - set(CBI.layouts["A"].bets)
    assert found["H"].removed


def test_insurance_by_offer() -> None:
    found = {(one.hand, one.window, one.player, one.banker): one for one in changes(TBC, CBI).insurance}
    for book, side in ((TBC, "before"), (CBI, "after")):
        for one in offers(book, fresh(8)):
            place = one.offer.hand, one.offer.window, one.player, one.banker
            assert getattr(found[place], side) == one
    begins = [one for one in found.values() if one.begins]
    assert len(begins) == 12
    assert all(one.after is not None and (one.after.ev or 0) > 0 for one in begins)
    assert not [one for one in found.values() if one.ceases]
    back = changes(CBI, TBC).insurance
    assert sum(one.ceases for one in back) == 12


def test_offers_of_one_book_begin_to_be_and_cease_to_be() -> None:
    assert {one.before for one in changes(MBS, CBI).insurance} == {None}
    found = changes(MBS, CBI).insurance
    assert [one.begins for one in found] == [
        bool(one.after and one.after.favours == "player") for one in found
    ]
    assert changes(MBS, MBS).insurance == ()


def test_nothing_changes_between_a_book_and_itself() -> None:
    found = changes(CBI, CBI)
    assert {one.change for one in found.bets} == {Fraction(0)}
    assert not [one for one in found.layouts if one.changed or one.added or one.removed]
    assert not [one for one in found.insurance if one.changed]


def test_decks_are_eight_or_the_nearest_that_is_allowed() -> None:
    few = read(
        "few.toml", 'slug = "few"\nextends = "plain"\ndocument = { title = "Few" }\ndecks = { max = 2 }'
    )
    assert usual_decks(TBC, CBI) == 8
    assert usual_decks(TBC, few) == 2  # the documents begin at four
    assert usual_decks(few, few) == 2
    assert changes(few, few, 2).decks == 2
    assert changes(CBI, CBI, 4).bets[0].before == values(CBI, fresh(4))["player"].house_edge
