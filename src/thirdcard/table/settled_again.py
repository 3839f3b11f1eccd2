"""Rounds settled a second time from cards and bets alone, and their money counted again.

Of what the table decided by only this is used: how much of a purchase plays. Lines come from
`play.settlement`, movements from lines.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Protocol

from thirdcard.errors import BadInput
from thirdcard.money import CHIP_STEP
from thirdcard.play import insurance
from thirdcard.play.bets import Result, net_cents, open_to, result
from thirdcard.play.outcome import outcome_of
from thirdcard.play.settlement import Game
from thirdcard.play.settlement import StatementLine as Due
from thirdcard.play.tableau import Deal
from thirdcard.rulebook.conditions import sight_of
from thirdcard.rulebook.model import Insurance, Offer, Side
from thirdcard.table.events import (
    ChipsPutRight,
    DecidedSettled,
    LateChipsRecorded,
    RoundSettled,
    RoundVoided,
    SettlementReversed,
)
from thirdcard.table.ledger import HOUSE, Posting, box, owed, rack
from thirdcard.table.playing import PlayedCover, covers
from thirdcard.table.state import Line, Played, Purchase, Round, Stake, State, stake_key
from thirdcard.words.saying import say


class Moving(Protocol):
    """An event, as far as it moves money."""

    @property
    def postings(self) -> tuple[Posting, ...]: ...


def wrong(state: State, event: Moving, *, corrected: bool, amended: bool) -> str:
    """What is wrong with an event that moves the money of a round; empty if nothing is.

    `state` is the table before it. `corrected` says that the round's cards are not those people insured on,
    `amended` that its cards or stakes are no longer what they were then: insurance is worked out anew.
    """
    current = state.round
    if current is None:
        return ""
    if isinstance(event, RoundSettled):
        return _wrong_settlement(state, current, event, corrected=corrected, amended=amended)
    if isinstance(event, DecidedSettled):
        return _wrong_decided(state, current, event)
    expected = _expected(current, event)
    if expected is not None:
        # Chips added late pay no debt: they go back.
        late = isinstance(event, LateChipsRecorded)
        if _moved(event) not in ((_nonzero(expected),) if late else _owing(state, expected)):
            return "what it moves is not what lies on the table"
    settled = current.settlement
    if isinstance(event, SettlementReversed) and event.nets and settled and event.nets != settled.nets:
        return "what it says was won and lost is not what was settled"
    return ""


def _expected(current: Round, event: Moving) -> Counter[str] | None:
    """What an event that returns chips, or takes them back, has to move; nothing is known of others."""
    expected = Counter[str]()
    match event:
        case RoundVoided():
            for one in _lying(current):
                expected[box(one.box)] -= one.cents
                expected[rack(one.player)] += one.cents
            for posting in current.early_paid:
                expected[posting.account] -= posting.cents
            for line in current.early:
                expected[box(line.box)] -= line.stake
                expected[rack(line.player)] += line.stake
        case SettlementReversed():
            for posting in current.paid:
                expected[posting.account] -= posting.cents
        case LateChipsRecorded():
            expected[rack(event.late.player)] -= event.late.cents
            expected[box(event.late.box)] += event.late.cents
        case ChipsPutRight():
            for late in (late for key, late in current.late.items() if key in event.stakes):
                expected[box(late.box)] -= late.cents
                expected[rack(late.player)] += late.cents
        case _:
            return None
    return expected


def wrong_boxes(state: State) -> str:
    """The chips in the boxes are the bets of the round, no more and no less; racks are never negative.

    Nobody is owed anything by the House: what a rack lacked is owed to it.
    """
    lying, current = Counter[str](), state.round
    if current is not None and current.settlement is None and current.phase != "void":
        for one in chain(_lying(current), current.late.values()):
            lying[box(one.box)] += one.cents
    found = state.balances
    for account in (*found, *lying):
        cents = found.get(account, 0)
        if account.startswith("rack:") and cents < 0:
            return f"{account} is negative"
        if account.startswith("owed:") and cents > 0:
            return f"{account} is more than was owed"
        if account.startswith("box:") and cents != lying[account]:
            return f"{cents} cents lie in {account}, but the bets there come to {lying[account]}"
    return ""


def _lying(current: Round) -> Iterator[Stake | Purchase]:
    yield from current.stakes.values()
    yield from current.purchases


def _moved(event: Moving) -> Counter[str]:
    sums = Counter[str]()
    for posting in event.postings:
        sums[posting.account] += posting.cents
    return _nonzero(sums)


def _owing(
    state: State, wanted: Counter[str], won: Mapping[str, int] | None = None
) -> tuple[Counter[str], ...]:
    """The same movements where chips are missing: what a rack lacks is owed, and debts are paid off.

    By what comes back in the reversal that made them and by winnings; in release 0.2.0 by all that came in.
    """
    ways = []
    lacks = (state.round.lacks if state.round else None) or {}
    for all_pays in (False, True):
        sums = Counter(wanted)
        for account, cents in wanted.items():
            kind, _, player = account.partition(":")
            if kind != "rack":
                continue
            left, debt = state.balances.get(account, 0) + cents, -state.balances.get(owed(player), 0)
            own = min(lacks.get(owed(player), 0), cents)
            pays = cents if all_pays else own + min((won or {}).get(player, 0), cents - own)
            back = left if left < 0 else min(debt, pays) if debt > 0 and cents > 0 else 0
            sums[account] -= back
            sums[owed(player)] += back
        ways.append(_nonzero(sums))
    return tuple(ways)


def _nonzero(sums: Counter[str]) -> Counter[str]:
    return Counter({account: cents for account, cents in sums.items() if cents})


def _wrong_settlement(
    state: State, current: Round, event: RoundSettled, *, corrected: bool, amended: bool
) -> str:
    said, cards = event.settlement, current.seen
    if len(cards) < len(current.drawn):
        return "the round cannot be settled: a card lies face down"
    deal = Deal(state.rulebook.table_of_play, cards)
    game = _game(state)
    checked = not (corrected or current.irregularities)
    try:
        whole = game.settle(cards, {})
        due = [
            *((_due(state, game, key, stake, amended=amended),) for key, stake in current.stakes.items()),
            *(
                _insured(state, deal, cover, checked=checked, amended=amended)
                for cover in covers(state, current)
            ),
        ]
    except BadInput as error:
        return f"the round cannot be settled: {error}"
    pairs = tuple(hand[0].rank is hand[1].rank for hand in (deal.player, deal.banker))
    if (said.outcome, said.player, said.banker) != (whole.outcome, whole.player.points, whole.banker.points):
        return "the result is not what the cards say"
    if (event.player_pair, event.banker_pair) != pairs or said.irregularities != current.irregularities:
        return "pairs or irregularities are not those of the round"
    return _wrong_lines(state, event, said.lines, due)


def _wrong_lines(
    state: State, event: Moving, lines: Sequence[Line], due: Sequence[tuple["_Owed", ...]]
) -> str:
    """What is wrong with lines that have to be these, each one of the ways it may come out."""
    if len(due) != len(lines):
        return f"{len(lines)} bets are settled, but {len(due)} were made"
    for line, ways in zip(lines, due, strict=True):
        if not any(_same(line, way) for way in ways):
            return (
                f"{line.player}'s {line.bet} in box {line.box} comes to {line.net} cents, not to what is due"
            )
    won = Counter[str]()
    for line in lines:
        won[line.player] += max(line.net, 0)
    paid = _owing(state, _payments(lines), won)
    return "" if _moved(event) in paid else "what it moves is not what its lines come to"


def _wrong_decided(state: State, current: Round, event: DecidedSettled) -> str:
    """Only what the cards that everybody has seen decide is settled before the others."""
    known = tuple(card.name if card.face_up and not card.doubtful else None for card in current.drawn)
    table = state.rulebook.table_of_play
    due = []
    for line in event.lines:
        key = stake_key(line.player, line.box, line.bet)
        stake = current.stakes.get(key)
        bet = state.rulebook.bets.get(line.bet)
        results = {result(bet, outcome) for outcome in open_to(bet, table, known)} if stake and bet else set()
        if stake is None or {one.verdict for one in results} not in ({"win"}, {"lose"}):
            return f"{line.player}'s {line.bet} in box {line.box} is neither won nor lost yet"
        least = min(results, key=lambda one: one.tier.odds.ratio if one.tier else 0)  # interpretation 44
        due.append((_owed_for(current, key, stake, least),))
    return _wrong_lines(state, event, event.lines, due)


class _Owed(Due, frozen=True, kw_only=True):
    """A line that is due, and whose; `played` where the stake did not play in full."""

    player: str
    box: int
    played: int | None = None
    returned: bool = False


def _game(state: State) -> Game:
    decks = state.shoe.decks if state.shoe else state.setup.decks
    return Game(state.rulebook, state.setup.layout, decks=decks, unit=CHIP_STEP)


def _due(state: State, game: Game, key: str, stake: Stake, *, amended: bool) -> _Owed:
    """What a stake comes to. A share of a stake may be any number of cents, so it is worked out here."""
    current = state.round
    assert current is not None  # the stake lies there
    playing: Played | None = current.played.get(key)
    step = CHIP_STEP if playing is not None or stake.cents % CHIP_STEP else stake.cents
    (line,) = game.settle(current.seen, {stake.bet: step}).bets
    plays = stake.cents if playing is None else min(playing.cents, stake.cents)
    bet = state.rulebook.bets[stake.bet]
    came = result(bet, outcome_of(game.deal(current.seen), sight_of(bet)))
    return _Owed(
        player=stake.player,
        box=stake.box,
        bet=stake.bet,
        stake=stake.cents,
        result=line.result,
        odds=line.odds,
        net=line.net if step == plays else came.net(plays),
        rules=line.rules,
        played=None if playing is None else plays,
        returned=plays == 0 or _was_neglected(state, current, key, amended=amended),
    )


def _was_neglected(state: State, current: Round, key: str, *, amended: bool) -> bool:
    """Whether insurance that was never offered on a stake would have won, at the row there really was."""
    terms = state.rulebook.insurance
    if terms is None or key not in current.neglected:
        return False
    deal, rows = Deal(state.rulebook.table_of_play, current.seen), current.neglected[key]
    offers: Iterable[Offer | None] = (terms.offers[row] for row in rows)
    if amended:
        hand = Side(current.stakes[key].bet)
        offers = (
            _offered(terms, deal, hand, window) for window in {terms.offers[row].window for row in rows}
        )
    return any(offer and insurance.result(terms, offer, deal.winner).verdict == "win" for offer in offers)


def _offered(terms: Insurance, deal: Deal, hand: Side, window: int) -> Offer | None:
    """The offer that these cards made for a hand in that window, if there was one."""
    try:
        return insurance.offer_at(terms, deal, hand, window)
    except BadInput:
        return None


def _owed_for(current: Round, key: str, stake: Stake, came: Result) -> _Owed:
    """What a stake comes to whose result is certain."""
    playing: Played | None = current.played.get(key)
    plays = stake.cents if playing is None else min(playing.cents, stake.cents)
    odds = came.tier.odds if came.tier else None
    return _Owed(
        player=stake.player,
        box=stake.box,
        bet=stake.bet,
        stake=stake.cents,
        result=came.verdict,
        odds=odds.text if odds else None,
        net=came.net(plays),
        rules=came.rules,
        played=None if playing is None else plays,
        returned=plays == 0,
    )


def _insured(
    state: State, deal: Deal, cover: PlayedCover, *, checked: bool, amended: bool
) -> tuple[_Owed, ...]:
    """What insurance comes to: as it plays by the cards and stakes on record.

    Release 0.1.0 paid it as it was bought, which is the same unless the record was put right; where it is
    `checked`, that has to be at the odds that these cards offered in that window.
    """
    terms, bought = state.rulebook.insurance, cover.purchase
    if terms is None:
        raise BadInput(say("insurance-bought-where-none"))
    row = terms.offers[bought.row]
    true = _offered(terms, deal, bought.hand, bought.window)
    playing = _covered(terms, deal, bought, true or row, cover.cents if true else 0)
    if amended:
        return (playing,)
    if checked and not bought.late and true != row:
        raise BadInput(say("insurance-not-at-odds", hand=bought.hand, odds=str(row.odds)))
    return playing, _covered(terms, deal, bought, row, bought.cents)


def _covered(terms: Insurance, deal: Deal, bought: Purchase, row: Offer, plays: int) -> _Owed:
    """Insurance of which so much plays at that row."""
    came = insurance.result(terms, row, deal.winner)
    return _Owed(
        player=bought.player,
        box=bought.box,
        bet=f"{bought.hand}-insurance",
        stake=bought.cents,
        result=came.verdict,
        odds=row.odds.text,
        net=net_cents(came.verdict, plays, row.odds),
        rules=came.rules,
        window=bought.window,
        played=None if plays == bought.cents else plays,
        returned=plays == 0,
    )


def _same(line: Line, due: _Owed) -> bool:
    """Whether a line is what is due; beside the paragraphs of its result it may cite why it did not play."""
    whose = (line.player, line.box, line.bet, line.stake, line.window)
    if whose != (due.player, due.box, due.bet, due.stake, due.window):
        return False
    if line.result == "returned":
        return due.returned and line.net == 0
    if due.returned or line.played != due.played:
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
