"""What somebody may see: a pure function of the state. A face-down card is in its squeezer's view alone."""

import msgspec

from thirdcard.cards import Card
from thirdcard.play.tableau import points
from thirdcard.roads import Roads, roads
from thirdcard.rulebook.model import Rules, Side
from thirdcard.table.decide.dealing import offered_to
from thirdcard.table.decide.insuring import cap_for
from thirdcard.table.decide.squeezing import hand_of
from thirdcard.table.setup import Limit
from thirdcard.table.state import Pending, Purchase, Round, Settlement, Shoe, Stake, State


class SeenCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card on the table; `card` is absent where this viewer may not see it."""

    place: int
    hand: Side
    card: Card | None
    exposed: bool
    held_by: str | None


class SeenOffer(msgspec.Struct, frozen=True, kw_only=True):
    """Insurance on offer; `caps` by box for the viewer, where the viewer may buy."""

    hand: Side
    window: int
    odds: str
    caps: dict[int, int]
    rules: Rules


class HeldUp(msgspec.Struct, frozen=True, kw_only=True):
    """An irregularity that holds the round up: what has to be decided, by whom, and who has yet to choose."""

    case: str
    title: str
    facts: dict[str, str | bool]
    decided_by: str
    decides: str | None
    remedies: tuple[str, ...]
    choices: dict[str, str]
    rules: Rules


class Notice(msgspec.Struct, frozen=True):
    text: str
    rules: Rules


class View(msgspec.Struct, frozen=True, kw_only=True):
    rulebook: str
    layout: str
    positions: int
    method: str
    bets: tuple[str, ...]
    limits: dict[str, Limit]
    differential: int | None
    notices: tuple[Notice, ...]
    phase: str
    round: int
    seats: dict[int, str]
    stakes: tuple[Stake, ...]
    purchases: tuple[Purchase, ...]
    cards: tuple[SeenCard, ...]
    points: dict[Side, int | None]
    offers: tuple[SeenOffer, ...]
    held_up: HeldUp | None
    settlement: Settlement | None
    roads: Roads
    shoe: int | None
    cards_left: int | None
    cut_card_out: bool
    waiting: tuple[Card, ...]
    device: str | None
    racks: dict[str, int]


def view(state: State, viewer: str) -> View:
    """The table as `viewer` sees it: racks are one's own business and the staff's."""
    setup, current = state.setup, state.round
    shown = state.players if viewer in state.staff else [viewer] if viewer in state.players else []
    seen = _cards(state, current, viewer) if current else ()
    return View(
        rulebook=setup.rulebook,
        layout=setup.layout,
        positions=setup.positions,
        method=setup.dealing.name,
        bets=setup.bets,
        limits={bet: setup.limit(bet) for bet in setup.bets},
        differential=setup.differential,
        notices=notices(state),
        phase=state.phase,
        round=state.rounds,
        seats=state.seats,
        stakes=tuple(current.stakes.values()) if current else (),
        purchases=current.purchases if current else (),
        cards=seen,
        points={side: _points(seen, side) for side in Side},
        offers=_offers(state, current, viewer) if current else (),
        held_up=_held_up(state, current.pending) if current and current.pending else None,
        settlement=current.settlement if current else None,
        roads=roads(state.results),
        shoe=state.shoe.number if state.shoe else None,
        cards_left=state.shoe.left if state.shoe else None,
        cut_card_out=state.shoe.cut_out if state.shoe else False,
        waiting=_waiting(state.shoe) if state.shoe else (),
        device=state.device,
        racks={player: state.rack(player) for player in shown},
    )


def notices(state: State) -> tuple[Notice, ...]:
    """What the rules want displayed at this table."""
    told = [Notice(notice.shows, notice.rules) for notice in state.rules.notices if not notice.only_private]
    insurance = state.rules.insurance
    if insurance is not None and not state.setup.insurance:
        told.append(Notice("No insurance is offered at this table, to anybody", insurance.private.rules))
    if state.next_setup is not None:
        told.append(Notice("The set-up changes with the next round", ()))
    return tuple(told)


def _held_up(state: State, pending: Pending) -> HeldUp:
    title = next(p.title for p in state.rules.procedures if p.case == pending.case)
    return HeldUp(
        case=pending.case,
        title=title,
        facts=pending.facts,
        decided_by=pending.decided_by,
        decides=pending.decides if pending.inputs is None else None,
        remedies=pending.remedies,
        choices=pending.choices,
        rules=pending.rules,
    )


def _waiting(shoe: Shoe) -> tuple[Card, ...]:
    """Cards left over that everybody has seen."""
    return tuple(card for card, seen in zip(shoe.waiting, shoe.waiting_seen, strict=False) if seen)


def _cards(state: State, current: Round, viewer: str) -> tuple[SeenCard, ...]:
    seen = []
    for place, card in enumerate(current.cards, start=1):
        exposed = place in current.exposed
        holder = current.handed.get(place)
        visible = exposed or holder == viewer
        hand = hand_of(state, current, place) or Side.BANKER
        seen.append(
            SeenCard(place=place, hand=hand, card=card if visible else None, exposed=exposed, held_by=holder)
        )
    return tuple(seen)


def _points(seen: tuple[SeenCard, ...], side: Side) -> int | None:
    """A hand's points once all its cards are in view."""
    cards = [one.card for one in seen if one.hand is side]
    known = tuple(card for card in cards if card is not None)
    return points(known) if cards and len(known) == len(cards) else None


def _offers(state: State, current: Round, viewer: str) -> tuple[SeenOffer, ...]:
    if current.window is None:
        return ()
    may_buy = viewer in offered_to(current)
    return tuple(
        SeenOffer(
            hand=offer.hand,
            window=current.window.number,
            odds=offer.odds,
            caps={
                stake.box: cap_for(state, current, offer, viewer, stake.box).cents
                for stake in current.stakes.values()
                if may_buy and stake.player == viewer and stake.bet == offer.hand
            },
            rules=offer.rules,
        )
        for offer in current.window.offers
    )
