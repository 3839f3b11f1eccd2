"""A log as lines a dealer can read, each with its paragraphs."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from thirdcard.cards import Card, format_cards
from thirdcard.money import format_dollars
from thirdcard.play.tableau import INITIAL
from thirdcard.rulebook.model import Rules, Side
from thirdcard.table import events
from thirdcard.table.events import AnyEvent
from thirdcard.table.evolve import evolve, replay
from thirdcard.table.ranks import ranks_that_may
from thirdcard.table.setup import EVERY_OTHER, SHORT_DIGEST, Limit, Setup
from thirdcard.table.state import Change, Line, State
from thirdcard.words import ENGLISH, Language, Words, words

Teller: TypeAlias = Callable[[Words, State, Any], Iterator[str]]

SETTINGS = tuple(name for name in Setup.__struct_fields__ if name not in ("rulebook", "digest", "staff"))
AMOUNTS = ("differential", "chip_unit")  # settings in cents
NAMED = {
    "rank": "ranks",
    "before": "ranks",
    "case": "cases",
    "remedy": "remedies",
    "why": "why",
    "what": "changes",
    "name": "setup",
}


def transcript(log: Iterable[AnyEvent], language: Language = ENGLISH) -> Iterator[str]:
    """The log told line by line; rounds are set off by an empty line."""
    own, rest = words(language), iter(log)
    opened = next(rest)
    state = replay([opened])
    assert isinstance(opened, events.TableOpened)
    yield from _table(own, opened)
    for event in rest:
        if isinstance(event, events.BetsOpened):
            yield ""
        after = evolve(state, event)
        rules = event.rules
        for sentence in TOLD[type(event)](own, after, event):
            yield sentence + _cited(rules)
            rules = ()  # once, on the first line
        yield from _debts(own, event)
        state = after


def _cited(rules: Rules) -> str:
    return f"  [{', '.join(rules)}]" if rules else ""


# What sentences are made of -----------------------------------------------------------------------------


def _say(own: Words, key: str, **facts: object) -> str:
    return own.say("transcript", key, **facts)


def _under(own: Words, key: str, **facts: object) -> str:
    """A line that belongs to the one above it."""
    return "  " + _say(own, key, **facts)


def _named(own: Words, fact: str, name: str) -> str:
    """What the language calls a rank, a case, a remedy and the like; else their names as they are."""
    return own.own(NAMED[fact], name, name.replace("-", " ").replace("_", " "))


def _hand(own: Words, hand: Side) -> str:
    return own.say("hands", hand.value)


def _bet(own: Words, state: State, name: str) -> str:
    """A bet as the felt names it."""
    if name in state.rulebook.bets:
        return own.own("bets", name, state.rulebook.bets[name].name)
    return _say(own, "insurance", hand=_hand(own, Side(name.partition("-")[0])))


def _odds(own: Words, odds: str | None) -> str:
    return str(odds).replace(" to ", own.ui["odds_to"])


def _name(card: Card | None) -> str:
    return card.value if card else "??"


def _names(cards: Iterable[Card | None]) -> str:
    return " ".join(map(_name, cards))


def _points(own: Words, points: int) -> str:
    return _say(own, "point" if points == 1 else "points", points=points)


def _places(own: Words, places: tuple[int, ...]) -> str:
    if len(places) == 1:
        return _say(own, "card", place=places[0])
    return _say(own, "cards", places=own.together(map(str, places)))


def _list(own: Words, members: Iterable[str]) -> str:
    return own.ui["list_join"].join(members)


FIELDS: dict[str, Callable[[Words, Any], str]] = {
    "cents": lambda _, cents: format_dollars(cents),
    "cards": lambda _, cards: _names(cards),
    "hand": _hand,
    "places": _places,
    "players": Words.together,
    "stakes": _list,
}


class _Fields:
    """The fields of an event as a sentence says them."""

    def __init__(self, own: Words, event: AnyEvent) -> None:
        self.own, self.event = own, event

    def __getitem__(self, field: str) -> str:
        value = getattr(self.event, field)
        if field in FIELDS:
            return FIELDS[field](self.own, value)
        return _named(self.own, field, value) if field in NAMED else str(value)


def _plain(key: str, otherwise: str = "", without: str = "") -> Teller:
    """A sentence that needs nothing but the event; `otherwise` where its field `without` is empty."""

    def tell(own: Words, _state: State, event: AnyEvent) -> Iterator[str]:
        told = key if not without or getattr(event, without) else otherwise
        yield own.sections["transcript"][told].format_map(_Fields(own, event))

    return tell


def _by_player(key: str, otherwise: str = "", without: str = "") -> Teller:
    """The same of something that a player does, and who recorded it in the player's place."""
    plain = _plain(key, otherwise, without)

    def tell(own: Words, state: State, event: Any) -> Iterator[str]:  # noqa: ANN401 - an event with `by`
        recorded = _say(own, "recorded-by", by=event.by) if event.by else ""
        yield from (sentence + recorded for sentence in plain(own, state, event))

    return tell


# Event by event -----------------------------------------------------------------------------------------


def _debts(own: Words, event: AnyEvent) -> Iterator[str]:
    """What somebody owes the House from now on, or has paid back."""
    for posting in event.postings:
        kind, _, player = posting.account.partition(":")
        if kind == "owed":
            key = "owed" if posting.cents < 0 else "owed-paid"
            yield _under(own, key, player=player, amount=format_dollars(abs(posting.cents)))


def _table(own: Words, event: events.TableOpened) -> Iterator[str]:
    setup = event.setup
    yield from _book(own, setup)
    yield _say(own, "layout", layout=setup.layout, positions=setup.positions, decks=setup.decks)
    yield own.own("methods", setup.dealing.name, setup.dealing.title)
    yield from ("  " + line for line in limits_told(own, setup))
    if setup.differential is not None:
        yield _under(own, "differential", amount=format_dollars(setup.differential))
    if setup.book.insurance is not None and not setup.insurance:
        yield _under(own, "no-insurance") + _cited(setup.book.insurance.private.rules)


def limits_told(own: Words, setup: Setup) -> Iterator[str]:
    """The limits of a table, bet by bet."""
    for name, limit in setup.limits.items():
        yield _limit(own, "limit", _limited(own, setup, name), limit)


def _limited(own: Words, setup: Setup, bet: str) -> str:
    """The bet or the bets that a limit is for."""
    if bet == EVERY_OTHER:
        return _say(own, "every-other-bet" if len(setup.limits) > 1 else "every-bet")
    return own.own("bets", bet, setup.book.bets[bet].name)


def _book(own: Words, setup: Setup) -> Iterator[str]:
    """What is played by, and which text of it; a log of an earlier release names none."""
    document = setup.book.document
    title = own.own("books", setup.rulebook, document.title)
    key = "document" if document.operator else "document-own"
    yield _say(own, key, title=title, operator=document.operator, version=document.version)
    if setup.digest:
        yield _under(own, "rulebook-text", slug=setup.rulebook, digest=setup.digest[:SHORT_DIGEST])


def _limit(own: Words, key: str, bet: str, limit: Limit) -> str:
    if limit.max is None:
        return _say(own, key, bet=bet, min=format_dollars(limit.min))
    return _say(own, f"{key}-to", bet=bet, min=format_dollars(limit.min), max=format_dollars(limit.max))


def _stake(own: Words, state: State, event: events.StakeSet) -> Iterator[str]:
    stake = event.stake
    by = "-by" if stake.by and event.why == "placed" else ""
    yield _say(
        own,
        f"stake-{event.why}{by}",
        player=stake.player,
        amount=format_dollars(abs(stake.cents - event.before)),
        stake=format_dollars(stake.cents),
        bet=_bet(own, state, stake.bet),
        where=_say(own, "box" if stake.seated else "box-standing", box=stake.box),
        by=stake.by,
    )


def _drawn(own: Words, state: State, event: events.CardDrawn) -> Iterator[str]:
    hand, third = _hand(own, event.hand), event.place > INITIAL
    by = _say(own, "drawn-by", player=event.by) if event.by == state.device else ""
    if not event.face_up:
        yield _say(own, "drawn-down" if third else "dealt-down", hand=hand, by=by)
    elif event.place < INITIAL - 1:
        yield _say(own, "dealt", hand=hand, card=event.card, by=by)
    else:
        points = _points(own, state.deal().points(event.hand))
        yield _say(
            own, "drawn" if third else "dealt-points", hand=hand, card=event.card, by=by, points=points
        )


def _exposed(own: Words, state: State, event: events.CardsExposed) -> Iterator[str]:
    assert state.round is not None
    cards = _list(own, (_name(state.round.cards[place - 1]) for place in event.places))
    yield _say(own, "turned", by=event.by, cards=cards)
    if state.round.all_seen and len(state.round.drawn) >= INITIAL:
        deal = state.deal()
        yield _say(own, "both-points", player=deal.player_points, banker=deal.banker_points)


def _window(own: Words, _state: State, event: events.InsuranceOpened) -> Iterator[str]:
    for offer in event.offers:
        yield _say(own, "insurance-open", hand=_hand(own, offer.hand), odds=_odds(own, offer.odds))


def _window_closed(own: Words, _state: State, event: events.InsuranceClosed) -> Iterator[str]:
    if event.forgone:
        yield _say(own, "said-nothing", players=own.together(event.forgone))


def _closed(own: Words, state: State, event: events.BetsClosed) -> Iterator[str]:
    yield _say(own, "bets-closed")
    yield from _playing(own, state, event)


def _changed(own: Words, state: State, event: events.PlayedChanged) -> Iterator[str]:
    yield _say(own, "played-changed")
    yield from _playing(own, state, event)
    for posting in event.postings:
        kind, _, player = posting.account.partition(":")
        if kind == "rack":
            yield _under(own, "insurance-back", amount=format_dollars(posting.cents), player=player)


def _playing(own: Words, state: State, event: events.BetsClosed | events.PlayedChanged) -> Iterator[str]:
    assert state.round is not None
    for key, playing in event.played.items():
        stake = state.round.stakes[key]
        told = _under(
            own,
            "plays-for",
            player=stake.player,
            stake=format_dollars(stake.cents),
            bet=_bet(own, state, stake.bet),
            box=stake.box,
            amount=format_dollars(playing.cents),
        )
        yield told + _cited(playing.rules)


def _settled(own: Words, state: State, event: events.RoundSettled) -> Iterator[str]:
    settled = event.settlement
    if settled.outcome == "tie":
        yield _say(own, "tie", points=settled.player)
    else:
        side = Side(settled.outcome)
        points = {Side.PLAYER: settled.player, Side.BANKER: settled.banker}
        yield _say(own, "wins", hand=_hand(own, side), points=points[side], other=points[side.other])
    for irregularity in settled.irregularities:
        case = _named(own, "case", irregularity.case)
        if irregularity.shown:
            told = _under(own, "after-case-seen", case=case, places=_places(own, irregularity.shown))
        else:
            told = _under(own, "after-case", case=case)
        yield told + _cited(irregularity.rules)
    yield from _lines(own, state, settled.lines)


def _lines(own: Words, state: State, lines: Iterable[Line]) -> Iterator[str]:
    for line in lines:
        yield _line(own, state, line) + _cited(line.rules)


def _line(own: Words, state: State, line: Line) -> str:
    bet, stake = _bet(own, state, line.bet), format_dollars(line.stake)
    if line.window is not None:
        bet = _say(own, "line-window", bet=bet, window=line.window)
    if line.played is not None:
        stake = _say(own, "line-playing-for", stake=stake, amount=format_dollars(line.played))
    return _under(
        own,
        "line",
        player=line.player,
        box=line.box,
        bet=bet,
        stake=stake,
        came=_say(own, f"came-{line.result}", odds=_odds(own, line.odds)),
        net=format_dollars(line.net, sign=True),
    )


def _setup_changed(own: Words, state: State, event: events.SetupChanged) -> Iterator[str]:
    yield _say(own, "setup-changed", by=event.by)
    yield from ("  " + line for line in settings_changed(own, event.before or state.setup, event.setup))


def settings_changed(own: Words, before: Setup, after: Setup) -> Iterator[str]:
    """Each setting that is another, as it was and as it is; of limits only those that are others."""
    for name in SETTINGS:
        old, new = getattr(before, name), getattr(after, name)
        if old == new:
            continue
        if isinstance(new, dict):
            bets = [bet for bet in dict.fromkeys((*old, *new)) if old.get(bet) != new.get(bet)]
            old, new = ({bet: one[bet] for bet in bets if bet in one} for one in (old, new))
        if name in AMOUNTS:
            old, new = (None if cents is None else format_dollars(cents) for cents in (old, new))
        told = {"before": _setting(own, old, before), "value": _setting(own, new, after)}
        yield _say(own, "setting", name=_named(own, "name", name), **told)


def _rulebook_changed(own: Words, _state: State, event: events.RulebookChanged) -> Iterator[str]:
    yield _say(own, "rulebook-changed", by=event.by)
    setup, old = event.setup, event.before
    if old is not None:
        yield from (_under(own, "rulebook-before", book=line.strip()) for line in _book(own, old))
    yield from ("  " + line for line in _book(own, setup))
    yield _under(own, "layout", layout=setup.layout, positions=setup.positions, decks=setup.decks)
    for before, after in event.ranks.items():
        yield _under(
            own, "rank-becomes", before=_named(own, "rank", before), after=_named(own, "rank", after)
        )


def _setting(own: Words, value: object, setup: Setup) -> str:
    if value in (None, "", {}):
        return _say(own, "setting-none")
    if isinstance(value, bool):
        return _say(own, "setting-yes" if value else "setting-no")
    if isinstance(value, dict):
        limits = (_limit(own, "setting-limit", _limited(own, setup, bet), one) for bet, one in value.items())
        return _list(own, limits)
    return str(value)


def _silent(_own: Words, _state: State, _event: AnyEvent) -> Iterator[str]:
    return iter(())


def _exceeded(own: Words, _state: State, event: events.DifferentialExceeded) -> Iterator[str]:
    hand, other = _hand(own, event.heavier), _hand(own, event.heavier.other)
    amount = format_dollars(event.excess)
    yield _say(own, "differential-exceeded", amount=amount, hand=hand, other_hand=other)


def _handed(own: Words, _state: State, event: events.CardsHanded) -> Iterator[str]:
    key = "cards-handed-wrongly" if event.wrongly else "cards-handed"
    yield _say(own, key, player=event.player, places=_places(own, event.places))


def _insured(own: Words, _state: State, event: events.InsuranceBought) -> Iterator[str]:
    bought = event.purchase
    yield _say(
        own,
        "insurance-bought",
        player=bought.player,
        hand=_hand(own, bought.hand),
        box=bought.box,
        amount=format_dollars(bought.cents),
        odds=_odds(own, event.odds),
    )


def _reported(own: Words, state: State, event: events.IrregularityReported) -> Iterator[str]:
    pending = event.pending
    yield _say(own, "reported", by=event.by, case=_named(own, "case", pending.case))
    if pending.note:
        yield _under(own, "reported-note", note=pending.note)
    assert state.round is not None
    if pending.drawn:
        first = len(state.round.drawn) + 1
        seen = zip(range(first, first + len(pending.drawn)), pending.drawn, strict=True)
        cards = _names(card if place in pending.shown else None for place, card in seen)
        yield _under(own, "drawn-besides", cards=cards)
    lying = tuple(place for place in pending.shown if place <= len(state.round.drawn))
    if lying:
        yield _under(own, "seen-by-everybody", places=_places(own, lying))
    if "outcome_established" in pending.facts:
        key = "outcome-established" if pending.decided_by else "outcome-not-established"
        yield _under(own, key, bet=pending.decided_by)
    may = ranks_that_may(state.rulebook, pending.decides)
    yield _under(own, "rules-from", ranks=own.choice(_named(own, "rank", rank) for rank in may))


def _ruled(own: Words, _state: State, event: events.IrregularityRuled) -> Iterator[str]:
    remedies = _say(own, "then").join(_named(own, "remedy", remedy) for remedy in event.remedies)
    reason = event.inputs.reason
    yield _say(own, "ruled-reason" if reason else "ruled", by=event.by, remedies=remedies, reason=reason)


def _offered_choices(own: Words, _state: State, event: events.ChoicesOffered) -> Iterator[str]:
    if event.players:
        yield _say(own, "choices-offered", players=_list(own, event.players))
    else:
        yield _say(own, "no-choices")


def _chosen(own: Words, _state: State, event: events.ChoiceMade) -> Iterator[str]:
    if event.choice == "continue":
        yield _say(own, "goes-on", player=event.player)
    else:
        cents = sum(p.cents for p in event.postings if p.account.startswith("rack:"))
        yield _say(own, "takes-back", player=event.player, amount=format_dollars(cents))


def _reconstructed(
    own: Words, state: State, event: events.CardsReconstructed | events.CardsLaid
) -> Iterator[str]:
    deal = state.deal()
    if state.round is not None and any(card.doubtful for card in state.round.drawn):
        yield _say(own, "as-they-lie")
    elif state.round is not None and state.round.all_seen:
        player, banker = format_cards(deal.player), format_cards(deal.banker)
        yield _say(own, "as-they-belong", player=player, banker=banker)
    else:
        yield _say(own, "laid")
    yield from _waiting(own, len(event.waiting))


def _waiting(own: Words, count: int) -> Iterator[str]:
    if count:
        yield _under(own, "kept-one" if count == 1 else "kept", count=count)


def _late(own: Words, _state: State, event: events.LateInsuranceOpened) -> Iterator[str]:
    players = _list(own, event.players)
    for offer in event.offers:
        hand, odds = _hand(own, offer.hand), _odds(own, offer.odds)
        yield _say(own, "late-insurance", players=players, hand=hand, odds=odds)


def _proposed(own: Words, _state: State, event: events.AmendmentProposed) -> Iterator[str]:
    asked = event.proposal
    yield _say(own, "amendment-proposed", by=asked.by, cards=_names(asked.cards), reason=asked.reason)


def _amended(own: Words, _state: State, event: events.CardsAmended) -> Iterator[str]:
    cards = _names(card.name if card.face_up else None for card in event.cards)
    yield _say(own, "cards-amended", cards=cards)
    yield from _waiting(own, len(event.waiting))


def _reversed(own: Words, _state: State, event: events.SettlementReversed) -> Iterator[str]:
    yield _say(own, "settlement-reversed", by=event.by, reason=event.reason)
    for player, cents in event.nets.items():
        yield _under(own, "reversed-net", player=player, net=format_dollars(cents, sign=True))


def _record(own: Words, _state: State, event: events.RecordAmended) -> Iterator[str]:
    key = "record-amended-two" if event.agreed else "record-amended"
    yield _say(own, key, by=event.by, agreed=event.agreed, reason=event.reason)
    for change in event.changes:
        yield _change(own, change)


def _change(own: Words, change: Change) -> str:
    return _under(
        own,
        "amended-in-box" if change.box else "amended",
        what=f"{_named(own, 'what', change.what)} {change.who}".rstrip(),
        box=change.box,
        before=_amount(own, change.what, change.before),
        after=_amount(own, change.what, change.after),
    )


def _amount(own: Words, what: str, value: str | int) -> str:
    if isinstance(value, int):
        return format_dollars(value, sign=what == "settlement")
    return value or _say(own, "amended-none")


def _late_chips(own: Words, state: State, event: events.LateChipsRecorded) -> Iterator[str]:
    late = event.late
    yield _say(
        own,
        "late-added" if late.cents > 0 else "late-taken",
        player=late.player,
        amount=format_dollars(abs(late.cents)),
        bet=_bet(own, state, late.bet),
        box=late.box,
    )


def _decided_settled(own: Words, state: State, event: events.DecidedSettled) -> Iterator[str]:
    yield _say(own, "decided-settled")
    yield from _lines(own, state, event.lines)


def _needless(own: Words, _state: State, event: events.RemedyNeedless) -> Iterator[str]:
    yield _under(own, "remedy-needless", remedy=_named(own, "remedy", event.remedy))


def _meant(own: Words, _state: State, event: events.NeglectRecorded) -> Iterator[str]:
    rows = _list(own, event.rows) or _say(own, "neglect-nothing")
    yield _say(own, "neglect-recorded", by=event.by, rows=rows)


TOLD: dict[type, Teller] = {
    events.SetupChanged: _setup_changed,
    events.RulebookChanged: _rulebook_changed,
    events.PlayerJoined: _by_player("player-back", "player-joined", without="cents"),
    events.PlayerLeft: _plain("player-left-chips", "player-left", without="cents"),
    events.BoughtIn: _by_player("bought-in"),
    events.CashedOut: _by_player("cashed-out"),
    events.SeatTaken: _by_player("seat-taken"),
    events.SeatLeft: _plain("stood-up", "seat-left", without="by"),
    events.WalkedAway: _plain("walked-away"),
    events.NoInsuranceRequested: _plain("no-insurance-requested"),
    events.StaffAssigned: _plain("staff-assigned-before", "staff-assigned", without="before"),
    events.ShoeStarted: _plain("shoe-started"),
    events.BetsOpened: _plain("bets-opened"),
    events.StakeSet: _stake,
    events.DifferentialExceeded: _exceeded,
    events.BetsClosed: _closed,
    events.PlayedChanged: _changed,
    events.LateChipsRecorded: _late_chips,
    events.ChipsPutRight: _plain("chips-put-right"),
    events.CutCardAppeared: _plain("cut-card"),
    events.WithdrawalAllowed: _plain("withdrawal-allowed"),
    events.CardDrawn: _drawn,
    events.CardsExposed: _exposed,
    events.FirstHandChosen: _plain("first-hand"),
    events.SqueezeRequested: _by_player("squeeze-requested"),
    events.SqueezePermitted: _plain("squeeze-permitted"),
    events.CardsHanded: _handed,
    events.CardsRefused: _by_player("cards-refused"),
    events.ThirdCardRequested: _by_player("third-card-requested"),
    events.ThirdCardsReversed: _plain("third-cards-reversed"),
    events.DeviceGiven: _plain("device-given"),
    events.DeviceReturned: _plain("device-returned"),
    events.InsuranceOpened: _window,
    events.InsuranceBought: _insured,
    events.InsuranceDeclined: _by_player("insurance-declined"),
    events.InsuranceClosed: _window_closed,
    events.RoundSettled: _settled,
    events.DecidedSettled: _decided_settled,
    events.SettlementReversed: _reversed,
    events.CardsCorrected: _plain("cards-corrected"),
    events.AmendmentProposed: _proposed,
    events.AmendmentDropped: _plain("amendment-dropped"),
    events.CardsAmended: _amended,
    events.RecordAmended: _record,
    events.IrregularityReported: _reported,
    events.ReportDismissed: _plain("report-dismissed"),
    events.ReportEnded: _plain("report-ended"),
    events.IrregularityRuled: _ruled,
    events.ChoicesOffered: _offered_choices,
    events.ChoiceMade: _chosen,
    events.RemedyDone: _silent,
    events.RemedyNeedless: _needless,
    events.StakesDecided: _plain("stakes-decided"),
    events.DisplayCorrected: _plain("display-corrected-to", "display-corrected", without="actual"),
    events.IrregularityClosed: _plain("released"),
    events.CardsLaid: _reconstructed,
    events.CardsReconstructed: _reconstructed,
    events.CardsReplaced: _plain("cards-replaced"),
    events.CardsRetrieved: _plain("cards-retrieved-reason", "cards-retrieved", without="reason"),
    events.BetsReopened: _plain("bets-reopened"),
    events.RaiseDemanded: _plain("raise-demanded"),
    events.InsuranceForgone: _plain("insurance-forgone"),
    events.LateInsuranceOpened: _late,
    events.NeglectFound: _plain("neglect-found"),
    events.NeglectRecorded: _meant,
    events.RoundVoided: _plain("round-voided"),
}
