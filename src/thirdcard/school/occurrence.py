"""How often a paragraph is applied at a table: counted over rounds that are dealt from one seed."""

from collections import Counter
from functools import lru_cache
from typing import Final

from thirdcard.play.bets import result
from thirdcard.play.explain import explain
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import Deal
from thirdcard.rulebook.conditions import sight_of_all
from thirdcard.rulebook.lookup import usual_decks
from thirdcard.rulebook.model import Rulebook
from thirdcard.school.chance import SeededChance
from thirdcard.school.dealt_hands import finished, first_cards
from thirdcard.school.making import Ground

SAMPLE: Final = 500  # rounds
RARE: Final = 0.2  # times in 100 rounds, of what no dealt round applies: rulings, limits


@lru_cache(maxsize=32)
def in_100_rounds(book: Rulebook, layout: str) -> dict[str, float]:
    """Paragraphs that rounds on this layout apply, with how many of 100 rounds do."""
    ground = Ground(
        book=book, layout=layout, decks=usual_decks(book, None), level=1, chance=SeededChance("occurrence")
    )
    counts = Counter[str]()
    for _ in range(SAMPLE):
        deal = finished(ground, first_cards(ground))
        counts.update(_applied(ground, deal))
    return {paragraph: 100 * count / SAMPLE for paragraph, count in counts.items()}


def _applied(ground: Ground, deal: Deal) -> set[str]:
    """The paragraphs of one round: its third cards and offers, and every bet that does not simply lose."""
    book = ground.book
    outcome = outcome_of(deal, sight_of_all(book))
    applied = {rule for _, rules in explain(book, deal) for rule in rules}
    for name in ground.bets:
        settled = result(book.bets[name], outcome)
        if settled.name != "lose":
            applied.update(settled.rules)
    return applied
