"""Which tier of which bet a round wins, and what is certain of a bet while the round is half dealt."""

from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeAlias

import msgspec

from thirdcard.cards import Card
from thirdcard.money import Odds, kept_of
from thirdcard.play.outcome import possible
from thirdcard.rulebook.conditions import Outcome, matches, sight_of
from thirdcard.rulebook.model import WHOLE, Bet, Rules, TableOfPlay, Tier
from thirdcard.rulebook.outcomes import UNKNOWN, every_outcome, looks_of

Verdict: TypeAlias = Literal["win", "lose", "push"]


class Result(msgspec.Struct, frozen=True):
    """How a bet came out, the tier that pays it if one does, and the paragraphs that say so.

    `name` tells the results of a bet apart: a tier's, a push's, or "lose". `returned` is the share of the
    stake that a push gives back.
    """

    verdict: Verdict
    tier: Tier | None
    rules: Rules
    name: str
    returned: Fraction = WHOLE

    @property
    def odds(self) -> Odds | None:
        """What the tier pays."""
        return self.tier.odds if self.tier else None

    def net(self, stake: int) -> int:
        """What a stake wins or loses, in cents; what is paid or returned is rounded down to whole ones."""
        if self.verdict == "push" and self.returned != WHOLE:
            return kept_of(stake, self.returned)
        return net_cents(self.verdict, stake, self.odds)


def net_cents(verdict: Verdict, stake: int, odds: Odds | None) -> int:
    """What a stake wins, at these odds, or loses."""
    if verdict == "win" and odds is not None:
        return odds.winnings_cents(stake)
    return -stake if verdict == "lose" else 0


class Standing(msgspec.Struct, frozen=True):
    """What is known of a bet while cards are still to come: every result it may still have."""

    results: frozenset[tuple[Verdict, str]]

    @property
    def certain(self) -> Verdict | None:
        """The verdict if only one is left, whatever its tier; else the bet is open."""
        verdicts = {verdict for verdict, _ in self.results}
        return verdicts.pop() if len(verdicts) == 1 else None

    @property
    def decided(self) -> bool:
        """Conclusively won or lost: what establishes an outcome."""
        return self.certain in ("win", "lose")


@lru_cache(maxsize=65536)
def result(bet: Bet, outcome: Outcome) -> Result:
    """The bet's result: the tier that the outcome fits, a push, or a loss."""
    for tier in bet.pays:
        if matches(tier.when, outcome):
            return Result("win", tier, _joined(bet.rules, tier.rules), tier.tier)
    for push in bet.every_push:
        if matches(push.when, outcome):
            return Result("push", None, push.rules, push.tier, push.returned)
    settled = tuple(rule for rule in bet.pays[0].rules if all(rule in tier.rules for tier in bet.pays))
    return Result("lose", None, _joined(bet.rules, settled), "lose")


@lru_cache(maxsize=4096)
def standing(bet: Bet, table: TableOfPlay, known: tuple[Card | None, ...]) -> Standing:
    """The bet over every outcome that the known cards leave open; see `outcome.possible`."""
    results = (result(bet, outcome) for outcome in open_to(bet, table, known))
    return Standing(frozenset((r.verdict, r.tier.tier if r.tier else "") for r in results))


def open_to(bet: Bet, table: TableOfPlay, known: tuple[Card | None, ...]) -> frozenset[Outcome]:
    """The outcomes that the known cards leave open, as far as the bet can see.

    Where it looks at single cards, one is there for all that it cannot tell apart.
    """
    if table.usual and not sight_of(bet).cards:
        return possible(table, known, sight_of(bet))
    six = (*known, *UNKNOWN)[: len(UNKNOWN)]
    return frozenset(dealt.outcome for dealt in every_outcome(table, looks_of(bet.whens), six))


def _joined(first: Rules, second: Rules) -> Rules:
    return tuple(dict.fromkeys(first + second))
