"""Who has to choose after an error: whoever has a bet that is open still, and has not chosen."""

from thirdcard.table.established import undecided
from thirdcard.table.state import Pending, Round, State

CHOICES = ("options", "withdraw", "withdraw-all")  # remedies that let players choose


def to_choose(state: State, current: Round) -> tuple[str, ...]:
    """Who is waited for (RWS 5.13, MBS 3.22.1, 5.8, 5.9, 5.17; interpretations 25, 26 and 49).

    A bet that is found or struck while people choose adds a choice or ends one. Who has chosen to go on after
    an earlier error accepts every later card.
    """
    pending = current.pending
    if pending is None or pending.asked is None or not pending.remedies:
        return ()
    people = dict.fromkeys((*pending.asked, *(stake.player for stake in current.stakes.values())))
    return tuple(person for person in people if open_stakes(state, current, pending, person))


def open_stakes(state: State, current: Round, pending: Pending, player: str) -> list[str]:
    """The stakes that somebody has still to choose for."""
    if pending.remedies[:1] == ("options",) and player in current.accepted:
        return []
    if any(chosen.player == player for chosen in pending.chosen):
        return []  # one choice for all of them (interpretation 26)
    return undecided(state, current, player)


def choices(state: State, current: Round) -> dict[str, str]:
    """What everybody who is asked has chosen, empty text while that is outstanding."""
    pending = current.pending
    if pending is None or pending.asked is None:
        return {}
    said: dict[str, str] = {chosen.player: chosen.choice for chosen in pending.chosen}
    waited = to_choose(state, current)
    people = dict.fromkeys((*pending.asked, *said, *waited))
    return {
        person: "" if person in waited else said[person]
        for person in people
        if person in waited or person in said
    }
