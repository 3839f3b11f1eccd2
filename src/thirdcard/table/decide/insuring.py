"""Insurance at a table: what is on offer to each person, and within what cap."""

from collections.abc import Iterable

from thirdcard.money import format_dollars
from thirdcard.rulebook.model import Insurance, Rules
from thirdcard.table import commands
from thirdcard.table.decide.checks import (
    acting_for,
    need_box,
    need_chips,
    need_dealer,
    need_phase,
    need_player,
    need_rack,
    need_space,
    refuse,
)
from thirdcard.table.decide.dealing import asked, close_windows, silent_people
from thirdcard.table.events import AnyEvent, InsuranceBought, InsuranceDeclined
from thirdcard.table.ledger import box, move, rack
from thirdcard.table.playing import cap_for
from thirdcard.table.state import OpenOffer, Purchase, Round, State, Window, stake_key


def insure(state: State, command: commands.Insure) -> tuple[AnyEvent, ...]:
    player, staff = acting_for(state, command.by, command.player)
    need_phase(state, "dealing")
    need_player(state, player)
    need_box(state, command.box)
    need_chips(state, command.cents)
    need_space(state, player, command.cents)
    insurance, current, windows = _open_windows(state)
    meant = [one for one in windows if command.window in (0, one.number)]
    if meant and all(player in one.declined for one in meant):
        raise refuse("insurance-not-open", f"{player} has declined this offer", insurance.forgone.rules)
    _need_not_forgone(current, meant, player, insurance.forgone.rules)
    window, offer = _offer(insurance, meant, player, command)
    if stake_key(player, command.box, command.hand) not in current.stakes:
        raise refuse(
            "no-original-bet", f"{player} has no bet on {command.hand} in box {command.box}", insurance.rules
        )
    late = bool(window.late_for)
    most = cap_for(state, current, offer, player, command.box, late=late)
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
        late=late,
    )
    postings = move(command.cents, rack(player), box(command.box))
    return (
        InsuranceBought(purchase=purchase, odds=offer.odds, by=staff, rules=offer.rules, postings=postings),
    )


def _offer(
    insurance: Insurance, windows: list[Window], player: str, command: commands.Insure
) -> tuple[Window, OpenOffer]:
    """The offer that is meant: of the window named, else of the one open by right before a late one."""
    for window in windows:
        if player in window.declined or (window.late_for and player not in window.late_for):
            continue
        for offer in window.offers:
            if offer.hand is command.hand:
                return window, offer
    raise refuse("no-offer", f"{command.hand} insurance is not on offer", insurance.rules)


def decline(state: State, command: commands.Decline) -> tuple[AnyEvent, ...]:
    """An explicit no declines what is on offer now and no more (interpretation 14)."""
    player, staff = acting_for(state, command.by, command.player)
    need_phase(state, "dealing")
    need_player(state, player)
    insurance, current, windows = _open_windows(state)
    _need_not_forgone(current, windows, player, insurance.forgone.rules)
    open_to = [window for window in windows if player in asked(current, window)]
    if not open_to:
        raise refuse("no-original-bet", f"nothing is offered to {player}", insurance.rules)
    if all(player in window.answered for window in open_to):
        raise refuse("insurance-not-open", f"{player} has answered already", insurance.rules)
    return (InsuranceDeclined(player=player, by=staff, rules=insurance.forgone.rules),)


def close(state: State, command: commands.CloseInsurance) -> tuple[AnyEvent, ...]:
    """The dealer's word ends what the next card would end: who is silent is named, and forgoes the round."""
    need_dealer(state, command.by)
    need_phase(state, "dealing")
    for player in command.silent:
        need_player(state, player)
    insurance, current, _ = _open_windows(state)
    silent = silent_people(current)
    wrong = [player for player in command.silent if player not in silent]
    if wrong:
        raise refuse(
            "insurance-not-open",
            f"not silent: {', '.join(wrong)}; name nobody who has answered or is offered nothing",
            insurance.forgone.rules,
        )
    left = [player for player in silent if player not in command.silent]
    if left:
        raise refuse(
            "decision-needed",
            f"still to answer: {', '.join(left)}; ask again, or name as silent who forgoes insurance",
            insurance.forgone.rules,
        )
    return close_windows(state, current)


def _open_windows(state: State) -> tuple[Insurance, Round, tuple[Window, ...]]:
    insurance = state.rules.insurance
    current = need_phase(state, "dealing")
    if insurance is None or not state.setup.insurance:
        rules = insurance.private.rules if insurance else ()
        raise refuse("insurance-not-offered-here", "no insurance is offered at this table", rules)
    windows = tuple(one for one in (current.window, current.late_window) if one is not None)
    if not windows:
        if current.reversed:
            raise refuse(
                "insurance-waived", "the second window is waived for this round", insurance.waived.rules
            )
        raise refuse("insurance-not-open", "no insurance is open now", insurance.rules)
    return insurance, current, windows


def _need_not_forgone(current: Round, windows: Iterable[Window], player: str, rules: Rules) -> None:
    """Silence does not stand against an offer that is made late, to that person."""
    late = any(player in one.late_for for one in windows) and player not in current.forgone
    if current.has_forgone(player) and not late:
        raise refuse("insurance-forgone", f"{player} has forgone insurance for this round", rules)
