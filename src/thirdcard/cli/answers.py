"""The forms of answers that have no type of their own elsewhere; `schemas.py` says which command gives which.

What is exact is text such as `-74/7020`, with a rounded number beside it under the same key and `_approx`.
"""

from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

import msgspec

from thirdcard.odds.compare import LayoutChange
from thirdcard.rulebook.diff import Difference
from thirdcard.rulebook.findings import Finding
from thirdcard.rulebook.trace import Interpretation, TraceTopic

Exact: TypeAlias = Annotated[str, msgspec.Meta(pattern="^-?[0-9]+(/[0-9]+)?$")]


class AnswerHead(TypedDict):
    """What every answer begins with: its form and the program that gave it."""

    schema: str
    thirdcard: str


class OfBook(AnswerHead):
    """What every answer by a rulebook begins with: also the text that it rests on."""

    rulebook: str
    digest: str


# ---- rulebooks -------------------------------------------------------------------------------------------


class ListedLayout(TypedDict):
    positions: list[int]
    bets: list[str]


class ListedRulebook(TypedDict):
    slug: str
    title: str
    operator: str
    version: int
    effective: str
    decks: list[int]
    layouts: dict[str, ListedLayout]
    digest: str
    origin: str
    where: str
    file: str
    problem: str


RulesList: TypeAlias = list[ListedRulebook]
RulesTrace: TypeAlias = list[TraceTopic]
Interpretations: TypeAlias = list[Interpretation]


class RulebookFindings(OfBook):
    assumed: list[str]
    findings: list[Finding]


RulesCheck: TypeAlias = RulebookFindings | list[RulebookFindings]


class NewEdge(TypedDict):
    house_edge: Exact
    house_edge_approx: float


class BookWritten(OfBook):
    file: str
    findings: list[Finding]
    decks: int
    bets: dict[str, NewEdge]


class TextName(TypedDict):
    rulebook: str
    digest: str


class ChangedEdge(TypedDict):
    before: Exact | None
    before_approx: float | None
    after: Exact | None
    after_approx: float | None
    change: Exact | None
    change_approx: float | None


class ChangedLayout(TypedDict):
    added: bool
    removed: bool
    bets: dict[str, ChangedEdge]


class OfferThen(TypedDict):
    odds: str
    ev: Exact | None
    ev_approx: float | None
    favours: str


class ChangedOffer(TypedDict):
    hand: str
    window: int
    player: int
    banker: int
    before: OfferThen | None
    after: OfferThen | None
    changed: bool
    begins_to_favour_player: bool
    ceases_to_favour_player: bool


class ChangedMoney(TypedDict):
    decks: int
    bets: dict[str, ChangedEdge]
    layouts: dict[str, ChangedLayout]
    insurance: list[ChangedOffer]


class RulesDiff(OfBook):
    before: TextName
    added: list[Difference]
    removed: list[Difference]
    changed: list[Difference]
    money: ChangedMoney


class ListedCase(TypedDict):
    case: str
    title: str
    rules: list[str]


RulingCases: TypeAlias = list[ListedCase]


# ---- odds ------------------------------------------------------------------------------------------------


class ExactChance(TypedDict):
    probability: Exact
    probability_approx: float
    rules: list[str]


class TierChance(ExactChance):
    odds: str


class BetOdds(TypedDict):
    ev: Exact
    ev_approx: float
    house_edge: Exact
    house_edge_approx: float
    win: Exact
    win_approx: float
    push: Exact
    push_approx: float
    lose: Exact
    lose_approx: float
    sd: float
    variance: Exact
    tiers: dict[str, TierChance]
    pushes: NotRequired[dict[str, ExactChance]]


class PlanResult(TypedDict):
    net: int
    probability: Exact
    probability_approx: float


class PlanRounds(TypedDict):
    rounds: int
    method: str
    mean_approx: float
    sd_approx: float
    low_95_approx: float
    high_95_approx: float
    ahead_approx: float


class PlannedBets(TypedDict):
    stakes: dict[str, int]
    staked: int
    mean: Exact
    mean_approx: float
    variance: Exact
    sd: float
    worst: int
    best: int
    results: list[PlanResult]
    rounds: NotRequired[PlanRounds]


class ExactEv(TypedDict):
    ev: Exact
    ev_approx: float


class EdgeThere(NewEdge):
    against: Exact
    against_approx: float
    difference: Exact
    difference_approx: float


class Against(TypedDict):
    slug: str
    digest: str
    common: dict[str, EdgeThere]
    changed: list[str]
    only_here: list[str]
    only_there: list[str]
    layouts: dict[str, LayoutChange]


class OddsAnswer(OfBook):
    decks: int
    seen: list[str]
    cards_left: int
    bets: dict[str, BetOdds]
    ranks: NotRequired[dict[str, int]]  # left in the shoe; of a server
    fresh: NotRequired[dict[str, NewEdge]]  # the same
    plan: NotRequired[PlannedBets]
    effects: NotRequired[dict[str, dict[str, ExactEv]]]
    by_decks: NotRequired[dict[str, dict[str, NewEdge]]]
    against: NotRequired[Against]


class OfferAnswer(TypedDict):
    hand: str
    window: int
    player: int
    banker: int
    odds: str
    probability: Exact
    probability_approx: float
    ev: Exact | None
    ev_approx: float | None
    win: Exact | None
    win_approx: float | None
    push: Exact | None
    push_approx: float | None
    lose: Exact | None
    lose_approx: float | None
    favours: str
    rules: list[str]


InsuranceOffers: TypeAlias = list[OfferAnswer]


# ---- rounds ----------------------------------------------------------------------------------------------


class SettledAt(OfBook):
    layout: str
    decks: int


class SettledFile(SettledAt):
    rounds: int
    errors: int
    net: int
    out: str


class WithId(TypedDict):
    """A line's own `id`, of whatever form, stands in its answer."""

    id: NotRequired[Any]


class UnsettledLine(WithId):
    error: str
    line: int
    rules: NotRequired[list[str]]


class Replayed(OfBook):
    events: int
    hash: str
    written: str | None
    same: bool


# ---- simulation and protection ---------------------------------------------------------------------------


class ShoesDealt(OfBook):
    decks: int
    seed: int
    cut: int
    rounds_asked: int
    seconds: float
    rounds_per_second: float
    partial: bool


class SimulatedOutcomes(TypedDict):
    player: int
    banker: int
    tie: int


class SimulatedBet(TypedDict):
    ev: float
    low: float
    high: float
    exact: Exact
    exact_approx: float


class Tallied(ShoesDealt):
    rounds: int
    outcomes: SimulatedOutcomes
    bets: dict[str, SimulatedBet]


class SessionsAsked(ShoesDealt):
    sessions_asked: int


class KnowledgeWorth(TypedDict):
    worth: float
    bets: float
    by_rank: dict[str, float | None]
    average_edge: float
    exact: Exact  # what it is worth


class KnownOfBet(TypedDict):
    value: float
    places: dict[str, KnowledgeWorth]
    somewhere: KnowledgeWorth
    gone: KnowledgeWorth
    everything: KnowledgeWorth
    sorted_deck: KnowledgeWorth


class KnownAnswer(OfBook):
    decks: int
    seen: list[str]
    cards: int
    bets: dict[str, KnownOfBet]
    main: dict[str, KnowledgeWorth]
    best: dict[str, KnowledgeWorth]
    backs: "SortedBacks"


class SortedBacks(TypedDict):
    points: list[int]  # whose backs can be told from the others
    best: dict[str, KnowledgeWorth]  # by how many of the first cards are seen


class SeenThen(TypedDict):
    known: list[int]
    decide: int
    together: list[int]


class WorthToBet(TypedDict):
    worth: float
    blind: float
    taken: float
    knowing: float


class PricedOption(TypedDict):
    gives: str
    exposure: SeenThen
    bets: dict[str, WorthToBet]


class PricedRemedy(TypedDict):
    facts: list[dict[str, Any]]
    remedy: list[str]
    rules: list[str]
    decides: str
    all_or_none: bool
    options: list[PricedOption]
    zero: list[str]


class PricedIrregularity(TypedDict):
    case: str
    title: str
    rules: list[str]
    rulings: list[PricedRemedy]


class MovedBet(TypedDict):
    bet: str
    units: float
    per: str
    case: str


class RivalReading(TypedDict):
    number: int
    title: str
    rules: list[str]
    rival: str
    why: str
    moves: list[MovedBet]


class PriceAnswer(OfBook):
    decks: int
    cases: list[PricedIrregularity]
    readings: list[RivalReading]


class WatchedTable(OfBook):
    table: str


# ---- a house ---------------------------------------------------------------------------------------------


class ListedAccount(TypedDict):
    name: str
    role: str
    disabled: bool


class ListedText(TypedDict):
    rulebook: str
    title: str
    digest: str


AccountList: TypeAlias = list[ListedAccount]
RulebookList: TypeAlias = list[ListedText]


class ListedSchema(TypedDict):
    name: str
    schema: str
    command: str
    told: str


SchemaList: TypeAlias = list[ListedSchema]


class FoundRounds(OfBook):
    """By any rulebook, so that none is named."""

    more: bool


class AccountChanged(AnswerHead):
    """What was done to an account by the console."""

    name: str
    done: Literal["add", "role", "password", "disable", "unlock", "reset-codes"]
    role: NotRequired[str]


class PublicKey(AnswerHead):
    public_key: str


class BackedUp(AnswerHead):
    file: str
    events: int


class ExportedTable(AnswerHead):
    file: str
    rows: int
    of: Literal["events", "postings"]


class WrittenReport(OfBook):
    file: str
    decks: int
    bytes: int


class Serves(AnswerHead):
    """The one line that a server prints when it is ready."""

    address: str
    tables: int
    store: str


# ---- the school ------------------------------------------------------------------------------------------


class SchoolSet(OfBook):
    kind: NotRequired[str]
    seed: NotRequired[str]
    table: NotRequired[str]
    first: NotRequired[int]
    count: NotRequired[int]


class DrilledItem(TypedDict):
    number: int
    skill: str
    right: bool
    parts: dict[str, bool]
    points: int
    seconds: float | None


class DrillDone(OfBook):
    kind: str
    seed: str
    level: int
    asked: int
    right: int
    results: list[DrilledItem]
