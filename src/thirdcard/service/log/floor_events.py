"""What a live table's log holds besides the events of its rounds, and what the journal holds.

Like the events of a table these are stored forever under the names given here.
"""

from typing import Annotated, Literal, TypeAlias

import msgspec

from thirdcard.rulebook.model import Rules
from thirdcard.table.events import AnyEvent
from thirdcard.table.ledger import Posting
from thirdcard.table.practice import Practice

Dealer: TypeAlias = Literal["automatic", "staff"]
SYSTEM = "thirdcard"  # who deals at automatic tables
QUICK_BETTING = 12_000  # milliseconds to bet, at most, at a table that is called quick
GENTLE_BETTING = 40_000  # and at least, at one for people who have not played before
AMPLE_BETTING = 120_000  # milliseconds in which anybody finds a spot
Milliseconds: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=600_000)]


class Pace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How long people have for what, and how fast cards come, in milliseconds."""

    betting: Milliseconds = 20_000
    insurance: Milliseconds = 12_000
    adjusting: Milliseconds = 10_000
    choice: Milliseconds = 30_000
    squeeze: Milliseconds = 15_000
    card: Milliseconds = 1_200
    result: Milliseconds = 8_000
    shuffle: Milliseconds = 4_000

    @property
    def is_quick(self) -> bool:
        """Whether a table at this pace is one for people who want many rounds."""
        return self.betting <= QUICK_BETTING

    @property
    def is_gentle(self) -> bool:
        """Whether it leaves time to read what a bet is."""
        return self.betting >= GENTLE_BETTING

    @property
    def waits(self) -> bool:
        """Whether bets stay open until the first one, for whoever has just sat down."""
        return GENTLE_BETTING <= self.betting <= AMPLE_BETTING


class FloorEvent(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True, tag_field="event"):
    """It moves no money at a table and rests on no paragraph."""

    rules: Rules = ()
    postings: tuple[Posting, ...] = ()


class TableCreated(FloorEvent, frozen=True, kw_only=True, tag="table-created"):
    """The first event of every table's log; its set-up follows. `live_odds`: whether players may see them.

    A table with a `practice` is there for one trainee and counts nowhere.
    """

    title: str
    dealer: Dealer
    pace: Pace
    live_odds: bool
    practice: Practice | None = None


class _OfTable(FloorEvent, frozen=True, kw_only=True):
    """`rounds` have been opened, and players have so many `chips`, in cents; at first not said."""

    rounds: int | None = None
    chips: int = 0


class TableClosed(_OfTable, frozen=True, kw_only=True, tag="table-closed"):
    """No round is opened until it is open again; the one being played is finished."""


class TableReopened(_OfTable, frozen=True, kw_only=True, tag="table-reopened"):
    """Rounds can be opened again."""


class PaceChanged(FloorEvent, frozen=True, kw_only=True, tag="pace-changed"):
    """`before` is what it was; earlier releases left it out."""

    pace: Pace
    before: Pace | None = None


class _Commitment(FloorEvent, frozen=True, kw_only=True):
    shoe: int
    commitment: str


class ShoeCommitted(_Commitment, frozen=True, kw_only=True, tag="shoe-committed"):
    """The SHA-256 of salt and order, before the first card: of shoes that earlier releases shuffled."""


class ShoePromised(_Commitment, frozen=True, kw_only=True, tag="shoe-promised"):
    """The SHA-256 of table, number and salt, before anybody adds a seed to the shoe."""


class Seed(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What a player adds, so that nobody else chooses the order of a shoe."""

    player: str
    seed: str


class SeedAdded(FloorEvent, frozen=True, kw_only=True, tag="seed-added"):
    """A seed for the shoe that is promised, in place of one that the player added to it before."""

    shoe: int
    player: str
    seed: str


class ShoeSealed(_Commitment, frozen=True, kw_only=True, tag="shoe-sealed"):
    """With the promise of its salt, decks and seeds in the order added: from these the order follows."""

    decks: int
    seeds: tuple[Seed, ...]


class ShoeRevealed(FloorEvent, frozen=True, kw_only=True, tag="shoe-revealed"):
    """Salt and order, once no card of the shoe can be dealt any more."""

    shoe: int
    salt: str
    cards: str


class TimerStarted(FloorEvent, frozen=True, kw_only=True, tag="timer-started"):
    """`key` names the situation that the timer is for: once that has passed, so has the timer."""

    timer: str
    key: str
    ms: int


class PlayersSeen(FloorEvent, frozen=True, kw_only=True, tag="players-seen"):
    """They look on and are not away, though nothing else in the log tells."""

    players: tuple[str, ...]


class PlayerReady(FloorEvent, frozen=True, kw_only=True, tag="player-ready"):
    """Who has bet does not need the rest of the time to bet, or needs it after all (`ready` is false)."""

    player: str
    ready: bool


class PlayerKnownAs(FloorEvent, frozen=True, kw_only=True, tag="player-known-as"):
    """What others at the table see of a player from now on, in place of the account's name."""

    player: str
    name: str


class SupervisorCalled(FloorEvent, frozen=True, kw_only=True, tag="supervisor-called"):
    """The dealer asks the pit to come."""

    note: str


class SupervisorCame(FloorEvent, frozen=True, kw_only=True, tag="supervisor-came"):
    pass


class DealerSignedOn(FloorEvent, frozen=True, kw_only=True, tag="dealer-signed-on"):
    """Who deals from now on, and nobody else."""

    dealer: str


class DealerSignedOff(FloorEvent, frozen=True, kw_only=True, tag="dealer-signed-off"):
    """Nobody deals until somebody signs on; `by` a supervisor, if not by the dealer."""

    dealer: str
    by: str


class DealerRelieved(FloorEvent, frozen=True, kw_only=True, tag="dealer-relieved"):
    """One dealer hands the table over to another; `counted`: the float in cents, where it was counted.

    `expected` is what the books came to then, if that is known.
    """

    off: str
    on: str
    counted: int | None = None
    expected: int | None = None


class ReliefPlanned(FloorEvent, frozen=True, kw_only=True, tag="relief-planned"):
    """When who deals is to be relieved, in microseconds, and by whom if that is known; 0 is no more."""

    at: int
    dealer: str


class MovePlanned(FloorEvent, frozen=True, kw_only=True, tag="move-planned"):
    """From the first round after `at`, in microseconds, the table is played by that text; 0 takes it back.

    `layout` where it is not to be the present one.
    """

    at: int
    rulebook: str = ""
    digest: str = ""
    layout: str = ""


class ConfirmedAtDesk(FloorEvent, frozen=True, kw_only=True, tag="confirmed-at-desk"):
    """What follows was asked for at the desk of `desk` by `person`, who gave a PIN there."""

    person: str
    desk: str


class _OfPayout(FloorEvent, frozen=True, kw_only=True):
    """About the payout of somebody in a box."""

    box: int
    player: str


class PayoutTicked(_OfPayout, frozen=True, kw_only=True, tag="payout-ticked"):
    """The dealer has handed the winnings to who has them coming in that box.

    After a correction `cents` is all that is won or lost there, and `changes` what changed hands now.
    """

    cents: int
    changes: int | None = None


class PayoutNamed(_OfPayout, frozen=True, kw_only=True, tag="payout-named"):
    """What a trainee says that somebody has coming in that box, before being told."""

    cents: int


class PayoutUnticked(_OfPayout, frozen=True, kw_only=True, tag="payout-unticked"):
    pass


class PayoutDisputed(_OfPayout, frozen=True, kw_only=True, tag="payout-disputed"):
    """Somebody says that it is not what is due; no bets are opened until that is settled."""

    note: str


class DisputeSettled(_OfPayout, frozen=True, kw_only=True, tag="dispute-settled"):
    pass


class PayoutsDone(FloorEvent, frozen=True, kw_only=True, tag="payouts-done"):
    round: int


# What the public is told, by choice and never by hand.
PublicSentence: TypeAlias = Literal[
    "moment",
    "card-checked",
    "order-named",
    "late-bet-refused",
    "round-void",
    "result-corrected",
    "no-insurance",
    "closing",
    "dealer-coming",
]


class SaidInPublic(FloorEvent, frozen=True, kw_only=True, tag="said-in-public"):
    """What board and players read from now on; nothing any more if it is empty."""

    sentence: PublicSentence | Literal[""]


class LastRoundAnnounced(FloorEvent, frozen=True, kw_only=True, tag="last-round-announced"):
    """After that round none is opened."""

    round: int


class TableArchived(FloorEvent, frozen=True, kw_only=True, tag="table-archived"):
    """It is in no list any more unless somebody asks for such tables too."""


class TableUnarchived(FloorEvent, frozen=True, kw_only=True, tag="table-unarchived"):
    pass


class ShiftStarted(FloorEvent, frozen=True, kw_only=True, tag="shift-started"):
    """What is won and counted of a shift begins here."""

    name: str


CountOf: TypeAlias = Literal["opening", "closing", "check"]


class FloatCounted(FloorEvent, frozen=True, kw_only=True, tag="float-counted"):
    """The chips of the table's float were counted; `expected` is what the books come to, if that is known.

    By two `people`, chips by value: `pieces`; `first` is what the count before came to, where it differed.
    """

    why: CountOf
    cents: int
    expected: int | None = None
    pieces: dict[int, int] = {}
    people: tuple[str, ...] = ()
    first: int | None = None


class FloatFilled(FloorEvent, frozen=True, kw_only=True, tag="float-filled"):
    """Chips were brought to the float."""

    cents: int


class FloatCredited(FloorEvent, frozen=True, kw_only=True, tag="float-credited"):
    """Chips were taken from the float."""

    cents: int


SlipKind: TypeAlias = Literal["fill", "credit"]


class _OfSlip(FloorEvent, frozen=True, kw_only=True):
    """About a fill or a credit, by the number that it was given at this table."""

    number: int


class SlipAsked(_OfSlip, frozen=True, kw_only=True, tag="slip-asked"):
    """Chips, by value in cents, are to be brought or taken; the float is as it was."""

    what: SlipKind
    pieces: dict[int, int]


class SlipDone(_OfSlip, frozen=True, kw_only=True, tag="slip-done"):
    """Two people counted the chips and signed; that they are in the float, or out of it, follows."""

    people: tuple[str, ...]


class SlipVoided(_OfSlip, frozen=True, kw_only=True, tag="slip-voided"):
    people: tuple[str, ...]
    reason: str


class DropCounted(FloorEvent, frozen=True, kw_only=True, tag="drop-counted"):
    """What was brought to the table since the last time, as two people counted it, beside the books."""

    cents: int
    expected: int
    pieces: dict[int, int]
    people: tuple[str, ...]


class DifferenceAnswered(FloorEvent, frozen=True, kw_only=True, tag="difference-answered"):
    """Why the count of that time, in microseconds, was not what the books came to."""

    at: int
    answer: str


class CaseTaken(FloorEvent, frozen=True, kw_only=True, tag="case-taken"):
    """Somebody of that rank looks after an irregularity; `number` is its place, 0 for the one under way."""

    case: str
    number: int
    rank: str = ""


class CasePassedUp(FloorEvent, frozen=True, kw_only=True, tag="case-passed-up"):
    """It is for somebody else: a rank of the table, or a person."""

    case: str
    number: int
    to: str
    note: str


class Checkpointed(FloorEvent, frozen=True, kw_only=True, tag="checkpointed"):
    """The table as it was before this event is kept, so that nobody has to fold the log up to here again.

    `sha256` is that of what is kept: a copy that was changed does not pass for the table.
    """

    sha256: str


class Noted(FloorEvent, frozen=True, kw_only=True, tag="noted"):
    """An entry of the journal: what happened in the house outside any table."""

    kind: str
    facts: dict[str, str | int]


GrantReason: TypeAlias = Literal["opening", "daily", "fresh-start"]


class WalletGranted(FloorEvent, frozen=True, kw_only=True, tag="wallet-granted"):
    """An entry of the journal: play money for somebody's wallet, on that day since 1970 by UTC."""

    account: str
    why: GrantReason
    day: int
    cents: int


DOCUMENT_KEPT = "document-kept"  # the house keeps its own copy of a rulebook's document
DOCUMENT_TAKEN = "document-taken"  # and does no longer
RULEBOOK_ADDED = "rulebook-added"  # the kind of a note: the house was given the text of a rulebook
SHIFTS_SET = "shifts-set"  # the hours of the shifts were set, by whom
HEADS_SIGNED = "heads-signed"  # and of another: where logs ended, signed by the house
SEARCHED = "searched"  # somebody looked for rounds, and by what
LONG_TURN = "long-turn"  # somebody's request held everybody else up
RADAR_OPENED = "radar-opened"  # somebody looked whose stakes follow the value, and why
RADAR_CASE = "radar-case"  # and asked who it is
EXAM_KEPT = "exam-kept"  # an exam, or somebody's sitting of one, was written, by its hash
EXAM_BEGUN = "begun"  # in place of a hash: somebody sits it, and answers come
EVIDENCE_MADE = "evidence-made"  # somebody took evidence of a round out of the house


AnyFloorEvent: TypeAlias = (
    TableCreated | TableClosed | TableReopened | PaceChanged | ShoeCommitted | ShoePromised | SeedAdded
    | ShoeSealed | ShoeRevealed | TimerStarted | PlayersSeen | PlayerReady | SupervisorCalled | SupervisorCame
    | DealerSignedOn | DealerSignedOff | DealerRelieved | ReliefPlanned | ConfirmedAtDesk | MovePlanned
    | PayoutTicked | PayoutNamed | PayoutUnticked | PayoutDisputed | DisputeSettled | PayoutsDone
    | SaidInPublic
    | LastRoundAnnounced | TableArchived | TableUnarchived | ShiftStarted | CaseTaken | CasePassedUp
    | Checkpointed | Noted | WalletGranted | PlayerKnownAs | FloatCounted | FloatFilled | FloatCredited
    | SlipAsked | SlipDone | SlipVoided | DropCounted | DifferenceAnswered
)  # fmt: skip
Logged: TypeAlias = AnyEvent | AnyFloorEvent
