"""Limits: may this bet be taken, how much room is left, what plays where nobody noticed."""

from functools import lru_cache

import msgspec

from thirdcard.money import DEFAULT_CHIP_UNIT
from thirdcard.rulebook.model import Rulebook, Rules, Side
from thirdcard.school.item_types import Because, BetLine, Cost, LimitsFacts, Phrase
from thirdcard.school.making import (
    Ground,
    Made,
    amount,
    because,
    cost,
    cost_of_cents,
    made_of,
    one_of,
    phrase,
)
from thirdcard.school.patrons import PATRONS, in_box, setup_for, stake_of_line
from thirdcard.strict import fields_of
from thirdcard.table import commands, limits, refusal
from thirdcard.table.ledger import rack
from thirdcard.table.state import Round, Stake, State

UNIT = DEFAULT_CHIP_UNIT
VERDICTS = ("taken", "below-minimum", "above-maximum", "over-differential")
MINIMA = (2_500, 5_000, 10_000)
MAXIMA = (200_000, 300_000, 500_000)
DIFFERENTIALS = (100_000, 150_000, 200_000)
SMALL_SHARES = ("pro-rata-floor", "pro-rata-small")
ENOUGH = 10**9


@lru_cache(maxsize=256)
def skills(book: Rulebook, layout: str) -> tuple[str, ...]:  # noqa: ARG001 - the same on every layout
    """What the document's limits can do to a bet."""
    differential = book.limits.differential
    names = ["limits/taken", "limits/below-minimum", "limits/above-maximum"]
    if differential.scope == "box":
        names += ["limits/over-differential", "limits/room"]
    else:
        names += ["limits/excess"]
    if differential.after_close == "pro-rata":
        names += ["limits/pro-rata", "limits/pro-rata-floor", "limits/pro-rata-small"]
    if book.limits.above_maximum_unnoticed.value == "to-maximum":
        names.append("limits/to-maximum")
    return tuple(names)


def make(ground: Ground, skill: str) -> Made | None:
    what = skill.split("/")[1]
    if what in VERDICTS:
        return _taken(ground, what)
    if what == "room":
        return _room(ground)
    if what == "excess":
        return _excess(ground)
    return _small_share(ground, what) if what in SMALL_SHARES else _plays(ground, what)


class _LimitTable(msgspec.Struct, frozen=True, kw_only=True):
    """Bets on the table and its limits."""

    lines: tuple[BetLine, ...]
    state: State
    minimum: int
    maximum: int
    differential: int

    @property
    def stakes(self) -> dict[str, Stake]:
        return self.state.round.stakes if self.state.round else {}

    def facts(self, wish: BetLine | None = None, *, closed: bool = False) -> LimitsFacts:
        return fields_of(LimitsFacts, self, unit=UNIT, closed=closed, wish=wish)


def _table(ground: Ground, lines: tuple[BetLine, ...]) -> _LimitTable:
    """Bets are open; everybody has chips enough, and sits or stands where their bets are.

    A side bet lies there too: it never counts towards the differential.
    """
    chance = ground.chance
    others = [bet for bet in ground.bets if bet not in tuple(Side)]
    if others:
        stake = chance.pick(range(5_000, 100_000, 500))
        lines = (
            *lines,
            BetLine(patron=PATRONS[4], bet=chance.pick(others), stake=stake, seated=False, order=10),
        )
    minimum, maximum, differential = chance.pick(MINIMA), chance.pick(MAXIMA), chance.pick(DIFFERENTIALS)
    bare = setup_for(ground, minimum=minimum, maximum=maximum, differential=differential)
    stakes = {stake.key: stake for stake in map(stake_of_line, lines)}
    people = tuple(dict.fromkeys((*(line.patron for line in lines), *PATRONS[:4])))
    state = msgspec.structs.replace(
        bare,
        players=people,
        seats={**{line.box: line.patron for line in lines if line.seated}, 1: PATRONS[0]},
        balances={rack(person): ENOUGH for person in people},
        round=Round(number=1, phase="betting", shoe=1, stakes=stakes, placings=len(stakes)),
    )
    return _LimitTable(lines=lines, state=state, minimum=minimum, maximum=maximum, differential=differential)


def _some_lines(ground: Ground) -> tuple[BetLine, ...]:
    """What lies in box 1 already: the first patron sits there, the others stand behind."""
    chance = ground.chance
    count = chance.pick((1, 2, 2, 3))
    return in_box(
        *((chance.pick(tuple(Side)).value, chance.pick(range(10_000, 90_000, 500))) for _ in range(count))
    )


def verdict_on(state: State, wish: BetLine) -> tuple[str, Rules]:
    """What the engine says to a bet: taken, or the code of its refusal."""
    refused = refusal(state, commands.Place(by=wish.patron, box=wish.box, bet=wish.bet, cents=wish.stake))
    return (refused.code, refused.rules) if refused is not None else ("taken", ())


def _taken(ground: Ground, wanted: str) -> Made | None:
    """Somebody asks to bet: taken, or which limit is in the way."""
    chance = ground.chance
    table = _table(ground, _some_lines(ground))
    patron = PATRONS[3]
    bet = chance.pick(tuple(Side)).value if wanted == "over-differential" else chance.pick(ground.bets)
    stake = {
        "below-minimum": chance.pick(range(500, table.minimum, 500)),
        "above-maximum": table.maximum + chance.pick(range(500, 50_000, 500)),
    }.get(wanted, chance.pick(range(table.minimum, table.maximum + 1, 500)))
    wish = BetLine(patron=patron, bet=bet, stake=stake, seated=False, order=11)
    answer, rules = verdict_on(table.state, wish)
    after = (*table.stakes.values(), stake_of_line(wish))
    if answer != wanted or _broken(table, wish) > 1:
        return None
    if table.state.rulebook.limits.differential.scope == "table" and limits.excess(table.state.setup, after):
        return None  # that it is taken all the same is interpretation 17
    displayed = ground.book.limits.displayed.rules
    asks = phrase("ask-taken", patron=patron, stake_cents=stake, bet=bet)
    says = {verdict: phrase(f"verdict-{verdict}") for verdict in VERDICTS}
    least, most, limit = table.minimum, table.maximum, table.differential
    reason = (
        because("why-limits", displayed, least_cents=least, most_cents=most, limit_cents=limit),
        *_why_differential(ground, table, wish),
        because("so-is-taken" if answer == "taken" else f"so-{answer}", rules, stake_cents=stake, bet=bet),
    )
    part = one_of("verdict", asks, answer, says, rules or displayed)
    return made_of(table.facts(wish), (part,), reason, _cost(table, answer, wish))


def _broken(table: _LimitTable, wish: BetLine) -> int:
    """How many limits a bet is outside of: with two, either could be named."""
    room = limits.room(table.state.setup, table.stakes, stake_of_line(wish))
    return sum(
        (wish.stake < table.minimum, wish.stake > table.maximum, room is not None and wish.stake > room)
    )


def _why_differential(ground: Ground, table: _LimitTable, wish: BetLine) -> tuple[Because, ...]:
    if wish.bet not in tuple(Side) or ground.book.limits.differential.scope != "box":
        return ()
    return (_why_sums("why-box", limits.totals(table.stakes.values(), wish.box)),)


def _why_sums(key: str, sums: dict[str, int]) -> Because:
    return because(key, player_cents=sums["player"], banker_cents=sums["banker"])


def _cost(table: _LimitTable, came: str, wish: BetLine) -> Cost:
    """What would lie on the table against the rules, or be turned away against them."""
    if came == "taken":
        return cost("cost-refused", wish.stake, bet=wish.bet, stake_cents=wish.stake)
    room = limits.room(table.state.setup, table.stakes, stake_of_line(wish))
    over = {
        "above-maximum": wish.stake - table.maximum,
        "over-differential": wish.stake - (room or 0),
        "below-minimum": wish.stake,
    }[came]
    return cost_of_cents("cost-at-risk", over)


def _room(ground: Ground) -> Made | None:
    """The most that a patron may bet on a hand of the box."""
    table = _table(ground, _some_lines(ground))
    hand = ground.chance.pick(tuple(Side))
    patron = PATRONS[3]
    wish = BetLine(patron=patron, bet=hand.value, stake=0, seated=False, order=11)
    room = limits.room(table.state.setup, table.stakes, stake_of_line(wish))
    if room is None:
        return None
    most = min(room, table.maximum)
    at_most = msgspec.structs.replace(wish, stake=most)
    over = msgspec.structs.replace(wish, stake=most + UNIT)
    if most < table.minimum or verdict_on(table.state, at_most)[0] != "taken":
        return None
    if verdict_on(table.state, over)[0] == "taken":
        return None
    document = ground.book.limits
    rules = document.differential.rules if room < table.maximum else document.maximum.rules
    reason = (
        _why_sums("why-box", limits.totals(table.stakes.values(), 1)),
        because("why-room", rules, hand=hand, limit_cents=table.differential),
        because("so-room", rules, cents=most),
    )
    part = amount("most", phrase("ask-room", patron=patron, hand=hand), most, rules)
    return made_of(table.facts(wish), (part,), reason, _cost_of_room(table, room, most))


def _cost_of_room(table: _LimitTable, room: int, most: int) -> Cost:
    """One limit taken for the only one: the maximum, the room of the box, the bare differential."""
    for cents in (table.maximum, room, table.differential):
        if cents > most:
            return cost_of_cents("cost-at-risk", cents - most)
    return _cost_of_refusing(most - table.differential)  # what lies against it was forgotten


def _cost_of_refusing(cents: int) -> Cost:
    return cost_of_cents("cost-turned-away", cents) if cents else cost("cost-same-limit", 0)


def _excess(ground: Ground) -> Made | None:
    """By how much the table's differential is exceeded."""
    chance = ground.chance
    lines = tuple(
        BetLine(
            patron=PATRONS[number],
            bet=chance.pick(tuple(Side)).value,
            stake=chance.pick(range(20_000, 200_000, 500)),
            box=number + 1,
            order=number + 1,
        )
        for number in range(chance.pick((2, 3, 4)))
    )
    table = _table(ground, lines)
    over = limits.excess(table.state.setup, table.stakes.values())
    rules, sums = ground.book.limits.differential.rules, limits.totals(table.stakes.values())
    reason = (
        _why_sums("why-table", sums),
        because("why-excess", rules, limit_cents=table.differential),
        because("so-excess", rules, cents=over),
    )
    apart = abs(sums["player"] - sums["banker"])  # may be taken for an excess where there is none
    dearest = cost_of_cents("cost-at-risk", over) if over else _cost_of_refusing(apart)
    return made_of(table.facts(), (amount("excess", phrase("ask-excess"), over, rules),), reason, dearest)


def _plays(ground: Ground, what: str) -> Made | None:
    """Noticed after the close: what each bet plays for."""
    chance, document = ground.chance, ground.book.limits
    hand = chance.pick(tuple(Side))
    if what == "to-maximum":
        lines = in_box((hand.value, chance.pick(range(150_000, 900_000, 500))))
        rules = document.above_maximum_unnoticed.rules
    else:
        each = chance.pick((20_000, 30_000, 40_000, 50_000, 60_000))
        shares = chance.some((1, 2, 3, 4, 5, 6, 7, 8), chance.pick((2, 2, 3)))
        against = chance.pick((0, 20_000, 50_000, 100_000))
        lines = in_box(*((hand.value, share * each) for share in shares))
        if against:
            lines += (BetLine(patron=PATRONS[3], bet=hand.other.value, stake=against, seated=False, order=9),)
        rules = document.differential.after.rules
    table = _table(ground, lines)
    plays = limits.played(table.state, table.stakes)
    plays_for = {
        line.patron: limits.plays_for(table.stakes, plays, stake_of_line(line).key) for line in lines
    }
    heavy = [line for line in lines if line.bet == hand.value]
    if not plays or not _in_proportion(heavy, plays_for):
        return None
    parts = [
        amount(f"plays-{line.patron}", _ask_plays(line), plays_for[line.patron], rules) for line in heavy
    ]
    back = sum(line.stake - plays_for[line.patron] for line in heavy)
    key = "why-to-maximum" if what == "to-maximum" else "why-pro-rata"
    limit = table.maximum if what == "to-maximum" else table.differential
    reason = (because(key, rules, limit_cents=limit), because("so-back", rules, cents=back))
    return made_of(table.facts(closed=True), parts, reason, cost_of_cents("cost-at-risk", back))


def _ask_plays(line: BetLine) -> Phrase:
    return phrase("ask-plays", patron=line.patron, stake_cents=line.stake, bet=line.bet)


def _small_share(ground: Ground, what: str) -> Made | None:
    """A small bet beside a large one: no share falls under the minimum, a smaller bet plays in full.

    Only the small one is asked about: how the rest is shared out then is interpretation 19.
    """
    chance, hand = ground.chance, ground.chance.pick(tuple(Side))
    stakes = (chance.pick(range(250_000, 900_000, 2_500)), chance.pick(range(1_000, 30_000, 500)))
    lines = in_box(*((hand.value, stake) for stake in stakes))
    table = _table(ground, lines)
    small, whole = stakes[1], sum(stakes)
    under = small < table.minimum
    if under != (what == "pro-rata-small") or small * table.differential >= table.minimum * whole:
        return None
    played = limits.played(table.state, table.stakes)
    plays = limits.plays_for(table.stakes, played, stake_of_line(lines[1]).key)
    if plays != (small if under else table.minimum):
        return None
    rules, asks = ground.book.limits.differential.after.rules, _ask_plays(lines[1])
    error = small * table.differential // whole  # in proportion, as if there were no minimum
    reason = (
        because("why-pro-rata", rules, limit_cents=table.differential),
        because("why-small-bet" if under else "why-no-less", rules, least_cents=table.minimum),
    )
    return made_of(
        table.facts(closed=True),
        (amount(f"plays-{PATRONS[1]}", asks, plays, rules),),
        reason,
        cost("cost-of-share", plays - error, **asks.blanks, wrong_cents=error, right_cents=plays),
    )


def _in_proportion(heavy: list[BetLine], plays: dict[str, int]) -> bool:
    """Whether shares are whole chips and none is raised: interpretation 19 decides nothing."""
    whole, allowed = sum(line.stake for line in heavy), sum(plays[line.patron] for line in heavy)
    return all(
        plays[line.patron] * whole == line.stake * allowed and not plays[line.patron] % UNIT for line in heavy
    )
