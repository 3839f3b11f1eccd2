"""Accounts: who there is, who may come in, and what is told about those who may not."""

import secrets
import unicodedata
from collections.abc import Callable
from typing import TypeAlias, TypeVar

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from thirdcard.errors import BadInput
from thirdcard.service.addresses import network_of
from thirdcard.service.clock import MICROSECONDS, Clock
from thirdcard.service.log.store.model import Account, Session, Store
from thirdcard.service.people.credentials import (
    GUEST,
    MOST_PASSWORD,
    check_password,
    check_person,
    plain_name,
    taken,
)
from thirdcard.service.people.guesses import Devices, Guesses
from thirdcard.service.people.roles import ROLES, STAFF
from thirdcard.service.people.sessions import Sessions, Turn, own_turns

DENIED = "Name or password is wrong, or the account is locked"
MOST_ANYWHERE = 100  # failures in a row, wherever they come from
LOCKED = 30 * 60 * MICROSECONDS
GUEST_ALPHABET = "234679CDFGHJKMNPQRTVWXY"  # nothing that looks like something else, and no words
GUEST_LENGTH = 5
GUEST_TRIES = 16
CONSOLE = "console"  # who does what is done by a command on the server itself
UNKNOWN = "unknown"
ADMINISTRATOR = "administrator"

T = TypeVar("T")
Fact: TypeAlias = str | int
Note: TypeAlias = Callable[[str, dict[str, Fact]], None]

replace = msgspec.structs.replace


class Denied(Exception):  # noqa: N818 - what somebody is told
    """Nobody was signed in. The sentence is always the same, so that it tells nothing about the account."""

    def __init__(self) -> None:
        super().__init__(DENIED)


def default_hasher() -> PasswordHasher:
    """argon2id with 19 MiB: some 40 ms of one core for each guess, and two at a time stay below 40 MiB."""
    return PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


def unnoted(kind: str, facts: dict[str, Fact]) -> None:
    """For a house without a significant-event log."""


class People:
    """The accounts of a store and their sessions.

    `note` is told, after the store has been written, what belongs in the significant-event log: the kinds are
    `account-added`, `account-disabled`, `account-locked`, `account-unlocked`, `password-changed`,
    `role-changed` and `sign-in-failed`. It never hears a password, nor a name that is no account's: people
    type their password there.

    `turn` carries out what writes, in turn with the store's other writers; hashing is done outside of it. Of
    guesses made at the same instant in processes that share a store, only one may count. `key` is that of
    the house for devices.
    """

    def __init__(  # noqa: PLR0913 - what they need of the house
        self,
        store: Store,
        clock: Clock,
        *,
        hasher: PasswordHasher | None = None,
        note: Note = unnoted,
        turn: Turn | None = None,
        key: bytes = b"",
    ) -> None:
        self._store, self._clock, self._note = store, clock, note
        self._guesses, self._devices = Guesses(clock), Devices(key or secrets.token_bytes(32), clock)
        self._hasher = hasher or default_hasher()
        self._turn = turn or own_turns()
        self._nobodys = self._hasher.hash(secrets.token_bytes(16))  # checked where there is no password
        self._sessions = Sessions(store, clock)
        self.who = self._sessions.who
        self.at_hand = self._sessions.at_hand
        self.forget = self._sessions.forget

    # Coming and going ---------------------------------------------------------------------------------------

    def sign_in(self, name: str, password: str, *, origin: str, device: str = "") -> str:
        """The token of a new session, or Denied; `origin` is the address that the attempt came from.

        Three failures in a row bar that address from the account for 30 minutes, also with the right
        password; a hundred from anywhere bar all but the devices that have signed in by it before, which
        have a `device` token and a count of their own. So nobody can lock somebody else out. Whatever is
        wrong, one password is checked and one row written: the time it takes tells no more than the sentence.
        """
        return self._let_in(name, password, origin, self._sessions.begin, device)

    def device(self, account: Account) -> str:
        """The token by which a device is known again, for whoever has just signed in."""
        return self._devices.token(account.name, account.password)

    def unlock(self, name: str, *, by: str = CONSOLE) -> None:
        """Whoever was barred from the account may try again; nobody is signed out."""

        def work() -> Account:
            account = replace(self._existing(name), failures=0, locked_until=0)
            self._store.change_account(account)
            return account

        account = self._turn(work)
        self.forgive(account.name)
        self._note("account-unlocked", {"name": account.name, "by": by})

    def forgive(self, name: str) -> None:
        """Forget the wrong passwords that this process has counted."""
        self._guesses.forgive(name)

    def guest(self) -> tuple[Account, str]:
        """A new guest and the token of their session. When that ends nobody can be this guest again."""

        def work() -> tuple[Account, str]:
            for tried in range(GUEST_TRIES):  # names get longer as the short ones run out
                length = GUEST_LENGTH + tried // 2
                name = GUEST + "".join(secrets.choice(GUEST_ALPHABET) for _ in range(length))
                account = Account(name=name, role="guest", created=self._clock.wall())
                if self._store.add_account(account):
                    return account, self._sessions.begin(account)
            raise BadInput("no name could be found for a guest: try again")

        return self._turn(work)

    def sign_out(self, token: str) -> None:
        self._turn(lambda: self._sessions.end(token))

    def sign_out_everywhere(self, name: str) -> None:
        self._turn(lambda: self._sessions.end_all(self._existing(name).name))

    def tidy(self) -> None:
        """Keep the store's sessions up to date; to be called every few seconds (see Sessions)."""
        self._turn(self._sessions.tidy)

    def find(self, name: str) -> Account | None:
        plain = plain_name(name)
        return None if plain is None else self._store.account(plain)

    # Accounts -----------------------------------------------------------------------------------------------

    def register(self, name: str, password: str, role: str, *, by: str = CONSOLE) -> Account:
        """A new account; BadInput says what is wrong with the name or the password."""
        if role not in ROLES or role == "guest":
            raise BadInput(f"{role!r} is not a role that an account can have: choose one of {_roles()}")
        plain = check_person(name)
        check_password(password, name=plain, role=role)
        account = Account(name=plain, role=role, password=self._hash(password), created=self._clock.wall())
        if not self._turn(lambda: self._store.add_account(account)):
            raise taken(plain)
        self._note("account-added", {"name": plain, "role": role, "by": by})
        return account

    def change_password(self, name: str, old: str, new: str, *, origin: str) -> None:
        """One's own password: the old one is checked, and its failures count, as at signing in."""
        account = self._with_password(name)
        changed = self._new_password(account, new)
        self._let_in(name, old, origin, lambda current: self._replace(replace(current, password=changed)))
        self._note("password-changed", {"name": account.name, "by": account.name})

    def set_password(self, name: str, new: str, *, by: str = CONSOLE) -> None:
        """Somebody else's password, by an administrator; unlocks the account."""
        account = self._with_password(name)
        changed = self._new_password(account, new)
        self._change(name, password=changed, failures=0, locked_until=0)
        self.forgive(account.name)
        self._note("password-changed", {"name": account.name, "by": by})

    def set_role(self, name: str, role: str, *, by: str = CONSOLE) -> None:
        """Another role for a member of staff.

        A player does not become staff, nor staff a player: they get another account. So nobody who deals has
        a player's shorter password, or a rack.
        """
        before = self._existing(name)
        if role not in STAFF or before.role not in STAFF:
            raise BadInput(
                f"{before.name} is {before.role} and cannot become {role}: that takes another account"
            )
        self._change(name, role=role, stays=role == ADMINISTRATOR)
        self._note("role-changed", {"name": before.name, "before": before.role, "role": role, "by": by})

    def disable(self, name: str, *, by: str = CONSOLE) -> None:
        """The account stays, with its history and its name, but nobody comes in by it any more."""
        account = self._change(name, disabled=True, stays=False)
        self._note("account-disabled", {"name": account.name, "by": by})

    # Within -------------------------------------------------------------------------------------------------

    def _let_in(
        self, name: str, password: str, origin: str, then: Callable[[Account], T], device: str = ""
    ) -> T:
        """Do something in the name of an account, if this is its password."""
        plain = plain_name(name)
        account = None if plain is None else self._store.account(plain)
        kept = account.password if account else ""
        right = self._matches(kept or self._nobodys, password) and bool(kept)
        fresh = self._hash(password) if right and self._hasher.check_needs_rehash(kept) else kept
        notes: list[str] = []

        def work() -> T:
            # Read again: others may have tried meanwhile.
            current = self._store.account(account.name) if account else None
            seen = self._devices.known(current.name, current.password, device) if current else ""
            place = seen or network_of(origin)
            if current is None or not current.password or not self._may_try(current, place, known=bool(seen)):
                notes.append("sign-in-failed")
                self._write_as_much()
                raise Denied
            if not right or current.password != kept:
                notes.append("sign-in-failed")
                if self._count_failure(current, place):
                    notes.append("account-locked")
                raise Denied
            self._guesses.forgive(current.name, place)
            entered = replace(current, password=fresh, failures=0, locked_until=0)
            if entered != current:
                self._store.change_account(entered)
            return then(entered)

        try:
            return self._turn(work)
        finally:
            for kind in notes:
                self._note(kind, {"name": account.name if account else UNKNOWN, "origin": origin})

    def _may_try(self, account: Account, place: str, *, known: bool) -> bool:
        locked = account.locked_until > self._clock.wall() and not known
        return not account.disabled and not locked and not self._guesses.barred(account.name, place)

    def _count_failure(self, account: Account, place: str) -> bool:
        """Whether this one bars somebody; after that the count starts again."""
        bars = self._guesses.wrong(account.name, place)
        locks = account.failures + 1 >= MOST_ANYWHERE
        if locks:
            counted = replace(account, failures=0, locked_until=self._clock.wall() + LOCKED)
        else:
            counted = replace(account, failures=account.failures + 1)
        self._store.change_account(counted)
        return bars or locks

    def _write_as_much(self) -> None:
        """As a counted failure does; a session of nobody, under a hash that no token is known to have."""
        now = self._clock.wall()
        self._store.put_session(Session(token_hash=bytes(32), account=UNKNOWN, created=now, seen=now))

    def _change(self, name: str, *, stays: bool = True, **changes: str | int) -> Account:
        """The account with changes; whoever is signed in by it has to sign in again.

        `stays` says whether an administrator still is one afterwards: the last of them has to be.
        """

        def work() -> Account:
            account = self._existing(name)
            if account.role == ADMINISTRATOR and not stays and self._only_administrator(account):
                raise BadInput(f"{account.name} is the last administrator: make another one first")
            return self._replace(replace(account, **changes))

        return self._turn(work)

    def _only_administrator(self, account: Account) -> bool:
        others = (one for one in self._store.accounts() if one.name != account.name)
        return not any(one.role == ADMINISTRATOR and not one.disabled for one in others)

    def _replace(self, account: Account) -> Account:
        self._store.change_account(account)
        self._sessions.end_all(account.name)
        return account

    def _existing(self, name: str) -> Account:
        plain = plain_name(name)
        account = None if plain is None else self._store.account(plain)
        if account is None:
            raise BadInput("there is no account of that name")
        return account

    def _with_password(self, name: str) -> Account:
        account = self._existing(name)
        if not account.password:
            raise BadInput(f"{account.name} is a guest and has no password")
        return account

    def _new_password(self, account: Account, password: str) -> str:
        check_password(password, name=account.name, role=account.role)
        return self._hash(password)

    def _hash(self, password: str) -> str:
        return self._hasher.hash(_material(password))

    def _matches(self, kept: str, password: str) -> bool:
        """The work is the same whether it does or not; what is too long to be a password never does."""
        try:
            self._hasher.verify(kept, _material(password[:MOST_PASSWORD]))
        except (VerificationError, InvalidHashError):
            return False
        return len(password) <= MOST_PASSWORD


def _material(password: str) -> bytes:
    """The same bytes from whichever keyboard it was typed on."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")


def _roles() -> str:
    return ", ".join(role for role in ROLES if role != "guest")
