"""Cards are laid to the hands they belong to, and turned; none is ever lost, none is in two places."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import msgspec

from thirdcard.cards import Card
from thirdcard.play.tableau import INITIAL, LONGEST, next_hand
from thirdcard.rulebook.model import Rules, TableOfPlay
from thirdcard.table import events
from thirdcard.table.decide.dealing import close_windows, opened_window
from thirdcard.table.decide.flow import Flow
from thirdcard.table.decide.settling import reversed_settlement
from thirdcard.table.reported import as_drawn
from thirdcard.table.rights.drawing import banker_third_is_first
from thirdcard.table.rights.insurance import open_windows
from thirdcard.table.state import DrawnCard, Round, State
from thirdcard.table.unseen import came_out

replace = msgspec.structs.replace
ARRANGES = frozenset({"reconstruct", "decide-order", "fix-order", "as-they-lie"})  # remedies that order cards


def show(
    flow: Flow, places: Iterable[int], names: Mapping[int, Card] | None = None, rules: Rules = ()
) -> None:
    """Cards that everybody has seen lie face up from now on."""
    current, given = flow.current, dict(names or {})
    new = [p for p in sorted(set(places)) if p <= len(current.drawn) and not current.drawn[p - 1].face_up]
    if new:
        named = {p: card for p, card in given.items() if p in new and current.drawn[p - 1].name is None}
        cited = rules or flow.pending.rules
        flow.emit(events.CardsExposed(places=tuple(new), names=named, by=flow.by, rules=cited))


def lay(flow: Flow, cards: tuple[DrawnCard, ...] | None = None, *, moved: bool = False) -> bool:
    """Cards to the hands they belong to, as far as they are due; the others wait. Whether anything changed.

    Without `cards` those on record and those that came out, in the order drawn. Where one was `moved` that
    nobody has seen something has changed, whichever it is.
    """
    state, shoe = flow.state, flow.state.shoe
    assert shoe is not None
    before = flow.current.drawn
    every = (*before, *came_out(flow.current, flow.pending)) if cards is None else cards
    used = _due(state, flow.current, every)
    left = tuple(map(_free, every[used:]))
    laid, waiting = every[:used], shoe.waiting
    if shoe.number == flow.current.shoe:  # else they are out of use with the shoe they came from
        waiting = as_drawn(flow.pending, left, shoe.waiting)
    if laid == before and waiting == shoe.waiting and not flow.pending.drawn and not moved:
        return False
    changed = moved or _names(laid[: len(before)]) != _names(before)
    if changed or len(laid) > len(before):
        unsettle(flow)
    if len(laid) > len(before):
        flow.emit(*close_windows(flow.state, flow.current))
    flow.emit(events.CardsLaid(cards=laid, waiting=waiting, rules=flow.pending.rules))
    return True


def _free(card: DrawnCard) -> DrawnCard:
    """A card of no hand: in nobody's hands and in no doubt."""
    return replace(card, holder="", doubtful=False)


def can_finish(state: State, current: Round, cards: tuple[DrawnCard, ...]) -> bool:
    """Whether the round is whole with these cards, or can still draw from the shoe it began with."""
    if state.shoe is not None and state.shoe.number == current.shoe:
        return True
    names = tuple(card.name for card in cards if card.name is not None)
    return len(names) >= INITIAL and next_hand(state.rulebook.table_of_play, names) is None


def _names(cards: Sequence[DrawnCard]) -> list[Card | None]:
    return [card.name for card in cards]


def _due(state: State, current: Round, cards: tuple[DrawnCard, ...]) -> int:
    """How many of the cards belong to the hands: four, and third cards that are due by cards that were seen.

    After a third card that nobody has seen the Banker's lies there where it is seen first, or where it may be
    due: whether it is tells the other card, which is turned before (`turn_in_order`).
    """
    table = state.rulebook.table_of_play
    used = min(len(cards), INITIAL)
    while used < min(len(cards), LONGEST):
        seen = tuple([card.name for card in cards[:used] if card.face_up and card.name is not None])
        if len(seen) == used:
            due = next_hand(table, seen) is not None
        elif banker_third_is_first(state, replace(current, drawn=cards[:INITIAL])):
            due = used == INITIAL + 1 and all(card.face_up for card in cards[:INITIAL])
        else:
            named = not state.setup.dealing.face_down and cards[used - 1].name is not None
            due = named and len(seen) == INITIAL and _may_follow(table, seen)
        if not due:
            break
        used += 1
    return used


@lru_cache(maxsize=4096)
def _may_follow(table: TableOfPlay, four: tuple[Card, ...]) -> bool:
    """Whether there is a third card after which another is due."""
    return any(next_hand(table, (*four, card)) is not None for card in Card)


def turn_in_order(flow: Flow) -> None:
    """Where cards are dealt face up they are turned one by one, until insurance has to be offered first."""
    if flow.state.setup.dealing.face_down:
        return
    place = 0
    while place < len(flow.current.drawn) or _is_laid_on(flow):
        place += 1
        card = flow.current.drawn[place - 1]
        if card.name is None:
            return  # the dealer says what shows when it is turned
        if card.face_up:
            continue
        show(flow, (place,))
        rest = flow.current.drawn[place:]
        if not rest or any(card.face_up for card in rest):
            continue
        so_far = replace(flow.current, drawn=flow.current.drawn[:place])
        if _is_over(flow.state, so_far) or opened_window(flow.state, so_far):
            _put_off(flow, place)
            return


def _is_laid_on(flow: Flow) -> bool:
    """Whether a card of those that were put in order turns out to be due, now that all before it are seen."""
    current, shoe = flow.current, flow.state.shoe
    assert shoe is not None
    ordered = current.irregularities and not ARRANGES.isdisjoint(current.irregularities[-1].remedies)
    waits = shoe.waiting[0] if ordered and shoe.waiting and shoe.number == current.shoe else None
    if waits is None or waits.name is None or len(current.seen) < INITIAL:
        return False
    if any(not window.late_for for window in open_windows(flow.state, current)):
        return False
    if not current.all_seen or _is_over(flow.state, current) or opened_window(flow.state, current):
        return False
    flow.emit(
        events.CardsLaid(cards=(*current.drawn, waits), waiting=shoe.waiting[1:], rules=flow.pending.rules)
    )
    return True


def _is_over(state: State, current: Round) -> bool:
    seen = current.seen
    return len(seen) >= INITIAL and next_hand(state.rulebook.table_of_play, seen) is None


def _put_off(flow: Flow, place: int) -> None:
    """The cards after that place have come out; their turn is after the insurance, or in the next round."""
    shoe = flow.state.shoe
    assert shoe is not None
    cards = flow.current.drawn
    flow.emit(
        events.CardsLaid(
            cards=cards[:place], waiting=(*map(_free, cards[place:]), *shoe.waiting), rules=flow.pending.rules
        )
    )


def unsettle(flow: Flow) -> bool:
    """Reverse a settlement that is not final; whether there was one."""
    settled = flow.current.settlement is not None
    if settled:
        reason = flow.inputs.reason or flow.pending.case.replace("-", " ")
        flow.emit(reversed_settlement(flow.state, flow.current, flow.by, reason, flow.pending.rules))
    return settled
