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
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, get_args

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
from thirdcard.cards import Card, parse_cards
from thirdcard.money import CHIP_STEP, Odds
from thirdcard.play.bets import Verdict
from thirdcard.rulebook import load, slugs
from thirdcard.rulebook.forms import canonical
from thirdcard.rulebook.load import read, remember
from thirdcard.rulebook.model import Side
from thirdcard.rulebook.remedies import REMEDIES
from thirdcard.table import Refusal, Setup, State, commands, events, legal, start, view
from thirdcard.table.decide.flow import Flow
from thirdcard.table.events import AnyEvent
from thirdcard.table.ledger import Posting
from thirdcard.table.rights.choosing import to_choose
from thirdcard.table.setup import Limit
from thirdcard.table.state import Chosen, DrawnCard, Purchase, Round, Stake
from thirdcard.table.view import View
from thirdcard.words.saying import say

pytestmark = pytest.mark.slow

SOAK_MINUTES = float(os.environ.get("THIRDCARD_SOAK", "0"))
LAYOUTS = [(slug, letter) for slug in slugs() for letter in load(slug).layouts]
# Only logs of release 0.1.0 hold these.
LIMITS = {"*": Limit(3_00, 40_00)}
OLD = {events.CardsCorrected, events.CardsReconstructed, events.InsuranceForgone}
HAPPENS = set(get_args(AnyEvent)) - OLD - {events.PlayerLeft}  # a live table says who is away
TBC, CBI, MBS = "rws-tiger-buffalo-commission-v2", "rws-commission-insurance-v5", "mbs-tiger-v2"
V4 = "rws-tiger-buffalo-non-commission-v4"
replace = msgspec.structs.replace


# The machine --------------------------------------------------------------------------------------------


class Drawn:
    """Chance as Hypothesis hands it out, so that it can shrink."""

    def __init__(self, data: st.DataObject) -> None:
        self.data = data

    def below(self, end: int) -> int:
        return self.data.draw(up_to(end)) if end > 1 else 0


up_to = cache(lambda end: st.integers(0, end - 1))


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

    @precondition(lambda machine: machine.walk is not None and machine.walk.is_held_up)
    @rule(data=st.data())
    def it_is_seen_to(self, data: st.DataObject) -> None:
        for _ in range(3):
            if self._at(data).is_held_up:
                self._at(data).advance()

    @precondition(lambda machine: machine.walk is not None and machine.walk.is_on_record)
    @rule(data=st.data())
    def a_record_is_put_right(self, data: st.DataObject) -> None:
        self._at(data).puts_right()

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


@pytest.mark.gate("mbs", "rws-tiger-buffalo-commission")
@pytest.mark.parametrize("slug", slugs())
def test_whatever_people_do(slug: str) -> None:
    run_state_machine_as_test(
        partial(Machine, slug),  # type: ignore[arg-type]  # anything that makes one
        settings=settings(
            max_examples=25,
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


@pytest.mark.gate("mbs", "rws-commission")
@pytest.mark.parametrize(("slug", "layout"), LAYOUTS)
def test_every_layout(slug: str, layout: str) -> None:
    walk(slug, layout, seed=0, steps=150)


EXAMPLES = (Path(__file__).parents[2] / "examples" / "rulebooks").glob("*.toml")
SMALL = sorted(path for path in EXAMPLES if load(path).table_of_play.usual)  # which tables deal
# Bets that look at suits and at places, and what else a small book may have or lack.
LOOKING = """
slug = "looking-closely"
document = { title = "Looking Closely" }
decks = { min = 6, max = 8 }
[layouts.A]
positions = [1, 9]
bets = ["player", "banker", "perfect", "six"]
[bets.player]
name = "Player"
push = { when = { winner = ["tie"] } }
pays = [{ tier = "win", when = { winner = ["player"] }, odds = "1 to 1" }]
[bets.banker]
name = "Banker"
push = { when = { winner = ["tie"] } }
pushes = [{ tier = "six", when = { winner = ["banker"], total = 6 } }]
pays = [{ tier = "win", when = { winner = ["banker"], total = ["1-5", "7-9"] }, odds = "1 to 1" }]
[bets.perfect]
name = "Perfect Pair"
pays = [
  { tier = "both", when = { pair = "both", pair_suits = ["same"] }, odds = "200 to 1" },
  { tier = "one", when = { pair = "one", pair_suits = ["same"] }, odds = "25 to 1" },
]
[bets.six]
name = "Third Six"
pays = [{ tier = "win", when = { banker = { third = ["6"] }, losing = { natural = false } }, odds = "9 to 1" }]
"""


@pytest.mark.parametrize("book", SMALL, ids=lambda book: book.stem)
def test_books_that_are_not_of_the_package(book: Path) -> None:
    for layout in load(book).layouts:
        for seed in range(2):
            walk(book, layout, seed, steps=100)


def test_a_book_whose_bets_look_at_suits_and_places() -> None:
    book = read("looking-closely.toml", LOOKING)
    for seed in range(8):
        walk(remember(canonical(book)), "A", seed, steps=150)


@pytest.mark.whole
def test_walks_come_to_everything_that_can_happen() -> None:
    """A walk that no longer gets anywhere would check nothing."""
    seen: set[type] = set()
    remedies: set[str] = set()
    reported: Counter[str] = Counter()
    amended = 0
    tables: tuple[tuple[str, str, dict[str, Any]], ...] = (
        (TBC, "A", {"method": "face-down", "insurance": True, "private": True}),
        (TBC, "M", {"method": "face-up", "insurance": True}),
        (CBI, "G", {"method": "face-up", "insurance": True}),
        (
            MBS,
            "A",
            {"method": "A", "device": "shoe", "differential": 5_00, "chip_unit": 1_00, "limits": LIMITS},
        ),
        (MBS, "B", {"method": "C", "high_limit": True, "device": "reader", "decks": 8, "cut": 52 * 8 - 6}),
    )
    for seed in range(60):
        for slug, layout, changed in tables:
            chance = Seeded(seed)
            walked = Walk(replace(random_setup(chance, slug, layout), **changed), chance, reported)
            walked.plays(200)
            log = walked.table.log
            seen |= {type(event) for event in log}
            remedies |= {event.remedy for event in log if isinstance(event, events.RemedyDone)}
            amended += walked.table.audit.compared
        if seen >= HAPPENS and remedies >= EVERY_REMEDY and amended > 20:
            return
    pytest.fail(f"never happened: {HAPPENS - seen}, {EVERY_REMEDY - remedies}, {amended}")


# Whatever can be done, but for a word for a decision, and for what the table does by itself in time.
EVERY_REMEDY = set(REMEDIES) - {"decide", "to-maximum", "pro-rata", "offer"}


def soak(minutes: float) -> None:
    """Walks at every layout, seed after seed, until the time is over."""
    end, walks = time.monotonic() + 60 * minutes, 0
    while time.monotonic() < end:
        again, place = divmod(walks, len(LAYOUTS))
        slug, layout = LAYOUTS[place]
        try:
            walk(slug, layout, again + 1, steps=200)
        except Exception as error:
            error.add_note(f"found by walk({slug!r}, {layout!r}, {again + 1}, 200)")
            raise
        walks += 1
    print(f"{walks} walks at {len(LAYOUTS)} layouts in turn")  # noqa: T201 - shown by make soak


if SOAK_MINUTES:

    def test_soak() -> None:
        """`make soak`."""
        soak(SOAK_MINUTES)


# Planted faults -----------------------------------------------------------------------------------------


Broken = Callable[[Callable[..., Any]], Callable[..., Any]]


def _loses_a_cent(original: Callable[..., Any]) -> Callable[..., Any]:
    def apply(balances: dict[str, int], postings: tuple[Posting, ...]) -> dict[str, int]:
        after: dict[str, int] = original(balances, postings)
        return {account: cents - (account == "house") for account, cents in after.items()}

    return apply


def _cuts_nothing(_: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *_: []


def _shows_every_card(original: Callable[..., Any]) -> Callable[..., Any]:
    def cards(state: State, current: Round, viewer: str) -> object:
        shown = tuple(replace(card, face_up=card.name is not None) for card in current.drawn)
        return original(state, replace(current, drawn=shown), viewer)

    return cards


def _pays_even_money(original: Callable[..., Any]) -> Callable[..., Any]:
    def net(verdict: Verdict, stake: int, odds: Odds | None) -> int:
        paid: int = stake if verdict == "win" else original(verdict, stake, odds)
        return paid

    return net


def _lists_no_chips(_: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *_: iter(())


def _plays_in_full(_: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *_: {}


def _keeps_a_stake(original: Callable[..., Any]) -> Callable[..., Any]:
    def refunds(current: Round) -> object:
        rest = dict(list(current.stakes.items())[1:])
        return original(replace(current, stakes=rest))

    return refunds


def _forgets_insurance(original: Callable[..., Any]) -> Callable[..., Any]:
    return lambda current: original(replace(current, purchases=()))


def _returns_twice(original: Callable[..., Any]) -> Callable[..., Any]:
    def bring_to(flow: Flow, stake: Stake, cents: int, why: str = "returned") -> None:
        original(flow, stake, cents, why)
        original(flow, stake, cents, why)

    return bring_to


def _fails_for_want_of_chips(_: Callable[..., Any]) -> Callable[..., Any]:
    return lambda _, postings: postings


def _pays_late_chips(_: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *_: ()


def _insures_as_it_was_bought(_: Callable[..., Any]) -> Callable[..., Any]:
    """A correction from Player 6 to 7 keeps insurance at 5 to 2."""

    def row(_: object, __: object, purchase: Purchase) -> int:
        return purchase.row

    return row


def _caps_nothing(_: Callable[..., Any]) -> Callable[..., Any]:
    def cap(*_: object) -> object:
        return importlib.import_module("thirdcard.play.insurance").Cap(10**15, ())

    return cap


def _keeps_what_nobody_draws(_: Callable[..., Any]) -> Callable[..., Any]:
    """A card that an amended round does not need is left out of those that wait."""

    def laid(_: State, cards: tuple[DrawnCard, ...], waiting: tuple[DrawnCard, ...]) -> object:
        return cards[:4], waiting

    return laid


def _knows_every_case(_: Callable[..., Any]) -> Callable[..., Any]:
    """An excess is paid without a decision."""
    return lambda *_: []


def _tells_the_cards(_: Callable[..., Any]) -> Callable[..., Any]:
    return lambda _, current: say("as-told", text=f"not now: {current.cards}")


def _lists_every_subset(original: Callable[..., Any]) -> Callable[..., Any]:
    def cards(state: State, current: Round, actor: str) -> Any:  # noqa: ANN401 - as it is there
        for _ in range(4 ** len(current.hidden)):
            yield from original(state, current, actor)

    return cards


# module, function, what it is broken into, what the auditor says
PLANTED: list[tuple[str, str, Broken, str]] = [
    ("evolve", "apply", _loses_a_cent, "balances are the sums of postings"),
    ("limits", "cuts", _cuts_nothing, "a box keeps the differential"),
    ("limits", "played", _plays_in_full, "plays for"),
    ("limits", "undecided_excess", _knows_every_case, "an excess is decided first"),
    ("view", "_cards", _shows_every_card, "only the squeezer sees a face-down card"),
    ("settling", "net_cents", _pays_even_money, "the table settles as a single round does"),
    ("decide.settling", "refunds", _keeps_a_stake, "an event moves what its stakes say"),
    ("decide.settling", "refunds", _forgets_insurance, "an event moves what its stakes say"),
    ("decide.settling", "within_racks", _fails_for_want_of_chips, "below zero"),
    ("decide.settling", "put_right", _pays_late_chips, "late chips go back"),
    ("decide.remedies", "_bring_to", _returns_twice, "does not go back again"),
    ("decide.amending", "_laid", _keeps_what_nobody_draws, "no card is lost"),
    (
        "playing",
        "_row",
        _insures_as_it_was_bought,
        "as a single round does|what a fresh round with that record",
    ),
    ("playing", "_cap", _caps_nothing, "as a single round does|insurance (is at most|wins at most) its bet"),
    ("legal", "_chips", _lists_no_chips, "what is not listed is refused"),
    ("legal", "_cards", _lists_every_subset, "what may be done can be listed"),
    ("decide.dealing", "why_not_due", _tells_the_cards, "a refusal tells nothing of hidden cards"),
]


def _forgets_a_card(original: Callable[..., Any]) -> Callable[..., Any]:
    def drawn(state: State, event: events.CardDrawn) -> State:
        after: State = original(state, event)
        return replace(after, shoe=state.shoe)

    return drawn


def _releases_after_one_choice(original: Callable[..., Any]) -> Callable[..., Any]:
    def chosen(state: State, event: events.ChoiceMade) -> State:
        after: State = original(state, event)
        assert after.round is not None
        assert after.round.pending is not None
        rest = tuple(Chosen(who, "continue") for who in to_choose(after, after.round))
        pending = replace(after.round.pending, chosen=(*after.round.pending.chosen, *rest))
        return replace(after, round=replace(after.round, pending=pending))

    return chosen


def _lays_a_card_twice(original: Callable[..., Any]) -> Callable[..., Any]:
    def laid(state: State, event: events.CardsLaid) -> State:
        after: State = original(state, event)
        assert after.shoe is not None
        return replace(after, shoe=replace(after.shoe, waiting=(*after.shoe.waiting, *event.cards[-1:])))

    return laid


def _forgets_the_other_report(original: Callable[..., Any]) -> Callable[..., Any]:
    def over(state: State, event: events.IrregularityClosed) -> State:
        after: State = original(state, event)
        assert after.round is not None
        return replace(after, round=replace(after.round, pending=None, reported=()))

    return over


def _still_offers(original: Callable[..., Any]) -> Callable[..., Any]:
    def walked_away(state: State, event: events.WalkedAway) -> State:
        after: State = original(state, event)
        assert after.round is not None
        return replace(after, round=replace(after.round, absences=()))

    return walked_away


def _shares_as_before(original: Callable[..., Any]) -> Callable[..., Any]:
    """Chips are put right, and what the others play for is not."""

    def changed(state: State, event: events.PlayedChanged) -> State:
        assert state.round is not None
        after: State = original(state, event)
        assert after.round is not None
        return replace(after, round=replace(after.round, played=state.round.played))

    return changed


def _loses_what_waited(original: Callable[..., Any]) -> Callable[..., Any]:
    def dismissed(state: State, event: events.ReportDismissed) -> State:
        after: State = original(state, event)
        assert after.shoe is not None
        return replace(after, shoe=replace(after.shoe, used=after.shoe.used + 1))

    return dismissed


def _scales_insurance(original: Callable[..., Any]) -> Callable[..., Any]:
    """What was bought is not kept on record as it was bought."""

    def amended(state: State, event: events.RecordAmended) -> State:
        after: State = original(state, event)
        assert after.round is not None
        return replace(after, round=replace(after.round, purchases=after.round.purchases[1:]))

    return amended


FOLDS: list[tuple[type, Broken, str]] = [
    (events.CardDrawn, _forgets_a_card, "the shoe counts its cards"),
    (events.ChoiceMade, _releases_after_one_choice, "when all choices are made"),
    (events.CardsLaid, _lays_a_card_twice, "every card is in one place|no card is lost"),
    (
        events.IrregularityClosed,
        _forgets_the_other_report,
        "in the order reported|every card is in one place",
    ),
    (events.WalkedAway, _still_offers, "who walked away has forgone insurance"),
    (events.PlayedChanged, _shares_as_before, "plays for its share|over the maximum|what a fresh round"),
    (events.ReportDismissed, _loses_what_waited, "the shoe counts its cards"),
    (events.RecordAmended, _scales_insurance, "what was bought is kept on record"),
]


# Faults that few walks come across, and the first that does: the others are walked after it.
RARE = {"_forgets_insurance": 22, "_tells_the_cards": 35}


def _walks(*, quick: bool = True, insured: bool = False, first: int = 0) -> None:
    """Walks as they are taken every day; to look at options and views takes longer."""
    seeds = range(200 if quick else 40)
    for seed in (*seeds[first:], *seeds[:first]):
        for slug, layout in ((TBC, "A"), (CBI, "G"), (MBS, "A"), (V4, "B"))[: 2 if insured else 4]:
            walk(slug, layout, f"planted{seed}", 100, quick=quick)


@pytest.mark.whole
@pytest.mark.parametrize(("where", "function", "broken", "says"), PLANTED)
def test_a_planted_fault_is_found(
    where: str, function: str, broken: Broken, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module(f"thirdcard.table.{where}")
    monkeypatch.setattr(module, function, broken(getattr(module, function)))
    with pytest.raises(AssertionError, match=says):
        _walks(
            quick=where not in ("legal", "view", "decide.dealing"),
            insured=where == "playing",
            first=RARE.get(broken.__name__, 0),
        )


@pytest.mark.whole
@pytest.mark.parametrize(("event", "broken", "says"), FOLDS)
def test_a_planted_fault_in_a_fold_is_found(
    event: type, broken: Broken, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = importlib.import_module("thirdcard.table.evolve").CHANGES
    in_rounds = importlib.import_module("thirdcard.table.evolve_round").ROUND_CHANGES
    if event in in_rounds:
        in_round = in_rounds[event]
        monkeypatch.delitem(in_rounds, event)

        def changed(state: State, event: object) -> State:
            return replace(state, round=in_round(state.round, event))

        monkeypatch.setitem(changes, event, broken(changed))
    else:
        monkeypatch.setitem(changes, event, broken(changes[event]))
    with pytest.raises(AssertionError, match=says):
        _walks()


@pytest.mark.parametrize("remedy", ["reconstruct", "refuse"])
def test_a_remedy_that_is_only_logged_is_found(remedy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    handlers = importlib.import_module("thirdcard.table.decide.remedies").HANDLERS
    monkeypatch.setitem(handlers, remedy, lambda _: True)
    with pytest.raises(AssertionError, match="changed nothing is not logged"):
        _walks()


def _shows_what_waits(original: Callable[..., Any]) -> Callable[..., Any]:
    def seen(state: State, viewer: str) -> View:
        waiting = [one.name for one in state.shoe.waiting] if state.shoe else []
        shown: View = original(state, viewer)
        return replace(shown, waiting=tuple(name for name in waiting if name is not None))

    return seen


def test_a_waiting_card_that_nobody_saw_is_found_in_a_view(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "view", _shows_what_waits(view))
    with pytest.raises(AssertionError, match="a hidden card is nowhere in the view"):
        _walks(quick=False)


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
    play(table, parse_cards("9C 2D KH 2S"))
    return table


def play(table: Table, cards: tuple[Card, ...]) -> None:
    dealer, unseen = "the-dealer", table.state.setup.unseen
    table.must(
        commands.Join(by="ann"),
        commands.BuyIn(by="ann", cents=100_00),
        commands.Sit(by="ann", box=1),
        commands.NewShoe(by=dealer),
        commands.Open(by=dealer),
        commands.Place(by="ann", box=1, bet="player", cents=50_00),
        commands.Close(by=dealer),
        *(commands.Draw(by=dealer, card=None if unseen else card) for card in cards),
    )
    if table.state.setup.dealing.face_down:
        table.must(commands.Expose(by=dealer, cards=(1, 2, 3, 4), names=cards if unseen else ()))
    table.must(commands.Settle(by=dealer))


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
    table.must(correct(min(VOIDS[slug])))  # a tie
    assert table.state.rack("ann") == 100_00
    table.must(commands.Open(by="the-dealer"))
    assert accepted(correct) == set()
    refusal = table.ask(correct(min(VOIDS[slug])))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "wrong-phase"


@pytest.mark.parametrize("slug", slugs())
@pytest.mark.parametrize("drawn", range(5))
def test_a_void_returns_everything_at_any_stage(slug: str, drawn: int) -> None:
    table = settled(slug, "A")
    table.must(commands.Open(by="the-dealer"), commands.Place(by="ann", box=1, bet="tie", cents=20_00))
    if drawn:
        table.must(commands.Close(by="the-dealer"))
        cards = parse_cards("2C 3D KH QS")[:drawn]
        table.must(*(commands.Draw(by="the-dealer", card=card) for card in cards))
    table.must(commands.Void(by=min(VOIDS[slug]), reason="misdeal"))
    assert table.state.rack("ann") == 150_00
    assert table.state.phase == "void"


# What walks have found ----------------------------------------------------------------------------------


def test_no_rack_goes_below_zero_when_a_settlement_is_reversed() -> None:
    table = settled(TBC, "A")
    table.must(
        commands.CashOut(by="ann", cents=150_00),
        commands.Void(by="the-shift-manager", reason="misdeal"),
    )
    assert (table.state.rack("ann"), table.state.debt("ann")) == (0, 50_00)


def test_a_round_is_corrected_after_a_new_shoe_came_in() -> None:
    table = settled(TBC, "A")
    table.must(commands.NewShoe(by="the-dealer"))
    legal(table.state, "the-pit-supervisor")
    table.ask(commands.Correct(by="the-pit-supervisor", cards=parse_cards("9C 2D KH 3S"), reason="misread"))


@pytest.mark.parametrize("unit", [3 * CHIP_STEP, 7 * CHIP_STEP])
def test_a_table_needs_no_maximum_whatever_its_chip_unit(unit: int) -> None:
    start(Setup(rulebook=MBS, layout="A", positions=8, limits={"*": Limit(unit)}, chip_unit=unit))


def test_a_refusal_to_settle_tells_nothing_of_face_down_cards() -> None:
    table = settled(TBC, "A", method="face-down", device="reader")
    said = []
    for cards in ("9C 2D KH 2S", "2C 2D 2H 2S"):
        table.must(commands.Open(by="the-dealer"), commands.Close(by="the-dealer"))
        table.must(*(commands.Draw(by="the-dealer", card=card) for card in parse_cards(cards)))
        said.append(table.ask(commands.Settle(by="the-dealer")))
        table.must(commands.Void(by="the-shift-manager", reason="misdeal"))
    assert said[0] == said[1]


def test_a_third_card_that_is_refused_goes_back() -> None:
    table = settled(MBS, "A", device="reader")
    dealer = "the-dealer"
    table.must(
        commands.ChangeSetup(by="the-pit-manager", changes=commands.Changes(method="A")),
        commands.Open(by=dealer),
        commands.Place(by="ann", box=1, bet="player", cents=50_00),
        commands.Close(by=dealer),
        *(commands.Draw(by=dealer, card=card) for card in parse_cards("2C 2D 2H 2S")),
        commands.HandOver(by=dealer, cards=(1, 3), player="ann"),
        commands.Expose(by="ann", cards=(1, 3)),
        commands.Expose(by=dealer, cards=(2, 4)),
        commands.Draw(by=dealer, card=parse_cards("5C")[0]),
        commands.HandOver(by=dealer, cards=(5,), player="ann"),
        commands.RefuseCards(by="ann", hand=Side.PLAYER),
    )
    assert table.state.round is not None
    assert table.state.round.handed == {}
