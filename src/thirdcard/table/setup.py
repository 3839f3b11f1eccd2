"""How a table is set up: everything people agree on before the first bet."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

import msgspec

from thirdcard.cards import CARDS_IN_A_DECK
from thirdcard.errors import BadInput
from thirdcard.money import DEFAULT_CHIP_UNIT, LARGEST_STAKE, LARGEST_WAGER, check_chip_unit
from thirdcard.play.settlement import DEFAULT_DECKS, Game
from thirdcard.play.tableau import LONGEST
from thirdcard.rulebook import Rulebook, Which, digest_of, load, named
from thirdcard.rulebook.load import by_digest, of_package, packaged
from thirdcard.rulebook.lookup import check_usual, find_layout
from thirdcard.rulebook.model import Method, Rules
from thirdcard.words.saying import say

DEFAULT_CUT = 14  # cards behind the cut card (interpretation 33)
EVERY_OTHER = "*"
SHORT_DIGEST = 12  # digits that tell people one text from another


class Limit(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The least and the most one person may stake on a bet, in cents; no `max` where none is displayed."""

    min: int
    max: int | None = None


class Setup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """`limits` by bet, `*` for all that are not named; `staff` maps a person to a rank of the ladder.

    `digest` names the text of the rulebook that is played by, which is filled in when a table is opened; a
    log of an earlier release has none and is read by the package's document, whatever else has its slug.

    >>> Setup(rulebook="mbs-tiger-v2", layout="A", positions=6, limits={"*": Limit(1000, 100_000)}).bets[:2]
    ('player', 'banker')
    """

    rulebook: str
    layout: str
    positions: int
    limits: dict[str, Limit]
    differential: int | None = None
    decks: int = DEFAULT_DECKS
    chip_unit: int = DEFAULT_CHIP_UNIT
    method: str = ""
    device: Literal["shoe", "reader"] = "shoe"
    insurance: bool = True
    private: bool = False
    high_limit: bool = False
    cut: int = DEFAULT_CUT
    wagers_per_area: int | None = None
    staff: dict[str, str] = {}
    digest: str = ""

    @cached_property
    def book(self) -> Rulebook:
        if self.digest:
            return by_digest(self.rulebook, self.digest)
        return of_package(self.rulebook) if self.rulebook in packaged() else named(self.rulebook)

    @cached_property
    def bets(self) -> tuple[str, ...]:
        return self.book.layouts[self.layout].bets

    @cached_property
    def dealing(self) -> Method:
        methods = {method.name: method for method in self.book.dealing}
        face_up = [method for method in self.book.dealing if not method.face_down]
        return methods[self.method] if self.method else (face_up or self.book.dealing)[0]

    @property
    def handing_rules(self) -> Rules:
        """The paragraphs on cards in people's hands: where a player draws, those of that method."""
        by_player = self.dealing.device == "player"
        return (by_player and self.dealing.handing_rules) or self.book.squeeze.rules

    @cached_property
    def most_wagers(self) -> int | None:
        """The most wagers on one bet in one box, if the document or the table limits them."""
        document = self.book.limits.wagers_per_area
        return None if document is None else min(self.wagers_per_area or document.value, document.value)

    @property
    def most_cut(self) -> int:
        """The most cards behind the cut card: one whole round is in front of it."""
        return CARDS_IN_A_DECK * self.decks - LONGEST

    @cached_property
    def limit_of(self) -> dict[str, Limit]:
        """The limits of every bet on the layout."""
        other = self.limits.get(EVERY_OTHER)
        return {bet: limit for bet in self.bets if (limit := self.limits.get(bet, other)) is not None}

    def limit(self, bet: str) -> Limit:
        return self.limit_of[bet]

    @cached_property
    def reads_cards(self) -> bool:
        """Whether the device names a card as it is drawn."""
        return self.device == "reader"

    @cached_property
    def unseen(self) -> bool:
        """Whether a drawn card has no name on record until it is turned (interpretation 31)."""
        return self.dealing.face_down and not self.reads_cards

    def insurance_base(self, hand: str) -> int | None:
        """What the cap at long odds is a share of: the insured hand's maximum (interpretation 12)."""
        displayed = self.limit(hand).max
        return self.differential if displayed is None else displayed


def set_up(
    rulebook: Which,
    *,
    layout: str | None = None,
    positions: int | None = None,
    limits: Mapping[str, Limit] | None = None,
    **agreed: Any,  # noqa: ANN401 - any other field of a set-up
) -> Setup:
    """A set-up by a rulebook of any name: its first layout, all positions and any stake if none is agreed.

    A rulebook that wants a differential displayed gets the largest, which binds nobody.
    """
    book = load(rulebook)
    letter = next(iter(book.layouts)) if layout is None else layout
    places = find_layout(book, letter).positions[1] if positions is None else positions
    unknown = [name for name in agreed if name not in Setup.__struct_fields__ or name == "digest"]
    if unknown:
        raise BadInput(
            say(
                "table-field-unknown",
                unknown=unknown[0],
                struct_fields=tuple(Setup.__struct_fields__[:-1]),
            )
        )
    unit = agreed.get("chip_unit", DEFAULT_CHIP_UNIT)
    if _displays_differential(book):
        agreed.setdefault("differential", LARGEST_STAKE - LARGEST_STAKE % check_chip_unit(unit))
    return Setup(
        rulebook=book.slug,
        digest=digest_of(book),
        layout=letter,
        positions=places,
        limits={EVERY_OTHER: Limit(unit)} if limits is None else dict(limits),
        **agreed,
    )


def check(setup: Setup) -> Setup:
    """A set-up that can be played; BadInput names what cannot."""
    game = Game(setup.book, setup.layout, decks=setup.decks, unit=setup.chip_unit)
    _check_places(setup, game)
    _check_limits(setup, game)
    _check_dealing(setup, game.rulebook)
    _check_insurance(setup, game.rulebook)
    ranks = [rank.name for rank in game.rulebook.ranks]
    for person, rank in setup.staff.items():
        if rank not in ranks:
            raise BadInput(say("no-such-rank-for", who=person, rank=rank, ranks=tuple(ranks)))
        check_name(person)
    return setup


def bound(setup: Setup) -> Setup:
    """The set-up with the text of its rulebook named, so that it is played by that text for good."""
    book = setup.book if setup.digest else named(setup.rulebook)
    return msgspec.structs.replace(setup, rulebook=book.slug, digest=digest_of(book))


def check_name(name: str) -> str:
    """People's names go into accounts and logs, so they are kept plain."""
    if not name or len(name) > 40 or not name.isprintable() or any(mark in name for mark in ":/ "):  # noqa: PLR2004
        raise BadInput(say("no-name-here", name=name))
    return name


def _check_places(setup: Setup, game: Game) -> None:
    check_usual(game.rulebook, "tables deal")
    low, high = game.rulebook.layouts[setup.layout].positions
    if not low <= setup.positions <= high:
        raise BadInput(
            say("layout-positions", layout=setup.layout, low=low, high=high, positions=setup.positions)
        )
    if not 0 <= setup.cut <= setup.most_cut:
        raise BadInput(say("cut-card-range", most_cut=setup.most_cut, cut=setup.cut))
    document = game.rulebook.limits.wagers_per_area
    most = setup.wagers_per_area
    if most is not None and (document is None or not 1 <= most <= document.value):
        if document is None:
            raise BadInput(say("wagers-not-limited", most=most))
        raise BadInput(say("wagers-per-area", last=document.value, most=most))


def _check_limits(setup: Setup, game: Game) -> None:
    unit = check_chip_unit(setup.chip_unit)
    for name, limit in setup.limits.items():
        if name not in game.bets and name != EVERY_OTHER:
            raise BadInput(say("limits-of-unknown-bet", bet=name, layout=setup.layout))
        most = LARGEST_WAGER if limit.max is None else limit.max
        if not 0 < limit.min <= most <= LARGEST_WAGER or limit.min % unit or (limit.max or 0) % unit:
            raise BadInput(say("limits-out-of-step", bet=name, unit=unit, largest_wager=LARGEST_WAGER))
    missing = [name for name in game.bets if name not in setup.limits and EVERY_OTHER not in setup.limits]
    if missing:
        raise BadInput(say("limits-missing", missing=tuple(missing), every_other=EVERY_OTHER))
    if setup.differential is None and _displays_differential(game.rulebook):
        raise BadInput(say("differential-needed", rules=_cited(game.rulebook.limits.displayed.rules)))
    differential = setup.differential
    if differential is not None and (not 0 < differential <= LARGEST_STAKE or differential % unit):
        raise BadInput(say("differential-out-of-step"))


def _displays_differential(rulebook: Rulebook) -> bool:
    return "differential" in rulebook.limits.displayed.value


def _check_insurance(setup: Setup, rulebook: Rulebook) -> None:
    if rulebook.insurance is not None and not setup.insurance and not setup.private:
        raise BadInput(
            say("set-up-private-first", rules=_cited(rulebook.insurance.private.rules)),
            rules=rulebook.insurance.private.rules,
        )


def _check_dealing(setup: Setup, rulebook: Rulebook) -> None:
    methods = [method.name for method in rulebook.dealing]
    if setup.method and setup.method not in methods:
        raise BadInput(say("no-such-method", method=setup.method, methods=tuple(methods)))
    if setup.dealing.area == "high-limit" and not setup.high_limit:
        raise BadInput(
            say("method-needs-high-limit-area", method=setup.method, rules=_cited(setup.dealing.rules))
        )
    if setup.dealing.device == "player" and setup.device != "reader":
        raise BadInput(say("method-needs-reader", method=setup.method, rules=_cited(setup.dealing.rules)))


def _cited(rules: Rules) -> str:
    return f" ({', '.join(rules)})" if rules else ""
