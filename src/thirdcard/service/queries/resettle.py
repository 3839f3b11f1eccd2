"""What recorded rounds would have paid under another text: the same cards and the same stakes, settled again.

Nothing is written. A round that the other text could not have had is left out of every sum and listed; so is
one that was not paid as its own text pays. What players would have bet under other prices is unknown.
"""

from collections.abc import Iterable, Iterator
from typing import Final, Literal, TypeAlias

import msgspec

from thirdcard.cards import Card
from thirdcard.errors import BadInput
from thirdcard.play import bets, insurance
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import Deal, check_whole
from thirdcard.rulebook import Rulebook, digest_of
from thirdcard.rulebook.conditions import Outcome, sight_of_all
from thirdcard.rulebook.model import Rules, Side
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import TableCreated
from thirdcard.service.log.store.log import LogReading
from thirdcard.service.log.store.model import JOURNAL, MANY, RoundRow
from thirdcard.service.log.store.tables import EVENTS, ROUNDS
from thirdcard.service.tables.live import RoundRecord
from thirdcard.table.events import RulebookChanged, TableOpened
from thirdcard.table.setup import Setup
from thirdcard.table.state import Line

AT_ONCE: Final = 500  # rounds that are read together
MOST_RUNS: Final = 2_000  # of rounds that are listed one beneath the other
MOST_PLAYERS: Final = 20_000
NAMING: Final = ("table-opened", "rulebook-changed")
INSURED: Final = "-insurance"

# Why a round has no place in the sums.
Why: TypeAlias = Literal["layout", "bet", "insurance", "cards", "unseen", "decided"]


class BetAgain(msgspec.Struct, kw_only=True):
    """A bet's house win in cents as it was played and under the other text; `rounds` pay otherwise."""

    bet: str
    staked: int = 0
    played: int = 0
    other: int = 0
    difference: int = 0
    rounds: int = 0


class TableAgain(msgspec.Struct, kw_only=True):
    """The same of a table; `could_not` rounds are in none of its sums."""

    table: str
    title: str
    rounds: int = 0
    staked: int = 0
    played: int = 0
    other: int = 0
    difference: int = 0
    otherwise: int = 0
    could_not: int = 0


class PlayerAgain(msgspec.Struct, kw_only=True):
    """What somebody won on bets that pay otherwise: as played, and under the other text."""

    player: str
    played: int = 0
    other: int = 0
    difference: int = 0


class LeftOut(msgspec.Struct, kw_only=True):
    """Rounds of a table, one after the other, that are in no sum for the same reason.

    `what` is the layout or bet that the other text lacks; `rules` are those of the text they were played by.
    """

    table: str
    first: int
    last: int
    rounds: int
    why: Why
    what: str
    rules: Rules
    staked: int = 0
    played: int = 0


class TextPlayed(msgspec.Struct, kw_only=True):
    """A text that rounds of this time were played by."""

    rulebook: str
    digest: str
    version: int
    effective: str
    rounds: int = 0


class Resettled(msgspec.Struct, kw_only=True):
    """Rounds settled again, in cents. `house win` is what the house won; void rounds move nothing.

    `rounds` are those in the sums, of which `otherwise` pay otherwise; `could_not` are left out. The lists of
    players and of rounds left out are bounded: `unlisted` counts what is in neither.
    """

    since: int
    until: int
    rounds: int = 0
    void: int = 0
    otherwise: int = 0
    could_not: int = 0
    staked: int = 0
    played: int = 0
    other: int = 0
    difference: int = 0
    unlisted: int = 0
    texts: list[TextPlayed] = []
    bets: list[BetAgain] = []
    tables: list[TableAgain] = []
    players: list[PlayerAgain] = []
    left_out: list[LeftOut] = []


def headline(found: Resettled) -> Literal["none", "all", "even", "less", "more"]:
    """Which sentence sums it up; `less` and `more` are what players get."""
    if not found.otherwise:
        return "all" if found.rounds else "none"
    return "even" if not found.difference else "less" if found.difference > 0 else "more"


class _CannotBe(Exception):  # noqa: N818 - what is told of a round
    def __init__(self, why: Why, what: str = "", rules: Rules = ()) -> None:
        super().__init__(why)
        self.why, self.what, self.rules = why, what, rules


class Resettling:
    """The sums over a house's rounds under one text, round by round."""

    def __init__(self, book: Rulebook, since: int = 0, until: int = MANY) -> None:
        self.book = book
        self.done = Resettled(since=since, until=until)
        self._bets: dict[str, BetAgain] = {}
        self._players: dict[str, PlayerAgain] = {}
        self._texts: dict[str, TextPlayed] = {}

    @property
    def looked_at(self) -> int:
        """How many rounds it has come to so far."""
        return self.done.rounds + self.done.void + self.done.could_not

    def table(self, store: LogReading, stream: str) -> Iterator[int]:
        """Settle a table's rounds again; how many have been looked at, every so often."""
        yield from self.part(store, stream, after=0, limit=MANY)

    def part(self, store: LogReading, stream: str, *, after: int, limit: int) -> Iterator[int]:
        """The same of so many rounds, those with a number above `after`; the last number each time."""
        title = title_of(store, stream)
        if title is None:
            return
        setups = list(_setups(store, stream))
        at = TableAgain(table=stream, title=title)
        while limit > 0:
            rows = list(self._rows(store, stream, after, min(limit, AT_ONCE)))
            for row in rows:
                self._round(at, _setup_of(setups, row.number), RoundRecord.of(row))
            if not rows:
                break
            after, limit = rows[-1].number, limit - len(rows)
            yield after
        if at.rounds or at.could_not:
            self.done.tables.append(at)

    def _rows(self, store: LogReading, stream: str, after: int, limit: int) -> Iterable[RoundRow]:
        where = "stream = ? AND number > ? AND at >= ? AND at < ? ORDER BY number LIMIT ?"
        return store.every(ROUNDS, where, stream, after, self.done.since, self.done.until, limit)

    def result(self) -> Resettled:
        """What it came to, the largest differences first."""
        done = self.done
        done.bets = sorted(self._bets.values(), key=lambda one: (-abs(one.difference), one.bet))
        changed = [one for one in self._players.values() if one.difference]
        done.players = sorted(changed, key=lambda one: (-abs(one.difference), one.player))
        done.texts = list(self._texts.values())
        return done

    # A round

    def _round(self, at: TableAgain, setup: Setup, record: RoundRecord) -> None:
        if record.settlement is None:
            self.done.void += 1
            return
        self._name(setup)
        try:
            again = list(_settled(setup, self.book, record))
        except _CannotBe as no:
            self._leave_out(at, record, no)
            return
        at.rounds += 1
        self.done.rounds += 1
        changed = {line.bet for line, net in again if line.net != net}
        if changed:
            at.otherwise += 1
            self.done.otherwise += 1
        for line, net in again:
            of_bet = self._bets.setdefault(line.bet, BetAgain(bet=line.bet))
            for sums in (of_bet, at, self.done):
                sums.staked += line.stake
                sums.played -= line.net
                sums.other -= net
                sums.difference += line.net - net
            self._pay(line, net)
        for bet in changed:
            self._bets[bet].rounds += 1

    def _pay(self, line: Line, net: int) -> None:
        """Players who are paid the same have no line: there may be a great many."""
        mine = self._players.get(line.player)
        if mine is None and net != line.net:
            if len(self._players) >= MOST_PLAYERS:
                self.done.unlisted += 1
                return
            mine = self._players[line.player] = PlayerAgain(player=line.player)
        if mine is not None and net != line.net:
            mine.played += line.net
            mine.other += net
            mine.difference += net - line.net

    def _name(self, setup: Setup) -> None:
        book = setup.book
        digest = setup.digest or digest_of(book)
        text = self._texts.setdefault(
            digest,
            TextPlayed(
                rulebook=book.slug,
                digest=digest,
                version=book.document.version,
                effective=book.document.effective,
            ),
        )
        text.rounds += 1

    def _leave_out(self, at: TableAgain, record: RoundRecord, no: _CannotBe) -> None:
        at.could_not += 1
        self.done.could_not += 1
        last = self.done.left_out[-1] if self.done.left_out else None
        same = last is not None and (last.table, last.last + 1, last.why, last.what) == (
            at.table,
            record.number,
            no.why,
            no.what,
        )
        if last is None or not same:
            if len(self.done.left_out) >= MOST_RUNS:
                self.done.unlisted += 1
                return
            last = LeftOut(
                table=at.table,
                first=record.number,
                last=record.number,
                rounds=0,
                why=no.why,
                what=no.what,
                rules=no.rules,
            )
            self.done.left_out.append(last)
        last.last, last.rounds = record.number, last.rounds + 1
        last.staked += sum(line.stake for line in record.lines)
        last.played -= sum(line.net for line in record.lines)


# --- one round ----------------------------------------------------------------------------------------------


def _settled(setup: Setup, other: Rulebook, record: RoundRecord) -> Iterator[tuple[Line, int]]:
    """Each line of a round with what it wins under the other text; `_CannotBe` if there it could not be."""
    letter, book = setup.layout, setup.book
    layout = other.layouts.get(letter)
    if layout is None:
        raise _CannotBe("layout", letter, book.layouts[letter].rules)
    for line in record.lines:
        if not line.bet.endswith(INSURED) and line.bet not in layout.bets:
            raise _CannotBe("bet", line.bet, book.bets[line.bet].rules)
    cards = [shown.card for shown in record.cards]
    if None in cards:
        raise _CannotBe("unseen")
    dealt = tuple(card for card in cards if card is not None)
    was, now = _Dealt(book, dealt), _Dealt(other, dealt)
    for line in record.lines:
        if was.net(line) != line.net:
            raise _CannotBe("decided")
    for line in record.lines:
        yield line, now.net(line)


class _Dealt:
    """The cards of a round by one text."""

    def __init__(self, book: Rulebook, cards: tuple[Card, ...]) -> None:
        self.book = book
        self._deal = Deal(book.table_of_play, cards)
        try:
            check_whole(self._deal)
        except BadInput:
            raise _CannotBe("cards", rules=book.table_of_play.rules) from None
        self._outcome: Outcome = outcome_of(self._deal, sight_of_all(book))

    def net(self, line: Line) -> int:
        """What a stake wins or loses; one that was given back does neither."""
        if line.result == "returned":
            return 0
        plays = line.stake if line.played is None else line.played
        if line.window is None:
            return bets.result(self.book.bets[line.bet], self._outcome).net(plays)
        insured = self.book.insurance
        if insured is None:
            raise _CannotBe("insurance", line.bet)
        try:
            offer = insurance.offer_at(insured, self._deal, Side(line.bet.removesuffix(INSURED)), line.window)
        except BadInput as no:
            raise _CannotBe("insurance", line.bet, no.rules) from None
        verdict = insurance.result(insured, offer, self._outcome.winner).verdict
        return bets.net_cents(verdict, plays, offer.odds)


# --- tables -------------------------------------------------------------------------------------------------


def streams_of(store: LogReading, only: str = "") -> list[str]:
    """The tables of a house, or one of them; BadInput if there is no such table."""
    streams = sorted(set(store.heads()) - {JOURNAL})
    if only and only not in streams:
        raise BadInput(f"there is no table {only[:60]!r}: expected one of {', '.join(streams) or 'none'}")
    return [only] if only else streams


def title_of(store: LogReading, stream: str) -> str | None:
    """What a table is called; None of one for practice, which counts nowhere."""
    first = next(iter(store.read(stream, limit=1)), None)
    created = event_of(first) if first is not None else None
    if not isinstance(created, TableCreated) or created.practice is not None:
        return None
    return created.title


def rounds_in(store: LogReading, stream: str) -> int:
    """How many rounds a table has finished, for a bar."""
    last = next(iter(store.rounds(stream, limit=1)), None)
    return last.number if last is not None else 0


def _setups(store: LogReading, stream: str) -> Iterator[tuple[int, Setup]]:
    """The set-ups by which a table was played as far as its text and layout go, each from a round on."""
    where = "stream = ? AND name IN (?, ?) ORDER BY version"
    for stored in store.every(EVENTS, where, stream, *NAMING):
        event = event_of(stored)
        if isinstance(event, TableOpened | RulebookChanged):
            yield stored.round + 1, event.setup


def _setup_of(setups: list[tuple[int, Setup]], number: int) -> Setup:
    """The last set-up that was made before a round began."""
    return next(setup for since, setup in reversed(setups) if since <= number)
