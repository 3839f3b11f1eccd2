"""Tables at which something goes wrong: how far a round got, what is reported, ruled and chosen."""

from collections import Counter
from functools import cache
from random import Random
from typing import Any

from table.tables import BANK, CBI, MBS, RWS, TBC, V3, V4, Table, cards, kinds, only
from thirdcard.cards import Card, parse_card
from thirdcard.play.tableau import next_hand
from thirdcard.rulebook import load
from thirdcard.table import commands
from thirdcard.table.events import AnyEvent
from thirdcard.table.rights.choosing import choices
from thirdcard.table.state import Inputs, Pending, Round, Shoe

__all__ = ["BANK", "CBI", "MBS", "RWS", "TBC", "V3", "V4", "Scene", "cards", "kinds", "only"]

PLAYER_WINS = "9C 4H KD 2S"  # a natural 9 against 6, no pair
BANKER_WINS = "4C 9H 2D KS"  # 6 against a natural 9, no pair
TO_COME = "2C 4H 3D KS"  # Player 5 draws, Banker 4 is to see the Player's card
INSURED = (TBC, CBI)
STAGES = ("bets-open", "closed", "two-cards", "four-cards", "complete", "settled")
FEWEST_DECKS = 4
FACE_DOWN = {slug: {"method": "face-down"} for slug in RWS} | {MBS: {"method": "A"}}


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

    def shown(self, text: str, *bets: tuple[str, str, int]) -> None:
        """The same with the cards turned over."""
        self.bets(*bets)
        self.close()
        self.show(text)

    def finish(self, text: str = "") -> None:
        """The rest of the round, to its settlement."""
        self.show(text)
        if self.current.hidden:
            self.expose(*self.current.hidden)
        self.settle()

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

    def run_down(self, *, keep: str) -> None:
        """The shoe is dealt until only the cards of `keep` are left, in rounds that nobody bets on."""
        for one in rounds_without(cards(keep)):
            self.open()
            self.close()
            self.show(" ".join(one))
            self.settle()
        assert self.shoe.left == len(cards(keep))

    # What goes wrong --------------------------------------------------------------------------------------

    def reporting(self, case: str, drawn: str = "", by: str = "dee", **details: Any) -> commands.Report:  # noqa: ANN401
        """`drawn` cards in their order, ? for one that nobody has seen; `names` as {place: card}."""
        names = tuple(None if name == "?" else parse_card(name) for name in drawn.split())
        if "names" in details:
            details["names"] = {place: parse_card(card) for place, card in details["names"].items()}
        return commands.Report(by=by, case=case, drawn=names, **details)

    def report(self, case: str, drawn: str = "", **details: Any) -> Pending:  # noqa: ANN401
        self.do(self.reporting(case, drawn, **details))
        return self.pending

    def ruling(self, by: str, order: str = "", **inputs: Any) -> commands.Rule:  # noqa: ANN401
        """`order` by names or by numbers; `names` and `substitutes` as {place: card}."""
        found = tuple(int(one) if one.isdigit() else parse_card(one) for one in order.split())
        for field in ("names", "substitutes"):
            if field in inputs:
                inputs[field] = {str(place): parse_card(card) for place, card in inputs[field].items()}
        return commands.Rule(by=by, inputs=Inputs(order=found, **inputs))

    def rule(self, by: str, order: str = "", **inputs: Any) -> tuple[AnyEvent, ...]:  # noqa: ANN401
        return self.do(self.ruling(by, order, **inputs))

    def decide(self, action: str, **inputs: Any) -> tuple[AnyEvent, ...]:  # noqa: ANN401
        """Something that no rule covers, decided by who may."""
        self.report("not-covered")
        return self.rule("sam", action=action, reason="seen on the tape", **inputs)

    def dismiss(self, by: str, case: str = "") -> tuple[AnyEvent, ...]:
        return self.do(commands.Dismiss(by=by, case=case, reason="there was nothing in it"))

    def choosing(self, player: str, choice: str, *wagers: tuple[int, str], by: str = "") -> commands.Choose:
        named = player if by else ""
        return commands.Choose(by=by or player, player=named, choice=choice, wagers=wagers)  # type: ignore[arg-type]

    def goes_on(self, player: str) -> tuple[AnyEvent, ...]:
        return self.do(self.choosing(player, "continue"))

    def takes_back(self, player: str, *wagers: tuple[int, str]) -> tuple[AnyEvent, ...]:
        return self.do(self.choosing(player, "return", *wagers))

    def all_go_on(self) -> None:
        for player in [player for player, choice in self.asked().items() if not choice]:
            self.goes_on(player)

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
    def waiting(self) -> list[str]:
        """The cards that come next, ? for one without a name."""
        return [str(one.name) if one.name else "?" for one in self.shoe.waiting]

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
        assert self.state.round is not None
        return choices(self.state, self.state.round)

    def nets(self, *players: str) -> list[int]:
        return [self.net(player) for player in players]

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

    def new_shoe_first(self) -> None:
        """These cards are not dealt from again."""
        assert self.refused(commands.Open(by="dee")).code == "new-shoe-needed"
        self.do(commands.NewShoe(by="dee"))
        self.open()


@cache
def rounds_without(kept: tuple[Card, ...]) -> tuple[tuple[str, ...], ...]:
    """Whole rounds, one after the other, with every card of four decks but those that are kept."""
    full = Counter(dict.fromkeys(Card, FEWEST_DECKS))
    full.subtract(kept)
    assert min(full.values()) >= 0
    for seed in range(1_000):
        shoe = list(full.elements())
        Random(seed).shuffle(shoe)  # noqa: S311 - the same rounds every time
        found = _rounds(tuple(shoe))
        if found is not None:
            return found
    raise AssertionError


def _rounds(shoe: tuple[Card, ...]) -> tuple[tuple[str, ...], ...] | None:
    """The shoe in whole rounds, if the last of them ends with its last card."""
    table = load(TBC).table_of_play
    found: list[tuple[str, ...]] = []
    start = 0
    while start < len(shoe):
        end = start
        while next_hand(table, shoe[start:end]) is not None:
            end += 1
            if end > len(shoe):
                return None
        found.append(tuple(card.value for card in shoe[start:end]))
        start = end
    return tuple(found)
