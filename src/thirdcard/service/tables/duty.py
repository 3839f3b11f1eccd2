"""Who deals at a staffed table, one person at a time, on record; and what goes with the opening of bets."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.floor_events import Logged
from thirdcard.service.people.roles import Person, allowed, rank_at
from thirdcard.service.tables.draft import Decided, HouseRefusal, Plan, logging_only, planned, preceded
from thirdcard.service.tables.live import PLAYING, Live
from thirdcard.service.tables.paying import Paying
from thirdcard.table import Setup, State, commands, events
from thirdcard.table.commands import AnyCommand
from thirdcard.table.ranks import outranks
from thirdcard.table.refusals import Refusal
from thirdcard.table.state import HANDS
from thirdcard.words.saying import Saying, say

NOTHING = Decided(events=())
SETTING_UP = (events.SetupChanged, events.RulebookChanged)
# What a dealer does, automatic or not.
DEALT: frozenset[type[AnyCommand]] = frozenset(
    (
        commands.NewShoe,
        commands.Open,
        commands.Close,
        commands.CutCard,
        commands.Draw,
        commands.HandOver,
        commands.TakeCards,
        commands.RevealFirst,
        commands.GiveDevice,
        commands.TakeDevice,
        commands.CloseInsurance,
        commands.Settle,
    )
)


def is_dealing(state: State, command: AnyCommand) -> bool:
    """Whether it is for the dealer alone; players turn the cards that they hold."""
    exposed_by_staff = isinstance(command, commands.Expose) and command.by not in state.players
    return type(command) in DEALT or exposed_by_staff


def barred(live: Live, person: Person, command: AnyCommand) -> Refusal | None:
    """Nobody of the floor deals beside who is on duty; leave to have the device is given from above."""
    dealer = live.duty.dealer
    if isinstance(command, commands.GiveDevice) and supervises(person, live.table):
        return None
    if dealer in ("", person.name) or not _deals(live, person, (command,)):
        return None
    return _not_on_duty(dealer)


def signing_on(live: Live, person: Person, asked: Sequence[AnyCommand]) -> tuple[floor.DealerSignedOn, ...]:
    """Whoever begins to deal where nobody does is on duty by that."""
    begins = not live.duty.dealer and _deals(live, person, asked)
    return (floor.DealerSignedOn(dealer=person.name),) if begins else ()


def _deals(live: Live, person: Person, asked: Sequence[AnyCommand]) -> bool:
    staff = not live.automatic and allowed(person.role, "deal")
    return staff and any(is_dealing(live.table, command) for command in asked)


def _not_on_duty(dealer: str) -> HouseRefusal:
    return HouseRefusal(
        "not-on-duty",
        say("take-over-by-hand-over", who=dealer),
    )


@planned
def confirmed(live: Live, plan: Plan, person: Person, *, desk: str) -> Decided | Refusal:
    """What somebody asks for at the desk of another, by PIN, with that on record before it."""
    decided = plan(live)
    if isinstance(decided, Refusal):
        return decided
    return preceded((floor.ConfirmedAtDesk(person=person.name, desk=desk),), decided)


def deals_at(tables: Iterable[Live], name: str) -> Live | None:
    """The table at which somebody is on duty."""
    return next((live for live in tables if live.duty.dealer == name), None)


def supervises(person: Person, state: State) -> bool:
    """Whether somebody is of the rank that puts records right at a table."""
    rank = rank_at(person.role, state.rulebook)
    return rank is not None and outranks(state.rulebook, rank, state.rulebook.authority.amends.value)


# Coming and going ---------------------------------------------------------------------------------------


def _staffed(live: Live) -> Refusal | None:
    return Refusal("not-allowed-here", say("automatic-dealer-deals")) if live.automatic else None


@planned
def sign_on(live: Live, person: Person) -> Decided | Refusal:
    dealer = live.duty.dealer
    if dealer == person.name:
        return NOTHING
    if dealer:
        return _not_on_duty(dealer)
    return _staffed(live) or logging_only(floor.DealerSignedOn(dealer=person.name))


@planned
def sign_off(live: Live, person: Person) -> Decided | Refusal:
    """One's own going, between rounds; a supervisor signs somebody else off whenever it has to be."""
    dealer, above = live.duty.dealer, supervises(person, live.table)
    if not dealer:
        return HouseRefusal("not-on-duty", say("nobody-deals-at-table"))
    if dealer != person.name and not above:
        return Refusal("wrong-rank", say("signed-off-by-supervisor", who=dealer))
    if live.table.phase in PLAYING and not above:
        return Refusal("wrong-phase", say("round-being-played"))
    return logging_only(floor.DealerSignedOff(dealer=dealer, by=person.name))


@planned
def take_off(live: Live, dealer: str, *, by: str) -> Decided:
    """Nobody can deal by the account any more."""
    on_duty = live.duty.dealer == dealer
    return logging_only(floor.DealerSignedOff(dealer=dealer, by=by)) if on_duty else NOTHING


@planned
def hand_over(live: Live, person: Person, to: str, counted: int | None) -> Decided | Refusal:
    """From who is on duty to `to`, asked for by the former or a supervisor; not while a case is open."""
    dealer, state = live.duty.dealer, live.table
    if not dealer:
        return _staffed(live) or HouseRefusal("not-on-duty", say("nobody-deals-here"))
    if dealer != person.name and not supervises(person, state):
        return _not_on_duty(dealer)
    if dealer == to:
        return HouseRefusal("not-on-duty", say("deals-here-already", who=dealer))
    if state.round is not None and state.round.pending is not None:
        return Refusal("paused", say("case-keeps-who-was-there"))
    expected = None if counted is None else live.tray.expected(state)
    return logging_only(floor.DealerRelieved(off=dealer, on=to, counted=counted, expected=expected))


@planned
def plan_relief(live: Live, person: Person, at: int, dealer: str) -> Decided | Refusal:
    """When who deals is to be relieved; `at` of 0 takes that back."""
    if not supervises(person, live.table):
        return Refusal("wrong-rank", say("pit-plans-relief"))
    if not live.duty.dealer:
        return _staffed(live) or HouseRefusal("not-on-duty", say("nobody-deals-at-table"))
    if dealer == live.duty.dealer:
        return HouseRefusal("not-on-duty", say("relieved-by-somebody-else", who=dealer))
    return logging_only(floor.ReliefPlanned(at=at, dealer=dealer if at else ""))


# Opening bets -----------------------------------------------------------------------------------------


ARCHIVED = Refusal("wrong-phase", say("table-archived"))


def barred_opening(live: Live) -> Refusal | None:
    """Why no round is opened now."""
    if live.closed:
        return Refusal("wrong-phase", say("table-closed"))
    if live.ended:
        return Refusal("wrong-phase", say("last-round-was-played"))
    paying = live.paying
    return in_dispute(paying) if paying is not None and paying.disputed else None


def in_dispute(paying: Paying) -> Refusal:
    box, _, player = next(iter(paying.disputed)).partition("/")
    told = say("payout-disputed", who=player, box=box)
    return Refusal("decision-needed", told)


def accompanied(live: Live, decided: Decided) -> Decided:
    """What was decided; where people deal, opening ends the payouts before it and starts a timer."""
    if live.automatic or not any(isinstance(event, events.BetsOpened) for event, _ in decided.events):
        return decided
    return msgspec.structs.replace(decided, events=tuple(_accompanied(live, decided)))


def _accompanied(live: Live, decided: Decided) -> Iterator[tuple[Logged, State | None]]:
    assert live.pace is not None  # it comes with the table
    for event, state in decided.events:
        opens = isinstance(event, events.BetsOpened)
        if opens and live.paying is not None and not live.paying.done:
            yield floor.PayoutsDone(round=live.paying.round), None
        yield event, state
        if isinstance(event, events.BetsOpened) and live.pace.betting:
            yield (
                floor.TimerStarted(timer="betting", key=f"betting/{event.number}", ms=live.pace.betting),
                None,
            )


def unplayable(setup: Setup) -> Saying | None:
    """What is wrong with limits that each for itself are in order; None if nothing is."""
    least = max((limit.min for bet, limit in setup.limit_of.items() if bet in HANDS), default=0)
    if setup.differential is None or setup.differential >= least:
        return None
    return say("differential-below-minimum", differential=setup.differential, least=least)


def changes_to_unplayable(state: State, decided: Decided) -> Refusal | None:
    """The refusal of a change by which the table could not be played."""
    present = state.next_setup or state.setup
    for event, _ in decided.events:
        if not isinstance(event, SETTING_UP):
            continue
        same = (event.setup.limits, event.setup.differential) == (present.limits, present.differential)
        told = None if same else unplayable(event.setup)
        if told:
            return Refusal("bad-setup", told)
    return None
