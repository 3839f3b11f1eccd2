"""What commands take: rulebooks, decks, cards that were seen; and groups of commands.

`--help` loads this module and no other of the library: what it needs of a rulebook waits in a function.
"""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from thirdcard.errors import BadInput


def _look_there(folders: list[Path] | None) -> list[Path] | None:
    if folders:
        from thirdcard.rulebook.load import search_in

        for folder in folders:
            search_in(folder)
    return folders


Decks = Annotated[
    int | None, typer.Option(help="Decks in the shoe [8, or the nearest that the rulebook allows].")
]
Database = Annotated[str, typer.Argument(metavar="DATABASE", help="A SQLite file, or postgresql://...")]
INTERRUPTED = 130  # status of a command that Ctrl-C broke off
OnlyLayout = Annotated[str | None, typer.Option("--layout", help="Only the bets of this layout.")]
Seed = Annotated[int, typer.Option(help="The same seed deals the same cards.")]
Seen = Annotated[str, typer.Option(help='Cards that have left the shoe, such as "9C KD".')]


def _slugs(incomplete: str) -> list[str]:
    """What a shell offers where a rulebook is asked for; it offers files by itself where none fits."""
    from thirdcard.rulebook import slugs

    return [slug for slug in slugs() if slug.startswith(incomplete)]


Slug = Annotated[
    str,
    typer.Argument(
        metavar="RULEBOOK",
        help="A slug (`thirdcard rules list` names them) or a file.",
        autocompletion=_slugs,
    ),
]
Folders = Annotated[  # a parameter that no command reads: it has done its work when the command begins
    list[Path] | None,
    typer.Option(
        "--rulebooks",
        metavar="DIR",
        callback=_look_there,
        help="A folder of more rulebooks; repeatable.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON value and nothing else.")]


class Commands(TyperGroup):
    """A group that tells what its commands do in whole sentences, in the order in which they were added."""

    def format_commands(self, _: Any, formatter: Any) -> None:  # noqa: ANN401 - Typer's own copy of Click
        with formatter.section("Commands"):
            formatter.write_dl(self.told())

    def told(self) -> list[tuple[str, str]]:
        """The commands, and what each does."""
        return [(name, command.get_short_help_str(limit=1000)) for name, command in self.commands.items()]


def leave_out(why: str, given: dict[str, bool]) -> None:
    """BadInput for options that were given and would change nothing here."""
    names = [name for name, is_given in given.items() if is_given]
    if names:
        raise BadInput(f"{why}: leave out {' and '.join(names)}")
