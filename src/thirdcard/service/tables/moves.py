"""How a table moves to the next version of its game when that comes into force, between two rounds.

What is planned is a fact of the log. No round begins under the old text after the hour: whatever opens one
makes the move first, and a table at which nothing is opened is moved by the clock.
"""

from collections.abc import Callable

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook, digest_of
from thirdcard.rulebook.forms import canonical
from thirdcard.rulebook.load import by_digest, timeline
from thirdcard.rulebook.versions import Version, starts
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.store.model import RulebookText
from thirdcard.service.people.roles import Person, rank_at
from thirdcard.service.tables.dealer import dealer_rank
from thirdcard.service.tables.draft import Decided, Plan, logging_only, planned
from thirdcard.service.tables.live import PLAYING, Live, Move
from thirdcard.service.tables.plans import NOTHING, with_next_ranks, with_rank
from thirdcard.table import carry_out, commands, evolve
from thirdcard.table.events import BetsOpened
from thirdcard.table.refusals import Refusal
from thirdcard.table.table import EventAndState
from thirdcard.words.saying import Saying, say

replace = msgspec.structs.replace


def next_version(book: Rulebook, slug: str = "") -> Version:
    """The version after a table's text, or a later one that is named; BadInput if there is none."""
    family, versions = timeline(book.slug)
    dated = [version for version in versions if version.starts is not None]
    slugs = [version.book.slug for version in dated]
    later = dated[slugs.index(book.slug) + 1 :] if book.slug in slugs else []
    for version in later:
        if slug in ("", version.book.slug):
            return version
    known = tuple(version.book.slug for version in later)
    if slug and known:
        raise BadInput(say("not-a-later-version", slug=slug[:60], versions=known))
    raise BadInput(say("no-later-version", slug=book.slug, family=family))


def begins(version: Version) -> int:
    """When a version comes into force, in microseconds."""
    assert version.starts is not None  # `next_version` gives no other
    return round(version.starts.timestamp()) * MICROSECONDS


@planned
def plan_move(live: Live, person: Person, version: Version, layout: str = "") -> Decided | Refusal:
    """From the first round after the version comes into force the table is played by it."""
    book = version.book
    move = Move(at=begins(version), rulebook=book.slug, digest=digest_of(book), layout=layout, by=person.name)
    if live.move == move:
        return Refusal("wrong-phase", say("moves-already"))
    tried = _moved(live, move, rank_at(person.role, live.table.rulebook))
    if isinstance(tried, Refusal):
        return tried
    event = floor.MovePlanned(at=move.at, rulebook=move.rulebook, digest=move.digest, layout=layout)
    kept = RulebookText(move.digest, canonical(book))
    return Decided(events=((event, None),), texts=(kept,))


def text_of_move(move: Move) -> Rulebook:
    """The text that a table moves to, as its log names it."""
    return by_digest(move.rulebook, move.digest)


def version_notice(before: Rulebook, after: Rulebook) -> Saying:
    """What players are told before the next version comes into force."""
    at = starts(after)
    assert at is not None  # a table moves to no other
    return say(
        "rules-notice",
        version=after.document.version,
        before=before.document.version,
        at=at.isoformat(),
    )


@planned
def drop_move(live: Live) -> Decided | Refusal:
    """The table stays with its text after all."""
    if live.move is None:
        return Refusal("wrong-phase", say("no-move-planned"))
    return logging_only(floor.MovePlanned(at=0))


def on_time(plan: Plan, wall: Callable[[], int]) -> Plan:
    """The plan; where it opens bets after the hour of a move, the move comes first."""

    def then(live: Live) -> Decided | Refusal:
        decided = plan(live)
        if isinstance(decided, Refusal) or not is_due(live, wall()):
            return decided
        if not any(isinstance(event, BetsOpened) for event, _ in decided.events):
            return decided
        moved = _due(live)
        if isinstance(moved, Refusal):
            return moved
        after = plan(replace(live, state=moved[-1][1], move=None))
        return after if isinstance(after, Refusal) else replace(after, events=(*moved, *after.events))

    return then


def is_due(live: Live, now: int) -> bool:
    """Whether a table should be played by another text by now."""
    return live.move is not None and live.move.at <= now


def may_be_made(live: Live, now: int) -> bool:
    """The same, where no round is being played."""
    return is_due(live, now) and live.state is not None and live.table.phase not in PLAYING


def made_at(now: int) -> Plan:
    """The move of a table at which no round is being played, if it is due."""

    def make(live: Live) -> Decided | Refusal:
        if not may_be_made(live, now):
            return NOTHING
        moved = _due(live)
        return moved if isinstance(moved, Refusal) else Decided(events=moved)

    return make


def call_for_help(why: str) -> Plan:
    """A table that cannot be moved calls the pit, unless it has called already."""

    def call(live: Live) -> Decided | Refusal:
        return NOTHING if live.called else logging_only(floor.SupervisorCalled(note=why[:500]))

    return call


def _due(live: Live) -> tuple[EventAndState, ...] | Refusal:
    """What makes the move, on the word of who planned it, who had the rank for it then."""
    assert live.move is not None  # it is due
    made = _moved(live, live.move, dealer_rank(live.table.rulebook))
    if not isinstance(made, Refusal):
        return made
    return Refusal(made.code, say("move-cannot-be-made", why=made.said))


def _moved(live: Live, move: Move, rank: str | None) -> tuple[EventAndState, ...] | Refusal:
    state = live.table
    asked = commands.ChangeRulebook(
        by=move.by, rulebook=move.rulebook, digest=move.digest, layout=move.layout
    )
    by_rank = with_rank(replace(state, round=None), move.by, rank)
    steps = carry_out(by_rank, with_next_ranks(by_rank, asked))
    if isinstance(steps, Refusal):
        return steps
    made = list[EventAndState]()
    for event, _ in steps:
        state = evolve(state, event)
        made.append((event, state))
    return tuple(made)
