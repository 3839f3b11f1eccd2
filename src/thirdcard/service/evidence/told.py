"""A round as evidence tells it: worked out from its records alone, so that anybody can work it out again."""

from collections.abc import Iterable, Iterator

import msgspec

from thirdcard.cards import Card
from thirdcard.rulebook import Rulebook
from thirdcard.rulebook.lookup import identity
from thirdcard.rulebook.model import Rules, Side
from thirdcard.rulebook.rulings import find_case
from thirdcard.rulebook.trace import interpretations, trace_of
from thirdcard.service.evidence.rulings import Amendment, LoggedStep, RulingOnPaper, amendments, rulings
from thirdcard.service.evidence.slices import Slice, folded
from thirdcard.service.log.floor_events import Logged
from thirdcard.service.log.floor_words import logged_lines
from thirdcard.service.log.store.model import Record
from thirdcard.table import events
from thirdcard.table.rights.insurance import Offered, windows_over
from thirdcard.table.state import Purchase, Round, Settlement, Stake, State
from thirdcard.words import ENGLISH, Language, Words, words


class CardOnPaper(msgspec.Struct, frozen=True, kw_only=True):
    """A card in the order drawn; None if it was never named."""

    place: int
    hand: Side
    card: Card | None
    face_up: bool


class RecordOnPaper(msgspec.Struct, frozen=True, kw_only=True):
    """A record of the log in sentences, with its paragraphs, what it moved and its hash."""

    version: int
    at: int
    by: str
    name: str
    told: tuple[str, ...]
    rules: Rules
    postings: tuple[tuple[str, int], ...]
    hash: str


class Paragraph(msgspec.Struct, frozen=True, kw_only=True):
    """A paragraph that something in the round rests on, and what it says in our words."""

    paragraph: str
    says: str


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """How a paragraph that leaves something open is read here."""

    number: int
    title: str
    text: str


class ShoeDealt(msgspec.Struct, frozen=True, kw_only=True):
    """The shoe of the round; `first` to `last` are the places of its `cards`, where they are known so."""

    number: int
    commitment: str
    is_revealed: bool
    first: int = 0
    last: int = 0
    cards: tuple[Card, ...] = ()


class RoundEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a round's records say, as `evidence.json` holds it. Money is cents, times microseconds.

    `is_final`: the next round has begun. `settlement` is None of a void round. `nets` are by player.
    """

    schema: str
    thirdcard: str
    rulebook: str
    digest: str
    language: str
    table: str
    title: str
    round: int
    is_final: bool
    phase: str
    layout: str
    method: str
    document: str
    document_version: int
    effective: str = ""  # when the text came into force, as it says itself; earlier releases left it out
    opened: LoggedStep
    closed: LoggedStep | None
    settled: LoggedStep | None
    voided: LoggedStep | None
    dealers: tuple[str, ...]
    shoe: ShoeDealt
    cards: tuple[CardOnPaper, ...]
    stakes: tuple[Stake, ...]
    windows: dict[int, Offered]
    purchases: tuple[Purchase, ...]
    settlement: Settlement | None
    nets: dict[str, int]
    rulings: tuple[RulingOnPaper, ...]
    amendments: tuple[Amendment, ...]
    records: tuple[RecordOnPaper, ...]
    paragraphs: tuple[Paragraph, ...]
    readings: tuple[Reading, ...]


def tell(part: Slice, language: Language = ENGLISH) -> RoundEvidence:
    """What a part of a log proves, in sentences of that language."""
    said, steps = words(language), list(folded(part))
    state = steps[-1][3]
    current, book = state.round, state.rulebook
    assert current is not None  # its bets were opened
    setup, cases = state.setup, rulings(steps, said)
    records = tuple(_record(said, *step) for step in steps)
    put_right = amendments(steps)
    cited = _cited(records, current, cases)
    return RoundEvidence(
        **identity("evidence", book),
        language=language,
        table=part.table,
        title=part.title,
        round=current.number,
        is_final=part.is_final,
        phase=current.phase,
        layout=setup.layout,
        method=setup.dealing.name,
        document=book.document.title,
        document_version=book.document.version,
        effective=book.document.effective,
        opened=LoggedStep.of(steps[0][0]),
        closed=_last(steps, events.BetsClosed),
        settled=_last(steps, events.RoundSettled),
        voided=_last(steps, events.RoundVoided),
        dealers=_dealers(steps),
        shoe=_shoe(part, steps, current, plain=not (cases or put_right)),
        cards=_cards(state, current),
        stakes=tuple(current.stakes.values()),
        windows=windows_over(state, current),
        purchases=current.purchases,
        settlement=current.settlement,
        nets=current.settlement.nets if current.settlement is not None else {},
        rulings=cases,
        amendments=put_right,
        records=records,
        paragraphs=tuple(_paragraphs(book, cited)),
        readings=tuple(_readings(book, cases)),
    )


Step = tuple[Record, Logged, State, State]


def _record(said: Words, stored: Record, event: Logged, before: State, after: State) -> RecordOnPaper:
    lines = logged_lines(before if isinstance(event, events.SetupChanged) else after, event)
    return RecordOnPaper(
        version=stored.version,
        at=stored.at,
        by=stored.by,
        name=stored.name,
        told=tuple(line.told(said) for line in lines),
        rules=event.rules,
        postings=tuple((posting.account, posting.cents) for posting in event.postings),
        hash=stored.hash.hex(),
    )


def _last(steps: Iterable[Step], kind: type) -> LoggedStep | None:
    found = None
    for stored, event, _, _ in steps:
        if isinstance(event, kind):
            found = LoggedStep.of(stored, getattr(event, "reason", ""))
    return found


def _dealers(steps: Iterable[Step]) -> tuple[str, ...]:
    """Who drew the cards, opened the bets and closed them."""
    doing = (events.BetsOpened, events.BetsClosed, events.CardDrawn)
    return tuple(dict.fromkeys(stored.by for stored, event, _, _ in steps if isinstance(event, doing)))


def _cards(state: State, current: Round) -> tuple[CardOnPaper, ...]:
    table = state.rulebook.table_of_play
    return tuple(
        CardOnPaper(place=place, hand=hand, card=card.name, face_up=card.face_up)
        for place, card in enumerate(current.drawn, start=1)
        if (hand := current.hand(table, place)) is not None
    )


def _shoe(part: Slice, steps: list[Step], current: Round, *, plain: bool) -> ShoeDealt:
    """With the places of the cards in it, where they came out one by one and nothing was put right."""
    used, waited = 0, False
    for _, event, before, _ in steps:
        if isinstance(event, events.CardDrawn) and event.place == 1 and before.shoe is not None:
            used, waited = before.shoe.used, bool(before.shoe.waiting)
    cards = tuple(card for card in current.cards if card is not None)
    whole = plain and not waited and len(cards) == len(current.drawn) > 0
    return ShoeDealt(
        number=part.shoe.number,
        commitment=part.shoe.commitment,
        is_revealed=part.shoe.cards is not None,
        first=used + 1 if whole else 0,
        last=used + len(cards) if whole else 0,
        cards=cards if whole else (),
    )


def _cited(records: Iterable[RecordOnPaper], current: Round, cases: Iterable[RulingOnPaper]) -> set[str]:
    found = {rule for record in records for rule in record.rules}
    if current.settlement is not None:
        found |= {rule for line in current.settlement.lines for rule in line.rules}
    return found | {rule for case in cases for rule in case.rules}


def _paragraphs(book: Rulebook, cited: set[str]) -> Iterator[Paragraph]:
    """In the order of the document."""
    wanted = {rule.partition("(")[0] for rule in cited}
    for topic in trace_of(book):
        if topic.paragraph in wanted:
            yield Paragraph(paragraph=topic.paragraph, says=topic.summary)


def _readings(book: Rulebook, cases: Iterable[RulingOnPaper]) -> Iterator[Reading]:
    wanted = {number for case in cases for number in find_case(book, case.case).interpretations}
    for interpretation in interpretations():
        if interpretation.number in wanted:
            yield Reading(number=interpretation.number, title=interpretation.title, text=interpretation.text)
