"""The house's own copy of a document: given and taken back by its administrator, read by its staff alone."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from service.api.serving import Served, is_problem
from service.houses import new_table
from thirdcard.rulebook import digest_of, load
from thirdcard.service.log.floor_events import DOCUMENT_KEPT, DOCUMENT_TAKEN
from thirdcard.service.log.store.model import JOURNAL
from thirdcard.service.people.roles import PERMISSIONS, ROLES
from thirdcard.web.site import PAGES

pytestmark = pytest.mark.server

SLUG = "rws-tiger-buffalo-non-commission-v4"
COPY, PAGE = f"/api/rules/{SLUG}/copy", f"/rules/{SLUG}/beside?p=1.2"
TEXT = """1. Words
1.1 What the table of play is, and
(a) where it hangs.
1.2 A bet on seven with three cards: seen nowhere else.
"""
WORDS = "seen nowhere else"


@pytest.fixture
def house(house_path: Path) -> Iterator[Served]:
    with Served(house_path, new_table("one"), pages=PAGES) as served:
        yield served


def given(house: Served, text: str, who: str = "administrator", address: str = COPY) -> httpx.Response:
    return house.as_(who).post(address, {"text": text}, method="PUT")


def test_a_copy_is_kept_by_paragraph_and_taken_back(house: Served) -> None:
    administrator = house.as_("administrator")
    assert administrator.get(COPY).json()["paragraphs"] == {}
    assert given(house, TEXT).status_code == 204
    kept = administrator.get(COPY).json()
    assert (kept["rulebook"], kept["digest"]) == (SLUG, digest_of(load(SLUG)))
    assert sorted(kept["paragraphs"]) == ["1.1", "1.2"]
    assert "where it hangs" in kept["paragraphs"]["1.1"], "a lettered item stands with its paragraph"
    assert given(house, TEXT.replace("nowhere else", "here alone")).status_code == 204, (
        "another takes its place"
    )
    assert "here alone" in administrator.get(COPY).json()["paragraphs"]["1.2"]
    assert administrator.post(COPY, method="DELETE").status_code == 204
    assert administrator.get(COPY).json()["paragraphs"] == {}


def test_who_may_read_and_give_it(house: Served) -> None:
    for role in ROLES:
        assert (given(house, TEXT, role).status_code == 204) == (role == "administrator")
        assert (house.as_(role).post(COPY, method="DELETE").status_code == 204) == (role == "administrator")
    given(house, TEXT)
    for role in ROLES:
        reads = role in PERMISSIONS["read-documents"]
        assert (house.as_(role).get(COPY).status_code == 200) == reads
        page = house.as_(role).get(PAGE)
        assert page.status_code == 200
        assert (WORDS in page.text) == reads
        assert not reads or "no-store" in page.headers["cache-control"]
    stranger = httpx.get(f"{house.url}{PAGE}")
    assert stranger.status_code == 200
    assert WORDS not in stranger.text, "what staff saw was not kept for others"


def test_the_journal_names_it_and_holds_nothing_of_it(house: Served) -> None:
    given(house, TEXT)
    house.as_("administrator").post(COPY, method="DELETE")
    kinds = [(found.name, found.flag) for found in house.hall.engine.store.read(JOURNAL)]
    assert [flag for _, flag in kinds if flag in (DOCUMENT_KEPT, DOCUMENT_TAKEN)] == [
        DOCUMENT_KEPT,
        DOCUMENT_TAKEN,
    ]
    assert all(WORDS.encode() not in found.body for found in house.hall.engine.store.read(JOURNAL))


@pytest.mark.parametrize("text", ["", "No paragraph has a number here.", "9.9.9 Of another game."])
def test_what_is_no_document_of_that_book_is_refused(house: Served, text: str) -> None:
    assert is_problem(given(house, text), 400, 422)
    assert house.as_("administrator").get(COPY).json()["paragraphs"] == {}


def test_a_book_that_is_not_known(house: Served) -> None:
    assert is_problem(given(house, TEXT, address="/api/rules/no-such-book/copy"), 404)
