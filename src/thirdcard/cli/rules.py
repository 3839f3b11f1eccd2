"""`thirdcard rules`: the documents, what changed between them, and where each paragraph is carried."""

from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from thirdcard.cli.output import Json, cited, console, print_json, table

if TYPE_CHECKING:
    from rich.console import Console

    from thirdcard.rulebook import Rulebook
    from thirdcard.rulebook.model import Facts, When

app = typer.Typer(help="The rulebooks: list, show, compare, trace.", no_args_is_help=True)
Slug = Annotated[str, typer.Argument(help="The rulebook; `thirdcard rules list` names them.")]


@app.command("list")
def list_rulebooks(json_output: Json = False) -> None:
    """The five rulebooks and their layouts."""
    from thirdcard.rulebook import load, slugs

    books = [load(slug) for slug in slugs()]
    if json_output:
        print_json(
            [
                {
                    "slug": book.slug,
                    "title": book.document.title,
                    "operator": book.document.operator,
                    "version": book.document.version,
                    "effective": book.document.effective,
                    "decks": [book.decks.min, book.decks.max],
                    "layouts": {
                        letter: {"positions": layout.positions, "bets": layout.bets}
                        for letter, layout in book.layouts.items()
                    },
                }
                for book in books
            ]
        )
        return
    rows = table("Rulebook", "In force", "Decks", "Layouts", "Bets", "Insurance", right=("Bets",))
    for book in books:
        rows.add_row(
            f"[bold]{book.slug}[/]",
            book.document.effective[:10],
            f"{book.decks.min}-{book.decks.max}",
            f"{min(book.layouts)}-{max(book.layouts)}",
            str(len(book.bets)),
            "yes" if book.insurance else "",
        )
        rows.add_row(f"[dim]{book.document.operator}, {book.document.title.partition(' (')[0]}[/]")
    console().print(rows)


@app.command()
def show(
    slug: Slug,
    layout: Annotated[str | None, typer.Option(help="Only what this layout has.")] = None,
    json_output: Json = False,
) -> None:
    """A whole rulebook, every value with its paragraphs."""
    from thirdcard.rulebook import load
    from thirdcard.rulebook.model import only_layout

    book = load(slug)
    if layout is not None:
        book = only_layout(book, layout)
    if json_output:
        print_json(book)
    else:
        _show(book, console())


def _show(book: "Rulebook", out: "Console") -> None:
    document = book.document
    out.print(f"[bold]{document.title}[/]  {cited(document.rules)}")
    out.print(f"{document.operator}, version {document.version}, in force from {document.effective}")
    out.print(f"{book.decks.min} to {book.decks.max} decks  {cited(book.decks.rules)}\n")

    rows = table("Layout", "Positions", "Bets", title="Layouts")
    for letter, layout in book.layouts.items():
        rows.add_row(letter, "{} to {}".format(*layout.positions), ", ".join(layout.bets))
    out.print(rows)

    rows = table("Bet", "Wins", "Pays", "Paragraphs", title="Pay table")
    for bet in book.bets.values():
        for number, tier in enumerate(bet.pays):
            rows.add_row(
                bet.name if number == 0 else "",
                _condition(tier.when),
                tier.odds.text,
                cited(dict.fromkeys(bet.rules + tier.rules)),
            )
    out.print(rows)
    if book.commission:
        out.print(
            f"The House's commission on a winning Banker bet is {float(book.commission.rate):.0%}, "
            f"already taken off the odds  {cited(book.commission.rules)}\n"
        )
    if book.insurance:
        rows = table("Window", "Hand", "Player", "Banker", "Pays", "On a tie", "Paragraphs", title=book.insurance.name)
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
        out.print(rows)

    rows = table("Irregularity", "Where", "Remedy", "Decided by", "Paragraphs", title="Irregularities")
    for procedure in book.procedures:
        for number, ruling in enumerate(procedure.rulings):
            rows.add_row(
                procedure.title if number == 0 else "",
                _facts(ruling.when),
                ", ".join(remedy.replace("-", " ") for remedy in ruling.remedy),
                ruling.decides.replace("-", " "),
                cited(ruling.rules),
            )
    out.print(rows)

    rows = table("Discretion", "Whose", "Paragraphs", title="Left to a person")
    for discretion in book.discretions:
        rows.add_row(discretion.what, discretion.rank.replace("-", " "), cited(discretion.rules))
    out.print(rows)

    rows = table("Shown at the table", "Paragraphs", title="Notices")
    for notice in book.notices:
        rows.add_row(notice.shows, cited(notice.rules))
    out.print(rows)


def _condition(when: "When") -> str:
    """A winning condition in words."""
    pairs = {
        "player": "Player's first two cards pair",
        "banker": "Banker's first two cards pair",
        "one": "one hand pairs",
        "double": "both hands pair, different ranks",
        "twin": "both hands pair, same rank",
    }
    if when.pair is not None:
        return pairs[when.pair]
    who = " or ".join(name.title() for name in when.winner)
    told = ["a tie" if who == "Tie" else f"{who} wins"]
    if when.total:
        told.append(f"on {_choice(when.total)}")
    if when.margin is not None:
        told.append(f"by {when.margin}")
    if when.cards is not None:
        told.append(f"with {when.cards} cards")
    if when.cards_in_all is not None:
        told.append(f"with {when.cards_in_all} cards in all")
    return " ".join(told)


def _choice(values: tuple[int, ...]) -> str:
    *most, last = map(str, values)
    return f"{', '.join(most)} or {last}" if most else last


def _facts(when: "Facts") -> str:
    told = []
    for name in when.__struct_fields__:
        values = getattr(when, name)
        if values:
            label = name.replace("_", " ")
            told.append(
                (label if values[0] else f"not {label}")
                if isinstance(values[0], bool)
                else " or ".join(value.replace("-", " ") for value in values)
            )
    return ", ".join(told)


@app.command("diff")
def compare(old: Slug, new: Slug, json_output: Json = False) -> None:
    """What the second rulebook adds to, takes from and changes in the first."""
    from thirdcard.rulebook import load
    from thirdcard.rulebook.diff import diff

    found = diff(load(old), load(new))
    if json_output:
        print_json(found)
        return
    out = console()
    out.print(f"[bold]{old}[/] to [bold]{new}[/]")
    for title, differences in (("Added", found.added), ("Removed", found.removed), ("Changed", found.changed)):
        if not differences:
            continue
        rows = table("Key", "Value", "Paragraphs", title=f"{title}: {len(differences)}")
        for one in differences:
            values = [_brief(value) for value in (one.before, one.after) if value is not None]
            rows.add_row(one.key, " → ".join(values), cited(one.rules))
        out.print(rows)
    if found.added == found.removed == found.changed == ():
        out.print("No difference but in paragraph numbers.")


def _brief(value: object) -> str:
    """A value in one line: tables by their own values, lists by their entries."""
    if isinstance(value, dict):
        return "; ".join(f"{name} {_brief(inner)}" for name, inner in value.items() if name != "rules")
    if isinstance(value, list):
        return ", ".join(_brief(inner) for inner in value)
    return str(value)


@app.command()
def trace(
    slug: Annotated[str | None, typer.Argument(help="One rulebook; all of them if left out.")] = None,
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
