"""What every run has: the text it is played by, the shoe and the seed."""

from functools import cached_property
from typing import Any

import msgspec

from thirdcard.errors import BadInput
from thirdcard.rulebook import Rulebook, digest_of, load
from thirdcard.rulebook.forms import canonical
from thirdcard.rulebook.load import SHOWN_DIGEST, by_digest, of_package, packaged, remember
from thirdcard.simulate.check import check_seed, check_shoe


class ShoeRun(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A run of shoes by a rulebook: given as a slug, a file or a `Rulebook`, and its slug from then on.

    The digest says which text of it, and `text` is that text where the package does not have it, so that a
    run is played by the same one wherever it is sent.
    """

    rulebook: str | Any
    digest: str = ""
    text: str = ""
    decks: int = 8
    cut: int = 14
    rounds: int
    seed: int = 1

    def __post_init__(self) -> None:
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
        check_shoe(self.book, self.decks, self.cut)

    @cached_property
    def book(self) -> Rulebook:
        return remember(self.text.encode()) if self.text else by_digest(self.rulebook, self.digest)


def is_packaged(book: Rulebook) -> bool:
    """Whether every installation of this release has the text."""
    return book.slug in packaged() and digest_of(of_package(book.slug)) == digest_of(book)
