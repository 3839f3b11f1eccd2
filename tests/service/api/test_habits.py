"""Patterns of bets and the chips of a rack: each person's own, kept and bounded."""

from typing import Any

import pytest

from service.api.serving import NOBODY, Served, is_problem

pytestmark = pytest.mark.server

ADDRESS = "/api/me/habits"
EVENING = {
    "name": "Evening 晚上",
    "bets": [{"bet": "player", "cents": 100_000}, {"bet": "tie", "cents": 5_000}],
}
KEPT = {"patterns": [EVENING], "chips": [1_000, 50_000]}


def test_they_are_kept_for_the_person_and_told_to_nobody_else(served: Served) -> None:
    player = served.as_("player")
    assert player.get(ADDRESS).json() == {"patterns": [], "chips": []}
    assert player.post(ADDRESS, KEPT, method="PUT").json() == KEPT
    assert player.get(ADDRESS).json() == KEPT
    assert served.as_("guest").get(ADDRESS).json() == {"patterns": [], "chips": []}
    assert is_problem(served.as_(NOBODY).get(ADDRESS), 401)
    assert is_problem(served.as_("dealer").get(ADDRESS), 403)


@pytest.mark.parametrize(
    "body",
    [
        {"patterns": [EVENING] * 10},
        {"patterns": [EVENING | {"name": "x" * 25}]},
        {"patterns": [EVENING | {"name": "two\nlines"}]},
        {"patterns": [EVENING | {"bets": []}]},
        {"patterns": [EVENING | {"bets": [{"bet": "tie", "cents": 100}] * 2}]},
        {"patterns": [EVENING | {"bets": [{"bet": f"bet-{n}", "cents": 100} for n in range(33)]}]},
        {"patterns": [EVENING | {"bets": [{"bet": "tie", "cents": 0}]}]},
        {"chips": [100] * 2},
        {"chips": list(range(100, 1_000, 100))},
        {"more": 1},
    ],
    ids=lambda body: str(body)[:40],
)
def test_what_is_too_much_is_not_kept(served: Served, body: dict[str, Any]) -> None:
    player = served.as_("player")
    before = player.get(ADDRESS).json()
    assert is_problem(player.post(ADDRESS, body, method="PUT"), 400)
    assert player.get(ADDRESS).json() == before
