"""What open points of the documents move in money: each interpretation against a rival, per million rounds.

Figures are for one unit staked in every round it is offered, or for one unit in every round in which the case
comes up; above nought the rival gives more to the player. An interpretation without a figure says why.
"""

import tomllib
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec

from thirdcard.cards import Rank
from thirdcard.money import Odds
from thirdcard.odds.bet_values import Value, values
from thirdcard.odds.compiled import np
from thirdcard.odds.composition import Composition
from thirdcard.odds.counting import paths
from thirdcard.odds.insurance import verdict_on
from thirdcard.play.insurance import rows_at
from thirdcard.play.tableau import LONGEST
from thirdcard.protect.deals import deal
from thirdcard.protect.pricing import Pricing
from thirdcard.protect.worths import Exposure, Moved, PricedReading
from thirdcard.rulebook.forms import convert
from thirdcard.rulebook.model import Bet, Rulebook, Side, Tier, When
from thirdcard.rulebook.trace import interpretations
from thirdcard.strict import decodable, fields_of

MILLION: Final = 1_000_000
TENS: Final = (Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING)


class _BookedReading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    number: int
    rival: str = ""
    how: str = ""
    why: str = ""
    only: tuple[str, ...] = ()
    pays: dict[str, dict[str, str]] = {}
    when: dict[str, dict[str, Any]] = {}
    without: dict[str, str] = {}
    more: dict[str, dict[str, Any]] = {}


@cache
def _entries() -> dict[int, _BookedReading]:
    text = (files("thirdcard.protect") / "readings.toml").read_text(encoding="utf-8")
    entries = msgspec.convert(tomllib.loads(text)["readings"], decodable(list[_BookedReading]))
    return {entry.number: entry for entry in entries}


def readings(book: Rulebook, composition: Composition) -> tuple[PricedReading, ...]:
    """Every interpretation that touches the rulebook, in their order."""
    priced = []
    for interpretation in interpretations():
        if book.slug not in interpretation.paragraphs:
            continue
        entry = _entries()[interpretation.number]
        moves: tuple[Moved, ...] = ()
        why = entry.why
        if entry.rival and (not entry.only or book.slug in entry.only):
            moves = tuple(_HOW[entry.how](book, composition, entry))
            why = "" if moves else "No bet of this rulebook is touched by it."
        elif entry.rival:
            why = "No bet of this rulebook is touched by it."
        rules = interpretation.paragraphs[book.slug]
        priced.append(
            fields_of(PricedReading, interpretation, rules=rules, rival=entry.rival, why=why, moves=moves)
        )
    return tuple(priced)


def _difference(book: Rulebook, composition: Composition, bets: dict[str, Bet]) -> Iterator[Moved]:
    if bets:
        other = msgspec.structs.replace(book, bets={**book.bets, **bets})
        yield from _moved(values(book, composition, bets), values(other, composition, bets))


def _moved(here: dict[str, Value], there: dict[str, Value]) -> Iterator[Moved]:
    for name, value in here.items():
        yield Moved(bet=name, units=(there[name].ev - value.ev) * MILLION)


def _bets(book: Rulebook, composition: Composition, entry: _BookedReading) -> Iterator[Moved]:
    touched = [name for name in book.bets if name in {*entry.pays, *entry.when, *entry.without, *entry.more}]
    return _difference(
        book, composition, {name: _other_pays(book.bets[name], name, entry) for name in touched}
    )


def _other_pays(bet: Bet, name: str, entry: _BookedReading) -> Bet:
    odds, whens = entry.pays.get(name, {}), entry.when.get(name, {})
    tiers = []
    for tier in bet.pays:
        when = convert(whens[tier.tier], When) if tier.tier in whens else tier.when
        if name in entry.without:
            when = msgspec.structs.replace(when, **{entry.without[name]: When().margin})
        tiers.append(
            msgspec.structs.replace(
                tier, when=when, odds=Odds(odds[tier.tier]) if tier.tier in odds else tier.odds
            )
        )
    tiers += [
        Tier(tier=tier, when=convert(more["when"], When), odds=Odds(more["odds"]))
        for tier, more in entry.more.get(name, {}).items()
    ]
    return msgspec.structs.replace(bet, pays=tuple(tiers))


def _pairs_by_points(book: Rulebook, composition: Composition, _entry: _BookedReading) -> Iterator[Moved]:
    """Tens and pictures as one rank: the same totals, more pairs."""
    names = [name for name, bet in book.bets.items() if any(when.pair is not None for when in bet.whens)]
    merged = list(composition.ranks)
    for rank in TENS[1:]:
        merged[TENS[0] - 1] += merged[rank - 1]
        merged[rank - 1] = 0
    yield from _moved(values(book, composition, names), values(book, Composition(tuple(merged)), names))


def _second_window(book: Rulebook, composition: Composition, _entry: _BookedReading) -> Iterator[Moved]:
    """Insurance bought when the round is over and everybody sees how it ended."""
    if book.insurance is None:
        return
    windows = [
        path
        for path in paths(book.table_of_play, composition.points)
        if path.player_third is not None and path.banker_third is None
    ]
    won = dict.fromkeys(Side, Fraction(0))
    for path in windows:
        for offer in rows_at(book.insurance, 2, path.player_points, path.banker):
            if verdict_on(book.insurance, offer, path) == "win":
                won[offer.hand] += offer.odds.ratio * path.rounds
    for side, units in won.items():
        yield Moved(bet=f"insurance-{side.value}", units=units * MILLION / composition.sequences)


def _first_window_tie(book: Rulebook, composition: Composition, _entry: _BookedReading) -> Iterator[Moved]:
    if book.insurance is None:
        return
    paid = sum(
        (
            offer.odds.ratio * path.rounds
            for path in paths(book.table_of_play, composition.points)
            if path.player_third is not None and path.player_points == path.banker_points == 9  # noqa: PLR2004 - the tie that is meant
            for offer in rows_at(book.insurance, 1, path.player, path.banker)
            if offer.hand is Side.PLAYER
        ),
        Fraction(0),
    )
    yield Moved(bet="insurance-player", units=paid * MILLION / composition.sequences)


def _own_bets(book: Rulebook, composition: Composition, _entry: _BookedReading) -> Iterator[Moved]:
    """With three cards on the table: the option of one bet, where no other bet shuts it."""
    exposure = Exposure(known=(1, 2, 3), decide=3)
    every = Pricing(book, composition)
    for procedure in book.procedures:
        if any(
            ruling.when.outcome_established == (False,) and every.takes_back(ruling)
            for ruling in procedure.rulings
        ):
            for name in ("player", "banker"):
                alone = Pricing(book, composition, names=(name,), establishing=(name,))
                more = alone.taken_back(name, exposure) - every.taken_back(name, exposure)
                yield Moved(bet=name, units=more * MILLION, per="case", case=procedure.case)


def _all_back(book: Rulebook, composition: Composition, _entry: _BookedReading) -> Iterator[Moved]:
    """With all cards of the round on the table: whoever has lost takes the bet back."""
    pricing = Pricing(book, composition)
    whole = tuple(range(1, 7))
    for name in book.bets:
        more = pricing.taken_back(name, Exposure(known=whole), open_only=False) - pricing.taken_back(
            name, Exposure(known=whole, decide=len(whole)), open_only=False
        )
        yield Moved(bet=name, units=more * MILLION, per="case")


def _open_tiers(book: Rulebook, composition: Composition, _entry: _BookedReading) -> Iterator[Moved]:
    """By how many cards are out when the case comes up; where the tier is certain too, nothing moves."""
    cases = [
        procedure.case
        for procedure in book.procedures
        if any("settle-decided" in r.remedy for r in procedure.rulings)
    ]
    for name, bet in book.bets.items():
        if not cases or len(bet.pays) < 2:  # noqa: PLR2004 - one tier is always certain
            continue
        counts = deal(book.table_of_play, composition, bet)
        pays = np.where(counts.ways > 0, counts.net // np.maximum(counts.ways, 1), np.iinfo(np.int64).max)
        for out in range(1, LONGEST):
            others = tuple(range(out, LONGEST))
            certain = counts.won.all(axis=others)
            more = counts.net.sum(axis=others) - pays.min(axis=others, initial=counts.per * MILLION) * (
                counts.ways.sum(axis=others)
            )
            units = Fraction(int(more[certain].sum()), composition.sequences * counts.per)
            for case in cases if units else ():
                yield Moved(bet=name, units=units * MILLION, per="case", case=f"{case}, cards out: {out}")


_HOW: Final = {
    "bets": _bets,
    "pairs-by-points": _pairs_by_points,
    "second-window": _second_window,
    "first-window-tie": _first_window_tie,
    "own-bets": _own_bets,
    "all-back": _all_back,
    "open-tiers": _open_tiers,
}
