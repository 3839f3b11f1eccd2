"""What happens around a table, told in sentences; a table's own events are told by `table/transcript.py`."""

from collections.abc import Iterator

import msgspec

from thirdcard.service.log import floor_events as own
from thirdcard.words.saying import LogLine, log_line

FLOOR: dict[type, str] = {
    own.TableCreated: "table-created",
    own.TableClosed: "table-closed",
    own.TableReopened: "table-reopened",
    own.PaceChanged: "pace-changed",
    own.ShoeCommitted: "shoe-committed",
    own.ShoePromised: "shoe-promised",
    own.SeedAdded: "seed-added",
    own.ShoeSealed: "shoe-sealed",
    own.ShoeRevealed: "shoe-revealed",
    own.TimerStarted: "timer-started",
    own.PlayerReady: "player-ready",
    own.SupervisorCalled: "supervisor-called",
    own.SupervisorCame: "supervisor-came",
    own.DealerSignedOn: "dealer-signed-on",
    own.DealerSignedOff: "dealer-signed-off",
    own.DealerRelieved: "dealer-relieved",
    own.ReliefPlanned: "relief-planned",
    own.ConfirmedAtDesk: "confirmed-at-desk",
    own.PayoutTicked: "payout-ticked",
    own.PayoutNamed: "payout-named",
    own.PayoutUnticked: "payout-unticked",
    own.PayoutDisputed: "payout-disputed",
    own.DisputeSettled: "dispute-settled",
    own.PayoutsDone: "payouts-done",
    own.SaidInPublic: "said-in-public",
    own.LastRoundAnnounced: "last-round-announced",
    own.TableArchived: "table-archived",
    own.TableUnarchived: "table-unarchived",
    own.ShiftStarted: "shift-started",
    own.FloatCounted: "float-counted",
    own.FloatFilled: "float-filled",
    own.FloatCredited: "float-credited",
    own.CaseTaken: "case-taken",
    own.CasePassedUp: "case-passed-up",
}

COUNTS = {
    "opening": "float-counted-opening",
    "closing": "float-counted-closing",
    "check": "float-counted-check",
}


def floor_lines(event: own.AnyFloorEvent) -> Iterator[LogLine]:
    """What happened around the table; nothing of how its log is kept."""
    if type(event) in FLOOR:
        yield LogLine(_key(event), msgspec.structs.asdict(event) | dict(_facts(event)))


def _key(event: own.AnyFloorEvent) -> str:
    """Which sentence it is."""
    match event:
        case own.FloatCounted():
            key = COUNTS[event.why]
        case own.SaidInPublic(sentence=""):
            key = "nothing-said-in-public"
        case own.PlayerReady(ready=False):
            key = "player-not-ready"
        case own.ReliefPlanned(at=0):
            key = "relief-dropped"
        case _:
            key = FLOOR[type(event)]
    return key + _told_besides(event)


def _told_besides(event: own.AnyFloorEvent) -> str:
    """What is left out of an event is left out of its sentence."""
    told = ""
    match event:
        case (
            own.SupervisorCalled(note=note) | own.PayoutDisputed(note=note) | own.CasePassedUp(note=note)
        ) if note:
            told = "-note"
        case own.TableClosed(rounds=int()) | own.TableReopened(rounds=int()):
            told = "-chips"
        case own.PaceChanged(before=own.Pace()):
            told = "-from"
        case own.DealerSignedOff() if event.by != event.dealer:
            told = "-by"
        case own.ReliefPlanned() if event.at and event.dealer:
            told = "-by"
        case own.FloatCounted() if event.expected not in (None, event.cents):
            told = "-off"
        case own.DealerRelieved(counted=int()):
            told = "-counted"
    return told


def _facts(event: own.AnyFloorEvent) -> Iterator[tuple[str, object]]:
    """What follows from the fields of an event."""
    match event:
        case own.FloatCounted(expected=int(expected)):
            yield "off", event.cents - expected
        case own.PaceChanged(pace=pace, before=own.Pace() as before):
            yield "what", tuple(_paces(before, pace))


def _paces(before: own.Pace, after: own.Pace) -> Iterator[LogLine]:
    """Each time that is another, as it was and as it is."""
    for name in own.Pace.__struct_fields__:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield log_line("pace", name=name, before=old, after=new)
