"""Wrong answers about cards: the cell of the Table of Play, the total or the row that they belong to."""

from collections.abc import Iterator
from itertools import product

from thirdcard.cards import parse_cards
from thirdcard.play import bets as bet_rules
from thirdcard.play import insurance as insurance_rules
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import INITIAL, Deal, points
from thirdcard.rulebook.conditions import sight_of_all, winner_of
from thirdcard.rulebook.model import Insurance, Offer, Rulebook, Side, TableOfPlay
from thirdcard.school.changed_items import other_documents
from thirdcard.school.dealt_hands import insurance_of
from thirdcard.school.insurance_items import open_for
from thirdcard.school.item_types import (
    Because,
    InsuranceFacts,
    ItemPart,
    ResultFacts,
    SpotFacts,
    ThirdCardFacts,
)
from thirdcard.school.items import Item
from thirdcard.school.making import because
from thirdcard.school.mixed_amounts import by_another, insurance_cap, row_told
from thirdcard.school.progress import Given
from thirdcard.school.spot_items import NOTHING, STEP, STOP_WITHIN_MS, error_rules, first_moment

POINTS = range(10)


# --- third cards ------------------------------------------------------------------------------------------


def third_card(item: Item, book: Rulebook, part: ItemPart, given: Given) -> Because | None:
    """The cell in which that would have been right: the nearest of those that are taken for this one."""
    facts, table = item.facts, book.table_of_play
    if not isinstance(facts, ThirdCardFacts):
        return None
    cards = parse_cards(facts.cards)
    first = Deal(table, cards[:INITIAL])
    if part.name == "pairs":
        return _pair(book, first, part, given)
    side = Side(part.name)
    if "natural" in (given, part.answer):
        return _natural(table, first, side, given)
    if side is Side.PLAYER:
        near = _nearest(first.player_points, [*_standing_or_drawing(table, given)])
        return None if near is None else because(f"mixed-player-{given}", table.rules[:1], points=near)
    drawn = first.player_points in table.player_draws
    third = (*cards[INITIAL:], *parse_cards(facts.coming))[0].points if drawn else None
    return next(_banker_cells(table, first, third, str(given)), None)


def _natural(table: TableOfPlay, first: Deal, side: Side, given: Given) -> Because:
    """A natural that is none, or one that was overlooked."""
    own = first.points(side)
    would = "draw" if own in table.player_draws else "stand"
    if side is Side.PLAYER and own not in table.natural and given == would:
        return because(f"mixed-no-natural-{given}", table.rules[:1], points=own)
    told = " ".join(map(str, table.natural))
    return because("mixed-natural", table.rules[:1], numbers=told)


def _standing_or_drawing(table: TableOfPlay, given: Given) -> Iterator[int]:
    """The Player's totals on which that is done."""
    for one in POINTS:
        if one not in table.natural and (one in table.player_draws) == (given == "draw"):
            yield one


def _banker_cells(table: TableOfPlay, first: Deal, third: int | None, given: str) -> Iterator[Because]:
    draws, own = given == "draw", first.banker_points
    alone = table.banker_draws_if_player_stands
    if third is None:
        near = _nearest(
            own, [point for point in POINTS if (point in table.banker_draws.get(own, ())) == draws]
        )
        if near is not None:
            yield because(f"mixed-against-{given}", table.rules[-1:], points=own, third=near)
        others = [draw for draw in table.banker_draws if (draw in alone) == draws]
        near = _nearest(own, others)
        if near is not None:
            yield because(f"mixed-alone-{given}", table.rules[:1], points=near)
        return
    if (own in alone) == draws:
        yield because(f"mixed-alone-{given}", table.rules[:1], points=own)
    total = (first.player_points + third) % 10
    if total != third and (total in table.banker_draws[own]) == draws:
        yield because(f"mixed-total-{given}", table.rules[-1:], points=own, third=total)
    near = _nearest(third, [point for point in POINTS if (point in table.banker_draws[own]) == draws])
    if near is not None:
        yield because(f"mixed-against-{given}", table.rules[-1:], points=own, third=near)
    near = _nearest(own, [one for one, against in table.banker_draws.items() if (third in against) == draws])
    if near is not None:
        yield because(f"mixed-against-{given}", table.rules[-1:], points=near, third=third)


def _nearest(to: int, some: list[int]) -> int | None:
    return min(some, key=lambda one: (abs(one - to), one), default=None)


def _pair(book: Rulebook, first: Deal, part: ItemPart, given: Given) -> Because | None:
    """Equal points that are no pair, or a pair that was overlooked."""
    said, right = _keys(given), _keys(part.answer)
    for side in Side:
        one, other = first.hand(side)[:2]
        bet = book.bets.get(f"{side}-pair")
        if side.value in said - right and one.points == other.points:
            return because("mixed-pair-points", bet.rules if bet else (), hand=side.value)
    return None


def _keys(given: Given) -> set[str]:
    return {*given} if isinstance(given, (tuple, list)) else set()


# --- results ----------------------------------------------------------------------------------------------


def result(item: Item, book: Rulebook, part: ItemPart, given: Given) -> Because | None:
    """Hands the wrong way round, the first two cards alone, a push taken for a win, another document."""
    if not isinstance(item.facts, ResultFacts):
        return None
    deal = Deal(book.table_of_play, parse_cards(item.facts.cards))
    if part.name == "pairs":
        return _pair(book, deal, part, given)
    if part.name == "winning":
        return _winning(book, deal, _keys(given), _keys(part.answer))
    return _totals(deal, part, given)


def _totals(deal: Deal, part: ItemPart, given: Given) -> Because | None:
    two = {side: points(deal.hand(side)[:2]) for side in Side}
    if part.name == "winner":
        if winner_of(two[Side.PLAYER], two[Side.BANKER]) == given:
            return because("mixed-first-two")
        return None if "tie" in (given, part.answer) else because("mixed-swapped")
    side = Side(part.name.removesuffix("-total"))
    if given == str(deal.points(side.other)):
        return because("mixed-other-total", hand=side.other.value)
    return because("mixed-first-two") if given == str(two[side]) else None


def _winning(book: Rulebook, deal: Deal, said: set[str], right: set[str]) -> Because | None:
    outcome = outcome_of(deal, sight_of_all(book))
    came = {name: bet_rules.result(book.bets[name], outcome) for name in sorted(said ^ right)}
    for name, result_ in came.items():
        if name in said and result_.verdict == "push":
            return because("why-push", result_.rules, bet=name)
    for other in other_documents(book):
        for name in (one for one in came if one in said and one in other.bets):
            there = bet_rules.result(other.bets[name], outcome_of(deal, sight_of_all(other)))
            if there.verdict == "win":
                return Because(by_another(other, there.rules, bet=name))
    for name, result_ in came.items():
        if name in right and result_.tier is not None:
            return because("why-win", result_.rules, bet=name, odds=result_.tier.odds.text)
    return None


# --- insurance --------------------------------------------------------------------------------------------


def insurance(item: Item, book: Rulebook, part: ItemPart, given: Given) -> Because | None:
    """Another document, the points or the row beside these, who may not, the other way to cap it."""
    if not isinstance(item.facts, InsuranceFacts):
        return None
    deal, own = Deal(book.table_of_play, parse_cards(item.facts.cards)), insurance_of(book)
    if part.name == "open":
        return _open(book, own, deal, str(given))
    if part.name == "who":
        return _who(item.facts, own, _keys(given), _keys(part.answer))
    if part.name == "cap":
        return insurance_cap(item.facts, book, part, given, _offer(own, deal, part))
    if part.name == "odds":
        return _odds(own, deal, str(part.asks.blanks["hand"]), str(given))
    return _tie(own, str(given))


def _offer(insurance: Insurance, deal: Deal, part: ItemPart) -> Offer:
    hand = part.asks.blanks["hand"]
    return next(offer for offer in insurance_rules.open_offers(insurance, deal) if offer.hand.value == hand)


def _open(book: Rulebook, own: Insurance, deal: Deal, given: str) -> Because | None:
    for other in other_documents(book):
        if (
            other.insurance is not None
            and open_for(insurance_rules.open_offers(other.insurance, deal)) == given
        ):
            return Because(by_another(other, other.insurance.rules))
    window = len(deal.cards) - INITIAL + 1
    cells = {cell: insurance_rules.rows_at(own, window, *cell) for cell in product(POINTS, repeat=2)}
    wanted = {"no": set[str](), "both": {side.value for side in Side}}.get(given, {given})
    near = [cell for cell, rows in cells.items() if {row.hand.value for row in rows} == wanted]
    if given == "no" or not near:
        return None
    at = deal.player_points, deal.banker_points
    player, banker = min(near, key=lambda one: (abs(one[0] - at[0]) + abs(one[1] - at[1]), one))
    rules = cells[player, banker][0].rules
    return because("mixed-points", rules, player=player, banker=banker)


def _who(facts: InsuranceFacts, own: Insurance, said: set[str], right: set[str]) -> Because | None:
    lines = {line.patron: line for line in facts.lines}
    for patron in sorted(said - right):
        return because("mixed-not-on-hand", own.rules, patron=patron, bet=lines[patron].bet)
    for patron in sorted(right - said):
        if not lines[patron].seated:
            return because("mixed-standing-too", own.rules, patron=patron)
    return None


def _odds(own: Insurance, deal: Deal, hand: str, given: str) -> Because | None:
    """The row that has these odds, the nearest to these points."""
    rows = [row for row in own.offers if row.odds.text == given]
    if not rows:
        return None
    window = len(deal.cards) - INITIAL + 1
    near = min(
        rows,
        key=lambda row: (
            row.window != window,
            row.hand.value != hand,
            abs(row.player.low - deal.player_points) + abs(row.banker.low - deal.banker_points),
        ),
    )
    return Because(row_told(near), near.rules)


def _tie(own: Insurance, given: str) -> Because | None:
    """A tie returns insurance, but for a row that says otherwise."""
    if given == "push":
        return because("mixed-tie-push", own.tie.rules)
    special = next((row for row in own.offers if row.tie_paid), None)
    if given != "win" or special is None or special.tie_paid is None:
        return None
    points_ = {"player": str(special.player), "banker": str(special.banker)}
    return because("mixed-tie-paid", special.tie_paid.rules, **points_)


# --- replays ----------------------------------------------------------------------------------------------


def spot(item: Item, book: Rulebook, part: ItemPart, given: Given) -> Because | None:
    """Stopped before the error, or after it had counted; by what another error would have shown."""
    if part.name != STEP and isinstance(given, str) and given != NOTHING:
        return because(f"mixed-error-{given}", error_rules(book, given))
    if not isinstance(item.facts, SpotFacts) or part.answer == NOTHING or type(given) is not int:
        return None
    seen = first_moment(item.facts, part.answer)
    if given < seen:
        return because("mixed-stopped-early")
    late = f"{(given - seen) / 1000:.1f}"
    return because("mixed-stopped-late", seconds=late, most=STOP_WITHIN_MS // 1000)
