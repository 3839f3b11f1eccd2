"""`thirdcard rules when`: which version of a game is in force, and when."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from thirdcard.cli.options import Folders, Json
from thirdcard.cli.output import console, plain, print_done, short, table
from thirdcard.rulebook import digest_of
from thirdcard.rulebook.load import timeline
from thirdcard.rulebook.lookup import holding_on, timeline_on
from thirdcard.rulebook.versions import shown, standing_at

STANDING = {"held": "held before", "holds": "in force", "comes": "comes", "undated": "not in force: no date"}


def when(
    family: Annotated[
        str,
        typer.Argument(metavar="FAMILY", help="A game's slug without its version, or the slug of a version."),
    ],
    on: Annotated[
        str | None,
        typer.Argument(
            metavar="[DATE]",
            help="A day, which is its 00:00, or a time such as 2025-08-08T08:00+08:00; without a zone it is "
            "the book's own time.",
        ),
    ] = None,
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """The versions of a game in time, or the one that is in force on a date.

    thirdcard rules when rws-tiger-buffalo-non-commission 2025-08-08
    """
    now = datetime.now(UTC)
    holding = None if on is None else holding_on(family, on)  # or says why there is none
    if json_output:
        print_done("rules.when", timeline_on(family, now if on is None else on))
        return
    out = console()
    if holding is not None:
        book = holding.book
        out.print(f"[bold]{plain(book.slug)}[/] [dim]{short(digest_of(book))}[/]")
        until = f" until {shown(holding.ends)}" if holding.ends is not None else ""
        begin = "" if holding.starts is None else shown(holding.starts)
        out.print(f"{plain(book.document.title)}, version {book.document.version}, from {begin}{until}.")
        return
    name, versions = timeline(family)
    rows = table("Text", "From", "Until", "Now", title=name, whole=("Text",))
    for version in versions:
        begin, end = (shown(at) if at is not None else "" for at in (version.starts, version.ends))
        rows.add_row(plain(version.book.slug), begin, end, STANDING[standing_at(version, now)])
    out.print(rows)
