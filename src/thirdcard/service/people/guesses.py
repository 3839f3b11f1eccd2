"""Wrong passwords, counted by account and by where they come from, so that nobody locks somebody else out.

Counts are of this process and run by the monotonic clock. They bar one place from one account; what many
places do to an account is counted in the store.
"""

import hashlib
import hmac
import secrets

from thirdcard.service.clock import MICROSECONDS, Clock

MOST_FAILURES = 3  # in a row
BARRED_SECONDS = 30 * 60.0
MOST_KEPT = 50_000
DEVICE_DAYS = 90


class Guesses:
    """Who may not try again yet; called in turn with whatever else writes."""

    def __init__(self, clock: Clock, most: int = MOST_FAILURES) -> None:
        self._clock, self._most = clock, most
        self._counts: dict[tuple[str, str], tuple[int, float]] = {}  # failures, and when they are forgotten

    def barred(self, account: str, place: str) -> bool:
        count, until = self._counts.get((account, place), (0, 0.0))
        return count >= self._most and self._clock.monotonic() < until

    def wrong(self, account: str, place: str) -> bool:
        """Count one; whether it bars the place from the account."""
        now = self._clock.monotonic()
        count, until = self._counts.pop((account, place), (0, 0.0))
        count = count + 1 if now < until else 1
        self._counts[account, place] = count, now + BARRED_SECONDS
        if len(self._counts) > MOST_KEPT:
            del self._counts[next(iter(self._counts))]
        return count == self._most

    def forgive(self, account: str, place: str | None = None) -> None:
        """Start again: at that place, or wherever it was."""
        for key in [key for key in self._counts if key[0] == account and place in (None, key[1])]:
            del self._counts[key]


class Devices:
    """Devices that somebody has signed in by: they hold a token, which the server can tell but does not keep.

    It is of one account and one password, and lasts for `DEVICE_DAYS`.
    """

    def __init__(self, key: bytes, clock: Clock) -> None:
        self._key, self._clock = key, clock

    def token(self, account: str, password: str) -> str:
        """For whoever has just signed in; `password` is as it is kept."""
        issued, name = self._clock.wall() // MICROSECONDS, secrets.token_hex(8)
        return f"{issued}.{name}.{self._seal(account, password, issued, name)}"

    def known(self, account: str, password: str, token: str) -> str:
        """What the device is called, empty if this is not a token of that account."""
        issued, _, rest = token.partition(".")
        name, _, seal = rest.partition(".")
        if not issued.isdecimal() or len(token) > 128:  # noqa: PLR2004 - longer than any
            return ""
        age = self._clock.wall() // MICROSECONDS - int(issued)
        right = hmac.compare_digest(seal.encode(), self._seal(account, password, int(issued), name).encode())
        return name if right and 0 <= age < DEVICE_DAYS * 86_400 else ""

    def _seal(self, account: str, password: str, issued: int, name: str) -> str:
        told = "\0".join((account, password, str(issued), name))
        return hmac.digest(self._key, told.encode("utf-8", "surrogatepass"), hashlib.sha256).hex()
