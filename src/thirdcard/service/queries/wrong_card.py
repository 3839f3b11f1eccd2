"""A card on record that is another on the felt: what putting the record right would change, for everybody.

Told of what waits to be confirmed, and of what somebody is typing; nothing is changed. Never for the House.
"""

from collections.abc import Iterator
from typing import Literal, TypeAlias

import msgspec

from thirdcard.cards import Card
from thirdcard.play.tableau import INITIAL, LONGEST
from thirdcard.rulebook.model import Rules, Side
from thirdcard.service.queries.consequences import WHO, Consequence, Trial, consequences
from thirdcard.service.queries.parts import Rung, Sentence, ladder, shown_refusal
from thirdcard.table import State, commands
from thirdcard.table.events import RecordAmended
from thirdcard.table.playing import SECOND, covers, hands_insured, offers_at
from thirdcard.table.ranks import amending_rank
from thirdcard.table.refusals import Refusal, ToldRefusal
from thirdcard.table.rights.drawing import due_hand
from thirdcard.table.rights.insurance import open_windows
from thirdcard.table.samples import REASON
from thirdcard.table.state import Change
from thirdcard.words.saying import say

replace = msgspec.structs.replace
OTHER = "the dealer"  # who agrees: nobody has such a name
HowOffered: TypeAlias = Literal["opens", "missed", "never", "price"]
NO_ROUND = Refusal("wrong-phase", say("not-now", phase=say("phase-idle")))


class OtherCard(msgspec.Struct, frozen=True, kw_only=True):
    """A place of the record, as it is and as it would be; None where there is no card, or an unseen one."""

    place: int
    before: Card | None
    after: Card | None


class RoundResult(msgspec.Struct, frozen=True, kw_only=True):
    """How the round ends with its cards, or whose card is due; the points as far as cards have been seen."""

    outcome: str
    player: int
    banker: int
    due: Side | None


class BeforeAfter(msgspec.Struct, frozen=True, kw_only=True):
    """What a round comes to for one person in one box, None while it is open; `back` goes back by it."""

    player: str
    box: int
    standing: bool
    before: int | None
    after: int | None
    back: int


class WindowChange(msgspec.Struct, frozen=True, kw_only=True):
    """An insurance offer by the cards before and after, at its odds.

    One that should have been made `opens` now, or was `missed` and can be reported as neglected; what was
    bought on one that `never` was goes back; with another `price` what was bought plays at that.
    """

    window: int
    hand: Side
    change: HowOffered
    before: str
    after: str


class WrongCard(msgspec.Struct, frozen=True, kw_only=True):
    """`confirms` are the ranks that may confirm it; with a `refusal` nothing else is told.

    `changes` are what the record will say. `reason` is for those who supervise.
    """

    cards: tuple[OtherCard, ...]
    by: str = ""
    reason: str = ""
    before: RoundResult | None = None
    after: RoundResult | None = None
    people: tuple[BeforeAfter, ...] = ()
    windows: tuple[WindowChange, ...] = ()
    changes: tuple[Change, ...] = ()
    notes: tuple[Sentence, ...] = ()
    confirms: tuple[Rung, ...] = ()
    refusal: ToldRefusal | None = None
    rules: Rules = ()


def proposed(state: State, rank: str, *, private: bool) -> WrongCard | None:
    """What waits for somebody else to confirm it."""
    current = state.round
    if current is None or current.proposal is None:
        return None
    waits = current.proposal
    corrected = wrong_card(state, waits.cards, rank)
    return replace(corrected, by=waits.by, reason=waits.reason if private else "")


def wrong_card(state: State, cards: tuple[Card | None, ...], rank: str) -> WrongCard:
    """What would follow if these were the cards, or why they cannot be."""
    needed, rules = amending_rank(state)
    bare = WrongCard(
        cards=tuple(_cards(state, cards)), confirms=ladder(state.rulebook, (needed,), rank), rules=rules
    )
    if state.round is None:
        return replace(bare, refusal=shown_refusal(NO_ROUND))
    recorded = replace(state, round=replace(state.round, proposal=None))
    before, after = Trial(recorded), Trial(recorded, (needed,))
    no = _put_right(after, cards)
    if no is not None:
        return replace(bare, refusal=shown_refusal(no))
    before.settle()
    after.settle()
    return replace(
        bare,
        before=_result(before),
        after=_result(after),
        people=tuple(_both(after, *pair) for pair in zip(*map(consequences, (before, after)), strict=True)),
        windows=tuple(_windows(before, after)),
        changes=tuple(c for one in after.made if isinstance(one, RecordAmended) for c in one.changes),
        notes=tuple(after.notes()),
    )


def _put_right(trial: Trial, cards: tuple[Card | None, ...]) -> Refusal | None:
    """One of the rank that puts records right says so, and somebody who deals agrees."""
    staff = {**trial.state.staff, OTHER: trial.state.rulebook.authority.deals.value}
    trial.state = replace(trial.state, staff=staff)
    no = trial.do(commands.Amend(by=WHO, cards=cards, reason=REASON))
    return no or trial.do(commands.ConfirmAmendment(by=OTHER))


def _cards(state: State, cards: tuple[Card | None, ...]) -> Iterator[OtherCard]:
    drawn = state.round.drawn if state.round else ()
    for place in range(1, max(len(drawn), min(len(cards), LONGEST)) + 1):
        lies = drawn[place - 1] if place <= len(drawn) else None
        before = lies.name if lies is not None and lies.face_up else None
        yield OtherCard(place=place, before=before, after=cards[place - 1] if place <= len(cards) else None)


def _result(trial: Trial) -> RoundResult:
    deal, current = trial.state.deal(), trial.current
    return RoundResult(
        outcome=trial.outcome,
        player=deal.player_points,
        banker=deal.banker_points,
        due=due_hand(trial.state, current) if current.phase == "dealing" else None,
    )


def _both(trial: Trial, before: Consequence, after: Consequence) -> BeforeAfter:
    """The same person's chips before and after; insurance that does not play goes back."""
    back = after.back
    if trial.settlement is None:
        where = (after.player, after.box)
        insured = [
            cover
            for cover in covers(trial.state, trial.current)
            if (cover.purchase.player, cover.purchase.box) == where
        ]
        back += sum(cover.purchase.cents - cover.cents for cover in insured)
    return BeforeAfter(
        player=after.player,
        box=after.box,
        standing=after.standing,
        before=before.net,
        after=after.net,
        back=back,
    )


def _windows(before: Trial, after: Trial) -> Iterator[WindowChange]:
    """What is on offer by the cards as they are recorded, against the cards as they lie."""
    was, now = _offers(before), _offers(after)
    windows = open_windows(after.state, after.current)
    is_open = next((window.number for window in windows if not window.late_for), 0)
    for number, hand in sorted({*was, *now}):
        old, new = was.get((number, hand), ""), now.get((number, hand), "")
        if old == new:
            continue
        missing: HowOffered = "opens" if number == is_open else "missed"
        change: HowOffered = missing if not old else "price" if new else "never"
        yield WindowChange(window=number, hand=hand, change=change, before=old, after=new)


def _offers(trial: Trial) -> dict[tuple[int, Side], str]:
    """The odds of each window on each hand that somebody has a bet on."""
    insurance, current = trial.state.rulebook.insurance, trial.current
    if insurance is None or not trial.state.setup.insurance or len(current.seen) < INITIAL:
        return {}
    windows, hands = (1,) if current.reversed else (1, SECOND), hands_insured(current)
    return {
        (window, offer.hand): offer.odds
        for window in windows
        for offer in offers_at(insurance, trial.state.deal(), window)
        if offer.hand in hands
    }
