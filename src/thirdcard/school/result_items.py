"""Call the result: who wins, with how many points, which hands are pairs, which bets of the layout win."""

from collections.abc import Iterator
from functools import lru_cache

from thirdcard.play import bets as bet_rules
from thirdcard.play.bets import Result
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import Deal
from thirdcard.rulebook.conditions import Outcome, sight_of_all
from thirdcard.rulebook.model import Rulebook, Side
from thirdcard.school.dealt_hands import (
    SAMPLE_STAKE,
    cost_of,
    dealt_for,
    net_of,
    outcome_as_laid,
    results_of,
)
from thirdcard.school.item_types import Cost, ItemPart, ResultFacts
from thirdcard.school.making import (
    Ground,
    Made,
    because,
    cost,
    cost_of_net,
    joined,
    made_of,
    one_of,
    phrase,
    several_of,
)

WINNERS = ("player", "banker", "tie")
ONLY_IF_PLAYER_WINS = "wu-dalang"  # interpretation 4 decides it where the Player has 1 and does not win


@lru_cache(maxsize=256)
def skills(book: Rulebook, layout: str) -> tuple[str, ...]:
    """Every tier and push that a bet of the layout can have."""
    table = book.table_of_play
    return tuple(
        f"result/{name}/{result}"
        for name in book.layouts[layout].bets
        for result in results_of(book.bets[name], table)
        if result != "lose"
    )


def make(ground: Ground, skill: str) -> Made | None:
    _, name, result = skill.split("/", 2)
    return of_deal(ground, dealt_for(ground, ground.book.bets[name], result), name)


def read_by_interpretation(ground: Ground, outcome: Outcome) -> bool:
    """Whether the result of a bet of the layout rests on how this project reads the document."""
    return ONLY_IF_PLAYER_WINS in ground.bets and outcome.player == 1 and outcome.winner != "player"


def of_deal(ground: Ground, deal: Deal, about: str = "") -> Made | None:
    """The question on a whole round; the explanation looks at one bet."""
    book = ground.book
    outcome = outcome_of(deal, sight_of_all(book))
    if read_by_interpretation(ground, outcome):
        return None
    results = {name: bet_rules.result(book.bets[name], outcome) for name in ground.bets}
    won = tuple(name for name in ground.bets if results[name].verdict == "win")
    about = about or (won[0] if won else ground.bets[0])
    shown = results[about]
    odds = shown.odds.text if shown.odds else ""
    return made_of(
        ResultFacts.of(deal),
        (*_asked_of(deal), pairs_part(deal), _won(ground, won)),
        (
            because("why-totals", player=deal.player_points, banker=deal.banker_points),
            because(
                f"why-winner-{deal.winner}", book.bets[deal.winner].rules if deal.winner in book.bets else ()
            ),
            because(f"why-{shown.verdict}", shown.rules, bet=about, odds=odds),
        ),
        _cost(ground, deal, outcome, results),
        paragraphs=joined(*(results[name].rules for name in won)),
    )


def _cost(ground: Ground, deal: Deal, outcome: Outcome, came: dict[str, Result]) -> Cost:
    """The commonest slips: the hands the wrong way round, a push that is taken, a win that is overlooked."""
    swapped = cost_of(ground, outcome, outcome_as_laid(ground.book, deal.banker, deal.player))
    if swapped is not None:
        return swapped
    for key, verdict in (("cost-taken", "push"), ("cost-overlooked", "win")):
        for name in (bet for bet in ground.bets if came[bet].verdict == verdict):
            right = net_of(ground.book, name, outcome)
            return cost_of_net(key, name, SAMPLE_STAKE, wrong=-SAMPLE_STAKE, right=right)
    return cost("cost-same-outcome", 0)


def _asked_of(deal: Deal) -> Iterator[ItemPart | None]:
    """Who wins, and the total of each hand."""
    winners = {winner: phrase("outcome", outcome=winner) for winner in WINNERS}
    yield one_of("winner", phrase("ask-winner"), deal.winner, winners)
    totals = {str(points): phrase("points", points=points) for points in range(10)}
    for side in Side:
        yield one_of(f"{side}-total", phrase("ask-total", hand=side), str(deal.points(side)), totals)


def pairs_part(deal: Deal) -> ItemPart:
    """Which hands are dealt a pair."""
    paired = [side for side in Side if deal.hand(side)[0].rank is deal.hand(side)[1].rank]
    says = {side.value: phrase("hand-pair", hand=side) for side in Side}
    return several_of("pairs", phrase("ask-pairs"), paired, says)


def _won(ground: Ground, won: tuple[str, ...]) -> ItemPart:
    """Which spots of the layout are paid."""
    rules = joined(*(ground.book.bets[name].rules for name in won))
    says = {name: phrase("bet", bet=name) for name in ground.bets}
    return several_of("winning", phrase("ask-winning"), won, says, rules)
