"""Shoe and cards: drawn, and seen by everybody."""

from collections.abc import Collection

import msgspec

from thirdcard.cards import Card
from thirdcard.play.insurance import open_window, rows
from thirdcard.play.tableau import INITIAL, Deal, next_hand
from thirdcard.rulebook.model import Insurance, Side
from thirdcard.table import commands
from thirdcard.table.decide.checks import (
    discretion,
    has_rank,
    need_person,
    need_phase,
    need_rank,
    refuse,
)
from thirdcard.table.events import (
    AnyEvent,
    CardDrawn,
    CardsExposed,
    CutCardAppeared,
    InsuranceClosed,
    InsuranceOpened,
    ShoeStarted,
    WithdrawalAllowed,
)
from thirdcard.table.state import OpenOffer, Round, Shoe, State


def new_shoe(state: State, command: commands.NewShoe) -> tuple[AnyEvent, ...]:
    need_rank(state, command.by, "dealer")
    if state.phase not in ("idle", "settled", "void"):
        raise refuse("wrong-phase", "a new shoe comes between two rounds")
    decks = (state.next_setup or state.setup).decks
    number = state.shoe.number + 1 if state.shoe else 1
    return (ShoeStarted(number=number, size=52 * decks, rules=state.rules.decks.rules),)


def cut_card(state: State, command: commands.CutCard) -> tuple[AnyEvent, ...]:
    need_rank(state, command.by, "dealer")
    current = need_phase(state, "dealing")
    shoe = _shoe(state)
    if not cut_card_is_next(state, shoe):
        raise refuse("card-not-due", f"the cut card is not next: {shoe.left} cards are left")
    return (CutCardAppeared(first=not current.cards, rules=_cut_rules(state)),)


def cut_card_is_next(state: State, shoe: Shoe) -> bool:
    return not shoe.cut_out and not shoe.waiting and shoe.left <= state.setup.cut


def _cut_rules(state: State) -> tuple[str, ...]:
    return state.rules.cut_card.rules if state.rules.cut_card else ()


def allow_withdrawal(state: State, command: commands.AllowWithdrawal) -> tuple[AnyEvent, ...]:
    allowed = discretion(state.rules, "cut-card-withdrawal")
    if allowed is None:
        need_person(state, command.by)
        raise refuse("not-allowed-here", "this document does not know it")
    need_rank(state, command.by, allowed.rank, allowed.rules)
    current = need_phase(state, "dealing", rules=allowed.rules)
    shoe = _shoe(state)
    if not (state.setup.high_limit and shoe.cut_first and not current.cards and not current.withdrawable):
        raise refuse(
            "not-allowed-here",
            "wagers may be withdrawn only in the high-limit area, when the cut card comes first in a round",
            allowed.rules,
        )
    return (WithdrawalAllowed(by=command.by, rules=allowed.rules),)


def draw(state: State, command: commands.Draw) -> tuple[AnyEvent, ...]:
    need_drawer(state, command.by)
    current = need_phase(state, "dealing", rules=state.rules.betting.closes.rules)
    shoe = _shoe(state)
    _need_card(shoe, command.card)
    hand = due_hand(state, current)
    if hand is None:
        raise refuse("card-not-due", why_not_due(state, current), state.rules.table_of_play.rules)
    if shoe.waiting and command.card is not shoe.waiting[0]:
        public = shoe.waiting_seen[:1] == (True,)
        first = shoe.waiting[0].value if public else "a card that nobody has seen"
        raise refuse("card-not-due", f"{first} was drawn before and comes first")
    # Nothing can fail from here on.
    events: list[AnyEvent] = []
    if cut_card_is_next(state, shoe):
        events.append(CutCardAppeared(first=not current.cards, rules=_cut_rules(state)))
    if current.window is not None:
        events.append(close_window(state, current))
    face_up = not state.setup.dealing.face_down
    drawn = CardDrawn(
        place=len(current.cards) + 1,
        hand=hand,
        card=command.card,
        face_up=face_up,
        by=command.by,
        rules=state.rules.table_of_play.rules if len(current.cards) >= INITIAL else (),
    )
    events.append(drawn)
    if face_up:
        cards = (*current.cards, command.card)
        seen = msgspec.structs.replace(current, window=None)  # the first window is closed by this card
        events += _opened(state, seen, cards, set(range(1, len(cards) + 1)))
    return tuple(events)


def need_drawer(state: State, person: str) -> None:
    """The dealer draws, unless a player controls the device."""
    if state.device is None:
        need_rank(state, person, "dealer", state.setup.dealing.rules)
        return
    need_person(state, person)
    if person != state.device:
        raise refuse("wrong-rank", f"{state.device} controls the device and draws", state.setup.dealing.rules)


def due_hand(state: State, current: Round) -> Side | None:
    """Whose card may be drawn now: due under the Table of Play, and all before it seen.

    Where the Banker's third card is seen first, it is drawn while the Player's lies face down.
    """
    drawn = len(current.cards)
    due = next_hand(state.rules.table_of_play, current.cards)
    if drawn < INITIAL or due is None:
        return due
    unseen = drawn - len(current.exposed)
    return due if unseen == 0 or (current.reversed and unseen == 1 and drawn > INITIAL) else None


def why_not_due(state: State, current: Round) -> str:
    if next_hand(state.rules.table_of_play, current.cards) is None and len(current.exposed) == len(
        current.cards
    ):
        deal = state.deal()
        return f"nobody draws a further card: Player {deal.player_points}, Banker {deal.banker_points}"
    return "the cards that lie face down have to be exposed first"


def _need_card(shoe: Shoe, card: Card) -> None:
    if shoe.waiting:
        return
    if shoe.left == 0:
        raise refuse("shoe-empty", "there are no cards left in the shoe")
    decks = shoe.size // 52
    if shoe.drawn.get(card.value, 0) >= decks:
        raise refuse("card-not-in-shoe", f"all {decks} of {card} have been drawn from this shoe")


def close_window(state: State, current: Round) -> InsuranceClosed:
    """The next card ends the window: silence forgoes insurance for the round (interpretation 14)."""
    assert current.window is not None  # asked for only while one is open
    assert state.rules.insurance is not None  # else no window was opened
    silent = [person for person in offered_to(current) if person not in current.window.answered]
    return InsuranceClosed(
        window=current.window.number,
        forgone=tuple(silent),
        rules=state.rules.insurance.forgone.rules if silent else (),
    )


def offered_to(current: Round) -> list[str]:
    """Who may buy in the open window: everybody with an original bet on a hand on offer."""
    window = current.window
    if window is None:
        return []
    hands = {offer.hand for offer in window.offers}
    people = dict.fromkeys(stake.player for stake in current.stakes.values() if stake.bet in hands)
    late = window.late_for if window.late_only else ()
    return [person for person in people if person not in current.forgone and (not late or person in late)]


def expose(state: State, command: commands.Expose) -> tuple[AnyEvent, ...]:
    need_person(state, command.by)
    current = need_phase(state, "dealing")
    places = set(command.cards)
    for place in places or {0}:
        if not 1 <= place <= len(current.cards) or place in current.exposed:
            raise refuse("no-such-card", f"there is no face-down card at place {place}")
    for place in sorted(places):
        _need_hands_on(state, current, place, command.by)
    exposed = places.union(current.exposed)
    _need_order(state, current, places, exposed)
    event = CardsExposed(places=tuple(sorted(places)), by=command.by)
    if current.window is not None:  # a late offer, made while a card lay face down
        closed = msgspec.structs.replace(current, window=None)
        return (close_window(state, current), event, *_opened(state, closed, current.cards, exposed))
    return (event, *_opened(state, current, current.cards, exposed))


def _need_hands_on(state: State, current: Round, place: int, person: str) -> None:
    """Cards handed over are turned by who holds them, all others by the dealer."""
    holder = current.handed.get(place)
    if holder is not None and holder != person:
        raise refuse("card-not-yours", f"{holder} holds the card at place {place}", state.rules.squeeze.rules)
    if holder is None and not has_rank(state, person, "dealer"):
        raise refuse(
            "card-not-yours", f"the dealer turns the card at place {place}", state.rules.squeeze.rules
        )


def _need_order(state: State, current: Round, places: set[int], exposed: set[int]) -> None:
    """The hand that the dealer chose is revealed first; third cards in their order, or reversed."""
    first = current.first_hand
    if first is not None and len(current.cards) <= INITIAL:
        before = {Side.PLAYER: {1, 3}, Side.BANKER: {2, 4}}
        if places & before[first.other] and not before[first] <= exposed:
            chosen = discretion(state.rules, "first-hand")
            rules = chosen.rules if chosen else ()
            raise refuse("card-not-due", f"the {first.label} hand is revealed first", rules)
    if current.reversed and INITIAL + 1 in exposed and INITIAL + 2 not in exposed:
        raise refuse("card-not-due", "the Banker's third card is seen first", state.rules.squeeze.rules)


def _opened(state: State, current: Round, cards: tuple[Card, ...], exposed: set[int]) -> tuple[AnyEvent, ...]:
    """The insurance window that opens once these cards are seen, if one does."""
    insurance = state.rules.insurance
    if len(cards) < INITIAL or insurance is None or not state.setup.insurance:
        return ()
    if len(exposed) < len(cards) or current.window is not None:
        return ()
    deal = Deal(state.rules.table_of_play, cards)
    window = open_window(deal)
    if window is None or (window == 2 and current.reversed):  # noqa: PLR2004 - the second window
        return ()
    people = [stake.player for stake in current.stakes.values()]
    offers = offers_for(insurance, deal, window, current, people)
    if not offers:
        return ()
    return (InsuranceOpened(window=window, offers=offers, rules=insurance.rules),)  # type: ignore[arg-type]


def offers_for(
    insurance: Insurance, deal: Deal, window: int, current: Round, people: Collection[str]
) -> tuple[OpenOffer, ...]:
    """The rows for these points that somebody of these people has an original bet for."""
    hands = {stake.bet for stake in current.stakes.values() if stake.player in people}
    return tuple(
        OpenOffer(row=insurance.offers.index(row), hand=row.hand, odds=row.odds.text, rules=row.rules)
        for row in rows(insurance, deal, window)
        if row.hand in hands
    )


def opened_window(state: State, current: Round) -> tuple[AnyEvent, ...]:
    """The window that the cards lying there open, if none is open yet."""
    return _opened(state, current, current.cards, set(current.exposed))


def _shoe(state: State) -> Shoe:
    assert state.shoe is not None  # a round is opened only with a shoe
    return state.shoe
