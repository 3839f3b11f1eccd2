"""Faults planted in what people's rights are derived from, each with the rights about which the reader must object.

A plant takes a `MonkeyPatch` and breaks one derivation. `found` walks through storms until the second reader disagrees
about one of the rights that the fault touches; the number of storms is bounded, never the time. Rights have the names
that `beside` gives them: "insure by right", "insure late", "insure more" (over the cap, or without an offer), "decline",
"close", "choose continue", "choose return", "what goes back", "take back after the close", "allow withdrawal", "request
squeeze", "permit squeeze", "be handed a card", "be given the device", "be given it by leave", "give the device up",
"take the device", "draw", "a decision is awaited", "report waits", "rack", "owed", "box", "what legal lists".
"""

import importlib
import pkgutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import ModuleType
from typing import Any, NamedTuple

import msgspec
import pytest

from table.storms import TABLES, Collecting, storm
from thirdcard import table
from thirdcard.play.insurance import Cap
from thirdcard.rulebook.model import Side
from thirdcard.table import State, commands, events
from thirdcard.table.legal import Option
from thirdcard.table.rights.insurance import Window
from thirdcard.table.state import Offering, Pending, Permit, Round

STORMS = 20  # over each of its tables, within which a fault has to show
STEPS = 120
replace = msgspec.structs.replace
Function = Callable[..., Any]
Broken = Callable[[Function], Function]


class Planted(NamedTuple):
    """A fault, the rights it touches, and the tables where it can show (all of them if none is named)."""

    plant: Callable[[pytest.MonkeyPatch], None]
    rights: frozenset[str]
    places: tuple[int, ...] = ()


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(table.__path__, "thirdcard.table."):
        yield importlib.import_module(found.name)


def breaking(module: str, name: str, broken: Broken) -> Callable[[pytest.MonkeyPatch], None]:
    """A function of `thirdcard.table` is broken wherever a module has it, by its name or in a dictionary."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        original = getattr(importlib.import_module(f"thirdcard.table.{module}"), name)
        wrong = broken(original)
        for where in _modules():
            for own, value in tuple(vars(where).items()):
                if value is original:
                    patch.setattr(where, own, wrong)
                elif isinstance(value, dict) and not own.startswith("__"):
                    for key in [key for key, one in value.items() if one is original]:
                        patch.setitem(value, key, wrong)

    return plant


def _in_round(state: State, **changes: Any) -> State:  # noqa: ANN401 - fields of Round
    return replace(state, round=replace(state.round, **changes)) if state.round else state


# Insurance -----------------------------------------------------------------------------------------------


def _caps_twice_as_high(original: Function) -> Function:
    """Insurance is capped at twice what may be bought."""

    def cap_for(*given: Any, **named: Any) -> Cap:  # noqa: ANN401 - whatever it takes
        cap: Cap = original(*given, **named)
        return replace(cap, cents=2 * cap.cents)

    return cap_for


def _nobody_says_no(original: Function) -> Function:
    """A no is put down to somebody who is not there."""

    def decline(state: State, command: commands.Decline) -> object:
        return original(state, replace(command, player="nobody"))

    return decline


def _late_offer_ends_another(original: Function) -> Function:
    """A late offer ends those that are open to others."""

    def late_window(current: Round, event: events.LateInsuranceOpened) -> Round:
        ended = tuple(replace(one, over=True) if one.people else one for one in current.offerings)
        made: Round = original(replace(current, offerings=ended), event)
        return made

    return late_window


def _suit_ends_offer(original: Function) -> Function:
    """Cards that are put right end what is on offer, though no point changes."""

    def amended(state: State, event: events.CardsAmended) -> State:
        assert state.round is not None
        ended = tuple(replace(one, over=True) for one in state.round.offerings)
        made: State = original(_in_round(state, offerings=ended), event)
        return made

    return amended


def _frees_who_intended(original: Function) -> Function:
    """Of those who were passed over only who had meant to insure is free of it."""

    def neglect_found(current: Round, event: events.NeglectFound | events.LateInsuranceOpened) -> Round:
        pending = current.pending
        assert pending is not None
        meant = pending.inputs.intended if pending.inputs else ()
        freed = tuple(one for one in event.players if one in meant)
        found = isinstance(event, events.NeglectFound)
        made: Round = original(current, replace(event, players=freed) if found else event)
        return made

    return neglect_found


def _any_purchase_answers(original: Function) -> Function:
    """What was bought in one window is an answer to every other."""

    def window_of(current: Round, every: tuple[Offering, ...], one: Offering) -> Window:
        bought = tuple(replace(purchase, window=one.window) for purchase in current.purchases)
        found: Window = original(replace(current, purchases=bought), every, one)
        return found

    return window_of


def _walking_away_costs_nothing(_: Function) -> Function:
    """Who walked away from bets and came back is offered insurance again."""
    return lambda *_given: False


def _late_cap_is_ordinary(original: Function) -> Function:
    """A late offer is capped as if it had been made in time."""

    def cap_for(*given: Any, late: bool) -> object:  # noqa: ANN401, ARG001 - whatever it takes
        return original(*given, late=False)

    return cap_for


# Choices -------------------------------------------------------------------------------------------------


def _accepted_is_forgotten(original: Function) -> Function:
    """Who accepted every later card is asked again."""

    def open_stakes(state: State, current: Round, pending: Pending, player: str) -> object:
        return original(state, replace(current, accepted=()), pending, player)

    return open_stakes


def _waits_for_struck_bet(original: Function) -> Function:
    """Who was asked is waited for, also once the bet is struck from the record."""

    def to_choose(state: State, current: Round) -> tuple[str, ...]:
        pending, found = current.pending, original(state, current)
        if pending is None or not pending.asked or not pending.remedies:
            return tuple(found)
        said = {one.player for one in pending.chosen}
        return tuple(dict.fromkeys((*found, *(one for one in pending.asked if one not in said))))

    return to_choose


def _decided_bets_go_back(_: Function) -> Function:
    """Who takes bets back takes those too that are won or lost already."""

    def undecided(_state: State, current: Round, player: str) -> list[str]:
        return [key for key, stake in current.stakes.items() if stake.player == player]

    return undecided


# Cards and the device ------------------------------------------------------------------------------------


def _permit_outlives_bet(_: Function) -> Function:
    """Leave to squeeze stands without the bet that it was given for."""

    def permit_of(current: Round, place: int) -> Permit | None:
        return current.permits.get(place)

    return permit_of


def _handed_to_who_left(_: Function) -> Function:
    """Cards go to somebody who is not there."""

    def willing(current: Round, hand: Side | None, person: str) -> bool:
        return (hand, person) not in current.refused

    return willing


def _all_that_lies_counts(_: Function) -> Function:
    """The largest bet is the one that lies there, not the one that plays."""

    def counts(_state: State, current: Round, key: str, _stake: object) -> int:
        return current.stakes[key].cents

    return counts


def _withdrawal_outlives_card(_: Function) -> Function:
    """Wagers may be withdrawn after a card has come."""

    def may_withdraw(current: Round) -> bool:
        return current.withdrawal and current.phase == "dealing"

    return may_withdraw


def _withdrawing_loses_the_draw(original: Function) -> Function:
    """Who withdrew by right may not draw any more."""

    def holds_device_by_right(state: State) -> object:
        return original(_in_round(state, withdrew=()))

    return holds_device_by_right


# Limits and reports --------------------------------------------------------------------------------------


def _differential_comes_last(original: Function) -> Function:
    """A stake is held to its maximum as it lies, before the differential."""

    def undecided_excess(state: State, current: Round) -> object:
        return original(state, replace(current, played={}))

    return undecided_excess


def _decided_again(original: Function) -> Function:
    """What was decided on a stake is to be decided again."""

    def undecided_excess(state: State, current: Round) -> object:
        return original(state, replace(current, decided=()))

    return undecided_excess


def _reset_forgets_reports(original: Function) -> Function:
    """A reset ends every report, whatever it is about."""

    def reopened(state: State, event: events.BetsReopened) -> State:
        made: State = original(_in_round(state, reported=()), event)
        return made

    return reopened


# Money ---------------------------------------------------------------------------------------------------


def _early_survives_void(original: Function) -> Function:
    """Wagers that were settled early stay settled when the round is void."""

    def refunds(current: Round) -> object:
        return original(replace(current, early=(), early_paid=()))

    return refunds


def _returned_bet_pays_debt(original: Function) -> Function:
    """Whatever comes back pays a debt, not winnings alone."""

    def within_racks(state: State, postings: object, _winnings: object = None) -> object:
        return original(state, postings, defaultdict(lambda: 2**60))

    return within_racks


def _nets_nothing(original: Function) -> Function:
    """What a reversal leaves owing is not netted against what comes back in it."""

    def within_racks(state: State, *rest: Any) -> object:  # noqa: ANN401 - whatever it takes
        return original(_in_round(state, lacks=None), *rest)

    return within_racks


# What is listed ------------------------------------------------------------------------------------------


def _lists_no_late_offer(original: Function) -> Function:
    """A late offer is open and nobody is told."""

    def insure(*given: Any) -> Iterator[Option]:  # noqa: ANN401 - whatever it takes
        return (one for one in original(*given) if not one.command.window)

    return insure


INSURED, MONEY = (0, 1, 2), frozenset({"rack", "owed", "box"})
NO = frozenset({"decline", "decline by staff"})
CHOOSE = frozenset({"choose continue", "choose return"})
HANDED = frozenset({"be handed a card"})
DRAWS = frozenset({"draw", "take the device"})
# The name says what is wrong.
PLANTED: dict[str, Planted] = {
    "insurance is capped at twice the Original Bet": Planted(
        breaking("playing", "cap_for", _caps_twice_as_high), frozenset({"insure more"}), INSURED
    ),
    "who accepted is asked again": Planted(
        breaking("rights.choosing", "open_stakes", _accepted_is_forgotten), CHOOSE
    ),
    "nobody can say no": Planted(breaking("decide.insuring", "decline", _nobody_says_no), NO, INSURED),
    "a late offer ends with another's": Planted(
        breaking("evolve_round", "_offered_late", _late_offer_ends_another),
        frozenset({"insure late"}),
        INSURED,
    ),
    "a suit put right ends an offer": Planted(
        breaking("evolve", "_amended", _suit_ends_offer), frozenset({"insure by right"}), INSURED
    ),
    "neglect frees only those who intended": Planted(
        breaking("evolve_round", "_unasked", _frees_who_intended), NO | {"insure by right"}, INSURED
    ),
    "a purchase in one window is an answer to the other": Planted(
        breaking("rights.insurance", "_window", _any_purchase_answers), NO | {"close"}, INSURED
    ),
    "a late offer is not listed": Planted(
        breaking("legal", "_insure", _lists_no_late_offer), frozenset({"what legal lists"}), INSURED
    ),
    "a struck bet is waited for": Planted(
        breaking("rights.choosing", "to_choose", _waits_for_struck_bet), CHOOSE
    ),
    "a permit outlives its bet": Planted(
        breaking("rights.squeezing", "permit_of", _permit_outlives_bet), HANDED
    ),
    "cards are handed to who has left": Planted(
        breaking("rights.squeezing", "_willing", _handed_to_who_left), HANDED
    ),
    "the largest bet is what lies, not what plays": Planted(
        breaking("rights.squeezing", "_counts", _all_that_lies_counts), frozenset({"request squeeze"})
    ),
    "withdrawal outlives a drawn card": Planted(
        breaking("rights.drawing", "may_withdraw", _withdrawal_outlives_card),
        frozenset({"take back after the close"}),
        (4, 5),
    ),
    "a holder who withdrew loses the draw": Planted(
        breaking("rights.squeezing", "holds_device_by_right", _withdrawing_loses_the_draw), DRAWS, (5,)
    ),
    "a maximum comes before the differential": Planted(
        breaking("limits", "undecided_excess", _differential_comes_last), frozenset({"a decision is awaited"})
    ),
    "walking away costs no insurance": Planted(
        breaking("rights.insurance", "walked_away", _walking_away_costs_nothing),
        NO | {"insure more"},
        INSURED,
    ),
    "a late offer has the cap of one in time": Planted(
        breaking("playing", "cap_for", _late_cap_is_ordinary), frozenset({"insure more"}), INSURED
    ),
    "bets that are decided go back": Planted(
        breaking("established", "undecided", _decided_bets_go_back), CHOOSE | {"what goes back"}
    ),
    "what was decided is awaited": Planted(
        breaking("limits", "undecided_excess", _decided_again), frozenset({"a decision is awaited"})
    ),
    "a reset forgets all reports": Planted(
        breaking("evolve", "_reopened", _reset_forgets_reports), frozenset({"report waits"})
    ),
    "early wagers survive a void": Planted(
        breaking("decide.settling", "refunds", _early_survives_void), MONEY
    ),
    "a returned bet pays a debt": Planted(breaking("ledger", "within_racks", _returned_bet_pays_debt), MONEY),
    "netting is forgotten": Planted(breaking("ledger", "within_racks", _nets_nothing), MONEY),
}


def rights_disputed(place: int, seed: int | str) -> set[str]:
    """About which rights table and reader differ in one storm, whatever else comes of it."""
    tables: list[Collecting] = []

    class Kept(Collecting):
        def __init__(self, setup: Any) -> None:  # noqa: ANN401 - a set-up
            super().__init__(setup)
            tables.append(self)

    with suppress(AssertionError, ValueError):  # a walk may stop at what the fault does
        storm(place, seed, STEPS, Kept)
    return {one.right for one in tables[0].found}


def found(fault: Planted) -> int:
    """After how many storms the reader objects to a fault, and not without it too; 0 if it never does."""
    for number in range(STORMS):
        for place in fault.places or range(len(TABLES)):
            seed = f"planted{number}"
            with pytest.MonkeyPatch.context() as patch:
                fault.plant(patch)
                disputed = fault.rights & rights_disputed(place, seed)
            if disputed and disputed - rights_disputed(place, seed):
                return number + 1
    return 0
