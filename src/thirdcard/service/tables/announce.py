"""What the dealer says and the display shows, for people and screen readers.

It is made of what everybody may know at that moment: of a face-down card only that it lies there. What people
wrote as their reason is for those who read the record; what is said of it is a sentence of ours.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from thirdcard.cards import format_cards
from thirdcard.play.tableau import INITIAL, points
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.model import Rules, Side
from thirdcard.service.log.floor_events import Logged
from thirdcard.table import events
from thirdcard.table.rights.drawing import due_hand
from thirdcard.table.state import Change, OpenOffer, Round, Settlement, State
from thirdcard.table.view import SeenOffer
from thirdcard.words import Language, in_words, words
from thirdcard.words.saying import SaidOfTable

Key: TypeAlias = Literal[
    "new-shoe", "place-your-bets", "differential", "raise-demanded", "no-more-bets", "bets-reopened",
    "cut-card", "withdrawal-allowed", "third-card", "card", "card-face-down", "first-hand", "squeeze",
    "cards-handed", "cards-refused", "banker-third-first", "device-given", "device-returned", "cards-shown",
    "points", "natural", "insurance-offered", "late-insurance-offered", "insurance-closed", "result", "pair",
    "round-void", "held-up", "ruled", "choices-offered", "cards-laid", "cards-replaced", "goes-on",
    "reversed", "corrected", "setup-changes", "rulebook-changes", "late-chips", "chips-taken",
    "chips-put-right", "bet-cut", "plays-for",
    "record-questioned", "record-stands", "amended-hand", "amended-offer", "amended-insurance",
    "amended-share", "amended-settlement", "dismissed", "report-ended", "walked-away", "cards-taken-back",
    "display-corrected", "decided-settled",
]  # fmt: skip
Facts: TypeAlias = dict[str, str | int]


class Said(SaidOfTable, frozen=True):
    """One announcement, by its facts."""

    SECTION = "said"

    key: Key | Literal["deciding"]


class Heard(Said, frozen=True, kw_only=True):
    """An announcement in the words of a reader's language, and of the one that stands beside it."""

    sentence: str
    beside: str


def heard(said: Said, language: Language, book: Rulebook, names: Mapping[str, str]) -> Heard:
    """The announcement in words; `names` are what players are shown as."""
    own, other = (in_words(said, one, book, names) for one in (language, words(language).heading.beside))
    return Heard(key=said.key, facts=said.facts, rules=said.rules, sentence=own, beside=other)


def standing(state: State, seen: Mapping[str, Any]) -> tuple[Said, ...]:
    """What may be said of a round as everybody sees it, if nothing was heard yet; in general, the last."""
    phase, settlement, offers = seen["phase"], seen["settlement"], seen["offers"]
    if settlement is not None:
        return (Said(key="result", facts=_result(settlement)),)
    if phase == "betting":
        return (Said(key="place-your-bets", facts={"round": seen["round"]}),)
    if offers:
        offer = offers[0]
        return (Said(key="insurance-offered", facts=_offer(offer, offer.window), rules=offer.rules),)
    return tuple(_dealing(state, seen)) if phase == "dealing" else ()


def _dealing(state: State, seen: Mapping[str, Any]) -> Iterator[Said]:
    """Of a card that is due, what it decides; of hands, their points once everybody has seen them."""
    points, deciding = seen["points"], seen["deciding"]
    if len(seen["cards"]) < INITIAL:
        yield Said(key="no-more-bets")
        return
    if deciding is not None:
        yield Said(key="deciding", facts={"hand": deciding.hand.value, "points": deciding.points})
    due = due_hand(state, _round(state))
    if due is not None:
        yield Said(key="third-card", facts={"hand": due.value})
    hidden = None in points.values()
    yield Said(key="no-more-bets") if hidden else Said(key="points", facts=points)


# What each event brings ---------------------------------------------------------------------------------


def announcements(before: State, event: Logged, after: State) -> tuple[Said, ...]:
    """What is said of an event, in order; nothing of those that are nobody's business, nor of the floor's."""
    tell = TOLD.get(type(event))
    if tell is None:
        return ()
    return tuple([_citing(said, event.rules) for said in tell(before, event, after)])


def _citing(said: Said, rules: Rules) -> Said:
    return said if said.rules or not rules else msgspec.structs.replace(said, rules=rules)


def _plain(key: Key, *fields: str) -> Callable[[State, Any, State], Iterator[Said]]:
    """An announcement whose facts are fields of the event."""

    def tell(_before: State, event: Any, _after: State) -> Iterator[Said]:  # noqa: ANN401 - any event
        values = {name: getattr(event, name) for name in fields}
        yield Said(key=key, facts={n: v.value if isinstance(v, Side) else v for n, v in values.items()})

    return tell


def _round(state: State) -> Round:
    assert state.round is not None  # what is told here happens in a round
    return state.round


def _opened(_before: State, event: events.BetsOpened, _after: State) -> Iterator[Said]:
    yield Said(key="place-your-bets", facts={"round": event.number})


def _shoe(_before: State, event: events.ShoeStarted, _after: State) -> Iterator[Said]:
    yield Said(key="new-shoe", facts={"number": event.number, "cards": event.size})


def _exceeded(_before: State, event: events.DifferentialExceeded, _after: State) -> Iterator[Said]:
    facts: Facts = {
        "hand": event.heavier.value,
        "other_hand": event.heavier.other.value,
        "cents": event.excess,
    }
    yield Said(key="differential", facts=facts)


def _cut(_before: State, event: events.StakeSet, _after: State) -> Iterator[Said]:
    """Chips go back that nobody asked back: whose they are, and which paragraph wants it."""
    if event.why in ("cut", "removed"):
        stake = event.stake
        facts: Facts = {"player": stake.player, "bet": stake.bet, "box": stake.box}
        yield Said(key="bet-cut", facts={**facts, "cents": event.before - stake.cents})


def _closed(before: State, event: events.BetsClosed, _after: State) -> Iterator[Said]:
    """Which bets play for less than lies there."""
    yield Said(key="no-more-bets")
    for key, plays in event.played.items():
        stake = _round(before).stakes[key]
        facts: Facts = {"player": stake.player, "bet": stake.bet, "box": stake.box}
        amounts = {"cents": plays.cents, "before": stake.cents}
        yield Said(key="plays-for", facts={**facts, **amounts}, rules=plays.rules)


def _demanded(before: State, event: events.RaiseDemanded, _after: State) -> Iterator[Said]:
    stakes = _round(before).stakes
    people = dict.fromkeys(stakes[key].player for key in event.stakes)
    if people:
        yield Said(key="raise-demanded", facts={"players": ", ".join(people)})


def _set_up(before: State, event: events.SetupChanged, _after: State) -> Iterator[Said]:
    """Whether a device reads the cards is nothing that people play by."""
    present = before.next_setup or before.setup
    if msgspec.structs.replace(present, device=event.setup.device) != event.setup:
        yield Said(key="setup-changes")


def _rulebook(_before: State, event: events.RulebookChanged, _after: State) -> Iterator[Said]:
    yield Said(key="rulebook-changes", facts={"title": event.setup.book.document.title})


def _drawn(before: State, event: events.CardDrawn, after: State) -> Iterator[Said]:
    hand = event.hand.value
    if event.place > INITIAL:
        yield Said(key="third-card", facts={"hand": hand})
    if not event.face_up or event.card is None:
        yield Said(key="card-face-down", facts={"hand": hand})
        return
    score = _shown_points(after, event.hand)
    if score is None:  # it was seen before, and another card of the hand lies face down
        yield Said(key="cards-shown", facts={"hand": hand, "cards": event.card.value})
    else:
        yield Said(key="card", facts={"hand": hand, "card": event.card.value, "points": score})
    yield from _scores(before, after)


def _of_hand(state: State, places: Iterable[int], hand: Side) -> list[int]:
    """Those of the places that belong to a hand."""
    table = state.rulebook.table_of_play
    return [place for place in places if _round(state).hand(table, place) is hand]


def _shown_points(state: State, hand: Side) -> int | None:
    """A hand's points once everybody has seen all its cards."""
    drawn = _round(state).drawn
    cards = [drawn[place - 1] for place in _of_hand(state, range(1, len(drawn) + 1), hand)]
    seen = tuple(card.name for card in cards if card.face_up and card.name is not None)
    return points(seen) if len(seen) == len(cards) else None


def _scores(before: State, after: State) -> Iterator[Said]:
    """Both hands' points, when four cards or more lie there and the last of them has just been seen."""
    current, earlier = _round(after), _round(before)
    complete = len(current.drawn) >= INITIAL and current.all_seen
    if not complete or (current.cards, current.exposed) == (earlier.cards, earlier.exposed):
        return
    deal, table = after.deal(), after.rulebook.table_of_play
    yield Said(key="points", facts={"player": deal.player_points, "banker": deal.banker_points})
    for hand in Side:
        score = deal.points(hand)
        if len(current.drawn) == INITIAL and score in table.natural:
            yield Said(key="natural", facts={"hand": hand.value, "points": score}, rules=table.rules)


def _shown(before: State, event: events.CardsExposed, after: State) -> Iterator[Said]:
    names = _round(after).cards
    for hand in Side:
        seen = [names[place - 1] for place in _of_hand(after, event.places, hand)]
        cards = format_cards(card for card in seen if card is not None)
        if cards:
            yield Said(key="cards-shown", facts={"hand": hand.value, "cards": cards})
    yield from _scores(before, after)


def _handed(_before: State, event: events.CardsHanded, after: State) -> Iterator[Said]:
    hand = _round(after).hand_of_drawn(after.rulebook.table_of_play, event.places[0])
    yield Said(key="cards-handed", facts={"player": event.player, "hand": hand.value})


def _late_chips(_before: State, event: events.LateChipsRecorded, _after: State) -> Iterator[Said]:
    late = event.late
    key: Key = "late-chips" if late.cents > 0 else "chips-taken"
    yield Said(key=key, facts={"player": late.player, "box": late.box, "cents": abs(late.cents)})


def _offers(_before: State, event: events.InsuranceOpened, _after: State) -> Iterator[Said]:
    for offer in event.offers:
        yield Said(key="insurance-offered", facts=_offer(offer, event.window), rules=offer.rules)


def _late(_before: State, event: events.LateInsuranceOpened, _after: State) -> Iterator[Said]:
    for offer in event.offers:
        facts = {**_offer(offer, event.window), "players": ", ".join(event.players)}
        yield Said(key="late-insurance-offered", facts=facts)


def _offer(offer: OpenOffer | SeenOffer, window: int) -> Facts:
    return {"hand": offer.hand.value, "odds": offer.odds, "window": window}


def _settled(_before: State, event: events.RoundSettled, _after: State) -> Iterator[Said]:
    yield Said(key="result", facts=_result(event.settlement))
    for hand, paired in ((Side.PLAYER, event.player_pair), (Side.BANKER, event.banker_pair)):
        if paired:
            yield Said(key="pair", facts={"hand": hand.value})


def _result(settlement: Settlement) -> Facts:
    return {"outcome": settlement.outcome, "player": settlement.player, "banker": settlement.banker}


def _held_up(_before: State, event: events.IrregularityReported, after: State) -> Iterator[Said]:
    """One that waits behind another has its turn later."""
    held = after.round.pending if after.round is not None else None
    if held is not None and held.case == event.pending.case:
        yield Said(key="held-up", facts=_case(after, held.case))


def _ruled(_before: State, event: events.IrregularityRuled, after: State) -> Iterator[Said]:
    yield Said(key="ruled", facts=_case(after, event.case))


def _case(state: State, case: str) -> Facts:
    title = next(procedure.title for procedure in state.rulebook.procedures if procedure.case == case)
    return {"title": title, "case": case}


def _choices(_before: State, event: events.ChoicesOffered, _after: State) -> Iterator[Said]:
    if event.players:
        yield Said(key="choices-offered", facts={"players": ", ".join(event.players)})


def _released(_before: State, _event: events.IrregularityClosed, after: State) -> Iterator[Said]:
    """The round goes on, unless another case has waited behind it."""
    current = _round(after)
    if current.pending is not None:
        yield Said(key="held-up", facts=_case(after, current.pending.case))
    elif current.phase not in ("void", "settled"):
        yield Said(key="goes-on")


def _dismissed(_before: State, event: events.ReportDismissed, after: State) -> Iterator[Said]:
    yield Said(key="dismissed", facts=_case(after, event.case))
    if _round(after).pending is None and _round(after).phase != "settled":
        yield Said(key="goes-on")


def _ended(_before: State, event: events.ReportEnded, after: State) -> Iterator[Said]:
    yield Said(key="report-ended", facts=_case(after, event.case))


def _laid(
    before: State, _event: events.CardsReconstructed | events.CardsLaid, after: State
) -> Iterator[Said]:
    yield Said(key="cards-laid")
    yield from _scores(before, after)


def _amended(_before: State, event: events.RecordAmended, after: State) -> Iterator[Said]:
    """What a record that was put right changes for people."""
    for change in event.changes:
        said = _change(change, after)
        if said is not None:
            yield said


def _change(change: Change, after: State) -> Said | None:
    """Who is named first, then on what; amounts in cents."""
    who, *rest = change.who.split(" ")
    before, now = (one if isinstance(one, int) else 0 for one in (change.before, change.after))
    match change.what:
        case "hand":
            return _new_hand(after, Side(who))
        case "offer" if not change.after:
            return Said(key="amended-offer", facts={"hand": who, "odds": change.before})
        case "insurance":
            return Said(key="amended-insurance", facts={"player": who, "hand": rest[0], "box": change.box})
        case "share":
            where: Facts = {"player": who, "box": change.box}
            return Said(key="amended-share", facts={**where, "cents": now, "before": before})
        case "settlement":
            return Said(key="amended-settlement", facts={"player": who, "cents": now, "before": before})
    return None


def _new_hand(after: State, hand: Side) -> Said | None:
    deal = after.deal()
    cards = deal.player if hand is Side.PLAYER else deal.banker
    if not cards:
        return None
    facts: Facts = {"cards": format_cards(cards), "points": deal.points(hand)}
    return Said(key="amended-hand", facts={"hand": hand.value, **facts})


TOLD: dict[type, Callable[[State, Any, State], Iterator[Said]]] = {
    events.SetupChanged: _set_up,
    events.RulebookChanged: _rulebook,
    events.WalkedAway: _plain("walked-away", "player"),
    events.ShoeStarted: _shoe,
    events.BetsOpened: _opened,
    events.DifferentialExceeded: _exceeded,
    events.RaiseDemanded: _demanded,
    events.StakeSet: _cut,
    events.BetsClosed: _closed,
    events.BetsReopened: _plain("bets-reopened"),
    events.LateChipsRecorded: _late_chips,
    events.ChipsPutRight: _plain("chips-put-right"),
    events.CutCardAppeared: _plain("cut-card"),
    events.WithdrawalAllowed: _plain("withdrawal-allowed"),
    events.CardDrawn: _drawn,
    events.CardsExposed: _shown,
    events.FirstHandChosen: _plain("first-hand", "hand"),
    events.SqueezePermitted: _plain("squeeze", "player"),
    events.CardsHanded: _handed,
    events.CardsRefused: _plain("cards-refused", "player", "hand"),
    events.CardsRetrieved: _plain("cards-taken-back"),
    events.ThirdCardsReversed: _plain("banker-third-first"),
    events.DeviceGiven: _plain("device-given", "player"),
    events.DeviceReturned: _plain("device-returned", "player"),
    events.InsuranceOpened: _offers,
    events.LateInsuranceOpened: _late,
    events.InsuranceClosed: _plain("insurance-closed", "window"),
    events.RoundSettled: _settled,
    events.DecidedSettled: _plain("decided-settled"),
    events.SettlementReversed: _plain("reversed"),
    events.CardsCorrected: _plain("corrected"),
    events.AmendmentProposed: _plain("record-questioned"),
    events.AmendmentDropped: _plain("record-stands"),
    events.CardsAmended: _plain("corrected"),
    events.RecordAmended: _amended,
    events.RoundVoided: _plain("round-void"),
    events.IrregularityReported: _held_up,
    events.IrregularityRuled: _ruled,
    events.ReportDismissed: _dismissed,
    events.ReportEnded: _ended,
    events.DisplayCorrected: _plain("display-corrected"),
    events.ChoicesOffered: _choices,
    events.IrregularityClosed: _released,
    events.CardsReconstructed: _laid,
    events.CardsLaid: _laid,
    events.CardsReplaced: _plain("cards-replaced"),
}
