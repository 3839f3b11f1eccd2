"""What the RWS documents say alike of cards: drawn in excess, misplaced, seen, drawn together."""

from irregularities.checks import NUMBERS, as_they_lie, banker_wins, face_down, face_up, laid, put_right
from irregularities.situations import INSURED, PLAYER_WINS, TO_COME, Scene, cards, kinds, only
from thirdcard.table import commands
from thirdcard.table.events import (
    CardsHanded,
    CardsLaid,
    CardsReplaced,
    CardsRetrieved,
    ChoiceMade,
    ChoicesOffered,
    IrregularityRuled,
)

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
