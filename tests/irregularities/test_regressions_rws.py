"""Faults that were found in irregularities which three RWS documents state under the same numbers."""

import pytest

from irregularities.situations import INSURED, PLAYER_WINS, TO_COME, Scene, cards, kinds, only
from thirdcard.table.events import CardsExposed, CardsReconstructed, PlayedChanged

SLUGS = (
    "rws-tiger-buffalo-commission-v2",
    "rws-tiger-buffalo-non-commission-v3",
    "rws-tiger-buffalo-non-commission-v4",
)
pytestmark = pytest.mark.parametrize("slug", SLUGS)


@pytest.mark.parametrize(("back", "plays"), [("cat", {}), ("dan", {"ann": 400_00, "cat": 600_00})])
def test_5_1_1__5_13_3_shares_are_worked_out_again_when_a_stake_goes_back(
    slug: str, back: str, plays: dict[str, int]
) -> None:
    """1,500 against 200: without Cat's 900 Ann plays in full, without Dan's 200 there are 1,000 to share."""
    table = Scene(slug)
    table.bets(("ann", "player", 600_00), ("dan", "banker", 200_00))
    table.record("cat", "player", 900_00)
    table.close()
    table.deal("9C 4H")
    assert table.plays() == {("ann", 1, "player"): 480_00, ("cat", 1, "player"): 720_00}
    table.report("other-dealing-error")
    table.rule("sue")
    only(table.takes_back(back), PlayedChanged)
    assert table.plays() == {(player, 1, "player"): cents for player, cents in plays.items()}
    for player in table.asked():
        if player != back:
            table.goes_on(player)
    table.deal("KD 2S")
    table.settle()
    assert table.net("ann") == plays.get("ann", 600_00)
    assert table.net(back) == 0


def test_5_2_1_the_line_of_a_bet_under_the_minimum_says_so(slug: str) -> None:
    table = Scene(slug)
    table.bets(("ann", "player", 100_00))
    table.record("bob", "player", 5_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.line("bob", "player").rules == (*table.line("ann", "player").rules, "5.2.1")
    assert "5.2.1" not in table.line("ann", "player").rules


def test_5_8_an_order_that_nobody_asked_for_invents_no_cards(slug: str) -> None:
    table = Scene(slug)
    table.dealt(PLAYER_WINS)
    table.report("excess-or-exposed-cards", "5H 6H")
    made = only(table.rule("sue", "7C 8C"), CardsReconstructed)
    assert (made.cards, made.waiting) == (cards(PLAYER_WINS), cards("5H 6H"))
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
    assert (table.state.phase, table.shoe.waiting, table.shoe.used) == ("settled", cards("5H"), 5)
    table.open()


@pytest.mark.parametrize("known", [True, False])
def test_5_11_1_everybody_chooses_before_the_cards_are_seen(slug: str, known: bool) -> None:  # noqa: FBT001
    """The round is over with these two cards; nobody has seen them, so no bet is decided by them."""
    table = Scene(slug)
    table.dealt(TO_COME, ("ann", "player", 100_00), ("bob", "banker", 100_00), ("cat", "player-pair", 10_00))
    table.report("drawn-together", "2S 4D" if known else "4D 2S", order_known=known)
    table.rule("sue", "7C 8C" if known else "2S 4D")
    assert table.asked() == {"ann": "", "bob": ""}  # Cat's pair is lost on the first four cards
    unseen = [*TO_COME.split(), "?", "?"]
    for viewer in ("ann", "cat", "dee", "sam"):
        assert table.sees(viewer) == unseen
    table.takes_back("ann")
    assert table.sees("bob") == unseen
    assert only(table.goes_on("bob"), CardsExposed).places == (5, 6)
    assert table.sees("cat") == [*TO_COME.split(), "2S", "4D"]
    assert (table.shoe.used, "7C" in table.shoe.drawn) == (6, False)
    table.settle()
    won = 95_00 if slug in INSURED else 100_00
    assert [table.net(player) for player in ("ann", "bob", "cat")] == [0, won, -10_00]
