"""A log as lines a dealer can read, each with its paragraphs."""

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Any, TypeAlias

import msgspec

from thirdcard.cards import Card, format_cards
from thirdcard.play.tableau import INITIAL
from thirdcard.rulebook.model import Side
from thirdcard.table import events
from thirdcard.table.events import AnyEvent, tag_of
from thirdcard.table.evolve import evolve, replay
from thirdcard.table.ranks import ranks_that_may
from thirdcard.table.setup import EVERY_OTHER, SHORT_DIGEST, Limit, Setup
from thirdcard.table.state import Change, Line, State
from thirdcard.words import ENGLISH, Language, words
from thirdcard.words.saying import Named, ToldLine, log_line

Lines: TypeAlias = Iterator[ToldLine]
Teller: TypeAlias = Callable[[State, Any], Lines]

SETTINGS = tuple(name for name in Setup.__struct_fields__ if name not in ("rulebook", "digest", "staff"))
AMOUNTS = ("differential", "chip_unit")  # settings in cents


def transcript(log: Iterable[AnyEvent], language: Language = ENGLISH) -> Iterator[str]:
    """The log told line by line; rounds are set off by an empty line."""
    lexicon, rest = words(language), iter(log)
    opened = next(rest)
    state = replay([opened])
    assert isinstance(opened, events.TableOpened)
    yield from (line.told(lexicon) for line in _table(opened))
    for event in rest:
        if isinstance(event, events.BetsOpened):
            yield ""
        state = evolve(state, event)
        rules = event.rules
        for line in lines_of(state, event):
            yield (msgspec.structs.replace(line, rules=rules) if rules else line).told(lexicon)
            rules = ()  # once, on the first line
        yield from (line.told(lexicon) for line in _debts(event))


def lines_of(state: State, event: AnyEvent) -> Lines:
    """What is told of an event that led to this state, and who recorded it in a player's place."""
    lines = TOLD.get(type(event), _plain)(state, event)
    by = event.by if isinstance(event, OF_PLAYERS) else getattr(event, "keyed", "")
    if by:
        yield log_line("recorded", what=next(lines), by=by)
    yield from lines


# What lines are made of ---------------------------------------------------------------------------------


def _under(key: str, /, **facts: object) -> ToldLine:
    """A line that belongs to the one above it."""
    return ToldLine(key, facts, under=True)


def _all_under(lines: Lines) -> Lines:
    return (msgspec.structs.replace(line, under=True) for line in lines)


def _bet(state: State, name: str) -> object:
    """A bet as the felt names it."""
    if name in state.rulebook.bets:
        return Named("bets", name, state.rulebook.bets[name].name)
    return log_line("insurance", hand=name.partition("-")[0])


def _names(cards: Iterable[Card | None]) -> str:
    return " ".join(card.value if card else "??" for card in cards)


def _points(points: int) -> ToldLine:
    return log_line("point" if points == 1 else "points", points=points)


def _fact(value: object) -> object:
    """A field of an event as a fact."""
    if isinstance(value, tuple) and value and all(isinstance(member, Card) for member in value):
        return _names(value)
    if isinstance(value, dict):
        return tuple(value)
    return value.value if isinstance(value, Enum) else value


def _plain(_state: State, event: AnyEvent) -> Lines:
    """A line that needs nothing but the event, under the name that this is stored by."""
    field = FIELD_TOLD.get(type(event), "")
    key = tag_of(event) + (f"-{field}" if field and getattr(event, field) else "")
    yield ToldLine(key, {name: _fact(getattr(event, name)) for name in event.__struct_fields__})


# Event by event -----------------------------------------------------------------------------------------


def _debts(event: AnyEvent) -> Lines:
    """What somebody owes the House from now on, or has paid back."""
    for posting in event.postings:
        kind, _, player = posting.account.partition(":")
        if kind == "owed":
            key = "owed" if posting.cents < 0 else "owed-paid"
            yield _under(key, player=player, amount=abs(posting.cents))


def _table(event: events.TableOpened) -> Lines:
    setup = event.setup
    yield from _book(setup)
    yield _layout(setup)
    yield log_line("named", name=Named("methods", setup.dealing.name, setup.dealing.title))
    yield from _all_under(limits_told(setup))
    if setup.differential is not None:
        yield _under("differential", amount=setup.differential)
    if setup.book.insurance is not None and not setup.insurance:
        yield ToldLine("no-insurance", rules=setup.book.insurance.private.rules, under=True)


def _layout(setup: Setup) -> ToldLine:
    return log_line("layout", layout=setup.layout, positions=setup.positions, decks=setup.decks)


def limits_told(setup: Setup) -> Lines:
    """The limits of a table, bet by bet."""
    return (_limit("limit", setup, bet, limit) for bet, limit in setup.limits.items())


def _limit(key: str, setup: Setup, bet: str, limit: Limit) -> ToldLine:
    """The limit of a bet, or of every bet that has none of its own."""
    if bet == EVERY_OTHER:
        limited: object = log_line("every-other-bet" if len(setup.limits) > 1 else "every-bet")
    else:
        limited = Named("bets", bet, setup.book.bets[bet].name)
    return log_line(key if limit.max is None else f"{key}-to", bet=limited, min=limit.min, max=limit.max)


def _book(setup: Setup) -> Lines:
    """What is played by, and which text of it; a log of an earlier release names none."""
    document = setup.book.document
    title = Named("books", setup.rulebook, document.title)
    key = "document" if document.operator else "document-own"
    yield log_line(key, title=title, operator=document.operator, version=document.version)
    if setup.digest:
        yield _under("rulebook-text", slug=setup.rulebook, digest=setup.digest[:SHORT_DIGEST])


def _stake(state: State, event: events.StakeSet) -> Lines:
    stake = event.stake
    by = "-by" if stake.by and event.why == "placed" else ""
    yield log_line(
        f"stake-{event.why}{by}",
        player=stake.player,
        amount=abs(stake.cents - event.before),
        stake=stake.cents,
        bet=_bet(state, stake.bet),
        where=log_line("box" if stake.seated else "box-standing", box=stake.box),
        by=stake.by,
    )


def _drawn(state: State, event: events.CardDrawn) -> Lines:
    hand, third = event.hand.value, event.place > INITIAL
    by = log_line("drawn-by", player=event.by) if event.by == state.device else ""
    if not event.face_up:
        yield log_line("drawn-down" if third else "dealt-down", hand=hand, by=by)
    elif event.place < INITIAL - 1:
        yield log_line("dealt", hand=hand, card=event.card, by=by)
    else:
        points = _points(state.deal().points(event.hand))
        yield log_line("drawn" if third else "dealt-points", hand=hand, card=event.card, by=by, points=points)


def _exposed(state: State, event: events.CardsExposed) -> Lines:
    assert state.round is not None
    cards = tuple(_names((state.round.cards[place - 1],)) for place in event.places)
    yield log_line("turned", by=event.by, cards=cards)
    if state.round.all_seen and len(state.round.drawn) >= INITIAL:
        deal = state.deal()
        yield log_line("both-points", player=deal.player_points, banker=deal.banker_points)


def _window(_state: State, event: events.InsuranceOpened) -> Lines:
    for offer in event.offers:
        yield log_line("insurance-open", hand=offer.hand.value, odds=offer.odds)


def _window_closed(_state: State, event: events.InsuranceClosed) -> Lines:
    if event.forgone:
        yield log_line("said-nothing", players=event.forgone)


def _closed(state: State, event: events.BetsClosed) -> Lines:
    yield log_line("bets-closed")
    yield from _playing(state, event)


def _changed(state: State, event: events.PlayedChanged) -> Lines:
    yield log_line("played-changed")
    yield from _playing(state, event)
    for posting in event.postings:
        kind, _, player = posting.account.partition(":")
        if kind == "rack":
            yield _under("insurance-back", amount=posting.cents, player=player)


def _playing(state: State, event: events.BetsClosed | events.PlayedChanged) -> Lines:
    assert state.round is not None
    for key, playing in event.played.items():
        stake = state.round.stakes[key]
        facts = {
            "player": stake.player,
            "stake": stake.cents,
            "bet": _bet(state, stake.bet),
            "box": stake.box,
            "amount": playing.cents,
        }
        yield ToldLine("plays-for", facts, rules=playing.rules, under=True)


def _settled(state: State, event: events.RoundSettled) -> Lines:
    settled = event.settlement
    if settled.outcome == "tie":
        yield log_line("tie", points=settled.player)
    else:
        side = Side(settled.outcome)
        points = {Side.PLAYER: settled.player, Side.BANKER: settled.banker}
        yield log_line("wins", hand=side.value, points=points[side], other=points[side.other])
    for irregularity in settled.irregularities:
        key = "after-case-seen" if irregularity.shown else "after-case"
        facts = {"case": irregularity.case, "places": irregularity.shown}
        yield ToldLine(key, facts, rules=irregularity.rules, under=True)
    yield from _lines(state, settled.lines)


def _lines(state: State, lines: Iterable[Line]) -> Lines:
    for line in lines:
        bet, stake = _bet(state, line.bet), line.stake
        if line.window is not None:
            bet = log_line("line-window", bet=bet, window=line.window)
        facts = {
            "player": line.player,
            "box": line.box,
            "bet": bet,
            "stake": stake if line.played is None else _playing_for(stake, line.played),
            "came": log_line(f"came-{line.result}", odds=line.odds),
            "net": line.net,
        }
        yield ToldLine("line", facts, rules=line.rules, under=True)


def _playing_for(stake: int, cents: int) -> ToldLine:
    return log_line("line-playing-for", stake=stake, amount=cents)


def _setup_changed(state: State, event: events.SetupChanged) -> Lines:
    yield log_line("setup-changed", by=event.by)
    yield from _all_under(settings_changed(event.before or state.setup, event.setup))


def settings_changed(before: Setup, after: Setup) -> Lines:
    """Each setting that is another, as it was and as it is; of limits only those that are others."""
    for name in SETTINGS:
        old, new = getattr(before, name), getattr(after, name)
        if old == new:
            continue
        if isinstance(new, dict):
            bets = [bet for bet in dict.fromkeys((*old, *new)) if old.get(bet) != new.get(bet)]
            old, new = ({bet: limits[bet] for bet in bets if bet in limits} for limits in (old, new))
        values = {"before": _setting(name, old, before), "value": _setting(name, new, after)}
        yield log_line("setting", name=name, **values)


def _setting(name: str, value: object, setup: Setup) -> object:
    if value in (None, "", {}):
        return log_line("setting-none")
    if isinstance(value, bool):
        return log_line("setting-yes" if value else "setting-no")
    if isinstance(value, dict):
        limits = (_limit("setting-limit", setup, bet, limit) for bet, limit in value.items())
        return log_line("setting-limits", limits=tuple(limits))
    return log_line("setting-amount", amount=value) if name in AMOUNTS else value


def _rulebook_changed(_state: State, event: events.RulebookChanged) -> Lines:
    yield log_line("rulebook-changed", by=event.by)
    if event.before is not None:
        for line in _book(event.before):
            yield _under("rulebook-before", book=msgspec.structs.replace(line, under=False))
    yield from _all_under(_book(event.setup))
    yield from _all_under(iter((_layout(event.setup),)))
    for before, after in event.ranks.items():
        yield _under("rank-becomes", before=before, after=after)


def _silent(_state: State, _event: AnyEvent) -> Lines:
    return iter(())


def _exceeded(_state: State, event: events.DifferentialExceeded) -> Lines:
    hand, other = event.heavier.value, event.heavier.other.value
    yield log_line("differential-exceeded", excess=event.excess, hand=hand, other_hand=other)


def _insured(_state: State, event: events.InsuranceBought) -> Lines:
    bought = event.purchase
    yield log_line(
        "insurance-bought",
        player=bought.player,
        hand=bought.hand.value,
        box=bought.box,
        amount=bought.cents,
        odds=event.odds,
    )


def _reported(state: State, event: events.IrregularityReported) -> Lines:
    pending = event.pending
    yield log_line("reported", by=event.by, case=pending.case)
    if pending.note:
        yield _under("reported-note", note=pending.note)
    assert state.round is not None
    if pending.drawn:
        first = len(state.round.drawn) + 1
        seen = zip(range(first, first + len(pending.drawn)), pending.drawn, strict=True)
        cards = _names(card if place in pending.shown else None for place, card in seen)
        yield _under("drawn-besides", cards=cards)
    lying = tuple(place for place in pending.shown if place <= len(state.round.drawn))
    if lying:
        yield _under("seen-by-everybody", places=lying)
    if "outcome_established" in pending.facts:
        key = "outcome-established" if pending.decided_by else "outcome-not-established"
        yield _under(key, bet=pending.decided_by)
    yield _under("rules-from", ranks=tuple(ranks_that_may(state.rulebook, pending.decides)))


def _ruled(_state: State, event: events.IrregularityRuled) -> Lines:
    reason = event.inputs.reason
    key = "ruled-reason" if reason else "ruled"
    yield log_line(key, by=event.by, remedies=tuple(event.remedies), reason=reason)


def _chosen(_state: State, event: events.ChoiceMade) -> Lines:
    if event.choice == "continue":
        yield log_line("goes-on", player=event.player)
    else:
        cents = sum(p.cents for p in event.postings if p.account.startswith("rack:"))
        yield log_line("takes-back", player=event.player, amount=cents)


def _reconstructed(state: State, event: events.CardsReconstructed | events.CardsLaid) -> Lines:
    deal = state.deal()
    if state.round is not None and any(card.doubtful for card in state.round.drawn):
        yield log_line("as-they-lie")
    elif state.round is not None and state.round.all_seen:
        player, banker = format_cards(deal.player), format_cards(deal.banker)
        yield log_line("as-they-belong", player=player, banker=banker)
    else:
        yield log_line("laid")
    yield from _waiting(len(event.waiting))


def _waiting(count: int) -> Lines:
    if count:
        yield _under("kept-one" if count == 1 else "kept", count=count)


def _late(_state: State, event: events.LateInsuranceOpened) -> Lines:
    for offer in event.offers:
        yield log_line("late-insurance", players=event.players, hand=offer.hand.value, odds=offer.odds)


def _proposed(_state: State, event: events.AmendmentProposed) -> Lines:
    asked = event.proposal
    yield log_line("amendment-proposed", by=asked.by, cards=_names(asked.cards), reason=asked.reason)


def _amended(_state: State, event: events.CardsAmended) -> Lines:
    cards = _names(card.name if card.face_up else None for card in event.cards)
    yield log_line("cards-amended", cards=cards)
    yield from _waiting(len(event.waiting))


def _reversed(_state: State, event: events.SettlementReversed) -> Lines:
    yield log_line("settlement-reversed", by=event.by, reason=event.reason)
    for player, cents in event.nets.items():
        yield _under("reversed-net", player=player, net=cents)


def _record(_state: State, event: events.RecordAmended) -> Lines:
    key = "record-amended-two" if event.agreed else "record-amended"
    yield log_line(key, by=event.by, agreed=event.agreed, reason=event.reason)
    yield from map(_change, event.changes)


def _change(change: Change) -> ToldLine:
    what = log_line("amended-of", what=change.what, who=change.who) if change.who else change.what
    before, after = (_amount(change.what, value) for value in (change.before, change.after))
    key = "amended-in-box" if change.box else "amended"
    return _under(key, what=what, box=change.box, before=before, after=after)


def _amount(what: str, value: str | int) -> object:
    if isinstance(value, int):
        return log_line("amended-net" if what == "settlement" else "setting-amount", amount=value)
    return value or log_line("amended-none")


def _late_chips(state: State, event: events.LateChipsRecorded) -> Lines:
    late = event.late
    key = "late-added" if late.cents > 0 else "late-taken"
    bet = _bet(state, late.bet)
    yield log_line(key, player=late.player, amount=abs(late.cents), bet=bet, box=late.box)


def _decided_settled(state: State, event: events.DecidedSettled) -> Lines:
    yield log_line("decided-settled")
    yield from _lines(state, event.lines)


def _needless(_state: State, event: events.RemedyNeedless) -> Lines:
    yield _under("remedy-needless", remedy=event.remedy)


# What a player does, and staff may record.
OF_PLAYERS = (
    events.PlayerJoined,
    events.BoughtIn,
    events.CashedOut,
    events.SeatTaken,
    events.SqueezeRequested,
    events.CardsRefused,
    events.ThirdCardRequested,
    events.InsuranceBought,
    events.InsuranceDeclined,
    events.ChoiceMade,
    events.DeviceReturned,
)
# Whose sentence is another, named for the field, where that field says something.
FIELD_TOLD: dict[type, str] = {
    events.PlayerJoined: "cents",
    events.PlayerLeft: "cents",
    events.SeatLeft: "by",
    events.StaffAssigned: "before",
    events.CardsHanded: "wrongly",
    events.ChoicesOffered: "players",
    events.DisplayCorrected: "actual",
    events.CardsRetrieved: "reason",
    events.NeglectRecorded: "rows",
}
# What is not told by its fields alone.
TOLD: dict[type, Teller] = {
    events.SetupChanged: _setup_changed,
    events.RulebookChanged: _rulebook_changed,
    events.StakeSet: _stake,
    events.DifferentialExceeded: _exceeded,
    events.BetsClosed: _closed,
    events.PlayedChanged: _changed,
    events.LateChipsRecorded: _late_chips,
    events.CardDrawn: _drawn,
    events.CardsExposed: _exposed,
    events.InsuranceOpened: _window,
    events.InsuranceBought: _insured,
    events.InsuranceClosed: _window_closed,
    events.RoundSettled: _settled,
    events.DecidedSettled: _decided_settled,
    events.SettlementReversed: _reversed,
    events.AmendmentProposed: _proposed,
    events.CardsAmended: _amended,
    events.RecordAmended: _record,
    events.IrregularityReported: _reported,
    events.IrregularityRuled: _ruled,
    events.ChoiceMade: _chosen,
    events.RemedyDone: _silent,
    events.RemedyNeedless: _needless,
    events.CardsLaid: _reconstructed,
    events.CardsReconstructed: _reconstructed,
    events.LateInsuranceOpened: _late,
}
