"""`thirdcard serve`, and what looks after its database: accounts, rulebooks, audit, back-up and restore."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import msgspec
import typer
from msgspec import UNSET, UnsetType
from rich.console import Console

from thirdcard.cli.options import Commands, Folders, Json, leave_out
from thirdcard.cli.output import console, plain, print_answer, print_done, print_json, table
from thirdcard.errors import BadInput
from thirdcard.rulebook import digest_of, load
from thirdcard.rulebook.forms import from_canonical
from thirdcard.rulebook.load import catalogue
from thirdcard.service.log.store import file_of, open_snapshot
from thirdcard.service.log.store.model import StoreDown, StoreFull

if TYPE_CHECKING:
    from thirdcard.service.audit import AuditReport
    from thirdcard.service.people.accounts import People

AccountChange: TypeAlias = Literal["add", "role", "password", "disable", "unlock", "reset-codes"]


class Serves(msgspec.Struct):
    """That a server is ready, where, with how many tables of which store."""

    address: str
    tables: int
    store: str


class PublicKey(msgspec.Struct):
    public_key: str


class BackedUp(msgspec.Struct):
    file: str
    events: int


class ExportedTable(msgspec.Struct):
    file: str
    rows: int
    of: Literal["events", "postings"]


class ListedAccount(msgspec.Struct):
    name: str
    role: str
    disabled: bool


class AccountChanged(msgspec.Struct):
    """What was done to an account by the console."""

    name: str
    done: AccountChange
    role: str | UnsetType = UNSET


class ListedText(msgspec.Struct):
    """A text of a rulebook that a house has."""

    rulebook: str
    title: str
    digest: str


DB = "thirdcard.db"
PORT = 8000
Where = Annotated[str, typer.Argument(metavar="PATH_OR_URL", help="A SQLite file, or postgresql://...")]
Db = Annotated[str, typer.Option(metavar="PATH_OR_URL", help="A SQLite file, or postgresql://...")]
Key = Annotated[Path | None, typer.Option(metavar="FILE", help="The key of the house [PATH.key].")]


def serve(  # noqa: PLR0913, PLR0917 - these are the options people have
    db: Db = DB,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes any that is free.")] = PORT,
    public_url: Annotated[
        str, typer.Option(metavar="URL", help="The address that people use, if it is another.")
    ] = "",
    key: Key = None,
    anchor: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where logs end is written here too [PATH.anchor].")
    ] = None,
    new_anchor: Annotated[
        str,
        typer.Option(
            metavar="WHY", help="Go on without the anchor that there was, or join others; put on record."
        ),
    ] = "",
    proxied: Annotated[
        bool, typer.Option("--proxied", help="Believe a proxy on this machine who its clients are.")
    ] = False,
    no_rate_limits: Annotated[
        bool, typer.Option("--no-rate-limits", help="For load tests on your own machine.")
    ] = False,
    absent_rounds: Annotated[
        int, typer.Option(min=0, help="Rounds without a sign of them after which people leave; 0: none do.")
    ] = 3,
    idle_rounds: Annotated[
        int,
        typer.Option(min=0, max=60, help="Rounds an hour a table deals while nobody looks; 0: it rests."),
    ] = 3,
    seats: Annotated[
        int | None,
        typer.Option(min=0, help="Seats of a player, or of an address' guests, at once; 0: any number [6]."),
    ] = None,
    staff_codes: Annotated[
        bool, typer.Option("--staff-codes", help="Let staff sign in with one-time codes only.")
    ] = False,
    _folders: Folders = None,
    json_output: Annotated[bool, typer.Option("--json", help="Say in JSON that it is ready.")] = False,
) -> None:
    """Open the live tables; the first start sets up one of each game.

    Ctrl-C stops it: whatever was acknowledged is kept, and the next start goes on from there.
    """
    from thirdcard.cli.serving import Serving, run

    if no_rate_limits:
        leave_out("--no-rate-limits takes them all off", {"--seats": seats is not None})
    chosen = Serving(
        db=db,
        host=host,
        port=port,
        public=public_url,
        key=key or key_of(db),
        anchor=anchor,
        new_anchor=" ".join(new_anchor.split()),
        proxied=proxied,
        limited=not no_rate_limits,
        staff_codes=staff_codes,
        absent_rounds=absent_rounds,
        idle_rounds=idle_rounds,
        seats=6 if seats is None else seats,
        json=json_output,
    )
    raise typer.Exit(run(chosen))


def audit(
    where: Where,
    key: Key = None,
    anchor: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="An anchor; repeat for more [PATH.anchor]."),
    ] = None,
    heads: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="What somebody kept of GET /api/heads; repeat for more."),
    ] = None,
    json_output: Json = False,
) -> None:
    """Check every log, round, shoe and cent; a server may run meanwhile. Status 1 if something is wrong."""
    from thirdcard.service.audit import audit as checked

    with reading(), progress_bar("events") as progress:
        report = checked(
            where,
            key=key or key_of(where),
            anchors=_anchors(where, anchor),
            heads=heads or (),
            progress=progress,
        )
    if json_output:
        print_done("audit", report)
    else:
        _show(report)
        _show_uncovered()
    raise typer.Exit(1 if report.problems else 0)


def house_key(
    where: Annotated[str, typer.Argument(metavar="PATH_OR_URL")] = DB,
    key: Key = None,
    json_output: Json = False,
) -> None:
    """Print the public key of the house, by which anybody can check what it has signed."""
    from thirdcard.service.keys import load_key, public_key, signing_key

    path = key or key_of(where)
    if not path.exists():
        raise BadInput(f"there is no key {path}: `thirdcard serve` makes one")
    own = public_key(signing_key(load_key(path)))
    _say(own, "key", PublicKey(own), json_output=json_output)


def backup(
    where: Where,
    to: Annotated[Path, typer.Argument(metavar="FILE", help="A new file.")],
    json_output: Json = False,
) -> None:
    """Write all of a database into one file, while a server may run."""
    from thirdcard.service.audit.backup import backup as written

    with reading():
        events = written(where, to)
    sentence = f"{events:,} events are in {to}. Key and anchor are not: keep them too, and elsewhere."
    _say(sentence, "backup", BackedUp(str(to), events), json_output=json_output)


def export(
    where: Where,
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="Where it goes: .parquet, .arrow, .csv or .jsonl.")
    ],
    table_id: Annotated[
        str | None, typer.Option("--table", metavar="ID", help="One table; all if left out.")
    ] = None,
    postings: Annotated[
        bool, typer.Option("--postings", help="Every movement of money instead of every event.")
    ] = False,
    json_output: Json = False,
) -> None:
    """Write the logs of a database, or its ledger, as one table; a server may run meanwhile.

    thirdcard export thirdcard.db --out events.parquet

    thirdcard export thirdcard.db --postings --out ledger.csv
    """
    from thirdcard.data.files import check_sink, write_table
    from thirdcard.service.queries.whole_logs import LoggedEvents, LoggedPostings

    check_sink(out)
    with reading():
        frame = (LoggedPostings if postings else LoggedEvents)(where, table_id).to_frame()
    write_table(frame, out)
    written = ExportedTable(str(out), frame.num_rows, "postings" if postings else "events")
    _say(f"{written.rows:,} {written.of} are in {out}.", "export", written, json_output=json_output)


def restore(
    file: Annotated[Path, typer.Argument(help="What `thirdcard backup` wrote.")],
    where: Where,
    key: Key = None,
    anchor: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="An anchor; repeat for more.")
    ] = None,
    json_output: Json = False,
) -> None:
    """Fill a new database from a back-up, and audit it with the key and the anchors that are there."""
    from thirdcard.service.audit import audit as checked
    from thirdcard.service.audit.backup import restore as filled

    with reading():
        filled(file, where)
    mine = key or key_of(where)
    anchors = anchor or [path for path in _anchors(where, None) if path.exists()]
    with reading(), progress_bar("events") as progress:
        report = checked(where, key=mine if mine.exists() else None, anchors=anchors, progress=progress)
    if json_output:
        print_done("audit", report)
    else:
        _show(report)
        unchecked = [name for name, there in (("key", mine.exists()), ("anchor", anchors)) if not there]
        if unchecked:
            typer.echo(f"This was without {' and '.join(unchecked)}: audit again when it is in its place.")
    raise typer.Exit(1 if report.problems else 0)


def _say(told: str, schema: str, answer: msgspec.Struct, *, json_output: bool) -> None:
    """What was done, in a sentence or as JSON."""
    if json_output:
        print_done(schema, answer)
    else:
        console().print(plain(told), soft_wrap=True)


# Where things are -----------------------------------------------------------------------------------------


def key_of(where: str) -> Path:
    """The key's usual place: beside the file, or in the current folder."""
    file = file_of(where)
    return Path("thirdcard.key" if file is None else f"{file}.key")


def _anchors(where: str, given: list[Path] | None) -> list[Path]:
    """The anchors' usual places; on a server each process that serves has its own."""
    if given:
        return given
    file = file_of(where)
    if file is not None:
        return [Path(f"{file}.anchor")]
    beside = sorted(Path().glob("thirdcard-*.anchor"))
    return beside or [Path("thirdcard-HOST-PORT.anchor")]


@contextmanager
def reading() -> Iterator[None]:
    """A store that cannot be used is a sentence too."""
    try:
        yield
    except (StoreDown, StoreFull) as error:
        raise BadInput(str(error)) from None


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on standard error, if somebody can see it."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=max(done, total))


def _show(report: "AuditReport") -> None:
    counts = f"{report.tables} tables, {report.rounds:,} rounds, {report.events:,} events"
    if report.problems:
        rows = table("Table", "Event", "Round", "What is wrong", right=("Event", "Round"))
        for problem in report.problems:
            where = plain(problem.table or "-"), str(problem.event or ""), str(problem.round or "")
            rows.add_row(*where, plain(problem.what))
        console().print(rows)
    for remark in report.remarks:
        console().print(f"On record: {plain(remark)}.", soft_wrap=True)
    console().print(f"[bold]{counts}: {'something' if report.problems else 'nothing'} is wrong.[/]")


def _show_uncovered() -> None:
    from thirdcard.service.audit.uncovered import BESIDES, UNCOVERED

    rows = table("Not covered", "Why", title="What an audit cannot tell")
    for uncovered in UNCOVERED:
        rows.add_row(
            f"{uncovered.table}: {', '.join(uncovered.columns)}{', rows' if uncovered.rows else ''}",
            uncovered.why,
        )
    console().print(rows)
    console().print(f"Nor can it tell of {'; '.join(BESIDES)}.", soft_wrap=True)


# Accounts -------------------------------------------------------------------------------------------------

account = typer.Typer(
    cls=Commands,
    help="The accounts of a house, by a command on its own machine; a server may run meanwhile.",
    no_args_is_help=True,
)
Name = Annotated[str, typer.Argument(help="The account's name.")]
Role = Annotated[
    str,
    typer.Option(
        help="player, dealer, pit-supervisor, pit-manager, shift-manager, gaming-shift-manager, "
        "assistant-casino-manager, auditor, trainer, administrator."
    ),
]
Stdin = Annotated[
    bool, typer.Option("--password-stdin", help="Read the password from standard input's first line.")
]


@account.command()
def add(
    name: Name, role: Role, db: Db = DB, password_stdin: Stdin = False, json_output: Json = False
) -> None:
    """A new account. The password is asked for, never given as an argument."""
    from thirdcard.service.people.accounts import check_role
    from thirdcard.service.people.credentials import check_password

    check_role(role)
    password = _password(password_stdin)
    check_password(password, name=name, role=role)
    with _people(db, new=True) as people:
        person = people.register(name, password, role)
    _did("add", f"{person.name} is {person.role} now.", person.name, person.role, json_output=json_output)


@account.command("list")
def list_(db: Db = DB, json_output: Json = False) -> None:
    """Everybody who has an account, guests left out."""
    with reading(), open_snapshot(db) as snapshot:
        accounts = [one for one in snapshot.accounts() if one.role != "guest"]
    if json_output:
        print_json([ListedAccount(one.name, one.role, one.disabled) for one in accounts])
        return
    rows = table("Name", "Role", "")
    for one in accounts:
        rows.add_row(plain(one.name), plain(one.role), "disabled" if one.disabled else "")
    console().print(rows)


@account.command()
def role(name: Name, role: Role, db: Db = DB, json_output: Json = False) -> None:
    """Another role for a member of staff, who has to sign in again."""
    with _people(db) as people:
        people.set_role(name, role)
    _did("role", f"{name} is {role} now.", name, role, json_output=json_output)


@account.command()
def password(name: Name, db: Db = DB, password_stdin: Stdin = False, json_output: Json = False) -> None:
    """Another password; it unlocks the account and signs it out everywhere."""
    new = _password(password_stdin)
    with _people(db) as people:
        people.set_password(name, new)
    _did("password", f"{name} has another password now.", name, json_output=json_output)


@account.command()
def disable(name: Name, db: Db = DB, json_output: Json = False) -> None:
    """Nobody comes in by this account any more; its name and its history stay."""
    with _people(db) as people:
        people.disable(name)
    _did("disable", f"{name} is disabled now.", name, json_output=json_output)


@account.command()
def unlock(name: Name, db: Db = DB, json_output: Json = False) -> None:
    """Whoever was barred by wrong passwords may try again at once; nobody is signed out."""
    with _people(db) as people:
        people.unlock(name)
    _did("unlock", f"{name} can be signed in again.", name, json_output=json_output)


@account.command("reset-codes")
def reset_codes(name: Name, db: Db = DB, json_output: Json = False) -> None:
    """Take the one-time codes off, for a device that is lost; they sign in again by password."""
    with _people(db) as people:
        people.reset_codes(name)
    _did("reset-codes", f"{name} signs in without one-time codes now.", name, json_output=json_output)


@contextmanager
def _people(db: str, *, new: bool = False) -> "Iterator[People]":
    """The accounts of a database, which is made for the first of them alone."""
    from thirdcard.service.people.console import people_of

    file = file_of(db)
    if file is not None and not new and not file.exists():
        raise BadInput(f"there is no database {file}: --db names another")
    with reading(), people_of(db) as people:
        yield people


def _did(done: AccountChange, told: str, name: str, role: str = "", *, json_output: bool) -> None:
    _say(told, "account", AccountChanged(name, done, role or UNSET), json_output=json_output)


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise BadInput("there is no terminal to ask for a password at: give it with --password-stdin")
    import getpass

    first = getpass.getpass("Password: ")
    if first != getpass.getpass("Again: "):
        raise BadInput("the two are not the same: nothing was changed")
    return first


# Rulebooks ------------------------------------------------------------------------------------------------

rulebook = typer.Typer(
    cls=Commands,
    help="The rulebooks that a house was given, by a command on its own machine; a server may run meanwhile.",
    no_args_is_help=True,
)


@rulebook.command("add")
def add_rulebook(
    file: Annotated[Path, typer.Argument(help="The rulebook, such as my-game.toml.")],
    db: Db = DB,
    json_output: Json = False,
) -> None:
    """One more, or a new text of one, checked first; tables that are opened from then on play by it."""
    from thirdcard.service.people.console import add_rulebook as given

    book = load(file)
    for entry in catalogue():
        if entry.slug == book.slug and (entry.book is None or digest_of(entry.book) != digest_of(book)):
            raise BadInput(f"another rulebook is called {book.slug} ({entry.origin}): take another slug")
    with reading():
        given(db, file.name, book)
    if json_output:
        print_answer("rulebook-added", book)
    else:
        console().print(
            f"{plain(book.slug)} is in the house now, text {digest_of(book)[:12]}.", soft_wrap=True
        )


@rulebook.command("list")
def list_rulebooks(db: Db = DB, json_output: Json = False) -> None:
    """Every text that the house was given or that a table was played by."""
    with reading(), open_snapshot(db) as snapshot:
        texts = [(digest, from_canonical(bytes(text))) for digest, text in snapshot.rows("rulebooks")]
    if json_output:
        print_json([ListedText(book.slug, book.document.title, one) for one, book in texts])
        return
    rows = table("Rulebook", "Title", "Text")
    for digest, book in sorted(texts, key=lambda one: (one[1].slug, one[0])):
        rows.add_row(plain(book.slug), plain(book.document.title), plain(digest[:12]))
    console().print(rows)
