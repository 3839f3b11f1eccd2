"""Insurance at a table: what is on offer to each person, and within what cap."""

from thirdcard.rulebook.model import Insurance
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
from thirdcard.table.decide.dealing import close_windows
from thirdcard.table.events import AnyEvent, InsuranceBought, InsuranceDeclined
from thirdcard.table.ledger import box, move, rack
from thirdcard.table.playing import cap_for
from thirdcard.table.rights.drawing import banker_third_is_first
from thirdcard.table.rights.insurance import (
    Window,
    asked,
    open_windows,
    silent_people,
    why_forgone,
)
from thirdcard.table.state import OpenOffer, Purchase, Round, State, stake_key
from thirdcard.words.saying import say


def insure(state: State, command: commands.Insure) -> tuple[AnyEvent, ...]:
    player, staff = acting_for(state, command.by, command.player)
    need_phase(state, "dealing")
    need_player(state, player)
    need_box(state, command.box)
    need_chips(state, command.cents)
    need_space(state, player, command.cents)
    insurance, current, windows = _open_windows(state)
    window, offer = _offer(state, current, windows, player, command)
    if stake_key(player, command.box, command.hand) not in current.stakes:
        raise refuse(
            "no-original-bet",
            say("no-bet-on-hand", who=player, hand=command.hand, box=command.box),
            insurance.rules,
        )
    late = bool(window.late_for)
    most = cap_for(state, current, offer, player, command.box, late=late)
    if command.cents > most.cents:
        raise refuse(
            "over-the-cap",
            say("insurance-cap", who=player, hand=command.hand, box=command.box, cents=most.cents),
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
    state: State, current: Round, windows: tuple[Window, ...], player: str, command: commands.Insure
) -> tuple[Window, OpenOffer]:
    """The offer that is meant: of the window named, else of the one open by right before a late one."""
    insurance, hand = state.rulebook.insurance, command.hand
    assert insurance is not None
    meant = [window for window in windows if command.window in (0, window.number)]
    theirs = [window for window in meant if not window.late_for or player in window.late_for]
    if theirs and all(player in their.declined for their in theirs):
        raise refuse("insurance-not-open", say("declined-offer", who=player), insurance.forgone.rules)
    barred = [why for their in theirs if (why := why_forgone(state, current, player, their.number))]
    if theirs and len(barred) == len(theirs):
        key = "forgone-by-walking-away" if barred[0] == "walked-away" else "forgone-by-silence"
        raise refuse("insurance-forgone", say(key, who=player), insurance.forgone.rules)
    for window in theirs:
        offer = next((offer for offer in window.offers if offer.hand is hand), None)
        declined = player in window.declined or why_forgone(state, current, player, window.number)
        if offer is not None and not declined:
            return window, offer
    others = [
        window.late_for
        for window in meant
        if window not in theirs and any(o.hand is hand for o in window.offers)
    ]
    if others:
        told = say("insurance-late-for-others", hand=hand, others=tuple(others[0]))
        raise refuse("no-offer", told, insurance.neglected.rules)
    if command.window:
        told = say("window-not-on-offer", hand=hand, window=command.window)
        raise refuse("no-offer", told, insurance.rules)
    raise refuse("no-offer", say("insurance-not-on-offer", hand=hand), insurance.rules)


def decline(state: State, command: commands.Decline) -> tuple[AnyEvent, ...]:
    """An explicit no declines what is on offer now and no more (interpretation 14)."""
    player, staff = acting_for(state, command.by, command.player)
    need_phase(state, "dealing")
    need_player(state, player)
    insurance, current, windows = _open_windows(state)
    open_to = [window for window in windows if player in asked(state, current, window)]
    if not open_to:
        last = max(window.number for window in windows)
        if why_forgone(state, current, player, last):
            told = say("has-forgone-insurance", who=player)
            raise refuse("insurance-forgone", told, insurance.forgone.rules)
        raise refuse("no-original-bet", say("nothing-offered", who=player), insurance.rules)
    if all(player in window.answered for window in open_to):
        raise refuse("insurance-not-open", say("answered-already", who=player), insurance.rules)
    return (InsuranceDeclined(player=player, by=staff, rules=insurance.forgone.rules),)


def close(state: State, command: commands.CloseInsurance) -> tuple[AnyEvent, ...]:
    """The dealer's word ends what the next card would end: who is silent is named, and forgoes the round."""
    need_dealer(state, command.by)
    need_phase(state, "dealing")
    for player in command.silent:
        need_player(state, player)
    insurance, current, _ = _open_windows(state)
    silent = silent_people(state, current)
    wrong = [player for player in command.silent if player not in silent]
    if wrong:
        raise refuse(
            "insurance-not-open",
            say("not-silent", wrong=tuple(wrong)),
            insurance.forgone.rules,
        )
    left = [player for player in silent if player not in command.silent]
    if left:
        raise refuse(
            "decision-needed",
            say("still-to-answer", left=tuple(left)),
            insurance.forgone.rules,
        )
    return close_windows(state, current)


def _open_windows(state: State) -> tuple[Insurance, Round, tuple[Window, ...]]:
    insurance = state.rulebook.insurance
    current = need_phase(state, "dealing")
    if insurance is None or not state.setup.insurance:
        rules = insurance.private.rules if insurance else ()
        raise refuse("insurance-not-offered-here", say("no-insurance-at-table"), rules)
    windows = open_windows(state, current)
    if not windows:
        if banker_third_is_first(state, current):
            raise refuse("insurance-waived", say("second-window-waived"), insurance.waived.rules)
        raise refuse("insurance-not-open", say("no-insurance-open"), insurance.rules)
    return insurance, current, windows
