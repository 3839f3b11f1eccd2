"""Chips that move: a stake brought to another amount, late ones back to where they were at the close."""

from collections.abc import Iterable
from typing import Literal

import msgspec

from thirdcard.rulebook.model import Rules
from thirdcard.table.events import AnyEvent, ChipsPutRight, StakeSet
from thirdcard.table.ledger import Posting, PostingBook, box, rack, within_racks
from thirdcard.table.ranks import case_rules
from thirdcard.table.state import Round, Stake, State

Why = Literal["placed", "taken-back", "recorded", "cut", "removed", "withdrawn", "returned"]


def stake_set(stake: Stake, before: int, *, why: Why, rules: Rules = ()) -> StakeSet:
    """The stake as it is now; `before` is what lay there until now."""
    cents = stake.cents - before
    postings = (Posting(f"rack:{stake.player}", -cents), Posting(f"box:{stake.box}", cents))
    if cents < 0:
        postings = postings[::-1]
    return StakeSet(why=why, stake=stake, before=before, rules=rules, postings=postings)


def brought_to(stake: Stake, cents: int, *, why: Why, rules: Rules) -> StakeSet:
    """A stake brought to another amount."""
    return stake_set(msgspec.structs.replace(stake, cents=cents), stake.cents, why=why, rules=rules)


def late_rules(state: State, *, adding: bool) -> Rules:
    """The paragraph that refuses a bet after the close."""
    return case_rules(state.rulebook, "late-chips" if adding else "taken-chips")


def put_right(
    state: State, current: Round, stakes: Iterable[Stake] | None = None, rules: Rules = ()
) -> tuple[AnyEvent, ...]:
    """Late chips go back unplayed, chips that were taken away are on the layout again."""
    found = tuple(current.late.values() if stakes is None else stakes)
    if not found:
        return ()
    book = PostingBook()
    for late in found:
        book.move(late.cents, box(late.box), rack(late.player))
    cited = [late_rules(state, adding=adding) for adding in dict.fromkeys(late.cents > 0 for late in found)]
    return (
        ChipsPutRight(
            stakes=tuple(late.key for late in found),
            rules=rules or tuple(dict.fromkeys(rule for one in cited for rule in one)),
            postings=within_racks(state, book.postings()),
        ),
    )
