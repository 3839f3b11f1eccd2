"""Practice: the people at a table where somebody trains, who bet, answer, leave and err as a seed says.

They act through the same plans as everybody. At the desk the trainee deals and the house is the pit; at the
pit the house deals, errs and reports, and the trainee decides.
"""

from collections.abc import Iterator

import msgspec

from thirdcard.rulebook.model import Procedure
from thirdcard.school import shift_script as script
from thirdcard.school import shift_troubles as troubles
from thirdcard.school.shift_troubles import Trouble
from thirdcard.service.log.floor_events import SYSTEM, Pace
from thirdcard.service.people.roles import Person
from thirdcard.service.tables import floor_plans, plans
from thirdcard.service.tables.away import KeptChips
from thirdcard.service.tables.dealer import Do, DrawNext, Rest, Shuffle, next_step
from thirdcard.service.tables.live import PLAYING, Live
from thirdcard.service.tables.practice import Act
from thirdcard.table import State, commands, legal, refusal
from thirdcard.table.commands import AnyCommand
from thirdcard.table.practice import Practice
from thirdcard.table.ranks import outranks
from thirdcard.table.rights.choosing import to_choose
from thirdcard.table.rights.insurance import open_windows, silent_people
from thirdcard.table.state import Pending, Round, stake_key

PATRON_MS, HOUSE_MS = 400, 2_500
BROUGHT, LEAST = 2_000_000, 1_000_000  # what a patron buys in for, and below which again
PIT = Pace(
    betting=6_000, insurance=2_000, adjusting=2_000, choice=2_000, squeeze=2_000, card=700, result=3_000
)
HOUSE = Person(name=SYSTEM, role="assistant-casino-manager")
REASON = "…"


class ScriptedPeople:
    """Everybody at a practice table but the trainee; `done` is what they did that no state tells."""

    def __init__(self, practice: Practice) -> None:
        self.practice = practice
        self.done: set[tuple[object, ...]] = set()

    def next_act(self, live: Live) -> Act | None:
        """What comes next, None while the trainee is awaited."""
        if live.archived:
            return None
        for chosen in (self._ending(live), self._house(live), self._patrons(live), self._dealer(live)):
            act = next(chosen, None)
            if act is not None:
                return act
        return None

    # The end --------------------------------------------------------------------------------------------

    def _ending(self, live: Live) -> Iterator[Act]:
        state, playing = live.table, live.table.phase in PLAYING
        if playing and state.rounds >= self.practice.rounds and not live.last_round and not live.closed:
            yield Act(0, SYSTEM, floor_plans.announce_last_round())
        if playing or not live.ended or not is_over(live):
            return
        if not live.closed:
            yield Act(0, SYSTEM, plans.close_table())
        racks = {player: state.rack(player) for player in state.players}
        out = [
            commands.CashOut(by=SYSTEM, player=rack, cents=cents) for rack, cents in racks.items() if cents
        ]
        yield Act(0, SYSTEM, plans.dealt(*out) if out else floor_plans.archive_table())

    # The house: pit of who deals, dealer of who rules ---------------------------------------------------

    def _house(self, live: Live) -> Iterator[Act]:
        state, current = live.table, live.table.round
        if self.practice.post == "desk" and live.called:
            yield Act(HOUSE_MS, SYSTEM, plans.supervisor_came())
        if live.paying is not None and live.paying.disputed and state.phase not in PLAYING:
            box, _, player = next(iter(live.paying.disputed)).partition("/")
            yield Act(HOUSE_MS, SYSTEM, floor_plans.tick_payout(HOUSE, int(box), player, "paid"))
        if current is None:
            return
        if current.proposal is not None and current.proposal.by != SYSTEM:
            yield Act(HOUSE_MS, SYSTEM, plans.dealt(commands.ConfirmAmendment(by=SYSTEM)))
        pending = current.pending
        if pending is not None and pending.inputs is None and self._is_for_the_house(live, pending.decides):
            yield from self._ruled(state, pending)

    def _is_for_the_house(self, live: Live, decides: str) -> bool:
        """What the trainee may not decide; at the pit, what the trainee has passed up."""
        if self.practice.post == "pit":
            return bool(live.cases) and bool(live.cases[0].passed_to)
        rank = live.table.staff.get(self.practice.trainee, "")
        return not (rank and outranks(live.table.rulebook, rank, decides))

    def _ruled(self, state: State, pending: Pending) -> Iterator[Act]:
        """As it was: cards are put in order where they can be; who was passed over had meant to insure."""
        trouble = self._trouble(state)
        able = trouble is None or troubles.can_be_reconstructed(trouble.kind)
        for option in legal(state, SYSTEM, chips_of=()):
            if isinstance(option.command, commands.Rule):
                given = option.command.inputs
                meant = msgspec.structs.replace(given, intended=pending.players)
                if given.reconstructable in (None, able):
                    rule = commands.Rule(by=SYSTEM, inputs=meant)
                    fits = refusal(state, rule) is None
                    yield Act(HOUSE_MS, SYSTEM, plans.dealt(rule if fits else option.command))

    def _trouble(self, state: State) -> Trouble | None:
        """What goes wrong in the round that is played."""
        current = state.round
        return None if current is None else troubles.trouble_in(self.practice, state.setup, current.number)

    # Patrons --------------------------------------------------------------------------------------------

    def _patrons(self, live: Live) -> Iterator[Act]:
        state, current = live.table, live.table.round
        for player in script.patrons_of(self.practice):
            yield from self._settling_in(live, player)
        if current is None:
            return
        if current.phase == "betting":
            yield from self._bets(live, current)
        elif current.phase == "dealing":
            yield from self._during(live, state, current)

    def _settling_in(self, live: Live, player: str) -> Iterator[Act]:
        state = live.table
        wanted: list[AnyCommand] = []
        if player not in state.players:
            wanted.append(commands.Join(by=player))
        if state.rack(player) < LEAST and state.phase not in ("adjusting", "dealing"):
            wanted.append(commands.BuyIn(by=player, cents=BROUGHT))
        seat = script.box_of(state.setup, player)
        free = seat not in state.seats and state.phase not in ("adjusting", "dealing")
        if free and script.is_seated(state.setup, player):
            wanted.append(commands.Sit(by=player, box=seat))
        if wanted:
            yield _by(live, player, *wanted, ms=0)

    def _bets(self, live: Live, current: Round) -> Iterator[Act]:
        state, number = live.table, current.number
        wishes = script.wishes(self.practice, state.setup, number)
        trouble = self._trouble(state)
        if trouble is not None and trouble.kind in troubles.WRONG_CHIPS:
            wishes = tuple(
                wish for wish in wishes if (wish.player, wish.bet) != (trouble.player, trouble.bet)
            )
            mark = ("lies", number)
            if trouble.kind != "between" and mark not in self.done and trouble.stake not in current.stakes:
                lying = commands.RecordChips(
                    by=SYSTEM, player=trouble.player, box=trouble.box, bet=trouble.bet, cents=trouble.cents
                )
                yield Act(PATRON_MS, SYSTEM, plans.dealt(lying), mark)
        for player in dict.fromkeys(wish.player for wish in wishes):
            mine = [wish for wish in wishes if wish.player == player]
            lies = any(stake_key(player, wish.box, wish.bet) in current.stakes for wish in mine)
            if ("bets", number, player) not in self.done and not lies:
                chips = [
                    commands.Place(by=player, box=wish.box, bet=wish.bet, cents=wish.cents) for wish in mine
                ]
                yield _by(live, player, *chips, mark=("bets", number, player))
        asks = script.squeezes(self.practice, state.setup, number)
        if asks and ("squeeze", number) not in self.done:
            for option in legal(state, asks, chips_of=()):
                if isinstance(option.command, commands.RequestSqueeze):
                    yield _by(live, asks, option.command, mark=("squeeze", number))
                    return

    def _during(self, live: Live, state: State, current: Round) -> Iterator[Act]:
        pending = current.pending
        if pending is not None:
            for player in to_choose(state, current):
                on = script.goes_on(self.practice, current.number, player)
                wanted = commands.Choose(by=player, choice="continue" if on else "return")
                fits = refusal(state, wanted) is None
                safe = commands.Choose(by=player, choice="continue")
                yield _by(live, player, wanted if fits else safe)
            return
        trouble = self._trouble(state)
        if trouble is not None and trouble.kind == "away" and current.drawn:
            mark = ("away", current.number)
            if mark not in self.done and trouble.player in state.seats.values():
                yield _by(live, trouble.player, commands.Leave(by=trouble.player), mark=mark)
        for player in silent_people(state, current):
            if player not in current.gone and not troubles.is_deaf(current, trouble, player):
                yield from self._insurance(live, current, player)
        for place, holder in current.handed.items():
            read = current.cards[place - 1] is not None  # else the dealer says what shows
            if read and holder.startswith(script.PATRON) and holder not in current.gone:
                turn = commands.Expose(by=holder, cards=(place,))
                yield _by(live, holder, turn, ms=HOUSE_MS)

    def _insurance(self, live: Live, current: Round, player: str) -> Iterator[Act]:
        window = next((window.number for window in open_windows(live.table, current)), 0)
        share = script.insures(self.practice, current.number, window, player)
        unit = live.table.setup.chip_unit
        for option in legal(live.table, player, chips_of=()):
            if share and isinstance(option.command, commands.Insure):
                least, most = option.command.cents, option.most or option.command.cents
                cents = max(least, most * share // 100 // unit * unit)
                yield _by(live, player, msgspec.structs.replace(option.command, cents=cents))
                return
        yield _by(live, player, commands.Decline(by=player))

    # Who deals, while the trainee is the pit ------------------------------------------------------------

    def _dealer(self, live: Live) -> Iterator[Act]:
        if self.practice.post != "pit" or (live.ended and live.table.phase not in PLAYING):
            return
        state, current = live.table, live.table.round
        if current is not None and current.pending is None and current.phase == "dealing":
            yield from self._errs(state, current)
        step, timer = next_step(state, pace=PIT)
        ms = timer.ms if timer is not None else PATRON_MS
        if isinstance(step, Shuffle):
            yield Act(ms, SYSTEM, plans.dealt(commands.NewShoe(by=SYSTEM)))
        elif isinstance(step, DrawNext):
            known = state.shoe is not None and state.shoe.waiting and state.shoe.waiting[0].name is not None
            card = None if known or state.setup.unseen else script.next_cards(self.practice, state)[0]
            yield Act(ms, SYSTEM, plans.dealt(commands.Draw(by=SYSTEM, card=card)))
        elif isinstance(step, Do) and not isinstance(step, Rest):
            yield Act(ms, SYSTEM, plans.dealt(*self._named(live, step.commands)))

    def _named(self, live: Live, wanted: tuple[AnyCommand, ...]) -> Iterator[AnyCommand]:
        """Cards that nobody has read are turned with what shows."""
        current = live.table.round
        for command in wanted:
            if isinstance(command, commands.Expose) and current is not None:
                unread = [place for place in command.cards if current.cards[place - 1] is None]
                names = tuple(script.card_at(self.practice, live.table, place) for place in unread)
                yield msgspec.structs.replace(command, names=names)
            else:
                yield command

    def _errs(self, state: State, current: Round) -> Iterator[Act]:
        trouble = self._trouble(state)
        if trouble is None or ("erred", current.number) in self.done or not troubles.has_come(state, trouble):
            return
        procedure = troubles.procedure_of(state.rulebook, trouble.kind)
        if procedure is not None:
            wanted = self._report(state, trouble, procedure)
            yield Act(HOUSE_MS, SYSTEM, plans.dealt(*wanted), ("erred", current.number))

    def _report(self, state: State, trouble: Trouble, procedure: Procedure) -> Iterator[AnyCommand]:
        if trouble.kind in troubles.LATE_CHIPS:
            yield commands.LateChips(
                by=SYSTEM, player=trouble.player, box=trouble.box, bet=trouble.bet, cents=trouble.cents
            )
        details = {**troubles.details_of(self.practice, state, trouble), **troubles.facts_of(procedure)}
        yield commands.Report(by=SYSTEM, case=procedure.case, **details)  # type: ignore[arg-type]


def _by(
    live: Live, player: str, *wanted: AnyCommand, ms: int = PATRON_MS, mark: tuple[object, ...] = ()
) -> Act:
    person = Person(name=player, role="player")
    return Act(ms, player, plans.by_person(person, *wanted, kept=KeptChips(left=live.left)), mark)


def is_over(live: Live) -> bool:
    """Whether the last round has been paid, where somebody pays."""
    paying = live.paying
    practice = live.practice
    return practice is None or practice.post == "pit" or paying is None or paying.done
