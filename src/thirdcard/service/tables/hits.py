"""Which rounds of the shoe in use each bet of the layout has won, whoever had chips on it."""

import msgspec

from thirdcard.play.bets import result
from thirdcard.play.outcome import outcome_of
from thirdcard.rulebook.conditions import sight_of_all
from thirdcard.table import events
from thirdcard.table.events import AnyEvent
from thirdcard.table.state import State


class Hits(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """By bet the places of the rounds that it won among the results of the shoe, from 1."""

    places: dict[str, tuple[int, ...]] = {}

    @property
    def bets(self) -> dict[str, int]:
        """How often each bet has won."""
        return {bet: len(won) for bet, won in self.places.items()}


HIT_BY = frozenset((events.ShoeStarted, events.RoundSettled, events.SettlementReversed))


def after(hits: Hits, event: AnyEvent, state: State) -> Hits:
    """The hits after an event of `HIT_BY`, with the table as it is then."""
    if isinstance(event, events.ShoeStarted):
        return Hits()
    if state.round is None or state.shoe is None or state.round.shoe != state.shoe.number:
        return hits
    rounds = len(state.results)
    if isinstance(event, events.SettlementReversed):
        kept = {bet: tuple(one for one in won if one <= rounds) for bet, won in hits.places.items()}
        return Hits(places={bet: won for bet, won in kept.items() if won})
    return Hits(places=hits.places | {bet: (*hits.places.get(bet, ()), rounds) for bet in _won(state)})


def _won(state: State) -> tuple[str, ...]:
    deal, every = state.deal(), state.rulebook.bets
    outcome = outcome_of(deal, sight_of_all(state.rulebook))
    return tuple(bet for bet in state.setup.bets if result(every[bet], outcome).verdict == "win")
