"""Betting plans as data: what to stake next is looked up, never computed by code of a plan's own.

A ladder has steps (multiples of the unit) and says which step follows a win and which a loss; a push
stays. Two plans need a little more: Labouchère keeps a line of numbers, and a proportional plan stakes a
share of the bankroll.
"""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import msgspec

from thirdcard.errors import BadInput, no_such
from thirdcard.money import LARGEST_STAKE, check_chip_unit, format_dollars
from thirdcard.odds.bet_values import check_bet
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.forms import LARGEST, values_of
from thirdcard.rulebook.lookup import find_layout, no_such_bet
from thirdcard.strict import bytes_of, decodable, whole, whole_fields

LONGEST_LADDER = 1000
LARGEST_STEP = 10**9  # units
FINEST_SHARE = 1000
LONGEST_LINE = 1000  # a Labouchère line that would grow beyond it begins anew
FOLLOWING = ("follow", "oppose")  # bets that depend on the last winner
HANDS = ("player", "banker")
POLICIES = ("never", "always", "positive")


class LadderStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many units, and the steps that follow a win and a loss, counted from 1.

    >>> LadderStep(2, win=1, lose=2)
    LadderStep(units=2, win=1, lose=2)
    """

    units: int
    win: int = 1
    lose: int = 1


class LadderFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ladder as it stands in a file: a `[[steps]]` for each of its steps."""

    steps: tuple[LadderStep, ...]


class Progression(msgspec.Struct, frozen=True):
    """How stakes go on: after a win at step i comes step `on_win[i]`."""

    steps: tuple[int, ...] = (1,)
    on_win: tuple[int, ...] = (0,)
    on_lose: tuple[int, ...] = (0,)
    line: tuple[int, ...] = ()
    share: Fraction = Fraction(0)


def _ladder(steps: tuple[int, ...], *, win: Callable[[int], int], lose: Callable[[int], int]) -> Progression:
    """A ladder from what a win and a loss do to the place on it; it is never left at either end."""
    last = len(steps) - 1
    return Progression(
        steps,
        tuple([min(max(win(i), 0), last) for i in range(len(steps))]),
        tuple([min(max(lose(i), 0), last) for i in range(len(steps))]),
    )


def _round_trip(*steps: int) -> Progression:
    """One step on with each win, back to the start after the last step or a loss."""
    return _ladder(steps, win=lambda i: (i + 1) % len(steps), lose=lambda _: 0)


DOUBLES = tuple(2**i for i in range(40))
LADDERS = {
    "flat": Progression(),
    "martingale": _ladder(DOUBLES, win=lambda _: 0, lose=lambda i: i + 1),
    "paroli": _round_trip(1, 2, 4),
    "1-3-2-6": _round_trip(1, 3, 2, 6),
    "dalembert": _ladder(tuple(range(1, LONGEST_LADDER + 1)), win=lambda i: i - 1, lose=lambda i: i + 1),
}
PLANS = {
    "flat": "one unit every round",
    "proportional": "a share of the bankroll",
    "martingale": "twice as much after each loss, one unit after a win",
    "paroli": "twice as much after a win, three times at most",
    "labouchere": "both ends of a line: crossed off by a win, a loss is written at its end",
    "dalembert": "a unit more after a loss, a unit less after a win",
    "1-3-2-6": "1, 3, 2, then 6 units as long as you win",
    "follow": "one unit on the last winner",
    "oppose": "one unit against the last winner",
}
LADDER, OWN = "ladder", "own"
OTHERS = {
    LADDER: "a ladder from a file",
    OWN: "a strategy of one's own",
}  # plans that come with more than a name


def read_ladder(file: Path | str) -> tuple[LadderStep, ...]:
    """The steps of a ladder from a TOML file; BadInput says what is wrong with it.

    >>> read_ladder("nowhere.toml")
    Traceback (most recent call last):
    thirdcard.errors.BadInput: cannot read the ladder nowhere.toml: No such file or directory
    """
    try:
        values, faults = values_of(bytes_of(Path(file), LARGEST).decode())
        if faults:
            raise BadInput(f"{file} is not a ladder: {faults[0][1]}")
        ladder = msgspec.convert(values, decodable(LadderFile))
    except OSError as error:
        raise BadInput(f"cannot read the ladder {file}: {error.strerror or error}") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadInput(
            f"{file} is not a ladder: {error}; expected [[steps]] with units, win and lose"
        ) from error
    ladder_of(ladder.steps)
    return ladder.steps


def ladder_of(steps: tuple[LadderStep, ...]) -> Progression:
    """A progression from steps that are counted from 1."""
    if not 0 < len(steps) <= LONGEST_LADDER:
        raise BadInput(f"a ladder has 1 to {LONGEST_LADDER} steps: got {len(steps)}")
    for number, step in enumerate(steps, start=1):
        if not 0 < step.units <= LARGEST_STEP:
            raise BadInput(f"step {number} of the ladder is 1 to {LARGEST_STEP:,} units: got {step.units}")
        for name, to in (("win", step.win), ("lose", step.lose)):
            if not 0 < to <= len(steps):
                raise BadInput(f"step {number} of the ladder has {name} = {to}: expected 1 to {len(steps)}")
    return Progression(
        tuple([step.units for step in steps]),
        tuple([step.win - 1 for step in steps]),
        tuple([step.lose - 1 for step in steps]),
    )


def progression(plan: str, *, line: tuple[int, ...], share: str) -> Progression:
    if plan == "labouchere":
        if not 0 < len(line) <= LONGEST_LINE or not all(0 < number <= LONGEST_LINE for number in line):
            raise BadInput(f"a Labouchère line is whole numbers from 1 to {LONGEST_LINE}, such as 1,2,3,4")
        return Progression(line=line)
    if plan == "proportional":
        return Progression(share=_parse_share(share))
    if plan in (*FOLLOWING, OWN):
        plan = "flat"
    if plan not in LADDERS:
        raise no_such("betting plan", plan, PLANS, 2)
    return LADDERS[plan]


def _parse_share(text: str) -> Fraction:
    try:
        share = Fraction(text)
    except (ValueError, ZeroDivisionError):
        share = Fraction(0)
    if not 0 < share <= 1 or share.denominator > FINEST_SHARE:
        raise BadInput(
            f"a share of the bankroll is more than 0 and at most 1, in steps of 1/{FINEST_SHARE} or coarser, "
            f"such as 0.02 or 1/30: got {text!r}"
        )
    return share


def bets_after(plan: str, bet: str) -> tuple[str, str, str]:
    """The bet to place when nobody has won yet, after the Player has won, and after the Banker has."""
    rule = plan if plan in FOLLOWING else bet
    if rule == "follow":
        return "banker", "player", "banker"
    if rule == "oppose":
        return "banker", "banker", "player"
    return bet, bet, bet


class Stakes(msgspec.Struct, frozen=True, kw_only=True):
    """Bets, money and limits of a session, in cents.

    `minimum`, `maximum` and `differential` are the table's limits for the plan's bet; the differential
    counts for Player and Banker only. Side bets are the same every round and keep only to the chip unit.
    Every round stakes what the plan says, brought within the limits, and no more than there is. A session
    ends when the bankroll no longer covers the side bets and the minimum (ruin), reaches `target`, falls to
    `floor`, or when the rounds are played.

    >>> Stakes(plan="martingale", bet="player", unit=1000, maximum=50_000).most("player")
    50000
    """

    plan: str = "flat"
    bet: str = "banker"
    unit: int = 1000
    bankroll: int = 100_000
    side: dict[str, int] = {}
    insurance: str = "never"
    layout: str | None = None
    chip_unit: int = 100
    minimum: int | None = None
    maximum: int | None = None
    differential: int | None = None
    target: int | None = None
    floor: int | None = None
    line: tuple[int, ...] = (1, 2, 3, 4)
    share: str = "1/50"
    ladder: tuple[LadderStep, ...] | None = None
    strategy: str | None = None  # of one's own, as `own_strategies.named` has it
    among: tuple[str, ...] | None = None  # the bets that it chooses from

    def __post_init__(self) -> None:
        for name in whole_fields(type(self)):
            if (cents := getattr(self, name)) is not None:
                msgspec.structs.force_setattr(self, name, whole(f"the {name.replace('_', ' ')}", cents))
        side = {name: whole(f"the stake on {name}", cents) for name, cents in self.side.items()}
        msgspec.structs.force_setattr(self, "side", side)

    @property
    def least(self) -> int:
        return self.chip_unit if self.minimum is None else self.minimum

    @property
    def sides(self) -> int:
        return sum(self.side.values())

    def most(self, bet: str) -> int:
        """The highest stake that the limits allow on a bet."""
        caps = [self.maximum, self.differential if bet in HANDS else None]
        return min([cap for cap in caps if cap is not None], default=LARGEST_STAKE)

    @property
    def displayed_maximum(self) -> int | None:
        """What the cap on long insurance odds is a share of (interpretation 12)."""
        return self.differential if self.maximum is None else self.maximum

    @property
    def progression(self) -> Progression:
        if self.plan == LADDER:
            return ladder_of(self.ladder or ())
        return progression(self.plan, line=self.line, share=self.share)

    @property
    def bets(self) -> tuple[str, ...]:
        """Those that it may place: of a strategy in the order it counts them, else after each winner."""
        return self.among or bets_after(self.plan, self.bet)


def check_stakes(book: Rulebook, stakes: Stakes) -> None:
    """Refuse a plan that does not fit the rulebook, its layout or the limits."""
    _ = stakes.progression
    for plan, given, what in (
        (LADDER, stakes.ladder, "a ladder"),
        (OWN, stakes.strategy, "a strategy"),
        (OWN, stakes.among, "bets to choose from"),
    ):
        if (stakes.plan == plan) != bool(given):
            raise BadInput(f"{what} and the plan {plan!r} go together: got the plan {stakes.plan!r}")
    check_chip_unit(stakes.chip_unit)
    _check_money(stakes)
    _check_bets(book, stakes)
    if stakes.insurance not in POLICIES:
        raise no_such("insurance policy", stakes.insurance, POLICIES)
    if stakes.insurance != "never":
        if book.insurance is None:
            raise BadInput(f"{book.slug} offers no insurance: leave out --insurance")
        if not set(stakes.bets) & set(HANDS):
            raise BadInput(
                f"insurance needs an original bet on player or banker ({', '.join(book.insurance.rules)}): "
                f"the plan bets on {stakes.bet}",
                rules=book.insurance.rules,
            )


def _check_money(stakes: Stakes) -> None:
    amounts = {
        "the unit": stakes.unit,
        "the bankroll": stakes.bankroll,
        "the minimum": stakes.minimum,
        "the maximum": stakes.maximum,
        "the differential": stakes.differential,
        **{f"the stake on {name}": stake for name, stake in stakes.side.items()},
    }
    for name, cents in amounts.items():
        if cents is None:
            continue
        if not 0 < cents <= LARGEST_STAKE // 1000:
            raise BadInput(
                f"{name} must be more than zero and at most {format_dollars(LARGEST_STAKE // 1000)}: "
                f"got {format_dollars(cents)}"
            )
        if cents % stakes.chip_unit and name != "the bankroll":
            raise BadInput(
                f"{name} must be a multiple of the chip unit {format_dollars(stakes.chip_unit)}: "
                f"got {format_dollars(cents)}"
            )
    for bet in dict.fromkeys(stakes.bets):
        if not stakes.least <= stakes.unit <= stakes.most(bet):
            raise BadInput(
                f"the unit must be within the table's limits for {bet}, {format_dollars(stakes.least)} to "
                f"{format_dollars(stakes.most(bet))}: got {format_dollars(stakes.unit)}"
            )
    if stakes.bankroll < stakes.least + stakes.sides:
        raise BadInput(
            f"the bankroll of {format_dollars(stakes.bankroll)} does not cover the first round: "
            f"{format_dollars(stakes.least + stakes.sides)}"
        )
    if stakes.target is not None and not stakes.bankroll < stakes.target <= LARGEST_STAKE:
        raise BadInput(
            f"the target must be above the bankroll of {format_dollars(stakes.bankroll)}: "
            f"got {format_dollars(stakes.target)}"
        )
    if stakes.floor is not None and not 0 <= stakes.floor < stakes.bankroll:
        raise BadInput(
            f"the floor must be from 0 to below the bankroll of {format_dollars(stakes.bankroll)}: "
            f"got {format_dollars(stakes.floor)}"
        )


def _check_bets(book: Rulebook, stakes: Stakes) -> None:
    for name in stakes.bets if stakes.bet in FOLLOWING else (stakes.bet, *stakes.bets):
        check_bet(book, name)
    for name in stakes.side:
        check_bet(book, name)
        if name in HANDS or name in stakes.bets:
            raise BadInput(f"{name} cannot be a side bet here: Player, Banker and the plan's own bet are not")
    layout_for(book, stakes)


def layout_for(book: Rulebook, stakes: Stakes) -> str:
    """The layout that is played on: the one named, or the first that offers every bet of the plan."""
    wanted = dict.fromkeys((*stakes.bets, *stakes.side))
    if stakes.layout is not None:
        offered = find_layout(book, stakes.layout).bets
        for name in wanted:
            if name not in offered:
                raise no_such_bet(book, name, stakes.layout)
        return stakes.layout
    for letter, layout in book.layouts.items():
        if all(name in layout.bets for name in wanted):
            return letter
    raise BadInput(f"no layout of {book.slug} offers {' and '.join(wanted)} together")
