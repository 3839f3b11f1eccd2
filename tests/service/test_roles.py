"""Roles, their ranks and their permissions."""

import msgspec
import pytest

from thirdcard.rulebook import Rulebook, load, slugs
from thirdcard.rulebook.model import Authority, Cited, StaffRank
from thirdcard.service.people.roles import PERMISSIONS, ROLES, allowed, rank_at, steps_between
from thirdcard.service.tables.dealer import dealer_rank

MBS = "mbs-tiger-v2"
RWS = [slug for slug in slugs() if slug != MBS]
FLOOR = ["dealer", "pit-supervisor", "pit-manager"]


@pytest.mark.parametrize("slug", slugs())
def test_every_rank_of_a_rulebook_is_a_role_and_counts_as_itself(slug: str) -> None:
    for rank in load(slug).ranks:
        assert rank.name in ROLES
        assert rank_at(rank.name, load(slug)) == rank.name


@pytest.mark.parametrize("slug", slugs())
def test_whoever_is_not_of_the_floor_has_no_rank(slug: str) -> None:
    for role in ("guest", "player", "auditor", "trainer", "administrator", "", "croupier"):
        assert rank_at(role, load(slug)) is None


def test_the_top_ranks_count_at_the_other_operators_tables() -> None:
    assert rank_at("shift-manager", load(MBS)) == "gaming-shift-manager"
    for slug in RWS:
        assert rank_at("gaming-shift-manager", load(slug)) == "shift-manager"
        assert rank_at("assistant-casino-manager", load(slug)) == "shift-manager"


def ladder(*ranks: str, deals: str, amends: str, manages: str, decides: str) -> Rulebook:
    """A rulebook with these ranks, each above the one before."""
    rungs = [
        StaffRank(name=name, title=name, above=ranks[n - 1 : n] if n else ()) for n, name in enumerate(ranks)
    ]
    duties = {"deals": deals, "amends": amends, "manages": manages, "decides": decides}
    authority = Authority(**{name: Cited(value=rank) for name, rank in duties.items()})
    return msgspec.structs.replace(load(MBS), ranks=tuple(rungs), authority=authority)


CLUB = ladder(
    "croupier", "inspector", "boss", deals="croupier", amends="inspector", manages="boss", decides="boss"
)
ALONE = ladder("host", deals="host", amends="host", manages="host", decides="host")
PLAIN = ladder(
    "dealer", "pit-supervisor", "shift-manager",
    deals="dealer", amends="pit-supervisor", manages="shift-manager", decides="shift-manager",
)  # fmt: skip
IN_LADDERS = {
    "dealer": ("croupier", "host", "dealer"),
    "pit-supervisor": ("inspector", "host", "pit-supervisor"),
    "pit-manager": ("inspector", "host", "pit-supervisor"),
    "shift-manager": ("boss", "host", "shift-manager"),
    "gaming-shift-manager": ("boss", "host", "shift-manager"),
    "assistant-casino-manager": ("boss", "host", "shift-manager"),
    "auditor": (None, None, None),
    "player": (None, None, None),
}


@pytest.mark.parametrize(("role", "ranks"), IN_LADDERS.items())
def test_a_role_has_a_rank_in_any_ladder_and_no_duty_that_is_not_its_own(
    role: str, ranks: tuple[str | None, ...]
) -> None:
    assert tuple(rank_at(role, book) for book in (CLUB, ALONE, PLAIN)) == ranks


def test_what_ranks_become_in_another_ladder() -> None:
    assert steps_between(PLAIN, CLUB) == {
        "dealer": "croupier",
        "pit-supervisor": "inspector",
        "shift-manager": "boss",
    }
    assert steps_between(CLUB, PLAIN)["boss"] == "shift-manager"
    assert steps_between(load(RWS[0]), PLAIN) == {"pit-manager": "pit-supervisor"}
    assert steps_between(PLAIN, PLAIN) == {}


@pytest.mark.parametrize(("book", "rank"), [(CLUB, "boss"), (ALONE, "host"), (PLAIN, "shift-manager")])
def test_the_automatic_dealer_has_the_highest_rank(book: Rulebook, rank: str) -> None:
    assert dealer_rank(book) == rank


# Each permission and who has it, written out by hand.
WHO = {
    "play": "guest player",
    "deal": "dealer pit-supervisor pit-manager shift-manager gaming-shift-manager assistant-casino-manager",
    "staff": "dealer pit-supervisor pit-manager shift-manager gaming-shift-manager assistant-casino-manager",
    "create-table": "pit-manager shift-manager gaming-shift-manager assistant-casino-manager",
    "open-table": "pit-manager shift-manager gaming-shift-manager assistant-casino-manager",
    "close-table": "pit-manager shift-manager gaming-shift-manager assistant-casino-manager",
    "change-pace": "pit-manager shift-manager gaming-shift-manager assistant-casino-manager",
    "read-any-rack": "dealer pit-supervisor pit-manager shift-manager gaming-shift-manager assistant-casino-manager auditor administrator",
    "read-statements": "pit-manager shift-manager gaming-shift-manager assistant-casino-manager auditor administrator",
    "read-log": "shift-manager gaming-shift-manager assistant-casino-manager auditor administrator",
    "read-significant": "shift-manager gaming-shift-manager assistant-casino-manager auditor administrator",
    "manage-accounts": "administrator",
    "add-rulebook": "administrator",
    "protect": "pit-supervisor pit-manager shift-manager gaming-shift-manager assistant-casino-manager auditor administrator",
    "shift": "pit-supervisor pit-manager shift-manager gaming-shift-manager assistant-casino-manager auditor",
    "evidence": "pit-supervisor pit-manager shift-manager gaming-shift-manager assistant-casino-manager auditor administrator",
    "radar": "shift-manager gaming-shift-manager assistant-casino-manager auditor",
    "train": "trainer",
    "read-documents": "dealer pit-supervisor pit-manager shift-manager gaming-shift-manager assistant-casino-manager trainer auditor administrator",
}


def test_every_role_against_every_permission() -> None:
    assert set(WHO) == set(PERMISSIONS)
    for permission in PERMISSIONS:
        assert {role for role in ROLES if allowed(role, permission)} == set(WHO[permission].split())


def test_an_unknown_role_may_do_nothing() -> None:
    for permission in PERMISSIONS:
        assert not allowed("", permission)
        assert not allowed("Administrator", permission)
