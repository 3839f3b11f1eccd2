"""The payouts of a round: what each has coming, what the dealer has handed out, what is disputed.

Kept where people deal. What a dealer handed out stays on record when the round is corrected, so that what
is different now has to be ticked again.
"""

from collections.abc import Iterable

import msgspec

from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.store.model import Record
from thirdcard.table import events
from thirdcard.table.events import AnyEvent
from thirdcard.table.state import Line

replace = msgspec.structs.replace


class Dispute(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What was said of a payout, by whom and when."""

    note: str
    by: str
    at: int


class Paying(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """By box and player: winnings that are `due`, what was `paid`, and what is `disputed`.

    `early` are lines that were settled before the round ended; `named` is what a trainee said is due.
    `before` is what each had won or lost by the settlement that was carried out at the table, where it was
    reversed since, and `carried` the lines of it: then `due` and `paid` are all that each wins or loses in a
    box, so that what changes hands is one figure; `base` is what had been paid when it was corrected.
    """

    round: int
    due: dict[str, int] = {}
    paid: dict[str, int] = {}
    disputed: dict[str, Dispute] = {}
    named: dict[str, int] = {}
    early: tuple[Line, ...] = ()
    done: bool = False
    before: dict[str, int] = {}
    carried: tuple[Line, ...] = ()
    base: dict[str, int] = {}

    @property
    def open(self) -> tuple[str, ...]:
        """To whom chips have to go, or from whom they come back."""
        keys = dict.fromkeys((*self.due, *self.paid))
        return tuple(key for key in keys if self.due.get(key, 0) != self.paid.get(key, 0))


def payout_key(box: int, player: str) -> str:
    return f"{box}/{player}"


def winnings(lines: Iterable[Line], *, losses: bool = False) -> dict[str, int]:
    """What each has coming besides the stakes, which stay; with `losses` less what is lost."""
    found: dict[str, int] = {}
    for line in lines:
        if line.net > 0 or losses:
            key = payout_key(line.box, line.player)
            found[key] = found.get(key, 0) + line.net
    return found


def _with_losses(paid: dict[str, int], lines: Iterable[Line]) -> dict[str, int]:
    """What was handed out, less the bets that were taken."""
    lost = winnings((line for line in lines if line.net < 0), losses=True)
    return {key: paid.get(key, 0) + lost.get(key, 0) for key in dict.fromkeys((*paid, *lost))}


PAID_BY = frozenset(
    (
        events.BetsOpened,
        events.DecidedSettled,
        events.RoundSettled,
        events.SettlementReversed,
        events.RoundVoided,
    )
)


def after(
    paying: Paying | None, event: AnyEvent, number: int, lines_before: tuple[Line, ...] = ()
) -> Paying | None:
    """What there is to pay after an event of `PAID_BY` in that round; before it there were these lines."""
    if isinstance(event, events.BetsOpened):
        return None
    paying = paying or Paying(round=number)
    lines = paying.early
    if isinstance(event, events.DecidedSettled):
        lines = (*lines, *event.lines)
        return replace(paying, early=lines, due=winnings(lines), done=False)
    if isinstance(event, events.RoundSettled):
        lines = (*lines, *event.settlement.lines)
    before, carried, paid, base = paying.before, paying.carried, paying.paid, paying.base
    if isinstance(event, events.SettlementReversed) and (paying.done or not before):
        before = event.nets  # of several corrections before all is paid, the first
    if isinstance(event, events.SettlementReversed) and (paying.done or paid):  # bets that lost were taken
        before_it = (*paying.early, *lines_before)
        paid = paid if carried else _with_losses(paid, before_it)
        carried, base = before_it, paid
    due = winnings(lines, losses=bool(carried))
    now = replace(paying, due=due, paid=paid, done=False, before=before, carried=carried, base=base)
    over = isinstance(event, events.RoundVoided) and not (now.due or now.paid or now.disputed or before)
    return None if over else now


def ticked(paying: Paying, event: floor.PayoutTicked, _: Record) -> Paying:
    key = payout_key(event.box, event.player)
    others = {one: cents for one, cents in paying.paid.items() if one != key}
    return replace(paying, paid=others | ({key: event.cents} if event.cents or paying.carried else {}))


def named(paying: Paying, event: floor.PayoutNamed, _: Record) -> Paying:
    return replace(paying, named=paying.named | {payout_key(event.box, event.player): event.cents})


def unticked(paying: Paying, event: floor.PayoutUnticked, _: Record) -> Paying:
    key = payout_key(event.box, event.player)
    others = {one: cents for one, cents in paying.paid.items() if one != key}
    back = {key: paying.base[key]} if key in paying.base else {}
    return replace(paying, paid=others | back, done=False)


def disputed(paying: Paying, event: floor.PayoutDisputed, stored: Record) -> Paying:
    said = {payout_key(event.box, event.player): Dispute(note=event.note, by=stored.by, at=stored.at)}
    return replace(paying, disputed=paying.disputed | said, done=False)


def dispute_settled(paying: Paying, event: floor.DisputeSettled, _: Record) -> Paying:
    key = payout_key(event.box, event.player)
    return replace(paying, disputed={one: said for one, said in paying.disputed.items() if one != key})
