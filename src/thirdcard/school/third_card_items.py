"""Third card: what does the Player do, what the Banker? One skill is one cell of the Table of Play."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from thirdcard.cards import Card, in_order
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import INITIAL, Deal, next_hand
from thirdcard.rulebook.conditions import sight_of_all
from thirdcard.rulebook.model import Rulebook, Side, TableOfPlay
from thirdcard.school.dealt_hands import cost_of, finished, fits_decks, other_draw, outcome_as_laid
from thirdcard.school.item_types import BOTH_HANDS, PAIRS_ASKED, Because, Cost, ItemPart, ThirdCardFacts
from thirdcard.school.making import Ground, Made, because, cost, made_of, one_of, phrase
from thirdcard.school.result_items import pairs_part

ACTIONS = ("draw", "stand", "natural")
ENDINGS = 6
STOOD = "stands"  # in place of the Player's third card, where the Player drew none
POINTS = range(10)


@lru_cache(maxsize=256)
def skills(book: Rulebook, layout: str) -> tuple[str, ...]:  # noqa: ARG001 - the same on every layout
    """The cells of the Table of Play: the Player on a total, the Banker against a third card."""
    table = book.table_of_play
    player = [f"third-card/player/{points}" for points in POINTS]
    naturals = [f"third-card/natural/{points}" for points in table.natural]
    bankers = [points for points in POINTS if points not in table.natural]
    thirds = [*POINTS, STOOD] if any(p not in table.player_draws for p in bankers) else [*POINTS]
    return (*player, *naturals, *(f"third-card/banker/{b}/{t}" for b in bankers for t in thirds))


def at_level(skill: str, level: int) -> bool:
    """Level 1 asks of the Player only, level 2 adds the Banker against a third card."""
    return level > 1 or not skill.startswith("third-card/banker/")


def make(ground: Ground, skill: str) -> Made | None:
    """An item on one cell; `None` if the cards drawn do not do."""
    cards = _cards(ground, skill.split("/")[1:])
    if cards is None:
        return None
    return of_cards(ground, cards, Side.BANKER if skill.startswith("third-card/banker/") else Side.PLAYER)


def skill_of(table: TableOfPlay, cards: tuple[Card, ...], side: Side) -> str:
    """The cell that a hand's next step is in, when these cards lie there."""
    start = Deal(table, cards[:INITIAL])
    if start.player_points not in table.natural and start.banker_points in table.natural:
        return f"third-card/natural/{start.banker_points}"
    if side is Side.PLAYER or start.player_points in table.natural:
        return f"third-card/player/{start.player_points}"
    third = cards[INITIAL].points if len(cards) > INITIAL else STOOD
    return f"third-card/banker/{start.banker_points}/{third}"


def of_cards(ground: Ground, cards: tuple[Card, ...], side: Side) -> Made | None:
    """The question what a hand does now, or both hands in one go from level 4 on."""
    table = ground.book.table_of_play
    if not fits_decks(cards, ground.decks):
        return None
    both = ground.level >= BOTH_HANDS
    asked = [Side.PLAYER, Side.BANKER] if both else [side]
    for _ in range(ENDINGS):  # until the error would have cost something
        whole, spare = finished(ground, cards), ground.chance.card()
        coming = (*whole.cards[len(cards) :], spare)[0]
        dearest = _cost(ground, whole, asked[-1], coming)
        if dearest is not None:
            break
    if not fits_decks((*whole.cards, spare), ground.decks):
        return None
    start = Deal(table, cards[:INITIAL])
    shown = start if both else Deal(table, cards)
    parts = [_part(table, whole, start, side, both=both) for side in asked]
    if ground.level >= PAIRS_ASKED:
        parts.append(pairs_part(whole))
    return made_of(
        ThirdCardFacts.of(shown, coming=str((*whole.cards, spare)[INITIAL]) if both else ""),
        parts,
        _reason(table, whole, asked[-1]),
        dearest or cost("cost-same-cards", 0, cards=str(coming)),
    )


def _cost(ground: Ground, whole: Deal, side: Side, coming: Card) -> Cost | None:
    """What it costs if the hand does the opposite."""
    wrong = outcome_as_laid(ground.book, *other_draw(whole, side, coming))
    return cost_of(ground, outcome_of(whole, sight_of_all(ground.book)), wrong, (coming,))


def _cards(ground: Ground, names: list[str]) -> tuple[Card, ...] | None:
    """The first four cards, with the Player's third where the cell is against one."""
    table, chance = ground.book.table_of_play, ground.chance
    of, number = names[0], int(names[1])
    if of == "banker":
        third = names[2]
        may = [p for p in POINTS if p not in table.natural and (p in table.player_draws) == (third != STOOD)]
        if not may:
            return None
        four = in_order(chance.two_cards(chance.pick(may)), chance.two_cards(number))
        return four if third == STOOD else (*four, chance.card(int(third)))
    other = chance.two_cards(chance.pick([p for p in POINTS if p not in table.natural]))
    mine = chance.two_cards(number)
    return in_order(mine, other) if of == "player" else in_order(other, mine)


def done(table: TableOfPlay, whole: Deal, side: Side) -> str:
    """What a hand does in a finished round, by the engine."""
    start = whole.cards[:INITIAL]
    if {Deal(table, start).player_points, Deal(table, start).banker_points} & {*table.natural}:
        return "natural"
    if side is Side.PLAYER:
        return "draw" if next_hand(table, start) is Side.PLAYER else "stand"
    before = start if next_hand(table, start) is not Side.PLAYER else whole.cards[: INITIAL + 1]
    return "draw" if next_hand(table, before) is Side.BANKER else "stand"


def _part(table: TableOfPlay, whole: Deal, start: Deal, side: Side, *, both: bool) -> ItemPart | None:
    right = done(table, whole, side)
    seen_third = side is Side.BANKER and not both and next_hand(table, start.cards) is Side.PLAYER
    actions = ACTIONS[:2] if seen_third else ACTIONS
    return one_of(
        side.value,
        phrase("ask-draw-or-stand" if seen_third else "ask-third-card", hand=side),
        right,
        {action: phrase(f"action-{action}") for action in actions},
        table.rules,
    )


def _reason(table: TableOfPlay, whole: Deal, side: Side) -> Iterator[Because]:
    start = Deal(table, whole.cards[:INITIAL])
    yield because("why-points", player=start.player_points, banker=start.banker_points)
    action = done(table, whole, side)
    if action == "natural":
        yield because("why-natural", table.rules)
        return
    if side is Side.PLAYER:
        yield because("why-player-draws", table.rules, numbers=_numbers(table.player_draws))
    elif len(whole.player) > INITIAL // 2:
        third, own = whole.player[2], start.banker_points
        yield because("why-third", table.rules, card=str(third), points=third.points)
        if against := table.banker_draws[own]:
            yield because("why-banker-row", table.rules, points=own, numbers=_numbers(against))
        else:
            yield because("why-banker-never", table.rules, points=own)
    else:
        alone = _numbers(table.banker_draws_if_player_stands)
        yield because("why-banker-alone", table.rules, numbers=alone)
    yield because(f"so-{action}", table.rules, hand=side, points=start.points(side))


def _numbers(points: Iterable[int]) -> str:
    return " ".join(map(str, points))
