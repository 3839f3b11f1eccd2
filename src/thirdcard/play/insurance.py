"""Insurance: when it is open, what is offered, how much may be bought, how it comes out."""

from collections.abc import Iterable

import msgspec

from thirdcard.errors import BadInput
from thirdcard.money import Odds, floor_to_unit
from thirdcard.play.bets import Result
from thirdcard.play.tableau import INITIAL, Deal
from thirdcard.rulebook.conditions import Winner
from thirdcard.rulebook.model import Insurance, Offer, Rules, Side

WINDOWS = {1: "after the first four cards", 2: "after the Player's third card"}


class Bought(msgspec.Struct, frozen=True):
    """Insurance already bought on a hand."""

    window: int
    stake: int
    odds: Odds


class Cap(msgspec.Struct, frozen=True):
    """The most a person may still stake on an offer, and the paragraphs that say so."""

    cents: int
    rules: Rules


def open_window(deal: Deal) -> int | None:
    """The window that is open once these cards are exposed (interpretation 10).

    The first: four cards, no natural, a hand still to draw. The second: the Player's third card lies
    there and the Banker is to draw.
    """
    if deal.next is None or len(deal.cards) < INITIAL:
        return None
    return 1 if len(deal.cards) == INITIAL else 2


def rows(insurance: Insurance, deal: Deal, window: int) -> tuple[Offer, ...]:
    """The table's rows for these points in that window, whether or not it is open."""
    return rows_at(insurance, window, deal.player_points, deal.banker_points)


def rows_at(insurance: Insurance, window: int, player: int, banker: int) -> tuple[Offer, ...]:
    """The same by points."""
    return tuple(
        offer
        for offer in insurance.offers
        if offer.window == window and player in offer.player and banker in offer.banker
    )


def open_offers(insurance: Insurance, deal: Deal) -> tuple[Offer, ...]:
    """What may be bought now, at most one offer for each hand."""
    window = open_window(deal)
    return () if window is None else rows(insurance, deal, window)


def cap(  # noqa: PLR0913 - each is a quantity the paragraph names
    insurance: Insurance,
    offer: Offer,
    *,
    original: int,
    bought: Iterable[Bought] = (),
    unit: int,
    maximum: int | None = None,
    at_these_odds: int = 0,
) -> Cap:
    """The most that may still be staked on an offer, in cents (interpretation 12).

    `original` is the person's bet on the insured hand in that box and `bought` the insurance already
    bought on it this round. `maximum` is the table's displayed maximum for Player and Banker and
    `at_these_odds` what that person staked at these odds in this window over all boxes; without a
    table there is no such maximum.
    """
    bought = tuple(bought)
    caps = []
    if insurance.stake_per_window is not None:
        limit = insurance.stake_per_window
        staked = sum(b.stake for b in bought if b.window == offer.window)
        caps.append(Cap(int(original * limit.value) - staked, limit.rules))
    if insurance.winnings_per_round is not None:
        limit = insurance.winnings_per_round
        left = original * limit.value - sum(b.odds.winnings(b.stake) for b in bought)
        caps.append(Cap(int(left / offer.odds.ratio), limit.rules))
    if insurance.long_odds is not None and maximum is not None and offer.odds == insurance.long_odds.odds:
        long_odds = insurance.long_odds
        caps.append(Cap(int(maximum * long_odds.of_maximum) - at_these_odds, long_odds.rules))
    tightest = min(caps, key=lambda one: one.cents)
    return Cap(max(floor_to_unit(tightest.cents, unit), 0), tightest.rules)


def result(insurance: Insurance, offer: Offer, winner: Winner) -> Result:
    """Insurance wins when the insured hand loses; a tie returns it unless the row says otherwise.

    A row's exception needs no further condition: it is a row of the second window, where the Player's
    points are final, so a tie can only be the one the exception speaks of.
    """
    if winner == offer.hand:
        return Result("lose", None, insurance.rules, "lose")
    if winner != "tie":
        return Result("win", None, (*insurance.rules, *offer.rules), "win")
    if offer.tie_paid:
        return Result("win", None, (*offer.tie_paid.rules, *offer.rules), "win")
    return Result("push", None, insurance.tie.rules, "push")


def offer_at(insurance: Insurance, deal: Deal, hand: Side, window: int) -> Offer:
    """The offer for a hand as it stood in that window of a round; BadInput says why there was none."""
    if window not in WINDOWS:
        raise BadInput(
            f"there is no insurance window {window}: expected 1 ({WINDOWS[1]}) or 2 ({WINDOWS[2]})"
        )
    then = deal.after(INITIAL if window == 1 else INITIAL + 1)
    offers = [offer for offer in rows(insurance, then, window) if offer.hand is hand]
    if open_window(then) == window and offers:
        return offers[0]
    if window == 1 and then.next is None:
        why, rules = "nobody draws a third card", insurance.rules
    elif window == 2 and len(deal.player) == INITIAL // 2:  # noqa: PLR2004 - the second window
        why, rules = "the Player drew no third card", insurance.rules
    elif then.next is None:
        why, rules = f"the Banker stands on {then.banker_points}", deal.table.rules
    else:
        why, rules = "no such row in the table", insurance.offers[0].rules
    raise BadInput(
        f"no {hand}-insurance in window {window} at Player {then.player_points}, "
        f"Banker {then.banker_points}: {why} ({', '.join(rules)})",
        rules=rules,
    )
