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
    cards,
    kinds,
    only,
)
from thirdcard.cards import Card
from thirdcard.table import commands
from thirdcard.table.events import (
    CardsHanded,
    CardsLaid,
    CardsReplaced,
    CardsRetrieved,
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
    table.report("display-error", displayed="banker")
    table.rule("dee")
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


# Cards in excess or exposed -------------------------------------------------------------------------------


def excess_begins_the_next_round(slug: str) -> None:
    number = NUMBERS[slug].excess
    table = face_up(slug)
    pending = table.report("excess-or-exposed-cards", "5H 6H")
    assert (pending.facts["outcome_established"], pending.decides) == (True, "pit-supervisor")
    events = table.rule("sue")
    assert only(events, IrregularityRuled).rules == (number,)
    made = only(events, CardsLaid)
    assert laid(made) == (cards(PLAYER_WINS), cards("5H 6H"))
    assert [one.face_up for one in made.waiting] == [True, True]
    assert not table.held_up
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -100_00]
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
    made = only(table.rule("sue"), CardsLaid)
    assert laid(made) == (cards("2C 4H 3D KS 4D"), ())
    assert table.refused(commands.Settle(by="dee")).code == "round-not-complete"
    table.deal("2S")
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -100_00]


def unseen_excess_is_in_nobodys_view(slug: str) -> None:
    table = face_down(slug)
    table.report("excess-or-exposed-cards", "? 6H", shown=(6,))
    made = only(table.rule("sue"), CardsLaid)
    assert laid(made) == ((None,) * 4, (None, *cards("6H")))
    assert [one.face_up for one in made.waiting] == [False, True]
    table.all_go_on()
    for viewer in ("ann", "cat", "dee", "sam"):
        assert table.view(viewer).waiting == cards("6H")
        assert table.sees(viewer) == ["?", "?", "?", "?"]
    table.finish()
    table.dealt("5H 6H")
    assert table.sees("cat") == ["?", "6H"]


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
    table.finish()
    assert table.nets("ann", "bob") == [100_00, 0]


def excess_after_an_outcome_gives_none(slug: str) -> None:
    """Player's first two cards are seen to be no pair: an outcome is established."""
    table = face_down(slug)
    table.expose(1, 3)
    assert table.report("excess-or-exposed-cards", "?").decided_by == "player-pair"
    table.rule("sue")
    assert not table.held_up
    assert table.stakes() == {("ann", 1, "player"): 100_00, ("bob", 2, "banker"): 100_00}


def excess_beyond_reconstruction(slug: str) -> None:
    """The cards are in no hand: they open the next round as the House says, in whatever order they came."""
    excess = NUMBERS[slug].excess
    table = face_down(slug)
    table.report("excess-or-exposed-cards", "5H 6H", shown=(5, 6))
    assert table.refused(table.ruling("sue", "5H 5H", reconstructable=False)).code == "fact-missing"
    ruled = only(table.rule("sue", "6H 5H", reconstructable=False), IrregularityRuled)
    assert ruled.remedies == ("keep-for-next-round", "options")
    assert ruled.rules == (excess, f"{excess}.1", *as_they_lie(slug))
    assert table.asked() == {"ann": "", "bob": ""}
    assert table.waiting == ["6H", "5H"]
    table = face_down(slug)
    table.expose(1, 3)
    table.report("excess-or-exposed-cards", "5H 6H", shown=(5, 6))
    ruled = only(table.rule("sue", "6H 5H", reconstructable=False), IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("keep-for-next-round", "continue"), (excess,))
    assert not table.held_up
    table.finish()
    assert table.nets("ann", "bob") == [100_00, -100_00]
    table.dealt("6H 5H")
    assert table.sees("cat") == ["6H", "5H"]


# Wrong area or person -------------------------------------------------------------------------------------


def wrong_area_with_an_outcome(slug: str) -> None:
    """Established and reconstructed: nobody is asked."""
    table = face_up(slug, TO_COME)
    assert table.report("wrong-area-or-person", "4D").decided_by == "player-pair"
    events = table.rule("sue")
    assert only(events, IrregularityRuled).rules == (NUMBERS[slug].wrong,)
    assert laid(only(events, CardsLaid)) == (cards(f"{TO_COME} 4D"), ())
    assert not table.held_up
    assert [str(card) for card in table.state.deal().player] == ["2C", "3D", "4D"]
    table.deal("2S")
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -100_00]


def wrong_area_without_an_outcome(slug: str) -> None:
    table = face_up(slug, "9C")
    assert table.report("wrong-area-or-person", "4H").decided_by == ""
    ruled = only(table.rule("sue"), IrregularityRuled)
    assert ruled.rules == (NUMBERS[slug].wrong, *put_right(slug))
    assert table.asked() == {"ann": "", "bob": ""}


def handed_wrongly(slug: str) -> Scene:
    """Ann may squeeze the Player hand, and Bob has it in his hands."""
    table = Scene(slug, method="face-down")
    table.bets(("ann", "player", 200_00), ("bob", "banker", 100_00))
    table.close()
    table.do(commands.RequestSqueeze(by="ann", cards=(1, 3)))
    table.do(commands.PermitSqueeze(by="sue", player="ann", cards=(1, 3)))
    table.deal(PLAYER_WINS)
    handing = commands.HandOver(by="dee", cards=(1, 3), player="bob")
    assert table.refused(handing).code == "no-right-to-squeeze"
    rightly = commands.HandOver(by="dee", cards=(1, 3), player="ann", wrongly=True)
    assert table.refused(rightly).code == "condition-not-met"
    wrongly = commands.HandOver(by="dee", cards=(1, 3), player="bob", wrongly=True)
    assert only(table.do(wrongly), CardsHanded).wrongly
    return table


def wrong_person_gives_the_cards_back(slug: str) -> None:
    """The cards go to who was to squeeze them; that Bob has had them in hand stays on record."""
    table = handed_wrongly(slug)
    assert table.current.handed == {1: "bob", 3: "bob"}
    table.report("wrong-area-or-person", players=("bob",))
    events = table.rule("sue")
    assert only(events, IrregularityRuled).rules == (NUMBERS[slug].wrong, *put_right(slug))
    assert only(events, CardsRetrieved).places == (1, 3)
    assert table.current.handed == {1: "ann", 3: "ann"}
    assert [one.seen_by for one in table.current.drawn] == [("bob", "ann"), (), ("bob", "ann"), ()]
    assert table.asked() == {"ann": "", "bob": ""}
    table.takes_back("bob")
    table.goes_on("ann")
    table.expose(1, 3, by="ann")
    table.expose(2, 4)
    table.settle()
    assert table.nets("ann", "bob") == [200_00, 0]


def wrong_person_with_an_outcome(slug: str) -> None:
    """The Banker hand is seen to be no pair: the cards are passed on, and nobody is asked."""
    table = handed_wrongly(slug)
    table.expose(2, 4)
    assert table.report("wrong-area-or-person", players=("bob",)).decided_by == "banker-pair"
    events = table.rule("sue")
    assert only(events, IrregularityRuled).rules == (NUMBERS[slug].wrong,)
    assert not table.held_up
    assert table.current.handed == {1: "ann", 3: "ann"}
    assert table.stakes() == {("ann", 1, "player"): 200_00, ("bob", 2, "banker"): 100_00}


def wrong_person_has_to_be_on_record(slug: str) -> None:
    table = face_down(slug)
    refused = table.refused(table.reporting("wrong-area-or-person", players=("bob",)))
    wrong = NUMBERS[slug].wrong
    assert (refused.code, refused.rules) == ("condition-not-met", (wrong, f"{wrong}.1", f"{wrong}.2"))


def beyond_reconstruction_everybody_is_asked(slug: str) -> None:
    """The cards in question decide nothing: Bob's pair, lost if they counted, goes back like the rest."""
    for settled in (False, True):
        table = face_up(slug, PLAYER_WINS, ("ann", "player", 100_00), ("bob", "player-pair", 10_00))
        if settled:
            table.settle()
        assert table.report("wrong-area-or-person", cards=(1, 2, 3)).decided_by == "player"
        events = table.rule("sue", reconstructable=False)
        ruled = only(events, IrregularityRuled)
        assert (ruled.remedies, ruled.rules) == (
            ("as-they-lie", "options"),
            (NUMBERS[slug].wrong, *as_they_lie(slug)),
        )
        assert ("SettlementReversed" in kinds(events)) == settled
        assert table.asked() == {"ann": "", "bob": ""}
        table.takes_back("bob")
        table.goes_on("ann")
        if not settled:
            table.settle()
        assert table.nets("ann", "bob") == [100_00, 0]


# Face up at a face-down table -----------------------------------------------------------------------------


def face_up_card_before_an_outcome(slug: str) -> None:
    table = face_down(slug, "9C")
    assert table.report("face-up-card", shown=(1,), names={1: "9C"}).decided_by == ""
    ruled = only(table.rule("sue"), IrregularityRuled)
    assert (ruled.remedies, ruled.rules[0]) == (("options", "continue"), NUMBERS[slug].face_up)
    table.takes_back("bob")
    table.goes_on("ann")
    assert table.sees("cat") == ["9C"]
    table.deal("4H KD 2S")
    assert table.sees("cat") == ["9C", "?", "?", "?"]
    table.finish()
    assert table.nets("ann", "bob") == [100_00, 0]


def face_up_card_stays_in_the_round(slug: str) -> None:
    """Drawn face up: it is the Banker's first card, and the draw goes on after it."""
    for shown in ((2,), ()):  # a card from an ordinary shoe that has a name was seen
        table = face_down(slug, "9C")
        assert table.refused(table.reporting("face-up-card", "?", shown=(2,))).code == "card-not-named"
        table.report("face-up-card", "4H", shown=shown)
        table.rule("sue")
        table.all_go_on()
        assert table.sees("cat") == ["?", "4H"]
        assert (len(table.current.drawn), table.waiting, table.shoe.used) == (2, [], 2)
        table.deal("KD 2S")
        table.finish()
        assert [str(card) for card in table.state.deal().banker] == ["4H", "2S"]
        assert (table.nets("ann", "bob"), table.roads()) == ([100_00, -100_00], ["player"])


def face_up_card_after_an_outcome(slug: str) -> None:
    table = face_down(slug)
    pending = table.report("face-up-card", shown=(1, 3), names={1: "9C", 3: "KD"})
    assert pending.decided_by == "player-pair"
    ruled = only(table.rule("sue"), IrregularityRuled)
    assert (ruled.remedies, ruled.rules) == (("continue",), (NUMBERS[slug].face_up,))
    assert not table.held_up
    assert table.sees("cat") == ["9C", "?", "KD", "?"]


# Drawn together -------------------------------------------------------------------------------------------


def order_is_decided(slug: str) -> None:
    """Nobody has seen the two cards: the second counts first, so Player has 7 and Banker 8."""
    number = NUMBERS[slug].together
    options = NUMBERS[slug].options
    table = Scene(slug, method="face-down")
    table.shown(TO_COME)
    table.report("drawn-together", "? ?", order_known=False)
    for order in ("", "1", "2 2", "1 2 3", "2S 4D"):
        assert table.refused(table.ruling("sue", order)).code == "fact-missing"
    assert table.refused(table.ruling("dee", "2 1")).code == "wrong-rank"
    events = table.rule("sue", "2 1")
    ruled = only(events, IrregularityRuled)
    assert ruled.rules[:1] == (number,)
    assert {f"{number}.1", options, f"{options}.3"} <= set(ruled.rules)
    assert table.asked() == {"ann": "", "bob": ""}
    table.all_go_on()
    assert (table.sees("cat"), table.waiting) == ([*TO_COME.split(), "?"], ["?"])
    table.said[5] = cards("2S")[0]
    table.expose(5)
    table.finish("4D")
    assert table.nets("ann", "bob") == [-100_00, banker_wins(slug, 100_00)]


def order_is_decided_of_cards_that_were_seen(slug: str) -> None:
    """By their names; the Player gets the 2S."""
    table = face_up(slug, TO_COME)
    table.report("drawn-together", "4D 2S", shown=(5, 6), order_known=False)
    for order in ("", "4D", "2S 2S", "4D 2S KC"):
        assert table.refused(table.ruling("sue", order)).code == "fact-missing"
    assert laid(only(table.rule("sue", "2S 4D"), CardsLaid))[0] == cards(f"{TO_COME} 2S 4D")
    assert table.asked() == {"ann": "", "bob": ""}
    table.takes_back("ann")
    table.goes_on("bob")
    table.settle()
    assert table.nets("ann", "bob") == [0, banker_wins(slug, 100_00)]


def order_is_decided_whenever_it_is_noticed(slug: str) -> None:
    """Both third cards lie there, settled or not: 9 over 6 for the Player, 8 over 7 for the Banker as decided."""
    for settled in (False, True):
        table = face_up(slug, f"{TO_COME} 4D 2S")
        if settled:
            table.settle()
            assert table.nets("ann", "bob") == [100_00, -100_00]
        table.report("drawn-together", cards=(5, 6), order_known=False)
        events = table.rule("sue", "2S 4D")
        assert ("SettlementReversed" in kinds(events)) == settled
        assert table.asked() == {"ann": "", "bob": ""}
        table.takes_back("ann")
        table.goes_on("bob")
        if not settled:
            table.settle()
        assert table.nets("ann", "bob") == [0, banker_wins(slug, 100_00)]
        assert table.roads() == ["banker"]


def order_has_to_be_reported(slug: str) -> None:
    table = face_up(slug, TO_COME)
    assert table.refused(table.reporting("drawn-together", "4D 2S")).code == "fact-missing"


def together_always_gives_options(slug: str) -> None:
    """An outcome is established by the first four cards, and the order is known: they are asked all the same."""
    number = NUMBERS[slug].together
    table = face_up(
        slug, "2C 4H 3D", ("ann", "player", 100_00), ("bob", "banker", 100_00), ("bob", "player-pair", 10_00)
    )
    table.report("drawn-together", "KS 4D", order_known=True)
    ruled = only(table.rule("sue"), IrregularityRuled)
    assert ruled.rules[:1] == (f"{number}.1",)
    assert {f"{number}.2", *put_right(slug)} <= set(ruled.rules)
    assert table.asked() == {"ann": "", "bob": ""}
    assert only(table.takes_back("bob"), ChoiceMade).returned == ("2/banker/bob",)
    table.goes_on("ann")
    if slug in INSURED:  # window by window: the second card has come out and waits for its turn
        assert (list(table.offers()), table.waiting) == (["player"], ["4D"])
        table.do(commands.Decline(by="ann"))
        table.deal("4D")
    table.deal("2S")
    table.settle()
    assert table.nets("ann", "bob") == [100_00, -10_00]


def cards_may_be_replaced(slug: str) -> None:
    for replaced in (False, True):
        table = face_up(slug, "2C 4H")
        table.report("drawn-together", "3D KS", order_known=True)
        assert table.refused(table.ruling("dee", replace_cards=replaced)).code == "wrong-rank"
        table.rule("sue", replace_cards=replaced)
        table.goes_on("ann")
        events = table.goes_on("bob")
        assert [type(event) for event in events].count(CardsReplaced) == replaced
        table.deal("4D 2S")
        table.settle()
        if replaced:
            table.new_shoe_first()
        else:
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
