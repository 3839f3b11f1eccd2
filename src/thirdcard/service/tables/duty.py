"""Who deals at a staffed table: one person at a time, by name, on record."""

from collections.abc import Iterable, Sequence

from thirdcard.service.log import floor_events as own
from thirdcard.service.people.roles import Person, allowed, rank_at
from thirdcard.service.tables.draft import Decided, HouseRefusal, Plan, logging_only, preceded
from thirdcard.service.tables.live import PLAYING, Live
from thirdcard.table import State, commands
from thirdcard.table.commands import AnyCommand
from thirdcard.table.ranks import outranks
from thirdcard.table.refusals import Refusal
from thirdcard.words.saying import say

NOTHING = Decided(events=())
# What a dealer does, automatic or not.
DEALT = (
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


def is_dealing(state: State, command: AnyCommand) -> bool:
    """Whether it is for the dealer alone; players turn the cards that they hold."""
    exposed_by_staff = isinstance(command, commands.Expose) and command.by not in state.players
    return isinstance(command, DEALT) or exposed_by_staff


def barred(live: Live, person: Person, command: AnyCommand) -> Refusal | None:
    """Nobody of the floor deals beside who is on duty."""
    dealer = live.duty.dealer
    if dealer in ("", person.name) or not _deals(live, person, (command,)):
        return None
    return _not_on_duty(dealer)


def signing_on(live: Live, person: Person, asked: Sequence[AnyCommand]) -> tuple[own.DealerSignedOn, ...]:
    """Whoever begins to deal where nobody does is on duty by that."""
    begins = not live.duty.dealer and _deals(live, person, asked)
    return (own.DealerSignedOn(dealer=person.name),) if begins else ()


def _deals(live: Live, person: Person, asked: Sequence[AnyCommand]) -> bool:
    staff = not live.automatic and allowed(person.role, "deal")
    return staff and any(is_dealing(live.table, command) for command in asked)


def _not_on_duty(dealer: str) -> HouseRefusal:
    return HouseRefusal(
        "not-on-duty",
        say("deals-here-take-over", who=dealer),
    )


def confirmed(plan: Plan, person: Person, *, desk: str) -> Plan:
    """What somebody asks for at the desk of another, by PIN, with that on record before it."""

    def told(live: Live) -> Decided | Refusal:
        decided = plan(live)
        if isinstance(decided, Refusal):
            return decided
        return preceded((own.ConfirmedAtDesk(person=person.name, desk=desk),), decided)

    return told


def deals_at(tables: Iterable[Live], name: str) -> Live | None:
    """The table at which somebody is on duty."""
    return next((live for live in tables if live.duty.dealer == name), None)


def supervises(person: Person, state: State) -> bool:
    """Whether somebody is of the rank that puts records right at a table."""
    rank = rank_at(person.role, state.rulebook)
    return rank is not None and outranks(state.rulebook, rank, state.rulebook.authority.amends.value)


# Coming and going ---------------------------------------------------------------------------------------


def _staffed(live: Live) -> Refusal | None:
    return Refusal("not-allowed-here", say("automatic-dealer-deals-table")) if live.automatic else None


def sign_on(person: Person) -> Plan:
    def plan(live: Live) -> Decided | Refusal:
        dealer = live.duty.dealer
        if dealer == person.name:
            return NOTHING
        if dealer:
            return _not_on_duty(dealer)
        return _staffed(live) or logging_only(own.DealerSignedOn(dealer=person.name))

    return plan


def sign_off(person: Person) -> Plan:
    """One's own going, between rounds; a supervisor signs somebody else off whenever it has to be."""

    def plan(live: Live) -> Decided | Refusal:
        dealer, above = live.duty.dealer, supervises(person, live.table)
        if not dealer:
            return HouseRefusal("not-on-duty", say("nobody-deals-table"))
        if dealer != person.name and not above:
            return Refusal("wrong-rank", say("deals-here-supervisor-signs", who=dealer))
        if live.table.phase in PLAYING and not above:
            return Refusal("wrong-phase", say("round-played-finish-hand"))
        return logging_only(own.DealerSignedOff(dealer=dealer, by=person.name))

    return plan


def take_off(dealer: str, *, by: str) -> Plan:
    """Nobody can deal by the account any more."""

    def plan(live: Live) -> Decided:
        on_duty = live.duty.dealer == dealer
        return logging_only(own.DealerSignedOff(dealer=dealer, by=by)) if on_duty else NOTHING

    return plan


def hand_over(person: Person, to: str, counted: int | None) -> Plan:
    """From who is on duty to `to`, asked for by the former or a supervisor; not while a case is open."""

    def plan(live: Live) -> Decided | Refusal:
        dealer, state = live.duty.dealer, live.table
        if not dealer:
            return _staffed(live) or HouseRefusal("not-on-duty", say("nobody-deals-here-sign"))
        if dealer != person.name and not supervises(person, state):
            return _not_on_duty(dealer)
        if dealer == to:
            return HouseRefusal("not-on-duty", say("deals-here-already", who=dealer))
        if state.round is not None and state.round.pending is not None:
            return Refusal("paused", say("case-open-when-happened"))
        return logging_only(own.DealerRelieved(off=dealer, on=to, counted=counted))

    return plan


def plan_relief(person: Person, at: int, dealer: str) -> Plan:
    """When who deals is to be relieved; `at` of 0 takes that back."""

    def plan(live: Live) -> Decided | Refusal:
        if not supervises(person, live.table):
            return Refusal("wrong-rank", say("pit-plans-relief-dealer"))
        if not live.duty.dealer:
            return _staffed(live) or HouseRefusal("not-on-duty", say("nobody-deals-table"))
        if dealer == live.duty.dealer:
            return HouseRefusal("not-on-duty", say("deals-here-relieved-somebody", who=dealer))
        return logging_only(own.ReliefPlanned(at=at, dealer=dealer if at else ""))

    return plan
