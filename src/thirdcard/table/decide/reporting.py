"""Irregularities are reported, with what is known of them; and dismissed, where nothing came of it."""

from thirdcard.cards import Card
from thirdcard.rulebook.facts import asked_facts
from thirdcard.rulebook.model import Procedure
from thirdcard.table import commands, events
from thirdcard.table.decide.checks import (
    find_procedure,
    need_box,
    need_dealer,
    need_in_shoe,
    need_player,
    need_rank,
    need_reason,
    refuse,
)
from thirdcard.table.decide.conditions import need_condition, neglected_window
from thirdcard.table.events import AnyEvent
from thirdcard.table.reported import (
    AFTER_PAYMENT,
    ANY_TIME,
    CARDS,
    DETAILS,
    FACTS,
    MOST_REPORTS,
    find_ruling,
    first_place,
    known_facts,
)
from thirdcard.table.rights.drawing import cards_to_come
from thirdcard.table.ruled import may_void
from thirdcard.table.state import DrawnCard, Pending, Round, State
from thirdcard.table.unseen import seen_counts
from thirdcard.words.saying import say


def report(state: State, command: commands.Report) -> tuple[AnyEvent, ...]:
    need_dealer(state, command.by)
    current = state.round
    if current is None or current.phase == "void":
        raise refuse("wrong-phase", say("no-round-to-report"))
    if len(current.reported) >= MOST_REPORTS:
        raise refuse("wrong-phase", say("too-many-reports"))
    if command.round is not None and not 1 <= command.round <= current.number:
        raise refuse("wrong-phase", say("no-such-round-yet", round=command.round or 0))
    procedure = find_procedure(state, command.case)
    for player in command.players:
        need_player(state, player)
    if command.box:
        need_box(state, command.box)
    _need_happen(state, procedure)
    about = command.round
    if about is None and "earlier-round" in procedure.about:
        about = current.number - 1
    earlier = about is not None and about < current.number
    _need_not_final(state, current, procedure, command, earlier=earlier)
    for name in FACTS:
        if name in asked_facts(procedure) and getattr(command, name) is None:
            raise refuse("fact-missing", say("say-whether", text=name.replace("_", " ")), procedure.rules)
    need_condition(state, current, procedure, command)
    _need_used(state, procedure, command)
    pending = _pending(state, current, procedure, command, earlier=earlier)
    first = _goes_first(state, current, pending)
    return (events.IrregularityReported(by=command.by, pending=pending, first=first, rules=procedure.rules),)


def _goes_first(state: State, current: Round, pending: Pending) -> bool:
    """What may void the round is ruled on first, unless its cards come after those of the other."""
    held = current.pending
    if held is None or held.inputs is not None or (held.drawn and pending.drawn):
        return False
    return may_void(state, current, pending) and not may_void(state, current, held)


def _need_happen(state: State, procedure: Procedure) -> None:
    """Some things happen only at some tables."""
    kinds = {
        None: True,
        "reader": state.setup.reads_cards,
        "player-device": state.setup.dealing.device == "player",
        "face-down": state.setup.dealing.face_down,
    }
    if not kinds[procedure.needs]:
        raise refuse("not-allowed-here", say("cannot-happen-here"), procedure.rules)
    if procedure.needs == "player-device" and state.device is None:
        raise refuse("not-allowed-here", say("no-player-has-device"), procedure.rules)
    insurance = state.rulebook.insurance
    if "neglected-insurance" in procedure.about and insurance is not None and not state.setup.insurance:
        raise refuse("not-allowed-here", say("no-insurance-here"), insurance.private.rules)


def _need_not_final(
    state: State, current: Round, procedure: Procedure, command: commands.Report, *, earlier: bool
) -> None:
    final = state.rulebook.betting.final
    over = current.phase == "settled" and final.value == "payment"
    if over and not AFTER_PAYMENT.intersection(procedure.about):
        raise refuse(
            "round-is-final",
            say("round-is-paid"),
            final.rules,
        )
    asked = asked_facts(procedure)
    if earlier and "noticed" not in asked and not ANY_TIME.intersection(procedure.about):
        raise refuse("round-is-final", say("round-stands", round=command.round or 0), final.rules)


def _need_used(state: State, procedure: Procedure, command: commands.Report) -> None:
    """No fact and no detail is taken and then ignored."""
    for name in FACTS:
        if getattr(command, name) is not None and name not in asked_facts(procedure):
            told = say("fact-does-not-matter", text=name.replace("_", " "), case=command.case)
            raise refuse("input-not-used", told, procedure.rules)
    used = frozenset().union(*(DETAILS[about] for about in procedure.about)) if procedure.about else CARDS
    if "differential" in procedure.about and state.rulebook.limits.differential.scope == "table":
        used -= {"box"}
    for name in ("drawn", "cards", "shown", "names", "players", "box", "window", "displayed"):
        if getattr(command, name) and name not in used:
            raise refuse(
                "input-not-used",
                say("input-says-nothing", name=name, case=command.case),
                procedure.rules,
            )


def _pending(
    state: State, current: Round, procedure: Procedure, command: commands.Report, *, earlier: bool
) -> Pending:
    _need_places(current, command)
    drawn, waited = _came_out(state, current, procedure, command)
    shown = _seen(state, current, procedure, command, drawn)
    _need_names(state, current, command, drawn, shown)
    window = 0
    if "neglected-insurance" in procedure.about:
        window = neglected_window(state, current, command)
    bare = Pending(
        case=command.case,
        facts={},
        decides="",
        rules=procedure.rules,
        earlier=earlier,
        first=first_place(current),
        drawn=drawn,
        shown=shown,
        cards=tuple(sorted(set(command.cards))),
        names=command.names,
        waited=waited,
        players=tuple(dict.fromkeys(command.players)),
        box=command.box,
        window=window,
        displayed=command.displayed,
        note=command.note.strip(),
    )
    facts, decided_by = known_facts(state, current, procedure, bare)
    given = {name: getattr(command, name) for name in FACTS}
    asked = asked_facts(procedure)
    facts |= {name: value for name, value in given.items() if value is not None}
    known = {name: value for name, value in facts.items() if name in asked}
    proposal = find_ruling(procedure, {**known, "reconstructable": True})
    return Pending(
        **{name: getattr(bare, name) for name in bare.__struct_fields__}
        | {"facts": known, "decided_by": decided_by, "decides": proposal.decides}
    )


# Cards that came out ------------------------------------------------------------------------------------


def _came_out(
    state: State, current: Round, procedure: Procedure, command: commands.Report
) -> tuple[tuple[Card | None, ...], tuple[DrawnCard, ...]]:
    """The cards that came out, the first of them those that waited."""
    shoe = state.shoe
    assert shoe is not None
    drawn = command.drawn
    if not drawn:
        return (), ()
    if current.phase not in ("dealing", "settled") or (shoe.number != current.shoe):
        raise refuse("card-not-due", say("cards-come-after-close"), procedure.rules)
    if len(drawn) > cards_to_come(state):
        raise refuse("shoe-empty", say("too-few-cards-left"))
    waited = shoe.waiting[: len(drawn)]
    names = []
    for number, name in enumerate(drawn):
        before = waited[number].name if number < len(waited) else None
        if before is not None and name is not None and state.setup.reads_cards and not waited[number].face_up:
            raise refuse("card-not-seen", say("next-card-unseen-leave-name"))
        if before is not None and name not in (None, before):
            seen = say("waiting-card-is-first", card=str(before))
            raise refuse("card-not-due", seen if waited[number].face_up else say("unseen-card-is-first"))
        names.append(before or name)
    return tuple(names), waited


def _seen(
    state: State,
    current: Round,
    procedure: Procedure,
    command: commands.Report,
    drawn: tuple[Card | None, ...],
) -> tuple[int, ...]:
    """Places of cards seen in error.

    Where cards are dealt face up an excess card is seen as it comes out. Cards drawn together still lie face
    down while their order is settled, unless the report says otherwise. From an ordinary shoe at a face-down
    table a card that has a name was seen.
    """
    first = first_place(current)
    named = {place for place, name in enumerate(drawn, start=first) if name is not None}
    if state.setup.unseen:
        return tuple(sorted({*command.shown, *command.names, *named}))
    if state.setup.dealing.face_down and "seen-in-error" not in procedure.about:
        return tuple(sorted(set(command.shown)))
    if "drawn-together" in procedure.about:
        return tuple(sorted(set(command.shown)))
    return tuple(sorted({*command.shown, *range(first, first + len(drawn))}))


def _need_places(current: Round, command: commands.Report) -> None:
    lying, first = len(current.drawn), first_place(current)
    for place in command.shown:
        if not (1 <= place <= lying or first <= place < first + len(command.drawn)):
            raise refuse("no-such-card", say("no-card-at-place", place=place))
    for place in (*command.cards, *command.names):
        if not 1 <= place <= lying:
            raise refuse("no-such-card", say("no-recorded-card", place=place))


def _need_names(
    state: State,
    current: Round,
    command: commands.Report,
    drawn: tuple[Card | None, ...],
    shown: tuple[int, ...],
) -> None:
    """A card that was seen or read has a name; the shoe held them all."""
    shoe, first = state.shoe, first_place(current)
    assert shoe is not None
    counts = seen_counts(state)
    waited = shoe.waiting[: len(drawn)]
    for place, name in enumerate(drawn, start=first):
        if name is None and (state.setup.reads_cards or place in shown):
            raise refuse("card-not-named", say("name-card-at-place", place=place))
        known_before = place - first < len(waited) and waited[place - first].name is not None
        if name is not None and not known_before:
            need_in_shoe(shoe, name, counts)
            counts[name.value] = counts.get(name.value, 0) + 1
    for place in range(1, len(current.drawn) + 1):
        known, name = current.drawn[place - 1].name, command.names.get(place)
        if known is not None and name is not None:
            raise refuse("input-not-used", say("card-has-name", place=place))
        if known is None and place in shown:
            if name is None:
                raise refuse("card-not-named", say("say-what-shows", place=place))
            need_in_shoe(shoe, name, counts)
            counts[name.value] = counts.get(name.value, 0) + 1


# Dismissed ----------------------------------------------------------------------------------------------


def dismiss(state: State, command: commands.Dismiss) -> tuple[AnyEvent, ...]:
    """By whoever may rule on it, before anything was carried out (interpretation 42)."""
    current = state.round
    waiting = [current.pending, *current.reported] if current and current.pending else []
    found = [
        (number, pending)
        for number, pending in enumerate(waiting)
        if pending and command.case in ("", pending.case)
    ]
    if not found:
        need_dealer(state, command.by)
        raise refuse("wrong-phase", say("no-such-report"))
    number, pending = found[0]
    need_rank(state, command.by, pending.decides, pending.rules)
    if pending.inputs is not None:
        raise refuse("wrong-phase", say("ruled-already"), pending.rules)
    need_reason(command.reason, pending.rules)
    return (
        events.ReportDismissed(
            case=pending.case, number=number, by=command.by, reason=command.reason, rules=pending.rules
        ),
    )
