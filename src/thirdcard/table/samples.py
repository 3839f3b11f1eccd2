"""Reports and rulings that would be accepted: a start for whoever fills them in."""

from collections.abc import Iterator
from itertools import count

from thirdcard.cards import Card
from thirdcard.play.tableau import LONGEST
from thirdcard.rulebook.facts import asked_facts
from thirdcard.rulebook.model import Procedure
from thirdcard.rulebook.remedies import REMEDIES
from thirdcard.table import commands, limits
from thirdcard.table.reported import CARDS, DETAILS, held_by, in_question
from thirdcard.table.rights.drawing import cards_to_come
from thirdcard.table.ruled import findings, ruled
from thirdcard.table.state import Inputs, Pending, Round, State
from thirdcard.table.unseen import seen_counts

REASON = "…"


def another_setup(state: State) -> commands.Changes:
    """A change that any table can take: the cut card somewhere else."""
    cut = (state.next_setup or state.setup).cut
    return commands.Changes(cut=cut - 1 if cut else 1)


def spare_name(state: State) -> str:
    """A name for somebody who comes without one."""
    return next(f"W-{n}" for n in count(1) if f"W-{n}" not in (*state.players, *state.staff))


def spare_cards(state: State) -> tuple[Card, ...]:
    """Cards that the shoe can still hold as far as anybody knows, each as often as it can."""
    shoe = state.shoe
    if shoe is None:
        return ()
    decks = shoe.decks
    seen = seen_counts(state)
    return tuple(card for card in Card for _ in range(decks - seen.get(card.value, 0)))


def unlike_cards(state: State) -> tuple[Card, ...]:
    """The same, each once."""
    return tuple(dict.fromkeys(spare_cards(state)))


def reports(state: State, current: Round, actor: str, procedure: Procedure) -> Iterator[commands.Report]:
    """What might be said of a case now; not all of it need be accepted."""
    asked = asked_facts(procedure)
    order = True if "order_known" in asked else None
    known = (True, False) if "values_known" in asked else (None,)
    says: frozenset[str] = frozenset().union(*(DETAILS[about] for about in procedure.about)) or CARDS
    drawn = range(1, len(current.drawn) + 1)

    def make(**details: object) -> commands.Report:
        return commands.Report(
            **{"by": actor, "case": procedure.case, "order_known": order, "values_known": known[0]} | details  # type: ignore[arg-type]
        )

    for values_known in known:
        yield make(values_known=values_known)
    if current.number > 1:
        yield make(round=current.number - 1)
    bettors = (stake.player for stake in current.stakes.values())
    for person in dict.fromkeys((*bettors, *current.handed.values())) if "players" in says else ():
        yield make(players=(person,))
        yield from (make(players=(person,), window=window) for window in (1, 2) if "window" in says)
    yield from (make(displayed=won) for won in ("player", "banker", "tie") if "displayed" in says)
    if "cards" in says:
        yield from (make(cards=(place,)) for place in drawn)
        yield from (make(cards=(place, place + 1)) for place in drawn[:-1])
    if not says & CARDS:
        return
    first = len(current.drawn) + 1
    spare, to_come = spare_cards(state), cards_to_come(state)
    for number in (1, 2, LONGEST + 2 - first):
        if 0 < number <= min(to_come, len(spare)):
            yield make(**_came_out(state, current, spare, number))
    for place in current.hidden:
        unnamed = current.drawn[place - 1].name is None
        yield make(shown=(place,), names={place: spare[0]} if unnamed and spare else {})


def _came_out(state: State, current: Round, spare: tuple[Card, ...], number: int) -> dict[str, object]:
    """So many cards, the first of them those that wait; one that nobody has seen is not named."""
    assert state.shoe is not None
    first = len(current.drawn) + 1
    waits = state.shoe.waiting[:number]
    named = [
        card if one.name is None else one.name if one.face_up else None
        for one, card in zip(waits, spare, strict=False)
    ]
    return {"drawn": (*named, *spare[len(waits) : number]), "shown": tuple(range(first, first + number))}


def rulings(state: State, current: Round, pending: Pending, procedure: Procedure) -> Iterator[Inputs]:
    """What the ruling asks for, filled in; cards to be reconstructed or not."""
    for able in findings(procedure):
        remedies = ruled(state, current, pending, Inputs(reconstructable=able)).ruling.remedy
        asks = {name for remedy in remedies for name in REMEDIES[remedy].asks}
        if "decide-order" not in remedies:
            asks.discard("order")  # elsewhere it may be left out
        yield _inputs(state, current, pending, asks, reconstructable=able)


def _inputs(
    state: State, current: Round, pending: Pending, asks: set[str], *, reconstructable: bool | None
) -> Inputs:
    names = dict(
        zip(
            (str(place) for place in held_by(current, pending) if current.drawn[place - 1].name is None),
            spare_cards(state),
            strict=False,
        )
    )
    removed = limits.latest_taken(state.setup, current.stakes.values()) if "stakes" in asks else []
    return Inputs(
        reconstructable=reconstructable,
        order=tuple(range(1, len(in_question(current, pending)) + 1)) if "order" in asks else (),
        action="continue" if "action" in asks else "",
        stakes=tuple((stake.player, stake.box, stake.bet) for stake, _ in removed),
        amounts=tuple(cents for _, cents in removed),
        names=names if "names" in asks else {},
        substitutes=names if "substitutes" in asks else {},
        reason=REASON,
    )
