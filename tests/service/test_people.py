"""Accounts and sessions, on a store that notices who writes to it out of turn."""

import hashlib
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest
from argon2 import PasswordHasher

from each import each
from service.clocks import START, FakeClock
from thirdcard.errors import BadInput
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.log.store.model import Account, Session
from thirdcard.service.log.store.sqlite import MemoryStore, SqliteStore
from thirdcard.service.people import credentials, second_factor
from thirdcard.service.people.accounts import DENIED, Denied, People, default_hasher, sha256_of
from thirdcard.service.people.credentials import RESERVED
from thirdcard.service.people.sessions import Sessions, mark_of

T = TypeVar("T")
MINUTE, HOUR = 60, 3_600
PASSWORD = "nine of clubs"  # noqa: S105
OTHER = "king of diamonds"
STAFF = ["dealer", "pit-supervisor", "pit-manager", "shift-manager", "auditor", "administrator"]


class CountingHasher(PasswordHasher):
    """argon2 made quick, and its work counted."""

    def __init__(self, time_cost: int = 1) -> None:
        super().__init__(time_cost=time_cost, memory_cost=8, parallelism=1)
        self.hashed = self.verified = 0

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        self.hashed += 1
        return super().hash(password, salt=salt)

    def verify(self, hash: str | bytes, password: str | bytes) -> bool:  # type: ignore[override]  # noqa: A002
        self.verified += 1
        return super().verify(hash, password)


class StrictStore(MemoryStore):
    """Writes are accepted in their turn only; reads of sessions and writes are counted."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()
        self.writer: int | None = None
        self.reads = self.writes = 0

    def turn(self, work: Callable[[], T], /) -> T:
        with self.lock:
            self.writer = threading.get_ident()
            try:
                return work()
            finally:
                self.writer = None

    def need_turn(self) -> None:
        assert self.writer == threading.get_ident(), "a write out of turn"

    def add_account(self, account: Account) -> bool:
        self.need_turn()
        return super().add_account(account)

    def change_account(self, account: Account) -> None:
        self.need_turn()
        self.writes += 1
        super().change_account(account)

    def session(self, token_hash: bytes) -> Session | None:
        self.reads += 1
        return super().session(token_hash)

    def put_session(self, session: Session) -> None:
        self.need_turn()
        super().put_session(session)
        self.writes += 1

    def touch_session(self, token_hash: bytes, seen: int) -> bool:
        self.need_turn()
        self.writes += 1
        return super().touch_session(token_hash, seen)

    def drop_session(self, token_hash: bytes) -> None:
        self.need_turn()
        super().drop_session(token_hash)

    def drop_sessions(self, *, account: str | None = None, seen_before: int | None = None) -> None:
        self.need_turn()
        super().drop_sessions(account=account, seen_before=seen_before)


class House:
    """People with everything around them; two houses on one store are two processes."""

    def __init__(self, store: StrictStore | None = None, clock: FakeClock | None = None) -> None:
        self.store, self.clock = store or StrictStore(), clock or FakeClock()
        self.hasher = CountingHasher()
        self.notes: list[tuple[str, dict[str, str | int]]] = []
        self.people = self.open(self.hasher)

    def open(self, hasher: PasswordHasher) -> People:
        return People(
            self.store,
            self.clock,
            hasher=hasher,
            note=self.note,
            turn=self.store.turn,
            session_key=b"one key",
        )

    def note(self, kind: str, facts: dict[str, str | int]) -> None:
        assert self.store.writer == threading.get_ident(), "a note is written with what it tells of"
        self.notes.append((kind, facts))

    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.notes]

    def sign_in(
        self, name: str = "Wei", password: str = PASSWORD, origin: str = "192.0.2.1", device: str = ""
    ) -> str:
        return self.people.sign_in(name, password, origin=origin, device=device)

    def denied(
        self, name: str = "Wei", password: str = PASSWORD, origin: str = "192.0.2.1", device: str = ""
    ) -> None:
        with pytest.raises(Denied) as refused:
            self.sign_in(name, password, origin, device)
        assert refused.value.args == (DENIED,)

    def account(self, name: str = "Wei") -> Account:
        account = self.store.account(name)
        assert account is not None
        return account

    def name_of(self, token: str) -> str | None:
        account = self.people.who(token)
        return None if account is None else account.name


@pytest.fixture
def house() -> House:
    house = House()
    house.people.register("Wei", PASSWORD, "player")
    house.notes.clear()
    return house


# Names and passwords.


@pytest.mark.parametrize(
    "name",
    ["Wei", "Mei-Ling", "Anwar_2", "O'Brien", "J.R.", "閒家", "สมชาย", "ที่รัก", "नेहा", "Ñandú", "x" * 24],
)
def test_people_are_called_what_they_like(name: str) -> None:
    house = House()
    account = house.people.register(name, PASSWORD, "player")
    assert house.account(name) == account
    assert house.name_of(house.sign_in(name)) == account.name


@each("name", [
    "", "x", "x" * 25, "x" * 10_000, "a b", "a:b", "a/b", "..", "-x", "_x", "a\nb", "a\0b", "a\x7fb", "\ud800x",
    "a\u200bb", "a\u202eb", "a\u2066b", "a\u00adb", "a\ufeffb", "a\u3164b", "a\u2800b", "a\ufe0fb", "a\u034fb",
    "\u0301a", "a" + "\u0316" * 4, "a\U000e0101b", "a\u115fb", "😀😀", "a<b", "a&b", "a%b", "a\u00a0b", "*", "a,b",
])  # fmt: skip
def test_what_is_no_name_is_refused(name: str) -> None:
    house = House()
    with pytest.raises(BadInput, match="a name "):
        house.people.register(name, PASSWORD, "player")
    assert house.store.accounts() == []
    assert house.notes == []


@pytest.mark.parametrize(
    "name", [*sorted(RESERVED), "House", "THIRDCARD", "\uff48ouse", "guest-1", "Guest-ABCDE", "\uff47uest-x"]
)
def test_the_houses_own_names_are_not_given_away(name: str) -> None:
    with pytest.raises(BadInput, match="keeps for itself"):
        House().people.register(name, PASSWORD, "player")


@pytest.mark.parametrize("name", ["Wei", "wei", "WEI", "\uff37ei"])
def test_a_name_is_taken_whatever_its_case_and_form(house: House, name: str) -> None:
    with pytest.raises(BadInput, match="somebody has it"):
        house.people.register(name, OTHER, "player")
    assert house.name_of(house.sign_in()) == "Wei", "the account is as it was"


def test_names_are_kept_and_found_in_one_form() -> None:
    house = House()
    assert house.people.register("Ame\u0301lie", PASSWORD, "player").name == "Amélie"
    assert house.name_of(house.sign_in("am\u00e9LIE")) == "Amélie"


@pytest.mark.parametrize(("role", "length", "good"), [
    ("player", 9, False), ("player", 10, True), ("dealer", 11, False), ("dealer", 12, True),
    ("auditor", 11, False), ("administrator", 11, False), ("player", 128, True), ("player", 129, False),
])  # fmt: skip
def test_the_length_of_a_password(role: str, length: int, good: bool) -> None:  # noqa: FBT001
    house = House()
    password = ("nine of clubs " * 10)[:length]
    if good:
        house.people.register("Wei", password, role)
        assert house.sign_in("Wei", password)
    else:
        with pytest.raises(BadInput, match="to 128 characters"):
            house.people.register("Wei", password, role)


@pytest.mark.parametrize(
    "password", ["Password123", "1234567890", "QWERTYUIOP", "aaaaaaaaaaaa", "121212121212", "Weiweiweiwei"]
)
def test_a_password_that_is_guessed_at_once_is_refused_and_not_repeated(password: str) -> None:
    house = House()
    with pytest.raises(BadInput, match="password") as refused:
        house.people.register("weiWEIweiWEI", password, "player")
    assert password not in str(refused.value)


def test_a_password_is_not_the_name() -> None:
    with pytest.raises(BadInput, match="must not be the name"):
        House().people.register("Maximilian", "maximiliaN", "player")


@pytest.mark.parametrize(
    "password", ["Password123!", "P@ssw0rd2026", "Thirdcard123", "Baccarat2026", "Wei123456789"]
)
def test_a_password_that_is_guessed_early_is_refused(password: str) -> None:
    with pytest.raises(BadInput, match="too easily guessed"):
        House().people.register("Wei", password, "administrator")


@pytest.mark.parametrize(
    "name",
    [
        "L\u0435na",
        "third\u0441ard",
        "\u0410l",
        "\u0441\u043e\u0441\u043e",
        "\u03bf\u03bd\u03bf",
        "\u03a9mega",
    ],
)
def test_no_name_looks_like_another_in_latin_letters(name: str) -> None:
    with pytest.raises(BadInput, match=r"one script|Latin letters"):
        House().people.register(name, PASSWORD, "player")


@pytest.mark.parametrize(
    "name", ["\u0410\u043d\u043d\u0430", "\u674e\u96f7", "M\u00fcller", "\u0395\u03bb\u03ad\u03bd\u03b7"]
)
def test_names_in_other_letters_are_welcome(name: str) -> None:
    assert House().people.register(name, PASSWORD, "player").name == name


def test_the_last_administrator_stays() -> None:
    house = House()
    house.people.register("Ada", PASSWORD, "administrator")
    with pytest.raises(BadInput, match="the last administrator"):
        house.people.disable("Ada")
    with pytest.raises(BadInput, match="the last administrator"):
        house.people.set_role("Ada", "dealer")
    house.people.register("Ben", PASSWORD, "administrator")
    house.people.set_role("Ada", "dealer")
    with pytest.raises(BadInput, match="the last administrator"):
        house.people.disable("Ben")


def test_a_password_is_the_same_from_every_keyboard() -> None:
    house = House()
    house.people.register("Wei", "cafe\u0301 cafe\u0301", "player")
    assert house.sign_in("Wei", "caf\u00e9 caf\u00e9")


@pytest.mark.parametrize("role", ["guest", "", "Player", "croupier", "admin"])
def test_only_our_roles(role: str) -> None:
    with pytest.raises(BadInput, match="not a role"):
        House().people.register("Wei", PASSWORD, role)


# Signing in.


def test_signing_in_and_out(house: House) -> None:
    token = house.sign_in()
    assert house.name_of(token) == "Wei"
    house.people.sign_out(token)
    assert house.name_of(token) is None
    assert house.notes == []


def test_whatever_is_wrong_the_answer_and_the_work_are_the_same(house: House) -> None:
    house.people.register("Mei", PASSWORD, "player")
    house.people.register("Anwar", PASSWORD, "player")
    house.people.disable("Mei")
    guest, _ = house.people.guest()
    for _ in range(3):
        house.denied("Anwar", OTHER)
    tries = [
        ("Wei", OTHER), ("Nobody", PASSWORD), ("Mei", PASSWORD), ("Anwar", PASSWORD), (guest.name, PASSWORD),
        (guest.name, ""), ("", ""), ("x" * 100_000, PASSWORD), ("a\0b", PASSWORD), ("Wei", "x" * 100_000),
        ("\ud800", "\ud800"),
    ]  # fmt: skip
    for name, password in tries:
        house.hasher.hashed = house.hasher.verified = house.store.writes = 0
        house.denied(name, password)
        assert (house.hasher.hashed, house.hasher.verified, house.store.writes) == (0, 1, 1)


def test_three_failures_lock_for_thirty_minutes(house: House) -> None:
    for _ in range(3):
        house.denied(password=OTHER)
    house.denied()
    house.clock.wait(30 * MINUTE - 1)
    house.denied()
    house.clock.wait(1)
    assert house.sign_in()
    assert house.kinds() == ["sign-in-failed"] * 3 + ["account-locked"] + ["sign-in-failed"] * 2


def test_nothing_lengthens_a_lock_and_after_it_there_are_three_more(house: House) -> None:
    for _ in range(3):
        house.denied(password=OTHER)
    house.clock.wait(20 * MINUTE)
    for _ in range(5):
        house.denied(password=OTHER)
    house.clock.wait(10 * MINUTE)
    for _ in range(2):
        house.denied(password=OTHER)
    assert house.sign_in()


def test_success_starts_the_count_again(house: House) -> None:
    for _ in range(4):
        for _ in range(2):
            house.denied(password=OTHER)
        assert house.sign_in()
    assert "account-locked" not in house.kinds()


def test_who_guesses_wrong_is_barred_from_that_account_and_nobody_else_is(house: House) -> None:
    house.people.register("Mei", PASSWORD, "player")
    for _ in range(3):
        house.denied(password=OTHER)
    house.denied()
    assert house.sign_in("Mei")
    assert house.sign_in(origin="192.0.2.2"), "from another address"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("fe80::1%eth0", "fe80::2", True),
        ("", "unix", False),
    ],
)
def test_what_counts_as_one_place(house: House, one: str, other: str, *, same: bool) -> None:
    """Whoever has an IPv6 address has its whole network."""
    for _ in range(3):
        house.denied(password=OTHER, origin=one)
    if same:
        house.denied(origin=other)
    else:
        assert house.sign_in(origin=other)


def test_guesses_from_everywhere_lock_the_account_but_not_its_own_devices(house: House) -> None:
    """A hundred in a row; the lock outlives the process, and so does a device's token."""
    mine = house.people.device(house.account())
    for number in range(100):
        house.denied(password=OTHER, origin=f"198.51.100.{number}")
    house.denied(origin="203.0.113.1")
    House(house.store, house.clock).denied(origin="203.0.113.2")
    assert house.kinds().count("account-locked") == 1
    assert house.sign_in(origin="203.0.113.1", device=mine)
    assert house.sign_in(origin="203.0.113.1"), "whoever comes in by it ends the lock"


def test_a_device_is_counted_by_itself_and_known_for_ninety_days_by_one_password(house: House) -> None:
    mine = house.people.device(house.account())
    for _ in range(3):
        house.denied(password=OTHER, device=mine)
    house.denied(device=mine)
    assert house.sign_in(), "the address has not guessed"
    house.clock.wait(30 * MINUTE)
    lock(house)
    assert house.sign_in(origin="203.0.113.1", device=mine)
    lock(house)
    for forged in (
        mine[:-1],
        mine + "0",
        mine.replace(".", ".0", 1),
        "9" * 200,
        "x.y.z",
        house.people.device(msgspec.structs.replace(house.account(), name="Mei")),
    ):
        house.denied(origin="203.0.113.1", device=forged)
        house.clock.wait(1)
    house.people.set_password("Wei", OTHER)
    lock(house, PASSWORD)
    house.denied(password=OTHER, origin="203.0.113.1", device=mine)


def lock(house: House, wrong: str = OTHER) -> None:
    for number in range(100):
        house.denied(password=wrong, origin=f"198.51.100.{number}")
    house.clock.wait(1)


def test_an_account_is_unlocked_by_a_command(house: House) -> None:
    for _ in range(3):
        house.denied(password=OTHER)
    house.denied()
    house.people.unlock("wei")
    assert house.sign_in()
    assert house.notes[-1] == ("account-unlocked", {"name": "Wei", "by": "console"})


def test_guesses_at_once_are_all_counted(house: House) -> None:
    """Eight threads that have all found the account unlocked before any of them failed."""
    house.people.register("Mei", OTHER, "player")
    gate = threading.Barrier(8)
    verify = house.hasher.verify

    def together(hash: str | bytes, password: str | bytes) -> bool:  # noqa: A002
        gate.wait(30)
        return verify(hash, password)

    house.hasher.verify = together  # type: ignore[method-assign]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: house.denied(password=OTHER), range(8)))
    assert house.kinds().count("account-locked") == 1
    house.hasher.verify = verify  # type: ignore[method-assign]
    house.denied()


def test_a_password_that_is_changed_while_it_is_being_checked_is_the_old_one(house: House) -> None:
    verify = house.hasher.verify

    def slowly(hash: str | bytes, password: str | bytes) -> bool:  # noqa: A002
        house.hasher.verify = verify  # type: ignore[method-assign]
        house.people.set_password("Wei", OTHER)
        return verify(hash, password)

    house.hasher.verify = slowly  # type: ignore[method-assign]
    house.denied()
    assert house.sign_in(password=OTHER)


def test_a_guest_cannot_be_locked(house: House) -> None:
    guest, token = house.people.guest()
    for _ in range(5):
        house.denied(guest.name, "")
    assert house.account(guest.name) == guest
    assert house.name_of(token) == guest.name
    assert house.kinds() == ["sign-in-failed"] * 5


def test_a_password_that_is_too_long_does_not_pass_by_its_beginning() -> None:
    house = House()
    longest = (PASSWORD * 10)[:128]
    house.people.register("Wei", longest, "player")
    house.denied("Wei", longest + "x")
    assert house.sign_in("Wei", longest)


def test_the_log_hears_names_of_accounts_and_never_passwords(house: House) -> None:
    house.denied("WEI", "a wrong password")
    house.denied("a typed password", "a wrong password")
    house.denied("Nobody", "a wrong password")
    assert house.notes == [
        ("sign-in-failed", {"name": "Wei", "origin": "192.0.2.1"}),
        ("sign-in-failed", {"name": "unknown", "origin": "192.0.2.1"}),
        ("sign-in-failed", {"name": "unknown", "origin": "192.0.2.1"}),
    ]


def test_the_store_holds_neither_password_nor_token(house: House) -> None:
    token = house.sign_in()
    held = [house.account(), house.store.session(house.people.session_of(token))]
    text = repr(held) + repr(msgspec.json.encode(held))
    assert PASSWORD not in text
    assert token not in text
    assert house.account().password.startswith("$argon2id$")


def test_hashes_are_renewed_when_the_parameters_change(house: House) -> None:
    before = house.account().password
    house.sign_in()
    assert house.account().password == before
    house.people = house.open(CountingHasher(time_cost=2))
    house.denied(password=OTHER)
    assert house.account().password == before
    house.sign_in()
    assert "t=2" in house.account().password
    house.sign_in()


@pytest.mark.parametrize("kept", ["rubbish", "$argon2id$", "$argon2id$v=19$m=8,t=1,p=1$AAAA$AAAA"])
def test_a_broken_hash_lets_nobody_in(house: House, kept: str) -> None:
    broken = msgspec.structs.replace(house.account(), password=kept)
    house.store.turn(lambda: house.store.change_account(broken))
    house.denied()


def test_the_real_hasher_is_argon2id_within_bounds() -> None:
    hasher = default_hasher()
    assert hasher.type.name == "ID"
    assert 16 * 1024 <= hasher.memory_cost <= 32 * 1024
    assert hasher.hash("x") != hasher.hash("x")


# Guests.


def test_guests_sit_down_at_once(house: House) -> None:
    guests = [house.people.guest() for _ in range(200)]
    assert len({account.name for account, _ in guests}) == 200
    for account, token in guests:
        assert account.name.startswith("guest-")
        assert len(account.name) == 11
        assert not set(account.name[6:]) & set("0O1ILl5S8BZ")
        assert (account.role, account.password) == ("guest", "")
        assert house.name_of(token) == account.name


def test_a_name_that_is_taken_is_drawn_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter("CCCCC" + "CCCCC" + "DDDDD")
    monkeypatch.setattr("thirdcard.service.people.accounts.secrets.choice", lambda _: next(drawn))
    names = [house.people.guest()[0].name for _ in range(2)]
    assert names == ["guest-CCCCC", "guest-DDDDD"]


def test_when_names_run_out_they_get_longer_and_the_search_ends(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thirdcard.service.people.accounts.secrets.choice", lambda _: "C")
    names = [house.people.guest()[0].name for _ in range(8)]
    assert names == ["guest-" + "C" * length for length in range(5, 13)]
    with pytest.raises(BadInput, match="no name could be found"):
        house.people.guest()


# Sessions.


def test_tokens_are_long_and_never_the_same(house: House) -> None:
    tokens = {house.sign_in() for _ in range(50)}
    assert len(tokens) == 50
    assert {len(token) for token in tokens} == {43 + 25}


@pytest.mark.parametrize("token", ["", "x", "x" * 43, "x" * 100_000, "é", "\0", "\ud800"])
def test_a_forged_token_is_nobodys(house: House, token: str) -> None:
    house.sign_in()
    assert house.people.who(token) is None


def test_the_hash_of_a_token_is_no_token(house: House) -> None:
    token = house.sign_in()
    kept = house.people.session_of(token)
    assert house.people.who(kept.hex()) is None
    assert house.people.who(kept.hex() + mark_of("Wei")) is None


def test_who_can_write_to_the_database_cannot_sign_in(house: House) -> None:
    """Neither by a session of their own making nor by giving the one that they have to somebody else."""
    house.people.register("Ada", PASSWORD, "administrator")
    mine, now = house.sign_in(), house.clock.wall()
    kept = house.store.session(house.people.session_of(mine))
    assert kept is not None
    forged = "x" * 43 + mark_of("Ada")
    another = Sessions(house.store, house.clock, b"another key")
    hashes = (hashlib.sha256(forged.encode()).digest(), another.hash_of(forged), kept.token_hash)
    for made in (Session(token_hash=one, account="Ada", created=now, seen=now) for one in hashes):
        house.store.turn(partial(house.store.put_session, made))
        house.people.forget(kept.token_hash)
        assert house.name_of(forged) is None
        assert house.name_of(mine) in (None, "Wei")
    assert house.name_of(mine) is None, "given to Ada it is nobody's"


def test_thirty_minutes_idle_sign_out(house: House) -> None:
    token = house.sign_in()
    for _ in range(5):
        house.clock.wait(30 * MINUTE - 1)
        assert house.name_of(token) == "Wei"
    house.clock.wait(30 * MINUTE)
    assert house.name_of(token) is None
    assert house.name_of(token) is None, "asking does not wake it"


def test_an_open_socket_is_no_activity(house: House) -> None:
    token = house.sign_in()
    for _ in range(29):
        house.clock.wait(MINUTE)
        assert house.people.who(token, active=False)
    house.clock.wait(MINUTE)
    assert house.people.who(token, active=False) is None


@pytest.mark.parametrize(
    ("guest", "life", "pause"), [(False, 12 * HOUR, 20 * MINUTE), (True, 7 * 24 * HOUR, 20 * HOUR)]
)
def test_no_session_lasts_for_ever(house: House, guest: bool, life: int, pause: int) -> None:  # noqa: FBT001
    token = house.people.guest()[1] if guest else house.sign_in()
    for _ in range(-(-life // pause) - 1):
        house.clock.wait(pause)
        assert house.people.who(token)
        house.people.tidy()
    house.clock.wait(pause)
    assert house.people.who(token) is None
    assert House(house.store, house.clock).people.who(token) is None


def test_a_guest_may_be_away_for_a_day(house: House) -> None:
    _, token = house.people.guest()
    house.clock.wait(24 * HOUR - 1)
    assert house.people.who(token)
    house.clock.wait(24 * HOUR)
    assert house.people.who(token) is None


def test_sessions_outlive_the_process(house: House) -> None:
    token = house.sign_in()
    house.clock.wait(29 * MINUTE)
    assert house.name_of(token) == "Wei"
    house.people.tidy()
    house.clock.wait(29 * MINUTE)
    later = House(house.store, house.clock)
    assert later.name_of(token) == "Wei"
    house.clock.wait(30 * MINUTE)
    assert House(house.store, house.clock).name_of(token) is None


def test_setting_the_clock_neither_ends_a_session_nor_makes_it_last(house: House) -> None:
    token = house.sign_in()
    assert house.name_of(token) == "Wei"
    house.clock.set(365 * 24 * HOUR)
    assert house.name_of(token) == "Wei"
    house.clock.set(-2 * 365 * 24 * HOUR)
    house.clock.wait(30 * MINUTE)
    assert house.name_of(token) is None


def test_a_session_from_the_future_counts_from_now(house: House) -> None:
    token = house.sign_in()
    house.clock.set(-365 * 24 * HOUR)
    later = House(house.store, house.clock)
    assert later.people.who(token, active=False)
    house.clock.wait(30 * MINUTE)
    assert later.people.who(token, active=False) is None


def test_not_even_a_session_from_the_future_lasts_for_ever(house: House) -> None:
    token = house.sign_in()
    house.clock.set(-365 * 24 * HOUR)
    later = House(house.store, house.clock)
    for _ in range(36):
        assert later.name_of(token) == "Wei"
        house.clock.wait(20 * MINUTE)
    assert later.name_of(token) is None


def test_a_known_session_needs_neither_read_nor_write(house: House) -> None:
    token = house.sign_in()
    house.people.who(token)
    house.store.reads = house.store.writes = 0
    for _ in range(1_000):
        house.clock.wait(1)
        assert house.people.who(token)
    assert (house.store.reads, house.store.writes) == (0, 0)


def test_activity_is_written_at_most_once_a_minute(house: House) -> None:
    token = house.sign_in()
    house.store.writes = 0
    for _ in range(600):
        house.clock.wait(1)
        assert house.people.who(token)
        house.people.tidy()
    assert 9 <= house.store.writes <= 10
    session = house.store.session(house.people.session_of(token))
    assert session is not None
    assert 600 - 60 <= (session.seen - START) / MICROSECONDS <= 600
    house.store.writes = 0
    for _ in range(10):
        house.clock.wait(MINUTE)
        house.people.tidy()
    assert house.store.writes <= 1, "a session that rests is not written"


def test_lapsed_sessions_leave_the_store(house: House) -> None:
    token = house.sign_in()
    house.people.tidy()
    assert house.store.session(house.people.session_of(token))
    house.clock.wait(25 * HOUR)
    house.people.tidy()
    assert house.store.session(house.people.session_of(token)) is None


def test_memory_is_bounded_and_nobody_is_signed_out_by_it(house: House) -> None:
    tokens = [house.sign_in() for _ in range(30)]
    sessions = Sessions(house.store, house.clock, b"one key", most=10)
    for token in tokens * 2:
        assert sessions.who(token)
        assert len(sessions._known) <= 10  # noqa: SLF001 - the bound is the promise
    house.store.reads = 0
    assert sessions.who(tokens[-1])
    assert house.store.reads == 0
    for number in range(100):
        assert sessions.who(f"forged {number}") is None
    house.store.reads = 0
    assert sessions.who(tokens[-1])
    assert house.store.reads == 0, "forged tokens displace nobody"


# Revocation.


def test_signing_out_everywhere(house: House) -> None:
    house.people.register("Mei", PASSWORD, "player")
    tokens = [house.sign_in() for _ in range(3)]
    other = house.sign_in("Mei")
    assert [house.name_of(token) for token in tokens] == ["Wei"] * 3
    house.people.sign_out_everywhere("wei")
    assert [house.name_of(token) for token in tokens] == [None] * 3
    assert house.name_of(other) == "Mei"


def test_signing_out_ends_one_session_only(house: House) -> None:
    first, second = house.sign_in(), house.sign_in()
    house.people.sign_out(first)
    assert (house.name_of(first), house.name_of(second)) == (None, "Wei")


def test_a_new_password_ends_all_sessions_and_the_old_password(house: House) -> None:
    token = house.sign_in()
    house.people.who(token)
    house.people.change_password("Wei", PASSWORD, OTHER, origin="192.0.2.1")
    assert house.people.who(token) is None
    house.denied(password=PASSWORD)
    assert house.name_of(house.sign_in(password=OTHER)) == "Wei"
    kept = sha256_of(house.account("Wei").password)
    assert house.notes[0] == ("password-changed", {"name": "Wei", "by": "Wei", "sha256": kept})


def test_ones_own_password_is_not_changed_without_the_old_one(house: House) -> None:
    for _ in range(3):
        with pytest.raises(Denied):
            house.people.change_password("Wei", OTHER, "queen of hearts", origin="192.0.2.1")
    assert house.kinds() == ["sign-in-failed"] * 3 + ["account-locked"]
    house.clock.wait(30 * MINUTE)
    assert house.sign_in()


def test_a_bad_new_password_changes_nothing(house: House) -> None:
    token = house.sign_in()
    with pytest.raises(BadInput):
        house.people.change_password("Wei", PASSWORD, "short", origin="192.0.2.1")
    with pytest.raises(BadInput):
        house.people.set_password("Wei", "password123", by="Ada")
    assert house.name_of(token) == "Wei"
    assert house.sign_in()


def test_a_new_password_is_measured_only_for_who_knows_the_old_one_and_only_in_part(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The estimator takes seconds over 70 characters, in places that all who sign in share."""
    measured: list[str] = []

    def measure(password: str, user_inputs: list[object]) -> dict[str, int]:
        del user_inputs
        measured.append(password)
        return {"score": 4}

    monkeypatch.setattr(credentials, "zxcvbn", measure)
    long = "qwertyuiopasdfghjkl1234567890" * 4
    with pytest.raises(Denied):
        house.people.change_password("Wei", OTHER, long, origin="192.0.2.1")
    assert not measured
    house.people.change_password("Wei", PASSWORD, long, origin="192.0.2.1")
    assert measured == [long[:40]]
    assert house.sign_in(password=long)


def test_a_password_that_was_set_meanwhile_is_not_replaced(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old one was right when it was checked; an administrator's comes before the new one is kept."""

    def measure(password: str, user_inputs: list[object]) -> dict[str, int]:
        del user_inputs
        if password == OTHER:
            house.people.set_password("Wei", "queen of spades", by="Ada")
        return {"score": 4}

    monkeypatch.setattr(credentials, "zxcvbn", measure)
    with pytest.raises(Denied):
        house.people.change_password("Wei", PASSWORD, OTHER, origin="192.0.2.1")
    assert house.sign_in(password="queen of spades")  # noqa: S106


def test_an_administrator_sets_a_password_and_so_unlocks(house: House) -> None:
    token = house.sign_in()
    for _ in range(3):
        house.denied(password=OTHER)
    house.people.set_password("Wei", OTHER, by="Ada")
    assert house.people.who(token) is None
    assert house.sign_in(password=OTHER)
    kept = sha256_of(house.account("Wei").password)
    assert house.notes[-1] == ("password-changed", {"name": "Wei", "by": "Ada", "sha256": kept})


def test_a_guest_gets_no_password(house: House) -> None:
    guest, _ = house.people.guest()
    with pytest.raises(BadInput, match="has no password"):
        house.people.set_password(guest.name, PASSWORD)


def test_a_new_role_has_to_sign_in_again(house: House) -> None:
    house.people.register("Dan", PASSWORD, "dealer", by="Ada")
    token = house.sign_in("Dan")
    house.people.set_role("Dan", "pit-supervisor", by="Ada")
    assert house.people.who(token) is None
    account = house.people.who(house.sign_in("Dan"))
    assert account is not None
    assert account.role == "pit-supervisor"
    kept = sha256_of(house.account("Dan").password)
    assert house.notes == [
        ("account-added", {"name": "Dan", "role": "dealer", "by": "Ada", "sha256": kept}),
        ("role-changed", {"name": "Dan", "before": "dealer", "role": "pit-supervisor", "by": "Ada"}),
    ]


@pytest.mark.parametrize("role", STAFF)
def test_a_player_does_not_become_staff_nor_staff_a_player(house: House, role: str) -> None:
    house.people.register("Dan", PASSWORD, role)
    guest, _ = house.people.guest()
    for name, wanted in (
        ("Wei", role),
        (guest.name, role),
        ("Dan", "player"),
        ("Dan", "guest"),
        ("Dan", "croupier"),
    ):
        with pytest.raises(BadInput, match="another account"):
            house.people.set_role(name, wanted)
    assert (house.account("Wei").role, house.account("Dan").role) == ("player", role)


def test_a_disabled_account_is_out_and_stays_out(house: House) -> None:
    token = house.sign_in()
    assert house.name_of(token) == "Wei"
    house.people.disable("Wei", by="Ada")
    assert house.people.who(token) is None
    house.denied()
    assert house.notes[0] == ("account-disabled", {"name": "Wei", "by": "Ada"})
    with pytest.raises(BadInput, match="somebody has it"):
        house.people.register("Wei", PASSWORD, "player")


def test_a_session_left_behind_by_a_disabled_account_lets_nobody_in(house: House) -> None:
    token = house.sign_in()
    house.store.turn(
        lambda: house.store.change_account(msgspec.structs.replace(house.account(), disabled=True))
    )
    assert house.people.who(token) is None


def test_nobody_is_changed_who_does_not_exist(house: House) -> None:
    for change in (
        house.people.sign_out_everywhere,
        house.people.disable,
        lambda name: house.people.set_role(name, "dealer"),
        lambda name: house.people.set_password(name, OTHER),
    ):
        with pytest.raises(BadInput, match="no account"):
            change("Nobody")
    assert house.notes == []


def test_a_session_read_while_it_was_being_ended_is_not_remembered(house: House) -> None:
    """The read comes first, the sign-out next, and only then would the answer be remembered."""
    token = house.sign_in()
    read = house.store.account

    def late(name: str) -> Account | None:
        found = read(name)
        house.store.account = read  # type: ignore[method-assign]
        house.people.sign_out(token)
        return found

    house.store.account = late  # type: ignore[method-assign]
    assert house.people.who(token) is None
    assert house.people.who(token) is None


# Several processes on one store.


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> tuple[House, House]:
    monkeypatch.setattr(StrictStore, "shared", True)
    first = House()
    first.people.register("Wei", PASSWORD, "player")
    return first, House(first.store, first.clock)


def test_what_another_process_ended_lasts_two_seconds_at_most(two: tuple[House, House]) -> None:
    first, second = two
    token = first.sign_in()
    assert second.name_of(token) == "Wei"
    first.people.sign_out(token)
    first.clock.wait(2)
    assert second.name_of(token) is None


@pytest.mark.parametrize("by_name", [True, False])
def test_what_another_process_tells_of_is_ended_at_once(two: tuple[House, House], by_name: bool) -> None:  # noqa: FBT001
    first, second = two
    token = first.sign_in()
    assert second.name_of(token) == "Wei"
    first.people.disable("Wei")
    assert second.name_of(token) == "Wei", "not told yet"
    second.people.forget("wei" if by_name else second.people.session_of(token))
    assert second.name_of(token) is None


def test_activity_anywhere_keeps_a_session(two: tuple[House, House]) -> None:
    first, second = two
    token = first.sign_in()
    assert second.name_of(token) == "Wei"
    for _ in range(50):
        first.clock.wait(MINUTE)
        assert first.name_of(token) == "Wei"
        first.people.tidy()
        second.people.tidy()
    assert second.name_of(token) == "Wei"
    first.clock.wait(30 * MINUTE)
    assert (first.name_of(token), second.name_of(token)) == (None, None)


def test_activity_counts_before_it_is_written(two: tuple[House, House]) -> None:
    first, _ = two
    token = first.sign_in()
    for _ in range(4):
        first.clock.wait(20 * MINUTE)
        assert first.name_of(token) == "Wei"


def test_setting_the_clock_ends_no_session_that_is_in_use(two: tuple[House, House]) -> None:
    first, _ = two
    token = first.sign_in()
    assert first.name_of(token) == "Wei"
    first.clock.set(365 * 24 * HOUR)
    first.clock.wait(5)
    assert first.name_of(token) == "Wei"


def test_an_ended_session_is_not_written_back(two: tuple[House, House]) -> None:
    first, second = two
    token = first.sign_in()
    first.clock.wait(5 * MINUTE)
    assert second.name_of(token) == "Wei"
    first.people.sign_out(token)
    first.clock.wait(1)
    second.people.tidy()
    assert first.store.session(first.people.session_of(token)) is None
    first.clock.wait(2)
    assert (first.name_of(token), second.name_of(token)) == (None, None)


def test_two_upgrades_of_one_guest_make_one_account(house: House) -> None:
    """Both have been let in and hash their passwords; the first keeps the guest, the second is told so."""
    guest, _ = house.people.guest()
    both, waiting = threading.Barrier(2), CountingHasher()
    hashed = waiting.hash

    def hash_together(password: str | bytes, *, salt: bytes | None = None) -> str:
        both.wait(60)
        return hashed(password, salt=salt)

    waiting.hash = hash_together  # type: ignore[method-assign]
    people = People(house.store, house.clock, hasher=house.hasher, note=house.note, turn=house.store.turn)
    people._hasher = waiting  # noqa: SLF001 - that both are past what is looked at before
    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(people.become_account, guest.name, name, PASSWORD) for name in ("Tan", "Lim")]
        wrong = [one.exception() for one in asked]
    (told,) = [error for error in wrong if error is not None]
    assert isinstance(told, BadInput)
    assert "account" in str(told)
    (name,) = [name for name in ("Tan", "Lim") if house.people.find(name) is not None]
    assert house.sign_in(name)


# What is written, and what the journal is told of it.


class Away(Exception):  # noqa: N818
    """The journal cannot be written."""


def test_nothing_changes_that_the_journal_cannot_be_told(house: House) -> None:
    """Accounts, roles, passwords, names and wrong guesses are one commit with their notes."""
    guest, token = house.people.guest()
    dealer = house.people.register("Dee", PASSWORD, "dealer")
    before, signed_in = house.store.accounts(), house.sign_in()

    def away(*_: object) -> None:
        raise Away

    house.people._note = away  # noqa: SLF001 - from now on
    for work in (
        lambda: house.people.register("Mei", PASSWORD, "player"),
        lambda: house.people.become_account(guest.name, "Tan", PASSWORD),
        lambda: house.people.set_role(dealer.name, "auditor"),
        lambda: house.people.set_nickname("Wei", "Tiger"),
        lambda: house.people.disable("Wei"),
        lambda: house.people.set_password("Wei", OTHER),
        lambda: house.people.change_password("Wei", PASSWORD, OTHER, origin="192.0.2.1"),
        lambda: house.people.begin_codes("Wei", PASSWORD, origin="192.0.2.1"),
        lambda: house.people.sign_in("Wei", "wrong " + PASSWORD, origin="192.0.2.9"),
    ):
        with pytest.raises(Away):
            work()
        assert house.store.accounts() == before
    assert house.people.shown_as("Wei") == "Wei"
    assert house.store.personal("Wei", second_factor.OFFERED) is None
    assert (house.name_of(signed_in), house.name_of(token)) == ("Wei", guest.name), "nobody was signed out"


def test_who_is_signed_out_is_so_from_the_commit_on(tmp_path: Path) -> None:
    """Who asks a moment before it is told that somebody is signed in; that is not remembered."""
    with closing(SqliteStore(tmp_path / "house.db")) as store, ThreadPoolExecutor(1) as other:
        people = People(store, FakeClock(), hasher=CountingHasher())
        people.register("Wei", PASSWORD, "player")
        token, seen = people.sign_in("Wei", PASSWORD, origin="192.0.2.1"), list[Account | None]()
        forget = store.forget_learning

        def and_ask(name: str) -> None:
            forget(name)
            seen.append(other.submit(people.who, token).result())

        store.forget_learning = and_ask  # type: ignore[method-assign]
        people.disable("Wei")
        assert [account is not None for account in seen] == [True]
        assert people.who(token) is None
