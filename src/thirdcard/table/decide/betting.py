"""From "Place your bets, please" to "No more bets"."""

from collections.abc import Mapping

import msgspec

from thirdcard.money import LARGEST_WAGER
from thirdcard.play.tableau import INITIAL
from thirdcard.rulebook.model import Rules
from thirdcard.table import commands, limits
from thirdcard.table.decide.amending import amended_chips
from thirdcard.table.decide.checks import (
    acting_for,
    need_bet,
    need_box,
    need_chips,
    need_dealer,
    need_phase,
    need_player,
    need_rack,
    need_rank,
    need_reason,
    need_space,
    refuse,
    stake_of,
)
from thirdcard.table.decide.chips import late_rules, put_right, stake_set
from thirdcard.table.events import (
    AnyEvent,
    BetsClosed,
    BetsOpened,
    DifferentialExceeded,
    LateChipsRecorded,
    StakeSet,
)
from thirdcard.table.ledger import Posting, PostingBook, box, rack
from thirdcard.table.ranks import amending_rank, case_rules, discretion
from thirdcard.table.rights.drawing import may_withdraw
from thirdcard.table.setup import Limit
from thirdcard.table.state import HANDS, Round, Stake, State, stake_key
from thirdcard.words.saying import say


def open_bets(state: State, command: commands.Open) -> tuple[AnyEvent, ...]:
    opens = state.rulebook.betting.opens
    need_dealer(state, command.by, opens.rules)
    if state.phase not in ("idle", "settled", "void"):
        raise refuse("wrong-phase", say("finish-round-first"), opens.rules)
    shoe = state.shoe
    if shoe is None or shoe.cut_out or shoe.to_come < INITIAL:
        raise refuse(
            "new-shoe-needed",
            (say("new-shoe-comes-first") if shoe else say("no-shoe-yet")),
        )
    return (BetsOpened(number=state.rounds + 1, rules=opens.rules),)


def place(state: State, command: commands.Place) -> tuple[AnyEvent, ...]:
    """Chips onto a bet: what is done most, so a glance comes first, and a check only says what is wrong."""
    player, staff = command.by, ""
    if command.player or player not in state.players:
        player, staff = acting_for(state, player, command.player)
    current, setup = state.round, state.setup
    if current is None or current.phase != "betting":
        current = _open_for(state, player, command.bet, adding=True)
    if staff:
        need_player(state, player)
    number, bet, added = command.box, command.bet, command.cents
    holder = state.seats.get(number)
    if holder is None:
        _need_occupied(state, number)
    limit = setup.limit_of.get(bet) or need_bet(state, bet)
    if added <= 0 or added % setup.chip_unit or added > LARGEST_WAGER:
        need_chips(state, added)
    stakes = current.stakes
    old = stakes.get(stake_key(player, number, bet))
    before, cents = (0, added) if old is None else (old.cents, old.cents + added)
    stake = Stake(
        player=player,
        box=number,
        bet=bet,
        cents=cents,
        order=current.placings + 1,
        seated=holder == player,
        by=staff,
    )
    room = limits.room(setup, stakes, stake) if bet in HANDS else None
    most = min(limit.max or LARGEST_WAGER, before + limits.space(state, player))
    if cents < limit.min or cents > most or (room is not None and cents > room):
        _need_limits(state, stake, limit, room, before)
    if old is None and setup.most_wagers is not None:
        _need_spot(state, stakes, stake, setup.most_wagers)
    account = rack(player)
    if state.balances.get(account, 0) < added:
        need_rack(state, player, added)
    # Nothing can fail from here on.
    event = StakeSet(
        why="placed",
        stake=stake,
        before=before,
        rules=state.rulebook.betting.by_staff.rules if staff else (),
        postings=(Posting(account, -added), Posting(box(number), added)),
    )
    if room is None or holder != player or not limits.behind(stakes, stake):
        return (event,)
    return (event, *cut(state, {**stakes, stake.key: stake}, number))


def _need_occupied(state: State, number: int) -> None:
    need_box(state, number)
    standing = state.rulebook.limits.standing_needs_seated
    if standing.value:
        raise refuse("box-not-occupied", say("box-empty", box=number), standing.rules)


def _open_for(state: State, player: str, bet: str, *, adding: bool) -> Round:
    """Bets are open; while the table differential is being met only what helps, by who is asked."""
    current = state.round
    if current is None or current.phase not in ("betting", "adjusting"):
        late = state.phase in ("dealing", "settled")
        rules = late_rules(state, adding=adding) if late else state.rulebook.betting.opens.rules
        current = need_phase(state, "betting", "adjusting", rules=rules)
    if current.phase == "adjusting":
        heavier = limits.heavier(current.stakes.values())
        side = heavier.other if adding else heavier
        wagers = any(stake.player == player and stake.bet == side for stake in current.stakes.values())
        if bet != side or not wagers:
            raise refuse(
                "wrong-phase",
                say("differential-to-be-met", hand=heavier, hand2=heavier.other),
                state.rulebook.limits.differential.before.rules,
            )
    return current


def _need_limits(state: State, stake: Stake, limit: Limit, room: int | None, before: int) -> None:
    """Minimum, maximum, differential: what refuses a stake of that size."""
    cents, most = stake.cents, limit.max or LARGEST_WAGER
    if cents < limit.min:
        raise refuse(
            "below-minimum",
            say("below-minimum", bet=stake.bet, least=limit.min, cents=cents),
            state.rulebook.limits.displayed.rules,
        )
    if cents > most:
        raise refuse(
            "above-maximum",
            say("above-maximum", bet=stake.bet, most=most, cents=cents),
            state.rulebook.limits.maximum.rules,
        )
    need_space(state, stake.player, cents - before)
    if room is not None and cents > room:
        raise refuse(
            "over-differential",
            say(
                "over-differential",
                differential=state.setup.differential or 0,
                room=max(room, 0),
                who=stake.player,
                bet=stake.bet,
                box=stake.box,
            ),
            limits.reject_rules(state.rulebook),
        )


def _need_spot(state: State, stakes: Mapping[str, Stake], stake: Stake, most: int) -> None:
    box, bet, count = stake.box, stake.bet, 0
    for other in stakes.values():
        if other.box == box and other.bet == bet:
            count += 1
    if count >= most:
        area = state.rulebook.limits.wagers_per_area
        raise refuse(
            "too-many-wagers",
            say("area-full", bet=stake.bet, box=stake.box, most=most),
            area.rules if area else (),
        )


def take_back(state: State, command: commands.TakeBack) -> tuple[AnyEvent, ...]:
    player, _ = acting_for(state, command.by, command.player)
    if state.round is not None and may_withdraw(state.round):
        return _withdraw(state, state.round, player, command)
    current = _open_for(state, player, command.bet, adding=False)
    need_player(state, player)
    need_box(state, command.box)
    need_bet(state, command.bet)
    old = stake_of(current, player, command.box, command.bet)
    cents = old.cents if command.cents is None else command.cents
    left = old.cents - cents
    least = state.setup.limit(command.bet).min
    if left < 0:
        raise refuse("no-such-stake", say("has-only-on", who=player, cents=old.cents, bet=command.bet))
    if left:
        need_chips(state, cents)
    if 0 < left < least:
        raise refuse(
            "below-minimum",
            say("rest-below-minimum", bet=command.bet, least=least, left=left),
            state.rulebook.limits.displayed.rules,
        )
    # Nothing can fail from here on.
    stake = msgspec.structs.replace(old, cents=left)
    event = stake_set(stake, old.cents, why="taken-back")
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
        raise refuse("no-such-stake", say("withdraw-whole-wager"))
    stake = msgspec.structs.replace(old, cents=0)
    allowed = discretion(state.rulebook, "cut-card-withdrawal")
    back = stake_set(stake, old.cents, why="withdrawn", rules=allowed.rules if allowed else ())
    return (*put_right(state, current, [one for one in current.late.values() if one.key == stake.key]), back)


def record_chips(state: State, command: commands.RecordChips) -> tuple[AnyEvent, ...]:
    """Chips as they lie while bets are open: no limits are checked.

    Once "No more bets" was said this puts a wrong record right, to how the chips lay at the close: it takes
    the rank that amends records, and a reason (interpretation 20).
    """
    position = _position_rules(state, command.bet, command.cents)
    if state.phase in ("dealing", "settled"):
        rank, _ = amending_rank(state)
        need_rank(state, command.by, rank, position)
    else:
        need_dealer(state, command.by, position)
    current = need_phase(state, "betting", "dealing", "settled", rules=position)
    need_player(state, command.player)
    need_box(state, command.box)
    closed = current.phase != "betting"
    if closed:
        need_reason(command.reason, position)
    need_bet(state, command.bet)
    key = stake_key(command.player, command.box, command.bet)
    old = (current.closed if closed else current.stakes).get(key)
    before = old.cents if old else 0
    if command.cents == before:
        raise refuse("no-such-stake", say("recorded-so-already"))
    if closed and old is not None and key not in current.stakes:
        raise refuse("no-such-stake", say("late-chips-went-back"))
    if command.cents != 0:
        need_chips(state, command.cents)
        need_space(state, command.player, command.cents - before)
    if not closed:
        need_rack(state, command.player, command.cents - before)
    # Nothing can fail from here on.
    stake = Stake(
        player=command.player,
        box=command.box,
        bet=command.bet,
        cents=command.cents,
        order=old.order if closed and old else current.placings + 1,
        seated=old.seated if closed and old else state.seats.get(command.box) == command.player,
        by=command.by,
    )
    if not closed:
        return (stake_set(stake, before, why="recorded", rules=position),)
    return amended_chips(state, stake, command, position)


def _position_rules(state: State, bet: str, cents: int) -> Rules:
    """What the document says of chips as they lie, or of a wager outside the limits that nobody noticed."""
    document, limit = state.rulebook.limits, state.setup.limit_of.get(bet)
    lies = case_rules(state.rulebook, "chips-lie")
    if lies or limit is None or not cents:
        return lies
    if cents < limit.min:
        return document.below_minimum_unnoticed.rules
    return document.above_maximum_unnoticed.rules if cents > (limit.max or cents) else ()


def late_chips(state: State, command: commands.LateChips) -> tuple[AnyEvent, ...]:
    """Chips added or taken away after the close: recorded as late, so that they change nothing."""
    rules = late_rules(state, adding=command.cents > 0)
    need_dealer(state, command.by, rules)
    current = need_phase(state, "dealing", rules=rules)
    need_player(state, command.player)
    need_box(state, command.box)
    need_bet(state, command.bet)
    key = stake_key(command.player, command.box, command.bet)
    if command.cents < 0:
        old = stake_of(current, command.player, command.box, command.bet)
        taken = -current.late[key].cents if key in current.late else 0
        if old.cents < taken - command.cents:
            raise refuse("no-such-stake", say("not-so-much-on-bet", who=command.player, bet=command.bet))
    need_chips(state, abs(command.cents))
    need_space(state, command.player, command.cents)
    need_rack(state, command.player, command.cents)
    late = Stake(
        player=command.player,
        box=command.box,
        bet=command.bet,
        cents=command.cents,
        order=current.placings,
        seated=state.seats.get(command.box) == command.player,
        by=command.by,
    )
    book = PostingBook()
    book.move(command.cents, rack(command.player), box(command.box))
    return (LateChipsRecorded(late=late, by=command.by, rules=rules, postings=book.postings()),)


def reject_excess(state: State, command: commands.RejectExcess) -> tuple[AnyEvent, ...]:
    rules = limits.reject_rules(state.rulebook)
    need_dealer(state, command.by, rules)
    current = need_phase(state, "betting", rules=rules)
    need_box(state, command.box)
    if state.rulebook.limits.differential.scope != "box":
        raise refuse("not-allowed-here", say("differential-of-table"), rules)
    events = cut(state, current.stakes, command.box)
    if not events:
        raise refuse("over-differential", say("box-within-differential", box=command.box), rules)
    return events


def remove(state: State, command: commands.Remove) -> tuple[AnyEvent, ...]:
    """The pit manager takes wagers off where asking was not enough."""
    rules = state.rulebook.limits.differential.after.rules
    removal = discretion(state.rulebook, "removal")
    need_rank(state, command.by, removal.rank if removal else state.rulebook.authority.manages.value, rules)
    current = need_phase(state, "adjusting", rules=rules)
    need_player(state, command.player)
    need_box(state, command.box)
    need_bet(state, command.bet)
    old = stake_of(current, command.player, command.box, command.bet)
    left = old.cents - command.cents
    if left < 0:
        raise refuse(
            "no-such-stake", say("has-only-on", who=command.player, cents=old.cents, bet=command.bet)
        )
    need_chips(state, command.cents)
    if 0 < left < state.setup.limit(command.bet).min:
        raise refuse("below-minimum", say("left-under-minimum", left=left), rules)
    heavier = limits.heavier(current.stakes.values())
    if command.bet != heavier:
        raise refuse("over-differential", say("only-wagers-on-hand-come-off", hand=heavier), rules)
    most = limits.most_removed(state.setup, current.stakes, old)
    if command.cents > most:
        raise refuse("over-differential", say("most-to-come-off", most=most), rules)
    stake = msgspec.structs.replace(old, cents=left, by=command.by)
    return (stake_set(stake, old.cents, why="removed", rules=rules),)


def close(state: State, command: commands.Close) -> tuple[AnyEvent, ...]:
    closes, differential = state.rulebook.betting.closes, state.rulebook.limits.differential
    need_dealer(state, command.by, closes.rules)
    current = need_phase(state, "betting", "adjusting", rules=closes.rules)
    for key in current.must_raise:
        stake = current.stakes.get(key)
        if stake is not None and stake.cents < state.setup.limit(stake.bet).min:
            noticed = state.rulebook.limits.below_minimum_noticed
            raise refuse(
                "below-minimum",
                say("raise-or-take-back", who=stake.player, bet=stake.bet),
                noticed.rules,
            )
    if differential.scope == "table":
        excess = limits.excess(state.setup, current.stakes.values())
        if excess and current.phase == "adjusting":
            raise refuse(
                "over-differential",
                say("differential-still-exceeded", excess=excess),
                differential.after.rules,
            )
        if excess:
            rules = differential.before.rules
            return (
                DifferentialExceeded(
                    heavier=limits.heavier(current.stakes.values()), excess=excess, rules=rules
                ),
            )
    played = limits.played(state, current.stakes, current.decided, current.freed)
    return (BetsClosed(played=played, rules=closes.rules),)


def cut(state: State, stakes: Mapping[str, Stake], number: int) -> tuple[AnyEvent, ...]:
    """The events that bring a box back within the differential."""
    rules = limits.reject_rules(state.rulebook)
    return tuple(
        stake_set(msgspec.structs.replace(stake, cents=left), stake.cents, why="cut", rules=rules)
        for stake, left in limits.cuts(state.setup, stakes, number)
    )


def _without_empty(stakes: Mapping[str, Stake], changed: Stake) -> dict[str, Stake]:
    after = {**stakes, changed.key: changed}
    if not changed.cents:
        del after[changed.key]
    return after
