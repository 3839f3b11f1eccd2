"""Events in the making: each is applied at once, so that the next can build on it."""

from thirdcard.table.events import AnyEvent
from thirdcard.table.evolve import evolve
from thirdcard.table.state import Inputs, Pending, Round, State


class Flow:
    """A state, who acts on it, and the events that have come of it so far."""

    def __init__(self, state: State, by: str) -> None:
        self.state = state
        self.by = by
        self.events: list[AnyEvent] = []

    def emit(self, *made: AnyEvent) -> None:
        for event in made:
            self.state = evolve(self.state, event)
            self.events.append(event)

    @property
    def current(self) -> Round:
        assert self.state.round is not None
        return self.state.round

    @property
    def pending(self) -> Pending:
        assert self.current.pending is not None
        return self.current.pending

    @property
    def inputs(self) -> Inputs:
        return self.pending.inputs or Inputs()
