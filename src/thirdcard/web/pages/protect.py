"""Game protection as pages and a report: findings in words, then charts, each with its table of numbers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from thirdcard.cards import Rank
from thirdcard.money import format_dollars
from thirdcard.odds import OfferValue, fresh, offers
from thirdcard.protect.protection import BetAtCut, Protection, Terms
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.model import Side
from thirdcard.web import charts, protect_charts
from thirdcard.web.pages import paper, plain_citations
from thirdcard.words import ENGLISH, Language, bet_name, words

if TYPE_CHECKING:
    from thirdcard.protect.radar_sheet import RadarSheet
    from thirdcard.protect.sheet import Sheet
    from thirdcard.protect.worths import Exposure

STYLE: Final = ("tokens.css", "base.css", "protect.css", "print.css")
VIEWS: Final = ("overview", "bet", "insurance", "known", "prices", "readings")
BOUNDS: Final = (0.005, 0.02, 0.05, 0.1, 0.25)  # of the tones of exposure
SHOWN_AS_LESS, SHOWN_AS_NOTHING = 0.005, 0.0005
OFFER_BOUNDS: Final = (-0.2, -0.13, -0.05, -0.01)  # of the tones of insurance
LAST_TONE: Final = 5
MOST_SHOWN: Final = 6  # bets of an option
LEAST_EFFICIENCY: Final = 0.05  # of a count that is worth its name
PATTERNS: Final = ("line-1", "line-2", "line-3", "line-4")


class Figures(NamedTuple):
    """What a reader reckons with: dollars on a box, boxes, rounds an hour, hours, and a cut of the sheet."""

    maximum: int = 200
    boxes: int = 6
    pace: int = 60
    hours: int = 8
    cut: int = 0


class Comes(NamedTuple):
    """What betting comes to, in cents: an hour, also by the count and at a deeper cut; and some hours."""

    cut: str
    perfect: int
    by_count: int | None
    deeper: str
    at_deeper: int
    whole: int
    deviation: int


def comes_to(found: Protection, name: str, own: Figures) -> Comes:
    """By perfect play on one bet; without a deeper cut of the sheet, the same one."""
    cuts = sorted(found.cuts, key=int)
    cut = str(own.cut) if str(own.cut) in cuts else cuts[0]
    deeper = cuts[min(cuts.index(cut) + 2, len(cuts) - 1)]
    terms = Terms(maximum=100 * own.maximum, boxes=own.boxes, rounds_per_hour=own.pace)
    at = found.cuts[cut].bets[name]

    def hourly(cut: str) -> int:
        return terms.hourly(found.cuts[cut].bets[name].perfect.units_per_100 / 100)

    rounds = own.pace * own.hours
    spread = at.perfect.sd_per_100 / 10 * sqrt(rounds) * terms.maximum * own.boxes
    pays = at.count.efficiency > LEAST_EFFICIENCY
    return Comes(
        cut,
        hourly(cut),
        terms.hourly(at.count.units_per_100 / 100) if pays else None,
        deeper,
        hourly(deeper),
        hourly(cut) * own.hours,
        round(spread),
    )


class ProtectFinding(NamedTuple):
    """One sentence with its number, and what stands under it."""

    said: str
    more: str
    rules: tuple[str, ...] = ()


def tone(units: float) -> int:
    """How strongly a cell is toned, 0 to 5."""
    return sum(units >= bound for bound in BOUNDS)


def units(amount: float) -> str:
    if amount >= SHOWN_AS_LESS:
        return f"{amount:.2f}"
    return "0.00" if amount < SHOWN_AS_NOTHING else "<0.01"


def percent(share: Fraction | float, digits: int = 2, *, sign: bool = False) -> str:
    text = charts.signed(100 * float(share), digits)
    return text if sign else text.removeprefix("+")


@lru_cache(maxsize=32)
def offered_by(book: Rulebook, decks: int) -> tuple[OfferValue, ...]:
    """Every insurance offer of a fresh shoe."""
    return offers(book, fresh(decks)) if book.insurance else ()


def by_worth(found: Protection) -> list[str]:
    """The bets, those worth most at the least cut first."""
    first = found.cuts[min(found.cuts, key=int)]
    return sorted(first.bets, key=lambda name: -first.bets[name].perfect.units_per_shoe)


def findings(book: Rulebook, decks: int, sheet: "Sheet", lang: Language) -> list[ProtectFinding]:
    """What there is to say, in plain words."""
    t, protection = words(lang).ui, sheet.protection
    cuts = sorted(protection.cuts, key=int)
    order = by_worth(protection)
    best = order[0]
    first, name = protection.cuts[cuts[0]], bet_name(best, lang, book)
    worth = first.bets[best].perfect.units_per_shoe
    said = [
        ProtectFinding(
            t["protect_find_best"].format(bet=name, units=units(worth), cut=cuts[0]),
            t["protect_find_best_more"].format(
                edge=percent(protection.bets[best].house_edge),
                bets=percent(first.bets[best].perfect.frequency, 1),
                count=percent(first.bets[best].count.efficiency, 0),
            ),
            book.bets[best].rules[:2],
        )
    ]
    safe = [protection.bets[one].safe_cut for one in order]
    safe_cuts = [one for one in safe if one is not None]
    if len(safe_cuts) == len(safe):
        deep = max(safe_cuts)
        said.append(
            ProtectFinding(
                t["protect_find_cut"].format(cards=deep, units=f"{protection.terms.tolerance:g}"),
                t["protect_find_cut_more"].format(first=cuts[0], rounds=f"{first.rounds_per_shoe:.1f}"),
            )
        )
    offered = offered_by(book, decks)
    if offered:
        good = [offer for offer in offered if offer.favours == "player"]
        more = t["protect_find_insurance_more"]
        most = max((offer.ev for offer in offered if offer.ev is not None), default=Fraction(0))
        said.append(
            ProtectFinding(
                t["protect_find_insurance"].format(good=len(good), all=len(offered)),
                more.format(best=percent(float(most), sign=True)),
                tuple(dict.fromkeys(rule for offer in offered[:1] for rule in offer.offer.rules)),
            )
        )
    main = next((row for row in sheet.known if not row.bet), None)
    if main is not None:
        most_known = max(main.places)
        said.append(
            ProtectFinding(
                t["protect_find_known"].format(worth=percent(main.places[0])),
                t["protect_find_known_more"].format(
                    most=percent(most_known), place=main.places.index(most_known) + 1
                ),
            )
        )
    dear = max(
        ((case, option) for case in sheet.cases if (option := case.most) is not None),
        key=lambda pair: pair[1].gaining[0][1].worth,
        default=None,
    )
    if dear is not None:
        case, option = dear
        gaining, gain = option.gaining[0]
        said.append(
            ProtectFinding(
                t["protect_find_price"].format(
                    case=words(lang).name_of("cases", case.case, case.title),
                    worth=percent(gain.worth, 1),
                    bet=bet_name(gaining, lang, book),
                ),
                open_cards(option.exposure, lang),
                case.rules[:1],
            )
        )
    return said


def open_cards(seen: "Exposure", lang: Language) -> str:
    """What people see when they choose."""
    t = words(lang).ui
    if not seen.known:
        return t["protect_open_none"]
    last = seen.known[-1]
    if seen.together:
        return t["protect_open_together"].format(first=seen.together[0], last=last)
    if len(seen.known) == 1:
        return t["protect_open_one"].format(place=last)
    if not seen.decide:
        return t["protect_open_in_doubt"].format(last=last)
    if seen.decide == last:
        return t["protect_open_all"].format(last=last)
    return t["protect_open_doubt"].format(last=last, sure=seen.decide)


def figures(  # noqa: PLR0913, PLR0917 - what a page is of
    book: Rulebook,
    decks: int,
    sheet: "Sheet",
    bet: str,
    lang: Language,
    own: Figures = Figures(),  # noqa: B008 - a value
) -> dict[str, object]:
    """All that templates show of a sheet."""
    t, protection = words(lang).ui, sheet.protection
    cuts = sorted(protection.cuts, key=int)
    order = by_worth(protection)
    chosen = bet if bet in protection.bets else order[0]
    top = order[: len(PATTERNS)]
    offered = offered_by(book, decks)

    def depth(lines: Iterable[tuple[str, Callable[[BetAtCut], float]]], bets: Sequence[str]) -> str:
        """A line for each, by what it takes of a bet at each cut."""
        series = [
            protect_charts.Series(
                name, pattern, [(int(cut), of(protection.cuts[cut].bets[bet])) for cut in cuts]
            )
            for (name, of), bet, pattern in zip(lines, bets, PATTERNS, strict=False)
        ]
        labels = (t["protect_axis_cut"], t["protect_axis_units"])
        return protect_charts.depth(t["protect_depth_title"], series, [int(cut) for cut in cuts], labels)

    return {
        "sheet": sheet,
        "found": protection,
        "cuts": cuts,
        "order": order,
        "chosen": chosen,
        "findings": findings(book, decks, sheet, lang),
        "depth": depth(((bet_name(name, lang, book), _perfect) for name in top), top),
        "top": top,
        "bet_depth": depth(
            ((t["protect_perfect"], _perfect), (t["protect_count"], _counted)), (chosen, chosen)
        ),
        "yours": own,
        "comes": comes_to(protection, chosen, own),
        "portrait": sheet.portraits[chosen],
        "by_count": _by_count(sheet, chosen, t),
        "turning": _turning(sheet, chosen, t),
        "effects": charts.removal(
            t["protect_effects"],
            {rank: 100 * protection.bets[chosen].effects[rank.letter] for rank in Rank},
            "",
        ),
        "offered": offered,
        "grids": _grids(offered),
        "shade": shade,
        "best_offer": max((offer.ev for offer in offered if offer.ev is not None), default=None),
        "most_shown": MOST_SHOWN,
        "tone": tone,
        "units": units,
        "percent": percent,
        "signed": charts.signed,
        "open_cards": lambda option: open_cards(option.exposure, lang),
        "error": max(worth.perfect.error for worth in protection.cuts[cuts[0]].bets.values()),
    }


def _perfect(at: BetAtCut) -> float:
    return at.perfect.units_per_shoe


def _counted(at: BetAtCut) -> float:
    return max(at.count.units_per_shoe, 0.0)


def _by_count(sheet: "Sheet", bet: str, t: Mapping[str, str]) -> str:
    """The edge by true count; nothing where no count follows the bet."""
    course = sheet.portraits[bet].by_count
    protection = sheet.protection
    count = protection.cuts[min(protection.cuts, key=int)].bets[bet].count
    if not course:
        return ""
    trigger = None
    if count.trigger is not None:
        told = t["protect_bet_from"].format(charts.signed(count.trigger, 1).removesuffix(".0"))
        trigger = count.trigger, told, t["protect_of_rounds"].format(percent(count.frequency, 1))
    return protect_charts.band(
        t["protect_edge_by_count"],
        [protect_charts.AtPoint(count.count, count.mean, count.low, count.high) for count in course],
        trigger,
        (t["protect_true_axis"], t["protect_edge_axis"]),
    )


def _turning(sheet: "Sheet", bet: str, t: Mapping[str, str]) -> str:
    """How often the bet is worth more than zero; nothing where too few shoes were dealt to say."""
    course = sheet.portraits[bet].by_left
    if not course:
        return ""
    turns = sheet.protection.bets[bet].turns
    median = None
    if turns is not None:
        more = t["protect_turning_more"].format(
            early=turns.early, late=turns.late, share=percent(turns.share, 0)
        )
        median = turns.median, t["protect_turning_median"].format(turns.median), more
    return protect_charts.turning(
        t["protect_turning"],
        [(shoe.left, shoe.share) for shoe in course],
        median,
        (t["protect_turning_axis"], t["protect_turning_share"]),
    )


class InsuranceGrid(NamedTuple):
    """The offers of one hand and window, as on a placard: the hand's points down, the other's across."""

    hand: str
    window: int
    across: tuple[int, ...]
    rows: tuple[tuple[int, tuple[OfferValue | None, ...]], ...]


def _grids(offered: Sequence[OfferValue]) -> list[InsuranceGrid]:
    grids = []
    for side in (Side.BANKER, Side.PLAYER):
        for window in (1, 2):
            by = {
                (offer.banker, offer.player) if side is Side.BANKER else (offer.player, offer.banker): offer
                for offer in offered
                if offer.offer.hand is side and offer.offer.window == window
            }
            across = tuple(sorted({there for _, there in by}))
            rows = [
                (own, tuple([by.get((own, there)) for there in across]))
                for own in sorted({own for own, _ in by})
            ]
            if by:
                grids.append(InsuranceGrid(side.value, window, across, tuple(rows)))
    return grids


def shade(ev: float) -> int:
    """How strongly an offer is toned, 5 being in the player's favour."""
    return LAST_TONE if ev > 0 else sum(ev >= bound for bound in OFFER_BOUNDS)


def report(  # noqa: PLR0913 - what it is made of
    book: Rulebook,
    decks: int,
    sheet: "Sheet",
    lang: Language = ENGLISH,
    *,
    linked: bool = False,
    printed: str | None = None,
) -> str:
    """Findings first, light, made to be printed: one file, or `linked` to the style that a server has."""
    values: dict[str, Any] = figures(book, decks, sheet, "", lang)
    values |= {"lang": lang, "book": book, "decks": decks, "views": VIEWS}
    return paper(
        "protect_report.html",
        STYLE,
        linked=linked,
        cite=plain_citations,
        dollars=format_dollars,
        **values,
        printed=printed,
    )


def radar(book: Rulebook, sheet: "RadarSheet", lang: Language) -> dict[str, object]:
    """All that the page of the radar shows; there is somebody to look at."""
    t, found, closely = words(lang).ui, sheet.radar, sheet.closely
    if closely is None:
        return {}
    one = closely.followed
    return {
        "found": found,
        "closely": closely,
        "everybody": found.everybody,
        "told": t["radar_watched"].format(
            players=found.players,
            pairs=found.looks - found.players,
            shoes=found.shoes,
            rounds=f"{found.rounds:,}",
            one_in=found.one_in,
        ),
        "shares": protect_charts.shares(
            t["radar_when"].format(" + ".join(one.players)),
            closely.bins,
            closely.wide,
            (t["radar_when_axis"], t["radar_share"]),
        ),
        "growth": protect_charts.growth(
            t["radar_sure"],
            closely.course,
            closely.line,
            t["radar_line"].format(f"{closely.line:.0f}"),
            (t["radar_sure_axis"], t["radar_statistic"]),
        ),
        "one_shoe": protect_charts.one_shoe(
            t["radar_one_shoe"], closely.one_shoe, (bet_name(one.bet, lang, book), t["radar_stake"])
        ),
        "chance": lambda row: (
            t["radar_one_in"].format(f"{(row.reshuffles + 1) / (row.as_large + 1):,.0f}")
            if row.as_large
            else t["radar_less"].format(f"{row.reshuffles:,}")
        ),
        "percent": percent,
    }
