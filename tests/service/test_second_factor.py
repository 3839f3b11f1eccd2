"""One-time codes: set up, asked for, used once, counted, reset; and the secret told to nobody again."""

import hashlib

import pyotp
import pytest

from service.clocks import START, FakeClock
from service.test_people import OTHER, PASSWORD, CountingHasher, House, StrictStore
from thirdcard.errors import BadInput
from thirdcard.service.clock import MICROSECONDS
from thirdcard.service.people import second_factor
from thirdcard.service.people.accounts import DENIED, WRONG_CODE, CodeNeeded, CodesFirst, Denied, People
from thirdcard.service.people.second_factor import KIND, STEP, SecondFactor

KEY = bytes(range(32))
LONGER = PASSWORD + " and king of spades"
HERE, ELSEWHERE = "192.0.2.1", "192.0.2.2"


class Codes(House):
    """A house with a key for one-time codes, and Wei's device."""

    secret = ""

    def __init__(
        self, store: StrictStore | None = None, clock: FakeClock | None = None, *, required: bool = False
    ) -> None:
        super().__init__(store, clock)
        self.people = People(
            self.store,
            self.clock,
            hasher=CountingHasher(),
            note=self.note,
            turn=self.store.turn,
            session_key=KEY,
            factor_key=KEY,
            staff_codes=required,
        )

    def code(self, steps: int = 0) -> str:
        """What the device shows, so many steps from now."""
        return pyotp.TOTP(self.secret).at(self.clock.wall() // MICROSECONDS + steps * STEP)

    def enrol(self, name: str = "Wei") -> tuple[str, tuple[str, ...]]:
        self.secret = self.people.begin_codes(name, PASSWORD, origin=HERE).secret
        made = self.people.confirm_codes(name, PASSWORD, self.code(), origin=HERE)
        self.clock.wait(STEP)
        return made

    def comes_in(self, code: str = "", password: str = PASSWORD, origin: str = HERE) -> str:
        return self.people.sign_in("Wei", password, origin=origin, code=code)

    def says(self, code: str = "", password: str = PASSWORD, origin: str = HERE) -> str:
        """What somebody is told who does not get in."""
        with pytest.raises(Denied) as no:
            self.comes_in(code, password, origin)
        return str(no.value)


@pytest.fixture
def house() -> Codes:
    house = Codes()
    house.people.register("Wei", PASSWORD, "dealer")
    house.notes.clear()
    return house


def test_a_code_is_asked_for_once_the_first_was_given(house: Codes) -> None:
    made = house.people.begin_codes("Wei", PASSWORD, origin=HERE)
    assert house.name_of(house.comes_in()) == "Wei", "nothing has changed yet"
    house.secret = made.secret
    assert made.link == f"otpauth://totp/thirdcard:Wei?secret={made.secret}&issuer=thirdcard"
    assert made.qr.startswith("<svg")
    before = house.comes_in()
    token, recovery = house.people.confirm_codes("Wei", PASSWORD, house.code(), origin=HERE)
    assert (house.name_of(before), house.name_of(token)) == (None, "Wei"), "others are signed out"
    assert len(set(recovery)) == 8
    with pytest.raises(CodeNeeded):
        house.comes_in()
    house.clock.wait(STEP)
    assert house.name_of(house.comes_in(house.code())) == "Wei"


def test_each_code_works_once_and_none_before_it(house: Codes) -> None:
    house.enrol()
    late, now, early = house.code(-1), house.code(), house.code(1)
    assert house.comes_in(now)
    assert house.says(now) == house.says(late, origin=ELSEWHERE) == str(WRONG_CODE)
    assert house.comes_in(early, origin="192.0.2.3"), "a device that is half a minute ahead"
    assert house.says(now, origin="192.0.2.3") == str(WRONG_CODE)


@pytest.mark.parametrize(("steps", "good"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_one_step_of_drift(house: Codes, steps: int, good: bool) -> None:  # noqa: FBT001
    house.enrol()
    house.clock.wait(10 * STEP)
    assert house.comes_in(house.code(steps)) if good else house.says(house.code(steps)) == str(WRONG_CODE)


def test_a_code_of_before_it_was_confirmed_does_not_work_again(house: Codes) -> None:
    house.secret = house.people.begin_codes("Wei", PASSWORD, origin=HERE).secret
    code = house.code()
    house.people.confirm_codes("Wei", PASSWORD, code, origin=HERE)
    assert house.says(code) == str(WRONG_CODE)


def test_a_recovery_code_works_once_however_it_is_typed(house: Codes) -> None:
    _, (first, second, *_) = house.enrol()
    assert house.comes_in(first.lower().replace("-", " "))
    assert house.says(first) == str(WRONG_CODE)
    factor = house.people.codes("Wei")
    assert factor is not None
    assert len(factor.recovery) == 7
    assert house.comes_in(second)


def test_three_wrong_codes_bar_the_place_and_the_right_password_does_not_forgive_them(house: Codes) -> None:
    house.enrol()
    assert house.says("000000") == str(WRONG_CODE)
    with pytest.raises(CodeNeeded):
        house.comes_in()
    with pytest.raises(BadInput):
        house.people.begin_codes("Wei", PASSWORD, origin=HERE)
    house.people.change_password("Wei", PASSWORD, LONGER, origin=HERE)
    assert house.says("000000", LONGER) == str(WRONG_CODE)
    assert "account-locked" not in house.kinds()
    assert house.says("000000", LONGER) == str(WRONG_CODE)
    assert "account-locked" in house.kinds()
    assert house.says(house.code(), LONGER) == str(DENIED), "barred, even with everything right"
    assert house.comes_in(house.code(), LONGER, ELSEWHERE)


def test_whoever_does_not_have_the_password_learns_nothing_of_codes(house: Codes) -> None:
    house.enrol()
    assert house.says("", OTHER) == house.says(house.code(), OTHER) == str(DENIED)


def test_codes_are_turned_off_by_password_and_code(house: Codes) -> None:
    token, _ = house.enrol()
    with pytest.raises(CodeNeeded):
        house.people.drop_codes("Wei", PASSWORD, "", origin=HERE)
    assert house.name_of(token) == "Wei"
    house.people.drop_codes("Wei", PASSWORD, house.code(), origin=HERE)
    assert house.name_of(token) is None
    assert house.comes_in()


def test_an_administrator_resets_them_on_record(house: Codes) -> None:
    token, _ = house.enrol()
    house.notes.clear()
    house.people.reset_codes("wei", by="Max")
    assert house.name_of(token) is None
    assert house.comes_in()
    assert house.notes[0] == ("personal-set", {"account": "Wei", "kind": KIND, "sha256": "", "by": "Max"})
    with pytest.raises(BadInput, match="no one-time codes"):
        house.people.reset_codes("Wei")


def test_what_is_kept_is_sealed_for_one_account_and_noted_by_its_hash(house: Codes) -> None:
    _, recovery = house.enrol()
    kept = house.store.personal("Wei", KIND)
    assert kept is not None
    sent = repr((kept, house.notes, house.people.codes("Wei")))
    assert not [one for one in (house.secret, *recovery) if one in sent]
    assert house.notes[-1][1]["kind"] == second_factor.OFFERED, "which is dropped"
    assert house.notes[-2][1]["sha256"] == hashlib.sha256(kept).hexdigest()
    opened = second_factor.unseal(KEY, "wei", kept)
    assert opened.secret == house.secret
    assert not set(recovery) & set(opened.recovery)
    wrong = [(KEY, "Mei", kept), (bytes(32), "Wei", kept), (KEY, "Wei", kept[:-1]), (KEY, "Wei", b"")]
    for key, name, body in wrong:
        with pytest.raises(BadInput, match="cannot be read"):
            second_factor.unseal(key, name, body)


def test_a_house_may_ask_all_staff_for_codes(house: Codes) -> None:
    """Whoever is signed in stays; who signs in sets codes up first, by name and password."""
    before = house.comes_in()
    strict = Codes(house.store, house.clock, required=True)
    strict.people.register("Lin", PASSWORD, "player")
    assert strict.name_of(before) == "Wei"
    with pytest.raises(CodesFirst):
        strict.comes_in()
    assert strict.people.sign_in("Lin", PASSWORD, origin=HERE), "a player need not"
    strict.enrol()
    assert strict.comes_in(strict.code())


def test_only_who_was_offered_a_secret_can_confirm_it(house: Codes) -> None:
    with pytest.raises(BadInput, match="nothing to confirm"):
        house.people.confirm_codes("Wei", PASSWORD, "123456", origin=HERE)
    house.people.begin_codes("Wei", PASSWORD, origin=HERE)
    with pytest.raises(Denied):
        house.people.confirm_codes("Wei", OTHER, "123456", origin=HERE)
    assert not house.people.has_codes("Wei")


def test_codes_follow_the_standard() -> None:
    """RFC 6238, appendix B: at 59 seconds the last six digits are 287082, at 1234567890 they are 005924."""
    factor = SecondFactor(secret="GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")  # noqa: S106 - that of the standard
    for seconds, code in ((59, "287082"), (1_234_567_890, "005924"), (START // MICROSECONDS, None)):
        used = factor.used(code or "287082", seconds * MICROSECONDS)
        assert (used is None) == (code is None)
