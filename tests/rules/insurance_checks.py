"""Insurance against the printed tables: what is offered at every pair of points, and how it comes out."""

from collections import defaultdict
from collections.abc import Callable
from itertools import product

from rules.checks import refusal
from rules.helpers import POINTS, Document, Play, Row, card, dealt, every_play, ratio, start
from thirdcard.cards import parse_card
from thirdcard.play.insurance import Bought, cap, offer_at, open_offers
from thirdcard.play.settlement import Insured, Statement, StatementLine
from thirdcard.play.tableau import Deal
from thirdcard.rulebook.model import Insurance, Side, Span


def insurance(doc: Document) -> Insurance:
    assert doc.book.insurance is not None
    return doc.book.insurance


def printed(doc: Document, window: int, player: int, banker: int) -> dict[Side, Row]:
    """The printed rows for these points, one at most for each hand."""
    found = [row for row in doc.insurance if row.window == window]
    found = [row for row in found if player in row.player and banker in row.banker]
    by_hand = {row.hand: row for row in found}
    assert len(by_hand) == len(found)
    return by_hand


def pay_table(doc: Document) -> None:
    """The rulebook's rows are the printed ones, no more and no fewer."""
    found = [
        Row(one.hand, one.window, _points(one.player), _points(one.banker), one.odds.text)
        for one in insurance(doc).offers
    ]
    assert sorted(found, key=repr) == sorted(doc.insurance, key=repr)


def first_window(doc: Document) -> None:
    """After four cards: the printed row at each pair of points while a hand is to draw, else nothing."""
    for player, banker in product(POINTS, POINTS):
        due = doc.draws.player_draws(player, banker) or doc.draws.banker_draws(player, banker, None)
        rows = printed(doc, 1, player, banker) if due else {}
        why = "no such row" if due else "nobody draws a third card"
        _offered(doc, doc.deal(start(player, banker)), 1, rows, why)


def second_window(doc: Document) -> None:
    """After the Player's third card: the printed row where the Banker is to draw, else nothing."""
    seen, offered = set(), set()
    for player, banker, third in product(POINTS, POINTS, POINTS):
        if not doc.draws.player_draws(player, banker):
            continue
        points = (player + third) % 10
        seen.add((points, banker))
        due = doc.draws.banker_draws(player, banker, third)
        rows = printed(doc, 2, points, banker) if due else {}
        offered |= {(hand, points, banker) for hand in rows}
        five = (*start(player, banker), parse_card(card(third, "D")))
        why = "no such row" if due else f"the Banker stands on {banker}"
        _offered(doc, doc.deal(five), 2, rows, why)
    assert seen == set(product(POINTS, range(8)))
    assert offered == {
        (row.hand, player, banker)
        for row in doc.insurance
        if row.window == 2
        for player, banker in product(row.player, row.banker)
    }


def closed(doc: Document) -> None:
    """No window on a natural, nor where both stand, nor a second one where the Player stands."""
    for player, banker in product(POINTS, POINTS):
        deal = doc.deal(start(player, banker))
        if doc.draws.player_draws(player, banker):
            continue
        _refused(doc, deal, 2, "the Player drew no third card")
        if doc.draws.banker_draws(player, banker, None):
            deal = doc.deal((*deal.cards, parse_card("5C")))
            assert open_offers(insurance(doc), deal) == ()
            _refused(doc, deal, 2, "the Player drew no third card")
        else:
            assert open_offers(insurance(doc), deal) == ()
            _refused(doc, deal, 1, "nobody draws a third card")


def banker_stands(doc: Document) -> None:
    """Points that match a row are refused, with a sentence that says so, where the Banker stands."""
    refused = set()
    for play in every_play(doc.draws):
        if play.player_third is None or play.banker_third is not None:
            continue
        for hand in printed(doc, 2, play.player, play.banker):
            sentence = refusal(_buying(doc, play, hand, window=2))
            assert sentence.startswith(
                f"no {hand}-insurance in window 2 at Player {play.player}, Banker {play.banker}: "
                f"the Banker stands on {play.banker}"
            )
            refused.add((hand, play.player, play.banker))
    assert {hand for hand, _, _ in refused} == set(Side)


def comes_out(doc: Document, *, tie_paid: Callable[[Row, Play], bool]) -> None:
    """Every purchase of every round that can be dealt: paid, lost or returned, to the cent.

    `tie_paid` says for which rows a tie is paid, the others being returned.
    """
    verdicts: dict[Row, set[str]] = defaultdict(set)
    paid_on_tie = set()
    for play in every_play(doc.draws):
        third_due = play.player_third is not None and play.banker_third is not None
        rows = [
            *(printed(doc, 1, *play.start).values() if len(play.cards) > 4 else ()),
            *(printed(doc, 2, play.player, play.start[1]).values() if third_due else ()),
        ]
        for row in rows:
            paid = play.player == play.banker and tie_paid(row, play)
            verdict = "win" if paid else _verdict(row, play)
            (_, came) = _buying(doc, play, row.hand, window=row.window)().bets
            assert (came.bet, came.window, came.odds) == (f"{row.hand}-insurance", row.window, row.odds)
            assert came.result == verdict, (row, play)
            assert came.net == {"win": 10_00 * ratio(row.odds), "lose": -10_00, "push": 0}[verdict]
            verdicts[row].add(verdict)
            paid_on_tie |= {row} if paid else set()
    for row in doc.insurance:
        assert verdicts[row] == {"win", "lose"} | (set() if row in paid_on_tie else {"push"}), row


def most(  # noqa: PLR0913 - a cap has that many reasons
    doc: Document,
    text: str,
    hand: str,
    window: int,
    *,
    original: int,
    bought: tuple[Bought, ...] = (),
    unit: int = 1_00,
    maximum: int | None = None,
    at_these_odds: int = 0,
) -> int:
    """What may still be staked in that window of a round, in cents; the cap rests on 3.12.2."""
    offer = offer_at(insurance(doc), doc.deal(dealt(text)), Side(hand), window)
    found = cap(
        insurance(doc),
        offer,
        original=original,
        bought=bought,
        unit=unit,
        maximum=maximum,
        at_these_odds=at_these_odds,
    )
    assert found.rules == ("3.12.2",)
    return found.cents


def line(doc: Document, text: str, hand: str, window: int) -> StatementLine:
    """The statement line of insurance for 10 dollars on an original bet of 1,000."""
    return doc.settle(text, {hand: 1_000_00}, (hand, window, 10_00)).bets[1]


def _points(span: Span) -> range:
    return range(span.low, span.high + 1)


def _verdict(row: Row, play: Play) -> str:
    if play.player == play.banker:
        return "push"
    lost = Side.BANKER if play.player > play.banker else Side.PLAYER
    return "win" if row.hand is lost else "lose"


def _buying(doc: Document, play: Play, hand: Side, *, window: int) -> Callable[[], Statement]:
    bought = Insured(hand=hand, window=window, stake=10_00)
    return lambda: doc.game().settle(play.cards, {hand: 1_000_00}, [bought])


def _offered(doc: Document, deal: Deal, window: int, rows: dict[Side, Row], why: str) -> None:
    found = {offer.hand: offer.odds.text for offer in open_offers(insurance(doc), deal)}
    assert found == {hand: row.odds for hand, row in rows.items()}, deal
    for hand in Side:
        if hand in rows:
            assert offer_at(insurance(doc), deal, hand, window).odds.text == rows[hand].odds
        else:
            assert why in refusal(lambda: offer_at(insurance(doc), deal, hand, window))  # noqa: B023


def _refused(doc: Document, deal: Deal, window: int, why: str) -> None:
    for hand in Side:
        assert why in refusal(lambda: offer_at(insurance(doc), deal, hand, window))  # noqa: B023
