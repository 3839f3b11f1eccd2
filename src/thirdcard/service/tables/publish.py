"""What goes out to people: views by version, and what is said.

A message holds what has changed of the public view since the version before (`from`), the fields that are the
reader's own business (`you`), what the dealer said, and the running timer. A reader starts with a whole view
and lays the changes over it. Everything public is encoded once for everybody, what is said once a language.
"""

from collections import deque
from collections.abc import Iterator
from typing import Any

import msgspec

from thirdcard.errors import BadInput
from thirdcard.roads import Roads
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.model import Rules
from thirdcard.service.clock import Clock
from thirdcard.service.log.floor_events import Pace
from thirdcard.service.log.store.model import Record
from thirdcard.service.people.roles import rank_at
from thirdcard.service.tables.announce import Said, announcements, heard, standing
from thirdcard.service.tables.away import seconds_left
from thirdcard.service.tables.draft import TableChange
from thirdcard.service.tables.live import CALLED, ComingShoe, Live, steps
from thirdcard.service.tables.moves import text_of_move, version_notice
from thirdcard.service.tables.plans import with_rank
from thirdcard.table import State
from thirdcard.table.setup import Limit
from thirdcard.table.state import Proposal
from thirdcard.table.view import for_everybody, for_one
from thirdcard.words import ENGLISH, Language, languages, words
from thirdcard.words.saying import in_words

RECENT = 400  # changes that a reader who comes back is given from memory
MOST_BEHIND = 400  # records that a reader who comes back is given from the log
NOBODY = ":"  # nobody's name, and nobody's seat, rank or cards
MOST_WAITING = 64  # messages that wait for a slow reader before it is dropped

CHECKED = Proposal(cards=(), by="", reason="")


class TimerView(msgspec.Struct, frozen=True, kw_only=True):
    """A running timer: `ms` in all, `left_ms` when the message was sent."""

    name: str
    ms: int
    left_ms: int


class NextLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits that hold from round `since` on."""

    limits: dict[str, Limit]
    differential: int | None
    since: int


class NextRules(msgspec.Struct, frozen=True, kw_only=True):
    """The text that the table is to be played by, from `at` on in microseconds; its notice by language."""

    rulebook: str
    version: int
    at: int
    notice: dict[str, str]


class PublicFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=False):
    """What is public of a live table besides the view of its rounds."""

    id: str
    title: str
    dealer: str
    closed: bool
    live_odds: bool
    commitment: str
    coming: ComingShoe | None
    called: str
    decks: int
    chip_unit: int
    insurance: bool
    face_down: bool
    squeezes: str
    squeeze_rules: Rules  # who is handed the cards
    card_ms: int  # how fast cards come
    dealer_there: bool  # somebody is on duty, or the dealer is automatic
    saying: str  # the sentence that the public reads, by its key; empty for none
    last_round: int  # the number of the round after which none is opened, 0 if none was announced
    archived: bool
    next_limits: NextLimits | None  # what a placard says from the next round on, if that is something else
    next_rules: NextRules | None  # of a table that moves to another text
    hits: dict[str, int]  # how often each bet has won in this shoe
    differential_scope: str  # of each `box`, or of the whole `table`
    ready: tuple[str, ...]  # who of those who bet waits for the cards
    speed: bool  # a table with little time to bet
    gentle: bool  # one with time to read what a bet is
    names: dict[str, str] = {}  # what players are shown as, where that is not their account's name
    watching: int = 0


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename={"since": "from"}):
    """`view` in the first message, `changed` in all others."""

    version: int
    since: int | None = None
    view: msgspec.Raw | None = None
    changed: msgspec.Raw | None = None
    you: msgspec.Raw | None = None
    said: msgspec.Raw | None = None
    stands: msgspec.Raw | None = None  # what may be said of the round as it stands, where that has changed
    timer: TimerView | None = None
    here: int = 0  # people who look at the table, as of this message


_encode = msgspec.json.Encoder().encode
Fields = dict[str, Any]


def public_facts(live: Live, watching: int = 0, *, to_staff: bool = False) -> PublicFacts:
    """What the dealer wrote when calling the pit is told to staff alone."""
    created, setup = live.created, live.table.setup
    assert created is not None  # the first event of every log
    return PublicFacts(
        id=live.id,
        title=created.title,
        dealer=created.dealer,
        closed=live.closed,
        live_odds=created.live_odds,
        commitment=live.commitment,
        coming=live.coming,
        called=live.called if to_staff or not live.called else CALLED,
        decks=setup.decks,
        chip_unit=setup.chip_unit,
        insurance=setup.book.insurance is not None and setup.insurance,
        face_down=setup.dealing.face_down,
        squeezes=setup.book.squeeze.right,
        squeeze_rules=setup.dealing.handing_rules or setup.book.squeeze.rules,
        card_ms=(live.pace or Pace()).card,
        dealer_there=live.automatic or bool(live.duty.dealer),
        saying=saying(live),
        last_round=live.last_round,
        archived=live.archived,
        next_limits=next_limits(live.table),
        next_rules=next_rules(live),
        hits=live.hits.bets,
        differential_scope=setup.book.limits.differential.scope,
        ready=live.ready,
        speed=live.pace is not None and live.pace.is_quick,
        gentle=live.pace is not None and live.pace.is_gentle,
        names=live.names,
        watching=watching,
    )


def saying(live: Live) -> str:
    """What staff chose, else what goes without saying."""
    if live.saying or not (live.stopped_at or live.last_round):
        return live.saying
    return "moment" if live.stopped_at else "closing"


def next_limits(state: State) -> NextLimits | None:
    now, then = state.setup, state.next_setup
    if then is None or (then.limit_of, then.differential) == (now.limit_of, now.differential):
        return None
    return NextLimits(limits=then.limit_of, differential=then.differential, since=state.rounds + 1)


def next_rules(live: Live) -> NextRules | None:
    """What a table moves to, and what players are told of it in every language."""
    move = live.move
    if move is None:
        return None
    try:
        after = text_of_move(move)
    except BadInput:  # its text was changed in the store, which the log says
        return None
    told = version_notice(live.table.rulebook, after)
    return NextRules(
        rulebook=move.rulebook,
        version=after.document.version,
        at=move.at,
        notice={words(code).heading.html: in_words(told, code) for code in languages()},
    )


def public(live: Live, board: Roads | None = None) -> Fields:
    """The table as somebody sees it who is not at it; `board` if the results are those of a board at hand.

    Of a record that is being checked it is told that it is, and no more.
    """
    everybody = for_everybody(live.table, board)
    if everybody["amendment"] is not None:
        everybody["amendment"] = CHECKED
    return {**everybody, **for_one(live.table, NOBODY), "house": public_facts(live)}


def _with_bets(before: Fields, change: TableChange) -> Fields:
    """What is public after bets, which change nothing else that is."""
    live, current = change.after, change.after.table.round
    assert current is not None  # the bets are those of a round
    seen = {**before, "stakes": tuple(current.stakes.values()), "gone": current.gone}
    if live.ready is not change.before.ready:
        seen["house"] = public_facts(live)
    return seen


def own(live: Live, viewer: str, everybody: Fields, role: str = "") -> Fields:
    """What this person sees otherwise than everybody: racks, offers, cards in hand.

    Who has a rank by their role sees what staff do before the first thing that they do there.
    """
    state = live.table
    rank = rank_at(role, state.rulebook) if viewer not in state.players else None
    if rank is not None:
        state = with_rank(state, viewer, rank)
    if not viewer or (viewer not in state.players and viewer not in state.staff):
        return {}
    mine = for_one(state, viewer)
    if viewer in state.staff:
        mine["house"] = public_facts(live, to_staff=True)
        mine["amendment"] = state.round.proposal if state.round else None
    return {name: value for name, value in mine.items() if value != everybody[name]}


class Reader:
    """One connection, of somebody who sees the table by the name `sees_as`, in a role of the house.

    `outbox` holds what has yet to be sent; None ends it. `at_table`: has a part in the round.
    """

    __slots__ = ("at_table", "language", "most", "outbox", "role", "sees_as", "session", "viewer", "why")

    def __init__(
        self,
        viewer: str,
        session: bytes,
        *,
        sees_as: str | None = None,
        role: str = "",
        language: Language = ENGLISH,
    ) -> None:
        self.viewer, self.session, self.role, self.language = viewer, session, role, language
        self.sees_as = viewer if sees_as is None else sees_as
        self.outbox: list[str | None] = []
        self.most = MOST_WAITING
        self.at_table = False
        self.why = ""

    def wake(self) -> None:
        """There is something in the outbox."""

    def put(self, text: str) -> None:
        """A reader who does not keep up is dropped, and may come back to where it was."""
        if len(self.outbox) >= self.most:
            self.end("slow")
        elif not self.why:
            self.outbox.append(text)
            self.wake()

    def end(self, why: str) -> None:
        if not self.why:
            self.why = why
            self.outbox[:] = [None]
            self.wake()


class Aloud(msgspec.Struct):
    """What is said at a table, put into words and encoded once for all who read a language."""

    said: tuple[Said, ...]
    book: Rulebook
    names: dict[str, str]  # what players are shown as
    encoded: dict[Language, msgspec.Raw] = {}

    def to(self, language: Language) -> msgspec.Raw:
        if language not in self.encoded:
            told = [heard(said, language, self.book, self.names) for said in self.said]
            self.encoded[language] = msgspec.Raw(_encode(told))
        return self.encoded[language]


class Published(msgspec.Struct):
    """One change as everybody sees it; `texts` are it as a message to those who come back later."""

    since: int
    version: int
    changed: msgspec.Raw
    said: Aloud | None = None
    stands: Aloud | None = None
    texts: dict[Language, str] = {}

    def again(self, language: Language) -> str:
        """Made when the first comes back, for all who read that language."""
        if language not in self.texts:
            self.texts[language] = _text(self, language, None, None)
        return self.texts[language]


class Channel:
    """One table's readers, and the changes of the last while."""

    def __init__(self, live: Live, clock: Clock) -> None:
        self.clock = clock
        self.readers: set[Reader] = set()
        self.awaited = 0  # readers who are about to come back
        self.recent: deque[Published] = deque(maxlen=RECENT)
        self.live = live
        self.deadline = 0.0
        self._seen: Fields | None = None
        self._whole: tuple[int, msgspec.Raw, Aloud] | None = None

    @property
    def seen(self) -> Fields:
        """The public view, worked out when somebody looks."""
        if self._seen is None:
            self._seen = public(self.live)
        return self._seen

    def timer(self) -> TimerView | None:
        timer = self.live.timer
        if timer is None:
            return None
        left = round(seconds_left(self.live, self.deadline - self.clock.monotonic()) * 1000)
        return TimerView(name=timer.name, ms=timer.ms, left_ms=max(left, 0)) if left > 0 else None

    def change(self, change: TableChange) -> None:
        """Tell everybody; a person with several windows gets the same in each."""
        if not self.readers and not self.awaited:  # who comes back later is served from the log
            self.live, self._seen = change.after, None
            self.recent.clear()
            return
        before, results = self.seen, self.live.table.results
        self.live = change.after
        if change.only_bets:
            seen = self._seen = _with_bets(before, change)
        else:
            board = before["roads"] if self.live.table.results is results else None
            seen = self._seen = public(self.live, board)
        step = _published(change, before, seen)
        self.recent.append(step)
        timer, here = self.timer(), self.here()
        texts: dict[tuple[str, Language], str] = {}
        for reader in self.readers:
            who = reader.sees_as, reader.language
            if who not in texts:
                mine = own(self.live, reader.sees_as, seen, reader.role)
                texts[who] = _text(step, reader.language, mine, timer, here)
            reader.at_table = self._has_part(reader.viewer)
            reader.put(texts[who])

    def _has_part(self, viewer: str) -> bool:
        return viewer in self.live.table.players or viewer in self.live.table.staff

    def whole(self, viewer: str, role: str = "", language: Language = ENGLISH) -> Message:
        """The table as somebody sees it now."""
        everything, stands = self._everything()
        return Message(
            version=self.live.version,
            view=everything,
            you=msgspec.Raw(_encode(own(self.live, viewer, self.seen, role))),
            stands=stands.to(language),
            timer=self.timer(),
            here=self.here(),
        )

    def here(self) -> int:
        """How many people look; one is one, however many windows they have open."""
        return len({reader.viewer or reader for reader in self.readers})

    def _everything(self) -> tuple[msgspec.Raw, Aloud]:
        """The public view and what may be said of it, encoded once for everybody who comes while it holds."""
        if self._whole is None or self._whole[0] != self.live.version:
            stands = _aloud(self.live, standing(self.live.table, self.seen))
            self._whole = self.live.version, msgspec.Raw(_encode(self.seen)), stands
        return self._whole[1:]

    def welcome(self, reader: Reader, after: int | None) -> None:
        """Where the reader was, what it has missed; or the whole view."""
        steps = self.since(after)
        self.readers.add(reader)
        reader.at_table = self._has_part(reader.viewer)
        if steps is None:
            reader.put(_encode(self.whole(reader.sees_as, reader.role, reader.language)).decode())
        else:
            mine = own(self.live, reader.sees_as, self.seen, reader.role)
            reader.most += len(steps)  # what was missed is no sign of being slow
            for step in steps:
                reader.put(step.again(reader.language))
            now = Published(self.live.version, self.live.version, msgspec.Raw(b"{}"))
            reader.put(_text(now, reader.language, mine, self.timer(), self.here()))

    @property
    def oldest(self) -> int:
        """The version from which on the changes are in memory."""
        return self.recent[0].since if self.recent else self.live.version

    def recall(self, steps: list[Published]) -> None:
        """Put changes before those in memory, if they follow on one another."""
        if steps and steps[-1].version == self.oldest:
            room = RECENT - len(self.recent)
            self.recent.extendleft(reversed(steps[-room:] if room else []))

    def since(self, after: int | None) -> list[Published] | None:
        """The changes after a version, or None if they are not in memory."""
        if after is None:
            return None
        if after == self.live.version:
            return []
        steps = [step for step in self.recent if step.since >= after]
        return steps if steps and steps[0].since == after else None


def _published(change: TableChange, before: Fields, after: Fields) -> Published:
    changed = {
        name: value for name, value in after.items() if value is not before[name] and value != before[name]
    }
    live, said = change.after, said_by(change)
    stands, stood = ((), ()) if change.only_bets else _standing(change, before, after)
    return Published(
        since=change.before.version,
        version=live.version,
        changed=msgspec.Raw(_encode(changed)),
        said=_aloud(live, said) if said else None,
        stands=_aloud(live, stands) if stands != stood else None,
    )


def _standing(
    change: TableChange, before: Fields, after: Fields
) -> tuple[tuple[Said, ...], tuple[Said, ...]]:
    """What may be said of the round as it stands, and what might have been before."""
    former = change.before.state
    return standing(change.after.table, after), standing(former, before) if former is not None else ()


def _aloud(live: Live, said: tuple[Said, ...]) -> Aloud:
    return Aloud(said, live.table.rulebook, live.names)


def _text(
    step: Published, language: Language, mine: Fields | None, timer: TimerView | None, here: int = 0
) -> str:
    message = Message(
        version=step.version,
        since=step.since,
        changed=step.changed,
        you=msgspec.Raw(_encode(mine)) if mine is not None else None,
        said=step.said.to(language) if step.said is not None else None,
        stands=step.stands.to(language) if step.stands is not None else None,
        timer=timer,
        here=here,
    )
    return _encode(message).decode()


def said_by(change: TableChange) -> tuple[Said, ...]:
    """What the events of a change make the dealer say."""
    told: list[Said] = []
    before = change.before.state
    for event, live in change.steps:
        if before is not None:
            told += announcements(before, event, live.table)
        before = live.state
    return tuple(told)


def replayed(live: Live, records: list[Record]) -> Iterator[Published]:
    """The changes that the records brought which follow, one for each."""
    before, seen = live, public(live)
    for event, after in steps(live, records):
        now = public(after)
        yield _published(TableChange(before=before, steps=((event, after),)), seen, now)
        before, seen = after, now
