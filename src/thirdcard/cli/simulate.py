"""`thirdcard simulate`: rounds by the billion, or sessions with a betting plan."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thirdcard.cli.long_runs import MILLION, Checkpoint, ClusterAddress, Workers, carry_out
from thirdcard.cli.options import Decks, Folders, Json, Seed, Slug, leave_out
from thirdcard.cli.output import console, interrupted, plain, print_answer, short, table
from thirdcard.errors import BadInput
from thirdcard.money import format_dollars, parse_dollars, parse_stakes
from thirdcard.rulebook.lookup import usual_decks

if TYPE_CHECKING:
    from thirdcard.simulate import RunOutcome, SessionRun, SimulatedBets, Summary, TallyRun
    from thirdcard.simulate.shoe_run import ShoeRun

ROUNDS = 10_000_000
SESSION_ROUNDS = 500
SESSIONS = 10_000
MOST_ROUNDS_PER_HOUR = 10_000
WHOLE_DOLLARS = 10_000  # cents; from here on they are left out
ENDED = {
    "rounds": "after all rounds",
    "target": "at the target",
    "floor": "at the floor",
    "ruin": "in ruin",
    "ahead": "ahead",
}


def _session(told: str, **more: Any) -> Any:  # noqa: ANN401 - as Typer has it
    return typer.Option(help=told, rich_help_panel="Sessions", **more)


def _dollars(told: str) -> Any:  # noqa: ANN401 - as Typer has it
    return _session(told, metavar="DOLLARS")


def simulate(  # noqa: PLR0913, PLR0917 - these are the options people have
    slug: Slug,
    rounds: Annotated[
        int | None, typer.Option(help="Rounds to play [10,000,000]; in a session at most [500].")
    ] = None,
    decks: Decks = None,
    cut: Annotated[int, typer.Option(help="The cut card lies so many cards from the end.")] = 14,
    seed: Seed = 1,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    checkpoint: Checkpoint = None,
    plan: Annotated[
        str | None,
        _session("flat, proportional, martingale, paroli, labouchere, dalembert, 1-3-2-6, follow, oppose."),
    ] = None,
    ladder: Annotated[
        Path | None, _session("A plan of your own: the steps of a ladder, a TOML file.", metavar="FILE")
    ] = None,
    strategy: Annotated[
        str | None,
        _session("A plan of your own: a Python function of what a player knows.", metavar="FILE.py[:NAME]"),
    ] = None,
    sessions: Annotated[int | None, _session("Sessions to play [10,000].")] = None,
    bet: Annotated[
        str | None,
        _session(
            "Player, Banker or any bet; follow or oppose: the last winner. Banker if left out. "
            "With --strategy those it chooses from, separated by commas."
        ),
    ] = None,
    unit: Annotated[str | None, _dollars("The plan's unit [10].")] = None,
    bankroll: Annotated[str | None, _dollars("What a session begins with [1,000].")] = None,
    side: Annotated[
        list[str] | None, _session("A side bet every round; repeat for more.", metavar="NAME=DOLLARS")
    ] = None,
    insurance: Annotated[
        str | None, _session("never, always, or positive: only when its exact value is. Never if left out.")
    ] = None,
    layout: Annotated[
        str | None, _session("The layout's letter; the first that offers the bets if left out.")
    ] = None,
    minimum: Annotated[str | None, _dollars("The table's minimum.")] = None,
    maximum: Annotated[str | None, _dollars("The table's maximum.")] = None,
    differential: Annotated[str | None, _dollars("The table's maximum differential.")] = None,
    chip_unit: Annotated[str | None, _dollars("Every stake is a multiple of it [1].")] = None,
    target: Annotated[str | None, _dollars("A session stops with so much.")] = None,
    floor: Annotated[str | None, _dollars("A session stops with so little.")] = None,
    line: Annotated[str | None, _session("The line of a labouchere plan [1,2,3,4].")] = None,
    share: Annotated[str | None, _session("The share of a proportional plan [1/50].")] = None,
    rounds_per_hour: Annotated[int | None, _session("For the cost of an hour [70].")] = None,
    plot: Annotated[Path | None, _session("Draw a picture: .svg or .png.", metavar="FILE")] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write every session, or every bet, as a table: .parquet, .arrow, .csv or .jsonl.",
        ),
    ] = None,
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """Deal whole shoes to the cut card and say what every bet is worth; with a plan, play sessions.

    thirdcard simulate mbs-tiger-v2 --rounds 1000000000

    thirdcard simulate mbs-tiger-v2 --plan martingale --unit 10 --bankroll 1000 --plot sessions.svg

    thirdcard simulate mbs-tiger-v2 --strategy my.py:count --bet banker,player --out sessions.parquet
    """
    from thirdcard.simulate import SessionRun, Stakes, TallyRun
    from thirdcard.simulate.saved_run import find_rulebook

    words = {"plan": plan, "bet": bet, "insurance": insurance, "layout": layout, "share": share}
    amounts = {
        "unit": unit,
        "bankroll": bankroll,
        "chip_unit": chip_unit,
        "minimum": minimum,
        "maximum": maximum,
        "differential": differential,
        "target": target,
        "floor": floor,
    }
    others = {
        "sessions": sessions,
        "side": side,
        "line": line,
        "hour": rounds_per_hour,
        "plot": plot,
        "ladder": ladder,
        "strategy": strategy,
    }
    if out is not None:
        from thirdcard.data.files import check_sink

        check_sink(out)
    book = find_rulebook(slug, checkpoint)
    shoe: dict[str, Any] = {"rulebook": book, "decks": usual_decks(book, decks), "cut": cut, "seed": seed}
    if all(value is None for value in (*words.values(), *amounts.values(), *others.values())):
        tally = TallyRun(**shoe, rounds=ROUNDS if rounds is None else rounds)
        _report_tally(tally, carry_out(tally, workers, cluster, checkpoint), out=out, json_output=json_output)
        return
    chosen = plan or ("a ladder" if ladder else "a strategy" if strategy else "flat")
    leave_out(
        f"{chosen} has none",
        {
            "--line": line is not None and chosen != "labouchere",
            "--share": share is not None and chosen != "proportional",
        },
    )
    given: dict[str, Any] = {name: value for name, value in words.items() if value is not None}
    given |= {name: parse_dollars(value) for name, value in amounts.items() if value is not None}
    if line is not None:
        given["line"] = _line(line)
    given |= _own_plan(plan, bet, ladder, strategy)
    if strategy is not None and cluster is not None:
        raise BadInput("a strategy of your own is played on this machine: leave out --cluster")
    run = SessionRun(
        **shoe,
        rounds=SESSION_ROUNDS if rounds is None else rounds,
        sessions=SESSIONS if sessions is None else sessions,
        stakes=Stakes(side=parse_stakes(side or ()), **given),
    )
    _play_sessions(
        run,
        lambda: carry_out(run, workers, cluster, checkpoint),
        rounds_per_hour=70 if rounds_per_hour is None else rounds_per_hour,
        plot=plot,
        out=out,
        json_output=json_output,
    )


def _own_plan(plan: str | None, bet: str | None, ladder: Path | None, strategy: str | None) -> dict[str, Any]:
    """What a ladder or a strategy of one's own is to `Stakes`."""
    from thirdcard.simulate.own_strategies import read_strategy
    from thirdcard.simulate.session_plans import LADDER, OWN, read_ladder

    if sum(one is not None for one in (plan, ladder, strategy)) > 1:
        raise BadInput("--plan, --ladder and --strategy exclude each other: give one of them")
    if plan in (LADDER, OWN):
        raise BadInput(f"the plan {plan!r} is given by --ladder FILE or --strategy FILE.py")
    if ladder is not None:
        return {"plan": LADDER, "ladder": read_ladder(ladder)}
    if strategy is not None:
        among = tuple((bet or "banker").split(","))
        return {"plan": OWN, "strategy": read_strategy(strategy), "among": among, "bet": among[0]}
    return {}


def _line(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise BadInput(f"{text!r} is not a line: expected whole numbers such as 1,2,3,4")
    return tuple(int(part) for part in parts)


def _report_tally(run: "TallyRun", outcome: "RunOutcome", *, out: Path | None, json_output: bool) -> None:
    from thirdcard.simulate import SimulatedBets

    if not outcome.done:
        raise interrupted("interrupted before the first rounds were over: there is nothing to report")
    sheet = SimulatedBets(run, outcome)
    _write(out, sheet)
    if json_output:
        print_answer("simulate", run.book, sheet.answer())
    else:
        _show_tally(run, outcome, sheet)
    if outcome.partial:
        raise interrupted()


def _show_tally(run: "TallyRun", outcome: "RunOutcome", sheet: "SimulatedBets") -> None:
    answer, screen = sheet.answer(), console()
    _headline(run, outcome)
    screen.print(
        f"{sheet.rounds:,} rounds in {answer.seconds:.1f} s, "
        f"{answer.rounds_per_second / MILLION:.1f} million a second: "
        + ", ".join(f"{name.title()} {count / sheet.rounds:.3%}" for name, count in sheet.outcomes.items())
    )
    right = ("Per unit", "95% from", "to", "Exact", "Off by")
    rows = table("Bet", *right, right=right, whole=("Bet",))
    for name, estimate in sheet.items():
        exact = float(sheet.exact[name])
        off = (estimate.ev - exact) / estimate.error if estimate.error else 0.0
        rows.add_row(
            plain(run.book.bets[name].name),
            *(f"{value:+.6f}" for value in (estimate.ev, estimate.low, estimate.high, exact)),
            f"[dim]{off:+.1f} s.e.[/]",
        )
    screen.print(rows)
    screen.print("[dim]Exact is the first round of a fresh shoe; these shoes were dealt to the cut card.[/]")


def _write(out: Path | None, found: object) -> None:
    if out is not None:
        from thirdcard.data import write_table

        write_table(found, out)


def _headline(run: "ShoeRun", outcome: "RunOutcome") -> None:
    out = console()
    shoe = f"{run.decks} decks, cut card {run.cut} from the end, seed {run.seed}"
    out.print(f"[bold]{plain(run.book.document.title)}[/], {shoe} [dim]({short(run.digest)})[/]")
    if outcome.partial:
        out.print(
            f"[yellow]Interrupted:[/] this is the result of the first {run.size(outcome.done):,} "
            f"of {run.size(run.chunks):,} {run.unit}."
        )


def _play_sessions(  # noqa: PLR0913 - what is to be done with them
    run: "SessionRun",
    play: Callable[[], "RunOutcome"],
    *,
    rounds_per_hour: int,
    plot: Path | None,
    out: Path | None,
    json_output: bool,
) -> None:
    from thirdcard.simulate import SimulatedSessions
    from thirdcard.simulate.shoe_run import check_count

    check_count("rounds per hour", rounds_per_hour, MOST_ROUNDS_PER_HOUR)
    if plot is not None:
        from thirdcard.simulate.plot import check_file, draw, write

        check_file(plot)
    outcome = play()
    if not outcome.done:
        raise interrupted("interrupted before the first sessions were over: there is nothing to report")
    sheet = SimulatedSessions(run, outcome)
    summary = sheet.summary(rounds_per_hour)
    if plot is not None:
        write(plot, draw(run, sheet.fields, sheet.paths, summary))
    _write(out, sheet)
    if json_output:
        print_answer("simulate", run.book, sheet.dealt(summary.rounds), summary)
    else:
        _show_sessions(run, outcome, summary)
    if outcome.partial:
        raise interrupted()


def _show_sessions(run: "SessionRun", outcome: "RunOutcome", told: "Summary") -> None:
    from thirdcard.simulate.session_plans import OTHERS, PLANS, layout_for

    def dollars(cents: float, *, sign: bool = False) -> str:
        whole = round(cents) if abs(cents) < WHOLE_DOLLARS else round(cents / 100) * 100
        return format_dollars(whole, sign=sign)

    def signed(cents: float) -> str:
        return dollars(cents, sign=True)

    stakes = run.stakes
    out = console()
    _headline(run, outcome)
    out.print(
        f"{stakes.plan} ({(PLANS | OTHERS)[stakes.plan]}) on {' or '.join(stakes.among or (stakes.bet,))}, "
        f"layout {layout_for(run.book, stakes)}: "
        f"unit {dollars(stakes.unit)}, bankroll {dollars(stakes.bankroll)}"
    )
    out.print(
        f"{told.sessions:,} sessions, {told.rounds:,} rounds in {outcome.seconds:.1f} s, "
        f"{told.rounds / outcome.seconds / MILLION:.1f} million a second"
    )
    right = ("Mean", "95% from", "to", "5%", "Median", "95%")
    rows = table("A session's", *right, right=right, whole=("A session's",))
    for name, spread, write in (
        ("result", told.net, signed),
        ("drawdown", told.drawdown, dollars),
        ("turnover", told.turnover, dollars),
        ("rounds", told.rounds_played, lambda value: f"{value:,.0f}"),
    ):
        places = [spread.quantiles[place] for place in ("5%", "50%", "95%")]
        rows.add_row(name, *(write(value) for value in (spread.mean, spread.low, spread.high, *places)))
    out.print(rows)
    rows = table("Ended", "Sessions", *right[1:3], right=("Sessions", *right))
    for name, chance in (*told.ends.items(), ("ahead", told.ahead)):
        rows.add_row(
            ENDED[name], *(f"{value:.2%}" for value in (chance.probability, chance.low, chance.high))
        )
    out.print(rows)
    if stakes.insurance != "never":
        out.print(
            f"Insurance ({stakes.insurance}): {dollars(told.insured)} staked a session, "
            f"{signed(told.insurance_net)} won or lost"
        )
    out.print(
        f"Cost: {told.edge:.3%} of all that is staked, [bold]{dollars(told.cost_per_hour)} an hour[/] "
        f"at {told.rounds_per_hour} rounds"
    )
