"""Which tier of which bet a round wins, and what is certain of a bet while the round is half dealt."""

from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Literal, TypeAlias

import msgspec

from thirdcard.money import Odds
from thirdcard.play.outcome import Outcome, Pairs
from thirdcard.rulebook.model import Bet, Pairing, Rules, Tier, When

Verdict: TypeAlias = Literal["win", "lose", "push"]

PAIRED: dict[Pairing, frozenset[Pairs]] = {
    Pairing.PLAYER: frozenset(("player", "double", "twin")),
    Pairing.BANKER: frozenset(("banker", "double", "twin")),
    Pairing.ONE: frozenset(("player", "banker")),
    Pairing.DOUBLE: frozenset(("double",)),
    Pairing.TWIN: frozenset(("twin",)),
}


class Result(msgspec.Struct, frozen=True):
    """How a bet came out, the tier that pays it if one does, and the paragraphs that say so."""

    verdict: Verdict
    tier: Tier | None
    rules: Rules


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


def matches(when: When, outcome: Outcome) -> bool:
    winner = outcome.winner
    banker_side = winner == "banker"
    total = outcome.banker if banker_side else outcome.player
    cards = outcome.banker_cards if banker_side else outcome.player_cards
    return (
        winner in when.winner
        and (not when.total or total in when.total)
        and when.cards in (None, cards)
        and when.cards_in_all in (None, outcome.player_cards + outcome.banker_cards)
        and when.margin in (None, abs(outcome.player - outcome.banker))
        and (when.pair is None or outcome.pairs in PAIRED[when.pair])
    )


@lru_cache(maxsize=65536)
def result(bet: Bet, outcome: Outcome) -> Result:
    """The bet's result: the tier that the outcome fits, a push, or a loss."""
    for tier in bet.pays:
        if matches(tier.when, outcome):
            return Result("win", tier, _joined(bet.rules, tier.rules))
    if bet.push is not None and matches(bet.push.when, outcome):
        return Result("push", None, bet.push.rules)
    settled = tuple(rule for rule in bet.pays[0].rules if all(rule in tier.rules for tier in bet.pays))
    return Result("lose", None, _joined(bet.rules, settled))


def standing(bet: Bet, outcomes: AbstractSet[Outcome]) -> Standing:
    """The bet over every outcome that is still possible."""
    return _standing(bet, frozenset(outcomes))


@lru_cache(maxsize=4096)
def _standing(bet: Bet, outcomes: frozenset[Outcome]) -> Standing:
    results = (result(bet, outcome) for outcome in outcomes)
    return Standing(frozenset((r.verdict, r.tier.tier if r.tier else "") for r in results))


def _joined(first: Rules, second: Rules) -> Rules:
    return tuple(dict.fromkeys(first + second))
