"""Rounds settled a second time from cards and bets alone, and their money counted again.

Nothing of what the table decided by is used: lines come from `play.settlement`, movements from lines.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from thirdcard.errors import BadInput
from thirdcard.money import CHIP_STEP, Odds
from thirdcard.play import insurance
from thirdcard.play.outcome import outcome_of
from thirdcard.play.settlement import Game
from thirdcard.play.settlement import Line as Due
from thirdcard.play.tableau import Deal
from thirdcard.service.events import Logged
from thirdcard.table.events import RoundSettled, RoundVoided, SettlementReversed
from thirdcard.table.ledger import HOUSE, box, rack
from thirdcard.table.state import Line, Played, Purchase, Round, Stake, State


def wrong(state: State, event: Logged, *, corrected: bool) -> str:
    """What is wrong with an event that ends a round, or undoes that; empty if nothing is.

    `state` is the table before it; `corrected` says that the round's cards are not those people insured on.
    """
    current = state.round
    if current is None:
        return ""
    if isinstance(event, RoundSettled):
        return _wrong_settlement(state, current, event, corrected=corrected)
    expected = Counter[str]()
    if isinstance(event, RoundVoided):
        for one in _lying(current):
            expected[box(one.box)] -= one.cents
            expected[rack(one.player)] += one.cents
    elif isinstance(event, SettlementReversed):
        for posting in current.paid:
            expected[posting.account] -= posting.cents
    else:
        return ""
    return "" if _moved(event) == _nonzero(expected) else "what it moves is not what lies on the table"


def wrong_boxes(state: State) -> str:
    """The chips in the boxes are the bets of the round, no more and no less; racks are never negative."""
    lying, current = Counter[str](), state.round
    if current is not None and current.settlement is None and current.phase != "void":
        for one in _lying(current):
            lying[box(one.box)] += one.cents
    found = state.balances
    for account in (*found, *lying):
        cents = found.get(account, 0)
        if account.startswith("rack:") and cents < 0:
            return f"{account} is negative"
        if account.startswith("box:") and cents != lying[account]:
            return f"{cents} cents lie in {account}, but the bets there come to {lying[account]}"
    return ""


def _lying(current: Round) -> Iterator[Stake | Purchase]:
    yield from current.stakes.values()
    yield from current.purchases


def _moved(event: Logged) -> Counter[str]:
    sums = Counter[str]()
    for posting in event.postings:
        sums[posting.account] += posting.cents
    return _nonzero(sums)


def _nonzero(sums: Counter[str]) -> Counter[str]:
    return Counter({account: cents for account, cents in sums.items() if cents})


def _wrong_settlement(state: State, current: Round, event: RoundSettled, *, corrected: bool) -> str:
    said = event.settlement
    deal = Deal(state.rules.table_of_play, current.cards)
    decks = state.shoe.size // 52 if state.shoe else state.setup.decks
    game = Game(state.rules, state.setup.layout, decks=decks, unit=CHIP_STEP)
    try:
        whole = game.settle(current.cards, {})
        due = [
            *(_due(game, current, key, stake) for key, stake in current.stakes.items()),
            *(_insured(state, deal, one, checked=not (corrected or current.irregularities or one.late))
              for one in current.purchases),
        ]  # fmt: skip
    except BadInput as error:
        return f"the round cannot be settled: {error}"
    pairs = tuple(hand[0].rank is hand[1].rank for hand in (deal.player, deal.banker))
    if (said.outcome, said.player, said.banker) != (whole.outcome, whole.player.points, whole.banker.points):
        return "the result is not what the cards say"
    if (event.player_pair, event.banker_pair) != pairs or said.irregularities != current.irregularities:
        return "pairs or irregularities are not those of the round"
    if len(due) != len(said.lines):
        return f"{len(said.lines)} bets are settled, but {len(due)} were made"
    for line, one in zip(said.lines, due, strict=True):
        if not _same(line, one):
            return (
                f"{line.player}'s {line.bet} in box {line.box} comes to {line.net} cents, not to what is due"
            )
    return "" if _moved(event) == _payments(said.lines) else "what it moves is not what its lines come to"


class _Owed(Due, frozen=True, kw_only=True):
    """A line that is due, and whose; `played` where the stake did not play in full."""

    player: str
    box: int
    played: int | None = None
    returned: bool = False


def _due(game: Game, current: Round, key: str, stake: Stake) -> _Owed:
    """What a stake comes to. A share of a stake may be any number of cents, so it is worked out here."""
    playing: Played | None = current.played.get(key)
    step = CHIP_STEP if playing is not None or stake.cents % CHIP_STEP else stake.cents
    (line,) = game.settle(current.cards, {stake.bet: step}).bets
    plays = stake.cents if playing is None else playing.cents
    net = {"lose": -plays, "push": 0, "win": Odds(line.odds).winnings_cents(plays) if line.odds else 0}
    return _Owed(
        player=stake.player,
        box=stake.box,
        bet=stake.bet,
        stake=stake.cents,
        result=line.result,
        odds=line.odds,
        net=line.net if step == plays else net[line.result],
        rules=line.rules,
        played=None if playing is None else playing.cents,
        returned=key in current.neglected or plays == 0,
    )


def _insured(state: State, deal: Deal, bought: Purchase, *, checked: bool) -> _Owed:
    """What insurance comes to; where `checked`, at the odds that these cards offered in that window."""
    terms = state.rules.insurance
    if terms is None:
        raise BadInput("insurance was bought where there is none")
    row = terms.offers[bought.row]
    if checked and insurance.offer_at(terms, deal, bought.hand, bought.window) != row:
        raise BadInput(f"{bought.hand} insurance was not on offer at {row.odds}")
    came = insurance.result(terms, row, outcome_of(deal))
    net = {"lose": -bought.cents, "push": 0, "win": row.odds.winnings_cents(bought.cents)}
    return _Owed(
        player=bought.player,
        box=bought.box,
        bet=f"{bought.hand}-insurance",
        stake=bought.cents,
        result=came.verdict,
        odds=row.odds.text,
        net=net[came.verdict],
        rules=came.rules,
        window=bought.window,
    )


def _same(line: Line, due: _Owed) -> bool:
    """Whether a line is what is due; beside the paragraphs of its result it may cite why it did not play."""
    whose = (line.player, line.box, line.bet, line.stake, line.window)
    if whose != (due.player, due.box, due.bet, due.stake, due.window):
        return False
    if line.result == "returned":
        return due.returned and line.net == 0
    if due.played == 0 or line.played != due.played:
        return False
    cited = line.rules[: len(due.rules)] == due.rules
    return (line.result, line.odds, line.net) == (due.result, due.odds, due.net) and cited


def _payments(lines: Iterable[Line]) -> Counter[str]:
    sums = Counter[str]()
    for line in lines:
        sums[box(line.box)] -= line.stake
        sums[rack(line.player)] += line.stake + line.net
        sums[HOUSE] -= line.net
    return _nonzero(sums)
