"""`evolve(state, event)`: the state after an event. It decides nothing and cannot fail."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from thirdcard.cards import Card
from thirdcard.play.tableau import hand_at
from thirdcard.roads import Result as RoadResult
from thirdcard.table import events
from thirdcard.table.events import AnyEvent
from thirdcard.table.ledger import apply
from thirdcard.table.setup import Setup, check
from thirdcard.table.state import Irregularity, Permit, Round, Shoe, State, Window, stake_key

replace = msgspec.structs.replace


def start(setup: Setup) -> events.TableOpened:
    """The first event of every log; BadInput if the set-up cannot be played."""
    return events.TableOpened(setup=check(setup))


def replay(log: Iterable[AnyEvent]) -> State:
    """The state that a whole log comes to."""
    rest = iter(log)
    opened = next(rest)
    assert isinstance(opened, events.TableOpened)  # how every log begins
    state = State(setup=opened.setup, staff=opened.setup.staff)
    for event in rest:
        state = evolve(state, event)
    return state


def evolve(state: State, event: AnyEvent) -> State:
    changed = CHANGES[type(event)](state, event)
    if event.postings:
        return replace(changed, balances=apply(changed.balances, event.postings))
    return changed


def _round(state: State, **changes: Any) -> State:  # noqa: ANN401 - fields of Round
    assert state.round is not None  # events of a round come while there is one
    return replace(state, round=replace(state.round, **changes))


def _setup_changed(state: State, event: events.SetupChanged) -> State:
    return replace(state, next_setup=event.setup)


def _joined(state: State, event: events.PlayerJoined) -> State:
    return replace(state, players=(*state.players, event.player))


def _same(state: State, event: AnyEvent) -> State:
    """Only money moves, or only a fact is recorded."""
    return state


def _seat_taken(state: State, event: events.SeatTaken) -> State:
    return replace(state, seats={**state.seats, event.box: event.player})


def _seat_left(state: State, event: events.SeatLeft) -> State:
    return replace(state, seats={box: who for box, who in state.seats.items() if box != event.box})


def _assigned(state: State, event: events.StaffAssigned) -> State:
    return replace(state, staff={**state.staff, event.person: event.rank})


def _shoe_started(state: State, event: events.ShoeStarted) -> State:
    return replace(state, shoe=Shoe(number=event.number, size=event.size), results=())


def _opened(state: State, event: events.BetsOpened) -> State:
    """Changes of the set-up take effect; cards and bets of the last round are cleared."""
    setup = state.next_setup or state.setup
    device = state.device if setup.dealing.device == "player" else None
    return replace(
        state,
        setup=setup,
        next_setup=None,
        rounds=event.number,
        round=Round(number=event.number, phase="betting", shoe=state.shoe.number if state.shoe else 0),
        device=device,
    )


def _stake_set(state: State, event: events.StakeSet) -> State:
    current = state.round
    assert current is not None  # stakes are set in a round
    stake = event.stake
    stakes = {**current.stakes, stake.key: stake}
    if not stake.cents:
        del stakes[stake.key]
    return replace(state, round=replace(current, stakes=stakes, placings=max(current.placings, stake.order)))


def _exceeded(state: State, event: events.DifferentialExceeded) -> State:
    return _round(state, phase="adjusting")


def _closed(state: State, event: events.BetsClosed) -> State:
    return _round(state, phase="dealing", played=event.played)


def _played(state: State, event: events.PlayedChanged) -> State:
    return _round(state, played=event.played, purchases=event.purchases)


def _cut_card(state: State, event: events.CutCardAppeared) -> State:
    assert state.shoe is not None  # the card came from it
    return replace(state, shoe=replace(state.shoe, cut_out=True, cut_first=event.first))


def _withdrawal(state: State, event: events.WithdrawalAllowed) -> State:
    return _round(state, withdrawable=True)


def _drawn(state: State, event: events.CardDrawn) -> State:
    current, shoe = state.round, state.shoe
    assert current is not None  # cards are drawn in a round
    assert shoe is not None  # from a shoe
    if shoe.waiting:
        shoe = replace(shoe, waiting=shoe.waiting[1:], waiting_seen=shoe.waiting_seen[1:])
    else:
        name = event.card.value
        shoe = replace(shoe, drawn={**shoe.drawn, name: shoe.drawn.get(name, 0) + 1}, used=shoe.used + 1)
    exposed = (*current.exposed, event.place) if event.face_up else current.exposed
    current = replace(current, cards=(*current.cards, event.card), exposed=exposed, withdrawable=False)
    return replace(state, round=current, shoe=shoe)


def _exposed(state: State, event: events.CardsExposed) -> State:
    current = state.round
    assert current is not None
    handed = {place: who for place, who in current.handed.items() if place not in event.places}
    return _round(state, exposed=tuple(sorted((*current.exposed, *event.places))), handed=handed)


def _first_hand(state: State, event: events.FirstHandChosen) -> State:
    return _round(state, first_hand=event.hand)


def _requested(state: State, event: events.SqueezeRequested) -> State:
    assert state.round is not None
    return _round(state, requests={**state.round.requests, event.player: event.places})


def _permitted(state: State, event: events.SqueezePermitted) -> State:
    assert state.round is not None
    permit = Permit(event.player, event.rules)
    return _round(state, permits={**state.round.permits, **dict.fromkeys(event.places, permit)})


def _handed(state: State, event: events.CardsHanded) -> State:
    assert state.round is not None
    return _round(state, handed={**state.round.handed, **dict.fromkeys(event.places, event.player)})


def _refused(state: State, event: events.CardsRefused) -> State:
    """The cards of that hand which the person holds go back to the dealer."""
    current = state.round
    assert current is not None
    table = state.rules.table_of_play
    handed = {
        place: who
        for place, who in current.handed.items()
        if who != event.player or hand_at(table, current.cards, place) is not event.hand
    }
    return _round(state, refused=(*current.refused, (event.hand, event.player)), handed=handed)


def _reversed_thirds(state: State, event: events.ThirdCardsReversed) -> State:
    return _round(state, reversed=True)


def _device_given(state: State, event: events.DeviceGiven) -> State:
    return replace(state, device=event.player)


def _device_returned(state: State, event: events.DeviceReturned) -> State:
    if event.why == "wager-lost":
        state = _round(state, lost_device=event.player)
    return replace(state, device=None)


def _window_opened(state: State, event: events.InsuranceOpened) -> State:
    return _round(state, window=Window(number=event.window, offers=event.offers))


def _bought(state: State, event: events.InsuranceBought) -> State:
    current = state.round
    assert current is not None
    assert current.window is not None  # insurance is bought while a window is open
    answered = tuple(dict.fromkeys((*current.window.answered, event.purchase.player)))
    return _round(
        state,
        purchases=(*current.purchases, event.purchase),
        window=replace(current.window, answered=answered),
    )


def _declined(state: State, event: events.InsuranceDeclined) -> State:
    current = state.round
    assert current is not None
    assert current.window is not None
    window = current.window
    answered, declined = (*window.answered, event.player), (*window.declined, event.player)
    return _round(state, window=replace(window, answered=answered, declined=declined))


def _window_closed(state: State, event: events.InsuranceClosed) -> State:
    assert state.round is not None
    return _round(state, window=None, forgone=(*state.round.forgone, *event.forgone))


def _settled(state: State, event: events.RoundSettled) -> State:
    settled = event.settlement
    result = RoadResult(settled.outcome, event.player_pair, event.banker_pair)
    changed = _round(
        state,
        phase="settled",
        settlement=settled,
        paid=event.postings,
        window=None,
        once_before=state.once,
    )
    return replace(
        changed,
        results=(*state.results, result) if _same_shoe(state) else state.results,
        once=(*state.once, *(p for p in event.once if p not in state.once)),
    )


def _unsettled(state: State, event: events.SettlementReversed) -> State:
    assert state.round is not None
    device = state.round.lost_device or state.device
    changed = _round(state, settlement=None, paid=(), lost_device=None)
    results = state.results[:-1] if _same_shoe(state) else state.results
    return replace(changed, results=results, once=state.round.once_before, device=device)


def _corrected(state: State, event: events.CardsCorrected) -> State:
    current, shoe = state.round, state.shoe
    assert current is not None
    assert shoe is not None
    drawn = _counted(_counted(shoe.drawn, current.cards, -1), event.cards)
    used = shoe.used + len(event.cards) - len(current.cards)
    changed = _round(state, cards=event.cards, exposed=tuple(range(1, len(event.cards) + 1)))
    if not _same_shoe(state):
        return changed
    return replace(changed, shoe=replace(shoe, drawn=drawn, used=used))


def _voided(state: State, event: events.RoundVoided) -> State:
    return _round(state, phase="void", stakes={}, purchases=(), window=None)


def _reported(state: State, event: events.IrregularityReported) -> State:
    assert state.shoe is not None
    shoe, pending = state.shoe, event.pending
    if pending.drawn:
        shoe = replace(shoe, drawn=_counted(shoe.drawn, pending.drawn), used=shoe.used + len(pending.drawn))
    return replace(_round(state, pending=pending), shoe=shoe)


def _counted(drawn: dict[str, int], cards: tuple[Card, ...], by: int = 1) -> dict[str, int]:
    counts = dict(drawn)
    for card in cards:
        counts[card.value] = counts.get(card.value, 0) + by
    return counts


def _same_shoe(state: State) -> bool:
    """Whether the round was dealt from the shoe in use, or a new one has come in since."""
    return state.round is not None and state.shoe is not None and state.round.shoe == state.shoe.number


def _pending(state: State, **changes: Any) -> State:  # noqa: ANN401 - fields of Pending
    assert state.round is not None
    assert state.round.pending is not None
    return _round(state, pending=replace(state.round.pending, **changes))


def _ruled(state: State, event: events.IrregularityRuled) -> State:
    current = state.round
    assert current is not None
    assert current.pending is not None
    pending = replace(
        current.pending,
        facts=event.facts,
        remedies=event.remedies,
        inputs=event.inputs,
        rules=event.rules,
        ruled_by=event.by,
    )
    ruled = Irregularity(case=event.case, remedies=event.remedies, shown=pending.shown, rules=event.rules)
    return _round(state, pending=pending, irregularities=(*current.irregularities, ruled))


def _offered_choices(state: State, event: events.ChoicesOffered) -> State:
    return _pending(state, choices=dict.fromkeys(event.players, ""), singly=event.singly)


def _chosen(state: State, event: events.ChoiceMade) -> State:
    current = state.round
    assert current is not None
    assert current.pending is not None
    stakes = {key: stake for key, stake in current.stakes.items() if key not in event.returned}
    kept = tuple(p for p in current.purchases if stake_key(p.player, p.box, p.hand) not in event.returned)
    pending = replace(current.pending, choices={**current.pending.choices, event.player: event.choice})
    return _round(state, stakes=stakes, purchases=kept, pending=pending)


def _remedied(state: State, event: events.RemedyDone) -> State:
    assert state.round is not None
    assert state.round.pending is not None
    return _pending(state, remedies=state.round.pending.remedies[1:])


def _over(state: State, event: events.IrregularityClosed) -> State:
    return _round(state, pending=None)


def _reconstructed(state: State, event: events.CardsReconstructed) -> State:
    """What left the shoe is counted anew: cards may have been replaced by others, or set aside."""
    current, shoe = state.round, state.shoe
    assert current is not None
    assert shoe is not None
    before = current.cards + (current.pending.drawn if current.pending else ()) + shoe.waiting
    after = event.cards + event.waiting + event.out
    shoe = replace(
        shoe,
        drawn=_counted(_counted(shoe.drawn, before, -1), after),
        used=shoe.used + len(after) - len(before),
        waiting=event.waiting,
        waiting_seen=event.seen,
    )
    handed = {place: who for place, who in current.handed.items() if place not in event.exposed}
    return replace(_round(state, cards=event.cards, exposed=event.exposed, handed=handed), shoe=shoe)


def _replaced(state: State, event: events.CardsReplaced) -> State:
    assert state.shoe is not None
    return replace(state, shoe=replace(state.shoe, cut_out=True))


def _retrieved(state: State, event: events.CardsRetrieved) -> State:
    assert state.round is not None
    return _round(state, handed={p: w for p, w in state.round.handed.items() if p not in event.places})


def _reopened(state: State, event: events.BetsReopened) -> State:
    """Nothing of the deal that was reset remains but the bets."""
    return _round(
        state,
        phase="betting",
        cards=(),
        exposed=(),
        handed={},
        played={},
        first_hand=None,
        requests={},
        permits={},
        refused=(),
        reversed=False,
    )


def _demanded(state: State, event: events.RaiseDemanded) -> State:
    assert state.round is not None
    demanded = tuple(dict.fromkeys((*state.round.must_raise, *event.stakes)))
    return _round(state, must_raise=demanded)


def _forgo(state: State, event: events.InsuranceForgone) -> State:
    assert state.round is not None
    return _round(state, forgone=(*state.round.forgone, *event.players))


def _late_window(state: State, event: events.LateInsuranceOpened) -> State:
    assert state.round is not None
    forgone = tuple(person for person in state.round.forgone if person not in event.players)
    window = state.round.window
    if window is None:
        window = Window(number=event.window, offers=event.offers, late_only=True)
    late = tuple(dict.fromkeys((*window.late_for, *event.players)))
    return _round(state, window=replace(window, late_for=late), forgone=forgone)


def _neglected(state: State, event: events.NeglectRecorded) -> State:
    assert state.round is not None
    return _round(state, neglected={**state.round.neglected, **event.rows})


CHANGES: dict[type, Callable[[State, Any], State]] = {
    events.SetupChanged: _setup_changed,
    events.PlayerJoined: _joined,
    events.BoughtIn: _same,
    events.CashedOut: _same,
    events.SeatTaken: _seat_taken,
    events.SeatLeft: _seat_left,
    events.StaffAssigned: _assigned,
    events.ShoeStarted: _shoe_started,
    events.BetsOpened: _opened,
    events.StakeSet: _stake_set,
    events.DifferentialExceeded: _exceeded,
    events.BetsClosed: _closed,
    events.PlayedChanged: _played,
    events.CutCardAppeared: _cut_card,
    events.WithdrawalAllowed: _withdrawal,
    events.CardDrawn: _drawn,
    events.CardsExposed: _exposed,
    events.FirstHandChosen: _first_hand,
    events.SqueezeRequested: _requested,
    events.SqueezePermitted: _permitted,
    events.CardsHanded: _handed,
    events.CardsRefused: _refused,
    events.ThirdCardsReversed: _reversed_thirds,
    events.DeviceGiven: _device_given,
    events.DeviceReturned: _device_returned,
    events.InsuranceOpened: _window_opened,
    events.InsuranceBought: _bought,
    events.InsuranceDeclined: _declined,
    events.InsuranceClosed: _window_closed,
    events.RoundSettled: _settled,
    events.SettlementReversed: _unsettled,
    events.CardsCorrected: _corrected,
    events.RoundVoided: _voided,
    events.IrregularityReported: _reported,
    events.IrregularityRuled: _ruled,
    events.ChoicesOffered: _offered_choices,
    events.ChoiceMade: _chosen,
    events.RemedyDone: _remedied,
    events.IrregularityClosed: _over,
    events.CardsReconstructed: _reconstructed,
    events.CardsReplaced: _replaced,
    events.CardsRetrieved: _retrieved,
    events.BetsReopened: _reopened,
    events.RaiseDemanded: _demanded,
    events.InsuranceForgone: _forgo,
    events.LateInsuranceOpened: _late_window,
    events.NeglectRecorded: _neglected,
}
