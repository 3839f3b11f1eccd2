"""Where each card of a round is, and what players may ask about squeezing, with the command that grants it.

No card is told that lies face down: only whether it has a name on record.
"""

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

import msgspec

from thirdcard.play.tableau import INITIAL, LONGEST
from thirdcard.rulebook.model import Rules, Side
from thirdcard.service.people.roles import Person, rank_at
from thirdcard.service.queries.parts import Power, power_of
from thirdcard.service.tables.live import Live
from thirdcard.service.tables.plans import barred, with_rank
from thirdcard.table import State, carry_out, commands
from thirdcard.table.commands import AnyCommand
from thirdcard.table.refusals import Refusal
from thirdcard.table.rights.drawing import banker_third_is_first
from thirdcard.table.rights.squeezing import handlers, in_line, permit_of
from thirdcard.table.state import Round

CardRequest: TypeAlias = Literal["player-cards", "banker-cards", "player-third", "banker-third-first"]
# The cards that are asked for together.
PLACES: dict[CardRequest, tuple[int, ...]] = {
    "player-cards": (1, 3),
    "banker-cards": (2, 4),
    "player-third": (INITIAL + 1,),
}


class CardPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A card, drawn or to come. `waiting`: drawn before, and the next. `gone`: its holder has left."""

    place: int
    hand: Side | None
    where: Literal["shoe", "waiting", "dealer", "holder"]
    holder: str = ""
    gone: bool = False
    seen_by: tuple[str, ...] = ()
    named: bool = False
    face_up: bool = False


class SqueezeRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can be asked for, and how it stands.

    `player` is who asked, was allowed or has the cards; else who has the right. `ask` records that the
    player asks, `grant` allows it, `give` hands the cards over; each is left out where it would be refused.
    `ask` and `grant` may be given together; `power` says whether one may grant it, or whom that takes.
    """

    name: CardRequest
    places: tuple[int, ...]
    state: Literal["not-yet", "over", "not-asked", "asked", "allowed", "given", "by-right"]
    player: str
    ask: dict[str, Any] | None
    grant: dict[str, Any] | None
    give: dict[str, Any] | None
    power: Power
    rules: Rules


# Where the cards are ------------------------------------------------------------------------------------


def custody(state: State) -> tuple[CardPlace, ...]:
    """The cards of the round from the first to the last that may still come."""
    current = state.round
    if current is None or current.phase not in ("dealing", "settled"):
        return ()
    return tuple(_places(state, current))


def _places(state: State, current: Round) -> Iterator[CardPlace]:
    table = state.rulebook.table_of_play
    for place, card in enumerate(current.drawn, start=1):
        yield CardPlace(
            place=place,
            hand=current.hand_of_drawn(table, place),
            where="holder" if card.holder else "dealer",
            holder=card.holder,
            gone=card.holder in current.gone,
            seen_by=card.seen_by,
            named=card.name is not None,
            face_up=card.face_up,
        )
    over = len(current.seen) >= INITIAL and state.deal().next is None
    waits = len(state.shoe.waiting) if state.shoe else 0
    drawn = len(current.drawn)
    for place in range(drawn + 1, LONGEST + 1) if not over else ():
        hand = current.hand(table, place)
        yield CardPlace(place=place, hand=hand, where="waiting" if place <= drawn + waits else "shoe")


# Squeezing ----------------------------------------------------------------------------------------------


def requests(live: Live, state: State, person: Person) -> tuple[SqueezeRequest, ...]:
    """What may be asked for at a table where players handle the cards, while they are dealt."""
    current, method = state.round, state.setup.dealing
    if current is None or current.phase != "dealing" or not method.face_down or method.handles == "dealer":
        return ()
    squeezes = _Squeezes(live, state, current, person)
    asked = [squeezes.cards(name) for name in PLACES]
    if state.rulebook.squeeze.banker_third_first is not None:
        asked.append(squeezes.banker_third())
    return tuple(asked)


class _Squeezes:
    """A table, and who would give the commands."""

    def __init__(self, live: Live, state: State, current: Round, person: Person) -> None:
        self.live, self.state, self.current, self.person = live, state, current, person
        self.rank = rank_at(person.role, state.rulebook) or ""
        self.above = with_rank(
            state, person.name, state.rulebook.squeeze.permission
        )  # in the rank that allows it
        self.asks = state.rulebook.squeeze.right == "largest-bet"
        self.first = next(iter(in_line(state, current)), "") if self.asks else ""

    def cards(self, name: CardRequest) -> SqueezeRequest:
        current, places = self.current, PLACES[name]
        undrawn = tuple(place for place in places if place > len(current.drawn))
        held = [current.handed[place] for place in places if place in current.handed]
        permits = [one.player for place in places if (one := permit_of(current, place))]
        asked = [who for who, wanted in current.requests.items() if set(undrawn) <= set(wanted)]
        by_right = [who for place in places for who in handlers(self.state, current, place)]
        player, how = self.first, "not-asked"
        if held:
            player, how = held[0], "given"
        elif permits:
            player, how = permits[0], "allowed"
        elif by_right:
            player, how = by_right[0], "by-right"
        elif not undrawn or not self.asks:
            how = "over"
        elif asked:
            player, how = asked[0], "asked"
        return self._request(name, places, how, player, *self._squeeze(how, player, undrawn, places))

    def _squeeze(
        self, how: str, player: str, undrawn: tuple[int, ...], places: tuple[int, ...]
    ) -> tuple[AnyCommand | None, AnyCommand | None, AnyCommand | None]:
        by, current = self.person.name, self.current
        ask = grant = give = None
        if how in ("not-asked", "asked") and player:
            wanted = [place for place in current.requests.get(player, ()) if place > len(current.drawn)]
            new = tuple(place for place in undrawn if place not in wanted)
            ask = commands.RequestSqueeze(by=by, player=player, cards=new) if how == "not-asked" else None
            grant = commands.PermitSqueeze(by=by, player=player, cards=undrawn)
        lying = tuple(p for p in places if p in current.hidden and p not in current.handed)
        if how in ("allowed", "by-right", "given") and lying:
            give = commands.HandOver(by=by, player=player, cards=lying)
        return ask, grant, give

    def banker_third(self) -> SqueezeRequest:
        """Only where the Banker's third card is due whatever the Player's is, which four cards tell."""
        current, by, first = self.current, self.person.name, self.first
        ask = commands.RequestBankerThirdFirst(by=by, player=first)
        grant = commands.BankerThirdFirst(by=by, player=current.third_request or first)
        places = (INITIAL + 2,)
        if banker_third_is_first(self.state, current):
            return self._request("banker-third-first", places, "allowed", current.third_request)
        if current.third_request:
            return self._request("banker-third-first", places, "asked", current.third_request, None, grant)
        if not isinstance(carry_out(self.state, ask), Refusal):
            return self._request("banker-third-first", places, "not-asked", first, ask, grant)
        how = "not-yet" if len(current.seen) < INITIAL else "over"
        return self._request("banker-third-first", places, how, first)

    def _request(  # noqa: PLR0913, PLR0917 - what, for whom, and three commands
        self,
        name: CardRequest,
        places: tuple[int, ...],
        how: Any,  # noqa: ANN401 - one of the states
        player: str,
        ask: AnyCommand | None = None,
        grant: AnyCommand | None = None,
        give: AnyCommand | None = None,
    ) -> SqueezeRequest:
        squeeze = self.state.rulebook.squeeze
        third = squeeze.banker_third_first if name == "banker-third-first" else None
        return SqueezeRequest(
            name=name,
            places=places,
            state=how,
            player=player,
            ask=self._accepted(self.state, ask),
            grant=self._accepted(self.above, *((ask, grant) if ask else (grant,))),
            give=self._accepted(self.state, give),
            power=power_of(self.state.rulebook, self.rank, squeeze.permission, squeeze.rules),
            rules=third.rules if third else squeeze.rules,
        )

    def _accepted(self, state: State, *asked: AnyCommand | None) -> dict[str, Any] | None:
        """The last of these commands as it is sent, if they are accepted one after the other."""
        accepted = None
        for accepted in asked:
            done = barred(self.live, self.person, accepted) if accepted is not None else None
            if accepted is None or done is not None:
                return None
            steps = carry_out(state, accepted)
            if isinstance(steps, Refusal):
                return None
            state = steps[-1][1]
        plain: dict[str, Any] = msgspec.to_builtins(accepted)
        return {name: value for name, value in plain.items() if name != "by"}
