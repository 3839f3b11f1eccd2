"""Is an outcome established? From cards beyond doubt that everybody has seen, and the bets on the layout."""

from collections.abc import Mapping
from fractions import Fraction

from thirdcard.cards import Card
from thirdcard.play.bets import result, standing
from thirdcard.play.outcome import Outcome, possible
from thirdcard.play.tableau import LONGEST
from thirdcard.rulebook.model import Bet
from thirdcard.table.state import Pending, Round, State


def still_possible(
    state: State,
    current: Round,
    extra: tuple[Card | None, ...] = (),
    shown: tuple[int, ...] = (),
    names: Mapping[int, Card] | None = None,
) -> frozenset[Outcome]:
    """Every outcome that the cards everybody has seen leave open, in the order drawn.

    `extra` cards came out besides; of these only the `shown` ones have been seen. A card in doubt decides
    nothing.
    """
    known = [
        (one.name or (names or {}).get(place))
        if (one.face_up or place in shown) and not one.doubtful
        else None
        for place, one in enumerate(current.drawn, start=1)
    ]
    first = len(known) + 1
    known += [name if place in shown else None for place, name in enumerate(extra, start=first)]
    return possible(state.rules.table_of_play, tuple(known[:LONGEST]))


def establishing_bet(state: State, outcomes: frozenset[Outcome], among: tuple[str, ...]) -> str:
    """The first bet that is conclusively won or lost, empty if none is (interpretation 24)."""
    return next((bet for bet in among if standing(state.rules.bets[bet], outcomes).decided), "")


def as_reported(state: State, current: Round, pending: Pending) -> frozenset[Outcome]:
    """What is still possible with the cards of a report that are not yet laid to their hands."""
    first = len(current.drawn) + 1
    moved = first - (pending.first or first)  # other cards may have been laid since it was reported
    shown = tuple(place + moved if place >= first - moved else place for place in pending.shown)
    return still_possible(state, current, pending.drawn, shown, pending.names)


def decided(state: State, current: Round) -> dict[str, Outcome]:
    """The stakes that are conclusively won or lost, each with an outcome to settle it on.

    Where a win is certain and its tier is not, it is the lowest that is still possible (interpretation 44).
    """
    outcomes = still_possible(state, current)
    found = {}
    for key, stake in current.stakes.items():
        bet = state.rules.bets[stake.bet]
        if standing(bet, outcomes).decided:
            found[key] = min(outcomes, key=lambda one: (_pays(bet, one), str(one)))
    return found


def _pays(bet: Bet, outcome: Outcome) -> Fraction:
    tier = result(bet, outcome).tier
    return tier.odds.ratio if tier else Fraction(0)


def undecided(state: State, current: Round, player: str) -> list[str]:
    """The player's stakes that are not yet conclusively won or lost (interpretation 26)."""
    if current.settlement is not None:
        return []
    pending = current.pending
    if pending and pending.inputs and pending.inputs.action:  # offered at discretion: whatever lies there
        return [key for key, stake in current.stakes.items() if stake.player == player]
    outcomes = as_reported(state, current, pending) if pending else still_possible(state, current)
    return [
        key
        for key, stake in current.stakes.items()
        if stake.player == player and not standing(state.rules.bets[stake.bet], outcomes).decided
    ]
