"""What somebody may do now. Whatever is listed is accepted; `free` fields are for the person to fill in."""

from collections.abc import Collection, Iterator
from typing import Any

import msgspec

from thirdcard.cards import Card
from thirdcard.money import LARGEST_WAGER, floor_to_unit
from thirdcard.play.tableau import INITIAL, LONGEST
from thirdcard.rulebook.model import Side
from thirdcard.table import commands, limits
from thirdcard.table.commands import AnyCommand
from thirdcard.table.decide import decide
from thirdcard.table.playing import cap_for
from thirdcard.table.ranks import has_rank
from thirdcard.table.refusals import Refusal
from thirdcard.table.rights.choosing import to_choose
from thirdcard.table.rights.drawing import due_hand, may_withdraw
from thirdcard.table.rights.insurance import Window, open_windows, silent_people
from thirdcard.table.rights.squeezing import handlers, handling, permit_of
from thirdcard.table.samples import (
    REASON,
    another_setup,
    reports,
    rulings,
    spare_cards,
    spare_name,
    unlike_cards,
)
from thirdcard.table.state import OpenOffer, Round, Shoe, Stake, State, stake_key


class Option(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A command that would be accepted, and what may be varied in it.

    `most` and `step`: its `cents` may be any amount from what the command says up to `most` in such steps.
    `cards`: its `card` may be any of these. `places`: its `cards` may be any of these, its `place` one of
    them. `free`: these fields are for the person to fill in.
    """

    command: AnyCommand
    most: int | None = None
    step: int | None = None
    cards: tuple[Card, ...] = ()
    places: tuple[int, ...] = ()
    free: tuple[str, ...] = ()


def legal(state: State, actor: str, chips_of: Collection[str] | None = None) -> tuple[Option, ...]:
    """Everything the actor may do, in the order in which a page would offer it.

    What staff may do for a player is listed for the players of `chips_of`, for everybody if that is left out.
    An option is a command that would be accepted, with what may stand in its place: boxes, amounts, cards.

    >>> from thirdcard.table import Table, commands
    >>> table = Table("mbs-tiger-v2", staff={"dee": "dealer"})
    >>> sorted({type(option.command).__name__ for option in legal(table.state, "dee")})[:2]
    ['Join', 'NewShoe']
    """
    return tuple(
        option
        for option in _candidates(state, actor, state.players if chips_of is None else chips_of)
        if not isinstance(decide(state, option.command), Refusal)
    )


def _candidates(state: State, actor: str, chips_of: Collection[str]) -> Iterator[Option]:
    if actor in state.players:
        yield from _player(state, actor, actor)
    elif actor in state.staff:
        yield from _staff(state, actor, chips_of)
    else:
        yield Option(command=commands.Join(by=actor))
    if state.round is not None:
        yield from _cards(state, state.round, actor)
        yield from _irregular(state, state.round, actor)


def _plain(*made: AnyCommand) -> Iterator[Option]:
    for command in made:
        yield Option(command=command)


def _amount(state: State, make: Any, low: int, high: int, step: int | None = None) -> Iterator[Option]:  # noqa: ANN401
    """A command over a range of cents, if the range holds any."""
    step = step or state.setup.chip_unit
    high = floor_to_unit(high, step)
    if 0 <= low <= high:
        yield Option(command=make(low), most=high, step=step)


def _player(state: State, actor: str, player: str) -> Iterator[Option]:
    """What a player may do, by the player or, as far as staff may record it, by staff."""
    named, unit = "" if actor == player else player, state.setup.chip_unit
    yield from _amount(
        state,
        lambda c: commands.BuyIn(by=actor, player=named, cents=c),
        unit,
        LARGEST_WAGER - state.rack(player),
    )
    yield from _amount(
        state, lambda c: commands.CashOut(by=actor, player=named, cents=c), 1, state.rack(player), 1
    )
    for box in range(1, state.setup.positions + 1):
        if box not in state.seats:
            yield from _plain(commands.Sit(by=actor, player=named, box=box))
    if not named:
        yield from _plain(
            commands.Leave(by=player),
            commands.GiveUpDevice(by=player),
            commands.RequestNoInsurance(by=player),
        )
    if state.round is not None:
        yield from _plain(
            commands.Decline(by=actor, player=named),
            commands.RequestBankerThirdFirst(by=actor, player=named),
            *(commands.RefuseCards(by=actor, player=named, hand=hand) for hand in Side),
        )
        yield from _request(state, state.round, actor, named)
        yield from _bets(state, state.round, actor, player)


def _request(state: State, current: Round, actor: str, named: str) -> Iterator[Option]:
    asked = current.requests.get(named or actor, ())
    to_come = tuple(place for place in _to_come(current) if place not in asked)
    if state.setup.dealing.face_down and to_come:
        command = commands.RequestSqueeze(by=actor, player=named, cards=to_come)
        yield Option(command=command, places=to_come)


def _to_come(current: Round) -> tuple[int, ...]:
    """Places of cards that may yet be drawn."""
    return tuple(range(len(current.drawn) + 1, LONGEST + 1))


def _bets(state: State, current: Round, actor: str, player: str) -> Iterator[Option]:
    """What may be placed, taken back and insured for a player, by the player or by staff."""
    named = "" if actor == player else player
    open_still = current.phase in ("betting", "adjusting")
    windows = open_windows(state, current)
    for box in range(1, state.setup.positions + 1):
        for bet in state.setup.bets if open_still or may_withdraw(current) else ():
            if open_still:
                yield from _place(state, current, actor, player, box, bet)
            stake = current.stakes.get(stake_key(player, box, bet))
            if stake is not None:
                yield from _take_back(state, actor, named, stake)
        for window in windows:
            for offer in window.offers:
                yield from _insure(state, current, actor, player, box, window, offer)


def _insure(  # noqa: PLR0913, PLR0917 - who, for whom, where and what
    state: State, current: Round, actor: str, player: str, box: int, window: Window, offer: OpenOffer
) -> Iterator[Option]:
    if stake_key(player, box, offer.hand) not in current.stakes:
        return
    late = bool(window.late_for)
    cap = cap_for(state, current, offer, player, box, late=late).cents
    most = min(cap, state.rack(player), limits.space(state, player))
    named, number = "" if actor == player else player, window.number if late else 0

    def make(cents: int) -> AnyCommand:
        return commands.Insure(by=actor, player=named, box=box, hand=offer.hand, cents=cents, window=number)

    yield from _amount(state, make, state.setup.chip_unit, most)


def _place(  # noqa: PLR0913, PLR0917 - who, for whom and where
    state: State, current: Round, actor: str, player: str, box: int, bet: str
) -> Iterator[Option]:
    unit, limit = state.setup.chip_unit, state.setup.limit(bet)
    old = current.stakes.get(stake_key(player, box, bet))
    before = old.cents if old else 0
    seated = state.seats.get(box) == player
    wish = Stake(player=player, box=box, bet=bet, cents=0, order=0, seated=seated)
    room = limits.room(state.setup, current.stakes, wish)
    most = min(most for most in (limit.max, room, LARGEST_WAGER) if most is not None)
    named = "" if actor == player else player
    yield from _amount(
        state,
        lambda c: commands.Place(by=actor, player=named, box=box, bet=bet, cents=c),
        max(unit, -floor_to_unit(before - limit.min, unit)),
        min(most - before, state.rack(player), limits.space(state, player)),
    )


def _take_back(state: State, actor: str, named: str, stake: Stake) -> Iterator[Option]:
    def make(cents: int | None) -> AnyCommand:
        return commands.TakeBack(by=actor, player=named, box=stake.box, bet=stake.bet, cents=cents)

    yield from _amount(state, make, state.setup.chip_unit, stake.cents - state.setup.limit(stake.bet).min)
    yield Option(command=make(stake.cents))
    yield Option(command=make(None))


def _staff(state: State, actor: str, chips_of: Collection[str]) -> Iterator[Option]:
    yield Option(command=commands.Join(by=actor, player=spare_name(state)), free=("player",))
    yield from _plain(
        commands.NewShoe(by=actor),
        commands.Open(by=actor),
        commands.Close(by=actor),
        commands.CutCard(by=actor),
        commands.AllowWithdrawal(by=actor),
        commands.CloseInsurance(by=actor, silent=silent_people(state, state.round) if state.round else ()),
        commands.Settle(by=actor),
        *(commands.RevealFirst(by=actor, hand=hand) for hand in Side),
        *(commands.RejectExcess(by=actor, box=box) for box in range(1, state.setup.positions + 1)),
        commands.TakeDevice(by=actor),
        commands.GiveUpDevice(by=actor, player=state.device or ""),
        commands.ConfirmAmendment(by=actor),
        *(commands.GiveDevice(by=actor, player=player) for player in state.players),
        *(commands.BankerThirdFirst(by=actor, player=player) for player in state.players),
        *(commands.Leave(by=actor, player=player) for player in _present(state)),
    )
    yield Option(command=commands.Void(by=actor, reason=REASON), free=("reason",))
    yield Option(command=commands.DropAmendment(by=actor, reason=REASON), free=("reason",))
    if state.round is not None and state.round.drawn:
        yield from _amendments(state, state.round, actor)
    if has_rank(state, actor, state.rulebook.authority.manages.value):
        setup = state.next_setup or state.setup
        other = another_setup(state)
        yield Option(command=commands.ChangeSetup(by=actor, changes=other), free=("changes",))
        book = commands.ChangeRulebook(
            by=actor, rulebook=setup.rulebook, digest=setup.digest, changes=other, layout=setup.layout
        )
        yield Option(command=book, free=("rulebook", "digest", "layout", "ranks", "changes"))
        newcomer = commands.Assign(by=actor, person=spare_name(state), rank=state.staff[actor])
        yield Option(command=newcomer, free=("person", "rank"))
    for player in chips_of:
        yield from _player(state, actor, player)
        if state.round is not None:
            yield from _chips(state, state.round, actor, player)


def _present(state: State) -> Iterator[str]:
    """Everybody with a seat, a bet, cards or the device."""
    current, found = state.round, dict.fromkeys(state.seats.values())
    if state.device is not None:
        found[state.device] = None
    if current is not None:
        people = (*(stake.player for stake in current.stakes.values()), *handling(current), *current.requests)
        found |= dict.fromkeys(people)
    yield from found


def _amendments(state: State, current: Round, actor: str) -> Iterator[Option]:
    """The last card that lies face up was another; which, is for the person to say."""
    cards = [card.name if card.face_up else None for card in current.drawn]
    last = max(current.exposed, default=0)
    for card in unlike_cards(state) if last else ():
        if card is not cards[last - 1]:
            right = (*cards[: last - 1], card, *cards[last:])
            command = commands.Amend(by=actor, cards=right, reason=REASON)
            if not isinstance(decide(state, command), Refusal):
                yield Option(command=command, free=("cards", "reason"))
                return
            settled = commands.Correct(by=actor, cards=right, reason=REASON)  # type: ignore[arg-type]
            if not isinstance(decide(state, settled), Refusal):
                yield Option(command=settled, free=("cards", "reason"))
                return


def _chips(state: State, current: Round, actor: str, player: str) -> Iterator[Option]:
    """Chips as they lie while bets are open, and wagers that come off; later, a record put right."""
    if current.phase in ("dealing", "settled"):
        yield from _chips_after_close(state, current, actor, player)
        return
    unit = state.setup.chip_unit
    for box in range(1, state.setup.positions + 1):
        for bet in state.setup.bets:
            old = current.stakes.get(stake_key(player, box, bet))
            before = old.cents if old else 0

            def record(cents: int, box: int = box, bet: str = bet) -> AnyCommand:
                return commands.RecordChips(by=actor, player=player, box=box, bet=bet, cents=cents)

            yield from _amount(state, record, 0, before - unit)
            yield from _amount(state, record, before + unit, min(before + state.rack(player), LARGEST_WAGER))
            if old is not None:
                yield from _removals(state, actor, old)


def _chips_after_close(state: State, current: Round, actor: str, player: str) -> Iterator[Option]:
    """One of each for a person: where, and how much, is to be filled in."""
    unit, bets, boxes = state.setup.chip_unit, state.setup.bets, range(1, state.setup.positions + 1)
    mine = [(stake.box, stake.bet) for stake in current.stakes.values() if stake.player == player]
    empty = [(b, bet) for b in boxes for bet in bets if stake_key(player, b, bet) not in current.closed]
    for box, bet in (*mine[:1], *empty[:1]):
        old = current.closed.get(stake_key(player, box, bet))
        right = commands.RecordChips(
            by=actor, player=player, box=box, bet=bet, cents=(old.cents if old else 0) + unit, reason=REASON
        )
        if not isinstance(decide(state, right), Refusal):
            yield Option(command=right, free=("box", "bet", "cents", "reason"))
            break
    box, bet = mine[0] if mine else (1, bets[0])
    taken = -current.stakes[stake_key(player, box, bet)].cents if mine else 0
    for cents in (unit, taken):
        late = commands.LateChips(by=actor, player=player, box=box, bet=bet, cents=cents)
        if not isinstance(decide(state, late), Refusal):
            yield Option(command=late, free=("box", "bet", "cents"))
            break


def _removals(state: State, actor: str, stake: Stake) -> Iterator[Option]:
    def make(cents: int) -> AnyCommand:
        return commands.Remove(by=actor, player=stake.player, box=stake.box, bet=stake.bet, cents=cents)

    unit, least = state.setup.chip_unit, state.setup.limit(stake.bet).min
    assert state.round is not None  # wagers lie there
    most = limits.most_removed(state.setup, state.round.stakes, stake)
    yield from _amount(state, make, unit, min(stake.cents - least, most))
    yield Option(command=make(stake.cents))


def _cards(state: State, current: Round, actor: str) -> Iterator[Option]:
    """Cards that may be drawn, turned, handed over, taken back or asked for."""
    shoe = state.shoe
    if shoe is not None and current.phase == "dealing" and due_hand(state, current) is not None:
        yield from _draw(state, current, shoe, actor)
    groups = _hidden(state, current)
    for places in groups:
        yield from _turn(state, current, actor, places)
        for player in sorted({person for place in places for person in handlers(state, current, place)}):
            mine = tuple(
                p for p in places if handlers(state, current, p) == [player] and p not in current.handed
            )
            if mine:
                yield Option(command=commands.HandOver(by=actor, cards=mine, player=player), places=mine)
    held = tuple(current.handed)
    if held:
        yield Option(
            command=commands.TakeCards(by=actor, cards=held, reason=REASON), places=held, free=("reason",)
        )
    if state.setup.dealing.face_down and actor in state.staff:
        yield from _permits(state, current, actor, _to_come(current))


def _draw(state: State, current: Round, shoe: Shoe, actor: str) -> Iterator[Option]:
    places = () if open_windows(state, current) else (len(current.drawn) + 1,)
    drew = (state.device or "") if actor in state.staff else ""
    if state.setup.unseen or (shoe.waiting and shoe.waiting[0].name is not None):
        yield Option(command=commands.Draw(by=actor, player=drew), places=places)
        return
    left = unlike_cards(state)
    if left:
        yield Option(command=commands.Draw(by=actor, card=left[0], player=drew), cards=left, places=places)


def _hidden(state: State, current: Round) -> list[tuple[int, ...]]:
    """Face-down cards that may be turned together: the two of a hand, a third card, all that are left."""
    hidden = current.hidden
    table = state.rulebook.table_of_play
    hands = [tuple(p for p in hidden if p <= INITIAL and current.hand(table, p) is side) for side in Side]
    single = [(place,) for place in hidden]
    return [group for group in dict.fromkeys((hidden, *hands, *single)) if group]


def _turn(state: State, current: Round, actor: str, places: tuple[int, ...]) -> Iterator[Option]:
    if all(current.drawn[place - 1].name is not None for place in places):
        yield Option(command=commands.Expose(by=actor, cards=places))
    elif actor in state.staff:
        names = spare_cards(state)[: len(places)]
        for player in ("", *sorted({current.handed[p] for p in places if p in current.handed})):
            command = commands.Expose(by=actor, cards=places, names=names, player=player)
            yield Option(command=command, free=("names",))


def _permits(state: State, current: Round, actor: str, to_come: tuple[int, ...]) -> Iterator[Option]:
    def to_permit(player: str, places: Collection[int]) -> tuple[int, ...]:
        permits = {place: permit_of(current, place) for place in places}
        return tuple(place for place, permit in permits.items() if permit is None or permit.player != player)

    if state.rulebook.squeeze.right == "largest-bet":
        for player, asked in current.requests.items():
            if places := to_permit(player, [place for place in asked if place in to_come]):
                command = commands.PermitSqueeze(by=actor, cards=places, player=player)
                yield Option(command=command, places=places)
        return
    places = tuple(p for p in range(1, LONGEST + 1) if p not in current.exposed and p not in current.handed)
    unnamed = tuple(p for p in places if p <= len(current.drawn) and not handlers(state, current, p))
    for player in state.players:
        for some in dict.fromkeys((to_permit(player, places), to_permit(player, unnamed))):
            if some:
                command = commands.PermitSqueeze(by=actor, cards=some, player=player)
                yield Option(command=command, places=some)


DETAILS = (
    "drawn",
    "cards",
    "shown",
    "names",
    "players",
    "box",
    "order_known",
    "values_known",
    "round",
    "window",
    "displayed",
    "note",
)


def _irregular(state: State, current: Round, actor: str) -> Iterator[Option]:
    """Reports by staff, a ruling that is awaited, choices that are outstanding."""
    pending = current.pending
    for procedure in state.rulebook.procedures if actor in state.staff else ():
        for command in reports(state, current, actor, procedure):
            if not isinstance(decide(state, command), Refusal):
                yield Option(command=command, free=DETAILS)
                break
    if pending is None:
        return
    for waiting in (pending, *current.reported) if actor in state.staff else ():
        yield Option(command=commands.Dismiss(by=actor, case=waiting.case, reason=REASON), free=("reason",))
    if pending.inputs is None and actor in state.staff:
        procedure = next(
            procedure for procedure in state.rulebook.procedures if procedure.case == pending.case
        )
        for inputs in rulings(state, current, pending, procedure):
            yield Option(command=commands.Rule(by=actor, inputs=inputs), free=("inputs",))
    for player in to_choose(state, current):
        named = "" if player == actor else player
        if player == actor or actor in state.staff:
            yield Option(command=commands.Choose(by=actor, player=named, choice="continue"))
            free = ("wagers",) if pending.singly else ()
            yield Option(command=commands.Choose(by=actor, player=named, choice="return"), free=free)
