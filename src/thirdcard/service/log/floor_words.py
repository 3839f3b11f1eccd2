"""What happens around a table, told in sentences; a table's own events are told by `table/transcript.py`."""

from collections.abc import Iterator
from datetime import UTC, datetime

import msgspec

from thirdcard.money import format_dollars
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.log import floor_events as own
from thirdcard.words import Words

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


def floor_told(said: Words, event: own.AnyFloorEvent) -> Iterator[str]:
    """What happened around the table, in a sentence; nothing of how its log is kept."""
    if type(event) in FLOOR:
        facts = msgspec.structs.asdict(event) | dict(_facts(event, said))
        yield said.say("transcript", _key(event), **facts)


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


def _paces(said: Words, before: own.Pace, after: own.Pace) -> Iterator[str]:
    """Each time that is another, as it was and as it is."""
    for name in own.Pace.__struct_fields__:
        old, new = (getattr(one, name) / 1000 for one in (before, after))
        if old != new:
            label = said.ui[f"staff_time_{name}"]
            yield said.say("transcript", "setting", name=label, before=f"{old:g}", value=f"{new:g}")


def _facts(event: own.AnyFloorEvent, said: Words) -> Iterator[tuple[str, str]]:
    """What is told otherwise than it is stored."""
    match event:
        case own.TimerStarted():
            yield "seconds", f"{event.ms / 1000:g}"
        case (
            own.PayoutTicked(cents=cents)
            | own.PayoutNamed(cents=cents)
            | own.DealerRelieved(counted=int(cents))
            | own.FloatFilled(cents=cents)
            | own.FloatCredited(cents=cents)
        ):
            yield "amount", format_dollars(cents)
        case own.FloatCounted():
            yield "amount", format_dollars(event.cents)
            expected = event.cents if event.expected is None else event.expected
            yield "off", format_dollars(event.cents - expected, sign=True)
        case own.TableClosed(chips=cents) | own.TableReopened(chips=cents):
            yield "amount", format_dollars(cents)
        case own.PaceChanged(pace=pace, before=own.Pace() as before):
            yield "what", said.ui["list_join"].join(_paces(said, before, pace))
        case own.SaidInPublic() if event.sentence:
            yield "sentence", said.ui[f"public_{event.sentence}"]
        case own.CaseTaken() | own.CasePassedUp():
            yield "title", said.own("cases", event.case, event.case)
        case own.ReliefPlanned():
            yield "time", f"{datetime.fromtimestamp(event.at / MICROSECONDS, UTC):%H:%M}"
