"""Which events are for the significant-event log."""

from thirdcard.service.log import floor_events as own
from thirdcard.service.log.floor_events import Logged
from thirdcard.table import events

LARGE_WIN_CENTS = 1_000_000  # a player's net of one round from here on is significant
EVERYDAY = frozenset((own.HEADS_SIGNED, own.SEARCHED, own.EXAM_KEPT))  # notes of the journal that are not
# What can stand out in a round.
OF_ROUNDS = ("void", "correction", "reversal", "ruling", "override", "dispute", "call", "large-win")
SIGNIFICANT: dict[type, str] = {
    events.RoundVoided: "void",
    events.SettlementReversed: "reversal",
    events.CardsCorrected: "correction",
    events.RecordAmended: "correction",
    events.ReportDismissed: "ruling",
    events.IrregularityRuled: "ruling",
    events.SetupChanged: "limits",
    events.RulebookChanged: "rulebook",
    events.StaffAssigned: "rank",
    own.PaceChanged: "limits",
    own.TableCreated: "table",
    own.TableClosed: "table",
    own.TableReopened: "table",
    own.SupervisorCalled: "call",
    own.CasePassedUp: "call",
    own.PayoutDisputed: "dispute",
    own.DisputeSettled: "dispute",
    own.LastRoundAnnounced: "table",
    own.TableArchived: "table",
    own.TableUnarchived: "table",
    own.ShiftStarted: "table",
}


def significance(event: Logged) -> str:
    """What makes an event one for the significant-event log; empty for everyday ones."""
    if isinstance(event, own.Noted):
        return "" if event.kind in EVERYDAY else event.kind
    if isinstance(event, events.RoundSettled):
        most = max(event.settlement.nets.values(), default=0)
        return "large-win" if most >= LARGE_WIN_CENTS else ""
    if isinstance(event, events.IrregularityRuled) and event.inputs.overrides:
        return "override"
    return SIGNIFICANT.get(type(event), "")
