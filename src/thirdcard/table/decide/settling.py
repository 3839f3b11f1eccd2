"""The result, what everybody wins and loses, and what can still be undone."""

from collections.abc import Sequence

from thirdcard.cards import Card, check_copies
from thirdcard.errors import BadInput
from thirdcard.money import Odds
from thirdcard.play import bets, insurance
from thirdcard.play.bets import Result
from thirdcard.play.outcome import Outcome, outcome_of
from thirdcard.play.tableau import Deal, check_whole
from thirdcard.rulebook.model import Rules
from thirdcard.table import commands
from thirdcard.table.decide.checks import need_phase, need_rank, refuse
from thirdcard.table.events import (
    AnyEvent,
    CardsCorrected,
    DeviceReturned,
    IrregularityClosed,
    RoundSettled,
    RoundVoided,
    SettlementReversed,
)
from thirdcard.table.ledger import HOUSE, Book, Posting, box, rack, reversal
from thirdcard.table.state import HANDS, Line, Played, Round, Settlement, Stake, State

PAIRED = {"player": ("player", "double", "twin"), "banker": ("banker", "double", "twin")}


def settle(state: State, command: commands.Settle) -> tuple[AnyEvent, ...]:
    need_rank(state, command.by, "dealer")
    current = need_phase(state, "dealing")
    if len(current.exposed) < len(current.cards):
        raise refuse("round-not-complete", "cards still lie face down", state.rules.table_of_play.rules)
    deal = state.deal()
    if deal.next is not None:
        raise refuse(
            "round-not-complete", f"the {deal.next.label} is still to draw", state.rules.table_of_play.rules
        )
    return _settled(state, current, deal)


def _settled(state: State, current: Round, deal: Deal) -> tuple[AnyEvent, ...]:
    """The settlement, and the device back from a player whose wager on a hand lost."""
    event = settlement_event(state, current, outcome_of(deal))
    holder = current.lost_device or state.device
    lost = any(
        line.player == holder and line.bet in HANDS and line.result == "lose"
        for line in event.settlement.lines
    )
    if holder is None or not lost:
        return (event,)
    rules = state.setup.dealing.lost_rules
    return (event, DeviceReturned(player=holder, why="wager-lost", rules=rules))


def settlement_event(state: State, current: Round, outcome: Outcome) -> RoundSettled:
    """Every stake and every insurance settled on an outcome."""
    book, lines, once = Book(), [], []
    for key, stake in current.stakes.items():
        if current.neglected and _would_have_won(state, current, key, outcome):
            lines.append(_given_back(state, book, stake))
            continue
        lines.append(_stake_line(state, stake, current.played.get(key), outcome))
        _post(book, stake.player, stake.box, stake.cents, lines[-1].net)
        if stake.cents < state.setup.limit(stake.bet).min:
            once.append(stake.player)
    lines += _insurance_lines(state, current, outcome, book)
    settlement = Settlement(
        outcome=outcome.winner,
        player=outcome.player,
        banker=outcome.banker,
        lines=tuple(lines),
        irregularities=current.irregularities,
    )
    return RoundSettled(
        settlement=settlement,
        player_pair=outcome.pairs in PAIRED["player"],
        banker_pair=outcome.pairs in PAIRED["banker"],
        once=tuple(dict.fromkeys(once)) if _once_only(state) else (),
        postings=book.postings(),
    )


def _stake_line(state: State, stake: Stake, playing: Played | None, outcome: Outcome) -> Line:
    """A stake's result, for what it plays for."""
    came = bets.result(state.rules.bets[stake.bet], outcome)
    odds = came.tier.odds if came.tier else None
    if playing is None:
        return Line(
            player=stake.player,
            box=stake.box,
            bet=stake.bet,
            stake=stake.cents,
            result=came.verdict,
            odds=odds.text if odds else None,
            net=_net(came, odds, stake.cents),
            rules=_with_minimum(state, stake, came.rules),
            exact=_exact(odds, stake.cents) if odds else None,
        )
    return Line(
        player=stake.player,
        box=stake.box,
        bet=stake.bet,
        stake=stake.cents,
        result=came.verdict if playing.cents else "returned",
        odds=odds.text if odds and playing.cents else None,
        net=_net(came, odds, playing.cents),
        rules=(*came.rules, *playing.rules) if playing.cents else playing.rules,
        played=playing.cents,
        exact=_exact(odds, playing.cents) if odds else None,
    )


def _with_minimum(state: State, stake: Stake, rules: Rules) -> Rules:
    """A stake under the minimum that nobody noticed in time is settled all the same, by its own paragraph."""
    if stake.cents >= state.setup.limit(stake.bet).min:
        return rules
    return (*rules, *state.rules.limits.below_minimum_unnoticed.rules)


def _would_have_won(state: State, current: Round, key: str, outcome: Outcome) -> bool:
    """Whether insurance that was never offered on this stake would have won."""
    terms = state.rules.insurance
    return terms is not None and any(
        insurance.result(terms, terms.offers[row], outcome).verdict == "win"
        for row in current.neglected.get(key, ())
    )


def _given_back(state: State, book: Book, stake: Stake) -> Line:
    """An Original Bet returned because its insurance was not offered."""
    terms = state.rules.insurance
    assert terms is not None
    _post(book, stake.player, stake.box, stake.cents, 0)
    return Line(
        player=stake.player,
        box=stake.box,
        bet=stake.bet,
        stake=stake.cents,
        result="returned",
        odds=None,
        net=0,
        rules=terms.neglected.rules,
    )


def _once_only(state: State) -> bool:
    return state.rules.limits.below_minimum_unnoticed.value == "settle-once"


def _insurance_lines(state: State, current: Round, outcome: Outcome, book: Book) -> list[Line]:
    terms = state.rules.insurance
    lines = []
    for purchase in current.purchases if terms else ():
        assert terms is not None  # for the type checker
        row = terms.offers[purchase.row]
        came = insurance.result(terms, row, outcome)
        net = _net(came, row.odds, purchase.cents)
        _post(book, purchase.player, purchase.box, purchase.cents, net)
        lines.append(
            Line(
                player=purchase.player,
                box=purchase.box,
                bet=f"{purchase.hand}-insurance",
                stake=purchase.cents,
                result=came.verdict,
                odds=row.odds.text,
                net=net,
                rules=came.rules,
                window=purchase.window,
                exact=_exact(row.odds, purchase.cents) if came.verdict == "win" else None,
            )
        )
    return lines


def _net(came: Result, odds: Odds | None, played: int) -> int:
    if came.verdict == "lose":
        return -played
    return odds.winnings_cents(played) if came.verdict == "win" and odds else 0


def _exact(odds: Odds, played: int) -> str | None:
    """The winnings as a fraction of a cent, where they had to be rounded down (interpretation 35)."""
    return None if odds.is_exact(played) else str(odds.winnings(played))


def _post(book: Book, player: str, number: int, stake: int, net: int) -> None:
    """The stake leaves the box: back to the rack but for what is lost; winnings come from the House."""
    here, own = box(number), rack(player)
    if net < 0:
        book.move(-net, here, HOUSE)
        book.move(stake + net, here, own)
    else:
        book.move(stake, here, own)
        book.move(net, HOUSE, own)


def void(state: State, command: commands.Void) -> tuple[AnyEvent, ...]:
    """Every bet of the round goes back, before settlement or after it while the round is not final."""
    decides, rules = _uncovered(state)
    need_rank(state, command.by, decides, rules)
    current = need_phase(state, "betting", "adjusting", "dealing", "settled", rules=rules)
    _need_reason(command.reason)
    events: list[AnyEvent] = []
    if current.settlement is not None:
        events.append(reversed_settlement(current, command.by, command.reason, rules))
    events.append(
        RoundVoided(
            by=command.by,
            reason=command.reason,
            rules=(*rules, *void_rules(state)),
            postings=refunds(current),
        )
    )
    if current.pending is not None:
        events.append(IrregularityClosed(case=current.pending.case, rules=rules))
    return tuple(events)


def void_rules(state: State) -> Rules:
    """What sends every bet of a void round back."""
    return state.rules.void.rules if state.rules.void else ()


def refunds(current: Round) -> tuple[Posting, ...]:
    """Every stake and every insurance back to who put it there."""
    book = Book()
    for stake in current.stakes.values():
        book.move(stake.cents, box(stake.box), rack(stake.player))
    for purchase in current.purchases:
        book.move(purchase.cents, box(purchase.box), rack(purchase.player))
    return book.postings()


def correct(state: State, command: commands.Correct) -> tuple[AnyEvent, ...]:
    """Cards recorded wrongly: a reversal, then a new settlement; never an edit."""
    decides, rules = _correction(state)
    need_rank(state, command.by, decides, rules)
    current = need_phase(state, "settled", rules=rules)
    _need_reason(command.reason)
    deal = _whole(state, command.cards)
    _need_in_shoe(state, current, command.cards)
    assert current.settlement is not None  # the round is settled
    reversed_ = reversed_settlement(current, command.by, command.reason, rules)
    corrected = CardsCorrected(cards=command.cards, by=command.by, rules=rules)
    return (reversed_, corrected, *_settled(state, current, deal))


def _correction(state: State) -> tuple[str, Rules]:
    """Until the next round a pit supervisor corrects; where payment ended the round, it takes a decision."""
    final = state.rules.betting.final
    return ("pit-supervisor", final.rules) if final.value == "next-round" else _uncovered(state)


def _uncovered(state: State) -> tuple[str, Rules]:
    """Who decides what the rules do not cover."""
    ruling = next(p.rulings[0] for p in state.rules.procedures if p.case == "not-covered")
    return ruling.decides, ruling.rules


def _need_reason(reason: str) -> None:
    if not reason.strip():
        raise refuse("not-allowed-here", "a decision is recorded with its reason: give one")


def _whole(state: State, cards: tuple[Card, ...]) -> Deal:
    deal = Deal(state.rules.table_of_play, cards)
    try:
        check_whole(deal)
        check_copies(cards, state.shoe.size // 52 if state.shoe else state.setup.decks)
    except BadInput as error:
        raise refuse("card-not-due", str(error), state.rules.table_of_play.rules) from error
    return deal


def _need_in_shoe(state: State, current: Round, cards: Sequence[Card]) -> None:
    """The corrected cards must fit what the shoe can still have held."""
    assert state.shoe is not None  # the round was dealt from one
    if state.shoe.number != current.shoe:
        return  # a new one has come in since
    counts = dict(state.shoe.drawn)
    for card in current.cards:
        counts[card.value] -= 1
    for card in cards:
        counts[card.value] = counts.get(card.value, 0) + 1
        if counts[card.value] > state.shoe.size // 52:
            raise refuse("card-not-in-shoe", f"the shoe cannot have held another {card}")


def reversed_settlement(current: Round, by: str, reason: str, rules: Rules) -> SettlementReversed:
    assert current.settlement is not None  # callers have seen it
    return SettlementReversed(by=by, reason=reason, rules=rules, postings=reversal(current.paid))
