"""A table under test: people, commands and what they come to. Amounts are cents, written 100_00 for $100."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

import thirdcard.table
from dealing import dealt
from thirdcard.cards import Card, parse_card, parse_cards
from thirdcard.rulebook.model import Side
from thirdcard.table import Setup, commands, decide, replay
from thirdcard.table.commands import AnyCommand
from thirdcard.table.events import AnyEvent, ChipsPutRight, SettlementReversed, StakeSet
from thirdcard.table.flags import Flag, flags
from thirdcard.table.refusals import Code, Refusal
from thirdcard.table.rights.insurance import open_windows
from thirdcard.table.setup import Limit
from thirdcard.table.state import Line

TBC = "rws-tiger-buffalo-commission-v2"
V3 = "rws-tiger-buffalo-non-commission-v3"
V4 = "rws-tiger-buffalo-non-commission-v4"
CBI = "rws-commission-insurance-v5"
MBS = "mbs-tiger-v2"
RWS = (TBC, V3, V4, CBI)
EVERY = (*RWS, MBS)

BANK = 10_000_00  # what everybody buys in for
LIMITS = {"*": Limit(10_00, 2_000_00)}

STAFF = {"dee": "dealer", "sue": "pit-supervisor", "pam": "pit-manager"}
MANAGERS = {
    **{slug: {"sam": "shift-manager"} for slug in RWS},
    MBS: {"sam": "gaming-shift-manager", "ada": "assistant-casino-manager"},
}

# What can leave somebody owing chips: a settlement taken back, and chips put where they lay at the close.
OWES = (SettlementReversed, ChipsPutRight, StakeSet)

E = TypeVar("E")


def set_up(slug: str, layout: str = "A", **changed: object) -> Setup:
    """A table that can be played, but for what is changed."""
    values: dict[str, object] = {
        "rulebook": slug,
        "layout": layout,
        "positions": 5,
        "limits": LIMITS,
        "differential": 1_000_00,
        "staff": STAFF | MANAGERS[slug],
    }
    return Setup(**(values | changed))  # type: ignore[arg-type]


class Table(thirdcard.table.Table):
    """A table with a shoe; `seats` says who sits where (box 0: nowhere), all with $10,000.

    Every accepted command is checked: postings sum to zero, the boxes hold what lies in them, and what is
    accepted can be folded again. Cards are named in the script as they are drawn; where nobody sees them yet the
    table remembers the names and gives them when the cards are turned.
    """

    def __init__(
        self,
        slug: str = "",
        layout: str = "A",
        *,
        seats: dict[str, int] | None = None,
        **changed: Any,  # noqa: ANN401 - values of a set-up
    ) -> None:
        super().__init__(set_up(slug or TBC, layout, **changed))
        self.said: dict[int, Card] = {}
        for player, box in (seats if seats is not None else {"ann": 1, "bob": 2, "cat": 0}).items():
            self.join(player, box)
        self.do(commands.NewShoe(by="dee"))

    # Doing ------------------------------------------------------------------------------------------------

    def do(self, *asked: AnyCommand) -> tuple[AnyEvent, ...]:
        """The events of commands that must be accepted."""
        decided = super().do(*asked)
        assert not isinstance(decided, Refusal), f"{asked}: {decided}"
        for event in decided:
            assert sum(posting.cents for posting in event.postings) == 0
            owes = any(one.account.startswith("owed:") and one.cents < 0 for one in event.postings)
            assert not owes or isinstance(event, OWES)
        self._check_money()
        return decided

    def refused(self, command: AnyCommand) -> Refusal:
        """The refusal of a command that must be refused."""
        decided = decide(self.state, command)
        assert isinstance(decided, Refusal), f"{command} was accepted: {decided}"
        assert decided.sentence
        return decided

    def refuses(self, code: Code, rules: Iterable[str], command: AnyCommand) -> None:
        refusal = self.refused(command)
        assert (refusal.code, refusal.rules) == (code, tuple(rules)), refusal.sentence

    def _check_money(self) -> None:
        balances = self.state.balances
        assert sum(balances.values()) == 0
        lying: Counter[str] = Counter()
        current = self.state.round
        if current is not None and current.phase not in ("settled", "void"):
            for stake in (*current.stakes.values(), *current.late.values()):
                lying[f"box:{stake.box}"] += stake.cents
            for purchase in current.purchases:
                lying[f"box:{purchase.box}"] += purchase.cents
        boxes = {name: cents for name, cents in balances.items() if name.startswith("box:") and cents}
        assert boxes == {name: cents for name, cents in lying.items() if cents}
        assert all(cents >= 0 for name, cents in balances.items() if name.startswith(("rack:", "box:")))
        assert all(cents <= 0 for name, cents in balances.items() if name.startswith("owed:"))

    # People and bets --------------------------------------------------------------------------------------

    def join(self, player: str, box: int = 0, bank: int = BANK) -> None:
        self.do(commands.Join(by=player))
        if bank:
            self.do(commands.BuyIn(by=player, cents=bank))
        if box:
            self.do(commands.Sit(by=player, box=box))

    def seat(self, player: str) -> int:
        return next((box for box, who in self.state.seats.items() if who == player), 1)

    def open(self) -> None:
        self.do(commands.Open(by="dee"))

    def place(self, player: str, bet: str, cents: int, box: int = 0) -> tuple[AnyEvent, ...]:
        return self.do(self.placing(player, bet, cents, box))

    def placing(self, player: str, bet: str, cents: int, box: int = 0) -> commands.Place:
        return commands.Place(by=player, box=box or self.seat(player), bet=bet, cents=cents)

    def take_back(
        self, player: str, bet: str, cents: int | None = None, box: int = 0
    ) -> tuple[AnyEvent, ...]:
        return self.do(self.taking_back(player, bet, cents, box))

    def taking_back(self, player: str, bet: str, cents: int | None = None, box: int = 0) -> commands.TakeBack:
        return commands.TakeBack(by=player, box=box or self.seat(player), bet=bet, cents=cents)

    def record(self, player: str, bet: str, cents: int, box: int = 0) -> tuple[AnyEvent, ...]:
        """The dealer writes down chips as they lie, whatever the limits; after the close a supervisor does."""
        return self.do(self.recording(player, bet, cents, box))

    def recording(
        self, player: str, bet: str, cents: int, box: int = 0, by: str = ""
    ) -> commands.RecordChips:
        closed = self.state.phase not in ("betting", "adjusting")
        return commands.RecordChips(
            by=by or ("sue" if closed else "dee"),
            player=player,
            box=box or self.seat(player),
            bet=bet,
            cents=cents,
            reason="read wrongly at the close" if closed else "",
        )

    def late(self, player: str, bet: str, cents: int, box: int = 0) -> tuple[AnyEvent, ...]:
        """Chips added after the close, or taken away."""
        return self.do(self.being_late(player, bet, cents, box))

    def being_late(self, player: str, bet: str, cents: int, box: int = 0) -> commands.LateChips:
        return commands.LateChips(by="dee", player=player, box=box or self.seat(player), bet=bet, cents=cents)

    def flag(self) -> Flag:
        """The one thing that is wrong with the chips."""
        (found,) = flags(self.state)
        return found

    def clear(self, flag: Flag, key: str, by: str = "dee") -> None:
        """Press the button of that name."""
        (body,) = [one for one in flag.remedies if one["key"] == key]
        command = {name: value for name, value in body.items() if name != "key"}
        self.do(msgspec.convert({**command, "by": by}, AnyCommand))

    def close(self) -> tuple[AnyEvent, ...]:
        return self.do(commands.Close(by="dee"))

    # Cards ------------------------------------------------------------------------------------------------

    def deal(self, text: str, by: str = "dee") -> tuple[AnyEvent, ...]:
        """All the cards of "P 9C 7D | B 4H 2S", or cards in the order drawn."""
        found: list[AnyEvent] = []
        for card in cards(text):
            found += self.do(self.drawing(card, by=by))
        return tuple(found)

    def show(self, text: str) -> tuple[AnyEvent, ...]:
        """The same, turned over: the first four when they lie there, third cards one by one."""
        found: list[AnyEvent] = []
        for card in cards(text):
            found += self.do(self.drawing(card))
            current = self.state.round
            assert current is not None
            if current.hidden and len(current.drawn) >= 4:
                found += self.expose(*current.hidden)
        return tuple(found)

    def drawing(self, card: str | Card, by: str = "dee") -> commands.Draw:
        """The next card, by name only where somebody or something sees it."""
        named = parse_card(card) if isinstance(card, str) else card
        current = self.state.round
        self.said[len(current.drawn) + 1 if current else 1] = named
        return commands.Draw(by=by, card=None if self.state.setup.unseen else named)

    def expose(self, *places: int, by: str = "dee") -> tuple[AnyEvent, ...]:
        return self.do(self.exposing(*places, by=by))

    def exposing(self, *places: int, by: str = "dee") -> commands.Expose:
        """Cards turned; where no device has read them the dealer says what shows, whoever turned them."""
        drawn = self.state.round.drawn if self.state.round else ()
        known = {place: one.name for place, one in enumerate(drawn, start=1)}
        if all(known.get(place) for place in places):
            return commands.Expose(by=by, cards=places)
        names = tuple(known.get(place) or self.said[place] for place in places)
        if by in self.state.staff:
            return commands.Expose(by=by, cards=places, names=names)
        return commands.Expose(by="dee", cards=places, names=names, player=by)

    def amend(self, text: str, by: str = "dee", agreed: str = "sue") -> tuple[AnyEvent, ...]:
        """The cards as they really are, ? for one that nobody has seen: one person says so, another agrees."""
        self.do(self.amending(text, by))
        return self.do(commands.ConfirmAmendment(by=agreed))

    def amending(self, text: str, by: str = "dee") -> commands.Amend:
        names = tuple(None if name == "?" else parse_card(name) for name in text.split())
        return commands.Amend(by=by, cards=names, reason="keyed wrongly")

    def insure(self, player: str, hand: str, cents: int, box: int = 0) -> tuple[AnyEvent, ...]:
        return self.do(self.insuring(player, hand, cents, box))

    def insuring(self, player: str, hand: str, cents: int, box: int = 0, window: int = 0) -> commands.Insure:
        return commands.Insure(
            by=player, box=box or self.seat(player), hand=Side(hand), cents=cents, window=window
        )

    def settle(self) -> tuple[AnyEvent, ...]:
        events = self.do(commands.Settle(by="dee"))
        assert replay(self.log) == self.state
        return events

    def round(self, cards: str, *bets: tuple[str, str, int]) -> dict[str, int]:
        """A whole round; what each bettor won or lost in it."""
        before = {player: self.rack(player) for player, _, _ in bets}
        self.open()
        for player, bet, cents in bets:
            self.place(player, bet, cents)
        self.close()
        self.deal(cards)
        self.settle()
        return {player: self.rack(player) - cents for player, cents in before.items()}

    # Reading ----------------------------------------------------------------------------------------------

    def rack(self, player: str) -> int:
        return self.state.rack(player)

    def net(self, player: str) -> int:
        """Won or lost since the buy-in of $10,000, chips on the layout counted as gone."""
        return self.rack(player) - BANK

    @property
    def house(self) -> int:
        return self.state.balances.get("house", 0)

    def stakes(self) -> dict[tuple[str, int, str], int]:
        current = self.state.round
        assert current is not None
        return {(one.player, one.box, one.bet): one.cents for one in current.stakes.values()}

    def plays(self) -> dict[tuple[str, int, str], int]:
        """What stakes that do not play in full play for."""
        current = self.state.round
        assert current is not None
        return {
            (stake.player, stake.box, stake.bet): current.played[key].cents
            for key, stake in current.stakes.items()
            if key in current.played
        }

    def offers(self) -> dict[str, str]:
        """The insurance that is open: hand and odds."""
        current = self.state.round
        assert current is not None
        by_right = [one for one in open_windows(self.state, current) if not one.late_for]
        return {offer.hand: offer.odds for window in by_right for offer in window.offers}

    def lines(self) -> list[Line]:
        current = self.state.round
        assert current is not None
        assert current.settlement is not None
        return list(current.settlement.lines)

    def line(self, player: str, bet: str) -> Line:
        (found,) = [line for line in self.lines() if (line.player, line.bet) == (player, bet)]
        return found

    def roads(self) -> list[str]:
        return [result.winner for result in self.state.results]

    def sees(self, viewer: str) -> list[str]:
        """The cards as somebody sees them, ? for those that lie face down."""
        return [str(one.card) if one.card else "?" for one in self.view(viewer).cards]


def only(events: Iterable[AnyEvent], kind: type[E]) -> E:
    """The one event of that kind."""
    (found,) = [event for event in events if isinstance(event, kind)]
    return found


def kinds(events: Iterable[AnyEvent]) -> list[str]:
    return [type(event).__name__ for event in events]


def cards(text: str) -> tuple[Card, ...]:
    return dealt(text) if "|" in text else parse_cards(text)
