"""Reports that come to nothing, and several at once: no card is lost, no ruling overtakes another."""

import pytest

from each import each
from irregularities.every_case import EVERY_CASE, reported
from irregularities.situations import FACE_DOWN, MBS, PLAYER_WINS, RWS, TO_COME, Scene, kinds, only
from thirdcard.rulebook import load, slugs
from thirdcard.rulebook.rulings import find_case
from thirdcard.table import commands, legal
from thirdcard.table.events import ChoicesOffered, ReportDismissed, RoundVoided
from thirdcard.table.ruled import facts_now

PEOPLE = {"dealer": "dee", "pit-supervisor": "sue", "pit-manager": "pam"}
VOIDS = dict.fromkeys(RWS, "sue") | {MBS: "pam"}  # who voids for bad cards


def face_up(slug: str, text: str, *bets: tuple[str, str, int]) -> Scene:
    table = Scene(slug)
    table.dealt(text, *bets)
    return table


# Dismissed ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@each(("slug", "case"), EVERY_CASE)
def test_a_report_is_dismissed_by_who_may_rule_on_it(slug: str, case: str) -> None:
    table = reported(slug, case)
    decides, rules = table.pending.decides, table.pending.rules
    by = PEOPLE.get(decides, "sam")
    ranks = [rank.name for rank in load(slug).ranks]
    for rank, person in PEOPLE.items():
        if ranks.index(rank) < ranks.index(decides):
            refused = table.refused(commands.Dismiss(by=person, reason="nothing in it"))
            assert (refused.code, refused.rules) == ("wrong-rank", rules)
    table.refuses("fact-missing", rules, commands.Dismiss(by=by, reason=" "))
    assert table.refused(commands.Dismiss(by=by, case="nothing", reason="x")).code == "wrong-phase"
    dismissed = only(table.dismiss(by), ReportDismissed)
    assert (dismissed.case, dismissed.by) == (case, by)
    assert (table.held_up, table.current.irregularities) == (False, ())
    assert table.refused(commands.Dismiss(by="sam", reason="x")).code == "wrong-phase"
    assert table.refused(table.ruling("sam")).code == "wrong-phase"


@pytest.mark.parametrize("slug", slugs())
def test_cards_that_had_not_come_out_after_all_are_back(slug: str) -> None:
    """The 3D and the KS had never left the shoe: the round goes on with whatever comes."""
    table = face_up(slug, "2C 4H")
    before = (table.shoe.used, table.current, table.state.balances)
    table.report("drawn-together", "3D KS", order_known=True)
    assert table.shoe.used == 4
    table.dismiss("pam")
    assert (table.shoe.used, table.current, table.state.balances) == before
    assert {card for card, many in table.shoe.drawn.items() if many} == {"2C", "4H"}
    table.deal("9D 4S")


@pytest.mark.parametrize("slug", RWS)
def test_cards_that_waited_wait_again(slug: str) -> None:
    """5H and 6H opened the round; a report that counted them as its own is dismissed."""
    table = face_up(slug, PLAYER_WINS)
    table.report("excess-or-exposed-cards", "5H 6H")
    table.rule("sue")
    table.settle()
    table.dealt("", ("ann", "player", 100_00))
    table.report("drawn-together", "5H 6H 7C", order_known=True)
    assert (table.waiting, table.shoe.used) == ([], 7)
    table.dismiss("sue")
    assert (table.waiting, table.shoe.used) == (["5H", "6H"], 6)
    assert [one.face_up for one in table.shoe.waiting] == [True, True]
    table.deal("5H 6H")


@pytest.mark.parametrize("slug", slugs())
def test_once_ruled_on_nothing_is_dismissed(slug: str) -> None:
    table = face_up(slug, "2C 4H")
    table.report("drawn-together", "3D KS", order_known=True)
    table.rule("pam")
    assert table.refused(commands.Dismiss(by="sam", reason="nothing in it")).code == "wrong-phase"
    assert table.asked() == {"ann": "", "bob": ""}


@pytest.mark.parametrize("slug", slugs())
def test_a_dismissed_report_is_no_part_of_the_statement(slug: str) -> None:
    table = face_up(slug, PLAYER_WINS)
    table.report("foreign-card")
    table.dismiss("pam")
    table.settle()
    assert table.current.settlement is not None
    assert table.current.settlement.irregularities == ()
    assert table.nets("ann", "bob") == [100_00, -100_00]


# Several at once ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", slugs())
def test_a_second_report_waits_its_turn(slug: str) -> None:
    """Late chips are found while it is open whether cards came out together."""
    late = "late-wager" if slug == MBS else "late-bet"
    table = face_up(slug, "2C 4H")
    table.report("drawn-together", "3D KS", order_known=True)
    table.late("cat", "player", 50_00)
    table.do(table.reporting(late))
    assert (table.pending.case, [one.case for one in table.current.reported]) == ("drawn-together", [late])
    assert [one.case for one in table.view("cat").reported] == [late]
    assert table.refused(table.ruling("dee")).code == "wrong-rank"  # the first one is not the dealer's
    table.rule("pam")
    assert table.asked() == {"ann": "", "bob": ""}
    table.all_go_on()
    assert table.pending.case == late
    assert table.refused(table.drawing("4D")).code == "paused"
    table.rule("dee")
    assert (table.held_up, table.net("cat")) == (False, 0)
    table.deal("4D 2S")
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -100_00]


@pytest.mark.parametrize("slug", slugs())
def test_a_void_ends_all_of_them(slug: str) -> None:
    table = face_up(slug, "2C 4H")
    table.report("foreign-card")
    table.do(table.reporting("not-covered"))
    table.rule(VOIDS[slug])
    table.everything_is_back()
    assert table.current.reported == ()
    table.new_shoe_first()


@pytest.mark.parametrize("slug", slugs())
def test_any_of_them_is_dismissed_by_its_name(slug: str) -> None:
    table = face_up(slug, "2C 4H")
    table.report("foreign-card")
    table.do(table.reporting("not-covered"))
    assert table.refused(commands.Dismiss(by="pam", case="not-covered", reason="x")).code == "wrong-rank"
    table.dismiss("sam", case="not-covered")
    assert (table.pending.case, table.current.reported) == ("foreign-card", ())
    table.do(table.reporting("not-covered"))
    table.dismiss("pam")
    assert table.pending.case == "not-covered"


@pytest.mark.parametrize("slug", RWS)
def test_5_4_2_what_may_void_the_round_is_ruled_first(slug: str) -> None:
    """No outcome when the power failed: the cards of the report before it, laid, would have established one."""
    table = face_up(slug, "9C 4H")
    table.report("wrong-area-or-person", "KD 2S")
    table.do(table.reporting("technical-interruption"))
    assert (table.pending.case, table.current.reported[0].case) == (
        "technical-interruption",
        "wrong-area-or-person",
    )
    only(table.rule("sue"), RoundVoided)


@pytest.mark.parametrize("slug", RWS)
def test_5_4_2_an_interruption_is_judged_on_the_cards_at_its_time(slug: str) -> None:
    """Cards that were turned before it is ruled on make it no outcome that there was when the power failed."""
    table = face_up(slug, "9C 4H")
    table.report("technical-interruption")
    later = face_up(slug, "9C 4H KD 2S")
    procedure = find_case(table.state.rulebook, "technical-interruption")
    facts = facts_now(later.state, later.current, procedure, table.pending)
    assert facts["outcome_established"] is False


@pytest.mark.parametrize("slug", RWS)
def test_a_second_error_asks_only_who_has_not_gone_on(slug: str) -> None:
    """Ann went on after the first; Bob took his bets back and Cat had none to take: nobody is left to ask."""
    table = face_up(slug, "2C", ("ann", "player", 100_00), ("bob", "banker", 100_00))
    table.report("other-dealing-error")
    table.do(table.reporting("drawn-together", "4H 3D", order_known=True))
    table.rule("sue")
    table.goes_on("ann")
    table.takes_back("bob")
    events = table.rule("sue")
    assert only(events, ChoicesOffered).players == ()
    table.deal("KS 4D 2S")
    table.settle()
    assert table.nets("ann", "bob") == [100_00, 0]


@pytest.mark.parametrize("slug", RWS)
def test_cards_of_two_reports_stay_in_the_order_drawn(slug: str) -> None:
    """The 5H came out in excess, and then the 6H: the next round opens with the 5H."""
    table = face_up(slug, PLAYER_WINS)
    table.report("excess-or-exposed-cards", "5H")
    table.do(table.reporting("excess-or-exposed-cards", "6H"))
    table.rule("sue")
    table.rule("sue")
    assert (table.waiting, table.shoe.used) == (["5H", "6H"], 6)
    table.settle()
    table.dealt("5H 6H")


@pytest.mark.parametrize("slug", RWS)
def test_cards_of_one_report_after_another_stay_in_the_order_drawn(slug: str) -> None:
    table = face_up(slug, PLAYER_WINS)
    for card in ("5H", "6H"):
        if card == "6H":  # the one that waits came out before it
            table.report("excess-or-exposed-cards", "5H 6H")
        else:
            table.report("excess-or-exposed-cards", card)
        table.rule("sue")
    assert (table.waiting, table.shoe.used) == (["5H", "6H"], 6)


@pytest.mark.parametrize("slug", RWS)
def test_what_everybody_saw_of_two_cards_is_seen_of_both(slug: str) -> None:
    """Two cards in a row are dealt face up at a face-down table, each reported at once."""
    table = Scene(slug, **FACE_DOWN[slug])
    table.dealt("9C")
    table.report("face-up-card", "4H")
    table.do(table.reporting("face-up-card", "KD"))
    table.rule("sue")
    table.all_go_on()
    table.rule("sue")
    table.all_go_on()
    assert table.sees("cat") == ["?", "4H", "KD"]
    table.deal("2S")
    table.finish()
    assert table.nets("ann", "bob") == [100_00, -100_00]


@pytest.mark.parametrize("slug", RWS)
def test_a_second_report_turns_no_card_of_the_first(slug: str) -> None:
    """Two cards lie face down in the wrong area; the foreign card that was seen came after them."""
    table = Scene(slug, **FACE_DOWN[slug])
    table.dealt("9C 4H")
    table.report("wrong-area-or-person", "? ?")
    table.do(table.reporting("foreign-card", "7D"))
    table.rule("sue")
    table.all_go_on()
    table.rule("sue")
    assert [one.face_up for one in table.current.drawn] == [False] * 4


@pytest.mark.parametrize("slug", slugs())
def test_a_record_is_put_right_while_a_report_waits(slug: str) -> None:
    """As keyed an outcome was established by a natural; with the true card none of the hands is decided."""
    case = "power-failure" if slug == MBS else "other-dealing-error"
    table = face_up(slug, "2C 4H 7D KS")
    table.report(case)
    table.amend(TO_COME)
    assert table.pending.case == case
    table.rule("sue")
    if slug != MBS:
        assert table.asked() == {"ann": "", "bob": ""}
        table.takes_back("bob")
        table.goes_on("ann")
    table.deal("2D 5S")
    table.settle()
    assert table.nets("ann", "bob") == [-100_00, 95_00 if slug == MBS else 0]


@pytest.mark.parametrize("slug", slugs())
def test_there_is_an_end_to_reports(slug: str) -> None:
    table = face_up(slug, "2C 4H")
    table.report("foreign-card")
    for _ in range(20):
        if table.current.reported and len(table.current.reported) >= 8:
            break
        table.do(table.reporting("not-covered"))
    assert table.refused(table.reporting("not-covered")).code == "wrong-phase"
    table.rule("pam")
    table.everything_is_back()


@pytest.mark.parametrize("slug", slugs())
def test_what_may_be_done_meanwhile_is_offered(slug: str) -> None:
    table = face_up(slug, "2C 4H")
    table.report("foreign-card")
    kinds_of = {type(one.command) for one in legal(table.state, "pam")}
    assert {commands.Rule, commands.Dismiss, commands.Report} <= kinds_of
    assert commands.Dismiss not in {type(one.command) for one in legal(table.state, "dee")}


@pytest.mark.parametrize("slug", RWS)
def test_after_settlement_a_second_error_reverses_once(slug: str) -> None:
    """Both are about cards beyond putting in order; the settlement is taken back once and made once."""
    table = face_up(slug, PLAYER_WINS)
    table.settle()
    table.report("wrong-area-or-person", cards=(1, 3))
    table.do(table.reporting("other-dealing-error", cards=(2, 4)))
    first = table.rule("sue", reconstructable=False)
    assert kinds(first).count("SettlementReversed") == 1
    table.takes_back("bob")
    table.goes_on("ann")
    table.rule("sue", reconstructable=False)
    table.all_go_on()
    assert (table.state.phase, table.nets("ann", "bob")) == ("settled", [100_00, 0])
    assert table.roads() == ["player"]
