"""Every phrase is asked for somewhere, and whatever is asked for is there."""

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import get_args

import pytest

from thirdcard.table.events import AnyEvent, TableOpened, tag_of
from thirdcard.table.transcript import FIELD_TOLD, TOLD
from thirdcard.words import ENGLISH, words

SOURCE = Path(str(files("thirdcard")))
SCRIPTS = SOURCE / "web" / "static" / "js"
PYTHON = tuple(path for path in SOURCE.rglob("*.py"))
TEMPLATES = tuple((SOURCE / "web" / "templates").iterdir())
SCHOOL = ("cli/school.py", *(f"school/{path.name}" for path in (SOURCE / "school").glob("*.py")))
ENGLISH_UI = words(ENGLISH).ui


def read(paths: Iterable[Path]) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


PAGES, CODE = read(TEMPLATES), read(PYTHON)
QUERIES = read(
    path for room in ("queries", "learning") for path in (SOURCE / "service" / room).glob("*.py")
)  # some answers are keys of phrases
PLAYERS, STAFF = read(SCRIPTS.glob("*.js")), read((SCRIPTS / "staff").glob("*.js"))
DRILLS = read((SCRIPTS / "school").glob("*.js"))


@cache
def asked() -> set[str]:
    """Keys of the pages' phrases that are written out where they are asked for."""
    found = set(re.findall(r"\b(?:t|ui)\.(?!get\b)(\w+)", PAGES)) | set(
        re.findall(r'\bt\["([\w-]+)"\]', PAGES)
    )
    found |= set(re.findall(r'(?:\bui|\bt)\["([\w-]+)"\]', CODE))
    found |= {f"live_{key}" for key in re.findall(r'(?<![\w.])t\("([\w-]+)"', PLAYERS)}
    found |= {f"staff_{key}" for key in re.findall(r'(?<![\w.])t\("([\w-]+)"', STAFF)}
    found |= {f"school_{key}" for key in re.findall(r'(?<![\w.])t\("([\w-]+)"', DRILLS)}
    found |= {f"staff_{key}" for key in re.findall(r'\bkey="(\w+)"', QUERIES)}
    return found | set(re.findall(r'\bphrase\("([\w-]+)"', PLAYERS + STAFF + DRILLS))


@cache
def quoted() -> set[str]:
    """Keys that stand in scripts as one of several, or in a list of their own."""
    found = {f"live_{key}" for key in re.findall(r'"([\w-]+)"', PLAYERS)}
    found |= {f"live_{key}" for key in re.findall(r"\b(\w+):", PLAYERS)}
    found |= {f"staff_{key}" for key in re.findall(r'"([\w-]+)"', STAFF)}
    found |= {f"school_{key}" for key in re.findall(r'"([\w-]+)"', DRILLS)}
    return found | set(re.findall(r'"([\w-]+)"', CODE))


@cache
def begun() -> tuple[str, ...]:
    """How keys begin that are put together where they are asked for."""
    found = set(re.findall(r'\bt(?:\[|\.get\()"(\w+_)" ~', PAGES))
    found |= set(re.findall(r'(?:\bt|\bui|own\.ui)\[(?:key\()?f"(\w+_)\{', CODE))
    found |= {f"live_{start}" for start in re.findall(r"\bt\(`(\w+_)\$\{", PLAYERS)}
    found |= {f"staff_{start}" for start in re.findall(r"\bt\(`(\w+_)\$\{", STAFF)}
    found |= {f"school_{start}" for start in re.findall(r"\bt\(`(\w+_)\$\{", DRILLS)}
    found |= {f"staff_{start}" for start in re.findall(r'\bkey=f"(\w+_)\{', QUERIES)}
    found |= set(re.findall(r"\bphrase\(`(\w+_)\$\{", PLAYERS + STAFF + DRILLS))
    return tuple(found - {"live_", "staff_", "school_"})  # these are what `t` adds


def test_what_pages_and_scripts_ask_for_is_there() -> None:
    assert len(asked()) > 500
    assert sorted(asked() - ENGLISH_UI.keys()) == []
    assert [start for start in begun() if not any(key.startswith(start) for key in ENGLISH_UI)] == []


def test_no_phrase_of_the_pages_is_asked_for_by_nobody() -> None:
    known = asked() | quoted()
    assert [key for key in ENGLISH_UI if key not in known and not key.startswith(begun())] == []


@pytest.mark.parametrize(
    ("section", "files_of_it"),
    [
        (
            "transcript",
            (
                "table/transcript.py",
                "service/log/floor_words.py",
                "service/log/floor_events.py",
                "words/saying.py",
            ),
        ),
        ("school", SCHOOL),
        ("roads", ("web/roads_svg.py", "roads.py", "cli/roads.py", "web/pages/table_pages.py")),
    ],
)
def test_sentences_are_all_told(section: str, files_of_it: tuple[str, ...]) -> None:
    source = read(SOURCE / name for name in files_of_it)
    written = set(re.findall(r"""["']([\w-]+)["']""", source))
    begins = tuple(re.findall(r'f"([a-z]+-)\{', source))
    ends = tuple(re.findall(r'\}(-[a-z]+)"| \+?= "(-[a-z]+)"', source))
    variants = {end for pair in ends for end in pair if end}
    keys = words(ENGLISH).sections[section]
    told = {key for key in keys if key in written or (begins and key.startswith(begins))}
    told |= {
        key for key in keys for end in variants if key.removesuffix(end) in written and key.endswith(end)
    }
    if section == "transcript":
        told |= told_by_their_fields()
    assert sorted(keys.keys() - told) == []


def told_by_their_fields() -> set[str]:
    """The keys of events that need no line of their own."""
    plain = [kind for kind in get_args(AnyEvent) if kind not in TOLD and kind is not TableOpened]
    fields = {f"{tag_of(kind)}-{field}" for kind, field in FIELD_TOLD.items()}
    return {tag_of(kind) for kind in plain} | fields


def test_sentences_that_are_told_are_there() -> None:
    source = read(SOURCE / name for name in ("table/transcript.py", "service/log/floor_words.py"))
    keys = words(ENGLISH).sections["transcript"]
    asked_for = told_by_their_fields() | set(
        re.findall(r'(?:log_line|ToldLine|_under)\(\s*"([\w-]+)"', source)
    )
    assert len(asked_for) > 60
    assert sorted(asked_for - keys.keys()) == []


def test_scripts_and_code_say_nothing_in_chinese_themselves() -> None:
    read_not_said = SOURCE / "service" / "queries" / "questions_zh.py"
    sources = (*(path for path in PYTHON if path != read_not_said), *TEMPLATES, *SCRIPTS.rglob("*.js"))
    assert [str(path) for path in sources if re.search(r"[\u4e00-\u9fff]", path.read_text("utf-8"))] == []
