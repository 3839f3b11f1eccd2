"""`thirdcard protect known`, `price` and `radar`: seen cards, options of rulings, stakes by the value."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer
from rich.console import Console

from thirdcard.cli.options import Decks, Folders, Json, Seen, Slug, leave_out
from thirdcard.cli.output import as_answer, cited, console, plain, print_answer, print_json, table
from thirdcard.errors import BadInput
from thirdcard.odds.composition import shoe
from thirdcard.protect.worths import Exposure, Knowledge, PriceAnswer, Priced, PricedCase, PricedReading
from thirdcard.rulebook import Rulebook, load
from thirdcard.rulebook.lookup import answered, usual_decks
from thirdcard.service.log.store import open_snapshot

if TYPE_CHECKING:
    from thirdcard.protect.radar import Followed, Radar, WatchedRound

WIDTH = 96
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


class WatchedTable(msgspec.Struct):
    """The table that was looked at; of a file there is none."""

    table: str


ZERO = {
    "no-choice": "nothing: nobody is given a choice",
    "before-the-cards": "nothing: before the first card every bet can be changed anyway",
    "as-ever": "nothing more than the offer that was due anyway",
    "discretion": "not by rule: a person decides",
    "unseen": "nothing: no card is seen",
}
GIVES = {
    "take-back": "take back",
    "bet-knowing": "bet knowing",
    "late-insurance": "insure late",
    "claim": "claim to have meant to insure",
}


OnlyBets = Annotated[list[str] | None, typer.Option(help="Only this bet; repeat for more.", metavar="NAME")]


def known(  # noqa: PLR0913, PLR0917 - these are the options people have
    slug: Slug,
    bet: OnlyBets = None,
    decks: Decks = None,
    seen: Seen = "",
    backs: Annotated[
        str, typer.Option(metavar="POINTS", help="Points whose backs can be told from the others.")
    ] = "6789",
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """What it is worth to know a card before betting: by place, a card gone, a deck or backs sorted."""
    from thirdcard.protect.known_cards import known as worth_of

    book = load(slug)
    with _busy("Counting every deal"):
        answer = worth_of(book, usual_decks(book, decks), seen, bet or None, _points(backs))
    if json_output:
        print_answer("protect-known", book, answer)
        return
    out = _wide()
    out.print(f"[bold]{plain(book.document.title)}[/]")
    out.print(f"What one known card is worth, {answer.decks} decks: percent of a unit, bet only when it pays")
    columns = ("Edge", "1", "2", "3", "4", "5", "6", "In six", "Gone", "All", "Sorted")
    rows = table("Bet", *columns, right=columns, whole=("Bet", *columns))
    rows.padding = (0, 1, 0, 0)
    for name, known_cards in sorted(
        answer.bets.items(), key=lambda item: -max(k.worth for k in item[1].places.values())
    ):
        rows.add_row(
            plain(book.bets[name].name),
            f"{float(-known_cards.value * 100):.2f}",
            *[_worth(known_cards.places[place].worth) for place in known_cards.places],
            *[
                _worth(told.worth)
                for told in (
                    known_cards.somewhere,
                    known_cards.gone,
                    known_cards.everything,
                    known_cards.sorted_deck,
                )
            ],
        )
    main = [_worth(knowledge.worth) for knowledge in answer.main.values()]
    if main:
        rows.add_row("Player or Banker", "", *main, *[""] * 4, end_section=True)
    rows.add_row(
        "The best bet", "", *[_worth(knowledge.worth) for knowledge in answer.best.values()], *[""] * 4
    )
    out.print(rows)
    if main:
        _show_main(out, answer.main)
    sorted_backs = answer.backs
    told = ", ".join(
        f"{count} {float(100 * knowledge.worth):.3f}%" for count, knowledge in sorted_backs.best.items()
    )
    out.print(
        f"Backs that tell {' '.join(map(str, sorted_backs.points))} from the rest, on the best bet, "
        f"by how many of the first cards are seen: {told}."
    )
    out.print(
        "[dim]1 to 6: the card at that place of the next round is known. In six: it is among the next six, "
        "nobody knows where. Gone: it has left the shoe. All: all six are known. Sorted: it comes from "
        "a deck in the order of a new one.[/]"
    )


def _points(text: str) -> tuple[int, ...]:
    """Digits, each once, and not all of them."""
    points = sorted({int(one) for one in text if one.isascii() and one.isdigit()})
    if not (text.isascii() and text.isdigit() and len(points) == len(text) < 10):  # noqa: PLR2004 - points there are
        raise BadInput(
            f"{text!r} are not points whose backs can be told: expected some of 0 to 9, such as 6789"
        )
    return tuple(points)


def _show_main(out: Console, main: dict[int, Knowledge]) -> None:
    """By equal places, in the order of the round."""
    alike: dict[Fraction, list[str]] = {}
    for place, knowledge in main.items():
        alike.setdefault(knowledge.worth, []).append(ORDINALS[place - 1])
    told = ", ".join(f"{' or '.join(places)} {float(100 * worth):.3f}%" for worth, places in alike.items())
    out.print(f"One known card, on Player or Banker, whichever pays: {told}.")


def price(  # noqa: PLR0913, PLR0917 - these are the options people have
    slug: Slug,
    case: Annotated[str | None, typer.Argument(help="One irregularity; all if left out.")] = None,
    decks: Decks = None,
    layout: Annotated[
        str | None, typer.Option(help="The layout whose bets establish an outcome [every bet].")
    ] = None,
    readings: Annotated[
        bool, typer.Option("--readings", help="Price the interpretations instead of the cases.")
    ] = False,
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """What the options of each irregularity are worth, by bet and by what lies open; or of each reading.

    thirdcard protect price mbs-tiger-v2 drawn-together
    """
    from thirdcard.protect.pricing import price as priced
    from thirdcard.protect.readings import readings as read

    book = load(slug)
    many = usual_decks(book, decks)
    left = shoe(book, many)
    if readings:
        leave_out(
            "--readings are of the whole rulebook",
            {"the case": case is not None, "--layout": layout is not None},
        )
    with _busy("Counting every deal"):
        cases = () if readings else priced(book, left, case, layout)
        other = read(book, left) if readings or (json_output and case is None) else ()
    if json_output:
        print_answer("protect-price", book, PriceAnswer(decks=many, cases=cases, readings=other))
    elif readings:
        _show_readings(book, many, other)
    elif case is None:
        _show_cases(book, many, cases)
    else:
        _show_case(book, many, cases[0])


def radar(  # noqa: PLR0913, PLR0917 - these are the options people have
    where: Annotated[
        str,
        typer.Argument(metavar="FILE|DATABASE", help="A file of rounds and stakes, or a database of tables."),
    ],
    rulebook: Annotated[
        str | None, typer.Option(help="Of a file: the rulebook that was played.", metavar="RULEBOOK")
    ] = None,
    decks: Annotated[int | None, typer.Option(help="Of a file: decks in the shoes [8].")] = None,
    tables: Annotated[
        list[str] | None, typer.Option("--table", help="Of a database: only this table; repeat for more.")
    ] = None,
    one_in: Annotated[
        int, typer.Option("--one-in", help="One false alarm in so many such looks.", min=2, max=10_000)
    ] = 100,
    seed: Annotated[int, typer.Option(help="The same seed reshuffles alike.")] = 1,
    teams: Annotated[
        bool, typer.Option("--teams/--alone", help="Look at companies of up to five too.")
    ] = True,
    _folders: Folders = None,
    json_output: Json = False,
) -> None:
    """Whose stakes follow the exact value of a bet, and how likely that is by chance.

    It names evidence and never a verdict. Files are CSV or JSON lines; docs/protect.md tells their form.
    """
    from thirdcard.protect.radar import Watch
    from thirdcard.protect.radar import radar as looked

    answers = []
    for name, book, many, rounds in _watched(where, rulebook, decks, tables or ()):
        with _busy(f"Looking at {name or 'the rounds'}"):
            watch = Watch(book, many, rounds, seed=seed)
            answers.append((name, book, looked(watch, one_in=one_in, teams=teams)))
    if json_output:
        named = [as_answer("protect-radar", book, WatchedTable(name), found) for name, book, found in answers]
        print_json(answered("protect-radar") | {"tables": named})
        return
    for name, book, found in answers:
        _show_radar(name, book, found)


def _watched(
    where: str, rulebook: str | None, decks: int | None, tables: list[str] | tuple[str, ...]
) -> Iterator[tuple[str, Rulebook, int, "list[WatchedRound]"]]:
    """Rounds by table of a database, or all of a file."""
    file = Path(where)
    if file.suffix.lower() in {".csv", ".jsonl", ".json", ".ndjson"}:
        from thirdcard.protect.watched_files import read_stakes

        leave_out("a file has no tables of a house", {"--table": bool(tables)})
        if rulebook is None:
            raise BadInput("a file does not say what was played: give --rulebook")
        book = load(rulebook)
        yield "", book, usual_decks(book, decks), list(read_stakes(file))
        return
    if rulebook is not None or decks is not None:
        raise BadInput("a database knows what was played: leave out --rulebook and --decks")
    from thirdcard.service.watched import tables_watched

    found = False
    with open_snapshot(where) as snapshot:
        for one in tables_watched(snapshot, tables):
            found = True
            yield one.table, one.book, one.decks, list(one.rounds)
    if not found:
        raise BadInput(f"{where} has no finished rounds" + (" at these tables" if tables else ""))


@contextmanager
def _busy(what: str) -> Iterator[None]:
    """Says on a terminal that work goes on."""
    if not sys.stderr.isatty():
        yield
        return

    with Console(stderr=True).status(f"{what} …"):
        yield


def _wide() -> Console:
    """As wide as the tables are, where nobody says how wide the paper is."""
    return console(WIDTH)


def _worth(worth: Fraction) -> str:
    if not worth:
        return "[dim]-[/]"
    return f"{float(worth * 100):.2f}"


def exposed(one: Exposure) -> str:
    """What lies open, in words."""
    if not one.known:
        return "no card"
    if one.together:
        return f"cards 1 to {one.known[-1]}, {one.together[0]} to {one.together[-1]} in an unknown order"
    if len(one.known) == 1:
        return f"card {one.known[0]}"
    open_cards = f"cards 1 to {one.known[-1]}"
    if one.decide == len(one.known):
        return open_cards
    return (
        f"{open_cards}, the first {one.decide} beyond doubt" if one.decide else f"{open_cards}, all in doubt"
    )


def _show_cases(book: Rulebook, decks: int, cases: tuple[PricedCase, ...]) -> None:
    out = _wide()
    out.print(f"[bold]{plain(book.document.title)}[/]")
    out.print(f"What the options of irregularities are worth, {decks} decks: percent of the stake, at most")
    rows = table(
        "Case", "Rule", "Option", "Bet", "Worth", "Seeing", right=("Worth", "Seeing"), whole=("Case",)
    )
    rows.padding = (0, 1, 0, 0)
    nothing: dict[str, list[str]] = {}
    for case in cases:
        most = case.most
        if most is None:
            for why in dict.fromkeys(why for ruling in case.rulings for why in ruling.zero) or ("unseen",):
                nothing.setdefault(why, []).append(case.case)
            continue
        name, worth = most.gaining[0]
        rows.add_row(
            case.case,
            cited(case.rules[:1]),
            f"{GIVES[most.gives]}, {exposed(most.exposure)}",
            plain(book.bets[name].name),
            _worth(worth.worth),
            _worth(worth.knowing),
        )
    out.print(rows)
    for why, named in nothing.items():
        out.print(f"Worth {ZERO[why]}: {', '.join(named)}.")
    out.print(
        "[dim]The dearest option of each case; Seeing is what the open cards add to taking a bet back blind. "
        "`thirdcard protect price RULEBOOK CASE` shows every option.[/]"
    )


def _show_case(book: Rulebook, decks: int, one: PricedCase) -> None:
    out = _wide()
    out.print(f"[bold]{plain(one.title)}[/] {cited(one.rules)}")
    out.print(
        f"[dim]{plain(book.document.title)}, {decks} decks; percent of the stake per round of the case.[/]"
    )
    for ruling in one.rulings:
        facts = "; ".join(
            ", ".join(f"{name.replace('_', ' ')}: {_said(value)}" for name, value in facts.items())
            for facts in ruling.facts
            if facts
        )
        out.print(f"\n{' + '.join(ruling.remedy)} {cited(ruling.rules)}")
        if facts:
            out.print(f"[dim]{plain(facts)}[/]")
        if ruling.zero:
            out.print(f"Worth {', '.join(ZERO[why] for why in ruling.zero)}.")
        for priced in ruling.options:
            _show_priced(book, priced, all_or_none=ruling.all_or_none)


def _show_priced(book: Rulebook, priced: Priced, *, all_or_none: bool) -> None:
    shown = priced.gaining
    head = f"{GIVES[priced.gives]}, {exposed(priced.exposure)}"
    if not shown:
        _wide().print(f"  {head}: nothing; every bet is decided, or an outcome is established")
        return
    told = ", ".join(f"{plain(book.bets[name].name)} {float(w.worth * 100):.2f}" for name, w in shown[:6])
    more = f" and {len(shown) - 6} more" if len(shown) > 6 else ""  # noqa: PLR2004 - as many as a line holds
    note = " (one choice for all bets)" if all_or_none and priced.gives == "take-back" else ""
    _wide().print(f"  {head}{note}: {told}{more}")


def _said(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _show_readings(book: Rulebook, decks: int, found: tuple[PricedReading, ...]) -> None:
    out = _wide()
    out.print(f"[bold]{plain(book.document.title)}[/]")
    out.print(f"What other readings would move, {decks} decks: units per million rounds, + to the player")
    rows = table("No.", "Reading", "Rival, or why none", "Moves", right=("No.",), whole=("No.",))
    for reading in found:
        moves = "\n".join(
            f"{move.bet}{f' ({move.case})' if move.case else ''}: {float(move.units):+,.0f}"
            + (" per case" if move.per == "case" else "")
            for move in reading.moves
        )
        rows.add_row(
            str(reading.number),
            plain(reading.title),
            plain(reading.rival or reading.why),
            moves or "0",
        )
    out.print(rows)


def _show_radar(name: str, book: Rulebook, found: "Radar") -> None:
    out = _wide()
    out.print(f"[bold]{plain(book.document.title)}[/]{f', table {plain(name)}' if name else ''}")
    out.print(
        f"{found.players} players and {found.looks - found.players} companies of them watched over "
        f"{found.shoes:,} shoes, {found.rounds:,} rounds; one false alarm in {found.one_in} such looks"
    )
    columns = ("Shoes", "Bets", "Λ", "Chance", "Of all", "Above 0", "Mean stake", "Expected")
    rows = table("Player", "Bet", *columns, right=columns)
    for followed in found.everybody:
        rows.add_row(
            f"[bold]{plain(' + '.join(followed.players))}[/]"
            if followed.beyond
            else plain(" + ".join(followed.players)),
            plain(book.bets[followed.bet].name),
            f"{followed.shoes}",
            f"{followed.bets}",
            f"{followed.statistic:.1f}",
            chance_told(followed),
            f"{followed.corrected:.1%}",
            f"{followed.bet_then} of {followed.worth_betting}",
            f"{followed.mean_stake_above / 100:,.0f} / {followed.mean_stake_below / 100:,.0f}",
            f"{followed.expected / 100:+,.0f}",
        )
    out.print(rows)
    out.print(
        "[dim]Chance: reshuffles as large. Of all: the chance that anybody watched reaches it. Above 0: bets "
        "in rounds worth betting. Mean stake: above 0 and below.[/]"
    )
    if found.unvaried:
        out.print(
            "Too few bets, or stakes that never varied, so that nothing can be said: "
            f"{plain(', '.join(found.unvaried))}"
        )
    beyond = sum(followed.beyond for followed in found.everybody)
    out.print(
        f"{beyond} beyond the line. [dim]Λ says that stakes follow the value, not why. Look again on new "
        "shoes before you act.[/]"
    )


def chance_told(one: "Followed") -> str:
    """How often reshuffles were as large."""
    if not one.as_large:
        return f"< 1 in {one.reshuffles:,}"
    return f"1 in {(one.reshuffles + 1) / (one.as_large + 1):,.0f}"
