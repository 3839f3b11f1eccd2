"""Checks proved over everything that can be dealt, each fault with the smallest round that shows it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations, product
from typing import Final, NamedTuple, TypeAlias

from thirdcard.cards import Rank
from thirdcard.money import format_dollars
from thirdcard.rulebook.conditions import NATURALS, HandWhen, Outcome, every_part, hands_of, matches
from thirdcard.rulebook.facts import every_fact, fits
from thirdcard.rulebook.model import Bet, Insurance, Offer, Procedure, Rulebook, Side, TableOfPlay, When
from thirdcard.rulebook.outcomes import TOTALS, Dealt, count_of, every_outcome, looks_of
from thirdcard.rulebook.parts import Numbers
from thirdcard.rulebook.sums import Count
from thirdcard.rulebook.third_cards import next_by_points, play_out

Proved: TypeAlias = tuple[str, str, str]  # key, what is the matter, and an example

CHIPS: Final = (20, 100, 200, 500, 1000, 2500, 10_000, 50_000, 100_000)  # chip units that there are, in cents
Ranges: TypeAlias = dict[str, tuple[str, int, int]]
RANGES: Final[Ranges] = {  # what is counted, from the least number to the most
    **dict.fromkeys(("total", "first_two"), ("totals", 0, 9)),
    "cards": ("cards of a hand", 2, 3),
    "cards_in_all": ("cards of both hands", 4, 6),
    "margin": ("margins", 0, 9),
    "sum": ("two totals added up", 0, 18),
    "number": ("counts of cards", 0, 6),
}
OF_ONE_CARD: Final[Ranges] = RANGES | {
    "total": ("places in the order", 1, 13),
    "cards": ("cards of a hand", 1, 1),
    "cards_in_all": ("cards of both hands", 2, 2),
    "margin": ("margins", 0, 12),
    "sum": ("two places in the order added up", 2, 26),
    "number": ("counts of cards", 0, 2),
}
MOST_SECONDS: Final = 5.0  # that a book's proof may take on a machine of 2026
OUTCOME, CONDITION = 5e-6, 3e-6  # seconds for an outcome, and for a condition asked of it


def proved_faults(book: Rulebook) -> Iterator[Proved]:
    open_totals = list(_table_faults(book.table_of_play))
    yield from open_totals
    if not open_totals:  # by such a table nothing can be dealt
        yield from _dealt_faults(book)
    for procedure in book.procedures:
        yield from _procedure_faults(procedure)


def _dealt_faults(book: Rulebook) -> Iterator[Proved]:
    """What rounds show."""
    table = _same_for_all(
        (book.table_of_play.printed, book.table_of_play.order),
        book.table_of_play.natural,
        book.table_of_play.player_draws,
        book.table_of_play.banker_draws_if_player_stands,
        tuple(book.table_of_play.banker_draws.items()),
    )
    lines = {f"bets.{name}": bet.whens for name, bet in book.bets.items()}
    seconds = {key: proving_seconds(table, whens) for key, whens in lines.items()}
    if sum(seconds.values()) > MOST_SECONDS:
        yield _too_dear(table, seconds, lines)
    else:
        for name, bet in book.bets.items():
            yield from _bet_faults(table, name, bet)
        yield from _commission_faults(table, book)
    if book.insurance and table.usual:
        yield from _insurance_faults(table, book.insurance)
    elif book.insurance:
        yield "insurance", "goes with two cards to each hand from the shoe", ""


def proving_seconds(table: TableOfPlay, whens: tuple[When, ...]) -> float:
    """What it takes to look at everything that conditions tell apart."""
    return count_of(table, looks_of(whens)) * (OUTCOME + CONDITION * len(whens))


def _too_dear(
    table: TableOfPlay, seconds: Mapping[str, float], lines: Mapping[str, tuple[When, ...]]
) -> Proved:
    """The bet that costs most, why, and how it can be said otherwise."""
    key = max(seconds, key=lambda one: seconds[one])
    looks = looks_of(lines[key])
    rounds = count_of(table, looks)
    why, otherwise = "ranks by place", "name fewer ranks, or points by `total` and `first_two`"
    if looks.by_card:
        why, otherwise = (
            "suits of single cards",
            "name colours, or leave suits to the first two cards (`suits`)",
        )
    elif looks.sums:
        why, otherwise = f"{len(looks.sums)} counts of single cards", "count fewer things in one bet"
    dear = f"its proof would take about {seconds[key]:,.0f} of {sum(seconds.values()):,.0f} seconds"
    told = f"it tells {rounds:,} kinds of rounds apart by {why}; {otherwise}, or make several bets of it"
    return key, f"{dear}, at most {MOST_SECONDS:.0f} are given: {told}", ""


@lru_cache(maxsize=16)
def _same_for_all(
    begins: tuple[str, str],
    natural: tuple[int, ...],
    player: tuple[int, ...],
    alone: tuple[int, ...],
    banker: tuple[tuple[int, tuple[int, ...]], ...],
) -> TableOfPlay:
    """One table for all books that draw alike, so that what follows from it is worked out once."""
    return TableOfPlay(
        printed=begins[0],
        order=begins[1],
        natural=natural,
        player_draws=player,
        banker_draws_if_player_stands=alone,
        banker_draws=dict(banker),
    )


# --- the Table of Play ------------------------------------------------------------------------------------


def _table_faults(table: TableOfPlay) -> Iterator[Proved]:
    """Every total of both hands is spoken of once."""
    if len(set(table.order)) < len(table.order):
        yield "table_of_play.order", "a rank is listed twice", ""
    if table.order and table.printed:
        yield "table_of_play.printed", "goes with two cards to each hand, not with an order of ranks", ""
    for name in ("natural", "player_draws", "banker_draws_if_player_stands"):
        yield from _listed_faults(f"table_of_play.{name}", getattr(table, name))
    for total, thirds in table.banker_draws.items():
        yield from _listed_faults(f"table_of_play.banker_draws.{total}", thirds)
        if total not in TOTALS:
            yield "table_of_play.banker_draws", f"{total} is not a total", ""
    for name in ("player_draws", "banker_draws_if_player_stands"):
        for total in sorted(set(getattr(table, name)) & set(table.natural)):
            hands = (total, 0) if name == "player_draws" else (7, total)
            yield f"table_of_play.{name}", f"draws on {total}, which is a natural", _start(*hands)
    standing = set(TOTALS) - set(table.natural)
    missing, beyond = sorted(standing - set(table.banker_draws)), set(table.banker_draws) & set(table.natural)
    if missing:
        finding = f"expected a line for each of {sorted(standing)}: nothing is said of {missing[0]}"
        drawing = min(set(table.player_draws) - set(table.natural), default=0)
        yield "table_of_play.banker_draws", finding, _start(drawing, missing[0])
    for total in sorted(beyond):
        yield "table_of_play.banker_draws", f"a line for {total}, which is a natural", _start(0, total)


def _listed_faults(key: str, numbers: tuple[int, ...]) -> Iterator[Proved]:
    if any(number not in TOTALS for number in numbers):
        yield key, "points are 0 to 9", ""
    if len(set(numbers)) < len(numbers):
        yield key, "a number is listed twice", ""


def _start(player: int, banker: int) -> str:
    """Four cards with these totals: the king adds nothing."""
    letters = ["Q", *(Rank(total).letter for total in TOTALS[1:])]
    return f"KS KH {letters[player]}S {letters[banker]}H"


# --- bets -------------------------------------------------------------------------------------------------


class _BetLine(NamedTuple):
    """A tier or a push: its key, its name, its condition, and the numbers of the outcomes that fit."""

    key: str
    name: str
    when: When
    fitting: frozenset[int]


def _bet_faults(table: TableOfPlay, name: str, bet: Bet) -> Iterator[Proved]:
    dealt = every_outcome(table, looks_of(bet.whens))
    lines = [(f"pays[{number}]", tier.tier, tier.when) for number, tier in enumerate(bet.pays)]
    if bet.push is not None:
        lines.append(("push", bet.push.tier, bet.push.when))
    lines += [(f"pushes[{number}]", push.tier, push.when) for number, push in enumerate(bet.pushes)]
    told = [_BetLine(f"bets.{name}.{key}", tier, when, _won(dealt, when)) for key, tier, when in lines]
    before: set[int] = set()
    for line in told:
        yield from _line_faults(table, line, dealt, before)
        before |= line.fitting
    for first, second in combinations(told, 2):
        both = first.fitting & second.fitting
        if both and not second.when.otherwise:
            yield second.key, f"{second.name!r} overlaps {first.name!r}", dealt[min(both)].cards
    for line, pay in zip(told, bet.pays, strict=False):
        if not any(pay.odds.is_exact(unit) for unit in CHIPS):
            stake = CHIPS[1]
            shown = f"{format_dollars(stake)} wins {pay.odds.winnings(stake)} cents"
            example = dealt[min(line.fitting)].cards if line.fitting else ""
            yield f"{line.key}.odds", f"no chip unit makes {pay.odds} exact: {shown}", example
    for line, push in zip(told[len(bet.pays) :], bet.every_push, strict=True):
        if not any((unit * push.returned).denominator == 1 for unit in CHIPS):
            yield f"{line.key}.returned", f"no chip unit makes {push.returned} of a stake whole cents", ""


def _line_faults(
    table: TableOfPlay, line: _BetLine, dealt: tuple[Dealt, ...], before: set[int]
) -> Iterator[Proved]:
    """What is the matter with one line, `before` being what the lines before it fit."""
    beyond = list(_beyond(line.when, f"{line.key}.when", OF_ONE_CARD if table.order else RANGES))
    yield from beyond
    never = f"{line.name!r} can never come about"
    if not line.fitting and not beyond:
        yield line.key, never, _never(table, line.when)
    elif line.when.otherwise and line.fitting and line.fitting <= before:
        yield line.key, f"{never}: the lines before it have all that it fits", dealt[min(line.fitting)].cards
    yield from ((f"{line.key}.when", *shown) for shown in _senseless(table, line.when))


def _example(dealt: Iterable[Dealt], fitting: Callable[[Outcome], bool]) -> str:
    """The smallest round whose outcome fits, empty if there is none."""
    return next((one.cards for one in dealt if fitting(one.outcome)), "")


def _won(dealt: tuple[Dealt, ...], when: When) -> frozenset[int]:
    """The numbers of the outcomes that fit."""
    return frozenset(number for number, one in enumerate(dealt) if matches(when, one.outcome))


def _beyond(condition: When | HandWhen | Count, key: str, ranges: Ranges) -> Iterator[Proved]:
    """Numbers that there cannot be."""
    for name in condition.__struct_fields__:
        value, inner = getattr(condition, name), f"{key}.{name}"
        if isinstance(value, Numbers):
            what, least, most = ranges[name]
            wrong = sorted(number for number in value if not least <= number <= most)
            if wrong:
                yield inner, f"{what} are {least} to {most}: got {', '.join(map(str, wrong))}", ""
        elif isinstance(value, HandWhen):
            yield from _beyond(value, inner, ranges)
        elif name in ("any", "count"):
            for number, one in enumerate(value):
                yield from _beyond(one, f"{inner}[{number}]", ranges)


def _senseless(table: TableOfPlay, when: When) -> Iterator[tuple[str, str]]:
    """Conditions that contradict the Table of Play or say nothing."""
    otherwise = set(table.natural) ^ set(NATURALS)
    parts = tuple(every_part(when))
    if otherwise and any(hand.natural is not None for part in parts for _, hand in hands_of(part)):
        told = "a natural is 8 or 9 in two cards, but not in this Table of Play: name total and cards instead"
        yield told, _start(min(otherwise), 0)
    if any(part.pair_suits and part.pair is None for part in parts):
        yield "pair_suits without pair", ""


def _never(table: TableOfPlay, when: When) -> str:
    """The nearest that comes about: a round that fits the same winner, if there is one."""
    dealt = every_outcome(table, looks_of(()))
    nearest = _example(dealt, lambda outcome: outcome.winner in when.winner)
    return f"not by {nearest}, nor by any other round" if nearest else ""


def _charged(book: Rulebook) -> tuple[When, ...]:
    """The conditions that say what a winning Banker bet is paid and charged."""
    if book.commission is None or "banker" not in book.bets:
        return ()
    paid = (tier.when for tier in book.bets["banker"].pays)
    return (*paid, *(rate.when for rate in book.commission.except_when))


def _commission_faults(table: TableOfPlay, book: Rulebook) -> Iterator[Proved]:
    """What Banker pays is 1 to 1 less the commission on that win, and every rate is charged on some."""
    commission, banker = book.commission, book.bets.get("banker")
    if commission is None or banker is None:
        return
    unused = dict(enumerate(commission.except_when))
    dealt = every_outcome(table, looks_of(_charged(book)))
    won = [one for one in dealt if one.outcome.winner == "banker"]
    wrong: dict[str, Proved] = {}
    for one in won:
        others = (
            number for number, other in enumerate(commission.except_when) if matches(other.when, one.outcome)
        )
        number = next(others, None)
        rate = commission.rate if number is None else commission.except_when[number].rate
        unused.pop(-1 if number is None else number, None)
        paid = next((tier for tier in banker.pays if matches(tier.when, one.outcome)), None)
        if paid is not None and paid.odds.ratio != 1 - rate and any(map(paid.odds.is_exact, CHIPS)):
            told = f"does not pay 1 to 1 less the commission of {rate} on {paid.tier!r}"
            wrong.setdefault(told, ("bets.banker.pays", told, one.cards))
    yield from wrong.values()
    for number, other in unused.items():
        yield (
            f"commission.except_when[{number}]",
            "is charged on no win that another is not",
            _never(table, other.when),
        )


# --- insurance --------------------------------------------------------------------------------------------


class _Moment(NamedTuple):
    """An insurance window open at these points, how it may end, and the cards that lie there then."""

    winners: frozenset[str]
    cards: str


@lru_cache(maxsize=64)
def _moments(table: TableOfPlay) -> dict[tuple[int, int, int], _Moment]:
    """By window and both hands' points: what may be insured against (interpretation 10)."""
    ends: dict[tuple[int, int, int], set[str]] = {}
    cards: dict[tuple[int, int, int], str] = {}
    for player, banker in product(TOTALS, TOTALS):
        due = next_by_points(table, player, banker)
        if due is None:
            continue
        for fifth, sixth in product(TOTALS, TOTALS):
            ending = play_out(table, player, banker, (fifth, sixth))
            outcome = Outcome(*ending, "none")
            windows = [(1, player, banker, "")]
            if due is Side.PLAYER and ending[3] > 2:  # noqa: PLR2004 - the Banker draws too
                windows.append((2, (player + fifth) % 10, banker, f" {Rank(fifth or 13).letter}D"))
            for window, *points, third in windows:
                key = (window, points[0], points[1])
                ends.setdefault(key, set()).add(outcome.winner)
                if key not in cards:
                    cards[key] = _start(player, banker) + third
    return {key: _Moment(frozenset(won), cards[key]) for key, won in ends.items()}


def _insurance_faults(table: TableOfPlay, insurance: Insurance) -> Iterator[Proved]:
    moments = _moments(table)
    taken: dict[tuple[Side, int, int, int], int] = {}
    for number, offer in enumerate(insurance.offers):
        key = f"insurance.offers[{number}]"
        at = [(offer.window, *points) for points in product(offer.player, offer.banker)]
        opened = [moments[one] for one in at if one in moments]
        overlapped: set[int] = {number}
        for window, player, banker in at:
            before = taken.setdefault((offer.hand, window, player, banker), number)
            if before not in overlapped:
                overlapped.add(before)
                told = f"overlaps offers[{before}] at Player {player}, Banker {banker}"
                moment = moments.get((window, player, banker))
                yield key, told, moment.cards if moment else _lying(table, window, player, banker)
        if not opened:
            yield key, "can never be offered: no card is due then", _lying(table, *at[0])
        elif not any(moment.winners - {offer.hand, None if offer.tie_paid else "tie"} for moment in opened):
            yield key, f"can never pay: the {offer.hand.label} cannot lose from there", opened[0].cards
        yield from _tie_faults(insurance, offer, key, opened)


def _lying(table: TableOfPlay, window: int, player: int, banker: int) -> str:
    """Cards with these points at the time of a window, as near as they come to it."""
    for start, third in product(TOTALS, TOTALS) if window == 2 else ():  # noqa: PLR2004 - after a third card
        if (start + third) % 10 == player and next_by_points(table, start, banker) is Side.PLAYER:
            return f"{_start(start, banker)} {Rank(third or 13).letter}D"
    return _start(player, banker)


def _tie_faults(insurance: Insurance, offer: Offer, key: str, opened: list[_Moment]) -> Iterator[Proved]:
    """A tie is returned, or paid as the exception of a row says, by other paragraphs."""
    if offer.tie_paid is None:
        return
    example = opened[0].cards if opened else ""
    if offer.window == 1:
        told = "pays a tie in the first window, when it is open which tie that will be"
        yield f"{key}.tie_paid", told, example
    if offer.tie_paid.rules and offer.tie_paid.rules == insurance.tie.rules:
        told = f"{', '.join(insurance.tie.rules)} cannot both return a tie and pay it"
        yield f"{key}.tie_paid", told, example


# --- irregularities ---------------------------------------------------------------------------------------


def _procedure_faults(procedure: Procedure) -> Iterator[Proved]:
    """Exactly one ruling fits any facts."""
    for facts in every_fact(procedure):
        fitting = [str(number) for number, ruling in enumerate(procedure.rulings) if fits(ruling.when, facts)]
        if len(fitting) != 1:
            established = ", ".join(f"{name} {value}" for name, value in facts.items()) or "any facts"
            counted = f"{len(fitting)} rulings fit {established}: expected one"
            yield (
                f"procedures.{procedure.case}",
                counted,
                f"rulings {' and '.join(fitting)}" if fitting else "",
            )
