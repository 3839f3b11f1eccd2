"""Who is signed in. A token is 32 random bytes and a mark that says whose it is; a hash of it is kept.

The hash is by a key of the house. So a stolen database signs nobody in, nor does one that somebody writes to:
they cannot tell the hash of a token of their own, and a session that they have counts for no other account.

Times in the store are by the wall clock. A session in memory runs by the monotonic one, so setting the clock
neither ends it nor makes it last.
"""

import hashlib
import hmac
import math
import secrets
import threading
from collections.abc import Callable
from typing import Protocol, TypeVar

import msgspec

from thirdcard.service.clock import MICROSECONDS, Clock
from thirdcard.service.log.store.model import Account, Session
from thirdcard.service.log.store.people import PeopleStore, fold

T = TypeVar("T")

MINUTE, HOUR = 60.0, 3600.0
IDLE, LIFE = 30 * MINUTE, 12 * HOUR
GUEST_IDLE, GUEST_LIFE = 24 * HOUR, 7 * 24 * HOUR  # a guest has no password to come back with
TRUSTED_SHARED = 2.0  # seconds for which an answer of a shared store is believed
WRITTEN_EVERY = MINUTE
SWEPT_EVERY = 10 * MINUTE
MOST_ENDED = 1_000  # sessions of which it is remembered why they were ended


class Turn(Protocol):
    """Runs a piece of work while nobody else writes to the store, and gives back what it gives."""

    def __call__(self, work: Callable[[], T], /) -> T: ...


def own_turns() -> Turn:
    """For a store that only the caller writes to."""
    lock = threading.RLock()

    def turn(work: Callable[[], T], /) -> T:
        with lock:
            return work()

    return turn


class _Known(msgspec.Struct, kw_only=True):
    """A session in memory; times by the monotonic clock, `idle` in seconds."""

    account: Account
    session: Session
    idle: float
    ends: float
    active: float
    written: float
    trusted: float

    def lapsed(self, now: float) -> bool:
        return now >= self.ends or now - self.active >= self.idle


class Sessions:
    """`who` may be asked from any thread and writes nothing; everything that writes is called in its turn."""

    def __init__(self, store: PeopleStore, clock: Clock, key: bytes, most: int = 20_000) -> None:
        self._store, self._clock, self._key, self._most = store, clock, key, most
        self._trust = TRUSTED_SHARED if store.shared else math.inf
        self._known: dict[bytes, _Known] = {}
        self._forgotten = 0  # how often something was
        self._ended: dict[bytes, str] = {}  # why, of sessions that others have ended lately
        self._swept = -math.inf

    def hash_of(self, token: str) -> bytes:
        """By which a token is known, here and in the store."""
        return hmac.digest(self._key, token.encode("utf-8", "surrogatepass"), "sha256")

    def who(self, token: str, *, active: bool = True) -> Account | None:
        """Whose token it is; None if nobody's, or if the session has been ended, idle or there for too long.

        `active=False` asks without counting as activity, as for a socket that is merely open.
        """
        now = self._clock.monotonic()
        key = self.hash_of(token)
        known = self._known.get(key)
        if known is None or now >= known.trusted:
            known = self._look_up(key, token, known, now)
        if known is None or known.lapsed(now):
            return None
        if active:
            known.active = now
        return known.account

    def at_hand(self, token: str, *, active: bool = True) -> Account | None:
        """As `who`, but only from memory: None may also mean that the store has to be asked."""
        return self.held(self.hash_of(token), active=active)

    def held(self, key: bytes, *, active: bool = True) -> Account | None:
        """The same, by the hash of the token."""
        now = self._clock.monotonic()
        known = self._known.get(key)
        if known is None or now >= known.trusted or known.lapsed(now):
            return None
        if active:
            known.active = now
        return known.account

    def begin(self, account: Account) -> str:
        """Sign an account in; the token is told once and kept nowhere."""
        token = secrets.token_urlsafe(32) + mark_of(account.name)
        now = self._clock.wall()
        self._store.put_session(
            Session(token_hash=self.hash_of(token), account=account.name, created=now, seen=now)
        )
        return token

    def end(self, token: str) -> None:
        key = self.hash_of(token)
        self._store.drop_session(key)
        self._store.afterwards(lambda: self.forget(key))

    def end_all(self, account: str, why: str = "") -> None:
        """`why` is for whoever was signed in by it."""
        self._store.drop_sessions(account=account)
        self._store.afterwards(lambda: self._forget_all(account, why))

    def _forget_all(self, account: str, why: str) -> None:
        folded = account.casefold()
        for key, known in list(self._known.items()) if why else ():
            if known.account.name.casefold() == folded:
                self._ended[key] = why
        while len(self._ended) > MOST_ENDED:
            del self._ended[next(iter(self._ended))]
        self.forget(account)

    def why_ended(self, token: str) -> str:
        """Why somebody else has ended a session that this process knew; empty if nobody did."""
        return self._ended.get(self.hash_of(token), "")

    def forget(self, what: bytes | str) -> None:
        """Ask the store again about a token's hash, or about all sessions of an account.

        For what this or another process has just changed in the store; from any thread.
        """
        self._forgotten += 1
        if isinstance(what, bytes):
            self._known.pop(what, None)
            return
        folded = what.casefold()
        for key, known in list(self._known.items()):
            if known.account.name.casefold() == folded:
                self._known.pop(key, None)

    def tidy(self) -> None:
        """Write when sessions were last used, each at most once a minute, and drop those that have lapsed.

        To be called every few seconds. After a crash a session counts as idle for a minute more than it was.
        """
        now, wall = self._clock.monotonic(), self._clock.wall()
        for key, known in list(self._known.items()):
            if known.lapsed(now):
                self._known.pop(key, None)
            elif known.active > known.written and now - known.written >= WRITTEN_EVERY:
                self._write_seen(known, wall - round((now - known.active) * MICROSECONDS))
        if now - self._swept >= SWEPT_EVERY:
            self._store.drop_sessions(seen_before=wall - round(GUEST_IDLE * MICROSECONDS))
            self._swept = now

    def _write_seen(self, known: _Known, seen: int) -> None:
        if self._store.touch_session(known.session.token_hash, seen):  # else another process has ended it
            known.written = known.active

    def _look_up(self, key: bytes, token: str, before: _Known | None, now: float) -> _Known | None:
        """What the store says, asked again if something was forgotten meanwhile: that may have been this."""
        while True:
            forgotten = self._forgotten
            known = self._read(key, token, before, now)
            if known is None:
                self._known.pop(key, None)
                return None
            self._known[key] = known
            if forgotten == self._forgotten:
                break
            self._known.pop(key, None)
        while len(self._known) > self._most:
            self._known.pop(next(iter(self._known)), None)
        return known

    def _read(self, key: bytes, token: str, before: _Known | None, now: float) -> _Known | None:
        session = self._store.session(key)
        if session is not None and not token.endswith(mark_of(session.account)):
            return None
        account = None if session is None else self._store.account(session.account)
        if session is None or account is None or account.disabled:
            return None
        idle, life = (GUEST_IDLE, GUEST_LIFE) if account.role == "guest" else (IDLE, LIFE)
        wall = self._clock.wall()
        seen = now - max(0, wall - session.seen) / MICROSECONDS
        return _Known(
            account=account,
            session=session,
            idle=idle,
            ends=before.ends if before else now + life - max(0, wall - session.created) / MICROSECONDS,
            active=max(seen, before.active) if before else seen,
            written=seen,
            trusted=now + self._trust,
        )


def mark_of(account: str) -> str:
    """How the tokens of an account end."""
    return "." + hashlib.sha256(fold(account).encode()).hexdigest()[:24]
