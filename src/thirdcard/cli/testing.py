"""`thirdcard rules test`: a book's own expected rounds, written and checked."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from thirdcard.cli.options import Folders, Json
from thirdcard.cli.output import as_answer, console, plain, print_json, table
from thirdcard.errors import BadInput
from thirdcard.play.expected import Difference, differences, read_rounds, rounds_of, written
from thirdcard.rulebook import load

ENDING = ".rounds.json"  # beside the file


class TestedRulebook(msgspec.Struct):
    """How many rounds were looked at, where they stand, and which come to something else than expected."""

    rounds: int
    file: str
    differences: tuple[Difference, ...]


def expected(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file of a rulebook.")],
    write: Annotated[
        bool, typer.Option("--write", help="Write the rounds as they are settled now, to be reviewed.")
    ] = False,
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """A rulebook's own expected rounds, one for each result of each bet: what has changed since.

    They stand beside the file, in my-game.rounds.json for my-game.toml. Exit status 1 where one differs.
    """
    book, kept = load(file), file.with_suffix(ENDING)
    if write:
        rounds = rounds_of(book)
        kept.write_text(written(rounds), encoding="utf-8")
    elif kept.exists():
        rounds = read_rounds(kept.name, kept.read_bytes())
    else:
        raise BadInput(f"{kept.name} is not there: write it with --write, and review it")
    found = tuple(differences(book, rounds))
    if json_output:
        print_json(as_answer("rules.test", book, TestedRulebook(len(rounds), kept.name, found)))
        raise typer.Exit(int(bool(found)))
    out = console()
    if found:
        rows = table("Bet", "Cards", "Expected", "Found")
        for one in found:
            rows.add_row(plain(one.bet), one.cards, plain(one.expected), plain(one.found))
        out.print(rows)
    done = "written" if write else "checked"
    out.print(f"{len(rounds)} rounds {done} in {plain(kept.name)}, {len(found)} different.")
    raise typer.Exit(int(bool(found)))
