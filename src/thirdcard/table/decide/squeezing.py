"""Who may handle the cards, and who may draw them."""

from thirdcard.play.tableau import INITIAL, LONGEST
from thirdcard.rulebook.model import Fact, Rules, Side
from thirdcard.table import commands
from thirdcard.table.decide.checks import (
    acting_for,
    need_dealer,
    need_person,
    need_phase,
    need_player,
    need_rank,
    need_reason,
    refuse,
)
from thirdcard.table.events import (
    AnyEvent,
    CardsHanded,
    CardsRefused,
    CardsRetrieved,
    DeviceGiven,
    DeviceReturned,
    FirstHandChosen,
    SqueezePermitted,
    SqueezeRequested,
    ThirdCardRequested,
    ThirdCardsReversed,
)
from thirdcard.table.ranks import case_rules, discretion, has_rank
from thirdcard.table.rights.drawing import banker_draws_anyway, banker_third_is_first
from thirdcard.table.rights.squeezing import (
    handlers,
    has_wager,
    holds_device_by_right,
    in_line,
    may_be_handed,
    permit_of,
)
from thirdcard.table.state import Round, State
from thirdcard.words.saying import say


def reveal_first(state: State, command: commands.RevealFirst) -> tuple[AnyEvent, ...]:
    chooses = discretion(state.rulebook, "first-hand")
    if chooses is None:
        need_person(state, command.by)
        raise refuse("not-allowed-here", say("document-does-not-know"))
    need_rank(state, command.by, chooses.rank, chooses.rules)
    current = need_phase(state, "dealing", rules=chooses.rules)
    if (
        not state.setup.dealing.face_down
        or len(current.drawn) != INITIAL
        or current.exposed
        or current.first_hand
    ):
        raise refuse("card-not-due", say("order-chosen-once"), chooses.rules)
    return (FirstHandChosen(hand=command.hand, by=command.by, rules=chooses.rules),)


def request(state: State, command: commands.RequestSqueeze) -> tuple[AnyEvent, ...]:
    """The person with the largest bet asks, before the card is dealt."""
    rights = state.rulebook.squeeze
    player, staff = acting_for(state, command.by, command.player)
    current = need_phase(state, "dealing", rules=rights.rules)
    need_player(state, player)
    if rights.right != "largest-bet" or not state.setup.dealing.face_down:
        raise refuse("not-allowed-here", say("squeezing-not-asked-here"), rights.rules)
    _need_undrawn(state, current, command.cards)
    if in_line(state, current)[:1] != [player]:
        raise refuse("no-right-to-squeeze", say("not-largest-bet", who=player), rights.rules)
    places = tuple(sorted(set(command.cards)))
    if set(places) & set(current.requests.get(player, ())):
        raise refuse("no-right-to-squeeze", say("asked-for-cards-already", who=player), rights.rules)
    return (SqueezeRequested(player=player, places=places, by=staff, rules=rights.rules),)


def _need_undrawn(state: State, current: Round, places: tuple[int, ...]) -> None:
    if not places or not all(len(current.drawn) < place <= LONGEST for place in places):
        raise refuse(
            "no-such-card",
            say("cards-to-come-are", drawn=len(current.drawn) + 1, longest=LONGEST),
            state.rulebook.squeeze.rules,
        )


def permit(state: State, command: commands.PermitSqueeze) -> tuple[AnyEvent, ...]:
    """The House lets a person squeeze.

    Where squeezing is asked for, the one who asked, and the cards asked for. Elsewhere a pit manager may let
    anybody at the table, and a pit supervisor may where no rule names a person.
    """
    rights = state.rulebook.squeeze
    if rights.right == "largest-bet":
        need_rank(state, command.by, rights.permission, rights.rules)
        current = need_phase(state, "dealing", rules=rights.rules)
        need_player(state, command.player)
        _need_undrawn(state, current, command.cards)
        asked = current.requests.get(command.player, ())
        if not set(command.cards) <= set(asked):
            raise refuse(
                "no-right-to-squeeze", say("has-not-asked-for-cards", who=command.player), rights.rules
            )
        _need_there(current, command.player, rights.rules)
        if command.player not in in_line(state, current):
            raise refuse("no-right-to-squeeze", say("no-bet-for-right", who=command.player), rights.rules)
        rules = rights.rules
    else:
        rules = _permit_by_rank(state, command)
    assert state.round is not None
    permits = [permit_of(state.round, place) for place in command.cards]
    if any(one is not None and one.player == command.player for one in permits):
        raise refuse("no-right-to-squeeze", say("may-squeeze-already", who=command.player), rules)
    return (
        SqueezePermitted(
            player=command.player, places=tuple(sorted(set(command.cards))), by=command.by, rules=rules
        ),
    )


def _need_there(current: Round, player: str, rules: Rules) -> None:
    if player in current.away:
        raise refuse("no-right-to-squeeze", say("not-there", who=player), rules)


def _permit_by_rank(state: State, command: commands.PermitSqueeze) -> tuple[str, ...]:
    anybody, unnamed = discretion(state.rulebook, "any-squeezer"), discretion(state.rulebook, "handler")
    assert anybody is not None  # documents with this right have both
    assert unnamed is not None
    need_rank(state, command.by, unnamed.rank, unnamed.rules)
    current = need_phase(state, "dealing", rules=anybody.rules)
    need_player(state, command.player)
    if state.setup.dealing.handles == "dealer":
        raise refuse("not-allowed-here", say("players-do-not-handle-cards"), state.setup.dealing.rules)
    for place in command.cards or (0,):
        if not 1 <= place <= LONGEST or place in current.exposed or place in current.handed:
            raise refuse("no-such-card", say("no-card-to-give", place=place), anybody.rules)
    _need_there(current, command.player, anybody.rules)
    if has_rank(state, command.by, anybody.rank):
        return anybody.rules
    named = [
        place for place in command.cards if place > len(current.drawn) or handlers(state, current, place)
    ]
    if named:
        need_rank(state, command.by, anybody.rank, anybody.rules)
    return unnamed.rules


def hand_over(state: State, command: commands.HandOver) -> tuple[AnyEvent, ...]:
    """To whom the cards go by right; or, on record, where they wrongly went."""
    rules = state.setup.handing_rules
    need_dealer(state, command.by, rules)
    current = need_phase(state, "dealing", rules=rules)
    need_player(state, command.player)
    for place in command.cards or (0,):
        if not 1 <= place <= len(current.drawn) or place in current.exposed or place in current.handed:
            raise refuse("no-such-card", say("no-face-down-card-to-give", place=place), rules)
    rightful = [may_be_handed(state, current, place, command.player) for place in command.cards]
    if command.wrongly:
        if all(rightful):
            raise refuse("condition-not-met", say("has-right-to-cards", who=command.player), rules)
        rules = case_rules(state.rulebook, "wrong-person") or rules
        places = tuple(sorted(set(command.cards)))
        return (CardsHanded(places=places, player=command.player, wrongly=True, rules=rules),)
    if not all(rightful):
        place = command.cards[rightful.index(False)]
        raise refuse(
            "no-right-to-squeeze",
            say("may-not-squeeze", who=command.player, place=place),
            rules,
        )
    permits = [one for place in command.cards if (one := permit_of(current, place))]
    theirs = [one.rules for one in permits if one.player == command.player]
    by = theirs[0] if theirs else state.setup.dealing.handing_rules or rules
    return (CardsHanded(places=tuple(sorted(set(command.cards))), player=command.player, rules=by),)


def take_cards(state: State, command: commands.TakeCards) -> tuple[AnyEvent, ...]:
    """Whoever holds them is gone, refuses to turn them, does not answer, or should not have them."""
    rules = case_rules(state.rulebook, "absent-handler") or state.setup.handing_rules
    need_dealer(state, command.by, rules)
    current = need_phase(state, "dealing", rules=rules)
    need_reason(command.reason, rules)
    for place in command.cards or (0,):
        if place not in current.handed:
            raise refuse("no-such-card", say("nobody-holds-card", place=place), rules)
    places = tuple(sorted(set(command.cards)))
    return (CardsRetrieved(places=places, by=command.by, reason=command.reason, rules=rules),)


def refuse_cards(state: State, command: commands.RefuseCards) -> tuple[AnyEvent, ...]:
    """The right passes to the next in line; cards already in hand go back to the dealer."""
    rules = state.setup.handing_rules
    player, staff = acting_for(state, command.by, command.player)
    current = need_phase(state, "dealing", rules=rules)
    need_player(state, player)
    if state.rulebook.squeeze.right == "largest-bet" or state.setup.dealing.handles == "dealer":
        raise refuse("not-allowed-here", say("nobody-handles-cards"), rules)
    if player not in _entitled(state, current, command.hand):
        raise refuse("no-right-to-squeeze", say("not-theirs-to-refuse", who=player), rules)
    return (CardsRefused(hand=command.hand, player=player, by=staff, rules=rules),)


def _entitled(state: State, current: Round, hand: Side) -> set[str]:
    """Who has cards of that hand, or is to be handed them, by right or because somebody of rank said so."""
    table = state.rulebook.table_of_play
    places = [p for p in range(1, LONGEST + 1) if current.hand(table, p) is hand and p not in current.exposed]
    found = {person for place in places for person in handlers(state, current, place)}
    return found | {current.handed[place] for place in places if place in current.handed}


def request_banker_third_first(
    state: State, command: commands.RequestBankerThirdFirst
) -> tuple[AnyEvent, ...]:
    """The player with the highest bet asks; only then may the House consent (interpretation 16)."""
    reversal = _reversal(state, command.by)
    player, staff = acting_for(state, command.by, command.player)
    current = need_phase(state, "dealing", rules=reversal.rules)
    need_player(state, player)
    _need_third_due(state, current, player, reversal.rules)
    if current.third_request == player:
        raise refuse("card-not-due", say("asked-already", who=player), reversal.rules)
    return (ThirdCardRequested(player=player, by=staff, rules=reversal.rules),)


def _reversal(state: State, person: str) -> Fact:
    reversal = state.rulebook.squeeze.banker_third_first
    if reversal is None:
        need_person(state, person)
        raise refuse("not-allowed-here", say("document-does-not-know"))
    return reversal


def banker_third_first(state: State, command: commands.BankerThirdFirst) -> tuple[AnyEvent, ...]:
    """Only where the Banker's third card is due whatever the Player's is, and only if it was asked for."""
    reversal, rights = _reversal(state, command.by), state.rulebook.squeeze
    need_rank(state, command.by, rights.permission, reversal.rules)
    current = need_phase(state, "dealing", rules=reversal.rules)
    need_player(state, command.player)
    _need_third_due(state, current, command.player, reversal.rules)
    if current.third_request != command.player:
        raise refuse("no-right-to-squeeze", say("has-not-asked", who=command.player), reversal.rules)
    return (ThirdCardsReversed(player=command.player, by=command.by, rules=reversal.rules),)


def _need_third_due(state: State, current: Round, player: str, rules: Rules) -> None:
    if not state.setup.dealing.face_down:
        raise refuse("not-allowed-here", say("dealt-face-up-here"), rules)
    if in_line(state, current)[:1] != [player]:
        raise refuse("no-right-to-squeeze", say("not-largest-bet", who=player), rules)
    due = len(current.drawn) in (INITIAL, INITIAL + 1) and banker_draws_anyway(state, state.deal())
    if banker_third_is_first(state, current):
        raise refuse("card-not-due", say("banker-third-first-already"), rules)
    if not due:
        raise refuse(
            "card-not-due",
            say("banker-third-first-needs-due"),
            rules,
        )


def give_device(state: State, command: commands.GiveDevice) -> tuple[AnyEvent, ...]:
    """A player with any wager may draw; without one only by leave, asked anew each round."""
    method, without = state.setup.dealing, discretion(state.rulebook, "draw-without-wager")
    wagers = state.round is not None and has_wager(state, state.round, command.player)
    if wagers or without is None:
        need_dealer(state, command.by, method.rules)
    else:
        need_rank(state, command.by, without.rank, without.rules)
    current = need_phase(state, "betting", "dealing", rules=method.rules)
    need_player(state, command.player)
    if method.device != "player":
        raise refuse("not-allowed-here", say("dealer-keeps-device"), method.rules)
    renews = state.device == command.player and not wagers and state.leave != state.rounds
    if current.drawn or (state.device is not None and not renews):
        holder = state.device or "the dealer"
        raise refuse("not-allowed-here", say("has-device", who=holder), method.rules)
    if command.player in current.away:
        raise refuse("not-allowed-here", say("not-there", who=command.player), method.rules)
    rules = method.rules if wagers or without is None else without.rules
    return (DeviceGiven(player=command.player, by=command.by, without_wager=not wagers, rules=rules),)


def give_up_device(state: State, command: commands.GiveUpDevice) -> tuple[AnyEvent, ...]:
    method = state.setup.dealing
    player = command.player or command.by
    staff = command.by if player != command.by else ""
    if staff:
        need_dealer(state, staff, method.rules)
    else:
        need_person(state, player)
    if state.device != player:
        raise refuse("not-allowed-here", say("has-no-device", who=player), method.rules)
    return (DeviceReturned(player=player, why="given-up", by=staff, rules=method.given_up_rules),)


def take_device(state: State, command: commands.TakeDevice) -> tuple[AnyEvent, ...]:
    """Who is gone or draws without right does not keep the device; anybody else keeps it (MBS 3.12.8)."""
    rules = state.setup.dealing.rules
    need_dealer(state, command.by, rules)
    holder = state.device
    if holder is None:
        raise refuse("not-allowed-here", say("dealer-has-device"), rules)
    gone = state.round is not None and holder in state.round.gone
    playing = state.round is not None and state.round.phase == "dealing"
    if not gone and (not playing or holds_device_by_right(state)):
        raise refuse("not-allowed-here", say("keeps-device", who=holder), rules)
    return (DeviceReturned(player=holder, why="taken", rules=rules),)
