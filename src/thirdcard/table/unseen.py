"""What nobody has seen: cards with a name on record that do not lie face up.

Views, refusals, odds and logs go by this. What is told to anybody may depend on how many such cards there
are and on where they lie, never on which they are; who holds one sees that one.
"""

from collections import Counter
from collections.abc import Iterable

import msgspec

from thirdcard.cards import Card
from thirdcard.rulebook import Rulebook
from thirdcard.table.state import DrawnCard, Pending, Round, State

replace = msgspec.structs.replace
ANY_CARD = next(iter(Card))


def came_out(current: Round, pending: Pending) -> tuple[DrawnCard, ...]:
    """The cards of a report, as they lie beside those on record."""
    first = pending.first or len(current.drawn) + 1
    return tuple(
        DrawnCard(name=name, face_up=place in pending.shown and name is not None)
        for place, name in enumerate(pending.drawn, start=first)
    )


def is_excess(rulebook: Rulebook, report: Pending) -> bool:
    """Whether the cards of a report came out in excess, and are in no hand."""
    return any(
        procedure.case == report.case and "excess-cards" in procedure.about
        for procedure in rulebook.procedures
    )


def lying(state: State) -> tuple[DrawnCard, ...]:
    """The cards that have left the shoe in use and are in play: of the round, of reports, those that wait."""
    current, shoe = state.round, state.shoe
    found = shoe.waiting if shoe else ()
    if current is None or shoe is None or current.shoe != shoe.number:
        return found
    if current.pending is None:
        return (*current.drawn, *found)
    reports = (current.pending, *current.reported)
    return (*current.drawn, *(card for report in reports for card in came_out(current, report)), *found)


def unseen(state: State) -> tuple[Card, ...]:
    return tuple([card.name for card in lying(state) if not card.face_up and card.name is not None])


def seen_counts(state: State) -> dict[str, int]:
    """How many of each card have left the shoe in use and have been seen."""
    shoe = state.shoe
    if shoe is None:
        return {}
    hidden = unseen(state)
    if not hidden and not shoe.unturned:  # at a face-up table always
        return shoe.drawn.copy()
    counts = Counter(shoe.drawn)
    counts.subtract(_names(hidden))
    counts.subtract(shoe.unturned)
    return counts


def masked(state: State) -> State:
    """The table with one and the same card wherever one lies unseen: what follows from it tells none."""
    hidden = unseen(state)
    current, shoe = state.round, state.shoe
    if current is None or shoe is None:
        return state
    lying = len(current.drawn)
    counts = Counter(shoe.drawn)
    counts.subtract(_names(hidden))
    counts[ANY_CARD.value] += len(hidden)
    return replace(
        state,
        shoe=replace(shoe, drawn={name: n for name, n in counts.items() if n}, waiting=_blank(shoe.waiting)),
        round=replace(
            current,
            drawn=_blank(current.drawn),
            pending=_blank_report(current.pending, lying) if current.pending else None,
            reported=tuple(_blank_report(report, lying) for report in current.reported),
        ),
    )


def _blank(cards: Iterable[DrawnCard]) -> tuple[DrawnCard, ...]:
    return tuple(
        replace(card, name=ANY_CARD) if card.name is not None and not card.face_up else card for card in cards
    )


def _blank_report(pending: Pending, lying: int) -> Pending:
    drawn = enumerate(pending.drawn, start=pending.first or lying + 1)
    names = tuple(ANY_CARD if name and place not in pending.shown else name for place, name in drawn)
    return replace(pending, drawn=names, waited=_blank(pending.waited))


def are_turned(before: State, after: State) -> bool:
    """Whether a card that nobody had seen lies face up now."""
    return bool(_turned(before, after))


def left_unseen(before: State, after: State) -> Counter[str]:
    """The cards that went out of play between the two without having been seen."""
    gone = _no_more_unseen(before, after)
    return gone - _of_these_turned(gone, before, after)


def _turned(before: State, after: State) -> Counter[str]:
    return _of_these_turned(_no_more_unseen(before, after), before, after)


def _of_these_turned(gone: Counter[str], before: State, after: State) -> Counter[str]:
    return gone & (_faces(after) - _faces(before)) if gone else gone


def _no_more_unseen(before: State, after: State) -> Counter[str]:
    hidden = unseen(before)
    return Counter(_names(hidden)) - Counter(_names(unseen(after))) if hidden else Counter()


def _faces(state: State) -> Counter[str]:
    return Counter(_names([card.name for card in lying(state) if card.face_up and card.name is not None]))


def _names(cards: Iterable[Card]) -> list[str]:
    return [card.value for card in cards]
