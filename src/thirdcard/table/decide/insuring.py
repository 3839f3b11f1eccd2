"""Insurance at a table: offers to each person, caps over boxes and windows."""

from thirdcard.money import floor_to_unit, format_dollars
from thirdcard.play.insurance import Bought, Cap, cap
from thirdcard.rulebook.model import Insurance, Rules
from thirdcard.table import commands, limits
from thirdcard.table.decide.checks import (
    acting_for,
    need_box,
    need_chips,
    need_person,
    need_phase,
    need_player,
    need_rack,
    refuse,
)
from thirdcard.table.decide.dealing import offered_to
from thirdcard.table.events import AnyEvent, InsuranceBought, InsuranceDeclined
from thirdcard.table.ledger import box, move, rack
from thirdcard.table.state import OpenOffer, Purchase, Round, State, Window, offer_odds, stake_key


def insure(state: State, command: commands.Insure) -> tuple[AnyEvent, ...]:
    player, staff = acting_for(state, command.by, command.player)
    need_phase(state, "dealing")
    need_player(state, player)
    need_box(state, command.box)
    need_chips(state, command.cents)
    insurance, current, window = _open_window(state)
    if player in window.declined:
        raise refuse("insurance-not-open", f"{player} has declined this offer", insurance.forgone.rules)
    _need_not_forgone(current, player, insurance.forgone.rules)
    offer = next((one for one in window.offers if one.hand is command.hand), None)
    if offer is None or (window.late_only and player not in window.late_for):
        raise refuse("no-offer", f"{command.hand} insurance is not on offer", insurance.rules)
    if stake_key(player, command.box, command.hand) not in current.stakes:
        raise refuse(
            "no-original-bet", f"{player} has no bet on {command.hand} in box {command.box}", insurance.rules
        )
    most = cap_for(state, current, offer, player, command.box)
    if command.cents > most.cents:
        raise refuse(
            "over-the-cap",
            f"{player} may still insure {command.hand} in box {command.box} "
            f"for at most {format_dollars(most.cents)}",
            most.rules,
        )
    need_rack(state, player, command.cents)
    # Nothing can fail from here on.
    purchase = Purchase(
        player=player,
        box=command.box,
        hand=command.hand,
        window=window.number,
        row=offer.row,
        cents=command.cents,
        late=player in window.late_for,
    )
    postings = move(command.cents, rack(player), box(command.box))
    return (
        InsuranceBought(purchase=purchase, odds=offer.odds, by=staff, rules=offer.rules, postings=postings),
    )


def decline(state: State, command: commands.Decline) -> tuple[AnyEvent, ...]:
    """An explicit no declines this offer only (interpretation 14)."""
    need_person(state, command.by)
    need_phase(state, "dealing")
    need_player(state, command.by)
    insurance, current, window = _open_window(state)
    _need_not_forgone(current, command.by, insurance.forgone.rules)
    if command.by not in offered_to(current):
        raise refuse("no-original-bet", f"nothing is offered to {command.by}", insurance.rules)
    if command.by in window.answered:
        raise refuse("insurance-not-open", f"{command.by} has answered already", insurance.rules)
    return (InsuranceDeclined(player=command.by, rules=insurance.forgone.rules),)


def _open_window(state: State) -> tuple[Insurance, Round, Window]:
    insurance = state.rules.insurance
    current = need_phase(state, "dealing")
    if insurance is None or not state.setup.insurance:
        rules = insurance.private.rules if insurance else ()
        raise refuse("insurance-not-offered-here", "no insurance is offered at this table", rules)
    if current.window is None:
        if current.reversed:
            raise refuse(
                "insurance-waived", "the second window is waived for this round", insurance.waived.rules
            )
        raise refuse("insurance-not-open", "no insurance is open now", insurance.rules)
    return insurance, current, current.window


def _need_not_forgone(current: Round, player: str, rules: Rules) -> None:
    if player in current.forgone:
        raise refuse("insurance-forgone", f"{player} has forgone insurance for this round", rules)


def cap_for(state: State, current: Round, offer: OpenOffer, player: str, number: int) -> Cap:
    """The most that a person may still put on an offer in a box."""
    insurance = state.rules.insurance
    assert insurance is not None  # an offer is open
    row = insurance.offers[offer.row]
    mine = [one for one in current.purchases if one.player == player]
    at_these_odds = sum(
        one.cents for one in mine if one.window == row.window and offer_odds(state, one.row) == row.odds
    )
    original = limits.plays_for(current.stakes, current.played, stake_key(player, number, offer.hand))
    ordinary = cap(
        insurance,
        row,
        original=original,
        bought=[
            Bought(one.window, one.cents, offer_odds(state, one.row))
            for one in mine
            if (one.box, one.hand) == (number, offer.hand)
        ],
        unit=state.setup.chip_unit,
        maximum=state.setup.insurance_base,
        at_these_odds=at_these_odds,
    )
    late = insurance.late_winnings
    if late is None or current.window is None or player not in current.window.late_for:
        return ordinary
    already = sum(
        offer_odds(state, one.row).winnings_cents(one.cents)
        for one in mine
        if one.late and (one.box, one.hand) == (number, offer.hand)
    )
    stake = row.odds.stake_for(max(int(original * late.value) - already, 0))
    most = floor_to_unit(stake, state.setup.chip_unit)
    return ordinary if ordinary.cents <= most else Cap(most, late.rules)
