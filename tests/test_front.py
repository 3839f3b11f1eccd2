"""The front door: few names, nothing imported before it is asked for, inputs checked as the command line does."""

import doctest
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import numpy as np
import pytest

import thirdcard
from each import each
from thirdcard import data, errors
from thirdcard.cards import in_order, parse_cards, read_cards
from thirdcard.data import settle_frame
from thirdcard.odds import fresh, plan, values
from thirdcard.play import settlement
from thirdcard.rulebook import load
from thirdcard.rulebook.load import DOCUMENTS
from thirdcard.table import commands
from thirdcard.table.setup import Limit

BOOK = "mbs-tiger-v2"
tc: Any = thirdcard  # what is handed to it here is often wrong, on purpose
FRONTS = (thirdcard, tc.odds, tc.simulate, data)  # what is public: `__all__` of these
PUBLIC = [(front, name) for front in FRONTS for name in front.__all__ if name != "__version__"]

CONTRACTS = [
    f"thirdcard.{name}"
    for name in (
        "service.log.store.log",
        "service.log.store.people",
        "service.log.store.school",
        "table.decide",
        "table.evolve",
        "table.legal",
        "table.refusals",
        "table.view",
        "table.why",
        "words.saying",
    )
]


def public(front: ModuleType, name: str) -> Any:  # noqa: ANN401 - whatever it is
    """The function or class that stands behind a name."""
    value = getattr(front, name)
    return value.answers if isinstance(value, ModuleType) else value


@pytest.mark.slow
@each("module", sorted({public(*one).__module__ for one in PUBLIC} | {"thirdcard", *CONTRACTS}))
def test_examples_in_docstrings_are_true(module: str) -> None:
    found = doctest.testmod(import_module(module), optionflags=doctest.ELLIPSIS)
    assert found.attempted
    assert not found.failed


def without_example(names: list[tuple[ModuleType, str]]) -> list[str]:
    return [name for front, name in names if ">>>" not in (public(front, name).__doc__ or "")]


def test_every_public_name_says_what_it_is_with_an_example() -> None:
    assert not without_example(PUBLIC)
    assert without_example([(settlement, "read_insurance")]), "a name without one would be found"


def test_what_the_issue_of_a_front_door_names_is_there() -> None:
    names = "load Game settle Table odds insurance simulate protect ruling roads felt __version__"
    assert {*names.split()} <= {*tc.__all__} <= {*dir(tc)}
    assert (Path(thirdcard.__file__).parent / "py.typed").is_file()


def modules_of(code: str) -> set[str]:
    """What a fresh interpreter has imported after some code, beyond what it has by itself."""
    listed = "import sys; print(*sys.modules)"
    run = [
        subprocess.run([sys.executable, "-c", f"{one}\n{listed}"], capture_output=True, text=True, check=True, timeout=300)
        for one in (code, "pass")
    ]  # fmt: skip
    loaded, before = (set(one.stdout.split("\n")[-2].split()) for one in run)
    return loaded - before


def test_a_bare_import_loads_nothing_else() -> None:
    """What holds it under 30 ms: not even `typing`, which alone takes as long as the interpreter's own start."""
    assert modules_of("import thirdcard") == {"thirdcard"}


def test_the_command_line_starts_with_its_own_modules_and_typer() -> None:
    """What holds `--help` under 0.2 s: Typer takes most of it, and no command is imported before it is asked for."""
    code = "import contextlib, sys; sys.argv[1:] = ['--help']; from thirdcard.cli import main\nwith contextlib.suppress(SystemExit): main()\n"
    loaded = modules_of(code)
    tops = {name.partition(".")[0] for name in loaded}
    assert "typer" in tops
    assert not tops & {"msgspec", "rich", "numpy", "numba", "pyarrow", "litestar", "jinja2"}
    ours = {name.removeprefix("thirdcard.") for name in loaded if name.startswith("thirdcard")}
    assert ours == {"thirdcard", "errors", "cli", "cli.options", "cli.signs"}


def test_the_first_answer_loads_no_arrays_no_screen_and_no_server() -> None:
    loaded = modules_of(
        "import thirdcard as tc; tc.settle('mbs-tiger-v2', '9C 9H 9D 9S', {'tie': 100}); tc.odds"
    )
    tops = {name.partition(".")[0] for name in loaded}
    assert "msgspec" in tops
    assert not tops & {"numpy", "numba", "pyarrow", "typer", "rich", "litestar", "jinja2", "polars", "pandas"}


def test_a_name_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(AttributeError, match="expected one of BadInput, Card"):
        _ = tc.settles


def test_modules_can_be_called_and_stay_modules() -> None:
    assert tc.odds(BOOK)["banker"].ev == values(load(BOOK), fresh(8))["banker"].ev
    assert tc.odds is sys.modules["thirdcard.odds"]


def test_a_rulebook_by_slug_file_or_itself_and_cards_as_text_or_values() -> None:
    book, cards = tc.load(BOOK), parse_cards("9C 9H 9D 9S")
    said = {
        repr(tc.settle(which, given, {"tiger-pair": 500}))
        for which in (BOOK, book)
        for given in (cards, "9C 9H 9D 9S", ["9C", "9H", "9D", "9S"])
    }
    assert len(said) == 1


def test_values_show_themselves_in_a_line_and_as_a_table() -> None:
    shown = (
        tc.load(BOOK),
        tc.settle(BOOK, "9C 9H 9D 9S", {"tiger-pair": 500}),
        tc.odds(BOOK),
        tc.odds.effects(BOOK, fresh(8)),
        tc.insurance("rws-commission-insurance-v5"),
        tc.roads("BPPTTB"),
        tc.felt(BOOK, boxes=6, own=3),
        tc.ruling(BOOK, "drawn-together"),
        tc.simulate(BOOK, 1000),
        tc.simulate.run_sessions(BOOK, 10, 10),
        tc.protect(BOOK, bets="tie", cuts=[14], shoes=4),
    )
    for value in shown:
        assert len(repr(value)) < 130
        assert value._repr_html_().startswith(("<table>", "<svg", "<img"))
    for value in (
        fresh(8),
        tc.odds(BOOK)["tie"],
        plan(BOOK, fresh(8), {"tie": 100}),
        tc.Table(BOOK),
        tc.Game(BOOK),
    ):
        assert len(repr(value)) < 130


def test_a_felt_is_a_picture_that_is_whole_by_itself() -> None:
    picture = ET.fromstring(tc.felt(BOOK).svg)  # noqa: S314 - our own
    assert "--cloth-1" in (picture[0].text or "")
    assert tc.felt(BOOK, boxes=6)._repr_html_().count("<img") == 1


@pytest.mark.slow
def test_slugs_files_and_rulebooks_and_cards_in_any_form_everywhere(tmp_path: Path) -> None:
    insured = "rws-commission-insurance-v5"
    file = tmp_path / f"{insured}.toml"
    file.write_text((DOCUMENTS / file.name).read_text(encoding="utf-8"), encoding="utf-8")
    cards = "6C 3D KH AS"
    asked: tuple[Any, ...] = (
        lambda book, _: tc.odds(book, seen=_).to_frame().to_pylist(),
        lambda book, _: tc.insurance(book, cards=_).to_frame().to_pylist(),
        lambda book, _: tc.odds.shoe(book, 8, _),
        lambda book, _: tc.odds.values(book, fresh(8).without(_), ["tie"])["tie"].ev,
        lambda book, _: tc.odds.effects(book, fresh(8).without(_), ["tie"]),
        lambda book, _: tc.odds.by_decks(book, ["tie"], _)[8]["tie"].ev,
        lambda book, _: tc.odds.situation(book, fresh(8), _),
        lambda book, _: tc.odds.offers(book, fresh(8))[0],
        lambda book, _: plan(book, fresh(8), {"tie": 100}),
        lambda book, _: tc.Game(book).deal(_).player_points,
        lambda book, _: tc.Table(book, layout="D", differential=100_000).state.setup.digest,
        lambda book, _: tc.felt(book).svg,
        lambda book, _: tc.simulate(book, 100).outcomes,
        lambda book, _: tc.ruling(book, "drawn-together").rules,
        lambda book, _: settle_frame(book, {"cards": ["9C 9H 9D 9S"], "tie": [100]}).to_pylist(),
    )
    for question in asked:
        said = [
            question(book, given)
            for book in (insured, str(file), file, load(insured))
            for given in (cards, cards.split(), parse_cards(cards))
        ]
        assert all(one == said[0] for one in said)


def test_insurance_by_hand_and_window() -> None:
    insured = tc.settle(
        "rws-tiger-buffalo-commission-v2", "6C 3D KH AS 3C", {"player": 10_000}, {"player:1": 4_000}
    )
    assert [line.window for line in insured.bets] == [None, 1]


def test_numpy_integers_are_money_and_become_plain_ones() -> None:
    line = tc.settle(BOOK, "9C 9H 9D 9S", {"tiger-pair": np.int64(500)}).bets[0]
    assert type(line.stake) is int
    assert type(line.net) is int
    limits = {"*": Limit(np.int64(1000))}  # type: ignore[arg-type]
    table = tc.Table(BOOK, positions=np.int64(6), limits=limits, cut=np.int64(20))
    table.do(commands.Join(by="ann"), commands.BuyIn(by="ann", cents=np.int64(50_000)))  # type: ignore[arg-type]
    msgspec.json.encode(table.log)
    run = tc.simulate.run_sessions(BOOK, np.int64(3), np.int64(5), unit=np.int64(1000), decks=np.int64(6)).run
    msgspec.json.encode(run)


WRONG = (
    (lambda: tc.settle(BOOK, "9C 9H 9D 9S", {"banker": 100.0}), "the stake on banker must be a whole number: got 100.0"),
    (lambda: tc.settle(BOOK, "9C 9H 9D 9S", {"banker": True}), "whole number: got True"),
    (lambda: tc.settle(BOOK, "9C 9H 9D 9S", {"banker": "5"}), "whole number: got '5'"),
    (lambda: tc.settle(BOOK, "9C 9H 9D 9S", {"banker": 150}), "multiple of the chip unit"),
    (lambda: tc.settle(BOOK, "9C 9H 9D 9S", {"bankers": 100}), "did you mean banker"),
    (lambda: tc.settle(BOOK, "9C 9H 9D 9S", {"banker": 100}, layout="Z"), "no layout 'Z'"),
    (lambda: tc.settle(BOOK, "9C 9H 9D 9S", {"banker": 100}, decks=2.5), "the number of decks must be a whole number: got 2.5"),
    (lambda: tc.settle(BOOK, "9C 9H 9D", {"banker": 100}), "card"),
    (lambda: tc.settle(BOOK, "9c 9H 9D 9S", {"banker": 100}), "did you mean 9C"),
    (lambda: tc.settle(BOOK, 9, {"banker": 100}), "cards are written such as"),
    (lambda: tc.settle(BOOK, "6C 3D KH AS 3C", {"player": 100}, {"player-1": 100}), "expected HAND:WINDOW"),
    (lambda: tc.settle(BOOK, "6C 3D KH AS 3C", {"player": 100}, {"player:1": 100}), "offers no insurance"),
    (lambda: tc.settle("mbs-tiger", "9C 9H 9D 9S", {}), "did you mean mbs-tiger-v2"),
    (lambda: tc.load("nowhere/my.toml"), "there is no file"),
    (lambda: tc.Game(BOOK, "A", unit=0.5), "the chip unit must be a whole number"),
    (lambda: tc.odds(BOOK, seen="9C X"), "'X' is not a card"),
    (lambda: tc.odds(BOOK, decks=0), "is played with"),
    (lambda: tc.odds(BOOK, layout="Q"), "no layout 'Q'"),
    (lambda: tc.insurance(BOOK), "offers no insurance"),
    (lambda: fresh(2.5), "the number of decks must be a whole number"),  # type: ignore[arg-type]
    (lambda: fresh(0), "at least one deck"),
    (lambda: plan(load(BOOK), fresh(8), {"banker": 1}), "multiple of the chip unit 0.20"),
    (lambda: plan(load(BOOK), fresh(8), {"banker": 100.0}), "whole number"),  # type: ignore[dict-item]
    (lambda: plan(load(BOOK), fresh(8), {"lion": 100}), "no bet 'lion'"),
    (lambda: tc.ruling(BOOK, "drawn"), "no case 'drawn'"),
    (lambda: tc.ruling(BOOK, "drawn-together", weather="fine"), "does not matter"),
    (lambda: tc.roads("BPX"), "'X' at place 3"),
    (lambda: tc.simulate(BOOK, 0), "more than zero"),
    (lambda: tc.simulate(BOOK, 1.5), "whole number"),
    (lambda: tc.simulate(BOOK, 1000, seed=-1), "a seed is"),
    (lambda: tc.simulate(BOOK, 1000, cut=2), "cut card"),
    (lambda: tc.simulate(BOOK, 1000, workers=0), "workers"),
    (lambda: read_cards("9C ??"), r"'\?\?' is not a card"),
    (lambda: tc.settle(BOOK, "9C 9H 9D 9S", ["banker"]), "bets are stakes in cents by name"),
    (lambda: tc.settle(BOOK, "9C 9H 9D 9S", None), "bets are stakes in cents by name"),
    (lambda: tc.settle(BOOK, "9C 9H 9D 9S", {5: 100}), "no bet 5"),
    (lambda: tc.settle(BOOK, "9C 9H 9D 9S", {"banker": None}), "whole number: got None"),
    (lambda: tc.settle(BOOK, "9C 9H 9D 9S", {}, 5), "insurance is stakes in cents by place"),
    (lambda: tc.settle(BOOK, "9C 9H 9D 9S", {}, [5]), "insurance is stakes in cents by place"),
    (lambda: tc.settle(BOOK, "9C 9H 9D 9S", {}, {1: 100}), "expected HAND:WINDOW"),
    (lambda: tc.settle(BOOK, [9, "9H"], {}), "cards are written such as"),
    (lambda: tc.Game(BOOK, "A").settle("9C 9H 9D 9S", {"banker": 100.0}), "whole number: got 100.0"),
    (lambda: tc.load(5), "named by its slug or its file"),
    (lambda: tc.load(None), "named by its slug or its file"),
    (lambda: tc.odds(BOOK)["bankr"], "did you mean banker"),
    (lambda: tc.simulate(BOOK, 100)["bankr"], "did you mean banker"),
    (lambda: tc.odds(BOOK, decks="8"), "whole number: got '8'"),
    (lambda: tc.odds(BOOK, seen=[1]), "cards are written such as"),
    (lambda: values(BOOK, fresh(8), ["lion"]), "no bet 'lion'"),
    (lambda: tc.odds.effects(BOOK, fresh(8), ["lion"]), "no bet 'lion'"),
    (lambda: tc.odds.Composition((4.0,) * 13), "a number of cards must be a whole number: got 4.0"),
    (lambda: tc.odds.Composition((True,) * 13), "whole number: got True"),
    (lambda: tc.roads(5), "results are letters such as"),
    (lambda: tc.roads(["X"]), "'X' at place 1"),
    (lambda: tc.ruling(BOOK, 5), "no case 5"),
    (lambda: tc.ruling(BOOK, "drawn-together", order_known=1), "order known is .* got 1"),
    (lambda: tc.simulate(BOOK, 100, checkpoint=5), "a checkpoint is a file"),
    (lambda: tc.simulate(BOOK, 100, decks=8.0), "whole number: got 8.0"),
    (lambda: tc.protect(BOOK, bets=["lion"]), "no bet 'lion'"),
    (lambda: tc.protect(BOOK, cuts=[14.0]), "a cut must be a whole number"),
    (lambda: tc.protect(BOOK, shoes=0), "the number of shoes must be more than zero"),
    (lambda: tc.protect(BOOK, cuts=14), r"cuts are given one by one, such as \[14, 52\]: got 14"),
    (lambda: tc.protect(BOOK, error="0.01"), "a standard error is .* got '0.01'"),
    (lambda: tc.protect(BOOK, error=True), "a standard error is .* got True"),
    (lambda: tc.protect(BOOK, burn=40), "'40' is no way to burn cards"),
    (lambda: tc.protect(BOOK, terms={"maximum": 5}), "terms are such as"),
    (lambda: tc.felt(BOOK, "Q"), "no layout 'Q'"),
    (lambda: tc.felt(BOOK, boxes=40), "boxes: got 40"),
    (lambda: tc.felt(BOOK, boxes=6, own=7), "one of 1 to 6: got 7"),
    (lambda: tc.Table("mbs-tiger"), "did you mean mbs-tiger-v2"),
    (lambda: tc.Table(BOOK, colour="red"), "a table has no 'colour'"),
    (lambda: tc.Table(BOOK, positions=6.0), "positions must be a whole number"),
    (lambda: tc.Table(BOOK, limits={"*": Limit(10.5)}), "min must be a whole number"),  # type: ignore[arg-type]
    (lambda: tc.Table(BOOK).do(commands.BuyIn(by="ann", cents=500.0)), "cents must be a whole number"),  # type: ignore[arg-type]
    (lambda: tc.Table(BOOK).do(commands.BuyIn(by="ann", cents=True)), "cents must be a whole number"),
)  # fmt: skip


@pytest.mark.parametrize(("wrong", "told"), WRONG)
def test_a_mistaken_input_is_one_sentence(wrong: object, told: str) -> None:
    with pytest.raises(errors.BadInput, match=told) as raised:
        wrong()  # type: ignore[operator]
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("text", ["9c,10♦ Kh", "9C 10D KH", "9♣ T♢ k♥\ufe0f", "9CTDKH", "9c | td / kh"])
def test_cards_as_people_write_them(text: str) -> None:
    assert read_cards(text) == parse_cards("9C TD KH")


def test_two_hands_are_laid_in_the_order_drawn() -> None:
    player, banker = parse_cards("9C 7D"), parse_cards("KS 4H 3D")
    statement = settlement.settle("rws-commission-insurance-v5", in_order(player, banker), {"player": 1000})
    assert (statement.player.cards, statement.banker.cards) == ("9C 7D", "KS 4H 3D")
