"""Reads the rules documents of houses, and holds books to them.

- `text.py` makes lines clean, `paragraphs.py` finds what is numbered, `figures.py` odds, points, letters and
  cells, `conditions.py` what wins a bet; `document.py` is what the recognisers look at.
- Recognisers: `terms.py` (title page, decks, layouts, limits), `bets.py`, `pays.py`, `insurance.py`,
  `tableau.py`; `reader.py` puts together what they read, in the types of `model.py`.
- `sections.py` has it as a book does; `draft.py` writes a book with all that is open, `against.py` holds a
  book to it; `subjects.py` tells what paragraphs are about.
- `files.py` gets the text out of a file.
"""

from thirdcard.reading.against import Held, held
from thirdcard.reading.draft import Draft, draft_of
from thirdcard.reading.files import document_text
from thirdcard.reading.reader import Reading, read_text

__all__ = ["Draft", "Held", "Reading", "document_text", "draft_of", "held", "read_text"]
