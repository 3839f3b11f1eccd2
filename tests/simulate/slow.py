"""Sessions the slow and obvious way: cards laid out one by one, every round settled by the play layer."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from thirdcard.cards import Card
from thirdcard.money import LARGEST_STAKE, floor_to_unit
from thirdcard.odds import fresh, situation
from thirdcard.play import insurance as rules
from thirdcard.play.insurance import Bought
from thirdcard.play.settlement import Game, Insured
from thirdcard.play.tableau import Deal
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.model import Offer
from thirdcard.simulate.pay_tables import cards_of, shoe_of
from thirdcard.simulate.session_plans import LONGEST_LINE, Stakes, layout_for
from thirdcard.simulate.sessions import SessionRun


def rounds_of(
    book: Rulebook, *, decks: int, cut: int, seed: int, stream: int
) -> Iterator[tuple[tuple[Card, ...], tuple[Card, ...]]]:
    """The rounds of a stream, shoe after shoe: what was dealt from the shoe before, and the round's cards."""
    shoe = shoe_of(decks, cut, suits=True)
    number = 0
    while True:
        cards = cards_of(shoe, seed=seed, stream=stream, number=number)
        at = 0
        while at <= 52 * decks - cut:
            deal = Deal(book.table_of_play, cards[at : at + 6])
            used = len(deal.player) + len(deal.banker)
            yield cards[:at], cards[at : at + used]
            at += used
        number += 1


@dataclass
class Plan:
    """Each betting plan as people tell it, with no table of steps."""

    stakes: Stakes
    units: int = 1
    streak: int = 0
    line: list[int] = field(default_factory=list)

    def wish(self, bankroll: int) -> int:
        match self.stakes.plan:
            case "proportional":
                numerator, _, denominator = self.stakes.share.partition("/")
                return floor_to_unit(bankroll * int(numerator) // int(denominator), self.stakes.chip_unit)
            case "labouchere":
                self.line = self.line or list(self.stakes.line)
                self.units = self.line[0] + (self.line[-1] if len(self.line) > 1 else 0)
            case "paroli":
                self.units = (1, 2, 4)[self.streak % 3]
            case "1-3-2-6":
                self.units = (1, 3, 2, 6)[self.streak % 4]
        return min(self.units, LARGEST_STAKE // self.stakes.unit) * self.stakes.unit

    def saw(self, net: int) -> None:
        if net == 0:
            return
        won = net > 0
        self.streak = self.streak + 1 if won else 0
        match self.stakes.plan:
            case "martingale":
                self.units = 1 if won else min(self.units * 2, 2**39)
            case "dalembert":
                self.units = max(self.units - 1, 1) if won else min(self.units + 1, 1000)
            case "labouchere":
                self.line = self.line[1:-1] if won else [*self.line, self.units]
                if len(self.line) > LONGEST_LINE:
                    self.line = []


def session(run: SessionRun, number: int) -> tuple[list[int], list[int]]:
    """A session's fields as `sessions.FIELDS` has them, and its bankroll after each round."""
    stakes, book = run.stakes, run.book
    game = Game(book, layout_for(book, stakes), decks=run.decks, unit=stakes.chip_unit)
    plan = Plan(stakes)
    bankroll = peak = stakes.bankroll
    drawdown = turnover = insured = insurance_net = played = 0
    last, end = "", "rounds"
    history = [bankroll]
    dealt = rounds_of(book, decks=run.decks, cut=run.cut, seed=run.seed, stream=number)
    for before, cards in dealt:
        bet = _bet(stakes, last)
        stake = max(min(plan.wish(bankroll), stakes.most(bet)), stakes.least)
        stake = min(stake, floor_to_unit(bankroll - stakes.sides, stakes.chip_unit))
        spare = bankroll - stake - stakes.sides
        covers = list(_insurance(run, before, cards, bet, stake, spare))
        statement = game.settle(cards, {bet: stake, **stakes.side}, covers)
        bought = sum(cover.stake for cover in covers)
        gained = sum(one.net for one in statement.bets if one.window)
        bankroll += statement.net
        turnover += stake + stakes.sides + bought
        insured += bought
        insurance_net += gained
        played += 1
        history.append(bankroll)
        peak = max(peak, bankroll)
        drawdown = max(drawdown, peak - bankroll)
        plan.saw(statement.bets[0].net)
        last = statement.outcome if statement.outcome != "tie" else last
        if stakes.target is not None and bankroll >= stakes.target:
            end = "target"
        elif stakes.floor is not None and bankroll <= stakes.floor:
            end = "floor"
        elif bankroll < stakes.least + stakes.sides:
            end = "ruin"
        if end != "rounds" or played == run.rounds:
            break
    ends = ("rounds", "target", "floor", "ruin").index(end)
    net = bankroll - stakes.bankroll
    return [net, played, turnover, drawdown, ends, insured, insurance_net], history


def _bet(stakes: Stakes, last: str) -> str:
    rule = stakes.plan if stakes.plan in ("follow", "oppose") else stakes.bet
    if rule == "follow":
        return last or "banker"
    if rule == "oppose":
        return {"player": "banker", "banker": "player"}.get(last, "banker")
    return rule


def _insurance(  # noqa: PLR0913, PLR0917 - the state of a round
    run: SessionRun, before: tuple[Card, ...], cards: tuple[Card, ...], bet: str, stake: int, spare: int
) -> Iterator[Insured]:
    """What the policy buys in each window; BadInput from `settle` would say if that were too much."""
    insurance, stakes = run.book.insurance, run.stakes
    if insurance is None or stakes.insurance == "never":
        return
    bought: list[Bought] = []
    for window, seen in ((1, cards[:4]), (2, cards[:5])):
        if len(cards) < len(seen) + 1 or len(seen) < 3 + window:
            return
        deal = Deal(run.book.table_of_play, seen)
        for offer in rules.open_offers(insurance, deal):
            if offer.hand != bet or offer.window != window or not _wanted(run, before, seen, offer):
                continue
            cap = rules.cap(
                insurance,
                offer,
                original=stake,
                bought=bought,
                unit=stakes.chip_unit,
                maximum=stakes.displayed_maximum,
            )
            amount = min(cap.cents, floor_to_unit(spare, stakes.chip_unit))
            if amount > 0:
                spare -= amount
                bought.append(Bought(window, amount, offer.odds))
                yield Insured(hand=offer.hand, window=window, stake=amount)


def _wanted(run: SessionRun, before: tuple[Card, ...], seen: tuple[Card, ...], offer: Offer) -> bool:
    if run.stakes.insurance == "always":
        return True
    ranks = list(fresh(run.decks).ranks)
    for card in before:
        ranks[card.rank - 1] -= 1
    left = type(fresh())(tuple(ranks))
    return next(one for one in situation(run.book, left, seen) if one.offer is offer).favours == "player"
