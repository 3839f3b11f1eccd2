"""Spot it: a round as a camera saw it, with one planted error or none. At which step, and what is wrong."""

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from thirdcard.cards import Card
from thirdcard.errors import BadInput
from thirdcard.money import DEFAULT_CHIP_UNIT
from thirdcard.play import bets as bet_rules
from thirdcard.play.insurance import cap as insurance_cap
from thirdcard.play.insurance import open_offers
from thirdcard.play.insurance import result as insurance_result
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import INITIAL, Deal, points
from thirdcard.rulebook.conditions import Outcome, sight_of_all
from thirdcard.rulebook.model import Rulebook, Rules, Side
from thirdcard.rulebook.third_cards import next_by_points
from thirdcard.school.chance import SeededChance
from thirdcard.school.dealt_hands import (
    NeverDealtError,
    dealt_for,
    finished,
    first_cards,
    fits_decks,
    insurance_of,
    outcome_as_laid,
    results_of,
    wrongly_settled,
)
from thirdcard.school.item_types import Because, BetLine, Cost, ItemPart, Phrase, ReplayStep, SpotFacts
from thirdcard.school.making import Ground, Made, because, cost, cost_of_cents, made_of, one_of, phrase
from thirdcard.school.patrons import PATRONS
from thirdcard.school.pay_items import why_result
from thirdcard.school.result_items import WINNERS, read_by_interpretation
from thirdcard.table.ranks import case_rules

SPOT = "spot"
NOTHING = "nothing"
NO_ERROR = f"{SPOT}/{NOTHING}"
STEP = "step"  # the part that is answered by stopping
ERRORS = (
    "wrong-draw",
    "missed-draw",
    "other-hand",
    "wrong-total",
    "wrong-winner",
    "wrong-tier",
    "insurance-not-offered",
    "late-bet",
)
# Not offered beside each other: what lies there could be called either.
TOO_NEAR = {
    "wrong-draw": ("other-hand", "missed-draw"),
    "missed-draw": ("other-hand", "wrong-draw"),
    "other-hand": ("wrong-draw", "missed-draw"),
}
PLANTED = 5  # of six replays
STOP_WITHIN_MS = 4_000
SLOWEST_MS = 1_500
STAKES = range(5_000, 100_000, 500)


@lru_cache(maxsize=256)
def skills(book: Rulebook, layout: str) -> tuple[str, ...]:
    """Each planted error that can happen at such a table, and none."""
    tiers = _tiered(book, book.layouts[layout].bets)
    errors = [error for error in ERRORS if book.insurance is not None or error != "insurance-not-offered"]
    return tuple(f"spot/{one}" for one in (*errors, NOTHING) if tiers or one != "wrong-tier")


def error_rules(book: Rulebook, error: str) -> Rules:
    """The paragraphs that an error of that name is against, whatever the round; none of what each bet has."""
    if error == "late-bet":
        return (*book.betting.closes.rules, *case_rules(book, "late-chips"))
    if error == "insurance-not-offered":
        return insurance_of(book).rules
    return () if error in ("wrong-winner", "wrong-tier") else book.table_of_play.rules


def is_unplanted(turn: str) -> bool:
    """Whether the replay of that turn, whichever it is, has no error: one in six."""
    return SeededChance(f"{SPOT}\n{turn}").below(PLANTED + 1) == 0


def in_session(found: tuple[str, ...]) -> tuple[str, ...]:
    """As often as they are asked: one replay in six has no error."""
    errors = [one for one in found if not one.endswith(NOTHING)]
    return (*errors * PLANTED, *(NO_ERROR,) * len(errors))


def _tiered(book: Rulebook, bets: tuple[str, ...]) -> list[str]:
    """Those of the bets that pay more than one odds."""
    return [name for name in bets if len({tier.odds for tier in book.bets[name].pays}) > 1]


class _Replay(msgspec.Struct):
    """Steps in the making; `error` is the number of the wrong one, from 1."""

    steps: list[ReplayStep]
    pace: int
    error: int = 0
    cents: int = 0
    rules: Rules = ()

    def add(self, key: str, /, **blanks: str | int) -> None:
        self._add(ReplayStep(at_ms=0, says=Phrase(key, blanks)))

    def lay(self, key: str, card: Card, hand: Side) -> None:
        """A card is laid to a hand."""
        says = phrase(key, hand=hand, card=str(card))
        self._add(ReplayStep(at_ms=0, says=says, card=str(card), hand=hand.value))

    def _add(self, step: ReplayStep) -> None:
        at = self.steps[-1].at_ms + self.pace if self.steps else 0
        self.steps.append(msgspec.structs.replace(step, at_ms=at))

    def is_wrong(self, rules: Rules, cents: int = 0) -> None:
        """The step just added is the error."""
        self.error, self.rules, self.cents = len(self.steps), rules, cents


def make(ground: Ground, skill: str) -> Made | None:
    error, chance = skill.split("/")[1], ground.chance
    about, tier = _tier_to_win(ground) if error == "wrong-tier" else ("", "")
    whole = (
        dealt_for(ground, ground.book.bets[about], tier) if tier else finished(ground, first_cards(ground))
    )
    spare = chance.card()
    if not fits_decks((*whole.cards, spare), ground.decks):
        return None
    outcome = outcome_of(whole, sight_of_all(ground.book))
    if read_by_interpretation(ground, outcome):
        return None
    lines = tuple(_lines(ground, about))
    replay = _Replay([], pace=SLOWEST_MS * 10 // (9 + ground.level))
    replay.add("step-close")
    if error == "late-bet":
        cents = chance.pick(STAKES)
        replay.add("step-late", patron=PATRONS[3], bet=lines[0].bet, cents=cents)
        replay.is_wrong(error_rules(ground.book, error), cents)
    hands = _dealt(ground, replay, whole, spare, error)
    if hands is None:
        return None
    seen = outcome if hands == (whole.player, whole.banker) else outcome_as_laid(ground.book, *hands)
    _called(ground, replay, hands, seen, error)
    _paid(ground, replay, lines, seen, error)
    if bool(replay.error) != (error != NOTHING):
        return None
    told = {"number": replay.error} if replay.error else {}
    return made_of(
        SpotFacts(steps=tuple(replay.steps), lines=lines),
        (_step_part(replay), _what_part(ground, error, replay)),
        (
            why_result(whole),
            *(Because(step.says) for step in replay.steps[replay.error - 1 : replay.error]),
            because(f"found-{error}", replay.rules, **told),
        ),
        _cost(ground, replay, error, whole, (*whole.cards[INITIAL:], spare), lines, seen),
    )


def _tier_to_win(ground: Ground) -> tuple[str, str]:
    """A bet that pays more than one odds, and one of its tiers that the decks can deal."""
    tiers = [
        (name, result)
        for name in _tiered(ground.book, ground.bets)
        for result in results_of(ground.book.bets[name], ground.book.table_of_play, ground.decks)
        if any(tier.tier == result for tier in ground.book.bets[name].pays)
    ]
    if not tiers:
        raise NeverDealtError("a tier of a bet that has several", ground.decks)
    return ground.chance.pick(tiers)


def _lines(ground: Ground, about: str) -> Iterator[BetLine]:
    """Both hands are bet on, and something else: what the replay is about, if it is about one bet."""
    chance = ground.chance
    others = [bet for bet in ground.bets if bet not in tuple(Side) and about in ("", bet, *Side)]
    bets = [*(side.value for side in Side), *(chance.some(others, 1))]
    for number, bet in enumerate(chance.shuffled(bets)):
        yield BetLine(patron=PATRONS[number], bet=bet, stake=chance.pick(STAKES), box=number + 1)


def _dealt(
    ground: Ground, replay: _Replay, whole: Deal, spare: Card, error: str
) -> tuple[tuple[Card, ...], tuple[Card, ...]] | None:
    """The cards laid one by one; the hands as they lie in the end, `None` if the error cannot be planted."""
    hands = {side: tuple[Card, ...]() for side in Side}
    for place, card in enumerate(whole.cards[:INITIAL]):
        side = Side.BANKER if place % 2 else Side.PLAYER
        replay.lay("step-card", card, side)
        hands[side] += (card,)
    totals = {side.value: points(hands[side]) for side in Side}
    slip = error == "wrong-total" and ground.chance.below(2)
    if slip:
        name = ground.chance.pick(tuple(totals))
        totals[name] = (totals[name] + 1) % 10
    replay.add("step-totals", **totals)
    if slip:
        replay.is_wrong(whole.table.rules)
    _thirds(ground, replay, whole, hands, error)
    if error in ("other-hand", "insurance-not-offered") and not replay.error:
        return None
    if error == "missed-draw" and len(whole.cards) == INITIAL:
        return None
    if error == "wrong-draw":
        free = [side for side in Side if len(hands[side]) == INITIAL // 2]
        if not free:
            return None
        side = ground.chance.pick(free)
        replay.lay("step-draws", spare, side)
        replay.is_wrong(whole.table.rules)
        hands[side] += (spare,)
    return hands[Side.PLAYER], hands[Side.BANKER]


def _thirds(
    ground: Ground, replay: _Replay, whole: Deal, hands: dict[Side, tuple[Card, ...]], error: str
) -> None:
    """Third cards, with insurance before them where it is open."""
    thirds = whole.cards[INITIAL:]
    astray = ground.chance.below(len(thirds)) if thirds and error == "other-hand" else None
    for number, card in enumerate(thirds):
        then = whole.after(INITIAL + number)
        skipped = _offered(ground, replay, then, error)
        due = then.next
        if due is None or (error == "missed-draw" and number == len(thirds) - 1):
            return
        side = due.other if astray == number else due
        replay.lay("step-draws", card, side)
        hands[side] += (card,)
        if skipped:
            replay.is_wrong(skipped)
        if side is not due:
            replay.is_wrong(whole.table.rules)
            return


def _offered(ground: Ground, replay: _Replay, then: Deal, error: str) -> Rules:
    """Insurance is offered where it is open; the paragraphs of the offer that was left out."""
    insurance = ground.book.insurance
    offers = open_offers(insurance, then) if insurance is not None else ()
    if not offers:
        return ()
    if error == "insurance-not-offered" and not replay.error:
        return offers[0].rules
    for offer in offers:
        replay.add("step-insurance", hand=offer.hand, odds=offer.odds.text)
    return ()


def _called(
    ground: Ground,
    replay: _Replay,
    hands: tuple[tuple[Card, ...], tuple[Card, ...]],
    seen: Outcome,
    error: str,
) -> None:
    """The result is called."""
    table, chance = ground.book.table_of_play, ground.chance
    totals = {"player": points(hands[0]), "banker": points(hands[1])}
    winner: str = seen.winner
    if error == "wrong-total" and not replay.error:
        name = chance.pick(tuple(totals))
        totals[name] = (totals[name] + chance.pick((1, 9))) % 10
    if error == "wrong-winner":
        winner = chance.pick([one for one in WINNERS if one != winner])
    replay.add("step-result", outcome=winner, **totals)
    if error == "missed-draw" or (error == "wrong-total" and not replay.error):
        replay.is_wrong(table.rules)
    if error == "wrong-winner":
        replay.is_wrong(
            ground.book.bets[seen.winner].rules if seen.winner in ground.book.bets else table.rules
        )


def _paid(ground: Ground, replay: _Replay, lines: tuple[BetLine, ...], seen: Outcome, error: str) -> None:
    """Every line is paid or taken, one of them perhaps at another tier."""
    for line in lines:
        bet = ground.book.bets[line.bet]
        result = bet_rules.result(bet, seen)
        net = result.net(line.stake)
        others = [tier.odds for tier in bet.pays if result.odds and tier.odds != result.odds]
        is_wrong = error == "wrong-tier" and not replay.error and bool(others)
        told = ground.chance.pick(others).winnings_cents(line.stake) if is_wrong else net
        replay.add("step-paid", patron=line.patron, bet=line.bet, net=told)
        if is_wrong:
            replay.is_wrong(result.rules, abs(told - net))


def _step_part(replay: _Replay) -> ItemPart | None:
    numbers = range(1, len(replay.steps) + 1)
    says = {str(number): phrase("step-number", number=number) for number in numbers}
    says[NOTHING] = phrase("error-nothing")
    right = str(replay.error) if replay.error else NOTHING
    return one_of(STEP, phrase("ask-step"), right, says, replay.rules)


def _what_part(ground: Ground, error: str, replay: _Replay) -> ItemPart | None:
    near = [one for one in ERRORS if one != error and one not in TOO_NEAR.get(error, ())]
    if ground.book.insurance is None:
        near.remove("insurance-not-offered")
    chosen = ground.chance.some(near, 3)
    if error == NOTHING:
        chosen = ground.chance.some(near, 4)
    shown = _apart(chosen)
    asked_for = [one for one in near if f"what:{one}" in ground.recorded]
    names = {*_apart([*dict.fromkeys((*asked_for, *shown))])[: len(shown)], error, NOTHING}
    says = {name: phrase(f"error-{name}") for name in (*ERRORS, NOTHING) if name in names}
    return one_of("what", phrase("ask-error"), error, says, replay.rules)


# --- what it costs ----------------------------------------------------------------------------------------


def _cost(  # noqa: PLR0913, PLR0917 - a round as it was, and as it should have been
    ground: Ground,
    replay: _Replay,
    error: str,
    whole: Deal,
    coming: tuple[Card, ...],
    lines: tuple[BetLine, ...],
    seen: Outcome,
) -> Cost:
    """What is paid, or played, against the rules; what a wrong call would do if it were believed."""
    if error == NOTHING:
        return cost("cost-stopped", 0, cents=sum(line.stake for line in lines))
    if replay.cents:
        return cost_of_cents("cost-at-risk", replay.cents)
    if error == "insurance-not-offered":
        return _cost_of_no_offer(ground, whole, lines)
    said = replay.steps[replay.error - 1].says
    called = error in ("wrong-total", "wrong-winner")
    wrong = _believed(ground, said, whole, coming, seen) if called else seen
    right = outcome_of(whole, sight_of_all(ground.book))
    cents = wrongly_settled(ground.book, lines, wrong, right)
    if not cents:
        return cost("cost-believed-same" if called else "cost-same-lines", 0)
    return cost_of_cents("cost-if-believed" if called else "cost-at-risk", cents)


def _believed(ground: Ground, said: Phrase, whole: Deal, coming: tuple[Card, ...], seen: Outcome) -> Outcome:
    """The outcome if a call is taken for true: cards go on by the first, bets are settled by the last."""
    player, banker = int(said.blanks["player"]), int(said.blanks["banker"])
    if said.key == "step-totals":
        first = whole.after(INITIAL)
        hands = {side: first.hand(side) for side in Side}
        for number, card in enumerate(coming):
            thirds = tuple(card.points for card in coming[:number])
            due = next_by_points(whole.table, player, banker, thirds)
            if due is None:
                break
            hands[due] += (card,)
        return outcome_as_laid(ground.book, hands[Side.PLAYER], hands[Side.BANKER])
    if (player, banker) != (seen.player, seen.banker):
        return msgspec.structs.replace(seen, player=player, banker=banker)
    if said.blanks["outcome"] == "tie":
        return msgspec.structs.replace(seen, player=banker)
    if seen.winner != "tie":
        return msgspec.structs.replace(seen, player=banker, banker=player)
    more, less = (1, 0) if not player else (player, player - 1)
    on_player = said.blanks["outcome"] == "player"
    return msgspec.structs.replace(
        seen, player=more if on_player else less, banker=less if on_player else more
    )


def _cost_of_no_offer(ground: Ground, whole: Deal, lines: tuple[BetLine, ...]) -> Cost:
    """What the first offer that was left out came to in this round, for who could have bought it."""
    insurance = insurance_of(ground.book)
    windows = (open_offers(insurance, whole.after(drawn)) for drawn in range(INITIAL, len(whole.cards)))
    offer = next(offers[0] for offers in windows if offers)
    line = next(line for line in lines if line.bet == offer.hand.value)
    most = insurance_cap(insurance, offer, original=line.stake, unit=DEFAULT_CHIP_UNIT).cents
    net = bet_rules.net_cents(insurance_result(insurance, offer, whole.winner).verdict, most, offer.odds)
    blanks: dict[str, str | int] = {
        "hand": offer.hand,
        "most_cents": most,
        "odds": offer.odds.text,
        "net": net,
    }
    return cost("cost-not-insured", abs(net), patron=line.patron, stake_cents=line.stake, **blanks)


def _apart(names: list[str]) -> list[str]:
    kept: list[str] = []
    for name in names:
        if not any(name in TOO_NEAR.get(other, ()) for other in kept):
            kept.append(name)
    return kept


def stopped_in_time(facts: SpotFacts, answer: object, moment: int) -> bool:
    """Whether a replay was stopped, so many milliseconds on, from the error until four seconds later.

    Where nothing is wrong no moment is right: it runs to its end, four seconds after the last step.
    """
    end = first_moment(facts, NOTHING)
    if not 0 <= moment <= end:
        raise BadInput(f"this replay is stopped between 0 and {end} milliseconds: got {moment}")
    seen = first_moment(facts, answer)
    return answer != NOTHING and seen <= moment <= seen + STOP_WITHIN_MS


def first_moment(facts: SpotFacts, answer: object) -> int:
    """Milliseconds until the error is seen, or until it is over where nothing is wrong."""
    if answer == NOTHING:
        return facts.steps[-1].at_ms + STOP_WITHIN_MS
    return facts.steps[int(str(answer)) - 1].at_ms
