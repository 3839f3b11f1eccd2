"""What the shoe in use has brought so far, for anybody: the rounds that each bet of the layout has won."""

import msgspec

from thirdcard.service.tables.live import Live


class ShoeHits(msgspec.Struct, frozen=True, kw_only=True):
    """How many `rounds` were settled, void ones left out; by bet the places of those that it won, from 1."""

    shoe: int | None
    rounds: int
    bets: dict[str, tuple[int, ...]]


def shoe_hits(live: Live) -> ShoeHits:
    state = live.table
    return ShoeHits(
        shoe=state.shoe.number if state.shoe else None,
        rounds=len(state.results),
        bets={bet: live.hits.places.get(bet, ()) for bet in state.setup.bets},
    )
