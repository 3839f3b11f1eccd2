"""What is wrong with the chips while bets are open, and what clears it: noticed, so it must be cleared."""

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from thirdcard.rulebook.model import Rules
from thirdcard.table import commands, limits
from thirdcard.table.commands import AnyCommand
from thirdcard.table.decide import decide
from thirdcard.table.ranks import discretion, is_dealer, titles_that_may
from thirdcard.table.refusals import Refusal
from thirdcard.table.state import Round, Stake, State
from thirdcard.words.saying import say


class Flag(msgspec.Struct, frozen=True, kw_only=True):
    """Chips outside a limit: by how many `cents`, in which box (0: over the whole table), of whom.

    `back` is what would go back to whom: player, bet and cents. `remedies` are commands that clear it, each
    with a `key` for what it is called; where there are several the player chooses. `decides` is the rank
    that has to say what is done, where the dealer may not, and `who` all that may, in words.
    """

    kind: Literal["over-differential", "over-maximum", "under-minimum"]
    box: int
    players: tuple[str, ...]
    bet: str
    cents: int
    back: tuple[tuple[str, str, int], ...] = ()
    remedies: tuple[dict[str, Any], ...] = ()
    decides: str = ""
    who: str = ""
    rules: Rules = ()


def flags(state: State) -> tuple[Flag, ...]:
    """In the order in which a dealer clears them: differentials, maxima, minima, each by box."""
    current = state.round
    if current is None or current.phase not in ("betting", "adjusting"):
        return ()
    stakes = sorted(current.stakes.values(), key=lambda stake: (stake.box, stake.order))
    return (*_differentials(state, current), *_over_maximum(state, stakes), *_under_minimum(state, stakes))


def _differentials(state: State, current: Round) -> Iterator[Flag]:
    if state.rulebook.limits.differential.scope == "table":
        yield from _table_differential(state, current)
        return
    for box in range(1, state.setup.positions + 1):
        excess = limits.excess(state.setup, current.stakes.values(), box)
        if excess:
            cuts = limits.cuts(state.setup, current.stakes, box)
            yield Flag(
                kind="over-differential",
                box=box,
                players=tuple(dict.fromkeys(stake.player for stake, _ in cuts)),
                bet=limits.heavier(current.stakes.values(), box),
                cents=excess,
                back=tuple((stake.player, stake.bet, stake.cents - left) for stake, left in cuts),
                remedies=_accepted(state, ("return-excess", commands.RejectExcess(by="", box=box))),
                rules=limits.reject_rules(state.rulebook),
            )


def _table_differential(state: State, current: Round) -> Iterator[Flag]:
    """First those on the heavier hand are asked to decrease; if that is not enough, wagers are removed."""
    excess = limits.excess(state.setup, current.stakes.values())
    if not excess:
        return
    heavier = limits.heavier(current.stakes.values())
    heavy = [stake.player for stake in current.stakes.values() if stake.bet == heavier]
    asked = current.phase == "adjusting"
    removed = limits.removals(state.setup, current.stakes) if asked else []
    removal = discretion(state.rulebook, "removal")
    rank = removal.rank if removal else state.rulebook.authority.manages.value
    differential = state.rulebook.limits.differential
    yield Flag(
        kind="over-differential",
        box=0,
        players=tuple(dict.fromkeys(heavy)),
        bet=heavier,
        cents=excess,
        back=tuple((stake.player, stake.bet, cents) for stake, cents in removed),
        remedies=tuple(_named("remove", _removing(stake, cents)) for stake, cents in removed)
        or _accepted(state, ("ask-to-decrease", commands.Close(by=""))),
        decides=rank if asked else "",
        who=str(say("ranks", ranks=titles_that_may(state.rulebook, rank))) if asked else "",
        rules=differential.after.rules if asked else differential.before.rules,
    )


def _removing(stake: Stake, cents: int) -> AnyCommand:
    return commands.Remove(by="", player=stake.player, box=stake.box, bet=stake.bet, cents=cents)


def _over_maximum(state: State, stakes: list[Stake]) -> Iterator[Flag]:
    for stake in stakes:
        most = state.setup.limit(stake.bet).max
        if most is not None and stake.cents > most:
            excess = stake.cents - most
            yield Flag(
                kind="over-maximum",
                box=stake.box,
                players=(stake.player,),
                bet=stake.bet,
                cents=excess,
                back=((stake.player, stake.bet, excess),),
                remedies=_accepted(state, ("return-excess", _back(stake, excess))),
                rules=state.rulebook.limits.maximum.rules,
            )


def _under_minimum(state: State, stakes: list[Stake]) -> Iterator[Flag]:
    """The player raises or withdraws where the document gives that choice; else the bet goes back."""
    noticed = state.rulebook.limits.below_minimum_noticed
    for stake in stakes:
        short = state.setup.limit(stake.bet).min - stake.cents
        if short > 0:
            raised = commands.Place(by="", player=stake.player, box=stake.box, bet=stake.bet, cents=short)
            choice = (("raise", raised),) if noticed.value == "raise-or-withdraw" else ()
            yield Flag(
                kind="under-minimum",
                box=stake.box,
                players=(stake.player,),
                bet=stake.bet,
                cents=short,
                back=((stake.player, stake.bet, stake.cents),),
                remedies=_accepted(state, *choice, ("withdraw", _back(stake, None))),
                rules=noticed.rules,
            )


def _back(stake: Stake, cents: int | None) -> AnyCommand:
    return commands.TakeBack(by="", player=stake.player, box=stake.box, bet=stake.bet, cents=cents)


def _accepted(state: State, *wanted: tuple[str, AnyCommand]) -> tuple[dict[str, Any], ...]:
    """Those of the commands that a dealer may give now."""
    dealer = next((person for person in state.staff if is_dealer(state, person)), "")
    return tuple(
        _named(key, command)
        for key, command in wanted
        if not isinstance(decide(state, msgspec.structs.replace(command, by=dealer)), Refusal)
    )


def _named(key: str, command: AnyCommand) -> dict[str, Any]:
    made: dict[str, Any] = msgspec.to_builtins(command)
    return {"key": key, **{name: value for name, value in made.items() if name != "by"}}
