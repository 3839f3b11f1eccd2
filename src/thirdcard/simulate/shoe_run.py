"""What every run has: the text it is played by, the decks, the seed, and chunks that add up to it."""

from functools import cached_property
from typing import Any, ClassVar, Self, TypeAlias

import msgspec

from thirdcard.cards import CARDS_IN_A_DECK
from thirdcard.errors import BadInput
from thirdcard.play.tableau import LONGEST
from thirdcard.rulebook import Rulebook, digest_of, load
from thirdcard.rulebook.forms import canonical
from thirdcard.rulebook.load import SHOWN_DIGEST, by_digest, of_package, packaged, remember
from thirdcard.rulebook.lookup import check_decks, check_usual
from thirdcard.simulate.compiled import Integers
from thirdcard.strict import whole, whole_fields

LARGEST_SEED = 2**64 - 1


def check_count(name: str, value: int, most: int) -> None:
    value = whole(f"the number of {name}", value)
    if value <= 0:
        raise BadInput(f"the number of {name} must be more than zero: got {value}")
    if value > most:
        raise BadInput(f"the number of {name} must be at most {most:,}: got {value:,}")


def check_seed(seed: int) -> None:
    if not 0 <= whole("a seed", seed) <= LARGEST_SEED:
        raise BadInput(f"a seed is a whole number from 0 to {LARGEST_SEED}: got {seed}")


def check_shoe(book: Rulebook, decks: int, cut: int) -> None:
    """The decks that the document allows, and a cut card with a whole round behind it."""
    check_usual(book, "runs deal")
    check_decks(book, decks)
    cards = CARDS_IN_A_DECK * decks
    if not LONGEST <= whole("the cut", cut) <= cards:
        raise BadInput(
            f"the cut card lies {LONGEST} to {cards} cards from the end of {decks} decks, "
            f"so that a round can be completed: got {cut}"
        )


Part: TypeAlias = tuple[Integers, ...]


class Run(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A run by a rulebook: given as a slug, a file or a `Rulebook`, and its slug from then on.

    It is played in numbered chunks, each from random streams of its own.

    The digest says which text of it, and `text` is that text where the package does not have it, so that a
    run is played by the same one wherever it is sent.
    """

    rulebook: str | Any
    digest: str = ""
    text: str = ""
    decks: int = 8
    seed: int = 1

    unit: ClassVar[str]  # what it is a number of
    stride: ClassVar[int] = 0  # chunks after which it may be `enough`, and after as many more; 0 for never

    def __post_init__(self) -> None:
        for name in whole_fields(type(self)):
            msgspec.structs.force_setattr(self, name, whole(name, getattr(self, name)))
        if self.text:
            book = remember(self.text.encode())
        else:
            book = by_digest(self.rulebook, self.digest) if self.digest else load(self.rulebook)
            text = "" if is_packaged(book) else canonical(book).decode()
            for name, value in (("rulebook", book.slug), ("digest", digest_of(book)), ("text", text)):
                msgspec.structs.force_setattr(self, name, value)
        if (book.slug, digest_of(book)) != (self.rulebook, self.digest):
            named = f"{self.rulebook}@{self.digest[:SHOWN_DIGEST]}"
            raise BadInput(f"the run's text is not the one it names: {named}")
        check_seed(self.seed)

    @cached_property
    def book(self) -> Rulebook:
        return remember(self.text.encode()) if self.text else by_digest(self.rulebook, self.digest)

    @property
    def open_end(self) -> bool:
        """Whether it may be `enough` before its last chunk."""
        return False

    @property
    def per_chunk(self) -> int:
        """How much of it, in its unit, one chunk is."""
        raise NotImplementedError

    @property
    def chunks(self) -> int:
        return -(-self.length // self.per_chunk)

    def size(self, chunks: int) -> int:
        """How much the first so many chunks are, in the run's unit."""
        return min(chunks * self.per_chunk, self.length)

    def empty(self) -> Part:
        """The total of no chunks."""
        raise NotImplementedError

    def deal(self, chunk: int, size: int, total: Part) -> None:
        """Play so much of a chunk, and add what it comes to."""
        raise NotImplementedError

    def play(self, first: int, count: int) -> Part:
        """The total of some chunks."""
        total = self.empty()
        for chunk in range(first, first + count):
            self.deal(chunk, self.size(chunk + 1) - self.size(chunk), total)
        return total

    def merge(self, total: Part, part: Part, first: int) -> None:  # noqa: ARG002 - of those that keep an order
        """Put the part that begins with chunk `first` to the total of those before it: counts add up."""
        for counts, more in zip(total, part, strict=True):
            counts[:] += more

    def enough(self, total: Part, done: int) -> bool:  # noqa: ARG002 - of those that have a `stride`
        """Whether the total of the first chunks is all that was asked for."""
        return done == self.chunks

    def take_back(self, total: Part, first: int) -> None:
        """Take the last chunk, number `first`, out of the total again."""
        for counts, more in zip(total, self.play(first, 1), strict=True):
            counts[:] -= more

    def warm(self) -> None:
        """Compile what is needed, or load it, before anybody looks at the clock."""
        self.deal(0, 1, self.empty())

    @property
    def length(self) -> int:
        """How long it is, in its unit."""
        return int(getattr(self, self.unit))

    def of_length(self, length: int) -> Self:
        """The same run, longer or shorter: what both have of whole chunks is the same."""
        return msgspec.structs.replace(self, **{self.unit: length})

    def go_on(self, before: Self, total: Part, done: int) -> tuple[Part, int]:
        """The total of a shorter run as this one goes on from it, and the chunks done.

        A last chunk that was cut short is taken back, to be played in full.
        """
        if before.size(done) < self.size(done):
            done -= 1
            before.take_back(total, done)
        longer = self.empty()
        for room, part in zip(longer, total, strict=True):
            room[tuple([slice(size) for size in part.shape])] = part
        return longer, done


class ShoeRun(Run, frozen=True, kw_only=True):
    """So many rounds, from shoes that are dealt to one cut card."""

    cut: int = 14
    rounds: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_shoe(self.book, self.decks, self.cut)


def is_packaged(book: Rulebook) -> bool:
    """Whether every installation of this release has the text."""
    return book.slug in packaged() and digest_of(of_package(book.slug)) == digest_of(book)
