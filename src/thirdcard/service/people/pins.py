"""A PIN of one's own: by it staff confirm something at somebody else's desk."""

import hashlib
import hmac

import msgspec

from thirdcard.errors import BadInput
from thirdcard.words.saying import say

KIND = "pin"  # what it is kept as
DIGITS = 6
MOST_WRONG = 5  # in a row; then it is locked until it is set anew
MOST_AT_A_DESK = 10  # wrong ones, of whomever; then the desk is barred for a while
RUN = "0123456789"


class Pin(msgspec.Struct, frozen=True, kw_only=True):
    """The hash of a PIN, and how often it was guessed wrong since it was given right."""

    hash: str
    wrong: int = 0

    @property
    def is_locked(self) -> bool:
        return self.wrong >= MOST_WRONG


def check_pin(pin: str) -> None:
    """BadInput, which never repeats the PIN, unless it is of six digits and not the first that one tries."""
    if len(pin) != DIGITS or not (pin.isascii() and pin.isdecimal()):
        raise BadInput(say("pin-digits", digits=DIGITS))
    if len(set(pin)) == 1 or pin in RUN or pin[::-1] in RUN:
        raise BadInput(say("pin-too-easily-guessed"))


def material(key: bytes, account: str, pin: str) -> bytes:
    """What is hashed: without the key of the house a stolen database does not even tell how to try PINs."""
    told = f"{account.casefold()}\0{pin}"
    return hmac.digest(key, told.encode("utf-8", "surrogatepass"), hashlib.sha256)
