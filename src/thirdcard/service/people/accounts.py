"""Accounts: who there is, who may come in, and what is told about those who may not."""

import hashlib
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
from thirdcard.service.log.store import Store
from thirdcard.service.log.store.model import Account, KnownAs, Session
from thirdcard.service.log.store.people import fold
from thirdcard.service.people import second_factor
from thirdcard.service.people.credentials import (
    GUEST,
    MOST_PASSWORD,
    check_password,
    check_person,
    plain_name,
    taken,
)
from thirdcard.service.people.guesses import Devices, Guesses
from thirdcard.service.people.roles import FLOOR, ROLES, STAFF
from thirdcard.service.people.second_factor import Pin, SecondFactor
from thirdcard.service.people.sessions import Sessions, Turn, own_turns
from thirdcard.strict import decodable
from thirdcard.words.saying import Saying, say

DENIED = say("sign-in-denied")
WRONG_PIN = say("wrong-pin")
WRONG_CODE = say("wrong-code")
MOST_ANYWHERE = 100  # failures in a row, wherever they come from
LOCKED = 30 * 60 * MICROSECONDS
GUEST_ALPHABET = "234679CDFGHJKMNPQRTVWXY"  # nothing that looks like something else, and no words
GUEST_LENGTH = 5
GUEST_TRIES = 16
CONSOLE = "console"  # who does what is done by a command on the server itself
UNKNOWN = "unknown"
ADMINISTRATOR = "administrator"
NAME_TAKEN = "name-taken"  # the kind of a note: what somebody goes by from now on, empty for no such name
SIGN_IN, SHOWN = "sign-in", "shown"  # what a name that somebody goes by is for
PERSONAL_SET = "personal-set"  # the kind of a note: what somebody has set for themselves, by its SHA-256

T = TypeVar("T")
NoteFact: TypeAlias = str | int
Note: TypeAlias = Callable[[str, dict[str, NoteFact]], None]
Second: TypeAlias = Callable[[Account], bool]  # whether all that an account asks for has been proved

replace = msgspec.structs.replace


class Denied(Exception):  # noqa: N818 - what somebody is told
    """Nobody was signed in. Without the password the sentence is always the same: it tells nothing."""

    counts = True  # as a wrong guess

    def __init__(self, said: Saying = DENIED) -> None:
        super().__init__(said)


class CodeNeeded(Denied):
    """The password is right, and the account has one-time codes."""

    counts = False

    def __init__(self) -> None:
        super().__init__(say("code-needed"))


class CodesFirst(Denied):
    """The password is right, and the house asks for one-time codes that the account does not have."""

    counts = False

    def __init__(self) -> None:
        super().__init__(say("codes-first"))


class WrongPin(Denied):
    """Nothing was confirmed; the sentence is the same whatever is wrong."""

    def __init__(self) -> None:
        super().__init__(WRONG_PIN)


class NewCodes(msgspec.Struct, frozen=True, kw_only=True):
    """What a device needs to show codes, told once: the secret, a link that holds it, that as a picture."""

    secret: str
    link: str
    qr: str


def default_hasher() -> PasswordHasher:
    """argon2id with 19 MiB: some 40 ms of one core for each guess, and two at a time stay below 40 MiB."""
    return PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


def unnoted(kind: str, facts: dict[str, NoteFact]) -> None:
    """For a house without a significant-event log."""


class People:
    """The accounts of a store and their sessions.

    `note` is told, while it is written, what belongs in the significant-event log, and writes it in the same
    transaction: the kinds are
    `account-added`, `account-disabled`, `account-locked`, `account-unlocked`, `password-changed`,
    `name-taken`, `password-rehashed`, `personal-set`, `pin-failed`, `pin-locked`, `role-changed` and
    `sign-in-failed`. It never hears a password or PIN, nor a name that is no account's: people type their
    password there.

    `turn` carries out what writes, in turn with the store's other writers; hashing is done outside of it. Of
    guesses made at the same instant in processes that share a store, only one may count. `key` is that of
    the house for devices, `pin_key` that for PINs, `session_key` that for sessions, `factor_key` that for
    one-time codes, which `staff_codes` asks all staff for.
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
        factor_key: bytes = b"",
        pin_key: bytes = b"",
        session_key: bytes = b"",
        staff_codes: bool = False,
    ) -> None:
        self._store, self._clock, self._note = store, clock, note
        self._guesses, self._devices = Guesses(clock), Devices(key or secrets.token_bytes(32), clock)
        self._factor_key, self.staff_codes = factor_key or secrets.token_bytes(32), staff_codes
        self._pin_key = pin_key or secrets.token_bytes(32)
        self._pin_guesses = Guesses(clock, second_factor.MOST_AT_A_DESK)
        self._hasher = hasher or default_hasher()
        self._in_turn = turn or own_turns()
        self._nobodys = self._hasher.hash(secrets.token_bytes(16))  # checked where there is no password
        self._sessions = Sessions(store, clock, session_key or secrets.token_bytes(32))
        self.session_of = self._sessions.hash_of
        self.who = self._sessions.who
        self.at_hand = self._sessions.at_hand
        self.held = self._sessions.held
        self.forget = self._sessions.forget
        self.why_ended = self._sessions.why_ended

    # Coming and going ---------------------------------------------------------------------------------------

    def sign_in(self, name: str, password: str, *, origin: str, device: str = "", code: str = "") -> str:
        """The token of a new session, or Denied; `origin` is the address that the attempt came from.

        Three failures in a row bar that address from the account for 30 minutes, also with the right
        password; a hundred from anywhere bar all but the devices that have signed in by it before, which
        have a `device` token and a count of their own. So nobody can lock somebody else out. Whatever is
        wrong, one password is checked and one row written: the time it takes tells no more than the sentence.
        Who has one-time codes gives one as `code`; wrong ones count as wrong passwords do.
        """
        second = self._by_code(code)
        return self._let_in(name, password, origin, self._sessions.begin, second=second, device=device)

    def device(self, account: Account) -> str:
        """The token by which a device is known again, for whoever has just signed in."""
        return self._devices.token(account.name, account.password)

    def unlock(self, name: str, *, by: str = CONSOLE) -> None:
        """Whoever was barred from the account may try again; nobody is signed out."""

        def work() -> Account:
            account = replace(self._existing(name), failures=0, locked_until=0)
            self._store.change_account(account)
            self._note("account-unlocked", {"name": account.name, "by": by})
            return account

        self.forgive(self._turn(work).name)

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
            raise BadInput(say("no-guest-name-found"))

        return self._turn(work)

    def become_account(self, guest: str, name: str, password: str) -> tuple[Account, str]:
        """A guest keeps everything and signs in by name and password from now on; the token of a new session.

        In logs and racks the guest's own name stays: it is what they are signed with. The other is what the
        person signs in by and, unless they choose a nickname, is shown as.
        """
        self._still_guest(guest)
        plain = check_person(name)
        check_password(password, name=plain, role="player")
        kept = self._hash(password)

        def work() -> tuple[Account, str]:
            account = replace(self._still_guest(guest), role="player", password=kept)
            if not self._store.claim_name(KnownAs(name=plain, account=account.name, use=SIGN_IN)):
                raise taken(plain)
            self._store.change_account(account)
            self._sessions.end_all(account.name)
            facts: dict[str, NoteFact] = {"role": "player", "by": account.name, "sha256": sha256_of(kept)}
            self._note("account-added", {"name": account.name, **facts})
            self._note(NAME_TAKEN, {"account": account.name, "use": SIGN_IN, "as": plain})
            return account, self._sessions.begin(account)

        return self._turn(work)

    def _still_guest(self, name: str) -> Account:
        account = self._existing(name)
        if account.role != "guest":
            raise BadInput(say("account-exists", name=account.name))
        return account

    def set_nickname(self, name: str, wanted: str) -> str:
        """What others see of somebody, like no other name; by the person's own name, that again."""
        account, plain = self._existing(name), check_person(wanted)

        def work() -> None:
            own = self._store.name_of(account.name, SIGN_IN)
            is_own = fold(plain) in {fold(account.name), fold(own.name) if own else ""}
            if is_own:
                self._store.drop_name(account.name, SHOWN)
            elif not self._store.claim_name(KnownAs(name=plain, account=account.name, use=SHOWN)):
                raise taken(plain)
            self._note(NAME_TAKEN, {"account": account.name, "use": SHOWN, "as": "" if is_own else plain})

        self._turn(work)
        return self.shown_as(account.name)

    def shown_as(self, name: str) -> str:
        """What others see: a nickname, else what the person signs in by."""
        known = self._store.name_of(name, SHOWN) or self._store.name_of(name, SIGN_IN)
        return known.name if known else name

    def sign_out(self, token: str) -> None:
        self._turn(lambda: self._sessions.end(token))

    def sign_out_everywhere(self, name: str) -> None:
        self._turn(lambda: self._sessions.end_all(self._existing(name).name))

    def tidy(self) -> None:
        """Keep the store's sessions up to date; to be called every few seconds (see Sessions)."""
        self._turn(self._sessions.tidy)

    def find(self, name: str) -> Account | None:
        """By the account's own name, or the one that it signs in by."""
        plain = plain_name(name)
        if plain is None:
            return None
        account, known = self._store.account(plain), self._store.found_by(plain, SIGN_IN)
        return account or (self._store.account(known.account) if known else None)

    def is_of_staff(self, name: str, device: str) -> bool:
        """Whether that account of staff has signed in by this device before."""
        account = self.find(name) if device else None
        if account is None or account.role not in STAFF:
            return False
        return bool(self._devices.known(account.name, account.password, device))

    # Accounts -----------------------------------------------------------------------------------------------

    def register(self, name: str, password: str, role: str, *, by: str = CONSOLE) -> Account:
        """A new account; BadInput says what is wrong with the name or the password."""
        check_role(role)
        plain = check_person(name)
        check_password(password, name=plain, role=role)
        account = Account(name=plain, role=role, password=self._hash(password), created=self._clock.wall())

        def work() -> None:
            if not self._store.add_account(account):
                raise taken(plain)
            kept = sha256_of(account.password)
            self._note("account-added", {"name": plain, "role": role, "by": by, "sha256": kept})

        self._turn(work)
        return account

    def change_password(self, name: str, old: str, new: str, *, origin: str) -> None:
        """One's own password: the old one is checked, and its failures count, as at signing in."""
        self._with_password(name)
        account = self._let_in(name, old, origin, lambda current: current)
        changed = self._new_password(account, new)  # measured for nobody who has not proved the old one

        def work() -> None:
            current = self._existing(name)
            if current.password != account.password:
                raise Denied
            self._replace(replace(current, password=changed))
            kept = sha256_of(changed)
            self._note("password-changed", {"name": account.name, "by": account.name, "sha256": kept})

        self._turn(work)

    def set_password(self, name: str, new: str, *, by: str = CONSOLE) -> None:
        """Somebody else's password, by an administrator; unlocks the account."""
        account = self._with_password(name)
        changed = self._new_password(account, new)
        facts: dict[str, NoteFact] = {"by": by, "sha256": sha256_of(changed)}
        self._change(name, "password-changed", facts, password=changed, failures=0, locked_until=0)
        self.forgive(account.name)

    def set_role(self, name: str, role: str, *, by: str = CONSOLE) -> None:
        """Another role for a member of staff.

        A player does not become staff, nor staff a player: they get another account. So nobody who deals has
        a player's shorter password, or a rack.
        """
        before = self._existing(name)
        if role not in STAFF or before.role not in STAFF:
            raise BadInput(say("role-needs-another-account", name=before.name, role=before.role, role2=role))
        facts: dict[str, NoteFact] = {"before": before.role, "role": role, "by": by}
        self._change(name, "role-changed", facts, role=role, stays=role == ADMINISTRATOR)

    def disable(self, name: str, *, by: str = CONSOLE) -> None:
        """The account stays, with its history and its name, but nobody comes in by it any more.

        What its owner has learnt in the school is forgotten.
        """

        def forget(account: Account) -> None:
            self._store.forget_learning(account.name)

        self._change(name, "account-disabled", {"by": by}, disabled=True, stays=False, then=forget)

    # One-time codes -----------------------------------------------------------------------------------------

    def codes(self, name: str) -> SecondFactor | None:
        """The one-time codes of an account, if it has any."""
        return self._factor(name, second_factor.KIND)

    def has_codes(self, name: str) -> bool:
        """The same without looking at them."""
        return self._store.personal(name, second_factor.KIND) is not None

    def begin_codes(self, name: str, password: str, *, origin: str) -> NewCodes:
        """A new secret for an account without codes; nothing changes before a code of it is given."""

        def begin(account: Account) -> NewCodes:
            if self.has_codes(account.name):
                raise BadInput(say("codes-set-up-already"))
            factor = second_factor.new_factor()
            self._keep(account.name, second_factor.OFFERED, factor, by=account.name)
            link = factor.link(account.name)
            return NewCodes(secret=factor.secret, link=link, qr=second_factor.qr_code(link))

        return self._let_in(name, password, origin, begin)

    def confirm_codes(
        self, name: str, password: str, code: str, *, origin: str
    ) -> tuple[str, tuple[str, ...]]:
        """Codes are asked for from now on; the token of a new session, the only one, and recovery codes."""

        def prove(account: Account) -> bool:
            offered = self._factor(account.name, second_factor.OFFERED)
            if offered is None or self.has_codes(account.name):
                raise BadInput(say("no-secret-to-confirm"))
            self._use(account.name, second_factor.OFFERED, offered, code)
            return True

        def confirm(account: Account) -> tuple[str, tuple[str, ...]]:
            offered = self._factor(account.name, second_factor.OFFERED)
            assert offered is not None  # it has just been proved
            factor, recovery = second_factor.with_recovery(offered)
            self._keep(account.name, second_factor.KIND, factor, by=account.name)
            self._keep(account.name, second_factor.OFFERED, None, by=account.name)
            self._sessions.end_all(account.name)
            return self._sessions.begin(account), recovery

        return self._let_in(name, password, origin, confirm, second=prove)

    def drop_codes(self, name: str, password: str, code: str, *, origin: str) -> Account:
        """No codes are asked for any more; whoever is signed in has to sign in again."""

        def drop(account: Account) -> Account:
            return self._without_codes(account, by=account.name)

        return self._let_in(name, password, origin, drop, second=self._by_code(code))

    def reset_codes(self, name: str, *, by: str = CONSOLE) -> None:
        """Take somebody's one-time codes off, by an administrator; they sign in anew, by password."""
        self._turn(lambda: self._without_codes(self._existing(name), by=by))

    def _without_codes(self, account: Account, *, by: str) -> Account:
        if not self.has_codes(account.name):
            raise BadInput(say("no-one-time-codes", name=account.name))
        self._keep(account.name, second_factor.KIND, None, by=by)
        self._sessions.end_all(account.name, "" if by == account.name else "codes-reset")
        return account

    def _by_code(self, code: str) -> Second:
        """A code of whoever has codes."""

        def prove(account: Account) -> bool:
            factor = self.codes(account.name)
            if factor is not None and not code:
                raise CodeNeeded
            if factor is not None:
                self._use(account.name, second_factor.KIND, factor, code)
            elif self.staff_codes and account.role in STAFF:
                raise CodesFirst
            return True

        return prove

    def _without_code(self, account: Account) -> bool:
        """Not asked for one: who has codes has not proved all."""
        return not self.has_codes(account.name)

    def _use(self, name: str, kind: str, factor: SecondFactor, code: str) -> None:
        """Use a code up, or Denied."""
        used = factor.used(code, self._clock.wall())
        if used is None:
            raise Denied(WRONG_CODE)
        self._keep(name, kind, used, by=name)

    def _factor(self, name: str, kind: str) -> SecondFactor | None:
        sealed = self._store.personal(name, kind)
        return None if sealed is None else second_factor.unseal(self._factor_key, name, sealed)

    def _keep(self, name: str, kind: str, factor: SecondFactor | None, *, by: str) -> None:
        body = None if factor is None else second_factor.seal(self._factor_key, name, factor)
        set_personal(self._store, self._note, name, kind, body, by=by)

    # PINs ---------------------------------------------------------------------------------------------------

    def has_pin(self, name: str) -> bool:
        """Whether somebody has a PIN that works."""
        pin = self._pin(name)
        return pin is not None and not pin.is_locked

    def set_pin(self, name: str, password: str, pin: str, *, origin: str) -> None:
        """One's own PIN, by one's password; wrong ones are forgotten."""
        second_factor.check_pin(pin)
        made = Pin(hash=self._hasher.hash(second_factor.material(self._pin_key, name, pin)))

        def keep(account: Account) -> None:
            self._keep_pin(account.name, made, by=account.name)

        self._let_in(name, password, origin, keep)

    def drop_pin(self, name: str, *, by: str = CONSOLE) -> None:
        """Take somebody's PIN off, by an administrator."""

        def drop() -> None:
            account = self._existing(name)
            if self._pin(account.name) is None:
                raise BadInput(say("no-pin", name=account.name))
            self._keep_pin(account.name, None, by=by)

        self._turn(drop)

    def by_pin(self, name: str, pin: str, *, desk: str) -> Account:
        """Who gives a PIN at the desk of somebody who is signed in there; WrongPin unless it is theirs.

        Five wrong ones in a row lock a PIN, ten of anybody's bar a desk for 30 minutes; all are on record.
        Whatever is wrong, one PIN is checked and one row written.
        """
        plain = plain_name(name)
        account = None if plain is None else self._store.account(plain)
        kept = self._pin(account.name) if account else None
        given = second_factor.material(self._pin_key, account.name if account else "", pin)
        right = self._verifies(kept.hash if kept else self._nobodys, given) and kept is not None
        facts: dict[str, NoteFact] = {"name": account.name if account else UNKNOWN, "desk": desk}

        def work() -> Account:
            current = self._store.account(account.name) if account else None
            held = self._pin(current.name) if current else None
            usable = held is not None and not held.is_locked and not self._pin_guesses.barred("", desk)
            if current is None or held is None or not usable or current.disabled or current.role not in FLOOR:
                self._note("pin-failed", facts)
                self._write_as_much()
                raise WrongPin
            is_it = right and kept is not None and held.hash == kept.hash
            now = replace(held, wrong=0 if is_it else held.wrong + 1)
            if now != held:
                self._keep_pin(current.name, now, by=current.name)
            if is_it:
                return current
            self._pin_guesses.wrong("", desk)
            for kind in ("pin-failed", "pin-locked") if now.is_locked else ("pin-failed",):
                self._note(kind, facts)
            raise WrongPin

        return self._turn(work)

    def session_of_dealer(self, account: Account) -> str:
        """The token of a session for a dealer who has proved by PIN to take a desk over."""
        assert account.role == "dealer"  # whoever may do more signs in by password
        return self._turn(lambda: self._sessions.begin(account))

    def _pin(self, name: str) -> Pin | None:
        body = self._store.personal(name, second_factor.PIN)
        return None if body is None else msgspec.json.decode(body, type=decodable(Pin))

    def _keep_pin(self, name: str, pin: Pin | None, *, by: str) -> None:
        body = None if pin is None else msgspec.json.encode(pin)
        set_personal(self._store, self._note, name, second_factor.PIN, body, by=by)

    # Within -------------------------------------------------------------------------------------------------

    def _turn(self, work: Callable[[], T]) -> T:
        """Carry it out in turn: what it writes and what it notes are one commit, whomever it turns away."""

        def whole() -> T:
            with self._store.together():
                try:
                    done = work()
                except (Denied, BadInput) as error:
                    refused = error
                else:
                    return done
            raise refused

        return self._in_turn(whole)

    def _let_in(  # noqa: PLR0913 - what somebody proves
        self,
        name: str,
        password: str,
        origin: str,
        then: Callable[[Account], T],
        *,
        second: Second | None = None,
        device: str = "",
    ) -> T:
        """Do something in the name of an account, if this is its password and `second` is content.

        Wrong guesses are forgiven to who has proved all that the account asks for.
        """
        account = self.find(name)
        kept = account.password if account else ""
        right = self._matches(kept or self._nobodys, password) and bool(kept)
        fresh = self._hash(password) if right and self._hasher.check_needs_rehash(kept) else kept
        facts: dict[str, NoteFact] = {"name": account.name if account else UNKNOWN, "origin": origin}

        def work() -> T:
            # Read again: others may have tried meanwhile.
            current = self._store.account(account.name) if account else None
            seen = self._devices.known(current.name, current.password, device) if current else ""
            place = seen or network_of(origin)
            if current is None or not current.password or not self._may_try(current, place, known=bool(seen)):
                self._note("sign-in-failed", facts)
                self._write_as_much()
                raise Denied
            is_it = right and current.password == kept
            try:
                proved = (second or self._without_code)(current) if is_it else _wrong_password()
            except Denied as denied:
                if denied.counts:
                    self._note("sign-in-failed", facts)
                    if self._count_failure(current, place):
                        self._note("account-locked", facts)
                raise
            entered = replace(current, password=fresh)
            if proved:
                self._guesses.forgive(current.name, place)
                entered = replace(entered, failures=0, locked_until=0)
            if entered != current:
                self._store.change_account(entered)
            if fresh != kept:
                self._note("password-rehashed", {"name": current.name, "sha256": sha256_of(fresh)})
            return then(entered)

        return self._turn(work)

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

    def _change(
        self,
        name: str,
        kind: str,
        facts: dict[str, NoteFact],
        *,
        stays: bool = True,
        then: Callable[[Account], None] | None = None,
        **changes: str | int,
    ) -> None:
        """Change an account, on record; whoever is signed in by it has to sign in again, and can read why.

        `stays` says whether an administrator still is one afterwards: the last of them has to be.
        """

        def work() -> None:
            account = self._existing(name)
            if account.role == ADMINISTRATOR and not stays and self._only_administrator(account):
                raise BadInput(say("last-administrator", name=account.name))
            self._replace(replace(account, **changes), kind.removeprefix("account-"))
            if then is not None:
                then(account)
            self._note(kind, {"name": account.name, **facts})

        self._turn(work)

    def _only_administrator(self, account: Account) -> bool:
        others = (other for other in self._store.accounts() if other.name != account.name)
        return not any(other.role == ADMINISTRATOR and not other.disabled for other in others)

    def _replace(self, account: Account, why: str = "") -> Account:
        self._store.change_account(account)
        self._sessions.end_all(account.name, why)
        return account

    def _existing(self, name: str) -> Account:
        account = self.find(name)
        if account is None:
            raise BadInput(say("no-such-account"))
        return account

    def _with_password(self, name: str) -> Account:
        account = self._existing(name)
        if not account.password:
            raise BadInput(say("guest-no-password", name=account.name))
        return account

    def _new_password(self, account: Account, password: str) -> str:
        check_password(password, name=account.name, role=account.role)
        return self._hash(password)

    def _hash(self, password: str) -> str:
        return self._hasher.hash(_material(password))

    def _matches(self, kept: str, password: str) -> bool:
        """The work is the same whether it does or not; what is too long to be a password never does."""
        return self._verifies(kept, _material(password[:MOST_PASSWORD])) and len(password) <= MOST_PASSWORD

    def _verifies(self, kept: str, material: bytes) -> bool:
        try:
            self._hasher.verify(kept, material)
        except (VerificationError, InvalidHashError):
            return False
        return True


def set_personal(  # noqa: PLR0913 - what is kept, of whom, and how it is on record
    store: Store, note: Note, name: str, kind: str, body: bytes | None, *, by: str
) -> None:
    """Keep what somebody has set, or with None no longer, and tell the journal its SHA-256."""
    if body is None:
        store.drop_personal(name, kind)
    else:
        store.put_personal(name, kind, body)
    digest = "" if body is None else hashlib.sha256(body).hexdigest()
    note(PERSONAL_SET, {"account": name, "kind": kind, "sha256": digest, "by": by})


def sha256_of(kept: str) -> str:
    """By which the journal knows the hash of a password: it tells nobody what to guess."""
    return hashlib.sha256(kept.encode()).hexdigest()


def _wrong_password() -> bool:
    raise Denied


def _material(password: str) -> bytes:
    """The same bytes from whichever keyboard it was typed on."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")


def check_role(role: str) -> None:
    """BadInput if no account can have it."""
    if role not in ROLES or role == "guest":
        raise BadInput(say("no-such-role", role=role, roles=_roles()))


def _roles() -> str:
    return ", ".join(role for role in ROLES if role != "guest")
