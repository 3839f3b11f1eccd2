"""Items mined from a table's log: rounds as they were dealt and bet on, and rulings that were asked for.

People go by letters. What an irregularity touched, what an interpretation decides and what does not fit an
item is left out.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import msgspec

from thirdcard.errors import BadInput
from thirdcard.play import bets as bet_rules
from thirdcard.play.insurance import open_window
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import INITIAL, Deal
from thirdcard.rulebook.conditions import sight_of_all
from thirdcard.rulebook.facts import fits
from thirdcard.rulebook.model import Rulebook, Side
from thirdcard.school import insurance_items, pay_items, result_items, rule_items, third_card_items
from thirdcard.school.chance import SeededChance
from thirdcard.school.item_types import BetLine, Item, ItemKind
from thirdcard.school.items import finished_item, is_sound
from thirdcard.school.making import Ground, Made
from thirdcard.school.patrons import PATRONS
from thirdcard.strict import fields_of
from thirdcard.table.events import AnyEvent, IrregularityRuled, RoundSettled
from thirdcard.table.evolve import evolve, replay
from thirdcard.table.state import Round, State
from thirdcard.words.bet_names import INSURANCE

MOST_LINES = pay_items.MOST_LINES
SEED = "log"  # of all mined items: the round is their chance
replace = msgspec.structs.replace
MinedItem: TypeAlias = tuple[ItemKind, str, Made | None]  # its kind, the skill, and what was made of it


def mined(
    log: Iterable[AnyEvent],
    *,
    table: str = "",
    level: int = 2,
    start: State | None = None,
    only: Callable[[Rulebook], bool] | None = None,
) -> list[Item]:
    """Every item that a log has in it, in its order; `number` is the round's.

    Of a part of a log, `start` is how the table lay before it; `only` leaves out what other rulebooks say.
    No two have the same names.
    """
    items: dict[tuple[int, str, str], Item] = {}
    for ground, number, kind, skill, question in _mined(log, level, start, only or (lambda _: True)):
        if question is not None and is_sound(question):
            items[number, kind, skill] = finished_item(question, kind, ground, skill, SEED, number)
    return [replace(item, table=table) for item in items.values()] if table else [*items.values()]


def _mined(
    log: Iterable[AnyEvent], level: int, start: State | None, only: Callable[[Rulebook], bool]
) -> Iterator[tuple[Ground, int, ItemKind, str, Made | None]]:
    state = start
    for event in log:
        before = state
        state = replay((event,)) if state is None else evolve(state, event)
        if not isinstance(event, (RoundSettled, IrregularityRuled)) or before is None:
            continue
        if before.round is None or not only(before.rulebook):
            continue
        number, chance = before.round.number, SeededChance(f"{SEED}\n{before.round.number}")
        ground = fields_of(Ground, before.setup, level=level, chance=chance)
        if isinstance(event, IrregularityRuled):
            question = _of_ruling(ground, event)
        else:
            question = iter(()) if before.round.irregularities else _of_round(ground, before.round)
        for kind, skill, item in question:
            yield ground, number, kind, skill, item


def _of_round(ground: Ground, current: Round) -> Iterator[MinedItem]:
    cards, table = current.seen, ground.book.table_of_play
    deal = Deal(table, cards)
    if deal.next is not None or deal.left_over or len(cards) != len(current.drawn):
        return
    before = ""
    for side in Side:
        then = cards[:INITIAL] if side is Side.PLAYER else cards[: INITIAL + max(len(deal.player) - 2, 0)]
        skill = third_card_items.skill_of(table, then, side)
        if skill != before:  # a natural ends both hands: it is asked once, since a name is one item
            yield "third-card", skill, third_card_items.of_cards(ground, then, side)
        before = skill
    outcome = outcome_of(deal, sight_of_all(ground.book))
    results = {name: bet_rules.result(ground.book.bets[name], outcome) for name in ground.bets}
    won = next((name for name in ground.bets if results[name].verdict == "win"), "")
    if won:
        yield "result", f"result/{won}/{results[won].name}", result_items.of_deal(ground, deal, won)
    yield from _of_box(ground, current, deal)
    yield from _of_windows(ground, deal)


def _of_box(ground: Ground, current: Round, deal: Deal) -> Iterator[MinedItem]:
    """The fullest box, if all of it played as it lay."""
    if current.played or current.late or current.early:
        return
    boxes: dict[int, list[BetLine]] = {}
    players = dict.fromkeys(stake.player for stake in current.stakes.values())
    letters = dict(zip(players, PATRONS, strict=False))
    for stake in current.stakes.values():
        if stake.player in letters:
            line = fields_of(BetLine, stake, patron=letters[stake.player], stake=stake.cents, order=0)
            boxes.setdefault(line.box, []).append(line)
    for bought in current.purchases:
        if bought.player in letters and not bought.late:
            who, bet = letters[bought.player], f"{bought.hand}{INSURANCE}"
            line = fields_of(BetLine, bought, patron=who, bet=bet, stake=bought.cents)
            boxes.setdefault(line.box, []).append(line)
    if not boxes:
        return
    lines = max(boxes.values(), key=len)[:MOST_LINES]
    lines.sort(key=lambda line: line.window, reverse=True)
    try:
        question = pay_items.of_deal(ground, deal, tuple(lines))
    except BadInput:  # insurance at a row that a corrected card took away
        return
    yield "pay", pay_items.skill_of(ground, deal, lines[0]), question


def _of_windows(ground: Ground, deal: Deal) -> Iterator[MinedItem]:
    if ground.book.insurance is None:
        return
    for window in (1, 2):
        then = deal.after(INITIAL + window - 1)
        skill = f"insurance/{window}/{then.player_points}-{then.banker_points}"
        if open_window(then) == window and skill in insurance_items.skills(ground.book, ground.layout):
            yield "insurance", skill, insurance_items.of_deal(ground, then)


def _of_ruling(ground: Ground, event: IrregularityRuled) -> Iterator[MinedItem]:
    """The same case and facts, on bets of the item's own."""
    for skill, (procedure, ruling) in rule_items.branches(ground.book).items():
        if (
            procedure.case == event.case
            and not event.inputs.overrides
            and fits(ruling.when, dict(event.facts))
        ):
            yield "rule", skill, rule_items.make(ground, skill)
