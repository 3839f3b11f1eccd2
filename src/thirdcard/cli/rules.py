"""`thirdcard rules`: the documents, what changed between them, and where each paragraph is carried."""

from collections import Counter
from typing import Annotated

import typer

from thirdcard.cli.output import Json, cited, console, print_json, table

app = typer.Typer(help="The rulebooks: list, show, compare, trace.", no_args_is_help=True)
Slug = Annotated[str, typer.Argument(help="The rulebook; `thirdcard rules list` names them.")]


@app.command("list")
def list_rulebooks(json_output: Json = False) -> None:
    """The five rulebooks and their layouts."""
    from thirdcard.rulebook import load, slugs
    from thirdcard.rulebook.lookup import listing

    books = [load(slug) for slug in slugs()]
    if json_output:
        print_json(listing())
        return
    rows = table("Rulebook", "Decks", "Layouts", "Bets", "Insurance", right=("Bets",), whole=("Rulebook",))
    for book in books:
        document = book.document
        rows.add_row(
            f"[bold]{book.slug}[/]",
            f"{book.decks.min}-{book.decks.max}",
            f"{min(book.layouts)}-{max(book.layouts)}",
            str(len(book.bets)),
            "yes" if book.insurance else "no",
        )
        rows.add_row(f"[dim]{document.operator} version {document.version}, from {document.effective}[/]")
    console().print(rows)


@app.command()
def show(
    slug: Slug,
    layout: Annotated[str | None, typer.Option(help="Only what this layout has.")] = None,
    json_output: Json = False,
) -> None:
    """A whole rulebook, every value with its paragraphs."""
    from thirdcard.cli.show import show_rulebook
    from thirdcard.rulebook import load
    from thirdcard.rulebook.lookup import only_layout

    book = load(slug)
    if layout is not None:
        book = only_layout(book, layout)
    if json_output:
        print_json(book)
    else:
        show_rulebook(book, console())


@app.command("diff")
def compare(old: Slug, new: Slug, json_output: Json = False) -> None:
    """What the second rulebook adds to, takes from and changes in the first."""
    from thirdcard.rulebook import load
    from thirdcard.rulebook.diff import diff
    from thirdcard.words.telling import brief

    found = diff(load(old), load(new))
    if json_output:
        print_json(found)
        return
    out = console()
    out.print(f"[bold]{old}[/] to [bold]{new}[/]")
    for title, differences in (
        ("Added", found.added),
        ("Removed", found.removed),
        ("Changed", found.changed),
    ):
        if not differences:
            continue
        rows = table("Key", "Value", "Paragraphs", title=f"{title}: {len(differences)}", whole=("Key",))
        for one in differences:
            values = [brief(value) for value in (one.before, one.after) if value is not None]
            rows.add_row(one.key, " → ".join(values), cited(one.rules))
        out.print(rows)
    if found.added == found.removed == found.changed == ():
        out.print("No difference but in paragraph numbers.")


@app.command()
def trace(
    slug: Annotated[str | None, typer.Argument(help="One rulebook; all of them if left out.")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print it as docs/rules.md has it.")] = False,
    json_output: Json = False,
) -> None:
    """Every numbered paragraph: what it says, its status, the code and the tests that carry it."""
    from thirdcard.rulebook import load, slugs
    from thirdcard.rulebook import trace as traced

    wanted = slugs() if slug is None else (load(slug).slug,)
    entries = [entry for entry in traced.trace() if entry.slug in wanted]
    if json_output:
        print_json(entries)
        return
    if markdown:
        typer.echo(traced.markdown(entries), nl=False)
        return
    out = console()
    for name in wanted:
        rows = table("Paragraph", "Status", "Summary", "Tests", title=name, right=("Tests",))
        for entry in entries:
            if entry.slug == name:
                rows.add_row(entry.paragraph, entry.status, entry.summary, str(len(entry.tests)))
        out.print(rows)
    counts = Counter(entry.status for entry in entries)
    told = ", ".join(f"{count} {status}" for status, count in counts.most_common())
    out.print(f"[bold]{len(entries)} paragraphs:[/] {told}")
    out.print(f"{counts['open']} of {len(entries)} are still open." if counts["open"] else "None is open.")


@app.command()
def interpretations(json_output: Json = False) -> None:
    """What the documents leave open, and how it is read here."""
    from thirdcard.rulebook import trace as traced

    found = traced.interpretations()
    if json_output:
        print_json(found)
        return
    out = console()
    for one in found:
        out.print(f"[bold]{one.number}. {one.title}[/]")
        out.print(one.text)
        for slug, paragraphs in one.paragraphs.items():
            out.print(f"  [dim]{slug}: {', '.join(paragraphs)}[/]")
        out.print()
