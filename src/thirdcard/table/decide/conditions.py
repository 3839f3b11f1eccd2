"""What must be so for an irregularity to be reported: where the log knows, the log decides (interp. 41)."""

from collections.abc import Callable, Iterable

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

TOGETHER = 2  # cards make an "at once"


def need_condition(state: State, current: Round, procedure: Procedure, command: commands.Report) -> None:
    """A refusal unless one of the kinds of irregularity that the case is about can have happened."""
    if command.round is not None and command.round < current.number:
        return  # what was so in an earlier round is not for this one to say
    checks = [CONDITIONS[about] for about in procedure.about if about in CONDITIONS]
    complaints = [check(state, current, procedure, command) for check in checks]
    if complaints and all(complaints):
        raise _not_met(procedure, complaints[0])


def _not_met(procedure: Procedure, complaint: str) -> Refused:
    return refuse("condition-not-met", complaint, procedure.rules)


def _stakes(current: Round, command: commands.Report) -> list[Stake]:
    """The chips that the report is about: of the people and the box it names, else all."""
    lying = current.stakes if current.phase in ("betting", "adjusting") else current.closed
    return [
        stake
        for stake in lying.values()
        if command.box in (0, stake.box) and (not command.players or stake.player in command.players)
    ]


def _differential(state: State, current: Round, _: Procedure, command: commands.Report) -> str:
    """Of a box on the chips as they lay at the close, of a table as they lie now (interpretations 19, 62)."""
    table = state.rules.limits.differential.scope == "table"
    lying = current.stakes if table or current.phase in ("betting", "adjusting") else current.closed
    stakes = list(lying.values())
    every = range(1, state.setup.positions + 1)
    boxes: Iterable[int | None] = (None,) if table else [command.box] if command.box else every
    met = not any(limits.excess(state.setup, stakes, box) for box in boxes)
    return "Player and Banker do not differ by more than the differential" if met else ""


def _below_minimum(state: State, current: Round, _: Procedure, command: commands.Report) -> str:
    low = any(stake.cents < state.setup.limit(stake.bet).min for stake in _stakes(current, command))
    return "" if low else "no such bet is below its minimum"


def _above_maximum(state: State, current: Round, _: Procedure, command: commands.Report) -> str:
    limit = state.setup.limit
    high = any(stake.cents > (limit(stake.bet).max or stake.cents) for stake in _stakes(current, command))
    return "" if high else "no such bet is above its maximum"


def _late(sign: int) -> Callable[[State, Round, Procedure, commands.Report], str]:
    def check(_state: State, current: Round, _: Procedure, command: commands.Report) -> str:
        if current.phase in ("betting", "adjusting"):
            return "bets are still open"
        late = any(
            one.cents * sign > 0
            for one in current.late.values()
            if command.box in (0, one.box) and (not command.players or one.player in command.players)
        )
        what = "added to" if sign > 0 else "taken from"
        return "" if late else f"no chips are recorded as {what} the layout after the close (late-chips)"

    return check


def _walked_away(_state: State, current: Round, _: Procedure, command: commands.Report) -> str:
    bettors = {stake.player for stake in current.stakes.values()}
    if not command.players:
        return "say who walked away"
    if not bettors.issuperset(command.players):
        return "who walked away has no bet in this round"
    return "that is on record already" if set(command.players) <= set(current.gone) else ""


def _too_few(state: State, current: Round, _: Procedure, _command: commands.Report) -> str:
    """Fewer cards than the round is certain to need still, whatever comes."""
    assert state.shoe is not None
    if current.phase != "dealing":
        return "no card is being drawn"
    outcomes = possible(state.rules.table_of_play, seen_by_all(current))
    whole = min(one.player_cards + one.banker_cards for one in outcomes)
    left, needed = cards_to_come(state), whole - len(current.drawn)
    return "" if left < needed else f"{left} cards are left, and the round is certain to need only {needed}"


def _drawn_together(_state: State, current: Round, _: Procedure, command: commands.Report) -> str:
    cards = sorted(set(command.cards))
    if len(cards) + len(command.drawn) < TOGETHER:
        return "cards drawn together are two or more: say which came out (drawn), or their places (cards)"
    places = [*cards, *range(len(current.drawn) + 1, len(current.drawn) + len(command.drawn) + 1)]
    if places != list(range(places[0], places[0] + len(places))):
        return "cards drawn together follow one another"
    return ""


def _after_close(_state: State, current: Round, _: Procedure, _command: commands.Report) -> str:
    return "" if current.phase == "dealing" else "bets have not been closed"


def _card_dealt(_state: State, current: Round, _: Procedure, _command: commands.Report) -> str:
    return "" if current.drawn else "no card of this round has been dealt"


def _excess(_state: State, current: Round, _: Procedure, command: commands.Report) -> str:
    if not command.drawn and not command.shown:
        return "say which cards came out (drawn) or were seen (shown)"
    return "that card lies face up by right" if set(command.shown) & set(current.exposed) else ""


def _wrong_number(state: State, current: Round, _: Procedure, command: commands.Report) -> str:
    """More cards than the Table of Play gives to the hands, as far as they have been seen."""
    names = (*(one.name if one.face_up else None for one in current.drawn), *command.drawn)
    known = tuple(name for name in names if name is not None)
    if not command.drawn:
        return "the hands have the cards that the Table of Play gives them: say which others came out (drawn)"
    if len(known) == len(names) and not Deal(state.rules.table_of_play, known).left_over:
        return "with these cards the hands have the right number"
    return ""


def _seen(_state: State, current: Round, procedure: Procedure, command: commands.Report) -> str:
    if procedure.needs == "face-down" and not (command.shown or command.drawn):
        return "say which card was seen (shown)"
    if any(place in current.exposed for place in command.shown):
        return "that card lies face up by right"
    return ""


def _wrong_area(_state: State, current: Round, _: Procedure, command: commands.Report) -> str:
    if command.players:
        return "no card is in these people's hands"
    return "" if current.drawn or command.drawn else "no card of this round has been dealt"


def _wrong_person(_state: State, current: Round, _: Procedure, command: commands.Report) -> str:
    held = [who for who in current.handed.values() if not command.players or who in command.players]
    return "" if held else "nobody holds cards: record where they went (hand-over, wrongly)"


def _absent(_state: State, current: Round, _: Procedure, command: commands.Report) -> str:
    absent = [who for who in handling(current) if not command.players or who in command.players]
    return "" if absent else "nobody who is meant handles cards"


def _left_with_cards(_state: State, current: Round, _: Procedure, command: commands.Report) -> str:
    held = [place for place, who in current.handed.items() if not command.players or who in command.players]
    if not held:
        return "nobody who is meant holds cards"
    if command.values_known is False and all(current.drawn[place - 1].name for place in held):
        return "the device has read the cards: their values are known"
    return ""


def _interruption(_state: State, current: Round, _: Procedure, _command: commands.Report) -> str:
    return "the round is over" if current.phase == "settled" else ""


def _earlier(_state: State, current: Round, _: Procedure, command: commands.Report) -> str:
    if command.round == current.number:
        return "it is about the round that is being played"
    return "" if current.number > 1 else "there is no earlier round"


def _display(_state: State, current: Round, _: Procedure, command: commands.Report) -> str:
    if current.settlement is None:
        return "there is no outcome yet that a display could show"
    if current.settlement is not None and command.displayed == current.settlement.outcome:
        return "that is the outcome at the table"
    return ""


def _neglected(state: State, current: Round, _: Procedure, command: commands.Report) -> str:
    if len(current.seen) < INITIAL:
        return "insurance is offered once four cards lie face up"
    passed = neglected_window(state, current, command)
    if not passed:
        return "no window of this round was passed over"
    for player in command.players:
        if why := why_not_affected(state, current, passed, player):
            return why
    return "" if affected(state, current, passed, ()) else "nobody with a bet was passed over in that window"


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


def _dealing(_state: State, current: Round, _: Procedure, command: commands.Report) -> str:
    """Errors are of dealing: from the first card drawn (interpretation 53)."""
    return "" if current.drawn or command.drawn else "no card of this round has been drawn"


def _chips_lie(_state: State, current: Round, _: Procedure, command: commands.Report) -> str:
    return "" if _stakes(current, command) else "no chips of theirs lie there"


CONDITIONS: dict[About, Callable[[State, Round, Procedure, commands.Report], str]] = {
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
