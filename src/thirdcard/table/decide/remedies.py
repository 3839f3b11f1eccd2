"""What a ruling brings about, remedy by remedy."""

from collections.abc import Callable

from thirdcard.play.insurance import open_window, rows
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import INITIAL, Deal
from thirdcard.rulebook.model import Side
from thirdcard.table import events, limits
from thirdcard.table.decide import betting, dealing, settling
from thirdcard.table.decide.checks import find_procedure
from thirdcard.table.events import AnyEvent
from thirdcard.table.evolve import evolve
from thirdcard.table.state import HANDS, Inputs, OpenOffer, Pending, Round, State


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
    """Bets and cards stay as they lie: continue, stand, settle, refuse, correct the display."""
    if flow.pending.case == "walks-away" and flow.state.rules.insurance is not None:
        silent = tuple(p for p in flow.pending.players if p not in flow.current.forgone)
        flow.emit(events.InsuranceForgone(players=silent, rules=flow.state.rules.insurance.forgone.rules))


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


def _reconstruct(flow: Flow) -> None:
    """Cards to the hands they belong to; what the round does not need begins the next one."""
    pending = flow.pending
    cards = flow.current.cards + (flow.inputs.order or pending.drawn)
    deal = Deal(flow.state.rules.table_of_play, cards)
    used = cards[: len(cards) - len(deal.left_over)]
    seen = {*flow.current.exposed, *pending.shown}
    if not flow.state.setup.dealing.face_down:
        seen = set(range(1, len(cards) + 1))
    public = tuple(card for place, card in enumerate(cards, start=1) if place in seen and place > len(used))
    was_settled = _unsettle(flow)
    if flow.current.window is not None and len(used) > len(flow.current.cards):
        flow.emit(dealing.close_window(flow.state, flow.current))
    flow.emit(
        events.CardsReconstructed(
            cards=used,
            exposed=tuple(sorted(place for place in seen if place <= len(used))),
            waiting=deal.left_over,
            seen=public,
            rules=pending.rules,
        )
    )
    _resettle(flow, was_settled=was_settled and deal.next is None)
    if not was_settled:
        flow.emit(*dealing.opened_window(flow.state, flow.current))


def _show(flow: Flow) -> None:
    """The round goes on with the cards that were shown, in everybody's view."""
    new = tuple(sorted(place for place in flow.pending.shown if place not in flow.current.exposed))
    drawn = tuple(place for place in new if place <= len(flow.current.cards))
    if drawn and flow.pending.case in ("face-up-card", "not-wrong-delivery"):
        flow.emit(events.CardsExposed(places=drawn, by=flow.by, rules=flow.pending.rules))
        flow.emit(*dealing.opened_window(flow.state, flow.current))
    nothing(flow)


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


def _pass_on(flow: Flow) -> None:
    held = tuple(
        p for p, who in flow.current.handed.items() if not flow.pending.players or who in flow.pending.players
    )
    if held:
        flow.emit(events.CardsRetrieved(places=held, rules=flow.pending.rules))


def _dealer_exposes(flow: Flow) -> None:
    held = tuple(
        p for p, who in flow.current.handed.items() if not flow.pending.players or who in flow.pending.players
    )
    if held:
        flow.emit(events.CardsExposed(places=held, by=flow.by, rules=flow.pending.rules))
        flow.emit(*dealing.opened_window(flow.state, flow.current))


def _reopen(flow: Flow) -> None:
    flow.emit(events.BetsReopened(rules=flow.pending.rules))


def _late_insurance(flow: Flow) -> None:
    """The offer at the row for the cards exposed at this moment, to the people it was not made to."""
    state, current, insurance = flow.state, flow.current, flow.state.rules.insurance
    assert insurance is not None
    deal = state.deal()
    window = open_window(deal) if len(current.exposed) == len(current.cards) else None
    if window is None or not state.setup.insurance:
        return
    people = flow.pending.players or tuple(dict.fromkeys(s.player for s in current.stakes.values()))
    offers = tuple(
        OpenOffer(row=insurance.offers.index(row), hand=row.hand, odds=row.odds.text, rules=row.rules)
        for row in rows(insurance, deal, window)
        if any(s.bet == row.hand and s.player in people for s in current.stakes.values())
    )
    if offers:
        flow.emit(
            events.LateInsuranceOpened(window=window, offers=offers, players=people, rules=flow.pending.rules)  # type: ignore[arg-type]
        )


def _return_original(flow: Flow) -> None:
    """Original bets of those who had meant to insure go back if that insurance would have won."""
    found: dict[str, tuple[int, ...]] = {}
    for key, stake in flow.current.stakes.items():
        if stake.player in flow.inputs.intended and stake.bet in HANDS:
            missed = _rows_missed(flow, Side(stake.bet))
            if missed:
                found[key] = missed
    was_settled = _unsettle(flow)
    flow.emit(events.NeglectRecorded(by=flow.by, rows=found, rules=flow.pending.rules))
    _resettle(flow, was_settled=was_settled)


def _rows_missed(flow: Flow, hand: Side) -> tuple[int, ...]:
    """The rows that were open for a hand in the windows this round has had."""
    insurance, deal = flow.state.rules.insurance, flow.state.deal()
    if insurance is None or not flow.state.setup.insurance:
        return ()
    missed = []
    for drawn in (INITIAL, INITIAL + 1):
        then = deal.after(drawn)
        window = open_window(then) if len(then.cards) == drawn else None
        if window is not None and not (window == 2 and flow.current.reversed):  # noqa: PLR2004
            missed += [insurance.offers.index(r) for r in rows(insurance, then, window) if r.hand is hand]
    return tuple(missed)


def _substitute(flow: Flow) -> None:
    """Cards of the same suit and value take the missing ones' places; the two set aside come next."""
    cards = list(flow.current.cards)
    for place, card in flow.inputs.substitutes.items():
        cards[int(place) - 1] = card
    flow.emit(
        events.CardsReconstructed(
            cards=tuple(cards),
            exposed=flow.current.exposed,
            waiting=flow.inputs.set_aside,
            rules=flow.pending.rules,
        )
    )


REMEDIES: dict[str, Callable[[Flow], None]] = {
    "void": _void,
    "reconstruct": _reconstruct,
    "decide-order": _reconstruct,
    "continue": _show,
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
