"""A table one can hold: commands in, events or a refusal out, and all that can be asked of it on the way."""

from collections.abc import Collection, Iterable, Iterator
from typing import TypeAlias, overload

from thirdcard.table.commands import AnyCommand
from thirdcard.table.decide import decide
from thirdcard.table.events import AnyEvent
from thirdcard.table.evolve import evolve, replay, start
from thirdcard.table.legal import Option, legal
from thirdcard.table.refusals import Refusal
from thirdcard.table.setup import Setup
from thirdcard.table.state import State
from thirdcard.table.statements import PlayerStatement, TableStatement, player_statements, table_statement
from thirdcard.table.transcript import transcript
from thirdcard.table.view import View, view
from thirdcard.words import ENGLISH, Language

EventAndState: TypeAlias = tuple[AnyEvent, State]  # what happened, and the table after it


def carry_out(state: State, command: AnyCommand) -> tuple[EventAndState, ...] | Refusal:
    """What a command comes to, with the table after each event; or its refusal."""
    decided = decide(state, command)
    if isinstance(decided, Refusal):
        return decided
    made: list[EventAndState] = []
    for event in decided:
        state = evolve(state, event)
        made.append((event, state))
    return tuple(made)


class Table:
    """A set-up, the log of what happened since, and the state that the log comes to."""

    def __init__(self, setup: Setup) -> None:
        self.log: list[AnyEvent] = [start(setup)]
        self.state: State = replay(self.log)

    @classmethod
    def from_log(cls, log: Iterable[AnyEvent]) -> "Table":
        """The table that a written log comes to."""
        table = cls.__new__(cls)
        table.log = list(log)
        table.state = replay(table.log)
        return table

    def do(self, *asked: AnyCommand) -> tuple[AnyEvent, ...] | Refusal:
        """The events of these commands; if one of them is refused, nothing has happened."""
        state = self.state
        made: list[AnyEvent] = []
        for command in asked:
            decided = decide(state, command)
            if isinstance(decided, Refusal):
                return decided
            for event in decided:
                state = evolve(state, event)
            made += decided
        self.state = state
        self.log += made
        return tuple(made)

    def legal(self, person: str, chips_of: Collection[str] | None = None) -> tuple[Option, ...]:
        """Everything that somebody may do now."""
        return legal(self.state, person, chips_of)

    def view(self, person: str = "") -> View:
        """The table as somebody sees it; as everybody may see it if nobody is named."""
        return view(self.state, person)

    @overload
    def statement(self) -> TableStatement: ...
    @overload
    def statement(self, player: str) -> PlayerStatement: ...
    def statement(self, player: str = "") -> TableStatement | PlayerStatement:
        """What a player's chips did, and why; the table's own account if nobody is named."""
        if not player:
            return table_statement(self.log)
        nothing = PlayerStatement(player=player, entries=(), balance=0, net=0)
        return player_statements(self.log).get(player, nothing)

    def transcript(self, language: Language = ENGLISH) -> Iterator[str]:
        """What happened, line by line, as a dealer would tell it."""
        return transcript(self.log, language)
