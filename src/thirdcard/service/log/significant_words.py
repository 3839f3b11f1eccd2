"""What the significant-event log says of an entry: one sentence, never nothing."""

from collections.abc import Iterator
from typing import cast

import msgspec

from thirdcard.service.log import floor_events as own
from thirdcard.service.log.floor_events import Logged
from thirdcard.service.log.floor_words import floor_lines
from thirdcard.service.log.significant import LARGE_WIN_CENTS
from thirdcard.table import events
from thirdcard.table.state import Inputs, State
from thirdcard.table.transcript import limits_told, lines_of
from thirdcard.words import Words
from thirdcard.words.saying import LogLine, log_line

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
    if isinstance(event, own.Noted):
        return _note(said, event)
    if covered:
        event = msgspec.structs.replace(event, **WITHOUT_CARDS.get(type(event), {}))
    return said.ui["sentence_join"].join(line.told(said).strip() for line in _lines(event))


def _lines(event: Logged) -> Iterator[LogLine]:
    if isinstance(event, own.AnyFloorEvent):
        yield from floor_lines(event)
    elif isinstance(event, events.RoundSettled):
        yield from _won(event)
    elif isinstance(event, events.SetupChanged) and event.before is None:  # an earlier release did not say
        yield log_line("setup-changed", by=event.by)
        yield from limits_told(event.setup)
    else:
        yield from lines_of(NO_STATE, event)


def _won(event: events.RoundSettled) -> Iterator[LogLine]:
    """How the round ended, and who has won that much by it."""
    yield next(lines_of(NO_STATE, event))
    for player, cents in event.settlement.nets.items():
        if cents >= LARGE_WIN_CENTS:
            yield log_line("won-net", player=player, net=cents)


def _note(said: Words, event: own.Noted) -> str:
    """An entry of the journal; one of a kind or with facts that have no sentence is told by its facts."""
    sentence = said.own("journal", event.kind, "")
    if sentence:
        try:
            return sentence.format_map(event.facts)
        except KeyError:
            pass
    facts = (f"{name} {value}" for name, value in event.facts.items() if name not in NOT_SAID)
    return said.ui["list_join"].join(facts) or event.kind.replace("-", " ")
