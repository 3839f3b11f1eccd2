"""What a rulebook tells its author: faults once and by name, hints, one value for a list, limits by their cost."""

import tomllib
from pathlib import Path

import jsonschema_rs
import pytest

from each import each
from rulebook.test_proof import PLAIN, bet, found, only
from thirdcard.errors import BadInput
from thirdcard.play.expected import differences, read_rounds, rounds_of, written
from thirdcard.play.settlement import Game
from thirdcard.rulebook import digest_of, load
from thirdcard.rulebook.findings import Finding
from thirdcard.rulebook.load import check, plain_book
from thirdcard.rulebook.schema import schema
from thirdcard.rulebook.sources import package_text

EXAMPLES = Path(__file__).parents[2] / "examples" / "rulebooks"


def told(text: str) -> list[Finding]:
    return check("game.toml", text)[1]


def test_a_file_of_one_bet_is_told_what_to_extend() -> None:
    (one,) = told(bet("win: total = 9").partition("[bets")[1] + bet("win: total = 9").partition("[bets")[2])
    assert one.key == "slug"
    assert one.finding.endswith(
        "a file of a few bets begins with slug = 'my-game', extends = 'plain' and document.title"
    )
    (one,) = told(bet("win: total = 9").replace('extends = "plain"\n', ""))
    assert one.key == "bets"
    assert one.finding == (
        "no bet player and none banker: every game of baccarat has both; "
        "with extends = 'plain' they are those of the plain game"
    )


def test_an_unknown_key_lists_the_known_ones() -> None:
    (one,) = told(bet("win: total = 9", more="colour = 3\n"))
    assert one.finding.endswith("`colour`: there are layouts, name, pays, push, pushes, rules")


def test_one_wrong_string_of_odds_is_one_fault() -> None:
    text = package_text("mbs-tiger-v2").replace('slug = "mbs', 'slug = "my-mbs')
    notes = [one.level for one in told(text)]
    assert len(notes) > 20
    assert set(notes) == {"note"}
    for odds in ("13 to 7", "8:1"):
        (one,) = told(text.replace("0.95 to 1", odds, 1))
        assert (one.key, one.level) == ("bets.banker.pays[0].odds", "fault")


def test_inherited_lines_go_by_their_names(tmp_path: Path) -> None:
    base = bet("low: total = '0-4'", "high: total = '5-9'")
    (tmp_path / "base.toml").write_text(base.replace('slug = "game"', 'slug = "base"'), encoding="utf-8")
    text = 'slug = "more"\nextends = "base.toml"\n[document]\ntitle = "More"\n[bets.side]\n'
    text += 'pays = [{ tier = "nine", when = { total = 9 }, odds = "2 to 1" }]\n'
    _, (one,) = check("more.toml", text, tmp_path)
    assert (one.key, one.finding) == ("bets.side.pays.nine", "'nine' overlaps 'high' (inherited)")


@each(
    ("short", "full"),
    [
        ("winner = 'banker'", "winner = ['banker']"),
        ("player = { suits = 'same', first = 'K' }", "player = { suits = ['same'], first = ['K'] }"),
        ("count = { of = '7', number = 2 }", "count = [{ of = ['7'], number = 2 }]"),
        ("any = { every = 'red' }", "any = [{ every = ['red'] }]"),
    ],
)
def test_one_value_stands_for_a_list_of_it(short: str, full: str) -> None:
    books = [found(bet(f"win: {when}"))[0] for when in (short, full)]
    assert digest_of(books[0]) == digest_of(books[1])


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.toml")), ids=lambda file: file.stem)
def test_the_schema_knows_every_form_of_the_examples(file: Path) -> None:
    assert jsonschema_rs.is_valid(schema(), tomllib.loads(file.read_text(encoding="utf-8")))


@each(
    ("when", "told"),
    [
        ("count = { of = '1', number = 2 }", "pays[0].when.count[0].of[0]"),
        ("no = 'purple'", "pays[0].when.no[0]"),
        ("player = { ranks = 'K' }", "pays[0].when.player.ranks[0]"),
        (
            "compare = { card = 'player.fourth', how = 'higher', than = 'banker.first' }",
            "pays[0].when.compare[0].card",
        ),
    ],
)
def test_a_card_that_there_is_not_is_found(when: str, told: str) -> None:
    (one,) = check("game.toml", bet(f"win: {when}"))[1]
    assert one.key == f"bets.side.{told}"


# --- first match, half back -------------------------------------------------------------------------------


def test_otherwise_may_overlap_what_stands_before_and_nothing_else() -> None:
    assert found(bet("nine: total = 9", "high: total = '8-9', otherwise = true"))[1] == []
    _, fault = only(bet("high: total = '8-9', otherwise = true", "nine: total = 9"))
    assert fault.finding == "'nine' overlaps 'high'"
    _, fault = only(bet("high: total = '8-9'", "nine: total = 9, otherwise = true"))
    assert fault.finding == "'nine' can never come about: the lines before it have all that it fits"


HALF = "[bets.player]\npush = { when = { winner = 'tie' }, returned = "


def test_half_of_a_stake_comes_back_in_whole_cents() -> None:
    book, findings = found(f"{PLAIN}{HALF}'1/2' }}\n")
    assert findings == []
    (line,) = Game(book, unit=20).settle("9C 9D KH KS", {"player": 20}).bets
    assert (line.result, line.net) == ("push", -10)
    book, _ = found(f"{PLAIN}{HALF}'1/8' }}\n")
    (line,) = Game(book, unit=20).settle("9C 9D KH KS", {"player": 20}).bets
    assert line.net == -18  # of 2.5 cents 2 come back


@pytest.mark.parametrize(
    ("share", "told"), [("1/3", "no chip unit makes 1/3"), ("3/2", "3/2 is not a share")]
)
def test_a_share_that_cannot_be_returned_is_found(share: str, told: str) -> None:
    findings = [one.finding for one in found(f"{PLAIN}{HALF}'{share}' }}\n")[1]]
    assert any(one.startswith(told) for one in findings)


# --- games that begin otherwise ---------------------------------------------------------------------------


def test_a_printed_card_lies_first_and_is_in_no_shoe() -> None:
    game = Game(load(EXAMPLES / "7-up.toml"), decks=1)
    assert game.settle("7S 7S KD KH", {"tie": 100}).net == 900  # one deck holds one more
    with pytest.raises(BadInput, match="the Player's first card is the printed 7S: got 7H"):
        game.settle("7H 7S KD KH", {"tie": 100})
    with pytest.raises(BadInput, match="7S comes 2 times"):
        game.settle("7S 7S KD 7S 3H", {"tie": 100})


def test_one_card_to_each_hand() -> None:
    game = Game(load(EXAMPLES / "dragon-tiger.toml"))
    assert game.settle("KS QS", {"player": 100}).net == 100
    with pytest.raises(BadInput, match="a round starts with two cards: 1 given"):
        game.settle("KS", {"player": 100})
    with pytest.raises(BadInput, match="nobody draws a third card"):
        game.settle("KS QS JS", {"player": 100})


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("order = 'AA23456789TJQ'", "a rank is listed twice"),
        ("order = 'A23456789TJQK'\nprinted = '7S'", "goes with two cards to each hand"),
    ],
)
def test_an_order_is_one(line: str, told: str) -> None:
    findings = [one.finding for one in found(f"{PLAIN}[table_of_play]\n{line}\n")[1]]
    assert any(one.startswith(told) for one in findings)


# --- limits by what they cost -----------------------------------------------------------------------------


def test_a_bet_that_is_too_dear_says_what_makes_it_so() -> None:
    counts = ", ".join(f"{{ of = '{rank}{suit}', number = 2 }}" for rank in "A2345" for suit in "SH")
    _, fault = only(bet(f"win: count = [{counts}]"))
    assert fault.key == "bets.side"
    assert "apart by suits of single cards; name colours" in fault.finding
    assert "at most 5 are given" in fault.finding


def test_ways_that_multiply_are_told_before_they_are_made() -> None:
    either = "any = [" + ", ".join(f"{{ total = {total} }}" for total in range(10)) + "]"
    deep = f"any = [{', '.join(f'{{ {either} }}' for _ in range(50))}]"
    _, fault = only(bet(f"win: {deep}"))
    assert fault.finding.startswith("its lines hold in 500 ways: at most 400 can be counted")


# --- a book's own rounds ----------------------------------------------------------------------------------


def test_expected_rounds_show_what_a_change_changes() -> None:
    book = load(EXAMPLES / "lucky-nines.toml")
    rounds = rounds_of(book)
    assert {one.result for one in rounds if one.bet == "lucky-nines"} == {
        *(tier.tier for tier in book.bets["lucky-nines"].pays),
        "lose",
    }
    assert read_rounds("lucky-nines.rounds.json", written(rounds).encode()) == rounds
    assert list(differences(book, rounds)) == []
    text = (EXAMPLES / "lucky-nines.toml").read_text(encoding="utf-8")
    changed, _ = check("lucky-nines.toml", text.replace("250 to 1", "240 to 1"))
    assert changed is not None
    (one,) = differences(changed, rounds)
    assert (one.expected, one.found) == ("three of one suit +25,000", "three of one suit +24,000")
    (one,) = differences(book, rounds[1:])
    assert (one.bet, one.expected, one.found) == ("player", "", "win +100")


def test_rounds_that_cannot_be_read_are_said_to_be() -> None:
    with pytest.raises(BadInput, match="rounds_json has no rounds to be expected"):
        read_rounds("rounds_json", b"[{}]")


def test_the_plain_game_can_be_shown() -> None:
    book = plain_book()
    assert (book.slug, tuple(book.bets)) == ("plain", ("player", "banker", "tie"))
