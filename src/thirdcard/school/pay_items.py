"""Pay the layout: what every line of a box comes to, and in which chips the payment is made.

An answer is what the patron gains, in cents: a bet that is taken is its stake with a minus, a push is 0.
"""

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from thirdcard.cards import format_cards
from thirdcard.money import CHIP_VALUES, DEFAULT_CHIP_UNIT, Odds, chips_of
from thirdcard.play import bets as bet_rules
from thirdcard.play import insurance as insurance_rules
from thirdcard.play.bets import Result
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import Deal
from thirdcard.rulebook.conditions import Outcome, sight_of_all
from thirdcard.rulebook.model import Rulebook, Rules, Side
from thirdcard.school.dealt_hands import dealt_for, dealt_to_row, insurance_of, results_of
from thirdcard.school.item_types import (
    Because,
    BetLine,
    Cost,
    Ground,
    ItemPart,
    Made,
    OfferedChoice,
    PayFacts,
    Phrase,
    choice_part,
    joined,
)
from thirdcard.school.patrons import PATRONS, setup_for, stake_of_line
from thirdcard.school.paying_order import order_rules
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
    rules: Rules


@lru_cache(maxsize=256)
def skills(book: Rulebook, layout: str) -> tuple[str, ...]:
    """Every result of every bet of the layout, insurance by window and hand, and shares after the close."""
    table = book.table_of_play
    found = [
        f"pay/{name}/{result}"
        for name in book.layouts[layout].bets
        for result in results_of(book.bets[name], table)
    ]
    if book.insurance is not None:
        rows = dict.fromkeys((offer.hand, offer.window) for offer in book.insurance.offers)
        found += [f"pay/{hand}{INSURANCE}/{window}" for hand, window in rows]
    if book.limits.differential.after_close == "pro-rata":
        found.append("pay/pro-rata")
    if book.limits.above_maximum_unnoticed.value == "to-maximum":
        found.append("pay/to-maximum")
    return tuple(found)


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
    if line.window:
        insurance = insurance_of(book)
        hand = Side(line.bet.removesuffix(INSURANCE))
        offer = insurance_rules.offer_at(insurance, deal, hand, line.window)
        came, odds = insurance_rules.result(insurance, offer, outcome.winner), offer.odds
    else:
        came = bet_rules.result(book.bets[line.bet], outcome)
        odds = came.tier.odds if came.tier else None  # type: ignore[assignment]
    net = bet_rules.net_cents(came.verdict, stake, odds)
    return LineToPay(line=line, plays=stake, came=came, odds=odds, net=net, rules=came.rules)


def skill_of(ground: Ground, deal: Deal, line: BetLine) -> str:
    """The skill that a line of a finished round asks for."""
    if line.window:
        return f"pay/{line.bet}/{line.window}"
    outcome = outcome_of(deal, sight_of_all(ground.book))
    return f"pay/{line.bet}/{bet_rules.result(ground.book.bets[line.bet], outcome).name}"


def of_deal(  # noqa: PLR0913 - a box and what of it plays
    ground: Ground,
    deal: Deal,
    lines: tuple[BetLine, ...],
    *,
    plays: dict[int, int] | None = None,
    why: Rules = (),
    shown: PayFacts | None = None,
) -> Made | None:
    """The question on a round and the lines of a box; the first line is what it is about."""
    outcome = outcome_of(deal, sight_of_all(ground.book))
    if read_by_interpretation(ground, outcome):
        return None
    settled = [
        paid(ground, deal, line, outcome, (plays or {}).get(number)) for number, line in enumerate(lines)
    ]
    for one in settled:
        if one.odds is not None and not one.odds.is_exact(one.plays):
            return None  # a fraction of a cent is rounded by interpretation 35
    first = settled[0]
    order = sorted(range(len(lines)), key=lambda n: (settled[n].net > 0, settled[n].came.verdict == "push"))
    parts = [_line_part(n + 1, settled[number], why if plays else ()) for n, number in enumerate(order)]
    if ground.level >= CHIPS_ASKED and first.net > 0:
        chips = _chips_part(ground, first)
        if chips is None:
            return None
        parts.append(chips)
    facts = shown or PayFacts(
        cards=format_cards(deal.cards),
        player=format_cards(deal.player),
        banker=format_cards(deal.banker),
        lines=(),
        chips=tuple(value * 100 for value in CHIP_VALUES[:8]),
    )
    return Made(
        facts=msgspec.structs.replace(facts, lines=tuple(lines[number] for number in order)),
        parts=tuple(parts),
        reason=tuple(_reason(deal, first, why)),
        cost=_cost(ground, first),
        order=order_rules(ground.book) if len(lines) > 1 else (),
    )


def _line_part(number: int, one: LineToPay, also: Rules) -> ItemPart:
    key = "ask-line-insurance" if one.line.window else "ask-line"
    blanks: dict[str, str | int] = {
        "number": number,
        "patron": one.line.patron,
        "bet": one.line.bet,
        "stake_cents": one.line.stake,
    }
    if one.line.window:
        blanks["window"] = one.line.window
    return ItemPart(
        name=f"line-{number}",
        asks=Phrase(key, blanks),
        form="cents",
        answer=one.net,
        paragraphs=joined(one.rules, also),
    )


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
    blanks: dict[str, str | int] = {
        "bet": one.line.bet,
        "stake_cents": one.line.stake,
        "wrong_net": net,
        "right_net": one.net,
    }
    return Cost(Phrase(f"cost-{error}", blanks), abs(net - one.net))


def _chips_part(ground: Ground, one: LineToPay) -> ItemPart | None:
    """The payment in chips, the fewest that make it."""
    amounts = [net for _, net in _wrong_nets(ground, one) if net > 0]
    amounts += [one.net + 500, one.net - 500, one.net * 2]
    wrong = [
        OfferedChoice(_spelled(cents), Phrase("chips", {"chips": _spelled(cents)}), cents)
        for cents in amounts
        if cents > 0
    ]
    spelled = _spelled(one.net)
    return choice_part(
        "chips",
        Phrase("ask-chips", {"bet": one.line.bet, "stake_cents": one.line.stake, "patron": one.line.patron}),
        OfferedChoice(spelled, Phrase("chips", {"chips": spelled}), one.net),
        wrong,
        paragraphs=one.rules,
        order=ground.chance,
    )


def _spelled(cents: int) -> str:
    """Chips in cents by number, the largest first: `50000x1 10000x3`."""
    return " ".join(f"{value}x{count}" for value, count in chips_of(cents))


def _reason(deal: Deal, one: LineToPay, why: Rules) -> Iterator[Because]:
    yield Because(
        Phrase(
            "why-result",
            {
                "outcome": deal.winner,
                "player": deal.player_points,
                "banker": deal.banker_points,
                "count": len(deal.cards),
            },
        )
    )
    if why:
        yield Because(Phrase("why-share", {"bet": one.line.bet, "stake_cents": one.line.stake}), why)
    odds = one.odds.text if one.odds else ""
    yield Because(Phrase(f"why-{one.came.verdict}", {"bet": one.line.bet, "odds": odds}), one.rules)
    if one.net > 0:
        yield Because(Phrase("so-paid", {"cents": one.net, "chips": _spelled(one.net)}))
    else:
        yield Because(Phrase("so-taken" if one.net < 0 else "so-nothing", {"cents": -one.net}))


# --- what does not play in full ---------------------------------------------------------------------------


def _shared(ground: Ground, what: str) -> Made | None:
    """Bets outside the limits that nobody noticed before the close."""
    chance, document = ground.chance, ground.book.limits
    hand = chance.pick(tuple(Side))
    bet = ground.book.bets[hand]
    deal = dealt_for(ground, bet, chance.pick((chance.pick(bet.pays).tier, "lose")))
    if what == "to-maximum":
        maximum = chance.pick((100_000, 200_000, 500_000))
        lines: tuple[BetLine, ...] = (
            BetLine(patron=PATRONS[0], bet=hand.value, stake=maximum + _stake(ground)),
        )
        setup = setup_for(ground, minimum=2_500, maximum=maximum, differential=None)
        rules = document.above_maximum_unnoticed.rules
        limited = PayFacts(cards="", player="", banker="", lines=(), chips=(), maximum=maximum)
    else:
        differential = chance.pick((100_000, 200_000, 300_000))
        shares = chance.some((1, 2, 3, 4, 5, 6, 7), chance.pick((2, 3)))
        each = chance.pick((20_000, 30_000, 50_000, 60_000))
        lines = tuple(
            BetLine(patron=PATRONS[n], bet=hand.value, stake=share * each, seated=n == 0, order=n + 1)
            for n, share in enumerate(shares)
        )
        setup = setup_for(ground, minimum=2_500, maximum=None, differential=differential)
        rules = document.differential.after.rules
        limited = PayFacts(
            cards="", player="", banker="", lines=(), chips=(), minimum=2_500, differential=differential
        )
    stakes = {one.key: one for one in map(stake_of_line, lines)}
    plays = limits.played(setup, stakes)
    if not plays or not _is_exact(plays, stakes, setup.setup.differential):
        return None
    shown = msgspec.structs.replace(
        limited,
        cards=format_cards(deal.cards),
        player=format_cards(deal.player),
        banker=format_cards(deal.banker),
        chips=tuple(value * 100 for value in CHIP_VALUES[:8]),
    )
    keys = [stake_of_line(line).key for line in lines]
    by_number = {n: plays[key].cents for n, key in enumerate(keys) if key in plays}
    return of_deal(ground, deal, lines, plays=by_number, why=rules, shown=shown)


def _is_exact(plays: dict[str, Played], stakes: dict[str, Stake], differential: int | None) -> bool:
    """Whether shares are in proportion to the cent and none is raised: interpretation 19 decides nothing."""
    if differential is None:
        return True
    whole = sum(stake.cents for stake in stakes.values())
    return all(
        one.cents * whole == stakes[key].cents * differential for key, one in plays.items()
    ) and not any(play.cents % UNIT for play in plays.values())
