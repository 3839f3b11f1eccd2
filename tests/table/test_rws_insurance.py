"""Insurance at a table, by the paragraphs whose numbers agree in both documents that have it."""

from typing import Literal

import msgspec
import pytest

from table.tables import Table, kinds, only, set_up
from thirdcard.errors import BadInput
from thirdcard.rulebook.model import Side
from thirdcard.table import commands, start
from thirdcard.table.events import (
    InsuranceBought,
    InsuranceClosed,
    InsuranceOpened,
    NoInsuranceRequested,
    ThirdCardRequested,
    ThirdCardsReversed,
    WalkedAway,
)

SLUGS = ("rws-tiger-buffalo-commission-v2", "rws-commission-insurance-v5")
TBC, CBI = SLUGS
PAY_TABLE = {TBC: ("4.1.15",), CBI: ("4.1.3",)}
INSURANCE = ("3.11", "3.12", "3.12.1", "4.2.1")
pytestmark = pytest.mark.parametrize("slug", SLUGS)

# Player stands on 6, Banker draws on 5: the first window offers Player insurance.
SIX_AGAINST_FIVE = "KC KH 6D 5S"
# Player 5, Banker 4: the first window offers Player insurance and both draw, the second comes after a 2 or a 4.
FIVE_AGAINST_FOUR = "2C 4H 3D KS"


def bet(slug: str, *stakes: tuple[str, str, int], method: str = "face-down") -> Table:
    """Bets are closed; the dealer turns the cards."""
    table = Table(slug, seats={"ann": 1, "bob": 2, "cat": 0}, method=method)
    table.open()
    for player, name, cents in stakes:
        table.place(player, name, cents)
    table.close()
    return table


# Windows and offers ---------------------------------------------------------------------------------------


def test_3_11_a_hand_is_insured_by_its_name(slug: str) -> None:
    """As whoever writes the command in Python would."""
    table = bet(slug, ("ann", "player", 100_00))
    table.show(SIX_AGAINST_FIVE)
    bought = only(table.do(commands.Insure(by="ann", box=1, hand="player", cents=10_00)), InsuranceBought)  # type: ignore[arg-type]
    assert bought.purchase.hand is Side.PLAYER


@pytest.mark.parametrize("method", ["face-up", "face-down"])
def test_3_11__3_12_first_window(slug: str, method: str) -> None:
    table = bet(slug, ("ann", "player", 100_00), ("bob", "banker", 100_00), method=method)
    events = table.show(SIX_AGAINST_FIVE)
    opened = only(events, InsuranceOpened)
    assert (opened.window, opened.rules) == (1, INSURANCE)
    odds = {TBC: "5 to 2", CBI: "3 to 1"}[slug]
    assert table.offers() == {"player": odds}
    assert opened.offers[0].rules == PAY_TABLE[slug]
    # Everybody sees the odds; what may be bought is for who has bet on that hand.
    (seen,) = table.view("bob").offers
    assert (seen.hand, seen.window, seen.odds, seen.caps) == (Side.PLAYER, 1, odds, {})
    assert table.view("ann").offers[0].caps == {1: {TBC: 100_00, CBI: 33_00}[slug]}
    assert table.refused(table.insuring("bob", "player", 10_00)).code == "no-original-bet"
    assert table.refused(table.insuring("bob", "banker", 10_00)).code == "no-offer"


def test_3_12_1_second_window(slug: str) -> None:
    table = bet(slug, ("ann", "player", 100_00))
    table.show(FIVE_AGAINST_FOUR)
    assert table.offers() == {"player": {TBC: "3 to 2", CBI: "2 to 1"}[slug]}
    table.do(commands.Decline(by="ann"))
    table.show("4C")
    assert table.offers() == {"player": {TBC: "10 to 1", CBI: "8 to 1"}[slug]}


def test_3_12_1_banker_insurance_on_two_cards(slug: str) -> None:
    """Player 0 plus 2 against Banker 5: both windows insure a Banker hand of two cards."""
    table = bet(slug, ("bob", "banker", 100_00))
    table.show("KC KH QD 5S")
    assert table.offers() == {"banker": {TBC: "3 to 2", CBI: "2 to 1"}[slug]}
    table.do(commands.Decline(by="bob"))
    table.show("4C")
    assert table.offers() == {}  # Player 4: no row
    table.show("KD")
    assert table.refused(table.insuring("bob", "banker", 10_00)).code == "insurance-not-open"


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        ("2C 4H 3D KS KD", "the Banker stands on 4 against a king"),
        ("9C 4H KD KS", "a natural"),
        ("6C KH KD 7S", "both stand"),
        ("2C 4H KD", "three cards"),
    ],
)
def test_3_12_no_window_where_nobody_is_to_draw(slug: str, cards: str, why: str) -> None:
    table = bet(slug, ("ann", "player", 100_00), ("bob", "banker", 100_00), method="face-down")
    if len(cards.split()) == 3:
        table.deal(cards)
    else:
        table.show(cards)
    assert table.offers() == {}, why


def test_3_11_nothing_is_offered_where_nobody_has_bet_on_the_hand(slug: str) -> None:
    table = bet(slug, ("bob", "banker", 100_00), ("ann", "tie", 100_00), method="face-up")
    table.deal(SIX_AGAINST_FIVE)
    assert table.offers() == {}


def test_3_12_a_window_opens_when_the_cards_are_seen(slug: str) -> None:
    table = bet(slug, ("ann", "player", 100_00))
    table.deal(SIX_AGAINST_FIVE)
    table.expose(1, 2, 3)
    assert table.offers() == {}
    table.expose(4)
    assert list(table.offers()) == ["player"]


# Buying and settling --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("third", "original", "insurance", "verdict"),
    [
        ("3D", -100_00, {TBC: 75_00, CBI: 90_00}, "win"),  # Banker 8 over 6
        ("KD", 100_00, {TBC: -30_00, CBI: -30_00}, "lose"),  # Player 6 over 5
        ("AD", 0, {TBC: 0, CBI: 0}, "push"),  # tie on 6
    ],
)
def test_3_11__3_17__4_2_1_insurance_wins_when_the_insured_hand_loses(
    slug: str, third: str, original: int, insurance: dict[str, int], verdict: str
) -> None:
    table = bet(slug, ("ann", "player", 100_00), method="face-up")
    table.deal(SIX_AGAINST_FIVE)
    (event,) = table.insure("ann", "player", 30_00)
    assert isinstance(event, InsuranceBought)
    assert table.rack("ann") == 9_870_00
    table.deal(third)
    table.settle()
    bet_line, insured = table.line("ann", "player"), table.line("ann", "player-insurance")
    assert bet_line.net == original
    assert (insured.stake, insured.window, insured.result, insured.net) == (
        30_00,
        1,
        verdict,
        insurance[slug],
    )
    assert table.net("ann") == original + insurance[slug]


def test_4_2_1_insured_nine_is_paid_on_a_tie_of_nines(slug: str) -> None:
    """The second window's insurance is paid, the first window's returned, the bet is a push."""
    table = bet(slug, ("ann", "player", 100_00))
    table.show(FIVE_AGAINST_FOUR)
    table.insure("ann", "player", 10_00)
    table.show("4C")
    table.insure("ann", "player", 10_00)
    table.show("5D")
    table.settle()
    results = [(line.bet, line.window, line.result, line.net) for line in table.lines()]
    paid = {TBC: 100_00, CBI: 80_00}[slug]
    assert results == [
        ("player", None, "push", 0),
        ("player-insurance", 1, "push", 0),
        ("player-insurance", 2, "win", paid),
    ]
    assert table.net("ann") == paid


def test_3_11_standing_players_insure_too(slug: str) -> None:
    table = Table(slug, seats={"ann": 1, "cat": 0})
    table.open()
    table.place("cat", "player", 100_00, box=1)
    table.close()
    table.deal(SIX_AGAINST_FIVE)
    table.insure("cat", "player", 20_00, box=1)
    assert table.refused(table.insuring("ann", "player", 20_00)).code == "no-original-bet"


def test_3_11_staff_buys_for_a_player(slug: str) -> None:
    table = bet(slug, ("ann", "player", 100_00), method="face-up")
    table.deal(SIX_AGAINST_FIVE)
    (event,) = table.do(commands.Insure(by="dee", player="ann", box=1, hand=Side.PLAYER, cents=20_00))
    assert isinstance(event, InsuranceBought)
    assert (event.purchase.player, event.by) == ("ann", "dee")
    refusal = table.refused(commands.Insure(by="bob", player="ann", box=1, hand=Side.PLAYER, cents=1_00))
    assert refusal.code == "wrong-rank"


# Silence --------------------------------------------------------------------------------------------------


def test_5_3_silence_forgoes_the_round_and_no_declines_one_offer(slug: str) -> None:
    table = bet(slug, ("ann", "player", 100_00), ("bob", "player", 100_00))
    table.show(FIVE_AGAINST_FOUR)
    table.do(commands.Decline(by="bob"))
    events = table.show("2C")
    closed = only(events, InsuranceClosed)
    assert (closed.window, closed.forgone, closed.rules) == (1, ("ann",), ("5.3",))
    assert table.offers() == {"player": "4 to 1"}
    table.refuses("insurance-forgone", ("5.3",), table.insuring("ann", "player", 10_00))
    table.refuses("insurance-forgone", ("5.3",), commands.Decline(by="ann"))
    assert table.view("ann").offers[0].caps == {}
    table.insure("bob", "player", 10_00)


def test_5_3_buying_is_an_answer(slug: str) -> None:
    table = bet(slug, ("ann", "player", 100_00))
    table.show(FIVE_AGAINST_FOUR)
    table.insure("ann", "player", 10_00)
    assert only(table.show("2C"), InsuranceClosed).forgone == ()
    table.insure("ann", "player", 10_00)


def test_5_3_who_was_offered_nothing_forgoes_nothing(slug: str) -> None:
    """Player insurance in the first window says nothing about Bob's bet on Banker."""
    table = bet(slug, ("ann", "player", 100_00), ("bob", "banker", 100_00))
    table.show(FIVE_AGAINST_FOUR)
    table.refuses("no-original-bet", INSURANCE, commands.Decline(by="bob"))
    closed = only(table.show("7C"), InsuranceClosed)  # Player 2 against Banker 4
    assert closed.forgone == ("ann",)
    assert table.offers() == {"banker": "4 to 1"}
    table.insure("bob", "banker", 10_00)


def test_5_3_the_dealer_closes_insurance_when_everybody_has_answered(slug: str) -> None:
    table = bet(slug, ("ann", "player", 100_00), ("bob", "player", 100_00), ("cat", "banker", 100_00))
    table.show(SIX_AGAINST_FIVE)
    table.insure("ann", "player", 10_00)
    table.refuses("decision-needed", ("5.3",), commands.CloseInsurance(by="dee"))
    assert "bob" in table.refused(commands.CloseInsurance(by="dee")).sentence
    assert "ann" not in table.refused(commands.CloseInsurance(by="dee")).sentence
    table.do(commands.Decline(by="dee", player="bob"))
    (closed,) = table.do(commands.CloseInsurance(by="dee"))
    assert isinstance(closed, InsuranceClosed)
    assert (closed.window, closed.forgone, closed.late) == (1, (), False)
    assert table.refused(table.insuring("ann", "player", 10_00)).code == "insurance-not-open"
    assert kinds(table.do(table.drawing("3C"))) == ["CardDrawn"]  # nothing is left for the card to close


def test_5_3_who_is_silent_is_named_and_forgoes_the_round(slug: str) -> None:
    table = bet(slug, ("ann", "player", 100_00), ("bob", "player", 100_00))
    table.show(FIVE_AGAINST_FOUR)
    table.do(commands.Decline(by="ann"))
    for wrong in (("ann",), ("bob", "ann"), ("cat",)):
        table.refuses("insurance-not-open", ("5.3",), commands.CloseInsurance(by="dee", silent=wrong))
    (closed,) = table.do(commands.CloseInsurance(by="dee", silent=("bob",)))
    assert isinstance(closed, InsuranceClosed)
    assert (closed.forgone, closed.rules) == (("bob",), ("5.3",))
    table.show("4C")  # the second window: Ann may insure, Bob may not
    table.refuses("insurance-forgone", ("5.3",), table.insuring("bob", "player", 1_00))
    table.insure("ann", "player", 1_00)
    (second,) = table.do(commands.CloseInsurance(by="dee"))
    assert isinstance(second, InsuranceClosed)
    assert (second.window, second.forgone) == (2, ())


def test_5_3_closing_it_is_what_the_next_card_would_have_done(slug: str) -> None:
    stakes = (("ann", "player", 100_00), ("bob", "player", 100_00))
    said, drawn = bet(slug, *stakes, method="face-up"), bet(slug, *stakes, method="face-up")
    for table in (said, drawn):
        table.show(SIX_AGAINST_FIVE)
        table.insure("ann", "player", 10_00)
    closed = said.do(commands.CloseInsurance(by="dee", silent=("bob",)))
    assert (*closed, *said.deal("3C")) == drawn.deal("3C")
    assert said.state == drawn.state


def test_5_3_nobody_waits_for_who_walked_away(slug: str) -> None:
    table = bet(slug, ("ann", "player", 100_00), ("bob", "player", 100_00))
    table.show(SIX_AGAINST_FIVE)
    table.do(commands.Decline(by="ann"), commands.Leave(by="bob"))
    (closed,) = table.do(commands.CloseInsurance(by="dee"))
    assert isinstance(closed, InsuranceClosed)
    assert closed.forgone == ()


def test_5_3_a_card_for_a_place_runs_over_no_insurance(slug: str) -> None:
    table = bet(slug, ("ann", "player", 100_00), method="face-up")
    for place, card in enumerate(SIX_AGAINST_FIVE.split(), start=1):
        wrong = msgspec.structs.replace(table.drawing(card), place=place + 1)
        assert f"card {place} is due" in table.refused(wrong).sentence
        table.do(msgspec.structs.replace(wrong, place=place))
    fifth = msgspec.structs.replace(table.drawing("3C"), place=5)
    table.refuses("card-not-due", ("5.3",), fifth)
    table.do(commands.CloseInsurance(by="dee", silent=("ann",)), fifth)
    assert len(table.view("ann").cards) == 5


def test_5_3_a_new_round_forgets_silence(slug: str) -> None:
    table = bet(slug, ("ann", "player", 100_00), method="face-up")
    table.deal(SIX_AGAINST_FIVE + " KD")
    table.settle()
    table.open()
    table.place("ann", "player", 100_00)
    table.close()
    table.deal(SIX_AGAINST_FIVE)
    table.insure("ann", "player", 10_00)


@pytest.mark.parametrize("when", ["bets open", "bets closed", "four cards", "window open"])
def test_5_3_who_walks_away_has_forgone_insurance(slug: str, when: str) -> None:
    """Whenever that was, while bets were open included; Bob, who stays, is offered it."""
    table = Table(slug, seats={"ann": 1, "bob": 2, "cat": 0}, method="face-down")
    table.open()
    table.place("ann", "player", 100_00)
    table.place("bob", "player", 100_00)
    for stage in ("bets open", "bets closed", "four cards", "window open"):
        if stage == when:
            events = table.do(commands.Leave(by="ann"))
            assert only(events, WalkedAway).rules == ("5.3", "5.3.1")
        if stage == "bets open":
            table.close()
        elif stage == "bets closed":
            table.deal(FIVE_AGAINST_FOUR)
        elif stage == "four cards":
            table.expose(1, 2, 3, 4)
    assert list(table.offers()) == ["player"]
    assert (table.view("ann").offers[0].caps, table.view("ann").gone) == ({}, ("ann",))
    table.refuses("insurance-forgone", ("5.3",), table.insuring("ann", "player", 10_00))
    table.insure("bob", "player", 10_00)
    assert only(table.show("2C"), InsuranceClosed).forgone == ()  # it is not by silence
    table.refuses("insurance-forgone", ("5.3",), table.insuring("ann", "player", 10_00))
    table.insure("bob", "player", 10_00)
    table.show("KD")  # Player 7 over 4
    table.settle()
    assert table.net("ann") == 100_00


def test_5_3_a_standing_player_walks_away_too(slug: str) -> None:
    table = Table(slug, seats={"ann": 1, "cat": 0})
    table.open()
    table.place("cat", "player", 100_00, box=1)
    assert kinds(table.do(commands.Leave(by="cat"))) == ["WalkedAway"]
    table.close()
    table.deal(SIX_AGAINST_FIVE)
    table.refuses("insurance-forgone", ("5.3",), table.insuring("cat", "player", 20_00, box=1))


def test_5_3_staff_buy_nothing_for_who_walked_away(slug: str) -> None:
    table = bet(slug, ("ann", "player", 100_00), method="face-up")
    table.do(commands.Leave(by="ann"))
    table.deal(SIX_AGAINST_FIVE)
    buying = commands.Insure(by="dee", player="ann", box=1, hand=Side.PLAYER, cents=20_00)
    table.refuses("insurance-forgone", ("5.3",), buying)


def test_5_3_who_comes_back_before_the_close_has_still_forgone_it(slug: str) -> None:
    table = Table(slug, seats={"ann": 1, "bob": 2})
    table.open()
    table.place("ann", "player", 100_00)
    table.do(commands.Leave(by="ann"))
    table.place("ann", "player", 50_00, box=2)
    assert table.view("ann").gone == ()
    table.close()
    table.deal(SIX_AGAINST_FIVE)
    table.refuses("insurance-forgone", ("5.3",), table.insuring("ann", "player", 10_00, box=2))


def test_5_3_who_leaves_without_a_bet_walks_away_from_nothing(slug: str) -> None:
    table = Table(slug, seats={"ann": 1, "bob": 2})
    table.open()
    assert kinds(table.do(commands.Leave(by="ann"))) == ["SeatLeft"]
    table.place("ann", "player", 50_00, box=2)
    table.close()
    table.deal(SIX_AGAINST_FIVE)
    table.insure("ann", "player", 10_00, box=2)


def test_5_3_1_bets_of_who_walks_away_are_settled(slug: str) -> None:
    table = bet(slug, ("ann", "player", 100_00), method="face-up")
    table.do(commands.Leave(by="ann"))
    table.deal("P 9C KD | B 4H 2S")
    table.settle()
    assert table.net("ann") == 100_00


# A private table ------------------------------------------------------------------------------------------


WITHOUT = commands.Changes(insurance=False)


def private(slug: str, *, private: bool = True, insurance: bool = True) -> Table:
    return Table(slug, seats={"ann": 1, "bob": 2, "cat": 0}, private=private, insurance=insurance)


def test_4_2_2_a_private_table_without_insurance(slug: str) -> None:
    table = private(slug, insurance=False)
    table.open()
    table.place("ann", "player", 100_00)
    table.close()
    assert table.deal(SIX_AGAINST_FIVE)
    assert table.offers() == {}
    table.refuses("insurance-not-offered-here", ("4.2.2",), table.insuring("ann", "player", 10_00))
    table.refuses("insurance-not-offered-here", ("4.2.2",), commands.Decline(by="ann"))


def test_4_2_2_only_a_private_table_can_be_without(slug: str) -> None:
    with pytest.raises(BadInput, match=r"only a private table.*4\.2\.2"):
        start(set_up(slug, insurance=False))
    table = private(slug, private=False)
    table.refuses("not-allowed-here", ("4.2.2",), commands.RequestNoInsurance(by="ann"))
    table.refuses("not-allowed-here", ("4.2.2",), commands.ChangeSetup(by="pam", changes=WITHOUT))


def test_4_2_2_the_notice_is_displayed_to_everybody(slug: str) -> None:
    table = private(slug, insurance=False)
    table.join("eve")
    for viewer in ("ann", "eve", "dee", "somebody-passing"):
        told = [notice for notice in table.view(viewer).notices if notice.rules == ("4.2.2",)]
        assert len(told) == 1
        assert "no insurance" in told[0].text.lower()
    for other in (Table(slug), private(slug)):
        assert not any("4.2.2" in notice.rules for notice in other.view("ann").notices)


def test_4_2_2_a_player_asks_and_a_pit_manager_allows_it_from_the_next_round(slug: str) -> None:
    table = private(slug)
    table.open()
    table.place("ann", "player", 100_00)
    table.close()
    grant = commands.ChangeSetup(by="pam", changes=WITHOUT)
    table.refuses("condition-not-met", ("4.2.2",), grant)  # nobody has asked
    (event,) = table.do(commands.RequestNoInsurance(by="ann"))
    assert event == NoInsuranceRequested(player="ann", rules=("4.2.2",))
    table.refuses("not-allowed-here", ("4.2.2",), commands.RequestNoInsurance(by="ann"))
    for person in ("dee", "sue", "ann"):
        assert table.refused(commands.ChangeSetup(by=person, changes=WITHOUT)).code == "wrong-rank"
    assert "4.2.2" in table.do(grant)[0].rules
    table.deal(SIX_AGAINST_FIVE)
    assert list(table.offers()) == ["player"]  # this round still has it
    table.deal("KD")
    table.settle()
    table.open()
    table.place("ann", "player", 100_00)
    table.place("bob", "player", 100_00)
    table.close()
    table.deal(SIX_AGAINST_FIVE)
    assert table.offers() == {}
    table.refuses("insurance-not-offered-here", ("4.2.2",), table.insuring("bob", "player", 10_00))


def test_4_2_2_a_request_alone_changes_nothing(slug: str) -> None:
    table = private(slug)
    table.do(commands.RequestNoInsurance(by="ann"))
    table.open()
    table.place("ann", "player", 100_00)
    table.close()
    table.deal(SIX_AGAINST_FIVE)
    table.insure("ann", "player", 10_00)


def test_4_2_2_staff_do_not_ask_in_a_players_place(slug: str) -> None:
    table = private(slug)
    assert table.refused(commands.RequestNoInsurance(by="pam")).code == "unknown-player"


def test_4_2_2_who_comes_later_accepts_it(slug: str) -> None:
    table = private(slug, insurance=False)
    table.join("eve", 3)
    table.open()
    table.place("eve", "player", 100_00)
    table.close()
    table.deal(SIX_AGAINST_FIVE)
    table.refuses("insurance-not-offered-here", ("4.2.2",), table.insuring("eve", "player", 10_00))
    table.refuses("not-allowed-here", (), commands.RequestNoInsurance(by="eve"))


def test_4_2_2_it_can_be_offered_again(slug: str) -> None:
    table = private(slug, insurance=False)
    table.do(commands.ChangeSetup(by="pam", changes=commands.Changes(insurance=True)))
    table.open()
    table.place("ann", "player", 100_00)
    table.close()
    table.deal(SIX_AGAINST_FIVE)
    table.insure("ann", "player", 10_00)


# The Banker's third card first ----------------------------------------------------------------------------


def turned(slug: str, cards: str = "KC KH 3D 2S") -> Table:
    """Player 3 draws, Banker 2 draws whatever comes; four cards have been seen."""
    table = bet(slug, ("ann", "player", 100_00), ("bob", "banker", 50_00))
    table.show(cards)
    return table


def reverse(table: Table, player: str = "ann", by: str = "sue") -> None:
    table.do(commands.RequestBankerThirdFirst(by=player))
    table.do(commands.BankerThirdFirst(by=by, player=player))


def test_3_14_without_it_the_second_window_opens(slug: str) -> None:
    table = turned(slug)
    table.show("5C")
    assert table.offers() == {"player": {TBC: "10 to 1", CBI: "7 to 1"}[slug]}


def test_3_14_the_second_window_is_waived_for_all(slug: str) -> None:
    table = turned(slug)
    (asked,) = table.do(commands.RequestBankerThirdFirst(by="ann"))
    assert asked == ThirdCardRequested(player="ann", rules=("3.14",))
    (event,) = table.do(commands.BankerThirdFirst(by="sue", player="ann"))
    assert event == ThirdCardsReversed(player="ann", by="sue", rules=("3.14",))
    table.deal("5C 6D")  # drawn in order, seen the other way round
    table.refuses("card-not-due", ("3.14",), table.exposing(5))
    table.expose(6)
    assert table.sees("cat") == ["KC", "KH", "3D", "2S", "?", "6D"]
    for command in (table.insuring("ann", "player", 10_00), table.insuring("bob", "banker", 10_00)):
        table.refuses("insurance-waived", ("3.14",), command)
    table.expose(5)
    assert table.offers() == {}
    table.refuses("insurance-waived", ("3.14",), table.insuring("ann", "player", 10_00))
    table.settle()  # tie on 8
    assert table.net("ann") == 0


def test_3_14_a_consent_that_nobody_asked_for_waives_nothing(slug: str) -> None:
    """The House may not take the second window away by itself."""
    table = turned(slug)
    for person in ("sue", "pam", "sam"):
        table.refuses("no-right-to-squeeze", ("3.14",), commands.BankerThirdFirst(by=person, player="ann"))
    table.show("5C")
    assert list(table.offers()) == ["player"]


def test_3_14_a_request_alone_waives_nothing(slug: str) -> None:
    table = turned(slug)
    table.do(commands.RequestBankerThirdFirst(by="ann"))
    table.show("5C")
    table.insure("ann", "player", 10_00)


def test_3_14_only_who_has_the_highest_bet_may_ask_and_once(slug: str) -> None:
    table = turned(slug)
    table.refuses("no-right-to-squeeze", ("3.14",), commands.RequestBankerThirdFirst(by="bob"))
    table.do(commands.RequestBankerThirdFirst(by="ann"))
    table.refuses("card-not-due", ("3.14",), commands.RequestBankerThirdFirst(by="ann"))


def test_3_14_who_has_left_the_table_asks_no_more(slug: str) -> None:
    """Ann is gone: Bob's is the highest bet of those who are there."""
    table = turned(slug)
    table.do(commands.RequestBankerThirdFirst(by="ann"))
    table.do(commands.Leave(by="ann"))
    table.refuses("no-right-to-squeeze", ("3.14",), commands.BankerThirdFirst(by="sue", player="ann"))
    reverse(table, "bob")


def test_3_14_also_after_the_players_third_card_is_drawn(slug: str) -> None:
    table = turned(slug)
    table.deal("5C")
    reverse(table)
    table.deal("6D")
    table.expose(6)
    table.expose(5)
    assert table.offers() == {}


def test_3_14_the_house_consents_for_who_has_the_highest_bet(slug: str) -> None:
    table = turned(slug)
    table.do(commands.RequestBankerThirdFirst(by="ann"))
    table.refuses("wrong-rank", ("3.14",), commands.BankerThirdFirst(by="dee", player="ann"))
    table.refuses("no-right-to-squeeze", ("3.14",), commands.BankerThirdFirst(by="sue", player="bob"))
    table.do(commands.BankerThirdFirst(by="pam", player="ann"))


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        ("KC KH 3D 3S", "Banker 3 stands against an 8"),
        ("KC KH 6D 2S", "Player stands"),
        ("KC KH 9D 2S", "a natural"),
    ],
)
def test_3_14_only_where_the_bankers_third_card_is_certain(slug: str, cards: str, why: str) -> None:
    table = turned(slug, cards)
    for command in (
        commands.RequestBankerThirdFirst(by="ann"),
        commands.BankerThirdFirst(by="sue", player="ann"),
    ):
        refusal = table.refused(command)
        assert (refusal.code, refusal.rules) == ("card-not-due", ("3.14",)), why


def test_3_14_not_once_the_players_third_card_was_seen(slug: str) -> None:
    table = turned(slug)
    table.do(commands.RequestBankerThirdFirst(by="ann"))
    table.show("KD")
    table.refuses("card-not-due", ("3.14",), commands.BankerThirdFirst(by="sue", player="ann"))


def test_3_14_not_at_a_table_dealt_face_up(slug: str) -> None:
    table = bet(slug, ("ann", "player", 100_00), method="face-up")
    table.deal("KC KH 3D 2S")
    table.refuses("not-allowed-here", ("3.14",), commands.RequestBankerThirdFirst(by="ann"))
    table.refuses("not-allowed-here", ("3.14",), commands.BankerThirdFirst(by="sue", player="ann"))


def test_3_14_a_new_round_knows_nothing_of_it(slug: str) -> None:
    table = turned(slug)
    reverse(table)
    table.deal("5C 6D")
    table.expose(6)
    table.expose(5)
    table.settle()
    table.open()
    table.place("ann", "player", 100_00)
    table.close()
    table.show("KC KH 3D 2S 5C")
    assert list(table.offers()) == ["player"]


def test_3_14_the_banker_third_is_squeezed_first(slug: str) -> None:
    table = Table(slug, seats={"ann": 1, "bob": 2}, method="face-down", device="reader")
    table.open()
    table.place("ann", "player", 100_00)
    table.place("bob", "banker", 50_00)
    table.close()
    table.show("KC KH 3D 2S")
    table.do(commands.RequestSqueeze(by="ann", cards=(6,)))
    table.do(commands.PermitSqueeze(by="sue", player="ann", cards=(6,)))
    reverse(table)
    table.deal("5C 6D")
    table.do(commands.HandOver(by="dee", player="ann", cards=(6,)))
    assert table.sees("ann") == ["KC", "KH", "3D", "2S", "?", "6D"]
    assert table.sees("bob") == ["KC", "KH", "3D", "2S", "?", "?"]
    table.expose(6, by="ann")
    table.expose(5)
    table.settle()


Number = Literal[1, 2]


@pytest.mark.parametrize("number", [1, 2])
def test_4_2_1_bought_insurance_names_its_window(slug: str, number: Number) -> None:
    table = bet(slug, ("ann", "player", 100_00))
    table.show(FIVE_AGAINST_FOUR)
    if number == 1:
        events = table.insure("ann", "player", 10_00)
    else:
        table.do(commands.Decline(by="ann"))
        table.show("2C")
        events = table.insure("ann", "player", 10_00)
    bought = only(events, InsuranceBought)
    assert (bought.purchase.window, bought.rules) == (number, PAY_TABLE[slug])


def test_3_12_1_second_window_dealt_face_up(slug: str) -> None:
    table = bet(slug, ("ann", "player", 100_00), method="face-up")
    table.deal(FIVE_AGAINST_FOUR)
    table.do(commands.Decline(by="ann"))
    table.deal("2C")
    assert table.offers() == {"player": "4 to 1"}


def test_5_3_a_no_declines_the_offer(slug: str) -> None:
    table = bet(slug, ("ann", "player", 100_00), method="face-up")
    table.deal(FIVE_AGAINST_FOUR)
    table.do(commands.Decline(by="ann"))
    assert table.refused(table.insuring("ann", "player", 10_00)).code == "insurance-not-open"


def test_3_9__3_14_staff_record_who_asks_to_squeeze(slug: str) -> None:
    table = Table(slug, method="face-down")
    table.open()
    table.place("ann", "player", 100_00)
    table.close()
    (asked,) = table.do(commands.RequestSqueeze(by="dee", player="ann", cards=(1, 3)))
    assert (asked.player, asked.by) == ("ann", "dee")  # type: ignore[union-attr]
    table.do(commands.PermitSqueeze(by="sue", player="ann", cards=(1, 3)))
    table.show("KC KH 3D 2S")
    table.do(commands.RequestBankerThirdFirst(by="dee", player="ann"))
    assert table.state.round is not None
    assert table.state.round.third_request == "ann"
