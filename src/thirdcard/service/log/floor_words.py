"""What happens around a table, and what stands out, in sentences; its own events: `table/transcript.py`."""

from collections.abc import Iterator
from typing import cast

import msgspec

from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.codec import LARGE_WIN_CENTS, tag
from thirdcard.service.log.floor_events import Logged
from thirdcard.table import events
from thirdcard.table.state import Inputs, State
from thirdcard.table.transcript import limits_told, lines_of
from thirdcard.words import Words
from thirdcard.words.saying import ToldLine, log_line

# What a log does not tell: signs of people, what only a trainee says, and how the log itself is kept.
UNTOLD = (
    floor.PlayersSeen,
    floor.PlayerKnownAs,
    floor.PayoutNamed,
    floor.Checkpointed,
    floor.Noted,
    floor.WalletGranted,
)
COUNTS = {
    "opening": "float-counted-opening",
    "closing": "float-counted-closing",
    "check": "float-counted-check",
}

SLIPS = {"fill": "slip-asked-fill", "credit": "slip-asked-credit"}


def floor_lines(event: floor.AnyFloorEvent) -> Iterator[ToldLine]:
    """What happened around the table; nothing of how its log is kept."""
    if not isinstance(event, UNTOLD):
        yield ToldLine(_key(event), msgspec.structs.asdict(event) | dict(_facts(event)))


def logged_lines(state: State, event: Logged) -> Iterator[ToldLine]:
    """What is told of any event of a log that led to this state."""
    return floor_lines(event) if isinstance(event, floor.AnyFloorEvent) else lines_of(state, event)


def _key(event: floor.AnyFloorEvent) -> str:
    """Which sentence it is."""
    match event:
        case floor.FloatCounted():
            key = COUNTS[event.why]
        case floor.SlipAsked():
            key = SLIPS[event.what]
        case floor.SaidInPublic(sentence=""):
            key = "nothing-said-in-public"
        case floor.PlayerReady(ready=False):
            key = "player-not-ready"
        case floor.ReliefPlanned(at=0):
            key = "relief-dropped"
        case floor.MovePlanned(at=0):
            key = "move-dropped"
        case _:
            key = tag(event)
    return key + _told_besides(event)


def _told_besides(event: floor.AnyFloorEvent) -> str:
    """What is left out of an event is left out of its sentence."""
    told = ""
    match event:
        case (
            floor.SupervisorCalled(note=note)
            | floor.PayoutDisputed(note=note)
            | floor.CasePassedUp(note=note)
        ) if note:
            told = "-note"
        case floor.PayoutTicked(changes=int(changes)) if changes < 0:
            told = "-back"
        case floor.PayoutTicked(changes=int()):
            told = "-corrected"
        case floor.TableClosed(rounds=int()) | floor.TableReopened(rounds=int()):
            told = "-chips"
        case floor.PaceChanged(before=floor.Pace()):
            told = "-from"
        case floor.DealerSignedOff() if event.by != event.dealer:
            told = "-by"
        case floor.ReliefPlanned() if event.at and event.dealer:
            told = "-by"
        case floor.FloatCounted() | floor.DropCounted() if event.expected not in (None, event.cents):
            told = "-off"
        case floor.DealerRelieved(counted=int()):
            told = "-counted"
    return told


def _facts(event: floor.AnyFloorEvent) -> Iterator[tuple[str, object]]:
    """What follows from the fields of an event."""
    match event:
        case floor.FloatCounted(expected=int(expected)) | floor.DropCounted(expected=expected):
            yield "off", event.cents - expected
        case floor.PayoutTicked(changes=int(changes)):
            yield "amount", abs(changes)
        case floor.SlipAsked(pieces=pieces):
            yield "cents", sum(value * count for value, count in pieces.items())
        case floor.PaceChanged(pace=pace, before=floor.Pace() as before):
            yield "what", tuple(_paces(before, pace))


def _paces(before: floor.Pace, after: floor.Pace) -> Iterator[ToldLine]:
    """Each time that is another, as it was and as it is."""
    for name in floor.Pace.__struct_fields__:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield log_line("pace", name=name, before=old, after=new)


# The significant-event log ----------------------------------------------------------------------------


NO_STATE = cast("State", None)  # what these sentences say is in the event alone
# What is left out of an event while its round has cards that nobody may read.
WITHOUT_CARDS: dict[type, dict[str, object]] = {
    events.CardsCorrected: {"cards": ()},
    events.RecordAmended: {"changes": ()},
    events.IrregularityRuled: {"inputs": Inputs()},
    events.RoundVoided: {"waiting": None},
}
NOT_SAID = ("sha256", "digest")  # facts of notes that only an audit reads


def what_happened(said: Words, event: Logged, *, covered: bool = False) -> str:
    """An event in one sentence; while its round is `covered`, without what would tell a card."""
    if isinstance(event, floor.Noted):
        return _note(said, event)
    if covered:
        event = msgspec.structs.replace(event, **WITHOUT_CARDS.get(type(event), {}))
    return said.ui["sentence_join"].join(line.told(said).strip() for line in _significant_lines(event))


def _significant_lines(event: Logged) -> Iterator[ToldLine]:
    if isinstance(event, events.RoundSettled):
        yield from _won(event)
    elif isinstance(event, events.SetupChanged) and event.before is None:  # an earlier release did not say
        yield log_line("setup-changed", by=event.by)
        yield from limits_told(event.setup)
    else:
        yield from logged_lines(NO_STATE, event)


def _won(event: events.RoundSettled) -> Iterator[ToldLine]:
    """How the round ended, and who has won that much by it."""
    yield next(lines_of(NO_STATE, event))
    for player, cents in event.settlement.nets.items():
        if cents >= LARGE_WIN_CENTS:
            yield log_line("won-net", player=player, net=cents)


def _note(said: Words, event: floor.Noted) -> str:
    """An entry of the journal; one of a kind or with facts that have no sentence is told by its facts."""
    sentence = said.name_of("journal", event.kind, "")
    if sentence:
        try:
            return sentence.format_map(event.facts)
        except KeyError:
            pass
    facts = (f"{name} {value}" for name, value in event.facts.items() if name not in NOT_SAID)
    return said.ui["list_join"].join(facts) or event.kind.replace("-", " ")
