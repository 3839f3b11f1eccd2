"""PINs of one's own: set by password, given at a desk, counted, locked, told to nobody."""

import hashlib

import msgspec
import pytest

from service.test_people import PASSWORD, CountingHasher, House
from thirdcard.errors import BadInput
from thirdcard.service.people import second_factor
from thirdcard.service.people.accounts import WRONG_PIN, Denied, People, WrongPin
from thirdcard.service.people.guesses import BARRED_SECONDS
from thirdcard.service.people.second_factor import MOST_AT_A_DESK, MOST_WRONG, Pin

PIN, OTHER = "802613", "802614"
HERE = "192.0.2.1"


class Pinned(House):
    """A house with Pia, who has a PIN, and Dee at a desk."""

    def __init__(self) -> None:
        super().__init__()
        self.people = self.opened(bytes(32))
        for name, role in (("Pia", "pit-supervisor"), ("Dee", "dealer"), ("Ada", "administrator")):
            self.people.register(name, PASSWORD, role)
        self.people.set_pin("Pia", PASSWORD, PIN, origin=HERE)

    def opened(self, key: bytes) -> People:
        hasher, note, turn = CountingHasher(), self.note, self.store.turn
        return People(self.store, self.clock, hasher=hasher, note=note, turn=turn, pin_key=key)

    def gives(self, pin: str = PIN, name: str = "Pia", desk: str = "Dee") -> str:
        """Whose PIN it was, empty if it was not taken."""
        try:
            return self.people.by_pin(name, pin, desk=desk).name
        except WrongPin as wrong:
            return str(wrong).removeprefix(str(WRONG_PIN))


@pytest.fixture
def house() -> Pinned:
    house = Pinned()
    house.notes.clear()
    return house


@pytest.mark.parametrize(
    "pin",
    [
        "",
        "12345",
        "1234567",
        "12a456",
        "\uff11\uff12\uff13\uff14\uff15\uff17",
        "111111",
        "123456",
        "654321",
        "456789",
        "012345",
    ],
)
def test_a_pin_that_is_no_pin_or_too_easy_is_not_taken(house: Pinned, pin: str) -> None:
    with pytest.raises(BadInput) as no:
        house.people.set_pin("Pia", PASSWORD, pin, origin=HERE)
    assert not pin or pin not in str(no.value)
    assert house.gives() == "Pia", "the one before holds"


@pytest.mark.parametrize("pin", ["112233", "123457", "901234", "000001"])
def test_others_are(house: Pinned, pin: str) -> None:
    house.people.set_pin("Pia", PASSWORD, pin, origin=HERE)
    assert (house.gives(), house.gives(pin)) == ("", "Pia")


def test_a_pin_is_set_by_the_password(house: Pinned) -> None:
    with pytest.raises(Denied):
        house.people.set_pin("Pia", "not the password", OTHER, origin=HERE)
    assert house.gives() == "Pia"
    assert house.kinds() == ["sign-in-failed"]


def test_it_is_one_persons_and_of_the_floor(house: Pinned) -> None:
    house.people.set_pin("Dee", PASSWORD, OTHER, origin=HERE)
    house.people.set_pin("Ada", PASSWORD, PIN, origin=HERE)
    assert house.gives(name="Dee") == ""
    assert house.gives(OTHER, name="dee") == "Dee"
    assert house.gives(name="Ada") == "", "nobody of the floor"
    assert house.gives(name="Nobody") == ""
    assert house.gives(name=" / ") == ""


def test_five_wrong_ones_lock_it_until_it_is_set_anew(house: Pinned) -> None:
    for _ in range(MOST_WRONG - 1):
        assert house.gives(OTHER) == ""
    assert house.gives() == "Pia", "a right one begins anew"
    for _ in range(MOST_WRONG):
        assert house.gives(OTHER) == ""
    assert house.kinds().count("pin-locked") == 1
    assert (house.gives(), house.people.has_pin("Pia")) == ("", False)
    house.clock.wait(BARRED_SECONDS * 100)
    assert house.gives(desk="Dan") == "", "time does not open it"
    house.people.set_pin("Pia", PASSWORD, OTHER, origin=HERE)
    assert (house.gives(OTHER), house.people.has_pin("Pia")) == ("Pia", True)


def test_a_desk_that_tries_many_is_barred_for_a_while_and_locks_nobody_more(house: Pinned) -> None:
    for number in range(MOST_AT_A_DESK):
        name = f"Sup-{number}"
        house.people.register(name, PASSWORD, "pit-supervisor")
        house.people.set_pin(name, PASSWORD, PIN, origin=HERE)
        assert house.gives(OTHER, name=name) == ""
    assert (house.gives(), house.gives(desk="Dan")) == ("", "Pia")
    assert msgspec.json.decode(house.store.personal("Pia", second_factor.PIN) or b"", type=Pin).wrong == 0
    house.clock.wait(BARRED_SECONDS)
    assert house.gives() == "Pia"


def test_all_guesses_are_on_record_and_no_pin_is(house: Pinned) -> None:
    house.gives(OTHER)
    body = house.store.personal("Pia", second_factor.PIN)
    assert body is not None
    facts = {"name": "Pia", "desk": "Dee"}
    digest = hashlib.sha256(body).hexdigest()
    kept = {"account": "Pia", "kind": "pin", "sha256": digest, "by": "Pia"}
    assert house.notes == [("personal-set", kept), ("pin-failed", facts)]
    house.gives(name=PIN)
    assert house.notes[-1] == ("pin-failed", {"name": "unknown", "desk": "Dee"}), "it may be a PIN"
    assert PIN not in str(house.notes)
    assert PIN.encode() not in body


def test_wrong_ones_take_the_same_work_whatever_is_wrong(house: Pinned) -> None:
    hasher = CountingHasher()
    house.people = People(
        house.store, house.clock, hasher=hasher, note=house.note, turn=house.store.turn, pin_key=bytes(32)
    )

    def work(pin: str, name: str) -> tuple[int, int]:
        before, house.store.writes = hasher.verified, 0
        assert house.gives(pin, name=name) == ""
        personal = "personal-set" in house.kinds()
        house.notes.clear()
        return hasher.verified - before, house.store.writes + personal

    assert {work(OTHER, "Pia"), work(OTHER, "Dee"), work(PIN, "Nobody")} == {(1, 1)}
    for _ in range(MOST_WRONG):
        house.gives(OTHER)
    house.notes.clear()
    assert work(PIN, "Pia") == (1, 1), "locked"


def test_without_the_key_of_the_house_nobody_can_try_pins(house: Pinned) -> None:
    house.people = house.opened(bytes(31) + b"1")
    assert house.gives() == ""


def test_a_disabled_account_confirms_nothing(house: Pinned) -> None:
    house.people.disable("Pia", by="Ada")
    assert house.gives() == ""


def test_an_administrator_takes_a_pin_off(house: Pinned) -> None:
    house.people.drop_pin("pia", by="Ada")
    assert (house.gives(), house.people.has_pin("Pia")) == ("", False)
    assert house.notes[0] == ("personal-set", {"account": "Pia", "kind": "pin", "sha256": "", "by": "Ada"})
    with pytest.raises(BadInput, match="has no PIN"):
        house.people.drop_pin("Pia", by="Ada")


def test_only_a_dealers_session_is_begun_by_pin(house: Pinned) -> None:
    token = house.people.session_of_dealer(house.account("Dee"))
    assert house.name_of(token) == "Dee"
    with pytest.raises(AssertionError):
        house.people.session_of_dealer(house.account("Pia"))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda people: people.set_role("Dee", "pit-supervisor", by="Ada"), "role-changed"),
        (lambda people: people.set_password("Dee", PASSWORD + " anew", by="Ada"), "password-changed"),
        (lambda people: people.disable("Dee", by="Ada"), "disabled"),
        (lambda people: people.sign_out_everywhere("Dee"), ""),
    ],
)
def test_who_is_signed_out_by_somebody_else_can_read_why(house: Pinned, change, why: str) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    token = house.sign_in("Dee")
    assert (house.name_of(token), house.people.why_ended(token)) == ("Dee", "")
    change(house.people)
    assert (house.name_of(token), house.people.why_ended(token)) == (None, why)
    assert house.people.why_ended("another") == ""
