"""The house's own copies of documents: the text of each paragraph, beside the rulebook that states it."""

from functools import lru_cache

from thirdcard.errors import BadInput
from thirdcard.reading.document import Document
from thirdcard.rulebook import Rulebook, digest_of
from thirdcard.service.tables.hall import Hall
from thirdcard.words.saying import say


async def copy_of(hall: Hall, book: Rulebook) -> dict[str, str]:
    """The text of each paragraph of a rulebook's document, nothing where the house keeps no copy of it."""
    text = await hall.engine.reading(hall.engine.store.document, digest_of(book))
    return by_paragraph(text, book.paragraphs)


@lru_cache(maxsize=8)
def by_paragraph(text: str, paragraphs: tuple[str, ...]) -> dict[str, str]:
    r"""What a document says in each of these paragraphs, lettered items with the paragraph they stand in.

    >>> by_paragraph("1.1 A shoe holds\n(a) eight decks.\n1.2 No more.", ("1.1",))
    {'1.1': 'A shoe holds (a) eight decks.'}
    """
    texts: dict[str, str] = {}
    for number, paragraph in Document(text).paragraphs.items() if text else ():
        whole, _, item = number.partition("(")
        if whole in paragraphs:
            texts[whole] = (
                f"{texts.get(whole, '')} {'(' + item + ' ' if item else ''}{paragraph.text}".strip()
            )
    return texts


def checked(book: Rulebook, text: str) -> str:
    """The text, if it is a document with paragraphs of the rulebook."""
    if not by_paragraph(text, book.paragraphs):
        raise BadInput(say("document-of-another", rulebook=book.slug))
    return text
