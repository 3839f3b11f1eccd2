"""`thirdcard rules read`: a draft rulebook from a document, and what a person has to decide."""

from collections import Counter
from pathlib import Path
from typing import Annotated, Final

import msgspec
import typer
from rich.console import Console

from thirdcard.cli.options import Folders, Json
from thirdcard.cli.output import as_answer, check_folder, console, plain, print_json, short, table, write_file
from thirdcard.errors import BadInput
from thirdcard.reading import Held, Reading, document_text, draft_of, held, read_text
from thirdcard.reading.report import ReadDocument, report_of
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.faults import NAME

KINDS: Final = {  # of statements, as the report has them
    "paragraphs": "Paragraphs",
    "layouts": "Layouts",
    "bets": "Bets",
    "pay lines": "Pay lines",
    "table of play": "Table of Play",
    "insurance": "Insurance",
    "decks": "Deck limits",
    "limits": "Limits and calls",
    "document": "Title page",
    "irregularities": "Irregularities",
}
LONGEST_SHOWN: Final = 70  # characters of a line of the document


class HeldAgainst(msgspec.Struct, frozen=True, kw_only=True):
    """The document that a book was held against, how many values were compared and how many agree."""

    against: str
    compared: int
    agree: int


def read(
    document: Annotated[Path, typer.Argument(metavar="DOCUMENT", help="The rules document, as text or PDF.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The draft to write, such as draft.toml.")
    ] = None,
    slug: Annotated[str, typer.Option(help="The name of the draft; else made of its title.")] = "",
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """Read a rules document: a draft rulebook, what was not understood, and what a person has to decide.

    Exit status 1 while something is open, 2 where the document cannot be read.

    thirdcard rules read rules.pdf --out draft.toml
    """
    _check_out(out, slug, force=force)
    name, text = document_text(document)
    reading = read_text(text)
    draft = draft_of(reading, slug)
    if out is not None:
        write_file(out, draft.text)
    answer = report_of(name, reading, draft, str(out or ""))
    if json_output:
        print_json(as_answer("rules.read", None, answer, otherwise=draft.slug))
    else:
        _show(console(120), answer, reading, out)
    raise typer.Exit(int(bool(draft.to_decide)))


def _check_out(out: Path | None, slug: str, *, force: bool) -> None:
    if slug and not NAME.fullmatch(slug):
        raise BadInput(f"{slug!r} is not a name: small letters and digits, hyphens between them")
    check_folder(out)
    if out is not None and out.exists() and not force:
        raise BadInput(f"{out} is there already: choose another file, or --force to replace it")


def held_against(book: Rulebook, file: str, document: Path) -> tuple[Held, HeldAgainst]:
    """A book held to its document."""
    name, text = document_text(document)
    result = held(read_text(text), book, file)
    return result, HeldAgainst(against=name, compared=result.compared, agree=result.agree)


# --- for people -------------------------------------------------------------------------------------------


def _show(out: Console, answer: ReadDocument, reading: Reading, file: Path | None) -> None:
    edition = [
        reading.values[key].value
        for key in ("document.operator", "document.version")
        if key in reading.values
    ]
    out.print(f"[bold]{plain(answer.title or answer.document)}[/]  {plain(', version '.join(edition))}")
    pages = "1 page" if answer.pages == 1 else f"{answer.pages} pages"
    out.print(
        f"[dim]{pages}, {answer.lines:,} lines; {len(answer.read):,} values read; nothing is guessed.[/]"
    )
    _show_read(out, answer)
    if answer.not_understood:
        rows = table(
            "Line",
            "Page",
            "Text",
            "Why",
            title=f"Not understood: {len(answer.not_understood)}",
            right=("Line", "Page"),
        )
        for doubt in answer.not_understood:
            text = doubt.text if len(doubt.text) <= LONGEST_SHOWN else f"{doubt.text[:LONGEST_SHOWN]}…"
            rows.add_row(str(doubt.line), str(doubt.page), plain(text), plain(doubt.why))
        out.print(rows)
    out.print(f"\nNearest book: {plain(answer.nearest)} [dim]{short(answer.nearest_digest)}[/]")
    out.print(f"{answer.shared} of {answer.compared} values are the same; {len(answer.changed)} differ.")
    _show_changed(out, answer)
    _show_open(out, answer, file)


def _show_read(out: Console, answer: ReadDocument) -> None:
    counts = Counter(one.kind for one in answer.read)
    rows = table("Read", "", "Read", "")
    rows.show_header = False
    shown = [(name, str(counts[kind])) for kind, name in KINDS.items() if counts[kind]]  # type: ignore[index]
    for number in range(0, len(shown), 2):
        second = shown[number + 1] if number + 1 < len(shown) else ("", "")
        rows.add_row(
            f"✓ {shown[number][0]}", shown[number][1], f"✓ {second[0]}" if second[0] else "", second[1]
        )
    out.print(rows)


def _ticked(counted: tuple[str, str]) -> tuple[str, str]:
    return (f"✓ {counted[0]}", counted[1]) if counted[0] else ("", "")


def _show_changed(out: Console, answer: ReadDocument) -> None:
    if not answer.changed:
        return
    rows = table("Key", f"{answer.nearest} → document", "Edge", "Line", right=("Line",))
    for one in answer.changed:
        edge = ""
        if one.edge_before is not None and one.edge_after is not None:
            edge = f"{float(one.edge_before * 100):.2f} → {float(one.edge_after * 100):.2f}"
        rows.add_row(
            plain(one.key),
            plain(f"{one.before or 'nothing'} → {one.after or 'gone'}"),
            edge,
            str(one.line or ""),
        )
    out.print(rows)
    if any(one.edge_after is not None for one in answer.changed):
        out.print("[dim]Edge: percent of the stake, 8 decks or the nearest that the book allows.[/]")


def _show_open(out: Console, answer: ReadDocument, file: Path | None) -> None:
    count = len(answer.to_decide)
    if not count:
        out.print("[bold]Nothing is open.[/]")
        return
    rows = table("Line", "Paragraph", "Key", "Why", title=f"To decide: {count}", right=("Line",))
    for row in answer.to_decide:
        rows.add_row(str(row.line or ""), plain(row.paragraph), plain(row.key), plain(row.why))
    out.print(rows)
    told = "row is" if count == 1 else "rows are"
    out.print(f"[bold]A draft: no table can use it until its {count} {told} confirmed.[/]")
    if file is not None:
        out.print(f"Wrote {plain(file)}", soft_wrap=True)
        out.print("To confirm a row, compare it with the document and take it out of unconfirmed; then:")
        out.print(f"  thirdcard rules check {plain(file)} --against {plain(answer.document)}", soft_wrap=True)
