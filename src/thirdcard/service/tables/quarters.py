"""What a quarter of an hour came to at a table, in sums that its events add to as they are written.

A sum has a name, often of something: `win`, `time:betting`, `staked:banker|8|DIGEST`. All of them are added
up over quarters, shifts and tables without reading a log. A round counts when it ends, with the bets as they
played; one that is settled anew is taken out and counted again, when that happens. Amounts are cents, times
microseconds, products of stakes square dollars.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from thirdcard.play.tableau import INITIAL, Deal
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.codec import LARGE_WIN_CENTS
from thirdcard.service.log.floor_events import Logged
from thirdcard.service.log.store.model import IndexRow, QuarterSum, Record
from thirdcard.service.tables.live import Live, phase_of
from thirdcard.table import events
from thirdcard.table.ledger import HOUSE, OWED, RACK, is_outside
from thirdcard.table.rights.insurance import windows_over
from thirdcard.table.state import HANDS, Line, Round, State

QUARTER = 15 * 60 * 1_000_000
LONGEST = 31 * 24 * 3_600 * 1_000_000  # of a step; of one that lasts longer only the end is counted
SQUARE_DOLLAR = 100 * 100
LARGEST_PRODUCT = 2**56  # of two stakes: a store adds up those of a quarter of an hour in 63 bits
OVER = ("settled", "void")
OF_PLAYERS = (RACK, "box:")  # chips at the table that are theirs
MAIN = (*HANDS, "tie")  # every other bet is a side bet
COUNTED: dict[type, str] = {
    events.IrregularityReported: "reports",
    events.IrregularityRuled: "rulings",
    events.ReportDismissed: "dismissals",
    events.SettlementReversed: "reversals",
    events.RecordAmended: "corrections",
    events.CardsCorrected: "corrections",
    floor.PayoutDisputed: "disputes",
    floor.SupervisorCalled: "calls",
}
# What a shift lists one by one.
INCIDENTS = frozenset((*COUNTED, events.RoundVoided)) - {
    events.SettlementReversed,
    floor.SupervisorCalled,
}
INCIDENT, FLOAT = "incident", "float"
FLOATED = (floor.FloatCounted, floor.FloatFilled, floor.FloatCredited, floor.DropCounted)
DATED = INCIDENTS | {*FLOATED, events.RoundSettled, floor.DealerRelieved}  # what a shift may have to find


def quarter_of(at: int) -> int:
    """When the quarter of an hour began that a time is in."""
    return at - at % QUARTER


def dated(key: str, at: int) -> str:
    """Under which key of the index something is found that happened in that quarter."""
    return f"{key}:{quarter_of(at)}"


def dated_rows(live: Live, event: Logged) -> Iterator[IndexRow]:
    """Where a shift finds the incident, or the count, fill or credit, that was logged last."""
    kind = type(event)
    if kind not in DATED or live.practice is not None:
        return
    if kind in INCIDENTS or (isinstance(event, events.RoundSettled) and large_wins(event)):
        yield IndexRow(dated(INCIDENT, live.last_at), live.version, live.last_at)
    elif isinstance(event, FLOATED) or (
        isinstance(event, floor.DealerRelieved) and event.counted is not None
    ):
        yield IndexRow(dated(FLOAT, live.last_at), live.version, live.last_at)


def large_wins(event: events.RoundSettled) -> int:
    """How many players won so much with it that it is significant."""
    return sum(net >= LARGE_WIN_CENTS for net in event.settlement.nets.values())


def added_up(sums: Iterable[QuarterSum]) -> list[QuarterSum]:
    """One for each sum, in order of time."""
    found = Counter[tuple[int, str]]()
    for quarter_sum in sums:
        found[quarter_sum.at, quarter_sum.name] += quarter_sum.value
    return [QuarterSum(at, name, value) for (at, name), value in sorted(found.items())]


def quarters_of(before: Live, after: Live, event: Logged, stored: Record) -> Iterator[QuarterSum]:
    """What an event adds, from how the table was to how it is; of the journal and of practice nothing."""
    if after.state is None or after.practice is not None:
        return
    if before.counted_at != after.counted_at:
        yield from time_spent(before, stored.at)
    kind = type(event)
    found: Counter[str] = Counter()
    if event.postings:
        _add_money(found, event)
    if kind in COUNTED:
        found[COUNTED[kind]] += 1
    elif isinstance(event, floor.FloatFilled):
        found["fills"] += event.cents
    elif isinstance(event, floor.FloatCredited):
        found["credits"] += event.cents
    if before.state is not None and before.state.round is not after.state.round:
        _add_round(found, before.state, after.state)
    here = quarter_of(stored.at)
    for name, value in found.items():
        if value:
            yield QuarterSum(here, name, value)


def time_spent(live: Live, until: int) -> Iterator[QuarterSum]:
    """What is added if a table goes on until then as it has been since `counted_at`: nothing while closed.

    By its phase, by seats that are taken and by those that there are, each times the microseconds.
    """
    phase = phase_of(live)
    if phase == "closed":
        return
    seats, room = len(live.table.seats), live.table.setup.positions
    for at, time in spread(max(live.counted_at, until - LONGEST), until):
        yield QuarterSum(at, f"time:{phase}", time)
        yield QuarterSum(at, "room", time * room)
        if seats:
            yield QuarterSum(at, "seats", time * seats)


def spread(since: int, until: int) -> Iterator[tuple[int, int]]:
    """The quarters from one time to another, each with how much of it lies between."""
    while since < until:
        at = quarter_of(since)
        end = min(until, at + QUARTER)
        yield at, end - since
        since = end


def _add_money(found: Counter[str], event: Logged) -> None:
    """`win` of the house; chips bought (`drop`) and cashed in; what players came to owe, below zero."""
    outside = 0
    for posting in event.postings:
        if posting.account.startswith(OF_PLAYERS):
            continue
        if posting.account == HOUSE:
            found["win"] += posting.cents
        elif posting.account.startswith(OWED):
            found["owed"] += posting.cents
        elif is_outside(posting.account):
            outside += posting.cents
    if outside:
        found["drop" if outside < 0 else "cashed-in"] += abs(outside)


# A round ------------------------------------------------------------------------------------------------


def _add_round(found: Counter[str], before: State, after: State) -> None:
    """One that ends counts; one that goes on again, or ends otherwise, is taken out first."""
    was, now = before.round, after.round
    if was is not None and now is not None and was.number == now.number and was.phase in OVER:
        found.subtract(round_sums(before, was))
    if now is not None and now.phase in OVER:
        found.update(round_sums(after, now))


def round_sums(state: State, current: Round) -> Counter[str]:
    """What a round that is over adds."""
    found = Counter[str]({"rounds" if current.phase == "settled" else "voids": 1})
    settled = current.settlement.lines if current.settlement is not None else ()
    lines = [line for line in (*current.early, *settled) if line.result != "returned"]
    boxes = dict[str, set[int]]()
    stakes = Counter[str]()
    deal = state.deal()
    for line in lines:
        boxes.setdefault(line.bet, set()).add(line.box)
        stakes[priced_as(line, deal)] += line.stake if line.played is None else line.played
        found[f"won:{line.bet}"] -= line.net
    for bet, where in boxes.items():
        found[f"boxes:{bet}"] = len(where)
    found["boxes"] = len({line.box for line in lines})
    found["side-boxes"] = len({line.box for line in lines if is_side_bet(line.bet)})
    found["staked"] = sum(stakes.values())
    basis = f"|{state.setup.decks}|{state.setup.digest}"
    by_name = sorted(stakes.items())
    for place, (bet, cents) in enumerate(by_name):
        found[f"staked:{bet}{basis}"] = cents
        for other, more in by_name[place:]:
            found[f"product:{bet}*{other}{basis}"] = min(cents * more // SQUARE_DOLLAR, LARGEST_PRODUCT)
    for number, offered in windows_over(state, current).items():
        buyers = {purchase.player for purchase in current.purchases if purchase.window == number}
        found[f"offered:{number}"] = len({*offered.declined, *offered.silent, *buyers})
        found[f"bought:{number}"] = len(buyers)
    if current.settlement is not None:
        nets = current.settlement.nets.values()
        found["large-wins"] = sum(net >= LARGE_WIN_CENTS for net in nets)
    return found


def is_side_bet(bet: str) -> bool:
    return bet not in MAIN and not is_insurance(bet)


def is_insurance(bet: str) -> bool:
    return bet.endswith("-insurance")


def priced_as(line: Line, deal: Deal) -> str:
    """By what its edge is found: the bet; of insurance also the window and the points it was offered at."""
    drawn = INITIAL + (line.window or 0) - 1
    if line.window is None or len(deal.cards) < drawn:
        return line.bet
    then = deal.after(drawn)
    return f"{line.bet}:{line.window}:{then.player_points}:{then.banker_points}"
