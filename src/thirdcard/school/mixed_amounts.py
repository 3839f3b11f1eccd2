"""Wrong amounts: what is typed when a commission, a half, a tier, a cap or the stake itself is mixed up."""

from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

from thirdcard.cards import parse_cards
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import Deal
from thirdcard.rulebook.conditions import sight_of_all
from thirdcard.rulebook.model import Offer, Rulebook, Rules, Side
from thirdcard.school.chance import SeededChance
from thirdcard.school.changed_items import other_documents
from thirdcard.school.dealt_hands import insurance_of, result_in
from thirdcard.school.item_types import (
    Because,
    BetLine,
    ChangedFacts,
    InsuranceFacts,
    Item,
    ItemPart,
    LimitsFacts,
    PayFacts,
    Phrase,
)
from thirdcard.school.making import Ground, because, phrase
from thirdcard.school.pay_items import LineToPay, paid
from thirdcard.school.progress import Given
from thirdcard.words.bet_names import INSURANCE

Slip: TypeAlias = tuple[
    Fraction | int, Phrase, Rules
]  # what it comes to, what it is, where it would be right
COMMISSION = Fraction(1, 20)
HALF = Fraction(1, 2)


def by_another(book: Rulebook, rules: Rules, key: str = "mixed-book", **blanks: str | int) -> Phrase:
    """It is so by another document, whose paragraphs are not this one's."""
    key = f"{key}-bet" if "bet" in blanks else key
    return phrase(key, book=book.slug, paragraphs=" ".join(rules), **blanks)


def _recognised(slips: Iterator[Slip], given: Given, right: object) -> Because | None:
    """The first slip that comes to the amount."""
    if type(given) is not int or given == right:
        return None
    return next((Because(says, rules) for cents, says, rules in slips if cents == given), None)


# --- payments ---------------------------------------------------------------------------------------------


def pay(item: Item, book: Rulebook, part: ItemPart, given: Given) -> Because | None:
    """How a line was paid, if that is known to happen; of chips by what they are worth."""
    facts = item.facts
    if not isinstance(facts, PayFacts):
        return None
    if part.name.startswith("line-"):
        line = facts.lines[int(part.name.removeprefix("line-")) - 1]
        right, said = part.answer, given
    elif part.name == "chips" and isinstance(given, str):
        asked = part.asks.blanks
        wanted = asked["patron"], asked["bet"], asked["stake_cents"]
        line = next(line for line in facts.lines if (line.patron, line.bet, line.stake) == wanted)
        right, said = _worth(str(part.answer)), _worth(given)
    else:
        return None
    return _recognised(_line_slips(item, book, facts, line, int(str(right))), said, right)


def _worth(chips: str) -> int:
    """Chips in cents, `50000x1 10000x3`."""
    piles = (one.split("x") for one in chips.split())
    return sum(int(value) * int(count) for value, count in piles)


def _line_slips(item: Item, book: Rulebook, facts: PayFacts, line: BetLine, net: int) -> Iterator[Slip]:
    deal = Deal(book.table_of_play, parse_cards(facts.cards))
    ground = Ground(
        book=book, layout=item.layout, decks=item.decks, level=item.level, chance=SeededChance("")
    )
    one = paid(ground, deal, line, outcome_of(deal, sight_of_all(book)))
    plays = one.plays
    if one.net != net:  # only a part of it plays
        plays = -net if one.odds is None or one.came.verdict == "lose" else int(net / one.odds.ratio)
        yield one.net, phrase("mixed-whole-stake"), one.rules
        if one.odds is not None and one.odds.ratio == 1 - COMMISSION:
            yield plays - line.stake * COMMISSION, phrase("mixed-commission-on-stake"), one.rules
    yield from slips(book, one, plays)
    if not line.window:
        yield from _in_other_documents(book, deal, line, plays)


def slips(book: Rulebook, one: LineToPay, stake: int) -> Iterator[Slip]:
    """Everything that is usually paid instead of a line's own amount."""
    rules, odds, verdict = one.rules, one.odds, one.came.verdict
    if verdict == "win" and odds is not None:
        net = odds.ratio * stake
        even = {1 - COMMISSION: "mixed-no-commission", HALF: "mixed-no-half"}.get(odds.ratio)
        if even:
            yield stake, phrase(even, odds=odds.text), rules
        yield from _tiers(book, one.line, stake)
        if odds.ratio != 1 - COMMISSION:
            yield net - net * COMMISSION, phrase("mixed-commission-taken"), rules
            yield net - stake * COMMISSION, phrase("mixed-commission-on-stake"), rules
        yield stake, phrase("mixed-even-money", odds=odds.text), rules
        yield net + stake, phrase("mixed-with-stake"), rules
        yield -net, phrase("mixed-sign"), rules
        yield -stake, phrase("mixed-won-taken"), rules
        yield 0, phrase("mixed-won-left"), rules
        return
    if verdict == "push":
        yield -stake, phrase("mixed-push-taken"), rules
        yield stake, phrase("mixed-push-paid"), rules
    else:
        yield stake, phrase("mixed-sign"), rules
        yield 0, phrase("mixed-lost-left"), rules
    yield from _tiers(book, one.line, stake)


def _tiers(book: Rulebook, line: BetLine, stake: int) -> Iterator[Slip]:
    """Other tiers of the bet, other rows of insurance; the odds of its own row are no slip."""
    if line.window:
        hand = Side(line.bet.removesuffix(INSURANCE))
        for row in insurance_of(book).offers:
            if row.hand is hand:
                yield row.odds.ratio * stake, row_told(row), row.rules
        return
    bet = book.bets[line.bet]
    for tier in bet.pays:
        says = phrase("mixed-tier", bet=line.bet, odds=tier.odds.text)
        yield tier.odds.ratio * stake, says, tuple(dict.fromkeys((*bet.rules, *tier.rules)))


def row_told(row: Offer) -> Phrase:
    """Where insurance has these odds."""
    points = {"player": str(row.player), "banker": str(row.banker)}
    return phrase("mixed-row", hand=row.hand, odds=row.odds.text, **points, window=row.window)


def _in_other_documents(book: Rulebook, deal: Deal, line: BetLine, stake: int) -> Iterator[Slip]:
    for other in other_documents(book):
        bet = other.bets.get(line.bet)
        if bet is not None:
            result = result_in(bet, deal)
            yield result.net(stake), by_another(other, result.rules), ()


def bet_elsewhere(item: Item, book: Rulebook, part: ItemPart, given: Given) -> Because | None:
    """How a bet under one of two documents usually goes wrong, by the one that was asked about."""
    facts = item.facts
    if not isinstance(facts, ChangedFacts) or part.form != "cents":
        return None
    of = book if part.name == "here" else next(o for o in other_documents(book) if o.slug == facts.other)
    line, deal = facts.lines[0], Deal(book.table_of_play, parse_cards(facts.cards))
    result = result_in(of.bets[line.bet], deal)
    net = int(str(part.answer))
    one = LineToPay(line=line, plays=line.stake, came=result, odds=result.odds, net=net)
    slip = _recognised(slips(of, one, line.stake), given, part.answer)
    return slip if slip is None or of is book else Because(slip.says)  # its paragraphs are not this one's


# --- caps and limits --------------------------------------------------------------------------------------


def insurance_cap(
    facts: InsuranceFacts, book: Rulebook, part: ItemPart, given: Given, offer: Offer
) -> Because | None:
    """The other way to cap it, the odds of another row, the share of the maximum alone."""
    own = insurance_of(book)
    line = next(line for line in facts.lines if line.patron == part.asks.blanks["patron"])

    def found() -> Iterator[Slip]:
        by_winnings = own.winnings_per_round
        yield from _capped_elsewhere(book, line.stake, offer)
        yield line.stake, phrase("mixed-cap-stake"), part.paragraphs
        if by_winnings is not None:
            yield line.stake * offer.odds.ratio, phrase("mixed-cap-times"), by_winnings.rules
            for row in own.offers:
                if row.hand is offer.hand:
                    yield line.stake / row.odds.ratio, row_told(row), row.rules
        if own.long_odds is not None:
            longest = phrase("mixed-cap-long", odds=own.long_odds.odds.text)
            yield facts.maximum * own.long_odds.of_maximum, longest, own.long_odds.rules
        yield facts.maximum, phrase("mixed-maximum"), part.paragraphs
        for other_line in facts.lines:
            yield other_line.stake, phrase("mixed-patron", patron=other_line.patron), ()

    return _recognised(found(), given, part.answer)


def _capped_elsewhere(book: Rulebook, stake: int, offer: Offer) -> Iterator[Slip]:
    """The cap by another document, which has it of the stake or of the winnings where this one has not."""
    own = insurance_of(book)
    for other, cap in ((document, document.insurance) for document in other_documents(book)):
        if cap is not None and own.stake_per_window is None and cap.stake_per_window is not None:
            yield stake, by_another(other, cap.stake_per_window.rules, "mixed-cap-stake-book"), ()
        if cap is not None and own.winnings_per_round is None and cap.winnings_per_round is not None:
            told = by_another(other, cap.winnings_per_round.rules, "mixed-cap-winnings-book")
            yield stake / offer.odds.ratio, told, ()


def limits(item: Item, book: Rulebook, part: ItemPart, given: Given) -> Because | None:
    """One limit taken for another, or a share worked out otherwise."""
    facts, document = item.facts, book.limits
    if not isinstance(facts, LimitsFacts):
        return None
    if part.name == "verdict":
        return _verdict(facts, book, str(given), str(part.answer))
    box = _box(facts)
    apart = abs(box["player"] - box["banker"])
    sides = sum(line.stake for line in facts.lines if line.bet not in box)

    def found() -> Iterator[Slip]:
        differential = document.differential.rules
        if part.name == "excess":
            yield apart, phrase("mixed-apart"), differential
            yield max(apart + sides - facts.differential, 0), phrase("mixed-side-bets"), differential
            yield max(*box.values()) - facts.differential, phrase("mixed-one-side"), differential
            return
        if part.name == "most" and facts.wish is not None:
            mine = box[facts.wish.bet]
            against = sum(box.values()) - mine
            yield facts.maximum, phrase("mixed-maximum"), document.maximum.rules
            yield against + facts.differential - mine, phrase("mixed-no-maximum"), document.maximum.rules
            yield facts.differential, phrase("mixed-bare-differential"), differential
            yield mine + facts.differential - against, phrase("mixed-swapped"), differential
            yield facts.differential - mine, phrase("mixed-against-forgotten"), differential
            yield against + facts.differential, phrase("mixed-own-side-forgotten"), differential
            return
        line = next(line for line in facts.lines if part.name == f"plays-{line.patron}")
        heavy = [bet_line for bet_line in facts.lines if bet_line.bet == line.bet]
        whole, other = sum(bet_line.stake for bet_line in heavy), sum(box.values()) - box[line.bet]
        after = document.differential.after.rules
        yield line.stake, phrase("mixed-whole-stake"), part.paragraphs
        yield 0, phrase("mixed-all-back"), part.paragraphs
        yield line.stake - int(str(part.answer)), phrase("mixed-what-goes-back"), part.paragraphs
        yield Fraction(line.stake * (other + facts.differential), whole), phrase("mixed-no-floor"), after
        yield Fraction(line.stake * facts.differential, whole), phrase("mixed-against-forgotten"), after
        yield Fraction(other + facts.differential, len(heavy)), phrase("mixed-equal-shares"), after
        yield facts.differential, phrase("mixed-bare-differential"), after
        yield facts.minimum, phrase("mixed-minimum"), after
        yield facts.maximum, phrase("mixed-maximum"), document.maximum.rules

    return _recognised(found(), given, part.answer)


def _box(facts: LimitsFacts) -> dict[str, int]:
    """What lies on each hand."""
    return {side.value: sum(line.stake for line in facts.lines if line.bet == side) for side in Side}


def _verdict(facts: LimitsFacts, book: Rulebook, given: str, right: str) -> Because | None:
    """From which amount on that would be the answer."""
    document, wish = book.limits, facts.wish
    if wish is None:
        return None
    box, room = _box(facts), None
    if wish.bet in box and document.differential.scope == "box":
        room = sum(box.values()) - 2 * box[wish.bet] + facts.differential
    if given == "over-differential" and room is None:
        return because("mixed-side-bets", document.differential.rules)
    name = right if given == "taken" else given
    amount, rules = {
        "below-minimum": (facts.minimum, document.displayed.rules),
        "above-maximum": (facts.maximum, document.maximum.rules),
    }.get(name, (room or 0, document.differential.rules))
    return because(f"mixed-{name}", rules, cents=max(amount, 0))
