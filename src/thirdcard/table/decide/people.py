"""Who is at the table, with what chips, where, in which rank; and how the table is set up next."""

import msgspec

from thirdcard.errors import BadInput
from thirdcard.money import LARGEST_WAGER
from thirdcard.rulebook.model import Rulebook, Rules
from thirdcard.table import commands, limits, setup
from thirdcard.table.decide.checks import (
    acting_for,
    need_box,
    need_chips,
    need_dealer,
    need_person,
    need_player,
    need_rack,
    need_rank,
    refuse,
)
from thirdcard.table.decide.ruling import go_on
from thirdcard.table.events import (
    AnyEvent,
    BoughtIn,
    CardsRetrieved,
    CashedOut,
    DeviceReturned,
    NoInsuranceRequested,
    PlayerJoined,
    RulebookChanged,
    SeatLeft,
    SeatTaken,
    SetupChanged,
    StaffAssigned,
    WalkedAway,
)
from thirdcard.table.ledger import CASH, move, rack
from thirdcard.table.ranks import case_rules, discretion, outranks, titles_that_may
from thirdcard.table.rights.squeezing import handling
from thirdcard.table.state import UNDER_WAY, State
from thirdcard.words.saying import said_of, say


def join(state: State, command: commands.Join) -> tuple[AnyEvent, ...]:
    """A person, or somebody whom staff bring to the table."""
    player, staff = command.player or command.by, ""
    if player != command.by:
        need_dealer(state, command.by)
        staff = command.by
    if player in state.players:
        raise refuse("unknown-player", say("at-table-already", who=player))
    if player in state.staff:
        raise refuse("unknown-player", say("staff-do-not-play-here", who=player))
    try:
        setup.check_name(player)
    except BadInput as error:
        raise refuse("unknown-player", said_of(error)) from error
    return (PlayerJoined(player=player, by=staff),)


def buy_in(state: State, command: commands.BuyIn) -> tuple[AnyEvent, ...]:
    player, staff = acting_for(state, command.by, command.player)
    need_player(state, player)
    need_chips(state, command.cents)
    if state.rack(player) + command.cents > LARGEST_WAGER or not limits.is_countable(state, player):
        raise refuse("above-maximum", say("rack-is-full"))
    postings = move(command.cents, CASH, rack(player))
    return (BoughtIn(player=player, cents=command.cents, by=staff, postings=postings),)


def cash_out(state: State, command: commands.CashOut) -> tuple[AnyEvent, ...]:
    """Any number of cents: winnings need not be whole chips."""
    player, staff = acting_for(state, command.by, command.player)
    need_player(state, player)
    if command.cents <= 0:
        raise refuse("not-a-multiple", say("cash-out-above-zero"))
    need_rack(state, player, command.cents)
    postings = move(command.cents, rack(player), CASH)
    return (CashedOut(player=player, cents=command.cents, by=staff, postings=postings),)


def sit(state: State, command: commands.Sit) -> tuple[AnyEvent, ...]:
    """Take a free box, while cards are dealt too; a seat held elsewhere is given up."""
    player, staff = acting_for(state, command.by, command.player)
    need_player(state, player)
    need_no_stakes(state, player)
    need_box(state, command.box)
    holder = state.seats.get(command.box)
    if holder is not None:
        raise refuse("box-taken", say("box-taken", box=command.box, who=holder))
    left = tuple(SeatLeft(player=player, box=box) for box, who in state.seats.items() if who == player)
    return (*left, SeatTaken(player=player, box=command.box, by=staff))


def leave(state: State, command: commands.Leave) -> tuple[AnyEvent, ...]:
    """Chips that lie on the layout stay there and are settled; who is stood up gives back cards in hand."""
    player = command.player or command.by
    stood_up = command.by if command.player else ""
    if stood_up:
        need_rank(state, stood_up, state.rulebook.authority.amends.value)
    need_person(state, command.by)
    need_player(state, player)
    seats = (
        SeatLeft(player=player, box=box, by=stood_up) for box, who in state.seats.items() if who == player
    )
    events = (
        *seats,
        *(_given_back(state, player, stood_up) if stood_up else ()),
        *walked_away(state, player),
    )
    if not events:
        raise refuse("unknown-box", say("no-seat-leave", who=player))
    return go_on(state, events)


def _given_back(state: State, player: str, to: str) -> tuple[AnyEvent, ...]:
    """The cards that a person holds go back to the dealer."""
    handed = state.round.handed if state.round else {}
    places = tuple(place for place, holder in handed.items() if holder == player)
    rules = case_rules(state.rulebook, "absent-handler") or state.setup.handing_rules
    return (CardsRetrieved(places=places, by=to, rules=rules),) if places else ()


def walked_away(state: State, player: str) -> tuple[AnyEvent, ...]:
    """Who walks away loses the device, leaves bets and cards behind and forgoes insurance."""
    found: list[AnyEvent] = []
    if state.device == player:
        found.append(DeviceReturned(player=player, why="left", rules=state.setup.dealing.given_up_rules))
    current = state.round
    if current is None or current.phase not in UNDER_WAY:
        return tuple(found)
    if any(absence.player == player and absence.walked and not absence.back for absence in current.absences):
        return tuple(found)
    bets = any(stake.player == player for stake in current.stakes.values())
    if bets or player in (*handling(current), *current.requests):
        found.append(WalkedAway(player=player, rules=case_rules(state.rulebook, "walked-away")))
    return tuple(found)


def request_no_insurance(state: State, command: commands.RequestNoInsurance) -> tuple[AnyEvent, ...]:
    """At a private table a player may ask for it; the House grants it or not (interpretation 34)."""
    insurance = state.rulebook.insurance
    need_person(state, command.by)
    need_player(state, command.by)
    if insurance is None or not state.setup.insurance:
        raise refuse("not-allowed-here", say("no-insurance-at-table"))
    if not state.setup.private:
        raise refuse("not-allowed-here", say("for-private-tables"), insurance.private.rules)
    if command.by in state.asked:
        raise refuse("not-allowed-here", say("asked-already", who=command.by), insurance.private.rules)
    return (NoInsuranceRequested(player=command.by, rules=insurance.private.rules),)


def need_no_stakes(state: State, player: str) -> None:
    """Changing seats would change whether chips that lie there are a seated player's."""
    if state.round is None or state.phase not in UNDER_WAY:
        return
    lying = [stake for stake in state.round.stakes.values() if stake.player == player]
    if lying and state.phase == "betting":
        raise refuse("wrong-phase", say("take-chips-back-first", who=player, box=lying[0].box))
    if lying and player in state.seats.values():
        raise refuse("wrong-phase", say("seats-after-round"))


def assign(state: State, command: commands.Assign) -> tuple[AnyEvent, ...]:
    """A rank is given by someone who holds it or stands above it, from pit manager up."""
    if command.person in state.players:
        raise refuse("unknown-person", say("player-is-no-staff", who=command.person))
    try:
        setup.check_name(command.person)
    except BadInput as error:
        raise refuse("unknown-person", said_of(error)) from error
    need_rank(state, command.by, state.rulebook.authority.manages.value)
    own, ranks = state.staff[command.by], [rank.name for rank in state.rulebook.ranks]
    for rank in (state.staff.get(command.person, own), command.rank):
        if rank in ranks and not outranks(state.rulebook, own, rank):
            raise refuse(
                "wrong-rank", say("does-not-stand-above", who=command.by, rank=rank.replace("-", " "))
            )
    if command.rank not in ranks:
        raise refuse("unknown-rank", say("no-such-rank", rank=command.rank, ranks=tuple(ranks)))
    after = state.next_ranks.get(command.rank, command.rank)
    if state.next_setup is not None and after not in [rank.name for rank in state.next_setup.book.ranks]:
        raise refuse("unknown-rank", say("next-rulebook-has-no-rank", rank=after))
    before = state.staff.get(command.person, "")
    if before == command.rank:
        raise refuse("condition-not-met", say("has-rank-already", who=command.person))
    return (StaffAssigned(by=command.by, person=command.person, rank=command.rank, before=before),)


def change_setup(state: State, command: commands.ChangeSetup) -> tuple[AnyEvent, ...]:
    """A pit manager changes limits and methods; a method may need a rank of its own."""
    changes = {
        name: value for name, value in msgspec.structs.asdict(command.changes).items() if value is not None
    }
    present = state.next_setup or state.setup
    need_rank(state, command.by, state.rulebook.authority.manages.value)
    method = next((method for method in present.book.dealing if method.name == command.changes.method), None)
    if method is not None and method.allowed_by is not None and method is not present.dealing:
        need_rank(state, command.by, method.allowed_by, method.rules)
    wanted = msgspec.structs.replace(present, **changes)
    if present.insurance and not wanted.insurance:
        _need_request(state)
    try:
        setup.check(wanted)
    except BadInput as error:
        raise refuse("bad-setup", said_of(error), error.rules) from error
    if wanted == present:
        raise refuse("bad-setup", say("nothing-to-change"))
    rules = _change_rules(state, wanted)
    return (SetupChanged(by=command.by, setup=wanted, before=present, rules=rules),)


def change_rulebook(state: State, command: commands.ChangeRulebook) -> tuple[AnyEvent, ...]:
    """Between two rounds; what lies on the table and who works there has its place in the other book too."""
    need_rank(state, command.by, state.rulebook.authority.manages.value)
    if state.phase not in ("idle", "settled", "void"):
        raise refuse("wrong-phase", say("rulebook-between-rounds"))
    present = state.next_setup or state.setup
    try:
        wanted = _by_other_book(present, command)
    except BadInput as error:
        raise refuse("bad-setup", said_of(error)) from error
    _need_ranks(state, wanted.book, command.ranks)
    if present.insurance and not wanted.insurance:
        _need_request(state)
    try:
        setup.check(wanted)
    except BadInput as error:
        raise refuse("bad-setup", said_of(error), error.rules) from error
    method, own = wanted.dealing, state.staff[command.by]
    allowed = method.allowed_by is None or outranks(
        wanted.book, command.ranks.get(own, own), method.allowed_by
    )
    if method.name != present.dealing.name and not allowed:
        may = titles_that_may(wanted.book, method.allowed_by or "")
        raise refuse("bad-setup", say("method-needs-rank", name=method.name, ranks=may), method.rules)
    if wanted == msgspec.structs.replace(present, staff={}):
        raise refuse("bad-setup", say("nothing-to-change"))
    return (RulebookChanged(by=command.by, setup=wanted, before=present, ranks=command.ranks),)


def _by_other_book(present: setup.Setup, command: commands.ChangeRulebook) -> setup.Setup:
    """The present set-up by the other text; what only the present book limits is limited no more."""
    bare = msgspec.structs.replace(present, rulebook=command.rulebook, digest=command.digest)
    wanted = setup.bound(bare)
    changes = {
        name: value for name, value in msgspec.structs.asdict(command.changes).items() if value is not None
    }
    if wanted.book.limits.wagers_per_area is None:
        changes.setdefault("wagers_per_area", None)
    return msgspec.structs.replace(wanted, layout=command.layout or present.layout, staff={}, **changes)


def _need_ranks(state: State, other: Rulebook, become: dict[str, str]) -> None:
    """Everybody who has a rank now has one in the other ladder."""
    own, ladder = [rank.name for rank in state.rulebook.ranks], [rank.name for rank in other.ranks]
    wrong = [f"{one} to {become[one]}" for one in become if one not in own or become[one] not in ladder]
    lost = [rank for rank in dict.fromkeys(state.staff.values()) if become.get(rank, rank) not in ladder]
    if wrong or lost:
        told = say("no-step-from", wrong=tuple(wrong)) if wrong else say("say-what-becomes", lost=tuple(lost))
        raise refuse(
            "unknown-rank", say("ranks-of-rulebook", told=told, slug=other.slug, ladder=tuple(ladder))
        )


def _need_request(state: State) -> None:
    """A table plays without insurance only because a player of a private table asked for it."""
    insurance = state.rulebook.insurance
    if insurance is None:
        return
    if not state.setup.private:
        raise refuse("not-allowed-here", say("only-private-without-insurance"), insurance.private.rules)
    if not state.asked:
        raise refuse("condition-not-met", say("nobody-asked-for-it"), insurance.private.rules)


def _change_rules(state: State, wanted: setup.Setup) -> Rules:
    """The paragraphs behind what is changed at somebody's discretion."""
    present = state.next_setup or state.setup
    rules: list[str] = []
    if wanted.dealing is not present.dealing:
        rules += wanted.dealing.rules
    if wanted.insurance != present.insurance and state.rulebook.insurance is not None:
        rules += state.rulebook.insurance.private.rules
    fewer = discretion(state.rulebook, "fewer-wagers")
    if wanted.wagers_per_area != present.wagers_per_area and fewer is not None:
        rules += fewer.rules
    return tuple(rules)
