"""A round told in sentences, each with the paragraphs it rests on."""

from collections.abc import Iterator

from thirdcard.cards import format_cards
from thirdcard.play.insurance import open_offers
from thirdcard.play.tableau import INITIAL, Deal
from thirdcard.rulebook.model import Rulebook, Rules, Side


def explain(rulebook: Rulebook, deal: Deal) -> Iterator[tuple[str, Rules]]:
    """A whole round: what each hand drew and why, where insurance was open, and who won."""
    start = deal.after(INITIAL)
    for side in Side:
        yield f"{side.label} {format_cards(start.hand(side))}: {counted(start.points(side))}", ()
    if deal.table.order:
        pass
    elif {start.player_points, start.banker_points} & set(deal.table.natural):
        yield "A natural: nobody draws a third card", deal.table.rules
    else:
        yield from _offers(rulebook, start)
        yield _third_card(deal, Side.PLAYER)
        if len(deal.player) > len(start.player):
            yield from _offers(rulebook, deal.after(INITIAL + 1))
        yield _third_card(deal, Side.BANKER)
    winner = deal.winner
    if winner == "tie":
        yield f"Tie on {deal.player_points}", rulebook.bets["tie"].rules if "tie" in rulebook.bets else ()
    else:
        side = Side(winner)
        score = f"{deal.points(side)} over {deal.points(side.other)}"
        yield f"{side.label} wins, {score}", rulebook.bets[winner].rules


def _offers(rulebook: Rulebook, deal: Deal) -> Iterator[tuple[str, Rules]]:
    for offer in open_offers(rulebook.insurance, deal) if rulebook.insurance else ():
        yield f"{offer.hand.label} insurance is open at {offer.odds}", offer.rules


def _third_card(deal: Deal, side: Side) -> tuple[str, Rules]:
    third = deal.hand(side)[INITIAL // 2 :]
    third_told = (
        f"draws {format_cards(third)}: {counted(deal.points(side))}"
        if third
        else f"stands on {deal.points(side)}"
    )
    return f"{side.label} {third_told}", deal.table.rules


def counted(points: int) -> str:
    return f"{points} point" if points == 1 else f"{points} points"
