"""Names and passwords: what may be chosen."""

import unicodedata
from math import prod

from zxcvbn import zxcvbn
from zxcvbn.matching import L33T_TABLE

from thirdcard.errors import BadInput
from thirdcard.service.people.roles import STAFF
from thirdcard.table.setup import check_name
from thirdcard.words.saying import say

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
MOST_READINGS = 8  # of signs that may stand for letters; the estimator tries all of them


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
        raise BadInput(say("walk-in-name", walk_in=WALK_IN))
    number = name.removeprefix(WALK_IN)
    if number.isdecimal() and len(number) > MOST_DIGITS:
        raise BadInput(say("walk-in-number", most_digits=MOST_DIGITS))
    if _check_spelling(name) != name:
        raise BadInput(say("walk-in-name-plain"))
    return name


def _check_spelling(name: str) -> str:
    plain = plain_name(name)
    if plain is None or not LEAST_NAME <= len(plain) <= MOST_NAME:
        raise BadInput(say("name-length", least_name=LEAST_NAME, most_name=MOST_NAME))
    if not all(_is_visible(character) for character in plain) or _kind(plain[0]) not in "LN":
        raise BadInput(say("name-form"))
    if "MMMM" in "".join(map(_kind, plain)):
        raise BadInput(say("name-accents"))
    _check_letters(plain)
    return plain


def taken(name: str) -> BadInput:
    """One sentence, whether somebody has the name or nobody can: it tells no more."""
    return BadInput(say("name-reserved", name=name))


def _check_letters(name: str) -> None:
    """No name looks like another: its letters are of one script, and not all such as look Latin."""
    letters = [character for character in name if _kind(character) == "L"]
    names = [unicodedata.name(letter, "") for letter in letters]
    scripts = {script for script in LETTER_SCRIPTS if any(called.startswith(script) for called in names)}
    if len(scripts) > 1:
        raise BadInput(say("name-mixes-scripts"))
    if letters and all(letter in LOOKS_LATIN for letter in letters):
        raise BadInput(say("name-looks-latin"))


def check_password(password: str, *, name: str, role: str) -> None:
    """BadInput, which never repeats the password, unless it is long enough and not easily guessed."""
    least = LEAST_STAFF_PASSWORD if role in STAFF else LEAST_PASSWORD
    if not least <= len(password) <= MOST_PASSWORD:
        raise BadInput(say("password-length", least=least, most_password=MOST_PASSWORD))
    if password.casefold() == name.casefold():
        raise BadInput(say("password-is-name"))
    measured = zxcvbn(_measurable(password), user_inputs=[name, *RESERVED, "baccarat", "singapore"])
    if measured["score"] < LEAST_STRENGTH:
        raise BadInput(say("password-easily-guessed"))


def _measurable(password: str) -> str:
    """As much from its beginning as is measured in milliseconds, which makes no password stronger than it is.

    A sign such as `1` may be an i or an l: of more signs there are many times more readings.
    """
    for end in range(min(len(password), MEASURED), 0, -1):
        there = {*password[:end]}
        if (
            prod(max(1, sum(sign in there for sign in signs)) for signs in L33T_TABLE.values())
            <= MOST_READINGS
        ):
            return password[:end]
    return ""


def _kind(character: str) -> str:
    """`L` for letters, `N` digits, `M` marks that belong to the letter before, and others."""
    return unicodedata.category(character)[0]


def _is_visible(character: str) -> bool:
    return character in PUNCTUATION or (_kind(character) in "LNM" and character not in INVISIBLE)
