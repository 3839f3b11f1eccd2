"""What has been reported and waits; who has to choose, and what would go back."""

from table.second_reader import cards, chips
from table.second_reader.facts import Fact, Log, Right, Round

CHOICES = ("options", "withdraw", "withdraw-all")
# Kinds of irregularity that are about the cards of the deal, and end with it when a device is reset (59).
OF_THE_DEAL = {
    "drawn-together", "wrong-area", "wrong-person", "seen-in-error", "face-up-in-device", "absent-handler",
    "left-with-cards", "device-reset", "excess-cards", "wrong-number", "dealing-error",
}  # fmt: skip


class Report:
    """An irregularity: what was reported and, once somebody ruled, the ruling and what came of it."""

    def __init__(self, pending: Fact) -> None:
        self.pending = pending
        self.ruling: Fact | None = None
        self.asks: Fact | None = None  # players choose
        self.chosen: dict[str, str] = {}


def waiting(round_: Round) -> list[Report]:
    """Irregularities in the order in which they are ruled on, the one under way first (42, 59)."""
    found: list[Report] = []
    for fact in round_.facts:
        tag = fact["event"]
        if tag == "irregularity-reported":
            found.insert(0 if fact.get("first") else len(found), Report(fact["pending"]))
        elif tag == "report-dismissed":
            del found[fact["number"] : fact["number"] + 1]
        elif tag == "irregularity-closed":
            del found[:1]
        elif tag == "round-voided":
            del found[1:]
        elif tag == "bets-reopened":
            found = [*found[:1], *(one for one in found[1:] if not ends_with_the_deal(round_, one))]
        elif found:
            _carried_out(found[0], fact)
    return found


def _carried_out(report: Report, fact: Fact) -> None:
    """What comes of the report under way: the ruling, a question to the players and their answers."""
    tag = fact["event"]
    if tag == "irregularity-ruled":
        report.ruling = fact
    elif tag == "choices-offered":
        report.asks = fact
    elif tag == "choice-made":
        report.chosen[fact["player"]] = fact["choice"]
    elif tag in ("remedy-done", "remedy-needless") and fact["remedy"] in CHOICES:
        report.asks = None


def ends_with_the_deal(round_: Round, report: Report) -> bool:
    """Whether a report is about cards of a deal that was reset (59)."""
    case = report.pending["case"]
    about = next(one.about for one in round_.rules.procedures if one.case == case)
    if "uncovered" in about or not about:
        return not about or any(report.pending.get(name) for name in ("drawn", "cards", "shown"))
    return not OF_THE_DEAL.isdisjoint(about)


def is_held_up(round_: Round) -> bool:
    return round_.is_proposed or bool(waiting(round_))


def undecided(round_: Round, person: str, report: Report) -> list[str]:
    """The person's stakes that are not conclusively won or lost: those that "have their Bet returned" means (26).

    Where a choice is offered at discretion it is about whatever lies there.
    """
    if round_.phase == "settled":
        return []
    mine = {k: stake for k, stake in chips.lying(round_.facts).items() if stake["player"] == person}
    ruling = report.ruling
    if ruling is not None and ruling["inputs"].get("action"):
        return list(mine)
    table, beyond_doubt = round_.rules.table_of_play, cards.known(round_, report.pending)
    bets = round_.rules.bets
    return [k for k, stake in mine.items() if not cards.is_decided(bets[stake["bet"]], table, beyond_doubt)]


def has_accepted(round_: Round, person: str) -> bool:
    """Who went on after an error accepts every later card of the round (25); so does who was offered late (5.14.1)."""
    accepted = False
    remedies: tuple[str, ...] = ()
    for fact in round_.facts:
        tag = fact["event"]
        if tag == "irregularity-ruled":
            remedies = tuple(fact["remedies"])
        elif tag == "choice-made" and fact["player"] == person and fact["choice"] == "continue":
            accepted = accepted or "options" in remedies
        elif tag == "late-insurance-opened" and person in fact["players"]:
            accepted = True
        elif tag == "bets-reopened":
            accepted = False
    return accepted


class Choice:
    """Somebody has to say whether to go on; `returns` would go back, `singly` one by one."""

    def __init__(self, returns: list[str], right: Right, *, singly: bool) -> None:
        self.returns, self.right, self.singly = returns, right, singly


def choices(log: Log, round_: Round) -> dict[str, Choice]:
    """Who has to choose now, by person: everybody with an undecided bet who has not chosen (25, 26, 49)."""
    reports = waiting(round_)
    if round_.is_proposed or not reports or reports[0].asks is None or reports[0].ruling is None:
        return {}
    report, found = reports[0], dict[str, Choice]()
    assert report.ruling is not None
    assert report.asks is not None
    rules, singly = tuple(report.ruling.get("rules", ())), report.asks["singly"]
    under_way = _under_way(round_)
    for person in chips.people(round_):
        if person in report.chosen or log.is_gone(person):
            continue
        if under_way == "options" and has_accepted(round_, person):
            continue
        returns = undecided(round_, person, report)
        if returns:
            why = f"{report.pending['case']}: has bets that are still open, and has not chosen"
            found[person] = Choice(returns, Right(rules, why), singly=singly)
    return found


def _under_way(round_: Round) -> str:
    """The remedy that asks: the first of the ruling that is not done."""
    ruled = round_.said("irregularity-ruled")[-1]
    done = [one["remedy"] for one in round_.since("irregularity-ruled") if one["event"].startswith("remedy-")]
    return str([*ruled["remedies"], ""][len(done)])


def may_withdraw(round_: Round) -> Right | None:
    """Whole wagers, where the dealer allowed it because the cut card came first (MBS 3.22.1, 60).

    A reset ends it, and so does the first card; a report does not.
    """
    if round_.phase != "dealing" or is_held_up(round_) or cards.lying(round_):
        return None
    since = round_.since("bets-reopened")
    drawn = any(fact["event"] == "card-drawn" for fact in since)
    if drawn or not any(fact["event"] == "withdrawal-allowed" for fact in since):
        return None
    return Right(("3.22.1",), "the dealer allowed it, and no card has been drawn")


def may_allow_withdrawal(round_: Round) -> Right | None:
    """The dealer may, once, in the high-limit area, while the cut card is all that has come out (MBS 3.22.1, 60)."""
    knows = any(one.grants == "cut-card-withdrawal" for one in round_.rules.discretions)
    if not knows or not round_.setup.get("high_limit") or round_.phase != "dealing" or is_held_up(round_):
        return None
    since = round_.since("bets-reopened")
    first = any(fact["event"] == "cut-card-appeared" and fact["first"] for fact in since)
    again = any(fact["event"] in ("withdrawal-allowed", "card-drawn") for fact in since)
    if not first or again or cards.lying(round_):
        return None
    return Right(("3.22.1",), "the cut card came first and no card after it")
