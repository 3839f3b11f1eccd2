"""What a terminal is sent: nothing that it would act on, and no sign that its encoding has not."""

import codecs
import json
import unicodedata
from typing import TextIO

# What is written where an encoding has not the sign; accents are left out, and the rest is spelt by number.
INSTEAD = {
    "→": "->", "←": "<-", "↔": "<->", "…": "...", "–": "-", "—": "-", "−": "-", "·": ".", "•": "*",  # noqa: RUF001
    "×": "x", "±": "+/-", "≤": "<=", "≥": ">=", "≠": "!=", "’": "'", "‘": "'", "“": '"', "”": '"',  # noqa: RUF001
    "♠": "S", "♥": "H", "♦": "D", "♣": "C", "Λ": "Lambda", "√": "root ", "°": " degrees", "█": "#",
    "━": "-", "─": "-", "│": "|", "┃": "|",
}  # fmt: skip
HANDLER = "thirdcard.instead"


def speak_plainly(stream: TextIO) -> None:
    """Let a stream write something readable for every sign that its encoding has not, in place of failing."""
    codecs.register_error(HANDLER, _instead)
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors=HANDLER)


def _instead(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join([_spelt(one) for one in error.object[error.start : error.end]]), error.end


def _spelt(one: str) -> str:
    if one in INSTEAD:
        return INSTEAD[one]
    bare = unicodedata.normalize("NFKD", one).encode("ascii", "ignore").decode()
    return bare or one.encode("ascii", "backslashreplace").decode()


def harmless(text: str, keep: str = "") -> str:
    """The text with what a terminal would act on spelt out: escapes, line ends, marks that turn it round."""
    if text.isprintable():
        return text
    return "".join([one if _is_shown(one) or one in keep else json.dumps(one)[1:-1] for one in text])


def _is_shown(one: str) -> bool:
    return one.isprintable() or unicodedata.category(one) == "Zs"
