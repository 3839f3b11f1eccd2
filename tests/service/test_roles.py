"""Roles, their ranks and their permissions."""

import pytest

from thirdcard.rulebook import load, slugs
from thirdcard.service.people.roles import PERMISSIONS, ROLES, allowed, rank_at

MBS = "mbs-tiger-v2"
RWS = [slug for slug in slugs() if slug != MBS]
FLOOR = ["dealer", "pit-supervisor", "pit-manager"]


@pytest.mark.parametrize("slug", slugs())
def test_every_rank_of_a_rulebook_is_a_role_and_counts_as_itself(slug: str) -> None:
    for rank in load(slug).ranks:
        assert rank.name in ROLES
        assert rank_at(rank.name, slug) == rank.name


@pytest.mark.parametrize("slug", slugs())
def test_whoever_is_not_of_the_floor_has_no_rank(slug: str) -> None:
    for role in ("guest", "player", "auditor", "administrator", "", "croupier"):
        assert rank_at(role, slug) is None


def test_the_top_ranks_count_at_the_other_operators_tables() -> None:
    assert rank_at("shift-manager", MBS) == "gaming-shift-manager"
    for slug in RWS:
        assert rank_at("gaming-shift-manager", slug) == "shift-manager"
        assert rank_at("assistant-casino-manager", slug) == "shift-manager"


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
}


def test_every_role_against_every_permission() -> None:
    assert set(WHO) == set(PERMISSIONS)
    for permission in PERMISSIONS:
        assert {role for role in ROLES if allowed(role, permission)} == set(WHO[permission].split())


def test_an_unknown_role_may_do_nothing() -> None:
    for permission in PERMISSIONS:
        assert not allowed("", permission)
        assert not allowed("Administrator", permission)
