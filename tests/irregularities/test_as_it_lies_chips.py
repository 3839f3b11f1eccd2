"""Chips as they lay at the close, put right, taken away, paid out and owed, at every document's tables."""

import pytest

from irregularities.checks import NUMBERS
from irregularities.situations import (
    BANK,
    BANKER_WINS,
    MBS,
    PLAYER_WINS,
    RWS,
    TO_COME,
    Scene,
    cards,
    kinds,
    only,
)
from thirdcard.rulebook import slugs
from thirdcard.table import commands, decide
from thirdcard.table.events import ChipsPutRight, RecordAmended, SettlementReversed
from thirdcard.table.refusals import Refusal
from thirdcard.table.setup import Limit

AMENDS = dict.fromkeys(RWS, "sue") | {MBS: "sam"}  # who puts a settled round right
TIE_ON_SIX = "2C 4H 4D 2S"


# After the close ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", slugs())
def test_a_dealer_alone_changes_nothing_after_the_close(slug: str) -> None:
    """A lost 100 does not become a won 4,000: not the chips, not the cards, before or after settlement."""
    table = Scene(slug)
    table.dealt(PLAYER_WINS, ("ann", "player", 100_00), ("bob", "banker", 100_00))
    for settled in (False, True):
        if settled:
            table.settle()
        for command in (
            table.recording("bob", "banker", 0, by="dee"),
            table.recording("bob", "player", 2_000_00, by="dee"),
            commands.Correct(by="dee", cards=cards(BANKER_WINS), reason="keyed wrongly"),
            commands.Void(by="dee", reason="no"),
        ):
            assert table.refused(command).code == "wrong-rank"
        table.do(table.amending(BANKER_WINS))
        assert table.refused(commands.ConfirmAmendment(by="dee")).code == "wrong-rank"
        table.do(commands.DropAmendment(by="dee", reason="it was right"))
        assert table.refused(table.placing("bob", "player", 2_000_00)).code == "wrong-phase"
        assert table.refused(table.taking_back("bob", "banker")).code == "wrong-phase"
    assert table.nets("ann", "bob") == [100_00, -100_00]


@pytest.mark.parametrize("slug", slugs())
@pytest.mark.parametrize("settled", [False, True])
def test_a_supervisor_puts_the_record_right_with_a_reason(slug: str, settled: bool) -> None:  # noqa: FBT001
    """150 lay on Player at the close, not 100; what changes for whom is on record."""
    table = Scene(slug)
    table.dealt(PLAYER_WINS)
    if settled:
        table.settle()
    by = AMENDS[slug] if settled else "sue"
    unreasoned = commands.RecordChips(by=by, player="ann", box=1, bet="player", cents=150_00)
    assert table.refused(unreasoned).code == "fact-missing"
    assert table.refused(table.recording("ann", "player", 100_00, by=by)).code == "no-such-stake"
    events = table.do(table.recording("ann", "player", 150_00, by=by))
    assert ("SettlementReversed" in kinds(events)) == settled
    change = {(one.what, one.who): (one.before, one.after) for one in only(events, RecordAmended).changes}
    assert change["share", "ann player"] == (100_00, 150_00)
    if settled:
        assert change["settlement", "ann"] == (100_00, 150_00)
    else:
        table.settle()
    assert table.nets("ann", "bob") == [150_00, -100_00]


@pytest.mark.parametrize("slug", slugs())
def test_a_stake_that_was_never_there_goes_back(slug: str) -> None:
    table = Scene(slug)
    table.dealt(BANKER_WINS, ("ann", "player", 100_00), ("ann", "tie", 20_00))
    table.record("ann", "player", 0)
    assert table.net("ann") == -20_00
    table.settle()
    assert table.net("ann") == -20_00


@pytest.mark.parametrize("slug", slugs())
def test_late_chips_go_back_with_a_void(slug: str) -> None:
    table = Scene(slug)
    table.dealt("2C 4H")
    table.late("cat", "player", 300_00)
    table.late("bob", "banker", -100_00)
    events = table.do(commands.Void(by="sam", reason="a fire"))
    assert set(only(events, ChipsPutRight).stakes) == {"1/player/cat", "2/banker/bob"}
    table.everything_is_back()


@pytest.mark.parametrize("slug", slugs())
def test_chips_taken_away_are_part_of_what_is_put_right(slug: str) -> None:
    """Bob took his 100 off; then it turns out that 50 had lain there. He has lost 50, whatever is done first."""
    table = Scene(slug)
    table.dealt("9C 4H")
    table.late("bob", "banker", -100_00)
    recording = table.recording("bob", "banker", 50_00)
    if isinstance(decide(table.state, recording), Refusal):
        table.report("withdrawn-wager" if slug == MBS else "late-bet", players=("bob",))
        table.rule("dee")
    table.do(recording)
    table.deal("KD 2S")
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -50_00]


@pytest.mark.parametrize("slug", slugs())
def test_late_chips_make_nobody_a_squeezer_or_insurer(slug: str) -> None:
    """They do not play, so they count nowhere: not for a stake, not for an offer, not for a limit."""
    table = Scene(slug)
    table.dealt("", ("ann", "player", 100_00))
    table.late("cat", "player", 1_500_00)
    table.deal(TO_COME)
    assert (table.stakes(), table.plays()) == ({("ann", 1, "player"): 100_00}, {})
    assert table.refused(table.insuring("cat", "player", 10_00, box=1)).code in (
        "no-original-bet",
        "insurance-not-offered-here",
    )


@pytest.mark.parametrize("slug", RWS)
def test_one_players_return_does_not_cut_anothers_stake(slug: str) -> None:
    """1,500 against 600 is within 1,000; when Dan takes his 600 back, Ann still plays for 1,500."""
    table = Scene(slug)
    table.bets(("dan", "banker", 600_00), ("ann", "player", 1_500_00))
    table.close()
    table.deal("9C 4H")
    table.report("other-dealing-error")
    table.rule("sue")
    table.takes_back("dan")
    table.goes_on("ann")
    assert (table.plays(), table.stakes()) == ({}, {("ann", 1, "player"): 1_500_00})
    table.deal("KD 2S")
    table.settle()
    assert table.nets("ann", "dan") == [1_500_00, 0]


@pytest.mark.parametrize("slug", RWS)
def test_chips_put_right_share_the_differential_anew(slug: str) -> None:
    """900 of Cat's were 1,400: 2,000 in all for 1,000, so that Ann plays for 300 and Cat for 700."""
    table = Scene(slug)
    table.bets(("ann", "player", 600_00))
    table.record("cat", "player", 900_00)
    table.close()
    assert table.plays() == {("ann", 1, "player"): 400_00, ("cat", 1, "player"): 600_00}
    table.record("cat", "player", 1_400_00)
    assert table.plays() == {("ann", 1, "player"): 300_00, ("cat", 1, "player"): 700_00}
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.nets("ann", "cat") == [300_00, 700_00]


@pytest.mark.parametrize("slug", RWS)
def test_who_has_left_has_no_seated_priority(slug: str) -> None:
    """Ann gave up her seat with 600 on Player: Cat's 300 came before Dan's 300, and Ann's before both."""
    table = Scene(slug)
    table.bets(("cat", "player", 300_00), ("ann", "player", 600_00))
    table.do(commands.Leave(by="ann"))
    table.do(commands.Sit(by="dan", box=1))
    table.record("dan", "player", 300_00)
    table.report("over-differential", box=1)
    table.rule("dee")
    assert table.stakes() == {
        ("cat", 1, "player"): 300_00,
        ("ann", 1, "player"): 400_00,  # the latest of those who stand
        ("dan", 1, "player"): 300_00,
    }


# Over a maximum that no rule speaks of --------------------------------------------------------------------


@pytest.mark.parametrize("slug", RWS)
@pytest.mark.parametrize(
    ("action", "won", "lost"),
    [("let-stand", 4_000_00, -500_00), ("cut-to-maximum", 1_600_00, -200_00), ("return-stakes", 0, 0)],
)
def test_500_on_tie_over_a_maximum_of_200_waits_for_the_shift_manager(
    slug: str, action: str, won: int, lost: int
) -> None:
    """Tie pays 8 to 1; the round is not settled before it is decided, and then plays as decided."""
    number = (NUMBERS[slug].uncovered,)
    for text, net in ((TIE_ON_SIX, won), (PLAYER_WINS, lost)):
        table = Scene(slug, limits={"tie": Limit(10_00, 200_00), "*": Limit(10_00, 2_000_00)})
        table.bets(("bob", "banker", 100_00))
        table.record("ann", "tie", 500_00)
        table.close()
        table.deal(text)
        refused = table.refused(commands.Settle(by="dee"))
        assert (refused.code, "Tie" in refused.sentence or "tie" in refused.sentence) == (
            "decision-needed",
            True,
        )
        table.report("not-covered")
        named = (("ann", 1, "tie"),)
        deciding = table.ruling("pam", action=action, stakes=named, reason="overlooked")
        table.refuses("wrong-rank", number, deciding)
        table.rule("sam", action=action, stakes=named, reason="overlooked")
        table.settle()
        assert table.nets("ann", "bob") == [net, 0 if text == TIE_ON_SIX else -100_00]


@pytest.mark.parametrize("slug", RWS)
def test_a_decision_on_another_stake_is_no_decision_on_this_one(slug: str) -> None:
    table = Scene(slug, limits={"tie": Limit(10_00, 200_00), "*": Limit(10_00, 2_000_00)})
    table.bets()
    table.record("ann", "tie", 500_00)
    table.record("bob", "tie", 300_00)
    table.close()
    table.deal(PLAYER_WINS)
    table.decide("continue")
    assert table.refused(commands.Settle(by="dee")).code == "decision-needed"
    table.decide("cut-to-maximum", stakes=(("ann", 1, "tie"),))
    assert "bob" in table.refused(commands.Settle(by="dee")).sentence
    table.decide("let-stand", stakes=(("bob", 2, "tie"),))
    table.settle()
    assert table.nets("ann", "bob") == [-100_00, -400_00]


def test_5_15_the_other_document_has_a_rule_for_it() -> None:
    """MBS: it plays for the maximum, and nothing has to be decided."""
    table = Scene(MBS, limits={"tie": Limit(10_00, 200_00), "*": Limit(10_00, 2_000_00)})
    table.open()
    table.record("ann", "tie", 500_00)
    table.close()
    table.deal(TIE_ON_SIX)
    table.settle()
    assert table.net("ann") == 1_600_00


# Chips that are gone --------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", slugs())
def test_winnings_are_cashed_out_at_once(slug: str) -> None:
    table = Scene(slug)
    table.dealt(PLAYER_WINS)
    table.settle()
    table.do(commands.CashOut(by="ann", cents=BANK + 100_00))
    assert (table.rack("ann"), table.state.debt("ann")) == (0, 0)


def cashed_out(slug: str) -> Scene:
    """Ann has won 100 and gone off with all her chips, 10,100."""
    table = Scene(slug)
    table.dealt(PLAYER_WINS)
    table.settle()
    table.do(commands.CashOut(by="ann", cents=BANK + 100_00))
    return table


@pytest.mark.parametrize("slug", slugs())
def test_a_reversal_that_finds_too_few_chips_posts_what_is_owed(slug: str) -> None:
    """The round is void: her bet is hers again, and the 100 she won is owed."""
    table = cashed_out(slug)
    events = table.do(commands.Void(by="sam", reason="a fire"))
    posted = {one.account: one.cents for one in only(events, SettlementReversed).postings}
    assert (posted["owed:ann"], posted.get("rack:ann", 0)) == (-200_00, 0)
    assert (table.rack("ann"), table.state.debt("ann"), table.house) == (0, 100_00, 0)
    assert (table.view("ann").owed, table.view("bob").owed) == ({"ann": 100_00}, {})
    assert table.view("dee").owed == {"ann": 100_00}


@pytest.mark.parametrize("slug", slugs())
def test_the_new_settlement_pays_the_debt_off(slug: str) -> None:
    """As corrected she lost: 200 are owed. Put right once more she won after all: the 100 won pay the debt.

    Her stake comes back to her, since that reversal is over (interpretation 54).
    """
    table = cashed_out(slug)
    table.amend(BANKER_WINS, agreed=AMENDS[slug])
    assert (table.rack("ann"), table.state.debt("ann")) == (0, 200_00)
    table.amend(PLAYER_WINS, agreed=AMENDS[slug])
    assert (table.rack("ann"), table.state.debt("ann")) == (100_00, 100_00)
    assert (table.net("bob"), table.house) == (-100_00, 0)


@pytest.mark.parametrize("slug", RWS)
def test_less_is_owed_where_less_is_missing(slug: str) -> None:
    """Ann kept 150 of her chips: of the 200 that come back 50 are owed, and 100 of the void pay that off."""
    table = Scene(slug)
    table.dealt(PLAYER_WINS)
    table.settle()
    table.do(commands.CashOut(by="ann", cents=BANK - 50_00))
    events = table.do(commands.Void(by="sam", reason="a fire"))
    posted = {one.account: one.cents for one in only(events, SettlementReversed).postings}
    assert (posted["owed:ann"], posted["rack:ann"]) == (-50_00, -150_00)
    assert (table.rack("ann"), table.state.debt("ann")) == (50_00, 0)


@pytest.mark.parametrize("slug", slugs())
def test_chips_that_really_lay_there_may_be_owed_too(slug: str) -> None:
    """Eve had 100 and bet it; the tape shows 150, which she lost."""
    table = Scene(slug)
    table.join("eve", bank=100_00)
    table.bets(("eve", "player", 100_00))
    table.close()
    table.deal(BANKER_WINS)
    table.record("eve", "player", 150_00)
    assert (table.rack("eve"), table.state.debt("eve")) == (0, 50_00)
    table.settle()
    assert (table.rack("eve"), table.state.debt("eve"), table.house) == (0, 50_00, 150_00)
