"""Rounds for items: dealt as a skill asks for, and hands as they would lie after an error."""

from thirdcard.cards import Card, surplus
from thirdcard.play import bets as bet_rules
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import Deal, points
from thirdcard.rulebook.conditions import Outcome, sight_of_all
from thirdcard.rulebook.model import Rulebook, Side, TableOfPlay
from thirdcard.school.item_types import Cost, Ground, Phrase

SAMPLE_STAKE = 5_000  # cents, on each bet where an error is priced


class HandsAsLaid(Deal):
    """Two hands as they lie, whether or not the Table of Play would have it so."""

    def __init__(self, table: TableOfPlay, player: tuple[Card, ...], banker: tuple[Card, ...]) -> None:
        super().__init__(table, ())
        self.player, self.banker = player, banker
        self.player_points, self.banker_points = points(player), points(banker)


def outcome_as_laid(book: Rulebook, player: tuple[Card, ...], banker: tuple[Card, ...]) -> Outcome:
    """What a dealer would read off these two hands."""
    return outcome_of(HandsAsLaid(book.table_of_play, player, banker), sight_of_all(book))


def fits_decks(cards: tuple[Card, ...], decks: int) -> bool:
    return len(cards) <= decks or surplus(cards, decks) is None


def finished(ground: Ground, cards: tuple[Card, ...]) -> Deal:
    """The round from these cards on, by chance and the Table of Play."""
    deal = Deal(ground.book.table_of_play, cards)
    while deal.next is not None:
        card = ground.chance.card()
        if fits_decks((*deal.cards, card), ground.decks):
            deal = Deal(deal.table, (*deal.cards, card))
    return deal


def cost_of(ground: Ground, right: Outcome, wrong: Outcome, coming: tuple[Card, ...] = ()) -> Cost | None:
    """The bet of the layout on which the wrong outcome is dearest, the same stake lying on each.

    `coming` are cards that the learner has not seen. `None` where every bet comes out the same.
    """
    dearest, price = "", 0
    for name in ground.bets:
        difference = net_of(ground.book, name, wrong) - net_of(ground.book, name, right)
        if abs(difference) > abs(price):
            dearest, price = name, difference
    if not dearest:
        return None
    key = "cost-of-cards" if coming else "cost-of-outcome"
    blanks: dict[str, str | int] = {
        "bet": dearest,
        "stake_cents": SAMPLE_STAKE,
        "wrong_net": net_of(ground.book, dearest, wrong),
        "right_net": net_of(ground.book, dearest, right),
    }
    if coming:
        blanks["cards"] = " ".join(map(str, coming))
    return Cost(Phrase(key, blanks), abs(price))


def net_of(book: Rulebook, name: str, outcome: Outcome, stake: int = SAMPLE_STAKE) -> int:
    """What a stake wins or loses, in cents."""
    came = bet_rules.result(book.bets[name], outcome)
    return bet_rules.net_cents(came.verdict, stake, came.tier.odds if came.tier else None)


def other_draw(deal: Deal, side: Side, coming: Card) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The hands if this one had done the opposite: drawn where it stood, or stood where it drew."""
    hands = {one: deal.hand(one) for one in Side}
    hands[side] = hands[side][:2] if len(hands[side]) > 2 else (*hands[side], coming)  # noqa: PLR2004
    return hands[Side.PLAYER], hands[Side.BANKER]
