"""Everything that protection has to say of one rulebook and one number of decks, as plain values for a page.

`python -m thirdcard.protect.sheet DECKS SHOES` reads the canonical text of a rulebook from standard input and
writes the sheet: a server has it made beside itself, so that tables never wait for it.
"""

import sys
import time
from collections.abc import Iterator

import msgspec

from thirdcard.odds.composition import Composition, fresh
from thirdcard.protect.known_cards import MAIN, best_of, known_cards
from thirdcard.protect.measures import protection
from thirdcard.protect.off_the_top import InsuredDecks, by_decks
from thirdcard.protect.portraits import Portrait, portraits
from thirdcard.protect.preparing import Question, prepare
from thirdcard.protect.pricing import price
from thirdcard.protect.protect_run import ProtectRun
from thirdcard.protect.protection import Protection, Terms
from thirdcard.protect.readings import readings
from thirdcard.protect.worths import Knowledge, PricedCase, PricedReading
from thirdcard.rulebook.load import remember
from thirdcard.rulebook.model import Rulebook
from thirdcard.simulate.work import RunOutcome
from thirdcard.strict import decodable


class KnownRow(msgspec.Struct, frozen=True, kw_only=True):
    """In shares of a unit, what knowing a card is worth; `bet` empty for Player or Banker at choice."""

    bet: str
    edge: float
    places: tuple[float, ...]
    somewhere: float = 0.0
    gone: float = 0.0
    everything: float = 0.0
    sorted_deck: float = 0.0


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """One rulebook, one number of decks."""

    protection: Protection
    known: tuple[KnownRow, ...]
    cases: tuple[PricedCase, ...]
    readings: tuple[PricedReading, ...]
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
        cases=price(book, left),
        readings=readings(book, left),
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
    return tuple(float(place.worth) for place in places.values())


def encoded(sheet: Sheet) -> bytes:
    """As JSON, exact numbers as text."""
    return msgspec.json.encode(sheet, enc_hook=str)


def decoded(text: bytes) -> Sheet:
    return msgspec.json.decode(text, type=decodable(Sheet), dec_hook=lambda kind, value: kind(value))


def main() -> None:
    decks, shoes = (int(one) for one in sys.argv[1:3])
    book = remember(sys.stdin.buffer.read())
    sys.stdout.buffer.write(encoded(make(book, decks, shoes)))


if __name__ == "__main__":
    main()
