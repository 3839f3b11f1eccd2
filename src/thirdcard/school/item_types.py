"""What an item is: what is asked, the one right answer, why, and what an error costs. Values only."""

from typing import Any, Final, Literal, Self, TypeAlias, TypeVar, get_args

import msgspec

from thirdcard.cards import format_cards
from thirdcard.play.tableau import Deal
from thirdcard.rulebook.model import Rules

T = TypeVar("T")

ItemKind: TypeAlias = Literal[
    "third-card", "result", "pay", "insurance", "limits", "squeeze", "spot", "rule", "changed"
]
KINDS: Final[tuple[ItemKind, ...]] = get_args(ItemKind)
AnswerForm: TypeAlias = Literal["choice", "several", "cents"]
RightAnswer: TypeAlias = str | tuple[str, ...] | int  # a choice's key, several keys, or cents

LEVELS: Final = 10
SPEEDS: Final = (10.0, 7.0, 5.0, 4.0, 3.2, 2.6, 2.0, 1.6, 1.2, 0.9)  # seconds for a third card, by level
BOTH_HANDS, POINTS_HIDDEN, PAIRS_ASKED, TURNED_OVER = 4, 6, 8, 9  # from which level on


class Phrase(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sentence by its key in `[school]` of the words, and what its blanks are filled with.

    A blank's name says what it is: `bet`, `hand`, `cents`, `cards`, `rank` and so on are told in the reader's
    language by `in_words.say`.
    """

    key: str
    blanks: dict[str, str | int] = {}


class Choice(msgspec.Struct, frozen=True):
    """One of the answers to choose from."""

    key: str
    says: Phrase


class Because(msgspec.Struct, frozen=True):
    """One step of the explanation, with the paragraphs it rests on."""

    says: Phrase
    paragraphs: Rules = ()


class Cost(msgspec.Struct, frozen=True):
    """What the commonest error would have cost, in cents; 0 where it moves no money, and `says` why not."""

    says: Phrase
    cents: int


class QuestionPart(msgspec.Struct, frozen=True, kw_only=True):
    """One question of an item, by itself right or wrong, as a learner sees it before answering.

    `form` says how it is answered: one of the choices, several of them (the set has to be right), or an
    amount in cents.
    """

    name: str
    asks: Phrase
    form: AnswerForm
    choices: tuple[Choice, ...] = ()


class ItemPart(QuestionPart, frozen=True, kw_only=True):
    """The same with its answer."""

    answer: RightAnswer
    paragraphs: Rules = ()


# --- what is on the table, by kind ------------------------------------------------------------------------


class ItemFacts(msgspec.Struct, frozen=True, kw_only=True, tag_field="of", omit_defaults=True):
    """What the learner sees; cards as they are written, in the order drawn, `9C KD`."""


class DealtFacts(ItemFacts, frozen=True, kw_only=True):
    """Cards of a round, and how they lie."""

    cards: str
    player: str
    banker: str

    @classmethod
    def of(cls, deal: Deal, **more: Any) -> Self:  # noqa: ANN401 - the fields of each kind
        """These cards, with what else the kind shows."""
        return cls(**hands_of(deal), **more)


class PointFacts(DealtFacts, frozen=True, kw_only=True):
    """The same with the points of both hands."""

    player_points: int
    banker_points: int

    @classmethod
    def of(cls, deal: Deal, **more: Any) -> Self:  # noqa: ANN401 - the same
        points = {"player_points": deal.player_points, "banker_points": deal.banker_points}
        return super().of(deal, **points, **more)


def hands_of(deal: Deal) -> dict[str, Any]:
    """The cards of a round and of its hands, as facts have them."""
    hands = {"cards": deal.cards, "player": deal.player, "banker": deal.banker}
    return {name: format_cards(cards) for name, cards in hands.items()}


class ThirdCardFacts(PointFacts, frozen=True, kw_only=True, tag="third-card"):
    """Cards on the table; `coming` is the next one where both hands are asked in one go."""

    coming: str = ""


class BetLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Chips of a patron, a letter, on a bet; `window` is that of insurance, `order` when they came."""

    patron: str
    bet: str
    stake: int
    box: int = 1
    seated: bool = True
    window: int = 0
    order: int = 0


class ResultFacts(DealtFacts, frozen=True, kw_only=True, tag="result"):
    """A finished round."""


class PayFacts(DealtFacts, frozen=True, kw_only=True, tag="pay"):
    """A finished round and the bets of one box, in the order they are paid; `chips` are the house's.

    Limits are given where a bet or the box is outside them: that was noticed after the close.
    """

    lines: tuple[BetLine, ...]
    chips: tuple[int, ...]
    minimum: int = 0
    maximum: int = 0
    differential: int = 0


class InsuranceFacts(PointFacts, frozen=True, kw_only=True, tag="insurance"):
    """A round in a window, with the bets on the table; nobody has insured before."""

    lines: tuple[BetLine, ...]
    unit: int
    maximum: int
    differential: int


class LimitsFacts(ItemFacts, frozen=True, kw_only=True, tag="limits"):
    """Bets on the table and the limits; `wish` is what somebody asks to bet besides."""

    lines: tuple[BetLine, ...]
    minimum: int
    maximum: int
    differential: int
    unit: int
    closed: bool = False
    wish: BetLine | None = None


class SqueezeFacts(ItemFacts, frozen=True, kw_only=True, tag="squeeze"):
    """Bets that are closed at a table where cards are dealt by a method; `hand` is the one asked about."""

    lines: tuple[BetLine, ...]
    method: str
    hand: str
    high_limit: bool = False


class ReplayStep(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that is seen or heard, so many milliseconds on; `hand` is where a card is laid."""

    at_ms: int
    says: Phrase
    card: str = ""
    hand: str = ""


class SpotFacts(ItemFacts, frozen=True, kw_only=True, tag="spot"):
    """A round as a camera saw it, with the bets of a box: one step may be wrong."""

    steps: tuple[ReplayStep, ...]
    lines: tuple[BetLine, ...]


class RuleFacts(ItemFacts, frozen=True, kw_only=True, tag="rule"):
    """An irregularity and what was established of it; `cards` are those beyond doubt, in order.

    `differential` is the table's, where the case is that it is exceeded.
    """

    case: str
    established: dict[str, str | bool]
    cards: str
    lines: tuple[BetLine, ...]
    differential: int = 0


class ChangedFacts(ItemFacts, frozen=True, kw_only=True, tag="changed"):
    """The same facts under this rulebook and the `other`: a bet on a round, a window, or an irregularity."""

    other: str
    layout: str = ""
    cards: str = ""
    player: str = ""
    banker: str = ""
    lines: tuple[BetLine, ...] = ()
    case: str = ""
    other_case: str = ""
    established: dict[str, str | bool] = {}


AnyFacts: TypeAlias = (
    ThirdCardFacts
    | ResultFacts
    | PayFacts
    | InsuranceFacts
    | LimitsFacts
    | SqueezeFacts
    | SpotFacts
    | RuleFacts
    | ChangedFacts
)


# --- an item ----------------------------------------------------------------------------------------------


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """A question with its one right answer.

    `kind` to `level`, `skill` and `recorded` make it: the same again give the same item. `paragraphs` are all
    that it exercises, `reason` explains the answer in three short steps. `recorded` are wrong choices that
    were asked for, since people give them: `remedy:void` is that choice of that part. One that was mined has
    the `table` that it was mined from, and the round's number. `order` are the paragraphs by which the lines
    of a box are settled in an order, which is marked by itself.
    """

    kind: ItemKind
    rulebook: str
    layout: str
    decks: int
    seed: str
    number: int
    level: int
    skill: str
    facts: AnyFacts
    parts: tuple[ItemPart, ...]
    paragraphs: Rules
    reason: tuple[Because, ...]
    cost: Cost
    recorded: tuple[str, ...] = ()
    table: str | msgspec.UnsetType = msgspec.UNSET
    order: Rules | msgspec.UnsetType = msgspec.UNSET


class ItemQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """An item as a learner may see it before answering: no answer, no paragraph, no reason, no skill.

    `seconds` is the time that a full mark for speed is measured by; with `order` that of the lines is marked.
    """

    kind: ItemKind
    rulebook: str
    layout: str
    decks: int
    number: int
    level: int
    facts: AnyFacts
    parts: tuple[QuestionPart, ...]
    seconds: float
    order: bool = False


class ItemMark(msgspec.Struct, frozen=True, kw_only=True):
    """How an answer was marked: each part by its name, and points from 0 to 100.

    The `order` in which a box was settled is a mark of its own, where one is prescribed and it was told.
    """

    right: bool
    parts: dict[str, bool]
    points: int
    order: bool | None = None
