"""Pay the layout: what every line of a box comes to, and in which chips the payment is made.

An answer is what the patron gains, in cents: a bet that is taken is its stake with a minus, a push is 0.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from thirdcard.errors import BadInput
from thirdcard.money import CHIP_VALUES, DEFAULT_CHIP_UNIT, Odds, chips_of
from thirdcard.play import bets as bet_rules
from thirdcard.play import insurance as insurance_rules
from thirdcard.play.bets import Result
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import Deal
from thirdcard.rulebook.conditions import Outcome, sight_of_all
from thirdcard.rulebook.model import Rulebook, Rules, Side
from thirdcard.school.dealt_hands import dealt_for, dealt_to_row, insurance_of, result_in, results_of
from thirdcard.school.item_types import Because, BetLine, Cost, ItemPart, PayFacts
from thirdcard.school.making import (
    Ground,
    Made,
    OfferedChoice,
    amount,
    because,
    choice_part,
    cost_of_net,
    joined,
    made_of,
    phrase,
)
from thirdcard.school.patrons import PATRONS, in_box, setup_for, stake_of_line
from thirdcard.school.result_items import read_by_interpretation
from thirdcard.table import limits
from thirdcard.table.state import Played, Stake
from thirdcard.words.bet_names import INSURANCE

UNIT = DEFAULT_CHIP_UNIT
MOST_LINES = 7
CHIPS_ASKED = 3  # from which level on the chips are asked for too
ODD_STAKES = (
    5,
    15,
    25,
    30,
    35,
    45,
    55,
    70,
    75,
    85,
    110,
    130,
    150,
    175,
    225,
    250,
    310,
    350,
    425,
    550,
    700,
    750,
    925,
)


class LineToPay(msgspec.Struct, frozen=True, kw_only=True):
    """A line with what it comes to by the engine."""

    line: BetLine
    plays: int
    came: Result
    odds: Odds | None
    net: int

    @property
    def rules(self) -> Rules:
        return self.came.rules


@lru_cache(maxsize=256)
def skills(book: Rulebook, layout: str) -> tuple[str, ...]:
    """Every result of every bet of the layout, insurance by window and hand, and shares after the close."""
    table = book.table_of_play
    names = [
        f"pay/{name}/{result}"
        for name in book.layouts[layout].bets
        for result in results_of(book.bets[name], table)
    ]
    if book.insurance is not None:
        rows = dict.fromkeys((offer.hand, offer.window) for offer in book.insurance.offers)
        names += [f"pay/{hand}{INSURANCE}/{window}" for hand, window in rows]
    if book.limits.differential.after_close == "pro-rata":
        names.append("pay/pro-rata")
    if book.limits.above_maximum_unnoticed.value == "to-maximum":
        names.append("pay/to-maximum")
    return tuple(names)


def make(ground: Ground, skill: str) -> Made | None:
    name, *rest = skill.split("/", 2)[1:]
    if not rest:
        return _shared(ground, name)
    if name.endswith(INSURANCE):
        return _insured(ground, Side(name.removesuffix(INSURANCE)), int(rest[0]))
    deal = dealt_for(ground, ground.book.bets[name], rest[0])
    target = BetLine(patron=PATRONS[0], bet=name, stake=_stake(ground))
    return of_deal(ground, deal, (target, *_others(ground, name)))


def _stake(ground: Ground) -> int:
    return ground.chance.pick(ODD_STAKES) * 100


def _others(ground: Ground, but: str) -> Iterator[BetLine]:
    """Further lines of the box, more of them with the level; nobody has two on one bet."""
    chance, bets = ground.chance, [name for name in ground.bets if name != but]
    for number, name in enumerate(chance.some(bets, min(ground.level, MOST_LINES) - 1)):
        yield BetLine(patron=PATRONS[(number + 1) % 4], bet=name, stake=_stake(ground))


def _insured(ground: Ground, hand: Side, window: int) -> Made | None:
    """A round in which that hand could be insured in that window, and was."""
    insurance = insurance_of(ground.book)
    rows = [row for row in insurance.offers if (row.hand, row.window) == (hand, window)]
    deal = dealt_to_row(ground, ground.chance.pick(rows))
    if deal is None:
        return None
    offer = insurance_rules.offer_at(insurance, deal, hand, window)
    original = BetLine(patron=PATRONS[0], bet=hand.value, stake=2 * _stake(ground))
    cap = insurance_rules.cap(insurance, offer, original=original.stake, unit=UNIT)
    stakes = [cents for cents in _round_stakes(cap.cents) if offer.odds.is_exact(cents)]
    if not stakes:
        return None
    bought = BetLine(
        patron=PATRONS[0], bet=f"{hand}{INSURANCE}", stake=ground.chance.pick(stakes), window=window
    )
    return of_deal(ground, deal, (bought, original, *_others(ground, hand.value)))


def _round_stakes(most: int) -> list[int]:
    return [cents * 100 for cents in (*ODD_STAKES, 20, 40, 50, 60, 80, 100, 120, 300) if cents * 100 <= most]


# --- settled by the engine --------------------------------------------------------------------------------


def paid(ground: Ground, deal: Deal, line: BetLine, outcome: Outcome, plays: int | None = None) -> LineToPay:
    """What a line comes to; `plays` is what of the stake plays, the rest goes back."""
    book, stake = ground.book, line.stake if plays is None else plays
    odds: Odds | None
    if line.window:
        insurance = insurance_of(book)
        hand = Side(line.bet.removesuffix(INSURANCE))
        offer = insurance_rules.offer_at(insurance, deal, hand, line.window)
        came, odds = insurance_rules.result(insurance, offer, outcome.winner), offer.odds
    else:
        came = bet_rules.result(book.bets[line.bet], outcome)
        odds = came.odds
    net = bet_rules.net_cents(came.verdict, stake, odds) if line.window else came.net(stake)
    return LineToPay(line=line, plays=stake, came=came, odds=odds, net=net)


def skill_of(ground: Ground, deal: Deal, line: BetLine) -> str:
    """The skill that a line of a finished round asks for."""
    if line.window:
        return f"pay/{line.bet}/{line.window}"
    return f"pay/{line.bet}/{result_in(ground.book.bets[line.bet], deal).name}"


def of_deal(
    ground: Ground,
    deal: Deal,
    lines: tuple[BetLine, ...],
    *,
    plays: dict[int, int] | None = None,
    why: Rules = (),
    **limited: int,
) -> Made | None:
    """The question on a round and the lines of a box; the first line is what it is about.

    Where a bet or the box is outside the limits, these are given too: what `plays` of each line, and `why`.
    """
    outcome = outcome_of(deal, sight_of_all(ground.book))
    if read_by_interpretation(ground, outcome):
        return None
    settled = [
        paid(ground, deal, line, outcome, (plays or {}).get(number)) for number, line in enumerate(lines)
    ]
    for pay in settled:
        if pay.odds is not None and not pay.odds.is_exact(pay.plays):
            return None  # a fraction of a cent is rounded by interpretation 35
    first = settled[0]
    order = sorted(range(len(lines)), key=lambda n: (settled[n].net > 0, settled[n].came.verdict == "push"))
    parts: list[ItemPart | None] = [
        _line_part(n + 1, settled[number], why if plays else ()) for n, number in enumerate(order)
    ]
    if ground.level >= CHIPS_ASKED and first.net > 0:
        parts.append(_chips_part(ground, first))
    ordered = tuple(lines[number] for number in order)
    return made_of(
        PayFacts.of(deal, lines=ordered, chips=tuple(value * 100 for value in CHIP_VALUES[:8]), **limited),
        parts,
        _reason(deal, first, why),
        _cost(ground, first),
        order=order_rules(ground.book) if len(lines) > 1 else (),
    )


def _line_part(number: int, one: LineToPay, also: Rules) -> ItemPart:
    line, key = one.line, "ask-line-insurance" if one.line.window else "ask-line"
    window = {"window": line.window} if line.window else {}
    asks = phrase(key, number=number, patron=line.patron, bet=line.bet, stake_cents=line.stake, **window)
    return amount(f"line-{number}", asks, one.net, joined(one.rules, also))


def _wrong_nets(ground: Ground, one: LineToPay) -> Iterator[tuple[str, int]]:
    """What is paid by mistake, the commonest first: on the whole stake, at another tier, even money."""
    stake = one.plays
    if stake != one.line.stake and one.came.verdict != "push":
        yield "whole-stake", bet_rules.net_cents(one.came.verdict, one.line.stake, one.odds)
    bet = ground.book.bets.get(one.line.bet)
    if one.odds is not None and one.came.verdict == "win":
        if one.odds.ratio != 1:
            for tier in bet.pays if bet else ():
                if tier.odds != one.odds:
                    yield "another-tier", tier.odds.winnings_cents(stake)
            yield "even-money", stake
        yield "with-stake", one.net + stake
    elif one.came.verdict == "push":
        yield "taken", -stake
        yield "even-money", stake
    else:
        yield "left", 0


def _cost(ground: Ground, one: LineToPay) -> Cost:
    """The commonest that comes to something else: a stake paid once more always does, or one left lying."""
    error, net = next((error, net) for error, net in _wrong_nets(ground, one) if net != one.net)
    return cost_of_net(f"cost-{error}", one.line.bet, one.line.stake, wrong=net, right=one.net)


def _chips_part(ground: Ground, one: LineToPay) -> ItemPart | None:
    """The payment in chips, the fewest that make it."""
    amounts = [net for _, net in _wrong_nets(ground, one) if net > 0]
    amounts += [one.net + 500, one.net - 500, one.net * 2]
    right, *wrong = [
        OfferedChoice(_spelled(cents), phrase("chips", chips=_spelled(cents)), cents)
        for cents in (one.net, *amounts)
        if cents > 0
    ]
    asks = phrase("ask-chips", bet=one.line.bet, stake_cents=one.line.stake, patron=one.line.patron)
    return choice_part("chips", asks, right, wrong, paragraphs=one.rules, order=ground.chance)


def _spelled(cents: int) -> str:
    """Chips in cents by number, the largest first: `50000x1 10000x3`."""
    return " ".join(f"{value}x{count}" for value, count in chips_of(cents))


def _reason(deal: Deal, one: LineToPay, why: Rules) -> Iterator[Because]:
    yield why_result(deal)
    if why:
        yield because("why-share", why, bet=one.line.bet, stake_cents=one.line.stake)
    odds = one.odds.text if one.odds else ""
    yield because(f"why-{one.came.verdict}", one.rules, bet=one.line.bet, odds=odds)
    if one.net > 0:
        yield because("so-paid", cents=one.net, chips=_spelled(one.net))
    else:
        yield because("so-taken" if one.net < 0 else "so-nothing", cents=-one.net)


def why_result(deal: Deal) -> Because:
    """How a finished round came out."""
    points = {"player": deal.player_points, "banker": deal.banker_points}
    return because("why-result", outcome=deal.winner, **points, count=len(deal.cards))


# --- what does not play in full ---------------------------------------------------------------------------


def _shared(ground: Ground, what: str) -> Made | None:
    """Bets outside the limits that nobody noticed before the close."""
    chance, document = ground.chance, ground.book.limits
    hand = chance.pick(tuple(Side))
    bet = ground.book.bets[hand]
    deal = dealt_for(ground, bet, chance.pick((chance.pick(bet.pays).tier, "lose")))
    if what == "to-maximum":
        limited = {"maximum": chance.pick((100_000, 200_000, 500_000))}
        stake = limited["maximum"] + _stake(ground)
        lines: tuple[BetLine, ...] = (BetLine(patron=PATRONS[0], bet=hand.value, stake=stake),)
        rules = document.above_maximum_unnoticed.rules
    else:
        limited = {"minimum": 2_500, "differential": chance.pick((100_000, 200_000, 300_000))}
        shares = chance.some((1, 2, 3, 4, 5, 6, 7), chance.pick((2, 3)))
        each = chance.pick((20_000, 30_000, 50_000, 60_000))
        lines = in_box(*((hand.value, share * each) for share in shares))
        rules = document.differential.after.rules
    setup = setup_for(
        ground, minimum=2_500, maximum=limited.get("maximum"), differential=limited.get("differential")
    )
    stakes = {stake.key: stake for stake in map(stake_of_line, lines)}
    plays = limits.played(setup, stakes)
    if not plays or not _is_exact(plays, stakes, setup.setup.differential):
        return None
    keys = [stake_of_line(line).key for line in lines]
    by_number = {n: plays[key].cents for n, key in enumerate(keys) if key in plays}
    return of_deal(ground, deal, lines, plays=by_number, why=rules, **limited)


def _is_exact(plays: dict[str, Played], stakes: dict[str, Stake], differential: int | None) -> bool:
    """Whether shares are in proportion to the cent and none is raised: interpretation 19 decides nothing."""
    if differential is None:
        return True
    whole = sum(stake.cents for stake in stakes.values())
    return all(
        play.cents * whole == stakes[key].cents * differential for key, play in plays.items()
    ) and not any(play.cents % UNIT for play in plays.values())


# --- the order of paying ----------------------------------------------------------------------------------

# A mark of its own: what is lost is taken before what is won is paid. A document prescribes it that ends a
# round with payment: MBS 1.1.7 has the losing wagers collected and the winning ones paid. The RWS documents
# end a round when all are settled, in whatever order (TBC and TBN 1.25, CBI 1.17), and nothing is marked
# there. A bet that is returned is neither, and comes at any time.


def order_rules(book: Rulebook) -> Rules:
    """The paragraphs that prescribe the order; none where a document does not."""
    final = book.betting.final
    return final.rules if final.value == "payment" else ()


def is_in_order(nets: Mapping[str, int], settled: Sequence[str]) -> bool:
    """Whether lines were settled in order; `nets` are theirs by name, each of which is settled once."""
    if sorted(settled) != sorted(nets):
        raise BadInput(
            f"the order has every line of the box once, {', '.join(nets)}: got {', '.join(settled)}"
        )
    signs = [(nets[name] > 0) - (nets[name] < 0) for name in settled]
    moved = [sign for sign in signs if sign]
    return moved == sorted(moved)
