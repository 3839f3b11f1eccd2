"""One log, walked through event by event."""

import hashlib
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook.load import remember
from thirdcard.service.audit.in_force import Dealt, Laws
from thirdcard.service.audit.kept_promises import Flaw, Shoes
from thirdcard.service.keys import subkey
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.codec import VERSIONS, event_of, fits, significance, tag
from thirdcard.service.log.floor_events import Logged
from thirdcard.service.log.store.log import LogReading
from thirdcard.service.log.store.model import (
    JOURNAL,
    MANY,
    Head,
    IndexRow,
    PostingRow,
    QuarterSum,
    Record,
    RoundMark,
    RoundRow,
    Wallet,
)
from thirdcard.service.log.store.results import listed, played_in, results_of
from thirdcard.service.log.store.tables import EVENT_INDEX, MARKS, QUARTERS, RESULTS, ROUND_PLAYERS, SHOES
from thirdcard.service.tables import wallets
from thirdcard.service.tables.checkpoint import is_readable, taken
from thirdcard.service.tables.draft import index_rows
from thirdcard.service.tables.live import Live, RoundRecord, advance, finished, round_of
from thirdcard.service.tables.marks import marks_of
from thirdcard.service.tables.quarters import quarters_of
from thirdcard.service.tables.rulebook_texts import named_by
from thirdcard.table import events, settled_again
from thirdcard.table.ledger import AWAY, GRANTS, RACK, WALLET, WALLETS, rack


class AuditProblem(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong. `table` is empty for what concerns none; without `event` no single one is to blame."""

    table: str
    event: int | None = None
    round: int | None = None
    what: str


class Vouched(msgspec.Struct, frozen=True):
    """A head that something outside the log holds: it was anchored, or signed."""

    head: Head
    how: str


class Walk:
    """One stream, event by event. `problem` is the first thing that was wrong, which ends it."""

    def __init__(  # noqa: PLR0913 - what it is given to hold the log against
        self,
        store: LogReading,
        stream: str,
        head: Head | None,
        vouched: Iterable[Vouched],
        *,
        key: bytes | None,
        laws: Laws,
    ) -> None:
        self.stream = stream
        self.problem: AuditProblem | None = None
        self.rounds: dict[int, tuple[Record, RoundRow]] = {}  # as the log makes them
        self.names: list[str] = []  # of the events, and who asked for them
        self.actors: list[str] = []
        self.asked: dict[int, tuple[bytes, int]] = {}  # which of them end an answer, and when that was given
        self.texts: set[str] = set()  # of rulebooks, by their digests
        self.wallets: dict[str, Wallet] = {}  # what the log adds to each, in so many movements
        self.dealt = Dealt(laws)
        self._store, self._head = store, head
        self._vouched = deque(sorted(vouched, key=lambda one: one.head.version))
        self._live = Live(id=stream)
        self._entries: Iterator[PostingRow] = iter(())
        self._sums: dict[str, int] = {}
        self._index: set[IndexRow] = set()
        self._marks: set[RoundMark] = set()
        self._quarters = Counter[tuple[int, str]]()  # what they came to
        self._checkpoints: set[int] = set()
        self._corrected = self._amended = 0  # the last round whose cards, or whose record, were put right
        self._shoes = Shoes(store, stream, None if key is None else subkey(key, "shoes"))

    def steps(self) -> Iterator[None]:
        """Go through it; one step for each event."""
        stored: Record | None = None
        try:
            self._entries = iter(self._store.entries(self.stream))
            for stored in self._store.read(self.stream):
                yield
                self._event(stored)
            stored = None
            self._end()
        except Flaw as wrong:
            self._tell(str(wrong), wrong.at or stored)
        except Exception as error:  # noqa: BLE001 - anything may be stored
            self._tell(f"it cannot be read: {error}", stored)

    def _tell(self, what: str, at: Record | None) -> None:
        """The round is the record's own if the record is beyond doubt, else the one that was reached."""
        state, number = self._live.state, 0
        if at is not None and at.version <= self._live.version:
            number = at.round
        elif state is not None:
            number = state.rounds
        version = at.version if at is not None else None
        self.problem = AuditProblem(table=self.stream, event=version, round=number or None, what=what)

    # An event

    def _event(self, stored: Record) -> None:
        live = self._live
        if stored.version != live.version + 1:
            raise Flaw(f"event {live.version + 1} is missing: {stored.version} comes instead")
        if not fits(live.head, stored):
            raise Flaw("it does not fit the event before it: one of them was changed")
        self._check_vouched(stored)
        event = _decoded(stored)
        self._check_text(event)
        self._check_columns(stored, event)
        self._check_postings(stored, event)
        if live.state is not None:
            number = live.state.rounds
            corrected, amended = self._corrected == number, self._amended == number
            _raise(settled_again.wrong(live.state, event, corrected=corrected, amended=amended))
        after = _after(live, event, stored)
        if event.postings and after.state is not None:
            _raise(settled_again.wrong_boxes(after.state))
        if isinstance(event, floor.Checkpointed):
            self._check_checkpoint(event)
        self._shoes.see(live, event, stored)
        if isinstance(event, events.CardsCorrected):
            self._corrected = after.table.rounds
        elif isinstance(event, events.RecordAmended | events.StakesDecided | events.CardsLaid):
            self._amended = after.table.rounds
        self._index.update(index_rows(after, event))
        self._marks.update(marks_of(live, after, event, stored))
        self._count(quarters_of(live, after, event, stored))
        self._move_wallets(event)
        self.dealt.see(after, event, stored.at)
        row = finished(after, event, stored.at)
        if row is not None:
            self.rounds[row.number] = stored, row
        self.names.append(stored.name)
        self.actors.append(stored.by)
        if stored.asked:
            self.asked[stored.version] = stored.asked, stored.at
        self._live = after

    def _count(self, sums: Iterable[QuarterSum]) -> None:
        for quarter_sum in sums:
            self._quarters[quarter_sum.at, quarter_sum.name] += quarter_sum.value

    def _check_checkpoint(self, event: floor.Checkpointed) -> None:
        """What is kept is what the event vouches for, and the table as it was, if this release wrote it."""
        live = self._live
        self._checkpoints.add(live.version)
        kept = self._store.checkpoint(self.stream, at_most=live.version)
        if kept is None or kept.version != live.version:
            raise Flaw("the checkpoint that it vouches for is missing")
        if hashlib.sha256(kept.body).hexdigest() != event.sha256:
            raise Flaw("the checkpoint that it vouches for was changed")
        if is_readable(kept) and kept != taken(live)[0]:
            raise Flaw("the checkpoint that it vouches for is not the table as it was")

    def _check_vouched(self, stored: Record) -> None:
        while self._vouched and self._vouched[0].head.version <= stored.version:
            one = self._vouched.popleft()
            if one.head.hash != stored.hash:
                raise Flaw(f"it is not the event that was {one.how}: the log was rewritten, here or before")

    def _check_columns(self, stored: Record, event: Logged) -> None:
        filed = tag(event), round_of(self._live, event), significance(event)
        if (stored.name, stored.round, stored.flag) != filed:
            raise Flaw("it is filed under a name, round or mark that is not its own")
        first = isinstance(event, floor.TableCreated)
        second = isinstance(event, events.TableOpened)
        if self.stream == JOURNAL:
            fits = isinstance(event, floor.Noted | floor.WalletGranted)
        else:
            fits = first == (stored.version == 1) and second == (stored.version == 2)  # noqa: PLR2004
            fits = fits and not isinstance(event, floor.WalletGranted)
        if not fits:
            raise Flaw("it does not belong in this place of a log")

    def _check_text(self, event: Logged) -> None:
        """The text that it names is kept, is what it was, and is what the table is played by from here on."""
        named = named_by(event)
        if named is None:
            return
        self.texts.add(named[1])
        text = self._store.text(named[1])
        if text is None:
            raise Flaw(f"the text {named[1]} of its rulebook {named[0]} is missing")
        if hashlib.sha256(text).hexdigest() != named[1]:
            raise Flaw(f"the text {named[1]} of its rulebook {named[0]} was changed")
        if remember(text).slug != named[0]:
            raise Flaw(f"the text {named[1]} is not one of its rulebook {named[0]}")

    def _check_postings(self, stored: Record, event: Logged) -> None:
        for posting in event.postings:
            entry = next(self._entries, None)
            if entry != PostingRow(stored.version, posting.account, posting.cents):
                raise Flaw("the ledger does not hold what it moved")
            self._sums[entry.account] = self._sums.get(entry.account, 0) + entry.cents
        if sum(posting.cents for posting in event.postings):
            raise Flaw("what it moves does not sum to zero")
        match event:
            case events.PlayerJoined(player=player) | events.PlayerLeft(player=player):
                if event.cents != self._sums.get(rack(player), 0):
                    raise Flaw(f"the chips are not what {player} has in the ledger")

    def _move_wallets(self, event: Logged) -> None:
        """What it moves of anybody's own money: nothing but grants, buy-ins and cash-outs does."""
        moved = wallets.moved_by(event)
        if wallets.wallets_in(event.postings) != moved:
            raise Flaw("it moves a wallet, and is nothing that may")
        for name, cents in moved.items():
            nothing = Wallet(name=name, cents=0, version=0)
            purse = wallets.after(self.wallets.get(name, nothing), event, cents)
            self.wallets[name] = purse

    # The end

    def _end(self) -> None:
        live = self._live
        if self._vouched:
            last = self._vouched[-1]
            raise Flaw(
                f"the log ends at event {live.version}, but it was {last.how} at event {last.head.version}"
            )
        if self._head != Head(live.version, live.head):
            raise Flaw("the log does not end where it is said to end")
        if next(self._entries, None) is not None:
            raise Flaw("the ledger holds more than the events moved")
        balances = live.state.balances if live.state is not None else self._granted()
        if _with_those_away(self._sums, balances) != {a: cents for a, cents in balances.items() if cents}:
            raise Flaw("the ledger does not come to the balances of the table")
        self._check_rounds()
        indexed = set(self._store.of_stream(EVENT_INDEX, self.stream))
        if indexed != self._index and (indexed or live.checkpointed or self.stream == JOURNAL):
            raise Flaw("events are not found again as they were logged")
        self._check_marks()
        if self._store.checkpoints(self.stream) - self._checkpoints:
            raise Flaw("a checkpoint is kept that no event vouches for")
        if {shoe.number for shoe in self._store.of_stream(SHOES, self.stream)} != self._shoes.numbers:
            raise Flaw("a shoe is kept that was never committed to")

    def _check_marks(self) -> None:
        """What an earlier release kept has none until this one serves it and leaves its own checkpoint."""
        kept = self._store.checkpoint(self.stream, at_most=MANY)
        ours = kept is not None and is_readable(kept)
        marks = set(self._store.of_stream(MARKS, self.stream))
        if marks != self._marks and (marks or (ours and self._store.has(MARKS))):
            raise Flaw("rounds are not found by what happened in them")
        sums = {quarter for quarter in self._store.of_stream(QUARTERS, self.stream) if quarter.value}
        made = {QuarterSum(at, name, value) for (at, name), value in self._quarters.items() if value}
        if sums != made and (sums or (ours and self._store.has(QUARTERS))):
            raise Flaw("what its quarters of an hour came to is not what happened in them")

    def _granted(self) -> dict[str, int]:
        """What the journal may have moved: from grants into wallets."""
        granted = sum(wallet.cents for wallet in self.wallets.values())
        return {WALLETS: granted, GRANTS: -granted}

    def _check_rounds(self) -> None:
        found = sorted(self._store.rounds(self.stream, limit=MANY), key=lambda row: row.number)
        made = sorted(self.rounds.items())
        for row, expected in zip_longest(found, made):
            if expected is None:
                raise Flaw(f"round {row.number} is in recall, but the log knows no such round")
            number, (stored, wanted) = expected
            if row != wanted and row != as_before(wanted):
                raise Flaw(f"round {number} is not in recall as it was played", stored)
            self.rounds[number] = stored, row
        players = {player for row in found for player in played_in(self.stream, row)}
        if players != set(self._store.of_stream(ROUND_PLAYERS, self.stream)):
            raise Flaw("players do not find their rounds again as they were played")
        results = (result for _, row in self.rounds.values() for result in results_of(row))
        lists = {row for result in results for row in listed(self.stream, result)}
        kept = {msgspec.structs.replace(row, time=0) for row in self._store.of_stream(RESULTS, self.stream)}
        if self._store.has(RESULTS) and kept != lists:
            raise Flaw("players' lists of won, lost and insured rounds are not as they were played")


def as_before(row: RoundRow) -> RoundRow:
    """As it was kept while bets that were settled before its end were not part of it."""
    made = msgspec.structs.replace(RoundRecord.of(row), early=())
    return msgspec.structs.replace(row, body=msgspec.json.encode(made))


def _raise(what: str) -> None:
    if what:
        raise Flaw(what)


def _with_those_away(sums: Mapping[str, int], balances: Mapping[str, int]) -> dict[str, int]:
    """What a table holds if this is the ledger: of who has left it, all chips together; so of wallets."""
    found = Counter[str]()
    for account, cents in sums.items():
        if account.startswith(WALLET):
            found[WALLETS] += cents
        else:
            found[AWAY if account.startswith(RACK) and account not in balances else account] += cents
    return {account: cents for account, cents in found.items() if cents}


def _decoded(stored: Record) -> Logged:
    if not 1 <= stored.schema <= VERSIONS.get(stored.name, 1):
        raise Flaw("it is stored in a form that this thirdcard does not know")
    try:
        return event_of(stored)
    except (msgspec.MsgspecError, BadInput) as error:
        raise Flaw(f"it cannot be read: {error}") from None


def _after(live: Live, event: Logged, stored: Record) -> Live:
    """Events out of place break the fold in whatever way they can."""
    try:
        return advance(live, event, stored)
    except Exception:  # noqa: BLE001
        raise Flaw("it cannot follow what happened before it") from None
