"""Who got what, and why: statements drawn from a log, for each player and for the table."""

from collections.abc import Iterable

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook.model import Rules
from thirdcard.table import events
from thirdcard.table.events import AnyEvent
from thirdcard.table.ledger import HOUSE, is_outside, rack
from thirdcard.table.setup import Setup
from thirdcard.table.state import Line

REVERSED = "settlement reversed"
CORRECTED = "corrected settlement"  # of a round whose settlement was reversed before
NAMES = {
    events.BoughtIn: "buy-in",
    events.CashedOut: "cash-out",
    events.StakeSet: "stake",
    events.InsuranceBought: "insurance",
    events.PlayedChanged: "insurance scaled",
    events.RoundSettled: "settlement",
    events.SettlementReversed: REVERSED,
    events.RoundVoided: "round void",
    events.ChoiceMade: "bets returned",
    events.LateChipsRecorded: "late chips",
    events.ChipsPutRight: "late chips put right",
    events.DecidedSettled: "settlement of decided bets",
}

BROUGHT = (events.BoughtIn, events.CashedOut)  # chips that come and go: nothing is won or lost by that


class Movement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One movement of a rack; a settlement also has the player's lines, and a log that is kept the time.

    `net` is what the player has won or lost by a settlement, or had by one that is reversed; `difference`
    what a correction makes of it: to be paid to the player, or collected if it is negative.
    """

    round: int
    what: str
    cents: int
    balance: int
    lines: tuple[Line, ...]
    rules: Rules
    at: int = 0
    net: int | None = None
    difference: int | None = None


class PlayedBy(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The text that rounds were played by, from round `since` on; a log of an earlier release names none.

    `effective` is when it came into force, as it says itself; empty if it does not, or is not known here.
    """

    since: int
    rulebook: str
    digest: str
    effective: str = ""


class PlayerStatement(msgspec.Struct, frozen=True, kw_only=True):
    """`net` is what the player has won or lost at the table, apart from chips bought and cashed in."""

    texts: tuple[PlayedBy, ...] = ()
    player: str
    entries: tuple[Movement, ...]
    balance: int
    net: int


class TableStatement(msgspec.Struct, frozen=True, kw_only=True):
    """`drop` is what players brought, `paid_out` what they took away; `lying` and `owed` are the rest.

    `away` are the chips of those who have left the table, whose racks are not among `racks`.
    """

    texts: tuple[PlayedBy, ...] = ()
    rounds: int
    void_rounds: int
    house: int
    drop: int
    paid_out: int
    racks: dict[str, int]
    lying: int
    owed: dict[str, int]
    away: int = 0


def player_statements(log: Iterable[AnyEvent]) -> dict[str, PlayerStatement]:
    """Every movement of every rack in order, and every settlement with the lines that make it up."""
    entries: dict[str, list[Movement]] = {}
    balances: dict[str, int] = {}
    outside: dict[str, int] = {}
    number, texts = 0, tuple[PlayedBy, ...]()
    for event in log:
        texts = played_by(texts, event, number)
        if isinstance(event, events.BetsOpened):
            number = event.number
        for player, cents in moved(event).items():
            balances[player] = balances.get(player, 0) + cents
            if isinstance(event, BROUGHT):
                outside[player] = outside.get(player, 0) + cents
            entry = entry_of(event, player, number=number, balance=balances[player])
            entries.setdefault(player, []).append(entry)
    return {
        player: PlayerStatement(
            texts=texts,
            player=player,
            entries=corrections_told(mine),
            balance=balances[player],
            net=balances[player] - outside.get(player, 0),
        )
        for player, mine in entries.items()
    }


def played_by(texts: tuple[PlayedBy, ...], event: AnyEvent, number: int) -> tuple[PlayedBy, ...]:
    """The texts that a table was played by, after an event of round `number`."""
    if not isinstance(event, events.TableOpened | events.RulebookChanged):
        return texts
    setup = event.setup
    new = PlayedBy(
        since=number + 1, rulebook=setup.rulebook, digest=setup.digest, effective=_effective(setup)
    )
    return (*(text for text in texts if text.since < new.since), new)


def _effective(setup: Setup) -> str:
    try:
        return setup.book.document.effective
    except BadInput:
        return ""


def moved(event: AnyEvent) -> dict[str, int]:
    """Whom an event concerns in money, and by how much it changes each one's rack."""
    if not event.postings:
        return {}
    racks = [posting for posting in event.postings if posting.account.startswith("rack:")]
    found = {posting.account.removeprefix("rack:"): posting.cents for posting in racks}
    for line in _lines(event):
        found.setdefault(line.player, 0)
    if isinstance(event, events.SettlementReversed):
        for player in event.nets:
            found.setdefault(player, 0)
    return found


def entry_of(event: AnyEvent, player: str, *, number: int, balance: int, at: int = 0) -> Movement:
    """A player's part of an event; `balance` is the rack after it."""
    lines = tuple(line for line in _lines(event) if line.player == player)
    net = sum(line.net for line in lines) if isinstance(event, events.RoundSettled) else None
    return Movement(
        round=number,
        what=NAMES[type(event)],
        cents=moved(event)[player],
        balance=balance,
        lines=lines,
        rules=event.rules,
        at=at,
        net=event.nets.get(player) if isinstance(event, events.SettlementReversed) else net,
    )


def corrections_told(entries: Iterable[Movement]) -> tuple[Movement, ...]:
    """Movements in order; what follows a reversal in its round says what it comes to for the player."""
    before: dict[int, int] = {}  # what a round had come to when it was reversed
    found: list[Movement] = []
    for entry in entries:
        if entry.what == REVERSED and entry.net is not None:
            before[entry.round] = entry.net
        elif entry.round in before and entry.what in (NAMES[events.RoundSettled], NAMES[events.RoundVoided]):
            what = entry.what if entry.net is None else CORRECTED
            difference = (entry.net or 0) - before.pop(entry.round)
            found.append(msgspec.structs.replace(entry, what=what, difference=difference))
            continue
        found.append(entry)
    return tuple(found)


def _lines(event: AnyEvent) -> tuple[Line, ...]:
    if isinstance(event, events.RoundSettled):
        return event.settlement.lines
    return event.lines if isinstance(event, events.DecidedSettled) else ()


def table_statement(log: Iterable[AnyEvent]) -> TableStatement:
    """The table's own account."""
    sums: dict[str, int] = {}
    away = set[str]()
    texts = tuple[PlayedBy, ...]()
    rounds = void = drop = paid_out = 0
    for event in log:
        texts = played_by(texts, event, rounds)
        rounds += isinstance(event, events.BetsOpened)
        void += isinstance(event, events.RoundVoided)
        if isinstance(event, events.PlayerLeft):
            away.add(rack(event.player))
        elif isinstance(event, events.PlayerJoined):
            away.discard(rack(event.player))
        for posting in event.postings:
            sums[posting.account] = sums.get(posting.account, 0) + posting.cents
            if is_outside(posting.account):
                drop -= min(posting.cents, 0)
                paid_out += max(posting.cents, 0)
    return TableStatement(
        texts=texts,
        rounds=rounds,
        void_rounds=void,
        house=sums.get(HOUSE, 0),
        drop=drop,
        paid_out=paid_out,
        racks={
            account.partition(":")[2]: cents
            for account, cents in sums.items()
            if account.startswith("rack:") and account not in away
        },
        owed={a.partition(":")[2]: -cents for a, cents in sums.items() if a.startswith("owed:") and cents},
        lying=sum(cents for account, cents in sums.items() if account.startswith("box:")),
        away=sum(sums.get(account, 0) for account in away),
    )
