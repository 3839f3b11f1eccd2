"""A round told step by step from its table's log: for auditors, and for whoever rules on an irregularity.

While cards of the round are not told (`redaction`), neither is told one that lay face down at a step, nor a
hash that would tell it; steps as pages draw them tell afterwards what the desk knew.
"""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Literal

import msgspec

from thirdcard.rulebook.model import Rules
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import Logged
from thirdcard.service.log.floor_words import logged_lines
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.model import Record
from thirdcard.service.queries.redaction import covered, hash_shown
from thirdcard.service.tables.checkpoint import as_of
from thirdcard.service.tables.hall import Hall
from thirdcard.service.tables.live import Live, ShownCard, shown_cards
from thirdcard.table import State, evolve, replay
from thirdcard.table.events import (
    AmendmentProposed,
    BetsOpened,
    BetsReopened,
    IrregularityClosed,
    IrregularityReported,
    IrregularityRuled,
    RecordAmended,
    RoundVoided,
    TableOpened,
)
from thirdcard.table.state import Purchase, Stake
from thirdcard.table.unseen import came_out
from thirdcard.words import ENGLISH, Language, words

ENDS = (IrregularityClosed, RoundVoided, BetsReopened)  # what a ruling comes to has come


class RoundStep(msgspec.Struct, frozen=True, kw_only=True):
    """One record: what happened, and how the table lay after it."""

    version: int
    at: int
    by: str
    name: str
    hash: str
    told: tuple[str, ...]
    rules: Rules
    cards: tuple[ShownCard, ...]
    stakes: tuple[Stake, ...]
    postings: tuple[tuple[str, int], ...]  # account and cents, as programs have always read them


class Differs(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a step made different: a card by its place, a stake, what a player has won; cents."""

    what: Literal["card", "stake", "insurance", "net", "change"]
    who: str
    bet: str = ""
    box: int = 0
    before: str | int = ""
    after: str | int = ""


class LaidOut(msgspec.Struct, frozen=True, kw_only=True):
    """How the table lay after a step, for a page that draws it.

    `desk` are the cards with the names that were on record, `holders` who had which in hand, both left out
    while the round's cards are not told. `saying` is what the public read, `wrote` what staff wrote;
    `besides` are the cards that had come out and lay in no hand.
    """

    phase: str
    desk: tuple[str | None, ...]
    hands: tuple[str, ...]
    up: tuple[bool, ...]
    holders: dict[int, str]
    besides: tuple[str | None, ...]
    seats: dict[int, str]
    purchases: tuple[Purchase, ...]
    nets: dict[str, int]
    points: tuple[int, int] | None
    results: str
    saying: str
    wrote: str
    differs: tuple[Differs, ...]
    held_up: str


class DrawnStep(RoundStep, frozen=True, kw_only=True):
    """A step, and how the table lay after it."""

    laid: LaidOut


async def drawn_steps(hall: Hall, live: Live, number: int, language: Language = ENGLISH) -> list[DrawnStep]:
    """The round's steps as an auditor's page draws them; of a ruling, all that it changed."""

    def read() -> list[DrawnStep]:
        steps = list(_told_steps(hall.engine.store, live, number, language, reads_log=True))
        drawn, saying, before, hidden = list[DrawnStep](), "", None, covered(live, number)
        for place, (step, state, event) in enumerate(steps):
            if isinstance(event, floor.SaidInPublic):
                saying = event.sentence
            elif isinstance(event, BetsOpened):
                saying = ""
            laid = _laid(before or state, state, event, saying, hidden=hidden)
            if isinstance(event, IrregularityRuled):
                after = next(
                    (step for _, step, then in steps[place:] if isinstance(then, ENDS)), steps[-1][1]
                )
                differs = tuple(_differing(before or state, after, event, hidden=hidden))
                laid = msgspec.structs.replace(laid, differs=differs)
            drawn.append(DrawnStep(**msgspec.structs.asdict(step), laid=laid))
            before = state
        return drawn

    return await hall.engine.reading(read)


def _laid(before: State, state: State, event: Logged, saying: str, *, hidden: bool) -> LaidOut:
    current = state.round
    assert current is not None  # the steps of a round begin with the opening of its bets
    table = state.rulebook.table_of_play
    drawn = current.drawn
    pending = current.pending
    settled = current.settlement
    return LaidOut(
        phase=current.phase,
        desk=tuple(
            None if card.name is None or (hidden and not card.face_up) else card.name.value for card in drawn
        ),
        hands=tuple(str(current.hand_of_drawn(table, place).value) for place in range(1, len(drawn) + 1)),
        up=tuple(card.face_up for card in drawn),
        holders=current.handed,
        besides=tuple(
            card.name.value if card.name is not None and (card.face_up or not hidden) else None
            for report in ((pending, *current.reported) if pending is not None else ())
            for card in came_out(current, report)
        ),
        seats=state.seats,
        purchases=current.purchases,
        nets=settled.nets if settled is not None else {},
        points=(settled.player, settled.banker) if settled is not None else None,
        results="".join(result.winner[0].upper() for result in state.results),
        saying=saying,
        wrote=_wrote(event),
        differs=()
        if isinstance(event, BetsOpened)
        else tuple(_differing(before, state, event, hidden=hidden)),
        held_up=pending.case if pending is not None else "",
    )


def _wrote(event: object) -> str:
    """What staff wrote down with it, for staff alone."""
    match event:
        case IrregularityReported():
            return event.pending.note
        case IrregularityRuled():
            return event.inputs.reason
        case AmendmentProposed():
            return event.proposal.reason
    return str(getattr(event, "reason", "") or getattr(event, "note", ""))


def _differing(  # noqa: C901 - cards, chips and money, one after the other
    before: State, after: State, event: Logged, *, hidden: bool
) -> Iterator[Differs]:
    """What a step changed of cards, chips and money; of a record that was put right, all that it changed."""
    old, new = before.round, after.round
    if old is None or new is None or old.number != new.number:
        return
    if isinstance(event, RecordAmended):
        for change in event.changes:
            yield Differs(
                what="change",
                who=f"{change.what} {change.who}",
                box=change.box,
                before=change.before,
                after=change.after,
            )
        return
    if not hidden:
        for place, pair in enumerate(zip_longest(old.cards, new.cards), start=1):
            was, now = (one.value if one is not None else "" for one in pair)
            if was != now:
                yield Differs(what="card", who=str(place), before=was, after=now)
    for key in dict.fromkeys((*old.stakes, *new.stakes)):
        stake = new.stakes.get(key) or old.stakes[key]
        had, has = (one.stakes[key].cents if key in one.stakes else 0 for one in (old, new))
        if had != has:
            yield Differs(what="stake", who=stake.player, bet=stake.bet, box=stake.box, before=had, after=has)
    nets = [one.settlement.nets if one.settlement is not None else {} for one in (old, new)]
    for player in dict.fromkeys((*nets[0], *nets[1])):
        if nets[0].get(player) != nets[1].get(player):
            was_net, is_net = nets[0].get(player, ""), nets[1].get(player, "")
            yield Differs(what="net", who=player, before=was_net, after=is_net)


async def round_steps(
    hall: Hall, live: Live, number: int, language: Language = ENGLISH, *, reads_log: bool
) -> list[RoundStep]:
    store = hall.engine.store
    return await hall.engine.reading(lambda: list(steps(store, live, number, language, reads_log=reads_log)))


def steps(
    store: Store, live: Live, number: int, language: Language = ENGLISH, *, reads_log: bool = True
) -> Iterator[RoundStep]:
    """The steps of a round, from its opening to what happened before the next; of 0, all before the first."""
    return (step for step, _, _ in _told_steps(store, live, number, language, reads_log=reads_log))


def _told_steps(
    store: Store, live: Live, number: int, language: Language, *, reads_log: bool
) -> Iterator[tuple[RoundStep, State, Logged]]:
    said = words(language)
    records = [stored for stored in store.of_round(live.id, number) if stored.version <= live.version]
    state = as_of(store, live.id, records[0].version - 1).state if records else None
    for stored in records:
        event = event_of(stored)
        if isinstance(event, TableOpened):
            state = replay([event])
        elif not isinstance(event, floor.AnyFloorEvent):
            assert state is not None
            state = evolve(state, event)
        if state is not None:
            lines = () if isinstance(event, TableOpened) else logged_lines(state, event)
            told = tuple(line.told(said) for line in lines)
            shown = hash_shown(live, stored, reads_log=reads_log)
            yield _step(stored, shown, state, event, told), state, event


def _step(stored: Record, shown: str, state: State, event: Logged, told: tuple[str, ...]) -> RoundStep:
    return RoundStep(
        version=stored.version,
        at=stored.at,
        by=stored.by,
        name=stored.name,
        hash=shown,
        told=told,
        rules=event.rules,
        cards=shown_cards(state, state.round) if state.round else (),
        stakes=tuple(state.round.stakes.values()) if state.round else (),
        postings=tuple((posting.account, posting.cents) for posting in event.postings),
    )
