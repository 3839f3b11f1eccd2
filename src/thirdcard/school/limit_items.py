"""Limits: may this bet be taken, how much room is left, what plays where nobody noticed."""

from functools import lru_cache

import msgspec

from thirdcard.money import DEFAULT_CHIP_UNIT
from thirdcard.rulebook.model import Rulebook, Rules, Side
from thirdcard.school.item_types import (
    Because,
    BetLine,
    Cost,
    Ground,
    ItemPart,
    LimitsFacts,
    Made,
    OfferedChoice,
    Phrase,
    choice_part,
)
from thirdcard.school.patrons import PATRONS, setup_for, stake_of_line
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
    found = ["limits/taken", "limits/below-minimum", "limits/above-maximum"]
    if differential.scope == "box":
        found += ["limits/over-differential", "limits/room"]
    else:
        found += ["limits/excess"]
    if differential.after_close == "pro-rata":
        found += ["limits/pro-rata", "limits/pro-rata-floor", "limits/pro-rata-small"]
    if book.limits.above_maximum_unnoticed.value == "to-maximum":
        found.append("limits/to-maximum")
    return tuple(found)


def make(ground: Ground, skill: str) -> Made | None:
    what = skill.split("/")[1]
    if what in VERDICTS:
        return _taken(ground, what)
    if what == "room":
        return _room(ground)
    if what == "excess":
        return _excess(ground)
    return _small_share(ground, what) if what in SMALL_SHARES else _plays(ground, what)


class _Table(msgspec.Struct, frozen=True, kw_only=True):
    """Bets on the table and its limits."""

    lines: tuple[BetLine, ...]
    state: State
    minimum: int
    maximum: int
    differential: int

    def facts(self, wish: BetLine | None = None, *, closed: bool = False) -> LimitsFacts:
        return LimitsFacts(
            lines=self.lines,
            minimum=self.minimum,
            maximum=self.maximum,
            differential=self.differential,
            unit=UNIT,
            closed=closed,
            wish=wish,
        )


def _table(ground: Ground, lines: tuple[BetLine, ...]) -> _Table:
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
    return _Table(lines=lines, state=state, minimum=minimum, maximum=maximum, differential=differential)


def _some_lines(ground: Ground) -> tuple[BetLine, ...]:
    """What lies in box 1 already: the first patron sits there, the others stand behind."""
    chance = ground.chance
    count = chance.pick((1, 2, 2, 3))
    return tuple(
        BetLine(
            patron=PATRONS[number],
            bet=chance.pick(tuple(Side)).value,
            stake=chance.pick(range(10_000, 90_000, 500)),
            seated=number == 0,
            order=number + 1,
        )
        for number in range(count)
    )


def verdict_on(state: State, wish: BetLine) -> tuple[str, Rules]:
    """What the engine says to a bet: taken, or the code of its refusal."""
    told = refusal(state, commands.Place(by=wish.patron, box=wish.box, bet=wish.bet, cents=wish.stake))
    return (told.code, told.rules) if told is not None else ("taken", ())


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
    came, rules = verdict_on(table.state, wish)
    after = (*_stakes(table).values(), stake_of_line(wish))
    if came != wanted or _broken(table, wish) > 1:
        return None
    if table.state.rulebook.limits.differential.scope == "table" and limits.excess(table.state.setup, after):
        return None  # that it is taken all the same is interpretation 17
    document = ground.book.limits
    options = {verdict: OfferedChoice(verdict, Phrase(f"verdict-{verdict}"), verdict) for verdict in VERDICTS}
    part = choice_part(
        "verdict",
        Phrase("ask-taken", {"patron": patron, "stake_cents": stake, "bet": bet}),
        options[came],
        options.values(),
        paragraphs=rules or document.displayed.rules,
        order=VERDICTS,
    )
    if part is None:
        return None
    numbers: dict[str, str | int] = {
        "least_cents": table.minimum,
        "most_cents": table.maximum,
        "limit_cents": table.differential,
    }
    return Made(
        facts=table.facts(wish),
        parts=(part,),
        reason=(
            Because(Phrase("why-limits", numbers), document.displayed.rules),
            *_why_differential(ground, table, wish),
            Because(
                Phrase(
                    "so-is-taken" if came == "taken" else f"so-{came}", {"stake_cents": stake, "bet": bet}
                ),
                rules,
            ),
        ),
        cost=_cost(table, came, wish),
    )


def _broken(table: _Table, wish: BetLine) -> int:
    """How many limits a bet is outside of: with two, either could be named."""
    room = limits.room(table.state.setup, _stakes(table), stake_of_line(wish))
    return sum(
        (wish.stake < table.minimum, wish.stake > table.maximum, room is not None and wish.stake > room)
    )


def _stakes(table: _Table) -> dict[str, Stake]:
    return table.state.round.stakes if table.state.round else {}


def _why_differential(ground: Ground, table: _Table, wish: BetLine) -> tuple[Because, ...]:
    if wish.bet not in tuple(Side) or ground.book.limits.differential.scope != "box":
        return ()
    sums = limits.totals(_stakes(table).values(), wish.box)
    return (Because(Phrase("why-box", {"player_cents": sums["player"], "banker_cents": sums["banker"]})),)


def _cost(table: _Table, came: str, wish: BetLine) -> Cost:
    """What would lie on the table against the rules, or be turned away against them."""
    if came == "taken":
        return Cost(Phrase("cost-refused", {"bet": wish.bet, "stake_cents": wish.stake}), wish.stake)
    room = limits.room(table.state.setup, _stakes(table), stake_of_line(wish))
    over = {
        "above-maximum": wish.stake - table.maximum,
        "over-differential": wish.stake - (room or 0),
        "below-minimum": wish.stake,
    }[came]
    return Cost(Phrase("cost-at-risk", {"cents": over}), over)


def _room(ground: Ground) -> Made | None:
    """The most that a patron may bet on a hand of the box."""
    table = _table(ground, _some_lines(ground))
    hand = ground.chance.pick(tuple(Side))
    patron = PATRONS[3]
    wish = BetLine(patron=patron, bet=hand.value, stake=0, seated=False, order=11)
    room = limits.room(table.state.setup, _stakes(table), stake_of_line(wish))
    if room is None:
        return None
    most = min(room, table.maximum)
    at_most = msgspec.structs.replace(wish, stake=most)
    over = msgspec.structs.replace(wish, stake=most + UNIT)
    if most < table.minimum or verdict_on(table.state, at_most)[0] != "taken":
        return None
    if verdict_on(table.state, over)[0] == "taken":
        return None
    rules = (
        ground.book.limits.differential.rules if room < table.maximum else ground.book.limits.maximum.rules
    )
    against = limits.totals(_stakes(table).values(), 1)
    return Made(
        facts=table.facts(wish),
        parts=(
            ItemPart(
                name="most",
                asks=Phrase("ask-room", {"patron": patron, "hand": hand.value}),
                form="cents",
                answer=most,
                paragraphs=rules,
            ),
        ),
        reason=(
            Because(
                Phrase("why-box", {"player_cents": against["player"], "banker_cents": against["banker"]})
            ),
            Because(Phrase("why-room", {"hand": hand.value, "limit_cents": table.differential}), rules),
            Because(Phrase("so-room", {"cents": most}), rules),
        ),
        cost=_cost_of_room(table, room, most),
    )


def _cost_of_room(table: _Table, room: int, most: int) -> Cost:
    """One limit taken for the only one: the maximum, the room of the box, the bare differential."""
    for cents in (table.maximum, room, table.differential):
        if cents > most:
            return Cost(Phrase("cost-at-risk", {"cents": cents - most}), cents - most)
    refused = most - table.differential  # what lies against it was forgotten
    if refused:
        return Cost(Phrase("cost-turned-away", {"cents": refused}), refused)
    return Cost(Phrase("cost-same-limit"), 0)


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
    over = limits.excess(table.state.setup, _stakes(table).values())
    rules, sums = ground.book.limits.differential.rules, limits.totals(_stakes(table).values())
    return Made(
        facts=table.facts(),
        parts=(
            ItemPart(name="excess", asks=Phrase("ask-excess"), form="cents", answer=over, paragraphs=rules),
        ),
        reason=(
            Because(Phrase("why-table", {"player_cents": sums["player"], "banker_cents": sums["banker"]})),
            Because(Phrase("why-excess", {"limit_cents": table.differential}), rules),
            Because(Phrase("so-excess", {"cents": over}), rules),
        ),
        cost=_cost_of_excess(sums, over),
    )


def _cost_of_excess(sums: dict[str, int], over: int) -> Cost:
    """An excess that is left lying; where there is none, a difference that is taken for one."""
    apart = abs(sums["player"] - sums["banker"])
    if over:
        return Cost(Phrase("cost-at-risk", {"cents": over}), over)
    return (
        Cost(Phrase("cost-turned-away", {"cents": apart}), apart)
        if apart
        else Cost(Phrase("cost-same-limit"), 0)
    )


def _plays(ground: Ground, what: str) -> Made | None:
    """Noticed after the close: what each bet plays for."""
    chance, document = ground.chance, ground.book.limits
    hand = chance.pick(tuple(Side))
    if what == "to-maximum":
        lines: tuple[BetLine, ...] = (
            BetLine(
                patron=PATRONS[0], bet=hand.value, stake=chance.pick(range(150_000, 900_000, 500)), order=1
            ),
        )
        rules = document.above_maximum_unnoticed.rules
    else:
        each = chance.pick((20_000, 30_000, 40_000, 50_000, 60_000))
        shares = chance.some((1, 2, 3, 4, 5, 6, 7, 8), chance.pick((2, 2, 3)))
        against = chance.pick((0, 20_000, 50_000, 100_000))
        lines = tuple(
            BetLine(patron=PATRONS[n], bet=hand.value, stake=share * each, seated=n == 0, order=n + 1)
            for n, share in enumerate(shares)
        )
        if against:
            lines += (BetLine(patron=PATRONS[3], bet=hand.other.value, stake=against, seated=False, order=9),)
        rules = document.differential.after.rules
    table = _table(ground, lines)
    stakes = _stakes(table)
    plays = limits.played(table.state, stakes)
    if not plays or not _in_proportion(
        table,
        hand,
        plays_for := {
            line.patron: limits.plays_for(stakes, plays, stake_of_line(line).key) for line in lines
        },
    ):
        return None
    heavy = [line for line in lines if line.bet == hand.value]
    parts = tuple(
        ItemPart(
            name=f"plays-{line.patron}",
            asks=Phrase("ask-plays", {"patron": line.patron, "stake_cents": line.stake, "bet": line.bet}),
            form="cents",
            answer=plays_for[line.patron],
            paragraphs=rules,
        )
        for line in heavy
    )
    back = sum(line.stake - plays_for[line.patron] for line in heavy)
    key = "why-to-maximum" if what == "to-maximum" else "why-pro-rata"
    limit = table.maximum if what == "to-maximum" else table.differential
    return Made(
        facts=table.facts(closed=True),
        parts=parts,
        reason=(
            Because(Phrase(key, {"limit_cents": limit}), rules),
            Because(Phrase("so-back", {"cents": back}), rules),
        ),
        cost=Cost(Phrase("cost-at-risk", {"cents": back}), back),
    )


def _small_share(ground: Ground, what: str) -> Made | None:
    """A small bet beside a large one: no share falls under the minimum, a smaller bet plays in full.

    Only the small one is asked about: how the rest is shared out then is interpretation 19.
    """
    chance, hand = ground.chance, ground.chance.pick(tuple(Side))
    stakes = (chance.pick(range(250_000, 900_000, 2_500)), chance.pick(range(1_000, 30_000, 500)))
    lines = tuple(
        BetLine(patron=PATRONS[n], bet=hand.value, stake=stake, seated=n == 0, order=n + 1)
        for n, stake in enumerate(stakes)
    )
    table = _table(ground, lines)
    small, whole = stakes[1], sum(stakes)
    under = small < table.minimum
    if under != (what == "pro-rata-small") or small * table.differential >= table.minimum * whole:
        return None
    lying = _stakes(table)
    plays = limits.plays_for(lying, limits.played(table.state, lying), stake_of_line(lines[1]).key)
    if plays != (small if under else table.minimum):
        return None
    rules = ground.book.limits.differential.after.rules
    blanks: dict[str, str | int] = {"patron": PATRONS[1], "stake_cents": small, "bet": hand.value}
    told = Phrase("why-small-bet" if under else "why-no-less", {"least_cents": table.minimum})
    error = small * table.differential // whole  # in proportion, as if there were no minimum
    cost = {**blanks, "wrong_cents": error, "right_cents": plays}
    return Made(
        facts=table.facts(closed=True),
        parts=(
            ItemPart(
                name=f"plays-{PATRONS[1]}",
                asks=Phrase("ask-plays", blanks),
                form="cents",
                answer=plays,
                paragraphs=rules,
            ),
        ),
        reason=(
            Because(Phrase("why-pro-rata", {"limit_cents": table.differential}), rules),
            Because(told, rules),
        ),
        cost=Cost(Phrase("cost-of-share", cost), plays - error),
    )


def _in_proportion(table: _Table, hand: Side, plays: dict[str, int]) -> bool:
    """Whether shares are whole chips and none is raised: interpretation 19 decides nothing."""
    heavy = [line for line in table.lines if line.bet == hand.value]
    whole, allowed = sum(line.stake for line in heavy), sum(plays[line.patron] for line in heavy)
    return all(
        plays[line.patron] * whole == line.stake * allowed and not plays[line.patron] % UNIT for line in heavy
    )
