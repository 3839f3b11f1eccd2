"""Who has which card, and what a desk can do about a squeeze with one tap."""

from typing import Any

import msgspec
import pytest

from irregularities.situations import CBI, FACE_DOWN, MBS, RWS, TBC, TO_COME, Scene
from thirdcard.rulebook.model import Side
from thirdcard.service.log.floor_events import Pace, TableCreated
from thirdcard.service.people.roles import Person
from thirdcard.service.queries.custody import SqueezeRequest, custody, requests
from thirdcard.service.queries.desk import reportable
from thirdcard.service.tables.live import Live
from thirdcard.table import commands

ROLES = {"dee": "dealer", "sue": "pit-supervisor", "pam": "pit-manager"}


def face_down(slug: str, text: str = "", **changed: Any) -> Scene:  # noqa: ANN401 - values of a set-up
    """Ann has the largest bet, on Player; Bob bets on Banker."""
    table = Scene(slug, **FACE_DOWN[slug], **changed)
    table.dealt(text, ("ann", "player", 300_00), ("bob", "banker", 100_00))
    return table


def asked(table: Scene, person: str = "sue") -> dict[str, SqueezeRequest]:
    created = TableCreated(title="A table", dealer="staff", pace=Pace(), live_odds=False)
    live = Live(id="t", state=table.state, created=created)
    found = requests(live, table.state, Person(name=person, role=ROLES[person]))
    return {one.name: one for one in found}


SENT: Any = (
    commands.RequestSqueeze
    | commands.PermitSqueeze
    | commands.RequestBankerThirdFirst
    | commands.BankerThirdFirst
)


def tap(table: Scene, one: SqueezeRequest, person: str = "sue") -> None:
    """What a desk sends when the button is pressed."""
    table.do(*(msgspec.convert({**body, "by": person}, SENT) for body in (one.ask, one.grant) if body))


def states(table: Scene, person: str = "sue") -> dict[str, str]:
    return {name: one.state for name, one in asked(table, person).items()}


# Squeezing by leave -------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", RWS)
def test_one_tap_for_the_players_cards(slug: str) -> None:
    table = face_down(slug)
    before = asked(table)
    assert set(before) == {"player-cards", "banker-cards", "player-third"} | (
        {"banker-third-first"} if slug in (TBC, CBI) else set()
    )
    one = before["player-cards"]
    assert (one.state, one.player, one.places, one.rules) == ("not-asked", "ann", (1, 3), ("3.9",))
    tap(table, one)
    assert asked(table)["player-cards"].state == "allowed"
    assert table.current.permits.keys() == {1, 3}
    tap(table, asked(table)["banker-cards"])
    assert table.current.permits.keys() == {1, 2, 3, 4}


def test_what_was_asked_before_stays_asked() -> None:
    table = face_down(TBC)
    table.do(commands.RequestSqueeze(by="ann", cards=(1, 3)))
    found = asked(table)
    assert found["player-cards"].state == "asked"
    assert found["player-cards"].ask is None
    assert found["banker-third-first"].state == "not-yet"
    ask = found["banker-cards"].ask
    assert ask is not None
    assert ask["cards"] == (2, 4)
    table.do(commands.RequestSqueeze(by="ann", cards=ask["cards"]))
    assert table.current.requests == {"ann": (1, 2, 3, 4)}


def test_a_dealer_records_that_somebody_asks_and_the_pit_allows_it() -> None:
    one = asked(face_down(TBC), "dee")["player-cards"]
    assert one.ask == {"command": "request-squeeze", "player": "ann", "cards": (1, 3)}
    assert one.grant == {"command": "permit-squeeze", "player": "ann", "cards": (1, 3)}
    assert (one.power.may, one.power.rank) == (False, "pit-supervisor")
    above = asked(face_down(TBC), "sue")["player-cards"]
    assert (above.grant, above.power.may) == (one.grant, True)


def test_a_card_that_is_drawn_is_asked_for_no_more() -> None:
    table = face_down(TBC, "2C 4H 3D KS")
    assert states(table) == {
        "player-cards": "over",
        "banker-cards": "over",
        "player-third": "not-asked",
        "banker-third-first": "not-yet",
    }


def test_cards_are_given_to_who_was_allowed() -> None:
    table = face_down(TBC)
    tap(table, asked(table)["player-cards"])
    table.deal("2C 4H 3D KS")
    give = asked(table, "dee")["player-cards"].give
    assert give == {"command": "hand-over", "player": "ann", "cards": (1, 3)}
    table.do(commands.HandOver(by="dee", cards=(1, 3), player="ann"))
    one = asked(table)["player-cards"]
    assert (one.state, one.player, one.give) == ("given", "ann", None)


def test_the_bankers_third_card_first() -> None:
    """Only where it is due whatever the Player's is; one tap asks and consents."""
    table = face_down(TBC)
    table.show("2C KH 3D AS")
    one = asked(table)["banker-third-first"]
    assert (one.state, one.player, one.rules) == ("not-asked", "ann", ("3.14",))
    tap(table, one)
    assert table.current.reversed
    assert asked(table)["banker-third-first"].state == "allowed"
    other = face_down(TBC)
    other.show("2C KH 3D 6S")
    assert asked(other)["banker-third-first"].state == "over"


# By right -----------------------------------------------------------------------------------------------


def test_who_has_the_highest_total_on_a_hand_squeezes_it() -> None:
    table = face_down(MBS, "2C 4H 3D KS")
    found = asked(table, "dee")
    assert set(found) == {"player-cards", "banker-cards", "player-third"}
    assert [(found[name].state, found[name].player) for name in ("player-cards", "banker-cards")] == [
        ("by-right", "ann"),
        ("by-right", "bob"),
    ]
    assert found["banker-cards"].give == {"command": "hand-over", "player": "bob", "cards": (2, 4)}
    assert all(one.ask is None and one.grant is None for one in found.values())


@pytest.mark.parametrize("slug", [*RWS, MBS])
def test_where_cards_are_dealt_face_up_nobody_asks(slug: str) -> None:
    table = Scene(slug)
    table.dealt(TO_COME)
    assert asked(table) == {}


# Where the cards are ------------------------------------------------------------------------------------


def test_who_holds_which_card() -> None:
    table = face_down(MBS, "2C 4H 3D KS")
    table.do(commands.HandOver(by="dee", cards=(2, 4), player="bob"))
    table.expose(1)
    assert [
        (one.place, one.hand, one.where, one.holder, one.named, one.face_up) for one in custody(table.state)
    ] == [
        (1, Side.PLAYER, "dealer", "", True, True),
        (2, Side.BANKER, "holder", "bob", False, False),
        (3, Side.PLAYER, "dealer", "", False, False),
        (4, Side.BANKER, "holder", "bob", False, False),
        (5, None, "shoe", "", False, False),
        (6, Side.BANKER, "shoe", "", False, False),
    ]
    table.do(commands.Leave(by="bob"))
    assert [one.place for one in custody(table.state) if one.gone] == [2, 4]


def test_a_card_that_waits_comes_next_and_none_after_a_natural() -> None:
    table = Scene(TBC)
    table.dealt("9C 4H KD 2S")
    assert [one.place for one in custody(table.state)] == [1, 2, 3, 4]
    table.report("excess-or-exposed-cards", "5H")
    table.rule("sue", reconstructable=True)
    table.settle()
    table.dealt("")
    assert [one.where for one in custody(table.state)][:2] == ["waiting", "shoe"]
    assert custody(Scene(TBC).state) == ()


# What can be reported -----------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", [*RWS, MBS])
def test_what_a_report_asks_for(slug: str) -> None:
    table = Scene(slug)
    table.dealt(TO_COME)
    found = {one.case: one for one in reportable(table.state, "dee")}
    assert found["drawn-together"].asks == ("drawn", "cards", "shown", "names", "order_known")
    assert "display-error" not in found, "there is no outcome yet"
    late = "late-wager" if slug == MBS else "late-bet"
    assert late not in found, "no chips are recorded as late"
    table.late("cat", "banker", 50_00)
    assert {one.case for one in reportable(table.state, "dee")} == {*found, late}
    assert reportable(table.state, "ann") == ()
