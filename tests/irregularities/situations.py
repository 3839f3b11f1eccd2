"""Tables at which something goes wrong: how far a round got, what is reported, ruled and chosen."""

from typing import Any

from table.tables import BANK, CBI, MBS, RWS, TBC, V3, V4, Table, cards, kinds, only
from thirdcard.table import commands
from thirdcard.table.events import AnyEvent
from thirdcard.table.state import Inputs, Pending, Round, Shoe

__all__ = ["BANK", "CBI", "MBS", "RWS", "TBC", "V3", "V4", "Scene", "cards", "kinds", "only"]

PLAYER_WINS = "9C 4H KD 2S"  # a natural 9 against 6, no pair
TO_COME = "2C 4H 3D KS"  # Player 5 draws, Banker 4 is to see the Player's card
INSURED = (TBC, CBI)
STAGES = ("bets-open", "closed", "two-cards", "four-cards", "complete", "settled")


class Scene(Table):
    """A table with Ann at box 1, Bob at box 2, Cat and Dan standing."""

    def __init__(self, slug: str, layout: str = "A", **changed: object) -> None:
        super().__init__(slug, layout, seats={"ann": 1, "bob": 2, "cat": 0, "dan": 0}, **changed)
        self.slug = slug

    def bets(self, *bets: tuple[str, str, int]) -> None:
        """A round with bets: Ann's 100 on Player and Bob's 100 on Banker if none are named."""
        self.open()
        for player, bet, cents in bets or (("ann", "player", 100_00), ("bob", "banker", 100_00)):
            self.place(player, bet, cents)

    def dealt(self, text: str, *bets: tuple[str, str, int]) -> None:
        """Bets closed and cards drawn, face up or face down as the table is."""
        self.bets(*bets)
        self.close()
        self.deal(text)

    def reach(self, stage: str) -> None:
        """A round that got so far, with side bets and, where there is any, insurance."""
        side = "tiger-pair" if self.slug == MBS else "player-pair"
        self.bets(("ann", "player", 100_00), ("bob", "banker", 100_00), ("ann", "tie", 20_00))
        self.place("cat", "player", 55_00)
        self.place("bob", side, 15_00)
        if stage == "bets-open":
            return
        self.close()
        self.deal({"closed": "", "two-cards": "2C 4H"}.get(stage, TO_COME))
        if stage in ("closed", "two-cards"):
            return
        if self.slug in INSURED:
            self.insure("ann", "player", 20_00)
        if stage == "four-cards":
            return
        self.deal("2D 5S")
        if stage == "settled":
            self.settle()

    # What goes wrong --------------------------------------------------------------------------------------

    def reporting(self, case: str, drawn: str = "", by: str = "dee", **details: Any) -> commands.Report:  # noqa: ANN401
        return commands.Report(by=by, case=case, drawn=cards(drawn) if drawn else (), **details)

    def report(self, case: str, drawn: str = "", **details: Any) -> Pending:  # noqa: ANN401
        self.do(self.reporting(case, drawn, **details))
        return self.pending

    def ruling(self, by: str, order: str = "", set_aside: str = "", **inputs: Any) -> commands.Rule:  # noqa: ANN401
        found = Inputs(
            order=cards(order) if order else (), set_aside=cards(set_aside) if set_aside else (), **inputs
        )
        return commands.Rule(by=by, inputs=found)

    def rule(self, by: str, order: str = "", **inputs: Any) -> tuple[AnyEvent, ...]:  # noqa: ANN401
        return self.do(self.ruling(by, order, **inputs))

    def choosing(self, player: str, choice: str, *wagers: tuple[int, str], by: str = "") -> commands.Choose:
        named = player if by else ""
        return commands.Choose(by=by or player, player=named, choice=choice, wagers=wagers)  # type: ignore[arg-type]

    def goes_on(self, player: str) -> tuple[AnyEvent, ...]:
        return self.do(self.choosing(player, "continue"))

    def takes_back(self, player: str, *wagers: tuple[int, str]) -> tuple[AnyEvent, ...]:
        return self.do(self.choosing(player, "return", *wagers))

    # Reading ----------------------------------------------------------------------------------------------

    @property
    def current(self) -> Round:
        assert self.state.round is not None
        return self.state.round

    @property
    def shoe(self) -> Shoe:
        assert self.state.shoe is not None
        return self.state.shoe

    @property
    def pending(self) -> Pending:
        assert self.state.round is not None
        assert self.state.round.pending is not None
        return self.state.round.pending

    @property
    def held_up(self) -> bool:
        assert self.state.round is not None
        return self.state.round.pending is not None

    def asked(self) -> dict[str, str]:
        """Who is asked for a choice, and what they said."""
        return self.pending.choices if self.held_up else {}

    def lying(self) -> int:
        """What lies in all the boxes."""
        return sum(cents for name, cents in self.state.balances.items() if name.startswith("box:"))

    def everything_is_back(self) -> None:
        """A void round: everybody has what they came with, and the House nothing."""
        assert self.state.phase == "void"
        assert not self.held_up
        assert {player: self.net(player) for player in self.state.players} == dict.fromkeys(
            self.state.players, 0
        )
        assert (self.lying(), self.house, self.roads()) == (0, 0, [])
        assert (self.stakes(), self.offers()) == ({}, {})
