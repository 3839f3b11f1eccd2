"""What must be so for an irregularity to be reported: where the log knows, the log decides (interp. 41)."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from thirdcard.play.outcome import possible
from thirdcard.play.tableau import INITIAL, Deal
from thirdcard.rulebook.model import About, Procedure
from thirdcard.table import commands, limits
from thirdcard.table.decide.checks import refuse
from thirdcard.table.established import seen_by_all
from thirdcard.table.refusals import Refused
from thirdcard.table.rights.drawing import cards_to_come
from thirdcard.table.rights.insurance import affected, neglected_windows, why_not_affected
from thirdcard.table.rights.squeezing import handling
from thirdcard.table.state import Round, Stake, State
from thirdcard.words.saying import Saying, say

Complaint: TypeAlias = Saying | None
TOGETHER = 2  # cards make an "at once"


def need_condition(state: State, current: Round, procedure: Procedure, command: commands.Report) -> None:
    """A refusal unless one of the kinds of irregularity that the case is about can have happened."""
    if command.round is not None and command.round < current.number:
        return  # what was so in an earlier round is not for this one to say
    checks = [CONDITIONS[about] for about in procedure.about if about in CONDITIONS]
    complaints = [check(state, current, procedure, command) for check in checks]
    if complaints and complaints[0] is not None and all(complaints):
        raise _not_met(procedure, complaints[0])


def _not_met(procedure: Procedure, complaint: Saying) -> Refused:
    return refuse("condition-not-met", complaint, procedure.rules)


def _stakes(current: Round, command: commands.Report) -> list[Stake]:
    """The chips that the report is about: of the people and the box it names, else all."""
    lying = current.stakes if current.phase in ("betting", "adjusting") else current.closed
    return [
        stake
        for stake in lying.values()
        if command.box in (0, stake.box) and (not command.players or stake.player in command.players)
    ]


def _differential(state: State, current: Round, _: Procedure, command: commands.Report) -> Complaint:
    """Of a box on the chips as they lay at the close, of a table as they lie now (interpretations 19, 62)."""
    table = state.rulebook.limits.differential.scope == "table"
    lying = current.stakes if table or current.phase in ("betting", "adjusting") else current.closed
    stakes = list(lying.values())
    every = range(1, state.setup.positions + 1)
    boxes: Iterable[int | None] = (None,) if table else [command.box] if command.box else every
    met = not any(limits.excess(state.setup, stakes, box) for box in boxes)
    return say("within-differential") if met else None


def _below_minimum(state: State, current: Round, _: Procedure, command: commands.Report) -> Complaint:
    low = any(stake.cents < state.setup.limit(stake.bet).min for stake in _stakes(current, command))
    return None if low else say("no-bet-below-minimum")


def _above_maximum(state: State, current: Round, _: Procedure, command: commands.Report) -> Complaint:
    limit = state.setup.limit
    high = any(stake.cents > (limit(stake.bet).max or stake.cents) for stake in _stakes(current, command))
    return None if high else say("no-bet-above-maximum")


def _late(sign: int) -> Callable[[State, Round, Procedure, commands.Report], Complaint]:
    def check(_state: State, current: Round, _: Procedure, command: commands.Report) -> Complaint:
        if current.phase in ("betting", "adjusting"):
            return say("bets-still-open")
        late = any(
            stake.cents * sign > 0
            for stake in current.late.values()
            if command.box in (0, stake.box) and (not command.players or stake.player in command.players)
        )
        what = say("added-to") if sign > 0 else say("taken-from")
        return None if late else say("no-late-chips-recorded", what=what)

    return check


def _walked_away(_state: State, current: Round, _: Procedure, command: commands.Report) -> Complaint:
    bettors = {stake.player for stake in current.stakes.values()}
    if not command.players:
        return say("say-who-left")
    if not bettors.issuperset(command.players):
        return say("walked-away-no-bet")
    return say("on-record-already") if set(command.players) <= set(current.gone) else None


def _too_few(state: State, current: Round, _: Procedure, _command: commands.Report) -> Complaint:
    """Fewer cards than the round is certain to need still, whatever comes."""
    assert state.shoe is not None
    if current.phase != "dealing":
        return say("no-card-being-drawn")
    outcomes = possible(state.rulebook.table_of_play, seen_by_all(current))
    whole = min(outcome.player_cards + outcome.banker_cards for outcome in outcomes)
    left, needed = cards_to_come(state), whole - len(current.drawn)
    return None if left < needed else say("enough-cards-left", left=left, needed=needed)


def _drawn_together(_state: State, current: Round, _: Procedure, command: commands.Report) -> Complaint:
    cards = sorted(set(command.cards))
    if len(cards) + len(command.drawn) < TOGETHER:
        return say("drawn-together-two-or-more")
    places = [*cards, *range(len(current.drawn) + 1, len(current.drawn) + len(command.drawn) + 1)]
    if places != list(range(places[0], places[0] + len(places))):
        return say("drawn-together-in-a-row")
    return None


def _after_close(_state: State, current: Round, _: Procedure, _command: commands.Report) -> Complaint:
    return None if current.phase == "dealing" else say("bets-not-closed")


def _card_dealt(_state: State, current: Round, _: Procedure, _command: commands.Report) -> Complaint:
    return None if current.drawn else say("no-card-dealt")


def _excess(_state: State, current: Round, _: Procedure, command: commands.Report) -> Complaint:
    if not command.drawn and not command.shown:
        return say("say-which-cards")
    return say("face-up-by-right") if set(command.shown) & set(current.exposed) else None


def _wrong_number(state: State, current: Round, _: Procedure, command: commands.Report) -> Complaint:
    """More cards than the Table of Play gives to the hands, as far as they have been seen."""
    names = (*(card.name if card.face_up else None for card in current.drawn), *command.drawn)
    known = tuple(name for name in names if name is not None)
    if not command.drawn:
        return say("say-other-cards")
    if len(known) == len(names) and not Deal(state.rulebook.table_of_play, known).left_over:
        return say("right-number-of-cards")
    return None


def _seen(_state: State, current: Round, procedure: Procedure, command: commands.Report) -> Complaint:
    if procedure.needs == "face-down" and not (command.shown or command.drawn):
        return say("say-card-seen")
    if any(place in current.exposed for place in command.shown):
        return say("face-up-by-right")
    return None


def _wrong_area(_state: State, current: Round, _: Procedure, command: commands.Report) -> Complaint:
    if command.players:
        return say("no-card-in-their-hands")
    return None if current.drawn or command.drawn else say("no-card-dealt")


def _wrong_person(_state: State, current: Round, _: Procedure, command: commands.Report) -> Complaint:
    held = [who for who in current.handed.values() if not command.players or who in command.players]
    return None if held else say("nobody-holds-cards")


def _absent(_state: State, current: Round, _: Procedure, command: commands.Report) -> Complaint:
    absent = [who for who in handling(current) if not command.players or who in command.players]
    return None if absent else say("nobody-named-handles-cards")


def _left_with_cards(_state: State, current: Round, _: Procedure, command: commands.Report) -> Complaint:
    held = [place for place, who in current.handed.items() if not command.players or who in command.players]
    if not held:
        return say("nobody-named-holds-cards")
    if command.values_known is False and all(current.drawn[place - 1].name for place in held):
        return say("device-knows-values")
    return None


def _interruption(_state: State, current: Round, _: Procedure, _command: commands.Report) -> Complaint:
    return say("round-over") if current.phase == "settled" else None


def _earlier(_state: State, current: Round, _: Procedure, command: commands.Report) -> Complaint:
    if command.round == current.number:
        return say("about-this-round")
    return None if current.number > 1 else say("no-earlier-round")


def _display(_state: State, current: Round, _: Procedure, command: commands.Report) -> Complaint:
    if current.settlement is None:
        return say("no-outcome-to-display")
    if current.settlement is not None and command.displayed == current.settlement.outcome:
        return say("outcome-is-displayed")
    return None


def _neglected(state: State, current: Round, _: Procedure, command: commands.Report) -> Complaint:
    if len(current.seen) < INITIAL:
        return say("insurance-after-four-cards")
    passed = neglected_window(state, current, command)
    if not passed:
        return say("no-window-passed-over")
    for player in command.players:
        if why := why_not_affected(state, current, passed, player):
            return why
    return None if affected(state, current, passed, ()) else say("nobody-was-passed-over")


def neglected_window(state: State, current: Round, command: commands.Report) -> int:
    """The insurance window that a report is about: the one named, else the last that can have been missed."""
    opened = list(neglected_windows(state, current))
    if command.window:
        return command.window if command.window in opened else 0
    people = command.players
    missed = [
        number for number in opened if len(affected(state, current, number, people)) >= len(people or "1")
    ]
    return (missed or opened or [0])[-1]


def _dealing(_state: State, current: Round, _: Procedure, command: commands.Report) -> Complaint:
    """Errors are of dealing: from the first card drawn (interpretation 53)."""
    return None if current.drawn or command.drawn else say("no-card-of-round-drawn")


def _chips_lie(_state: State, current: Round, _: Procedure, command: commands.Report) -> Complaint:
    return None if _stakes(current, command) else say("no-chips-of-theirs")


CONDITIONS: dict[About, Callable[[State, Round, Procedure, commands.Report], Complaint]] = {
    "differential": _differential,
    "below-minimum": _below_minimum,
    "above-maximum": _above_maximum,
    "late-chips": _late(1),
    "taken-chips": _late(-1),
    "walked-away": _walked_away,
    "neglected-insurance": _neglected,
    "too-few-cards": _too_few,
    "wrong-number": _wrong_number,
    "excess-cards": _excess,
    "wrong-area": _wrong_area,
    "wrong-person": _wrong_person,
    "seen-in-error": _seen,
    "face-up-in-device": _card_dealt,
    "drawn-together": _drawn_together,
    "absent-handler": _absent,
    "left-with-cards": _left_with_cards,
    "device-reset": _after_close,
    "dealing-error": _dealing,
    "chips-lie": _chips_lie,
    "interruption": _interruption,
    "earlier-round": _earlier,
    "display": _display,
}
