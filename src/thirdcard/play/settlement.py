"""A finished round settled: one statement line for each bet, with the paragraphs it rests on."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from thirdcard.cards import Card, check_copies, format_cards
from thirdcard.errors import BadInput
from thirdcard.money import DEFAULT_CHIP_UNIT, Odds, check_chip_unit, check_stake, format_dollars
from thirdcard.play import bets as bet_rules
from thirdcard.play import insurance as insurance_rules
from thirdcard.play.bets import Result, Verdict
from thirdcard.play.insurance import Bought
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import Deal, check_whole
from thirdcard.rulebook.conditions import Winner, sight_of_all
from thirdcard.rulebook.lookup import check_decks, find_layout, no_such_bet
from thirdcard.rulebook.model import Insurance, Offer, Rulebook, Rules, Side

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
    outcome: Winner
    player: Hand
    banker: Hand
    bets: tuple[StatementLine, ...]
    net: int


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
        made = msgspec.convert(value, cls)
        for name, stake in made.bets.items():
            if type(stake) is not int:
                raise BadInput(f"the stake on {name} must be a whole number of cents: got {stake!r}")
        return made


class Game:
    """A rulebook played on one of its layouts, with so many decks and chips of a unit."""

    def __init__(
        self,
        rulebook: Rulebook,
        layout: str,
        *,
        decks: int = DEFAULT_DECKS,
        unit: int = DEFAULT_CHIP_UNIT,
    ) -> None:
        offered = find_layout(rulebook, layout).bets
        self.rulebook = rulebook
        self.layout = layout
        self.bets = {name: rulebook.bets[name] for name in offered}
        self.decks = check_decks(rulebook, decks)
        self.unit = check_chip_unit(unit)

    def deal(self, cards: tuple[Card, ...]) -> Deal:
        return Deal(self.rulebook.table_of_play, cards)

    def settle(
        self, cards: tuple[Card, ...], bets: Mapping[str, int], insure: Iterable[Insured] = ()
    ) -> Statement:
        """The statement of a whole round; anything wrong with it raises BadInput."""
        deal = self.deal(cards)
        check_whole(deal)
        check_copies(cards, self.decks)
        outcome = outcome_of(deal, sight_of_all(self.rulebook))
        lines = []
        for name, stake in bets.items():
            bet = self.bets.get(name)
            if bet is None:
                raise no_such_bet(self.rulebook, name, self.layout)
            check_stake(name, stake, self.unit)
            came = bet_rules.result(bet, outcome)
            lines.append(_line(name, stake, came, came.tier.odds if came.tier else None))
        for insurance, offer, stake in self._insurance(deal, bets, insure):
            came = insurance_rules.result(insurance, offer, outcome.winner)
            lines.append(_line(f"{offer.hand}-insurance", stake, came, offer.odds, offer.window))
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
        for wish in sorted(insure, key=lambda one: one.window):
            name = f"{wish.hand}-insurance"
            insurance = self.rulebook.insurance
            if insurance is None:
                raise BadInput(f"{self.rulebook.slug} offers no insurance")
            offer = insurance_rules.offer_at(insurance, deal, wish.hand, wish.window)
            check_stake(name, wish.stake, self.unit)
            if wish.hand not in bets:
                raise BadInput(
                    f"{name} needs an original bet on {wish.hand} to insure ({', '.join(insurance.rules)})",
                    rules=insurance.rules,
                )
            cap = insurance_rules.cap(
                insurance,
                offer,
                original=bets[wish.hand],
                bought=[
                    Bought(row.window, stake, row.odds) for _, row, stake in accepted if row.hand is wish.hand
                ],
                unit=self.unit,
            )
            if wish.stake > cap.cents:
                raise BadInput(
                    f"{name} in window {wish.window} is at most {format_dollars(cap.cents)} here "
                    f"({', '.join(cap.rules)}): got {format_dollars(wish.stake)}",
                    rules=cap.rules,
                )
            accepted.append((insurance, offer, wish.stake))
        return accepted


def _line(name: str, stake: int, came: Result, odds: Odds | None, window: int | None = None) -> StatementLine:
    return StatementLine(
        bet=name,
        stake=stake,
        result=came.verdict,
        odds=odds.text if odds else None,
        net=bet_rules.net_cents(came.verdict, stake, odds),
        rules=came.rules,
        window=window,
    )
