"""Faults planted in what people's rights are derived from, each with the rights about which the reader must object.

A plant takes a `MonkeyPatch` and breaks one derivation. `found` walks through storms until the second reader disagrees
about one of the rights that the fault touches; the number of storms is bounded, never the time. Rights have the names
that `beside` gives them: "insure by right", "insure late", "insure more" (over the cap, or without an offer), "decline",
"close", "choose continue", "choose return", "what goes back", "take back after the close", "allow withdrawal", "request
squeeze", "permit squeeze", "be handed a card", "be given the device", "be given it by leave", "give the device up",
"take the device", "draw", "a decision is awaited", "report waits", "rack", "owed", "box", "what legal lists".
"""

import importlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec
import pytest

from table.storms import TABLES, Collecting, storm
from thirdcard.play.insurance import Cap
from thirdcard.table import State, commands

STORMS = 20  # over each of its tables, within which a fault has to show
STEPS = 120
replace = msgspec.structs.replace
Broken = Callable[[Callable[..., Any]], Callable[..., Any]]


class Planted(NamedTuple):
    """A fault, the rights it touches, and the tables where it can show (all of them if none is named)."""

    plant: Callable[[pytest.MonkeyPatch], None]
    rights: frozenset[str]
    places: tuple[int, ...] = ()


def breaking(module: str, name: str, broken: Broken) -> Callable[[pytest.MonkeyPatch], None]:
    """A function of `thirdcard.table` is broken, wherever a module has it by that name."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        where = importlib.import_module(f"thirdcard.table.{module}")
        patch.setattr(where, name, broken(getattr(where, name)))

    return plant


# Faults --------------------------------------------------------------------------------------------------


def _caps_twice_as_high(original: Callable[..., Any]) -> Callable[..., Any]:
    def cap_for(*given: Any, **named: Any) -> Cap:  # noqa: ANN401 - whatever it takes
        cap: Cap = original(*given, **named)
        return replace(cap, cents=2 * cap.cents)

    return cap_for


def _asks_nobody_twice(original: Callable[..., Any]) -> Callable[..., Any]:
    """Who has not answered is taken to have been silent before anything is over."""

    def decline(state: State, command: commands.Decline) -> object:
        return original(state, replace(command, player="nobody"))

    return decline


# Filled in as derivations come to be; the name says what is wrong.
PLANTED: dict[str, Planted] = {
    "insurance is capped at twice the Original Bet": Planted(
        breaking("decide.insuring", "cap_for", _caps_twice_as_high), frozenset({"insure more"}), (0, 1, 2)
    ),
    "nobody can say no": Planted(
        breaking("decide.insuring", "decline", _asks_nobody_twice),
        frozenset({"decline", "decline by staff"}),
        (0, 1, 2),
    ),
}


def rights_disputed(place: int, seed: int | str) -> set[str]:
    """About which rights table and reader differ in one storm, whatever else comes of it."""
    table: list[Collecting] = []

    class Kept(Collecting):
        def __init__(self, setup: Any) -> None:  # noqa: ANN401 - a set-up
            super().__init__(setup)
            table.append(self)

    with suppress(AssertionError):  # a walk may stop at what the fault does
        storm(place, seed, STEPS, Kept)
    return {one.right for one in table[0].found}


def found(fault: Planted) -> int:
    """After how many storms the reader objects to a fault; 0 if it never does."""
    with pytest.MonkeyPatch.context() as patch:
        fault.plant(patch)
        for number in range(STORMS):
            for place in fault.places or range(len(TABLES)):
                if fault.rights & rights_disputed(place, f"planted{number}"):
                    return number + 1
    return 0
