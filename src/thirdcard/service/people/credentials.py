"""Names and passwords: what may be chosen."""

import unicodedata

from thirdcard.errors import BadInput
from thirdcard.service.people.roles import STAFF
from thirdcard.table.setup import check_name

LEAST_NAME, MOST_NAME = 2, 24
LEAST_PASSWORD, LEAST_STAFF_PASSWORD, MOST_PASSWORD = 10, 12, 128
GUEST = "guest-"
RESERVED = frozenset(
    {"thirdcard", "house", "cash", "journal", "console", "unknown"}
)  # they mean something in the logs
PUNCTUATION = "-_.'"

# Letters and marks that show nothing: with them two names would look the same.
INVISIBLE = frozenset(
    map(chr, (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x3164, *range(0xFE00, 0xFE10)))
) | frozenset(map(chr, range(0xE0100, 0xE01F0)))

# The commonest passwords that are long enough otherwise.
COMMON = frozenset({
    "0123456789", "0987654321", "1029384756", "1122334455", "123123123123", "1234512345",
    "123456123456", "1234567890", "12345678901", "123456789012", "1234567891", "12345678910",
    "123456789a", "1234qwerasdf", "123qweasdzxc", "1q2w3e4r5t", "1q2w3e4r5t6y", "1qaz2wsx3edc",
    "1qazxsw23edc", "9876543210", "987654321a", "a123456789", "a1b2c3d4e5", "abc123456789",
    "abcd123456", "abcdefghij", "abcdefghijkl", "adminadmin", "adminadmin123", "administrator",
    "asdfasdfasdf", "asdfghjkl123", "baccarat123", "basketball", "changeme123", "changemenow",
    "dragon123456", "football123", "iloveyou123", "iloveyou1234", "letmein123", "letmein12345",
    "liverpool123", "manchester", "monkey123456", "p@ssw0rd123", "passw0rd123", "password01",
    "password10", "password12", "password123", "password1234", "password12345", "password123456",
    "passwordpassword", "princess123", "q1w2e3r4t5", "q1w2e3r4t5y6", "qazwsxedcrfv", "qwe123qwe123",
    "qwerty12345", "qwerty123456", "qwerty1234567", "qwertyqwerty", "qwertyuiop", "qwertyuiop123",
    "secret123456", "singapore123", "sunshine123", "superman123", "thirdcard123", "trustno1trustno1",
    "welcome123", "welcome1234", "zaq12wsxcde3", "zxcvbnm123", "zxcvbnm12345",
})  # fmt: skip


def plain_name(name: str) -> str | None:
    """The one way to write a name; None if nobody can be called that."""
    if len(name) > 4 * MOST_NAME:  # no name gets that much shorter: do not even try
        return None
    plain = unicodedata.normalize("NFKC", name)
    try:
        return check_name(plain)
    except BadInput:
        return None


def check_person(name: str) -> str:
    """The name as it is kept; BadInput says what is wrong with it. Whether it is taken the store knows."""
    plain = plain_name(name)
    if plain is None or not LEAST_NAME <= len(plain) <= MOST_NAME:
        raise BadInput(
            f"a name has {LEAST_NAME} to {MOST_NAME} characters, without spaces, colons or slashes"
        )
    if not all(_is_visible(character) for character in plain) or _kind(plain[0]) not in "LN":
        raise BadInput("a name starts with a letter or digit and has letters, digits and - _ . ' only")
    if "MMMM" in "".join(map(_kind, plain)):
        raise BadInput("a name has no more than three accents on a letter")
    folded = plain.casefold()
    if folded in RESERVED or folded.startswith(GUEST):
        raise BadInput(f"{plain} is a name that the house keeps for itself")
    return plain


def check_password(password: str, *, name: str, role: str) -> None:
    """BadInput, which never repeats the password, unless it is long enough and not easily guessed."""
    least = LEAST_STAFF_PASSWORD if role in STAFF else LEAST_PASSWORD
    if not least <= len(password) <= MOST_PASSWORD:
        raise BadInput(f"the password must have {least} to {MOST_PASSWORD} characters")
    folded = password.casefold()
    if folded == name.casefold():
        raise BadInput("the password must not be the name")
    if folded in COMMON or len(set(folded)) < 4:  # noqa: PLR2004 - the likes of aaaaaaaaaa and 1212121212
        raise BadInput("the password is one of those that are tried first: choose another")


def _kind(character: str) -> str:
    """`L` for letters, `N` digits, `M` marks that belong to the letter before, and others."""
    return unicodedata.category(character)[0]


def _is_visible(character: str) -> bool:
    return character in PUNCTUATION or (_kind(character) in "LNM" and character not in INVISIBLE)
