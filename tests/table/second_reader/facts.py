"""A log as plain facts, and what a round's list of them says about its course and its people.

A fact is an event as a dictionary. Nothing here knows the engine: lists are walked from their start, every time.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.load import by_digest
from thirdcard.rulebook.model import Method

Fact = dict[str, Any]
HANDS = ("player", "banker")


class Right(NamedTuple):
    """Something that somebody may do, must do or has: the paragraphs, and why in a few words."""

    rules: tuple[str, ...]
    why: str


class Round:
    """One round: the set-up that it is played by, its own facts, and the rounds before it."""

    def __init__(self, setup: Fact, facts: list[Fact], earlier: "list[Round]", before: list[Fact]) -> None:
        self.setup, self.facts, self.earlier, self.before = setup, facts, earlier, before

    def until(self, number: int) -> "Round":
        """The same round when only so many of its facts had happened."""
        return Round(self.setup, self.facts[:number], self.earlier, self.before)

    @cached_property
    def rules(self) -> Rulebook:
        return by_digest(self.setup["rulebook"], self.setup["digest"])

    @property
    def is_rws(self) -> bool:
        return self.rules.limits.above_maximum_unnoticed.value == "shift-manager"

    @cached_property
    def method(self) -> Method:
        """The set-up's method; the first face-up one where it names none."""
        methods = self.rules.dealing
        name = self.setup.get("method", "")
        face_up = [one for one in methods if not one.face_down]
        return next((one for one in methods if one.name == name), (face_up or list(methods))[0])

    @property
    def unit(self) -> int:
        return int(self.setup["chip_unit"])

    def least(self, bet: str) -> int:
        return int(self._limit(bet)["min"])

    def most(self, bet: str) -> int | None:
        most = self._limit(bet).get("max")
        return None if most is None else int(most)

    def _limit(self, bet: str) -> Fact:
        limits = self.setup["limits"]
        found: Fact = limits.get(bet) or limits["*"]
        return found

    @cached_property
    def phase(self) -> str:
        """Where the round is: betting, adjusting, dealing, settled or void."""
        found = "betting"
        for fact in self.facts:
            found = PHASES.get(fact["event"], found)
        return found

    def said(self, *tags: str) -> list[Fact]:
        """The round's facts of these kinds, in order."""
        return [fact for fact in self.facts if fact["event"] in tags]

    def since(self, *tags: str) -> list[Fact]:
        """What happened after the last fact of these kinds; everything where there was none."""
        last = max((n for n, fact in enumerate(self.facts) if fact["event"] in tags), default=-1)
        return self.facts[last + 1 :]

    @property
    def is_proposed(self) -> bool:
        """Somebody wants the record of the cards put right, and nobody has agreed yet (39)."""
        waits = False
        for fact in self.facts:
            if fact["event"] == "amendment-proposed":
                waits = True
            elif fact["event"] in ("amendment-dropped", "cards-amended", "round-voided", "bets-reopened"):
                waits = False
        return waits


PHASES = {
    "bets-opened": "betting",
    "differential-exceeded": "adjusting",
    "bets-closed": "dealing",
    "round-settled": "settled",
    "settlement-reversed": "dealing",
    "bets-reopened": "betting",
    "round-voided": "void",
}


class Log:
    """All the facts of a table from its opening, told apart by rounds."""

    def __init__(self, facts: list[Fact]) -> None:
        self.facts = facts
        self.rounds: list[Round] = []
        setup: Fact = facts[0]["setup"]
        following, before = setup, list[Fact]()
        for fact in facts:
            tag = fact["event"]
            if tag in ("setup-changed", "rulebook-changed"):
                following = fact["setup"]
            if tag == "bets-opened":
                setup = following
                self.rounds.append(Round(setup, [], list(self.rounds), before))
            if self.rounds:
                self.rounds[-1].facts.append(fact)
            else:
                before.append(fact)

    @property
    def round(self) -> Round | None:
        return self.rounds[-1] if self.rounds else None

    def players(self) -> list[str]:
        found: list[str] = []
        for fact in self.facts:
            if fact["event"] == "player-joined":
                found.append(fact["player"])
            elif fact["event"] == "player-left":
                found.remove(fact["player"])
        return found

    def is_away(self, person: str) -> bool:
        """Who gave up a seat or walked away in this round, and has not come back in it: not there (31, 55)."""
        return self._is_gone(person, "seat-left", "walked-away")

    def is_gone(self, person: str) -> bool:
        """Who has walked away from bets or cards in this round, and has not come back (14, 31)."""
        return self._is_gone(person, "walked-away")

    def _is_gone(self, person: str, *leaves: str) -> bool:
        """Taking a seat or placing a bet is coming back."""
        gone = False
        for fact in self.rounds[-1].facts if self.rounds else self.facts:
            if fact["event"] in leaves and fact["player"] == person:
                gone = True
            elif fact["event"] == "seat-taken" and fact["player"] == person:
                gone = False
            elif fact["event"] == "stake-set" and fact["why"] == "placed":
                gone = gone and fact["stake"]["player"] != person
        return gone


def walked_away(facts: Iterable[Fact], person: str) -> bool:
    """Whether somebody has walked away in this round, back by now or not (14)."""
    return any(fact["event"] == "walked-away" and fact["player"] == person for fact in facts)
