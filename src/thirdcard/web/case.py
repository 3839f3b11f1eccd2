"""An irregularity worked out for whoever rules on it: what follows, who decides, where each order leads.

Of cards that nobody has seen it tells nothing but that they are there; cards that came out together are told
to those alone who have to name their order, and never at a table where cards are dealt face down.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations

import msgspec

from thirdcard.cards import Card
from thirdcard.play.bets import result
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import INITIAL, Deal
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.model import Rules, Ruling, Side
from thirdcard.rulebook.rulings import REMEDIES, facts_asked, find_case, rule_on
from thirdcard.table import State
from thirdcard.table.decide.checks import outranks
from thirdcard.table.established import undecided
from thirdcard.table.state import HANDS, Pending, Round, Stake


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence by its key among the pages' words, with what is filled in and its paragraphs."""

    key: str
    facts: dict[str, str | int] = {}
    rules: Rules = ()


class Power(msgspec.Struct, frozen=True, kw_only=True):
    """Whether one may do something now, and if not, why."""

    may: bool
    why: str = ""
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


class Laid(msgspec.Struct, frozen=True, kw_only=True):
    """What one order of cards drawn together leads to. `order` counts from 0 as they were reported.

    Cards and consequences are left out where cards lie face down.
    """

    order: tuple[int, ...]
    first: Card | None
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    points: dict[Side, int]
    notes: tuple[Told, ...]


class Chooser(msgspec.Struct, frozen=True, kw_only=True):
    """A player with bets that are neither won nor lost; `choice` is None while nobody has been asked."""

    player: str
    stakes: tuple[Stake, ...]
    choice: str | None


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """An irregularity that holds the round up, worked out for whoever asks."""

    case: str
    title: str
    facts: dict[str, str | bool]
    decided_by: str
    drawn: int
    ruled: bool
    ways: tuple[Way, ...]
    orders: tuple[Laid, ...]
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
    ways = tuple(_way(state.rules, pending, rank, reconstructable=one) for one in found)
    names_order = any("order" in way.inputs and way.power.may for way in ways)
    hidden = [place for place in range(1, len(current.cards) + 1) if place not in current.exposed]
    held = [place for place in hidden if current.handed.get(place) in pending.players]
    return Case(
        case=pending.case,
        title=procedure.title,
        facts=pending.facts,
        decided_by=pending.decided_by,
        drawn=len(pending.drawn),
        ruled=pending.inputs is not None,
        ways=ways,
        orders=orders(state, current, pending) if names_order else (),
        choosers=tuple(_choosers(state, current, pending)),
        missing=tuple(held or hidden),
        interpretations=procedure.interpretations,
        left=_told(pending.remedies),
        rules=pending.rules,
    )


def _way(book: Rulebook, pending: Pending, rank: str, *, reconstructable: bool | None) -> Way:
    facts = dict(pending.facts)
    if reconstructable is not None:
        facts["reconstructable"] = reconstructable
    (ruling,) = rule_on(book, pending.case, facts).rulings
    may = bool(rank) and outranks(book, rank, ruling.decides)
    titles = titles_of(book)
    return Way(
        reconstructable=reconstructable,
        remedies=_told(ruling.remedy),
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
        power=Power(may=may, why="" if may else titles[ruling.decides], rules=ruling.rules),
        rules=ruling.rules,
    )


def _told(remedies: Iterable[str]) -> tuple[tuple[str, str], ...]:
    return tuple((one, REMEDIES[one]) for one in remedies)


def titles_of(book: Rulebook) -> dict[str, str]:
    return {rank.name: rank.title for rank in book.ranks}


def _inputs(ruling: Ruling) -> tuple[str, ...]:
    """What the remedies leave to the person who rules."""
    asks = {
        "decide-order": ("order",),
        "decide": ("action", "stakes"),
        "substitute-cards": ("substitutes", "set_aside"),
        "replace-cards": ("replace_cards",),
        "return-original": ("intended",),
    }
    return tuple(name for remedy in ruling.remedy for name in asks.get(remedy, ()))


def _choosers(state: State, current: Round, pending: Pending) -> Iterator[Chooser]:
    """Everybody with undecided bets, and whoever has chosen already."""
    for player in dict.fromkeys((*pending.choices, *(one.player for one in current.stakes.values()))):
        open_still = tuple(current.stakes[key] for key in undecided(state, current, player))
        if open_still or player in pending.choices:
            yield Chooser(player=player, stakes=open_still, choice=pending.choices.get(player))


def orders(state: State, current: Round, pending: Pending) -> tuple[Laid, ...]:
    """Every order in which cards drawn together could count, and where each leads."""
    drawn = pending.drawn
    seen: dict[tuple[Card, ...], tuple[int, ...]] = {}
    for order in permutations(range(len(drawn))):
        seen.setdefault(tuple(drawn[place] for place in order), order)
    if state.setup.dealing.face_down or len(current.exposed) < len(current.cards):
        return tuple(_unseen(order) for order in permutations(range(len(drawn))))
    deals = {order: Deal(state.rules.table_of_play, current.cards + cards) for cards, order in seen.items()}
    differ = _differing(state, list(deals.values()))
    return tuple(_laid(state, order, deal, drawn, differ) for order, deal in deals.items())


def _unseen(order: tuple[int, ...]) -> Laid:
    return Laid(order=order, first=None, player=(), banker=(), points={}, notes=())


def _differing(state: State, deals: Sequence[Deal]) -> list[str]:
    """The bets that come out otherwise in one order than in another, the two hands apart."""
    if any(_unfinished(deal) for deal in deals):
        return []
    outcomes = [outcome_of(deal) for deal in deals]
    return [
        bet
        for bet in state.setup.bets
        if bet not in HANDS and len({result(state.rules.bets[bet], one) for one in outcomes}) > 1
    ]


def _unfinished(deal: Deal) -> bool:
    return len(deal.cards) < INITIAL or deal.next is not None


def _laid(
    state: State, order: tuple[int, ...], deal: Deal, drawn: tuple[Card, ...], differ: list[str]
) -> Laid:
    return Laid(
        order=order,
        first=drawn[order[0]],
        player=deal.player,
        banker=deal.banker,
        points={Side.PLAYER: deal.player_points, Side.BANKER: deal.banker_points},
        notes=tuple(_notes(state, deal, differ)),
    )


def _notes(state: State, deal: Deal, differ: list[str]) -> Iterator[Told]:
    """What follows from a deal: never in money, which is not to sway a ruling."""
    table = deal.table.rules
    if _unfinished(deal):
        yield Told(key="order_goes_on", facts={"hand": (deal.next or Side.PLAYER).value}, rules=table)
    else:
        outcome = outcome_of(deal)
        facts: dict[str, str | int] = {
            "outcome": outcome.winner,
            "player": outcome.player,
            "banker": outcome.banker,
        }
        yield Told(key="order_result", facts=facts, rules=table)
        for bet in differ:
            came = result(state.rules.bets[bet], outcome)
            odds = came.tier.odds.text if came.tier else ""
            yield Told(key=f"order_{came.verdict}", facts={"bet": bet, "odds": odds}, rules=came.rules)
    for card in deal.left_over:
        yield Told(key="order_left", facts={"card": card.value}, rules=_kept(state))


def _kept(state: State) -> Rules:
    """What has cards in excess begin the next round."""
    rulings = (ruling for one in state.rules.procedures for ruling in one.rulings)
    return next((one.rules for one in rulings if "keep-for-next-round" in one.remedy), ())
