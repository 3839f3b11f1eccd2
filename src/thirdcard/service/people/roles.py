"""Who may do what: the roles, the rank each has at a table, and one table of permissions."""

from typing import Literal, TypeAlias, get_args

import msgspec

from thirdcard.rulebook import load

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
]

ROLES: tuple[Role, ...] = get_args(Role)
PLAYERS: frozenset[Role] = frozenset({"guest", "player"})
SHIFT: frozenset[Role] = frozenset({"shift-manager", "gaming-shift-manager", "assistant-casino-manager"})
MANAGERS: frozenset[Role] = SHIFT | {"pit-manager"}
FLOOR: frozenset[Role] = MANAGERS | {"dealer", "pit-supervisor"}
OVERSIGHT: frozenset[Role] = frozenset({"auditor", "administrator"})
STAFF: frozenset[Role] = FLOOR | OVERSIGHT  # everybody who is not here to play

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
}


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks: an account that is signed in."""

    name: str
    role: str
    session: bytes = b""


def allowed(role: str, permission: Permission) -> bool:
    """Whether a role has a permission; a role that is none of ours has none."""
    return role in PERMISSIONS[permission]


def rank_at(role: str, rulebook: str) -> str | None:
    """The rank that a role has at a table of that rulebook, if it has any.

    The operators name their top ranks differently. A shift manager (RWS) counts at an MBS table as gaming
    shift manager; a gaming shift manager or assistant casino manager (MBS) counts at an RWS table as shift
    manager. Players, guests, auditors and administrators have no rank anywhere.
    """
    ladder = [rank.name for rank in load(rulebook).ranks]
    if role in ladder:
        return role
    return next((rank for rank in ladder if rank in SHIFT), None) if role in SHIFT else None
