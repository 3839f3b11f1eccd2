"""What every rack, box and debt must hold, worked out from what happened and from nobody's postings.

Debts (54): what a settlement that is taken back leaves somebody short of is owed. What comes back in the same act,
when the round is settled anew or void at once, goes against that first; after that only winnings pay a debt. Where the
reading leaves open what pays a debt (`unsure`), only chips less debts are known: a reversal after which the round is not
settled at once, a second reversal of the same round, chips that were found to have lain there and are not in the rack.
"""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from table.second_reader import cards, chips, insurance, limits
from table.second_reader.facts import HANDS, Fact, Log, Round
from table.second_reader.reports import waiting
from thirdcard.play.bets import net_cents, open_to, result
from thirdcard.play.insurance import result as insurance_result
from thirdcard.play.outcome import outcome_of
from thirdcard.play.tableau import Deal
from thirdcard.rulebook.conditions import Outcome, sight_of_all

# What may follow a reversal in the same act; anything else is something new.
SAME_ACT = frozenset((
    "settlement-reversed", "chips-put-right", "stake-set", "stakes-decided", "played-changed", "cards-amended",
    "cards-laid", "cards-exposed", "insurance-opened", "insurance-closed", "record-amended", "neglect-found",
    "neglect-recorded", "remedy-done", "remedy-needless", "round-settled", "round-voided", "device-returned",
))  # fmt: skip
OWN_ACTS = ("placed", "taken-back", "withdrawn")  # stakes that a player moves


class Line(NamedTuple):
    """A stake or an insurance that leaves the layout: what lay there and what it won or lost."""

    player: str
    box: int
    what: str
    stake: int
    net: int
    result: str


class Books:
    """Racks, boxes and debts; `lacks` is what of a debt belongs to the reversal under way."""

    def __init__(self) -> None:
        self.racks: Counter[str] = Counter()
        self.boxes: Counter[int] = Counter()
        self.owed: Counter[str] = Counter()
        self.lacks: Counter[str] = Counter()
        self.unsure: set[str] = set()  # how much of what they have is owed is left open
        self.of_this_round: Counter[str] = Counter()  # debts that earlier reversals of the round have left
        self.is_reversing = False
        self.paid: list[tuple[Line, int]] = []  # of the settlement that stands, with what went to a debt
        self.early: list[tuple[Line, int]] = []  # of wagers settled early

    def lay(self, person: str, box: int, cents: int) -> None:
        """Chips onto the layout; what the rack does not hold is owed (37)."""
        self.boxes[box] += cents
        self.take(person, cents)

    def take(self, person: str, cents: int) -> None:
        missing = max(cents - self.racks[person], 0)
        self.racks[person] -= cents - missing
        self.owed[person] += missing
        if self.is_reversing:
            self.lacks[person] += missing
        elif missing:
            self.unsure.add(person)

    def give_back(self, person: str, box: int, cents: int) -> None:
        """A bet that is returned is returned, but for what the same reversal lacks (54)."""
        self.boxes[box] -= cents
        self._comes(person, cents)

    def _comes(self, person: str, cents: int) -> None:
        netted = min(cents, self.lacks[person])
        self.lacks[person] -= netted
        self.owed[person] -= netted
        self.racks[person] += cents - netted

    def settle(self, line: Line) -> int:
        """A line is paid or collected; how much of its winnings went to an older debt."""
        if line.net <= 0:
            self.boxes[line.box] += line.net
            self.give_back(line.player, line.box, line.stake + line.net)
            return 0
        self.give_back(line.player, line.box, line.stake)
        netted = min(line.net, self.lacks[line.player])
        to_debt = min(line.net - netted, self.owed[line.player] - self.lacks[line.player])
        self.owed[line.player] -= to_debt
        self._comes(line.player, line.net - to_debt)
        return to_debt

    def unsettle(self, line: Line, to_debt: int) -> None:
        """A line is taken back: the chips lie in their box again, and a debt that it paid stands again."""
        self.boxes[line.box] += line.stake
        self.owed[line.player] += to_debt
        self.take(line.player, line.stake + line.net - to_debt)


def books(log: Log) -> Books:
    """Walk the whole log."""
    found = Books()
    for fact in log.facts:
        if log.rounds and fact is log.rounds[0].facts[0]:
            break
        _cash(found, fact)
    for round_ in log.rounds:
        found.paid, found.early, found.is_reversing = [], [], False
        found.lacks.clear()
        found.of_this_round.clear()
        for number, fact in enumerate(round_.facts):
            _cash(found, fact)
            _fact(found, round_, number, fact)
    return found


def _cash(found: Books, fact: Fact) -> None:
    if fact["event"] == "bought-in":
        found.racks[fact["player"]] += fact["cents"]
    elif fact["event"] == "cashed-out":
        found.racks[fact["player"]] -= fact["cents"]
    elif fact["event"] == "player-joined":
        found.racks[fact["player"]] = fact.get("cents", 0)


def _fact(found: Books, round_: Round, number: int, fact: Fact) -> None:
    tag = fact["event"]
    if tag not in SAME_ACT or fact.get("why") in OWN_ACTS:
        found.unsure |= {person for person, cents in found.lacks.items() if cents}
        _reversed(found)
    if tag in FOLLOWS:
        FOLLOWS[tag](found, round_.until(number), fact)


def _stake_set(found: Books, before: Round, fact: Fact) -> None:
    stake = fact["stake"]
    lay = chips.lying(before.facts).get(chips.key_of(stake), {"cents": 0})
    _moves(found, stake, stake["cents"] - lay["cents"])
    if fact["why"] == "returned" and not stake["cents"]:
        _uninsure(found, before, [chips.key_of(stake)])


def _came_late(found: Books, _: Round, fact: Fact) -> None:
    _moves(found, fact["late"], fact["late"]["cents"])


def _put_right(found: Books, before: Round, fact: Fact) -> None:
    for key in fact["stakes"]:
        late = chips.late(before.facts)[key]
        _moves(found, late, -late["cents"])


def _bought(found: Books, _: Round, fact: Fact) -> None:
    _moves(found, fact["purchase"], fact["purchase"]["cents"])


def _chosen(found: Books, before: Round, fact: Fact) -> None:
    """Whole bets go back, and the insurance on them."""
    keys = list(fact.get("returned", ()))
    stakes = chips.lying(before.facts)
    for key in keys:
        found.give_back(stakes[key]["player"], stakes[key]["box"], stakes[key]["cents"])
    _uninsure(found, before, keys)


def _settled_early(found: Books, before: Round, _: Fact) -> None:
    found.early += [(line, found.settle(line)) for line in early_lines(before)]


def _round_settled(found: Books, before: Round, _: Fact) -> None:
    found.paid = [(line, found.settle(line)) for line in lines(before)]
    _reversed(found)


def _taken_back(found: Books, _: Round, __: Fact) -> None:
    found.is_reversing = True
    found.unsure |= {person for person, cents in found.of_this_round.items() if cents}
    _unsettle(found, found.paid)
    found.paid = []


def _moves(found: Books, stake: Fact, cents: int) -> None:
    """Chips onto the layout, or (negative) off it."""
    if cents >= 0:
        found.lay(stake["player"], stake["box"], cents)
    else:
        found.give_back(stake["player"], stake["box"], -cents)


def _uninsure(found: Books, before: Round, keys: list[str]) -> None:
    for one in chips.bought(before.facts):
        if chips.insured_key(one) in keys:
            found.give_back(one["player"], one["box"], one["cents"])


def _unsettle(found: Books, settled: list[tuple[Line, int]]) -> None:
    """Everything that was paid is taken back, line by line; what a rack lacks is owed (37)."""
    for line, to_debt in settled:
        found.unsettle(line, to_debt)


def _void(found: Books, before: Round, _: Fact) -> None:
    """Every bet back, with those that were settled early (58): a void takes them back too."""
    found.is_reversing = True
    _unsettle(found, found.early)
    for line, _to_debt in found.early:
        found.give_back(line.player, line.box, line.stake)
    found.early = []
    for stake in (*chips.lying(before.facts).values(), *chips.bought(before.facts)):
        found.give_back(stake["player"], stake["box"], stake["cents"])
    _reversed(found)


def _reversed(found: Books) -> None:
    """The act is over: what is still lacking is a debt like any other."""
    found.is_reversing = False
    found.of_this_round += found.lacks
    found.lacks.clear()


FOLLOWS: dict[str, Callable[[Books, Round, Fact], None]] = {
    "stake-set": _stake_set,
    "late-chips-recorded": _came_late,
    "chips-put-right": _put_right,
    "insurance-bought": _bought,
    "choice-made": _chosen,
    "decided-settled": _settled_early,
    "round-settled": _round_settled,
    "settlement-reversed": _taken_back,
    "round-voided": _void,
}


# Lines ---------------------------------------------------------------------------------------------------


def lines(round_: Round) -> list[Line]:
    """Every stake and every insurance, settled on the cards as they lie, each for what it plays for."""
    rules = round_.rules
    deal = Deal(rules.table_of_play, cards.seen(cards.lying(round_)))
    outcome = outcome_of(deal, sight_of_all(rules))
    found = []
    for key, stake in chips.lying(round_.facts).items():
        if would_have_won(round_, stake, outcome):
            found.append(_line(stake, stake["bet"], 0, "returned"))
        else:
            found.append(_settled(round_, key, stake, outcome))
    return [*found, *_insured(round_, outcome)]


def _line(stake: Fact, what: str, net: int, came: str) -> Line:
    return Line(stake["player"], stake["box"], what, stake["cents"], net, came)


def _settled(round_: Round, key: str, stake: Fact, outcome: Outcome) -> Line:
    plays, _ = limits.plays_for(round_, key)
    came = result(round_.rules.bets[stake["bet"]], outcome)
    net = net_cents(came.verdict, plays, came.tier.odds if came.tier else None)
    return _line(stake, stake["bet"], net, came.verdict if plays else "returned")


def _insured(round_: Round, outcome: Outcome) -> list[Line]:
    terms, found = round_.rules.insurance, []
    for cover in insurance.covers(round_):
        assert terms is not None
        net, came = 0, "returned"
        if cover.offer is not None and cover.cents:
            row = terms.offers[cover.offer.row]
            verdict = insurance_result(terms, row, outcome.winner).verdict
            net, came = net_cents(verdict, cover.cents, row.odds), verdict
        found.append(_line(cover.purchase, f"{cover.purchase['hand']}-insurance", net, came))
    return found


def would_have_won(round_: Round, stake: Fact, outcome: Outcome) -> bool:
    """An Original Bet goes back whose owner had meant to insure a neglected window, and would have won (15)."""
    terms = round_.rules.insurance
    if terms is None or stake["bet"] not in HANDS:
        return False
    seen = cards.seen(cards.lying(round_))
    for window in meant(round_, stake["player"]):
        offer = insurance.offer_at(round_, seen, window)
        if offer is not None and offer.hand == stake["bet"]:
            verdict = insurance_result(terms, terms.offers[offer.row], outcome.winner).verdict
            if verdict == "win":
                return True
    return False


def meant(round_: Round, person: str) -> set[int]:
    """The windows that somebody was found to have intended to insure in, and that were never offered."""
    found = set[int]()
    for number, fact in enumerate(round_.facts):
        if fact["event"] == "irregularity-ruled" and "return-original" in fact["remedies"]:
            report = waiting(round_.until(number))[0].pending
            found |= {report["window"]} if person in fact["inputs"].get("intended", ()) else set()
    return found


def early_lines(round_: Round) -> list[Line]:
    """MBS 5.9: wagers that are won or lost already, each at the lowest tier that was still possible (26, 44)."""
    rules, found = round_.rules, []
    beyond_doubt = cards.known(round_, None)
    for key, stake in chips.lying(round_.facts).items():
        bet = rules.bets[stake["bet"]]
        if cards.is_decided(bet, rules.table_of_play, beyond_doubt):
            still = open_to(bet, rules.table_of_play, beyond_doubt)
            plays, _ = limits.plays_for(round_, key)
            each = [result(bet, one) for one in still]
            nets = [net_cents(one.verdict, plays, one.tier.odds if one.tier else None) for one in each]
            found.append(_line(stake, stake["bet"], min(nets), each[0].verdict if plays else "returned"))
    return found
