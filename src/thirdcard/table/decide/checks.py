"""The checks that decisions share, in the order they are made: person, rank, phase, then the rest."""

from collections.abc import Mapping

from thirdcard.cards import Card, surplus
from thirdcard.money import LARGEST_WAGER
from thirdcard.rulebook.model import Procedure, Rules
from thirdcard.table import limits
from thirdcard.table.ledger import rack
from thirdcard.table.ranks import has_rank, titles_that_may
from thirdcard.table.refusals import Code, Refused
from thirdcard.table.setup import Limit
from thirdcard.table.state import Round, Shoe, Stake, State, stake_key
from thirdcard.words.saying import Saying, say


def refuse(code: Code, said: Saying, rules: Rules = ()) -> Refused:
    return Refused(code, said, rules)


def need_person(state: State, person: str) -> None:
    if person not in state.staff and person not in state.players:
        raise refuse("unknown-person", say("unknown-person", who=person))


def need_rank(state: State, person: str, needed: str, rules: Rules = ()) -> None:
    need_person(state, person)
    if not has_rank(state, person, needed):
        raise refuse(
            "wrong-rank", say("wrong-rank", who=person, ranks=titles_that_may(state.rulebook, needed)), rules
        )


def need_dealer(state: State, person: str, rules: Rules = ()) -> None:
    """The rank that deals, or one above it."""
    deals = state.rulebook.authority.deals
    if not has_rank(state, person, deals.value):
        need_rank(state, person, deals.value, rules or deals.rules)


def need_reason(reason: str, rules: Rules = ()) -> None:
    if not reason.strip():
        raise refuse("fact-missing", say("reason-needed"), rules)


def need_phase(state: State, *phases: str, rules: Rules = ()) -> Round:
    current = state.round
    if current is None or current.phase not in phases:
        raise refuse("wrong-phase", say("not-now", phase=say(f"phase-{state.phase}")), rules)
    return current


def need_player(state: State, player: str) -> None:
    if player not in state.players:
        raise refuse("unknown-player", say("unknown-player", who=player))


def acting_for(state: State, by: str, player: str) -> tuple[str, str]:
    """The player a command is for, and the staff member who gives it in their place, if one does."""
    if by in state.players and (not player or player == by):
        return by, ""
    need_person(state, by)
    if not player or player == by:
        if by in state.staff and by not in state.players:
            raise refuse("wrong-rank", say("staff-name-player", who=by))
        return by, ""
    staff = state.rulebook.betting.by_staff
    need_rank(state, by, staff.value[0], staff.rules)
    return player, by


def need_box(state: State, box: int) -> None:
    if not 1 <= box <= state.setup.positions:
        raise refuse("unknown-box", say("no-such-box", box=box, positions=state.setup.positions))


def need_bet(state: State, bet: str) -> Limit:
    """The limits of a bet that the layout offers."""
    limit = state.setup.limit_of.get(bet)
    if limit is None:
        layout = state.rulebook.layouts[state.setup.layout]
        raise refuse(
            "not-on-layout", say("layout-has-no-bet", layout=state.setup.layout, bet=bet), layout.rules
        )
    return limit


def need_chips(state: State, cents: int) -> None:
    unit = state.setup.chip_unit
    if cents <= 0 or cents % unit:
        raise refuse(
            "not-a-multiple",
            say("not-a-multiple-of-chip", cents=cents, unit=unit),
        )
    if cents > LARGEST_WAGER:
        raise refuse("above-maximum", say("largest-move", largest_wager=LARGEST_WAGER))


def need_space(state: State, player: str, cents: int) -> None:
    """The layout takes so much more, and all that may follow from it can be written down."""
    if cents > limits.space(state, player):
        raise refuse(
            "above-maximum",
            say("largest-layout", largest_total=limits.LARGEST_TOTAL, largest_balance=limits.LARGEST_BALANCE),
        )


def need_rack(state: State, player: str, cents: int) -> None:
    if state.balances.get(rack(player), 0) < cents:
        raise refuse(
            "rack-too-small",
            say("rack-too-small", who=player, has=state.rack(player), cents=cents),
        )


def stake_of(current: Round, player: str, box: int, bet: str) -> Stake:
    """The stake there is; a refusal if there is none."""
    stake = current.stakes.get(stake_key(player, box, bet))
    if stake is None:
        raise refuse("no-such-stake", say("nothing-on-bet", who=player, bet=bet, box=box))
    return stake


def need_in_shoe(shoe: Shoe, card: Card, counts: Mapping[str, int]) -> None:
    """A card that shows must be one that the shoe can still have held, by those that everybody has seen."""
    if surplus((card,), shoe.decks, counts) is not None:
        raise refuse("card-not-in-shoe", say("all-of-card-drawn", decks=shoe.decks, card=str(card)))


def find_procedure(state: State, case: str) -> Procedure:
    for procedure in state.rulebook.procedures:
        if procedure.case == case:
            return procedure
    cases = tuple([procedure.case for procedure in state.rulebook.procedures])
    raise refuse("unknown-case", say("no-case", case=case, cases=cases))
