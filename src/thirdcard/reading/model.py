"""What is read of a document: values with the paragraph and the line that state them, and doubts."""

from typing import Literal, NamedTuple, TypeAlias

import msgspec

from thirdcard.money import Odds
from thirdcard.rulebook.forms import Raw

Kind: TypeAlias = Literal[
    "document", "paragraphs", "decks", "layouts", "bets", "pay lines", "table of play", "insurance", "limits", "irregularities"
]  # fmt: skip


class Place(NamedTuple):
    """Where a document says something: paragraph and line; no paragraph on a title page or drawing."""

    paragraph: str
    line: int

    def __str__(self) -> str:
        return f"{self.paragraph}, line {self.line}" if self.paragraph else f"line {self.line}"


class Doubt(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the document, and why it was not understood or needs a person."""

    line: int
    page: int
    paragraph: str
    text: str
    why: str
    key: str = ""


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """A value that was read: the key of a book that it is for, and where the document has it."""

    kind: Kind
    key: str
    value: str
    paragraph: str
    line: int


class Definition(NamedTuple):
    """What a document says that a bet, or a case of it, wins on."""

    when: Raw
    place: Place
    by_cards: bool = False
    left: tuple[str, ...] = ()


class PayLine(NamedTuple):
    """A line of a pay table: its bet, what it says beside the bet's definition, its odds and place."""

    bet: str
    case: str  # the part of the label that tells it from the bet's other lines
    said: Raw
    rest: bool
    odds: Odds
    place: Place
    doubt: str = ""


class Mention(NamedTuple):
    """Odds of a bet that stand outside its pay table: in a drawing, or in a definition."""

    bet: str
    said: Raw
    odds: Odds
    place: Place
    text: str


class BetRead(msgspec.Struct, kw_only=True):
    """All that a document says of a bet."""

    name: str
    slug: str
    definitions: list[Definition] = []
    cases: dict[str, Definition] = {}  # such as Single Tiger Pair
    listed: Place | None = None
    lines: list[PayLine] = []
    layouts: list[str] | None = None
    layouts_at: Place | None = None
    push: Place | None = None


class LayoutRead(msgspec.Struct, kw_only=True):
    """A layout: where it is named, its heading and how many positions it has."""

    letter: str
    at: Place
    name: str = ""
    positions: tuple[int, int] | None = None
    positions_at: Place | None = None


class OfferRead(msgspec.Struct, kw_only=True):
    """A row of an insurance table."""

    hand: str
    window: int
    player: str
    banker: str
    odds: Odds
    place: Place
    marked: bool = False
    tie_paid: list[Place] = []


class Read(msgspec.Struct, kw_only=True):
    """A value with its place."""

    value: str
    place: Place
