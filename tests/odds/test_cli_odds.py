"""`thirdcard odds`, `insurance` and `report` as the contract has them."""

import json
import re
import sys
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from cli.running import here
from thirdcard.cli import odds as commands
from thirdcard.errors import BadInput
from thirdcard.odds import fresh, values
from thirdcard.rulebook import load, slugs

app = typer.Typer()
app.command("odds")(commands.odds)
app.command("insurance")(commands.insurance)
app.command("report")(commands.report)

FREE = "rws-tiger-buffalo-non-commission-v4"
CBI = "rws-commission-insurance-v5"


def told(*arguments: str) -> str:
    done = CliRunner().invoke(app, arguments, catch_exceptions=False, env={"COLUMNS": "80", "NO_COLOR": "1"})
    assert done.exit_code == 0, done.output
    return done.stdout


def answer(*arguments: str) -> Any:  # noqa: ANN401 - JSON
    return json.loads(told(*arguments, "--json"))


def exact(holder: dict[str, Any], key: str) -> Fraction:
    """The number under a key; it is in lowest terms and the rounded one beside it is it."""
    value = Fraction(holder[key])
    assert holder[key] == str(value)
    assert holder[f"{key}_approx"] == float(value)
    return value


@pytest.mark.parametrize("slug", slugs())
def test_odds_hold_every_bet(slug: str) -> None:
    book = load(slug)
    found = answer("odds", slug)
    assert (found["decks"], found["cards_left"], list(found["bets"])) == (8, 416, list(book.bets))
    for name, value in values(book, fresh()).items():
        one = found["bets"][name]
        assert exact(one, "ev") == value.ev == -exact(one, "house_edge")
        assert exact(one, "win") + exact(one, "push") + exact(one, "lose") == 1
        assert one["sd"] ** 2 == pytest.approx(float(Fraction(one["variance"])))
        assert {tier: (t["odds"], exact(t, "probability")) for tier, t in one["tiers"].items()} == {
            tier.tier: (tier.odds.text, value.chance(tier.tier)) for tier in value.bet.pays
        }


def test_layout_decks_and_seen_cards() -> None:
    found = answer("odds", FREE, "--layout", "P", "--decks", "6", "--seen", "9C KD 9H")
    assert (found["decks"], found["cards_left"]) == (6, 309)
    assert tuple(found["bets"]) == load(FREE).layouts["P"].bets


def test_plan_effects_decks_and_another_rulebook() -> None:
    found = answer(
        "odds", "mbs-tiger-v2", "--plan", "banker=100,big-tiger=5", "--rounds", "1000", "--effects",
        "--compare-decks", "--against", FREE,
    )  # fmt: skip
    plan = found["plan"]
    assert plan["stakes"] == {"banker": 10_000, "big-tiger": 500}
    assert [one["net"] for one in plan["results"]] == [-10_500, -500, 9000, 34_500]
    assert sum(exact(one, "probability") for one in plan["results"]) == 1
    assert exact(plan, "mean") == sum(one["net"] * Fraction(one["probability"]) for one in plan["results"])
    assert (plan["worst"], plan["best"]) == (-10_500, 34_500)
    assert plan["rounds"]["method"] == "normal approximation"
    assert plan["rounds"]["mean_approx"] == pytest.approx(1000 * plan["mean_approx"])
    assert "".join(found["effects"]["tie"]) == "A23456789TJQK"
    assert exact(found["effects"]["tie"]["6"], "ev") < 0
    assert list(found["by_decks"]) == ["4", "5", "6", "7", "8", "9", "10"]
    assert exact(found["by_decks"]["8"]["tie"], "house_edge") == -Fraction(found["bets"]["tie"]["ev"])
    assert found["against"]["slug"] == FREE
    assert found["against"]["changed"] == ["banker"]
    assert exact(found["against"]["common"]["banker"], "difference") > 0
    assert "player-pair" in found["against"]["only_there"]


@pytest.mark.parametrize(("slug", "count"), [(CBI, 73), ("rws-tiger-buffalo-commission-v2", 83)])
def test_insurance_lists_every_offer(slug: str, count: int) -> None:
    found = answer("insurance", slug)
    assert len(found) == count
    for one in found:
        assert 0 < exact(one, "probability") < 1
        value = exact(one, "ev")
        assert one["favours"] == ("player" if value > 0 else "house")
        assert (one["hand"] in ("player", "banker"), one["window"] in (1, 2)) == (True, True)
        assert one["rules"]


def test_insurance_with_cards_on_the_table() -> None:
    (one,) = answer("insurance", CBI, "--cards", "6C 3D KH AS", "--seen", "5C 5D")
    assert (one["hand"], one["window"], one["player"], one["banker"]) == ("player", 1, 6, 4)
    assert (one["odds"], one["probability"]) == ("3 to 1", "1")
    assert exact(one, "ev") == 3 * exact(one, "win") - exact(one, "lose")
    assert answer("insurance", CBI, "--cards", "9C 3D KH AS") == []
    assert "None is open" in told("insurance", CBI, "--cards", "9C 3D KH AS")


@pytest.mark.slow
def test_tables_fit_a_screen_and_say_who_is_favoured() -> None:
    shown = told("odds", FREE, "--effects", "--compare-decks", "--against", CBI, "--plan", "banker=100,tie=5")
    assert max(map(len, shown.splitlines())) <= 80
    assert re.search(r"Banker +45\.8597 +9\.5156 +44\.6247 +1\.4581 +0\.930", shown)
    assert re.search(r"on 6 +1 to 2 +5\.3864", shown)
    insured = told("insurance", CBI)
    assert max(map(len, insured.splitlines())) <= 80
    assert re.search(r"5 +6 +3 to 1 .* \+8\.4397 +player", insured)
    assert "12 of 73 offers favour the player." in insured
    assert "No offer favours the player." in told("insurance", "rws-tiger-buffalo-commission-v2")


def test_a_bet_that_favours_the_player_is_called_so() -> None:
    seen = " ".join(f"{rank}{suit}" for rank in "A23456" for suit in "SHDC" for _ in range(4))
    assert "favours the player here" in told("odds", FREE, "--decks", "4", "--seen", seen)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("odds", "mbs-tiger"), "there is no rulebook 'mbs-tiger': did you mean mbs-tiger-v2"),
        (("odds", FREE, "--decks", "11"), "played with 4 to 10 decks"),
        (("odds", CBI, "--decks", "9"), "played with 4 to 8 decks"),
        (("odds", FREE, "--layout", "Z"), "has no layout 'Z'"),
        (("odds", FREE, "--seen", "9Z"), "'9Z' is not a card"),
        (("odds", FREE, "--decks", "4", "--seen", "9C " * 5), "9C comes 5 times, but 4 decks hold only 4"),
        (("odds", FREE, "--rounds", "5"), "--rounds needs a plan"),
        (("odds", FREE, "--plan", "tigre=5"), "has no bet 'tigre'"),
        (("odds", FREE, "--against", "nothing"), "there is no rulebook 'nothing'"),
        (("odds", FREE, "--decks", "10", "--against", CBI), "played with 4 to 8 decks"),
        (("insurance", FREE), "offers no insurance"),
        (("insurance", CBI, "--cards", "6C 3D"), "expected the four or five cards"),
        (
            ("insurance", CBI, "--decks", "4", "--seen", "6C 6C 6C 6C", "--cards", "6C 3D KH AS"),
            "6C comes 5 times",
        ),
        (("report", CBI, "--out", "no/such/place.html"), "there is no directory no/such"),
    ],
)
def test_bad_input_is_one_sentence(arguments: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint) as caught:
        told(*arguments)
    assert "\n" not in str(caught.value)


def test_not_enough_cards_for_a_round() -> None:
    every = [f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "SHDC" for _ in range(4)]
    assert answer("odds", FREE, "--decks", "4", "--seen", " ".join(every[6:]))["cards_left"] == 6
    with pytest.raises(BadInput, match="not enough cards for a round: 5 left, 6 needed"):
        told("odds", FREE, "--decks", "4", "--seen", " ".join(every[5:]))


class Page(HTMLParser):
    """What a browser would fetch, what is drawn, and whether every element is closed."""

    VOID = ("meta",)

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("slug", slugs())
def test_the_report_is_one_page_that_needs_nothing(slug: str, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    told("report", slug, "--out", str(file))
    text = file.read_text(encoding="utf-8")
    page, book = Page(text), load(slug)
    assert not {"script", "link", "img", "iframe"} & {tag for tag, _ in page.tags}
    assert not re.search(r"(?:src|href)=|url\(|@import|https?:(?!//www\.w3\.org/2000/svg)", text)
    drawn = [attributes for tag, attributes in page.tags if tag == "svg"]
    charts = [attributes for attributes in drawn if attributes.get("class") != "bar"]
    maps = len({(o.hand, o.window) for o in book.insurance.offers}) if book.insurance else 0
    assert len(drawn) - len(charts) == len(book.bets)
    assert sum(tag == "figure" for tag, _ in page.tags) == 2 * len(book.bets) + maps
    assert len(charts) + text.count("No rank changes it") == 2 * len(book.bets) + maps
    assert all(chart["role"] == "img" and chart["aria-label"] for chart in charts)
    for value in values(book, fresh()).values():
        assert f"{float(value.house_edge * 100):.4f}%" in text
        assert str(value.ev) in text


def test_the_report_shows_offers_that_favour_the_player(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("replaced", encoding="utf-8")
    told("report", CBI, "--out", str(file), "--decks", "6")
    text = file.read_text(encoding="utf-8")
    assert re.search(r"[0-9]+ of 73 offers favour the player", text)
    assert re.search(r"<td>the player</td><td>[0-9.]+", text)
    assert "fresh shoe of 6 decks" in text


def test_a_report_without_jinja_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    for name in [name for name in sys.modules if name.startswith("thirdcard.web.pages")]:
        monkeypatch.delitem(sys.modules, name)
    assert here("report", CBI, "--out", tmp_path / "page.html") == (
        2,
        "",
        "thirdcard: this needs jinja2: install it with `pip install 'thirdcard[report]'`\n",
    )
