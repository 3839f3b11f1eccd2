"""The timeline in the rules reader: the text that holds at a moment, what changes, who sees the tables that move."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from service.api.serving import NOBODY, Served
from service.houses import new_table
from thirdcard.errors import BadInput
from thirdcard.rulebook import sources
from thirdcard.rulebook.sources import search_in
from thirdcard.web.pages.timeline import TableInTime, timeline_page
from thirdcard.web.site import PAGES
from web.reading import Page

FAMILY = "rws-tiger-buffalo-non-commission"
V3, V4 = f"{FAMILY}-v3", f"{FAMILY}-v4"
NOW = datetime(2025, 7, 22, 6, 5, tzinfo=UTC)
DRAFT = f'slug = "{FAMILY}-v5"\nextends = "{V4}"\n[document]\nversion = 5\n'


@pytest.fixture(autouse=True)
def nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "_folders", [])
    monkeypatch.setattr(sources, "_taken", {})


def shown(
    on: str = "",
    change: str = "",
    family: str = FAMILY,
    lang: str = "en",
    tables: tuple[TableInTime, ...] | None = None,
) -> Page:
    return Page(timeline_page(family, on, change, lang, now=NOW, tables=tables, movable=True))


def answer(page: Page) -> str:
    return page.one("section", **{"class": "answer"}).text


def test_the_moment_is_now_unless_another_is_asked_for() -> None:
    assert page_field(shown()) == "2025-07-22T14:05", "in the zone of the book"
    assert "Version 3" in answer(shown())
    assert "for 16 days and 17 hours more" in answer(shown())
    assert "Version 3" in answer(shown("2025-08-08T07:59"))
    assert "for 0 days and 0 hours more" in answer(shown("2025-08-08T07:59"))
    assert "until further notice" in answer(shown("2025-08-08T08:00"))


def page_field(page: Page) -> str:
    (field,) = [one for one in page.all("input") if one.attributes["name"] == "on"]
    return str(field.attributes["value"])


def test_a_moment_before_the_first_text_says_when_it_begins() -> None:
    told = answer(shown("2024-12-06T07:59"))
    assert "No text is kept for this day" in told
    assert "The first begins on Friday, 6 December 2024, 08:00." in told


def test_a_moment_that_is_none_is_told_beside_the_present() -> None:
    page = shown("from spring")
    assert "'from spring' is not a time" in page.one("p", id="wrong").text
    assert page_field(page) == "2025-07-22T14:05"


def test_what_changes_is_told_with_its_paragraphs_and_money() -> None:
    (changes,) = [one for one in shown().all("section") if one.attributes.get("aria-labelledby") == "changes"]
    for told in ("20 of 20 stay, at the same prices", "R new", "No house edge moves.", "layouts"):
        assert told in changes.text, told
    assert f"/rules/diff?a={V3}&b={V4}" in shown().links


def test_the_notice_is_there_in_both_languages() -> None:
    for lang in ("en", "zh"):
        (notice,) = shown(lang=lang).all("div", **{"class": "notice-card"})
        assert (
            "Version 4 of the rules comes into force at this table on Friday, 8 August 2025, 08:00."
            in notice.text
        )
        assert "Every bet pays what it paid before. New layouts: R." in notice.text
        assert "各注項賠率不變" in notice.text


def test_a_version_without_a_date_is_not_in_force_anywhere(tmp_path: Path) -> None:
    (tmp_path / "draft.toml").write_text(DRAFT)
    search_in(tmp_path)
    for on in ("", "2099-01-01T00:00"):
        page = shown(on)
        (draft,) = page.all("li", **{"class": "undated"})
        assert "Version 5" in draft.text
        assert "not in force" in draft.text
        assert "Version 5" not in page.one("h2", id="answer").text
    page = shown(change=f"{FAMILY}-v5")
    assert page.all("div", **{"class": "notice-card"}) == [], (
        "nothing to tell players of a text that has no date"
    )
    assert len([link for link in page.links if link.startswith("/rules/timeline") and "change=" in link]) == 2


def test_one_version_has_nothing_to_compare() -> None:
    page = shown(family="mbs-tiger")
    assert "Nothing to compare yet." in page.one("main").text
    with pytest.raises(BadInput, match=r"^there is no family of rulebooks 'nix'"):
        shown(family="nix")


def test_tables_are_shown_to_staff_alone_and_only_those_of_the_game() -> None:
    tables = (
        TableInTime("one", "One", "C", V3, 3, "Friday", 4),
        TableInTime("two", "Two", "C", V3, 3, "", 0),
        TableInTime("three", "Three", "L", V4, 4, "", 0),
        TableInTime("four", "Four", "A", "mbs-tiger-v2", 2, "", 0),
    )
    (moves,) = shown(tables=tables).all("ul", **{"class": "moves"})
    assert [word in moves.text for word in ("One", "Two", "Three", "Four")] == [True, True, True, False]
    assert "moves to version 4" in moves.text
    buttons = shown(tables=tables).all("button")
    asked = [
        {key: value for key, value in one.attributes.items() if key.startswith("data-")} for one in buttons
    ]
    assert {"data-stay": "one"} in asked
    assert {"data-move": "two"} in asked
    assert {"data-move": "three"} not in asked, "there is no later version"
    assert shown().all("ul", **{"class": "moves"}) == []


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    def pages(app) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
        for one in PAGES:
            app.register(one)

    path = tmp_path_factory.mktemp("timeline") / "house.db"
    with Served(path, new_table("one", slug=V3, layout="C"), change=pages) as served:
        yield served


@pytest.mark.server
def test_over_http_staff_see_their_tables_and_nobody_else_does(house: Served) -> None:
    address = f"/rules/timeline?family={FAMILY}"
    staff = house.as_("pit-manager").get(address)
    assert 'data-move="one"' in staff.text
    assert staff.headers["cache-control"] == "no-store"
    assert 'data-move="one"' not in house.as_("auditor").get(address).text, "who may not move it"
    assert 'class="moves"' not in house.as_(NOBODY).get(address).text
    assert house.as_(NOBODY).get("/rules/timeline?family=nix").status_code == 404
    assert msgspec.json.decode(house.as_("pit-manager").post("/api/tables/one/move", {}).content)[
        "events"
    ] == ["move-planned"]
