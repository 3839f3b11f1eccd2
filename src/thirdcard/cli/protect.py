"""`thirdcard protect`: what counting can win from each bet, and where to cut."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from thirdcard.cli.long_runs import Checkpoint, ClusterAddress, Workers, carry_out
from thirdcard.cli.options import Commands, Decks, Folders, Json, OnlyLayout, Seed, Slug, leave_out
from thirdcard.cli.output import (
    check_folder,
    cited,
    console,
    interrupted,
    plain,
    print_answer,
    short,
    table,
    write_file,
)
from thirdcard.cli.protect_known import OnlyBets, known, price, radar
from thirdcard.errors import BadInput
from thirdcard.money import format_dollars, parse_dollars
from thirdcard.protect.protection import AtCut, BetAtCut, CountPlay, OffTheTop, Protection, Terms
from thirdcard.protect.tags import LEVELS, SIMPLE, read_tags

if TYPE_CHECKING:
    from thirdcard.protect.protect_run import ProtectRun

FARTHEST = 1000  # from zero that a trigger may be, and its finest part


class _RulebookFirst(Commands):
    """A group whose first word may be a rulebook: `protect SLUG …` is `protect perfect SLUG …`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - Typer's own copy of Click
        if args and args[0] not in {*self.commands, "--help", "-h"}:
            args = ["perfect", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_RulebookFirst,
    no_args_is_help=True,
    help="What those who watch the cards can win: `thirdcard protect RULEBOOK`, or one of these.",
)


app.command("known", no_args_is_help=True)(known)
app.command("price", no_args_is_help=True)(price)
app.command("radar", no_args_is_help=True)(radar)


def _money(told: str) -> Any:  # noqa: ANN401 - as Typer has it
    return typer.Option(help=told, rich_help_panel="Money", metavar="DOLLARS")


def _count(told: str, **more: Any) -> Any:  # noqa: ANN401 - as Typer has it
    return typer.Option(help=told, rich_help_panel="Counts", **more)


def _custom(told: str) -> Any:  # noqa: ANN401 - as Typer has it
    return typer.Option(help=told, rich_help_panel="Conventions")


@app.command("perfect", no_args_is_help=True)
def perfect(  # noqa: PLR0913, PLR0917 - these are the options people have
    slug: Slug,
    bet: OnlyBets = None,
    layout: OnlyLayout = None,
    decks: Decks = None,
    cut: Annotated[
        str | None, typer.Option(metavar="N,N,...", help="Cards behind the cut card [14,26,52,78,104].")
    ] = None,
    shoes: Annotated[
        int | None, typer.Option(help="Shoes to deal; with --error the most of them [4000].")
    ] = None,
    error: Annotated[
        float | None,
        typer.Option(
            metavar="UNITS", help="Deal until every bet is known within this standard error a shoe."
        ),
    ] = None,
    seed: Seed = 1,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    checkpoint: Checkpoint = None,
    level: Annotated[str | None, _count("The largest tag: 1, 2, 3 or free [the better of 1 and 2].")] = None,
    count: Annotated[bool, _count("Show the counts of levels 1, 2 and 3.")] = False,
    tags: Annotated[
        str | None, _count("Anybody's count: ten tags, ace to ten, or thirteen.", metavar='"T T ..."')
    ] = None,
    trigger: Annotated[str | None, _count("Bet from this count on [the one that wins most].")] = None,
    decks_left: Annotated[
        str, _count("Decks left, seen exact, half or whole; none: a running count.")
    ] = "exact",
    together: Annotated[
        list[str] | None, typer.Option(metavar="NAME,NAME", help="Bets made at once; repeat for more.")
    ] = None,
    burn: Annotated[str, _custom("nothing, a number of cards unseen, or first-card.")] = "nothing",
    ending: Annotated[str, _custom("cut-card; one-more round after it, or always-one-more.")] = "cut-card",
    maximum: Annotated[str, _money("The most on one box.")] = "1000",
    bankroll: Annotated[str, _money("What an attacker can lose.")] = "100000",
    boxes: Annotated[int, typer.Option(help="Boxes at the maximum.", rich_help_panel="Money")] = 1,
    rounds_per_hour: Annotated[int, typer.Option(help="Rounds an hour.", rich_help_panel="Money")] = 70,
    tolerance: Annotated[
        float, typer.Option(help="Units a shoe that a bet may be worth.", rich_help_panel="Money")
    ] = 0.05,
    hourly_tolerance: Annotated[str, _money("What a bet may be worth an hour.")] = "50",
    where: Annotated[bool, typer.Option("--where", help="Show where to cut.")] = False,
    insurance: Annotated[
        bool, typer.Option("--insurance", help="What insurance is worth, by the cards left.")
    ] = False,
    show_all: Annotated[bool, typer.Option("--all", help="Every bet, also those worth little.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the report, one HTML file made to be printed.")
    ] = None,
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """What perfect play and simple counts win from each bet at each cut.

    thirdcard protect mbs-tiger-v2 --cut 14,52 --shoes 20000

    thirdcard protect mbs-tiger-v2 --bet big-tiger --tags "0 0 -1 -1 -1 -2 1 2 2 0" --trigger 8
    """
    from thirdcard.protect.asking import Question, prepare
    from thirdcard.protect.measures import protection
    from thirdcard.simulate.saved_run import find_rulebook

    check_folder(out)
    book = find_rulebook(slug, checkpoint)
    if tags is not None and (level is not None or count):
        raise BadInput("--tags is a count of its own: leave out --level and --count")
    if count:
        leave_out("--count shows every level", {"--level": level is not None})
    if json_output:
        leave_out("--json has all of it", {"--where": where, "--all": show_all})
    terms = Terms(
        maximum=parse_dollars(maximum),
        bankroll=parse_dollars(bankroll),
        boxes=boxes,
        rounds_per_hour=rounds_per_hour,
        tolerance=tolerance,
        an_hour=parse_dollars(hourly_tolerance),
    )
    asked = Question(
        bets=tuple(bet or ()),
        layout=layout,
        decks=decks,
        cuts=() if cut is None else _cuts(cut),
        shoes=shoes,
        error=error,
        seed=seed,
        levels=_levels(level, every=count),
        tags=None if tags is None else read_tags(tags),
        trigger=None if trigger is None else _true_count(trigger),
        decks_left=decks_left,
        together=tuple([tuple(one.split(",")) for one in together or ()]),
        burn=burn,
        ending=ending,
        insurance=insurance,
    )
    run = prepare(book, asked)
    outcome = carry_out(run, workers, cluster, checkpoint)
    if not outcome.done:
        raise interrupted("interrupted before the first shoes were dealt: there is nothing to report")
    sheet = protection(run, outcome, terms)
    if out is not None:
        from thirdcard.protect.sheet import whole
        from thirdcard.web.pages.protect import report

        write_file(out, report(book, sheet.decks, whole(run, sheet)))
    if json_output:
        print_answer("protect", book, sheet)
    else:
        _show(run, sheet, counts=count or tags is not None, where=where, everything=show_all)
    if sheet.partial:
        raise interrupted()


def _cuts(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise BadInput(f"{text!r} are not cuts: expected whole numbers such as 14,26,52")
    return tuple([int(part) for part in parts])


def _levels(level: str | None, *, every: bool) -> tuple[str, ...]:
    if level is None:
        return ("1", "2", "3") if every else SIMPLE
    if level not in LEVELS:
        raise BadInput(f"there is no level {level!r}: expected {', '.join(LEVELS)}")
    return (level,)


def _true_count(text: str) -> Fraction:
    try:
        given = Fraction(text)
    except (ValueError, ZeroDivisionError):
        given = None
    if given is None or abs(given) > FARTHEST or given.denominator > FARTHEST:
        raise BadInput(f"{text!r} is not a true count: expected a number such as 8 or 7.5")
    return given


# --- what it prints ---------------------------------------------------------------------------------------


WIDTH = 88
FIRST, SMALL, NOTHING = 14, 0.005, 0.0005  # bets listed without --all; what is shown as <0.01, and as 0.00
BOUNDS = ((0.25, "bold yellow"), (0.1, "yellow"), (0.05, ""), (0.0, "dim"))
FEW = 3  # offers listed without --all
AFTER = {1: "after four cards", 2: "after the Player's third card"}
SHORT = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T")


def _show(run: "ProtectRun", found: Protection, *, counts: bool, where: bool, everything: bool) -> None:
    out = console(WIDTH)
    out.width = min(out.width, WIDTH)
    _headline(out, run, found)
    _overview(out, run, found, everything=everything)
    if counts:
        for name in run.bets:
            _counts(out, run, found, name)
    if found.insurance:
        _insurance(out, found, found.insurance, everything=everything)
    if where:
        _where(out, run, found)


def _headline(out: Console, run: "ProtectRun", found: Protection) -> None:
    out.print(f"[bold]{plain(run.book.document.title)}[/] [dim]({short(run.digest)})[/]")
    out.print(f"What counting can win, {found.decks} decks, perfect play")
    customs = [f"burn {found.burn}"] if found.burn != "nothing" else []
    customs += [f"ending {found.ending}"] if found.ending != "cut-card" else []
    terms = ", ".join([f"{found.shoes:,} shoes", f"seed {found.seed}", *customs])
    out.print(f"[dim]{terms}; every bet valued exactly before every round.[/]")
    short_of = found.error_asked is not None and found.largest_error > found.error_asked
    if found.partial and not short_of:
        out.print(
            f"[yellow]Interrupted:[/] this is the result of the first {found.shoes:,} of "
            f"{found.shoes_asked:,} shoes."
        )
    if short_of:
        why = "Interrupted" if found.partial else "These were all of --shoes"
        out.print(
            f"[yellow]{why}:[/] the largest standard error is {found.largest_error:.4f} units a shoe, "
            f"not {found.error_asked:g}."
        )


def _overview(out: Console, run: "ProtectRun", found: Protection, *, everything: bool) -> None:
    cuts = sorted(found.cuts, key=int)
    first = found.cuts[cuts[0]]
    columns = ("Edge", *cuts, "±", "Bets", "When", "Safe")
    rows = table("Bet", *columns, right=columns, whole=("Bet", *columns))
    rows.padding = (0, 1, 0, 0)
    worth = sorted(run.bets, key=lambda name: -first.bets[name].perfect.units_per_shoe)
    listed = worth if everything else worth[:FIRST]
    for name in listed:
        perfect = first.bets[name].perfect
        rows.add_row(
            plain(found.bets[name].name),
            f"{found.bets[name].house_edge:.2%}"[:-1],
            *[_units(found.cuts[cut].bets[name].perfect.units_per_shoe) for cut in cuts],
            f"{perfect.error:.3f}",
            f"{perfect.frequency:.2%}"[:-1],
            f"{100 * perfect.average_edge:+.1f}" if perfect.frequency else "",
            _safe(found, name, int(cuts[0])),
        )
    out.print(rows)
    rest = worth[len(listed) :]
    if rest:
        most = first.bets[rest[0]].perfect.units_per_shoe
        out.print(f"  [dim]… {len(rest)} more, {most:.2f} or less: --all[/]")
    _teams(out, run, found, first)
    out.print(
        f"[dim]Edge, Bets, When: percent. {cuts[0]} to {cuts[-1]}: units a shoe with so many cards behind "
        f"the cut card, ± the standard error at {cuts[0]}. Bets: share of rounds with a value above 0, and "
        f"When: the value then, at cut {cuts[0]}. Safe: the fewest cards that keep it at "
        f"{found.terms.tolerance:g} units a shoe; --tolerance sets another.[/]"
    )


def _teams(out: Console, run: "ProtectRun", found: Protection, at: AtCut) -> None:
    """The layout that is worth most to a team, and all bets that were named together."""
    layouts = [name for name in at.teams if name in run.book.layouts]
    best = max(layouts, key=lambda name: at.teams[name].units_per_shoe, default=None)
    for name, team in at.teams.items():
        if name == best or name not in layouts:
            who = f"A team on every bet of layout {name}" if name == best else f"{name} at once"
            out.print(
                f"  {plain(who)}: {team.units_per_shoe:.2f} units a shoe ± {team.error:.3f}, in "
                f"{team.frequency:.1%} of rounds,\n  {format_dollars(team.hourly)} an hour at "
                f"{format_dollars(found.terms.maximum)}"
            )


def _units(amount: float) -> str:
    """Two digits; a little is told from nothing."""
    style = next((style for bound, style in BOUNDS if amount > bound), "dim")
    digits = "0.00" if abs(amount) < NOTHING else "<0.01" if 0 < amount <= SMALL else f"{amount:.2f}"
    return f"[{style}]{digits}[/]" if style else digits


def _safe(found: Protection, name: str, least: int) -> str:
    cut = found.bets[name].safe_cut
    return "none" if cut is None else f"≤{least}" if cut == least else str(cut)


def _counts(out: Console, run: "ProtectRun", found: Protection, name: str) -> None:
    cut = min(found.cuts, key=int)
    at: BetAtCut = found.cuts[cut].bets[name]
    bet = run.book.bets[name]
    odds = ", ".join([tier.odds.text for tier in bet.pays])
    out.print(f"\n[bold]{plain(bet.name)}[/], {plain(odds)}  {cited(bet.pays[0].rules)}")
    if not at.counts:
        out.print("  No card that leaves changes it more than another: no count follows it.")
        return
    shown = (
        SHORT
        if all(len({count.tags[r] for r in "TJQK"}) == 1 for count in at.counts)
        else tuple(at.count.tags)
    )
    right = (*shown, "From", "Units", "±", "Bets", "Of perfect")
    rows = table("Count", *right, right=right, whole=("Count", *right))
    rows.padding = (0, 1, 0, 0)
    for play in at.counts:
        rows.add_row(
            "given"
            if play.level == "given"
            else f"level {play.level}"
            if play.level.isdigit()
            else play.level,
            *[f"{play.tags[rank]:+d}" if play.tags[rank] else "0" for rank in shown],
            "none" if play.trigger is None else f"{play.trigger:+g}",
            f"{play.units_per_shoe:.3f}",
            f"{play.error:.3f}",
            f"{play.frequency:.2%}"[:-1],
            f"{play.efficiency:.0%}",
        )
    rows.add_row(
        "perfect",
        *[""] * (len(shown) + 1),
        f"{at.perfect.units_per_shoe:.3f}",
        f"{at.perfect.error:.3f}",
        f"{at.perfect.frequency:.2%}"[:-1],
    )
    out.print(rows)
    chosen = any(count.triggers > 1 for count in run.counts)
    out.print(f"[dim]At cut {cut}. {_told(at.count, chosen=chosen)}[/]")
    turns = found.bets[name].turns
    if turns:
        out.print(
            f"Positive for the first time with {turns.median} cards left (median), "
            f"in {turns.share:.0%} of shoes at all."
        )
    perfect = at.perfect
    out.print(
        f"Perfect play: deviation {perfect.sd_per_100:.1f} units in 100 rounds, desirability "
        f"{perfect.desirability:.2f}, {format_dollars(perfect.hourly)} an hour at "
        f"{format_dollars(found.terms.maximum)}; ruin of {format_dollars(found.terms.bankroll)}: "
        f"{perfect.ruin:.1%}."
    )


def _told(count: CountPlay, *, chosen: bool) -> str:
    how = {
        "exact": "true count, cards left are counted",
        "half": "true count, decks left to a half",
        "whole": "true count, decks left to a whole",
        "none": "running count, not divided",
    }
    measured = " Triggers were chosen on one half of the shoes, measured on the other." if chosen else ""
    return f"From: {how[count.decks_left]}.{measured}"


def _insurance(out: Console, found: Protection, top: OffTheTop, *, everything: bool) -> None:
    heading = f"{len(top.favourable)} of {top.offers} insurance offers favour the player off the top"
    out.print(f"\n[bold yellow]{heading}[/]")
    listed = top.favourable if everything else top.favourable[:FEW]
    for offer in listed:
        out.print(
            f"  {offer.hand.title():6} insured, {AFTER[offer.window]}  Player {offer.player}  "
            f"Banker {offer.banker}  {plain(offer.odds)}  [yellow]{offer.ev:+.2%}[/]  {cited(offer.rules)}"
        )
    if len(listed) < len(top.favourable):
        out.print(f"  [dim]… {len(top.favourable) - len(listed)} more: --all[/]")
    right = ("Cut", "Offers", "Good", "Edge", "Adds", "Bet and all", "Units", "±", "At most", "Bets", "From")
    rows = table("Hand", *right, right=right, whole=("Hand", *right))
    rows.padding = (0, 1, 0, 0)
    for cut in sorted(found.cuts, key=int):
        for hand, insured in found.cuts[cut].insurance.items():
            rows.add_row(
                hand.title(),
                cut,
                f"{100 * insured.offers:.1f}",
                f"{100 * insured.favourable:.1f}",
                f"{100 * insured.edge:+.2f}",
                f"{100 * insured.insurance:+.3f}",
                f"{100 * insured.every_round:+.3f}",
                f"{insured.units_per_shoe:.3f}",
                f"{insured.error:.3f}",
                f"{insured.at_most:.3f}",
                f"{100 * insured.frequency:.2f}",
                f"{100 * insured.from_value:.2f}",
            )
    out.print(rows)
    out.print(
        "[dim]All but Cut, Units and At most: percent. Offers: of rounds; Good: of offers, those worth more "
        "than zero by the cards left, which are bought to the cap; Edge: on what is staked on them; Adds: to "
        "a bet on the hand in every round, which then comes to Bet and all. Units a shoe are those of one "
        "way to play: betting the hand only when its own value is above From, chosen on one half of the "
        "shoes. At most: no choice of rounds wins more, not even by who knows which offers will come.[/]"
    )


def _where(out: Console, run: "ProtectRun", found: Protection) -> None:
    where = found.where
    terms = found.terms
    out.print(
        f"\n[bold]Where to cut[/], at most {format_dollars(terms.maximum)} on a box, {terms.boxes} of them, "
        f"{terms.rounds_per_hour} rounds an hour"
    )
    right = ("Cut", "Rounds a shoe", "Kept", "Units a shoe", "An hour")
    rows = table(*right[:3], "Worth most", *right[3:], right=right, whole=(*right, "Worth most"))
    for row in where.rows:
        rows.add_row(
            str(row.cut),
            f"{row.rounds_per_shoe:.1f}",
            f"{row.rounds_kept:.0%}",
            plain(run.book.bets[row.bet].name),
            _units(row.units_per_shoe),
            format_dollars(row.hourly),
        )
    out.print(rows)
    for safe in where.by_maximum:
        verdict = (
            "half the shoe is not enough"
            if safe.cut is None
            else f"cut at {safe.cut} or more, {safe.rounds_kept:.0%} of rounds kept"
        )
        out.print(f"  At most {format_dollars(safe.maximum)} on a box: {verdict}")
    out.print(
        f"[dim]So that no bet is worth more than {format_dollars(where.tolerance)} an hour; "
        "--hourly-tolerance sets another.[/]"
    )
