"""Why somebody may do a thing, or may not: the paragraph, and the fact that decides.

A no is the refusal that the person would get, so it is never another reason than the table's own. A yes names
the fact that the right rests on.
"""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from thirdcard.errors import BadInput
from thirdcard.money import format_dollars
from thirdcard.play.tableau import LONGEST
from thirdcard.rulebook.model import Rules, Side
from thirdcard.table import commands
from thirdcard.table.commands import AnyCommand
from thirdcard.table.decide import decide
from thirdcard.table.playing import cap_for
from thirdcard.table.ranks import discretion, has_rank, is_dealer
from thirdcard.table.refusals import Refusal
from thirdcard.table.rights.choosing import open_stakes
from thirdcard.table.rights.insurance import open_windows
from thirdcard.table.rights.squeezing import has_wager, in_line, permit_of, squeezer_of
from thirdcard.table.state import HANDS, Round, State


class Why(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a person `may` do `what`, because of a fact, by these paragraphs; `code` is that of a refusal."""

    person: str
    right: str
    what: str
    may: bool
    because: str
    rules: Rules = ()
    code: str = ""


def why(state: State, person: str, right: str = "") -> tuple[Why, ...]:
    """Every thing that a person might do of one right, or of all: whether they may, and why or why not.

    >>> from thirdcard.table import Table
    >>> table = Table("mbs-tiger-v2", staff={"dee": "dealer"})
    >>> for asked in (commands.Join(by="ann"), commands.NewShoe(by="dee"), commands.Open(by="dee")):
    ...     events = table.do(asked)
    >>> [(one.what, one.may, one.because) for one in why(table.state, "ann", "choose")]
    [('choose', False, 'no choice is offered now')]
    """
    if right and right not in RIGHTS:
        raise BadInput(f"there is no right {right!r}: expected one of {', '.join(RIGHTS)}")
    if person not in state.players and person not in state.staff:
        raise BadInput(
            f"{person} is not at this table: expected one of {', '.join((*state.players, *state.staff))}"
        )
    wanted = {right: RIGHTS[right]} if right else RIGHTS
    return tuple(one for name, told in wanted.items() for one in told(state, person, name))


def _judged(
    state: State, person: str, right: str, what: str, command: AnyCommand, fact: tuple[str, Rules]
) -> Why:
    """The table's own answer; `fact` is what a yes rests on."""
    answer = decide(state, command)
    if isinstance(answer, Refusal):
        return Why(
            person=person,
            right=right,
            what=what,
            may=False,
            because=answer.sentence,
            rules=answer.rules,
            code=answer.code,
        )
    because, rules = fact
    return Why(person=person, right=right, what=what, may=True, because=because, rules=rules)


def _insure(state: State, person: str, right: str) -> Iterator[Why]:
    """Insurance on each bet of theirs, in each window; of a person without one, on the first hand."""
    current = state.round
    lying = list(current.stakes.values()) if current else []
    mine = [(one.box, Side(one.bet)) for one in lying if one.player == person and one.bet in HANDS]
    windows = open_windows(state, current) if current else ()
    numbers = list(dict.fromkeys(one.number for one in windows)) or [0]
    for box, hand in mine or [(1, Side.PLAYER)]:
        for number in numbers:
            wish = commands.Insure(by=person, box=box, hand=hand, cents=state.setup.chip_unit, window=number)
            named = f", window {number}" if number else ""
            fact = _offered(state, current, person, box, hand, number) if current else ("", ())
            yield _judged(state, person, right, f"insure {hand} in box {box}{named}", wish, fact)


def _offered(  # noqa: PLR0913, PLR0917 - which offer to whom
    state: State, current: Round, person: str, box: int, hand: Side, number: int
) -> tuple[str, Rules]:
    for window in open_windows(state, current):
        for offer in window.offers:
            theirs = not window.late_for or person in window.late_for
            if offer.hand is hand and window.number == number and theirs:
                late = bool(window.late_for)
                cap = cap_for(state, current, offer, person, box, late=late)
                how = "offered late, by name" if late else "open by right"
                told = f"window {number} is {how} at {offer.odds}: up to {format_dollars(cap.cents)}"
                return told, tuple(dict.fromkeys((*offer.rules, *cap.rules)))
    return "", ()


def _decline(state: State, person: str, right: str) -> Iterator[Why]:
    insurance = state.rules.insurance
    rules = insurance.forgone.rules if insurance else ()
    fact = (f"insurance is offered to {person}, who has not answered", rules)
    yield _judged(state, person, right, "say no to insurance", commands.Decline(by=person), fact)


def _choose(state: State, person: str, right: str) -> Iterator[Why]:
    current = state.round
    pending = current.pending if current else None
    open_still = open_stakes(state, current, pending, person) if current and pending else []
    bets = (
        ", ".join(f"{current.stakes[key].bet} in box {current.stakes[key].box}" for key in open_still)
        if current
        else ""
    )
    fact = (f"still neither won nor lost: {bets}", pending.rules if pending else ())
    yield _judged(state, person, right, "choose", commands.Choose(by=person, choice="continue"), fact)


def _withdraw(state: State, person: str, right: str) -> Iterator[Why]:
    lying = state.round.stakes.values() if state.round else ()
    mine = [(one.box, one.bet) for one in lying if one.player == person]
    allowed = discretion(state.rules, "cut-card-withdrawal")
    is_open = state.phase in ("betting", "adjusting")
    fact = (
        ("bets are open", state.rules.betting.opens.rules)
        if is_open
        else ("it was allowed when the cut card came first", allowed.rules if allowed else ())
    )
    for box, bet in mine or [(1, state.setup.bets[0])]:
        taken = commands.TakeBack(by=person, box=box, bet=bet)
        yield _judged(state, person, right, f"withdraw {bet} in box {box}", taken, fact)


def _squeeze(state: State, person: str, right: str) -> Iterator[Why]:
    """To be handed each card that lies face down; and to ask for those to come, where that is asked for."""
    current = state.round
    dealer = next((one for one in state.staff if is_dealer(state, one)), "")
    for place in current.hidden if current else ():
        given = commands.HandOver(by=dealer, cards=(place,), player=person)
        yield _judged(
            state, person, right, f"be handed card {place}", given, _handling(state, current, place, person)
        )
    first = len(current.drawn) + 1 if current else 1
    if state.rules.squeeze.right == "largest-bet" and first <= LONGEST:
        fact = (f"{person} has the largest bet", state.rules.squeeze.rules)
        asks = commands.RequestSqueeze(by=person, cards=(first,))
        yield _judged(state, person, right, f"ask to squeeze card {first}", asks, fact)


def _handling(state: State, current: Round | None, place: int, person: str) -> tuple[str, Rules]:
    if current is None:
        return "", ()
    permit, hand = permit_of(current, place), current.hand(state.rules.table_of_play, place)
    if permit is not None and permit.player == person:
        return f"{person} was let squeeze it", permit.rules
    if hand is not None and squeezer_of(state, current, hand) == person:
        return f"{person} squeezes the {hand.label} hand", state.setup.handing_rules
    if hand is not None and in_line(state, current, hand)[:1] == [person]:
        return f"{person} has most on {hand.label}", state.setup.handing_rules
    return "who has the device passes it on", state.setup.handing_rules


def _device(state: State, person: str, right: str) -> Iterator[Why]:
    """To be given the dealing device, by the lowest rank that may."""
    current, without = state.round, discretion(state.rules, "draw-without-wager")
    wagers = current is not None and has_wager(state, current, person)
    needed = state.rules.authority.deals.value if wagers or without is None else without.rank
    giver = next((one for one in state.staff if has_rank(state, one, needed)), person)
    fact = (
        (f"{person} has a wager that plays", state.setup.dealing.rules)
        if wagers or without is None
        else (f"{giver} may let {person} draw without a wager", without.rules)
    )
    yield _judged(
        state, person, right, "be given the device", commands.GiveDevice(by=giver, player=person), fact
    )


RIGHTS: Final[dict[str, Callable[[State, str, str], Iterator[Why]]]] = {
    "insure": _insure,
    "decline": _decline,
    "choose": _choose,
    "withdraw": _withdraw,
    "squeeze": _squeeze,
    "device": _device,
}
