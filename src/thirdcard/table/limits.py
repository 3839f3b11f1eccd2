"""Stakes against the limits: room that is left, cuts before the close, what plays after it.

No sum of money at a table leaves 64 bits. A cent on the layout, insurance included, pays at most 9,000 (what
a rulebook may promise) and comes back, so what a round moves is at most 9,001 times `LARGEST_TOTAL`, which is
less than 2**60, and twice that where a settlement is reversed and made anew. Chips are bought and laid only
while each account of the table is within `LARGEST_BALANCE`, so that it stays below 2**61 + 2**61.
"""

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction

import msgspec

from thirdcard.money import LARGEST_WAGER, floor_to_unit
from thirdcard.rulebook.model import Rulebook, Rules, Side
from thirdcard.table import ledger
from thirdcard.table.setup import Setup
from thirdcard.table.state import HANDS, Played, Round, Stake, State

LARGEST_TOTAL = 10**14  # cents on the layout at once
LARGEST_BALANCE = 2**61  # cents
FEW = LARGEST_TOTAL // LARGEST_WAGER  # stakes that leave room for one more, however large they are


def is_countable(state: State, player: str) -> bool:
    """Whether the accounts through which this player's money goes are far from what can be written down."""
    balance = state.balances.get
    return (
        -LARGEST_BALANCE <= balance(ledger.HOUSE, 0) <= LARGEST_BALANCE
        and balance(ledger.CASH, 0) + balance(ledger.WALLETS, 0) >= -LARGEST_BALANCE
        and balance(ledger.AWAY, 0) <= LARGEST_BALANCE
        and balance(ledger.rack(player), 0) <= LARGEST_BALANCE
    )


def space(state: State, player: str) -> int:
    """How much more of this player's money the layout takes, whatever the limits of the bets."""
    if not is_countable(state, player):
        return 0
    current, lies = state.round, 0
    if current is not None and current.phase == "betting" and len(current.stakes) < FEW:
        return LARGEST_WAGER  # no more is laid at once
    if current is not None and current.phase == "settled":  # it would all be settled again
        lies = sum(stake.cents for stake in current.closed.values())
        lies += sum(purchase.cents for purchase in current.purchases)
    for number in range(1, state.setup.positions + 1):
        lies += state.balances.get(ledger.box(number), 0)
    return LARGEST_TOTAL - lies


def totals(stakes: Iterable[Stake], box: int | None = None) -> dict[str, int]:
    """What lies on Player and on Banker, in one box or in all; side bets never count."""
    found = dict.fromkeys(HANDS, 0)
    for stake in stakes:
        if stake.bet in found and (box is None or stake.box == box):
            found[stake.bet] += stake.cents
    return found


def room(setup: Setup, stakes: Mapping[str, Stake], stake: Stake) -> int | None:
    """How far this stake may grow in all before the box's differential refuses it.

    Seated players have priority: a seated player's room counts the standing stakes on the same hand as given
    way, since those are cut (RWS 5.1). `None` where the differential refuses nothing.
    """
    differential = setup.book.limits.differential
    if setup.differential is None or differential.scope != "box" or stake.bet not in HANDS:
        return None
    box, bet, player = stake.box, stake.bet, stake.player
    mine = against = 0
    for other in stakes.values():
        if other.box != box or other.bet not in HANDS:
            continue
        if other.bet != bet:
            against += other.cents
        elif other.player != player and (other.seated or not stake.seated):
            mine += other.cents
    return against + setup.differential - mine


def behind(stakes: Mapping[str, Stake], stake: Stake) -> bool:
    """Whether standing players have chips on the same bet in that box: they give way to a seated player."""
    box, bet = stake.box, stake.bet
    for other in stakes.values():  # noqa: SIM110 - any() takes four times as long, at every bet on a hand
        if not other.seated and other.box == box and other.bet == bet:
            return True
    return False


def cuts(setup: Setup, stakes: Mapping[str, Stake], box: int) -> list[tuple[Stake, int]]:
    """What has to go back so that a box keeps the differential: each stake cut, and what is left of it.

    Standing players before seated ones, the latest placed first; a cut that would leave less than the minimum
    returns the whole stake (interpretation 18), and where that tips the balance the other hand is cut too.
    """
    if setup.differential is None or setup.book.limits.differential.scope != "box":
        return []
    found: list[tuple[Stake, int]] = []
    while True:
        sums = totals(stakes.values(), box)
        excess = abs(sums["player"] - sums["banker"]) - setup.differential
        if excess <= 0:
            return found
        heavier = max(HANDS, key=lambda hand: sums[hand])
        in_reach = [stake for stake in stakes.values() if (stake.box, stake.bet) == (box, heavier)]
        stake = min(in_reach, key=lambda stake: (stake.seated, -stake.order))
        left = max(stake.cents - excess, 0)
        if left < setup.limit(heavier).min:
            left = 0
        found.append((stake, left))
        rest = {key: one for key, one in stakes.items() if key != stake.key}
        stakes = {**rest, stake.key: msgspec.structs.replace(stake, cents=left)} if left else rest


def heavier(stakes: Iterable[Stake], box: int | None = None) -> Side:
    """The hand on which more lies, at a table or in a box."""
    sums = totals(stakes, box)
    return Side(max(HANDS, key=lambda hand: sums[hand]))


def latest_taken(setup: Setup, stakes: Iterable[Stake]) -> list[tuple[Stake, int]]:
    """The last placed wagers of the heavier hand, with what is left of each once the differential is met."""
    every = list(stakes)
    hand = heavier(every)
    heavy = sorted((stake for stake in every if stake.bet == hand), key=lambda stake: -stake.order)
    return taken(setup, heavy, excess(setup, every))


def taken(setup: Setup, stakes: Iterable[Stake], needed: int) -> list[tuple[Stake, int]]:
    """What is left of each stake in turn until so much has come off; nothing under its minimum is left."""
    found = []
    for stake in stakes:
        if needed <= 0:
            break
        left = floor_to_unit(max(stake.cents - needed, 0), setup.chip_unit)
        left = left if left >= setup.limit(stake.bet).min else 0
        found.append((stake, left))
        needed -= stake.cents - left
    return found


def removals(setup: Setup, stakes: Mapping[str, Stake]) -> list[tuple[Stake, int]]:
    """What may come off to meet a table differential: the last placed wagers of the heavier hand.

    What would fall below its minimum comes off whole; where that tips the balance the other hand follows.
    """
    left = dict(stakes)
    found: list[tuple[Stake, int]] = []
    while True:
        sums = totals(left.values())
        excess = abs(sums["player"] - sums["banker"]) - (setup.differential or 0)
        if excess <= 0:
            return found
        heavier = max(HANDS, key=lambda hand: sums[hand])
        last = max((stake for stake in left.values() if stake.bet == heavier), key=lambda stake: stake.order)
        keeps = last.cents - excess
        keeps = keeps - keeps % setup.chip_unit if keeps >= setup.limit(heavier).min else 0
        found.append((last, last.cents - keeps))
        if keeps:
            left[last.key] = msgspec.structs.replace(last, cents=keeps)
        else:
            del left[last.key]


def most_removed(setup: Setup, stakes: Mapping[str, Stake], stake: Stake) -> int:
    """How much of a wager the table differential asks for; all of it where less than the minimum would stay.

    A removal cuts no further (MBS 5.18.3, interpretation 62).
    """
    unit, needed = setup.chip_unit, excess(setup, stakes.values())
    keeps = floor_to_unit(stake.cents - needed, unit)
    return stake.cents - keeps if keeps >= setup.limit(stake.bet).min else stake.cents


def pro_rata(stakes: Iterable[Stake], allowed: int, minimum: int) -> dict[str, int]:
    """What each stake of the heavier hand plays for when together they may play for `allowed`.

    Stakes under the minimum play in full; no share falls below the minimum, and if these floors alone exceed
    what is allowed they stand (interpretation 19). Shares add up to the cent by largest remainder.
    """
    stakes = list(stakes)
    plays = {stake.key: stake.cents for stake in stakes if stake.cents < minimum}
    sharing = [stake for stake in stakes if stake.key not in plays]
    while sharing:
        left = allowed - sum(plays.values())
        whole = sum(stake.cents for stake in sharing)
        low = [stake for stake in sharing if stake.cents * left < minimum * whole]
        if not low:
            plays |= _shares(sharing, left)
            break
        plays |= {stake.key: minimum for stake in low}
        sharing = [stake for stake in sharing if stake.key not in plays]
    return plays


def _shares(stakes: list[Stake], amount: int) -> dict[str, int]:
    whole = sum(stake.cents for stake in stakes)
    exact = {stake.key: Fraction(stake.cents * amount, whole) for stake in stakes}
    shares = {key: int(share) for key, share in exact.items()}
    by_remainder = sorted(stakes, key=lambda stake: (shares[stake.key] - exact[stake.key], stake.order))
    for stake in by_remainder[: amount - sum(shares.values())]:
        shares[stake.key] += 1
    return shares


def played(
    state: State, stakes: Mapping[str, Stake], decided: Collection[str] = (), freed: Collection[str] = ()
) -> dict[str, Played]:
    """The stakes that do not play in full once bets are closed, and what they play for.

    The differential comes first (interpretation 52), unless a stake was freed of it. Where a decision was
    taken on a stake outside a minimum or a maximum, that says what it plays for.
    """
    setup, document = state.setup, state.rulebook.limits
    over, under = document.above_maximum_unnoticed, document.below_minimum_unnoticed
    found: dict[str, Played] = {}
    if document.differential.after_close == "pro-rata" and setup.differential is not None:
        rules = document.differential.after.rules
        for box in _unbalanced(setup.differential, stakes):
            found |= _pro_rated(setup, stakes, box, rules)
    for key in freed:
        found.pop(key, None)
    capped, once = over.value == "to-maximum", under.value == "settle-once" and state.settled_once
    if not capped and not once:
        return found
    limit_of = setup.limit_of
    for key, stake in stakes.items():
        if key in decided:
            continue
        limit = limit_of[stake.bet]
        if capped and limit.max is not None and stake.cents > limit.max:
            found[key] = Played(limit.max, over.rules)
        elif once and stake.cents < limit.min and stake.player in once:
            found[key] = Played(0, under.rules)
    return found


def _unbalanced(differential: int, stakes: Mapping[str, Stake]) -> list[int]:
    """The boxes in which Player and Banker differ by more."""
    balance: dict[int, int] = {}
    for stake in stakes.values():
        if stake.bet == "player":
            balance[stake.box] = balance.get(stake.box, 0) + stake.cents
        elif stake.bet == "banker":
            balance[stake.box] = balance.get(stake.box, 0) - stake.cents
    return [box for box, cents in balance.items() if abs(cents) > differential]


def _pro_rated(setup: Setup, stakes: Mapping[str, Stake], box: int, rules: Rules) -> dict[str, Played]:
    sums = totals(stakes.values(), box)
    heavier = max(HANDS, key=lambda hand: sums[hand])
    allowed = min(sums.values()) + (setup.differential or 0)
    heavy = [stake for stake in stakes.values() if (stake.box, stake.bet) == (box, heavier)]
    shares = pro_rata(heavy, allowed, setup.limit(heavier).min)
    return {key: Played(cents, rules) for key, cents in shares.items() if cents != stakes[key].cents}


def is_outside(setup: Setup, stake: Stake) -> bool:
    """Whether a stake is under its minimum or over its maximum."""
    limit = setup.limit(stake.bet)
    return not limit.min <= stake.cents <= (limit.max or stake.cents)


def freed_by_decision(setup: Setup, lies: Mapping[str, Stake], keys: Iterable[str]) -> tuple[str, ...]:
    """Of stakes that a decision lets play, those for which it sets the differential aside.

    A decision on a stake outside its minimum or maximum is about that limit: the differential comes first
    (interpretation 52). Where nothing else limits a stake, the differential is what was decided on.
    """
    return tuple(key for key in keys if key in lies and not is_outside(setup, lies[key]))


def plays_for(stakes: Mapping[str, Stake], playing: Mapping[str, Played], key: str) -> int:
    """What a stake really plays for, 0 where there is none."""
    lies = stakes[key].cents if key in stakes else 0
    return min(playing[key].cents, lies) if key in playing else lies


def reject_rules(rulebook: Rulebook) -> Rules:
    """What refuses and rejects bets over the differential while bets are open."""
    return rulebook.limits.differential.before.rules


def excess(setup: Setup, stakes: Iterable[Stake], box: int | None = None) -> int:
    """By how much Player and Banker differ too much, in a box or over the table; 0 if they do not."""
    if setup.differential is None:
        return 0
    sums = totals(stakes, box)
    return max(abs(sums["player"] - sums["banker"]) - setup.differential, 0)


def undecided_excess(state: State, current: Round) -> list[Stake]:
    """Stakes that play for more than a maximum, which the document leaves to a decision not yet taken."""
    if state.rulebook.limits.above_maximum_unnoticed.value != "shift-manager":
        return []
    limit_of, found = state.setup.limit_of, []
    for key, stake in current.stakes.items():
        most = limit_of[stake.bet].max
        if most is None or stake.cents <= most or key in current.decided:
            continue
        if plays_for(current.stakes, current.played, key) > most:
            found.append(stake)
    return found
