"""What a dealer and the pit need besides the view: what is due, who has yet to answer, who may do what.

For staff, each by the rank that the account has at the table. No card is told that lies face down, not even
by its points; what is paid is told once every card has been seen.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Literal, TypeAlias

import msgspec

from thirdcard.play.tableau import INITIAL
from thirdcard.rulebook.facts import asked_facts
from thirdcard.rulebook.model import Procedure, Rules, Side
from thirdcard.service.log.floor_events import SYSTEM, Pace
from thirdcard.service.people.roles import Permission, Person, allowed, rank_at
from thirdcard.service.queries.case import Case, cases
from thirdcard.service.queries.custody import CardPlace, SqueezeRequest, custody, requests
from thirdcard.service.queries.parts import Power, Sentence, power_unless, ranks_told, tell
from thirdcard.service.queries.payouts import InsuranceAnswer, Payouts, answers, payouts
from thirdcard.service.queries.wrong_card import WrongCard, proposed
from thirdcard.service.tables.dealer import Do, DrawNext, Shuffle, Step, next_step
from thirdcard.service.tables.duty import supervises
from thirdcard.service.tables.live import Duty, Live
from thirdcard.service.tables.plans import barred, with_rank
from thirdcard.service.tables.practice import to_name
from thirdcard.table import commands, legal, limits, refusal
from thirdcard.table.commands import AnyCommand
from thirdcard.table.flags import Flag, flags
from thirdcard.table.refusals import Refusal
from thirdcard.table.reported import CARDS, DETAILS, FACTS
from thirdcard.table.rights.choosing import to_choose
from thirdcard.table.rights.drawing import due_hand
from thirdcard.table.rights.insurance import open_windows, silent_people
from thirdcard.table.samples import another_setup, reports
from thirdcard.table.state import Absence, DrawnCard, Round, State
from thirdcard.words.saying import told, whole

# For those who may not do the first thing.
FALLBACK = (commands.HandOver, commands.Expose, commands.Settle, commands.Close)
# What an automatic dealer does and no person is bidden to do.
NOT_DUE = (
    commands.ChangeSetup,
    commands.TakeCards,
    commands.Choose,
    commands.TakeBack,
    commands.GiveDevice,
)
NOBODY = "?"  # who holds what the dealer is to turn
UNSEEN = "?"  # a card that nobody has seen
# What a report may say, in the order of its form.
REPORTED = ("drawn", "cards", "shown", "names", "players", "box", "window", "displayed")
# What no rulebook speaks of.
MANAGING: tuple[Permission, ...] = (
    "open-table",
    "close-table",
    "change-pace",
    "read-significant",
    "read-log",
)

StepName: TypeAlias = Literal[
    "shoe", "bets", "close", "four", "insurance", "thirds", "settle", "payouts", "idle"
]
# A round's, in their order.
ROUND: tuple[StepName, ...] = ("bets", "close", "four", "insurance", "thirds", "settle", "payouts")


class Next(msgspec.Struct, frozen=True, kw_only=True):
    """What the rules require next: a command to give, a card to enter, or somebody to wait for.

    `turn` is a command to which the names of the cards that show have to be added. `insurance` is open: the
    command closes it, and those who are `silent` forgo it. `waits` is the card that came out before and is
    laid first, "?" if nobody has seen it.
    """

    kind: Literal["command", "draw", "turn", "insurance", "wait"]
    command: dict[str, Any] = {}
    silent: tuple[str, ...] = ()
    waits: str = ""
    hand: Side | None = None
    place: int = 0
    why: Sentence | None = None
    said: str = ""  # why it is refused, where it is
    code: str = ""  # of that refusal
    rules: Rules = ()


class Reportable(msgspec.Struct, frozen=True, kw_only=True):
    """A case; `asks` are the fields of a report that say something about it, besides its note."""

    case: str
    title: str
    rules: Rules
    asks: tuple[str, ...]


class NotNow(msgspec.Struct, frozen=True, kw_only=True):
    """A case that cannot be reported now, and why."""

    case: str
    title: str
    why: str
    rules: Rules


class DealingMethod(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    title: str


class Present(msgspec.Struct, frozen=True, kw_only=True):
    """The set-up as it will be with the next round, and what else it could be."""

    rulebook: str
    digest: str
    layout: str
    limits: dict[str, dict[str, int | None]]
    differential: int | None
    method: str
    methods: tuple[DealingMethod, ...]
    insurance: bool | None
    may_waive: bool
    device: str
    wagers_per_area: int | None
    most_wagers: int | None
    cut: int
    most_cut: int


class Device(msgspec.Struct, frozen=True, kw_only=True):
    """Where a player draws: who has the dealing device, who may be given it, and who only by leave."""

    holder: str
    may: tuple[str, ...]
    by_leave: tuple[str, ...]
    rules: Rules


class Desk(msgspec.Struct, frozen=True, kw_only=True):
    """What a page for staff shows besides the view of the same version.

    `waiting` are cards that came out before, in their order, "?" for one that nobody has seen.
    """

    version: int
    rank: str
    players: tuple[str, ...]
    step: StepName
    done: tuple[StepName, ...]
    next: Next
    waiting: tuple[str, ...]
    flags: tuple[Flag, ...]
    answers: tuple[InsuranceAnswer, ...]
    payouts: Payouts | None
    powers: dict[str, Power]
    case: Case | None
    cases: tuple[Case, ...]
    reports: tuple[Reportable, ...]
    not_now: tuple[NotNow, ...]
    wrong: WrongCard | None
    custody: tuple[CardPlace, ...]
    requests: tuple[SqueezeRequest, ...]
    device: Device | None
    present: Present
    pace: Pace
    duty: Duty


def desk(live: Live, person: Person, turns: Collection[int] = ()) -> Desk:
    """The table from behind, for somebody with a rank there; `turns` are cards that the dealer is to turn."""
    rank = rank_at(person.role, live.table.rulebook) or ""
    state = with_rank(live.table, person.name, rank) if rank else live.table
    open_cases = cases(state, person.name, rank, live.cases)
    may_report = reportable(state, person.name)
    step, done = step_and_done(live)
    return Desk(
        version=live.version,
        rank=next((one.title for one in state.rulebook.ranks if one.name == rank), ""),
        players=state.players,
        step=step,
        done=done,
        next=due(live, state, person, turns),
        waiting=tuple(map(_card_shown, state.shoe.waiting)) if state.shoe else (),
        flags=tuple(_for_reader(state, flag) for flag in flags(state)),
        answers=answers(state),
        payouts=None if _untold(live) else payouts(live, notes=supervises(person, state)),
        powers=powers(live, state, person),
        case=open_cases[0] if open_cases else None,
        cases=open_cases,
        reports=may_report,
        not_now=not_now(state, person.name, may_report),
        wrong=proposed(state, rank, private=supervises(person, state)),
        custody=custody(state),
        requests=requests(live, state, person),
        device=device(state, person),
        present=present(state),
        pace=live.pace or Pace(),
        duty=live.duty,
    )


def _untold(live: Live) -> bool:
    """Whether a trainee has to say first what is paid: the desk does not tell before."""
    practice = live.practice
    if practice is None or practice.post != "desk" or live.table.phase == "void":
        return False
    return bool(to_name(live)) or live.table.phase == "dealing"


# What is due --------------------------------------------------------------------------------------------


def due(live: Live, state: State, person: Person, turns: Collection[int] = ()) -> Next:
    """The one thing that the rules require next, as far as this person may do it.

    Cards that the dealer is to turn are as those of somebody who is gone: nobody is handed them.
    """
    current = _as_turned(state.round, turns) if state.round else None
    step, _ = next_step(msgspec.structs.replace(state, round=current), pace=Pace())
    if isinstance(step, DrawNext) and current is not None:
        return (
            _insurance(live, state, person)
            if open_windows(state, current)
            else _draw(state, current, step.by)
        )
    wanted = _wanted(step, person)
    if isinstance(wanted, commands.Expose) and current is not None:
        unread = tuple(place for place in wanted.cards if current.cards[place - 1] is None)
        if unread == wanted.cards:
            return _turn(live, current, person, unread)
        read = tuple(place for place in wanted.cards if place not in unread)
        wanted = None if _held(current, read) else msgspec.structs.replace(wanted, cards=read)
    no = None
    for command in (*((wanted,) if wanted else ()), *_instead(state, person)):
        refused = barred(live, person, command) or refusal(state, command)
        if refused is None:
            return Next(kind="command", command=_plain(command), rules=_behind(state, command))
        no = no or refused
    if isinstance(step, Do) and isinstance(step.commands[0], commands.GiveDevice):
        no = refusal(state, commands.Draw(by=person.name))
    if no is None and current is not None and limits.undecided_excess(state, current):
        no = refusal(state, commands.Settle(by=person.name))
    return _wait(state, no)


def _as_turned(current: Round, turns: Collection[int]) -> Round:
    """The round as if nobody there held these cards; to permit a squeeze is nobody's duty either."""
    drawn = tuple(
        msgspec.structs.replace(card, holder=NOBODY) if place in turns and not card.holder else card
        for place, card in enumerate(current.drawn, start=1)
    )
    nobody = Absence(NOBODY, len(drawn))
    return msgspec.structs.replace(current, requests={}, drawn=drawn, absences=(*current.absences, nobody))


def _wanted(step: Step, person: Person) -> AnyCommand | None:
    """What the automatic dealer would do now, to be done by this person.

    Cards are turned, not taken away, and nothing is chosen or taken back in a player's place.
    """
    if isinstance(step, Shuffle):
        return commands.NewShoe(by=person.name)
    if not isinstance(step, Do):
        return None
    first = next((command for command in step.commands if not isinstance(command, NOT_DUE)), None)
    return msgspec.structs.replace(first, by=person.name) if first and first.by == SYSTEM else None


def _held(current: Round, places: Iterable[int]) -> dict[int, str]:
    """Those of the cards that somebody holds who is there, by place."""
    return {p: current.handed[p] for p in places if current.handed.get(p, "") not in ("", *current.gone)}


def _turn(live: Live, current: Round, person: Person, unread: tuple[int, ...]) -> Next:
    """Cards from an ordinary shoe are named when they are turned, by the dealer or by who holds them."""
    state, held = live.table, _held(current, unread)
    holder = next(iter(held.values()), "")
    places = tuple(place for place, who in held.items() if who == holder) or unread
    command = commands.Expose(by=person.name, cards=places, player=holder)
    no = barred(live, person, command)
    if no is not None:
        return _wait(state, no)
    return Next(
        kind="turn",
        command=_plain(command),
        hand=current.hand(state.rulebook.table_of_play, places[0]),
        place=places[0],
        why=tell("why_held", state.rulebook, player=holder) if holder else None,
        rules=state.setup.dealing.rules,
    )


def _instead(state: State, person: Person) -> Iterator[AnyCommand]:
    """What a person of this rank may do to go on where the first thing is another's."""
    if state.phase != "dealing":
        return
    possible = [option.command for option in legal(state, person.name, chips_of=())]
    for kind in FALLBACK:
        yield from (one for one in possible if isinstance(one, kind) and not getattr(one, "names", ()))


def _behind(state: State, command: AnyCommand) -> Rules:
    """The paragraphs that ask for it."""
    match command:
        case commands.Open():
            return state.rulebook.betting.opens.rules
        case commands.Close():
            return state.rulebook.betting.closes.rules
        case commands.Expose() | commands.HandOver():
            return state.setup.dealing.rules
    return ()


def _plain(command: AnyCommand) -> dict[str, Any]:
    made: dict[str, Any] = msgspec.to_builtins(command)
    return {name: value for name, value in made.items() if name != "by"}


def _insurance(live: Live, state: State, person: Person) -> Next:
    """No further card before the dealer says that insurance is closed; `hand` and `place` are that card's."""
    current, insurance = state.round, state.rulebook.insurance
    assert current is not None
    assert insurance is not None  # else no window was opened
    silent = silent_people(state, current)
    command = commands.CloseInsurance(by=person.name, silent=silent)
    no = barred(live, person, command) or refusal(state, command)
    return Next(
        kind="insurance",
        command={} if no else _plain(command),
        silent=silent,
        hand=due_hand(state, current),
        place=len(current.drawn) + 1,
        said=whole(told(no.said)) if no else "",
        code=no.code if no else "",
        rules=tuple(no.rules) if no else insurance.forgone.rules,
    )


def _draw(state: State, current: Round, by: str) -> Next:
    """A card that nobody has seen, or that was seen before, is drawn without being named."""
    hand, why, book = due_hand(state, current), why_next(state, current), state.rulebook
    place = len(current.drawn) + 1
    command: dict[str, Any] = {"command": "draw", "place": place}
    if by != SYSTEM:
        why = tell("why_device", book, state.setup.dealing.rules, player=by)
        command["player"] = by
    waits = state.shoe.waiting[0] if state.shoe is not None and state.shoe.waiting else None
    if waits is not None and (waits.name is not None or state.setup.unseen):
        card = _card_shown(waits)
        unseen = card == UNSEEN
        why = tell("why_waits_unseen", book) if unseen else tell("why_waits", book, card=card)
        return Next(kind="command", command=command, hand=hand, place=place, why=why, waits=card)
    if state.setup.unseen:
        return Next(kind="command", command=command, hand=hand, place=place, why=why)
    return Next(kind="draw", command=command, hand=hand, place=place, why=why)


def _card_shown(card: DrawnCard) -> str:
    return card.name.value if card.face_up and card.name is not None else UNSEEN


def why_next(state: State, current: Round) -> Sentence:
    """Why the next card is whose it is; without points while cards lie face down."""
    book, drawn = state.rulebook, len(current.drawn)
    rules = book.table_of_play.rules
    if drawn < INITIAL:
        return tell("why_initial", book, rules, place=drawn + 1)
    if not current.all_seen:
        return tell("why_third", book, rules)
    deal = state.deal()
    scores = {"player": deal.player_points, "banker": deal.banker_points}
    if deal.next is Side.PLAYER:
        return tell("why_player", book, rules, **scores)
    if drawn == INITIAL:
        return tell("why_banker_stands", book, rules, **scores)
    third = deal.player[-1]
    return tell("why_banker", book, rules, third=third.points, **scores)


def _for_reader(state: State, flag: Flag) -> Flag:
    """A flag with the ranks that may decide it, in words."""
    return (
        msgspec.structs.replace(flag, who=ranks_told(state.rulebook, flag.decides)) if flag.decides else flag
    )


def _wait(state: State, no: Refusal | None) -> Next:
    """Who or what is awaited."""
    proposal = state.round.proposal if state.round else None
    if proposal is not None:
        return Next(kind="wait", why=tell("why_amendment", state.rulebook, player=proposal.by))
    pending = state.round.pending if state.round else None
    if pending is not None and pending.inputs is None:
        may = ranks_told(state.rulebook, pending.decides)
        return Next(kind="wait", why=tell("why_ruling", state.rulebook, pending.rules, rank=may))
    if pending is not None:
        assert state.round is not None
        silent = to_choose(state, state.round)
        why = tell("why_choices", state.rulebook, pending.rules, players=", ".join(silent))
        return Next(kind="wait", why=why)
    if no is not None:
        return Next(kind="wait", said=whole(told(no.said)), code=no.code, rules=tuple(no.rules))
    held = dict.fromkeys(state.round.handed.values()) if state.round else {}
    return Next(kind="wait", why=tell("why_squeeze", state.rulebook, players=", ".join(held)))


def device(state: State, person: Person) -> Device | None:
    """None where the dealer keeps it."""
    method = state.setup.dealing
    if method.device != "player":
        return None
    no = {who: refusal(state, commands.GiveDevice(by=person.name, player=who)) for who in state.players}
    return Device(
        holder=state.device or "",
        may=tuple(who for who, one in no.items() if one is None),
        by_leave=tuple(who for who, one in no.items() if one is not None and one.code == "wrong-rank"),
        rules=method.rules,
    )


# Who may ------------------------------------------------------------------------------------------------


def powers(live: Live, state: State, person: Person) -> dict[str, Power]:
    """What one may do about the table as a whole."""
    cards = state.round.seen if state.round else ()
    wanted: tuple[AnyCommand, ...] = (
        commands.Void(by=person.name, reason="…"),
        commands.Correct(by=person.name, cards=cards, reason="…"),
        commands.ChangeSetup(by=person.name, changes=another_setup(state)),
        commands.ChangeRulebook(
            by=person.name,
            rulebook=state.setup.rulebook,
            digest=state.setup.digest,
            changes=another_setup(state),
        ),
    )
    by_name = {}
    for command in wanted:
        no = barred(live, person, command) or refusal(state, command)
        as_it_is = no is not None and no.code == "no-amendment"  # other cards would be taken
        by_name[_plain(command)["command"]] = power_unless(None if as_it_is else no)
    for permission in MANAGING:
        by_name[permission] = Power(may=allowed(person.role, permission))
    return by_name


def present(state: State) -> Present:
    """The set-up from the next round on; insurance is waived at private tables, where a player has asked."""
    setup = state.next_setup or state.setup
    book = setup.book
    most = book.limits.wagers_per_area
    return Present(
        rulebook=setup.rulebook,
        digest=setup.digest,
        layout=setup.layout,
        limits={bet: {"min": setup.limit(bet).min, "max": setup.limit(bet).max} for bet in setup.bets},
        differential=setup.differential,
        method=setup.dealing.name,
        methods=tuple(DealingMethod(name=method.name, title=method.title) for method in book.dealing),
        insurance=setup.insurance if book.insurance is not None else None,
        may_waive=setup.private and bool(state.asked),
        device=setup.device,
        wagers_per_area=setup.wagers_per_area,
        most_wagers=most.value if most is not None else None,
        cut=setup.cut,
        most_cut=setup.most_cut,
    )


# The step that is under way ---------------------------------------------------------------------------


def step_and_done(live: Live) -> tuple[StepName, tuple[StepName, ...]]:
    """The step that is under way, and those of the round that are over."""
    state = live.table
    current = state.round
    if current is not None and current.phase not in ("settled", "void"):
        step = _in_round(state, current)
        return step, ROUND[: ROUND.index(step)]
    played = current is not None and current.phase == "settled"
    if played and live.paying is not None and not live.paying.done:
        return "payouts", ROUND[: ROUND.index("payouts")]
    shoe = state.shoe
    used_up = shoe is None or shoe.cut_out or shoe.to_come < INITIAL
    return "shoe" if used_up else "idle", ROUND if played else ()


def _in_round(state: State, current: Round) -> StepName:
    """Insurance comes once four cards lie face up, and again after a third card that opens it anew."""
    if current.phase == "betting":
        return "bets"
    if current.phase == "adjusting":
        return "close"
    if len(current.seen) < INITIAL:
        return "four"
    if open_windows(state, current):
        return "insurance"
    return "thirds" if due_hand(state, current) is not None or not current.all_seen else "settle"


# What can be reported ---------------------------------------------------------------------------------


def reportable(state: State, person: str) -> tuple[Reportable, ...]:
    """The cases of which somebody could report something that is taken."""
    current = state.round
    if current is None or person not in state.staff:
        return ()
    return tuple(
        Reportable(
            case=procedure.case,
            title=procedure.title,
            rules=procedure.rules,
            asks=tuple(_asks(state, procedure)),
        )
        for procedure in state.rulebook.procedures
        if any(refusal(state, command) is None for command in reports(state, current, person, procedure))
    )


def not_now(state: State, person: str, listed: tuple[Reportable, ...]) -> tuple[NotNow, ...]:
    """All the other cases of the rulebook, with what their plain report is refused with."""
    if state.round is None or person not in state.staff:
        return ()
    here = {one.case for one in listed}
    return tuple(
        NotNow(case=one.case, title=one.title, why=whole(told(no.said)), rules=one.rules)
        for one in state.rulebook.procedures
        if one.case not in here
        and (no := refusal(state, next(reports(state, state.round, person, one)))) is not None
    )


def _asks(state: State, procedure: Procedure) -> Iterator[str]:
    used = frozenset().union(*(DETAILS[about] for about in procedure.about)) if procedure.about else CARDS
    if "differential" in procedure.about and state.rulebook.limits.differential.scope == "table":
        used -= {"box"}
    yield from (name for name in REPORTED if name in used)
    yield from (name for name in FACTS if name in asked_facts(procedure))
    if state.rounds > 1 and ("noticed" in asked_facts(procedure) or "earlier-round" in procedure.about):
        yield "round"
