"""Insurance: what is on offer by the cards, to whom, what they have said to it, and how much they may still buy."""

from fractions import Fraction
from typing import NamedTuple

from table.second_reader import cards, chips, limits
from table.second_reader.facts import Fact, Right, Round, walked_away
from table.second_reader.reports import is_held_up, waiting
from thirdcard.cards import Card
from thirdcard.money import Odds
from thirdcard.play.insurance import open_window, rows
from thirdcard.play.tableau import INITIAL, Deal

FIRST, SECOND = 1, 2
ALWAYS_DRAWS = 2  # points up to which the Banker draws against any third card
ENDS = ("card-drawn", "cards-exposed", "cards-laid")


class Offer(NamedTuple):
    """A row of the insurance table in one of the two windows; at most one is on offer in each."""

    window: int
    hand: str
    row: int


class Buy(NamedTuple):
    """Somebody may insure a hand in a box for up to so many cents."""

    person: str
    box: int
    hand: str
    window: int
    late: bool
    cap: int | None  # None where the reading leaves it open
    right: Right


# What is on offer ----------------------------------------------------------------------------------------


def offer_at(round_: Round, seen: tuple[Card, ...], window: int) -> Offer | None:
    """What that window of a round offers by its cards: points decide, never suits (10, 49)."""
    terms = round_.rules.insurance
    count = INITIAL + window - FIRST
    if terms is None or len(seen) < count:
        return None
    deal = Deal(round_.rules.table_of_play, seen[:count])
    if open_window(deal) != window:
        return None
    found = [(terms.offers.index(row), row.hand.value) for row in rows(terms, deal, window)]
    return Offer(window, found[0][1], found[0][0]) if found else None


def on_offer(round_: Round) -> Offer | None:
    """The offer of the moment: every card is seen, the round goes on, and the second window was not waived (10, 16)."""
    lying = cards.lying(round_)
    if not round_.setup.get("insurance", True) or round_.phase != "dealing" or not cards.all_seen(lying):
        return None
    window = len(lying) - INITIAL + FIRST
    if window not in (FIRST, SECOND) or (window == SECOND and is_waived(round_)):
        return None
    return offer_at(round_, cards.seen(lying), window)


def is_waived(round_: Round) -> bool:
    """The Banker's third card is seen first: by consent, while the Player draws and the Banker has 0 to 2 (16, 49)."""
    if not round_.said("third-cards-reversed"):
        return False
    four = cards.seen(cards.lying(round_))[:INITIAL]
    deal = Deal(round_.rules.table_of_play, four)
    return len(four) == INITIAL and str(deal.next) == "player" and deal.banker_points <= ALWAYS_DRAWS


# What was said -------------------------------------------------------------------------------------------


class Told:
    """What people have said to each offer, which offers are over, and which stand late.

    A no is to an offer; where the cards turn out to be others and the offer never existed, it is no answer. Insurance that
    was bought plays at the row there really was, so it answers its window whatever that is (39).
    """

    def __init__(self) -> None:
        self.declined: set[tuple[str, Offer]] = set()
        self.bought: set[tuple[str, int, str]] = set()  # person, window and hand
        self.silent: set[tuple[str, Offer]] = set()
        self.over: set[Offer] = set()
        self.late: dict[tuple[str, int], bool] = {}  # person and window: whether it still stands

    def has_bought(self, person: str, offer: Offer) -> bool:
        return (person, offer.window, offer.hand) in self.bought

    def answered(self, person: str, offer: Offer) -> bool:
        return (person, offer) in self.declined or self.has_bought(person, offer)


def told(round_: Round) -> Told:
    """Walk the round: who answered, who was silent, what was neglected, and what was offered late."""
    found = Told()
    for number, fact in enumerate(round_.facts):
        tag, before = fact["event"], round_.until(number)
        if tag == "insurance-declined":
            _said_no(before, found, fact["player"])
        elif tag == "insurance-bought":
            bought = fact["purchase"]
            found.bought.add((bought["player"], bought["window"], bought["hand"]))
        elif tag == "insurance-closed":
            _closes(before, found, fact["window"], late=fact.get("late", False))
        elif tag in ENDS and _goes_on(before, round_.until(number + 1)):
            _closes(before, found, 0, late=False)
            _closes(before, found, 0, late=True)
        elif tag == "irregularity-ruled":
            _neglect(before, found, waiting(before)[0].pending, fact)
    return found


def _goes_on(before: Round, after: Round) -> bool:
    """Whether a fact about cards draws or turns one: what was on offer until then is over (14, 45)."""
    old, new = cards.lying(before), cards.lying(after)
    return len(new) > len(old) or [one.face_up for one in new] != [one.face_up for one in old]


def _said_no(round_: Round, found: Told, person: str) -> None:
    """A no is to everything that is on offer to that person at the moment (14)."""
    for offer, _ in open_to(round_, found, person):
        found.declined.add((person, offer))
        if found.late.get((person, offer.window)):
            found.late[person, offer.window] = False


def _closes(round_: Round, found: Told, window: int, *, late: bool) -> None:
    """Who was offered and had not answered has been silent (5.3)."""
    seen = cards.seen(cards.lying(round_))
    if late:
        for (person, number), stands in list(found.late.items()):
            offer = offer_at(round_, seen, number)
            if stands and window in (0, number) and offer is not None:
                found.late[person, number] = False
                if not found.answered(person, offer) and _has_bet(round_, person, offer.hand):
                    found.silent.add((person, offer))
        return
    offer = on_offer(round_)
    if offer is None or offer in found.over or window not in (0, offer.window):
        return
    for person in chips.people(round_):
        asked = _has_bet(round_, person, offer.hand) and not has_forgone(round_, found, person, offer.window)
        if asked and not found.answered(person, offer):
            found.silent.add((person, offer))
    found.over.add(offer)


def _neglect(round_: Round, found: Told, report: Fact, ruling: Fact) -> None:
    """A neglected window frees who was not offered it; it is offered anew, or late to those it was not made to.

    TBC 5.14, CBI 5.13 with 14, 15, 48, 50, 51, 57.
    """
    remedies = set(ruling["remedies"])
    if not {"offer", "late-insurance", "return-original"} & remedies:
        return
    offer = offer_at(round_, cards.seen(cards.lying(round_)), report["window"])
    if offer is None:
        return
    named = (
        {*report.get("players", ()), *ruling["inputs"].get("intended", ())}
        if report.get("players")
        else set()
    )
    people = [person for person in chips.people(round_) if _is_affected(round_, found, named, person, offer)]
    for person in people:
        found.silent.discard((person, offer))
    if "offer" in remedies and people:
        found.over.discard(offer)
    if "late-insurance" in remedies:
        for person in people:
            if not has_forgone(round_, found, person, offer.window):
                found.late[person, offer.window] = True


def _is_affected(round_: Round, found: Told, named: set[str], person: str, offer: Offer) -> bool:
    """A bet on that hand, meant by the report or by the finding, and no answer to that window on record."""
    if named and person not in named:
        return False
    if (person, offer.window) in found.late:
        return False  # made by name, and answered or silent since: silence to it is silence (48)
    return _has_bet(round_, person, offer.hand) and not found.answered(person, offer)


def _has_bet(round_: Round, person: str, hand: str) -> bool:
    stakes = chips.lying(round_.facts).values()
    return any((stake["player"], stake["bet"]) == (person, hand) for stake in stakes)


def has_forgone(round_: Round, found: Told, person: str, window: int) -> bool:
    """By walking away, or by silence to an offer that was really made, in that window or an earlier one (14, 48)."""
    if walked_away(round_.facts, person):
        return True
    seen = cards.seen(cards.lying(round_))
    for number in range(FIRST, window + 1):
        offer = offer_at(round_, seen, number)
        if offer is not None and (person, offer) in found.silent:
            return True
    return False


# Who may buy ---------------------------------------------------------------------------------------------


def open_to(round_: Round, found: Told, person: str) -> list[tuple[Offer, bool]]:
    """The offers that stand for somebody with a bet on their hand, each by right or late, declined ones left out."""
    standing: list[tuple[Offer, bool]] = []
    offer = on_offer(round_)
    if offer is not None and offer not in found.over and not has_forgone(round_, found, person, offer.window):
        standing.append((offer, False))
    seen = cards.seen(cards.lying(round_))
    for (who, window), stands in found.late.items():
        late = offer_at(round_, seen, window)
        if offer is not None and offer not in found.over and offer.window == window:
            continue  # a record put right has opened it by right
        if who == person and stands and late is not None and _may_still_insure(round_, person, late):
            standing.append((late, True))
    return [
        (one, late)
        for one, late in standing
        if _has_bet(round_, person, one.hand) and (person, one) not in found.declined
    ]


def _may_still_insure(round_: Round, person: str, offer: Offer) -> bool:
    """A late offer stands while its Original Bet is neither won nor lost, for who has not walked away (15)."""
    if walked_away(round_.facts, person) or cards.is_complete(round_):
        return False
    bet, table = round_.rules.bets[offer.hand], round_.rules.table_of_play
    return not cards.is_decided(bet, table, cards.known(round_, None))


def may_buy(round_: Round, person: str) -> list[Buy]:
    """What somebody may insure now, and for how much at most (11, 12, 50)."""
    if round_.phase != "dealing" or is_held_up(round_):
        return []
    said, found = told(round_), list[Buy]()
    for offer, late in open_to(round_, said, person):
        for stake in chips.lying(round_.facts).values():
            if (stake["player"], stake["bet"]) != (person, offer.hand):
                continue
            cap, right = most(round_, person, stake["box"], offer, late=late)
            again = late and said.has_bought(person, offer)
            found.append(
                Buy(person, stake["box"], offer.hand, offer.window, late, None if again else cap, right)
            )
    return found


def may_buy_more(round_: Round, person: str) -> bool:
    """Whether an offer stands for somebody who has bought in its window already."""
    said = told(round_)
    return any(said.has_bought(person, offer) for offer, _ in open_to(round_, said, person))


def must_answer(round_: Round) -> list[str]:
    """Who would be silent if the dealer said now that insurance is closed (5.3)."""
    if round_.phase != "dealing" or is_held_up(round_):
        return []
    said = told(round_)
    return [
        person
        for person in chips.people(round_)
        if any(not said.answered(person, offer) for offer, _ in open_to(round_, said, person))
    ]


# How much ------------------------------------------------------------------------------------------------


class Cover(NamedTuple):
    """A purchase, its true row (None where there was no such offer), and what of it plays."""

    purchase: Fact
    offer: Offer | None
    cents: int


def covers(round_: Round) -> list[Cover]:
    """Every purchase in the order bought: it plays at the row there really was, and within its cap (19, 39)."""
    found: list[Cover] = []
    seen = cards.seen(cards.lying(round_))
    for one in chips.bought(round_.facts):
        offer = offer_at(round_, seen, one["window"])
        if offer is None or offer.hand != one["hand"]:
            found.append(Cover(one, None, 0))
            continue
        cap, _ = _cap(round_, found, one["player"], one["box"], offer, late=one.get("late", False))
        found.append(Cover(one, offer, min(one["cents"], cap)))
    return found


def most(round_: Round, person: str, box: int, offer: Offer, *, late: bool) -> tuple[int, Right]:
    """The most that somebody may still put on an offer in a box."""
    return _cap(round_, covers(round_), person, box, offer, late=late)


def _cap(  # noqa: PLR0913 - who, where and what
    round_: Round, before: list[Cover], person: str, box: int, offer: Offer, *, late: bool
) -> tuple[int, Right]:
    """Per person, box and hand, by the text of interpretation 12; the tightest counts."""
    terms = round_.rules.insurance
    assert terms is not None
    original, _ = limits.plays_for(round_, f"{box}/{offer.hand}/{person}")
    mine = [one for one in before if one.purchase["player"] == person and one.offer is not None]
    here = [one for one in mine if (one.purchase["box"], one.purchase["hand"]) == (box, offer.hand)]
    odds = terms.offers[offer.row].odds
    caps: list[tuple[Fraction, Right]] = []
    if terms.stake_per_window is not None:  # TBC 3.12.2: in each window at most the Original Bet
        staked = sum(one.cents for one in here if one.purchase["window"] == offer.window)
        caps.append((Fraction(original - staked), Right(("3.12.2",), "the Original Bet in each window")))
    if terms.winnings_per_round is not None:  # CBI 3.12.2: winnings of both windows at most the Original Bet
        won = sum((_odds(round_, one).winnings(one.cents) for one in here), Fraction(0))
        caps.append(((original - won) / odds.ratio, Right(("3.12.2",), "winnings within the Original Bet")))
    base = _displayed(round_, offer.hand)
    if terms.long_odds is not None and odds == terms.long_odds.odds and base is not None:
        at_these = sum(
            one.cents for one in mine if one.purchase["window"] == offer.window and _odds(round_, one) == odds
        )
        caps.append((Fraction(base, 4) - at_these, Right(("3.12.2",), "a quarter of the maximum at 10 to 1")))
    if late and terms.late_winnings is not None:  # TBC 5.14.1
        won = sum(
            (
                Fraction(_odds(round_, one).winnings_cents(one.cents))
                for one in here
                if one.purchase.get("late")
            ),
            Fraction(0),
        )
        caps.append(
            ((original - won) / odds.ratio, Right(("5.14.1",), "late winnings within the Original Bet"))
        )
    cents, right = min(caps, key=lambda one: one[0])
    whole = max(int(cents), 0)
    return whole - whole % round_.unit, right


def _displayed(round_: Round, hand: str) -> int | None:
    """The displayed maximum of the insured hand; the maximum differential where there is none (12)."""
    maximum = round_.most(hand)
    return round_.setup.get("differential") if maximum is None else maximum


def _odds(round_: Round, cover: Cover) -> Odds:
    terms = round_.rules.insurance
    assert terms is not None
    assert cover.offer is not None
    return terms.offers[cover.offer.row].odds
