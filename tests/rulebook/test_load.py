"""Rulebooks are checked across their fields; a fault names file and key."""

import re
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from importlib.resources import files

import pytest

from each import each
from law.changes import Edit, Path, as_toml, edited
from thirdcard.errors import BadInput
from thirdcard.play.classes import outcomes
from thirdcard.rulebook import load, named, slugs
from thirdcard.rulebook.conditions import matches
from thirdcard.rulebook.faults import citations
from thirdcard.rulebook.findings import RulebookError
from thirdcard.rulebook.load import DOCUMENTS, check, read

TBC = "rws-tiger-buffalo-commission-v2"
FILE = f"{TBC}.toml"
TEXT = (files("thirdcard.rulebook") / "documents" / FILE).read_text(encoding="utf-8")


def planted(old: str, new: str) -> str:
    """The message for the document with one thing changed in it."""
    assert old in TEXT
    with pytest.raises(RulebookError) as caught:
        read(FILE, TEXT.replace(old, new, 1))
    return str(caught.value)


def test_the_five_documents_load_with_63_layouts() -> None:
    assert len(slugs()) == 5
    assert {slug: len(load(slug).layouts) for slug in slugs()} == {
        "mbs-tiger-v2": 7,
        "rws-commission-insurance-v5": 7,
        TBC: 14,
        "rws-tiger-buffalo-non-commission-v3": 17,
        "rws-tiger-buffalo-non-commission-v4": 18,
    }


def test_an_unknown_slug_gets_the_nearest_names() -> None:
    with pytest.raises(BadInput, match="no rulebook 'mbs-tigr-v2': did you mean mbs-tiger-v2"):
        load("mbs-tigr-v2")


@pytest.mark.parametrize("slug", ["", "x", "../model", "mbs-tiger-v2.toml"])
def test_a_slug_is_never_a_path(slug: str) -> None:
    with pytest.raises(BadInput, match="there is no rulebook"):
        named(slug)


@pytest.mark.parametrize("slug", slugs())
def test_a_document_of_the_package_passes_every_check_and_bears_its_name(slug: str) -> None:
    file = f"{slug}.toml"
    book, findings = check(file, (DOCUMENTS / file).read_text(encoding="utf-8"))
    assert findings == []
    assert book is not None
    assert book.slug == slug


@pytest.mark.parametrize("slug", slugs())
def test_every_fact_cites_a_paragraph(slug: str) -> None:
    cited = {key for key, _ in citations(load(slug))}
    assert len(cited) > 100
    for key in (
        "document.rules",
        "decks.rules",
        "squeeze.rules",
        "table_of_play.rules",
        "limits.displayed.rules",
    ):
        assert key in cited


@pytest.mark.parametrize("slug", slugs())
def test_no_outcome_fits_two_tiers_of_a_bet(slug: str) -> None:
    for name, bet in load(slug).bets.items():
        conditions = [tier.when for tier in bet.pays] + ([bet.push.when] if bet.push else [])
        for outcome in outcomes():
            assert sum(matches(when, outcome) for when in conditions) <= 1, (name, outcome)


@pytest.mark.slow
@each(
    ("old", "new", "message"),
    [
        ('rules = ["2.2.1"]', 'rules = ["2.2.9"]', "decks.rules: the document has no paragraph 2.2.9"),
        ('rules = ["2.2.1"]', 'rules = ["2.2.9(a)"]', "decks.rules: the document has no paragraph 2.2.9(a)"),
        ('rules = ["2.2.1"]', 'rules = ["two"]', "decks.rules[0]: Expected `str` matching regex"),
        ('rules = ["2.2.1"]', "rules = []", "decks.rules: no paragraph: expected the one that states it"),
        ('rules = ["2.2.1"]', 'rules = ["2.2.1", "2.2.1"]', "decks.rules: a paragraph is cited twice"),
        ("max = 10", "max = 3", "decks: 4 to 3 is not a range"),
        ("positions = [1, 6]", "positions = [6, 1]", "layouts.A.positions: 6 to 1 is not a range"),
        ('"wu-dalang", ', '"wu-dalan", ', "layouts.C.bets: wu-dalan has no pay line"),
        (
            '"player", "banker", "tie", ',
            '"player", "banker", ',
            "bets.tie.layouts: layout A does not offer it",
        ),
        (
            'value = ["L", "N"]',
            'value = ["L"]',
            "layouts.N.bets: the pay line of tiger-tie does not name this layout",
        ),
        ('value = ["L", "N"]', 'value = ["L", "N", "Z"]', "bets.tiger-tie.layouts: layout Z does not exist"),
        (
            "[bets.tie]",
            '[bets.any]\nname = "A"\nrules = ["1.30"]\npays = [{ tier = "", when = {}, odds = "1 to 1", rules = ["1.30"] }]\n[bets.tie]',
            "bets.any: a pay line for a bet that no layout offers",
        ),
        (
            '"player", "banker", "tie", ',
            '"player", "player", "banker", "tie", ',
            "layouts.A.bets: a bet is listed twice",
        ),
        (
            'player = "5", banker = "0-4"',
            'player = "5-6", banker = "0-4"',
            "insurance.offers[4]: overlaps offers[3] at Player 6, Banker 0",
        ),
        (
            'player = "5", banker = "4"',
            'player = "5", banker = "4-11"',
            "insurance.offers[0].banker: '4-11' is not a span",
        ),
        ('odds = "0.95 to 1"', 'odds = "0.95"', "bets.banker.pays[0].odds: '0.95' are not odds"),
        (
            'odds = "0.95 to 1"',
            'odds = "1 to 1"',
            "bets.banker.pays: does not pay 1 to 1 less the commission of 1/20",
        ),
        ('above = ["dealer"]', 'above = ["chef"]', "ranks[1].above: chef is not a rank listed before it"),
        ('permission = "pit-supervisor"', 'permission = "chef"', "squeeze.permission: there is no rank chef"),
        (
            'decides = "dealer"',
            'decides = "chef"',
            "procedures.over-differential.decides: there is no rank chef",
        ),
        (
            "when = { outcome_established = [true] }",
            "when = { outcome_established = [false] }",
            "procedures.technical-interruption: 2 rulings fit outcome_established False: expected one",
        ),
        (
            'case = "under-minimum"',
            'case = "over-differential"',
            "procedures.over-differential: the case is listed twice",
        ),
        ("7 = []\n", "", "table_of_play.banker_draws: expected a line for each of"),
        ("min = 4", 'min = "4"', "decks.min: Expected `int`, got `str`"),
        ("min = 4\n", "", "decks: Object missing required field `min`"),
        ("min = 4", "min = 4\ncolour = 1", "decks: Object contains unknown field `colour`"),
        (
            'tier = "single"',
            'teir = "single"',
            "bets.tiger-pair.pays[0]: Object contains unknown field `teir`",
        ),
        ('"1.1", "1.2"', '"1.1", "1.1", "1.2"', "paragraphs: a paragraph is listed twice"),
        (
            'stake_per_window = { value = "1", rules = ["3.12.2"] }\n',
            "",
            "insurance: no cap by the Original Bet",
        ),
        ("[decks]", "[decks", "Expected ']' at the end of a table"),
    ],
)
def test_a_planted_fault_is_named_with_file_and_key(old: str, new: str, message: str) -> None:
    assert re.match(re.escape(f"{FILE}: {message}"), planted(old, new)), planted(old, new)


def lists_of_tables(value: object, path: Path = ()) -> Iterator[Path]:
    """Where a document has a list whose entries are tables."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        yield path
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for step, inner in entries:
        yield from lists_of_tables(inner, (*path, step))


@pytest.mark.slow
@pytest.mark.parametrize("slug", slugs())
def test_a_list_without_entries_is_played_or_refused(slug: str) -> None:
    """Whatever a check expects to be there, it does not fall over what is not."""
    raw = tomllib.loads((DOCUMENTS / f"{slug}.toml").read_text(encoding="utf-8"))
    found = list(lists_of_tables(raw))
    assert found
    for path in found:
        with suppress(RulebookError):
            read(f"{slug}.toml", as_toml(edited(raw, (Edit(path, []),))))


def test_lettered_items_of_a_listed_paragraph_may_be_cited() -> None:
    assert read(FILE, TEXT.replace('rules = ["2.2.1"]', 'rules = ["2.2.1(b)"]')).decks.rules == ("2.2.1(b)",)


def test_rulebooks_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        load(TBC).decks.max = 12  # type: ignore[misc]
