"""The result, what everybody wins and loses, and what can still be undone."""

from collections.abc import Iterable, Mapping

from thirdcard.money import Odds, format_dollars
from thirdcard.play import bets, insurance
from thirdcard.play.bets import Result
from thirdcard.play.outcome import Outcome, outcome_of
from thirdcard.play.tableau import INITIAL
from thirdcard.rulebook.model import Rules
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
from thirdcard.table.ledger import Book, Posting, box, rack, reversal, within_racks
from thirdcard.table.playing import covers, offers_at
from thirdcard.table.state import HANDS, Line, Played, Round, Settlement, Stake, State

PAIRED = {"player": ("player", "double", "twin"), "banker": ("banker", "double", "twin")}


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
    return (*right, *settled_events(state, state.round, outcome_of(deal)))


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
    book, lines, once = Book(), [], []
    results: dict[str, _Came] = {}  # each bet's: many people make the same bets
    playing, neglected = current.played, current.neglected
    for key, stake in current.stakes.items():
        if neglected and _would_have_won(state, current, key, outcome):
            lines.append(_given_back(state, book, stake))
            continue
        came = results.get(stake.bet)
        if came is None:
            came = results[stake.bet] = _came(state, stake.bet, outcome)
        line = came.line(stake, playing.get(key) if playing else None)
        lines.append(line)
        book.settle(stake.player, stake.box, stake.cents, line.net)
        if stake.cents < came.least and line.result in ("win", "lose"):
            once.append(stake.player)
    if current.purchases:
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
        once=tuple(dict.fromkeys(once)) if once and _once_only(state) else (),
        postings=within_racks(state.balances, book.postings()),
    )


def decided_event(
    state: State, current: Round, verdicts: Mapping[str, Outcome], rules: Rules
) -> DecidedSettled:
    """The stakes that are already won or lost, each settled on any outcome that is still possible."""
    book, lines, once = Book(), [], []
    for key, outcome in verdicts.items():
        stake = current.stakes[key]
        came = _came(state, stake.bet, outcome)
        line = came.line(stake, current.played.get(key))
        lines.append(line)
        book.settle(stake.player, stake.box, stake.cents, line.net)
        if stake.cents < came.least and line.result in ("win", "lose"):
            once.append(stake.player)
    return DecidedSettled(
        lines=tuple(lines),
        once=tuple(dict.fromkeys(once)) if _once_only(state) else (),
        rules=rules,
        postings=within_racks(state.balances, book.postings()),
    )


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

    def net(self, cents: int) -> int:
        if self.odds is not None:
            return self.odds.winnings_cents(cents)
        return -cents if self.verdict == "lose" else 0

    def line(self, stake: Stake, playing: Played | None) -> Line:
        """A stake's result, for what it plays for."""
        cents = stake.cents
        if playing is None:
            return Line(
                player=stake.player,
                box=stake.box,
                bet=stake.bet,
                stake=cents,
                result=self.verdict,
                odds=self.text,
                net=self.net(cents),
                rules=self.rules if cents >= self.least else (*self.rules, *self.low_rules),
                exact=_exact(self.odds, cents) if self.odds else None,
            )
        plays = min(playing.cents, cents)
        return Line(
            player=stake.player,
            box=stake.box,
            bet=stake.bet,
            stake=cents,
            result=self.verdict if plays else "returned",
            odds=self.text if plays else None,
            net=self.net(plays),
            rules=(*self.rules, *playing.rules) if plays else playing.rules,
            played=plays,
            exact=_exact(self.odds, plays) if self.odds else None,
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
    return any(insurance.result(terms, terms.offers[one.row], outcome).verdict == "win" for one in offers)


def _given_back(state: State, book: Book, stake: Stake) -> Line:
    """An Original Bet returned because its insurance was not offered."""
    terms = state.rules.insurance
    assert terms is not None
    book.settle(stake.player, stake.box, stake.cents, 0)
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
    """Insurance as it plays; what does not play goes back."""
    terms = state.rules.insurance
    assert terms is not None  # else nothing could be bought
    lines = []
    for cover in covers(state, current):
        bought = cover.purchase
        row = terms.offers[bought.row if cover.row is None else cover.row]
        came = insurance.result(terms, row, outcome)
        plays = cover.cents
        net = _net(came, row.odds, plays)
        book.settle(bought.player, bought.box, bought.cents, net)
        lines.append(
            Line(
                player=bought.player,
                box=bought.box,
                bet=f"{bought.hand}-insurance",
                stake=bought.cents,
                result=came.verdict if plays else "returned",
                odds=row.odds.text if plays else None,
                net=net,
                rules=came.rules if plays else terms.rules,
                window=bought.window,
                played=None if plays == bought.cents else plays,
                exact=_exact(row.odds, plays) if plays and came.verdict == "win" else None,
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
    book = Book()
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
    return SettlementReversed(by=by, reason=reason, rules=rules, postings=postings)
