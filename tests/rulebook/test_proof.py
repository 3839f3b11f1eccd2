"""What `check` proves of a rulebook: each planted fault has its key, its finding and a round that shows it."""

import random
import tomllib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

import pytest

from each import each
from law.changes import as_toml
from thirdcard.cards import check_copies, parse_cards
from thirdcard.play.bets import result
from thirdcard.play.insurance import open_offers, open_window
from thirdcard.play.outcome import outcome_of, possible
from thirdcard.play.tableau import Deal, check_whole
from thirdcard.rulebook import Rulebook, load
from thirdcard.rulebook.conditions import Outcome, Pairing, matches, sight_of, sight_of_whens
from thirdcard.rulebook.facts import every_fact, fits
from thirdcard.rulebook.findings import Finding
from thirdcard.rulebook.forms import convert
from thirdcard.rulebook.load import check
from thirdcard.rulebook.model import Bet, When
from thirdcard.rulebook.outcomes import every_outcome, looks_of
from thirdcard.rulebook.proof import CHIPS
from thirdcard.rulebook.sources import package_text

FILE: Final = "game.toml"
PLAIN: Final = 'slug = "game"\nextends = "plain"\n[document]\ntitle = "Game"\n'
CBI: Final = "rws-commission-insurance-v5"


def found(text: str) -> tuple[Rulebook, list[Finding]]:
    book, findings = check(FILE, text)
    assert book is not None, findings
    return book, findings


def only(text: str) -> tuple[Rulebook, Finding]:
    """The one fault of a text."""
    book, findings = found(text)
    assert len(findings) == 1, [str(one) for one in findings]
    assert (findings[0].file, findings[0].level) == (FILE, "fault")
    return book, findings[0]


def bet(*tiers: str, more: str = "") -> str:
    """A game with one bet more: tiers as `name: condition`, or `name: condition: odds`."""
    lines = []
    for tier in tiers:
        name, when, odds = (*tier.split(": "), "1 to 1")[:3]
        lines.append(f'{{ tier = "{name}", when = {{ {when} }}, odds = "{odds}" }}')
    return f'{PLAIN}[bets.side]\nname = "Side"\npays = [{", ".join(lines)}]\n{more}'


def round_of(book: Rulebook, cards: str) -> Deal:
    """A whole round that one deck can deal, if no card stands in it twice."""
    deal = Deal(book.table_of_play, parse_cards(cards))
    check_whole(deal)
    check_copies(deal.cards, 2)
    return deal


def seen(book: Rulebook, one: Bet, cards: str) -> Outcome:
    return outcome_of(round_of(book, cards), sight_of(one))


# --- the Table of Play ------------------------------------------------------------------------------------


def test_a_total_that_is_left_open_is_shown() -> None:
    book, fault = only(PLAIN.replace("[doc", 'remove = ["table_of_play.banker_draws.5"]\n[doc'))
    assert fault.key == "table_of_play.banker_draws"
    assert "nothing is said of 5" in fault.finding
    deal = Deal(book.table_of_play, parse_cards(fault.example))
    assert (deal.next, deal.banker_points) == ("player", 5)
    with pytest.raises(KeyError):  # the Player's third card lies there, and nobody knows what the Banker does
        Deal(book.table_of_play, parse_cards(f"{fault.example} 2D"))


@pytest.mark.parametrize(
    ("line", "key", "finding", "totals"),
    [
        ("player_draws = [0, 1, 2, 3, 4, 5, 8]", "player_draws", "draws on 8, which is a natural", (8, 0)),
        ("banker_draws_if_player_stands = [0, 9]", "banker_draws_if_player_stands", "draws on 9, which is a natural", (7, 9)),
        ("banker_draws = { 8 = [1] }", "banker_draws", "a line for 8, which is a natural", (0, 8)),
        ("natural = [7, 8, 9]", "banker_draws", "a line for 7, which is a natural", (0, 7)),
    ],
)  # fmt: skip
def test_a_table_that_says_two_things_is_shown(
    line: str, key: str, finding: str, totals: tuple[int, int]
) -> None:
    book, fault = only(f"{PLAIN}[table_of_play]\n{line}")
    assert (fault.key, fault.finding) == (f"table_of_play.{key}", finding)
    cards = parse_cards(fault.example)
    assert tuple(sum(card.rank.points for card in cards[hand::2]) % 10 for hand in (0, 1)) == totals
    assert set(totals) & set(book.table_of_play.natural)


@pytest.mark.parametrize(
    ("line", "finding"),
    [("player_draws = [0, 0]", "a number is listed twice"), ("player_draws = [0, 10]", "points are 0 to 9")],
)
def test_a_list_of_points_is_one(line: str, finding: str) -> None:
    assert finding in [one.finding for one in found(f"{PLAIN}[table_of_play]\n{line}")[1]]


# --- bets -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("winner = ['player']", "total = 9"),
        ("winner = ['tie'], total = '0-4'", "winner = ['tie'], total = [4, 5]"),
        ("cards_in_all = [5, 6]", "player = { cards = 3 }, banker = { cards = 3 }"),
        ("margin = '3-4'", "winning = { total = 9 }, losing = { total = '5-6' }"),
        ("sum = 17", "player = { natural = true }, banker = { natural = true }"),
        ("pair = 'either'", "player = { pair = true }"),
        ("pair = 'both', pair_suits = ['same']", "pair = 'twin'"),
        ("pair = 'none'", "banker = { suits = ['colour'] }"),
        ("player = { first = ['A', 'K'] }", "player = { second = ['Q'] }"),
        ("banker = { third = ['8'] }", "winner = ['tie'], cards_in_all = 6"),
        ("losing = { third = ['K'] }", "winning = { first = ['9'], second = ['8'] }"),
    ],
)
def test_tiers_that_overlap_are_shown_by_a_round_that_fits_both(first: str, second: str) -> None:
    book, fault = only(bet(f"one: {first}", f"two: {second}"))
    assert (fault.key, fault.finding) == ("bets.side.pays[1]", "'two' overlaps 'one'")
    side = book.bets["side"]
    assert all(matches(when, seen(book, side, fault.example)) for when in side.whens)


@pytest.mark.parametrize(
    ("more", "key"),
    [
        ("push = { when = { total = 9 } }", "push"),
        ("pushes = [{ tier = 'nines', when = { total = 9 } }]", "pushes[0]"),
    ],
)
def test_a_push_that_wins_too_is_shown(more: str, key: str) -> None:
    book, fault = only(bet("win: winner = ['player']", more=more))
    assert fault.key == f"bets.side.{key}"
    side = book.bets["side"]
    assert all(matches(when, seen(book, side, fault.example)) for when in side.whens)


def test_an_overlap_is_shown_with_as_few_cards_as_can_be() -> None:
    assert only(bet("one: total = 9", "two: winner = ['tie']"))[1].example.count(" ") == 3
    assert only(bet("one: total = 9", "two: cards_in_all = 5"))[1].example.count(" ") == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    "when",
    [
        "winner = ['player'], total = 0",
        "winner = ['tie'], margin = 1",
        "losing = { total = 9 }",
        "winner = ['tie'], losing = { total = 1 }",
        "player = { natural = true, cards = 3 }",
        "player = { natural = true }, banker = { cards = 3 }",
        "player = { third = ['A'], cards = 2 }",
        "player = { first = ['8'], second = ['K'] }, banker = { third = ['A'] }",
        "pair = 'player', player = { pair = false }",
        "pair = 'twin', player = { first = ['2'] }, banker = { first = ['3'] }",
        "pair = 'player', pair_suits = ['same'], player = { suits = ['mixed'] }",
        "player = { total = 9, cards = 3 }, banker = { total = 9, cards = 2 }",
    ],
)
def test_a_tier_that_can_never_win_is_found(when: str) -> None:
    book, fault = only(bet(f"win: {when}", "any: sum = 1"))
    assert (fault.key, fault.finding) == ("bets.side.pays[0]", "'win' can never come about")
    side = book.bets["side"]
    every = possible(book.table_of_play, (None,) * 6, sight_of(side))
    assert not any(matches(side.pays[0].when, outcome) for outcome in every)
    cards = fault.example.removeprefix("not by ").removesuffix(", nor by any other round")
    assert result(side, seen(book, side, cards)).name != "win"


@pytest.mark.parametrize(
    ("when", "key", "finding"),
    [
        ("total = 17", "total", "totals are 0 to 9: got 17"),
        ("total = '8-11'", "total", "totals are 0 to 9: got 10, 11"),
        ("cards_in_all = 7", "cards_in_all", "cards of both hands are 4 to 6: got 7"),
        ("sum = 19", "sum", "two totals added up are 0 to 18: got 19"),
        ("player = { cards = 4 }", "player.cards", "cards of a hand are 2 to 3: got 4"),
        ("any = [{ total = 1 }, { margin = 10 }]", "any[1].margin", "margins are 0 to 9: got 10"),
        ("count = { of = '7', number = 7 }", "count[0].number", "counts of cards are 0 to 6: got 7"),
    ],
)
def test_numbers_that_there_cannot_be_are_told_once(when: str, key: str, finding: str) -> None:
    _, fault = only(bet(f"win: {when}"))
    assert (fault.key, fault.finding) == (f"bets.side.pays[0].when.{key}", finding)


@pytest.mark.parametrize(
    "when",
    [
        "winner = ['player'], total = 1, cards = 3",
        "player = { first = ['A'], second = ['A'], third = ['A'], suits = ['same'] }",
        "pair = 'twin', pair_suits = ['mixed']",
        "winner = ['tie'], total = 0, cards_in_all = 6",
        "losing = { natural = true }, winning = { first = ['4'] }",
        "margin = 9, losing = { cards = 2 }",
    ],
)
def test_a_tier_that_can_win_is_left_alone(when: str) -> None:
    book, findings = found(bet(f"win: {when}"))
    assert findings == []
    side = book.bets["side"]
    assert any(
        matches(side.pays[0].when, outcome)
        for outcome in possible(book.table_of_play, (None,) * 6, sight_of(side))
    )


@pytest.mark.parametrize("odds", ["1 to 3", "1 to 7", "0.333333 to 1", "0.00000001 to 1"])
def test_a_payout_that_no_chip_makes_exact_is_shown(odds: str) -> None:
    book, fault = only(bet(f"win: winner = ['tie']: {odds}"))
    assert fault.key == "bets.side.pays[0].odds"
    assert f"no chip unit makes {odds} exact" in fault.finding
    side = book.bets["side"]
    tier = result(side, seen(book, side, fault.example)).tier
    assert tier is not None
    assert all((chip * tier.odds.ratio).denominator > 1 for chip in CHIPS)


@pytest.mark.parametrize("odds", ["0 to 1", "0.54 to 1", "1 to 2", "0.005 to 1", "9000 to 1"])
def test_odds_that_some_chip_makes_exact_are_left_alone(odds: str) -> None:
    assert found(bet(f"win: winner = ['tie']: {odds}"))[1] == []


def test_conditions_that_say_nothing_are_found() -> None:
    assert only(bet("win: pair_suits = ['same']"))[1].finding == "pair_suits without pair"
    table = "[table_of_play]\nnatural = [9]\nbanker_draws = { 8 = [] }\n"
    book, fault = only(bet("win: player = { natural = true }", more=table))
    assert fault.key == "bets.side.pays[0].when"
    assert fault.finding.startswith("a natural is 8 or 9 in two cards, but not in this Table of Play")
    deal = Deal(book.table_of_play, parse_cards(fault.example))
    assert (deal.player_points, deal.next) == (8, "banker")  # no natural here


# --- commission -------------------------------------------------------------------------------------------


def charged(rate: str, *others: str, pays: str) -> str:
    head = PLAIN.replace("[doc", 'remove = ["bets.banker.pays.win"]\n[doc')
    commission = f"[commission]\nrate = '{rate}'\nexcept_when = [{', '.join(others)}]\n"
    return f"{head}[bets.banker]\npays = [{pays}]\n{commission}"


def pay(name: str, odds: str, when: str = "") -> str:
    return f"{{ tier = '{name}', when = {{ winner = ['banker']{when} }}, odds = '{odds}' }}"


def test_a_commission_by_total_and_number_of_cards_agrees_with_what_is_paid() -> None:
    six = "{ when = { total = 6, cards = 3 }, rate = '1/2' }"
    pays = [
        pay("win", "1 to 1", ", total = ['0-5', '7-9']"),
        pay("six", "1 to 1", ", total = 6, cards = 2"),
        pay("three-card six", "1 to 2", ", total = 6, cards = 3"),
    ]
    assert found(charged("0", six, pays=", ".join(pays)))[1] == []
    book, fault = only(charged("0", six, pays=pay("win", "1 to 1")))
    assert (fault.key, fault.finding) == (
        "bets.banker.pays",
        "does not pay 1 to 1 less the commission of 1/2 on 'win'",
    )
    deal = round_of(book, fault.example)
    assert (deal.winner, deal.banker_points, len(deal.banker)) == ("banker", 6, 3)
    commission = book.commission
    assert commission is not None
    assert commission.except_when[0].rate == Fraction(1, 2)


def test_a_rate_that_is_never_charged_is_found() -> None:
    rates = ("{ when = { total = 6 }, rate = '0' }", "{ when = { total = 6, cards = 2 }, rate = '0' }")
    _, fault = only(charged("0", *rates, pays=pay("win", "1 to 1")))
    assert (fault.key, fault.finding) == (
        "commission.except_when[1]",
        "is charged on no win that another is not",
    )


# --- insurance --------------------------------------------------------------------------------------------


def insured(number: int, **values: str) -> tuple[Rulebook, Finding]:
    """The one fault of a book with some values of one row of its insurance table changed or added."""
    text = package_text(CBI)
    row = [line for line in text.splitlines() if line.startswith("  { hand = ")][number]
    given = tomllib.loads(f"row = {row.strip(' ,')}")["row"] | values
    if given.get("tie_paid") == "yes":
        given["tie_paid"] = {"rules": ["4.2.1"]}
    return only(text.replace(row, as_toml({"row": given}).strip().removeprefix("row = ") + ","))


def test_offers_that_overlap_are_shown_where_both_are_open() -> None:
    book, fault = insured(0, banker="5-6")
    assert (fault.key, fault.finding) == ("insurance.offers[1]", "overlaps offers[0] at Player 0, Banker 6")
    deal = Deal(book.table_of_play, parse_cards(fault.example))
    assert book.insurance is not None
    assert len([one for one in open_offers(book.insurance, deal) if one.hand == "banker"]) == 2


@pytest.mark.parametrize(
    ("number", "values", "window", "points"),
    [
        (2, {"player": "6", "banker": "7"}, 1, (6, 7)),
        (1, {"player": "8"}, 1, (8, 6)),
        (14, {"banker": "7"}, 2, (9, 7)),
        (13, {"banker": "9"}, 2, (8, 9)),
    ],
)
def test_an_offer_that_can_never_be_made_is_shown(
    number: int, values: dict[str, str], window: int, points: tuple[int, int]
) -> None:
    book, fault = insured(number, **values)
    assert fault.key == f"insurance.offers[{number}]"
    assert fault.finding == "can never be offered: no card is due then"
    deal = Deal(book.table_of_play, parse_cards(fault.example))
    assert (deal.player_points, deal.banker_points) == points
    assert open_window(deal) != window


def test_an_offer_that_can_never_pay_is_shown() -> None:
    """Insurance of a Player that has 9, with a tie returned."""
    book, fault = only(package_text(CBI).replace(', tie_paid = { rules = ["4.2.1"] }', ""))
    assert (fault.key, fault.finding) == (
        "insurance.offers[14]",
        "can never pay: the Player cannot lose from there",
    )
    deal = Deal(book.table_of_play, parse_cards(fault.example))
    assert (open_window(deal), deal.player_points) == (2, 9)
    assert {one.winner for one in possible(book.table_of_play, deal.cards)} == {"player", "tie"}


def test_a_tie_is_not_both_returned_and_paid() -> None:
    text = package_text(CBI).replace('tie = { rules = ["3.17", "4.2.1"] }', 'tie = { rules = ["4.2.1"] }')
    book, fault = only(text)
    assert str(fault).startswith("insurance.offers[14].tie_paid: 4.2.1 cannot both return a tie and pay it (")
    assert "tie" in {one.winner for one in possible(book.table_of_play, parse_cards(fault.example))}


def test_no_tie_is_paid_in_the_first_window() -> None:
    book, fault = insured(0, tie_paid="yes")
    assert fault.key == "insurance.offers[0].tie_paid"
    assert fault.finding == "pays a tie in the first window, when it is open which tie that will be"
    deal = Deal(book.table_of_play, parse_cards(fault.example))
    ties = {one.player for one in possible(book.table_of_play, deal.cards) if one.winner == "tie"}
    assert open_window(deal) == 1
    assert len(ties) > 1


# --- irregularities ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rulings", "number", "facts"),
    [
        ("{ when = { stage = ['initial-deal'] }, remedy = ['continue'], decides = 'dealer' }", 0, {"stage": "after-initial-deal"}),
        ("{ when = { card_drawn = [true] }, remedy = ['continue'], decides = 'dealer' }, { remedy = ['void'], decides = 'dealer' }", 2, {"card_drawn": True}),
        ("", 0, {}),
    ],
)  # fmt: skip
def test_facts_without_a_ruling_or_with_two_are_shown(
    rulings: str, number: int, facts: dict[str, object]
) -> None:
    procedure = f"[[procedures]]\ncase = 'mine'\ntitle = 'Mine'\nabout = ['display']\nrulings = [{rulings}]\n"
    book, fault = only(PLAIN + procedure)
    assert fault.key == "procedures.mine"
    told = ", ".join(f"{name} {value}" for name, value in facts.items()) or "any facts"
    assert fault.finding == f"{number} rulings fit {told}: expected one"
    mine = next(one for one in book.procedures if one.case == "mine")
    assert facts in list(every_fact(mine))
    fitting = [str(place) for place, one in enumerate(mine.rulings) if fits(one.when, facts)]
    assert fault.example == (f"rulings {' and '.join(fitting)}" if fitting else "")


# --- paragraphs and ranks ---------------------------------------------------------------------------------


def notes(text: str) -> list[str]:
    _, findings = found(text)
    assert {one.level for one in findings} <= {"note"}
    return [str(one) for one in findings]


def test_paragraphs_that_do_not_exist_are_faults_and_those_that_nothing_cites_notes() -> None:
    cited = 'slug = "game"\nparagraphs = ["1.1", "1.2"]\n[document]\ntitle = "Game"\nrules = ["1.1"]\n'
    assert notes(cited) == ["paragraphs: nothing cites 1.2"]
    _, fault = only(cited.replace('rules = ["1.1"]', 'rules = ["1.1", "1.2", "1.3(a)"]'))
    assert str(fault) == "document.rules: the document has no paragraph 1.3(a)"
    _, fault = only(cited.replace('rules = ["1.1"]', 'rules = ["1.1", "1.2"]\n[void]'))
    assert str(fault) == "void.rules: no paragraph: expected the one that states it"


def test_a_rank_that_nobody_holds_is_a_fault_and_one_that_nobody_asks_for_a_note() -> None:
    assert notes(PLAIN + "[[ranks]]\nname = 'host'\ntitle = 'Host'\nabove = ['dealer']") == [
        "ranks[3]: nothing is left to, decided or done by the Host"
    ]
    _, findings = found(f"{PLAIN}[authority]\ndecides = {{ value = 'host' }}")
    assert "authority.decides: there is no rank host" in [str(one) for one in findings]


# --- any condition ----------------------------------------------------------------------------------------

CHANCE: Final = random.Random(14)  # noqa: S311 - the same conditions each time
HAND: Final = {
    "total": (9, "0-3", [1, "7-8"]),
    "cards": (2, 3),
    "natural": (True, False),
    "pair": (True, False),
    "suits": (("same",), ("colour", "mixed")),
    "first": (("A",), ("8", "K")),
    "second": (("9",), ("A", "2", "3")),
    "third": (("T",), ("4", "5")),
}
ROUND: Final = {
    "winner": (("player",), ("banker", "tie")),
    "total": (0, "5-9"),
    "cards": (2, 3),
    "cards_in_all": (4, "5-6"),
    "margin": (1, "4-9"),
    "sum": ("0-4", 17),
    "pair": tuple(Pairing),
}


def some(pool: Mapping[str, Sequence[object]], most: int) -> dict[str, object]:
    return {name: CHANCE.choice(pool[name]) for name in CHANCE.sample(sorted(pool), CHANCE.randint(0, most))}


def any_condition() -> When:
    made = some(ROUND, 2)
    if "pair" in made and CHANCE.random() < 0.5:
        made["pair_suits"] = CHANCE.choice((("same",), ("mixed", "colour")))
    for hand in CHANCE.sample(("player", "banker", "winning", "losing"), CHANCE.randint(0, 2)):
        made[hand] = some(HAND, 3)
    when: When = convert(made, When)
    return when


@pytest.mark.slow
@each("when", [any_condition() for _ in range(60)])
def test_outcomes_show_what_conditions_tell_apart(when: When) -> None:
    """Whatever the engine holds possible is found, and the round that shows it is one."""
    table = load(CBI).table_of_play
    sight = sight_of_whens((when,))
    every = possible(table, (None,) * 6, sight)
    for fitting in (True, False):
        shown = [
            one for one in every_outcome(table, looks_of((when,))) if matches(when, one.outcome) is fitting
        ]
        assert bool(shown) == any(matches(when, one) is fitting for one in every)
        for one in CHANCE.sample(shown, min(len(shown), 5)):
            deal = Deal(table, parse_cards(one.cards))
            check_whole(deal)
            assert matches(when, outcome_of(deal, sight)) is fitting
