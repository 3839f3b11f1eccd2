"""All that the reader says of a table, line by line: who may do what and by which paragraph, and what everybody holds."""

from collections.abc import Iterator

from table.second_reader import cards, chips, insurance, limits, money, reports, squeezing
from table.second_reader.facts import Fact, Log, Right, Round


def statement(facts: list[Fact]) -> Iterator[str]:
    """The whole reading of a list of facts."""
    log = Log(facts)
    round_ = log.round
    if round_ is not None:
        yield from _waiting(log, round_)
        yield from _stakes(round_)
        if round_.rules.insurance is not None:
            yield from _insurance(log, round_)
        yield from _cards(log, round_)
    yield from _money(log)


def _by(right: Right) -> str:
    rules = f" ({', '.join(right.rules)})" if right.rules else ""
    return f"{right.why}{rules}"


def _waiting(log: Log, round_: Round) -> Iterator[str]:
    for report in reports.waiting(round_):
        yield f"{report.pending['case']} waits{' and was ruled on' if report.ruling else ''}"
    for person, choice in reports.choices(log, round_).items():
        back = ", ".join(choice.returns)
        yield f"{person} has to choose, {back} would go back: {_by(choice.right)}"
    leave = reports.may_withdraw(round_)
    if leave is not None:
        yield f"wagers may be withdrawn: {_by(leave)}"


def _stakes(round_: Round) -> Iterator[str]:
    for key, stake in chips.lying(round_.facts).items():
        plays, right = limits.plays_for(round_, key)
        if plays != stake["cents"]:
            yield f"{key} plays for {plays} of {stake['cents']}: {_by(right)}"
    for key, right in limits.awaits_decision(round_).items():
        yield f"{key} waits for a decision: {_by(right)}"


def _insurance(log: Log, round_: Round) -> Iterator[str]:
    for person in log.players():
        for one in insurance.may_buy(round_, person):
            kind = "late" if one.late else "by right"
            where = f"{one.hand} in box {one.box}, window {one.window}, {kind}"
            yield f"{person} may insure {where}, up to {one.cap}: {_by(one.right)}"
    silent = insurance.must_answer(round_)
    if silent:
        yield f"still to answer: {', '.join(silent)} (5.3)"


def _cards(log: Log, round_: Round) -> Iterator[str]:
    for person in log.players():
        places = squeezing.may_request(log, round_, person)
        if places:
            yield f"{person} may ask to squeeze {', '.join(map(str, places))} (largest bet)"
        for place in range(1, len(cards.lying(round_)) + 1):
            right = squeezing.may_be_handed(log, round_, place, person)
            if right is not None:
                yield f"{person} may be handed card {place}: {_by(right)}"
    has_it = squeezing.holder(log)
    if has_it:
        yield f"{has_it} has the device{'' if squeezing.may_keep(log, round_) else ', without a right to draw'}"


def _money(log: Log) -> Iterator[str]:
    books = money.books(log)
    for person in log.players():
        unsure = ", of which how much is owed is left open" if person in books.unsure else ""
        yield f"{person} has {books.racks[person]} and owes {books.owed[person]}{unsure}"
    for box, cents in sorted(books.boxes.items()):
        if cents:
            yield f"box {box} holds {cents}"
