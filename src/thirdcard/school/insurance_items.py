"""Insurance: is it open, for whom, at what odds, up to how much, and what becomes of it in a tie."""

from collections.abc import Iterator
from functools import lru_cache
from math import lcm

from thirdcard.cards import format_cards
from thirdcard.money import DEFAULT_CHIP_UNIT, Odds
from thirdcard.play import insurance as insurance_rules
from thirdcard.play.outcome import possible
from thirdcard.play.tableau import INITIAL, Deal
from thirdcard.rulebook.model import Insurance, Offer, Rulebook, Side
from thirdcard.school.dealt_hands import dealt_to_points, finished, first_cards, insurance_of
from thirdcard.school.item_types import (
    Because,
    BetLine,
    Choice,
    Cost,
    Ground,
    InsuranceFacts,
    ItemPart,
    Made,
    OfferedChoice,
    Phrase,
    choice_part,
)
from thirdcard.school.patrons import PATRONS

UNIT = DEFAULT_CHIP_UNIT
CLOSED = "closed"
OPEN = ("player", "banker", "both", "no")
TIES = ("push", "win", "lose")
CHIPS = tuple(
    range(2, 61)
)  # how often the smallest insurance that pays whole chips goes into an original bet
POINTS = range(10)


@lru_cache(maxsize=256)
def skills(book: Rulebook, layout: str) -> tuple[str, ...]:  # noqa: ARG001 - the same on every layout
    """Points at which a row is open, by window, and windows that stay closed."""
    if book.insurance is None:
        return ()
    found = [
        f"insurance/{row.window}/{player}-{banker}"
        for row in book.insurance.offers
        for player in row.player
        for banker in row.banker
        if _may_be_open(book, row.window, player, banker)
    ]
    windows = dict.fromkeys(row.window for row in book.insurance.offers)
    return (*dict.fromkeys(found), *(f"insurance/{window}/{CLOSED}" for window in windows))


def _may_be_open(book: Rulebook, window: int, player: int, banker: int) -> bool:
    """Whether a window can be open at these points, whatever the cards."""
    table = book.table_of_play
    if {player, banker} & {*table.natural} and (window == 1 or banker in table.natural):
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
    open_for = "no" if not hands else "both" if len(hands) == len(Side) else next(iter(hands)).value
    options = {one: OfferedChoice(one, Phrase(f"open-{one}"), one) for one in OPEN}
    first = choice_part(
        "open",
        Phrase("ask-open"),
        options[open_for],
        options.values(),
        paragraphs=insurance.rules,
        order=OPEN,
    )
    parts = [first, _who(lines, hands, insurance)]
    if offers:
        offer = ground.chance.pick(offers)
        original = next((line for line in lines if line.bet == offer.hand.value), None)
        if original is None:
            return None
        cap = insurance_rules.cap(
            insurance, offer, original=original.stake, unit=UNIT, maximum=maximum, at_these_odds=0
        )
        if not _is_plain(insurance, offer, original.stake, maximum, cap.cents):
            return None
        parts += [_odds(ground, insurance, offer), _cap(offer, original, cap)]
        tie = _tie(ground, insurance, offer, deal)
        parts += [tie] if tie else []
        cost = _cost(insurance, offer, cap.cents)
    else:
        cost = _cost_of_selling(insurance, deal, lines)
    if None in parts:
        return None
    return Made(
        facts=InsuranceFacts(
            cards=format_cards(deal.cards),
            player=format_cards(deal.player),
            banker=format_cards(deal.banker),
            player_points=deal.player_points,
            banker_points=deal.banker_points,
            lines=lines,
            unit=UNIT,
            maximum=maximum,
            differential=differential,
        ),
        parts=tuple(part for part in parts if part),
        reason=tuple(_reason(insurance, deal, offers)),
        cost=cost,
    )


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
    return ItemPart(
        name="who",
        asks=Phrase("ask-who-may-insure"),
        form="several",
        choices=tuple(Choice(line.patron, Phrase("patron", {"patron": line.patron})) for line in lines),
        answer=tuple(line.patron for line in lines if line.bet in {hand.value for hand in hands}),
        paragraphs=insurance.rules,
    )


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
    options = ground.offered_first("odds", [_odds_option(row.odds) for row in near])
    asks = Phrase("ask-odds", {"hand": offer.hand.value})
    right = _odds_option(offer.odds)
    by_size = [one.text for one in sorted({row.odds for row in near}, key=lambda one: one.ratio)]
    return choice_part("odds", asks, right, options, paragraphs=offer.rules, most=6, order=by_size)


def _odds_option(odds: Odds) -> OfferedChoice:
    return OfferedChoice(odds.text, Phrase("odds", {"odds": odds.text}), odds)


def _cap(offer: Offer, original: BetLine, cap: insurance_rules.Cap) -> ItemPart:
    blanks: dict[str, str | int] = {"patron": original.patron, "hand": offer.hand.value}
    return ItemPart(
        name="cap", asks=Phrase("ask-cap", blanks), form="cents", answer=cap.cents, paragraphs=cap.rules
    )


def _tie(ground: Ground, insurance: Insurance, offer: Offer, deal: Deal) -> ItemPart | None:
    """What a tie does to it; none is asked where the points of the tie would take an interpretation."""
    special = {row.player.low for row in insurance.offers if row.tie_paid}
    ties = sorted(
        {one.player for one in possible(deal.table, deal.cards) if one.winner == "tie"}
        - (special if offer.window == 1 else set())
    )
    if not ties:
        return None
    came = insurance_rules.result(insurance, offer, "tie")
    options = {tie: OfferedChoice(tie, Phrase(f"insurance-{tie}"), tie) for tie in TIES}
    blanks: dict[str, str | int] = {"hand": offer.hand.value, "points": ground.chance.pick(ties)}
    return choice_part(
        "tie",
        Phrase("ask-tie", blanks),
        options[came.verdict],
        options.values(),
        paragraphs=came.rules,
        order=TIES,
    )


def _cost(insurance: Insurance, offer: Offer, cents: int) -> Cost:
    """The commonest errors: the odds of the row beside it; where there is none, the stake paid once more."""
    same = [row.odds for row in insurance.offers if row.hand is offer.hand and row.odds != offer.odds]
    right = offer.odds.winnings_cents(cents)
    key, wrong = "cost-with-stake", right + cents
    if same:
        near = min(same, key=lambda odds: abs(odds.ratio - offer.odds.ratio))
        key, wrong = "cost-another-tier", near.winnings_cents(cents)
    blanks: dict[str, str | int] = {
        "bet": f"{offer.hand}-insurance",
        "stake_cents": cents,
        "wrong_net": wrong,
        "right_net": right,
    }
    return Cost(Phrase(key, blanks), abs(wrong - right))


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
    blanks: dict[str, str | int] = {"bet": f"{near.hand}-insurance", "stake_cents": most}
    return Cost(Phrase("cost-sold", blanks), most)


def _reason(insurance: Insurance, deal: Deal, offers: tuple[Offer, ...]) -> Iterator[Because]:
    points: dict[str, str | int] = {"player": deal.player_points, "banker": deal.banker_points}
    yield Because(Phrase("why-points-now", points))
    if not offers:
        key = "why-nobody-draws" if deal.next is None else "why-no-row"
        yield Because(Phrase(key), insurance.rules)
        return
    for offer in offers:
        row: dict[str, str | int] = {
            "hand": offer.hand.value,
            "odds": offer.odds.text,
            "player": str(offer.player),
            "banker": str(offer.banker),
        }
        yield Because(Phrase("why-row", row), offer.rules)
    if insurance.winnings_per_round is not None:
        yield Because(Phrase("why-cap-winnings"), insurance.winnings_per_round.rules)
    elif insurance.stake_per_window is not None:
        yield Because(Phrase("why-cap-stake"), insurance.stake_per_window.rules)
