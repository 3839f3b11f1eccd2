"""A void by its ruling, at every stage of a round under every document: every cent goes back.

Insurance is bought in each window that opens. Racks are held against those before the first bet; the auditor
of `machine` looks on.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from each import each
from table.machine import Table, staff_of
from thirdcard.cards import parse_cards
from thirdcard.rulebook import load, slugs
from thirdcard.rulebook.model import Side
from thirdcard.table import Refusal, Setup, commands, events
from thirdcard.table.rights.insurance import open_windows
from thirdcard.table.setup import Limit
from thirdcard.table.state import HANDS, Inputs

MBS = "mbs-tiger-v2"
INSURED = ("rws-tiger-buffalo-commission-v2", "rws-commission-insurance-v5")
DEALER = "the-dealer"
CARDS = parse_cards("2C 4H 3D KS 2D 5S")  # 5 against 4, then 7 against 4: both windows open, and 7 to 9
PEOPLE = {"ann": 1, "ben": 2, "cho": 0}
SEEN = ("face-up", "face-down")
STAGES = (
    "betting", "closed", *(f"{n} drawn" for n in range(1, 7)), "first window", "second window", "settled",
)  # fmt: skip
RULES = dict.fromkeys(slugs(), ("foreign-card", "the-pit-supervisor")) | {
    MBS: ("extra-or-missing-cards", "the-pit-manager")
}
TOP = dict.fromkeys(slugs(), "the-shift-manager") | {MBS: "the-gaming-shift-manager"}
DRAWN = {False: (), True: parse_cards("9H TS")}


class Scene(Table):
    """A table at which every command has to be accepted, and the racks before any bet are kept."""

    def __init__(self, slug: str, seen: str) -> None:
        methods = [method for method in load(slug).dealing if method.face_down == (seen == "face-down")]
        values: dict[str, Any] = {
            "rulebook": slug,
            "layout": "A",
            "positions": 5,
            "limits": {"*": Limit(10_00, 1_000_00)},
            "differential": 100_00,
            "method": methods[0].name,
            "staff": staff_of(load(slug)),
        }
        super().__init__(Setup(**values))
        self.slug = slug
        for player, box in PEOPLE.items():
            self.must(commands.Join(by=player), commands.BuyIn(by=player, cents=1_000_00))
            if box:
                self.must(commands.Sit(by=player, box=box))
        self.must(commands.NewShoe(by=DEALER))
        self.before = dict(self.racks())

    def racks(self) -> dict[str, int]:
        return {player: self.state.rack(player) for player in self.state.players}

    # A round ----------------------------------------------------------------------------------------------

    def reach(self, stage: str) -> None:
        for reached in self._round():
            if reached == stage:
                return
        pytest.fail(f"{stage} was never reached")

    def _round(self) -> Iterator[str]:
        """Stage after stage; insurance is bought in a window before the next stage begins."""
        self._bets()
        yield "betting"
        self.must(commands.Close(by=DEALER))
        yield "closed"
        for number, card in enumerate(CARDS, start=1):
            unseen = self.state.setup.unseen
            self.must(commands.Draw(by=DEALER, card=None if unseen else card))
            yield f"{number} drawn"
            if number >= 4 and unseen:
                places = tuple(range(1, 5)) if number == 4 else (number,)
                names = tuple(CARDS[place - 1] for place in places)
                self.must(commands.Expose(by=DEALER, cards=places, names=names))
            yield from self._window()
        self.must(commands.Settle(by=DEALER))
        yield "settled"

    def _bets(self) -> None:
        """Both hands and every other bet of the layout, by people who sit and who stand, some outside limits."""
        self.must(
            commands.Open(by=DEALER),
            commands.Place(by="ann", box=1, bet="player", cents=90_00),
            commands.Place(by="ben", box=2, bet="banker", cents=100_00),
            commands.Place(by="cho", box=1, bet="banker", cents=35_00),
        )
        if self.slug != MBS:  # over the differential of the box: ann plays for a share
            over = commands.RecordChips(by=DEALER, player="ann", box=1, bet="player", cents=220_00)
            self.must(over)
        for bet in self.state.setup.bets:
            if bet not in HANDS:
                self.must(commands.Place(by="ben", box=2, bet=bet, cents=15_00))
        self.must(commands.RecordChips(by=DEALER, player="cho", box=2, bet="tie", cents=5_00))

    def _window(self) -> Iterator[str]:
        current = self.state.round
        assert current is not None
        window = next(iter(open_windows(self.state, current)), None)
        if window is None:
            return
        for offer in window.offers:
            player, box = ("ann", 1) if offer.hand is Side.PLAYER else ("ben", 2)
            self.must(commands.Insure(by=player, box=box, hand=offer.hand, cents=3_00))
        yield f"{'first' if window.number == 1 else 'second'} window"

    # What goes wrong --------------------------------------------------------------------------------------

    def report(self, **details: Any) -> commands.Report:  # noqa: ANN401 - fields of the command
        return commands.Report(by=DEALER, case=RULES[self.slug][0], **details)

    def everything_is_back(self) -> None:
        assert self.state.phase == "void"
        assert self.pending is None
        assert self.racks() == self.before
        assert not any(cents for account, cents in self.state.balances.items() if account.startswith("box:"))
        assert self.state.balances.get("house", 0) == 0
        assert self.state.round is not None
        assert not self.state.round.stakes
        assert not self.state.round.purchases
        self.check_replay()


def can_be(slug: str, seen: str, stage: str) -> bool:
    ways = {"face-down" if method.face_down else "face-up" for method in load(slug).dealing}
    if seen not in ways or (stage.endswith("window") and slug not in INSURED):
        return False
    return stage != "settled" or slug != MBS  # there payment ends a round


CASES = [
    (slug, seen, stage) for slug in slugs() for seen in SEEN for stage in STAGES if can_be(slug, seen, stage)
]


@pytest.mark.slow
@each(("slug", "seen", "stage"), CASES)
@each("came_out", [False, True])
def test_a_void_refunds_every_cent(slug: str, seen: str, stage: str, *, came_out: bool) -> None:
    """Cards that came out besides change nothing; what such cards were in is not dealt from again."""
    table = Scene(slug, seen)
    table.reach(stage)
    assert table.racks() != table.before
    drawn = DRAWN[came_out and stage != "betting"]
    assert table.state.round is not None
    first = len(table.state.round.drawn) + 1
    table.must(
        table.report(drawn=drawn, shown=tuple(range(first, first + len(drawn)))),
        commands.Rule(by=RULES[slug][1]),
    )
    table.everything_is_back()
    refusal = table.ask(commands.Open(by=DEALER))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "new-shoe-needed"
    table.must(commands.NewShoe(by=DEALER), commands.Open(by=DEALER))


@pytest.mark.slow
@each(("slug", "seen", "stage"), [case for case in CASES if case[2] not in ("betting", "settled")])
def test_a_void_puts_late_chips_right_first(slug: str, seen: str, stage: str) -> None:
    table = Scene(slug, seen)
    table.reach(stage)
    table.must(
        commands.LateChips(by=DEALER, player="ann", box=1, bet="tie", cents=50_00),
        commands.LateChips(by=DEALER, player="ben", box=2, bet="banker", cents=-40_00),
        commands.Void(by=TOP[slug], reason="a fire alarm"),
    )
    table.everything_is_back()
    table.must(commands.Open(by=DEALER))  # the cards are as good as before


@pytest.mark.parametrize("slug", INSURED)
@pytest.mark.parametrize("stage", ["5 drawn", "second window", "6 drawn", "settled"])
def test_the_insurance_of_both_windows_is_refunded(slug: str, stage: str) -> None:
    """The stages of these windows would prove nothing if nobody had bought."""
    table = Scene(slug, "face-up")
    table.reach(stage)
    bought = [event.purchase for event in table.log if isinstance(event, events.InsuranceBought)]
    assert {one.window for one in bought} == ({1} if stage == "5 drawn" else {1, 2})
    table.must(table.report(), commands.Rule(by=RULES[slug][1]))
    table.everything_is_back()


@pytest.mark.parametrize("slug", [slug for slug in slugs() if slug != MBS])
def test_after_the_next_round_was_opened_a_round_stands(slug: str) -> None:
    table = Scene(slug, "face-up")
    table.reach("settled")
    racks = table.racks()
    assert not isinstance(table.ask(table.report()), Refusal)
    table.must(commands.Open(by=DEALER))
    refusal = table.ask(table.report(round=1))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.rules) == ("round-is-final", load(slug).betting.final.rules)
    table.must(commands.Report(by=DEALER, case="not-covered", round=1))
    decision = commands.Rule(by="the-shift-manager", inputs=Inputs(action="void", reason="misdeal"))
    refusal = table.ask(decision)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "round-is-final"
    assert table.racks() == racks


def test_after_payment_a_round_stands() -> None:
    table = Scene(MBS, "face-up")
    table.reach("settled")
    for report in (table.report(), table.report(round=1)):
        refusal = table.ask(report)
        assert isinstance(refusal, Refusal)
        assert (refusal.code, refusal.rules) == ("round-is-final", load(MBS).betting.final.rules)
    table.must(
        commands.Report(by=DEALER, case="not-covered"),
        commands.Rule(by="the-gaming-shift-manager", inputs=Inputs(action="void", reason="misdeal")),
    )
    table.everything_is_back()
