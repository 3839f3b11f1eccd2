"""The result, what everybody wins and loses, and what can still be undone."""

from collections.abc import Iterable, Mapping

from thirdcard.money import Odds, format_dollars
from thirdcard.play import bets, insurance
from thirdcard.play.bets import Result, net_cents
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import INITIAL
from thirdcard.rulebook.conditions import PAIRED, Outcome, sight_of_all
from thirdcard.rulebook.model import Rules, Side
from thirdcard.table import commands, limits
from thirdcard.table.decide.checks import need_dealer, need_phase, need_rank, need_reason, refuse
from thirdcard.table.decide.chips import put_right
from thirdcard.table.decide.flow import Flow
from thirdcard.table.events import (
    AnyEvent,
    DecidedSettled,
    DeviceReturned,
    IrregularityClosed,
    RoundSettled,
    RoundVoided,
    SettlementReversed,
)
from thirdcard.table.evolve import evolve
from thirdcard.table.ledger import HOUSE, Posting, PostingBook, box, rack, reversal, within_racks
from thirdcard.table.playing import covers, offers_at
from thirdcard.table.state import HANDS, Line, Played, Round, Settlement, Stake, State


def settle(state: State, command: commands.Settle) -> tuple[AnyEvent, ...]:
    need_dealer(state, command.by)
    current = need_phase(state, "dealing")
    if not current.all_seen or len(current.drawn) < INITIAL:
        lying = "cards still lie face down" if current.drawn else "no card has been drawn"
        raise refuse("round-not-complete", lying, state.rules.table_of_play.rules)
    deal = state.deal()
    if deal.next is not None:
        raise refuse(
            "round-not-complete", f"the {deal.next.label} is still to draw", state.rules.table_of_play.rules
        )
    over = limits.undecided_excess(state, current)
    if over:
        unruled = state.rules.limits.above_maximum_unnoticed
        stake = over[0]
        raise refuse(
            "decision-needed",
            f"{stake.player} has {format_dollars(stake.cents)} on {stake.bet} in box {stake.box}, over its "
            f"maximum: report it as {_uncovered_case(state)}, to be decided",
            unruled.rules,
        )
    right = put_right(state, current)
    for event in right:
        state = evolve(state, event)
    assert state.round is not None
    return (*right, *settled_events(state, state.round, outcome_of(deal, sight_of_all(state.rules))))


def _uncovered_case(state: State) -> str:
    procedure = state.rules.procedure("uncovered")
    return procedure.case if procedure else ""


def settled_events(state: State, current: Round, outcome: Outcome) -> tuple[AnyEvent, ...]:
    """The settlement, and the device back from a player who has lost it by a lost wager."""
    event = settlement_event(state, current, outcome)
    holder = current.lost_device or state.device
    if holder is None or not _loses_device(event.settlement.lines, holder):
        return (event,)
    rules = state.setup.dealing.lost_rules
    return (event, DeviceReturned(player=holder, why="wager-lost", rules=rules))


def _loses_device(lines: Iterable[Line], holder: str) -> bool:
    """By a lost wager on a hand or, without one, when every wager lost; a tie keeps it (MBS 3.12.8.2)."""
    mine = [line for line in lines if line.player == holder and line.window is None]
    hands = [line for line in mine if line.bet in HANDS]
    if hands:
        return any(line.result == "lose" for line in hands)
    return bool(mine) and all(line.result == "lose" for line in mine)


def settlement_event(state: State, current: Round, outcome: Outcome) -> RoundSettled:
    """Every stake and every insurance settled on an outcome."""
    lines, once = [], []
    results: dict[str, _Came] = {}  # each bet's: many people make the same bets
    playing, neglected = current.played, current.neglected
    for key, stake in current.stakes.items():
        if neglected and _would_have_won(state, current, key, outcome):
            lines.append(_given_back(state, stake))
            continue
        came = results.get(stake.bet)
        if came is None:
            came = results[stake.bet] = _came(state, stake.bet, outcome)
        line = came.line(stake, playing.get(key) if playing else None)
        lines.append(line)
        if stake.cents < came.least and line.result in ("win", "lose"):
            once.append(stake.player)
    if current.purchases:
        lines += _insurance_lines(state, current, outcome)
    settlement = Settlement(
        outcome=outcome.winner,
        player=outcome.player,
        banker=outcome.banker,
        lines=tuple(lines),
        irregularities=current.irregularities,
    )
    return RoundSettled(
        settlement=settlement,
        player_pair=outcome.pairs in PAIRED[Side.PLAYER],
        banker_pair=outcome.pairs in PAIRED[Side.BANKER],
        once=tuple(dict.fromkeys(once)) if once and _once_only(state) else (),
        postings=within_racks(state.balances, _paid(lines)),
    )


def decided_event(
    state: State, current: Round, verdicts: Mapping[str, Outcome], rules: Rules
) -> DecidedSettled:
    """The stakes that are already won or lost, each settled on any outcome that is still possible."""
    lines, once = [], []
    for key, outcome in verdicts.items():
        stake = current.stakes[key]
        came = _came(state, stake.bet, outcome)
        line = came.line(stake, current.played.get(key))
        lines.append(line)
        if stake.cents < came.least and line.result in ("win", "lose"):
            once.append(stake.player)
    return DecidedSettled(
        lines=tuple(lines),
        once=tuple(dict.fromkeys(once)) if _once_only(state) else (),
        rules=rules,
        postings=within_racks(state.balances, _paid(lines)),
    )


def _paid(lines: Iterable[Line]) -> tuple[Posting, ...]:
    """Each stake leaves its box, back to the rack but for what is lost; winnings come from the House."""
    boxes: dict[int, int] = {}
    racks: dict[str, int] = {}
    house = 0
    for line in lines:
        number, player, stake, net = line.box, line.player, line.stake, line.net
        boxes[number] = boxes.get(number, 0) - stake
        racks[player] = racks.get(player, 0) + stake + net
        house -= net
    postings = [Posting(box(number), cents) for number, cents in boxes.items()]
    postings += [Posting(rack(player), cents) for player, cents in racks.items() if cents]
    if house:
        postings.append(Posting(HOUSE, house))
    return tuple(postings)


class _Came:
    """How a bet came out in a round, for whatever was staked on it.

    One under the minimum that nobody noticed in time is settled all the same, by its own paragraph.
    """

    __slots__ = ("least", "low_rules", "odds", "rules", "text", "verdict")

    def __init__(self, result: Result, least: int, low_rules: Rules) -> None:
        self.verdict = result.verdict
        self.odds = result.tier.odds if result.tier else None
        self.text = self.odds.text if self.odds else None
        self.rules = result.rules
        self.least = least
        self.low_rules = low_rules

    def line(self, stake: Stake, playing: Played | None) -> Line:
        """A stake's result, for what it plays for."""
        cents = plays = stake.cents
        rules, odds = self.rules, self.odds
        if playing is not None:
            plays = min(playing.cents, cents)
            rules = (*rules, *playing.rules) if plays else playing.rules
        elif cents < self.least:
            rules = (*rules, *self.low_rules)
        if odds is not None:
            net, exact = odds.winnings_cents(plays), _exact(odds, plays)
        else:
            net, exact = -plays if self.verdict == "lose" else 0, None
        return Line(
            player=stake.player,
            box=stake.box,
            bet=stake.bet,
            stake=cents,
            result=self.verdict if plays else "returned",
            odds=self.text if plays else None,
            net=net,
            rules=rules,
            played=None if playing is None else plays,
            exact=exact,
        )


def _came(state: State, bet: str, outcome: Outcome) -> _Came:
    low_rules = state.rules.limits.below_minimum_unnoticed.rules
    return _Came(bets.result(state.rules.bets[bet], outcome), state.setup.limit(bet).min, low_rules)


def _would_have_won(state: State, current: Round, key: str, outcome: Outcome) -> bool:
    """Whether insurance that was never offered on this stake would have won, at the row there really was."""
    terms = state.rules.insurance
    if terms is None or key not in current.neglected:
        return False
    windows = {terms.offers[row].window for row in current.neglected[key]}
    deal, hand = state.deal(), current.stakes[key].bet
    offers = [one for window in windows for one in offers_at(terms, deal, window) if one.hand == hand]
    return any(
        insurance.result(terms, terms.offers[one.row], outcome.winner).verdict == "win" for one in offers
    )


def _given_back(state: State, stake: Stake) -> Line:
    """An Original Bet returned because its insurance was not offered."""
    terms = state.rules.insurance
    assert terms is not None
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


def _insurance_lines(state: State, current: Round, outcome: Outcome) -> list[Line]:
    """Insurance as it plays; what does not play goes back."""
    terms = state.rules.insurance
    assert terms is not None  # else nothing could be bought
    lines = []
    for cover in covers(state, current):
        bought = cover.purchase
        row = terms.offers[bought.row if cover.row is None else cover.row]
        came = insurance.result(terms, row, outcome.winner)
        plays = cover.cents
        lines.append(
            Line(
                player=bought.player,
                box=bought.box,
                bet=f"{bought.hand}-insurance",
                stake=bought.cents,
                result=came.verdict if plays else "returned",
                odds=row.odds.text if plays else None,
                net=net_cents(came.verdict, plays, row.odds),
                rules=came.rules if plays else terms.rules,
                window=bought.window,
                played=None if plays == bought.cents else plays,
                exact=_exact(row.odds, plays) if plays and came.verdict == "win" else None,
            )
        )
    return lines


def _exact(odds: Odds, played: int) -> str | None:
    """The winnings as a fraction of a cent, where they had to be rounded down (interpretation 35)."""
    return None if odds.is_exact(played) else str(odds.winnings(played))


def void(state: State, command: commands.Void) -> tuple[AnyEvent, ...]:
    """Every bet of the round goes back, before settlement or after it while the round is not final."""
    decides = state.rules.authority.decides
    need_rank(state, command.by, decides.value, decides.rules)
    current = need_phase(state, "betting", "adjusting", "dealing", "settled", rules=decides.rules)
    need_reason(command.reason, decides.rules)
    flow = Flow(state, command.by)
    voided(flow, command.reason, (*decides.rules, *void_rules(state)), decides.rules)
    if current.pending is not None:
        flow.emit(IrregularityClosed(case=current.pending.case, rules=decides.rules))
    return tuple(flow.events)


def voided(flow: Flow, reason: str, rules: Rules, reversal_rules: Rules = ()) -> None:
    """Every bet back, late chips as they were, a settlement reversed first."""
    flow.emit(*put_right(flow.state, flow.current))
    if flow.current.settlement is not None:
        flow.emit(reversed_settlement(flow.state, flow.current, flow.by, reason, reversal_rules or rules))
    postings = within_racks(flow.state.balances, refunds(flow.current))
    flow.emit(RoundVoided(by=flow.by, reason=reason, rules=rules, postings=postings))


def void_rules(state: State) -> Rules:
    """What sends every bet of a void round back."""
    return state.rules.void.rules if state.rules.void else ()


def refunds(current: Round) -> tuple[Posting, ...]:
    """Every stake and every insurance back to who put it there."""
    book = PostingBook()
    for stake in current.stakes.values():
        book.move(stake.cents, box(stake.box), rack(stake.player))
    for purchase in current.purchases:
        book.move(purchase.cents, box(purchase.box), rack(purchase.player))
    return book.postings()


def reversed_settlement(
    state: State, current: Round, by: str, reason: str, rules: Rules
) -> SettlementReversed:
    """What was paid comes back; what a rack lacks is owed (interpretation 37)."""
    assert current.settlement is not None  # callers have seen it
    postings = within_racks(state.balances, reversal(current.paid))
    nets = current.settlement.nets
    return SettlementReversed(by=by, reason=reason, nets=nets, rules=rules, postings=postings)
