"""Who may insure what: from the cards, the bets, what was offered and what people said to it.

Nothing here is stored. A record that is put right changes a right exactly if what it rests on changed
(interpretation 49): an offer stands as long as the cards give its row, whoever else was offered something.
"""

from collections.abc import Iterator
from typing import Literal

import msgspec

from thirdcard.play.insurance import open_window
from thirdcard.play.tableau import INITIAL, Deal
from thirdcard.rulebook.model import Side
from thirdcard.table.playing import SECOND, hands_insured, offers_at
from thirdcard.table.rights.drawing import banker_third_is_first
from thirdcard.table.state import HANDS, Offering, OpenOffer, Round, State
from thirdcard.words.saying import Saying, say

replace = msgspec.structs.replace


class Window(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Insurance that is open now: to the people of `late_for`, or to everybody with a bet on these hands.

    `answered` have bought or said no, to all of it that is theirs; `declined` have said no.
    """

    number: Literal[1, 2]
    offers: tuple[OpenOffer, ...]
    answered: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    late_for: tuple[str, ...] = ()


class Offered(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A window that is over: what was on offer, who said no, and who said nothing at all."""

    offers: tuple[OpenOffer, ...]
    declined: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()


def rows(state: State, current: Round, window: int) -> tuple[OpenOffer, ...]:
    """What the cards as they are recorded now give that window, whether or not it was offered."""
    return _rows(state, current, Deal(state.rulebook.table_of_play, current.seen), window)


def _rows(state: State, current: Round, deal: Deal, window: int) -> tuple[OpenOffer, ...]:
    insurance = state.rulebook.insurance
    if insurance is None or (window == SECOND and banker_third_is_first(state, current)):
        return ()
    return offers_at(insurance, deal, window)


def standing(state: State, current: Round) -> tuple[Offering, ...]:
    """What was offered, as far as it could be: an answer to an offer that never existed is no answer.

    A late offer that is open is for a hand in a window, and follows to the row that its cards really give.
    """
    if not current.amended or not current.offerings:
        return current.offerings
    true = {number: {row.hand: row for row in rows(state, current, number)} for number in (1, SECOND)}
    return tuple(
        found
        for offering in current.offerings
        if (found := _as_it_stands(offering, true[offering.window])).offers
    )


def _as_it_stands(one: Offering, true: dict[Side, OpenOffer]) -> Offering:
    kept = tuple(offer for offer in one.offers if offer.hand in true and true[offer.hand].row == offer.row)
    if one.over or not one.people or len(kept) == len(one.offers):
        return replace(one, offers=kept)
    moved = tuple(true[offer.hand] for offer in one.offers if offer.hand in true)
    return replace(one, offers=moved, declined=one.declined if moved == kept else ())


def open_windows(state: State, current: Round) -> tuple[Window, ...]:
    """All insurance that is open now, what is so by right before what is late."""
    if (
        current.phase != "dealing"
        or not current.offerings
        or all(offering.over for offering in current.offerings)
    ):
        return ()
    deal = Deal(state.rulebook.table_of_play, current.seen)
    if current.all_seen and deal.next is None:
        return ()  # every Original Bet is won or lost
    every = standing(state, current)
    here = open_window(deal) if current.all_seen else None
    by_right = [
        offering
        for offering in every
        if not offering.over and not offering.people and offering.window == here
    ]
    late = [
        offering
        for offering in every
        if not offering.over and offering.people and not (by_right and offering.window == here)
    ]
    return tuple(_window(current, every, offering) for offering in (*by_right, *late))


def _window(current: Round, every: tuple[Offering, ...], one: Offering) -> Window:
    hands, same = {offer.hand for offer in one.offers}, [o for o in every if o.window == one.window]
    offered = {offer.hand for other in same for offer in other.offers}
    bought = [p.player for p in current.purchases if p.window == one.window and p.hand in offered]
    declined = []
    for who in dict.fromkeys(who for other in same for who in other.declined):
        mine = {stake.bet for stake in current.stakes.values() if stake.player == who}
        if hands & mine <= _declined(every, one.window, who):
            declined.append(who)
    return Window(
        number=one.window,
        offers=one.offers,
        answered=tuple(dict.fromkeys((*bought, *declined))),
        declined=tuple(declined),
        late_for=one.people,
    )


def _declined(every: tuple[Offering, ...], window: int, player: str) -> set[str]:
    """The hands whose insurance in that window the person has said no to, also before it was opened again."""
    return {
        offer.hand
        for offering in every
        if offering.window == window and player in offering.declined
        for offer in offering.offers
    }


def windows_over(state: State, current: Round) -> dict[int, Offered]:
    """The windows that were offered and are over, by number."""
    found: dict[int, Offered] = {}
    for offering in standing(state, current):
        if not offering.over:
            continue
        before = found.get(offering.window)
        silent = tuple(who for who in offering.silent if who not in offering.unasked)
        found[offering.window] = Offered(
            offers=tuple(dict.fromkeys((*(before.offers if before else ()), *offering.offers))),
            declined=tuple(dict.fromkeys((*(before.declined if before else ()), *offering.declined))),
            silent=tuple(dict.fromkeys((*(before.silent if before else ()), *silent))),
        )
    return found


def walked_away(current: Round, player: str, by: int = INITIAL + SECOND) -> bool:
    """Whether the person walked away from bets, by the time that so many cards lay there."""
    return any(
        absence.player == player and absence.walked and absence.cards <= by for absence in current.absences
    )


def why_forgone(
    state: State, current: Round, player: str, window: int
) -> Literal["", "walked-away", "silent"]:
    """What has cost somebody that window: walking away, or silence to it or to an earlier one (14 and 48)."""
    if current.absences and walked_away(current, player):
        return "walked-away"
    silent = any(
        offering.window <= window and player in offering.silent and player not in offering.unasked
        for offering in standing(state, current)
    )
    return "silent" if silent else ""


def has_forgone(state: State, current: Round, player: str) -> bool:
    """No more insurance by right for the rest of the round (interpretation 14)."""
    return bool(why_forgone(state, current, player, SECOND))


def asked(state: State, current: Round, window: Window) -> list[str]:
    """To whom a window is open: everybody with an original bet on a hand on offer, or who was neglected."""
    hands = {offer.hand for offer in window.offers}
    people = list(dict.fromkeys([stake.player for stake in current.stakes.values() if stake.bet in hands]))
    if window.late_for:
        people = [person for person in people if person in window.late_for]
    if not current.absences and not any(offering.silent for offering in current.offerings):
        return people
    return [person for person in people if not why_forgone(state, current, person, window.number)]


def silent_in(state: State, current: Round, window: Window) -> list[str]:
    return [person for person in asked(state, current, window) if person not in window.answered]


def silent_people(state: State, current: Round) -> tuple[str, ...]:
    """Who has yet to answer the insurance on offer."""
    windows = open_windows(state, current)
    return tuple(dict.fromkeys(who for window in windows for who in silent_in(state, current, window)))


def to_be_offered(state: State, current: Round) -> tuple[int, tuple[OpenOffer, ...]]:
    """The window that the cards open, and those of its rows that somebody could buy and was not offered."""
    seen = current.seen
    if (
        state.rulebook.insurance is None
        or not state.setup.insurance
        or current.phase != "dealing"
        or not INITIAL <= len(seen) == len(current.drawn)
    ):
        return 0, ()
    deal = Deal(state.rulebook.table_of_play, seen)
    window = open_window(deal)
    if window is None:  # no card is due
        return 0, ()
    hands = hands_insured(current)
    offers = [row for row in _rows(state, current, deal, window) if row.hand in hands]
    if not offers:
        return 0, ()
    have = {
        offer.row
        for offering in standing(state, current)
        if offering.window == window and not offering.people
        for offer in offering.offers
    }
    return window, tuple([offer for offer in offers if offer.row not in have])


# Neglected offers (TBC 5.14, CBI 5.13) ------------------------------------------------------------------


def why_not_affected(  # noqa: PLR0911 - a line for each reason
    state: State, current: Round, window: int, player: str
) -> Saying | None:
    """Why somebody cannot have been passed over in that window, None if they can (interp. 15, 48, 51)."""
    hands = {offer.hand for offer in rows(state, current, window)}
    mine = {stake.bet for stake in current.stakes.values() if stake.player == player}
    every = standing(state, current)
    if not hands & mine:
        return say("no-bet-in-window", who=player, window=window)
    if any(purchase.player == player and purchase.window == window for purchase in current.purchases):
        return say("bought-in-window", who=player, window=window)
    if _declined(every, window, player) >= hands & mine:
        return say("declined-in-window", who=player, window=window)
    if any(offering.window == window and player in offering.people for offering in every):
        return say("offered-late-in-window", who=player, window=window)
    if walked_away(current, player, INITIAL + window - 1):
        return say("walked-away-by-window", who=player, window=window)
    if window > 1 and why_forgone(state, current, player, window - 1) == "silent":
        return say("silent-in-earlier-window", who=player, window=window)
    return None


def affected(state: State, current: Round, window: int, among: tuple[str, ...]) -> tuple[str, ...]:
    """Who may have been passed over in that window, of these people or of all with a bet on a hand."""
    people = dict.fromkeys(stake.player for stake in current.stakes.values() if stake.bet in HANDS)
    return tuple(
        person
        for person in people
        if (not among or person in among) and not why_not_affected(state, current, window, person)
    )


def neglected_windows(state: State, current: Round) -> Iterator[int]:
    """The windows that the cards have opened."""
    return (number for number in (1, SECOND) if rows(state, current, number))
