"""What a ruling brings about, remedy by remedy, under the names of `rulebook.remedies`.

Each says whether it has changed anything.
"""

from collections.abc import Callable, Iterable

import msgspec

from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import INITIAL
from thirdcard.rulebook.conditions import sight_of_all
from thirdcard.rulebook.model import Side
from thirdcard.table import events, limits
from thirdcard.table.decide import betting, settling
from thirdcard.table.decide.checks import find_procedure
from thirdcard.table.decide.chips import brought_to, put_right
from thirdcard.table.decide.dealing import opened_window
from thirdcard.table.decide.flow import Flow
from thirdcard.table.decide.laying import lay, show, unsettle
from thirdcard.table.established import decided
from thirdcard.table.ledger import PostingBook, box, rack, within_racks
from thirdcard.table.reported import as_drawn, held_by, in_question, reordered
from thirdcard.table.rights.choosing import CHOICES, open_stakes
from thirdcard.table.rights.insurance import affected, open_windows, rows, walked_away
from thirdcard.table.rights.squeezing import handlers, handling
from thirdcard.table.settling import decided_event
from thirdcard.table.state import HANDS, DrawnCard, Pending, Stake, stake_key
from thirdcard.table.unseen import came_out

replace = msgspec.structs.replace


def _nothing(_flow: Flow) -> bool:
    """Bets and cards stay as they lie."""
    return False


# The round ----------------------------------------------------------------------------------------------


def _why(flow: Flow) -> str:
    return flow.inputs.reason or find_procedure(flow.state, flow.pending.case).title


def _void(flow: Flow) -> bool:
    settling.voided(flow, _why(flow), flow.pending.rules)
    return True


def resettle(flow: Flow) -> None:
    """A round whose settlement was reversed is settled anew, if it is whole."""
    deal = flow.state.deal()
    whole = flow.current.all_seen and len(deal.cards) >= INITIAL and deal.next is None
    if whole and not limits.undecided_excess(flow.state, flow.current):
        flow.emit(*put_right(flow.state, flow.current))
        flow.emit(
            *settling.settled_events(
                flow.state, flow.current, outcome_of(deal, sight_of_all(flow.state.rulebook))
            )
        )


def _settle_decided(flow: Flow) -> bool:
    verdicts = decided(flow.state, flow.current)
    if verdicts:
        late = [stake for key, stake in flow.current.late.items() if key in verdicts]
        flow.emit(*put_right(flow.state, flow.current, late))
        flow.emit(decided_event(flow.state, flow.current, verdicts, flow.pending.rules))
    return bool(verdicts)


def _reopen(flow: Flow) -> bool:
    """The cards of the deal that is reset are out of play, and so are reports about them (interp. 59)."""
    flow.emit(*put_right(flow.state, flow.current))
    number = 1
    while number <= len(flow.current.reported):
        waits = flow.current.reported[number - 1]
        about = find_procedure(flow.state, waits.case).about
        named = "uncovered" in about and bool(waits.cards or waits.shown or waits.drawn)
        if about and OF_THE_DEAL.isdisjoint(about) and not named:
            number += 1
        else:
            flow.emit(events.ReportEnded(case=waits.case, number=number, rules=flow.pending.rules))
    flow.emit(events.BetsReopened(rules=flow.pending.rules))
    return True


def _display(flow: Flow) -> bool:
    settled = flow.current.settlement
    actual = settled.outcome if settled else ""
    flow.emit(events.DisplayCorrected(shown=flow.pending.displayed, actual=actual, rules=flow.pending.rules))
    return True


# Cards --------------------------------------------------------------------------------------------------


def _reconstruct(flow: Flow) -> bool:
    return lay(flow)


def _decide_order(flow: Flow) -> bool:
    """An order that nobody knows puts nothing beyond doubt: the cards it is about decide no bet."""
    return _in_order(flow, doubtful=True)


def _fix_order(flow: Flow) -> bool:
    return _in_order(flow, doubtful=False)


def _in_order(flow: Flow, *, doubtful: bool) -> bool:
    every: tuple[DrawnCard, ...] = (*flow.current.drawn, *came_out(flow.current, flow.pending))
    places = in_question(flow.current, flow.pending)
    cards = reordered(every, places, flow.inputs.order) if flow.inputs.order else every
    lying = zip(cards, flow.current.drawn, strict=False)
    moved = any(card is not before and not card.face_up for card, before in lying)
    if doubtful:
        unsettle(flow)
        cards = tuple(
            replace(card, doubtful=True) if place in places else card
            for place, card in enumerate(cards, start=1)
        )
    return lay(flow, cards, moved=moved)


def _as_they_lie(flow: Flow) -> bool:
    return _in_order(flow, doubtful=True)


def _keep(flow: Flow) -> bool:
    """Cards that are in no hand open the next round, in the order that the House decides."""
    shoe = flow.state.shoe
    assert shoe is not None
    if not flow.pending.drawn:
        return bool(shoe.waiting)
    cards = came_out(flow.current, flow.pending)
    if flow.inputs.order:
        cards = reordered(cards, tuple(range(1, len(cards) + 1)), flow.inputs.order)
    waiting = as_drawn(flow.pending, cards, shoe.waiting)
    flow.emit(events.CardsLaid(cards=flow.current.drawn, waiting=waiting, rules=flow.pending.rules))
    return True


def _new_cards(flow: Flow) -> bool:
    """The cards that the round was dealt from; where others have come since, those are gone already."""
    if flow.state.shoe is None or flow.state.shoe.number != flow.current.shoe:
        return False
    flow.emit(events.CardsReplaced(by=flow.by, rules=flow.pending.rules))
    return True


def _retrieve(flow: Flow, places: tuple[int, ...]) -> bool:
    if places:
        flow.emit(events.CardsRetrieved(places=places, by=flow.by, rules=flow.pending.rules))
    return bool(places)


def _pass_on(flow: Flow) -> bool:
    """Cards that the wrong person holds go to the right one, or to the dealer if nobody squeezes them."""
    state = flow.state
    held = tuple(
        place
        for place in held_by(flow.current, flow.pending)
        if handlers(state, flow.current, place) != [flow.current.handed[place]]
    )
    changed = _retrieve(flow, held)
    for place in held:
        for person in handlers(flow.state, flow.current, place):
            flow.emit(events.CardsHanded(places=(place,), player=person, rules=flow.pending.rules))
    return changed


def _absent(flow: Flow) -> Iterable[str]:
    """The people it is about who are still taken to be there."""
    named = flow.pending.players or tuple(sorted(handling(flow.current)))
    return [person for person in named if person not in flow.current.gone]


def _leaves(flow: Flow, person: str) -> None:
    """The ruling finds that somebody is gone, who then has no device either (MBS 3.12.8)."""
    if flow.state.device == person:
        rules = flow.state.setup.dealing.given_up_rules
        flow.emit(events.DeviceReturned(player=person, why="left", rules=rules))
    flow.emit(events.WalkedAway(player=person, rules=flow.pending.rules))


def _dealer_exposes(flow: Flow) -> bool:
    """The dealer turns what the absent person holds, and what would have come to that person later."""
    held = held_by(flow.current, flow.pending)
    absent = list(_absent(flow))
    for person in absent:
        _leaves(flow, person)
    _retrieve(flow, held)
    show(flow, held, {int(place): card for place, card in flow.inputs.names.items()})
    return bool(held or absent)


def _ascertain(flow: Flow) -> bool:
    """The values are known without the cards: they count as if they lay there."""
    held = held_by(flow.current, flow.pending)
    for person in sorted({flow.current.handed[place] for place in held} - set(flow.current.gone)):
        _leaves(flow, person)
    _retrieve(flow, held)
    show(flow, held, {int(place): card for place, card in flow.inputs.names.items()})
    return bool(held)


def _substitute(flow: Flow) -> bool:
    """Two cards are set aside unseen; cards of the same suit and value take the missing ones' places."""
    shoe = flow.state.shoe
    assert shoe is not None
    held = held_by(flow.current, flow.pending)
    for person in sorted({flow.current.handed[place] for place in held} - set(flow.current.gone)):
        _leaves(flow, person)
    _retrieve(flow, held)
    cards = tuple(
        replace(card, name=flow.inputs.substitutes.get(str(place), card.name))
        for place, card in enumerate(flow.current.drawn, start=1)
    )
    aside = tuple(DrawnCard() for _ in range(min(SET_ASIDE, shoe.left)))
    flow.emit(events.CardsLaid(cards=cards, waiting=(*shoe.waiting, *aside), rules=flow.pending.rules))
    return True


SET_ASIDE = 2  # as many as a round can still need


# Stakes -------------------------------------------------------------------------------------------------


def _concerns(pending: Pending, stake: Stake) -> bool:
    """Whether chips are among those that a report is about."""
    return pending.box in (0, stake.box) and (not pending.players or stake.player in pending.players)


def _refuse(flow: Flow) -> bool:
    """A wager outside the limit that the report names does not stay if noticed in time; late chips go."""
    pending, about = flow.pending, find_procedure(flow.state, flow.pending.case).about
    if flow.current.phase not in ("betting", "adjusting"):
        return _as_at_close(flow)
    before = len(flow.events)
    for stake in tuple(flow.current.stakes.values()):
        limit, allowed = flow.state.setup.limit(stake.bet), stake.cents
        if "above-maximum" in about:
            allowed = min(allowed, limit.max or allowed)
        if "below-minimum" in about and stake.cents < limit.min:
            allowed = 0
        if allowed != stake.cents and _concerns(pending, stake):
            flow.emit(brought_to(stake, allowed, why="cut", rules=pending.rules))
    return len(flow.events) > before


def _as_at_close(flow: Flow) -> bool:
    """Chips added or taken away after the close are again as they lay at the close; who is gone is gone."""
    pending, about = flow.pending, find_procedure(flow.state, flow.pending.case).about
    if "walked-away" in about:
        return _forgo(flow)
    meant = [
        late
        for late in flow.current.late.values()
        if (late.cents > 0 and "late-chips" in about) or (late.cents < 0 and "taken-chips" in about)
        if _concerns(pending, late)
    ]
    made = put_right(flow.state, flow.current, meant, pending.rules)
    flow.emit(*made)
    return bool(made)


def _named(flow: Flow) -> list[Stake]:
    keys = [stake_key(player, number, bet) for player, number, bet in flow.inputs.stakes]
    return [flow.current.stakes[key] for key in dict.fromkeys(keys)]


def _decide_stakes(flow: Flow, *, plays: bool = False) -> None:
    """What the House has decided about these stakes stands, also for how much they play."""
    keys, current = tuple(stake.key for stake in _named(flow)), flow.current
    lies = current.stakes if current.phase in ("betting", "adjusting") else current.closed
    freed = limits.freed_by_decision(flow.state.setup, lies, keys) if plays else ()
    flow.emit(events.StakesDecided(stakes=keys, freed=freed, rules=flow.pending.rules))


def _return_stakes(flow: Flow) -> bool:
    """Stakes that the deciding rank names go back, with the insurance on them."""
    unsettle(flow)
    _decide_stakes(flow)
    for stake in _named(flow):
        _bring_to(flow, stake, 0)
    return True


def _cut_to_maximum(flow: Flow) -> bool:
    """Stakes that the deciding rank names play for the maximum."""
    unsettle(flow)
    _decide_stakes(flow)
    for stake in _named(flow):
        _bring_to(flow, stake, flow.state.setup.limit(stake.bet).max or stake.cents)
    return True


def _cut_stakes(flow: Flow) -> bool:
    unsettle(flow)
    _decide_stakes(flow, plays=True)
    for stake, cents in zip(_named(flow), flow.inputs.amounts, strict=True):
        _bring_to(flow, stake, cents)
    return True


def _let_stand(flow: Flow) -> bool:
    """The stakes play in full: what limited them is set aside, of several limits a minimum or a maximum.

    What plays above a maximum after the differential cut plays on for that much (interpretation 52).
    """
    unsettle(flow)
    _decide_stakes(flow, plays=True)
    _play_anew(flow)
    return True


def _play_anew(flow: Flow) -> bool:
    """What the stakes as they lay at the close play for, after what was decided."""
    current = flow.current
    playing = limits.played(flow.state, current.closed, current.decided, current.freed)
    if playing == current.played:
        return False
    unsettle(flow)
    purchases, rules = flow.current.purchases, flow.pending.rules
    flow.emit(events.PlayedChanged(played=playing, purchases=purchases, rules=rules))
    return True


def _remove_named(flow: Flow) -> bool:
    for stake, cents in zip(_named(flow), flow.inputs.amounts, strict=True):
        _bring_to(flow, stake, cents, why="removed")
    return bool(flow.inputs.stakes)


def _bring_to(flow: Flow, stake: Stake, cents: int, why: str = "returned") -> None:
    """Another amount for a stake; with a stake that is gone its insurance goes back."""
    if stake.key in flow.current.late:
        flow.emit(*put_right(flow.state, flow.current, [flow.current.late[stake.key]]))
    if not cents:
        _return_insurance(flow, stake)
    back = brought_to(stake, cents, why=why, rules=flow.pending.rules)  # type: ignore[arg-type]
    flow.emit(replace(back, postings=within_racks(flow.state, back.postings)))
    if flow.current.phase not in ("betting", "adjusting"):
        _play_anew(flow)


def _return_insurance(flow: Flow, stake: Stake) -> None:
    book, kept = PostingBook(), []
    for purchase in flow.current.purchases:
        if stake_key(purchase.player, purchase.box, purchase.hand) == stake.key:
            book.move(purchase.cents, box(purchase.box), rack(purchase.player))
        else:
            kept.append(purchase)
    if len(kept) < len(flow.current.purchases):
        flow.emit(
            events.PlayedChanged(
                played=flow.current.played,
                purchases=tuple(kept),
                postings=within_racks(flow.state, book.postings()),
                rules=flow.pending.rules,
            )
        )


def _reject(flow: Flow) -> bool:
    before = len(flow.events)
    for number in [flow.pending.box] if flow.pending.box else range(1, flow.state.setup.positions + 1):
        flow.emit(*betting.cut(flow.state, flow.current.stakes, number))
    return len(flow.events) > before


def _cut_at_the_close(flow: Flow) -> bool:
    """What does not play was worked out when bets were closed; the ruling says so of chips it is about."""
    changed, current = _play_anew(flow), flow.current
    return changed or any(
        key in current.played and _concerns(flow.pending, stake) for key, stake in current.closed.items()
    )


def _demand(flow: Flow) -> bool:
    pending = flow.pending
    low = tuple(
        key
        for key, stake in flow.current.stakes.items()
        if stake.cents < flow.state.setup.limit(stake.bet).min and _concerns(pending, stake)
        if key not in flow.current.must_raise
    )
    if low:
        flow.emit(events.RaiseDemanded(stakes=low, rules=pending.rules))
    return bool(low)


def _remove(flow: Flow) -> bool:
    """Back to the differential: asked to decrease, may increase, then the pit manager removes."""
    excess = limits.excess(flow.state.setup, flow.current.stakes.values())
    if not excess or flow.current.phase == "adjusting":
        return False
    heavier = limits.heavier(flow.current.stakes.values())
    flow.emit(events.DifferentialExceeded(heavier=heavier, excess=excess, rules=flow.pending.rules))
    return True


# Insurance ----------------------------------------------------------------------------------------------


def _offer(flow: Flow) -> bool:
    """No card has come since: the window is open to everybody in the ordinary way.

    One that the dealer has closed is opened again if somebody was never asked; who has said no has answered.
    """
    window, rules, before = flow.pending.window, flow.pending.rules, len(flow.events)
    people = affected(flow.state, flow.current, window, flow.pending.players)
    over = [
        offering
        for offering in flow.current.offerings
        if offering.window == window and offering.over and not offering.people
    ]
    if any(who in offering.silent and who not in offering.unasked for offering in over for who in people):
        flow.emit(events.NeglectFound(window=window, players=people, rules=rules))
    is_open = any(not window.late_for for window in open_windows(flow.state, flow.current))
    if over and people and not is_open:
        hands = {stake.bet for stake in flow.current.stakes.values() if stake.player in people}
        offers = tuple(row for row in rows(flow.state, flow.current, window) if row.hand in hands)
        flow.emit(events.InsuranceOpened(window=window, offers=offers, rules=rules))  # type: ignore[arg-type]
    flow.emit(*opened_window(flow.state, flow.current))
    return len(flow.events) > before


def _found_neglected(flow: Flow) -> tuple[str, ...]:
    """Everybody it is about who was not offered that window is free of it, whatever they meant to do."""
    among = flow.pending.players and (*flow.pending.players, *flow.inputs.intended)
    people = affected(flow.state, flow.current, flow.pending.window, among)
    if people:
        flow.emit(events.NeglectFound(window=flow.pending.window, players=people, rules=flow.pending.rules))
    return people


def _late_insurance(flow: Flow) -> bool:
    """The offer at the row of the window that was neglected, to the people it was not made to."""
    window = flow.pending.window
    neglected = _found_neglected(flow)
    people = tuple(one for one in neglected if not walked_away(flow.current, one))
    hands = {stake.bet for stake in flow.current.stakes.values() if stake.player in people}
    offers = tuple(row for row in rows(flow.state, flow.current, window) if row.hand in hands)
    if not offers:
        return bool(neglected)
    flow.emit(
        events.LateInsuranceOpened(window=window, offers=offers, players=people, rules=flow.pending.rules)  # type: ignore[arg-type]
    )
    return True


def _return_original(flow: Flow) -> bool:
    """Original bets of those who had meant to insure go back if that insurance would have won."""
    row_of = {offer.hand: offer.row for offer in rows(flow.state, flow.current, flow.pending.window)}
    neglected = _found_neglected(flow)
    found = {
        key: (*flow.current.neglected.get(key, ()), row_of[Side(stake.bet)])
        for key, stake in flow.current.stakes.items()
        if stake.player in flow.inputs.intended and stake.bet in HANDS and Side(stake.bet) in row_of
    }
    if found:
        unsettle(flow)
        flow.emit(events.NeglectRecorded(by=flow.by, rows=found, rules=flow.pending.rules))
    return bool(found or neglected)


def _forgo(flow: Flow) -> bool:
    """Who walked away is gone, and has forgone insurance for the round."""
    gone = [person for person in flow.pending.players if person not in flow.current.gone]
    for person in gone:
        _leaves(flow, person)
    return bool(gone)


# Players' choices ---------------------------------------------------------------------------------------


def offer_choices(flow: Flow, *, singly: bool) -> None:
    """Everybody with an undecided bet is asked, but for who has accepted every later card already."""
    if flow.current.stakes and _at_discretion(flow):
        unsettle(flow)
    asked = tuple(
        who
        for who in dict.fromkeys(stake.player for stake in flow.current.stakes.values())
        if open_stakes(flow.state, flow.current, flow.pending, who)
    )
    flow.emit(events.ChoicesOffered(players=asked, singly=singly, rules=flow.pending.rules))


def _at_discretion(flow: Flow) -> bool:
    return flow.inputs.action in CHOICES


# What a report is about that ends with the deal in which it happened.
OF_THE_DEAL = frozenset(
    {
        "wrong-number", "excess-cards", "wrong-area", "wrong-person", "seen-in-error", "face-up-in-device",
        "drawn-together", "absent-handler", "left-with-cards", "dealing-error", "device-reset",
    }
)  # fmt: skip
HANDLERS: dict[str, Callable[[Flow], bool]] = {
    "void": _void,
    "continue": _nothing,
    "stand": _nothing,
    "reconstruct": _reconstruct,
    "keep-for-next-round": _keep,
    "as-they-lie": _as_they_lie,
    "settle-decided": _settle_decided,
    "decide-order": _decide_order,
    "replace-cards": _new_cards,
    "new-cards": _new_cards,
    "substitute-cards": _substitute,
    "reject": _reject,
    "pro-rata": _cut_at_the_close,
    "raise-or-withdraw": _demand,
    "settle": _as_at_close,
    "settle-once": _nothing,
    "to-maximum": _cut_at_the_close,
    "remove": _remove,
    "remove-named": _remove_named,
    "refuse": _refuse,
    "pass-on": _pass_on,
    "ascertain": _ascertain,
    "dealer-exposes": _dealer_exposes,
    "reopen": _reopen,
    "offer": _offer,
    "late-insurance": _late_insurance,
    "return-original": _return_original,
    "forgo-insurance": _forgo,
    "correct-display": _display,
    "return-stakes": _return_stakes,
    "cut-to-maximum": _cut_to_maximum,
    "cut-stakes": _cut_stakes,
    "let-stand": _let_stand,
    "fix-order": _fix_order,
}
