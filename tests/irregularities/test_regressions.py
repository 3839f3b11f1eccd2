"""Faults that were found in the irregularities of every document, so that they do not come back."""

from typing import Any

import pytest

from each import each
from irregularities.situations import BANK, INSURED, MBS, PLAYER_WINS, RWS, TO_COME, Scene, cards, only
from thirdcard.rulebook import load, slugs
from thirdcard.table import commands
from thirdcard.table.events import (
    CardsExposed,
    CardsReplaced,
    IrregularityRuled,
    PlayedChanged,
    StakeSet,
    WalkedAway,
)
from thirdcard.table.ledger import Posting
from thirdcard.table.rights.insurance import has_forgone
from thirdcard.table.setup import Limit
from thirdcard.table.transcript import transcript

UNCOVERED = {
    slug: next(p.rules for p in load(slug).procedures if p.case == "not-covered") for slug in slugs()
}
FINAL = {slug: load(slug).betting.final.rules for slug in slugs()}


# Who it was -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", RWS)
def test_what_follows_the_last_choice_is_told_of_who_ruled(slug: str) -> None:
    """Bob's choice releases the round, recorded by the dealer: neither of them turned or replaced a card."""
    for last in ("", "dee"):
        table = Scene(slug)
        table.dealt("2C 4H")
        table.report("drawn-together", "3D KS", order_known=True)
        table.rule("sue", replace_cards=True)
        table.goes_on("ann")
        events = table.do(table.choosing("bob", "continue", by=last))
        turned = [event for event in events if isinstance(event, CardsExposed)]
        assert [(event.places, event.by) for event in turned] == [((3,), "sue"), ((4,), "sue")]
        assert only(events, CardsReplaced).by == "sue"


def test_what_follows_the_last_choice_is_told_of_who_ruled_mbs() -> None:
    table = Scene(MBS)
    table.dealt(TO_COME)
    table.report("drawn-together", "4D 2S", order_known=False)
    table.rule("pam", "2S 4D")
    table.goes_on("ann")
    turned = [event for event in table.goes_on("bob") if isinstance(event, CardsExposed)]
    assert [(event.places, event.by) for event in turned] == [((5,), "pam"), ((6,), "pam")]


@pytest.mark.parametrize("slug", slugs())
def test_a_player_who_rules_hears_whom_it_takes(slug: str) -> None:
    """Not that a dealer could: the rank and the paragraph of the ruling itself."""
    titles = {rank.name: rank.title for rank in load(slug).ranks}
    table = Scene(slug)
    table.dealt(TO_COME)
    for case in ("foreign-card", "not-covered"):
        pending = table.report(case)
        ruling = next(p.rulings[0] for p in load(slug).procedures if p.case == case)
        assert pending.decides == ruling.decides != "dealer"
        for person in ("ann", "cat", "dee"):
            table.refuses("wrong-rank", ruling.rules, table.ruling(person))
            assert titles[ruling.decides] in table.refused(table.ruling(person)).sentence
        table.do(commands.Void(by="sam", reason="a fire"))
        table.dealt("2C 4H")


@each("slug", slugs())
@each("person", ["ann", "cat", "dee", "sue", "pam", "sam"])
def test_held_up_is_the_answer_whatever_the_rank(slug: str, person: str) -> None:
    """Also where the person could never have done it."""
    table = Scene(slug)
    table.dealt("2C 4H")
    pending = table.report("foreign-card")
    for command in (
        commands.Sit(by=person, box=3),
        commands.NewShoe(by=person),
        commands.Open(by=person),
        commands.Place(by=person, box=1, bet="player", cents=10_00),
        commands.TakeBack(by=person, box=1, bet="player"),
        commands.RejectExcess(by=person, box=1),
        commands.Remove(by=person, player="ann", box=1, bet="player", cents=10_00),
        commands.Close(by=person),
        commands.CutCard(by=person),
        commands.AllowWithdrawal(by=person),
        commands.Draw(by=person, card=cards("5H")[0]),
        commands.Expose(by=person, cards=(1,)),
        commands.RequestSqueeze(by=person, cards=(5,)),
        commands.PermitSqueeze(by=person, player="ann", cards=(5,)),
        commands.HandOver(by=person, player="ann", cards=(1,)),
        commands.GiveDevice(by=person, player="ann"),
        commands.GiveUpDevice(by=person),
        commands.Decline(by=person),
        commands.Settle(by=person),
        commands.Correct(by=person, cards=cards(PLAYER_WINS), reason=""),
        commands.ConfirmAmendment(by=person),
    ):
        table.refuses("paused", pending.rules, command)
    assert table.refused(commands.Settle(by="nobody")).code == "unknown-person"


# Walking away ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", RWS)
def test_walking_away_takes_a_name_and_a_bet(slug: str) -> None:
    table = Scene(slug)
    table.dealt(TO_COME)
    assert table.refused(table.reporting("walks-away")).code == "condition-not-met"
    assert table.refused(table.reporting("walks-away", players=("cat",))).code == "condition-not-met"


@pytest.mark.parametrize("slug", INSURED)
def test_who_is_gone_walks_away_without_another_event(slug: str) -> None:
    table = Scene(slug)
    table.dealt(TO_COME)
    table.report("walks-away", players=("ann",))
    assert only(table.rule("dee"), WalkedAway).player == "ann"
    again = commands.Report(by="dee", case="walks-away", players=("ann",))
    table.refuses("condition-not-met", ("5.3", "5.3.1"), again)
    table.report("walks-away", players=("ann", "bob"))
    assert only(table.rule("dee"), WalkedAway).player == "bob"
    assert table.current.gone == ("ann", "bob")
    assert all(has_forgone(table.state, table.current, person) for person in ("ann", "bob"))
    told = "\n".join(transcript(table.log))
    assert [told.count(f"{player} walks away") for player in ("ann", "bob")] == [1, 1]


# What is not covered --------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", slugs())
def test_what_is_about_an_earlier_round_leaves_this_one_alone(slug: str) -> None:
    table = Scene(slug)
    table.dealt(PLAYER_WINS)
    table.settle()
    table.dealt("2C 4H")
    before = table.stakes()
    table.report("not-covered", round=1)
    named = (("ann", 1, "player"),)
    for action in ("void", "return-stakes", "cut-to-maximum"):
        ruling = table.ruling("sam", action=action, stakes=named, reason="seen on the tape")
        table.refuses("round-is-final", FINAL[slug], ruling)
    table.rule("sam", action="continue", reason="seen on the tape")
    assert (table.stakes(), table.state.phase, table.roads()) == (before, "dealing", ["player"])


@pytest.mark.parametrize("slug", slugs())
def test_the_shift_manager_returns_the_stakes_named_and_no_others(slug: str) -> None:
    table = Scene(slug)
    table.dealt("2C 4H", ("ann", "player", 100_00), ("ann", "tie", 20_00), ("bob", "banker", 100_00))
    table.report("not-covered")
    ruling: dict[str, Any] = {
        "action": "return-stakes",
        "stakes": (("ann", 1, "tie"), ("ann", 1, "tie")),
        "reason": "spilt",
    }
    for person in ("dee", "sue", "pam"):
        table.refuses("wrong-rank", UNCOVERED[slug], table.ruling(person, **ruling))
    table.refuses("fact-missing", UNCOVERED[slug], table.ruling("sam", **ruling | {"reason": " "}))
    table.refuses("fact-missing", UNCOVERED[slug], table.ruling("sam", **ruling | {"stakes": ()}))
    nowhere = table.ruling("sam", **ruling | {"stakes": (("bob", 1, "tie"),)})
    assert table.refused(nowhere).code == "no-such-stake"
    events = table.rule("sam", **ruling)
    ruled = only(events, IrregularityRuled)
    assert (ruled.by, ruled.inputs.reason) == ("sam", "spilt")
    returned = only(events, StakeSet)
    assert (returned.why, returned.rules) == ("returned", UNCOVERED[slug])
    assert returned.postings == (Posting("box:1", -20_00), Posting("rack:ann", 20_00))
    assert table.stakes() == {("ann", 1, "player"): 100_00, ("bob", 2, "banker"): 100_00}
    assert (table.net("ann"), table.net("bob"), table.lying(), table.house) == (-100_00, -100_00, 200_00, 0)
    assert not table.held_up


@pytest.mark.parametrize("slug", INSURED)
def test_insurance_on_a_returned_bet_goes_back_too(slug: str) -> None:
    table = Scene(slug)
    bets = (("ann", "player", 100_00), ("cat", "player", 100_00), ("bob", "banker", 100_00))
    table.dealt(TO_COME, *bets)
    table.insure("ann", "player", 20_00)
    table.insure("cat", "player", 10_00)
    table.report("not-covered")
    events = table.rule("sam", action="return-stakes", stakes=(("ann", 1, "player"),), reason="spilt")
    assert only(events, StakeSet).postings == (Posting("box:1", -100_00), Posting("rack:ann", 100_00))
    assert only(events, PlayedChanged).postings == (Posting("box:1", -20_00), Posting("rack:ann", 20_00))
    assert [table.net(player) for player in ("ann", "cat", "bob")] == [0, -110_00, -100_00]
    table.deal("2D 5S")
    table.settle()
    assert [line.player for line in table.lines()] == ["cat", "bob", "cat"]
    assert table.rack("ann") == BANK


@pytest.mark.parametrize("slug", slugs())
def test_the_shift_manager_cuts_the_stakes_named_to_the_maximum(slug: str) -> None:
    """Two ties over the maximum of 50, of which Ann's is named; her 40 on Player is not over it."""
    table = Scene(slug, limits={"*": Limit(10_00, 50_00)})
    table.bets(("ann", "player", 40_00))
    table.record("ann", "tie", 80_00)
    table.record("bob", "tie", 70_00)
    table.close()
    table.report("not-covered")
    named = (("ann", 1, "tie"), ("ann", 1, "player"))
    both = table.ruling("sam", action="cut-to-maximum", stakes=named, reason="overlooked")
    table.refuses("condition-not-met", UNCOVERED[slug], both)
    events = table.rule("sam", action="cut-to-maximum", stakes=named[:1], reason="overlooked")
    cut = only(events, StakeSet)
    assert (cut.why, cut.before, cut.stake.cents, cut.rules) == ("returned", 80_00, 50_00, UNCOVERED[slug])
    assert cut.postings == (Posting("box:1", -30_00), Posting("rack:ann", 30_00))
    assert table.stakes() == {
        ("ann", 1, "player"): 40_00,
        ("ann", 1, "tie"): 50_00,
        ("bob", 2, "tie"): 70_00,
    }
    assert (table.net("ann"), table.net("bob")) == (-90_00, -70_00)


# Cards seen in error --------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["excess-or-exposed-cards", "wrong-area-or-person", "other-dealing-error"])
@pytest.mark.parametrize("slug", RWS)
def test_what_everybody_saw_stays_in_view_though_it_cannot_be_put_right(slug: str, case: str) -> None:
    table = Scene(slug, method="face-down")
    table.dealt(PLAYER_WINS)
    table.report(case, shown=(2,), names={2: "4H"})
    exposed = only(table.rule("sue", reconstructable=False), CardsExposed)
    assert (exposed.places, exposed.by) == ((2,), "sue")
    for viewer in ("ann", "cat", "dee", "somebody-passing"):
        assert table.sees(viewer) == ["?", "4H", "?", "?"]
    table.goes_on("ann")
    table.goes_on("bob")
    assert table.sees("cat") == ["?", "4H", "?", "?"]
    assert table.refused(commands.Expose(by="dee", cards=(2,))).code == "no-such-card"
    table.finish()
    assert table.net("ann") == 100_00
