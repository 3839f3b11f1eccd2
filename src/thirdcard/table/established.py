"""Is an outcome established? From cards beyond doubt that everybody has seen, and the bets on the layout."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, lru_cache
from typing import TypeAlias

from thirdcard.cards import Card
from thirdcard.play.bets import Verdict, open_to, result, standing
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import LONGEST, Deal
from thirdcard.rulebook.conditions import PLAIN, Outcome, sight_of
from thirdcard.rulebook.model import Bet, Rulebook, TableOfPlay
from thirdcard.table.state import Pending, Round, State

Known: TypeAlias = tuple[Card | None, ...]  # in the order drawn, `None` for a card that decides nothing


def seen_by_all(
    current: Round,
    extra: Known = (),
    shown: tuple[int, ...] = (),
    names: Mapping[int, Card] | None = None,
) -> Known:
    """The cards that everybody has seen, in the order drawn.

    `extra` cards came out besides; of these only the `shown` ones have been seen. A card in doubt decides
    nothing.
    """
    known = [
        (card.name or (names or {}).get(place))
        if (card.face_up or place in shown) and not card.doubtful
        else None
        for place, card in enumerate(current.drawn, start=1)
    ]
    first = len(known) + 1
    known += [name if place in shown else None for place, name in enumerate(extra, start=first)]
    return tuple(known[:LONGEST])


def establishing_bet(rulebook: Rulebook, known: Known, among: tuple[str, ...]) -> str:
    """The first bet that is conclusively won or lost, empty if none is (interpretation 24)."""
    table = rulebook.table_of_play
    return next((bet for bet in among if is_decided(rulebook.bets[bet], table, known)), "")


@lru_cache(maxsize=4096)
def is_decided(bet: Bet, table: TableOfPlay, known: Known) -> bool:
    """Whether a bet is conclusively won or lost, whatever cards come next.

    Of one that looks at suits or places there may be so many ways left that a few of them are tried first:
    two that differ tell that it is open.
    """
    if sight_of(bet) is not PLAIN and len({_verdicts(bet, table, known, end) for end in _endings()}) > 1:
        return False
    return standing(bet, table, known).decided


def _verdicts(bet: Bet, table: TableOfPlay, known: Known, end: tuple[Card, ...]) -> Verdict:
    unknown = known + (None,) * (LONGEST - len(known))
    cards = tuple(card or other for card, other in zip(unknown, end, strict=True))
    return result(bet, outcome_of(Deal(table, cards), sight_of(bet))).verdict


@cache
def _endings() -> tuple[tuple[Card, ...], ...]:
    """Rounds that are as good as any: pairs of one suit, then steps of all lengths through the deck."""
    deck = tuple(Card)
    alike = [(card,) * LONGEST for card in deck[:13]]
    steps = [tuple(deck[(n + place * (2 * n + 7)) % 52] for place in range(LONGEST)) for n in range(100)]
    return (*alike, *steps)


def as_reported(current: Round, pending: Pending) -> Known:
    """The same with the cards of a report that are not yet laid to their hands."""
    first = len(current.drawn) + 1
    moved = first - (pending.first or first)  # other cards may have been laid since it was reported
    shown = tuple(place + moved if place >= first - moved else place for place in pending.shown)
    return seen_by_all(current, pending.drawn, shown, pending.names)


def decided(state: State, current: Round) -> dict[str, Outcome]:
    """The stakes that are conclusively won or lost, each with an outcome to settle it on.

    Where a win is certain and its tier is not, it is the lowest that is still possible (interpretation 44).
    """
    known, table = seen_by_all(current), state.rulebook.table_of_play
    found = {}
    for key, stake in current.stakes.items():
        bet = state.rulebook.bets[stake.bet]
        if is_decided(bet, table, known):
            found[key] = min(
                open_to(bet, table, known), key=lambda outcome: (_pays(bet, outcome), str(outcome))
            )
    return found


def _pays(bet: Bet, outcome: Outcome) -> Fraction:
    tier = result(bet, outcome).tier
    return tier.odds.ratio if tier else Fraction(0)


def undecided(state: State, current: Round, player: str) -> list[str]:
    """The player's stakes that are not yet conclusively won or lost (interpretation 26)."""
    if current.settlement is not None:
        return []
    pending = current.pending
    if pending and pending.inputs and pending.inputs.action:  # offered at discretion: whatever lies there
        return [key for key, stake in current.stakes.items() if stake.player == player]
    known = as_reported(current, pending) if pending else seen_by_all(current)
    book = state.rulebook
    return [
        key
        for key, stake in current.stakes.items()
        if stake.player == player and not is_decided(book.bets[stake.bet], book.table_of_play, known)
    ]
