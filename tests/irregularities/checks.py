"""What the RWS documents say alike under different numbers, checked for any of them."""

from typing import NamedTuple

from irregularities.situations import (
    CBI,
    INSURED,
    PLAYER_WINS,
    TBC,
    TO_COME,
    V3,
    V4,
    Scene,
    only,
)
from thirdcard.cards import Card
from thirdcard.table import commands
from thirdcard.table.events import (
    CardsLaid,
    ChipsPutRight,
    ChoiceMade,
    ChoicesOffered,
    DisplayCorrected,
    IrregularityRuled,
    LateChipsRecorded,
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
COMMISSION = (TBC, CBI)


def as_they_lie(slug: str) -> tuple[str, ...]:
    """Options where the cards cannot be put right."""
    options = NUMBERS[slug].options
    return (options, f"{options}.1", f"{options}.3")


def put_right(slug: str) -> tuple[str, ...]:
    """Options where the cards are put right."""
    options = NUMBERS[slug].options
    return (options, f"{options}.2", f"{options}.3")


def banker_wins(slug: str, cents: int) -> int:
    """What a winning bet on Banker pays, not on 6 points."""
    return cents * 95 // 100 if slug in COMMISSION else cents


def face_down(slug: str, text: str = PLAYER_WINS, *bets: tuple[str, str, int]) -> Scene:
    """Cards that nobody has seen."""
    table = Scene(slug, method="face-down")
    table.dealt(text, *bets)
    return table


def face_up(slug: str, text: str = PLAYER_WINS, *bets: tuple[str, str, int]) -> Scene:
    table = Scene(slug)
    table.dealt(text, *bets)
    return table


def laid(event: CardsLaid) -> tuple[tuple[Card | None, ...], tuple[Card | None, ...]]:
    """Names of the cards in the hands, and of those that come next."""
    return tuple(one.name for one in event.cards), tuple(one.name for one in event.waiting)


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
    assert table.stakes() == {("ann", 1, "player"): 100_00, ("bob", 2, "banker"): 100_00}


def late_chips_go_back_unplayed(slug: str) -> None:
    """Cat puts 300 on the winning hand and Ann adds 50: neither is paid, whether it is ruled on or not."""
    number = (NUMBERS[slug].late,)
    table = face_up(slug, "")
    table.refuses("condition-not-met", number, table.reporting("late-bet", players=("cat",)))
    assert only(table.late("cat", "player", 300_00), LateChipsRecorded).rules == number
    table.late("ann", "player", 50_00)
    table.deal(PLAYER_WINS)
    assert table.nets("ann", "cat") == [-150_00, -300_00]
    assert table.stakes() == {("ann", 1, "player"): 100_00, ("bob", 2, "banker"): 100_00}
    table.refuses("condition-not-met", number, table.reporting("late-bet", players=("bob",)))
    assert table.report("late-bet", players=("cat",)).decides == "dealer"
    events = table.rule("dee")
    ruled, right = only(events, IrregularityRuled), only(events, ChipsPutRight)
    assert (ruled.remedies, ruled.rules) == (("refuse",), number)
    assert (right.stakes, right.rules) == (("1/player/cat",), number)
    assert table.nets("ann", "cat") == [-150_00, 0]
    assert only(table.settle(), ChipsPutRight).stakes == ("1/player/ann",)
    assert table.nets("ann", "bob", "cat") == [100_00, -100_00, 0]
    assert {line.player for line in table.lines()} == {"ann", "bob"}


def chips_taken_away_after_the_close_still_play(slug: str) -> None:
    """Bob takes 60 of his lost 100 off, Ann 30 of her won 100: both play for what lay there at the close."""
    number = (NUMBERS[slug].late,)
    for reported in (True, False):
        table = face_up(slug)
        assert only(table.late("bob", "banker", -60_00), LateChipsRecorded).rules == number
        table.late("ann", "player", -30_00)
        assert table.nets("ann", "bob") == [-70_00, -40_00]
        assert table.refused(table.being_late("bob", "banker", -50_00)).code == "no-such-stake"
        if reported:
            table.report("late-bet", players=("bob",))
            assert only(table.rule("dee"), ChipsPutRight).stakes == ("2/banker/bob",)
            assert table.nets("ann", "bob") == [-70_00, -100_00]
        table.settle()
        assert table.nets("ann", "bob") == [100_00, -100_00]


def chips_count_where_they_lie(slug: str) -> None:
    """Bob had meant the other hand: his chips stay where they are, and no dealer moves them."""
    number = (NUMBERS[slug].chips,)
    table = Scene(slug)
    table.bets(("ann", "player", 100_00))
    table.record("bob", "banker", 70_00)
    table.close()
    table.report("misplaced-chips", players=("bob",))
    ruled = only(table.rule("dee"), IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("settle",), number)
    table.refuses("wrong-rank", number, table.recording("bob", "banker", 0, by="dee"))
    table.refuses("wrong-rank", number, table.recording("bob", "player", 70_00, box=2, by="dee"))
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -70_00]


def display_is_corrected(slug: str) -> None:
    """The display said Banker where the cards said Player: whenever it is noticed, the cards decide."""
    number = (NUMBERS[slug].display,)
    table = face_up(slug)
    table.refuses("condition-not-met", number, table.reporting("display-error", displayed="banker"))
    table.settle()
    table.refuses("condition-not-met", number, table.reporting("display-error", displayed="player"))
    for shown in ("banker", "tie"):
        table.report("display-error", displayed=shown)
        events = table.rule("dee")
        ruled, corrected = only(events, IrregularityRuled), only(events, DisplayCorrected)
        assert (ruled.remedies, ruled.rules) == (("correct-display",), number)
        assert (corrected.shown, corrected.actual) == (shown, "player")
        assert not any(event.postings for event in events)
    assert number[0] in {rule for notice in table.view("cat").notices for rule in notice.rules}
    table.open()
    table.report("display-error", round=1, displayed="banker")
    assert not any(event.postings for event in table.rule("dee"))
    assert (table.nets("ann", "bob"), table.roads()) == ([100_00, -100_00], ["player"])


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
    assert table.nets("ann", "bob") == [100_00, -100_00]


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
    assert (table.nets("ann", "bob"), table.roads()) == ([50_00, -100_00], ["player"])
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


def who_goes_on_accepts_later_cards(slug: str) -> None:
    """A second error asks nobody who has gone on after the first, not even before an outcome."""
    table = face_up(slug, "2C")
    table.report("other-dealing-error")
    table.rule("sue")
    table.all_go_on()
    table.deal("4H")
    table.report("drawn-together", "3D KS", order_known=True)
    events = table.rule("sue")
    assert only(events, ChoicesOffered).players == ()
    assert not table.held_up
    table.deal("4D 2S")
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -100_00]


def who_goes_on_chooses_anew_in_the_next_round(slug: str) -> None:
    table = face_up(slug, "2C")
    table.report("other-dealing-error")
    table.rule("sue")
    table.all_go_on()
    table.deal("9H 3D KS")
    table.settle()
    table.dealt("2C")
    table.report("other-dealing-error")
    table.rule("sue")
    assert table.asked() == {"ann": "", "bob": ""}


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
    assert table.nets("ann", "bob") == [0, -100_00]


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
    assert (table.nets("ann", "bob"), table.roads()) == ([0, 0], ["player"])


def bets_by_staff_are_the_players(slug: str) -> None:
    """What staff put down for somebody wins and loses for that person, also where it was put down wrongly."""
    table = Scene(slug)
    table.open()
    for person in ("dee", "sue", "pam"):
        table.do(commands.Place(by=person, player="ann", box=1, bet="player", cents=10_00))
    table.do(commands.Place(by="dee", player="bob", box=2, bet="tie", cents=10_00))
    assert {stake.by for stake in table.current.stakes.values()} == {"pam", "dee"}
    table.close()
    table.deal(PLAYER_WINS)
    table.settle()
    assert table.nets("ann", "bob") == [30_00, -10_00]
    table.open()
    refusal = table.refused(commands.Place(by="ann", player="bob", box=2, bet="tie", cents=10_00))
    assert (refusal.code, refusal.rules) == ("wrong-rank", (NUMBERS[slug].by_staff,))
