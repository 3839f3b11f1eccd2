"""What somebody may do now. Whatever is listed is accepted; whatever is not is refused."""

from collections.abc import Collection, Iterator
from itertools import combinations
from typing import Any

import msgspec

from thirdcard.cards import Card
from thirdcard.money import LARGEST_STAKE, floor_to_unit
from thirdcard.play.tableau import LONGEST
from thirdcard.rulebook.model import Side
from thirdcard.table import commands, limits
from thirdcard.table.commands import AnyCommand
from thirdcard.table.decide import decide
from thirdcard.table.decide.checks import has_rank
from thirdcard.table.decide.dealing import due_hand
from thirdcard.table.decide.insuring import cap_for
from thirdcard.table.decide.people import held_back
from thirdcard.table.decide.squeezing import handlers
from thirdcard.table.refusals import Refusal
from thirdcard.table.state import Inputs, Round, Stake, State, stake_key


class Option(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A command that would be accepted, and what may be varied in it.

    `most` and `step`: its `cents` may be any amount from what the command says up to `most` in such steps.
    `cards`: its `card` may be any of these. `free`: these fields are for the person to fill in.
    """

    command: AnyCommand
    most: int | None = None
    step: int | None = None
    cards: tuple[Card, ...] = ()
    free: tuple[str, ...] = ()


def legal(state: State, actor: str, chips_of: Collection[str] | None = None) -> tuple[Option, ...]:
    """Everything the actor may do, in the order in which a page would offer it.

    What staff may do with chips is listed for the players of `chips_of`, for everybody if that is left out.
    """
    return tuple(
        option
        for option in _candidates(state, actor, state.players if chips_of is None else chips_of)
        if not isinstance(decide(state, option.command), Refusal)
    )


def _candidates(state: State, actor: str, chips_of: Collection[str]) -> Iterator[Option]:
    if actor in state.players:
        yield from _player(state, actor)
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


def _player(state: State, player: str) -> Iterator[Option]:
    unit = state.setup.chip_unit
    yield from _amount(
        state, lambda c: commands.BuyIn(by=player, cents=c), unit, LARGEST_STAKE - state.rack(player)
    )
    free = state.rack(player) - held_back(state, player)
    yield from _amount(state, lambda c: commands.CashOut(by=player, cents=c), 1, free, 1)
    for box in range(1, state.setup.positions + 1):
        yield from _plain(commands.Sit(by=player, box=box))
    yield from _plain(
        commands.Leave(by=player), commands.GiveUpDevice(by=player), commands.Decline(by=player)
    )
    yield from _plain(*(commands.RefuseCards(by=player, hand=hand) for hand in Side))
    if state.round is not None:
        yield from _bets(state, state.round, player, player)


def _bets(state: State, current: Round, actor: str, player: str) -> Iterator[Option]:
    """What may be placed, taken back and insured for a player, by the player or by staff."""
    named = "" if actor == player else player
    for box in range(1, state.setup.positions + 1):
        for bet in state.setup.bets:
            yield from _place(state, current, actor, player, box, bet)
            stake = current.stakes.get(stake_key(player, box, bet))
            if stake is not None:
                yield from _take_back(state, actor, named, stake)
        for offer in current.window.offers if current.window else ():
            most = min(cap_for(state, current, offer, player, box).cents, state.rack(player))
            yield from _amount(
                state,
                lambda c, b=box, h=offer.hand: commands.Insure(
                    by=actor, player=named, box=b, hand=h, cents=c
                ),
                state.setup.chip_unit,
                most,
            )


def _place(  # noqa: PLR0913, PLR0917 - who, for whom and where
    state: State, current: Round, actor: str, player: str, box: int, bet: str
) -> Iterator[Option]:
    unit, limit = state.setup.chip_unit, state.setup.limit(bet)
    old = current.stakes.get(stake_key(player, box, bet))
    before = old.cents if old else 0
    seated = state.seats.get(box) == player
    wish = Stake(player=player, box=box, bet=bet, cents=0, order=0, seated=seated)
    room = limits.room(state.setup, current.stakes, wish)
    most = min(most for most in (limit.max, room, LARGEST_STAKE) if most is not None)
    named = "" if actor == player else player
    yield from _amount(
        state,
        lambda c: commands.Place(by=actor, player=named, box=box, bet=bet, cents=c),
        max(unit, -floor_to_unit(before - limit.min, unit)),
        min(most - before, state.rack(player)),
    )


def _take_back(state: State, actor: str, named: str, stake: Stake) -> Iterator[Option]:
    def make(cents: int | None) -> AnyCommand:
        return commands.TakeBack(by=actor, player=named, box=stake.box, bet=stake.bet, cents=cents)

    yield from _amount(state, make, state.setup.chip_unit, stake.cents - state.setup.limit(stake.bet).min)
    yield Option(command=make(stake.cents))
    yield Option(command=make(None))


def _staff(state: State, actor: str, chips_of: Collection[str]) -> Iterator[Option]:
    yield from _plain(
        commands.NewShoe(by=actor),
        commands.Open(by=actor),
        commands.Close(by=actor),
        commands.CutCard(by=actor),
        commands.AllowWithdrawal(by=actor),
        commands.Settle(by=actor),
        *(commands.RevealFirst(by=actor, hand=hand) for hand in Side),
        *(commands.RejectExcess(by=actor, box=box) for box in range(1, state.setup.positions + 1)),
        *(commands.GiveDevice(by=actor, player=player) for player in state.players),
        *(commands.BankerThirdFirst(by=actor, player=player) for player in state.players),
    )
    yield Option(command=commands.Void(by=actor, reason="…"), free=("reason",))
    if state.round is not None and state.round.phase == "settled":
        yield Option(
            command=commands.Correct(by=actor, cards=state.round.cards, reason="…"), free=("cards", "reason")
        )
    if has_rank(state, actor, "pit-manager"):
        yield Option(command=commands.ChangeSetup(by=actor, changes=commands.Changes()), free=("changes",))
        own = state.staff[actor]
        yield Option(command=commands.Assign(by=actor, person=actor, rank=own), free=("person", "rank"))
    if state.round is not None:
        for player in chips_of:
            yield from _bets(state, state.round, actor, player)
            yield from _chips(state, state.round, actor, player)


def _chips(state: State, current: Round, actor: str, player: str) -> Iterator[Option]:
    """Chips as they lie, and wagers that come off."""
    unit = state.setup.chip_unit
    for box in range(1, state.setup.positions + 1):
        for bet in state.setup.bets:
            old = current.stakes.get(stake_key(player, box, bet))
            before = old.cents if old else 0

            def record(cents: int, box: int = box, bet: str = bet) -> AnyCommand:
                return commands.RecordChips(by=actor, player=player, box=box, bet=bet, cents=cents)

            yield from _amount(state, record, 0, before - unit)
            yield from _amount(state, record, before + unit, min(before + state.rack(player), LARGEST_STAKE))
            if old is not None:
                yield from _removals(state, actor, old)


def _removals(state: State, actor: str, stake: Stake) -> Iterator[Option]:
    def make(cents: int) -> AnyCommand:
        return commands.Remove(by=actor, player=stake.player, box=stake.box, bet=stake.bet, cents=cents)

    unit, least = state.setup.chip_unit, state.setup.limit(stake.bet).min
    yield from _amount(state, make, unit, stake.cents - least)
    yield Option(command=make(stake.cents))


def _cards(state: State, current: Round, actor: str) -> Iterator[Option]:
    shoe = state.shoe
    if shoe is not None and current.phase == "dealing" and due_hand(state, current) is not None:
        decks = shoe.size // 52
        left = shoe.waiting[:1] or tuple(card for card in Card if shoe.drawn.get(card.value, 0) < decks)
        if left:
            yield Option(command=commands.Draw(by=actor, card=left[0]), cards=left)
    face_down = [place for place in range(1, len(current.cards) + 1) if place not in current.exposed]
    for places in _subsets(face_down):
        yield from _plain(commands.Expose(by=actor, cards=places))
        for player in {person for place in places for person in handlers(state, current, place)}:
            yield from _plain(commands.HandOver(by=actor, cards=places, player=player))
    to_come = range(len(current.cards) + 1, LONGEST + 1)
    for places in _subsets(list(to_come)) if actor in state.players else ():
        yield from _plain(commands.RequestSqueeze(by=actor, cards=places))
    if actor in state.staff and state.setup.dealing.face_down:
        for player in state.players:
            for places in _subsets(list(range(1, LONGEST + 1))):
                yield from _plain(commands.PermitSqueeze(by=actor, cards=places, player=player))


def _irregular(state: State, current: Round, actor: str) -> Iterator[Option]:
    """Reports by staff, a ruling that is awaited, choices that are outstanding."""
    details = ("drawn", "shown", "players", "box", "order_known", "values_known", "round")
    pending = current.pending
    if pending is None:
        for procedure in state.rules.procedures if actor in state.staff else ():
            command = commands.Report(by=actor, case=procedure.case, order_known=True, values_known=True)
            yield Option(command=command, free=details)
        return
    drawn, decks = (state.shoe.drawn, state.shoe.size // 52) if state.shoe else ({}, 0)
    spare = tuple(card for card in Card for _ in range(decks - drawn.get(card.value, 0)))
    hidden = [place for place in range(1, len(current.cards) + 1) if place not in current.exposed]
    missing = [place for place in hidden if current.handed.get(place) in pending.players] or hidden[:1]
    inputs = Inputs(
        order=pending.drawn,
        action="continue",
        reason="…",
        substitutes={str(place): current.cards[place - 1] for place in missing},
        set_aside=spare[:2],
    )
    yield Option(command=commands.Rule(by=actor, inputs=inputs), free=("inputs",))
    for player, choice in pending.choices.items():
        named = "" if player == actor else player
        if not choice and (player == actor or actor in state.staff):
            yield Option(command=commands.Choose(by=actor, player=named, choice="continue"))
            free = ("wagers",) if pending.singly else ()
            yield Option(command=commands.Choose(by=actor, player=named, choice="return"), free=free)


def _subsets(places: list[int]) -> Iterator[tuple[int, ...]]:
    for size in range(1, len(places) + 1):
        yield from combinations(places, size)
