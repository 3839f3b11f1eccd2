"""Shoe and cards: drawn, and seen by everybody."""

from typing import Literal, NoReturn

import msgspec

from thirdcard.cards import CARDS_IN_A_DECK, Card
from thirdcard.play.tableau import INITIAL
from thirdcard.rulebook.model import Side
from thirdcard.table import commands
from thirdcard.table.decide.checks import (
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
from thirdcard.table.ranks import discretion, is_dealer
from thirdcard.table.rights.drawing import (
    any_card_out,
    banker_third_is_first,
    cards_to_come,
    cut_card_is_next,
    due_hand,
    is_sorted,
)
from thirdcard.table.rights.insurance import open_windows, silent_in, to_be_offered
from thirdcard.table.rights.squeezing import holds_device_by_right
from thirdcard.table.state import DrawnCard, Round, Shoe, State
from thirdcard.table.unseen import seen_counts
from thirdcard.words.saying import Saying, say

replace = msgspec.structs.replace


def new_shoe(state: State, command: commands.NewShoe) -> tuple[AnyEvent, ...]:
    need_dealer(state, command.by)
    if state.phase not in ("idle", "settled", "void"):
        raise refuse("wrong-phase", say("new-shoe-between-rounds"))
    decks = (state.next_setup or state.setup).decks
    number = state.shoe.number + 1 if state.shoe else 1
    return (ShoeStarted(number=number, size=CARDS_IN_A_DECK * decks, rules=state.rulebook.decks.rules),)


def cut_card(state: State, command: commands.CutCard) -> tuple[AnyEvent, ...]:
    need_dealer(state, command.by)
    current = need_phase(state, "dealing")
    shoe = _shoe(state)
    if not cut_card_is_next(state, shoe):
        raise refuse("card-not-due", say("cut-card-not-next", left=shoe.left))
    return (CutCardAppeared(first=not current.drawn, rules=_cut_rules(state)),)


def _cut_rules(state: State) -> tuple[str, ...]:
    return state.rulebook.cut_card.rules if state.rulebook.cut_card else ()


def allow_withdrawal(state: State, command: commands.AllowWithdrawal) -> tuple[AnyEvent, ...]:
    allowed = discretion(state.rulebook, "cut-card-withdrawal")
    if allowed is None:
        need_person(state, command.by)
        raise refuse("not-allowed-here", say("document-does-not-know"))
    need_rank(state, command.by, allowed.rank, allowed.rules)
    current = need_phase(state, "dealing", rules=allowed.rules)
    for is_so, key in (
        (not state.setup.high_limit, "withdrawal-needs-high-limit-area"),
        (not current.cut_first, "cut-card-was-not-first"),
        (any_card_out(current), "card-drawn-since-cut-card"),
        (current.withdrawal, "allowed-already"),
    ):
        if is_so:
            raise refuse("not-allowed-here", say(key), allowed.rules)
    return (WithdrawalAllowed(by=command.by, rules=allowed.rules),)


def draw(state: State, command: commands.Draw) -> tuple[AnyEvent, ...]:
    drew = command.player or command.by
    need_drawer(state, command.by, drew)
    book, shoe = state.rulebook, state.shoe
    current = need_phase(state, "dealing", rules=book.betting.closes.rules)
    assert shoe is not None  # a round is opened only with a shoe
    waits = shoe.waiting[0] if shoe.waiting else None
    card = _named(state, shoe, waits, command.card)
    hand = due_hand(state, current)
    if hand is None:
        raise refuse("card-not-due", why_not_due(state, current), book.table_of_play.rules)
    if waits is not None and waits.name is not None and command.card not in (None, waits.name):
        first = waits.name.value if waits.face_up else "a card that nobody has seen"
        raise refuse("card-not-due", say("waiting-card-is-laid-first", card=str(first)))
    if command.place:
        _need_place(state, current, command.place, hand)
    # Nothing can fail from here on.
    events: list[AnyEvent] = []
    if cut_card_is_next(state, shoe):
        events.append(CutCardAppeared(first=not current.drawn, rules=_cut_rules(state)))
    if current.offerings:
        events += close_windows(state, current)
    face_up = not state.setup.dealing.face_down or (waits is not None and waits.face_up)
    place = len(current.drawn) + 1
    events.append(
        CardDrawn(
            place=place,
            hand=hand,
            card=card,
            face_up=face_up,
            by=drew,
            keyed=command.by if drew != command.by else "",
            rules=book.table_of_play.rules if place > INITIAL else (),
        )
    )
    if face_up and place >= INITIAL and book.insurance is not None:
        events += opened_window(
            state, replace(current, drawn=(*current.drawn, DrawnCard(name=card, face_up=True)))
        )
    return tuple(events)


def _need_place(state: State, current: Round, place: int, hand: Side) -> None:
    """A card that is meant for a place goes to no other, and runs over no insurance."""
    due = len(current.drawn) + 1
    if place != due:
        raise refuse(
            "card-not-due",
            say("another-card-due", due=due, hand=hand, place=place),
            state.rulebook.table_of_play.rules,
        )
    if open_windows(state, current):
        assert state.rulebook.insurance is not None  # else no window was opened
        raise refuse(
            "card-not-due",
            say("close-insurance-first"),
            state.rulebook.insurance.forgone.rules,
        )


def _named(state: State, shoe: Shoe, waits: DrawnCard | None, card: Card | None) -> Card | None:
    """The name that goes on record: of a card that is seen or read as it comes, and of no other."""
    if waits is None and not cards_to_come(state):
        _refuse_to_draw(state)
    if waits is not None and waits.name is not None:
        if card is not None and state.setup.reads_cards and not waits.face_up:
            raise refuse("card-not-seen", say("next-card-unseen"))
        return waits.name
    if state.setup.unseen:
        if card is not None:
            raise refuse(
                "card-not-seen",
                say("drawn-card-unseen"),
                state.setup.dealing.rules,
            )
        return None
    if card is None:
        raise refuse("card-not-named", say("name-drawn-card"))
    need_in_shoe(shoe, card, seen_counts(state))
    return card


def _refuse_to_draw(state: State) -> NoReturn:
    """Once the cards of the device are sorted only those that were set aside can be drawn (MBS 5.11)."""
    if state.round is None or not is_sorted(state.round):
        raise refuse("shoe-empty", say("shoe-is-empty"))
    too_few = state.rulebook.procedure("too-few-cards")
    raise refuse(
        "shoe-empty",
        say("cards-lie-sorted", case=too_few.case if too_few else "too few cards"),
        too_few.rules if too_few else (),
    )


def need_drawer(state: State, person: str, drew: str) -> None:
    """The dealer draws, unless a player controls the device: that takes a wager or leave for the round.

    What a player draws the dealer may record.
    """
    rules = state.setup.dealing.rules
    if drew != person:
        need_dealer(state, person, rules)
        if state.device is None:
            raise refuse("not-allowed-here", say("has-no-device", who=drew), rules)
        person = drew
    if state.device is None:
        need_dealer(state, person, rules)
        if state.setup.dealing.device == "player":
            _need_given(state)
        return
    need_person(state, person)
    if person != state.device:
        raise refuse("wrong-rank", say("device-holder-draws", who=state.device), rules)
    if not holds_device_by_right(state):
        without = discretion(state.rulebook, "draw-without-wager")
        raise refuse(
            "not-allowed-here",
            say("draws-without-wager-needs-leave", who=person),
            without.rules if without else rules,
        )


def _need_given(state: State) -> None:
    """Where a player draws, the dealer begins a round only if nobody there could (interpretation 47)."""
    current = state.round
    if current is None or current.drawn or current.phase != "dealing":
        return
    if current.dealer_draws:
        return  # the rank that decides what no rule covers has let the dealer
    if any(stake.player not in current.gone for stake in current.stakes.values()):
        raise refuse(
            "not-allowed-here",
            say("player-draws-here"),
            state.setup.dealing.rules,
        )


def why_not_due(state: State, current: Round) -> Saying:
    if current.all_seen:
        deal = state.deal()
        return say("nobody-draws-further", player_points=deal.player_points, banker_points=deal.banker_points)
    return say("face-down-exposed-first")


def close_windows(state: State, current: Round) -> tuple[InsuranceClosed, ...]:
    """What ends the insurance on offer: silence forgoes it for the round (interpretation 14)."""
    forgone: dict[tuple[Literal[1, 2], bool], list[str]] = {}
    for window in open_windows(state, current):
        forgone.setdefault((window.number, bool(window.late_for)), []).extend(
            silent_in(state, current, window)
        )
    insurance = state.rulebook.insurance
    return tuple(
        InsuranceClosed(
            window=number,
            forgone=tuple(dict.fromkeys(silent)),
            late=late,
            rules=insurance.forgone.rules if silent and insurance else (),
        )
        for (number, late), silent in forgone.items()
    )


def expose(state: State, command: commands.Expose) -> tuple[AnyEvent, ...]:
    need_person(state, command.by)
    if command.names or command.player:
        need_dealer(state, command.by, state.setup.handing_rules)
    current = need_phase(state, "dealing")
    places = set(command.cards)
    for place in places or {0}:
        if not 1 <= place <= len(current.drawn) or current.drawn[place - 1].face_up:
            raise refuse("no-such-card", say("no-face-down-card", place=place))
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
    shown = replace(current, drawn=flipped)
    return (*close_windows(state, current), event, *opened_window(state, shown))


def _names_of(state: State, current: Round, command: commands.Expose) -> dict[int, Card]:
    """What shows on cards without a name; a name that is on record is not given twice."""
    if command.names and len(command.names) != len(command.cards):
        raise refuse("card-not-named", say("name-turned-cards"))
    given = dict(zip(command.cards, command.names, strict=False))
    shoe = _shoe(state)
    counts = seen_counts(state)
    names: dict[int, Card] = {}
    for place in sorted(set(command.cards)):
        known, name = current.drawn[place - 1].name, given.get(place)
        if known is None and name is None:
            raise refuse(
                "card-not-named",
                say("card-not-read", place=place),
            )
        if known is not None:
            if name is not None and state.setup.reads_cards:
                raise refuse("card-not-seen", say("card-was-read", place=place))
            if name not in (None, known):
                raise refuse("card-not-in-shoe", say("card-is-on-record", place=place, card=str(known)))
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
        raise refuse(
            "card-not-yours", say("holds-card-place", who=holder, place=place), state.setup.handing_rules
        )
    if not holder and not deals and person != state.device:
        raise refuse("card-not-yours", say("dealer-turns-card", place=place), state.setup.handing_rules)


def _need_order(state: State, current: Round, places: set[int], exposed: set[int]) -> None:
    """The hand that the dealer chose is revealed first; third cards in their order, or reversed."""
    first = current.first_hand
    if first is not None and len(current.drawn) <= INITIAL:
        before = {Side.PLAYER: {1, 3}, Side.BANKER: {2, 4}}
        if places & before[first.other] and not before[first] <= exposed:
            chosen = discretion(state.rulebook, "first-hand")
            rules = chosen.rules if chosen else ()
            raise refuse("card-not-due", say("revealed-first-already", hand=first), rules)
    if banker_third_is_first(state, current) and INITIAL + 1 in exposed and INITIAL + 2 not in exposed:
        reversal = state.rulebook.squeeze.banker_third_first
        rules = reversal.rules if reversal else ()
        raise refuse("card-not-due", say("banker-third-is-seen-first"), rules)


def opened_window(state: State, current: Round) -> tuple[AnyEvent, ...]:
    """The insurance that the cards lying there open, as far as it was not offered yet."""
    insurance = state.rulebook.insurance
    if insurance is None:
        return ()
    window, offers = to_be_offered(state, current)
    if not offers:
        return ()
    return (InsuranceOpened(window=window, offers=offers, rules=insurance.rules),)  # type: ignore[arg-type]


def _shoe(state: State) -> Shoe:
    assert state.shoe is not None  # a round is opened only with a shoe
    return state.shoe
