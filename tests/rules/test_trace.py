"""Every paragraph of every document is accounted for, by code and tests that exist."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from rules.collect import WRITTEN, Carried, as_text, collect, every_test, paragraphs_in
from thirdcard.rulebook import Rulebook, load, slugs
from thirdcard.rulebook.trace import Interpretation, Status, TraceTopic, interpretations, trace

PARAGRAPHS = {
    "mbs-tiger-v2": 127,
    "rws-commission-insurance-v5": 91,
    "rws-tiger-buffalo-commission-v2": 127,
    "rws-tiger-buffalo-non-commission-v3": 113,
    "rws-tiger-buffalo-non-commission-v4": 113,
}


# --- what can be wrong --------------------------------------------------------------------------------


def coverage_faults(entries: Iterable[TraceTopic], documents: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """Paragraphs missing from the trace, doubled in it, or made up."""
    traced = Counter((entry.slug, entry.paragraph) for entry in entries)
    have = {(slug, paragraph) for slug, paragraphs in documents.items() for paragraph in paragraphs}
    for slug, paragraph in sorted(have - traced.keys()):
        yield f"{slug} {paragraph} is missing from the trace"
    for slug, paragraph in sorted(traced.keys() - have):
        yield f"{slug} has no paragraph {paragraph}, but the trace does"
    for (slug, paragraph), times in traced.items():
        if times > 1:
            yield f"{slug} {paragraph} is {times} times in the trace"


def entry_faults(entry: TraceTopic, existing: set[str]) -> Iterator[str]:
    """What is wrong with one entry, given the node ids of the tests that exist."""
    where = f"{entry.slug} {entry.paragraph}"
    if entry.status not in get_args(Status):
        yield f"{where} has the unknown status {entry.status!r}"
    if not entry.summary.strip():
        yield f"{where} has no summary"
    for place in entry.code:
        if not resolves(place):
            yield f"{where} names code that does not exist: {place}"
    for test in entry.tests:
        if test not in existing:
            yield f"{where} names a test that does not exist: {test}"
    if entry.status == "enforced" and not entry.code:
        yield f"{where} is enforced, but no code is named"
    if entry.status == "enforced" and not entry.playing_tests:
        yield f"{where} is enforced, but no test plays by it"
    if entry.status == "open" and entry.code:
        yield f"{where} is open, but code is named: {', '.join(entry.code)}"


def carried_faults(carried: Carried, documents: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """Tests named for documents or paragraphs that there are not."""
    for slug, by_paragraph in carried.items():
        for paragraph, tests in by_paragraph.items():
            if slug not in documents:
                yield f"{', '.join(tests)}: there is no document {slug}"
            elif paragraph not in documents[slug]:
                yield f"{', '.join(tests)}: {slug} has no paragraph {paragraph}"


def interpretation_faults(
    found: Sequence[Interpretation], documents: dict[str, tuple[str, ...]]
) -> Iterator[str]:
    """Interpretations out of order, without words or resting on paragraphs that there are not."""
    for place, one in enumerate(found, start=1):
        if one.number != place:
            yield f"interpretation {one.number} stands where {place} should"
        if not one.title or not one.text:
            yield f"interpretation {one.number} has no words"
        if not one.paragraphs:
            yield f"interpretation {one.number} rests on no paragraph"
        for slug, cited in one.paragraphs.items():
            for paragraph in cited:
                if paragraph.partition("(")[0] not in documents[slug]:
                    yield f"interpretation {one.number}: {slug} has no paragraph {paragraph}"


def reading_faults(book: Rulebook, found: Sequence[Interpretation]) -> Iterator[str]:
    """Procedures that are read with an interpretation which does not touch them."""
    by_number = {one.number: one for one in found}
    for procedure in book.procedures:
        cited = {*procedure.rules, *(rule for ruling in procedure.rulings for rule in ruling.rules)}
        for number in procedure.interpretations:
            where = f"{book.slug} {procedure.case}"
            if number not in by_number:
                yield f"{where}: there is no interpretation {number}"
            elif not cited & set(by_number[number].paragraphs.get(book.slug, ())):
                yield f"{where}: interpretation {number} rests on none of its paragraphs"


def resolves(place: str) -> bool:
    """Whether `module:object` can be imported."""
    module, _, name = place.partition(":")
    try:
        found: object = import_module(module)
    except ImportError:
        return False
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is not None


# --- nothing is -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def documents() -> dict[str, tuple[str, ...]]:
    return {slug: load(slug).paragraphs for slug in slugs()}


@pytest.fixture(scope="module")
def existing() -> set[str]:
    return {node_id for node_id, _ in every_test()}


def test_571_paragraphs(documents: dict[str, tuple[str, ...]]) -> None:
    assert {slug: len(paragraphs) for slug, paragraphs in documents.items()} == PARAGRAPHS
    assert len(trace()) == sum(PARAGRAPHS.values()) == 571


def test_every_paragraph_stands_once(documents: dict[str, tuple[str, ...]]) -> None:
    assert list(coverage_faults(trace(), documents)) == []


@pytest.mark.slow
def test_code_and_tests_exist(existing: set[str]) -> None:
    assert [fault for entry in trace() for fault in entry_faults(entry, existing)] == []


@pytest.mark.slow
def test_rule_named_tests_name_paragraphs_that_exist(documents: dict[str, tuple[str, ...]]) -> None:
    assert list(carried_faults(collect(), documents)) == []


@pytest.mark.slow
def test_the_collected_tests_are_up_to_date() -> None:
    written = WRITTEN.read_text(encoding="utf-8")
    assert written == as_text(collect()), (
        "trace_tests.json is not what the tests' names say: run `make trace`"
    )


def test_interpretations_rest_on_paragraphs_that_exist(documents: dict[str, tuple[str, ...]]) -> None:
    assert list(interpretation_faults(interpretations(), documents)) == []


@pytest.mark.parametrize("slug", slugs())
def test_procedures_are_read_with_what_touches_them(slug: str) -> None:
    assert list(reading_faults(load(slug), interpretations())) == []


# --- and a fault would be seen --------------------------------------------------------------------------

DOCUMENTS = {"one": ("1.1", "1.2", "1.10"), "two": ("1.1",)}
TEST = "tests/rules/test_one.py::test_1_1_words"
OF_VALUES = "tests/rules/test_one_terms.py::test_1_1_words"
GOOD = TraceTopic(
    slug="one",
    paragraph="1.1",
    status="enforced",
    summary="A rule.",
    code=("thirdcard.play.bets:result",),
    tests=(TEST,),
)
OPEN = msgspec.structs.replace(GOOD, status="open", code=(), tests=())


def whole() -> list[TraceTopic]:
    return [
        msgspec.structs.replace(OPEN, slug=slug, paragraph=paragraph)
        for slug, paragraphs in DOCUMENTS.items()
        for paragraph in paragraphs
    ]


def test_sound_entries_have_no_faults() -> None:
    assert list(coverage_faults(whole(), DOCUMENTS)) == []
    assert list(entry_faults(GOOD, {TEST})) == []
    assert list(entry_faults(OPEN, {TEST})) == []


def test_planted_missing_paragraph() -> None:
    assert list(coverage_faults(whole()[1:], DOCUMENTS)) == ["one 1.1 is missing from the trace"]


def test_planted_doubled_paragraph() -> None:
    assert list(coverage_faults([*whole(), OPEN], DOCUMENTS)) == ["one 1.1 is 2 times in the trace"]


def test_planted_invented_paragraph() -> None:
    invented = msgspec.structs.replace(OPEN, paragraph="9.9")
    assert list(coverage_faults([*whole(), invented], DOCUMENTS)) == [
        "one has no paragraph 9.9, but the trace does"
    ]


@pytest.mark.parametrize(
    ("entry", "changed", "fault"),
    [
        (GOOD, {"status": "done"}, "has the unknown status 'done'"),
        (GOOD, {"summary": " "}, "has no summary"),
        (GOOD, {"code": ("thirdcard.nowhere:result",)}, "code that does not exist: thirdcard.nowhere:result"),
        (GOOD, {"code": ("thirdcard.play.bets:nothing",)}, "does not exist: thirdcard.play.bets:nothing"),
        (GOOD, {"code": ("thirdcard.play.bets",)}, "does not exist: thirdcard.play.bets"),
        (GOOD, {"code": ()}, "is enforced, but no code is named"),
        (GOOD, {"tests": ()}, "is enforced, but no test plays by it"),
        (GOOD, {"tests": (OF_VALUES,)}, "is enforced, but no test plays by it"),
        (GOOD, {"tests": (TEST + "_x",)}, f"names a test that does not exist: {TEST}_x"),
        (OPEN, {"code": ("thirdcard.play.bets:result",)}, "is open, but code is named"),
    ],
)
def test_planted_fault_in_an_entry(entry: TraceTopic, changed: dict[str, object], fault: str) -> None:
    (found,) = entry_faults(msgspec.structs.replace(entry, **changed), {TEST, OF_VALUES})
    assert found.startswith("one 1.1 ")
    assert fault in found


def test_planted_names_of_unknown_paragraphs_and_documents() -> None:
    assert list(carried_faults({"one": {"1.3": [TEST]}, "three": {"1.1": [TEST]}}, DOCUMENTS)) == [
        f"{TEST}: one has no paragraph 1.3",
        f"{TEST}: there is no document three",
    ]


READING = Interpretation(number=1, title="A", text="B.", paragraphs={"one": ("1.1", "1.2(a)")})


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"number": 2}, "interpretation 2 stands where 1 should"),
        ({"text": ""}, "interpretation 1 has no words"),
        ({"paragraphs": {}}, "interpretation 1 rests on no paragraph"),
        ({"paragraphs": {"two": ("1.1", "1.2")}}, "interpretation 1: two has no paragraph 1.2"),
    ],
)
def test_planted_fault_in_an_interpretation(changed: dict[str, object], fault: str) -> None:
    assert list(interpretation_faults([READING], DOCUMENTS)) == []
    assert list(interpretation_faults([msgspec.structs.replace(READING, **changed)], DOCUMENTS)) == [fault]


def test_planted_reading_that_does_not_touch_its_procedure() -> None:
    book = load("mbs-tiger-v2")
    (late,) = [one for one in book.procedures if one.case == "late-wager"]
    planted = msgspec.structs.replace(late, interpretations=(20, 21, 999))
    found = reading_faults(msgspec.structs.replace(book, procedures=(planted,)), interpretations())
    assert list(found) == [
        "mbs-tiger-v2 late-wager: interpretation 21 rests on none of its paragraphs",
        "mbs-tiger-v2 late-wager: there is no interpretation 999",
    ]


# --- names and their collection -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "paragraphs"),
    [
        ("test_1_7_big_tiger", ("1.7",)),
        ("test_4_1_14_char_siu_pays_10_to_1", ("4.1.14",)),
        ("test_1_1_14_2_double_tiger_pair", ("1.1.14.2",)),
        ("test_3_13__3_15_table_of_play", ("3.13", "3.15")),
        ("test_no_insurance", ()),
    ],
)
def test_paragraphs_in_a_name(name: str, paragraphs: tuple[str, ...]) -> None:
    assert paragraphs_in(name) == paragraphs


@pytest.mark.parametrize("name", ["test_1_7", "test_4_cards", "test_1_7__words", "test_1_7___1_8_words"])
def test_planted_malformed_name(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        paragraphs_in(name)


def test_collects_from_all_folders_in_order(tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    for folder, name, text in (
        (
            "rules",
            "test_b.py",
            'SLUGS = ("two", "one")\ndef test_1_10__1_2_words(): ...\ndef helper(): ...\n',
        ),
        ("table", "test_a.py", 'SLUGS = ("one",)\nclass TestIt:\n    async def test_1_2_more(self): ...\n'),
        ("play", "test_c.py", "def test_1_2_not_a_rule(): ...\ndef test_7(): ...\n"),
        ("rules", "checks.py", 'SLUGS = ("one",)\ndef test_1_2_not_a_test_file(): ...\n'),
    ):
        (tests / folder).mkdir(parents=True, exist_ok=True)
        (tests / folder / name).write_text(text, encoding="utf-8")
    joined = "tests/rules/test_b.py::test_1_10__1_2_words"
    found = collect(tests)
    assert found == {
        "one": {"1.2": [joined, "tests/table/test_a.py::TestIt::test_1_2_more"], "1.10": [joined]},
        "two": {"1.2": [joined], "1.10": [joined]},
    }
    assert [list(found), list(found["one"])] == [["one", "two"], ["1.2", "1.10"]]
    assert as_text({"one": {"1.2": ["x"]}}) == '{\n "one": {\n  "1.2": [\n   "x"\n  ]\n }\n}\n'
