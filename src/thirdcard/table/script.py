"""Scripted tables: set-up and commands as JSON in, one result for each out, and logs read again."""

import hashlib
import json
from typing import Any, Literal

import msgspec

from thirdcard.rulebook.forms import canonical
from thirdcard.strict import decodable
from thirdcard.table.commands import AnyCommand
from thirdcard.table.events import AnyEvent, RulebookChanged, TableOpened
from thirdcard.table.ledger import HOUSE
from thirdcard.table.refusals import Refusal, ToldRefusal
from thirdcard.table.setup import Setup
from thirdcard.table.state import State
from thirdcard.table.table import Table

FORM = 2  # of a state: what its hash is made of; releases up to 0.2.0 wrote none


class AcceptedLine(msgspec.Struct, frozen=True, kw_only=True):
    """A command's events; with one that names the text of a rulebook comes its canonical text."""

    line: int
    events: tuple[AnyEvent, ...]
    text: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class RefusedLine(msgspec.Struct, frozen=True, kw_only=True):
    """A command's refusal: nothing happened."""

    line: int
    refusal: ToldRefusal


class UnreadableLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line that is no set-up and no command."""

    line: int
    error: str


class ScriptSummary(msgspec.Struct, frozen=True, kw_only=True):
    """How the table stands at the end; `hash` is that of the whole state."""

    racks: dict[str, int]
    house: int
    rounds: int
    event_count: int
    hash: str
    form: int = FORM
    summary: Literal[True] = True


def state_hash(state: State) -> str:
    """SHA-256 of the state's JSON with sorted keys: two equal states of one form have the same."""
    plain = msgspec.to_builtins(state, str_keys=True)
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def comes_to(state: State, events: int, written: dict[str, Any]) -> bool:
    """Whether a log comes to what was written of it: the hash, or by another form all else it sums up."""
    found = msgspec.to_builtins(summary(state, events))
    names = ("hash",) if written.get("form") == FORM else ("racks", "house", "rounds", "event_count")
    return all(name in written and written[name] == found[name] for name in names)


def summary(state: State, events: int) -> ScriptSummary:
    return ScriptSummary(
        racks={player: state.rack(player) for player in state.players},
        house=state.balances.get(HOUSE, 0),
        rounds=state.rounds,
        event_count=events,
        hash=state_hash(state),
    )


class Script:
    """A table run from plain JSON values: the first is its set-up, the others are commands."""

    def __init__(self) -> None:
        self.table: Table | None = None

    def run(self, value: Any, line: int) -> AcceptedLine | RefusedLine:  # noqa: ANN401 - JSON
        """One line's result; raises BadInput or msgspec.ValidationError if it cannot be read."""
        if self.table is None:
            self.table = Table(msgspec.convert(value, decodable(Setup), str_keys=True))
            return _accepted(line, tuple(self.table.log))
        decided = self.table.do(msgspec.convert(value, decodable(AnyCommand), str_keys=True))
        if isinstance(decided, Refusal):
            return RefusedLine(line=line, refusal=ToldRefusal.of(decided))
        return _accepted(line, decided)


def _accepted(line: int, made: tuple[AnyEvent, ...]) -> AcceptedLine:
    named = [one.setup.book for one in made if isinstance(one, TableOpened | RulebookChanged)]
    text = msgspec.Raw(canonical(named[0])) if named else msgspec.UNSET
    return AcceptedLine(line=line, events=made, text=text)


def schema() -> dict[str, Any]:
    """The JSON Schema of set-up, commands, events and refusals."""
    schemas, components = msgspec.json.schema_components(
        (Setup, AnyCommand, AnyEvent, ToldRefusal), ref_template="#/$defs/{name}"
    )
    names = ("setup", "command", "event", "refusal")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "thirdcard table",
        "properties": dict(zip(names, schemas, strict=True)),
        "$defs": components,
    }
