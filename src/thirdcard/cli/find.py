"""`thirdcard find`: rounds by what people remember of them."""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from thirdcard.cli.options import Database, Json
from thirdcard.cli.output import console, plain, print_answer
from thirdcard.errors import BadInput
from thirdcard.money import format_dollars, parse_dollars
from thirdcard.rulebook import load, slugs
from thirdcard.service.log.store import open_snapshot
from thirdcard.service.log.store.model import JOURNAL

if TYPE_CHECKING:
    from thirdcard.service.queries.finding import RoundFound, RoundQuestion

MOST = 1_000


def find(  # noqa: PLR0913, PLR0917 - each is something that a person may remember
    where: Database,
    question: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORDS]...", help="In words: box 3 banker 500 yesterday about ten"),
    ] = None,
    at_table: Annotated[str, typer.Option("--table", metavar="ID", help="The table.")] = "",
    number: Annotated[int, typer.Option("--round", min=0, help="The number of the round.")] = 0,
    player: Annotated[str, typer.Option(metavar="NAME", help="Who staked.")] = "",
    box: Annotated[int, typer.Option(min=0, max=16, help="In which box.")] = 0,
    bet: Annotated[str, typer.Option(metavar="NAME", help="On what.")] = "",
    amount: Annotated[
        str, typer.Option(metavar="DOLLARS[-DOLLARS]", help="How much, or from how much to how much.")
    ] = "",
    outcome: Annotated[str, typer.Option(help="player, banker, tie or void.")] = "",
    case: Annotated[str, typer.Option(metavar="NAME", help="An irregularity.")] = "",
    rule: Annotated[str, typer.Option(metavar="PARAGRAPH", help="A paragraph that decided something.")] = "",
    staff: Annotated[str, typer.Option(metavar="NAME", help="Who dealt, ruled or supervised.")] = "",
    flag: Annotated[
        str, typer.Option(help="What made it significant: void, correction, ruling, dispute, large-win ...")
    ] = "",
    player_cards: Annotated[
        str, typer.Option(metavar='"CARDS"', help="The Player's cards, in any order.")
    ] = "",
    banker_cards: Annotated[str, typer.Option(metavar='"CARDS"', help="The Banker's.")] = "",
    since: Annotated[str, typer.Option(metavar="TIME", help="2026-11-16 or 2026-11-16T19:45.")] = "",
    until: Annotated[str, typer.Option(metavar="TIME", help="Before that time.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=MOST, help="At most so many, the latest.")] = 50,
    json_output: Json = False,
) -> None:
    """Find rounds by what happened in them; a server may run meanwhile. Status 1 if there is none."""
    from thirdcard.service.queries.finding import Findings, FoundRounds, RoundQuestion, find_rounds

    least, _, most = amount.partition("-")
    cards = {hand: text for hand, text in (("player", player_cards), ("banker", banker_cards)) if text}
    given = RoundQuestion(
        table=at_table,
        number=number,
        player=player,
        box=box,
        bet=bet,
        least=parse_dollars(least) if least else 0,
        most=parse_dollars(most or least) if amount else 0,
        outcome=outcome,
        case=case,
        rule=rule,
        staff=staff,
        flag=flag,
        cards=cards,
        since=_moment(since),
        until=_moment(until),
    )
    rounds = list["RoundFound"]()
    going_on = None
    with open_snapshot(where) as snapshot:
        questions = [given]
        if question:
            if given != RoundQuestion():
                raise BadInput("ask in words or by options, not both")
            questions = _in_words(" ".join(question), snapshot.heads())
        for round_question in questions:
            part = find_rounds(snapshot, round_question, limit=limit)
            while part.next and len(part.rounds) < limit:
                more = find_rounds(snapshot, round_question, after=part.next, limit=limit - len(part.rounds))
                part = Findings(rounds=[*part.rounds, *more.rounds], next=more.next)
            rounds += part.rounds
            going_on = going_on or part.next
    rounds.sort(key=lambda place: (place.at, place.table, place.number), reverse=True)
    if json_output:
        print_answer("find", None, FoundRounds(questions, rounds[:limit], more=bool(going_on)))
    else:
        _show(rounds[:limit], more=bool(going_on) or len(rounds) > limit)
    raise typer.Exit(0 if rounds else 1)


def _in_words(text: str, streams: Collection[str]) -> "list[RoundQuestion]":
    from thirdcard.service.queries.questions import HouseWords, asked

    books = [load(slug) for slug in slugs()]
    known = HouseWords(
        bets={f"{hand}-insurance" for hand in ("player", "banker")}
        | {name for book in books for name in book.bets},
        tables={*streams} - {JOURNAL},
        cases={procedure.case for book in books for procedure in book.procedures},
        now=datetime.now().astimezone(),
    )
    skipped: list[str] = []
    questions = asked(text, known, skipped)
    if skipped:
        typer.echo(f"not understood, and left out: {' '.join(skipped)}", err=True)
    return questions


def _moment(text: str) -> int:
    if not text:
        return 0
    try:
        return round(datetime.fromisoformat(text).astimezone().timestamp() * 1_000_000)
    except (ValueError, OverflowError, OSError):  # also the first and the last day of the calendar
        raise BadInput(f"“{text}” is no time: write it as 2026-11-16 or 2026-11-16T19:45") from None


def _show(found: "list[RoundFound]", *, more: bool) -> None:
    from thirdcard.service.queries.finding import told_cards

    if not found:
        console().print("No round fits.")
        return
    for place in found:
        when = datetime.fromtimestamp(place.at / 1e6, UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")
        points = f"{place.points['player']}:{place.points['banker']}" if place.points else ""
        cards = " | ".join(f"{hand[0].upper()} {told_cards(own)}" for hand, own in place.cards.items())
        head = [
            when,
            f"{place.table} round {place.number}",
            f"{place.outcome} {points}".strip(),
            cards,
        ]
        console().print(plain("  ".join(part for part in head if part)), style="bold")
        for stake in place.stakes:
            net = "" if stake.net is None else f", net {format_dollars(stake.net, sign=True)}"
            lay = f"box {stake.box}: {stake.player} {stake.bet} {format_dollars(stake.cents)}{net}"
            console().print(f"    {plain(lay)}")
        if besides := [*place.cases, *place.flags, *(f"by {name}" for name in place.staff)]:
            console().print(f"    {plain(', '.join(besides))}")
    if more:
        console().print("There are more: ask more closely, or with --limit.")
