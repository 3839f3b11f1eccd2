"""An irregularity worked out for whoever rules on it: what follows, who decides, where each order leads.

Of cards that nobody has seen it tells nothing but that they are there: whoever orders them gives numbers.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import get_args, get_type_hints

import msgspec

from thirdcard.cards import Card
from thirdcard.play.bets import result
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import Deal
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.conditions import sight_of_all
from thirdcard.rulebook.model import Rules, Ruling, Side
from thirdcard.rulebook.remedies import REMEDIES
from thirdcard.rulebook.rulings import facts_asked, find_case, rule_on
from thirdcard.table import State
from thirdcard.table.decide.checks import outranks
from thirdcard.table.decide.inputs import held_by
from thirdcard.table.decide.laying import in_question, reordered
from thirdcard.table.decide.reporting import known_facts
from thirdcard.table.established import undecided
from thirdcard.table.state import HANDS, DrawnCard, Inputs, Pending, Round, Stake
from thirdcard.table.unseen import came_out

MOST_IN_ORDERS = 3  # cards whose orders are laid side by side
ACTIONS: tuple[str, ...] = tuple(name for name in get_args(get_type_hints(Inputs)["action"]) if name)


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence by its key among the pages' words, with what is filled in and its paragraphs."""

    key: str
    facts: dict[str, str | int] = {}
    rules: Rules = ()


class Power(msgspec.Struct, frozen=True, kw_only=True):
    """Whether one may do something now; if not, why: a refusal with its code, or the rank that it takes."""

    may: bool
    why: str = ""
    code: str = ""
    rank: str = ""
    rules: Rules = ()


class Rung(msgspec.Struct, frozen=True, kw_only=True):
    rank: str
    title: str
    may: bool
    you: bool


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """One way to rule: what follows, who decides, and what that person has to say."""

    reconstructable: bool | None
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


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """An irregularity that holds the round up, worked out for whoever asks.

    `in_question` is how many cards an order would name. `missing` are places of cards that somebody holds and
    that have no name yet. `override` says whether one may set a reading aside, `actions` what is then done.
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
    missing: tuple[int, ...]
    interpretations: tuple[int, ...]
    left: tuple[tuple[str, str], ...]
    rules: Rules


def worked_out(state: State, current: Round, pending: Pending, rank: str) -> Case:
    """The ruling on what was reported, for somebody of that rank."""
    procedure = find_case(state.rules, pending.case)
    found = [True, False] if "reconstructable" in facts_asked(procedure) else [None]
    if pending.inputs is not None:
        found = []  # it has been ruled on
    known = dict(pending.facts)
    if found and current.phase != "void":  # an irregularity before this one may have moved cards
        facts, _ = known_facts(state, current, procedure, pending)
        known = {name: facts.get(name, value) for name, value in known.items()}
    ways = tuple(_way(state.rules, pending.case, known, rank, reconstructable=one) for one in found)
    names_order = any("order" in way.inputs and way.power.may for way in ways)
    decides = state.rules.authority.decides
    return Case(
        case=pending.case,
        title=procedure.title,
        facts=known,
        decided_by=pending.decided_by,
        drawn=len(pending.drawn),
        ruled=pending.inputs is not None,
        ways=ways,
        actions=tuple(_action(name) for name in ACTIONS),
        override=_power(state.rules, rank, decides.value, decides.rules),
        in_question=len(in_question(current, pending)),
        orders=orders(state, current, pending) if names_order else (),
        choosers=tuple(_choosers(state, current, pending)),
        missing=tuple(p for p in held_by(current, pending) if current.drawn[p - 1].name is None),
        interpretations=procedure.interpretations,
        left=_sentences(pending.remedies),
        rules=pending.rules,
    )


def _action(name: str) -> Action:
    return Action(name=name, sentence=REMEDIES[name].sentence, inputs=REMEDIES[name].asks)


def _power(book: Rulebook, rank: str, needed: str, rules: Rules) -> Power:
    may = bool(rank) and outranks(book, rank, needed)
    if may:
        return Power(may=True, rules=rules)
    return Power(may=False, why=titles_of(book)[needed], rank=needed, rules=rules)


def _way(
    book: Rulebook, case: str, known: dict[str, str | bool], rank: str, *, reconstructable: bool | None
) -> Way:
    facts = known if reconstructable is None else {**known, "reconstructable": reconstructable}
    (ruling,) = rule_on(book, case, facts).rulings
    return Way(
        reconstructable=reconstructable,
        remedies=_sentences(ruling.remedy),
        inputs=_inputs(ruling),
        ladder=tuple(
            Rung(
                rank=one.name,
                title=one.title,
                may=outranks(book, one.name, ruling.decides),
                you=one.name == rank,
            )
            for one in book.ranks
        ),
        power=_power(book, rank, ruling.decides, ruling.rules),
        rules=ruling.rules,
    )


def _sentences(remedies: Iterable[str]) -> tuple[tuple[str, str], ...]:
    return tuple((one, REMEDIES[one].sentence) for one in remedies)


def titles_of(book: Rulebook) -> dict[str, str]:
    return {rank.name: rank.title for rank in book.ranks}


def _inputs(ruling: Ruling) -> tuple[str, ...]:
    """What the remedies leave to the person who rules; what is put back in order has its order."""
    asks = dict.fromkeys(name for remedy in ruling.remedy for name in REMEDIES[remedy].asks)
    return tuple(name for name in asks if name != "order" or "reconstruct" not in ruling.remedy)


def _choosers(state: State, current: Round, pending: Pending) -> Iterator[Chooser]:
    """Everybody with undecided bets, and whoever has chosen already."""
    for player in dict.fromkeys((*pending.choices, *(one.player for one in current.stakes.values()))):
        open_still = tuple(current.stakes[key] for key in undecided(state, current, player))
        if open_still or player in pending.choices:
            yield Chooser(player=player, stakes=open_still, choice=pending.choices.get(player))


def orders(state: State, current: Round, pending: Pending) -> tuple[LaidOrder, ...]:
    """Every order in which the cards in question could count, and where each leads; none if they are many."""
    every = (*current.drawn, *came_out(current, pending))
    places = in_question(current, pending)
    if not 0 < len(places) <= MOST_IN_ORDERS:
        return ()
    found = {order: _in_order(every, places, order) for order in permutations(range(len(places)))}
    names = {order: tuple(one.name for one in cards if one.name) for order, cards in found.items()}
    if state.setup.dealing.face_down or not all(one.face_up and one.name for one in every):
        return tuple(_unseen(order) for order in found)
    unlike: dict[tuple[Card, ...], tuple[int, ...]] = {}
    for order, cards in names.items():
        unlike.setdefault(cards, order)
    deals = {order: Deal(state.rules.table_of_play, cards) for cards, order in unlike.items()}
    differ = _differing(state, list(deals.values()))
    return tuple(
        _laid(state, order, deal, deal.cards[min(places) - 1], differ) for order, deal in deals.items()
    )


def _in_order(
    every: tuple[DrawnCard, ...], places: tuple[int, ...], order: tuple[int, ...]
) -> tuple[DrawnCard, ...]:
    return reordered(every, places, tuple(place + 1 for place in order))


def _unseen(order: tuple[int, ...]) -> LaidOrder:
    return LaidOrder(order=order, first=None, player=(), banker=(), points={}, notes=())


def _differing(state: State, deals: Sequence[Deal]) -> list[str]:
    """The bets that come out otherwise in one order than in another, the two hands apart."""
    if any(deal.next is not None for deal in deals):
        return []
    outcomes = [outcome_of(deal, sight_of_all(state.rules)) for deal in deals]
    return [
        bet
        for bet in state.setup.bets
        if bet not in HANDS and len({result(state.rules.bets[bet], one) for one in outcomes}) > 1
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
    table = deal.table.rules
    if deal.next is not None:
        yield Sentence(key="order_goes_on", facts={"hand": deal.next.value}, rules=table)
    else:
        outcome = outcome_of(deal, sight_of_all(state.rules))
        facts: dict[str, str | int] = {
            "outcome": outcome.winner,
            "player": outcome.player,
            "banker": outcome.banker,
        }
        yield Sentence(key="order_result", facts=facts, rules=table)
        for bet in differ:
            came = result(state.rules.bets[bet], outcome)
            odds = came.tier.odds.text if came.tier else ""
            yield Sentence(key=f"order_{came.verdict}", facts={"bet": bet, "odds": odds}, rules=came.rules)
    for card in deal.left_over:
        yield Sentence(key="order_left", facts={"card": card.value}, rules=_kept(state))


def _kept(state: State) -> Rules:
    """What has cards in excess begin the next round."""
    rulings = (ruling for one in state.rules.procedures for ruling in one.rulings)
    return next((one.rules for one in rulings if "keep-for-next-round" in one.remedy), ())
