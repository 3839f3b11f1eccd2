"""`thirdcard settle`: finished rounds in, statements out."""

import json
import sys
from codecs import BOM_UTF8 as BYTE_ORDER_MARK
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import msgspec
import typer
from msgspec import UNSET, UnsetType

import thirdcard as tc
from thirdcard.cards import parse_cards, read_cards
from thirdcard.cli.options import Decks, Folders, Json, Slug, leave_out
from thirdcard.cli.output import cited, console, plain, print_answer, table
from thirdcard.errors import BadInput
from thirdcard.money import format_dollars, parse_dollars, parse_stakes
from thirdcard.play.explain import explain
from thirdcard.play.settlement import Game, Insured, RoundToSettle, Statement, StatementLine, read_insurance
from thirdcard.play.tableau import Deal
from thirdcard.strict import json_of, lines_of


class SettledAt(msgspec.Struct):
    """The layout and the decks of what was settled."""

    layout: str
    decks: int


class SettledFile(msgspec.Struct, kw_only=True):
    """A table of rounds that was settled into another; the net result is in cents.

    `passed` are the columns that are neither cards nor stakes: they were passed through as they are.
    """

    rounds: int
    errors: int
    net: int
    out: str
    passed: tuple[str, ...] = ()


class WithId(msgspec.Struct):
    """A line's own `id`, of whatever form, stands in its answer."""

    id: Any = UNSET


class UnsettledLine(msgspec.Struct, kw_only=True):
    """What is wrong with a line, and the paragraphs that say so."""

    error: str
    line: int
    rules: tuple[str, ...] | UnsetType = UNSET


VERDICTS = {"win": "[green]wins[/]", "lose": "[red]loses[/]", "push": "push"}


def settle(  # noqa: PLR0913, PLR0917 - these are the options people have
    slug: Slug,
    layout: Annotated[str | None, typer.Option(help="The layout's letter [its first].")] = None,
    cards: Annotated[str, typer.Option(help='All cards in the order drawn, such as "9C 4H 7D 2S".')] = "",
    bet: Annotated[
        list[str] | None, typer.Option(metavar="NAME=DOLLARS", help="A bet; repeat for more.")
    ] = None,
    insure: Annotated[
        list[str] | None,
        typer.Option(metavar="HAND:WINDOW=DOLLARS", help="Insurance bought, such as player:1=20."),
    ] = None,
    decks: Decks = None,
    chip_unit: Annotated[str, typer.Option(metavar="DOLLARS", help="Every stake is a multiple of it.")] = "1",
    _folders: Folders = None,
    json_output: Json = False,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Read rounds as JSON lines from standard input.")
    ] = False,
    source: Annotated[
        Path | None,
        typer.Option("--in", metavar="FILE", help="A table of rounds: .parquet, .arrow, .csv or .jsonl."),
    ] = None,
    sink: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="With --in: where the settled table goes.")
    ] = None,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="With --in or --jsonl: cards as others write them, 9c or 10c.")
    ] = False,
) -> None:
    """Settle a finished round and say why.

    thirdcard settle mbs-tiger-v2 --layout A --cards "9C 4H 7D 2S" --bet small-tiger=10

    thirdcard settle mbs-tiger-v2 --layout A --in rounds.parquet --out settled.parquet
    """
    book = tc.load(slug)
    letter = layout or next(iter(book.layouts))
    game = tc.Game(book, letter, decks=decks, unit=parse_dollars(chip_unit))
    one_round = {"--cards": bool(cards), "--bet": bool(bet), "--insure": bool(insure)}
    if source or sink:
        leave_out("--in reads a table of rounds", {**one_round, "--jsonl": jsonl})
        raise typer.Exit(_settle_file(game, source, sink, lenient=lenient, json_output=json_output))
    if jsonl:
        leave_out("--jsonl reads rounds and prints a line for each", {**one_round, "--json": json_output})
        raise typer.Exit(settle_lines(game, sys.stdin.buffer, sys.stdout.buffer, lenient=lenient))
    if lenient:
        raise BadInput("--lenient goes with --in or --jsonl")
    if not cards:
        raise BadInput('no cards given: expected --cards "9C 4H 7D 2S", or --jsonl to read rounds')
    drawn = parse_cards(cards)
    bought = [insured for option in insure or () for insured in _bought(option)]
    statement = game.settle(drawn, parse_stakes(bet or ()), bought)
    if json_output:
        print_answer("settle", game.rulebook, SettledAt(letter, game.decks), statement)
    else:
        _show(game, game.deal(drawn), statement)


def _settle_file(
    game: Game, source: Path | None, sink: Path | None, *, lenient: bool, json_output: bool
) -> int:
    """Settle a table of rounds into another; status 1 if some could not be settled."""
    if source is None or sink is None:
        raise BadInput("a table needs both: --in rounds.parquet --out settled.parquet")
    from thirdcard.data import read_table, settle_frame, write_table
    from thirdcard.data.settling import CARDS, HANDS, INSURANCE

    rounds = read_table(source)
    settled = settle_frame(
        game.rulebook, rounds, layout=game.layout, decks=game.decks, unit=game.unit, lenient=lenient
    )
    write_table(settled, sink)
    wrong = len(settled) - settled["error"].null_count
    net = settled["net"].to_numpy(zero_copy_only=False)
    total = int(net[settled["error"].is_null().to_numpy(zero_copy_only=False)].sum()) if len(settled) else 0
    read = {CARDS, *HANDS, *game.rulebook.bets}
    passed = tuple(name for name in rounds.column_names if name not in read and INSURANCE not in name)
    file = SettledFile(rounds=len(settled), errors=wrong, net=total, out=str(sink), passed=passed)
    if json_output:
        print_answer("settle-file", game.rulebook, SettledAt(game.layout or "", game.decks), file)
    else:
        summary = f"{file.rounds:,} rounds, {wrong:,} not settled, net {format_dollars(total, sign=True)}"
        console().print(f"{summary}: {plain(sink)}", soft_wrap=True)
        if passed:
            console().print(f"Passed through: {plain(', '.join(passed))}", soft_wrap=True)
    return 1 if wrong else 0


def _bought(option: str) -> tuple[Insured, ...]:
    place, equals, amount = option.partition("=")
    try:
        return read_insurance({place: parse_dollars(amount)} if equals else {option: 0})
    except BadInput:
        raise BadInput(
            f"{option!r} is not insurance: expected HAND:WINDOW=DOLLARS such as player:1=20, banker:2=5"
        ) from None


def settle_lines(game: Game, source: BinaryIO, sink: BinaryIO, *, lenient: bool = False) -> int:
    """Settle JSON lines one by one; a bad line answers with its error and the run goes on.

    Each answer is written out before the next line is read, so that another program may converse. A line's
    `id`, of whatever form, stands in its answer; a byte-order mark and blank lines are passed over.
    """
    read = read_cards if lenient else parse_cards
    encode = msgspec.json.Encoder().encode
    status = 0
    for number, line in enumerate(lines_of(source), start=1):
        text = line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line
        if not text.strip():
            continue
        mine: dict[str, object] = {}
        try:
            value = json_of(text)
            if isinstance(value, dict) and "id" in value:
                mine = {"id": value.pop("id")}
            given = RoundToSettle.read(value)
            answer = encode(game.settle(read(given.cards), given.bets, given.insure))
        except (ValueError, msgspec.ValidationError) as error:
            status = 1
            answer = encode(_line_error(error, number))
        if mine:
            answer = encode(mine)[:-1] + b"," + answer[1:]
        sink.write(answer + b"\n")
        sink.flush()
    return status


def _line_error(error: Exception, number: int) -> UnsettledLine:
    if isinstance(error, BadInput):
        return UnsettledLine(error=str(error), line=number, rules=error.rules or UNSET)
    if isinstance(error, json.JSONDecodeError):
        return UnsettledLine(error=f"not JSON: {error.msg} at column {error.colno}", line=number)
    return UnsettledLine(error=f"not a round: {error}", line=number)


def _show(game: Game, deal: Deal, statement: Statement) -> None:
    out = console()
    out.print(f"[bold]{plain(game.rulebook.document.title)}[/], layout {game.layout}, {game.decks} decks")
    out.print()
    for sentence, rules in explain(game.rulebook, deal):
        out.print(f"  {plain(sentence)}  {cited(rules)}".rstrip(), soft_wrap=True)
    if statement.bets:
        rows = table(
            "Bet", "Stake", "Result", "Pays", "Net", "Paragraphs", right=("Stake", "Net"), whole=("Bet",)
        )
        for line in statement.bets:
            rows.add_row(
                _name(game, line),
                format_dollars(line.stake),
                VERDICTS[line.result],
                line.odds or "",
                format_dollars(line.net, sign=True),
                cited(line.rules),
            )
        out.print(rows)
        out.print(f"[bold]Net {format_dollars(statement.net, sign=True)}[/]")


def _name(game: Game, line: StatementLine) -> str:
    if line.window is None:
        return plain(game.bets[line.bet].name)
    return f"{line.bet.partition('-')[0].title()} insurance, window {line.window}"
