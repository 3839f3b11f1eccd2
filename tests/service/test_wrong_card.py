"""A card that was keyed wrongly: what is shown before the record is put right is what comes out of it."""

from collections.abc import Iterator
from copy import copy

import msgspec
import pytest

from irregularities.situations import CBI, FACE_DOWN, MBS, PLAYER_WINS, RWS, TBC, TO_COME, V4, Scene
from thirdcard.cards import Card, parse_card
from thirdcard.service.queries.wrong_card import WrongCard, proposed, wrong_card
from thirdcard.table import Refusal, commands, decide

BETS = (
    ("ann", "player", 100_00),
    ("bob", "banker", 100_00),
    ("cat", "player", 55_00),
    ("bob", "tie", 10_00),
)
PEOPLE = ("ann", "bob", "cat")
INSURED = (TBC, CBI)


def complete(slug: str, *, settled: bool = False, stop: int = 6) -> Scene:
    """Six cards, with insurance bought in both windows where there is any: 7 against 9."""
    table = Scene(slug)
    table.dealt(TO_COME, *BETS)
    if slug in INSURED:
        table.insure("ann", "player", 20_00)
    for number, card in enumerate(("2D", "5S"), start=5):
        if number <= stop:
            table.deal(card)
        if number == 5 and slug == TBC and table.offers():
            table.insure("ann", "player", 10_00)
    if settled:
        table.settle()
    return table


def names(table: Scene) -> list[Card | None]:
    return [one.name if one.face_up else None for one in table.current.drawn]


def others(table: Scene) -> Iterator[tuple[Card | None, ...]]:
    """The cards of the round with one of them another: every rank at every place."""
    lying = names(table)
    for place in range(len(lying)):
        for rank in "A23456789TJQK":
            right = parse_card(f"{rank}H")
            if right is not lying[place]:
                yield (*lying[:place], right, *lying[place + 1 :])


def copied(table: Scene) -> Scene:
    twin = copy(table)
    twin.log = list(table.log)
    return twin


def settles(table: Scene) -> bool:
    if table.current.phase == "settled":
        return True
    if isinstance(decide(table.state, commands.Settle(by="dee")), Refusal):
        return False
    table.settle()
    return True


def put_right(table: Scene, cards: tuple[Card | None, ...]) -> Scene:
    """The record as two people put it right, the higher of them of the highest rank."""
    twin = copied(table)
    twin.do(commands.Amend(by="dee", cards=cards, reason="keyed wrongly"))
    twin.do(commands.ConfirmAmendment(by="sam"))
    return twin


def by_player(shown: WrongCard, field: str) -> dict[str, int | None]:
    found: dict[str, int | None] = {}
    for one in shown.people:
        value, before = getattr(one, field), found.get(one.player, 0)
        found[one.player] = None if value is None or before is None else before + value
    return found


@pytest.mark.slow
@pytest.mark.parametrize("settled", [False, True])
@pytest.mark.parametrize("slug", [TBC, CBI, V4, MBS])
def test_before_and_after_are_what_comes_out(slug: str, settled: bool) -> None:  # noqa: FBT001
    table = complete(slug, settled=settled)
    before = copied(table)
    assert settles(before)
    compared = 0
    for cards in others(table):
        shown = wrong_card(table.state, cards, "pit-supervisor")
        assert shown.refusal is None
        assert by_player(shown, "before") == {player: before.net(player) for player in PEOPLE}
        after = put_right(table, cards)
        if settles(after):
            compared += 1
            assert by_player(shown, "after") == {player: after.net(player) for player in PEOPLE}, cards
            assert shown.after is not None
            assert after.current.settlement is not None
            assert shown.after.outcome == after.current.settlement.outcome
        else:
            assert None in by_player(shown, "after").values()
            assert shown.after is not None
            assert shown.after.due is not None
    assert compared > 30


def test_the_last_card_in_cents() -> None:
    """Banker 9 is really a 2: the Player wins with 7, and what insured the Player is lost."""
    table = complete(TBC)
    lying = names(table)
    shown = wrong_card(table.state, (*lying[:5], Card("8D")), "dealer")
    assert [
        (one.place, str(one.before), str(one.after)) for one in shown.cards if one.before is not one.after
    ] == [(6, "5S", "8D")]
    assert shown.before is not None
    assert shown.after is not None
    assert (shown.before.outcome, shown.before.player, shown.before.banker) == ("banker", 7, 9)
    assert (shown.after.outcome, shown.after.player, shown.after.banker) == ("player", 7, 2)
    assert by_player(shown, "after")["bob"] == -110_00
    assert by_player(shown, "after")["cat"] == 55_00
    assert shown.windows == ()
    assert next(one.rank for one in shown.confirms if one.may) == "pit-supervisor"


# Insurance ----------------------------------------------------------------------------------------------


def insured_on(text: str, right: str, *, buys: bool = True) -> tuple[Scene, WrongCard]:
    table = Scene(TBC)
    table.dealt(text, *BETS)
    if buys:
        table.insure("ann", "player", 20_00)
    cards = tuple(parse_card(name) for name in right.split())
    return table, wrong_card(table.state, cards, "pit-supervisor")


def windows(shown: WrongCard) -> list[tuple[int, str, str]]:
    return [(one.window, one.hand.value, one.change) for one in shown.windows]


def test_a_window_that_never_was() -> None:
    """A natural: what was bought goes back."""
    table, shown = insured_on(TO_COME, "2C 4H 3D 5S")
    assert windows(shown) == [(1, "player", "never")]
    assert by_player(shown, "back") == {"ann": 20_00, "bob": 0, "cat": 0}
    after = put_right(table, tuple(one.after for one in shown.cards))
    after.settle()
    assert by_player(shown, "after") == {player: after.net(player) for player in PEOPLE}


def test_a_window_that_opens() -> None:
    table, shown = insured_on("2C 4H 3D 5S", TO_COME, buys=False)
    assert windows(shown) == [(1, "player", "opens")]
    assert shown.after is not None
    assert shown.after.due == "player"
    after = put_right(table, tuple(one.after for one in shown.cards))
    assert after.offers()


def test_a_window_at_another_price() -> None:
    """Player 6 and not 5: insurance plays at the row of the cards as they lie."""
    table, shown = insured_on(TO_COME, "2C 4H 4D KS")
    (change,) = shown.windows
    assert (change.change, change.before, change.after) == ("price", "3 to 2", "5 to 2")
    after = put_right(table, tuple(one.after for one in shown.cards))
    assert list(after.offers().values()) == ["5 to 2"]
    assert {one.back for one in shown.people} == {0}


def test_a_window_that_was_missed_is_a_neglected_offer() -> None:
    """The round went on over an offer that nobody knew of: it can be reported."""
    missed = 0
    table = complete(TBC)
    for cards in others(table):
        shown = wrong_card(table.state, cards, "pit-supervisor")
        for one in shown.windows:
            assert bool(one.before) is (one.change in ("never", "price"))
            assert bool(one.after) is (one.change != "never")
            if one.change == "missed":
                missed += 1
                after = put_right(table, cards)
                report = commands.Report(by="dee", case="neglected-insurance", window=one.window)
                assert not isinstance(decide(after.state, report), Refusal)
    assert missed


# Who, and when ------------------------------------------------------------------------------------------


def test_what_waits_to_be_confirmed() -> None:
    table = complete(TBC)
    assert proposed(table.state, "pit-supervisor", private=True) is None
    cards = (*names(table)[:5], Card("8D"))
    typed = wrong_card(table.state, cards, "pit-supervisor")
    table.do(commands.Amend(by="dee", cards=cards, reason="read upside down"))
    waits = proposed(table.state, "pit-supervisor", private=True)
    assert waits is not None
    assert (waits.by, waits.reason) == ("dee", "read upside down")
    assert msgspec.structs.replace(waits, by="", reason="") == typed
    public = proposed(table.state, "dealer", private=False)
    assert public is not None
    assert (public.by, public.reason) == ("dee", "")


def test_a_round_that_ended_with_payment_takes_another_rank() -> None:
    shown = wrong_card(complete(MBS, settled=True).state, (Card("9H"),) * 6, "assistant-casino-manager")
    assert [one.rank for one in shown.confirms if one.may] == ["gaming-shift-manager"]


def test_while_a_case_is_open_nothing_is_settled() -> None:
    """The record can be put right; the case is then ruled on by the cards as they lie."""
    table = complete(TBC)
    table.report("foreign-card")
    shown = wrong_card(table.state, (*names(table)[:5], Card("8D")), "pit-supervisor")
    assert shown.refusal is None
    assert {one.after for one in shown.people} == {None}
    assert [one.key for one in shown.notes] == ["then_next_case"]
    assert [one.what for one in shown.changes] == ["hand"]


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("2C 4H 3D KS 2D 5S", "no-amendment"),
        ("2C 2C 2C 2C 2C 2C", ""),
        ("9C 9C 9C 9C", ""),
    ],
)
def test_what_cannot_be_is_refused_kindly(cards: str, code: str) -> None:
    table = complete(TBC)
    shown = wrong_card(table.state, tuple(parse_card(name) for name in cards.split()), "dealer")
    assert (shown.refusal.code if shown.refusal else "") == code
    if shown.refusal:
        assert shown.refusal.sentence
        assert (shown.people, shown.before, shown.changes) == ((), None, ())


def test_a_shoe_cannot_hold_more_than_it_held() -> None:
    table = Scene(TBC, decks=4)
    for _ in range(2):
        table.dealt("9C 9C KD KH")
        table.settle()
    table.dealt(PLAYER_WINS.replace("9C", "9D"))
    shown = wrong_card(table.state, (Card("9C"), *names(table)[1:]), "dealer")
    assert shown.refusal is not None
    assert shown.refusal.code == "card-not-in-shoe"


def test_no_round_no_card() -> None:
    shown = wrong_card(Scene(TBC).state, (Card("9C"),), "dealer")
    assert shown.refusal is not None
    assert shown.refusal.code == "wrong-phase"


@pytest.mark.parametrize("slug", [*RWS, MBS])
def test_cards_that_nobody_has_seen_are_named_when_they_are_turned(slug: str) -> None:
    """The same is told whatever lies there, and a guess is refused whether it is right or not."""
    told = []
    for text in ("9C 4H KD 2S", "3C 7H 8D QS"):
        table = Scene(slug, **FACE_DOWN[slug], device="reader")
        table.dealt(text)
        guesses = [(Card("9C"), None, None, None), (Card("3C"), None, None, None), (None,) * 4]
        told.append([wrong_card(table.state, cards, "dealer") for cards in guesses])
    assert msgspec.json.encode(told[0]) == msgspec.json.encode(told[1])
    assert [one.refusal.code for one in told[0] if one.refusal] == [
        "card-not-seen",
        "card-not-seen",
        "no-amendment",
    ]
