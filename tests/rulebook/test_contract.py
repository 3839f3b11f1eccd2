"""What the engine relies on in a document is checked when it is loaded; a fault names file and key."""

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, get_args

import pytest

from each import each
from law.changes import as_toml
from thirdcard.rulebook import Rulebook, load, slugs
from thirdcard.rulebook.contract import SEVERAL
from thirdcard.rulebook.findings import RulebookError
from thirdcard.rulebook.load import read
from thirdcard.rulebook.model import About, Authority, Grant
from thirdcard.rulebook.remedies import REMEDIES
from thirdcard.rulebook.rulings import rule_on

TBC = "rws-tiger-buffalo-commission-v2"
TBN = "rws-tiger-buffalo-non-commission-v4"
CBI = "rws-commission-insurance-v5"
MBS = "mbs-tiger-v2"
TEXTS = {
    slug: (files("thirdcard.rulebook") / "documents" / f"{slug}.toml").read_text(encoding="utf-8")
    for slug in (TBC, TBN, CBI, MBS)
}


def changed(slug: str, old: str, new: str) -> Rulebook:
    """The document with one thing changed in it."""
    assert old in TEXTS[slug]
    return read(f"{slug}.toml", TEXTS[slug].replace(old, new, 1))


def assert_fault(slug: str, old: str, new: str, fault: str) -> None:
    """The document is refused for that, the key first."""
    with pytest.raises(RulebookError, match=re.escape(f"{slug}.toml: {fault}")):
        changed(slug, old, new)


# --- ranks by their duty ----------------------------------------------------------------------------


@pytest.mark.parametrize("duty", Authority.__struct_fields__)
@pytest.mark.parametrize("slug", [TBC, MBS])
def test_a_duty_belongs_to_a_rank_that_exists(slug: str, duty: str) -> None:
    rank = getattr(load(slug).authority, duty).value
    assert_fault(
        slug,
        f'{duty} = {{ value = "{rank}"',
        f'{duty} = {{ value = "chef"',
        f"authority.{duty}: there is no rank chef",
    )


@pytest.mark.parametrize("slug", slugs())
def test_the_duties_rise_with_the_ranks(slug: str) -> None:
    book = load(slug)
    ranks = [rank.name for rank in book.ranks]
    duties = [getattr(book.authority, duty).value for duty in Authority.__struct_fields__]
    assert [ranks.index(rank) for rank in duties] == [0, 1, 2, 3]


# --- remedies ---------------------------------------------------------------------------------------

SETTLED_AWAY = '["settle"], decides = "dealer", rules = ["5.3"]'
LATE = 'late_winnings = { value = "1", rules = ["5.14.1"] }\n'


@pytest.mark.parametrize(
    ("remedies", "fault"),
    [
        ('["rejekt"]', "there is no remedy rejekt"),
        ('["void", "Void"]', "there is no remedy Void"),
        ("[]", "no remedy"),
        *(
            (f'["{one.name}"]', f"{one.name} takes a decision at discretion, no document orders it")
            for one in REMEDIES.values()
            if one.at_discretion
        ),
    ],
)
def test_remedies_are_rows_that_a_document_may_order(remedies: str, fault: str) -> None:
    key = "procedures.over-differential.rulings[0].remedy"
    assert_fault(TBC, 'remedy = ["reject"]', f"remedy = {remedies}", f"{key}: {fault}")


@pytest.mark.parametrize("name", ["forgo-insurance", "late-insurance", "offer", "return-original"])
def test_remedies_of_insurance_need_insurance(name: str) -> None:
    fault = (
        f"procedures.walks-away.rulings[0].remedy: {name} needs insurance, which the document does not have"
    )
    assert_fault(TBN, SETTLED_AWAY, SETTLED_AWAY.replace("settle", name), fault)


def test_a_late_offer_needs_its_cap() -> None:
    fault = "procedures.neglected-insurance.rulings[1].remedy: late-insurance needs insurance.late_winnings"
    assert_fault(TBC, LATE, "", fault)


# --- what procedures are about ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slug", "about"),
    [
        (TBC, "uncovered"),
        (TBC, "interruption"),
        (TBC, "neglected-insurance"),
        (TBC, "walked-away"),
        (CBI, "neglected-insurance"),
        (CBI, "walked-away"),
        (TBN, "uncovered"),
        (MBS, "uncovered"),
        (MBS, "interruption"),
    ],
)
def test_some_irregularities_need_a_procedure(slug: str, about: str) -> None:
    fault = f"procedures: none is about {about}: expected one"
    assert_fault(slug, f'about = ["{about}"]', "about = []", fault)


def test_walking_away_needs_no_procedure_without_insurance() -> None:
    assert changed(TBN, 'about = ["walked-away"]', "about = []").procedure("walked-away") is None


def test_nothing_is_neglected_without_insurance() -> None:
    fault = "procedures.misplaced-chips.about: the document has no insurance to neglect"
    assert_fault(TBN, '["chips-lie"]', '["chips-lie", "neglected-insurance"]', fault)


@pytest.mark.slow
@each("slug", [TBC, MBS])
@each("about", get_args(About))
def test_two_procedures_share_what_they_are_about_only_where_several_may(slug: str, about: About) -> None:
    first = load(slug).procedure(about)
    old, new = 'about = ["display"]', f'about = ["display", "{about}"]'
    if about == "display":
        assert_fault(slug, old, new, "procedures.display-error.about: something is listed twice")
    elif about == "neglected-insurance" and first is None:
        assert_fault(slug, old, new, "procedures.display-error.about: the document has no insurance")
    elif about == "above-maximum" and first is None:
        assert_fault(
            slug, old, new, "limits.above_maximum_unnoticed: shift-manager is not what the ruling orders"
        )
    elif first is None or about in SEVERAL:
        assert changed(slug, old, new).procedure(about) is not None
    else:
        listed = [one.case for one in load(slug).procedures]
        one, other = sorted(("display-error", first.case), key=listed.index)
        assert_fault(slug, old, new, f"procedures.{other}.about: {one} is about {about} already")


def test_what_a_procedure_is_about_comes_from_a_closed_set() -> None:
    assert_fault(TBC, '["chips-lie"]', '["weather"]', "procedures[17].about[0]: Invalid enum value 'weather'")


def test_a_procedure_is_found_by_what_it_is_about() -> None:
    book = load(MBS)
    found = {about: book.procedure(about) for about in get_args(About)}
    assert {about: one.case for about, one in found.items() if one and about in SEVERAL} == {
        "bad-cards": "extra-or-missing-cards",
        "order-altered": "order-altered",
        "seen-in-error": "not-wrong-delivery",
    }
    assert [about for about, one in found.items() if one is None] == [
        "chips-lie",
        "walked-away",
        "neglected-insurance",
        "wrong-number",
        "excess-cards",
        "dealing-error",
        "earlier-round",
    ]


@pytest.mark.parametrize(
    ("slug", "rank", "rules"), [(TBC, "shift-manager", "5.19"), (MBS, "gaming-shift-manager", "6.1")]
)
def test_what_no_rule_covers_is_decided_by_the_rank_that_decides(slug: str, rank: str, rules: str) -> None:
    old = f'remedy = ["decide"], decides = "{rank}", rules = ["{rules}"]'
    key = "procedures.not-covered.rulings[0]"
    assert_fault(
        slug, old, old.replace('"decide"', '"void"'), f"{key}.remedy: expected decide and nothing else"
    )
    assert_fault(
        slug, old, old.replace('["decide"]', '["decide", "void"]'), f"{key}.remedy: expected decide and"
    )
    assert_fault(
        slug,
        old,
        old.replace(rank, "pit-manager"),
        f"{key}.decides: expected {rank}, as authority.decides has it",
    )


# --- discretions --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slug", "old", "new", "fault"),
    [
        (TBC, '"reconstruction"', '"squeeze"', "discretions[3].grants: squeeze is granted twice"),
        (TBC, '"reconstruction"', '"smoking"', "discretions[3].grants: Invalid enum value 'smoking'"),
        (
            MBS,
            '"any-squeezer"',
            '"squeeze"',
            "squeeze.right: largest-total-on-hand needs a discretion that grants any-squeezer",
        ),
        (
            MBS,
            '"handler"',
            '"squeeze"',
            "squeeze.right: largest-total-on-hand needs a discretion that grants handler",
        ),
        (
            MBS,
            '"draw-without-wager"',
            '"squeeze"',
            "dealing[2].device: player needs a discretion that grants draw-without-wager",
        ),
        (
            MBS,
            'permission = "pit-manager"\n',
            'permission = "pit-manager"\nbanker_third_first = { value = true, rules = ["3.21"] }\n',
            "squeeze.banker_third_first: goes with the right of the largest-bet only",
        ),
    ],
)
def test_discretions_are_those_the_engine_asks_for(slug: str, old: str, new: str, fault: str) -> None:
    assert_fault(slug, old, new, fault)


def test_every_grant_is_used_by_some_document() -> None:
    assert {one.grants for slug in slugs() for one in load(slug).discretions} == set(get_args(Grant))


# --- the differential ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slug", "old", "new", "fault"),
    [
        (TBC, '"box"', '"table"', "the scope table goes with ask and remove"),
        (TBC, '"reject"', '"ask"', "the scope box goes with reject and pro-rata"),
        (TBC, '"pro-rata"', '"remove"', "the scope box goes with reject and pro-rata"),
        (MBS, '"table"', '"box"', "the scope box goes with reject and pro-rata"),
        (MBS, '"remove"', '"pro-rata"', "the scope table goes with ask and remove"),
    ],
)
def test_the_scope_of_the_differential_goes_with_what_is_done(
    slug: str, old: str, new: str, fault: str
) -> None:
    assert_fault(slug, old, new, f"limits.differential: {fault}")


# --- whatever is missing ------------------------------------------------------------------------------


def without_one(raw: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The document without one of its sections, or one of their values or entries."""
    for name, part in raw.items():
        yield name, {key: value for key, value in raw.items() if key != name}
        if isinstance(part, dict):
            for key in part:
                yield f"{name}.{key}", raw | {name: {one: part[one] for one in part if one != key}}
        elif isinstance(part, list):
            for number in range(len(part)):
                yield f"{name}[{number}]", raw | {name: part[:number] + part[number + 1 :]}


def read_or_fault(slug: str, raw: dict[str, Any]) -> Rulebook | str:
    try:
        return read(f"{slug}.toml", as_toml(raw))
    except RulebookError as error:
        return str(error)


@pytest.mark.slow
@pytest.mark.parametrize("slug", [CBI])
def test_a_missing_part_is_a_fault_or_can_be_done_without(slug: str) -> None:
    """Never an error that names no file."""
    refused = set()
    for missing, left in without_one(tomllib.loads(TEXTS[slug])):
        book = read_or_fault(slug, left)
        if isinstance(book, str):
            assert book.startswith(f"{slug}.toml: "), missing
            refused.add(missing)
        else:
            assert all(rule_on(book, one.case, {}).rulings for one in book.procedures), missing
    assert {"slug", "document", "document.title", "paragraphs", "bets", "authority", "ranks"} <= refused


@pytest.mark.parametrize("section", ["bets", "layouts"])
def test_a_section_that_is_no_table_is_a_fault(section: str) -> None:
    raw = tomllib.loads(TEXTS[TBC]) | {section: 3}
    fault = read_or_fault(TBC, raw)
    assert fault == f"{TBC}.toml: {section}: Expected `object`, got `int`"
