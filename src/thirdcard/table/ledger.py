"""Every movement of money is a posting; the postings of an event sum to zero.

Accounts: `rack:NAME` for a player's chips, `box:N` for stakes lying there, `house`, `cash` for money that
comes to the table or leaves it, and `owed:NAME`, below zero while that person owes the House. Who has an
account in the house brings chips from `wallet:NAME`, which is filled from `grants`, and takes them back.
A table holds the racks of those who have left it as one sum, `away`, and what came from wallets as another,
`wallets`; in the ledger each stays what it is.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from thirdcard.table.state import State

HOUSE = "house"
CASH = "cash"
AWAY = "away"
GRANTS = "grants"  # where play money comes from
WALLETS = "wallets"
WALLET = "wallet:"
RACK = "rack:"
OWED = "owed:"


class Posting(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """So many cents into an account; negative is out of it."""

    account: str
    cents: int


@lru_cache(maxsize=4096)  # a log names the same few accounts again and again: one text for each is enough
def rack(player: str) -> str:
    return f"rack:{player}"


@lru_cache
def box(number: int) -> str:
    return f"box:{number}"


def owed(player: str) -> str:
    return f"owed:{player}"


def wallet(player: str) -> str:
    return f"wallet:{player}"


def is_outside(account: str) -> bool:
    """Whether what is posted there has come to a table, or leaves it."""
    return account == CASH or account.startswith(WALLET)


def by_wallet(postings: Iterable[Posting], player: str) -> tuple[Posting, ...]:
    """The same movements, with the player's wallet in place of cash."""
    return tuple(
        Posting(wallet(player), posting.cents) if posting.account == CASH else posting for posting in postings
    )


def at_a_table(postings: Iterable[Posting]) -> tuple[Posting, ...]:
    """The same movements as a table holds them: whose wallet it was is for the ledger alone."""
    return tuple(
        Posting(WALLETS, posting.cents) if posting.account.startswith(WALLET) else posting
        for posting in postings
    )


def move(cents: int, source: str, target: str) -> tuple[Posting, ...]:
    """One movement as two postings."""
    return (Posting(source, -cents), Posting(target, cents))


class PostingBook:
    """Gathers movements into one posting for each account."""

    def __init__(self) -> None:
        self.sums: dict[str, int] = {HOUSE: 0}  # which comes first, if it has a part in it

    def move(self, cents: int, source: str, target: str) -> None:
        if cents:
            self.sums[source] = self.sums.get(source, 0) - cents
            self.sums[target] = self.sums.get(target, 0) + cents

    def postings(self) -> tuple[Posting, ...]:
        return tuple([Posting(account, cents) for account, cents in self.sums.items() if cents])


def apply(balances: dict[str, int], postings: Iterable[Posting]) -> dict[str, int]:
    """The balances after these postings; emptied accounts are kept, so that a statement can show them."""
    after = balances.copy()
    for posting in postings:
        account = posting.account
        after[account] = after.get(account, 0) + posting.cents
    return after


def reversal(postings: Iterable[Posting]) -> tuple[Posting, ...]:
    return tuple(Posting(posting.account, -posting.cents) for posting in postings)


def within_racks(
    state: "State", postings: tuple[Posting, ...], winnings: Mapping[str, int] | None = None
) -> tuple[Posting, ...]:
    """The same movements, with what a rack lacks owed to the House (interpretations 37 and 54).

    What a reversal under way left owing is paid off by whatever comes back in it, an older debt by `winnings`
    alone, by person: a bet that is returned is returned.
    """
    balances = state.balances
    short = [
        posting
        for posting in postings
        if posting.cents < 0
        and posting.account.startswith(RACK)
        and balances.get(posting.account, 0) + posting.cents < 0
    ]
    if not short and not [account for account in balances if account.startswith(OWED)]:
        return postings
    lacks = (state.round.lacks if state.round else None) or {}
    book = PostingBook()
    for posting in postings:
        book.sums[posting.account] = book.sums.get(posting.account, 0) + posting.cents
    for account, cents in tuple(book.sums.items()):
        if not account.startswith(RACK):
            continue
        person = account[len(RACK) :]
        debtor = owed(person)
        left, debt = balances.get(account, 0) + cents, -balances.get(debtor, 0)
        if left < 0:
            book.move(-left, debtor, account)
        elif debt > 0 and cents > 0:
            netted = min(lacks.get(debtor, 0), cents)
            won = min((winnings or {}).get(person, 0), cents - netted)
            book.move(netted + min(won, debt - netted), account, debtor)
    return book.postings()
