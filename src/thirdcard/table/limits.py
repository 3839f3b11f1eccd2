"""Stakes against the limits: room that is left, cuts before the close, what plays after it."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

import msgspec

from thirdcard.rulebook.model import Rulebook, Rules, Side
from thirdcard.table.setup import Setup
from thirdcard.table.state import HANDS, Played, Purchase, Stake, State


def totals(stakes: Iterable[Stake], box: int | None = None) -> dict[str, int]:
    """What lies on Player and on Banker, in one box or in all; side bets never count."""
    found = dict.fromkeys(HANDS, 0)
    for stake in stakes:
        if stake.bet in found and box in (None, stake.box):
            found[stake.bet] += stake.cents
    return found


def room(setup: Setup, stakes: Mapping[str, Stake], stake: Stake) -> int | None:
    """How far this stake may grow in all before the box's differential refuses it.

    Seated players have priority: a seated player's room counts the standing stakes on the same hand as given
    way, since those are cut (RWS 5.1). `None` where the differential refuses nothing.
    """
    differential = setup.rules.limits.differential
    if setup.differential is None or differential.scope != "box" or stake.bet not in HANDS:
        return None
    other = Side(stake.bet).other
    mine = against = 0
    for one in stakes.values():
        if one.box == stake.box and one.bet == other:
            against += one.cents
        elif one.box == stake.box and one.bet == stake.bet and one.player != stake.player:
            mine += 0 if stake.seated and not one.seated else one.cents
    return against + setup.differential - mine


def behind(stakes: Mapping[str, Stake], stake: Stake) -> bool:
    """Whether standing players have chips on the same hand in that box: they give way to a seated player."""
    if stake.bet not in HANDS:
        return False
    here = (stake.box, stake.bet)
    return any((one.box, one.bet) == here and not one.seated for one in stakes.values())


def cuts(setup: Setup, stakes: Mapping[str, Stake], box: int) -> list[tuple[Stake, int]]:
    """What has to go back so that a box keeps the differential: each stake cut, and what is left of it.

    Standing players before seated ones, the latest placed first; a cut that would leave less than the minimum
    returns the whole stake (interpretation 18), and where that tips the balance the other hand is cut too.
    """
    if setup.differential is None or setup.rules.limits.differential.scope != "box":
        return []
    found: list[tuple[Stake, int]] = []
    while True:
        sums = totals(stakes.values(), box)
        excess = abs(sums["player"] - sums["banker"]) - setup.differential
        if excess <= 0:
            return found
        heavier = max(HANDS, key=lambda hand: sums[hand])
        in_reach = [stake for stake in stakes.values() if (stake.box, stake.bet) == (box, heavier)]
        stake = min(in_reach, key=lambda one: (one.seated, -one.order))
        left = max(stake.cents - excess, 0)
        if left < setup.limit(heavier).min:
            left = 0
        found.append((stake, left))
        rest = {key: one for key, one in stakes.items() if key != stake.key}
        stakes = {**rest, stake.key: msgspec.structs.replace(stake, cents=left)} if left else rest


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
    by_remainder = sorted(stakes, key=lambda one: (shares[one.key] - exact[one.key], one.order))
    for stake in by_remainder[: amount - sum(shares.values())]:
        shares[stake.key] += 1
    return shares


def played(state: State, stakes: Mapping[str, Stake]) -> dict[str, Played]:
    """The stakes that do not play in full once bets are closed, and what they play for."""
    setup, limits = state.setup, state.rules.limits
    found: dict[str, Played] = {}
    if limits.differential.after_close == "pro-rata" and setup.differential is not None:
        rules = remedy_rules(state.rules, "over-differential", "pro-rata")
        for box in {stake.box for stake in stakes.values()}:
            found |= _pro_rated(setup, stakes, box, rules)
    for key, stake in stakes.items():
        limit = setup.limit(stake.bet)
        over, under = limits.above_maximum_unnoticed, limits.below_minimum_unnoticed
        if over.value == "to-maximum" and limit.max is not None and stake.cents > limit.max:
            found[key] = Played(limit.max, over.rules)
        elif under.value == "settle-once" and stake.cents < limit.min and stake.player in state.once:
            found[key] = Played(0, under.rules)
    return found


def _pro_rated(setup: Setup, stakes: Mapping[str, Stake], box: int, rules: Rules) -> dict[str, Played]:
    sums = totals(stakes.values(), box)
    heavier = max(HANDS, key=lambda hand: sums[hand])
    allowed = min(sums.values()) + (setup.differential or 0)
    if sums[heavier] <= allowed:
        return {}
    heavy = [stake for stake in stakes.values() if (stake.box, stake.bet) == (box, heavier)]
    shares = pro_rata(heavy, allowed, setup.limit(heavier).min)
    return {key: Played(cents, rules) for key, cents in shares.items() if cents != stakes[key].cents}


def plays_for(stakes: Mapping[str, Stake], playing: Mapping[str, Played], key: str) -> int:
    """What a stake really plays for, 0 where there is none."""
    if key in playing:
        return playing[key].cents
    return stakes[key].cents if key in stakes else 0


def scaled(purchase: Purchase, before: int, after: int) -> Purchase:
    """Insurance follows an Original Bet that turns out to play for less (interpretation 19)."""
    if after >= before:
        return purchase
    return msgspec.structs.replace(purchase, cents=purchase.cents * after // before)


def reject_rules(rules: Rulebook) -> Rules:
    """What refuses and rejects bets over the differential while bets are open."""
    differential = rules.limits.differential
    if differential.before_close != "reject":
        return differential.rules
    return remedy_rules(rules, "over-differential", "reject")


def remedy_rules(rules: Rulebook, case: str, remedy: str) -> Rules:
    """The paragraphs of the ruling of a case that has this remedy."""
    return next(
        ruling.rules
        for procedure in rules.procedures
        if procedure.case == case
        for ruling in procedure.rulings
        if remedy in ruling.remedy
    )
