"""The numbers behind the charts of protection as CSV: a table each, unrounded, bets by their slugs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from thirdcard.errors import BadInput
from thirdcard.odds import OfferValue
from thirdcard.web.csv_rows import Row, columns, csv_text
from thirdcard.web.pages.protect import MOST_SHOWN

if TYPE_CHECKING:
    from thirdcard.protect.radar_sheet import RadarSheet
    from thirdcard.protect.sheet import Sheet


def _overview(sheet: "Sheet", _bet: str) -> Iterable[Row]:
    yield (
        "bet", "house_edge", "safe_cut", "cut", "rounds_per_shoe", "units_per_shoe", "error", "low", "high",
        "units_per_100", "frequency", "average_edge", "count_units_per_shoe", "count_efficiency",
    )  # fmt: skip
    protection = sheet.protection
    for name, facts in protection.bets.items():
        for cut in sorted(protection.cuts, key=int):
            at = protection.cuts[cut].bets[name]
            one = at.perfect
            yield (
                name, facts.house_edge, facts.safe_cut, cut, protection.cuts[cut].rounds_per_shoe,
                one.units_per_shoe, one.error, one.low, one.high, one.units_per_100, one.frequency,
                one.average_edge, at.count.units_per_shoe, at.count.efficiency,
            )  # fmt: skip


def _where(sheet: "Sheet", _bet: str) -> Iterable[Row]:
    rows = sheet.protection.where.rows
    return columns(
        rows, "cut", "rounds_per_shoe", "rounds_kept", "bet", "units_per_shoe", "cents_an_hour=hourly"
    )


def _depths(sheet: "Sheet", bet: str) -> Iterable[Row]:
    return columns(sheet.protection.bets[bet].depths, "cut", "rounds_per_shoe", "units_per_shoe")


def _counts(sheet: "Sheet", bet: str) -> Iterable[Row]:
    protection = sheet.protection
    ranks = tuple(protection.bets[bet].effects)
    yield "cut", "level", *ranks, "trigger", "correlation", "units_per_shoe", "error", "efficiency"
    for cut in sorted(protection.cuts, key=int):
        for count in protection.cuts[cut].bets[bet].counts:
            told = (count.trigger, count.correlation, count.units_per_shoe, count.error, count.efficiency)
            yield cut, count.level, *[count.tags[rank] for rank in ranks], *told


def _by_count(sheet: "Sheet", bet: str) -> Iterable[Row]:
    counts = sheet.portraits[bet].by_count
    return columns(counts, "true_count=count", "share_of_rounds=share", "mean", "low_10=low", "high_90=high")


def _turns(sheet: "Sheet", bet: str) -> Iterable[Row]:
    return columns(sheet.portraits[bet].by_left, "cards_left=left", "share_of_rounds_above_zero=share")


def _effects(sheet: "Sheet", bet: str) -> Iterable[Row]:
    yield "rank", "effect"
    yield from sheet.protection.bets[bet].effects.items()


def _known(sheet: "Sheet", _bet: str) -> Iterable[Row]:
    yield "bet", *[f"card_{place}" for place in range(1, 7)], "among_six", "gone", "all_six", "sorted_deck"
    for known_row in sheet.known:
        rest = (
            (known_row.somewhere, known_row.gone, known_row.everything, known_row.sorted_deck)
            if known_row.bet
            else ("",) * 4
        )
        yield known_row.bet or "player-or-banker", *known_row.places, *rest


def _prices(sheet: "Sheet", _bet: str) -> Iterable[Row]:
    yield "case", "remedy", "option", "cards_open", "beyond_doubt", "bet", "worth", "blind"
    for case in sheet.cases:
        for ruling in case.rulings:
            remedy = " + ".join(ruling.remedy)
            for why in ruling.zero:
                yield case.case, remedy, why, "", "", "", 0, 0
            for option in ruling.options:
                seen = option.exposure
                shown = " ".join(map(str, seen.known))
                for name, one in option.gaining[:MOST_SHOWN]:
                    worth = float(one.worth), float(one.blind)
                    yield case.case, remedy, option.gives, shown, seen.decide, name, *worth


def _readings(sheet: "Sheet", _bet: str) -> Iterable[Row]:
    yield "number", "reading", "rival", "why", "bet", "units_per_million", "per", "case"
    for reading in sheet.readings:
        about = reading.number, reading.title, reading.rival, reading.why
        for move in reading.moves:
            yield *about, move.bet, float(move.units), move.per, move.case
        if not reading.moves:
            yield *about, "", 0.0, "", ""


TABLES: "Final[Mapping[str, Callable[[Sheet, str], Iterable[Row]]]]" = {
    "overview": _overview,
    "where": _where,
    "depths": _depths,
    "counts": _counts,
    "by-count": _by_count,
    "turns": _turns,
    "effects": _effects,
    "known": _known,
    "prices": _prices,
    "readings": _readings,
}


def table_csv(sheet: "Sheet", offered: Sequence[OfferValue], name: str, bet: str) -> str:
    """One table of a sheet; `bet` is one of its bets."""
    if name == "insurance":
        return csv_text(_insurance(offered))
    if name not in TABLES:
        raise BadInput(f"there is no table {name!r}: expected {', '.join((*TABLES, 'insurance'))}")
    return csv_text(TABLES[name](sheet, bet))


def _insurance(offered: Sequence[OfferValue]) -> Iterable[Row]:
    yield "hand", "window", "player", "banker", "odds", "probability", "value"
    for offer in offered:
        of, value = offer.offer, "" if offer.ev is None else float(offer.ev)
        yield of.hand, of.window, offer.player, offer.banker, of.odds.text, float(offer.probability), value


def radar_csv(sheet: "RadarSheet") -> str:
    """Everybody who was watched, by seat code."""
    watched = sheet.radar.everybody
    heading, *rows = columns(
        watched,
        "players", "bet", "shoes", "rounds", "bets", "statistic", "reshuffles", "as_large", "chance",
        "corrected", "worth_betting", "bet_then", "mean_stake_above", "mean_stake_below", "staked",
        "expected",
    )  # fmt: skip
    return csv_text(
        [
            heading,
            *((" ".join(followed.players), *row[1:]) for followed, row in zip(watched, rows, strict=True)),
        ]
    )
