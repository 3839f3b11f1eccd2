"""`thirdcard rules`: the documents, what changed between them, and where each paragraph is carried."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from thirdcard.answers import told as as_told
from thirdcard.cli import compare, new, reading, testing
from thirdcard.cli.options import Commands, Folders, Json, Slug, leave_out
from thirdcard.cli.output import as_answer, cited, console, plain, print_json, short, table
from thirdcard.cli.when import when as in_time
from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook, digest_of, load, slugs
from thirdcard.rulebook import trace as traced
from thirdcard.rulebook.diff import plain as values
from thirdcard.rulebook.extending import PLAIN_GAME
from thirdcard.rulebook.findings import Finding, RulebookError
from thirdcard.rulebook.load import catalogue, checked, plain_book
from thirdcard.rulebook.lookup import identity, listing, only_layout
from thirdcard.rulebook.model import Fact, Part
from thirdcard.rulebook.schema import schema as made
from thirdcard.rulebook.sources import SUFFIX
from thirdcard.words import ENGLISH, words
from thirdcard.words.telling import condition, facts, pushed

LOOK_AGAIN = 0.3  # seconds between two looks at files that are watched

app = typer.Typer(
    cls=Commands,
    help="The rulebooks: list, show, check, compare, date, read, test, trace.",
    no_args_is_help=True,
)


@app.command("list")
def list_rulebooks(_folders: Folders = None, json_output: Json = False) -> None:
    """Every rulebook that can be found, and those that cannot be used."""
    if json_output:
        print_json(listing())
        return
    out = console()
    places: dict[str, list[Rulebook]] = {}
    broken: dict[tuple[str, str], list[str]] = {}
    for entry in catalogue():
        where = f"{entry.origin} {entry.where}"
        if entry.book is not None:
            places.setdefault(where, []).append(entry.book)
        else:
            broken.setdefault((entry.slug, entry.problem), []).append(f"{where}, {entry.file}")
    for where, books in places.items():
        out.print(f"From {plain(where)}")
        _list(out, books)
    if broken:
        rows = table("Rulebook", "Where", "Why", title="Cannot be used")
        for (slug, problem), findings in broken.items():
            rows.add_row(plain(slug), "\n".join(map(plain, findings)), plain(problem))
        out.print(rows)


def _list(out: Console, books: list[Rulebook]) -> None:
    rows = table("Rulebook", "Decks", "Layouts", "Bets", "Insurance", right=("Bets",))
    for book in books:
        letters = tuple(book.layouts)
        rows.add_row(
            f"[bold]{plain(book.slug)}[/]",
            f"{book.decks.min}-{book.decks.max}",
            letters[0] if len(letters) == 1 else f"{letters[0]}-{letters[-1]}",
            str(len(book.bets)),
            "yes" if book.insurance else "no",
        )
        rows.add_row(f"[dim]{plain(_published(book))}[/]")
        rows.add_row(f"[dim]{short(digest_of(book))}[/]")
    out.print(rows)


@app.command()
def show(
    slug: Slug,
    layout: Annotated[str | None, typer.Option(help="Only what this layout has.")] = None,
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """A whole rulebook, every value with its paragraphs."""
    whole = plain_book() if slug == PLAIN_GAME else load(slug)
    book = whole if layout is None else only_layout(whole, layout)
    if json_output:
        print_json(identity("rules.show", whole) | values(book))
    else:
        _show_rulebook(book, digest_of(whole), console())


@app.command(no_args_is_help=True)
def check(
    given: Annotated[
        list[str], typer.Argument(metavar="RULEBOOK...", help="Slugs or files, as many as you like.")
    ],
    against: Annotated[
        Path | None, typer.Option(metavar="DOCUMENT", help="Hold one rulebook to its document, text or PDF.")
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Check again on every save, until Ctrl-C.")] = False,
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """All that is wrong with a rulebook, each finding with the smallest round that shows it.

    Exit status 1 where something is found, 2 where a file cannot be read.
    """
    leave_out(
        "--watch goes on", {"--json": watch and json_output, "--against": watch and against is not None}
    )
    for _ in saved(given) if watch else ():
        _show_all(given)
    if against is not None:
        raise typer.Exit(_check_against(given, against, json_output=json_output))
    results = {which: checked(which) for which in given}
    if json_output:
        answers = [_findings_json(Path(which).stem, *result) for which, result in results.items()]
        print_json(answers if len(answers) > 1 else answers[0])
    else:
        _show_all(given)
    raise typer.Exit(int(any(findings for _, findings in results.values())))


def _show_all(given: list[str]) -> None:
    for which in given:
        _show_findings(console(), which, *checked(which))


def saved(given: list[str], wait: Callable[[float], None] = time.sleep) -> Iterator[None]:
    """Once at first, and again whenever one of these files, or another in its folder, was saved."""
    seen = None
    while True:
        folders = {Path(which).parent for which in given if Path(which).is_file()}
        files = sorted(file for folder in folders for file in folder.glob(f"*{SUFFIX}"))
        now = [(file, file.stat().st_mtime_ns) for file in files]
        if now != seen:
            seen = now
            yield
        wait(LOOK_AGAIN)


def _check_against(given: list[str], document: Path, *, json_output: bool) -> int:
    """A book held to its document too; the exit status."""
    if len(given) > 1:
        raise BadInput(f"--against holds one rulebook to one document: got {len(given)} rulebooks")
    book, findings = checked(given[0])
    if book is None:
        raise RulebookError(given[0], findings)
    held, counts = reading.held_against(book, Path(given[0]).name, document)
    every = [*findings, *held.findings]
    if json_output:
        print_json(_findings_json(Path(given[0]).stem, book, every, against=True) | as_told(counts))
        return int(bool(every))
    out = console(110)
    _show_findings(out, given[0], book, findings, held.findings)
    name = plain(counts.against)
    if held.findings:
        out.print(f"{counts.agree} of {counts.compared} values agree with {name}.")
    else:
        out.print(f"{counts.agree} values agree. The book is the document {name}.")
    return int(bool(every))


class CheckedRulebook(msgspec.Struct):
    """What a rulebook leaves to the plain game, and what is the matter with it."""

    assumed: tuple[str, ...]
    findings: list[Finding]


def _findings_json(
    name: str, book: Rulebook | None, findings: list[Finding], *, against: bool = False
) -> dict[str, object]:
    """A file that makes no rulebook goes by its own name, and has no digest."""
    answer = CheckedRulebook(book.assumed if book else (), findings)
    told = [msgspec.structs.asdict(one) for one in findings]  # in full, also what is as ever
    in_full = {"findings": told if against else [_without_line(one) for one in told]}
    return as_answer("rules.check", book, answer, otherwise=name) | in_full


def _without_line(told: dict[str, object]) -> dict[str, object]:
    """A finding that no document has a line for."""
    return {name: value for name, value in told.items() if name != "line"}


def _show_findings(
    out: Console, name: str, book: Rulebook | None, findings: list[Finding], against: tuple[Finding, ...] = ()
) -> None:
    """What is the matter with a book, and where it differs from its document."""
    text = f" [dim]{short(digest_of(book))}[/]" if book else ""
    out.print(f"[bold]{plain(name)}[/]{text}")
    if book and book.assumed:
        out.print(f"Left out, so as in the plain game: {', '.join(book.assumed)}.")
    if findings or against:
        lines = ("Line",) if against else ()
        rows = table("File", *lines, "Key", "Finding", "Example", right=lines)
        for one in (*findings, *against):
            note = "[dim]note:[/] " if one.level == "note" else ""
            line = (str(one.line or ""),) if lines else ()
            told = note + plain(one.finding)
            rows.add_row(plain(one.file), *line, plain(one.key), told, plain(one.example))
        out.print(rows)
    faults = sum(finding.level == "fault" for finding in findings)
    if faults:
        out.print(f"[red]Cannot be used:[/] {faults} {'fault' if faults == 1 else 'faults'}.")
    else:
        out.print("No fault: it can be used." if findings else "Nothing is wrong.")


@app.command()
def schema(_json_output: Json = False) -> None:
    """The JSON Schema of a rulebook's file, for editors."""
    print_json(made())


app.command("diff")(compare.diff)
app.command("new")(new.new)
app.command("read", no_args_is_help=True)(reading.read)
app.command("test", no_args_is_help=True)(testing.expected)
app.command("when")(in_time)


@app.command()
def trace(
    slug: Annotated[
        str | None,
        typer.Argument(metavar="RULEBOOK", help="A slug or a file; all that there are if left out."),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print it as docs/rules.md has it.")] = False,
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """Every numbered paragraph: what it says, its status, the code and the tests that carry it.

    Of a book that is not of this package, the keys that cite each.
    """
    leave_out("--json is another form", {"--markdown": markdown and json_output})
    wanted = [load(one) for one in (slugs() if slug is None else (slug,))]
    entries = [entry for book in wanted for entry in traced.trace_of(book)]
    if json_output:
        print_json(entries)
        return
    if markdown:
        typer.echo(traced.markdown(entries), nl=False)
        return
    out = console()
    for book in wanted:
        if not book.paragraphs:
            out.print(f"{plain(book.slug)} has no numbered paragraphs.\n")
            continue
        rows = table("Paragraph", "Status", "Summary", "Tests", title=book.slug, right=("Tests",))
        for entry in entries:
            if entry.slug == book.slug:
                rows.add_row(entry.paragraph, entry.status, plain(entry.summary), entry.counted_tests)
        out.print(rows)
    if not entries:
        return
    counts = Counter(entry.status for entry in entries)
    summary = ", ".join(f"{count} {status}" for status, count in counts.most_common())
    out.print(f"[bold]{len(entries)} paragraphs:[/] {summary}")
    out.print(f"{counts['open']} of {len(entries)} are still open." if counts["open"] else "None is open.")


@app.command()
def interpretations(json_output: Json = False) -> None:
    """What the documents leave open, and how it is read here."""
    readings = traced.interpretations()
    if json_output:
        print_json(readings)
        return
    out = console()
    for one in readings:
        out.print(f"[bold]{one.number}. {plain(one.title)}[/]")
        out.print(plain(one.text))
        for slug, paragraphs in one.paragraphs.items():
            out.print(f"  [dim]{plain(slug)}: {plain(', '.join(paragraphs))}[/]")
        out.print()


# --- a rulebook laid out for people -----------------------------------------------------------------------


def _show_rulebook(book: Rulebook, digest: str, out: Console) -> None:
    document = book.document
    out.print(f"[bold]{plain(document.title)}[/]  {cited(document.rules)}")
    out.print(f"{plain(_published(book))}  [dim]{short(digest)}[/]")
    out.print(f"{book.decks.min} to {book.decks.max} decks  {cited(book.decks.rules)}")
    if book.assumed:
        out.print(f"Left out, so as in the plain game: {', '.join(book.assumed)}.")
    out.print()
    for section in (layouts, pay_table, insurance, terms, people, irregularities, discretions_and_notices):
        for rows in section(book):
            if rows.row_count:
                out.print(rows)


def _published(book: Rulebook) -> str:
    """Whose document it is, as far as it says."""
    document = book.document
    edition = f"{document.operator} version {document.version}".strip()
    return f"{edition}, from {document.effective}" if document.effective else edition


def layouts(book: Rulebook) -> Iterator[Table]:
    rows = table("Layout", "Positions", "Bets", title="Layouts")
    for letter, layout in book.layouts.items():
        drawn = f"{letter} {plain(layout.name)}".strip()
        rows.add_row(drawn, "{} to {}".format(*layout.positions), plain(", ".join(layout.bets)))
    yield rows


def pay_table(book: Rulebook) -> Iterator[Table]:
    lexicon = words(ENGLISH)
    rows = table("Bet", "When", "Pays", "Paragraphs", title="Pay table", whole=("Pays",))
    for bet in book.bets.values():
        lines = [(condition(tier.when, lexicon), tier.odds.text, tier.rules) for tier in bet.pays]
        lines += [(pushed(push, lexicon), "push", push.rules) for push in bet.every_push]
        for number, (when, pays, rules) in enumerate(lines):
            rows.add_row(
                "" if number else plain(bet.name),
                plain(when),
                pays,
                cited(dict.fromkeys(bet.rules + rules)),
            )
    if book.commission:
        others = "".join(
            f", or {_percent(other.rate)} if {condition(other.when, lexicon)}"
            for other in book.commission.except_when
        )
        rows.caption = (
            f"Banker's odds are 1 to 1 less the commission of {_percent(book.commission.rate)}"
            f"{plain(others)}  {cited(book.commission.rules)}"
        )
    yield rows


def _percent(rate: Fraction) -> str:
    return f"{float(rate * 100):g}%"


def insurance(book: Rulebook) -> Iterator[Table]:
    if book.insurance is None:
        return
    columns = ("Window", "Hand", "Player", "Banker", "Pays", "On a tie", "Paragraphs")
    rows = table(*columns, title=plain(book.insurance.name))
    for offer in book.insurance.offers:
        rows.add_row(
            str(offer.window),
            offer.hand.label,
            str(offer.player),
            str(offer.banker),
            offer.odds.text,
            "paid" if offer.tie_paid else "returned",
            cited(offer.rules + (offer.tie_paid.rules if offer.tie_paid else ())),
        )
    yield rows


def terms(book: Rulebook) -> Iterator[Table]:
    """Limits, betting, dealing and squeezing: a line for each value."""
    rows = table("Term", "Value", "Paragraphs", title="Limits, betting, dealing", whole=("Term",))
    parts: list[tuple[str, Part]] = [
        ("", book.limits),
        ("", book.betting),
        *((f"method {method.name}", method) for method in book.dealing),
        ("squeezing", book.squeeze),
    ]
    if book.insurance:
        parts.append(("insurance", book.insurance))
    for name, part in parts:
        for term, value, rules in _values(name, part):
            rows.add_row(plain(term), plain(value), cited(rules))
    yield rows


def _values(name: str, part: Part) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    rules = part.rules if isinstance(part, Fact) else ()
    own = []
    for field in part.__struct_fields__:
        value = getattr(part, field)
        label = field.replace("_", " ")
        if isinstance(value, Part):
            yield from _values(f"{name} {label}" if name == "insurance" else label, value)
        elif value is not None and field not in ("rules", "name", "offers"):
            own.append(_words(value) if field in ("value", "title") else f"{label}: {_words(value)}")
    if own:
        yield name, "; ".join(own), rules


def _words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(_words(one) for one in value)
    return str(value).replace("-", " ")


def people(book: Rulebook) -> Iterator[Table]:
    rows = table("Rank", "Stands above", "Paragraphs", title="Ladder of authority")
    for rank in book.ranks:
        rows.add_row(plain(rank.title), _words(rank.above), cited(rank.rules))
    yield rows


def irregularities(book: Rulebook) -> Iterator[Table]:
    rows = table("Irregularity", "Remedy", "Decided by", "Paragraphs", title="Irregularities")
    for procedure in book.procedures:
        several = len(procedure.rulings) > 1
        if several:
            rows.add_row(plain(procedure.title))
        for ruling in procedure.rulings:
            rows.add_row(
                f"  [dim]{facts(ruling.when, words(ENGLISH))}[/]" if several else plain(procedure.title),
                _words(ruling.remedy),
                _words(ruling.decides),
                cited(ruling.rules),
            )
    yield rows


def discretions_and_notices(book: Rulebook) -> Iterator[Table]:
    rows = table("Left to a person", "Whose", "Paragraphs", title="Discretions")
    for discretion in book.discretions:
        rows.add_row(plain(discretion.what), _words(discretion.rank), cited(discretion.rules))
    yield rows
    rows = table("Shown at the table", "Paragraphs", title="Notices")
    for notice in book.notices:
        rows.add_row(plain(notice.shows), cited(notice.rules))
    yield rows
