"""A rulebook as a frozen value: what one document says, each value with the paragraphs that say it.

These types hold facts only. What they mean for a round is in `thirdcard.play`, and no code there asks
which document it has: it asks these fields.
"""

from collections.abc import Iterator, Sized
from fractions import Fraction
from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from thirdcard.money import Odds
from thirdcard.notebook import html_table
from thirdcard.rulebook.conditions import When
from thirdcard.rulebook.parts import Cited, Fact, Part, Rules, Side
from thirdcard.rulebook.sums import RANKS

# What rulebooks are made of is read through this module.
__all__ = ["Cited", "Fact", "Part", "Rules", "Side", "When"]


class Document(Fact, frozen=True, kw_only=True):
    """The title page; `rules` are the paragraphs that name the game.

    `effective` is when it comes into force and `until` when it ends, where it says so (`versions.py`).
    `family` names the game whose version it is, `replaces` the slug of the version before it, where the slug
    does not tell.
    """

    title: str
    operator: str = ""
    version: int = 1
    effective: str = ""
    family: str = ""
    replaces: str = ""
    until: str = ""


class Decks(Fact, frozen=True, kw_only=True):
    min: int
    max: int


class TableOfPlay(Fact, frozen=True, kw_only=True, eq=False):
    """Who draws a third card, by points of the first two cards.

    `banker_draws` maps the Banker's points to the Player third cards (by points) it draws against. `printed`
    is the Player's first card where it lies on the felt and is in no shoe. With an `order` of the ranks, from
    the lowest, each hand has one card, and its place in the order is the hand's total.
    """

    natural: tuple[int, ...]
    player_draws: tuple[int, ...]
    banker_draws_if_player_stands: tuple[int, ...]
    banker_draws: dict[int, tuple[int, ...]]
    printed: Annotated[str, msgspec.Meta(pattern=rf"^([{RANKS}][SHDC])?$")] = ""
    order: Annotated[str, msgspec.Meta(pattern=rf"^([{RANKS}]{{13}})?$")] = ""

    @property
    def usual(self) -> bool:
        """Whether rounds begin with two cards to each hand from the shoe."""
        return not (self.printed or self.order)


class Layout(Fact, frozen=True, kw_only=True):
    """A table's drawing: how many positions it may have and which bets it offers."""

    positions: tuple[int, int]
    bets: tuple[str, ...]
    name: str = ""


class Tier(Fact, frozen=True, kw_only=True):
    """One line of the pay table."""

    tier: str
    when: When
    odds: Odds


WHOLE: Final = Fraction(1)


class Push(Fact, frozen=True, kw_only=True):
    """When the stake is returned, or a share of it; `tier` tells one push of a bet from another."""

    when: When
    tier: str = "push"
    returned: Fraction = WHOLE


class Bet(Fact, frozen=True, kw_only=True, eq=False):
    """A bet: `rules` say what wins it, its tiers what it pays; no tier and no push means it loses.

    `push` is the one push that most bets have, `pushes` are further ones. `layouts` are those that the
    settlement paragraph names, `None` where it names none.
    """

    name: str
    pays: tuple[Tier, ...]
    push: Push | None = None
    pushes: tuple[Push, ...] = ()
    layouts: Cited[tuple[str, ...]] | None = None

    @property
    def every_push(self) -> tuple[Push, ...]:
        return self.pushes if self.push is None else (self.push, *self.pushes)

    @property
    def whens(self) -> tuple[When, ...]:
        """Every condition that the bet has."""
        return (*(tier.when for tier in self.pays), *(push.when for push in self.every_push))


class CommissionRate(Part, frozen=True, kw_only=True):
    """Another rate, for Banker wins such as these."""

    when: When
    rate: Fraction


class Commission(Fact, frozen=True, kw_only=True):
    """The House's share of a winning Banker bet; the odds printed for Banker are already net of it.

    `except_when` has the wins that are charged otherwise, the first that fits.
    """

    rate: Fraction
    except_when: tuple[CommissionRate, ...] = ()


class Span:
    """Points as the insurance tables print them: `5`, or `0-4`."""

    __slots__ = ("high", "low")

    def __init__(self, text: str) -> None:
        low, _, high = text.partition("-")
        self.low, self.high = int(low), int(high or low)
        if not 0 <= self.low <= self.high <= 9:  # noqa: PLR2004 - a hand has 0 to 9 points
            raise ValueError(f"{text!r} is not a span of points from 0 to 9")

    def __contains__(self, points: int) -> bool:
        return self.low <= points <= self.high

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.low, self.high + 1))

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"

    def __repr__(self) -> str:
        return f"Span({str(self)!r})"


class Offer(Fact, frozen=True, kw_only=True, eq=False):
    """One row of an insurance table; `tie_paid` is the exception that pays it on a tie."""

    hand: Side
    window: Literal[1, 2]
    player: Span
    banker: Span
    odds: Odds
    tie_paid: Fact | None = None


class LongOddsCap(Fact, frozen=True, kw_only=True):
    """At these odds a person's stakes in a window are at most this share of the displayed maximum."""

    odds: Odds
    of_maximum: Fraction


class Insurance(Fact, frozen=True, kw_only=True):
    """Insurance of an Original Bet. Caps are shares of the Original Bet; `None` means no such cap.

    The last five cite what the document says of a tie (insurance is returned), of silence (insurance
    is forgone), of the Banker's third card turned first (the second window is waived), of a private
    table (none is offered), and of an offer that the dealer neglected.
    """

    name: str
    offers: tuple[Offer, ...]
    stake_per_window: Cited[Fraction] | None = None
    winnings_per_round: Cited[Fraction] | None = None
    late_winnings: Cited[Fraction] | None = None
    long_odds: LongOddsCap | None = None
    tie: Fact
    forgone: Fact
    waived: Fact
    private: Fact
    neglected: Fact


class StaffRank(Fact, frozen=True, kw_only=True):
    """A rung of the ladder of authority; `above` names the ranks directly below it."""

    name: str
    title: str
    above: tuple[str, ...] = ()
    pit_employee: bool = False


class Authority(Part, frozen=True, kw_only=True):
    """Which rank does what the engine has to ask for (interpretation 29).

    `deals`: opens and closes bets, draws, settles, records chips as they lie, reports. `amends`: puts a
    wrong record right. `manages`: the set-up, ranks, tables without insurance. `decides`: what no rule
    covers, voids at discretion, readings set aside.
    """

    deals: Cited[str]
    amends: Cited[str]
    manages: Cited[str]
    decides: Cited[str]


class Differential(Fact, frozen=True, kw_only=True):
    """The most that Banker and Player stakes may differ by, over a box or the whole table.

    `before` and `after` the close: the paragraphs that say what is done about an excess.
    """

    scope: Literal["box", "table"]
    before_close: Literal["reject", "ask"]
    after_close: Literal["pro-rata", "remove"]
    before: Fact
    after: Fact


class Limits(Part, frozen=True, kw_only=True):
    """What the document says of stakes outside the limits, noticed or not."""

    displayed: Cited[tuple[Literal["minimum", "maximum", "differential"], ...]]
    differential: Differential
    below_minimum_noticed: Cited[Literal["raise-or-withdraw", "refuse"]]
    below_minimum_unnoticed: Cited[Literal["settle", "settle-once"]]
    above_maximum_unnoticed: Cited[Literal["shift-manager", "to-maximum"]]
    balance_open_to_others: Cited[bool]
    standing_needs_seated: Cited[bool]
    maximum: Fact
    wagers_per_area: Cited[int] | None = None


class Betting(Part, frozen=True, kw_only=True):
    """When bets are open and when a round is beyond change."""

    opens: Cited[str]
    closes: Cited[str]
    withdrawn_after_close: Cited[Literal["refused", "still-plays"]]
    by_staff: Cited[tuple[str, ...]]
    final: Cited[Literal["next-round", "payment"]]


class Method(Fact, frozen=True, kw_only=True):
    """A way to deal: who holds the device, who may handle the cards, who allows it and where."""

    name: str
    title: str
    device: Literal["dealer", "player"]
    handles: Literal["dealer", "players"]
    face_down: bool
    allowed_by: str | None = None
    area: Literal["anywhere", "high-limit"] = "anywhere"
    handing: Fact | None = None  # cards passed to a player
    given_up: Fact | None = None  # the device handed back
    lost: Fact | None = None  # and taken with a lost wager

    @property
    def handing_rules(self) -> Rules:
        return self.handing.rules if self.handing else ()

    @property
    def given_up_rules(self) -> Rules:
        return self.given_up.rules if self.given_up else self.rules

    @property
    def lost_rules(self) -> Rules:
        return self.lost.rules if self.lost else self.rules


class Squeeze(Fact, frozen=True, kw_only=True):
    """Who may squeeze, on whose permission."""

    right: Literal["largest-bet", "largest-total-on-hand"]
    seated_only: bool
    permission: str
    banker_third_first: Cited[bool] | None = None


Noticed: TypeAlias = Literal["bets-open", "bets-closed", "settled", "next-round"]
Stage: TypeAlias = Literal["initial-deal", "after-initial-deal"]


class Facts(Part, frozen=True, kw_only=True):
    """What has to be established about an irregularity: the values each fact may have.

    A fact left empty does not matter.
    """

    noticed: tuple[Noticed, ...] = ()
    stage: tuple[Stage, ...] = ()
    card_drawn: tuple[bool, ...] = ()
    outcome_established: tuple[bool, ...] = ()
    reconstructable: tuple[bool, ...] = ()
    order_known: tuple[bool, ...] = ()
    values_known: tuple[bool, ...] = ()
    still_on_offer: tuple[bool, ...] = ()


class Ruling(Fact, frozen=True, kw_only=True):
    """The remedy where the facts are these, and who decides."""

    when: Facts = Facts()
    remedy: tuple[str, ...]  # names of `rulebook.remedies`
    decides: str


About: TypeAlias = Literal[
    # Stakes and people
    "differential",  # bets over the differential
    "below-minimum",  # a bet under its minimum
    "above-maximum",  # a bet over its maximum
    "late-chips",  # chips placed or added after the close
    "taken-chips",  # chips taken away after the close
    "chips-lie",  # chips count where they lie
    "walked-away",  # somebody with bets is gone: insurance is forgone
    "neglected-insurance",  # an offer was not made
    # Cards
    "bad-cards",  # the cards in use are not what they should be
    "too-few-cards",  # the shoe cannot finish the round
    "order-altered",  # the order in the device was altered
    "wrong-number",  # a hand has a wrong number of cards
    "excess-cards",  # cards came out that were not due, or were seen
    "wrong-area",  # cards lie with the wrong hand, or in the wrong order
    "wrong-person",  # cards were passed to the wrong person
    "seen-in-error",  # a card was seen though it should have lain face down
    "face-up-in-device",  # a card lies face up among those still to come
    "drawn-together",  # several cards came out at once
    "absent-handler",  # who holds cards is not there to turn them
    "left-with-cards",  # and took them along
    "device-reset",  # the electronic device has to be reset
    "dealing-error",  # any other
    # All else
    "interruption",  # something technical stops the round
    "display",  # a display shows another outcome
    "earlier-round",  # it was noticed when the next round had begun
    "uncovered",  # no rule speaks of it: a decision at discretion
]


class Procedure(Fact, frozen=True, kw_only=True, eq=False):
    """An irregularity and its rulings: exactly one for any facts.

    `about` says what it is for the engine, which never asks for a case by its name. `needs` is the kind of
    table it can happen at: one with a device that reads cards, one where players draw from the device, one
    where cards are dealt face down.
    """

    case: str
    title: str
    about: tuple[About, ...]
    rulings: tuple[Ruling, ...]
    needs: Literal["reader", "player-device", "face-down"] | None = None
    interpretations: tuple[int, ...] = ()


Grant: TypeAlias = Literal[
    # Bets and insurance
    "fewer-wagers",  # fewer wagers in a playing area than the document allows
    "no-insurance",  # a private table plays without insurance
    "intention",  # who had intended to insure
    "removal",  # which wagers come off to meet the differential
    "cut-card-withdrawal",  # wagers may be withdrawn when the cut card comes first
    # Who handles cards
    "method",  # the way to deal
    "method-c",  # that a player draws from the device
    "draw-without-wager",  # and one who has not bet
    "handler",  # who handles cards where no rule names a player
    "squeeze",  # whether a card may be squeezed
    "any-squeezer",  # by somebody other than the rules say
    "first-hand",  # which hand is revealed first
    "banker-third-first",  # the Banker's third card before the Player's
    # Irregularities
    "reconstruction",  # whether cards can be reconstructed
    "order-of-cards",  # which of several cards came first
    "replace-cards",  # whether the cards are replaced
    "not-covered",  # what no rule speaks of
]


class Discretion(Fact, frozen=True, kw_only=True):
    """Something left to a person of a rank; `grants` names it for the engine."""

    grants: Grant
    what: str
    rank: str


class Notice(Fact, frozen=True, kw_only=True):
    """Something people at the table must be shown."""

    shows: str
    only_private: bool = False


class Unconfirmed(Part, frozen=True, kw_only=True):
    """Something of a draft that a person has to confirm, by taking this row out: the key, and why.

    `line` is that of the document which the draft was read from.
    """

    key: str
    line: int
    reason: str


def _counted(some: Sized, word: str) -> str:
    return f"{len(some)} {word}" + ("s" if len(some) != 1 else "")


class Rulebook(Part, frozen=True, kw_only=True, eq=False):
    """One document, whole.

    `assumed` names the sections that its file leaves out, for which those of the plain game stand.
    `not_carried` names paragraphs from which nothing in the book follows. A draft that was read from a
    document is no book while it has rows in `unconfirmed`.
    """

    slug: str
    document: Document
    assumed: tuple[str, ...] = ()
    paragraphs: tuple[str, ...] = ()
    not_carried: tuple[str, ...] = ()
    unconfirmed: tuple[Unconfirmed, ...] = ()
    decks: Decks
    table_of_play: TableOfPlay
    layouts: dict[str, Layout]
    bets: dict[str, Bet]
    commission: Commission | None = None
    insurance: Insurance | None = None
    ranks: tuple[StaffRank, ...]
    authority: Authority
    limits: Limits
    betting: Betting
    cut_card: Fact | None = None
    void: Fact | None = None
    dealing: tuple[Method, ...]
    squeeze: Squeeze
    procedures: tuple[Procedure, ...]
    discretions: tuple[Discretion, ...] = ()
    notices: tuple[Notice, ...] = ()

    def __repr__(self) -> str:
        layouts, bets = _counted(self.layouts, "layout"), _counted(self.bets, "bet")
        return f"<Rulebook {self.slug}, version {self.document.version}: {layouts}, {bets}>"

    def _repr_html_(self) -> str:
        rows = (
            (
                bet.name,
                ", ".join(dict.fromkeys(tier.odds.text for tier in bet.pays)),
                ", ".join(letter for letter, layout in self.layouts.items() if name in layout.bets),
                ", ".join(dict.fromkeys(rule for tier in bet.pays for rule in tier.rules)),
            )
            for name, bet in self.bets.items()
        )
        caption = f"{self.document.title}, {self.decks.min} to {self.decks.max} decks"
        return html_table(caption, ("Bet", "Pays", "Layouts", "Paragraphs"), rows)

    def procedure(self, about: About) -> Procedure | None:
        """The irregularity of that kind, the first listed where there are several."""
        return next((procedure for procedure in self.procedures if about in procedure.about), None)
