"""One-time codes as a second factor (TOTP, RFC 6238), codes for the day when the device is lost, and PINs."""

import hashlib
import hmac
import os
import secrets

import msgspec
import pyotp
import segno
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from thirdcard.errors import BadInput
from thirdcard.service.clock import MICROSECONDS
from thirdcard.strict import decodable
from thirdcard.words.saying import say

KIND, OFFERED = "second-factor", "second-factor-offered"  # what it is kept as, and what until it is confirmed
ISSUER = "thirdcard"
STEP = 30  # seconds for which a code is shown
DRIFT = (0, -1, 1)  # steps by which a device's clock may be off
RECOVERY_CODES = 8
RECOVERY_ALPHABET = "234679CDFGHJKMNPQRTVWXYZ"  # nothing that looks like something else
RECOVERY_LENGTH, GROUP = 20, 5  # 91 bits, in groups of five
NONCE_SIZE = 12
FORMAT = b"\x01"  # this byte, the nonce, then the factor encrypted and authenticated

replace = msgspec.structs.replace


class SecondFactor(msgspec.Struct, frozen=True, kw_only=True):
    """A secret that a person's device has too. Its repr shows nothing, so no log ever does.

    `last` is the step of the code that was used last, `recovery` the SHA-256 of each code that is left.
    """

    secret: str
    last: int = 0
    recovery: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return "SecondFactor()"

    def link(self, account: str) -> str:
        """What a device reads to show the codes of this account."""
        return pyotp.TOTP(self.secret).provisioning_uri(account, issuer_name=ISSUER)

    def used(self, code: str, now: int) -> "SecondFactor | None":
        """The factor once this code has been used; None if it is none, or was used before."""
        plain = "".join(code.split()).replace("-", "").upper()
        present = now // MICROSECONDS // STEP
        for step in (present + drift for drift in DRIFT):
            if step > self.last and hmac.compare_digest(self._code(step).encode(), _bytes(plain)):
                return replace(self, last=step)
        spent = _hash(plain)
        if spent in self.recovery:
            return replace(self, recovery=tuple(one for one in self.recovery if one != spent))
        return None

    def _code(self, step: int) -> str:
        return pyotp.TOTP(self.secret, interval=STEP).generate_otp(step)


def new_factor() -> SecondFactor:
    """A secret of 160 bits."""
    return SecondFactor(secret=pyotp.random_base32())


def with_recovery(factor: SecondFactor) -> tuple[SecondFactor, tuple[str, ...]]:
    """The factor with recovery codes, and the codes, which are told once."""
    codes = tuple(
        "".join(secrets.choice(RECOVERY_ALPHABET) for _ in range(RECOVERY_LENGTH))
        for _ in range(RECOVERY_CODES)
    )
    shown = tuple("-".join(code[i : i + GROUP] for i in range(0, RECOVERY_LENGTH, GROUP)) for code in codes)
    return replace(factor, recovery=tuple(map(_hash, codes))), shown


def qr_code(link: str) -> str:
    """The link as a picture, an SVG element of its own."""
    made = segno.make(link, micro=False, error="m")
    return made.svg_inline(scale=4, border=4, dark="black", light="white", svgclass=None, lineclass=None)


def seal(key: bytes, account: str, factor: SecondFactor) -> bytes:
    """The factor encrypted for one account: it opens for no other."""
    nonce = os.urandom(NONCE_SIZE)
    plain = msgspec.json.encode(factor)
    return FORMAT + nonce + ChaCha20Poly1305(key).encrypt(nonce, plain, _place(account))


def unseal(key: bytes, account: str, sealed: bytes) -> SecondFactor:
    """The factor as it was sealed; BadInput if the key is another, or a bit or the account has changed."""
    nonce, locked = sealed[1 : 1 + NONCE_SIZE], sealed[1 + NONCE_SIZE :]
    try:
        plain = ChaCha20Poly1305(key).decrypt(nonce, locked, _place(account))
    except (InvalidTag, ValueError):
        raise BadInput(say("codes-unreadable", account=account)) from None
    return msgspec.json.decode(plain, type=decodable(SecondFactor))


def _place(account: str) -> bytes:
    return f"thirdcard second factor {account.casefold()}".encode()


def _hash(code: str) -> str:
    return hashlib.sha256(_bytes(code)).hexdigest()


def _bytes(code: str) -> bytes:
    return code.encode("utf-8", "surrogatepass")


# PINs -------------------------------------------------------------------------------------------------


PIN = "pin"  # what it is kept as
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
        raise BadInput(say("pin-length", digits=DIGITS))
    if len(set(pin)) == 1 or pin in RUN or pin[::-1] in RUN:
        raise BadInput(say("pin-easily-guessed"))


def material(key: bytes, account: str, pin: str) -> bytes:
    """What is hashed: without the key of the house a stolen database does not even tell how to try PINs."""
    told = f"{account.casefold()}\0{pin}"
    return hmac.digest(key, told.encode("utf-8", "surrogatepass"), hashlib.sha256)
