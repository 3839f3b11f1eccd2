"""What each insurance offer is worth once it is made, and how often it is."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from math import perm
from typing import ClassVar, Literal

import msgspec

from thirdcard.answers import Told
from thirdcard.cards import CardsLike, cards_of
from thirdcard.errors import BadInput
from thirdcard.notebook import percent
from thirdcard.odds.composition import Composition, check_round
from thirdcard.odds.counting import TOTALS, Path, Points, paths
from thirdcard.play import insurance as rules_of_play
from thirdcard.play.bets import Verdict
from thirdcard.play.tableau import INITIAL, ORDINALS, Deal
from thirdcard.rulebook import Which, load
from thirdcard.rulebook.conditions import winner_of
from thirdcard.rulebook.model import Insurance, Offer, Rulebook, Side
from thirdcard.rulebook.third_cards import next_by_points


class OfferValue(msgspec.Struct, Told, frozen=True, kw_only=True):
    """One offer at exact points. Rounds are counted from the moment it is made.

    `among` are all rounds: the offer's chance is taken out of them. In a concrete situation the offer
    is there, so both are the same.

    >>> from thirdcard.odds import fresh
    >>> offers("rws-commission-insurance-v5", fresh(8))[0].favours
    'player'
    """

    TELLS: ClassVar = (
        "hand", "window", "player", "banker", "odds", "probability", "ev",
        "win=win_chance", "push=push_chance", "lose=lose_chance", "favours", "rules",
    )  # fmt: skip

    offer: Offer
    player: int
    banker: int
    win: int
    push: int
    lose: int
    among: int

    def __repr__(self) -> str:
        place = f"{self.offer.hand} insurance, window {self.offer.window}"
        where = f"{place}, Player {self.player} against Banker {self.banker}"
        return f"<OfferValue: {where}, pays {self.offer.odds}, worth {percent(self.ev, 2) or 'nothing'}>"

    @property
    def hand(self) -> Side:
        return self.offer.hand

    @property
    def window(self) -> int:
        return self.offer.window

    @property
    def odds(self) -> str:
        return self.offer.odds.text

    @property
    def rounds(self) -> int:
        return self.win + self.push + self.lose

    @property
    def probability(self) -> Fraction:
        return Fraction(self.rounds, self.among)

    @property
    def rules(self) -> tuple[str, ...]:
        """The paragraphs of the offer, and of a tie where it is paid."""
        return self.offer.rules + (self.offer.tie_paid.rules if self.offer.tie_paid else ())

    @property
    def ev(self) -> Fraction | None:
        """Per unit staked, given that the offer came up; none for one that cannot."""
        if not self.rounds:
            return None
        return (self.offer.odds.ratio * self.win - self.lose) / Fraction(self.rounds)

    @property
    def favours(self) -> Literal["player", "house", "nobody"]:
        """Whose value it is; an offer that cannot come up, or is fair, favours nobody."""
        value = self.ev
        if not value:
            return "nobody"
        return "player" if value > 0 else "house"

    @property
    def win_chance(self) -> Fraction | None:
        return self.chance("win")

    @property
    def push_chance(self) -> Fraction | None:
        return self.chance("push")

    @property
    def lose_chance(self) -> Fraction | None:
        return self.chance("lose")

    def chance(self, verdict: Verdict) -> Fraction | None:
        """Given that the offer came up; none for one that cannot."""
        return Fraction(getattr(self, verdict), self.rounds) if self.rounds else None


def insurance_of(rulebook: Rulebook) -> Insurance:
    if rulebook.insurance is None:
        raise BadInput(f"{rulebook.slug} offers no insurance")
    return rulebook.insurance


def offers(rulebook: Which, composition: Composition) -> tuple[OfferValue, ...]:
    """Every offer in the document's order, one for each pair of points that its row names.

    >>> from thirdcard.odds import fresh
    >>> offers("rws-commission-insurance-v5", fresh(8))[0]
    <OfferValue: banker insurance, window 1, Player 0 against Banker 5, pays 2 to 1, worth 0.12%>
    """
    rulebook = load(rulebook)
    insurance = insurance_of(rulebook)
    check_round(composition)
    made: dict[tuple[int, int, int], list[Path]] = defaultdict(list)
    for path in paths(rulebook.table_of_play, composition.points):
        for window, points in windows_of(path):
            made[window, *points].append(path)
    return tuple(
        OfferValue(
            offer=offer,
            player=player,
            banker=banker,
            among=composition.sequences,
            **_verdicts(insurance, offer, made[offer.window, player, banker]),
        )
        for offer in insurance.offers
        for player in offer.player
        for banker in offer.banker
    )


def windows_of(path: Path) -> Iterator[tuple[int, tuple[int, int]]]:
    """The windows that were open on the way, with the points then (interpretation 10)."""
    if path.player_third is not None or path.banker_third is not None:
        yield 1, (path.player, path.banker)
    if path.player_third is not None and path.banker_third is not None:
        yield 2, (path.player_points, path.banker)


def _verdicts(insurance: Insurance, offer: Offer, found: list[Path]) -> dict[str, int]:
    counts = {"win": 0, "push": 0, "lose": 0}
    for path in found:
        counts[verdict_on(insurance, offer, path)] += path.rounds
    return counts


def verdict_on(insurance: Insurance, offer: Offer, path: Path) -> Verdict:
    """What insurance that was bought at an offer comes to when the round has gone this way."""
    winner = winner_of(path.player_points, path.banker_points)
    return rules_of_play.result(insurance, offer, winner).verdict


def situation(rulebook: Which, composition: Composition, cards: CardsLike) -> tuple[OfferValue, ...]:
    """The offers open with these four or five cards on the table, drawn from that composition.

    Empty where none is open.

    >>> from thirdcard.odds import fresh
    >>> situation("rws-commission-insurance-v5", fresh(8), "6C 3D KH AS")
    (<OfferValue: ...>,)
    """
    rulebook, cards = load(rulebook), cards_of(cards)
    insurance = insurance_of(rulebook)
    if len(cards) not in (INITIAL, INITIAL + 1):
        raise BadInput(f"expected the four or five cards on the table: got {len(cards)}")
    deal = Deal(rulebook.table_of_play, cards)
    if deal.left_over:
        raise BadInput(
            f"nobody draws a {ORDINALS[len(cards) - len(deal.left_over)]} card: "
            f"Player {deal.player_points}, Banker {deal.banker_points}"
        )
    check_round(composition)
    left = composition.without(cards)
    found = list(_from_here(deal, left.points))
    among = perm(left.cards, 2)
    return tuple(
        OfferValue(
            offer=offer,
            player=deal.player_points,
            banker=deal.banker_points,
            among=among,
            **_verdicts(insurance, offer, found),
        )
        for offer in rules_of_play.open_offers(insurance, deal)
    )


def _from_here(deal: Deal, points: Points) -> Iterator[Path]:
    """Every way the round can go on, counted in ordered draws of two more cards."""
    table, cards = deal.table, sum(points)
    first, second, third, fourth, *thirds = [card.points for card in deal.cards]
    player, banker = (first + third) % 10, (second + fourth) % 10
    for x in TOTALS:
        drawn = (*thirds, x)
        if thirds or next_by_points(table, player, banker) is Side.BANKER:
            yield Path(player, banker, thirds[0] if thirds else None, x, points[x] * (cards - 1))
        elif next_by_points(table, player, banker, drawn) is None:
            yield Path(player, banker, x, None, points[x] * (cards - 1))
        else:
            for y in TOTALS:
                yield Path(player, banker, x, y, points[x] * (points[y] - (x == y)))
