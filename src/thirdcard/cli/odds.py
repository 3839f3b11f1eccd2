"""`thirdcard odds`, `insurance` and `report`: exact numbers as JSON, as tables, as a page."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.console import Console

from thirdcard.cards import Rank, check_copies, parse_cards
from thirdcard.cli.options import Decks, Folders, Json, Seen, Slug
from thirdcard.cli.output import cited, console, percent, plain, print_json, short, table, write_file
from thirdcard.errors import BadInput
from thirdcard.money import format_dollars
from thirdcard.odds import (
    BetPlan,
    Composition,
    OfferValue,
    Value,
    bet_plans,
    bet_values,
    compare,
    offers,
    shoe,
    situation,
    values,
)
from thirdcard.odds.bet_plans import RoundsAhead
from thirdcard.odds.compare import Comparison, LayoutChange
from thirdcard.odds.insurance import insurance_of
from thirdcard.odds.plain import bets_json, exact, offer_json
from thirdcard.play.insurance import WINDOWS
from thirdcard.rulebook import Rulebook, digest_of, load
from thirdcard.rulebook.lookup import identity, usual_decks

COLUMNS = 6  # of a wide table, at a time


class Extra(NamedTuple):
    """What an option adds to the odds: a key of the JSON, and something to show."""

    key: str
    json: object
    show: "Callable[[Console], None]"


def odds(  # noqa: PLR0913, PLR0917 - these are the options people have
    slug: Slug,
    decks: Decks = None,
    layout: Annotated[str | None, typer.Option(help="Only the bets of this layout.")] = None,
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
    book = load(slug)
    names = bet_values.bets_on(book, layout)
    gone, decks = parse_cards(seen), usual_decks(book, decks)
    left = shoe(book, decks, gone)
    worth = values(book, left, names)
    extras = []
    if plan is not None or rounds is not None:
        extras.append(_planned(book, layout, left, plan, rounds))
    if effects:
        extras.append(_removed(worth, compare.effects(book, left, names)))
    if compare_decks:
        extras.append(_decked(compare.by_decks(book, names, gone)))
    if against is not None:
        other = load(against)
        shoe(other, decks, gone)
        extras.append(_compared(book, other, compare.against(book, other, left)))
    if json_output:
        seen_cards = [str(card) for card in gone]
        answer = {"decks": decks, "seen": seen_cards, "cards_left": left.cards, "bets": bets_json(worth)}
        print_json(identity("odds", book) | answer | {extra.key: extra.json for extra in extras})
        return
    out = console()
    _heading(out, book, decks, left, f"Layout {layout}" if layout else "Every bet")
    _show_bets(out, worth)
    for extra in extras:
        extra.show(out)


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
    book = load(slug)
    insurance_of(book)
    gone, decks = parse_cards(seen), usual_decks(book, decks)
    left = shoe(book, decks, gone)
    if cards is None:
        found = offers(book, left)
    else:
        drawn = parse_cards(cards)
        check_copies((*gone, *drawn), decks)
        found = situation(book, left, drawn)
    if json_output:
        print_json([offer_json(one) for one in found])
        return
    out = console()
    if cards is None:
        _heading(out, book, decks, left, "Insurance")
    else:
        out.print(f"[bold]{plain(book.document.title)}[/]")
        out.print(f"Insurance with {plain(cards)} on the table, {decks} decks")
        if not found:
            out.print("None is open: nobody is to draw, or the document has no row for these points.")
    _show_offers(out, found, chance=cards is None)


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
    if json_output:
        answer = {"file": str(out), "decks": decks, "bytes": len(text.encode())}
        print_json(identity("report", book) | answer)
        return
    console().print(f"Wrote {plain(out)} ({len(text.encode()):,} bytes)", soft_wrap=True)


def _planned(
    book: Rulebook, layout: str | None, left: Composition, text: str | None, rounds: int | None
) -> Extra:

    if text is None:
        raise BadInput("--rounds needs a plan: add --plan such as banker=100,big-tiger=5")
    planned = bet_plans.plan(book, left, bet_plans.read_plan(book, layout, text))
    run = None if rounds is None else bet_plans.run(planned, rounds)
    return Extra("plan", _plan_json(planned, run), lambda out: _show_plan(out, planned, run))


def _removed(worth: dict[str, Value], changes: Mapping[str, dict[Rank, Fraction]]) -> Extra:

    found = {
        name: {rank.letter: exact("ev", change) for rank, change in by_rank.items()}
        for name, by_rank in changes.items()
    }
    return Extra("effects", found, lambda out: _show_effects(out, worth, changes))


def _decked(by_decks: dict[int, dict[str, Value]]) -> Extra:

    found = {
        str(count): {name: exact("house_edge", value.house_edge) for name, value in worth.items()}
        for count, worth in by_decks.items()
    }
    return Extra("by_decks", found, lambda out: _show_decks(out, by_decks))


def _compared(book: Rulebook, other: Rulebook, compared: Comparison) -> Extra:
    return Extra(
        "against", _against_json(other, compared), lambda out: _show_against(out, book, other, compared)
    )


# ---- JSON ----------------------------------------------------------------------------------------


def _plan_json(planned: BetPlan, run: RoundsAhead | None) -> dict[str, object]:

    answer = {
        "stakes": planned.stakes,
        "staked": planned.staked,
        **exact("mean", planned.mean),
        "variance": str(planned.variance),
        "sd": sqrt(planned.variance),
        "worst": planned.worst,
        "best": planned.best,
        "results": [{"net": net, **exact("probability", planned.chance(net))} for net in planned.rounds],
    }
    if run is not None:
        answer["rounds"] = {
            "rounds": run.rounds,
            "method": "normal approximation",
            "mean_approx": run.mean,
            "sd_approx": run.sd,
            "low_95_approx": run.low,
            "high_95_approx": run.high,
            "ahead_approx": run.ahead,
        }
    return answer


def _against_json(other: Rulebook, compared: Comparison) -> dict[str, object]:

    return {
        "slug": other.slug,
        "digest": digest_of(other),
        "common": {
            name: {
                **exact("house_edge", here.house_edge),
                **exact("against", there.house_edge),
                **exact("difference", there.house_edge - here.house_edge),
            }
            for name, (here, there) in compared.common.items()
        },
        "changed": compared.changed,
        "only_here": compared.only_here,
        "only_there": compared.only_there,
        "layouts": compared.layouts,
    }


# ---- tables for people, numbers in percent ---------------------------------------------------------


def _heading(out: Console, book: Rulebook, decks: int, left: Composition, what: str) -> None:

    out.print(f"[bold]{plain(book.document.title)}[/] [dim]{short(digest_of(book))}[/]")
    out.print(f"{what}, {decks} decks, {left.cards} cards left")
    out.print(f"[dim]Exact, by counting {left.sequences:,} ordered draws of six cards.[/]\n")


def _title(out: Console, text: str) -> None:
    out.print(f"\n[bold]{text}[/]", soft_wrap=True)


def _show_bets(out: Console, worth: dict[str, Value]) -> None:
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
            f"{sqrt(value.variance):.3f}",
        )
        for tier in value.bet.pays if more else ():
            rows.add_row(f"  {_line(tier.tier)}", tier.odds.text, percent(value.chance(tier.tier)))
        for push in value.bet.every_push if len(value.bet.every_push) > 1 else ():
            rows.add_row(f"  {_line(push.tier)}", "push", "", percent(value.chance(push.tier)))
    out.print(rows)
    out.print(
        "[dim]Percent. Edge: what the house keeps of a stake on average. SD: standard deviation per unit.[/]"
    )
    for value in worth.values():
        if value.ev > 0:
            told = f"favours the player here: {percent(value.ev, sign=True)}% of the stake"
            out.print(f"{plain(value.bet.name)} {told}.")


def _line(tier: str) -> str:
    return plain(tier.replace("-", " "))


def _show_plan(out: Console, planned: BetPlan, run: RoundsAhead | None) -> None:

    _title(
        out,
        "One round of " + ", ".join(f"{n} {format_dollars(stake)}" for n, stake in planned.stakes.items()),
    )
    rows = table("Net", "Chance", right=("Net", "Chance"))
    for net in planned.rounds:
        rows.add_row(format_dollars(net, sign=True), percent(planned.chance(net)))
    out.print(rows)
    out.print(
        f"Mean [bold]{_dollars(float(planned.mean))}[/] a round on {format_dollars(planned.staked)} staked, "
        f"standard deviation {_dollars(sqrt(planned.variance))}, "
        f"worst {format_dollars(planned.worst, sign=True)}, best {format_dollars(planned.best, sign=True)}."
    )
    if run is not None:
        out.print(
            f"Over {run.rounds:,} rounds, by the normal approximation and with the same cards each round: "
            f"mean {_dollars(run.mean)}, standard deviation {_dollars(run.sd)}, 95% between "
            f"{_dollars(run.low)} and {_dollars(run.high)}, ahead with {run.ahead:.2%}."
        )


def _dollars(cents: float) -> str:
    return f"{cents / 100:,.2f}"


def _show_effects(out: Console, worth: dict[str, Value], changes: Mapping[str, dict[Rank, Fraction]]) -> None:
    _title(out, "One card of a rank less: the player's gain in hundredths of a percent")
    ranks = dict.fromkeys(rank for by_rank in changes.values() for rank in by_rank)
    lines: dict[str, list[str]] = {}
    same: dict[tuple[Fraction, ...], list[Rank]] = {}
    for rank in ranks:  # ranks that change every bet alike share a line
        same.setdefault(tuple(by_rank[rank] for by_rank in changes.values()), []).append(rank)
    for found, members in same.items():
        lines[" ".join(rank.letter for rank in members)] = [f"{float(one * 10_000):+.2f}" for one in found]
    _show_wide(out, "Rank", [plain(value.bet.name) for value in worth.values()], lines)


def _show_decks(out: Console, by_decks: dict[int, dict[str, Value]]) -> None:
    _title(out, "House edge by number of decks")
    lines = {str(count): [percent(v.house_edge) for v in found.values()] for count, found in by_decks.items()}
    first = next(iter(by_decks.values()))
    _show_wide(out, "Decks", [plain(value.bet.name) for value in first.values()], lines)


def _show_wide(out: Console, corner: str, columns: list[str], lines: dict[str, list[str]]) -> None:
    """A wide table in pieces that fit on a screen."""
    for start in range(0, len(columns), COLUMNS):
        piece = slice(start, start + COLUMNS)
        rows = table(corner, *columns[piece], right=columns, whole=(corner,))
        for name, cells in lines.items():
            rows.add_row(name, *cells[piece])
        out.print(rows)


def _show_against(out: Console, book: Rulebook, other: Rulebook, compared: Comparison) -> None:
    _title(out, f"House edge here, and there in {other.slug}")
    numbers = ("Here", "There", "Difference")
    rows = table("Bet", *numbers, right=numbers)
    for here, there in compared.common.values():
        change = there.house_edge - here.house_edge
        rows.add_row(
            plain(here.bet.name),
            percent(here.house_edge),
            percent(there.house_edge),
            percent(change, sign=True) if change else "same",
        )
    out.print(rows)
    if not compared.changed:
        out.print("Every bet that both have is worth the same in both.")
    for slug, only in ((book.slug, compared.only_here), (other.slug, compared.only_there)):
        if only:
            out.print(f"Only {slug} has {', '.join(only)}.")
    same: dict[str, list[str]] = {}
    for letter, differing in compared.layouts.items():
        same.setdefault(_layouts(book, other, differing), []).append(letter)
    for told, letters in same.items():
        out.print(f"Layout {', '.join(letters)}: {told}.")


def _layouts(book: Rulebook, other: Rulebook, change: LayoutChange) -> str:
    here, there = change.here, change.there
    if here is None or there is None:
        return f"only in {(other if here is None else book).slug}, with {', '.join(here or there or ())}"
    told = [
        f"{where} also {', '.join(more)}"
        for where, more in (
            ("here", [name for name in here if name not in there]),
            ("there", [name for name in there if name not in here]),
        )
        if more
    ]
    return "; ".join(told) or "the same bets in another order"


def _show_offers(out: Console, found: Sequence[OfferValue], *, chance: bool) -> None:

    groups: dict[tuple[str, int], list[OfferValue]] = {}
    for one in found:
        groups.setdefault((one.offer.hand.label, one.offer.window), []).append(one)
    numbers = ("Player", "Banker", *(("Chance",) if chance else ()), "Wins", "Push", "Value")
    for (hand, window), members in groups.items():
        rules = cited(dict.fromkeys(rule for one in members for rule in one.offer.rules))
        _title(out, f"{hand} insurance, window {window}: {WINDOWS[window]}  {rules}")
        rows = table("Player", "Banker", "Pays", *numbers[2:], "Favours", right=numbers)
        for one in members:
            rows.add_row(
                str(one.player),
                str(one.banker),
                one.offer.odds.text,
                *((percent(one.probability),) if chance else ()),
                percent(one.chance("win")),
                percent(one.chance("push")) if one.push else "",
                percent(one.ev, sign=True) if one.rounds else "never",
                f"[bold green]{one.favours}[/]" if one.favours == "player" else one.favours,
            )
        out.print(rows)
    if found:
        told = "Chance: that the offer comes up. " if chance else ""
        out.print(
            f"[dim]Percent; points when offered. {told}Value: per unit of the stake, once it is offered.[/]"
        )
        good = sum(one.favours == "player" for one in found)
        out.print(
            f"{good} of {len(found)} offers favour the player." if good else "No offer favours the player."
        )
