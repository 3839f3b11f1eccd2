"""Everything that protection has to say of one rulebook and one number of decks, as plain values for a page.

`python -m thirdcard.protect.sheet DECKS SHOES` reads the canonical text of a rulebook from standard input and
writes the sheet: a server has it made beside itself, so that tables never wait for it.
"""

import sys
import time
from collections.abc import Iterator

import msgspec

from thirdcard.cards import CARDS_IN_A_DECK, Rank, Suit
from thirdcard.odds.compiled import Floats, Integers, np
from thirdcard.odds.composition import Composition, fresh
from thirdcard.protect.asking import Question, prepare
from thirdcard.protect.conventions import UNDIVIDED
from thirdcard.protect.known_cards import MAIN, best_of, known_cards
from thirdcard.protect.measures import InsuredDecks, by_decks, protection
from thirdcard.protect.pricing import price
from thirdcard.protect.protect_run import SHOES, ProtectRun
from thirdcard.protect.protection import CountPlay, Protection, Terms
from thirdcard.protect.readings import readings
from thirdcard.protect.worths import Knowledge, PricedCase, PricedReading
from thirdcard.rulebook.load import remember
from thirdcard.rulebook.model import Rulebook
from thirdcard.simulate.work import RunOutcome
from thirdcard.strict import decodable

MOST_SHOES = 4096
LOWEST, HIGHEST = -10, 20  # of the true counts that are told, in steps
WIDEST = 10.0  # a trigger that single steps still show whole
FEWEST = 40  # rounds at a true count, below which nothing is said of it
APART = 13  # cards between one place in the shoe and the next


class AtCount(msgspec.Struct, frozen=True, kw_only=True):
    """Rounds with a true count from half a step below to half a step above."""

    count: float
    share: float  # of all rounds
    mean: float
    low: float  # a tenth of them are worth less
    high: float


class InShoe(msgspec.Struct, frozen=True, kw_only=True):
    """Rounds that begin with so many cards left, or up to twelve more: the share worth more than zero."""

    left: int
    share: float


class Portrait(msgspec.Struct, frozen=True, kw_only=True):
    """One bet; `by_count` is empty where no count follows it."""

    shoes: int
    by_count: tuple[AtCount, ...]
    by_left: tuple[InShoe, ...]


def portraits(run: ProtectRun, found: Protection) -> dict[str, Portrait]:
    """Of every bet, by the count that is best for it at the least cut."""
    shoes = min(found.shoes, MOST_SHOES)
    rows, values, left = _rounds(run, shoes)
    at = found.cuts[min(found.cuts, key=int)]
    return {
        name: Portrait(
            shoes=shoes,
            by_count=_by_count(len(Suit) * run.decks, rows, values[:, number], at.bets[name].count),
            by_left=_by_left(left, values[:, number]),
        )
        for number, name in enumerate(run.bets)
    }


def _rounds(run: ProtectRun, shoes: int) -> tuple[Integers, Floats, Integers]:
    """Of every round: cards unseen by rank, the value of every bet, the cards left in the shoe."""
    unseen, values, left = [], [], []
    for chunk in range(-(-shoes // SHOES)):
        _, rounds, made = run.rounds_of(chunk, min(SHOES, shoes - chunk * SHOES))
        kinds = rounds.unseen[:made]
        values.append(run.program.valuer.values(kinds)[0])
        unseen.append(kinds.reshape(made, -1, len(Rank)).sum(axis=1))
        left.append(rounds.left[:made].copy())
    return np.concatenate(unseen), np.concatenate(values), np.concatenate(left)


def _by_count(fresh: int, rows: Integers, values: Floats, count: CountPlay) -> tuple[AtCount, ...]:
    tags = np.array(list(count.tags.values()), np.int64)
    if not tags.any():
        return ()
    running = (fresh - rows) @ tags
    step = 1.0 if count.trigger is None else max(1.0, float(np.ceil(count.trigger / WIDEST)))
    decks = 1 if count.decks_left == UNDIVIDED else rows.sum(axis=1) / CARDS_IN_A_DECK
    true = running / decks / step
    bins = np.rint(true).astype(np.int64)
    found = []
    for number in range(LOWEST, HIGHEST + 1):
        here = values[bins == number]
        if len(here) >= FEWEST:
            low, high = np.quantile(here, (0.1, 0.9)).tolist()
            found.append(
                AtCount(
                    count=number * step,
                    share=len(here) / len(values),
                    mean=float(here.mean()),
                    low=low,
                    high=high,
                )
            )
    return tuple(found)


def _by_left(left: Integers, values: Floats) -> tuple[InShoe, ...]:
    group = left // APART
    rounds = np.bincount(group)
    above = np.bincount(group, weights=values > 0, minlength=len(rounds))
    return tuple(
        [
            InShoe(left=number * APART, share=float(above[number] / rounds[number]))
            for number in range(len(rounds) - 1, -1, -1)
            if rounds[number] >= FEWEST
        ]
    )


# --- the sheet --------------------------------------------------------------------------------------------


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
