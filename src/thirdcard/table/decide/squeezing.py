"""Who may handle the cards, and who may draw them."""

from thirdcard.play.tableau import INITIAL, LONGEST, hand_at
from thirdcard.rulebook.model import Side
from thirdcard.table import commands
from thirdcard.table.decide.checks import (
    discretion,
    has_rank,
    need_person,
    need_phase,
    need_player,
    need_rank,
    refuse,
)
from thirdcard.table.events import (
    AnyEvent,
    CardsHanded,
    CardsRefused,
    DeviceGiven,
    DeviceReturned,
    FirstHandChosen,
    SqueezePermitted,
    SqueezeRequested,
    ThirdCardsReversed,
)
from thirdcard.table.state import HANDS, Round, State

ALWAYS_DUE = 2  # a Banker hand of up to so many points draws whatever the Player's third card is


def in_line(state: State, current: Round, hand: Side | None = None) -> list[str]:
    """Who has the right to squeeze, in order.

    By the largest single stake on either hand at the table (RWS), or by the highest total on one hand (MBS).
    Equal: the earliest placed, then counter-clockwise from there, which is by rising box number.
    """
    rights = state.rules.squeeze
    best: dict[str, tuple[int, int, int]] = {}
    for stake in current.stakes.values():
        if stake.bet not in HANDS or (hand is not None and stake.bet != hand):
            continue
        if rights.seated_only and not stake.seated:
            continue
        cents, order, box = best.get(stake.player, (0, stake.order, stake.box))
        if rights.right == "largest-bet":
            if stake.cents > cents or (stake.cents == cents and stake.order < order):
                best[stake.player] = (stake.cents, stake.order, stake.box)
        else:
            best[stake.player] = (cents + stake.cents, max(order, stake.order), box)
    if not best:
        return []
    people: list[str] = []
    for amount in sorted({cents for cents, _, _ in best.values()}, reverse=True):
        equal = [person for person, (cents, _, _) in best.items() if cents == amount]
        first = min(equal, key=lambda person: best[person][1])
        start = best[first][2]
        people += sorted(
            equal, key=lambda p: (p != first, (best[p][2] - start) % state.setup.positions, best[p][1])
        )
    return people


def hand_of(state: State, current: Round, place: int) -> Side | None:
    """The hand a drawn card belongs to."""
    return hand_at(state.rules.table_of_play, current.cards, place)


def handlers(state: State, current: Round, place: int) -> list[str]:
    """Who may be handed the card at that place, the first in line first; empty if only the dealer may."""
    method = state.setup.dealing
    if method.handles == "dealer" or not method.face_down:
        return []
    if place in current.permits:
        return [current.permits[place].player]
    if state.rules.squeeze.right == "largest-bet":
        return []  # squeezing takes a permission
    hand = hand_of(state, current, place)
    line = in_line(state, current, hand) if hand else []
    willing = [person for person in line if (hand, person) not in current.refused]
    return willing[:1]


def reveal_first(state: State, command: commands.RevealFirst) -> tuple[AnyEvent, ...]:
    chooses = discretion(state.rules, "first-hand")
    if chooses is None:
        need_person(state, command.by)
        raise refuse("not-allowed-here", "this document does not know it")
    need_rank(state, command.by, chooses.rank, chooses.rules)
    current = need_phase(state, "dealing", rules=chooses.rules)
    if (
        not state.setup.dealing.face_down
        or len(current.cards) != INITIAL
        or current.exposed
        or current.first_hand
    ):
        raise refuse("card-not-due", "the order is chosen once, when four cards lie face down", chooses.rules)
    return (FirstHandChosen(hand=command.hand, by=command.by, rules=chooses.rules),)


def request(state: State, command: commands.RequestSqueeze) -> tuple[AnyEvent, ...]:
    """The person with the largest bet asks, before the card is dealt."""
    rights = state.rules.squeeze
    need_person(state, command.by)
    current = need_phase(state, "dealing", rules=rights.rules)
    need_player(state, command.by)
    if rights.right != "largest-bet" or not state.setup.dealing.face_down:
        raise refuse("not-allowed-here", "squeezing is not asked for at this table", rights.rules)
    _need_undrawn(state, current, command.cards)
    if in_line(state, current)[:1] != [command.by]:
        raise refuse("no-right-to-squeeze", f"{command.by} does not have the largest bet", rights.rules)
    return (
        SqueezeRequested(player=command.by, places=tuple(sorted(set(command.cards))), rules=rights.rules),
    )


def _need_undrawn(state: State, current: Round, places: tuple[int, ...]) -> None:
    if not places or not all(len(current.cards) < place <= LONGEST for place in places):
        raise refuse(
            "no-such-card",
            f"cards to come are those from place {len(current.cards) + 1} to {LONGEST}",
            state.rules.squeeze.rules,
        )


def permit(state: State, command: commands.PermitSqueeze) -> tuple[AnyEvent, ...]:
    """The House lets a person squeeze.

    Where squeezing is asked for, the one who asked, and the cards asked for. Elsewhere a pit manager may let
    anybody at the table, and a pit supervisor may where no rule names a person.
    """
    rights = state.rules.squeeze
    if rights.right == "largest-bet":
        need_rank(state, command.by, rights.permission, rights.rules)
        current = need_phase(state, "dealing", rules=rights.rules)
        need_player(state, command.player)
        _need_undrawn(state, current, command.cards)
        asked = current.requests.get(command.player, ())
        if not set(command.cards) <= set(asked):
            raise refuse(
                "no-right-to-squeeze", f"{command.player} has not asked for those cards", rights.rules
            )
        rules = rights.rules
    else:
        rules = _permit_by_rank(state, command)
    return (
        SqueezePermitted(
            player=command.player, places=tuple(sorted(set(command.cards))), by=command.by, rules=rules
        ),
    )


def _permit_by_rank(state: State, command: commands.PermitSqueeze) -> tuple[str, ...]:
    anybody, unnamed = discretion(state.rules, "any-squeezer"), discretion(state.rules, "handler")
    assert anybody is not None  # documents with this right have both
    assert unnamed is not None
    need_rank(state, command.by, unnamed.rank, unnamed.rules)
    current = need_phase(state, "dealing", rules=anybody.rules)
    need_player(state, command.player)
    if state.setup.dealing.handles == "dealer":
        raise refuse(
            "not-allowed-here", "players do not handle the cards in this method", state.setup.dealing.rules
        )
    for place in command.cards or (0,):
        if not 1 <= place <= LONGEST or place in current.exposed or place in current.handed:
            raise refuse("no-such-card", f"there is no card to give at place {place}", anybody.rules)
    if has_rank(state, command.by, anybody.rank):
        return anybody.rules
    named = [
        place for place in command.cards if place > len(current.cards) or handlers(state, current, place)
    ]
    if named:
        need_rank(state, command.by, anybody.rank, anybody.rules)
    return unnamed.rules


def hand_over(state: State, command: commands.HandOver) -> tuple[AnyEvent, ...]:
    rules = state.rules.squeeze.rules
    need_rank(state, command.by, "dealer", rules)
    current = need_phase(state, "dealing", rules=rules)
    need_player(state, command.player)
    for place in command.cards or (0,):
        if not 1 <= place <= len(current.cards) or place in current.exposed or place in current.handed:
            raise refuse("no-such-card", f"there is no face-down card to give at place {place}", rules)
    for place in command.cards:
        if handlers(state, current, place) != [command.player]:
            raise refuse(
                "no-right-to-squeeze", f"{command.player} may not squeeze the card at place {place}", rules
            )
    permits = [current.permits[place].rules for place in command.cards if place in current.permits]
    by = permits[0] if permits else state.setup.dealing.handing_rules or rules
    return (CardsHanded(places=tuple(sorted(set(command.cards))), player=command.player, rules=by),)


def refuse_cards(state: State, command: commands.RefuseCards) -> tuple[AnyEvent, ...]:
    """The right passes to the next in line; cards already in hand go back to the dealer."""
    rules = state.rules.squeeze.rules
    need_person(state, command.by)
    current = need_phase(state, "dealing", rules=rules)
    need_player(state, command.by)
    if state.rules.squeeze.right == "largest-bet" or state.setup.dealing.handles == "dealer":
        raise refuse("not-allowed-here", "nobody is made to handle cards at this table", rules)
    willing = [p for p in in_line(state, current, command.hand) if (command.hand, p) not in current.refused]
    if willing[:1] != [command.by]:
        raise refuse("no-right-to-squeeze", f"the cards are not {command.by}'s to refuse", rules)
    return (CardsRefused(hand=command.hand, player=command.by, rules=rules),)


def banker_third_first(state: State, command: commands.BankerThirdFirst) -> tuple[AnyEvent, ...]:
    """Only where the Banker's third card is due whatever the Player's is (interpretation 16)."""
    reversal, rights = state.rules.squeeze.banker_third_first, state.rules.squeeze
    if reversal is None:
        need_person(state, command.by)
        raise refuse("not-allowed-here", "this document does not know it")
    need_rank(state, command.by, rights.permission, reversal.rules)
    current = need_phase(state, "dealing", rules=reversal.rules)
    need_player(state, command.player)
    if not state.setup.dealing.face_down:
        raise refuse("not-allowed-here", "cards are dealt face up at this table", reversal.rules)
    if in_line(state, current)[:1] != [command.player]:
        raise refuse("no-right-to-squeeze", f"{command.player} does not have the largest bet", reversal.rules)
    deal = state.deal().after(INITIAL)
    certain = deal.next is Side.PLAYER and deal.banker_points <= ALWAYS_DUE
    drawn = len(current.cards)
    if (
        current.reversed
        or drawn not in (INITIAL, INITIAL + 1)
        or len(current.exposed) != INITIAL
        or not certain
    ):
        raise refuse(
            "card-not-due",
            "the Banker's third card comes first only where it is due whatever the Player's is",
            reversal.rules,
        )
    return (ThirdCardsReversed(player=command.player, by=command.by, rules=reversal.rules),)


def give_device(state: State, command: commands.GiveDevice) -> tuple[AnyEvent, ...]:
    """A player with a wager on a hand may draw; without one only by leave of an assistant casino manager."""
    method, without = state.setup.dealing, discretion(state.rules, "draw-without-wager")
    stakes = state.round.stakes.values() if state.round else ()
    wagers = any(stake.player == command.player and stake.bet in HANDS for stake in stakes)
    if wagers or without is None:
        need_rank(state, command.by, "dealer", method.rules)
    else:
        need_rank(state, command.by, without.rank, without.rules)
    current = need_phase(state, "betting", "dealing", rules=method.rules)
    need_player(state, command.player)
    if method.device != "player":
        raise refuse("not-allowed-here", "the dealer keeps the device in this method", method.rules)
    if current.cards or state.device is not None:
        holder = state.device or "the dealer"
        raise refuse("not-allowed-here", f"{holder} has the device", method.rules)
    rules = method.rules if wagers or without is None else without.rules
    return (DeviceGiven(player=command.player, by=command.by, without_wager=not wagers, rules=rules),)


def give_up_device(state: State, command: commands.GiveUpDevice) -> tuple[AnyEvent, ...]:
    need_person(state, command.by)
    if state.device != command.by:
        raise refuse("not-allowed-here", f"{command.by} does not have the device", state.setup.dealing.rules)
    return (DeviceReturned(player=command.by, why="given-up", rules=state.setup.dealing.given_up_rules),)
