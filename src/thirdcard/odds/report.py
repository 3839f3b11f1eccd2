"""One self-contained page: every figure of a rulebook with its charts, readable with no network."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape
from importlib.resources import files
from math import sqrt

from thirdcard.cards import Rank
from thirdcard.odds import charts
from thirdcard.odds.bets import Value, values
from thirdcard.odds.compare import by_decks, effects
from thirdcard.odds.composition import DEFAULT_DECKS, shoe
from thirdcard.odds.insurance import OfferValue, offers
from thirdcard.play.insurance import WINDOWS
from thirdcard.rulebook.model import Bet, Pairing, Rulebook, Side

HOW = (
    "Every chance is a whole number of ordered six-card draws over their total, so nothing is estimated; "
    "percentages are rounded to the digits shown. Paragraph numbers are those of the rulebook. "
    "Play money only."
)


def page(rulebook: Rulebook, decks: int = DEFAULT_DECKS) -> str:
    """The page as HTML text; a fresh shoe."""
    left = shoe(rulebook, decks)
    worth = values(rulebook, left)
    offered = offers(rulebook, left) if rulebook.insurance else ()
    title = rulebook.document.title
    body = [
        _head(rulebook, decks, left.sequences, worth, offered),
        "<main>",
        _edges(worth, decks),
        _insurance(rulebook, offered),
        _over_decks(rulebook, decks),
        _removal(worth, effects(rulebook, left), decks),
        _fractions(worth),
        "</main>",
        f"<footer><p>{HOW}</p></footer>",
    ]
    css = (files("thirdcard.odds") / "report.css").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}: exact odds, {decks} decks</title>\n<style>\n{css}</style>\n</head>\n"
        "<body>\n" + "\n".join(body) + "\n</body>\n</html>\n"
    )


def _percent(value: Fraction, digits: int = 4) -> str:
    return f"{float(value * 100):.{digits}f}"


def _signed(value: Fraction, scale: int, digits: int) -> str:
    shown = f"{float(value * scale):+.{digits}f}" if value else "0"
    return shown.replace("-", "\N{MINUS SIGN}")


def _cite(rules: Iterable[str]) -> str:
    return f'<span class="cite">{escape(", ".join(dict.fromkeys(rules)))}</span>'


def _table(caption: str, head: Sequence[str], rows: Iterable[str], kind: str = "") -> str:
    cells = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    return (
        f'<div class="scroll"><table class="{kind}"><caption>{escape(caption)}</caption>'
        f"<thead><tr>{cells}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _row(name: str, cells: Iterable[str], kind: str = "") -> str:
    """Cells are HTML already."""
    told = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr class="{kind}"><th scope="row">{escape(name)}</th>{told}</tr>'


def _head(
    rulebook: Rulebook, decks: int, sequences: int, worth: dict[str, Value], offered: Sequence[OfferValue]
) -> str:
    document = rulebook.document
    by_edge = sorted(worth.values(), key=lambda value: value.house_edge)
    facts = [
        ("Cheapest bet", f"{_percent(by_edge[0].house_edge)}%", by_edge[0].bet.name),
        ("Dearest bet", f"{_percent(by_edge[-1].house_edge)}%", by_edge[-1].bet.name),
        ("Bets", str(len(worth)), f"on {len(rulebook.layouts)} layouts"),
    ]
    if offered:
        good = sum(one.favours == "player" for one in offered)
        facts.append(("Insurance offers", str(len(offered)), f"{good} of them favour the player"))
    told = "".join(
        f"<div><dt>{escape(what)}</dt><dd>{escape(number)} <small>{escape(more)}</small></dd></div>"
        for what, number, more in facts
    )
    return (
        f'<header><div class="brand">thirdcard</div><h1>{escape(document.title)}</h1>'
        f'<p class="lead">{escape(document.operator)}, version {document.version}, in force from '
        f"{escape(document.effective)}. Exact odds of every bet for a fresh shoe of {decks} decks, "
        f'by counting {sequences:,} ordered draws of six cards.</p><dl class="facts">{told}</dl></header>'
    )


def _hue(bet: Bet) -> str:
    """The colour of the hand that a bet is on; gold where it is on neither alone."""
    sides = {winner for tier in bet.pays for winner in tier.when.winner}
    pairs = {tier.when.pair for tier in bet.pays}
    if pairs == {Pairing.PLAYER}:
        return "player"
    if pairs == {Pairing.BANKER}:
        return "banker"
    return sides.pop() if len(sides) == 1 else "none"


def _edges(worth: dict[str, Value], decks: int) -> str:
    ordered = sorted(worth.values(), key=lambda value: value.house_edge)
    chart = charts.bars(
        f"House edge of every bet, {decks} decks",
        [charts.Bar(value.bet.name, float(value.house_edge * 100), _hue(value.bet)) for value in ordered],
    )
    rows = []
    for value in ordered:
        tiers = value.bet.pays
        rows.append(
            _row(
                value.bet.name,
                (
                    tiers[0].odds.text if len(tiers) == 1 else "",
                    _percent(value.win),
                    _percent(value.push),
                    _percent(value.lose),
                    f"<strong>{_percent(value.house_edge)}</strong>",
                    f"{sqrt(value.variance):.4f}",
                    _cite(tiers[0].rules) if len(tiers) == 1 else "",
                ),
            )
        )
        if len(tiers) > 1:
            rows += [
                _row(
                    tier.tier.replace("-", " "),
                    (tier.odds.text, _percent(value.chance(tier.tier)), "", "", "", "", _cite(tier.rules)),
                    "tier",
                )
                for tier in tiers
            ]
    table = _table(
        "In percent; SD is the standard deviation for a stake of one",
        ("Bet", "Pays", "Wins", "Push", "Loses", "Edge", "SD", "Paragraph"),
        rows,
    )
    return (
        "<section><h2>House edge</h2><p>What the house keeps of a stake on average, cheapest bet first. "
        "Blue bars are bets on the Player, red on the Banker, green on a tie, gold on more than one of them."
        "</p>"
        f'<div class="two"><figure>{chart}</figure>{table}</div></section>'
    )


def _insurance(rulebook: Rulebook, offered: Sequence[OfferValue]) -> str:
    insurance = rulebook.insurance
    if insurance is None:
        return "<section><h2>Insurance</h2><p>This rulebook offers no insurance.</p></section>"
    groups = [
        (side, window, [one for one in offered if one.offer.hand is side and one.offer.window == window])
        for side in Side
        for window in WINDOWS
    ]
    wide = max(_columns(group) for _, _, group in groups)
    maps = [_heat(side, window, group, wide) for side, window, group in groups if group]
    rows = [_offer_row(one) for _, _, group in groups for one in group]
    good = sum(one.favours == "player" for one in offered)
    told = f"{good} of {len(offered)} offers favour the player." if good else "No offer favours the player."
    steps = [
        f"{int(charts.COST_STEP * n)}-{int(charts.COST_STEP * (n + 1))}%"
        for n in range(len(charts.COSTS) - 1)
    ]
    steps.append(f"over {int(charts.COST_STEP * (len(charts.COSTS) - 1))}%")
    legend = "".join(
        f'<li><i style="background:{colour}"></i>costs {step}</li>'
        for colour, step in zip(charts.COSTS, steps, strict=True)
    )
    good_look = f"background:{charts.GOOD};outline:2px solid {charts.PALE}"
    legend += f'<li><i style="{good_look}"></i>favours the player: outlined, with a plus</li>'
    table = _table(
        "In percent; chance is that of the offer to come up, the rest is counted from then on",
        (
            "Insured hand",
            "Window",
            "Player",
            "Banker",
            "Pays",
            "Chance",
            "Wins",
            "Returned",
            "Loses",
            "Value",
            "Favours",
            "Paragraph",
        ),
        rows,
    )
    return (
        f"<section><h2>{escape(insurance.name)}</h2><p>The player's value per unit of the stake once the "
        "offer is made, in percent: the Player's points then across, the Banker's down, blank where nothing "
        "is offered. Counted over the deals in which the offer is really open. "
        f"<strong>{told}</strong></p>"
        f'<div class="maps">{"".join(maps)}</div><ul class="legend">{legend}</ul>'
        f"<details><summary>The numbers of all {len(offered)} offers</summary>{table}</details></section>"
    )


def _columns(group: Sequence[OfferValue]) -> int:
    """How many of the Player's points a group spans."""
    points = [one.player for one in group]
    return max(points) - min(points) + 1 if points else 0


def _heat(side: Side, window: int, group: Sequence[OfferValue], wide: int) -> str:
    cells = {}
    for one in group:
        if one.ev is not None:
            whose = one.favours if one.favours == "nobody" else f"the {one.favours}"
            words = (
                f"Player {one.player}, Banker {one.banker}, {one.offer.odds.text}: "
                f"{_signed(one.ev, 100, 4)}%, favours {whose}; "
                f"comes up in {_percent(one.probability)}% of rounds"
            )
            cells[one.player, one.banker] = (float(one.ev * 100), words)
    start = min(*(one.player for one in group), 10 - wide)
    caption = f"{side.label} insurance, {WINDOWS[window]}"
    chart = charts.heat(f"Value by points: {caption}", cells, range(start, start + wide), range(8))
    return f"<figure><figcaption>{escape(caption)}</figcaption>{chart}</figure>"


def _offer_row(one: OfferValue) -> str:
    chances = [one.chance(verdict) for verdict in ("win", "push", "lose")]
    return _row(
        one.offer.hand.label,
        (
            str(one.offer.window),
            str(one.player),
            str(one.banker),
            one.offer.odds.text,
            _percent(one.probability),
            *(_percent(chance) if chance is not None else "" for chance in chances),
            "never" if one.ev is None else f"<strong>{_signed(one.ev, 100, 4)}</strong>",
            one.favours,
            _cite((*one.offer.rules, *(one.offer.tie_paid.rules if one.offer.tie_paid else ()))),
        ),
        "favours" if one.favours == "player" else "",
    )


def _over_decks(rulebook: Rulebook, decks: int) -> str:
    found = by_decks(rulebook)
    panels, rows = [], []
    for name, bet in rulebook.bets.items():
        edges = {count: one[name].house_edge for count, one in found.items()}
        chart = charts.line(
            f"House edge of {bet.name}: {_percent(edges[min(edges)])}% with {min(edges)} decks, "
            f"{_percent(edges[max(edges)])}% with {max(edges)}",
            {count: float(edge * 100) for count, edge in edges.items()},
            decks,
            _hue(bet),
        )
        panels.append(f"<figure><figcaption>{escape(bet.name)}</figcaption>{chart}</figure>")
        rows.append(_row(bet.name, [_percent(edge) for edge in edges.values()]))
    table = _table("House edge in percent, by number of decks", ("Bet", *map(str, found)), rows)
    return (
        "<section><h2>More or fewer decks</h2><p>House edge in percent for every number of decks that the "
        f"rulebook allows {_cite(rulebook.decks.rules)}, fresh shoes. Each panel has its own scale; the "
        f'large white point is {decks} decks.</p><div class="panels">{"".join(panels)}</div>'
        f"<details><summary>The numbers</summary>{table}</details></section>"
    )


def _removal(worth: dict[str, Value], changes: dict[str, dict[Rank, Fraction]], decks: int) -> str:
    rows = []
    for name, by_rank in changes.items():
        cells = []
        for change in by_rank.values():
            kind = "up" if change > 0 else "down" if change < 0 else ""
            cells.append(f'<span class="{kind}">{_signed(change, 10_000, 2)}</span>')
        rows.append(_row(worth[name].bet.name, cells))
    table = _table(
        f"Change of the player's value in hundredths of a percent, {decks} decks",
        ("Bet", *(rank.letter for rank in next(iter(changes.values())))),
        rows,
    )
    return (
        "<section><h2>One card less</h2><p>How each bet changes when a single card of a rank has left a "
        f"fresh shoe: plus is better for the player, minus better for the house.</p>{table}</section>"
    )


def _fractions(worth: dict[str, Value]) -> str:
    rows = [
        _row(
            value.bet.name,
            [str(one).replace("/", "/<wbr>") for one in (value.ev, value.win, value.push, value.variance)],
        )
        for value in worth.values()
    ]
    table = _table(
        "Exact, in lowest terms, for a stake of one",
        ("Bet", "Expected value", "Wins", "Push", "Variance"),
        rows,
        "exact",
    )
    return (
        "<section><h2>Exact fractions</h2><details><summary>The fractions behind the percentages</summary>"
        f"{table}</details></section>"
    )
