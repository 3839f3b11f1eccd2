"""`thirdcard rules diff`: what a new version says otherwise, and what that does to money."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from thirdcard.cli.options import Folders, Json, Slug
from thirdcard.cli.output import cited, console, percent, plain, print_answer, short, table, write_file
from thirdcard.odds.changes import (
    EdgeChange,
    LayoutEdges,
    MoneyChanges,
    OfferChange,
    changes,
    rules_diff,
    usual_decks,
)
from thirdcard.odds.insurance import OfferValue
from thirdcard.rulebook import Rulebook, digest_of, load
from thirdcard.rulebook.diff import Diff
from thirdcard.rulebook.diff import diff as compared
from thirdcard.rulebook.lookup import check_decks
from thirdcard.words.telling import brief


def diff(
    old: Slug,
    new: Slug,
    decks: Annotated[
        int | None, typer.Option(help="Decks in the shoe; 8, or the nearest to it that is allowed.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write it as a page to print; replaces the file.")
    ] = None,
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """What the second rulebook adds to, takes from and changes in the first, and what that does to money.

    thirdcard rules diff rws-tiger-buffalo-non-commission-v3 rws-tiger-buffalo-non-commission-v4
    """
    before, after = load(old), load(new)
    if decks is not None:
        check_decks(before, decks)
        check_decks(after, decks)
    differences = compared(before, after)
    money = changes(before, after, decks or usual_decks(before, after))
    if html is not None:
        write_file(html, _page(before, after, differences, money))
    if json_output:
        print_answer("rules.diff", after, rules_diff(before, differences, money))
    else:
        out = console()
        _show_values(out, before, after, differences)
        _show_money(out, money)
        if html is not None:
            out.print(f"Wrote {plain(html)}", soft_wrap=True)


# ---- a page to print -----------------------------------------------------------------------------


def _page(before: Rulebook, after: Rulebook, found: Diff, money: MoneyChanges) -> str:
    from thirdcard.web.pages.changes import changes_page

    return changes_page(before, after, found, money)


# ---- tables for people, numbers in percent -------------------------------------------------------


def _show_values(out: Console, before: Rulebook, after: Rulebook, found: Diff) -> None:
    for book, word in ((before, "from"), (after, "to")):
        out.print(f"{word} [bold]{plain(book.slug)}[/] [dim]{short(digest_of(book))}[/]")
    for title, differences in (
        ("Added", found.added),
        ("Removed", found.removed),
        ("Changed", found.changed),
    ):
        if not differences:
            continue
        rows = table("Key", "Value", "Paragraphs", title=f"{title}: {len(differences)}", whole=("Key",))
        for difference in differences:
            values = [
                plain(brief(value)) for value in (difference.before, difference.after) if value is not None
            ]
            rows.add_row(plain(difference.key), " → ".join(values), cited(difference.rules))
        out.print(rows)
    if found.added == found.removed == found.changed == ():
        out.print("No difference but in paragraph numbers.")


def _show_money(out: Console, money: MoneyChanges) -> None:
    out.print(f"\n[bold]What it does to money[/], {money.decks} decks, a fresh shoe")
    differing = [bet for bet in money.bets if bet.change != 0]
    if differing:
        numbers = ("Before", "After", "Change")
        rows = table("House edge, percent", *numbers, right=numbers)
        for bet in differing:
            change = percent(bet.change, sign=True) if bet.change is not None else _came(bet)
            rows.add_row(plain(bet.name), percent(bet.before), percent(bet.after), change)
        out.print(rows)
    same = len(money.bets) - len(differing)
    out.print(f"{same} of {len(money.bets)} bets are worth what they were.")
    _show_layouts(out, money.layouts)
    if money.insurance:
        _show_insurance(out, money.insurance)


def _came(change: EdgeChange) -> str:
    return "new" if change.before is None else "gone"


def _show_layouts(out: Console, layouts: Iterable[LayoutEdges]) -> None:
    alike: dict[str, list[str]] = {}
    for layout in layouts:
        if layout.added or layout.removed:
            offered = ", ".join(bet.bet for bet in layout.bets)
            limits = f"{'new' if layout.added else 'gone'}, with {offered}"
        else:
            limits = "; ".join(
                f"{word} {', '.join(names)}"
                for word, names in (
                    ("new", [bet.bet for bet in layout.bets if bet.before is None]),
                    ("gone", [bet.bet for bet in layout.bets if bet.after is None]),
                    ("otherwise priced", [bet.bet for bet in layout.bets if bet.change]),
                )
                if names
            )
        alike.setdefault(limits, []).append(layout.layout)
    for limits, letters in alike.items():
        out.print(f"Layout {', '.join(letters)}: {plain(limits) or 'the same bets at the same prices'}.")


def _show_insurance(out: Console, offers: tuple[OfferChange, ...]) -> None:
    changed = [offer for offer in offers if offer.changed]
    if changed:
        rows = table("Insurance of", "Pays", "Value, percent", "Favours", right=("Pays", "Value, percent"))
        for offer in changed:
            verb = "begins" if offer.begins else "ceases" if offer.ceases else ""
            rows.add_row(
                f"{offer.hand.label} {offer.window} at {offer.player} against {offer.banker}",
                _turned(offer, lambda value: value.odds),
                _turned(offer, lambda value: percent(value.ev, sign=True) if value.rounds else "never"),
                f"[bold green]{verb}[/]" if offer.begins else verb,
            )
        out.print(rows)
    out.print(f"{len(offers) - len(changed)} of {len(offers)} insurance offers are worth what they were.")
    for word, found in (
        ("begin", [offer for offer in offers if offer.begins]),
        ("cease", [offer for offer in offers if offer.ceases]),
    ):
        if found:
            out.print(f"{len(found)} {word} to favour the player.")


def _turned(one: OfferChange, told: Callable[[OfferValue], str]) -> str:
    """Before and after, or what is the same in both."""
    return " → ".join(
        dict.fromkeys("none" if side is None else told(side) for side in (one.before, one.after))
    )
