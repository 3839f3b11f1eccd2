"""The odds explorer shows the numbers of `thirdcard odds` and `insurance`, and what is wrong beside its field."""

import json
import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from thirdcard.cards import Rank
from thirdcard.cli import odds as commands
from thirdcard.odds import fresh
from thirdcard.rulebook import load, slugs
from thirdcard.web import charts
from thirdcard.web.pages import odds as explorer
from thirdcard.web.pages.odds import odds_compare, odds_page, percent, signed
from thirdcard.words import bet_words
from web.reading import Element, Page

pytestmark = pytest.mark.slow

TBC, CBI, MBS = "rws-tiger-buffalo-commission-v2", "rws-commission-insurance-v5", "mbs-tiger-v2"
MINUS = "\N{MINUS SIGN}"
SEEN = "9C 9C 9D 9S 8H 8D KD 6S 6S 6H AC"

app = typer.Typer()
app.command("odds")(commands.odds)
app.command("insurance")(commands.insurance)


def answer(*arguments: str) -> Any:  # noqa: ANN401 - JSON
    done = CliRunner().invoke(app, (*arguments, "--json"), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def section(page: Page, name: str) -> Element:
    return page.one("section", aria_labelledby=name)


def cells(row: Element) -> list[str]:
    return [cell.text for cell in row.all("td")]


def shown(number: float) -> str:
    return f"{number * 100:.4f}".replace("-", MINUS)


@pytest.mark.parametrize(
    ("slug", "layout", "decks", "seen"),
    [
        *((slug, "", 8, "") for slug in slugs()),
        (TBC, "M", 6, SEEN),
        (CBI, "A", 4, SEEN),
        (MBS, "D", 10, SEEN),
    ],
)
def test_numbers_are_those_of_the_command(slug: str, layout: str, decks: int, seen: str) -> None:
    page = Page(odds_page(slug, layout, decks, seen, "en"))
    only = ("--layout", layout) if layout else ()
    found = answer("odds", slug, "--decks", str(decks), "--seen", seen, *only)
    rows = {row.attributes["data-bet"]: row for row in section(page, "numbers").all("tr") if row.all("td")}
    exact = {row.attributes["data-bet"]: row for row in page.one("table", _class="exact").all("tr")[1:]}
    assert set(rows) == set(exact) == set(found["bets"])
    for name, told in found["bets"].items():
        _, win, push, lose, edge, sd = cells(rows[name])
        assert (win, lose, edge) == tuple(shown(told[f"{k}_approx"]) for k in ("win", "lose", "house_edge"))
        assert push == (shown(told["push_approx"]) if told["push_approx"] else "0")
        assert sd == f"{told['sd']:.4f}"
        titles = [cell.attributes.get("title") for cell in rows[name].all("td")]
        assert titles[1:5] == [told[key] for key in ("win", "push", "lose", "house_edge")]
        assert cells(exact[name]) == [told[key] for key in ("ev", "win", "push", "lose", "variance")]
        assert bet_words(name).en in rows[name].text
    left = page.one("details", _class="left").all("summary")[0]
    assert left.text == f"Cards left {found['cards_left']}"


@pytest.mark.parametrize(("slug", "seen"), [(TBC, ""), (CBI, ""), (TBC, SEEN)])
def test_insurance_is_that_of_the_command(slug: str, seen: str) -> None:
    page = Page(odds_page(slug, "", 8, seen, "en"))
    rows = [row for row in page.one("table", _class="offers").all("tr") if row.all("td")]
    found = answer("insurance", slug, "--seen", seen)
    for told, row in zip(found, rows, strict=True):
        _, player, banker, odds, comes, *chances, value, favours, rules = cells(row)
        assert (player, banker, odds) == (str(told["player"]), str(told["banker"]), told["odds"])
        assert comes == shown(told["probability_approx"])
        assert chances == [shown(told[f"{key}_approx"]) for key in ("win", "push", "lose")]
        assert value == signed(Fraction(told["ev"]), 100, 4)
        assert told["favours"] in favours
        assert rules.split() == told["rules"]
    charted = [cell for figure in section(page, "insurance").all("figure") for cell in figure.all("g")]
    assert len(charted) == len(found)


def test_a_rulebook_without_insurance_has_no_map() -> None:
    assert not Page(odds_page(MBS, "", 8, "", "en")).all("section", aria_labelledby="insurance")


def test_effects_are_those_of_the_command() -> None:
    removal = section(Page(odds_page(CBI, "", 8, "", "en")), "removal")
    found = answer("odds", CBI, "--effects")["effects"]
    for (name, by_rank), row in zip(found.items(), removal.all("tbody")[0].all("tr"), strict=True):
        assert bet_words(name).en in row.text
        assert list(by_rank) == [rank.letter for rank in Rank]
        titles = [cell.attributes["title"] for cell in row.all("td")]
        assert titles == [told["ev"] for told in by_rank.values()]
        assert cells(row) == [signed(Fraction(told["ev"]), 10_000, 2) for told in by_rank.values()]


def test_two_rulebooks_side_by_side() -> None:
    free = "rws-tiger-buffalo-non-commission-v4"
    page = Page(odds_compare(TBC, free, 8, "en"))
    found = answer("odds", TBC, "--against", free)["against"]
    rows = {row.attributes["data-bet"]: row for row in section(page, "edge").all("tr") if row.all("td")}
    assert set(rows) == set(found["common"])
    for name, told in found["common"].items():
        _, here, there, difference = cells(rows[name])
        assert (here, there) == (shown(told["house_edge_approx"]), shown(told["against_approx"]))
        gap = Fraction(told["difference"])
        assert difference == (signed(gap, 100, 4) if gap else "same")
    assert found["changed"]


@pytest.mark.parametrize(
    ("field", "asked", "sentence"),
    [
        ("rulebook", ("nothing", "", 8, ""), "there is no rulebook 'nothing'"),
        ("layout", (MBS, "Z", 8, ""), "mbs-tiger-v2 has no layout 'Z'"),
        (
            "decks",
            (CBI, "", 10, ""),
            "rws-commission-insurance-v5 is played with 4 to 8 decks (2.2.1): got 10",
        ),
        ("seen", (MBS, "", 8, "9C 10H"), "'10H' is not a card: expected a rank of A23456789TJQK"),
        ("seen", (MBS, "", 4, "9C " * 5), "9C comes 5 times, but 4 decks hold only 4 of it"),
        ("seen", (MBS, "", 8, '"><b id=x>'), "'\"><b' is not a card"),
        ("seen", (MBS, "", 10, "9C " * 700), "that is more than any shoe holds"),
    ],
)
def test_what_is_wrong_is_told_beside_its_field(
    field: str, asked: tuple[str, str, int, str], sentence: str
) -> None:
    page = Page(odds_page(*asked, "en"))
    told = page.one("p", id=f"wrong-{field}")
    assert told.text.startswith(sentence)
    (invalid,) = [one for one in page.elements if one.attributes.get("aria-invalid") == "true"]
    assert invalid.attributes["aria-describedby"] == f"wrong-{field}"
    before = page.elements[page.elements.index(told) - 1]
    assert page.elements.index(invalid) <= page.elements.index(before)
    assert page.one("input", name="seen").attributes["value"] == asked[3]
    assert page.faults() == []
    assert "x" not in page.ids
    assert not page.all("table"), "no figures while a field is wrong"


@pytest.mark.parametrize(
    ("field", "asked"), [("a", ("nothing", MBS, 8)), ("b", (MBS, "nothing", 8)), ("decks", (MBS, CBI, 10))]
)
def test_a_comparison_tells_what_is_wrong_too(field: str, asked: tuple[str, str, int]) -> None:
    page = Page(odds_compare(*asked, "en"))
    assert page.one("p", id=f"wrong-{field}").text
    assert not page.all("table")


def test_the_form_offers_what_the_rulebook_allows() -> None:
    page = Page(odds_page(CBI, "B", 6, "9C KD", "zh"))
    decks = [one.attributes for one in page.all("input", type="radio")]
    assert [one["value"] for one in decks] == ["4", "5", "6", "7", "8"]
    assert [one["value"] for one in decks if "checked" in one] == ["6"]
    options = page.one("select", name="layout").all("option")
    assert [one.attributes["value"] for one in options] == ["", *load(CBI).layouts]
    assert [one.attributes["value"] for one in options if "selected" in one.attributes] == ["B"]
    switches = [one.attributes["href"] for one in page.all("a", _class="language")]
    asked = f"?rulebook={CBI}&layout=B&decks=6&seen=9C+KD"
    assert switches == [f"{asked}&lang=en", f"{asked}&lang=zh-Hans"]


def test_a_bet_that_favours_the_player_is_said_in_words() -> None:
    """Only eights, nines and tens left: Tie and the pairs turn."""
    seen = " ".join(f"{rank}{suit}" for rank in "A234567" for suit in "SHDC" for _ in range(8))
    page = Page(odds_page(CBI, "", 8, seen, "en"))
    found = answer("odds", CBI, "--seen", seen)["bets"]
    good = [name for name, told in found.items() if told["ev_approx"] > 0]
    assert "tie" in good
    notices = [one.text for one in section(page, "edge").all("p", _class="notice")]
    assert notices == [f"{bet_words(name).en} favours the player with these cards left." for name in good]


def test_signs() -> None:
    assert percent(Fraction(1, 8)) == "12.5000"
    assert percent(Fraction(-1, 8)) == f"{MINUS}12.5000"
    assert (signed(Fraction(1, 8), 100, 1), signed(Fraction(0), 100, 1)) == ("+12.5", "0.0")


def bar(percent_of: float, low: float, high: float) -> tuple[float, float]:
    drawn = Page(charts.bar(percent_of, low, high, "banker")).all("rect")[0].attributes
    return float(drawn["x"].rstrip("%")), float(drawn["width"].rstrip("%"))


def test_bars_grow_from_zero_to_either_side() -> None:
    assert bar(10, 0, 20) == (0, 50)
    assert bar(-5, -5, 15) == (0, 25)
    assert bar(15, -5, 15) == (25, 75)


def test_a_column_for_each_rank_up_or_down() -> None:
    changes = {Rank.ACE: 2.0, Rank.TWO: -1.0, Rank.KING: 0.5}
    columns = [one for one in Page(charts.removal("t", changes, "tie")).all("rect") if one.all("title")]
    assert [one.text for one in columns] == ["A: +2.00", f"2: {MINUS}1.00", "K: +0.50"]
    middle = 46
    ends = [(float(c.attributes["y"]), float(c.attributes["height"])) for c in columns]
    assert ends == [(middle - 40, 40), (middle, 20), (middle - 10, 10)]


def test_what_is_kept_is_bounded() -> None:
    for kept in (explorer._worth, explorer._offered, explorer._effects):  # noqa: SLF001
        assert kept.cache_info().maxsize
    explorer._worth.cache_clear()  # noqa: SLF001
    odds_page(MBS, "A", 8, "", "en")
    odds_page(MBS, "B", 8, "", "zh")
    assert explorer._worth.cache_info()[:2] == (1, 1)  # noqa: SLF001 - a hit and a miss
    assert set(explorer._worth(load(MBS), fresh(8))) == set(load(MBS).bets)  # noqa: SLF001


def test_pages_need_neither_numba_nor_numpy() -> None:
    program = (
        "import sys; from thirdcard.web.pages.odds import odds_page; "
        f"odds_page({TBC!r}, '', 8, '', 'en'); print({{'numba', 'numpy'}} & set(sys.modules))"
    )
    done = subprocess.run((sys.executable, "-c", program), capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
