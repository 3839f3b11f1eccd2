"""Tables of rounds come to what single rounds come to, and a round that cannot be settled says why."""

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from cli.running import answer, complaint, thirdcard
from thirdcard.cards import Card, format_cards
from thirdcard.data import read_table, settle_frame, write_table
from thirdcard.errors import BadInput
from thirdcard.play.settlement import Game, Insured
from thirdcard.play.tableau import next_hand
from thirdcard.rulebook import Rulebook, load, slugs
from thirdcard.rulebook.model import Side

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples" / "rulebooks"
EVERY = (*slugs(), *sorted(map(str, EXAMPLES.glob("*.toml"))))
BOOKS = tuple(which for which in EVERY if load(which).table_of_play.usual)
BOOK = "mbs-tiger-v2"
KINDS = ("parquet", "arrow", "feather", "csv", "jsonl", "ndjson")


def rounds(book: Rulebook, count: int, decks: int = 8) -> list[str]:
    """Finished rounds, with many equal cards among them so that pairs and perfect pairs come up."""
    chance = random.Random(7)  # noqa: S311 - no secret
    made: list[str] = []
    while len(made) < count:
        shoe = chance.sample(list(Card), 12) * decks
        cards = tuple(chance.sample(shoe, 6))
        length = next(n for n in (4, 5, 6) if next_hand(book.table_of_play, cards[:n]) is None)
        made.append(format_cards(cards[:length]))
    return made


@pytest.mark.parametrize("which", BOOKS, ids=lambda which: Path(which).stem)
def test_every_bet_of_every_layout_comes_to_what_single_rounds_do(which: str) -> None:
    book = load(which)
    for letter, layout in book.layouts.items():
        game, dealt = Game(book, letter), rounds(book, 60)
        stakes = {bet: 1000 * (place + 1) for place, bet in enumerate(layout.bets)}
        columns: dict[str, Any] = {
            bet: [stake if row % 3 else None for row in range(len(dealt))] for bet, stake in stakes.items()
        }
        settled = settle_frame(book, {"cards": dealt, **columns}, layout=letter)
        assert settled["error"].null_count == len(dealt)
        for row, line in enumerate(settled.to_pylist()):
            single = game.settle(dealt[row], stakes if row % 3 else {})
            assert (line["net"], line["outcome"]) == (single.net, single.outcome)
            assert (line["player_points"], line["banker_points"]) == (
                single.player.points,
                single.banker.points,
            )
            assert [line[f"{one.bet}_net"] for one in single.bets] == [one.net for one in single.bets]


def test_a_round_that_cannot_be_settled_says_why_and_the_others_go_on() -> None:
    table = {
        "cards": ["9C 9H 9D 9S", "9C 9H 9D", "9C 9H 9D 9X", None, "9C 9H 9D 9S", "9C 9H 9D 9S 2C", "9C 9H 9D 9S", " 9C  9H 9D 9S "],
        "tiger-pair": [500, 500, 500, 500, 150, 500, -100, 500],
    }  # fmt: skip
    settled = settle_frame(BOOK, table)
    told = settled["error"].to_pylist()
    assert [one is None for one in told] == [True, False, False, False, False, False, False, True]
    assert "'9X' is not a card" in told[2]
    assert "no cards in row 4" in told[3]
    assert "multiple of the chip unit" in told[4]
    assert "more than zero" in told[6]
    assert settled["net"].to_pylist() == [50000, None, None, None, None, None, None, 50000]
    assert settled["outcome"].to_pylist()[7] == "tie"


def test_more_copies_of_a_card_than_the_decks_hold() -> None:
    settled = settle_frame(
        BOOK, {"cards": ["9C 9C 9C 9C", "9C 9C 9C 9C"], "tiger-pair": [500, None]}, decks=4
    )
    assert settled["error"].null_count == 2
    five = {"cards": ["2C 2C 2C 2C 2C 2C"], "player": [500]}
    assert "2C comes 6 times" in settle_frame(BOOK, five, decks=5)["error"][0].as_py()
    assert settle_frame(BOOK, five, decks=6)["error"][0].as_py() is None


def test_hands_columns_of_others_and_cards_as_others_write_them() -> None:
    table = {
        "player_cards": ["9c,7♦"],
        "banker_cards": ["10s 4h 3D"],
        "player": [1000],
        "who": ["ann"],
        "net": ["old"],
    }
    settled = settle_frame("rws-commission-insurance-v5", table, layout="D", lenient=True)
    (line,) = settled.to_pylist()
    assert (line["who"], line["banker_points"], line["net"], line["error"]) == ("ann", 7, -1000, None)
    strict = settle_frame("rws-commission-insurance-v5", table, layout="D")
    assert "is not a card" in strict["error"][0].as_py()


def test_insurance_is_settled_with_its_round() -> None:
    book, cards = "rws-tiger-buffalo-commission-v2", "6C 3D KH AS 3C"
    table = {"cards": [cards, cards], "player": [10_000, 10_000], "player-insurance:1": [4_000, None]}
    nets = settle_frame(book, table, layout="A")["net"].to_pylist()
    game = Game(book, "A")
    insured = game.settle(cards, {"player": 10_000}, [Insured(hand=Side.PLAYER, window=1, stake=4_000)])
    assert nets == [insured.net, game.settle(cards, {"player": 10_000}).net]


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ({"player": [100]}, "expected a column 'cards'"),
        ({"cards": [1]}, "holds cards as text"),
        ({"cards": ["9C 9H 9D 9S"], "player": [1.5]}, "whole numbers of cents"),
        ({"cards": ["9C"], "player": [1, 2]}, "expected a table"),
        (7, "expected a table"),
    ],
)
def test_a_table_that_is_none_is_one_sentence(table: object, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        settle_frame(BOOK, table)


def test_bets_that_no_layout_offers_together_are_refused() -> None:
    book = load("rws-tiger-buffalo-commission-v2")
    with pytest.raises(BadInput, match="offers all of these together"):
        settle_frame(book, {"cards": ["9C 9H 9D 9S"], **{bet: [100] for bet in book.bets}})


@pytest.mark.parametrize("kind", KINDS)
def test_files_of_every_kind_in_and_out(kind: str, tmp_path: Path) -> None:
    source, sink = tmp_path / f"rounds.{kind}", tmp_path / f"settled.{kind}"
    write_table(pa.table({"id": [1, 2], "cards": ["9C 9H 9D 9S", "9C"], "tiger-pair": [500, 500]}), source)
    done = thirdcard("settle", BOOK, "--layout", "A", "--in", str(source), "--out", str(sink))
    assert (done.returncode, done.stderr) == (1, "")
    assert "2 rounds, 1 not settled, net +500" in done.stdout
    settled = read_table(sink)
    assert settled["id"].to_pylist() == [1, 2]
    assert settled["net"].to_pylist()[0] == 50000


def test_a_frame_of_another_library_by_arrow() -> None:
    class Frame:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            return pa.table({"cards": ["9C 9H 9D 9S"], "tiger-pair": [500]}).__arrow_c_stream__(
                requested_schema
            )

    assert settle_frame(BOOK, Frame())["net"].to_pylist() == [50000]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--in", "rounds.parquet"), "a table needs both"),
        (("--in", "nowhere.parquet", "--out", "out.csv"), "there is no file nowhere.parquet"),
        (("--in", "rounds.xlsx", "--out", "out.csv"), "of no known kind"),
        (("--in", "a.csv", "--out", "b.csv", "--jsonl"), "leave out"),
        (("--cards", "9C 9H 9D 9S", "--lenient"), "--lenient goes with"),
    ],
)
def test_mistakes_on_the_command_line(arguments: tuple[str, ...], told: str) -> None:
    assert told in complaint("settle", BOOK, "--layout", "A", *arguments)


def test_the_answer_as_json(tmp_path: Path) -> None:
    source = tmp_path / "rounds.csv"
    source.write_text("\ufeffcards,tiger-pair\n9C 9H 9D 9S,500\n", encoding="utf-8")
    told = answer("settle", BOOK, "--layout", "A", "--in", str(source), "--out", str(tmp_path / "out.csv"))
    assert (told["rounds"], told["errors"], told["net"]) == (1, 0, 50000)


# As other libraries hand tables over


class FromPolars:
    """A frame that hands its texts over as views, as polars does."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self._table = pa.table(columns)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        schema = pa.schema([
            field.with_type(pa.string_view()) if pa.types.is_string(field.type) else field
            for field in self._table.schema
        ])  # fmt: skip
        return self._table.cast(schema).__arrow_c_stream__(requested_schema)


class Lazy:
    """A frame that is none before it is collected."""

    def collect(self) -> None: ...


def test_texts_may_come_as_views_and_missing_stakes_as_no_numbers() -> None:
    cards = ["9C 9H 9D 9S", "9C 9H 9D 9S"]
    settled = settle_frame(BOOK, FromPolars({"cards": cards, "tiger-pair": [500, 0], "table": ["a", "b"]}))
    assert settled["net"].to_pylist() == [50_000, 0]
    settled = settle_frame(BOOK, {"cards": cards, "tiger-pair": pa.array([500.0, float("nan")])})
    assert settled["net"].to_pylist() == [50_000, 0]
    for odd in (500.5, float("inf")):
        with pytest.raises(BadInput, match="whole numbers of cents: got double"):
            settle_frame(BOOK, {"cards": cards, "tiger-pair": pa.array([odd, 0.0])})
    with pytest.raises(BadInput, match=r"frame\.collect\(\)"):
        settle_frame(BOOK, Lazy())


@pytest.mark.parametrize(
    ("slip", "meant"),
    [("Banker", "banker"), ("tiger-pear", "tiger-pair"), ("big_tiger", "big-tiger"), ("Small Tiger", "small-tiger"),
     ("player-insurence:1", "player-insurance:1")],
)  # fmt: skip
def test_a_misspelt_bet_is_no_column_of_something_else(slip: str, meant: str, tmp_path: Path) -> None:
    rows = {"cards": ["9C 9H 9D 9S"], slip: [500], "shoe": [3], "croupier": ["Banker"]}
    with pytest.raises(BadInput, match=f"no bet '{slip}': did you mean '{meant}'"):
        settle_frame(BOOK, rows)
    write_table(rows, tmp_path / "in.csv")
    told = complaint("settle", BOOK, "--in", str(tmp_path / "in.csv"), "--out", str(tmp_path / "out.csv"))
    assert f"did you mean '{meant}'" in told
    assert not (tmp_path / "out.csv").exists()


def test_other_columns_are_passed_through_and_named(tmp_path: Path) -> None:
    write_table({"cards": ["9C 9H 9D 9S"], "tie": [500], "shoe": [3], "note": ["x"]}, tmp_path / "in.csv")
    done = answer(
        "settle", BOOK, "--in", str(tmp_path / "in.csv"), "--out", str(tmp_path / "out.csv"), "--json"
    )
    assert done["passed"] == ["shoe", "note"]
