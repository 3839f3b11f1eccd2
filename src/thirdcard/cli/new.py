"""`thirdcard rules new`: a small rulebook from a few answers."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec
import typer

from thirdcard.cli.options import Folders, Json
from thirdcard.cli.output import console, percent, plain, print_answer, short, table, write_file
from thirdcard.errors import BadInput
from thirdcard.money import Odds
from thirdcard.odds import fresh, values
from thirdcard.odds.bet_values import HouseEdge, edges
from thirdcard.rulebook import Rulebook, digest_of, load
from thirdcard.rulebook.extending import PLAIN_GAME
from thirdcard.rulebook.faults import NAME
from thirdcard.rulebook.findings import Finding
from thirdcard.rulebook.load import read
from thirdcard.rulebook.lookup import usual_decks
from thirdcard.rulebook.writing import USUAL_GAME, Answers, well_known, written

T = TypeVar("T")

USUAL_DECKS = "1-8"
USUAL_TIE = "8 to 1"


def new(  # noqa: PLR0913, PLR0917 - these are the questions
    file: Annotated[
        Path | None, typer.Argument(help="The file to write; the slug with .toml if left out.")
    ] = None,
    slug: Annotated[str | None, typer.Option(help="The name that programs and logs will know it by.")] = None,
    title: Annotated[str | None, typer.Option(help="What people call it.")] = None,
    extends: Annotated[
        str | None, typer.Option(metavar="RULEBOOK", help="The book that it changes; else the plain game.")
    ] = None,
    game: Annotated[
        str | None, typer.Option(help="What Banker pays: commission, half-on-6 or push-on-7.")
    ] = None,
    tie: Annotated[str | None, typer.Option(metavar="ODDS", help='What Tie pays, such as "9 to 1".')] = None,
    side: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A well-known side bet; repeat for more.")
    ] = None,
    decks: Annotated[str | None, typer.Option(help="Decks that it is played with, such as 8 or 6-8.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing: take what is usual.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """Write a small rulebook from answers, check it and show its edges.

    thirdcard rules new my-game.toml --game push-on-7 --side dragon-7 --side panda-8 --yes
    """

    def asked(given: str | None, question: str, usual: str, understood: Callable[[str], T]) -> T:
        """What an option says, or else what is answered to the question until it can be understood."""
        if given is not None or yes:
            return understood(usual if given is None else given)
        answer: T = typer.prompt(
            question,
            default=usual,
            show_default=bool(usual),
            value_proc=lambda text: _or_ask_again(understood, text),
            err=json_output,
        )
        return answer

    if file is not None:
        _check_free(file, force=force)
    slug = asked(slug, "Slug", file.stem if file else "my-game", _name)
    title = asked(title, "Title", slug.replace("-", " ").title(), str)
    base = asked(extends, "Book that it extends", PLAIN_GAME, _base)
    games, sides = well_known()["games"], well_known()["sides"]
    if base is None:
        choices = "".join(f"  {name}: {other['told']}\n" for name, other in games.items())
        game = asked(game, f"What Banker pays\n{choices}", USUAL_GAME, partial(_one_of, "game", games))
    elif game is not None:
        raise BadInput("a book that extends another has its Banker bet: leave out --game")
    changed = ", if it changes" if base else ""
    usual_tie, usual_decks = ("", "") if base else (USUAL_TIE, USUAL_DECKS)
    tie = asked(tie, f"Odds of Tie{changed}", usual_tie, _odds)
    named = " ".join(side) if side else None
    wanted = asked(named, f"Side bets, any of {', '.join(sides)}", "", partial(_some_of, sides))
    numbers = asked(decks, f"Decks{changed}", usual_decks, _range)
    path = file or Path(f"{slug}.toml")
    answers = Answers(
        slug=slug,
        title=title,
        game=game or USUAL_GAME,
        tie="" if tie == usual_tie else tie,
        sides=wanted,
        decks=None if numbers == _range(usual_decks) else numbers,
        extends=Path(base[0]).name if base else PLAIN_GAME,
    )
    text = written(answers, base[1] if base else None)
    book = read(path.name, text, path.parent)
    _check_free(path, force=force)
    _write(path, text)
    _report(path, book, json_output=json_output)


def _or_ask_again(understood: Callable[[str], T], text: str) -> T:
    try:
        return understood(text)
    except BadInput as error:
        raise typer.BadParameter(str(error)) from error


def _name(text: str) -> str:
    if not NAME.fullmatch(text):
        raise BadInput(f"{text!r} is not a name: small letters and digits, hyphens between them")
    return text


def _base(which: str) -> tuple[str, Rulebook] | None:
    """The book that is extended, if it is not the plain game."""
    return None if which == PLAIN_GAME else (which, load(which))


def _one_of(what: str, known: dict[str, object], name: str) -> str:
    if name not in known:
        raise BadInput(f"there is no {what} {name!r}: expected one of {', '.join(known)}")
    return name


def _some_of(known: dict[str, object], text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_one_of("side bet", known, one) for one in text.replace(",", " ").split()))


def _odds(text: str) -> str:
    return text and Odds(text).text


def _range(text: str) -> tuple[int, int] | None:
    low, dash, high = text.partition("-")
    if text and not (low.isdecimal() and (high or not dash) and (high or low).isdecimal()):
        raise BadInput(f"{text!r} is not a number of decks: expected a form such as 8 or 6-8")
    return (int(low), int(high or low)) if text else None


def _check_free(path: Path, *, force: bool) -> None:
    if path.exists() and not force:
        raise BadInput(f"{path} is there already: choose another file, or --force to replace it")


def _write(path: Path, text: str) -> None:
    """The whole file or none of it."""
    half = path.with_name(f".{path.name}.half")
    try:
        write_file(half, text)
        half.replace(path)
    finally:
        half.unlink(missing_ok=True)


class BookWritten(msgspec.Struct, kw_only=True):
    """A rulebook that was written, without a finding, and its edges."""

    file: str
    findings: tuple[Finding, ...] = ()
    decks: int
    bets: dict[str, HouseEdge]


def _report(path: Path, book: Rulebook, *, json_output: bool) -> None:
    decks = usual_decks(book)
    written = BookWritten(file=str(path), decks=decks, bets=edges(values(book, fresh(decks))))
    if json_output:
        print_answer("rules.new", book, written)
        return
    out = console()
    out.print(f"Wrote {plain(path)}", soft_wrap=True)
    out.print(f"[bold]{plain(book.document.title)}[/] [dim]{short(digest_of(book))}[/]")
    rows = table("Bet", "House edge", right=("House edge",))
    for name, edge in written.bets.items():
        rows.add_row(plain(book.bets[name].name), percent(edge.house_edge))
    out.print(rows)
    out.print(f"[dim]Percent, exact, for {decks} decks.[/]")
    out.print(f"Next: thirdcard rules show {plain(path)}", soft_wrap=True)
