"""Who may do what: the roles, the rank each has at a table, and one table of permissions."""

from functools import lru_cache
from typing import Literal, TypeAlias, get_args

import msgspec

from thirdcard.rulebook import Rulebook
from thirdcard.table.ranks import outranks

Role: TypeAlias = Literal[
    "guest",
    "player",
    "dealer",
    "pit-supervisor",
    "pit-manager",
    "shift-manager",
    "gaming-shift-manager",
    "assistant-casino-manager",
    "auditor",
    "trainer",
    "administrator",
]
Permission: TypeAlias = Literal[
    "play",
    "deal",
    "staff",
    "create-table",
    "open-table",
    "close-table",
    "change-pace",
    "read-any-rack",
    "read-statements",
    "read-log",
    "read-significant",
    "manage-accounts",
    "add-rulebook",
    "read-documents",
    "protect",
    "radar",
    "evidence",
    "shift",
    "train",
]

ROLES: tuple[Role, ...] = get_args(Role)
PLAYERS: frozenset[Role] = frozenset({"guest", "player"})
SHIFT: frozenset[Role] = frozenset({"shift-manager", "gaming-shift-manager", "assistant-casino-manager"})
MANAGERS: frozenset[Role] = SHIFT | {"pit-manager"}
FLOOR: frozenset[Role] = MANAGERS | {"dealer", "pit-supervisor"}
OVERSIGHT: frozenset[Role] = frozenset({"auditor", "administrator"})
STAFF: frozenset[Role] = FLOOR | OVERSIGHT | {"trainer"}  # everybody who is not here to play

# `staff` is whatever a table's own ranks then decide on; the rest is what no rulebook speaks of.
PERMISSIONS: dict[Permission, frozenset[Role]] = {
    "play": PLAYERS,
    "deal": FLOOR,
    "staff": FLOOR,
    "create-table": MANAGERS,
    "open-table": MANAGERS,
    "close-table": MANAGERS,
    "change-pace": MANAGERS,
    "read-any-rack": FLOOR | OVERSIGHT,
    "read-statements": MANAGERS | OVERSIGHT,
    "read-log": SHIFT | OVERSIGHT,
    "read-significant": SHIFT | OVERSIGHT,
    "manage-accounts": frozenset({"administrator"}),
    "add-rulebook": frozenset({"administrator"}),
    "read-documents": STAFF,
    "protect": MANAGERS | OVERSIGHT | {"pit-supervisor"},
    "radar": SHIFT | {"auditor"},
    "evidence": MANAGERS | OVERSIGHT | {"pit-supervisor"},
    "shift": MANAGERS | {"pit-supervisor", "auditor"},
    "train": frozenset({"trainer"}),
}
# What each role of the floor is there for, in the words of `Authority`.
DUTIES: dict[str, frozenset[str]] = {
    "dealer": frozenset({"deals"}),
    "pit-supervisor": frozenset({"deals", "amends"}),
    "pit-manager": frozenset({"deals", "amends", "manages"}),
    **dict.fromkeys(sorted(SHIFT), frozenset({"deals", "amends", "manages", "decides"})),
}


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks: an account that is signed in."""

    name: str
    role: str
    session: bytes = b""


def allowed(role: str, permission: Permission) -> bool:
    """Whether a role has a permission; a role that is none of ours has none."""
    return role in PERMISSIONS[permission]


def seen_as(person: Person | None) -> str:
    """The name by which somebody sees a table: who neither plays nor works there sees what everybody does."""
    at_tables = person is not None and (allowed(person.role, "play") or allowed(person.role, "staff"))
    return person.name if person is not None and at_tables else ""


@lru_cache(maxsize=1024)
def rank_at(role: str, book: Rulebook) -> str | None:
    """The rank that a role has at a table of that rulebook, if it has any.

    A ladder may have other names: then a role counts as the highest rank that gives no duty which is not its
    own, and at least as the one that deals. A shift manager is gaming shift manager at an MBS table, a gaming
    shift manager or assistant casino manager shift manager at an RWS table. Players, guests, auditors and
    administrators have no rank anywhere.
    """
    ladder = [rank.name for rank in book.ranks]
    if role not in DUTIES or role in ladder:
        return role if role in DUTIES else None
    gives = {rank: _duties(book, rank) for rank in ladder}
    fit = [rank for rank in ladder if gives[rank] <= DUTIES[role]]
    return max(fit, key=lambda rank: len(gives[rank]), default=book.authority.deals.value)


def _duties(book: Rulebook, rank: str) -> frozenset[str]:
    authority = book.authority
    named = {name: getattr(authority, name).value for name in authority.__struct_fields__}
    return frozenset(name for name, needed in named.items() if outranks(book, rank, needed))


def steps_between(before: Rulebook, after: Rulebook) -> dict[str, str]:
    """What the ranks of one ladder become in another that does not have them."""
    ladder = [rank.name for rank in after.ranks]
    steps: dict[str, str] = {}
    for role in DUTIES:
        old, new = rank_at(role, before), rank_at(role, after)
        if old is not None and new is not None and old not in ladder:
            steps.setdefault(old, new)
    return steps
