"""What `legal` lists, in full, at a few fixed tables: nothing missing, nothing too much."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, combinations, product
from typing import Literal

import pytest

from table.machine import Table, covered, most_options, staff_of
from thirdcard.cards import Card, parse_cards
from thirdcard.rulebook import load
from thirdcard.rulebook.model import Side
from thirdcard.table import Refusal, Setup, State, commands, decide, legal
from thirdcard.table.commands import AnyCommand
from thirdcard.table.legal import Option
from thirdcard.table.setup import Limit

pytestmark = pytest.mark.slow

TBC, CBI, MBS = "rws-tiger-buffalo-commission-v2", "rws-commission-insurance-v5", "mbs-tiger-v2"
DEALER, SUPERVISOR, MANAGER = "the-dealer", "the-pit-supervisor", "the-pit-manager"
TOP = {TBC: "the-shift-manager", CBI: "the-shift-manager", MBS: "the-gaming-shift-manager"}
Device = Literal["shoe", "reader"]
PLACES = tuple(chain.from_iterable(combinations(range(1, 7), size) for size in range(1, 7)))


def opened(slug: str, layout: str, method: str, *more: AnyCommand, device: Device = "shoe") -> Table:
    """Two boxes, $1 to $6 on anything, a differential of $4; ann sits in box 1, ben stands with $3."""
    table = Table(
        Setup(
            rulebook=slug,
            layout=layout,
            positions=2,
            limits={"*": Limit(1_00, 6_00)},
            differential=4_00,
            method=method,
            device=device,
            staff=staff_of(load(slug)),
        )
    )
    for player, cents in (("ann", 50_00), ("ben", 3_00)):
        table.must(commands.Join(by=player), commands.BuyIn(by=player, cents=cents))
    table.must(commands.Sit(by="ann", box=1), commands.NewShoe(by=DEALER), commands.Open(by=DEALER), *more)
    return table


def drawn(cards: str) -> Iterator[AnyCommand]:
    return (commands.Draw(by=DEALER, card=card) for card in parse_cards(cards))


def unseen(number: int) -> Iterator[AnyCommand]:
    """Cards from an ordinary shoe that nobody has seen."""
    return (commands.Draw(by=DEALER) for _ in range(number))


def table_with(name: str) -> Table:
    ann = commands.Place(by="ann", box=1, bet="player", cents=4_00)
    close = commands.Close(by=DEALER)
    return {
        "bets open": lambda: opened(TBC, "A", "face-up", ann),
        "chips lie outside the limits": lambda: opened(
            TBC,
            "A",
            "face-up",
            ann,
            commands.RecordChips(by=DEALER, player="ann", box=1, bet="banker", cents=20_00),
        ),
        "insurance open": lambda: opened(TBC, "A", "face-up", ann, close, *drawn("6C 3D KH AS")),
        "winnings capped": lambda: opened(CBI, "G", "face-up", ann, close, *drawn("6C 3D KH AS")),
        "face down": lambda: opened(
            TBC,
            "A",
            "face-down",
            ann,
            close,
            commands.RequestSqueeze(by="ann", cards=(3, 5)),
            commands.PermitSqueeze(by=SUPERVISOR, player="ann", cards=(3,)),
            *unseen(4),
        ),
        "third card of the Banker": lambda: opened(
            TBC,
            "A",
            "face-down",
            ann,
            close,
            *unseen(4),
            commands.Expose(by=DEALER, cards=(1, 2, 3, 4), names=parse_cards("2C AD 3H AS")),
        ),
        "method A": lambda: opened(MBS, "A", "A", ann, close, *unseen(4)),
        "table differential": lambda: opened(
            MBS,
            "A",
            "B",
            ann,
            commands.Place(by="ben", box=2, bet="player", cents=3_00),
            commands.Place(by="ann", box=2, bet="banker", cents=1_00),
            close,
        ),
        "settled": lambda: opened(
            TBC, "A", "face-up", ann, close, *drawn("9C 3D KH AS"), commands.Settle(by=DEALER)
        ),
        "final": lambda: opened(MBS, "A", "B", ann, close, *drawn("9C 3D KH AS"), commands.Settle(by=DEALER)),
    }[name]()


TABLES = (
    "bets open", "chips lie outside the limits", "insurance open", "winnings capped", "face down",
    "third card of the Banker", "method A", "table differential", "settled", "final",
)  # fmt: skip


def every_command(state: State, by: str) -> Iterator[AnyCommand]:
    """Every command there is, with every box, bet and place and amounts from 0 to above the maximum."""
    people, unit = (*state.players, "zoe", DEALER), state.setup.chip_unit
    boxes = range(state.setup.positions + 2)
    bets = (*state.setup.bets, "no-such-bet")
    amounts = [-unit, 0, 50, *(unit * n for n in range(1, 9)), 20_00, 21_00]
    yield from _plain(by)
    for who in ("", *people):
        yield commands.Join(by=by, player=who)
        yield commands.Decline(by=by, player=who)
        yield commands.RequestBankerThirdFirst(by=by, player=who)
        yield commands.CloseInsurance(by=by, silent=(who,) if who else ())
        yield from (commands.BuyIn(by=by, cents=cents, player=who) for cents in amounts)
        yield from (commands.CashOut(by=by, cents=cents, player=who) for cents in (*amounts, 1, 300_00))
        yield from (commands.Sit(by=by, box=box, player=who) for box in boxes)
        yield from (commands.RefuseCards(by=by, hand=hand, player=who) for hand in Side)
    yield from (commands.RejectExcess(by=by, box=box) for box in boxes)
    for place in (0, 4, 5, 6):
        yield from (commands.Draw(by=by, card=card, place=place) for card in (None, *Card))
    for box, bet, cents, who in product(boxes, bets, amounts, ("", *people)):
        yield commands.Place(by=by, box=box, bet=bet, cents=cents, player=who)
        yield commands.TakeBack(by=by, box=box, bet=bet, cents=cents, player=who)
        yield commands.RecordChips(by=by, box=box, bet=bet, cents=cents, player=who)
        yield commands.Remove(by=by, box=box, bet=bet, cents=cents, player=who)
        yield commands.LateChips(by=by, box=box, bet=bet, cents=cents, player=who)
        yield commands.LateChips(by=by, box=box, bet=bet, cents=-cents, player=who)
    for box, bet, who in product(boxes, bets, ("", *people)):
        yield commands.TakeBack(by=by, box=box, bet=bet, player=who)
    for box, hand, cents, who in product(boxes, Side, amounts, ("", *people)):
        yield commands.Insure(by=by, box=box, hand=hand, cents=cents, player=who)
    for hand in Side:
        yield commands.RevealFirst(by=by, hand=hand)
    for who in people:
        yield commands.Leave(by=by, player="" if who == by else who)
        yield commands.GiveDevice(by=by, player=who)
        yield commands.BankerThirdFirst(by=by, player=who)
    spare = parse_cards("9C 9D 9H 9S 8C 8D")
    for places in ((), (7,), *PLACES):
        yield commands.Expose(by=by, cards=places)
        yield commands.Expose(by=by, cards=places, names=spare[: len(places)])
        yield commands.Expose(by=by, cards=places, names=spare[: len(places)], player="ann")
        yield commands.TakeCards(by=by, cards=places, reason="gone")
        yield from (commands.RequestSqueeze(by=by, cards=places, player=who) for who in ("", *people))
        for who in people:
            yield commands.PermitSqueeze(by=by, cards=places, player=who)
            yield commands.HandOver(by=by, cards=places, player=who)


def _plain(by: str) -> Iterable[AnyCommand]:
    return (
        commands.Leave(by=by),
        commands.NewShoe(by=by),
        commands.Open(by=by),
        commands.Close(by=by),
        commands.CutCard(by=by),
        commands.AllowWithdrawal(by=by),
        commands.GiveUpDevice(by=by),
        commands.TakeDevice(by=by),
        commands.RequestNoInsurance(by=by),
        commands.ConfirmAmendment(by=by),
        commands.DropAmendment(by=by, reason="it was right"),
        commands.Dismiss(by=by, reason="it was nothing"),
        commands.Settle(by=by),
        commands.Void(by=by, reason="misdeal"),
        commands.Correct(by=by, cards=parse_cards("9C 3D KH AS"), reason="misread"),
        commands.ChangeSetup(by=by, changes=commands.Changes()),
        commands.Assign(by=by, person=by, rank="dealer"),
    )


@pytest.mark.gate("insurance", "settled", "face down", "final")
@pytest.mark.parametrize("name", TABLES)
def test_what_is_listed_is_exactly_what_is_accepted(name: str) -> None:
    """But for what is free in an option: there anything may be filled in, and not all of it is accepted."""
    state = table_with(name).state
    for actor in ("ann", "ben", "zoe", DEALER, SUPERVISOR, MANAGER, TOP[state.setup.rulebook]):
        options: dict[type, list[Option]] = {}
        for option in legal(state, actor):
            options.setdefault(type(option.command), []).append(option)
        for command in every_command(state, actor):
            accepted = not isinstance(decide(state, command), Refusal)
            listed = covered(options.get(type(command), ()), command)
            filled_in = bool(listed) and all(option.free for option in listed)
            if isinstance(command, commands.Correct | commands.HandOver) and accepted:
                continue  # a record may be wrong anywhere; cards may go astray
            assert accepted == bool(listed) or (filled_in and not accepted), command


@pytest.mark.parametrize("method", ["face-down", "A"])
def test_a_full_table_has_no_more_options_than_places_people_and_bets(method: str) -> None:
    """Cards that may be turned or squeezed together are one option with its places, not all its subsets."""
    slug = MBS if method == "A" else TBC
    table = Table(
        Setup(
            rulebook=slug,
            layout="E" if method == "A" else "K",
            positions=16,
            limits={"*": Limit(1_00, 600_00)},
            differential=4_000_00,
            method=method,
            staff=staff_of(load(slug)),
        )
    )
    for number in range(1, 17):
        player = f"p{number}"
        table.must(commands.Join(by=player), commands.BuyIn(by=player, cents=500_00))
        table.must(commands.Sit(by=player, box=number))
    table.must(commands.NewShoe(by=DEALER), commands.Open(by=DEALER))
    for number in range(1, 17):
        bet = "banker" if number % 2 else "player"
        table.must(commands.Place(by=f"p{number}", box=number, bet=bet, cents=number * 1_00))
    table.must(commands.Close(by=DEALER), *unseen(4))
    for actor in (DEALER, MANAGER, TOP[slug], "p16"):
        found = legal(table.state, actor)
        kinds = Counter(type(option.command) for option in found)
        assert len(found) <= most_options(table.state)
        assert kinds[commands.Expose] <= 7
        assert kinds[commands.HandOver] <= 8
        assert kinds[commands.RequestSqueeze] <= 1
        assert kinds[commands.PermitSqueeze] <= 2 * 16
        assert len(found) <= 250


def listed(table: Table, actor: str, kind: type) -> list[Option]:
    return [option for option in legal(table.state, actor) if isinstance(option.command, kind)]


def test_amounts_end_where_the_first_limit_is_met() -> None:
    table = table_with("bets open")
    places = {
        (option.command.box, option.command.bet): (option.command.cents, option.most)
        for option in listed(table, "ann", commands.Place)
        if isinstance(option.command, commands.Place)
    }
    assert places[1, "banker"] == (1_00, 6_00)  # the maximum, before the differential's 8
    assert places[1, "tie"] == (1_00, 6_00)
    assert (1, "player") not in places  # the differential is used up
    assert not any(box == 2 for box, _ in places)  # nobody sits there
    standing = {
        option.command.bet: option.most
        for option in listed(table, "ben", commands.Place)
        if isinstance(option.command, commands.Place)
    }
    assert standing["banker"] == 3_00  # the rack
    assert "player" not in standing


def test_insurance_ends_at_the_cap() -> None:
    (option,) = listed(table_with("insurance open"), "ann", commands.Insure)
    assert (option.command, option.most, option.step) == (
        commands.Insure(by="ann", box=1, hand=Side.PLAYER, cents=1_00),
        4_00,
        1_00,
    )
    assert listed(table_with("insurance open"), "ben", commands.Insure) == []


def test_a_stranger_may_join_and_nothing_else() -> None:
    for name in TABLES:
        assert [o.command for o in legal(table_with(name).state, "zoe")] == [commands.Join(by="zoe")]


def test_any_card_that_is_left_may_be_drawn() -> None:
    table = opened(TBC, "A", "face-up", commands.Close(by=DEALER))
    (option,) = listed(table, DEALER, commands.Draw)
    assert set(option.cards) == set(Card)
    assert listed(table, "ann", commands.Draw) == []


def test_a_squeezer_alone_turns_the_card_in_hand() -> None:
    """From an ordinary shoe the dealer says what shows: for Ann, who turns it, and for what nobody holds."""
    table = table_with("face down")
    table.must(commands.HandOver(by=DEALER, cards=(3,), player="ann"))
    assert listed(table, "ann", commands.Expose) == []
    turned = {
        (o.command.player, o.command.cards): o.free
        for o in listed(table, DEALER, commands.Expose)
        if isinstance(o.command, commands.Expose)
    }
    assert turned == dict.fromkeys(
        [("", (1,)), ("", (2,)), ("", (4,)), ("", (2, 4)), ("ann", (3,))], ("names",)
    )
    assert listed(table, "ben", commands.Expose) == []


def test_a_squeezer_turns_what_a_device_has_read() -> None:
    table = opened(TBC, "A", "face-down", device="reader")
    table.must(
        commands.Place(by="ann", box=1, bet="player", cents=4_00),
        commands.Close(by=DEALER),
        commands.RequestSqueeze(by="ann", cards=(3,)),
        commands.PermitSqueeze(by=SUPERVISOR, player="ann", cards=(3,)),
        *drawn("6C 3D KH AS"),
        commands.HandOver(by=DEALER, cards=(3,), player="ann"),
    )
    assert [o.command for o in listed(table, "ann", commands.Expose)] == [
        commands.Expose(by="ann", cards=(3,))
    ]
    turned = {
        o.command.cards
        for o in listed(table, DEALER, commands.Expose)
        if isinstance(o.command, commands.Expose)
    }
    assert turned == {(1,), (2,), (4,), (2, 4)}


def test_cards_in_hand_may_be_taken_back() -> None:
    table = table_with("face down")
    table.must(commands.HandOver(by=DEALER, cards=(3,), player="ann"))
    (option,) = listed(table, DEALER, commands.TakeCards)
    assert (option.places, option.free) == ((3,), ("reason",))
    assert listed(table, "ann", commands.TakeCards) == []


def test_what_waits_is_listed_for_who_may_see_to_it() -> None:
    table = table_with("insurance open")
    table.must(commands.Amend(by=DEALER, cards=parse_cards("6C 3D KH 2S"), reason="misread"))
    assert [
        type(o.command) for o in legal(table.state, SUPERVISOR) if not isinstance(o.command, GOES_ON)
    ] == [
        commands.ConfirmAmendment,
        commands.DropAmendment,
    ]
    assert listed(table, DEALER, commands.ConfirmAmendment) == []
    table.must(commands.ConfirmAmendment(by=SUPERVISOR))
    table.must(commands.Report(by=DEALER, case="not-covered"))
    assert {type(o.command) for o in legal(table.state, TOP[TBC])} >= {commands.Rule, commands.Dismiss}
    assert not {type(o.command) for o in legal(table.state, DEALER)} & {commands.Rule, commands.Dismiss}


GOES_ON = (
    commands.Join, commands.BuyIn, commands.CashOut, commands.Leave, commands.ChangeSetup, commands.Assign,
    commands.Void,
)  # fmt: skip
