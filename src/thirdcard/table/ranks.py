"""Who stands where, what takes which rank, and what the document leaves to a person."""

from functools import cache

from thirdcard.rulebook.model import About, Discretion, Rulebook, Rules
from thirdcard.table.state import State


@cache
def _ranks_below(rulebook: Rulebook, rank: str) -> frozenset[str]:
    """The rank itself and every rank it may act for."""
    above = {rung.name: rung.above for rung in rulebook.ranks}
    return frozenset({rank}.union(*(_ranks_below(rulebook, lower) for lower in above[rank])))


def outranks(rulebook: Rulebook, rank: str, needed: str) -> bool:
    """Whoever stands higher may do what a lower one may."""
    return needed in _ranks_below(rulebook, rank)


@cache
def ranks_that_may(rulebook: Rulebook, needed: str) -> tuple[str, ...]:
    """The ranks that may do what takes that one, from the lowest: not everybody higher up is above it."""
    return tuple(rank.name for rank in rulebook.ranks if outranks(rulebook, rank.name, needed))


def titles_that_may(rulebook: Rulebook, needed: str) -> tuple[str, ...]:
    """The titles of those ranks, as the document has them."""
    may = ranks_that_may(rulebook, needed)
    return tuple([rank.title for rank in rulebook.ranks if rank.name in may])


def has_rank(state: State, person: str, needed: str) -> bool:
    rank = state.staff.get(person)
    return rank is not None and (rank == needed or outranks(state.rulebook, rank, needed))


def is_dealer(state: State, person: str) -> bool:
    return has_rank(state, person, state.rulebook.authority.deals.value)


def discretion(rulebook: Rulebook, grants: str) -> Discretion | None:
    """What the document leaves to a person, by what it grants."""
    return next((one for one in rulebook.discretions if one.grants == grants), None)


def case_rules(rulebook: Rulebook, about: About) -> Rules:
    """The paragraphs of the irregularity of that kind, none if the document does not know it."""
    procedure = rulebook.procedure(about)
    return procedure.rules if procedure else ()


def amending_rank(state: State) -> tuple[str, Rules]:
    """Who puts a record right; where payment has ended the round, who decides what no rule covers."""
    final, authority = state.rulebook.betting.final, state.rulebook.authority
    if state.phase == "settled" and final.value == "payment":
        return authority.decides.value, authority.decides.rules
    return authority.amends.value, final.rules
