"""`thirdcard settle`: finished rounds in, statements out."""

import json
import sys
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from thirdcard.cli.output import Folders, Json, Slug, cited, console, identity, plain, print_json, table
from thirdcard.errors import BadInput
from thirdcard.strict import no_twins

if TYPE_CHECKING:
    from thirdcard.play.settlement import Game, Insured, Statement, StatementLine
    from thirdcard.play.tableau import Deal

VERDICTS = {"win": "[green]wins[/]", "lose": "[red]loses[/]", "push": "push"}


def settle(  # noqa: PLR0913, PLR0917 - these are the options people have
    slug: Slug,
    layout: Annotated[str, typer.Option(help="The layout's letter.")],
    cards: Annotated[str, typer.Option(help='All cards in the order drawn, such as "9C 4H 7D 2S".')] = "",
    bet: Annotated[
        list[str] | None, typer.Option(metavar="NAME=DOLLARS", help="A bet; repeat for more.")
    ] = None,
    insure: Annotated[
        list[str] | None,
        typer.Option(metavar="HAND:WINDOW=DOLLARS", help="Insurance bought, such as player:1=20."),
    ] = None,
    decks: Annotated[
        int | None, typer.Option(help="Decks in the shoe [8, or the nearest that the rulebook allows].")
    ] = None,
    chip_unit: Annotated[str, typer.Option(metavar="DOLLARS", help="Every stake is a multiple of it.")] = "1",
    _folders: Folders = None,
    json_output: Json = False,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Read rounds as JSON lines from standard input.")
    ] = False,
) -> None:
    """Settle a finished round and say why.

    thirdcard settle mbs-tiger-v2 --layout A --cards "9C 4H 7D 2S" --bet small-tiger=10
    """
    import msgspec

    from thirdcard.cards import parse_cards
    from thirdcard.money import parse_dollars
    from thirdcard.play.settlement import Game
    from thirdcard.rulebook import load
    from thirdcard.rulebook.lookup import usual_decks

    book = load(slug)
    game = Game(book, layout, decks=usual_decks(book, decks), unit=parse_dollars(chip_unit))
    if jsonl:
        if cards or bet or insure:
            raise BadInput("--jsonl reads rounds from standard input: leave out --cards, --bet and --insure")
        raise typer.Exit(settle_lines(game, sys.stdin.buffer, sys.stdout.buffer))
    if not cards:
        raise BadInput('no cards given: expected --cards "9C 4H 7D 2S", or --jsonl to read rounds')
    drawn = parse_cards(cards)
    statement = game.settle(drawn, parse_bets(bet or []), [_parse_insurance(one) for one in insure or []])
    if json_output:
        print_json(identity("settle", game.rulebook) | msgspec.structs.asdict(statement))
    else:
        _show(game, game.deal(drawn), statement)


def parse_bets(options: list[str]) -> dict[str, int]:
    from thirdcard.money import parse_dollars

    bets: dict[str, int] = {}
    for option in options:
        name, equals, amount = option.partition("=")
        if not equals:
            raise BadInput(f"{option!r} is not a bet: expected NAME=DOLLARS such as banker=25")
        if name in bets:
            raise BadInput(f"the bet {name} is given twice: add the stakes up")
        bets[name] = parse_dollars(amount)
    return bets


def _parse_insurance(option: str) -> "Insured":
    from thirdcard.money import parse_dollars
    from thirdcard.play.settlement import Insured
    from thirdcard.rulebook.model import Side

    place, equals, amount = option.partition("=")
    hand, colon, window = place.partition(":")
    if not equals or not colon or hand not in tuple(Side) or not (window.isascii() and window.isdigit()):
        raise BadInput(
            f"{option!r} is not insurance: expected HAND:WINDOW=DOLLARS such as player:1=20, banker:2=5"
        )
    return Insured(hand=Side(hand), window=int(window), stake=parse_dollars(amount))


def settle_lines(game: "Game", source: BinaryIO, sink: BinaryIO) -> int:
    """Settle JSON lines one by one; a bad line answers with its error and the run goes on.

    Each answer is written out before the next line is read, so that another program may converse.
    """
    import msgspec

    from thirdcard.cards import parse_cards
    from thirdcard.play.settlement import RoundToSettle

    encode = msgspec.json.Encoder().encode
    decode = json.JSONDecoder(object_pairs_hook=no_twins).decode
    status = 0
    for number, line in enumerate(source, start=1):
        try:
            given = RoundToSettle.read(decode(line.decode()))
            answer = encode(game.settle(parse_cards(given.cards), given.bets, given.insure))
        except (ValueError, RecursionError, msgspec.ValidationError) as error:
            status = 1
            answer = encode(_line_error(error, number))
        sink.write(answer + b"\n")
        sink.flush()
    return status


def _line_error(error: Exception, number: int) -> dict[str, object]:
    if isinstance(error, BadInput):
        return {"error": str(error), "line": number, **({"rules": error.rules} if error.rules else {})}
    if isinstance(error, json.JSONDecodeError):
        return {"error": f"not JSON: {error.msg} at column {error.colno}", "line": number}
    if isinstance(error, RecursionError):
        return {"error": "not a round: nested too deeply", "line": number}
    return {"error": f"not a round: {error}", "line": number}


def _show(game: "Game", deal: "Deal", statement: "Statement") -> None:
    from thirdcard.play.explain import explain

    out = console()
    out.print(f"[bold]{plain(game.rulebook.document.title)}[/], layout {game.layout}, {game.decks} decks")
    out.print()
    for sentence, rules in explain(game.rulebook, deal):
        out.print(f"  {plain(sentence)}  {cited(rules)}".rstrip(), soft_wrap=True)
    if statement.bets:
        from thirdcard.money import format_dollars

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


def _name(game: "Game", line: "StatementLine") -> str:
    if line.window is None:
        return plain(game.bets[line.bet].name)
    return f"{line.bet.partition('-')[0].title()} insurance, window {line.window}"
