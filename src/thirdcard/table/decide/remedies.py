"""What a ruling brings about, remedy by remedy."""

from collections.abc import Callable

import msgspec

from thirdcard.cards import Card
from thirdcard.play.insurance import open_window, rows
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import INITIAL, Deal
from thirdcard.rulebook.model import Side
from thirdcard.table import events, limits
from thirdcard.table.decide import betting, dealing, settling
from thirdcard.table.decide.checks import find_procedure
from thirdcard.table.events import AnyEvent
from thirdcard.table.evolve import evolve
from thirdcard.table.state import HANDS, Inputs, Pending, Round, Stake, State, stake_key


class Flow:
    """Events in the making: each is applied at once, so that the next can build on it."""

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


def nothing(flow: Flow) -> None:
    """Bets and cards stay as they lie: continue, stand, settle, correct the display."""
    insurance = flow.state.rules.insurance
    silent = tuple(p for p in flow.pending.players if p not in flow.current.forgone)
    if flow.pending.case == "walks-away" and insurance is not None and silent:
        flow.emit(events.InsuranceForgone(players=silent, rules=insurance.forgone.rules))
    if flow.pending.case == "left-with-cards":
        _pass_on(flow)


def show(flow: Flow, places: tuple[int, ...]) -> None:
    """Cards that everybody has seen lie face up from now on."""
    new = [p for p in sorted(set(places)) if p <= len(flow.current.cards) and p not in flow.current.exposed]
    if new:
        flow.emit(events.CardsExposed(places=tuple(new), by=flow.by, rules=flow.pending.rules))


def _refuse(flow: Flow) -> None:
    """A wager outside the limits that was noticed in time does not stay on the layout."""
    open_still = flow.current.phase in ("betting", "adjusting")
    if not open_still or flow.pending.case not in ("under-minimum", "over-maximum"):
        return
    for stake in tuple(flow.current.stakes.values()):
        limit = flow.state.setup.limit(stake.bet)
        allowed = min(stake.cents, limit.max or stake.cents) if stake.cents >= limit.min else 0
        if allowed != stake.cents and flow.pending.box in (0, stake.box):
            flow.emit(betting.set_stake(stake, allowed, why="cut", rules=flow.pending.rules))


def _named(flow: Flow) -> list[Stake]:
    keys = [stake_key(player, number, bet) for player, number, bet in flow.inputs.stakes]
    return [flow.current.stakes[key] for key in dict.fromkeys(keys)]


def _return_stakes(flow: Flow) -> None:
    """Stakes that the deciding rank names go back, with the insurance on them."""
    for stake in _named(flow):
        _bring_to(flow, stake, 0)


def _cut_to_maximum(flow: Flow) -> None:
    """Stakes that the deciding rank names play for the maximum."""
    for stake in _named(flow):
        most = flow.state.setup.limit(stake.bet).max
        if most is not None and stake.cents > most:
            _bring_to(flow, stake, most)


def _bring_to(flow: Flow, stake: Stake, cents: int) -> None:
    """Another amount for a stake; after the close shares and insurance follow it."""
    rest = {key: one for key, one in flow.current.stakes.items() if key != stake.key}
    after = {**rest, stake.key: msgspec.structs.replace(stake, cents=cents)} if cents else rest
    rules = flow.pending.rules
    shared = (
        betting.share_again(flow.state, flow.current, after, rules) if flow.current.phase == "dealing" else ()
    )
    flow.emit(betting.set_stake(stake, cents, why="returned", rules=rules), *shared)


def _why(flow: Flow) -> str:
    return flow.inputs.reason or find_procedure(flow.state, flow.pending.case).title


def _unsettle(flow: Flow) -> bool:
    """Reverse a settlement that is not final; whether there was one."""
    settled = flow.current.settlement is not None
    if settled:
        flow.emit(settling.reversed_settlement(flow.current, flow.by, _why(flow), flow.pending.rules))
    return settled


def _resettle(flow: Flow, *, was_settled: bool) -> None:
    if was_settled:
        deal = flow.state.deal()
        flow.emit(settling.settlement_event(flow.state, flow.current, outcome_of(deal)))


def _void(flow: Flow) -> None:
    _unsettle(flow)
    flow.emit(
        events.RoundVoided(
            by=flow.by, reason=_why(flow), rules=flow.pending.rules, postings=settling.refunds(flow.current)
        )
    )


def _decide_order(flow: Flow) -> None:
    _lay(flow, flow.inputs.order)


def _reconstruct(flow: Flow) -> None:
    _lay(flow, flow.pending.drawn)


def _lay(flow: Flow, drawn: tuple[Card, ...]) -> None:
    """Cards to the hands they belong to; what the round does not need begins the next one.

    A card that nobody has seen stays face down while players still choose.
    """
    pending, before, shoe = flow.pending, flow.current.cards, flow.state.shoe
    assert shoe is not None
    cards = before + drawn
    deal = Deal(flow.state.rules.table_of_play, cards)
    used = cards[: len(cards) - len(deal.left_over)]
    seen = {*flow.current.exposed, *_places_shown(flow, drawn)}
    was_settled = used != before and _unsettle(flow)
    if flow.current.window is not None and len(used) > len(before):
        flow.emit(dealing.close_window(flow.state, flow.current))
    flow.emit(
        events.CardsReconstructed(
            cards=used,
            exposed=tuple(sorted(place for place in seen if place <= len(used))),
            waiting=(*deal.left_over, *shoe.waiting),
            seen=(*(place in seen for place in range(len(used) + 1, len(cards) + 1)), *shoe.waiting_seen),
            rules=pending.rules,
        )
    )
    _resettle(flow, was_settled=was_settled and deal.next is None)


def _places_shown(flow: Flow, drawn: tuple[Card, ...]) -> set[int]:
    """Where the cards seen in error lie once those that came out are in this order."""
    if drawn == flow.pending.drawn:
        return set(flow.pending.shown)
    first = len(flow.current.cards) + 1
    places = {place for place in flow.pending.shown if place < first}
    seen = [flow.pending.drawn[place - first] for place in flow.pending.shown if place >= first]
    for place, card in enumerate(drawn, start=first):
        if card in seen:
            seen.remove(card)
            places.add(place)
    return places


def _new_cards(flow: Flow) -> None:
    flow.emit(events.CardsReplaced(by=flow.by, rules=flow.pending.rules))


def _reject(flow: Flow) -> None:
    for number in [flow.pending.box] if flow.pending.box else range(1, flow.state.setup.positions + 1):
        flow.emit(*betting.cut(flow.state, flow.current.stakes, number))


def _pro_rata(flow: Flow) -> None:
    was_settled = _unsettle(flow)
    flow.emit(*betting.share_again(flow.state, flow.current, flow.current.stakes))
    _resettle(flow, was_settled=was_settled)


def _demand(flow: Flow) -> None:
    low = tuple(
        key
        for key, stake in flow.current.stakes.items()
        if stake.cents < flow.state.setup.limit(stake.bet).min and flow.pending.box in (0, stake.box)
    )
    flow.emit(events.RaiseDemanded(stakes=low, rules=flow.pending.rules))


def _remove(flow: Flow) -> None:
    """Back to the differential: asked to decrease, may increase, then the pit manager removes."""
    sums = limits.totals(flow.current.stakes.values())
    excess = abs(sums["player"] - sums["banker"]) - (flow.state.setup.differential or 0)
    if excess > 0 and not flow.current.cards and flow.current.phase != "adjusting":
        heavier = Side(max(HANDS, key=lambda hand: sums[hand]))
        flow.emit(events.DifferentialExceeded(heavier=heavier, excess=excess, rules=flow.pending.rules))


def _held(flow: Flow) -> tuple[int, ...]:
    """Cards in the hands of the people it is about, or of anybody if nobody is named."""
    people = flow.pending.players
    return tuple(place for place, who in flow.current.handed.items() if not people or who in people)


def _pass_on(flow: Flow) -> None:
    held = _held(flow)
    if held:
        flow.emit(events.CardsRetrieved(places=held, rules=flow.pending.rules))


def _dealer_exposes(flow: Flow) -> None:
    show(flow, _held(flow))


def _reopen(flow: Flow) -> None:
    flow.emit(events.BetsReopened(rules=flow.pending.rules))


def _seen_deal(flow: Flow) -> Deal:
    """The round as far as everybody has seen its cards, in order."""
    seen = 0
    while seen + 1 in flow.current.exposed:
        seen += 1
    return flow.state.deal().after(seen)


def _late_insurance(flow: Flow) -> None:
    """The offer at the row for the cards exposed at this moment, to the people it was not made to."""
    state, current, insurance = flow.state, flow.current, flow.state.rules.insurance
    assert insurance is not None
    deal = _seen_deal(flow)
    window = open_window(deal)
    if window is None or not state.setup.insurance:
        return
    people = flow.pending.players or tuple(dict.fromkeys(s.player for s in current.stakes.values()))
    offers = dealing.offers_for(insurance, deal, window, current, people)
    if offers:
        flow.emit(
            events.LateInsuranceOpened(window=window, offers=offers, players=people, rules=flow.pending.rules)  # type: ignore[arg-type]
        )


def _return_original(flow: Flow) -> None:
    """Original bets of those who had meant to insure go back if that insurance would have won."""
    found: dict[str, tuple[int, ...]] = {}
    for key, stake in flow.current.stakes.items():
        if stake.player in flow.inputs.intended and stake.bet in HANDS:
            missed = _rows_missed(flow, stake)
            if missed:
                found[key] = missed
    was_settled = _unsettle(flow)
    flow.emit(events.NeglectRecorded(by=flow.by, rows=found, rules=flow.pending.rules))
    _resettle(flow, was_settled=was_settled)


def _rows_missed(flow: Flow, stake: Stake) -> tuple[int, ...]:
    """The rows that were open for a stake in the windows this round has had, and were not bought."""
    insurance = flow.state.rules.insurance
    deal = _seen_deal(flow)
    if insurance is None or not flow.state.setup.insurance:
        return ()
    bought = {
        one.window
        for one in flow.current.purchases
        if (one.player, one.box, one.hand) == (stake.player, stake.box, stake.bet)
    }
    missed = []
    for drawn in (INITIAL, INITIAL + 1):
        then = deal.after(drawn)
        window = open_window(then) if len(then.cards) == drawn else None
        waived = window == 2 and flow.current.reversed  # noqa: PLR2004 - the second window
        if window is not None and window not in bought and not waived:
            missed += [
                insurance.offers.index(r) for r in rows(insurance, then, window) if r.hand == stake.bet
            ]
    return tuple(missed)


def _substitute(flow: Flow) -> None:
    """Cards of the same suit and value take the missing ones' places; the two set aside come next."""
    shoe = flow.state.shoe
    assert shoe is not None
    places = tuple(int(place) for place in flow.inputs.substitutes)
    flow.emit(events.CardsRetrieved(places=places, rules=flow.pending.rules))
    found = list(flow.current.cards)
    for place, card in flow.inputs.substitutes.items():
        found[int(place) - 1] = card
    deal = Deal(flow.state.rules.table_of_play, tuple(found))
    cards = deal.cards[: len(found) - len(deal.left_over)]
    left_over = range(len(cards) + 1, len(found) + 1)  # a third card that no hand draws any more
    flow.emit(
        events.CardsReconstructed(
            cards=cards,
            exposed=tuple(place for place in flow.current.exposed if place <= len(cards)),
            waiting=(*deal.left_over, *shoe.waiting, *flow.inputs.set_aside),
            seen=(
                *(place in flow.current.exposed for place in left_over),
                *shoe.waiting_seen,
                *(False for _ in flow.inputs.set_aside),
            ),
            out=flow.pending.drawn,
            rules=flow.pending.rules,
        )
    )


REMEDIES: dict[str, Callable[[Flow], None]] = {
    "void": _void,
    "reconstruct": _reconstruct,
    "decide-order": _decide_order,
    "refuse": _refuse,
    "return-stakes": _return_stakes,
    "cut-to-maximum": _cut_to_maximum,
    "replace-cards": _new_cards,
    "new-cards": _new_cards,
    "substitute-cards": _substitute,
    "reject": _reject,
    "pro-rata": _pro_rata,
    "raise-or-withdraw": _demand,
    "remove": _remove,
    "pass-on": _pass_on,
    "dealer-exposes": _dealer_exposes,
    "reopen": _reopen,
    "late-insurance": _late_insurance,
    "return-original": _return_original,
}
