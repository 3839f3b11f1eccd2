"""A rulebook laid out for people."""

from collections.abc import Iterator
from fractions import Fraction

from rich.console import Console
from rich.table import Table

from thirdcard.cli.output import cited, plain, short, table
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.model import Fact, Part
from thirdcard.words import ENGLISH, words
from thirdcard.words.telling import condition, facts


def show_rulebook(book: Rulebook, digest: str, out: Console) -> None:
    document = book.document
    out.print(f"[bold]{plain(document.title)}[/]  {cited(document.rules)}")
    out.print(f"{plain(published(book))}  [dim]{short(digest)}[/]")
    out.print(f"{book.decks.min} to {book.decks.max} decks  {cited(book.decks.rules)}")
    if book.assumed:
        out.print(f"Left out, so as in the plain game: {', '.join(book.assumed)}.")
    out.print()
    for section in (layouts, pay_table, insurance, terms, people, irregularities, discretions, notices):
        for rows in section(book):
            if rows.row_count:
                out.print(rows)


def published(book: Rulebook) -> str:
    """Whose document it is, as far as it says."""
    document = book.document
    told = f"{document.operator} version {document.version}".strip()
    return f"{told}, from {document.effective}" if document.effective else told


def layouts(book: Rulebook) -> Iterator[Table]:
    rows = table("Layout", "Positions", "Bets", title="Layouts")
    for letter, layout in book.layouts.items():
        drawn = f"{letter} {plain(layout.name)}".strip()
        rows.add_row(drawn, "{} to {}".format(*layout.positions), plain(", ".join(layout.bets)))
    yield rows


def pay_table(book: Rulebook) -> Iterator[Table]:
    own = words(ENGLISH)
    rows = table("Bet", "When", "Pays", "Paragraphs", title="Pay table", whole=("Pays",))
    for bet in book.bets.values():
        lines = [(tier.when, tier.odds.text, tier.rules) for tier in bet.pays]
        lines += [(push.when, "push", push.rules) for push in bet.every_push]
        for number, (when, pays, rules) in enumerate(lines):
            rows.add_row(
                "" if number else plain(bet.name),
                plain(condition(when, own)),
                pays,
                cited(dict.fromkeys(bet.rules + rules)),
            )
    if book.commission:
        others = "".join(
            f", or {_percent(other.rate)} if {condition(other.when, own)}"
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


def discretions(book: Rulebook) -> Iterator[Table]:
    rows = table("Left to a person", "Whose", "Paragraphs", title="Discretions")
    for discretion in book.discretions:
        rows.add_row(plain(discretion.what), _words(discretion.rank), cited(discretion.rules))
    yield rows


def notices(book: Rulebook) -> Iterator[Table]:
    rows = table("Shown at the table", "Paragraphs", title="Notices")
    for notice in book.notices:
        rows.add_row(plain(notice.shows), cited(notice.rules))
    yield rows
