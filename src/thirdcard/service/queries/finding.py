"""Rounds by what people remember of them, for those who may read logs: a question, and what it finds.

Marks that were written with the events (`tables/marks`) name the rounds; what was said of one and the same
stake is then held against each round's own stakes.
"""

import re
from collections.abc import Iterable, Iterator

import msgspec

from thirdcard.cards import Card, parse_cards
from thirdcard.errors import BadInput
from thirdcard.service.log.codec import event_of
from thirdcard.service.log.floor_events import SYSTEM
from thirdcard.service.log.store.log import LogReading
from thirdcard.service.log.store.model import MANY, Record, RoundsFound, Sought
from thirdcard.service.tables.live import RoundRecord
from thirdcard.service.tables.marks import ROUND, hand_mark, mark, stake_mark
from thirdcard.table.events import InsuranceBought, IrregularityReported, IrregularityRuled, StakeSet
from thirdcard.words.saying import say

LOOKED_AT = 5_000  # rounds of the rarest mark at once
READ = 300  # rounds that are read for what no mark tells, before somebody asks to go on
MOST_EVENTS = 400  # of a round, that are read for who ran it
SIDES = ("player", "banker")
PLACE = re.compile(r"([0-9]{1,19})\.([a-z0-9-]+)\.([0-9]{1,19})")  # time, table and round


LARGEST = 2**62  # of any number in a question: every store takes it, and the times of every calendar fit


class RoundQuestion(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """What is remembered; empty is not known. Amounts are cents of one stake, times microseconds.

    `player`, `box`, `bet` and amounts are all of the same stake. `cards` are those of one hand, by its name.
    """

    table: str = ""
    number: int = 0
    player: str = ""
    box: int = 0
    bet: str = ""
    least: int = 0
    most: int = 0
    outcome: str = ""
    case: str = ""
    rule: str = ""
    staff: str = ""
    flag: str = ""
    cards: dict[str, str] = {}
    since: int = 0
    until: int = 0

    @property
    def marks(self) -> tuple[str, ...]:
        """All that a round must have; every finished round has the first."""
        plain = {name: getattr(self, name) for name in ("player", "box", "bet", "outcome", "case", "rule")}
        plain |= {"staff": self.staff, "flag": self.flag}
        if self.least and self.least == self.most:
            plain["amount"] = self.least
        hands = [hand_mark(hand, parse_cards(text)) for hand, text in self.cards.items()]
        found = [mark(kind, value) for kind, value in plain.items() if value]
        if self.box and self.bet and "amount" in plain:
            found.append(stake_mark(self.box, self.bet, self.least))
        return (*found, *hands) or (ROUND,)

    @property
    def of_a_stake(self) -> bool:
        return bool(self.player or self.box or self.bet or self.least or self.most)

    def check(self) -> None:
        """BadInput where nothing could ever be found."""
        if max(map(abs, (self.number, self.box, self.least, self.most, self.since, self.until))) > LARGEST:
            raise BadInput(say("question-number-too-large"))
        if unknown := self.cards.keys() - set(SIDES):
            raise BadInput(say("cards-of-unknown-hand", unknown=min(unknown)))
        if self.most and self.least > self.most:
            raise BadInput(say("amounts-ascend"))
        if self.until and self.since >= self.until:
            raise BadInput(say("times-ascend"))
        if self.number and not self.table:
            raise BadInput(say("round-needs-table"))


class StakeFound(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A stake of a round; `net` once it was settled."""

    player: str
    box: int
    bet: str
    cents: int
    net: int | None = None


class RoundFound(msgspec.Struct, frozen=True, kw_only=True):
    """A round with what fitted: `stakes` are those that were asked for, or all, `net` what these came to."""

    table: str
    number: int
    at: int
    outcome: str
    points: dict[str, int]
    cards: dict[str, list[Card | None]]
    stakes: list[StakeFound]
    net: int
    cases: list[str]
    flags: list[str]
    staff: list[str]


class FoundRounds(msgspec.Struct, frozen=True):
    """What was asked, the rounds that fit, by any rulebook, and whether there are more."""

    asked: list[RoundQuestion]
    rounds: list[RoundFound]
    more: bool


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """The latest first; `next` is what to ask `after` for the others, None if there are none.

    `skipped` are words of the question that were not understood, and left out.
    """

    rounds: list[RoundFound]
    next: str | None
    skipped: tuple[str, ...] = ()


def find_rounds(store: LogReading, question: RoundQuestion, *, after: str = "", limit: int = 50) -> Findings:
    """What fits; BadInput if the question cannot be one.

    It takes no longer however much there is: what is found may be few, or none, and still have a `next`.
    """
    question.check()
    if question.number:
        return Findings(rounds=_numbered(store, question), next=None)
    sought = Sought(
        marks=question.marks,
        stream=question.table or None,
        since=question.since,
        until=question.until or MANY,
        before=place_of(after),
    )
    found, left = list[RoundFound](), READ
    while True:
        part = store.find(sought, limit=limit, most=LOOKED_AT)
        for place in part.places:
            left -= 1
            if fits := _found(store, question, place):
                found.append(fits)
            if len(found) == limit or not left:
                return Findings(rounds=found, next=_after(part, place))
        if part.reached is None or len(part.places) < limit:
            return Findings(rounds=found, next=part.reached and text_of(part.reached))
        sought = msgspec.structs.replace(sought, before=part.reached)


def _after(part: RoundsFound, place: tuple[int, str, int]) -> str | None:
    return text_of(place) if part.reached is not None or place != part.places[-1] else None


def text_of(place: tuple[int, str, int]) -> str:
    return ".".join(map(str, place))


def place_of(text: str) -> tuple[int, str, int] | None:
    """What `text_of` has made of it; BadInput if it was something else."""
    if not text:
        return None
    match = PLACE.fullmatch(text)
    place = (int(match[1]), match[2], int(match[3])) if match else (-1, "", -1)
    if not (0 <= place[0] <= MANY and 0 <= place[2] <= MANY):
        raise BadInput(say("after-is-next"))
    return place


def _numbered(store: LogReading, question: RoundQuestion) -> list[RoundFound]:
    played = _found(store, question, (0, question.table, question.number))
    return [played] if played else []


def _found(store: LogReading, question: RoundQuestion, place: tuple[int, str, int]) -> RoundFound | None:
    """The round with what was asked for; its log is read only if the stakes fit."""
    at, stream, number = place
    row = store.round(stream, number)
    played = None if row is None else RoundRecord.of(row)
    settlement = played.settlement if played else None
    stakes = [stake for stake in _stakes(played) if _is_asked_for(stake, question)] if played else []
    if settlement and question.of_a_stake and not stakes:
        return None
    logged = store.of_round(stream, number, most=MOST_EVENTS)
    records = [record for record in logged if record.round == number]
    if played and not settlement:
        stakes = [found for found in _given_back(records) if _is_asked_for(found, question)]
    if not records or (question.of_a_stake and not stakes):
        return None
    return RoundFound(
        table=stream,
        number=number,
        at=at or records[0].at,
        outcome=settlement.outcome if settlement else (played.phase if played else ""),
        points={"player": settlement.player, "banker": settlement.banker} if settlement else {},
        cards={hand: _hand(played, hand) for hand in SIDES} if played else {},
        stakes=stakes,
        net=sum(stake.net or 0 for stake in stakes),
        cases=list(dict.fromkeys(_cases(records))),
        flags=list(dict.fromkeys(record.flag for record in records if record.flag)),
        staff=list(dict.fromkeys(_staff(records, stakes))),
    )


def _stakes(played: RoundRecord) -> Iterator[StakeFound]:
    """As they lay; of what was settled, what it came to."""
    nets = dict[tuple[str, int, str, int | None], int]()
    for line in played.settlement.lines if played.settlement else ():
        nets[line.player, line.box, line.bet, line.window] = line.net
    for stake in played.stakes:
        net = nets.get((stake.player, stake.box, stake.bet, None))
        yield StakeFound(player=stake.player, box=stake.box, bet=stake.bet, cents=stake.cents, net=net)
    for bought in played.purchases:
        bet = f"{bought.hand}-insurance"
        net = nets.get((bought.player, bought.box, bet, bought.window))
        yield StakeFound(player=bought.player, box=bought.box, bet=bet, cents=bought.cents, net=net)


def _given_back(records: list[Record]) -> list[StakeFound]:
    """Of a void round: its record has no stakes any more, but the log has them."""
    lay = dict[tuple[str, int, str, int], int]()
    for event in (event_of(record) for record in records if record.name in ("stake-set", "insurance-bought")):
        if isinstance(event, StakeSet):
            lay[event.stake.player, event.stake.box, event.stake.bet, 0] = event.stake.cents
        elif isinstance(event, InsuranceBought):
            one = event.purchase
            lay[one.player, one.box, f"{one.hand}-insurance", one.window] = one.cents
    return [
        StakeFound(player=player, box=box, bet=bet, cents=cents, net=0)
        for (player, box, bet, _), cents in lay.items()
        if cents
    ]


def _is_asked_for(one: StakeFound, question: RoundQuestion) -> bool:
    return (
        question.player in ("", one.player)
        and question.box in (0, one.box)
        and question.bet in ("", one.bet)
        and question.least <= one.cents <= (question.most or MANY)
    )


def _hand(played: RoundRecord, hand: str) -> list[Card | None]:
    return [card.card for card in played.cards if card.hand == hand]


def told_cards(cards: Iterable[Card | None]) -> str:
    """In the notation; what nobody turned is `??`."""
    return " ".join("??" if card is None else str(card) for card in cards)


def _cases(records: list[Record]) -> Iterator[str]:
    for stored in records:
        if stored.name in ("irregularity-reported", "irregularity-ruled"):
            event = event_of(stored)
            if isinstance(event, IrregularityReported):
                yield event.pending.case
            elif isinstance(event, IrregularityRuled):
                yield event.case


def _staff(records: list[Record], stakes: list[StakeFound]) -> Iterator[str]:
    """Who did something in the round and had nothing on it: the mark is stricter, it knows all racks."""
    players = {stake.player for stake in stakes} | {SYSTEM}
    for stored in records:
        if stored.by not in players and stored.name not in ("stake-set", "player-joined", "player-left"):
            yield stored.by
