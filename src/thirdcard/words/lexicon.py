"""The files of words: `en.toml`, `zh.toml` and so on. A language is there because its file is.

A file says what the language is called, then its phrases by section and key; those of the pages, `ui`, stand
by the pages that say them, such as `[ui.desk]`. A file that is `based-on` another says only what differs;
`replace` rewrites the rest, a word or a character at a time.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from thirdcard.errors import BadInput
from thirdcard.strict import decodable

Language: TypeAlias = str  # the name of a file, without `.toml`
Sections: TypeAlias = dict[str, dict[str, str]]
PageKeys: TypeAlias = dict[str, tuple[str, ...]]

ENGLISH: Final = "en"
FOLDER = Path(__file__).parent


class Heading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """How a file begins.

    `label` is its name where there is little room, `html` what pages call it, `beside` the language that
    stands next to it on the felt, `browsers` the languages of browsers that it is shown to.
    """

    name: str
    label: str
    html: str
    beside: Language
    browsers: tuple[str, ...]
    based_on: Language = ""
    replace: str = ""

    @property
    def spoken(self) -> str:
        """Its name for whoever hears the label, which is always part of it."""
        return self.name if self.label in self.name else f"{self.label}, {self.name}"


class Words:
    """One language: every phrase by its section and key, and the keys of `ui` by the pages that say them."""

    def __init__(self, code: Language, heading: Heading, sections: Sections, pages: PageKeys) -> None:
        self.code, self.heading, self.sections, self.pages = code, heading, sections, pages

    def say(self, section: str, key: str, /, **facts: object) -> str:
        """The phrase with its blanks filled in; KeyError if there is none."""
        return self.sections[section][key].format(**facts)

    def name_of(self, section: str, key: str, otherwise: str) -> str:
        """What this language calls something that has a name already; that name if it calls it nothing."""
        return self.sections.get(section, {}).get(key, otherwise)

    @cached_property
    def ui(self) -> Mapping[str, str]:
        """The phrases of the pages."""
        return self.sections["ui"]

    @property
    def beside(self) -> "Words":
        """The language that stands next to this one where both are shown."""
        return words(self.heading.beside)

    def choice(self, options: Iterable[str]) -> str:
        """`7, 8 or 9`."""
        return _joined(options, self.ui["list_join"], self.ui["list_or"])

    def together(self, members: Iterable[str]) -> str:
        """`Ann, Ben and Cai`."""
        return _joined(members, self.ui["list_join"], self.ui["list_and"])


def _joined(parts: Iterable[str], between: str, before_last: str) -> str:
    *most, last = parts
    return between.join(most) + before_last + last if most else last


def languages() -> tuple[Language, ...]:
    """Every language there is a file of."""
    return tuple(read_all(FOLDER))


def words(language: Language) -> Words:
    """Everything that is said in that language; BadInput if there is no such language."""
    lexicon = read_all(FOLDER).get(language)
    if lexicon is None:
        *most, last = read_all(FOLDER)
        raise BadInput(f"there are words in {', '.join(most)} and {last}: got {language!r}")
    return lexicon


def accepted(header: str) -> Language | None:
    """The first language of an `Accept-Language` header that there is; `zh-Hans-SG` is also `zh-Hans`."""
    shown = {tag.lower(): code for code, one in read_all(FOLDER).items() for tag in one.heading.browsers}
    for asked in header.lower().split(","):
        tag = asked.partition(";")[0].strip()
        while tag:
            if tag in shown:
                return shown[tag]
            tag = tag.rpartition("-")[0]
    return None


@cache
def read_all(folder: Path) -> dict[Language, Words]:
    """Every language of a folder."""
    names = (path.name for path in folder.iterdir())
    codes = sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))
    return {code: _read(folder, code) for code in codes}


def _read(folder: Path, code: Language) -> Words:
    read = tomllib.loads((folder / f"{code}.toml").read_text(encoding="utf-8"))
    said = msgspec.convert(read.pop("ui", {}), decodable(Sections))
    sections = {key: value for key, value in read.items() if isinstance(value, dict)}
    heading = msgspec.convert({k: v for k, v in read.items() if k not in sections}, decodable(Heading))
    own = msgspec.convert(sections, decodable(Sections))
    own["ui"] = {key: phrase for page in said.values() for key, phrase in page.items()}
    if not heading.based_on:
        return Words(code, heading, own, {page: tuple(phrases) for page, phrases in said.items()})
    based_on = _read(folder, heading.based_on)
    base = _rewritten(based_on.sections, heading.replace)
    both = {name: base.get(name, {}) | own.get(name, {}) for name in base | own}
    return Words(code, heading, both, based_on.pages)


def _rewritten(sections: Sections, pairs: str) -> Sections:
    """The phrases with every left side of `pairs` replaced by its right side, the longest first."""
    by = dict(pair.split("=") for pair in pairs.split())
    if not by:
        return sections
    pattern = re.compile("|".join(map(re.escape, sorted(by, key=len, reverse=True))))
    return {
        name: {key: pattern.sub(lambda match: by[match[0]], phrase) for key, phrase in section.items()}
        for name, section in sections.items()
    }
