"""What every table keeps to, whatever its document: chips, shoe, views, ledger, replay."""

import msgspec
import pytest

from table.tables import CBI, EVERY, MBS, TBC, V4, Table, cards, kinds, only, set_up
from thirdcard.errors import BadInput
from thirdcard.rulebook import load
from thirdcard.table import Refusal, commands, decide, evolve, legal, replay, start
from thirdcard.table.events import BoughtIn, CardsRetrieved, PlayerJoined, PlayerLeft
from thirdcard.table.ledger import AWAY, CASH, Posting, move, rack
from thirdcard.table.setup import Limit
from thirdcard.table.state import DrawnCard
from thirdcard.table.transcript import transcript

PLAYER_WINS = "P 9C KD | B 4H 2S"


# Set-up ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", EVERY)
def test_every_layout_can_be_set_up_with_its_positions(slug: str) -> None:
    for letter, layout in load(slug).layouts.items():
        low, high = layout.positions
        start(set_up(slug, letter, positions=low))
        start(set_up(slug, letter, positions=high))
        for positions in (low - 1, high + 1):
            with pytest.raises(BadInput, match=f"layout {letter} has {low} to {high} positions"):
                start(set_up(slug, letter, positions=positions))


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"decks": 3}, "4 to 10 decks"),
        ({"decks": 11}, "4 to 10 decks"),
        ({"layout": "Z"}, "layout"),
        ({"limits": {}}, "no limits for player"),
        ({"limits": {"*": Limit(10_00), "wu-dalang": Limit(10_00)}}, "does not offer"),
        ({"limits": {"*": Limit(0)}}, "minimum above zero"),
        ({"limits": {"*": Limit(20_00, 10_00)}}, "no more than the maximum"),
        ({"limits": {"*": Limit(10_50)}}, "multiples of the chip unit"),
        ({"differential": 0}, "positive multiple"),
        ({"differential": 10_50}, "positive multiple"),
        ({"chip_unit": 30}, "chip unit"),
        ({"cut": 411}, "between 0 and 410"),
        ({"cut": -1}, "between 0 and 410"),
        ({"method": "A"}, "face-up, face-down"),
        ({"wagers_per_area": 3}, "not limited by this document"),
        ({"staff": {"eve": "assistant-casino-manager"}}, "the ranks are"),
        ({"staff": {"e v": "dealer"}}, "not a name"),
    ],
)
def test_a_set_up_that_cannot_be_played_says_why(changed: dict[str, object], told: str) -> None:
    layout = str(changed.pop("layout", "A"))
    with pytest.raises(BadInput, match=told):
        start(set_up(TBC, layout, **changed))


def test_cbi_takes_eight_decks_at_most() -> None:
    start(set_up(CBI, decks=8))
    with pytest.raises(BadInput, match=r"4 to 8 decks \(2\.2\.1\)"):
        start(set_up(CBI, decks=9))


def test_what_is_not_changed_stays() -> None:
    table = Table(TBC)
    table.do(commands.ChangeSetup(by="pam", changes=commands.Changes(differential=500_00)))
    table.do(commands.ChangeSetup(by="pam", changes=commands.Changes(cut=20)))
    before = table.state.setup
    table.open()
    assert table.state.setup == msgspec.structs.replace(before, differential=500_00, cut=20)


# Chips ----------------------------------------------------------------------------------------------------


def test_buying_in_and_cashing_out() -> None:
    table = Table(TBC, seats={})
    assert table.refused(commands.BuyIn(by="ann", cents=100_00)).code == "unknown-person"
    table.join("ann", 1, bank=0)
    (event,) = table.do(commands.BuyIn(by="ann", cents=100_00))
    assert event.postings == (Posting("cash", -100_00), Posting("rack:ann", 100_00))
    assert table.refused(commands.BuyIn(by="ann", cents=50)).code == "not-a-multiple"
    assert table.refused(commands.CashOut(by="ann", cents=100_01)).code == "rack-too-small"
    table.do(commands.CashOut(by="ann", cents=33_33))  # winnings need not be whole chips
    assert table.rack("ann") == 66_67
    table.open()
    table.place("ann", "player", 60_00)
    assert table.refused(table.placing("ann", "player", 10_00)).code == "rack-too-small"
    assert table.refused(commands.CashOut(by="ann", cents=10_00)).code == "rack-too-small"


def test_stakes_are_multiples_of_the_chip_unit() -> None:
    table = Table(TBC, chip_unit=5_00, limits={"*": Limit(10_00)})
    table.open()
    for cents in (0, -10_00, 12_00, 10_01):
        assert table.refused(table.placing("ann", "player", cents)).code == "not-a-multiple"
    table.place("ann", "player", 15_00)


def test_names_are_plain() -> None:
    table = Table(TBC)
    for name in ("", "a b", "a:b", "a/b", "x" * 41, "ann", "dee"):
        assert table.refused(commands.Join(by=name)).code == "unknown-player"
    table.do(commands.Join(by="Zoë"))


# Postings -------------------------------------------------------------------------------------------------


def test_every_movement_is_a_posting() -> None:
    table = Table(TBC)
    table.open()
    (placed,) = table.place("ann", "player", 100_00)
    assert placed.postings == (Posting("rack:ann", -100_00), Posting("box:1", 100_00))
    (back,) = table.take_back("ann", "player", 30_00)
    assert back.postings == (Posting("box:1", -30_00), Posting("rack:ann", 30_00))
    table.place("bob", "banker", 40_00)
    table.close()
    table.deal(PLAYER_WINS)
    (settled,) = table.settle()
    assert dict(msgspec.structs.astuple(one) for one in settled.postings) == {
        "box:1": -70_00,
        "rack:ann": 140_00,
        "house": -30_00,
        "box:2": -40_00,
    }
    reversal, voided = table.do(commands.Void(by="sam", reason="foreign card"))
    assert dict(msgspec.structs.astuple(one) for one in reversal.postings) == {
        "box:1": 70_00,
        "rack:ann": -140_00,
        "house": 30_00,
        "box:2": 40_00,
    }
    assert dict(msgspec.structs.astuple(one) for one in voided.postings) == {
        "box:1": -70_00,
        "rack:ann": 70_00,
        "box:2": -40_00,
        "rack:bob": 40_00,
    }


def test_many_rounds_add_up() -> None:
    """Ann wins 100, loses 50, pushes; Bob's Banker wins 47.50 on 50."""
    table = Table(TBC)
    table.round(PLAYER_WINS, ("ann", "player", 100_00))
    table.round("P 4C 2D | B 9H KS", ("ann", "player", 50_00), ("bob", "banker", 50_00))
    table.round("P 4C 4D | B 6H 2S", ("ann", "player", 70_00))
    assert (table.net("ann"), table.net("bob"), table.net("cat")) == (50_00, 47_50, 0)
    assert table.house == -97_50
    assert table.state.balances["cash"] == -30_000_00


# The shoe -------------------------------------------------------------------------------------------------


def test_cards_are_counted_against_the_decks() -> None:
    table = Table(TBC, decks=4)
    assert table.view("ann").cards_left == 208
    table.round("P 9C 9C | B 9C 9C", ("ann", "player", 10_00))
    assert table.view("ann").cards_left == 204
    table.open()
    table.close()
    refusal = table.refused(table.drawing("9C"))
    assert (refusal.code, "all 4 of 9C" in refusal.sentence) == ("card-not-in-shoe", True)
    table.deal("9H")
    table.do(commands.Void(by="sam", reason="power"))
    assert table.view("ann").cards_left == 203
    table.do(commands.NewShoe(by="dee"))
    assert (table.view("ann").shoe, table.view("ann").cards_left) == (2, 208)
    table.open()
    table.close()
    table.deal("9C")


def test_a_shoe_comes_before_the_first_round_and_between_rounds() -> None:
    table = Table(TBC)
    table.open()
    assert table.refused(commands.NewShoe(by="dee")).code == "wrong-phase"
    table.close()
    assert table.refused(commands.NewShoe(by="dee")).code == "wrong-phase"
    empty = replay([start(set_up(TBC))])
    refusal = decide(empty, commands.Open(by="dee"))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "new-shoe-needed"


def test_the_cut_card_is_fourteen_from_the_end_by_default() -> None:
    """After 402 of 416 cards it is next (interpretation 33)."""
    table = Table(TBC)
    table.open()
    table.close()
    shoe = table.state.shoe
    assert shoe is not None
    for used, expected in ((401, ["CardDrawn"]), (402, ["CutCardAppeared", "CardDrawn"])):
        moved = msgspec.structs.replace(table.state, shoe=msgspec.structs.replace(shoe, used=used))
        decided = decide(moved, table.drawing("9C"))
        assert not isinstance(decided, Refusal)
        assert kinds(decided) == expected


def test_cards_left_over_come_first() -> None:
    table = Table(TBC)
    table.open()
    table.close()
    shoe = table.state.shoe
    assert shoe is not None
    left_over = tuple(DrawnCard(name=card) for card in cards("KC 5D"))
    waiting = msgspec.structs.replace(shoe, used=2, waiting=left_over)
    table.state = msgspec.structs.replace(table.state, shoe=waiting)
    assert table.refused(table.drawing("5D")).code == "card-not-due"
    table.deal("KC 5D 9H")
    after = table.state.shoe
    assert after is not None
    assert (after.used, after.waiting) == (3, ())


def test_a_correction_must_fit_the_shoe() -> None:
    table = Table(TBC, decks=4)
    table.round("P 9C 9C | B 9C 9C", ("ann", "player", 10_00))
    table.round(PLAYER_WINS.replace("9C", "9H"), ("ann", "player", 10_00))
    refused = table.refused(commands.Correct(by="sue", cards=cards(PLAYER_WINS), reason="a club"))
    assert refused.code == "card-not-in-shoe"
    table.do(commands.Correct(by="sue", cards=cards("P 9D KD | B 4H 2S"), reason="a diamond"))
    shoe = table.state.shoe
    assert shoe is not None
    assert (shoe.used, shoe.drawn.get("9H", 0), shoe.drawn["9D"]) == (8, 0, 1)


# Views ----------------------------------------------------------------------------------------------------


def test_racks_are_ones_own_business_and_the_staffs() -> None:
    table = Table(TBC)
    assert table.view("ann").racks == {"ann": 10_000_00}
    assert table.view("somebody-passing").racks == {}
    assert set(table.view("dee").racks) == {"ann", "bob", "cat"}


def test_a_card_in_hand_counts_for_its_squeezer_only() -> None:
    table = Table(MBS, method="A", device="reader")
    table.open()
    table.place("ann", "player", 10_00)
    table.close()
    table.deal("2C 4H 3D KS")
    table.do(commands.HandOver(by="dee", player="ann", cards=(1, 3)))
    assert table.view("ann").points == {"player": 5, "banker": None}
    assert table.view("bob").points == {"player": None, "banker": None}
    assert [card.held_by for card in table.view("bob").cards] == ["ann", None, "ann", None]


# People who go ---------------------------------------------------------------------------------------------


def test_a_supervisor_stands_anybody_up_and_the_bets_play() -> None:
    table = Table(TBC, method="face-up")
    table.open()
    table.place("ann", "player", 100_00)
    table.close()
    events = table.do(commands.Leave(by="sue", player="ann"))
    assert kinds(events) == ["SeatLeft", "WalkedAway"]
    assert "ann" not in table.state.seats.values()
    assert "sue stands ann up from box 1" in list(table.transcript())
    table.deal("9C 3D KH AS")
    table.settle()
    assert table.net("ann") == 100_00
    table.open()
    table.do(commands.Sit(by="ann", box=1))


def test_who_is_stood_up_gives_back_the_cards_and_the_right_passes_on() -> None:
    table = Table(MBS, method="A", device="reader")
    table.open()
    table.place("ann", "player", 20_00)
    table.place("bob", "player", 10_00)
    table.close()
    table.deal("2C 4H 3D KS")
    table.do(commands.HandOver(by="dee", player="ann", cards=(1, 3)))
    events = table.do(commands.Leave(by="sue", player="ann"))
    assert only(events, CardsRetrieved).places == (1, 3)
    table.do(commands.HandOver(by="dee", player="bob", cards=(1, 3)))


def test_who_has_left_leaves_nothing_behind_but_a_sum() -> None:
    """The state after a thousand people is that after none, but for one number; coming back undoes it."""
    table = Table(TBC)
    empty = table.state
    state = empty
    for number in range(1_000):
        name = f"guest-{number}"
        came = (
            PlayerJoined(player=name),
            BoughtIn(player=name, cents=100, postings=move(100, CASH, rack(name))),
        )
        for event in (*came, PlayerLeft(player=name, cents=100, brought=100)):
            state = evolve(state, event)
    assert state.balances == {**empty.balances, CASH: empty.balances[CASH] - 100_000, AWAY: 100_000}
    assert msgspec.structs.replace(state, balances={}) == msgspec.structs.replace(empty, balances={})
    back = evolve(state, PlayerJoined(player="guest-7", cents=100, brought=100))
    assert back.rack("guest-7") == 100
    assert sum(back.balances.values()) == 0


def test_coming_and_going_is_told() -> None:
    came, went = PlayerJoined(player="eve"), PlayerLeft(player="eve", cents=500_00, brought=500_00)
    back = PlayerJoined(player="eve", cents=500_00, brought=500_00)
    log = (start(set_up(TBC)), came, went, back, PlayerLeft(player="eve"))
    assert list(transcript(log))[-4:] == [
        "eve comes to the table",
        "eve has left the table; chips of 500 are kept",
        "eve comes back to chips of 500",
        "eve has left the table",
    ]


# What may come next ---------------------------------------------------------------------------------------


def test_legal_before_and_after_joining() -> None:
    table = Table(TBC)
    assert [option.command for option in legal(table.state, "eve")] == [commands.Join(by="eve")]
    table.join("eve", bank=0)
    names = {type(option.command).__name__ for option in legal(table.state, "eve")}
    assert names == {"BuyIn", "Sit"}


def test_legal_gives_the_range_of_a_bet() -> None:
    table = Table(TBC)
    table.open()
    table.place("ann", "player", 300_00)
    options = [option for option in legal(table.state, "cat") if isinstance(option.command, commands.Place)]
    found = {
        (option.command.box, option.command.bet): (option.command.cents, option.most, option.step)
        for option in options
        if isinstance(option.command, commands.Place)
    }
    assert found[1, "player"] == (10_00, 700_00, 1_00)
    assert found[1, "banker"] == (10_00, 1_300_00, 1_00)
    assert found[1, "tie"] == (10_00, 2_000_00, 1_00)
    assert not any(box == 3 for box, _ in found)


def test_legal_gives_the_cap_of_insurance() -> None:
    table = Table(TBC)
    table.open()
    table.place("ann", "player", 300_00)
    table.close()
    table.deal("KC KH 6D 5S")
    (option,) = [one for one in legal(table.state, "ann") if isinstance(one.command, commands.Insure)]
    assert (option.most, option.step) == (300_00, 1_00)


# Replay ---------------------------------------------------------------------------------------------------


def test_a_log_comes_to_the_same_state_through_json() -> None:
    from thirdcard.table.events import AnyEvent  # noqa: PLC0415 - only this test needs it
    from thirdcard.table.script import state_hash  # noqa: PLC0415

    table = Table(TBC)
    table.round(PLAYER_WINS, ("ann", "player", 100_00), ("bob", "banker", 50_00))
    table.do(commands.Correct(by="sue", cards=cards("P 9C KD | B 9H KS"), reason="misread"))
    table.open()
    table.place("cat", "tie", 10_00, box=2)
    written = [msgspec.json.encode(event) for event in table.log]
    decode = msgspec.json.Decoder(AnyEvent).decode
    again = replay([decode(line) for line in written])
    assert again == table.state
    assert state_hash(again) == state_hash(table.state)


def test_settlement_is_that_of_a_single_round() -> None:
    """The table comes to the same lines as `thirdcard settle`."""
    from thirdcard.play.settlement import Game  # noqa: PLC0415

    stakes = {"player": 100_00, "banker": 60_00, "tie": 20_00}
    for deal in (PLAYER_WINS, "P 4C 2D | B 9H KS", "P 4C 4D | B 6H 2S", "P 2C 3D 2H | B 4H KS KD"):
        table = Table(V4)
        table.open()
        for bet, cents in stakes.items():
            table.place("ann", bet, cents)
        table.close()
        table.deal(deal)
        table.settle()
        alone = Game(load(V4), "A").settle(cards(deal), stakes)
        assert table.net("ann") == alone.net
        assert [(line.bet, line.result, line.net) for line in table.lines()] == [
            (line.bet, line.result, line.net) for line in alone.bets
        ]
