"""A finished round settled: one statement line for each bet, with the paragraphs it rests on."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import msgspec

from thirdcard.cards import CardsLike, cards_of, check_copies, format_cards
from thirdcard.errors import BadInput
from thirdcard.money import DEFAULT_CHIP_UNIT, Odds, check_chip_unit, check_stake, format_dollars
from thirdcard.notebook import html_table
from thirdcard.play import bets as bet_rules
from thirdcard.play import insurance as insurance_rules
from thirdcard.play.bets import Result, Verdict
from thirdcard.play.insurance import Bought
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import Deal, check_whole, from_shoe
from thirdcard.rulebook.conditions import Winner, sight_of_all
from thirdcard.rulebook.load import Which, load
from thirdcard.rulebook.lookup import check_decks, find_layout, no_such_bet, offering, usual_decks
from thirdcard.rulebook.model import Insurance, Offer, Rules, Side
from thirdcard.strict import decodable, whole

DEFAULT_DECKS = 8


class Hand(msgspec.Struct, frozen=True):
    cards: str
    points: int


class StatementLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One bet's result. `net` is what the player gains or loses, in cents.

    `odds` is what a winning bet was paid at, or what insurance was bought at.
    """

    bet: str
    stake: int
    result: Verdict
    odds: str | None
    net: int
    rules: Rules
    window: int | None = None


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """What a round came to: the hands, a line for each bet, and the net result in cents."""

    outcome: Winner
    player: Hand
    banker: Hand
    bets: tuple[StatementLine, ...]
    net: int

    def __repr__(self) -> str:
        won = "tie" if self.outcome == "tie" else f"{self.outcome.title()} wins"
        hands = f"Player {self.player.points}, Banker {self.banker.points}"
        return f"<Statement: {hands}, {won}, net {self.net:+,} cents>"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as in the JSON of the command line."""
        return {**msgspec.to_builtins(self)}

    def _repr_html_(self) -> str:
        hands = (("Player", self.player), ("Banker", self.banker))
        caption = ", ".join(f"{name} {hand.cards}: {hand.points}" for name, hand in hands)
        rows = (
            (
                bet.bet,
                format_dollars(bet.stake),
                bet.result,
                bet.odds or "",
                format_dollars(bet.net, sign=True),
                ", ".join(bet.rules),
            )
            for bet in self.bets
        )
        return html_table(caption, ("Bet", "Stake", "Result", "Pays", "Net", "Paragraphs"), rows)


class Insured(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Insurance bought on a hand in a window, in cents."""

    hand: Side
    window: int
    stake: int


class RoundToSettle(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A finished round as programs hand it in: cards as text, stakes in cents."""

    cards: str
    bets: dict[str, Any]
    insure: tuple[Insured, ...] = ()

    @classmethod
    def read(cls, value: object) -> "RoundToSettle":
        """From plain JSON; a stake is a whole number and nothing that merely looks like one."""
        given = msgspec.convert(value, decodable(cls))
        for name, stake in given.bets.items():
            if type(stake) is not int:
                raise BadInput(f"the stake on {name} must be a whole number of cents: got {stake!r}")
        return given


class Game:
    """A rulebook played on one of its layouts, with so many decks and chips of a unit in cents.

    Without a layout every bet of the rulebook can be made, as far as one layout offers them together.

    >>> Game("mbs-tiger-v2", "A").settle("9C 9H 9D 9S", {"tiger-pair": 500})
    <Statement: Player 8, Banker 8, tie, net +50,000 cents>
    """

    def __init__(
        self,
        rulebook: Which,
        layout: str | None = None,
        *,
        decks: int | None = None,
        unit: int = DEFAULT_CHIP_UNIT,
    ) -> None:
        book = load(rulebook)
        offered = book.bets if layout is None else find_layout(book, layout).bets
        self.rulebook = book
        self.layout = layout
        self.bets = {name: book.bets[name] for name in offered}
        self.decks = check_decks(book, usual_decks(book, decks))
        self.unit = check_chip_unit(unit)

    def __repr__(self) -> str:
        layout = f"layout {self.layout}" if self.layout else "any layout"
        return f"<Game of {self.rulebook.slug}, {layout}, {self.decks} decks>"

    def deal(self, cards: CardsLike) -> Deal:
        """The cards laid to the hands, whether the round is over or not."""
        return Deal(self.rulebook.table_of_play, cards_of(cards))

    def settle(self, cards: CardsLike, bets: Mapping[str, int], insure: Iterable[Insured] = ()) -> Statement:
        """The statement of a whole round, stakes in cents; anything wrong with it raises BadInput."""
        deal = self.deal(cards)
        if type(bets) is not dict and not isinstance(bets, Mapping):
            raise BadInput(f"bets are stakes in cents by name, such as {{'banker': 1000}}: got {bets!r}")
        check_whole(deal)
        check_copies(from_shoe(deal), self.decks)
        outcome = outcome_of(deal, sight_of_all(self.rulebook))
        if self.layout is None:
            offering(self.rulebook, bets)
        lines = []
        for name, given in bets.items():
            bet = self.bets.get(name)
            if bet is None:
                raise no_such_bet(self.rulebook, name, self.layout)
            stake = check_stake(name, given, self.unit)
            result = bet_rules.result(bet, outcome)
            lines.append(_line(name, stake, result, result.tier.odds if result.tier else None))
        for insurance, offer, stake in self._insurance(deal, bets, insure):
            result = insurance_rules.result(insurance, offer, outcome.winner)
            lines.append(_line(f"{offer.hand}-insurance", stake, result, offer.odds, offer.window))
        return Statement(
            outcome=outcome.winner,
            player=Hand(format_cards(deal.player), deal.player_points),
            banker=Hand(format_cards(deal.banker), deal.banker_points),
            bets=tuple(lines),
            net=sum([line.net for line in lines]),
        )

    def _insurance(
        self, deal: Deal, bets: Mapping[str, int], insure: Iterable[Insured]
    ) -> list[tuple[Insurance, Offer, int]]:
        """Each purchase with the row it was bought at, in the order of the windows; all checked."""
        accepted: list[tuple[Insurance, Offer, int]] = []
        for wish in sorted(insure, key=lambda insured: insured.window):
            name = f"{wish.hand}-insurance"
            insurance = self.rulebook.insurance
            if insurance is None:
                raise BadInput(f"{self.rulebook.slug} offers no insurance")
            offer = insurance_rules.offer_at(insurance, deal, wish.hand, wish.window)
            stake = check_stake(name, wish.stake, self.unit)
            if wish.hand not in bets:
                raise BadInput(
                    f"{name} needs an original bet on {wish.hand} to insure ({', '.join(insurance.rules)})",
                    rules=insurance.rules,
                )
            cap = insurance_rules.cap(
                insurance,
                offer,
                original=whole(wish.hand, bets[wish.hand]),
                bought=[
                    Bought(row.window, stake, row.odds) for _, row, stake in accepted if row.hand is wish.hand
                ],
                unit=self.unit,
            )
            if stake > cap.cents:
                raise BadInput(
                    f"{name} in window {wish.window} is at most {format_dollars(cap.cents)} here "
                    f"({', '.join(cap.rules)}): got {format_dollars(stake)}",
                    rules=cap.rules,
                )
            accepted.append((insurance, offer, stake))
        return accepted


def _line(name: str, stake: int, came: Result, odds: Odds | None, window: int | None = None) -> StatementLine:
    return StatementLine(
        bet=name,
        stake=stake,
        result=came.verdict,
        odds=odds.text if odds else None,
        net=came.net(stake) if window is None else bet_rules.net_cents(came.verdict, stake, odds),
        rules=came.rules,
        window=window,
    )


InsureLike: TypeAlias = Iterable[Insured] | Mapping[str, int]


def settle(  # noqa: PLR0913 - what a round has
    rulebook: Which,
    cards: CardsLike,
    bets: Mapping[str, int],
    insure: InsureLike = (),
    *,
    layout: str | None = None,
    decks: int | None = None,
    unit: int = DEFAULT_CHIP_UNIT,
) -> Statement:
    """One finished round, settled: stakes in cents, insurance by hand and window (`{"player:1": 4000}`).

    >>> settle("mbs-tiger-v2", "9C 9H 9D 9S", {"tiger-pair": 500}).net
    50000
    """
    bought = read_insurance(insure) if isinstance(insure, Mapping) else insure
    bought = tuple(bought) if isinstance(bought, Iterable) else None
    if bought is None or not all(isinstance(insured, Insured) for insured in bought):
        raise BadInput(f"insurance is stakes in cents by place, such as {{'player:1': 4000}}: got {insure!r}")
    return Game(rulebook, layout, decks=decks, unit=unit).settle(cards, bets, bought)


def read_insurance(given: Mapping[str, int]) -> tuple[Insured, ...]:
    """Purchases by their place: `{"player:1": 4000}` is 40 dollars on the Player in the first window."""
    insured = []
    for place, stake in given.items():
        hand, _, window = str(place).partition(":")
        if hand not in tuple(Side) or not (window.isascii() and window.isdigit()):
            raise BadInput(f"{place!r} is not insurance: expected HAND:WINDOW such as player:1 or banker:2")
        insured.append(Insured(hand=Side(hand), window=int(window), stake=stake))
    return tuple(insured)
