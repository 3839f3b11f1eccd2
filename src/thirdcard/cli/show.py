"""A rulebook laid out for people."""

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table

from thirdcard.cli.output import cited, table
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.model import Fact, Part
from thirdcard.words import ENGLISH, words
from thirdcard.words.telling import condition, facts


def show_rulebook(book: Rulebook, out: Console) -> None:
    document = book.document
    out.print(f"[bold]{document.title}[/]  {cited(document.rules)}")
    out.print(f"{document.operator}, version {document.version}, in force from {document.effective}")
    out.print(f"{book.decks.min} to {book.decks.max} decks  {cited(book.decks.rules)}\n")
    for section in (layouts, pay_table, insurance, terms, people, irregularities, discretions, notices):
        for rows in section(book):
            out.print(rows)


def layouts(book: Rulebook) -> Iterator[Table]:
    rows = table("Layout", "Positions", "Bets", title="Layouts")
    for letter, layout in book.layouts.items():
        rows.add_row(letter, "{} to {}".format(*layout.positions), ", ".join(layout.bets))
    yield rows


def pay_table(book: Rulebook) -> Iterator[Table]:
    rows = table("Bet", "Wins when", "Pays", "Paragraphs", title="Pay table", whole=("Bet", "Pays"))
    for bet in book.bets.values():
        for number, tier in enumerate(bet.pays):
            rows.add_row(
                "" if number else bet.name,
                condition(tier.when, words(ENGLISH)),
                tier.odds.text,
                cited(dict.fromkeys(bet.rules + tier.rules)),
            )
    if book.commission:
        rows.caption = (
            f"Banker's odds are 1 to 1 less the commission of {float(book.commission.rate):.0%}  "
            f"{cited(book.commission.rules)}"
        )
    yield rows


def insurance(book: Rulebook) -> Iterator[Table]:
    if book.insurance is None:
        return
    columns = ("Window", "Hand", "Player", "Banker", "Pays", "On a tie", "Paragraphs")
    rows = table(*columns, title=book.insurance.name)
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
            rows.add_row(term, value, cited(rules))
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
            own.append(_plain(value) if field in ("value", "title") else f"{label}: {_plain(value)}")
    if own:
        yield name, "; ".join(own), rules


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(_plain(one) for one in value)
    return str(value).replace("-", " ")


def people(book: Rulebook) -> Iterator[Table]:
    rows = table("Rank", "Stands above", "Paragraphs", title="Ladder of authority")
    for rank in book.ranks:
        rows.add_row(rank.title, _plain(rank.above), cited(rank.rules))
    yield rows


def irregularities(book: Rulebook) -> Iterator[Table]:
    rows = table("Irregularity", "Remedy", "Decided by", "Paragraphs", title="Irregularities")
    for procedure in book.procedures:
        several = len(procedure.rulings) > 1
        if several:
            rows.add_row(procedure.title)
        for ruling in procedure.rulings:
            rows.add_row(
                f"  [dim]{facts(ruling.when, words(ENGLISH))}[/]" if several else procedure.title,
                _plain(ruling.remedy),
                _plain(ruling.decides),
                cited(ruling.rules),
            )
    yield rows


def discretions(book: Rulebook) -> Iterator[Table]:
    rows = table("Left to a person", "Whose", "Paragraphs", title="Discretions")
    for discretion in book.discretions:
        rows.add_row(discretion.what, _plain(discretion.rank), cited(discretion.rules))
    yield rows


def notices(book: Rulebook) -> Iterator[Table]:
    rows = table("Shown at the table", "Paragraphs", title="Notices")
    for notice in book.notices:
        rows.add_row(notice.shows, cited(notice.rules))
    yield rows
