"""`thirdcard resettle`: what recorded rounds would have paid under another text."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from thirdcard.cli.options import Database, Folders, Json
from thirdcard.cli.output import cited, console, plain, print_answer, short, table
from thirdcard.cli.service import progress_bar, reading
from thirdcard.errors import BadInput
from thirdcard.money import format_dollars
from thirdcard.rulebook import Rulebook, digest_of, load
from thirdcard.rulebook.load import by_digest, texts_read
from thirdcard.rulebook.versions import moment
from thirdcard.service.log.store import open_snapshot
from thirdcard.service.log.store.model import MANY
from thirdcard.service.tables.rulebook_texts import remember_all
from thirdcard.words import ENGLISH, words

if TYPE_CHECKING:
    from thirdcard.service.queries.resettle import LeftOut, Resettled

SHOWN = 20  # players and runs of rounds that people are shown; JSON has more
MONEY = ("Staked", "As played", "Under it", "Difference")


def resettle(  # noqa: PLR0913, PLR0917 - these are the options people have
    where: Database,
    under: Annotated[str, typer.Option(metavar="RULEBOOK", help="The other text: a slug or a file.")],
    since: Annotated[
        str,
        typer.Option(
            "--from", metavar="TIME", help="Rounds that ended then or later, by this machine's zone."
        ),
    ] = "",
    until: Annotated[str, typer.Option("--to", metavar="TIME", help="Rounds that ended before then.")] = "",
    only: Annotated[str, typer.Option("--table", metavar="TABLE", help="One table; all if left out.")] = "",
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """What recorded rounds would have paid under another text; a server may run meanwhile.

    Nothing is written. Rounds that the other text could not have had are listed, and in no sum.

    thirdcard resettle thirdcard.db --under rws-tiger-buffalo-non-commission-v4 --from 2025-06-01
    """
    from thirdcard.service.queries.resettle import Resettling, rounds_in, streams_of

    begin, end = _moment(since, 0), _moment(until, MANY)
    if begin >= end:
        raise BadInput("no round ends in that time: --to must come after --from")
    with reading(), open_snapshot(where) as snapshot, progress_bar("rounds") as progress:
        remember_all(snapshot)
        book = _book(under)
        work, done = Resettling(book, begin, end), 0
        streams = streams_of(snapshot, only)
        total = sum(rounds_in(snapshot, stream) for stream in streams) if progress is not None else 0
        for stream in streams:
            last = 0
            for last in work.table(snapshot, stream):
                if progress is not None:
                    progress(done + last, total)
            done += last
    result = work.result()
    if json_output:
        print_answer("resettle", book, result)
    else:
        _show(book, result)


def _moment(text: str, otherwise: int) -> int:
    if not text:
        return otherwise
    return round(moment(text, datetime.now().astimezone().tzinfo or UTC).timestamp() * 1_000_000)


def _book(which: str) -> Rulebook:
    """A text that is found here, or that the house keeps."""
    try:
        return load(which)
    except BadInput:
        kept = [digest for digest, book in texts_read().items() if book.slug == which]
        if len(kept) != 1:
            raise
        return by_digest(which, kept[0])


def _show(book: Rulebook, found: "Resettled") -> None:
    out = console(100)
    out.print(f"under [bold]{plain(book.slug)}[/] [dim]{short(digest_of(book))}[/]")
    for text in found.texts:
        named = f"{plain(text.rulebook)} [dim]{short(text.digest)}[/]"
        out.print(f"{text.rounds:,} rounds were played by {named}")
    if not found.rounds and not found.could_not:
        out.print(words(ENGLISH).ui["resettle_none"])
        return
    _headline(found)
    for rows in (_bets(found), _tables(found), _players(found), _left_out(found)):
        if rows.row_count:
            out.print(rows)
    more = max(len(found.players) - SHOWN, 0) + max(len(found.left_out) - SHOWN, 0) + found.unlisted
    if more:
        out.print(f"{more:,} more are not listed here; --json lists more.")
    out.print(words(ENGLISH).ui["resettle_unknown"])


def _bets(found: "Resettled") -> Table:
    rows = table("Bet", *MONEY, "Rounds", title="House win by bet", right=(*MONEY, "Rounds"))
    for bet in found.bets:
        rows.add_row(plain(bet.bet), *_sums(bet.staked, bet.played, bet.other), f"{bet.rounds:,}")
    return rows


def _tables(found: "Resettled") -> Table:
    rows = table("Table", "Rounds", *MONEY, title="House win by table", right=("Rounds", *MONEY))
    for at in found.tables:
        rows.add_row(plain(at.table), f"{at.rounds:,}", *_sums(at.staked, at.played, at.other))
    return rows


def _players(found: "Resettled") -> Table:
    rows = table("Player", *MONEY[1:], title="Players, on bets that pay otherwise", right=MONEY[1:])
    for player in found.players[:SHOWN]:
        rows.add_row(plain(player.player), *_nets(player.played, player.other))
    return rows


def _left_out(found: "Resettled") -> Table:
    rows, t = table("Table", "Rounds", "Why", "Paragraphs", title="In no sum"), words(ENGLISH).ui
    for run in found.left_out[:SHOWN]:
        why = plain(t[f"resettle_why_{run.why}"].format(what=run.what))
        rows.add_row(plain(run.table), _numbers(run), why, cited(run.rules))
    return rows


def _headline(found: "Resettled") -> None:
    from thirdcard.service.queries.resettle import headline

    out, t = console(100), words(ENGLISH).ui
    told = t[f"resettle_{headline(found)}"].format(
        rounds=found.rounds, otherwise=found.otherwise, difference=format_dollars(abs(found.difference))
    )
    out.print(f"[bold]{told}[/]")
    if found.could_not:
        out.print(t["resettle_not_in_sums"].format(count=found.could_not))


def _sums(staked: int, played: int, other: int) -> tuple[str, ...]:
    return (format_dollars(staked), *_nets(played, other))


def _nets(played: int, other: int) -> tuple[str, ...]:
    return tuple(format_dollars(cents, sign=True) for cents in (played, other, other - played))


def _numbers(run: "LeftOut") -> str:
    return str(run.first) if run.first == run.last else f"{run.first:,} to {run.last:,}"
