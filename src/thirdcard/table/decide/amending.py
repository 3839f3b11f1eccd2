"""A wrong record is put right, and all that follows from it is derived anew (interpretations 20 and 39)."""

from collections.abc import Iterable, Mapping

import msgspec

from thirdcard.cards import Card, format_cards, surplus
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import INITIAL, LONGEST, Deal
from thirdcard.rulebook.conditions import sight_of_all
from thirdcard.rulebook.model import Rules
from thirdcard.table import commands, limits
from thirdcard.table.decide.checks import need_dealer, need_phase, need_rank, need_reason, refuse
from thirdcard.table.decide.chips import put_right, stake_set
from thirdcard.table.decide.dealing import opened_window
from thirdcard.table.decide.flow import Flow
from thirdcard.table.decide.settling import reversed_settlement, settled_events
from thirdcard.table.events import (
    AmendmentDropped,
    AmendmentProposed,
    AnyEvent,
    CardsAmended,
    PlayedChanged,
    RecordAmended,
)
from thirdcard.table.ledger import within_racks
from thirdcard.table.playing import cap_for, covers
from thirdcard.table.ranks import amending_rank, has_rank
from thirdcard.table.rights.drawing import banker_third_is_first, due_hand
from thirdcard.table.rights.insurance import asked, open_windows
from thirdcard.table.state import Change, DrawnCard, Played, Proposal, Round, Stake, State
from thirdcard.table.unseen import seen_counts
from thirdcard.words.saying import say

replace = msgspec.structs.replace


# Cards --------------------------------------------------------------------------------------------------


def amend(state: State, command: commands.Amend) -> tuple[AnyEvent, ...]:
    """One person says what really lies there; another has to confirm it."""
    _, rules = amending_rank(state)
    need_dealer(state, command.by, rules)
    current = need_phase(state, "dealing", "settled", rules=rules)
    need_reason(command.reason, rules)
    _as_drawn(state, current, command.cards)
    proposal = Proposal(cards=command.cards, by=command.by, reason=command.reason)
    return (AmendmentProposed(proposal=proposal, rules=rules),)


def _need_proposal(state: State, by: str) -> tuple[Round, Proposal]:
    need_dealer(state, by)
    current = state.round
    if current is None or current.proposal is None:
        raise refuse("no-amendment", say("no-amendment-waits"))
    return current, current.proposal


def confirm(state: State, command: commands.ConfirmAmendment) -> tuple[AnyEvent, ...]:
    """Dealer and supervisor together: two people, one of them of the rank that puts records right."""
    rank, rules = amending_rank(state)
    current, proposal = _need_proposal(state, command.by)
    if not has_rank(state, proposal.by, rank):
        need_rank(state, command.by, rank, rules)
    if command.by == proposal.by:
        raise refuse("no-amendment", say("somebody-else-confirms", who=command.by), rules)
    cards, waiting = _as_drawn(state, current, proposal.cards)
    return _amended_cards(state, cards, waiting, by=command.by, agreed=proposal.by, reason=proposal.reason)


def drop(state: State, command: commands.DropAmendment) -> tuple[AnyEvent, ...]:
    rank, rules = amending_rank(state)
    _, proposal = _need_proposal(state, command.by)
    if command.by != proposal.by:
        need_rank(state, command.by, rank, rules)
    need_reason(command.reason)
    return (AmendmentDropped(by=command.by, reason=command.reason),)


def correct(state: State, command: commands.Correct) -> tuple[AnyEvent, ...]:
    """The cards of a settled round, whole: a reversal, then a new settlement; never an edit."""
    rank, rules = amending_rank(state)
    need_rank(state, command.by, rank, rules)
    current = need_phase(state, "settled", rules=rules)
    need_reason(command.reason, rules)
    cards, waiting = _as_drawn(state, current, command.cards)
    if not _whole(state, cards):
        raise refuse("card-not-due", say("settled-round-is-whole"), state.rulebook.table_of_play.rules)
    if len(cards) < len(command.cards):
        raise refuse("card-not-due", say("too-many-cards"), state.rulebook.table_of_play.rules)
    return _amended_cards(state, cards, waiting, by=command.by, agreed="", reason=command.reason)


def _as_drawn(
    state: State, current: Round, names: tuple[Card | None, ...]
) -> tuple[tuple[DrawnCard, ...], tuple[DrawnCard, ...]]:
    """The cards of the round and those that wait, if these are what was really drawn; a refusal if not."""
    assert state.shoe is not None
    if not 1 <= len(names) <= LONGEST:
        raise refuse("no-such-card", say("most-cards-of-round", longest=LONGEST))
    same_shoe = state.shoe.number == current.shoe
    waiting = state.shoe.waiting if same_shoe else ()
    known = len(current.drawn)
    more = len(names) - known
    taken, waiting = waiting[: max(more, 0)], waiting[max(more, 0) :]
    face_up = not state.setup.dealing.face_down or current.phase == "settled"
    blank = DrawnCard(face_up=face_up)
    before = (*current.drawn, *taken, *(blank for _ in range(more - len(taken))))
    pairs = zip(before, names, strict=False)  # cards that were never drawn are left out
    cards = tuple(_renamed(place, old, name) for place, (old, name) in enumerate(pairs, start=1))
    if cards == current.drawn:
        raise refuse("no-amendment", say("recorded-so-already"))
    if same_shoe:
        _need_in_shoe(state, current, cards, waiting, more=more - len(taken))
    laid, left = _laid(state, cards, waiting)
    if not same_shoe and not _whole(state, laid):
        raise refuse(
            "card-not-due",
            say("cards-leave-round-unfinished"),
            state.rulebook.table_of_play.rules,
        )
    return laid, left


def _whole(state: State, cards: tuple[DrawnCard, ...]) -> bool:
    names = tuple(card.name for card in cards if card.name is not None)
    return INITIAL <= len(names) == len(cards) and Deal(state.rulebook.table_of_play, names).next is None


def _renamed(place: int, old: DrawnCard, name: Card | None) -> DrawnCard:
    if name is None:
        if old.face_up:
            raise refuse("card-not-named", say("name-face-up-card", place=place))
        return old
    if not old.face_up:
        raise refuse("card-not-seen", say("card-at-place-unseen", place=place))
    return replace(old, name=name)


def _need_in_shoe(
    state: State,
    current: Round,
    cards: tuple[DrawnCard, ...],
    waiting: tuple[DrawnCard, ...],
    *,
    more: int,
) -> None:
    """The shoe must be able to have held what really lies there, with all that came out of it before."""
    shoe = state.shoe
    assert shoe is not None
    if more > shoe.left:
        raise refuse("shoe-empty", say("too-few-cards-left"))
    counts = seen_counts(state)
    for one in _seen((*current.drawn, *shoe.waiting)):
        counts[one.value] -= 1
    card = surplus(_seen((*cards, *waiting)), shoe.decks, counts)
    if card is not None:
        raise refuse("card-not-in-shoe", say("card-not-in-shoe", card=str(card)))


def _seen(cards: Iterable[DrawnCard]) -> list[Card]:
    return [card.name for card in cards if card.face_up and card.name is not None]


def _laid(
    state: State, cards: tuple[DrawnCard, ...], waiting: tuple[DrawnCard, ...]
) -> tuple[tuple[DrawnCard, ...], tuple[DrawnCard, ...]]:
    """Cards that the Table of Play does not give to a hand wait for the next round (interpretation 28).

    A card that nobody has seen gives none; the Banker's third, where it is seen first, lies there already.
    """
    reversed_thirds = state.round is not None and banker_third_is_first(
        state, replace(state.round, drawn=cards)
    )
    used = min(len(cards), INITIAL)
    while used < len(cards):
        known = tuple(_seen(cards[:used]))
        lies = reversed_thirds and used == INITIAL + 1 and len(known) == INITIAL
        if not lies and (len(known) < used or Deal(state.rulebook.table_of_play, known).next is None):
            break
        used += 1
    left = tuple(replace(card, holder="", doubtful=False) for card in cards[used:])
    return cards[:used], (*left, *waiting)


def _amended_cards(  # noqa: PLR0913 - what, and who says so why
    state: State,
    cards: tuple[DrawnCard, ...],
    waiting: tuple[DrawnCard, ...],
    *,
    by: str,
    agreed: str,
    reason: str,
) -> tuple[AnyEvent, ...]:
    _, rules = amending_rank(state)
    flow = Flow(state, by)
    was_settled = _unsettled(flow, reason, rules)
    flow.emit(CardsAmended(cards=cards, waiting=waiting, by=by, rules=rules))
    flow.emit(*opened_window(flow.state, flow.current))
    _follow(flow, state, was_settled=was_settled, agreed=agreed, reason=reason, rules=rules)
    return tuple(flow.events)


def _unsettled(flow: Flow, reason: str, rules: Rules) -> bool:
    settled = flow.current.settlement is not None
    if settled:
        flow.emit(reversed_settlement(flow.state, flow.current, flow.by, reason, rules))
    return settled


# Chips --------------------------------------------------------------------------------------------------


def amended_chips(
    state: State, stake: Stake, command: commands.RecordChips, position: Rules
) -> tuple[AnyEvent, ...]:
    """Chips as they lay at the close: shares, insurance and settlement follow."""
    flow = Flow(state, command.by)
    was_settled = _unsettled(flow, command.reason, position)
    late = flow.current.late.get(stake.key)
    if late is not None:
        flow.emit(*put_right(flow.state, flow.current, [late]))
    lay = flow.current.stakes.get(stake.key)
    event = stake_set(stake, lay.cents if lay else 0, why="recorded", rules=position)
    flow.emit(replace(event, postings=within_racks(flow.state, event.postings)))
    playing = limits.played(flow.state, flow.current.closed, flow.current.decided, flow.current.freed)
    if playing != flow.current.played:
        rules = _limited_by(flow.state, flow.current.played, playing)
        flow.emit(PlayedChanged(played=playing, purchases=flow.current.purchases, rules=rules))
    flow.emit(*opened_window(flow.state, flow.current))
    _follow(flow, state, was_settled=was_settled, agreed="", reason=command.reason, rules=position)
    return tuple(flow.events)


def _limited_by(state: State, before: Mapping[str, Played], after: Mapping[str, Played]) -> Rules:
    """What limits the stakes that play for something else now, or limited them until now."""
    differential, found = state.rulebook.limits.differential, dict[str, None]()
    for key in dict.fromkeys((*before, *after)):
        for played in (before.get(key), after.get(key)) if before.get(key) != after.get(key) else ():
            if played is not None:
                by_differential = played.rules == differential.after.rules
                found |= dict.fromkeys(differential.rules if by_differential else played.rules)
    return tuple(found)


# What follows -------------------------------------------------------------------------------------------


def _follow(  # noqa: PLR0913 - what, and who says so why
    flow: Flow, before: State, *, was_settled: bool, agreed: str, reason: str, rules: Rules
) -> None:
    """The difference it makes goes on record; a round that was settled and still is whole is settled anew."""
    settled: tuple[AnyEvent, ...] = ()
    deal = flow.state.deal()
    decided = not limits.undecided_excess(flow.state, flow.current)
    if was_settled and decided and flow.current.all_seen and len(deal.cards) >= INITIAL and deal.next is None:
        flow.emit(*put_right(flow.state, flow.current))
        settled = settled_events(
            flow.state, flow.current, outcome_of(deal, sight_of_all(flow.state.rulebook))
        )
    scratch = Flow(flow.state, flow.by)
    scratch.emit(*settled)
    changes = tuple(_changes(_summary(before), _summary(scratch.state)))
    flow.emit(RecordAmended(by=flow.by, agreed=agreed, reason=reason, changes=changes, rules=rules), *settled)


Key = tuple[str, str, int]


def _summary(state: State) -> dict[Key, str | int]:
    """Everything derived from cards and chips that people go by."""
    current = state.round
    assert current is not None
    deal = state.deal()
    found: dict[Key, str | int] = {}
    for hand, cards, points in (
        ("player", deal.player, deal.player_points),
        ("banker", deal.banker, deal.banker_points),
    ):
        if cards:
            found["hand", hand, 0] = f"{format_cards(cards)}: {points}"
    due = due_hand(state, current) if current.phase == "dealing" else None
    found["due", "", 0] = str(due) if due else ""
    for key, stake in current.stakes.items():
        share = ("share", f"{stake.player} {stake.bet}", stake.box)
        found[share] = limits.plays_for(current.stakes, current.played, key)
    found |= _insured(state, current)
    if current.settlement is not None:
        found |= {("settlement", player, 0): net for player, net in current.settlement.nets.items()}
    return found


def _insured(state: State, current: Round) -> dict[Key, str | int]:
    found: dict[Key, str | int] = {}
    for window in open_windows(state, current):
        people = asked(state, current, window)
        for offer in window.offers:
            found["offer", f"{offer.hand} window {window.number}", 0] = offer.odds
            for stake in current.stakes.values():
                if stake.bet == offer.hand and stake.player in people:
                    most = cap_for(state, current, offer, stake.player, stake.box, late=bool(window.late_for))
                    found["cap", f"{stake.player} {offer.hand}", stake.box] = most.cents
    insurance = state.rulebook.insurance
    for cover in covers(state, current):
        bought = cover.purchase
        odds = insurance.offers[cover.row].odds.text if insurance and cover.row is not None else "no offer"
        who = f"{bought.player} {bought.hand} window {bought.window}"
        plays = ("insurance", who, bought.box)
        found[plays] = int(found.get(plays, 0)) + cover.cents
        found["odds", who, bought.box] = odds
    return found


def _changes(before: dict[Key, str | int], after: dict[Key, str | int]) -> Iterable[Change]:
    for key in dict.fromkeys((*before, *after)):
        old, new = before.get(key, ""), after.get(key, "")
        if old != new:
            what, who, box = key
            yield Change(what=what, who=who, box=box, before=old, after=new)  # type: ignore[arg-type]
