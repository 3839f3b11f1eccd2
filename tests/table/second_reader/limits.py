"""What each stake plays for, and which stakes wait for a decision."""

from fractions import Fraction

from table.second_reader import chips
from table.second_reader.facts import HANDS, Fact, Right, Round

DECIDES = ("return-stakes", "cut-to-maximum", "cut-stakes", "let-stand")
# Whether a decision on a stake lifts the differential too. By 52 it does not: RWS 5.1.1 and 5.1.2 come first, and what is
# left to decide is only what still plays over a maximum. Setting the reading itself aside (43) does.


def plays_for(round_: Round, key: str) -> tuple[int, Right]:
    """What a stake in play really plays for, 0 where there is none."""
    stake = chips.lying(round_.facts).get(key)
    if stake is None:
        return 0, Right((), "there is no such stake")
    cents = stake["cents"]
    if round_.is_rws:
        share, right = _share(round_, key)
        return (cents, Right((), "in full")) if share is None else (min(share, cents), right)
    return _mbs(round_, key, stake)


def _mbs(round_: Round, key: str, stake: Fact) -> tuple[int, Right]:
    """At most the maximum (5.15); under the minimum once (5.14); whatever was decided, in full (21)."""
    cents, most = stake["cents"], round_.most(stake["bet"])
    if key in decided(round_):
        return cents, Right(("6.1",), "as it was decided")
    if most is not None and cents > most:
        return most, Right(("5.15",), "over the maximum: the maximum")
    if cents < round_.least(stake["bet"]) and has_used_the_one_time(round_, stake["player"]):
        return 0, Right(("5.14",), "under the minimum, and the one time is used up")
    return cents, Right((), "in full")


def decided(round_: Round) -> set[str]:
    """Stakes on which somebody at discretion decided: back, to the maximum, to an amount, or let stand."""
    found: set[str] = set()
    for fact in round_.said("irregularity-ruled"):
        if fact["inputs"].get("action") in DECIDES:
            found |= {f"{box}/{bet}/{player}" for player, box, bet in fact["inputs"].get("stakes", ())}
    return found


def _set_aside(round_: Round) -> set[str]:
    """Stakes that the differential alone limited when a decision let them play, whole or for an amount (43, 52).

    Where a stake is outside its minimum or maximum too, that limit is what was decided on.
    """
    found: set[str] = set()
    for number, fact in enumerate(round_.facts):
        if fact["event"] != "irregularity-ruled":
            continue
        if fact["inputs"].get("action") in ("let-stand", "cut-stakes"):
            before = round_.until(number).facts
            lay = chips.at_close(before) or chips.lying(before)
            named = {f"{box}/{bet}/{player}" for player, box, bet in fact["inputs"].get("stakes", ())}
            found |= {key for key in named if key in lay and not _is_outside(round_, lay[key])}
    return found


def _is_outside(round_: Round, stake: Fact) -> bool:
    most = round_.most(stake["bet"])
    return stake["cents"] < round_.least(stake["bet"]) or (most is not None and stake["cents"] > most)


# RWS: the differential -----------------------------------------------------------------------------------


def _share(round_: Round, key: str) -> tuple[int | None, Right]:
    """A stake's share where its box exceeds the differential; judged once, on the chips at the close (19, 52)."""
    closed = chips.at_close(round_.facts)
    right = Right(tuple(round_.rules.limits.differential.after.rules), "a share of the differential")
    if key not in closed or closed[key]["bet"] not in HANDS or key in _set_aside(round_):
        return None, right
    box, differential = closed[key]["box"], round_.setup.get("differential")
    if differential is None:
        return None, right
    here = {k: one for k, one in closed.items() if one["box"] == box}
    sums = {hand: sum(one["cents"] for one in here.values() if one["bet"] == hand) for hand in HANDS}
    heavier = max(HANDS, key=lambda hand: sums[hand])
    if abs(sums["player"] - sums["banker"]) <= differential or closed[key]["bet"] != heavier:
        return None, right
    heavy = {k: one for k, one in here.items() if one["bet"] == heavier}
    return _shares(heavy, min(sums.values()) + differential, round_.least(heavier))[key], right


def _shares(stakes: dict[str, Fact], allowed: int, least: int) -> dict[str, int]:
    """Stakes under the minimum in full; the rest in proportion, raised to the minimum where it would be less (19)."""
    plays = {key: one["cents"] for key, one in stakes.items() if one["cents"] < least}
    rest = {key: one["cents"] for key, one in stakes.items() if key not in plays}
    while rest:
        left, whole = allowed - sum(plays.values()), sum(rest.values())
        low = [key for key, cents in rest.items() if Fraction(cents * left, whole) < least]
        if not low:
            return plays | _to_the_cent(rest, left, stakes)
        plays |= dict.fromkeys(low, least)
        rest = {key: cents for key, cents in rest.items() if key not in low}
    return plays


def _to_the_cent(rest: dict[str, int], amount: int, stakes: dict[str, Fact]) -> dict[str, int]:
    """Cents by largest remainder, the earlier stake first where two are equal."""
    whole = sum(rest.values())
    exact = {key: Fraction(cents * amount, whole) for key, cents in rest.items()}
    found = {key: int(share) for key, share in exact.items()}
    order = sorted(rest, key=lambda key: (found[key] - exact[key], stakes[key]["order"]))
    for key in order[: amount - sum(found.values())]:
        found[key] += 1
    return found


def awaits_decision(round_: Round) -> dict[str, Right]:
    """RWS: stakes that still play for more than their maximum, on which nobody has decided (20, 52)."""
    if not round_.is_rws or round_.phase in ("betting", "adjusting", "void"):
        return {}
    found = {}
    for key, stake in chips.lying(round_.facts).items():
        most = round_.most(stake["bet"])
        plays, _ = plays_for(round_, key)
        if most is not None and plays > most and key not in decided(round_):
            rules = tuple(round_.rules.limits.above_maximum_unnoticed.rules)
            found[key] = Right(rules, f"plays for {plays}, over the maximum of {most}")
    return found


# MBS: the one time ---------------------------------------------------------------------------------------


def has_used_the_one_time(round_: Round, person: str) -> bool:
    """Whether a wager of theirs under the minimum was won or lost in an earlier round that stands (21, 58)."""
    if round_.rules.limits.below_minimum_unnoticed.value != "settle-once":
        return False
    return any(_used(earlier, person) for earlier in round_.earlier)


def _used(round_: Round, person: str) -> bool:
    """In that round, unless it is void: at its settlement or early."""
    if round_.phase != "settled" or round_.rules.limits.below_minimum_unnoticed.value != "settle-once":
        return False
    lines = [line for fact in round_.said("decided-settled") for line in fact["lines"]]
    lines += round_.said("round-settled")[-1]["settlement"]["lines"]
    return any(
        line["player"] == person
        and line.get("window") is None
        and line["stake"] < round_.least(line["bet"])
        and line["result"] in ("win", "lose")
        for line in lines
    )
