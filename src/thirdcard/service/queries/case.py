"""An irregularity worked out for whoever rules on it: what follows, who decides, where each order leads.

Of cards that nobody has seen it tells nothing but that they are there: whoever orders them gives numbers.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from thirdcard.cards import Card
from thirdcard.play.bets import result
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import Deal
from thirdcard.rulebook.conditions import sight_of_all
from thirdcard.rulebook.model import Procedure, Rules, Ruling, Side
from thirdcard.rulebook.remedies import REMEDIES
from thirdcard.rulebook.rulings import find_case
from thirdcard.service.queries import decisions
from thirdcard.service.queries.decisions import ACTIONS, Decision, in_order, is_seen
from thirdcard.service.queries.parts import (
    Power,
    Rung,
    Sentence,
    ladder,
    may_all,
    power_of,
    power_unless,
    ranks_told,
    remedy_sentences,
    shown_refusal,
    tell,
)
from thirdcard.service.queries.possible import dealt
from thirdcard.service.tables.cases import OpenCase, may_not_take, waiting
from thirdcard.service.tables.plans import UNNAMED
from thirdcard.table import State, commands, refusal
from thirdcard.table.established import undecided
from thirdcard.table.refusals import Refusal, ToldRefusal
from thirdcard.table.reported import held_by, in_question, names_unseen
from thirdcard.table.rights.choosing import CHOICES, choices
from thirdcard.table.ruled import facts_now, findings, ruled
from thirdcard.table.samples import REASON
from thirdcard.table.state import HANDS, Inputs, Pending, Round, Stake
from thirdcard.table.unseen import came_out
from thirdcard.table.why import Why, why
from thirdcard.words.saying import READER, say

NOTHING_WAITS = Refusal("wrong-phase", say("nothing-to-rule-on"))


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """One way to rule: what follows, who decides, and what that person has to say."""

    reconstructable: bool | None
    decides: str
    remedies: tuple[tuple[str, str], ...]
    inputs: tuple[str, ...]
    ladder: tuple[Rung, ...]
    power: Power
    rules: Rules


class Action(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can be decided where no rule says what follows, and what it asks for."""

    name: str
    sentence: str
    inputs: tuple[str, ...]


class LaidOrder(msgspec.Struct, frozen=True, kw_only=True):
    """What one order of the cards in question leads to. `order` counts from 0 as they are on record.

    Cards and consequences are left out where cards are dealt face down, and while one lies face down.
    """

    order: tuple[int, ...]
    first: Card | None
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    points: dict[Side, int]
    notes: tuple[Sentence, ...]


class Chooser(msgspec.Struct, frozen=True, kw_only=True):
    """A player with bets that are neither won nor lost; `choice` is None while nobody has been asked."""

    player: str
    stakes: tuple[Stake, ...]
    choice: str | None


class CaseCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card that the case is about; without a name if not everybody has seen it."""

    place: int
    card: Card | None
    recorded: bool


class CaseStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step of the ruling: a fact, what is to be found or said, a remedy, or what follows from it."""

    kind: Literal["fact", "established", "find", "rule", "remedy", "accepts"]
    state: Literal["done", "now", "to-come"]
    facts: dict[str, str | int] = {}
    rules: Rules = ()


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """An irregularity that holds the round up, worked out for whoever asks.

    Cases are ruled on in turn: `first` is the one under way, and `meets` says how it and the others meet.
    `at_desk`: the rank that deals may decide it. `in_question` is how many cards an order would name.
    `missing` are places of cards that somebody holds and that have no name yet. `override` says whether one
    may set a reading aside, `actions` what is then done. `note` is what the reporter wrote. `rights` is what
    everybody concerned may do while the first case is under way, and why or why not.
    """

    case: str
    title: str
    facts: dict[str, str | bool]
    decided_by: str
    drawn: int
    ruled: bool
    ways: tuple[Way, ...]
    actions: tuple[Action, ...]
    override: Power
    in_question: int
    orders: tuple[LaidOrder, ...]
    choosers: tuple[Chooser, ...]
    rights: tuple[Why, ...]
    missing: tuple[int, ...]
    interpretations: tuple[int, ...]
    left: tuple[tuple[str, str], ...]
    rules: Rules
    first: bool
    meets: Sentence | None
    at_desk: bool
    who: tuple[Rung, ...]
    ranks_above: tuple[Rung, ...]
    dismiss: Power
    cards: tuple[CaseCard, ...]
    box: int
    players: tuple[str, ...]
    steps: tuple[CaseStep, ...]
    decisions: tuple[Decision, ...]
    note: str = ""
    reported_by: str = ""
    reported_at: int = 0
    taken_by: str = ""
    take: Power = Power(may=False)
    passed_to: str = ""
    passed_by: str = ""
    passed_note: str = ""


def cases(state: State, person: str, rank: str, kept: Sequence[OpenCase] = ()) -> tuple[Case, ...]:
    """The case under way and those that wait behind it, for somebody of that rank.

    `kept` is what the floor knows of them. What people wrote is for those who supervise, and for themselves.
    """
    shown = []
    supervises = may_all(state.rulebook, rank, (state.rulebook.authority.amends.value,))
    for number, pending in enumerate(waiting(state.round)):
        assert state.round is not None
        case = _worked_out(state, state.round, pending, person=person, rank=rank, number=number)
        own = kept[number] if number < len(kept) else OpenCase(case=pending.case, by="", at=0)
        shown.append(
            msgspec.structs.replace(
                case,
                note=pending.note if supervises or own.by == person else "",
                reported_by=own.by,
                reported_at=own.at,
                taken_by=own.taken_by,
                take=power_unless(may_not_take(state, person, rank, own, number)),
                passed_to=own.passed_to,
                passed_by=own.passed_by,
                passed_note=own.note if supervises else "",
            )
        )
    return tuple(shown)


class TypedRuling(msgspec.Struct, frozen=True, kw_only=True):
    """What a ruling that somebody is typing would mean, or why it would be refused."""

    decision: Decision | None = None
    refusal: ToldRefusal | None = None


def typed_ruling(state: State, inputs: Inputs, rank: str) -> TypedRuling:
    """The same for the case under way; nothing is changed, and no rank is needed to ask."""
    current = state.round
    pending = current.pending if current else None
    if current is None or pending is None or pending.inputs is not None:
        return TypedRuling(refusal=shown_refusal(NOTHING_WAITS))
    if names_unseen(state, commands.Rule(by="", inputs=inputs)):
        return TypedRuling(refusal=shown_refusal(UNNAMED))
    decision = decisions.decision_of(state, current, pending, inputs, rank)
    if isinstance(decision, Refusal):
        return TypedRuling(refusal=shown_refusal(decision))
    return TypedRuling(decision=decision)


def _worked_out(  # noqa: PLR0913 - which case, and for whom
    state: State, current: Round, pending: Pending, *, person: str, rank: str, number: int
) -> Case:
    """The ruling on what was reported, for somebody of that rank."""
    book, first = state.rulebook, number == 0
    procedure = find_case(book, pending.case)
    open_still = pending.inputs is None  # it has not been ruled on
    known = facts_now(state, current, procedure, pending) if open_still else pending.facts
    found = findings(procedure) if open_still else ()
    ways = tuple(_way(state, current, pending, rank, reconstructable=one) for one in found)
    names_order = any("order" in way.inputs and way.power.may for way in ways)
    decides, needed = book.authority.decides, {way.decides for way in ways} or {pending.decides}
    return Case(
        case=pending.case,
        title=procedure.title,
        facts=known,
        decided_by=pending.decided_by,
        drawn=len(pending.drawn),
        ruled=pending.inputs is not None,
        ways=ways,
        actions=tuple(
            Action(name=name, sentence=remedy.sentence, inputs=remedy.asks)
            for name, remedy in ((name, REMEDIES[name]) for name in ACTIONS)
        ),
        override=power_of(book, rank, decides.value, decides.rules),
        in_question=len(in_question(current, pending)),
        orders=orders(state, current, pending) if names_order else (),
        choosers=tuple(_choosers(state, current)) if first else (),
        rights=tuple(_rights(state, current, pending)) if first else (),
        missing=tuple(p for p in held_by(current, pending) if current.drawn[p - 1].name is None),
        interpretations=procedure.interpretations,
        left=remedy_sentences(pending.remedies),
        rules=pending.rules,
        first=first,
        meets=_meets(state, current, number),
        at_desk=may_all(book, book.authority.deals.value, needed),
        who=ladder(book, needed, rank),
        ranks_above=tuple(
            rung
            for rung in ladder(book, needed, rank)
            if rung.rank != rank and may_all(book, rung.rank, (rank,) if rank else ())
        ),
        dismiss=power_unless(refusal(state, commands.Dismiss(by=person, case=pending.case, reason=REASON))),
        cards=tuple(_cards(state, current, pending)),
        box=pending.box,
        players=pending.players,
        steps=tuple(_steps(state, current, pending, procedure, known, ways)),
        decisions=decisions.decisions(state, current, pending, rank) if first else (),
    )


def _meets(state: State, current: Round, number: int) -> Sentence | None:
    """How the cases that are open meet: they are ruled on in turn, and a void ends all of them."""
    assert current.pending is not None
    book, case = state.rulebook, current.pending.case
    if number:
        return tell("meets_waits", book, title=find_case(book, case).title, case=case, ahead=number)
    return tell("meets_first", book, others=len(current.reported)) if current.reported else None


def _cards(state: State, current: Round, pending: Pending) -> Iterator[CaseCard]:
    """The cards that it names, and those that came out besides; no name where cards are dealt face down."""
    face_down, shown = state.setup.dealing.face_down, set(pending.shown)
    for place in sorted({*pending.cards, *(one for one in shown if one <= len(current.drawn))}):
        card = current.drawn[place - 1]
        seen = card.face_up or (place in shown and not face_down)
        name = (card.name or pending.names.get(place)) if seen else None
        yield CaseCard(place=place, card=name, recorded=True)
    first = pending.first or len(current.drawn) + 1
    for place, card in enumerate(came_out(current, pending), start=first):
        yield CaseCard(
            place=place, card=card.name if card.face_up and not face_down else None, recorded=False
        )


# The ruling, step by step -------------------------------------------------------------------------------


def _steps(  # noqa: PLR0913, PLR0917 - the case from all its sides
    state: State,
    current: Round,
    pending: Pending,
    procedure: Procedure,
    known: dict[str, str | bool],
    ways: tuple[Way, ...],
) -> Iterator[CaseStep]:
    """What is known and done, what is to be done now, and what comes after it."""
    for name, value in known.items():
        told = str(value).lower() if isinstance(value, bool) else value
        yield CaseStep(kind="fact", state="done", facts={"name": name, "value": told}, rules=procedure.rules)
    if pending.decided_by:
        yield CaseStep(kind="established", state="done", facts={"bet": pending.decided_by})
    if pending.inputs is not None:
        yield from _carried_out(state, current, pending)
        return
    title: dict[str, str | int] = {"rank": ranks_told(state.rulebook, ways[0].decides)}
    found = len(ways) > 1
    if found:
        yield CaseStep(kind="find", state="now", facts=title, rules=procedure.rules)
    yield CaseStep(kind="rule", state="to-come" if found else "now", facts=title, rules=ways[0].rules)
    for remedy, _ in ways[0].remedies:
        yield from _remedy(remedy, "to-come", ways[0].rules)


def _carried_out(state: State, current: Round, pending: Pending) -> Iterator[CaseStep]:
    """It has been ruled on: what is done of it, and what waits for players."""
    facts: dict[str, str | int] = {"rank": ranks_told(state.rulebook, pending.decides)}
    yield CaseStep(kind="rule", state="done", facts=facts, rules=pending.rules)
    left = pending.remedies
    every = current.irregularities[-1].remedies if current.irregularities else left
    for remedy in every[: len(every) - len(left)]:
        yield from _remedy(remedy, "done", pending.rules)
    chosen = choices(state, current).values()
    for number, remedy in enumerate(left):
        answers = chosen if number == 0 else ()
        counts = {"done": sum(map(bool, answers)), "of": len(answers)} if answers else {}
        yield from _remedy(remedy, "to-come" if number else "now", pending.rules, counts)


def _remedy(
    remedy: str,
    state: Literal["done", "now", "to-come"],
    rules: Rules,
    counts: dict[str, int] | None = None,
) -> Iterator[CaseStep]:
    """A remedy; who goes on where that is an option of all accepts every later card."""
    told: dict[str, str | int] = {"remedy": remedy, "sentence": REMEDIES[remedy].sentence, **(counts or {})}
    yield CaseStep(kind="remedy", state=state, facts=told, rules=rules)
    if remedy == CHOICES[0]:
        yield CaseStep(kind="accepts", state="to-come", rules=rules)


def _way(state: State, current: Round, pending: Pending, rank: str, *, reconstructable: bool | None) -> Way:
    book, bare = state.rulebook, Inputs(reconstructable=reconstructable)
    ruling = ruled(state, current, pending, bare).ruling
    return Way(
        reconstructable=reconstructable,
        decides=ruling.decides,
        remedies=remedy_sentences(ruling.remedy),
        inputs=_inputs(ruling),
        ladder=ladder(book, (ruling.decides,), rank),
        power=power_of(book, rank, ruling.decides, ruling.rules),
        rules=ruling.rules,
    )


def _inputs(ruling: Ruling) -> tuple[str, ...]:
    """What the remedies leave to the person who rules; what is put back in order has its order."""
    asks = dict.fromkeys(name for remedy in ruling.remedy for name in REMEDIES[remedy].asks)
    return tuple(name for name in asks if name != "order" or "reconstruct" not in ruling.remedy)


def _choosers(state: State, current: Round) -> Iterator[Chooser]:
    """Everybody with undecided bets, and whoever has chosen already."""
    said = choices(state, current)
    for player in dict.fromkeys((*said, *(stake.player for stake in current.stakes.values()))):
        open_still = tuple(current.stakes[key] for key in undecided(state, current, player))
        if open_still or player in said:
            yield Chooser(player=player, stakes=open_still, choice=said.get(player))


def _rights(state: State, current: Round, pending: Pending) -> Iterator[Why]:
    """What everybody may do whom the report names, or who has chips on the layout."""
    concerned = (*pending.players, *(stake.player for stake in current.stakes.values()))
    at_table = dealt(state)
    for player in dict.fromkeys(concerned):
        if player in state.players:
            yield from why(at_table, player, language=READER.get()())


def orders(state: State, current: Round, pending: Pending) -> tuple[LaidOrder, ...]:
    """Every order in which the cards in question could count, and where each leads; none if they are many."""
    laid = decisions.orders(state, current, pending)
    if not is_seen(state, current, pending):
        return tuple(
            LaidOrder(order=order, first=None, player=(), banker=(), points={}, notes=()) for order in laid
        )
    deals = {}
    for order in laid:
        names = tuple(card.name for card in in_order(current, pending, order) if card.name is not None)
        deals[order] = Deal(state.rulebook.table_of_play, names)
    differ = _differing(state, list(deals.values()))
    first = min(in_question(current, pending), default=1) - 1
    return tuple(_laid(state, order, deal, deal.cards[first], differ) for order, deal in deals.items())


def _differing(state: State, deals: Sequence[Deal]) -> list[str]:
    """The bets that come out otherwise in one order than in another, the two hands apart."""
    if any(deal.next is not None for deal in deals):
        return []
    outcomes = [outcome_of(deal, sight_of_all(state.rulebook)) for deal in deals]
    return [
        bet
        for bet in state.setup.bets
        if bet not in HANDS and len({result(state.rulebook.bets[bet], outcome) for outcome in outcomes}) > 1
    ]


def _laid(state: State, order: tuple[int, ...], deal: Deal, first: Card, differ: list[str]) -> LaidOrder:
    return LaidOrder(
        order=order,
        first=first,
        player=deal.player,
        banker=deal.banker,
        points={Side.PLAYER: deal.player_points, Side.BANKER: deal.banker_points},
        notes=tuple(_notes(state, deal, differ)),
    )


def _notes(state: State, deal: Deal, differ: list[str]) -> Iterator[Sentence]:
    """What follows from a deal: never in money, which is not to sway a ruling."""
    book, table = state.rulebook, deal.table.rules
    if deal.next is not None:
        yield tell("order_goes_on", book, table, hand=deal.next.value)
    else:
        outcome = outcome_of(deal, sight_of_all(book))
        scores = {"player": outcome.player, "banker": outcome.banker}
        yield tell("order_result", book, table, outcome=outcome.winner, **scores)
        for bet in differ:
            settled = result(book.bets[bet], outcome)
            odds = settled.tier.odds.text if settled.tier else ""
            yield tell(f"order_{settled.verdict}", book, settled.rules, bet=bet, odds=odds)
    for card in deal.left_over:
        yield tell("order_left", book, _kept(state), card=card.value)


def _kept(state: State) -> Rules:
    """What has cards in excess begin the next round."""
    rulings = (ruling for procedure in state.rulebook.procedures for ruling in procedure.rulings)
    return next((ruling.rules for ruling in rulings if "keep-for-next-round" in ruling.remedy), ())
