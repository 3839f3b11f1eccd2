"""Rounds are looked for over HTTP and on a page, by those who read logs, and the search is on record."""

import csv
import io
from collections.abc import Iterator
from urllib.parse import urlencode

import msgspec
import pytest

from service.api.serving import Asking, Served
from service.houses import new_table
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import SEARCHED, Noted
from thirdcard.service.log.store.model import JOURNAL
from thirdcard.web.site import PAGES

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A round at a table that people deal at: Wei has 500 on the Banker in box 3, and loses."""
    house = Served(tmp_path_factory.mktemp("house") / "house.db", new_table("one"), pages=PAGES)
    dealer, wei = house.as_("dealer"), house.player("Wei", "one", box=3)
    dealer.does("new-shoe", "one")
    dealer.does("open", "one")
    wei.does("place", "one", box=3, bet="banker", cents=500_00)
    dealer.does("close", "one")
    for card in ("9C", "2C", "KD", "3D"):
        dealer.does("draw", "one", card=card)
    dealer.does("settle", "one")
    yield house
    house.stop()


@pytest.fixture
def auditor(served: Served) -> Asking:
    return served.as_("auditor")


def searches(served: Served) -> list[Noted]:
    found = map(event_of, served.hall.engine.store.read(JOURNAL))
    return [one for one in found if isinstance(one, Noted) and one.kind == SEARCHED]


def test_in_words_and_by_parts(auditor: Asking) -> None:
    asked = (
        {"words": "box 3 says Banker 500 today"},
        {"question": {"box": 3, "bet": "banker", "least": 500_00}},
    )
    for body in asked:
        answer = auditor.post("/api/find", body).json()
        (one,) = answer["rounds"]
        assert (one["table"], one["number"], one["outcome"], one["net"]) == ("one", 1, "player", -500_00)
        assert one["cards"] == {"player": ["9C", "KD"], "banker": ["2C", "3D"]}
        assert answer["schema"] == "thirdcard.find.1"
        assert answer["asked"][0]["bet"] == "banker"
    assert auditor.post("/api/find", {"question": {"box": 2}}).json()["rounds"] == []


def test_every_search_is_on_record_with_who_and_what(served: Served, auditor: Asking) -> None:
    before = len(searches(served))
    auditor.post("/api/find", {"words": "Wei"})
    auditor.get("/audit/find?words=Wei")
    made = searches(served)[before:]
    assert [msgspec.json.decode(str(one.facts["asked"])) for one in made] == [[{"player": "Wei"}]] * 2
    assert {one.facts["by"] for one in made} == {"auditor-1"}
    auditor.get("/audit/find")
    assert len(searches(served)) == before + 2, "an empty form asks for nothing"


@pytest.mark.parametrize("who", ["player", "guest", "dealer", "pit-supervisor"])
def test_only_who_reads_logs_may_search(served: Served, who: str) -> None:
    before = len(searches(served))
    assert served.as_(who).post("/api/find", {"words": "Wei"}).status_code == 403
    assert "Wei" not in served.as_(who).get("/audit/find.csv?player=Wei").text
    assert len(searches(served)) == before


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"words": "lasagne"}, "lasagne"),
        ({"words": "Wei", "question": {"box": 3}}, "not both"),
        ({"question": {"number": 1}}, "which table"),
        ({"after": "x"}, "gave as"),
        ({"question": {"cards": {"player": "9X"}}}, "9X"),
        ({"question": {"box": "3"}}, "box"),
        ({"limit": 0}, "limit"),
    ],
)
def test_what_is_wrong_is_told(auditor: Asking, body: dict[str, object], told: str) -> None:
    answer = auditor.post("/api/find", body)
    assert answer.status_code in (400, 422), answer.text
    assert told in answer.text


def test_a_word_that_is_not_understood_is_left_out_and_named(auditor: Asking) -> None:
    answer = auditor.post("/api/find", {"words": "box 3 lasagne"}).json()
    assert (answer["asked"], answer["skipped"]) == ([{"box": 3}], ["lasagne"])
    assert "lasagne" in auditor.get("/audit/find?words=box+3+lasagne").text


def test_the_page_shows_the_round_and_keeps_what_was_typed(auditor: Asking) -> None:
    text = auditor.get("/audit/find?" + urlencode({"player": "Wei", "from": "500", "to": "1,000"})).text
    assert "/audit/one/rounds/1" in text
    assert 'value="1,000"' in text
    assert "not understood" in auditor.get("/audit/find?words=lasagne").text
    assert "未能理解" in auditor.get("/audit/find?words=lasagne&lang=zh").text
    assert "box is a whole number" in auditor.get("/audit/find?box=x").text


def test_the_file_has_a_row_a_stake(auditor: Asking) -> None:
    answer = auditor.get("/audit/find.csv?player=Wei")
    assert answer.headers["content-type"].startswith("text/csv")
    (row,) = csv.DictReader(io.StringIO(answer.text))
    assert (row["round"], row["bet"], row["stake"], row["net"]) == ("1", "banker", "50000", "-50000")
    assert row["staff"]
