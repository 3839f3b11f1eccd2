"""Faults that were found in irregularities which three RWS documents state under the same numbers."""

import pytest

from irregularities.situations import INSURED, PLAYER_WINS, TO_COME, Scene, cards, kinds, only
from thirdcard.table.events import CardsExposed, CardsLaid

SLUGS = (
    "rws-tiger-buffalo-commission-v2",
    "rws-tiger-buffalo-non-commission-v3",
    "rws-tiger-buffalo-non-commission-v4",
)
pytestmark = pytest.mark.parametrize("slug", SLUGS)


@pytest.mark.parametrize("back", ["cat", "dan"])
def test_5_1_1__5_13_3_shares_stay_as_they_were_at_the_close(slug: str, back: str) -> None:
    """1,500 against 200: Player plays for 1,200, whoever takes a bet back later."""
    table = Scene(slug)
    table.bets(("ann", "player", 600_00), ("dan", "banker", 200_00))
    table.record("cat", "player", 900_00)
    table.close()
    table.deal("9C 4H")
    assert table.plays() == {("ann", 1, "player"): 480_00, ("cat", 1, "player"): 720_00}
    table.report("other-dealing-error")
    table.rule("sue")
    table.takes_back(back)
    assert table.plays()["ann", 1, "player"] == 480_00
    table.all_go_on()
    table.deal("KD 2S")
    table.settle()
    assert table.net(back) == 0
    assert table.nets("ann", "cat", "dan") == {"cat": [480_00, 0, -200_00], "dan": [480_00, 720_00, 0]}[back]


def test_5_2_1_the_line_of_a_bet_under_the_minimum_says_so(slug: str) -> None:
    table = Scene(slug)
    table.bets(("ann", "player", 100_00))
    table.record("bob", "player", 5_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.line("bob", "player").rules == (*table.line("ann", "player").rules, "5.2.1")
    assert "5.2.1" not in table.line("ann", "player").rules


def test_5_8_an_order_of_cards_that_did_not_come_out_is_refused(slug: str) -> None:
    table = Scene(slug)
    table.dealt(PLAYER_WINS)
    table.report("excess-or-exposed-cards", "5H 6H")
    assert table.refused(table.ruling("sue", "7C 8C")).code in ("fact-missing", "input-not-used")
    made = only(table.rule("sue"), CardsLaid)
    assert [one.name for one in made.cards] == list(cards(PLAYER_WINS))
    assert table.waiting == ["5H", "6H"]
    counts = dict.fromkeys([*PLAYER_WINS.split(), "5H", "6H"], 1)
    assert (table.shoe.drawn, table.shoe.used) == (counts, 6)
    assert table.refused(table.drawing("7C")).code == "card-not-due"


def test_5_8_reported_after_settlement_it_may_change_nothing(slug: str) -> None:
    """The cards of the round are the same: its settlement is not reversed and made again."""
    table = Scene(slug)
    table.dealt(PLAYER_WINS)
    table.settle()
    before = (table.current.settlement, table.state.balances, table.state.results)
    table.report("excess-or-exposed-cards", "5H")
    events = table.rule("sue")
    assert not {"SettlementReversed", "RoundSettled"} & set(kinds(events))
    assert not any(event.postings for event in events)
    assert (table.current.settlement, table.state.balances, table.state.results) == before
    assert (table.state.phase, table.waiting, table.shoe.used) == ("settled", ["5H"], 5)
    table.open()


@pytest.mark.parametrize("known", [True, False])
def test_5_11_1_everybody_chooses_before_the_cards_are_seen(slug: str, known: bool) -> None:  # noqa: FBT001
    """The round is over with these two cards; nobody has seen them, so no bet is decided by them."""
    table = Scene(slug)
    table.dealt(TO_COME, ("ann", "player", 100_00), ("bob", "banker", 100_00), ("cat", "player-pair", 10_00))
    table.report("drawn-together", "2S 4D" if known else "4D 2S", order_known=known)
    if known:
        assert table.refused(table.ruling("sue", "2S 4D")).code == "input-not-used"
    table.rule("sue", "" if known else "2S 4D")
    assert table.asked() == {"ann": "", "bob": ""}  # Cat's pair is lost on the first four cards
    unseen = [*TO_COME.split(), "?", "?"]
    for viewer in ("ann", "cat", "dee", "sam"):
        assert table.sees(viewer) == unseen
    table.takes_back("ann")
    assert table.sees("bob") == unseen
    turned = [event for event in table.goes_on("bob") if isinstance(event, CardsExposed)]
    assert [event.places for event in turned] == [(5,), (6,)]
    assert table.sees("cat") == [*TO_COME.split(), "2S", "4D"]
    assert table.shoe.used == 6
    table.settle()
    won = 95_00 if slug in INSURED else 100_00
    assert [table.net(player) for player in ("ann", "bob", "cat")] == [0, won, -10_00]


def test_a_report_speaks_only_of_the_cards_that_an_amended_record_leaves(slug: str) -> None:
    """Two cards were keyed and one lay there: with the two that came out together, three are put in order."""
    table = Scene(slug)
    table.dealt("AS 9C")
    table.report("drawn-together", "2S 3S", cards=(1, 2), shown=(3, 4), order_known=False)
    table.amend("AS", agreed="sam")
    assert (table.pending.cards, table.pending.first, table.pending.shown) == ((1,), 2, (2, 3))
    assert table.refused(table.ruling("sam", "1 2 3 4")).code == "fact-missing"
    table.rule("sam", "3 1 2")
    assert [one.name for one in table.current.drawn] == list(cards("3S AS 2S"))
