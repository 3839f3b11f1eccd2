"""Insurance: is it open, for whom, at what odds, up to how much, and what becomes of it in a tie."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import lcm

from thirdcard.money import DEFAULT_CHIP_UNIT, Odds
from thirdcard.play import insurance as insurance_rules
from thirdcard.play.outcome import possible
from thirdcard.play.tableau import INITIAL, Deal
from thirdcard.rulebook.model import Insurance, Offer, Rulebook, Side, TableOfPlay
from thirdcard.school.dealt_hands import dealt_to_points, finished, first_cards, insurance_of
from thirdcard.school.item_types import Because, BetLine, Cost, InsuranceFacts, ItemPart
from thirdcard.school.making import (
    Ground,
    Made,
    OfferedChoice,
    amount,
    because,
    choice_part,
    cost,
    cost_of_net,
    made_of,
    one_of,
    phrase,
    several_of,
)
from thirdcard.school.patrons import PATRONS
from thirdcard.words.bet_names import INSURANCE

UNIT = DEFAULT_CHIP_UNIT
CLOSED = "closed"
OPEN = ("player", "banker", "both", "no")
TIES = ("push", "win", "lose")
CHIPS = range(2, 61)  # how often the smallest insurance that pays whole chips goes into an original bet
POINTS = range(10)


@lru_cache(maxsize=256)
def skills(book: Rulebook, layout: str) -> tuple[str, ...]:  # noqa: ARG001 - the same on every layout
    """Points at which a row is open, by window, and windows that stay closed."""
    if book.insurance is None:
        return ()
    rows = [
        f"insurance/{row.window}/{player}-{banker}"
        for row in book.insurance.offers
        for player in row.player
        for banker in row.banker
        if may_be_open(book.table_of_play, row.window, player, banker)
    ]
    windows = dict.fromkeys(row.window for row in book.insurance.offers)
    return (*dict.fromkeys(rows), *(f"insurance/{window}/{CLOSED}" for window in windows))


def may_be_open(table: TableOfPlay, window: int, player: int, banker: int) -> bool:
    """Whether a window can be open at these points, whatever the cards."""
    if banker in table.natural or (window == 1 and player in table.natural):
        return False
    if window == 1:
        return player in table.player_draws or banker in table.banker_draws_if_player_stands
    return any((player - before) % 10 in table.banker_draws[banker] for before in table.player_draws)


def make(ground: Ground, skill: str) -> Made | None:
    _, window, cell = skill.split("/")
    if cell == CLOSED:
        deal = _closed(ground, int(window))
    else:
        player, _, banker = cell.partition("-")
        deal = dealt_to_points(ground, int(window), int(player), int(banker))
    return None if deal is None else of_deal(ground, deal)


def _closed(ground: Ground, window: int) -> Deal | None:
    """A round in which nothing can be insured then, for a reason that the document gives itself."""
    insurance = insurance_of(ground.book)
    whole = finished(ground, first_cards(ground))
    then = whole.after(INITIAL + window - 1)
    if len(then.cards) != INITIAL + window - 1:
        return None
    if window > 1 and len(then.player) == INITIAL // 2:
        return None  # that card is the Banker's
    if insurance_rules.open_offers(insurance, then):
        return None
    if then.next is None and insurance_rules.rows(insurance, then, window):
        return None  # a row for these points while the hands stand: interpretation 10 keeps it closed
    return then


def of_deal(ground: Ground, deal: Deal) -> Made | None:
    """The question at this point of a round."""
    insurance = insurance_of(ground.book)
    offers = insurance_rules.open_offers(insurance, deal)
    lines = tuple(_lines(ground, offers))
    maximum, differential = ground.chance.pick((300_000, 500_000, 1_000_000)), 1_000_000
    hands = {offer.hand for offer in offers}
    says = {one: phrase(f"open-{one}") for one in OPEN}
    parts = [
        one_of("open", phrase("ask-open"), open_for(offers), says, insurance.rules),
        _who(lines, hands, insurance),
    ]
    if offers:
        offer = ground.chance.pick(offers)
        original = next((line for line in lines if line.bet == offer.hand), None)
        if original is None:
            return None
        cap = insurance_rules.cap(
            insurance, offer, original=original.stake, unit=UNIT, maximum=maximum, at_these_odds=0
        )
        if not _is_plain(insurance, offer, original.stake, maximum, cap.cents):
            return None
        most = phrase("ask-cap", patron=original.patron, hand=offer.hand)
        parts += [_odds(ground, insurance, offer), amount("cap", most, cap.cents, cap.rules)]
        parts += _tie(ground, insurance, offer, deal)
        dearest = _cost(insurance, offer, cap.cents)
    else:
        dearest = _cost_of_selling(insurance, deal, lines)
    facts = InsuranceFacts.of(deal, lines=lines, unit=UNIT, maximum=maximum, differential=differential)
    return made_of(facts, parts, _reason(insurance, deal, offers), dearest)


def open_for(offers: Iterable[Offer]) -> str:
    """Which hands can be insured, as the first question has it."""
    hands = {offer.hand for offer in offers}
    return "no" if not hands else "both" if len(hands) == len(Side) else next(iter(hands)).value


def _lines(ground: Ground, offers: tuple[Offer, ...]) -> Iterator[BetLine]:
    """Patrons with one bet each: both hands are bet on, one patron stands behind a box.

    Stakes are such that no cap falls between two chips.
    """
    chance = ground.chance
    step = lcm(*(offer.odds.numerator * offer.odds.denominator for offer in offers), 5) * UNIT
    third = chance.pick([bet for bet in ground.bets if bet not in tuple(Side)] or ["player"])
    bets = chance.shuffled(["player", "banker", third, chance.pick(("player", "banker"))])
    boxes = sorted(chance.shuffled(range(1, 6))[:3])
    for number, bet in enumerate(bets):
        yield BetLine(
            patron=PATRONS[number],
            bet=bet,
            stake=chance.pick(CHIPS) * step,
            box=boxes[min(number, 2)],
            seated=number < 3,  # noqa: PLR2004 - the fourth stands
            order=number + 1,
        )


def _is_plain(insurance: Insurance, offer: Offer, original: int, maximum: int, cents: int) -> bool:
    """Whether no cap had to be rounded to chips, which interpretation 12 does."""
    caps = []
    if insurance.stake_per_window is not None:
        caps.append(original * insurance.stake_per_window.value)
    if insurance.winnings_per_round is not None:
        caps.append(original * insurance.winnings_per_round.value / offer.odds.ratio)
    if insurance.long_odds is not None and offer.odds == insurance.long_odds.odds:
        caps.append(maximum * insurance.long_odds.of_maximum)
    return min(caps) == cents


def _who(lines: tuple[BetLine, ...], hands: set[Side], insurance: Insurance) -> ItemPart:
    may = [line.patron for line in lines if line.bet in hands]
    says = {line.patron: phrase("patron", patron=line.patron) for line in lines}
    return several_of("who", phrase("ask-who-may-insure"), may, says, insurance.rules)


def _odds(ground: Ground, insurance: Insurance, offer: Offer) -> ItemPart | None:
    """The odds of the row; wrong ones are those of its neighbours."""
    near = sorted(
        insurance.offers,
        key=lambda row: (
            row.window != offer.window,
            row.hand != offer.hand,
            abs(row.player.low - offer.player.low) + abs(row.banker.low - offer.banker.low),
        ),
    )
    options = ground.offered_first("odds", [odds_option(row.odds) for row in near])
    asks, right = phrase("ask-odds", hand=offer.hand), odds_option(offer.odds)
    order = by_size(row.odds for row in near)
    return choice_part("odds", asks, right, options, paragraphs=offer.rules, most=6, order=order)


def odds_option(odds: Odds) -> OfferedChoice:
    return OfferedChoice(odds.text, phrase("odds", odds=odds.text), odds)


def by_size(every: Iterable[Odds]) -> list[str]:
    """Odds as they are written, each once, the smallest first."""
    return [odds.text for odds in sorted({*every}, key=lambda odds: odds.ratio)]


def _tie(ground: Ground, insurance: Insurance, offer: Offer, deal: Deal) -> Iterator[ItemPart | None]:
    """What a tie does to it; none is asked where the points of the tie would take an interpretation."""
    special = {row.player.low for row in insurance.offers if row.tie_paid}
    ties = sorted(
        {outcome.player for outcome in possible(deal.table, deal.cards) if outcome.winner == "tie"}
        - (special if offer.window == 1 else set())
    )
    if ties:
        came = insurance_rules.result(insurance, offer, "tie")
        asks = phrase("ask-tie", hand=offer.hand, points=ground.chance.pick(ties))
        yield one_of("tie", asks, came.verdict, {tie: phrase(f"insurance-{tie}") for tie in TIES}, came.rules)


def _cost(insurance: Insurance, offer: Offer, cents: int) -> Cost:
    """The commonest errors: the odds of the row beside it; where there is none, the stake paid once more."""
    same = [row.odds for row in insurance.offers if row.hand is offer.hand and row.odds != offer.odds]
    right = offer.odds.winnings_cents(cents)
    key, wrong = "cost-with-stake", right + cents
    if same:
        near = min(same, key=lambda odds: abs(odds.ratio - offer.odds.ratio))
        key, wrong = "cost-another-tier", near.winnings_cents(cents)
    return cost_of_net(key, f"{offer.hand}{INSURANCE}", cents, wrong=wrong, right=right)


def _cost_of_selling(insurance: Insurance, deal: Deal, lines: tuple[BetLine, ...]) -> Cost:
    """What would be sold that is not on offer: the most at the row of this window that is nearest."""
    window = len(deal.cards) - INITIAL + 1
    near = min(
        (row for row in insurance.offers if row.window == window),
        key=lambda row: (
            abs(row.player.low - deal.player_points) + abs(row.banker.low - deal.banker_points),
            row.hand,
        ),
    )
    original = next(line for line in lines if line.bet == near.hand.value)
    most = max(insurance_rules.cap(insurance, near, original=original.stake, unit=UNIT).cents, UNIT)
    return cost("cost-sold", most, bet=f"{near.hand}{INSURANCE}", stake_cents=most)


def _reason(insurance: Insurance, deal: Deal, offers: tuple[Offer, ...]) -> Iterator[Because]:
    yield because("why-points-now", player=deal.player_points, banker=deal.banker_points)
    if not offers:
        yield because("why-nobody-draws" if deal.next is None else "why-no-row", insurance.rules)
        return
    for offer in offers:
        points = {"player": str(offer.player), "banker": str(offer.banker)}
        yield because("why-row", offer.rules, hand=offer.hand, odds=offer.odds.text, **points)
    if insurance.winnings_per_round is not None:
        yield because("why-cap-winnings", insurance.winnings_per_round.rules)
    elif insurance.stake_per_window is not None:
        yield because("why-cap-stake", insurance.stake_per_window.rules)
