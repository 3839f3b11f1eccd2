"""Everything that protection has to say of one rulebook and one number of decks, as plain values for a page.

`python -m thirdcard.protect.sheet DECKS SHOES` reads the canonical text of a rulebook from standard input and
writes the sheet: a server has it made beside itself, so that tables never wait for it.
"""

import sys
import time
from collections.abc import Iterator

import msgspec

from thirdcard.odds.composition import Composition, fresh
from thirdcard.protect.known_cards import Knowledge, best_of, known_cards
from thirdcard.protect.measures import protection
from thirdcard.protect.off_the_top import InsuredDecks, by_decks
from thirdcard.protect.portraits import Portrait, portraits
from thirdcard.protect.preparing import Question, prepare
from thirdcard.protect.pricing import Priced, PricedCase, PricedRuling, price
from thirdcard.protect.protect_run import ProtectRun
from thirdcard.protect.protection import Protection, Terms
from thirdcard.protect.readings import PricedReading, readings
from thirdcard.rulebook.load import remember
from thirdcard.rulebook.model import Rulebook
from thirdcard.simulate.work import RunOutcome

MAIN = ("player", "banker")
MOST_SHOWN = 6  # bets of an option


class KnownRow(msgspec.Struct, frozen=True, kw_only=True):
    """In shares of a unit, what knowing a card is worth; `bet` empty for Player or Banker at choice."""

    bet: str
    edge: float
    places: tuple[float, ...]
    somewhere: float = 0.0
    gone: float = 0.0
    everything: float = 0.0
    sorted_deck: float = 0.0


class OptionRow(msgspec.Struct, frozen=True, kw_only=True):
    """An option and what lies open; worth and what it is worth blind, by bet, the dearest first."""

    gives: str
    known: tuple[int, ...]
    decide: int
    together: tuple[int, ...]
    bets: tuple[tuple[str, float, float], ...]


class RulingRow(msgspec.Struct, frozen=True, kw_only=True):
    facts: tuple[dict[str, str | bool], ...]
    remedy: tuple[str, ...]
    rules: tuple[str, ...]
    all_or_none: bool
    zero: tuple[str, ...]
    options: tuple[OptionRow, ...]


class CaseRow(msgspec.Struct, frozen=True, kw_only=True):
    case: str
    title: str
    rules: tuple[str, ...]
    rulings: tuple[RulingRow, ...]

    @property
    def most(self) -> OptionRow | None:
        """The dearest option; none where all are worth nothing."""
        found = [one for ruling in self.rulings for one in ruling.options if one.bets]
        return max(found, key=lambda one: one.bets[0][1], default=None)


class ReadingRow(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    title: str
    rules: tuple[str, ...]
    rival: str
    why: str
    moves: tuple[tuple[str, float, str, str], ...]  # bet, units per million, "round" or "case", the case


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """One rulebook, one number of decks."""

    protection: Protection
    known: tuple[KnownRow, ...]
    cases: tuple[CaseRow, ...]
    readings: tuple[ReadingRow, ...]
    portraits: dict[str, Portrait]
    insured: tuple[InsuredDecks, ...] = ()  # by decks, where insurance is offered


def make(book: Rulebook, decks: int, shoes: int) -> Sheet:
    """With perfect play over so many shoes; all else is exact."""
    run = prepare(book, Question(decks=decks, shoes=shoes, levels=("1", "2", "3")))
    start, total = time.perf_counter(), run.empty()
    for chunk in range(run.chunks):
        run.merge(total, run.play(chunk, 1), chunk)
    outcome = RunOutcome(run, total, run.chunks, time.perf_counter() - start)
    return whole(run, protection(run, outcome, Terms()))


def whole(run: ProtectRun, found: Protection) -> Sheet:
    """The exact part beside what perfect play was found to be."""
    book, left = run.book, fresh(run.decks)
    return Sheet(
        protection=found,
        known=tuple(_known(book, left)),
        cases=tuple(_case(one) for one in price(book, left)),
        readings=tuple(_reading(one) for one in readings(book, left)),
        portraits=portraits(run, found),
        insured=by_decks(book) if book.insurance else (),
    )


def _known(book: Rulebook, left: Composition) -> Iterator[KnownRow]:
    found = known_cards(book, left)
    if all(name in found for name in MAIN):
        yield KnownRow(bet="", edge=0.0, places=_worth(best_of(left, found, MAIN)))
    for name, one in found.items():
        yield KnownRow(
            bet=name,
            edge=-float(one.value),
            places=_worth(one.places),
            somewhere=float(one.somewhere.worth),
            gone=float(one.gone.worth),
            everything=float(one.everything.worth),
            sorted_deck=float(one.sorted_deck.worth),
        )


def _worth(places: dict[int, Knowledge]) -> tuple[float, ...]:
    return tuple(float(one.worth) for one in places.values())


def _case(one: PricedCase) -> CaseRow:
    return CaseRow(
        case=one.case,
        title=one.title,
        rules=one.rules,
        rulings=tuple(_ruling(ruling) for ruling in one.rulings),
    )


def _ruling(one: PricedRuling) -> RulingRow:
    return RulingRow(
        facts=one.facts,
        remedy=one.remedy,
        rules=one.rules,
        all_or_none=one.all_or_none,
        zero=one.zero,
        options=tuple(_option(option) for option in one.options),
    )


def _option(one: Priced) -> OptionRow:
    dear = [(name, float(worth.worth), float(worth.blind)) for name, worth in one.bets.items() if worth.worth]
    return OptionRow(
        gives=one.gives,
        known=one.exposure.known,
        decide=one.exposure.decide,
        together=one.exposure.together,
        bets=tuple(dear[:MOST_SHOWN]),
    )


def _reading(one: PricedReading) -> ReadingRow:
    return ReadingRow(
        number=one.number,
        title=one.title,
        rules=one.rules,
        rival=one.rival,
        why=one.why,
        moves=tuple((move.bet, float(move.units), move.per, move.case) for move in one.moves),
    )


def main() -> None:
    decks, shoes = (int(one) for one in sys.argv[1:3])
    book = remember(sys.stdin.buffer.read())
    sys.stdout.buffer.write(msgspec.json.encode(make(book, decks, shoes)))


if __name__ == "__main__":
    main()
