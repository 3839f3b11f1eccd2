"""`thirdcard odds`, `insurance` and `report`: exact numbers as JSON, as tables, as a page."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec import UNSET, UnsetType
from rich.console import Console

import thirdcard as tc
from thirdcard.answers import told
from thirdcard.cards import Card, Rank, parse_cards
from thirdcard.cli.options import Decks, Folders, Json, OnlyLayout, Seen, Slug
from thirdcard.cli.output import (
    cited,
    console,
    percent,
    plain,
    print_answer,
    print_json,
    short,
    table,
    write_file,
)
from thirdcard.errors import BadInput
from thirdcard.money import format_dollars
from thirdcard.odds import BetPlan, Composition, OddsSheet, OfferSheet, OfferValue, bet_plans, compare, shoe
from thirdcard.odds.bet_values import HouseEdge, edges
from thirdcard.odds.compare import Comparison, Effects, LayoutChange
from thirdcard.odds.sheet import EvChange, OddsAnswer
from thirdcard.play.insurance import WINDOWS
from thirdcard.rulebook import Rulebook, digest_of, load
from thirdcard.rulebook.lookup import usual_decks

COLUMNS = 6  # of a wide table, at a time


def odds(  # noqa: PLR0913, PLR0917 - these are the options people have
    slug: Slug,
    decks: Decks = None,
    layout: OnlyLayout = None,
    seen: Seen = "",
    plan: Annotated[
        str | None,
        typer.Option(metavar="NAME=DOLLARS,...", help="Bets made together, such as banker=100,big-tiger=5."),
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="The plan over so many rounds, by the normal approximation.")
    ] = None,
    effects: Annotated[
        bool, typer.Option("--effects", help="What one card less of each rank changes.")
    ] = False,
    compare_decks: Annotated[
        bool, typer.Option("--compare-decks", help="The house edges for every number of decks.")
    ] = False,
    against: Annotated[
        str | None, typer.Option(metavar="RULEBOOK", help="Side by side with another rulebook.")
    ] = None,
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """The exact odds of every bet, for a fresh shoe or the cards left in one.

    thirdcard odds mbs-tiger-v2 --seen "9C KD 9H" --plan banker=100,big-tiger=5
    """
    sheet = tc.odds(slug, decks=decks, layout=layout, seen=seen)
    book, left, gone = sheet.rulebook, sheet.left, parse_cards(seen)
    answer = OddsAnswer(
        decks=sheet.decks,
        seen=tuple(map(str, gone)),
        cards_left=left.cards,
        bets=dict(sheet),
        plan=_planned(book, layout, left, plan, rounds),
        effects=_removed(compare.effects(book, left, sheet)) if effects else UNSET,
        by_decks=_by_decks(book, sheet, gone) if compare_decks else UNSET,
        against=UNSET if against is None else _against(sheet, against, gone),
    )
    if json_output:
        print_answer("odds", book, answer)
        return
    out = console()
    _heading(out, sheet, f"Layout {layout}" if layout else "Every bet")
    _show_bets(out, sheet)
    if answer.plan is not UNSET:
        _show_plan(out, answer.plan)
    if answer.effects is not UNSET:
        _show_effects(out, book, answer.effects)
    if answer.by_decks is not UNSET:
        _show_decks(out, book, answer.by_decks)
    if answer.against is not UNSET:
        _show_against(out, book, answer.against)


def _planned(
    book: Rulebook, layout: str | None, left: Composition, text: str | None, rounds: int | None
) -> BetPlan | UnsetType:
    if text is None:
        if rounds is not None:
            raise BadInput("--rounds needs a plan: add --plan such as banker=100,big-tiger=5")
        return UNSET
    planned = bet_plans.plan(book, left, bet_plans.read_plan(book, layout, text))
    return planned if rounds is None else bet_plans.over(planned, rounds)


def _removed(changes: Effects) -> dict[str, dict[Rank, EvChange]]:
    return {
        name: {rank: EvChange(change) for rank, change in by_rank.items()}
        for name, by_rank in changes.items()
    }


def _by_decks(book: Rulebook, names: Iterable[str], gone: Sequence[Card]) -> dict[int, dict[str, HouseEdge]]:
    return {decks: edges(worth) for decks, worth in compare.by_decks(book, names, gone).items()}


def _against(sheet: OddsSheet, named: str, gone: Sequence[Card]) -> Comparison:
    other = load(named)
    shoe(other, sheet.decks, gone)  # what it cannot be dealt from is told first
    return compare.against(sheet.rulebook, other, sheet.left)


def insurance(
    slug: Slug,
    decks: Decks = None,
    seen: Seen = "",
    cards: Annotated[
        str | None, typer.Option(help="The four or five cards on the table: what may be bought now.")
    ] = None,
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """Every insurance offer: how often it comes up and what it is worth when it does.

    thirdcard insurance rws-commission-insurance-v5 --cards "6C 3D KH AS"
    """
    sheet = tc.insurance(slug, decks=decks, seen=seen, cards=cards)
    if json_output:
        print_json(told(sheet[:]))
        return
    out = console()
    if cards is None:
        _heading(out, sheet, "Insurance")
    else:
        out.print(f"[bold]{plain(sheet.rulebook.document.title)}[/]")
        out.print(f"Insurance with {plain(cards)} on the table, {sheet.decks} decks")
        if not sheet:
            out.print("None is open: nobody is to draw, or the document has no row for these points.")
    _show_offers(out, sheet, chance=cards is None)


class WrittenReport(msgspec.Struct, kw_only=True):
    """A report that was written."""

    file: str
    decks: int
    bytes: int


def report(
    slug: Slug,
    out: Annotated[Path, typer.Option(help="The file to write; one that exists is replaced.")],
    decks: Decks = None,
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """One page with every figure and its charts; it needs no network.

    thirdcard report mbs-tiger-v2 --out mbs.html
    """
    from thirdcard.web.pages.odds import report as page

    book = load(slug)
    decks = usual_decks(book, decks)
    text = page(book, decks)
    write_file(out, text)
    written = WrittenReport(file=str(out), decks=decks, bytes=len(text.encode()))
    if json_output:
        print_answer("report", book, written)
        return
    console().print(f"Wrote {plain(out)} ({written.bytes:,} bytes)", soft_wrap=True)


# ---- tables for people, numbers in percent ---------------------------------------------------------


def _heading(out: Console, sheet: OddsSheet | OfferSheet, what: str) -> None:
    book, left = sheet.rulebook, sheet.left
    out.print(f"[bold]{plain(book.document.title)}[/] [dim]{short(digest_of(book))}[/]")
    out.print(f"{what}, {sheet.decks} decks, {left.cards} cards left")
    out.print(f"[dim]Exact, by counting {left.sequences:,} ordered draws of six cards.[/]\n")


def _title(out: Console, text: str) -> None:
    out.print(f"\n[bold]{text}[/]", soft_wrap=True)


def _show_bets(out: Console, worth: OddsSheet) -> None:
    numbers = ("Wins", "Push", "Loses", "Edge", "SD")
    rows = table("Bet", "Pays", *numbers, right=numbers, whole=("Pays", *numbers))
    for value in worth.values():
        first, *more = value.bet.pays
        rows.add_row(
            plain(value.bet.name),
            "" if more else first.odds.text,
            percent(value.win),
            percent(value.push) if value.push else "",
            percent(value.lose),
            f"[bold]{percent(value.house_edge)}[/]",
            f"{value.sd:.3f}",
        )
        for name, tier in value.tiers.items() if more else ():
            rows.add_row(f"  {_line(name)}", tier.odds, percent(tier.probability))
        for push in value.bet.every_push if len(value.bet.every_push) > 1 else ():
            rows.add_row(f"  {_line(push.tier)}", "push", "", percent(value.chance(push.tier)))
    out.print(rows)
    out.print(
        "[dim]Percent. Edge: what the house keeps of a stake on average. SD: standard deviation per unit.[/]"
    )
    for value in worth.values():
        if value.ev > 0:
            gain = f"{percent(value.ev, sign=True)}% of the stake"
            out.print(f"{plain(value.bet.name)} favours the player here: {gain}.")


def _line(tier: str) -> str:
    return plain(tier.replace("-", " "))


def _show_plan(out: Console, planned: BetPlan) -> None:
    _title(
        out,
        "One round of " + ", ".join(f"{n} {format_dollars(stake)}" for n, stake in planned.stakes.items()),
    )
    rows = table("Net", "Chance", right=("Net", "Chance"))
    for result in planned.results:
        rows.add_row(format_dollars(result.net, sign=True), percent(result.probability))
    out.print(rows)
    out.print(
        f"Mean [bold]{_dollars(float(planned.mean))}[/] a round on {format_dollars(planned.staked)} staked, "
        f"standard deviation {_dollars(planned.sd)}, "
        f"worst {format_dollars(planned.worst, sign=True)}, best {format_dollars(planned.best, sign=True)}."
    )
    run = planned.ahead
    if run is not UNSET:
        out.print(
            f"Over {run.rounds:,} rounds, by the normal approximation and with the same cards each round: "
            f"mean {_dollars(run.mean)}, standard deviation {_dollars(run.sd)}, 95% between "
            f"{_dollars(run.low)} and {_dollars(run.high)}, ahead with {run.ahead:.2%}."
        )


def _dollars(cents: float) -> str:
    return f"{cents / 100:,.2f}"


def _show_effects(out: Console, book: Rulebook, changes: dict[str, dict[Rank, EvChange]]) -> None:
    _title(out, "One card of a rank less: the player's gain in hundredths of a percent")
    ranks = dict.fromkeys(rank for by_rank in changes.values() for rank in by_rank)
    lines: dict[str, list[str]] = {}
    same: dict[tuple[EvChange, ...], list[Rank]] = {}
    for rank in ranks:  # ranks that change every bet alike share a line
        same.setdefault(tuple(by_rank[rank] for by_rank in changes.values()), []).append(rank)
    for effects, members in same.items():
        lines[" ".join(rank.letter for rank in members)] = [
            f"{float(change.ev * 10_000):+.2f}" for change in effects
        ]
    _show_wide(out, "Rank", _names(book, changes), lines)


def _show_decks(out: Console, book: Rulebook, by_decks: dict[int, dict[str, HouseEdge]]) -> None:
    _title(out, "House edge by number of decks")
    lines = {str(count): [percent(v.house_edge) for v in found.values()] for count, found in by_decks.items()}
    _show_wide(out, "Decks", _names(book, next(iter(by_decks.values()))), lines)


def _names(book: Rulebook, bets: Iterable[str]) -> list[str]:
    return [plain(book.bets[bet].name) for bet in bets]


def _show_wide(out: Console, corner: str, columns: list[str], lines: dict[str, list[str]]) -> None:
    """A wide table in pieces that fit on a screen."""
    for start in range(0, len(columns), COLUMNS):
        piece = slice(start, start + COLUMNS)
        rows = table(corner, *columns[piece], right=columns, whole=(corner,))
        for name, cells in lines.items():
            rows.add_row(name, *cells[piece])
        out.print(rows)


def _show_against(out: Console, book: Rulebook, compared: Comparison) -> None:
    _title(out, f"House edge here, and there in {compared.slug}")
    numbers = ("Here", "There", "Difference")
    rows = table("Bet", *numbers, right=numbers)
    for name, edge in compared.edges.items():
        rows.add_row(
            plain(book.bets[name].name),
            percent(edge.house_edge),
            percent(edge.against),
            percent(edge.difference, sign=True) if edge.difference else "same",
        )
    out.print(rows)
    if not compared.changed:
        out.print("Every bet that both have is worth the same in both.")
    for slug, only in ((book.slug, compared.only_here), (compared.slug, compared.only_there)):
        if only:
            out.print(f"Only {slug} has {', '.join(only)}.")
    same: dict[str, list[str]] = {}
    for letter, differing in compared.layouts.items():
        same.setdefault(_layouts(book.slug, compared.slug, differing), []).append(letter)
    for differs, letters in same.items():
        out.print(f"Layout {', '.join(letters)}: {differs}.")


def _layouts(book: str, other: str, change: LayoutChange) -> str:
    here, there = change.here, change.there
    if here is None or there is None:
        return f"only in {other if here is None else book}, with {', '.join(here or there or ())}"
    more_bets = [
        f"{where} also {', '.join(more)}"
        for where, more in (
            ("here", [name for name in here if name not in there]),
            ("there", [name for name in there if name not in here]),
        )
        if more
    ]
    return "; ".join(more_bets) or "the same bets in another order"


def _show_offers(out: Console, found: OfferSheet, *, chance: bool) -> None:
    groups: dict[tuple[str, int], list[OfferValue]] = {}
    for offer in found:
        groups.setdefault((offer.hand.label, offer.window), []).append(offer)
    numbers = ("Player", "Banker", *(("Chance",) if chance else ()), "Wins", "Push", "Value")
    for (hand, window), members in groups.items():
        rules = cited(dict.fromkeys(rule for member in members for rule in member.offer.rules))
        _title(out, f"{hand} insurance, window {window}: {WINDOWS[window]}  {rules}")
        rows = table("Player", "Banker", "Pays", *numbers[2:], "Favours", right=numbers)
        for offer in members:
            rows.add_row(
                str(offer.player),
                str(offer.banker),
                offer.odds,
                *((percent(offer.probability),) if chance else ()),
                percent(offer.win_chance),
                percent(offer.push_chance) if offer.push else "",
                percent(offer.ev, sign=True) if offer.rounds else "never",
                f"[bold green]{offer.favours}[/]" if offer.favours == "player" else offer.favours,
            )
        out.print(rows)
    if found:
        note = "Chance: that the offer comes up. " if chance else ""
        out.print(
            f"[dim]Percent; points when offered. {note}Value: per unit of the stake, once it is offered.[/]"
        )
        good = found.favourable
        out.print(
            f"{good} of {len(found)} offers favour the player." if good else "No offer favours the player."
        )
