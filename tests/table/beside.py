"""A table with the second reader beside it: after every command both say who may do what, and what everybody holds.

`compare` asks the table for each right by commands that nobody carries out, and gives back every disagreement with
the reasons of both.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from table import machine
from table.second_reader import cards, chips, insurance, limits, money, reports, squeezing
from table.second_reader.facts import HANDS, Fact, Log, Right, Round
from table.second_reader.statement import statement
from thirdcard.play.tableau import LONGEST
from thirdcard.rulebook.model import Side
from thirdcard.table import Refusal, State, commands, decide, evolve, legal
from thirdcard.table.commands import AnyCommand
from thirdcard.table.events import AnyEvent
from thirdcard.table.legal import Option
from thirdcard.table.samples import unlike_cards
from thirdcard.table.setup import Setup
from thirdcard.table.transcript import transcript

LISTING = 8  # after so many commands what is listed is compared too
NONE = Right((), "no right to it follows from the facts")


class DisagreementError(AssertionError):
    """What the second reader says of a table is not what the table does."""


class Disagreement(NamedTuple):
    """The reader and the table differ about a right of somebody, or about an amount."""

    right: str
    person: str
    reader: str
    table: str

    def __str__(self) -> str:
        return f"{self.right}, {self.person or 'anybody'}\n  reader: {self.reader}\n  table:  {self.table}"


class Comparison:
    """One state of a table against one reading of its facts."""

    def __init__(self, state: State, facts: list[Fact]) -> None:
        self.state = state
        self.log = Log(facts)
        self.round = self.log.round
        self.found: list[Disagreement] = []

    def staff(self, rank: str) -> str:
        return next((who for who, has in self.state.staff.items() if has == rank), "")

    def expect(self, right: str, person: str, command: AnyCommand, reason: Right | None) -> None:
        """The table accepts a command exactly if the reader has a reason for it."""
        decided = decide(self.state, command)
        if isinstance(decided, Refusal) != (reason is None):
            told = reason or NONE
            said = decided.sentence if isinstance(decided, Refusal) else "accepted"
            rules = decided.rules if isinstance(decided, Refusal) else decided[0].rules
            reader = f"{'yes' if reason else 'no'}: {told.why} ({', '.join(told.rules)})"
            asked = msgspec.json.encode(command).decode()
            self.found.append(Disagreement(right, person, reader, f"{said} ({', '.join(rules)}) to {asked}"))

    def equal(self, right: str, person: str, reader: object, table: object) -> None:
        if reader != table:
            self.found.append(Disagreement(right, person, str(reader), str(table)))

    # Everything -------------------------------------------------------------------------------------------

    def everything(self) -> list[Disagreement]:
        self._on_money()
        current = self.round
        if current is not None and all(map(self.staff, self._ranks(current))):
            self._on_insurance(current)
            self._on_choices(current)
            self._on_withdrawals(current)
            self._on_squeezing(current)
            self._on_handing(current)
            self._on_device(current)
            self._on_drawing(current)
            self._on_decisions(current)
            self._on_reports(current)
        return self.found

    @staticmethod
    def _ranks(current: Round) -> tuple[str, ...]:
        authority = current.rules.authority
        return (authority.deals.value, authority.amends.value, authority.decides.value)

    @property
    def dealer(self) -> str:
        return self.staff(self.state.rulebook.authority.deals.value)

    def _on_money(self) -> None:
        books, held = money.books(self.log), self.state.balances
        for player in self.state.players:
            rack, owed = held.get(f"rack:{player}", 0), -held.get(f"owed:{player}", 0)
            if player in books.unsure:
                self.equal("rack", player, books.racks[player] - books.owed[player], rack - owed)
                continue
            self.equal("rack", player, books.racks[player], rack)
            self.equal("owed", player, books.owed[player], owed)
        for box in range(1, self.state.setup.positions + 1):
            self.equal("box", str(box), books.boxes[box], held.get(f"box:{box}", 0))

    # Insurance --------------------------------------------------------------------------------------------

    def _on_insurance(self, current: Round) -> None:
        if current.rules.insurance is None or current.phase != "dealing":
            return
        for person in self.state.players:
            self._buying(current, person)
            open_to = insurance.must_answer(current)
            reason = Right(("5.3",), "an offer stands that is not answered") if person in open_to else None
            if reason is None and insurance.may_buy_more(current, person):
                continue  # the reading leaves open whether who has bought may still say no
            self.expect("decline", person, commands.Decline(by=person), reason)
            by_staff = commands.Decline(by=self.dealer, player=person)
            self.expect("decline by staff", person, by_staff, reason)
        self._silence(current)

    def _buying(self, current: Round, person: str) -> None:
        offers = {(one.box, one.hand, one.window): one for one in insurance.may_buy(current, person)}
        for stake in chips.lying(current.facts).values():
            if stake["player"] != person or stake["bet"] not in HANDS:
                continue
            for window in (1, 2):
                one = offers.get((stake["box"], stake["bet"], window))
                if one is not None and one.cap is None:
                    continue  # the reading leaves open whether a late offer is bought twice
                self._caps(current, person, stake, window, one)

    def _caps(self, current: Round, person: str, stake: Fact, window: int, one: insurance.Buy | None) -> None:
        unit, rack = current.unit, self.state.balances.get(f"rack:{person}", 0)
        cap = min(one.cap or 0, rack - rack % unit) if one else 0

        def insuring(cents: int) -> commands.Insure:
            return commands.Insure(
                by=person, box=stake["box"], hand=Side(stake["bet"]), cents=cents, window=window
            )

        if cap:
            assert one is not None
            kind = "late" if one.late else "by right"
            self.expect(f"insure {kind}", person, insuring(cap), one.right)
        self.expect("insure more", person, insuring(cap + unit), None)

    def _silence(self, current: Round) -> None:
        silent = tuple(insurance.must_answer(current))
        if silent:
            why = Right(("5.3",), f"{', '.join(silent)} would be silent")
            self.expect("close", "", commands.CloseInsurance(by=self.dealer, silent=silent), why)
            self.expect("close", "", commands.CloseInsurance(by=self.dealer), None)

    # Errors -----------------------------------------------------------------------------------------------

    def _on_choices(self, current: Round) -> None:
        asked = reports.choices(self.log, current)
        for person in self.state.players:
            choice = asked.get(person)
            reason = choice.right if choice else None
            for kind in ("continue", "return"):
                command = commands.Choose(by=person, choice=kind)
                self.expect(f"choose {kind}", person, command, reason)
                by_staff = commands.Choose(by=self.dealer, player=person, choice=kind)
                self.expect(f"choose {kind} by staff", person, by_staff, reason)
            if choice is not None:
                self._returns(person, choice)

    def _returns(self, person: str, choice: reports.Choice) -> None:
        decided = decide(self.state, commands.Choose(by=person, choice="return"))
        if not isinstance(decided, Refusal):
            made = [fact for event in decided if (fact := plain(event))["event"] == "choice-made"]
            self.equal("what goes back", person, set(choice.returns), set(made[0].get("returned", ())))

    def _on_withdrawals(self, current: Round) -> None:
        if current.phase != "dealing":
            return
        reason = reports.may_withdraw(current)
        for stake in chips.lying(current.facts).values():
            command = commands.TakeBack(by=stake["player"], box=stake["box"], bet=stake["bet"])
            self.expect("take back after the close", stake["player"], command, reason)
        allows = reports.may_allow_withdrawal(current)
        self.expect("allow withdrawal", "", commands.AllowWithdrawal(by=self.dealer), allows)

    def _on_decisions(self, current: Round) -> None:
        if current.phase != "dealing" or reports.is_held_up(current) or not cards.is_complete(current):
            return
        decided = decide(self.state, commands.Settle(by=self.dealer))
        waits = isinstance(decided, Refusal) and decided.code == "decision-needed"
        found = limits.awaits_decision(current)
        reader = {key: right.why for key, right in found.items()}
        if bool(found) != waits:
            said = str(decided.sentence) if isinstance(decided, Refusal) else "settles"
            self.found.append(Disagreement("a decision is awaited", "", str(reader or "none"), said))

    def _on_reports(self, current: Round) -> None:
        """What waits can be dismissed by who may rule on it, until that is done (42)."""
        waiting = [] if current.is_proposed else reports.waiting(current)
        first: dict[str, reports.Report] = {}
        for report in waiting:
            first.setdefault(report.pending["case"], report)
        top = self.staff(current.rules.authority.decides.value)
        for procedure in current.rules.procedures:
            one = first.get(procedure.case)
            waits = one is not None and one.ruling is None
            reason = Right(procedure.rules, "it was reported and not ruled on") if waits else None
            command = commands.Dismiss(by=top, case=procedure.case, reason="it was nothing")
            self.expect("report waits", procedure.case, command, reason)

    # What is listed ---------------------------------------------------------------------------------------

    def listed(self, person: str) -> None:
        """`legal` lists the same for a person, and for the dealer on that person's behalf."""
        current = self.round
        if current is None or current.phase != "dealing" or not self.dealer:
            return
        offers = insurance.may_buy(current, person) if current.rules.insurance else []
        if any(one.cap is None for one in offers) or insurance.may_buy_more(current, person):
            return  # the reading leaves open what who has bought may still do
        rack = self.state.balances.get(f"rack:{person}", 0)
        caps = {
            (one.box, one.hand, one.late): min(one.cap or 0, rack - rack % current.unit) for one in offers
        }
        bought = {place: cap for place, cap in caps.items() if cap}
        reader = {
            "insure": bought,
            "decline": bool(current.rules.insurance) and person in insurance.must_answer(current),
            "choose": person in reports.choices(self.log, current),
            "take back": reports.may_withdraw(current) is not None and person in chips.people(current),
        }
        self.equal("what legal lists", person, reader, _listed(legal(self.state, person), ""))
        by_staff = legal(self.state, self.dealer, (person,))
        self.equal("what legal lists to staff", person, reader, _listed(by_staff, person))

    # Cards ------------------------------------------------------------------------------------------------

    def _on_squeezing(self, current: Round) -> None:
        place = len(cards.lying(current)) + 1
        if current.phase != "dealing" or place > LONGEST:
            return
        for person in self.state.players:
            asked = squeezing.requested(current, person)  # what changes nothing is refused
            may = place in squeezing.may_request(self.log, current, person) and place not in asked
            reason = Right(current.rules.squeeze.rules, "has the largest bet") if may else None
            self.expect("request squeeze", person, commands.RequestSqueeze(by=person, cards=(place,)), reason)
            if current.rules.squeeze.right == "largest-bet" and not reports.is_held_up(current):
                self._permits(current, person, range(place, LONGEST + 1))

    def _permits(self, current: Round, person: str, places: Iterable[int]) -> None:
        """Cards that were asked for may be permitted; to whom has left or has no bet any more is left open."""
        asked = squeezing.requested(current, person)
        if self.log.is_away(person) or person not in chips.people(current):
            return
        for place in places:
            may = place in asked and squeezing.permit(self.log, current, place) != person
            reason = Right(current.rules.squeeze.rules, "asked for it") if may else None
            manager = self.staff(current.rules.authority.decides.value)
            command = commands.PermitSqueeze(by=manager, player=person, cards=(place,))
            self.expect("permit squeeze", person, command, reason)

    def _on_handing(self, current: Round) -> None:
        if current.phase != "dealing":
            return
        for place, card in enumerate(cards.lying(current), start=1):
            if card.face_up or card.holder or squeezing.was_taken_back(current, place):
                continue
            for person in self.state.players:
                reason = squeezing.may_be_handed(self.log, current, place, person)
                command = commands.HandOver(by=self.dealer, cards=(place,), player=person)
                self.expect("be handed a card", person, command, reason)

    def _on_device(self, current: Round) -> None:
        leave = self.staff("assistant-casino-manager")
        if current.method.device != "player" or not leave:
            return
        for person in self.state.players:
            given = squeezing.may_be_given(self.log, current, person)
            valid = Right(("3.12.1",), "has a wager that plays") if given == "dealer" else None
            self.expect(
                "be given the device", person, commands.GiveDevice(by=self.dealer, player=person), valid
            )
            either = Right(("3.12.2",), "by leave or with a wager that plays") if given else None
            self.expect("be given it by leave", person, commands.GiveDevice(by=leave, player=person), either)
            has_it = squeezing.holder(self.log) == person
            gives = (
                Right(("3.12.8.1",), "has the device") if has_it and not reports.is_held_up(current) else None
            )
            self.expect("give the device up", person, commands.GiveUpDevice(by=person), gives)
        taken = squeezing.may_be_taken(self.log, current)
        self.expect("take the device", "", commands.TakeDevice(by=self.dealer), taken)

    def _on_drawing(self, current: Round) -> None:
        shoe = self.state.shoe
        named = unlike_cards(self.state)
        if shoe is None or not shoe.to_come or (not shoe.waiting and not named) or current.phase != "dealing":
            return
        named_before = bool(shoe.waiting) and shoe.waiting[0].name is not None
        card = None if named_before or self.state.setup.unseen else named[0]
        for person in (*self.state.players, self.dealer):
            deals = person == self.dealer
            reason = squeezing.may_draw(self.log, current, person, deals=deals)
            self.expect("draw", person, commands.Draw(by=person, card=card), reason)


def _listed(options: Iterable[Option], player: str) -> dict[str, object]:
    """Of the listed commands for somebody, what can be insured, declined, chosen and taken back."""
    mine = [one for one in options if getattr(one.command, "player", "") == player]
    kinds = [type(one.command) for one in mine]
    bought = {
        (one.command.box, one.command.hand.value, one.command.window > 0): one.most
        for one in mine
        if isinstance(one.command, commands.Insure)
    }
    return {
        "insure": bought,
        "decline": commands.Decline in kinds,
        "choose": commands.Choose in kinds,
        "take back": commands.TakeBack in kinds,
    }


def plain(event: AnyEvent) -> Fact:
    found: Fact = msgspec.to_builtins(event)
    return found


def compare(state: State, facts: list[Fact], *, listing: bool = False) -> list[Disagreement]:
    """All disagreements; with `listing` what `legal` lists is looked at too, which takes longer."""
    comparison = Comparison(state, facts)
    for person in state.players if listing else ():
        comparison.listed(person)
    return comparison.everything()


class Beside(machine.Table):
    """A table that is read a second time after every command; who audits it otherwise is not asked."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.facts: list[Fact] = [plain(event) for event in self.log]
        self.asked: list[AnyCommand] = []

    def do(self, command: AnyCommand) -> tuple[AnyEvent, ...] | Refusal:
        decided = decide(self.state, command)
        if isinstance(decided, Refusal):
            return decided
        for event in decided:
            self.state = evolve(self.state, event)
            self.log.append(event)
            self.facts.append(plain(event))
        self.asked.append(command)
        self.look()
        return decided

    def look(self) -> None:
        found = compare(self.state, self.facts, listing=len(self.asked) % LISTING == 0)
        if found:
            raise DisagreementError("\n".join(told(self.log, self.facts, self.asked, found)))


def told(
    log: Sequence[AnyEvent], facts: list[Fact], asked: Sequence[AnyCommand], found: list[Disagreement]
) -> Iterator[str]:
    """The disagreements, the round as a dealer would tell it, and the commands that led there."""
    yield f"the second reader disagrees with the table of {facts[0]['setup']['rulebook']}:"
    yield from map(str, found)
    yield "what the reader says of everybody:"
    yield from statement(facts)
    yield "what happened in this round:"
    last = max((n for n, one in enumerate(facts) if one["event"] == "bets-opened"), default=0)
    before = sum(1 for _ in transcript(log[:last]))
    yield from list(transcript(log))[before:]
    yield "asked:"
    yield from (msgspec.json.encode(one).decode() for one in asked[-40:])


def check(log: Sequence[AnyEvent], state: State) -> None:
    """Any table, read once."""
    facts = [plain(event) for event in log]
    found = compare(state, facts, listing=len(log) % LISTING < LISTING // 4)
    if found:
        raise DisagreementError("\n".join(told(log, facts, (), found)))
