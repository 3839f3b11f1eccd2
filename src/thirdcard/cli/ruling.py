"""`thirdcard ruling`: what to do about an irregularity, by the paragraph."""

import sys
from typing import Annotated, Literal

import typer

from thirdcard.cards import parse_card
from thirdcard.cli.options import Folders, Json, Slug, leave_out
from thirdcard.cli.output import cited, console, plain, print_answer, print_json, table
from thirdcard.errors import BadInput
from thirdcard.play.bets import standing
from thirdcard.rulebook import Rulebook, load
from thirdcard.rulebook.lookup import find_layout
from thirdcard.rulebook.rulings import QUESTIONS, RulingAnswer, list_cases, rule_on
from thirdcard.rulebook.trace import interpretations
from thirdcard.table.ranks import ranks_that_may
from thirdcard.words import ENGLISH, words
from thirdcard.words.telling import facts, ranks, remedy

YesNo = bool | None
UNSEEN = "??"


def ruling(  # noqa: PLR0913, PLR0917 - each is a fact that may matter
    slug: Slug,
    case: Annotated[str | None, typer.Argument(help="The irregularity; all are listed if left out.")] = None,
    noticed: Annotated[
        Literal["bets-open", "bets-closed", "settled", "next-round"] | None,
        typer.Option(help="When it was noticed."),
    ] = None,
    stage: Annotated[
        Literal["initial-deal", "after-initial-deal"] | None, typer.Option(help="How far the deal was.")
    ] = None,
    card_drawn: Annotated[
        YesNo, typer.Option("--card-drawn/--no-card-drawn", help="A card of the round has been drawn.")
    ] = None,
    outcome_established: Annotated[
        YesNo,
        typer.Option(
            "--outcome-established/--no-outcome", help="Some bet is already won or lost, or none is."
        ),
    ] = None,
    reconstructable: Annotated[
        YesNo, typer.Option("--reconstructable/--not-reconstructable", help="The cards can be reconstructed.")
    ] = None,
    order_known: Annotated[
        YesNo, typer.Option("--order-known/--order-unknown", help="The order of the cards is known.")
    ] = None,
    values_known: Annotated[
        YesNo, typer.Option("--values-known/--values-unknown", help="The cards' values can be found out.")
    ] = None,
    still_on_offer: Annotated[
        YesNo,
        typer.Option(
            "--still-on-offer/--not-on-offer", help="The window can still be offered in the ordinary way."
        ),
    ] = None,
    layout: Annotated[str | None, typer.Option(help="With --cards: the layout whose bets count.")] = None,
    cards: Annotated[
        str | None,
        typer.Option(help="Cards in the order drawn, ?? unseen: settles whether an outcome is established."),
    ] = None,
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """The cases a rulebook knows, or the ruling on one.

    Facts that matter are asked for at a terminal; elsewhere every ruling that is left is shown.
    """
    book = load(slug)
    given: dict[str, str | bool | None] = {
        "noticed": noticed,
        "stage": stage,
        "card_drawn": card_drawn,
        "outcome_established": outcome_established,
        "reconstructable": reconstructable,
        "order_known": order_known,
        "values_known": values_known,
        "still_on_offer": still_on_offer,
    }
    if cards is None:
        leave_out("only --cards are looked at with it", {"--layout": layout is not None})
    if case is None:
        facts = {f"--{name.replace('_', '-')}": value is not None for name, value in given.items()}
        leave_out("without a case all are listed", {**facts, "--cards": cards is not None})
        _list(book, json_output=json_output)
        return
    if cards is not None:
        leave_out("--cards settle that", {"--outcome-established": outcome_established is not None})
        given["outcome_established"] = bool(_establishing(book, layout, cards))
    answer = rule_on(book, case, {name: value for name, value in given.items() if value is not None})
    if not json_output and sys.stdin.isatty() and sys.stdout.isatty():
        answer = _ask(book, answer)
    if json_output:
        print_answer("ruling", book, answer)
    else:
        _show(book, answer)


def _establishing(book: Rulebook, layout: str | None, text: str) -> str:
    """The bet of the layout that these cards settle already, empty if there is none."""
    if layout is None:
        raise BadInput("whether an outcome is established depends on the bets on offer: give --layout too")
    known = tuple(None if word == UNSEEN else parse_card(word) for word in text.split())
    bets = find_layout(book, layout).bets
    return next((bet for bet in bets if standing(book.bets[bet], book.table_of_play, known).decided), "")


def _list(book: Rulebook, *, json_output: bool) -> None:
    if json_output:
        print_json(list_cases(book))
        return
    rows = table("Case", "Irregularity", "Paragraphs", title=book.slug, whole=("Case",))
    for procedure in book.procedures:
        rows.add_row(plain(procedure.case), plain(procedure.title), cited(procedure.rules))
    console().print(rows)


def _ask(book: Rulebook, answer: RulingAnswer) -> RulingAnswer:
    """Facts that still matter, one question at a time."""
    while answer.open_facts:
        name, values = next(iter(answer.open_facts.items()))
        if values == (False, True):
            value: str | bool = typer.confirm(QUESTIONS[name])
        else:
            choices = "/".join(map(str, values))
            value = typer.prompt(f"{QUESTIONS[name]} ({choices})")
            if value not in values:
                continue
        answer = rule_on(book, answer.case, {**answer.facts, name: value})
    return answer


def _show(book: Rulebook, answer: RulingAnswer) -> None:
    out, lexicon = console(), words(ENGLISH)
    titles = ranks(book, lexicon)
    out.print(f"[bold]{plain(answer.title)}[/]")
    for one in answer.rulings:
        when = facts(one.when, lexicon)
        out.print(f"\n{plain(when[:1].upper() + when[1:])}:" if when and len(answer.rulings) > 1 else "")
        for name in one.remedy:
            out.print(f"  {plain(remedy(name, lexicon))}")
        may = lexicon.choice(titles[rank] for rank in ranks_that_may(book, one.decides))
        out.print(f"  Decided by {plain(may)}.  {cited(one.rules)}")
    for kind, what in answer.bets.items():
        out.print(f"  {plain(f'{kind[:1].upper()}{kind[1:]}: {what}')}.")
    if answer.options:
        out.print(f"\nPlayers' options: {plain(', '.join(answer.options))}.")
    read = [
        interpretation
        for interpretation in interpretations()
        if interpretation.number in answer.interpretations
    ]
    if read:
        named = "; ".join(f"{reading.number} ({reading.title})" for reading in read)
        out.print(f"\nRead with interpretation {plain(named)}")
