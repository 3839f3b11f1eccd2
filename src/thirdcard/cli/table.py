"""`thirdcard table`: scripted tables for labs and other programs."""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from thirdcard.cli.options import Commands, Folders, Json, leave_out
from thirdcard.cli.output import as_answer, cited, console, plain, print_answer, print_json, table
from thirdcard.cli.signs import harmless
from thirdcard.errors import BadInput
from thirdcard.money import format_dollars
from thirdcard.rulebook import digest_of, load
from thirdcard.rulebook.load import remember
from thirdcard.rulebook.lookup import identity
from thirdcard.strict import LINE, bounded, decodable, json_of, lines_of
from thirdcard.table import Table
from thirdcard.table.commands import why_unreadable
from thirdcard.table.events import AnyEvent, TableOpened
from thirdcard.table.evolve import replay as folded
from thirdcard.table.script import Script, UnreadableLine, comes_to, state_hash, summary
from thirdcard.table.script import schema as made
from thirdcard.table.statements import PlayerStatement, TableStatement, player_statements, table_statement
from thirdcard.table.why import why as told

app = typer.Typer(
    cls=Commands, help="Run a table from a script, and read its log again.", no_args_is_help=True
)


class Replayed(msgspec.Struct):
    """A log folded again: what it comes to, what was written, and whether that is the same."""

    events: int
    hash: str
    written: str | None
    same: bool


Transcript = Annotated[bool, typer.Option("--transcript", help="Print lines a dealer can read instead.")]
Lang = Annotated[str | None, typer.Option(help="The language of the transcript: en, zh or zh-Hans [en].")]


@app.command()
def run(
    file: Annotated[Path | None, typer.Argument(help="JSON lines; standard input if left out.")] = None,
    transcript: Transcript = False,
    lang: Lang = None,
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """Run a script: first the table's set-up, then a command a line.

    Each line is answered by its events, its refusal or what is wrong with it; a last line sums the table up.
    The set-up's rulebook may be a file: its text comes with the first answer, for `table replay`.
    """
    _check_form(transcript=transcript, lang=lang, json_output=json_output)
    encode = msgspec.json.Encoder().encode
    script, status = Script(), 0
    for number, line in enumerate(lines_of(sys.stdin.buffer) if file is None else _lines(file), start=1):
        answer: Any
        try:
            value = json_of(line)
            answer = script.run(value if script.table else _by_slug(value), number)
        except (ValueError, msgspec.ValidationError) as error:
            status = 1
            answer = UnreadableLine(line=number, error=_why(error, has_table=script.table is not None))
        if not transcript:
            _write(encode(answer))
        elif isinstance(answer, UnreadableLine):
            typer.echo(f"thirdcard: line {number}: {harmless(answer.error)}", err=True)
    if script.table is None:
        raise BadInput("no table was set up: the first line must be a set-up that can be played")
    if transcript:
        _tell(script.table.transcript(lang or "en"))
    else:
        state = script.table.state
        _write(encode(as_answer("table", state.rulebook, summary(state, len(script.table.log)))))
    raise typer.Exit(status)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="What `thirdcard table run` printed.")],
    transcript: Transcript = False,
    lang: Lang = None,
    json_output: Json = False,
) -> None:
    """Fold a written log again and say whether it comes to the same hash."""
    _check_form(transcript=transcript, lang=lang, json_output=json_output)
    log, written = _read_log(file)
    try:
        folded = Table.from_log(log)
    except (AssertionError, KeyError, AttributeError, IndexError) as error:
        raise BadInput(f"the log in {file} does not fold: events are missing or out of order") from error
    if transcript:
        _tell(folded.transcript(lang or "en"))
        return
    hashed = state_hash(folded.state)
    same = comes_to(folded.state, len(log), written)
    print_answer("table-replay", folded.state.rulebook, Replayed(len(log), hashed, written.get("hash"), same))
    raise typer.Exit(0 if same else 1)


@app.command()
def why(
    file: Annotated[Path, typer.Argument(help="A script, as `thirdcard table run` takes it.")],
    line: Annotated[int, typer.Argument(help="After which of its lines; 0 for the last.")],
    person: Annotated[str, typer.Argument(help="The player who is meant.")],
    right: Annotated[
        str,
        typer.Argument(help="One of insure, decline, choose, withdraw, squeeze, device; all if left out."),
    ] = "",
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """Say what a player may do after a line of a script, what not, and why: the fact and its paragraph."""
    script = Script()
    lines = list(_lines(file))
    if not 0 <= line <= len(lines):
        raise BadInput(f"{file} has {len(lines)} lines: there is no line {line}")
    for number, text in enumerate(lines[: line or None], start=1):
        try:
            value = json_of(text)
            script.run(value if script.table else _by_slug(value), number)
        except (ValueError, msgspec.ValidationError) as error:
            raise BadInput(f"line {number}: {_why(error, has_table=script.table is not None)}") from error
    if script.table is None:
        raise BadInput("no table was set up: the first line must be a set-up that can be played")
    answers = told(script.table.state, person, right)
    if json_output:
        print_json(identity("table-why", script.table.state.rulebook) | {"why": answers})
        return
    out = console()
    for one in answers:
        answer = "yes" if one.may else "no "
        sentence = f"{answer}  {plain(one.what)}: {plain(one.because)}  {cited(one.rules)}"
        out.print(sentence.rstrip(), soft_wrap=True)


@app.command()
def statement(
    file: Annotated[Path, typer.Argument(help="What `thirdcard table run` printed.")],
    player: Annotated[str | None, typer.Argument(help="One player; the table's own if left out.")] = None,
    json_output: Json = False,
) -> None:
    """Who got what, and why: a player's movements, or the table's account."""
    log, _ = _read_log(file)
    if player is None:
        whole = table_statement(log)
        if json_output:
            print_answer("table-statement", folded(log).rulebook, whole)
        else:
            _show_table(whole)
        return
    statements = player_statements(log)
    if player not in statements:
        raise BadInput(f"{player!r} has no chips in this log: {', '.join(statements) or 'nobody'} has")
    if json_output:
        print_answer("player-statement", folded(log).rulebook, statements[player])
    else:
        _show_player(statements[player])


def _show_table(whole: TableStatement) -> None:
    rows = table("Account", "Amount", right=("Amount",))
    for text in whole.texts:
        since = f", in force from {text.effective}" if text.effective else ""
        named = plain(f"{text.rulebook} {text.digest[:12]}".strip() + since)
        rows.add_row(f"Rulebook from round {text.since} on", named)
    rows.add_row("Rounds", f"{whole.rounds} ({whole.void_rounds} void)")
    for name in ("drop", "paid_out", "lying", "house"):
        rows.add_row(name.replace("_", " ").title(), format_dollars(getattr(whole, name)))
    for player, cents in whole.racks.items():
        rows.add_row(f"Rack of {plain(player)}", format_dollars(cents))
    console().print(rows)


def _show_player(mine: PlayerStatement) -> None:
    rows = table(
        "Round",
        "What",
        "Amount",
        "Rack",
        "Paragraphs",
        title=plain(mine.player),
        right=("Round", "Amount", "Rack"),
    )
    for entry in mine.entries:
        cents, balance = format_dollars(entry.cents, sign=True), format_dollars(entry.balance)
        rows.add_row(str(entry.round or ""), plain(entry.what), cents, balance, cited(entry.rules))
        for line in entry.lines:
            bet = line.bet if line.window is None else f"{line.bet}, window {line.window}"
            bet_line = f"  {bet} {format_dollars(line.stake)}: {line.result}"
            rows.add_row(
                "", plain(bet_line), f"({format_dollars(line.net, sign=True)})", "", cited(line.rules)
            )
    out = console()
    out.print(rows)
    out.print(f"[bold]Net {format_dollars(mine.net, sign=True)}[/]")


def _read_log(file: Path) -> tuple[list[AnyEvent], dict[str, Any]]:
    """The events that `table run` wrote, and how it summed them up if it came to its end."""
    decode = msgspec.json.Decoder(decodable(AnyEvent)).decode
    log: list[AnyEvent] = []
    written: dict[str, Any] = {}
    for number, line in enumerate(_lines(file), start=1):
        try:
            answer = msgspec.json.decode(bounded(line, LINE), type=dict[str, msgspec.Raw])
            if "text" in answer:
                remember(bytes(answer["text"]))
            if "events" in answer:
                log += [decode(raw) for raw in msgspec.json.decode(answer["events"], type=list[msgspec.Raw])]
            elif "hash" in answer:
                written = msgspec.json.decode(line, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeDecodeError, BadInput) as error:
            raise BadInput(f"line {number} of {file} is not a line of a table's log: {error}") from error
    if not log or not isinstance(log[0], TableOpened):
        raise BadInput(f"{file} holds no table: expected what `thirdcard table run` printed")
    return log, written


def _check_form(*, transcript: bool, lang: str | None, json_output: bool) -> None:
    if transcript:
        leave_out("a transcript is for people", {"--json": json_output})
    else:
        leave_out("JSON has no language", {"--lang": lang is not None})


@app.command()
def schema(_json_output: Json = False) -> None:
    """The JSON Schema of set-up, commands, events and refusals."""
    print_json(made())


def _by_slug(setup: Any) -> Any:  # noqa: ANN401 - JSON
    """A set-up whose rulebook is a file, with slug and digest instead."""
    named = setup.get("rulebook") if isinstance(setup, dict) else None
    if not isinstance(named, str) or "digest" in setup:
        return setup
    book = load(named)
    return setup | {"rulebook": book.slug, "digest": digest_of(book)}


def _lines(file: Path) -> Iterator[bytes]:
    try:
        with file.open("rb") as source:
            yield from lines_of(source)
    except OSError as error:
        raise BadInput(f"cannot read {file}: {error.strerror}") from error


def _write(line: bytes) -> None:
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


def _tell(lines: Iterable[str]) -> None:
    out = console()
    for sentence in lines:
        out.print(sentence, soft_wrap=True, markup=False)


def _why(error: Exception, *, has_table: bool) -> str:
    if isinstance(error, BadInput):
        return str(error)
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON: {error.msg} at column {error.colno}"
    return f"not a {'command' if has_table else 'set-up'}: {why_unreadable(error)}"
