"""From "Place your bets, please" to "No more bets"."""

from collections.abc import Mapping

import msgspec

from thirdcard.money import LARGEST_STAKE, format_dollars
from thirdcard.play.tableau import INITIAL
from thirdcard.rulebook.model import Rules, Side
from thirdcard.table import commands, limits
from thirdcard.table.decide.checks import (
    acting_for,
    discretion,
    need_bet,
    need_box,
    need_chips,
    need_phase,
    need_player,
    need_rack,
    need_rank,
    refuse,
    stake_of,
)
from thirdcard.table.events import (
    AnyEvent,
    BetsClosed,
    BetsOpened,
    DifferentialExceeded,
    PlayedChanged,
    StakeSet,
)
from thirdcard.table.ledger import Book, box, move, rack
from thirdcard.table.state import HANDS, Round, Stake, State, stake_key


def open_bets(state: State, command: commands.Open) -> tuple[AnyEvent, ...]:
    opens = state.rules.betting.opens
    need_rank(state, command.by, "dealer", opens.rules)
    if state.phase not in ("idle", "settled", "void"):
        raise refuse("wrong-phase", "the round before has to be finished first", opens.rules)
    shoe = state.shoe
    if shoe is None or shoe.cut_out or shoe.left + len(shoe.waiting) < INITIAL:
        raise refuse(
            "new-shoe-needed",
            "a new shoe comes first" if shoe else "there is no shoe yet",
        )
    return (BetsOpened(number=state.rounds + 1, rules=opens.rules),)


def place(state: State, command: commands.Place) -> tuple[AnyEvent, ...]:
    player, staff = acting_for(state, command.by, command.player)
    current = _open_for(state, command.bet, adding=True)
    need_player(state, player)
    need_box(state, command.box)
    seated = state.seats.get(command.box) == player
    standing = state.rules.limits.standing_needs_seated
    if standing.value and command.box not in state.seats:
        raise refuse("box-not-occupied", f"nobody sits at box {command.box}", standing.rules)
    need_bet(state, command.bet)
    need_chips(state, command.cents)
    old = current.stakes.get(stake_key(player, command.box, command.bet))
    stake = Stake(
        player=player,
        box=command.box,
        bet=command.bet,
        cents=command.cents + (old.cents if old else 0),
        order=current.placings + 1,
        seated=seated,
        by=staff,
    )
    _within_limits(state, current, stake, is_new=old is None)
    need_rack(state, player, command.cents)
    # Nothing can fail from here on.
    by_staff = state.rules.betting.by_staff.rules if staff else ()
    event = _set(stake, old.cents if old else 0, why="placed", rules=by_staff)
    if not seated or not limits.behind(current.stakes, stake):
        return (event,)
    return (event, *cut(state, {**current.stakes, stake.key: stake}, stake.box))


def _open_for(state: State, bet: str, *, adding: bool) -> Round:
    """Bets are open; while the table differential is being met only what helps to meet it."""
    current = state.round
    if current is None or current.phase not in ("betting", "adjusting"):
        late = state.phase in ("dealing", "settled")
        rules = _late_rules(state, adding=adding) if late else state.rules.betting.opens.rules
        current = need_phase(state, "betting", "adjusting", rules=rules)
    if current.phase == "adjusting":
        heavier = _heavier(current)
        helps = bet == (heavier.other if adding else heavier)
        if not helps:
            raise refuse(
                "wrong-phase",
                "the table differential is exceeded: "
                f"{heavier.label} may decrease, {heavier.other.label} may increase",
                state.rules.limits.differential.rules,
            )
    return current


def _late_rules(state: State, *, adding: bool) -> Rules:
    """The paragraph that refuses a bet after the close."""
    cases = ("late-bet", "late-wager") if adding else ("late-bet", "withdrawn-wager")
    return next((p.rules for p in state.rules.procedures if p.case in cases), ())


def _heavier(current: Round) -> Side:
    sums = limits.totals(current.stakes.values())
    return Side(max(HANDS, key=lambda hand: sums[hand]))


def _within_limits(state: State, current: Round, stake: Stake, *, is_new: bool) -> None:
    """Minimum, maximum, differential, number of wagers: what refuses a stake of that size."""
    setup, document = state.setup, state.rules.limits
    limit = setup.limit(stake.bet)
    if stake.cents < limit.min:
        raise refuse(
            "below-minimum",
            f"{stake.bet} takes at least {format_dollars(limit.min)}, not {format_dollars(stake.cents)}",
            document.displayed.rules,
        )
    if stake.cents > LARGEST_STAKE or (limit.max is not None and stake.cents > limit.max):
        most_allowed = min(limit.max or LARGEST_STAKE, LARGEST_STAKE)
        raise refuse(
            "above-maximum",
            f"{stake.bet} takes at most {format_dollars(most_allowed)}, not {format_dollars(stake.cents)}",
            document.maximum.rules,
        )
    most = limits.room(setup, current.stakes, stake)
    if most is not None and stake.cents > most:
        raise refuse(
            "over-differential",
            f"the differential of {format_dollars(setup.differential or 0)} leaves "
            f"{format_dollars(max(most, 0))} for {stake.player} on {stake.bet} in box {stake.box}",
            limits.reject_rules(state.rules),
        )
    if is_new and setup.most_wagers is not None and document.wagers_per_area is not None:
        there = sum((one.box, one.bet) == (stake.box, stake.bet) for one in current.stakes.values())
        if there >= setup.most_wagers:
            raise refuse(
                "too-many-wagers",
                f"{stake.bet} in box {stake.box} has its {setup.most_wagers} wagers",
                document.wagers_per_area.rules,
            )


def take_back(state: State, command: commands.TakeBack) -> tuple[AnyEvent, ...]:
    player, _ = acting_for(state, command.by, command.player)
    if state.round is not None and state.round.withdrawable and state.round.phase == "dealing":
        return _withdraw(state, state.round, player, command)
    current = _open_for(state, command.bet, adding=False)
    need_player(state, player)
    need_box(state, command.box)
    need_bet(state, command.bet)
    old = stake_of(current, player, command.box, command.bet)
    cents = old.cents if command.cents is None else command.cents
    left = old.cents - cents
    least = state.setup.limit(command.bet).min
    if left < 0:
        raise refuse("no-such-stake", f"{player} has only {format_dollars(old.cents)} on {command.bet}")
    if left:
        need_chips(state, cents)
    if 0 < left < least:
        raise refuse(
            "below-minimum",
            f"{command.bet} takes at least {format_dollars(least)}: {format_dollars(left)} would be left",
            state.rules.limits.displayed.rules,
        )
    # Nothing can fail from here on.
    stake = msgspec.structs.replace(old, cents=left)
    event = _set(stake, old.cents, why="taken-back")
    if stake.bet not in HANDS:
        return (event,)
    return (event, *cut(state, _without_empty(current.stakes, stake), stake.box))


def _withdraw(state: State, current: Round, player: str, command: commands.TakeBack) -> tuple[AnyEvent, ...]:
    """A whole wager back, where the dealer allowed it because the cut card came first."""
    need_player(state, player)
    need_box(state, command.box)
    need_bet(state, command.bet)
    old = stake_of(current, player, command.box, command.bet)
    if command.cents not in (None, old.cents):
        raise refuse("no-such-stake", "a wager is withdrawn whole")
    stake = msgspec.structs.replace(old, cents=0)
    allowed = discretion(state.rules, "cut-card-withdrawal")
    event = _set(stake, old.cents, why="withdrawn", rules=allowed.rules if allowed else ())
    after = _without_empty(current.stakes, stake)
    playing = limits.played(state, after)
    return (event,) if playing == current.played else (event, PlayedChanged(played=playing, purchases=()))


def record_chips(state: State, command: commands.RecordChips) -> tuple[AnyEvent, ...]:
    """Chips as they lie: no limits are checked, before the close or, until settlement, after it."""
    position = _position_rules(state)
    need_rank(state, command.by, "dealer", position)
    current = need_phase(state, "betting", "dealing", rules=position)
    need_player(state, command.player)
    need_box(state, command.box)
    need_bet(state, command.bet)
    old = current.stakes.get(stake_key(command.player, command.box, command.bet))
    before = old.cents if old else 0
    if command.cents == before:
        raise refuse("no-such-stake", "that is what is recorded already")
    if command.cents != 0:
        need_chips(state, command.cents)
    need_rack(state, command.player, command.cents - before)
    # Nothing can fail from here on.
    stake = Stake(
        player=command.player,
        box=command.box,
        bet=command.bet,
        cents=command.cents,
        order=current.placings + 1,
        seated=state.seats.get(command.box) == command.player,
        by=command.by,
    )
    event = _set(stake, before, why="recorded", rules=position)
    if current.phase == "betting":
        return (event,)
    after = _without_empty(current.stakes, stake)
    return (event, *share_again(state, current, after))


def _position_rules(state: State) -> Rules:
    """What the document says of chips as they lie, or of wagers outside the limits."""
    lying = next((p.rules for p in state.rules.procedures if p.case == "misplaced-chips"), None)
    document = state.rules.limits
    return lying or (*document.below_minimum_unnoticed.rules, *document.above_maximum_unnoticed.rules)


def share_again(
    state: State, current: Round, stakes: Mapping[str, Stake], rules: Rules = ()
) -> tuple[AnyEvent, ...]:
    """Stakes changed after the close: shares are worked out again and insurance follows them."""
    playing = limits.played(state, stakes)
    book, purchases = Book(), []
    for purchase in current.purchases:
        key = stake_key(purchase.player, purchase.box, purchase.hand)
        before = limits.plays_for(current.stakes, current.played, key)
        kept = limits.scaled(purchase, before, limits.plays_for(stakes, playing, key))
        book.move(purchase.cents - kept.cents, box(purchase.box), rack(purchase.player))
        if kept.cents:
            purchases.append(kept)
    if playing == current.played and tuple(purchases) == current.purchases:
        return ()
    return (
        PlayedChanged(
            played=playing,
            purchases=tuple(purchases),
            postings=book.postings(),
            rules=rules or state.rules.limits.differential.rules,
        ),
    )


def reject_excess(state: State, command: commands.RejectExcess) -> tuple[AnyEvent, ...]:
    rules = limits.reject_rules(state.rules)
    need_rank(state, command.by, "dealer", rules)
    current = need_phase(state, "betting", rules=rules)
    need_box(state, command.box)
    if state.rules.limits.differential.scope != "box":
        raise refuse("not-allowed-here", "the differential is the whole table's here", rules)
    events = cut(state, current.stakes, command.box)
    if not events:
        raise refuse("over-differential", f"box {command.box} is within the differential", rules)
    return events


def remove(state: State, command: commands.Remove) -> tuple[AnyEvent, ...]:
    """The pit manager takes wagers off where asking was not enough."""
    rules = state.rules.limits.differential.rules
    need_rank(state, command.by, "pit-manager", rules)
    current = need_phase(state, "adjusting", rules=rules)
    need_player(state, command.player)
    need_box(state, command.box)
    need_bet(state, command.bet)
    old = stake_of(current, command.player, command.box, command.bet)
    left = old.cents - command.cents
    if left < 0:
        raise refuse(
            "no-such-stake", f"{command.player} has only {format_dollars(old.cents)} on {command.bet}"
        )
    need_chips(state, command.cents)
    if 0 < left < state.setup.limit(command.bet).min:
        raise refuse("below-minimum", f"{format_dollars(left)} would be left, under the minimum", rules)
    heavier = _heavier(current)
    if command.bet != heavier:
        raise refuse("over-differential", f"only wagers on {heavier.label} come off", rules)
    stake = msgspec.structs.replace(old, cents=left, by=command.by)
    return (_set(stake, old.cents, why="removed", rules=rules),)


def close(state: State, command: commands.Close) -> tuple[AnyEvent, ...]:
    closes, differential = state.rules.betting.closes, state.rules.limits.differential
    need_rank(state, command.by, "dealer", closes.rules)
    current = need_phase(state, "betting", "adjusting", rules=closes.rules)
    for key in current.must_raise:
        stake = current.stakes.get(key)
        if stake is not None and stake.cents < state.setup.limit(stake.bet).min:
            noticed = state.rules.limits.below_minimum_noticed
            raise refuse(
                "below-minimum",
                f"{stake.player} has to raise {stake.bet} or take it back first",
                noticed.rules,
            )
    sums = limits.totals(current.stakes.values())
    if differential.scope == "table" and state.setup.differential is not None:
        excess = abs(sums["player"] - sums["banker"]) - state.setup.differential
        if excess > 0:
            if current.phase == "adjusting":
                raise refuse(
                    "over-differential",
                    f"the table differential is still exceeded by {format_dollars(excess)}",
                    differential.rules,
                )
            return (DifferentialExceeded(heavier=_heavier(current), excess=excess, rules=differential.rules),)
    return (BetsClosed(played=limits.played(state, current.stakes), rules=closes.rules),)


def cut(state: State, stakes: Mapping[str, Stake], number: int) -> tuple[AnyEvent, ...]:
    """The events that bring a box back within the differential."""
    rules = limits.reject_rules(state.rules)
    return tuple(
        _set(msgspec.structs.replace(stake, cents=left), stake.cents, why="cut", rules=rules)
        for stake, left in limits.cuts(state.setup, stakes, number)
    )


def _set(stake: Stake, before: int, *, why: str, rules: Rules = ()) -> StakeSet:
    cents = stake.cents - before
    postings = (
        move(cents, rack(stake.player), box(stake.box))
        if cents > 0
        else move(-cents, box(stake.box), rack(stake.player))
    )
    return StakeSet(why=why, stake=stake, before=before, rules=rules, postings=postings)  # type: ignore[arg-type]


def set_stake(stake: Stake, cents: int, *, why: str, rules: Rules) -> StakeSet:
    """A stake brought to another amount."""
    return _set(msgspec.structs.replace(stake, cents=cents), stake.cents, why=why, rules=rules)


def _without_empty(stakes: Mapping[str, Stake], changed: Stake) -> dict[str, Stake]:
    after = {**stakes, changed.key: changed}
    if not changed.cents:
        del after[changed.key]
    return after
