"""`thirdcard rules` as other programs call it."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from cli.running import answer, thirdcard
from thirdcard.rulebook import digest_of, load, slugs
from thirdcard.rulebook.sources import packaged

pytestmark = pytest.mark.slow

IDENTITY = {"schema", "thirdcard", "rulebook", "digest"}


def test_list() -> None:
    listed = {book["slug"]: book for book in answer("rules", "list")}
    assert tuple(listed) == packaged()
    v4 = listed["rws-tiger-buffalo-non-commission-v4"]
    assert v4["title"] == "Tiger Buffalo (Non-Commission Baccarat)"
    assert (v4["operator"], v4["version"], v4["effective"]) == ("RWS", 4, "2025-08-08 08:00")
    assert v4["decks"] == [4, 10]
    assert "".join(v4["layouts"]) == "ABCDEFGHIJKLMNOPQR"
    assert v4["layouts"]["R"]["positions"] == [10, 16]
    assert "tiger-tie" in v4["layouts"]["R"]["bets"]
    assert listed["rws-commission-insurance-v5"]["decks"] == [4, 8]
    assert (v4["origin"], v4["where"], v4["problem"]) == ("package", "thirdcard", "")
    assert v4["digest"] == digest_of(load(v4["slug"]))


def rules_in(value: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        yield from value.get("rules", ())
        for inner in value.values():
            yield from rules_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from rules_in(inner)


@pytest.mark.parametrize("slug", slugs())
def test_show_has_the_whole_rulebook_and_only_paragraphs_of_the_document(slug: str) -> None:
    shown = answer("rules", "show", slug)
    assert {*IDENTITY, "document", "decks", "layouts", "bets", "limits", "procedures"} <= set(shown)
    assert (shown["schema"], shown["digest"]) == ("thirdcard.rules.show.1", digest_of(load(slug)))
    cited = list(rules_in(shown))
    assert len(cited) > 100
    assert {re.sub(r"\([a-z]\)$", "", one) for one in cited} <= set(load(slug).paragraphs)


def test_show_of_one_layout_has_its_bets_only() -> None:
    shown = answer("rules", "show", "rws-tiger-buffalo-commission-v2", "--layout", "M")
    assert list(shown["layouts"]) == ["M"]
    assert set(shown["bets"]) == set(shown["layouts"]["M"]["bets"])
    assert shown["digest"] == digest_of(load(shown["slug"]))  # of the whole text
    assert "big-tiger" not in shown["bets"]
    assert shown["bets"]["tiger"]["pays"][0]["odds"] == "12 to 1"


def test_diff() -> None:
    found = answer(
        "rules", "diff", "rws-tiger-buffalo-non-commission-v3", "rws-tiger-buffalo-non-commission-v4"
    )
    assert set(found) == {*IDENTITY, "before", "added", "removed", "changed", "money"}
    assert found["added"][0]["key"] == "layouts.R"
    assert (found["rulebook"], found["before"]["rulebook"]) == (
        "rws-tiger-buffalo-non-commission-v4",
        "rws-tiger-buffalo-non-commission-v3",
    )


def test_trace_accounts_for_571_paragraphs() -> None:
    entries = answer("rules", "trace")
    assert len(entries) == 571
    assert set(entries[0]) == {"slug", "paragraph", "status", "summary", "code", "tests"}
    assert {entry["status"] for entry in entries} <= {"enforced", "shown", "discretion", "definition", "open"}
    only = answer("rules", "trace", "mbs-tiger-v2")
    assert [entry["paragraph"] for entry in only] == list(load("mbs-tiger-v2").paragraphs)


def test_trace_says_how_many_are_open() -> None:
    statuses = Counter(entry["status"] for entry in answer("rules", "trace"))
    told = thirdcard("rules", "trace").stdout.splitlines()[-1]
    assert told == (f"{statuses['open']} of 571 are still open." if statuses["open"] else "None is open.")


def test_interpretations() -> None:
    found = answer("rules", "interpretations")
    assert [one["number"] for one in found] == list(range(1, len(found) + 1))
    for one in found:
        assert one["title"]
        assert one["text"]
        for slug, paragraphs in one["paragraphs"].items():
            assert {re.sub(r"\([a-z]\)$", "", p) for p in paragraphs} <= set(load(slug).paragraphs)


@pytest.mark.gate("arguments0", "arguments1", "arguments6")
@pytest.mark.parametrize(
    "arguments",
    [
        ("rules", "list"),
        *(("rules", "show", slug) for slug in slugs()),
        ("rules", "diff", "rws-tiger-buffalo-commission-v2", "mbs-tiger-v2"),
        ("rules", "diff", "mbs-tiger-v2", "mbs-tiger-v2"),
        ("rules", "trace", "mbs-tiger-v2"),
        ("rules", "interpretations"),
        ("--help",),
        (),
    ],
)
def test_people_get_text_that_fits_eighty_columns(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = thirdcard(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "[dim]" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("rules", "show", "mbs"), "there is no rulebook 'mbs'"),
        (("rules", "show", "mbs-tiger-v2", "--layout", "a"), "mbs-tiger-v2 has no layout 'a'"),
        (("rules", "diff", "mbs-tiger-v2"), "Missing argument"),
        (("rules", "trace", "x"), "there is no rulebook 'x'"),
        (("rules", "shw"), "No such command 'shw'"),
    ],
)
def test_bad_input(arguments: tuple[str, ...], sentence: str) -> None:
    done = thirdcard(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_version() -> None:
    assert re.fullmatch(r"thirdcard \d+\.\d+\.\d+\n", thirdcard("--version").stdout)
