"""What somebody may see: a pure function of the state. A face-down card is in its squeezer's view alone."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from thirdcard.cards import Card
from thirdcard.play.deciding import Deciding, deciding
from thirdcard.play.tableau import points
from thirdcard.roads import Roads, roads
from thirdcard.rulebook.model import Rulebook, Rules, Side
from thirdcard.table.playing import cap_for
from thirdcard.table.rights.choosing import choices
from thirdcard.table.rights.insurance import Window, asked, open_windows
from thirdcard.table.setup import SHORT_DIGEST, Limit, Setup
from thirdcard.table.state import Pending, Proposal, Purchase, Round, Settlement, Shoe, Stake, State
from thirdcard.words.saying import Saying, say

NO_POINTS: dict[Side, int | None] = dict.fromkeys(Side)  # of hands without a card


class SeenCard(msgspec.Struct, frozen=True, kw_only=True):
    """A card on the table; `card` is absent where this viewer may not see it; `seen_by` had it in hand."""

    place: int
    hand: Side
    card: Card | None
    exposed: bool
    held_by: str | None
    seen_by: tuple[str, ...] = ()


class SeenOffer(msgspec.Struct, frozen=True, kw_only=True):
    """Insurance on offer; `caps` by box for the viewer, where the viewer may buy."""

    hand: Side
    window: int
    odds: str
    caps: dict[int, int]
    rules: Rules
    late: bool = False


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


class Waits(msgspec.Struct, frozen=True, kw_only=True):
    """A further irregularity that waits to be ruled on."""

    case: str
    title: str
    decides: str
    rules: Rules


class Displayed(NamedTuple):
    """What is to be displayed at a table, and the paragraphs that want it."""

    said: Saying
    rules: Rules = ()


class ShownNotice(msgspec.Struct, frozen=True):
    text: str
    rules: Rules


class View(msgspec.Struct, frozen=True, kw_only=True):
    rulebook: str
    digest: str
    layout: str
    positions: int
    method: str
    bets: tuple[str, ...]
    limits: dict[str, Limit]
    differential: int | None
    notices: tuple[ShownNotice, ...]
    phase: str
    round: int
    seats: dict[int, str]
    stakes: tuple[Stake, ...]
    late: tuple[Stake, ...]
    gone: tuple[str, ...]
    purchases: tuple[Purchase, ...]
    cards: tuple[SeenCard, ...]
    points: dict[Side, int | None]
    deciding: Deciding | None
    offers: tuple[SeenOffer, ...]
    held_up: HeldUp | None
    reported: tuple[Waits, ...]
    amendment: Proposal | None
    settlement: Settlement | None
    roads: Roads
    shoe: int | None
    cards_left: int | None
    cut_card_out: bool
    waiting: tuple[Card, ...]
    device: str | None
    racks: dict[str, int]
    owed: dict[str, int]


def view(state: State, viewer: str) -> View:
    """The table as `viewer` sees it: racks are one's own business and the staff's.

    >>> from thirdcard.table import Table, commands
    >>> table = Table("mbs-tiger-v2")
    >>> events = table.do(*(commands.Join(by=name) for name in ("ann", "bob")))
    >>> view(table.state, "ann").racks
    {'ann': 0}
    """
    return View(**for_everybody(state), **for_one(state, viewer))


def for_everybody(state: State, board: Roads | None = None) -> dict[str, Any]:
    """The fields of a view that are the same for all; `board` if the results are those of a board at hand."""
    setup, current, shoe = state.setup, state.round, state.shoe
    return {
        "rulebook": setup.rulebook,
        "digest": setup.digest,
        "layout": setup.layout,
        "positions": setup.positions,
        "method": setup.dealing.name,
        "bets": setup.bets,
        "limits": setup.limit_of,
        "differential": setup.differential,
        "notices": tuple(ShownNotice(str(notice.said), notice.rules) for notice in notices(state)),
        "phase": state.phase,
        "round": state.rounds,
        "seats": state.seats,
        "stakes": tuple(current.stakes.values()) if current else (),
        "late": tuple(current.late.values()) if current else (),
        "gone": current.gone if current else (),
        "purchases": current.purchases if current else (),
        "deciding": _deciding(state, current) if current else None,
        "held_up": _held_up(state, current, current.pending) if current and current.pending else None,
        "reported": tuple(_waits(state, report) for report in current.reported) if current else (),
        "amendment": current.proposal if current else None,
        "settlement": current.settlement if current else None,
        "roads": roads(state.results) if board is None else board,
        "shoe": shoe.number if shoe else None,
        "cards_left": shoe.left if shoe else None,
        "cut_card_out": shoe.cut_out if shoe else False,
        "waiting": _waiting(shoe) if shoe else (),
        "device": state.device,
    }


def for_one(state: State, viewer: str) -> dict[str, Any]:
    """The fields of a view that depend on who looks."""
    current = state.round
    shown = state.players if viewer in state.staff else [viewer] if viewer in state.players else []
    seen = _cards(state, current, viewer) if current else ()
    return {
        "cards": seen,
        "points": {side: _points(seen, side) for side in Side} if seen else NO_POINTS,
        "offers": _offers(state, current, viewer) if current else (),
        "racks": {player: state.rack(player) for player in shown},
        "owed": {player: state.debt(player) for player in shown if state.debt(player)},
    }


def notices(state: State) -> tuple[Displayed, ...]:
    """What the rules want displayed at this table."""
    wanted = [notice for notice in state.rulebook.notices if not notice.only_private]
    told = [Displayed(say("notice", text=notice.shows), notice.rules) for notice in wanted]
    insurance = state.rulebook.insurance
    if insurance is not None and not state.setup.insurance:
        told.append(Displayed(say("notice-no-insurance-at-table"), insurance.private.rules))
    told += _left_out(state.rulebook)
    if state.next_setup is not None:
        told.append(Displayed(_coming(state.setup, state.next_setup)))
    return tuple(told)


def _left_out(rulebook: Rulebook) -> Iterator[Displayed]:
    """What a game has not, where its book leaves out what others have."""
    if rulebook.assumed and rulebook.insurance is None:
        yield Displayed(say("notice-no-insurance-in-game"))
    if "procedures" in rulebook.assumed:
        decides = next(rank.title for rank in rulebook.ranks if rank.name == rulebook.authority.decides.value)
        yield Displayed(say("notice-no-irregularities", rank=decides))


def _coming(present: Setup, following: Setup) -> Saying:
    if (present.rulebook, present.digest) == (following.rulebook, following.digest):
        return say("notice-setup-changes")
    title, digest = following.book.document.title, following.digest[:SHORT_DIGEST]
    return say("notice-rulebook-changes", title=title, digest=digest)


def _title(state: State, case: str) -> str:
    return next(procedure.title for procedure in state.rulebook.procedures if procedure.case == case)


def _waits(state: State, pending: Pending) -> Waits:
    title = _title(state, pending.case)
    return Waits(case=pending.case, title=title, decides=pending.decides, rules=pending.rules)


def _held_up(state: State, current: Round, pending: Pending) -> HeldUp:
    return HeldUp(
        case=pending.case,
        title=_title(state, pending.case),
        facts=pending.facts,
        decided_by=pending.decided_by,
        decides=pending.decides if pending.inputs is None else None,
        remedies=pending.remedies,
        choices=choices(state, current),
        rules=pending.rules,
    )


def _waiting(shoe: Shoe) -> tuple[Card, ...]:
    """Cards left over that everybody has seen."""
    return tuple(card.name for card in shoe.waiting if card.face_up and card.name is not None)


def _cards(state: State, current: Round, viewer: str) -> tuple[SeenCard, ...]:
    seen = []
    for place, card in enumerate(current.drawn, start=1):
        hand = current.hand_of_drawn(state.rulebook.table_of_play, place)
        visible = card.face_up or (card.holder != "" and card.holder == viewer)
        seen.append(
            SeenCard(
                place=place,
                hand=hand,
                card=card.name if visible else None,
                exposed=card.face_up,
                held_by=card.holder or None,
                seen_by=card.seen_by,
            )
        )
    return tuple(seen)


def _deciding(state: State, current: Round) -> Deciding | None:
    """What the card that is due has to be, once all before it are seen."""
    if current.phase != "dealing" or not current.all_seen:
        return None
    return deciding(state.rulebook.table_of_play, current.seen)


def _points(seen: tuple[SeenCard, ...], side: Side) -> int | None:
    """A hand's points once all its cards are in view."""
    cards = [seen_card.card for seen_card in seen if seen_card.hand is side]
    known = tuple(card for card in cards if card is not None)
    return points(known) if cards and len(known) == len(cards) else None


def _offers(state: State, current: Round, viewer: str) -> tuple[SeenOffer, ...]:
    windows = open_windows(state, current)
    return tuple(seen_offer for window in windows for seen_offer in _window(state, current, window, viewer))


def _window(state: State, current: Round, window: Window, viewer: str) -> tuple[SeenOffer, ...]:
    may_buy, late = viewer in asked(state, current, window), bool(window.late_for)
    return tuple(
        SeenOffer(
            hand=offer.hand,
            window=window.number,
            odds=offer.odds,
            caps={
                stake.box: cap_for(state, current, offer, viewer, stake.box, late=late).cents
                for stake in current.stakes.values()
                if may_buy and stake.player == viewer and stake.bet == offer.hand
            },
            rules=offer.rules,
            late=late,
        )
        for offer in window.offers
    )
