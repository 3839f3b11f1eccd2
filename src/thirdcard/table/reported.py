"""A report of an irregularity: what it may say, which cards it is about, and what is known of it."""

from collections.abc import Sequence

from thirdcard.cards import Card
from thirdcard.play.tableau import INITIAL
from thirdcard.rulebook.facts import fits
from thirdcard.rulebook.model import About, Procedure, Ruling
from thirdcard.table import commands
from thirdcard.table.commands import AnyCommand
from thirdcard.table.established import as_reported, establishing_bet
from thirdcard.table.rights.drawing import any_card_out
from thirdcard.table.state import HANDS, DrawnCard, Pending, Round, State
from thirdcard.table.unseen import came_out

NOTICED = {"betting": "bets-open", "adjusting": "bets-open", "dealing": "bets-closed", "settled": "settled"}
ANY_TIME: frozenset[About] = frozenset(
    {"earlier-round", "display", "uncovered"}
)  # also about an earlier round
AFTER_PAYMENT: frozenset[About] = frozenset({"uncovered", "display"})  # where payment ends a round
MOST_REPORTS = 8  # that wait at a time
FACTS = ("order_known", "values_known")  # what a report has to say where the case turns on it

CARDS = frozenset({"drawn", "cards", "shown", "names"})
PEOPLE = frozenset({"players"})
# What a report may say besides its case and the facts that the case asks for.
DETAILS: dict[About, frozenset[str]] = {
    "differential": frozenset({"box"}),
    "below-minimum": frozenset({"box", "players"}),
    "above-maximum": frozenset({"box", "players"}),
    "late-chips": frozenset({"box", "players"}),
    "taken-chips": frozenset({"box", "players"}),
    "chips-lie": frozenset({"box", "players"}),
    "walked-away": PEOPLE,
    "neglected-insurance": frozenset({"players", "window"}),
    "bad-cards": CARDS,
    "too-few-cards": frozenset(),
    "order-altered": CARDS,
    "wrong-number": CARDS,
    "excess-cards": CARDS - {"cards"},
    "wrong-area": CARDS | PEOPLE,
    "wrong-person": CARDS | PEOPLE,
    "seen-in-error": CARDS | PEOPLE,
    "face-up-in-device": frozenset({"drawn", "shown"}),
    "drawn-together": CARDS,
    "absent-handler": PEOPLE | {"cards"},
    "left-with-cards": PEOPLE | {"cards"},
    "device-reset": frozenset(),
    "dealing-error": CARDS | PEOPLE,
    "interruption": frozenset(),
    "display": frozenset({"displayed"}),
    "earlier-round": PEOPLE,
    "uncovered": CARDS | PEOPLE | {"box", "displayed"},
}


def first_place(current: Round) -> int:
    """The place of the next card to come out: after those on record, and those of reports that wait."""
    waiting = [pending for pending in (current.pending, *current.reported) if pending is not None]
    return len(current.drawn) + 1 + sum(len(pending.drawn) for pending in waiting)


def in_question(current: Round, pending: Pending) -> tuple[int, ...]:
    """Places of the cards that an error touched, in the order they are on record; all if none is named."""
    first = len(current.drawn) + 1
    touched = (*pending.cards, *range(first, first + len(pending.drawn)))
    return touched or tuple(range(1, first))


def reordered(
    cards: Sequence[DrawnCard], places: tuple[int, ...], order: tuple[Card | int, ...]
) -> tuple[DrawnCard, ...]:
    """The cards with those at these places in another order: by name, or by number among them."""
    pool = [cards[place - 1] for place in places]
    chosen = []
    for wanted in order:
        if isinstance(wanted, Card):
            at = next(number for number, card in enumerate(pool) if card is not None and card.name is wanted)
        else:
            at = wanted - 1
        chosen.append(pool[at])
        pool[at] = None  # type: ignore[call-overload]
    found = list(cards)
    for place, card in zip(places, chosen, strict=True):
        found[place - 1] = card
    return tuple(found)


def is_order(
    state: State, cards: Sequence[DrawnCard], places: tuple[int, ...], order: tuple[Card | int, ...]
) -> bool:
    """Whether each of the cards at these places is named once, or numbered once.

    A card that only a device has read has no name to say: else a guess that is taken would tell it.
    """
    if len(order) != len(places):
        return False
    numbers = [wanted for wanted in order if not isinstance(wanted, Card)]
    if numbers:
        return sorted(numbers) == list(range(1, len(places) + 1))
    there = [cards[place - 1] for place in places]
    names = [card.name if card.face_up or not state.setup.reads_cards else None for card in there]
    return None not in names and sorted(map(str, names)) == sorted(map(str, order))


def held_by(current: Round, pending: Pending) -> tuple[int, ...]:
    """Cards in the hands of the people it is about, or of anybody if nobody is named."""
    people = pending.players
    found = (place for place, who in current.handed.items() if not people or who in people)
    return tuple(place for place in found if not pending.cards or place in pending.cards)


# What is known ------------------------------------------------------------------------------------------


def known_facts(
    state: State, current: Round, procedure: Procedure, pending: Pending
) -> tuple[dict[str, str | bool], str]:
    """The facts that the log knows, and the bet that establishes an outcome.

    When cards were drawn counts, not when it was noticed (interpretation 41).
    """
    first = pending.first or len(current.drawn) + 1
    places = [*pending.cards, *range(first, first + len(pending.drawn))] or [first]
    decided_by = _established(state, current, procedure, pending)
    return {
        "noticed": "next-round" if pending.earlier else NOTICED[current.phase],
        "stage": "initial-deal" if min(places) <= INITIAL else "after-initial-deal",
        "card_drawn": bool(pending.drawn) or any_card_out(current),
        "outcome_established": bool(decided_by),
        "still_on_offer": _still_on_offer(current, pending.window),
    }, decided_by


def _established(state: State, current: Round, procedure: Procedure, pending: Pending) -> str:
    known = as_reported(current, pending)
    bets = state.setup.bets
    if "neglected-insurance" in procedure.about:  # here the Original Bet alone counts (interpretation 15)
        people = pending.players or tuple(stake.player for stake in current.stakes.values())
        hands = [s.bet for s in current.stakes.values() if s.player in people and s.bet in HANDS]
        bets = tuple(hands) or HANDS
        if current.drawn and current.all_seen and state.deal().next is None:
            return bets[0]  # the round is over: a tie decides it too
    return establishing_bet(state.rulebook, known, bets)


def _still_on_offer(current: Round, window: int) -> bool:
    """No card has been drawn since that window could be offered."""
    return bool(window) and len(current.drawn) == INITIAL + window - 1 and current.phase == "dealing"


def find_ruling(procedure: Procedure, facts: dict[str, str | bool]) -> Ruling:
    """The one ruling for these facts; loading has made sure that there is exactly one."""
    return next(ruling for ruling in procedure.rulings if fits(ruling.when, dict(facts)))


# What nobody has seen ----------------------------------------------------------------------------------


def as_drawn(
    pending: Pending, cards: tuple[DrawnCard, ...], waiting: tuple[DrawnCard, ...]
) -> tuple[DrawnCard, ...]:
    """Cards that wait, in the order drawn: those fresh from the shoe come after what waits already."""
    fresh = len(pending.drawn) - len(pending.waited)
    early = max(len(cards) - fresh, 0)
    return (*cards[:early], *waiting, *cards[early:])


def names_unseen(state: State, command: AnyCommand) -> bool:
    """People at a table say what they see; over a network nobody can tell whether they do."""
    current, waiting = state.round, state.shoe.waiting if state.shoe else ()
    match command:
        case commands.Draw(card=card):
            return card is not None and any(map(_unseen, waiting[:1]))
        case commands.Report(drawn=drawn):
            return any(name is not None and _unseen(card) for name, card in zip(drawn, waiting, strict=False))
        case commands.Expose(names=names, cards=places) if names and current is not None:
            return any(_unseen(card) for n, card in enumerate(current.drawn, start=1) if n in places)
        case commands.Rule(inputs=inputs) if current is not None and current.pending is not None:
            cards = (*current.drawn, *came_out(current, current.pending))
            by_name = any(isinstance(one, Card) for one in inputs.order)
            return by_name and any(_unseen(cards[n - 1]) for n in in_question(current, current.pending))
    return False


def _unseen(card: DrawnCard) -> bool:
    return card.name is not None and not card.face_up
