"""What staff ask before they decide, over HTTP: nothing is changed, and the decision is sent as it was shown."""

import pytest

from service.api.serving import Served, is_problem

pytestmark = pytest.mark.server

AT = "/api/tables/one"


def test_a_decision_is_sent_as_it_was_shown(served: Served) -> None:
    dealer, supervisor, wei = served.as_("dealer"), served.as_("pit-supervisor"), served.player("Wei", box=1)
    if served.live().table.shoe is None:
        dealer.does("new-shoe")
    dealer.does("open")
    wei.does("place", box=1, bet="player", cents=100_00)
    dealer.does("close")
    for card in ("2C", "4H", "3D", "KS"):
        dealer.does("draw", card=card)
    asked = {"cards": ["2C", "4H", "3D", "5S"]}
    version = served.live().version
    shown = dealer.post(f"{AT}/wrong-card", asked).json()
    assert (shown["after"]["outcome"], shown["people"][0]["after"]) == ("banker", -100_00)
    assert is_problem(wei.post(f"{AT}/wrong-card", asked), 403)
    assert is_problem(dealer.post(f"{AT}/wrong-card", {"cards": ["10S"]}), 400)
    assert is_problem(dealer.post(f"{AT}/wrong-card", {"cards": ["2C"] * 7}), 400)
    nothing = supervisor.post(f"{AT}/consequences", {"inputs": {}}).json()
    assert (nothing["decision"], nothing["refusal"]["code"]) == (None, "wrong-phase")
    assert served.live().version == version
    dealer.does("report", case="drawn-together", drawn=["3H", "9S"], shown=[5, 6], order_known=False)
    version = served.live().version
    (case,) = supervisor.get(f"{AT}/desk").json()["cases"]
    first = case["decisions"][0]
    (mine,) = first["results"]
    assert (first["title"]["facts"], mine["net"], mine["returned"]) == ({"card": "3H"}, 100_00, 100_00)
    assert supervisor.post(f"{AT}/consequences", {"inputs": first["inputs"]}).json()["decision"][
        "results"
    ] == [mine]
    assert is_problem(wei.post(f"{AT}/consequences", {"inputs": {}}), 403)
    assert is_problem(supervisor.post(f"{AT}/consequences", {"inputs": {"mood": "bad"}}), 400)
    assert served.live().version == version
    assert supervisor.post(f"{AT}/rule", {"inputs": first["inputs"]}).status_code == 200
    wei.does("choose", choice="continue")
    dealer.does("settle")
    settled = served.live().table.round
    assert settled is not None
    assert settled.settlement is not None
    assert settled.settlement.nets == {"Wei": mine["net"]}
