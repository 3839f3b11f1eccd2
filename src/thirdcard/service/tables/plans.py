"""What is asked of a live table, as plans: functions from the table to what follows, or a refusal."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from thirdcard.cards import Card, format_cards
from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook, digest_of
from thirdcard.rulebook.forms import canonical
from thirdcard.service.log import floor_events as floor
from thirdcard.service.log.floor_events import SYSTEM, Logged, Pace
from thirdcard.service.log.store.model import DocumentCopy, RulebookText, SealedShoe, Wallet
from thirdcard.service.people.accounts import sha256_of
from thirdcard.service.people.credentials import check_walk_in
from thirdcard.service.people.roles import Person, allowed, rank_at, steps_between
from thirdcard.service.tables import duty, sealed_shoes, wallets
from thirdcard.service.tables.away import KeptChips
from thirdcard.service.tables.dealer import dealer_rank, interruption
from thirdcard.service.tables.draft import Decided, Plan, RefusedAt, logging_only, planned, preceded
from thirdcard.service.tables.engine import Unavailable
from thirdcard.service.tables.live import CALLED, ComingShoe, Live
from thirdcard.service.tables.sealed_shoes import OpenShoe
from thirdcard.table import Setup, State, carry_out, commands, events, evolve, start
from thirdcard.table.commands import AnyCommand
from thirdcard.table.ledger import AWAY
from thirdcard.table.practice import Practice
from thirdcard.table.refusals import Refusal
from thirdcard.table.reported import names_unseen
from thirdcard.table.table import EventAndState
from thirdcard.table.unseen import are_turned
from thirdcard.words.saying import Saying, said_of, say

NOTHING = Decided(events=())
UNNAMED = Refusal("card-not-seen", say("named-card-unseen"))
BY_ITSELF = Refusal("not-allowed-here", say("turning-comes-last"))
ONE_JOINS = Refusal("not-allowed-here", say("join-one-at-a-time"))
NOTHING_KEPT = KeptChips()
BRINGING = (commands.Join, commands.BuyIn)
BY_WALLET = (commands.BuyIn, commands.CashOut)
# What the pace of a table is kept within.
FASTEST = Pace(
    betting=3_000,
    insurance=3_000,
    adjusting=3_000,
    choice=5_000,
    squeeze=3_000,
    card=100,
    result=1_000,
    shuffle=500,
)
SLOWEST = Pace(
    betting=600_000,
    insurance=600_000,
    adjusting=600_000,
    choice=600_000,
    squeeze=600_000,
    card=10_000,
    result=60_000,
    shuffle=60_000,
)
# What puts a record right that nobody keeps by hand there: the sealed shoe and the chips' own log decide.
RECORDED = (
    commands.Correct,
    commands.Amend,
    commands.ConfirmAmendment,
    commands.RecordChips,
    commands.LateChips,
)


def by_person(person: Person, *asked: AnyCommand, kept: KeptChips = NOTHING_KEPT) -> Plan:
    """Commands by somebody in the rank that the account's role gives here; who joins finds what was kept."""

    def plan(live: Live) -> Decided | Refusal:
        joining = {one.player or one.by for one in asked if isinstance(one, commands.Join)}
        if len(joining) > 1:
            return ONE_JOINS
        if joining and joining.difference(live.table.players) and kept.left != live.left:
            raise Unavailable(say("somebody-just-left"))
        for index, command in enumerate(asked):
            no = barred(live, person, command)
            if no is not None:
                return _refused(no, index, asked)
        ranked = _ranked(live.table, person)
        wanted = [with_next_ranks(live.table, command) for command in asked]
        decided = ranked if isinstance(ranked, Refusal) else one_by_one(live.table, wanted, ranked, kept)
        if isinstance(decided, Refusal):
            return decided
        decided = _shown(live, decided, joining, kept)
        no = duty.changes_to_unplayable(live.table, decided)
        signed_on = duty.signing_on(live, person, asked)
        return no or preceded(signed_on, duty.accompanied(live, decided))

    return plan


def _shown(live: Live, decided: Decided, joining: set[str], kept: KeptChips) -> Decided:
    """What was decided; who joins is shown by the name that they go by."""
    for player in joining if kept.shown else ():
        if kept.shown != live.names.get(player, player):
            known = floor.PlayerKnownAs(player=player, name=kept.shown)
            return msgspec.structs.replace(decided, events=(*decided.events, (known, None)))
    return decided


@planned
def show_as(live: Live, player: str, name: str) -> Decided:
    """What others see of somebody who is at the table."""
    known = player in live.table.players and live.names.get(player, player) != name
    return logging_only(*((floor.PlayerKnownAs(player=player, name=name),) if known else ()))


def one_by_one(
    state: State,
    asked: Sequence[AnyCommand],
    before: tuple[EventAndState, ...] = (),
    kept: KeptChips = NOTHING_KEPT,
) -> Decided | Refusal:
    """Commands given one after the other: all of them happen, or the first refusal is all there is.

    A person's list ends where a card is turned: the refusal of what follows would tell it, and turn nothing.
    """
    made = list(before)
    for index, command in enumerate(asked):
        now = made[-1][1] if made else state
        steps = UNNAMED if names_unseen(now, command) else carry_out(now, command)
        if isinstance(steps, Refusal):
            return _refused(steps, index, asked)
        if index < len(asked) - 1 and command.by != SYSTEM and are_turned(now, steps[-1][1]):
            return _refused(BY_ITSELF, index, asked)
        if isinstance(command, commands.Join):
            joined = kept.joined(command.player or command.by, by=command.by if command.player else "")
            steps = ((joined, evolve(now, joined)),)
        elif isinstance(command, BY_WALLET):
            steps = wallets.from_wallets(now, steps)
        made += steps
    return Decided(events=tuple(made))


def _refused(no: Refusal, index: int, asked: Sequence[AnyCommand]) -> Refusal:
    """Of several commands, which was refused."""
    return no if len(asked) == 1 else RefusedAt(no.code, no.said, no.rules, index)


def _ranked(state: State, person: Person) -> tuple[EventAndState, ...] | Refusal:
    """The rank that the role gives at this table, put on record where it is not yet."""
    rank = rank_at(person.role, state.rulebook)
    held = state.staff.get(person.name)
    if rank == held:
        return ()
    if rank is None:
        return Refusal("wrong-rank", say("no-longer-staff", who=person.name))
    if person.name in state.players:
        return Refusal("wrong-rank", say("player-is-no-staff-there", who=person.name))
    assigned = events.StaffAssigned(by=SYSTEM, person=person.name, rank=rank, before=held or "")
    return ((assigned, evolve(state, assigned)),)


def with_next_ranks(state: State, command: AnyCommand) -> AnyCommand:
    """A change of the rulebook with what ranks become: here they come with accounts, in any ladder."""
    if not isinstance(command, commands.ChangeRulebook):
        return command
    try:
        named = msgspec.structs.replace(state.setup, rulebook=command.rulebook, digest=command.digest)
        other = named.book
    except BadInput:
        return command  # the table says what is wrong
    house = {dealer_rank(state.rulebook): dealer_rank(other)}
    return msgspec.structs.replace(
        command, ranks=steps_between(state.rulebook, other) | house | command.ranks
    )


def with_rank(state: State, person: str, rank: str | None) -> State:
    """The table as it will be once the person has done the first thing there, in that rank or in none."""
    staff = {name: held for name, held in state.staff.items() if name != person}
    return msgspec.structs.replace(state, staff=staff if rank is None else {**staff, person: rank})


def barred(live: Live, person: Person, command: AnyCommand) -> Refusal | None:
    """What the house does not let people do at live tables."""
    if isinstance(command, commands.Assign):
        return Refusal("not-allowed-here", say("ranks-by-administrator"))
    if isinstance(command, commands.Join) and (no := _may_not_join(live, person, command)) is not None:
        return no
    if isinstance(command, commands.Open) and (no := duty.barred_opening(live)) is not None:
        return no
    if live.archived and isinstance(command, BRINGING):
        return duty.ARCHIVED
    return _barred_at_automatic(live, command) if live.automatic else duty.barred(live, person, command)


def _may_not_join(live: Live, person: Person, command: commands.Join) -> Refusal | None:
    """Who plays joins by themselves; staff bring those to a staffed table who have no account."""
    name = command.player
    if not name or name == person.name:
        return None if allowed(person.role, "play") else Refusal("wrong-rank", say("staff-do-not-play"))
    if live.automatic:
        return Refusal("not-allowed-here", say("walk-ins-need-dealer"))
    if any(other.casefold() == name.casefold() for other in live.table.players):
        return Refusal("unknown-player", say("at-table-already", who=name))
    try:
        check_walk_in(name)
    except BadInput as error:
        return Refusal("unknown-player", said_of(error))
    return None


def _barred_at_automatic(live: Live, command: AnyCommand) -> Refusal | None:
    """Cards come from the sealed shoe alone, so nobody can name one."""
    if duty.is_dealing(live.table, command):
        return Refusal("not-allowed-here", say("automatic-dealer-does-that"))
    if isinstance(command, RECORDED):
        return Refusal("not-allowed-here", say("shoe-and-chips-decide"))
    if isinstance(command, commands.Report) and (command.drawn or command.names or command.shown):
        return Refusal("not-allowed-here", say("sealed-shoe-deals"))
    if isinstance(command, commands.Rule) and _names_cards(command):
        return Refusal("not-allowed-here", say("shoe-knows-cards"))
    return None


def _names_cards(command: commands.Rule) -> bool:
    inputs = command.inputs
    named = any(isinstance(one, Card) for one in inputs.order)
    return named or bool(inputs.names or inputs.substitutes or inputs.set_aside)


@planned
def sit_down(  # noqa: PLR0913 - who sits down where, and with what
    live: Live,
    person: Person,
    box: int | None,
    cents: int,
    kept: KeptChips = NOTHING_KEPT,
    *,
    purse: Callable[[str, str], Wallet] | None = None,
) -> Decided | Refusal:
    """Join, bring play money and take a seat, as far as that is still to be done.

    Who comes back to chips that were kept brings none. With a `purse`, which tells what the wallet holds, who
    has no chips at the table brings what is usual of that.
    """
    wanted: list[AnyCommand] = []
    comes, bring = person.name not in live.table.players, cents
    if purse is not None and not live.table.rack(person.name):
        bring = wallets.usual(purse(live.id, person.name).cents, live.table.setup)
    if comes:
        wanted.append(commands.Join(by=person.name))
    if bring and not (comes and kept.cents):
        wanted.append(commands.BuyIn(by=person.name, cents=bring))
    if box is not None and live.table.seats.get(box) != person.name:
        wanted.append(commands.Sit(by=person.name, box=box))
    return by_person(person, *wanted, kept=kept)(live)


@planned
def leave(live: Live, person: Person) -> Decided | Refusal:
    """Give up the seat and take the rack home; chips on the layout are settled, and follow later."""
    name, state = person.name, live.table
    if name not in state.players:
        return Refusal("unknown-player", say("not-at-table", who=name))
    wanted: list[AnyCommand] = []
    if name in state.seats.values():
        wanted.append(commands.Leave(by=name))
    if state.rack(name):
        wanted.append(commands.CashOut(by=name, cents=state.rack(name)))
    return by_person(person, *wanted)(live) if wanted else NOTHING


def add_seed(person: Person, seed: str) -> Plan:
    """What a seated player adds to the shoe that comes next; a second seed takes the place of the first."""
    if not sealed_shoes.is_seed(seed):
        raise BadInput(say("seed-length", longest_seed=sealed_shoes.LONGEST_SEED))

    def plan(live: Live) -> Decided | Refusal:
        coming = live.coming
        if not live.automatic:
            return Refusal("not-allowed-here", say("no-seeds-where-shuffled-by-hand"))
        if person.name not in live.table.seats.values():
            return Refusal("not-allowed-here", say("seed-needs-seat"))
        if coming is None:
            return Refusal("wrong-phase", say("seeds-not-yet"))
        others = [added for added in coming.seeds if added.player != person.name]
        if len(others) >= sealed_shoes.MOST_SEEDS:
            return Refusal("not-allowed-here", say("shoe-seeds-full", most_seeds=sealed_shoes.MOST_SEEDS))
        return logging_only(floor.SeedAdded(shoe=coming.number, player=person.name, seed=seed))

    return plan


# The house ----------------------------------------------------------------------------------------------


def create(  # noqa: PLR0913 - what a table begins with
    title: str,
    dealer: floor.Dealer,
    setup: Setup,
    *,
    pace: Pace,
    live_odds: bool,
    practice: Practice | None = None,
) -> Plan:
    """A new table, closed to nobody; BadInput if the set-up cannot be played.

    A sealed shoe reads its cards: an automatic table that is dealt face down has such a device.
    """
    staffed = msgspec.structs.replace(setup, staff={SYSTEM: dealer_rank(setup.book)})
    opened = start(staffed)
    unplayable = duty.unplayable(setup)
    if unplayable:
        raise BadInput(unplayable)
    if dealer == "automatic" and staffed.unseen:
        opened = start(msgspec.structs.replace(staffed, device="reader"))
    created = floor.TableCreated(
        title=title, dealer=dealer, pace=pace, live_odds=live_odds, practice=practice
    )

    def plan(live: Live) -> Decided | Refusal:
        if live.version:
            return Refusal("bad-setup", say("table-exists", id=live.id))
        return logging_only(created, opened)

    return plan


@planned
def close_table(live: Live) -> Decided | Refusal:
    """At once, or after the last round where that was announced."""
    if live.closed:
        return Refusal("wrong-phase", say("closed-already"))
    if live.last_round and not live.last_played:
        return Refusal("wrong-phase", say("last-round-to-come", last_round=live.last_round))
    return logging_only(floor.TableClosed(rounds=live.table.rounds, chips=_chips(live)))


def reopen_table() -> Plan:
    """Rounds can be opened again; a last round that was announced is none."""

    def reopening(live: Live) -> floor.TableReopened:
        return floor.TableReopened(rounds=live.table.rounds, chips=_chips(live))

    plan = unless(lambda live: not live.closed and not live.last_round, say("open-already"), reopening)
    return lambda live: duty.ARCHIVED if live.archived else plan(live)


def _chips(live: Live) -> int:
    """What players have at the table, in their racks, on the layout and kept for those who are away."""
    theirs = ("rack:", "box:", AWAY)
    return sum(cents for account, cents in live.table.balances.items() if account.startswith(theirs))


def check_pace(pace: Pace) -> None:
    """BadInput if people would have too little time, or would wait for ever."""
    for name in Pace.__struct_fields__:
        ms, least, most = getattr(pace, name), getattr(FASTEST, name), getattr(SLOWEST, name)
        if not least <= ms <= most:
            raise BadInput(say("pace-range", name=name, least=least, most=most, ms=ms))


def change_pace(pace: Pace) -> Plan:
    check_pace(pace)

    return unless(
        lambda live: live.pace == pace,
        say("pace-already"),
        lambda live: floor.PaceChanged(pace=pace, before=live.pace),
    )


def call_supervisor(note: str) -> Plan:
    """Who has called without a word may say what for."""

    def called(live: Live) -> bool:
        return bool(live.called) and not (note and live.called == CALLED)

    return unless(called, say("pit-called-already"), lambda _: floor.SupervisorCalled(note=note))


def supervisor_came() -> Plan:
    return unless(lambda live: not live.called, say("nobody-called"), lambda _: floor.SupervisorCame())


@planned
def unless(
    live: Live,
    already: Callable[[Live], bool],
    told: Saying,
    event: Callable[[Live], floor.AnyFloorEvent],
) -> Decided | Refusal:
    """An event of the floor; refused where it is so already."""
    return Refusal("wrong-phase", told) if already(live) else logging_only(event(live))


def note(kind: str, facts: dict[str, str | int]) -> Plan:
    """An entry of the journal."""
    return lambda _: logging_only(floor.Noted(kind=kind, facts=facts))


def add_rulebook(book: Rulebook, file: str, by: str) -> Plan:
    """The house is given the text of a rulebook, which is kept with the entry of the journal."""
    digest = digest_of(book)
    facts: dict[str, str | int] = {"rulebook": book.slug, "digest": digest, "file": file, "by": by}
    text = RulebookText(digest, canonical(book))
    noted = floor.Noted(kind=floor.RULEBOOK_ADDED, facts=facts)
    return lambda _: Decided(events=((noted, None),), texts=(text,))


def keep_document(book: Rulebook, text: str, by: str) -> Plan:
    """The house keeps a copy of a rulebook's document, or, without a text, does so no longer."""
    digest = digest_of(book)
    facts: dict[str, str | int] = {"rulebook": book.slug, "digest": digest, "by": by}
    facts["sha256"] = sha256_of(text)
    noted = floor.Noted(kind=floor.DOCUMENT_KEPT if text else floor.DOCUMENT_TAKEN, facts=facts)
    return lambda _: Decided(events=((noted, None),), documents=(DocumentCopy(digest, text),))


# The automatic dealer -----------------------------------------------------------------------------------


def still(version: int, plan: Plan) -> Plan:
    """The plan, if nothing has happened since it was made."""
    return lambda live: plan(live) if live.version == version else NOTHING


def start_timer(name: str, key: str, ms: int) -> Plan:
    return lambda _: logging_only(floor.TimerStarted(timer=name, key=key, ms=ms))


def dealt(*asked: AnyCommand) -> Plan:
    """Commands of the automatic dealer, or on behalf of somebody who let the time pass."""
    return lambda live: one_by_one(live.table, asked)


@planned
def draw_next(live: Live, number: int, order: OpenShoe, by: str) -> Decided | Refusal:
    """The next card of the sealed shoe; cards that were drawn before and wait come first."""
    here = live.table.shoe
    if here is None or here.number != number or not here.to_come:
        return Refusal("new-shoe-needed", say("shoe-not-in-use"))
    known = here.waiting and here.waiting[0].name is not None
    read = order.cards[here.used - len(here.waiting)]
    unnamed = known or live.table.setup.unseen
    return dealt(commands.Draw(by=by, card=None if unnamed else read))(live)


@planned
def turned(live: Live, order: OpenShoe, *asked: AnyCommand) -> Decided | Refusal:
    """The same as `dealt`, where cards were drawn without a name: the sealed order says what shows."""
    return dealt(*(named for command in asked for named in _named(live.table, order, command)))(live)


def _named(state: State, order: OpenShoe, command: AnyCommand) -> Iterator[AnyCommand]:
    """Cards that have been read are turned as they are, then the others with what shows.

    The round's cards left the shoe one after the other, before those that wait.
    """
    current, shoe = state.round, state.shoe
    if not isinstance(command, commands.Expose) or current is None or shoe is None:
        yield command
        return
    first = shoe.used - len(shoe.waiting) - len(current.drawn)
    read = tuple(place for place in command.cards if current.cards[place - 1] is not None)
    unread = tuple(place for place in command.cards if place not in read)
    if read:
        yield msgspec.structs.replace(command, cards=read)
    if unread:
        names = tuple(order.cards[first + place - 1] for place in unread)
        yield msgspec.structs.replace(command, cards=unread, names=names)


@planned
def new_shoe(live: Live, key: bytes, old: OpenShoe | None) -> Decided | Refusal:
    """Reveal the shoe that is finished, seal the one that was promised, and promise the next.

    The first shoe of a table, or after an earlier release, is promised and sealed at once.
    """
    state = live.table
    made = carry_out(state, commands.NewShoe(by=SYSTEM))
    if isinstance(made, Refusal):
        return made
    before = state.shoe.number if state.shoe else 0
    told: list[tuple[Logged, State | None]] = []
    kept: list[SealedShoe] = []
    if old is not None and live.commitment:
        opened = floor.ShoeRevealed(shoe=before, salt=old.salt.hex(), cards=format_cards(old.cards))
        told.append((opened, None))
    coming = live.coming
    if coming is None:
        promised, salt = _promised(key, live.id, before + 1)
        told.append((promised, None))
        kept.append(salt)
        coming = ComingShoe(number=promised.shoe, commitment=promised.commitment)
    told += made
    decks = (state.next_setup or state.setup).decks
    sealed = floor.ShoeSealed(
        shoe=coming.number, commitment=coming.commitment, decks=decks, seeds=coming.seeds
    )
    promised, salt = _promised(key, live.id, before + 2)
    told += [(sealed, None), (promised, None)]
    return Decided(events=tuple(told), shoes=(*kept, salt))


def _promised(key: bytes, table: str, number: int) -> tuple[floor.ShoePromised, SealedShoe]:
    """A new salt: what is told of it, and the salt itself locked up."""
    salt = sealed_shoes.new_salt()
    told = floor.ShoePromised(shoe=number, commitment=sealed_shoes.promise(table, number, salt))
    return told, SealedShoe(number=number, sealed=sealed_shoes.seal(key, table, number, salt))


def interrupt(live: Live) -> Decided | Refusal:
    """The technical-interruption rule of the rulebook, applied to the round being played.

    Who is choosing what to do about an irregularity gets the time for that anew.
    """
    asked = interruption(live.table)
    if asked or live.timer is None:
        return dealt(*asked)(live)
    return start_timer(live.timer.name, live.timer.key, live.timer.ms)(live)
