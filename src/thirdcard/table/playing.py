"""Insurance as it plays: what was bought, at the rows that the cards really open, within its caps.

A purchase stays on record as it was made. What of it plays follows from the cards and the stakes as they are
recorded now, so a record that is put right puts the insurance right too (interpretations 19 and 39).
"""

from collections.abc import Sequence

import msgspec

from thirdcard.money import Odds, floor_to_unit
from thirdcard.play.insurance import Bought, Cap, cap, open_window, rows
from thirdcard.play.tableau import INITIAL, Deal
from thirdcard.rulebook.model import Insurance
from thirdcard.table import limits
from thirdcard.table.state import OpenOffer, Purchase, Round, State, offer_odds, stake_key

SECOND = 2  # the window after the Player's third card


class PlayedCover(msgspec.Struct, frozen=True, gc=False):
    """A purchase and what of it plays, at which row; no row where its offer never existed."""

    purchase: Purchase
    row: int | None
    cents: int


def deal_at(deal: Deal, window: int) -> Deal:
    """The round as it stood when that window opened."""
    drawn = INITIAL if window < SECOND else INITIAL + 1
    return deal if len(deal.cards) == drawn else deal.after(drawn)


def offers_at(insurance: Insurance, deal: Deal, window: int) -> tuple[OpenOffer, ...]:
    """What that window of a round offered by its cards, whether or not anybody had a bet for it."""
    then = deal_at(deal, window)
    if open_window(then) != window:
        return ()
    return tuple(
        OpenOffer(row=insurance.offers.index(row), hand=row.hand, odds=row.odds.text, rules=row.rules)
        for row in rows(insurance, then, window)
    )


def covers(state: State, current: Round) -> tuple[PlayedCover, ...]:
    """Every purchase in the order bought, with what of it plays."""
    insurance = state.rulebook.insurance
    if insurance is None or not current.purchases:
        return ()
    if not current.amended:
        return tuple(PlayedCover(purchase, purchase.row, purchase.cents) for purchase in current.purchases)
    deal = Deal(state.rulebook.table_of_play, current.seen)
    found: list[PlayedCover] = []
    for purchase in current.purchases:
        row = _row(insurance, deal, purchase)
        if row is None:
            found.append(PlayedCover(purchase, None, 0))
            continue
        most = _cap(state, current, found, purchase, row)
        found.append(PlayedCover(purchase, row, min(purchase.cents, most.cents)))
    return tuple(found)


def _row(insurance: Insurance, deal: Deal, purchase: Purchase) -> int | None:
    offers = offers_at(insurance, deal, purchase.window)
    return next((offer.row for offer in offers if offer.hand is purchase.hand), None)


def cap_for(  # noqa: PLR0913 - who, where and what
    state: State, current: Round, offer: OpenOffer, player: str, box: int, *, late: bool
) -> Cap:
    """The most that a person may still put on an offer in a box."""
    insurance = state.rulebook.insurance
    assert insurance is not None  # an offer is open
    window = insurance.offers[offer.row].window
    wish = Purchase(player=player, box=box, hand=offer.hand, window=window, row=offer.row, cents=0, late=late)
    return _cap(state, current, covers(state, current), wish, offer.row)


def _cap(state: State, current: Round, before: Sequence[PlayedCover], wish: Purchase, number: int) -> Cap:
    """The most that may be put on a row after what plays already (interpretation 12)."""
    insurance = state.rulebook.insurance
    assert insurance is not None
    row = insurance.offers[number]
    mine = [cover for cover in before if cover.purchase.player == wish.player and cover.row is not None]
    here = [cover for cover in mine if (cover.purchase.box, cover.purchase.hand) == (wish.box, wish.hand)]
    original = limits.plays_for(current.stakes, current.played, stake_key(wish.player, wish.box, wish.hand))
    ordinary = cap(
        insurance,
        row,
        original=original,
        bought=[Bought(cover.purchase.window, cover.cents, _odds(state, cover)) for cover in here],
        unit=state.setup.chip_unit,
        maximum=state.setup.insurance_base(wish.hand),
        at_these_odds=sum(
            cover.cents
            for cover in mine
            if cover.purchase.window == row.window and _odds(state, cover) == row.odds
        ),
    )
    late = insurance.late_winnings
    if late is None or not wish.late:
        return ordinary
    already = sum(_odds(state, cover).winnings_cents(cover.cents) for cover in here if cover.purchase.late)
    stake = row.odds.stake_for(max(int(original * late.value) - already, 0))
    most = floor_to_unit(stake, state.setup.chip_unit)
    return ordinary if ordinary.cents <= most else Cap(most, late.rules)


def _odds(state: State, cover: PlayedCover) -> Odds:
    assert cover.row is not None
    return offer_odds(state, cover.row)


def hands_insured(current: Round) -> set[str]:
    """The hands that somebody has an Original Bet on."""
    return {stake.bet for stake in current.stakes.values()}
