"""An auditor keeps books of its own, from the events alone, and holds every state of a table against them.

`Chips` knows where every chip lies, `Pack` where every card is, `Docket` what waits to be ruled on and carried
out. `Audit` asks all of them, judges limits and shares from the text of the interpretations, and settles every
round once more in two ways: as a single round, and as a fresh table that had the record right from the start.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from typing import ClassVar

import msgspec

from thirdcard.cards import Card
from thirdcard.errors import BadInput
from thirdcard.money import LARGEST_STAKE, Odds
from thirdcard.play.bets import Verdict, result
from thirdcard.play.outcome import possible
from thirdcard.play.settlement import Game, Insured
from thirdcard.play.tableau import LONGEST
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.conditions import sight_of
from thirdcard.rulebook.model import Bet, Side
from thirdcard.rulebook.remedies import REMEDIES
from thirdcard.table import Refusal, Setup, State, commands, decide, events, evolve
from thirdcard.table.commands import AnyCommand
from thirdcard.table.events import AnyEvent
from thirdcard.table.limits import played
from thirdcard.table.playing import cap_for
from thirdcard.table.rights.choosing import to_choose
from thirdcard.table.rights.insurance import Window, has_forgone, open_windows, why_forgone
from thirdcard.table.state import (
    HANDS,
    Line,
    Pending,
    Purchase,
    Round,
    Settlement,
    Shoe,
    Stake,
    stake_key,
)

READ_EVENT = msgspec.json.Decoder(AnyEvent).decode
ENCODE = msgspec.json.Encoder().encode
CHOICES = ("options", "withdraw", "withdraw-all")
# A debt comes from chips that have to be where they were, and are gone.
OWES = (events.SettlementReversed, events.ChipsPutRight, events.StakeSet)
replace = msgspec.structs.replace


@cache
def game(rules: Rulebook, layout: str, decks: int, unit: int) -> Game:
    return Game(rules, layout, decks=decks, unit=unit)


def total(stakes: Iterable[Stake], bet: str) -> int:
    return sum(stake.cents for stake in stakes if stake.bet == bet)


# Chips --------------------------------------------------------------------------------------------------


class Chips:
    """Every stake and every insurance from the moment it is put down: in play, late, settled or returned.

    Works out on its own what each event has to move. What has been returned is gone from here, so that nothing
    comes back twice; what was settled waits in `settled` for a reversal.
    """

    def __init__(self) -> None:
        self.stakes: dict[str, Stake] = {}
        self.insured: list[Purchase] = []
        self.late: dict[str, Stake] = {}
        self.settled: tuple[dict[str, Stake], list[Purchase], Counter[str]] | None = None
        self.early: Counter[str] = Counter()  # what was won or lost before the round's end

    def event(self, event: AnyEvent) -> None:
        due: Counter[str] = Counter()
        follow: Callable[..., None] | None = self.FOLLOWS.get(type(event))
        if follow is not None:
            follow(self, event, due)
        moved: Counter[str] = Counter()
        for posting in event.postings:
            kind, _, player = posting.account.partition(":")
            owed = kind == "owed"
            assert posting.cents > 0 or not owed or isinstance(event, OWES), "a debt comes from a reversal"
            moved[f"rack:{player}" if owed else posting.account] += posting.cents
        assert {a: c for a, c in moved.items() if c} == {a: c for a, c in due.items() if c}, (
            "an event moves what its stakes say"
        )

    def _cash(self, event: events.BoughtIn | events.CashedOut, due: Counter[str]) -> None:
        came = event.cents if isinstance(event, events.BoughtIn) else -event.cents
        due.update({f"rack:{event.player}": came, "cash": -came})

    def _opened(self, _: events.BetsOpened, __: Counter[str]) -> None:
        assert not self.stakes, "a stake is settled or returned before the next round"
        assert not self.insured
        assert not self.late
        self.settled = None
        self.early = Counter()

    def _set(self, event: events.StakeSet, due: Counter[str]) -> None:
        old = self.stakes.pop(event.stake.key, None)
        assert event.before == (old.cents if old else 0), "what has gone back does not go back again"
        self._lay(due, event.stake.player, event.stake.box, event.stake.cents - event.before)
        if event.stake.cents:
            self.stakes[event.stake.key] = event.stake

    def _came_late(self, event: events.LateChipsRecorded, due: Counter[str]) -> None:
        late = event.late
        self._lay(due, late.player, late.box, late.cents)
        cents = late.cents + (self.late[late.key].cents if late.key in self.late else 0)
        self.late.pop(late.key, None)
        if cents:
            self.late[late.key] = replace(late, cents=cents)

    def _put_right(self, event: events.ChipsPutRight, due: Counter[str]) -> None:
        for key in event.stakes:
            late = self.late.pop(key)
            self._lay(due, late.player, late.box, -late.cents)

    def _bought(self, event: events.InsuranceBought, due: Counter[str]) -> None:
        self.insured.append(event.purchase)
        self._lay(due, event.purchase.player, event.purchase.box, event.purchase.cents)

    def _chosen(self, event: events.ChoiceMade, due: Counter[str]) -> None:
        assert set(event.returned) <= set(self.stakes), "what has gone back does not go back again"
        self._returned(event.returned, due)

    def _voided(self, _: events.RoundVoided, due: Counter[str]) -> None:
        assert not self.late, "late chips go back before all others"
        self._returned(tuple(self.stakes), due)
        self._uninsured(self.insured, due)
        for player, won in self.early.items():  # a void takes back what was settled early (interpretation 58)
            due.update({f"rack:{player}": -won, "house": won})
        self.early = Counter()

    def _reversed(self, _: events.SettlementReversed, due: Counter[str]) -> None:
        assert self.settled is not None, "only what is settled can be reversed"
        self.stakes, self.insured, moved = self.settled
        due.subtract(moved)
        self.settled = None

    @staticmethod
    def _lay(due: Counter[str], player: str, box: int, cents: int) -> None:
        due[f"rack:{player}"] -= cents
        due[f"box:{box}"] += cents

    def _returned(self, keys: Sequence[str], due: Counter[str]) -> None:
        for key in keys:
            stake = self.stakes.pop(key)
            self._lay(due, stake.player, stake.box, -stake.cents)
        self._uninsured([x for x in self.insured if stake_key(x.player, x.box, x.hand) in keys], due)

    def _uninsured(self, gone: list[Purchase], due: Counter[str]) -> None:
        for one in gone:
            self._lay(due, one.player, one.box, -one.cents)
        self.insured = [one for one in self.insured if one not in gone]

    def _changed(self, event: events.PlayedChanged, due: Counter[str]) -> None:
        """Insurance stays as it was bought, or goes back whole."""
        rest = list(event.purchases)
        gone = [one for one in self.insured if not (rest and rest[0] == one and rest.pop(0))]
        assert not rest, "what was bought is kept on record"
        self._uninsured(gone, due)

    def _decided(self, event: events.DecidedSettled, due: Counter[str]) -> None:
        for line in event.lines:
            assert line.result in ("win", "lose", "returned"), "only what is won or lost is settled early"
            stake = self.stakes.pop(stake_key(line.player, line.box, line.bet))
            assert stake.cents == line.stake
            self.early[line.player] += line.net
        self._lines(event.lines, due)

    def _settle(self, event: events.RoundSettled, due: Counter[str]) -> None:
        """A line for each stake and each insurance that lies there, for exactly its cents."""
        assert self.settled is None, "a round is settled once"
        assert not self.late, "late chips go back before a round is settled"
        lying = [(s.player, s.box, s.bet, s.cents, None) for s in self.stakes.values()]
        insured = [(p.player, p.box, f"{p.hand}-insurance", p.cents, p.window) for p in self.insured]
        lines = [(x.player, x.box, x.bet, x.stake, x.window) for x in event.settlement.lines]
        assert sorted(map(str, lines)) == sorted(map(str, [*lying, *insured])), "a stake is settled once"
        self._lines(event.settlement.lines, due)
        self.settled = (self.stakes, self.insured, Counter(due))
        self.stakes, self.insured = {}, []

    @staticmethod
    def _lines(lines: Iterable[Line], due: Counter[str]) -> None:
        for line in lines:
            assert line.net >= -line.stake, "nobody loses more than was staked"
            assert line.played is None or 0 <= line.played <= line.stake, (
                "nobody plays for more than lies there"
            )
            due[f"rack:{line.player}"] += line.stake + line.net
            due["house"] -= line.net
            due[f"box:{line.box}"] -= line.stake

    FOLLOWS: ClassVar[dict[type, Callable[..., None]]] = {
        events.BoughtIn: _cash,
        events.CashedOut: _cash,
        events.BetsOpened: _opened,
        events.StakeSet: _set,
        events.LateChipsRecorded: _came_late,
        events.ChipsPutRight: _put_right,
        events.InsuranceBought: _bought,
        events.PlayedChanged: _changed,
        events.ChoiceMade: _chosen,
        events.RoundVoided: _voided,
        events.DecidedSettled: _decided,
        events.RoundSettled: _settle,
        events.SettlementReversed: _reversed,
    }

    def lying(self, positions: int) -> dict[int, int]:
        """What lies in each box."""
        boxes = dict.fromkeys(range(1, positions + 1), 0)
        for stake in (*self.stakes.values(), *self.late.values()):
            boxes[stake.box] += stake.cents
        for purchase in self.insured:
            boxes[purchase.box] += purchase.cents
        return boxes

    def check(self, state: State) -> None:
        current = state.round
        if current is None or current.settlement is not None:
            assert not self.stakes
            return
        ours, theirs = ({k: x.cents for k, x in each.items()} for each in (current.stakes, self.stakes))
        assert ours == theirs, "what is in play lies there"
        assert list(current.purchases) == self.insured, "what was bought is kept on record"
        assert {k: x.cents for k, x in current.late.items()} == {k: x.cents for k, x in self.late.items()}


# Cards --------------------------------------------------------------------------------------------------


class Pack:
    """Every card that has left the shoe in use is in one place: the round, waiting, a report, or out of play."""

    def __init__(self) -> None:
        self.out: list[Card | None] = []  # of earlier rounds, of voids, of a deal that was reset
        self.used = 0  # how many have left the shoe, counted from the events

    def event(self, before: State, event: AnyEvent, after: State) -> None:
        count = COUNTS.get(type(event))
        self.used += count(before, event) if count else 0
        current = before.round
        if isinstance(event, events.ShoeStarted):
            self.out, self.used = [], 0
        elif current is None or not in_use(before):
            pass
        elif isinstance(event, events.BetsOpened):
            self.out += current.cards
        elif isinstance(event, events.RoundVoided):
            rest = [one for one in current.reported if not is_excess(before, one)]
            self.out += [name for report in rest for name in report.drawn]
        elif isinstance(event, events.BetsReopened):
            self.out += [*current.cards, *(name for one in current.reported for name in one.drawn)]
        elif isinstance(event, events.ReportEnded):
            self.out += current.reported[event.number - 1].drawn
        elif isinstance(event, events.IrregularityClosed) and current.pending is not None:
            over = current.phase in ("void", "betting")  # or the device was reset
            assert over or not current.pending.drawn, "no card is lost"
            self.out += current.pending.drawn
        elif isinstance(event, events.CardsLaid):
            self.out += event.out
            self._laid(before, event, after)

    @staticmethod
    def _laid(before: State, event: events.CardsLaid, after: State) -> None:
        """The same cards as before, in other places; none that was seen is hidden again."""
        assert before.round is not None
        assert before.shoe is not None
        pending = before.round.pending
        inputs = pending.inputs if pending else None
        names = Counter(lying(before))
        if inputs is not None:
            names.update(inputs.substitutes.values())
            names[None] -= len(inputs.substitutes)
        names[None] += (after.shoe.used if after.shoe else 0) - before.shoe.used
        assert +Counter((*lying(after), *event.out)) == +names, "no card is lost"
        assert public(before) <= public(after), "what everybody has seen stays seen"

    def check(self, state: State) -> None:
        shoe, current = state.shoe, state.round
        if current is not None:
            assert not current.drawn or current.phase not in ("betting", "adjusting"), (
                "cards follow the close"
            )
            for place, one in enumerate(current.drawn, start=1):
                assert not (one.face_up and one.holder), "a card that lies face up is in nobody's hands"
                assert one.name is not None or not one.face_up, "a card that lies face up has a name"
                assert one.holder in ("", *state.players), place
                assert not one.holder or one.holder in one.seen_by, "who holds a card has had it in hand"
        if shoe is None:
            return
        here = lying(state)
        assert shoe.used == self.used, "the shoe counts its cards"
        assert shoe.used == len(here) + len(self.out), "every card is in one place"
        names = Counter(card for card in (*here, *self.out) if card is not None)
        assert max(names.values(), default=0) <= shoe.size // 52, "no card twice"
        counts = {name: n for name, n in shoe.drawn.items() if n}
        assert counts == {card.value: n for card, n in names.items() if n}, "the shoe counts its cards"
        assert shoe.used <= shoe.size


def in_use(state: State) -> bool:
    """Whether the round is dealt from the shoe that is in use."""
    return state.round is not None and state.shoe is not None and state.round.shoe == state.shoe.number


def reports(state: State) -> tuple[Pending, ...]:
    current = state.round
    if current is None or current.pending is None:
        return ()
    return (current.pending, *current.reported)


def lying(state: State) -> list[Card | None]:
    """The cards of the shoe in use that are still somewhere: in the round, in reports, waiting."""
    found: list[Card | None] = []
    if in_use(state):
        assert state.round is not None
        found += state.round.cards
        found += [name for report in reports(state) for name in report.drawn]
    if state.shoe is not None:
        found += [one.name for one in state.shoe.waiting]
    return found


def public(state: State) -> Counter[Card]:
    """The cards of the round, of reports and of those that wait that everybody has seen."""
    found = [one.name for one in (state.shoe.waiting if state.shoe else ()) if one.face_up]
    if state.round is not None:
        found += [one.name for one in state.round.drawn if one.face_up]
        for report in reports(state)[:1]:
            first = report.first or len(state.round.drawn) + 1
            waited = [one.face_up for one in report.waited] + [False] * len(report.drawn)
            came = zip(range(first, first + len(report.drawn)), report.drawn, waited, strict=False)
            found += [name for place, name, seen in came if seen or place in report.shown]
    return Counter(name for name in found if name is not None)


def _drew(before: State, _: events.CardDrawn) -> int:
    return 0 if before.shoe and before.shoe.waiting else 1


def _reported(_: State, event: events.IrregularityReported) -> int:
    return len(event.pending.drawn) - len(event.pending.waited)


def _dismissed(before: State, event: events.ReportDismissed) -> int:
    dismissed = reports(before)[event.number]
    return len(dismissed.waited) - len(dismissed.drawn)


def _amended(before: State, event: events.CardsAmended) -> int:
    """More or fewer cards came out than were on record: as many as two people said, no more and no less."""
    if not in_use(before) or before.round is None or before.shoe is None:
        return 0
    there = len(before.round.drawn) + len(before.shoe.waiting)
    new = len(event.cards) + len(event.waiting) - there
    if before.round.proposal is not None:
        more = len(before.round.proposal.cards) - len(before.round.drawn)
        assert new == (max(more - len(before.shoe.waiting), 0) if more > 0 else more), "no card is lost"
    return new


def _set_aside(before: State, event: events.CardsLaid) -> int:
    """Two cards come out unseen where somebody left with cards; else a lay draws nothing."""
    if not in_use(before):
        return 0  # what is left over is out of use, as its shoe is
    assert before.round is not None
    assert before.shoe is not None
    drawn = before.round.pending.drawn if before.round.pending else ()
    there = len(before.round.drawn) + len(before.shoe.waiting) + len(drawn)
    new = len(event.cards) + len(event.waiting) + len(event.out) - there
    remedies = before.round.pending.remedies if before.round.pending else ()
    assert new == (min(2, before.shoe.left) if remedies[:1] == ("substitute-cards",) else 0), (
        "no card is lost"
    )
    return new


COUNTS: dict[type, Callable[..., int]] = {
    events.CardDrawn: _drew,
    events.IrregularityReported: _reported,
    events.ReportDismissed: _dismissed,
    events.CardsAmended: _amended,
    events.CardsLaid: _set_aside,
}


def is_excess(state: State, report: Pending) -> bool:
    """Whether its cards open the next round also if this one is void (interpretation 56)."""
    procedure = next(one for one in state.rulebook.procedures if one.case == report.case)
    return "excess-cards" in procedure.about


# What waits ---------------------------------------------------------------------------------------------


class Docket:
    """Irregularities in the order they were reported, and what each still asks for."""

    def __init__(self) -> None:
        self.waiting: list[str] = []
        self.to_do: list[str] = []  # of the first of them: a ruling, then its remedies
        self.asked: set[str] = set()  # who has yet to choose
        self.chosen: set[str] | None = None  # who has chosen, once they are asked
        self.accepted: set[str] = set()  # who accepts every later card of the round
        self.changed = False  # something has happened since the last remedy
        self.replaced = False  # the cards in use come out of play
        self.last: AnyEvent | None = None

    def event(self, before: State, event: AnyEvent, after: State) -> None:
        self._cards(event)
        follow: Callable[..., None] | None = self.FOLLOWS.get(type(event))
        if follow is not None:
            follow(self, before, event, after)
        elif not (isinstance(event, events.CardsExposed) and isinstance(self.last, events.IrregularityRuled)):
            self.changed = True
        self.last = event
        self._asks(after)
        pending = after.round.pending if after.round else None
        assert (pending.case if pending else "") == (self.waiting[0] if self.waiting else ""), (
            "irregularities have their turn in the order reported"
        )
        assert self.waiting or not (self.to_do or self.asked), "what is not done holds the round up"

    def _asks(self, after: State) -> None:
        """A bet that is found or struck adds a choice or ends one (interpretation 49)."""
        current = after.round
        if self.chosen is None or current is None or current.pending is None:
            self.asked = set()
            return
        accepted = self.accepted if self.to_do[:1] == ["options"] else set()
        self.asked = {
            player
            for player in after.players
            if open_stakes(after, current, player) and player not in {*self.chosen, *accepted}
        }

    def _cards(self, event: AnyEvent) -> None:
        if isinstance(event, events.CardsReplaced):
            self.replaced = True
        elif isinstance(event, events.ShoeStarted):
            self.replaced = False
        elif isinstance(event, events.BetsOpened):
            assert not self.replaced, "a new shoe comes before the next round"
            self.accepted = set()
        elif isinstance(event, events.BetsReopened):
            self.accepted = set()

    def _reported(self, _: State, event: events.IrregularityReported, __: State) -> None:
        if event.first:  # it may void the round, and nothing of the one before was carried out
            assert self.to_do == ["rule"]
        self.waiting.insert(0 if event.first else len(self.waiting), event.pending.case)
        if len(self.waiting) == 1:
            self.to_do = ["rule"]

    def _dismissed(self, before: State, event: events.ReportDismissed, _: State) -> None:
        assert reports(before)[event.number].inputs is None, "what was ruled on is carried out"
        assert self.waiting.pop(event.number) == event.case
        if event.number == 0:
            self.to_do = ["rule"] if self.waiting else []

    def _no_more(self, before: State, event: events.ReportEnded, _: State) -> None:
        """It was about cards of a deal that is reset."""
        assert event.number > 0
        assert self.waiting.pop(event.number) == event.case
        assert self.to_do == ["reopen"]
        report = reports(before)[event.number]
        procedure = next(one for one in before.rulebook.procedures if one.case == report.case)
        kept = {"bad-cards", "too-few-cards", "order-altered", "interruption", "display", "differential"}
        assert not kept.intersection(procedure.about), "what is not about its cards outlives a reset"

    def _ruled(self, _: State, event: events.IrregularityRuled, __: State) -> None:
        assert self.to_do == ["rule"], "one ruling for one irregularity"
        self.to_do, self.changed = list(event.remedies), False

    def _done(self, _: State, event: events.RemedyDone | events.RemedyNeedless, after: State) -> None:
        assert not self.asked, "a round goes on when all choices are made"
        assert event.remedy == self.to_do.pop(0), "remedies are carried out in their order"
        chosen, self.chosen = self.chosen, None
        if chosen is not None:
            assert bool(chosen) == isinstance(event, events.RemedyDone), "it is done if somebody chose"
            self.changed = False
            return
        cut = event.remedy in ("pro-rata", "to-maximum") and after.round is not None and after.round.played
        kept = bool(cut) or (
            event.remedy == "keep-for-next-round" and after.shoe is not None and bool(after.shoe.waiting)
        )
        if isinstance(event, events.RemedyNeedless):
            assert not self.changed, "a remedy that changed something is logged as done"
        elif REMEDIES[event.remedy].alters:
            assert self.changed or kept, "a remedy that changed nothing is not logged as done"
        self.changed = False

    def _ended(self, _: State, __: events.RoundVoided, ___: State) -> None:
        """A void ends all of them; what is left of the first is carried out."""
        del self.waiting[1:]
        self.changed = True

    def _closed(self, _: State, __: events.IrregularityClosed, after: State) -> None:
        assert after.phase == "void" or not (self.to_do or self.asked), "a round is released too soon"
        self.waiting.pop(0)
        self.to_do, self.chosen = ["rule"] if self.waiting else [], None

    def _offered(self, before: State, event: events.ChoicesOffered, after: State) -> None:
        assert before.round is not None
        self.chosen = set()
        self._asks(after)
        assert set(event.players) == self.asked, "who has an undecided bet is asked"

    def _chosen(self, before: State, event: events.ChoiceMade, _: State) -> None:
        current = before.round
        assert current is not None
        pending = current.pending
        assert pending is not None
        assert event.player in self.asked, "who is asked chooses once"
        assert self.chosen is not None
        self.chosen.add(event.player)
        self.changed = True
        may = set(open_stakes(before, current, event.player) if event.choice == "return" else ())
        whole = may == set(event.returned)
        assert whole or (pending.singly and set(event.returned) <= may), "undecided bets go back"
        if event.choice == "continue" and pending.remedies[:1] == ("options",):
            self.accepted.add(event.player)

    def _late(self, before: State, event: events.LateInsuranceOpened, _: State) -> None:
        current = before.round
        assert current is not None
        assert current.seen == tuple(one.name for one in current.drawn if one.face_up)
        self.accepted.update(event.players)
        self.changed = True

    FOLLOWS: ClassVar[dict[type, Callable[..., None]]] = {
        events.IrregularityReported: _reported,
        events.ReportDismissed: _dismissed,
        events.IrregularityRuled: _ruled,
        events.RemedyDone: _done,
        events.RemedyNeedless: _done,
        events.RoundVoided: _ended,
        events.ReportEnded: _no_more,
        events.IrregularityClosed: _closed,
        events.ChoicesOffered: _offered,
        events.ChoiceMade: _chosen,
        events.LateInsuranceOpened: _late,
    }


def open_stakes(state: State, current: Round, player: str) -> list[str]:
    """Stakes not yet won or lost, from the cards beyond doubt that everybody has seen; once settled, none."""
    pending = current.pending
    assert pending is not None
    if current.settlement is not None:
        return []
    mine = [(key, stake) for key, stake in current.stakes.items() if stake.player == player]
    if pending.inputs is not None and pending.inputs.action:
        return [key for key, _ in mine]
    seen = [
        None if one.doubtful or not (one.face_up or n in pending.shown) else one.name or pending.names.get(n)
        for n, one in enumerate(current.drawn, start=1)
    ]
    came = enumerate(pending.drawn, start=pending.first or len(seen) + 1)
    known = (*seen, *(name if place in pending.shown else None for place, name in came))

    def verdicts(bet: Bet) -> set[Verdict]:
        outcomes = possible(state.rulebook.table_of_play, known[:LONGEST], sight_of(bet))
        return {result(bet, one).verdict for one in outcomes}

    return [key for key, stake in mine if verdicts(state.rulebook.bets[stake.bet]) not in ({"win"}, {"lose"})]


# The auditor --------------------------------------------------------------------------------------------


class Audit:
    """Keeps its own books from the events alone and holds every state against them."""

    def __init__(self) -> None:
        self.balances: Counter[str] = Counter()
        self.at_open: Counter[str] = Counter()  # racks, debts and House when the round was opened
        self.brought: Counter[str] = Counter()  # bought in less cashed out since
        self.early: Counter[str] = Counter()  # won or lost before the round's end
        self.opened: State | None = None  # the table when the round was opened
        self.chips, self.pack, self.docket = Chips(), Pack(), Docket()
        self.recorded: set[str] = set()  # stakes that staff set, whatever the limits
        self.boxes: set[int] = set()  # where chips were recorded, or went back by a decision
        self.marks: list[str] = []  # results of the shoe in use
        self.touched = False  # chips were recorded or returned after the close
        self.demanded: set[str] = set()  # stakes to be raised or taken back before the close
        self.walked: set[str] = set()  # who has walked away in this round
        self.once: tuple[str, ...] = ()  # whose wagers under the minimum had been settled at the close
        self.compared = 0  # rounds that a fresh table has settled too
        self.amended = False  # the record of the round was put right

    def event(self, before: State, event: AnyEvent, after: State) -> None:
        assert READ_EVENT(ENCODE(event)) == event, "an event survives being written and read"
        if isinstance(event, events.BetsOpened):
            self._opened(before, event, after)
        self._money(event, after)
        self._marks(event, after)
        self.pack.event(before, event, after)
        self.pack.check(after)
        self.docket.event(before, event, after)
        self._chips(event, after)
        follow: Callable[..., None] | None = self.FOLLOWS.get(type(event))
        if follow is not None:
            follow(self, before, event, after)

    def _opened(self, before: State, event: events.BetsOpened, after: State) -> None:
        assert event.number == before.rounds + 1
        self.at_open, self.brought, self.early = Counter(self.balances), Counter(), Counter()
        self.recorded, self.boxes, self.demanded = set(), set(), set()
        self.touched, self.amended, self.walked, self.opened = False, False, set(), after

    # Money

    def _money(self, event: AnyEvent, after: State) -> None:
        assert sum(posting.cents for posting in event.postings) == 0, "an event's postings sum to zero"
        for posting in event.postings:
            self.balances[posting.account] += posting.cents
        ours, theirs = ({a: c for a, c in b.items() if c} for b in (after.balances, self.balances))
        assert ours == theirs, "balances are the sums of postings"
        assert sum(after.balances.values()) == 0, "money is neither made nor lost"
        self.chips.event(event)
        self.chips.check(after)
        boxes = self.chips.lying(after.setup.positions)
        lie = {number: after.balances.get(f"box:{number}", 0) for number in boxes}
        assert lie == boxes, "a box holds the stakes and insurance that lie there"

    def _cash(self, _: State, event: events.BoughtIn | events.CashedOut, __: State) -> None:
        self.brought[event.player] += event.cents if isinstance(event, events.BoughtIn) else -event.cents

    def _racks(self, after: State, won: Counter[str]) -> None:
        """What everybody has: what they had when the round was opened, and what came since; debts count."""
        for player in after.players:
            owed = f"owed:{player}"
            had = self.at_open[f"rack:{player}"] + self.at_open[owed]
            expected = had + self.brought[player] + self.early[player] + won[player]
            assert self.balances[f"rack:{player}"] + self.balances[owed] == expected, (
                "a round moves what its lines say"
            )
        house = self.at_open["house"] - won.total() - self.early.total()
        assert self.balances["house"] == house

    # Chips and limits

    def _marks(self, event: AnyEvent, after: State) -> None:
        gone = not in_use(after)
        if isinstance(event, events.ShoeStarted):
            self.marks = []
        elif isinstance(event, events.RoundSettled) and not gone:
            self.marks.append(event.settlement.outcome)
        elif isinstance(event, events.SettlementReversed) and not gone:
            self.marks.pop()
        assert [mark.winner for mark in after.results] == self.marks, "a mark for each round that counts"

    def _exempted(self, event: AnyEvent, after: State) -> None:
        """Stakes and boxes that need no longer keep the limits."""
        if isinstance(event, events.StakeSet):
            if event.why in ("recorded", "returned"):
                self.recorded.add(event.stake.key)
                self.boxes.add(event.stake.box)
                self.touched |= after.phase == "dealing"
            elif event.stake.cents == 0:
                self.recorded.discard(event.stake.key)
        elif isinstance(event, events.ChoiceMade):
            self.boxes.update(int(key.split("/")[0]) for key in event.returned)
            self.touched |= bool(event.returned)
        elif isinstance(event, events.DecidedSettled):
            self.boxes.update(line.box for line in event.lines)
            self.touched = True

    def _chips(self, event: AnyEvent, after: State) -> None:
        self._exempted(event, after)
        if isinstance(event, events.RaiseDemanded):
            self.demanded.update(event.stakes)
        current = after.round
        if current is None or after.phase in ("settled", "void"):
            return
        for key, stake in current.stakes.items():
            limit = after.setup.limit(stake.bet)
            if isinstance(event, events.BetsClosed) and key in self.demanded:
                assert stake.cents >= limit.min, "who was told to raise has raised"
            assert stake.cents > 0
            assert stake.cents % after.setup.chip_unit == 0
            if key not in self.recorded:
                assert limit.min <= stake.cents <= (limit.max or stake.cents), "a stake is within its limits"
        most = after.setup.most_wagers
        if most is not None:
            areas = Counter((s.box, s.bet) for s in current.stakes.values())
            assert all(n <= most for (box, _), n in areas.items() if box not in self.boxes)

    def _close(self, before: State, _: events.BetsClosed, after: State) -> None:
        self.once = before.settled_once
        assert after.round is not None
        assert after.round.closed == after.round.stakes

    def _box_differential(self, setup: Setup, current: Round, box: int) -> None:
        if setup.differential is not None and setup.book.limits.differential.scope == "box":
            stakes = [stake for stake in current.stakes.values() if stake.box == box]
            difference = abs(total(stakes, "player") - total(stakes, "banker"))
            assert difference <= setup.differential, "a box keeps the differential"

    def _table_differential(self, setup: Setup, current: Round) -> None:
        """Met at the close; chips recorded or wagers withdrawn after it are another matter."""
        if setup.differential is None or setup.book.limits.differential.scope != "table":
            return
        if not self.touched and not current.withdrawal and not current.drawn:
            stakes = current.stakes.values()
            assert abs(total(stakes, "player") - total(stakes, "banker")) <= setup.differential

    # People

    def _walked_away(self, _: State, event: events.WalkedAway, after: State) -> None:
        self.walked.add(event.player)
        assert after.round is not None
        assert has_forgone(after, after.round, event.player) or not any(
            one.player == event.player for one in after.round.stakes.values()
        ), "who walked away has forgone insurance"

    def _bought(self, before: State, event: events.InsuranceBought, _: State) -> None:
        bought = event.purchase
        assert bought.player not in self.walked, "who walked away has forgone insurance"
        assert before.round is not None
        assert stake_key(bought.player, bought.box, bought.hand) in before.round.stakes
        windows = [one for one in open_windows(before, before.round) if one.number == bought.window]
        assert any(bought.player in one.late_for if bought.late else not one.late_for for one in windows), (
            "insurance is bought of a window that is open, late by who was neglected"
        )

    def _window_closed(self, before: State, event: events.InsuranceClosed, _: State) -> None:
        """Who was offered and gave no answer was silent, and nobody else."""
        current = before.round
        assert current is not None
        windows = [
            one
            for one in open_windows(before, current)
            if (one.number, bool(one.late_for)) == (event.window, event.late)
        ]
        assert windows
        silent = {who for one in windows for who in set(offered_to(before, current, one)) - {*one.answered}}
        assert set(event.forgone) == silent, "who kept silent has forgone insurance"

    def _refused(self, _: State, event: events.CardsRefused, after: State) -> None:
        current = after.round
        assert current is not None
        for place, who in current.handed.items():
            hand = current.hand(after.rulebook.table_of_play, place)
            assert (hand, who) != (event.hand, event.player), "cards that are refused go back"

    # Results

    def _voided(self, _: State, __: events.RoundVoided, after: State) -> None:
        self.early = Counter()
        self._racks(after, Counter())
        assert after.round is not None
        assert not after.round.handed, "nobody holds cards of a void round"

    def _decided(self, _: State, event: events.DecidedSettled, __: State) -> None:
        for line in event.lines:
            self.early[line.player] += line.net

    def _put_right(self, _: State, __: events.RecordAmended, ___: State) -> None:
        self.amended = True

    def _settled(self, before: State, event: events.RoundSettled, after: State) -> None:
        settlement, current = event.settlement, before.round
        assert current is not None
        won: Counter[str] = Counter()
        groups: dict[tuple[str, int], list[Line]] = {}
        for line in settlement.lines:
            won[line.player] += line.net
            groups.setdefault((line.player, line.box), []).append(line)
        self._racks(after, won)
        assert all(one.face_up for one in current.drawn), "a round is settled when all has been seen"
        for lines in groups.values():
            self._as_a_single_round(lines, settlement, after)
        check_decided(before, current)
        check_insurance(before, current, settlement.lines)
        if self.opened is not None and is_plain(current):
            opened = replace(self.opened, settled_once=before.settled_once, players=before.players)
            self._as_from_the_start(opened, current, event)

    def _as_a_single_round(self, lines: list[Line], settlement: Settlement, after: State) -> None:
        """One person's lines in one box are those of the single round, where the stakes play in full."""
        current = after.round
        assert current is not None
        if any(line.played is not None or line.result == "returned" for line in lines):
            return
        compared = [
            line for line in lines if line.window is None or not any(p.late for p in current.purchases)
        ]
        setup = after.setup
        insured = [
            Insured(hand=Side(line.bet.removesuffix("-insurance")), window=line.window, stake=line.stake)
            for line in compared
            if line.window is not None
        ]
        stakes = {line.bet: line.stake for line in compared if line.window is None}
        single = game(setup.book, setup.layout, setup.decks, setup.chip_unit)
        try:
            statement = single.settle(current.seen, stakes, insured)
        except BadInput as error:
            raise AssertionError("the table settles as a single round does") from error
        ours = [(x.bet, x.stake, x.result, x.odds, x.net, x.rules, x.window) for x in compared]
        unnoticed = after.rulebook.limits.below_minimum_unnoticed.rules
        theirs = [
            (x.bet, x.stake, x.result, x.odds, x.net, (*x.rules, *unnoticed) if under else x.rules, x.window)
            for x in statement.bets
            for under in [x.window is None and x.stake < setup.limit(x.bet).min]
        ]
        assert ours == theirs, "the table settles as a single round does"
        points = (statement.outcome, statement.player.points, statement.banker.points)
        assert (settlement.outcome, settlement.player, settlement.banker) == points

    def _as_from_the_start(self, opened: State, current: Round, event: events.RoundSettled) -> None:
        fresh = from_the_start(opened, current)
        assert effects(event.settlement.lines) == effects(fresh.settlement.lines), (
            "what is derived is what a fresh round with that record gives"
        )
        assert set(event.once) == set(fresh.once)
        self.compared += self.amended

    def command(self, command: AnyCommand, after: State) -> None:
        """What holds once all events of a command have happened."""
        for account, cents in after.balances.items():
            assert cents >= 0 or not account.startswith(("rack:", "box:")), (
                "no rack and no box goes below zero"
            )
            assert cents <= 0 or not account.startswith("owed:"), "nobody is owed by a debt"
        current = after.round
        pending = current.pending if current else None
        if pending is not None and pending.inputs is not None:
            assert current is not None
            assert to_choose(after, current), "what holds the round up waits for somebody"
        if current is None or current.phase in ("settled", "void"):
            return
        if isinstance(command, commands.Place | commands.TakeBack) and command.box not in self.boxes:
            self._box_differential(after.setup, current, command.box)
        if current.phase == "dealing":
            self._table_differential(after.setup, current)
            check_plays(after, current, self.once)

    FOLLOWS: ClassVar[dict[type, Callable[..., None]]] = {
        events.BoughtIn: _cash,
        events.CashedOut: _cash,
        events.BetsClosed: _close,
        events.WalkedAway: _walked_away,
        events.InsuranceBought: _bought,
        events.InsuranceClosed: _window_closed,
        events.CardsRefused: _refused,
        events.RoundVoided: _voided,
        events.DecidedSettled: _decided,
        events.RecordAmended: _put_right,
        events.RoundSettled: _settled,
    }


def offered_to(state: State, current: Round, window: Window) -> list[str]:
    """Everybody with a bet on a hand that is offered; nobody who has forgone it, or was not neglected."""
    hands = {offer.hand for offer in window.offers}
    people = {stake.player for stake in current.stakes.values() if stake.bet in hands}
    there = people.intersection(window.late_for) if window.late_for else people
    return [one for one in there if not why_forgone(state, current, one, window.number)]


# Shares and caps, from the text of the interpretations ----------------------------------------------------


def check_plays(state: State, current: Round, once: tuple[str, ...]) -> None:
    """What each stake plays for, by interpretations 19 and 21: judged on the chips at the close, once."""
    closed, limits = current.closed, state.rulebook.limits
    plays = {key: stake.cents for key, stake in closed.items()}
    plays |= {key: one.cents for key, one in current.played.items()}
    assert set(current.played) <= set(closed), "what plays lay there at the close"
    by_table = limits.differential.scope == "table"
    for key, stake in current.stakes.items():
        limit = state.setup.limit(stake.bet)
        if key not in closed or closed[key].cents != stake.cents or key in current.decided:
            continue  # a decision has been taken on it
        if by_table:
            capped = limits.above_maximum_unnoticed.value == "to-maximum"
            expected = min(stake.cents, (capped and limit.max) or stake.cents)
            if limits.below_minimum_unnoticed.value == "settle-once" and stake.player in once:
                expected = 0 if stake.cents < limit.min else expected
            assert plays[key] == expected, "over the maximum plays for it; under the minimum once"
        else:
            assert min(stake.cents, limit.min) <= plays[key] <= stake.cents
            assert stake.bet in HANDS or plays[key] == stake.cents, "side bets play in full"
    if by_table or state.setup.differential is None:
        return
    boxes = {stake.box for stake in closed.values()}
    for box in boxes - {closed[key].box for key in current.decided if key in closed}:
        _check_shares(state, [s for s in closed.values() if s.box == box and s.bet in HANDS], plays)


def _check_shares(state: State, stakes: list[Stake], plays: dict[str, int]) -> None:
    assert state.setup.differential is not None
    lighter, heavier = sorted(HANDS, key=lambda hand: total(stakes, hand))
    allowed = total(stakes, lighter) + state.setup.differential
    minimum = state.setup.limit(heavier).min
    floors = sum(min(stake.cents, minimum) for stake in stakes if stake.bet == heavier)
    expected = min(total(stakes, heavier), max(allowed, floors))
    shares = sum(plays[stake.key] for stake in stakes if stake.bet == heavier)
    assert shares == expected, "the heavier hand plays for its share"
    assert all(plays[stake.key] == stake.cents for stake in stakes if stake.bet == lighter)


def check_decided(state: State, current: Round) -> None:
    """In RWS nothing over a maximum is settled before somebody has decided on it (interpretation 20)."""
    if state.rulebook.limits.above_maximum_unnoticed.value != "shift-manager":
        return
    for key, stake in current.stakes.items():
        most = state.setup.limit(stake.bet).max
        plays = min(stake.cents, current.played[key].cents) if key in current.played else stake.cents
        assert most is None or plays <= most or key in current.decided, "an excess is decided first"


def check_insurance(state: State, current: Round, lines: Iterable[Line]) -> None:
    """What plays of the insurance is within every cap of interpretation 12, and pays nothing twice."""
    terms = state.rulebook.insurance
    insured = [line for line in lines if line.window is not None and (line.played or line.played is None)]
    insured = [line for line in insured if line.result != "returned"]
    if terms is None:
        assert not insured
        return
    windows: Counter[tuple[str, int, str, int]] = Counter()
    winnings: Counter[tuple[str, int, str]] = Counter()
    long_odds: Counter[tuple[str, str, int]] = Counter()
    for line in insured:
        assert line.window is not None
        hand, plays = line.bet.removesuffix("-insurance"), line.stake if line.played is None else line.played
        assert line.odds is not None
        windows[line.player, line.box, hand, line.window] += plays
        winnings[line.player, line.box, hand] += int(plays * Odds(line.odds).ratio)
        if terms.long_odds is not None and Odds(line.odds) == terms.long_odds.odds:
            long_odds[line.player, hand, line.window] += plays
    _within_caps(state, current, windows, winnings, long_odds)
    _not_twice(state.rulebook, current, lines)


def _within_caps(
    state: State,
    current: Round,
    windows: Counter[tuple[str, int, str, int]],
    winnings: Counter[tuple[str, int, str]],
    long_odds: Counter[tuple[str, str, int]],
) -> None:
    terms = state.rulebook.insurance
    assert terms is not None

    def original(player: str, box: int, hand: str) -> int:
        key = stake_key(player, box, hand)
        if key in current.played:
            return min(current.played[key].cents, current.stakes[key].cents) if key in current.stakes else 0
        return current.stakes[key].cents if key in current.stakes else 0

    for (player, box, hand, _), cents in windows.items():
        if terms.stake_per_window is not None:
            assert cents <= original(player, box, hand), "insurance is at most its bet in each window"
    for (player, box, hand), cents in winnings.items():
        if terms.winnings_per_round is not None:
            assert cents <= original(player, box, hand), "insurance wins at most its bet"
    for (_, hand, _), cents in long_odds.items():
        limit = state.setup.limit(hand).max
        base = state.setup.differential if limit is None else limit
        assert base is None or cents <= Fraction(base, 4), "a quarter of the maximum at long odds"


def _not_twice(rules: Rulebook, current: Round, lines: Iterable[Line]) -> None:
    """Nobody gets the Original Bet back for want of an offer, and the same insurance paid."""
    terms = rules.insurance
    assert terms is not None
    back = {stake_key(x.player, x.box, x.bet) for x in lines if x.result == "returned" and x.window is None}
    for line in lines:
        if line.window is None or line.net <= 0:
            continue
        key = stake_key(line.player, line.box, line.bet.removesuffix("-insurance"))
        rows = current.neglected.get(key, ())
        if key in back:
            assert all(terms.offers[row].window != line.window for row in rows), "nothing is paid twice"


# The same round, right from the start ---------------------------------------------------------------------


def is_plain(current: Round) -> bool:
    """Whether cards, chips and purchases alone say what the round comes to: nothing was decided on, none late."""
    lay = {key: stake.cents for key, stake in current.closed.items()}
    play = {key: stake.cents for key, stake in current.stakes.items()}
    late = any(purchase.late for purchase in current.purchases)
    return lay == play and not (current.decided or current.neglected or late)


def from_the_start(opened: State, current: Round) -> events.RoundSettled:
    """The settlement of a fresh round that had these cards, chips and purchases on record all along.

    It is dealt face up from a new shoe. Whoever bought insurance buys as much of it as is really on offer and
    within the cap; everybody else says no.
    """
    rules, shoe = opened.rulebook, opened.shoe
    assert shoe is not None
    face_up = next(method.name for method in rules.dealing if not method.face_down)
    state = replace(
        opened,
        setup=replace(opened.setup, method=face_up, device="shoe", cut=0),
        shoe=Shoe(number=shoe.number, size=shoe.size),
        staff={"dealer": rules.authority.deals.value},
        balances={f"rack:{player}": 10 * LARGEST_STAKE for player in opened.players},
        device=None,
    )
    for stake in sorted(current.closed.values(), key=lambda one: one.order):
        chips = commands.RecordChips(
            by="dealer", player=stake.player, box=stake.box, bet=stake.bet, cents=stake.cents
        )
        state = _then(state, chips)
    assert state.round is not None
    state = evolve(state, events.BetsClosed(played=played(state, state.round.stakes)))
    for card in current.seen:
        state = _then(state, commands.Draw(by="dealer", card=card))
        state = _insured(state, current)
    decided = decide(state, commands.Settle(by="dealer"))
    assert not isinstance(decided, Refusal), decided
    (settled,) = [event for event in decided if isinstance(event, events.RoundSettled)]
    return settled


def _insured(state: State, record: Round) -> State:
    """The window that is open now, answered by everybody as the record says."""
    windows = open_windows(state, _current(state))
    if not windows:
        return state
    window = windows[0]
    for bought in record.purchases:
        offers = [one for one in window.offers if one.hand is bought.hand]
        here = stake_key(bought.player, bought.box, bought.hand) in _current(state).stakes
        if bought.window != window.number or not offers or not here:
            continue
        most = cap_for(state, _current(state), offers[0], bought.player, bought.box, late=False).cents
        cents = min(bought.cents, most)
        if cents:
            wish = commands.Insure(by=bought.player, box=bought.box, hand=bought.hand, cents=cents)
            state = _then(state, wish)
    for player in offered_to(state, _current(state), window):
        if player not in open_windows(state, _current(state))[0].answered:
            state = _then(state, commands.Decline(by=player))
    return state


def _current(state: State) -> Round:
    assert state.round is not None
    return state.round


def _then(state: State, command: AnyCommand) -> State:
    decided = decide(state, command)
    assert not isinstance(decided, Refusal), (command, decided)
    for event in decided:
        state = evolve(state, event)
    return state


def effects(lines: Iterable[Line]) -> list[tuple[object, ...]]:
    """Lines by what they do: insurance that does not play is as good as none."""
    found: list[tuple[object, ...]] = []
    for line in lines:
        plays = line.stake if line.played is None else line.played
        if line.window is None:
            found.append(
                (line.player, line.box, line.bet, 0, line.stake, plays, line.result, line.odds, line.net)
            )
        elif plays:
            found.append(
                (line.player, line.box, line.bet, line.window, 0, plays, line.result, line.odds, line.net)
            )
    return sorted(found, key=str)
