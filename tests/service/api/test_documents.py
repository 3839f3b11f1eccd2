"""Documents over HTTP: the house's own copy of one, a draft from one, a rulebook held to one."""

import base64
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from service.api.serving import Served, is_problem
from service.houses import new_table
from service.playing import played
from thirdcard.rulebook import digest_of, load, slugs
from thirdcard.service.log.floor_events import DOCUMENT_KEPT, DOCUMENT_TAKEN
from thirdcard.service.log.store import open_store
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


# Drafts ---------------------------------------------------------------------------------------------------

DOCUMENT = """Quick Tiger
Game Rules
Version 7

1. Mode of play
1.1 The game shall be played with six to eight decks of cards.
1.2 Tie refers to a Bet that wins when both hands have the same Point Total.
2. Settlement
2.1 Winning bets shall be paid as follows:
2.1.1 Player pays 1 to 1.
2.1.2 Banker pays 0.95 to 1.
2.1.3 Tie pays 9 to 1.
"""


def asked(
    house: Served, what: str, text: str | bytes = DOCUMENT, who: str = "administrator", **more: str
) -> httpx.Response:
    data = text if isinstance(text, bytes) else text.encode()
    body = {"file": "rules.txt", "data": base64.b64encode(data).decode(), **more}
    return house.as_(who).post(f"/api/documents/{what}", body)


def test_a_draft_is_read_and_is_no_book_until_all_is_confirmed(house: Served) -> None:
    read = asked(house, "read").json()
    report = read["report"]
    values = {value["key"]: (value["value"], value["line"]) for value in report["read"]}
    assert values["decks"] == ("6 to 8", 6)
    assert values["bets.tie.pays.win"] == ("9 to 1", 12)
    assert report["to_decide"]
    given = house.as_("administrator").post("/api/rulebooks", {"file": "draft.toml", "text": read["text"]})
    assert is_problem(given, 422)
    assert any("not confirmed" in found["finding"] for found in given.json()["findings"])


def test_a_book_is_held_to_a_document(house: Served) -> None:
    held = asked(house, "check", rulebook="mbs-tiger-v2").json()
    assert (held["rulebook"], held["digest"]) == ("mbs-tiger-v2", digest_of(load("mbs-tiger-v2")))
    assert 0 < held["agree"] < held["compared"]
    tie = [found for found in held["findings"] if found["key"].startswith("bets.tie.pays")]
    assert (12, "is 8 to 1, where 2.1.3 says 9 to 1") in [
        (found.get("line"), found["finding"]) for found in tie
    ]
    assert is_problem(asked(house, "check", rulebook="no-such-book"), 404)


@pytest.mark.parametrize(
    "text", [b"", b"No rules at all.", b"%PDF-1.7 broken", b"PK\x03\x04 a letter", b"\x00" * 200]
)
def test_what_is_no_document_is_told_in_a_sentence(house: Served, text: bytes) -> None:
    answer = asked(house, "read", text)
    assert is_problem(answer, 400, 422)
    assert answer.json()["detail"].strip()


def test_only_who_gives_rulebooks_reads_documents(house: Served) -> None:
    for role in ROLES:
        if role != "administrator":
            assert is_problem(asked(house, "read", who=role), 403)
            assert is_problem(asked(house, "check", who=role, rulebook="mbs-tiger-v2"), 403)


# Recorded rounds under another text


def test_rounds_are_settled_again_for_who_reads_logs(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    played(open_store(str(path)), rounds=3)
    with Served(path, pages=PAGES) as house:
        manager = house.as_("shift-manager")
        live = next(live for live in house.hall.tables().values() if live.table.rounds)
        book, title = live.table.rulebook, live.created.title if live.created else ""
        same = manager.get(f"/api/resettle?under={book.slug}&table={live.id}").json()
        assert same["rounds"] + same["void"] >= 3, "the house goes on dealing"
        assert (same["otherwise"], same["could_not"], same["difference"]) == (0, 0, 0)
        other = next(slug for slug in slugs() if slug != book.slug)
        page = manager.get(f"/audit/resettle?do=1&under={book.slug}&table={live.id}").text
        assert "pay the same, to the cent" in page
        assert title in page
        assert manager.get(f"/audit/resettle?do=1&under={other}").status_code == 200
        assert (
            "no round ends in that time"
            in manager.get(
                f"/audit/resettle?do=1&under={book.slug}&since=2026-02-02T10:00&until=2026-02-01T10:00"
            ).text
        )
        assert is_problem(manager.get("/api/resettle?under=nothing"), 404)
        assert is_problem(manager.get(f"/api/resettle?under={book.slug}&table=nowhere"), 400)
        for role in ROLES:
            may = role in PERMISSIONS["read-log"]
            assert (house.as_(role).get(f"/api/resettle?under={book.slug}").status_code == 200) == may
