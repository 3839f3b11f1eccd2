"""Who may handle which card, and who may hold the device that a player draws from."""

from thirdcard.play.tableau import INITIAL
from thirdcard.rulebook.model import Side
from thirdcard.table import limits
from thirdcard.table.state import Permit, Round, Stake, State


def in_line(state: State, current: Round, hand: Side | None = None) -> list[str]:
    """Who has the right to squeeze, in order, among those who are there.

    By the largest single stake at the table, on whatever bet (RWS), or by the highest total on one hand
    (MBS); what counts is what plays. Equal: the earliest placed, then counter-clockwise from there, which is
    by rising box number (interpretation 30).
    """
    rights = state.rulebook.squeeze
    single = rights.right == "largest-bet"
    gone = current.gone
    best: dict[str, tuple[int, int, int]] = {}
    for key, stake in current.stakes.items():
        plays = _counts(state, current, key, stake)
        if not plays or stake.player in gone or (not single and stake.bet != hand):
            continue
        if rights.seated_only and not stake.seated:
            continue
        cents, order, box = best.get(stake.player, (0, stake.order, stake.box))
        if not single:
            best[stake.player] = (cents + plays, max(order, stake.order), box)
        elif plays > cents or (plays == cents and stake.order < order):
            best[stake.player] = (plays, stake.order, stake.box)
    people: list[str] = []
    for amount in sorted({cents for cents, _, _ in best.values()}, reverse=True):
        equal = [person for person, (cents, _, _) in best.items() if cents == amount]
        first = min(equal, key=lambda person: best[person][1])
        start = best[first][2]
        people += sorted(
            equal, key=lambda p: (p != first, (best[p][2] - start) % state.setup.positions, best[p][1])
        )
    return people


def _counts(state: State, current: Round, key: str, stake: Stake) -> int:
    plays = limits.plays_for(current.stakes, current.played, key)
    most = state.setup.limit(stake.bet).max
    return plays if most is None else min(plays, most)


def squeezer_of(state: State, current: Round, hand: Side) -> str:
    """Who squeezes that hand: was given cards of it by right, of which one at least was not taken back."""
    table = state.rulebook.table_of_play
    return next(
        (
            card.squeezer
            for place, card in enumerate(current.drawn, start=1)
            if card.squeezer and current.hand(table, place) is hand
        ),
        "",
    )


def permit_of(current: Round, place: int) -> Permit | None:
    """The leave to squeeze that card, as long as the bet that it rests on lies there (interpretation 55)."""
    permit = current.permits.get(place)
    return permit if permit is not None and permit.stake in ("", *current.stakes) else None


def handlers(state: State, current: Round, place: int) -> list[str]:
    """Who is to be handed the card at that place; nobody if the dealer turns it.

    Who was let by name comes first. Else, where that needs no leave, the first in line for the hand who has
    not refused; a third card goes to whoever squeezes that hand, and the dealer turns it if nobody does (MBS
    3.10.7).
    """
    method = state.setup.dealing
    if method.handles == "dealer" or not method.face_down:
        return []
    hand = current.hand(state.rulebook.table_of_play, place)
    permit = permit_of(current, place)
    if permit is not None and _willing(current, hand, permit.player):
        return [permit.player]
    if state.rulebook.squeeze.right == "largest-bet" or hand is None:
        return []  # squeezing takes a permission
    if place > INITIAL:
        squeezer = squeezer_of(state, current, hand)
        if not squeezer or squeezer in current.away:
            return []
        if _willing(current, hand, squeezer):
            return [squeezer]
    return [person for person in in_line(state, current, hand) if _willing(current, hand, person)][:1]


def _willing(current: Round, hand: Side | None, person: str) -> bool:
    return person not in current.away and (hand, person) not in current.refused


def may_be_handed(state: State, current: Round, place: int, player: str) -> bool:
    """By right; where a player controls the device a hand may be passed on to anybody (MBS 3.12.3)."""
    if handlers(state, current, place) == [player]:
        return True
    return state.device is not None and state.setup.dealing.face_down and player not in current.away


def handling(current: Round) -> set[str]:
    """Everybody who has cards, had them by right, or was let have them."""
    found = {person for card in current.drawn for person in (card.holder, card.squeezer) if person}
    return found | {one.player for place in current.permits if (one := permit_of(current, place))}


def has_wager(state: State, current: Round, player: str) -> bool:
    """A wager that plays (MBS 3.12.2, interpretation 64)."""
    still_open = current.phase in ("betting", "adjusting")
    playing = limits.played(state, current.stakes, current.decided) if still_open else current.played
    return any(
        limits.plays_for(current.stakes, playing, key)
        for key, stake in current.stakes.items()
        if stake.player == player
    )


def holds_device_by_right(state: State) -> bool:
    """Whether the holder of the device may draw: with a wager, with leave, or having withdrawn by right.

    A wager that was settled early belongs to its round (interpretation 58).
    """
    current, holder = state.round, state.device
    if current is None or holder is None or state.leave == state.rounds:
        return True
    if current.phase in ("settled", "void") or holder in current.withdrew:
        return True
    early = any(line.player == holder and line.result != "returned" for line in current.early)
    return early or has_wager(state, current, holder)
