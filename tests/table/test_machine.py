"""Random tables under audit: everything that must hold whatever people do.

Hypothesis drives a state machine for each document and shrinks what it finds; seeded walks visit all 63
layouts. Both are the same every time. `THIRDCARD_SOAK=30` walks on from new seeds for 30 minutes, and a
failure names the walk that found it: `walk(slug, layout, seed, steps)`.

That the auditor notices is shown by planted faults (`PLANTED`): each breaks one function and has to be
found by ordinary walks.
"""

import importlib
import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from table import machine
from table.machine import Seeded, Table, Walk, random_setup, staff_of, walk
from thirdcard.cards import parse_cards
from thirdcard.money import CHIP_STEP, Odds
from thirdcard.play.bets import Result
from thirdcard.rulebook import load, slugs
from thirdcard.rulebook.model import Side
from thirdcard.table import Refusal, Setup, State, commands, events, evolve, legal, start, view
from thirdcard.table.commands import AnyCommand
from thirdcard.table.decide.remedies import Flow
from thirdcard.table.ledger import Posting
from thirdcard.table.setup import Limit
from thirdcard.table.state import Round, Stake
from thirdcard.table.view import View

SOAK_MINUTES = float(os.environ.get("THIRDCARD_SOAK", "0"))
LAYOUTS = [(slug, letter) for slug in slugs() for letter in load(slug).layouts]
HAPPENS = {
    events.TableOpened, events.SetupChanged, events.PlayerJoined, events.BoughtIn, events.CashedOut,
    events.SeatTaken, events.SeatLeft, events.StaffAssigned, events.ShoeStarted, events.BetsOpened,
    events.StakeSet, events.DifferentialExceeded, events.BetsClosed, events.PlayedChanged,
    events.CutCardAppeared, events.WithdrawalAllowed, events.CardDrawn, events.CardsExposed,
    events.FirstHandChosen, events.SqueezeRequested, events.SqueezePermitted, events.CardsHanded,
    events.CardsRefused, events.ThirdCardsReversed, events.DeviceGiven, events.DeviceReturned,
    events.InsuranceOpened, events.InsuranceBought, events.InsuranceDeclined, events.InsuranceClosed,
    events.RoundSettled, events.SettlementReversed, events.CardsCorrected, events.RoundVoided,
    events.IrregularityReported, events.IrregularityRuled, events.ChoicesOffered, events.ChoiceMade,
    events.RemedyDone, events.IrregularityClosed, events.CardsReconstructed, events.CardsReplaced,
    events.CardsRetrieved, events.BetsReopened, events.RaiseDemanded, events.InsuranceForgone,
    events.LateInsuranceOpened, events.NeglectRecorded,
}  # fmt: skip
TBC, CBI, MBS = "rws-tiger-buffalo-commission-v2", "rws-commission-insurance-v5", "mbs-tiger-v2"


# The machine --------------------------------------------------------------------------------------------


class Drawn:
    """Chance as Hypothesis hands it out, so that it can shrink."""

    def __init__(self, data: st.DataObject) -> None:
        self.data = data

    def below(self, end: int) -> int:
        return self.data.draw(st.integers(0, end - 1))


class Machine(RuleBasedStateMachine):
    """A table of one document, on any of its layouts."""

    def __init__(self, slug: str) -> None:
        super().__init__()
        self.slug = slug
        self.walk: Walk | None = None

    @initialize(data=st.data())
    def opens(self, data: st.DataObject) -> None:
        chance = Drawn(data)
        layout = data.draw(st.sampled_from(list(load(self.slug).layouts)))
        self.walk = Walk(random_setup(chance, self.slug, layout), chance)

    def _at(self, data: st.DataObject) -> Walk:
        assert self.walk is not None
        self.walk.chance = Drawn(data)
        return self.walk

    @rule(data=st.data())
    def dealer_goes_on(self, data: st.DataObject) -> None:
        self._at(data).advance()

    @rule(data=st.data())
    def dealer_goes_on_for_a_while(self, data: st.DataObject) -> None:
        for _ in range(5):
            self._at(data).advance()

    @precondition(lambda machine: machine.walk is not None and machine.walk.can_go_wrong)
    @rule(data=st.data())
    def something_goes_wrong(self, data: st.DataObject) -> None:
        self._at(data).goes_wrong()

    @precondition(lambda machine: machine.walk is not None and machine.walk.table.pending is not None)
    @rule(data=st.data())
    def it_is_seen_to(self, data: st.DataObject) -> None:
        for _ in range(3):
            if self._at(data).table.pending is not None:
                self._at(data).advance()

    @rule(data=st.data())
    def somebody_does_what_is_listed(self, data: st.DataObject) -> None:
        self._at(data).listed()

    @rule(data=st.data())
    def somebody_tries_anything(self, data: st.DataObject) -> None:
        self._at(data).anything()

    @rule(seed=st.integers(0, 2**32))
    def options_are_exact(self, seed: int) -> None:
        assert self.walk is not None
        self.walk.chance = Seeded(seed)  # nothing happens here, so there is nothing to shrink
        self.walk.probe()

    @invariant()
    def views_hide_what_is_hidden(self) -> None:
        if self.walk is not None:
            self.walk.chance = Seeded(0)
            self.walk.views()

    def teardown(self) -> None:
        if self.walk is not None:
            self.walk.table.check_replay()


@pytest.mark.parametrize("slug", slugs())
def test_whatever_people_do(slug: str) -> None:
    run_state_machine_as_test(
        partial(Machine, slug),  # type: ignore[arg-type]  # anything that makes one
        settings=settings(
            max_examples=40,
            stateful_step_count=35,
            deadline=None,
            derandomize=True,
            database=None,
            phases=(Phase.generate, Phase.shrink),  # to explain a failure takes minutes more
            suppress_health_check=[
                HealthCheck.too_slow,  # a step plays and audits several commands
                HealthCheck.data_too_large,  # a long game is made of many choices
            ],
        ),
    )


@pytest.mark.parametrize(("slug", "layout"), LAYOUTS)
def test_every_layout(slug: str, layout: str) -> None:
    walk(slug, layout, seed=0, steps=150)


def test_walks_come_to_everything_that_can_happen() -> None:
    """A walk that no longer gets anywhere would check nothing."""
    seen: set[type] = set()
    remedies: set[str] = set()
    tables: tuple[tuple[str, str, dict[str, Any]], ...] = (
        (TBC, "A", {"method": "face-down", "insurance": True}),
        (MBS, "A", {"method": "A", "differential": 5_00, "chip_unit": 1_00, "limits": {"*": Limit(1_00)}}),
        (MBS, "B", {"method": "C", "high_limit": True, "device": "reader", "decks": 8, "cut": 52 * 8 - 6}),
    )
    for seed in range(50):
        for slug, layout, changed in tables:
            chance = Seeded(seed)
            setup = msgspec.structs.replace(random_setup(chance, slug, layout), **changed)
            walked = Walk(setup, chance)
            for step in range(200):
                walked.advance() if step % 8 else walked.listed()
            seen |= {type(event) for event in walked.table.log}
            remedies |= {event.remedy for event in walked.table.log if isinstance(event, events.RemedyDone)}
        if seen >= HAPPENS and remedies >= every_remedy():
            return
    pytest.fail(f"never happened: {HAPPENS - seen}, {every_remedy() - remedies}")


def every_remedy() -> set[str]:
    """Whatever a ruling of any document says is to be done, and what may be decided where none does."""
    found = {
        remedy
        for slug in slugs()
        for procedure in load(slug).procedures
        for ruling in procedure.rulings
        for remedy in ruling.remedy
    }
    return found - {"decide"} | {"return-stakes", "cut-to-maximum"}


def soak(minutes: float) -> None:
    """Walks at every layout, seed after seed, until the time is over."""
    end, seed = time.monotonic() + 60 * minutes, 1
    while time.monotonic() < end:
        for slug, layout in LAYOUTS:
            try:
                walk(slug, layout, seed, steps=200)
            except Exception as error:
                error.add_note(f"found by walk({slug!r}, {layout!r}, {seed}, 200)")
                raise
        seed += 1
    print(f"{seed - 1} walks at each of {len(LAYOUTS)} layouts")  # noqa: T201 - shown by make soak


if SOAK_MINUTES:

    def test_soak() -> None:
        """`make soak`."""
        soak(SOAK_MINUTES)


# Planted faults -----------------------------------------------------------------------------------------


def _loses_a_cent(original: Callable[..., Any]) -> Callable[..., Any]:
    def apply(balances: dict[str, int], postings: tuple[Posting, ...]) -> dict[str, int]:
        after: dict[str, int] = original(balances, postings)
        return {account: cents - (account == "house") for account, cents in after.items()}

    return apply


def _cuts_nothing(_: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *_: []


def _shows_every_card(original: Callable[..., Any]) -> Callable[..., Any]:
    def cards(state: State, current: Round, viewer: str) -> object:
        everything = tuple(range(1, len(current.cards) + 1))
        return original(state, msgspec.structs.replace(current, exposed=everything), viewer)

    return cards


def _pays_even_money(original: Callable[..., Any]) -> Callable[..., Any]:
    def net(came: Result, odds: Odds | None, played: int) -> int:
        paid: int = played if came.verdict == "win" else original(came, odds, played)
        return paid

    return net


def _forgets_a_card(original: Callable[..., Any]) -> Callable[..., Any]:
    def drawn(state: State, event: events.CardDrawn) -> State:
        after: State = original(state, event)
        return msgspec.structs.replace(after, shoe=state.shoe)

    return drawn


def _lists_no_chips(_: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *_: iter(())


def _plays_in_full(_: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *_: {}


def _keeps_a_stake(original: Callable[..., Any]) -> Callable[..., Any]:
    def refunds(current: Round) -> object:
        rest = dict(list(current.stakes.items())[1:])
        return original(msgspec.structs.replace(current, stakes=rest))

    return refunds


def _loses_what_came_out(original: Callable[..., Any]) -> Callable[..., Any]:
    return lambda flow, drawn: original(flow, drawn[:-1])


def _returns_twice(original: Callable[..., Any]) -> Callable[..., Any]:
    def bring_to(flow: Flow, stake: Stake, cents: int) -> None:
        original(flow, stake, cents)
        original(flow, stake, cents)

    return bring_to


def _releases_after_one_choice(original: Callable[..., Any]) -> Callable[..., Any]:
    def chosen(state: State, event: events.ChoiceMade) -> State:
        after: State = original(state, event)
        assert after.round is not None
        assert after.round.pending is not None
        choices = {player: choice or "continue" for player, choice in after.round.pending.choices.items()}
        pending = msgspec.structs.replace(after.round.pending, choices=choices)
        return msgspec.structs.replace(after, round=msgspec.structs.replace(after.round, pending=pending))

    return chosen


def _forgets_insurance(original: Callable[..., Any]) -> Callable[..., Any]:
    return lambda current: original(msgspec.structs.replace(current, purchases=()))


def _shows_what_waits(original: Callable[..., Any]) -> Callable[..., Any]:
    def seen(state: State, viewer: str) -> View:
        waiting = state.shoe.waiting if state.shoe else ()
        shown: View = original(state, viewer)
        return msgspec.structs.replace(shown, waiting=waiting)

    return seen


# module, function, what it is broken into, what the auditor says
PLANTED: list[tuple[str, str, Callable[[Callable[..., Any]], Callable[..., Any]], str]] = [
    ("evolve", "apply", _loses_a_cent, "balances are the sums of postings"),
    ("limits", "cuts", _cuts_nothing, "a box keeps the differential"),
    ("limits", "played", _plays_in_full, "plays for"),
    ("view", "_cards", _shows_every_card, "only the squeezer sees a face-down card"),
    ("decide.settling", "_net", _pays_even_money, "the table settles as a single round does"),
    ("decide.settling", "refunds", _keeps_a_stake, "an event moves what its stakes say"),
    ("legal", "_chips", _lists_no_chips, "what is not listed is refused"),
    ("decide.remedies", "_lay", _loses_what_came_out, "no card is lost"),
    ("decide.remedies", "_bring_to", _returns_twice, "does not go back again"),
    ("decide.settling", "refunds", _forgets_insurance, "an event moves what its stakes say"),
]


def _walks() -> None:
    """Walks as they are taken every day."""
    for seed in range(80):
        for slug, layout in (
            (TBC, "A"),
            (CBI, "G"),
            (MBS, "A"),
            ("rws-tiger-buffalo-non-commission-v4", "B"),
        ):
            walk(slug, layout, f"planted{seed}", 100)


@pytest.mark.parametrize(("where", "function", "broken", "says"), PLANTED)
def test_a_planted_fault_is_found(
    where: str, function: str, broken: Callable[..., Any], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module(f"thirdcard.table.{where}")
    monkeypatch.setattr(module, function, broken(getattr(module, function)))
    with pytest.raises(AssertionError, match=says):
        _walks()


def test_a_planted_fault_in_a_fold_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    changes = importlib.import_module("thirdcard.table.evolve").CHANGES
    monkeypatch.setitem(changes, events.CardDrawn, _forgets_a_card(changes[events.CardDrawn]))
    with pytest.raises(AssertionError, match="the shoe counts its cards"):
        _walks()


def test_a_round_that_is_released_too_soon_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    changes = importlib.import_module("thirdcard.table.evolve").CHANGES
    monkeypatch.setitem(changes, events.ChoiceMade, _releases_after_one_choice(changes[events.ChoiceMade]))
    with pytest.raises(AssertionError, match="when all choices are made"):
        _walks()


def test_a_waiting_card_that_nobody_saw_is_found_in_a_view(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "view", _shows_what_waits(view))
    with pytest.raises(AssertionError, match="a hidden card is nowhere in the view"):
        _walks()


# What a settled round still allows ----------------------------------------------------------------------


def settled(slug: str, layout: str, **changed: object) -> Table:
    """One round in which ann won $50 on Player."""
    values: dict[str, Any] = {
        "rulebook": slug,
        "layout": layout,
        "positions": 5,
        "limits": {"*": Limit(10_00, 1_000_00)},
        "differential": 500_00,
        "staff": staff_of(load(slug)),
        "method": next(method.name for method in load(slug).dealing if not method.face_down),
    }
    table = Table(Setup(**(values | changed)))
    play(table, "9C 2D KH 2S")
    return table


def done(table: Table, *wanted: AnyCommand) -> None:
    for command in wanted:
        decided = table.do(command)
        assert not isinstance(decided, Refusal), decided


def play(table: Table, cards: str) -> None:
    dealer = "the-dealer"
    done(
        table,
        commands.Join(by="ann"),
        commands.BuyIn(by="ann", cents=100_00),
        commands.Sit(by="ann", box=1),
        commands.NewShoe(by=dealer),
        commands.Open(by=dealer),
        commands.Place(by="ann", box=1, bet="player", cents=50_00),
        commands.Close(by=dealer),
        *(commands.Draw(by=dealer, card=card) for card in parse_cards(cards)),
    )
    if table.state.setup.dealing.face_down:
        done(table, commands.Expose(by=dealer, cards=(1, 2, 3, 4)))
    done(table, commands.Settle(by=dealer))


CORRECTS = {
    **dict.fromkeys(slugs(), frozenset(("the-pit-supervisor", "the-pit-manager", "the-shift-manager"))),
    MBS: frozenset(("the-gaming-shift-manager",)),  # payment ended the round: a decision under 6.1
}
VOIDS = {
    **dict.fromkeys(slugs(), frozenset(("the-shift-manager",))),
    MBS: frozenset(("the-gaming-shift-manager",)),
}


@pytest.mark.parametrize("slug", slugs())
def test_a_settled_round_is_reversed_by_the_right_rank_until_the_next(slug: str) -> None:
    table = settled(slug, "A")
    people = ("ann", "zoe", *table.state.staff)

    def accepted(make: Callable[[str], Any]) -> set[str]:
        return {who for who in people if not isinstance(table.ask(make(who)), Refusal)}

    lost = parse_cards("9C 9D KH KS")

    def correct(who: str) -> commands.Correct:
        return commands.Correct(by=who, cards=lost, reason="misread")

    def void(who: str) -> commands.Void:
        return commands.Void(by=who, reason="misdeal")

    assert accepted(correct) == CORRECTS[slug]
    assert accepted(void) == VOIDS[slug]
    done(table, correct(min(VOIDS[slug])))  # a tie
    assert table.state.rack("ann") == 100_00
    done(table, commands.Open(by="the-dealer"))
    assert accepted(correct) == set()
    refusal = table.ask(correct(min(VOIDS[slug])))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "wrong-phase"


@pytest.mark.parametrize("slug", slugs())
@pytest.mark.parametrize("drawn", range(5))
def test_a_void_returns_everything_at_any_stage(slug: str, drawn: int) -> None:
    table = settled(slug, "A")
    done(table, commands.Open(by="the-dealer"), commands.Place(by="ann", box=1, bet="tie", cents=20_00))
    if drawn:
        done(table, commands.Close(by="the-dealer"))
        cards = parse_cards("2C 3D KH QS")[:drawn]
        done(table, *(commands.Draw(by="the-dealer", card=card) for card in cards))
    done(table, commands.Void(by=min(VOIDS[slug]), reason="misdeal"))
    assert table.state.rack("ann") == 150_00
    assert table.state.phase == "void"


# What walks have found ----------------------------------------------------------------------------------


def test_no_rack_goes_below_zero_when_a_settlement_is_reversed() -> None:
    table = settled(TBC, "A")
    for command in (
        commands.CashOut(by="ann", cents=150_00),
        commands.Void(by="the-shift-manager", reason="misdeal"),
    ):
        decided = table.ask(command)
        for event in () if isinstance(decided, Refusal) else decided:
            table.state = evolve(table.state, event)
    assert table.state.rack("ann") >= 0


def test_a_round_is_corrected_after_a_new_shoe_came_in() -> None:
    table = settled(TBC, "A")
    done(table, commands.NewShoe(by="the-dealer"))
    legal(table.state, "the-pit-supervisor")
    table.ask(commands.Correct(by="the-pit-supervisor", cards=parse_cards("9C 2D KH 3S"), reason="misread"))


@pytest.mark.parametrize("unit", [3 * CHIP_STEP, 7 * CHIP_STEP])
def test_a_table_needs_no_maximum_whatever_its_chip_unit(unit: int) -> None:
    start(Setup(rulebook=MBS, layout="A", positions=8, limits={"*": Limit(unit)}, chip_unit=unit))


def test_a_refusal_to_settle_tells_nothing_of_face_down_cards() -> None:
    table = settled(TBC, "A", method="face-down")
    said = []
    for cards in ("9C 2D KH 2S", "2C 2D 2H 2S"):
        done(table, commands.Open(by="the-dealer"), commands.Close(by="the-dealer"))
        done(table, *(commands.Draw(by="the-dealer", card=card) for card in parse_cards(cards)))
        said.append(table.ask(commands.Settle(by="the-dealer")))
        done(table, commands.Void(by="the-shift-manager", reason="misdeal"))
    assert said[0] == said[1]


def test_a_third_card_that_is_refused_goes_back() -> None:
    table = settled(MBS, "A")
    dealer = "the-dealer"
    done(
        table,
        commands.ChangeSetup(by="the-pit-manager", changes=commands.Changes(method="A")),
        commands.Open(by=dealer),
        commands.Place(by="ann", box=1, bet="player", cents=50_00),
        commands.Close(by=dealer),
        *(commands.Draw(by=dealer, card=card) for card in parse_cards("2C 2D 2H 2S")),
        commands.Expose(by=dealer, cards=(1, 2, 3, 4)),
        commands.Draw(by=dealer, card=parse_cards("5C")[0]),
        commands.HandOver(by=dealer, cards=(5,), player="ann"),
    )
    decided = table.ask(commands.RefuseCards(by="ann", hand=Side.PLAYER))
    assert not isinstance(decided, Refusal)
    state = evolve(table.state, decided[0])
    assert state.round is not None
    assert state.round.handed == {}
