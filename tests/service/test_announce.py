"""What is announced: the right words at the right moment, and never a card that lies face down."""

from collections.abc import Iterator
from functools import cache
from string import Formatter
from typing import get_args

import msgspec
import pytest

from each import each
from service.driving import CBI, MBS, TBC, WALKS, Driven, setup_for, walk
from thirdcard.cards import Card, parse_cards
from thirdcard.rulebook.model import Side
from thirdcard.service.log.floor_events import SYSTEM
from thirdcard.service.tables.announce import Key, Said, announcements
from thirdcard.service.tables.dealer import interruption
from thirdcard.table import State, commands, events, evolve, replay
from thirdcard.table.events import AnyEvent
from thirdcard.table.rights.choosing import to_choose
from thirdcard.table.state import Round
from thirdcard.words import in_words, languages, words

pytestmark = pytest.mark.slow


def told(log: list[AnyEvent]) -> list[Said]:
    """Everything announced over a log."""
    said: list[Said] = []
    state = replay(log[:1])
    for event in log[1:]:
        after = evolve(state, event)
        said += announcements(state, event, after)
        state = after
    return said


def heard(log: list[AnyEvent], since: int = 1) -> list[str]:
    """The same in English, without what was said before that event of the log."""
    book = replay(log[:1]).rulebook
    return [in_words(one, "en", book) for one in told(log)[len(told(log[:since])) :]]


def at_bets(slug: str, **changed: object) -> Driven:
    """Wei has $100 on Player, Mei on Banker."""
    table = Driven(setup_for(slug, "A", **changed), "Wei", "Mei")
    table.until("betting")
    table.do(commands.Place(by="Wei", box=1, bet="player", cents=100_00))
    table.do(commands.Place(by="Mei", box=2, bet="banker", cents=100_00))
    return table


def insured() -> Driven:
    """TBC with Player 6 against Banker 5: Player insurance is open."""
    table = at_bets(TBC)
    table.stack(*parse_cards("6C 5D KH KS"))
    while table.round is None or not table.round.offerings:
        table.tick(60_000)
    return table


def played(table: Driven, cards: str) -> list[str]:
    """What is heard from the close to the result."""
    since = len(table.log)
    table.stack(*parse_cards(cards))
    table.until("settled")
    return heard(table.log, since)


# A round --------------------------------------------------------------------------------------------------


def test_a_round_with_insurance_and_third_cards() -> None:
    assert played(at_bets(TBC), "5C 6D KH KS 4C 2D") == [
        "No more bets",
        "Player: five of clubs, 5",
        "Banker: six of diamonds, 6",
        "Player: king of hearts, 5",
        "Banker: king of spades, 6",
        "Player 5, Banker 6",
        "Banker insurance at 5 to 2",
        "Insurance is closed",
        "Card for Player",
        "Player: four of clubs, 9",
        "Player 9, Banker 6",
        "Player wins: Player 9, Banker 6",
    ]


def test_naturals_pairs_and_ties() -> None:
    assert played(at_bets(CBI), "4C 4D 4H 4S")[5:] == [
        "Player 8, Banker 8",
        "Player: natural 8",
        "Banker: natural 8",
        "Tie: Player 8, Banker 8",
        "Player pair",
        "Banker pair",
    ]


def test_face_down_cards_are_named_when_they_are_shown() -> None:
    assert played(at_bets(MBS, method="A"), "2C 9D 6H KS") == [
        "No more bets",
        "Player: a card face down",
        "Banker: a card face down",
        "Player: a card face down",
        "Banker: a card face down",
        "Player is shown first",
        "Wei has the cards of Player",
        "Mei has the cards of Banker",
        "The dealer takes the cards back",
        "Player shows two of clubs, six of hearts",
        "The dealer takes the cards back",
        "Banker shows nine of diamonds, king of spades",
        "Player 8, Banker 9",
        "Player: natural 8",
        "Banker: natural 9",
        "Banker wins: Player 8, Banker 9",
    ]


def test_the_start_and_the_end_of_a_shoe() -> None:
    table = Driven(setup_for(TBC, "A", cut=8 * 52 - 6), "Wei")
    table.until("betting")
    assert heard(table.log)[-2:] == ["Shoe 1: 416 cards, freshly shuffled", "Place your bets, please"]
    while table.state.shoe is not None and table.state.shoe.number == 1:
        table.tick(60_000)
    lines = heard(table.log)
    assert "The cut card: last round of this shoe" in lines
    assert lines[-1] == "Shoe 2: 416 cards, freshly shuffled"


# What stands in the way -----------------------------------------------------------------------------------


def test_the_table_differential() -> None:
    table = at_bets(MBS, differential=50_00)
    table.do(commands.Place(by="Mei", box=2, bet="banker", cents=80_00))
    since = len(table.log)
    table.until("adjusting")
    assert heard(table.log, since) == [
        "The table differential is exceeded by 30: Banker please decrease, Player may increase"
    ]


def test_an_irregularity_from_the_report_to_the_release() -> None:
    table = at_bets(TBC)
    while not table.state.round or not table.round.drawn:
        table.tick(60_000)
    since = len(table.log)
    table.do(commands.Report(by="Sam", case="other-dealing-error"))
    table.do(commands.Rule(by="Sam"))
    table.do(commands.Choose(by="Wei", choice="continue"))
    table.do(commands.Choose(by="Mei", choice="return"))
    title = next(one.title for one in table.state.rulebook.procedures if one.case == "other-dealing-error")
    assert heard(table.log, since) == [
        f"One moment, please. The round is held up: {title}",
        f"Ruled on: {title}",
        "Wei, Mei: go on, or take back the bets that are still open?",
        "The round goes on",
    ]
    assert all(one.rules for one in told(table.log)[-4:-1])


def test_a_void_round_does_not_go_on() -> None:
    table = at_bets(TBC)
    table.until("dealing")
    since = len(table.log)
    table.do(commands.Report(by="Sam", case="foreign-card"))
    table.do(commands.Rule(by="Sam"))
    lines = heard(table.log, since)
    assert any(one.startswith("The round is void, all bets go back") for one in lines)
    assert "The round goes on" not in lines


def test_nobody_is_asked_to_choose_where_nobody_has_a_bet() -> None:
    table = Driven(setup_for(MBS, "A"), "Wei")
    table.until("dealing")
    since = len(table.log)
    for command in interruption(table.state):
        table.do(command)
    assert heard(table.log, since) == [
        "One moment, please. The round is held up: A power failure",
        "Ruled on: A power failure",
        "The round goes on",
    ]


def test_a_correction() -> None:
    table = at_bets(TBC)
    played(table, "9C 2D KH 3S")
    since = len(table.log)
    table.do(commands.Correct(by="Sam", cards=parse_cards("9C 9D KH KS"), reason="misread"))
    assert heard(table.log, since) == [
        "The result is taken back",
        "The cards have been corrected",
        "Banker has nine of diamonds, king of spades: 9",
        "Wei comes to 0 this round, not 100",
        "Mei comes to 0 this round, not -100",
        "Tie: Player 9, Banker 9",
    ]


def test_a_record_that_two_people_put_right_before_anything_is_paid() -> None:
    """Everybody hears what it changes for whom."""
    table = insured()
    table.do(commands.Insure(by="Wei", box=1, hand=Side.PLAYER, cents=10_00))
    since = len(table.log)
    table.do(commands.Amend(by="Sam", cards=parse_cards("6C 5D KH 4S"), reason="misread"))
    table.do(commands.ConfirmAmendment(by=SYSTEM))
    assert heard(table.log, since) == [
        "One moment, please. The record of the cards is being checked",
        "The cards have been corrected",
        "Banker has five of diamonds, four of spades: 9",
        "Player insurance at 5 to 2 was not on offer",
        "Wei's Player insurance in box 1 is worked out anew",
    ]


def test_a_record_that_was_right_after_all() -> None:
    table = insured()
    since = len(table.log)
    table.do(commands.Amend(by="Sam", cards=parse_cards("6C 5D KH 4S"), reason="misread"))
    table.do(commands.DropAmendment(by="Sam", reason="it was a king"))
    assert heard(table.log, since)[-1] == "The record of the cards stands"


def test_chips_that_come_too_late_and_chips_that_were_recorded_wrongly() -> None:
    table = at_bets(TBC, differential=150_00)
    table.until("dealing")
    since = len(table.log)
    late = {"by": "Sam", "player": "Wei", "box": 1, "bet": "player"}
    table.do(commands.LateChips(**late, cents=50_00))  # type: ignore[arg-type]
    table.do(commands.LateChips(**late | {"player": "Mei", "box": 2, "bet": "banker"}, cents=-20_00))  # type: ignore[arg-type]
    table.do(commands.RecordChips(**late, cents=400_00, reason="counted again"))  # type: ignore[arg-type]
    assert heard(table.log, since) == [
        "Wei adds 50 in box 1 after the close: it goes back unplayed",
        "Mei takes 20 from box 2 after the close: it plays on",
        "The chips are again as they lay at the close",
        "Wei in box 1 plays for 150, not 100",
    ]


def test_a_report_that_is_dismissed() -> None:
    table = at_bets(TBC)
    while not table.state.round or not table.round.drawn:
        table.tick(60_000)
    table.do(commands.Report(by="Sam", case="other-dealing-error"))
    since = len(table.log)
    table.do(commands.Dismiss(by="Sam", reason="nothing to it"))
    title = next(one.title for one in table.state.rulebook.procedures if one.case == "other-dealing-error")
    assert heard(table.log, since) == [f"{title}: the report is dismissed", "The round goes on"]


def test_that_a_device_now_reads_the_cards_is_not_announced() -> None:
    table = Driven(setup_for(MBS, "A", method="A"), "Wei")
    table.until("betting")
    assert any(isinstance(event, events.SetupChanged) for event in table.log)
    assert heard(table.log)[-1] == "Place your bets, please"
    assert not any("settings" in one for one in heard(table.log))


# In every walk --------------------------------------------------------------------------------------------


def blinded(state: State, with_card: Card) -> State:
    """The same state with another card wherever one lies face down."""
    current = state.round
    if current is None:
        return state
    return msgspec.structs.replace(state, round=_covered(current, with_card))


def _covered(current: Round, with_card: Card) -> Round:
    cards = tuple(
        card if card.face_up else msgspec.structs.replace(card, name=with_card) for card in current.drawn
    )
    return msgspec.structs.replace(current, drawn=cards)


@pytest.mark.parametrize("name", [name for name in WALKS if "face up" not in name and "B" not in name[-1]])
def test_no_face_down_card_can_be_told_from_what_is_announced(name: str) -> None:
    """The announcements are the same whatever the face-down cards are."""
    log, face_down = walk(name).log, 0
    state = replay(log[:1])
    for event in log[1:]:
        after = evolve(state, event)
        real = announcements(state, event, after)
        for other in (Card("KS"), Card("9H")):
            seen: AnyEvent = event
            if isinstance(event, events.CardDrawn) and not event.face_up:
                seen, face_down = msgspec.structs.replace(event, card=other), face_down + 1
            assert announcements(blinded(state, other), seen, blinded(after, other)) == real
        state = after
    assert face_down > 100


# In both languages ----------------------------------------------------------------------------------------


def put_right() -> Iterator[list[AnyEvent]]:
    """Logs of records that were wrong, of chips that came too late, of offers that were not made."""
    table = insured()
    table.do(commands.Insure(by="Wei", box=1, hand=Side.PLAYER, cents=10_00))
    table.do(commands.Amend(by="Sam", cards=parse_cards("6C 5D KH 4S"), reason="misread"))
    table.do(commands.DropAmendment(by="Sam", reason="it was a king"))
    table.do(commands.Amend(by="Sam", cards=parse_cards("6C 5D KH 4S"), reason="misread"))
    table.do(commands.ConfirmAmendment(by=SYSTEM))
    table.do(commands.Report(by="Sam", case="other-dealing-error"))
    table.do(commands.Dismiss(by="Sam", reason="nothing to it"))
    yield table.log

    table = at_bets(TBC, differential=150_00)
    table.until("dealing")
    chips = {"by": "Sam", "player": "Wei", "box": 1, "bet": "player"}
    table.do(commands.LateChips(**chips, cents=50_00))  # type: ignore[arg-type]
    table.do(commands.LateChips(**chips, cents=-70_00))  # type: ignore[arg-type]
    table.do(commands.RecordChips(**chips, cents=400_00, reason="counted again"))  # type: ignore[arg-type]
    table.until("settled")
    yield table.log

    table = at_bets(MBS, device="reader")
    table.do(commands.Place(by="Mei", box=2, bet="tiger-pair", cents=100_00))
    table.stack(*parse_cards("2C 2D 2H 3S"))
    while not table.state.round or len(table.round.drawn) < 3:
        table.tick(60_000)
    table.do(commands.Report(by="Sam", case="device-reset"))
    table.do(commands.Report(by="Sam", case="face-up-in-device"))
    table.do(commands.Rule(by="Sam"))
    for player in ("Wei", "Mei"):
        if player in to_choose(table.state, table.round):
            table.do(commands.Choose(by=player, choice="continue"))
    yield table.log

    table = at_bets(TBC)
    table.stack(*parse_cards("5C 6D KH KS 6H"))
    while len(table.state.round.drawn if table.state.round else ()) < 5:
        table.tick(60_000)
    table.do(commands.Report(by="Sam", case="neglected-insurance", players=("Mei",), window=1))
    table.do(commands.Rule(by="Sam"))
    yield table.log


def cut_down() -> Iterator[list[AnyEvent]]:
    """Chips over the differential: of who stands behind, and as staff recorded them."""
    table = at_bets(TBC, differential=150_00)
    table.do(commands.Place(by="Mei", box=1, bet="player", cents=50_00))
    table.do(commands.Place(by="Wei", box=1, bet="player", cents=50_00))
    table.do(commands.RecordChips(by="Sam", player="Wei", box=1, bet="player", cents=400_00))
    table.until("dealing")
    yield table.log


def rare_moments() -> Iterator[list[AnyEvent]]:
    """Logs of what the walks do not come to."""
    yield from put_right()
    yield from cut_down()
    table = at_bets(TBC, method="face-down")
    table.stack(*parse_cards("2C KD 3H 2S 4C 4D"))
    while len(table.round.exposed) < 4:
        table.tick(60_000)
    table.do(commands.RequestBankerThirdFirst(by="Wei"))
    table.do(commands.BankerThirdFirst(by="Sam", player="Wei"))
    yield table.log

    table = at_bets(TBC)
    table.do(commands.ChangeSetup(by="Sam", changes=commands.Changes(differential=500_00)))
    table.do(commands.RecordChips(by="Sam", player="Wei", box=1, bet="player", cents=2_00))
    table.do(commands.Report(by="Sam", case="under-minimum"))
    table.do(commands.Rule(by="Sam"))
    yield table.log

    table = at_bets(TBC)
    played(table, "9C 2D KH 3S")
    table.do(commands.Correct(by="Sam", cards=parse_cards("9C 9D KH KS"), reason="misread"))
    table.do(commands.Report(by="Sam", case="display-error", displayed="banker"))
    table.do(commands.Rule(by="Sam"))
    table.until("betting")
    table.do(commands.Place(by="Wei", box=1, bet="player", cents=100_00))
    table.do(commands.Leave(by="Wei"))
    yield table.log

    table = at_bets(MBS, method="C", device="reader", high_limit=True, cut=8 * 52 - 6)
    table.do(commands.GiveDevice(by="Sam", player="Wei"))
    table.do(commands.GiveUpDevice(by="Wei"))
    table.until("dealing")
    table.do(commands.Report(by="Sam", case="device-reset"))
    table.do(commands.Rule(by="Sam"))
    while table.round.pending is not None:
        table.tick(60_000)
    table.until("dealing")
    table.do(commands.Report(by="Sam", case="foreign-card"))
    table.do(commands.Rule(by="Sam"))
    yield table.log

    table = Driven(setup_for(MBS, "A", high_limit=True, cut=8 * 52 - 6), "Wei")
    while table.state.shoe is None or table.state.shoe.left > table.state.setup.cut:
        table.until("settled")
        table.until("dealing")
    table.do(commands.CutCard(by="Sam"))
    table.do(commands.AllowWithdrawal(by="Sam"))
    yield table.log
    table.until("settled")
    table.do(commands.ChangeRulebook(by="Sam", rulebook=table.state.setup.rulebook, layout="B"))
    yield table.log


@cache
def everything_said() -> dict[str, list[Said]]:
    """Announcements of every key, as they come up."""
    found: dict[str, list[Said]] = {}
    for log in (*(walk(name).log for name in WALKS), *rare_moments()):
        for one in told(log):
            found.setdefault(one.key, []).append(one)
    return found


@each("key", get_args(Key))
def test_every_announcement_has_words_in_every_language(key: Key) -> None:
    """It comes up, always with the same facts, and these are all that its words need."""
    came = everything_said()[key]
    facts = set(came[0].facts)
    assert all(set(one.facts) == facts for one in came)
    for language in languages():
        said = words(language).sections["said"][key]
        assert {field for _, field, _, _ in Formatter().parse(said) if field} <= facts
        assert said.isascii() == (language == "en")
        assert all(in_words(one, language) for one in came)


def test_every_key_comes_up() -> None:
    assert set(get_args(Key)) == set(everything_said())


def test_5_1_whose_chips_are_cut_hears_what_and_why() -> None:
    """A seated player's bet comes first: what stands behind it gives way, with the paragraph."""
    table = at_bets(TBC, differential=150_00)
    table.do(commands.Place(by="Mei", box=1, bet="player", cents=50_00))
    since = len(table.log)
    table.do(commands.Place(by="Wei", box=1, bet="player", cents=50_00))
    said = told(table.log)[len(told(table.log[:since])) :]
    assert [in_words(one, "en") for one in said] == [
        "50 of Mei on Player in box 1 goes back: the differential"
    ]
    assert said[0].rules


def test_cards_hands_amounts_and_odds_are_said_as_people_say_them() -> None:
    card = Said(key="card", facts={"hand": "player", "card": "TS", "points": 0})
    assert in_words(card, "en") == "Player: ten of spades, 0"
    assert in_words(card, "zh") == "閒 黑桃10 0點"
    offer = Said(key="insurance-offered", facts={"hand": "banker", "odds": "5 to 2", "window": 1})
    assert in_words(offer, "zh") == "庄保險 賠率5比2"
    result = Said(key="result", facts={"outcome": "tie", "player": 6, "banker": 6})
    assert in_words(result, "zh") == "和局 閒6點 庄6點"
    asked = Said(key="differential", facts={"hand": "banker", "other_hand": "player", "cents": 1_234_50})
    assert in_words(asked, "zh") == "超出全枱差額 1,234.50 請庄減注 閒可加注"
