"""Walks on which much goes wrong at once, with the second reader beside the table.

A `Storm` does what a `Walk` does and, in between: reports neglected offers person by person, puts a second and a third
report behind the first, resets the device while they wait, puts suits and points right at any moment, sends people
away and brings them back, cashes out what was just won, voids and corrects what is settled. `happened` says which of
that a log holds.
"""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from table.beside import LISTING, Beside, Disagreement, compare
from table.machine import Chance, Seeded, Walk, from_shoe, pick, random_setup
from table.second_reader.facts import HANDS, Fact, Log, Round
from table.second_reader.reports import waiting
from thirdcard.cards import Card
from thirdcard.rulebook.model import Procedure
from thirdcard.table import Refusal, commands
from thirdcard.table.commands import AnyCommand
from thirdcard.table.setup import Setup

TBC, CBI, MBS = "rws-tiger-buffalo-commission-v2", "rws-commission-insurance-v5", "mbs-tiger-v2"
V4 = "rws-tiger-buffalo-non-commission-v4"
replace = msgspec.structs.replace
# The tables that storms come over: insurance face up and face down, a box's differential, every method and device.
TABLES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    (TBC, "A", {"method": "face-down", "insurance": True, "device": "shoe"}),
    (TBC, "M", {"method": "face-up", "insurance": True}),
    (CBI, "G", {"method": "face-up", "insurance": True}),
    (V4, "B", {"method": "face-down"}),
    (MBS, "A", {"method": "A", "device": "reader", "high_limit": True}),
    (MBS, "B", {"method": "C", "high_limit": True, "device": "reader", "decks": 8, "cut": 52 * 8 - 6}),
)


class Collecting(Beside):
    """Keeps disagreements instead of stopping at them."""

    def __init__(self, setup: Setup) -> None:
        self.found: list[Disagreement] = []
        super().__init__(setup)

    def look(self) -> None:
        self.found += compare(self.state, self.facts, listing=len(self.asked) % LISTING == 0)


class Storm(Walk):
    """A walk that goes wrong more often than not."""

    def __init__(self, setup: Setup, chance: Chance, table: Beside) -> None:
        super().__init__(setup, chance, table=table)

    def blow(self, steps: int) -> None:
        for _ in range(steps):
            if self.chance.below(3) == 0:
                self.mischief()
            else:
                self.advance()

    def mischief(self) -> None:
        """One of the things that are rare on a walk, if it can happen now."""
        kinds = list(self._possible())
        if kinds:
            pick(self.chance, kinds)()

    def _possible(self) -> Iterator[Callable[[], None]]:
        phase = self.state.phase
        if self.state.players:
            yield from (self._cash_out, self._come_and_go)
        if phase in ("idle", "settled", "void") and not self.is_held_up:
            yield from [self._insured_round] * 6 if self.state.rulebook.insurance else []
        if phase not in ("dealing", "settled") or self.table.proposed:
            return
        assert self.state.round is not None
        if self.state.round.drawn:
            yield from (self._put_a_suit_right, self._amend)
        yield from (self._put_chips_right, self._one_more_report)
        if phase == "dealing":
            yield from (self._neglect_somebody, self._neglect_somebody, self._reset)
        if phase == "settled" or self.chance.below(4) == 0:
            yield self._undo

    # People

    def _cash_out(self) -> None:
        player = pick(self.chance, self.state.players)
        if self.state.rack(player):
            self.table.do(commands.CashOut(by=player, cents=self.state.rack(player)))

    def _come_and_go(self) -> None:
        """Who sits leaves, who does not sits down."""
        player = pick(self.chance, self.state.players)
        if player in self.state.seats.values():
            self.table.do(commands.Leave(by=player))
        else:
            self.table.do(commands.Sit(by=player, box=1 + self.chance.below(self.state.setup.positions)))

    # A round in which both windows open

    def _insured_round(self) -> None:
        """Everybody bets on Player: 5 against 4, then 7 against 4 with the Banker to draw."""
        self.table.do(commands.Open(by=self.dealer))
        if self.state.phase != "betting":
            return
        for player in self.state.players:
            low = self.state.setup.limit("player").min
            self.table.do(commands.BuyIn(by=player, cents=200 * self.state.setup.chip_unit))
            self.table.do(
                commands.RecordChips(by=self.dealer, player=player, box=1, bet="player", cents=2 * low)
            )
        self.table.do(commands.Close(by=self.dealer))
        for place, rank in enumerate(("2", "4", "3", "K", "2")[: 4 + self.chance.below(2)], start=1):
            self._deal(place, rank)
        self.misread = {}

    def _deal(self, place: int, rank: str) -> None:
        """The next card is of that rank, if it can be; from a face-down shoe it is named when it is turned."""
        suited = [card for card in from_shoe(self.state, self.chance, 200) if card.value[0] == rank]
        if not suited or self.state.phase != "dealing":
            return
        if self.state.setup.unseen:
            self.table.do(commands.Draw(by=self.dealer))
            self.table.do(commands.Expose(by=self.dealer, cards=(place,), names=(suited[0],)))
        else:
            self.table.do(commands.Draw(by=self.dealer, card=suited[0]))
            self.table.do(commands.Expose(by=self.dealer, cards=(place,)))

    # Records

    def _put_a_suit_right(self) -> None:
        """Somebody keyed another suit: no point changes."""
        current = self.state.round
        assert current is not None
        names: list[Card | None] = [one.name if one.face_up else None for one in current.drawn]
        seen = [place for place, name in enumerate(names) if name is not None]
        if not seen:
            return
        place = pick(self.chance, seen)
        old = names[place]
        same = [card for card in Card if old is not None and card.rank is old.rank and card is not old]
        names[place] = pick(self.chance, same)
        self._two_agree(commands.Amend(by=self.supervisor, cards=tuple(names), reason="another suit"))

    def _two_agree(self, amending: AnyCommand) -> None:
        if not isinstance(self.table.do(amending), Refusal):
            self.table.do(commands.ConfirmAmendment(by=self.top()))

    def _undo(self) -> None:
        """A void, or other cards for a round that is settled."""
        if self.chance.below(2):
            self.table.do(commands.Void(by=self.top(), reason="misdeal"))
        elif self.state.phase == "settled":
            self.misread = {}
            current = self.state.round
            assert current is not None
            cards = [card for card in current.cards if card is not None]
            cards[-1:] = from_shoe(self.state, self.chance, 1) or cards[-1:]
            self.table.do(commands.Correct(by=self.top(), cards=tuple(cards), reason="misread"))

    # Reports

    def _report(self, procedure: Procedure | None, **details: Any) -> None:  # noqa: ANN401 - fields of a report
        if procedure is not None:
            self.table.do(commands.Report(by=self.dealer, case=procedure.case, **details))

    def _neglect_somebody(self) -> None:
        """One window, one person; and most often it is ruled on at once, with the next one after it."""
        current = self.state.round
        assert current is not None
        people = sorted({stake.player for stake in current.stakes.values() if stake.bet in HANDS})
        procedure = self.state.rulebook.procedure("neglected-insurance")
        if not people or procedure is None:
            return
        one = pick(self.chance, people)
        for window in pick(self.chance, ((1,), (2,), (1, 1), (1, 2), (1, 2, 1))):
            person = one if self.chance.below(2) else pick(self.chance, people)
            self._report(procedure, players=(person,), window=window)
            if self.table.pending is not None and self.chance.below(4):
                self.advance()

    def _one_more_report(self) -> None:
        if len(waiting_cases(self.table.facts)) < 3:  # type: ignore[attr-defined]
            self.goes_wrong()

    def _reset(self) -> None:
        """The device is reset, with other reports behind it or before it."""
        self._report(self.state.rulebook.procedure("device-reset"))
        if self.table.pending is not None and self.chance.below(2):
            self._report(self.state.rulebook.procedure("bad-cards"))
            self._report(self.state.rulebook.procedure("interruption"))


def waiting_cases(facts: list[Fact]) -> list[str]:
    current = Log(facts).round
    return [] if current is None else [one.pending["case"] for one in waiting(current)]


def storm(place: int, seed: int | str, steps: int, kind: type[Beside] = Beside) -> Beside:
    """A seeded storm over one of the tables."""
    slug, layout, changed = TABLES[place]
    chance = Seeded(f"storm/{slug}/{layout}/{seed}")
    setup = replace(random_setup(chance, slug, layout), **changed)
    table = kind(setup)
    try:
        Storm(setup, chance, table).blow(steps)
    except Exception as error:
        error.add_note(f"found by storm({place}, {seed!r}, {steps})")
        raise
    return table


# What a storm brought about ------------------------------------------------------------------------------


def happened(facts: list[Fact]) -> set[str]:
    """Which of the rare things a log holds."""
    found: set[str] = set()
    for round_ in Log(facts).rounds:
        tags = [fact["event"] for fact in round_.facts]
        for look in (_reports, _late, _records, _people):
            found |= set(look(round_))
        if "round-voided" in tags and "decided-settled" in tags:
            found.add("a void after early settlement")
        if "settlement-reversed" in tags:
            found.add("a reversal")
            found |= {"a void after a settlement"} if "round-voided" in tags else set()
        accounts = [account for fact in round_.facts for account, _ in fact.get("postings", ())]
        found |= {"a debt"} if any(one.startswith("owed:") for one in accounts) else set()
    return found


def _reports(round_: Round) -> Iterator[str]:
    for number, fact in enumerate(round_.facts):
        if fact["event"] in ("irregularity-reported", "bets-reopened"):
            waits = len(waiting(round_.until(number)))
            if fact["event"] == "bets-reopened":
                yield from ["a reset with reports waiting"] if waits > 1 else []
            else:
                yield from ["two reports wait", "three reports wait"][:waits]


def _late(round_: Round) -> Iterator[str]:
    standing: set[tuple[str, int]] = set()
    for fact in round_.facts:
        if fact["event"] == "late-insurance-opened":
            more = {(person, fact["window"]) for person in fact["players"]}
            yield from ["late offers side by side"] if standing - more else []
            standing |= more
            yield from ["both windows late"] if len({window for _, window in standing}) > 1 else []
        elif fact["event"] in ("card-drawn", "insurance-closed"):
            standing = set()


def _records(round_: Round) -> Iterator[str]:
    choosing = False
    for fact in round_.facts:
        tag = fact["event"]
        choosing = tag == "choices-offered" or (choosing and not tag.startswith("remedy-"))
        recorded = tag == "cards-amended" or (tag == "stake-set" and fact["why"] == "recorded")
        yield from ["a record put right while people choose"] if choosing and recorded else []


def _people(round_: Round) -> Iterator[str]:
    gone = {fact["player"] for fact in round_.said("walked-away")}
    back = [fact for fact in round_.said("seat-taken") if fact["player"] in gone]
    yield from ["somebody left and came back"] if back else []


EVERYTHING = {
    "two reports wait", "three reports wait", "a void after early settlement", "a void after a settlement",
    "a reset with reports waiting", "late offers side by side", "a reversal",
    "a record put right while people choose", "somebody left and came back", "a debt",
}  # fmt: skip
