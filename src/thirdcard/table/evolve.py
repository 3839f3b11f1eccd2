"""`evolve(state, event)`: the state after an event. It decides nothing and cannot fail."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from thirdcard.cards import Card
from thirdcard.roads import RoadResult
from thirdcard.table import events
from thirdcard.table.events import AnyEvent
from thirdcard.table.evolve_round import ROUND_CHANGES, each, pending_changed
from thirdcard.table.ledger import AWAY, OWED, Posting, apply, at_a_table, owed, rack
from thirdcard.table.setup import Setup, bound, check
from thirdcard.table.state import (
    UNDER_WAY,
    Absence,
    DrawnCard,
    Irregularity,
    Pending,
    Permit,
    Round,
    Shoe,
    Stake,
    State,
)
from thirdcard.table.unseen import is_excess, left_unseen

replace = msgspec.structs.replace


def start(setup: Setup) -> events.TableOpened:
    """The first event of every log, which names the text of the rulebook; BadInput if it cannot be played.

    >>> from thirdcard.table import Table
    >>> start(Table("mbs-tiger-v2").state.setup).setup.rulebook
    'mbs-tiger-v2'
    """
    return events.TableOpened(setup=bound(check(setup)))


def replay(log: Iterable[AnyEvent]) -> State:
    """The state that a whole log comes to, from its first event on.

    >>> from thirdcard.table import Table
    >>> table = Table("mbs-tiger-v2")
    >>> replay(table.log) == table.state
    True
    """
    rest = iter(log)
    opened = next(rest)
    assert isinstance(opened, events.TableOpened)  # how every log begins
    state = State(setup=opened.setup, staff=opened.setup.staff)
    for event in rest:
        state = evolve(state, event)
    return state


def evolve(state: State, event: AnyEvent) -> State:
    """The state after an event: a new value, the one before stays as it was.

    >>> from thirdcard.table import Table
    >>> state = Table("mbs-tiger-v2").state
    >>> evolve(state, events.PlayerJoined(player="ann")).players, state.players
    (('ann',), ())
    """
    kind = type(event)
    if kind is events.StakeSet:  # by far the most frequent: one new state instead of two
        return _stake_set(state, event)  # type: ignore[arg-type]
    in_round = ROUND_CHANGES.get(kind)
    if in_round is None:
        changed = CHANGES[kind](state, event)
    else:
        assert state.round is not None  # events of a round come while there is one
        changed = replace(state, round=in_round(state.round, event))
    if changed.round is not None and (changed.round.lacks is not None or kind is events.SettlementReversed):
        changed = _lacking(state, changed, event)
    if kind in LEAVES_CARDS:
        changed = _unturned(state, changed)
    if event.postings:
        postings = at_a_table(event.postings) if kind in BROUGHT else event.postings
        return replace(changed, balances=apply(changed.balances, postings))
    return changed


def _lacking(before: State, state: State, event: AnyEvent) -> State:
    """What of people's debts belongs to the reversal under way; what comes back in it is netted (54)."""
    current = state.round
    assert current is not None
    if type(event) not in OF_A_REVERSAL or (isinstance(event, events.StakeSet) and event.why in OWN_ACTS):
        return _round(state, lacks=None)
    if isinstance(event, events.RoundSettled | events.RoundVoided):
        return _round(state, lacks=None)  # which ends it
    lacks = dict(current.lacks or {})
    if isinstance(event, events.SettlementReversed) and before.round is not None:
        for account, cents in before.round.repaid.items():  # such a debt stands again
            lacks[account] = lacks.get(account, 0) - cents
    for posting in event.postings:
        if posting.account.startswith(OWED):
            lacks[posting.account] = lacks.get(posting.account, 0) - posting.cents
    return _round(state, lacks={account: cents for account, cents in lacks.items() if cents > 0})


def _round(state: State, **changes: Any) -> State:  # noqa: ANN401 - fields of Round
    assert state.round is not None  # events of a round come while there is one
    return replace(state, round=replace(state.round, **changes))


def _setup_changed(state: State, event: events.SetupChanged) -> State:
    return replace(state, next_setup=event.setup)


def _rulebook_changed(state: State, event: events.RulebookChanged) -> State:
    return replace(state, next_setup=event.setup, next_ranks=event.ranks)


def _joined(state: State, event: events.PlayerJoined) -> State:
    """Chips that were kept are in the rack again: in the ledger they have never left it."""
    players = (*state.players, event.player)
    if not event.cents:
        return replace(state, players=players)
    kept = state.balances.get(AWAY, 0) - event.cents
    return replace(
        state, players=players, balances={**state.balances, AWAY: kept, rack(event.player): event.cents}
    )


def _left(state: State, event: events.PlayerLeft) -> State:
    """Nothing of the person stays but the sum of what is kept for those who are away."""
    own = (rack(event.player), owed(event.player))
    balances = {account: cents for account, cents in state.balances.items() if account not in own}
    if event.cents:
        balances[AWAY] = balances.get(AWAY, 0) + event.cents
    return replace(
        state,
        players=tuple(player for player in state.players if player != event.player),
        asked=tuple(one for one in state.asked if one != event.player),
        balances=balances,
    )


def _same(state: State, event: AnyEvent) -> State:
    """Only money moves, or only a fact is recorded."""
    return state


def _seat_taken(state: State, event: events.SeatTaken) -> State:
    state = replace(state, seats={**state.seats, event.box: event.player})
    return _back(state, event.player)


def _back(state: State, player: str) -> State:
    """Who had walked away is there again; insurance stays forgone."""
    current = state.round
    if current is None or player not in current.away:
        return state
    return _round(
        state,
        absences=tuple(
            replace(absence, back=True) if absence.player == player else absence
            for absence in current.absences
        ),
    )


def _seat_left(state: State, event: events.SeatLeft) -> State:
    """Chips that stay behind are no seated player's any more (interpretation 18)."""
    state = replace(state, seats={box: who for box, who in state.seats.items() if box != event.box})
    current = state.round
    if current is None:
        return state
    if current.phase in UNDER_WAY:
        absence = Absence(event.player, len(current.drawn), walked=False)
        state = _round(state, absences=(*current.absences, absence))

    def standing(stakes: dict[str, Stake]) -> dict[str, Stake]:
        here = (event.player, event.box)
        return {
            key: replace(stake, seated=False) if (stake.player, stake.box) == here else stake
            for key, stake in stakes.items()
        }

    return _round(state, stakes=standing(current.stakes), closed=standing(current.closed))


def _no_insurance_asked(state: State, event: events.NoInsuranceRequested) -> State:
    return replace(state, asked=(*state.asked, event.player))


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
        next_ranks={},
        staff=_in_ladder(state, setup),
        rounds=event.number,
        round=Round(
            number=event.number,
            phase="betting",
            shoe=state.shoe.number if state.shoe else 0,
        ),
        settled_once=state.once,
        device=device,
    )


def _in_ladder(state: State, setup: Setup) -> dict[str, str]:
    """Everybody in the rank that the next round's ladder has for them; who has none there is no staff."""
    if setup.digest == state.setup.digest and setup.rulebook == state.setup.rulebook:
        return state.staff
    ladder = {rank.name for rank in setup.book.ranks}
    ranks = {person: state.next_ranks.get(rank, rank) for person, rank in state.staff.items()}
    return {person: rank for person, rank in ranks.items() if rank in ladder}


def _stake_set(state: State, event: events.StakeSet) -> State:
    current = state.round
    assert current is not None  # stakes are set in a round
    stake, balances = event.stake, apply(state.balances, event.postings)
    key = f"{stake.box}/{stake.bet}/{stake.player}"
    stakes = current.stakes.copy()
    stakes[key] = stake
    if current.lacks is not None:
        state = _lacking(state, state, event)
        current = state.round
        assert current is not None
    if event.why == "placed" and not current.absences:
        changed = replace(current, stakes=stakes, placings=stake.order)
        return replace(state, round=changed, balances=balances)
    if not stake.cents:
        del stakes[key]
    placings = max(current.placings, stake.order)
    closed, still_open = current.closed, current.phase in ("betting", "adjusting")
    if event.why == "recorded" and not still_open:
        closed = {**closed, key: stake}
        if not stake.cents:
            del closed[key]
    after = replace(
        state,
        round=replace(
            current,
            stakes=stakes,
            closed=closed,
            placings=placings,
            amended=current.amended or not still_open,
            withdrew=(*current.withdrew, stake.player) if event.why == "withdrawn" else current.withdrew,
        ),
        balances=balances,
    )
    return _back(after, stake.player) if event.why == "placed" else after


def _cut_card(state: State, event: events.CutCardAppeared) -> State:
    assert state.shoe is not None  # the card came from it
    changed = replace(state, shoe=replace(state.shoe, cut_out=True))
    return _round(changed, cut_first=True) if event.first else changed


def _drawn(state: State, event: events.CardDrawn) -> State:
    current, shoe = state.round, state.shoe
    assert current is not None  # cards are drawn in a round
    assert shoe is not None  # from a shoe
    card = DrawnCard(name=event.card, face_up=event.face_up)
    if not shoe.waiting and event.card is not None:
        name, counts = event.card.value, shoe.drawn.copy()
        counts[name] = counts.get(name, 0) + 1
        shoe = replace(shoe, drawn=counts, used=shoe.used + 1)
    elif shoe.waiting:
        before = shoe.waiting[0]
        counts = _counted(shoe.drawn, () if before.name else (event.card,))
        shoe = replace(shoe, waiting=shoe.waiting[1:], drawn=counts)
        card = replace(before, name=event.card, face_up=event.face_up or before.face_up)
    else:
        shoe = replace(shoe, used=shoe.used + 1)
    return replace(state, round=replace(current, drawn=(*current.drawn, card)), shoe=shoe)


def _exposed(state: State, event: events.CardsExposed) -> State:
    current, shoe = state.round, state.shoe
    assert current is not None
    assert shoe is not None
    drawn = tuple(
        replace(card, face_up=True, holder="", name=event.names.get(place, card.name))
        if place in event.places
        else card
        for place, card in enumerate(current.drawn, start=1)
    )
    changed = _round(state, drawn=drawn)
    if not event.names:
        return changed
    return replace(changed, shoe=replace(shoe, drawn=_counted(shoe.drawn, event.names.values())))


def _permitted(state: State, event: events.SqueezePermitted) -> State:
    """Where the right is that of the largest bet, it rests on that bet."""
    current = state.round
    assert current is not None
    mine = [stake for stake in current.stakes.values() if stake.player == event.player]
    largest = max(mine, key=lambda stake: (stake.cents, -stake.order), default=None)
    rests = state.rulebook.squeeze.right == "largest-bet" and largest is not None
    permit = Permit(event.player, event.rules, largest.key if rests and largest else "")
    return _round(state, permits={**current.permits, **dict.fromkeys(event.places, permit)})


def _refused(state: State, event: events.CardsRefused) -> State:
    """The cards of that hand which the person holds go back to the dealer."""
    current = state.round
    assert current is not None
    table = state.rulebook.table_of_play
    held = [
        place
        for place, who in current.handed.items()
        if who == event.player and current.hand(table, place) is event.hand
    ]
    return _round(
        state,
        drawn=each(current, held, holder=""),
        refused=(*current.refused, (event.hand, event.player)),
    )


def _device_given(state: State, event: events.DeviceGiven) -> State:
    return replace(state, device=event.player, leave=state.rounds if event.without_wager else 0)


def _device_returned(state: State, event: events.DeviceReturned) -> State:
    if event.why == "wager-lost":
        state = _round(state, lost_device=event.player)
    return replace(state, device=None)


def _settled(state: State, event: events.RoundSettled) -> State:
    settled = event.settlement
    result = RoadResult(settled.outcome, event.player_pair, event.banker_pair)
    changed = _round(
        state,
        phase="settled",
        settlement=settled,
        paid=event.postings,
        repaid=_repaid(state.round, event.postings) if state.round else {},
    )
    return replace(changed, results=(*state.results, result) if _same_shoe(state) else state.results)


def _repaid(current: Round, postings: tuple[Posting, ...]) -> dict[str, int]:
    """The debts that a payment paid, but for what the reversal under way had left owing."""
    lacks = current.lacks or {}
    paid = {posting.account: posting.cents for posting in postings if posting.account.startswith(OWED)}
    return {account: cents - min(lacks.get(account, 0), cents) for account, cents in paid.items()}


def _unsettled(state: State, event: events.SettlementReversed) -> State:
    assert state.round is not None
    device = state.round.lost_device or state.device
    changed = _round(state, phase="dealing", settlement=None, paid=(), repaid={}, lost_device=None)
    if state.round.pending is not None:
        changed = _pending(changed, was_settled=True)
    results = state.results[:-1] if _same_shoe(state) else state.results
    return replace(changed, results=results, device=device)


def _corrected(state: State, event: events.CardsCorrected) -> State:
    current, shoe = state.round, state.shoe
    assert current is not None
    assert shoe is not None
    changed = _round(state, drawn=tuple(DrawnCard(name=card, face_up=True) for card in event.cards))
    if not _same_shoe(state):
        return changed
    drawn = _counted(_counted(shoe.drawn, current.cards, -1), event.cards)
    used = shoe.used + len(event.cards) - len(current.drawn)
    return replace(changed, shoe=replace(shoe, drawn=drawn, used=used))


def _amended(state: State, event: events.CardsAmended) -> State:
    """The cards are those, and the insurance windows that were open by the wrong ones are gone."""
    changed = _round(
        state,
        drawn=event.cards,
        amended=True,
        **_reports_on(state.round, len(event.cards)),
        proposal=None,
    )
    if not _same_shoe(state):
        return changed
    reported = state.round.pending.drawn if state.round and state.round.pending else ()
    return _recounted(changed, state, event.cards, event.waiting, reported)


def _reports_on(current: Round | None, count: int) -> dict[str, Any]:
    """Reports that wait name cards by their places: those that are left when so many really lie there."""
    if current is None or current.pending is None:
        return {}
    waiting = [
        _moved(pending, count - len(current.drawn)) for pending in (current.pending, *current.reported)
    ]
    pending, *reported = [_on_cards_left(pending, count) for pending in waiting]
    return {"pending": pending, "reported": tuple(reported)}


def _on_cards_left(report: Pending, count: int) -> Pending:
    return replace(
        report,
        cards=tuple(place for place in report.cards if place <= count),
        shown=tuple(place for place in report.shown if place <= count or place >= report.first),
        names={place: card for place, card in report.names.items() if place <= count},
    )


def _recounted(
    changed: State,
    before: State,
    cards: tuple[DrawnCard, ...],
    waiting: tuple[DrawnCard, ...],
    out: tuple[Card | None, ...] = (),
) -> State:
    """What left the shoe is counted anew: cards may turn out to be others, or to have never come out."""
    current, shoe = before.round, before.shoe
    assert current is not None
    assert shoe is not None
    reported = current.pending.drawn if current.pending else ()
    names = (*current.cards, *reported, *(card.name for card in shoe.waiting))
    after = (*(card.name for card in (*cards, *waiting)), *out)
    counts = _counted(_counted(shoe.drawn, names, -1), after)
    used = shoe.used + len(after) - len(names)
    return replace(changed, shoe=replace(shoe, drawn=counts, used=used, waiting=waiting))


def _voided(state: State, event: events.RoundVoided) -> State:
    """A void round has no bets, and nothing of it is left to be ruled on or put right."""
    if event.waiting is not None:
        assert state.shoe is not None
        state = replace(state, shoe=replace(state.shoe, waiting=event.waiting))
        pending = state.round.pending if state.round else None
        if pending is not None and is_excess(state.rulebook, pending):
            state = _pending(state, drawn=(), waited=())
    return _round(
        state,
        phase="void",
        stakes={},
        closed={},
        played={},
        late={},
        purchases=(),
        early=(),
        early_paid=(),
        reported=(),
        proposal=None,
        drawn=each(state.round, range(1, 7), holder="") if state.round else (),
    )


def _reported(state: State, event: events.IrregularityReported) -> State:
    """Cards that came out have left the shoe; those that waited are the first of them."""
    assert state.shoe is not None
    assert state.round is not None
    shoe, pending = state.shoe, event.pending
    if pending.drawn:
        waited = len(pending.waited)
        shoe = replace(
            shoe,
            drawn=_counted(shoe.drawn, _newly_named(pending)),
            used=shoe.used + len(pending.drawn) - waited,
            waiting=shoe.waiting[waited:],
        )
    held = state.round.pending
    if held is not None and event.first:
        changed = _round(state, pending=pending, reported=(held, *state.round.reported))
    elif held is not None:
        changed = _round(state, reported=(*state.round.reported, pending))
    else:
        changed = _round(state, pending=pending)
    return replace(changed, shoe=shoe)


def _newly_named(pending: Pending) -> list[Card | None]:
    """Of the cards that came out, those whose names were not counted yet."""
    waited = len(pending.waited)
    return [
        name
        for number, name in enumerate(pending.drawn)
        if number >= waited or pending.waited[number].name is None
    ]


def _moved(pending: Pending, by: int) -> Pending:
    """A report whose cards lie so many places further on than was thought."""
    shown = tuple(place + by if place >= pending.first else place for place in pending.shown)
    return replace(pending, first=pending.first + by, shown=shown)


def _dismissed(state: State, event: events.ReportDismissed) -> State:
    """Nothing came of it: cards that were said to have come out are back where they were."""
    current, shoe = state.round, state.shoe
    assert current is not None
    assert current.pending is not None
    assert shoe is not None
    every = [current.pending, *current.reported]
    pending = every.pop(event.number)
    behind = [_moved(one, -len(pending.drawn)) for one in every[event.number :]]
    every = [*every[: event.number], *behind]
    if pending.drawn:
        shoe = replace(
            shoe,
            drawn=_counted(shoe.drawn, _newly_named(pending), -1),
            used=shoe.used - len(pending.drawn) + len(pending.waited),
            waiting=(*pending.waited, *shoe.waiting),
        )
    changed = _round(state, pending=every[0] if every else None, reported=tuple(every[1:]))
    return replace(changed, shoe=shoe)


def _counted(drawn: dict[str, int], cards: Iterable[Card | None], by: int = 1) -> dict[str, int]:
    """So many more of these cards; one without a name cannot be counted."""
    counts = dict(drawn)
    for card in cards:
        if card is not None:
            counts[card.value] = counts.get(card.value, 0) + by
    return counts if by > 0 else {name: count for name, count in counts.items() if count}


def _same_shoe(state: State) -> bool:
    """Whether the round was dealt from the shoe in use, or a new one has come in since."""
    return state.round is not None and state.shoe is not None and state.round.shoe == state.shoe.number


def _pending(state: State, **changes: Any) -> State:  # noqa: ANN401 - fields of Pending
    assert state.round is not None
    return replace(state, round=pending_changed(state.round, **changes))


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
    uncovered, goes_on = state.rulebook.procedure("uncovered"), event.remedies == ("continue",)
    begins = current.phase == "dealing" and not current.drawn and state.device is None
    lets = begins and goes_on and uncovered is not None and event.case == uncovered.case
    return _round(
        state,
        pending=pending,
        irregularities=(*current.irregularities, ruled),
        dealer_draws=current.dealer_draws or lets,
    )


def _laid(state: State, event: events.CardsLaid) -> State:
    changed = state
    if _same_shoe(state):
        changed = _recounted(state, state, event.cards, event.waiting, event.out)
    reported = state.round.reported if state.round else ()
    if reported and state.round and len(event.cards) < len(state.round.drawn):
        reported = tuple(_on_cards_left(report, len(event.cards)) for report in reported)
    changed = _round(changed, drawn=event.cards, amended=True, reported=reported)
    assert state.round is not None
    return changed if state.round.pending is None else _pending(changed, drawn=(), waited=())


def _reconstructed(state: State, event: events.CardsReconstructed) -> State:
    """What left the shoe is counted anew: cards may have been replaced by others, or set aside."""
    current = state.round
    assert current is not None
    handed = current.handed
    cards = tuple(
        DrawnCard(name=card, face_up=True)
        if place in event.exposed
        else DrawnCard(name=card, holder=handed.get(place, ""))
        for place, card in enumerate(event.cards, start=1)
    )
    seen = (*event.seen, *(False for _ in event.waiting))
    waiting = tuple(
        DrawnCard(name=card, face_up=shown) for card, shown in zip(event.waiting, seen, strict=False)
    )
    changed = _round(_recounted(state, state, cards, waiting, event.out), drawn=cards)
    return changed if current.pending is None else _pending(changed, drawn=())


def _replaced(state: State, event: events.CardsReplaced) -> State:
    assert state.shoe is not None
    return replace(state, shoe=replace(state.shoe, cut_out=True))


def _reopened(state: State, event: events.BetsReopened) -> State:
    """Nothing of the deal that was reset remains but the bets, and reports that are not about its cards."""
    current = state.round
    assert current is not None
    kept = Round(number=current.number, phase="betting", shoe=current.shoe)
    bare = {"first": 1, "drawn": (), "shown": (), "cards": (), "names": {}, "waited": ()}
    return replace(
        state,
        round=replace(
            kept,
            **{name: getattr(current, name) for name in OUTLIVES_RESET},
            reported=tuple(replace(report, **bare) for report in current.reported),
        ),
    )


def _unturned(before: State, after: State) -> State:
    """Cards may have gone out of play that nobody has seen."""
    gone = left_unseen(before, after)
    if not gone:
        return after
    assert before.shoe is not None  # they came out of it
    assert after.shoe is not None
    never_out = Counter(before.shoe.drawn) - Counter(after.shoe.drawn)
    unturned = dict(Counter(after.shoe.unturned) + (gone - never_out))
    return replace(after, shoe=replace(after.shoe, unturned=unturned))


# What may follow a reversal in the same act.
OF_A_REVERSAL = frozenset(
    (
        events.SettlementReversed,
        events.ChipsPutRight,
        events.StakeSet,
        events.StakesDecided,
        events.PlayedChanged,
        events.CardsAmended,
        events.CardsLaid,
        events.CardsExposed,
        events.InsuranceOpened,
        events.InsuranceClosed,
        events.RecordAmended,
        events.NeglectFound,
        events.NeglectRecorded,
        events.RemedyDone,
        events.RemedyNeedless,
        events.RoundSettled,
        events.RoundVoided,
        events.DeviceReturned,
    )
)
OWN_ACTS = ("placed", "taken-back", "withdrawn")  # stakes that a player moves
# Of a round whose deal was reset.
OUTLIVES_RESET = (
    "stakes", "decided", "freed", "placings", "absences", "withdrew", "purchases", "pending",
    "irregularities", "must_raise", "early", "early_paid",
)  # fmt: skip
# What takes cards out of play, or may.
BROUGHT = frozenset((events.BoughtIn, events.CashedOut))  # what comes to the table or leaves it
LEAVES_CARDS = frozenset(
    (
        events.BetsOpened,
        events.BetsReopened,
        events.RoundVoided,
        events.ReportDismissed,
        events.ReportEnded,
        events.IrregularityClosed,
        events.CardsLaid,
        events.CardsReconstructed,
        events.CardsAmended,
    )
)
CHANGES: dict[type, Callable[[State, Any], State]] = {
    events.SetupChanged: _setup_changed,
    events.RulebookChanged: _rulebook_changed,
    events.PlayerJoined: _joined,
    events.PlayerLeft: _left,
    events.BoughtIn: _same,
    events.CashedOut: _same,
    events.SeatTaken: _seat_taken,
    events.SeatLeft: _seat_left,
    events.NoInsuranceRequested: _no_insurance_asked,
    events.StaffAssigned: _assigned,
    events.ShoeStarted: _shoe_started,
    events.BetsOpened: _opened,
    events.StakeSet: _stake_set,
    events.CutCardAppeared: _cut_card,
    events.CardDrawn: _drawn,
    events.CardsExposed: _exposed,
    events.SqueezePermitted: _permitted,
    events.CardsRefused: _refused,
    events.DeviceGiven: _device_given,
    events.DeviceReturned: _device_returned,
    events.RoundSettled: _settled,
    events.SettlementReversed: _unsettled,
    events.CardsCorrected: _corrected,
    events.CardsAmended: _amended,
    events.RecordAmended: _same,
    events.RoundVoided: _voided,
    events.IrregularityReported: _reported,
    events.ReportDismissed: _dismissed,
    events.IrregularityRuled: _ruled,
    events.DisplayCorrected: _same,
    events.CardsLaid: _laid,
    events.CardsReconstructed: _reconstructed,
    events.CardsReplaced: _replaced,
    events.BetsReopened: _reopened,
}
