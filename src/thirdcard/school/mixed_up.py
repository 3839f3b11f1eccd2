"""What somebody may have mixed up: where a wrong answer would have been right, by which paragraph.

It is looked for where wrong choices come from: another document, the cell or branch beside it, what people
answer. Amounts are worked out as they usually go wrong. What is not recognised is not guessed at.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import Final

from thirdcard.cards import parse_cards
from thirdcard.play import bets as bet_rules
from thirdcard.play import insurance as insurance_rules
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import INITIAL, Deal, points
from thirdcard.rulebook.conditions import sight_of_all, winner_of
from thirdcard.rulebook.facts import every_fact, fits
from thirdcard.rulebook.model import Facts, Insurance, Offer, Procedure, Rulebook, Ruling, Side, TableOfPlay
from thirdcard.school.changed_items import other_documents
from thirdcard.school.dealt_hands import insurance_of
from thirdcard.school.insurance_items import open_for
from thirdcard.school.item_types import (
    Because,
    BetLine,
    InsuranceFacts,
    Item,
    ItemKind,
    ItemPart,
    ResultFacts,
    RuleFacts,
    SpotFacts,
    SqueezeFacts,
    ThirdCardFacts,
)
from thirdcard.school.items import mark
from thirdcard.school.making import because
from thirdcard.school.mixed_amounts import bet_elsewhere, by_another, insurance_cap, limits, pay, row_told
from thirdcard.school.progress import Given
from thirdcard.school.rule_items import LETS_CHOOSE, NOBODY, effect_of, fits_as_far, touches
from thirdcard.school.spot_items import NOTHING, STEP, STOP_WITHIN_MS, error_rules, first_moment
from thirdcard.school.squeeze_items import DEALER, may_squeeze

POINTS = range(10)
RANKS = ("allows", "lets")  # parts that are answered with one


def mixed_up(item: Item, book: Rulebook, answers: Mapping[str, Given]) -> Because | None:
    """Of the first part that is wrong and recognised; None where nothing is."""
    right = mark(item, answers).parts
    wrong = [
        part
        for part in item.parts
        if part.name in answers and not right[part.name] and _is_offered(part, answers[part.name])
    ]
    for part in wrong:
        slip = RECOGNISED[item.kind](item, book, part, answers[part.name])
        if slip is not None:
            return slip
    if any(f"{part.name}:{answers[part.name]}" in item.recorded for part in wrong):
        return because("mixed-recorded")
    return None


def _is_offered(part: ItemPart, given: Given) -> bool:
    """Whether it is one of the answers there are: an amount or a moment, or what was there to choose."""
    if isinstance(given, int):
        return True
    return {given} <= _choices(part) if isinstance(given, str) else {*given} <= _choices(part)


def _choices(part: ItemPart) -> set[str]:
    return {choice.key for choice in part.choices}


def _changed(item: Item, book: Rulebook, part: ItemPart, given: Given) -> Because | None:
    """What the other of the two documents says; of an amount also how it usually goes wrong."""
    other = next((item_part for item_part in item.parts if item_part.name != part.name), None)
    if other is not None and other.answer == given:
        return because("mixed-exchanged", other.paragraphs, book=str(other.asks.blanks["book"]))
    return bet_elsewhere(item, book, part, given)


# --- rulings ----------------------------------------------------------------------------------------------


def _rule(item: Item, book: Rulebook, part: ItemPart, given: Given) -> Because | None:
    """The same case in another document, another branch, another case, the next rank."""
    facts = item.facts
    if not isinstance(facts, RuleFacts):
        return None
    own = next(procedure for procedure in book.procedures if procedure.case == facts.case)
    if part.name.startswith("back-"):
        return _back(facts, part, given)
    if part.name == "paragraph":
        return _elsewhere(book, own, facts, lambda ruling: touches(str(given), ruling.rules), others=False)
    is_given: Callable[[Ruling], bool] = {
        "who": lambda ruling: ruling.decides == given,
        "remedy": lambda ruling: effect_of(ruling.remedy) == effect_of(tuple(str(given).split())),
        "options": lambda ruling: _choice(ruling) == given,
    }[part.name]
    return _elsewhere(book, own, facts, is_given, others=part.name != "who")


def _choice(ruling: Ruling) -> str:
    return next((LETS_CHOOSE[name] for name in ruling.remedy if name in LETS_CHOOSE), NOBODY)


def _elsewhere(
    book: Rulebook, own: Procedure, facts: RuleFacts, is_given: Callable[[Ruling], bool], *, others: bool
) -> Because | None:
    """Where a ruling has what was answered; ranks and paragraphs are each document's own."""
    established = facts.established
    for other in other_documents(book) if others else ():
        for about in own.about:
            there = other.procedure(about)
            for ruling in there.rulings if there else ():
                if fits_as_far(ruling.when, established) and is_given(ruling):
                    return Because(by_another(other, ruling.rules))
    for ruling in own.rulings:
        if is_given(ruling) and not fits(ruling.when, dict(established)):
            apart = _apart(own, ruling.when, established)
            if apart:
                return because("mixed-branch", ruling.rules, facts=apart)
    return _in_a_case((procedure for procedure in book.procedures if procedure is not own), is_given)


def _in_a_case(procedures: Iterable[Procedure], is_given: Callable[[Ruling], bool]) -> Because | None:
    """A case that is ruled so."""
    for procedure in procedures:
        for ruling in filter(is_given, procedure.rulings):
            return because("mixed-case", ruling.rules, case=procedure.case, title=procedure.title)
    return None


def _apart(own: Procedure, when: Facts, established: Mapping[str, str | bool]) -> str:
    """Facts of another branch that are not so here: those of the nearest that has it."""
    found = [one for one in every_fact(own) if fits(when, one)]
    told = [
        [f"{name}={value}" for name, value in one.items() if established.get(name) != value] for one in found
    ]
    nearest = min(told, key=len, default=[])
    return " ".join(nearest)


def _back(facts: RuleFacts, part: ItemPart, given: Given) -> Because | None:
    """All of it is what a void returns; nothing, what goes on; one bet of several, what is not decided."""
    patron = part.asks.blanks["patron"]
    stakes = [line.stake for line in facts.lines if line.patron == patron]
    if given == sum(stakes):
        return because("mixed-back-void", part.paragraphs)
    if given == 0:
        return because("mixed-back-none", part.paragraphs)
    return because("mixed-back-one", part.paragraphs) if given in stakes else None


# --- squeezing --------------------------------------------------------------------------------------------


def _squeeze(item: Item, book: Rulebook, part: ItemPart, given: Given) -> Because | None:
    """The other way to find who is first, another method, another rank."""
    facts = item.facts
    if not isinstance(facts, SqueezeFacts):
        return None
    if part.name in ("right", "turns") and part.answer != DEALER:
        return _first(facts, book, str(given))
    if part.name == "leave":
        return _leave(book)
    for method in (method for method in book.dealing if method.name != facts.method):
        says_so = {
            "device": _device(method.device) == given,
            "handles": method.handles == given,
            "turns": may_squeeze(method),
            "allows": method.allowed_by == given,
        }
        if says_so.get(part.name):
            return because("mixed-method", method.rules, method=method.name)
    decided = book.procedures if part.name in RANKS else ()
    return _in_a_case(decided, lambda ruling: ruling.decides == given)


def _device(device: str) -> str:
    return "dealer" if device == "dealer" else "players"


def _leave(book: Rulebook) -> Because | None:
    for other in other_documents(book):
        if other.squeeze.right != book.squeeze.right:
            return Because(by_another(other, other.squeeze.rules))
    return None


def _first(facts: SqueezeFacts, book: Rulebook, given: str) -> Because | None:
    hand, rights = Side(facts.hand), book.squeeze
    there = [line for line in facts.lines if line.seated or not rights.seated_only]
    standing = {line.patron for line in facts.lines if not line.seated}
    ways: dict[str, list[BetLine]] = {
        "mixed-largest-total": [line for line in there if line.bet == hand.value],
        "mixed-other-hand-total": [line for line in there if line.bet == hand.other.value],
        "mixed-table-total": there,
    }
    if rights.seated_only and given in standing:
        return because("mixed-standing", rights.rules, patron=given)
    if max(there, key=lambda line: line.stake).patron == given:
        return because("mixed-largest-bet", rights.rules, patron=given)
    for key, lines in ways.items():
        if _leader(lines) == given:
            return because(key, rights.rules, patron=given, hand=hand)
    return None


def _leader(lines: list[BetLine]) -> str | None:
    totals: dict[str, int] = {}
    for line in lines:
        totals[line.patron] = totals.get(line.patron, 0) + line.stake
    return max(totals, key=totals.__getitem__, default=None)


# --- third cards ------------------------------------------------------------------------------------------


def _third_card(item: Item, book: Rulebook, part: ItemPart, given: Given) -> Because | None:
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
    near = _nearest(
        own,
        [banker_draw for banker_draw, against in table.banker_draws.items() if (third in against) == draws],
    )
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


def _result(item: Item, book: Rulebook, part: ItemPart, given: Given) -> Because | None:
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
    results = {name: bet_rules.result(book.bets[name], outcome) for name in sorted(said ^ right)}
    for name, result_ in results.items():
        if name in said and result_.verdict == "push":
            return because("why-push", result_.rules, bet=name)
    for other in other_documents(book):
        for name in (one for one in results if one in said and one in other.bets):
            there = bet_rules.result(other.bets[name], outcome_of(deal, sight_of_all(other)))
            if there.verdict == "win":
                return Because(by_another(other, there.rules, bet=name))
    for name, result_ in results.items():
        if name in right and result_.tier is not None:
            return because("why-win", result_.rules, bet=name, odds=result_.tier.odds.text)
    return None


# --- insurance --------------------------------------------------------------------------------------------


def _insurance(item: Item, book: Rulebook, part: ItemPart, given: Given) -> Because | None:
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


def _spot(item: Item, book: Rulebook, part: ItemPart, given: Given) -> Because | None:
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


RECOGNISED: Final[dict[ItemKind, Callable[[Item, Rulebook, ItemPart, Given], Because | None]]] = {
    "third-card": _third_card,
    "result": _result,
    "pay": pay,
    "insurance": _insurance,
    "limits": limits,
    "squeeze": _squeeze,
    "spot": _spot,
    "rule": _rule,
    "changed": _changed,
}
