"""The sample rulebooks: checked without a finding, settled by hand, and worth what has been published of them."""

import runpy
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, perm
from pathlib import Path
from typing import Final

import pytest

from each import each
from thirdcard.cards import parse_cards
from thirdcard.odds import fresh, values
from thirdcard.play.settlement import Game
from thirdcard.rulebook import Rulebook, load
from thirdcard.rulebook.load import checked

ROOT: Final = Path(__file__).parents[2]
EXAMPLES: Final = ROOT / "examples" / "rulebooks"
DOCS: Final = runpy.run_path(str(ROOT / "docs" / "figures.py"))
FIGURES, PAGE = DOCS["FIGURES"], DOCS["PAGE"]
FILES: Final = sorted(EXAMPLES.glob("*.toml"))
ROUNDS: Final = 4_998_398_275_503_360  # ways to draw six cards from eight decks

WORKED_OUT: Final = {"heavenly-9", "first-cards"}  # below, or by another book's figures


def book(name: str) -> Rulebook:
    return load(EXAMPLES / f"{name}.toml")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_example_is_small_bears_its_name_and_passes_every_check(file: Path) -> None:
    found, findings = checked(file)
    assert findings == []
    assert found is not None
    assert found.slug == file.stem
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) < 40
    assert lines[0].startswith("# ")


def test_every_example_has_published_edges() -> None:
    assert {one.book for one in FIGURES} | WORKED_OUT >= {file.stem for file in FILES}


@each("number", lambda: range(len(FIGURES)))
def test_a_figure_agrees_with_print_or_print_is_explained(number: int) -> None:
    figure = FIGURES[number]
    assert figure.agrees is not bool(figure.note), (figure.ours, figure)


def test_the_page_of_figures_is_what_is_counted_now() -> None:
    assert PAGE.read_text(encoding="utf-8") == DOCS["page"]()


def test_nines_of_one_suit_are_counted_right_where_print_is_wrong() -> None:
    value = values(book("lucky-nines"), fresh(8), ["lucky-nines"])["lucky-nines"]
    assert value.chance("three of one suit") == Fraction(4 * comb(8, 3) * 384, comb(416, 4))
    assert round(float(value.ev), 6) == -0.190583


def test_the_higher_of_two_first_cards_is_dragon_tiger() -> None:
    card = values(book("first-cards"), fresh(8), ["higher-card"])["higher-card"]
    assert (
        card.ev == values(book("dragon-tiger"), fresh(8), ["player"])["player"].ev == -Fraction(31, 415) / 2
    )


@pytest.mark.parametrize(
    ("name", "bet", "counts"),
    [
        (
            "dragon-bonus",
            "dragon-bonus-player",
            {
                "by 9": 18_409_431_764_992,
                "by 8": 34_097_645_543_424,
                "by 7": 89_590_261_473_280,
                "by 6": 141_238_897_317_888,
                "by 5": 166_169_165_987_840,
                "by 4": 186_780_352_174_080,
                "natural": 812_685_054_124_032,
                "natural tie": 89_325_908_267_520,
            },
        ),
        (
            "dragon-bonus",
            "dragon-bonus-banker",
            {
                "by 9": 15_390_342_909_952,
                "by 8": 28_305_092_784_128,
                "by 7": 79_517_099_278_336,
                "by 6": 119_200_072_366_080,
                "by 5": 157_275_882_332_160,
                "by 4": 201_147_167_287_296,
                "natural": 812_685_054_124_032,
                "natural tie": 89_325_908_267_520,
            },
        ),
        (
            "quik",
            "quik",
            {"none": 28_979_901_420_544, "all": 55_146_054_060_032, "outer": 839_502_186_734_592},
        ),
        ("ez-baccarat", "dragon-7", {"win": 112_633_011_329_024}),
        ("ez-baccarat", "panda-8", {"win": 172_660_763_262_976}),
        ("ez-baccarat", "banker", {"three-card 7": 112_633_011_329_024, "push": 475_627_426_473_216}),
        ("no-commission", "banker", {"six": 269_232_304_455_680}),
        ("egalite", "tie-7", {"win": 101_717_538_899_968}),
    ],
)
def test_rounds_are_counted_as_published(name: str, bet: str, counts: dict[str, int]) -> None:
    value = values(book(name), fresh(8), [bet])[bet]
    assert value.rounds == ROUNDS
    assert {result: value.tally[result] for result in counts} == counts


def test_perfect_pairs_are_counted_as_published() -> None:
    value = values(book("perfect-pairs"), fresh(8), ["perfect-pair"])["perfect-pair"]
    assert value.chance("both") == Fraction(2_101_008, 7_379_583_120)
    assert value.chance("one") == Fraction(244_747_776, 7_379_583_120)


# --- worked out here, by nothing of ours ------------------------------------------------------------------


def ways(points: tuple[int, ...]) -> int:
    """To draw six cards from eight decks of which the first have these points."""
    number = perm(416 - len(points), 6 - len(points))
    for which, copies in Counter(points).items():
        number *= perm(32 if which else 128, copies)
    return number


def banker_draws(total: int, third: int) -> bool:
    return total <= 2 or (total == 3 and third != 8) or (total < 7 and 2 * (total - 3) <= third <= 7)


@cache
def played_out() -> Counter[tuple[int, int, int, int]]:
    """How many draws of six cards end in these totals and numbers of cards."""
    found: Counter[tuple[int, int, int, int]] = Counter()
    for first in product(range(10), repeat=4):
        player, banker = (first[0] + first[2]) % 10, (first[1] + first[3]) % 10
        if max(player, banker) >= 8 or min(player, banker) >= 6:
            found[player, banker, 2, 2] += ways(first)
            continue
        for third in range(10):
            total, dealt = (player + third) % 10, (*first, third)
            if player >= 6:
                found[player, (banker + third) % 10, 2, 3] += ways(dealt)
            elif not banker_draws(banker, third):
                found[total, banker, 3, 2] += ways(dealt)
            else:
                for last in range(10):
                    found[total, (banker + last) % 10, 3, 3] += ways((*dealt, last))
    return found


@pytest.mark.slow
def test_the_hands_with_nine_in_three_cards_are_as_many_as_a_simple_count_has() -> None:
    rounds = played_out()
    assert rounds.total() == ROUNDS
    heavenly = {
        "both hands": sum(n for (p, b, x, y), n in rounds.items() if (p, x, b, y) == (9, 3, 9, 3)),
        "one hand": sum(n for (p, b, x, y), n in rounds.items() if ((p, x) == (9, 3)) != ((b, y) == (9, 3))),
    }
    blazing = {"two cards each": rounds[7, 7, 2, 2], "three cards each": rounds[7, 7, 3, 3]}
    found = values(book("heavenly-9"), fresh(8))
    for bet, counts in {"heavenly-9": heavenly, "blazing-7s": blazing}.items():
        assert {result: found[bet].tally[result] for result in counts} == counts


# --- settled by hand --------------------------------------------------------------------------------------


@each(
    ("name", "cards", "bets", "nets"),
    [
        # The Banker has 7 in three cards against 6: its bet is returned, Dragon 7 wins.
        ("ez-baccarat", "6C 3D KH KS 4C", {"banker": 100, "dragon-7": 5, "panda-8": 5}, (0, 200, -5)),
        # The Banker has 6 in two cards: half is paid.
        ("no-commission", "2C 3D 3H 3S 8C", {"banker": 100, "player": 100, "super-6": 10}, (50, -100, 120)),
        ("lucky-6", "2C 3D 3H 3S 8C", {"banker": 100, "lucky-6": 10}, (50, 120)),
        ("lucky-6", "KC 2D KH KS 4C 4D", {"banker": 100, "lucky-6": 10}, (50, 230)),
        ("lucky-6-at-20", "KC 2D KH KS 4C 4D", {"banker": 100, "lucky-6": 10}, (50, 200)),
        # 9 against 0: by nine with three cards, a natural with two.
        ("dragon-bonus", "KC KD KH KS 9C KD", {"dragon-bonus-player": 10, "dragon-bonus-banker": 10}, (300, -10)),
        ("dragon-bonus", "9C KD KH KS", {"dragon-bonus-player": 10, "dragon-bonus-banker": 10}, (10, -10)),
        ("dragon-bonus", "8C 8D KH KS", {"dragon-bonus-player": 10, "dragon-bonus-banker": 10}, (0, 0)),
        ("dragon-bonus", "7C 7D KH KS", {"dragon-bonus-player": 10, "dragon-bonus-banker": 10}, (-10, -10)),
        ("dragon-bonus", "7C 4D KH KS 8C", {"dragon-bonus-player": 10}, (20,)),
        # The Player's two kings of spades are perfect, the Banker's of two suits are a pair only.
        ("perfect-pairs", "KS 9H KS 9D", {"perfect-pair": 1, "player-pair": 1, "either-pair": 1}, (25, 11, 5)),
        ("perfect-pairs", "KS 9D KS 9D", {"perfect-pair": 1, "banker-pair": 1, "either-pair": 1}, (200, 11, 5)),
        ("perfect-pairs", "KS 9H KC 9D", {"perfect-pair": 1, "player-pair": 1}, (-1, 11)),
        ("perfect-pairs", "KS 9S QS TS", {"perfect-pair": 1, "player-pair": 1, "either-pair": 1}, (-1, -1, -1)),
        # 0 and 0; 9 and 9; 9 and 7; 9 and 5.
        ("quik", "KC KD KH KS KC KD", {"quik": 10, "tie": 10}, (500, 80)),
        ("quik", "9C 9D KH KS", {"quik": 10, "tie": 10}, (250, 80)),
        ("quik", "9C 7D KH KS", {"quik": 10}, (10,)),
        ("quik", "9C 5D KH KS", {"quik": 10}, (-10,)),
        ("big-and-small", "9C 5D KH KS", {"small": 100, "big": 100, "six-cards": 10}, (150, -100, -10)),
        ("big-and-small", "7C 5D KH KS 9C", {"small": 100, "big": 100, "five-cards": 10}, (-100, 54, 20)),
        # 9 in three cards wins against 4, loses nothing to 9 in three cards, and is no natural 9.
        ("heavenly-9", "KC 7D KH 7S 9C", {"heavenly-9": 10, "blazing-7s": 10}, (100, -10)),
        ("heavenly-9", "KC KD 4H 4S 5C 5D", {"heavenly-9": 10, "blazing-7s": 10}, (750, -10)),
        ("heavenly-9", "KC KD 9H 4S", {"heavenly-9": 10}, (-10,)),
        ("heavenly-9", "7C 7D KH KS", {"heavenly-9": 10, "blazing-7s": 10}, (-10, 500)),
        ("heavenly-9", "2C 2D KH KS 5C 5D", {"heavenly-9": 10, "blazing-7s": 10}, (-10, 2000)),
        ("egalite", "7C 7D KH KS", {"tie-7": 10, "tie-6": 10, "tie": 10, "player": 10}, (450, -10, 80, 0)),
        # A natural 9 over 7 and over 8; 8 against 9 counts for two bets.
        ("nine-over-seven", "9C 7D KH KS", {"nine-over-seven": 10, "bad-beat": 10, "eights-and-nines": 10}, (500, -10, -10)),
        ("nine-over-seven", "8C 9D KH KS", {"nine-over-seven": 10, "bad-beat": 10, "eights-and-nines": 10}, (-10, 500, 200)),
        # Sevens among all cards, the printed one too; 7 over 6 pays half.
        ("7-up", "7S 4H KD 2S", {"player": 10, "banker": 10, "super-sevens": 10}, (5, -10, -10)),
        ("7-up", "7S 7D KD KH", {"banker": 10, "tie": 10, "super-sevens": 10}, (0, 90, 20)),
        ("matching-dragon", "7S 7D KD KH", {"matching-dragon": 10}, (30,)),
        # One card each: the king is high, a tie returns half, and one of two suits is no suited tie.
        ("dragon-tiger", "KS AS", {"player": 10, "banker": 10, "dragon-big": 10, "tie": 10}, (10, -10, 10, -10)),
        ("dragon-tiger", "7S 7H", {"player": 10, "dragon-big": 10, "tie": 10, "suited-tie": 10}, (-5, -10, 80, -10)),
        ("dragon-tiger", "7S 7S", {"banker": 1, "suited-tie": 10}, (-0.5, 500)),
        ("lucky-nines", "9D KD 9D 3H", {"lucky-nines": 10}, (80,)),
        ("lucky-nines", "9D KD 4S 9H", {"lucky-nines": 10}, (50,)),
        ("lucky-nines", "9D KD 4S 8H", {"lucky-nines": 10}, (20,)),
        ("lucky-nines", "9S KD 4S 8H", {"lucky-nines": 10}, (10,)),
        ("majestic-match", "QH 3H KH 5D", {"majestic-match-player": 10, "majestic-match-banker": 10}, (250, -10)),
        ("majestic-match", "KH 3D QS 5D", {"majestic-match-player": 10, "majestic-match-banker": 10}, (-10, 25)),
        ("perfect-9", "5H 3H 4H 5D", {"perfect-9": 10}, (200,)),
        ("perfect-9", "9H 3H TH 5D", {"perfect-9": 10}, (50,)),
        ("tie-max", "7H 7D KS KD", {"tie": 10, "low-tie-max": 10, "high-tie-max": 10}, (80, -10, 100)),
        ("first-cards", "7H 6D KS KD", {"higher-card": 10, "one-colour": 10}, (10, -10)),
        ("first-cards", "7H 7D KH 2D", {"higher-card": 10, "one-colour": 10}, (-5, 120)),
        # The Banker stands on 3 against an 8, and would have drawn against a 7.
        ("nine-over-seven", "KC 3D KH KS 8C", {"three-giving-eight": 10, "player": 10}, (2000, 10)),
        ("nine-over-seven", "KC 3D KH KS 7C KD", {"three-giving-eight": 10, "player": 10}, (-10, 10)),
    ],
)  # fmt: skip
def test_a_round_settled_by_hand(
    name: str, cards: str, bets: dict[str, int], nets: tuple[float, ...]
) -> None:
    statement = Game(book(name), "A").settle(
        parse_cards(cards), {bet: 100 * one for bet, one in bets.items()}
    )
    assert {line.bet: line.net for line in statement.bets} == {
        bet: 100 * net for bet, net in zip(bets, nets, strict=True)
    }
    assert all(line.rules == () for line in statement.bets)
