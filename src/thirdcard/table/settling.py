"""What everybody wins and loses on an outcome: every line of a settlement, and what it moves."""

from collections.abc import Iterable, Mapping

from thirdcard.money import Odds
from thirdcard.play import bets, insurance
from thirdcard.play.bets import Result, net_cents
from thirdcard.rulebook.conditions import PAIRED, Outcome
from thirdcard.rulebook.model import Rules, Side
from thirdcard.table.events import DecidedSettled, RoundSettled
from thirdcard.table.ledger import HOUSE, Posting, box, rack, within_racks
from thirdcard.table.playing import covers, offers_at
from thirdcard.table.state import Line, Played, Round, Settlement, Stake, State


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
        postings=within_racks(state, _paid(lines), winnings(lines)),
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
        postings=within_racks(state, _paid(lines), winnings(lines)),
    )


def winnings(lines: Iterable[Line]) -> dict[str, int]:
    """What each person has won, whatever else was lost."""
    found: dict[str, int] = {}
    for line in lines:
        if line.net > 0:
            found[line.player] = found.get(line.player, 0) + line.net
    return found


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

    __slots__ = ("least", "low_rules", "net", "odds", "rules", "text", "verdict")

    def __init__(self, result: Result, least: int, low_rules: Rules) -> None:
        self.verdict = result.verdict
        self.net = result.net
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
            net, exact = self.net(plays), None
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
    low_rules = state.rulebook.limits.below_minimum_unnoticed.rules
    return _Came(bets.result(state.rulebook.bets[bet], outcome), state.setup.limit(bet).min, low_rules)


def _would_have_won(state: State, current: Round, key: str, outcome: Outcome) -> bool:
    """Whether insurance that was never offered on this stake would have won, at the row there really was."""
    terms = state.rulebook.insurance
    if terms is None or key not in current.neglected:
        return False
    windows = {terms.offers[row].window for row in current.neglected[key]}
    deal, hand = state.deal(), current.stakes[key].bet
    offers = [
        open_offer
        for window in windows
        for open_offer in offers_at(terms, deal, window)
        if open_offer.hand == hand
    ]
    return any(
        insurance.result(terms, terms.offers[offer.row], outcome.winner).verdict == "win" for offer in offers
    )


def _given_back(state: State, stake: Stake) -> Line:
    """An Original Bet returned because its insurance was not offered."""
    terms = state.rulebook.insurance
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
    return state.rulebook.limits.below_minimum_unnoticed.value == "settle-once"


def _insurance_lines(state: State, current: Round, outcome: Outcome) -> list[Line]:
    """Insurance as it plays; what does not play goes back."""
    terms = state.rulebook.insurance
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
