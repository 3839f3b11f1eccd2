"""Every movement of money is a posting; the postings of an event sum to zero.

Accounts: `rack:NAME` for a player's chips, `box:N` for stakes lying there, `house`, and `cash` for money that
comes to the table or leaves it.
"""

from collections.abc import Iterable

import msgspec

HOUSE = "house"
CASH = "cash"


class Posting(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """So many cents into an account; negative is out of it."""

    account: str
    cents: int


def rack(player: str) -> str:
    return f"rack:{player}"


def box(number: int) -> str:
    return f"box:{number}"


def move(cents: int, source: str, target: str) -> tuple[Posting, ...]:
    """One movement as two postings."""
    return (Posting(source, -cents), Posting(target, cents))


class Book:
    """Gathers movements into one posting for each account."""

    def __init__(self) -> None:
        self.sums: dict[str, int] = {}

    def move(self, cents: int, source: str, target: str) -> None:
        if cents:
            self.sums[source] = self.sums.get(source, 0) - cents
            self.sums[target] = self.sums.get(target, 0) + cents

    def postings(self) -> tuple[Posting, ...]:
        return tuple(Posting(account, cents) for account, cents in self.sums.items() if cents)


def apply(balances: dict[str, int], postings: Iterable[Posting]) -> dict[str, int]:
    """The balances after these postings; emptied accounts are kept, so that a statement can show them."""
    after = dict(balances)
    for posting in postings:
        after[posting.account] = after.get(posting.account, 0) + posting.cents
    return after


def reversal(postings: Iterable[Posting]) -> tuple[Posting, ...]:
    return tuple(Posting(posting.account, -posting.cents) for posting in postings)
