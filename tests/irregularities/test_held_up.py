"""While an irregularity holds a round up: what is refused, who decides, and what the table shows of it."""

import pytest

from each import each
from irregularities.every_case import EVERY_CASE, reported
from irregularities.situations import BANK, MBS, PLAYER_WINS, STAGES, TBC, TO_COME, Scene, cards
from thirdcard.rulebook import load, slugs
from thirdcard.table import commands, decide, legal
from thirdcard.table.commands import AnyCommand
from thirdcard.table.refusals import Refusal

WAITING = dict.fromkeys(
    slugs(), ("drawn-together", "Pit Supervisor, Pit Manager or Table Games Shift Manager")
) | {MBS: ("drawn-together", "Pit Manager, Gaming Shift Manager or Assistant Casino Manager")}


def all_the_others(table: Scene) -> list[AnyCommand]:
    """Everything that has to wait, of every kind of person."""
    return [
        table.placing("ann", "player", 10_00),
        table.taking_back("ann", "player"),
        table.drawing("5H"),
        commands.Sit(by="cat", box=3),
        commands.NewShoe(by="dee"),
        commands.Open(by="dee"),
        commands.Close(by="dee"),
        commands.Expose(by="dee", cards=(1,)),
        commands.Settle(by="dee"),
        commands.Decline(by="ann"),
        commands.Insure(by="ann", box=1, hand="player", cents=10_00),  # type: ignore[arg-type]
        commands.Correct(by="sam", cards=cards(PLAYER_WINS), reason="x"),
        commands.RejectExcess(by="dee", box=1),
        commands.Remove(by="pam", player="ann", box=1, bet="player", cents=10_00),
        commands.CutCard(by="dee"),
        commands.GiveDevice(by="dee", player="ann"),
        commands.TakeDevice(by="dee"),
        commands.ConfirmAmendment(by="sue"),
        commands.RequestBankerThirdFirst(by="ann"),
    ]


@pytest.mark.parametrize("slug", slugs())
def test_everything_else_waits_for_the_ruling(slug: str) -> None:
    table = Scene(slug)
    table.dealt("2C 4H")
    case, rank = WAITING[slug]
    table.report(case, "3D KS", order_known=True)
    paragraphs = next(p.rules for p in load(slug).procedures if p.case == case)
    for command in all_the_others(table):
        refusal = table.refused(command)
        assert (refusal.code, refusal.rules) == ("paused", paragraphs), command
        assert f"{rank} has to rule" in refusal.sentence
        assert case in refusal.sentence


@pytest.mark.parametrize("slug", slugs())
def test_then_for_the_players(slug: str) -> None:
    table = Scene(slug)
    table.dealt("2C 4H")
    table.report(WAITING[slug][0], "3D KS", order_known=True)
    table.rule("pam")
    for command in all_the_others(table):
        assert table.refused(command).code == "paused"
        assert "ann, bob still to choose" in table.refused(command).sentence
    table.goes_on("ann")
    assert "bob still to choose" in table.refused(commands.Settle(by="dee")).sentence
    assert "ann" not in table.refused(commands.Settle(by="dee")).sentence
    assert table.refused(table.choosing("ann", "return")).code == "no-choice"
    assert table.refused(table.choosing("cat", "continue")).code == "no-choice"
    table.goes_on("bob")
    table.deal("4D 2S")
    table.settle()


@pytest.mark.parametrize("slug", slugs())
def test_people_come_and_go_meanwhile(slug: str) -> None:
    table = Scene(slug)
    table.dealt("2C 4H")
    table.report(WAITING[slug][0], "3D KS", order_known=True)
    table.do(commands.Join(by="eve"))
    table.do(commands.BuyIn(by="eve", cents=100_00))
    table.do(commands.CashOut(by="eve", cents=100_00))
    table.do(commands.Leave(by="ann"))
    table.do(commands.Assign(by="pam", person="dee", rank="pit-manager"))
    table.rule("dee")
    assert set(table.asked()) == {"ann", "bob"}


@each("slug", slugs())
@each("stage", STAGES)
def test_void_by_discretion_ends_it(slug: str, stage: str) -> None:
    table = Scene(slug)
    table.reach(stage)
    table.report("display-error" if stage == "settled" else "not-covered")
    table.do(commands.Void(by="sam", reason="a fire"))
    assert table.state.phase == "void"
    assert not table.held_up
    assert [table.net(player) for player in table.state.players] == [0, 0, 0, 0]


@pytest.mark.parametrize("slug", slugs())
def test_everybody_sees_what_holds_the_round_up(slug: str) -> None:
    table = Scene(slug)
    table.dealt("2C 4H")
    case = WAITING[slug][0]
    table.report(case, "3D KS", order_known=True)
    for viewer in ("ann", "cat", "dee", "somebody-passing"):
        held = table.view(viewer).held_up
        assert held is not None
        assert (held.case, held.choices) == (case, {})
        assert held.decides == {MBS: "pit-manager"}.get(slug, "pit-supervisor")
    table.rule("pam")
    held = table.view("cat").held_up
    assert held is not None
    assert (held.decides, held.choices) == (None, {"ann": "", "bob": ""})
    table.goes_on("ann")
    table.goes_on("bob")
    assert table.view("cat").held_up is None


@pytest.mark.parametrize("slug", slugs())
def test_a_case_that_cannot_come_up_is_refused(slug: str) -> None:
    for procedure in load(slug).procedures:
        if procedure.needs is not None:
            table = Scene(slug)
            table.reach("two-cards")
            table.refuses("not-allowed-here", procedure.rules, table.reporting(procedure.case))


@pytest.mark.slow
@each(("slug", "case"), EVERY_CASE)
def test_every_rank_below_is_refused_with_paragraph_and_rank(slug: str, case: str) -> None:
    """Whoever may not rule hears which paragraph it is and whom it takes."""
    book = load(slug)
    ranks = {rank.name: rank.title for rank in book.ranks}
    people = {"dee": 0, "sue": 1, "pam": 2}
    table = reported(slug, case)
    needed = list(ranks).index(table.pending.decides)
    for person, rank in people.items():
        if rank < needed:
            refusal = table.refused(table.ruling(person))
            assert (refusal.code, bool(refusal.rules)) == ("wrong-rank", True)
            assert set(refusal.rules) <= set(book.paragraphs)
            assert ranks[table.pending.decides] in refusal.sentence
    for player in ("ann", "cat"):
        assert table.refused(table.ruling(player)).code == "wrong-rank"
    assert table.refused(table.ruling("nobody")).code == "unknown-person"


@pytest.mark.parametrize("slug", slugs())
def test_only_staff_report(slug: str) -> None:
    table = Scene(slug)
    table.dealt(TO_COME)
    assert table.refused(table.reporting("foreign-card", by="ann")).code == "wrong-rank"
    assert table.refused(table.reporting("foreign-card", by="nobody")).code == "unknown-person"
    assert table.refused(table.reporting("no-such-case")).code == "unknown-case"
    assert table.refused(table.reporting("foreign-card", players=("nobody",))).code == "unknown-player"
    assert table.refused(table.reporting("foreign-card", box=9)).code == "unknown-box"
    assert table.refused(table.reporting("foreign-card", shown=(5,))).code == "no-such-card"
    assert table.refused(table.ruling("sam")).code == "wrong-phase"
    assert table.refused(table.choosing("ann", "continue")).code == "no-choice"


@pytest.mark.parametrize("slug", slugs())
def test_no_round_nothing_to_report(slug: str) -> None:
    table = Scene(slug)
    assert table.refused(table.reporting("foreign-card")).code == "wrong-phase"
    table.bets()
    table.do(commands.Void(by="sam", reason="a fire"))
    assert table.refused(table.reporting("foreign-card")).code == "wrong-phase"


@pytest.mark.parametrize("slug", slugs())
def test_cards_reported_left_the_shoe(slug: str) -> None:
    table = Scene(slug)
    table.dealt("2C 4H")
    assert table.state.shoe is not None
    before = table.state.shoe.left
    table.report("drawn-together", "3D KS", order_known=True)
    assert table.state.shoe.left == before - 2


@pytest.mark.parametrize("slug", slugs())
def test_what_may_be_done_is_offered(slug: str) -> None:
    """Rulings to those who may give them, choices to those who are asked."""
    table = Scene(slug)
    table.dealt("2C 4H")
    table.report("drawn-together", "3D KS", order_known=True)
    kinds = {
        person: {type(option.command) for option in legal(table.state, person)} for person in ("dee", "pam")
    }
    assert commands.Rule in kinds["pam"]
    assert commands.Rule not in kinds["dee"]
    table.rule("pam")
    offered = [
        option.command for option in legal(table.state, "ann") if isinstance(option.command, commands.Choose)
    ]
    assert {command.choice for command in offered} == {"continue", "return"}
    assert not any(isinstance(option.command, commands.Choose) for option in legal(table.state, "cat"))
    for command in offered:
        assert not isinstance(decide(table.state, command), Refusal)


def test_a_void_after_insurance_returns_the_insurance() -> None:
    table = Scene(TBC)
    table.reach("four-cards")
    assert table.rack("ann") == BANK - 140_00
    table.report("foreign-card")
    table.rule("sue")
    assert table.rack("ann") == BANK
