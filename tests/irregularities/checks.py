"""What the RWS documents say alike under different numbers, checked for any of them."""

from typing import NamedTuple

from irregularities.situations import CBI, INSURED, PLAYER_WINS, TBC, TO_COME, V3, V4, Scene, cards, only
from thirdcard.table import commands
from thirdcard.table.events import (
    CardsReconstructed,
    CardsReplaced,
    ChoiceMade,
    ChoicesOffered,
    IrregularityRuled,
)


class Numbers(NamedTuple):
    """Where a document states a rule that the others state elsewhere."""

    late: str
    excess: str
    wrong: str
    face_up: str
    together: str
    later: tuple[str, ...]
    options: str
    chips: str
    display: str
    void: str
    by_staff: str
    uncovered: str
    final: str


_BUFFALO = Numbers(
    late="5.7", excess="5.8", wrong="5.9", face_up="5.10", together="5.11", later=("5.12", "5.6"),
    options="5.13", chips="5.14", display="5.15", void="5.16", by_staff="5.17", uncovered="5.18", final="5.6",
)  # fmt: skip
NUMBERS = {
    TBC: _BUFFALO._replace(chips="5.15", display="5.16", void="5.17", by_staff="5.18", uncovered="5.19"),
    V3: _BUFFALO,
    V4: _BUFFALO,
    CBI: _BUFFALO._replace(
        late="5.6",
        excess="5.7",
        wrong="5.8",
        face_up="5.9",
        together="5.10",
        later=("5.11", "5.5"),
        options="5.12",
        final="5.5",
    ),
}


def as_they_lie(slug: str) -> tuple[str, ...]:
    """Options where the cards cannot be put right."""
    options = NUMBERS[slug].options
    return (options, f"{options}.1", f"{options}.3")


def put_right(slug: str) -> tuple[str, ...]:
    """Options where the cards are put right."""
    options = NUMBERS[slug].options
    return (options, f"{options}.2", f"{options}.3")


def face_down(slug: str, text: str = PLAYER_WINS, *bets: tuple[str, str, int]) -> Scene:
    """Cards that nobody has seen."""
    table = Scene(slug, method="face-down")
    table.dealt(text, *bets)
    return table


def face_up(slug: str, text: str = PLAYER_WINS, *bets: tuple[str, str, int]) -> Scene:
    table = Scene(slug)
    table.dealt(text, *bets)
    return table


# Bets after the close, chips as they lie ------------------------------------------------------------------


def late_bets_are_refused(slug: str) -> None:
    number = (NUMBERS[slug].late,)
    table = Scene(slug)
    table.bets()
    table.close()
    for command in (
        table.placing("cat", "player", 100_00),
        table.placing("ann", "player", 10_00),
        table.taking_back("bob", "banker"),
        table.taking_back("ann", "player", 50_00),
        commands.Place(by="dee", player="cat", box=1, bet="tie", cents=10_00),
    ):
        table.refuses("wrong-phase", number, command)
    assert table.report("late-bet", players=("cat",)).decides == "dealer"
    ruled = only(table.rule("dee"), IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("refuse",), number)
    assert table.stakes() == {("ann", 1, "player"): 100_00, ("bob", 2, "banker"): 100_00}


def chips_count_where_they_lie(slug: str) -> None:
    number = (NUMBERS[slug].chips,)
    table = Scene(slug)
    table.bets(("ann", "player", 100_00))
    table.record("bob", "banker", 70_00)
    table.close()
    table.report("misplaced-chips", players=("bob",))
    ruled = only(table.rule("dee"), IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("settle",), number)
    table.deal(PLAYER_WINS)
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (100_00, -70_00)


def display_is_corrected(slug: str) -> None:
    """What a display said changes nothing about the outcome, settled or not, this round's or another's."""
    number = (NUMBERS[slug].display,)
    table = face_up(slug)
    table.settle()
    for _ in range(2):
        table.report("display-error")
        ruled = only(table.rule("dee"), IrregularityRuled)
        assert (ruled.remedies, ruled.rules) == (("correct-display",), number)
        assert (table.net("ann"), table.net("bob"), table.roads()) == (100_00, -100_00, ["player"])
    table.open()
    table.report("display-error", round=1)
    table.rule("dee")
    assert (table.net("ann"), table.roads()) == (100_00, ["player"])


def uncovered_goes_to_the_shift_manager(slug: str) -> None:
    number = (NUMBERS[slug].uncovered,)
    table = face_up(slug)
    assert table.report("not-covered").decides == "shift-manager"
    for person in ("dee", "sue", "pam"):
        table.refuses("wrong-rank", number, table.ruling(person, action="void", reason="a fire"))
        assert "Table Games Shift Manager" in table.refused(table.ruling(person)).sentence
    for inputs in ({"action": "void"}, {"action": "void", "reason": " "}, {"reason": "a fire"}, {}):
        table.refuses("fact-missing", number, table.ruling("sam", **inputs))
    ruled = only(table.rule("sam", action="void", reason="a fire"), IrregularityRuled)
    assert (ruled.inputs.reason, ruled.by, ruled.rules) == ("a fire", "sam", number)
    table.everything_is_back()


def uncovered_may_go_on(slug: str) -> None:
    table = face_up(slug)
    table.report("not-covered")
    table.rule("sam", action="continue", reason="a glass fell over")
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (100_00, -100_00)


# Cards in excess or exposed -------------------------------------------------------------------------------


def excess_begins_the_next_round(slug: str) -> None:
    number = NUMBERS[slug].excess
    table = face_up(slug)
    pending = table.report("excess-or-exposed-cards", "5H 6H")
    assert (pending.facts["outcome_established"], pending.decides) == (True, "pit-supervisor")
    events = table.rule("sue")
    assert only(events, IrregularityRuled).rules == (number,)
    made = only(events, CardsReconstructed)
    assert (made.cards, made.waiting, made.seen) == (cards(PLAYER_WINS), cards("5H 6H"), (True, True))
    assert not table.held_up
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (100_00, -100_00)
    table.bets(("ann", "player", 100_00))
    table.close()
    assert [table.view(viewer).waiting for viewer in ("cat", "dee")] == [cards("5H 6H"), cards("5H 6H")]
    assert table.refused(table.drawing("6H")).code == "card-not-due"
    table.deal("5H")
    assert table.refused(table.drawing("KS")).code == "card-not-due"
    table.deal("6H 3D 3S")
    assert table.sees("cat") == ["5H", "6H", "3D", "3S"]
    table.settle()
    assert table.net("ann") == 0


def excess_belongs_to_the_round(slug: str) -> None:
    """Two cards too early: the Banker's second and the Player's third."""
    table = face_up(slug, "2C 4H 3D")
    assert table.report("excess-or-exposed-cards", "KS 4D").decided_by == "player-pair"
    made = only(table.rule("sue"), CardsReconstructed)
    assert (made.cards, made.waiting) == (cards("2C 4H 3D KS 4D"), ())
    assert table.refused(commands.Settle(by="dee")).code == "round-not-complete"
    table.deal("2S")
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (100_00, -100_00)


def unseen_excess_is_in_nobodys_view(slug: str) -> None:
    table = face_down(slug)
    table.report("excess-or-exposed-cards", "5H 6H", shown=(6,))
    made = only(table.rule("sue"), CardsReconstructed)
    assert (made.waiting, made.seen, made.exposed) == (cards("5H 6H"), (False, True), ())
    for player in ("ann", "bob"):
        table.goes_on(player)
    for viewer in ("ann", "cat", "dee", "sam"):
        assert table.view(viewer).waiting == cards("6H")
        assert table.sees(viewer) == ["?", "?", "?", "?"]


def excess_before_an_outcome_gives_options(slug: str) -> None:
    excess = NUMBERS[slug].excess
    table = face_down(slug)
    table.do(table.reporting("excess-or-exposed-cards", "5H", shown=(5,)))
    assert (table.pending.facts["outcome_established"], table.pending.decided_by) == (False, "")
    events = table.rule("sue")
    assert only(events, IrregularityRuled).rules == (excess, f"{excess}.1", *put_right(slug))
    assert only(events, ChoicesOffered).players == ("ann", "bob")
    made = only(table.takes_back("bob"), ChoiceMade)
    assert (made.returned, table.net("bob")) == (("2/banker/bob",), 0)
    table.goes_on("ann")
    table.expose(1, 2, 3, 4)
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (100_00, 0)


def excess_after_an_outcome_gives_none(slug: str) -> None:
    """Player's first two cards are seen to be no pair: an outcome is established."""
    table = face_down(slug)
    table.expose(1, 3)
    assert table.report("excess-or-exposed-cards", "5H").decided_by == "player-pair"
    table.rule("sue")
    assert not table.held_up
    assert table.stakes() == {("ann", 1, "player"): 100_00, ("bob", 2, "banker"): 100_00}


def excess_beyond_reconstruction(slug: str) -> None:
    """The House says whether the cards can be reconstructed; options then need an outcome to be open."""
    excess = NUMBERS[slug].excess
    table = face_down(slug)
    table.report("excess-or-exposed-cards", "5H")
    ruled = only(table.rule("sue", reconstructable=False), IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("options",), (excess, f"{excess}.1", *as_they_lie(slug)))
    assert table.asked() == {"ann": "", "bob": ""}
    table = face_down(slug)
    table.expose(1, 3)
    table.report("excess-or-exposed-cards", "5H")
    ruled = only(table.rule("sue", reconstructable=False), IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("continue",), (excess,))
    assert not table.held_up


# Wrong area or person -------------------------------------------------------------------------------------


def wrong_area_with_an_outcome(slug: str) -> None:
    """Established and reconstructed: nobody is asked."""
    table = face_up(slug, TO_COME)
    assert table.report("wrong-area-or-person", "4D").decided_by == "player-pair"
    events = table.rule("sue")
    assert only(events, IrregularityRuled).rules == (NUMBERS[slug].wrong,)
    assert only(events, CardsReconstructed).cards == cards(f"{TO_COME} 4D")
    assert not table.held_up
    table.deal("2S")
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (100_00, -100_00)


def wrong_area_without_an_outcome(slug: str) -> None:
    table = face_up(slug, "9C")
    assert table.report("wrong-area-or-person", "4H").decided_by == ""
    ruled = only(table.rule("sue"), IrregularityRuled)
    assert ruled.rules == (NUMBERS[slug].wrong, *put_right(slug))
    assert table.asked() == {"ann": "", "bob": ""}


def wrong_person_beyond_reconstruction(slug: str) -> None:
    """Established but not to be reconstructed: everybody is asked all the same."""
    table = face_down(slug)
    table.expose(1, 3)
    assert table.report("wrong-area-or-person").decided_by == "player-pair"
    ruled = only(table.rule("sue", reconstructable=False), IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("options",), (NUMBERS[slug].wrong, *as_they_lie(slug)))
    assert table.asked() == {"ann": "", "bob": ""}


# Face up at a face-down table -----------------------------------------------------------------------------


def face_up_card_before_an_outcome(slug: str) -> None:
    table = face_down(slug, "9C")
    assert table.report("face-up-card", shown=(1,)).decided_by == ""
    ruled = only(table.rule("sue"), IrregularityRuled)
    assert (ruled.remedies, ruled.rules[0]) == (("options", "continue"), NUMBERS[slug].face_up)
    table.takes_back("bob")
    table.goes_on("ann")
    assert table.sees("cat") == ["9C"]
    table.deal("4H KD 2S")
    assert table.sees("cat") == ["9C", "?", "?", "?"]
    table.expose(2, 3, 4)
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (100_00, 0)


def face_up_card_after_an_outcome(slug: str) -> None:
    table = face_down(slug)
    assert table.report("face-up-card", shown=(1, 3)).decided_by == "player-pair"
    ruled = only(table.rule("sue"), IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("continue",), (NUMBERS[slug].face_up,))
    assert not table.held_up
    assert table.sees("cat") == ["9C", "?", "KD", "?"]


# Drawn together -------------------------------------------------------------------------------------------


def order_is_decided(slug: str) -> None:
    """4D or 2S to the Player: the supervisor says 2S, so Player has 7 and Banker 8."""
    number = NUMBERS[slug].together
    options = NUMBERS[slug].options
    table = Scene(slug, method="face-down")
    table.bets(("ann", "player", 100_00), ("bob", "banker", 100_00))
    table.close()
    table.show(TO_COME)
    table.report("drawn-together", "4D 2S", order_known=False)
    table.refuses("fact-missing", table.refused(table.ruling("sue")).rules, table.ruling("sue", "2S"))
    for order in ("4D", "2S 2S", "4D 2S KC"):
        assert table.refused(table.ruling("sue", order)).code == "fact-missing"
    assert table.refused(table.ruling("dee", "2S 4D")).code == "wrong-rank"
    events = table.rule("sue", "2S 4D")
    ruled = only(events, IrregularityRuled)
    assert ruled.rules[:1] == (number,)
    assert {f"{number}.1", options, f"{options}.3"} <= set(ruled.rules)
    assert only(events, CardsReconstructed).cards == cards(f"{TO_COME} 2S 4D")
    assert table.asked() == {"ann": "", "bob": ""}
    table.goes_on("ann")
    table.goes_on("bob")
    table.expose(5, 6)
    table.settle()
    assert (table.net("ann"), table.net("bob") > 0) == (-100_00, True)


def order_has_to_be_reported(slug: str) -> None:
    table = face_up(slug, TO_COME)
    assert table.refused(table.reporting("drawn-together", "4D 2S")).code == "fact-missing"


def together_always_gives_options(slug: str) -> None:
    """An outcome is established by the first four cards, and the order is known: they are asked all the same."""
    number = NUMBERS[slug].together
    table = Scene(slug)
    table.dealt(
        "2C 4H 3D", ("ann", "player", 100_00), ("bob", "banker", 100_00), ("bob", "player-pair", 10_00)
    )
    table.report("drawn-together", "KS 4D", order_known=True)
    ruled = only(table.rule("sue"), IrregularityRuled)
    assert ruled.rules[:1] == (f"{number}.1",)
    assert {f"{number}.2", *put_right(slug)} <= set(ruled.rules)
    assert table.asked() == {"ann": "", "bob": ""}
    assert only(table.takes_back("bob"), ChoiceMade).returned == ("2/banker/bob",)
    table.goes_on("ann")
    table.deal("2S")
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (100_00, -10_00)


def cards_may_be_replaced(slug: str) -> None:
    for replaced in (False, True):
        table = face_up(slug, "2C 4H")
        table.report("drawn-together", "3D KS", order_known=True)
        table.refuses("wrong-rank", table.refused(table.ruling("dee")).rules, table.ruling("dee"))
        table.rule("sue", replace_cards=replaced)
        table.goes_on("ann")
        events = table.goes_on("bob")
        assert [type(event) for event in events].count(CardsReplaced) == replaced
        table.deal("4D 2S")
        table.settle()
        if replaced:
            assert table.refused(commands.Open(by="dee")).code == "new-shoe-needed"
            table.do(commands.NewShoe(by="dee"))
        table.open()


# Other errors ---------------------------------------------------------------------------------------------


def later_errors_change_nothing(slug: str) -> None:
    table = face_up(slug)
    table.settle()
    table.bets(("ann", "player", 50_00))
    for case in ("foreign-card", "excess-or-exposed-cards", "drawn-together", "technical-interruption"):
        known = True if case == "drawn-together" else None
        table.refuses(
            "round-is-final", (NUMBERS[slug].final,), table.reporting(case, round=1, order_known=known)
        )
    table.report("noticed-later", round=1)
    ruled = only(table.rule("sue"), IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("stand",), NUMBERS[slug].later)
    table.report("wrong-number-of-cards", round=1)
    ruled = only(table.rule("sue"), IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("stand",), NUMBERS[slug].later)
    assert (table.net("ann"), table.net("bob"), table.roads()) == (50_00, -100_00, ["player"])
    table.close()
    table.deal("9D 4S KC 2H")
    table.settle()
    assert (table.net("ann"), table.roads()) == (150_00, ["player", "player"])


def any_other_error_gives_options(slug: str) -> None:
    """Always, whether an outcome is established or not and whether the cards can be put right or not."""
    for text in ("2C 4H", TO_COME):
        for can, rules in ((True, put_right(slug)), (False, as_they_lie(slug))):
            table = face_up(slug, text)
            table.report("other-dealing-error")
            table.refuses("wrong-rank", rules, table.ruling("dee", reconstructable=can))
            assert only(table.rule("sue", reconstructable=can), IrregularityRuled).rules == rules
            assert table.asked() == {"ann": "", "bob": ""}
            table.goes_on("ann")
            assert table.held_up
            table.goes_on("bob")
            assert not table.held_up


def undecided_bets_go_back(slug: str) -> None:
    """No pair for the Player: that bet is lost, Bob's others go back; Ann plays on and takes what comes."""
    table = Scene(slug)
    table.dealt(
        TO_COME,
        ("ann", "player", 100_00),
        ("bob", "banker", 100_00),
        ("bob", "tie", 20_00),
        ("bob", "player-pair", 15_00),
    )
    if slug in INSURED:
        table.insure("ann", "player", 20_00)
    table.report("other-dealing-error")
    table.rule("sue")
    table.refuses("no-choice", put_right(slug), table.choosing("bob", "return", (2, "tie")))
    made = only(table.takes_back("bob"), ChoiceMade)
    assert made.returned == ("2/banker/bob", "2/tie/bob")
    assert table.net("bob") == -15_00
    assert table.refused(table.choosing("bob", "continue")).code == "no-choice"
    table.goes_on("ann")
    table.deal("4D 2S")
    table.settle()
    assert table.net("bob") == -15_00
    assert table.net("ann") == (80_00 if slug in INSURED else 100_00)


def insurance_goes_back_with_its_bet(slug: str) -> None:
    table = face_up(slug, TO_COME)
    table.insure("ann", "player", 20_00)
    assert table.net("ann") == -120_00
    table.report("other-dealing-error")
    table.rule("sue")
    table.takes_back("ann")
    assert table.net("ann") == 0
    table.goes_on("bob")
    table.deal("4D 2S")
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (0, -100_00)


def everybody_may_withdraw(slug: str) -> None:
    """The round is played out all the same."""
    table = face_up(slug, TO_COME)
    table.report("other-dealing-error")
    table.rule("sue")
    table.takes_back("ann")
    table.do(table.choosing("bob", "return", by="dee"))
    assert table.refused(commands.Settle(by="dee")).code == "round-not-complete"
    table.deal("4D 2S")
    table.settle()
    assert (table.net("ann"), table.net("bob"), table.roads()) == (0, 0, ["player"])


def bets_by_staff_are_the_players(slug: str) -> None:
    table = Scene(slug)
    table.open()
    for person in ("dee", "sue", "pam"):
        table.do(commands.Place(by=person, player="ann", box=1, bet="player", cents=10_00))
    table.do(commands.Place(by="dee", player="bob", box=2, bet="tie", cents=10_00))
    for stake in table.state.round.stakes.values() if table.state.round else ():
        assert stake.by in ("pam", "dee")
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    assert (table.net("ann"), table.net("bob")) == (30_00, -10_00)
    table.open()
    refusal = table.refused(commands.Place(by="ann", player="bob", box=2, bet="tie", cents=10_00))
    assert (refusal.code, refusal.rules) == ("wrong-rank", (NUMBERS[slug].by_staff,))
