"""Call the result: who wins, with how many points, which hands are pairs, which bets of the layout win."""

from functools import lru_cache

from thirdcard.cards import format_cards
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
from thirdcard.school.item_types import (
    Because,
    Choice,
    Cost,
    Ground,
    ItemPart,
    Made,
    OfferedChoice,
    Phrase,
    ResultFacts,
    choice_part,
    joined,
)

POINTS = tuple(map(str, range(10)))
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
    came = {name: bet_rules.result(book.bets[name], outcome) for name in ground.bets}
    won = tuple(name for name in ground.bets if came[name].verdict == "win")
    parts = (_winner(deal), *(_total(deal, side) for side in Side), _pairs(deal), _won(ground, won))
    whole = tuple(part for part in parts if part)
    about = about or (won[0] if won else ground.bets[0])
    shown = came[about]
    told: dict[str, str | int] = {"bet": about, "odds": shown.tier.odds.text if shown.tier else ""}
    return Made(
        facts=ResultFacts(
            cards=format_cards(deal.cards), player=format_cards(deal.player), banker=format_cards(deal.banker)
        ),
        parts=whole,
        reason=(
            Because(Phrase("why-totals", {"player": deal.player_points, "banker": deal.banker_points})),
            Because(
                Phrase(f"why-winner-{deal.winner}"),
                book.bets[deal.winner].rules if deal.winner in book.bets else (),
            ),
            Because(Phrase(f"why-{shown.verdict}", told), shown.rules),
        ),
        cost=_cost(ground, deal, outcome, came),
        paragraphs=joined(*(came[name].rules for name in won)),
    )


def _cost(ground: Ground, deal: Deal, outcome: Outcome, came: dict[str, Result]) -> Cost:
    """The commonest slips: the hands the wrong way round, a push that is taken, a win that is overlooked."""
    swapped = cost_of(ground, outcome, outcome_as_laid(ground.book, deal.banker, deal.player))
    if swapped is not None:
        return swapped
    for key, verdict in (("cost-taken", "push"), ("cost-overlooked", "win")):
        for name in (bet for bet in ground.bets if came[bet].verdict == verdict):
            right = net_of(ground.book, name, outcome)
            blanks: dict[str, str | int] = {
                "bet": name,
                "stake_cents": SAMPLE_STAKE,
                "wrong_net": -SAMPLE_STAKE,
                "right_net": right,
            }
            return Cost(Phrase(key, blanks), right + SAMPLE_STAKE)
    return Cost(Phrase("cost-same-outcome"), 0)


def _winner(deal: Deal) -> ItemPart | None:
    options = {
        winner: OfferedChoice(winner, Phrase("outcome", {"outcome": winner}), winner) for winner in WINNERS
    }
    return choice_part("winner", Phrase("ask-winner"), options[deal.winner], options.values(), order=WINNERS)


def _total(deal: Deal, side: Side) -> ItemPart | None:
    options = {
        point: OfferedChoice(point, Phrase("points", {"points": int(point)}), point) for point in POINTS
    }
    asks = Phrase("ask-total", {"hand": side.value})
    right = options[str(deal.points(side))]
    return choice_part(f"{side}-total", asks, right, options.values(), most=len(POINTS), order=POINTS)


def _pairs(deal: Deal) -> ItemPart:
    """Which hands are dealt a pair."""
    return ItemPart(
        name="pairs",
        asks=Phrase("ask-pairs"),
        form="several",
        choices=tuple(Choice(side.value, Phrase("hand-pair", {"hand": side.value})) for side in Side),
        answer=tuple(side.value for side in Side if deal.hand(side)[0].rank is deal.hand(side)[1].rank),
    )


def _won(ground: Ground, won: tuple[str, ...]) -> ItemPart:
    """Which spots of the layout are paid."""
    return ItemPart(
        name="winning",
        asks=Phrase("ask-winning"),
        form="several",
        choices=tuple(Choice(name, Phrase("bet", {"bet": name})) for name in ground.bets),
        answer=won,
        paragraphs=joined(*(ground.book.bets[name].rules for name in won)),
    )
