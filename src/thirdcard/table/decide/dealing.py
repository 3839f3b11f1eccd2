"""Shoe and cards: drawn, and seen by everybody."""

import msgspec

from thirdcard.cards import CARDS_IN_A_DECK, Card
from thirdcard.play.insurance import open_window
from thirdcard.play.tableau import INITIAL, Deal, next_hand
from thirdcard.rulebook.model import Side
from thirdcard.table import commands
from thirdcard.table.decide.checks import (
    discretion,
    is_dealer,
    need_dealer,
    need_in_shoe,
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
from thirdcard.table.playing import SECOND, hands_insured, offers_at
from thirdcard.table.state import DrawnCard, Round, Shoe, State, Window
from thirdcard.table.unseen import seen_counts

replace = msgspec.structs.replace


def new_shoe(state: State, command: commands.NewShoe) -> tuple[AnyEvent, ...]:
    need_dealer(state, command.by)
    if state.phase not in ("idle", "settled", "void"):
        raise refuse("wrong-phase", "a new shoe comes between two rounds")
    decks = (state.next_setup or state.setup).decks
    number = state.shoe.number + 1 if state.shoe else 1
    return (ShoeStarted(number=number, size=CARDS_IN_A_DECK * decks, rules=state.rules.decks.rules),)


def cut_card(state: State, command: commands.CutCard) -> tuple[AnyEvent, ...]:
    need_dealer(state, command.by)
    current = need_phase(state, "dealing")
    shoe = _shoe(state)
    if not cut_card_is_next(state, shoe):
        raise refuse("card-not-due", f"the cut card is not next: {shoe.left} cards are left")
    return (CutCardAppeared(first=not current.drawn, rules=_cut_rules(state)),)


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
    first = shoe.cut_first and not current.drawn and not current.irregularities
    if not (state.setup.high_limit and first and not current.withdrawable):
        raise refuse(
            "not-allowed-here",
            "wagers may be withdrawn only in the high-limit area, when the cut card comes first in a round",
            allowed.rules,
        )
    return (WithdrawalAllowed(by=command.by, rules=allowed.rules),)


def draw(state: State, command: commands.Draw) -> tuple[AnyEvent, ...]:
    need_drawer(state, command.by)
    rules, shoe = state.rules, state.shoe
    current = need_phase(state, "dealing", rules=rules.betting.closes.rules)
    assert shoe is not None  # a round is opened only with a shoe
    waits = shoe.waiting[0] if shoe.waiting else None
    card = _named(state, shoe, waits, command.card)
    hand = due_hand(state, current)
    if hand is None:
        raise refuse("card-not-due", why_not_due(state, current), rules.table_of_play.rules)
    if waits is not None and waits.name is not None and command.card not in (None, waits.name):
        first = waits.name.value if waits.face_up else "a card that nobody has seen"
        raise refuse("card-not-due", f"{first} came out before and is laid first: draw it without a name")
    if command.place:
        _need_place(state, current, command.place, hand)
    # Nothing can fail from here on.
    events: list[AnyEvent] = []
    if cut_card_is_next(state, shoe):
        events.append(CutCardAppeared(first=not current.drawn, rules=_cut_rules(state)))
    if current.window is not None or current.late_window is not None:
        events += close_windows(state, current)
    face_up = not state.setup.dealing.face_down or (waits is not None and waits.face_up)
    place = len(current.drawn) + 1
    events.append(
        CardDrawn(
            place=place,
            hand=hand,
            card=card,
            face_up=face_up,
            by=command.by,
            rules=rules.table_of_play.rules if place > INITIAL else (),
        )
    )
    if face_up and place >= INITIAL and rules.insurance is not None:
        drawn = (*current.drawn, DrawnCard(name=card, face_up=True))
        seen = replace(current, window=None, late_window=None, drawn=drawn)
        events += opened_window(state, seen)
    return tuple(events)


def _need_place(state: State, current: Round, place: int, hand: Side) -> None:
    """A card that is meant for a place goes to no other, and runs over no insurance."""
    due = len(current.drawn) + 1
    if place != due:
        raise refuse(
            "card-not-due",
            f"card {due} is due, for the {hand.label}, not card {place}",
            state.rules.table_of_play.rules,
        )
    if current.window is not None or current.late_window is not None:
        assert state.rules.insurance is not None  # else no window was opened
        raise refuse(
            "card-not-due",
            "insurance is open: close it before the next card",
            state.rules.insurance.forgone.rules,
        )


def _named(state: State, shoe: Shoe, waits: DrawnCard | None, card: Card | None) -> Card | None:
    """The name that goes on record: of a card that is seen or read as it comes, and of no other."""
    if waits is None and shoe.left == 0:
        raise refuse("shoe-empty", "there are no cards left in the shoe")
    if waits is not None and waits.name is not None:
        if card is not None and state.setup.reads_cards and not waits.face_up:
            raise refuse("card-not-seen", "nobody has seen the card that comes first: draw it without a name")
        return waits.name
    if state.setup.unseen:
        if card is not None:
            raise refuse(
                "card-not-seen",
                "nobody has seen a card that is drawn face down: draw it without a name, "
                "and name it when it is turned",
                state.setup.dealing.rules,
            )
        return None
    if card is None:
        raise refuse("card-not-named", "name the card that was drawn")
    need_in_shoe(shoe, card, seen_counts(state))
    return card


def need_drawer(state: State, person: str) -> None:
    """The dealer draws, unless a player controls the device: that takes a wager or leave for the round."""
    rules = state.setup.dealing.rules
    if state.device is None:
        need_dealer(state, person, rules)
        if state.setup.dealing.device == "player":
            _need_given(state)
        return
    need_person(state, person)
    if person != state.device:
        raise refuse("wrong-rank", f"{state.device} controls the device and draws", rules)
    if not holds_device_by_right(state):
        without = discretion(state.rules, "draw-without-wager")
        raise refuse(
            "not-allowed-here",
            f"{person} has no wager in this round: leave is needed to draw, or the dealer takes the device",
            without.rules if without else rules,
        )


def _need_given(state: State) -> None:
    """Where a player draws, the dealer begins a round only if nobody there could (interpretation 47)."""
    current = state.round
    if current is None or current.drawn or current.phase != "dealing":
        return
    if any(stake.player not in current.gone for stake in current.stakes.values()):
        raise refuse(
            "not-allowed-here",
            "a player draws in this method: give the device to one",
            state.setup.dealing.rules,
        )


def holds_device_by_right(state: State) -> bool:
    """Whether the holder of the device has a valid wager this round, or leave to draw without one."""
    current = state.round
    if current is None or state.leave == state.rounds:
        return True
    if current.phase in ("settled", "void"):
        return True
    return any(stake.player == state.device for stake in current.stakes.values())


def due_hand(state: State, current: Round) -> Side | None:
    """Whose card may be drawn now: due under the Table of Play, and all before it seen.

    Where the Banker's third card is seen first, it is drawn while the Player's lies face down.
    """
    drawn = len(current.drawn)
    if drawn < INITIAL:
        return Side.BANKER if drawn % 2 else Side.PLAYER
    seen = current.seen
    if len(seen) == drawn:
        return next_hand(state.rules.table_of_play, seen)
    return Side.BANKER if current.reversed and drawn == INITIAL + 1 and len(seen) == INITIAL else None


def why_not_due(state: State, current: Round) -> str:
    if current.all_seen:
        deal = state.deal()
        return f"nobody draws a further card: Player {deal.player_points}, Banker {deal.banker_points}"
    return "the cards that lie face down have to be exposed first"


def close_windows(state: State, current: Round) -> tuple[InsuranceClosed, ...]:
    """What ends the insurance on offer: silence forgoes it for the round (interpretation 14)."""
    return tuple(
        _closed(state, current, window)
        for window in (current.window, current.late_window)
        if window is not None
    )


def _closed(state: State, current: Round, window: Window) -> InsuranceClosed:
    assert state.rules.insurance is not None  # else no window was opened
    silent = _silent_in(current, window)
    return InsuranceClosed(
        window=window.number,
        forgone=tuple(silent),
        late=bool(window.late_for),
        rules=state.rules.insurance.forgone.rules if silent else (),
    )


def silent_people(current: Round) -> tuple[str, ...]:
    """Who has yet to answer the insurance on offer."""
    windows = [one for one in (current.window, current.late_window) if one is not None]
    return tuple(dict.fromkeys(who for window in windows for who in _silent_in(current, window)))


def _silent_in(current: Round, window: Window) -> list[str]:
    bought = {one.player for one in current.purchases if one.window == window.number}
    return [person for person in asked(current, window) if person not in {*window.answered, *bought}]


def asked(current: Round, window: Window) -> list[str]:
    """To whom a window is open: everybody with an original bet on a hand on offer, or who was neglected."""
    hands = {offer.hand for offer in window.offers}
    people = dict.fromkeys(stake.player for stake in current.stakes.values() if stake.bet in hands)
    if window.late_for:
        return [one for one in people if one in window.late_for and one not in current.forgone]
    return [one for one in people if not current.has_forgone(one)]


def expose(state: State, command: commands.Expose) -> tuple[AnyEvent, ...]:
    need_person(state, command.by)
    if command.names or command.player:
        need_dealer(state, command.by, state.rules.squeeze.rules)
    current = need_phase(state, "dealing")
    places = set(command.cards)
    for place in places or {0}:
        if not 1 <= place <= len(current.drawn) or current.drawn[place - 1].face_up:
            raise refuse("no-such-card", f"there is no face-down card at place {place}")
    names = _names_of(state, current, command)
    for place in sorted(places):
        _need_hands_on(state, current, place, command.player or command.by)
    exposed = places.union(current.exposed)
    _need_order(state, current, places, exposed)
    # Nothing can fail from here on.
    flipped = tuple(
        replace(card, face_up=True, name=names.get(place, card.name)) if place in places else card
        for place, card in enumerate(current.drawn, start=1)
    )
    event = CardsExposed(places=tuple(sorted(places)), by=command.player or command.by, names=names)
    shown = replace(current, drawn=flipped, window=None, late_window=None)
    return (*close_windows(state, current), event, *opened_window(state, shown))


def _names_of(state: State, current: Round, command: commands.Expose) -> dict[int, Card]:
    """What shows on cards without a name; a name that is on record is not given twice."""
    if command.names and len(command.names) != len(command.cards):
        raise refuse("card-not-named", "name each of the cards that are turned, in the same order")
    given = dict(zip(command.cards, command.names, strict=False))
    shoe = _shoe(state)
    counts = seen_counts(state)
    names: dict[int, Card] = {}
    for place in sorted(set(command.cards)):
        known, name = current.drawn[place - 1].name, given.get(place)
        if known is None and name is None:
            raise refuse(
                "card-not-named",
                f"no device has read the card at place {place}: staff expose it with what shows (names), "
                "and say whose hand turned it (player)",
            )
        if known is not None:
            if name is not None and state.setup.reads_cards:
                raise refuse("card-not-seen", f"the card at place {place} has been read: leave its name out")
            if name not in (None, known):
                raise refuse("card-not-in-shoe", f"the card at place {place} is {known} on record")
            continue
        assert name is not None
        need_in_shoe(shoe, name, counts)
        counts[name.value] = counts.get(name.value, 0) + 1
        names[place] = name
    return names


def _need_hands_on(state: State, current: Round, place: int, person: str) -> None:
    """Cards are turned by who holds them, all others by the dealer or by who controls the device.

    The dealer also turns what somebody holds who is gone (RWS 5.3.1, MBS 5.10).
    """
    holder = current.drawn[place - 1].holder
    deals = is_dealer(state, person)
    if holder and holder != person and not (deals and holder in current.gone):
        raise refuse("card-not-yours", f"{holder} holds the card at place {place}", state.rules.squeeze.rules)
    if not holder and not deals and person != state.device:
        raise refuse(
            "card-not-yours", f"the dealer turns the card at place {place}", state.rules.squeeze.rules
        )


def _need_order(state: State, current: Round, places: set[int], exposed: set[int]) -> None:
    """The hand that the dealer chose is revealed first; third cards in their order, or reversed."""
    first = current.first_hand
    if first is not None and len(current.drawn) <= INITIAL:
        before = {Side.PLAYER: {1, 3}, Side.BANKER: {2, 4}}
        if places & before[first.other] and not before[first] <= exposed:
            chosen = discretion(state.rules, "first-hand")
            rules = chosen.rules if chosen else ()
            raise refuse("card-not-due", f"the {first.label} hand is revealed first", rules)
    if current.reversed and INITIAL + 1 in exposed and INITIAL + 2 not in exposed:
        raise refuse("card-not-due", "the Banker's third card is seen first", state.rules.squeeze.rules)


def opened_window(state: State, current: Round) -> tuple[AnyEvent, ...]:
    """The insurance window that the cards lying there open, if one does and it is not over yet."""
    insurance = state.rules.insurance
    if insurance is None or not state.setup.insurance or current.window is not None:
        return ()
    seen = current.seen
    if len(seen) < INITIAL or len(seen) < len(current.drawn) or current.phase != "dealing":
        return ()
    table = state.rules.table_of_play
    if next_hand(table, seen) is None:
        return ()
    deal = Deal(table, seen)
    window = open_window(deal)
    if window is None or window in current.windows or (window == SECOND and current.reversed):
        return ()
    hands = hands_insured(current)
    offers = tuple([offer for offer in offers_at(insurance, deal, window) if offer.hand in hands])
    if not offers:
        return ()
    return (InsuranceOpened(window=window, offers=offers, rules=insurance.rules),)  # type: ignore[arg-type]


def _shoe(state: State) -> Shoe:
    assert state.shoe is not None  # a round is opened only with a shoe
    return state.shoe
