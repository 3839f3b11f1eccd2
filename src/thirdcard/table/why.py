"""Why somebody may do a thing, or may not: the paragraph, and the fact that decides.

A no is the refusal that the person would get, so it is never another reason than the table's own. A yes names
the fact that the right rests on.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import msgspec

from thirdcard.errors import BadInput
from thirdcard.play.tableau import LONGEST
from thirdcard.rulebook.model import Rules, Side
from thirdcard.table import commands
from thirdcard.table.commands import AnyCommand
from thirdcard.table.decide import decide
from thirdcard.table.playing import cap_for
from thirdcard.table.ranks import discretion, has_rank, is_dealer
from thirdcard.table.refusals import Refusal
from thirdcard.table.rights.choosing import open_stakes
from thirdcard.table.rights.insurance import Window, open_windows
from thirdcard.table.rights.squeezing import has_wager, in_line, permit_of, squeezer_of
from thirdcard.table.state import HANDS, OpenOffer, Round, State
from thirdcard.words import ENGLISH, Language
from thirdcard.words.saying import Saying, in_words, say


class Why(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a person `may` do `what`, by which fact and paragraphs; `code` is that of a refusal."""

    person: str
    right: str
    what: str
    may: bool
    because: str
    rules: Rules = ()
    code: str = ""


class Wish(NamedTuple):
    """A thing that somebody might do, the command for it, and the fact that it rests on if it is granted."""

    what: Saying
    command: AnyCommand
    because: Saying
    rules: Rules


def why(state: State, person: str, right: str = "", language: Language = ENGLISH) -> tuple[Why, ...]:
    """Everything that a player might do of one right, or of all: whether they may, and why or why not.

    >>> from thirdcard.table import Table
    >>> table = Table("mbs-tiger-v2", staff={"dee": "dealer"})
    >>> for asked in (commands.Join(by="ann"), commands.NewShoe(by="dee"), commands.Open(by="dee")):
    ...     events = table.do(asked)
    >>> [(one.what, one.may, one.because) for one in why(table.state, "ann", "choose")]
    [('choose', False, 'no choice is offered now')]
    """
    if right and right not in RIGHTS:
        raise BadInput(say("no-such-right", right=right, rights=tuple(RIGHTS)))
    if person not in state.players:
        there = tuple(state.players) or (say("nobody"),)
        raise BadInput(say("does-not-play-here", who=person, there=there))
    wanted = {right: RIGHTS[right]} if right else RIGHTS
    return tuple(
        _judged(state, person, name, asked, language)
        for name, might in wanted.items()
        for asked in might(state, person)
    )


def _judged(state: State, person: str, right: str, asked: Wish, language: Language) -> Why:
    """The table's own answer."""
    answer = decide(state, asked.command)
    no = answer if isinstance(answer, Refusal) else None
    return Why(
        person=person,
        right=right,
        what=in_words(asked.what, language),
        may=no is None,
        because=in_words(no.said if no else asked.because, language),
        rules=no.rules if no else asked.rules,
        code=no.code if no else "",
    )


def _insure(state: State, person: str) -> Iterator[Wish]:
    """Insurance on each bet of theirs, by each offer there is; without an offer, by none."""
    current, unit = state.round, state.setup.chip_unit
    lying = current.stakes.values() if current else ()
    mine = [(stake.box, Side(stake.bet)) for stake in lying if stake.player == person and stake.bet in HANDS]
    windows = open_windows(state, current) if current else ()
    for box, hand in mine or [(1, Side.PLAYER)]:
        offers = [(window, offer) for window in windows for offer in window.offers if offer.hand is hand]
        for window, offer in offers:
            named = commands.Insure(by=person, box=box, hand=hand, cents=unit, window=window.number)
            assert current is not None  # something is on offer
            told = _offered(state, current, person, box, window, offer)
            yield Wish(say("wish-insure-window", hand=hand, box=box, number=window.number), named, *told)
        if not offers:
            plain = commands.Insure(by=person, box=box, hand=hand, cents=unit)
            yield Wish(say("wish-insure", hand=hand, box=box), plain, say("as-told", text=""), ())


def _offered(  # noqa: PLR0913, PLR0917 - which offer to whom
    state: State, current: Round, person: str, box: int, window: Window, offer: OpenOffer
) -> tuple[Saying, Rules]:
    cap = cap_for(state, current, offer, person, box, late=bool(window.late_for))
    number, odds, most = window.number, str(offer.odds), cap.cents
    told = say("window-open-by-right", number=number, odds=odds, most=most)
    if window.late_for:
        told = say("window-late-by-name", number=number, odds=odds, most=most)
    return told, tuple(dict.fromkeys((*offer.rules, *cap.rules)))


def _decline(state: State, person: str) -> Iterator[Wish]:
    rules = state.rulebook.insurance.forgone.rules if state.rulebook.insurance else ()
    because = say("offer-not-answered", who=person)
    yield Wish(say("wish-no-insurance"), commands.Decline(by=person), because, rules)


def _choose(state: State, person: str) -> Iterator[Wish]:
    current = state.round
    pending, lies = (current.pending, current.stakes) if current else (None, {})
    mine = open_stakes(state, current, pending, person) if current and pending else []
    bets = tuple([say("bet-in-box", bet=lies[key].bet, box=lies[key].box) for key in mine])
    goes_on = commands.Choose(by=person, choice="continue")
    yield Wish(
        say("wish-choose"), goes_on, say("neither-won-nor-lost", bets=bets), pending.rules if pending else ()
    )


def _withdraw(state: State, person: str) -> Iterator[Wish]:
    lying = state.round.stakes.values() if state.round else ()
    mine = [(stake.box, stake.bet) for stake in lying if stake.player == person]
    allowed = discretion(state.rulebook, "cut-card-withdrawal")
    because, rules = say("withdrawal-was-allowed"), allowed.rules if allowed else ()
    if state.phase in ("betting", "adjusting"):
        because, rules = say("bets-are-open"), state.rulebook.betting.opens.rules
    for box, bet in mine or [(1, state.setup.bets[0])]:
        taken = commands.TakeBack(by=person, box=box, bet=bet)
        yield Wish(say("wish-withdraw", bet=bet, box=box), taken, because, rules)


def _squeeze(state: State, person: str) -> Iterator[Wish]:
    """To be handed each card that lies face down; and to ask for the next one, where that is asked for."""
    current = state.round
    dealer = next((member for member in state.staff if is_dealer(state, member)), "")
    for place in current.hidden if current else ():
        assert current is not None  # the card lies there
        given = commands.HandOver(by=dealer, cards=(place,), player=person)
        yield Wish(say("wish-card", place=place), given, *_handling(state, current, place, person))
    first = len(current.drawn) + 1 if current else 1
    if state.rulebook.squeeze.right == "largest-bet" and first <= LONGEST:
        asks = commands.RequestSqueeze(by=person, cards=(first,))
        because = say("largest-bet", who=person)
        yield Wish(say("wish-squeeze", first=first), asks, because, state.rulebook.squeeze.rules)


def _handling(state: State, current: Round, place: int, person: str) -> tuple[Saying, Rules]:
    permit, hand = permit_of(current, place), current.hand(state.rulebook.table_of_play, place)
    if permit is not None and permit.player == person:
        return say("was-let-squeeze", who=person), permit.rules
    if hand is not None and squeezer_of(state, current, hand) == person:
        return say("squeezes-that-hand", who=person, hand=hand), state.setup.handing_rules
    if hand is not None and in_line(state, current, hand)[:1] == [person]:
        return say("has-most-on-hand", who=person, hand=hand), state.setup.handing_rules
    return say("device-is-passed-on"), state.setup.handing_rules


def _device(state: State, person: str) -> Iterator[Wish]:
    """To be given the dealing device, by somebody of the rank that it takes."""
    current, without = state.round, discretion(state.rulebook, "draw-without-wager")
    wagers = without is None or (current is not None and has_wager(state, current, person))
    needed = state.rulebook.authority.deals.value if wagers or without is None else without.rank
    giver = next((member for member in state.staff if has_rank(state, member, needed)), person)
    because, rules = say("has-playing-wager", who=person), state.setup.dealing.rules
    if not wagers and without is not None:
        because, rules = say("draws-without-wager", who=giver, who2=person), without.rules
    yield Wish(say("wish-device"), commands.GiveDevice(by=giver, player=person), because, rules)


RIGHTS: Final[dict[str, Callable[[State, str], Iterator[Wish]]]] = {
    "insure": _insure,
    "decline": _decline,
    "choose": _choose,
    "withdraw": _withdraw,
    "squeeze": _squeeze,
    "device": _device,
}
