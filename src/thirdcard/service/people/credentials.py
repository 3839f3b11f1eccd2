"""Names and passwords: what may be chosen."""

import unicodedata

from zxcvbn import zxcvbn

from thirdcard.errors import BadInput
from thirdcard.service.people.roles import STAFF
from thirdcard.table.setup import check_name

LEAST_NAME, MOST_NAME = 2, 24
LEAST_PASSWORD, LEAST_STAFF_PASSWORD, MOST_PASSWORD = 10, 12, 128
GUEST = "guest-"
WALK_IN = "W-"  # how the names of patrons without an account begin
MOST_DIGITS = 6
RESERVED = frozenset(
    {"thirdcard", "house", "cash", "journal", "console", "unknown"}
)  # they mean something in the logs
PUNCTUATION = "-_.'"

# Letters and marks that show nothing: with them two names would look the same.
INVISIBLE = frozenset(
    map(chr, (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x3164, *range(0xFE00, 0xFE10)))
) | frozenset(map(chr, range(0xE0100, 0xE01F0)))

# Letters of other scripts that are taken for Latin ones.
LOOKS_LATIN = frozenset("асеорхуѕіјһԁԛԝАВЕЅІЈКМНОРСТХανορικυΑΒΕΖΗΙΚΜΝΟΡΤΥΧօսոհ")
LETTER_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "HEBREW", "ARABIC", "CHEROKEE")  # never together
LEAST_STRENGTH = 3  # of 0 to 4, as zxcvbn counts: more than a hundred million guesses
MEASURED = 40  # characters; those after them make no password weaker, and measuring them takes seconds


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
    plain = _check_spelling(name)
    folded = plain.casefold()
    if folded in RESERVED or folded.startswith((GUEST, WALK_IN.casefold())):
        raise taken(plain)
    return plain


def check_walk_in(name: str) -> str:
    """The name of a patron without an account; BadInput says what is wrong with it."""
    if not name.startswith(WALK_IN) or len(name) == len(WALK_IN):
        raise BadInput(f"the name of a walk-in begins with {WALK_IN}, and has a number or a word after it")
    number = name.removeprefix(WALK_IN)
    if number.isdecimal() and len(number) > MOST_DIGITS:
        raise BadInput(f"the number of a walk-in has at most {MOST_DIGITS} digits")
    if _check_spelling(name) != name:
        raise BadInput("the name of a walk-in is written with plain letters and digits")
    return name


def _check_spelling(name: str) -> str:
    plain = plain_name(name)
    if plain is None or not LEAST_NAME <= len(plain) <= MOST_NAME:
        raise BadInput(
            f"a name has {LEAST_NAME} to {MOST_NAME} characters, without spaces, colons or slashes"
        )
    if not all(_is_visible(character) for character in plain) or _kind(plain[0]) not in "LN":
        raise BadInput("a name starts with a letter or digit and has letters, digits and - _ . ' only")
    if "MMMM" in "".join(map(_kind, plain)):
        raise BadInput("a name has no more than three accents on a letter")
    _check_letters(plain)
    return plain


def taken(name: str) -> BadInput:
    """One sentence, whether somebody has the name or nobody can: it tells no more."""
    return BadInput(f"{name} is a name that the house keeps for itself, or somebody has it: choose another")


def _check_letters(name: str) -> None:
    """No name looks like another: its letters are of one script, and not all such as look Latin."""
    letters = [character for character in name if _kind(character) == "L"]
    names = [unicodedata.name(letter, "") for letter in letters]
    scripts = {script for script in LETTER_SCRIPTS if any(one.startswith(script) for one in names)}
    if len(scripts) > 1:
        raise BadInput("a name is written in the letters of one script: these mix two that look alike")
    if letters and all(one in LOOKS_LATIN for one in letters):
        raise BadInput("a name must not be taken for one in Latin letters, as this would be")


def check_password(password: str, *, name: str, role: str) -> None:
    """BadInput, which never repeats the password, unless it is long enough and not easily guessed."""
    least = LEAST_STAFF_PASSWORD if role in STAFF else LEAST_PASSWORD
    if not least <= len(password) <= MOST_PASSWORD:
        raise BadInput(f"the password must have {least} to {MOST_PASSWORD} characters")
    if password.casefold() == name.casefold():
        raise BadInput("the password must not be the name")
    measured = zxcvbn(password[:MEASURED], user_inputs=[name, *RESERVED, "baccarat", "singapore"])
    if measured["score"] < LEAST_STRENGTH:
        raise BadInput("the password is too easily guessed: choose another, of four unusual words, say")


def _kind(character: str) -> str:
    """`L` for letters, `N` digits, `M` marks that belong to the letter before, and others."""
    return unicodedata.category(character)[0]


def _is_visible(character: str) -> bool:
    return character in PUNCTUATION or (_kind(character) in "LNM" and character not in INVISIBLE)
