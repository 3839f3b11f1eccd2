"""A table one can hold: commands in, events or a refusal out, and all that can be asked of it on the way."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any, ClassVar, TypeAlias, overload

import msgspec

from thirdcard.errors import BadInput
from thirdcard.frames import Schema, Tabular
from thirdcard.rulebook import Which
from thirdcard.strict import converted
from thirdcard.table.commands import AnyCommand
from thirdcard.table.decide import decide
from thirdcard.table.events import AnyEvent, tag_of
from thirdcard.table.evolve import evolve, replay, start
from thirdcard.table.legal import Option, legal
from thirdcard.table.refusals import Refusal
from thirdcard.table.setup import Setup, set_up
from thirdcard.table.state import State
from thirdcard.table.statements import PlayerStatement, TableStatement, player_statements, table_statement
from thirdcard.table.transcript import transcript
from thirdcard.table.view import View, view
from thirdcard.words import ENGLISH, Language
from thirdcard.words.saying import say

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


def refusal(state: State, command: AnyCommand) -> Refusal | None:
    """What a command would be refused with now; None if it would be accepted.

    >>> from thirdcard.table import commands
    >>> print(refusal(Table("mbs-tiger-v2").state, commands.Sit(by="ann", box=1)).sentence)
    ann is not at this table: join first
    """
    decided = decide(state, command)
    return decided if isinstance(decided, Refusal) else None


class Postings(Tabular):
    """What a log moved from account to account, in cents; those of an event come to nothing together."""

    COLUMNS: ClassVar[Schema] = {"number": "int64", "event": "string", "account": "string", "cents": "int64"}

    def __init__(self, log: Iterable[AnyEvent]) -> None:
        self._log = tuple(log)

    def __repr__(self) -> str:
        return f"<Postings of {len(self._log)} events>"

    def _rows(self) -> Iterator[tuple[object, ...]]:
        for number, event in enumerate(self._log, start=1):
            for posting in event.postings:
                yield number, tag_of(event), posting.account, posting.cents


class Table(Tabular):
    """A set-up, the log of what happened since, and the state that the log comes to.

    A set-up, or a rulebook by any name with what is agreed otherwise: `Table("mbs-tiger-v2", layout="B")`.

    >>> from thirdcard.table import commands
    >>> from thirdcard.table.setup import Limit
    >>> table = Table("mbs-tiger-v2", layout="A", positions=6, limits={"*": Limit(1000, 100_000)})
    >>> events = table.do(commands.Join(by="ann"), commands.BuyIn(by="ann", cents=50_000))
    >>> table
    <Table of mbs-tiger-v2, layout A: round 0, 1 player, 3 events>
    >>> table.to_frame()["event"].to_pylist(), table.postings.to_frame()["cents"].to_pylist()
    (['table-opened', 'player-joined', 'bought-in'], [-50000, 50000])
    """

    COLUMNS: ClassVar[Schema] = {
        "number": "int64",
        "event": "string",
        "round": "int64",
        "rules": "string",
        "body": "string",
    }

    def __init__(self, setup: Setup | Which, **agreed: Any) -> None:  # noqa: ANN401 - the fields of a set-up
        made = setup if isinstance(setup, Setup) else set_up(setup, **agreed)
        if agreed and isinstance(setup, Setup):
            raise BadInput(say("agreed-in-set-up", agreed=tuple(agreed)))
        limits = {bet: converted(limit) for bet, limit in made.limits.items()}
        self.log: list[AnyEvent] = [start(converted(msgspec.structs.replace(made, limits=limits)))]
        self.state: State = replay(self.log)

    def __repr__(self) -> str:
        setup, people = self.state.setup, len(self.state.players)
        told = f"round {self.state.rounds}, {people} player{'s' * (people != 1)}, {len(self.log)} events"
        return f"<Table of {setup.rulebook}, layout {setup.layout}: {told}>"

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
            decided = decide(state, converted(command))
            if isinstance(decided, Refusal):
                return decided
            for event in decided:
                state = evolve(state, event)
            made += decided
        self.state = state
        self.log += made
        return tuple(made)

    def _rows(self) -> Iterator[tuple[object, ...]]:
        """The log: `rules` are the paragraphs with spaces between them, `body` is the event as JSON."""
        state = replay(self.log[:1])
        for number, event in enumerate(self.log, start=1):
            state = evolve(state, event) if number > 1 else state
            body = msgspec.json.encode(event).decode()
            yield number, tag_of(event), state.rounds, " ".join(event.rules), body

    @property
    def postings(self) -> Postings:
        """The ledger: every movement of money."""
        return Postings(self.log)

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
