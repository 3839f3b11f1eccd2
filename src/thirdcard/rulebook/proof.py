"""Checks proved over everything that can be dealt, each fault with the smallest round that shows it."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import combinations, product
from math import prod
from typing import Final, NamedTuple, TypeAlias

import msgspec

from thirdcard.cards import Rank
from thirdcard.money import format_dollars
from thirdcard.rulebook.conditions import (
    NATURALS,
    Outcome,
    Ranks,
    Sight,
    matches,
    pairs_of,
    sight_of,
    sight_of_whens,
)
from thirdcard.rulebook.facts import every_fact, fits
from thirdcard.rulebook.model import (
    Bet,
    HandWhen,
    Insurance,
    Offer,
    Procedure,
    Rulebook,
    Side,
    Suits,
    TableOfPlay,
    When,
)
from thirdcard.rulebook.third_cards import next_by_points, play_out

Proved: TypeAlias = tuple[str, str, str]  # key, what is the matter, and an example

TOTALS: Final = range(10)
CHIPS: Final = (20, 100, 200, 500, 1000, 2500, 10_000, 50_000, 100_000)  # chip units that there are, in cents
MOST_SEEN: Final = 1024  # ways in which ranks by place and suits may matter to one bet
SUIT_LETTERS: Final = {None: "SS", Suits.SAME: "SS", Suits.COLOUR: "SC", Suits.MIXED: "SH"}


def proved_faults(book: Rulebook) -> Iterator[Proved]:
    open_totals = list(_table_faults(book.table_of_play))
    yield from open_totals
    if open_totals:  # nothing can be dealt by such a table
        return
    table = _same_for_all(
        book.table_of_play.natural,
        book.table_of_play.player_draws,
        book.table_of_play.banker_draws_if_player_stands,
        tuple(book.table_of_play.banker_draws.items()),
    )
    for name, bet in book.bets.items():
        yield from _bet_faults(table, name, bet)
    yield from _commission_faults(table, book)
    if book.insurance:
        yield from _insurance_faults(table, book.insurance)
    for procedure in book.procedures:
        yield from _procedure_faults(procedure)


@lru_cache(maxsize=16)
def _same_for_all(
    natural: tuple[int, ...],
    player: tuple[int, ...],
    alone: tuple[int, ...],
    banker: tuple[tuple[int, tuple[int, ...]], ...],
) -> TableOfPlay:
    """One table for all books that draw alike, so that what follows from it is worked out once."""
    return TableOfPlay(
        natural=natural,
        player_draws=player,
        banker_draws_if_player_stands=alone,
        banker_draws=dict(banker),
    )


# --- rounds -----------------------------------------------------------------------------------------------


class _Hand(NamedTuple):
    """A hand's first two cards as far as a bet looks, and the cards: the smallest of their kind."""

    total: int
    pair: Rank | None
    seen: Ranks
    suits: Suits | None
    cards: tuple[str, str]


class Dealt(NamedTuple):
    """An outcome and the smallest round that ends in it, as the cards are drawn."""

    outcome: Outcome
    cards: str


@lru_cache(maxsize=64)
def every_outcome(table: TableOfPlay, sight: Sight) -> tuple[Dealt, ...]:
    """Every outcome that can be dealt, as closely as a bet looks, those of the fewest cards first."""
    found: dict[Outcome, str] = {}
    thirds = _thirds(sight)
    endings = {
        totals: list(dict.fromkeys(_ending(table, *totals, *drawn) for drawn in thirds))
        for totals in product(TOTALS, TOTALS)
    }
    for player, banker in product(_hands(sight, 0), _hands(sight, 1)):
        pairs = pairs_of(player.pair, banker.pair)
        suits = (player.suits, banker.suits) if any(sight.suits) else ()
        for ending, players, bankers in endings[player.total, banker.total]:
            ranks: Ranks = ()
            if any(sight.ranks):
                ranks = (*player.seen, _at(sight, 2, players), *banker.seen, _at(sight, 5, bankers))
            outcome = Outcome(*ending, pairs, ranks, suits)
            if outcome not in found:
                cards = [player.cards[0], banker.cards[0], player.cards[1], banker.cards[1]]
                cards += [f"{third.letter}D" for third in (players, bankers) if third]
                found[outcome] = " ".join(cards)
    return tuple(sorted((Dealt(*one) for one in found.items()), key=lambda one: len(one.cards)))


def _ending(
    table: TableOfPlay, player: int, banker: int, fifth: Rank, sixth: Rank
) -> tuple[tuple[int, int, int, int], Rank | None, Rank | None]:
    """How a round ends, and the third cards of both hands."""
    ending = play_out(table, player, banker, (fifth.points, sixth.points))
    drew_player, drew_banker = ending[2] > 2, ending[3] > 2  # noqa: PLR2004 - a third card
    bankers = sixth if drew_player else fifth
    return ending, fifth if drew_player else None, bankers if drew_banker else None


def _hands(sight: Sight, side: int) -> list[_Hand]:
    """One hand of each kind that can be told apart."""
    found: dict[tuple[object, ...], _Hand] = {}
    kinds = tuple(Suits) if sight.suits[side] else (None,)
    for first, second, suits in product(Rank, Rank, kinds):
        letters = SUIT_LETTERS[suits]
        hand = _Hand(
            (first.points + second.points) % 10,
            first if first is second else None,
            (sight.of(3 * side, first), sight.of(3 * side + 1, second)),
            suits,
            (first.letter + letters[0], second.letter + letters[1]),
        )
        found.setdefault(hand[:4], hand)
    return list(found.values())


def _thirds(sight: Sight) -> list[tuple[Rank, Rank]]:
    """Third cards of each kind that can be told apart."""
    kinds = {(rank.points, *(sight.of(place, rank) for place in (2, 5))): rank for rank in reversed(Rank)}
    ranks = sorted(kinds.values())
    return list(product(ranks, ranks))


def _at(sight: Sight, place: int, rank: Rank | None) -> Rank | None:
    return None if rank is None else sight.of(place, rank)


def _example(dealt: Iterable[Dealt], fitting: Callable[[Outcome], bool]) -> str:
    """The smallest round whose outcome fits, empty if there is none."""
    return next((one.cards for one in dealt if fitting(one.outcome)), "")


# --- the Table of Play ------------------------------------------------------------------------------------


def _table_faults(table: TableOfPlay) -> Iterator[Proved]:
    """Every total of both hands is spoken of once."""
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
        told = f"expected a line for each of {sorted(standing)}: nothing is said of {missing[0]}"
        drawing = min(set(table.player_draws) - set(table.natural), default=0)
        yield "table_of_play.banker_draws", told, _start(drawing, missing[0])
    for total in sorted(beyond):
        yield "table_of_play.banker_draws", f"a line for {total}, which is a natural", _start(0, total)


def _listed_faults(key: str, numbers: tuple[int, ...]) -> Iterator[Proved]:
    if any(number not in TOTALS for number in numbers):
        yield key, "points are 0 to 9", ""
    if len(set(numbers)) < len(numbers):
        yield key, "a number is listed twice", ""


def _start(player: int, banker: int) -> str:
    """Four cards with these totals: the king adds nothing."""
    letters = {total: "K" if not total else Rank(total).letter for total in TOTALS}
    return f"KS KH {letters[player % 10]}S {letters[banker % 10]}H"


# --- bets -------------------------------------------------------------------------------------------------


def _bet_faults(table: TableOfPlay, name: str, bet: Bet) -> Iterator[Proved]:
    sight = sight_of(bet)
    ways = prod(len(ranks) + 1 for ranks in sight.ranks) * prod(len(Suits) if s else 1 for s in sight.suits)
    if ways > MOST_SEEN:
        yield f"bets.{name}", f"tells {ways:,} kinds of hands apart: at most {MOST_SEEN:,} can be", ""
        return
    dealt = every_outcome(table, sight)
    if not any(_asks_for_pairs(when) for when in bet.whens):
        dealt = _without_pairs(dealt)
    lines = [(f"pays[{number}]", tier.tier, tier.when) for number, tier in enumerate(bet.pays)]
    lines += [(f"push {push.tier!r}", push.tier, push.when) for push in bet.every_push]
    won = {key: _won(dealt, when) for key, _, when in lines}
    for key, tier, when in lines:
        if not won[key]:
            yield f"bets.{name}.{key}", f"{tier!r} can never come about", _never(table, when)
        yield from ((f"bets.{name}.{key}.when", told, "") for told in _senseless(table, when))
    for (first, one, _), (second, other, _) in combinations(lines, 2):
        both = won[first] & won[second]
        if both:
            yield f"bets.{name}.{second}", f"{other!r} overlaps {one!r}", dealt[min(both)].cards
    for number, pay in enumerate(bet.pays):
        if not any(pay.odds.is_exact(unit) for unit in CHIPS):
            stake = CHIPS[1]
            told = f"{format_dollars(stake)} wins {pay.odds.winnings(stake)} cents"
            example = _example(dealt, lambda outcome, when=pay.when: matches(when, outcome))  # type: ignore[misc]
            yield f"bets.{name}.pays[{number}].odds", f"no chip unit makes {pay.odds} exact: {told}", example


def _won(dealt: tuple[Dealt, ...], when: When) -> set[int]:
    """The numbers of the outcomes that fit."""
    return {number for number, one in enumerate(dealt) if matches(when, one.outcome)}


@lru_cache(maxsize=64)
def _without_pairs(dealt: tuple[Dealt, ...]) -> tuple[Dealt, ...]:
    """One of each where pairs do not matter."""
    found: dict[Outcome, Dealt] = {}
    for one in dealt:
        found.setdefault(msgspec.structs.replace(one.outcome, pairs="none"), one)
    return tuple(found.values())


def _asks_for_pairs(when: When) -> bool:
    return when.pair is not None or any(hand.pair is not None for hand in _hand_conditions(when))


def _senseless(table: TableOfPlay, when: When) -> Iterator[str]:
    """Conditions that contradict the Table of Play or say nothing."""
    natural = [hand.natural for hand in _hand_conditions(when) if hand.natural is not None]
    if natural and set(table.natural) != set(NATURALS):
        yield "a natural is 8 or 9 in two cards, but not in this Table of Play: name total and cards instead"
    if when.pair_suits and when.pair is None:
        yield "pair_suits without pair"


def _hand_conditions(when: When) -> list[HandWhen]:
    return [hand for hand in (when.player, when.banker, when.winning, when.losing) if hand is not None]


def _never(table: TableOfPlay, when: When) -> str:
    """The nearest that comes about: a round that fits the same winner, if there is one."""
    dealt = every_outcome(table, sight_of_whens(()))
    nearest = _example(dealt, lambda outcome: outcome.winner in when.winner)
    return f"not by {nearest}, nor by any other round" if nearest else ""


def _commission_faults(table: TableOfPlay, book: Rulebook) -> Iterator[Proved]:
    """What Banker pays is 1 to 1 less the commission on that win."""
    commission, banker = book.commission, book.bets.get("banker")
    if commission is None or banker is None:
        return
    whens = [*banker.whens, *(one.when for one in commission.except_when)]
    for one in every_outcome(table, sight_of_whens(whens)):
        paid = next((tier for tier in banker.pays if matches(tier.when, one.outcome)), None)
        if paid is None or one.outcome.winner != "banker":
            continue
        others = (other.rate for other in commission.except_when if matches(other.when, one.outcome))
        rate = next(others, commission.rate)
        if paid.odds.ratio != 1 - rate:
            told = f"does not pay 1 to 1 less the commission of {rate}"
            yield "bets.banker.pays", f"{told} on {paid.tier!r}", one.cards
            return


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
        for window, player, banker in at:
            before = taken.setdefault((offer.hand, window, player, banker), number)
            if before != number:
                told = f"overlaps offers[{before}] at Player {player}, Banker {banker}"
                moment = moments.get((window, player, banker))
                yield key, told, moment.cards if moment else _start(player, banker)
        if not opened:
            _, player, banker = at[0]
            yield key, "can never be offered: no card is due then", _start(player, banker)
        elif not any(moment.winners - {offer.hand, None if offer.tie_paid else "tie"} for moment in opened):
            yield key, f"can never pay: the {offer.hand.label} cannot lose from there", opened[0].cards
        yield from _tie_faults(insurance, offer, key, opened)


def _tie_faults(insurance: Insurance, offer: Offer, key: str, opened: list[_Moment]) -> Iterator[Proved]:
    """A tie is returned, or paid as the exception of a row says, and that row can end in one."""
    if offer.tie_paid is None:
        return
    if offer.window == 1:
        example = opened[0].cards if opened else ""
        yield (
            f"{key}.tie_paid",
            "pays a tie in the first window, when it is open which tie that will be",
            example,
        )
    elif opened and not any("tie" in moment.winners for moment in opened):
        yield f"{key}.tie_paid", "pays a tie where there can be none", opened[0].cards
    if offer.tie_paid.rules and offer.tie_paid.rules == insurance.tie.rules:
        told = f"{', '.join(insurance.tie.rules)} cannot both return a tie and pay it"
        yield f"{key}.tie_paid", told, opened[0].cards if opened else ""


# --- irregularities ---------------------------------------------------------------------------------------


def _procedure_faults(procedure: Procedure) -> Iterator[Proved]:
    """Exactly one ruling fits any facts."""
    for facts in every_fact(procedure):
        fitting = [str(number) for number, one in enumerate(procedure.rulings) if fits(one.when, facts)]
        if len(fitting) != 1:
            told = ", ".join(f"{name} {value}" for name, value in facts.items()) or "any facts"
            counted = f"{len(fitting)} rulings fit {told}: expected one"
            yield (
                f"procedures.{procedure.case}",
                counted,
                f"rulings {' and '.join(fitting)}" if fitting else "",
            )
