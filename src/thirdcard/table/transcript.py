"""A log as lines a dealer can read, each with its paragraphs."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from thirdcard.cards import Card, format_cards
from thirdcard.money import format_dollars
from thirdcard.play.explain import counted
from thirdcard.play.tableau import INITIAL
from thirdcard.rulebook.model import Side
from thirdcard.table import events
from thirdcard.table.events import AnyEvent
from thirdcard.table.evolve import evolve, replay
from thirdcard.table.state import Line, State

WHY = {
    "placed": "{who} puts {amount} on {bet} {where}",
    "taken-back": "{who} takes {amount} back from {bet} {where}",
    "recorded": "{who} is recorded with {stake} on {bet} {where}",
    "cut": "Outside the limits: {amount} of {who}'s {bet} {where} goes back",
    "removed": "{amount} of {who}'s {bet} {where} is removed",
    "withdrawn": "{who} withdraws {amount} from {bet} {where}",
    "returned": "{amount} of {who}'s {bet} {where} goes back",
}


def transcript(log: Iterable[AnyEvent]) -> Iterator[str]:
    """The log told line by line; rounds are set off by an empty line."""
    rest = iter(log)
    opened = next(rest)
    state = replay([opened])
    assert isinstance(opened, events.TableOpened)
    yield from _table(opened)
    for event in rest:
        if isinstance(event, events.BetsOpened):
            yield ""
        after = evolve(state, event)
        cited = f"  [{', '.join(event.rules)}]" if event.rules else ""
        for sentence in TOLD[type(event)](after, event):
            yield f"{sentence}{cited}"
            cited = ""  # once, on the first line
        yield from _debts(event)
        state = after


def _debts(event: AnyEvent) -> Iterator[str]:
    """What somebody owes the House from now on, or has paid back."""
    for posting in event.postings:
        kind, _, player = posting.account.partition(":")
        if kind == "owed" and posting.cents < 0:
            yield f"  {player} has not the chips: {format_dollars(-posting.cents)} is owed to the House"
        elif kind == "owed":
            yield f"  {format_dollars(posting.cents)} of it pays what {player} owed"


def _table(event: events.TableOpened) -> Iterator[str]:
    setup = event.setup
    document = setup.rules.document
    yield f"{document.title}, {document.operator} version {document.version}"
    yield f"Layout {setup.layout}, {setup.positions} positions, {setup.decks} decks"
    yield setup.dealing.title
    for name, limit in setup.limits.items():
        other = "every other bet" if len(setup.limits) > 1 else "every bet"
        bet = other if name == "*" else setup.rules.bets[name].name
        most = "" if limit.max is None else f" to {format_dollars(limit.max)}"
        yield f"  {bet}: from {format_dollars(limit.min)}{most}"
    if setup.differential is not None:
        yield f"  differential: {format_dollars(setup.differential)}"
    if setup.rules.insurance is not None and not setup.insurance:
        rules = ", ".join(setup.rules.insurance.private.rules)
        yield f"  no insurance is offered at this table, to anybody  [{rules}]"


def _say(make: Callable[[Any], str]) -> Callable[[State, Any], Iterator[str]]:
    """A sentence that needs nothing but the event."""
    return lambda _state, event: iter((make(event),))


def _stake(state: State, event: events.StakeSet) -> Iterator[str]:
    stake = event.stake
    told = WHY[event.why].format(
        who=stake.player,
        amount=format_dollars(abs(stake.cents - event.before)),
        stake=format_dollars(stake.cents),
        bet=_bet(state, stake.bet),
        where=f"in box {stake.box}" if stake.seated else f"in box {stake.box}, standing",
    )
    yield f"{told} (placed by {stake.by})" if stake.by and event.why == "placed" else told


def _bet(state: State, name: str) -> str:
    """A bet as the felt names it."""
    if name in state.rules.bets:
        return state.rules.bets[name].name
    hand, _, _ = name.partition("-")
    return f"{hand.title()} insurance"


def _drawn(state: State, event: events.CardDrawn) -> Iterator[str]:
    by = f" by {event.by}" if event.by == state.device else ""
    if not event.face_up:
        what = "a third card" if event.place > INITIAL else "a card"
        yield f"{event.hand.label} is dealt {what} face down{by}"
        return
    deal = state.deal()
    verb = "draws" if event.place > INITIAL else "is dealt"
    score = f": {counted(deal.points(event.hand))}" if event.place >= INITIAL - 1 else ""
    yield f"{event.hand.label} {verb} {event.card}{by}{score}"


def _exposed(state: State, event: events.CardsExposed) -> Iterator[str]:
    assert state.round is not None
    yield f"{event.by} turns {', '.join(_name(state.round.cards[place - 1]) for place in event.places)}"
    if state.round.all_seen and len(state.round.drawn) >= INITIAL:
        deal = state.deal()
        yield f"Player {deal.player_points}, Banker {deal.banker_points}"


def _name(card: Card | None) -> str:
    return card.value if card else "??"


def _window(_state: State, event: events.InsuranceOpened) -> Iterator[str]:
    for offer in event.offers:
        yield f"Insurance is open: {offer.hand.label} at {offer.odds}"


def _window_closed(_state: State, event: events.InsuranceClosed) -> Iterator[str]:
    if event.forgone:
        yield f"{_people(event.forgone)} said nothing: no more insurance this round"


def _closed(state: State, event: events.BetsClosed) -> Iterator[str]:
    yield "No more bets"
    yield from _playing(state, event)


def _changed(state: State, event: events.PlayedChanged) -> Iterator[str]:
    yield "What stakes play for is worked out again"
    yield from _playing(state, event)
    for posting in event.postings:
        kind, _, player = posting.account.partition(":")
        if kind == "rack":
            yield f"  {format_dollars(posting.cents)} of {player}'s insurance goes back"


def _playing(state: State, event: events.BetsClosed | events.PlayedChanged) -> Iterator[str]:
    assert state.round is not None
    for key, playing in event.played.items():
        stake = state.round.stakes[key]
        yield (
            f"  {stake.player}'s {format_dollars(stake.cents)} on {_bet(state, stake.bet)} "
            f"in box {stake.box} plays for {format_dollars(playing.cents)}  [{', '.join(playing.rules)}]"
        )


def _settled(state: State, event: events.RoundSettled) -> Iterator[str]:
    settled = event.settlement
    if settled.outcome == "tie":
        yield f"Tie on {settled.player}"
    else:
        side = Side(settled.outcome)
        points = {Side.PLAYER: settled.player, Side.BANKER: settled.banker}
        yield f"{side.label} wins, {points[side]} over {points[side.other]}"
    for one in settled.irregularities:
        seen = f", {_places(one.shown)} seen in error" if one.shown else ""
        yield f"  after {one.case.replace('-', ' ')}{seen}  [{', '.join(one.rules)}]"
    for line in settled.lines:
        yield f"  {_line(state, line)}  [{', '.join(line.rules)}]"


def _line(state: State, line: Line) -> str:
    name = _bet(state, line.bet)
    bet = name if line.window is None else f"{name} (window {line.window})"
    stake = format_dollars(line.stake)
    if line.played is not None:
        stake += f", playing for {format_dollars(line.played)}"
    verdicts = {
        "win": f"wins at {line.odds}",
        "lose": "loses",
        "push": "is a push",
        "returned": "is returned",
    }
    came = f"{verdicts[line.result]}: {format_dollars(line.net, sign=True)}"
    return f"{line.player} box {line.box}: {bet} {stake} {came}"


def _setup_changed(state: State, event: events.SetupChanged) -> Iterator[str]:
    yield f"{event.by} changes the set-up from the next round on"
    for name in event.setup.__struct_fields__:
        before, after = getattr(state.setup, name), getattr(event.setup, name)
        if before != after:
            yield f"  {name.replace('_', ' ')}: {_setting(after)}"


def _setting(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(
            f"{bet} from {format_dollars(one.min)}" + (f" to {format_dollars(one.max)}" if one.max else "")
            for bet, one in value.items()
        )
    return str(value)


def _silent(_state: State, _event: AnyEvent) -> Iterator[str]:
    return iter(())


def _reported(state: State, event: events.IrregularityReported) -> Iterator[str]:
    pending = event.pending
    yield f"{event.by} reports {pending.case.replace('-', ' ')}"
    assert state.round is not None
    if pending.drawn:
        first = len(state.round.drawn) + 1
        places = range(first, first + len(pending.drawn))
        seen = zip(places, pending.drawn, strict=True)
        told = " ".join(_name(card if place in pending.shown else None) for place, card in seen)
        yield f"  drawn besides: {told}"
    lying = tuple(place for place in pending.shown if place <= len(state.round.drawn))
    if lying:
        yield f"  seen by everybody: {_places(lying)}"
    if "outcome_established" in pending.facts:
        told = f"established by {pending.decided_by}" if pending.decided_by else "not established"
        yield f"  an outcome is {told}"
    yield f"  a {pending.decides.replace('-', ' ')} or above rules"


def _ruled(_state: State, event: events.IrregularityRuled) -> Iterator[str]:
    remedies = ", then ".join(remedy.replace("-", " ") for remedy in event.remedies)
    reason = f" ({event.inputs.reason})" if event.inputs.reason else ""
    yield f"{event.by} rules: {remedies}{reason}"


def _chosen(_state: State, event: events.ChoiceMade) -> Iterator[str]:
    if event.choice == "continue":
        yield f"{event.player} goes on"
    else:
        cents = sum(p.cents for p in event.postings if p.account.startswith("rack:"))
        yield f"{event.player} takes {format_dollars(cents)} back"


def _reconstructed(state: State, event: events.CardsReconstructed | events.CardsLaid) -> Iterator[str]:
    deal = state.deal()
    if state.round is not None and any(card.doubtful for card in state.round.drawn):
        yield "The cards count as they lie; those in doubt decide no bet"
    elif state.round is not None and state.round.all_seen:
        hands = f"Player {format_cards(deal.player)}, Banker {format_cards(deal.banker)}"
        yield f"The cards as they belong: {hands}"
    else:
        yield "The cards are laid as they belong"
    if event.waiting:
        yield f"  {counted_cards(len(event.waiting))} kept in order to be drawn next"


def counted_cards(number: int) -> str:
    return "1 card is" if number == 1 else f"{number} cards are"


def _late(_state: State, event: events.LateInsuranceOpened) -> Iterator[str]:
    for offer in event.offers:
        yield f"Late offer to {', '.join(event.players)}: {offer.hand.label} insurance at {offer.odds}"


def _amended(_state: State, event: events.CardsAmended) -> Iterator[str]:
    cards = " ".join(_name(one.name if one.face_up else None) for one in event.cards)
    yield f"The cards on record are put right: {cards}"
    if event.waiting:
        yield f"  {counted_cards(len(event.waiting))} kept in order to be drawn next"


def _record(_state: State, event: events.RecordAmended) -> Iterator[str]:
    agreed = f" and {event.agreed}" if event.agreed else ""
    yield f"{event.by}{agreed} put the record right: {event.reason}"
    for change in event.changes:
        where = f" in box {change.box}" if change.box else ""
        who = f" {change.who}" if change.who else ""
        before, after = (_amount(change.what, one) for one in (change.before, change.after))
        yield f"  {change.what}{who}{where}: {before} becomes {after}"


def _amount(what: str, value: str | int) -> str:
    if isinstance(value, int):
        return format_dollars(value, sign=what == "settlement")
    return value or "none"


def _late_chips(state: State, event: events.LateChipsRecorded) -> Iterator[str]:
    late = event.late
    verb = "adds" if late.cents > 0 else "takes away"
    yield (
        f"{late.player} {verb} {format_dollars(abs(late.cents))} on {_bet(state, late.bet)} "
        f"in box {late.box} after the close: it changes nothing"
    )


def _decided_settled(state: State, event: events.DecidedSettled) -> Iterator[str]:
    yield "What is already won or lost is settled"
    for line in event.lines:
        yield f"  {_line(state, line)}  [{', '.join(line.rules)}]"


TOLD: dict[type, Callable[[State, Any], Iterator[str]]] = {
    events.SetupChanged: _setup_changed,
    events.PlayerJoined: _say(lambda e: f"{e.player} comes to the table"),
    events.BoughtIn: _say(lambda e: f"{e.player} buys in for {format_dollars(e.cents)}"),
    events.CashedOut: _say(lambda e: f"{e.player} cashes out {format_dollars(e.cents)}"),
    events.SeatTaken: _say(lambda e: f"{e.player} sits down at box {e.box}"),
    events.SeatLeft: _say(lambda e: f"{e.player} leaves box {e.box}"),
    events.WalkedAway: _say(lambda e: f"{e.player} walks away; the bets stay"),
    events.NoInsuranceRequested: _say(lambda e: f"{e.player} asks that no insurance be offered"),
    events.StaffAssigned: _say(lambda e: f"{e.by} makes {e.person} {e.rank.replace('-', ' ')}"),
    events.ShoeStarted: _say(lambda e: f"Shoe {e.number}: {e.size} cards"),
    events.BetsOpened: _say(lambda e: f"Round {e.number}: Place your bets, please"),
    events.StakeSet: _stake,
    events.DifferentialExceeded: _say(
        lambda e: (
            f"Table differential exceeded by {format_dollars(e.excess)}: "
            f"{e.heavier.label} is asked to decrease, {e.heavier.other.label} may increase"
        )
    ),
    events.BetsClosed: _closed,
    events.PlayedChanged: _changed,
    events.LateChipsRecorded: _late_chips,
    events.ChipsPutRight: _say(lambda _: "The chips are again as they lay at the close"),
    events.CutCardAppeared: _say(lambda _: "The cut card comes out: this is the last round of the shoe"),
    events.WithdrawalAllowed: _say(lambda e: f"{e.by} lets players withdraw wagers"),
    events.CardDrawn: _drawn,
    events.CardsExposed: _exposed,
    events.FirstHandChosen: _say(lambda e: f"{e.by} has the {e.hand.label} hand revealed first"),
    events.SqueezeRequested: _say(lambda e: f"{e.player} asks to squeeze {_places(e.places)}"),
    events.SqueezePermitted: _say(lambda e: f"{e.by} lets {e.player} squeeze {_places(e.places)}"),
    events.CardsHanded: _say(
        lambda e: f"{e.player} is {'wrongly ' if e.wrongly else ''}handed {_places(e.places)}"
    ),
    events.CardsRefused: _say(lambda e: f"{e.player} declines the {e.hand.label} hand"),
    events.ThirdCardRequested: _say(lambda e: f"{e.player} asks for the Banker's third card first"),
    events.ThirdCardsReversed: _say(
        lambda e: f"{e.by} consents for {e.player}: Banker's third card first; the second window is waived"
    ),
    events.DeviceGiven: _say(lambda e: f"{e.by} gives {e.player} the dealing device"),
    events.DeviceReturned: _say(
        lambda e: f"{e.player} gives the dealing device back ({e.why.replace('-', ' ')})"
    ),
    events.InsuranceOpened: _window,
    events.InsuranceBought: _say(
        lambda e: (
            f"{e.purchase.player} insures {e.purchase.hand.label} in box {e.purchase.box} "
            f"for {format_dollars(e.purchase.cents)} at {e.odds}"
        )
    ),
    events.InsuranceDeclined: _say(lambda e: f"{e.player} declines insurance"),
    events.InsuranceClosed: _window_closed,
    events.RoundSettled: _settled,
    events.DecidedSettled: _decided_settled,
    events.SettlementReversed: _say(lambda e: f"{e.by} reverses the settlement: {e.reason}"),
    events.CardsCorrected: _say(
        lambda e: f"{e.by} corrects the cards to {' '.join(c.value for c in e.cards)}"
    ),
    events.AmendmentProposed: _say(
        lambda e: (
            f"{e.proposal.by} wants the cards put right to "
            f"{' '.join(_name(card) for card in e.proposal.cards)}: {e.proposal.reason}"
        )
    ),
    events.AmendmentDropped: _say(lambda e: f"{e.by} leaves the record as it is: {e.reason}"),
    events.CardsAmended: _amended,
    events.RecordAmended: _record,
    events.IrregularityReported: _reported,
    events.ReportDismissed: _say(lambda e: f"{e.by} dismisses {e.case.replace('-', ' ')}: {e.reason}"),
    events.IrregularityRuled: _ruled,
    events.ChoicesOffered: _say(
        lambda e: (
            f"{', '.join(e.players)}: go on, or take undecided bets back"
            if e.players
            else "No bet is undecided: nobody has to choose"
        )
    ),
    events.ChoiceMade: _chosen,
    events.RemedyDone: _silent,
    events.RemedyNeedless: _say(lambda e: f"  {e.remedy.replace('-', ' ')}: there is nothing to change"),
    events.StakesDecided: _say(lambda e: f"Decided on {', '.join(e.stakes)}"),
    events.DisplayCorrected: _say(
        lambda e: f"The display is put right; the cards decide{f': {e.actual}' if e.actual else ''}"
    ),
    events.IrregularityClosed: _say(lambda _: "The round is released"),
    events.CardsLaid: _reconstructed,
    events.CardsReconstructed: _reconstructed,
    events.CardsReplaced: _say(lambda e: f"{e.by} takes the cards out of play: a new shoe follows"),
    events.CardsRetrieved: _say(
        lambda e: f"{_places(e.places)} back to the dealer{f': {e.reason}' if e.reason else ''}"
    ),
    events.BetsReopened: _say(lambda _: "The device is reset: bets are open again"),
    events.RaiseDemanded: _say(lambda e: f"To be raised or taken back: {', '.join(e.stakes)}"),
    events.InsuranceForgone: _say(lambda e: f"No more insurance for {_people(e.players)} this round"),
    events.LateInsuranceOpened: _late,
    events.NeglectFound: _say(
        lambda e: f"Insurance of window {e.window} was never offered to {_people(e.players)}"
    ),
    events.NeglectRecorded: _say(
        lambda e: f"{e.by} finds that insurance was meant on {', '.join(e.rows) or 'nothing on offer'}"
    ),
    events.RoundVoided: _say(lambda e: f"{e.by} voids the round, every bet goes back: {e.reason}"),
}


def _places(places: tuple[int, ...]) -> str:
    *most, last = map(str, places)
    return f"cards {', '.join(most)} and {last}" if most else f"card {last}"


def _people(names: tuple[str, ...]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
