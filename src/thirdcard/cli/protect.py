"""`thirdcard protect`: what counting can win from each bet, and where to cut."""

from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

from thirdcard.cli import protect_tables
from thirdcard.cli.long_runs import Checkpoint, ClusterAddress, Workers, carry_out
from thirdcard.cli.options import Commands, Decks, Folders, Json, Slug, leave_out
from thirdcard.cli.output import check_folder, print_answer, write_file
from thirdcard.cli.protect_known import OnlyBets, known, price, radar
from thirdcard.errors import BadInput
from thirdcard.money import parse_dollars
from thirdcard.protect.protection import Terms
from thirdcard.protect.tags import LEVELS, SIMPLE, read_tags

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
    layout: Annotated[str | None, typer.Option(help="Only the bets of this layout.")] = None,
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
    seed: Annotated[int, typer.Option(help="The same seed deals the same cards.")] = 1,
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
    from thirdcard.protect.measures import protection
    from thirdcard.protect.preparing import Question, prepare
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
        raise BadInput("interrupted before the first shoes were dealt: there is nothing to report")
    found = protection(run, outcome, terms)
    if out is not None:
        from thirdcard.protect.sheet import whole
        from thirdcard.web.pages.protect import report

        write_file(out, report(book, found.decks, whole(run, found)))
    if json_output:
        print_answer("protect", book, found)
        return
    protect_tables.show(run, found, counts=count or tags is not None, where=where, everything=show_all)


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
